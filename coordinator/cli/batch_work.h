/* The work of `etna batch`, for it and for what is made of it. */
#ifndef ETNA_COORDINATOR_CLI_BATCH_WORK_H
#define ETNA_COORDINATOR_CLI_BATCH_WORK_H

#include "coordinator/cli/batch_carry.h"

typedef struct batch_work {
    const char *list, *output;
    bool json;
    uint32_t active; /* BATCH_ACTIVE, unless it was said */
    uint64_t max_cost;
    uint32_t priority; /* of all runs that say none of their own */
    batch_carry_options carry;
    /* not NULL: no result goes to stdout; and what is said when it was
     * interrupted */
    const char *again;
} batch_work;

/* Reads the list and does what is left of it. Returns the exit code: with
 * `again` 0 when every line has ended, however; errors are told. */
int batch_work_do(const batch_work *w);

#endif
