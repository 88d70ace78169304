/* See inbox.h. A request's handle is its context's index and a generation, so
 * that a late answer cannot hit the request that came after it. A pipe is known
 * from before its first message (ADD_PRE) until it is removed; a message that
 * NNG hands over after that is dropped, since nobody could receive its answer.
 *
 * NNG calls back on threads of its own: these only put news into a queue and
 * wake the loop (inbox_woken), which takes them one by one (inbox_take), so
 * that everything else of this file runs on the loop's thread and needs no
 * lock. Over TCP each connection has to introduce itself first; that is
 * gate.h's, which every message of such a connection passes. The second half of
 * the file is the care for what NNG 1.5 does not do by itself: listeners that
 * stop accepting, sockets it cannot close, answers to peers that are gone. */
#include "coordinator/shell/inbox.h"
#include "coordinator/shell/inbox_probe.h"
#include "coordinator/shell/sever.h"
#include "coordinator/shell/share.h"
#include "proto/dial/dial.h"
#include "proto/message.h"
#include "proto/run_with_timeout.h"
#include "proto/table.h"
#include "proto/tsan.h"

#include <netinet/in.h>
#include <nng/nng.h>
#include <nng/protocol/reqrep0/rep.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef enum slot_state {
    SLOT_RECEIVING,
    SLOT_HELD,
    SLOT_SENDING
} slot_state;

/* A context of the socket. `state` and `msg` change hands between NNG's threads
 * and the loop; an aio is never in both. */
typedef struct slot {
    inbox *in;
    nng_ctx ctx;
    nng_aio *aio;
    slot_state state;
    uint32_t index, generation;
    nng_msg *msg;  /* received, on its way to the loop or waiting there */
    uint64_t pipe; /* of the request that is held; the loop's */
    chain waits;   /* in its pipe's `waiting`; the loop's */
} slot;

typedef struct inbox_pipe { /* the loop's */
    chain all;
    uint64_t id, pid;
    uint64_t heard_ms; /* the last request that the gate passed */
    uint32_t held;     /* requests that are not answered yet */
    gate_peer peer;    /* where there is a gate */
    /* in inbox.guests, while its requests wait for their turn; their bytes */
    chain guest, waiting;
    size_t waiting_bytes;
    /* in inbox.doomed: it is to be cut off, and nothing of it is heard any
     * more */
    chain doomed;
    /* since when; when that was last tried, 0: not yet */
    uint64_t doomed_ms, severed_ms;
} inbox_pipe;

/* What a thread of NNG has to tell the loop. */
typedef enum news_kind {
    NEWS_REQUEST,
    NEWS_PIPE_ADDED,
    NEWS_PIPE_GONE
} news_kind;

typedef struct news {
    news_kind kind;
    slot *slot;
    uint64_t pipe, pid;
} news;

/* Members above `lock` are the loop's; those below it are guarded by it. */
struct inbox {
    nng_socket socket;
    nng_listener listener;
    bool listening;
    uint64_t faults;    /* of the listener, when last looked at */
    uint32_t heal_wait; /* calls of inbox_heal until the next look */
    /* our own connection, while it is not known whether the listener lives;
     * else -1 */
    int probe;
    uint32_t looks;        /* at that question so far */
    uint64_t taken_before; /* `taken` when it was asked */
    char url[256];
    uv_async_t wake;
    inbox_handlers handlers;
    slot **slots; /* the loop's */
    uint32_t count, room;
    chain all_pipes, doomed;
    uint32_t clog_looks;
    uint64_t severed_ms; /* when doomed pipes were last cut off */
    /* connections of others than workers, whose requests wait; they take turns
     */
    chain guests;
    size_t waiting_bytes;
    share share;
    uv_timer_t turn;      /* theirs, where they may not yet */
    table pipes;          /* id -> inbox_pipe */
    pthread_mutex_t lock; /* what stands below */
    news *queue;
    size_t queued, queue_room;
    uint32_t receiving, sending;
    uint64_t taken; /* pipes, ever */
    bool closing;
    /* NNG had not let go of everything when our patience ended; the loop's */
    bool abandoned;
};

