/* The tree of nodes, walked without recursion, or one object of a library with
 * all that is in it.
 *
 * Assimp gives every format as a tree of nodes with matrices; formats differ in
 * which way is up and how long a unit is, and some nodes carry a turn that
 * undoes another. So each node's transform is turned into our axes on the way
 * down (`turn`), and a node that FBX tipped over is set upright with its mesh
 * turned instead, since people and the solver turn things about the vertical.
 * An object of a library is flattened to one mesh: what is inside of a lamp is
 * nothing to arrange. */
#include "worker/convert/foreign_internal.h"
#include "worker/scene/scene.h"

#include <assimp/camera.h>
#include <assimp/mesh.h>
#include <assimp/metadata.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    DEPTH_MAX = 1000
};

/* From rows. */
static affine foreign_affine(const struct aiMatrix4x4 *m)
{
    return (affine){{{(double)m->a1, (double)m->a2, (double)m->a3},
                     {(double)m->b1, (double)m->b2, (double)m->b3},
                     {(double)m->c1, (double)m->c2, (double)m->c3}},
                    {(double)m->a4, (double)m->b4, (double)m->c4}};
}

/* As glTF has matrices. */
static void to_columns(const affine *a, double ret[16])
{
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++)
            ret[4 * c + r] = a->m[r][c];
        ret[4 * c + 3] = 0;
    }
    ret[12] = a->t.x;
    ret[13] = a->t.y;
    ret[14] = a->t.z;
    ret[15] = 1;
}

/* Points and lines are left out. */
static bool has_triangles(const struct aiMesh *m)
{
    return (m->mPrimitiveTypes & aiPrimitiveType_TRIANGLE) && m->mNumFaces > 0;
}

/* ---- units and axes ---- */

/* Z up becomes Y up, and -Y the front +Z */
static const affine z_up = {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, {0, 0, 0}};

/* 0: it is not there. */
static double foreign_number(const struct aiScene *s, const char *key)
{
    for (unsigned i = 0; s->mMetaData && i < s->mMetaData->mNumProperties;
         i++) {
        const struct aiMetadataEntry *e = &s->mMetaData->mValues[i];
        if (strcmp(s->mMetaData->mKeys[i].data, key) != 0)
            continue;
        if (e->mType == AI_FLOAT)
            return (double)*(const float *)e->mData;
        if (e->mType == AI_DOUBLE)
            return *(const double *)e->mData;
        if (e->mType == AI_INT32)
            return *(const int32_t *)e->mData;
    }
    return 0;
}

/* FBX says which of its axes is up, to the front and to the right. Some
 * versions of Assimp turn the root accordingly. */
static affine fbx_axes(const struct aiScene *s)
{
    static const char *const keys[3][2] = {{"CoordAxis", "CoordAxisSign"},
                                           {"UpAxis", "UpAxisSign"},
                                           {"FrontAxis", "FrontAxisSign"}};
    affine turn = {{{0}}, {0, 0, 0}};
    for (int row = 0; row < 3; row++) {
        double axis = foreign_number(s, keys[row][0]);
        double sign = foreign_number(s, keys[row][1]);
        if (axis != 0 && axis != 1 && axis != 2)
            return affine_identity();
        turn.m[row][(int)axis] = sign < 0 ? -1 : 1;
    }
    return affine_det(&turn) == 1
               ? turn
               /* left-handed, or one axis twice: no such file is right */
               : affine_identity();
}

/* Neither scaled nor mirrored. */
static bool is_rotation(const affine *a)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double dot = a->m[i][0] * a->m[j][0] + a->m[i][1] * a->m[j][1] +
                         a->m[i][2] * a->m[j][2];
            if (!(fabs(dot - (i == j)) < 1e-5))
                return false;
        }
    }
    return affine_det(a) > 0;
}

/* Collada declares unit and axes. */
static bool ends_with_dae(const char *name)
{
    size_t n = strlen(name);
    return n > 4 && strcasecmp(name + n - 4, ".dae") == 0;
}

/* What turns the file's axes to Y up: the user's word, else an FBX's own where
 * the loader has not turned it already. */
