/* Runs: from submit to end, what they may use up, what is told of them (run.c,
 * caps.c, narrate.c, ledger.c). */
#ifndef ETNA_COORDINATOR_CORE_RUN_H
#define ETNA_COORDINATOR_CORE_RUN_H

#include "coordinator/core/call.h"
#include "coordinator/core/tree.h"

/* See the drawing above. */
typedef enum run_phase {
    PHASE_IMPORTING = 1,
    PHASE_SEARCHING,
    PHASE_FINISHING,
    PHASE_ENDED,
    PHASE_COUNT
} run_phase;

typedef struct narration { /* what a line tells, for people and for programs */
    const char *text;      /* NULL: nothing is told */
    message_happening happening;
    uint64_t task;    /* that it tells of; 0: of none */
    uint32_t attempt; /* of that; 0: not said */
} narration;

/* A line that the run's viewers can ask for; `told`'s texts are the run's. */
typedef struct run_line {
    uint64_t sequence, time_ms;
    narration told;
} run_line;

/* In a replay: a consequence the core came to, waiting for the journal's record
 * of it. `body` is owned. */
typedef struct run_expected {
    uint8_t kind;
    uint8_t *body;
    size_t size;
    narration told;
} run_expected;

/* builds of workers that a run remembers */
enum {
    RUN_BUILDS_MAX = 8
};
/* parts of one goal that may be passed over */
enum {
    PASSED_PARTS_MAX = 32
};

/* A run in memory. The members stand in groups: what it is, how it stands, what
 * its models were found to be like, the search (METHODS.md 2), what was passed
 * over, its tasks, the lists it is in, its calls, its narration and replay. */
struct run {
    core *core;
    etna_id id;
    run *same_key;    /* in core.run_table */
    etna_arena arena; /* every text and array of the run */
    arrange_config config;
    uint64_t config_bytes; /* of the arena, when the run was made */
    run_phase phase;
    /* replayed or suspended: nothing is leased and no time passes */
    bool dormant;
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
    uint64_t cpu_us; /* told with results since it was taken up last */
    message_usage used, spent, lost;
    uint64_t reserved_micros;
    call_mean means[ROLE_COUNT]; /* by etna_role */
    uint32_t mismatches;
    const char *outage; /* why it was suspended by itself; NULL: it was not */
    /* the same for programs: ETNA_E_NETWORK: no model answers, or none can be
     * read; another: why its result could not be written */
    etna_code rests_by;
    bool stuck;        /* by what trying again would not mend */
    uint32_t outages;  /* in a row: no model has answered since */
    uint64_t retry_ms; /* when it goes on by itself; 0: it does not */
    chain paused;      /* in core.paused while it will */

    etna_hash first_snapshot;
    const char *camera;
    const char *meaning; /* what the reader made of the goal; NULL: nothing */
    uint32_t object_count, movable_count, warning_count;
    const char **warnings;
    /* other than the coordinator's, that took part */
    const char *builds[RUN_BUILDS_MAX];
    uint32_t build_count;
    uint32_t coordinates; /* what its planner was found to count them in */

    /* What of its network models could be read: habit.c. By etna_role. */
    bool was_read[ROLE_COUNT];
    /* conversations in a row that could not be */
    uint32_t unread[ROLE_COUNT];
    /* conversations that had an answer .. */
    uint32_t asked[ROLE_COUNT];
    /* .. and those whose first one was none */
    uint32_t asked_again[ROLE_COUNT];
    /* what was wrong with the first of them */
    const char *unread_first[ROLE_COUNT];
    /* the last step that failed by it, in words; "" */
    const char *unread_why;

    /* Algorithm 2: METHODS.md 2 */
    uint32_t step, anchor, depth_max, backtracks; /* k, d_a, d_max */
    /* nodes[i] has number i + 1 */
    node **nodes;
    uint32_t node_count, node_capacity;
    uint32_t path[ARRANGE_STEPS_MAX], path_count; /* nodes of S_1..S_{k-1} */
    /* the deepest valid scene, as tree_kept has it */
    uint32_t best[ARRANGE_STEPS_MAX], best_count;
    uint32_t final[ARRANGE_STEPS_MAX], final_count; /* from FINISHING on */

    etna_hash export_blob;
    etna_hash *lots;   /* config.lot_count: what each came to; zero: nothing */
    etna_hash *images; /* final_count + 1 */
    /* with config.step_scenes; final_count + 1: those after the kept edits but
     * the last, from 1 */
    etna_hash *scenes;

    /* Of a list, what cannot be done of it: pass.c */
    /* in the order of the list or the goal; room for all */
    core_passed *passed;
    uint32_t passed_count;
    /* the node that failed first since the search got as far as it did; 0:
     * none */
    uint32_t stuck_at;
    /* what the run would have ended by at the first of them; */
    core_end passed_end;
    etna_code passed_error; /* if nothing of it comes to be done it does */
    /* `passed_end` in words; NULL: it has them itself */
    const char *passed_reason;
    arrange_refusal passed_refusal;

