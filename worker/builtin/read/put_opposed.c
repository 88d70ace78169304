/* Opposite each other: two of them with nothing between, or as many at either
 * side of a thing, or of each of several. */
#include "worker/builtin/read/put_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/side.h"
#include "worker/builtin/read/trait.h"
#include "worker/builtin/relation.h"
#include "worker/builtin/spot.h"

#include <string.h>

static etna_code put_refuse_opposed(const put *p)
{
    return clause_refuse(
        p->c, "which are to be opposite each other, and where, is not clear");
}

/* "Two chairs at table 1", of those that sit there: the table. */
static const chart_node *put_opposed_told(const put *p)
{
    const chart_node *const mod =
        p->c->things ? chart_find(p->c->things, "MOD") : NULL;
    const chart_node *const rel = mod ? chart_find(mod, "REL") : NULL;
    return rel ? node_things(rel, 0) : NULL;
}

/* What says between whom they are: where they are put, what they face from
 * opposite sides, the table of the seats. NULL: nothing. */
static const chart_node *put_opposed_around(const put *p)
{
    const details *const d = p->d;
    const chart_node *const face =
        d->face && node_is(d->face, "FACE") && !put_faces_mutually(p)
            ? node_things(d->face, 0)
            : NULL;
    if (d->relation_count)
        return d->relations[0].what;
    return face ? face : put_opposed_told(p);
}

/* "At the table, facing each other" is at two of its sides, too. */
static bool put_faces_across(put *p)
{
    const refer_scope scope = refer_scope_place(p->movers);
    const bool seats = p->movers->need == 2 && p->d->relation_count == 1 &&
                       object_is_seat(p->r, p->movers->objects[0]);
    uint32_t at = BUILTIN_NONE;
    if (!seats || p->d->zone_count > 0 || !put_faces_mutually(p))
        return false;
    const condition *const by = &p->d->relations[0];
    const bool near = bit_is_in(by->relation, BIT(REL_AT) | BIT(REL_BESIDE) |
                                                  BIT(REL_TO) | BIT(REL_NEAR));
    return near && refer_peek_one(p->r, by->what, &scope, &at) == ETNA_OK &&
           put_is_object(p, at) && object_is_table(p->r, at);
}

/* ---- which of them at which thing ---- */

/* Metres; of a seat, where it looks counts, too. */
static double opposed_rank(const reader *r,
                           uint32_t object,
                           const void *context)
{
    const uint32_t *const at = context;
    return object_is_seat(r, object) ? seat_way(r, object, *at)
                                     : object_way(r, object, *at);
}

/* "On the table", of what is no seat: upon it. */
static builtin_relation put_opposed_relation(const put *p)
{
    const bool on = p->d->relation_count > 0 &&
                    p->d->relations[0].relation == REL_ON &&
                    !object_is_furniture(p->r, p->movers->objects[0]);
    return on ? RELATION_EDGE : RELATION_END;
}

/* Does the floor end before a chair has room at that side? */
static bool side_leaves_floor(const reader *r, uint32_t at, unsigned side)
{
    const double chair = 0.6; /* metres */
    const uint32_t floor = refer_floor(r->facts);
    const builtin_object *const o = object_at(r, at);
    double way[2];
    if (floor == BUILTIN_NONE)
        return false;
    const builtin_rect room = builtin_rect_of(object_at(r, floor));
    side_way(r, at, side, way);
    const double reach = builtin_extent(o, way) + chair;
    for (int k = 0; k < 2; k++) {
        const double end = o->centre[k] + reach * way[k];
        if (end < room.low[k] || end > room.high[k])
            return true;
    }
    return false;
}

/* Does a wall stand there? */
static bool side_meets_wall(const reader *r, uint32_t at, unsigned side)
{
    const double half = 0.3; /* metres, of a chair */
    const builtin_object *const o = object_at(r, at);
    double way[2];
    builtin_rect chair;
    side_way(r, at, side, way);
    const double out = builtin_extent(o, way) + half;
    for (int k = 0; k < 2; k++) {
        chair.low[k] = o->centre[k] + out * way[k] - half;
        chair.high[k] = o->centre[k] + out * way[k] + half;
    }
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const builtin_object *const wall = object_at(r, i);
        const builtin_rect its = builtin_rect_of(wall);
        if (builtin_is_wall(wall) && builtin_rects_meet(&chair, &its))
            return true;
    }
    return false;
}

static bool sides_leave_room(const reader *r,
                             uint32_t at,
                             const unsigned sides[2])
{
    for (int i = 0; i < 2; i++) {
        if (side_leaves_floor(r, at, sides[i]) ||
            side_meets_wall(r, at, sides[i]))
            return false;
    }
    return true;
}

