/* Rows to bytes and back: see row.h and FORMAT.md. Integers in keys are
 * big-endian, so that byte order is their order; values are canonical bytes
 * (proto/canon.h), sealed by a hash over table, key and body. */
#include "store/row.h"
#include "proto/usage.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* How a blob's row begins: its kind, then its size in eight bytes. Blobs below
 * ZSTD_LEAST bytes are kept as they are; of large ones a SAMPLE is tried. */
enum {
    BLOB_RAW = 0,
    BLOB_ZSTD = 1,
    BLOB_HEAD = 9,
    ZSTD_LEVEL = 3,
    ZSTD_LEAST = 128,
    SAMPLE = 256 << 10
};

/* The great end first, so that keys sort like numbers. */
static void row_put_be(uint8_t *at, uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        at[i] = (uint8_t)(value >> (8 * (size - 1 - i)));
}

/* A run's records stand together, in their order. */
void row_journal_key(const etna_id *run,
                     uint64_t sequence,
                     uint8_t ret[ROW_JOURNAL_KEY])
{
    memcpy(ret, run->bytes, sizeof run->bytes);
    row_put_be(ret + sizeof run->bytes, sequence, 8);
}

/* The mirror of row_journal_key. */
uint64_t row_journal_sequence(const uint8_t key[ROW_JOURNAL_KEY])
{
    uint64_t sequence = 0;
    for (int i = 16; i < ROW_JOURNAL_KEY; i++)
        sequence = sequence << 8 | key[i];
    return sequence;
}

/* A run's replies stand together, by their place in the tree. */
void row_reply_key(const etna_id *run,
                   const etna_slot *slot,
                   uint8_t ret[ROW_REPLY_KEY])
{
    const uint32_t parts[6] = {slot->node, slot->branch, slot->role,
                               slot->poll, slot->turn,   slot->repair};
    memcpy(ret, run->bytes, sizeof run->bytes);
    for (int i = 0; i < 6; i++)
        row_put_be(ret + 16 + 4 * i, parts[i], 4);
}

/* Borrowed. */
kv_view row_meta_key(const char *name)
{
    return (kv_view){(const uint8_t *)name, strlen(name)};
}

/* *ret_failed: out of memory; the hash means nothing then. */
etna_hash row_chain(const etna_hash *before,
                    const etna_id *run,
                    uint64_t sequence,
                    const void *record,
                    size_t size,
                    bool *ret_failed)
{
    canon_writer w = {0};
    etna_hash chain = {{0}};
    canon_hash(&w, before);
    canon_raw(&w, run->bytes, sizeof run->bytes);
    canon_u64(&w, sequence);
    canon_bytes(&w, record, size);
    *ret_failed = w.failed;
    if (!w.failed)
        chain = etna_hash_bytes(w.data, w.size);
    canon_writer_free(&w);
    return chain;
}

/* Appends the seal over (table, key, what was written so far) and hands the
 * bytes over. The key is part of it, so that a row that was put elsewhere is
 * damaged. */
static etna_code row_seal(canon_writer *w,
                          kv_table table,
                          kv_view key,
                          uint8_t **ret,
                          size_t *ret_size,
                          etna_error *err)
{
    canon_writer sealed = {0};
    canon_u8(&sealed, (uint8_t)table);
    canon_bytes(&sealed, key.data, key.size);
    canon_raw(&sealed, w->data, w->size);
    if (!sealed.failed) {
        etna_hash hash = etna_hash_bytes(sealed.data, sealed.size);
        canon_hash(w, &hash);
    }
    bool failed = w->failed || sealed.failed;
    canon_writer_free(&sealed);
    if (failed) {
        canon_writer_free(w);
        return etna_fail(err, ETNA_E_NOMEM, "out of memory writing a row");
    }
    *ret = w->data;
    *ret_size = w->size;
    return ETNA_OK;
}

/* The body of a sealed row, when its seal is right. */
static etna_code row_unseal(kv_table table,
                            kv_view key,
                            kv_view row,
                            canon_reader *ret,
                            etna_error *err)
{
    if (row.size < ROW_SEAL)
        return etna_fail(err, ETNA_E_CORRUPT, "cut short");
    canon_writer sealed = {0};
    canon_u8(&sealed, (uint8_t)table);
    canon_bytes(&sealed, key.data, key.size);
    canon_raw(&sealed, row.data, row.size - ROW_SEAL);
    if (sealed.failed) {
        canon_writer_free(&sealed);
        return etna_fail(err, ETNA_E_NOMEM, "out of memory reading a row");
    }
    etna_hash right = etna_hash_bytes(sealed.data, sealed.size);
    canon_writer_free(&sealed);
    if (memcmp(right.bytes, row.data + row.size - ROW_SEAL, ROW_SEAL) != 0) {
        return etna_fail(err, ETNA_E_CORRUPT, "its checksum does not match");
    }
    *ret = canon_read(row.data, row.size - ROW_SEAL);
    return ETNA_OK;
}

