/* The container and the document: chunks, JSON, buffers, members with checked
 * types.
 *
 * Begin at gltf_open: the bundle's main file is split into its chunks, the JSON
 * is parsed within bounds, required extensions are checked, then every list and
 * buffer is opened. What it leaves is a document of which every list is a list
 * of objects, every count is bounded and every buffer is at least as long as it
 * says; all other files of the room rely on that. Nothing here trusts a size
 * before it was compared with the bytes at hand. */
#include "worker/gltf/gltf.h"
#include "proto/array.h"
#include "proto/utf8.h"
#include "worker/gltf/json.h"

#include <assert.h>
#include <float.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* ---- chunks ---- */

/* Little-endian, at any alignment. */
static uint32_t read_u32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
           (uint32_t)at[3] << 24;
}

/* a chunk's type: its name, little-endian */
enum {
    GLB_JSON = 0x4e4f534a,
    GLB_BIN = 0x004e4942
};

/* The header's length, once it agrees with what is there. */
static etna_code glb_check_header(const uint8_t *file,
                                  size_t size,
                                  uint32_t *ret_length,
                                  etna_error *err)
{
    if (size < 20) {
        return etna_fail(err, ETNA_E_INPUT,
                         "GLB is truncated: %zu bytes are less than its header",
                         size);
    }
    uint32_t version = read_u32(file + 4);
    uint32_t length = read_u32(file + 8);
    if (version != 2) {
        return etna_fail(err, ETNA_E_INPUT,
                         "GLB version %u is not read; convert it to glTF 2.0",
                         version);
    }
    if (length > size) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "GLB is truncated: its header says %u bytes, the file has %zu",
            length, size);
    }
    if (length < 20) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "GLB header says %u bytes, less than a header and a chunk", length);
    }
    *ret_length = length;
    return ETNA_OK;
}

/* JSON comes first, then at most one BIN; chunks of unknown types behind them
 * are ignored, as the format asks. */
static etna_code glb_take_chunk(gltf_chunks *c,
                                const uint8_t *file,
                                unsigned chunk,
                                uint32_t type,
                                size_t at,
                                size_t n,
                                etna_error *err)
{
    if (chunk == 0 && type != GLB_JSON) {
        return etna_fail(err, ETNA_E_INPUT, "GLB chunk 0 is not JSON");
    }
    if (chunk == 0) {
        c->json = (const char *)file + at;
        c->json_size = n;
    } else if (chunk == 1 && type == GLB_BIN) {
        c->bin = file + at;
        c->bin_size = n;
        c->bin_begin = at;
    } else if (type == GLB_BIN || type == GLB_JSON) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "GLB chunk %u is a second or misplaced JSON or BIN chunk", chunk);
    }
    return ETNA_OK;
}

/* Bytes behind the length that the header tells are no part of it;
 * gltf_chunks.used says where they begin. A chunk's padding is part of its
 * length. */
static etna_code split_glb(const uint8_t *file,
                           size_t size,
                           gltf_chunks *ret,
                           etna_error *err)
{
    gltf_chunks c = {.glb = true};
    uint32_t length = 0;
    etna_code code = glb_check_header(file, size, &length, err);
    if (code != ETNA_OK)
        return code;
    c.used = length;
    size_t at = 12;
    for (unsigned chunk = 0; length - at >= 8; chunk++) {
        size_t n = read_u32(file + at);
        uint32_t type = read_u32(file + at + 4);
        at += 8;
        if (n > length - at) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "GLB chunk %u says %zu bytes, but %zu are left of the file",
                chunk, n, length - at);
        }
        code = glb_take_chunk(&c, file, chunk, type, at, n, err);
        if (code != ETNA_OK)
            return code;
        at += n;
    }
    *ret = c;
    return ETNA_OK;
}

