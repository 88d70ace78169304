/* Which runs `etna store rm --older-than --keep` removes: those that ended, by
 * when they ended. A run of three days that ended a minute ago is new. */
#ifndef ETNA_COORDINATOR_CLI_UNWANTED_H
#define ETNA_COORDINATOR_CLI_UNWANTED_H

#include "store/store.h"

#include <stddef.h>
#include <stdint.h>

typedef struct unwanted_rule {
    uint64_t now_ms;   /* wall clock, Unix ms */
    uint64_t older_ms; /* what ended less than this ago stays; 0: none does */
    size_t keep;       /* so many that ended last stay */
} unwanted_rule;

/* Puts `runs` in another order. Their ids go to *ret, which has room for
 * `count`; returns their number. */
size_t unwanted_choose(store_run *runs,
                       size_t count,
                       const unwanted_rule *rule,
                       etna_id *ret);

#endif
