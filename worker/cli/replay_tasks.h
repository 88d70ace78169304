/* A run's tasks done again from what its store holds: model calls are answered
 * by the stored replies and nothing else, blobs are read from the store and
 * none is kept. No network, no model, no coordinator; several tasks at once,
 * each by itself. */
#ifndef ETNA_WORKER_CLI_REPLAY_TASKS_H
#define ETNA_WORKER_CLI_REPLAY_TASKS_H

#include "proto/arrange.h"
#include "store/store.h"
#include "worker/provider/conversation.h"

typedef struct redo_task {
    uint32_t kind;          /* task_kind */
    const uint8_t *payload; /* a packed arrange_task; borrowed */
    size_t size;
    /* what redo_all fills in: */
    etna_error error; /* code ETNA_OK: it was done */
    uint8_t *result;  /* packed arrange_result; the caller frees it */
    size_t result_size;
    /* "": every request was the one that was answered; else the first that was
     * not */
    char mismatch[160];
} redo_task;

/* A call of task `task`, in the order of its conversation; from any thread, but
 * one at a time. `same`: the request is the one that was answered, by its
 * hash. */
typedef void redo_call_fn(void *context,
                          uint32_t task,
                          const etna_slot *slot,
                          const model_request *request,
                          const model_reply *reply,
                          bool same);

/* What the reply that was told last of task `task` was read as, where it was
 * written otherwise. */
typedef void redo_read_fn(void *context, uint32_t task, const char *text);

typedef struct redo_options {
    store *store; /* read only */
    etna_id run;
    uint32_t threads;   /* at least 1 */
    size_t memory;      /* for warm scenes */
    redo_call_fn *call; /* NULL: nobody listens, to `read` neither */
    redo_read_fn *read;
    void *context;
} redo_options;

/* What a task could not do is its own error; ETNA_E_NOMEM, ETNA_E_IO: nothing
 * could be done at all. */
etna_code redo_all(const redo_options *options,
                   redo_task *tasks,
                   uint32_t count,
                   etna_error *err);

#endif
