/* Relations as geometry: what "left of", "between" and "in the corner of" ask
 * of a place. One measure serves the planner, which looks for the best place,
 * and the evaluator, which judges one. Boxes only: a thing's world-axis
 * rectangle stands for it.
 *
 * Left and right are the picture's; before and behind follow a thing's front
 * where somebody said what that is, or where a seat has a back, and before also
 * where it stands with its back to a wall; else they lie toward and away from
 * the camera. */
#include "worker/builtin/place/front.h"
#include "worker/builtin/place/nook.h"
#include "worker/builtin/place/relation_internal.h"
#include "worker/math/vec.h"

#include <math.h>
#include <string.h>

static const double before_wall =
    0.1; /* metres: what hangs and what stands below it are both at a wall */

void builtin_picture_axes(const builtin_facts *facts,
                          double ret_right[2],
                          double ret_away[2])
{
    double x = facts->right[0], y = facts->right[1],
           length = sqrt(x * x + y * y);
    ret_right[0] = length > 1e-9 ? x / length : 1;
    ret_right[1] = length > 1e-9 ? y / length : 0;
    ret_away[0] = -ret_right[1];
    ret_away[1] = ret_right[0];
    double ahead = facts->forward[0] * ret_away[0] +
                   facts->forward[1] * ret_away[1] +
                   facts->up[0] * ret_away[0] + facts->up[1] * ret_away[1];
    if (ahead < 0) {
        ret_away[0] = -ret_away[0];
        ret_away[1] = -ret_away[1];
    }
}

double builtin_extent(const builtin_object *object, const double way[2])
{
    double along = way[0] * object->heading[0] + way[1] * object->heading[1],
           across = -way[0] * object->heading[1] + way[1] * object->heading[0];
    return object->half[1] * fabs(along) + object->half[0] * fabs(across);
}

static double overlap(const builtin_rect *a, const builtin_rect *b)
{
    double x = math_min(a->high[0], b->high[0]) -
               math_max(a->low[0], b->low[0]),
           y = math_min(a->high[1], b->high[1]) -
               math_max(a->low[1], b->low[1]);
    return x > 0 && y > 0 ? math_min(x, y) : 0;
}

/* ---- beside, left, right, before, behind ---- */

/* Metres between the thing when its bottom's middle is at `at` and the other,
 * as seen from above; < 0: so deep they overlap. Of turned boxes, for what
 * stands askew beside a thing has a wide rectangle and no collision. */
static double clearance(const builtin_object *o,
                        const builtin_object *other,
                        const double at[3])
{
    const builtin_rect own = builtin_footprint(o, at[0], at[1], 0),
                       its = builtin_rect_of(other);
    const double dx = at[0] - other->centre[0], dy = at[1] - other->centre[1];
    const builtin_object *const turned[2] = {o, other};
    double gap = builtin_rects_apart(&own, &its),
           between = gap > 0 ? gap : -overlap(&own, &its);
    for (int i = 0; i < 4; i++) {
        const double *h = turned[i / 2]->heading;
        const double way[2] = {i % 2 ? -h[1] : h[0], i % 2 ? h[0] : h[1]};
        between = math_max(between, fabs(dx * way[0] + dy * way[1]) -
                                        builtin_extent(o, way) -
                                        builtin_extent(other, way));
    }
    return between;
}

/* How far apart things may be that are near each other: so many metres, of
 * small things so often the half of the larger. */
static double near_most(const builtin_object *a,
                        const builtin_object *b,
                        double metres,
                        double times)
{
    const double larger =
        math_max(builtin_half_longer(a), builtin_half_longer(b));
    return math_min(metres, times * larger);
}

double relation_gap_off(const builtin_move *move, double gap, double slack)
{
    if (move->bound == BOUND_MOST)
        return gap - move->gap;
    if (move->bound == BOUND_LEAST)
        return move->gap - gap;
    return fabs(gap - move->gap) - slack;
}

/* "Half a metre away at most": any gap up to that holds, and one is best that
 * leaves the two apart. */
static double at_most(double most, double gap)
{
    const double best = math_min(0.1, 0.2 * most);
    return (gap < best ? best + 0.5 * (best - gap) : gap) - most;
}

/* Would furniture stand before what has its back to a wall: a piano before a
 * bookcase? That is in front of it, and nobody gets at it. */
