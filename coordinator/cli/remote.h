/* `etna run --connect URL`: the run is another coordinator's; here it is submitted, watched and fetched. */
#ifndef ETNA_COORDINATOR_CLI_REMOTE_H
#define ETNA_COORDINATOR_CLI_REMOTE_H

#include "coordinator/cli/runner.h"

enum { REMOTE_WAIT_S = 600 };

/* As runner_run; the store of `options` is not touched. `wait_s`: how long to wait for a coordinator that does not listen,
 * which may be being restarted, at any time from here on. */
int remote_run(const char *url, uint32_t wait_s, const runner_options *options);

#endif
