/* What a thing is to stand on where the support of its neighbour has no room
 * ("next to the bread", which lies on a board: on the counter), and whether
 * there is a nearer place at all. */
#include "worker/builtin/plan/planner_internal.h"
#include "worker/math/vec.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

enum {
    SUPPORTS_TRIED = 24
};

/* May it leave the base on which it stands, were room to be made there? */
static bool could_leave(const planner *p,
                        const builtin_move *move,
                        uint32_t other,
                        uint32_t base)
{
    const builtin_object *o = &p->facts->objects[other];
    if (o->is_static || o->immovable ||
        planner_is_above(p->facts, move->reference, other))
        return false;
    return !builtin_is_covering(p->facts, other) &&
           builtin_is_above(p->facts, other, base);
}

/* As planner_has_place_on; `free`: nothing is to leave. */
static etna_code find_place_on(const planner *p,
                               const builtin_move *move,
                               uint32_t object,
                               uint32_t base,
                               bool free,
                               bool *ret,
                               double *ret_gap)
{
    const builtin_facts *facts = p->facts;
    uint32_t *list = etna_arena_alloc(p->talk->arena, facts->object_count + 1u,
                                      sizeof *list);
    uint32_t found = 0;
    if (!list)
        return planner_no_memory(p);
    builtin_wish wish = {.object = object,
                         .reference = base,
                         .taste = TASTE_ROOMY,
                         .move = move,
                         .ignored = list};
    for (uint32_t i = 0; i < facts->object_count && !free; i++) {
        if (i != object && could_leave(p, move, i, base))
            list[wish.ignored_count++] = i;
    }
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    etna_code code = builtin_spots(facts, &wish, spots, &found, p->err);
    if (code != ETNA_OK)
        return code;
    /* metres: a board, a tray or a few books; not the floor for what stands on
     * a cabinet */
    const double lower = 0.15;
    const builtin_object *ref = &facts->objects[move->reference];
    *ret = found > 0 && spots[0].point[2] > builtin_foot(ref) - lower;
    if (found > 0)
        *ret_gap = builtin_gap(facts, move, object, spots[0].point);
    return ETNA_OK;
}

/* Could the thing stand there as asked, not far below what it is to be beside,
 * if all that can leave had left? *ret_gap: from that. */
etna_code planner_has_place_on(const planner *p,
                               const builtin_move *move,
                               uint32_t object,
                               uint32_t base,
                               bool *ret,
                               double *ret_gap)
{
    return find_place_on(p, move, object, base, false, ret, ret_gap);
}

/* of another thing to stand on than `base`, which bears what `move` speaks
 * of */
typedef struct bearer_search {
    const planner *p;
    const builtin_move *move;
    uint32_t object, base, best;
    bool free;    /* only where nothing is to leave */
    double least; /* metres from the best to what it is to be beside */
} bearer_search;

static etna_code bearer_try(const bearer_search *s,
                            uint32_t bearer,
                            bool *ret,
                            double *ret_gap)
{
    builtin_move there = *s->move;
    there.support = bearer;
    *ret = false;
    return find_place_on(s->p, &there, s->object, bearer, s->free, ret,
                         ret_gap);
}

/* Metres from the middle of what it is to be beside to the surface's rectangle,
 * as seen from above. */
static double bearer_way(const builtin_surface *s, const builtin_object *ref)
{
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        const double low = s->origin[k];
        const double high = low + s->cell * (k ? s->rows : s->columns);
        const double way =
            math_max(math_max(low - ref->centre[k], ref->centre[k] - high), 0);
        sum += way * way;
    }
    return sqrt(sum);
}

/* Another surface at the same height beside the reference. */
static bool bearer_is_candidate(const bearer_search *s,
                                const builtin_surface *surface)
{
    const double level = 0.03, reach = 1; /* metres */
    const builtin_facts *facts = s->p->facts;
    const builtin_object *ref = &facts->objects[s->move->reference];
    const bool own =
        surface->object == s->object || surface->object == s->move->reference;
    if (own || surface->object == s->base)
        return false;
    if (facts->objects[s->base].is_static &&
        !builtin_is_covering(facts, surface->object))
        return false;
    if (fabs(surface->height - builtin_foot(ref)) > level)
        return false;
    return bearer_way(surface, ref) < reach;
}

