/* What only had to make way goes back where that can be: once all that was
 * asked for holds, a bystander whose place is free again returns to it. Its
 * place must be free on the map as it is, for a favour must not cost what was
 * reached. */
#include "worker/builtin/plan/planner_internal.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* Edits of the thing, by whatever instruction. */
static uint32_t back_edits_of(const planner *p, uint32_t object)
{
    const json_t *rows = json_object_get(p->talk->task, "edits");
    uint32_t count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const char *name = json_string_value(
            json_object_get(json_array_get(rows, i), "object"));
        count += name && strcmp(name, p->facts->objects[object].name) == 0;
    }
    return count;
}

static void back_mark(const planner *p, uint32_t object)
{
    if (object < p->facts->object_count)
        p->served[object] = true;
}

static void back_mark_set(const planner *p, const builtin_set *set)
{
    for (uint32_t i = 0; i < set->count; i++)
        back_mark(p, set->objects[i]);
}

/* What the text names is where it should be, and does not go back. */
void planner_mark_spoken_of(const planner *p, const builtin_reading *reading)
{
    for (uint32_t i = 0; i < reading->count; i++) {
        const builtin_move *m = &reading->moves[i];
        back_mark_set(p, &m->objects);
        back_mark_set(p, &m->there);
        back_mark(p, m->reference);
        back_mark(p, m->second);
        back_mark(p, m->support);
        for (uint32_t k = 0; k < m->also_count; k++)
            back_mark(p, m->also[k].reference);
    }
}

/* Moved once, as a bystander, and standing elsewhere now? */
static bool back_is_away(const planner *p, uint32_t object)
{
    const double away = 0.05; /* metres */
    const builtin_object *o = &p->facts->objects[object];
    bool stands = o->by_count > 0 && !o->attached && !o->hovering;
    if (!o->moved || o->is_static || !stands)
        return false;
    const double dx = o->centre[0] - o->start[0];
    const double dy = o->centre[1] - o->start[1];
    const double dz = o->centre[2] - o->start[2];
    if (sqrt(dx * dx + dy * dy + dz * dz) <= away)
        return false;
    return back_edits_of(p, object) == 1 && !p->served[object];
}

/* Has something that is spoken of come over that place: a chair over the toys
 * on a rug? What lay there does not go back beneath it. */
static bool back_is_covered(const planner *p,
                            uint32_t object,
                            uint32_t base,
                            const double at[3])
{
    const double level = 0.1; /* metres: on the same floor or board */
    const builtin_rect own =
        builtin_footprint(&p->facts->objects[object], at[0], at[1], 0);
    for (uint32_t i = 0; i < p->facts->object_count; i++) {
        const builtin_object *o = &p->facts->objects[i];
        const builtin_rect its = builtin_rect_of(o);
        if (!o->moved || !p->served[i] || i == base)
            continue;
        if (planner_is_above(p->facts, base, i) ||
            planner_is_above(p->facts, i, object))
            continue;
        if (fabs(builtin_foot(o) - at[2]) < level &&
            builtin_rects_meet(&own, &its))
            return true;
    }
    return false;
}

/* A free place where it stood, turned as it was then. */
static etna_code back_find(const planner *p,
                           uint32_t object,
                           plan *ret,
                           bool *ret_found)
{
    const double straight = 1;  /* degrees */
    const double widest = 0.02; /* metres */
    const builtin_object *o = &p->facts->objects[object];
    const builtin_move move = {
        .relation = RELATION_PLACE,
        .objects = {.count = 1, .objects = &object, .need = 1},
        .reference = object,
        .second = BUILTIN_NONE,
        .support = BUILTIN_NONE,
        .gap = -1,
        .spacing = -1};
    double at[3];
    builtin_old_place(p->facts, &move, at);
    const uint32_t under = builtin_surface_under(p->facts, at, object);
    *ret_found = false;
    if (under == BUILTIN_NONE)
        return ETNA_OK;
    const uint32_t base = p->facts->surfaces[under].object;
    if (back_is_covered(p, object, base, at))
        return ETNA_OK;
    const double turn = builtin_turn_between(o->heading, o->start_heading);
    builtin_facts then = *p->facts;
    etna_code code =
        builtin_turned(p->facts, object, turn, p->talk->arena, &then, p->err);
    if (code != ETNA_OK)
        return code;
    const builtin_wish wish = {.object = object,
                               .reference = base,
                               .taste = TASTE_NEAR,
                               .near = {at[0], at[1]},
                               .move = &move};
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    uint32_t count = 0;
    code = builtin_spots(&then, &wish, spots, &count, p->err);
    if (code != ETNA_OK || count == 0)
        return code;
    const builtin_spot *first = &spots[0];
    bool is_sure =
        first->surface == under && !first->squeezed && !first->centre_only;
    const double to[3] = {first->point[0], first->point[1],
                          first->point[2] + 0.01};
    *ret = planner_put(object, base, to, widest);
    ret->exact.yaw_deg = then.objects[object].yaw_deg;
    ret->exact.has_yaw = turn > straight && turn < 360 - straight;
    ret->tactic = "go back";
    *ret_found = is_sure && !planner_was_refused(p, ret);
    return ETNA_OK;
}

/* What was only put aside goes back where it came from, one thing a step, while
 * there are steps left. */
etna_code planner_go_back(const planner *p, model_reply *ret, bool *ret_done)
{
    *ret_done = false;
    if (p->left == 0)
        return ETNA_OK;
    for (uint32_t i = 0; i < p->facts->object_count; i++) {
        plan chosen;
        bool found = false;
        if (!back_is_away(p, i))
            continue;
        etna_code code = back_find(p, i, &chosen, &found);
        if (code != ETNA_OK)
            return code;
        if (!found)
            continue;
        chosen.because = etna_arena_printf(
            p->talk->arena, "%.255s only had to make way and goes back. ",
            p->facts->objects[i].name);
        if (!chosen.because)
            return planner_no_memory(p);
        *ret_done = true;
        return planner_say(p, &chosen, ret);
    }
    return ETNA_OK;
}
