/* The file that a result is held against: what it was made from, with the same
 * things brought in, that wait outside, and the same things gone. The two then
 * have the same nodes and meshes. */
#include "worker/convert/append_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TWIN_BELOW 50.0 /* metres: how far below its place a guest waits */

typedef struct twinning {
    /* the result, and what it was made from, which becomes the twin */
    surgery now, then;
    int64_t first_node;
    json_t *roots;
    uint32_t *gone, gone_count;
} twinning;

/* Does the file say that things came or went? */
bool append_tells(const uint8_t *file, size_t size)
{
    surgery s;
    bool tells = surgery_begin(&s, file, size, NULL) == ETNA_OK;
    const json_t *extras =
        tells ? json_object_get(json_object_get(s.root, "asset"), "extras")
              : NULL;
    tells = append_record(s.root) || json_object_get(extras, APPEND_REMOVED);
    surgery_end(&s);
    return tells;
}

/* 0 where there is no such list. */
static size_t twin_list_size(const json_t *object, const char *key)
{
    return json_array_size(json_object_get(object, key));
}

/* What all layers brought in, behind what was there before. */
static bool twin_lists_fit(const twinning *t)
{
    for (int i = 0; i < APPEND_ROOT_LISTS; i++) {
        const char *key = append_root_lists[i];
        size_t now = twin_list_size(t->now.root, key);
        size_t then = twin_list_size(t->then.root, key);
        bool lacks_roots = now == then && i == 0 && append_record(t->now.root);
        if (now < then || lacks_roots)
            return false;
    }
    size_t then_bin = t->then.chunks.bin ? t->then.chunks.bin_size : 0;
    size_t now_bin = t->now.chunks.bin ? t->now.chunks.bin_size : 0;
    return now_bin >= then_bin;
}

/* The root nodes of all layers. */
static json_t *twin_roots(const json_t *record, size_t first)
{
    json_t *roots = json_array();
    json_t *layer, *node;
    size_t i, k;
    json_array_foreach((json_t *)(uintptr_t)record, i, layer)
    {
        json_array_foreach(json_object_get(layer, "roots"), k, node)
        {
            if (json_is_integer(node) &&
                json_integer_value(node) >= (json_int_t)first)
                json_array_append(roots, node);
        }
    }
    return roots;
}

/* The item as it waits: so far below, told as a guest. */
static void twin_park(json_t *node, double down, bool z_up)
{
    const int axis = z_up ? 14 : 13;
    json_t *matrix = json_object_get(node, "matrix");
    json_t *place = json_object_get(node, "translation");
    json_t *extras = json_object_get(node, "extras");
    json_t *told = json_object_get(extras, "etna");
    if (json_array_size(matrix) == 16) {
        double at = json_number_value(json_array_get(matrix, (size_t)axis));
        json_array_set_new(matrix, (size_t)axis, json_real(at - down));
    } else if (json_array_size(place) == 3) {
        double at = json_number_value(json_array_get(place, (size_t)axis - 12));
        json_array_set_new(place, (size_t)axis - 12, json_real(at - down));
    } else if (!matrix && !place) {
        json_object_set_new(node, "translation",
                            z_up ? json_pack("[f,f,f]", 0.0, 0.0, -down)
                                 : json_pack("[f,f,f]", 0.0, -down, 0.0));
    }
    if (!extras)
        json_object_set_new(node, "extras", extras = json_object());
    if (!told)
        json_object_set_new(extras, "etna", told = json_object());
    json_object_set_new(told, "guest", json_true());
}

/* Of anything that was brought in. */
static bool twin_is_root(const json_t *roots, size_t index)
{
    size_t i;
    json_t *node;
    json_array_foreach((json_t *)(uintptr_t)roots, i, node)
    {
        if (json_integer_value(node) == (json_int_t)index)
            return true;
    }
    return false;
}

/* Roots are parked: in the twin they wait outside, as guests that nobody has
 * placed. */
static void twin_lengthen(twinning *t,
                          json_span object,
                          const char *key,
                          const json_t *list,
                          size_t first,
                          double down,
                          bool z_up)
{
    json_t *more = json_array();
    const bool nodes = strcmp(key, "nodes") == 0;
    for (size_t i = first; i < json_array_size(list); i++) {
        json_t *copy = json_deep_copy(json_array_get(list, i));
        if (nodes && twin_is_root(t->roots, i))
            twin_park(copy, down, z_up);
        json_array_append_new(more, copy);
    }
    char *text = json_array_size(more)
                     ? json_dumps(more, JSON_COMPACT | JSON_PRESERVE_ORDER)
                     : NULL;
    if (text) {
        text[0] = ',';
        text[strlen(text) - 1] = 0;
        surgery_lengthen(&t->then, object, key, text);
    }
    t->then.failed = t->then.failed || (json_array_size(more) && !text);
    free(text);
    json_decref(more);
}