/* Of those as high, as the next cabinet of a counter, the one with the nearest
 * place. */
static etna_code bearer_find_level(bearer_search *s)
{
    const builtin_facts *facts = s->p->facts;
    uint32_t tries = 0;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *surface = &facts->surfaces[i];
        if (!bearer_is_candidate(s, surface))
            continue;
        if (tries++ == SUPPORTS_TRIED)
            break;
        bool found;
        double gap = 0;
        etna_code code = bearer_try(s, surface->object, &found, &gap);
        if (code != ETNA_OK)
            return code;
        if (!found || (s->best != BUILTIN_NONE && gap >= s->least))
            continue;
        s->best = surface->object;
        s->least = gap;
    }
    return ETNA_OK;
}

/* What bears `base`, and so on down. */
static etna_code bearer_find_below(bearer_search *s)
{
    enum {
        DEPTH = 4
    };
    const builtin_facts *facts = s->p->facts;
    uint32_t below = s->base;
    for (int depth = 0; depth < DEPTH && facts->objects[below].by_count > 0;
         depth++) {
        below = facts->objects[below].by[0];
        if (below == s->object)
            return ETNA_OK;
        bool found;
        double gap = 0;
        etna_code code = bearer_try(s, below, &found, &gap);
        if (code != ETNA_OK)
            return code;
        if (!found)
            continue;
        s->best = below;
        return ETNA_OK;
    }
    return ETNA_OK;
}

/* Another thing to stand on, where the one under its neighbour `move` speaks of
 * has no such place; BUILTIN_NONE: there is none. */
static etna_code other_support(const planner *p,
                               const builtin_move *move,
                               uint32_t object,
                               uint32_t base,
                               uint32_t *ret)
{
    bearer_search s = {.p = p,
                       .move = move,
                       .object = object,
                       .base = base,
                       .best = BUILTIN_NONE};
    etna_code code = bearer_find_level(&s);
    if (code == ETNA_OK && s.best == BUILTIN_NONE)
        code = bearer_find_below(&s);
    if (code == ETNA_OK)
        *ret = s.best;
    return code;
}

static bool find_has_covering(const builtin_facts *facts, uint32_t base)
{
    for (uint32_t i = 0; i < facts->objects[base].on_count; i++) {
        if (builtin_is_covering(facts, facts->objects[base].on[i]))
            return true;
    }
    return false;
}

/* Does it say beside what, and not on what? */
static bool move_is_merely_beside(const builtin_move *move)
{
    const bool beside = (move->relation >= RELATION_BESIDE &&
                         move->relation <= RELATION_BETWEEN) ||
                        move->relation == RELATION_END;
    const bool says_on = move->support != BUILTIN_NONE || move->level > 0;
    return beside && !says_on && move->objects.count > 0;
}

/* What has a place at once on the carpet that lies there, where something on the
 * floor would have to leave for it; *ret untouched: nothing has. */
static etna_code covering_choose(const planner *p,
                                 const builtin_move *move,
                                 uint32_t object,
                                 uint32_t floor,
                                 uint32_t *ret)
{
    bearer_search s = {.p = p,
                       .move = move,
                       .object = object,
                       .base = floor,
                       .free = true,
                       .best = BUILTIN_NONE};
    bool found = false;
    double gap = 0;
    if (!find_has_covering(p->facts, floor))
        return ETNA_OK;
    etna_code code = find_place_on(p, move, object, floor, true, &found, &gap);
    if (code == ETNA_OK && !found)
        code = bearer_find_level(&s);
    if (code == ETNA_OK && s.best != BUILTIN_NONE)
        *ret = s.best;
    return code;
}

/* Is there nothing to choose: does the move's base itself move, or hangs what
 * is moved? */
static bool support_is_settled(const planner *p,
                               const builtin_move *move,
                               uint32_t base)
{
    return base == BUILTIN_NONE || planner_will_move(p, base) ||
           planner_will_move(p, move->reference) ||
           builtin_is_hung(p->facts, move, move->objects.objects[0]);
}

