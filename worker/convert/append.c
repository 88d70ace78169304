/* Bringing assets into a GLB. They are taken in by the writer of converted
 * scenes (glb_guest.h), whose lists begin with as many blanks as the file has
 * items, so that indices come out right; what is behind the blanks is then
 * written into the file's own text.
 *
 * Begin at append_items_from. The scene's own JSON and bytes are not touched
 * but for what has to grow: lists get items at their end, the scene's roots the
 * new nodes, the first buffer its new length. How long every list was before is
 * written down (APPEND_RECORD), so that append_strip can take the layer off
 * again to the byte; layers stack. Names of items stand in the errors, as the
 * caller may bring in many at once. */
#include "proto/array.h"
#include "worker/convert/append_internal.h"
#include "worker/convert/glb_guest.h"
#include "worker/convert/glb_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct appending {
    surgery s;
    glb *g;
    const append_item *items;
    uint32_t count;
    /* one for each item; only those of `own` are taken in */
    glb_guest *guests;
    uint32_t *own;        /* of an item: the first with the same asset */
    json_int_t bin_begin; /* where the assets' bytes begin in the chunk */
    json_t *roots;        /* nodes of the items */
    const uint8_t *from;  /* NULL, or what the file is made from */
    size_t from_size;
} appending;

/* The writer's list that becomes the document's of that name; NULL: written
 * otherwise. */
static json_t *appending_list(const appending *a, const char *key)
{
    const glb *g = a->g;
    const struct {
        const char *key;
        json_t *list;
    } lists[] = {
        {"nodes", g->nodes},         {"meshes", g->meshes},
        {"materials", g->materials}, {"textures", g->textures},
        {"images", g->images},       {"samplers", g->samplers},
        {"accessors", g->accessors}, {"bufferViews", g->views},
        {"extensionsUsed", g->used}, {"extensionsRequired", g->required}};
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        if (strcmp(lists[i].key, key) == 0)
            return lists[i].list;
    }
    return NULL;
}

/* The lists as long as the file's: of blanks, but extensions are told by
 * name. */
static etna_code appending_reserve(appending *a, etna_error *err)
{
    for (int i = 0; i < APPEND_ROOT_LISTS; i++) {
        const json_t *old = json_object_get(a->s.root, append_root_lists[i]);
        json_t *list = appending_list(a, append_root_lists[i]);
        bool named = strncmp(append_root_lists[i], "extensions", 10) == 0;
        for (size_t k = 0; list && k < json_array_size(old); k++) {
            json_t *item =
                named ? json_incref(json_array_get(old, k)) : json_null();
            bool sound = !named || json_is_string(item);
            glb_append(a->g, list, item);
            if (!sound)
                return etna_fail(err, ETNA_E_INPUT,
                                 "\"%s\" of the scene is no list of names",
                                 append_root_lists[i]);
        }
    }
    return ETNA_OK;
}

/* The scene's chunk is its first buffer, or it has none at all. */
static etna_code appending_check_buffer(const appending *a, etna_error *err)
{
    const json_t *buffers = json_object_get(a->s.root, "buffers");
    const json_t *first = json_array_get(buffers, 0);
    bool is_of_file = !json_object_get(first, "uri") &&
                      json_is_integer(json_object_get(first, "byteLength"));
    bool has_chunk = first && a->s.chunks.bin && is_of_file;
    bool has_none = json_array_size(buffers) == 0 && !a->s.chunks.bin;
    return has_chunk || has_none
               ? ETNA_OK
               : etna_fail(
                     err, ETNA_E_INPUT,
                     "the scene's first buffer is not its GLB's own chunk; export it with its buffers inside");
}

/* One asset that several items show is taken in once; only its nodes are
 * repeated. */
static etna_code appending_take(appending *a, uint32_t i, etna_error *err)
{
    const append_item *item = &a->items[i];
    a->own[i] = i;
    for (uint32_t k = 0; k < i; k++) {
        if (a->items[k].glb == item->glb && a->own[k] == k)
            a->own[i] = k;
    }
    if (a->own[i] != i)
        return ETNA_OK;
    return glb_guest_take(a->g, item->glb, item->size, false, &a->guests[i],
                          err);
}

