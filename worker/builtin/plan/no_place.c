/* Why a thing has no place: the causes that can be told apart, in the order in
 * which they tell most.
 *
 * A cause is a row of the table `causes`: does it apply, under which code is it
 * known, how is it said, what is advised. The code is what programs go by; the
 * sentence is for people and names both things and how much is missing, in
 * centimetres. The first that applies is told, so a row stands before every row
 * that it makes pointless; the last one applies to everything. */
#include "worker/builtin/plan/planner_internal.h"
#include "worker/math/vec.h"

#include <math.h>

/* The place, where the move names no thing beside which it is; NULL where
 * memory is out. */
static const char *point_words(const planner *p, const builtin_move *m)
{
    if (m->relation == RELATION_AT)
        return etna_arena_printf(p->talk->arena, "at (%.2f, %.2f)", m->at[0],
                                 m->at[1]);
    if (m->relation == RELATION_SHIFT)
        return etna_arena_printf(p->talk->arena, "%.6g cm from where it was",
                                 100 * sqrt(m->shift[0] * m->shift[0] +
                                            m->shift[1] * m->shift[1] +
                                            m->shift[2] * m->shift[2]));
    return "there";
}

/* "Put A to the left of B": the relation's words, before its reference. */
static const char *relation_words(const planner *p, const builtin_move *m)
{
    static const char *const words[RELATION_COUNT] = {
        [RELATION_ON] = "on",
        [RELATION_IN] = "in",
        [RELATION_UNDER] = "under",
        [RELATION_BESIDE] = "next to",
        [RELATION_LEFT] = "to the left of",
        [RELATION_RIGHT] = "to the right of",
        [RELATION_FRONT] = "in front of",
        [RELATION_BEHIND] = "behind",
        [RELATION_BETWEEN] = "between",
        [RELATION_AGAINST] = "against",
        [RELATION_MIDDLE] = "in the middle of",
        [RELATION_TUCK] = "tucked in at",
        [RELATION_OVER] = "over",
        [RELATION_TOWARD] = "closer to",
        [RELATION_AWAY] = "farther from",
        [RELATION_PLACE] = "in place of",
        [RELATION_SETTING] = "at a place of",
        [RELATION_END] = "at the end of"};
    bool zone = m->relation == RELATION_CORNER || m->relation == RELATION_EDGE;
    if (zone) {
        return etna_arena_printf(p->talk->arena, "at the%s%s%s%s %s of",
                                 m->sides & SIDE_FRONT ? " front" : "",
                                 m->sides & SIDE_BACK ? " back" : "",
                                 m->sides & SIDE_LEFT ? " left" : "",
                                 m->sides & SIDE_RIGHT ? " right" : "",
                                 m->relation == RELATION_CORNER ? "corner"
                                                                : "edge");
    }
    const char *plain = words[m->relation] ? words[m->relation] : "on";
    if (m->gap < 0)
        return plain;
    return etna_arena_printf(p->talk->arena, "%.6g cm %s", 100 * m->gap,
                             m->relation == RELATION_BESIDE ? "from" : plain);
}

/* The largest of a thing's surfaces, by the area of its polygon; NULL: it has
 * none. */
static const builtin_surface *largest_surface(const builtin_facts *facts,
                                              uint32_t base,
                                              double *ret_area)
{
    const builtin_surface *best = NULL;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        double area = 0;
        for (uint32_t k = 0; k < s->corner_count; k++) {
            const double *a = s->corners[k];
            const double *b = s->corners[(k + 1) % s->corner_count];
            area += 0.5 * (a[0] * b[1] - b[0] * a[1]);
        }
        if (s->object != base || (best && area <= *ret_area))
            continue;
        best = s;
        *ret_area = area;
    }
    return best;
}

/* How many of them may stand on another. */
static uint32_t list_can_pile(const planner *p,
                              const uint32_t *list,
                              uint32_t count)
{
    uint32_t able = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool finds = false;
        for (uint32_t k = 0; k < count && !finds; k++)
            finds = k != i && planner_mate_bears(p, list[k], list[i]);
        able += finds;
    }
    return able;
}

