/* Commit groups: rows are encoded, compressed and checked while they are added,
 * so that the transaction of the commit does nothing but puts and is short (a
 * writer that is stopped inside one stops all others). */
#include "store/store_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* One row that the commit will put. */
typedef struct write {
    kv_table table;
    uint8_t key[ROW_REPLY_KEY];
    size_t key_size;
    uint8_t *row; /* owned */
    size_t size;
    bool fresh; /* a row of this key must not exist yet */
} write;

/* A group as it gathers. Nothing of it is on the disk. */
struct store_group {
    store *s;
    write *writes;
    size_t count, room;
    hashset blobs; /* already in this group */
    /* of a run, as head_key has it: the write of its last record */
    hashset heads;
};

etna_code store_group_begin(store *s, store_group **ret_group, etna_error *err)
{
    etna_code code = store_alive(s, err);
    if (code)
        return code;
    if (s->read_only)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "the store was opened for reading");
    if (s->group_open)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "a commit group is already open");
    store_group *group = calloc(1, sizeof *group);
    if (!group)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory opening a commit group");
    group->s = s;
    s->group_open = true;
    *ret_group = group;
    return ETNA_OK;
}

void store_group_abandon(store_group *group)
{
    if (!group)
        return;
    store *s = group->s;
    for (size_t i = 0; i < group->count; i++)
        free(group->writes[i].row);
    free(group->writes);
    hashset_free(&group->blobs);
    hashset_free(&group->heads);
    if (s->leaving == group) {
        s->leaving = NULL;
    } else {
        s->group_open = false;
    }
    free(group);
}

bool store_is_written(const store *s)
{
    return s->group_open || s->leaving;
}

/* Takes `row` in every case. */
static etna_code group_add(store_group *group,
                           kv_table table,
                           kv_view key,
                           uint8_t *row,
                           size_t size,
                           bool fresh,
                           etna_error *err)
{
    if (group->count == group->room) {
        size_t room = group->room ? 2 * group->room : 32;
        write *grown = realloc(group->writes, room * sizeof *grown);
        if (!grown) {
            free(row);
            return etna_fail(err, ETNA_E_NOMEM,
                             "out of memory growing a commit group");
        }
        group->writes = grown;
        group->room = room;
    }
    write *w = &group->writes[group->count++];
    assert(key.size <= sizeof w->key);
    *w = (write){.table = table,
                 .key_size = key.size,
                 .row = row,
                 .size = size,
                 .fresh = fresh};
    memcpy(w->key, key.data, key.size);
    return ETNA_OK;
}

etna_code store_put_run(store_group *group,
                        const store_run *run,
                        etna_error *err)
{
    uint8_t *row;
    size_t size;
    etna_code code = row_encode_run(run, &row, &size, err);
    if (code)
        return code;
    return group_add(group, KV_RUNS,
                     (kv_view){run->id.bytes, sizeof run->id.bytes}, row, size,
                     false, err);
}

typedef struct head { /* the last record of a run's journal */
    etna_id run;
    uint64_t sequence;
    etna_hash chain;
} head;

/* Body: the run's last record. A run without records keeps zeros. */
static etna_code find_head(kv_txn *txn, void *context, etna_error *err)
{
    head *h = context;
    uint8_t last[ROW_JOURNAL_KEY];
    kv_view key, row;
    row_journal_key(&h->run, UINT64_MAX, last);
    etna_code code = kv_seek(txn, KV_JOURNAL, (kv_view){last, sizeof last},
                             false, &key, &row, err);
    if (code)
        return code == ETNA_E_NOTFOUND ? ETNA_OK : code;
    if (key.size != ROW_JOURNAL_KEY ||
        memcmp(key.data, h->run.bytes, sizeof h->run.bytes) != 0)
        return ETNA_OK;
    if (row.size < ROW_SEAL)
        return etna_fail(
            err, ETNA_E_CORRUPT,
            "the journal's last record is cut short; run `etna store verify`");
    h->sequence = row_journal_sequence(key.data);
    memcpy(h->chain.bytes, row.data, ROW_SEAL);
    return ETNA_OK;
}

/* A run's name in the place of a hash, for the hashset. */
static etna_hash head_key(const etna_id *run)
{
    etna_hash key = {{0}};
    memcpy(key.bytes, run->bytes, sizeof run->bytes);
    return key;
}

/* False: the group has none of the run. */
static bool head_in(const store_group *group, head *ret)
{
    const etna_hash key = head_key(&ret->run);
    uint64_t at;
    if (!hashset_get(&group->heads, &key, &at))
        return false;
    const write *w = &group->writes[at];
    ret->sequence = row_journal_sequence(w->key);
    memcpy(ret->chain.bytes, w->row, ROW_SEAL);
    return true;
}

