/* A bounded table of the puts under way, searched linearly, and two caches by
 * hash: blobs unpacked for gets, and offers. A peer that is alive learns at its
 * next chunk that its put was forgotten and begins again, so forgetting is
 * always safe.
 *
 * A put grows in memory and is hashed on the way; only when its last byte is
 * there and the hash is right is it handed to the store, so the store never has
 * half of a blob. Gets unpack a blob once and serve its chunks from there.
 * Offers are documents that are made for one request (a report, a view) and
 * fetched right after it: they need no store. Every bound is in blobs_limits;
 * what is over one pushes out what was touched longest ago, of puts one of whom
 * has the most: who begins many pushes out his own. */
#include "coordinator/shell/blobs.h"

#include <stdlib.h>
#include <string.h>

#include "proto/lru.h"

/* A put under way. `touched` counts by blobs.clock, not by time. */
typedef struct assembly {
    etna_hash hash;
    uint8_t *data;
    uint64_t sender; /* who began it */
    uint64_t total, have, room, touched;
    /* of what came: a large blob is not hashed in one go, which would hold up
     * the loop */
    etna_hasher *hasher;
} assembly;

/* A blob in one piece. It is unpinned but while it is looked at. */
typedef struct cached_blob {
    lru_entry kept;
    uint8_t *data; /* owned */
    size_t size;
} cached_blob;

struct blobs {
    store *s;
    blobs_limits limits;
    assembly *assemblies;
    uint32_t count;
    uint64_t room;         /* bytes of all assemblies */
    lru_map cache, offers; /* of cached_blob */
    uint64_t clock;
};

/* Bytes: 3 GiB under way, half a GiB unpacked, 64 MiB of offers. */
blobs_limits blobs_limits_default(void)
{
    return (blobs_limits){.assemblies = 256,
                          .assembly_bytes = UINT64_C(3) << 30,
                          .cache_bytes = UINT64_C(512) << 20,
                          .offer_bytes = UINT64_C(64) << 20};
}

/* The store is borrowed. */
etna_code blobs_new(store *s,
                    const blobs_limits *limits,
                    blobs **ret_blobs,
                    etna_error *err)
{
    blobs *b = calloc(1, sizeof *b);
    assembly *assemblies = calloc(limits->assemblies, sizeof *assemblies);
    if (!b || !assemblies) {
        free(b);
        free(assemblies);
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for blobs under way");
    }
    b->s = s;
    b->limits = *limits;
    b->assemblies = assemblies;
    *ret_blobs = b;
    return ETNA_OK;
}

/* Bytes and hash under way. */
static void blobs_empty(assembly *a)
{
    free(a->data);
    etna_hasher_end(a->hasher, NULL);
}

/* Frees one that was evicted. */
static void cached_blob_free(lru_item *item)
{
    cached_blob *k = (cached_blob *)item;
    free(k->data);
    free(k);
}

/* NULL is fine. */
void blobs_free(blobs *b)
{
    if (!b)
        return;
    for (uint32_t i = 0; i < b->count; i++)
        blobs_empty(&b->assemblies[i]);
    lru_destroy(lru_map_clear(&b->cache), cached_blob_free);
    lru_destroy(lru_map_clear(&b->offers), cached_blob_free);
    free(b->assemblies);
    free(b);
}

/* The blob of that hash, which is the one used last from now on; NULL: not
 * there. */
static cached_blob *cached_blob_find(lru_map *map, const etna_hash *hash)
{
    lru_entry *entry = lru_map_pin(map, hash);
    if (entry)
        lru_unpin(&map->lru, &entry->item);
    return (cached_blob *)entry;
}

/* Takes the data in, freed on failure. Those longest untouched make room for
 * it; itself it stays, however large. What an entry costs counts, too, so that
 * many small blobs are bounded as well. NULL: out of memory. */
static cached_blob *cached_blob_add(lru_map *map,
                                    const etna_hash *hash,
                                    uint8_t *data,
                                    size_t size,
                                    size_t most)
{
    cached_blob *k = calloc(1, sizeof *k);
    if (!k) {
        free(data);
        return NULL;
    }
    k->kept.key = *hash;
    k->kept.item.bytes = size + sizeof *k;
    k->data = data;
    k->size = size;
    lru_map_add(map, &k->kept);
    lru_destroy(lru_map_trim(map, most), cached_blob_free);
    lru_unpin(&map->lru, &k->kept.item);
    return k;
}

