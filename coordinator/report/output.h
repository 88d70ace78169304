/* The folder a user is given: result.glb, the step images, with --step-scenes
 * the step scenes and the snapshots of branches that were judged and not kept
 * ("tried-01.snapshot"), report.html, run.json. Each file is there whole or not at
 * all, and run.json is written last: where it is, the rest is too. */
#ifndef ETNA_COORDINATOR_REPORT_OUTPUT_H
#define ETNA_COORDINATOR_REPORT_OUTPUT_H

#include "proto/error.h"
#include "proto/hash.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Gets a blob by its hash, from the store or over the wire. *ret_data is
 * malloc'd and the caller's. `err` may be NULL. */
typedef etna_code (*output_fetch)(void *context,
                                  const etna_hash *hash,
                                  uint8_t **ret_data,
                                  size_t *ret_size,
                                  etna_error *err);

/* Before a run: whether DIR can take its result. ETNA_E_USAGE: it is a file,
 * too long, or its result.glb is `scene` itself (NULL: not looked at);
 * ETNA_E_IO: what exists of its path cannot be written into. Makes nothing. */
etna_code output_check(const char *directory,
                       const char *scene,
                       etna_error *err);
/* Makes DIR and what is missing of its path. ETNA_E_IO, ETNA_E_FULL. */
etna_code output_make_directories(const char *directory, etna_error *err);
/* Whether a run has anything to be written. One that ended by an error has
 * where its edits have a result; where it has not, what an earlier run wrote
 * stays. */
bool output_is_worth(const json_t *document);
/* Makes DIR where needed and writes what `document` names, run.json last. Files
 * of an earlier run that this one does not have (result.glb, further step
 * images) are removed. ETNA_E_IO, ETNA_E_FULL, ETNA_E_NOMEM, and what `fetch`
 * returns; files written until then stay. */
etna_code output_write(const char *directory,
                       const json_t *document,
                       output_fetch fetch,
                       void *context,
                       etna_error *err);

/* Removes what an earlier run wrote there, and the folder if nothing else is in
 * it. Only where its run.json is: other people's files of these names stay. */
void output_remove(const char *directory);

/* Writes the report alone to `file`, whose folder must exist; replaces what
 * stood there. */
etna_code output_report(const char *file,
                        const json_t *document,
                        output_fetch fetch,
                        void *context,
                        etna_error *err);

#endif
