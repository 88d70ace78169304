/* Taking out of a GLB again: its last append as a whole, or nodes from the
 * lists that show them. */
#include "worker/convert/append_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the last layer ---- */

/* How long a list was; `most` is how long it is now. False: the record is not
 * of this file. */
static bool layer_count(const json_t *layer,
                        const char *key,
                        size_t most,
                        int64_t *ret)
{
    const json_t *value = json_object_get(layer, key);
    json_int_t count = json_integer_value(value);
    *ret = count;
    return json_is_integer(value) && count >= -1 && count <= (json_int_t)most;
}

static size_t strip_list_size(const json_t *object, const char *key)
{
    return json_array_size(json_object_get(object, key));
}

static const json_t *shown_scene(const json_t *root)
{
    json_int_t chosen = json_integer_value(json_object_get(root, "scene"));
    return json_array_get(json_object_get(root, "scenes"),
                          chosen < 0 ? 0 : (size_t)chosen);
}

/* It names nodes of its own, [first, end), as roots: at least one, and no
 * others. */
static bool layer_has_roots(const json_t *layer, int64_t first, int64_t end)
{
    const json_t *roots = json_object_get(layer, "roots");
    for (size_t i = 0; i < json_array_size(roots); i++) {
        const json_t *node = json_array_get(roots, i);
        json_int_t at = json_integer_value(node);
        if (!json_is_integer(node) || at < first || at >= end)
            return false;
    }
    return json_array_size(roots) > 0;
}

/* Does the layer say of each of the file's lists how long it was, and no more
 * than it is? *ret_nodes: of the first of them, its nodes. */
static bool layer_has_lists(const json_t *root,
                            const json_t *layer,
                            int64_t *ret_nodes)
{
    const json_t *lists = json_object_get(layer, "lists");
    for (int i = 0; i < APPEND_ROOT_LISTS; i++) {
        int64_t count;
        if (!layer_count(lists, append_root_lists[i],
                         strip_list_size(root, append_root_lists[i]), &count))
            return false;
        if (i == 0)
            *ret_nodes = count;
    }
    return true;
}

/* Everything is compared with the file as it is now: a file that another
 * program wrote again no longer fits, and nothing is cut out of it. */
static bool layer_is_sound(const surgery *s, const json_t *layer)
{
    int64_t count, nodes = 0;
    const json_t *root = s->root;
    const json_t *extras =
        json_object_get(json_object_get(root, "asset"), "extras");
    size_t bin = s->chunks.bin ? s->chunks.bin_size : 0;
    if (!layer_has_lists(root, layer, &nodes))
        return false;
    bool sound = layer_count(
        layer, "shown", strip_list_size(shown_scene(root), "nodes"), &count);
    sound = layer_count(layer, "credits",
                        strip_list_size(extras, "etna_credits"), &count) &&
            sound;
    sound = layer_count(layer, "bin", bin, &count) && sound;
    sound = layer_count(layer, "length", bin, &count) && sound;
    sound = layer_count(layer, "spaces", 4096, &count) && count >= 0 && sound;
    sound = json_integer_value(json_object_get(layer, "end")) ==
                (json_int_t)strip_list_size(root, "nodes") &&
            sound;
    return sound && layer_has_roots(layer, nodes,
                                    (int64_t)strip_list_size(root, "nodes"));
}

static etna_code layer_last(const surgery *s,
                            const json_t **ret,
                            etna_error *err)
{
    const json_t *list = append_record(s->root);
    const json_t *layer = json_array_get(list, json_array_size(list) - 1);
    if (!list || !layer_is_sound(s, layer)) {
        return etna_fail(
            err, ETNA_E_NOTFOUND,
            "nothing was added to this file by us, or it was rewritten since");
    }
    *ret = layer;
    return ETNA_OK;
}

/* *ret owns `roots`; append_layer_free. */
etna_code append_read(const uint8_t *file,
                      size_t size,
                      append_layer *ret,
                      etna_error *err)
{
    surgery s;
    const json_t *layer = NULL, *node;
    size_t i;
    etna_code code = surgery_begin(&s, file, size, err);
    if (code == ETNA_OK)
        code = layer_last(&s, &layer, err);
    if (code == ETNA_OK) {
        const json_t *roots = json_object_get(layer, "roots");
        json_int_t first = json_integer_value(
            json_object_get(json_object_get(layer, "lists"), "nodes"));
        append_layer out = {.first_node = first < 0 ? 0 : (uint32_t)first,
                            .root_count = (uint32_t)json_array_size(roots)};
        out.node_count =
            (uint32_t)strip_list_size(s.root, "nodes") - out.first_node;
        out.roots = malloc((out.root_count + 1u) * sizeof *out.roots);
        if (out.roots) {
            json_array_foreach(roots, i, node) out.roots[i] =
                (uint32_t)json_integer_value(node);
            *ret = out;
        } else {
            code = etna_fail(err, ETNA_E_NOMEM, "no memory for %u nodes",
                             out.root_count);
        }
    }
    surgery_end(&s);
    return code;
}

