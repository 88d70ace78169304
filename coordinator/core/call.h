/* Model calls and where models are (call.c, endpoint.c). */
#ifndef ETNA_COORDINATOR_CORE_CALL_H
#define ETNA_COORDINATOR_CORE_CALL_H

#include "coordinator/core/task.h"

/* ---- model calls: one per slot ----
 *
 *   NEW ── begin ─> IN_FLIGHT ──── end ────> ENDED      begins, losses and ends are records (not of free calls)
 *     │                │  ^                   ^ ^
 *     │     lease lost v  │ begin             │ │
 *     │                LOST ── end after all ─┘ │
 *     └───── end without a begin (restart) ─────┘ */
typedef enum call_state {
    CALL_NEW = 0,
    CALL_IN_FLIGHT,
    CALL_LOST,
    CALL_ENDED,
    CALL_STATE_COUNT
} call_state;

typedef struct call {
    struct call *same_key; /* next of the same table key */
    /* in run.in_flight while IN_FLIGHT (those count in core.calls_in_flight);
     * in run.losing after it, until the end of the step, where its loss is
     * recorded */
    chain in_flight;
    etna_slot slot;
    call_state state;
    uint64_t worker, incarnation, task; /* whose call it is (IN_FLIGHT, LOST) */
    uint32_t attempt;
    /* sequence of the begin that was last answered with GO */
    uint64_t begin;
    uint64_t fenced_ms; /* nobody else is told to go before this */
    /* IN_FLIGHT: whose room it takes; NULL: nobody's */
    core_endpoint *endpoint;
    /* tries that brought nothing, of the model that is asked now */
    uint32_t failed;
    uint64_t failed_first_ms;
    /* LOST: its caller said so, thus knows that it was told to go */
    bool reported;
    /* LOST by a record: that is not known; by when the run was resumed, then */
    bool replayed;
    etna_hash request, reply;
    message_usage estimate, usage;
    /* LOST: of the try that was lost last; all zero: it was not billed */
    message_usage booked;
    uint64_t reserved_micros; /* IN_FLIGHT */
    /* booked of its tries, what was taken back not counted */
    message_usage lost;
    const char *model;   /* that was asked last */
    struct call *before; /* in run.calls */
} call;

/* What the calls of a role took, beside what they were estimated at: what the
 * next one will take, and what one took of which nobody will say. */
typedef struct call_mean {
    uint32_t count;
    message_usage estimated, took;
} call_mean;

/* ---- where models are: endpoint.c ---- */
typedef struct core_bucket {
    uint64_t limit;       /* a minute; 0: none */
    uint64_t level, debt; /* calls or tokens, times 60,000 */
    uint64_t at;          /* when that was so */
} core_bucket;

struct core_endpoint {
    char *name;
    core_bucket requests, tokens;
    uint32_t in_flight, in_flight_most, attempts, budget_ms, breaker;
    uint32_t failures; /* in a row */
    uint64_t slow_ms, slow_until_ms, open_until_ms;
    bool trying; /* one call finds out whether it is in service again */
};

typedef struct core_model {
    char *name, *fallback;
    core_endpoint *endpoint;
    models_model price; /* its prices alone */
} core_model;

/* endpoint.c */
void endpoint_models(core *c, const core_event *event);
void endpoint_free_all(core *c); /* and the models; only as the core is freed */
const core_model *endpoint_model(
    const core *c,
    /* NULL: nothing is known of it, so nothing limits it */
    const char *name);
bool endpoint_out(const core *c, const core_model *m); /* out of service now */
uint64_t endpoint_wait(core *c,
                       const core_model *m,
                       /* ms until it may be called; 0: now */
                       const message_usage *estimate);
/* a->estimate is set */
void endpoint_go(core *c, call *a, const core_model *m);
void endpoint_landed(call *a); /* it flies no more */
/* with a reply; NULL is fine, also below */
void endpoint_answered(core_endpoint *e);
void endpoint_failed(core *c, core_endpoint *e, const message_call_fail *fail);

/* call.c */
/* A caller's try has brought nothing: whether and when it asks again, and which
 * model. */
void call_fail_asked(core *c, const core_event *event);
/* May it ask? GO, what is stored already, WAIT, or STOP: not its call any more.
 * What is repeated gets the same answer. */
void call_begin_asked(core *c, const core_event *event);
/* An answer has come: it is stored and billed, also where its run is over or
 * its call was booked as lost. */
void call_end_asked(core *c, const core_event *event);
/* The lease of `t` is lost: its calls in flight are booked at what such calls
 * took so far. `fenced`: its GO may still be under way. */
void call_lost_with(task *t, bool fenced);
bool call_waits_elsewhere(const task *t); /* for an endpoint's answer */
void call_lost_all(
    /* nobody waits for any end any more: the run ended, or its coordinator
     * died */
    run *r);
void call_record_losses(
    /* at the end of a step: a loss is a cause, which comes after the step's
     * decisions */
    core *c);
/* What follows from records, live and in replay. False: it cannot come now. */
struct record;
bool call_go(run *r, const struct record *rec, call **ret_call);
bool call_lose(run *r,
               const etna_slot *slot,
               const message_usage *booked,
               bool reported);
void call_store(run *r,
                const etna_slot *slot,
                const etna_hash *request,
                const etna_hash *reply,
                const message_usage *usage,
                const message_usage *recovered,
                const char *model);

#endif