static bool bars_front(const builtin_facts *facts,
                       const builtin_move *move,
                       uint32_t object,
                       const double at[3])
{
    const double large = 0.15; /* cubic metres */
    const double tub = 0.3;    /* metres, half as broad */
    const builtin_object *o = &facts->objects[object],
                         *ref = &facts->objects[move->reference];
    double out[2];
    if (move->relation != RELATION_BESIDE || builtin_is_seat(o) ||
        8 * o->half[0] * o->half[1] * o->half[2] < large)
        return false;
    /* what is got into over its long side has room at that */
    const bool is_tub = builtin_is_bare(ref) && builtin_half_shorter(ref) > tub;
    if (is_tub || builtin_is_seat(ref) || builtin_is_table(ref) ||
        !front_by_wall(facts, ref, out))
        return false;
    const double across[2] = {-out[1], out[0]};
    const double dx = at[0] - ref->centre[0], dy = at[1] - ref->centre[1];
    return dx * out[0] + dy * out[1] > builtin_extent(ref, out) &&
           fabs(dx * across[0] + dy * across[1]) <
               builtin_extent(ref, across) + 0.9 * builtin_extent(o, across);
}

/* A chair that is to look at the table it comes to stands before a side of it:
 * how far its middle is past the ends of all of them. 0: none is asked. */
static double off_sides(const builtin_facts *facts,
                        const builtin_move *move,
                        uint32_t object,
                        const double at[3])
{
    const builtin_object *ref = &facts->objects[move->reference];
    const bool sits = move->facing == FACING_TO &&
                      move->faced == move->reference &&
                      builtin_is_seat(&facts->objects[object]);
    if (!sits || !builtin_is_table(ref))
        return 0;
    const double dx = at[0] - ref->centre[0], dy = at[1] - ref->centre[1];
    const double along = fabs(dx * ref->heading[0] + dy * ref->heading[1]);
    const double across = fabs(dx * ref->heading[1] - dy * ref->heading[0]);
    return math_max(math_min(along - ref->half[1], across - ref->half[0]), 0);
}

#define OVERLAP_MOST 0.002 /* metres: of boxes beside each other */

/* Misfit in metres; <= 0 holds. Overlap is worse than any distance. */
static double beside(const builtin_facts *facts,
                     const builtin_move *move,
                     uint32_t object,
                     const double at[3])
{
    const builtin_object *o = &facts->objects[object],
                         *ref = &facts->objects[move->reference];
    double between = clearance(o, ref, at), gap = math_max(between, 0),
           size = builtin_half_longer(o);
    if (between < -OVERLAP_MOST - 0.01)
        return 1 - between;
    if (off_sides(facts, move, object, at) > 0)
        return 1;
    if (!builtin_is_wall_behind(facts, move->reference, o, at) ||
        bars_front(facts, move, object, at))
        return 1;
    /* by a hair, which where it came to stand may be off */
    if (between < -OVERLAP_MOST)
        return -OVERLAP_MOST - between;
    if (move->gap >= 0 && move->bound == BOUND_MOST)
        return at_most(move->gap, gap);
    if (move->gap >= 0)
        return relation_gap_off(move, gap, math_max(0.02, 0.1 * move->gap));
    if (move->relation == RELATION_AGAINST)
        return gap - 0.06;
    /* nearer is no better: nobody wants them to touch */
    double apart = math_max(gap, math_min(0.03, 0.2 * size));
    return apart - (near_most(o, ref, 0.12, 4) + 0.75 * size) -
           relation_reach_over(facts, move);
}

/* What stands at a wall has its left and right along it, also in a picture that
 * shows the wall askew: the picture's right, where it is within 50 degrees of
 * that; and within 78 where the side that is asked for (sign: 1 or -1 of the
 * picture's right) would be in the wall. */
static void straighten_along_wall(const builtin_facts *facts,
                                  const builtin_object *ref,
                                  double sign,
                                  double right[2])
{
    const double least = 0.64, least_walled = 0.2, walled = 0.3; /* cosines */
    double front[2];
    if (!front_by_wall(facts, ref, front))
        return;
    const double along[2] = {-front[1], front[0]};
    const double cosine = along[0] * right[0] + along[1] * right[1];
    const double outward = sign * (front[0] * right[0] + front[1] * right[1]);
    if (fabs(cosine) < (outward < -walled ? least_walled : least))
        return;
    right[0] = cosine > 0 ? along[0] : -along[0];
    right[1] = cosine > 0 ? along[1] : -along[1];
}

/* "20 cm to the right of the bed" is measured from that side of it, also in a
 * picture that shows it askew: the side's own way, where it is within 44 degrees
 * of the picture's. */
static void straighten_along_sides(const builtin_object *ref,
                                   double right[2],
                                   double away[2])
{
    const double least = 0.72, large = 0.05; /* cosine, metres */
    const double ways[2][2] = {{ref->heading[0], ref->heading[1]},
                               {-ref->heading[1], ref->heading[0]}};
    if (builtin_half_longer(ref) < large)
        return;
    for (int i = 0; i < 2; i++) {
        const double cosine = ways[i][0] * right[0] + ways[i][1] * right[1];
        if (fabs(cosine) < least)
            continue;
        for (int k = 0; k < 2; k++)
            right[k] = cosine > 0 ? ways[i][k] : -ways[i][k];
        away[0] = -right[1];
        away[1] = right[0];
        return;
    }
}

