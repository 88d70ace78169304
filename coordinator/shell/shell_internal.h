/* Private to the shell: its state, and what its files share. */
#ifndef ETNA_COORDINATOR_SHELL_SHELL_INTERNAL_H
#define ETNA_COORDINATOR_SHELL_SHELL_INTERNAL_H

#include "coordinator/shell/blobs.h"
#include "coordinator/shell/carrier.h"
#include "coordinator/shell/children.h"
#include "coordinator/shell/inbox.h"
#include "coordinator/shell/quota.h"
#include "coordinator/shell/shell.h"
#include "coordinator/shell/ticket.h"
#include "proto/table.h"

#include <uv.h>

/* rights.c: the blobs that a run's journal names, as far as it was read. */
typedef struct run_names {
    etna_hash **all;
    size_t count, room;
    table by_key; /* first eight bytes -> one of `all` */
    /* number of the last record that was looked at */
    uint64_t read;
    /* out of memory: not everything that was read is in it */
    bool failed;
} run_names;

/* A turn, and the first record of a run that it gathered: what follows from an
 * earlier one need not wait for its commit. */
typedef struct run_kept {
    uint64_t turn, first;
} run_kept;

/* The row of a run in memory: what the core does not know of it. */
typedef struct run_entry {
    etna_id id;
    uint64_t started_ms, ended_ms; /* 0: it has not ended */
    run_state state;
    char *scene, *goal;
    uint8_t *config;
    size_t config_size;
    run_keeper keeper;
    uint64_t epoch; /* of the owner that ran it last */
    /* paused until its model answers, or there is room for its result */
    bool waiting;
    /* The core took it, or the store had it; false only while its submission is
     * being decided. */
    bool accepted;
    /* the last two turns in which records of it were gathered, the later one
     * first */
    run_kept kept[2];
    uint64_t row_turn;    /* in which its row was written last */
    uint64_t ended_order; /* 0: not ended; else the lower ended earlier */
    run_names names;
} run_entry;

/* An answer that waits for its commit. `data` NULL: the request is dropped. */
typedef struct outgoing {
    uint64_t request;
    uint8_t *data;
    size_t size;
} outgoing;

/* A line or a change of state that waits for its commit. Owns its texts. */
typedef struct notice {
    etna_id run;
    uint64_t sequence, time_ms;
    /* of a line; NULL: this is a change of state */
    char *text;
    run_state state;
    uint64_t task; /* of a line; so its attempt */
    uint32_t attempt;
    message_happening happening; /* of a line; its text is `said` */
    char *said;
} notice;

/* What a turn has to say once its group is durable, in this order. */
typedef struct turn_output {
    outgoing *out;
    size_t out_count, out_room;
    notice *notices;
    size_t notice_count, notice_room;
} turn_output;

/* A turn that has ended. */
typedef struct turn_left {
    bool is_on_its_way; /* nothing else here means anything without it */
    store_group *group; /* NULL: there was nothing to keep */
    turn_output output;
    uint64_t turn;
    bool has_blobs;           /* as shell.group_blobs */
    uint32_t workers, guests; /* as shell.group_workers, .group_guests */
} turn_left;

/* turn.c: frees its texts */
void notice_free(notice *n);

/* full.c: a worker's request for orders while the disk is full */
typedef struct full_order {
    uint64_t request, incarnation, sequence;
} full_order;

/* upkeep.c: a blob, and when it was put */
typedef struct fresh_blob fresh_blob;

/* request_blob.c: a large blob on its way into the store */
typedef struct packing packing;

/* Everything is the loop's thread's; only `wake` is touched by others. */
struct shell {
    shell_options options;
    uv_loop_t loop;
    uv_timer_t timer, linger;
    uv_check_t check;
    uv_prepare_t prepare;
    uv_signal_t interrupt, terminate, hangup;
    uv_async_t wake;
    inbox *in;
    seal_key ticket_key;
    quota quota;
    children *workers;
    blobs *blobs;
    packing *packings;
    uint32_t packing_count;
    core *c;
    run_entry *runs;
    size_t run_count, run_room;
    /* first eight bytes of a run's id -> its index in `runs` and one; the first
     * of those that share them */
    table run_places;
    uint64_t ended;     /* ever, in this process */
    size_t ended_count; /* of `runs` */

    uint64_t turn;    /* grows with each commit, from 1 */
    uint64_t durable; /* the last turn whose group was committed */
    turn_left left;   /* the one before this, until it is durable */
    carrier *carrier; /* NULL: the loop itself commits */
    /* of this turn, or of some while the disk is full; NULL: nothing to keep
     * yet */
    store_group *group;
    fresh_blob *fresh; /* put within the hour */
    size_t fresh_count, fresh_room;
    bool fresh_lost;     /* one was not noted: nothing is old enough any more */
    message upkeep_last; /* done, as it was answered; its kind 0: none was */
    /* of each upkeep_kind: one that took long is not done again before */
    uint64_t upkeep_due_ms[UPKEEP_COUNT];
    /* the disk is full and `group` waits (full.h) */
    bool full;
    bool running; /* within shell_run */
    uint64_t full_try_ms;
    full_order *full_orders;
    size_t full_count, full_room;
    /* it holds blobs, which are not yet to be found in the store */
    bool group_blobs;
    /* calls of shell_group() so far; requests that wrote into the group, of
     * workers and of others over TCP */
    uint64_t group_calls;
    uint32_t group_workers, group_guests;
    turn_output output;
    message_run_status local_status; /* the answer to a request of our own */
    etna_code local_code;
    char local_text[256];

