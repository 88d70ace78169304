/* KHR_draco_mesh_compression: a primitive whose accessors have no bytes of
 * their own. The counts are the accessors' of the JSON: the claims at the
 * beginning of the Draco data are held against them before the library sees it,
 * because it allocates by its claims. */
#include "worker/gltf/bundle.h"
#include "worker/gltf/draco.h"
#include "worker/gltf/unpack_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the data claims ---- */

/* Reads past the end set `failed` and give 0, so claims are read without a
 * check at each step. */
typedef struct cursor {
    const uint8_t *data;
    size_t size, at;
    bool failed;
} cursor;

static uint8_t get_u8(cursor *c)
{
    if (c->at >= c->size) {
        c->failed = true;
        return 0;
    }
    return c->data[c->at++];
}

static uint64_t get_fixed(cursor *c, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) {
        value |= (uint64_t)get_u8(c) << (8 * i);
    }
    return value;
}

/* Five bytes at most: values of 32 bits. */
static uint64_t get_varint(cursor *c)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
        uint8_t byte = get_u8(c);
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            return value;
        }
    }
    c->failed = true;
    return 0;
}

static void cursor_skip(cursor *c, uint64_t bytes)
{
    if (bytes > c->size - c->at) {
        c->failed = true;
    } else {
        c->at += (size_t)bytes;
    }
}

/* An element holds entries and elements below it: depth first, so one count of
 * what is still to come is enough. */
static void skip_metadata(cursor *c)
{
    uint64_t roots = get_varint(c) + 1;
    uint64_t left; /* of the attributes, then of the whole */
    for (uint64_t root = 0; root < roots && !c->failed; root++) {
        if (root + 1 < roots) {
            (void)get_varint(c); /* the attribute */
        }
        bool named = false;
        for (left = 1; left > 0 && !c->failed; left--) {
            if (named) {
                cursor_skip(c, get_u8(c));
            }
            uint64_t entries = get_varint(c);
            for (uint64_t i = 0; i < entries && !c->failed; i++) {
                cursor_skip(c, get_u8(c));
                cursor_skip(c, get_varint(c));
            }
            left += get_varint(c);
            named = true;
        }
    }
}

/* Counts became varints in 2.0 (Edgebreaker) and 2.2 (sequential). */
static uint64_t cursor_count(cursor *c, bool is_fixed)
{
    return is_fixed ? get_fixed(c, 4) : get_varint(c);
}

static void sequential_claims(cursor *c,
                              unsigned version,
                              uint64_t *ret_triangles,
                              uint64_t *ret_vertices)
{
    *ret_triangles = cursor_count(c, version < 0x0202);
    *ret_vertices = cursor_count(c, version < 0x0202);
}

/* Symbols are a triangle each, so there cannot be more. */
static void edgebreaker_claims(cursor *c,
                               unsigned version,
                               uint64_t *ret_triangles,
                               uint64_t *ret_vertices)
{
    bool is_fixed = version < 0x0200;
    (void)get_u8(c); /* the traversal */
    if (version < 0x0202)
        (void)cursor_count(c, is_fixed); /* of split vertices */
    *ret_vertices = cursor_count(c, is_fixed);
    *ret_triangles = cursor_count(c, is_fixed);
    (void)get_u8(c); /* attributes with a connectivity of their own */
    uint64_t symbols = cursor_count(c, is_fixed);
    uint64_t splits = cursor_count(c, is_fixed);
    c->failed = c->failed || symbols > *ret_triangles || splits > symbols;
}

/* A triangle mesh (type 1) of either method, of bitstream 2.2 or older. False:
 * none of these, or too short. */
bool draco_claims(const uint8_t *data,
                  size_t size,
                  uint64_t *ret_triangles,
                  uint64_t *ret_vertices)
{
    cursor c = {.data = data, .size = size, .at = 5};
    if (size < 11 || memcmp(data, "DRACO", 5) != 0) {
        return false;
    }
    unsigned version = (unsigned)get_u8(&c) << 8;
    version |= get_u8(&c);
    uint8_t type = get_u8(&c);
    uint8_t method = get_u8(&c);
    uint64_t flags = get_fixed(&c, 2);
    uint64_t triangles, vertices;
    if (version > 0x0202 || type != 1 || method > 1) {
        return false;
    }
    if (version >= 0x0103 && (flags & 0x8000)) {
        skip_metadata(&c);
    }
    if (method == 0) {
        sequential_claims(&c, version, &triangles, &vertices);
    } else {
        edgebreaker_claims(&c, version, &triangles, &vertices);
    }
    if (c.failed) {
        return false;
    }
    *ret_triangles = triangles;
    *ret_vertices = vertices;
    return true;
}

/* ---- a primitive ---- */

enum {
    ATTRIBUTES_MAX = 64
};

