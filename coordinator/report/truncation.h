/* What was left out of requests that were too long for their model: the journal
 * says how much, the rule (worker/provider/provider.h) says what: oldest images
 * first, then the oldest results of tools. */
#ifndef ETNA_COORDINATOR_REPORT_TRUNCATION_H
#define ETNA_COORDINATOR_REPORT_TRUNCATION_H

#include "coordinator/report/replay.h"

/* Adds to each call of the tasks (replay_run) that was shortened: "shortened":
 * {"model", "images", "tool_results", "why", "left_out": [{"turn", "kind":
 * "image", "image"} | {"turn", "kind": "tool_result", "tool", "id"}]}; the turn
 * is that in which it came. `models`: the run's list, or NULL. ETNA_E_NOMEM. */
etna_code truncation_add(replay *a, const char *models, etna_error *err);

#endif
