/* A job is one leased task as a state machine that never blocks. The worker's
 * loop calls job_step with what the job last asked for; the job says what it
 * wants next. Whatever computes is asked for as WANT_POOL: job_work then runs
 * on a pool thread while nobody else touches the job; or, where the work falls
 * into pieces, job_piece on several. A job keeps nothing that can't be lost: it
 * can be dropped between any two calls, and the task given to another worker
 * gives the same result. */
#ifndef ETNA_WORKER_JOBS_JOB_H
#define ETNA_WORKER_JOBS_JOB_H

#include "proto/arrange.h"
#include "proto/message.h"
#include "worker/provider/conversation.h"

typedef struct job job;

typedef enum job_want_kind {
    /* run job_work(job) on the pool, or its `pieces` at once, then step with
     * EVENT_WORKED */
    WANT_POOL = 1,
    /* the blob `hash`: from memory, cache or coordinator; then EVENT_BLOB */
    WANT_FETCH,
    /* give `data` with `hash` to the coordinator (durable before the result);
     * then EVENT_KEPT */
    WANT_KEEP,
    /* begin the call of `slot`, ask the model unless it is stored, keep the
     * reply, end; then EVENT_REPLY */
    WANT_CALL,
    WANT_DONE /* result: pack and send; the job is over */
} job_want_kind;

typedef struct job_want {
    job_want_kind kind;
    /* POOL: 0 or the number of pieces that may be worked apart */
    uint32_t pieces;
    etna_hash hash;
    const uint8_t *data; /* KEEP: owned by the job until EVENT_KEPT */
    size_t size;
    etna_slot slot;               /* CALL */
    const model_request *request; /* CALL: owned by the job until EVENT_REPLY */
    /* DONE: not ETNA_OK: the task could not be done */
    etna_code code;
    const arrange_result *result; /* DONE */
    const char *text;             /* DONE with an error */
} job_want;

typedef enum job_event_kind {
    EVENT_START = 1,
    EVENT_WORKED,
    EVENT_BLOB,
    EVENT_KEPT,
    EVENT_REPLY,
    EVENT_FAILED
} job_event_kind;

typedef struct job_event {
    job_event_kind kind;
    const uint8_t *data; /* BLOB: valid during the call */
    size_t size;
    const model_reply *reply; /* REPLY: valid during the call */
    etna_code code;           /* FAILED: what was wanted could not be had */
    const char *text;
} job_event;

/* What jobs of a process share: warm scenes with their BVHs. Thread-safe,
 * bounded by memory. */
typedef struct job_shared job_shared;
/* Warm scenes are kept up to `memory_bytes` (estimated); what jobs pin comes on
 * top of it. ETNA_E_NOMEM. */
etna_code job_shared_new(size_t memory_bytes,
                         job_shared **ret_shared,
                         etna_error *err);
/* when no job is left that uses it; NULL is fine */
void job_shared_free(job_shared *shared);
/* What one piece of work may use; 1 before. Set before the first job. */
void job_shared_use_threads(job_shared *shared, uint32_t threads);
/* The hashes of the scene blobs held, latest used first, at most `room`; how
 * many. */
uint32_t job_shared_warm(job_shared *shared, etna_hash *ret, uint32_t room);

/* The functions that furnish a room, given by whoever links furnishing in. A
 * room is opened and works; then it either wants a blob, and works again when it
 * has it, or is finished. The caller keeps `index` and `brief` alive until the
 * room is closed. `open` and `work` run on the pool. A fault of the brief is
 * part of what the room reports; it is no error. */
typedef struct job_furnisher {
    etna_code (*open)(const uint8_t *index,
                      size_t index_size,
                      const uint8_t *brief,
                      size_t brief_size,
                      void **ret_room,
                      etna_error *err);
    etna_code (*work)(void *room, etna_error *err);
    const etna_hash *(*wants)(const void *room); /* NULL: nothing */
    /* what was wanted first; copied */
    etna_code (*give)(void *room,
                      const uint8_t *data,
                      size_t size,
                      etna_error *err);
    /* once, when it is made; the caller frees *ret */
    etna_code (*take)(void *room,
                      uint8_t **ret,
                      size_t *ret_size,
                      etna_error *err);
    void (*close)(void *room);
} job_furnisher;
/* Before the first job; borrowed for good. Without it FURNISH tasks fail. */
void job_use_furnisher(const job_furnisher *f);

/* `payload` is a packed arrange_task of `kind`; it is unpacked and validated
 * here. */
etna_code job_new(job_shared *shared,
                  uint32_t kind,
                  const uint8_t *payload,
                  size_t size,
                  job **ret_job,
                  etna_error *err);
void job_free(job *j); /* never while job_work runs */
/* The next step: `event` is what came of the last want (EVENT_START at first),
 * *ret_want what is wanted now. On the loop's thread, and never while the pool
 * has the job. */
void job_step(job *j, const job_event *event, job_want *ret_want);
void job_work(job *j); /* all of it, pieces one after another */
/* Instead: each piece below want.pieces once, on any threads, at the same time
 * or not. The same bits either way. */
void job_piece(job *j, uint32_t piece);
/* What the job's agent made of `reply`, which it was given in the last step
 * (worker/agents/read_as.h). */
const char *job_read_as(const job *j,
                        const model_reply *reply,
                        etna_arena *arena);
/* What the task says of the models it may call (proto/models.h), valid as long
 * as the job; NULL: builtin only. */
const char *job_models(const job *j);

#endif