/* Little-endian. Larger values are the caller's mistake. */
void gltf_put_u32(uint8_t *at, size_t value)
{
    assert(value <= UINT32_MAX);
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* A text is told by its first bracket, behind a byte order mark and white
 * space. */
etna_code gltf_split(const uint8_t *file,
                     size_t size,
                     gltf_chunks *ret,
                     etna_error *err)
{
    if (size >= 4 && memcmp(file, "glTF", 4) == 0) {
        return split_glb(file, size, ret, err);
    }
    size_t at = etna_utf8_mark((const char *)file, size);
    while (at < size && json_is_blank((char)file[at]))
        at++;
    if (at >= size || file[at] != '{') {
        return size == 0
                   ? etna_fail(err, ETNA_E_INPUT, "the file is empty")
                   : etna_fail(
                         err, ETNA_E_INPUT,
                         "neither GLB (wrong magic) nor glTF JSON; other formats are told by a name's end: .obj, "
                         ".fbx, .ply, .stl, .dae, .blend, .sh3f#NAME");
    }
    *ret = (gltf_chunks){
        .json = (const char *)file + at, .json_size = size - at, .used = size};
    return ETNA_OK;
}

/* Names in Latin-1 and the like, which old exporters wrote; NULL as
 * json_loadb. */
static json_t *parse_repaired(const char *text,
                              size_t size,
                              json_error_t *error)
{
    char *repaired = malloc(2 * size + 1);
    if (!repaired) {
        return NULL;
    }
    json_t *root = json_loadb(repaired, etna_utf8_repair(text, size, repaired),
                              JSON_REJECT_DUPLICATES, error);
    free(repaired);
    return root;
}

/* Bounds first: Jansson would take as much memory as the text asks for. */
etna_code gltf_parse_json(const char *text,
                          size_t size,
                          const char *what,
                          json_t **ret_root,
                          etna_error *err)
{
    etna_code code = json_check_bounds(text, size, what, err);
    if (code != ETNA_OK) {
        return code;
    }
    /* some writers pad the chunk with NUL */
    while (size > 0 && text[size - 1] == 0) {
        size--;
    }
    json_error_t error;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (!root && json_error_code(&error) == json_error_invalid_utf8) {
        root = parse_repaired(text, size, &error);
    }
    if (!root) {
        if (json_error_code(&error) == json_error_out_of_memory) {
            return etna_fail(err, ETNA_E_NOMEM, "%s: no memory", what);
        }
        bool utf8 = json_error_code(&error) == json_error_invalid_utf8;
        return etna_fail(err, ETNA_E_INPUT, "%s: line %d, column %d: %s%s",
                         what, error.line, error.column,
                         utf8 ? "text that is not UTF-8: " : "", error.text);
    }
    if (!json_is_object(root)) {
        json_decref(root);
        return etna_fail(err, ETNA_E_INPUT, "%s: is not an object", what);
    }
    *ret_root = root;
    return ETNA_OK;
}

/* False: it is no base64, or there is no memory. The caller frees *ret_data. */
bool gltf_data_uri(const char *uri, uint8_t **ret_data, size_t *ret_size)
{
    /* Exporters write either alphabet, and some leave the padding out. */
    static const int variants[] = {sodium_base64_VARIANT_ORIGINAL,
                                   sodium_base64_VARIANT_ORIGINAL_NO_PADDING,
                                   sodium_base64_VARIANT_URLSAFE,
                                   sodium_base64_VARIANT_URLSAFE_NO_PADDING};
    const char *payload =
        strncmp(uri, "data:", 5) == 0 ? strstr(uri, ";base64,") : NULL;
    if (!payload)
        return false;
    payload += strlen(";base64,");
    size_t length = strlen(payload);
    size_t room = length / 4 * 3 + 4;
    uint8_t *data = malloc(room);
    if (!data)
        return false;
    for (size_t i = 0; i < COUNT_OF(variants); i++) {
        if (sodium_base642bin(data, room, payload, length, NULL, ret_size, NULL,
                              variants[i]) != 0)
            continue;
        *ret_data = data;
        return true;
    }
    free(data);
    return false;
}

/* ---- members ---- */

/* A whole number >= 0, written as an integer or as a real without fraction. */
static bool gltf_whole(const json_t *value, uint64_t *ret)
{
    if (json_is_integer(value) && json_integer_value(value) >= 0) {
        *ret = (uint64_t)json_integer_value(value);
        return true;
    }
    double real = json_real_value(value);
    bool is_count = real >= 0 && real <= 9e15 && floor(real) == real;
    if (json_is_real(value) && is_count) {
        *ret = (uint64_t)real;
        return true;
    }
    return false;
}

/* A missing member is GLTF_NONE; a wrong one is an error that names the
 * place. */
etna_code gltf_index(const json_t *object,
                     const char *key,
                     uint32_t bound,
                     const char *where,
                     uint32_t *ret,
                     etna_error *err)
{
    const json_t *value = json_object_get(object, key);
    uint64_t number;
    if (!value) {
        *ret = GLTF_NONE;
        return ETNA_OK;
    }
    if (!gltf_whole(value, &number)) {
        return etna_fail(err, ETNA_E_INPUT, "%s: \"%s\" is not an index", where,
                         key);
    }
    if (number >= bound) {
        return etna_fail(err, ETNA_E_INPUT,
                         "%s: \"%s\" is %llu, but there are only %u", where,
                         key, (unsigned long long)number, bound);
    }
    *ret = (uint32_t)number;
    return ETNA_OK;
}

/* A missing member is `fallback`. */
etna_code gltf_size(const json_t *object,
                    const char *key,
                    uint64_t fallback,
                    const char *where,
                    uint64_t *ret,
                    etna_error *err)
{
    const json_t *value = json_object_get(object, key);
    uint64_t number = fallback;
    if (value && !gltf_whole(value, &number)) {
        return etna_fail(err, ETNA_E_INPUT,
                         "%s: \"%s\" is not a whole number >= 0", where, key);
    }
    *ret = number;
    return ETNA_OK;
}

/* Several such members of one object, the first wrong one being the error. */
etna_code gltf_sizes(const json_t *object,
                     const gltf_size_member *members,
                     size_t count,
                     const char *where,
                     etna_error *err)
{
    for (size_t i = 0; i < count; i++) {
        etna_code code = gltf_size(object, members[i].key, members[i].fallback,
                                   where, members[i].ret, err);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* Bounded by single precision, as positions become floats. *ret stays as it is
 * where the member is missing. */
etna_code gltf_numbers(const json_t *object,
                       const char *key,
                       uint32_t count,
                       double *ret,
                       bool *ret_given,
                       const char *where,
                       etna_error *err)
{
    const json_t *list = json_object_get(object, key);
    if (ret_given) {
        *ret_given = list != NULL;
    }
    if (!list) {
        return ETNA_OK;
    }
    if (!json_is_array(list) || json_array_size(list) != count) {
        return etna_fail(err, ETNA_E_INPUT,
                         "%s: \"%s\" is not a list of %u numbers", where, key,
                         count);
    }
    for (uint32_t i = 0; i < count; i++) {
        const json_t *value = json_array_get(list, i);
        double number = json_number_value(value);
        if (!json_is_number(value) || !(fabs(number) <= FLT_MAX)) {
            return etna_fail(err, ETNA_E_INPUT, "%s: \"%s\"[%u] is %s", where,
                             key, i,
                             json_is_number(value) ? "beyond single precision"
                                                   : "no number");
        }
        ret[i] = number;
    }
    return ETNA_OK;
}

/* NULL: missing, or no text. Borrowed from the document. */
const char *gltf_text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* NULL: the object does not use it. */
json_t *gltf_extension(const json_t *object, const char *name)
{
    return json_object_get(json_object_get(object, "extensions"), name);
}

/* The KHR form is the EXT form's successor with the same members. */
const json_t *gltf_meshopt(const json_t *view)
{
    const json_t *ext = gltf_extension(view, "EXT_meshopt_compression");
    return ext ? ext : gltf_extension(view, "KHR_meshopt_compression");
}

/* What unpack.h calls the decoded bytes of an accessor or a view within a
 * bundle. The prefix is none that a file's own URI can have. */
void gltf_decoded_uri(gltf_part part, uint32_t index, char ret[32])
{
    snprintf(ret, 32, GLTF_DECODED_PREFIX "%s/%u",
             part == GLTF_ACCESSOR ? "accessor" : "view", index);
}

/* NULL: it was not compressed. */
const bundle_file *gltf_decoded(const gltf_doc *doc,
                                gltf_part part,
                                uint32_t index)
{
    char uri[32];
    gltf_decoded_uri(part, index, uri);
    return bundle_find(&doc->bundle, uri);
}

/* A primitive with POSITION bytes of its own is readable without Draco, which
 * is then ignored. */
bool gltf_draco_only(const gltf_doc *doc, const json_t *primitive)
{
    uint32_t accessor;
    return gltf_extension(primitive, "KHR_draco_mesh_compression") &&
           gltf_index(json_object_get(primitive, "attributes"), "POSITION",
                      doc->accessor_count, "", &accessor, NULL) == ETNA_OK &&
           accessor != GLTF_NONE &&
           !json_object_get(json_array_get(doc->accessors, accessor),
                            "bufferView");
}

/* ---- the document ---- */

/* A missing list is empty. Every member is an object afterwards, so nobody
 * behind it checks that. */
static etna_code gltf_take_list(gltf_doc *doc,
                                const char *key,
                                uint32_t bound,
                                json_t **ret,
                                uint32_t *ret_count,
                                etna_error *err)
{
    json_t *list = json_object_get(doc->root, key);
    if (list && !json_is_array(list)) {
        return etna_fail(err, ETNA_E_INPUT, "\"%s\" is not a list", key);
    }
    size_t count = json_array_size(list);
    if (count > bound) {
        return etna_fail(err, ETNA_E_LIMIT,
                         "%zu %s are more than the %u this reads", count, key,
                         bound);
    }
    for (size_t i = 0; i < count; i++) {
        if (!json_is_object(json_array_get(list, i))) {
            return etna_fail(err, ETNA_E_INPUT, "%s %zu is not an object", key,
                             i);
        }
    }
    *ret = list;
    if (ret_count) {
        *ret_count = (uint32_t)count;
    }
    return ETNA_OK;
}

static etna_code gltf_take_lists(gltf_doc *doc, etna_error *err)
{
    const struct {
        const char *key;
        json_t **list;
        uint32_t *count;
    } lists[] = {
        {"nodes", &doc->nodes, &doc->node_count},
        {"meshes", &doc->meshes, &doc->mesh_count},
        {"accessors", &doc->accessors, &doc->accessor_count},
        {"bufferViews", &doc->views, &doc->view_count},
        {"materials", &doc->materials, &doc->material_count},
        {"textures", &doc->textures, &doc->texture_count},
        {"images", &doc->images, &doc->image_count},
        {"samplers", &doc->samplers, NULL},
        {"cameras", &doc->cameras, &doc->camera_count},
        {"skins", &doc->skins, &doc->skin_count},
        {"animations", &doc->animations, NULL},
        {"scenes", &doc->scenes, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        etna_code code = gltf_take_list(doc, lists[i].key, GLTF_LIST_MAX,
                                        lists[i].list, lists[i].count, err);
        if (code != ETNA_OK) {
            return code;
        }
    }
    return ETNA_OK;
}

/* What a file may require: what this reads, what changes only how a surface
 * looks, and images that a warning covers. */
static bool known_extension(const char *name)
{
    static const char *const known[] = {
        "KHR_mesh_quantization",   "KHR_texture_transform",
        "KHR_lights_punctual",     "KHR_texture_basisu",
        "EXT_texture_webp",        "EXT_texture_avif",
        "EXT_mesh_gpu_instancing", "KHR_xmp",
        "KHR_xmp_json_ld",         "KHR_animation_pointer",
        "EXT_lights_image_based",  "KHR_draco_mesh_compression",
        "EXT_meshopt_compression", "KHR_meshopt_compression"};
    return WORD_IS_OF(name, known) || strncmp(name, "KHR_materials_", 14) == 0;
}

/* Names the first that is not known. `extensionsUsed` is only a hint and is not
 * looked at. */
static etna_code check_extensions(const gltf_doc *doc, etna_error *err)
{
    const json_t *required = json_object_get(doc->root, "extensionsRequired");
    for (size_t i = 0; i < json_array_size(required); i++) {
        const char *name = json_string_value(json_array_get(required, i));
        if (name && !known_extension(name)) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "it requires the extension %.100s, which is not known; export the scene without it",
                name);
        }
    }
    return ETNA_OK;
}

/* A buffer without a URI: the GLB's own chunk, or a placeholder for what its
 * views hold compressed. */
static etna_code open_own_buffer(const gltf_doc *doc,
                                 uint32_t index,
                                 const json_t *json,
                                 uint64_t length,
                                 gltf_buffer *buffer,
                                 size_t *ret_have,
                                 etna_error *err)
{
    if (json_is_true(json_object_get(gltf_meshopt(json), "fallback"))) {
        buffer->absent = true;
        *ret_have = (size_t)length;
    } else if (index == 0 && doc->chunks.bin) {
        buffer->data = doc->chunks.bin;
        buffer->bin_begin = doc->chunks.bin_begin;
        *ret_have = doc->chunks.bin_size;
    } else if (length > 0) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "buffer %u has no \"uri\" and there is no BIN chunk for it", index);
    }
    return ETNA_OK;
}