static affine root_axes(const foreign *f, const affine *root)
{
    if (f->options->up)
        return f->options->up == 'Z' ? z_up : affine_identity();
    bool is_straight =
        is_rotation(root) && root->m[0][0] == 1 && root->m[1][1] == 1;
    return f->is_fbx && is_straight ? fbx_axes(f->scene) : affine_identity();
}

/* In the report, as it is what goes wrong most often. */
static void say_unit(const foreign *f, double metres_per_unit)
{
    const char *why =
        "; it declares neither unit nor axes, so say --unit or --up if need be";
    if (f->is_fbx || ends_with_dae(f->name))
        why = ", as it declares";
    if (f->options->metres_per_unit > 0 || f->options->up)
        why = ", as you say";
    glb_say(f->out, false, "Converted from %s: 1 unit is %g m%s.",
            f->options->nameless ? "a model" : f->name, metres_per_unit, why);
}

/* Moves the root's rotation, if its linear part is one times `baked`, into
 * f->turn; the transform that is left, in metres. */
static affine split_turn(foreign *f,
                         affine root,
                         double baked,
                         double metres_per_unit)
{
    double scale = baked > 1e-90 ? metres_per_unit / baked : metres_per_unit;
    affine turn = {{{0}}, {0, 0, 0}};
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            turn.m[r][c] = root.m[r][c] / baked;
    }
    root.t = v3_scale(root.t, scale);
    if (is_rotation(&turn)) {
        f->turn = turn;
        return (affine){{{metres_per_unit, 0, 0},
                         {0, metres_per_unit, 0},
                         {0, 0, metres_per_unit}},
                        root.t};
    }
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            root.m[r][c] *= scale;
    }
    return root;
}

/* How the file's axes and unit become metres and Y up: f->turn rotates vertices
 * and nodes themselves, so that an object's own axes are those of a glTF and
 * its front is where the maker's program has it; what is left is the root's
 * transform. The loader has put into the root what COLLADA declares; what the
 * user says rules. */
static affine root_transform(foreign *f)
{
    const foreign_options *o = f->options;
    affine root = foreign_affine(&f->scene->mRootNode->mTransformation);
    /* centimetres in a unit */
    double fbx = foreign_number(f->scene, "UnitScaleFactor") / 100;
    double baked = math_cbrt(fabs(affine_det(&root)) + 1e-300);
    f->is_fbx = fbx > 0;
    if (fabs(baked - 1) < 1e-6)
        baked = 1; /* rounded: no scale at all */
    double unit = fbx > 0 && baked == 1 ? fbx : baked;
    double chosen = o->metres_per_unit > 0 ? o->metres_per_unit : unit;
    say_unit(f, chosen);
    if (f->is_fbx && o->up)
        /* the loader's node: it holds the axes and nothing else */
        root = affine_identity();
    affine axes = root_axes(f, &root);
    root = affine_mul(&axes, &root);
    return split_turn(f, root, baked, chosen);
}

/* A transform between nodes of turned axes: `from` and `to` are rotations, the
 * child's and its parent's. */
static affine affine_turned(const affine *to, affine local, const affine *from)
{
    affine back = {{{0}}, {0, 0, 0}};
    affine with;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            back.m[r][c] = from->m[c][r];
    }
    with = affine_mul(&local, &back);
    return affine_mul(to, &with);
}

/* Many makers write an FBX that is Y up by tipping each object over: its own
 * axes stay Z up, and its front its own -Y. A heading reads +Z, so such a
 * node's own axes are turned too; where it stands and how it looks stays the
 * same. */
static bool is_tipped(const affine *world)
{
    vec3 z = v3_normal(affine_dir(world, v3(0, 0, 1)));
    return z.y > 0.866; /* beyond it a heading is no longer the front */
}

/* ---- meshes ---- */

typedef struct known_mesh { /* nodes that list the same meshes share one */
    const struct aiNode *node;
    uint32_t mesh;
    bool tipped;
} known_mesh;

typedef struct walk {
    foreign *f;
    known_mesh *meshes; /* by the first mesh's index */
    struct {
        const struct aiNode *node;
        uint32_t parent;
        unsigned depth;
        /* the parent's own axes, and what lies above in f->turn's */
        affine turn, world;
    } * stack;
    size_t top, room;
    uint32_t nodes;
} walk;

