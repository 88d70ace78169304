/* Who stands on whom, now and when the run began. What the file lets hover a
 * hand's breadth over a thing stands on it for anybody who looks at it: it is
 * cleared with the rest, and not left in the air when the thing goes. Where the
 * checks are about support, they say themselves what hovers. */
#include "worker/builtin/hang.h"
#include "worker/builtin/place/exact.h"
#include "worker/builtin/relation.h"
#include "worker/builtin/spot.h"
#include "worker/math/vec.h"

#include <jansson.h>

#include <math.h>
#include <string.h>

/* metres: so far over a thing hovers over it; a carpet is no thing, it is
 * thinner than this */
static const double hover = 0.05;
static const double thin = 0.02;

/* What a thing hovers over where its box stood at `centre`: the object of the
 * highest surface just below its middle, of those that can be moved, have not
 * been and are no thinner than `least`. BUILTIN_NONE: over nothing. */
static uint32_t hovers_over(const builtin_facts *facts,
                            uint32_t object,
                            const double centre[3],
                            double least)
{
    double bottom = centre[2] - facts->objects[object].half[2];
    double best = 0;
    uint32_t found = BUILTIN_NONE;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        const builtin_object *base = &facts->objects[s->object];
        bool is_fixed = base->is_static || base->moved;
        if (s->object == object || is_fixed || 2 * base->half[2] < least)
            continue;
        if (!builtin_spans(s, centre[0], centre[1]))
            continue;
        if (s->height > bottom + 0.01 || s->height < bottom - hover ||
            (found != BUILTIN_NONE && s->height <= best))
            continue;
        found = s->object;
        best = s->height;
    }
    return found;
}

/* Is it attached, and yet lies rather than hangs: flat, as a plate is in a pile
 * on a wall shelf that touches the wall, too? */
static bool lies_flat(const builtin_object *o)
{
    const double flat = 0.3; /* of its shorter side, as high as it is at most */
    return o->attached && !o->is_static && !o->moved &&
           o->half[2] <= flat * fmin(o->half[0], o->half[1]);
}

/* `on` of all objects from their `by`. */
static etna_code turn_round(builtin_object *objects,
                            uint32_t count,
                            etna_arena *arena,
                            etna_error *err)
{
    uint32_t total = 0;
    uint32_t *first = etna_arena_alloc(arena, count + 1u, sizeof *first);
    for (uint32_t i = 0; i < count; i++)
        total += objects[i].by_count;
    uint32_t *on = etna_arena_alloc(arena, total + 1u, sizeof *on);
    if (!first || !on)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for who stands on whom");
    memset(first, 0, (count + 1u) * sizeof *first);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < objects[i].by_count; k++)
            first[objects[i].by[k] + 1]++;
    }
    for (uint32_t i = 0; i < count; i++) {
        first[i + 1] += first[i];
        objects[i].on = on + first[i];
        objects[i].on_count = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < objects[i].by_count; k++) {
            uint32_t by = objects[i].by[k];
            on[first[by] + objects[by].on_count++] = i;
        }
    }
    return ETNA_OK;
}

/* Does nobody carry it, as the facts tell it? */
static bool is_carried_by_nobody(const builtin_object *o)
{
    if (o->is_static || o->attached || o->start_by_count > 0)
        return false;
    return o->hovering || o->moved;
}

/* Is it attached, and yet stands rather than hangs: no picture or mirror, with
 * its foot within a hand of a fixed surface? An uneven floor touches a table at
 * one leg only, and a floor lamp by a wall of the same mesh touches both. */
static bool stands_askew(const builtin_facts *facts, uint32_t object)
{
    const builtin_object *o = &facts->objects[object];
    if (!o->attached || o->is_static || builtin_is_flat(o))
        return false;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        const bool is_fixed = facts->objects[s->object].is_static;
        if (is_fixed && fabs(s->height - builtin_foot(o)) <= hover &&
            builtin_spans(s, o->centre[0], o->centre[1]))
            return true;
    }
    return false;
}

/* Does any of what bears it, as the facts tell, do so from below? The wall that
 * a shelf hangs on bears it, too. */
static bool is_borne_from_below(const builtin_facts *facts,
                                const builtin_object *o)
{
    const double foot = o->start[2] - o->half[2];
    for (uint32_t i = 0; i < o->start_by_count; i++) {
        const builtin_object *base = &facts->objects[o->start_by[i]];
        const double top = base->start[2] + base->half[2];
        if (!base->is_static && fabs(top - foot) <= hover)
            return true;
    }
    return false;
}

