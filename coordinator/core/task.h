/* Tasks and their leases (task.c, lease.c). */
#ifndef ETNA_COORDINATOR_CORE_TASK_H
#define ETNA_COORDINATOR_CORE_TASK_H

#include "coordinator/core/base.h"

struct record_result;

/* ---- tasks ----
 *
 *            ┌────── lease lost, error ──────┐
 *            v                               │
 *   (new) QUEUED ──────── granted ───────> LEASED ──── result ───> DONE
 *            │ └────────── late result of an earlier lease ─────────^
 *            └─ step decided, run ended ─> DROPPED (from LEASED too; with config.finish_calls it first stays LEASED,
 *                                          `leaving`, until the paid call it waits for has ended)
 *   A worker that says it holds a queued task of the same attempt (after a
 *   restart) has it leased again. A straggler, LEASED for long where no model
 *   is called that costs anything, is given to a second worker, too: its
 *   `twin`. The first valid result counts, of whichever; where the first lease
 *   ends without one, the twin takes its place. */
enum {
    DEATHS_ALONE = 2,
    DEATHS_MOST = 3
}; /* core.h, "Deadly tasks" */
typedef enum task_state {
    TASK_QUEUED = 1,
    TASK_LEASED,
    TASK_DONE,
    TASK_DROPPED,
    TASK_STATE_COUNT
} task_state;

/* open tasks only: a task that is done or dropped is freed */
typedef struct task {
    chain link; /* in run.queue, core.quarantine or worker.leases */
    run *run;
    /* task_id(): its place, so that it is the same after a restart */
    uint64_t id;
    uint32_t kind, node, branch, poll;
    task_state state;
    uint32_t attempt, errors;
    /* the highest that was given out, a twin's among them */
    uint32_t attempt_last;
    /* of workers that held it, by their own doing; never changes while it is
     * leased */
    uint32_t deaths;
    /* heard of while it is: they count when it goes back to the queue */
    uint32_t deaths_to_come;
    etna_code death_fault; /* of the last one */
    const char *death_why;
    node_handle of_node;
    chain of_run; /* in run.tasks_open, or tasks_leaving */
    bool leaving;
    /* a call of a model was asked for that costs something */
    bool paid;
    bool single;       /* it gets no twin any more */
    struct task *twin; /* its second lease; NULL: none */
    /* of a twin: whose. It is in no table and no queue, only in its worker's
     * leases */
    struct task *of;
    worker *worker; /* LEASED */
    /* of the lease request that was answered with it */
    uint64_t lease_sequence;
    uint64_t queued_ms, leased_ms; /* when it last was */
    /* the last record of its run when it was queued */
    uint64_t follows;
    /* when the worker was last known to hold it */
    uint64_t confirmed_ms;
} task;

/* task.c */
uint64_t task_id(uint32_t kind, uint32_t node, uint32_t branch, uint32_t poll);
/* A queued one, owned by the run. NULL: core.failure. */
task *task_new(
    run *r, uint32_t kind, uint32_t node, uint32_t branch, uint32_t poll);
/* of the open ones; NULL: it is done, or never was */
task *task_find(const run *r, uint64_t id);
void task_to_queue(task *t); /* LEASED -> QUEUED, attempt + 1 */
/* out of the queue it waits in; its state is the caller's */
void task_unqueue(task *t);
bool task_is_deadly(const task *t); /* it is given out alone */
/* A second lease of a leased task for `w`; NULL: core.failure. It ends by
 * task_to_queue (its worker has it no more), task_untwin, or with the task. */
task *task_double(task *t, worker *w);
/* its worker is told to stop; nothing where there is none */
void task_untwin(task *t);
/* The leased task that `ref` names, one that leaves among them; NULL: there is
 * none. */
task *task_held(const run *r, const message_task_ref *ref);
void task_left(
    /* of one that leaves: its call has ended, or nobody has it any more.
     * Frees */
    task *t);
/* Drops the open tasks of a node, or of the run: who holds one is told to stop,
 * or finishes the paid call that it waits for first (config.finish_calls). */
void task_drop_node(run *r, uint32_t node_number);
void task_drop_all(run *r);
void task_fill(const task *t, arrange_task *ret); /* in core.scratch */
bool task_result_valid(const task *t, const arrange_result *result);
/* What follows from a recorded RESULT or REFUSED, live and in replay: closes
 * the task (its lease too) and goes on. */
void task_settle(task *t, const struct record_result *facts, bool refused);
/* Nothing but the state. One that the drawing above does not have is
 * core_broken. */
void task_state_set(task *t, task_state state);
uint32_t task_deaths(const task *t); /* with those to come */
/* Of a worker that holds it, or held it; journaled. `was_alone`: there it was
 * in quarantine. A third death counts only then: before that whatever was done
 * beside it may have felled them all. */
void task_death_laid(task *t, bool was_alone, etna_code fault, const char *why);
/* QUEUED: of a worker that held it before the restart */
void task_death_replayed(task *t);
void task_name(core_text *text,
               const run *r,
               uint32_t kind,
               uint32_t node_number,
               uint32_t branch_number,
               uint32_t poll_number);

/* lease.c */
void lease_requested(core *c, const core_event *event);
/* A result or an error of a task. It is acknowledged in every case: who sends
 * it must not send it again. The first valid result counts, an error only from
 * who holds the task now. */
void lease_result(core *c, const core_event *event);
/* Gives queued tasks to parked lease requests, the oldest request first, then
 * second leases of stragglers. At the end of a step. */
void lease_match(core *c);
/* at the end of a step: requests that got tasks, and the result that asked for
 * some */
void lease_answer_served(core *c);
bool lease_may_take(const worker *w); /* a task beside what it holds */
/* A task that is done alone: what was taken from the worker and runs on may
 * fell it as well. */
bool lease_is_idle(const worker *w);
/* before tasks are given out: what felled its last worker */
void lease_refuse_deadly(core *c);
/* A worker that outlived a coordinator works on a task that is queued afresh
 * under the same attempt: it is its lease, and nothing is done twice. NULL: no
 * such task waits. */
task *lease_adopt(worker *w, const message_task_ref *ref);
void lease_close(task *t); /* takes it from its worker and tells the worker */

#endif
