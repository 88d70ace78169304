/* Who carries the runs of a batch: the coordinator at --connect; without that
 * this process if it can own the store, otherwise the process that owns it.
 * When the carrier ends before the batch does, the next one is found the same
 * way. */
#ifndef ETNA_COORDINATOR_CLI_BATCH_CARRY_H
#define ETNA_COORDINATOR_CLI_BATCH_CARRY_H

#include "coordinator/cli/batch.h"

/* From the command line; texts are borrowed until batch_carry() returns. */
typedef struct batch_carry_options {
    const char *store, *connect; /* --store, --connect; NULL: default, none */
    /* worker processes of ours; 0: as `etna run` (cli_share_processors) */
    uint32_t workers;
    /* seconds to wait for a coordinator at `connect` that does not listen */
    uint32_t wait_s;
} batch_carry_options;

/* Blocks until all lines have ended. ETNA_E_CANCELLED: a signal came, its
 * number is in *ret_signal (0 otherwise; it is set in every case but
 * ETNA_E_NOMEM). All other errors are batch_drive()'s. A second signal during
 * the shell's shutdown ends the process with _exit(). Main thread only: it
 * installs signal handlers. */
etna_code batch_carry(batch *b,
                      const batch_carry_options *options,
                      int *ret_signal,
                      etna_error *err);

#endif
