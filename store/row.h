/* Private to the store: the bytes of every row, exactly as FORMAT.md says, and
 * nothing else that knows them. */
#ifndef ETNA_STORE_ROW_H
#define ETNA_STORE_ROW_H

#include "store/kv.h"
#include "store/store.h"

/* What is on the disk for good. */
enum {
    /* of the whole store; a higher one found is ETNA_E_NEWER */
    STORE_FORMAT = 4,
    ROW_JOURNAL_KEY = 24, /* bytes: run, sequence */
    /* bytes: run, then node, branch, role, poll, turn, repair */
    ROW_REPLY_KEY = 40,
    ROW_SEAL = 32 /* bytes of a checksum before a row's body */
};

/* Numbers in keys are big-endian, so that rows stand in the order of their
 * numbers. */
void row_journal_key(const etna_id *run,
                     uint64_t sequence,
                     uint8_t ret[ROW_JOURNAL_KEY]);
/* The sequence of a journal row's key. */
uint64_t row_journal_sequence(const uint8_t key[ROW_JOURNAL_KEY]);
/* Numbers in order: node, branch, role, poll, turn, repair. */
void row_reply_key(const etna_id *run,
                   const etna_slot *slot,
                   uint8_t ret[ROW_REPLY_KEY]);
/* A view of the name itself: borrowed. */
kv_view row_meta_key(const char *name);

/* The checksum of a journal row: over the predecessor's, run, sequence and
 * record, so that no record can be lost, moved or replaced unnoticed. `before`
 * of the first record: zeros. *ret_failed: out of memory. */
etna_hash row_chain(const etna_hash *before,
                    const etna_id *run,
                    uint64_t sequence,
                    const void *record,
                    size_t size,
                    bool *ret_failed);

/* Encoders: malloc'd bytes for the caller; ETNA_E_NOMEM, ETNA_E_LIMIT. The seal
 * covers table, key and body. */
etna_code row_encode_run(const store_run *run,
                         uint8_t **ret,
                         size_t *ret_size,
                         etna_error *err);
etna_code row_encode_reply(kv_view key,
                           const store_reply *reply,
                           uint8_t **ret,
                           size_t *ret_size,
                           etna_error *err);
etna_code row_encode_record(const etna_hash *chain,
                            const void *record,
                            size_t size,
                            uint8_t **ret,
                            size_t *ret_size,
                            etna_error *err);
etna_code row_encode_format(uint32_t format,
                            uint8_t **ret,
                            size_t *ret_size,
                            etna_error *err);
etna_code row_encode_blob(const void *data,
                          size_t size,
                          uint8_t **ret,
                          size_t *ret_size,
                          etna_error *err);

/* Decoders: ETNA_E_CORRUPT (the text does not name the row: the caller adds
 * that), ETNA_E_NOMEM; *ret is untouched then. Texts live in `arena`. */
etna_code row_decode_run(kv_view key,
                         kv_view row,
                         etna_arena *arena,
                         store_run *ret,
                         etna_error *err);
etna_code row_decode_reply(kv_view key,
                           kv_view row,
                           store_reply *ret,
                           etna_error *err);
/* Of any format up to ours; ETNA_E_NEWER. */
etna_code row_read_format(kv_view row, uint32_t *ret, etna_error *err);
/* The same, and ETNA_E_MESSAGE for one that is older than ours. */
etna_code row_decode_format(kv_view row, uint32_t *ret, etna_error *err);
/* Content of a blob's row, malloc'd. `check`: it is compared with `hash`. */
etna_code row_decode_blob(const etna_hash *hash,
                          kv_view row,
                          bool check,
                          uint8_t **ret,
                          size_t *ret_size,
                          etna_error *err);

#endif
