/* A run from its journal alone: every record fed to a fresh core, and the tasks that its results answered, each as a
 * worker was given it, to be done again by `etna-worker replay`. For `etna replay` and `etna show --conversation`. */
#ifndef ETNA_COORDINATOR_REPORT_AGAIN_H
#define ETNA_COORDINATOR_REPORT_AGAIN_H

#include "coordinator/core/core.h"
#include "store/store.h"

#include <jansson.h>

typedef struct again_task {
    uint64_t sequence; /* of the record that holds its result */
    uint32_t kind, node, branch, poll;
    uint8_t *payload; /* a packed arrange_task */
    size_t payload_size;
    arrange_result recorded; /* in the arena */
    /* what again_do found */
    bool done;
    arrange_result result;
    const char *failure, *mismatch; /* NULL: none */
    json_t *calls;                  /* array; only when conversations are asked for */
} again_task;

typedef struct again_shortened { /* a reply to a request that was too long for its model, as the journal has it */
    etna_slot slot;
    const char *model; /* in the arena */
    uint32_t images, texts;
} again_shortened;

typedef struct again {
    etna_arena arena;
    core *core;
    again_task *tasks;
    uint32_t count, room;
    again_shortened *shortened;
    uint32_t shortened_count, shortened_room;
    uint32_t pictures; /* results of renders, which are not done again: their pixels may differ and decide nothing */
    uint64_t records;
    uint64_t parted; /* the first record that is decided otherwise now; 0: none, the core holds the whole run */
    char parted_why[512];
} again;

/* ETNA_E_NOTFOUND: there is no such run. again_free in every case. */
etna_code again_read(again *a, store *s, const etna_id *run, etna_error *err);
/* Drops the tasks for which `keep` is false. */
void again_keep(again *a, bool (*keep)(void *context, const again_task *task), void *context);
/* In the order of a step: plans, then each branch with its polls. */
void again_sort(again *a);
/* Has them done by a worker of ours, which opens the store at `path`. */
etna_code again_do(again *a, const char *path, const etna_id *run, bool conversation, etna_error *err);
void again_free(again *a);

/* What differs between two results of a task of `kind`: a word for people, or NULL. */
const char *again_differs(uint32_t kind, const arrange_result *before, const arrange_result *now);
/* "the plan of node 3", "branch 2 of node 1", ... */
void again_name(const again_task *task, char ret[96]);

#endif
