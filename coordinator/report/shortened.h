/* What was left out of requests that were too long for their model: the journal says how much, the rule
 * (worker/provider/provider.h) says what: oldest images first, then the oldest results of tools. */
#ifndef ETNA_COORDINATOR_REPORT_SHORTENED_H
#define ETNA_COORDINATOR_REPORT_SHORTENED_H

#include "coordinator/report/again.h"

/* Adds to each call of the tasks (again_do) that was shortened: "shortened": {"model", "images", "tool_results", "why",
 * "left_out":
 * [{"turn", "kind": "image", "image"} | {"turn", "kind": "tool_result", "tool", "id"}]}; the turn is that in which it
 * came. `models`: the run's list, or NULL. ETNA_E_NOMEM. */
etna_code shortened_tell(again *a, const char *models, etna_error *err);

#endif
