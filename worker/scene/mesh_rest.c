/* Morph weights and skins as the file stands at rest, so that what is read is
 * what is seen. */
#include "worker/scene/mesh_internal.h"

#include <stdlib.h>

/* ---- morphs and skins ---- */

/* The node's own rule over the mesh's. */
static const json_t *weights_of(const importer *m, uint32_t node)
{
    const json_t *own =
        json_object_get(json_array_get(m->doc.nodes, node), "weights");
    return own ? own
               : json_object_get(
                     json_array_get(m->doc.meshes, m->own->nodes[node].mesh),
                     "weights");
}

/* In double and rounded once a target, so the order of targets is the only
 * order there is. */
etna_code draft_apply_morphs(importer *m,
                             const json_t *primitive,
                             uint32_t node,
                             const char *where,
                             draft *d,
                             etna_error *err)
{
    const json_t *targets = json_object_get(primitive, "targets");
    const json_t *weights = weights_of(m, node);
    etna_code code = ETNA_OK;
    for (size_t t = 0; code == ETNA_OK && t < json_array_size(targets); t++) {
        double weight = json_number_value(json_array_get(weights, t));
        const float *delta = NULL;
        float *own = NULL;
        if (weight == 0 || !(fabs(weight) < 1e6)) {
            continue;
        }
        code = draft_attribute(m, json_array_get(targets, t), "POSITION", 3, d,
                               where, &delta, &own, NULL, err);
        if (delta && !draft_own_position(d)) {
            code = etna_fail(err, ETNA_E_NOMEM, "%s: no memory for %u vertices",
                             where, d->count);
        }
        for (size_t i = 0; code == ETNA_OK && delta && i < (size_t)d->count * 3;
             i++) {
            d->own.position[i] =
                (float)((double)d->position[i] + weight * (double)delta[i]);
        }
        free(own);
    }
    return code;
}

/* four of four; NULL: the identity */
static affine bind_matrix(const float *columns)
{
    affine a = affine_identity();
    if (!columns)
        return a;
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++)
            a.m[row][column] = (double)columns[4 * column + row];
    }
    a.t = v3((double)columns[12], (double)columns[13], (double)columns[14]);
    return a;
}

/* Each joint's matrix from the bind pose to where the file stands, back in the
 * skinned node's frame: glTF ignores that node's own transform. */
static etna_code skin_pose(const importer *m,
                           const json_t *joints,
                           const float *bind,
                           const affine *back,
                           const char *where,
                           affine *out,
                           etna_error *err)
{
    for (size_t j = 0; j < json_array_size(joints); j++) {
        const json_t *value = json_array_get(joints, j);
        json_int_t joint = json_integer_value(value);
        if (!json_is_integer(value) || joint < 0 ||
            joint >= (json_int_t)m->own->node_count)
            return etna_fail(err, ETNA_E_INPUT,
                             "%s: joint %zu is not one of the %u nodes", where,
                             j, m->own->node_count);
        affine inverse = bind_matrix(bind ? bind + 16 * j : NULL);
        affine posed = affine_mul(&m->own->nodes[joint].world, &inverse);
        out[j] = affine_mul(back, &posed);
    }
    return ETNA_OK;
}

/* Joint matrices relative to the skinned node, malloc'd; NULL with ETNA_OK when
 * the skin cannot be posed (a warning). */
static etna_code skin_matrices(importer *m,
                               uint32_t node,
                               affine **ret,
                               uint32_t *ret_count,
                               etna_error *err)
{
    const json_t *skin = json_array_get(m->doc.skins, m->own->nodes[node].skin);
    const json_t *joints = json_object_get(skin, "joints");
    uint32_t count = (uint32_t)json_array_size(joints);
    uint32_t accessor;
    uint32_t have = count;
    float *bind = NULL;
    affine back;
    char where[32];
    snprintf(where, sizeof where, "skin %u", m->own->nodes[node].skin);
    *ret = NULL;
    etna_code code = gltf_index(skin, "inverseBindMatrices",
                                m->doc.accessor_count, where, &accessor, err);
    if (code != ETNA_OK || count == 0 ||
        !affine_inverse(&m->own->nodes[node].world, &back))
        return code;
    if (accessor != GLTF_NONE)
        code = gltf_read_floats(&m->doc, accessor, 16, &bind, &have, err);
    if (code != ETNA_OK)
        return etna_error_prefix(err, "%s", where);
    affine *out = NULL;
    if (have < count)
        code = etna_fail(err, ETNA_E_INPUT,
                         "%s has %u joints and %u inverse bind matrices", where,
                         count, have);
    else if (!(out = malloc(count * sizeof *out)))
        code = etna_fail(err, ETNA_E_NOMEM, "%s: no memory for %u joints",
                         where, count);
    else
        code = skin_pose(m, joints, bind, &back, where, out, err);
    free(bind);
    if (code != ETNA_OK) {
        free(out);
        return code;
    }
    *ret = out;
    *ret_count = count;
    return ETNA_OK;
}

