/* `etna assets ls | show | gc`: what is on the shelf, told. */
#include "proto/place.h"
#include "worker/assets/caption.h"
#include "worker/assets/index.h"
#include "worker/assets/scan.h"
#include "worker/assets/views.h"
#include "worker/cli/assets.h"
#include "worker/cli/assets_sheet.h"
#include "worker/cli/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    NAME_BYTES = 300
};

/* Without an index nothing can be found; the text says how to make one. */
etna_code assets_open(const char *store_given,
                      bool writable,
                      shelf **ret,
                      etna_error *err)
{
    char path[4000];
    etna_code code = place_of_store(store_given, path, sizeof path, err);
    if (code == ETNA_OK)
        code = shelf_open(path, writable, ret, err);
    if (code != ETNA_E_NOTFOUND)
        return code;
    return etna_fail(
        err, ETNA_E_INPUT,
        "no assets were indexed yet; `etna assets index` reads %s, and folders that you name",
        SCAN_DEBIAN_FURNITURE);
}

/* ---- one asset ---- */

/* The colour with the largest share of those not told; -1: none has 5 % or
 * more. */
static int colour_next(const asset_shape *shape, const bool told[ASSET_COLOURS])
{
    int best = -1;
    for (int i = 0; i < ASSET_COLOURS; i++) {
        if (told[i] || shape->colour[i] < 5)
            continue;
        if (best < 0 || shape->colour[i] > shape->colour[best])
            best = i;
    }
    return best;
}

/* "brown 61 %, black 20 %", the largest share first, as many as fit into
 * `size`. */
static void assets_colours(const asset_shape *shape, char *to, size_t size)
{
    bool told[ASSET_COLOURS] = {false};
    size_t n = 0;
    if (size)
        to[0] = 0;
    for (;;) {
        int best = colour_next(shape, told);
        if (best < 0 || n + 24 > size)
            return;
        told[best] = true;
        n += (size_t)snprintf(to + n, size - n, "%s%s %u %%", n ? ", " : "",
                              asset_colour_names[best], shape->colour[best]);
    }
}

/* By language. */
static json_t *words_json(const asset *a)
{
    json_t *all = json_object();
    for (uint32_t i = 0; i < a->word_count; i++) {
        const asset_words *w = &a->words[i];
        json_object_set_new(all, w->language,
                            json_pack("{s:s, s:s, s:s}", "name", w->name,
                                      "tags", w->tags, "category",
                                      w->category));
    }
    return all;
}

/* In percent of the surface; those of 0 are left out. */
static json_t *colours_json(const asset_shape *shape)
{
    json_t *all = json_object();
    for (int i = 0; i < ASSET_COLOURS; i++) {
        if (shape->colour[i])
            json_object_set_new(all, asset_colour_names[i],
                                json_integer(shape->colour[i]));
    }
    return all;
}

/* What a model said of it. */
static json_t *caption_json(const asset_caption *c)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "model", c->model,
                     "name", c->name, "physical", c->parts[0], "functional",
                     c->parts[1], "contextual", c->parts[2], "front",
                     caption_front_name(c->front));
}

/* What was left out has only its fault; the shape of what could not be read is
 * nothing to tell. NULL: out of memory. */
static json_t *assets_json(const asset *a)
{
    char short_name[NAME_BYTES], hash[65];
    asset_short_name(a, short_name, sizeof short_name);
    etna_hash_hex(&a->hash, hash);
    json_t *row = json_pack(
        "{s:s, s:s, s:s, s:I, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "asset",
        short_name, "hash", hash, "path", a->path, "number",
        (json_int_t)a->number, "name", a->name, "tags", a->tags, "category",
        a->category, "creator", a->creator, "licence", asset_licence_short(a),
        "licence_text", a->licence, "collection", a->collection);
    if (row && a->fault[0]) {
        json_object_set_new(row, "fault", json_string(a->fault));
        return row;
    }
    json_t *more = json_pack(
        "{s:[f,f,f], s:I, s:o, s:i, s:i, s:i, s:s?, s:s, s:f, s:f, s:b, s:b, s:b, s:o}",
        "size", a->shape.size[0], a->shape.size[1], a->shape.size[2],
        "triangles", (json_int_t)a->shape.triangles, "colours",
        colours_json(&a->shape), "clear", a->shape.clear, "metal",
        a->shape.metal, "foot", a->shape.foot, "outline",
        a->shape.round ? "round" : (a->shape.oval ? "oval" : NULL), "materials",
        a->shape.materials, "elevation", a->elevation, "top", a->top, "movable",
        a->movable, "opening", a->opening, "light", a->light, "words",
        words_json(a));
    if (more && a->caption)
        json_object_set_new(more, "caption", caption_json(a->caption));
    bool is_whole = row && more && json_object_update(row, more) == 0;
    json_decref(more);
    if (is_whole)
        return row;
    json_decref(row);
    return NULL;
}

