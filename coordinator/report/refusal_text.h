/* A refusal for people: one line that says what and what to do, and the part of
 * the sentence that it is about. */
#ifndef ETNA_COORDINATOR_REPORT_REFUSAL_TEXT_H
#define ETNA_COORDINATOR_REPORT_REFUSAL_TEXT_H

#include "coordinator/report/page.h"

#include <jansson.h>

/* The sentence that `cause` (error or failure of a run's document) is about:
 * the goal, or its instruction of the list. NULL: not known. Borrowed from the
 * document. */
const char *refusal_text_sentence(const json_t *document, const json_t *cause);

/* Adds two lines of at most `columns` columns: the sentence, and ^^^^ beneath
 * its bytes [from, end). A long sentence is cut on both sides by "...". Control
 * characters are escaped. Nothing is added where the bytes do not lie within
 * the sentence, as a document from elsewhere may say anything. */
void refusal_text_mark(
    page *to, const char *sentence, size_t from, size_t end, unsigned columns);

/* Adds "WHAT. DO" on one line; for a list's instruction with its number. */
void refusal_text_line(page *to, const json_t *cause);

/* Prints the marked sentence on stderr, if that is a terminal and the cause
 * marks a part. */
void refusal_text_print(const json_t *document, const json_t *cause);

#endif
