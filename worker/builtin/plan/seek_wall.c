/* Places at walls: on them for what hangs, with its back to them for what
 * stands. */
#include "worker/builtin/plan/seek_internal.h"
#include "worker/math/vec.h"

#include <math.h>
#include <string.h>

/* Does it come with its back to that, rather than as it is turned? */
static bool wall_turns(const planner *p,
                       const builtin_move *move,
                       uint32_t object)
{
    const builtin_object *o = &p->facts->objects[object];
    double front[2];
    if (move->reference >= p->facts->object_count ||
        !builtin_is_wall(&p->facts->objects[move->reference]))
        return false;
    bool large = builtin_half_longer(o) > 0.15 && o->half[2] > 0.2;
    bool back = move->facing == FACING_BACK && move->faced == move->reference;
    bool known = back || builtin_front_of(p->facts, object, front);
    const bool may_turn = back || move->facing == FACING_NONE;
    return large && known && may_turn;
}

/* Out of the wall, to the side where the thing is; unit. */
static void wall_way_out(const builtin_object *wall,
                         const builtin_object *o,
                         double ret[2])
{
    bool thin_along = wall->half[1] <= wall->half[0];
    ret[0] = thin_along ? wall->heading[0] : -wall->heading[1];
    ret[1] = thin_along ? wall->heading[1] : wall->heading[0];
    double side = (o->centre[0] - wall->centre[0]) * ret[0] +
                  (o->centre[1] - wall->centre[1]) * ret[1];
    for (int k = 0; k < 2 && side < 0; k++)
        ret[k] = -ret[k];
}

/* Places where it stands turned so that its front points `way`. */
static etna_code seek_standing_to(const planner *p,
                                  const builtin_move *move,
                                  uint32_t object,
                                  const double way[2],
                                  plan_list *list)
{
    planner turned;
    builtin_facts facts;
    etna_code code = seek_as_turned(p, object, way, &turned, &facts);
    const uint32_t before = list->count;
    builtin_move there = *move;
    if (code != ETNA_OK)
        return code;
    there.has_yaw = true;
    there.yaw_deg = facts.objects[object].yaw_deg;
    code = seek_standing(&turned, &there, object, NULL, 0, list);
    for (uint32_t i = before; i < list->count; i++) {
        list->items[i].exact.has_yaw = true;
        list->items[i].exact.yaw_deg = there.yaw_deg;
    }
    seek_drop_refused(p, list, before);
    return code;
}

/* Places where it stands turned as the move says, for its footprint is another
 * then. */
etna_code seek_turned_as_said(const planner *p,
                              const builtin_move *move,
                              uint32_t object,
                              plan_list *list)
{
    double front[2], sine, cosine;
    builtin_front_of(p->facts, object, front);
    math_sincos((move->yaw_deg - p->facts->objects[object].yaw_deg) * MATH_PI /
                    180,
                &sine, &cosine);
    const double way[2] = {cosine * front[0] - sine * front[1],
                           sine * front[0] + cosine * front[1]};
    return seek_standing_to(p, move, object, way, list);
}

/* Where its front points when it stands against the wall: out into the room; of
 * what is far longer than broad, as a bicycle is and no bed, along the wall. */
static void wall_front_way(const planner *p,
                           uint32_t wall,
                           uint32_t object,
                           double ret[2])
{
    const double longer = 1.8;
    const builtin_object *o = &p->facts->objects[object];
    double front[2];
    wall_way_out(&p->facts->objects[wall], o, ret);
    builtin_front_of(p->facts, object, front);
    const double across[2] = {-front[1], front[0]};
    if (builtin_is_seat(o) ||
        builtin_extent(o, front) < longer * builtin_extent(o, across))
        return;
    /* of the two ways along it the one to which it turns less */
    const double out[2] = {ret[0], ret[1]};
    const double sign = out[0] * front[1] - out[1] * front[0] < 0 ? -1 : 1;
    ret[0] = -sign * out[1];
    ret[1] = sign * out[0];
}

/* With its back to the wall when that has a way out, else as it is turned. */
etna_code seek_against(const planner *p,
                       const builtin_move *move,
                       uint32_t object,
                       plan_list *list)
{
    double way[2];
    if (move->has_yaw)
        return seek_turned_as_said(p, move, object, list);
    if (!wall_turns(p, move, object))
        return ETNA_OK;
    wall_front_way(p, move->reference, object, way);
    return seek_standing_to(p, move, object, way, list);
}

