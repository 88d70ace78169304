/* A run carried to its end (`etna run`, `etna resume`). Where this process can
 * own the store it carries the run itself, with a private endpoint, worker
 * processes and a loop, and serves whoever else comes to that store. Otherwise
 * the owner carries it. At the end the result is printed and written. */
#ifndef ETNA_COORDINATOR_CLI_RUNNER_H
#define ETNA_COORDINATOR_CLI_RUNNER_H

#include "proto/error.h"
#include "proto/hash.h"
#include "proto/message.h"
#include "store/store.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
/* Commits the options' bundle to a store that we own. ETNA_E_FULL, ETNA_E_IO,
 * ...; no group is left open. */
etna_code runner_keep_scene(store *s,
                            const runner_options *options,
                            etna_error *err);

#endif
