/* Who carries the runs of a batch: a coordinator at an address, this process
 * when it can own the store, else who owns it; and the next one when that one
 * ends. */
#ifndef ETNA_COORDINATOR_CLI_BATCH_CARRY_H
#define ETNA_COORDINATOR_CLI_BATCH_CARRY_H

#include "coordinator/cli/batch.h"

typedef struct batch_carry_options {
    const char *store, *connect; /* --store, --connect; NULL: default, none */
    uint32_t workers;            /* 0: as `etna run` */
    uint32_t wait_s;             /* for a coordinator at `connect` */
} batch_carry_options;

/* Until all lines have ended. ETNA_E_CANCELLED with *ret_signal: a signal came.
 * Else as batch_drive. */
etna_code batch_carry(batch *b,
                      const batch_carry_options *options,
                      int *ret_signal,
                      etna_error *err);

#endif