/* Of a counter: who serves stands behind it, where that is no wall. */
static bool side_is_stood_behind(const builtin_facts *facts,
                                 const builtin_object *ref,
                                 double front[2])
{
    if (nook_find_front(facts, ref, front))
        return true;
    if (!builtin_is_counter(ref) || !front_by_breadth(facts, ref, front))
        return false;
    const double back[2] = {-front[0], -front[1]};
    return !front_is_walled(facts, ref, back);
}

/* The front that "before" and "behind" mean; false: the thing has none. */
static bool side_find_front(const builtin_facts *facts,
                            const builtin_move *move,
                            double front[2])
{
    const builtin_object *ref = &facts->objects[move->reference];
    if (relation_is_of_pair(facts, move)) {
        const uint32_t pair[2] = {move->reference, move->second};
        return builtin_pair_front(facts, pair, front);
    }
    /* who says "behind" does not mean the wall at its back */
    if (move->relation != RELATION_FRONT)
        return builtin_front_of(facts, move->reference, front) ||
               side_is_stood_behind(facts, ref, front);
    if (!builtin_front_of(facts, move->reference, front) &&
        !nook_find_front(facts, ref, front) &&
        !front_by_wall(facts, ref, front) &&
        !front_by_breadth(facts, ref, front))
        return false;
    /* who works at a desk that looks at its wall sits on the other side */
    const double back[2] = {-front[0], -front[1]};
    if (builtin_is_table(ref) && front_is_walled(facts, ref, front) &&
        !front_is_walled(facts, ref, back))
        memcpy(front, back, sizeof back);
    return true;
}

/* Which way of the world a side is. Left and right are the picture's; front is
 * the thing's own where it is known to have one. */
void builtin_side_axis(const builtin_facts *facts,
                       const builtin_move *move,
                       double ret[2])
{
    double right[2], away[2];
    const builtin_object *ref = &facts->objects[move->reference];
    builtin_picture_axes(facts, right, away);
    if (move->has_right)
        memcpy(right, move->right, sizeof right);
    else
        straighten_along_wall(facts, ref,
                              move->relation == RELATION_LEFT ? -1 : 1, right);
    if (!move->has_right && move->gap >= 0)
        straighten_along_sides(ref, right, away);
    bool sideways =
        move->relation == RELATION_LEFT || move->relation == RELATION_RIGHT;
    double sign =
        move->relation == RELATION_LEFT || move->relation == RELATION_FRONT ? -1
                                                                            : 1;
    const double *axis = sideways ? right : away;
    ret[0] = sign * axis[0];
    ret[1] = sign * axis[1];
    double front[2] = {ref->heading[0], ref->heading[1]};
    if (sideways || !side_find_front(facts, move, front))
        return;
    ret[0] = -sign * front[0];
    ret[1] = -sign * front[1];
}

#define SIDE_OPPOSITE 2.2 /* metres from a seat to what looks at it */

/* Does it look at a seat from before it? Then there may be a low table between
 * the two. */
static bool is_opposite_seat(const builtin_facts *facts,
                             const builtin_move *move)
{
    const bool faces = move->relation == RELATION_FRONT &&
                       move->facing == FACING_TO &&
                       move->faced == move->reference;
    return faces && builtin_is_seat(&facts->objects[move->reference]);
}

/* A gap that is told is both along the way to that side and between the two. */
static double side_gap_off(const builtin_move *move,
                           double along,
                           double between)
{
    const double slack = math_max(0.02, 0.1 * move->gap);
    return math_max(relation_gap_off(move, along, slack),
                    relation_gap_off(move, math_max(between, 0), slack));
}

/* The box whose side is meant, which may be made in *made. */
static const builtin_object *side_box(const builtin_facts *facts,
                                      const builtin_move *move,
                                      const double way[2],
                                      builtin_object *made)
{
    if (!relation_is_of_pair(facts, move))
        return nook_side(facts, move, made);
    relation_pair_box(facts, move, way, made);
    return made;
}

/* Metres beyond that box that are as good as none. */
static double side_depth(const builtin_facts *facts,
                         const builtin_move *move,
                         const builtin_object *box,
                         const double way[2])
{
    return relation_is_of_pair(facts, move) ? 0
                                            : nook_depth(facts, move, box, way);
}

/* Within a corridor that goes out from the side, not farther than things of
 * their size stand from one another. */
