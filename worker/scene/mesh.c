/* Primitives to meshes: unused vertices dropped, equal geometry kept once. */
#include "worker/scene/mesh_own.h"

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
    } else if ((code = draft_read_position(m, json, where, &d, err)) == ETNA_OK && d.position && d.count > 0 &&
               (code = primitive_triangles(&m->doc, json, d.count, where, &d.index, &d.triangles, err)) == ETNA_OK &&
               d.triangles > 0 && (m->like || !left_behind(&d)) &&
               (code = draft_read_shown(m, json, *ret_material, where, &d, err)) == ETNA_OK &&
               (code = draft_apply_morphs(m, json, node, where, &d, err)) == ETNA_OK &&
               (code = draft_apply_skin(m, json, node, where, &d, err)) == ETNA_OK && !keep(m, &d, &found)) {
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
