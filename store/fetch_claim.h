/* Which of several processes that share a cache and miss the same blob
 * downloads it: one. The claim is a file beneath the cache with a lock that the
 * kernel drops at its holder's death. It only saves a download: where anything
 * about it fails, each process fetches for itself. */
#ifndef ETNA_STORE_FETCH_CLAIM_H
#define ETNA_STORE_FETCH_CLAIM_H

#include "proto/hash.h"

#include <stdbool.h>

/* a holder that has shown no progress for so long may be stopped, and is passed
 * by */
enum {
    FETCH_CLAIM_MS = 10000
};

/* One claim at a time. */
typedef struct fetch_claim {
    int fd;          /* -1: none is held */
    char path[4096]; /* of its file */
} fetch_claim;

/* Nothing is claimed yet. NULL: out of memory, which all other functions
 * take. */
fetch_claim *fetch_claim_new(void);
/* Drops what is held and claims `blob`. False: another process is downloading
 * it, and showed progress within FETCH_CLAIM_MS; look into the cache later.
 * True: the caller is to download it, also where no claim could be made.
 * `cache`: the cache's folder; NULL is fine, as is `claim`. */
bool fetch_claim_take(fetch_claim *claim,
                      const char *cache,
                      const etna_hash *blob);
/* Shows progress: call it while bytes come. It touches the file's time. */
void fetch_claim_goes_on(const fetch_claim *claim);
/* The blob is in the cache, or will not be. NULL is fine. */
void fetch_claim_drop(fetch_claim *claim);
void fetch_claim_free(fetch_claim *claim); /* drops it; NULL is fine */

#endif
