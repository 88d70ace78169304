/* Private to the store: a growing set of hashes with a number each (what was
 * verified, when it was last used). Hashes are their own hash values. */
#ifndef ETNA_STORE_HASHSET_H
#define ETNA_STORE_HASHSET_H

#include "proto/hash.h"

/* All zero is an empty set. One thread at a time. */
typedef struct hashset {
    /* room is a power of two, at most half full */
    struct hashset_entry *entries;
    size_t count, room;
} hashset;

void hashset_free(hashset *set); /* all-zero is fine */
/* Makes room for the first 32, so that hashset_put() cannot fail for these.
 * False: out of memory. */
bool hashset_reserve(hashset *set);
/* Adds it or replaces its number. False when out of memory, and then nothing
 * changed. */
bool hashset_put(hashset *set, const etna_hash *hash, uint64_t number);
/* Whether it is in the set; its number in *ret_number, which may be NULL. */
bool hashset_get(const hashset *set,
                 const etna_hash *hash,
                 uint64_t *ret_number); /* ret may be NULL */
/* Empties it and keeps the memory. */
void hashset_clear(hashset *set);
/* Walks the set in no useful order: *at starts at 0. False: that was the last.
 * The set must not grow meanwhile. */
bool hashset_next(const hashset *set,
                  size_t *at,
                  etna_hash *ret_hash,
                  uint64_t *ret_number);

#endif
