/* What each word of a text became in its reading: a thing's name, a part of
 * what is asked, or talk. Nobody outside the reader includes this. */
#ifndef ETNA_WORKER_BUILTIN_READ_ACCOUNT_H
#define ETNA_WORKER_BUILTIN_READ_ACCOUNT_H

#include "worker/builtin/language/chart.h"
#include "worker/builtin/read/reader.h"

/* Begins the account of r->s, no word of which has become anything.
 * ETNA_E_NOMEM. */
etna_code account_open(reader *r);
/* May each word of the tree be what it is there? ETNA_E_INPUT: which may
 * not. */
etna_code account_check(reader *r, const chart_node *root);
/* The tree is what r->part means. */
void account_tree(reader *r, const chart_node *root);
/* The words only tell something. */
void account_talk(reader *r, const sentence_part *words);
/* Once all is read: what every word became, into the reading. What became
 * nothing is told as such. ETNA_E_NOMEM. */
etna_code account_close(reader *r);

#endif