/* The run's last record: of this group where it has one, else of the one that
 * is on its way, else of the store. */
static etna_code head_of(const store_group *group,
                         const etna_id *run,
                         head *ret,
                         etna_error *err)
{
    const store_group *leaving = group->s->leaving;
    *ret = (head){.run = *run};
    if (head_in(group, ret) || (leaving && head_in(leaving, ret)))
        return ETNA_OK;
    return kv_read(group->s->db, find_head, ret, err);
}

/* Takes `row` in every case. */
static etna_code head_add(store_group *group,
                          const etna_id *run,
                          kv_view key,
                          uint8_t *row,
                          size_t size,
                          etna_error *err)
{
    const etna_hash of = head_key(run);
    etna_code code = group_add(group, KV_JOURNAL, key, row, size, true, err);
    if (code || hashset_put(&group->heads, &of, group->count - 1))
        return code;
    free(group->writes[--group->count].row);
    return etna_fail(err, ETNA_E_NOMEM, "out of memory growing a commit group");
}

static etna_code group_check_owner(kv_txn *txn, void *context, etna_error *err)
{
    return store_check_epoch(context, txn, err);
}

etna_code store_append(store_group *group,
                       const etna_id *run,
                       uint64_t sequence,
                       const void *record,
                       size_t size,
                       etna_error *err)
{
    head last;
    uint8_t *row, key[ROW_JOURNAL_KEY];
    size_t row_size;
    bool failed;
    if (size > STORE_RECORD_MAX) {
        return etna_fail(err, ETNA_E_LIMIT,
                         "a record of %zu bytes is over the limit of %d", size,
                         STORE_RECORD_MAX);
    }
    etna_code code = head_of(group, run, &last, err);
    if (code)
        return code;
    if (last.sequence == UINT64_MAX || sequence != last.sequence + 1) {
        /* another owner may have gone on with it */
        code = kv_read(group->s->db, group_check_owner, group->s, err);
        if (code)
            return code;
        return etna_fail(
            err, ETNA_E_INTERNAL,
            "record %llu does not follow record %llu of its journal",
            (unsigned long long)sequence, (unsigned long long)last.sequence);
    }
    etna_hash chain =
        row_chain(&last.chain, run, sequence, record, size, &failed);
    if (failed)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory writing a record of %zu bytes", size);
    code = row_encode_record(&chain, record, size, &row, &row_size, err);
    if (code)
        return code;
    row_journal_key(run, sequence, key);
    return head_add(group, run, (kv_view){key, sizeof key}, row, row_size, err);
}

etna_code store_put_reply(store_group *group,
                          const etna_id *run,
                          const etna_slot *slot,
                          const store_reply *reply,
                          etna_error *err)
{
    uint8_t *row, key[ROW_REPLY_KEY];
    size_t size;
    row_reply_key(run, slot, key);
    etna_code code =
        row_encode_reply((kv_view){key, sizeof key}, reply, &row, &size, err);
    if (code)
        return code;
    return group_add(group, KV_REPLIES, (kv_view){key, sizeof key}, row, size,
                     false, err);
}

/* Whether the blob is already kept whole; a damaged one is written again, which
 * heals it. */
static etna_code kept_whole(store *s,
                            const etna_hash *hash,
                            bool *ret_kept,
                            etna_error *err)
{
    *ret_kept = store_has_blob(s, hash);
    if (!*ret_kept || hashset_get(&s->verified, hash, NULL))
        return ETNA_OK;
    uint8_t *data;
    size_t size;
    etna_code code = store_get_blob(s, hash, &data, &size, err);
    *ret_kept = !code;
    if (!code)
        free(data);
    return code == ETNA_E_CORRUPT ? ETNA_OK : code;
}

/* Whether the blob is in this group or whole in the store. */
static etna_code kept_already(store_group *group,
                              const etna_hash *hash,
                              bool *ret_kept,
                              etna_error *err)
{
    *ret_kept = hashset_get(&group->blobs, hash, NULL);
    return *ret_kept ? ETNA_OK : kept_whole(group->s, hash, ret_kept, err);
}

/* Takes `row` in every case. */
static etna_code add_blob(store_group *group,
                          const etna_hash *hash,
                          uint8_t *row,
                          size_t size,
                          etna_error *err)
{
    if (!hashset_put(&group->blobs, hash, 0)) {
        free(row);
        return etna_fail(err, ETNA_E_NOMEM, "out of memory keeping a blob");
    }
    return group_add(group, KV_BLOBS,
                     (kv_view){hash->bytes, sizeof hash->bytes}, row, size,
                     false, err);
}