    /* monotonic start; commits so far and how long they took together */
    uint64_t begun_ms, commits, commit_ns;
    /* of pieces that peers got and put */
    uint64_t blob_bytes_out, blob_bytes_in;
    /* when the core last heard of the time: gaps are measured from here */
    uint64_t alive_ms;
    /* when the store and the inbox were last looked after */
    bool has_no_files; /* when last looked at; see files.h */
    uint64_t maintained_ms, healed_ms;
    /* not ETNA_OK: the loop is ending, and nothing is decided or sent any
     * more */
    etna_code failure;
    char failure_text[512];
    uint64_t local_sequence;
    uint32_t linger_turns;
    /* the end was begun; shell_flush() is on the stack; inbox_is_clogged() */
    bool stopping, flushing, clogged;
    int signal;
    bool twice;
};

/* a request of our own: below every handle of the inbox */
enum {
    SHELL_LOCAL = 1
};

/* monotonic ms: the only reading of it in the coordinator */
uint64_t shell_now(void);
uint64_t shell_wall(void); /* Unix ms */
/* Ends the loop with an error; the first one counts. */
void shell_fail(shell *s, etna_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* step.c: one step of the core; its update is gathered for the turn's commit.
 * Sets the event's time. False: the shell has failed. */
bool shell_step(shell *s, core_event *event);
/* The commit group of this turn, begun when first asked for. NULL: the shell
 * has failed. */
store_group *shell_group(shell *s);
/* Queues an answer; it leaves after the turn's commit. Packs it at once, so
 * that `answer` and what it borrows may go. An answer that cannot be packed
 * fails the shell: it is a defect of ours. */
void shell_answer(shell *s, uint64_t request, const message *answer);
/* Queues that the request gets no answer; its sender repeats it. */
void shell_drop(shell *s, uint64_t request);

/* turn.c */
/* Commits, sends, tells, until nothing is left to do. From within itself it
 * does nothing, as the outer call takes up what was added. */
void shell_flush(shell *s);
/* The same, but that where there is a carrier nobody waits for the disk: what
 * is not durable yet follows when it is. */
void shell_end_turn(shell *s);
/* For carrier_new(). */
void shell_turn_arrived(void *context);
void shell_forget_turn(shell *s); /* frees what was gathered and never sent */

/* NULL: not in memory. The pointer is valid until a row is added or removed. */
run_entry *rows_find(shell *s, const etna_id *run);
/* Copies the row; returns the one that is there where there is one. NULL: out
 * of memory. */
run_entry *rows_add(shell *s, const store_run *row);
void rows_remove(shell *s, run_entry *entry);
/* The run has ended: it may be forgotten when options.keep_ended others have
 * ended after it. A second call does nothing. */
void rows_note_end(shell *s, run_entry *entry);
/* Writes the core's change of state into the turn's group. */
void rows_write(shell *s, const core_row *row);
/* ended runs beyond options.keep_ended leave the core */
void rows_forget_old(shell *s);
void rows_free(shell *s);

/* request_blob.c: a chunk of a blob to a peer, and from one. */
void request_get_blob(shell *s, uint64_t request, const message *m);
void request_put_blob(shell *s, uint64_t request, const message *m);
/* Whether the blob is durable in the store; the zero hash counts as such. One
 * that was put in this very turn makes the turn durable first. */
bool request_have_blob(shell *s, const etna_hash *hash);

/* upkeep.c: a blob was put just now, so it is not to be collected for an
 * hour. */
void upkeep_note_blob(shell *s, const etna_hash *hash);
/* Removes unnamed blobs or compacts the file, while the loop stands still. */
void request_upkeep(shell *s, uint64_t request, const message *m);

/* metrics.c */
/* How the coordinator stands, as Prometheus' text: malloc'd, no terminator.
 * NULL: out of memory. */
char *metrics_of(shell *s, size_t *ret_size);
void request_metrics(shell *s, uint64_t request, const message *m);

/* request_runs.c: a page of all runs; how one stands, with its document. */
void request_list_runs(shell *s, uint64_t request, const message *m);
void request_view_run(shell *s, uint64_t request, const message *m);

/* request.c: what the inbox hands over; see inbox_handlers. */
void request_taken(void *context,
                   uint64_t request,
                   uint64_t pipe,
                   uint64_t pid,
                   const uint8_t *data,
                   size_t size);
void request_pipe_gone(void *context, uint64_t pipe);
void request_refuse(shell *s,
                    uint64_t request,
                    const message *of,
                    etna_code code,
                    const char *text);
/* For children_options.exited. */
bool request_worker_exited(void *context,
                           uint64_t sender,
                           uint64_t incarnation,
                           etna_code fault,
                           const char *why);
/* Makes the document of a run available to BLOB_GET and returns its name; zero:
 * there is none. */
etna_hash request_report(shell *s, const etna_id *run);
/* Reads a run of the store into the core, dormant, unless it is in memory.
 * After an error the core does not have it. ETNA_E_NOTFOUND, ETNA_E_CORRUPT,
 * ETNA_E_NOMEM and what the store returns. */
etna_code shell_load(shell *s, const etna_id *run, etna_error *err);
/* Tells the core the limits and fallbacks of a run's models, before it hears of
 * the run. `json` NULL or "": there are none. ETNA_E_MESSAGE, ETNA_E_NOMEM. */
etna_code request_know_models(shell *s, const char *json, etna_error *err);

#endif
