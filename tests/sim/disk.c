/* What the stores of all coordinators are on, one after the other or two at
 * once: tables in memory that outlive their owners. A write is kept whole or
 * not at all, which is LMDB's promise (tests/unit/store/test_torn.c holds LMDB
 * to it); what is tried here is what follows for who relies on it, also where
 * the promise is broken. */
#include "store/store_internal.h"
#include "tests/sim/sim_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct undo { /* what stood in a row before */
    kv_table which;
    uint8_t key[KV_KEY_MAX];
    size_t key_size;
    uint8_t *value; /* NULL: nothing */
    size_t size;
    uint64_t commit;
} undo;

struct sim_disk {
    kv *kept;
    etna_code failing;
    bool lies;
    uint64_t commits;
    undo *undos;
    size_t undo_count, undo_room;
};

typedef struct view {
    kv base;
    sim_disk *disk;
} view;

typedef struct view_txn {
    kv_txn base;
    kv_txn *inner;
} view_txn;

typedef struct view_body {
    kv *db;
    kv_body body;
    void *context;
} view_body;

static etna_code view_do(kv_txn *txn, void *context, etna_error *err)
{
    const view_body *b = context;
    view_txn outer = {{b->db}, txn};
    return b->body(&outer.base, b->context, err);
}

static void undo_free(sim_disk *d, size_t from)
{
    while (d->undo_count > from)
        free(d->undos[--d->undo_count].value);
}

static etna_code view_run(
    kv *db, bool write, kv_body body, void *context, etna_error *err)
{
    sim_disk *d = ((view *)db)->disk;
    if (write && d->failing) {
        etna_code code = d->failing;
        d->failing = ETNA_OK;
        return etna_fail(err, code, "the disk failed");
    }
    view_body b = {db, body, context};
    size_t before = d->undo_count;
    d->commits += write;
    etna_code code = d->kept->ops->run(d->kept, write, view_do, &b, err);
    if (code)
        undo_free(d, before);
    return code;
}

static etna_code view_get(
    kv_txn *txn, kv_table which, kv_view key, kv_view *ret, etna_error *err)
{
    return kv_get(((view_txn *)txn)->inner, which, key, ret, err);
}

static void remember(sim_disk *d, kv_txn *inner, kv_table which, kv_view key)
{
    kv_view old;
    if (!d->lies || key.size > KV_KEY_MAX)
        return;
    d->undos =
        sim_room(d->undos, &d->undo_room, d->undo_count, sizeof *d->undos);
    undo *u = &d->undos[d->undo_count++];
    *u = (undo){.which = which, .key_size = key.size, .commit = d->commits};
    memcpy(u->key, key.data, key.size);
    if (kv_get(inner, which, key, &old, NULL))
        return;
    u->value = sim_new(1, old.size ? old.size : 1);
    u->size = old.size;
    if (old.size)
        memcpy(u->value, old.data, old.size);
}

static etna_code view_put(
    kv_txn *txn, kv_table which, kv_view key, kv_view value, etna_error *err)
{
    kv_txn *inner = ((view_txn *)txn)->inner;
    remember(((view *)txn->db)->disk, inner, which, key);
    return kv_put(inner, which, key, value, err);
}

static etna_code view_del(kv_txn *txn,
                          kv_table which,
                          kv_view key,
                          etna_error *err)
{
    kv_txn *inner = ((view_txn *)txn)->inner;
    remember(((view *)txn->db)->disk, inner, which, key);
    return kv_del(inner, which, key, err);
}

static etna_code view_seek(kv_txn *txn,
                           kv_table which,
                           kv_view key,
                           bool forward,
                           kv_view *ret_key,
                           kv_view *ret_value,
                           etna_error *err)
{
    return kv_seek(((view_txn *)txn)->inner, which, key, forward, ret_key,
                   ret_value, err);
}

static etna_code view_count(kv_txn *txn,
                            kv_table which,
                            uint64_t *ret,
                            etna_error *err)
{
    return kv_count(((view_txn *)txn)->inner, which, ret, err);
}

static uint64_t view_file_bytes(kv *db)
{
    (void)db;
    return 0;
}

static etna_code view_copy(kv *db, const char *directory, etna_error *err)
{
    (void)db;
    return etna_fail(err, ETNA_E_INTERNAL, "%s: a simulated disk is not copied",
                     directory);
}

static etna_code view_compact(kv *db, etna_error *err)
{
    (void)db;
    (void)err;
    return ETNA_OK;
}

static void view_maintain(kv *db)
{
    (void)db;
}

static void view_close(kv *db)
{
    free(db);
}

sim_disk *disk_new(void)
{
    sim_disk *d = sim_new(1, sizeof *d);
    if (kv_open_memory(&d->kept, NULL))
        abort();
    return d;
}

void disk_free(sim_disk *d)
{
    if (!d)
        return;
    undo_free(d, 0);
    free(d->undos);
    kv_close(d->kept);
    free(d);
}

store *disk_open(sim_disk *d, uint64_t now_ms)
{
    static const kv_ops ops = {view_run,        view_get,  view_put,
                               view_del,        view_seek, view_count,
                               view_file_bytes, view_copy, view_compact,
                               view_maintain,   view_close};
    view *v = sim_new(1, sizeof *v);
    store *s;
    d->failing = ETNA_OK;
    v->base.ops = &ops;
    v->disk = d;
    if (store_open_on(&v->base, now_ms, &s, NULL))
        abort();
    return s;
}

void disk_fail(sim_disk *d, etna_code code)
{
    d->failing = code;
}

void disk_lie(sim_disk *d, bool lies)
{
    d->lies = lies;
}

static etna_code take_back(kv_txn *txn, void *context, etna_error *err)
{
    const undo *u = context;
    kv_view key = {u->key, u->key_size};
    etna_code code =
        u->value ? kv_put(txn, u->which, key, (kv_view){u->value, u->size}, err)
                 : kv_del(txn, u->which, key, err);
    return code == ETNA_E_NOTFOUND ? ETNA_OK : code;
}

void disk_forget(sim_disk *d, uint32_t commits)
{
    uint64_t first = d->commits > commits ? d->commits - commits : 0;
    while (d->undo_count && d->undos[d->undo_count - 1].commit > first) {
        if (kv_write(d->kept, take_back, &d->undos[d->undo_count - 1], NULL))
            abort();
        undo_free(d, d->undo_count - 1);
    }
}

typedef struct rot {
    uint64_t luck, left;
    bool done;
} rot;

static etna_code rot_one(kv_txn *txn, void *context, etna_error *err)
{
    rot *r = context;
    uint64_t count;
    etna_code code = kv_count(txn, KV_BLOBS, &count, err);
    if (code || !count)
        return code;
    uint8_t key[32];
    kv_view found, value;
    memset(key, (int)(r->luck & 0xff), sizeof key);
    if (kv_seek(txn, KV_BLOBS, (kv_view){key, sizeof key}, true, &found, &value,
                NULL))
        return ETNA_OK;
    uint8_t *bytes = sim_new(1, value.size), name[KV_KEY_MAX];
    size_t name_size = found.size;
    memcpy(bytes, value.data, value.size);
    memcpy(name, found.data, found.size);
    bytes[r->luck / 256 % value.size] ^= 1;
    code = kv_put(txn, KV_BLOBS, (kv_view){name, name_size},
                  (kv_view){bytes, value.size}, err);
    free(bytes);
    r->done = !code;
    return code;
}

bool disk_rot(sim_disk *d, uint64_t luck)
{
    rot r = {.luck = luck};
    if (kv_write(d->kept, rot_one, &r, NULL))
        abort();
    return r.done;
}
