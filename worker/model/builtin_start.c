/* Who stands on whom, now and when the run began. What the file lets hover a hand's breadth over a thing stands on it
 * for anybody who looks at it: it is cleared with the rest, and not left in the air when the thing goes. Where the
 * checks are about support, they say themselves what hovers. */
#include "worker/model/builtin.h"

#include <math.h>
#include <string.h>

static const double hover = 0.05, thin = 0.02; /* metres: as far over a thing, and a carpet is none */

static double least(double a, double b) { return a < b ? a : b; }

static double most(double a, double b) { return a > b ? a : b; }

/* What a thing that nobody carries hovers over where its box stood at `centre`: the object of the highest surface just
 * below its middle, of those that can be moved and have not been. BUILTIN_NONE: over nothing. */
static uint32_t hovers_over(const builtin_facts *facts, uint32_t object, const double centre[3])
{
    double bottom = centre[2] - facts->objects[object].half[2], best = 0;
    uint32_t found = BUILTIN_NONE;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        const builtin_object *base = &facts->objects[s->object];
        double x = centre[0] - s->origin[0], y = centre[1] - s->origin[1];
        if (s->object == object || base->is_static || base->moved || 2 * base->half[2] < thin) continue;
        if (x < 0 || y < 0 || x > s->columns * s->cell || y > s->rows * s->cell) continue;
        if (s->height > bottom + 0.01 || s->height < bottom - hover || (found != BUILTIN_NONE && s->height <= best))
            continue;
        found = s->object;
        best = s->height;
    }
    return found;
}

/* `on` of all objects from their `by`. */
static etna_code turn_round(builtin_object *objects, uint32_t count, etna_arena *arena, etna_error *err)
{
    uint32_t total = 0, *first = etna_arena_alloc(arena, count + 1u, sizeof *first);
    for (uint32_t i = 0; i < count; i++) total += objects[i].by_count;
    uint32_t *on = etna_arena_alloc(arena, total + 1u, sizeof *on);
    if (!first || !on) return etna_fail(err, ETNA_E_NOMEM, "out of memory for who stands on whom");
    memset(first, 0, (count + 1u) * sizeof *first);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < objects[i].by_count; k++) first[objects[i].by[k] + 1]++;
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

etna_code builtin_facts_lay(builtin_facts *facts, etna_arena *arena, etna_error *err)
{
    uint32_t count = facts->object_count, laid = 0;
    builtin_object *objects = etna_arena_memdup(arena, facts->objects, count * sizeof *objects);
    uint32_t *over = etna_arena_alloc(arena, count + 1u, sizeof *over);
    if (!objects || !over) return etna_fail(err, ETNA_E_NOMEM, "out of memory for who stands on whom");
    for (uint32_t i = 0; i < count; i++) {
        builtin_object *o = &objects[i];
        bool nobody = !o->is_static && !o->attached && o->start_by_count == 0 && (o->hovering || o->moved);
        over[i] = nobody ? hovers_over(facts, i, o->start) : BUILTIN_NONE;
        if (over[i] == BUILTIN_NONE) continue;
        o->start_by = &over[i];
        o->start_by_count = 1;
        if (o->moved || o->by_count > 0) continue;
        o->by = o->start_by;
        o->by_count = 1;
        laid++;
    }
    facts->objects = objects;
    return laid > 0 ? turn_round(objects, count, arena, err) : ETNA_OK;
}

/* Around the box's corners; not visible when one of them lies behind the camera. */
static void find_image_box(const builtin_facts *facts, builtin_object *o)
{
    double box[4] = {1, 1, 0, 0};
    for (int i = 0; i < 8; i++) {
        double across = (i & 1 ? 1 : -1) * o->half[0], along = (i & 2 ? 1 : -1) * o->half[1], image[2];
        const double corner[3] = {o->centre[0] + along * o->heading[0] - across * o->heading[1],
                                  o->centre[1] + along * o->heading[1] + across * o->heading[0],
                                  o->centre[2] + (i & 4 ? 1 : -1) * o->half[2]};
        if (!builtin_project(facts, corner, image, NULL)) {
            o->visible = false;
            return;
        }
        for (int k = 0; k < 2; k++) {
            box[k] = least(box[k], most(image[k], 0));
            box[k + 2] = most(box[k + 2], least(image[k], 1));
        }
    }
    o->visible = box[0] < box[2] && box[1] < box[3];
    if (o->visible) memcpy(o->image_box, box, sizeof box);
}

etna_code builtin_facts_at_start(const builtin_facts *facts, etna_arena *arena, builtin_facts *ret, etna_error *err)
{
    uint32_t count = facts->object_count;
    builtin_object *objects = etna_arena_memdup(arena, facts->objects, count * sizeof *objects);
    if (!objects) return etna_fail(err, ETNA_E_NOMEM, "out of memory for the scene as it was");
    for (uint32_t i = 0; i < count; i++) {
        builtin_object *o = &objects[i];
        o->by = o->start_by;
        o->by_count = o->start_by_count;
        if (!o->moved) continue;
        memcpy(o->centre, o->start, sizeof o->centre);
        memcpy(o->heading, o->start_heading, sizeof o->heading);
        find_image_box(facts, o);
    }
    etna_code code = turn_round(objects, count, arena, err);
    if (code != ETNA_OK) return code;
    *ret = *facts;
    ret->objects = objects;
    return ETNA_OK;
}

bool builtin_stands_on(const builtin_facts *facts, uint32_t object, uint32_t by)
{
    const builtin_object *o = &facts->objects[object];
    for (uint32_t i = 0; i < o->by_count; i++) {
        if (o->by[i] == by) return true;
    }
    return false;
}

bool builtin_is_above(const builtin_facts *facts, uint32_t object, uint32_t base)
{
    for (uint32_t depth = 0; depth < 32; depth++) {
        if (builtin_stands_on(facts, object, base)) return true;
        if (facts->objects[object].by_count == 0) return false;
        object = facts->objects[object].by[0];
    }
    return false;
}