static double at_side(const builtin_facts *facts,
                      const builtin_move *move,
                      uint32_t object,
                      const double at[3])
{
    /* of the worth of being near: the best gap is some 0.3 of the widest */
    const double slope = 0.4;
    double way[2];
    builtin_side_axis(facts, move, way);
    builtin_object made;
    const builtin_object *o = &facts->objects[object],
                         *ref = side_box(facts, move, way, &made);
    const double dx = at[0] - ref->centre[0];
    const double dy = at[1] - ref->centre[1];
    const double across[2] = {-way[1], way[0]};
    double along = dx * way[0] + dy * way[1],
           aside = fabs(dx * across[0] + dy * across[1]);
    double gap = along - builtin_extent(o, way) - builtin_extent(ref, way),
           room = builtin_extent(ref, across) + 0.9 * builtin_extent(o, across);
    /* "exactly in front of", "centred before": in the middle of that side */
    if (move->exact)
        room = math_min(room, 0.05);
    const bool opposite = is_opposite_seat(facts, move);
    if (opposite)
        room = math_max(0.15, builtin_extent(ref, across) -
                                  0.8 * builtin_extent(o, across));
    /* farther within its ends is better, if less than nearer is */
    const double past_end = aside - room;
    double size = builtin_half_longer(o),
           off = math_max(-gap - 0.005,
                          past_end > 0 ? past_end : slope * past_end),
           far = gap - side_depth(facts, move, ref, way) -
                 (opposite ? SIDE_OPPOSITE : near_most(o, ref, 0.3, 8) + size);
    if (move->gap >= 0)
        return math_max(side_gap_off(move, gap, clearance(o, ref, at)),
                        math_max(aside - room, -gap - 0.005));
    return math_max(off, far > 0 ? far : slope * far);
}

/* A wall where the thing would have to stand; then it is meant to be against
 * that. BUILTIN_NONE: none. */
uint32_t builtin_wall_at_side(const builtin_facts *facts,
                              const builtin_move *move,
                              uint32_t object)
{
    enum {
        STEPS = 16
    };
    if (move->relation < RELATION_LEFT || move->relation > RELATION_BEHIND)
        return BUILTIN_NONE;
    const builtin_object *o = &facts->objects[object],
                         *ref = &facts->objects[move->reference];
    double way[2];
    builtin_side_axis(facts, move, way);
    for (int i = 1; i <= STEPS; i++) {
        double far =
            builtin_extent(ref, way) + 2 * builtin_extent(o, way) * i / STEPS;
        const double at[2] = {ref->centre[0] + far * way[0],
                              ref->centre[1] + far * way[1]};
        for (uint32_t k = 0; k < facts->object_count; k++) {
            builtin_rect r = builtin_rect_of(&facts->objects[k]);
            bool is_along = at[0] >= r.low[0] && at[0] <= r.high[0];
            bool there = is_along && at[1] >= r.low[1] && at[1] <= r.high[1];
            if (there && builtin_is_wall(&facts->objects[k]))
                return k;
        }
    }
    return BUILTIN_NONE;
}

double builtin_gap(const builtin_facts *facts,
                   const builtin_move *move,
                   uint32_t object,
                   const double at[3])
{
    if (move->relation < RELATION_BESIDE || move->relation > RELATION_BEHIND)
        return 0;
    const builtin_object *o = &facts->objects[object];
    if (move->relation == RELATION_BESIDE)
        return math_max(clearance(o, &facts->objects[move->reference], at), 0);
    double way[2];
    builtin_side_axis(facts, move, way);
    builtin_object made;
    const builtin_object *ref = side_box(facts, move, way, &made);
    const double dx = at[0] - ref->centre[0];
    const double dy = at[1] - ref->centre[1];
    return math_max(dx * way[0] + dy * way[1] - builtin_extent(o, way) -
                        builtin_extent(ref, way),
                    0);
}

/* Over the middle of the reference, as seen from above. */
static double off_middle(const builtin_facts *facts,
                         const builtin_move *move,
                         uint32_t object,
                         const double at[3])
{
    const builtin_object *o = &facts->objects[object],
                         *ref = &facts->objects[move->reference];
    double dx = at[0] - ref->centre[0], dy = at[1] - ref->centre[1];
    return sqrt(dx * dx + dy * dy) -
           builtin_over_slack(o, ref, move->support == move->reference);
}

double builtin_over_slack(const builtin_object *object,
                          const builtin_object *reference,
                          bool stands_on_it)
{
    double own = builtin_half_shorter(object),
           other = builtin_half_shorter(reference);
    /* a sunshade's over the middle of what it shades */
    double spare = own - other;
    return math_max(math_max(0.02, 0.3 * math_min(own, other)),
                    stands_on_it ? 0 : spare);
}

/* The way out of the end that is meant: of an oblong thing a short side, of one
 * with a front the side named. */
