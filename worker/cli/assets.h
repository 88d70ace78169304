/* The parts of `etna assets`, one file each, and what they share. */
#ifndef ETNA_WORKER_CLI_ASSETS_H
#define ETNA_WORKER_CLI_ASSETS_H

#include "worker/assets/shelf.h"

#include <jansson.h>

/* Each gets argv from its own name on, prints, and returns the exit code. */
int assets_cmd_index(int argc, char **argv);
/* The parts of `etna assets`, as those in cli.h. */
int assets_cmd_find(int argc, char **argv);
int assets_cmd_ls(int argc, char **argv);
int assets_cmd_show(int argc, char **argv);
int assets_cmd_gc(int argc, char **argv);

/* The shelf of the store that --store names (NULL: the default). Reading only:
 * ETNA_E_INPUT says that nothing was indexed yet, and how to. */
etna_code assets_open(const char *store_given,
                      bool writable,
                      shelf **ret,
                      etna_error *err);
/* The value of --licence, "cc0,by", into a find_options: for a table of flags.
 * What it points to is kept to the end of the process. ETNA_E_USAGE,
 * ETNA_E_NOMEM. */
etna_code assets_licences_read(const char *name,
                               const char *value,
                               void *into,
                               etna_error *err);

#endif
