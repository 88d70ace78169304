/* Walks a scene's file for compressed geometry and keeps what the decoders make
 * of it; bounds what they may make. */
#include "worker/gltf/unpack.h"
#include "proto/array.h"
#include "worker/gltf/bundle.h"
#include "worker/gltf/unpack_internal.h"

#include <stdlib.h>
#include <string.h>

#define DECODED_MAX ((uint64_t)2 << 30)

/* A search in the text, which may find a name that is not an extension: then
 * decoding finds nothing to do. */
bool unpack_wanted(const uint8_t *bundle, size_t size)
{
    static const char *const names[] = {"KHR_draco_mesh_compression",
                                        "EXT_meshopt_compression",
                                        "KHR_meshopt_compression"};
    etna_arena arena = {0};
    bundle_view view;
    gltf_chunks chunks;
    bool found = false;
    if (bundle_open(bundle, size, &arena, &view, NULL) == ETNA_OK &&
        gltf_split(view.main, view.main_size, &chunks, NULL) == ETNA_OK) {
        for (size_t i = 0; i < COUNT_OF(names); i++) {
            found = found || memmem(chunks.json, chunks.json_size, names[i],
                                    strlen(names[i]));
        }
    }
    etna_arena_free(&arena);
    return found;
}

/* Asked before each allocation; the bound is for all of a scene together. */
etna_code unpack_afford(unpacking *u,
                        uint64_t bytes,
                        const char *where,
                        etna_error *err)
{
    if (bytes > DECODED_MAX - u->bytes) {
        return etna_fail(
            err, ETNA_E_LIMIT,
            "%s: decoded, the scene's compressed geometry would be more than the %llu bytes this reads",
            where, (unsigned long long)DECODED_MAX);
    }
    u->bytes += (size_t)bytes;
    return ETNA_OK;
}

void unpack_add(
    unpacking *u, gltf_part part, uint32_t index, const void *data, size_t size)
{
    char uri[32];
    gltf_decoded_uri(part, index, uri);
    canon_text(&u->parts, uri);
    canon_bytes(&u->parts, data, size);
    u->count++;
}

static etna_code unpack_mesh(unpacking *u, uint32_t index, etna_error *err)
{
    const json_t *mesh = json_array_get(u->doc.meshes, index);
    const json_t *list = json_object_get(mesh, "primitives");
    const char *name = gltf_text(mesh, "name");
    etna_code code = ETNA_OK;
    for (size_t i = 0; code == ETNA_OK && i < json_array_size(list); i++) {
        char where[128];
        snprintf(where, sizeof where, "mesh %u (\"%.60s\") primitive %zu",
                 index, name ? name : "", i);
        if (gltf_draco_only(&u->doc, json_array_get(list, i))) {
            code = unpack_primitive(u, json_array_get(list, i), where, err);
        }
    }
    return code;
}

/* Views first: a mesh's Draco data may lie in one that meshopt compressed. */
static etna_code unpacking_run(unpacking *u, etna_error *err)
{
    etna_code code = ETNA_OK;
    u->made_by = etna_arena_alloc(&u->doc.arena, u->doc.accessor_count,
                                  sizeof *u->made_by);
    if (!u->made_by)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u accessors",
                         u->doc.accessor_count);
    for (uint32_t i = 0; code == ETNA_OK && i < u->doc.view_count; i++) {
        code = unpack_view(u, i, err);
    }
    for (uint32_t i = 0; code == ETNA_OK && i < u->doc.mesh_count; i++) {
        code = unpack_mesh(u, i, err);
    }
    return code;
}

etna_code unpack_parts(const uint8_t *bundle,
                       size_t size,
                       uint8_t **ret_parts,
                       size_t *ret_size,
                       etna_error *err)
{
    unpacking u = {.count = 0};
    canon_writer out = {0};
    etna_code code = gltf_open(&u.doc, bundle, size, err);
    if (code == ETNA_OK)
        code = unpacking_run(&u, err);
    if (code == ETNA_OK) {
        canon_u32(&out, u.count);
        canon_raw(&out, u.parts.data, u.parts.size);
        if (out.failed || u.parts.failed) {
            code = etna_fail(err, ETNA_E_NOMEM,
                             "no memory for %zu bytes of decoded geometry",
                             u.bytes);
        }
    }
    canon_writer_free(&u.parts);
    gltf_close(&u.doc);
    if (code != ETNA_OK) {
        canon_writer_free(&out);
        return code;
    }
    *ret_parts = out.data;
    *ret_size = out.size;
    return ETNA_OK;
}

/* `parts` come from a child process that read hostile data: bundle_open checks
 * the whole again. */
etna_code unpack_join(const uint8_t *bundle,
                      size_t size,
                      const uint8_t *parts,
                      size_t parts_size,
                      uint8_t **ret_data,
                      size_t *ret_size,
                      etna_error *err)
{
    canon_reader r = canon_read(parts, parts_size);
    uint32_t count = canon_get_u32(&r);
    if (r.failed) {
        return etna_fail(err, ETNA_E_INPUT,
                         "the decoded geometry cannot be read back");
    }
    return bundle_add_files(bundle, size, count, parts + 4, parts_size - 4,
                            ret_data, ret_size, err);
}
