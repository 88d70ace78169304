/* Reads: every one copies out and verifies what it hands over. */
#include "store/store_internal.h"

#include <stdlib.h>
#include <string.h>

/* For a message: the digits stand in `text`. */
static const char *read_hex(const etna_hash *hash, char text[65])
{
    etna_hash_hex(hash, text);
    return text;
}

etna_code store_get_run(store *s,
                        const etna_id *run,
                        store_run *ret_run,
                        etna_arena *arena,
                        etna_error *err)
{
    char name[33];
    uint8_t *row;
    size_t size;
    kv_view key = {run->bytes, sizeof run->bytes};
    etna_id_hex(run, name);
    etna_code code = store_copy_row(s, KV_RUNS, key, &row, &size, err);
    if (code == ETNA_E_NOTFOUND)
        return etna_fail(err, code,
                         "run %s: there is none of this id; see `etna runs`",
                         name);
    if (code)
        return code;
    code = row_decode_run(key, (kv_view){row, size}, arena, ret_run, err);
    if (code)
        etna_error_prefix(err, "run %s", name);
    free(row);
    return code;
}

typedef struct listing {
    etna_arena *arena;
    store_run *runs;
    size_t count, room;
} listing;

static etna_code list_one(void *context,
                          kv_view key,
                          kv_view row,
                          etna_error *err)
{
    listing *l = context;
    if (l->count == l->room) {
        size_t room = l->room ? 2 * l->room : 16;
        store_run *grown = realloc(l->runs, room * sizeof *grown);
        if (!grown)
            return etna_fail(err, ETNA_E_NOMEM, "out of memory listing runs");
        l->runs = grown;
        l->room = room;
    }
    etna_code code =
        row_decode_run(key, row, l->arena, &l->runs[l->count], err);
    if (code)
        return etna_error_prefix(
                   err, "a row of runs is damaged; run `etna store verify`"),
               code;
    l->count++;
    return ETNA_OK;
}

static int newest_first(const void *a, const void *b)
{
    const store_run *x = a, *y = b;
    if (x->started_ms != y->started_ms)
        return x->started_ms < y->started_ms ? 1 : -1;
    return memcmp(x->id.bytes, y->id.bytes, sizeof x->id.bytes);
}

etna_code store_list_runs(store *s,
                          etna_arena *arena,
                          store_run **ret_runs,
                          size_t *ret_count,
                          etna_error *err)
{
    listing l = {.arena = arena};
    etna_code code = store_alive(s, err);
    if (!code)
        code = kv_each(s->db, KV_RUNS, list_one, &l, err);
    store_run *runs =
        code ? NULL : etna_arena_alloc(arena, l.count, sizeof *runs);
    if (!code && !runs)
        code = etna_fail(err, ETNA_E_NOMEM, "out of memory listing runs");
    if (!code) {
        if (l.count) {
            qsort(l.runs, l.count, sizeof *l.runs, newest_first);
            memcpy(runs, l.runs, l.count * sizeof *runs);
        }
        *ret_runs = runs;
        *ret_count = l.count;
    }
    free(l.runs);
    return code;
}

/* ETNA_E_CORRUPT that names run and record. */
static etna_code chain_fault(const etna_id *run,
                             uint64_t sequence,
                             const char *what,
                             etna_error *err)
{
    char name[33];
    etna_id_hex(run, name);
    return etna_fail(err, ETNA_E_CORRUPT,
                     "run %s, record %llu: %s; restore the store from a copy",
                     name, (unsigned long long)sequence, what);
}

/* Checks a record against the one before, and gives it to the caller. */
static etna_code journal_record_take(const etna_hash *before,
                                     const etna_id *run,
                                     uint64_t sequence,
                                     const uint8_t *row,
                                     size_t size,
                                     store_record_fn each,
                                     void *context,
                                     etna_error *err)
{
    bool failed = false;
    const etna_hash chain = row_chain(before, run, sequence, row + ROW_SEAL,
                                      size - ROW_SEAL, &failed);
    if (failed)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory reading a record");
    if (memcmp(chain.bytes, row, ROW_SEAL) != 0)
        return chain_fault(run, sequence, "its checksum does not match", err);
    return each(context, sequence, row + ROW_SEAL, size - ROW_SEAL, err);
}

