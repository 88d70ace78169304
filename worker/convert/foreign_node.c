/* The tree of nodes, walked without recursion, or one object of a library with all that is in it. */
#include "worker/convert/foreign_internal.h"
#include "worker/scene/scene.h"

#include <assimp/camera.h>
#include <assimp/mesh.h>
#include <assimp/metadata.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEPTH_MAX = 1000 };

affine foreign_affine(const struct aiMatrix4x4 *m)
{
    return (affine){{{(double)m->a1, (double)m->a2, (double)m->a3},
                     {(double)m->b1, (double)m->b2, (double)m->b3},
                     {(double)m->c1, (double)m->c2, (double)m->c3}},
                    {(double)m->a4, (double)m->b4, (double)m->c4}};
}

static void to_columns(const affine *a, double ret[16])
{
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++) ret[4 * c + r] = a->m[r][c];
        ret[4 * c + 3] = 0;
    }
    ret[12] = a->t.x;
    ret[13] = a->t.y;
    ret[14] = a->t.z;
    ret[15] = 1;
}

static bool has_triangles(const struct aiMesh *m)
{
    return (m->mPrimitiveTypes & aiPrimitiveType_TRIANGLE) && m->mNumFaces > 0;
}

/* ---- units and axes ---- */

static const affine z_up = {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, {0, 0, 0}}; /* Z up becomes Y up, and -Y the front +Z */

static double foreign_number(const struct aiScene *s, const char *key)
{
    for (unsigned i = 0; s->mMetaData && i < s->mMetaData->mNumProperties; i++) {
        const struct aiMetadataEntry *e = &s->mMetaData->mValues[i];
        if (strcmp(s->mMetaData->mKeys[i].data, key) != 0) continue;
        if (e->mType == AI_FLOAT) return (double)*(const float *)e->mData;
        if (e->mType == AI_DOUBLE) return *(const double *)e->mData;
        if (e->mType == AI_INT32) return *(const int32_t *)e->mData;
    }
    return 0;
}

/* FBX says which of its axes is up, to the front and to the right. Some versions of Assimp turn the root accordingly.
 */
static affine fbx_axes(const struct aiScene *s)
{
    static const char *const keys[3][2] = {
        {"CoordAxis", "CoordAxisSign"}, {"UpAxis", "UpAxisSign"}, {"FrontAxis", "FrontAxisSign"}};
    affine turn = {{{0}}, {0, 0, 0}};
    for (int row = 0; row < 3; row++) {
        double axis = foreign_number(s, keys[row][0]), sign = foreign_number(s, keys[row][1]);
        if (axis != 0 && axis != 1 && axis != 2) return affine_identity();
        turn.m[row][(int)axis] = sign < 0 ? -1 : 1;
    }
    return affine_det(&turn) == 1 ? turn
                                  : affine_identity(); /* left-handed, or one axis twice: no such file is right */
}

static bool is_rotation(const affine *a)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double dot = a->m[i][0] * a->m[j][0] + a->m[i][1] * a->m[j][1] + a->m[i][2] * a->m[j][2];
            if (!(fabs(dot - (i == j)) < 1e-5)) return false;
        }
    }
    return affine_det(a) > 0;
}

static bool ends_with_dae(const char *name)
{
    size_t n = strlen(name);
    return n > 4 && strcasecmp(name + n - 4, ".dae") == 0;
}

/* How the file's axes and unit become metres and Y up: f->turn rotates vertices and nodes themselves, so that an
 * object's own axes are those of a glTF and its front is where the maker's program has it; what is left is the root's
 * transform. The loader has put into the root what COLLADA declares; what the user says rules. */
