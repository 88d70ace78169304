/* What a worker may do because of its leases. With its token alone it may only
 * ask for tasks: results and calls count with the ticket of a lease, and over
 * TCP a blob is given or taken for a task that is still open, and given only
 * where the journal of that task's run names it. */
#ifndef ETNA_COORDINATOR_SHELL_RIGHTS_H
#define ETNA_COORDINATOR_SHELL_RIGHTS_H

#include "coordinator/shell/shell_internal.h"

/* False: the request has been refused, or the shell has failed. Entries of a
 * list of what is held that have no right ticket are marked in *m, in memory of
 * `arena`. */
bool rights_check(shell *s, uint64_t request, message *m, etna_arena *arena);

/* The blobs that a run's journal names, as far as it was read. */
void rights_forget(run_names *names);

#endif
