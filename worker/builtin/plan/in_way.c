/* What stands in the way of a place, and what could leave it: the planner moves
 * nothing that the goal speaks of, and nothing that would gain it no room. */
#include "proto/array.h"
#include "worker/builtin/plan/planner_internal.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* Does it stand where the goal wants it, having been moved there? Then it does
 * not make room for others. */
bool planner_is_settled(const planner *p, uint32_t object)
{
    for (uint32_t i = 0;
         i < p->reading.count && p->facts->objects[object].moved; i++) {
        const builtin_move *m = &p->reading.moves[i];
        for (uint32_t k = 0; k < m->objects.count; k++) {
            if (m->objects.objects[k] == object && planner_holds(p, m, object))
                return true;
        }
    }
    return false;
}

/* Does a move say where things are to be by that, or by what it carries? */
static bool way_is_named(const planner *p,
                         const builtin_move *move,
                         uint32_t other)
{
    const uint32_t named[2] = {move->reference, move->second};
    for (int i = 0; i < 2; i++) {
        if (named[i] < p->facts->object_count &&
            planner_is_above(p->facts, named[i], other))
            return true;
    }
    if (number_is_of(other, move->each.objects, move->each.count))
        return true;
    for (uint32_t i = 0; i < move->also_count; i++) {
        const uint32_t also = move->also[i].reference;
        if (also < p->facts->object_count &&
            planner_is_above(p->facts, also, other))
            return true;
    }
    return false;
}

/* Of its box, in cubic metres. A hollow thing counts as a full one: what decides
 * is how hard it would be to carry away. */
static double way_volume(const builtin_object *o)
{
    return 8 * o->half[0] * o->half[1] * o->half[2];
}

bool planner_outweighs(const planner *p, uint32_t other, uint32_t object)
{
    const double heavy = 0.25, times = 2.5; /* cubic metres, as large */
    const double volume = way_volume(&p->facts->objects[other]);
    return volume > heavy &&
           volume > times * way_volume(&p->facts->objects[object]);
}

/* Has the thing a place of its own to go to, now or once what that is told by
 * has moved? A candle to the left of the vase waits for the vase. */
static bool way_goes_later(const planner *p, uint32_t other)
{
    if (planner_will_move(p, other))
        return true;
    for (uint32_t i = 0; i < p->reading.count; i++) {
        const builtin_move *m = &p->reading.moves[i];
        if (number_is_of(other, m->objects.objects, m->objects.count) &&
            planner_waits(p, m))
            return true;
    }
    return false;
}

/* Does it hang from the ceiling, or hover as high: a lamp over the table? It has
 * no place among what stands, and makes no way for that. */
static bool way_hangs_high(const planner *p, uint32_t other)
{
    const double reach = 1; /* metres over what is below it */
    const builtin_facts *facts = p->facts;
    const builtin_object *o = &facts->objects[other];
    if (!(o->attached || o->hovering) ||
        builtin_hangs_on(facts, other) != BUILTIN_NONE)
        return false;
    double below = -INFINITY;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (facts->objects[s->object].is_static &&
            s->height < builtin_foot(o) &&
            builtin_spans(s, o->centre[0], o->centre[1]))
            below = fmax(below, s->height);
    }
    return !isinf(below) && builtin_foot(o) > below + reach;
}

/* Does a move name the thing, or move it while it does not go later anyway? */
static bool way_is_spoken_of(const planner *p, uint32_t other, bool goes)
{
    for (uint32_t i = 0; i < p->reading.count; i++) {
        const builtin_move *m = &p->reading.moves[i];
        if (way_is_named(p, m, other))
            return true;
        if (!goes && number_is_of(other, m->objects.objects, m->objects.count))
            return true;
    }
    return false;
}

/* Could the goal do without the thing where it stands? Not if it is spoken of,
 * or carries what is. */
