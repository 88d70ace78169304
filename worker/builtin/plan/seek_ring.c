/* Free places around a thing, weighed by boxes alone: where no map tells what
 * bears things. */
#include "worker/builtin/plan/seek_internal.h"
#include "worker/math/vec.h"

#include <math.h>

typedef struct ring { /* places around a thing, weighed without maps */
    const builtin_move *move;
    uint32_t object;
    uint32_t support; /* BUILTIN_NONE: nothing is known to bear things there */
    double from[2], bottom;
} ring;

/* Does the thing stand in the other's box already, as trees do in a hill's?
 * That box is no body. */
static bool ring_is_within(const builtin_facts *facts,
                           uint32_t object,
                           uint32_t other)
{
    const builtin_object *o = &facts->objects[object];
    const double at[3] = {o->centre[0], o->centre[1], builtin_foot(o)};
    return facts->objects[other].is_static &&
           builtin_is_in_the_way(facts, other, object, at);
}

uint32_t seek_hill(const builtin_facts *facts, uint32_t object, uint32_t other)
{
    const builtin_object *b = &facts->objects[other];
    const double foot[3] = {b->centre[0], b->centre[1], builtin_foot(b)};
    if (builtin_surface_under(facts, foot, other) != BUILTIN_NONE)
        return BUILTIN_NONE;
    for (uint32_t n = 0; n < facts->object_count; n++) {
        if (builtin_is_ground(&facts->objects[n]) &&
            ring_is_within(facts, object, n) && ring_is_within(facts, other, n))
            return n;
    }
    return BUILTIN_NONE;
}

/* `at` is the foot's point. */
static bool ring_is_taken(const builtin_facts *facts,
                          const ring *r,
                          const double at[3])
{
    /* its box is no body: the check of the edit tells */
    const bool beneath = r->move && r->move->relation == RELATION_UNDER;
    for (uint32_t n = 0; n < facts->object_count; n++) {
        if (n == r->support || builtin_is_above(facts, n, r->object))
            continue;
        if (beneath && n == r->move->reference)
            continue;
        if (builtin_is_in_the_way(facts, n, r->object, at) &&
            !ring_is_within(facts, r->object, n))
            return true;
    }
    return false;
}

static plan ring_plan(const planner *p, const ring *r, const double at[3])
{
    const double half = p->facts->objects[r->object].half[2];
    const double slack = 0.01;
    if (r->support != BUILTIN_NONE)
        return planner_put(r->object, r->support,
                           (double[3]){at[0], at[1], at[2] + SEEK_LET_DOWN},
                           slack);
    plan next = planner_put(r->object, BUILTIN_NONE,
                            (double[3]){at[0], at[1], at[2] + half}, 0);
    next.exact.kind = EXACT_MOVE;
    return next;
}

enum {
    RING_KEPT = 5
};

/* The places so far that cost least, cheapest first. */
typedef struct ring_best {
    uint32_t count;
    double costs[RING_KEPT];
    plan plans[RING_KEPT];
} ring_best;

static bool ring_best_wants(const ring_best *b, double cost)
{
    return b->count < RING_KEPT || cost < b->costs[RING_KEPT - 1];
}

/* Keeps the RING_KEPT cheapest, in order. */
static void ring_best_put(ring_best *b, const plan *next, double cost)
{
    uint32_t k = b->count < RING_KEPT ? b->count++ : RING_KEPT - 1;
    for (; k > 0 && b->costs[k - 1] > cost; k--) {
        b->costs[k] = b->costs[k - 1];
        b->plans[k] = b->plans[k - 1];
    }
    b->costs[k] = cost;
    b->plans[k] = *next;
}

/* Places on rings round the reference, for grounds of which no surface is
 * known. */
static void ring_add(const planner *p, const ring *r, plan_list *list)
{
    enum {
        RINGS = 12,
        ANGLES = 24
    };
    const builtin_facts *facts = p->facts;
    const builtin_move *move = r->move;
    const builtin_object *o = &facts->objects[r->object];
    const builtin_object *ref = &facts->objects[move->reference];
    const double farthest =
        builtin_half_longer(ref) + 3 * builtin_half_longer(o);
    ring_best best = {.count = 0};
    const bool from_middle =
        move->relation == RELATION_BETWEEN || move->relation == RELATION_UNDER;
    for (int n = from_middle ? 0 : ANGLES; n < (RINGS + 1) * ANGLES; n++) {
        const double way = farthest * (n / ANGLES) / RINGS;
        double sine, cosine;
        math_sincos(2 * MATH_PI * (n % ANGLES) / ANGLES, &sine, &cosine);
        const double at[3] = {r->from[0] + way * cosine,
                              r->from[1] + way * sine, r->bottom};
        const double misfit = builtin_misfit(facts, move, r->object, at);
        if (misfit > 0 || ring_is_taken(facts, r, at))
            continue;
        const double dx = at[0] - o->centre[0];
        const double dy = at[1] - o->centre[1];
        const double cost = 4 * misfit +
                            builtin_gap(facts, move, r->object, at) +
                            0.1 * sqrt(dx * dx + dy * dy);
        if (!ring_best_wants(&best, cost))
            continue;
        plan next = ring_plan(p, r, at);
        seek_turn_there(p, move, &next);
        ring_best_put(&best, &next, cost);
    }
    for (uint32_t i = 0; i < best.count; i++)
        seek_add(p, list, &best.plans[i]);
}

