/* The core decides: which task exists, who holds it, what its result means,
 * when a run backtracks, ends, or must wait. It is a function from (state,
 * event) to update. No clock, no I/O, no threads, no randomness: time arrives
 * in events, and what must be kept or said leaves in the update. A unit test
 * lists the library's undefined symbols.
 *
 * The shell's contract, for every step:
 *   1. call core_step with one event; on an error end the program (exit 4):
 *      memory is then ahead of the disk;
 *   2. append update.records and update.replies and write update.rows, all in
 *      one commit group (several steps may share a group; a group is never
 *      split);
 *   3. when that group AND every earlier one is durable, hand out update.sends
 *      in order, then update.drops; a send of `only_leases` may leave as soon
 *      as the records are durable that its leases follow from, of their runs
 *      alone;
 *   4. ask core_next_deadline() and step with CORE_TICK no later than that.
 * All memory of an update belongs to the core and is valid until the next
 * core_step / core_replay.
 *
 * What the core never sees: blobs (the shell answers BLOB_GET and BLOB_PUT),
 * MACs, epochs of others (the shell drops those), bytes on the wire. The shell
 * passes on a RESULT or a CALL_END only when every blob it names
 * (result.snapshot, result.blob, call_end.reply) is in its store, and otherwise
 * answers MESSAGE_REFUSED / ETNA_E_NOTFOUND itself.
 *
 * Tickets. A lease leaves with a ticket that the shell makes
 * (coordinator/shell/ticket.h), and the shell refuses results and calls of a
 * task that come without the right one. In the list of what a worker holds it
 * marks such entries `is_forged`: the core tells the worker to stop those, and
 * takes none of them for a lease.
 *
 * Answers a peer must be ready for: CALL_END may be answered
 * CALL_ANSWER/CALL_STOP instead of CALL_ACK (another attempt has the slot: drop
 * the task); any request may be answered REFUSED; a request that is dropped
 * gets no answer and is retried with the same (sender, incarnation, sequence).
 *
 * Calls of models that cost something (tokens or money in their estimate;
 * others are free, and nothing below is about them): a GO is journaled before
 * it leaves, so that no death can hide that a call may have been paid for. From
 * GO to its end a call is in flight. It is booked as lost when its lease is
 * lost, its task is dropped, its run ends, or the run is resumed after its
 * coordinator died: at what its role's calls took so far, by the estimate of
 * its request and their mean answer. If its end comes after all, that is taken
 * back and the usage booked.
 *   Fence. A GO may be under way to a worker whose lease is lost meanwhile. A
 * worker acts on a GO only while it holds the task and within MESSAGE_GO_MS of
 * sending the CALL_BEGIN that it answers; a later one it throws away and asks
 * anew, and the GO to that is journaled anew. The core tells another attempt to
 * WAIT until fence_ms after it last said GO (after a restart: after the
 * resume), unless the first one's process is known to have ended or itself gave
 * the task up. So once a second attempt was told to go, the first can begin no
 * call. It may still be ending one that it began before it fell silent: that is
 * the one repeat which a lost lease may cost; whose end comes first has the
 * slot if no other is in flight, else the newer attempt, and the other is told
 * to stop.
 *
 * Stragglers. While a worker has nothing else to do, it is given a task that
 * another one holds and that takes far longer than its kind did so far, but
 * only where no model is asked that costs something. The first valid result
 * counts and the other worker is told to stop. Looked at when a step comes,
 * thus each second as the shell ticks.
 *
 * Deadly tasks. A death by the worker's own doing is laid to every task in its
 * hands, as nobody knows which did it; but to those that wait for a model's
 * server only where all do: hundreds may wait at once, and none of those
 * computes. A task to which two are laid is in quarantine: it is given to a
 * worker whose hands are empty and who gets nothing beside it. After a third,
 * which counts only of who did it alone, it is refused (RECORD_REFUSED), as
 * after too many errors. The first two are journaled, so that a restarted
 * coordinator goes on counting. Deaths are known from a supervisor alone: a
 * coordinator's own of its children (CORE_WORKER_EXITED), or a worker's, whose
 * next incarnation says how the one before ended (MESSAGE_DEATH). A connection
 * that was closed, or silence, is no death; but what was taken from a worker
 * for that is remembered for a while, as a supervisor tells of the death only
 * when it starts the next one. How workers died reaches no prompt and no
 * decision.
 *
 * Recovery: core_replay for every record of a run's journal in order, then
 * CORE_RESUME to let it run (without that the run stays dormant and can be
 * viewed). A decision that comes out differently is ETNA_E_CORRUPT with the
 * record's number. */