/* What they may take at most, as so often what there is: towels lie one on
 * another. */
static double list_piles(const planner *p, const uint32_t *list, uint32_t count)
{
    const double over_edges = 1.2, piled = 2;
    const uint32_t able = list_can_pile(p, list, count);
    if (able == count)
        return over_edges * count;
    return able > 0 ? piled : over_edges;
}

/* By areas alone, said before anything is moved: several things on one
 * surface. */
bool planner_lacks_room(const planner *p,
                        uint32_t base,
                        const uint32_t *list,
                        uint32_t count,
                        const char **ret_why)
{
    double area = 0, needed = 0;
    const builtin_surface *s = largest_surface(p->facts, base, &area);
    for (uint32_t i = 0; i < count; i++)
        needed += 4 * p->facts->objects[list[i]].half[0] *
                  p->facts->objects[list[i]].half[1];
    if (!s || count < 2 || needed <= area)
        return false;
    const builtin_object *o = &p->facts->objects[base];
    /* what is uneven bears things, too, and some stand on others */
    const double most =
        4 * o->half[0] * o->half[1] * builtin_levels(p->facts, base);
    if (needed <= list_piles(p, list, count) * most)
        return false;
    *ret_why = etna_arena_printf(
        p->talk->arena,
        "%.255s is too small for these %u things: they take %.0f cm2 side by side, and its largest level place has %.0f cm2.",
        p->facts->objects[base].name, count, 1e4 * needed, 1e4 * area);
    return true;
}

/* Metres between two things' boxes as seen from above. */
static double boxes_apart(const builtin_object *a, const builtin_object *b)
{
    const builtin_rect one = builtin_rect_of(a);
    const builtin_rect two = builtin_rect_of(b);
    return builtin_rects_apart(&one, &two);
}

/* Does the file have anything level that stays? */
static bool has_floor(const builtin_facts *facts)
{
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        if (facts->objects[facts->surfaces[i].object].is_static)
            return true;
    }
    return false;
}

/* ---- causes ---- */

typedef struct refused { /* what found no place */
    const planner *p;
    const builtin_move *move;
    uint32_t object, base; /* base: BUILTIN_NONE: on anything */
    /* other: the move's reference; NULL: it has none */
    const builtin_object *own, *other;
    const char *base_name;
} refused;

/* Relations that are about another thing's side. */
static bool stands_beside(const refused *r)
{
    return r->other && r->move->relation >= RELATION_UNDER &&
           r->move->relation <= RELATION_AGAINST;
}

/* Sides of the box as seen from above, metres, the shorter first. */
static void no_place_sides_of(const builtin_object *o, double ret[2])
{
    ret[0] = 2 * builtin_half_shorter(o);
    ret[1] = 2 * builtin_half_longer(o);
}

/* A sofa on a chair: no search is begun for that. */
bool planner_is_too_large(const planner *p,
                          const builtin_move *move,
                          uint32_t object,
                          uint32_t base)
{
    /* metres, metres, times as large */
    const double furniture = 0.5, cloth = 0.05, most = 2;
    if (move->relation != RELATION_ON && move->relation != RELATION_IN)
        return false;
    if (base >= p->facts->object_count || p->facts->objects[base].is_static)
        return false;
    double own[2], its[2];
    no_place_sides_of(&p->facts->objects[object], own);
    no_place_sides_of(&p->facts->objects[base], its);
    if (own[0] <= its[0] || own[1] <= its[1])
        return false;
    if (move->relation == RELATION_IN)
        return true;
    bool hangs_down = 2 * p->facts->objects[object].half[2] < cloth;
    return own[1] >= furniture && !hangs_down &&
           own[0] * own[1] > most * its[0] * its[1];
}

/* In both directions. */
static bool is_larger_than_base(const refused *r)
{
    return planner_is_too_large(r->p, r->move, r->object, r->base);
}

