/* What models cost, by run, step, role and model. Three sums are kept apart:
 * `used`, what entered decisions; `spent`, all that was paid for; `lost`, the
 * part of it that brought no answer. */
#ifndef ETNA_COORDINATOR_REPORT_USAGE_H
#define ETNA_COORDINATOR_REPORT_USAGE_H

#include "coordinator/core/core.h"
#include "coordinator/report/page.h"

#include <jansson.h>
#include <stdio.h>

/* {"currency", "used", "spent", "lost", "by_step":[{"step", "used", ...}],
 * "by_role", "by_model"}; each of used, spent and lost is {"in", "out",
 * "cached", "written", "reasoning", "cost", "calls", "bytes_sent",
 * "images_sent"}, and each list sums to the whole; "free": {"used", "spent", "lost"} beside them, in
 * each row too, is what of it the built-in agent counted, which reads much and
 * costs nothing. NULL: out of memory. */
json_t *usage_of_view(const core_run_view *view);
/* For people, from a run's document: what network models took. Of the built-in
 * agent's part only that it is free. Nothing where no model was asked. */
void usage_print(FILE *to, const json_t *document);
void usage_page(page *p, const json_t *document);
/* Tokens in and out that network models used. False: only the built-in agent
 * was asked. */
bool usage_tokens(const json_t *document,
                  long long *ret_in,
                  long long *ret_out);

#endif
