/* Open addressing with linear probing; see hashset.h. */
#include "store/hashset.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct hashset_entry {
    etna_hash hash;
    uint64_t number;
    bool used;
};

void hashset_free(hashset *set)
{
    free(set->entries);
    *set = (hashset){0};
}

void hashset_clear(hashset *set)
{
    if (set->room)
        memset(set->entries, 0, set->room * sizeof *set->entries);
    set->count = 0;
}

/* The entry of the hash, or the free one where it belongs. Hashes are evenly
 * spread, so their first eight bytes do. */
static struct hashset_entry *hashset_find(const hashset *set,
                                          const etna_hash *hash)
{
    uint64_t at;
    assert(set->count < set->room); /* else the walk below has no end */
    memcpy(&at, hash->bytes, sizeof at);
    while (set->entries[at & (set->room - 1)].used &&
           !etna_hash_equal(&set->entries[at & (set->room - 1)].hash, hash))
        at++;
    return &set->entries[at & (set->room - 1)];
}

/* Most sets are of a commit group, and hold a name or two. */
enum {
    ROOM_LEAST = 8
};

static bool hashset_grow(hashset *set)
{
    hashset bigger = {.room = set->room ? 2 * set->room : ROOM_LEAST};
    bigger.entries = calloc(bigger.room, sizeof *bigger.entries);
    if (!bigger.entries)
        return false;
    for (size_t i = 0; i < set->room; i++) {
        if (set->entries[i].used)
            *hashset_find(&bigger, &set->entries[i].hash) = set->entries[i];
    }
    bigger.count = set->count;
    free(set->entries);
    *set = bigger;
    return true;
}

bool hashset_reserve(hashset *set)
{
    return set->room || hashset_grow(set);
}

bool hashset_put(hashset *set, const etna_hash *hash, uint64_t number)
{
    if (2 * (set->count + 1) > set->room && !hashset_grow(set))
        return false;
    struct hashset_entry *entry = hashset_find(set, hash);
    if (!entry->used)
        set->count++;
    *entry = (struct hashset_entry){*hash, number, true};
    return true;
}

bool hashset_get(const hashset *set,
                 const etna_hash *hash,
                 uint64_t *ret_number)
{
    if (!set->room)
        return false;
    const struct hashset_entry *entry = hashset_find(set, hash);
    if (!entry->used)
        return false;
    if (ret_number)
        *ret_number = entry->number;
    return true;
}

bool hashset_next(const hashset *set,
                  size_t *at,
                  etna_hash *ret_hash,
                  uint64_t *ret_number)
{
    while (*at < set->room) {
        const struct hashset_entry *entry = &set->entries[(*at)++];
        if (!entry->used)
            continue;
        *ret_hash = entry->hash;
        *ret_number = entry->number;
        return true;
    }
    return false;
}