void builtin_end_axis(const builtin_facts *facts,
                      const builtin_move *move,
                      double ret[2])
{
    const builtin_object *ref = &facts->objects[move->reference];
    double front[2];
    if (!builtin_front_of(facts, move->reference, front))
        builtin_front_from_wall(facts, move->reference, front);
    bool sideways = (move->sides & (SIDE_LEFT | SIDE_RIGHT)) != 0;
    /* an end is at a short side, the nearer to the viewer */
    if (move->sides == 0) {
        double away[2], right[2];
        builtin_picture_axes(facts, right, away);
        bool lengthwise = ref->half[1] >= ref->half[0];
        front[0] = lengthwise ? ref->heading[0] : -ref->heading[1];
        front[1] = lengthwise ? ref->heading[1] : ref->heading[0];
        if (front[0] * away[0] + front[1] * away[1] > 0) {
            front[0] = -front[0];
            front[1] = -front[1];
        }
    }
    double sign = move->sides & (SIDE_BACK | SIDE_LEFT) ? -1 : 1;
    ret[0] = sign * (sideways ? -front[1]
                              /* to the left of who looks the way that its front
                               * does */
                              : front[0]);
    ret[1] = sign * (sideways ? front[0] : front[1]);
    if (!sideways)
        return;
    ret[0] = -ret[0];
    ret[1] = -ret[1];
}

/* In the middle of one of its own sides, a hand's breadth or two from it; of
 * several things each along that side. What is to stand on the reference
 * itself, a pillow on a bed, has its outer side in the last quarter there. */
static double at_end(const builtin_facts *facts,
                     const builtin_move *move,
                     uint32_t object,
                     const double at[3])
{
    const builtin_object *o = &facts->objects[object],
                         *ref = &facts->objects[move->reference];
    double way[2], dx = at[0] - ref->centre[0], dy = at[1] - ref->centre[1];
    builtin_end_axis(facts, move, way);
    const double across[2] = {-way[1], way[0]};
    const double aside = fabs(dx * across[0] + dy * across[1]);
    const double gap = dx * way[0] + dy * way[1] - builtin_extent(o, way) -
                       builtin_extent(ref, way);
    if (move->support == move->reference) {
        const double inward = -gap - 2 * builtin_extent(o, way);
        return math_max(
            math_max(-inward - 0.02, inward - 0.5 * builtin_extent(ref, way)),
            aside - builtin_extent(ref, across));
    }
    const bool several = move->objects.count > 1 && move->objects.need > 1;
    const double off_middle =
        aside -
        (several ? builtin_extent(ref, across) + 0.5 * builtin_extent(o, across)
                 : near_most(o, ref, 0.06, 1.5));
    if (move->gap >= 0)
        return math_max(relation_gap_off(move, gap, 0.02),
                        math_max(off_middle, -gap));
    const double most = near_most(o, ref, 0.3, 3);
    return math_max(math_max(math_min(0.02, most / 6) - gap, gap - most),
                    off_middle);
}

/* Is it a vessel that things go down into? A tray's floor is as good as its
 * rim. */
static bool is_deep(const builtin_object *vessel)
{
    const double high = 0.1; /* metres */
    const double height = 2 * vessel->half[2],
                 width = 2 * builtin_half_shorter(vessel);
    return height > high || height > 0.5 * width;
}

/* The height of what closes a vessel from above, as a cupboard's top does;
 * INFINITY: it is open there. */
static double roof_of(const builtin_facts *facts, uint32_t vessel)
{
    const builtin_object *o = &facts->objects[vessel];
    const double near_top = math_min(0.05, 0.5 * o->half[2]); /* metres */
    const double covers = 0.5 * 4 * o->half[0] * o->half[1];
    double roof = INFINITY;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        const double area = s->cell * s->columns * s->cell * s->rows;
        if (s->object != vessel || s->narrow || area < covers)
            continue;
        if (s->height >= builtin_top(o) - near_top)
            roof = math_min(roof, s->height);
    }
    return roof;
}

/* How far the thing sticks out over the vessel's sides, as both are turned. */
static double out_of_vessel(const builtin_object *o,
                            const builtin_object *vessel,
                            const double at[3])
{
    const double across[2] = {-vessel->heading[1], vessel->heading[0]};
    const double to[2] = {at[0] - vessel->centre[0], at[1] - vessel->centre[1]};
    const double aside = fabs(to[0] * across[0] + to[1] * across[1]),
                 along = fabs(to[0] * vessel->heading[0] +
                              to[1] * vessel->heading[1]);
    return math_max(aside + builtin_extent(o, across) - vessel->half[0],
                    along + builtin_extent(o, vessel->heading) -
                        vessel->half[1]);
}

/* How far below its rim a vessel's content begins: a quarter of it, or of the
 * vessel, is in there. What lies on a basket's handle is not in the basket. */
static double depth_in(const builtin_object *o, const builtin_object *vessel)
{
    const double share = 0.25, least = 0.02; /* metres */
    const double depth =
        2 * share * math_min(o->half[2], math_min(vessel->half[2], 0.4));
    return math_max(depth, math_min(least, 0.5 * vessel->half[2]));
}

