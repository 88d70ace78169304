/* What runs on threads of NNG: a context's receive or send has ended, a
 * connection has come or gone. Each only puts news into the queue and wakes the
 * loop (see inbox.c). */
#include "coordinator/shell/inbox_internal.h"
#include "proto/dial/dial.h"
#include "proto/tsan.h"

#include <stdlib.h>

/* bits of a request's handle that are the context's index; the rest is the
 * generation */
enum {
    INDEX_BITS = 24
};

/* Room for one more, under the lock; false: out of memory. */
static bool news_make_room(inbox *in)
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
static bool news_put(inbox *in, news item)
{
    pthread_mutex_lock(&in->lock);
    const bool ok = news_make_room(in);
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

/* HANDOVER_GIVE tells the thread sanitizer that the slot is NNG's from here
 * on. */
void slot_receive(slot *s)
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
static void slot_end_aio(slot *s)
{
    int rv = nng_aio_result(s->aio);
    if (s->state == SLOT_SENDING) {
        if (rv)
            nng_msg_free(nng_aio_get_msg(s->aio));
        pthread_mutex_lock(&s->in->lock);
        s->in->sending--;
        unread_left(s->in, s);
        bool closing = s->in->closing;
        pthread_mutex_unlock(&s->in->lock);
        if (!closing && rv != NNG_ECLOSED)
            slot_receive(s);
        return;
    }
    if (rv) {
        pthread_mutex_lock(&s->in->lock);
        s->in->receiving--;
        bool closing = s->in->closing;
        pthread_mutex_unlock(&s->in->lock);
        if (!closing && rv != NNG_ECLOSED && rv != NNG_ECANCELED)
            slot_receive(s);
        return;
    }
    s->msg = nng_aio_get_msg(s->aio);
    news item = {.kind = NEWS_REQUEST,
                 .slot = s,
                 .pipe = (uint64_t)nng_pipe_id(nng_msg_get_pipe(s->msg))};
    if (news_put(s->in, item))
        return;
    /* no memory: as if the message had been lost; it comes again */
    nng_msg_free(s->msg);
    s->msg = NULL;
    pthread_mutex_lock(&s->in->lock);
    s->in->receiving--;
    pthread_mutex_unlock(&s->in->lock);
    slot_receive(s);
}

/* TAKE and GIVE stand outside, since it returns in many places. */
static void slot_aio_done(void *context)
{
    HANDOVER_TAKE(context);
    slot_end_aio(context);
    HANDOVER_GIVE(context);
}

/* A connection over ipc of another user is closed before
 * its first message is read. */
void inbox_pipe_changed(nng_pipe pipe, nng_pipe_ev event, void *context)
{
    HANDOVER_TAKE(context);
    news item = {.kind = event == NNG_PIPE_EV_ADD_PRE ? NEWS_PIPE_ADDED
                                                      : NEWS_PIPE_GONE,
                 .pipe = (uint64_t)nng_pipe_id(pipe)};
    bool added = event == NNG_PIPE_EV_ADD_PRE;
    if (added && nng_pipe_get_uint64(pipe, NNG_OPT_IPC_PEER_PID, &item.pid))
        item.pid = 0;
    bool taken = (!added || dial_peer_is_ours(pipe)) && news_put(context, item);
    if (!taken && added)
        nng_pipe_close(pipe);
    HANDOVER_GIVE(context);
}

bool inbox_add_slot(inbox *in)
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
    if (nng_aio_alloc(&s->aio, slot_aio_done, s)) {
        nng_ctx_close(s->ctx);
        free(s);
        return false;
    }
    in->slots[in->count++] = s;
    slot_receive(s);
    return true;
}

uint64_t slot_handle(const slot *s)
{
    return (uint64_t)s->generation << INDEX_BITS | (s->index + 1);
}

slot *inbox_slot_of(const inbox *in, uint64_t request)
{
    uint64_t index = (request & ((1u << INDEX_BITS) - 1)) - 1;
    if (index >= in->count)
        return NULL;
    slot *s = in->slots[index];
    return s->state == SLOT_HELD && slot_handle(s) == request ? s : NULL;
}

/* 0 is no generation, so that no handle is ever 0. */
void slot_let_go(slot *s)
{
    s->generation++;
    if (!s->generation)
        s->generation = 1;
}

void slot_lose(slot *s)
{
    nng_msg_free(s->msg);
    s->msg = NULL;
    slot_let_go(s);
    slot_receive(s);
}