/* Copies of one thing. */
static bool same_meshes(const struct aiNode *a, const struct aiNode *b)
{
    return a->mNumMeshes == b->mNumMeshes &&
           memcmp(a->mMeshes, b->mMeshes, a->mNumMeshes * sizeof *a->mMeshes) ==
               0;
}

/* A mesh of the file that the node has; NULL: it has no triangles, and is told
 * as left out. */
static const struct aiMesh *node_mesh_at(walk *w,
                                         const struct aiNode *node,
                                         unsigned i)
{
    const struct aiScene *s = w->f->scene;
    const bool known = node->mMeshes[i] < s->mNumMeshes;
    const struct aiMesh *m = known ? s->mMeshes[node->mMeshes[i]] : NULL;
    if (m && has_triangles(m))
        return m;
    w->f->ignored += m != NULL;
    return NULL;
}

/* Nodes that list the same meshes share one in the GLB, where they have the
 * same own axes. */
static etna_code node_mesh(walk *w,
                           const struct aiNode *node,
                           const char *name,
                           const affine *turn,
                           bool tipped,
                           uint32_t *ret,
                           etna_error *err)
{
    known_mesh *known = NULL;
    uint32_t mesh = GLB_NONE;
    etna_code code = ETNA_OK;
    for (unsigned i = 0; code == ETNA_OK && i < node->mNumMeshes; i++) {
        const struct aiMesh *m = node_mesh_at(w, node, i);
        if (!m)
            continue;
        if (mesh == GLB_NONE) {
            known = &w->meshes[node->mMeshes[i]];
            if (known->node && known->tipped == tipped &&
                same_meshes(known->node, node)) {
                mesh = known->mesh;
                break;
            }
            mesh = glb_mesh(w->f->out, m->mName.length ? m->mName.data : name);
        }
        code = foreign_primitive(w->f, m, turn, mesh, err);
    }
    if (known)
        *known = (known_mesh){node, mesh, tipped};
    *ret = mesh;
    return code;
}

/* ---- cameras ---- */

/* Where it is and how it is turned, along -Z; false: it looks nowhere. */
static bool camera_frame(const struct aiCamera *c, affine *ret)
{
    vec3 position = v3((double)c->mPosition.x, (double)c->mPosition.y,
                       (double)c->mPosition.z);
    vec3 back = v3_normal(v3(-(double)c->mLookAt.x, -(double)c->mLookAt.y,
                             -(double)c->mLookAt.z));
    vec3 right = v3_normal(v3_cross(
        v3((double)c->mUp.x, (double)c->mUp.y, (double)c->mUp.z), back));
    vec3 up = v3_cross(back, right);
    *ret = (affine){{{right.x, up.x, back.x},
                     {right.y, up.y, back.y},
                     {right.z, up.z, back.z}},
                    position};
    return v3_finite(right) && v3_length(right) > 0.5 && v3_finite(position);
}

/* The value where it lies within the bounds, else what stands in for it. */
static double within_or(double value, double low, double high, double otherwise)
{
    return value > low && value < high ? value : otherwise;
}

/* Assimp has a width and half a horizontal angle, glTF heights; without an
 * aspect, 4:3 is taken. */
static void add_lens(foreign *f, const struct aiCamera *c, uint32_t node)
{
    double near = within_or((double)c->mClipPlaneNear, 1e-6, 1e3, 0.01);
    double aspect = within_or((double)c->mAspect, 0.05, 20, 0);
    double across = aspect > 0 ? aspect : 4.0 / 3;
    double width = (double)c->mOrthographicWidth;
    if (width > 0 && width < 1e6) {
        glb_orthographic(f->out, node, c->mName.data, width, width / across,
                         1e4);
        return;
    }
    double half = within_or((double)c->mHorizontalFOV / 2, 0.01, 1.55, 0.4);
    double sin_half, cos_half;
    math_sincos(half, &sin_half, &cos_half);
    glb_perspective(f->out, node, c->mName.data,
                    2 * math_atan2(sin_half / cos_half, across), aspect, near);
}