typedef struct draco_job {
    const char *where;
    uint32_t view; /* of the Draco data */
    uint32_t points;
    gltf_accessor index;
    gltf_accessor accessors[ATTRIBUTES_MAX];
    draco_attribute attributes[ATTRIBUTES_MAX];
    size_t count;
    uint32_t *triangles; /* decoded indices */
} draco_job;

/* One accessor that the data fills. *ret_made: an earlier primitive with the
 * same data did. */
static etna_code unpacking_claim(unpacking *u,
                                 const draco_job *job,
                                 uint32_t accessor,
                                 gltf_accessor *ret,
                                 bool *ret_made,
                                 etna_error *err)
{
    etna_code code = gltf_accessor_open(&u->doc, accessor, ret, err);
    if (code != ETNA_OK) {
        return etna_error_prefix(err, "%s", job->where);
    }
    /* gltf_part_shared leaves no accessor that two views fill. */
    assert(!u->made_by[accessor] || u->made_by[accessor] == job->view + 1);
    *ret_made = u->made_by[accessor] != 0;
    return ETNA_OK;
}

/* Adds the accessor that Draco fills by its attribute `id` to the job, with
 * room for its numbers; but not what another primitive has decoded already. */
static etna_code gather_attribute(unpacking *u,
                                  const char *key,
                                  uint64_t id,
                                  uint32_t accessor,
                                  draco_job *job,
                                  etna_error *err)
{
    if (job->count == ATTRIBUTES_MAX || id > UINT32_MAX) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: its compressed attributes are more than %d, or numbered beyond reason",
            job->where, (int)ATTRIBUTES_MAX);
    }
    gltf_accessor *a = &job->accessors[job->count];
    draco_attribute *out = &job->attributes[job->count];
    bool made;
    etna_code code = unpacking_claim(u, job, accessor, a, &made, err);
    if (code != ETNA_OK)
        return code;
    if (a->count != job->points) {
        return etna_fail(err, ETNA_E_INPUT,
                         "%s: %.40s has %u elements, POSITION has %u",
                         job->where, key, a->count, job->points);
    }
    if (made)
        return ETNA_OK;
    size_t size = (size_t)a->count * a->components * a->component_size;
    code = unpack_afford(u, size, job->where, err);
    if (code != ETNA_OK)
        return code;
    *out = (draco_attribute){.id = (uint32_t)id,
                             .component = a->component,
                             .components = a->components,
                             .out = malloc(size + 1)};
    job->count++;
    return out->out
               ? ETNA_OK
               : etna_fail(err, ETNA_E_NOMEM, "%s: no memory for %u vertices",
                           job->where, job->points);
}

/* The accessors of the extension's attributes that have no bytes of their
 * own. */
static etna_code gather_attributes(unpacking *u,
                                   const json_t *primitive,
                                   const json_t *extension,
                                   draco_job *job,
                                   etna_error *err)
{
    const json_t *own = json_object_get(primitive, "attributes");
    /* iterating takes it as not constant */
    json_t *named = json_object_get(extension, "attributes");
    const char *key;
    json_t *value;
    json_object_foreach(named, key, value)
    {
        uint32_t accessor;
        uint64_t id;
        (void)value;
        etna_code code = gltf_size(named, key, 0, job->where, &id, err);
        if (code == ETNA_OK)
            code = gltf_index(own, key, u->doc.accessor_count, job->where,
                              &accessor, err);
        if (code != ETNA_OK)
            return code;
        if (accessor == GLTF_NONE ||
            json_object_get(json_array_get(u->doc.accessors, accessor),
                            "bufferView")) {
            continue;
        }
        code = gather_attribute(u, key, id, accessor, job, err);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* Decoded indices in the accessor's own type; in place, from the front. */
static etna_code keep_indices(unpacking *u, draco_job *job, etna_error *err)
{
    const gltf_accessor *a = &job->index;
    uint8_t *out = (uint8_t *)job->triangles;
    for (size_t i = 0; i < a->count; i++) {
        uint32_t value = job->triangles[i];
        if (a->component_size < 4 && value >> (8 * a->component_size)) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "%s: index %u is beyond what its accessor's type holds",
                job->where, value);
        }
        memcpy(out + i * a->component_size, &value, a->component_size);
    }
    unpack_add(u, GLTF_ACCESSOR, a->index, out,
               (size_t)a->count * a->component_size);
    u->made_by[a->index] = job->view + 1;
    return ETNA_OK;
}

