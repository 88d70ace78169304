/* The worker's side of the protocol as a pure step function: no clock (time_ms
 * is in each event), no I/O, no NNG, no randomness but a function of the
 * sender's id. The shell (worker/shell) and the simulator (tests/sim) feed it
 * events and do what the outputs say. What it decides:
 *
 *   - results that end together leave in one message (`more`), and what ends
 *     while one is under way goes with the next;
 *   - such a message asks for as many tasks as slots are free, and its answer
 *     brings them: one exchange a task, or less. A lease request is outstanding
 *     only while a slot is free for which nobody has asked; exactly one orders
 *     request always is: the heartbeat;
 *   - results that are refused together are sent one by one; a task that comes
 *     after a drain is handed back;
 *   - a job that waits for a model elsewhere computes nothing: it takes none of
 *     `slots`, only one of `jobs_most`;
 *   - each request keeps its sequence until it is answered; an unanswered one
 *     is sent again by the link's own timer;
 *   - blobs go and come in MESSAGE_CHUNK pieces, one piece of a job at a time;
 *   - a CALL_GO that comes MESSAGE_GO_MS or more after its call_begin was first
 *     sent is thrown away and asked for anew (coordinator/core/core.h,
 *     "Fence");
 *   - orders are answered every 10 s, so 30 s without any answer are a
 *     connection that only seems to be one;
 *   - answers of a lower epoch are dropped; a higher epoch means that the
 *     coordinator was restarted: everything outstanding is sent again at once,
 *     under its old sequence;
 *   - a task that is leased to us while we hold it (a restarted coordinator
 *     counts attempts afresh) is not started twice;
 *   - after a drain no lease is asked for, and when nothing is held any more,
 *     LINK_OUT_EXIT; no later than a minute after the coordinator went away,
 *     too;
 *   - an orders request names all that is held, so after cancels, which come
 *     one by one, the next one waits a ms for every 64 jobs. No other step
 *     looks at all jobs, but when a pipe is lost or an epoch begins: thousands
 *     may be held.
 *
 *            LINK_OUT_START             LINK_JOB_DONE                     result_ack, leases
 *   (none) ----------------> RUNNING --------------------> RESULT_PENDING ----------> (gone)
 *                               | orders: cancel                |  orders: cancel, before it is sent
 *                               v LINK_OUT_CANCEL               v
 *                            CANCELLED ------------> (gone)   (gone)
 *                                  LINK_JOB_GONE or LINK_JOB_DONE
 *
 * A slot is taken while a job is RUNNING or CANCELLED and does not wait for a
 * model elsewhere; orders requests name what is RUNNING or RESULT_PENDING. A
 * job has at most one want (blob, keep, call begin, call fail, call end)
 * outstanding. A lease may arrive after a cancel that was meant for it; the
 * orders request then names it, and the coordinator cancels it again. */
#ifndef ETNA_WORKER_LINK_LINK_H
#define ETNA_WORKER_LINK_LINK_H

#include "proto/error.h"
#include "proto/message.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct worker_link worker_link;

/* Who is told to end while the coordinator is away waits so long for it, and
 * then leaves what it holds behind: leases end, and others do it. */
enum {
    LINK_SILENT_MS = 30000,
    LINK_ALONE_MS = 60000
};

typedef struct link_config {
    uint32_t cookie; /* link_config_default() sets it */
    uint64_t sender; /* random, not 0 */
    uint64_t incarnation;
    /* most jobs that compute at once, 1..MESSAGE_ORDERS_MAX / 2 */
    uint32_t slots;
    /* most jobs at once, with those that wait for a model elsewhere;
     * slots..MESSAGE_ORDERS_MAX / 2; 0: slots */
    uint32_t jobs_most;
    uint32_t cpus;     /* told to the coordinator */
    const char *build; /* program version; borrowed for the link's life */
    uint64_t blob_max; /* a blob above is refused (ETNA_E_LIMIT); 2 GiB */
    /* of the incarnation before, told before anything is asked for; incarnation
     * 0: none */
    message_death death;
} link_config;
link_config link_config_default(void);