/* One line for `ls`. */
static void asset_print_line(const asset *a)
{
    char short_name[NAME_BYTES], name[64], plain[NAME_BYTES];
    asset_short_name(a, short_name, sizeof short_name);
    printf("%-24s %-32s ", load_plain(short_name, plain, sizeof plain),
           load_plain(a->name, name, sizeof name));
    if (a->fault[0]) {
        char why[600];
        printf("left out: %s\n", load_plain(a->fault, why, sizeof why));
        return;
    }
    printf("%.2f x %.2f x %.2f  %s\n", a->shape.size[0], a->shape.size[1],
           a->shape.size[2], asset_licence_short(a));
}

/* Nothing for an empty one. */
static void field_print(const char *what, const char *text)
{
    char plain[2000];
    if (text[0])
        printf("%-12s %s\n", what, load_plain(text, plain, sizeof plain));
}

/* A line for each language. */
static void asset_print_words(const asset *a)
{
    char text[NAME_BYTES];
    for (uint32_t i = 0; i < a->word_count; i++) {
        snprintf(text, sizeof text, "%s%s%s", a->words[i].name,
                 a->words[i].tags[0] ? "; " : "", a->words[i].tags);
        field_print(a->words[i].language, text);
    }
}

static void caption_print(const asset_caption *c)
{
    static const char *const parts[CAPTION_PARTS] = {"looks like", "is for",
                                                     "is found"};
    field_print("said by", c->model);
    field_print("called", c->name);
    for (int i = 0; i < CAPTION_PARTS; i++)
        field_print(parts[i], c->parts[i]);
    field_print("its front", caption_front_name(c->front));
}

/* All that is known, for `show`. */
static void asset_print(const asset *a)
{
    char text[NAME_BYTES], hash[65];
    asset_short_name(a, text, sizeof text);
    field_print("asset", text);
    etna_hash_hex(&a->hash, hash);
    field_print("hash", hash);
    field_print("file", a->path);
    field_print("name", a->name);
    field_print("tags", a->tags);
    field_print("category", a->category);
    field_print("collection", a->collection);
    field_print("creator", a->creator);
    field_print("licence", a->licence[0] ? a->licence : "not said");
    field_print("left out", a->fault);
    if (a->fault[0])
        return;
    printf("%-12s %.3f x %.3f x %.3f m (width, height, depth), %u triangles\n",
           "size", a->shape.size[0], a->shape.size[1], a->shape.size[2],
           a->shape.triangles);
    assets_colours(&a->shape, text, sizeof text);
    field_print("colours", text);
    field_print("materials", a->shape.materials);
    if (a->shape.round || a->shape.oval)
        field_print("outline", a->shape.round ? "round" : "oval");
    if (a->elevation > 0)
        printf("%-12s %.2f m above the floor\n", "hangs", a->elevation);
    if (a->top > 0)
        printf("%-12s %.2f m: what is put on it stands there\n", "top", a->top);
    if (!a->movable)
        field_print("fixed", "to the building");
    if (a->caption)
        caption_print(a->caption);
    asset_print_words(a);
}

/* ---- ls ---- */

static const char ls_help[] =
    "usage: etna assets ls [--faults] [--json] [--store DIR]\n"
    "Lists the models that were read: name, size (width x height x depth in metres), licence.\n"
    "  --faults   those that were left out, and why\n";

