/* The whole system but its processes, under one seed: the real core, the real
 * link, the real messages, tickets, blobs and store, around them a virtual
 * clock, a network that loses, repeats, delays and reorders, disks that are
 * full, slow, torn or lie, workers and coordinators that are killed, stopped or
 * preempted, clients that vanish, strangers, and a deterministic model and
 * geometry. The same options give the same world, event for event.
 *
 *     client (client.c) ──bytes──┐
 *     worker i: link + jobs ─────┼─> network ──> rules ──> core ──> groups ──> store ──> disk (disk.c)
 *         (job.c)                │   (sim.c)  └─ coordinator.c          └─ sends, when the group is durable
 *     stranger (stranger.c) ─────┘
 *
 * What must hold is checked as it goes (watch.c; a breach ends the world with a
 * text) and by whoever compares reports (worlds.h). */
#ifndef ETNA_TESTS_SIM_SIM_H
#define ETNA_TESTS_SIM_SIM_H

#include "coordinator/core/core.h"
#include "coordinator/shell/blobs.h"
#include "coordinator/shell/ticket.h"
#include "proto/seed.h"
#include "proto/table.h"
#include "store/store.h"
#include "worker/link/link.h"

enum {
    SIM_PLANNED_MAX = 16,
    SIM_TEXT = 1 << 16,
    SIM_OWNERS = 2, /* coordinators at once: one of them is stale */
    /* workers up to which every invariant is looked at after every step */
    SIM_CHECKED_WHOLE = 16,
    SIM_RUNS_TOLD = 3 /* of so many runs the tree is reported */
};

typedef enum sim_mishap_kind {
    MISHAP_KILL_WORKER = 1,
    MISHAP_KILL_COORDINATOR,
    MISHAP_CUT_WORKER, /* both ways */
    MISHAP_STALL,      /* of the coordinator's loop */
    MISHAP_SUSPEND,    /* every run, then resumed */
    /* as by SIGTERM: it finishes what it holds, ends, and another is started */
    MISHAP_DRAIN_WORKER,
    MISHAP_CANCEL,      /* run `worker` */
    MISHAP_CUT_UP,      /* nothing of the worker's arrives */
    MISHAP_CUT_DOWN,    /* nothing arrives at the worker */
    MISHAP_STOP_WORKER, /* as by SIGSTOP; its clock runs on */
    /* it hands back what it holds, ends, and another is started */
    MISHAP_LEAVE_WORKER,
    /* half of the workers are told to leave, and killed two seconds later */
    MISHAP_WAVE,
    /* the worker is started anew while its old process lives on for so long */
    MISHAP_TWIN,
    /* a second coordinator takes the store while the first one lives */
    MISHAP_USURP,
    /* the coordinator dies at its next commit: after it is durable, before
     * anything is sent */
    MISHAP_SLIP,
    MISHAP_DISK_FULL,
    /* the next commit fails, and nobody knows whether it is on the disk */
    MISHAP_DISK_DEAD,
    /* the coordinator's machine falls: a disk that lied forgets what it said
     * was durable */
    MISHAP_MACHINE,
    MISHAP_ROT, /* a blob in the store loses a bit; needs `rotten` */
    /* every connection is closed, and dialled anew after so long */
    MISHAP_FALL,
    /* the worker's connection carries nothing any more, and nobody is told */
    MISHAP_HALF_OPEN,
    /* client `worker` vanishes, and another asks from the beginning */
    MISHAP_CLIENT,
    MISHAP_KINDS
} sim_mishap_kind;

typedef struct sim_mishap { /* something that goes wrong at a time */
    sim_mishap_kind kind;
    /* for_ms: until it is started anew, connected again, or runs again */
    uint64_t at_ms, for_ms;
    uint32_t worker; /* from 0 */
} sim_mishap;