static affine root_transform(foreign *f)
{
    const foreign_options *o = f->options;
    affine root = foreign_affine(&f->scene->mRootNode->mTransformation), axes = affine_identity();
    double fbx = foreign_number(f->scene, "UnitScaleFactor") / 100; /* centimetres in a unit */
    double baked = math_cbrt(fabs(affine_det(&root)) + 1e-300);
    f->is_fbx = fbx > 0;
    if (fabs(baked - 1) < 1e-6) baked = 1; /* rounded: no scale at all */
    double unit = fbx > 0 && baked == 1 ? fbx : baked;
    if (fbx > 0 && o->up) root = affine_identity(); /* the loader's node: it holds the axes and nothing else */
    if (o->up == 'Z') axes = z_up;
    bool is_straight = is_rotation(&root) && root.m[0][0] == 1 && root.m[1][1] == 1;
    if (!o->up && fbx > 0 && is_straight) axes = fbx_axes(f->scene);
    double chosen = o->metres_per_unit > 0 ? o->metres_per_unit : unit, scale;
    scale = baked > 1e-90 ? chosen / baked : chosen;
    bool declares = fbx > 0 || ends_with_dae(f->name);
    glb_say(f->out, false, "Converted from %s: 1 unit is %g m%s.", f->name, chosen,
            o->metres_per_unit > 0 || o->up ? ", as you say"
            : declares                      ? ", as it declares"
                                            : "; it declares neither unit nor axes, so say --unit or --up if need be");
    root = affine_mul(&axes, &root);
    affine turn = {{{0}}, {0, 0, 0}};
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) turn.m[r][c] = root.m[r][c] / baked;
    }
    if (is_rotation(&turn)) {
        f->turn = turn;
        return (affine){{{chosen, 0, 0}, {0, chosen, 0}, {0, 0, chosen}}, v3_scale(root.t, scale)};
    }
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) root.m[r][c] *= scale;
    }
    root.t = v3_scale(root.t, scale);
    return root;
}

/* A transform between nodes of turned axes: `from` and `to` are rotations, the child's and its parent's. */
static affine affine_turned(const affine *to, affine local, const affine *from)
{
    affine back = {{{0}}, {0, 0, 0}}, with;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) back.m[r][c] = from->m[c][r];
    }
    with = affine_mul(&local, &back);
    return affine_mul(to, &with);
}

/* Many makers write an FBX that is Y up by tipping each object over: its own axes stay Z up, and its front its own -Y.
 * A heading reads +Z, so such a node's own axes are turned too; where it stands and how it looks stays the same. */
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
        affine turn, world; /* the parent's own axes, and what lies above in f->turn's */
    } * stack;
    size_t top, room;
    uint32_t nodes;
} walk;

static bool same_meshes(const struct aiNode *a, const struct aiNode *b)
{
    return a->mNumMeshes == b->mNumMeshes && memcmp(a->mMeshes, b->mMeshes, a->mNumMeshes * sizeof *a->mMeshes) == 0;
}

static etna_code node_mesh(walk *w, const struct aiNode *node, const char *name, const affine *turn, bool tipped,
                           uint32_t *ret, etna_error *err)
{
    const struct aiScene *s = w->f->scene;
    known_mesh *known = NULL;
    uint32_t mesh = GLB_NONE;
    etna_code code = ETNA_OK;
    for (unsigned i = 0; code == ETNA_OK && i < node->mNumMeshes; i++) {
        const struct aiMesh *m = node->mMeshes[i] < s->mNumMeshes ? s->mMeshes[node->mMeshes[i]] : NULL;
        if (!m || !has_triangles(m)) {
            w->f->ignored += m != NULL;
            continue;
        }
        if (mesh == GLB_NONE) {
            known = &w->meshes[node->mMeshes[i]];
            if (known->node && known->tipped == tipped && same_meshes(known->node, node)) {
                mesh = known->mesh;
                break;
            }
            mesh = glb_mesh(w->f->out, m->mName.length ? m->mName.data : name);
        }
        code = foreign_primitive(w->f, m, turn, mesh, err);
    }
    if (known) *known = (known_mesh){node, mesh, tipped};
    *ret = mesh;
    return code;
}