/* INDEX_BITS: of a request's handle, the rest is the generation. PROBE_LOOKS:
 * how many heals a probe is waited for. The others are milliseconds and,
 * HELD_MOST, requests. */
enum {
    INDEX_BITS = 24,
    CLOSE_PATIENCE_MS = 2000,
    PROBE_LOOKS = 2,
    SILENT_MS = 60000, /* longer than any request is parked */
    LATELY_MS = 10000,
    /* requests of one connection that wait for their answers; a batch of ours
     * waits for that many runs */
    HELD_MOST = 16384,
    /* bytes of its requests that wait for their turn, and of all such; what a
     * context of NNG takes beside the message's own */
    WAITING_BYTES = 32 << 20,
    WAITING_EACH = 1024,
    ALL_WAITING_BYTES = 256 << 20,
    TURN_MS = 1
};

/* Room for one more, under the lock; false: out of memory. */
static bool inbox_make_room(inbox *in)
{
    if (in->queued < in->queue_room)
        return true;
    size_t room = in->queue_room ? 2 * in->queue_room : 256;
    news *grown = realloc(in->queue, room * sizeof *grown);
    if (!grown)
        return false;
    in->queue = grown;
    in->queue_room = room;
    return true;
}

/* Any thread. False when out of memory. */
static bool inbox_enqueue(inbox *in, news item)
{
    pthread_mutex_lock(&in->lock);
    const bool ok = inbox_make_room(in);
    if (ok)
        in->queue[in->queued++] = item;
    if (ok && item.kind == NEWS_REQUEST)
        in->receiving--;
    if (ok && item.kind == NEWS_PIPE_ADDED)
        in->taken++;
    bool wake = ok && !in->closing;
    pthread_mutex_unlock(&in->lock);
    if (wake)
        uv_async_send(&in->wake);
    return ok;
}

/* Any thread. HANDOVER_GIVE tells the thread sanitizer that the slot is NNG's
 * from here on. */
static void inbox_receive(slot *s)
{
    pthread_mutex_lock(&s->in->lock);
    s->state = SLOT_RECEIVING;
    s->in->receiving++;
    pthread_mutex_unlock(&s->in->lock);
    HANDOVER_GIVE(s);
    nng_ctx_recv(s->ctx, s->aio);
}

/* On a thread of NNG: a receive or a send has ended. The receive of a context
 * starts in its send's completion. */
static void end_aio(slot *s)
{
    int rv = nng_aio_result(s->aio);
    if (s->state == SLOT_SENDING) {
        if (rv)
            nng_msg_free(nng_aio_get_msg(s->aio));
        pthread_mutex_lock(&s->in->lock);
        s->in->sending--;
        bool closing = s->in->closing;
        pthread_mutex_unlock(&s->in->lock);
        if (!closing && rv != NNG_ECLOSED)
            inbox_receive(s);
        return;
    }
    if (rv) {
        pthread_mutex_lock(&s->in->lock);
        s->in->receiving--;
        bool closing = s->in->closing;
        pthread_mutex_unlock(&s->in->lock);
        if (!closing && rv != NNG_ECLOSED && rv != NNG_ECANCELED)
            inbox_receive(s);
        return;
    }
    s->msg = nng_aio_get_msg(s->aio);
    news item = {.kind = NEWS_REQUEST,
                 .slot = s,
                 .pipe = (uint64_t)nng_pipe_id(nng_msg_get_pipe(s->msg))};
    if (inbox_enqueue(s->in, item))
        return;
    /* no memory: as if the message had been lost; it comes again */
    nng_msg_free(s->msg);
    s->msg = NULL;
    pthread_mutex_lock(&s->in->lock);
    s->in->receiving--;
    pthread_mutex_unlock(&s->in->lock);
    inbox_receive(s);
}

/* TAKE and GIVE stand outside, since it returns in many places. */
static void aio_done(void *context)
{
    HANDOVER_TAKE(context);
    end_aio(context);
    HANDOVER_GIVE(context);
}