etna_code store_put_blob(store_group *group,
                         const etna_hash *hash,
                         const void *data,
                         size_t size,
                         etna_error *err)
{
    uint8_t *row;
    size_t row_size;
    if (size > STORE_BLOB_MAX) {
        return etna_fail(err, ETNA_E_LIMIT,
                         "a blob of %zu bytes is over the limit of %llu", size,
                         (unsigned long long)STORE_BLOB_MAX);
    }
    etna_hash found = etna_hash_bytes(data, size);
    if (!etna_hash_equal(&found, hash))
        return etna_fail(err, ETNA_E_CORRUPT,
                         "a blob's bytes do not match its hash");
    bool kept;
    etna_code code = kept_already(group, hash, &kept, err);
    if (code || kept)
        return code;
    code = row_encode_blob(data, size, &row, &row_size, err);
    return code ? code : add_blob(group, hash, row, row_size, err);
}

struct store_packed {
    etna_hash hash;
    uint8_t *row;
    size_t size;
};

etna_code store_pack_blob(const etna_hash *hash,
                          const void *data,
                          size_t size,
                          store_packed **ret_packed,
                          etna_error *err)
{
    etna_hash found = etna_hash_bytes(data, size);
    if (!etna_hash_equal(&found, hash))
        return etna_fail(err, ETNA_E_CORRUPT,
                         "a blob's bytes do not match its hash");
    store_packed *packed = malloc(sizeof *packed);
    if (!packed)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory packing a blob");
    packed->hash = *hash;
    etna_code code =
        row_encode_blob(data, size, &packed->row, &packed->size, err);
    if (code) {
        free(packed);
        return code;
    }
    *ret_packed = packed;
    return ETNA_OK;
}

void store_packed_free(store_packed *packed)
{
    if (!packed)
        return;
    free(packed->row);
    free(packed);
}

etna_code store_put_packed(store_group *group,
                           store_packed *packed,
                           etna_error *err)
{
    bool kept;
    etna_code code = kept_already(group, &packed->hash, &kept, err);
    if (!code && !kept) {
        code = add_blob(group, &packed->hash, packed->row, packed->size, err);
        packed->row = NULL;
    }
    store_packed_free(packed);
    return code;
}

/* Body of the commit: nothing but puts. A record whose number is there
 * already would overwrite history, so it is refused even though
 * store_append() checked. */
static etna_code group_write_all(kv_txn *txn, void *context, etna_error *err)
{
    const store_group *group = context;
    for (size_t i = 0; i < group->count; i++) {
        const write *w = &group->writes[i];
        kv_view key = {w->key, w->key_size};
        kv_view there;
        etna_code code = w->fresh ? kv_get(txn, w->table, key, &there, err)
                                  : ETNA_E_NOTFOUND;
        if (code == ETNA_OK)
            return etna_fail(
                err, ETNA_E_INTERNAL,
                "a record of this number is already in the journal");
        if (code == ETNA_E_NOTFOUND)
            code = kv_put(txn, w->table, key, (kv_view){w->row, w->size}, err);
        if (code)
            return code;
    }
    return ETNA_OK;
}

etna_code store_group_commit(store_group *group, etna_error *err)
{
    store *s = group->s;
    assert(s->group_open); /* else it was committed or abandoned before */
    etna_code code = store_alive(s, err);
    if (!code && group->count)
        code = store_write(s, group_write_all, group, err);
    if (code != ETNA_E_FULL)
        store_group_abandon(group);
    return code;
}

bool store_may_carry(const store *s)
{
    return s->db->concurrent;
}

etna_code store_group_leave(store_group *group, etna_error *err)
{
    store *s = group->s;
    assert(s->group_open); /* else it was committed or abandoned before */
    if (s->leaving)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "a commit group is already on its way");
    etna_code code = store_alive(s, err);
    if (code)
        return code;
    s->group_open = false;
    s->leaving = group;
    return ETNA_OK;
}

etna_code store_group_carry(store_group *group, etna_error *err)
{
    return group->count ? store_carry(group->s, group_write_all, group, err)
                        : ETNA_OK;
}

void store_group_arrive(store_group *group, const etna_error *carried)
{
    if (carried->code == ETNA_E_FULL)
        return;
    if (carried->code)
        store_die(group->s, carried);
    store_group_abandon(group);
}
