/* What the simulator's files share. */
#ifndef ETNA_TESTS_SIM_SIM_INTERNAL_H
#define ETNA_TESTS_SIM_SIM_INTERNAL_H

#include "tests/sim/sim.h"

typedef enum sim_event_kind {
    SIM_TO_COORDINATOR = 1, /* bytes from `a` of life `b`, as its request `c` */
    SIM_TO_WORKER,          /* bytes for request `c` of `a` of life `b` */
    SIM_COMMIT,             /* the disk is done, in coordinator life `b` */
    SIM_COORDINATOR_TICK,
    SIM_WORKER_TICK,
    /* what job `c` of worker `a` of life `b` waited for has come */
    SIM_JOB,
    SIM_PIPE_GONE, /* `a`, as its owner sees */
    SIM_EXIT_SEEN, /* of sender `a`, incarnation `b`, by the fault `c` */
    SIM_WORKER_START,
    /* worker `a` of life `b` is killed if it lives, and started anew `c` ms
     * later */
    SIM_WORKER_END,
    SIM_COORDINATOR_START,
    SIM_LINK_LOST,
    SIM_REOPEN, /* the coordinator is still away: another connection is tried */
    SIM_MISHAP,
    SIM_RESUME,
    /* client `a` looks at its clock, when it still is of life `b` */
    SIM_CLIENT,
    SIM_STRANGER
} sim_event_kind;

/* Who is at the other end of the network: workers by their index, and above
 * them these. */
enum {
    REOPEN_MS = 10000
}; /* as worker/shell has it */
#define SIM_CLIENTS (UINT64_C(1) << 32)
#define SIM_STRANGERS (UINT64_C(1) << 33)

typedef struct sim_event {
    sim_event_kind kind;
    uint64_t a, b, c;
    uint64_t pipe;       /* of a message */
    uint32_t owner;      /* the place of the coordinator that it is for */
    uint64_t owner_life; /* its life when that was sent; 0: it was down */
    uint8_t *bytes;
    size_t size;
    sim_mishap mishap;
    struct sim_event *next_spare; /* when it has happened */
} sim_event;

typedef struct sim_due { /* when an event comes; ties as they were said */
    uint64_t at_ms, order;
    sim_event *event;
} sim_due;

typedef struct sim_job sim_job;

typedef struct sim_handing { /* a request with results */
    uint64_t sequence;
    bool asked; /* for tasks, when it was sent first */
} sim_handing;

typedef struct sim_worker {
    worker_link *link;
    bool alive;
    uint64_t life, sender, incarnation, tick_at;
    uint64_t last_incarnation; /* of its name, its twin's too */
    uint64_t up_cut_until, down_cut_until, stopped_until;
    /* what its clock showed when it was started, at the world's started_ms */
    uint64_t clock_base;
    uint64_t started_ms;
    int32_t drift; /* thousandths */
    bool slow;
    uint64_t pipe, dead_pipe; /* dead: nothing is carried over it */
    /* the place of the coordinator that it is connected to */
    uint32_t owner;
    /* once told to drain: until another is started in its place */
    uint64_t drained_for_ms;
    /* when its coordinator heard that it leaves; 0: it has not */
    uint64_t leaving_heard_ms;
    bool is_away;        /* the link said so */
    uint64_t away_since; /* by the worker's clock, while it is away */
    uint64_t drained_ms; /* when it was */
    message_death died;  /* of its last process, to be told by the next */
    /* of its processes that died of their work soon after they were started, in
     * a row */
    uint32_t young_deaths;
    sim_job *jobs;
    uint32_t job_count;
    uint64_t orders_ms;      /* when its last orders request left */
    uint64_t lease_sequence; /* of its newest request for work */
    uint64_t sent_sequence;  /* of its newest request of any kind */
    /* of the newest heartbeat that was heard, and of which process */
    uint64_t heard_sequence, heard_incarnation;
    /* the newest process of its name whose heartbeat was heard, the life of the
     * coordinator that heard it, and when; of a twin's, too */
    uint64_t newest_heard, newest_owner, newest_ms;
    /* the newest result that was heard, of which process and by which life of
     * a coordinator */
    uint64_t result_heard, result_incarnation, result_owner;
    /* results that nobody has acknowledged */
    sim_handing handing[32];
    uint32_t handing_count;
    uint64_t epoch_seen; /* the highest of an answer */
    etna_hash warm[4];
    uint32_t warm_count;
} sim_worker;