/* What such a thing lies on that the facts do not tell. BUILTIN_NONE: nothing,
 * or they do. */
static uint32_t lies_over(const builtin_facts *facts, uint32_t object)
{
    const builtin_object *o = &facts->objects[object];
    if (!lies_flat(o) || is_borne_from_below(facts, o))
        return BUILTIN_NONE;
    return hovers_over(facts, object, o->start, 0);
}

/* Does it hang, of what is attached? */
static bool hangs_there(const builtin_facts *facts,
                        uint32_t object,
                        uint32_t over)
{
    const builtin_object *o = &facts->objects[object];
    const bool is_borne = over != BUILTIN_NONE || is_borne_from_below(facts, o);
    return o->attached && !stands_askew(facts, object) &&
           !(lies_flat(o) && is_borne);
}

/* ---- what lies in a vessel ---- */

/* Where a thing is, and what bears it there: now, or as the run began. */
typedef struct standing {
    const double *centre;
    const uint32_t *by;
    uint32_t by_count;
} standing;

static standing standing_of(const builtin_object *o, bool at_start)
{
    return at_start ? (standing){o->start, o->start_by, o->start_by_count}
                    : (standing){o->centre, o->by, o->by_count};
}

/* Is its middle over the vessel, and its foot below the rim of that? */
static bool lies_in(const builtin_facts *facts,
                    uint32_t object,
                    uint32_t vessel,
                    bool at_start)
{
    const double rim = 0.005; /* metres: a plate's */
    const builtin_object *o = &facts->objects[object];
    const builtin_object *v = &facts->objects[vessel];
    const double *at = standing_of(o, at_start).centre;
    const double *there = standing_of(v, at_start).centre;
    const builtin_rect inside = builtin_footprint(v, there[0], there[1], 0);
    for (int k = 0; k < 2; k++) {
        if (at[k] < inside.low[k] || at[k] > inside.high[k])
            return false;
    }
    return at[2] - o->half[2] < there[2] + v->half[2] - rim;
}

static bool standing_has(const standing *s, uint32_t by)
{
    for (uint32_t i = 0; i < s->by_count; i++) {
        if (s->by[i] == by)
            return true;
    }
    return false;
}

/* Does it reach that only through the bottom of a vessel that it lies in? */
static bool reaches_through_vessel(const builtin_facts *facts,
                                   uint32_t object,
                                   uint32_t by,
                                   bool at_start)
{
    const standing own = standing_of(&facts->objects[object], at_start);
    for (uint32_t i = 0; i < own.by_count; i++) {
        const uint32_t vessel = own.by[i];
        const standing its = standing_of(&facts->objects[vessel], at_start);
        if (vessel != by && standing_has(&its, by) &&
            !standing_has(&its, object) &&
            lies_in(facts, object, vessel, at_start))
            return true;
    }
    return false;
}

/* What bears it but for what bears the vessel that it lies in: the bottom of a
 * bowl is so thin that the table is within reach, too. */
static etna_code bearers_keep_nearest(const builtin_facts *facts,
                                      uint32_t object,
                                      bool at_start,
                                      etna_arena *arena,
                                      etna_error *err,
                                      standing *ret)
{
    const standing all = standing_of(&facts->objects[object], at_start);
    uint32_t *kept = NULL;
    uint32_t count = 0;
    *ret = all;
    if (all.by_count < 2)
        return ETNA_OK;
    kept = etna_arena_alloc(arena, all.by_count, sizeof *kept);
    if (!kept)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for who stands on whom");
    for (uint32_t i = 0; i < all.by_count; i++) {
        if (!reaches_through_vessel(facts, object, all.by[i], at_start))
            kept[count++] = all.by[i];
    }
    ret->by = kept;
    ret->by_count = count;
    return ETNA_OK;
}

/* Of all things in `objects`, a copy of the facts' own; *ret_fewer: some have
 * fewer. */
static etna_code bearers_part(const builtin_facts *facts,
                              builtin_object *objects,
                              etna_arena *arena,
                              etna_error *err,
                              bool *ret_fewer)
{
    *ret_fewer = false;
    for (uint32_t i = 0; i < facts->object_count; i++) {
        builtin_object *o = &objects[i];
        standing now, start;
        etna_code code =
            bearers_keep_nearest(facts, i, false, arena, err, &now);
        if (code == ETNA_OK)
            code = bearers_keep_nearest(facts, i, true, arena, err, &start);
        if (code != ETNA_OK)
            return code;
        *ret_fewer = *ret_fewer || now.by_count < o->by_count;
        o->by = now.by;
        o->by_count = now.by_count;
        o->start_by = start.by;
        o->start_by_count = start.by_count;
    }
    return ETNA_OK;
}