bool planner_can_leave(const planner *p, uint32_t other, uint32_t object)
{
    const builtin_object *b = &p->facts->objects[other];
    if (b->is_static || b->immovable)
        return false;
    if (other == object || planner_is_above(p->facts, object, other))
        return false;
    bool stays = builtin_is_covering(p->facts, other) || p->served[other] ||
                 way_hangs_high(p, other);
    stays = stays || planner_outweighs(p, other, object);
    const bool goes = way_goes_later(p, other);
    if (stays && !goes)
        return false;
    return !way_is_spoken_of(p, other, goes);
}

/* Where those were that a thing is to be put in place of. */
static void way_wish_there(const planner *p,
                           const builtin_move *move,
                           builtin_wish *wish)
{
    wish->taste = TASTE_NEAR;
    for (uint32_t i = 0; i < move->there.count; i++) {
        const builtin_object *o = &p->facts->objects[move->there.objects[i]];
        for (int k = 0; k < 2; k++)
            wish->near[k] += o->start[k] / move->there.count;
    }
}

/* Looks through all that can leave, or only through those whose place it is to
 * take. */
static etna_code way_look(const planner *p,
                          builtin_wish *wish,
                          uint32_t *list,
                          bool all,
                          builtin_spot *spots,
                          uint32_t *ret_found)
{
    wish->ignored_count = 0;
    for (uint32_t i = 0; i < p->facts->object_count; i++) {
        bool is_asked = all || number_is_of(i, wish->move->there.objects,
                                            wish->move->there.count);
        if (is_asked && planner_can_leave(p, i, wish->object))
            list[wish->ignored_count++] = i;
    }
    wish->ignored_cost = all ? 2 : 0;
    return builtin_spots(p->facts, wish, spots, ret_found, p->err);
}

/* What stands in the chosen place, a pile as one: the lowest is the blocker. */
static void way_count(const planner *p,
                      const builtin_wish *wish,
                      planner_way *ret)
{
    for (uint32_t i = 0; i < wish->ignored_count; i++) {
        uint32_t one = wish->ignored[i];
        if (!builtin_is_in_the_way(p->facts, one, wish->object,
                                   ret->chosen.exact.at))
            continue;
        bool is_first = ret->count == 0;
        bool carries =
            !is_first && builtin_is_above(p->facts, ret->blocker, one);
        bool is_carried =
            !is_first && builtin_is_above(p->facts, one, ret->blocker);
        if (is_first || carries)
            ret->blocker = one;
        if (!carries && !is_carried)
            ret->count++;
    }
}

/* The best place of those that was not refused before, with what stands in
 * it. */
static etna_code way_search(const planner *p,
                            const builtin_move *move,
                            builtin_wish *wish,
                            uint32_t *list,
                            planner_way *ret,
                            bool *ret_found)
{
    const uint32_t object = wish->object;
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    uint32_t found = 0;
    etna_code code = ETNA_OK;
    if (move->there.count > 0) { /* rather without moving others */
        way_wish_there(p, move, wish);
        code = way_look(p, wish, list, false, spots, &found);
    }
    if (code == ETNA_OK && found == 0)
        code = way_look(p, wish, list, true, spots, &found);
    if (code != ETNA_OK)
        return code;
    for (uint32_t i = 0; i < found && !*ret_found; i++) {
        const double at[3] = {spots[i].point[0], spots[i].point[1],
                              spots[i].point[2] + 0.01};
        if (!planner_comes_along(p, move, object, at))
            continue;
        ret->chosen = planner_put(object, wish->reference, at, 0.05);
        planner_mark_into(move, &ret->chosen);
        ret->chosen.exact.has_yaw = p->facts == &ret->as_placed;
        ret->chosen.exact.yaw_deg = p->facts->objects[object].yaw_deg;
        *ret_found = !planner_was_refused(p, &ret->chosen);
    }
    if (*ret_found)
        way_count(p, wish, ret);
    return ETNA_OK;
}

/* The same with the thing turned by so many degrees. */
static etna_code way_search_turned(const planner *p,
                                   const builtin_move *move,
                                   double degrees,
                                   builtin_wish *wish,
                                   uint32_t *list,
                                   planner_way *ret,
                                   bool *ret_found)
{
    planner turned = *p;
    etna_code code = builtin_turned(p->facts, wish->object, degrees,
                                    p->talk->arena, &ret->as_placed, p->err);
    if (code != ETNA_OK)
        return code;
    turned.facts = &ret->as_placed;
    return way_search(&turned, move, wish, list, ret, ret_found);
}

