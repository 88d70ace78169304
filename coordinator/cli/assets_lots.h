/* `etna assets index` on the pool: what is not read yet is converted where it
 * lies, by `etna-worker assets index --lots`, read in lots by whoever carries
 * runs for the store, and put onto the shelf by the next such child. */
#ifndef ETNA_COORDINATOR_CLI_ASSETS_LOTS_H
#define ETNA_COORDINATOR_CLI_ASSETS_LOTS_H

#include <stdint.h>

/* `argv` from "assets" on. *ret_read: models read. Returns 0 when the rest may
 * go on, which reads itself whatever is left; else the exit code, with
 * everything said. */
int assets_lots_read(int argc, char **argv, uint32_t *ret_read);
/* Copies the arguments without those that are meant for here. `to` has room
 * for all. Returns how many. */
int assets_lots_strip(int argc, char **argv, char **to);

#endif
