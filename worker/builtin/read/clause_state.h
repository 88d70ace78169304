/* How things should be, or are (clause_state.c). Each refuses by ETNA_E_INPUT
 * (reader_refuse) and may run out of memory. */
#ifndef ETNA_WORKER_BUILTIN_READ_CLAUSE_STATE_H
#define ETNA_WORKER_BUILTIN_READ_CLAUSE_STATE_H

#include "worker/builtin/read/clause.h"

/* "The cup should be on the table" is an order; "the cup is on the table"
 * tells, and is one only where it is not so. */
/* "The saw and the hammer on the shelf, the saw to the left": among those that
 * were put together that is a place, and no way to go. */
etna_code state_take_side(clause *c);
etna_code clause_read_state(clause *c);
/* "Every cup should have a saucer under it": have.c */
etna_code clause_read_have(clause *c);
/* A place alone, without "is" or "should be". */
bool state_is_bare(const clause *c);

/* ---- the verb of what has none: clause_verb.c ---- */
/* "They swap places", "each goes where the other is" */
bool state_trades(const clause *c);
/* Which verb a clause without one means: how things should be, or what was
 * asked before ("and the cup on the tray"). */
lexicon_verb state_verb(const clause *c);

#endif
