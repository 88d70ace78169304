/* Primitives to meshes: triangles out of lists, strips and fans, attributes dequantized, unused vertices dropped, equal
 * geometry kept once. Morph weights and skins are applied as the file stands at rest, so what is read is what is seen.
 */
#include "worker/scene/private.h"

#include <stdlib.h>
#include <string.h>

#define SLOT_UNKNOWN (SCENE_NONE - 1)

typedef struct mesh_slot {
    uint32_t *first;        /* of each glTF mesh, the index of its first primitive in by_primitive */
    uint32_t *by_primitive; /* scene mesh, SCENE_NONE, or SLOT_UNKNOWN */
    uint32_t *table;        /* open addressing over `shown`: mesh + 1, or 0 */
    uint32_t table_size;    /* a power of two */
    etna_hash
        *shown; /* of each scene mesh: of its geometry and attributes; equal geometry with other colours stays apart */
    uint32_t shown_room;
} mesh_slot;

/* A primitive being read: arrays are malloc'd, `count` vertices each, index 3 per triangle. */
typedef struct draft {
    uint32_t count, triangles;
    float *position, *normal, *uv, *colour;
    uint32_t *index;
} draft;

static void draft_free(draft *d)
{
    free(d->position);
    free(d->normal);
    free(d->uv);
    free(d->colour);
    free(d->index);
}

static etna_code slots_init(making *m, etna_error *err)
{
    size_t total = 0;
    for (uint32_t i = 0; i < m->doc.mesh_count; i++) {
        total += json_array_size(json_object_get(json_array_get(m->doc.meshes, i), "primitives"));
    }
    mesh_slot *slots = m->slots = calloc(1, sizeof *slots);
    if (slots) {
        slots->table_size = 1024;
        slots->first = calloc((size_t)m->doc.mesh_count + 1, sizeof *slots->first);
        slots->by_primitive = malloc((total + 1) * sizeof *slots->by_primitive);
        slots->table = calloc(slots->table_size, sizeof *slots->table);
    }
    if (!slots || !slots->first || !slots->by_primitive || !slots->table || total >= SLOT_UNKNOWN) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %zu primitives", total);
    }
    uint32_t at = 0;
    for (uint32_t i = 0; i < m->doc.mesh_count; i++) {
        slots->first[i] = at;
        at += (uint32_t)json_array_size(json_object_get(json_array_get(m->doc.meshes, i), "primitives"));
    }
    for (size_t i = 0; i < total; i++) {
        slots->by_primitive[i] = SLOT_UNKNOWN;
    }
    return ETNA_OK;
}

void mesh_slots_free(making *m)
{
    if (m->slots) {
        free(m->slots->first);
        free(m->slots->by_primitive);
        free(m->slots->table);
        free(m->slots->shown);
        free(m->slots);
        m->slots = NULL;
    }
}

/* ---- reading ---- */

static etna_code attribute(making *m, const json_t *attributes, const char *key, uint32_t components, const draft *d,
                           const char *where, float **ret, uint32_t *ret_components, etna_error *err)
{
    uint32_t accessor, count;
    gltf_accessor a;
    etna_code code = gltf_index(attributes, key, m->doc.accessor_count, where, &accessor, err);
    if (code != ETNA_OK || accessor == GLTF_NONE) {
        return code;
    }
    if ((code = gltf_accessor_open(&m->doc, accessor, &a, err)) == ETNA_OK) {
        code = gltf_read_floats(&m->doc, accessor, components, ret, &count, err);
    }
    if (code != ETNA_OK) {
        return etna_error_prefix(err, "%s: %s", where, key);
    }
    if (d->position && count != d->count) {
        free(*ret);
        *ret = NULL;
        return etna_fail(err, ETNA_E_INPUT, "%s: %s has %u elements, POSITION has %u", where, key, count, d->count);
    }
    if (ret_components) {
        *ret_components = a.components;
    }
    return ETNA_OK;
}

static etna_code read_position(making *m, const json_t *primitive, const char *where, draft *d, etna_error *err)
{
    const json_t *attributes = json_object_get(primitive, "attributes");
    uint32_t accessor;
    etna_code code = gltf_index(attributes, "POSITION", m->doc.accessor_count, where, &accessor, err);
    if (code != ETNA_OK || accessor == GLTF_NONE) {
        return code;
    }
    if (gltf_draco_only(&m->doc, primitive) && !gltf_decoded(&m->doc, GLTF_ACCESSOR, accessor)) {
        return etna_fail(err, ETNA_E_INPUT,
                         "%s is compressed by KHR_draco_mesh_compression and could not be decoded; decompress the "
                         "file first: gltf-transform copy IN.glb OUT.glb",
                         where);
    }
    code = gltf_read_floats(&m->doc, accessor, 3, &d->position, &d->count, err);
    return code == ETNA_OK ? ETNA_OK : etna_error_prefix(err, "%s: POSITION", where);
}

