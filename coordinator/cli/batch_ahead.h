/* Reads the scene of the line that is begun next, on a thread of its own, while
 * the batch looks at the runs in flight: reading may take seconds, and a run
 * that has ended meanwhile is fetched at once. One scene at a time. */
#ifndef ETNA_COORDINATOR_CLI_BATCH_AHEAD_H
#define ETNA_COORDINATOR_CLI_BATCH_AHEAD_H

#include "coordinator/cli/bundle.h"

typedef struct batch_ahead batch_ahead;

/* NULL: out of memory. */
batch_ahead *batch_ahead_new(void);
/* What is being read is given up. NULL is fine. */
void batch_ahead_free(batch_ahead *a);

/* Begins to read; what `wanted` names is borrowed until the scene is taken.
 * Where no thread is to be had, it has been read on return. */
void batch_ahead_begin(batch_ahead *a, const bundle_wanted *wanted);
/* A scene was begun and not taken. */
bool batch_ahead_is_busy(const batch_ahead *a);
/* Waits for it so long at most. True: it has been read, by whatever end. */
bool batch_ahead_wait(batch_ahead *a, unsigned ms);
/* As bundle_read(), of what was begun; waits for it. */
etna_code batch_ahead_take(batch_ahead *a, bundle *ret, etna_error *err);

#endif
