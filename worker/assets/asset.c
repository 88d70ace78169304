/* Assets as bytes, and their names. */
#include "worker/assets/asset.h"
#include "proto/array.h"
#include "proto/canon.h"
#include "proto/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* In the order of asset_shape.colour; records hold shares by this index, so a
 * name may only be added at the end, with another ASSET_SCANNER. */
const char *const asset_colour_names[ASSET_COLOURS] = {
    "black", "white", "grey",   "red",  "orange", "yellow",
    "green", "blue",  "purple", "pink", "brown",  "beige"};

asset asset_empty(void)
{
    return (asset){.fault = "",
                   .path = "",
                   .id = "",
                   .name = "",
                   .tags = "",
                   .category = "",
                   .creator = "",
                   .licence = "",
                   .collection = "",
                   .information = "",
                   .movable = true,
                   .shape = {.materials = ""}};
}

/* ---- bytes ---- */

static etna_code writer_end(canon_writer *w,
                            uint8_t **ret,
                            size_t *ret_size,
                            etna_error *err)
{
    if (w->failed) {
        canon_writer_free(w);
        return etna_fail(err, ETNA_E_NOMEM, "no memory for an asset's record");
    }
    *ret = w->data;
    *ret_size = w->size;
    return ETNA_OK;
}

/* Begins with the scanner's version: a record of another version is read as
 * none, and its file is scanned again. What is of the model's geometry is not
 * in it, but in the shape, which models of one content share. */
etna_code asset_encode(const asset *a,
                       uint8_t **ret,
                       size_t *ret_size,
                       etna_error *err)
{
    canon_writer w = {0};
    canon_u32(&w, ASSET_SCANNER);
    canon_hash(&w, &a->hash);
    canon_text(&w, a->fault);
    canon_text(&w, a->path);
    canon_u32(&w, a->number);
    canon_hash(&w, &a->stamp);
    const char *const texts[] = {a->id,         a->name,       a->tags,
                                 a->category,   a->creator,    a->licence,
                                 a->collection, a->information};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        canon_text(&w, texts[i]);
    canon_f64(&w, a->elevation);
    canon_f64(&w, a->top);
    canon_u8(&w, (uint8_t)(a->movable | a->opening << 1 | a->light << 2));
    canon_u32(&w, a->word_count);
    for (uint32_t i = 0; i < a->word_count; i++) {
        canon_text(&w, a->words[i].language);
        canon_text(&w, a->words[i].name);
        canon_text(&w, a->words[i].tags);
        canon_text(&w, a->words[i].category);
    }
    return writer_end(&w, ret, ret_size, err);
}

/* Separate from the record, under the hash of the model's GLB: a thousand
 * libraries may hold the same chair. */
etna_code asset_shape_encode(const asset_shape *shape,
                             uint8_t **ret,
                             size_t *ret_size,
                             etna_error *err)
{
    canon_writer w = {0};
    canon_u32(&w, ASSET_SCANNER);
    for (int k = 0; k < 3; k++)
        canon_f64(&w, shape->size[k]);
    canon_u32(&w, shape->triangles);
    canon_raw(&w, shape->colour, sizeof shape->colour);
    canon_u8(&w, shape->clear);
    canon_u8(&w, shape->metal);
    canon_u8(&w, shape->foot);
    canon_u8(&w, (uint8_t)(shape->round | shape->oval << 1));
    canon_text(&w, shape->materials);
    return writer_end(&w, ret, ret_size, err);
}

/* A text of the record; NULL sticks in `r` as a failure. */
static const char *asset_text(canon_reader *r, etna_arena *arena)
{
    size_t size = 0;
    const uint8_t *bytes = canon_get_bytes(r, ASSET_TEXT_MAX, &size);
    bool is_text = !r->failed && etna_utf8_valid((const char *)bytes, size) &&
                   !memchr(bytes, 0, size);
    const char *text =
        is_text ? etna_arena_strndup(arena, (const char *)bytes, size) : NULL;
    if (!text)
        r->failed = true;
    return text ? text : "";
}

/* 16 bytes are four empty texts: the count is bounded by what is left before
 * anything is allocated. */
static void words_decode(canon_reader *r, etna_arena *arena, asset *a)
{
    uint32_t count = canon_get_count(r, 16);
    if (r->failed || count > ASSET_WORDS_MAX) {
        r->failed = true;
        return;
    }
    a->words = etna_arena_alloc(arena, count, sizeof *a->words);
    if (!a->words)
        r->failed = true;
    a->word_count = a->words ? count : 0;
    for (uint32_t i = 0; i < a->word_count; i++) {
        a->words[i].language = asset_text(r, arena);
        a->words[i].name = asset_text(r, arena);
        a->words[i].tags = asset_text(r, arena);
        a->words[i].category = asset_text(r, arena);
    }
}