void append_layer_free(append_layer *layer)
{
    free(layer->roots);
    *layer = (append_layer){.roots = NULL};
}

static int64_t layer_get(const json_t *layer, const char *key)
{
    return json_integer_value(json_object_get(layer, key));
}

static void strip_length(surgery *s, const json_t *layer)
{
    json_span list, length;
    size_t count = 0;
    char text[32];
    if (!json_member(s->text, json_root(s->text, s->size), "buffers", &list))
        return;
    json_span *buffers = json_elements(s->text, list, &count);
    if (buffers && count &&
        json_member(s->text, buffers[0], "byteLength", &length)) {
        snprintf(text, sizeof text, "%lld",
                 (long long)layer_get(layer, "length"));
        surgery_put(s, length.begin, length.end, text);
    }
    s->failed = s->failed || !buffers;
    free(buffers);
}

static bool span_is_empty(const surgery *s, const json_span *object)
{
    size_t inside = object->begin + 1;
    while (inside < object->end && json_is_blank(s->text[inside]))
        inside++;
    return s->text[inside] == '}';
}

/* Where no extras were before, empty ones go. */
static void strip_empty_extras(surgery *s)
{
    json_span extras, asset;
    if (s->failed || !surgery_extras(s, &extras) || !span_is_empty(s, &extras))
        return;
    if (surgery_asset(s, &asset))
        surgery_remove(s, asset, "extras");
}

/* Extras that were not there before go when nothing else came into them
 * since. */
static void strip_record(surgery *s, const json_t *layer, bool keep_frame)
{
    json_span extras;
    int64_t layers = (int64_t)json_array_size(append_record(s->root));
    if (surgery_extras(s, &extras))
        surgery_shorten(s, extras, "etna_credits", layer_get(layer, "credits"));
    if (surgery_extras(s, &extras))
        surgery_shorten(s, extras, APPEND_RECORD, layers > 1 ? layers - 1 : -1);
    bool has_frame =
        json_is_true(json_object_get(layer, "frame")) && !keep_frame;
    if (has_frame && surgery_extras(s, &extras))
        surgery_remove(s, extras, "etna_scene");
    if (!json_is_true(json_object_get(layer, "extras")))
        strip_empty_extras(s);
}

/* Every list is cut back to its length before, then bytes, record and the
 * spaces at the text's end: what comes out is the file from before, byte for
 * byte. */
etna_code append_strip(const uint8_t *file,
                       size_t size,
                       bool keep_frame,
                       uint8_t **ret,
                       size_t *ret_size,
                       etna_error *err)
{
    surgery s;
    const json_t *layer = NULL;
    json_span scene;
    etna_code code = surgery_begin(&s, file, size, err);
    if (code == ETNA_OK)
        code = layer_last(&s, &layer, err);
    if (code == ETNA_OK) {
        const json_t *lists = json_object_get(layer, "lists");
        bool shown = surgery_scene(&s, &scene);
        if (shown)
            surgery_shorten(&s, scene, "nodes", layer_get(layer, "shown"));
        for (int i = 0; i < APPEND_ROOT_LISTS; i++) {
            const char *key = append_root_lists[i];
            surgery_shorten(&s, json_root(s.text, s.size), key,
                            layer_get(lists, key));
        }
        strip_length(&s, layer);
        strip_record(&s, layer, keep_frame);
        int64_t bin = layer_get(layer, "bin");
        const uint8_t *bytes = bin < 0 ? NULL : s.chunks.bin;
        size_t bytes_size = bin < 0 ? 0 : (size_t)bin;
        code = surgery_finish(&s, bytes, bytes_size,
                              (size_t)layer_get(layer, "spaces"), ret, ret_size,
                              err);
    }
    surgery_end(&s);
    return code;
}

/* ---- nodes ---- */

static bool drops(const uint32_t *nodes, uint32_t count, const json_t *node)
{
    for (uint32_t i = 0; i < count; i++) {
        if (json_is_integer(node) &&
            json_integer_value(node) == (json_int_t)nodes[i])
            return true;
    }
    return false;
}

