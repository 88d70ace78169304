#include "worker/builtin/place/habit.h"
#include "worker/builtin/place/front.h"
#include "worker/builtin/relation.h"
#include "worker/math/vec.h"

#include <math.h>

/* What a metre is worth, where a metre of gap is worth four. */
static const double NEAR_BY = 0.1;
static const double NEAR_PUSHED = 0.5;  /* what is pushed goes straight on */
static const double NEAR_OF_TWO = 0.02; /* of two as good, that one */
static const double OFF_LINE = 0.6;
static const double OFF_MIDDLE = 0.2;
static const double BEFORE_IT = 0.4; /* not a metre: a step */
static const double LEGROOM = 6;     /* of what is lacking of it */
static const double ELBOWS = 1.5;    /* the same, between two at a table */

/* Who sits or works at a table stands before it. */
static bool habit_belongs_before(const builtin_facts *facts,
                                 const builtin_move *move,
                                 uint32_t object)
{
    const bool sits = builtin_is_seat(&facts->objects[object]) &&
                      builtin_is_table(&facts->objects[move->reference]);
    return sits || move->facing != FACING_NONE;
}

/* Metres between two seats, one before the other: for the legs, and between a
 * sofa and who looks at it for what stands before that. */
static double habit_legroom(const builtin_move *move, const builtin_object *ref)
{
    const double least = 0.45, most = 1.2;
    const double times = 1.5; /* half of its breadth */
    const bool face_each_other =
        move->facing == FACING_TO && move->faced == move->reference;
    return face_each_other
               ? math_max(least,
                          math_min(most, times * builtin_half_longer(ref)))
               : least;
}

/* Who sits down at a table there has elbows. */
static bool habit_sits_beside(const habit *h, const builtin_move *move)
{
    return move->relation == RELATION_BESIDE && builtin_is_seat(h->thing) &&
           builtin_is_table(h->reference) && !builtin_is_seat(h->reference);
}

/* Both look at a third: `way`, across it. */
static bool habit_stands_abreast(const builtin_facts *facts,
                                 const builtin_move *move,
                                 double way[2])
{
    const double *const centre = facts->objects[move->reference].centre;
    if (move->relation != RELATION_BESIDE || move->facing != FACING_TO ||
        move->faced == move->reference)
        return false;
    return builtin_way_across_table(facts, move, centre, way) ||
           builtin_facing_way(facts, move, centre, way);
}

/* A chair, and no footstool, before a seat. */
static bool habit_needs_legroom(const habit *h,
                                const builtin_facts *facts,
                                const builtin_move *move,
                                uint32_t object)
{
    double front[2];
    if (move->relation != RELATION_FRONT || move->gap >= 0)
        return false;
    return builtin_is_seat(h->thing) && builtin_is_seat(h->reference) &&
           builtin_front_of(facts, object, front);
}

static void habit_add_reference(habit *h,
                                const builtin_facts *facts,
                                const builtin_move *move,
                                uint32_t object)
{
    h->reference = &facts->objects[move->reference];
    if (habit_sits_beside(h, move))
        h->company = facts;
    /* against a wall, anywhere along it; against a counter, beside it */
    const bool pushed = move->relation == RELATION_AGAINST &&
                        !builtin_is_wall_like(h->reference);
    h->is_beside = move->relation == RELATION_BESIDE || pushed;
    if (pushed)
        h->from_here = NEAR_PUSHED;
    h->is_abreast = habit_stands_abreast(facts, move, h->side);
    h->has_side =
        move->relation >= RELATION_LEFT && move->relation <= RELATION_BEHIND;
    if (h->has_side)
        builtin_side_axis(facts, move, h->side);
    if (habit_needs_legroom(h, facts, move, object))
        h->legroom = habit_legroom(move, h->reference);
    if (!h->is_beside || habit_belongs_before(facts, move, object))
        return;
    h->has_front = builtin_front_of(facts, move->reference, h->front) ||
                   front_by_wall(facts, h->reference, h->front);
}

/* What people mean without saying it: a thing that is moved within reach stays
 * near where it was, and things are put where such things mostly stand. */
