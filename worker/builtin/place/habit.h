/* Where hands would put a thing, of all the places where a move holds: straight
 * beside another and not off its corner, before the middle of it, not in front
 * of what is opened or used from there, and no farther away than it need be.
 * Tastes: they choose between places and refuse none. */
#ifndef ETNA_WORKER_BUILTIN_PLACE_HABIT_H
#define ETNA_WORKER_BUILTIN_PLACE_HABIT_H

#include "worker/builtin/builtin.h"
#include "worker/builtin/spot.h"

typedef struct habit {
    /* reference: NULL where there is none */
    const builtin_object *thing, *reference;
    /* the worth of a metre nearer to where it stands, */
    double from_here;
    double farthest; /* of the first so many */
    /* any side of the reference will do, */
    bool is_beside;
    /* but not so well the one before it */
    bool has_front;
    /* both look at one thing: as far from it as the reference */
    bool is_abreast;
    bool has_side; /* one side will do: */
    /* who sits there has legs: before a seat, furniture is so many metres from
     * it; 0: nobody's */
    double legroom;
    /* it comes to a table where others may sit, who have elbows; NULL: it does
     * not */
    const builtin_facts *company;
    /* ways out of the reference; unit */
    double front[2], side[2];
} habit;

/* Of wish's move and thing; what it points to is the facts'. */
habit habit_make(const builtin_facts *facts, const builtin_wish *wish);
/* How much less such a place is worth; 0: as hands would have it. `at`: the
 * middle of its bottom. */
double habit_cost(const habit *h, const double at[3]);

#endif
