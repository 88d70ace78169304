/* Workers, and requests that wait for an answer (worker.c, request.c). */
#ifndef ETNA_COORDINATOR_CORE_WORKER_H
#define ETNA_COORDINATOR_CORE_WORKER_H

#include "coordinator/core/task.h"

/* Bounds of what a worker may say and hold. */
enum {
    /* of a build's name; what is longer is cut */
    WORKER_BUILD = 64,
    /* in one worker's hands; ours hold no more */
    WORKER_LEASES_MOST = MESSAGE_ORDERS_MAX / 2
};

/* A worker that was heard of; freed some time after it is gone. */
struct worker {
    core *core;
    uint64_t id, incarnation;
    /* see the drawing; its process is known to have ended */
    bool live, exited;
    /* something was taken from it that it may compute still, or that is on its
     * way to it, or it was an earlier owner's: until an orders request names
     * what it holds, and tells that the answer to `stops_sequence` was heard
     */
    bool stops;
    uint64_t stops_sequence; /* of the newest request that was answered so */
    /* its build does, by a lease request of this incarnation */
    bool fits;
    bool build_told;          /* that it waits, as it is of another build */
    char build[WORKER_BUILD]; /* "": the coordinator's own, or not said */
    uint64_t pipe;            /* of its last message; 0: not known */
    bool away;                /* that was closed, and it has not spoken since */
    uint64_t fell_ms;         /* when it was closed */
    chain link;               /* in core.workers */
    chain leases;
    uint32_t lease_count;
    /* what it computed as it fell silent: a death that is told later is laid to
     * it. Owned */
    struct worker_lost *lost;
    uint32_t lost_count;
    uint64_t results;            /* that counted */
    uint64_t lease_sequence_max; /* the newest lease request seen */
    uint64_t result_sequence_max;
    uint64_t orders_sequence_max;
    struct parked *orders; /* its parked orders request */
    chain lost_queue;      /* in core.lost_queue while its 25 s run */
    uint64_t lost_at_ms;
};

/* What a parked request waits for: tasks, orders, or news of a run. */
typedef enum parked_kind {
    PARKED_LEASE = 1,
    PARKED_ORDERS,
    PARKED_EVENTS
} parked_kind;

/* what a lease request gets in this step, at whose end it is answered; in
 * core.scratch */
typedef struct parked_gains {
    uint32_t count;
    size_t bytes; /* of the tasks, packed */
    message_lease leases[MESSAGE_LEASES_MAX];
    const arrange_task *tasks[MESSAGE_LEASES_MAX];
} parked_gains;

/* A request without an answer yet. Owned by the core, freed with its answer. */
typedef struct parked {
    chain link; /* in the queue of its kind, by deadline */
    parked_kind kind;
    uint64_t request, pipe, sequence, incarnation, sender, deadline_ms;
    worker *worker; /* LEASE, ORDERS */
    etna_id run;    /* EVENTS */
    chain of_run;   /* EVENTS: in run.viewers */
    uint64_t after; /* EVENTS */
    /* LEASE: how many tasks it may get, 1..MESSAGE_LEASES_MAX */
    uint32_t wants;
    parked_gains *gains; /* LEASE; NULL: nothing yet */
    /* in core.served while it gains, or it came with a result: it is answered
     * when the step ends */
    chain served;
    bool with_result; /* it acknowledges `done`, with tasks or without */
    message_task_ref done;
    uint32_t warm_count; /* LEASE */
    etna_hash warm[];
} parked;

/* worker.c */
/* The worker that sent the event's message; it is added where it is new, and a
 * higher incarnation takes the leases of the one before. NULL: an older
 * incarnation speaks, or one whose process has ended. */
worker *worker_heard(core *c, const core_event *event);
/* The number of the newest lease request, result or orders request that was
 * heard of it. */
uint64_t worker_newest(const worker *w);
/* An orders request says what the worker holds: that is confirmed, or it is
 * told to stop it. The request is parked until there is something to tell. */
