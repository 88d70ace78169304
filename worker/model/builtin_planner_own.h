/* What the halves of the built-in planner share: builtin_planner.c decides, builtin_step.c knows what a move is: whether it holds,
 * what it is made of, how it is said. Nobody else includes this. */
#ifndef ETNA_WORKER_MODEL_BUILTIN_PLANNER_OWN_H
#define ETNA_WORKER_MODEL_BUILTIN_PLANNER_OWN_H

#include "worker/model/builtin.h"

typedef struct plan { /* one edit */
    uint32_t object, reference;
    builtin_spot spot;
    const char *because;
    const builtin_move *move; /* what is special about it; NULL: it stands on the reference */
} plan;

typedef struct planner {
    builtin_talk *talk;
    const builtin_facts *facts;
    builtin_reading reading;
    uint32_t left;  /* edits that may still be made, this one included */
    bool list_mode;
    uint32_t *scratch; /* room for every object */
    etna_error *err;
} planner;

/* Does the move hold for one of its things, as the scene stands? */
bool planner_holds(const planner *p, const builtin_move *move, uint32_t object);
/* Where RELATION_PLACE leads: the middle of the bottom of what stood there when the run began; metres, world. */
void planner_old_place(const planner *p, const builtin_move *move, double ret[3]);
/* Moves that a step says as "put it on that": all that is special about them is the place. */
bool planner_is_plain(const builtin_move *move);
/* Swaps and rows in p->reading become moves of one thing to one place. ETNA_E_INPUT: too many. */
etna_code planner_expand(planner *p);

etna_code planner_say(const planner *p, const plan *chosen, model_reply *ret);
etna_code planner_say_impossible(const planner *p, model_reply *ret, const char *why);
/* There is no place for the object as the move wants it on `base` (BUILTIN_NONE: on anything). */
etna_code planner_say_no_place(const planner *p, uint32_t object, const builtin_move *move, uint32_t base, model_reply *ret);

#endif