/* Either those that can be used or those that were left out. */
static json_t *list_json(const shelf_list *list, bool faults)
{
    json_t *rows = json_array();
    for (uint32_t i = 0; i < list->count; i++) {
        if ((list->assets[i].fault[0] != 0) == faults)
            json_array_append_new(rows, assets_json(&list->assets[i]));
    }
    return json_pack("{s:o}", "assets", rows);
}

/* As people look for files. */
static int list_order(const void *a, const void *b)
{
    const asset *x = a, *y = b;
    int order = strcmp(x->path, y->path);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* Returns how many lines. */
static uint32_t list_print(const shelf_list *list, bool faults)
{
    uint32_t told = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if ((list->assets[i].fault[0] != 0) != faults)
            continue;
        asset_print_line(&list->assets[i]);
        told++;
    }
    return told;
}

/* All assets of a store; the caller frees the list. */
static etna_code shelf_list_all(const char *store,
                                shelf_list *ret,
                                etna_error *err)
{
    shelf *s = NULL;
    etna_code code = assets_open(store, false, &s, err);
    if (code == ETNA_OK)
        code = shelf_read(s, ret, err);
    shelf_close(s);
    return code;
}

/* Exit 0 also where there is nothing. */
int assets_cmd_ls(int argc, char **argv)
{
    const char *store = NULL;
    bool as_json = false, faults = false;
    const flags_row flags[] = {{"store", .text = &store},
                               {"faults", .yes = &faults},
                               {"json", .yes = &as_json},
                               {0}};
    int exit_code;
    int first =
        load_flags("etna assets ls", argc, argv, flags, ls_help, &exit_code);
    if (!first)
        return exit_code;
    if (first != argc)
        return load_usage("assets ls takes no arguments");
    etna_error err = {0};
    shelf_list list = {.count = 0};
    if (shelf_list_all(store, &list, &err) != ETNA_OK)
        return load_report(&err);
    if (list.count)
        qsort(list.assets, list.count, sizeof *list.assets, list_order);
    if (as_json) {
        exit_code = load_print("etna.assets/1", list_json(&list, faults), 0);
    } else {
        printf("%u models%s\n", list_print(&list, faults),
               faults ? " left out" : "");
        exit_code = load_printed(0);
    }
    shelf_list_free(&list);
    return exit_code;
}

/* ---- show ---- */

static const char show_help[] =
    "usage: etna assets show ASSET [-o FILE.png] [--json] [--store DIR]\n"
    "All that is known of one: ASSET is LIBRARY#NUMBER or a file's name as `etna assets ls` has them, or the first 4 or more\n"
    "digits of its hash.\n\n"
    "  -o, --output FILE  a sheet of four views of it as a PNG: the front, from the right, from behind, from above\n"
    "  --side N           pixels of one view (default 256, as they were drawn when it was indexed)\n\n"
    "Exit codes: 0 shown; 2 usage; 3 there is no such asset, or its file is not what was indexed; 4 store, or a file that cannot be\n"
    "written.\n";

enum {
    VIEW_LEAST = 16
};

/* By its short name in any case, its path, or the first digits of its content's
 * hash. */
static bool asset_is_named(const asset *a, const char *wanted)
{
    char name[NAME_BYTES], hash[65];
    asset_short_name(a, name, sizeof name);
    if (strcasecmp(name, wanted) == 0 || strcmp(a->path, wanted) == 0)
        return true;
    etna_hash_hex(&a->hash, hash);
    return strlen(wanted) >= 4 && strncmp(hash, wanted, strlen(wanted)) == 0;
}

/* The first that bears the name; NULL: there is none. */
static const asset *list_find(const shelf_list *list, const char *wanted)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (asset_is_named(&list->assets[i], wanted))
            return &list->assets[i];
    }
    return NULL;
}

