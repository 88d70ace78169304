/* The connections, from before their first message until NNG has let go of them:
 * who is here, who says nothing, and who is cut off. */
#include "coordinator/shell/inbox_internal.h"
#include "coordinator/shell/sever.h"
#include "proto/dial/dial.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum {                 /* milliseconds */
    SILENT_MS = 60000, /* longer than any request is parked */
    LATELY_MS = 10000
};

inbox_pipe *inbox_pipe_of(const inbox *in, uint64_t pipe)
{
    return table_get(&in->pipes, pipe);
}

void inbox_doom(inbox *in, inbox_pipe *p)
{
    if (!chain_empty(&p->doomed))
        return;
    p->doomed_ms = uv_now(in->wake.loop);
    chain_append(&in->doomed, &p->doomed);
}

/* The peer's address as the system has it. False: it is no TCP connection, or
 * has just ended. */
static bool pipe_address(const inbox_pipe *p, struct sockaddr_storage *ret)
{
    nng_sockaddr address;
    memset(ret, 0, sizeof *ret);
    if (nng_pipe_get_addr((nng_pipe){.id = (uint32_t)p->id}, NNG_OPT_REMADDR,
                          &address))
        return false;
    if (address.s_family == NNG_AF_INET) {
        struct sockaddr_in *to = (void *)ret;
        *to = (struct sockaddr_in){.sin_family = AF_INET,
                                   .sin_port = address.s_in.sa_port};
        to->sin_addr.s_addr = address.s_in.sa_addr;
        return true;
    }
    if (address.s_family != NNG_AF_INET6)
        return false;
    struct sockaddr_in6 *to = (void *)ret;
    *to = (struct sockaddr_in6){.sin6_family = AF_INET6,
                                .sin6_port = address.s_in6.sa_port};
    memcpy(&to->sin6_addr, address.s_in6.sa_addr, sizeof to->sin6_addr);
    return true;
}

/* Some at a time, so that a flood of strangers costs a bounded amount. What
 * cannot be ended from below is closed from above, at last. */
void inbox_sever(inbox *in)
{
    enum {
        AT_ONCE = 256,
        EVERY_MS = 20,
        AGAIN_MS = 1000,
        PATIENCE_MS = 5000
    };
    sever_peer peers[AT_ONCE];
    size_t count = 0;
    uint64_t now = uv_now(in->wake.loop);
    if (chain_empty(&in->doomed) || now - in->severed_ms < EVERY_MS)
        return;
    in->severed_ms = now;
    for (chain *at = in->doomed.next; at != &in->doomed && count < AT_ONCE;
         at = at->next) {
        inbox_pipe *p = CHAIN_OF(inbox_pipe, doomed, at);
        if (p->severed_ms && now - p->severed_ms < AGAIN_MS)
            continue;
        p->severed_ms = now ? now : 1;
        if (now - p->doomed_ms > PATIENCE_MS)
            nng_pipe_close((nng_pipe){.id = (uint32_t)p->id});
        peers[count].found = false;
        if (pipe_address(p, &peers[count].address))
            count++;
    }
    sever(peers, count);
}

/* Whom the gate wants to be cut off. */
static void inbox_cut_overdue(inbox *in)
{
    enum {
        AT_ONCE = 64
    };
    uint64_t pipes[AT_ONCE];
    uint64_t now = uv_now(in->wake.loop);
    for (size_t count;
         in->handlers.gate &&
         (count = gate_overdue(in->handlers.gate, now, pipes, AT_ONCE));) {
        for (size_t i = 0; i < count; i++) {
            inbox_pipe *p = inbox_pipe_of(in, pipes[i]);
            if (p)
                inbox_doom(in, p);
        }
    }
}

void unread_release(unread *u)
{
    u->holders--;
    if (!u->holders)
        free(u);
}