/* A buffer in a data: URI, or in a file of the bundle. */
static etna_code open_named_buffer(const gltf_doc *doc,
                                   uint32_t index,
                                   const char *uri,
                                   gltf_buffer *buffer,
                                   size_t *ret_have,
                                   etna_error *err)
{
    if (strncmp(uri, "data:", 5) == 0) {
        if (!gltf_data_uri(uri, &buffer->owned, ret_have)) {
            return etna_fail(err, ETNA_E_INPUT,
                             "buffer %u: its data: URI is not base64", index);
        }
        buffer->data = buffer->owned;
        return ETNA_OK;
    }
    const bundle_file *file = bundle_find(&doc->bundle, uri);
    if (!file) {
        return etna_fail(err, ETNA_E_INPUT,
                         "buffer %u: the file \"%.200s\" is not there", index,
                         uri);
    }
    buffer->data = file->data;
    *ret_have = file->size;
    return ETNA_OK;
}

/* bin_begin is where the buffer lies in the file, for exports that change
 * numbers in place; SIZE_MAX: it does not lie there. */
static etna_code open_buffer(gltf_doc *doc,
                             uint32_t index,
                             const json_t *json,
                             etna_error *err)
{
    gltf_buffer *buffer = &doc->buffers[index];
    const char *uri = gltf_text(json, "uri");
    char where[32];
    uint64_t length = 0;
    size_t have = 0;
    snprintf(where, sizeof where, "buffer %u", index);
    etna_code code = gltf_size(json, "byteLength", 0, where, &length, err);
    if (code != ETNA_OK) {
        return code;
    }
    buffer->bin_begin = SIZE_MAX;
    code = uri ? open_named_buffer(doc, index, uri, buffer, &have, err)
               : open_own_buffer(doc, index, json, length, buffer, &have, err);
    if (code != ETNA_OK)
        return code;
    if (length > have) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "buffer %u says %llu bytes, but there are %zu; the file is truncated or wrong",
            index, (unsigned long long)length, have);
    }
    buffer->size = (size_t)length;
    if (!buffer->data) { /* an empty buffer is still a place to point into */
        buffer->data = (const uint8_t *)"";
    }
    return ETNA_OK;
}

