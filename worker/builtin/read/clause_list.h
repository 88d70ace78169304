/* Clauses without a verb of their own, which go on from what was said before
 * (clause_list.c). Each refuses by ETNA_E_INPUT (reader_refuse) and may run out
 * of memory. */
#ifndef ETNA_WORKER_BUILTIN_READ_CLAUSE_LIST_H
#define ETNA_WORKER_BUILTIN_READ_CLAUSE_LIST_H

#include "worker/builtin/read/clause.h"

/* Things alone: those to be moved, the rest of what was said before, or a
 * refusal. */
etna_code clause_read_list(clause *c);
/* "Likewise the other one" */
etna_code clause_read_likewise(clause *c);
/* "The stool along with it" */
etna_code clause_read_goes_along(clause *c);
/* "Keep the helmet on top", "what is on top moves with it": what stands on a
 * moved thing goes along anyway. */
etna_code clause_read_carry(clause *c);
/* "Object_17 is the waste bin": what follows may speak of it. */
etna_code clause_read_called(clause *c);
/* "A bit more", "to the left", "onto the tray": of what the text before moved
 * last. */
etna_code clause_read_onward(clause *c);
/* "..., then 5 cm to the right": of what this text moved last, or spoke of. */
etna_code clause_read_further(clause *c);
/* What belongs to a row, a pile or a laid table of the clauses before;
 * *ret_done: it was that. */
etna_code clause_tell_more(clause *c, bool *ret_done);

#endif