/* As high as it hovers now where that is beside the reference, else as high as
 * that. */
static double ring_height_in_air(const builtin_object *o,
                                 const builtin_object *ref)
{
    const bool beside = builtin_foot(o) < builtin_top(ref) &&
                        builtin_top(o) > builtin_foot(ref);
    return beside ? builtin_foot(o) : ref->centre[2] - o->half[2];
}

/* Finds the height of the ring's places, and what they are on where no support
 * was given. False: no ground is known there. */
static bool ring_find_ground(const builtin_facts *facts, ring *r)
{
    const builtin_object *o = &facts->objects[r->object];
    const builtin_object *ref = &facts->objects[r->move->reference];
    if (r->support != BUILTIN_NONE) {
        r->bottom = builtin_foot(ref);
        return true;
    }
    if (builtin_hovers_on(facts, r->move, r->object)) {
        r->bottom = ring_height_in_air(o, ref);
        return true;
    }
    const double apart = fabs(builtin_foot(o) - ref->centre[2] + ref->half[2]);
    const bool comes_down = o->by_count > 0; /* a lid from its pot */
    r->support = seek_hill(facts, r->object, r->move->reference);
    r->bottom = builtin_foot(ref->by_count == 0 ? ref : o);
    /* a tree that cuts into the hill is as fixed as that */
    const bool is_beside = !ref->is_static || r->support != BUILTIN_NONE;
    /* what stands at one height stands on something; a balloon does not */
    return is_beside && (apart < 0.1 || comes_down);
}

/* Only where both plainly stand on one ground: what hovers has no ground to be
 * put on, and hovers on beside what hovers, too. */
void seek_around(const planner *p,
                 const builtin_move *move,
                 uint32_t object,
                 uint32_t support,
                 plan_list *list)
{
    const builtin_facts *facts = p->facts;
    const builtin_object *ref = &facts->objects[move->reference];
    ring around = {.move = move,
                   .object = object,
                   .support = support,
                   .from = {ref->centre[0], ref->centre[1]}};
    if (facts->objects[object].attached || !ring_find_ground(facts, &around))
        return;
    bool between = move->relation == RELATION_BETWEEN &&
                   move->second < facts->object_count;
    for (int k = 0; k < 2 && between; k++)
        around.from[k] =
            (around.from[k] + facts->objects[move->second].centre[k]) / 2;
    ring_add(p, &around, list);
}

/* Does the thing's box there meet a rectangle that is kept free, or anything
 * that does not go along with it? */
static bool ring_is_barred(const builtin_facts *facts,
                           uint32_t object,
                           const double at[3],
                           uint32_t support,
                           const builtin_rect *keep,
                           uint32_t keep_count)
{
    const builtin_rect own =
        builtin_footprint(&facts->objects[object], at[0], at[1], 0.01);
    for (uint32_t n = 0; n < keep_count; n++) {
        if (builtin_rects_meet(&own, &keep[n]))
            return true;
    }
    const ring r = {.object = object, .support = support};
    return ring_is_taken(facts, &r, at);
}

/* Any free place round where the thing is now, nearest first, in rings: of what
 * nothing is known to bear at its own height, of what stands on a hill that no
 * map knows on that. */
void planner_seek_free(const planner *p,
                       uint32_t object,
                       const builtin_rect *keep,
                       uint32_t keep_count,
                       plan_list *list)
{
    enum {
        RINGS = 10,
        ANGLES = 16
    };
    const builtin_object *o = &p->facts->objects[object];
    const double size = builtin_half_longer(o);
    const double bottom = builtin_foot(o);
    const uint32_t hill =
        o->by_count > 0 ? seek_hill(p->facts, object, object) : BUILTIN_NONE;
    const ring around = {.object = object, .support = hill};
    if (o->by_count > 0 && hill == BUILTIN_NONE)
        return;
    for (int n = ANGLES; n < (RINGS + 1) * ANGLES && list->count < PLANS_MAX;
         n++) {
        const double way = n / ANGLES * size;
        double sine, cosine;
        math_sincos(2 * MATH_PI * (n % ANGLES) / ANGLES, &sine, &cosine);
        const double at[3] = {o->centre[0] + way * cosine,
                              o->centre[1] + way * sine, bottom};
        if (ring_is_barred(p->facts, object, at, hill, keep, keep_count))
            continue;
        const plan next = ring_plan(p, &around, at);
        seek_add(p, list, &next);
    }
}