/* On a thread of NNG. A connection over ipc of another user is closed before
 * its first message is read. */
static void pipe_changed(nng_pipe pipe, nng_pipe_ev event, void *context)
{
    HANDOVER_TAKE(context);
    news item = {.kind = event == NNG_PIPE_EV_ADD_PRE ? NEWS_PIPE_ADDED
                                                      : NEWS_PIPE_GONE,
                 .pipe = (uint64_t)nng_pipe_id(pipe)};
    bool added = event == NNG_PIPE_EV_ADD_PRE;
    if (added && nng_pipe_get_uint64(pipe, NNG_OPT_IPC_PEER_PID, &item.pid))
        item.pid = 0;
    bool taken =
        (!added || dial_peer_is_ours(pipe)) && inbox_enqueue(context, item);
    if (!taken && added)
        nng_pipe_close(pipe);
    HANDOVER_GIVE(context);
}

/* Another context that receives. False: out of memory, or there are as many as
 * may be; then requests wait in NNG. */
static bool add_slot(inbox *in)
{
    if (in->count >= INBOX_CONTEXTS_MAX)
        return false;
    if (in->count == in->room) {
        uint32_t room = in->room ? 2 * in->room : INBOX_RECEIVING;
        slot **grown = realloc(in->slots, room * sizeof *grown);
        if (!grown)
            return false;
        in->slots = grown;
        in->room = room;
    }
    slot *s = calloc(1, sizeof *s);
    if (!s)
        return false;
    s->in = in;
    chain_init(&s->waits);
    s->index = in->count;
    s->generation = 1;
    if (nng_ctx_open(&s->ctx, in->socket)) {
        free(s);
        return false;
    }
    if (nng_aio_alloc(&s->aio, aio_done, s)) {
        nng_ctx_close(s->ctx);
        free(s);
        return false;
    }
    in->slots[in->count++] = s;
    inbox_receive(s);
    return true;
}

/* Never 0, which stands for no request. */
static uint64_t handle_of(const slot *s)
{
    return (uint64_t)s->generation << INDEX_BITS | (s->index + 1);
}

/* NULL: it was answered or dropped. */
static slot *inbox_slot_of(const inbox *in, uint64_t request)
{
    uint64_t index = (request & ((1u << INDEX_BITS) - 1)) - 1;
    if (index >= in->count)
        return NULL;
    slot *s = in->slots[index];
    return s->state == SLOT_HELD && handle_of(s) == request ? s : NULL;
}

/* The request is over: its handle is worth nothing from now on. 0 is no
 * generation, so that no handle is ever 0. */
static void inbox_let_go(slot *s)
{
    s->generation++;
    if (!s->generation)
        s->generation = 1;
}

/* NULL: it is gone. */
static inbox_pipe *inbox_pipe_of(const inbox *in, uint64_t pipe)
{
    return table_get(&in->pipes, pipe);
}

/* ---- who is cut off ---- */

/* The connection is to be ended. Nothing of it is heard any more. */
static void inbox_doom(inbox *in, inbox_pipe *p)
{
    if (!chain_empty(&p->doomed))
        return;
    p->doomed_ms = uv_now(in->wake.loop);
    chain_append(&in->doomed, &p->doomed);
}

/* The peer's address as the system has it. False: it is no TCP connection, or
 * has just ended. */
static bool inbox_address(const inbox_pipe *p, struct sockaddr_storage *ret)
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
static void inbox_sever(inbox *in)
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
        if (inbox_address(p, &peers[count].address))
            count++;
    }
    sever(peers, count);
}

/* Whom the gate wants to be cut off. */
static void inbox_cut(inbox *in)
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

/* Its connection has one request less that waits. */
static void inbox_unhold(const inbox *in, const slot *s)
{
    inbox_pipe *p = in->handlers.gate ? inbox_pipe_of(in, s->pipe) : NULL;
    if (p && p->held)
        p->held--;
}

