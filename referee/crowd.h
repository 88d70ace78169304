/* What can be asked of a body among other solids, at one time. The body is some
 * of the solids and may be moved by a shift; all are in the world. */
#ifndef ETNA_REFEREE_CROWD_H
#define ETNA_REFEREE_CROWD_H

#include "referee/air.h"

typedef struct crowd {
    const solid *const *solids;
    size_t count;
    const bool *is_body;    /* a solid */
    const bool *is_ignored; /* a solid; NULL: none */
} crowd;

extent crowd_extent(const crowd *c);

/* Whether a triangle of the body pierces one of another solid; `against` only:
 * of that one (SIZE_MAX: of any). */
bool crowd_pierces(const crowd *c, point shift, size_t against);

/* How far the body must be moved, of some steps up to 5 cm and 26 directions,
 * to pierce solid `other` no more; 0: it does not; INFINITY: more. */
double crowd_depth(const crowd *c, size_t other);

/* The share of points of the body's surface that are within `other`, which is
 * closed there. */
double crowd_within(const crowd *c, size_t other);

/* Whether something is within 5 mm below the body, when it is moved by
 * `shift`. */
bool crowd_is_held(const crowd *c, point shift);

typedef struct footing {
    bool is_held;     /* as crowd_is_held says */
    bool is_balanced; /* its middle lies over the hull of where */
    bool is_on_other; /* the solids marked `ask` are among what it stands on */
} footing;
/* What the body stands on when it is moved by `shift`; `ask` as a solid's mark,
 * or NULL. */
footing crowd_footing(const crowd *c, point shift, const bool *ask);

/* Whether another solid is within `most` at its side or above it. */
bool crowd_hangs(const crowd *c, double most);

/* Whether the body, moved by `shift`, can be drawn from there to open air along
 * a straight line. */
bool crowd_is_reached(const crowd *c, point shift, const air *open);

#endif
