/* What stands at a height keeps one: "the kettle next to the sink" is on the
 * counter beside that unit, and not on the floor before it. */
#include "worker/builtin/plan/planner_internal.h"
#include "worker/math/vec.h"

#include <math.h>

/* metres */
#define HEIGHT_RAISED 0.3 /* over the ground: that is no rug or board */
#define HEIGHT_ABOVE 0.35 /* over what the thing is to be beside */
#define HEIGHT_BELOW 0.6  /* under it, where it hangs: a window */
#define HEIGHT_TALL 0.6  /* what is beside that is not thought of at its foot */
#define HEIGHT_FIRM 0.06 /* square metres that bear things */
#define HEIGHT_REACH 1.0 /* from what it is to be beside */
#define HEIGHT_PER_UP 0.5 /* a metre up or down, as metres of gap */

typedef struct height_search { /* for the support of one thing */
    const planner *p;
    const builtin_move *move;
    uint32_t object;
    uint32_t ground; /* what the rule of the move would have it stand on */
    double floor;    /* metres: how high that is there */
    double foot;     /* of the thing, before anything was moved */
} height_search;

/* How high the ground is where the reference stands, or below it. */
static double height_of_ground(const builtin_facts *facts,
                               uint32_t ground,
                               const builtin_object *ref)
{
    const double level = 0.03; /* metres */
    double best = -INFINITY;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object != ground || s->height > builtin_foot(ref) + level)
            continue;
        if (builtin_spans(s, ref->centre[0], ref->centre[1]))
            best = math_max(best, s->height);
    }
    return isinf(best) ? builtin_foot(ref) : best;
}

/* Does it go beside a known thing, and is no level said? */
static bool height_is_beside(const builtin_facts *facts,
                             const builtin_move *move)
{
    const bool is_beside =
        move->relation >= RELATION_BESIDE && move->relation <= RELATION_AGAINST;
    return is_beside && move->reference < facts->object_count &&
           move->level <= 0;
}

/* Does the move put the thing down from where it stood at a height? *ret is
 * what is looked for then. */
static bool height_is_left(const planner *p,
                           const builtin_move *move,
                           uint32_t object,
                           uint32_t ground,
                           height_search *ret)
{
    const builtin_facts *facts = p->facts;
    if (!height_is_beside(facts, move) || ground >= facts->object_count)
        return false;
    const builtin_object *then = &p->then.objects[object];
    const builtin_object *base = &facts->objects[ground];
    const builtin_object *ref = &facts->objects[move->reference];
    if (!base->is_static && !builtin_is_covering(facts, ground))
        return false;
    const bool stood = then->by_count > 0 && !then->attached;
    if (!stood || then->by[0] == ground || then->by[0] == move->reference)
        return false;
    *ret = (height_search){.p = p,
                           .move = move,
                           .object = object,
                           .ground = ground,
                           .floor = height_of_ground(facts, ground, ref),
                           .foot = builtin_foot(then)};
    return math_min(ret->foot, builtin_top(ref)) > ret->floor + HEIGHT_RAISED;
}

/* May that thing bear what is moved: is it another one, that stays, and no wall
 * or seat? */
static bool height_may_bear(const height_search *s, uint32_t bearer)
{
    const builtin_facts *facts = s->p->facts;
    const builtin_object *base = &facts->objects[bearer];
    if (bearer == s->object || bearer == s->ground)
        return false;
    if (bearer == s->move->reference || builtin_is_wall(base))
        return false;
    return !builtin_is_seat(base) && !planner_will_move(s->p, bearer) &&
           !planner_is_above(facts, bearer, s->object);
}

/* Is that surface beside the reference, about as high as that is or the thing
 * was, and such that things are put on it? */
