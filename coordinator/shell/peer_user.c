/* See peer_user.h. */
#include "coordinator/shell/peer_user.h"

#include <stdint.h>
#include <unistd.h>

bool peer_user_is_ours(nng_pipe pipe)
{
    uint64_t user;
    if (nng_pipe_get_uint64(pipe, NNG_OPT_IPC_PEER_UID, &user)) return true;
    return user == geteuid() || user == 0;
}

void peer_user_check(nng_pipe pipe, nng_pipe_ev event, void *context)
{
    (void)event;
    (void)context;
    if (!peer_user_is_ours(pipe)) nng_pipe_close(pipe);
}