/* The caller frees *ret, here and in all encoders. */
etna_code row_encode_run(const store_run *run,
                         uint8_t **ret,
                         size_t *ret_size,
                         etna_error *err)
{
    canon_writer w = {0};
    canon_u32(&w, run->state);
    canon_u64(&w, run->started_ms);
    canon_text(&w, run->scene);
    canon_text(&w, run->goal);
    canon_bytes(&w, run->config, run->config_size);
    canon_u32(&w, run->keeper);
    canon_u64(&w, run->epoch);
    canon_u8(&w, run->waiting);
    canon_u64(&w, run->ended_ms);
    return row_seal(&w, KV_RUNS, (kv_view){run->id.bytes, sizeof run->id.bytes},
                    ret, ret_size, err);
}

/* *failed: out of memory. */
static const char *row_take_text(canon_reader *r,
                                 etna_arena *arena,
                                 bool *failed)
{
    size_t size;
    const uint8_t *text = canon_get_bytes(r, UINT32_MAX, &size);
    const char *copy =
        etna_arena_strndup(arena, text ? (const char *)text : "", size);
    if (!copy)
        *failed = true;
    return copy;
}
/* Everything in *ret lies in the arena; set on success alone. */
etna_code row_decode_run(kv_view key,
                         kv_view row,
                         etna_arena *arena,
                         store_run *ret,
                         etna_error *err)
{
    canon_reader r;
    if (key.size != sizeof ret->id.bytes)
        return etna_fail(err, ETNA_E_CORRUPT, "a key of %zu bytes", key.size);
    etna_code code = row_unseal(KV_RUNS, key, row, &r, err);
    if (code)
        return code;
    store_run run = {0};
    bool failed = false;
    memcpy(run.id.bytes, key.data, sizeof run.id.bytes);
    run.state = canon_get_u32(&r);
    run.started_ms = canon_get_u64(&r);
    run.scene = row_take_text(&r, arena, &failed);
    run.goal = row_take_text(&r, arena, &failed);
    const uint8_t *config = canon_get_bytes(&r, UINT32_MAX, &run.config_size);
    uint8_t *copy = etna_arena_alloc(arena, run.config_size, 1);
    if (failed || !copy)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory reading a run");
    run.keeper = canon_get_u32(&r);
    run.epoch = canon_get_u64(&r);
    run.waiting = canon_get_u8(&r) != 0;
    run.ended_ms = canon_get_u64(&r);
    if (!canon_done(&r))
        return etna_fail(err, ETNA_E_CORRUPT, "not well formed");
    if (run.config_size)
        memcpy(copy, config, run.config_size);
    run.config = copy;
    *ret = run;
    return ETNA_OK;
}

/* Sealed under its key, see row_seal. */
etna_code row_encode_reply(kv_view key,
                           const store_reply *reply,
                           uint8_t **ret,
                           size_t *ret_size,
                           etna_error *err)
{
    canon_writer w = {0};
    canon_hash(&w, &reply->request);
    canon_hash(&w, &reply->reply);
    canon_usage(&w, &reply->usage);
    return row_seal(&w, KV_REPLIES, key, ret, ret_size, err);
}

/* CORRUPT where the seal, the key or the form is wrong. */
etna_code row_decode_reply(kv_view key,
                           kv_view row,
                           store_reply *ret,
                           etna_error *err)
{
    canon_reader r;
    etna_code code = row_unseal(KV_REPLIES, key, row, &r, err);
    if (code)
        return code;
    store_reply reply = {0};
    reply.request = canon_get_hash(&r);
    reply.reply = canon_get_hash(&r);
    reply.usage = canon_get_usage(&r);
    if (key.size != ROW_REPLY_KEY || !canon_done(&r))
        return etna_fail(err, ETNA_E_CORRUPT, "not well formed");
    *ret = reply;
    return ETNA_OK;
}

/* A record's seal is the chain itself: it is bound to all records before it. */
etna_code row_encode_record(const etna_hash *chain,
                            const void *record,
                            size_t size,
                            uint8_t **ret,
                            size_t *ret_size,
                            etna_error *err)
{
    uint8_t *row = malloc(ROW_SEAL + size);
    if (!row)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory writing a record of %zu bytes", size);
    memcpy(row, chain->bytes, ROW_SEAL);
    if (size)
        memcpy(row + ROW_SEAL, record, size);
    *ret = row;
    *ret_size = ROW_SEAL + size;
    return ETNA_OK;
}

/* The one row that every version can read. */
etna_code row_encode_format(uint32_t format,
                            uint8_t **ret,
                            size_t *ret_size,
                            etna_error *err)
{
    canon_writer w = {0};
    canon_u32(&w, format);
    return row_seal(&w, KV_META, row_meta_key("format"), ret, ret_size, err);
}

etna_code row_read_format(kv_view row, uint32_t *ret, etna_error *err)
{
    /* The number is read before the seal is judged: a newer format may seal its
     * rows in another way. */
    canon_reader r = canon_read(row.data, row.size);
    uint32_t format = canon_get_u32(&r);
    if (!r.failed && format > STORE_FORMAT) {
        return etna_fail(
            err, ETNA_E_NEWER,
            "format %u is newer than this program's %d; use the etna that wrote it",
            format, STORE_FORMAT);
    }
    etna_code code = row_unseal(KV_META, row_meta_key("format"), row, &r, err);
    if (code)
        return code;
    format = canon_get_u32(&r);
    if (!canon_done(&r) || !format)
        return etna_fail(err, ETNA_E_CORRUPT, "not well formed");
    *ret = format;
    return ETNA_OK;
}