/* Texts are copies in the arena. *ret is untouched on failure. */
etna_code asset_decode(const uint8_t *data,
                       size_t size,
                       etna_arena *arena,
                       asset *ret,
                       etna_error *err)
{
    canon_reader r = canon_read(data, size);
    asset a = asset_empty();
    if (canon_get_u32(&r) != ASSET_SCANNER)
        r.failed = true;
    a.hash = canon_get_hash(&r);
    a.fault = asset_text(&r, arena);
    a.path = asset_text(&r, arena);
    a.number = canon_get_u32(&r);
    a.stamp = canon_get_hash(&r);
    const char **const texts[] = {&a.id,         &a.name,       &a.tags,
                                  &a.category,   &a.creator,    &a.licence,
                                  &a.collection, &a.information};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        *texts[i] = asset_text(&r, arena);
    a.elevation = canon_get_f64(&r);
    a.top = canon_get_f64(&r);
    uint8_t flags = canon_get_u8(&r);
    a.movable = flags & 1;
    a.opening = flags >> 1 & 1;
    a.light = flags >> 2 & 1;
    words_decode(&r, arena, &a);
    if (!canon_done(&r))
        return etna_fail(err, ETNA_E_CORRUPT,
                         "the record of an asset is damaged");
    *ret = a;
    return ETNA_OK;
}

etna_code asset_shape_decode(const uint8_t *data,
                             size_t size,
                             etna_arena *arena,
                             asset_shape *ret,
                             etna_error *err)
{
    canon_reader r = canon_read(data, size);
    asset_shape s = {.materials = ""};
    if (canon_get_u32(&r) != ASSET_SCANNER)
        r.failed = true;
    for (int k = 0; k < 3; k++)
        s.size[k] = canon_get_f64(&r);
    s.triangles = canon_get_u32(&r);
    canon_get_raw(&r, s.colour, sizeof s.colour);
    s.clear = canon_get_u8(&r);
    s.metal = canon_get_u8(&r);
    s.foot = canon_get_u8(&r);
    uint8_t flags = canon_get_u8(&r);
    s.round = flags & 1;
    s.oval = flags >> 1 & 1;
    s.materials = asset_text(&r, arena);
    if (!canon_done(&r))
        return etna_fail(err, ETNA_E_CORRUPT,
                         "the shape of an asset is damaged");
    *ret = s;
    return ETNA_OK;
}

/* ---- names ---- */

void asset_short_name(const asset *a, char *to, size_t size)
{
    const char *slash = strrchr(a->path, '/');
    const char *file = slash ? slash + 1 : a->path;
    const char *dot = strrchr(file, '.');
    int stem = dot && dot > file ? (int)(dot - file) : (int)strlen(file);
    if (a->number)
        snprintf(to, size, "%.*s#%u", stem, file, a->number);
    else
        snprintf(to, size, "%s", file);
}

/* In this order: what forbids something is found before what merely asks for a
 * name, since the long texts of the former hold the words of the latter. What
 * is none of these is told as it is written. */
const char *asset_licence_short(const asset *a)
{
    static const struct {
        const char *says, *also, *is;
    } known[] = {
        {"NonCommercial", "", "CC-NC"},
        {"NoDerivatives", "", "CC-ND"},
        {"NoDerivs", "", "CC-ND"},
        {"ShareAlike", "4.0", "CC-BY-SA-4.0"},
        {"ShareAlike", "", "CC-BY-SA-3.0"},
        {"Attribution", "4.0", "CC-BY-4.0"},
        {"Attribution", "3.0", "CC-BY-3.0"},
        {"Attribution", "", "CC-BY"},
        {"Creative Commons", "Unported", "CC-BY-3.0"},
        {"public domain", "", "CC0"},
        {"CC0", "", "CC0"},
        {"CC-0", "", "CC0"},
    };
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (strcasestr(a->licence, known[i].says) &&
            strcasestr(a->licence, known[i].also))
            return known[i].is;
    }
    return a->licence[0] ? a->licence : "not said";
}

/* ---- its front ---- */

uint32_t asset_front(const asset *a)
{
    bool is_seen = !a->number && a->caption && a->caption->front;
    return is_seen ? (a->caption->front - 1) & 3 : 0;
}

void asset_size(const asset *a, double ret[3])
{
    const bool is_sideways = asset_front(a) & 1;
    ret[0] = a->shape.size[is_sideways ? 2 : 0];
    ret[1] = a->shape.size[1];
    ret[2] = a->shape.size[is_sideways ? 0 : 2];
}
