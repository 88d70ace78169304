/* Canonical bytes: what hashes are taken over and what the store keeps
 * (store/FORMAT.md). Little-endian fixed-width integers, IEEE-754 doubles with
 * -0 written as +0 and NaN refused, byte strings as u32 length + bytes. One
 * value, one encoding. Pure: the core writes its journal records with it. */
#ifndef ETNA_PROTO_CANON_H
#define ETNA_PROTO_CANON_H

#include "proto/hash.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Grows as written; the first failure sticks in `failed` and later writes do
 * nothing, so callers check once. */
typedef struct canon_writer {
    uint8_t *data; /* owned: canon_writer_free, or take it and free() it */
    size_t size, capacity;
    bool failed; /* out of memory, or a NaN was written */
} canon_writer;

/* frees the data; the writer is empty then */
void canon_writer_free(canon_writer *writer);
/* Numbers: 1, 4 and 8 bytes, little-endian; a double as its bits, -0 as +0. A
 * NaN fails. */
void canon_u8(canon_writer *writer, uint8_t value);
void canon_u32(canon_writer *writer, uint32_t value);
void canon_u64(canon_writer *writer, uint64_t value);
void canon_f64(canon_writer *writer, double value);
/* The bytes alone, without their length: for what has a fixed size by its
 * format. */
void canon_raw(canon_writer *writer, const void *data, size_t size);
/* A u32 of how many, then the bytes. More than UINT32_MAX bytes fail. */
void canon_bytes(canon_writer *writer, const void *data, size_t size);
/* NULL is written as "" */
void canon_text(canon_writer *writer, const char *text);
/* 32 bytes, without a length. */
void canon_hash(canon_writer *writer, const etna_hash *hash);

/* Reads what a writer wrote; the first short or malformed read sticks in
 * `failed` and later reads give zeros. */
typedef struct canon_reader {
    const uint8_t *data; /* borrowed */
    size_t size, at;
    bool failed;
    /* set beside `failed` by who found no room for what it read: the bytes may
     * be right */
    bool out_of_memory;
} canon_reader;

/* A reader at the data's begin; the data must outlive it. */
canon_reader canon_read(const void *data, size_t size);
uint8_t canon_get_u8(canon_reader *reader);
uint32_t canon_get_u32(canon_reader *reader);
uint64_t canon_get_u64(canon_reader *reader);
double canon_get_f64(canon_reader *reader); /* NaN or -0 is malformed */
etna_hash canon_get_hash(canon_reader *reader);
/* So many bytes without a length; zeros where there are fewer. */
void canon_get_raw(canon_reader *reader, void *ret, size_t size);
/* What canon_bytes wrote: a view into the reader's data, of at most `max` bytes
 * (longer is malformed). NULL and 0 when malformed; a view of no bytes may be
 * NULL too, so ask `failed`. */
const uint8_t *canon_get_bytes(canon_reader *reader,
                               size_t max,
                               size_t *ret_size);
/* A count that cannot exceed what is left at `least` bytes each (guards
 * allocations). */
uint32_t canon_get_count(canon_reader *reader, size_t least);
/* Everything was read and nothing failed. A record is only believed when this
 * holds: bytes left over are as wrong as bytes missing. */
bool canon_done(const canon_reader *reader);

#endif