/* By how much, so that another thing can be chosen. */
static const char *say_larger_than_base(const refused *r)
{
    double own[2], its[2];
    no_place_sides_of(r->own, own);
    no_place_sides_of(&r->p->facts->objects[r->base], its);
    return etna_arena_printf(
        r->p->talk->arena,
        "%.255s is too large for %.255s, by %.0f cm and %.0f cm: it takes %.0f by %.0f cm, and that has %.0f by %.0f cm.",
        r->own->name, r->base_name, 100 * (own[0] - its[0]),
        100 * (own[1] - its[1]), 100 * own[0], 100 * own[1], 100 * its[0],
        100 * its[1]);
}

/* "Half a metre to the left" ends in the air. */
static bool is_shifted_off(const refused *r)
{
    bool stands =
        r->own->by_count > 0 && !r->own->attached && !r->own->hovering;
    if (r->move->relation != RELATION_SHIFT || !stands ||
        fabs(r->move->shift[2]) > 0.01)
        return false;
    return planner_shift_support(r->p, r->move, r->object) == BUILTIN_NONE;
}

/* Names what ends. */
static const char *say_shifted_off(const refused *r)
{
    return etna_arena_printf(
        r->p->talk->arena,
        "%.255s cannot be moved so far: %.255s ends before that place.",
        r->own->name, r->p->facts->objects[r->own->by[0]].name);
}

/* What is higher than the whole of it does not go beneath. */
static bool is_higher_than_roof(const refused *r)
{
    return r->move->relation == RELATION_UNDER && r->other &&
           !r->other->attached && r->own->half[2] > r->other->half[2];
}

/* Both heights. */
static const char *say_higher_than_roof(const refused *r)
{
    return etna_arena_printf(
        r->p->talk->arena,
        "%.255s does not go under %.255s: it is %.0f cm high, and that is %.0f cm.",
        r->own->name, r->other->name, 200 * r->own->half[2],
        200 * r->other->half[2]);
}

/* Too wide for its inside. */
static bool did_not_go_in(const refused *r)
{
    return r->move->relation == RELATION_IN && r->other &&
           planner_is_too_tight(r->p, r->object, r->move->reference);
}

/* Both sizes, sides included. */
static const char *say_did_not_go_in(const refused *r)
{
    const double least = builtin_half_shorter(r->own);
    const double most = builtin_half_longer(r->own);
    const double wide = builtin_half_shorter(r->other);
    const double deep = builtin_half_longer(r->other);
    return etna_arena_printf(
        r->p->talk->arena,
        "%.255s does not go into %.255s: it takes %.1f by %.1f cm, and that is %.1f by %.1f cm, its sides included.",
        r->own->name, r->other->name, 200 * least, 200 * most, 200 * wide,
        200 * deep);
}

/* All places that were tried on it were too tippy. */
static bool falls_there(const refused *r)
{
    return r->base != BUILTIN_NONE && planner_falls(r->p, r->object, r->base);
}

/* What is round, hollow or thin below, as it stands in the file. */
static const char *say_falls(const refused *r)
{
    return etna_arena_printf(
        r->p->talk->arena,
        "%.255s balances nowhere on %.255s: as it stands its middle is over nothing that carries it.",
        r->own->name, r->base_name);
}

/* Nothing beside that bears it at a height. */
static bool comes_down(const refused *r)
{
    return planner_comes_down(r->p, r->move, r->object, r->base);
}

/* Names what it would come down to. */
static const char *say_comes_down(const refused *r)
{
    const char *words = relation_words(r->p, r->move);
    if (!words)
        return NULL;
    return etna_arena_printf(
        r->p->talk->arena,
        "There is nothing %s %.255s for %.255s to stand on but %.255s.", words,
        r->other->name, r->own->name, r->base_name);
}

/* No level part of it is wide enough. */
static bool base_is_too_small(const refused *r)
{
    double area = 0;
    double least = 2 * builtin_half_shorter(r->own);
    const builtin_surface *s =
        r->base == BUILTIN_NONE ? NULL
                                : largest_surface(r->p->facts, r->base, &area);
    return s && least > s->width + 0.01;
}