typedef struct sim_slot { /* a slot of a model call as the world saw it */
    struct sim_slot *same;
    uint32_t run;
    etna_slot slot;
    uint32_t called;
    bool acknowledged;
    /* the reply that a worker acted on; zero: none did */
    etna_hash acted;
    uint64_t go_worker, go_life; /* who was last told to go; the life of it */
    uint64_t go_owner;           /* the life of the coordinator that told it */
    /* of which lease, and whether nobody has heard yet what came of it */
    uint64_t go_task;
    uint32_t go_attempt;
    bool go_open;
    /* the same of the last word to go that was durable: the next coordinator
     * goes by it, whether it has left or not */
    uint64_t out_worker, out_life, out_owner;
} sim_slot;

typedef struct sim_context { /* a request that waits in a coordinator */
    bool taken;
    uint32_t next_free;
    uint64_t from, life, request, pipe;
    uint64_t incarnation, sequence;
    message_kind kind;
    uint32_t run; /* the run it speaks of */
    uint32_t result_count;
    /* of good RESULTs, and their tasks */
    uint32_t result_runs[MESSAGE_RESULTS_MAX];
    uint64_t results[MESSAGE_RESULTS_MAX];
    bool ends_call, goes; /* goes: it is told to call */
    etna_slot slot;       /* of a CALL_BEGIN, CALL_END or CALL_FAIL */
    /* of which lease that is */
    uint64_t task;
    uint32_t attempt;
} sim_context;

typedef struct sim_send {
    sim_event letter; /* bytes owned until they are on their way */
    bool promises;    /* an acknowledgement of what `context` asked */
    sim_context context;
} sim_send;

typedef struct sim_blob { /* put, and waiting for its group */
    etna_hash hash;
    uint8_t *data;
    size_t size;
} sim_blob;

typedef struct sim_row {
    etna_id run;
    run_state state;
    bool waiting;
} sim_row;

typedef struct sim_line { /* of narration */
    uint32_t run;
    uint64_t sequence, task;
    char *text;
} sim_line;

/* what one step wrote and what may leave when that is durable */
typedef struct sim_group {
    struct sim_group *next;
    core_record *records; /* data owned */
    uint32_t record_count;
    core_reply *replies;
    uint32_t reply_count;
    sim_row *rows;
    uint32_t row_count;
    sim_send *sends;
    uint32_t send_count;
    sim_blob blob; /* data NULL: none */
    sim_line *lines;
    uint32_t line_count;
} sim_group;

typedef struct sim_owner { /* a coordinator */
    core *c;               /* NULL: down */
    store *kept;
    blobs *parts;
    uint32_t place;
    uint64_t life, epoch, clock_base, tick_at, frozen_until;
    sim_group *groups, **groups_tail;     /* waiting for the disk */
    sim_group *writing;                   /* the commit under way: a list */
    sim_context *contexts;                /* handle - 1 */
    uint32_t context_count, context_free; /* free: index + 1 of the first */
    size_t context_room;
    bool draining;
    uint64_t steps;
} sim_owner;

typedef struct sim_death { /* of which process; worker 0: of none */
    uint64_t worker, incarnation;
} sim_death;

typedef struct sim_given { /* a lease, and to whom */
    uint64_t worker, incarnation;
    uint32_t attempt;
} sim_given;

/* It only waited for a model while its worker died of something else: whose
 * death that was, and which attempt waited. */
typedef struct sim_spared {
    sim_death death;
    uint32_t attempt;
    uint64_t owner; /* the life of the coordinator that knew of the call */
} sim_spared;

