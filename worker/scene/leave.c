/* Which nodes of the file are an object, so that it can leave the scene, and
 * where a new one's node stands. */
#include "proto/array.h"
#include "worker/scene/scene_internal.h"

#include <stdlib.h>

/* The nodes that move with the object, each once. */
static etna_code nodes_collect(const scene *s,
                               uint32_t object,
                               uint32_t *nodes,
                               uint32_t *ret_count,
                               etna_error *err)
{
    const scene_object *o = &s->objects[object];
    const struct scene_private *own = s->own;
    *ret_count = 0;
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++) {
        const scene_base *base = &own->bases[own->sources[p].base];
        if (base->instance != SCENE_NONE) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "\"%.100s\" is one of the instances of a single node, and cannot leave alone",
                o->name);
        }
        if (base->split) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "\"%.100s\" is a piece of a larger mesh, and cannot leave alone",
                o->name);
        }
        if (!number_is_of(base->node, nodes, *ret_count))
            nodes[(*ret_count)++] = base->node;
    }
    return ETNA_OK;
}

/* Nothing of another object may be below them. */
static etna_code nodes_check(const scene *s,
                             uint32_t object,
                             const uint32_t *nodes,
                             uint32_t count,
                             etna_error *err)
{
    const struct scene_private *own = s->own;
    for (uint32_t p = 0; p < s->part_count; p++) {
        if (s->parts[p].object == object ||
            s->parts[p].object >= s->object_count)
            continue;
        for (uint32_t node = s->parts[p].node; node != GLTF_NONE;
             node = own->nodes[node].parent) {
            if (!number_is_of(node, nodes, count))
                continue;
            return etna_fail(
                err, ETNA_E_INPUT,
                "\"%.100s\" cannot leave alone: \"%.100s\" hangs below its node",
                s->objects[object].name, s->objects[s->parts[p].object].name);
        }
    }
    return ETNA_OK;
}

etna_code scene_nodes_of(const scene *s,
                         uint32_t object,
                         uint32_t **ret,
                         uint32_t *ret_count,
                         etna_error *err)
{
    uint32_t count = 0;
    uint32_t *nodes =
        malloc((s->objects[object].part_count + 1u) * sizeof *nodes);
    if (!nodes)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for an object's nodes");
    etna_code code = nodes_collect(s, object, nodes, &count, err);
    if (code == ETNA_OK)
        code = nodes_check(s, object, nodes, count, err);
    if (code != ETNA_OK) {
        free(nodes);
        return code;
    }
    *ret = nodes;
    *ret_count = count;
    return ETNA_OK;
}

/* Column-major, as glTF writes matrices. */
static void matrix_of(const affine *a, double ret[16])
{
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++)
            ret[4 * column + row] = a->m[row][column];
        ret[4 * column + 3] = 0;
        ret[12 + column] = v3_get(a->t, column);
    }
    ret[15] = 1;
}

void scene_node_at(const scene *s,
                   uint32_t object,
                   const arrange_pose *pose,
                   double ret[16])
{
    const scene_object *o = &s->objects[object];
    affine motion = scene_motion(o, pose);
    affine world =
        affine_mul(&s->own->file_to_world, &s->own->nodes[o->node].world);
    affine moved = affine_mul(&motion, &world);
    affine local = affine_mul(&s->own->world_to_file, &moved);
    matrix_of(&local, ret);
}

/* glTF's Y-up model is set upright (+Y becomes +Z, +Z the front -Y), turned and
 * moved. */
void scene_placement(const scene *s, vec3 at, double yaw, double ret[16])
{
    const affine upright = {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}, {0, 0, 0}};
    affine turned = affine_yaw_about(v3(0, 0, 0), yaw, at);
    affine world = affine_mul(&turned, &upright);
    affine local = affine_mul(&s->own->world_to_file, &world);
    matrix_of(&local, ret);
}
