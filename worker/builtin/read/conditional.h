/* What is asked only if something is so (conditional.c). Nobody outside the
 * reader includes this. */
#ifndef ETNA_WORKER_BUILTIN_READ_CONDITIONAL_H
#define ETNA_WORKER_BUILTIN_READ_CONDITIONAL_H

#include "worker/builtin/language/chart.h"
#include "worker/builtin/read/reader.h"

/* IF, "if the cup is on the table, put it on the shelf": holds the condition
 * against the scene as it stands. What is asked if it is not so is read, and
 * asked for nothing. ETNA_E_INPUT: whether it is so is not known, or what is
 * asked is not. */
etna_code conditional_read(reader *r, const chart_node *node);
/* IFHINDERS, "if the dog is in the way, move it somewhere else on the
 * sideboard": whether it is, is known only when the others have their places.
 * Of what stands there anyway, that it must not leave it. ETNA_E_INPUT: it
 * stands elsewhere. */
etna_code hindering_read(reader *r, const chart_node *node);
/* ELSE, "otherwise put it on the desk": of the condition that was read right
 * before. */
etna_code alternative_read(reader *r, const chart_node *node);

#endif
