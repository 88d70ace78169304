/* What the search on a thing shares between its files:
 *
 *   seek_standing.c  which places there are
 *   seek_order.c     which of them is tried first */
#ifndef ETNA_WORKER_BUILTIN_PLAN_STANDING_INTERNAL_H
#define ETNA_WORKER_BUILTIN_PLAN_STANDING_INTERNAL_H

#include "worker/builtin/plan/seek_internal.h"

/* a search for places on a thing, or beside what stands on it */
typedef struct standing {
    const planner *p;
    const builtin_move *move;
    /* the scene with the thing turned as it would stand */
    const builtin_facts *as_placed;
    uint32_t object, reference, found;
    const uint32_t *rest; /* what goes to the same place later */
    uint32_t rest_count;
    builtin_wish wish;
    builtin_spot spots[BUILTIN_SPOTS_MAX];
} standing;

/* How close it stands to what it looks at depends on how it is turned there,
 * and that on where. */
enum {
    FACED_ROUNDS = 2
};

/* Who sits at a table sits at a side of it rather than at an end, there rather
 * than at a corner, and about before its middle where that is free. */
void standing_prefer_sides(standing *s);
/* A thing that will be turned there has another footprint: spots are looked for
 * again with it turned, for FACED_ROUNDS at most, as the way to face changes
 * with the spot. */
etna_code standing_as_faced(standing *s, builtin_facts facts[FACED_ROUNDS]);
/* Several at one side of a thing stand abreast there where that can be, for
 * one of them alone would be at that side of the other. *ret: how many of the
 * first places leave room for the rest. */
etna_code standing_sort(standing *s, uint32_t *ret);
/* Those first that are abreast of what was put there before. */
void standing_join_mates(standing *s);

#endif
