/* Private to the store: a growing set of hashes with a number each (what was
 * verified, when it was last used). Hashes are their own hash values. */
#ifndef ETNA_STORE_HASHSET_H
#define ETNA_STORE_HASHSET_H

#include "proto/hash.h"

typedef struct hashset {
    /* room is a power of two, at most half full */
    struct hashset_entry *entries;
    size_t count, room;
} hashset;

void hashset_free(hashset *set); /* all-zero is fine */
/* Room for the first 32, so that failing to note one can be left at that. False
 * when out of memory. */
bool hashset_reserve(hashset *set);
/* Adds it or replaces its number. False when out of memory, and then nothing
 * changed. */
bool hashset_put(hashset *set, const etna_hash *hash, uint64_t number);
bool hashset_get(const hashset *set,
                 const etna_hash *hash,
                 uint64_t *ret_number); /* ret may be NULL */
void hashset_clear(hashset *set);
/* Walks the set in no useful order: *at starts at 0. False at the end. */
bool hashset_next(const hashset *set,
                  size_t *at,
                  etna_hash *ret_hash,
                  uint64_t *ret_number);

#endif
