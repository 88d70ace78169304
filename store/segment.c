/* The bytes of a mirror's segments: see segment.h and FORMAT.md. */
#include "store/segment.h"

#include "proto/ascii.h"
#include "proto/canon.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t segment_magic[8] = {'E', 'T', 'N', 'A',
                                         'S', 'E', 'G', '1'};
static const uint8_t group_magic[8] = {'E', 'T', 'N', 'A', 'G', 'R', 'P', '1'};

/* The kinds of a change; the memory a group keeps between commits; the bytes of
 * a group's head that its seal covers. */
enum {
    CHANGE_PUT = 1,
    CHANGE_DEL = 2,
    KEEP_ROOM = 4 << 20,
    GROUP_HEAD_SEALED = 24
};
#define GROUP_MOST (UINT64_C(16) << 30) /* bytes of changes */

void segment_name(uint64_t epoch, uint32_t number, char ret[SEGMENT_NAME_MAX])
{
    snprintf(ret, SEGMENT_NAME_MAX, "%016llx-%08lx.segment",
             (unsigned long long)epoch, (unsigned long)number);
}

/* The epoch in hexadecimal, so that names sort like numbers. */
void segment_claim_name(uint64_t epoch, char ret[SEGMENT_NAME_MAX])
{
    snprintf(ret, SEGMENT_NAME_MAX, "claim-%016llx", (unsigned long long)epoch);
}

/* Small letters alone: each epoch has one name. */
static bool segment_read_hex(const char *text, size_t digits, uint64_t *ret)
{
    uint64_t value = 0;
    for (size_t i = 0; i < digits; i++) {
        char c = text[i];
        bool is_digit = ascii_is_digit(c);
        if (!is_digit && (c < 'a' || c > 'f'))
            return false;
        value = value << 4 | (uint64_t)(is_digit ? c - '0' : c - 'a' + 10);
    }
    *ret = value;
    return true;
}

/* False: the file is none of ours, and is left alone. */
bool segment_name_read(const char *name,
                       uint64_t *ret_epoch,
                       uint32_t *ret_number)
{
    uint64_t epoch, number;
    if (strlen(name) != 16 + 1 + 8 + 8 || name[16] != '-' ||
        strcmp(name + 25, ".segment") != 0)
        return false;
    if (!segment_read_hex(name, 16, &epoch) ||
        !segment_read_hex(name + 17, 8, &number))
        return false;
    *ret_epoch = epoch;
    *ret_number = (uint32_t)number;
    return true;
}

/* False: no claim. */
bool segment_claim_name_read(const char *name, uint64_t *ret_epoch)
{
    return strlen(name) == 6 + 16 && strncmp(name, "claim-", 6) == 0 &&
           segment_read_hex(name + 6, 16, ret_epoch);
}

/* Fixed size, sealed by a hash over all before it. */
etna_code segment_head_encode(const segment_head *head,
                              uint8_t ret[SEGMENT_HEAD],
                              etna_error *err)
{
    canon_writer w = {0};
    canon_raw(&w, segment_magic, sizeof segment_magic);
    canon_raw(&w, head->store.bytes, sizeof head->store.bytes);
    canon_u64(&w, head->epoch);
    canon_u32(&w, head->number);
    canon_u8(&w, head->base);
    canon_u64(&w, head->before.epoch);
    canon_u64(&w, head->before.number);
    canon_hash(&w, &head->before.chain);
    if (!w.failed) {
        etna_hash seal = etna_hash_bytes(w.data, w.size);
        canon_hash(&w, &seal);
    }
    bool whole = !w.failed && w.size == SEGMENT_HEAD;
    if (whole)
        memcpy(ret, w.data, SEGMENT_HEAD);
    canon_writer_free(&w);
    return whole ? ETNA_OK
                 : etna_fail(err, ETNA_E_NOMEM,
                             "out of memory beginning a segment of the mirror");
}

/* What groups of this segment are bound to. */
etna_hash segment_head_seal(const uint8_t data[SEGMENT_HEAD])
{
    etna_hash seal;
    memcpy(seal.bytes, data + SEGMENT_HEAD - sizeof seal.bytes,
           sizeof seal.bytes);
    return seal;
}

/* False: it was being written when its writer died, or is no head. */
bool segment_head_decode(const uint8_t data[SEGMENT_HEAD], segment_head *ret)
{
    canon_reader r = canon_read(data, SEGMENT_HEAD);
    segment_head head;
    uint8_t magic[8];
    canon_get_raw(&r, magic, sizeof magic);
    canon_get_raw(&r, head.store.bytes, sizeof head.store.bytes);
    head.epoch = canon_get_u64(&r);
    head.number = canon_get_u32(&r);
    uint8_t base = canon_get_u8(&r);
    head.base = base == 1;
    head.before.epoch = canon_get_u64(&r);
    head.before.number = canon_get_u64(&r);
    head.before.chain = canon_get_hash(&r);
    etna_hash right = etna_hash_bytes(data, r.at);
    etna_hash seal = canon_get_hash(&r);
    if (!canon_done(&r) || memcmp(magic, segment_magic, sizeof magic) != 0)
        return false;
    if (base > 1 || !etna_hash_equal(&right, &seal))
        return false;
    *ret = head;
    return true;
}

