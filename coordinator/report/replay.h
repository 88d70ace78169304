/* A run from its journal alone. Every record is fed to a fresh core, and each
 * task whose result is in the journal is kept as a worker was given it, to be
 * done again by `etna-worker replay`. Used by `etna replay` and `etna show
 * --conversation`.
 *
 *   replay_read ──> replay_filter, replay_sort ──> replay_run ──> compare */
#ifndef ETNA_COORDINATOR_REPORT_REPLAY_H
#define ETNA_COORDINATOR_REPORT_REPLAY_H

#include "coordinator/core/core.h"
#include "store/store.h"

#include <jansson.h>

/* A task with the result that is in the journal, and after replay_run() the one
 * that was computed now. */
typedef struct replay_task {
    /* number of the record that holds its result */
    uint64_t sequence;
    /* which task: task_kind, and its place in the search */
    uint32_t kind, node, branch, poll;
    /* a packed arrange_task, owned by the replay */
    uint8_t *payload;
    size_t payload_size;
    arrange_result recorded; /* in the arena */
    /* replay_run() got `result`, which is in the arena */
    bool done;
    arrange_result result;
    /* Why it could not be done, and what a request of it that differs from the
     * recorded one says; in the arena. NULL: none. */
    const char *failure, *mismatch;
    /* array of the model calls it made; NULL unless conversations are asked
     * for */
    json_t *calls;
} replay_task;

/* A reply to a request that was too long for its model, as the journal has it:
 * how many images and texts were left out. */
typedef struct replay_truncation {
    etna_slot slot;
    const char *model; /* in the arena */
    uint32_t images, texts;
} replay_truncation;

/* All of it, owned. replay_free() after every use, also a failed one. */
typedef struct replay {
    etna_arena arena;
    core *core;
    replay_task *tasks;
    uint32_t count, room;
    replay_truncation *truncations;
    uint32_t truncation_count, truncation_room;
    /* Results of renders, which are not done again: their pixels may differ
     * between machines, and they decide nothing. */
    uint32_t pictures;
    /* the last record that was decided again as it was */
    uint64_t records;
    /* Number of the first record that is decided differently now, and why; 0:
     * none, and the core holds the whole run. Nothing after it was read. */
    uint64_t parted;
    char parted_why[512];
} replay;

/* Reads the run's journal. A record that is decided differently is no error:
 * see `parted`. ETNA_E_NOTFOUND: there is no such run; else what the store
 * returns. Call replay_free() in every case. */
etna_code replay_read(replay *a, store *s, const etna_id *run, etna_error *err);
/* Drops and frees the tasks for which `keep` is false. */
void replay_filter(replay *a,
                   bool (*keep)(void *context, const replay_task *task),
                   void *context);
/* Into the order of a step: its plans, then each branch followed by its
 * polls. */
void replay_sort(replay *a);
/* Has the tasks done by a worker process of ours, which opens the store at
 * `path` read-only; with `conversation` it also reports the calls. ETNA_E_IO:
 * the worker failed; ETNA_E_MESSAGE: what it told is not well formed. A task
 * that cannot be done is no error: see `failure`. */
etna_code replay_run(replay *a,
                     const char *path,
                     const etna_id *run,
                     bool conversation,
                     etna_error *err);
void replay_free(replay *a);

/* What differs between two results of a task of `kind`: words for people,
 * static; NULL: nothing. Numbers are compared exactly. */
const char *replay_difference(uint32_t kind,
                              const arrange_result *before,
                              const arrange_result *now);
/* "branch 2 of node 1", "poll 0 of branch 2 of node 1", ... */
void replay_task_name(const replay_task *task, char ret[96]);

#endif