etna_code row_decode_format(kv_view row, uint32_t *ret, etna_error *err)
{
    uint32_t format;
    etna_code code = row_read_format(row, &format, err);
    if (code)
        return code;
    if (format < STORE_FORMAT)
        return etna_fail(
            err, ETNA_E_MESSAGE,
            "format %u is older than %d, which this etna reads; use another --store",
            format, STORE_FORMAT);
    *ret = format;
    return ETNA_OK;
}

/* Large blobs are tried on a sample first: images and packed geometry don't
 * shrink, and trying costs a second a gigabyte. */
static bool sample_pays(const void *data, size_t size)
{
    if (size < ZSTD_LEAST)
        return false;
    if (size <= 2 * SAMPLE)
        return true;
    size_t room = ZSTD_compressBound(SAMPLE);
    void *out = malloc(room);
    size_t packed =
        out ? ZSTD_compress(out, room,
                            (const uint8_t *)data + size / 2 - SAMPLE / 2,
                            SAMPLE, 1)
            : SAMPLE;
    free(out);
    return !ZSTD_isError(packed) && packed < SAMPLE - SAMPLE / 8;
}

/* Puts the data behind the head, packed where that saves an eighth of it at
 * least. Returns the bytes that it takes; `room`: there are so many. */
static size_t blob_put(
    uint8_t *row, size_t room, const void *data, size_t size, bool pack)
{
    const size_t packed =
        pack ? ZSTD_compress(row + BLOB_HEAD, room, data, size, ZSTD_LEVEL)
             : size;
    if (pack && !ZSTD_isError(packed) && packed < size - size / 8) {
        row[0] = BLOB_ZSTD;
        return packed;
    }
    row[0] = BLOB_RAW;
    if (size)
        memcpy(row + BLOB_HEAD, data, size);
    return size;
}

/* Blobs have their hash as key, so they need no seal. */
etna_code row_encode_blob(const void *data,
                          size_t size,
                          uint8_t **ret,
                          size_t *ret_size,
                          etna_error *err)
{
    if (size > STORE_BLOB_MAX) {
        return etna_fail(err, ETNA_E_LIMIT,
                         "a blob of %zu bytes is over the limit of %llu", size,
                         (unsigned long long)STORE_BLOB_MAX);
    }
    bool pack = sample_pays(data, size);
    size_t room = pack && ZSTD_compressBound(size) > size
                      ? ZSTD_compressBound(size)
                      : size;
    uint8_t *row = malloc(BLOB_HEAD + room);
    if (!row)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory keeping a blob of %zu bytes", size);
    for (int i = 0; i < 8; i++)
        row[1 + i] = (uint8_t)((uint64_t)size >> (8 * i));
    const size_t packed = blob_put(row, room, data, size, pack);
    uint8_t *fit = realloc(row, BLOB_HEAD + packed);
    if (!fit) {
        free(row);
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory keeping a blob of %zu bytes", size);
    }
    *ret = fit;
    *ret_size = BLOB_HEAD + packed;
    return ETNA_OK;
}

/* `check`: the hash is computed as well, which a blob that was verified before
 * is spared. Sizes are compared before memory is taken: a damaged row cannot
 * ask for more than a blob may have. */
etna_code row_decode_blob(const etna_hash *hash,
                          kv_view row,
                          bool check,
                          uint8_t **ret,
                          size_t *ret_size,
                          etna_error *err)
{
    canon_reader r = canon_read(row.data, row.size);
    uint8_t kind = canon_get_u8(&r);
    uint64_t size = canon_get_u64(&r);
    if (r.failed || kind > BLOB_ZSTD || size > STORE_BLOB_MAX)
        return etna_fail(err, ETNA_E_CORRUPT, "its head is not well formed");
    const uint8_t *body = row.data + BLOB_HEAD;
    size_t body_size = row.size - BLOB_HEAD;
    if (kind == BLOB_RAW ? body_size != size
                         : ZSTD_getFrameContentSize(body, body_size) != size) {
        return etna_fail(err, ETNA_E_CORRUPT, "its size does not match");
    }
    uint8_t *data = malloc(size ? size : 1);
    if (!data)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory reading a blob of %llu bytes",
                         (unsigned long long)size);
    if (kind == BLOB_RAW) {
        if (size)
            memcpy(data, body, size);
    } else if (ZSTD_decompress(data, size, body, body_size) != size) {
        free(data);
        return etna_fail(err, ETNA_E_CORRUPT, "it cannot be unpacked");
    }
    if (check) {
        etna_hash found = etna_hash_bytes(data, size);
        if (!etna_hash_equal(&found, hash)) {
            free(data);
            return etna_fail(err, ETNA_E_CORRUPT, "its hash does not match");
        }
    }
    *ret = data;
    *ret_size = size;
    return ETNA_OK;
}