/* A guest of one plain mesh gets a node of its own; any other hangs below one.
 * Credits go with each, since licences ask for it. */
static etna_code appending_place(appending *a, uint32_t i, etna_error *err)
{
    const append_item *item = &a->items[i];
    glb_guest *guest = &a->guests[a->own[i]];
    uint32_t mesh = GLB_NONE;
    bool single = glb_guest_single(guest, &mesh);
    uint32_t node = glb_node(a->g, GLB_NONE, item->name, item->matrix, mesh);
    if (item->told && node != GLB_NONE) {
        glb_set(a->g, json_array_get(a->g->nodes, node), "extras",
                json_pack("{s:o}", "etna", json_deep_copy(item->told)));
    }
    glb_append(a->g, a->roots, json_integer(node));
    if (guest->copyright ||
        json_object_get(json_object_get(guest->root, "asset"), "extras")) {
        glb_guest_credit(a->g, guest, item->author.model);
    }
    if (item->author.licence[0])
        glb_credit(a->g, &item->author);
    return single ? ETNA_OK : glb_guest_place(a->g, guest, node, err);
}

/* The new views lie behind the scene's own bytes. */
static void appending_shift_views(appending *a)
{
    size_t first = json_array_size(json_object_get(a->s.root, "bufferViews"));
    for (size_t i = first; i < json_array_size(a->g->views); i++) {
        json_t *view = json_array_get(a->g->views, i);
        json_int_t at = json_integer_value(json_object_get(view, "byteOffset"));
        glb_set(a->g, view, "byteOffset", json_integer(at + a->bin_begin));
    }
}

/* Errors name the item that they are about. */
static etna_code appending_take_all(appending *a, etna_error *err)
{
    etna_code code = appending_reserve(a, err);
    if (code == ETNA_OK)
        code = appending_check_buffer(a, err);
    if (code != ETNA_OK)
        return code;
    a->bin_begin = (json_int_t)((a->s.chunks.bin_size + 3) & ~(size_t)3);
    for (uint32_t i = 0; i < a->count; i++) {
        code = appending_take(a, i, err);
        if (code == ETNA_OK)
            code = appending_place(a, i, err);
        if (code != ETNA_OK)
            return etna_error_prefix(err, "\"%.100s\"", a->items[i].name);
    }
    appending_shift_views(a);
    if (a->g->fault.code)
        return etna_fail(err, a->g->fault.code, "%s", a->g->fault.text);
    return ETNA_OK;
}

/* ---- the text ---- */

/* ",{...},{...}" of what lies behind the first `first`; NULL: no memory. Caller
 * frees. */
static char *elements_text(const json_t *list, size_t first)
{
    json_t *rest = json_array();
    for (size_t i = first; rest && i < json_array_size(list); i++)
        json_array_append(rest, json_array_get(list, i));
    char *text =
        rest ? json_dumps(rest, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
    json_decref(rest);
    if (!text)
        return NULL;
    text[0] = ',';
    text[strlen(text) - 1] = 0;
    return text;
}

/* Nothing new: the list stays as it is, or absent. */
static void appending_lengthen(appending *a,
                               json_span object,
                               const char *key,
                               const json_t *list,
                               size_t first)
{
    if (json_array_size(list) <= first)
        return;
    char *text = elements_text(list, first);
    a->s.failed = a->s.failed || !text;
    if (text)
        surgery_lengthen(&a->s, object, key, text);
    free(text);
}

/* Lists that got nothing keep their bytes. */
static void appending_write_lists(appending *a)
{
    for (int i = 0; i < APPEND_ROOT_LISTS && !a->s.failed; i++) {
        const char *key = append_root_lists[i];
        size_t first = json_array_size(json_object_get(a->s.root, key));
        appending_lengthen(a, json_root(a->s.text, a->s.size), key,
                           appending_list(a, key), first);
    }
}

/* New roots are added to the scene that is shown. */
static etna_code appending_write_scene(appending *a, etna_error *err)
{
    json_span scene;
    if (json_array_size(json_object_get(a->s.root, "scenes")) == 0) {
        /* without scenes every node without a parent is shown */
        return ETNA_OK;
    }
    if (!surgery_scene(&a->s, &scene)) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "the scene's \"scenes\" are written with escapes, or its \"scene\" is none");
    }
    appending_lengthen(a, scene, "nodes", a->roots, 0);
    return ETNA_OK;
}

