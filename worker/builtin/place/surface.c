/* Which of a thing's surfaces is meant when something is put onto it or into it: a
 * table's top and not its shelf, a seat's cushion and not its back. */
#include "worker/builtin/place/place_internal.h"
#include "worker/builtin/relation.h"
#include "worker/math/vec.h"

#include <math.h>
#include <string.h>

enum {
    CLEAR_TALL = 160 /* centimetres: open above */
};

/* 0 where they do not. */
static double overlap_of(double low_a,
                         double high_a,
                         double low_b,
                         double high_b)
{
    return math_max(math_min(high_a, high_b) - math_max(low_a, low_b), 0);
}

/* Cells with so much room above, by that map of the surface. */
static uint32_t surface_cells_clear(const builtin_surface *s,
                                    const uint8_t *map,
                                    uint32_t centimetres)
{
    uint32_t count = 0;
    for (size_t i = 0; i < (size_t)s->columns * s->rows; i++)
        count += map[i] >= centimetres;
    return count;
}

/* As things stand. */
static uint32_t clear_count(const builtin_surface *s, uint32_t centimetres)
{
    return surface_cells_clear(s, s->map.clear, centimetres);
}

/* Is most of what is free on the surface free as high up as people need it? */
static bool is_open_above(const builtin_surface *s)
{
    return 2 * clear_count(s, CLEAR_TALL) > clear_count(s, BUILTIN_CLEAR_LEAST);
}

/* The surface of a seat with most room to sit on, whatever lies there now, and
 * no back where anything is lower; NULL: none is known. */
static const builtin_surface *seat_surface(const builtin_facts *facts,
                                           uint32_t object)
{
    const double highest = 0.7; /* metres over its foot, that people sit at */
    const builtin_object *o = &facts->objects[object];
    const builtin_surface *seat = NULL;
    uint32_t most = 0;
    bool any_low = false;
    if (!builtin_is_seat(o))
        return NULL;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object != object || s->shut)
            continue;
        const uint32_t tall = surface_cells_clear(s, s->map.fixed, CLEAR_TALL);
        const uint32_t all =
            surface_cells_clear(s, s->map.fixed, BUILTIN_CLEAR_LEAST);
        const bool is_low = s->height <= builtin_foot(o) + highest;
        if (2 * tall <= all || (any_low && !is_low))
            continue;
        if (is_low == any_low && tall <= most)
            continue;
        any_low = is_low;
        most = tall;
        seat = s;
    }
    return seat;
}

/* Is it a seat's back or arm, where the seat itself was meant? */
static bool is_over_seat(const builtin_facts *facts,
                         const builtin_wish *wish,
                         double height)
{
    const double cushion = 0.1; /* metres: higher is none */
    const builtin_move *move = wish->move;
    const bool on_it =
        !move || (move->level == 0 && (move->relation == RELATION_ON ||
                                       move->relation == RELATION_IN ||
                                       move->relation == RELATION_MIDDLE));
    if (!on_it)
        return false;
    const builtin_surface *seat = seat_surface(facts, wish->reference);
    return seat && height > seat->height + cushion;
}

/* Across the thing's heading, and along it, from its middle. */
static void seat_own_axes(const builtin_object *o,
                          const double at[2],
                          double ret[2])
{
    const double to[2] = {at[0] - o->centre[0], at[1] - o->centre[1]};
    ret[0] = -to[0] * o->heading[1] + to[1] * o->heading[0];
    ret[1] = to[0] * o->heading[0] + to[1] * o->heading[1];
}

/* Of all cushions at the seat's height. False: it has no seat. */
bool builtin_seat_middle(const builtin_facts *facts,
                         uint32_t object,
                         double ret[2],
                         builtin_rect *ret_open)
{
    const double level = 0.05; /* metres: the cushions of a sofa are one seat */
    const builtin_surface *seat = seat_surface(facts, object);
    double sum[2] = {0, 0};
    uint32_t count = 0;
    if (!seat)
        return false;
    builtin_rect open = {.low = {INFINITY, INFINITY},
                         .high = {-INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object != object || !is_open_above(s) ||
            fabs(s->height - seat->height) > level)
            continue;
        for (uint32_t cell = 0; cell < s->rows * s->columns; cell++) {
            const uint32_t column = cell % s->columns;
            const uint32_t row = cell / s->columns;
            if (!builtin_is_clear(s, column, row, CLEAR_TALL))
                continue;
            const double at[2] = {s->origin[0] + (column + 0.5) * s->cell,
                                  s->origin[1] + (row + 0.5) * s->cell};
            double own[2];
            seat_own_axes(&facts->objects[object], at, own);
            for (int k = 0; k < 2; k++) {
                sum[k] += at[k];
                open.low[k] = math_min(open.low[k], own[k]);
                open.high[k] = math_max(open.high[k], own[k]);
            }
            count++;
        }
    }
    if (count == 0)
        return false; /* all of it is taken */
    *ret_open = open;
    for (int k = 0; k < 2; k++)
        ret[k] = sum[k] / count;
    return true;
}

