/* The core's state, private to this room: who points at whom, and which file changes what.
 *
 *   core ── runs ── tree (nodes ─ branches ─ polls)      search.c, arrange.c, tree.c
 *        │      ├── tasks (queued | leased)              task.c
 *        │      ├── calls (slots of model calls)         call.c
 *        │      └── lines (narration), expected (replay) record.c, narrate.c, replay.c
 *        ├── workers ── leases (tasks)                   worker.c, lease.c
 *        └── parked requests, in the order of their deadlines (request.c)
 *
 * A failure that cannot be undone (no memory, a broken invariant) is kept in core.failure; every function goes on
 * harmlessly after it, and core_step reports it at its end. */
#ifndef ETNA_COORDINATOR_CORE_STATE_H
#define ETNA_COORDINATOR_CORE_STATE_H

#include "coordinator/core/core.h"
#include "proto/canon.h"
#include "proto/table.h"
#include "proto/usage.h"

typedef struct run run;
typedef struct worker worker;
struct record_result;
typedef struct core_text { /* a bounded text in the making: what does not fit is cut at a whole UTF-8 character */
    char data[2048];
    size_t size;
} core_text;

typedef struct node_handle { /* stale once the node is decided */
    uint32_t number, generation;
} node_handle;

/* ---- tasks ----
 *
 *            ┌────── lease lost, error ──────┐
 *            v                               │
 *   (new) QUEUED ──────── granted ───────> LEASED ──── result ───> DONE
 *            │ └────────── late result of an earlier lease ─────────^
 *            └─ step decided, run ended ─> DROPPED (from LEASED too)
 *   A worker that says it holds a queued task of the same attempt (after a restart) has it leased again. */
enum { DEATHS_ALONE = 2, DEATHS_MOST = 3 }; /* core.h, "Deadly tasks" */
typedef enum task_state { TASK_QUEUED = 1, TASK_LEASED, TASK_DONE, TASK_DROPPED, TASK_STATE_COUNT } task_state;

typedef struct task { /* open tasks only: a task that is done or dropped is freed */
    chain link;       /* in run.queue, core.quarantine or worker.leases */
    run *run;
    uint64_t id; /* task_id(): its place, so that it is the same after a restart */
    uint32_t kind, node, branch, poll;
    task_state state;
    uint32_t attempt, errors;
    uint32_t deaths; /* of workers that held it, by their own doing; changes only while it is leased */
    node_handle of_node;
    chain of_run;            /* in run.tasks_open */
    worker *worker;          /* LEASED */
    uint64_t lease_sequence; /* of the lease request that was answered with it */
    uint64_t confirmed_ms;   /* when the worker was last known to hold it */
} task;

/* ---- model calls: one per slot ----
 *
 *   NEW ── begin ─> IN_FLIGHT ──── end ────> ENDED      begins, losses and ends are records (not of free calls)
 *     │                │  ^                   ^ ^
 *     │     lease lost v  │ begin             │ │
 *     │                LOST ── end after all ─┘ │
 *     └───── end without a begin (restart) ─────┘        */
typedef enum call_state { CALL_NEW = 0, CALL_IN_FLIGHT, CALL_LOST, CALL_ENDED, CALL_STATE_COUNT } call_state;

typedef struct core_endpoint core_endpoint;
typedef struct call {
    struct call *same_key; /* next of the same table key */
    chain in_flight; /* in run.in_flight while IN_FLIGHT (those count in core.calls_in_flight); in run.losing after it,
                              until the end of the step, where its loss is recorded */
    etna_slot slot;
    call_state state;
    uint64_t worker, incarnation, task; /* whose call it is (IN_FLIGHT, LOST) */
    uint32_t attempt;
    uint64_t begin;          /* sequence of the begin that was last answered with GO */
    uint64_t fenced_ms;      /* nobody else is told to go before this */
    core_endpoint *endpoint; /* IN_FLIGHT: whose room it takes; NULL: nobody's */
    uint32_t failed;         /* tries that brought nothing, of the model that is asked now */
    uint64_t failed_first_ms;
    bool billed;   /* LOST: it was booked */
    bool reported; /* LOST: its caller said so, thus knows that it was told to go */
    bool replayed; /* LOST by a record: that is not known; by when the run was resumed, then */
    etna_hash request, reply;
    message_usage estimate, usage;
    message_usage lost;  /* booked of its tries, what was taken back not counted */
    const char *model;   /* that was asked last */
    struct call *before; /* in run.calls */
} call;

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
} core_model;

