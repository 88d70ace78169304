/* A seat pushed in under a table, from the side where it stands and with its
 * front to it. */
#include "proto/array.h"
#include "worker/builtin/plan/seek_internal.h"
#include "worker/math/vec.h"

#include <math.h>
#include <string.h>

double planner_share_beneath(const builtin_facts *facts,
                             uint32_t object,
                             uint32_t reference,
                             const double at[3])
{
    enum {
        SIDE = 9
    };
    const builtin_object *o = &facts->objects[object];
    const builtin_object *t = &facts->objects[reference];
    uint32_t count = 0;
    for (int u = 0; u < SIDE; u++) {
        for (int v = 0; v < SIDE; v++) {
            double across = o->half[0] * ((2 * u + 1) / (double)SIDE - 1);
            double along = o->half[1] * ((2 * v + 1) / (double)SIDE - 1);
            double dx = at[0] + along * o->heading[0] - across * o->heading[1] -
                        t->centre[0];
            double dy = at[1] + along * o->heading[1] + across * o->heading[0] -
                        t->centre[1];
            count +=
                fabs(dx * t->heading[0] + dy * t->heading[1]) < t->half[1] &&
                fabs(-dx * t->heading[1] + dy * t->heading[0]) < t->half[0];
        }
    }
    return count / (double)(SIDE * SIDE);
}

/* Outward from the table at the side where the thing is. */
static void tuck_side(const builtin_facts *facts,
                      uint32_t object,
                      uint32_t reference,
                      double ret[2])
{
    const builtin_object *o = &facts->objects[object];
    const builtin_object *t = &facts->objects[reference];
    double dx = o->centre[0] - t->centre[0];
    double dy = o->centre[1] - t->centre[1];
    double along = dx * t->heading[0] + dy * t->heading[1];
    double across = -dx * t->heading[1] + dy * t->heading[0];
    bool lengthwise = fabs(along) - t->half[1] >= fabs(across) - t->half[0];
    double sign = (lengthwise ? along : across) < 0 ? -1 : 1;
    ret[0] = sign * (lengthwise ? t->heading[0] : -t->heading[1]);
    ret[1] = sign * (lengthwise ? t->heading[1] : t->heading[0]);
}

double planner_tuck_off(const builtin_facts *facts,
                        uint32_t object,
                        uint32_t reference)
{
    double way[2], front[2];
    tuck_side(facts, object, reference, way);
    if (!builtin_front_of(facts, object, front))
        return 0;
    double turn = builtin_turn_between(front, (double[2]){-way[0], -way[1]});
    return turn > 180 ? 360 - turn : turn;
}

double planner_tuck_aside(const builtin_facts *facts,
                          uint32_t object,
                          uint32_t reference)
{
    const double *at = facts->objects[object].centre;
    const double *middle = facts->objects[reference].centre;
    double way[2];
    tuck_side(facts, object, reference, way);
    return fabs((at[1] - middle[1]) * way[0] - (at[0] - middle[0]) * way[1]);
}

/* Does another seat stand at that side of the table, so that each has its share
 * of it? */
static bool tuck_side_is_shared(const builtin_facts *facts,
                                uint32_t object,
                                uint32_t reference,
                                const double out[2])
{
    const double reach = 0.9; /* metres */
    const builtin_object *table = &facts->objects[reference];
    const builtin_rect top =
        builtin_footprint(table, table->centre[0], table->centre[1], 0);
    for (uint32_t i = 0; i < facts->object_count; i++) {
        const builtin_object *o = &facts->objects[i];
        double way[2];
        if (i == object || i == reference || !builtin_is_seat(o))
            continue;
        const builtin_rect own =
            builtin_footprint(o, o->centre[0], o->centre[1], 0);
        tuck_side(facts, i, reference, way);
        const bool same = way[0] * out[0] + way[1] * out[1] > 0.5;
        if (same && builtin_rects_apart(&own, &top) < reach)
            return true;
    }
    return false;
}

typedef struct tuck { /* ways in under a table */
    const builtin_object *table;
    plan plain; /* but for where from and where to */
    double out[2];
} tuck;

/* From so far out of the table's middle to so far, and so far aside of it. */
static void tuck_add(const planner *p,
                     const tuck *t,
                     double from,
                     double to,
                     double aside,
                     plan_list *list)
{
    plan next = t->plain;
    const double across[2] = {-t->out[1], t->out[0]};
    for (int k = 0; k < 2; k++) {
        const double beside = t->table->centre[k] + aside * across[k];
        next.exact.at[k] = beside + from * t->out[k];
        next.exact.to[k] = beside + to * t->out[k];
    }
    next.exact.to[2] = next.exact.at[2];
    next.exact.is_way = true;
    seek_add(p, list, &next);
}

typedef struct tuck_way {
    double from, to, aside; /* metres, as tuck_add() has them */
} tuck_way;

/* Is the i-th way none of those before it? */
static bool tuck_way_is_new(const tuck_way *ways, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (memcmp(&ways[i], &ways[k], sizeof *ways) == 0)
            return false;
    }
    return true;
}

/* A chair under its table, on the side where it stood when the sentence was
 * said. */
void seek_tucked(const planner *p,
                 const builtin_move *move,
                 uint32_t object,
                 plan_list *list)
{
    const builtin_facts *facts = p->facts;
    const builtin_object *o = &facts->objects[object];
    const builtin_object *table = &facts->objects[move->reference];
    builtin_facts then = p->then;
    tuck t = {.table = table};
    double front[2];
    /* the side where it stood */
    tuck_side(&then, object, move->reference, t.out);
    const bool known = builtin_front_of(facts, object, front);
    const double across[2] = {-t.out[1], t.out[0]};
    const double side[2] = {-front[1], front[0]};
    const double depth = builtin_extent(o, known ? front : t.out);
    const double breadth = builtin_extent(o, known ? side : across);
    const double edge = builtin_extent(table, t.out);
    const double leg = 0.09; /* metres: tables have legs at their corners */
    const double room =
        math_max(builtin_extent(table, across) - breadth - leg, 0);
    const uint32_t floor =
        o->by_count > 0 ? o->by[0] : builtin_support_of(facts, move, object);
    if (floor == BUILTIN_NONE)
        return;
    t.plain = planner_put(object, floor, o->centre, 0);
    t.plain.exact.at[2] = builtin_foot(o) + SEEK_LET_DOWN;
    if (known)
        seek_set_yaw(p, &t.plain, (double[2]){-t.out[0], -t.out[1]});
    double now = 0;
    for (int k = 0; k < 2; k++)
        now += (o->centre[k] - table->centre[k]) * across[k];
    const double own = math_min(math_max(now, -room), room);
    /* Two thirds of it beneath, so that who sits there can get in, down to a
     * half; only then less, down to a fifth: where it stands, or aside of that,
     * away from a leg or from drawers. */
    const double deep = edge - 0.3 * depth;
    const double shallow = edge + 0.6 * depth;
    /* a desk's only chair belongs before its middle */
    const bool shared =
        tuck_side_is_shared(&then, object, move->reference, t.out);
    const double first = shared ? own : 0;
    const tuck_way ways[] = {
        {deep, edge, first},     {deep, edge, own},
        {deep, edge, 0.5 * own}, {deep, edge, 0},
        {edge, shallow, own},    {deep, shallow, room},
        {deep, shallow, -room},  {edge, shallow, 0.5 * own},
        {edge, shallow, 0}};
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        if (tuck_way_is_new(ways, i) && (!move->exact || ways[i].aside == 0))
            tuck_add(p, &t, ways[i].from, ways[i].to, ways[i].aside, list);
    }
}
