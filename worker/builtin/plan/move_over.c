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
static bool over_may_move(const planner *p, uint32_t object, uint32_t base)
{
    const builtin_object *b = &p->facts->objects[base];
    if (b->is_static && !builtin_is_bearer(b))
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
                     uint32_t base,
                     uint32_t ret[NEIGHBOURS_MAX],
                     uint32_t *ret_count)
{
    const uint32_t named[2] = {part->reference, part->second};
    const int count = part->relation == RELATION_BETWEEN ? 2 : 1;
    for (int i = 0; i < count && over_is_beside(part->relation); i++) {
        if (*ret_count < NEIGHBOURS_MAX && over_may_move(p, named[i], base))
            ret[(*ret_count)++] = named[i];
    }
}

uint32_t planner_neighbours(const planner *p,
                            const builtin_move *move,
                            uint32_t base,
                            uint32_t ret[NEIGHBOURS_MAX])
{
    uint32_t count = 0;
    over_add(p, move, base, ret, &count);
    for (uint32_t i = 0; i < move->also_count; i++) {
        const builtin_move part = builtin_condition_move(move, &move->also[i]);
        if (!move->also[i].denied)
            over_add(p, &part, base, ret, &count);
    }
    return count;
}

/* The nearest place on the same board for the blocker from which the thing
 * still has room. */
etna_code planner_move_over(const planner *p,
                            const builtin_move *move,
                            uint32_t object,
                            uint32_t blocker,
                            uint32_t reference,
                            plan *ret,
                            bool *ret_found)
{
    const double slack = 0.01;
    const builtin_object *b = &p->facts->objects[blocker];
    const builtin_wish wish = {
        .object = blocker, .reference = reference, .taste = TASTE_TIGHT};
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    uint32_t count = 0;
    double nearest = INFINITY;
    *ret_found = false;
    if (b->on_count > 0 || b->attached ||
        !builtin_stands_on(p->facts, blocker, reference))
        return ETNA_OK;
    etna_code code = builtin_spots(p->facts, &wish, spots, &count, p->err);
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        const double *to = spots[i].point;
        const double dx = to[0] - b->centre[0], dy = to[1] - b->centre[1],
                     way = sqrt(dx * dx + dy * dy);
        bool same_board = fabs(to[2] - builtin_foot(b)) < 0.05;
        if (way >= nearest || !same_board || spots[i].centre_only)
            continue;
        const plan over =
            planner_put(blocker, reference,
                        (double[3]){to[0], to[1], to[2] + slack}, slack);
        bool has_room = false;
        if (planner_was_refused(p, &over))
            continue;
        code = over_leaves_room(p, move, object, blocker, &spots[i], &has_room);
        if (!has_room)
            continue;
        nearest = way;
        *ret = over;
        *ret_found = true;
    }
    return code;
}