/* Room for `more` bytes at the end, after a head that segment_group_seal()
 * fills in. NULL once memory has run out. */
static uint8_t *segment_group_grow(segment_group *group, size_t more)
{
    size_t from = group->size ? group->size : SEGMENT_GROUP_HEAD;
    if (group->failed || more > GROUP_MOST - from) {
        group->failed = true;
        return NULL;
    }
    if (from + more > group->room) {
        size_t room = 2 * (from + more);
        uint8_t *grown = realloc(group->data, room);
        if (!grown) {
            group->failed = true;
            return NULL;
        }
        group->data = grown;
        group->room = room;
    }
    group->size = from + more;
    return group->data + from;
}

/* Little-endian; returns what is behind it. */
static uint8_t *segment_put_number(uint8_t *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> (8 * i));
    return at + bytes;
}

/* The mirror of segment_put_number. */
static uint64_t segment_get_number(const uint8_t *at, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

/* op, table, key's length, key: what both kinds of change begin with. */
static uint8_t *segment_put_change(uint8_t *at,
                                   uint8_t op,
                                   kv_table table,
                                   kv_view key)
{
    *at++ = op;
    *at++ = (uint8_t)table;
    at = segment_put_number(at, key.size, 4);
    memcpy(at, key.data, key.size);
    return at + key.size;
}

/* Out of memory is kept in the group and told by segment_group_seal. */
void segment_group_put(segment_group *group,
                       kv_table table,
                       kv_view key,
                       kv_view value)
{
    uint8_t *at = segment_group_grow(group, 6 + key.size + 8 + value.size);
    if (!at)
        return;
    at = segment_put_change(at, CHANGE_PUT, table, key);
    at = segment_put_number(at, value.size, 8);
    if (value.size)
        memcpy(at, value.data, value.size);
}

/* As segment_group_put. */
void segment_group_del(segment_group *group, kv_table table, kv_view key)
{
    uint8_t *at = segment_group_grow(group, 6 + key.size);
    if (at)
        segment_put_change(at, CHANGE_DEL, table, key);
}

/* A failed one is not: its commit must fail. */
bool segment_group_is_empty(const segment_group *group)
{
    return group->size == 0 && !group->failed;
}

void segment_group_free(segment_group *group)
{
    free(group->data);
    *group = (segment_group){0};
}

/* Keeps its memory for the next commit, unless one was very large. */
void segment_group_reset(segment_group *group)
{
    if (group->room > KEEP_ROOM)
        segment_group_free(group);
    group->size = 0;
    group->failed = false;
}

/* The head's own seal, so that a length is believed before what it measures is
 * read. It is bound to the segment, whose seal nobody can guess: a blob cannot
 * hold bytes that pass for a group. */
static etna_hash segment_group_head_seal(const uint8_t *group,
                                         const etna_hash *segment)
{
    uint8_t sealed[GROUP_HEAD_SEALED + sizeof segment->bytes];
    memcpy(sealed, group, GROUP_HEAD_SEALED);
    memcpy(sealed + GROUP_HEAD_SEALED, segment->bytes, sizeof segment->bytes);
    return etna_hash_bytes(sealed, sizeof sealed);
}

/* The length may be believed afterwards: it is sealed, and bounded by
 * GROUP_MOST. */
bool segment_group_head_read(const uint8_t *data,
                             const etna_hash *segment,
                             uint64_t *ret_number,
                             uint64_t *ret_size)
{
    if (memcmp(data, group_magic, sizeof group_magic) != 0)
        return false;
    etna_hash seal = segment_group_head_seal(data, segment);
    if (memcmp(data + GROUP_HEAD_SEALED, seal.bytes, sizeof seal.bytes) != 0)
        return false;
    uint64_t changes = segment_get_number(data + 16, 8);
    if (changes > GROUP_MOST)
        return false;
    *ret_number = segment_get_number(data + 8, 8);
    *ret_size = SEGMENT_GROUP_HEAD + changes + SEGMENT_CHAIN;
    return true;
}

/* Over the chain before, the head and the changes; false: out of memory. */
static bool segment_chain(const etna_hash *before,
                          const uint8_t *group,
                          size_t size,
                          etna_hash *ret)
{
    etna_hasher *hasher = etna_hasher_new();
    if (!hasher)
        return false;
    etna_hasher_add(hasher, before->bytes, sizeof before->bytes);
    etna_hasher_add(hasher, group, size);
    etna_hasher_end(hasher, ret);
    return true;
}

/* An empty group is a group, too: a commit without changes moves the chain. */
etna_code segment_group_seal(segment_group *group,
                             const etna_hash *segment,
                             segment_point *point,
                             etna_error *err)
{
    if (group->size == 0)
        segment_group_grow(group, 0);
    assert(group->failed || group->size >= SEGMENT_GROUP_HEAD);
    size_t changes = group->size - SEGMENT_GROUP_HEAD;
    uint8_t *end = segment_group_grow(group, SEGMENT_CHAIN);
    if (!end)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory writing a group of the mirror");
    uint8_t *at = group->data;
    memcpy(at, group_magic, sizeof group_magic);
    at = segment_put_number(at + sizeof group_magic, point->number + 1, 8);
    at = segment_put_number(at, changes, 8);
    etna_hash seal = segment_group_head_seal(group->data, segment);
    etna_hash chain;
    memcpy(at, seal.bytes, sizeof seal.bytes);
    if (!segment_chain(&point->chain, group->data, SEGMENT_GROUP_HEAD + changes,
                       &chain))
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory writing a group of the mirror");
    memcpy(end, chain.bytes, sizeof chain.bytes);
    point->number++;
    point->chain = chain;
    return ETNA_OK;
}

/* Looks for a head at any byte: behind damage nothing says where the next one
 * begins. */
bool segment_holds_group(const uint8_t *data,
                         size_t size,
                         const etna_hash *segment)
{
    for (size_t i = 0; i + SEGMENT_GROUP_HEAD <= size; i++) {
        const uint8_t *found =
            memchr(data + i, group_magic[0], size - SEGMENT_GROUP_HEAD + 1 - i);
        uint64_t number, length;
        if (!found)
            return false;
        if (segment_group_head_read(found, segment, &number, &length))
            return true;
        i = (size_t)(found - data);
    }
    return false;
}

/* `before`: the chain so far. False: it does not follow, or is damaged. */
bool segment_group_check(const uint8_t *data,
                         size_t size,
                         const etna_hash *before,
                         etna_hash *ret_chain)
{
    etna_hash chain, right;
    if (!segment_chain(before, data, size - SEGMENT_CHAIN, &right))
        return false;
    memcpy(chain.bytes, data + size - SEGMENT_CHAIN, sizeof chain.bytes);
    if (!etna_hash_equal(&right, &chain))
        return false;
    *ret_chain = chain;
    return true;
}

/* The seal was right, so this is a defect or an attack. */
static etna_code segment_change_bad(etna_error *err)
{
    return etna_fail(err, ETNA_E_CORRUPT, "a change that no store makes");
}

/* One change at *at; *at moves behind it. */
static etna_code segment_change_apply(const uint8_t **at,
                                      const uint8_t *end,
                                      kv_txn *txn,
                                      etna_error *err)
{
    const uint8_t *p = *at;
    if (end - p < 6)
        return segment_change_bad(err);
    uint8_t op = p[0];
    uint8_t table = p[1];
    uint64_t key_size = segment_get_number(p + 2, 4);
    p += 6;
    bool is_change = op == CHANGE_PUT || op == CHANGE_DEL;
    bool is_table = table > KV_META && table <= KV_BLOBS;
    if (!is_change || !is_table)
        return segment_change_bad(err);
    if (key_size == 0 || key_size > KV_KEY_MAX ||
        key_size > (uint64_t)(end - p))
        return segment_change_bad(err);
    kv_view key = {p, key_size};
    p += key_size;
    if (op == CHANGE_DEL) {
        *at = p;
        return kv_del(txn, table, key, err);
    }
    if (end - p < 8)
        return segment_change_bad(err);
    uint64_t value_size = segment_get_number(p, 8);
    p += 8;
    if (value_size > (uint64_t)(end - p))
        return segment_change_bad(err);
    *at = p + value_size;
    return kv_put(txn, table, key, (kv_view){p, value_size}, err);
}

/* In one transaction of the caller's, so that half of a group is never seen. */
etna_code segment_group_apply(const uint8_t *data,
                              size_t size,
                              kv_txn *txn,
                              etna_error *err)
{
    assert(size >= SEGMENT_GROUP_HEAD + SEGMENT_CHAIN);
    const uint8_t *at = data + SEGMENT_GROUP_HEAD;
    const uint8_t *end = data + size - SEGMENT_CHAIN;
    etna_code code = ETNA_OK;
    while (!code && at < end)
        code = segment_change_apply(&at, end, txn, err);
    return code;
}
