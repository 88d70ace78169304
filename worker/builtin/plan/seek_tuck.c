/* A seat pushed in under a table, from the side where it stands and with its front to it. */
#include "worker/builtin/plan/seek_internal.h"
#include "worker/math/vec.h"

#include <math.h>
#include <string.h>

double planner_share_beneath(const builtin_facts *facts, uint32_t object, uint32_t reference,
                             const double at[3])
{
    enum { SIDE = 9 };
    const builtin_object *o = &facts->objects[object], *t = &facts->objects[reference];
    uint32_t count = 0;
    for (int u = 0; u < SIDE; u++) {
        for (int v = 0; v < SIDE; v++) {
            double across = o->half[0] * ((2 * u + 1) / (double)SIDE - 1),
                   along = o->half[1] * ((2 * v + 1) / (double)SIDE - 1);
            double dx = at[0] + along * o->heading[0] - across * o->heading[1] - t->centre[0],
                   dy = at[1] + along * o->heading[1] + across * o->heading[0] - t->centre[1];
            count += fabs(dx * t->heading[0] + dy * t->heading[1]) < t->half[1] &&
                     fabs(-dx * t->heading[1] + dy * t->heading[0]) < t->half[0];
        }
    }
    return count / (double)(SIDE * SIDE);
}

/* Outward from the table at the side where the thing is. */
static void tuck_side(const builtin_facts *facts, uint32_t object, uint32_t reference,
                      double ret[2])
{
    const builtin_object *o = &facts->objects[object], *t = &facts->objects[reference];
    double dx = o->centre[0] - t->centre[0], dy = o->centre[1] - t->centre[1];
    double along = dx * t->heading[0] + dy * t->heading[1],
           across = -dx * t->heading[1] + dy * t->heading[0];
    bool lengthwise = fabs(along) - t->half[1] >= fabs(across) - t->half[0];
    double sign = (lengthwise ? along : across) < 0 ? -1 : 1;
    ret[0] = sign * (lengthwise ? t->heading[0] : -t->heading[1]);
    ret[1] = sign * (lengthwise ? t->heading[1] : t->heading[0]);
}

double planner_tuck_off(const builtin_facts *facts, uint32_t object, uint32_t reference)
{
    double way[2], front[2];
    tuck_side(facts, object, reference, way);
    if (!builtin_front_of(facts, object, front))
        return 0;
    double turn = builtin_turn_between(front, (double[2]){-way[0], -way[1]});
    return turn > 180 ? 360 - turn : turn;
}

void seek_tucked(const planner *p, const builtin_move *move, uint32_t object, plan_list *list)
{
    const builtin_facts *facts = p->facts;
    const builtin_object *o = &facts->objects[object], *t = &facts->objects[move->reference];
    double out[2], front[2];
    builtin_facts then = p->then;
    tuck_side(&then, object, move->reference, out); /* the side where it stood */
    bool known = builtin_front_of(facts, object, front);
    const double across[2] = {-out[1], out[0]};
    double depth = known ? builtin_extent(o, front) : builtin_extent(o, out);
    double breadth =
        known ? builtin_extent(o, (double[2]){-front[1], front[0]}) : builtin_extent(o, across);
    double edge = builtin_extent(t, out), wide = builtin_extent(t, across);
    double aside =
        (o->centre[0] - t->centre[0]) * across[0] + (o->centre[1] - t->centre[1]) * across[1];
    const double leg = 0.09; /* metres: tables have legs at their corners */
    double room = math_max(wide - breadth - leg, 0),
           bottom = o->centre[2] - o->half[2] + SEEK_LET_DOWN;
    uint32_t floor = o->by_count > 0 ? o->by[0] : builtin_support_of(facts, move, object);
    if (floor == BUILTIN_NONE)
        return;
    const double own = math_min(math_max(aside, -room), room),
                 lateral_of[5] = {own, 0.5 * own, 0, room, -room};
    for (int i = 0; i < 5; i++) {
        const double lateral = lateral_of[i];
        plan next = planner_put(object, floor, o->centre, 0);
        const double from = edge - 0.3 * depth,
                     to = edge +
                          0.6 * depth; /* two thirds under: who sits there can get in; and 20 % */
        for (int k = 0; k < 2; k++) {
            next.exact.at[k] = t->centre[k] + from * out[k] + lateral * across[k];
            next.exact.to[k] = t->centre[k] + to * out[k] + lateral * across[k];
        }
        next.exact.at[2] = next.exact.to[2] = bottom;
        next.exact.is_way = true;
        if (known)
            seek_set_yaw(p, &next, (double[2]){-out[0], -out[1]});
        if (i == 0 || fabs(lateral - lateral_of[i - 1]) > 0.02)
            seek_add(p, list, &next);
    }
}
