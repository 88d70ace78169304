/* Files given to a user appear whole or not at all: what stood there stays
 * until the new one is there to the last byte.
 *
 * A file is written without a name, synced, and only then given one: first a
 * hidden one (".NAME.part"), since a link replaces nothing, then by renaming
 * its own. A process killed between these two leaves the hidden name, whole;
 * the next one that writes that file takes it away. Where files without a name
 * cannot be had it is hidden from the start. */
#ifndef ETNA_STORE_WHOLEFILE_H
#define ETNA_STORE_WHOLEFILE_H

#include "proto/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Writes `size` bytes as `name` (without a slash) into the folder that the
 * descriptor `folder` (O_PATH suffices) names, and syncs the file. False with
 * errno: nothing has changed, and nothing is left. */
bool wholefile_write(int folder,
                     const char *name,
                     const void *data,
                     size_t size);

/* ETNA_E_FULL where the errno `why` says that there is no room, else
 * ETNA_E_IO. */
etna_code wholefile_code(int why);

#endif
