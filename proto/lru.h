/* What is kept because it was needed once and can be made again: in which order
 * it is evicted, and when. An item is pinned by who uses it and never evicted
 * then; of the others the one unused for longest goes first. When what is
 * pinned is alone more than the limit, the limit is exceeded by that. Nothing
 * here locks or allocates: the owner of a cache has the lock, and frees what
 * was evicted when it has let go of the lock. Pure. */
#ifndef ETNA_PROTO_LRU_H
#define ETNA_PROTO_LRU_H

#include "proto/hash.h"

typedef struct lru_item {           /* the first member of what is kept */
    struct lru_item *older, *newer; /* while nobody pins it */
    /* or 1 in a cache that is bounded by a count */
    size_t bytes;
    uint32_t pins;
    uint32_t number; /* the owner's, as `kind`: what it is, and which */
    uint8_t kind;
} lru_item;

typedef struct lru {           /* all zero is empty */
    lru_item *oldest, *newest; /* of those that nobody pins */
    size_t bytes, idle;        /* of all; of those that nobody pins */
} lru;

/* Takes in an item whose `bytes` are set, pinned once, for the caller. */
void lru_add(lru *cache, lru_item *item);
/* Keeps it from eviction until as many lru_unpin as lru_pin. The last unpin
 * makes it the one used last. */
void lru_pin(lru *cache, lru_item *item);
void lru_unpin(lru *cache, lru_item *item);
/* A pinned item has become larger by so many bytes. Nothing is evicted here. */
void lru_grow(lru *cache, lru_item *item, size_t bytes);

/* Evicts until `limit` bytes are left or all are pinned. `forget` takes each
 * out of the owner's index. The result is for lru_destroy; NULL: nothing had to
 * go. */
typedef void (*lru_forget)(void *owner, lru_item *item);
lru_item *lru_trim(lru *cache, size_t limit, lru_forget forget, void *owner);
/* Calls `destroy` with each of a list from lru_trim. The place to free them,
 * after the owner's lock was let go. */
void lru_destroy(lru_item *list, void (*destroy)(lru_item *item));

/* ---- items that are found by a hash ---- */
typedef struct lru_entry { /* the first member of what is kept */
    lru_item item;
    etna_hash key;
    struct lru_entry *next; /* in its bucket */
} lru_entry;

enum {
    LRU_BUCKETS = 1024
};

typedef struct lru_map { /* all zero is empty */
    lru lru;
    lru_entry *buckets[LRU_BUCKETS];
} lru_map;

/* The entry of that key, pinned once more for the caller; NULL: not there. */
lru_entry *lru_map_pin(lru_map *map, const etna_hash *key);
/* Takes in an entry whose key is not in the map, and whose item's bytes and key
 * are set; pinned once, for the caller. */
void lru_map_add(lru_map *map, lru_entry *entry);
lru_item *lru_map_trim(lru_map *map, size_t limit); /* as lru_trim */
/* Everything in it, pinned or not, as a list for lru_destroy; the map is empty
 * then. For the owner's end, when nobody holds a pin any more. */
lru_item *lru_map_clear(lru_map *map);
/* The keys, as many as `room`: first what is pinned, then the others, the one
 * used last before the others. */
uint32_t lru_map_keys(const lru_map *map, etna_hash *ret, uint32_t room);

#endif