/* Triangles from the index list (or 0, 1, 2, ...) in the primitive's mode; a strip's and fan's winding as the
 * specification says. */
etna_code primitive_triangles(const gltf_doc *doc, const json_t *primitive, uint32_t vertices, const char *where,
                              uint32_t **ret_index, uint32_t *ret_triangles, etna_error *err)
{
    uint32_t accessor, count = vertices, *list = NULL, *index, used = 0;
    uint64_t mode;
    etna_code code = gltf_size(primitive, "mode", 4, where, &mode, err);
    if (code != ETNA_OK ||
        (code = gltf_index(primitive, "indices", doc->accessor_count, where, &accessor, err)) != ETNA_OK) {
        return code;
    }
    if (accessor != GLTF_NONE && (code = gltf_read_unsigned(doc, accessor, 1, &list, &count, err)) != ETNA_OK) {
        return etna_error_prefix(err, "%s: indices", where);
    }
    for (uint32_t i = 0; list && i < count; i++) {
        if (list[i] >= vertices) {
            code = etna_fail(err, ETNA_E_INPUT, "%s: index %u names vertex %u, but there are %u", where, i, list[i],
                             vertices);
            free(list);
            return code;
        }
    }
    uint32_t triangles = mode == 4 ? count / 3 : count >= 3 ? count - 2 : 0;
    if (triangles > SCENE_TRIANGLES_MAX) {
        free(list);
        return etna_fail(err, ETNA_E_LIMIT, "%s: %u triangles are more than the %d this reads", where, triangles,
                         (int)SCENE_TRIANGLES_MAX);
    }
    index = malloc(((size_t)triangles * 3 + 1) * sizeof *index);
    if (!index) {
        free(list);
        return etna_fail(err, ETNA_E_NOMEM, "%s: no memory for %u triangles", where, triangles);
    }
    for (uint32_t i = 0; i < triangles; i++) {
        uint32_t corner[3] = {i, i + 1 + i % 2, i + 2 - i % 2};
        if (mode == 4) {
            corner[0] = 3 * i, corner[1] = 3 * i + 1, corner[2] = 3 * i + 2;
        } else if (mode == 6) {
            corner[0] = i + 1, corner[1] = i + 2, corner[2] = 0;
        }
        uint32_t *t = index + 3 * (size_t)used;
        for (int k = 0; k < 3; k++) {
            t[k] = list ? list[corner[k]] : corner[k];
        }
        if (mode != 4 && (t[0] == t[1] || t[1] == t[2] || t[0] == t[2])) {
            continue; /* a strip's joint, no face */
        }
        used++;
    }
    free(list);
    *ret_index = index;
    *ret_triangles = used;
    return ETNA_OK;
}

static etna_code read_shown(making *m, const json_t *primitive, uint32_t material, const char *where, draft *d,
                            etna_error *err)
{
    const json_t *attributes = json_object_get(primitive, "attributes");
    uint32_t components = 0;
    char key[32];
    etna_code code = attribute(m, attributes, "NORMAL", 3, d, where, &d->normal, NULL, err);
    if (code == ETNA_OK && m->materials[material].texture != SCENE_NONE) {
        snprintf(key, sizeof key, "TEXCOORD_%u", m->material_uv[material]);
        code = attribute(m, attributes, key, 2, d, where, &d->uv, NULL, err);
        const double *map = m->material_map[material];
        for (uint32_t i = 0; d->uv && i < d->count; i++) {
            double u = (double)d->uv[2 * (size_t)i], v = (double)d->uv[2 * (size_t)i + 1];
            d->uv[2 * (size_t)i] = (float)(map[0] * u + map[1] * v + map[2]);
            d->uv[2 * (size_t)i + 1] = (float)(map[3] * u + map[4] * v + map[5]);
        }
    }
    if (code == ETNA_OK) {
        code = attribute(m, attributes, "COLOR_0", 0, d, where, &d->colour, &components, err);
    }
    if (code == ETNA_OK && d->colour && components != 4) {
        float *wide = components == 3 ? malloc(((size_t)d->count * 4 + 1) * sizeof *wide) : NULL;
        if (!wide) {
            return components == 3 ? etna_fail(err, ETNA_E_NOMEM, "%s: no memory for its colours", where)
                                   : etna_fail(err, ETNA_E_INPUT, "%s: COLOR_0 is neither VEC3 nor VEC4", where);
        }
        for (uint32_t i = 0; i < d->count; i++) {
            memcpy(wide + 4 * (size_t)i, d->colour + 3 * (size_t)i, 3 * sizeof *wide);
            wide[4 * (size_t)i + 3] = 1;
        }
        free(d->colour);
        d->colour = wide;
    }
    return code;
}

