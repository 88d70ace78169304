/* What the worker shell's files share. worker.c: the loop and its handles;
 * link_driver.c: between the link and the network; errand.c: jobs and what they
 * want; blob.c: blobs there and back; call.c: model calls; talk.c: those over
 * the network. All of it runs on the loop's thread, but for the functions named
 * work_*, which run on the pool while nobody else touches their errand. */
#ifndef ETNA_WORKER_SHELL_SHELL_H
#define ETNA_WORKER_SHELL_SHELL_H

#include "proto/arena.h"
#include "proto/table.h"
#include "proto/timer_heap.h"
#include "store/fetch_claim.h"
#include "store/store.h"
#include "worker/jobs/job.h"
#include "worker/link/link.h"
#include "worker/shell/net.h"
#include "worker/shell/pool.h"
#include "worker/shell/worker.h"

#include <pthread.h>
#include <stdatomic.h>
#include <uv.h>

typedef struct shell shell;
typedef struct talk talk;         /* a call over the network (talk.c) */
typedef struct talk_run talk_run; /* what is known of a run's models */

typedef struct errand_piece { /* of work that falls into pieces */
    pool_task task;
    struct errand *errand;
    uint32_t number;
} errand_piece;

/* One leased task on its way. It ends when its result is with the link, or,
 * cancelled, when the pool has let go of it. */
typedef struct errand {
    shell *shell;
    uint64_t id; /* the link's job */
    etna_id run;
    job *job;
    job_want want;
    pool_task task;
    void (*work)(pool_task *task); /* what `task` is for */
    /* that the pool's threads worked for it */
    atomic_ullong cpu_us;
    bool busy;            /* `task` is with the pool, or some of the pieces */
    bool cancelled;       /* ends as soon as it is not busy */
    bool is_told_gone;    /* and the link holds it for gone */
    errand_piece *pieces; /* owned; while they are with the pool */
    uint32_t piece_count, pieces_left;
    void (*piece)(struct errand *e, uint32_t number);
    /* cancelled, as the pool's threads see it: pieces not begun are not begun
     * any more */
    atomic_bool leave;
    etna_error error; /* of the last work_* */
    /* blob.c: one blob at a time, there or back */
    etna_hash hash;
    /* `waiting`: another errand, or another process of this host, downloads the
     * same */
    bool downloading, waiting;
    bool elsewhere; /* another process does */
    /* to be who downloads for this host; NULL: not asked for yet */
    fetch_claim *claim;
    /* while it downloads: those that wait for it; while it waits: its place
     * among them */
    chain waiters;
    bool keeping;  /* the coordinator has not acknowledged it */
    uint8_t *data; /* what was fetched; owned */
    size_t size, room;
    const uint8_t *keep; /* what is kept; borrowed */
    size_t keep_size;
    /* who goes on then */
    void (*fetched)(struct errand *e), (*kept)(struct errand *e);
    /* when the pool is done */
    void (*then)(struct errand *e);
    /* call.c */
    etna_hash request_hash, reply_hash;
    /* of the request that was answered */
    uint32_t images_left_out, texts_left_out;
    /* the estimate, then what was used */
    message_usage usage;
    uint8_t *reply; /* encoded; owned */
    size_t reply_size;
    /* NULL: none is under way, or the built-in agent is asked */
    talk *talk;
    /* when it is tried again, of the loop's clock; in shell.talks_due */
    due again;
    /* the fallback that the coordinator named; in talk_run's arena, which stays
     * as long as the errand */
    const char *instead;
    talk_run *models;
    struct errand *before, *after; /* in shell.errands */
} errand;

typedef struct fed fed; /* an event on its way to the link */

struct shell {
    worker_options options;
    etna_error error; /* why it ends, when code is not ETNA_OK */
    worker_end end;
    bool stopping;
    uv_loop_t loop;
    uv_async_t wake; /* NNG's and the pool's threads have something for us */
    uv_timer_t timer, unanswered, reopen, leave;
    uv_signal_t terminate, interrupt, hangup;
    uv_pipe_t parent;
    worker_link *link;
    net *net;
    pool *pool;
    cache *cache;
    /* NULL: it is in memory, and no other process's */
    const char *cache_folder;
    pthread_mutex_t cache_mutex; /* a cache handle takes one thread at a time */
    job_shared *shared;
    struct http *http; /* from the first call over the network on */
    talk_run *talk_runs;
    uint64_t talk_clock;
    uv_timer_t patience; /* of talks_due */
    errand *errands;
    table errand_table; /* by id */
    /* by the first bytes of a blob's hash, who downloads it */
    table download_table;
    chain elsewhere;    /* errands whose blob another process downloads */
    uv_timer_t looking; /* whether those have come, while there are any */
    due_heap talks_due;
    fed *fed_first, **fed_last;
    bool told_unanswered;
    char refusal[256]; /* the last one told */
    int signals;
};