    table tasks; /* id -> task */
    chain tasks_open, queue;
    uint32_t task_count, queued_count;
    uint32_t twin_count;
    /* leased, of no step any more: with config.finish_calls, until their call
     * has ended */
    chain tasks_leaving;
    uint32_t leaving_count;
    uint32_t alone_count; /* of the queued ones: those in core.quarantine */
    chain timed;          /* in core.timed when it has a cap of wall time */
    /* in core.ready while it has queued tasks out of quarantine and may run,
     * and no older run of its batch has; the higher priority first */
    chain ready;
    struct batch *batch; /* that it is of; NULL: none */
    chain of_batch;      /* in batch.ready while it has such tasks */
    uint64_t order;      /* the lower came earlier */
    uint32_t skipped;    /* how often a warmer run was served instead */
    chain viewers;       /* parked events requests: request.c */
    /* in core.stirred while a step may have brought them news */
    chain stirred;

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

/* run.c */
/* The configuration is copied. NULL: core.failure. */
run *run_new(core *c, const etna_id *id, const arrange_config *config);
void run_free(run *r); /* with its tasks, calls and tree */
/* Whether a configuration from outside can be done: ETNA_E_USAGE, ETNA_E_LIMIT
 * with words for whoever submits it. The same check holds in replay, so that a
 * journal cannot bring in what a submit may not. */
etna_code run_config_check(const arrange_config *config, etna_error *err);
/* After its first record: queues the import. */
void run_begin(run *r);
/* The import's result counts: the reader is asked, or the search begins. */
void run_import_arrived(run *r, const arrange_result *result);
/* A lot of models was read; zero: nobody could. The last one ends the run. */
void run_lot_over(run *r, uint32_t lot, const etna_hash *blob);
/* What the reader made of the goal counts: the search begins. */
void run_read_arrived(run *r, const arrange_result *result);
/* The search is over: finishing tasks, then `ended`. `error` ETNA_OK: by the
 * search's own rules or a cap. `reason`: of a completion and of an error, which
 * have no words of their own; else NULL. */
void run_search_over(run *r, core_end end, etna_code error, const char *reason);
void run_stop(run *r); /* at once, without finishing tasks */
/* A finishing task is over; when it was the last, the run ends. */
void run_finish_step(run *r);
/* Whatever the search came to, there is nothing to hand over: the run fails. */
void run_export_refused(run *r,
                        core_end end,
                        etna_code error,
                        const char *reason);
/* Its result found no room: it rests, and what is left to do is done when it
 * goes on. */
void run_rest_unwritten(run *r, etna_code code, const char *why);
/* A dormant run goes on; others are left alone. `how` NULL, or its model NULL:
 * with the models it had. What a journal that was cut off lacks is written
 * first. */
void run_resume(run *r, const message_run_resume *how);
/* Other models play from now on; without a record. */
void run_models_set(run *r, const message_run_resume *to);
/* Its leases are taken back and no time of its passes. Nothing where it has
 * ended or rests. */
void run_suspend(run *r);
/* A worker of another build than the coordinator's was given a task of the
 * run. Journaled the first time, for up to RUN_BUILDS_MAX builds. */
void run_build_takes_part(run *r, const char *build);
/* The same without a record. False: it is known, or one too many. */
bool run_build_add(run *r, const char *build);
/* Before run_suspend(), where it rests for its models or for room: sets when it
 * goes on by itself, if options.outage_ms says that it does. */
void run_pause(run *r);
void run_retry_due(core *c); /* what was paused and has waited goes on */
void run_cancel(run *r);
bool run_may_lease(const run *r); /* it neither rests nor has ended */
/* Keeps it in core.ready just while it may be served and has tasks for that. */
void run_ready_update(run *r);
/* into core.ready: behind all others of its priority */
void run_ready_append(run *r);
run_state run_state_now(const run *r);
uint64_t run_time_ms(const run *r); /* recorded time, up to this step's event */
/* Stops at zero, member by member. */
void usage_subtract(message_usage *sum, const message_usage *less);

/* Whether the tokens used reached the cap; then the run was ended by it. */
bool cap_tokens(run *r); /* true: the run was ended by it */
bool cap_backtracks(const run *r);
/* Why the cap ends the run, in words; static. */
const char *cap_text(const run *r, core_cap kind);
/* Wall time counts while the run imports and searches, and neither rests nor is
 * paused. Of the core's clock, ms; CORE_NEVER: it has no such cap, or none that
 * counts now. */
bool cap_wall_due(const run *r, uint64_t now);
uint64_t cap_wall_deadline(const run *r);
void cap_reach(run *r, core_cap kind); /* journals it, and applies it */
void cap_apply(run *r, core_cap kind); /* what follows from it */
/* Time and money: their records are causes in a replay, not consequences. */
bool cap_from_outside(core_cap kind);
/* May a call be paid for? */
typedef enum cap_answer {
    /* yes */
    CAP_FITS = 1,
    /* not while others hold reservations, of which some will be given back */
    CAP_LATER,
    /* no, and never: the run ends */
    CAP_FULL
} cap_answer;
/* Whether a call that is expected to cost so much may be made. Changes
 * nothing. */
cap_answer cap_money(const run *r, uint64_t cost_micros);

#endif
