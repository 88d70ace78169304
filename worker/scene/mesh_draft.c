/* A primitive as the file has it: triangles out of lists, strips and fans,
 * attributes dequantized and counted. */
#include "worker/scene/mesh_internal.h"

#include <stdlib.h>
#include <string.h>

void draft_free(draft *d)
{
    free(d->own.position);
    free(d->own.normal);
    free(d->own.uv);
    free(d->own.colour);
    free(d->own.index);
}

/* What is borrowed becomes a copy that may be written; what is owned already
 * stays. */
static bool own_array(const void *values, void **own, size_t size)
{
    if (!values || *own) {
        return true;
    }
    *own = malloc(size + 1);
    if (*own) {
        memcpy(*own, values, size);
    }
    return *own != NULL;
}

static bool own_floats(const float **values, float **own, size_t count)
{
    void *copy = *own;
    if (!own_array(*values, &copy, count * sizeof **own)) {
        return false;
    }
    *values = *own = copy;
    return true;
}

bool draft_own_position(draft *d)
{
    return own_floats(&d->position, &d->own.position, 3 * (size_t)d->count);
}

/* On failure some arrays are copied and some borrowed; draft_free takes
 * both. */
bool draft_own_all(draft *d)
{
    const size_t n = d->count;
    void *index = d->own.index;
    if (!draft_own_position(d) ||
        !own_floats(&d->normal, &d->own.normal, 3 * n) ||
        !own_floats(&d->uv, &d->own.uv, 2 * n) ||
        !own_floats(&d->colour, &d->own.colour, 4 * n) ||
        !own_array(d->index, &index,
                   (size_t)d->triangles * 3 * sizeof *d->index)) {
        return false;
    }
    d->index = d->own.index = index;
    return true;
}

/* ---- reading ---- */

/* `components` 0: any number of them, told in *ret_components. An attribute
 * that is not there leaves *ret as it is. */
etna_code draft_attribute(importer *m,
                          const json_t *attributes,
                          const char *key,
                          uint32_t components,
                          const draft *d,
                          const char *where,
                          const float **ret,
                          float **ret_own,
                          uint32_t *ret_components,
                          etna_error *err)
{
    uint32_t accessor, count;
    gltf_accessor a;
    etna_code code = gltf_index(attributes, key, m->doc.accessor_count, where,
                                &accessor, err);
    if (code != ETNA_OK || accessor == GLTF_NONE) {
        return code;
    }
    if ((code = gltf_accessor_open(&m->doc, accessor, &a, err)) == ETNA_OK) {
        code = gltf_borrow_floats(&m->doc, accessor, components, ret, ret_own,
                                  &count, err);
    }
    if (code != ETNA_OK) {
        return etna_error_prefix(err, "%s: %s", where, key);
    }
    if (d->position && count != d->count) {
        free(*ret_own);
        *ret = *ret_own = NULL;
        return etna_fail(err, ETNA_E_INPUT,
                         "%s: %s has %u elements, POSITION has %u", where, key,
                         count, d->count);
    }
    if (ret_components) {
        *ret_components = a.components;
    }
    return ETNA_OK;
}

etna_code draft_read_position(importer *m,
                              const json_t *primitive,
                              const char *where,
                              draft *d,
                              etna_error *err)
{
    const json_t *attributes = json_object_get(primitive, "attributes");
    uint32_t accessor;
    etna_code code = gltf_index(attributes, "POSITION", m->doc.accessor_count,
                                where, &accessor, err);
    if (code != ETNA_OK || accessor == GLTF_NONE) {
        return code;
    }
    if (gltf_draco_only(&m->doc, primitive) &&
        !gltf_decoded(&m->doc, GLTF_ACCESSOR, accessor)) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s is compressed by KHR_draco_mesh_compression and could not be decoded; decompress the "
            "file first: gltf-transform copy IN.glb OUT.glb",
            where);
    }
    code = gltf_borrow_floats(&m->doc, accessor, 3, &d->position,
                              &d->own.position, &d->count, err);
    return code == ETNA_OK ? ETNA_OK
                           : etna_error_prefix(err, "%s: POSITION", where);
}