/* A chunk borrowed until the next call. Large blobs are asked for piece by
 * piece, so they stay unpacked for a while. */
etna_code blobs_get(blobs *b,
                    const message_blob_get *request,
                    message_blob_chunk *ret_chunk,
                    etna_error *err)
{
    cached_blob *k = cached_blob_find(&b->offers, &request->hash);
    if (!k)
        k = cached_blob_find(&b->cache, &request->hash);
    if (!k) {
        uint8_t *data;
        size_t size;
        etna_code code =
            store_get_blob(b->s, &request->hash, &data, &size, err);
        if (code)
            return code;
        k = cached_blob_add(&b->cache, &request->hash, data, size,
                            b->limits.cache_bytes);
        if (!k)
            return etna_fail(err, ETNA_E_NOMEM, "out of memory for a blob");
    }
    if (request->offset > k->size || (request->offset == k->size && k->size)) {
        return etna_fail(err, ETNA_E_MESSAGE,
                         "a blob of %zu bytes was asked for from byte %llu on",
                         k->size, (unsigned long long)request->offset);
    }
    size_t left = k->size - (size_t)request->offset;
    *ret_chunk = (message_blob_chunk){.hash = k->kept.key,
                                      .total = k->size,
                                      .offset = request->offset,
                                      .data = k->data + request->offset};
    ret_chunk->size = left < MESSAGE_CHUNK ? left : MESSAGE_CHUNK;
    return ETNA_OK;
}

/* The last takes its place. */
static void blobs_forget(blobs *b, assembly *a)
{
    b->room -= a->room;
    blobs_empty(a);
    *a = b->assemblies[--b->count];
}

/* NULL: none. */
static assembly *assembly_find(blobs *b, const etna_hash *hash)
{
    for (uint32_t i = 0; i < b->count; i++) {
        if (etna_hash_equal(&b->assemblies[i].hash, hash))
            return &b->assemblies[i];
    }
    return NULL;
}

/* What a sender has under way: bytes of room, or how many puts. */
static uint64_t assembly_share(const blobs *b, uint64_t sender, bool by_bytes)
{
    uint64_t share = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        const assembly *a = &b->assemblies[i];
        if (a->sender == sender)
            share += by_bytes ? a->room : 1;
    }
    return share;
}

/* Of the sender with the largest share the one longest untouched, but `but`;
 * NULL: there is no other. */
static assembly *assembly_to_forget(blobs *b,
                                    const assembly *but,
                                    bool by_bytes)
{
    assembly *found = NULL;
    uint64_t most = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        assembly *a = &b->assemblies[i];
        if (a == but)
            continue;
        uint64_t share = assembly_share(b, a->sender, by_bytes);
        bool is_older = found && share == most && a->touched < found->touched;
        if (!found || share > most || is_older) {
            found = a;
            most = share;
        }
    }
    return found;
}

/* The put under way, or a new one; others make room. */
static assembly *assembly_of(blobs *b,
                             const message_blob_chunk *chunk,
                             uint64_t sender)
{
    assembly *a = assembly_find(b, &chunk->hash);
    if (a)
        return a;
    if (b->count == b->limits.assemblies)
        blobs_forget(b, assembly_to_forget(b, NULL, false));
    a = &b->assemblies[b->count++];
    *a = (assembly){
        .hash = chunk->hash, .sender = sender, .total = chunk->total};
    return a;
}

/* Memory grows with what came, never with what was announced. Others, longest
 * untouched, make room: whoever is alive learns at its next chunk that it
 * begins again. Forgetting one may move *at. */
