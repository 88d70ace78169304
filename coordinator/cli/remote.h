/* `etna run --connect URL`: the run is another coordinator's; here it is submitted, watched and fetched. */
#ifndef ETNA_COORDINATOR_CLI_REMOTE_H
#define ETNA_COORDINATOR_CLI_REMOTE_H

#include "coordinator/cli/runner.h"

/* As runner_run; the store of `options` is not touched. */
int remote_run(const char *url, const runner_options *options);

#endif