/* Does the one surface cover nearly all of the other, some way above it? */
static bool surface_covers(const builtin_surface *t, const builtin_surface *s)
{
    if (t->object != s->object || t->height < s->height + 0.03 || t->shut)
        return false;
    const double width = s->columns * s->cell;
    const double depth = s->rows * s->cell;
    const double x =
        overlap_of(s->origin[0], s->origin[0] + width, t->origin[0],
                   t->origin[0] + t->columns * t->cell);
    const double y = overlap_of(s->origin[1], s->origin[1] + depth,
                                t->origin[1], t->origin[1] + t->rows * t->cell);
    return x * y > 0.8 * width * depth;
}

/* Does the surface lie inside its thing, as a cupboard's boards do: under
 * another of its surfaces that covers nearly all of it? A seat between arms and
 * a back is open above, though a box about the arms takes it in. */
static bool is_inside(const builtin_facts *facts, uint32_t index)
{
    const builtin_surface *s = &facts->surfaces[index];
    if (is_open_above(s))
        return false;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        if (surface_covers(&facts->surfaces[i], s))
            return true;
    }
    return false;
}

/* Of a thing that is to be put into another: does the surface lie under the
 * bottom that is meant, as the slats under a crib's mattress do? That bottom is
 * open above and within the thing; a cupboard's roof is not. */
static bool is_under_bottom(const builtin_facts *facts,
                            const builtin_wish *wish,
                            uint32_t index)
{
    if (wish->move->level > 0)
        return false;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *t = &facts->surfaces[i];
        if (!surface_covers(t, &facts->surfaces[index]) || !is_open_above(t))
            continue;
        const double at[3] = {t->origin[0] + t->columns * t->cell / 2,
                              t->origin[1] + t->rows * t->cell / 2, t->height};
        if (builtin_misfit(facts, wish->move, wish->object, at) <= 0)
            return true;
    }
    return false;
}

enum {
    SURFACES = 16
};

typedef struct levels { /* the surfaces of one thing, and the places on each */
    uint32_t used, index[SURFACES];
    builtin_spot spots[SURFACES][BUILTIN_SPOTS_MAX];
    uint32_t counts[SURFACES], rooms[SURFACES];
    bool any; /* it has surfaces, if only such as no hand comes to */
} levels;

/* The surfaces of the reference that may be meant, each with its spots. shut:
 * no hand comes there. */
static etna_code levels_fill(const builtin_facts *facts,
                             const builtin_wish *wish,
                             bool squeezed,
                             levels *ret,
                             etna_error *err)
{
    *ret = (levels){0};
    for (uint32_t i = 0; i < facts->surface_count && ret->used < SURFACES;
         i++) {
        if (facts->surfaces[i].object != wish->reference)
            continue;
        ret->any = true;
        if (facts->surfaces[i].shut)
            continue;
        if (wish->move &&
            builtin_is_below_top(facts, wish->move, wish->reference,
                                 facts->surfaces[i].height))
            continue;
        if (is_over_seat(facts, wish, facts->surfaces[i].height))
            continue;
        const uint32_t at = ret->used++;
        etna_arena scratch = ETNA_ARENA_INIT;
        etna_code code =
            place_spots_of(facts, wish, i, squeezed, &scratch, ret->spots[at],
                           &ret->counts[at], &ret->rooms[at], err);
        etna_arena_free(&scratch);
        if (code != ETNA_OK)
            return code;
        ret->index[at] = i;
    }
    return ETNA_OK;
}

/* Of its whole map. */
double builtin_surface_area(const builtin_surface *s)
{
    return s->cell * s->columns * s->cell * s->rows;
}

/* The height at which one works at a table or counter: the highest broad
 * surface within reach, not a shelf above it. */
