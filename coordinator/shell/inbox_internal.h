/* What the files of the inbox share. Nobody else includes this.
 *
 *   inbox.c          requests on their way to the shell, and answers back
 *   inbox_slots.c    what NNG's own threads do
 *   inbox_pipes.c    the connections, and which of them are cut off
 *   inbox_listener.c how the listener is begun, and begun anew
 *
 * All of it but inbox_slots.c's callbacks runs on the loop's thread. */
#ifndef ETNA_COORDINATOR_SHELL_INBOX_INTERNAL_H
#define ETNA_COORDINATOR_SHELL_INBOX_INTERNAL_H

#include "coordinator/shell/gate.h"
#include "coordinator/shell/inbox.h"
#include "coordinator/shell/share.h"
#include "proto/table.h"

#include <nng/nng.h>
#include <pthread.h>
#include <uv.h>

typedef enum slot_state {
    SLOT_RECEIVING,
    SLOT_HELD,
    SLOT_SENDING
} slot_state;

/* Answers to a connection that have not left yet: they wait in NNG for a peer
 * that does not read. Guarded by the inbox's lock. */
typedef struct unread {
    size_t bytes;     /* of them, each with what its context takes */
    uint64_t left_ns; /* when one left last, or the first of these was made */
    uint32_t holders; /* the connection, and every context that sends to it */
} unread;

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
    /* of the connection that it sends to, and what it added there; guarded by
     * the inbox's lock */
    unread *unread;
    size_t unread_bytes;
    chain waits; /* in its pipe's `waiting`; the loop's */
} slot;

typedef struct inbox_pipe { /* the loop's */
    chain all;
    uint64_t id, pid;
    uint64_t heard_ms; /* the last request that the gate passed */
    uint32_t held;     /* requests that are not answered yet */
    unread *unread;    /* answers that have not left */
    gate_peer peer;    /* where there is a gate */
    /* in inbox.guests or .newcomers, while its requests wait for their turn;
     * their bytes */
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
    /* ipc: the socket file that the listener made; 0 where it is none */
    uint64_t file_device, file_inode;
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
    chain guests, newcomers; /* who has shown a token, and who has not yet */
    bool newcomer_is_next;
    size_t waiting_bytes;
    share share;
    bool serves_guests;   /* they are being served right now */
    uv_timer_t turn;      /* theirs, where they may not yet */
    table pipes;          /* id -> inbox_pipe */
    pthread_mutex_t lock; /* what stands below */
    news *queue;
    size_t queued, queue_room;
    uint32_t receiving, sending;
    size_t unread_bytes; /* of all connections */
    uint64_t taken;      /* pipes, ever */
    bool closing;
    /* NNG had not let go of everything when our patience ended; the loop's */
    bool abandoned;
};

/* ---- contexts: inbox_slots.c ---- */
/* Receives on the context again. Any thread. */
void slot_receive(slot *s);
/* Another context that receives. False: out of memory, or there are as many as
 * may be; then requests wait in NNG. */
bool inbox_add_slot(inbox *in);
/* Names the request that the context holds; never 0, which stands for none. */
uint64_t slot_handle(const slot *s);
/* The context that holds the request. NULL: it was answered or dropped. */
slot *inbox_slot_of(const inbox *in, uint64_t request);
/* The request is over: its handle is worth nothing from now on. */
void slot_let_go(slot *s);
/* The request is never handed over: as if it had been lost. */
void slot_lose(slot *s);
/* For nng_pipe_notify; `context` is the inbox. On a thread of NNG. */
void inbox_pipe_changed(nng_pipe pipe, nng_pipe_ev event, void *context);

/* ---- connections: inbox_pipes.c ---- */
/* NULL: it is gone. */
inbox_pipe *inbox_pipe_of(const inbox *in, uint64_t pipe);
/* Without memory for it, its requests are lost. */
void inbox_pipe_added(inbox *in, const news *item);
/* Takes it out of every list, and from the gate; not out of in->pipes. */
void inbox_pipe_free(inbox *in, inbox_pipe *p);
/* Answers of so many bytes are now on their way by the context, or have left.
 * Under the lock. */
void unread_add(inbox *in, slot *s, unread *of, size_t bytes);
void unread_left(inbox *in, slot *s);
/* A holder lets go. Under the lock. */
void unread_release(unread *u);
/* The connection is to be ended. Nothing of it is heard any more. */
void inbox_doom(inbox *in, inbox_pipe *p);
/* Ends some of those that are doomed. */
void inbox_sever(inbox *in);

/* ---- the listener: inbox_listener.c ---- */
/* Opens the socket and listens. ETNA_E_NETWORK. */
etna_code inbox_listen(inbox *in, const char *url, etna_error *err);
/* Takes the socket file away, unless another's stands in its place. */
void inbox_listener_leave(inbox *in);
/* No probe is under way, and none is looked at. */
void inbox_probe_end(inbox *in);

#endif