/* ---- the tree ---- */
typedef struct plan {
    bool arrived, applied;
    uint32_t status; /* arrange_plan_status */
    const char *instruction, *reason;
    double coordinate[2];
    bool is_bottom;
    uint32_t item;           /* of a list, from 1; 0: not said */
    arrange_refusal refusal; /* its texts are the run's */
    message_usage used;
} plan;

typedef struct poll {
    bool arrived, applied;
    uint32_t verdict;
    const char *reason;
    message_usage used;
} poll;

typedef struct branch {
    core_branch_state state;
    plan *plan; /* its own, or the node's only one */
    bool arrived, applied;
    uint32_t status; /* arrange_branch_status; 0: none (refused, or its plan gave no edit) */
    const char *object, *plane, *reason, *constraints;
    arrange_obstacle obstacle; /* its texts are the run's */
    arrange_pose pose;
    double loss;
    etna_hash snapshot;
    uint32_t candidates, survivors, collision_checks;
    message_usage used;
    poll *polls;
    uint32_t polls_arrived;
    double mean;
} branch;

typedef struct node {
    uint32_t number, generation; /* the generation grows when the node is decided: handles of open nodes go stale */
    uint32_t parent, step;
    core_node_state state;
    etna_hash before;
    uint32_t anchor_before;        /* d_a when it was begun, for the narration */
    uint64_t begun_ms, decided_ms; /* in recorded time, for reports; decided 0: open */
    bool last_look;                /* step s_max + 1: only Complete counts */
    plan *plans;
    uint32_t plan_count;
    branch *branches;
    uint32_t branch_count;
    uint32_t apply_branch, apply_poll; /* `ordered`: the next result to be applied */
    int32_t winner;
    uint32_t judged;            /* branches judged or failed when it was decided */
    const char *reason;         /* why it failed or stopped */
    core_failure_kind failure;  /* FAILED */
    const char *later;          /* GIVEN_UP: what failed because of it */
    uint32_t given_up_for;      /* GIVEN_UP: the node that did */
    const uint8_t *fingerprint; /* FAILED: canonical bytes of what failed, to know an identical failure */
    size_t fingerprint_size;
} node;

/* ---- runs ----
 *
 *   IMPORTING ──> SEARCHING ──> FINISHING ──> ENDED
 *       └───────────────┴── error, cancel ─────^         */
typedef enum run_phase { PHASE_IMPORTING = 1, PHASE_SEARCHING, PHASE_FINISHING, PHASE_ENDED, PHASE_COUNT } run_phase;

typedef struct narration { /* what a line tells, for people and for programs */
    const char *text;      /* NULL: nothing is told */
    message_happening happening;
} narration;

typedef struct run_line {
    uint64_t sequence, time_ms;
    narration told;
} run_line;

typedef struct run_expected { /* replay: a decision made, waiting for its record */
    uint8_t kind;
    uint8_t *body;
    size_t size;
    narration told;
} run_expected;

struct run {
    core *core;
    etna_id id;
    run *same_key;    /* in core.run_table */
    etna_arena arena; /* every text and array of the run */
    arrange_config config;
    run_phase phase;
    bool dormant;      /* replayed or suspended: nothing is leased and no time passes */
    bool replayed;     /* at least one record was fed */
    run_state outcome; /* what it ends or ended as; RUN_RUNNING before */
    etna_code error;
    core_end end;
    const char *reason;      /* `end` in words */
    arrange_refusal refusal; /* the first: refusal.c */

    uint64_t sequence; /* of the last record */
    uint64_t clock_ms; /* recorded time */
    uint64_t clock_at; /* now_ms at which clock_ms was true */
    uint64_t resumed_ms;
    message_usage used, spent, lost;
    uint64_t reserved_micros;
    uint32_t mismatches;
    const char *outage; /* why it was suspended by itself; NULL: it was not */

    etna_hash first_snapshot;
    const char *camera;
    const char *meaning; /* what the reader made of the goal; NULL: nothing */
    uint32_t object_count, movable_count, warning_count;
    const char **warnings;

    /* Algorithm 2: METHODS.md 2 */
    uint32_t step, anchor, depth_max, backtracks; /* k, d_a, d_max */
    node **nodes;                                 /* nodes[i] has number i + 1 */
    uint32_t node_count, node_capacity;
    uint32_t path[ARRANGE_STEPS_MAX], path_count;   /* nodes of S_1..S_{k-1} */
    uint32_t best[ARRANGE_STEPS_MAX], best_count;   /* the deepest valid scene */
    uint32_t final[ARRANGE_STEPS_MAX], final_count; /* from FINISHING on */

