/* Primitives to meshes: unused vertices dropped, equal geometry kept once. */
#include "proto/array.h"
#include "worker/scene/mesh_internal.h"

#include <stdlib.h>
#include <string.h>

#define SLOT_UNKNOWN (SCENE_NONE - 1)
enum {
    GLANCE_RUNS = 16,
    GLANCE_BYTES = 64
};

/* open addressing by hashes that lie elsewhere: mesh + 1, or 0 */
typedef struct mesh_table {
    uint32_t *slots;
    uint32_t size, used; /* size: a power of two, or 0 */
} mesh_table;

/* Which scene mesh a primitive is. Equal geometry with other attributes stays
 * apart. Hashing all of every mesh would be a third of an import, so a mesh is
 * hashed whole only when another one looks like it at a glance. */
typedef struct mesh_slot {
    /* of each glTF mesh, the index of its first primitive in by_primitive */
    uint32_t *first;
    uint32_t *by_primitive; /* scene mesh, SCENE_NONE, or SLOT_UNKNOWN */
    mesh_table by_glance;   /* the first mesh of each look */
    mesh_table by_whole;    /* all meshes of a look that several have */
    /* of each scene mesh; whole: zero while it is not known */
    etna_hash *glance, *whole;
    uint32_t glance_room, whole_room;
} mesh_slot;

/* Nothing is read here: slots are filled when a node shows the primitive, as
 * files hold meshes that nobody shows. */
static etna_code slots_init(importer *m, etna_error *err)
{
    size_t total = 0;
    for (uint32_t i = 0; i < m->doc.mesh_count; i++) {
        total += json_array_size(
            json_object_get(json_array_get(m->doc.meshes, i), "primitives"));
    }
    mesh_slot *slots = m->slots = calloc(1, sizeof *slots);
    if (slots) {
        slots->first =
            calloc((size_t)m->doc.mesh_count + 1, sizeof *slots->first);
        slots->by_primitive = malloc((total + 1) * sizeof *slots->by_primitive);
    }
    bool has_slots = slots && slots->first && slots->by_primitive;
    if (!has_slots || total >= SLOT_UNKNOWN) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %zu primitives",
                         total);
    }
    uint32_t at = 0;
    for (uint32_t i = 0; i < m->doc.mesh_count; i++) {
        slots->first[i] = at;
        at += (uint32_t)json_array_size(
            json_object_get(json_array_get(m->doc.meshes, i), "primitives"));
    }
    for (size_t i = 0; i < total; i++) {
        slots->by_primitive[i] = SLOT_UNKNOWN;
    }
    return ETNA_OK;
}

void mesh_slots_free(importer *m)
{
    if (m->slots) {
        free(m->slots->first);
        free(m->slots->by_primitive);
        free(m->slots->by_glance.slots);
        free(m->slots->by_whole.slots);
        free(m->slots->glance);
        free(m->slots->whole);
        free(m->slots);
        m->slots = NULL;
    }
}

/* Whether every vertex is used. `place` is zero for every vertex, and 1 for
 * those that are used afterwards. */
static bool all_used(const draft *d, uint32_t *place)
{
    uint32_t used = 0;
    for (size_t i = 0; i < (size_t)d->triangles * 3; i++) {
        place[d->index[i]] = 1;
    }
    for (uint32_t i = 0; i < d->count; i++) {
        used += place[i];
    }
    return used == d->count;
}

/* Four numbers at a time by compiler vectors, which every target has. Most
 * files have none, and then positions stay borrowed. */
static bool has_negative_zero(const draft *d)
{
    typedef uint32_t lanes __attribute__((vector_size(16)));
    const lanes zero = {0x80000000, 0x80000000, 0x80000000, 0x80000000};
    const size_t total = (size_t)d->count * 3;
    lanes found = {0}, v = {0};
    size_t i = 0;
    for (; i + 4 <= total; i += 4) {
        memcpy(&v, d->position + i, sizeof v);
        found |= (lanes)(v == zero);
    }
    for (; i < total; i++) {
        memcpy(&v, d->position + i, sizeof v[0]);
        found |= (lanes)(v == zero);
    }
    return (found[0] | found[1] | found[2] | found[3]) != 0;
}