/* ---- morphs and skins ---- */

static const json_t *weights_of(const making *m, uint32_t node)
{
    const json_t *own = json_object_get(json_array_get(m->doc.nodes, node), "weights");
    return own ? own : json_object_get(json_array_get(m->doc.meshes, m->own->nodes[node].mesh), "weights");
}

static etna_code apply_morphs(making *m, const json_t *primitive, uint32_t node, const char *where, draft *d,
                              etna_error *err)
{
    const json_t *targets = json_object_get(primitive, "targets"), *weights = weights_of(m, node);
    etna_code code = ETNA_OK;
    for (size_t t = 0; code == ETNA_OK && t < json_array_size(targets); t++) {
        double weight = json_number_value(json_array_get(weights, t));
        float *delta = NULL;
        if (weight == 0 || !(fabs(weight) < 1e6)) {
            continue;
        }
        code = attribute(m, json_array_get(targets, t), "POSITION", 3, d, where, &delta, NULL, err);
        for (size_t i = 0; delta && i < (size_t)d->count * 3; i++) {
            d->position[i] = (float)((double)d->position[i] + weight * (double)delta[i]);
        }
        free(delta);
    }
    return code;
}

/* Joint matrices relative to the skinned node, malloc'd; NULL with ETNA_OK when the skin cannot be posed (a warning).
 */
static etna_code skin_matrices(making *m, uint32_t node, affine **ret, uint32_t *ret_count, etna_error *err)
{
    const json_t *skin = json_array_get(m->doc.skins, m->own->nodes[node].skin),
                 *joints = json_object_get(skin, "joints");
    uint32_t count = (uint32_t)json_array_size(joints), accessor, have = 0;
    float *bind = NULL;
    affine back, *out = NULL;
    char where[32];
    snprintf(where, sizeof where, "skin %u", m->own->nodes[node].skin);
    *ret = NULL;
    etna_code code = gltf_index(skin, "inverseBindMatrices", m->doc.accessor_count, where, &accessor, err);
    if (code != ETNA_OK || count == 0 || !affine_inverse(&m->own->nodes[node].world, &back)) {
        return code;
    }
    if (accessor != GLTF_NONE && (code = gltf_read_floats(&m->doc, accessor, 16, &bind, &have, err)) != ETNA_OK) {
        return etna_error_prefix(err, "%s", where);
    }
    if (accessor != GLTF_NONE && have < count) {
        free(bind);
        return etna_fail(err, ETNA_E_INPUT, "%s has %u joints and %u inverse bind matrices", where, count, have);
    }
    out = malloc(count * sizeof *out);
    for (uint32_t j = 0; out && j < count; j++) {
        const json_t *value = json_array_get(joints, j);
        json_int_t joint = json_integer_value(value);
        if (!json_is_integer(value) || joint < 0 || joint >= (json_int_t)m->own->node_count) {
            free(out);
            free(bind);
            return etna_fail(err, ETNA_E_INPUT, "%s: joint %u is not one of the %u nodes", where, j,
                             m->own->node_count);
        }
        affine inverse = affine_identity();
        for (int k = 0; bind && k < 12; k++) {
            double value_k = (double)bind[16 * (size_t)j + (size_t)(4 * (k / 3) + k % 3)];
            if (k < 9) {
                inverse.m[k % 3][k / 3] = value_k;
            } else {
                *(k == 9 ? &inverse.t.x : k == 10 ? &inverse.t.y : &inverse.t.z) = value_k;
            }
        }
        affine posed = affine_mul(&m->own->nodes[joint].world, &inverse);
        out[j] = affine_mul(&back, &posed);
    }
    free(bind);
    *ret = out;
    *ret_count = count;
    return out ? ETNA_OK : etna_fail(err, ETNA_E_NOMEM, "%s: no memory for %u joints", where, count);
}

