/* Bytes of lots and of what comes of them (proto/canon.h): a mark, a count, and
 * so many rows. Both come from other processes, and maybe from other machines,
 * so that nothing in them is believed. */
#include "worker/assets/lot.h"
#include "proto/canon.h"
#include "proto/utf8.h"
#include "worker/assets/measure.h"
#include "worker/assets/views.h"
#include "worker/gltf/bundle.h"
#include "worker/scene/export.h"
#include "worker/scene/scene.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOT_MARK = 0x4c544e45,       /* "ENTL" */
    LOT_SCANS_MARK = 0x53544e45, /* "ENTS" */
    ITEM_BYTES_MAX = INT32_MAX,
    SHAPE_BYTES_MAX = 1 << 20,
    VIEWS_BYTES_MAX = 4 << 20
};

/* ---- lots ---- */

static etna_code lot_finish(canon_writer *w,
                            uint8_t **ret,
                            size_t *ret_size,
                            etna_error *err)
{
    if (w->failed) {
        canon_writer_free(w);
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a lot of models");
    }
    *ret = w->data;
    *ret_size = w->size;
    return ETNA_OK;
}

etna_code lot_pack(const lot_item *items,
                   uint32_t count,
                   uint8_t **ret,
                   size_t *ret_size,
                   etna_error *err)
{
    canon_writer w = {0};
    canon_u32(&w, LOT_MARK);
    canon_u32(&w, ASSET_SCANNER);
    canon_u32(&w, count);
    for (uint32_t i = 0; i < count; i++) {
        canon_hash(&w, &items[i].stamp);
        canon_hash(&w, &items[i].known);
        canon_bytes(&w, items[i].bundle, items[i].size);
    }
    return lot_finish(&w, ret, ret_size, err);
}

/* How many rows follow; 0: it is not of this kind, or of another version. */
static uint32_t lot_open(canon_reader *r, uint32_t mark)
{
    bool is_known =
        canon_get_u32(r) == mark && canon_get_u32(r) == ASSET_SCANNER;
    uint32_t count = canon_get_u32(r);
    bool fits = is_known && !r->failed && count <= LOT_MODELS;
    return fits ? count : 0;
}

etna_code lot_unpack(const uint8_t *data,
                     size_t size,
                     lot_item *items,
                     uint32_t *ret_count,
                     etna_error *err)
{
    canon_reader r = canon_read(data, size);
    uint32_t count = lot_open(&r, LOT_MARK);
    for (uint32_t i = 0; i < count; i++) {
        items[i].stamp = canon_get_hash(&r);
        items[i].known = canon_get_hash(&r);
        items[i].bundle = canon_get_bytes(&r, ITEM_BYTES_MAX, &items[i].size);
    }
    if (!count || !canon_done(&r))
        return etna_fail(err, ETNA_E_INPUT,
                         "this is no lot of models, or one of another version");
    *ret_count = count;
    return ETNA_OK;
}

/* ---- reading ---- */

/* The asset's hash: of the GLB that is brought into scenes. */
static etna_code model_hash(const lot_item *item,
                            const scene *s,
                            etna_hash *ret,
                            etna_error *err)
{
    snapshot base = {.object_count = 0};
    uint8_t *glb = NULL;
    size_t size = 0;
    if (!etna_hash_is_zero(&item->known)) {
        *ret = item->known;
        return ETNA_OK;
    }
    etna_code code = snapshot_base(s, &base, err);
    if (code == ETNA_OK)
        code = scene_export_glb(s, item->bundle, item->size, &base, &glb, &size,
                                err);
    if (code == ETNA_OK)
        *ret = etna_hash_bytes(glb, size);
    snapshot_free(&base);
    free(glb);
    return code;
}

/* A model without pictures is one all the same. */
static void model_draw(scene *s, etna_arena *arena, lot_scan *ret)
{
    uint8_t *png = NULL;
    size_t size = 0;
    if (assets_views_png(s, &png, &size, NULL) == ETNA_OK) {
        uint8_t *copy = etna_arena_alloc(arena, size, 1);
        if (copy)
            memcpy(copy, png, size);
        ret->views = copy;
        ret->views_size = copy ? size : 0;
    }
    free(png);
}

