/* Where a thing goes: the place on its support, with room left for what goes there too; and what the support is where
 * that of its neighbour has no room ("next to the bread", which lies on a board: on the counter). */
#include "worker/model/builtin_planner_own.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

enum { SUPPORTS_TRIED = 24 };

static builtin_taste taste_of(uint32_t given_up) { return given_up > 0 ? TASTE_TIGHT : TASTE_ROOMY; }

/* Attempts that failed at this step before, counted by node: each moves the choice on by one. */
uint32_t planner_failures(const planner *p, uint32_t object)
{
    const json_t *rows = json_object_get(p->talk->task, "failed_here");
    json_int_t last = -1;
    uint32_t count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *instruction = json_string_value(json_object_get(row, "instruction"));
        json_int_t node = json_integer_value(json_object_get(row, "node"));
        if (node == last || !instruction || !strstr(instruction, p->facts->objects[object].name)) continue;
        last = node;
        count++;
    }
    return count;
}

/* Is there room for `rest` (things that go to the same place later) when `first` stands at `spot`? */
static etna_code leaves_room(const planner *p, uint32_t reference, const builtin_move *move, uint32_t first,
                             const builtin_spot *spot, const uint32_t *rest, uint32_t count, bool *ret_room)
{
    builtin_rect taken[BUILTIN_MOVES_MAX];
    uint32_t used = 0;
    taken[used++] = builtin_footprint(&p->facts->objects[first], spot->point[0], spot->point[1], 0.005);
    for (uint32_t i = 0; i < count && used < BUILTIN_MOVES_MAX; i++) {
        builtin_wish wish = {.object = rest[i],
                             .reference = reference,
                             .taste = TASTE_TIGHT,
                             .taken = taken,
                             .taken_count = used,
                             .move = move};
        builtin_spot spots[BUILTIN_SPOTS_MAX];
        uint32_t found = 0;
        etna_code code = builtin_spots(p->facts, &wish, spots, &found, p->err);
        if (code != ETNA_OK) return code;
        *ret_room = found > 0;
        if (found == 0) return ETNA_OK;
        taken[used++] = builtin_footprint(&p->facts->objects[rest[i]], spots[0].point[0], spots[0].point[1], 0.005);
    }
    *ret_room = true;
    return ETNA_OK;
}

/* Half way to the other thing, or half as far again. */
static void nearer_or_farther(const planner *p, const builtin_move *move, uint32_t object, builtin_wish *wish)
{
    const double *own = p->facts->objects[object].centre, *other = p->facts->objects[move->reference].centre;
    double share = move->relation == RELATION_TOWARD ? 0.6 : -0.6;
    wish->taste = TASTE_NEAR;
    for (int k = 0; k < 2; k++) wish->near[k] = own[k] + share * (other[k] - own[k]);
}

/* Spots that are no nearer (farther) than the thing is now are none. */
static uint32_t keep_farther(const planner *p, const builtin_move *move, uint32_t object, builtin_spot *spots,
                             uint32_t count)
{
    const double *own = p->facts->objects[object].centre, *other = p->facts->objects[move->reference].centre;
    double sign = move->relation == RELATION_AWAY ? 1 : -1,
           now = sqrt((own[0] - other[0]) * (own[0] - other[0]) + (own[1] - other[1]) * (own[1] - other[1]));
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        double dx = spots[i].point[0] - other[0], dy = spots[i].point[1] - other[1];
        if (sign * (sqrt(dx * dx + dy * dy) - now) > 0.02) spots[kept++] = spots[i];
    }
    return kept;
}

