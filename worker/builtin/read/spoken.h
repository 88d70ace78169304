/* What a text speaks of must have its part in what was read of it. A guard
 * behind all forms: each checks its own words, and one that checks too little
 * would do half of a wish and call it whole. */
#ifndef ETNA_WORKER_BUILTIN_READ_SPOKEN_H
#define ETNA_WORKER_BUILTIN_READ_SPOKEN_H

#include "worker/builtin/language/chart.h"
#include "worker/builtin/read/reader.h"

/* Notes which words of the tree name that of whose zone something is asked: "at
 * the right end of the bench". */
void spoken_note_tree(reader *r, const chart_node *root);

/* Notes what a phrase means. ETNA_E_NOMEM. */
etna_code spoken_note_meant(reader *r,
                            const chart_node *node,
                            const builtin_set *things);

/* Is there a move about each of them? ETNA_E_INPUT: r->refusal has the first of
 * which there is none. ETNA_E_NOMEM. */
etna_code spoken_check(reader *r);

#endif
