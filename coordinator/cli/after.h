/* `etna run --after RUN`: what a run takes of the one whose end it goes on
 * from. */
#ifndef ETNA_COORDINATOR_CLI_AFTER_H
#define ETNA_COORDINATOR_CLI_AFTER_H

#include "proto/arrange.h"

/* Fills scene, scene_name, start, after and before of `config`, all in `arena`.
 * `run`: as a user names it; `store_given`: --store. ETNA_E_INPUT: it has not
 * ended, or its scene is not kept any more; ETNA_E_NOTFOUND, ETNA_E_USAGE as
 * cli_find_run, and what opening a store and reading a journal brings. */
etna_code after_read(const char *store_given,
                     const char *run,
                     etna_arena *arena,
                     arrange_config *config,
                     etna_error *err);

#endif