/* Assimp's camera looks anywhere; glTF's along -Z of its node: a node of its
 * own takes up the difference. */
static void add_camera(foreign *f,
                       const struct aiCamera *c,
                       const affine *turn,
                       uint32_t node)
{
    affine own;
    double matrix[16];
    if (!camera_frame(c, &own))
        return;
    own = affine_mul(turn, &own);
    to_columns(&own, matrix);
    uint32_t at = glb_node(f->out, node, c->mName.data, matrix, GLB_NONE);
    add_lens(f, c, at);
}

/* By the node's name, which is how Assimp ties them together. */
static void add_cameras(walk *w,
                        const struct aiNode *node,
                        const affine *turn,
                        uint32_t index)
{
    const struct aiScene *s = w->f->scene;
    for (unsigned i = 0; i < s->mNumCameras && i < 1000; i++) {
        if (strcmp(s->mCameras[i]->mName.data, node->mName.data) == 0)
            add_camera(w->f, s->mCameras[i], turn, index);
    }
}

/* ---- the tree ---- */

/* The file's name without folder and extension: for roots that the loader named
 * itself. */
static void stem_of(const foreign *f, char to[128])
{
    const char *slash = strrchr(f->name, '/');
    const char *last = slash ? slash + 1 : f->name;
    if (f->options->nameless) {
        snprintf(to, 128, "model");
        return;
    }
    const char *dot = strrchr(last, '.');
    snprintf(to, 128, "%.*s",
             dot && dot > last ? (int)(dot - last) : (int)strlen(last), last);
}

/* A name of the file's, else of the loader's making: then the scene's own file
 * name, or the first mesh's. */
static void foreign_node_name(const foreign *f,
                              const struct aiNode *node,
                              char to[256])
{
    bool is_root = !node->mParent && strcmp(node->mName.data, "ROOT") == 0;
    bool own = node->mName.length && node->mName.data[0] != '<';
    if (own && !is_root && strcmp(node->mName.data, f->name) != 0) {
        snprintf(to, 256, "%s", node->mName.data);
    } else if (!node->mParent) {
        stem_of(f, to);
    } else if (node->mNumMeshes && node->mMeshes[0] < f->scene->mNumMeshes) {
        snprintf(to, 256, "%s",
                 f->scene->mMeshes[node->mMeshes[0]]->mName.data);
    } else {
        to[0] = 0;
    }
    if (!to[0] && node->mNumMeshes)
        stem_of(f, to);
}

/* False: out of memory. */
static bool walk_push(walk *w,
                      const struct aiNode *node,
                      uint32_t parent,
                      unsigned depth,
                      const affine *turn,
                      const affine *world)
{
    if (w->top == w->room) {
        size_t room = w->room ? 2 * w->room : 256;
        void *grown = realloc(w->stack, room * sizeof *w->stack);
        if (!grown)
            return false;
        w->stack = grown;
        w->room = room;
    }
    w->stack[w->top].node = node;
    w->stack[w->top].parent = parent;
    w->stack[w->top].turn = *turn;
    w->stack[w->top].world = *world;
    w->stack[w->top++].depth = depth;
    return true;
}

/* Bounded in depth and number: the file may be hostile. */
static etna_code walk_visit(walk *w,
                            const struct aiNode *node,
                            uint32_t parent,
                            unsigned depth,
                            const affine *parent_turn,
                            const affine *above,
                            etna_error *err)
{
    char name[256];
    double columns[16];
    uint32_t mesh = GLB_NONE;
    foreign_node_name(w->f, node, name);
    if (depth > DEPTH_MAX || ++w->nodes > SCENE_NODES_MAX) {
        return etna_fail(err, ETNA_E_LIMIT,
                         "its nodes are more than %d, or nest deeper than %d",
                         SCENE_NODES_MAX, DEPTH_MAX);
    }
    affine root = node->mParent ? affine_identity() : root_transform(w->f);
    affine own = foreign_affine(&node->mTransformation);
    affine straight =
        node->mParent ? affine_turned(&w->f->turn, own, &w->f->turn) : root;
    affine world = affine_mul(above, &straight);
    affine turn = w->f->turn;
    bool tipped = node->mParent && w->f->is_fbx && is_tipped(&world);
    if (tipped)
        turn = affine_mul(&z_up, &turn);
    affine local =
        node->mParent ? affine_turned(parent_turn, own, &turn) : root;
    to_columns(&local, columns);
    etna_code code = node_mesh(w, node, name, &turn, tipped, &mesh, err);
    uint32_t index = glb_node(w->f->out, parent, name, columns, mesh);
    add_cameras(w, node, &turn, index);
    for (unsigned i = node->mNumChildren; code == ETNA_OK && i > 0;
         i--) { /* the first child is visited first */
        if (!walk_push(w, node->mChildren[i - 1], index, depth + 1, &turn,
                       &world))
            code = etna_fail(err, ETNA_E_NOMEM, "no memory for its nodes");
    }
    return code;
}

