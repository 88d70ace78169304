/* Over ipc the system tells whose process is at the other end: our own user's and root's are spoken to, and nobody
 * else's. That is all the trust there is, so a socket may lie in a folder that others can write to. */
#ifndef ETNA_COORDINATOR_SHELL_PEER_USER_H
#define ETNA_COORDINATOR_SHELL_PEER_USER_H

#include <nng/nng.h>
#include <stdbool.h>

/* True also where the transport does not tell, as TCP. On any thread. */
bool peer_user_is_ours(nng_pipe pipe);
/* For nng_pipe_notify at NNG_PIPE_EV_ADD_PRE: closes a pipe to anybody else. */
void peer_user_check(nng_pipe pipe, nng_pipe_ev event, void *context);

#endif