static void skin_vertex(float *position, const affine *matrices, uint32_t count, const uint32_t *joint,
                        const float *weight)
{
    vec3 p = v3((double)position[0], (double)position[1], (double)position[2]), sum = v3(0, 0, 0);
    double total = 0;
    for (int k = 0; k < 4; k++) {
        if (weight[k] > 0 && joint[k] < count) {
            sum = v3_add_scaled(sum, affine_point(&matrices[joint[k]], p), (double)weight[k]);
            total += (double)weight[k];
        }
    }
    if (total > 1e-6 && v3_finite(sum)) {
        position[0] = (float)(sum.x / total);
        position[1] = (float)(sum.y / total);
        position[2] = (float)(sum.z / total);
    }
}

static etna_code apply_skin(making *m, const json_t *primitive, uint32_t node, const char *where, draft *d,
                            etna_error *err)
{
    const json_t *attributes = json_object_get(primitive, "attributes");
    uint32_t joints_at, *joints = NULL, count = 0, have = 0;
    float *weights = NULL;
    affine *matrices = NULL;
    if (m->own->nodes[node].skin == GLTF_NONE) {
        return ETNA_OK;
    }
    etna_code code = gltf_index(attributes, "JOINTS_0", m->doc.accessor_count, where, &joints_at, err);
    if (code != ETNA_OK || joints_at == GLTF_NONE) {
        return code;
    }
    if ((code = attribute(m, attributes, "WEIGHTS_0", 4, d, where, &weights, NULL, err)) == ETNA_OK &&
        (code = gltf_read_unsigned(&m->doc, joints_at, 4, &joints, &have, err)) == ETNA_OK) {
        code = skin_matrices(m, node, &matrices, &count, err);
    }
    if (code == ETNA_OK && have != d->count) {
        code = etna_fail(err, ETNA_E_INPUT, "%s: JOINTS_0 has %u elements, POSITION has %u", where, have, d->count);
    }
    for (uint32_t i = 0; code == ETNA_OK && matrices && weights && i < d->count; i++) {
        skin_vertex(d->position + 3 * (size_t)i, matrices, count, joints + 4 * (size_t)i, weights + 4 * (size_t)i);
    }
    free(weights);
    free(joints);
    free(matrices);
    return code;
}

/* ---- one mesh for equal geometry ---- */

/* Drops vertices that no triangle uses, keeping their order; -0 becomes +0, so that equal geometry has equal bytes. */
static bool compact(draft *d)
{
    uint32_t *place = calloc((size_t)d->count + 1, sizeof *place), kept = 0;
    if (!place) {
        return false;
    }
    for (size_t i = 0; i < (size_t)d->triangles * 3; i++) {
        place[d->index[i]] = 1;
    }
    for (uint32_t i = 0; i < d->count; i++) {
        if (!place[i]) {
            continue;
        }
        for (uint32_t k = 0; k < 3; k++) {
            d->position[3 * (size_t)kept + k] = d->position[3 * (size_t)i + k] + 0.0f;
            if (d->normal) {
                d->normal[3 * (size_t)kept + k] = d->normal[3 * (size_t)i + k];
            }
        }
        if (d->uv) {
            memmove(d->uv + 2 * (size_t)kept, d->uv + 2 * (size_t)i, 2 * sizeof *d->uv);
        }
        if (d->colour) {
            memmove(d->colour + 4 * (size_t)kept, d->colour + 4 * (size_t)i, 4 * sizeof *d->colour);
        }
        place[i] = kept++;
    }
    for (size_t i = 0; i < (size_t)d->triangles * 3; i++) {
        d->index[i] = place[d->index[i]];
    }
    d->count = kept;
    free(place);
    return true;
}

/* BLAKE2b of count, count, and two arrays one behind the other. */
static bool hash_arrays(uint32_t a, uint32_t b, const void *first, size_t first_size, const void *second,
                        size_t second_size, etna_hash *ret)
{
    uint8_t *bytes = malloc(8 + first_size + second_size);
    if (!bytes) {
        return false;
    }
    memcpy(bytes, &a, 4);
    memcpy(bytes + 4, &b, 4);
    memcpy(bytes + 8, first, first_size);
    if (second_size) {
        memcpy(bytes + 8 + first_size, second, second_size);
    }
    *ret = etna_hash_bytes(bytes, 8 + first_size + second_size);
    free(bytes);
    return true;
}