/* The chunk's length in the text, which the bytes behind it must match. */
static void twin_lengthen_buffer(twinning *t)
{
    json_span list, length;
    size_t count = 0;
    char text[32];
    const json_t *first =
        json_array_get(json_object_get(t->now.root, "buffers"), 0);
    if (!twin_list_size(t->then.root, "buffers"))
        return;
    bool there = json_member(
        t->then.text, json_root(t->then.text, t->then.size), "buffers", &list);
    json_span *buffers =
        there ? json_elements(t->then.text, list, &count) : NULL;
    if (buffers && count &&
        json_member(t->then.text, buffers[0], "byteLength", &length)) {
        snprintf(text, sizeof text, "%lld",
                 (long long)json_integer_value(
                     json_object_get(first, "byteLength")));
        surgery_put(&t->then, length.begin, length.end, text);
    }
    free(buffers);
}

/* The mark tells the import that guests may be aside. */
static void twin_stage(twinning *t)
{
    json_span asset, extras;
    if (!surgery_extras(&t->then, &extras) && surgery_asset(&t->then, &asset))
        surgery_set(&t->then, asset, "extras", "{}");
    if (surgery_extras(&t->then, &extras))
        surgery_set(&t->then, extras, "etna_stage", "{}");
}

/* Of the scene that is shown. */
static const json_t *scene_nodes(const json_t *root)
{
    json_int_t chosen = json_integer_value(json_object_get(root, "scene"));
    return json_object_get(json_array_get(json_object_get(root, "scenes"),
                                          chosen < 0 ? 0 : (size_t)chosen),
                           "nodes");
}

/* Is the node in the list? */
static bool shows(const json_t *list, json_int_t node)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (json_integer_value(json_array_get(list, i)) == node)
            return true;
    }
    return false;
}

/* What one list of the first file shows and the result's no longer does. */
static void twin_find_gone_in(twinning *t,
                              const json_t *then,
                              const json_t *now)
{
    for (size_t i = 0; i < json_array_size(then); i++) {
        json_int_t node = json_integer_value(json_array_get(then, i));
        if (shows(now, node) || node < 0)
            continue;
        uint32_t *grown =
            realloc(t->gone, (t->gone_count + 1u) * sizeof *grown);
        if (!grown) {
            t->then.failed = true;
            return;
        }
        t->gone = grown;
        t->gone[t->gone_count++] = (uint32_t)node;
    }
}

/* A node is gone where one list no longer has it: a scene's, or its parent's
 * children. */
static void twin_find_gone(twinning *t)
{
    const json_t *then = json_object_get(t->then.root, "nodes");
    const json_t *now = json_object_get(t->now.root, "nodes");
    twin_find_gone_in(t, scene_nodes(t->then.root), scene_nodes(t->now.root));
    for (size_t i = 0; i < json_array_size(then); i++)
        twin_find_gone_in(t,
                          json_object_get(json_array_get(then, i), "children"),
                          json_object_get(json_array_get(now, i), "children"));
}

/* The lists of the original's text, lengthened by what was added. What fails is
 * told by surgery_finish. */
static void twin_lengthen_all(twinning *t, double down, bool z_up)
{
    json_span scene;
    for (int i = 0; i < APPEND_ROOT_LISTS && !t->then.failed; i++) {
        const char *key = append_root_lists[i];
        twin_lengthen(t, json_root(t->then.text, t->then.size), key,
                      json_object_get(t->now.root, key),
                      twin_list_size(t->then.root, key), down, z_up);
    }
    if (!t->then.failed && surgery_scene(&t->then, &scene))
        twin_lengthen(t, scene, "nodes", t->roots, 0, 0, false);
    if (!t->then.failed)
        twin_lengthen_buffer(t);
    if (!t->then.failed)
        twin_stage(t);
}

/* The original's bytes keep their places: everything in its text points to
 * them. */
static etna_code twin_finish(twinning *t,
                             uint8_t **ret,
                             size_t *ret_size,
                             etna_error *err)
{
    size_t then_size = t->then.chunks.bin ? t->then.chunks.bin_size : 0;
    size_t now_size = t->now.chunks.bin ? t->now.chunks.bin_size : 0;
    /* the original's bytes, then what was added behind them */
    uint8_t *bin = calloc(now_size + 1, 1);
    if (!bin)
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory for a binary chunk of %zu bytes", now_size);
    if (then_size)
        memcpy(bin, t->then.chunks.bin, then_size);
    if (now_size > then_size)
        memcpy(bin + then_size, t->now.chunks.bin + then_size,
               now_size - then_size);
    etna_code code = surgery_finish(&t->then, now_size ? bin : NULL, now_size,
                                    0, ret, ret_size, err);
    free(bin);
    return code;
}