/* An explicit stack: a file may nest as deep as it likes. */
etna_code foreign_nodes(foreign *f, etna_error *err)
{
    walk w = {.f = f,
              .meshes =
                  calloc((size_t)f->scene->mNumMeshes + 1, sizeof *w.meshes)};
    const affine none = affine_identity();
    etna_code code =
        w.meshes &&
                walk_push(&w, f->scene->mRootNode, GLB_NONE, 0, &none, &none)
            ? ETNA_OK
            : etna_fail(err, ETNA_E_NOMEM, "no memory for its nodes");
    while (code == ETNA_OK && w.top > 0) {
        w.top--;
        /* the stack may move */
        affine turn = w.stack[w.top].turn;
        affine world = w.stack[w.top].world;
        code = walk_visit(&w, w.stack[w.top].node, w.stack[w.top].parent,
                          w.stack[w.top].depth, &turn, &world, err);
    }
    free(w.stack);
    free(w.meshes);
    return code;
}

/* ---- one object of a library ---- */

typedef struct placed {
    const struct aiMesh *mesh;
    affine place;
} placed;

typedef struct flatten_entry {
    const struct aiNode *node;
    affine place;
} flatten_entry;

typedef struct flattening {
    foreign *f;
    flatten_entry *stack; /* nodes still to visit, the next one last */
    size_t top, stack_room;
    placed *list; /* what was found */
    size_t count, list_room;
} flattening;

/* The list with room for `wanted` items, where it is then; NULL: no memory, and
 * the list is as it was. */
static void *list_grow(void *list, size_t *room, size_t wanted, size_t item)
{
    if (list && wanted <= *room)
        return list;
    void *grown = realloc(list, (2 * wanted + 1) * item);
    if (grown)
        *room = 2 * wanted + 1;
    return grown;
}

/* Lists the node's meshes and leaves its children to be visited, the first of
 * them next. False: no memory. */
static bool flatten_visit(flattening *x, flatten_entry at)
{
    const struct aiScene *s = x->f->scene;
    size_t wanted = x->top + at.node->mNumChildren;
    size_t listed = x->count + at.node->mNumMeshes;
    placed *list = list_grow(x->list, &x->list_room, listed, sizeof *list);
    if (!list)
        return false;
    x->list = list;
    flatten_entry *stack =
        list_grow(x->stack, &x->stack_room, wanted, sizeof *stack);
    if (!stack)
        return false;
    x->stack = stack;
    for (unsigned i = 0; i < at.node->mNumMeshes; i++) {
        if (at.node->mMeshes[i] >= s->mNumMeshes)
            continue;
        const struct aiMesh *m = s->mMeshes[at.node->mMeshes[i]];
        if (has_triangles(m))
            x->list[x->count++] = (placed){m, at.place};
        else
            x->f->ignored++;
    }
    for (unsigned i = at.node->mNumChildren; i > 0; i--) {
        affine local =
            foreign_affine(&at.node->mChildren[i - 1]->mTransformation);
        x->stack[x->top++] = (flatten_entry){at.node->mChildren[i - 1],
                                             affine_mul(&at.place, &local)};
    }
    return true;
}

