/* Where `etna run` listens: a socket in a directory of its own, mode 0700,
 * beneath $XDG_RUNTIME_DIR or /tmp. The directory holds a lock that the kernel
 * drops at its owner's death; whoever starts next removes directories of dead
 * owners. */
#ifndef ETNA_COORDINATOR_SHELL_ENDPOINT_H
#define ETNA_COORDINATOR_SHELL_ENDPOINT_H

#include "proto/error.h"

/* `directory` "": none. Set lock_fd to -1 in one that is not made yet. */
typedef struct endpoint {
    char directory[96], url[112];
    int lock_fd;
} endpoint;

/* Removes what dead owners left, makes a directory and its lock. ETNA_E_IO,
 * ETNA_E_FULL. */
etna_code endpoint_make(endpoint *ret, etna_error *err);
/* Removes the directory and what is in it. All zero is fine. */
void endpoint_remove(endpoint *e);

#endif
