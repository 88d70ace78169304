/* Places of one clause that qualify each other: "the pen on the book on the
 * notebook" is a pile, "the corner by the window" one corner. */
#include "worker/builtin/read/destination.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"

#include <math.h>

/* Does the destination say that it is on one known thing? */
static bool destination_is_bearer(const reader *r, const destination *d)
{
    return d->upon && bit_is_in(d->relation, RELATIONS_UPON) &&
           d->each.count == 0 && d->reference < r->facts->object_count;
}

/* May the one be piled onto the other? */
static bool object_may_be_piled(const reader *r, uint32_t above, uint32_t below)
{
    /* of footprints: what is below is hardly smaller */
    const double slack = 1.1;
    const builtin_object *o = object_at(r, above);
    if (o->is_static || o->immovable || object_is_furniture(r, above))
        return false;
    return above != below &&
           object_area(r, above) <= slack * object_area(r, below);
}

static bool destinations_are_pile(const reader *r, const destinations *list)
{
    if (list->count < 2)
        return false;
    for (uint32_t i = 0; i < list->count; i++) {
        if (!destination_is_bearer(r, &list->list[i]))
            return false;
    }
    for (uint32_t i = 0; i + 1 < list->count; i++) {
        if (!object_may_be_piled(r, list->list[i].reference,
                                 list->list[i + 1].reference))
            return false;
    }
    return true;
}

/* What is below is put there first; the clause's own things go on the first of
 * them. */
static etna_code pile_put(reader *r,
                          const builtin_move *plain,
                          destinations *list)
{
    for (uint32_t i = list->count - 1; i > 0; i--) {
        const destination *to = &list->list[i];
        uint32_t above = list->list[i - 1].reference;
        builtin_move m = *plain;
        if (builtin_stands_on(r->facts, above, to->reference))
            continue;
        m.objects = set_one(r, above);
        if (m.objects.count == 0)
            return reader_no_memory(r);
        m.relation = to->relation;
        m.reference = to->reference;
        m.level = to->level;
        if (r->reading->count == BUILTIN_MOVES_MAX)
            return reader_refuse(r, CODE_UNREAD, NULL,
                                 "it asks for more than %d moves",
                                 BUILTIN_MOVES_MAX);
        r->reading->moves[r->reading->count++] = m;
    }
    list->count = 1;
    return ETNA_OK;
}

/* Between two things, or two walls: what stands between a thing and a wall is
 * in no corner of the room. */
static bool destination_tells_corner(const reader *r, const destination *by)
{
    const uint32_t objects = r->facts->object_count;
    if (by->relation != RELATION_BETWEEN || by->reference >= objects ||
        by->second >= objects)
        return false;
    return object_is_wall_like(r, by->reference) ==
           object_is_wall_like(r, by->second);
}

/* What tells which corner is meant. */
typedef struct corner_hint {
    const destination *by;
    bool far;     /* away from it */
    bool there;   /* "the corner where the box stands" */
    bool between; /* of two things or two walls */
    bool aside;   /* left or right of it */
} corner_hint;

static corner_hint corner_hint_of(const reader *r, const destination *by)
{
    return (corner_hint){.by = by,
                         .far = by->relation == RELATION_AWAY,
                         .there = by->relation == RELATION_PLACE,
                         .between = destination_tells_corner(r, by),
                         .aside = by->relation == RELATION_LEFT ||
                                  by->relation == RELATION_RIGHT};
}

/* Is one thing named by which a corner can be told? */
static bool corner_hint_tells(const reader *r, const corner_hint *h)
{
    const builtin_relation relation = h->by->relation;
    const bool near =
        relation == RELATION_BESIDE || relation == RELATION_AGAINST;
    if (h->by->reference >= r->facts->object_count || h->by->each.count)
        return false;
    if (near || h->far || h->there)
        return true;
    return h->between || h->aside;
}

/* Of the four corners the one by the hint's thing, or away from it, as who
 * looks sees them; a bit SIDE_ each. */
