/* A move in the world is E = file_to_world^-1 M file_to_world in the file's
 * frame. The object's node gets world transform E W, so its local transform
 * becomes (parent's new world)^-1 E W, whatever the parents' scales and mirrors
 * are. Objects below a moved node that did not move themselves get a new local
 * transform that keeps them where they were. */
#include "worker/scene/solve_nodes.h"

#include <stdlib.h>
#include <string.h>

void changes_free(changes *c)
{
    free(c->nodes);
    free(c->instances);
    free(c->pieces);
    *c = (changes){0};
}

/* Columns of length 1 at right angles, to 1e-6; false with a NaN. */
static bool is_orthonormal(const double m[3][3])
{
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            double dot =
                m[0][i] * m[0][j] + m[1][i] * m[1][j] + m[2][i] * m[2][j];
            if (!(fabs(dot - (i == j)) <= 1e-6)) {
                return false;
            }
        }
    }
    return true;
}

/* The unit quaternion (x, y, z, w) of a rotation matrix; false when m is no
 * proper rotation within 1e-6. */
static bool quaternion_of(const double m[3][3], double q[4])
{
    if (!is_orthonormal(m))
        return false;
    affine a = {{{m[0][0], m[0][1], m[0][2]},
                 {m[1][0], m[1][1], m[1][2]},
                 {m[2][0], m[2][1], m[2][2]}},
                {0, 0, 0}};
    if (affine_det(&a) < 0) {
        return false;
    }
    /* The largest of the four squares is taken by its root, the others by
     * division: no cancellation. */
    double squares[4] = {
        1 + m[0][0] - m[1][1] - m[2][2], 1 - m[0][0] + m[1][1] - m[2][2],
        1 - m[0][0] - m[1][1] + m[2][2], 1 + m[0][0] + m[1][1] + m[2][2]};
    double sums[3] = {m[1][2] + m[2][1], m[0][2] + m[2][0], m[0][1] + m[1][0]};
    double differences[3] = {m[2][1] - m[1][2], m[0][2] - m[2][0],
                             m[1][0] - m[0][1]};
    int most = 3;
    for (int i = 0; i < 3; i++) {
        most = squares[i] > squares[most] ? i : most;
    }
    double root = sqrt(squares[most]);
    double half = 0.5 / root;
    q[most] = root / 2;
    for (int i = 0; i < 3; i++) {
        if (most == 3) {
            q[i] = differences[i] * half;
        } else if (i != most) {
            q[i] = sums[3 - i - most] * half;
        }
    }
    if (most != 3) {
        q[3] = differences[most] * half;
    }
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) {
        q[i] /= length;
    }
    return true;
}

/* By bytes: what was computed the same way is the same. */
static bool same_affine(const affine *a, const affine *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* The greatest change of an entry of the linear part, in units of its column's
 * scale. */
static double linear_difference(const scene_node *node, const affine *local)
{
    double difference = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double d = fabs(local->m[i][j] - node->local.m[i][j]);
            difference = d > difference * fabs(node->scale[j])
                             ? d / fabs(node->scale[j])
                             : difference;
        }
    }
    return difference;
}

/* How a node of translation, rotation and scale takes the new local transform:
 * by translation and rotation when its scale still fits, else by a matrix.
 * Members that stay the same are not written. */
static void node_change_express(const scene_node *node, node_change *change)
{
    const affine *local = &change->local;
    double turned[3][3], q[4];
    change->set_matrix = true;
    if (node->has_matrix) {
        return;
    }
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            turned[i][j] = local->m[i][j] / node->scale[j];
        }
    }
    if (!quaternion_of((const double(*)[3])turned, q)) {
        return;
    }
    change->set_matrix = false;
    double reach = 0;
    double *t = change->translation;
    for (int i = 0; i < 3; i++) {
        t[i] = v3_get(local->t, i);
        double d = fabs(t[i] - node->translation[i]);
        reach = math_max(d, reach);
    }
    if (linear_difference(node, local) > 1e-13) {
        double sign = q[0] * node->rotation[0] + q[1] * node->rotation[1] +
                      q[2] * node->rotation[2] + q[3] * node->rotation[3];
        for (int i = 0; i < 4; i++) {
            /* the nearer of the two that mean the same */
            change->rotation[i] = sign < 0 ? -q[i] : q[i];
        }
        change->set_rotation = true;
    }
    change->set_translation = reach > 0;
}

