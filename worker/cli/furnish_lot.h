/* Rooms that the pool furnishes (`etna furnish --batch`): briefs and models on
 * their way there, and what a FURNISH task does with them.
 *
 *   furnish_lots.c  picks for each line, and writes index, models and briefs
 *                   for coordinator/cli/furnish_rooms.c, which submits them
 *   furnish_lot.c   a brief's bytes, and the task (worker/jobs/furnish.c) */
#ifndef ETNA_WORKER_CLI_FURNISH_LOT_H
#define ETNA_WORKER_CLI_FURNISH_LOT_H

#include "worker/cli/furnish.h"
#include "worker/jobs/job.h"

/* A model that a brief may want, and the blob that it is in. */
typedef struct furnish_stocked {
    etna_hash model, blob;
    uint8_t *data; /* owned; NULL: it was not given */
    size_t size;
} furnish_stocked;

typedef struct furnish_stock {
    uint32_t count;
    furnish_stocked *rows;
} furnish_stock;

/* ETNA_E_INPUT: it has none, or that was not given. */
etna_code furnish_stock_read(const furnish_stock *stock,
                             const etna_hash *model,
                             compose_asset *ret,
                             etna_error *err);

/* What f asks for, and where its models are. Caller frees *ret. ETNA_E_NOMEM. */
etna_code furnish_lot_pack(const furnishing *f,
                           uint32_t line,
                           const furnish_stock *stock,
                           uint8_t **ret,
                           size_t *ret_size,
                           etna_error *err);

/* Of FURNISH tasks. */
extern const job_furnisher furnish_furnisher;

/* Index, models and briefs of a list, a brief a line that is not blank, into a
 * file as `etna furnish --batch` reads it; `head` is JSON for that. ETNA_E_INPUT,
 * ETNA_E_LIMIT, ETNA_E_IO, ETNA_E_NOMEM. */
etna_code furnish_lots_write(const furnish_many *many,
                             const char *text,
                             size_t size,
                             const json_t *head,
                             int fd,
                             etna_error *err);

#endif
