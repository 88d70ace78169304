/* Exact plans: the one sentence that the built-in planner hands to executor and
 * evaluator, who see nothing else of the goal. It names the thing, what it is
 * to stand or hang on and the place in the world, and reads like English, for
 * people see it too:
 *
 *   Put "Mug" on "Table" at (1.2340, 0.5670, 0.7100), turned to 35.0 degrees.
 *   Put "Mug" on "Table" at (1.2340, 0.5670, 0.7100) within 0.050 m. Put
 *   "Orange" in "Bowl" at (0.1500, -0.6000, 0.8700) within 0.040 m. Put "Chair"
 *   on "Floor" from (1.0000, 0.2000, 0.0000) up to (1.0000, 0.9000, 0.0000),
 *   turned to 90.0 degrees. Hang "Picture" on "Wall" at (0.0000, 1.9700,
 *   1.5000). Move "Cloud" to (3.0000, 0.0000, 5.0000). Put "Mug" on "Table" at
 *   (1.2340, 0.5670, 0.7100) or on "Desk" at (0.3000, 0.2000, 0.7000) within
 *   0.050 m.
 *
 * World frame, metres, degrees as builtin_object's yaw_deg. Of what stands the
 * place is the middle of its bottom, of what hangs the middle of its box. "In"
 * asks that it comes to rest within that thing and not on its rim. "From .. up
 * to" is a way: the first free place on it will do. The lines that begin with
 * "or" name places that will do as well where the solver refuses the first;
 * people are shown the first line, and of an edit that was made the one whose
 * thing bears it. */
#ifndef ETNA_WORKER_BUILTIN_PLACE_EXACT_H
#define ETNA_WORKER_BUILTIN_PLACE_EXACT_H

#include "worker/builtin/builtin.h"
#include "worker/builtin/roles.h"

typedef enum builtin_exact_kind {
    EXACT_PUT = 0,
    EXACT_HANG,
    EXACT_MOVE
} builtin_exact_kind;

typedef struct builtin_exact {
    builtin_exact_kind kind;
    uint32_t object, support; /* MOVE: support is BUILTIN_NONE */
    bool into;                /* PUT: within the support */
    double at[3];
    bool is_way; /* from `at` up to `to` */
    double to[3];
    /* metres around `at` that will do; 0: a few centimetres at most */
    double slack;
    bool has_yaw;
    double yaw_deg; /* [0, 360) */
} builtin_exact;

enum {
    BUILTIN_EXACT_MAX = 6
};

typedef struct builtin_exact_list { /* all of one object and kind */
    uint32_t count;                 /* at least one */
    builtin_exact items[BUILTIN_EXACT_MAX];
} builtin_exact_list;

/* The sentence without its full stop. NULL: out of memory. */
const char *builtin_exact_write(builtin_talk *talk,
                                const builtin_exact_list *list);
/* Reads such a sentence, with or without the full stop; anything else, an
 * unknown name or a number out of bounds: false, *ret untouched. Pure: no
 * allocation. */
bool builtin_exact_read(const builtin_facts *facts,
                        const char *sentence,
                        builtin_exact_list *ret);
/* Are they the same to what the sentence tells? */
bool builtin_exact_same(const builtin_exact *a, const builtin_exact *b);

/* Degrees, counter-clockwise from above, from one horizontal direction to
 * another; within [0, 360). */
double builtin_turn_between(const double from[2], const double to[2]);
/* The yaw that a thing has when its heading is `way`. */
double builtin_yaw_toward(const builtin_object *object, const double way[2]);
/* The heading that it has at that yaw; unit. */
void builtin_heading_at(const builtin_object *object,
                        double yaw_deg,
                        double ret[2]);

#endif