    etna_hash export_blob;
    etna_hash *images; /* final_count + 1 */

    table tasks; /* id -> task */
    chain tasks_open, queue;
    uint32_t task_count, queued_count;
    uint32_t alone_count; /* of the queued ones: those in core.quarantine */
    chain timed;          /* in core.timed when it has a cap of wall time */
    chain ready;          /* in core.ready while it has queued tasks out of quarantine and may run */
    uint32_t skipped;     /* how often a warmer run was served instead */

    table call_table; /* slots; the calls themselves live in the arena */
    call *calls;      /* all of them, the newest first */
    uint32_t call_count;
    message_usage import_used; /* of no call: a result's */
    message_usage read_used;   /* the reader's */
    chain in_flight;
    chain losing;      /* calls whose loss is not recorded yet */
    chain with_losses; /* in core.losing while it has such */

    run_line *lines;
    uint32_t line_count, line_capacity;
    run_expected *expected;
    uint32_t expected_count, expected_at, expected_capacity;
};

/* ---- workers ----
 *
 *   LIVE ── 25 s without an orders request ──> GONE ── 25 s more ──> (freed)
 *    │ ^────────── any message ────────────────'  ^
 *    └──────────── exit seen (final) ─────────────'      */
struct worker {
    core *core;
    uint64_t id, incarnation;
    bool live, exited;
    chain link; /* in core.workers */
    chain leases;
    uint32_t lease_count;
    uint64_t lease_sequence_max; /* the newest lease request seen */
    uint64_t orders_sequence_max;
    struct parked *orders; /* its parked orders request */
    chain lost_queue;      /* in core.lost_queue while its 25 s run */
    uint64_t lost_at_ms;
};

typedef enum parked_kind { PARKED_LEASE = 1, PARKED_ORDERS, PARKED_EVENTS } parked_kind;

typedef struct parked { /* a request without an answer yet */
    chain link;         /* in the queue of its kind, by deadline */
    parked_kind kind;
    uint64_t request, pipe, sequence, incarnation, sender, deadline_ms;
    worker *worker;      /* LEASE, ORDERS */
    etna_id run;         /* EVENTS */
    uint64_t after;      /* EVENTS */
    uint32_t warm_count; /* LEASE */
    etna_hash warm[];
} parked;

struct core {
    core_options options;
    etna_code failure;
    char failure_text[256];
    uint64_t now;
    uint64_t promised; /* the deadline last promised by core_next_deadline */
    bool draining;
    bool replaying; /* inside core_replay: records are compared, not written */

    run **runs; /* in the order they came */
    uint32_t run_count, run_capacity;
    table run_table;
    table worker_table;
    chain workers, lost_queue, ready, timed, losing;
    chain quarantine; /* queued tasks of all runs that are given out alone */
    worker *reserved; /* gets nothing until its hands are empty, for one of those; NULL: nobody need wait */
    chain leases_parked, orders_parked, viewers_parked;
    uint32_t calls_in_flight;
    core_endpoint **endpoints;
    core_model **models;
    uint32_t endpoint_count, endpoint_capacity, model_count, model_capacity;

    /* the update being made */
    etna_arena scratch;
    core_record *records;
    core_reply *replies;
    core_row *rows;
    core_send *sends;
    uint64_t *drops;
    core_line *lines;
    uint32_t record_count, reply_count, row_count, send_count, drop_count, line_count;
    uint32_t record_capacity, reply_capacity, row_capacity, send_capacity, drop_capacity, line_capacity;
    const core_event *event;
};

