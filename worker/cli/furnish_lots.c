/* What the pool needs for a list of briefs: the index, every model that one of
 * them may come to want, and the briefs. Models that were read before are
 * taken from what the store keeps of furnished rooms, so that a list that was
 * interrupted, or a second one, reads only what is new. */
#include "proto/fd.h"
#include "worker/cli/assets.h"
#include "worker/cli/compose_stage.h"
#include "worker/cli/furnish_keep_internal.h"
#include "worker/cli/furnish_lot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What an entry of the file is; coordinator/cli/furnish_rooms.c is the other
 * side. */
enum {
    ENTRY_HEAD = 0, /* JSON */
    ENTRY_INDEX,
    ENTRY_MODEL,
    ENTRY_BRIEF,
    ENTRY_BYTES =
        12 /* before each: its size (8, the low end first), what it is (4) */
};

typedef struct gathering {
    const furnish_many *many;
    shelf *shelf;
    index_view view;
    uint8_t *index; /* owned; the view's */
    size_t index_size;
    int fd;
    /* of all briefs so far; a zero blob: it cannot be read */
    furnish_stock stock;
    uint32_t room;
    etna_error *err;
} gathering;

static etna_code entry_write(gathering *g,
                             uint32_t what,
                             const void *data,
                             size_t size)
{
    uint8_t head[ENTRY_BYTES];
    for (int i = 0; i < 8; i++)
        head[i] = (uint8_t)((uint64_t)size >> (8 * i));
    for (int i = 0; i < 4; i++)
        head[8 + i] = (uint8_t)(what >> (8 * i));
    bool ok = fd_write(g->fd, head, sizeof head) && fd_write(g->fd, data, size);
    return ok ? ETNA_OK
              : etna_fail(g->err, ETNA_E_IO,
                          "what rooms are made of cannot be written");
}

/* ---- models ---- */

typedef struct model_bytes {
    gathering *g;
    etna_hash blob;
} model_bytes;

static etna_code model_found(void *context,
                             const uint8_t *data,
                             size_t size,
                             etna_error *err)
{
    model_bytes *m = context;
    (void)err;
    m->blob = etna_hash_bytes(data, size);
    return entry_write(m->g, ENTRY_MODEL, data, size);
}

/* Reads it, and keeps it for the next time; a store that cannot be written is no
 * reason to go without. */
static etna_code model_convert(model_bytes *m,
                               const furnish_pick *pick,
                               etna_error *err)
{
    char path[4400];
    furnishing kept = {.seed = 0};
    compose_asset model = {.path = path};
    snprintf(path, sizeof path, pick->number ? "%s#%u" : "%s", pick->path,
             pick->number);
    etna_code code = compose_asset_read(path, &model, err);
    if (code == ETNA_OK)
        code = furnish_kept_add(&kept, &pick->hash, &model, err);
    if (code == ETNA_OK) {
        const shelf_reply row = {furnish_model_key(&pick->hash),
                                 kept.kept[0].data, kept.kept[0].size};
        /* if it cannot be kept, it is converted anew the next time */
        (void)shelf_keep(m->g->shelf, &row, 1, NULL);
        code = model_found(m, row.data, row.size, err);
    }
    free(model.glb);
    furnish_free(&kept);
    return code;
}

/* *ret: the blob; zero where the model cannot be read, which is told of the
 * rooms that want it. */
static etna_code model_write(gathering *g,
                             const furnish_pick *pick,
                             etna_hash *ret)
{
    const etna_hash key = furnish_model_key(&pick->hash);
    model_bytes m = {.g = g};
    etna_error own = {ETNA_OK, ""};
    etna_code code = shelf_with_kept(g->shelf, &key, model_found, &m, &own);
    if (code == ETNA_E_NOTFOUND)
        code = model_convert(&m, pick, &own);
    *ret = code == ETNA_OK ? m.blob : (etna_hash){.bytes = {0}};
    if (code == ETNA_E_INPUT)
        return ETNA_OK;
    if (code != ETNA_OK)
        *g->err = own;
    return code;
}

/* Where it is, or where it comes. NULL: no memory. */
static furnish_stocked *stock_row(furnish_stock *stock,
                                  uint32_t *room,
                                  const etna_hash *model,
                                  bool *ret_new)
{
    for (uint32_t i = 0; i < stock->count; i++) {
        if (etna_hash_equal(&stock->rows[i].model, model)) {
            *ret_new = false;
            return &stock->rows[i];
        }
    }
    if (stock->count == *room) {
        uint32_t more = *room ? 2 * *room : 256;
        furnish_stocked *grown = realloc(stock->rows, more * sizeof *grown);
        if (!grown)
            return NULL;
        stock->rows = grown;
        *room = more;
    }
    *ret_new = true;
    furnish_stocked *row = &stock->rows[stock->count++];
    *row = (furnish_stocked){.model = *model};
    return row;
}

