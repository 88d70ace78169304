/* Who fetches a blob for a host: of several processes that share a cache and
 * miss the same blob, one. A file beneath the cache, with a lock that the
 * kernel drops at its holder's death. It only saves a download: where anything
 * about it fails, each fetches for itself. */
#ifndef ETNA_STORE_FETCH_CLAIM_H
#define ETNA_STORE_FETCH_CLAIM_H

#include "proto/hash.h"

#include <stdbool.h>

enum {
    FETCH_CLAIM_MS = 10000
};

typedef struct fetch_claim {
    int fd;          /* -1: none is held */
    char path[4096]; /* of its file */
} fetch_claim;

fetch_claim *fetch_claim_new(void); /* nothing held yet; NULL: out of memory */
/* False: another process fetches it, and said within FETCH_CLAIM_MS that it
 * goes on. True: the caller is to fetch it. `cache`: the folder; NULL is fine,
 * as is `claim`. */
bool fetch_claim_take(fetch_claim *claim,
                      const char *cache,
                      const etna_hash *blob);
/* To be called while bytes come. */
void fetch_claim_goes_on(const fetch_claim *claim);
/* The blob is in the cache, or will not be. */
void fetch_claim_drop(fetch_claim *claim);
void fetch_claim_free(fetch_claim *claim); /* drops it; NULL is fine */

#endif
