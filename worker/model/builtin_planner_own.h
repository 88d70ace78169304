/* What the halves of the built-in planner share: builtin_planner.c decides, builtin_find.c finds places, builtin_step.c knows what a move is:
 * whether it holds, what it is made of, how it is said. Nobody else includes this. */
#ifndef ETNA_WORKER_MODEL_BUILTIN_PLANNER_OWN_H
#define ETNA_WORKER_MODEL_BUILTIN_PLANNER_OWN_H

#include "worker/model/builtin.h"

typedef struct plan { /* one edit */
    uint32_t object, reference;
    builtin_spot spot;
    bool exact; /* not beside it */
    const char *because;
    const builtin_move *move; /* what is special about it; NULL: it stands on the reference */
} plan;

typedef struct planner {
    builtin_talk *talk;
    const builtin_facts *facts;
    builtin_reading reading;
    uint32_t left; /* edits that may still be made, this one included */
    bool list_mode;
    uint32_t *scratch; /* room for every object */
    etna_error *err;
} planner;

typedef struct planner_way { /* a place for a thing, and what stands there */
    builtin_spot spot;
    uint32_t count; /* things in the way; blocker: the first of them, or BUILTIN_NONE */
    uint32_t blocker;
} planner_way;

/* Does the move hold for one of its things, as the scene stands? */
bool planner_holds(const planner *p, const builtin_move *move, uint32_t object);
/* Moves that a step says as "put it on that": all that is special about them is the place. */
bool planner_is_plain(const builtin_move *move);
/* Is there something missing of a move that the object is part of? */
bool planner_will_move(const planner *p, uint32_t object);
/* Is the object `base`, or on it, or on what is on it, and so on? */
bool planner_is_above(const builtin_facts *facts, uint32_t object, uint32_t base);
/* Attempts at this step with the object that failed before, counted by node. */
uint32_t planner_failures(const planner *p, uint32_t object);
/* A place for list[0] where `move` wants it, with room left for the rest of the list if there is such a place.
 * ETNA_E_NOMEM. */
etna_code planner_find_place(const planner *p, const builtin_move *move, const uint32_t *list, uint32_t count,
                             plan *ret, bool *ret_found);
/* Moves beside what stands on something without room for that get another support, where one has such a place.
 * ETNA_E_NOMEM. */
etna_code planner_choose_supports(planner *p);
/* What is to be moved beside a thing that it stands not far from goes nearer only where there is a nearer place; else
 * it stands as asked already. ETNA_E_NOMEM. */
etna_code planner_forgo_no_nearer(planner *p);
/* How many things stand on `object`, and on these, and so on; and a topmost one. */
uint32_t planner_pile_on(const builtin_facts *facts, uint32_t object, uint32_t *ret_top);
/* A free place for `object` anywhere but on `away_from`, outside the `keep` rectangles and what the goal will need.
 * ETNA_E_NOMEM. */
etna_code planner_put_aside(const planner *p, uint32_t object, uint32_t away_from, const builtin_rect *keep,
                            uint32_t keep_count, const char *because, plan *ret, bool *ret_found);
/* Something movable in the room that `object` needs when the middle of its bottom stands at `at`, where `old` stood:
 * what stood there together with that is not in the way; `is_free`: nor is what the goal has put where it is, for the map
 * of free cells says so. BUILTIN_NONE: nothing. */
uint32_t planner_occupant(const planner *p, uint32_t object, uint32_t old, const double at[3], bool is_free);
/* Where something else than what stood there at the start is in the way of an old place, the nearest place that only
 * that takes: at becomes it, and *ret_free true. As it was when there is none near enough. ETNA_E_NOMEM. */
etna_code planner_near_old_place(const planner *p, const builtin_move *move, uint32_t object, uint32_t base,
                                 double at[3], bool *ret_free);
/* The place on `reference` where the move holds that takes the fewest other things away. ETNA_E_NOMEM. */
etna_code planner_find_way(const planner *p, const builtin_move *move, uint32_t object, uint32_t reference,
                           planner_way *ret, bool *ret_found);
/* Would there be a place where the move holds if all that can leave had left? What cannot be seen or is too small is
 * known so before anything is moved for it. ETNA_E_NOMEM. */
etna_code planner_could_hold(const planner *p, const builtin_move *move, uint32_t object, uint32_t reference,
                             bool *ret);
/* Swaps and rows in p->reading become moves of one thing to one place. ETNA_E_INPUT: too many. */
etna_code planner_expand(planner *p);

/* Are the things of the list more than ever fits side by side on `base`? *ret_why says so (NULL: out of memory). */
bool planner_lacks_room(const planner *p, uint32_t base, const uint32_t *list, uint32_t count, const char **ret_why);

/* The thing goes on a wall, or it is said why not. */
etna_code planner_hang(const planner *p, const builtin_move *move, uint32_t object, model_reply *ret);
etna_code planner_say(const planner *p, const plan *chosen, model_reply *ret);
etna_code planner_say_impossible(const planner *p, model_reply *ret, const char *why);
/* There is no place for the object as the move wants it on `base` (BUILTIN_NONE: on anything). */
etna_code planner_say_no_place(const planner *p, uint32_t object, const builtin_move *move, uint32_t base,
                               model_reply *ret);

#endif