/* buffer_count is set before the first is opened, so that gltf_close frees what
 * a failure leaves. */
static etna_code open_buffers(gltf_doc *doc, etna_error *err)
{
    json_t *list;
    uint32_t count = 0;
    etna_code code = gltf_take_list(doc, "buffers", 100000, &list, &count, err);
    if (code != ETNA_OK) {
        return code;
    }
    doc->buffers = etna_arena_alloc(&doc->arena, count, sizeof *doc->buffers);
    if (!doc->buffers) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u buffers", count);
    }
    doc->buffer_count = count;
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        code = open_buffer(doc, i, json_array_get(list, i), err);
    }
    return code;
}

/* On failure the caller still calls gltf_close. */
etna_code gltf_open(gltf_doc *doc,
                    const uint8_t *bundle,
                    size_t size,
                    etna_error *err)
{
    *doc = (gltf_doc){0};
    etna_code code = bundle_open(bundle, size, &doc->arena, &doc->bundle, err);
    if (code == ETNA_OK &&
        !(doc->work = etna_arena_alloc(&doc->arena, 1, sizeof *doc->work))) {
        code = etna_fail(err, ETNA_E_NOMEM, "no memory for the document");
    }
    if (code == ETNA_OK) {
        code = gltf_split(doc->bundle.main, doc->bundle.main_size, &doc->chunks,
                          err);
    }
    if (code == ETNA_OK) {
        code = gltf_parse_json(doc->chunks.json, doc->chunks.json_size, "JSON",
                               &doc->root, err);
    }
    if (code != ETNA_OK) {
        return code;
    }
    const char *version =
        gltf_text(json_object_get(doc->root, "asset"), "version");
    if (!version) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "this is no glTF: \"asset\" with a \"version\" is missing; a house or a room in JSON (ProcTHOR, Holodeck, SceneEval, ReSpace) "
            "becomes a scene by `etna bench rooms FILE.json -o DIR`");
    }
    if (strncmp(version, "2.", 2) != 0) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "glTF version \"%.20s\" is not read; convert it to 2.0", version);
    }
    if ((code = check_extensions(doc, err)) != ETNA_OK ||
        (code = gltf_take_lists(doc, err)) != ETNA_OK ||
        (code = gltf_part_shared(doc, err)) != ETNA_OK) {
        return code;
    }
    return open_buffers(doc, err);
}

/* Also of a document that gltf_open left half-way. */
void gltf_close(gltf_doc *doc)
{
    for (uint32_t i = 0; i < doc->buffer_count; i++) {
        free(doc->buffers[i].owned);
    }
    json_decref(doc->root);
    etna_arena_free(&doc->arena);
    *doc = (gltf_doc){0};
}
