/* The five words of a verdict in what a model says beside them. Pure. */
#ifndef ETNA_WORKER_AGENTS_VERDICT_H
#define ETNA_WORKER_AGENTS_VERDICT_H

#include "proto/arrange.h"

#include <stdbool.h>
#include <stddef.h>

/* The first of the five words in the text, in any case, as a whole word; where
 * that is denied or taken back, the last, if all before it leads to that ("not
 * terrible; it is fair"); among boxes the one that is checked. False: there is
 * none, it is denied ("not good", "less than good"), or one of several that are
 * offered ("good or fair", "good/fair"). */
bool verdict_find(const char *text, size_t size, arrange_verdict *ret);

/* Does the text, but for signs around it, consist of one of the words alone? */
bool verdict_alone(const char *text, size_t size, arrange_verdict *ret);

#endif
