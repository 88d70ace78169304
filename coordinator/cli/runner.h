/* A run carried to its end (`etna run`, `etna resume`): by this process when it
 * can own the store, with a private endpoint, workers and loop, and beside its
 * own for whoever comes; else by who owns it. And what is printed and written
 * when it is over. */
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

typedef struct runner_options {
    const char *store, *output; /* --store, -o; NULL: default, none */
    bool json;
    uint32_t workers; /* 0: one per 8 CPUs, at least 2 */
    etna_id run;
    /* a new run: its packed config (NULL: resume) and scene (NULL: it is in the
     * store) */
    const uint8_t *config, *bundle;
    size_t config_size, bundle_size;
    etna_hash scene; /* of the bundle */
    /* no config: with which models it goes on; its model NULL: as before */
    message_run_resume resume;
} runner_options;

/* Returns the exit code of ARCHITECTURE.md, Exit codes and files; prints
 * everything. */
int runner_run(const runner_options *options);
/* Prints and writes what a run of the store left that has ended. False: it has
 * not, and nothing is told. */
bool runner_fetch_ended(const runner_options *options, int *ret_exit);
/* The options' bundle, durable in a store of ours. */
etna_code runner_keep_scene(store *s,
                            const runner_options *options,
                            etna_error *err);

#endif