/* Wholly over (or in) the reference's box, and what is deep has an inside:
 * within its sides, below its top, and below its roof. */
static double within(const builtin_facts *facts,
                     const builtin_move *move,
                     uint32_t object,
                     const double at[3])
{
    const builtin_object *o = &facts->objects[object],
                         *ref = &facts->objects[move->reference];
    if (!is_deep(ref)) {
        builtin_rect own = builtin_footprint(o, at[0], at[1], 0),
                     other = builtin_rect_of(ref);
        double off = math_max(
            math_max(other.low[0] - own.low[0], own.high[0] - other.high[0]),
            math_max(other.low[1] - own.low[1], own.high[1] - other.high[1]));
        return off - 0.01;
    }
    const double below = math_min(roof_of(facts, move->reference) - 0.05,
                                  builtin_top(ref) - depth_in(o, ref));
    return math_max(out_of_vessel(o, ref, at), at[2] - below);
}

/* Under a table a thing's middle is within the table's rectangle. Under what
 * hangs (a window, a shelf on the wall, a lamp) it may also be that the thing,
 * with 10 cm about it, reaches under all of that: a desk is deeper than the
 * window. */
static double beneath(const builtin_facts *facts,
                      const builtin_move *move,
                      uint32_t object,
                      const double at[3])
{
    const builtin_object *o = &facts->objects[object],
                         *ref = &facts->objects[move->reference];
    builtin_rect other = builtin_rect_of(ref),
                 own = builtin_footprint(o, at[0], at[1], before_wall);
    bool raised = builtin_foot(ref) > at[2] + 0.05;
    double off = -INFINITY;
    for (int k = 0; k < 2; k++) {
        double within = math_max(other.low[k] - at[k], at[k] - other.high[k]);
        double covers =
            math_max(own.low[k] - other.low[k], other.high[k] - own.high[k]);
        off = math_max(off, raised ? math_min(within, covers) : within);
        /* "centred under the window": along it, however deep the window is */
        const bool counts = !raised || ref->half[k] >= ref->half[1 - k];
        if (move->exact && counts)
            off = math_max(off, fabs(at[k] - ref->centre[k]) - 0.05);
    }
    return math_max(off, at[2] + 2 * o->half[2] - builtin_top(ref) + 0.001);
}

/* The highest surface at most `drop` below; at[2] where there is none. */
static double ground_below(const builtin_facts *facts,
                           uint32_t object,
                           const double at[3])
{
    /* metres: farther below it hangs, and does not stand */
    const double drop = 0.1;
    double best = at[2];
    bool found = false;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object == object || !builtin_spans(s, at[0], at[1]))
            continue;
        if (s->height > at[2] + 0.03 || s->height < at[2] - drop)
            continue;
        if (found && s->height <= best)
            continue;
        best = s->height;
        found = true;
    }
    return best;
}

/* A real file's tablet hovers some centimetres over its table: its place is the
 * table's. */
double builtin_foot_height(const builtin_facts *facts,
                           uint32_t object,
                           const double at[3])
{
    const bool stands =
        builtin_surface_under(facts, at, object) != BUILTIN_NONE;
    return stands ? at[2] : ground_below(facts, object, at);
}

/* Where the thing, or the middle of several, stood at the start: its foot. */
void builtin_old_place(const builtin_facts *facts,
                       const builtin_move *move,
                       double ret[3])
{
    const builtin_object *o = &facts->objects[move->reference];
    ret[0] = o->start[0];
    ret[1] = o->start[1];
    ret[2] = o->start[2] - o->half[2];
    for (uint32_t i = 0; i < move->there.count; i++) {
        for (int k = 0; k < 2; k++)
            ret[k] = (i ? ret[k] : 0) +
                     facts->objects[move->there.objects[i]].start[k] /
                         move->there.count;
    }
    ret[2] = builtin_foot_height(facts, move->reference, ret);
}

/* A large thing need not stand to the centimetre where a small one stood. */
static double away_from_old_place(const builtin_facts *facts,
                                  const builtin_move *move,
                                  uint32_t object,
                                  const double at[3])
{
    const builtin_object *o = &facts->objects[object];
    double old[3];
    builtin_old_place(facts, move, old);
    double dx = at[0] - old[0], dy = at[1] - old[1];
    return sqrt(dx * dx + dy * dy) - 0.03 - 0.25 * (o->half[0] + o->half[1]);
}

bool builtin_is_covering(const builtin_facts *facts, uint32_t object)
{
    const double thickest = 0.04, smallest = 0.2; /* metres, square metres */
    const builtin_object *o = &facts->objects[object];
    return 2 * o->half[2] <= thickest &&
           4 * o->half[0] * o->half[1] >= smallest;
}