static bool hash_draft(const draft *d, etna_hash *ret_geometry, etna_hash *ret_shown)
{
    etna_hash parts[4] = {{{0}}};
    bool ok = hash_arrays(d->count, d->triangles, d->position, (size_t)d->count * 12, d->index,
                          (size_t)d->triangles * 12, ret_geometry);
    ok = ok && (!d->normal || hash_arrays(d->count, 1, d->normal, (size_t)d->count * 12, NULL, 0, &parts[0]));
    ok = ok && (!d->uv || hash_arrays(d->count, 2, d->uv, (size_t)d->count * 8, NULL, 0, &parts[1]));
    ok = ok && (!d->colour || hash_arrays(d->count, 3, d->colour, (size_t)d->count * 16, NULL, 0, &parts[2]));
    parts[3] = *ret_geometry;
    *ret_shown = etna_hash_bytes(parts, sizeof parts);
    return ok;
}

static uint32_t slot_of(const etna_hash *hash, uint32_t size)
{
    uint32_t start;
    memcpy(&start, hash->bytes, sizeof start);
    return start & (size - 1);
}

static bool grow_table(making *m)
{
    mesh_slot *slots = m->slots;
    if (m->s->mesh_count * 2 < slots->table_size) {
        return true;
    }
    uint32_t size = slots->table_size * 4, *table = calloc(size, sizeof *table);
    if (!table) {
        return false;
    }
    for (uint32_t i = 0; i < m->s->mesh_count; i++) {
        uint32_t at = slot_of(&slots->shown[i], size);
        while (table[at]) {
            at = (at + 1) & (size - 1);
        }
        table[at] = i + 1;
    }
    free(slots->table);
    slots->table = table;
    slots->table_size = size;
    return true;
}

/* Gives the arrays to the scene; the draft is empty then. */
static bool own_draft(making *m, draft *d)
{
    void *blocks[] = {d->position, d->normal, d->uv, d->colour, d->index};
    *d = (draft){0};
    bool ok = true;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        if (!blocks[i]) {
            continue;
        }
        if (ok) {
            ok = own_block(m, blocks[i]);
        } else {
            free(blocks[i]);
        }
    }
    return ok;
}

static bool keep(making *m, draft *d, uint32_t *ret)
{
    etna_hash geometry, shown;
    mesh_slot *slots = m->slots;
    if (!compact(d) || !hash_draft(d, &geometry, &shown) || !grow_table(m)) {
        return false;
    }
    uint32_t at = slot_of(&shown, slots->table_size);
    for (; slots->table[at]; at = (at + 1) & (slots->table_size - 1)) {
        uint32_t mesh = slots->table[at] - 1;
        if (etna_hash_equal(&slots->shown[mesh], &shown)) {
            *ret = mesh;
            return true;
        }
    }
    void *meshes = m->meshes, *texts = slots->shown;
    bool room = make_room(&meshes, m->s->mesh_count, &m->mesh_room, sizeof *m->meshes);
    m->meshes = meshes;
    room = make_room(&texts, m->s->mesh_count, &slots->shown_room, sizeof *slots->shown) && room;
    slots->shown = texts;
    if (!room) {
        return false;
    }
    scene_mesh mesh = {.hash = geometry,
                       .vertex_count = d->count,
                       .triangle_count = d->triangles,
                       .position = d->position,
                       .index = d->index,
                       .normal = d->normal,
                       .uv = d->uv,
                       .colour = d->colour};
    mesh.min = v3(INFINITY, INFINITY, INFINITY);
    mesh.max = v3(-INFINITY, -INFINITY, -INFINITY);
    for (uint32_t i = 0; i < d->count; i++) {
        const float *p = d->position + 3 * (size_t)i;
        vec3 v = v3((double)p[0], (double)p[1], (double)p[2]);
        mesh.min = v3_min(mesh.min, v);
        mesh.max = v3_max(mesh.max, v);
    }
    if (!own_draft(m, d)) {
        return false;
    }
    slots->table[at] = m->s->mesh_count + 1;
    slots->shown[m->s->mesh_count] = shown;
    m->meshes[m->s->mesh_count] = mesh;
    *ret = m->s->mesh_count++;
    return true;
}

/* What export leaves of a primitive whose triangles all moved away (export_split.c): one triangle on one vertex. */
static bool left_behind(const draft *d)
{
    return d->triangles == 1 && d->index[0] == d->index[1] && d->index[1] == d->index[2];
}