/* What hovers closely over a thing counts as standing on it: real files have
 * such gaps. What lies in a bowl stands on that alone. */
etna_code builtin_facts_lay(builtin_facts *facts,
                            etna_arena *arena,
                            etna_error *err)
{
    uint32_t count = facts->object_count;
    uint32_t laid = 0;
    bool fewer = false;
    builtin_object *objects =
        etna_arena_memdup(arena, facts->objects, count * sizeof *objects);
    uint32_t *over = etna_arena_alloc(arena, count + 1u, sizeof *over);
    if (!objects || !over)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for who stands on whom");
    const etna_code code = bearers_part(facts, objects, arena, err, &fewer);
    if (code != ETNA_OK)
        return code;
    for (uint32_t i = 0; i < count; i++) {
        builtin_object *o = &objects[i];
        over[i] = lies_over(facts, i);
        o->attached = hangs_there(facts, i, over[i]);
        if (over[i] == BUILTIN_NONE && is_carried_by_nobody(o))
            over[i] = hovers_over(facts, i, o->start, thin);
        if (over[i] == BUILTIN_NONE)
            continue;
        o->start_by = &over[i];
        o->start_by_count = 1;
        if (o->moved || o->by_count > 0)
            continue;
        o->by = o->start_by;
        o->by_count = 1;
        laid++;
    }
    facts->objects = objects;
    return laid > 0 || fewer ? turn_round(objects, count, arena, err) : ETNA_OK;
}

/* Around the box's corners; not visible when one of them lies behind the
 * camera. */
static void find_image_box(const builtin_facts *facts, builtin_object *o)
{
    double box[4] = {1, 1, 0, 0};
    for (int i = 0; i < 8; i++) {
        double across = (i & 1 ? 1 : -1) * o->half[0];
        double along = (i & 2 ? 1 : -1) * o->half[1];
        double image[2];
        const double corner[3] = {
            o->centre[0] + along * o->heading[0] - across * o->heading[1],
            o->centre[1] + along * o->heading[1] + across * o->heading[0],
            o->centre[2] + (i & 4 ? 1 : -1) * o->half[2]};
        if (!builtin_project(facts, corner, image, NULL)) {
            o->visible = false;
            return;
        }
        for (int k = 0; k < 2; k++) {
            box[k] = math_min(box[k], math_max(image[k], 0));
            box[k + 2] = math_max(box[k + 2], math_min(image[k], 1));
        }
    }
    o->visible = box[0] < box[2] && box[1] < box[3];
    if (o->visible)
        memcpy(o->image_box, box, sizeof box);
}

/* Degrees, from how it looks now. */
static double yaw_of(const builtin_facts *facts,
                     const builtin_object *o,
                     uint32_t index)
{
    const builtin_object *now = &facts->objects[index];
    return now->yaw_deg + builtin_turn_between(now->heading, o->heading);
}

/* The front that it has now, turned as the thing was. */
static void find_front_then(const builtin_facts *facts,
                            uint32_t index,
                            builtin_object *then)
{
    double front[2];
    double sine, cosine;
    if (then->has_front)
        return;
    then->had_no_front = !builtin_front_of(facts, index, front);
    if (then->had_no_front)
        return;
    math_sincos(
        builtin_turn_between(facts->objects[index].heading, then->heading) *
            MATH_PI / 180,
        &sine, &cosine);
    then->had_front = true;
    then->front_then[0] = cosine * front[0] - sine * front[1];
    then->front_then[1] = sine * front[0] + cosine * front[1];
}

/* The scene as the run found it: "where it was" and "the one that stood on the
 * desk" are read in it. */
etna_code builtin_facts_at_start(const builtin_facts *facts,
                                 etna_arena *arena,
                                 builtin_facts *ret,
                                 etna_error *err)
{
    uint32_t count = facts->object_count;
    builtin_object *objects =
        etna_arena_memdup(arena, facts->objects, count * sizeof *objects);
    if (!objects)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for the scene as it was");
    for (uint32_t i = 0; i < count; i++) {
        builtin_object *o = &objects[i];
        o->by = o->start_by;
        o->by_count = o->start_by_count;
        if (!o->moved)
            continue;
        memcpy(o->centre, o->start, sizeof o->centre);
        memcpy(o->heading, o->start_heading, sizeof o->heading);
        o->yaw_deg = yaw_of(facts, o, i);
        find_front_then(facts, i, o);
        find_image_box(facts, o);
    }
    etna_code code = turn_round(objects, count, arena, err);
    if (code != ETNA_OK)
        return code;
    *ret = *facts;
    ret->objects = objects;
    return ETNA_OK;
}

