/* The one listening socket: NNG REP with many contexts, so that requests can be
 * parked. NNG calls back on threads of its own; these only put what came on a
 * locked queue and wake the loop. All else, every handler included, is the
 * loop's.
 *
 * Life of a context:  RECEIVING ──> HELD (a request waits for its answer) ──> SENDING ──> RECEIVING ...
 *                                     └────────── inbox_drop ──────────────────────────────^
 *
 * INBOX_RECEIVING contexts are receiving at any time: for each that is held
 * another one is opened. */
#ifndef ETNA_COORDINATOR_SHELL_INBOX_H
#define ETNA_COORDINATOR_SHELL_INBOX_H

#include "coordinator/shell/gate.h"
#include "proto/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

/* contexts that are receiving; contexts at all, thus requests that are
 * parked */
enum {
    INBOX_RECEIVING = 64,
    INBOX_CONTEXTS_MAX = 1 << 20
};

typedef struct inbox inbox;

/* Called on the loop. Copied by inbox_open(). */
typedef struct inbox_handlers {
    void *context;
    /* A request came; `data` is borrowed for the call. It waits for an answer
     * until inbox_answer() or inbox_drop(). `pid`: of the peer, where the
     * transport tells (ipc), else 0. */
    void (*request)(void *context,
                    uint64_t request,
                    uint64_t pipe,
                    uint64_t pid,
                    const uint8_t *data,
                    size_t size);
    /* A connection has ended; no request of it comes after this. */
    void (*pipe_gone)(void *context, uint64_t pipe);
    /* Borrowed. What it does not pass is no request, and answers get its seals.
     * NULL: over ipc, where only processes of our own user (and root) are let
     * in. */
    gate *gate;
    /* for TLS, as dial_listener has it; borrowed. NULL: it is not TLS */
    const char *certificate;
} inbox_handlers;

/* Listens at `url` (address.h's `listen`) from now on; requests come once the
 * loop runs. ETNA_E_NETWORK: the address is in use or cannot be had;
 * ETNA_E_INTERNAL: TCP without a gate, or TLS without a certificate;
 * ETNA_E_NOMEM, ETNA_E_IO. */
etna_code inbox_open(uv_loop_t *loop,
                     const char *url,
                     const inbox_handlers *handlers,
                     inbox **ret_inbox,
                     etna_error *err);
/* Answers in the background. Takes `data` (malloc'd) in every case. A request
 * that is unknown, as its connection ended or it was dropped, is ignored. */
void inbox_answer(inbox *in, uint64_t request, uint8_t *data, size_t size);
/* Forgets a request without an answer; its sender repeats it. Unknown:
 * ignored. */
void inbox_drop(inbox *in, uint64_t request);
/* By whose token a request came that is not answered yet; SEAL_NOBODY: no token
 * is wanted here (ipc). */
seal_role inbox_role(const inbox *in, uint64_t request);
/* So long was spent until now on what others than workers asked for, though not
 * while their requests were served: on a commit. They get so much less. */
void inbox_charge_guests(inbox *in, uint64_t took_ns);
/* About once a second. NNG 1.5 may stop accepting for good when a peer goes
 * away in the middle of its first handshake (over ipc; a worker killed just
 * then). The listener's statistics tell of a fault, a connection of our own
 * whether it still takes any: only one that does not is opened anew, which ends
 * every connection, and peers reconnect. Never where another's socket file has
 * taken the place of ours. */
void inbox_heal(inbox *in);
/* About once a second: cuts off whom the gate wants to be cut off, and over TCP
 * connections on which nothing waits and nothing was said for a minute: their
 * peers are dead, or come back when they need us. */
void inbox_tidy(inbox *in);
/* About once a second. True: connections that have ended keep their
 * descriptors, so many that soon nobody can be let in: a peer that went away at
 * a bad moment has stopped the one thread of NNG 1.5 that frees them, for good.
 * Only a new process helps. */
bool inbox_is_clogged(inbox *in);
/* Answers that are not handed to the system yet: before closing, wait a moment
 * for 0. */
uint32_t inbox_sending(inbox *in);
/* How many connections there are; over TLS how many were heard of lately, as
 * NNG 1.5 may not notice there that one has ended. */
size_t inbox_pipes(const inbox *in);
/* Closes the socket; memory is freed once the loop has run on. NULL is fine. */
void inbox_close(inbox *in);

#endif