/* A place that would be free if movable things went away, with the first that
 * has to go (blocker). Cheapest is one where least has to go (ignored_cost). A
 * long thing for the middle of a desk goes along it where it would stick out
 * across. */
etna_code planner_find_way(const planner *p,
                           const builtin_move *move,
                           uint32_t object,
                           uint32_t reference,
                           planner_way *ret,
                           bool *ret_found)
{
    const double straight = 1, quarter = 90; /* degrees */
    uint32_t *list = etna_arena_alloc(
        p->talk->arena, p->facts->object_count + 1u, sizeof *list);
    uint32_t given_up = 0;
    if (!list)
        return planner_no_memory(p);
    builtin_wish wish = {.object = object,
                         .reference = reference,
                         .taste = TASTE_ROOMY,
                         .move = move,
                         .ignored = list,
                         .ignored_cost = 2};
    *ret_found = false;
    *ret = (planner_way){.blocker = BUILTIN_NONE, .as_placed = *p->facts};
    etna_code code = builtin_given_up(p->talk, "given_up_here", object,
                                      &wish.avoid, &given_up, p->err);
    if (code != ETNA_OK)
        return code;
    wish.avoid_count = given_up;
    const double turn =
        move->has_yaw ? move->yaw_deg - p->facts->objects[object].yaw_deg : 0;
    const bool says_heading = move->has_yaw || move->facing != FACING_NONE;
    if (planner_yaw_apart(turn, 0) > straight)
        return way_search_turned(p, move, turn, &wish, list, ret, ret_found);
    code = way_search(p, move, &wish, list, ret, ret_found);
    if (code != ETNA_OK || *ret_found || says_heading)
        return code;
    return way_search_turned(p, move, quarter, &wish, list, ret, ret_found);
}

/* Could it stand there if nothing that can move did? */
static bool is_held_off(const planner *p,
                        uint32_t i,
                        uint32_t object,
                        uint32_t reference)
{
    const builtin_object *o = &p->facts->objects[i];
    const bool is_spoken_of = i == object || i == reference;
    if (is_spoken_of || o->is_static || o->immovable)
        return false;
    return planner_is_above(p->facts, i, reference);
}

/* A fixed thing is never too small, and where one goes that moves itself is not
 * known yet. */
static bool could_be_full(const planner *p, uint32_t reference)
{
    if (reference >= p->facts->object_count ||
        p->facts->objects[reference].is_static)
        return false;
    return !planner_will_move(p, reference);
}

/* Whether the reference would hold the thing if it were empty of what may be
 * moved: if not, clearing it would be in vain. */
etna_code planner_could_hold(const planner *p,
                             const builtin_move *move,
                             uint32_t object,
                             uint32_t reference,
                             bool *ret)
{
    *ret = true;
    if (!could_be_full(p, reference))
        return ETNA_OK;
    uint32_t *list = etna_arena_alloc(
        p->talk->arena, p->facts->object_count + 1u, sizeof *list);
    uint32_t found = 0;
    if (!list)
        return planner_no_memory(p);
    builtin_wish wish = {.object = object,
                         .reference = reference,
                         .taste = TASTE_ROOMY,
                         .move = move,
                         .ignored = list};
    for (uint32_t i = 0; i < p->facts->object_count; i++) {
        if (is_held_off(p, i, object, reference))
            list[wish.ignored_count++] = i;
    }
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    etna_code code = builtin_spots(p->facts, &wish, spots, &found, p->err);
    bool may_turn =
        move->relation == RELATION_ON && move->facing == FACING_NONE;
    wish.turned = code == ETNA_OK && found == 0 && may_turn;
    if (wish.turned)
        code = builtin_spots(p->facts, &wish, spots, &found, p->err);
    if (code == ETNA_OK)
        *ret = found > 0;
    return code;
}
