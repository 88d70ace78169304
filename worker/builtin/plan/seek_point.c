/* Places that the move itself says: a point, where something stood, so far from
 * where it is, where it is but turned. */
#include "worker/builtin/plan/seek_internal.h"
#include "worker/math/vec.h"

#include <math.h>
#include <string.h>

/* What stands below a thing whose bottom comes to `at`; the carrier of `like`
 * where the maps do not know. */
static uint32_t point_support_at(const builtin_facts *facts,
                                 const double at[3],
                                 uint32_t object,
                                 uint32_t like)
{
    uint32_t under = builtin_surface_under(facts, at, object);
    if (under != BUILTIN_NONE)
        return facts->surfaces[under].object;
    const builtin_object *o = &facts->objects[like];
    for (uint32_t i = 0; i < o->by_count; i++) {
        if (o->by[i] != object)
            return o->by[i];
    }
    return BUILTIN_NONE;
}

/* The wall directly behind the point, at which it would hang; its own wall wins
 * a tie. */
static uint32_t point_wall_at(const builtin_facts *facts,
                              uint32_t object,
                              const double at[3],
                              double ret_yaw[1])
{
    uint32_t best = BUILTIN_NONE;
    uint32_t own = builtin_hangs_on(facts, object);
    const builtin_object *o = &facts->objects[object];
    double nearest = math_max(0.08, 2 * builtin_half_shorter(o));
    for (uint32_t i = 0; i < facts->wall_count; i++) {
        const builtin_wall *w = &facts->walls[i];
        double s = at[0] * w->right[0] + at[1] * w->right[1];
        double out = at[0] * w->normal[0] + at[1] * w->normal[1] - w->offset;
        const bool across =
            s > w->origin[0] && s < w->origin[0] + w->columns * w->cell;
        const bool before = out > -0.01 && across && at[2] > w->origin[1];
        if (!before || out >= nearest + (i == own ? 1e-6 : 0) ||
            w->object == object)
            continue;
        nearest = out;
        best = i;
    }
    if (best != BUILTIN_NONE)
        *ret_yaw = builtin_hang_yaw(facts, object, best);
    return best;
}

/* Against a wall, or at that very height with nothing beneath: what hovers in
 * the file may go on doing so. */
void seek_add_in_air(const planner *p,
                     uint32_t object,
                     const double centre[3],
                     const builtin_move *move,
                     double widest,
                     plan_list *list)
{
    const builtin_object *o = &p->facts->objects[object];
    double yaw = o->yaw_deg;
    uint32_t wall = o->attached ? point_wall_at(p->facts, object, centre, &yaw)
                                : BUILTIN_NONE;
    plan next = planner_put(object, BUILTIN_NONE, centre, 0);
    next.exact.kind = wall == BUILTIN_NONE ? EXACT_MOVE : EXACT_HANG;
    if (wall != BUILTIN_NONE)
        next.exact.support = p->facts->walls[wall].object;
    if (move->has_yaw)
        yaw = move->yaw_deg;
    next.exact.yaw_deg = yaw;
    next.exact.has_yaw = planner_yaw_apart(yaw, o->yaw_deg) > 0.1;
    seek_add_widening(p, list, &next, widest);
}

/* A place so near to the base's edge that the thing would hang over it comes
 * inward, where it may be that far off. */
static void point_pull_in(const builtin_facts *facts,
                          uint32_t object,
                          uint32_t base,
                          double most_off,
                          double at[3])
{
    const builtin_object *o = &facts->objects[object];
    const builtin_object *b = &facts->objects[base];
    const double ways[2][2] = {{b->heading[0], b->heading[1]},
                               {-b->heading[1], b->heading[0]}};
    double pulled[2] = {at[0], at[1]};
    for (int k = 0; k < 2; k++) {
        const double *way = ways[k];
        double free =
            (k == 0 ? b->half[1] : b->half[0]) - builtin_extent(o, way);
        double along =
            (at[0] - b->centre[0]) * way[0] + (at[1] - b->centre[1]) * way[1];
        if (free < 0)
            return; /* it hangs over that edge wherever it stands */
        double inward = fabs(along) > free ? fabs(along) - free : 0;
        for (int i = 0; i < 2; i++)
            pulled[i] -= (along > 0 ? inward : -inward) * way[i];
    }
    double dx = pulled[0] - at[0];
    double dy = pulled[1] - at[1];
    if (sqrt(dx * dx + dy * dy) > most_off)
        return;
    memcpy(at, pulled, sizeof pulled);
}

