/* How a thing is turned at a place: as the move says, else as people would
 * expect it there. */
#include "worker/builtin/plan/seek_internal.h"

#include <math.h>
#include <string.h>

void seek_set_yaw(const planner *p, plan *chosen, const double front_way[2])
{
    const builtin_object *o = &p->facts->objects[chosen->exact.object];
    double front[2];
    builtin_front_of(p->facts, chosen->exact.object, front);
    chosen->exact.yaw_deg = o->yaw_deg + builtin_turn_between(front, front_way);
    chosen->exact.has_yaw =
        planner_yaw_apart(chosen->exact.yaw_deg, o->yaw_deg) > 0.1;
}

/* A seat that comes to a table or desk looks at it. */
static bool heading_sits_at(const planner *p,
                            const builtin_move *move,
                            uint32_t object)
{
    double front[2];
    if (move->reference >= p->facts->object_count ||
        !builtin_is_seat(&p->facts->objects[object]))
        return false;
    const builtin_object *table = &p->facts->objects[move->reference];
    bool beside = (move->relation >= RELATION_BESIDE &&
                   move->relation <= RELATION_BEHIND) ||
                  move->relation == RELATION_AGAINST ||
                  move->relation == RELATION_END;
    const bool bears =
        builtin_is_bearer(table) && !table->is_static && table->half[2] > 0.15;
    return beside && bears && builtin_front_of(p->facts, object, front);
}

/* So does one that comes before what people look into: a mirror, a
 * television. */
static bool heading_looks_at(const planner *p,
                             const builtin_move *move,
                             uint32_t object)
{
    double front[2];
    return move->relation == RELATION_FRONT &&
           move->reference < p->facts->object_count &&
           builtin_is_seat(&p->facts->objects[object]) &&
           builtin_is_screen(&p->facts->objects[move->reference]) &&
           builtin_front_of(p->facts, object, front);
}

/* Squarely at the table, across the side of it that `from` is farther from. */
static void heading_to_table(const builtin_object *table,
                             const double from[2],
                             double ret[2])
{
    const double ways[2][2] = {{table->heading[0], table->heading[1]},
                               {-table->heading[1], table->heading[0]}};
    double best = -INFINITY;
    for (int i = 0; i < 2; i++) {
        const double along = (from[0] - table->centre[0]) * ways[i][0] +
                             (from[1] - table->centre[1]) * ways[i][1];
        const double out = fabs(along) - builtin_extent(table, ways[i]);
        const double sign = along > 0 ? -1 : 1;
        if (out <= best)
            continue;
        best = out;
        for (int k = 0; k < 2; k++)
            ret[k] = sign * ways[i][k];
    }
}

/* The heading at the chosen place: what was said, else toward what it faces,
 * else, at a table, to the table, and before a mirror into it. */
void seek_turn_there(const planner *p, const builtin_move *move, plan *chosen)
{
    const uint32_t object = chosen->exact.object;
    const builtin_object *o = &p->facts->objects[object];
    const double from[3] = {chosen->exact.at[0], chosen->exact.at[1],
                            chosen->exact.at[2] + o->half[2]};
    double way[2];
    if (move->has_yaw) {
        chosen->exact.yaw_deg = move->yaw_deg;
        chosen->exact.has_yaw =
            planner_yaw_apart(move->yaw_deg, o->yaw_deg) > 0.1;
    } else if (move->facing != FACING_NONE) {
        if (builtin_way_across_table(p->facts, move, from, way) ||
            builtin_facing_way(p->facts, move, from, way))
            seek_set_yaw(p, chosen, way);
    } else if (heading_sits_at(p, move, object)) {
        heading_to_table(&p->facts->objects[move->reference], from, way);
        seek_set_yaw(p, chosen, way);
    } else if (heading_looks_at(p, move, object)) {
        builtin_move into = *move;
        into.facing = FACING_TO;
        into.faced = move->reference;
        if (builtin_facing_way(p->facts, &into, from, way))
            seek_set_yaw(p, chosen, way);
    }
}

/* Planner and facts with the thing turned; `facts` must live as long as
 * *ret. */
etna_code seek_as_turned(const planner *p,
                         uint32_t object,
                         const double way[2],
                         planner *ret,
                         builtin_facts *facts)
{
    builtin_object *objects =
        etna_arena_memdup(p->talk->arena, p->facts->objects,
                          p->facts->object_count * sizeof *objects);
    if (!objects)
        return planner_no_memory(p);
    builtin_object *o = &objects[object];
    double front[2], turn, heading[2];
    builtin_front_of(p->facts, object, front);
    turn = builtin_turn_between(front, way);
    builtin_heading_at(o, o->yaw_deg + turn, heading);
    memcpy(o->heading, heading, sizeof heading);
    o->yaw_deg += turn;
    *facts = *p->facts;
    facts->objects = objects;
    *ret = *p;
    ret->facts = facts;
    return ETNA_OK;
}
