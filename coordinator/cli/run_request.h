/* What a run is asked to do: the flags of `etna run` that say so, read, checked
 * together, and completed by what its list of models says. A line of a batch
 * asks for a run in the same way. */
#ifndef ETNA_COORDINATOR_CLI_RUN_REQUEST_H
#define ETNA_COORDINATOR_CLI_RUN_REQUEST_H

#include "coordinator/cli/bundle.h"
#include "proto/arena.h"
#include "proto/arrange.h"
#include "proto/flags.h"

typedef struct run_request { /* texts are borrowed */
    arrange_config config;
    /* NULL: that of the run after which */
    const char *scene;
    /* --after, --steps; NULL: not said */
    const char *after, *steps_file;
    const char *unit, *up, *models;          /* likewise */
    uint32_t max_steps, branches, early_end; /* 0: not said */
    bool no_images;
} run_request;

run_request run_request_default(void);

/* Adds the rows of what a run is to be like, behind those there are: not what
 * it is to do, nor where it is done and kept. */
void run_request_add_flags(run_request *r, flags_row rows[FLAGS_MAX + 1]);
/* After the flags are read and scene and goal or steps are there: what they ask
 * for together. ETNA_E_USAGE. */
etna_code run_request_consider(run_request *r, etna_error *err);
/* After that: its models, and what follows from them. What they say lives in
 * `arena`. ETNA_E_USAGE. */
etna_code run_request_read_models(run_request *r,
                                  etna_arena *arena,
                                  etna_error *err);

/* What its scene is read with. `store`: --store, or NULL. Borrows all texts. */
bundle_wanted run_request_bundle(const run_request *r, const char *store);

/* A flag's amount of money into a uint64_t of millionths: exact, above 0, at
 * most six digits behind the point. */
etna_code run_request_read_cost(const char *name,
                                const char *value,
                                void *into,
                                etna_error *err);

#endif