/* ---- the scene between two edits ---- */

/* From 1; a goal is one item. */
uint32_t builtin_edit_item(const json_t *row, bool in_list)
{
    const json_t *told = json_object_get(row, "item");
    json_int_t item =
        json_integer_value(told ? told : json_object_get(row, "step"));
    return in_list && item > 0 && item < 1000000 ? (uint32_t)item : 1;
}

/* For rows of a list. */
static uint32_t item_in_list(const json_t *row)
{
    return builtin_edit_item(row, true);
}

/* BUILTIN_NONE: there is none. */
static uint32_t object_named(const builtin_facts *facts, const char *name)
{
    for (uint32_t i = 0; name && i < facts->object_count; i++) {
        if (strcmp(facts->objects[i].name, name) == 0)
            return i;
    }
    return BUILTIN_NONE;
}

/* What an edit put its thing on: whose plane it was. */
static uint32_t support_in(const builtin_facts *facts, const json_t *row)
{
    const char *plane = json_string_value(json_object_get(row, "plane"));
    uint32_t named = object_named(facts, plane);
    for (uint32_t i = 0;
         plane && named == BUILTIN_NONE && i < facts->surface_count; i++) {
        if (strcmp(facts->surfaces[i].plane, plane) == 0)
            named = facts->surfaces[i].object;
    }
    return named;
}

/* Moves a thing and its load as an edit's row says. */
static void replay_edit(const builtin_facts *facts,
                        builtin_facts *then,
                        builtin_object *objects,
                        const json_t *row,
                        uint32_t *carrier)
{
    uint32_t moved =
        object_named(facts, json_string_value(json_object_get(row, "object")));
    const json_t *position = json_object_get(row, "position");
    if (moved == BUILTIN_NONE || json_array_size(position) != 3)
        return;
    builtin_object *o = &objects[moved];
    const double old[3] = {o->centre[0], o->centre[1], o->centre[2]};
    double yaw = json_number_value(json_object_get(row, "yaw_deg"));
    double turn = yaw - o->yaw_deg;
    double to[3];
    for (size_t k = 0; k < 3; k++)
        to[k] = json_number_value(json_array_get(position, k));
    for (uint32_t i = 0; i < facts->object_count; i++) {
        builtin_object *load = &objects[i];
        if (i != moved &&
            (load->is_static || !builtin_is_above(then, i, moved)))
            continue;
        const builtin_object upright = {.heading = {1, 0}};
        double x = load->centre[0] - old[0];
        double y = load->centre[1] - old[1];
        double way[2], heading[2];
        builtin_heading_at(&upright, turn, way);
        builtin_heading_at(load, load->yaw_deg + turn, heading);
        load->centre[0] = to[0] + way[0] * x - way[1] * y;
        load->centre[1] = to[1] + way[1] * x + way[0] * y;
        load->centre[2] += to[2] - old[2];
        load->yaw_deg += turn;
        memcpy(load->heading, heading, sizeof heading);
        const double front[2] = {load->front_then[0], load->front_then[1]};
        load->front_then[0] = way[0] * front[0] - way[1] * front[1];
        load->front_then[1] = way[1] * front[0] + way[0] * front[1];
        find_image_box(facts, load);
    }
    uint32_t by = support_in(facts, row);
    carrier[moved] = by;
    o->by = &carrier[moved];
    o->by_count = by != BUILTIN_NONE;
}

/* As it was when the given item of the list began: earlier edits are replayed,
 * later ones undone. */
etna_code builtin_facts_before(const builtin_facts *facts,
                               const json_t *edits,
                               uint32_t item,
                               etna_arena *arena,
                               builtin_facts *ret,
                               etna_error *err)
{
    bool any = false;
    for (size_t i = 0; i < json_array_size(edits); i++)
        any = any || item_in_list(json_array_get(edits, i)) >= item;
    *ret = *facts;
    if (!any)
        return ETNA_OK;
    uint32_t count = facts->object_count;
    uint32_t *carrier = etna_arena_alloc(arena, count + 1u, sizeof *carrier);
    etna_code code = carrier
                         ? builtin_facts_at_start(facts, arena, ret, err)
                         : etna_fail(err, ETNA_E_NOMEM,
                                     "out of memory for the scene as it was");
    if (code != ETNA_OK)
        return code;
    builtin_object *objects =
        etna_arena_memdup(arena, ret->objects, count * sizeof *objects);
    if (!objects)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for the scene as it was");
    ret->objects = objects;
    for (size_t i = 0; i < json_array_size(edits); i++) {
        const json_t *row = json_array_get(edits, i);
        if (item_in_list(row) < item)
            replay_edit(facts, ret, objects, row, carrier);
    }
    return turn_round(objects, count, arena, err);
}

