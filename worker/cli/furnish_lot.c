/* A brief's bytes, and the room that the pool makes of it. All that such a room
 * is made of comes as blobs: no library, no store and no other process is asked
 * on the way. */
#include "worker/cli/furnish_lot.h"
#include "proto/furnished.h"
#include "proto/utf8.h"
#include "worker/cli/furnish_keep_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOT_MARK = 0x42544e45, /* "ENTB" */
    LOT_VERSION = 1,
    STOCKED_BYTES = 64 /* of a row */
};

/* ---- the stock ---- */

static furnish_stocked *stock_find(const furnish_stock *stock,
                                   const etna_hash *model)
{
    for (uint32_t i = 0; i < stock->count; i++) {
        if (etna_hash_equal(&stock->rows[i].model, model))
            return &stock->rows[i];
    }
    return NULL;
}

etna_code furnish_stock_read(const furnish_stock *stock,
                             const etna_hash *model,
                             compose_asset *ret,
                             etna_error *err)
{
    const furnish_stocked *row = stock_find(stock, model);
    if (!row || !row->data)
        return etna_fail(
            err, ETNA_E_INPUT,
            "the model could not be read when the rooms were sent");
    return furnish_model_decode(ret, row->data, row->size, err);
}

/* ---- a brief ---- */

etna_code furnish_lot_pack(const furnishing *f,
                           uint32_t line,
                           const furnish_stock *stock,
                           uint8_t **ret,
                           size_t *ret_size,
                           etna_error *err)
{
    canon_writer w = {0};
    canon_u32(&w, LOT_MARK);
    canon_u32(&w, LOT_VERSION);
    canon_u32(&w, line);
    furnish_asked_encode(&w, f);
    canon_u32(&w, stock->count);
    for (uint32_t i = 0; i < stock->count; i++) {
        canon_hash(&w, &stock->rows[i].model);
        canon_hash(&w, &stock->rows[i].blob);
    }
    if (w.failed) {
        canon_writer_free(&w);
        return furnish_no_memory(err);
    }
    *ret = w.data;
    *ret_size = w.size;
    return ETNA_OK;
}

/* ---- a room on the pool ---- */

/* What is asked for has its models; then it is laid, and what was laid is set,
 * again and again, until it stands or something is wrong with it. */
typedef struct pool_room {
    furnishing f;
    furnish_stock stock;
    const uint8_t *index; /* borrowed */
    size_t index_size;
    uint32_t line;
    bool is_picked, is_laid, is_made;
    etna_error fault; /* of the brief; code ETNA_OK: none */
} pool_room;

static etna_code brief_unpack(pool_room *p,
                              const uint8_t *data,
                              size_t size,
                              etna_error *err)
{
    canon_reader r = canon_read(data, size);
    bool is_ours =
        canon_get_u32(&r) == LOT_MARK && canon_get_u32(&r) == LOT_VERSION;
    p->line = canon_get_u32(&r);
    bool is_asked = is_ours && furnish_asked_decode(&r, &p->f);
    uint32_t count = is_asked ? canon_get_count(&r, STOCKED_BYTES) : 0;
    p->stock.rows = calloc(count + 1u, sizeof *p->stock.rows);
    if (!p->stock.rows)
        return furnish_no_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        p->stock.rows[i].model = canon_get_hash(&r);
        p->stock.rows[i].blob = canon_get_hash(&r);
    }
    p->stock.count = count;
    if (!is_asked || !canon_done(&r))
        return etna_fail(
            err, ETNA_E_INPUT,
            "this is no brief for a room, or one of another version");
    return ETNA_OK;
}

static void pool_close(void *room)
{
    pool_room *p = room;
    for (uint32_t i = 0; i < p->stock.count; i++)
        free(p->stock.rows[i].data);
    free(p->stock.rows);
    furnish_free(&p->f);
    free(p);
}

static etna_code pool_open(const uint8_t *index,
                           size_t index_size,
                           const uint8_t *lot,
                           size_t lot_size,
                           void **ret_room,
                           etna_error *err)
{
    pool_room *p = calloc(1, sizeof *p);
    if (!p)
        return furnish_no_memory(err);
    p->index = index;
    p->index_size = index_size;
    etna_code code = brief_unpack(p, lot, lot_size, err);
    if (code != ETNA_OK) {
        pool_close(p);
        return code;
    }
    p->f.stock = &p->stock;
    *ret_room = p;
    return ETNA_OK;
}

