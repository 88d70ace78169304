/* What a run is asked to do: the flags of `etna run` that say so, read, checked
 * together, and completed by what the list of models says. A line of a batch
 * asks for a run by the same flags.
 *
 *   run_request_default ──> run_request_add_flags, flags_read
 *      ──> run_request_consider      what contradicts itself?
 *      ──> run_request_read_models   the models, and defaults that follow */
#ifndef ETNA_COORDINATOR_CLI_RUN_REQUEST_H
#define ETNA_COORDINATOR_CLI_RUN_REQUEST_H

#include "coordinator/cli/bundle.h"
#include "proto/arena.h"
#include "proto/arrange.h"
#include "proto/flags.h"

/* Texts are borrowed from the command line, or live in a list's arena. A copy
 * is cheap and independent. */
typedef struct run_request {
    arrange_config config;
    /* NULL: that of the run after which */
    const char *scene;
    /* --after, --steps; NULL: not said */
    const char *after, *steps_file;
    const char *unit, *up, *models; /* likewise */
    /* 0: the flag was not given; the config has a default, or gets one from the
     * models */
    uint32_t max_steps, branches, early_end, list_edits;
    bool no_images;
} run_request;

/* A request with arrange_config_default() and no flag given. */
run_request run_request_default(void);

/* Appends the flags that say what a run is like to `rows`, which is terminated
 * by an all-zero row before and after. What the run is to do (goal, steps) and
 * where it is carried and kept is the caller's. `r` outlives the reading. Rows
 * beyond FLAGS_MAX would be dropped. */
void run_request_add_flags(run_request *r, flags_row rows[FLAGS_MAX + 1]);
/* Checks what the flags ask for together, and moves them into the config. Call
 * it once scene and goal or steps are there. ETNA_E_USAGE. */
etna_code run_request_consider(run_request *r, etna_error *err);
/* After run_request_consider(): cuts the list of models to the run's own, and
 * sets what follows from them: the early end, which roles are paid, how many
 * edits the run may make. All of it lives in `arena`. ETNA_E_USAGE,
 * ETNA_E_NOMEM. */
etna_code run_request_read_models(run_request *r,
                                  etna_arena *arena,
                                  etna_error *err);

/* What its scene is to be read with. `store`: --store, or NULL. Borrows all
 * texts of the request. */
bundle_wanted run_request_bundle(const run_request *r, const char *store);

/* A flags_row's reader: an amount of money such as 2.50 into the uint64_t at
 * `into`, as millionths and exactly. ETNA_E_USAGE: it is not above 0, has more
 * than six digits behind the point, or exceeds 10^9. */
etna_code run_request_read_cost(const char *name,
                                const char *value,
                                void *into,
                                etna_error *err);

#endif
