/* The folder of a batch: who works on it, and what has become of each line, so
 * that a batch which is started again goes on where it was, whatever was
 * killed. In DIR/.batch: `id`, which all run names are made of; `lock`, held by
 * the living process that carries the batch and dropped by the kernel at its
 * death; `journal`, a JSON object a line, only ever added to. Of a line's
 * records the last one counts; one that was cut off, or is of another wording
 * of the line, is none. */
#ifndef ETNA_COORDINATOR_CLI_BATCH_FOLDER_H
#define ETNA_COORDINATOR_CLI_BATCH_FOLDER_H

#include "proto/error.h"
#include "proto/hash.h"

#include <jansson.h>
#include <stdbool.h>

typedef struct batch_folder {
    char path[4096];
    int fd, own_fd;          /* DIR, DIR/.batch */
    int lock_fd, journal_fd; /* -1: not held, not open */
    etna_id id;
} batch_folder;

/* Makes what is missing of it. ETNA_E_USAGE: DIR can be none; ETNA_E_IO,
 * ETNA_E_FULL. */
etna_code batch_folder_open(const char *path,
                            batch_folder *ret,
                            etna_error *err);
void batch_folder_close(batch_folder *f);
/* *ret_held false: another living process holds it. Held, the journal may be
 * added to. */
etna_code batch_folder_lock(batch_folder *f, bool *ret_held, etna_error *err);

/* Each well-formed record in order; borrowed for the call. */
typedef void (*batch_record_fn)(void *context, const json_t *record);
etna_code batch_folder_read(const batch_folder *f,
                            batch_record_fn each,
                            void *context,
                            etna_error *err);
/* Adds a record (stolen; NULL is out of memory) and sees to it that it is on
 * the disk. */
etna_code batch_folder_add(batch_folder *f, json_t *record, etna_error *err);

#endif