/* The wall that some part of the move has the thing against; BUILTIN_NONE:
 * none. */
static uint32_t wall_named(const builtin_facts *facts, const builtin_move *move)
{
    uint32_t named =
        move->relation == RELATION_AGAINST ? move->reference : BUILTIN_NONE;
    for (uint32_t i = 0; i < move->also_count && named == BUILTIN_NONE; i++) {
        const builtin_condition *also = &move->also[i];
        if (also->relation == RELATION_AGAINST && !also->denied)
            named = also->reference;
    }
    const bool is_wall =
        named < facts->object_count && builtin_is_wall(&facts->objects[named]);
    return is_wall ? named : BUILTIN_NONE;
}

bool planner_back_to_wall(const planner *p,
                          const builtin_move *move,
                          uint32_t object,
                          double *ret_yaw)
{
    const uint32_t wall = wall_named(p->facts, move);
    const builtin_object *o = &p->facts->objects[object];
    if (wall == BUILTIN_NONE || move->has_yaw)
        return false;
    builtin_move against = *move;
    against.reference = wall;
    if (!wall_turns(p, &against, object))
        return false;
    double front[2], way[2];
    builtin_front_of(p->facts, object, front);
    wall_front_way(p, wall, object, way);
    *ret_yaw = o->yaw_deg + builtin_turn_between(front, way);
    return true;
}

/* Does it stand with its back to a wall, and come to the side of what does?
 * *ret_turn: degrees until it looks as that does; *ret_wall: that one's. */
static bool wall_is_shared(const planner *p,
                           const builtin_move *move,
                           uint32_t object,
                           uint32_t *ret_wall,
                           double *ret_turn)
{
    const builtin_facts *facts = p->facts;
    const bool aside = move->relation == RELATION_BESIDE ||
                       move->relation == RELATION_LEFT ||
                       move->relation == RELATION_RIGHT;
    double own[2], its[2];
    if (!aside || move->facing != FACING_NONE || move->has_yaw)
        return false;
    if (move->reference >= facts->object_count ||
        builtin_is_seat(&facts->objects[object]))
        return false;
    *ret_wall = builtin_wall_at_back(facts, move->reference, its);
    if (*ret_wall == BUILTIN_NONE ||
        builtin_wall_at_back(facts, object, own) == BUILTIN_NONE)
        return false;
    *ret_turn = builtin_turn_between(own, its);
    return true;
}

/* A wardrobe that comes beside a dresser has its back to the wall there, too.
 * Where that has no room, nothing is added. */
etna_code seek_along_wall(const planner *p,
                          const builtin_move *move,
                          uint32_t object,
                          plan_list *list)
{
    uint32_t wall = BUILTIN_NONE;
    double turn = 0;
    if (!wall_is_shared(p, move, object, &wall, &turn))
        return ETNA_OK;
    builtin_condition *also =
        etna_arena_alloc(p->talk->arena, move->also_count + 1u, sizeof *also);
    if (!also)
        return planner_no_memory(p);
    if (move->also_count > 0)
        memcpy(also, move->also, move->also_count * sizeof *also);
    also[move->also_count] = (builtin_condition){.relation = RELATION_AGAINST,
                                                 .reference = wall,
                                                 .second = BUILTIN_NONE,
                                                 .gap = -1};
    builtin_move there = *move;
    there.also = also;
    there.also_count++;
    builtin_facts facts;
    planner turned = *p;
    etna_code code =
        builtin_turned(p->facts, object, turn, p->talk->arena, &facts, p->err);
    if (code != ETNA_OK)
        return code;
    there.has_yaw = true;
    there.yaw_deg = facts.objects[object].yaw_deg;
    const uint32_t before = list->count;
    turned.facts = &facts;
    code = seek_standing(&turned, &there, object, NULL, 0, list);
    for (uint32_t i = before; i < list->count; i++) {
        list->items[i].exact.has_yaw = true;
        list->items[i].exact.yaw_deg = facts.objects[object].yaw_deg;
    }
    seek_drop_refused(p, list, before);
    return code;
}

