/* A move as the planner handles it: whether it holds already, what single moves it is made of, and the one sentence
 * that tells the executor and the evaluator, who see nothing else of the goal, all of it. */
#include "worker/model/builtin_planner_own.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* Accepted edits of an object so far: what cannot be seen in the scene ("turn it", "closer") is done once. */
static bool was_edited(const planner *p, uint32_t object)
{
    const json_t *rows = json_object_get(p->talk->task, "edits");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(rows, i), "object"));
        if (name && strcmp(name, p->facts->objects[object].name) == 0) return true;
    }
    return false;
}

/* Metres from what it was to be moved beside within which nobody would ask for it. */
static double at_hand(const builtin_object *o)
{
    return 0.1 + 0.3 * (o->half[0] > o->half[1] ? o->half[0] : o->half[1]);
}

bool planner_holds(const planner *p, const builtin_move *move, uint32_t object)
{
    const builtin_object *o = &p->facts->objects[object];
    const double at[3] = {o->centre[0], o->centre[1], o->centre[2] - o->half[2]};
    double place[3];
    if (builtin_is_hung(p->facts, move, object)) return builtin_hangs_as_asked(p->facts, move, object);
    switch (move->relation) {
    case RELATION_ON:
        if (!builtin_stands_on(p->facts, object, move->reference) || builtin_misfit(p->facts, move, object, at) > 0.01)
            return false;
        break;
    case RELATION_OFF:
        if (move->level > 0 && builtin_off_level(p->facts, move->reference, move->level, at[2]) > 0) return true;
        return !builtin_is_above(p->facts, object, move->reference);
    case RELATION_TURN:
    case RELATION_TOWARD:
    case RELATION_AWAY: return was_edited(p, object);
    case RELATION_TURNED: break;
    case RELATION_PLACE:
        builtin_old_place(p->facts, move, place);
        if (fabs(at[2] - place[2]) > 0.03) return false;
        return builtin_misfit(p->facts, move, object, at) <= 0.01;
    default: {
        uint32_t support = builtin_support_of(p->facts, move, object);
        if (support != BUILTIN_NONE && !builtin_stands_on(p->facts, object, support)) return false;
        if (builtin_misfit(p->facts, move, object, at) > 0.01) return false;
        if (move->goes && move->gap < 0 && !was_edited(p, object) &&
            builtin_gap(p->facts, move, object, at) > at_hand(o))
            return false;
    }
    }
    return builtin_facing_off(p->facts, move, object) <= 10;
}

/* A swap is two moves to old places; a row is each thing to the right of the one before, as they stood at the start. */
etna_code planner_expand(planner *p)
{
    builtin_reading *said = etna_arena_memdup(p->talk->arena, &p->reading, sizeof p->reading);
    if (!said) return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    builtin_reading *out = &p->reading;
    out->count = 0;
    for (uint32_t i = 0; i < said->count; i++) {
        const builtin_move *m = &said->moves[i];
        uint32_t needed = m->relation == RELATION_SWAP ? 2 : m->relation == RELATION_LINE ? m->objects.count + 1 : 1;
        if (out->count + needed > BUILTIN_MOVES_MAX)
            return etna_fail(p->err, ETNA_E_INPUT, "it asks for more than %d moves", BUILTIN_MOVES_MAX);
        if (m->relation == RELATION_SWAP) {
            uint32_t *pair = etna_arena_alloc(p->talk->arena, 2, sizeof *pair);
            if (!pair) return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
            pair[0] = m->objects.objects[0];
            pair[1] = m->reference;
            for (int k = 0; k < 2; k++) {
                builtin_move half = *m;
                half.relation = RELATION_PLACE;
                half.objects = (builtin_set){.count = 1, .objects = &pair[k], .need = 1};
                half.reference = pair[1 - k];
                out->moves[out->count++] = half;
            }
        } else if (m->relation == RELATION_LINE) {
            uint32_t *row = etna_arena_memdup(p->talk->arena, m->objects.objects, m->objects.count * sizeof *row);
            if (!row) return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
            for (uint32_t k = 1; k < m->objects.count; k++) {
                for (uint32_t n = k; n > 0; n--) {
                    const double *a = p->facts->objects[row[n - 1]].start, *b = p->facts->objects[row[n]].start,
                                 *right = p->facts->right;
                    if (a[0] * right[0] + a[1] * right[1] <= b[0] * right[0] + b[1] * right[1]) break;
                    uint32_t swap = row[n];
                    row[n] = row[n - 1];
                    row[n - 1] = swap;
                }
            }
            if (m->support < p->facts->object_count &&
                m->objects.count > 0) { /* a row somewhere else begins with its first */
                builtin_move next = *m;
                next.relation = RELATION_ON;
                next.objects = (builtin_set){.count = 1, .objects = &row[0], .need = 1};
                next.reference = m->support;
                next.support = BUILTIN_NONE;
                out->moves[out->count++] = next;
            }
            for (uint32_t k = 1; k < m->objects.count; k++) {
                builtin_move next = *m;
                next.relation = RELATION_RIGHT;
                next.objects = (builtin_set){.count = 1, .objects = &row[k], .need = 1};
                next.reference = row[k - 1];
                out->moves[out->count++] = next;
            }
        } else {
            out->moves[out->count++] = *m;
        }
    }
    return ETNA_OK;
}