/* Whatever a model lacks is its fault; memory is ours. */
static etna_code model_scan(const lot_item *item,
                            etna_arena *arena,
                            lot_scan *ret,
                            etna_error *err)
{
    scene *s = NULL;
    etna_error why = {ETNA_OK, ""};
    *ret = (lot_scan){.stamp = item->stamp, .fault = ""};
    etna_code code = scene_import(item->bundle, item->size, &s, &why);
    if (code == ETNA_OK)
        code = model_hash(item, s, &ret->hash, &why);
    if (code == ETNA_OK)
        code = asset_measure(s, arena, &ret->shape, &why);
    if (code == ETNA_OK)
        model_draw(s, arena, ret);
    scene_free(s);
    if (code == ETNA_OK)
        return ETNA_OK;
    ret->hash = (etna_hash){.bytes = {0}};
    ret->fault = etna_arena_strdup(arena, why.text);
    if (code != ETNA_E_NOMEM && ret->fault)
        return ETNA_OK;
    return etna_fail(err, ETNA_E_NOMEM, "no memory to read a model");
}

static etna_code scan_write(canon_writer *w,
                            const lot_scan *scan,
                            etna_error *err)
{
    uint8_t *shape = NULL;
    size_t size = 0;
    etna_code code = ETNA_OK;
    if (!scan->fault[0])
        code = asset_shape_encode(&scan->shape, &shape, &size, err);
    canon_hash(w, &scan->stamp);
    canon_hash(w, &scan->hash);
    canon_text(w, scan->fault);
    canon_bytes(w, shape, size);
    canon_bytes(w, scan->views, scan->views_size);
    free(shape);
    return code;
}

etna_code lot_read(const uint8_t *data,
                   size_t size,
                   uint8_t **ret,
                   size_t *ret_size,
                   etna_error *err)
{
    lot_item items[LOT_MODELS];
    uint32_t count = 0;
    canon_writer w = {0};
    etna_code code = lot_unpack(data, size, items, &count, err);
    canon_u32(&w, LOT_SCANS_MARK);
    canon_u32(&w, ASSET_SCANNER);
    canon_u32(&w, count);
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        lot_scan scan;
        code = model_scan(&items[i], &arena, &scan, err);
        if (code == ETNA_OK)
            code = scan_write(&w, &scan, err);
        etna_arena_free(&arena);
    }
    if (code == ETNA_OK)
        return lot_finish(&w, ret, ret_size, err);
    canon_writer_free(&w);
    return code;
}

/* ---- what came of it ---- */

/* A shape or a fault, never both and never neither. */
static bool scan_take(canon_reader *r, etna_arena *arena, lot_scan *ret)
{
    size_t fault_size = 0, shape_size = 0;
    ret->stamp = canon_get_hash(r);
    ret->hash = canon_get_hash(r);
    const uint8_t *fault =
        canon_get_bytes(r, sizeof((etna_error *)0)->text, &fault_size);
    const uint8_t *shape = canon_get_bytes(r, SHAPE_BYTES_MAX, &shape_size);
    ret->views = canon_get_bytes(r, VIEWS_BYTES_MAX, &ret->views_size);
    bool is_good = shape_size > 0 && fault_size == 0;
    bool is_fault = shape_size == 0 && fault_size > 0;
    if (r->failed || is_good == is_fault)
        return false;
    if (is_good) {
        ret->fault = "";
        return !etna_hash_is_zero(&ret->hash) &&
               asset_shape_decode(shape, shape_size, arena, &ret->shape,
                                  NULL) == ETNA_OK;
    }
    ret->fault = etna_arena_strndup(arena, (const char *)fault, fault_size);
    return ret->fault && etna_utf8_valid(ret->fault, fault_size);
}

etna_code lot_scans(const uint8_t *data,
                    size_t size,
                    etna_arena *arena,
                    lot_scan *scans,
                    uint32_t *ret_count,
                    etna_error *err)
{
    canon_reader r = canon_read(data, size);
    uint32_t count = lot_open(&r, LOT_SCANS_MARK);
    uint32_t i = 0;
    while (i < count && scan_take(&r, arena, &scans[i]))
        i++;
    if (!count || i < count || !canon_done(&r))
        return etna_fail(err, ETNA_E_INPUT,
                         "this is not what was read of a lot of models");
    *ret_count = count;
    return ETNA_OK;
}