bool seek_slides(const planner *p, const builtin_move *move, uint32_t object)
{
    const bool along =
        move->relation == RELATION_TOWARD || move->relation == RELATION_AWAY;
    return along && move->reference < p->facts->object_count &&
           builtin_hangs_on(p->facts, object) != BUILTIN_NONE;
}

/* Metres along its wall from its middle to the other's, and, in *ret_gap, from
 * its side to that one's; 0 where that is over or under it: a floor is nowhere
 * along a wall. */
static double slide_way(const planner *p,
                        uint32_t object,
                        uint32_t reference,
                        double *ret_gap)
{
    const uint32_t wall = builtin_hangs_on(p->facts, object);
    const double *const right = p->facts->walls[wall].right;
    const double *const at = p->facts->objects[object].centre;
    const builtin_object *const ref = &p->facts->objects[reference];
    const builtin_rect r = builtin_rect_of(ref);
    const builtin_rect point = {{at[0], at[1]}, {at[0], at[1]}};
    double end[3];
    *ret_gap = 0;
    if (builtin_is_ground(ref) || builtin_rects_meet(&r, &point))
        return 0;
    planner_way_end(p->facts, reference, at, end);
    const double way =
        (end[0] - at[0]) * right[0] + (end[1] - at[1]) * right[1];
    const double both = builtin_extent(&p->facts->objects[object], right) +
                        builtin_extent(ref, right);
    *ret_gap = way < 0 ? math_min(way + both, 0) : math_max(way - both, 0);
    return way;
}

/* Along its wall, where that leads nearer, or farther away: half of the way
 * first, and not past the side of what it comes near. */
void seek_slid(const planner *p,
               const builtin_move *move,
               uint32_t object,
               plan_list *list)
{
    static const double shares[] = {0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.1};
    const double least = 0.05; /* metres: else it is straight before it */
    const uint32_t wall = builtin_hangs_on(p->facts, object);
    const double *const right = p->facts->walls[wall].right;
    const double *const own = p->facts->objects[object].centre;
    const bool away = move->relation == RELATION_AWAY;
    double gap;
    double way = slide_way(p, object, move->reference, &gap);
    if (fabs(way) < least)
        return;
    if (!away && fabs(gap) >= least)
        way = gap;
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        const double far = (away ? -1 : 1) * shares[i] * way;
        const double to[3] = {own[0] + far * right[0], own[1] + far * right[1],
                              own[2]};
        if (planner_comes_along(p, move, object, to))
            seek_add_in_air(p, object, to, move, 0.02, list);
    }
}

/* Hooks on walls, the best first, each also with 2 cm of slack. */
etna_code seek_hung(const planner *p,
                    const builtin_move *move,
                    uint32_t object,
                    plan_list *list)
{
    const builtin_facts *facts = p->facts;
    const builtin_object *o = &facts->objects[object];
    const double(*avoid)[3] = NULL;
    uint32_t given_up = 0, count = 0;
    double height;
    if (move->relation == RELATION_LEVEL) {
        if (!builtin_aligned_height(facts, move, object, &height))
            return ETNA_OK;
        seek_add_in_air(p, object,
                        (double[3]){o->centre[0], o->centre[1], height}, move,
                        0.02, list);
        return ETNA_OK;
    }
    if (builtin_why_not_hung(facts, object))
        return ETNA_OK;
    builtin_hook hooks[BUILTIN_SPOTS_MAX];
    etna_code code = builtin_given_up(p->talk, "given_up_here", object, &avoid,
                                      &given_up, p->err);
    const builtin_hanging asked = {.move = move,
                                   .object = object,
                                   .avoid = avoid,
                                   .avoid_count = given_up,
                                   .without = BUILTIN_NONE};
    if (code == ETNA_OK)
        code =
            builtin_hooks(facts, &asked, p->talk->arena, hooks, &count, p->err);
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        plan next = planner_put(object, facts->walls[hooks[i].wall].object,
                                hooks[i].point, 0);
        next.exact.kind = EXACT_HANG;
        next.exact.yaw_deg = builtin_hang_yaw(facts, object, hooks[i].wall);
        next.exact.has_yaw =
            planner_yaw_apart(next.exact.yaw_deg, o->yaw_deg) > 0.1;
        seek_add(p, list, &next);
        next.exact.slack = 0.02;
        seek_add(p, list, &next);
    }
    return code;
}
