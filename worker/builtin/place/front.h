/* By what the front of a thing is known: each false, results untouched or of no
 * meaning, where that does not tell. Unit, world, level. builtin_front_of
 * (builtin.h) asks what is said and a seat's back alone. */
#ifndef ETNA_WORKER_BUILTIN_PLACE_FRONT_H
#define ETNA_WORKER_BUILTIN_PLACE_FRONT_H

#include "worker/builtin/builtin.h"

bool front_by_wall(const builtin_facts *facts,
                   const builtin_object *ref,
                   double ret[2]);
bool front_by_back(const builtin_facts *facts, uint32_t object, double ret[2]);
bool front_by_screen(const builtin_facts *facts,
                     const builtin_object *o,
                     double ret[2]);

#endif
