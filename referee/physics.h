/* What gravity makes of a scene, by an engine that is not ours: Bullet. Nothing
 * of our own rules is in it, so that where the two disagree something can be
 * learned. Single precision is too coarse for a pen on a table in a house: it
 * is the engine's build of doubles. */
#ifndef ETNA_REFEREE_PHYSICS_H
#define ETNA_REFEREE_PHYSICS_H

#include "referee/geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct physics_body { /* of one stiff thing: all its triangles */
    const point *corners;     /* three a triangle, in the world; borrowed */
    size_t triangles;
    /* it may fall; else it stays as it is, and its triangles are taken as they
     * are */
    bool is_free;
    bool is_asked; /* of a free one: its drift is wanted */
} physics_body;

typedef struct physics_drift {
    double shift_m;  /* of its centre of mass */
    double turn_deg; /* about whatever axis */
} physics_drift;

/* Lets two seconds of gravity pass, in steps of 1/`pace` s, or fewer when all has
 * rested for a quarter of one, and tells how far each of the `count` bodies
 * came; those that are not free or not asked for: 0. Only what lies within
 * 10 cm of one another is reckoned with together.
 *
 * A free one is cut into convex parts, at most PHYSICS_PARTS_MAX, by planes
 * along the axes, until none fills what is open deeper than 2 mm or a fiftieth
 * of the body's thinnest side; what the hulls fill still does not push. A
 * triangle of one that stays bears from the side on which the part began: a
 * sheet has no inside to be pushed out of.
 *
 * The same bits for the same bodies; a process reckons each set of them once.
 * False: out of memory. */
enum {
    PHYSICS_PARTS_MAX = 48,
    /* Coarse steps are quick, and rock what lies on an edge ever farther. */
    PHYSICS_PACE_COARSE = 240,
    PHYSICS_PACE_FINE = 960
};
bool physics_settle(const physics_body *bodies,
                    size_t count,
                    int pace,
                    physics_drift *ret);

#ifdef __cplusplus
}
#endif

#endif
