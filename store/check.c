/* `etna store stats|verify|gc`. Verifying and collecting walk the tables row by
 * row, each in a transaction of its own, so that a living owner's writes are
 * not held up and no old pages are kept alive. */
#include "proto/array.h"
#include "store/mirror.h"
#include "store/owner.h"
#include "store/store_internal.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct counting {
    store_stats stats;
    uint64_t blob_bytes;
} counting;

/* Blobs are walked, as only their rows know their sizes; everything else is
 * counted by the tables. In one transaction, so that the numbers belong
 * together. */
static etna_code count_rows(kv_txn *txn, void *context, etna_error *err)
{
    counting *c = context;
    etna_code code = kv_count(txn, KV_RUNS, &c->stats.runs, err);
    if (!code)
        code = kv_count(txn, KV_JOURNAL, &c->stats.records, err);
    if (!code)
        code = kv_count(txn, KV_REPLIES, &c->stats.replies, err);
    if (!code)
        code = kv_count(txn, KV_BLOBS, &c->stats.blobs, err);
    uint8_t from[KV_KEY_MAX + 1];
    size_t size = 0;
    kv_view key, row;
    while (!code && !(code = kv_seek(txn, KV_BLOBS, (kv_view){from, size}, true,
                                     &key, &row, NULL))) {
        c->stats.blob_bytes += row.size;
        if (key.size > KV_KEY_MAX)
            return etna_fail(err, ETNA_E_CORRUPT, "a blob's key of %zu bytes",
                             key.size);
        memcpy(from, key.data, key.size);
        from[key.size] = 0;
        size = key.size + 1;
    }
    return code == ETNA_E_NOTFOUND ? ETNA_OK : code;
}

/* *ret_stats is set on success alone. */
etna_code store_get_stats(store *s, store_stats *ret_stats, etna_error *err)
{
    counting c = {.blob_bytes = 0};
    etna_code code = store_alive(s, err);
    if (!code)
        code = kv_read(s->db, count_rows, &c, err);
    if (code)
        return code;
    c.stats.file_bytes = s->db->ops->file_bytes(s->db);
    *ret_stats = c.stats;
    return ETNA_OK;
}

/* A walk in progress. The journal's rows come sorted by run and sequence, so
 * that one chain is followed at a time. */
typedef struct verifying {
    store *s;
    store_report_fn report;
    void *context;
    uint64_t faults;
    /* the journal's walk */
    etna_id run;
    uint64_t sequence;
    etna_hash chain;
    bool any, orphan;
} verifying;