/* Cuts the nodes out of one list; `now` is the list as parsed. */
static bool drop_from(json_edits *edits,
                      const char *text,
                      json_span object,
                      const char *key,
                      const json_t *now,
                      const uint32_t *nodes,
                      uint32_t count)
{
    json_span list;
    size_t n = json_array_size(now);
    size_t gone = 0;
    size_t spans = 0;
    for (size_t i = 0; i < n; i++)
        gone += drops(nodes, count, json_array_get(now, i));
    if (gone == 0)
        return true;
    if (gone == n) {
        json_edit_remove(edits, text, object, key);
        return true;
    }
    json_span *e = json_member(text, object, key, &list)
                       ? json_elements(text, list, &spans)
                       : NULL;
    bool kept = false;
    bool sound = e && spans == n;
    for (size_t i = 0; sound && i < n; i++) {
        if (!drops(nodes, count, json_array_get(now, i))) {
            kept = true;
        } else if (kept) {
            json_edit_add(edits, e[i - 1].end, e[i].end, "");
        } else {
            json_edit_add(edits, e[i].begin, e[i + 1].begin, "");
        }
    }
    free(e);
    return sound;
}

/* From every object of the list that has such a member. */
static bool drop_from_all(json_edits *edits,
                          const surgery *s,
                          const char *list_key,
                          const char *key,
                          const uint32_t *nodes,
                          uint32_t count)
{
    json_span list;
    size_t spans = 0;
    const json_t *objects = json_object_get(s->root, list_key);
    if (json_array_size(objects) == 0)
        return true;
    bool there =
        json_member(s->text, json_root(s->text, s->size), list_key, &list);
    json_span *e = there ? json_elements(s->text, list, &spans) : NULL;
    bool sound = e && spans == json_array_size(objects);
    for (size_t i = 0; sound && i < spans; i++) {
        const json_t *now = json_object_get(json_array_get(objects, i), key);
        sound = drop_from(edits, s->text, e[i], key, now, nodes, count);
    }
    free(e);
    return sound;
}

/* Tells what was dropped, where the file's text has room for it. */
static void drop_tell(surgery *s, const uint32_t *nodes, uint32_t count)
{
    json_span asset, extras;
    const json_t *said =
        json_object_get(json_object_get(s->root, "asset"), "extras");
    char number[16];
    if (said && !json_is_object(said))
        return;
    if (!said && surgery_asset(s, &asset))
        surgery_set(s, asset, "extras", "{}");
    for (uint32_t i = 0; i < count && !s->failed && surgery_extras(s, &extras);
         i++) {
        snprintf(number, sizeof number, ",%u", nodes[i]);
        surgery_lengthen(s, extras, APPEND_REMOVED, number);
    }
}

/* The scene's text without the nodes in its lists, in place of the old. */
static etna_code drop_from_text(surgery *s,
                                const uint32_t *nodes,
                                uint32_t count,
                                etna_error *err)
{
    json_edits edits = {0};
    size_t size = 0;
    bool is_found = drop_from_all(&edits, s, "scenes", "nodes", nodes, count) &&
                    drop_from_all(&edits, s, "nodes", "children", nodes, count);
    char *text =
        is_found ? json_edits_apply(&edits, s->text, s->size, &size) : NULL;
    json_edits_free(&edits);
    if (!is_found)
        return etna_fail(err, ETNA_E_INPUT,
                         "the scene's lists of nodes are written with escapes");
    if (!text)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for the scene's text");
    free(s->text);
    s->text = text;
    s->size = size;
    return ETNA_OK;
}

/* Without scenes every node without a parent is shown, so there is no list that
 * one could leave. */
static etna_code drop_check(const surgery *s,
                            const uint32_t *nodes,
                            uint32_t count,
                            etna_error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        if (nodes[i] >= strip_list_size(s->root, "nodes"))
            return etna_fail(err, ETNA_E_INPUT, "the file has no node %u",
                             nodes[i]);
    }
    if (strip_list_size(s->root, "scenes") == 0)
        return etna_fail(err, ETNA_E_INPUT,
                         "the file has no \"scenes\" that a node could leave");
    return ETNA_OK;
}

/* The nodes stay in the file and are shown nowhere: taking their bytes out
 * would renumber everything else. */
etna_code append_drop(const uint8_t *file,
                      size_t size,
                      const uint32_t *nodes,
                      uint32_t count,
                      uint8_t **ret,
                      size_t *ret_size,
                      etna_error *err)
{
    surgery s;
    etna_code code = surgery_begin(&s, file, size, err);
    if (code == ETNA_OK)
        code = drop_check(&s, nodes, count, err);
    if (code == ETNA_OK)
        code = drop_from_text(&s, nodes, count, err);
    if (code == ETNA_OK) {
        drop_tell(&s, nodes, count);
        code = surgery_finish(&s, s.chunks.bin, s.chunks.bin_size, s.spaces,
                              ret, ret_size, err);
    }
    surgery_end(&s);
    return code;
}
