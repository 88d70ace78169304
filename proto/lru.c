/* See lru.h. The list has only what may go, so that an eviction never looks at
 * what is pinned. */
#include "proto/lru.h"

#include <assert.h>
#include <string.h>

/* Takes an item out of the list of those that nobody pins. */
static void lru_unlink(lru *cache, lru_item *item)
{
    *(item->older ? &item->older->newer : &cache->oldest) = item->newer;
    *(item->newer ? &item->newer->older : &cache->newest) = item->older;
    item->older = item->newer = NULL;
    assert(cache->idle >= item->bytes);
    cache->idle -= item->bytes;
}

void lru_add(lru *cache, lru_item *item)
{
    item->older = item->newer = NULL;
    item->pins = 1;
    cache->bytes += item->bytes;
}

void lru_pin(lru *cache, lru_item *item)
{
    if (item->pins++ == 0)
        lru_unlink(cache, item);
}

void lru_unpin(lru *cache, lru_item *item)
{
    assert(item->pins > 0);
    if (--item->pins > 0)
        return;
    item->older = cache->newest;
    *(item->older ? &item->older->newer : &cache->oldest) = item;
    cache->newest = item;
    cache->idle += item->bytes;
}

void lru_grow(lru *cache, lru_item *item, size_t bytes)
{
    assert(item->pins > 0);
    item->bytes += bytes;
    cache->bytes += bytes;
}

lru_item *lru_trim(lru *cache, size_t limit, lru_forget forget, void *owner)
{
    lru_item *gone = NULL;
    while (cache->bytes > limit && cache->oldest) {
        lru_item *item = cache->oldest;
        lru_unlink(cache, item);
        assert(item->pins == 0 && cache->bytes >= item->bytes);
        cache->bytes -= item->bytes;
        forget(owner, item);
        item->newer = gone;
        gone = item;
    }
    return gone;
}

void lru_destroy(lru_item *list, void (*destroy)(lru_item *item))
{
    while (list) {
        lru_item *next = list->newer;
        destroy(list);
        list = next;
    }
}

/* ---- by hash ---- */
/* A hash is its own hash value. */
static lru_entry **lru_map_bucket(lru_map *map, const etna_hash *key)
{
    uint32_t number;
    memcpy(&number, key->bytes, sizeof number);
    return &map->buckets[number % LRU_BUCKETS];
}

lru_entry *lru_map_pin(lru_map *map, const etna_hash *key)
{
    lru_entry *entry = *lru_map_bucket(map, key);
    while (entry && !etna_hash_equal(&entry->key, key))
        entry = entry->next;
    if (entry)
        lru_pin(&map->lru, &entry->item);
    return entry;
}

void lru_map_add(lru_map *map, lru_entry *entry)
{
    lru_entry **bucket = lru_map_bucket(map, &entry->key);
    entry->next = *bucket;
    *bucket = entry;
    lru_add(&map->lru, &entry->item);
}

static void lru_map_forget(void *owner, lru_item *item)
{
    lru_entry *entry = (lru_entry *)item;
    lru_entry **at = lru_map_bucket(owner, &entry->key);
    while (*at != entry) {
        assert(*at); /* who is in the list is in its bucket */
        at = &(*at)->next;
    }
    *at = entry->next;
}

lru_item *lru_map_trim(lru_map *map, size_t limit)
{
    return lru_trim(&map->lru, limit, lru_map_forget, map);
}

lru_item *lru_map_clear(lru_map *map)
{
    lru_item *gone = NULL;
    for (size_t i = 0; i < LRU_BUCKETS; i++) {
        for (lru_entry *entry = map->buckets[i]; entry; entry = entry->next) {
            entry->item.newer = gone;
            gone = &entry->item;
        }
    }
    memset(map, 0, sizeof *map);
    return gone;
}

uint32_t lru_map_keys(const lru_map *map, etna_hash *ret, uint32_t room)
{
    uint32_t count = 0;
    for (size_t i = 0; i < LRU_BUCKETS; i++) {
        for (const lru_entry *entry = map->buckets[i]; entry && count < room;
             entry = entry->next) {
            if (entry->item.pins > 0)
                ret[count++] = entry->key;
        }
    }
    for (const lru_item *item = map->lru.newest; item && count < room;
         item = item->older)
        ret[count++] = ((const lru_entry *)item)->key;
    return count;
}