typedef enum link_event_kind {
    /* once, first: sends the first orders and lease requests */
    LINK_START = 1,
    /* time passed; due at link_next_deadline(), harmless at any time */
    LINK_TICK,
    LINK_RECEIVED, /* `message` came as the answer to `request` */
    /* `request` could not be sent, or its pipe is gone; 0: so are all
     * outstanding requests */
    LINK_LOST,
    /* `job` ended: `code`, `text`, or `data`, `size`: its packed result;
     * `cpu_us`: what processors worked for it. Copied. Frees its slot */
    LINK_JOB_DONE,
    /* `job`, cancelled before, is freed. Frees its slot. `unbilled`: its call
     * at `slot` was begun and never sent whole, which the coordinator is told
     * first */
    LINK_JOB_GONE,
    LINK_BLOB_GET, /* `job` wants the blob `hash` */
    /* `job` wants `data`, `size` with `hash` kept; borrowed until the want is
     * answered or cancelled */
    LINK_BLOB_KEEP,
    /* `job` wants to call `model` (borrowed likewise; `elsewhere`: over the
     * network) at `slot` with `hash` of the request, estimate `usage` */
    LINK_CALL_BEGIN,
    /* `job`: the call that GO allowed brought no reply: `fail` (its texts
     * borrowed likewise); answered by LINK_OUT_CALL */
    LINK_CALL_FAIL,
    /* `job`: the call's reply has the blob `reply`, kept before, and cost
     * `usage` */
    LINK_CALL_END,
    /* `warm`, `warm_count`: scenes held in memory, latest used first. Copied,
     * at most MESSAGE_WARM_MAX */
    LINK_WARM,
    LINK_STOP, /* drain: as if ordered */
    /* LINK_STOP, and every task that is held is handed back at once: others are
     * to do it */
    LINK_LEAVE
} link_event_kind;

typedef struct link_event {
    link_event_kind kind;
    uint64_t time_ms; /* monotonic */
    uint64_t request; /* RECEIVED, LOST */
    const message *message;
    /* JOB_* and wants: as LINK_OUT_START named it. Events of a job that is no
     * longer RUNNING are ignored */
    uint64_t job;
    etna_code code;
    const char *text;
    const uint8_t *data;
    size_t size;
    uint64_t cpu_us;
    etna_hash hash, reply;
    etna_slot slot;
    message_usage usage;
    /* CALL_END: as message_call_end's */
    uint32_t images_left_out, texts_left_out;
    const char *model;
    bool elsewhere, unbilled;
    message_call_fail fail; /* its ref and slot are filled in here */
    const etna_hash *warm;
    uint32_t warm_count;
    /* another event follows at once: results that end together leave
     * together */
    bool more;
} link_event;

typedef enum link_output_kind {
    /* send `message` as `request`; if that is outstanding already, send it
     * again in its place */
    LINK_OUT_SEND = 1,
    /* `request` is not wanted any more: forget it; its answer would be
     * ignored */
    LINK_OUT_DROP,
    LINK_OUT_START, /* start a job named `job` for `lease` */
    /* stop `job` and free it when it can be; then LINK_JOB_GONE. Its want will
     * not be answered */
    LINK_OUT_CANCEL,
    /* `chunk` of the blob that `job` wants, in order; the last when offset +
     * size == total. The shell checks the hash of the whole */
    LINK_OUT_BLOB,
    LINK_OUT_KEPT, /* what `job` wanted kept is whole and durable */
    /* `call`: CALL_STORED, CALL_GO or CALL_STOP (CALL_WAIT is waited for in
     * here, unless it names another model); after a CALL_FAIL, CALL_STOP or
     * CALL_WAIT. A CALL_WAIT that comes out is for the job to wait before it
     * begins anew, of the model that it names */
    LINK_OUT_CALL,
    /* the call's end is durable: now the job may act on the reply */
    LINK_OUT_ENDED,
    LINK_OUT_FAILED, /* what `job` wanted cannot be had: `code`, `text` */
    LINK_OUT_AWAY,   /* the coordinator cannot be reached (once until BACK) */
    LINK_OUT_BACK,   /* it answered again, after AWAY */
    /* nothing was heard for LINK_SILENT_MS: the connection is only half there.
     * Close it, dial anew */
    LINK_OUT_REDIAL,
    /* it refuses our lease or orders requests: `code`, `text`. Asked again
     * after a while */
    LINK_OUT_REFUSED,
    /* drained and nothing held, or alone for LINK_ALONE_MS. The last output
     * ever */
    LINK_OUT_EXIT
} link_output_kind;

typedef struct link_output {
    link_output_kind kind;
    uint64_t request;
    uint64_t job;
    const message *message;
    const message_lease *lease;
    const message_blob_chunk *chunk;
    const message_call_answer *call;
    etna_code code;
    const char *text;
} link_output;

/* in the order to be done; valid until the next step, and while the event's
 * message is */
typedef struct link_update {
    const link_output *outputs;
    size_t count;
} link_update;

/* ETNA_E_USAGE for a config without its cookie or with a bound passed,
 * ETNA_E_NOMEM. */
etna_code link_new(const link_config *config,
                   worker_link **ret_link,
                   etna_error *err);
void link_free(worker_link *l); /* NULL is fine */

/* The step. ETNA_E_NOMEM is the only error: the link is then of no use (a
 * worker keeps nothing that can't be lost). */
etna_code link_step(worker_link *l,
                    const link_event *event,
                    link_update *ret_update,
                    etna_error *err);

/* When LINK_TICK is due next; UINT64_MAX: never. */
uint64_t link_next_deadline(const worker_link *l);

/* For tests and status lines. */
uint32_t link_jobs_running(const worker_link *l); /* RUNNING or CANCELLED */
uint64_t link_epoch(const worker_link *l);

#endif
