/* A run carried to its end (`etna run`, `etna resume`). Where this process can
 * own the store it carries the run itself, with a private endpoint, worker
 * processes and a loop, and serves whoever else comes to that store. Otherwise
 * the owner carries it. At the end the result is printed and written. */
#ifndef ETNA_COORDINATOR_CLI_RUNNER_H
#define ETNA_COORDINATOR_CLI_RUNNER_H

#include "coordinator/core/core.h"
#include "proto/error.h"
#include "proto/hash.h"
#include "proto/message.h"
#include "store/store.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A blob that the config names. */
typedef struct runner_part {
    etna_hash hash;
    const uint8_t *data;
    size_t size;
} runner_part;

/* Gets the ended run as its journal tells it, and the store. Its exit code is
 * the runner's. */
typedef int (*runner_ended_fn)(void *context,
                               store *s,
                               const core_run_view *view);

/* From the command line. Borrowed until runner_run() returns. */
typedef struct runner_options {
    const char *store, *output; /* --store, -o; NULL: default, none */
    bool json;
    /* worker processes; 0: one per 8 CPUs */
    uint32_t workers;
    /* its name: of a new run random, chosen before anything is submitted, so
     * that a submission can be repeated without becoming two runs */
    etna_id run;
    /* A new run: its packed config (arrange_config_pack; NULL: resume) and its
     * scene (NULL: it is in the store already). */
    const uint8_t *config, *bundle;
    size_t config_size, bundle_size;
    /* of the bundle's bytes */
    etna_hash scene;
    /* further blobs of a new run */
    const runner_part *parts;
    uint32_t part_count;
    /* instead of reporting and writing the end; nothing is told then of how it
     * goes, either. NULL: it is reported */
    runner_ended_fn ended;
    void *context;
    /* Of a resumed run: the models it goes on with; model NULL: as before. */
    message_run_resume resume;
} runner_options;

/* Returns the exit code (ARCHITECTURE.md, Exit codes and files), having printed
 * everything. Main thread only: it installs signal handlers. A second signal
 * ends the process at once. */
int runner_run(const runner_options *options);
/* Prints and writes the result of an ended run of the store. False: it has not
 * ended, or is a coordinator's that has not; nothing was printed. True:
 * *ret_exit is set, which may be that of an error. */
bool runner_fetch_ended(const runner_options *options, int *ret_exit);
/* Commits the options' bundle and parts to a store that we own. ETNA_E_FULL, ETNA_E_IO,
 * ...; no group is left open. */
etna_code runner_keep_scene(store *s,
                            const runner_options *options,
                            etna_error *err);

#endif
