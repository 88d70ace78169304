/* What the parts of the measure of relations share. Nobody else includes this.
 * A misfit is in metres; 0 or less: it holds.
 *
 *   relation.c       builtin_misfit; beside, between, in, under, before
 *   relation_zone.c  the zones of a surface
 *   relation_pair.c  the side of two things at once */
#ifndef ETNA_WORKER_BUILTIN_PLACE_RELATION_INTERNAL_H
#define ETNA_WORKER_BUILTIN_PLACE_RELATION_INTERNAL_H

#include "worker/builtin/builtin.h"
#include "worker/builtin/relation.h"
#include "worker/builtin/spot.h"

/* How far a gap is from what the move asks of it, but for `slack`, which nobody
 * would see. */
double relation_gap_off(const builtin_move *move, double gap, double slack);
/* Between the move's two things, on the ground or on what bears them. */
double relation_between_off(const builtin_facts *facts,
                            const builtin_move *move,
                            uint32_t object,
                            const double at[3]);
/* Is it the side of two things at once: FRONT or BEHIND, with a second thing? */
bool relation_is_of_pair(const builtin_facts *facts, const builtin_move *move);
/* The level box along `way`, a unit vector, that covers both things of the
 * pair. */
void relation_pair_box(const builtin_facts *facts,
                       const builtin_move *move,
                       const double way[2],
                       builtin_object *ret);
/* Metres from a seat to the table on which the thing is to be beside it, which
 * do not count: who sits there reaches over them. 0: it is no such move, or the
 * seat stands too far off. */
double relation_reach_over(const builtin_facts *facts,
                           const builtin_move *move);
/* Middle, corner or edge of the reference's surface at that height: the thing
 * with its foot at `at`. 1: there is no such surface. */
double relation_zone_off(const builtin_facts *facts,
                         const builtin_move *move,
                         uint32_t object,
                         const double at[3]);

#endif
