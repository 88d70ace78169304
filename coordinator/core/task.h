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
/* Deaths of workers from which on a task is given out alone; at which it is
 * refused (core.h, "Deadly tasks"). */
enum {
    DEATHS_ALONE = 2,
    DEATHS_MOST = 3
};
/* See the drawing above. */
typedef enum task_state {
    TASK_QUEUED = 1,
    TASK_LEASED,
    TASK_DONE,
    TASK_DROPPED,
    TASK_STATE_COUNT
} task_state;

/* An open task. One that is done or dropped is freed. */
typedef struct task {
    /* in run.queue or core.quarantine while QUEUED, in worker.leases while
     * LEASED */
    chain link;
    run *run;
    /* task_id(): its place, so that it is the same after a restart */
    uint64_t id;
    uint32_t kind, node, branch, poll;
    task_state state;
    /* of the present lease, from 1; results that said it could not be done */
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
    /* the newest result heard of its worker when it was given: what says no
     * more is of an older lease */
    uint64_t heard_before;
    /* the newest of all that was heard of its worker then: what it asks for this
     * lease comes later. 0: it held the task already */
    uint64_t given_after;
    uint64_t queued_ms, leased_ms; /* when it last was */
    /* the last record of its run when it was queued */
    uint64_t follows;
    /* when the worker was last known to hold it */
    uint64_t confirmed_ms;
} task;

/* A task's name, made of its place in the search, so that it is the same after
 * a restart and in a replay. */
uint64_t task_id(uint32_t kind, uint32_t node, uint32_t branch, uint32_t poll);
/* A queued task, owned by the run. NULL: core.failure. */
task *task_new(
    run *r, uint32_t kind, uint32_t node, uint32_t branch, uint32_t poll);
/* Among the open ones; NULL: it is done, or never was. */
task *task_find(const run *r, uint64_t id);
void task_to_queue(task *t); /* LEASED -> QUEUED, attempt + 1 */
/* A worker that holds that attempt from an earlier coordinator is told to stop
 * it: no lease gets this number any more. */
void task_attempt_stopped(task *t, uint32_t attempt);
/* Takes a queued task out of the queue; the caller sets its state. */
void task_unqueue(task *t);
/* So many workers died of it that it is given out alone. */
bool task_is_deadly(const task *t);
/* A second lease of a leased task for `w`; NULL: core.failure. It ends by
 * task_to_queue (its worker has it no more), task_untwin, or with the task. */
task *task_double(task *t, worker *w);
/* Ends its second lease and tells that worker to stop. Nothing where there is
 * none. */
void task_untwin(task *t);
/* The leased task that `ref` names, one that leaves among them; NULL: there is
 * none. */
task *task_held(const run *r, const message_task_ref *ref);
/* A task that is leaving has left: its call ended, or nobody holds it any more.
 * Frees it, and tells of a run that waited for the last of these. */
void task_left(task *t);
/* Drops the open tasks of a node, or of the run: who holds one is told to stop,
 * or finishes the paid call that it waits for first (config.finish_calls). */
void task_drop_node(run *r, uint32_t node_number);
void task_drop_all(run *r);
/* What a worker is told, in core.scratch: a function of the run's state alone,
 * so that `etna replay` can make it again. */
void task_fill(const task *t, arrange_task *ret);
/* Whether a result from outside can be of this task. Every member that the core
 * later relies on is checked here, and again in replay. */
bool task_result_valid(const task *t, const arrange_result *result);
/* What follows from a recorded RESULT or REFUSED, live and in replay: closes
 * the task (its lease too) and goes on. */
void task_settle(task *t, const struct record_result *facts, bool refused);
/* Changes the state and nothing else. A transition that the drawing does not
 * have is core_broken(). */
void task_state_set(task *t, task_state state);
/* Deaths laid to it, with those that count when it goes back to the queue. */
uint32_t task_deaths(const task *t);
/* Of a worker that holds it, or held it; journaled. `was_alone`: there it was
 * in quarantine. A third death counts only then: before that whatever was done
 * beside it may have felled them all. */
void task_death_laid(task *t, bool was_alone, etna_code fault, const char *why);
/* The same from the journal, for a task that is queued. */
void task_death_replayed(task *t);
/* Appends its name for people: "step 2 (node 3) branch 1". */
void task_name(core_text *text,
               const run *r,
               uint32_t kind,
               uint32_t node_number,
               uint32_t branch_number,
               uint32_t poll_number);

/* lease.c: a worker asks for tasks. The request is parked, and matched at the
 * end of the step. */
void lease_requested(core *c, const core_event *event);
/* A result or an error of a task. It is acknowledged in every case: who sends
 * it must not send it again. The first valid result counts, an error only from
 * who holds the task now. */
void lease_result(core *c, const core_event *event);
/* Gives queued tasks to parked lease requests, the oldest request first, then
 * second leases of stragglers. At the end of a step. */
void lease_match(core *c);
/* At the end of a step: answers requests that gained tasks, and results that
 * came with a request for some. */
void lease_answer_served(core *c);
/* Whether the worker may get a task beside what it holds. */
bool lease_may_take(const worker *w);
/* Whether it may get a task that is done alone: it holds nothing, and nothing
 * that was taken from it may still be running there. */
bool lease_is_idle(const worker *w);
/* Before tasks are given out: refuses those of which a last worker died. */
void lease_refuse_deadly(core *c);
/* A worker that outlived a coordinator works on a task that is queued afresh
 * under the same attempt: it is its lease, and nothing is done twice. NULL: no
 * such task waits. */
task *lease_adopt(worker *w, const message_task_ref *ref);
/* Takes a leased task from its worker, and tells it to stop. */
void lease_close(task *t);

#endif
