/* A run as a JSON document (ARCHITECTURE.md, Exit codes and files): what `etna
 * run --json` prints, run.json holds, and a coordinator serves. */
#ifndef ETNA_COORDINATOR_REPORT_RUN_JSON_H
#define ETNA_COORDINATOR_REPORT_RUN_JSON_H

#include "coordinator/core/core.h"

#include <jansson.h>

/* Of a run in any state; NULL when out of memory. Beside the fixed fields:
 * scene, goal or instructions, reason, exit_code, warnings, the result's and
 * the images' blobs, the tree with what every branch came to, the limits, and
 * why it ended so. compute_s is 0: who knows it sets it. */
json_t *run_json_of(const core_run_view *view);
/* The same as text for shell_options.report. */
etna_code run_json_report(void *context,
                          const core_run_view *view,
                          uint8_t **ret_data,
                          size_t *ret_size,
                          etna_error *err);
/* Checks what came by wire: an object with the fields used here, of the right
 * types. ETNA_E_MESSAGE. */
etna_code run_json_parse(const uint8_t *data,
                         size_t size,
                         json_t **ret,
                         etna_error *err);

#endif