/* What it has and what is needed. */
static const char *say_too_small(const refused *r)
{
    double area = 0;
    double least = 2 * builtin_half_shorter(r->own);
    const builtin_surface *s = largest_surface(r->p->facts, r->base, &area);
    return etna_arena_printf(
        r->p->talk->arena,
        "%.255s is too small for %.255s: its largest level place is %.0f cm wide, and %.0f cm are needed.",
        r->base_name, r->own->name, 100 * s->width, 100 * least);
}

/* Both are things. */
static bool is_between_two(const refused *r)
{
    return r->move->relation == RELATION_BETWEEN && r->other &&
           r->move->second < r->p->facts->object_count;
}

/* The gap and what it takes. */
static const char *say_narrow(const refused *r)
{
    const builtin_object *second = &r->p->facts->objects[r->move->second];
    return etna_arena_printf(
        r->p->talk->arena,
        "There is no place for %.255s between %.255s and %.255s: there are %.0f cm between them, and it takes %.0f by %.0f cm.",
        r->own->name, r->other->name, second->name,
        100 * boxes_apart(r->other, second), 200 * r->own->half[0],
        200 * r->own->half[1]);
}

/* Beside it is nothing to stand on. */
static bool other_is_in_air(const refused *r)
{
    return r->base == BUILTIN_NONE && stands_beside(r) && r->other->hovering;
}

/* A file without a floor is told as well. */
static const char *say_in_air(const refused *r)
{
    return etna_arena_printf(
        r->p->talk->arena,
        "%s%.255s hangs in the air: under it and beside it is nothing that %.255s could stand on.",
        has_floor(r->p->facts) ? "" : "There is no floor in the file: ",
        r->other->name, r->own->name);
}

/* It is to come down, and there is nowhere else. */
static bool cannot_leave(const refused *r)
{
    if (r->base != BUILTIN_NONE || !r->other)
        return false;
    if (r->move->relation == RELATION_OFF)
        return true;
    return r->move->relation == RELATION_AWAY &&
           builtin_is_above(r->p->facts, r->object, r->move->reference);
}

/* Names what it stands on. */
static const char *say_stuck(const refused *r)
{
    return etna_arena_printf(
        r->p->talk->arena,
        "%.255s stands on %.255s, and there is no other place to put it.",
        r->own->name, r->other->name);
}

/* Terrain, mostly. */
static bool other_is_on_a_slope(const refused *r)
{
    return r->base != BUILTIN_NONE && stands_beside(r) &&
           builtin_is_on_a_slope(r->p->facts, r->move->reference, r->base);
}

/* Names the ground. */
static const char *say_uneven(const refused *r)
{
    return etna_arena_printf(
        r->p->talk->arena,
        "There is no level place for %.255s beside %.255s: %.255s is uneven there.",
        r->own->name, r->other->name, r->base_name);
}

/* On the side that was asked for. */
static bool wall_is_there(const refused *r)
{
    return r->other && builtin_wall_at_side(r->p->facts, r->move, r->object) !=
                           BUILTIN_NONE;
}

/* Names the wall. */
static const char *say_barred(const refused *r)
{
    const uint32_t wall = builtin_wall_at_side(r->p->facts, r->move, r->object);
    const char *words = relation_words(r->p, r->move);
    if (!words)
        return NULL;
    return etna_arena_printf(
        r->p->talk->arena,
        "There is no free place for %.255s %s %.255s: %.255s leaves no room there.",
        r->own->name, words, r->other->name, r->p->facts->objects[wall].name);
}

/* All of it is taken. */
static bool is_to_be_on_it(const refused *r)
{
    return r->move->relation == RELATION_ON;
}

/* Without sizes: there is room, but not free. */
static const char *say_full(const refused *r)
{
    return etna_arena_printf(r->p->talk->arena,
                             "There is no free place for %.255s on %.255s.",
                             r->own->name, r->base_name);
}

/* It would run into something. */
static bool is_turned_there(const refused *r)
{
    return planner_is_turn(r->move);
}

/* Where it stands. */
static const char *say_no_turn(const refused *r)
{
    return etna_arena_printf(r->p->talk->arena,
                             "There is no room to turn %.255s where it stands.",
                             r->own->name);
}

