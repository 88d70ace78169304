/* Making room on the same thing: what stands there moves over before anything
 * is put elsewhere. */
#include "worker/builtin/plan/planner_internal.h"

#include <math.h>
#include <string.h>

/* Has `object` a place as asked on the reference once `blocker` stands at the
 * spot? The move may speak of the blocker itself: beside it is where it stands
 * then. */
static etna_code over_leaves_room(const planner *p,
                                  const builtin_move *move,
                                  uint32_t object,
                                  uint32_t blocker,
                                  const builtin_spot *spot,
                                  bool *ret_room)
{
    const double apart = 0.01; /* metres between the two */
    etna_arena scratch = ETNA_ARENA_INIT;
    builtin_facts then = *p->facts;
    builtin_object *objects = etna_arena_memdup(
        &scratch, then.objects, then.object_count * sizeof *objects);
    *ret_room = false;
    if (!objects)
        return planner_no_memory(p);
    memcpy(objects[blocker].centre, spot->point, 2 * sizeof *spot->point);
    then.objects = objects;
    const builtin_rect taken = builtin_footprint(
        &objects[blocker], spot->point[0], spot->point[1], apart);
    const builtin_wish wish = {.object = object,
                               .reference = then.surfaces[spot->surface].object,
                               .taste = TASTE_TIGHT,
                               .taken = &taken,
                               .taken_count = 1,
                               .move = move,
                               .ignored = &blocker,
                               .ignored_count = 1};
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    uint32_t count = 0;
    etna_code code = builtin_spots(&then, &wish, spots, &count, p->err);
    etna_arena_free(&scratch);
    *ret_room = code == ETNA_OK && count > 0 && !spots[0].centre_only;
    return code;
}

static bool over_is_beside(builtin_relation relation)
{
    return (relation >= RELATION_BESIDE && relation <= RELATION_BETWEEN) ||
           relation == RELATION_END;
}

/* May it be moved over where it stands? What stands in the room is no neighbour
 * that gives way: a stove stays. */
static bool over_may_move(const planner *p,
                          uint32_t object,
                          uint32_t base,
                          bool on_floor)
{
    const builtin_object *b = &p->facts->objects[base];
    if (b->is_static && !builtin_is_bearer(b) && !on_floor)
        return false;
    if (object >= p->facts->object_count || planner_will_move(p, object))
        return false;
    const builtin_object *o = &p->facts->objects[object];
    return !o->is_static && !o->immovable &&
           builtin_stands_on(p->facts, object, base);
}

/* Of the things that a part of a move says the place is beside, those that may
 * move over; *ret_count has room for them. */
static void over_add(const planner *p,
                     const builtin_move *part,
                     uint32_t object,
                     uint32_t base,
                     uint32_t ret[NEIGHBOURS_MAX],
                     uint32_t *ret_count)
{
    const uint32_t named[2] = {part->reference, part->second};
    const bool between = part->relation == RELATION_BETWEEN;
    /* one of the two whose side is meant would change that side */
    if (!between && part->second < p->facts->object_count)
        return;
    const int count = between ? 2 : 1;
    for (int i = 0; i < count && over_is_beside(part->relation); i++) {
        /* of furniture only what is no heavier parts for it */
        const bool on_floor = between && named[i] < p->facts->object_count &&
                              !planner_outweighs(p, named[i], object);
        if (*ret_count < NEIGHBOURS_MAX &&
            over_may_move(p, named[i], base, on_floor))
            ret[(*ret_count)++] = named[i];
    }
}

uint32_t planner_neighbours(const planner *p,
                            const builtin_move *move,
                            uint32_t object,
                            uint32_t base,
                            uint32_t ret[NEIGHBOURS_MAX])
{
    uint32_t count = 0;
    over_add(p, move, object, base, ret, &count);
    for (uint32_t i = 0; i < move->also_count; i++) {
        const builtin_move part = builtin_condition_move(move, &move->also[i]);
        if (!move->also[i].denied)
            over_add(p, &part, object, base, ret, &count);
    }
    return count;
}

