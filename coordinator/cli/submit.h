/* `etna submit`: a run is given to who carries it, and left there. */
#ifndef ETNA_COORDINATOR_CLI_SUBMIT_H
#define ETNA_COORDINATOR_CLI_SUBMIT_H

#include "coordinator/cli/runner.h"

/* To the coordinator at `url`; NULL: to who owns the store, and where nobody
 * does, kept there for the next coordinator. Prints the run's name once it is
 * durable. Returns the exit code. */
int submit_run(const char *url, uint32_t wait_s, const runner_options *options);

#endif
