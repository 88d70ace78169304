/* Private to the shell: its state, and what its files share. */
#ifndef ETNA_COORDINATOR_SHELL_SHELL_INTERNAL_H
#define ETNA_COORDINATOR_SHELL_SHELL_INTERNAL_H

#include "coordinator/shell/blobs.h"
#include "coordinator/shell/children.h"
#include "coordinator/shell/inbox.h"
#include "coordinator/shell/quota.h"
#include "coordinator/shell/shell.h"
#include "coordinator/shell/ticket.h"
#include "proto/table.h"

#include <uv.h>

typedef struct run_names { /* rights.c: blobs that a run's journal names */
    etna_hash **all;
    size_t count, room;
    table by_key;  /* first eight bytes -> one of `all` */
    uint64_t read; /* the last record that was looked at */
    bool failed;
} run_names;

/* the row of a run in memory: what the core does not know of it */
typedef struct run_entry {
    etna_id id;
    uint64_t started_ms;
    run_state state;
    char *scene, *goal;
    uint8_t *config;
    size_t config_size;
    run_keeper keeper;
    uint64_t epoch; /* of the owner that ran it last */
    /* paused until its model answers, or there is room for its result */
    bool waiting;
    bool accepted; /* the core took it, or the store had it */
    uint64_t turn,
        /* in which records of it were gathered last, and the first of those */
        turn_first;
    uint64_t ended_order; /* 0: not ended; else the lower ended earlier */
    run_names names;
} run_entry;

/* an answer that waits for its commit; data NULL: the request is dropped */
typedef struct outgoing {
    uint64_t request;
    uint8_t *data;
    size_t size;
} outgoing;

/* a line or a change of state that waits for its commit */
typedef struct notice {
    etna_id run;
    uint64_t sequence, time_ms;
    char *text; /* NULL: a change of state */
    run_state state;
    uint64_t task; /* of a line; so its attempt */
    uint32_t attempt;
    message_happening happening; /* of a line; its text is `said` */
    char *said;
} notice;

/* full.c: a worker's request for orders while the disk is full */
typedef struct full_order {
    uint64_t request, incarnation, sequence;
} full_order;

/* upkeep.c: a blob, and when it was put */
typedef struct fresh_blob fresh_blob;

/* request_blob.c: a large blob on its way into the store */
typedef struct packing packing;

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

    uint64_t turn; /* grows with each commit, from 1 */
    /* of this turn, or of some while the disk is full; NULL: nothing to keep
     * yet */
    store_group *group;
    fresh_blob *fresh; /* put within the hour */
    size_t fresh_count, fresh_room;
    bool fresh_lost;     /* one was not noted: nothing is old enough any more */
    message upkeep_last; /* done, as it was answered; its kind 0: none was */
    bool full;           /* full.h */
    bool running;        /* within shell_run */
    uint64_t full_try_ms;
    full_order *full_orders;
    size_t full_count, full_room;
    /* it holds blobs, which are not yet to be found in the store */
    bool group_blobs;
    outgoing *out;
    size_t out_count, out_room;
    notice *notices;
    size_t notice_count, notice_capacity;
    message_run_status local_status; /* the answer to a request of our own */
    etna_code local_code;
    char local_text[256];

    uint64_t begun_ms, commits, commit_ns;
    /* of pieces that peers got and put */
    uint64_t blob_bytes_out, blob_bytes_in;
    /* when the core last heard of the time */
    uint64_t alive_ms;
    uint64_t maintained_ms, healed_ms;
    etna_code failure;
    char failure_text[512];
    uint64_t local_sequence;
    uint32_t linger_turns;
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

/* step.c: one step of the core, its update gathered for the turn's commit.
 * False when the shell has failed. */
bool shell_step(shell *s, core_event *event);
/* The group of this turn. NULL when the shell has failed. */
store_group *shell_group(shell *s);
void shell_answer(shell *s,
                  uint64_t request,
                  const message *answer); /* queued for after the commit */
void shell_drop(shell *s, uint64_t request);
/* Commits, sends, tells; until nothing is left to do. */
void shell_flush(shell *s);
void shell_forget_turn(shell *s); /* frees what was gathered and never sent */

/* rows.c */
run_entry *rows_find(shell *s, const etna_id *run);
/* copies; NULL when out of memory */
run_entry *rows_add(shell *s, const store_run *row);
void rows_remove(shell *s, run_entry *entry);
/* it has ended; at the latest again does nothing */
void rows_note_end(shell *s, run_entry *entry);
void rows_write(shell *s, const core_row *row); /* into the turn's group */
/* ended runs beyond options.keep_ended leave the core */
void rows_forget_old(shell *s);
void rows_free(shell *s);

/* request_blob.c: blobs themselves. */
void request_get_blob(shell *s, uint64_t request, const message *m);
void request_put_blob(shell *s, uint64_t request, const message *m);
bool request_have_blob(shell *s,
                       /* durable; the turn is made so where it has to be */
                       const etna_hash *hash);

/* upkeep.c */
void upkeep_note_blob(shell *s, const etna_hash *hash);
void request_upkeep(shell *s, uint64_t request, const message *m);

/* metrics.c */
/* malloc'd, no terminator; NULL: out of memory */
char *metrics_of(shell *s, size_t *ret_size);
void request_metrics(shell *s, uint64_t request, const message *m);

/* request_runs.c */
void request_list_runs(shell *s, uint64_t request, const message *m);
void request_view_run(shell *s, uint64_t request, const message *m);

/* request.c: what the inbox hands over. */
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
bool request_worker_exited(void *context,
                           uint64_t sender,
                           uint64_t incarnation,
                           etna_code fault,
                           const char *why);
/* Makes the report of an ended run available to BLOB_GET; zero when there is
 * none. */
etna_hash request_report(shell *s, const etna_id *run);
etna_code shell_load(shell *s,
                     const etna_id *run,
                     etna_error *err); /* into the core, unless it is there */
/* The core is told what a run says of its models before it hears of the run:
 * their limits and fallbacks. */
etna_code request_know_models(shell *s, const char *json, etna_error *err);

#endif
