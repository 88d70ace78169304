/* Runs of one list. The oldest of them that has tasks to give out stands in
 * core.ready for all, so that a list's results come one after the other and not
 * all at its end, and lists take turns like runs that are of none (batch.c). */
#ifndef ETNA_COORDINATOR_CORE_BATCH_H
#define ETNA_COORDINATOR_CORE_BATCH_H

#include "coordinator/core/run.h"

typedef struct batch { /* freed with its last run */
    core *core;
    etna_id id;
    chain link;  /* in core.batches */
    chain ready; /* runs with tasks to give out, the oldest first */
    run *shown;  /* the first of them, in core.ready; NULL: there is none */
    uint32_t run_count;
} batch;

void batch_join(run *r);  /* by its configuration */
void batch_leave(run *r); /* before it is freed */
void batch_ready_update(run *r, bool ready);
bool batch_is_in_order(const run *r); /* for core_check */

#endif
