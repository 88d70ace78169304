/* Changing a GLB's text where it stands. After each cut the text is scanned
 * anew: there are few, and none needs to know of another. */
#include "worker/convert/append_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const append_root_lists[APPEND_ROOT_LISTS] = {
    "nodes",   "meshes",         "materials",         "textures",
    "images",  "samplers",       "accessors",         "bufferViews",
    "buffers", "extensionsUsed", "extensionsRequired"};

/* The spaces at the end are put aside: text is added before them. On failure
 * the caller still calls surgery_end. */
etna_code surgery_begin(surgery *s,
                        const uint8_t *file,
                        size_t size,
                        etna_error *err)
{
    *s = (surgery){.bytes = file};
    etna_code code = gltf_split(file, size, &s->chunks, err);
    if (code == ETNA_OK && !s->chunks.glb)
        code = etna_fail(err, ETNA_E_INPUT, "the scene is no GLB");
    if (code == ETNA_OK)
        code = gltf_parse_json(s->chunks.json, s->chunks.json_size, "the JSON",
                               &s->root, err);
    if (code != ETNA_OK)
        return code;
    s->size = s->chunks.json_size;
    while (s->size > 0 && s->chunks.json[s->size - 1] == ' ')
        s->size--;
    s->spaces = s->chunks.json_size - s->size;
    if (!(s->text = malloc(s->size + 1)))
        return etna_fail(err, ETNA_E_NOMEM, "no memory for the scene's text");
    memcpy(s->text, s->chunks.json, s->size);
    s->text[s->size] = 0;
    return ETNA_OK;
}

void surgery_end(surgery *s)
{
    json_decref(s->root);
    free(s->text);
    *s = (surgery){.failed = true};
}

bool surgery_asset(const surgery *s, json_span *ret)
{
    return json_member(s->text, json_root(s->text, s->size), "asset", ret);
}

bool surgery_extras(const surgery *s, json_span *ret)
{
    json_span asset;
    return surgery_asset(s, &asset) &&
           json_member(s->text, asset, "extras", ret);
}

/* The default scene, or the first. */
bool surgery_scene(const surgery *s, json_span *ret)
{
    json_span list;
    size_t count = 0;
    json_int_t chosen = json_integer_value(json_object_get(s->root, "scene"));
    json_span *scenes = NULL;
    if (json_member(s->text, json_root(s->text, s->size), "scenes", &list)) {
        scenes = json_elements(s->text, list, &count);
    }
    bool found = scenes && chosen >= 0 && (size_t)chosen < count;
    if (found)
        *ret = scenes[chosen];
    free(scenes);
    return found;
}

/* After a failure nothing more is done; surgery_finish tells it. */
static void surgery_edit(surgery *s, json_edits *edits)
{
    size_t size = 0;
    char *text =
        s->failed ? NULL : json_edits_apply(edits, s->text, s->size, &size);
    json_edits_free(edits);
    s->failed = text == NULL;
    if (s->failed)
        return;
    free(s->text);
    s->text = text;
    s->size = size;
}

void surgery_put(surgery *s, size_t begin, size_t end, const char *with)
{
    json_edits edits = {0};
    json_edit_add(&edits, begin, end, with);
    surgery_edit(s, &edits);
}

void surgery_set(surgery *s,
                 json_span object,
                 const char *key,
                 const char *value)
{
    json_edits edits = {0};
    json_edit_set(&edits, s->text, object, key, value);
    surgery_edit(s, &edits);
}

void surgery_remove(surgery *s, json_span object, const char *key)
{
    json_edits edits = {0};
    json_edit_remove(&edits, s->text, object, key);
    surgery_edit(s, &edits);
}

/* `elements` begins with a comma, which falls away in an empty list. */
void surgery_lengthen(surgery *s,
                      json_span object,
                      const char *key,
                      const char *elements)
{
    json_span list;
    size_t count = 0;
    if (!json_member(s->text, object, key, &list)) {
        char *whole = malloc(strlen(elements) + 3);
        if (whole)
            sprintf(whole, "[%s]", elements + 1);
        s->failed = s->failed || !whole;
        if (whole)
            surgery_set(s, object, key, whole);
        free(whole);
        return;
    }
    json_span *old = json_elements(s->text, list, &count);
    s->failed = s->failed || !old;
    size_t at = count ? 0 : list.begin + 1;
    if (old && count)
        at = old[count - 1].end;
    free(old);
    if (!s->failed)
        surgery_put(s, at, at, elements + (count == 0));
}

/* `count` < 0: the list was not there before and goes whole. */
void surgery_shorten(surgery *s,
                     json_span object,
                     const char *key,
                     int64_t count)
{
    json_span list;
    size_t now = 0;
    if (!json_member(s->text, object, key, &list))
        return;
    if (count < 0) {
        surgery_remove(s, object, key);
        return;
    }
    json_span *old = json_elements(s->text, list, &now);
    s->failed = s->failed || !old;
    if (old && (size_t)count < now) {
        size_t begin = count ? old[count - 1].end : old[0].begin;
        surgery_put(s, begin, old[now - 1].end, "");
    }
    free(old);
}

static size_t put_chunk(uint8_t *out,
                        const char type[4],
                        const void *bytes,
                        size_t size,
                        size_t padded,
                        char pad)
{
    gltf_put_u32(out, padded);
    memcpy(out + 4, type, 4);
    if (size)
        memcpy(out + 8, bytes, size);
    memset(out + 8 + size, pad, padded - size);
    return 8 + padded;
}

/* `spaces` at the end of the text are restored where the length comes out right
 * with them. */
etna_code surgery_finish(surgery *s,
                         const uint8_t *bin,
                         size_t bin_size,
                         size_t spaces,
                         uint8_t **ret,
                         size_t *ret_size,
                         etna_error *err)
{
    const gltf_chunks *old = &s->chunks;
    if (s->failed)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for the scene's text");
    size_t end = old->bin ? old->bin_begin + old->bin_size
                          : (size_t)((const uint8_t *)old->json - s->bytes) +
                                old->json_size;
    size_t text = s->size + spaces;
    size_t rest = old->used > end ? old->used - end : 0;
    size_t padded = (bin_size + 3) & ~(size_t)3;
    if (text % 4)
        text = (s->size + 3) & ~(size_t)3;
    size_t total = 20 + text + (bin ? 8 + padded : 0) + rest;
    uint8_t *out = total <= UINT32_MAX ? malloc(total) : NULL;
    if (!out) {
        return etna_fail(err, total > UINT32_MAX ? ETNA_E_LIMIT : ETNA_E_NOMEM,
                         "a GLB of %zu bytes cannot be made", total);
    }
    memcpy(out, "glTF\2\0\0\0", 8);
    gltf_put_u32(out + 8, total);
    size_t at = 12 + put_chunk(out + 12, "JSON", s->text, s->size, text, ' ');
    if (bin)
        at += put_chunk(out + at, "BIN\0", bin, bin_size, padded, 0);
    if (rest)
        memcpy(out + at, s->bytes + end, rest);
    *ret = out;
    *ret_size = total;
    return ETNA_OK;
}

json_t *append_record(const json_t *root)
{
    json_t *list = json_object_get(
        json_object_get(json_object_get(root, "asset"), "extras"),
        APPEND_RECORD);
    return json_array_size(list) ? list : NULL;
}