static bool builtin_worktop(const builtin_facts *facts,
                            uint32_t object,
                            double *ret_height)
{
    const double lowest = 0.35, highest = 1.2; /* metres over its foot */
    const builtin_object *base = &facts->objects[object];
    double broadest = 0;
    bool found = false;
    if (!builtin_is_table(base))
        return false;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object == object && !s->shut)
            broadest = math_max(broadest, builtin_surface_area(s));
    }
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        const double over = s->height - builtin_foot(base);
        bool is_reached = over >= lowest && over <= highest;
        if (s->object != object || s->shut || !is_reached)
            continue;
        if (builtin_surface_area(s) < 0.5 * broadest ||
            (found && s->height <= *ret_height))
            continue;
        *ret_height = s->height;
        found = true;
    }
    return found;
}

/* "On the shelf" means its top, unless a board is named. */
bool builtin_is_below_top(const builtin_facts *facts,
                          const builtin_move *move,
                          uint32_t base,
                          double height)
{
    const double level = 0.03; /* metres */
    double top;
    const bool bare = move->level == 0 && (move->relation == RELATION_ON ||
                                           move->relation == RELATION_MIDDLE);
    return bare && builtin_worktop(facts, base, &top) && height < top - level;
}

/* At a table or a workbench the top where hands are, however much lies there:
 * not the one over it. SURFACES: it has no such top with room. */
static uint32_t levels_worktop(const builtin_facts *facts,
                               const builtin_wish *wish,
                               const levels *l)
{
    const double level = 0.03; /* metres */
    double top;
    if (!wish->move || wish->move->relation == RELATION_IN ||
        wish->move->relation == RELATION_UNDER)
        return SURFACES;
    if (!builtin_worktop(facts, wish->reference, &top))
        return SURFACES;
    for (uint32_t i = 0; i < l->used; i++) {
        if (l->counts[i] > 0 &&
            fabs(facts->surfaces[l->index[i]].height - top) < level)
            return i;
    }
    return SURFACES;
}

/* The most room that one level has, of those that are not inside the thing, if
 * there is one, and no roof. */
static uint32_t levels_roomiest(const levels *l,
                                const bool *inside,
                                const bool *roof,
                                bool *ret_open)
{
    uint32_t open = 0, all = 0;
    for (uint32_t i = 0; i < l->used; i++) {
        if (roof[i])
            continue;
        all = l->rooms[i] > all ? l->rooms[i] : all;
        if (!inside[i])
            open = l->rooms[i] > open ? l->rooms[i] : open;
    }
    *ret_open = open > 0;
    return open > 0 ? open : all;
}

/* Is it the roof of what has boards below it, where eyes do not see? People put
 * things onto a bookcase's boards who say "on the bookcase", and name its top
 * where they mean that. What has doors before its boards has only its top. */
static bool levels_is_roof(const builtin_facts *facts,
                           const builtin_wish *wish,
                           const levels *l,
                           uint32_t at)
{
    const double eyes = 1.6; /* metres over its foot */
    const builtin_object *base = &facts->objects[wish->reference];
    const double highest = builtin_foot(base) + eyes;
    const bool any = wish->near_foot != NULL;
    const bool bare = wish->move ? wish->move->level == 0 : any;
    if (!bare || (wish->move && builtin_has_doors(base)) ||
        facts->surfaces[l->index[at]].height <= highest)
        return false;
    for (uint32_t i = 0; i < l->used; i++) {
        if (l->counts[i] > 0 && facts->surfaces[l->index[i]].height <= highest)
            return true;
    }
    return false;
}

/* The higher one, or the one that is nearer to the height that is wished for. */
static bool levels_prefers(const builtin_facts *facts,
                           const builtin_wish *wish,
                           uint32_t one,
                           uint32_t other)
{
    const double height = facts->surfaces[one].height;
    const double than = facts->surfaces[other].height;
    if (!wish->near_foot)
        return height > than;
    return fabs(height - *wish->near_foot) < fabs(than - *wish->near_foot);
}

/* Does the surface lie inside the thing, where that is not what was asked? */
static bool levels_is_inside(const builtin_facts *facts,
                             const builtin_wish *wish,
                             uint32_t index)
{
    const builtin_relation relation =
        wish->move ? wish->move->relation : RELATION_ON;
    if (relation == RELATION_IN)
        return is_under_bottom(facts, wish, index);
    return relation != RELATION_UNDER && is_inside(facts, index);
}

/* The highest (levels_prefers) that has at least half as much room as the one
 * with most: a table's top, not its shelf. What lies inside the thing only when that is
 * asked, or is all there is for what was asked. SURFACES: none has room. */