/* Weights that don't add up to 1 are scaled; a vertex without any stays. */
static void skin_vertex(float *position,
                        const affine *matrices,
                        uint32_t count,
                        const uint32_t *joint,
                        const float *weight)
{
    vec3 p = v3((double)position[0], (double)position[1], (double)position[2]);
    vec3 sum = v3(0, 0, 0);
    double total = 0;
    for (int k = 0; k < 4; k++) {
        if (weight[k] > 0 && joint[k] < count) {
            sum = v3_add_scaled(sum, affine_point(&matrices[joint[k]], p),
                                (double)weight[k]);
            total += (double)weight[k];
        }
    }
    if (total > 1e-6 && v3_finite(sum)) {
        position[0] = (float)(sum.x / total);
        position[1] = (float)(sum.y / total);
        position[2] = (float)(sum.z / total);
    }
}

typedef struct skin_data { /* all zero is empty */
    uint32_t *joints, matrix_count;
    const float *weights;
    float *own; /* the weights, where they are not the file's */
    affine *matrices;
} skin_data;

/* Of a primitive's skin what its vertices need. It may have no matrices or
 * weights. */
static etna_code skin_read(importer *m,
                           const json_t *attributes,
                           uint32_t joints_at,
                           uint32_t node,
                           const char *where,
                           const draft *d,
                           skin_data *ret,
                           etna_error *err)
{
    uint32_t have = 0;
    etna_code code = draft_attribute(m, attributes, "WEIGHTS_0", 4, d, where,
                                     &ret->weights, &ret->own, NULL, err);
    if (code == ETNA_OK)
        code =
            gltf_read_unsigned(&m->doc, joints_at, 4, &ret->joints, &have, err);
    if (code == ETNA_OK)
        code = skin_matrices(m, node, &ret->matrices, &ret->matrix_count, err);
    if (code == ETNA_OK && have != d->count)
        code = etna_fail(err, ETNA_E_INPUT,
                         "%s: JOINTS_0 has %u elements, POSITION has %u", where,
                         have, d->count);
    return code;
}

static etna_code skin_apply(const skin_data *skin,
                            const char *where,
                            draft *d,
                            etna_error *err)
{
    if (!skin->matrices || !skin->weights)
        return ETNA_OK;
    if (!draft_own_position(d))
        return etna_fail(err, ETNA_E_NOMEM, "%s: no memory for %u vertices",
                         where, d->count);
    for (size_t i = 0; i < d->count; i++)
        skin_vertex(d->own.position + 3 * i, skin->matrices, skin->matrix_count,
                    skin->joints + 4 * i, skin->weights + 4 * i);
    return ETNA_OK;
}

etna_code draft_apply_skin(importer *m,
                           const json_t *primitive,
                           uint32_t node,
                           const char *where,
                           draft *d,
                           etna_error *err)
{
    const json_t *attributes = json_object_get(primitive, "attributes");
    uint32_t joints_at;
    skin_data skin = {0};
    if (m->own->nodes[node].skin == GLTF_NONE)
        return ETNA_OK;
    etna_code code = gltf_index(attributes, "JOINTS_0", m->doc.accessor_count,
                                where, &joints_at, err);
    if (code != ETNA_OK || joints_at == GLTF_NONE)
        return code;
    code = skin_read(m, attributes, joints_at, node, where, d, &skin, err);
    if (code == ETNA_OK)
        code = skin_apply(&skin, where, d, err);
    free(skin.own);
    free(skin.joints);
    free(skin.matrices);
    return code;
}
