/* The memory maker of kv.h, for tests and the simulator: a sorted array of rows
 * per table. A write keeps what it replaced in an undo list, so that a failed
 * body leaves no trace, as LMDB would. */
#include "store/kv.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
    size_t key_size, value_size;
    uint8_t bytes[]; /* key, then value */
} row;

typedef struct table {
    row **rows;
    size_t count, room;
} table;

/* What a put or del replaced, to be put back. */
typedef struct undo {
    kv_table table;
    row *old;   /* what stood there; NULL: nothing */
    row *added; /* what stands there now; NULL: nothing */
} undo;

typedef struct memory {
    kv base;
    table tables[KV_TABLES];
    bool failing;
    uint64_t fail_after;
    etna_code fail_code;
} memory;

typedef struct memory_txn {
    kv_txn base;
    bool write;
    undo *undos;
    size_t count, room;
} memory_txn;

static int kv_memory_compare(kv_view key, const row *r)
{
    size_t least = key.size < r->key_size ? key.size : r->key_size;
    int order = least ? memcmp(key.data, r->bytes, least) : 0;
    if (order)
        return order;
    return (key.size > r->key_size) - (key.size < r->key_size);
}

/* Index of the first row whose key is >= key. */
static size_t lower_bound(const table *t, kv_view key)
{
    size_t from = 0;
    size_t to = t->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (kv_memory_compare(key, t->rows[middle]) > 0) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

static table *table_of(kv_txn *txn, kv_table which)
{
    return &((memory *)txn->db)->tables[which];
}

static etna_code memory_get(
    kv_txn *txn, kv_table which, kv_view key, kv_view *ret, etna_error *err)
{
    table *t = table_of(txn, which);
    size_t at = lower_bound(t, key);
    if (at == t->count || kv_memory_compare(key, t->rows[at]))
        return etna_fail(err, ETNA_E_NOTFOUND, "no such row");
    *ret = (kv_view){t->rows[at]->bytes + t->rows[at]->key_size,
                     t->rows[at]->value_size};
    return ETNA_OK;
}

static etna_code memory_seek(kv_txn *txn,
                             kv_table which,
                             kv_view key,
                             bool forward,
                             kv_view *ret_key,
                             kv_view *ret_value,
                             etna_error *err)
{
    table *t = table_of(txn, which);
    size_t at = lower_bound(t, key);
    if (!forward && (at == t->count || kv_memory_compare(key, t->rows[at])))
        at = at ? at - 1 : t->count;
    if (at == t->count)
        return etna_fail(err, ETNA_E_NOTFOUND, "no such row");
    const row *r = t->rows[at];
    *ret_key = (kv_view){r->bytes, r->key_size};
    *ret_value = (kv_view){r->bytes + r->key_size, r->value_size};
    return ETNA_OK;
}

static etna_code memory_count(kv_txn *txn,
                              kv_table which,
                              uint64_t *ret,
                              etna_error *err)
{
    (void)err;
    *ret = table_of(txn, which)->count;
    return ETNA_OK;
}

/* Room for one more entry, before anything is changed. */
static bool reserve_undo(memory_txn *txn)
{
    if (txn->count < txn->room)
        return true;
    size_t room = txn->room ? 2 * txn->room : 16;
    undo *grown = realloc(txn->undos, room * sizeof *grown);
    if (!grown)
        return false;
    txn->undos = grown;
    txn->room = room;
    return true;
}

static void kv_memory_place(table *t, size_t at, row *r)
{
    assert(t->count < t->room && at <= t->count);
    memmove(t->rows + at + 1, t->rows + at, (t->count - at) * sizeof *t->rows);
    t->rows[at] = r;
    t->count++;
}

static void take_out(table *t, size_t at)
{
    assert(at < t->count);
    memmove(t->rows + at, t->rows + at + 1,
            (t->count - at - 1) * sizeof *t->rows);
    t->count--;
}

/* Everything that can fail comes first, then the change and its undo entry. */
static etna_code memory_put(
    kv_txn *base, kv_table which, kv_view key, kv_view value, etna_error *err)
{
    memory_txn *txn = (memory_txn *)base;
    table *t = table_of(base, which);
    row *r = malloc(sizeof *r + key.size + value.size);
    if (!r || !reserve_undo(txn))
        goto no_memory;
    /* one more than needed: undoing a deletion must not allocate */
    if (t->count == t->room) {
        size_t room = t->room ? 2 * t->room : 16;
        row **grown = realloc(t->rows, room * sizeof *grown);
        if (!grown)
            goto no_memory;
        t->rows = grown;
        t->room = room;
    }
    r->key_size = key.size;
    r->value_size = value.size;
    if (key.size)
        memcpy(r->bytes, key.data, key.size);
    if (value.size)
        memcpy(r->bytes + key.size, value.data, value.size);
    size_t at = lower_bound(t, key);
    row *old = NULL;
    if (at < t->count && !kv_memory_compare(key, t->rows[at])) {
        old = t->rows[at];
        t->rows[at] = r;
    } else {
        kv_memory_place(t, at, r);
    }
    txn->undos[txn->count++] = (undo){which, old, r};
    return ETNA_OK;
no_memory:
    free(r);
    return etna_fail(err, ETNA_E_NOMEM,
                     "out of memory keeping a row of %zu bytes", value.size);
}

static etna_code memory_del(kv_txn *base,
                            kv_table which,
                            kv_view key,
                            etna_error *err)
{
    memory_txn *txn = (memory_txn *)base;
    table *t = table_of(base, which);
    size_t at = lower_bound(t, key);
    if (at == t->count || kv_memory_compare(key, t->rows[at]))
        return etna_fail(err, ETNA_E_NOTFOUND, "no such row");
    if (!reserve_undo(txn))
        return etna_fail(err, ETNA_E_NOMEM, "out of memory removing a row");
    txn->undos[txn->count++] = (undo){which, t->rows[at], NULL};
    take_out(t, at);
    return ETNA_OK;
}

/* Backwards: a key that was changed twice gets its first value back. Nothing
 * here allocates, so it cannot fail. */
static void roll_back(memory_txn *txn)
{
    while (txn->count) {
        undo u = txn->undos[--txn->count];
        table *t = table_of(&txn->base, u.table);
        const row *named = u.added ? u.added : u.old;
        size_t at = lower_bound(t, (kv_view){named->bytes, named->key_size});
        if (u.added && u.old) {
            t->rows[at] = u.old;
        } else if (u.added) {
            take_out(t, at);
        } else {
            kv_memory_place(t, at, u.old);
        }
        free(u.added);
    }
}

/* Reads run by the same path; they have nothing to undo. */
static etna_code memory_run(
    kv *db, bool write, kv_body body, void *context, etna_error *err)
{
    memory *m = (memory *)db;
    memory_txn txn = {.base = {db}, .write = write};
    etna_code code = body(&txn.base, context, err);
    bool counts = !code && write && m->failing;
    if (counts && m->fail_after-- == 0) {
        m->fail_after = 0;
        code = etna_fail(err, m->fail_code,
                         "the commit failed, as the test asked");
    }
    if (code) {
        roll_back(&txn);
    } else {
        for (size_t i = 0; i < txn.count; i++)
            free(txn.undos[i].old);
    }
    free(txn.undos);
    return code;
}

static uint64_t memory_file_bytes(kv *db)
{
    (void)db;
    return 0;
}

static etna_code memory_copy(kv *db, const char *directory, etna_error *err)
{
    (void)db;
    return etna_fail(err, ETNA_E_INTERNAL,
                     "%s: a store in memory is not copied", directory);
}

/* nothing is free in it */
static etna_code memory_compact(kv *db, etna_error *err)
{
    (void)db;
    (void)err;
    return ETNA_OK;
}

static void memory_maintain(kv *db)
{
    (void)db;
}

static void memory_close(kv *db)
{
    memory *m = (memory *)db;
    for (int i = 0; i < KV_TABLES; i++) {
        for (size_t j = 0; j < m->tables[i].count; j++)
            free(m->tables[i].rows[j]);
        free(m->tables[i].rows);
    }
    free(m);
}

etna_code kv_open_memory(kv **ret_kv, etna_error *err)
{
    static const kv_ops ops = {memory_run,        memory_get,  memory_put,
                               memory_del,        memory_seek, memory_count,
                               memory_file_bytes, memory_copy, memory_compact,
                               memory_maintain,   memory_close};
    memory *m = calloc(1, sizeof *m);
    if (!m)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory opening a store in memory");
    m->base.ops = &ops;
    *ret_kv = &m->base;
    return ETNA_OK;
}

void kv_memory_fail(kv *db, uint64_t after, etna_code code)
{
    memory *m = (memory *)db;
    m->failing = code != ETNA_OK;
    m->fail_after = after;
    m->fail_code = code;
}