/* Moves what is used together; `place` becomes where each vertex is then. */
static void draft_squeeze(draft *d, uint32_t *place)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        if (!place[i]) {
            continue;
        }
        for (uint32_t k = 0; k < 3; k++) {
            d->own.position[3 * (size_t)kept + k] =
                d->position[3 * (size_t)i + k] + 0.0f;
            if (d->normal) {
                d->own.normal[3 * (size_t)kept + k] =
                    d->normal[3 * (size_t)i + k];
            }
        }
        if (d->uv) {
            memmove(d->own.uv + 2 * (size_t)kept, d->uv + 2 * (size_t)i,
                    2 * sizeof *d->uv);
        }
        if (d->colour) {
            memmove(d->own.colour + 4 * (size_t)kept, d->colour + 4 * (size_t)i,
                    4 * sizeof *d->colour);
        }
        place[i] = kept++;
    }
    for (size_t i = 0; i < (size_t)d->triangles * 3; i++) {
        d->own.index[i] = place[d->index[i]];
    }
    d->count = kept;
}

/* Drops vertices that no triangle uses, keeping their order; -0 becomes +0, so
 * that equal geometry has equal bytes. What needs neither is not written.
 * False: no memory. */
static bool draft_compact(draft *d)
{
    uint32_t *place = calloc((size_t)d->count + 1, sizeof *place);
    if (!place) {
        return false;
    }
    bool ok = true;
    if (!all_used(d, place)) {
        if ((ok = draft_own_all(d))) {
            draft_squeeze(d, place);
        }
    } else if (has_negative_zero(d) && (ok = draft_own_position(d))) {
        for (size_t i = 0; i < (size_t)d->count * 3; i++) {
            d->own.position[i] += 0.0f;
        }
    }
    free(place);
    return ok;
}

/* ---- equal geometry ---- */

typedef void (*hash_fn)(etna_hasher *hasher, const void *data, size_t size);

/* Runs spread over all of it: what a modeller changed in a copy shows in some,
 * and if not, all is hashed. */
static void add_glance(etna_hasher *hasher, const void *data, size_t size)
{
    if (size <= GLANCE_RUNS * GLANCE_BYTES) {
        etna_hasher_add(hasher, data, size);
        return;
    }
    for (size_t i = 0; i < GLANCE_RUNS; i++) {
        etna_hasher_add(hasher,
                        (const uint8_t *)data +
                            (size - GLANCE_BYTES) / (GLANCE_RUNS - 1) * i,
                        GLANCE_BYTES);
    }
}

/* The head says which arrays follow, so that arrays cannot be taken for one
 * another. */
static bool hash_mesh(const scene_mesh *mesh, hash_fn add, etna_hash *ret)
{
    etna_hasher *hasher = etna_hasher_new();
    if (!hasher) {
        return false;
    }
    uint32_t head[3] = {mesh->vertex_count, mesh->triangle_count,
                        (mesh->normal != NULL) + 2u * (mesh->uv != NULL) +
                            4u * (mesh->colour != NULL)};
    etna_hasher_add(hasher, head, sizeof head);
    add(hasher, mesh->position, (size_t)mesh->vertex_count * 12);
    add(hasher, mesh->index, (size_t)mesh->triangle_count * 12);
    if (mesh->normal) {
        add(hasher, mesh->normal, (size_t)mesh->vertex_count * 12);
    }
    if (mesh->uv) {
        add(hasher, mesh->uv, (size_t)mesh->vertex_count * 8);
    }
    if (mesh->colour) {
        add(hasher, mesh->colour, (size_t)mesh->vertex_count * 16);
    }
    etna_hasher_end(hasher, ret);
    return true;
}

/* The slot of that hash, or the empty one where it belongs. */
static uint32_t *table_slot(const mesh_table *table,
                            const etna_hash *hashes,
                            const etna_hash *hash)
{
    uint32_t at;
    memcpy(&at, hash->bytes, sizeof at);
    for (at &= table->size - 1; table->slots[at];
         at = (at + 1) & (table->size - 1)) {
        if (etna_hash_equal(&hashes[table->slots[at] - 1], hash)) {
            break;
        }
    }
    return &table->slots[at];
}