/* By the maps, for what no check says what it stands on. */
uint32_t builtin_support_below(const builtin_facts *facts,
                               uint32_t object,
                               const builtin_object *o)
{
    /* metres: of what is as near as 3 cm to that, some is above a foot that
     * sinks into a rug, more below one that hovers */
    const double lower = 0.015;
    const double bottom[3] = {o->centre[0], o->centre[1],
                              builtin_foot(o) - lower};
    const uint32_t surface = builtin_surface_under(facts, bottom, object);
    return surface == BUILTIN_NONE ? BUILTIN_NONE
                                   : facts->surfaces[surface].object;
}

/* Some things back at given poses, and everything else as it is. */
etna_code builtin_facts_put_back(const builtin_facts *facts,
                                 const json_t *rows,
                                 etna_arena *arena,
                                 builtin_facts *ret,
                                 etna_error *err)
{
    const uint32_t count = facts->object_count;
    uint32_t *carrier = etna_arena_alloc(arena, count + 1u, sizeof *carrier);
    builtin_object *objects =
        etna_arena_memdup(arena, facts->objects, count * sizeof *objects);
    if (!carrier || !objects)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for the scene as it was");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const json_t *position = json_object_get(row, "position");
        const uint32_t moved = object_named(
            facts, json_string_value(json_object_get(row, "object")));
        const double yaw = json_number_value(json_object_get(row, "yaw_deg"));
        if (moved == BUILTIN_NONE || json_array_size(position) != 3)
            continue;
        builtin_object *o = &objects[moved];
        for (size_t k = 0; k < 3; k++)
            o->centre[k] = json_number_value(json_array_get(position, k));
        builtin_heading_at(&facts->objects[moved], yaw, o->heading);
        o->yaw_deg = yaw;
        find_image_box(facts, o);
        carrier[moved] = builtin_support_below(facts, moved, o);
        o->by = &carrier[moved];
        o->by_count = carrier[moved] != BUILTIN_NONE;
    }
    *ret = *facts;
    ret->objects = objects;
    return turn_round(objects, count, arena, err);
}

/* Marks what is elsewhere than it was earlier. */
etna_code builtin_facts_tell_earlier(builtin_facts *facts,
                                     const builtin_facts *earlier,
                                     etna_arena *arena,
                                     etna_error *err)
{
    const double same = 1e-3, same_deg = 0.5; /* metres, degrees */
    builtin_object *objects = etna_arena_memdup(
        arena, facts->objects, facts->object_count * sizeof *objects);
    if (!objects)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for the scene as it was");
    for (uint32_t i = 0; i < facts->object_count; i++) {
        builtin_object *o = &objects[i];
        const builtin_object *old = &earlier->objects[i];
        const double turn = builtin_turn_between(old->heading, o->heading);
        bool moved = turn > same_deg && turn < 360 - same_deg;
        for (int k = 0; k < 3; k++)
            moved = moved || fabs(o->centre[k] - old->centre[k]) > same;
        o->was_elsewhere = moved;
        memcpy(o->earlier, old->centre, sizeof o->earlier);
        o->earlier_yaw_deg = old->yaw_deg;
    }
    facts->objects = objects;
    return ETNA_OK;
}

/* Directly. */
bool builtin_stands_on(const builtin_facts *facts, uint32_t object, uint32_t by)
{
    const builtin_object *o = &facts->objects[object];
    for (uint32_t i = 0; i < o->by_count; i++) {
        if (o->by[i] == by)
            return true;
    }
    return false;
}

/* Through what is between, at most 32 levels. */
bool builtin_is_above(const builtin_facts *facts,
                      uint32_t object,
                      uint32_t base)
{
    for (uint32_t depth = 0; depth < 32; depth++) {
        if (builtin_stands_on(facts, object, base))
            return true;
        if (facts->objects[object].by_count == 0)
            return false;
        object = facts->objects[object].by[0];
    }
    return false;
}
