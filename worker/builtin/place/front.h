/* By what the front of a thing is known: each false, results untouched or of no
 * meaning, where that does not tell. Unit, world, level. builtin_front_of
 * (builtin.h) asks what is said and a seat's back alone. */
#ifndef ETNA_WORKER_BUILTIN_PLACE_FRONT_H
#define ETNA_WORKER_BUILTIN_PLACE_FRONT_H

#include "worker/builtin/builtin.h"
#include "worker/builtin/relation.h"

/* The way the thing's front looks, unit and level, by what is around it: away
 * from the wall at its back. False: that tells nothing. The two below
 * likewise. */
bool front_by_wall(const builtin_facts *facts,
                   const builtin_object *ref,
                   double ret[2]);
/* Of a seat with a back: away from that. */
bool front_by_back(const builtin_facts *facts, uint32_t object, double ret[2]);
/* Is there a wall that way, so near before it that nobody could stand there? */
bool front_is_walled(const builtin_facts *facts,
                     const builtin_object *o,
                     const double way[2]);
/* Of what has a screen, and of a counter. */
bool front_by_breadth(const builtin_facts *facts,
                      const builtin_object *o,
                      double ret[2]);

#endif