static uint32_t mesh_table_find(const mesh_table *table,
                                const etna_hash *hashes,
                                const etna_hash *hash)
{
    uint32_t found = table->size ? *table_slot(table, hashes, hash) : 0;
    return found ? found - 1 : SCENE_NONE;
}

/* Adds hashes[mesh], which is not there yet. */
static bool table_add(mesh_table *table, const etna_hash *hashes, uint32_t mesh)
{
    if (table->used * 2 >= table->size) {
        mesh_table grown = {.size = table->size ? table->size * 4 : 1024,
                            .used = table->used};
        grown.slots = calloc(grown.size, sizeof *grown.slots);
        if (!grown.slots) {
            return false;
        }
        for (uint32_t i = 0; i < table->size; i++) {
            if (table->slots[i]) {
                *table_slot(&grown, hashes, &hashes[table->slots[i] - 1]) =
                    table->slots[i];
            }
        }
        free(table->slots);
        *table = grown;
    }
    *table_slot(table, hashes, &hashes[mesh]) = mesh + 1;
    table->used++;
    return true;
}

/* The scene's mesh that equals this one, or SCENE_NONE and this one's hashes;
 * whole: zero where nothing looks like it. False when memory ends. */
static bool find_equal(importer *m,
                       const scene_mesh *mesh,
                       uint32_t *ret,
                       etna_hash *ret_glance,
                       etna_hash *ret_whole)
{
    mesh_slot *slots = m->slots;
    *ret_whole = (etna_hash){{0}};
    if (!hash_mesh(mesh, add_glance, ret_glance)) {
        return false;
    }
    *ret = mesh_table_find(&slots->by_glance, slots->glance, ret_glance);
    if (*ret == SCENE_NONE) {
        return true;
    }
    uint32_t first = *ret;
    if (etna_hash_is_zero(&slots->whole[first]) &&
        (!hash_mesh(&m->meshes[first], etna_hasher_add, &slots->whole[first]) ||
         !table_add(&slots->by_whole, slots->whole, first))) {
        return false;
    }
    if (!hash_mesh(mesh, etna_hasher_add, ret_whole)) {
        return false;
    }
    *ret = mesh_table_find(&slots->by_whole, slots->whole, ret_whole);
    return true;
}