/* The chunk is the first buffer; a file without buffers gets one. */
static void appending_write_length(appending *a)
{
    json_span list, length;
    size_t count = 0;
    char text[64];
    snprintf(text, sizeof text, "%lld",
             (long long)a->bin_begin + (long long)a->g->bin_size);
    if (json_array_size(json_object_get(a->s.root, "buffers")) == 0) {
        char whole[96];
        snprintf(whole, sizeof whole, ",{\"byteLength\":%s}", text);
        surgery_lengthen(&a->s, json_root(a->s.text, a->s.size), "buffers",
                         whole);
        return;
    }
    bool there = json_member(a->s.text, json_root(a->s.text, a->s.size),
                             "buffers", &list);
    json_span *buffers = there ? json_elements(a->s.text, list, &count) : NULL;
    if (buffers && count &&
        json_member(a->s.text, buffers[0], "byteLength", &length)) {
        surgery_put(&a->s, length.begin, length.end, text);
    }
    free(buffers);
}

/* NULL: there is none. */
static const json_t *extras_of(const json_t *root)
{
    return json_object_get(json_object_get(root, "asset"), "extras");
}

/* How the file is read was not said in what it is made from: that goes again
 * with the layer. */
static void layer_tell_frame(const appending *a, json_t *layer)
{
    surgery from;
    if (!a->from)
        return;
    bool is_read = surgery_begin(&from, a->from, a->from_size, NULL) == ETNA_OK;
    bool was_said =
        is_read && json_object_get(extras_of(from.root), "etna_scene");
    bool is_new = is_read && !was_said &&
                  json_object_get(extras_of(a->s.root), "etna_scene");
    if (is_new) {
        json_object_set_new(layer, "frame", json_true());
        json_object_set_new(layer, "extras",
                            json_boolean(extras_of(from.root) != NULL));
        json_object_set_new(layer, "spaces",
                            json_integer((json_int_t)from.spaces));
    }
    surgery_end(&from);
}

/* What append_strip needs to know: how long each list was, -1 where there was
 * none. */
static json_t *appending_layer(const appending *a)
{
    json_t *lists = json_object();
    const json_t *root = a->s.root;
    const json_t *scenes = json_object_get(root, "scenes");
    json_int_t chosen = json_integer_value(json_object_get(root, "scene"));
    const json_t *shown = json_object_get(
        json_array_get(scenes, chosen < 0 ? 0 : (size_t)chosen), "nodes");
    const json_t *extras =
        json_object_get(json_object_get(root, "asset"), "extras");
    const json_t *credits = json_object_get(extras, "etna_credits");
    for (int i = 0; i < APPEND_ROOT_LISTS && lists; i++) {
        const json_t *list = json_object_get(root, append_root_lists[i]);
        json_object_set_new(
            lists, append_root_lists[i],
            json_integer(list ? (json_int_t)json_array_size(list) : -1));
    }
    json_int_t length = json_integer_value(json_object_get(
        json_array_get(json_object_get(root, "buffers"), 0), "byteLength"));
    json_t *layer = json_pack(
        "{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:O}", "lists", lists, "end",
        (json_int_t)json_array_size(a->g->nodes), "shown",
        shown ? (json_int_t)json_array_size(shown) : (json_int_t)-1, "credits",
        credits ? (json_int_t)json_array_size(credits) : (json_int_t)-1, "bin",
        a->s.chunks.bin ? (json_int_t)a->s.chunks.bin_size : (json_int_t)-1,
        "length", length, "spaces", (json_int_t)a->s.spaces, "extras",
        extras != NULL, "roots", a->roots);
    if (layer)
        layer_tell_frame(a, layer);
    return layer;
}

/* Under asset.extras: a layer that append_strip takes off again, and the
 * credits. */
