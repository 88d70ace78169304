/* Constraints and checks of a branch (its part of the document's tree) as words
 * of a person. */
#ifndef ETNA_COORDINATOR_REPORT_CONSTRAINT_TEXT_H
#define ETNA_COORDINATOR_REPORT_CONSTRAINT_TEXT_H

#include "coordinator/report/page.h"

#include <jansson.h>

/* A plane's name as a person would say it: "Yellow Block_14" becomes "Yellow
 * Block's plane 14", "Desk_up" becomes "the top of Desk". Not escaped. */
void constraint_text_plane(page *to, const char *plane);
/* How one constraint of METHODS.md 3 reads: "bottom at pixel (0.64, 0.42)".
 * False: it is none that is known, and nothing was added. */
bool constraint_text_add(page *to, const json_t *constraint);
/* What was checked on the way to a branch's place and how each check came out,
 * as sentences. `branch`: as in the document's tree. Not escaped. */
void constraint_text_checks(page *to, const json_t *branch);

#endif
