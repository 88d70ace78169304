/* Things as seen from above: a box, or the shape of the top where that spans it.
 * A round table is no square, and what stands 20 cm from it is so all round. */
#ifndef ETNA_WORKER_BUILTIN_PLACE_OUTLINE_H
#define ETNA_WORKER_BUILTIN_PLACE_OUTLINE_H

#include "worker/builtin/facts.h"

enum {
    OUTLINE_MOST = 32
};

typedef struct builtin_outline { /* convex, counter-clockwise */
    uint32_t count;
    double corners[OUTLINE_MOST][2];
} builtin_outline;

/* In the thing's own frame: across its heading and along it, from its middle.
 * `facts`: as things stand, for that is what surfaces are told of. */
void builtin_outline_of(const builtin_facts *facts,
                        uint32_t object,
                        builtin_outline *ret);
/* The same in the world, its middle at `at`, turned to `heading`. */
void builtin_outline_put(const builtin_outline *own,
                         const double at[2],
                         const double heading[2],
                         builtin_outline *ret);
/* How far it reaches from its middle that way, own frame and unit. */
double builtin_outline_reach(const builtin_outline *own, const double way[2]);
/* Metres between two in the world; < 0: so deep they overlap. */
double builtin_outlines_apart(const builtin_outline *a,
                              const builtin_outline *b);

#endif