/* A tree that is rooted in a hill is as fixed as that, and stands on nothing. */
static bool is_rooted_in(const builtin_facts *facts,
                         uint32_t object,
                         uint32_t base)
{
    const builtin_object *o = &facts->objects[object],
                         *ground = &facts->objects[base];
    const builtin_rect own = builtin_rect_of(o), its = builtin_rect_of(ground);
    if (!o->is_static || object == base || !builtin_is_ground(ground) ||
        builtin_is_ground(o))
        return false;
    return builtin_rects_meet(&own, &its) &&
           builtin_foot(o) < builtin_top(ground) &&
           builtin_foot(o) >= builtin_foot(ground);
}

/* It stands on the base, but at none of its level surfaces. */
bool builtin_is_on_a_slope(const builtin_facts *facts,
                           uint32_t object,
                           uint32_t base)
{
    const double level = 0.1; /* metres */
    const builtin_object *o = &facts->objects[object];
    bool any = false;
    if (!builtin_stands_on(facts, object, base) &&
        !is_rooted_in(facts, object, base))
        return false;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object != base)
            continue;
        any = true;
        if (fabs(s->height - builtin_foot(o)) <= level)
            return false;
    }
    return any;
}

/* Metres that what stands on the board may be off its height: a floor may be
 * uneven where no other board is near enough to be taken for it. */
static double board_slack(const builtin_facts *facts,
                          const builtin_surface *board)
{
    const double level = 0.03, uneven = 0.1, apart = 0.3; /* metres */
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        const double way = fabs(s->height - board->height);
        if (s->object == board->object && s != board && way < apart)
            return level;
    }
    return facts->objects[board->object].is_static ? uneven : level;
}

/* The highest board of `base` below the thing, or that it is let into; NULL:
 * there is none. */
static const builtin_surface *board_beneath(const builtin_facts *facts,
                                            uint32_t base,
                                            const builtin_object *o)
{
    const double over = math_max(builtin_foot(o) + 0.03, builtin_top(o) - 0.02);
    const builtin_surface *board = NULL;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object != base || !builtin_spans(s, o->centre[0], o->centre[1]))
            continue;
        if (s->height > over || (board && board->height >= s->height))
            continue;
        board = s;
    }
    return board;
}

/* How far `height` is from the board of `base` that the thing stands on, hovers
 * over, or is let into as a sink is; 0 when it stands on something else, or when
 * no board is nearer. */
static double off_board_of(const builtin_facts *facts,
                           uint32_t base,
                           uint32_t thing,
                           double height)
{
    const builtin_object *o = &facts->objects[thing];
    const builtin_surface *board = board_beneath(facts, base, o);
    double off = board ? fabs(board->height - height) : 0;
    if (board && off <= board_slack(facts, board))
        return 0;
    const double
        steepest = 0.5,
        /* metres: what a slope rises to its neighbour; where a board would
         * begin */
        about = 0.3;
    bool near_height = fabs(builtin_foot(o) - height) < steepest;
    if (!(off > 0) || !near_height ||
        !builtin_is_on_a_slope(facts, thing, base))
        return off;
    builtin_rect around =
        builtin_footprint(o, o->centre[0], o->centre[1], about);
    return builtin_is_free_near(board, &around)
               ? off
               : 0; /* a sink is let into its board, a tree is not */
}

/* What is asked for beside a thing is asked for on its board, not one above or
 * below. */
static double off_level(const builtin_facts *facts,
                        const builtin_move *move,
                        uint32_t object,
                        double height)
{
    if (move->relation == RELATION_OFF)
        return 0; /* its level is where the thing is to be gone from */
    uint32_t base = builtin_support_of(facts, move, object);
    if (base >= facts->object_count)
        return 0;
    if (move->level > 0)
        return builtin_off_level(facts, base, move->level, height);
    bool beside_it =
        move->relation >= RELATION_BESIDE && move->relation <= RELATION_AGAINST;
    if (!beside_it || move->reference >= facts->object_count)
        return 0;
    double off = off_board_of(facts, base, move->reference, height);
    if (move->second < facts->object_count)
        off = math_min(off, off_board_of(facts, base, move->second, height));
    return off;
}

static double away_from_point(const builtin_facts *facts,
                              const builtin_move *move,
                              uint32_t object,
                              const double at[3])
{
    (void)facts;
    (void)object;
    double dx = at[0] - move->at[0], dy = at[1] - move->at[1];
    return sqrt(dx * dx + dy * dy) - (move->slack > 0 ? move->slack : 0.03);
}

/* One relation, without conditions and levels. Relations that only name a
 * support always hold here: where the thing stands was chosen before. */