/* The blob of the first model that was placed, is in the stock, and is not here
 * yet. */
static const etna_hash *pool_wants(const void *room)
{
    const pool_room *p = room;
    const furnishing *f = &p->f;
    if (!p->is_laid || p->is_made)
        return NULL;
    for (uint32_t i = 0; i < f->plan.item_count; i++) {
        if (!f->plan.items[i].placed)
            continue;
        const furnish_stocked *row =
            stock_find(&p->stock, &furnish_pick_of(f, i)->hash);
        if (row && !row->data)
            return &row->blob;
    }
    return NULL;
}

static etna_code pool_give(void *room,
                           const uint8_t *data,
                           size_t size,
                           etna_error *err)
{
    pool_room *p = room;
    const etna_hash *wanted = pool_wants(p);
    furnish_stocked *row = p->stock.rows;
    if (!wanted)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "a room was given what it does not want");
    while (&row->blob != wanted)
        row++;
    row->data = malloc(size + 1);
    if (!row->data)
        return furnish_no_memory(err);
    memcpy(row->data, data, size);
    row->size = size;
    return ETNA_OK;
}

/* Until models are wanted, or it is made. */
static etna_code pool_go_on(pool_room *p, etna_error *err)
{
    furnishing *f = &p->f;
    index_view v;
    etna_code code = ETNA_OK;
    if (!p->is_picked) {
        code = index_open(p->index, p->index_size, &v, err);
        if (code == ETNA_OK)
            code = furnish_pick_all(f, &v, err);
        p->is_picked = true;
    }
    while (code == ETNA_OK && !p->is_made) {
        bool again = false;
        if (!p->is_laid)
            code = furnish_lay(f, err);
        p->is_laid = true;
        if (code != ETNA_OK || pool_wants(p))
            return code;
        code = furnish_try(f, &again, err);
        p->is_laid = !again;
        p->is_made = !again;
    }
    return code;
}

/* Another try on another machine comes to the same, unless memory was short. */
static etna_code pool_work(void *room, etna_error *err)
{
    pool_room *p = room;
    etna_error why = {ETNA_OK, ""};
    etna_code code = pool_go_on(p, &why);
    if (code == ETNA_E_NOMEM)
        return etna_fail(err, code, "%s", why.text);
    if (code == ETNA_OK)
        return ETNA_OK;
    p->fault = why;
    p->fault.code = code;
    p->is_made = true;
    return ETNA_OK;
}

/* What was wrong with the brief, in whole characters. */
static etna_code fault_pack(const pool_room *p,
                            uint8_t **ret,
                            size_t *ret_size,
                            etna_error *err)
{
    char why[2 * sizeof p->fault.text + 2];
    const furnished room = {.line = p->line,
                            .code = p->fault.code,
                            .why = why,
                            .why_size = etna_utf8_repair(
                                p->fault.text, strlen(p->fault.text), why)};
    return furnished_pack(&room, ret, ret_size, err);
}

static etna_code pool_take(void *room,
                           uint8_t **ret,
                           size_t *ret_size,
                           etna_error *err)
{
    const pool_room *p = room;
    if (p->fault.code != ETNA_OK)
        return fault_pack(p, ret, ret_size, err);
    const furnish_score score = furnish_measure(&p->f);
    json_t *report = furnish_report(&p->f);
    char *text = report ? furnish_report_text(report) : NULL;
    char *words = furnish_words(&p->f);
    etna_code code = text && words ? ETNA_OK : furnish_no_memory(err);
    if (code == ETNA_OK) {
        const furnished made = {.line = p->line,
                                .end = furnish_ended(&score),
                                .glb = p->f.glb,
                                .glb_size = p->f.glb_size,
                                .report = text,
                                .report_size = strlen(text),
                                .words = words,
                                .words_size = strlen(words)};
        code = furnished_pack(&made, ret, ret_size, err);
    }
    json_decref(report);
    free(text);
    free(words);
    return code;
}

const job_furnisher furnish_furnisher = {.open = pool_open,
                                         .work = pool_work,
                                         .wants = pool_wants,
                                         .give = pool_give,
                                         .take = pool_take,
                                         .close = pool_close};
