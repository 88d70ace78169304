/* The one hash of the house: BLAKE2b-256, over canonical bytes (proto/canon.h,
 * store/FORMAT.md), never over protobuf. */
#ifndef ETNA_PROTO_HASH_H
#define ETNA_PROTO_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct etna_hash {
    uint8_t bytes[32];
} etna_hash;

/* A run's name: 128 bits that the client chooses at random, so that a submit
 * which is repeated is still one run. */
typedef struct etna_id {
    uint8_t bytes[16];
} etna_id;

/* BLAKE2b-256 of `size` bytes (libsodium). */
etna_hash etna_hash_bytes(const void *data, size_t size);

/* The same of bytes that come piece by piece. */
typedef struct etna_hasher etna_hasher;
/* A hasher that has been told nothing yet; etna_hasher_end ends it. NULL: out
 * of memory. */
etna_hasher *etna_hasher_new(void);
/* The hash depends on the bytes alone, not on how they were cut into pieces. */
void etna_hasher_add(etna_hasher *hasher, const void *data, size_t size);
/* The hash of all that was added. Frees the hasher; with `ret` NULL it only
 * does that, and a NULL hasher is fine then. */
void etna_hasher_end(etna_hasher *hasher, etna_hash *ret);

/* Lower-case hex into text[65] / text[33], NUL-terminated. Pure. */
void etna_hash_hex(const etna_hash *hash, char text[65]);
void etna_id_hex(const etna_id *id, char text[33]);

/* False, and the output untouched, unless text is exactly 64 (32) hex digits.
 * Pure. */
bool etna_hash_parse(const char *text, etna_hash *ret_hash);
bool etna_id_parse(const char *text, etna_id *ret_id);

/* Not in constant time: for names of public bytes, never for seals or
 * tokens. */
bool etna_hash_equal(const etna_hash *a, const etna_hash *b);
bool etna_hash_is_zero(const etna_hash *hash); /* all zero stands for "none" */
bool etna_id_equal(const etna_id *a, const etna_id *b);

#endif
