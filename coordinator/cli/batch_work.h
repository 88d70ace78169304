/* The work of `etna batch` behind its command line. `etna bench` calls it too,
 * for the runs of a suite. */
#ifndef ETNA_COORDINATOR_CLI_BATCH_WORK_H
#define ETNA_COORDINATOR_CLI_BATCH_WORK_H

#include "coordinator/cli/batch_carry.h"

/* Texts are borrowed until batch_work_do() returns. */
typedef struct batch_work {
    const char *list, *output;
    bool json;
    /* most runs in flight; BATCH_ACTIVE unless --active was given */
    uint32_t active;
    /* millionths that all runs together may spend; 0: no bound */
    uint64_t max_cost;
    /* of the runs whose line names none */
    uint32_t priority;
    batch_carry_options carry;
    /* The caller's own command, which the user is told to repeat after an
     * interrupt; results do not go to stdout then. NULL: this is `etna batch`
     * itself. */
    const char *again;
} batch_work;

/* Reads the list and does what is left of it. Returns the exit code: with
 * `again` 0 when every line has ended, however; errors are told. */
int batch_work_do(const batch_work *w);

#endif
