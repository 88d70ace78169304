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

/* Opened by batch_folder_open(). One thread at a time. */
typedef struct batch_folder {
    char path[4096];
    /* directories DIR and DIR/.batch, for the *at() calls: a rename of DIR
     * while the batch runs does no harm (batch_folder_place) */
    int fd, own_fd;
    int lock_fd, journal_fd; /* -1: not held, not open */
    /* random, made once; part of every run's name (batch_name_run), so that two
     * batches of the same list are two sets of runs */
    etna_id id;
} batch_folder;

/* Opens DIR and makes what is missing of it, parents included. Takes no lock.
 * ETNA_E_USAGE: DIR cannot be an output folder (output_check); ETNA_E_CORRUPT:
 * its id is damaged; ETNA_E_IO, ETNA_E_FULL. *ret is untouched then, but made
 * directories stay. */
etna_code batch_folder_open(const char *path,
                            batch_folder *ret,
                            etna_error *err);
/* Closes all descriptors, which also drops the lock. May be called twice. */
void batch_folder_close(batch_folder *f);
/* Where the results of the line `name` go, its terminator included in `size`.
 * DIR may have been renamed since it was opened: then `path` is set anew.
 * ETNA_E_IO: it was removed, or nobody can tell where it is. */
etna_code batch_folder_place(
    batch_folder *f, const char *name, char *ret, size_t size, etna_error *err);
/* Whether batch_folder_place() would fail; then *err is its error. Whatever is
 * done in a folder while somebody removes it fails in a way of its own. */
bool batch_folder_is_gone(batch_folder *f, etna_error *err);
/* *ret_held false, ETNA_OK: another living process works on the batch. True: it
 * is ours until batch_folder_close() or our death, and batch_folder_add() may
 * be called. ETNA_E_IO, ETNA_E_FULL. */
etna_code batch_folder_lock(batch_folder *f, bool *ret_held, etna_error *err);

/* A well-formed record of the journal. Borrowed for the call; copy what is
 * kept. */
typedef void (*batch_record_fn)(void *context, const json_t *record);
/* Calls `each` for the records of the journal in the order they were written.
 * Lines that are no JSON object (a cut write) or longer than 1 MB are skipped.
 * No journal is no error. ETNA_E_NOMEM, ETNA_E_IO: after some records were
 * given. */
etna_code batch_folder_read(const batch_folder *f,
                            batch_record_fn each,
                            void *context,
                            etna_error *err);
/* Appends `record` and returns once it is on the disk (fdatasync). `record` is
 * stolen in every case; NULL is ETNA_E_NOMEM, so that a failed json_pack() can
 * be passed on unchecked. After an error the journal is as it was before;
 * ETNA_E_IO where not even that could be done. */
etna_code batch_folder_add(batch_folder *f, json_t *record, etna_error *err);

#endif
