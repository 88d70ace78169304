/* The whole system but its processes, under one seed: the real core and the real link, around them a virtual clock, a
 * network that loses, repeats, delays and reorders, a disk that forgets what it has not synced, workers and
 * coordinators that are killed, and a deterministic model and geometry. The same options give the same world, event for
 * event.
 *
 *     worker i: link + jobs (job.c) ──bytes──> network ──> shell ──> core ──> groups ──> disk (coordinator.c)
 *                    ^                                                          └─ sends, when the group is durable
 *                    └──────────────────────── network <────────────────────────────┘
 *
 * What must hold is checked as it goes (a breach ends the world with a text) and by the tests on the report. */
#ifndef ETNA_TESTS_SIM_SIM_H
#define ETNA_TESTS_SIM_SIM_H

#include "coordinator/core/core.h"
#include "proto/seed.h"
#include "worker/link/link.h"

enum { SIM_WORKERS_MAX = 8, SIM_RUNS_MAX = 3, SIM_PLANNED_MAX = 8, SIM_TEXT = 1 << 16 };

typedef enum sim_mishap_kind {
    MISHAP_KILL_WORKER = 1,
    MISHAP_KILL_COORDINATOR,
    MISHAP_CUT_WORKER,
    MISHAP_STALL,
    MISHAP_SUSPEND,      /* every run, then resumed */
    MISHAP_DRAIN_WORKER, /* as by SIGTERM: it finishes what it holds, ends, and another is started */
    MISHAP_CANCEL        /* run `worker` */
} sim_mishap_kind;

typedef struct sim_mishap { /* something that goes wrong at a time */
    sim_mishap_kind kind;
    uint64_t at_ms, for_ms; /* for_ms: until it is started anew, connected again, or runs again */
    uint32_t worker;        /* from 0 */
} sim_mishap;

typedef struct sim_options {
    uint64_t seed; /* of delays, losses and everything that is not decided */
    uint32_t workers, slots;
    uint32_t runs; /* beside each other, with the seeds config.seed, config.seed + 1, ... */
    arrange_config config;
    const char *const *script; /* a line per node as harness.h of the core's unit tests; NULL: by hash */
    uint32_t script_count;
    uint32_t delay_ms;                       /* the longest a message takes when all is well */
    uint32_t loss_pct, repeat_pct, late_pct; /* of messages; late: up to 30 s more */
    uint32_t error_pct;                      /* of first attempts */
    uint32_t deadly_pct; /* of tasks: whoever does one dies of it, every time; needs `supervised` to come to an end */
    uint32_t fail_pct;   /* of tries of a model call: refused, overloaded, or broken off and billed */
    uint64_t down_ms, down_for_ms; /* when the model's endpoint answers nobody, and how long */
    uint64_t resume_ms;            /* a run that suspended itself is resumed after this; 60,000 */
    bool fallback;                 /* there is a spare model, at another endpoint */
    uint32_t tries;                /* of a call until it has failed; 1,000: until it succeeds */
    uint32_t mishaps;              /* drawn at random, beside the planned ones */
    sim_mishap planned[SIM_PLANNED_MAX];
    uint32_t planned_count;
    bool supervised; /* exits of workers are seen at once */
    bool trace;      /* print every event */
} sim_options;

typedef struct sim_report {
    bool broken; /* a property did not hold: see text */
    char text[1024];
    run_state state; /* of the first run, as all but the sums, the tree and the final hash, which are of all */
    etna_hash final;
    message_usage used, spent, lost;
    uint32_t backtracks, edits, nodes, mismatches;
    char tree[8192];      /* what was decided, node by node */
    char lines[SIM_TEXT]; /* narration as it became durable, and the mishaps between */
    uint64_t ended_ms;
    uint32_t events, records, kills, drains, deaths, restarts, messages, lost_messages;
    uint32_t calls, slots, calls_killed; /* made; of different slots; under way in a worker as it was killed */
    /* the model's server's own ledger, and how often a run suspended itself */
    message_usage billed, billed_lost; /* lost: of tries that brought no reply */
    uint32_t calls_failed, calls_free, calls_dropped,
        outages; /* free: failed and not billed; dropped: with a cancelled task */
} sim_report;

sim_options sim_options_default(void); /* one worker, no mishaps, an ordered run of a general goal */
void sim_run(const sim_options *options, sim_report *ret_report);

/* ---- shared by sim.c, coordinator.c, job.c ---- */

typedef enum sim_event_kind {
    SIM_TO_COORDINATOR = 1, /* bytes from worker `a` of life `b`, as its request `c` */
    SIM_TO_WORKER,          /* bytes for request `c` of worker `a` of life `b` */
    SIM_COMMIT,             /* the disk is done, in coordinator life `b` */
    SIM_COORDINATOR_TICK,
    SIM_WORKER_TICK,
    SIM_JOB, /* what job `c` of worker `a` of life `b` waited for has come */
    SIM_PIPE_GONE,
    SIM_EXIT_SEEN, /* of sender `a`, incarnation `b`, by the fault `c` */
    SIM_WORKER_START,
    SIM_COORDINATOR_START,
    SIM_LINK_LOST,
    SIM_MISHAP,
    SIM_RESUME
} sim_event_kind;