static bool height_is_candidate(const height_search *s,
                                const builtin_surface *surface)
{
    const builtin_object *ref = &s->p->facts->objects[s->move->reference];
    if (!height_may_bear(s, surface->object))
        return false;
    if (surface->height < s->floor + HEIGHT_RAISED ||
        surface->height > builtin_top(ref) + HEIGHT_ABOVE)
        return false;
    if (surface->height < builtin_foot(ref) - HEIGHT_BELOW)
        return false;
    if (builtin_surface_area(surface) < HEIGHT_FIRM)
        return false;
    const double x = surface->origin[0];
    const double y = surface->origin[1];
    const builtin_rect own =
        builtin_footprint(ref, ref->centre[0], ref->centre[1], HEIGHT_REACH);
    const builtin_rect its = {{x, y},
                              {x + surface->cell * surface->columns,
                               y + surface->cell * surface->rows}};
    return builtin_rects_meet(&own, &its);
}

/* Is the place one that such a thing could be looked for at? A bookcase has
 * boards beyond reach, too. */
static bool height_is_like(const height_search *s, double height)
{
    const builtin_object *ref = &s->p->facts->objects[s->move->reference];
    return height > s->floor + HEIGHT_RAISED &&
           height < builtin_top(ref) + HEIGHT_ABOVE;
}

/* What it costs to stand there, as metres; INFINITY: it cannot. A free place is
 * better than one that has to be cleared, what it stands on than another, and of
 * two as near the one that it has less far to. */
static etna_code height_try(const height_search *s, uint32_t base, double *ret)
{
    const double cleared = 0.5, another = 0.3, per_way = 0.05; /* metres */
    const planner *p = s->p;
    builtin_move there = *s->move;
    there.support = base;
    builtin_wish wish = {.object = s->object,
                         .reference = base,
                         .taste = TASTE_ROOMY,
                         .move = &there};
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    uint32_t found = 0;
    bool has_place = false;
    double gap = 0;
    *ret = INFINITY;
    etna_code code = builtin_spots(p->facts, &wish, spots, &found, p->err);
    if (code == ETNA_OK && found == 0)
        code =
            planner_has_place_on(p, &there, s->object, base, &has_place, &gap);
    if (code != ETNA_OK)
        return code;
    const double change =
        builtin_stands_on(p->facts, s->object, base) ? 0 : another;
    if (has_place)
        *ret = change + cleared + gap;
    if (found == 0 || !height_is_like(s, spots[0].point[2]))
        return ETNA_OK;
    const double *at = spots[0].point;
    const double *from = p->facts->objects[s->object].centre;
    const double dx = at[0] - from[0];
    const double dy = at[1] - from[1];
    *ret = change + builtin_gap(p->facts, &there, s->object, at) +
           HEIGHT_PER_UP * fabs(at[2] - s->foot) +
           per_way * sqrt(dx * dx + dy * dy);
    return ETNA_OK;
}

/* Does it stand beside that already, at a height? Then that bears it. */
static bool height_holds_now(const height_search *s, uint32_t *ret)
{
    const builtin_facts *facts = s->p->facts;
    const builtin_object *o = &facts->objects[s->object];
    for (uint32_t i = 0; i < facts->surface_count && o->by_count > 0; i++) {
        const builtin_surface *surface = &facts->surfaces[i];
        if (surface->object != o->by[0] || !height_is_candidate(s, surface))
            continue;
        builtin_move there = *s->move;
        there.support = o->by[0];
        *ret = o->by[0];
        return planner_holds(s->p, &there, s->object);
    }
    return false;
}

/* Of all that could bear it there, the best; BUILTIN_NONE: nothing. */
static etna_code height_find(const height_search *s, uint32_t *ret)
{
    enum {
        TRIED = 24
    };
    const builtin_facts *facts = s->p->facts;
    double best = INFINITY;
    uint32_t tries = 0, last = BUILTIN_NONE;
    *ret = BUILTIN_NONE;
    if (height_holds_now(s, ret))
        return ETNA_OK;
    *ret = BUILTIN_NONE;
    for (uint32_t i = 0; i < facts->surface_count && tries < TRIED; i++) {
        const builtin_surface *surface = &facts->surfaces[i];
        if (surface->object == last || !height_is_candidate(s, surface))
            continue;
        double cost;
        last = surface->object;
        tries++;
        etna_code code = height_try(s, last, &cost);
        if (code != ETNA_OK)
            return code;
        if (cost >= best)
            continue;
        best = cost;
        *ret = last;
    }
    return ETNA_OK;
}

