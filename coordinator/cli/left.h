/* Runs that an earlier owner of a store left running when it ended: who takes
 * them up again. */
#ifndef ETNA_COORDINATOR_CLI_LEFT_H
#define ETNA_COORDINATOR_CLI_LEFT_H

#include "coordinator/shell/shell.h"

/* Resumes in `sh` all runs that `keeper` accepted and that an owner of epoch
 * `epoch` or later, but before ours, left running or waiting; the oldest first,
 * as it has waited longest. Runs of other keepers are not touched. One whose
 * journal cannot be read is named on stderr and left as it is, for the others
 * must not stop because of it; those that a coordinator takes up are named too.
 * An error is one of the store or of memory, not of one run. */
etna_code left_resume(
    shell *sh, store *s, run_keeper keeper, uint64_t epoch, etna_error *err);

#endif
