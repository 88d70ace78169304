/* `etna run --connect URL`: the run is another coordinator's; here it is
 * submitted, watched and fetched. */
#ifndef ETNA_COORDINATOR_CLI_REMOTE_H
#define ETNA_COORDINATOR_CLI_REMOTE_H

#include "coordinator/cli/runner.h"
#include "coordinator/shell/client.h"

enum {
    REMOTE_WAIT_S = 600
};

/* As runner_run; the store of `options` is not touched. `wait_s`: how long to
 * wait for a coordinator that does not listen, which may be being restarted, at
 * any time from here on. */
int remote_run(const char *url, uint32_t wait_s, const runner_options *options);

typedef enum remote_way {
    REMOTE_WATCH = 1, /* stay until it ends */
    REMOTE_RESUME,    /* let it go on first */
    REMOTE_FETCH      /* it has ended, else that is an error */
} remote_way;

/* A run that is there already. */
int remote_attach(const char *url,
                  uint32_t wait_s,
                  remote_way way,
                  const runner_options *options);
/* REMOTE_WATCH with who listens at `url` now. False: that one went, or is not
 * there: nothing was told. */
bool remote_stay(const char *url, const runner_options *options, int *ret_exit);

/* with a coordinator that is being restarted */
typedef struct remote_patience {
    const char *url;
    uint32_t wait_s;
    bool told; /* that nobody listens */
} remote_patience;

/* Of a client that waits so, and says that it does; a signal (visit.h) ends it.
 * Borrows. */
client_options remote_client_options(remote_patience *p);

#endif