typedef struct sim_task { /* a task as the world saw it given out */
    struct sim_task *same;
    uint32_t run;
    uint64_t task;
    /* a straggler's first lease lives beside its second */
    sim_given last, before;
    uint64_t life; /* of who has the last one; 0: nobody */
    uint64_t given_ms;
    uint64_t owner;
    /* its holder's newest result when it was given: what that says again is of
     * a lease before */
    uint64_t heard_before;
    bool done;        /* its good result was acknowledged */
    bool is_deadly;   /* it felled who did it */
    sim_death laid;   /* the death that was laid to it last */
    uint64_t laid_by; /* the life of the coordinator that did */
    /* who stopped it when told so, and its newest request then */
    sim_death stopped;
    uint32_t stopped_at; /* the worker's index */
    uint64_t stopped_sequence;
    sim_spared spared; /* the last time */
    /* bits of attempts that were given out and neither lost nor handed back */
    uint32_t open;
    uint32_t rests; /* its run's, when it was last given out */
    /* the coordinator said that it gives it to a second worker */
    bool is_straggler;
    /* bits of workers that reported an error of attempt `failed` */
    uint64_t failed_from;
    uint64_t failed_from_before;
    /* the same of the one reported before: a message may bring two */
    uint32_t failed_before;
    /* the attempt last reported, and the latest one of all */
    uint32_t failed, failed_most;
    /* jobs of it that failed, and attempts of which such an error was
     * reported */
    uint32_t failures, errors;
} sim_task;

typedef struct sim_told {
    uint64_t key; /* of sequence and text */
    uint64_t at_ms;
} sim_told;

typedef struct sim_run_seen {
    bool submitted, ended, said_ended;
    run_state state;
    uint64_t sequence;      /* of its last durable record */
    struct sim_told *lines; /* those that are durable */
    uint32_t line_count;
    size_t line_room;
    uint64_t grants, grants_at; /* while it had tasks to give */
    /* so often it was suspended, which takes all from its workers */
    uint32_t rests;
    /* verdicts that nobody could read */
    uint32_t unread;
    uint64_t ended_ms, submitted_ms;
    /* when the coordinator of which life first went on with it */
    uint64_t resumed_ms, resumed_owner;
    uint64_t client_life;
} sim_run_seen;

typedef struct sim_client {
    uint64_t life, request, sequence, after, asked_ms, pipe;
    message_kind waiting; /* for the answer to; 0: nothing */
    run_state state;
    uint32_t line; /* lines seen */
    uint32_t owner;
    bool done;
} sim_client;

typedef struct sim_disk sim_disk;

typedef struct sim {
    const sim_options *options;
    sim_report *report;
    void (*tell)(void *context, const char *line);
    void *tell_context;
    etna_random random;
    uint64_t now, order;
    sim_due *heap;
    size_t heap_count, heap_room;
    sim_event *spare; /* a list of those that have happened */
    bool over, draining;
    /* when nothing was wrong any more: the last mishap and its consequences;
     * UINT64_MAX: not yet */
    uint64_t settled_ms;

    sim_owner owners[SIM_OWNERS];
    uint32_t owner;       /* the place of the newest */
    uint64_t owner_lives; /* so many have been started */
    seal_key ticket_key;
    sim_disk *disk;
    bool slips, dies_at_commit;
    uint64_t full_until;

    sim_worker *workers; /* options.workers, then a twin for each */
    uint32_t worker_count;
    uint64_t next_pipe;
    uint8_t *closed; /* of each pipe: bits of the owners that saw it */
    size_t closed_room;
    sim_client *clients;
    sim_run_seen *runs;
    table run_table; /* by the second eight bytes of the id -> number and one */
    uint32_t ended;
    uint32_t live_runs;

    table slots, tasks; /* by hash of their names */
    /* the death that this step of the newest coordinator is about */
    sim_death told;
    etna_arena memory;      /* until the end of the world */
    uint8_t *overheard[16]; /* by strangers */
    size_t overheard_size[16];
    uint32_t overheard_count;
    uint64_t strangers_life;

    /* begins of calls that were sent to one coordinator and heard by a later
     * one, which cannot know that the first one answered them: it takes what
     * they cost for never spent. Over TCP the seal keeps such out. */
    uint32_t late_begins;
    uint32_t serving; /* calls that the model's server answers now */
    /* when it began the last calls: per_minute of them, a ring */
    uint64_t *served;
    uint32_t served_count;
} sim;

