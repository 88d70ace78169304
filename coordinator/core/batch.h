/* Runs of one list. The oldest of them that has tasks to give out stands in
 * core.ready for all, so that a list's results come one after the other and not
 * all at its end, and lists take turns like runs that are of none (batch.c). */
#ifndef ETNA_COORDINATOR_CORE_BATCH_H
#define ETNA_COORDINATOR_CORE_BATCH_H

#include "coordinator/core/run.h"

/* The runs in memory of one list. Made by its first run, freed with its
 * last. */
typedef struct batch {
    core *core;
    etna_id id;
    chain link;  /* in core.batches */
    chain ready; /* runs with tasks to give out, the oldest first */
    /* the first of `ready`, which stands in core.ready for all; NULL: there is
     * none */
    run *shown;
    uint32_t run_count;
} batch;

/* Puts the run into the batch that its configuration names, if it names one. */
void batch_join(run *r);
/* Takes the run out of its batch, before it is freed. */
void batch_leave(run *r);
/* The run has tasks to give out, or has none any more: keeps core.ready
 * right. */
void batch_ready_update(run *r, bool ready);
/* An invariant, for core_check(). */
bool batch_is_in_order(const run *r);

#endif