#ifndef ETNA_COORDINATOR_CORE_H
#define ETNA_COORDINATOR_CORE_H

#include "proto/arena.h"
#include "proto/arrange.h"
#include "proto/error.h"
#include "proto/hash.h"
#include "proto/message.h"
#include "proto/models.h"
#include "proto/seed.h"

/* Of decisions and records; grows when the same journal would be decided
 * differently. A run is read by the version that it was submitted under
 * alone. */
enum {
    CORE_VERSION = 21
};

/* A deadline that never comes. */
#define CORE_NEVER UINT64_MAX

/* the longest pause before a run tries its models again */
enum {
    CORE_OUTAGE_MOST_MS = 600000
};

typedef struct core core;

/* Made by core_options_default() and then changed. Comments begin with the
 * default; times are milliseconds. */
typedef struct core_options {
    uint32_t cookie; /* core_options_default() sets it */
    uint64_t epoch;  /* the owner's; written into every answer */
    /* 20,000: a lease request is answered "nothing" after this */
    uint32_t lease_park_ms;
    uint32_t orders_park_ms; /* 10,000 */
    uint32_t events_park_ms; /* 10,000 */
    /* 25,000 after the last orders request was answered without a new one */
    uint32_t lost_after_ms;
    /* 2,000 after its connection was closed, unless it is back by then, or over
     * half of the workers' connections, and more than one, were closed within
     * so long: then it is the network, or we, and lost_after_ms counts */
    uint32_t closed_after_ms;
    /* 500: what a caller is told to wait while reservations of others fill the
     * money cap, or at the fence */
    uint32_t call_wait_ms;
    /* 20,000: MESSAGE_GO_MS and what clocks may differ in */
    uint32_t fence_ms;
    /* 0: a run whose models don't answer, or whose result finds no room, is
     * suspended; else it pauses for this long, doubled at each outage in a row
     * up to CORE_OUTAGE_MOST_MS, and goes on by itself */
    uint32_t outage_ms;
    /* the program's; a worker that says it is of another gets no task, but
     * waits and is told why. NULL: any is served. Borrowed */
    const char *build;
    /* others are served; each run that they take part in says so */
    bool mixed_builds;
    /* 65,536: no new run is taken while so many are in memory; who submits
     * tries later */
    uint32_t runs_most;
    /* 512 MiB: likewise, of what their configurations hold in memory */
    uint64_t config_bytes_most;
    /* 3: errors of a task (not lost leases) until it is refused */
    uint32_t attempts;
    /* tests: an illegal transition traps instead of returning
     * ETNA_E_INTERNAL */
    bool strict;
} core_options;
/* The defaults, with the cookie that core_new() looks for. */
core_options core_options_default(void);

/* ETNA_E_INTERNAL: options that core_options_default() did not make;
 * ETNA_E_NOMEM. The options are copied, options.build is borrowed for the
 * core's life. The caller frees the core. One thread at a time. */
etna_code core_new(const core_options *options,
                   core **ret_core,
                   etna_error *err);
void core_free(core *c); /* NULL is fine */

/* What can happen to the core. Which members of core_event belong to a kind
 * stands there. */