static int compare_vertices(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static float *pick(const float *from, const uint32_t *vertex, uint32_t count, uint32_t width)
{
    float *out = from ? malloc(((size_t)count * width + 1) * sizeof *out) : NULL;
    for (uint32_t i = 0; out && i < count; i++) {
        memcpy(out + (size_t)i * width, from + (size_t)vertex[i] * width, width * sizeof *out);
    }
    return out;
}

/* Only what is used is copied: a mesh may be cut into as many pieces as it has triangles. */
bool mesh_subset(making *m, uint32_t mesh, const uint32_t *triangles, uint32_t count, uint32_t *ret_mesh)
{
    const scene_mesh from = m->meshes[mesh];
    uint32_t *used = malloc(((size_t)count * 3 + 1) * sizeof *used);
    draft d = {.triangles = count, .index = malloc(((size_t)count * 3 + 1) * sizeof *d.index)};
    if (!used || !d.index) {
        free(used);
        free(d.index);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        memcpy(used + 3 * (size_t)i, from.index + 3 * (size_t)triangles[i], 3 * sizeof *used);
    }
    memcpy(d.index, used, (size_t)count * 3 * sizeof *used);
    qsort(used, (size_t)count * 3, sizeof *used, compare_vertices);
    for (size_t i = 0; i < (size_t)count * 3; i++) {
        if (i == 0 || used[i] != used[d.count - 1]) {
            used[d.count++] = used[i];
        }
    }
    for (size_t i = 0; i < (size_t)count * 3; i++) {
        const uint32_t *at = bsearch(&d.index[i], used, d.count, sizeof *used, compare_vertices);
        d.index[i] = (uint32_t)(at - used);
    }
    d.position = pick(from.position, used, d.count, 3);
    d.normal = pick(from.normal, used, d.count, 3);
    d.uv = pick(from.uv, used, d.count, 2);
    d.colour = pick(from.colour, used, d.count, 4);
    free(used);
    bool ok = d.position && (!from.normal || d.normal) && (!from.uv || d.uv) && (!from.colour || d.colour) &&
              keep(m, &d, ret_mesh);
    draft_free(&d);
    return ok;
}

etna_code mesh_of_primitive(making *m, uint32_t node, uint32_t primitive, uint32_t *ret_mesh, uint32_t *ret_material,
                            etna_error *err)
{
    etna_code code;
    if (!m->slots && (code = slots_init(m, err)) != ETNA_OK) {
        return code;
    }
    uint32_t gltf_mesh = m->own->nodes[node].mesh, material;
    const json_t *mesh = json_array_get(m->doc.meshes, gltf_mesh);
    const json_t *json = json_array_get(json_object_get(mesh, "primitives"), primitive);
    char where[128];
    const char *name = gltf_text(mesh, "name");
    snprintf(where, sizeof where, "mesh %u (\"%.60s\") primitive %u", gltf_mesh, name ? name : "", primitive);
    if ((code = gltf_index(json, "material", m->doc.material_count, where, &material, err)) != ETNA_OK) {
        return code;
    }
    *ret_material = material == GLTF_NONE ? m->doc.material_count : material;
    bool shared =
        m->own->nodes[node].skin == GLTF_NONE && !json_object_get(json_array_get(m->doc.nodes, node), "weights");
    uint32_t *slot = &m->slots->by_primitive[m->slots->first[gltf_mesh] + primitive];
    if (shared && *slot != SLOT_UNKNOWN) {
        *ret_mesh = *slot;
        return ETNA_OK;
    }
    uint64_t mode;
    draft d = {0};
    uint32_t found = SCENE_NONE;
    if ((code = gltf_size(json, "mode", 4, where, &mode, err)) != ETNA_OK) {
        return code;
    }
    if (mode < 4 || mode > 6) {
        m->ignored_primitives++;
    } else if ((code = read_position(m, json, where, &d, err)) == ETNA_OK && d.position && d.count > 0 &&
               (code = primitive_triangles(&m->doc, json, d.count, where, &d.index, &d.triangles, err)) == ETNA_OK &&
               d.triangles > 0 && (m->like || !left_behind(&d)) &&
               (code = read_shown(m, json, *ret_material, where, &d, err)) == ETNA_OK &&
               (code = apply_morphs(m, json, node, where, &d, err)) == ETNA_OK &&
               (code = apply_skin(m, json, node, where, &d, err)) == ETNA_OK && !keep(m, &d, &found)) {
        code = etna_fail(err, ETNA_E_NOMEM, "%s: no memory for %u vertices", where, d.count);
    }
    draft_free(&d);
    if (code != ETNA_OK) {
        return code;
    }
    if (shared) {
        *slot = found;
    }
    *ret_mesh = found;
    return ETNA_OK;
}
