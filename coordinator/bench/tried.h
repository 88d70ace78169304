/* What became of branches that evaluators decided about, held against the
 * suite's predicates: did they let pass what does not hold, did they turn down
 * what does, and was there a better branch than the one that was taken? Asked
 * of a list's instructions alone, and of nodes that were to end theirs: half a
 * way fulfils no predicate. Pure. */
#ifndef ETNA_COORDINATOR_BENCH_TRIED_H
#define ETNA_COORDINATOR_BENCH_TRIED_H

#include "proto/arena.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum tried_done {
    TRIED_UNSEEN, /* its scene could not be looked at */
    TRIED_NOT_DONE,
    TRIED_DONE
} tried_done;

/* A scene that a branch left, and the one before its instruction. */
typedef struct tried_look {
    uint32_t item;      /* the instruction, from 1 */
    const char *before; /* snapshots' hashes, the document's; NULL: S_0 */
    const char *after;
    tried_done done; /* the caller's to fill in */
} tried_look;

typedef struct tried_looks {
    tried_look *list;
    size_t count;
} tried_looks;

/* Every scene that is to be looked at, each once, `done` unseen. `document` is
 * a run.json, `count` how many instructions there are. The list is the arena's.
 * False: out of memory. */
bool tried_find(const json_t *document,
                uint32_t count,
                etna_arena *arena,
                tried_looks *ret);

/* For each instruction {"accepted", "accepted_done", "rejected",
 * "rejected_done", "unseen": branches, "nodes", "chosen_done", "best_done":
 * nodes in which one was taken, and those of them in which it, or any that was
 * decided about, is done}. NULL: out of memory. */
json_t *tried_tell(const json_t *document,
                   uint32_t count,
                   const tried_looks *looks);

#endif