void worker_orders(core *c, const core_event *event);
/* Those that were silent for too long are gone: their tasks go back to the
 * queue. Those that were gone for as long again are freed. */
void worker_deadlines(core *c);
/* Answers its parked orders request, with `count` tasks to stop (borrowed until
 * the step ends). Where none is parked nothing happens: the next one names what
 * it holds and is told then. */
void worker_tell(worker *w, const message_task_ref *cancel, uint32_t count);
/* The task is being taken from it while it lives: it may compute it, or be about
 * to be given it. */
void worker_stops(worker *w, const task *t);
/* It was heard of now, or its orders request was answered: its time until it is
 * taken for gone starts anew. */
void worker_clock_restart(worker *w);
/* A connection was closed: whose last message came by it may be gone. `pipe` 0:
 * nobody's. */
void worker_pipe_gone(core *c, uint64_t pipe);
/* Takes it out of all lists of the core, and frees it. */
void worker_free(core *c, worker *w);
/* Its process has ended, by its own doing or not (event->fault): a death by its
 * own doing is laid to what it held. Nothing where its incarnation is another
 * by now. */
void worker_exited(core *c, const core_event *event);
/* Notes of which build it says it is. False: it gets nothing, and its request
 * is answered. */
bool worker_build_fits(worker *w, const core_event *event);
/* MESSAGE_DEATH: its next incarnation tells how the one before ended. */
void worker_death_told(core *c, const core_event *event);
/* CORE_DRAIN: every worker is told to ask for no more and to end when idle. */
void worker_drain(core *c);

/* Parks the event's request; `w`: whose, for LEASE and ORDERS. Copies `warm`.
 * NULL: core.failure. */
parked *request_park(core *c,
                     parked_kind kind,
                     const core_event *event,
                     worker *w,
                     uint32_t warm_count,
                     const etna_hash *warm);
/* Takes it out of all lists and frees it; answers nothing. */
void request_unpark(parked *p);
/* A connection was closed: its parked requests go without an answer. */
void request_forget_pipe(core *c, uint64_t pipe);
/* Answers what was parked for as long as it may be: that there is no task, no
 * order, no news. */
void request_deadlines(core *c);
/* The coordinator itself stood still for so long (core_event.stall_ms):
 * nobody's time has passed. */
void request_shift(core *c, uint64_t by_ms);
/* Answers a parked request and frees it. `said`: a lease's task, or NULL;
 * borrowed until the step ends. */
void request_answer(core *c,
                    parked *p,
                    const message *answer,
                    const arrange_task *said);
/* Answers with what is new behind `after`, or parks the request until there is
 * something. */
void viewer_asked(core *c, const core_event *event);
/* Is there a line behind record `after`, or will there be no more? */
bool viewer_has_news(const run *r, uint64_t after);
/* Something of the run changed that may be news to those who watch it; looked
 * at when the step ends. */
void viewer_stir(run *r);
/* The run leaves memory: those who watch it are told that it is not known. */
void viewer_leave(run *r);
/* At the end of a step: answers viewers of runs that were stirred. */
void viewer_answer_all(core *c);
/* Each answers its message in the same step: with the run's status, or with a
 * refusal where there is no such run. A submit of a run that is there with the
 * same configuration answers as the first did. */
void submit_asked(core *c, const core_event *event);
void status_asked(core *c, const core_event *event);
void cancel_asked(core *c, const core_event *event);
void suspend_asked(core *c, const core_event *event);
void resume_asked(core *c, const core_event *event);
/* No run is taken or resumed from now on; answered with how many are going
 * on. */
void drain_asked(core *c, const core_event *event);
/* Answers with an error. The text is copied. */
void refuse(core *c, const core_event *event, etna_code code, const char *text);
/* lease.c: there was no task for it in time, or none is to come. */
void lease_answer_none(core *c, parked *p);
/* The same for every parked lease request of the worker, which leaves. */
void lease_answer_nothing_to(worker *w);

#endif