static double misfit_of(const builtin_facts *facts,
                        const builtin_move *move,
                        uint32_t object,
                        const double at[3])
{
    typedef double misfit(const builtin_facts *, const builtin_move *, uint32_t,
                          const double[3]);
    static misfit *const of_any[RELATION_COUNT] = {
        [RELATION_AT] = away_from_point,
        [RELATION_BESIDE] = beside,
        [RELATION_AGAINST] = beside,
        [RELATION_LEFT] = at_side,
        [RELATION_RIGHT] = at_side,
        [RELATION_FRONT] = at_side,
        [RELATION_BEHIND] = at_side,
        [RELATION_BETWEEN] = relation_between_off,
        [RELATION_MIDDLE] = relation_zone_off,
        [RELATION_CORNER] = relation_zone_off,
        [RELATION_EDGE] = relation_zone_off,
        [RELATION_IN] = within,
        [RELATION_UNDER] = beneath,
        [RELATION_PLACE] = away_from_old_place};
    static misfit *const of_reference[RELATION_COUNT] = {
        [RELATION_OVER] = off_middle, [RELATION_END] = at_end};
    misfit *const own =
        move->reference < facts->object_count && of_reference[move->relation]
            ? of_reference[move->relation]
            : of_any[move->relation];
    return own ? own(facts, move, object, at) : 0;
}

/* "Not on the mat": over no part of it at that height. "Not by the bin": not as
 * near as "by" is. */
static double misfit_of_denied(const builtin_facts *facts,
                               const builtin_move *part,
                               uint32_t object,
                               const double at[3])
{
    const double level = 0.03; /* metres */
    const builtin_object *o = &facts->objects[object];
    if (part->reference >= facts->object_count)
        return 0;
    /* "not on one another": of several things each is one of those denied */
    if (part->reference == object)
        return -level;
    if (part->relation != RELATION_ON) {
        const double misfit = misfit_of(facts, part, object, at);
        return misfit > 0 ? -misfit : 0.1 - misfit;
    }
    const builtin_object *ref = &facts->objects[part->reference];
    const builtin_rect own = builtin_footprint(o, at[0], at[1], 0),
                       its = builtin_rect_of(ref);
    const bool high =
        at[2] < builtin_foot(ref) - level || at[2] > builtin_top(ref) + level;
    const double over = overlap(&own, &its);
    return high || !(over > 0) ? -level : 0.1 + over;
}

/* The same move with the condition in place of its own relation. */
builtin_move builtin_condition_move(const builtin_move *move,
                                    const builtin_condition *condition)
{
    builtin_move part = *move;
    part.relation = condition->relation;
    part.reference = condition->reference;
    part.second = condition->second;
    part.sides = condition->sides;
    part.gap = condition->gap;
    part.bound = condition->bound;
    part.also_count = 0;
    part.goes = false;
    return part;
}

/* "To the other sacks in the corner": what they are in themselves says where they
 * are, and has no room for more. */
static bool part_tells_reference(const builtin_facts *facts,
                                 const builtin_move *move,
                                 const builtin_move *part)
{
    const bool beside_it =
        move->relation >= RELATION_BESIDE && move->relation <= RELATION_AGAINST;
    if (!beside_it || part->relation != RELATION_CORNER ||
        move->reference >= facts->object_count)
        return false;
    const builtin_object *ref = &facts->objects[move->reference];
    const double at[3] = {ref->centre[0], ref->centre[1], builtin_foot(ref)};
    return misfit_of(facts, part, move->reference, at) <= 0;
}

/* "In the bookcase, beside the globe": on the globe's board, where the globe is
 * in that, too. */
static double off_level_of_part(const builtin_facts *facts,
                                const builtin_move *move,
                                const builtin_move *part,
                                uint32_t object,
                                double height)
{
    const uint32_t base = builtin_support_of(facts, move, object);
    const bool is_shared = move->level == 0 && base < facts->object_count &&
                           builtin_stands_on(facts, part->reference, base);
    if (!is_shared)
        return 0;
    builtin_move there = *part;
    there.support = base;
    return off_level(facts, &there, object, height);
}

/* The worst of the relation and its conditions; a wrong level comes on top. */
double builtin_misfit(const builtin_facts *facts,
                      const builtin_move *move,
                      uint32_t object,
                      const double at[3])
{
    double misfit = misfit_of(facts, move, object, at),
           off = off_level(facts, move, object, at[2]);
    for (uint32_t i = 0; i < move->also_count; i++) {
        builtin_move part = builtin_condition_move(move, &move->also[i]);
        bool stands = part.relation == RELATION_ON ||
                      part.reference >= facts->object_count;
        if (move->also[i].denied)
            misfit =
                math_max(misfit, misfit_of_denied(facts, &part, object, at));
        if (stands || move->also[i].denied ||
            part_tells_reference(facts, move, &part))
            continue;
        misfit = math_max(misfit, misfit_of(facts, &part, object, at));
        off =
            math_max(off, off_level_of_part(facts, move, &part, object, at[2]));
    }
    return off > 0 ? math_max(misfit, 0) + off : misfit;
}