typedef struct solving {
    const scene *s;
    const snapshot *snap;
    uint32_t *object_of; /* of each node: the object it moves + 1, or 0 */
    /* instanced nodes and those that are split: they stay where they are */
    bool *pinned;
    affine *world; /* new */
    changes *out;
} solving;

static affine file_motion(const solving *v, uint32_t object)
{
    affine motion =
        scene_motion(&v->s->objects[object], &v->snap->poses[object]);
    affine right = affine_mul(&motion, &v->s->own->file_to_world);
    return affine_mul(&v->s->own->world_to_file, &right);
}

/* The world transform a node must have, when something says so. */
static bool wanted_world(const solving *v, uint32_t index, affine *ret)
{
    const scene_node *node = &v->s->own->nodes[index];
    uint32_t object = v->object_of[index];
    if (object && v->snap->moved[object - 1]) {
        affine motion = file_motion(v, object - 1);
        *ret = affine_mul(&motion, &node->world);
        return true;
    }
    bool parent_moved = node->parent != GLTF_NONE &&
                        !same_affine(&v->world[node->parent],
                                     &v->s->own->nodes[node->parent].world);
    *ret = node->world;
    return parent_moved && (object || v->pinned[index]);
}

/* A node that nothing asks anything of follows its parent. */
static etna_code solve_node(solving *v, uint32_t index, etna_error *err)
{
    const scene_node *node = &v->s->own->nodes[index];
    affine wanted, back;
    if (!wanted_world(v, index, &wanted)) {
        bool moved = node->parent != GLTF_NONE &&
                     !same_affine(&v->world[node->parent],
                                  &v->s->own->nodes[node->parent].world);
        v->world[index] =
            moved ? affine_mul(&v->world[node->parent], &node->local)
                  : node->world;
        return ETNA_OK;
    }
    node_change change = {.node = index, .local = wanted};
    if (node->parent != GLTF_NONE) {
        if (!affine_inverse(&v->world[node->parent], &back)) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "node %u (\"%.60s\") cannot be moved: a node above it has no size",
                index, node->name);
        }
        change.local = affine_mul(&back, &wanted);
    }
    if (node->animated) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "node %u (\"%.60s\") cannot be moved: an animation drives it",
            index, node->name);
    }
    node_change_express(node, &change);
    v->world[index] = wanted;
    if (change.set_matrix || change.set_translation || change.set_rotation) {
        v->out->nodes[v->out->node_count++] = change;
    }
    return ETNA_OK;
}

/* An instance moves within its node, so the motion is expressed in the node's
 * frame; a node that is scaled unevenly would shear it. */
static etna_code solve_instance(solving *v,
                                uint32_t object,
                                const scene_base *base,
                                etna_error *err)
{
    const scene_object *o = &v->s->objects[object];
    const affine *world = &v->s->own->nodes[base->node].world;
    instance_change change = {.node = base->node, .instance = base->instance};
    affine back;
    affine motion = file_motion(v, object);
    motion = affine_mul(&motion, world);
    if (!affine_inverse(world, &back)) {
        return etna_fail(err, ETNA_E_INPUT,
                         "\"%.100s\" cannot be moved: its node has no size",
                         o->name);
    }
    change.motion = affine_mul(&back, &motion);
    if (!quaternion_of((const double(*)[3])change.motion.m, change.rotation)) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "\"%.100s\" cannot be turned: its instancing node is scaled unevenly",
            o->name);
    }
    v->out->instances[v->out->instance_count++] = change;
    return ETNA_OK;
}

/* Goes the part on from the last piece: the next one of its object, cut from
 * the same node, and from a primitive behind the last one's? */
static bool piece_goes_on(const struct scene_private *own,
                          const piece_change *last,
                          uint32_t object,
                          uint32_t node,
                          uint32_t part)
{
    if (!last || last->object != object || last->node != node)
        return false;
    if (last->first_part + last->part_count != part)
        return false;
    const scene_source *one = &own->sources[part];
    const scene_source *before = &own->sources[part - 1];
    return one->base == before->base && one->part > before->part;
}

