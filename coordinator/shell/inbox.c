/* See inbox.h. A request's handle is its context's index and a generation, so
 * that a late answer cannot hit the request that came after it. A pipe is known
 * from before its first message (ADD_PRE) until it is removed; a message that
 * NNG hands over after that is dropped, since nobody could receive its answer.
 *
 * NNG calls back on threads of its own: these only put news into a queue and
 * wake the loop (inbox_woken), which takes them one by one (inbox_take), so
 * that everything else runs on the loop's thread and needs no lock. Over TCP
 * each connection has to introduce itself first; that is gate.h's, which every
 * message of such a connection passes. What NNG 1.5 does not do by itself is
 * done here: it lets listeners stop accepting (inbox_listener.c), keeps
 * connections that are gone (inbox_pipes.c) and cannot close some sockets
 * (inbox_close). */
#include "coordinator/shell/inbox_internal.h"
#include "proto/dial/dial.h"
#include "proto/run_with_timeout.h"
#include "proto/tsan.h"

#include <stdlib.h>
#include <string.h>

enum {
    CLOSE_PATIENCE_MS = 2000,
    /* requests of one connection that wait for their answers; a batch of ours
     * waits for that many runs */
    HELD_MOST = 16384,
    /* bytes of its requests that wait for their turn, and of all such; what a
     * context of NNG takes beside a message's own */
    WAITING_BYTES = 32 << 20,
    CONTEXT_BYTES = 1024,
    ALL_WAITING_BYTES = 256 << 20,
    /* bytes of answers that a connection has not read; of all such, and what
     * each may have of these then; and how long it may read nothing at all */
    UNREAD_BYTES = 32 << 20,
    ALL_UNREAD_BYTES = 256 << 20,
    UNREAD_FAIR_BYTES = 4 << 20,
    DEAF_MS = 10000,
    TURN_MS = 1
};

/* Its connection has one request less that waits. */
static void inbox_unhold(const inbox *in, const slot *s)
{
    inbox_pipe *p = in->handlers.gate ? inbox_pipe_of(in, s->pipe) : NULL;
    if (p && p->held)
        p->held--;
}

/* Has it so much unread that it gets no more answers for now? Under the lock. */
static bool unread_is_full(const inbox *in, const unread *u)
{
    const bool all = in->unread_bytes > ALL_UNREAD_BYTES;
    return u->bytes > (all ? UNREAD_FAIR_BYTES : UNREAD_BYTES);
}

/* Would an answer find no room? Then there is no need to make one. */
static bool inbox_is_full(inbox *in, inbox_pipe *p)
{
    const uint64_t ms = 1000000; /* nanoseconds */
    pthread_mutex_lock(&in->lock);
    const bool is_full = unread_is_full(in, p->unread);
    const bool is_deaf =
        is_full && uv_hrtime() - p->unread->left_ns > DEAF_MS * ms;
    pthread_mutex_unlock(&in->lock);
    if (is_deaf)
        inbox_doom(in, p);
    return is_full;
}

/* Counts an answer as unread until it has left. False: its connection has too
 * much unread, and gets none. A slow one asks again; one that reads nothing is
 * cut off. */
static bool inbox_count_unread(inbox *in, slot *s, size_t size)
{
    inbox_pipe *p = inbox_pipe_of(in, s->pipe);
    if (p && in->handlers.gate && inbox_is_full(in, p))
        return false;
    pthread_mutex_lock(&in->lock);
    s->state = SLOT_SENDING;
    in->sending++;
    if (p)
        unread_add(in, s, p->unread, size + CONTEXT_BYTES);
    pthread_mutex_unlock(&in->lock);
    return true;
}

/* Sends bytes as they are. Takes `msg`. */
static void inbox_send(inbox *in, slot *s, nng_msg *msg)
{
    if (!inbox_count_unread(in, s, nng_msg_len(msg))) {
        nng_msg_free(msg);
        inbox_drop(in, slot_handle(s));
        return;
    }
    inbox_unhold(in, s);
    slot_let_go(s);
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
        inbox_drop(in, slot_handle(s));
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
        inbox_drop(in, slot_handle(s));
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
        if (inbox_is_full(in, p)) {
            inbox_drop(in, slot_handle(s));
            break;
        }
        in->handlers.request(in->handlers.context, slot_handle(s), s->pipe,
                             p->pid, nng_msg_body(msg), heard.size);
        break;
    case GATE_ANSWER: inbox_send_gates(in, s, &heard); break;
    case GATE_DROP: inbox_drop(in, slot_handle(s)); break;
    case GATE_CUT:
        inbox_drop(in, slot_handle(s));
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
        in->handlers.request(in->handlers.context, slot_handle(s), s->pipe,
                             p->pid, nng_msg_body(msg), nng_msg_len(msg));
    }
    nng_msg_free(msg);
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
    return nng_msg_len(s->msg) + CONTEXT_BYTES;
}

