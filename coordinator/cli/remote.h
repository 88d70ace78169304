/* `etna run --connect URL`: the run is another coordinator's. It is submitted,
 * watched and fetched from here. */
#ifndef ETNA_COORDINATOR_CLI_REMOTE_H
#define ETNA_COORDINATOR_CLI_REMOTE_H

#include "coordinator/cli/runner.h"
#include "coordinator/shell/client.h"

/* seconds to wait for a coordinator that is being restarted, unless --wait */
enum {
    REMOTE_WAIT_S = 600
};

/* As runner_run(), but the store of `options` is not written; it is looked into
 * for the coordinator's tokens only. `wait_s`: how long to wait for a
 * coordinator that does not listen, at any time from here on. Returns the exit
 * code; a signal leaves the run at the coordinator. */
int remote_run(const char *url, uint32_t wait_s, const runner_options *options);

/* What to do with a run that is there already. */
typedef enum remote_way {
    REMOTE_WATCH = 1, /* stay until it ends */
    REMOTE_RESUME,    /* let it go on first */
    REMOTE_FETCH      /* it has ended, else that is an error */
} remote_way;

/* remote_run() of a run that is there already. */
int remote_attach(const char *url,
                  uint32_t wait_s,
                  remote_way way,
                  const runner_options *options);
/* REMOTE_WATCH with who listens at `url` now, without waiting for a next one.
 * False: that one went, or is not there; nothing was printed, so that the
 * caller may try another. True: *ret_exit is set. */
bool remote_stay(const char *url, const runner_options *options, int *ret_exit);

/* How long to wait for a coordinator that does not listen. Outlives the client
 * that uses it. */
typedef struct remote_patience {
    const char *url;
    uint32_t wait_s;
    /* the user was told that nobody listens; reset when somebody does */
    bool told;
} remote_patience;

/* Options of a client that waits so, says that it waits, and ends at a signal
 * (visit_catch_signals() is the caller's to call). Borrows `p`. */
client_options remote_client_options(remote_patience *p);

#endif