/* ---- cameras ---- */

/* Assimp's camera looks anywhere; glTF's along -Z of its node: a node of its own takes up the difference. */
static void add_camera(foreign *f, const struct aiCamera *c, const affine *turn, uint32_t node)
{
    vec3 position = v3((double)c->mPosition.x, (double)c->mPosition.y, (double)c->mPosition.z);
    vec3 back = v3_normal(v3(-(double)c->mLookAt.x, -(double)c->mLookAt.y, -(double)c->mLookAt.z));
    vec3 right = v3_normal(v3_cross(v3((double)c->mUp.x, (double)c->mUp.y, (double)c->mUp.z), back));
    vec3 up = v3_cross(back, right);
    affine own = {{{right.x, up.x, back.x}, {right.y, up.y, back.y}, {right.z, up.z, back.z}}, position};
    double matrix[16];
    double aspect = (double)c->mAspect, half = (double)c->mHorizontalFOV / 2, sin_half, cos_half;
    double near = (double)c->mClipPlaneNear;
    if (!v3_finite(right) || !(v3_length(right) > 0.5) || !v3_finite(position)) return;
    if (!(near > 1e-6 && near < 1e3)) near = 0.01;
    own = affine_mul(turn, &own);
    to_columns(&own, matrix);
    uint32_t at = glb_node(f->out, node, c->mName.data, matrix, GLB_NONE);
    if (!(aspect > 0.05 && aspect < 20)) aspect = 0;
    if (c->mOrthographicWidth > 0 && (double)c->mOrthographicWidth < 1e6) {
        double width = (double)c->mOrthographicWidth;
        glb_orthographic(f->out, at, c->mName.data, width, width / (aspect > 0 ? aspect : 4.0 / 3), 1e4);
        return;
    }
    if (!(half > 0.01 && half < 1.55)) half = 0.4;
    math_sincos(half, &sin_half, &cos_half);
    glb_perspective(f->out, at, c->mName.data, 2 * math_atan2(sin_half / cos_half, aspect > 0 ? aspect : 4.0 / 3),
                    aspect, near);
}

static void add_cameras(walk *w, const struct aiNode *node, const affine *turn, uint32_t index)
{
    const struct aiScene *s = w->f->scene;
    for (unsigned i = 0; i < s->mNumCameras && i < 1000; i++) {
        if (strcmp(s->mCameras[i]->mName.data, node->mName.data) == 0) add_camera(w->f, s->mCameras[i], turn, index);
    }
}

/* ---- the tree ---- */

/* The file's name without folder and extension: for roots that the loader named itself. */
static void stem_of(const char *name, char to[128])
{
    const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name, *dot = strrchr(last, '.');
    snprintf(to, 128, "%.*s", dot && dot > last ? (int)(dot - last) : (int)strlen(last), last);
}

static void foreign_node_name(const foreign *f, const struct aiNode *node, char to[256])
{
    bool is_root = !node->mParent && strcmp(node->mName.data, "ROOT") == 0;
    bool own = node->mName.length && node->mName.data[0] != '<';
    if (own && !is_root && strcmp(node->mName.data, f->name) != 0) {
        snprintf(to, 256, "%s", node->mName.data);
    } else if (!node->mParent) {
        stem_of(f->name, to);
    } else if (node->mNumMeshes && node->mMeshes[0] < f->scene->mNumMeshes) {
        snprintf(to, 256, "%s", f->scene->mMeshes[node->mMeshes[0]]->mName.data);
    } else {
        to[0] = 0;
    }
    if (!to[0] && node->mNumMeshes) stem_of(f->name, to);
}