typedef enum core_event_kind {
    CORE_TICK = 1, /* time only */
    /* `message` came from `pipe` and waits for an answer as `request` */
    CORE_MESSAGE,
    /* `pipe` was closed: no message of it comes after this */
    CORE_PIPE_GONE,
    /* a supervisor saw the process of `worker` end (`incarnation` 0: whichever
     * it was) */
    CORE_WORKER_EXITED,
    CORE_RESUME, /* a replayed or suspended run goes on */
    /* `run`, or every run when it is all zero: no more leases, tasks cancelled,
     * journaled */
    CORE_SUSPEND,
    /* tell every worker to ask for no more and to exit when idle */
    CORE_DRAIN,
    /* what is known of `models` from now on: limits, fallbacks; those not named
     * stay as they were */
    CORE_MODELS,
    /* a run that ended or rests leaves memory (its journal stays); a running
     * one is left alone */
    CORE_FORGET,
    CORE_EVENT_KIND_COUNT
} core_event_kind;

/* One event. Everything it refers to is borrowed during the step. */
typedef struct core_event {
    core_event_kind kind;
    /* a monotonic clock of the shell's, from anywhere; never goes back */
    uint64_t now_ms;
    /* how long the loop did not run although it should have; > 1,000 moves
     * every deadline */
    uint64_t stall_ms;
    /* MESSAGE */
    /* the shell's handle of the waiting context, unique while it waits; 0: no
     * answer is wanted */
    uint64_t request;
    uint64_t pipe;
    const message *message;
    const arrange_config *config; /* RUN_SUBMIT, unpacked */
    /* RESULT with error ETNA_OK, unpacked; NULL: its payload was not well
     * formed */
    const arrange_result *result;
    /* PIPE_GONE: pipe. WORKER_EXITED: */
    uint64_t worker, incarnation;
    /* what its supervisor saw it die of, when that was its own doing:
     * ETNA_E_INTERNAL (a signal other than SIGKILL and SIGTERM), ETNA_E_NOMEM
     * (the system killed it for memory). ETNA_OK: it ended by itself or from
     * outside, or nobody knows */
    etna_code fault;
    /* of a fault, in words: "was ended by signal 11"; borrowed during the
     * step */
    const char *why;
    /* RESUME, SUSPEND, FORGET: */
    etna_id run;
    /* RESUME: with which models it goes on; NULL: as before */
    const message_run_resume *resume;
    const models *models; /* MODELS: borrowed during the step */
} core_event;

/* Record number `sequence` of the run's journal, as canonical bytes
 * (record.c). */
typedef struct core_record {
    etna_id run;
    uint64_t sequence;
    const uint8_t *data;
    size_t size;
} core_record;

/* A row of the table of replies; the same facts are in a record. */
typedef struct core_reply {
    etna_id run;
    etna_slot slot;
    etna_hash request, reply;
    message_usage usage;
    /* that answered; in the record, not in the table */
    const char *model;
    /* likewise: what the request was shortened by */
    uint32_t images_left_out, texts_left_out;
} core_reply;

/* The row of `runs` to write. The shell adds the packed config and the time. */
typedef struct core_row {
    etna_id run;
    run_state state;
    bool submitted; /* first time: this step's event was its RUN_SUBMIT */
    /* paused: no model of its answers, or there is no room for its result, and
     * it goes on by itself */
    bool waiting;
    const char *scene, *goal;
} core_row;

/* The answer to `request`. */
typedef struct core_send {
    uint64_t request;
    message message;
    /* MESSAGE_LEASE with a task: the shell packs it into body.lease.payload */
    const arrange_task *task;
    /* MESSAGE_LEASES: one for each, likewise */
    const arrange_task *const *tasks;
    /* it acknowledges nothing: see step 3 of the contract */
    bool only_leases;
} core_send;

/* A line of narration. `sequence` 0: no record tells of it (a lost worker, a
 * mismatch), so that it is not told again after a restart. */
typedef struct core_line {
    etna_id run; /* all zero: of no run */
    uint64_t sequence, time_ms;
    const char *text;
    message_happening happening; /* the same for programs */
    /* that it tells of (message_task_ref); 0: of none, or told before a
     * restart */
    uint64_t task;
    uint32_t attempt; /* of that; 0: not said */
} core_line;