/* Into the stock of all and into that of this brief. */
static etna_code pick_gather(gathering *g,
                             const furnish_pick *pick,
                             furnish_stock *of_brief,
                             uint32_t *room)
{
    bool is_new = false;
    furnish_stocked *row = stock_row(&g->stock, &g->room, &pick->hash, &is_new);
    if (!row)
        return furnish_no_memory(g->err);
    etna_code code = is_new ? model_write(g, pick, &row->blob) : ETNA_OK;
    if (code != ETNA_OK || etna_hash_is_zero(&row->blob))
        return code;
    furnish_stocked *own = stock_row(of_brief, room, &pick->hash, &is_new);
    if (!own)
        return furnish_no_memory(g->err);
    own->blob = row->blob;
    return ETNA_OK;
}

/* ---- briefs ---- */

/* Picks as the task will; a brief that is none goes as it is, and the task says
 * why. */
static etna_code brief_gather(gathering *g, furnishing *f, uint32_t line)
{
    furnish_stock stock = {.count = 0};
    uint32_t room = 0;
    uint8_t *lot = NULL;
    size_t size = 0;
    etna_error own = {ETNA_OK, ""};
    etna_code code = furnish_pick_all(f, &g->view, &own);
    bool is_brief = code == ETNA_OK;
    if (code == ETNA_E_NOMEM)
        return furnish_no_memory(g->err);
    code = ETNA_OK;
    for (uint32_t i = 0; is_brief && i < f->thing_count; i++) {
        const furnish_thing *t = &f->things[i];
        for (uint32_t k = 0; code == ETNA_OK && k < t->pick_count; k++)
            code = pick_gather(g, &t->picks[k], &stock, &room);
    }
    if (code == ETNA_OK)
        code = furnish_lot_pack(f, line, &stock, &lot, &size, g->err);
    if (code == ETNA_OK)
        code = entry_write(g, ENTRY_BRIEF, lot, size);
    free(stock.rows);
    free(lot);
    return code;
}

static etna_code line_gather(gathering *g,
                             uint32_t number,
                             const char *line,
                             size_t size)
{
    furnishing *f = calloc(1, sizeof *f);
    if (!f)
        return furnish_no_memory(g->err);
    if (number > ARRANGE_LOTS_MAX) {
        free(f);
        return etna_fail(
            g->err, ETNA_E_LIMIT,
            "there are more than %d lines; give them in several files",
            (int)ARRANGE_LOTS_MAX);
    }
    etna_code code = furnish_many_ask(g->many, number, line, size, f, g->err);
    if (code == ETNA_OK)
        code = brief_gather(g, f, number);
    furnish_free(f);
    free(f);
    return code;
}

/* furnish_each_line's. */
static etna_code line_each(void *context,
                           uint32_t number,
                           const char *line,
                           size_t size,
                           etna_error *err)
{
    (void)err; /* the same as g->err */
    return line_gather(context, number, line, size);
}

/* ---- all ---- */

static etna_code index_take(void *context,
                            const uint8_t *data,
                            size_t size,
                            etna_error *err)
{
    gathering *g = context;
    g->index = malloc(size + 1);
    if (!g->index)
        return furnish_no_memory(err);
    memcpy(g->index, data, size);
    g->index_size = size;
    return ETNA_OK;
}

static etna_code gathering_open(gathering *g, const json_t *head)
{
    char *text = json_dumps(head, JSON_COMPACT);
    etna_code code = text ? entry_write(g, ENTRY_HEAD, text, strlen(text))
                          : furnish_no_memory(g->err);
    free(text);
    if (code == ETNA_OK)
        code = assets_open(g->many->store, true, &g->shelf, g->err);
    if (code == ETNA_OK)
        code = shelf_with_index(g->shelf, index_take, g, g->err);
    if (code == ETNA_E_NOTFOUND)
        return furnish_no_index(g->err);
    if (code == ETNA_OK)
        code = index_open(g->index, g->index_size, &g->view, g->err);
    return code == ETNA_OK
               ? entry_write(g, ENTRY_INDEX, g->index, g->index_size)
               : code;
}

etna_code furnish_lots_write(const furnish_many *many,
                             const char *text,
                             size_t size,
                             const json_t *head,
                             int fd,
                             etna_error *err)
{
    gathering g = {.many = many, .fd = fd, .err = err};
    etna_code code = gathering_open(&g, head);
    if (code == ETNA_OK)
        code = furnish_each_line(text, size, line_each, &g, err);
    shelf_close(g.shelf);
    free(g.stock.rows);
    free(g.index);
    return code;
}