static bool walk_push(walk *w, const struct aiNode *node, uint32_t parent, unsigned depth, const affine *turn,
                      const affine *world)
{
    if (w->top == w->room) {
        size_t room = w->room ? 2 * w->room : 256;
        void *grown = realloc(w->stack, room * sizeof *w->stack);
        if (!grown) return false;
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

static etna_code walk_visit(walk *w, const struct aiNode *node, uint32_t parent, unsigned depth,
                            const affine *parent_turn, const affine *above, etna_error *err)
{
    char name[256];
    double columns[16];
    uint32_t mesh = GLB_NONE;
    foreign_node_name(w->f, node, name);
    if (depth > DEPTH_MAX || ++w->nodes > SCENE_NODES_MAX) {
        return etna_fail(err, ETNA_E_LIMIT, "its nodes are more than %d, or nest deeper than %d", SCENE_NODES_MAX,
                         DEPTH_MAX);
    }
    affine root = node->mParent ? affine_identity() : root_transform(w->f),
           own = foreign_affine(&node->mTransformation);
    affine straight = node->mParent ? affine_turned(&w->f->turn, own, &w->f->turn) : root;
    affine world = affine_mul(above, &straight), turn = w->f->turn;
    bool tipped = node->mParent && w->f->is_fbx && is_tipped(&world);
    if (tipped) turn = affine_mul(&z_up, &turn);
    affine local = node->mParent ? affine_turned(parent_turn, own, &turn) : root;
    to_columns(&local, columns);
    etna_code code = node_mesh(w, node, name, &turn, tipped, &mesh, err);
    uint32_t index = glb_node(w->f->out, parent, name, columns, mesh);
    add_cameras(w, node, &turn, index);
    for (unsigned i = node->mNumChildren; code == ETNA_OK && i > 0; i--) { /* the first child is visited first */
        if (!walk_push(w, node->mChildren[i - 1], index, depth + 1, &turn, &world))
            code = etna_fail(err, ETNA_E_NOMEM, "no memory for its nodes");
    }
    return code;
}

etna_code foreign_nodes(foreign *f, etna_error *err)
{
    walk w = {.f = f, .meshes = calloc((size_t)f->scene->mNumMeshes + 1, sizeof *w.meshes)};
    const affine none = affine_identity();
    etna_code code = w.meshes && walk_push(&w, f->scene->mRootNode, GLB_NONE, 0, &none, &none)
                         ? ETNA_OK
                         : etna_fail(err, ETNA_E_NOMEM, "no memory for its nodes");
    while (code == ETNA_OK && w.top > 0) {
        w.top--;
        affine turn = w.stack[w.top].turn, world = w.stack[w.top].world; /* the stack may move */
        code = walk_visit(&w, w.stack[w.top].node, w.stack[w.top].parent, w.stack[w.top].depth, &turn, &world, err);
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

/* Every mesh with where the tree places it, by Assimp's order. */
static etna_code foreign_flatten(foreign *f, placed **ret, size_t *ret_count, etna_error *err)
{
    struct entry {
        const struct aiNode *node;
        affine place;
    } *stack = malloc(sizeof *stack);
    size_t top = 0, room = 1, count = 0, list_room = 0;
    placed *list = NULL;
    etna_code code = stack ? ETNA_OK : ETNA_E_NOMEM;
    if (stack)
        stack[top++] = (struct entry){f->scene->mRootNode, foreign_affine(&f->scene->mRootNode->mTransformation)};
    while (code == ETNA_OK && top > 0) {
        struct entry at = stack[--top];
        size_t wanted = top + at.node->mNumChildren, listed = count + at.node->mNumMeshes;
        if (listed > list_room) {
            void *grown = realloc(list, (list_room = listed * 2) * sizeof *list);
            if (!grown)
                code = ETNA_E_NOMEM;
            else
                list = grown;
        }
        if (code == ETNA_OK && wanted > room) {
            void *grown = realloc(stack, (room = wanted * 2) * sizeof *stack);
            if (!grown)
                code = ETNA_E_NOMEM;
            else
                stack = grown;
        }
        for (unsigned i = 0; code == ETNA_OK && i < at.node->mNumMeshes; i++) {
            if (at.node->mMeshes[i] >= f->scene->mNumMeshes) continue;
            const struct aiMesh *m = f->scene->mMeshes[at.node->mMeshes[i]];
            if (has_triangles(m))
                list[count++] = (placed){m, at.place};
            else
                f->ignored++;
        }
        for (unsigned i = at.node->mNumChildren; code == ETNA_OK && i > 0; i--) {
            affine local = foreign_affine(&at.node->mChildren[i - 1]->mTransformation);
            stack[top++] = (struct entry){at.node->mChildren[i - 1], affine_mul(&at.place, &local)};
        }
    }
    free(stack);
    if (code != ETNA_OK) {
        free(list);
        return etna_fail(err, code, "no memory for its nodes");
    }
    *ret = list;
    *ret_count = count;
    return ETNA_OK;
}

static void bounds_of(const placed *list, size_t count, const affine *turn, vec3 *ret_min, vec3 *ret_max)
{
    bool first = true;
    for (size_t i = 0; i < count; i++) {
        affine place = affine_mul(turn, &list[i].place);
        for (unsigned k = 0; k < list[i].mesh->mNumVertices; k++) {
            const struct aiVector3D *v = &list[i].mesh->mVertices[k];
            vec3 p = affine_point(&place, v3((double)v->x, (double)v->y, (double)v->z));
            if (!v3_finite(p)) continue;
            *ret_min = first ? p : v3_min(*ret_min, p);
            *ret_max = first ? p : v3_max(*ret_max, p);
            first = false;
        }
    }
}

/* Turned as the catalogue says, then stretched to its width, height and depth, its foot at the origin. */
static affine library_place(const catalogue_model *model, const placed *list, size_t count)
{
    affine turn = affine_identity();
    vec3 low = v3(0, 0, 0), high = v3(0, 0, 0);
    double scale[3];
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) turn.m[r][c] = model->rotation[3 * r + c];
    }
    bounds_of(list, count, &turn, &low, &high);
    for (int k = 0; k < 3; k++) {
        double extent = v3_get(high, k) - v3_get(low, k);
        scale[k] = model->size[k] > 0 && extent > 1e-9 ? model->size[k] / extent : 0;
    }
    for (int k = 0; k < 3; k++) { /* a flat side, or one that is unsaid, takes another's scale */
        if (scale[k] != 0) continue;
        double next = scale[(k + 1) % 3], last = scale[(k + 2) % 3];
        scale[k] = last > 0 ? last : 0.01;
        if (next > 0) scale[k] = next;
    }
    affine fit = {{{scale[0], 0, 0}, {0, scale[1], 0}, {0, 0, scale[2]}},
                  {-scale[0] * (low.x + high.x) / 2, -scale[1] * low.y, -scale[2] * (low.z + high.z) / 2}};
    return affine_mul(&fit, &turn);
}

etna_code foreign_object(foreign *f, etna_error *err)
{
    const catalogue_model *model = f->options->model;
    const char *name = model->name[0] ? model->name : model->id;
    placed *list = NULL;
    size_t count = 0;
    etna_code code = foreign_flatten(f, &list, &count, err);
    if (code != ETNA_OK) return code;
    affine place = library_place(model, list, count);
    uint32_t mesh = count ? glb_mesh(f->out, name) : GLB_NONE;
    for (size_t i = 0; code == ETNA_OK && i < count; i++) {
        affine whole = affine_mul(&place, &list[i].place);
        code = foreign_primitive(f, list[i].mesh, &whole, mesh, err);
    }
    /* the makers of these libraries turn every model so that it faces +Z, its back to the wall behind it */
    if (count) glb_tell(f->out, glb_node(f->out, GLB_NONE, name, NULL, mesh), "+Z", false);
    glb_say(f->out, false, "Model %u of the library: \"%.100s\", %.60s, %g x %g x %g m (width, depth, height).",
            model->index, name, model->category, model->size[0], model->size[2], model->size[1]);
    free(list);
    return code;
}
