/* What was told to stay where it is: nothing makes it leave, nothing carries it
 * along, and where that is why there is no place, it is told. */
#include "worker/builtin/plan/planner_internal.h"

#include <math.h>
#include <string.h>

/* "Bring the mug to the tray and leave it there": what the same text moves is to
 * stay where it comes to be. */
static bool reading_moves(const builtin_reading *r, uint32_t object)
{
    for (uint32_t i = 0; i < r->count; i++) {
        const builtin_set *moved = &r->moves[i].objects;
        for (uint32_t k = 0; k < moved->count; k++) {
            if (moved->objects[k] == object)
                return true;
        }
    }
    return false;
}

void planner_note_stays(planner *p)
{
    const builtin_reading *r = &p->reading;
    for (uint32_t i = 0; i < r->count; i++) {
        const builtin_move *m = &r->moves[i];
        for (uint32_t k = 0; k < m->objects.count; k++)
            p->stays[m->objects.objects[k]] = false;
        if (m->relation == RELATION_SWAP && m->reference != BUILTIN_NONE)
            p->stays[m->reference] = false;
    }
    for (uint32_t i = 0; i < r->stays.count; i++) {
        const uint32_t object = r->stays.objects[i];
        p->stays[object] = !reading_moves(r, object);
    }
}

/* Of all that stays: *ret_first and how many. */
static uint32_t hold_count(const planner *p, uint32_t *ret_first)
{
    uint32_t count = 0;
    for (uint32_t i = p->facts->object_count; i > 0; i--) {
        count += p->stays[i - 1];
        if (p->stays[i - 1])
            *ret_first = i - 1;
    }
    return count;
}

/* As a sentence names it. */
static const char *hold_name(const planner *p)
{
    uint32_t first = 0;
    return hold_count(p, &first) == 1 ? p->facts->objects[first].name
                                      : "what was told to stay";
}

/* What stays and stands on what is to leave, which takes its load along.
 * BUILTIN_NONE: nothing. */
static uint32_t hold_carried_by(const planner *p, uint32_t object)
{
    for (uint32_t i = 0; i < p->facts->object_count; i++) {
        const bool is_above =
            p->stays[i] && i != object && planner_is_above(p->facts, i, object);
        if (is_above)
            return i;
    }
    return BUILTIN_NONE;
}

/* *ret_said: something that stays would go along, and *ret says so. */
static etna_code hold_say_carried(const planner *p,
                                  model_reply *ret,
                                  bool *ret_said)
{
    for (uint32_t i = 0; i < p->reading.count; i++) {
        const builtin_move *move = &p->reading.moves[i];
        if (planner_is_turn(move))
            continue;
        const uint32_t count = planner_missing(p, i, p->scratch);
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t object = p->scratch[k];
            const uint32_t load = hold_carried_by(p, object);
            if (load == BUILTIN_NONE)
                continue;
            *ret_said = true;
            return planner_say_refused(
                p, "impossible", ret,
                etna_arena_printf(
                    p->talk->arena,
                    "%.255s is to stay where it is, and stands on %.255s, which is to be moved.",
                    p->facts->objects[load].name,
                    p->facts->objects[object].name),
                "Say where it is to go first, or that it may go along.");
        }
    }
    return ETNA_OK;
}

/* Has it left the place where it stood when it was told to stay? */
static bool hold_has_left(const planner *p, uint32_t object)
{
    const double still = 0.01; /* metres */
    const builtin_object *now = &p->facts->objects[object];
    const builtin_object *then = &p->then.objects[object];
    double away = 0;
    for (int i = 0; i < 3; i++)
        away += fabs(now->centre[i] - then->centre[i]);
    return away > still;
}

/* Once all moves hold. *ret_said: something that was to stay did not. */
static etna_code hold_say_left(const planner *p,
                               model_reply *ret,
                               bool *ret_said)
{
    for (uint32_t i = 0; i < p->facts->object_count; i++) {
        if (!p->stays[i] || !hold_has_left(p, i))
            continue;
        *ret_said = true;
        return planner_say_impossible(
            p, "impossible", ret,
            etna_arena_printf(
                p->talk->arena,
                "%.255s was to stay where it is, and has been moved.",
                p->facts->objects[i].name));
    }
    return ETNA_OK;
}

/* It was refused with what stays in its place. Where it would not be with that
 * out of the way, this is told, and not what else there might be. The second
 * planning is a question only: the planner's own fields are put back. */
static etna_code hold_say_cause(planner *p,
                                const planner *before,
                                model_reply *ret)
{
    model_reply other = *ret;
    bool done = false;
    *p = *before;
    *p->refused = false;
    etna_code code = planner_plan_moves(p, &other, &done);
    const bool is_cause = code == ETNA_OK && done && !*p->refused;
    *p = *before;
    *p->refused = true;
    planner_agenda next = {.list = etna_arena_alloc(p->talk->arena,
                                                    p->facts->object_count + 1u,
                                                    sizeof *next.list)};
    if (!next.list)
        return planner_no_memory(p);
    if (code != ETNA_OK || !is_cause)
        return code;
    planner_find_next(p, &next);
    if (next.count == 0)
        return ETNA_OK;
    planner_speak_of(p, &p->reading, &p->reading.moves[next.move]);
    planner_speak_of_thing(p, &p->reading.moves[next.move], next.list[0]);
    return planner_say_refused(
        p, "no_place", ret,
        etna_arena_printf(
            p->talk->arena,
            "There is no place for %.255s while %.255s stays where it is.",
            p->facts->objects[next.list[0]].name, hold_name(p)),
        "Say that it may be moved, or choose another place.");
}

/* While moves are planned the facts have what stays as immovable, so no search
 * needs to know of it. What is said afterwards goes by the facts as they
 * are. */
etna_code planner_plan_held(planner *p, model_reply *ret, bool *ret_done)
{
    builtin_facts *facts = &p->talk->facts;
    const builtin_object *loose = facts->objects;
    uint32_t first = 0;
    if (hold_count(p, &first) == 0)
        return planner_plan_moves(p, ret, ret_done);
    *ret_done = false;
    etna_code code = hold_say_carried(p, ret, ret_done);
    if (code != ETNA_OK || *ret_done)
        return code;
    builtin_object *held = etna_arena_memdup(
        p->talk->arena, loose, facts->object_count * sizeof *held);
    if (!held)
        return planner_no_memory(p);
    for (uint32_t i = 0; i < facts->object_count; i++)
        held[i].immovable = held[i].immovable || p->stays[i];
    const planner before = *p;
    facts->objects = held;
    *p->refused = false;
    code = planner_plan_moves(p, ret, ret_done);
    facts->objects = loose;
    if (code != ETNA_OK)
        return code;
    if (!*ret_done)
        return hold_say_left(p, ret, ret_done);
    return *p->refused ? hold_say_cause(p, &before, ret) : ETNA_OK;
}
