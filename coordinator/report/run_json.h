/* A run as a JSON document (ARCHITECTURE.md, Exit codes and files): what `etna
 * run --json` prints, run.json holds, and a coordinator serves. */
#ifndef ETNA_COORDINATOR_REPORT_RUN_JSON_H
#define ETNA_COORDINATOR_REPORT_RUN_JSON_H

#include "coordinator/core/core.h"

#include <jansson.h>

enum {
    RUN_JSON_TRIED_MAX =
        4096 /* snapshots of branches that were decided about */
};

/* The document of a run in any state, owned by the caller; NULL: out of memory.
 * It has the fields of ARCHITECTURE.md and: scene, goal or instructions,
 * reason, exit_code, warnings, blobs of the result and the images, the tree
 * with what every branch came to, with config.step_scenes the scenes after kept
 * edits and the snapshots of branches that evaluators decided about besides,
 * the limits, and why it ended so. "compute_s" is what workers told of their
 * processors, 0 where none did. Borrows nothing from the view. */
json_t *run_json_of(const core_run_view *view);
/* The same as text, for shell_options.report; *ret_data is malloc'd. `context`
 * is not used. ETNA_E_NOMEM. */
etna_code run_json_report(void *context,
                          const core_run_view *view,
                          uint8_t **ret_data,
                          size_t *ret_size,
                          etna_error *err);
/* Reads a document that came over the wire and checks the fields that this
 * program relies on. ETNA_E_MESSAGE: it is not well formed, and *ret is
 * untouched. What is not checked may be missing or of another type, so it is
 * read by field.h. */
etna_code run_json_parse(const uint8_t *data,
                         size_t size,
                         json_t **ret,
                         etna_error *err);

#endif