/* Sends bytes as they are. Takes `msg`. */
static void inbox_send(inbox *in, slot *s, nng_msg *msg)
{
    inbox_unhold(in, s);
    inbox_let_go(s);
    pthread_mutex_lock(&in->lock);
    s->state = SLOT_SENDING;
    in->sending++;
    pthread_mutex_unlock(&in->lock);
    nng_aio_set_msg(s->aio, msg);
    HANDOVER_GIVE(s);
    nng_ctx_send(s->ctx, s->aio);
}

/* What the gate says itself. */
static void inbox_send_gates(inbox *in, slot *s, const gate_heard *heard)
{
    nng_msg *msg;
    int rv = nng_msg_alloc(&msg, 0);
    if (!rv && nng_msg_append(msg, heard->answer, heard->answer_size)) {
        nng_msg_free(msg);
        rv = NNG_ENOMEM;
    }
    if (rv) {
        inbox_drop(in, handle_of(s));
    } else {
        inbox_send(in, s, msg);
    }
}

/* A message over TCP: to the gate, and by its word on. */
static void inbox_pass_gate(inbox *in, slot *s, inbox_pipe *p, nng_msg *msg)
{
    gate_heard heard;
    uint64_t now = uv_now(in->wake.loop);
    if (!chain_empty(&p->doomed)) {
        p->held++;
        inbox_drop(in, handle_of(s));
        return;
    }
    bool holds_too_much = p->held++ >= HELD_MOST;
    gate_word word = gate_hear(in->handlers.gate, &p->peer, now,
                               nng_msg_body(msg), nng_msg_len(msg), &heard);
    if (holds_too_much)
        word = GATE_CUT;
    switch (word) {
    case GATE_PASS:
        p->heard_ms = now;
        in->handlers.request(in->handlers.context, handle_of(s), s->pipe,
                             p->pid, nng_msg_body(msg), heard.size);
        break;
    case GATE_ANSWER: inbox_send_gates(in, s, &heard); break;
    case GATE_DROP: inbox_drop(in, handle_of(s)); break;
    case GATE_CUT:
        inbox_drop(in, handle_of(s));
        inbox_doom(in, p);
        break;
    }
    free(heard.answer);
}

/* To the gate, where the connection has one; else to the shell. */
static void inbox_serve(inbox *in, slot *s, inbox_pipe *p)
{
    nng_msg *msg = s->msg;
    s->msg = NULL;
    if (in->handlers.gate) {
        inbox_pass_gate(in, s, p, msg);
    } else {
        in->handlers.request(in->handlers.context, handle_of(s), s->pipe,
                             p->pid, nng_msg_body(msg), nng_msg_len(msg));
    }
    nng_msg_free(msg);
}

/* It is never handed over: as if it had been lost. */
static void inbox_lose(slot *s)
{
    nng_msg_free(s->msg);
    s->msg = NULL;
    inbox_let_go(s);
    inbox_receive(s);
}

/* ---- the turns of those who are no workers ---- */

/* Whoever has not shown a worker's token. */
static bool inbox_is_guest(const inbox *in, const inbox_pipe *p)
{
    return in->handlers.gate &&
           !(p->peer.let_in && p->peer.role == SEAL_WORKER);
}

static size_t inbox_waiting_size(const slot *s)
{
    return nng_msg_len(s->msg) + WAITING_EACH;
}

/* Behind the requests that its connection sent before. Who fills the memory
 * with such is cut off. */
static void inbox_let_wait(inbox *in, slot *s, inbox_pipe *p)
{
    size_t size = inbox_waiting_size(s);
    bool is_too_much = size > WAITING_BYTES - p->waiting_bytes;
    if (is_too_much)
        inbox_doom(in, p);
    if (is_too_much || size > ALL_WAITING_BYTES - in->waiting_bytes) {
        inbox_lose(s);
        return;
    }
    p->waiting_bytes += size;
    in->waiting_bytes += size;
    chain_append(&p->waiting, &s->waits);
    if (chain_empty(&p->guest))
        chain_append(&in->guests, &p->guest);
}