/* ---- answers ---- */

bool planner_is_plain(const builtin_move *move)
{
    bool plain = move->relation == RELATION_ON || move->relation == RELATION_TOWARD ||
                 move->relation == RELATION_AWAY || move->relation == RELATION_PLACE || move->relation == RELATION_OFF;
    return plain && move->facing == FACING_NONE;
}

/* "Put A to the left of B": the relation's words, before its reference. */
static const char *relation_words(const planner *p, const builtin_move *m)
{
    static const char *const words[RELATION_COUNT] = {[RELATION_ON] = "on",
                                                      [RELATION_IN] = "in",
                                                      [RELATION_UNDER] = "under",
                                                      [RELATION_BESIDE] = "next to",
                                                      [RELATION_LEFT] = "to the left of",
                                                      [RELATION_RIGHT] = "to the right of",
                                                      [RELATION_FRONT] = "in front of",
                                                      [RELATION_BEHIND] = "behind",
                                                      [RELATION_BETWEEN] = "between",
                                                      [RELATION_AGAINST] = "against",
                                                      [RELATION_MIDDLE] = "in the middle of"};
    bool zone = m->relation == RELATION_CORNER || m->relation == RELATION_EDGE;
    if (zone) {
        return etna_arena_printf(p->talk->arena, "at the%s%s%s%s %s of", m->sides & SIDE_FRONT ? " front" : "",
                                 m->sides & SIDE_BACK ? " back" : "", m->sides & SIDE_LEFT ? " left" : "",
                                 m->sides & SIDE_RIGHT ? " right" : "",
                                 m->relation == RELATION_CORNER ? "corner" : "edge");
    }
    const char *plain = words[m->relation] ? words[m->relation] : "on";
    if (m->gap < 0) return plain;
    return etna_arena_printf(p->talk->arena, "%.6g cm %s", 100 * m->gap,
                             m->relation == RELATION_BESIDE ? "from" : plain);
}

/* What the thing is to stand on, and on which of its boards. */
static const char *support_words(const planner *p, const plan *chosen)
{
    const char *support = builtin_quote(p->talk, p->facts->objects[chosen->reference].name);
    uint32_t count = builtin_levels(p->facts, chosen->reference),
             level = builtin_level_at(p->facts, chosen->reference, chosen->spot.point[2]);
    bool asked = !chosen->move || chosen->move->level > 0 ||
                 chosen->move->relation == RELATION_ON; /* others say it by what they refer to */
    if (!support || count < 2 || level == 0 || !asked) return support;
    const char *which = builtin_level_name(level, count, p->talk->arena);
    return which ? etna_arena_printf(p->talk->arena, "%s of %s", which, support) : NULL;
}

/* One sentence that says all of a move to the executor and the evaluator, who see nothing else of the goal. */
static const char *say_move(const planner *p, const plan *chosen)
{
    etna_arena *arena = p->talk->arena;
    const builtin_move *m = chosen->move;
    const builtin_object *objects = p->facts->objects;
    const char *object = builtin_quote(p->talk, objects[chosen->object].name), *support = support_words(p, chosen);
    if (!object || !support) return NULL;
    if (!m) return etna_arena_printf(arena, "Put %s %son %s", object, chosen->exact ? "exactly " : "", support);
    const char *facing = "";
    if (m->facing != FACING_NONE) {
        const char *faced = m->faced == BUILTIN_CAMERA ? "the camera" : builtin_quote(p->talk, objects[m->faced].name);
        bool turn = m->relation == RELATION_TURNED;
        const char *how =
            m->facing == FACING_TO ? (turn ? " to face" : ", facing") : (turn ? " away from" : ", with its back to");
        facing = faced ? etna_arena_printf(arena, "%s %s", how, faced) : NULL;
        if (!facing) return NULL;
    }
    if (m->relation == RELATION_TURN)
        return etna_arena_printf(arena, "Turn %s by %.6g degrees%s", object, fabs(m->turn),
                                 m->turn < 0 ? " clockwise" : "");
    if (m->relation == RELATION_TURNED) return etna_arena_printf(arena, "Turn %s%s", object, facing);
    if (planner_is_plain(&(builtin_move){.relation = m->relation}))
        return etna_arena_printf(arena, "Put %s on %s%s", object, support, facing);
    const char *words = relation_words(p, m), *reference = builtin_quote(p->talk, objects[m->reference].name);
    const char *second = m->second < p->facts->object_count ? builtin_quote(p->talk, objects[m->second].name) : "";
    if (!words || !reference || !second) return NULL;
    bool same = chosen->reference == m->reference;
    if (same) reference = support;
    return etna_arena_printf(arena, "Put %s %s %s%s%s%s%s%s", object, words, reference, second[0] ? " and " : "",
                             second, same ? "" : " on ", same ? "" : support, facing);
}

