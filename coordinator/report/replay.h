/* A run from its journal alone: every record fed to a fresh core, and the tasks
 * that its results answered, each as a worker was given it, to be done again by
 * `etna-worker replay`. For `etna replay` and `etna show --conversation`. */
#ifndef ETNA_COORDINATOR_REPORT_REPLAY_H
#define ETNA_COORDINATOR_REPORT_REPLAY_H

#include "coordinator/core/core.h"
#include "store/store.h"

#include <jansson.h>

typedef struct replay_task {
    uint64_t sequence; /* of the record that holds its result */
    uint32_t kind, node, branch, poll;
    uint8_t *payload; /* a packed arrange_task */
    size_t payload_size;
    arrange_result recorded; /* in the arena */
    /* what replay_run found */
    bool done;
    arrange_result result;
    const char *failure, *mismatch; /* NULL: none */
    /* array; only when conversations are asked for */
    json_t *calls;
} replay_task;

/* a reply to a request that was too long for its model, as the journal has
 * it */
typedef struct replay_truncation {
    etna_slot slot;
    const char *model; /* in the arena */
    uint32_t images, texts;
} replay_truncation;

typedef struct replay {
    etna_arena arena;
    core *core;
    replay_task *tasks;
    uint32_t count, room;
    replay_truncation *truncations;
    uint32_t truncation_count, truncation_room;
    /* results of renders, which are not done again: their pixels may differ and
     * decide nothing */
    uint32_t pictures;
    uint64_t records;
    /* the first record that is decided otherwise now; 0: none, the core holds
     * the whole run */
    uint64_t parted;
    char parted_why[512];
} replay;

/* ETNA_E_NOTFOUND: there is no such run. replay_free in every case. */
etna_code replay_read(replay *a, store *s, const etna_id *run, etna_error *err);
/* Drops the tasks for which `keep` is false. */
void replay_filter(replay *a,
                   bool (*keep)(void *context, const replay_task *task),
                   void *context);
/* In the order of a step: plans, then each branch with its polls. */
void replay_sort(replay *a);
/* Has them done by a worker of ours, which opens the store at `path`. */
etna_code replay_run(replay *a,
                     const char *path,
                     const etna_id *run,
                     bool conversation,
                     etna_error *err);
void replay_free(replay *a);

/* What differs between two results of a task of `kind`: a word for people, or
 * NULL. */
const char *replay_difference(uint32_t kind,
                              const arrange_result *before,
                              const arrange_result *now);
/* "the plan of node 3", "branch 2 of node 1", ... */
void replay_task_name(const replay_task *task, char ret[96]);

#endif