static uint32_t levels_choose(const builtin_facts *facts,
                              const builtin_wish *wish,
                              const levels *l)
{
    /* nothing is put beneath a cushion's cover, but on a bench's lower board */
    bool hollow = !builtin_is_seat(&facts->objects[wish->reference]) ||
                  (wish->move && wish->move->level > 0);
    bool inside[SURFACES] = {false};
    bool roof[SURFACES] = {false};
    bool has_open;
    for (uint32_t i = 0; i < l->used; i++) {
        roof[i] = levels_is_roof(facts, wish, l, i);
        inside[i] = levels_is_inside(facts, wish, l->index[i]);
    }
    uint32_t roomiest = levels_roomiest(l, inside, roof, &has_open);
    const bool is_meant = wish->move || wish->near_foot;
    bool may_be_inside = !has_open && is_meant && hollow;
    uint32_t best = levels_worktop(facts, wish, l);
    if (best < SURFACES)
        return best;
    for (uint32_t i = 0; i < l->used; i++) {
        bool hidden = roof[i] || (inside[i] && !may_be_inside);
        if (l->counts[i] == 0 || 2 * (uint64_t)l->rooms[i] < roomiest || hidden)
            continue;
        if (best == SURFACES ||
            levels_prefers(facts, wish, l->index[i], l->index[best]))
            best = i;
    }
    return best;
}

/* Over the middle of one of its surfaces, or of its box where it has none. */
static bool levels_find_middle(const builtin_facts *facts,
                               const builtin_wish *wish,
                               const levels *l,
                               builtin_spot *ret)
{
    if (!l->any)
        return place_top_spot(facts, wish, ret);
    for (uint32_t i = 0; i < l->used; i++) {
        if (place_centre_spot(facts, wish, l->index[i], ret))
            return true;
    }
    return false;
}

/* Over a seam between two of its surfaces. */
static bool levels_find_seam(const builtin_facts *facts,
                             const builtin_wish *wish,
                             const levels *l,
                             builtin_spot *ret)
{
    for (uint32_t i = 0; i < l->used; i++) {
        if (place_seam_spot(facts, wish, l->index[i], ret))
            return true;
    }
    return false;
}

/* First places with room around them, and only where there are none squeezed
 * ones. */
static etna_code spots_find(const builtin_facts *facts,
                            const builtin_wish *wish,
                            builtin_spot *ret,
                            uint32_t *ret_count,
                            etna_error *err)
{
    *ret_count = 0;
    for (int squeezed = 0; squeezed < 2 && *ret_count == 0; squeezed++) {
        levels l;
        etna_code code = levels_fill(facts, wish, squeezed > 0, &l, err);
        if (code != ETNA_OK)
            return code;
        const uint32_t best = levels_choose(facts, wish, &l);
        if (best < SURFACES) {
            *ret_count = l.counts[best];
            memcpy(ret, l.spots[best], l.counts[best] * sizeof *ret);
        } else if (levels_find_middle(facts, wish, &l, &ret[0]) ||
                   (squeezed > 0 &&
                    levels_find_seam(facts, wish, &l, &ret[0]))) {
            *ret_count = 1;
        }
    }
    return ETNA_OK;
}

/* The facts with one object turned; shares everything else. */
etna_code builtin_turned(const builtin_facts *facts,
                         uint32_t object,
                         double degrees,
                         etna_arena *arena,
                         builtin_facts *ret,
                         etna_error *err)
{
    builtin_object *objects = etna_arena_memdup(
        arena, facts->objects, facts->object_count * sizeof *objects);
    if (!objects)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while turning a thing");
    builtin_object *o = &objects[object];
    double heading[2];
    builtin_heading_at(o, o->yaw_deg + degrees, heading);
    memcpy(o->heading, heading, sizeof heading);
    o->yaw_deg += degrees;
    *ret = *facts;
    ret->objects = objects;
    return ETNA_OK;
}

/* wish->turned: the thing is thought of as turned by a quarter, when it does
 * not fit as it stands. */
etna_code builtin_spots(const builtin_facts *facts,
                        const builtin_wish *wish,
                        builtin_spot *ret,
                        uint32_t *ret_count,
                        etna_error *err)
{
    const double quarter = 90;
    if (!wish->turned)
        return spots_find(facts, wish, ret, ret_count, err);
    etna_arena scratch = ETNA_ARENA_INIT;
    builtin_facts turned;
    etna_code code =
        builtin_turned(facts, wish->object, quarter, &scratch, &turned, err);
    if (code == ETNA_OK)
        code = spots_find(&turned, wish, ret, ret_count, err);
    etna_arena_free(&scratch);
    return code;
}