typedef struct sim_options {
    uint64_t seed; /* of delays, losses and everything that is not decided */
    uint32_t workers, slots;
    /* beside each other, with the seeds config.seed, config.seed + 1, ... */
    uint32_t runs;
    arrange_config config;
    /* a line per node as harness.h of the core's unit tests; NULL: by hash */
    const char *const *script;
    uint32_t script_count;
    /* the longest a message takes when all is well */
    uint32_t delay_ms;
    /* of messages; late: up to 30 s more */
    uint32_t loss_pct, repeat_pct, late_pct;
    /* of workers: each of their messages takes up to 2 s */
    uint32_t slow_pct;
    uint32_t error_pct; /* of first attempts */
    /* of tasks: whoever does one dies of it, every time; needs `supervised` to
     * come to an end */
    uint32_t deadly_pct;
    /* some of what runs of lots are to read nobody can read */
    bool unreadable;
    /* when there is no room to write a result, and how long; whoever finds
     * none tells so, or dies of it */
    uint64_t no_room_ms, no_room_for_ms;
    bool no_room_kills;
    /* of what evaluators answer: nobody can read it; 6 */
    uint32_t unread_pct;
    /* of tries of a model call: refused, overloaded, or broken off and
     * billed */
    uint32_t fail_pct;
    /* when the model's endpoint answers nobody, and how long */
    uint64_t down_ms, down_for_ms;
    /* a run that suspended itself is resumed after this; 60,000 */
    uint64_t resume_ms;
    /* there is a spare model, at another endpoint */
    bool fallback;
    /* of a call until it has failed; 1,000: until it succeeds */
    uint32_t tries;
    /* that the model's endpoint takes; 0: any number */
    uint32_t in_flight, per_minute;
    /* not 0: a run whose model is out pauses for this long and goes on by
     * itself */
    uint64_t outage_ms;
    /* median of a call's time, log-normal; 0: evenly up to 3 s */
    uint32_t model_ms;
    uint32_t mishaps; /* drawn at random, beside the planned ones */
    /* bits 1 << sim_mishap_kind that are drawn from; 0: the first five */
    uint64_t kinds;
    sim_mishap planned[SIM_PLANNED_MAX];
    uint32_t planned_count;
    bool supervised; /* exits of workers are seen at once */
    /* a worker's next incarnation says how the one before ended */
    bool told;
    bool clients;      /* runs are submitted and followed over the network */
    uint64_t queue_ms; /* between one client's submit and the next one's */
    /* who has no right to anything says all kinds of things */
    bool strangers;
    /* the last worker is of another build than the coordinator, and is not
     * served */
    bool other_build;
    /* a model says something else each time it is asked: runs may end
     * otherwise */
    bool fickle;
    /* of workers: they begin anywhere and run up to 5 % fast or slow */
    bool clocks;
    /* of a worker, with those that wait for a model; 0: slots */
    uint32_t jobs_most;
    uint32_t scenes;       /* that runs are of, one after the other; 0: one */
    uint32_t slow_disk_ms; /* the longest a commit takes; 0: 12 */
    /* the disk keeps the last commits in its memory and says they are
     * durable */
    bool lies;
    bool rotten; /* blobs lose bits: runs may end otherwise, but they end */
    bool large;  /* some blobs are of several chunks */
    /* when all runs have ended, the coordinator drains, and every worker goes
     * home */
    bool drain;
    /* nothing is kept on disk: for worlds of many thousands, in which no
     * coordinator dies */
    bool lean;
    bool trace; /* print every event */
    /* NULL: a disk of its own. Else opens the store that a coordinator writes
     * to; after one has closed it, again. */
    store *(*open)(void *context);
    /* so many are durable now; NULL: nobody asks */
    void (*committed)(void *context, uint32_t records);
    void *context;
} sim_options;

typedef struct sim_report {
    bool broken; /* a property did not hold: see text */
    char text[1024];
    /* of the first run, as all but the sums, the tree and the final hash, which
     * are of all */
    run_state state;
    etna_hash final;
    message_usage used, spent, lost;
    uint32_t backtracks, edits, nodes, mismatches;
    char tree[8192]; /* what was decided, node by node */
    /* narration as it became durable, and the mishaps between */
    char lines[SIM_TEXT];
    size_t lines_size;
    uint64_t ended_ms;
    uint32_t events, records, kills, drains, deaths, restarts, messages,
        lost_messages;
    /* made; of different slots; under way in a worker as it was killed */
    uint32_t calls, slots, calls_killed;
    /* the model's server's own ledger, and how often a run suspended itself */
    /* lost: of tries that brought no reply */
    message_usage billed, billed_lost;
    /* free: failed and not billed; dropped: with a cancelled task */
    uint32_t calls_failed, calls_free, calls_dropped, outages;
    /* given; of attempt 2 and above; to who did not hold the scene warm */
    uint32_t leases, leases_again, leases_cold;
    uint32_t leases_lost; /* taken back from workers */
    /* of strangers; tickets that did not fit; commits that met a full disk;
     * owners fenced */
    uint32_t refusals, forged, fulls, stales;
    uint32_t no_rooms; /* results that found none */
    uint32_t blob_bytes;
    /* of models and geometry, of all workers together */
    uint64_t work_ms;
    size_t core_bytes, link_bytes; /* with `lean`: of memory, at the end */
    uint64_t run_ended_ms[SIM_RUNS_TOLD];
    uint32_t jobs_at_resume; /* that workers had when runs were resumed */
    /* the most tries at once of a model that had been out of service for a
     * minute */
    uint32_t tried_while_down;
    /* the most grants that one living run was behind another, out of batches */
    uint64_t grants_apart;
    uint32_t mishaps[MISHAP_KINDS];
} sim_report;

/* one worker, no mishaps, an ordered run of a general goal */
sim_options sim_options_default(void);
void sim_run(const sim_options *options, sim_report *ret_report);
/* Called with each line as it becomes durable, beside report.lines, which holds
 * the first SIM_TEXT bytes. NULL: none. */
void sim_run_told(const sim_options *options,
                  sim_report *ret_report,
                  void (*tell)(void *context, const char *line),
                  void *context);
const char *sim_mishap_name(sim_mishap_kind kind);

#endif
