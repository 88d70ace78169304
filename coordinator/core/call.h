/* Model calls and where models are (call.c, endpoint.c). */
#ifndef ETNA_COORDINATOR_CORE_CALL_H
#define ETNA_COORDINATOR_CORE_CALL_H

#include "coordinator/core/task.h"

/* See the drawing above. */
typedef enum call_state {
    CALL_NEW = 0,
    CALL_IN_FLIGHT,
    CALL_LOST,
    CALL_ENDED,
    CALL_STATE_COUNT
} call_state;

/* A slot's call. Lives in the run's arena and stays for the run's life, as its
 * reply answers for ever. */
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
    /* when it was last sent, and how long it was in flight in all; 0 for a free
     * model, which answers in its caller's process */
    uint64_t sent_ms, waited_ms;
    const char *model;   /* that was asked last */
    struct call *before; /* in run.calls */
} call;

/* What the calls of a role took, beside what they were estimated at: what the
 * next one will take, and what one took of which nobody will say. */
typedef struct call_mean {
    uint32_t count;
    message_usage estimated, took;
} call_mean;

/* A token bucket that fills within a minute. Units are multiplied by 60,000 so
 * that a fill of one millisecond is a whole number. */
typedef struct core_bucket {
    uint64_t limit;       /* a minute; 0: none */
    uint64_t level, debt; /* calls or tokens, times 60,000 */
    uint64_t at;          /* when that was so */
} core_bucket;

/* A provider's address with its limits, shared by its models. */
struct core_endpoint {
    char *name;
    core_bucket requests, tokens;
    /* calls now and at the most (0: no bound); tries of one call, and the
     * time these may take in all; failures in a row that open the breaker
     * (0: never) */
    uint32_t in_flight, in_flight_most, attempts, budget_ms, breaker;
    uint32_t failures; /* in a row */
    /* a provider's "slow down": how long it was last, and until when it holds;
     * until when the breaker is open (0: it is closed) */
    uint64_t slow_ms, slow_until_ms, open_until_ms;
    /* the breaker's time is over, and one call finds out whether it is in
     * service */
    bool trying;
};

/* A model by its name in the list. `fallback` NULL: there is none. */
typedef struct core_model {
    char *name, *fallback;
    core_endpoint *endpoint;
    models_model price; /* its prices alone */
} core_model;

/* CORE_MODELS: takes over what the event says of models; those it does not name
 * stay as they were. */
void endpoint_models(core *c, const core_event *event);
/* Frees endpoints and models; only as the core is freed. */
void endpoint_free_all(core *c);
/* What is known of the model `name`. NULL: nothing, so nothing limits it; all
 * functions below take that. */
const core_model *endpoint_model(const core *c, const char *name);
/* Whether its endpoint is out of service now: its breaker is open. */
bool endpoint_out(const core *c, const core_model *m);
/* How many ms until a call of that estimate may be made, by the endpoint's
 * limits of requests and tokens a minute and of calls in flight; 0: now. */
uint64_t endpoint_wait(core *c,
                       const core_model *m,
                       const message_usage *estimate);
/* A call was told to go: it takes its room in the endpoint's limits.
 * a->estimate is set. */
void endpoint_go(core *c, call *a, const core_model *m);
/* A call is in flight no more: its room is free. */
void endpoint_landed(call *a);
/* A call ended with a reply: failures are forgotten. NULL is fine, also
 * below. */
void endpoint_answered(core_endpoint *e);
/* A call failed: counts for the breaker, and slows down where it says so. */
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
/* Whether the task waits for a provider's answer, so that its worker computes
 * nothing for it. */
bool call_waits_elsewhere(const task *t);
/* Nobody waits for the end of any call any more: the run ended, or the
 * coordinator that said GO died. All in flight are booked as lost, except those
 * of tasks that are let finish. */
void call_lost_all(run *r);
/* Journals the losses of this step. At its end, since a loss is a cause: it
 * comes after the decisions that the step's own cause led to. */
void call_record_losses(core *c);
/* What follows from records, live and in replay. False: it cannot come now. */
struct record;
/* What follows from records, live and in replay. call_go: GO was said;
 * *ret_call is the call, or NULL where the core has failed. False: it cannot
 * come now, and nothing has changed. `rec`: its CALL record, borrowed. */
bool call_go(run *r, const struct record *rec, call **ret_call);
/* A call in flight was booked as lost at `booked`; `reported`: its caller said
 * so, which may come after it was booked, and books no more. False: it is not
 * in flight. */
bool call_lose(run *r,
               const etna_slot *slot,
               const message_usage *booked,
               bool reported);
/* A reply is stored in its slot, and `usage` booked. `recovered`: what is taken
 * back of an earlier booking as lost. Texts are copied. */
void call_store(run *r,
                const etna_slot *slot,
                const etna_hash *request,
                const etna_hash *reply,
                const message_usage *usage,
                const message_usage *recovered,
                const char *model);

#endif
