/* `etna submit`: a run is given to who carries it, and left there. */
#ifndef ETNA_COORDINATOR_CLI_SUBMIT_H
#define ETNA_COORDINATOR_CLI_SUBMIT_H

#include "coordinator/cli/runner.h"

/* Hands the run to the coordinator at `url`; with NULL to the owner of the
 * store; where nobody owns it, keeps it there for the next coordinator. Prints
 * the run's name once it is durable, and returns the exit code. `wait_s`: how
 * long to wait for a coordinator at `url`. */
int submit_run(const char *url, uint32_t wait_s, const runner_options *options);

#endif
