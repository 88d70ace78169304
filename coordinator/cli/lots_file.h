/* Blobs that a child process of ours hands over before a run is made of them:
 * `etna-worker ... --lots=FILE` writes them into a file without a name, each
 * behind its size (8 bytes, the low end first) and a number that says what it
 * is (4). */
#ifndef ETNA_COORDINATOR_CLI_LOTS_FILE_H
#define ETNA_COORDINATOR_CLI_LOTS_FILE_H

#include "proto/error.h"

#include <stddef.h>
#include <stdint.h>

enum {
    LOTS_FD = 3, /* of the file in the child */
    LOTS_HEAD = 12
};

typedef struct lots_file { /* lots_file_open() makes it */
    int fd;
    uint8_t *data; /* mapped: what it holds once it is read */
    size_t size;
} lots_file;

/* One of them; it lives as long as the file. */
typedef etna_code (*lots_each)(void *context,
                               uint32_t what,
                               const uint8_t *data,
                               size_t size,
                               etna_error *err);

/* ETNA_E_IO, ETNA_E_NOMEM; to be closed in any case. */
etna_code lots_file_open(lots_file *f, etna_error *err);
void lots_file_close(lots_file *f);
/* Runs etna-worker with those arguments, the last of them NULL, the file as
 * LOTS_FD and `in` as standard input (-1: ours). *ret_exit not 0: it has said
 * why. */
etna_code lots_file_fill(const lots_file *f,
                         const char *const *args,
                         int in,
                         int *ret_exit,
                         etna_error *err);
/* All that it wrote, in order, until one fails. What is not whole is a defect
 * of ours: ETNA_E_INTERNAL. */
etna_code lots_file_read(lots_file *f,
                         lots_each each,
                         void *context,
                         etna_error *err);
/* ETNA_E_IO or ETNA_E_NOMEM by errno. */
etna_code lots_file_fail(const char *what, etna_error *err);

#endif