/* What a step wants kept and said. Valid until the next core_step() or
 * core_replay(), and handed out by the contract at the top. */
typedef struct core_update {
    uint32_t record_count, reply_count, row_count, send_count, drop_count,
        line_count;
    const core_record *records;
    const core_reply *replies;
    const core_row *rows;
    const core_send *sends;
    /* requests that get no answer: close or recycle their contexts */
    const uint64_t *drops;
    const core_line *lines;
} core_update;

/* One step. ETNA_OK: *ret_update is set. ETNA_E_NOMEM, ETNA_E_INTERNAL: the
 * core cannot be used any more (every later call fails), as its memory is ahead
 * of what is kept. Malformed or impossible messages are no errors: they are
 * answered REFUSED. */
etna_code core_step(core *c,
                    const core_event *event,
                    core_update *ret_update,
                    etna_error *err);

/* The latest time (now_ms) at which CORE_TICK must come; CORE_NEVER when
 * nothing waits for time. */
uint64_t core_next_deadline(const core *c);

/* Feeds record `sequence` (from 1, no gaps) of `run`. ETNA_E_CORRUPT: it does
 * not follow, or was decided differently; the text names run and record.
 * ETNA_E_NEWER: written by a newer core. ETNA_E_MESSAGE: not a record, or an
 * older core's. */
etna_code core_replay(core *c,
                      const etna_id *run,
                      uint64_t sequence,
                      const void *record,
                      size_t size,
                      etna_error *err);

/* What the next record of `run` answers, asked before it is fed: the task as a
 * worker is given it, and the result that the journal holds of it. *ret_answers
 * false: it answers none (another kind of record, or a task that ended by an
 * error). Both live until the next core_step or core_replay. ETNA_E_MESSAGE,
 * ETNA_E_NEWER: not a record; ETNA_E_NOMEM. */
etna_code core_replay_task(core *c,
                           const etna_id *run,
                           const void *record,
                           size_t size,
                           bool *ret_answers,
                           arrange_task *ret_task,
                           arrange_result *ret_result,
                           etna_error *err);

/* What a record says of a model's reply, by whom and shortened by what; *ret_is
 * false: it is a record of another kind. Texts live in `arena`. ETNA_E_MESSAGE,
 * ETNA_E_NEWER: not a record; ETNA_E_NOMEM. */
etna_code core_record_reply(const void *record,
                            size_t size,
                            etna_arena *arena,
                            bool *ret_is,
                            core_reply *ret,
                            etna_error *err);

/* Invariants of the whole state; tests call it after every step.
 * ETNA_E_INTERNAL says which one broke and where. */
etna_code core_check(const core *c, etna_error *err);

/* A blob's name, borrowed for the call. The same one may come several times. */
typedef void (*core_hash_fn)(void *context, const etna_hash *blob);
etna_code core_record_hashes(const void *record,
                             size_t size,
                             core_hash_fn each,
                             void *context,
                             etna_error *err);

/* ---- what a run looks like ---- */

/* A step of the search, as it is told to viewers; tree.c has the
 * transitions. */
typedef enum core_node_state {
    NODE_PLANNING = 1, /* waits for the planner */
    NODE_BRANCHING,    /* branches and polls are under way */
    /* the planner said finished, or the list is done: the search ended here */
    NODE_COMPLETE,
    NODE_EDITED, /* a branch won; part of the current path */
    NODE_FAILED,
    NODE_GIVEN_UP, /* was edited, then left by backtracking */
    NODE_STOPPED,  /* the run ended while it was open */
    NODE_STATE_COUNT
} core_node_state;

