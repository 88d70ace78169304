/* A refusal for people: one line that says what and what to do, and the part of
 * the sentence that it is about. */
#ifndef ETNA_COORDINATOR_REPORT_REFUSAL_TEXT_H
#define ETNA_COORDINATOR_REPORT_REFUSAL_TEXT_H

#include "coordinator/report/page.h"

#include <jansson.h>

/* The sentence that `cause` (error or failure of a run's document) speaks of:
 * the goal, or its instruction of the list. NULL: it is not known. Borrowed of
 * the document. */
const char *refusal_text_sentence(const json_t *document, const json_t *cause);

/* Two lines of at most `columns`: the sentence, and ^^^^ beneath its bytes
 * [from, to); a long one is cut on both sides. Control characters are escaped.
 * Nothing where the bytes do not lie within the sentence. */
void refusal_text_mark(
    page *to, const char *sentence, size_t from, size_t end, unsigned columns);

/* "WHAT. DO" in one line; of a list's instruction with its number. */
void refusal_text_line(page *to, const json_t *cause);

/* The marked sentence on stderr, where that is a terminal and the cause marks a
 * part. */
void refusal_text_print(const json_t *document, const json_t *cause);

#endif
