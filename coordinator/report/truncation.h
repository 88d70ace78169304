/* What was left out of requests that were too long for their model: the journal
 * says how much, the rule (worker/provider/provider.h) says what: oldest images
 * first, then the oldest results of tools. */
#ifndef ETNA_COORDINATOR_REPORT_TRUNCATION_H
#define ETNA_COORDINATOR_REPORT_TRUNCATION_H

#include "coordinator/report/replay.h"

/* Adds to each shortened call of the tasks (after replay_run) "shortened":
 * {"model", "images", "tool_results", "why", "left_out": [{"turn", "kind":
 * "image", "image"} | {"turn", "kind": "tool_result", "tool", "id"}]}; "turn"
 * is the one in which the part came. `models`: the run's list, or NULL: limits
 * are not named then. ETNA_E_NOMEM. */
etna_code truncation_add(replay *a, const char *models, etna_error *err);

#endif
