/* What the user is given in DIR: result.glb, the step images, with
 * --step-scenes the step scenes, report.html, run.json. Each file is there
 * whole or not at all. */
#ifndef ETNA_COORDINATOR_REPORT_OUTPUT_H
#define ETNA_COORDINATOR_REPORT_OUTPUT_H

#include "proto/error.h"
#include "proto/hash.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A blob by its hash, malloc'd: from the store, or over the wire. */
typedef etna_code (*output_fetch)(void *context,
                                  const etna_hash *hash,
                                  uint8_t **ret_data,
                                  size_t *ret_size,
                                  etna_error *err);

/* Before a run: DIR can be one, and writing into it will not overwrite `scene`:
 * else ETNA_E_USAGE. What is there of its path can be written into: else
 * ETNA_E_IO. Makes nothing. */
etna_code output_check(const char *directory,
                       const char *scene,
                       etna_error *err);
/* Makes DIR and what is missing of its path. ETNA_E_IO, ETNA_E_FULL. */
etna_code output_make_directories(const char *directory, etna_error *err);
/* Whether a run has anything to be written: one that ended by an error has
 * where there is a result of its edits. What an earlier run wrote stays where
 * it has not. */
bool output_is_worth(const json_t *document);
/* Makes DIR where needed and writes what `document` names, run.json last. Files
 * of an earlier run that this one has not (result.glb, further step images) are
 * removed. */
etna_code output_write(const char *directory,
                       const json_t *document,
                       output_fetch fetch,
                       void *context,
                       etna_error *err);

/* Takes away what an earlier run wrote there, known by its run.json; other
 * people's files stay. */
void output_remove(const char *directory);

/* The report alone, into `file`, whose folder must be there; what stood there
 * is replaced. */
etna_code output_report(const char *file,
                        const json_t *document,
                        output_fetch fetch,
                        void *context,
                        etna_error *err);

#endif
