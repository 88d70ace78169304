/* Why a run ended as it did, for a person: one sentence, and what to try next.
 * From the run's document alone, so that it can be told where the run is not (a
 * coordinator elsewhere, a folder someone sent). */
#ifndef ETNA_COORDINATOR_REPORT_FAILURE_REPORT_H
#define ETNA_COORDINATOR_REPORT_FAILURE_REPORT_H

#include <jansson.h>

/* Sets "why" (one sentence without a full stop; "" for a complete run) and
 * "advice" (an array of sentences, the most useful first) in a document that
 * has its "tree", "end" and "limits". Where memory is short they are left
 * out. */
void failure_report_add(json_t *document);

#endif