/* The primitive's indices, of `count` as it comes in where it has none: *ret
 * NULL. */
static etna_code triangles_list(const gltf_doc *doc,
                                const json_t *primitive,
                                uint32_t vertices,
                                const char *where,
                                const uint32_t **ret,
                                uint32_t **ret_own,
                                uint32_t *count,
                                etna_error *err)
{
    uint32_t accessor;
    etna_code code = gltf_index(primitive, "indices", doc->accessor_count,
                                where, &accessor, err);
    if (code != ETNA_OK || accessor == GLTF_NONE)
        return code;
    code = gltf_borrow_unsigned(doc, accessor, 1, ret, ret_own, count, err);
    if (code != ETNA_OK)
        return etna_error_prefix(err, "%s: indices", where);
    for (uint32_t i = 0; i < *count; i++) {
        uint32_t vertex = (*ret)[i];
        if (vertex < vertices)
            continue;
        free(*ret_own);
        return etna_fail(err, ETNA_E_INPUT,
                         "%s: index %u names vertex %u, but there are %u",
                         where, i, vertex, vertices);
    }
    return ETNA_OK;
}

/* Which of the primitive's vertices a triangle has: a list (mode 4), strip (5)
 * or fan (6). */
static inline void triangle_corners(uint32_t mode,
                                    uint32_t triangle,
                                    uint32_t ret[3])
{
    if (mode == 4) {
        for (uint32_t k = 0; k < 3; k++)
            ret[k] = 3 * triangle + k;
    } else if (mode == 6) {
        ret[0] = triangle + 1;
        ret[1] = triangle + 2;
        ret[2] = 0;
    } else {
        ret[0] = triangle;
        ret[1] = triangle + 1 + triangle % 2;
        ret[2] = triangle + 2 - triangle % 2;
    }
}

/* Writes the corners of each triangle and returns how many are faces: a strip's
 * joint is none. `list` NULL: the vertices in their order. */
static uint32_t triangles_expand(uint32_t mode,
                                 const uint32_t *list,
                                 uint32_t triangles,
                                 uint32_t *index)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < triangles; i++) {
        uint32_t corner[3];
        triangle_corners(mode, i, corner);
        uint32_t *t = index + 3 * (size_t)used;
        for (int k = 0; k < 3; k++)
            t[k] = list ? list[corner[k]] : corner[k];
        bool is_joint = t[0] == t[1] || t[1] == t[2] || t[0] == t[2];
        if (mode == 4 || !is_joint)
            used++;
    }
    return used;
}

/* Triangles from the index list (or 0, 1, 2, ...) in the primitive's mode; a
 * strip's and fan's winding as the specification says. */
etna_code primitive_triangles(const gltf_doc *doc,
                              const json_t *primitive,
                              uint32_t vertices,
                              const char *where,
                              const uint32_t **ret_index,
                              uint32_t **ret_own,
                              uint32_t *ret_triangles,
                              etna_error *err)
{
    const uint32_t *list = NULL;
    uint32_t count = vertices, *own = NULL;
    uint64_t mode;
    etna_code code = gltf_size(primitive, "mode", 4, where, &mode, err);
    if (code == ETNA_OK)
        code = triangles_list(doc, primitive, vertices, where, &list, &own,
                              &count, err);
    if (code != ETNA_OK)
        return code;
    uint32_t triangles = count / 3;
    if (mode != 4)
        triangles = count >= 3 ? count - 2 : 0;
    if (triangles > SCENE_TRIANGLES_MAX) {
        free(own);
        return etna_fail(err, ETNA_E_LIMIT,
                         "%s: %u triangles are more than the %d this reads",
                         where, triangles, (int)SCENE_TRIANGLES_MAX);
    }
    if (mode == 4 && list && triangles > 0) { /* the list itself */
        *ret_index = list;
        *ret_own = own;
        *ret_triangles = triangles;
        return ETNA_OK;
    }
    uint32_t *index = malloc(((size_t)triangles * 3 + 1) * sizeof *index);
    if (!index) {
        free(own);
        return etna_fail(err, ETNA_E_NOMEM, "%s: no memory for %u triangles",
                         where, triangles);
    }
    *ret_triangles = triangles_expand((uint32_t)mode, list, triangles, index);
    free(own);
    *ret_index = *ret_own = index;
    return ETNA_OK;
}

