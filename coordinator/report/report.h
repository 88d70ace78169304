/* report.html: a run on one page that can be sent to somebody. It holds
 * everything within itself (images as data: URIs), runs no script and asks for
 * nothing from anywhere; what came from outside is escaped. Made from the run's
 * document, so a run that another coordinator did is told as well as one of our
 * own. */
#ifndef ETNA_COORDINATOR_REPORT_REPORT_H
#define ETNA_COORDINATOR_REPORT_REPORT_H

#include "coordinator/report/field.h"
#include "coordinator/report/output.h"
#include "coordinator/report/page.h"

/* Adds the whole page to `ret`. `fetch` NULL, or an image that cannot be
 * fetched: it is left out. ETNA_E_NOMEM; `ret` is then not whole and is the
 * caller's to free all the same. */
etna_code report_page(const json_t *document,
                      output_fetch fetch,
                      void *context,
                      page *ret,
                      etna_error *err);

/* ---- parts, each in a file of its own ---- */

extern const char report_style[];
/* The search as a picture (SVG): nodes from left to right in the order they
 * were begun, downwards by step, backtracking as dashed arrows. */
void report_tree(page *p, const json_t *document);
/* report_branch.c: a branch's constraints and checks in words, and what the
 * evaluators said. */
void report_branch(page *p, const json_t *branch);
/* Branches of a node other than `winner` (-1: none won); those that came to the
 * same are told together. */
void report_refused(page *p, const json_t *node, long long winner);
/* The node whose edit is kept as step i (from 0) of the document; NULL: none.
 * Borrowed. */
const json_t *report_kept(const json_t *document, size_t i);

#endif