habit habit_make(const builtin_facts *facts, const builtin_wish *wish)
{
    const double near = 2, far = 5; /* metres */
    const builtin_move *move = wish->move;
    habit h = {.thing = &facts->objects[wish->object], .farthest = far};
    if (!move)
        return h;
    const bool refers = move->reference < facts->object_count;
    switch (move->relation) {
    case RELATION_BESIDE: h.farthest = near; /* fall through */
    case RELATION_AGAINST:
    case RELATION_CORNER:
    case RELATION_EDGE: h.from_here = NEAR_BY; break;
    case RELATION_ON:
        h.from_here =
            refers && builtin_is_ground(&facts->objects[move->reference])
                ? NEAR_BY
                : 0;
        break;
    case RELATION_FRONT:
    case RELATION_BEHIND: h.from_here = NEAR_OF_TWO; break;
    default: break;
    }
    if (refers)
        habit_add_reference(&h, facts, move, wish->object);
    return h;
}

/* Metres off the line that goes that way through the reference's middle. */
static double habit_off_middle(const double way[2], const double to[2])
{
    return fabs(-to[0] * way[1] + to[1] * way[0]);
}

/* At a side of the reference's box, not off a corner of it: how far past the
 * ends of that side. */
static double habit_cost_beside(const habit *h, const double to[2])
{
    const builtin_object *ref = h->reference;
    const double across[2] = {-ref->heading[1], ref->heading[0]};
    const double along = to[0] * ref->heading[0] + to[1] * ref->heading[1];
    const double aside = to[0] * across[0] + to[1] * across[1];
    const double gap_along =
        fabs(along) - ref->half[1] - builtin_extent(h->thing, ref->heading);
    const double gap_aside =
        fabs(aside) - ref->half[0] - builtin_extent(h->thing, across);
    const bool at_end = gap_along >= gap_aside;
    const double *way = at_end ? ref->heading : across;
    const double off = habit_off_middle(way, to);
    const double spare =
        at_end ? ref->half[0] - builtin_extent(h->thing, across)
               : ref->half[1] - builtin_extent(h->thing, ref->heading);
    const double past = math_max(off - math_max(spare, 0), 0);
    const double sign = (at_end ? along : aside) < 0 ? -1 : 1;
    const double ahead = sign * (way[0] * h->front[0] + way[1] * h->front[1]);
    const double half = at_end ? ref->half[0] : ref->half[1];
    if (h->has_front && ahead > 0.7)
        return BEFORE_IT + OFF_LINE * math_max(half - off, past);
    return OFF_LINE * past + OFF_MIDDLE * off;
}

/* Metres that are lacking between two seats, one before the other. */
static double habit_legs_lack(const habit *h, const double to[2])
{
    const double gap = to[0] * h->side[0] + to[1] * h->side[1] -
                       builtin_extent(h->thing, h->side) -
                       builtin_extent(h->reference, h->side);
    return math_max(h->legroom - gap, 0);
}

/* Metres that are lacking between who sits there and who sits at the table
 * already: two come to two sides of a small one. */
static double habit_elbows_lack(const habit *h, const double at[3])
{
    const double apart = 0.75, near = 0.4; /* metres */
    const builtin_rect top = builtin_rect_of(h->reference);
    double lack = 0;
    for (uint32_t i = 0; i < h->company->object_count; i++) {
        const builtin_object *o = &h->company->objects[i];
        const builtin_rect own = builtin_rect_of(o);
        const bool sits =
            o != h->thing && o != h->reference && builtin_is_seat(o);
        if (!sits || builtin_rects_apart(&own, &top) > near)
            continue;
        const double x = at[0] - o->centre[0];
        const double y = at[1] - o->centre[1];
        lack = math_max(lack, apart - sqrt(x * x + y * y));
    }
    return lack;
}

/* Added to a place's cost; small against what was said. */
double habit_cost(const habit *h, const double at[3])
{
    const double x = at[0] - h->thing->centre[0];
    const double y = at[1] - h->thing->centre[1];
    double cost = h->from_here * math_min(sqrt(x * x + y * y), h->farthest);
    if (!h->reference)
        return cost;
    const double to[2] = {at[0] - h->reference->centre[0],
                          at[1] - h->reference->centre[1]};
    if (h->is_beside)
        cost += habit_cost_beside(h, to);
    if (h->is_abreast)
        cost += OFF_LINE * fabs(to[0] * h->side[0] + to[1] * h->side[1]);
    if (h->has_side)
        cost += OFF_LINE * habit_off_middle(h->side, to);
    if (h->company)
        cost += ELBOWS * habit_elbows_lack(h, at);
    if (h->legroom > 0)
        cost += LEGROOM * habit_legs_lack(h, to);
    return cost;
}