/* The first that waits of the connection, and out of there. */
static slot *inbox_call_in(inbox *in, inbox_pipe *p)
{
    slot *s = CHAIN_OF(slot, waits, p->waiting.next);
    size_t size = inbox_waiting_size(s);
    p->waiting_bytes -= size;
    in->waiting_bytes -= size;
    chain_remove(&s->waits);
    return s;
}

/* Connections take turns, a request each. */
static void inbox_serve_guest(inbox *in)
{
    inbox_pipe *p = CHAIN_OF(inbox_pipe, guest, in->guests.next);
    slot *s = inbox_call_in(in, p);
    chain_remove(&p->guest);
    if (!chain_empty(&p->waiting))
        chain_append(&in->guests, &p->guest);
    inbox_serve(in, s, p);
}

static void inbox_turn_came(uv_timer_t *timer);

/* For as long as they may; the rest is for a later turn of the loop. */
static void inbox_serve_guests(inbox *in)
{
    if (chain_empty(&in->guests))
        return;
    uint64_t begun = uv_hrtime(), now = begun;
    uint64_t may =
        share_may_take(&in->share, begun, uv_metrics_idle_time(in->wake.loop));
    while (now - begun < may && !chain_empty(&in->guests)) {
        inbox_serve_guest(in);
        now = uv_hrtime();
    }
    share_take(&in->share, now, now - begun);
    if (!chain_empty(&in->guests))
        uv_timer_start(&in->turn, inbox_turn_came, may ? 0 : TURN_MS, 0);
}

static void inbox_turn_came(uv_timer_t *timer)
{
    inbox_serve_guests(timer->data);
}

/* Workers' requests are served as they come. */
static void inbox_hand_over(inbox *in, const news *item)
{
    slot *s = item->slot;
    inbox_pipe *p = inbox_pipe_of(in, item->pipe);
    s->state = SLOT_HELD;
    s->pipe = item->pipe;
    if (!p) {
        inbox_lose(s);
    } else if (inbox_is_guest(in, p)) {
        inbox_let_wait(in, s, p);
    } else {
        if (in->handlers.gate)
            share_note_worker(&in->share, uv_hrtime());
        inbox_serve(in, s, p);
    }
}