/* "On the floor beside it" says itself what bears the thing. */
static bool height_is_said(const builtin_move *move)
{
    if (move->support != BUILTIN_NONE)
        return true;
    for (uint32_t i = 0; i < move->also_count; i++) {
        const builtin_relation relation = move->also[i].relation;
        if (relation == RELATION_ON || relation == RELATION_IN)
            return true;
    }
    return false;
}

etna_code planner_keep_height(planner *p,
                              builtin_move *move,
                              uint32_t object,
                              uint32_t ground)
{
    height_search s;
    if (height_is_said(move) || !height_is_left(p, move, object, ground, &s))
        return ETNA_OK;
    return height_find(&s, &move->support);
}

bool planner_comes_down(const planner *p,
                        const builtin_move *move,
                        uint32_t object,
                        uint32_t ground)
{
    height_search s;
    if (height_is_said(move) || builtin_is_hung(p->facts, move, object) ||
        !height_is_left(p, move, object, ground, &s))
        return false;
    const builtin_object *o = &p->facts->objects[object];
    const builtin_object *ref = &p->facts->objects[move->reference];
    const bool is_tall = builtin_top(ref) > s.floor + HEIGHT_TALL;
    const bool is_small =
        builtin_half_longer(o) < 0.35 && o->half[2] < 0.45; /* metres */
    return is_tall && is_small && builtin_is_of_the_table(o) &&
           !builtin_is_of_the_floor(o);
}

/* Of the move's things: does it put that one down? */
static bool height_is_left_by(const planner *p,
                              const builtin_move *move,
                              uint32_t object)
{
    height_search s;
    const uint32_t ground = builtin_support_of(p->facts, move, object);
    return !builtin_is_hung(p->facts, move, object) &&
           height_is_left(p, move, object, ground, &s);
}

/* Takes what the move puts down out of it, a move for each; what stood on the
 * ground stays in it, or else the first. */
static etna_code height_part(planner *p, uint32_t index)
{
    builtin_reading *r = &p->reading;
    const builtin_set all = r->moves[index].objects;
    uint32_t *list = etna_arena_alloc(p->talk->arena, all.count, sizeof *list);
    if (!list)
        return planner_no_memory(p);
    uint32_t front = 0, back = all.count;
    for (uint32_t i = 0; i < all.count; i++) {
        const uint32_t object = all.objects[i];
        if (height_is_left_by(p, &r->moves[index], object))
            list[--back] = object;
        else
            list[front++] = object;
    }
    const uint32_t stay = front > 0 ? front : 1;
    if (r->count + all.count - stay > BUILTIN_MOVES_MAX)
        return ETNA_OK;
    r->moves[index].objects =
        (builtin_set){.count = stay, .objects = list, .need = stay};
    for (uint32_t i = stay; i < all.count; i++) {
        builtin_move *next = &r->moves[r->count++];
        *next = r->moves[index];
        next->objects =
            (builtin_set){.count = 1, .objects = &list[i], .need = 1};
    }
    return ETNA_OK;
}

etna_code planner_part_by_height(planner *p)
{
    const uint32_t count = p->reading.count;
    for (uint32_t i = 0; i < count; i++) {
        const builtin_move *move = &p->reading.moves[i];
        const builtin_set *all = &move->objects;
        bool parts = false;
        if (all->count < 2 || all->need < all->count || move->each.count > 0 ||
            height_is_said(move))
            continue;
        for (uint32_t k = 0; k < all->count && !parts; k++)
            parts = height_is_left_by(p, move, all->objects[k]);
        etna_code code = parts ? height_part(p, i) : ETNA_OK;
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}