void unread_add(inbox *in, slot *s, unread *of, size_t bytes)
{
    if (!of->bytes)
        of->left_ns = uv_hrtime();
    of->bytes += bytes;
    of->holders++;
    in->unread_bytes += bytes;
    s->unread = of;
    s->unread_bytes = bytes;
}

void unread_left(inbox *in, slot *s)
{
    if (!s->unread)
        return; /* its connection was gone before it left */
    s->unread->bytes -= s->unread_bytes;
    s->unread->left_ns = uv_hrtime();
    in->unread_bytes -= s->unread_bytes;
    unread_release(s->unread);
    s->unread = NULL;
}

/* NULL: no memory. */
static inbox_pipe *inbox_pipe_new(void)
{
    inbox_pipe *p = calloc(1, sizeof *p);
    unread *u = calloc(1, sizeof *u);
    if (!p || !u) {
        free(p);
        free(u);
        return NULL;
    }
    u->holders = 1;
    p->unread = u;
    return p;
}

void inbox_pipe_added(inbox *in, const news *item)
{
    inbox_pipe *p = inbox_pipe_new();
    if (!p)
        return;
    if (!table_put(&in->pipes, item->pipe, p)) {
        unread_release(p->unread);
        free(p);
        return;
    }
    p->id = item->pipe;
    p->pid = item->pid;
    p->heard_ms = uv_now(in->wake.loop);
    chain_append(&in->all_pipes, &p->all);
    chain_init(&p->doomed);
    chain_init(&p->guest);
    chain_init(&p->waiting);
    if (!in->handlers.gate)
        return;
    struct sockaddr_storage address;
    (void)pipe_address(p, &address);
    gate_enter(in->handlers.gate, &p->peer, item->pipe, &address,
               uv_now(in->wake.loop));
    inbox_cut_overdue(in);
}

void inbox_pipe_free(inbox *in, inbox_pipe *p)
{
    if (in->handlers.gate)
        gate_leave(in->handlers.gate, &p->peer);
    chain_remove(&p->all);
    chain_remove(&p->doomed);
    chain_remove(&p->guest);
    pthread_mutex_lock(&in->lock);
    unread_release(p->unread);
    pthread_mutex_unlock(&in->lock);
    free(p);
}

/* Connections that say nothing, and those that were doomed before. */
void inbox_tidy(inbox *in)
{
    uint64_t now = uv_now(in->wake.loop);
    if (!in->handlers.gate)
        return;
    inbox_cut_overdue(in);
    for (chain *at = in->all_pipes.next; at != &in->all_pipes; at = at->next) {
        inbox_pipe *p = CHAIN_OF(inbox_pipe, all, at);
        bool waits = p->held || !chain_empty(&p->waiting);
        bool silent = !waits && now - p->heard_ms > SILENT_MS;
        if (silent)
            inbox_doom(in, p);
    }
    inbox_sever(in);
}

/* NNG keeps sockets of connections that it could not close; half of all files
 * is the point to begin anew. */
bool inbox_is_clogged(inbox *in)
{
    enum {
        EVERY = 5,
        MOST = 16384
    };
    struct rlimit files;
    if (!in->handlers.gate || in->clog_looks++ % EVERY)
        return false;
    if (getrlimit(RLIMIT_NOFILE, &files))
        return false;
    size_t most = files.rlim_cur / 2 < MOST ? (size_t)files.rlim_cur / 2 : MOST;
    return sever_count_dead() > most;
}

/* Over TLS those that were heard of lately, as NNG does not tell when one is
 * gone. */
size_t inbox_pipes(const inbox *in)
{
    size_t lately = 0;
    uint64_t now = uv_now(in->wake.loop);
    if (!dial_is_tls(in->url))
        return in->pipes.live;
    for (const chain *at = in->all_pipes.next; at != &in->all_pipes;
         at = at->next)
        lately +=
            now - CHAIN_OF(const inbox_pipe, all, at)->heard_ms < LATELY_MS;
    return lately;
}