static void check_fault(verifying *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Counts a fault and tells it. */
static void check_fault(verifying *v, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    v->faults++;
    if (v->report)
        v->report(v->context, line);
}

/* Does the run that a row belongs to have a row of its own? */
static bool has_run(store *s, const uint8_t *id)
{
    return store_has_row(s, KV_RUNS, (kv_view){id, 16});
}

/* Each verify_* tells what is wrong with its row and goes on; only lack of
 * memory ends the walk. */
static etna_code verify_meta(void *context,
                             kv_view key,
                             kv_view row,
                             etna_error *err)
{
    verifying *v = context;
    etna_error why = {ETNA_OK, ""};
    uint32_t format;
    store_owner owner;
    mirror_place place;
    if (key.size == 6 && !memcmp(key.data, "format", 6)) {
        etna_code code = row_decode_format(row, &format, &why);
        if (code == ETNA_E_NOMEM)
            return etna_fail(err, code, "%s", why.text);
        if (code)
            check_fault(v, "meta, format: %s", why.text);
    } else if (key.size == 5 && !memcmp(key.data, "owner", 5)) {
        if (!owner_decode(row.data, row.size, &owner))
            check_fault(v, "meta, owner: its checksum does not match");
    } else if (key.size == 6 && !memcmp(key.data, "mirror", 6)) {
        if (!mirror_place_decode(row, &place))
            check_fault(v, "meta, mirror: its checksum does not match");
    } else {
        check_fault(v, "meta: an unknown row");
    }
    return ETNA_OK;
}

/* Its journal is verified by itself, and is not missed here: a run may have
 * been submitted and no more. */
static etna_code verify_run(void *context,
                            kv_view key,
                            kv_view row,
                            etna_error *err)
{
    verifying *v = context;
    etna_error why = {ETNA_OK, ""};
    etna_arena arena = ETNA_ARENA_INIT;
    store_run run;
    char name[33] = "?";
    etna_code code = row_decode_run(key, row, &arena, &run, &why);
    etna_arena_free(&arena);
    if (code == ETNA_E_NOMEM)
        return etna_fail(err, code, "%s", why.text);
    if (key.size == 16)
        etna_id_hex((const etna_id *)(const void *)key.data, name);
    if (code)
        check_fault(v, "run %s: %s", name, why.text);
    return ETNA_OK;
}

/* A gap and a wrong checksum are told apart. The chain goes on from what the
 * row itself says, so that one damaged record is one fault and not the rest of
 * the journal. */
static etna_code verify_record(void *context,
                               kv_view key,
                               kv_view row,
                               etna_error *err)
{
    verifying *v = context;
    char name[33];
    if (key.size != ROW_JOURNAL_KEY || row.size < ROW_SEAL) {
        check_fault(v, "journal: a row of %zu bytes under a key of %zu",
                    row.size, key.size);
        return ETNA_OK;
    }
    if (!v->any || memcmp(v->run.bytes, key.data, 16) != 0) {
        memcpy(v->run.bytes, key.data, 16);
        v->sequence = 0;
        v->chain = (etna_hash){{0}};
        v->any = true;
        etna_id_hex(&v->run, name);
        if (!has_run(v->s, key.data))
            check_fault(v, "run %s: has a journal but no row", name);
    }
    uint64_t sequence = row_journal_sequence(key.data);
    bool failed;
    etna_hash chain =
        row_chain(&v->chain, &v->run, sequence, row.data + ROW_SEAL,
                  row.size - ROW_SEAL, &failed);
    if (failed)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory verifying a record");
    etna_id_hex(&v->run, name);
    if (sequence != v->sequence + 1) {
        check_fault(v, "run %s, record %llu: follows record %llu", name,
                    (unsigned long long)sequence,
                    (unsigned long long)v->sequence);
    } else if (memcmp(chain.bytes, row.data, ROW_SEAL) != 0) {
        check_fault(v, "run %s, record %llu: its checksum does not match", name,
                    (unsigned long long)sequence);
    }
    v->sequence = sequence;
    memcpy(v->chain.bytes, row.data, ROW_SEAL);
    return ETNA_OK;
}

/* A reply without its run or without its blob is a fault. */
static etna_code verify_reply(void *context,
                              kv_view key,
                              kv_view row,
                              etna_error *err)
{
    verifying *v = context;
    etna_error why = {ETNA_OK, ""};
    store_reply reply;
    char name[33] = "?", blob[65];
    if (key.size >= 16)
        etna_id_hex((const etna_id *)(const void *)key.data, name);
    etna_code code = row_decode_reply(key, row, &reply, &why);
    if (code == ETNA_E_NOMEM)
        return etna_fail(err, code, "%s", why.text);
    if (code) {
        check_fault(v, "run %s, a reply: %s", name, why.text);
        return ETNA_OK;
    }
    if (!has_run(v->s, key.data))
        check_fault(v, "run %s: has a reply but no row", name);
    if (!store_has_blob(v->s, &reply.reply)) {
        etna_hash_hex(&reply.reply, blob);
        check_fault(v, "run %s: the blob %s of a reply is missing", name, blob);
    }
    return ETNA_OK;
}

/* Unpacks each: the only way to know. */
static etna_code verify_blob(void *context,
                             kv_view key,
                             kv_view row,
                             etna_error *err)
{
    verifying *v = context;
    etna_error why = {ETNA_OK, ""};
    etna_hash hash;
    char name[65];
    uint8_t *data;
    size_t size;
    if (key.size != sizeof hash.bytes) {
        check_fault(v, "blobs: a key of %zu bytes", key.size);
        return ETNA_OK;
    }
    memcpy(hash.bytes, key.data, sizeof hash.bytes);
    etna_hash_hex(&hash, name);
    etna_code code = row_decode_blob(&hash, row, true, &data, &size, &why);
    if (code == ETNA_E_NOMEM)
        return etna_fail(err, code, "blob %s: %s", name, why.text);
    if (code) {
        check_fault(v, "blob %s: %s", name, why.text);
    } else {
        free(data);
    }
    return ETNA_OK;
}

/* In the order in which one table names the next. */
etna_code store_verify(store *s,
                       store_report_fn report,
                       void *context,
                       uint64_t *ret_faults,
                       etna_error *err)
{
    static const struct {
        kv_table table;
        kv_row_fn verify;
    } tables[] = {{KV_META, verify_meta},
                  {KV_RUNS, verify_run},
                  {KV_JOURNAL, verify_record},
                  {KV_REPLIES, verify_reply},
                  {KV_BLOBS, verify_blob}};
    verifying v = {.s = s, .report = report, .context = context};
    etna_code code = store_alive(s, err);
    for (size_t i = 0; !code && i < COUNT_OF(tables); i++) {
        code = kv_each(s->db, tables[i].table, tables[i].verify, &v, err);
    }
    if (!code)
        *ret_faults = v.faults;
    return code;
}

/* Removals of one transaction: short, so that nobody waits. */
enum {
    GC_BATCH = 256
};

/* A collection in progress. */
typedef struct collecting {
    store *s;
    store_keep_fn keep;
    void *context;
    hashset named; /* by replies */
    struct {
        etna_hash hash;
        uint64_t size;
    } batch[GC_BATCH];
    size_t count;
    uint64_t removed, bytes;
} collecting;

/* A damaged reply may name a blob that is then lost, so nothing is removed at
 * all. */
static etna_code name_reply(void *context,
                            kv_view key,
                            kv_view row,
                            etna_error *err)
{
    collecting *c = context;
    store_reply reply;
    etna_code code = row_decode_reply(key, row, &reply, err);
    if (code)
        return etna_error_prefix(
                   err,
                   "a reply is damaged, nothing was removed; run `etna store verify`"),
               code;
    if (!hashset_put(&c->named, &reply.reply, 0))
        return etna_fail(err, ETNA_E_NOMEM, "out of memory collecting blobs");
    return ETNA_OK;
}

/* What another has removed meanwhile is gone as it should be. */
static etna_code remove_batch(kv_txn *txn, void *context, etna_error *err)
{
    collecting *c = context;
    for (size_t i = 0; i < c->count; i++) {
        etna_code code = kv_del(
            txn, KV_BLOBS,
            (kv_view){c->batch[i].hash.bytes, sizeof c->batch[i].hash.bytes},
            err);
        if (code && code != ETNA_E_NOTFOUND)
            return code;
    }
    return ETNA_OK;
}

/* Removes what has gathered. */
static etna_code flush_batch(collecting *c, etna_error *err)
{
    etna_code code =
        c->count ? store_write(c->s, remove_batch, c, err) : ETNA_OK;
    for (size_t i = 0; !code && i < c->count; i++) {
        c->removed++;
        c->bytes += c->batch[i].size;
    }
    c->count = 0;
    return code;
}

/* Kept: what a reply names, and what `keep` says is still needed. */
static etna_code collect_blob(void *context,
                              kv_view key,
                              kv_view row,
                              etna_error *err)
{
    collecting *c = context;
    etna_hash hash;
    if (key.size != sizeof hash.bytes)
        return ETNA_OK; /* verify's business */
    memcpy(hash.bytes, key.data, sizeof hash.bytes);
    if (hashset_get(&c->named, &hash, NULL) || c->keep(c->context, &hash))
        return ETNA_OK;
    assert(c->count < GC_BATCH); /* a full one was flushed */
    c->batch[c->count].hash = hash;
    c->batch[c->count++].size = row.size;
    return c->count == GC_BATCH ? flush_batch(c, err) : ETNA_OK;
}

/* Two walks: first what replies name, then the blobs; one that is put between
 * the two is protected by `keep`, which knows of runs that go on. */
etna_code store_gc(store *s,
                   store_keep_fn keep,
                   void *context,
                   uint64_t *ret_removed,
                   uint64_t *ret_bytes,
                   etna_error *err)
{
    if (s->read_only || store_is_written(s) || !keep)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "gc needs an owned store without an open group");
    collecting *c = calloc(1, sizeof *c);
    if (!c)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory collecting blobs");
    c->s = s;
    c->keep = keep;
    c->context = context;
    etna_code code = store_alive(s, err);
    if (!code)
        code = kv_each(s->db, KV_REPLIES, name_reply, c, err);
    if (!code)
        code = kv_each(s->db, KV_BLOBS, collect_blob, c, err);
    if (!code)
        code = flush_batch(c, err);
    if (!code) {
        *ret_removed = c->removed;
        *ret_bytes = c->bytes;
        /* what was removed may come back with other bytes */
        hashset_free(&s->verified);
    }
    hashset_free(&c->named);
    free(c);
    return code;
}
