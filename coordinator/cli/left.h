/* Runs that an earlier owner of a store left running when it ended: who takes
 * them up again. */
#ifndef ETNA_COORDINATOR_CLI_LEFT_H
#define ETNA_COORDINATOR_CLI_LEFT_H

#include "coordinator/shell/shell.h"

/* Who is told what a user should know of one run: a line, in bytes of any kind.
 * NULL where one is asked for: they are printed on stderr. */
typedef struct left_teller {
    void *context;
    void (*tell)(void *context, const etna_id *run, const char *text);
} left_teller;

/* Resumes in `sh` all runs that `keeper` accepted and that an owner of epoch
 * `epoch` or later, but before ours, left running or waiting; the oldest first,
 * as it has waited longest. Runs of other keepers are not touched. One whose
 * journal cannot be read is told and left as it is, for the others must not stop
 * because of it; those that a coordinator takes up are told, too. An error is
 * one of the store or of memory, not of one run. */
etna_code left_resume(shell *sh,
                      store *s,
                      run_keeper keeper,
                      uint64_t epoch,
                      const left_teller *teller,
                      etna_error *err);

#endif
