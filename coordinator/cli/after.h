/* `etna run --after RUN`: a run that goes on from the end of another one, with
 * what that one was asked and did, so that "put it back" means something. */
#ifndef ETNA_COORDINATOR_CLI_AFTER_H
#define ETNA_COORDINATOR_CLI_AFTER_H

#include "proto/arrange.h"

/* Of the earlier run: the scene that it left, a GLB, free(); NULL: it has
 * none. */
typedef struct after_left {
    uint8_t *glb;
    size_t size;
} after_left;

/* Fills scene, scene_name, start, after and before of `config` from the store;
 * all texts live in `arena`. `run`: as a user names it (cli_find_run);
 * `store_given`: --store. ETNA_E_INPUT: it has not ended, or its scene is not
 * kept any more; else as cli_find_run, opening a store and reading a journal.
 * After an error some of `before` may be filled. *ret_left is the caller's, and
 * untouched on failure. */
etna_code after_read(const char *store_given,
                     const char *run,
                     etna_arena *arena,
                     arrange_config *config,
                     after_left *ret_left,
                     etna_error *err);

#endif
