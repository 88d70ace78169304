/* What takes the room of a place that a plan needs, and would make way. */
#include "worker/builtin/plan/planner_internal.h"

#include <math.h>

/* Is something of the goal to come beside it, as `also` says? */
static bool blocker_is_named_besides(const builtin_move *move, uint32_t object)
{
    for (uint32_t i = 0; i < move->also_count; i++) {
        if (move->also[i].reference == object && !move->also[i].denied)
            return true;
    }
    return false;
}

/* Does the goal want it on the reference? */
static bool blocker_is_wanted_on(const planner *p,
                                 uint32_t object,
                                 uint32_t reference)
{
    for (uint32_t i = 0; i < p->reading.count; i++) {
        const builtin_move *m = &p->reading.moves[i];
        if (blocker_is_named_besides(m, object))
            return true;
        for (uint32_t k = 0; k < m->objects.count && m->reference == reference;
             k++) {
            if (m->objects.objects[k] == object)
                return true;
        }
    }
    return false;
}

/* Would its leaving give room on the board that the move says? */
static bool blocker_is_on_level(const planner *p,
                                const builtin_move *move,
                                uint32_t object,
                                uint32_t reference)
{
    const builtin_object *o = &p->facts->objects[object];
    if (move->level == 0 || move->reference != reference)
        return true;
    return !(builtin_off_level(p->facts, reference, move->level,
                               builtin_foot(o)) > 0);
}

/* Something on the reference that nobody asked to be there and that can be
 * taken away at once; BUILTIN_NONE: nothing. */
uint32_t planner_first_unwanted(const planner *p,
                                const builtin_move *move,
                                uint32_t object,
                                uint32_t reference)
{
    const builtin_object *base = &p->facts->objects[reference];
    for (uint32_t i = 0; i < base->on_count; i++) {
        const builtin_object *o = &p->facts->objects[base->on[i]];
        bool stays = o->is_static || o->immovable || o->on_count > 0;
        stays = stays || planner_outweighs(p, base->on[i], object) ||
                !blocker_is_on_level(p, move, base->on[i], reference);
        if (!stays && !blocker_is_wanted_on(p, base->on[i], reference))
            return base->on[i];
    }
    return BUILTIN_NONE;
}

/* The greatest slack of the plans for the same place. */
static double blocker_slack(const planner_job *j, const plan *chosen)
{
    double slack = chosen->exact.slack;
    for (uint32_t i = 0; i < j->plans->count; i++) {
        if (j->plans->items[i].exact.slack > slack)
            slack = j->plans->items[i].exact.slack;
    }
    return slack;
}

/* Does a bystander take so much of the place that is said that no slack avoids
 * it? */
static bool blocker_fills(const planner *p,
                          const planner_job *j,
                          const plan *chosen,
                          uint32_t other,
                          const double at[3])
{
    const double edge = 0.01; /* metres */
    const builtin_object *b = &p->facts->objects[other];
    bool said =
        j->move->relation == RELATION_AT || j->move->relation == RELATION_PLACE;
    if (!said || b->by_count == 0 || !planner_can_leave(p, other, j->object))
        return false;
    const builtin_rect own =
        builtin_footprint(&p->facts->objects[j->object], at[0], at[1],
                          -blocker_slack(j, chosen) - edge);
    const builtin_rect its = builtin_rect_of(b);
    bool any_left = own.low[0] < own.high[0] && own.low[1] < own.high[1];
    return any_left && builtin_rects_meet(&own, &its);
}

bool planner_boxes_meet(const builtin_object *a,
                        const double at[2],
                        const builtin_object *b,
                        const double b_at[2])
{
    const double ways[4][2] = {{a->heading[0], a->heading[1]},
                               {-a->heading[1], a->heading[0]},
                               {b->heading[0], b->heading[1]},
                               {-b->heading[1], b->heading[0]}};
    for (int i = 0; i < 4; i++) {
        double away =
            (at[0] - b_at[0]) * ways[i][0] + (at[1] - b_at[1]) * ways[i][1];
        if (fabs(away) >=
            builtin_extent(a, ways[i]) + builtin_extent(b, ways[i]))
            return false;
    }
    return true;
}

/* "In a row under the bed": the bed stays. */
static bool blocker_is_roof(const builtin_move *move, uint32_t other)
{
    for (uint32_t i = 0; i < move->also_count; i++) {
        if (move->also[i].relation == RELATION_UNDER &&
            move->also[i].reference == other)
            return true;
    }
    return false;
}

/* Does it stay whatever comes there: fixed, where the goal wants it, carrying
 * the thing or carried by it, or what the plan puts the thing on? */
static bool blocker_is_firm(const planner *p,
                            const planner_job *j,
                            const plan *chosen,
                            uint32_t other)
{
    const builtin_facts *facts = p->facts;
    const builtin_object *o = &facts->objects[other];
    const uint32_t support = chosen->exact.support;
    const bool is_part = other == j->object || other == support;
    if (o->is_static || o->immovable || is_part)
        return true;
    if (planner_is_settled(p, other) || blocker_is_roof(j->move, other))
        return true;
    if (builtin_is_above(facts, other, j->object) ||
        planner_is_above(facts, j->object, other))
        return true;
    return support < facts->object_count &&
           planner_is_above(facts, support, other);
}

static bool blocker_is_replaced(const planner *p,
                                const planner_job *j,
                                uint32_t other)
{
    const builtin_move *move = j->move;
    if (move->relation == RELATION_PLACE && other == move->reference)
        return true;
    for (uint32_t k = 0; k < move->there.count; k++) {
        if (move->there.objects[k] == other)
            return true;
    }
    return planner_will_move(p, other);
}

/* Something in the way of the chosen place that may be moved; with `any` also
 * what is only near. What stays in any case (blocker_is_firm) is never
 * named. */
uint32_t planner_blocker(const planner *p,
                         const planner_job *j,
                         const plan *chosen,
                         bool any)
{
    const builtin_facts *facts = p->facts;
    const builtin_object *own = &facts->objects[j->object];
    double at[3] = {chosen->exact.at[0], chosen->exact.at[1],
                    chosen->exact.at[2]};
    if (chosen->exact.kind != EXACT_PUT)
        at[2] -= own->half[2];
    const bool shifts = j->move->relation == RELATION_SHIFT;
    for (uint32_t i = 0; i < facts->object_count; i++) {
        const builtin_object *o = &facts->objects[i];
        if (blocker_is_firm(p, j, chosen, i) ||
            !builtin_is_in_the_way(facts, i, j->object, at))
            continue;
        if (shifts && !planner_boxes_meet(own, at, o, o->centre))
            continue;
        const bool goes =
            blocker_is_replaced(p, j, i) || blocker_fills(p, j, chosen, i, at);
        if (goes || (any && planner_can_leave(p, i, j->object)))
            return i;
    }
    return BUILTIN_NONE;
}