/* worker.c */
void shell_say(shell *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void shell_away(shell *s, bool away); /* the coordinator is lost, or back */
/* a connection that only seems to be one is closed, its address dialled anew */
void shell_redial(shell *s);
/* a person started it, and reads what it says */
bool shell_is_by_hand(const shell *s);
void shell_stop(shell *s); /* the loop ends */
/* the loop ends with an error */
void shell_fail(shell *s, const etna_error *err);

/* leave.c */
void leave_begin(shell *s); /* it was told to end */
void leave_watch(shell *s); /* at its start: it ends of itself in time */

/* link_driver.c */
/* Queues an event for the link. `owned` (NULL: none) is freed after the step;
 * text is copied. */
void shell_feed(shell *s, const link_event *event, void *owned);
/* steps the link until nothing is queued, then sets the timer; ends every
 * callback of the loop */
void shell_pump(shell *s);
/* net.h's handlers. */
void shell_received(void *context,
                    uint64_t request,
                    const uint8_t *data,
                    size_t size);
void shell_lost(void *context, uint64_t request);
/* What is queued and was never stepped. */
void shell_feed_free(shell *s);

/* errand.c */
/* A leased task begins; a failure to begin is told to the link as its
 * result. */
void errand_start(shell *s, uint64_t id, const message_lease *lease);
errand *errand_by_id(shell *s, uint64_t id);
/* Ends now, or when the pool lets go of it. */
void errand_cancel(errand *e);
void errand_free_all(shell *s);
/* The job's next step with that event, and what it then wants is begun. */
void errand_step(errand *e, const job_event *event);
void errand_failed(errand *e,
                   etna_code code,
                   const char *text); /* what the job wanted cannot be had */
/* On the pool; then, unless the errand was cancelled meanwhile, `done` on the
 * loop. */
void errand_work(errand *e,
                 void (*work)(pool_task *task),
                 void (*done)(errand *e));
errand *errand_of(pool_task *task);
/* The same in pieces [0, count), each on any thread of the pool, several at
 * once. */
void errand_work_pieces(errand *e,
                        uint32_t count,
                        void (*piece)(errand *e, uint32_t number),
                        void (*done)(errand *e));

/* blob.c */
void blob_fetch(errand *e,
                const etna_hash *hash,
                void (*then)(errand *e)); /* `then` finds it in data, size */
void blob_keep(errand *e,
               const etna_hash *hash,
               const uint8_t *data,
               size_t size,
               void (*then)(errand *e));
/* The link's outputs for the want under way: a piece came, the kept blob is
 * durable, or it could not be kept. */
void blob_chunk_came(errand *e, const message_blob_chunk *chunk);
void blob_kept(errand *e);
void blob_not_kept(errand *e, etna_code code, const char *text);
/* Failed or cancelled: an errand that waits for its download downloads the
 * blob itself. */
void blob_gave_up(errand *e);
void blob_forget(errand *e); /* frees data */

/* call.c */
void call_start(errand *e);
/* The coordinator's word on a call that was begun or failed. */
void call_answered(errand *e, const message_call_answer *answer);
/* The call's end is durable: the job hears of the reply. */
void call_ended(errand *e);
/* Nothing of the last call is left. */
void call_forget(errand *e);
/* The name of the model it asks: the request's, or the fallback. */
const char *call_model(const errand *e);
bool call_is_builtin(const errand *e);
/* asks the coordinator whether it may go; the request is hashed */
void call_begin(errand *e);
/* reply, reply_size, reply_hash and usage are there: keeps the reply and ends
 * the call */
void call_replied(errand *e);

/* talk.c */
/* The request's model is one of the run's; false: it is not, or memory ended;
 * *err says which. */
bool talk_open(errand *e, etna_error *err);
void talk_estimate(errand *e); /* on the pool */
void talk_go(errand *e);
/* to LINK_CALL_FAIL */
void talk_answered(errand *e, const message_call_answer *answer);
/* LINK_CALL_FAIL is under way */
bool talk_failing(const errand *e);
/* It has a call that its server has not had whole, or has refused. */
bool talk_is_unbilled(const errand *e);
void talk_end(errand *e);   /* hangs up; nothing of the call is left */
void talk_leave(errand *e); /* the errand ends: its run's models may go */
void talk_free_all(shell *s);
/* The timer of talks_due: tries whose wait is over. */
void talk_patience(uv_timer_t *timer);

#endif