/* Gives its own arrays to the scene; the draft is empty then. */
static bool own_draft(importer *m, draft *d)
{
    void *blocks[] = {d->own.position, d->own.normal, d->own.uv, d->own.colour,
                      d->own.index};
    *d = (draft){0};
    bool ok = true;
    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
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

static bool make_mesh_room(importer *m)
{
    void *meshes = m->meshes;
    void *glance = m->slots->glance;
    void *whole = m->slots->whole;
    uint32_t count = m->s->mesh_count;
    bool ok = make_room(&meshes, count, &m->mesh_room, sizeof *m->meshes);
    ok = ok && make_room(&glance, count, &m->slots->glance_room,
                         sizeof *m->slots->glance);
    ok = ok && make_room(&whole, count, &m->slots->whole_room,
                         sizeof *m->slots->whole);
    m->meshes = meshes;
    m->slots->glance = glance;
    m->slots->whole = whole;
    return ok;
}

/* The scene's mesh for a draft: an equal one that is there already, or a new
 * one that takes the draft's arrays. False: no memory. */
static bool draft_keep(importer *m, draft *d, uint32_t *ret)
{
    mesh_slot *slots = m->slots;
    if (!draft_compact(d)) {
        return false;
    }
    scene_mesh mesh = {.vertex_count = d->count,
                       .triangle_count = d->triangles,
                       .position = d->position,
                       .index = d->index,
                       .normal = d->normal,
                       .uv = d->uv,
                       .colour = d->colour};
    uint32_t equal;
    uint32_t made = m->s->mesh_count;
    etna_hash glance, whole;
    if (!find_equal(m, &mesh, &equal, &glance, &whole)) {
        return false;
    }
    if (equal != SCENE_NONE) {
        *ret = equal;
        return true;
    }
    mesh.min = v3(INFINITY, INFINITY, INFINITY);
    mesh.max = v3(-INFINITY, -INFINITY, -INFINITY);
    for (uint32_t i = 0; i < d->count; i++) {
        const float *p = d->position + 3 * (size_t)i;
        vec3 v = v3((double)p[0], (double)p[1], (double)p[2]);
        mesh.min = v3_min(mesh.min, v);
        mesh.max = v3_max(mesh.max, v);
    }
    if (!make_mesh_room(m)) {
        return false;
    }
    slots->glance[made] = glance;
    slots->whole[made] = whole;
    bool first = etna_hash_is_zero(&whole);
    mesh_table *table = first ? &slots->by_glance : &slots->by_whole;
    if (!table_add(table, first ? slots->glance : slots->whole, made))
        return false;
    if (!own_draft(m, d))
        return false;
    m->meshes[made] = mesh;
    *ret = made;
    m->s->mesh_count++;
    return true;
}

/* What export leaves of a primitive whose triangles all moved away
 * (export_split.c): one triangle on one vertex. */
static bool left_behind(const draft *d)
{
    return d->triangles == 1 && d->index[0] == d->index[1] &&
           d->index[1] == d->index[2];
}

static int compare_vertices(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* The chosen elements of an attribute; NULL when the mesh has none, or memory
 * ends: the caller tells them apart by `from`. */
static const float *draft_pick(const float *from,
                               const uint32_t *vertex,
                               uint32_t count,
                               uint32_t width,
                               float **ret_own)
{
    float *out =
        from ? malloc(((size_t)count * width + 1) * sizeof *out) : NULL;
    for (uint32_t i = 0; out && i < count; i++) {
        memcpy(out + (size_t)i * width, from + (size_t)vertex[i] * width,
               width * sizeof *out);
    }
    return *ret_own = out;
}

/* Numbers the vertices of an index anew, without gaps and in their order;
 * `used` gets each one's old number. How many there are. */
static uint32_t index_compact(uint32_t *index, size_t count, uint32_t *used)
{
    uint32_t distinct = 0;
    memcpy(used, index, count * sizeof *used);
    qsort(used, count, sizeof *used, compare_vertices);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || used[i] != used[distinct - 1]) {
            used[distinct++] = used[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t *at =
            bsearch(&index[i], used, distinct, sizeof *used, compare_vertices);
        index[i] = (uint32_t)(at - used);
    }
    return distinct;
}

/* Only what is used is copied: a mesh may be cut into as many pieces as it has
 * triangles. */
bool mesh_subset(importer *m,
                 uint32_t mesh,
                 const uint32_t *triangles,
                 uint32_t count,
                 uint32_t *ret_mesh)
{
    const scene_mesh from = m->meshes[mesh];
    uint32_t *used = malloc(((size_t)count * 3 + 1) * sizeof *used);
    uint32_t *index = malloc(((size_t)count * 3 + 1) * sizeof *index);
    draft d = {.triangles = count, .index = index, .own.index = index};
    if (!used || !index) {
        free(used);
        free(index);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        memcpy(index + 3 * (size_t)i, from.index + 3 * (size_t)triangles[i],
               3 * sizeof *index);
    }
    d.count = index_compact(index, (size_t)count * 3, used);
    d.position = draft_pick(from.position, used, d.count, 3, &d.own.position);
    d.normal = draft_pick(from.normal, used, d.count, 3, &d.own.normal);
    d.uv = draft_pick(from.uv, used, d.count, 2, &d.own.uv);
    d.colour = draft_pick(from.colour, used, d.count, 4, &d.own.colour);
    free(used);
    bool is_whole = d.position && !from.normal == !d.normal;
    bool is_shown = !from.uv == !d.uv && !from.colour == !d.colour;
    bool ok = is_whole && is_shown && draft_keep(m, &d, ret_mesh);
    draft_free(&d);
    return ok;
}

/* All of a primitive of triangles, as it stands in the node. No triangles:
 * there is nothing to keep. */
static etna_code mesh_draft_read(importer *m,
                                 const json_t *json,
                                 uint32_t node,
                                 uint32_t material,
                                 const char *where,
                                 draft *d,
                                 etna_error *err)
{
    etna_code code = draft_read_position(m, json, where, d, err);
    if (code != ETNA_OK || !d->position || d->count == 0)
        return code;
    code = primitive_triangles(&m->doc, json, d->count, where, &d->index,
                               &d->own.index, &d->triangles, err);
    if (code != ETNA_OK)
        return code;
    if (!m->like && left_behind(d))
        d->triangles = 0;
    if (d->triangles == 0)
        return ETNA_OK;
    code = draft_read_shown(m, json, material, where, d, err);
    if (code == ETNA_OK)
        code = draft_apply_morphs(m, json, node, where, d, err);
    if (code == ETNA_OK)
        code = draft_apply_skin(m, json, node, where, d, err);
    return code;
}

/* Beyond that, squares of distances lose what is asked of them. */
static etna_code mesh_check_reach(const scene_mesh *mesh,
                                  const char *where,
                                  etna_error *err)
{
    if (extent_is_within(mesh->min, mesh->max, REACH_UNITS))
        return ETNA_OK;
    return etna_fail(err, ETNA_E_INPUT,
                     "%s: POSITION reaches beyond 1e12 units", where);
}

/* *ret stays as it is for points, lines, and what has no triangle. */
static etna_code mesh_read(importer *m,
                           const json_t *json,
                           uint32_t node,
                           uint32_t material,
                           const char *where,
                           uint32_t *ret,
                           etna_error *err)
{
    uint64_t mode;
    etna_code code = gltf_size(json, "mode", 4, where, &mode, err);
    if (code != ETNA_OK)
        return code;
    if (mode < 4 || mode > 6) {
        m->ignored_primitives++;
        return ETNA_OK;
    }
    draft d = {0};
    code = mesh_draft_read(m, json, node, material, where, &d, err);
    if (code == ETNA_OK && d.triangles > 0) {
        code = draft_keep(m, &d, ret)
                   ? mesh_check_reach(&m->meshes[*ret], where, err)
                   : etna_fail(err, ETNA_E_NOMEM,
                               "%s: no memory for %u vertices", where, d.count);
    }
    draft_free(&d);
    return code;
}

/* A primitive that many nodes show is read once. A skinned one, or one whose
 * node has morph weights of its own, is another mesh under each node. */
etna_code mesh_of_primitive(importer *m,
                            uint32_t node,
                            uint32_t primitive,
                            uint32_t *ret_mesh,
                            uint32_t *ret_material,
                            etna_error *err)
{
    etna_code code = m->slots ? ETNA_OK : slots_init(m, err);
    if (code != ETNA_OK)
        return code;
    uint32_t gltf_mesh = m->own->nodes[node].mesh;
    uint32_t material;
    const json_t *mesh = json_array_get(m->doc.meshes, gltf_mesh);
    const json_t *json =
        json_array_get(json_object_get(mesh, "primitives"), primitive);
    char where[128];
    const char *name = gltf_text(mesh, "name");
    snprintf(where, sizeof where, "mesh %u (\"%.60s\") primitive %u", gltf_mesh,
             name ? name : "", primitive);
    code = gltf_index(json, "material", m->doc.material_count, where, &material,
                      err);
    if (code != ETNA_OK)
        return code;
    *ret_material = material == GLTF_NONE ? m->doc.material_count : material;
    bool has_weights =
        json_object_get(json_array_get(m->doc.nodes, node), "weights") != NULL;
    bool is_shared = m->own->nodes[node].skin == GLTF_NONE && !has_weights;
    uint32_t *slot =
        &m->slots->by_primitive[m->slots->first[gltf_mesh] + primitive];
    if (is_shared && *slot != SLOT_UNKNOWN) {
        *ret_mesh = *slot;
        return ETNA_OK;
    }
    uint32_t found = SCENE_NONE;
    code = mesh_read(m, json, node, *ret_material, where, &found, err);
    if (code != ETNA_OK)
        return code;
    if (is_shared)
        *slot = found;
    *ret_mesh = found;
    return ETNA_OK;
}
