/* Private to the store: the files of a mirror, byte for byte as FORMAT.md says,
 * and nothing else that knows them.
 *
 * A mirror is a directory on any file system: it needs appends, fsync, and
 * names created exclusively (open with O_EXCL), but neither locks nor shared
 * memory. `claim-EPOCH` says who may write since when; `EPOCH-NUMBER.segment`
 * holds groups of changes. Numbers in names are 16 and 8 hexadecimal digits, so
 * that names sort as numbers do. */
#ifndef ETNA_STORE_SEGMENT_H
#define ETNA_STORE_SEGMENT_H

#include "store/kv.h"
#include "store/store.h"

#include <sys/types.h>

/* A place in a mirror: behind the group `number` of the epoch. */
typedef struct segment_point {
    uint64_t epoch, number;
    etna_hash chain; /* over all groups up to there, from their base on */
} segment_point;

/* What a segment's file begins with. */
typedef struct segment_head {
    etna_id store;   /* whose changes these are */
    uint64_t epoch;  /* who wrote them */
    uint32_t number; /* of the segment in its epoch, from 0 */
    bool base;       /* begins with nothing; else after `before` */
    /* of a base: only `number` counts, which its first group follows */
    segment_point before;
} segment_head;

/* Bytes: of a name with its NUL; of an encoded head; of what a group begins and
 * ends with. */
enum {
    SEGMENT_NAME_MAX = 48,
    /* bytes of an encoded head */
    SEGMENT_HEAD = 8 + 16 + 8 + 4 + 1 + 8 + 8 + 32 + 32,
    SEGMENT_GROUP_HEAD = 8 + 8 + 8 + 32,
    SEGMENT_CHAIN = 32
};

/* Names of files in the mirror's folder, NUL-terminated, in lower-case
 * digits. */
void segment_name(uint64_t epoch, uint32_t number, char ret[SEGMENT_NAME_MAX]);
void segment_claim_name(uint64_t epoch, char ret[SEGMENT_NAME_MAX]);
/* False: it is the name of something else; the outputs are untouched then. */
bool segment_name_read(const char *name,
                       uint64_t *ret_epoch,
                       uint32_t *ret_number);
bool segment_claim_name_read(const char *name, uint64_t *ret_epoch);

/* ETNA_E_NOMEM. */
etna_code segment_head_encode(const segment_head *head,
                              uint8_t ret[SEGMENT_HEAD],
                              etna_error *err);
/* The head's checksum, which its groups are bound to: a group that is copied
 * into another segment is none of it. */
etna_hash segment_head_seal(const uint8_t data[SEGMENT_HEAD]);
/* False: malformed, and *ret is untouched. */
bool segment_head_decode(const uint8_t data[SEGMENT_HEAD],
                         segment_head *ret); /* false when malformed */

/* A group as it gathers: changes in the order in which they were made. */
typedef struct segment_group {
    uint8_t *data; /* owned: room for the head, then the changes */
    size_t size, room;
    bool failed; /* out of memory */
} segment_group;

/* Appends a change, copying key and value. What finds no memory sets `failed`,
 * and is told when the group is to be written. */
void segment_group_put(segment_group *group,
                       kv_table table,
                       kv_view key,
                       kv_view value);
void segment_group_del(segment_group *group, kv_table table, kv_view key);
bool segment_group_is_empty(const segment_group *group);
/* to nothing; keeps at most 4 MiB of its memory */
void segment_group_reset(segment_group *group);
void segment_group_free(segment_group *group);
/* Writes head and chain around the changes, as the group after *point in the
 * segment whose head has the seal `segment`, and moves *point there. The bytes
 * to append are then group->data, group->size. ETNA_E_NOMEM. */
etna_code segment_group_seal(segment_group *group,
                             const etna_hash *segment,
                             segment_point *point,
                             etna_error *err);

/* Of the SEGMENT_GROUP_HEAD bytes at `data`: the group's number and its whole
 * length. False unless they begin a group of this segment. */
bool segment_group_head_read(const uint8_t *data,
                             const etna_hash *segment,
                             uint64_t *ret_number,
                             uint64_t *ret_size);
/* Whether the group's chain continues `before`, thus whether it is whole and in
 * its place; *ret_chain is then its own. */
bool segment_group_check(const uint8_t *data,
                         size_t size,
                         const etna_hash *before,
                         etna_hash *ret_chain);
/* Whether a group of this segment begins anywhere in the bytes: it tells a torn
 * end from damage in the middle. */
bool segment_holds_group(const uint8_t *data,
                         size_t size,
                         const etna_hash *segment);

/* Does a whole group's changes in a write transaction. ETNA_E_CORRUPT: changes
 * that no store makes. */
etna_code segment_group_apply(const uint8_t *data,
                              size_t size,
                              kv_txn *txn,
                              etna_error *err);

#endif