etna_code store_read_journal(store *s,
                             const etna_id *run,
                             uint64_t after,
                             store_record_fn each,
                             void *context,
                             etna_error *err)
{
    etna_hash before = {{0}};
    etna_code code = ETNA_OK;
    for (uint64_t sequence = after ? after : 1;; sequence++) {
        uint8_t key[ROW_JOURNAL_KEY], *row;
        size_t size;
        row_journal_key(run, sequence, key);
        code = store_copy_row(s, KV_JOURNAL, (kv_view){key, sizeof key}, &row,
                              &size, err);
        if (code)
            break;
        if (size < ROW_SEAL) {
            code = chain_fault(run, sequence, "cut short", err);
        } else if (sequence != after) {
            /* record `after` itself only lends its checksum */
            code = journal_record_take(&before, run, sequence, row, size, each,
                                       context, err);
        }
        if (!code)
            memcpy(before.bytes, row, ROW_SEAL);
        free(row);
        if (code)
            return code;
        if (sequence == UINT64_MAX)
            break;
    }
    return code == ETNA_E_NOTFOUND ? ETNA_OK : code;
}

etna_code store_get_reply(store *s,
                          const etna_id *run,
                          const etna_slot *slot,
                          store_reply *ret_reply,
                          etna_error *err)
{
    uint8_t key[ROW_REPLY_KEY], *row;
    size_t size;
    row_reply_key(run, slot, key);
    etna_code code = store_copy_row(s, KV_REPLIES, (kv_view){key, sizeof key},
                                    &row, &size, err);
    if (code)
        return code;
    code = row_decode_reply((kv_view){key, sizeof key}, (kv_view){row, size},
                            ret_reply, err);
    if (code)
        etna_error_prefix(err, "a reply of node %u, branch %u", slot->node,
                          slot->branch);
    free(row);
    return code;
}

typedef struct presence {
    kv_table table;
    kv_view key;
} presence;

static etna_code look_for_row(kv_txn *txn, void *context, etna_error *err)
{
    kv_view row;
    const presence *p = context;
    return kv_get(txn, p->table, p->key, &row, err);
}

bool store_has_row(store *s, kv_table table, kv_view key)
{
    presence p = {table, key};
    return !store_alive(s, NULL) && !kv_read(s->db, look_for_row, &p, NULL);
}

bool store_has_blob(store *s, const etna_hash *hash)
{
    return store_has_row(s, KV_BLOBS,
                         (kv_view){hash->bytes, sizeof hash->bytes});
}

typedef struct blob_read {
    const etna_hash *hash;
    bool check;
    uint8_t *data;
    size_t size;
} blob_read;

static etna_code read_blob(kv_txn *txn, void *context, etna_error *err)
{
    blob_read *b = context;
    kv_view row;
    etna_code code =
        kv_get(txn, KV_BLOBS, (kv_view){b->hash->bytes, sizeof b->hash->bytes},
               &row, err);
    return code ? code
                : row_decode_blob(b->hash, row, b->check, &b->data, &b->size,
                                  err);
}

etna_code store_get_blob(store *s,
                         const etna_hash *hash,
                         uint8_t **ret_data,
                         size_t *ret_size,
                         etna_error *err)
{
    char name[65];
    etna_error own = {ETNA_OK, ""};
    blob_read b = {.hash = hash,
                   .check = !hashset_get(&s->verified, hash, NULL)};
    etna_code code = store_alive(s, err);
    if (code)
        return code;
    code = kv_read(s->db, read_blob, &b, &own);
    if (code == ETNA_E_NOTFOUND)
        return etna_fail(err, code, "blob %s: not in the store",
                         read_hex(hash, name));
    if (code)
        return etna_fail(err, code, "blob %s: %s", read_hex(hash, name),
                         own.text);
    if (b.check)
        /* forgetting it costs only another hashing */
        hashset_put(&s->verified, hash, 0);
    *ret_data = b.data;
    *ret_size = b.size;
    return ETNA_OK;
}
