/* The place in the corner of what goes round one, a bar with a short arm: who
 * serves stands there, and not beyond the box of it. */
#ifndef ETNA_WORKER_BUILTIN_PLACE_NOOK_H
#define ETNA_WORKER_BUILTIN_PLACE_NOOK_H

#include "worker/builtin/builtin.h"
#include "worker/builtin/facts.h"

/* Which way a counter's long arm looks, away from its nook; false: it is no
 * counter, or has none. */
bool nook_find_front(const builtin_facts *facts,
                     const builtin_object *counter,
                     double ret[2]);
/* What a thing that is to be behind the move's reference is behind: of a counter
 * with a nook the part of its long arm that bounds it, made in *ret; else the
 * reference. */
const builtin_object *nook_side(const builtin_facts *facts,
                                const builtin_move *move,
                                builtin_object *ret);
/* How far the counter reaches past that side, all of which is behind it. */
double nook_depth(const builtin_facts *facts,
                  const builtin_move *move,
                  const builtin_object *side,
                  const double way[2]);

#endif