/* Dropping comes last, as it finds the nodes in the lengthened lists. */
static etna_code twin_write(twinning *t,
                            double down,
                            bool z_up,
                            uint8_t **ret,
                            size_t *ret_size,
                            etna_error *err)
{
    twin_find_gone(t);
    twin_lengthen_all(t, down, z_up);
    etna_code code = twin_finish(t, ret, ret_size, err);
    if (code != ETNA_OK || !t->gone_count)
        return code;
    uint8_t *out = NULL;
    size_t out_size = 0;
    code = append_drop(*ret, *ret_size, t->gone, t->gone_count, &out, &out_size,
                       err);
    free(*ret);
    *ret = out;
    *ret_size = out_size;
    return code;
}

/* A node without a name is told by its number. */
static json_t *node_names(const json_t *root,
                          const uint32_t *nodes,
                          uint32_t count)
{
    json_t *names = json_array();
    for (uint32_t i = 0; names && i < count; i++) {
        const char *name = gltf_text(
            json_array_get(json_object_get(root, "nodes"), nodes[i]), "name");
        json_array_append_new(names, name ? json_string(name)
                                          : json_sprintf("node %u", nodes[i]));
    }
    return names;
}

/* Of what is gone, what the result's record does not tell. */
static json_t *twin_untold(const twinning *t)
{
    const json_t *extras =
        json_object_get(json_object_get(t->now.root, "asset"), "extras");
    const json_t *told = json_object_get(extras, APPEND_REMOVED);
    uint32_t *untold = malloc((t->gone_count + 1u) * sizeof *untold);
    uint32_t count = 0;
    for (uint32_t i = 0; untold && i < t->gone_count; i++) {
        if (!shows(told, t->gone[i]))
            untold[count++] = t->gone[i];
    }
    json_t *names = untold ? node_names(t->then.root, untold, count) : NULL;
    free(untold);
    return names;
}

/* What came, what went, and what went without a word. */
static etna_code twin_tell(const twinning *t, append_news *ret, etna_error *err)
{
    uint32_t *roots = malloc((json_array_size(t->roots) + 1) * sizeof *roots);
    uint32_t count = 0;
    for (size_t i = 0; roots && i < json_array_size(t->roots); i++)
        roots[count++] =
            (uint32_t)json_integer_value(json_array_get(t->roots, i));
    *ret = (append_news){
        .added = roots ? node_names(t->now.root, roots, count) : NULL,
        .gone = node_names(t->then.root, t->gone, t->gone_count),
        .untold = twin_untold(t)};
    free(roots);
    return ret->added && ret->gone && ret->untold
               ? ETNA_OK
               : etna_fail(err, ETNA_E_NOMEM, "no memory for names of nodes");
}

/* *ret is NULL on failure. The names in *ret_news are the caller's to
 * release. */
etna_code append_twin(const uint8_t *then,
                      size_t then_size,
                      const uint8_t *now,
                      size_t now_size,
                      double unit,
                      bool z_up,
                      uint8_t **ret,
                      size_t *ret_size,
                      append_news *ret_news,
                      etna_error *err)
{
    twinning t = {.roots = NULL};
    *ret = NULL;
    etna_code code = surgery_begin(&t.now, now, now_size, err);
    if (code == ETNA_OK)
        code = surgery_begin(&t.then, then, then_size, err);
    if (code == ETNA_OK && !twin_lists_fit(&t)) {
        code = etna_fail(
            err, ETNA_E_INPUT,
            "it does not have what the original has; --against takes the file that this one was made from");
    }
    if (code == ETNA_OK) {
        t.roots = twin_roots(append_record(t.now.root),
                             twin_list_size(t.then.root, "nodes"));
        code = twin_write(&t, TWIN_BELOW / unit, z_up, ret, ret_size, err);
    }
    if (code == ETNA_OK)
        code = twin_tell(&t, ret_news, err);
    json_decref(t.roots);
    free(t.gone);
    surgery_end(&t.now);
    surgery_end(&t.then);
    if (code != ETNA_OK) {
        free(*ret);
        *ret = NULL;
    }
    return code;
}

/* Also of an empty one. */
void append_news_free(append_news *news)
{
    json_decref(news->added);
    json_decref(news->gone);
    json_decref(news->untold);
    *news = (append_news){.added = NULL};
}
