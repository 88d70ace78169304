/* Runs that an owner of a store left when it ended: who takes them up again. */
#ifndef ETNA_COORDINATOR_CLI_LEFT_H
#define ETNA_COORDINATOR_CLI_LEFT_H

#include "coordinator/shell/shell.h"

/* Lets all go on that `keeper` accepted and an owner from `epoch` on left
 * running, or paused for a model, the oldest first; runs of others are not
 * touched. One that cannot be read is named on stderr and left. Each that a
 * coordinator takes up is named, too. */
etna_code left_resume(
    shell *sh, store *s, run_keeper keeper, uint64_t epoch, etna_error *err);

#endif