static etna_code unpacking_decode(unpacking *u,
                                  draco_job *job,
                                  bool indices_made,
                                  etna_error *err)
{
    const uint8_t *data;
    size_t size, stride;
    uint64_t triangles, vertices;
    etna_code code =
        gltf_view_bytes(&u->doc, job->view, &data, &size, &stride, err);
    if (code != ETNA_OK) {
        return etna_error_prefix(err, "%s", job->where);
    }
    if (!draco_claims(data, size, &triangles, &vertices)) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: bufferView %u is no Draco mesh of version 2.2 or older",
            job->where, job->view);
    }
    if (triangles != job->index.count / 3 || vertices > job->points) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: its Draco data says %llu triangles and %llu vertices, its accessors say %u and %u",
            job->where, (unsigned long long)triangles,
            (unsigned long long)vertices, job->index.count / 3, job->points);
    }
    const char *wrong =
        draco_take(data, size, job->points, job->index.count / 3,
                   job->triangles, job->attributes, job->count);
    if (wrong) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: its Draco data (bufferView %u) cannot be decoded: %s",
            job->where, job->view, wrong);
    }
    for (size_t i = 0; i < job->count; i++) {
        const gltf_accessor *a = &job->accessors[i];
        unpack_add(u, GLTF_ACCESSOR, a->index, job->attributes[i].out,
                   (size_t)a->count * a->components * a->component_size);
        u->made_by[a->index] = job->view + 1;
    }
    return indices_made ? ETNA_OK : keep_indices(u, job, err);
}

/* Of a primitive's members, what its decoding begins with. */
typedef struct draco_members {
    uint32_t position, indices; /* accessors */
    uint64_t mode;              /* 4: a list of triangles */
} draco_members;

static etna_code read_draco_members(const unpacking *u,
                                    const json_t *primitive,
                                    const json_t *extension,
                                    draco_job *job,
                                    draco_members *ret,
                                    etna_error *err)
{
    const json_t *attributes = json_object_get(primitive, "attributes");
    uint32_t accessors = u->doc.accessor_count;
    etna_code code =
        gltf_size(primitive, "mode", 4, job->where, &ret->mode, err);
    if (code == ETNA_OK)
        code = gltf_index(extension, "bufferView", u->doc.view_count,
                          job->where, &job->view, err);
    if (code == ETNA_OK)
        code = gltf_index(primitive, "indices", accessors, job->where,
                          &ret->indices, err);
    if (code == ETNA_OK)
        code = gltf_index(attributes, "POSITION", accessors, job->where,
                          &ret->position, err);
    return code;
}

static bool holds_triangles(const gltf_accessor *a)
{
    bool are_triples = a->count % 3 == 0 && a->count / 3 <= GLTF_TRIANGLES_MAX;
    return are_triples && a->components == 1 && gltf_is_unsigned(a);
}

/* The primitive's own members: triangles, a POSITION and indices that Draco
 * fills. */
static etna_code unpacking_begin(unpacking *u,
                                 const json_t *primitive,
                                 const json_t *extension,
                                 draco_job *job,
                                 bool *ret_indices_made,
                                 etna_error *err)
{
    draco_members members;
    gltf_accessor a;
    etna_code code =
        read_draco_members(u, primitive, extension, job, &members, err);
    if (code != ETNA_OK)
        return code;
    uint32_t indices = members.indices;
    bool has_position =
        json_object_get(json_object_get(extension, "attributes"), "POSITION") !=
        NULL;
    bool has_list = members.mode == 4 && indices != GLTF_NONE;
    bool is_packed =
        has_list && !json_object_get(json_array_get(u->doc.accessors, indices),
                                     "bufferView");
    if (!is_packed || job->view == GLTF_NONE || !has_position) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: of KHR_draco_mesh_compression only lists of triangles with their indices and POSITION are "
            "read; decompress it first: gltf-transform copy IN.glb OUT.glb",
            job->where);
    }
    code = unpacking_claim(u, job, indices, &job->index, ret_indices_made, err);
    if (code == ETNA_OK)
        code = gltf_accessor_open(&u->doc, members.position, &a, err);
    if (code != ETNA_OK)
        return code;
    job->points = a.count;
    if (!holds_triangles(&job->index)) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: accessor %u does not hold the indices of triangles",
            job->where, indices);
    }
    return unpack_afford(u, (uint64_t)job->index.count * 4, job->where, err);
}

etna_code unpack_primitive(unpacking *u,
                           const json_t *primitive,
                           const char *where,
                           etna_error *err)
{
    const json_t *extension =
        gltf_extension(primitive, "KHR_draco_mesh_compression");
    draco_job job = {.where = where};
    bool indices_made = false;
    etna_code code =
        unpacking_begin(u, primitive, extension, &job, &indices_made, err);
    if (code == ETNA_OK) {
        code = gather_attributes(u, primitive, extension, &job, err);
    }
    if (code == ETNA_OK && (job.count > 0 || !indices_made)) {
        job.triangles =
            malloc(((size_t)job.index.count + 1) * sizeof *job.triangles);
        code = job.triangles ? unpacking_decode(u, &job, indices_made, err)
                             : etna_fail(err, ETNA_E_NOMEM,
                                         "%s: no memory for %u indices", where,
                                         job.index.count);
    }
    for (size_t i = 0; i < job.count; i++) {
        free(job.attributes[i].out);
    }
    free(job.triangles);
    return code;
}