typedef struct over { /* a place that the blocker moves over to */
    const planner *p;
    const builtin_move *move;
    uint32_t object, blocker, reference;
    double nearest; /* metres of way, or how far it may go at most */
    plan best;
} over;

/* Keeps the nearest place of those that the wish finds on the same board, from
 * which the thing has room. */
static etna_code over_look(over *o, const builtin_wish *wish)
{
    const double slack = 0.01;
    const builtin_object *b = &o->p->facts->objects[o->blocker];
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    uint32_t count = 0;
    etna_code code = builtin_spots(o->p->facts, wish, spots, &count, o->p->err);
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        const double *to = spots[i].point;
        const double dx = to[0] - b->centre[0];
        const double dy = to[1] - b->centre[1];
        const double way = sqrt(dx * dx + dy * dy);
        bool same_board = fabs(to[2] - builtin_foot(b)) < 0.05;
        if (way >= o->nearest || !same_board || spots[i].centre_only)
            continue;
        const plan next =
            planner_put(o->blocker, o->reference,
                        (double[3]){to[0], to[1], to[2] + slack}, slack);
        bool has_room = false;
        if (planner_was_refused(o->p, &next))
            continue;
        code = over_leaves_room(o->p, o->move, o->object, o->blocker, &spots[i],
                                &has_room);
        if (!has_room)
            continue;
        o->nearest = way;
        o->best = next;
    }
    return code;
}

/* As far to each of its sides as the thing is long, and half as far: between
 * two that stand close it has a hand's breadth to go, and no more. */
static etna_code over_look_aside(over *o, builtin_wish wish)
{
    static const double steps[] = {0.5, 1}; /* of its length */
    const double apart = 0.03;              /* metres */
    const builtin_object *b = &o->p->facts->objects[o->blocker];
    const double length =
        2 * builtin_half_longer(&o->p->facts->objects[o->object]) + apart;
    etna_code code = ETNA_OK;
    wish.taste = TASTE_NEAR;
    for (int n = 0; n < 8 && code == ETNA_OK; n++) {
        const double way = (n & 1 ? -1 : 1) * steps[n >> 2] * length;
        const double along[2] = {n & 2 ? -b->heading[1] : b->heading[0],
                                 n & 2 ? b->heading[0] : b->heading[1]};
        for (int k = 0; k < 2; k++)
            wish.near[k] = b->centre[k] + way * along[k];
        code = over_look(o, &wish);
    }
    return code;
}

/* On a table anywhere; furniture on a floor only aside. */
static double over_farthest(const planner *p, uint32_t object, uint32_t base)
{
    const double aside = 0.4; /* metres more than the thing is long */
    return builtin_is_ground(&p->facts->objects[base])
               ? 2 * builtin_half_longer(&p->facts->objects[object]) + aside
               : INFINITY;
}

/* The nearest place on the same board for the blocker from which the thing
 * still has room. */
etna_code planner_move_over(const planner *p,
                            const builtin_move *move,
                            uint32_t object,
                            uint32_t blocker,
                            uint32_t reference,
                            bool is_neighbour,
                            plan *ret,
                            bool *ret_found)
{
    const builtin_object *b = &p->facts->objects[blocker];
    const builtin_wish wish = {
        .object = blocker, .reference = reference, .taste = TASTE_TIGHT};
    over o = {.p = p,
              .move = move,
              .object = object,
              .blocker = blocker,
              .reference = reference,
              .nearest = is_neighbour ? over_farthest(p, object, reference)
                                      : INFINITY};
    const double farthest = o.nearest;
    *ret_found = false;
    if (b->on_count > 0 || b->attached ||
        !builtin_stands_on(p->facts, blocker, reference))
        return ETNA_OK;
    etna_code code = over_look(&o, &wish);
    if (code == ETNA_OK && is_neighbour && o.nearest >= farthest)
        code = over_look_aside(&o, wish);
    *ret_found = code == ETNA_OK && o.nearest < farthest;
    if (*ret_found)
        *ret = o.best;
    return code;
}
