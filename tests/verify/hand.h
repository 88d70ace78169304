/* Whether a hand still gets at what was moved: the room's air in small cells,
 * flooded by a fist from where most things are. The referee draws things out
 * straight; this asks nothing of it but a scene's triangles. */
#ifndef ETNA_TESTS_VERIFY_HAND_H
#define ETNA_TESTS_VERIFY_HAND_H

#include "referee/pair.h"

typedef struct hand_findings {
    uint32_t bodies; /* that moved */
    /* of these, those that a hand touched where they were, and does not now: a
     * piece of each */
    uint32_t count;
    uint32_t *pieces; /* the caller frees it */
    double cell;      /* metres */
} hand_findings;

/* False: out of memory, or a scene without bounds. Where the scene is so wide
 * that its cells are larger than a fist, nothing is asked: bodies is 0. */
bool hand_feel(const pair *p, hand_findings *ret);

#endif