static unsigned corner_sides(const reader *r,
                             const corner_hint *h,
                             const builtin_object *of)
{
    const builtin_object *o = object_at(r, h->by->reference);
    const builtin_object *other = h->between ? object_at(r, h->by->second) : o;
    double right[2], away[2], across = 0, along = 0;
    builtin_picture_axes(r->facts, right, away);
    for (int k = 0; k < 2; k++) {
        const double middle = (o->centre[k] + other->centre[k]) / 2;
        across += (middle - of->centre[k]) * right[k];
        along += (middle - of->centre[k]) * away[k];
    }
    const bool left =
        h->aside ? h->by->relation == RELATION_LEFT : (across < 0) != h->far;
    const bool front = (along < 0) != h->far;
    return (left ? SIDE_LEFT : SIDE_RIGHT) | (front ? SIDE_FRONT : SIDE_BACK);
}

/* A thing that may move does not tell a corner: both can be asked of the
 * place. */
static bool corner_hint_is_sure(const reader *r, const corner_hint *h)
{
    const bool is_static = object_at(r, h->by->reference)->is_static;
    return is_static || h->aside || h->there || h->between;
}

/* "in the corner by the door": of a room's corners the one that the other
 * phrase is about. */
void destinations_choose_corner(const reader *r, destinations *list)
{
    if (list->count != 2)
        return;
    const bool first = list->list[0].relation == RELATION_CORNER;
    const uint32_t floor = refer_floor(r->facts);
    destination corner = list->list[first ? 0 : 1];
    corner_hint hint = corner_hint_of(r, &list->list[first ? 1 : 0]);
    const bool told = corner.sides != 0 && !corner.guessed;
    /* several things in the one "behind the chair": rather the corner by that
     * than the one that is nearest to them */
    hint.there =
        hint.there || (corner.guessed && hint.by->relation == RELATION_BEHIND);
    if (corner.relation != RELATION_CORNER ||
        corner.reference >= r->facts->object_count)
        return;
    if (!corner_hint_tells(r, &hint) || (told && !hint.between))
        return;
    if (hint.there && corner.unowned && floor != BUILTIN_NONE)
        corner.reference = floor;
    if (!corner_hint_is_sure(r, &hint))
        return;
    if (!told)
        corner.sides = corner_sides(r, &hint, object_at(r, corner.reference));
    list->list[0] = corner;
    list->count = 1;
}

/* "Beside the bed, on the right-hand side": whose side, where no other thing
 * has it. */
static bool side_is_of(const reader *r,
                       const destination *edge,
                       const destination *beside)
{
    if (beside->reference == edge->reference)
        return true;
    if (!edge->unowned || !edge->is_side ||
        beside->reference >= r->facts->object_count)
        return false;
    return !object_is_wall_like(r, beside->reference);
}

/* "Beside the towels, on their left": which side of them, no place upon
 * them. */
static void side_choose(const reader *r, destinations *list)
{
    if (list->count != 2)
        return;
    const bool first = list->list[0].relation == RELATION_BESIDE;
    destination beside = list->list[first ? 0 : 1];
    const destination *edge = &list->list[first ? 1 : 0];
    bool same = side_is_of(r, edge, &beside) && beside.each.count == 0 &&
                edge->each.count == 0;
    if (beside.relation != RELATION_BESIDE || edge->relation != RELATION_EDGE ||
        !same)
        return;
    builtin_relation side = side_relation(edge->sides, RELATION_BESIDE);
    if (side == RELATION_BESIDE)
        return;
    beside.relation = side;
    list->list[0] = beside;
    list->count = 1;
}

/* "Against the wall opposite the rack": which wall that is is not found so.
 * ETNA_E_INPUT: the refusal. */