typedef struct sim_event {
    uint64_t at_ms, order;
    sim_event_kind kind;
    uint64_t a, b, c;
    uint8_t *bytes;
    size_t size;
    sim_mishap mishap;
} sim_event;

typedef struct sim_job sim_job;

typedef struct sim_worker {
    worker_link *link;
    bool alive;
    uint64_t life, sender, incarnation, cut_until, tick_at;
    uint64_t closed;         /* the lives below: their connections are closed, nothing of them comes any more */
    uint64_t drained_for_ms; /* once told to drain: until another is started in its place */
    sim_job *jobs;
} sim_worker;

typedef struct sim_blob {
    etna_hash hash;
    uint8_t *data;
    size_t size;
    bool durable;
} sim_blob;

typedef struct sim_slot { /* a slot of a model call as the world saw it */
    uint8_t run;
    etna_slot slot;
    uint32_t called;
    bool acknowledged;
    uint64_t go_worker, go_life; /* who was last told to go; the life of it */
} sim_slot;

typedef struct sim_context { /* a request that waits in the coordinator */
    uint64_t worker, life, request;
    uint8_t run;     /* the run it speaks of */
    uint64_t result; /* of a good RESULT: its task; else 0 */
    bool ends_call;
    etna_slot slot; /* of a CALL_BEGIN or CALL_END */
} sim_context;

typedef struct sim_group { /* what one step wrote and what may leave when that is durable */
    struct sim_group *next;
    core_record *records; /* data owned */
    uint32_t record_count;
    sim_event *sends; /* bytes owned until they are on their way */
    uint32_t send_count;
    etna_hash blob; /* zero: none */
    char *lines;
} sim_group;

typedef struct sim {
    const sim_options *options;
    sim_report *report;
    etna_random random;
    uint64_t now, order;
    sim_event *heap;
    size_t heap_count, heap_room;
    bool over;

    core *c; /* NULL: down */
    uint64_t coordinator_life, clock_base, tick_at, frozen_until;
    core_record *journal; /* durable */
    uint32_t journal_count, journal_room;
    sim_group *groups, **groups_tail; /* waiting for the disk */
    sim_group *writing;               /* the commit under way: a list */
    sim_context *contexts;            /* handle - 1 */
    size_t context_count, context_room;
    sim_blob *blobs;
    size_t blob_count, blob_room;

    sim_worker workers[SIM_WORKERS_MAX];
    sim_slot *slots;
    size_t slot_count, slot_room;
    uint64_t *done; /* tasks whose good result was acknowledged, their run in the highest byte */
    size_t done_count, done_room;
} sim;

void sim_breach(sim *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void *sim_room(void *items, size_t *room, size_t count, size_t size); /* grows; aborts without memory */
sim_event *sim_at(sim *s, uint64_t in_ms, sim_event_kind kind, uint64_t a, uint64_t b,
                  uint64_t c); /* to be filled at once */
bool sim_model_is_down(const sim *s, const char *model);
uint64_t sim_chance(sim *s, uint64_t below);
bool sim_percent(sim *s, uint32_t percent);
void sim_say(sim *s, const char *line);
/* The worker's process ends; another takes its place after `for_ms`. */
void sim_end_worker(sim *s, uint32_t index, uint64_t for_ms, etna_code fault, const char *how);
etna_id sim_run_id(uint32_t index);
arrange_config sim_config_of(const sim *s, uint32_t index);
void sim_network(sim *s,
                 const sim_event *letter); /* copies its bytes as often as the network likes; kind and a, b, c kept */

/* coordinator.c */
void coordinator_start(sim *s);
void coordinator_kill(sim *s);
void coordinator_received(sim *s, const sim_event *event);
void coordinator_step(sim *s, core_event event);
void coordinator_committed(sim *s);
void coordinator_free(sim *s);
void coordinator_resume(sim *s);

/* job.c: a worker's jobs, its model and its geometry */
void worker_start(sim *s, uint32_t index);
void worker_kill(sim *s, uint32_t index);
void worker_step(sim *s, uint32_t index, link_event event);
void worker_received(sim *s, const sim_event *event);
uint32_t worker_calls(const sim_worker *w); /* under way */
void worker_job_due(sim *s, uint32_t index, uint64_t job);
sim_slot *sim_slot_of(sim *s, uint8_t run, const etna_slot *slot);

/* model.c: what the model says and the geometry finds: functions of the request alone */
typedef struct sim_answer {
    uint8_t bytes[32];
} sim_answer;
uint32_t model_turns(const sim *s, const arrange_task *task, const etna_hash *last,
                     uint32_t turn); /* more turns wanted? */
message_usage model_usage(const etna_hash *reply);
void model_result(const sim *s, const arrange_task *task, const etna_hash *last, etna_arena *arena,
                  arrange_result *ret);

#endif
