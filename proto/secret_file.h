/* Files that hold tokens or keys: nobody but their user reads them, and they
 * are there whole or not at all. */
#ifndef ETNA_PROTO_SECRET_FILE_H
#define ETNA_PROTO_SECRET_FILE_H

#include "proto/error.h"

#include <stddef.h>

/* All bytes of a file, at most `room`, into the caller's buffer, whose to
 * forget they are. `what` names it in errors: "the join file". ETNA_E_USAGE: it
 * cannot be had or is longer, it is no file, others may read it, or it is
 * another user's. */
etna_code secret_file_read(const char *path,
                           const char *what,
                           char *text,
                           size_t room,
                           size_t *ret_size,
                           etna_error *err);

/* Replaces the file by a rename, 0600 from the beginning, durable. ETNA_E_IO,
 * ETNA_E_FULL: what stood there stays. */
etna_code secret_file_write(const char *path,
                            const char *what,
                            const char *text,
                            size_t size,
                            etna_error *err);

#endif
