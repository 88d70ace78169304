/* What a result brought in and what it took out, as the file itself tells
 * (worker/convert/append.h): whose assets, on what terms. */
#ifndef ETNA_COORDINATOR_REPORT_CHANGES_H
#define ETNA_COORDINATOR_REPORT_CHANGES_H

#include "coordinator/report/output.h"

/* A copy of the document in which "brought_in" and "taken_out" are lists of
 * texts, where the result has such; else the document itself. The caller
 * json_decref()s it. NULL: no memory. A result that cannot be read tells
 * nothing. */
json_t *changes_told(const json_t *document, output_fetch fetch, void *context);

#endif
