/* Which of the things that moved stay where they are when gravity is let loose
 * on them, by physics.h. */
#ifndef ETNA_REFEREE_GRAVITY_H
#define ETNA_REFEREE_GRAVITY_H

#include "referee/physics.h"
#include "referee/solid.h"

#define GRAVITY_SHIFT_M 0.01
#define GRAVITY_TURN_DEG 5.0

enum {
    GRAVITY_STAYED = UINT32_MAX
};

typedef struct gravity_scene {
    /* a piece's, at the start and after */
    const solid *const *then, *const *now;
    size_t count;
    /* a piece's: the number of one piece of its body, the same for all of them;
     * GRAVITY_STAYED */
    const uint32_t *body;
    /* by that number: it hangs on something, and is not asked about */
    const bool *is_hung;
} gravity_scene;

typedef struct gravity_fall {
    bool is_asked;
    physics_drift drift;
    /* it came farther than 1 cm or turned by more than 5 degrees */
    bool is_unstable;
    /* and does so where it was at the start, too: nothing can be said of it */
    bool was_unstable;
} gravity_fall;

/* `ret` has `count` of them, by a body's number. False: out of memory. */
bool gravity_ask(const gravity_scene *g, gravity_fall *ret);

#endif