/* Without memory for it, its requests are lost. */
static void inbox_pipe_added(inbox *in, const news *item)
{
    inbox_pipe *p = calloc(1, sizeof *p);
    if (!p || !table_put(&in->pipes, item->pipe, p)) {
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
    gate_enter(in->handlers.gate, &p->peer, item->pipe, uv_now(in->wake.loop));
    inbox_cut(in);
}

/* Also at the gate. */
static void inbox_pipe_free(inbox *in, inbox_pipe *p)
{
    if (in->handlers.gate)
        gate_leave(in->handlers.gate, &p->peer);
    chain_remove(&p->all);
    chain_remove(&p->doomed);
    chain_remove(&p->guest);
    free(p);
}

/* The shell learns of it only if it knew of the pipe. */
static void inbox_pipe_removed(inbox *in, uint64_t pipe)
{
    inbox_pipe *p = inbox_pipe_of(in, pipe);
    if (!p)
        return;
    table_remove(&in->pipes, pipe);
    while (!chain_empty(&p->waiting))
        inbox_lose(inbox_call_in(in, p));
    inbox_pipe_free(in, p);
    in->handlers.pipe_gone(in->handlers.context, pipe);
}

/* News of NNG's threads, one after another, in the loop's. */
static void inbox_take(inbox *in, const news *item)
{
    switch (item->kind) {
    case NEWS_REQUEST: inbox_hand_over(in, item); break;
    case NEWS_PIPE_ADDED: inbox_pipe_added(in, item); break;
    case NEWS_PIPE_GONE: inbox_pipe_removed(in, item->pipe); break;
    }
}

/* One wake may stand for many: take all there is. */
static void inbox_woken(uv_async_t *handle)
{
    inbox *in = handle->data;
    pthread_mutex_lock(&in->lock);
    news *queue = in->queue;
    size_t queued = in->queued;
    in->queue = NULL;
    in->queued = in->queue_room = 0;
    pthread_mutex_unlock(&in->lock);
    for (size_t i = 0; i < queued; i++)
        inbox_take(in, &queue[i]);
    free(queue);
    inbox_serve_guests(in);
    pthread_mutex_lock(&in->lock);
    uint32_t receiving = in->receiving;
    pthread_mutex_unlock(&in->lock);
    while (receiving < INBOX_RECEIVING && add_slot(in))
        receiving++;
    inbox_sever(in);
}

/* Puts the seal behind an answer. False: out of memory, or its connection is
 * gone. */
static bool inbox_seal(const inbox *in,
                       const slot *s,
                       const uint8_t *data,
                       size_t size,
                       nng_msg *msg)
{
    uint8_t seal[SEAL_SIZE];
    if (!in->handlers.gate)
        return true;
    const inbox_pipe *p = inbox_pipe_of(in, s->pipe);
    return p && gate_seal(&p->peer, data, size, seal) &&
           !nng_msg_append(msg, seal, sizeof seal);
}

/* Takes the data. An answer that cannot be made drops the request: the peer
 * asks again. */
void inbox_answer(inbox *in, uint64_t request, uint8_t *data, size_t size)
{
    slot *s = inbox_slot_of(in, request);
    nng_msg *msg = NULL;
    bool made =
        s && !nng_msg_alloc(&msg, 0) && !nng_msg_append(msg, data, size);
    made = made && inbox_seal(in, s, data, size, msg);
    free(data);
    if (made) {
        inbox_send(in, s, msg);
        return;
    }
    if (msg)
        nng_msg_free(msg);
    if (s)
        inbox_drop(in, request);
}

/* By the token that it came in with; nobody where there is no gate. */
seal_role inbox_role(const inbox *in, uint64_t request)
{
    const slot *s = inbox_slot_of(in, request);
    const inbox_pipe *p =
        s && in->handlers.gate ? inbox_pipe_of(in, s->pipe) : NULL;
    return p ? p->peer.role : SEAL_NOBODY;
}

/* Connections that say nothing, and those that were doomed before. */
void inbox_tidy(inbox *in)
{
    uint64_t now = uv_now(in->wake.loop);
    if (!in->handlers.gate)
        return;
    inbox_cut(in);
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

/* Without an answer; the peer repeats itself. */
void inbox_drop(inbox *in, uint64_t request)
{
    slot *s = inbox_slot_of(in, request);
    if (!s)
        return;
    inbox_unhold(in, s);
    inbox_let_go(s);
    /* a new receive makes NNG forget the request that was not answered */
    inbox_receive(s);
}

/* Answers that are still on their way. */
uint32_t inbox_sending(inbox *in)
{
    pthread_mutex_lock(&in->lock);
    uint32_t sending = in->sending;
    pthread_mutex_unlock(&in->lock);
    return sending;
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

/* An NNG error; a socket file is its owner's alone. */
static int start_listener(inbox *in)
{
    int rv = dial_listener(in->socket, in->url, in->handlers.certificate,
                           &in->listener);
    if (rv)
        return rv;
    if (!strncmp(in->url, "ipc://", 6))
        rv = nng_listener_set_int(in->listener, NNG_OPT_IPC_PERMISSIONS, 0600);
    if (!rv)
        rv = nng_listener_start(in->listener, 0);
    if (rv)
        nng_listener_close(in->listener);
    in->listening = !rv;
    in->faults = 0;
    return rv;
}

/* How many accepts ended in ways that may have killed the listener. NNG gets
 * over some of these by itself; its statistics do not tell them apart. */
static uint64_t listener_faults(const inbox *in)
{
    nng_stat *all;
    uint64_t faults = 0;
    if (nng_stats_get(&all))
        return in->faults;
    nng_stat *own = nng_stat_find_listener(all, in->listener);
    for (nng_stat *one = own ? nng_stat_child(own) : NULL; one;
         one = nng_stat_next(one)) {
        if (!strcmp(nng_stat_name(one), "other") ||
            !strcmp(nng_stat_name(one), "canceled"))
            faults += nng_stat_value(one);
    }
    nng_stats_free(all);
    return faults;
}

/* Connections that NNG has taken so far. */
static uint64_t inbox_taken(inbox *in)
{
    pthread_mutex_lock(&in->lock);
    uint64_t taken = in->taken;
    pthread_mutex_unlock(&in->lock);
    return taken;
}

/* A connection of our own shows whether the listener still takes any. */
static void inbox_probe_begin(inbox *in)
{
    in->taken_before = inbox_taken(in);
    in->looks = 0;
    in->probe = inbox_probe_open(in->url);
}

/* No more looks at it. */
static void inbox_probe_end(inbox *in)
{
    if (in->probe >= 0)
        close(in->probe);
    in->probe = -1;
    in->looks = PROBE_LOOKS;
}

/* Whether the listener took anybody since the probe was sent: ours, or another.
 * False while that is open as well; *ret_dead says which. */
static bool inbox_probe_answered(inbox *in, bool *ret_dead)
{
    bool lives = inbox_taken(in) != in->taken_before;
    *ret_dead = !lives && ++in->looks >= PROBE_LOOKS;
    if (lives || *ret_dead)
        inbox_probe_end(in);
    return lives;
}

/* NNG 1.5 may stop accepting after an error without a word: a listener that has
 * counted faults and does not take our probe is begun anew. */
void inbox_heal(inbox *in)
{
    /* a look costs with every pipe: the more of them, the rarer */
    enum {
        PIPES_A_LOOK = 64
    };
    bool dead = false, asking = in->looks < PROBE_LOOKS;
    if (asking && inbox_probe_answered(in, &dead))
        return;
    if (asking && !dead)
        return;
    if (in->listening && !dead && in->heal_wait) {
        in->heal_wait--;
        return;
    }
    in->heal_wait = (uint32_t)(in->pipes.live / PIPES_A_LOOK);
    if (in->listening && dial_is_tls(in->url))
        return; /* an accept there is done before the handshake that may fail */
    if (in->listening && !dead) {
        uint64_t faults = listener_faults(in);
        bool same = faults == in->faults;
        in->faults = faults;
        if (!same)
            inbox_probe_begin(in);
        return;
    }
    if (in->listening)
        nng_listener_close(in->listener);
    in->listening = false;
    start_listener(in); /* where it cannot be had, the next call tries again */
}

static etna_code listen_at(inbox *in, const char *url, etna_error *err)
{
    int rv = nng_rep0_open(&in->socket);
    if (rv)
        return etna_fail(err, ETNA_E_NETWORK, "%s: %s", url, nng_strerror(rv));
    strncpy(in->url, url, sizeof in->url - 1);
    rv = nng_socket_set_size(in->socket, NNG_OPT_RECVMAXSZ,
                             MESSAGE_MAX + SEAL_SIZE);
    HANDOVER_GIVE(in);
    if (!rv)
        rv = nng_pipe_notify(in->socket, NNG_PIPE_EV_ADD_PRE, pipe_changed, in);
    if (!rv)
        rv =
            nng_pipe_notify(in->socket, NNG_PIPE_EV_REM_POST, pipe_changed, in);
    if (!rv)
        rv = start_listener(in);
    if (!rv)
        return ETNA_OK;
    if (rv == NNG_EADDRINUSE) {
        return etna_fail(
            err, ETNA_E_NETWORK,
            "%s: the address is in use; choose another, or stop who listens there",
            url);
    }
    return etna_fail(err, ETNA_E_NETWORK, "%s: cannot listen: %s", url,
                     nng_strerror(rv));
}

/* *ret_inbox is the caller's to close. */
etna_code inbox_open(uv_loop_t *loop,
                     const char *url,
                     const inbox_handlers *handlers,
                     inbox **ret_inbox,
                     etna_error *err)
{
    bool is_ipc = strncmp(url, "ipc://", 6) == 0;
    if ((!is_ipc && !handlers->gate) ||
        dial_is_tls(url) != (handlers->certificate != NULL))
        return etna_fail(
            err, ETNA_E_INTERNAL,
            "%s: nobody listens on TCP without tokens, and on TLS without a certificate",
            url);
    inbox *in = calloc(1, sizeof *in);
    if (!in)
        return etna_fail(err, ETNA_E_NOMEM, "%s: out of memory listening", url);
    in->handlers = *handlers;
    in->probe = -1;
    in->looks = PROBE_LOOKS;
    chain_init(&in->all_pipes);
    chain_init(&in->doomed);
    chain_init(&in->guests);
    pthread_mutex_init(&in->lock, NULL);
    in->wake.data = in;
    if (uv_async_init(loop, &in->wake, inbox_woken)) {
        pthread_mutex_destroy(&in->lock);
        free(in);
        return etna_fail(err, ETNA_E_IO,
                         "%s: the event loop takes no more handles", url);
    }
    in->turn.data = in;
    uv_timer_init(loop, &in->turn);
    uv_loop_configure(loop, UV_METRICS_IDLE_TIME);
    etna_code code = listen_at(in, url, err);
    while (!code && in->count < INBOX_RECEIVING) {
        if (!add_slot(in))
            code = etna_fail(err, ETNA_E_NOMEM, "%s: out of memory listening",
                             url);
    }
    if (code) {
        inbox_close(in);
        return code;
    }
    *ret_inbox = in;
    return ETNA_OK;
}

/* Where NNG could not be stopped in time, its memory is left to it. */
static void inbox_closed(uv_handle_t *handle)
{
    inbox *in = handle->data;
    while (!chain_empty(&in->all_pipes)) {
        inbox_pipe *p = CHAIN_OF(inbox_pipe, all, in->all_pipes.next);
        while (!chain_empty(&p->waiting))
            nng_msg_free(inbox_call_in(in, p)->msg);
        inbox_pipe_free(in, p);
    }
    if (in->abandoned)
        return; /* NNG still holds it */
    HANDOVER_TAKE(in);
    for (size_t i = 0; i < in->queued; i++) {
        if (in->queue[i].kind == NEWS_REQUEST)
            nng_msg_free(in->queue[i].slot->msg);
    }
    for (uint32_t i = 0; i < in->count; i++) {
        HANDOVER_TAKE(in->slots[i]);
        free(in->slots[i]);
    }
    free(in->slots);
    free(in->queue);
    table_free(&in->pipes);
    pthread_mutex_destroy(&in->lock);
    free(in);
}

static void inbox_turn_closed(uv_handle_t *handle)
{
    inbox *in = handle->data;
    uv_close((uv_handle_t *)&in->wake, inbox_closed);
}

/* On a thread of its own, since it may never return. */
static void inbox_close_socket(void *context)
{
    inbox *in = context;
    for (uint32_t i = 0; i < in->count; i++)
        nng_aio_stop(in->slots[i]->aio); /* and its callback is through */
    nng_close(in->socket);
    for (uint32_t i = 0; i < in->count; i++)
        nng_aio_free(in->slots[i]->aio);
    HANDOVER_TAKE(in);
}

/* NNG 1.5 frees a socket under a thread that still uses it, and may wait for
 * ever when it closes one: a pipe that is closed while the head of a message
 * waits for its callback is never let go (its issues 1543 and 1813). So every
 * aio is stopped first, and a close that is not back in time is left to the end
 * of the process, together with what it holds. */
void inbox_close(inbox *in)
{
    if (!in)
        return;
    pthread_mutex_lock(&in->lock);
    in->closing = true;
    pthread_mutex_unlock(&in->lock);
    inbox_probe_end(in);
    in->abandoned =
        !run_with_timeout(CLOSE_PATIENCE_MS, inbox_close_socket, in);
    uv_close((uv_handle_t *)&in->turn, inbox_turn_closed);
}
