/* The search of a run drawn as text, for `etna show`. */
#ifndef ETNA_COORDINATOR_REPORT_TREE_H
#define ETNA_COORDINATOR_REPORT_TREE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Draws the tree of a run's document. `lines`: with box-drawing characters
 * (UTF-8), otherwise in ASCII. Texts from outside are escaped. */
void tree_print(FILE *to, const json_t *document, bool lines);
/* Whether the locale's variables say that the terminal reads UTF-8. */
bool tree_locale_is_utf8(void);

#endif