/* Two stand at the ends of what is long, and where no room is there at its long
 * sides; where it is about as broad, at those sides where there is room. More
 * stand in rows along it. */
static void opposed_find_sides(const reader *r,
                               uint32_t at,
                               uint32_t number,
                               unsigned ret[2])
{
    const double oblong = 1.2;
    const builtin_object *const o = object_at(r, at);
    const bool is_long =
        builtin_half_longer(o) >= oblong * builtin_half_shorter(o);
    ret[0] = SIDE_LEFT;
    ret[1] = SIDE_RIGHT;
    if (number > 2)
        sides_long(r, at, ret);
    unsigned others[2] = {SIDE_FRONT, SIDE_BACK};
    if (is_long)
        sides_long(r, at, others);
    if ((is_long && number > 2) || sides_leave_room(r, at, ret) ||
        !sides_leave_room(r, at, others))
        return;
    memcpy(ret, others, sizeof others);
}

/* Half of `number` of them, the nearest, at each of two sides. */
static etna_code put_opposed_at(put *p,
                                builtin_set *free,
                                uint32_t at,
                                uint32_t number)
{
    unsigned sides[2];
    builtin_set some;
    uint32_t *const list =
        etna_arena_alloc(p->r->arena, free->count + 1u, sizeof *list);
    if (!list)
        return reader_no_memory(p->r);
    for (uint32_t i = 0; i < free->count; i++)
        list[i] = free->objects[i];
    set_sort(p->r, list, free->count, 0, opposed_rank, &at);
    opposed_find_sides(p->r, at, number, sides);
    etna_code code = set_of_first(p->r, list, number, &some);
    if (code == ETNA_OK)
        code = set_without(p->r, free, &some, free);
    if (code == ETNA_OK)
        code = put_share_sides(p, &some, put_opposed_relation(p), at, sides);
    return code;
}

/* How many at each of the things: "two chairs at each table". 0: no two sides
 * can have as many. */
static uint32_t put_opposed_number(const put *p,
                                   const chart_node *around,
                                   uint32_t places)
{
    const builtin_set *const movers = p->movers;
    const uint32_t said = phrase_number(p->c->things);
    const uint32_t each =
        phrase_is_each(around) && said > 0 ? said : movers->need / places;
    const bool even = each > 0 && each % 2 == 0;
    return even && each <= movers->count / places ? each : 0;
}

/* Shares them out among the things. */
static etna_code put_opposed_share(put *p,
                                   const chart_node *around,
                                   const builtin_set *at)
{
    builtin_set free = *p->movers;
    const uint32_t number = put_opposed_number(p, around, at->count);
    const bool all_meant = number * at->count == free.need ||
                           (phrase_is_each(around) && number > 0);
    if (number == 0 || !all_meant)
        return put_refuse_opposed(p);
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < at->count && code == ETNA_OK; i++)
        code = put_opposed_at(p, &free, at->objects[i], number);
    p->done = true;
    return code;
}

/* The second before the first, which stays. */
static etna_code put_opposed_alone(put *p)
{
    p->m.relation = RELATION_FRONT;
    p->m.reference = p->m.faced = p->movers->objects[0];
    p->m.facing = FACING_TO;
    p->m.objects = set_one(p->r, p->movers->objects[1]);
    const etna_code code = put_at_gap(p);
    return code == ETNA_OK ? put_end(p) : code;
}

bool clause_faces_apart(const clause *c)
{
    const chart_node *const to = c->d.face && node_is(c->d.face, "FACE")
                                     ? node_things(c->d.face, 0)
                                     : NULL;
    return to && phrase_is_pronoun(to, PRON_EACH_OTHER) && c->d.apart_by &&
           !c->d.row && c->movers.count == 2 && !details_have_places(&c->d);
}

etna_code put_opposed(put *p)
{
    const details *const d = p->d;
    if (!d->opposed && !put_faces_across(p) && !clause_faces_apart(p->c))
        return ETNA_OK;
    refer_scope scope = refer_scope_place(p->movers);
    const chart_node *const around = put_opposed_around(p);
    builtin_set at = {0};
    /* "face to face in front of the sofa" is at none of its sides */
    const bool aside =
        d->relation_count > 0 && bit_is_in(d->relations[0].relation, RELS_SIDE);
    if (d->zone_count > 0 || d->relation_count > 1 || aside)
        return put_refuse_opposed(p);
    scope.many = true;
    etna_code code = around ? refer_things(p->r, around, &scope, &at) : ETNA_OK;
    if (code != ETNA_OK)
        return code;
    if (at.count > 0 && at.need == at.count)
        return put_opposed_share(p, around, &at);
    if (d->relation_count > 0 || p->movers->count != 2)
        return put_refuse_opposed(p);
    return put_opposed_alone(p);
}