/* A place for list[0] where `move` wants it, with room left for the rest of the list if there is such a place. */
etna_code planner_find_place(const planner *p, const builtin_move *move, const uint32_t *list, uint32_t count,
                             plan *ret, bool *ret_found)
{
    const double(*avoid)[3] = NULL;
    uint32_t given_up = 0, found = 0, reference = builtin_support_of(p->facts, move, list[0]);
    *ret_found = false;
    if (reference == BUILTIN_NONE) return ETNA_OK;
    etna_code code = builtin_given_up(p->talk, "given_up_here", list[0], &avoid, &given_up, p->err);
    if (code != ETNA_OK) return code;
    builtin_wish wish = {.object = list[0],
                         .reference = reference,
                         .taste = taste_of(given_up),
                         .avoid = avoid,
                         .avoid_count = given_up,
                         .move = move};
    bool along = move->relation == RELATION_TOWARD || move->relation == RELATION_AWAY;
    if (along) nearer_or_farther(p, move, list[0], &wish);
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    code = builtin_spots(p->facts, &wish, spots, &found, p->err);
    if (code == ETNA_OK && along) found = keep_farther(p, move, list[0], spots, found);
    wish.turned = code == ETNA_OK && found == 0 && move->relation == RELATION_ON && move->facing == FACING_NONE;
    if (wish.turned)
        code =
            builtin_spots(p->facts, &wish, spots, &found, p->err); /* a tray that goes on the shelf only lengthwise */
    if (code != ETNA_OK) return code;
    *ret_found = found > 0;
    if (found == 0) return ETNA_OK;
    uint32_t shift = planner_failures(p, list[0]) % found;
    *ret = (plan){.object = list[0],
                  .reference = reference,
                  .spot = spots[shift],
                  .because = "",
                  .move = planner_is_plain(move) ? NULL : move};
    if (count < 2) return ETNA_OK;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < found; i++) {
            const builtin_spot *spot = &spots[(i + shift) % found];
            bool room = false;
            code = leaves_room(p, reference, move, list[0], spot, list + 1, count - 1, &room);
            if (code != ETNA_OK) return code;
            if (!room) continue;
            ret->spot = *spot;
            return ETNA_OK;
        }
        wish.taste = TASTE_TIGHT; /* in the middle there is no such place: at the edges? */
        code = builtin_spots(p->facts, &wish, spots, &found, p->err);
        if (code != ETNA_OK || found == 0) return code;
        shift %= found;
    }
    return ETNA_OK;
}

/* Could the thing stand there as asked, not far below what it is to be beside, if all that can leave had left? *ret_gap:
 * from that. */
static etna_code has_place_on(const planner *p, const builtin_move *move, uint32_t object, uint32_t base, bool *ret,
                              double *ret_gap)
{
    const builtin_facts *facts = p->facts;
    uint32_t *list = etna_arena_alloc(p->talk->arena, facts->object_count + 1u, sizeof *list), found = 0;
    if (!list) return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    builtin_wish wish = {.object = object, .reference = base, .taste = TASTE_ROOMY, .move = move, .ignored = list};
    for (uint32_t i = 0; i < facts->object_count; i++) {
        const builtin_object *o = &facts->objects[i];
        bool leaves = !o->is_static && !o->immovable && !planner_is_above(facts, move->reference, i);
        if (i != object && leaves && builtin_is_above(facts, i, base)) list[wish.ignored_count++] = i;
    }
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    etna_code code = builtin_spots(facts, &wish, spots, &found, p->err);
    if (code != ETNA_OK) return code;
    const double lower = 0.15; /* metres: a board, a tray or a few books; not the floor for what stands on a cabinet */
    const builtin_object *ref = &facts->objects[move->reference];
    *ret = found > 0 && spots[0].point[2] > ref->centre[2] - ref->half[2] - lower;
    if (found > 0) *ret_gap = builtin_gap(facts, move, object, spots[0].point);
    return ETNA_OK;
}

/* Another thing to stand on, where the one under its neighbour `move` speaks of has no such place: of those as high, as
 * the next cabinet of a counter, the one with the nearest place; else what bears that one. */