/* A branch of a step. */
typedef enum core_branch_state {
    BRANCH_WAITING = 1, /* for its plan */
    BRANCH_RUNNING,     /* its task is queued or leased */
    /* valid; its polls are queued, leased or partly there */
    BRANCH_POLLING,
    BRANCH_FAILED,   /* the executor or a check failed it */
    BRANCH_ACCEPTED, /* mean verdict > 0 */
    BRANCH_REJECTED,
    BRANCH_UNJUDGED, /* too many polls abstained */
    /* cut off by the step's end; in `ordered` also: judged, but above the
     * winner */
    BRANCH_DROPPED,
    BRANCH_STATE_COUNT
} core_branch_state;

/* Why a step failed; failure.c has the words. */
typedef enum core_failure_kind {
    FAILURE_NONE = 0,
    FAILURE_BRANCHES, /* none of its branches was accepted; each says why */
    /* its planner says that the goal cannot be reached from there */
    FAILURE_IMPOSSIBLE,
    FAILURE_PLAN,  /* its planner's answers could not be read */
    FAILURE_EDITS, /* the sequence holds as many edits as it may */
    /* nothing that a model answered could be read: it is tried anew, perhaps by
     * another model */
    FAILURE_UNREAD,
    FAILURE_UNREADABLE, /* its instruction, one of a list, could not be read */
    /* its network planner says that the goal is reached, and nothing else
     * says so */
    FAILURE_UNPROVEN,
    FAILURE_KIND_COUNT
} core_failure_kind;

/* Which cap ended a run; the numbers are in the journal. */
typedef enum core_cap {
    CAP_BACKTRACKS = 1,
    CAP_TOKENS,
    CAP_WALL,
    CAP_MONEY,
    CAP_COUNT
} core_cap;

/* Why a run ended. */
typedef enum core_end_kind {
    END_NONE = 0, /* it has not */
    END_COMPLETE,
    END_CAP,        /* `cap` says which */
    END_IDENTICAL,  /* a step failed exactly as node `node` did */
    END_ONE_WAY,    /* a step failed, and this run does not backtrack */
    END_UNREADABLE, /* the goal could not be read */
    END_CANCELLED,
    END_ERROR,       /* a task could not be done */
    END_PASSED_OVER, /* all is done but what was passed over */
    /* a network planner says that the goal is reached, and nothing else does */
    END_UNPROVEN,
    END_KIND_COUNT
} core_end_kind;

/* `cap` and `node` belong to END_CAP and END_IDENTICAL. */
typedef struct core_end {
    core_end_kind kind;
    core_cap cap;
    uint32_t node;
} core_end;

/* An instruction of a list, or a part of a goal, that could not be read or
 * done: the others were tried without it. */
typedef struct core_passed {
    /* of a list, from 1; of a goal, the how many-th it was */
    uint32_t item;
    uint32_t node; /* the step that failed by it */
    /* why; of a goal, its part says what was passed over */
    arrange_refusal refusal;
} core_passed;

/* A branch as viewers see it. All of it is in the view's
 * arena. */
typedef struct core_branch_view {
    uint32_t number; /* from 0 */
    core_branch_state state;
    uint32_t status; /* arrange_branch_status once its task is done, else 0 */
    const char *instruction, *object, *plane, *reason; /* "" when none */
    arrange_pose pose;
    double elsewhere;  /* as arrange_result's */
    double loss, mean; /* mean verdict, -2..2, when judged */
    etna_hash snapshot;
    uint32_t poll_count; /* of the configuration */
    /* arrange_verdict; VERDICT_ABSTAIN also for those not there */
    const uint32_t *verdicts;
    /* poll_count: what each evaluator saw; "" when it has not spoken */
    const char *const *poll_reasons;
    uint32_t candidates, survivors, collision_checks;
    uint32_t tries[BRANCH_REPEATED]; /* as arrange_result's */
    const char *constraints;
    /* kind NONE: nothing is known; its plane is never NULL */
    arrange_obstacle obstacle;
} core_branch_view;