/* The move's support where it stays on its own, or where its own has no place. */
static etna_code support_choose(planner *p, builtin_move *move)
{
    const uint32_t object = move->objects.objects[0];
    const uint32_t base = builtin_support_of(p->facts, move, object);
    if (support_is_settled(p, move, base))
        return ETNA_OK;
    etna_code code = planner_keep_height(p, move, object, base);
    if (code != ETNA_OK || move->support != BUILTIN_NONE)
        return code;
    const bool is_fixed = p->facts->objects[base].is_static;
    if (is_fixed && !find_has_covering(p->facts, base))
        return ETNA_OK;
    bool found = false;
    double gap = 0;
    code = planner_has_place_on(p, move, object, base, &found, &gap);
    if (code != ETNA_OK)
        return code;
    if (!found)
        return other_support(p, move, object, base, &move->support);
    return is_fixed && move->objects.count == 1
               ? covering_choose(p, move, object, base, &move->support)
               : ETNA_OK;
}

/* "beside the plate" is on the plate's table, unless there is no place on it
 * and one beside it has. */
etna_code planner_choose_supports(planner *p)
{
    etna_code parted = planner_part_by_height(p);
    if (parted != ETNA_OK)
        return parted;
    for (uint32_t i = 0; i < p->reading.count; i++) {
        builtin_move *move = &p->reading.moves[i];
        etna_code code =
            move_is_merely_beside(move) ? support_choose(p, move) : ETNA_OK;
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

bool planner_gap_may_widen(const planner *p, const builtin_move *move)
{
    const double close = 0.05; /* metres: nobody said so much */
    bool one = move->objects.count == 1 && move->relation == RELATION_BESIDE &&
               move->facing == FACING_TO && move->goes;
    if (!one || !(move->gap > 0) || move->gap > close)
        return false;
    return builtin_is_seat(&p->facts->objects[move->objects.objects[0]]);
}

/* A gap that nobody said exactly is given up where no place holds it. */
static etna_code find_widen_gap(planner *p, builtin_move *move)
{
    if (!planner_gap_may_widen(p, move))
        return ETNA_OK;
    uint32_t object = move->objects.objects[0];
    if (planner_holds(p, move, object))
        return ETNA_OK;
    plan chosen;
    bool found = false;
    bool was_moved = planner_edits_of(p, object) > 0;
    etna_code code =
        was_moved ? ETNA_OK
                  : planner_find_place(p, move, &object, 1, &chosen, &found);
    if (code == ETNA_OK && !found)
        move->gap = -1;
    return code;
}

/* Is there a place of the move that is nearer by a step worth going? */
static etna_code find_nearer(const planner *p,
                             const builtin_move *move,
                             uint32_t object,
                             bool *ret)
{
    const builtin_object *o = &p->facts->objects[object];
    const double at[3] = {o->centre[0], o->centre[1], builtin_foot(o)};
    plan chosen;
    bool found = false;
    etna_code code = planner_find_place(p, move, &object, 1, &chosen, &found);
    if (code != ETNA_OK)
        return code;
    const double now = planner_gap(p, move, object, at);
    const double step = math_min(0.3 * now, 0.05);
    *ret = found && planner_gap(p, move, object, chosen.exact.at) < now - step;
    return ETNA_OK;
}

/* A thing that is to go beside another, and is not far from it already, goes
 * nearer where there is a nearer place. Where there is none, it stands as
 * asked. */
etna_code planner_forgo_no_nearer(planner *p)
{
    for (uint32_t i = 0; i < p->reading.count; i++) {
        builtin_move *move = &p->reading.moves[i];
        etna_code widened = find_widen_gap(p, move);
        if (widened != ETNA_OK)
            return widened;
        for (uint32_t k = 0; k < move->objects.count && move->goes; k++) {
            uint32_t object = move->objects.objects[k];
            builtin_move state = *move;
            state.goes = false;
            if (!planner_holds(p, &state, object) ||
                planner_holds(p, move, object))
                continue;
            etna_code code = find_nearer(p, move, object, &move->goes);
            if (code != ETNA_OK)
                return code;
        }
    }
    return ETNA_OK;
}
