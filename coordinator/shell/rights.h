/* What a worker may do because of its leases. With its token alone it may only
 * ask for tasks. Results and calls count with the ticket of a lease; over TCP a
 * blob is given or taken only for a task that is still open, and given only if
 * the journal of that task's run names it. */
#ifndef ETNA_COORDINATOR_SHELL_RIGHTS_H
#define ETNA_COORDINATOR_SHELL_RIGHTS_H

#include "coordinator/shell/shell_internal.h"

/* False: the request has been refused, or the shell has failed. In a list of
 * what a worker holds, entries without a right ticket are marked `is_forged`;
 * the marked copy lives in `arena`. */
bool rights_check(shell *s, uint64_t request, message *m, etna_arena *arena);

/* Frees the cached names of the blobs that a run's journal names. */
void rights_forget(run_names *names);

#endif
