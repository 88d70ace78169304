/* What a result brought in and what it took out, as the file itself tells
 * (worker/convert/append.h): whose assets, on what terms. */
#ifndef ETNA_COORDINATOR_REPORT_CHANGES_H
#define ETNA_COORDINATOR_REPORT_CHANGES_H

#include "coordinator/report/output.h"

/* What the result's file says about what was brought in and taken out. Returns
 * a copy of the document with lists of texts "brought_in" and "taken_out" where
 * the result has such, otherwise the document itself with another reference;
 * the caller json_decref()s it. NULL: out of memory. A result that cannot be
 * fetched or read adds nothing, as the run's document is worth having without
 * it. */
json_t *changes_told(const json_t *document, output_fetch fetch, void *context);

#endif