/* The last row. */
static bool refused_anyhow(const refused *r)
{
    (void)r;
    return true;
}

/* What was asked, in its own words. */
static const char *say_not_as_asked(const refused *r)
{
    const bool is_point = !r->other || r->move->relation == RELATION_SHIFT;
    const char *words =
        is_point ? point_words(r->p, r->move) : relation_words(r->p, r->move);
    const char *other = is_point ? "" : r->other->name;
    const uint32_t second = r->move->second;
    if (!is_point && second < r->p->facts->object_count)
        other = etna_arena_printf(r->p->talk->arena, "%.255s and %.255s", other,
                                  r->p->facts->objects[second].name);
    const char *air = "";
    const bool on_another =
        r->base != BUILTIN_NONE && r->base != r->move->reference;
    if (on_another && !is_point && r->other->hovering)
        air = etna_arena_printf(
            r->p->talk->arena,
            "; %.255s hovers there, and what is moved has to stand",
            r->other->name);
    if (!words || !air || !other)
        return NULL;
    return etna_arena_printf(
        r->p->talk->arena,
        "There is no free place for %.255s on %.255s as asked (%s%s%.520s)%s.",
        r->own->name, r->base_name, words, is_point ? "" : " ", other, air);
}

/* The first that applies is told, with what helps against it. `say`: NULL where
 * memory is out. */
static const struct cause {
    bool (*applies)(const refused *r);
    const char *code;
    const char *(*say)(const refused *r);
    const char *advice;
} causes[] = {
    {is_larger_than_base, "impossible", say_larger_than_base,
     "Choose something larger for it, or put it beside that."},
    {did_not_go_in, "impossible", say_did_not_go_in,
     "Choose something wider to put it in, or put it beside that."},
    {falls_there, "impossible", say_falls,
     "Put it in something that holds it at its sides, or turn it upright in the file first."},
    {is_higher_than_roof, "impossible", say_higher_than_roof,
     "Choose something higher, or put it beside that."},
    {comes_down, "no_place", say_comes_down,
     "Say what it is to stand on, were it the floor."},
    {base_is_too_small, "impossible", say_too_small,
     "Choose something larger to put it on, or put it beside that."},
    {is_shifted_off, "no_place", say_shifted_off,
     "Ask for a shorter way, or say what it is to stand beside."},
    {is_between_two, "no_place", say_narrow,
     "Move the two apart first, in a sentence or step of its own."},
    {other_is_in_air, "no_place", say_in_air,
     "Say what it is to stand on, or hang it on a wall."},
    {cannot_leave, "no_place", say_stuck,
     "Make room for it somewhere first, or say where it is to go."},
    {other_is_on_a_slope, "no_place", say_uneven,
     "Name another neighbour, or something level to put it on."},
    {wall_is_there, "no_place", say_barred,
     "Move that away from the wall first, or name another side of it."},
    {is_to_be_on_it, "no_place", say_full,
     "Say what is to leave it first, or choose something larger or emptier."},
    {is_turned_there, "no_place", say_no_turn,
     "Move what is close to it away first, or say where else it may stand."},
    {refused_anyhow, "no_place", say_not_as_asked,
     "Say what is to make room there first, or ask for it less exactly."},
};

/* The table always has a row that applies. */
etna_code planner_say_no_place(const planner *p,
                               uint32_t object,
                               const builtin_move *move,
                               uint32_t base,
                               model_reply *ret)
{
    const builtin_facts *facts = p->facts;
    const refused r = {.p = p,
                       .move = move,
                       .object = object,
                       .base = base,
                       .own = &facts->objects[object],
                       .other = move->reference < facts->object_count
                                    ? &facts->objects[move->reference]
                                    : NULL,
                       .base_name = base == BUILTIN_NONE
                                        ? "anything"
                                        : facts->objects[base].name};
    const struct cause *cause = causes;
    while (!cause->applies(&r))
        cause++;
    return planner_say_refused(p, cause->code, ret, cause->say(&r),
                               cause->advice);
}