/* Where it waits. Who has proven nothing yet may be a worker: those that have
 * proven to be none do not come before it one after the other. */
static chain *inbox_queue(inbox *in, const inbox_pipe *p)
{
    return p->peer.let_in ? &in->guests : &in->newcomers;
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
        slot_lose(s);
        return;
    }
    p->waiting_bytes += size;
    in->waiting_bytes += size;
    chain_append(&p->waiting, &s->waits);
    if (chain_empty(&p->guest))
        chain_append(inbox_queue(in, p), &p->guest);
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

static bool inbox_has_guests(const inbox *in)
{
    return !chain_empty(&in->guests) || !chain_empty(&in->newcomers);
}

/* A newcomer and one of the others by turns, where there are both. */
static inbox_pipe *inbox_next_guest(inbox *in)
{
    bool is_new = in->newcomer_is_next ? !chain_empty(&in->newcomers)
                                       : chain_empty(&in->guests);
    const chain *queue = is_new ? &in->newcomers : &in->guests;
    in->newcomer_is_next = !is_new;
    return CHAIN_OF(inbox_pipe, guest, queue->next);
}

/* Connections take turns, a request each. */
static void inbox_serve_guest(inbox *in)
{
    inbox_pipe *p = inbox_next_guest(in);
    slot *s = inbox_call_in(in, p);
    chain_remove(&p->guest);
    inbox_serve(in, s, p);
    if (!chain_empty(&p->waiting))
        chain_append(inbox_queue(in, p), &p->guest);
}

static void inbox_turn_came(uv_timer_t *timer);

/* For as long as they may; the rest is for a later turn of the loop. */
static void inbox_serve_guests(inbox *in)
{
    if (!inbox_has_guests(in))
        return;
    uint64_t begun = uv_hrtime();
    uint64_t now = begun;
    uint64_t may =
        share_may_take(&in->share, begun, uv_metrics_idle_time(in->wake.loop));
    in->serves_guests = true;
    while (now - begun < may && inbox_has_guests(in)) {
        inbox_serve_guest(in);
        now = uv_hrtime();
    }
    in->serves_guests = false;
    share_take(&in->share, now, now - begun);
    if (!inbox_has_guests(in))
        return;
    /* libuv 1.44 runs a timer that is due at once again and again before it
     * looks what has come meanwhile */
    if (may) {
        uv_async_send(&in->wake);
    } else {
        uv_timer_start(&in->turn, inbox_turn_came, TURN_MS, 0);
    }
}

static void inbox_turn_came(uv_timer_t *timer)
{
    inbox_serve_guests(timer->data);
}

void inbox_charge_guests(inbox *in, uint64_t took_ns)
{
    if (!in->serves_guests) /* else it is counted with all that they take */
        share_take(&in->share, uv_hrtime(), took_ns);
}

/* Workers' requests are served as they come. */
static void inbox_hand_over(inbox *in, const news *item)
{
    slot *s = item->slot;
    inbox_pipe *p = inbox_pipe_of(in, item->pipe);
    s->state = SLOT_HELD;
    s->pipe = item->pipe;
    if (!p) {
        slot_lose(s);
    } else if (inbox_is_guest(in, p)) {
        inbox_let_wait(in, s, p);
    } else {
        if (in->handlers.gate)
            share_note_worker(&in->share, uv_hrtime());
        inbox_serve(in, s, p);
    }
}

/* The shell learns of it only if it knew of the pipe. */
static void inbox_pipe_removed(inbox *in, uint64_t pipe)
{
    inbox_pipe *p = inbox_pipe_of(in, pipe);
    if (!p)
        return;
    table_remove(&in->pipes, pipe);
    while (!chain_empty(&p->waiting))
        slot_lose(inbox_call_in(in, p));
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
    while (receiving < INBOX_RECEIVING && inbox_add_slot(in))
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

/* Without an answer; the peer repeats itself. */
void inbox_drop(inbox *in, uint64_t request)
{
    slot *s = inbox_slot_of(in, request);
    if (!s)
        return;
    inbox_unhold(in, s);
    slot_let_go(s);
    /* a new receive makes NNG forget the request that was not answered */
    slot_receive(s);
}

/* Answers that are still on their way. */
uint32_t inbox_sending(inbox *in)
{
    pthread_mutex_lock(&in->lock);
    uint32_t sending = in->sending;
    pthread_mutex_unlock(&in->lock);
    return sending;
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
    inbox_probe_end(in);
    chain_init(&in->all_pipes);
    chain_init(&in->doomed);
    chain_init(&in->guests);
    chain_init(&in->newcomers);
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
    etna_code code = inbox_listen(in, url, err);
    while (!code && in->count < INBOX_RECEIVING) {
        if (!inbox_add_slot(in))
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
    inbox_listener_leave(in);
    in->abandoned =
        !run_with_timeout(CLOSE_PATIENCE_MS, inbox_close_socket, in);
    uv_close((uv_handle_t *)&in->turn, inbox_turn_closed);
}