/* A step as viewers see it. */
typedef struct core_node_view {
    uint32_t number, parent; /* from 1 in the order decided; parent 0: S_0 */
    uint32_t step;           /* k */
    core_node_state state;
    uint32_t anchor;               /* d_a when it was begun */
    uint64_t begun_ms, decided_ms; /* in recorded time; decided 0: open */
    /* arrange_plan_status of the first plan, 0: none */
    uint32_t plan_status;
    const char *instruction, *reason;
    core_failure_kind failure; /* FAILED */
    /* GIVEN_UP: the node whose failure led back behind it */
    uint32_t given_up_for;
    /* what the first plan says beside its status; "" */
    const char *plan_reason;
    arrange_refusal refusal; /* the same in parts; code NONE: it says none */
    /* of a list: the instruction that the first plan serves, from 1; 0: not
     * said */
    uint32_t item;
    /* FAILED: the item of what was passed over then; 0: nothing */
    uint32_t passed;
    bool makes_way;          /* its winner's plan only makes way */
    int32_t winner;          /* branch, or -1 */
    etna_hash before, after; /* S_{k-1}; S_k when edited */
    uint32_t branch_count;
    const core_branch_view *branches;
} core_node_view;

/* What models cost at one step, in one role, of one model. What the import used
 * is of node 0 and no role; a call that does not say which model was asked
 * means the run's. */
typedef struct core_account {
    uint32_t node, role; /* etna_role */
    const char *model;
    message_usage used, spent, lost; /* as the run's */
    /* calls of the conversations used that asked again because an answer could
     * not be read, or an executor's constraints not be solved */
    uint32_t asked_again;
    /* how long the calls spent were under way, since the run was taken up
     * last */
    uint64_t waited_ms;
} core_account;

/* A run as viewers see it: a copy, from which nothing of the core's memory can
 * be reached. */
typedef struct core_run_view {
    etna_id run;
    run_state state;    /* a dormant run is RUN_SUSPENDED */
    bool searching;     /* false: importing, finishing or ended */
    core_end end;       /* why it ended */
    const char *reason; /* the same in words; "" before */
    /* the first thing that stood in its way, whether or not it got past; code
     * NONE: nothing */
    arrange_refusal refusal;
    /* what was passed over, in the order of the list or the goal */
    uint32_t passed_count;
    const core_passed *passed;
    /* not ETNA_OK: ended by an error; etna_exit_code(error) is the exit code of
     * `etna run` */
    etna_code error;
    /* paused or suspended because no model of its answers any more, or none
     * that can be read, or because its result found no room: what went wrong
     * and what to do; else "" */
    const char *outage;
    /* with outage: ETNA_E_NETWORK: its models; another: of its result */
    etna_code rests_by;
    /* of what was before it, the goal and the snapshot alone */
    const arrange_config *config;
    uint32_t step, anchor, depth_max; /* k, d_a, d_max */
    uint32_t backtracks, mismatches;
    message_usage used, spent, lost; /* lost is part of spent */
    uint32_t account_count;          /* their parts: each sums to the run's */
    const core_account *accounts;    /* by node, role, model */
    uint64_t wall_ms;                /* the sum of recorded intervals */
    /* What workers' processors did for its tasks, as told with results since it
     * was taken up last; 0: no worker says so. Tasks that were cancelled tell
     * nothing */
    uint64_t cpu_us;
    uint64_t last_sequence;
    etna_hash first_snapshot; /* S_0; zero before the import */
    etna_hash final_snapshot; /* of the kept edits; S_0 when none */
    uint32_t object_count, movable_count, warning_count;
    const char *const *warnings;
    /* of workers that took part although they are not of the coordinator's
     * build */
    uint32_t build_count;
    const char *const *builds;
    /* kept so far: complete: S_1..S_k; else the deepest valid scene */
    uint32_t edit_count;
    const arrange_edit *edits;
    etna_hash result; /* the exported GLB; zero: none */
    /* config->lot_count: what its lots came to; zero: nobody could read it, or
     * not yet */
    const etna_hash *lots;
    /* with config.step_scenes, edit_count + 1: the GLBs after all edits but the
     * last, from 1 */
    const etna_hash *scenes;
    /* edit_count + 1: S_0, then each kept edit annotated; zero: none */
    const etna_hash *images;
    uint32_t node_count;
    const core_node_view *nodes; /* in order of number */
} core_run_view;