static etna_code other_support(const planner *p, const builtin_move *move, uint32_t object, uint32_t base,
                               uint32_t *ret)
{
    const double level = 0.03, reach = 1; /* metres */
    const builtin_facts *facts = p->facts;
    const builtin_object *ref = &facts->objects[move->reference];
    double least = 0, gap = 0;
    uint32_t tries = 0;
    *ret = BUILTIN_NONE;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        double way[2];
        for (int k = 0; k < 2; k++) {
            double low = s->origin[k], high = low + s->cell * (k ? s->rows : s->columns);
            way[k] = ref->centre[k] < low ? low - ref->centre[k] : ref->centre[k] > high ? ref->centre[k] - high : 0;
        }
        bool near = sqrt(way[0] * way[0] + way[1] * way[1]) < reach &&
                    fabs(s->height - (ref->centre[2] - ref->half[2])) <= level;
        if (!near || s->object == base || s->object == object || s->object == move->reference) continue;
        if (tries++ == SUPPORTS_TRIED) break;
        builtin_move there = *move;
        there.support = s->object;
        bool found = false;
        etna_code code = has_place_on(p, &there, object, s->object, &found, &gap);
        if (code != ETNA_OK) return code;
        if (!found || (*ret != BUILTIN_NONE && gap >= least)) continue;
        *ret = s->object;
        least = gap;
    }
    uint32_t below = base;
    for (int depth = 0; depth < 4 && *ret == BUILTIN_NONE && facts->objects[below].by_count > 0; depth++) {
        below = facts->objects[below].by[0];
        if (below == object) break;
        builtin_move there = *move;
        there.support = below;
        bool found = false;
        etna_code code = has_place_on(p, &there, object, below, &found, &gap);
        if (code != ETNA_OK) return code;
        if (found) *ret = below;
    }
    return ETNA_OK;
}

etna_code planner_choose_supports(planner *p)
{
    for (uint32_t i = 0; i < p->reading.count; i++) {
        builtin_move *move = &p->reading.moves[i];
        bool beside = move->relation >= RELATION_BESIDE && move->relation <= RELATION_BEHIND;
        if (!beside || move->support != BUILTIN_NONE || move->objects.count == 0 || move->level > 0) continue;
        uint32_t object = move->objects.objects[0], base = builtin_support_of(p->facts, move, object), other;
        if (base == BUILTIN_NONE || p->facts->objects[base].is_static || planner_will_move(p, base) ||
            planner_will_move(p, move->reference) || builtin_is_hung(p->facts, move, object))
            continue;
        bool found = false;
        double gap = 0;
        etna_code code = has_place_on(p, move, object, base, &found, &gap);
        if (code == ETNA_OK && !found) code = other_support(p, move, object, base, &other);
        if (code != ETNA_OK) return code;
        if (!found) move->support = other;
    }
    return ETNA_OK;
}

/* What is to be moved beside a thing that it stands not far from goes nearer, where there is a nearer place; else it
 * stands as asked already. */
etna_code planner_forgo_no_nearer(planner *p)
{
    for (uint32_t i = 0; i < p->reading.count; i++) {
        builtin_move *move = &p->reading.moves[i];
        for (uint32_t k = 0; k < move->objects.count && move->goes; k++) {
            uint32_t object = move->objects.objects[k];
            const builtin_object *o = &p->facts->objects[object];
            const double at[3] = {o->centre[0], o->centre[1], o->centre[2] - o->half[2]};
            builtin_move state = *move;
            state.goes = false;
            if (!planner_holds(p, &state, object) || planner_holds(p, move, object)) continue;
            plan chosen;
            bool found = false;
            etna_code code = planner_find_place(p, move, &object, 1, &chosen, &found);
            if (code != ETNA_OK) return code;
            bool nearer = found && builtin_gap(p->facts, move, object, chosen.spot.point) <
                                       builtin_gap(p->facts, move, object, at) - 0.05;
            if (!nearer) move->goes = false;
        }
    }
    return ETNA_OK;
}