/* Every mesh with where the tree places it, by Assimp's order. */
static etna_code foreign_flatten(foreign *f,
                                 placed **ret,
                                 size_t *ret_count,
                                 etna_error *err)
{
    const struct aiNode *root = f->scene->mRootNode;
    flattening x = {.f = f};
    x.stack = list_grow(NULL, &x.stack_room, 1, sizeof *x.stack);
    bool ok = x.stack != NULL;
    if (ok)
        x.stack[x.top++] =
            (flatten_entry){root, foreign_affine(&root->mTransformation)};
    while (ok && x.top > 0)
        ok = flatten_visit(&x, x.stack[--x.top]);
    free(x.stack);
    if (!ok) {
        free(x.list);
        return etna_fail(err, ETNA_E_NOMEM, "no memory for its nodes");
    }
    *ret = x.list;
    *ret_count = x.count;
    return ETNA_OK;
}

/* Vertices that are not finite are passed over. */
static void bounds_of(const placed *list,
                      size_t count,
                      const affine *turn,
                      vec3 *ret_min,
                      vec3 *ret_max)
{
    bool first = true;
    for (size_t i = 0; i < count; i++) {
        affine place = affine_mul(turn, &list[i].place);
        for (unsigned k = 0; k < list[i].mesh->mNumVertices; k++) {
            const struct aiVector3D *v = &list[i].mesh->mVertices[k];
            vec3 p = affine_point(&place,
                                  v3((double)v->x, (double)v->y, (double)v->z));
            if (!v3_finite(p))
                continue;
            *ret_min = first ? p : v3_min(*ret_min, p);
            *ret_max = first ? p : v3_max(*ret_max, p);
            first = false;
        }
    }
}

/* Turned as the catalogue says, then stretched to its width, height and depth,
 * its foot at the origin. */
static affine library_place(const catalogue_model *model,
                            const placed *list,
                            size_t count)
{
    affine turn = affine_identity();
    vec3 low = v3(0, 0, 0);
    vec3 high = v3(0, 0, 0);
    double scale[3];
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            turn.m[r][c] = model->rotation[3 * r + c];
    }
    bounds_of(list, count, &turn, &low, &high);
    for (int k = 0; k < 3; k++) {
        double extent = v3_get(high, k) - v3_get(low, k);
        scale[k] =
            model->size[k] > 0 && extent > 1e-9 ? model->size[k] / extent : 0;
    }
    /* a flat side, or one that is unsaid, takes another's scale */
    for (int k = 0; k < 3; k++) {
        if (scale[k] != 0)
            continue;
        double next = scale[(k + 1) % 3];
        double last = scale[(k + 2) % 3];
        scale[k] = last > 0 ? last : 0.01;
        if (next > 0)
            scale[k] = next;
    }
    affine fit = {{{scale[0], 0, 0}, {0, scale[1], 0}, {0, 0, scale[2]}},
                  {-scale[0] * (low.x + high.x) / 2, -scale[1] * low.y,
                   -scale[2] * (low.z + high.z) / 2}};
    return affine_mul(&fit, &turn);
}

/* With its size and front as the library says. */
etna_code foreign_object(foreign *f, etna_error *err)
{
    const catalogue_model *model = f->options->model;
    const char *name = model->name[0] ? model->name : model->id;
    placed *list = NULL;
    size_t count = 0;
    etna_code code = foreign_flatten(f, &list, &count, err);
    if (code != ETNA_OK)
        return code;
    affine place = library_place(model, list, count);
    uint32_t mesh = count ? glb_mesh(f->out, name) : GLB_NONE;
    for (size_t i = 0; code == ETNA_OK && i < count; i++) {
        affine whole = affine_mul(&place, &list[i].place);
        code = foreign_primitive(f, list[i].mesh, &whole, mesh, err);
    }
    /* the makers of these libraries turn every model so that it faces +Z, its
     * back to the wall behind it */
    if (count)
        glb_tell(f->out, glb_node(f->out, GLB_NONE, name, NULL, mesh), "+Z",
                 false);
    glb_say(
        f->out, false,
        "Model %u of the library: \"%.100s\", %.60s, %g x %g x %g m (width, depth, height).",
        model->index, name, model->category, model->size[0], model->size[2],
        model->size[1]);
    free(list);
    return code;
}
