/* Canonical bytes: see canon.h for the rules and store/FORMAT.md for what is
 * written with them. */
#include "proto/canon.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void canon_writer_free(canon_writer *writer)
{
    free(writer->data);
    memset(writer, 0, sizeof *writer);
}

/* NULL: failed, for good. Grows by doubling. */
static uint8_t *canon_reserve(canon_writer *writer, size_t size)
{
    if (writer->failed)
        return NULL;
    assert(writer->size <= writer->capacity);
    if (size > writer->capacity - writer->size) {
        size_t capacity = writer->capacity ? writer->capacity : 128;
        while (capacity - writer->size < size) {
            if (capacity > SIZE_MAX / 2) {
                writer->failed = true;
                return NULL;
            }
            capacity *= 2;
        }
        uint8_t *data = realloc(writer->data, capacity);
        if (!data) {
            writer->failed = true;
            return NULL;
        }
        writer->data = data;
        writer->capacity = capacity;
    }
    uint8_t *at = writer->data ? writer->data + writer->size : NULL;
    writer->size += size;
    return at;
}

/* Without its length. */
void canon_raw(canon_writer *writer, const void *data, size_t size)
{
    uint8_t *at = canon_reserve(writer, size);
    if (at && size)
        memcpy(at, data, size);
}

/* `size` bytes, the little end first. */
static void put_le(canon_writer *writer, uint64_t value, size_t size)
{
    uint8_t *at = canon_reserve(writer, size);
    if (!at)
        return;
    for (size_t i = 0; i < size; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

void canon_u8(canon_writer *writer, uint8_t value)
{
    put_le(writer, value, 1);
}

void canon_u32(canon_writer *writer, uint32_t value)
{
    put_le(writer, value, 4);
}

void canon_u64(canon_writer *writer, uint64_t value)
{
    put_le(writer, value, 8);
}

/* NaN has many forms, so it has none here. */
void canon_f64(canon_writer *writer, double value)
{
    if (value != value) {
        writer->failed = true;
        return;
    }
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (value == 0)
        bits = 0; /* -0 and +0 are one value */
    put_le(writer, bits, 8);
}

/* With its length in four bytes. */
void canon_bytes(canon_writer *writer, const void *data, size_t size)
{
    if (size > UINT32_MAX) {
        writer->failed = true;
        return;
    }
    canon_u32(writer, (uint32_t)size);
    canon_raw(writer, data, size);
}

/* NULL is "". */
void canon_text(canon_writer *writer, const char *text)
{
    canon_bytes(writer, text, text ? strlen(text) : 0);
}

void canon_hash(canon_writer *writer, const etna_hash *hash)
{
    canon_raw(writer, hash->bytes, sizeof hash->bytes);
}

/* Borrows the data. */
canon_reader canon_read(const void *data, size_t size)
{
    return (canon_reader){.data = data, .size = size, .at = 0, .failed = false};
}

/* what a view of no bytes points at, also when there is no data at all */
static const uint8_t empty;

/* NULL: failed, for good. */
static const uint8_t *canon_take(canon_reader *reader, size_t size)
{
    if (reader->failed || size > reader->size - reader->at) {
        reader->failed = true;
        return NULL;
    }
    const uint8_t *at = size ? reader->data + reader->at : &empty;
    reader->at += size;
    return at;
}

/* 0 after a failure. */
static uint64_t get_le(canon_reader *reader, size_t size)
{
    const uint8_t *at = canon_take(reader, size);
    uint64_t value = 0;
    for (size_t i = 0; at && i < size; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

uint8_t canon_get_u8(canon_reader *reader)
{
    return (uint8_t)get_le(reader, 1);
}

uint32_t canon_get_u32(canon_reader *reader)
{
    return (uint32_t)get_le(reader, 4);
}

uint64_t canon_get_u64(canon_reader *reader)
{
    return get_le(reader, 8);
}

/* NaN and -0 are no canonical numbers. */
double canon_get_f64(canon_reader *reader)
{
    uint64_t bits = get_le(reader, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (value != value || bits == UINT64_C(1) << 63) {
        reader->failed = true;
        return 0;
    }
    return value;
}

/* Zeros after a failure. */
void canon_get_raw(canon_reader *reader, void *ret, size_t size)
{
    const uint8_t *at = canon_take(reader, size);
    if (at) {
        if (size)
            memcpy(ret, at, size);
    } else {
        memset(ret, 0, size);
    }
}

etna_hash canon_get_hash(canon_reader *reader)
{
    etna_hash hash;
    canon_get_raw(reader, hash.bytes, sizeof hash.bytes);
    return hash;
}

/* Borrowed from the data; NULL after a failure. */
const uint8_t *canon_get_bytes(canon_reader *reader,
                               size_t max,
                               size_t *ret_size)
{
    uint32_t size = canon_get_u32(reader);
    if (size > max)
        reader->failed = true;
    const uint8_t *at = canon_take(reader, size);
    *ret_size = at ? size : 0;
    return at;
}

/* `least`: bytes that each item takes, so that a count is never larger than
 * what is left could hold. */
uint32_t canon_get_count(canon_reader *reader, size_t least)
{
    uint32_t count = canon_get_u32(reader);
    if (reader->failed ||
        (least && count > (reader->size - reader->at) / least)) {
        reader->failed = true;
        return 0;
    }
    return count;
}

/* All was read, and nothing is left. */
bool canon_done(const canon_reader *reader)
{
    return !reader->failed && reader->at == reader->size;
}