etna_code planner_say(const planner *p, const plan *chosen, model_reply *ret)
{
    const char *object = builtin_quote(p->talk, p->facts->objects[chosen->object].name);
    const char *reference = builtin_quote(p->talk, p->facts->objects[chosen->reference].name),
               *sentence = say_move(p, chosen);
    if (!object || !reference || !sentence) return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    return builtin_say(
        p->talk, ret, p->err,
        "%s%s goes on %s.\n\n[updated_instruction]\n%s.\n[end_of_updated_instruction]\n[coordinate]\nThe bottom of "
        "the object should be around [%.4f, %.4f].\n[end_of_coordinate]\n",
        chosen->because, object, reference, sentence, chosen->spot.image[0], chosen->spot.image[1]);
}

etna_code planner_say_impossible(const planner *p, model_reply *ret, const char *why)
{
    return builtin_say(p->talk, ret, p->err, "%s\n<impossible>\n", why);
}

/* The largest of a thing's surfaces, by the area of its polygon; NULL: it has none. */
static const builtin_surface *largest_surface(const builtin_facts *facts, uint32_t base, double *ret_area)
{
    const builtin_surface *best = NULL;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        double area = 0;
        for (uint32_t k = 0; k < s->corner_count; k++) {
            const double *a = s->corners[k], *b = s->corners[(k + 1) % s->corner_count];
            area += 0.5 * (a[0] * b[1] - b[0] * a[1]);
        }
        if (s->object != base || (best && area <= *ret_area)) continue;
        best = s;
        *ret_area = area;
    }
    return best;
}

bool planner_lacks_room(const planner *p, uint32_t base, const uint32_t *list, uint32_t count, const char **ret_why)
{
    double area = 0, needed = 0;
    const builtin_surface *s = largest_surface(p->facts, base, &area);
    for (uint32_t i = 0; i < count; i++)
        needed += 4 * p->facts->objects[list[i]].half[0] * p->facts->objects[list[i]].half[1];
    if (!s || count < 2 || needed <= area) return false;
    *ret_why = etna_arena_printf(
        p->talk->arena,
        "%.255s is too small for these %u things: they take %.0f cm2 side by side, and its largest level place has %.0f cm2.",
        p->facts->objects[base].name, count, 1e4 * needed, 1e4 * area);
    return true;
}

/* Metres between two things' boxes as seen from above. */
static double gap_between(const builtin_object *a, const builtin_object *b)
{
    builtin_rect one = builtin_footprint(a, a->centre[0], a->centre[1], 0),
                 two = builtin_footprint(b, b->centre[0], b->centre[1], 0);
    double way[2];
    for (int k = 0; k < 2; k++) {
        way[k] =
            one.low[k] - two.high[k] > two.low[k] - one.high[k] ? one.low[k] - two.high[k] : two.low[k] - one.high[k];
        if (way[k] < 0) way[k] = 0;
    }
    return sqrt(way[0] * way[0] + way[1] * way[1]);
}

static bool has_floor(const builtin_facts *facts)
{
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        if (facts->objects[facts->surfaces[i].object].is_static) return true;
    }
    return false;
}

/* Does the thing stand on that, but at none of the heights at which it is level? */
static bool is_on_a_slope(const builtin_facts *facts, uint32_t object, uint32_t base)
{
    const double level = 0.1; /* metres */
    const builtin_object *o = &facts->objects[object];
    bool any = false;
    if (!builtin_stands_on(facts, object, base)) return false;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object != base) continue;
        any = true;
        if (fabs(s->height - (o->centre[2] - o->half[2])) <= level) return false;
    }
    return any;
}