static void sheet_print(const char *path)
{
    char text[400], plain[300];
    size_t n = (size_t)snprintf(
        text, sizeof text, "%.150s:", load_plain(path, plain, sizeof plain));
    for (int i = 0; i < ASSETS_VIEWS; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s %s", i ? ";" : "",
                              assets_view_names[i]);
    field_print("views", text);
}

int assets_cmd_show(int argc, char **argv)
{
    const char *store = NULL, *output = NULL;
    bool as_json = false;
    uint32_t side = ASSETS_VIEW_SIDE;
    const flags_row flags[] = {{"store", .text = &store},
                               {"output", 'o', .text = &output},
                               {"side", .number = &side, .least = VIEW_LEAST,
                                .most = VIEW_SIDE_MAX / 2},
                               {"json", .yes = &as_json},
                               {0}};
    int exit_code;
    int first = load_flags("etna assets show", argc, argv, flags, show_help,
                           &exit_code);
    if (!first)
        return exit_code;
    if (first + 1 != argc)
        return load_usage("assets show wants one asset; see `etna assets ls`");
    etna_error err = {0};
    shelf_list list = {.count = 0};
    if (shelf_list_all(store, &list, &err) != ETNA_OK)
        return load_report(&err);
    const asset *a = list_find(&list, argv[first]);
    etna_code code =
        a ? ETNA_OK
          : etna_fail(&err, ETNA_E_INPUT,
                      "there is no asset \"%.200s\"; see `etna assets ls`",
                      argv[first]);
    if (code == ETNA_OK && output)
        code = assets_sheet_write(store, a, output, side, &err);
    if (code != ETNA_OK) {
        exit_code = load_report(&err);
    } else if (as_json) {
        exit_code = load_print("etna.asset/1", assets_json(a), 0);
    } else {
        asset_print(a);
        if (output)
            sheet_print(output);
        exit_code = load_printed(0);
    }
    shelf_list_free(&list);
    return exit_code;
}

/* ---- gc ---- */

static const char gc_help[] =
    "usage: etna assets gc [--rooms] [--json] [--store DIR]\n"
    "Forgets models whose files are gone, and what was read of bytes that no file has any more.\n"
    "  --rooms   also what furnished rooms rest on: `etna replay DIR` can't do them again then\n";

/* The store is opened without making it first: a mistyped --store must not
 * create one. The index is refreshed last, so that it never names what is
 * gone. */
int assets_cmd_gc(int argc, char **argv)
{
    const char *store = NULL;
    bool as_json = false, with_rooms = false;
    const flags_row flags[] = {{"store", .text = &store},
                               {"rooms", .yes = &with_rooms},
                               {"json", .yes = &as_json},
                               {0}};
    int exit_code;
    int first =
        load_flags("etna assets gc", argc, argv, flags, gc_help, &exit_code);
    if (!first)
        return exit_code;
    if (first != argc)
        return load_usage("assets gc takes no arguments");
    etna_error err = {0};
    shelf *s = NULL;
    uint32_t models = 0;
    uint64_t rows = 0, kept = 0;
    /* nothing is made where nothing is */
    etna_code code = assets_open(store, false, &s, &err);
    shelf_close(s);
    s = NULL;
    if (code == ETNA_OK)
        code = assets_open(store, true, &s, &err);
    if (code == ETNA_OK)
        code = scan_forget(s, NULL, &models, &err);
    if (code == ETNA_OK)
        code = shelf_sweep(s, &rows, &err);
    if (code == ETNA_OK && with_rooms)
        code = shelf_forget_kept(s, &kept, &err);
    if (code == ETNA_OK)
        code = index_refresh(s, NULL, NULL, &err);
    shelf_close(s);
    if (code != ETNA_OK)
        return load_report(&err);
    if (as_json)
        return load_print(
            "etna.assets_gc/1",
            json_pack("{s:I, s:I, s:I}", "models", (json_int_t)models, "rows",
                      (json_int_t)rows, "rooms", (json_int_t)kept),
            0);
    printf("%u models were in files that are gone; %" PRIu64
           " rows of old readings removed\n",
           models, rows);
    if (with_rooms)
        printf("%" PRIu64 " rows of furnished rooms removed\n", kept);
    return load_printed(0);
}