static etna_code appending_write_record(appending *a, etna_error *err)
{
    json_span asset, extras;
    const json_t *said =
        json_object_get(json_object_get(a->s.root, "asset"), "extras");
    if ((said && !json_is_object(said)) || !surgery_asset(&a->s, &asset)) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "the scene's \"asset\" is written with escapes, or has extras without names");
    }
    if (!said)
        surgery_set(&a->s, asset, "extras", "{}");
    json_t *layer = appending_layer(a);
    json_t *list = layer ? json_pack("[O]", layer) : NULL;
    a->s.failed = a->s.failed || !list;
    if (!a->s.failed && surgery_extras(&a->s, &extras))
        appending_lengthen(a, extras, APPEND_RECORD, list, 0);
    if (!a->s.failed && surgery_extras(&a->s, &extras))
        appending_lengthen(a, extras, "etna_credits", a->g->credits, 0);
    json_decref(layer);
    json_decref(list);
    return ETNA_OK;
}

/* The gap up to a multiple of four is zeros, from calloc. */
static etna_code appending_write(appending *a,
                                 uint8_t **ret,
                                 size_t *ret_size,
                                 etna_error *err)
{
    appending_write_lists(a);
    etna_code code = appending_write_scene(a, err);
    if (code == ETNA_OK)
        code = appending_write_record(a, err);
    if (code != ETNA_OK)
        return code;
    appending_write_length(a);
    size_t size = (size_t)a->bin_begin + a->g->bin_size;
    uint8_t *bin = calloc(size + 1, 1);
    if (!bin)
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory for a binary chunk of %zu bytes", size);
    if (a->s.chunks.bin_size)
        memcpy(bin, a->s.chunks.bin, a->s.chunks.bin_size);
    if (a->g->bin_size)
        memcpy(bin + a->bin_begin, a->g->bin, a->g->bin_size);
    code = surgery_finish(&a->s, bin, size, 0, ret, ret_size, err);
    free(bin);
    return code;
}

/* From a file that was made from nothing else. */
etna_code append_items(const uint8_t *file,
                       size_t size,
                       const append_item *items,
                       uint32_t count,
                       uint8_t **ret,
                       size_t *ret_size,
                       etna_error *err)
{
    return append_items_from(NULL, 0, file, size, items, count, ret, ret_size,
                             err);
}

/* What there is to fill; false: no memory. */
static bool appending_begin(appending *a)
{
    a->g = glb_new();
    a->guests = calloc(a->count, sizeof *a->guests);
    a->own = calloc(a->count, sizeof *a->own);
    a->roots = json_array();
    bool has_lists = a->guests && a->own;
    return has_lists && a->g && a->roots;
}

/* Also of one that failed half-way. */
static void appending_free(appending *a)
{
    for (uint32_t i = 0; a->guests && i < a->count; i++)
        glb_guest_free(&a->guests[i]);
    free(a->guests);
    free(a->own);
    json_decref(a->roots);
    glb_free(a->g);
    surgery_end(&a->s);
}

/* A file can bear APPEND_LAYERS_MAX layers. */
static etna_code appending_run(appending *a,
                               const uint8_t *file,
                               size_t size,
                               uint8_t **ret,
                               size_t *ret_size,
                               etna_error *err)
{
    etna_code code = surgery_begin(&a->s, file, size, err);
    if (code != ETNA_OK)
        return code;
    if (json_array_size(append_record(a->s.root)) >= APPEND_LAYERS_MAX)
        return etna_fail(err, ETNA_E_LIMIT,
                         "things were added to this file %d times already",
                         APPEND_LAYERS_MAX);
    if (!appending_begin(a))
        return etna_fail(err, ETNA_E_NOMEM, "no memory to add %u things",
                         a->count);
    code = appending_take_all(a, err);
    return code == ETNA_OK ? appending_write(a, ret, ret_size, err) : code;
}

/* `from`: what `file` was made from, NULL for itself. */
etna_code append_items_from(const uint8_t *from,
                            size_t from_size,
                            const uint8_t *file,
                            size_t size,
                            const append_item *items,
                            uint32_t count,
                            uint8_t **ret,
                            size_t *ret_size,
                            etna_error *err)
{
    appending a = {
        .items = items, .count = count, .from = from, .from_size = from_size};
    if (count == 0 || count > APPEND_ITEMS_MAX) {
        return etna_fail(err, count ? ETNA_E_LIMIT : ETNA_E_INTERNAL,
                         "%u things to add at once; %d at most", count,
                         APPEND_ITEMS_MAX);
    }
    etna_code code = appending_run(&a, file, size, ret, ret_size, err);
    appending_free(&a);
    return code;
}