etna_code planner_say_no_place(const planner *p, uint32_t object, const builtin_move *move, uint32_t base,
                               model_reply *ret)
{
    double area = 0;
    const builtin_object *own = &p->facts->objects[object];
    const builtin_surface *s = base == BUILTIN_NONE ? NULL : largest_surface(p->facts, base, &area);
    double least = 2 * (own->half[0] < own->half[1] ? own->half[0] : own->half[1]);
    if (s && least > s->width + 0.01) {
        const char *small = etna_arena_printf(
            p->talk->arena,
            "%.255s is too small for %.255s: its largest level place is %.0f cm wide, and %.0f cm are needed.",
            p->facts->objects[base].name, own->name, 100 * s->width, 100 * least);
        return small ? planner_say_impossible(p, ret, small)
                     : etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    }
    if (move->relation == RELATION_BETWEEN && move->reference < p->facts->object_count &&
        move->second < p->facts->object_count) {
        const builtin_object *a = &p->facts->objects[move->reference], *b = &p->facts->objects[move->second];
        const char *narrow = etna_arena_printf(
            p->talk->arena,
            "There is no place for %.255s between %.255s and %.255s: there are %.0f cm between them, and it takes %.0f by %.0f cm.",
            own->name, a->name, b->name, 100 * gap_between(a, b), 200 * own->half[0], 200 * own->half[1]);
        return narrow ? planner_say_impossible(p, ret, narrow)
                      : etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    }
    bool leaves = move->relation == RELATION_OFF ||
                  (move->relation == RELATION_AWAY && builtin_is_above(p->facts, object, move->reference));
    bool beside = move->relation >= RELATION_UNDER && move->relation <= RELATION_AGAINST &&
                  move->reference < p->facts->object_count;
    if (beside && base == BUILTIN_NONE && p->facts->objects[move->reference].hovering) {
        const char *other = p->facts->objects[move->reference].name;
        const char *air = etna_arena_printf(
            p->talk->arena, "%s%.255s hangs in the air: under it and beside it is nothing that %.255s could stand on.",
            has_floor(p->facts) ? "" : "There is no floor in the file: ", other, own->name);
        return air ? planner_say_impossible(p, ret, air)
                   : etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    }
    if (leaves && base == BUILTIN_NONE) {
        const char *stuck =
            etna_arena_printf(p->talk->arena, "%.255s stands on %.255s, and there is no other place to put it.",
                              own->name, p->facts->objects[move->reference].name);
        return stuck ? planner_say_impossible(p, ret, stuck)
                     : etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    }
    if (beside && base != BUILTIN_NONE && is_on_a_slope(p->facts, move->reference, base)) {
        const char *uneven = etna_arena_printf(
            p->talk->arena,
            "There is no level place for %.255s beside %.255s: %.255s is uneven there, and only its level parts are used.",
            own->name, p->facts->objects[move->reference].name, p->facts->objects[base].name);
        return uneven ? planner_say_impossible(p, ret, uneven)
                      : etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    }
    uint32_t wall =
        move->reference < p->facts->object_count ? builtin_wall_at_side(p->facts, move, object) : BUILTIN_NONE;
    if (wall != BUILTIN_NONE) {
        const char *words = relation_words(p, move), *barred = NULL;
        if (words)
            barred = etna_arena_printf(
                p->talk->arena, "There is no free place for %.255s %s %.255s: %.255s leaves no room there.", own->name,
                words, p->facts->objects[move->reference].name, p->facts->objects[wall].name);
        return barred ? planner_say_impossible(p, ret, barred)
                      : etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    }
    bool elsewhere = false; /* the camera is to blame only where there is a place that it does not show */
    if (base != BUILTIN_NONE) {
        builtin_wish wish = {.object = object, .reference = base, .taste = TASTE_ROOMY, .move = move, .unseen = true};
        builtin_spot spots[BUILTIN_SPOTS_MAX];
        uint32_t found = 0;
        etna_code code = builtin_spots(p->facts, &wish, spots, &found, p->err);
        if (code != ETNA_OK) return code;
        elsewhere = found > 0;
    }
    const char *object_name = p->facts->objects[object].name,
               *base_name = base == BUILTIN_NONE ? "anything" : p->facts->objects[base].name;
    const char *where = elsewhere ? " that the camera sees" : "",
               *hint = elsewhere ? "; another camera would show one (--camera)" : "";
    const char *asked = "", *why;
    if (move->relation != RELATION_ON) {
        const char *other = move->reference == BUILTIN_NONE ? "" : p->facts->objects[move->reference].name;
        const char *words = relation_words(p, move);
        asked = words ? etna_arena_printf(p->talk->arena, "%s as asked (%s %.255s)", elsewhere ? " and that is" : "",
                                          words, other)
                      : NULL;
        bool in_air = base != BUILTIN_NONE && base != move->reference && move->reference < p->facts->object_count &&
                      p->facts->objects[move->reference].hovering;
        if (asked && in_air)
            asked = etna_arena_printf(p->talk->arena, "%s; %.255s hovers there, and what is moved has to stand", asked,
                                      p->facts->objects[move->reference].name);
    }
    why = asked ? etna_arena_printf(p->talk->arena, "There is no free place for %.255s on %.255s%s%s%s.", object_name,
                                    base_name, where, asked, hint)
                : NULL;
    return why ? planner_say_impossible(p, ret, why) : etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
}