/* How many runs go on: neither ended nor suspended, nor paused for a model. */
uint32_t core_live(const core *c);
/* A DRAIN came: no new run is taken, and when core_live() is 0 everything is
 * done. */
bool core_is_closing(const core *c);

/* How many tasks a worker holds; 0 too for one that is not known, or of another
 * incarnation. */
uint32_t core_leases(const core *c, uint64_t worker, uint64_t incarnation);
/* Whether anything is still wanted of the task that `ref` names, by whichever
 * attempt. */
bool core_task_is_open(const core *c, const message_task_ref *ref);

/* A run as it stands; everything lives in `arena`. ETNA_E_NOTFOUND,
 * ETNA_E_NOMEM. */
etna_code core_view(const core *c,
                    const etna_id *run,
                    etna_arena *arena,
                    core_run_view *ret_view,
                    etna_error *err);

/* The narration so far, of records with sequence > after; lives in `arena`. */
etna_code core_lines(const core *c,
                     const etna_id *run,
                     uint64_t after,
                     etna_arena *arena,
                     core_line **ret_lines,
                     uint32_t *ret_count,
                     etna_error *err);

/* Runs in memory, in the order they came. Returns how many there are; fills at
 * most `room`. */
uint32_t core_runs(const core *c, etna_id *ret_runs, uint32_t room);

/* buckets of a histogram, the last for all */
enum {
    CORE_BUCKETS = 7
};
/* Upper bounds in ms of core_latency's buckets; the last one is no bound. */
extern const uint32_t core_bucket_ms[CORE_BUCKETS];

/* How long something took, each time. */
typedef struct core_latency {
    uint64_t count, sum_ms;
    /* how many took at most core_bucket_ms of the same index, thus cumulative;
     * the last: all */
    uint64_t buckets[CORE_BUCKETS];
} core_latency;

/* Of one task_kind, since the core began; the first two as of now. */
typedef struct core_kind_totals {
    uint32_t queued, leased; /* now */
    /* leases, and those of them that were not a task's first */
    uint64_t granted, repeated;
    /* leases of tasks that another worker held, and went on to hold */
    uint64_t doubled;
    /* results that say it could not be done; tasks that were given up */
    uint64_t errors, refused;
    core_latency waited, took; /* from queue to lease; from lease to result */
} core_kind_totals;

/* What a coordinator is watched by. Nothing that a journal holds is decided by
 * it. */
typedef struct core_totals {
    core_kind_totals kinds[TASK_KIND_COUNT];
    uint64_t leases_lost, deaths;
    /* what models answered or may have been paid for, while this core ran */
    message_usage spent;
} core_totals;
/* Of ended runs, and of open ones as they are now. */
core_totals core_measure(const core *c);

/* A worker that is there: its name, the tasks it holds, its results that
 * counted. */
typedef struct core_worker_view {
    uint64_t id;
    uint32_t leases;
    uint64_t results;
} core_worker_view;
/* Those that are there. Returns how many; fills at most `room`. */
uint32_t core_workers(const core *c,
                      core_worker_view *ret_workers,
                      uint32_t room);

/* For status pages and tests. */
typedef struct core_counts {
    uint32_t runs, workers, tasks_queued, tasks_leased, lease_requests_parked,
        orders_parked, viewers_parked, calls_in_flight;
} core_counts;
core_counts core_count(const core *c);

/* A short stable name, static; "unknown" for what is none. */
const char *core_node_state_name(core_node_state state);
const char *core_branch_state_name(core_branch_state state);
/* "branches", ...; "" for NONE */
const char *core_failure_name(core_failure_kind kind);
/* "cap", ...; "" for NONE */
const char *core_end_name(core_end_kind kind);
/* "backtracks", ...; "" for none */
const char *core_cap_name(core_cap cap);

#endif