static etna_code blobs_grow(blobs *b,
                            assembly **at,
                            uint64_t needed,
                            etna_error *err)
{
    assembly *a = *at;
    if (needed <= a->room)
        return ETNA_OK;
    uint64_t room = a->room ? 2 * a->room : MESSAGE_CHUNK;
    if (room < needed)
        room = needed;
    if (room > a->total)
        room = a->total ? a->total : 1; /* also the empty blob has an address */
    const etna_hash hash = a->hash;
    for (assembly *other; b->room - a->room + room > b->limits.assembly_bytes &&
                          (other = assembly_to_forget(b, a, true));) {
        blobs_forget(b, other);
        *at = a = assembly_find(b, &hash);
    }
    if (b->room - a->room + room > b->limits.assembly_bytes) {
        return etna_fail(
            err, ETNA_E_LIMIT,
            "a blob of %llu bytes is above %llu, which is all that is taken at once",
            (unsigned long long)a->total,
            (unsigned long long)b->limits.assembly_bytes);
    }
    uint8_t *data = realloc(a->data, room);
    if (!data)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory taking a blob of %llu bytes",
                         (unsigned long long)a->total);
    b->room += room - a->room;
    a->data = data;
    a->room = room;
    return ETNA_OK;
}

/* The bytes must be what the name says. */
static etna_code blobs_finish(blobs *b,
                              assembly *a,
                              uint8_t **ret_data,
                              etna_error *err)
{
    etna_hash found;
    etna_hasher_end(a->hasher, &found);
    a->hasher = NULL;
    bool right = etna_hash_equal(&found, &a->hash);
    uint8_t *data = a->data;
    if (right)
        a->data = NULL;
    blobs_forget(b, a);
    if (!right)
        return etna_fail(err, ETNA_E_CORRUPT,
                         "a blob's bytes do not match its hash");
    *ret_data = data;
    return ETNA_OK;
}

/* The next bytes of a blob. On failure what there was of it is forgotten: it
 * will be sent anew. */
static etna_code blobs_take(blobs *b,
                            assembly **ref,
                            const message_blob_chunk *chunk,
                            etna_error *err)
{
    etna_code code =
        blobs_grow(b, ref, (*ref)->have + chunk->size + !chunk->total, err);
    assembly *a = *ref;
    if (!code && !a->hasher) {
        a->hasher = etna_hasher_new();
        if (!a->hasher)
            code = etna_fail(err, ETNA_E_NOMEM, "out of memory taking a blob");
    }
    if (code) {
        blobs_forget(b, a);
        return code;
    }
    if (chunk->size)
        memcpy(a->data + a->have, chunk->data, chunk->size);
    etna_hasher_add(a->hasher, chunk->data, chunk->size);
    a->have += chunk->size;
    return ETNA_OK;
}

/* *ret_data is the whole blob where this chunk was the last, and the caller's;
 * NULL otherwise. A chunk that does not follow is answered by how much there
 * is. */
etna_code blobs_put(blobs *b,
                    const message_blob_chunk *chunk,
                    uint64_t sender,
                    uint64_t *ret_received,
                    uint8_t **ret_data,
                    etna_error *err)
{
    if (chunk->total > STORE_BLOB_MAX || chunk->offset > chunk->total ||
        chunk->size > chunk->total - chunk->offset) {
        return etna_fail(err, ETNA_E_LIMIT,
                         "a chunk of %zu bytes at %llu of %llu", chunk->size,
                         (unsigned long long)chunk->offset,
                         (unsigned long long)chunk->total);
    }
    if (store_has_blob(b->s, &chunk->hash)) {
        *ret_received = chunk->total;
        *ret_data = NULL;
        return ETNA_OK;
    }
    assembly *a = assembly_of(b, chunk, sender);
    a->touched = ++b->clock;
    /* one of the two lies; begin again with this one */
    if (a->total != chunk->total) {
        b->room -= a->room;
        blobs_empty(a);
        *a = (assembly){.hash = chunk->hash,
                        .sender = sender,
                        .total = chunk->total,
                        .touched = a->touched};
    }
    etna_code code =
        chunk->offset == a->have ? blobs_take(b, &a, chunk, err) : ETNA_OK;
    if (code)
        return code;
    uint8_t *data = NULL;
    uint64_t have = a->have;
    code = have == a->total ? blobs_finish(b, a, &data, err) : ETNA_OK;
    if (code)
        return code;
    *ret_received = have;
    *ret_data = data;
    return ETNA_OK;
}

/* Takes the data: documents that are fetched right after they were made. */
void blobs_offer(blobs *b, const etna_hash *hash, uint8_t *data, size_t size)
{
    if (cached_blob_find(&b->offers, hash))
        free(data);
    else
        cached_blob_add(&b->offers, hash, data, size, b->limits.offer_bytes);
}