/* A point that was given in numbers. */
void seek_at_point(const planner *p,
                   const builtin_move *move,
                   uint32_t object,
                   plan_list *list)
{
    const builtin_object *o = &p->facts->objects[object];
    double widest = math_max(move->slack, 0.03);
    if (move->hung || (o->attached && move->support == BUILTIN_NONE)) {
        seek_add_in_air(p, object, move->at, move, widest, list);
        return;
    }
    uint32_t support =
        move->support != BUILTIN_NONE
            ? move->support
            : point_support_at(p->facts, move->at, object, object);
    if (support == BUILTIN_NONE) { /* nothing is known there: at that height */
        seek_add_in_air(
            p, object,
            (double[3]){move->at[0], move->at[1], move->at[2] + o->half[2]},
            move, widest, list);
        return;
    }
    double at[3] = {move->at[0], move->at[1], move->at[2] + SEEK_LET_DOWN};
    point_pull_in(p->facts, object, support, widest, at);
    plan next = planner_put(object, support, at, 0.01);
    seek_turn_there(p, move, &next);
    seek_add_widening(p, list, &next, widest);
}

/* Where something stood. */
void seek_old_place(const planner *p,
                    const builtin_move *move,
                    uint32_t object,
                    plan_list *list)
{
    const builtin_object *o = &p->facts->objects[object];
    const builtin_object *old = &p->facts->objects[move->reference];
    double at[3];
    double widest = 0.02 + 0.25 * (o->half[0] + o->half[1]);
    if (o->attached && old->attached) {
        seek_add_in_air(p, object, old->start, move, 0.05, list);
        return;
    }
    builtin_old_place(p->facts, move, at);
    uint32_t under = builtin_surface_under(p->facts, at, object);
    uint32_t base = BUILTIN_NONE;
    if (under != BUILTIN_NONE &&
        p->facts->surfaces[under].object != move->reference) {
        base = p->facts->surfaces[under].object;
    } else if (old->start_by_count > 0 && old->start_by[0] != object) {
        base = old->start_by[0];
    }
    /* a file without a floor: at the height at which the other stood */
    if (base == BUILTIN_NONE) {
        at[2] += o->half[2];
        if (old->start_by_count == 0 && !old->attached)
            seek_add_in_air(p, object, at, move, widest, list);
        return;
    }
    at[2] += SEEK_LET_DOWN;
    point_pull_in(p->facts, object, base, widest, at);
    plan next = planner_put(object, base, at, 0.01);
    seek_turn_there(p, move, &next);
    seek_add_widening(p, list, &next, widest);
}

void planner_shifted(const planner *p,
                     const builtin_move *move,
                     uint32_t object,
                     double ret[3])
{
    for (int k = 0; k < 3; k++)
        ret[k] = p->then.objects[object].centre[k] + move->shift[k];
}

/* On what it stands after the shift: its own base as long as it stays over it,
 * else what is below; BUILTIN_NONE: nothing. */
uint32_t planner_shift_support(const planner *p,
                               const builtin_move *move,
                               uint32_t object)
{
    const builtin_object *o = &p->facts->objects[object];
    const builtin_object *own = &p->facts->objects[o->by[0]];
    double to[3];
    planner_shifted(p, move, object, to);
    const builtin_rect r = builtin_rect_of(own);
    const bool across = to[0] > r.low[0] && to[0] < r.high[0];
    if (across && to[1] > r.low[1] && to[1] < r.high[1])
        return o->by[0];
    const double bottom[3] = {to[0], to[1], to[2] - o->half[2] + SEEK_LET_DOWN};
    const uint32_t under = builtin_surface_under(p->facts, bottom, object);
    return under == BUILTIN_NONE ? BUILTIN_NONE
                                 : p->facts->surfaces[under].object;
}

/* By so many metres. Slack up to 15 % of the way; upward it goes into the
 * air. */
void seek_shifted(const planner *p,
                  const builtin_move *move,
                  uint32_t object,
                  plan_list *list)
{
    const builtin_object *o = &p->facts->objects[object];
    double to[3], distance = 0;
    planner_shifted(p, move, object, to);
    for (int k = 0; k < 3; k++)
        distance += move->shift[k] * move->shift[k];
    double widest = 0.15 * sqrt(distance);
    const bool stands = !o->attached && !o->hovering && o->by_count > 0;
    if (!stands || fabs(move->shift[2]) > 0.01) {
        seek_add_in_air(p, object, to, move, widest, list);
        return;
    }
    const double bottom[3] = {to[0], to[1], to[2] - o->half[2] + SEEK_LET_DOWN};
    const uint32_t support = planner_shift_support(p, move, object);
    if (support == BUILTIN_NONE)
        return;
    plan next = planner_put(object, support, bottom, 0);
    seek_turn_there(p, move, &next);
    seek_add_widening(p, list, &next, widest);
}

double planner_turned_yaw(const planner *p,
                          const builtin_move *move,
                          uint32_t object)
{
    const builtin_object *then = &p->then.objects[object];
    const builtin_object *now = &p->facts->objects[object];
    return now->yaw_deg + builtin_turn_between(now->heading, then->heading) +
           move->turn;
}