/* sim.c */
void sim_breach(sim *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void *sim_room(void *items,
               size_t *room,
               size_t count,
               size_t size);              /* grows; aborts without memory */
void *sim_new(size_t count, size_t size); /* zeroed; aborts without memory */
sim_event *sim_at(sim *s,
                  uint64_t in_ms,
                  sim_event_kind kind,
                  uint64_t a,
                  uint64_t b,
                  uint64_t c); /* to be filled at once */
/* Is there no room to write a result now? */
bool sim_has_no_room(const sim *s);
bool sim_model_is_down(const sim *s, const char *model);
uint64_t sim_chance(sim *s, uint64_t below);
bool sim_percent(sim *s, uint32_t percent);
uint64_t sim_call_ms(sim *s, const etna_hash *request);
uint64_t sim_work_ms(sim *s, const etna_hash *what);
void sim_say(sim *s, const char *line);
void sim_tell(sim *s, const char *line); /* as it is */
etna_id sim_run_id(uint32_t index);
/* its index; options.runs: none of ours */
uint32_t sim_run_of(const sim *s, const etna_id *id);
arrange_config sim_config_of(const sim *s, uint32_t index);
uint64_t sim_pipe(sim *s);
/* and its coordinator is told of it, mostly */
void sim_close(sim *s, uint64_t pipe);
/* Each coordinator sees that the pipe has ended, as soon as its loop runs. */
void sim_close_seen(sim *s, uint64_t in_ms, uint64_t pipe);
/* takes its bytes, and repeats them as often as the network likes */
void sim_network(sim *s, const sim_event *letter);
/* no fault of any kind is possible in this world */
bool sim_is_calm(const sim *s);

/* mishap.c */
/* `life`: of the coordinator that is meant; 0: this begins it */
void mishap_befall(sim *s, const sim_mishap *mishap, uint64_t life);
/* Those of the options and as many by chance, each at its time; *s learns when
 * the last has passed. */
void mishaps_plan(sim *s);
/* The worker's process ends; another takes its place after `for_ms`. */
void sim_end_worker(
    sim *s, uint32_t index, uint64_t for_ms, etna_code fault, const char *how);
/* A coordinator ends by itself; another is started. */
void sim_owner_ends(sim *s, sim_owner *k, const char *why);

/* coordinator.c */
void coordinator_start(sim *s, uint32_t place);
void coordinator_kill(sim *s, sim_owner *k);
void coordinator_received(sim *s, sim_owner *k, const sim_event *event);
void coordinator_step(sim *s, sim_owner *k, core_event event);
void coordinator_committed(sim *s, sim_owner *k);
void coordinator_free(sim *s);
void coordinator_resume(sim *s, sim_owner *k);
sim_owner *coordinator_of(sim *s); /* the newest */

/* disk.c: what stores are on. It outlives coordinators. */
sim_disk *disk_new(void);
void disk_free(sim_disk *d);
/* a coordinator's view of it; aborts without memory */
store *disk_open(sim_disk *d, uint64_t now_ms);
/* the next write fails: nothing of it is kept */
void disk_fail(sim_disk *d, etna_code code);
/* from now on it remembers how to forget */
void disk_lie(sim_disk *d, bool lies);
/* up to so many of the last ones */
void disk_forget(sim_disk *d, uint32_t commits);
/* a bit of a blob; false: there is none */
bool disk_rot(sim_disk *d, uint64_t luck);

/* job.c: a worker's jobs, its model and its geometry */
void worker_start(sim *s, uint32_t index);
void worker_kill(sim *s, uint32_t index);
void worker_step(sim *s, uint32_t index, link_event event);
void worker_received(sim *s, const sim_event *event);
uint32_t worker_calls(const sim_worker *w); /* under way */
/* Has that life of the worker a call of this slot under way, or waits for the
 * word to begin it? */
bool worker_is_calling(const sim *s, uint64_t index, const sim_slot *slot);
void worker_job_due(sim *s, uint32_t index, uint64_t job);
sim_slot *sim_slot_of(sim *s, uint32_t run, const etna_slot *slot);

/* client.c */
void client_start(sim *s, uint32_t index);
void client_due(sim *s, uint32_t index);
void client_received(sim *s, const sim_event *event);
bool clients_done(const sim *s);

/* stranger.c */
void stranger_hears(sim *s, const sim_event *letter);
void stranger_speaks(sim *s);
void stranger_answered(sim *s, const sim_event *event);

/* watch.c: what must hold, as it goes. */
void watch_given(sim *s,
                 const sim_context *to,
                 const message_lease *lease,
                 const sim_owner *by);
void watch_answered(sim *s,
                    const sim_context *to,
                    message_kind kind,
                    const sim_owner *by);
void watch_heard(sim *s,
                 const sim_owner *by,
                 const sim_event *event,
                 const message *m); /* and answered */
void watch_result(sim *s, uint32_t run, uint64_t task);
void watch_line(sim *s, const sim_line *line);
/* in the step that says it, before what that gives out */
void watch_said(sim *s, const core_line *line);
/* a result that is one has come */
void watch_error(sim *s,
                 const sim_context *context,
                 const message_result *came);
/* A coordinator is about to hear this. */
void watch_hears(sim *s,
                 const sim_owner *by,
                 const sim_event *event,
                 const message *m);
/* It tells who asked to call. */
void watch_goes(sim *s, const sim_owner *by, const sim_context *context);
/* That word is on the disk. */
void watch_kept(sim *s, const sim_owner *by, const sim_context *context);
/* It takes the end of a call. */
void watch_ended(sim *s, const sim_owner *by, const sim_context *context);
/* It goes on with a run. */
void watch_resumed(sim *s, const sim_owner *by, uint32_t run);
void watch_failed(sim *s, const message_task_ref *ref); /* a job of it did */
void watch_verdict(sim *s, const message_task_ref *ref, uint32_t verdict);
/* What a worker did about an event, before it is done. */
void watch_step(sim *s,
                uint32_t index,
                const link_event *event,
                const link_update *update);
void watch_answer(sim *s, uint32_t index, const message *m);
/* The end of a call is not taken. */
void watch_refused(sim *s,
                   uint32_t index,
                   const message_task_ref *ref,
                   const etna_slot *slot);
/* A worker stops a task, as it is told. */
void watch_stopped(sim *s, uint32_t index, const message_task_ref *ref);
void watch_acted(sim *s, sim_slot *slot, const etna_hash *reply);
/* To a client. */
void watch_told(
    sim *s, uint32_t run, uint32_t at, uint64_t sequence, const char *text);
void watch_sent(sim *s, uint32_t index, const message *m);
/* same: jobs of that task that it has */
void watch_started(sim *s,
                   uint32_t index,
                   const message_task_ref *ref,
                   uint32_t same);
/* alone: it left what it held behind */
void watch_exit(sim *s, uint32_t index, bool is_alone);
/* Its worker dies: of it, or while it waits elsewhere for a model and others
 * compute. */
void watch_died(sim *s,
                uint32_t index,
                const message_task_ref *ref,
                bool is_of_it,
                bool is_spared);
void watch_call(sim *s, bool begins);
void watch_end(sim *s); /* of the world */

/* judge.c: whether what was decided follows from what was found */
void judge_run(sim *s, const core_run_view *view);

/* model.c: what the model says and the geometry finds: functions of the request
 * alone */
uint32_t model_turns(const sim *s,
                     const arrange_task *task,
                     const etna_hash *last,
                     uint32_t turn); /* more turns wanted? */
message_usage model_usage(const etna_hash *reply);
/* Of a lot that nobody can read: the same each time. */
bool model_cannot_read(const sim *s, const arrange_task *task);
enum {
    MODEL_BLOB = 68
}; /* bytes of what a task makes */
void model_result(const sim *s,
                  const arrange_task *task,
                  const etna_hash *last,
                  etna_arena *arena,
                  arrange_result *ret,
                  uint8_t bytes[MODEL_BLOB],
                  size_t *size);

#endif