/* An object's pieces, moved or not: once one has a node of its own, the file
 * says best by nodes which the others are. Each run of its parts that are cut
 * from one node, each from another of its primitives. */
static void solve_pieces(solving *v, uint32_t object)
{
    const scene_object *o = &v->s->objects[object];
    const struct scene_private *own = v->s->own;
    affine motion = file_motion(v, object);
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++) {
        uint32_t node = v->s->parts[p].node;
        piece_change *last = v->out->piece_count
                                 ? &v->out->pieces[v->out->piece_count - 1]
                                 : NULL;
        bool stays = own->sources[p].rest && !v->snap->moved[object];
        if (!own->bases[own->sources[p].base].split || stays) {
            continue;
        }
        if (piece_goes_on(own, last, object, node, p)) {
            last->part_count++;
            continue;
        }
        piece_change change = {
            .object = object, .node = node, .first_part = p, .part_count = 1};
        change.world = affine_mul(&motion, &own->nodes[node].world);
        v->out->pieces[v->out->piece_count++] = change;
    }
}

/* Which node moves with which object; instances are solved at once. */
static etna_code solving_assign(solving *v, uint32_t object, etna_error *err)
{
    const scene_object *o = &v->s->objects[object];
    const struct scene_private *own = v->s->own;
    bool moved = v->snap->moved[object];
    if (moved && o->immovable) {
        return etna_fail(err, ETNA_E_INPUT, "\"%.100s\" cannot be moved: %s",
                         o->name, o->why);
    }
    uint32_t last = SCENE_NONE;
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++) {
        uint32_t index = own->sources[p].base;
        const scene_base *base = &own->bases[index];
        if (index == last) {
            continue;
        }
        last = index;
        if (base->instance == SCENE_NONE && !base->split) {
            v->object_of[base->node] = object + 1;
            continue;
        }
        v->pinned[base->node] = true;
        etna_code code = moved && !base->split
                             ? solve_instance(v, object, base, err)
                             : ETNA_OK;
        if (code != ETNA_OK) {
            return code;
        }
    }
    return ETNA_OK;
}

/* Parents before children: a node's change is in the frame of what its parent
 * becomes. */
static etna_code solving_run(solving *v, etna_error *err)
{
    const struct scene_private *own = v->s->own;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < v->s->object_count; i++) {
        code = solving_assign(v, i, err);
    }
    for (uint32_t i = 0; code == ETNA_OK && i < own->order_count; i++) {
        code = solve_node(v, own->order[i], err);
    }
    if (code != ETNA_OK)
        return code;
    bool any_moved = memchr(v->snap->moved, true, v->s->object_count) != NULL;
    for (uint32_t i = 0; any_moved && i < v->s->object_count; i++) {
        if (v->snap->moved[i] || !v->s->objects[i].immovable)
            solve_pieces(v, i);
    }
    return ETNA_OK;
}

etna_code changes_solve(const scene *s,
                        const snapshot *snap,
                        changes *ret,
                        etna_error *err)
{
    const struct scene_private *own = s->own;
    size_t n = (size_t)own->node_count + 1;
    changes out = {
        .nodes = malloc(n * sizeof *out.nodes),
        .instances =
            malloc(((size_t)own->base_count + 1) * sizeof *out.instances),
        .pieces = malloc(((size_t)s->part_count + 1) * sizeof *out.pieces)};
    solving v = {.s = s, .snap = snap, .out = &out};
    v.object_of = calloc(n, sizeof *v.object_of);
    v.pinned = calloc(n, sizeof *v.pinned);
    v.world = malloc(n * sizeof *v.world);
    bool has_changes = out.nodes && out.instances && out.pieces;
    bool has_nodes = v.object_of && v.pinned && v.world;
    etna_code code = has_changes && has_nodes
                         ? solving_run(&v, err)
                         : etna_fail(err, ETNA_E_NOMEM,
                                     "no memory for %u nodes", own->node_count);
    free(v.object_of);
    free(v.pinned);
    free(v.world);
    if (code != ETNA_OK) {
        changes_free(&out);
        return code;
    }
    *ret = out;
    return ETNA_OK;
}