static etna_code destinations_check_across(reader *r, const destinations *list)
{
    if (list->count != 2 || list->list[0].across == list->list[1].across)
        return ETNA_OK;
    const destination *const at = &list->list[list->list[0].across ? 1 : 0];
    const bool wall = at->relation == RELATION_AGAINST &&
                      at->reference < r->facts->object_count &&
                      object_is_wall_like(r, at->reference);
    if (!wall)
        return ETNA_OK;
    return reader_refuse(r, CODE_UNMET, NULL,
                         "which wall that is is not clear");
}

/* "On the counter, in the left corner": of the counter, wherever the thing
 * stands now. */
static void zone_adopt(const reader *r, destinations *list)
{
    const uint32_t zones =
        BIT(RELATION_CORNER) | BIT(RELATION_EDGE) | BIT(RELATION_MIDDLE);
    if (list->count != 2)
        return;
    const bool first = bit_is_in(list->list[0].relation, zones);
    destination zone = list->list[first ? 0 : 1];
    const destination *on = &list->list[first ? 1 : 0];
    const bool is_on = on->relation == RELATION_ON && on->each.count == 0;
    if (!bit_is_in(zone.relation, zones) || !zone.unowned)
        return;
    if (!is_on || on->reference >= r->facts->object_count)
        return;
    if (object_is_ground(r, on->reference) ||
        builtin_is_covering(r->facts, on->reference))
        return;
    zone.reference = on->reference;
    zone.level = on->level;
    list->list[0] = zone;
    list->count = 1;
}

static bool destination_is_by(const reader *r, const destination *d)
{
    const uint32_t by =
        BIT(RELATION_BESIDE) | BIT(RELATION_AGAINST) | RELATIONS_SIDE;
    return bit_is_in(d->relation, by) && d->each.count == 0 &&
           d->reference < r->facts->object_count;
}

static bool destination_is_upon(const reader *r, const destination *d)
{
    const bool thing =
        d->reference < r->facts->object_count && d->each.count == 0;
    return thing && bit_is_in(d->relation, RELATIONS_UPON) &&
           !object_is_ground(r, d->reference);
}

/* By a move of this text. */
static bool object_has_moved(const reader *r, uint32_t object)
{
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        const builtin_set *set = &r->reading->moves[i].objects;
        for (uint32_t k = 0; k < set->count; k++) {
            if (set->objects[k] == object)
                return true;
        }
    }
    return false;
}

/* Is the thing so far from each corner of that as nothing beside it is in one?
 * Of floors the corners of the room. */
static bool corners_are_far(const reader *r,
                            const destination *corner,
                            uint32_t object)
{
    const double reach = 1.5; /* metres */
    const builtin_object *const floor = object_at(r, corner->reference);
    const builtin_object *const o = object_at(r, object);
    const double half = fmax(o->half[0], o->half[1]);
    const double across = fabs(o->centre[0] - floor->centre[0]);
    const double along = fabs(o->centre[1] - floor->centre[1]);
    const double way = hypot(floor->half[0] - across, floor->half[1] - along);
    return way - half > reach;
}

/* "Pull the chair in the corner up to the table": no table stands in a corner,
 * so that tells which chair. */
static void corner_weigh(reader *r, const destinations *list)
{
    enum {
        COST_OF_CORNER = 60
    };
    for (uint32_t i = 0; i < list->count * list->count; i++) {
        const destination *corner = &list->list[i / list->count];
        const destination *by = &list->list[i % list->count];
        const bool of_room = corner->relation == RELATION_CORNER &&
                             corner->reference < r->facts->object_count &&
                             object_is_ground(r, corner->reference);
        if (!of_room || by->relation != RELATION_BESIDE ||
            !destination_is_by(r, by) ||
            object_is_wall_like(r, by->reference) ||
            object_has_moved(r, by->reference) ||
            !corners_are_far(r, corner, by->reference))
            continue;
        r->cost += COST_OF_CORNER;
        r->strained = true;
    }
}

/* "On the nightstand by the plant, on the dresser": nothing on the dresser is
 * by the plant, so one of the two rather tells which thing is meant. */