/* False: no memory. */
static bool transform_uv(draft *d, const double map[6])
{
    static const double same[6] = {1, 0, 0, 0, 1, 0};
    if (memcmp(map, same, sizeof same) == 0) {
        return true;
    }
    if (!own_floats(&d->uv, &d->own.uv, 2 * (size_t)d->count)) {
        return false;
    }
    for (uint32_t i = 0; i < d->count; i++) {
        float *at = d->own.uv + 2 * (size_t)i;
        double u = (double)at[0];
        double v = (double)at[1];
        at[0] = (float)(map[0] * u + map[1] * v + map[2]);
        at[1] = (float)(map[3] * u + map[4] * v + map[5]);
    }
    return true;
}

/* Colours without alpha get one of 1. False: no memory, and nothing changed. */
static bool draft_widen_colours(draft *d)
{
    float *wide = malloc(((size_t)d->count * 4 + 1) * sizeof *wide);
    if (!wide)
        return false;
    for (uint32_t i = 0; i < d->count; i++) {
        memcpy(wide + 4 * (size_t)i, d->colour + 3 * (size_t)i,
               3 * sizeof *wide);
        wide[4 * (size_t)i + 3] = 1;
    }
    free(d->own.colour);
    d->colour = d->own.colour = wide;
    return true;
}

/* Its texture coordinates, in the set that the material uses and moved as it
 * says. */
static etna_code draft_read_uv(importer *m,
                               const json_t *attributes,
                               uint32_t material,
                               const char *where,
                               draft *d,
                               etna_error *err)
{
    char key[32];
    snprintf(key, sizeof key, "TEXCOORD_%u", m->material_uv[material]);
    etna_code code = draft_attribute(m, attributes, key, 2, d, where, &d->uv,
                                     &d->own.uv, NULL, err);
    if (code != ETNA_OK || !d->uv || transform_uv(d, m->material_map[material]))
        return code;
    return etna_fail(err, ETNA_E_NOMEM,
                     "%s: no memory for its texture coordinates", where);
}

/* What only pictures need: normals, coordinates on textures, colours of
 * vertices. */
etna_code draft_read_shown(importer *m,
                           const json_t *primitive,
                           uint32_t material,
                           const char *where,
                           draft *d,
                           etna_error *err)
{
    const json_t *attributes = json_object_get(primitive, "attributes");
    const scene_material *look = &m->materials[material];
    uint32_t components = 0;
    etna_code code = draft_attribute(m, attributes, "NORMAL", 3, d, where,
                                     &d->normal, &d->own.normal, NULL, err);
    if (code != ETNA_OK)
        return code;
    if (look->texture != SCENE_NONE || look->emissive_texture != SCENE_NONE) {
        code = draft_read_uv(m, attributes, material, where, d, err);
        if (code != ETNA_OK)
            return code;
    }
    code = draft_attribute(m, attributes, "COLOR_0", 0, d, where, &d->colour,
                           &d->own.colour, &components, err);
    if (code != ETNA_OK || !d->colour || components == 4)
        return code;
    if (components != 3)
        return etna_fail(err, ETNA_E_INPUT,
                         "%s: COLOR_0 is neither VEC3 nor VEC4", where);
    return draft_widen_colours(d)
               ? ETNA_OK
               : etna_fail(err, ETNA_E_NOMEM, "%s: no memory for its colours",
                           where);
}