/* A chair at a side of a table that is to have its back to it turns half round,
 * and not to the table's middle. */
static bool turned_to(const planner *p,
                      const builtin_move *move,
                      const builtin_object *o,
                      double ret[2])
{
    if (move->facing == FACING_BACK &&
        builtin_way_across_table(p->facts, move, o->centre, ret))
        return true;
    return builtin_facing_way(p->facts, move, o->centre, ret);
}

/* Which way its front is to point; false: it is where that is no way. */
static bool turned_way(const planner *p,
                       const builtin_move *move,
                       uint32_t object,
                       double ret[2])
{
    const builtin_object *o = &p->facts->objects[object];
    double front[2], sine, cosine;
    if (move->relation != RELATION_TURN)
        return turned_to(p, move, o, ret);
    const double turn = planner_turned_yaw(p, move, object) - o->yaw_deg;
    builtin_front_of(p->facts, object, front);
    math_sincos(turn * MATH_PI / 180, &sine, &cosine);
    ret[0] = cosine * front[0] - sine * front[1];
    ret[1] = sine * front[0] + cosine * front[1];
    return true;
}

etna_code planner_as_turned(const planner *p,
                            const builtin_move *move,
                            uint32_t object,
                            planner *ret,
                            builtin_facts *facts,
                            bool *ret_known)
{
    double way[2];
    *ret_known = turned_way(p, move, object, way);
    return *ret_known ? seek_as_turned(p, object, way, ret, facts) : ETNA_OK;
}

/* The same, turned a little less or more, which counts as turned like that,
 * too: what would strike something then may pass. */
static void turned_add_tilted(const planner *p,
                              const builtin_move *move,
                              const plan *next,
                              double widest,
                              plan_list *list)
{
    /* degrees, within what planner_holds allows */
    const double off = move->relation == RELATION_TURN ? 4 : 7;
    const double slacks[2] = {next->exact.slack, widest};
    const int count = widest > next->exact.slack ? 2 : 1;
    for (int i = 0; i < count; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            plan tilted = *next;
            tilted.exact.yaw_deg += sign * off;
            tilted.exact.slack = slacks[i];
            seek_add(p, list, &tilted);
        }
    }
}

/* The heading that the move says, by an angle or by a way; false: none is known
 * there. */
static bool turned_set_yaw(const planner *p,
                           const builtin_move *move,
                           uint32_t object,
                           plan *next)
{
    double way[2];
    if (move->relation == RELATION_TURN) {
        next->exact.yaw_deg = planner_turned_yaw(p, move, object);
        next->exact.has_yaw = true;
        return true;
    }
    if (!turned_to(p, move, &p->facts->objects[object], way))
        return false;
    seek_set_yaw(p, next, way);
    next->exact.has_yaw = true;
    return true;
}

/* On the spot. A rug with things on it is turned in place, without being lifted
 * through them. */
void seek_turned(const planner *p,
                 const builtin_move *move,
                 uint32_t object,
                 plan_list *list)
{
    const builtin_object *o = &p->facts->objects[object];
    const double bottom[3] = {o->centre[0], o->centre[1],
                              builtin_foot(o) + SEEK_LET_DOWN};
    const bool is_below =
        builtin_is_covering(p->facts, object) && o->on_count > 0;
    /* no rug is lifted through that */
    bool stands = !o->attached && o->by_count > 0 && !is_below;
    plan next = planner_put(object, stands ? o->by[0] : BUILTIN_NONE,
                            stands ? bottom : o->centre, 0);
    if (!stands)
        next.exact.kind = EXACT_MOVE;
    if (!turned_set_yaw(p, move, object, &next))
        return;
    /* what hovers may shift like what stands; what hangs may not, nor a rug */
    const bool may_shift =
        !move->exact && (stands || (o->by_count == 0 && !o->attached));
    const double widest =
        may_shift ? math_max(0.1, 0.3 * (o->half[0] + o->half[1])) : 0;
    seek_add_widening(p, list, &next, widest);
    turned_add_tilted(p, move, &next, widest, list);
}

/* A sunshade stands beside what it shades, and its box is all round its pole:
 * the true shapes say where there is room. */
void seek_over(const planner *p,
               const builtin_move *move,
               uint32_t object,
               plan_list *list)
{
    uint32_t base = builtin_support_of(p->facts, move, object);
    if (base == BUILTIN_NONE || base == move->reference ||
        move->reference >= p->facts->object_count)
        return;
    const builtin_object *ref = &p->facts->objects[move->reference];
    const builtin_object *o = &p->facts->objects[object];
    double widest = builtin_over_slack(o, ref, false);
    const double at[3] = {ref->centre[0], ref->centre[1],
                          builtin_foot(ref) + SEEK_LET_DOWN};
    plan next = planner_put(object, base, at, widest);
    seek_add(p, list, &next);
}