static void destinations_weigh(reader *r, const destinations *list)
{
    const double reach = 1.2; /* metres */
    enum {
        COST_APART = 40
    };
    for (uint32_t i = 0; i < list->count * list->count; i++) {
        const destination *by = &list->list[i / list->count];
        const destination *upon = &list->list[i % list->count];
        if (!destination_is_by(r, by) || !destination_is_upon(r, upon) ||
            by->reference == upon->reference)
            continue;
        const bool apart =
            object_way(r, by->reference, upon->reference) > reach;
        const bool stand = !object_has_moved(r, by->reference) &&
                           !object_has_moved(r, upon->reference);
        if (!apart || !stand)
            continue;
        r->cost += COST_APART;
        r->strained = true;
    }
}

static bool destination_is_beside_hung(const reader *r, const destination *d)
{
    const uint32_t by = RELATIONS_ASIDE | BIT(RELATION_ABOVE) |
                        BIT(RELATION_UNDER) | BIT(RELATION_AGAINST);
    return bit_is_in(d->relation, by) &&
           d->reference < r->facts->object_count &&
           builtin_hangs_on(r->facts, d->reference) < r->facts->wall_count;
}

/* A thing of the room that it is by: no wall, and no floor. */
static bool destination_is_by_thing(const reader *r, const destination *d)
{
    const uint32_t by = RELATIONS_ASIDE | BIT(RELATION_UNDER);
    return bit_is_in(d->relation, by) &&
           d->reference < r->facts->object_count &&
           !object_is_ground(r, d->reference) &&
           !builtin_is_wall(object_at(r, d->reference));
}

/* Of the walls the one that is nearest to the object. */
static uint32_t wall_nearest(const reader *r, uint32_t wall, uint32_t object)
{
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        if (builtin_is_wall(object_at(r, i)) &&
            object_way(r, i, object) < object_way(r, wall, object))
            wall = i;
    }
    return wall;
}

/* "On the wall, next to the clock": the wall that the clock hangs on. "Against
 * the wall beside the plant": the one that the plant is nearest to. */
static void destinations_choose_wall(reader *r, destinations *list)
{
    for (uint32_t i = 0; i < list->count * list->count; i++) {
        const destination *by = &list->list[i / list->count];
        destination *on = &list->list[i % list->count];
        const uint32_t before = on->reference;
        if (!on->any_wall)
            continue;
        if (destination_is_beside_hung(r, by))
            on->reference =
                r->facts->walls[builtin_hangs_on(r->facts, by->reference)]
                    .object;
        else if (on->relation == RELATION_AGAINST &&
                 destination_is_by_thing(r, by))
            on->reference = wall_nearest(r, on->reference, by->reference);
        /* which is then "the wall" */
        if (r->memory.last_reference == before)
            r->memory.last_reference = on->reference;
    }
}

/* "Over the bed where the other picture was": that is the place, and over the
 * bed it is besides. */
static void destinations_choose_place(destinations *list)
{
    for (uint32_t i = 1;
         i < list->count && list->list[0].relation == RELATION_ABOVE; i++) {
        const destination over = list->list[0];
        if (list->list[i].relation != RELATION_PLACE)
            continue;
        list->list[0] = list->list[i];
        list->list[i] = over;
    }
}

etna_code destinations_chain(reader *r,
                             const builtin_move *plain,
                             destinations *list)
{
    destinations_choose_wall(r, list);
    destinations_choose_place(list);
    destinations_weigh(r, list);
    corner_weigh(r, list);
    destinations_choose_corner(r, list);
    etna_code code = destinations_check_across(r, list);
    if (code != ETNA_OK)
        return code;
    side_choose(r, list);
    zone_adopt(r, list);
    /* "under the bench, as far back as it goes": of what is not said */
    for (uint32_t i = 0; i < list->count && list->count > 1; i++) {
        if (list->list[i].furthest)
            return reader_refuse(r, CODE_UNREAD, NULL,
                                 "how far it is to go there is not clear");
    }
    return destinations_are_pile(r, list) ? pile_put(r, plain, list) : ETNA_OK;
}
