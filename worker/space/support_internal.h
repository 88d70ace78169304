/* What the parts of support share: what stands on what, while that is being found.
 * Nobody else includes this. Metres, radians, the world's frame.
 *
 *   support.c        the rules, in order; its public functions (space.h)
 *   support_below.c  one object: what is beneath it, and is it balanced there
 *   support_chain.c  who stands by way of others */
#ifndef ETNA_WORKER_SPACE_SUPPORT_INTERNAL_H
#define ETNA_WORKER_SPACE_SUPPORT_INTERNAL_H

#include "worker/space/space_internal.h"

/* metres over a point of the underside at which a ray down from it begins */
#define SUPPORT_START_ABOVE 0.02
/* metres that another's surface may be above the underside it touches */
#define SUPPORT_CONTACT_ABOVE 1e-5

typedef struct support_edge {
    uint32_t object, by;
} support_edge;

/* Everything per object of one computation; arrays of n. */
typedef struct support_work {
    space *sp;
    const space_rules *rules;
    const space_support_state *start;
    const bool *by_contact;
    uint32_t n;
    uint8_t *support;
    double *gap;
    bool *balanced; /* the centre of mass is over the hull */
    bool *base;     /* hovers as it did at the start, and carries */
    bool *on_level; /* the level carries it, perhaps among others */
    bool *rides;    /* moved rigidly with what it was on at the start */
    /* metres that the centre of mass of what is carried, and not balanced, lies
     * beyond the hull */
    double *overhang;
    bool bases_found;
    vec3 *mass; /* centres of mass in the world */
    support_edge *edges;
    uint32_t edge_count, edge_room;
    vec2 *hull;
    /* whose boxes come near the object that is looked at */
    const uint32_t *around;
    uint32_t around_count;
} support_work;

/* ---- edges: support.c ---- */
/* Does it stand on `by`? Sees only the run of edges that was added last, which
 * must be the object's. */
bool support_has_edge(const support_work *w, uint32_t object, uint32_t by);
/* Each once, under the same condition. ETNA_E_NOMEM. */
etna_code support_add_edge(support_work *w,
                           uint32_t object,
                           uint32_t by,
                           etna_error *err);
/* For qsort: by object, then by what it stands on. */
int support_edge_compare(const void *a, const void *b);

/* ---- one object: support_below.c ---- */
/* Fills what w has of the object (gap, balanced, overhang, on_level) and appends
 * its edges. Rays of the grid come first, then corners followed to the edge,
 * then exact pieces: what the first can say is not asked of the others. */
etna_code support_look_below(support_work *w, uint32_t object, etna_error *err);
/* By the paper's rule: one ray down from the middle of the box's bottom. */
etna_code support_look_below_paper(support_work *w,
                                   uint32_t object,
                                   etna_error *err);

/* ---- all of them: support_chain.c ---- */
/* Has something risen that stood or lay low at the start? */
bool support_gap_grew(const space_support_state *start,
                      uint32_t object,
                      double gap);
/* Where two objects would each stand on the other, keeps the edge to the one
 * that carries and drops the opposite edge. Leaves the edges sorted.
 * ETNA_E_NOMEM. */
etna_code support_part_mutual(support_work *w, etna_error *err);
/* What stood balanced at the start on what came along is balanced still. */
etna_code support_find_riders(support_work *w, etna_error *err);
/* What hovers, no support reaches and stands as at the start carries. */
void support_find_bases(support_work *w);
/* Grounds stacks from the ground upward and attaches what hangs at them, until
 * nothing is added. */
etna_code support_follow_chains(support_work *w, etna_error *err);

#endif