/* core.c */
void core_trouble(core *c, etna_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* An illegal transition or a broken invariant: traps under options.strict, else ETNA_E_INTERNAL. */
void core_broken(core *c, const char *what);
void *core_grow(core *c, void *items, uint32_t *capacity, uint32_t count, size_t size); /* room for one more, or NULL */
run *core_find(const core *c, const etna_id *id);
run *core_add_run(core *c, const etna_id *id, const arrange_config *config); /* NULL: core.failure */
void core_send_answer(core *c, uint64_t request, uint64_t incarnation, uint64_t sequence, const message *answer,
                      const arrange_task *said);
void core_drop(core *c, uint64_t request);
void core_update_reset(core *c);
void core_say(core *c, const etna_id *of_run, uint64_t sequence, uint64_t time_ms, const narration *told);
void core_row_changed(run *r, bool submitted);

/* text.c: bounded texts, and copies into a run's arena */
void text_add(core_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
size_t text_cut(const char *text, size_t max);  /* how many bytes <= max are whole characters */
const char *run_text(run *r, const char *text); /* never NULL: "" for NULL */
const char *run_text_cut(run *r, const char *text, size_t max);
void *run_alloc(run *r, size_t count, size_t size); /* zeroed; NULL sets the core's failure */
bool text_bounded(const char *text, size_t max);    /* NULL is fine */
bool numbers_finite(const double *numbers, size_t count);

/* run.c */
run *run_new(core *c, const etna_id *id, const arrange_config *config);
void run_free(run *r);
etna_code run_config_check(const arrange_config *config, etna_error *err);
void run_phase_set(run *r, run_phase phase);
void run_begin(run *r); /* after its first record: the import task */
void run_import_arrived(run *r, const arrange_result *result);
void run_read_arrived(run *r, const arrange_result *result);
/* The search is over: finishing tasks, then `ended`. `error` ETNA_OK: by the search's own rules or a cap. `reason`: of a
 * completion and of an error, which have no words of their own; else NULL. */
void run_search_over(run *r, core_end end, etna_code error, const char *reason);
void run_stop(run *r);        /* at once, without finishing tasks */
void run_finish_step(run *r); /* a finishing task is done */
void run_resume(run *r);
void run_suspend(run *r);
void run_cancel(run *r);
bool run_may_lease(const run *r);
void run_ready_update(run *r);
run_state run_state_now(const run *r);
uint64_t run_time_ms(const run *r);                                 /* recorded time, up to this step's event */
void usage_subtract(message_usage *sum, const message_usage *less); /* stops at zero */

/* task.c */
uint64_t task_id(uint32_t kind, uint32_t node, uint32_t branch, uint32_t poll);
task *task_new(run *r, uint32_t kind, uint32_t node, uint32_t branch, uint32_t poll);
task *task_find(const run *r, uint64_t id);
void task_to_queue(task *t);        /* LEASED -> QUEUED, attempt + 1 */
void task_unqueue(task *t);         /* out of the queue it waits in; its state is the caller's */
bool task_is_deadly(const task *t); /* it is given out alone */
void task_drop(task *t);            /* frees */
void task_drop_node(run *r, uint32_t node_number);
void task_drop_all(run *r);
void task_fill(const task *t, arrange_task *ret); /* in core.scratch */
bool task_result_valid(const task *t, const arrange_result *result);
/* What follows from a recorded RESULT or REFUSED, live and in replay: closes the task (its lease too) and goes on. */
void task_settle(task *t, const struct record_result *facts, bool refused);
void task_state_set(task *t, task_state state);
void task_name(core_text *text, const run *r, uint32_t kind, uint32_t node_number, uint32_t branch_number,
               uint32_t poll_number);

/* lease.c */
void lease_requested(core *c, const core_event *event);
void lease_result(core *c, const core_event *event);
void lease_match(core *c);
bool lease_may_take(const worker *w); /* a task beside what it holds */
void lease_refuse_deadly(core *c, etna_code fault, const char *why);
/* A worker that outlived a coordinator works on a task that is queued afresh under the same attempt: it is its lease,
 * and nothing is done twice. NULL: no such task waits. */
task *lease_adopt(worker *w, const message_task_ref *ref);
void lease_close(task *t); /* takes it from its worker and tells the worker */
void lease_answer_none(core *c, parked *p);

/* worker.c */
worker *worker_heard(core *c, uint64_t id, uint64_t incarnation); /* NULL: an older incarnation speaks */
void worker_orders(core *c, const core_event *event);
void worker_gone(worker *w, const char *why);
void worker_deadlines(core *c);
void worker_tell(worker *w, const message_task_ref *cancel, uint32_t count); /* answers its parked orders request */
void worker_clock_restart(worker *w);
void worker_free(core *c, worker *w);
void worker_exited(core *c, const core_event *event);
void worker_drain(core *c);

/* request.c */
parked *request_park(core *c, parked_kind kind, const core_event *event, worker *w, uint32_t warm_count,
                     const etna_hash *warm);
void request_unpark(parked *p); /* frees; answers nothing */
void request_forget_pipe(core *c, uint64_t pipe);
void request_deadlines(core *c);
void request_shift(core *c, uint64_t by_ms);
void request_answer(core *c, parked *p, const message *answer, const arrange_task *said); /* sends and frees */
void viewer_asked(core *c, const core_event *event);
void viewer_answer_all(core *c);
void submit_asked(core *c, const core_event *event);
void status_asked(core *c, const core_event *event);
void cancel_asked(core *c, const core_event *event);
void refuse(core *c, const core_event *event, etna_code code, const char *text);

/* endpoint.c */
void endpoint_models(core *c, const core_event *event);
void endpoint_free_all(core *c);
const core_model *endpoint_model(const core *c,
                                 const char *name);    /* NULL: nothing is known of it, so nothing limits it */
bool endpoint_out(const core *c, const core_model *m); /* out of service now */
uint64_t endpoint_wait(core *c, const core_model *m,
                       const message_usage *estimate);   /* ms until it may be called; 0: now */
void endpoint_go(core *c, call *a, const core_model *m); /* a->estimate is set */
void endpoint_landed(call *a);                           /* it flies no more */
void endpoint_answered(core_endpoint *e);                /* with a reply; NULL is fine, also below */
void endpoint_failed(core *c, core_endpoint *e, const message_call_fail *fail);

/* call.c */
void call_fail_asked(core *c, const core_event *event);
void call_begin_asked(core *c, const core_event *event);
void call_end_asked(core *c, const core_event *event);
/* The lease of `t` is lost: its calls in flight are booked at their estimates. `fenced`: its GO may still be under way. */
void call_lost_with(task *t, bool fenced);
bool call_waits_elsewhere(const task *t); /* for an endpoint's answer */
void call_lost_all(run *r);       /* nobody waits for any end any more: the run ended, or its coordinator died */
void call_record_losses(core *c); /* at the end of a step: a loss is a cause, which comes after the step's decisions */
/* What follows from records, live and in replay. False: it cannot come now. */
struct record;
bool call_go(run *r, const struct record *rec, call **ret_call);
bool call_lose(run *r, const etna_slot *slot, bool billed, bool reported);
void call_store(run *r, const etna_slot *slot, const etna_hash *request, const etna_hash *reply,
                const message_usage *usage, const message_usage *recovered, const char *model);

/* tree.c */
node *tree_add(run *r, uint32_t step);
node *tree_node(const run *r, uint32_t number); /* NULL when there is none */
node_handle tree_handle(const node *n);
node *tree_open(const run *r, node_handle handle); /* NULL once it is decided */
void node_state_set(run *r, node *n, core_node_state state);
void branch_state_set(run *r, branch *b, core_branch_state state);
bool branch_terminal(const branch *b);
void tree_edit(const run *r, const node *n, arrange_edit *ret); /* of an edited node; borrows the run's texts */

/* arrange.c: one step */
void step_begin(run *r);
void step_plan_arrived(run *r, node *n, uint32_t plan_number, const arrange_result *result);
void step_branch_arrived(run *r, node *n, uint32_t branch_number, const arrange_result *result);
void step_poll_arrived(run *r, node *n, uint32_t branch_number, uint32_t poll_number, const arrange_result *result);
void step_branch_refused(run *r, node *n, uint32_t branch_number, const char *text);

/* search.c: Algorithm 2 */
void search_begin(run *r);
void search_complete(run *r, node *n, const char *reason);
void search_edited(run *r, node *n, uint32_t winner);
void search_failed(run *r, node *n, core_failure_kind failure);
void search_stop_node(run *r); /* the run ends: its open node, if any, is closed undecided */

/* failure.c: why a step failed and a run ended, in words: the one place that has them */
void failure_text_add(core_text *text, const run *r, const node *n); /* of a FAILED node */
/* Of r->end but for a completion and an error; whole false: without the words of the step that failed. */
void end_text_add(core_text *text, const run *r, bool whole);

/* refusal.c: the first cause of a failure, as data */
arrange_refusal refusal_copy(run *r, const arrange_refusal *from);            /* bounded, in the run's arena */
arrange_obstacle refusal_copy_obstacle(run *r, const arrange_obstacle *from); /* the same */
void refusal_of_plan(run *r, const node *n, const plan *p);
void refusal_of_branches(run *r, const node *n); /* no branch was accepted */
void refusal_say(run *r, uint32_t code, const char *what);

/* memory.c */
void memory_fill(const run *r, const node *n, arrange_task *ret); /* failures and given-up edits of n's place */
void memory_given_up(const run *r, const node *n, arrange_task *ret);
const char *memory_branch_reason(const run *r, const branch *b, etna_arena *arena);
void memory_fingerprint(run *r, node *n); /* sets n->fingerprint */
const node *memory_identical_failure(const run *r,
                                     const node *n); /* an earlier node with the same fingerprint, or NULL */

/* caps.c */
bool cap_tokens(run *r); /* true: the run was ended by it */
bool cap_backtracks(const run *r);
const char *cap_text(core_cap kind);
bool cap_wall_due(const run *r, uint64_t now);
uint64_t cap_wall_deadline(const run *r);
void cap_reach(run *r, core_cap kind);
void cap_apply(run *r, core_cap kind); /* what follows from it */
bool cap_from_outside(core_cap kind);  /* time and money: their records are causes in a replay, not consequences */
typedef enum cap_answer { CAP_FITS = 1, CAP_LATER, CAP_FULL } cap_answer;
cap_answer cap_money(const run *r, uint64_t estimate_micros);

/* record.c */
typedef enum record_kind {
    RECORD_SUBMITTED = 1,
    RECORD_REPLY,
    RECORD_RESULT,
    RECORD_DECISION,
    RECORD_REFUSED,
    RECORD_CAP,
    RECORD_CANCEL,
    RECORD_SUSPENDED,
    RECORD_ENDED,
    RECORD_CALL, /* GO was said */
    RECORD_LOST, /* a call in flight was booked as lost */
    RECORD_KIND_COUNT
} record_kind;

typedef struct record_result { /* RESULT and REFUSED */
    uint32_t kind, node, branch, poll;
    etna_code error;
    const char *text;
    arrange_result result; /* when error is ETNA_OK */
} record_result;

typedef struct record { /* one record as read; pointers live in the arena given */
    record_kind kind;
    uint64_t interval_ms;
    /* SUBMITTED */
    uint32_t version; /* another than ours: nothing else of it is read */
    bool is_whole;    /* its body was read; else it is only ever compared */
    arrange_config config;
    /* REPLY; CALL and LOST: reply.slot, CALL also reply.request */
    core_reply reply;
    bool billed, reported;   /* LOST: it is booked at its estimate; its caller said so */
    message_usage recovered; /* REPLY, CALL: taken back from what was booked as lost */
    /* CALL */
    uint64_t worker, incarnation, task, begin;
    uint32_t attempt;
    message_usage estimate;
    /* RESULT, REFUSED */
    record_result result;
    /* CAP */
    core_cap cap;
    /* DECISION, ENDED, and to compare: everything after the header */
    const uint8_t *body;
    size_t body_size;
} record;

etna_code record_read(const void *data, size_t size, etna_arena *arena, record *ret, etna_error *err);
void record_submitted(run *r);
void record_reply(run *r, const core_reply *reply, const message_usage *recovered);
void record_call(run *r, const record *rec);

/* ledger.c: the accounts of a view, in `arena`; NULL: out of memory */
core_account *ledger_of(const run *r, etna_arena *arena, uint32_t *ret_count);
void record_lost(run *r, const etna_slot *slot, bool billed, bool reported);
void record_result_of(run *r, const record_result *result);
void record_refused(run *r, const record_result *result);
void record_decision(run *r, const node *n, uint32_t next_step);
void record_cap(run *r, core_cap kind);
void record_plain(run *r, record_kind kind); /* CANCEL, SUSPENDED */
void record_ended(run *r);
void record_config(canon_writer *w, const arrange_config *config);
void record_flush_expected(run *r); /* decisions a cut journal lacks are written now */
void record_line(run *r, uint64_t sequence, narration told);
bool record_is_derived(const record *rec);

/* narrate.c: one line per record, its texts the run's; and lines no record tells of */
narration narrate_submitted(run *r);
narration narrate_result(run *r, const record_result *result);
narration narrate_refused(run *r, const record_result *result);
narration narrate_decision(run *r, const node *n, uint32_t next_step);
narration narrate_cap(run *r, core_cap kind);
narration narrate_ended(run *r);
narration narrate_plain(run *r, record_kind kind);           /* CANCEL, SUSPENDED */
narration narrate_left_out(run *r, const core_reply *reply); /* of a reply to a request that was shortened */
void narrate_worker_gone(core *c, const worker *w, const char *why, uint32_t leases);
void narrate_lease_lost(run *r, const task *t, const char *why);
void narrate_task_error(run *r, const task *t, etna_code code, const char *text);
void narrate_outage(run *r);
void narrate_fallback(run *r, const char *from, const char *to, const char *why);
void narrate_mismatch(run *r, const etna_slot *slot);
void narrate_resumed(run *r);

/* request.c, run.c: what a message answers about a run */
void run_status_message(const run *r, message *ret);

#endif
