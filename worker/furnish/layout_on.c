/* What stands on something: which item bears it, by boxes. Where on that it
 * stands, who sets it there says. */
#include "worker/furnish/layout_search_internal.h"

#include <math.h>

/* What stands on an item already. */
typedef struct load {
    double area;          /* m2, of their boxes */
    uint32_t count, same; /* all, and those of the thing asked for */
} load;

/* What stands on that bearer so far, and how much of it is of the same
 * thing. */
static load load_on(const search *s,
                    const layout_plan *plan,
                    uint32_t bearer,
                    uint32_t thing)
{
    load l = {0};
    for (uint32_t n = 0; n < plan->item_count; n++) {
        const layout_place *p = &plan->items[n];
        if (!p->placed || p->on != bearer)
            continue;
        const layout_model *m = layout_model_of(&s->c, p);
        l.area += m->size[0] * m->size[2];
        l.count++;
        l.same += p->thing == thing;
    }
    return l;
}

/* On how many boards, one over the other, it bears things, as far as its height
 * tells: where there are fewer, who sets things there says so. */
static double boards_of(const layout_model *bearer)
{
    const double lowest = 0.9, apart = 0.4; /* metres */
    return bearer->size[1] < lowest ? 1 : floor(bearer->size[1] / apart);
}

/* Is a model, turned if need be, no larger than what it is to stand on, and is
 * room left there? `tight`: that shows where true triangles meet. */
static bool fits_on(const layout_model *m,
                    const layout_model *bearer,
                    double used,
                    bool tight)
{
    const double *a = m->size;
    const double *b = bearer->size;
    bool fits = fmin(a[0], a[2]) <= fmin(b[0], b[2]) + 0.02 &&
                fmax(a[0], a[2]) <= fmax(b[0], b[2]) + 0.02;
    const double share = tight ? 1 : 0.85;
    return fits &&
           used + a[0] * a[2] <= share * b[0] * b[2] * boards_of(bearer);
}

/* On a picture nothing stands; on a shelf that hangs it does. */
static bool is_too_thin(const search *s, const layout_place *q)
{
    const double thin = 0.12; /* metres */
    return s->c.things[q->thing].footing == HABITS_HUNG &&
           layout_model_of(&s->c, q)->size[2] < thin;
}

/* Would it reach the ceiling there? Between two boards what is low stands. */
static bool is_too_high(const search *s,
                        const layout_place *q,
                        const layout_model *m)
{
    const double board = 0.33, gap = 0.02; /* metres */
    return layout_top_of(&s->c, q) + m->size[1] > s->c.room->height - gap &&
           m->size[1] > board;
}

/* What an item of the anchor is loaded with, as a number to be least;
 * LAYOUT_NONE: it cannot bear the model. Same things count most, so that they
 * are shared evenly. */
static uint32_t bearer_cost(const search *s,
                            const layout_plan *plan,
                            uint32_t i,
                            uint32_t thing,
                            const layout_model *m,
                            bool tight)
{
    const layout_place *q = &plan->items[i];
    if (is_too_thin(s, q) || is_too_high(s, q, m))
        return LAYOUT_NONE;
    load l = load_on(s, plan, i, thing);
    bool fits = fits_on(m, layout_model_of(&s->c, q), l.area, tight);
    return fits ? l.same * 1000 + l.count : LAYOUT_NONE;
}

/* The least loaded of a thing's items that stand and can bear the model;
 * LAYOUT_NONE. */
static uint32_t bearer_find(const search *s,
                            const layout_plan *plan,
                            uint32_t anchor,
                            uint32_t thing,
                            const layout_model *m,
                            bool tight)
{
    uint32_t best = LAYOUT_NONE, least = LAYOUT_NONE;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *q = &plan->items[i];
        if (!q->placed || q->thing != anchor || q->on != LAYOUT_NONE)
            continue;
        uint32_t cost = bearer_cost(s, plan, i, thing, m, tight);
        if (cost >= least)
            continue;
        least = cost;
        best = i;
    }
    return best;
}

/* Of what it is tied to the first that has room; LAYOUT_NONE. */
static uint32_t bearer_tied(const search *s,
                            const layout_plan *plan,
                            uint32_t thing,
                            const layout_model *m,
                            bool tight)
{
    const layout_thing *t = &s->c.things[thing];
    uint32_t best = LAYOUT_NONE;
    for (uint32_t k = 0; k < t->tie_count && best == LAYOUT_NONE; k++) {
        if (t->ties[k].relation == BRIEF_ON)
            best = bearer_find(s, plan, t->ties[k].anchor, thing, m, tight);
    }
    return best;
}

bool layout_is_stackable(const layout_model *m)
{
    const double flat = 0.08; /* metres */
    return m->size[1] <= flat;
}

uint32_t layout_stack_top(const layout_plan *plan,
                          uint32_t thing,
                          uint32_t model,
                          uint32_t item)
{
    for (uint32_t i = item; i-- > 0;) {
        const layout_place *p = &plan->items[i];
        bool is_like = p->placed && p->thing == thing && p->model == model &&
                       p->on != LAYOUT_NONE;
        for (uint32_t k = 0; is_like && k < plan->item_count; k++)
            is_like = !plan->items[k].placed || plan->items[k].on != i;
        if (is_like)
            return i;
    }
    return LAYOUT_NONE;
}

/* On its likes, where these are flat: books on books. LAYOUT_NONE. */
static uint32_t bearer_stacked(const search *s,
                               const layout_plan *plan,
                               uint32_t item,
                               uint32_t model)
{
    uint32_t thing = s->thing_of[item];
    const layout_model *m = &s->c.things[thing].models[model];
    return layout_is_stackable(m) ? layout_stack_top(plan, thing, model, item)
                                  : LAYOUT_NONE;
}

/* Of all that can bear things the least loaded; LAYOUT_NONE. */
static uint32_t bearer_any(const search *s,
                           const layout_plan *plan,
                           uint32_t thing,
                           const layout_model *m)
{
    uint32_t best = LAYOUT_NONE, least = LAYOUT_NONE;
    for (uint32_t i = 0; i < s->thing_count; i++) {
        uint32_t item = s->c.things[i].bears && i != thing
                            ? bearer_find(s, plan, i, thing, m, false)
                            : LAYOUT_NONE;
        uint32_t cost = item == LAYOUT_NONE
                            ? LAYOUT_NONE
                            : bearer_cost(s, plan, item, thing, m, false);
        if (cost >= least)
            continue;
        least = cost;
        best = item;
    }
    return best;
}

/* How many more of the model the item has room for, by its boxes. */
static uint32_t bearer_room(const search *s,
                            const layout_plan *plan,
                            uint32_t i,
                            uint32_t thing,
                            const layout_model *m)
{
    uint32_t count = 0;
    const double own = m->size[0] * m->size[2];
    const layout_model *b = layout_model_of(&s->c, &plan->items[i]);
    if (bearer_cost(s, plan, i, thing, m, false) == LAYOUT_NONE)
        return 0;
    for (double used = load_on(s, plan, i, thing).area;
         count < LAYOUT_ITEMS_MAX && fits_on(m, b, used, false); used += own)
        count++;
    return count;
}

bool search_bears_all(const search *s,
                      const layout_plan *plan,
                      uint32_t thing,
                      uint32_t model)
{
    const layout_thing *t = &s->c.things[thing];
    uint32_t room = 0;
    for (uint32_t k = 0; k < t->tie_count; k++) {
        for (uint32_t i = 0; i < plan->item_count; i++) {
            const layout_place *q = &plan->items[i];
            bool bears = t->ties[k].relation == BRIEF_ON && q->placed &&
                         q->thing == t->ties[k].anchor && q->on == LAYOUT_NONE;
            if (bears)
                room += bearer_room(s, plan, i, thing, &t->models[model]);
        }
    }
    return room >= t->count;
}

bool search_is_grounded(const search *s, uint32_t item)
{
    uint32_t thing = s->thing_of[item];
    const layout_thing *t = &s->c.things[thing];
    return item - s->first[thing] + t->grounded >= t->count;
}

bool search_place_on(const search *s,
                     layout_plan *plan,
                     uint32_t item,
                     uint32_t model,
                     search_bearing bearing)
{
    uint32_t thing = s->thing_of[item];
    const layout_model *m = &s->c.things[thing].models[model];
    uint32_t best = LAYOUT_NONE;
    switch (bearing) {
    case BEARING_ANY: best = bearer_any(s, plan, thing, m); break;
    case BEARING_STACKED: best = bearer_stacked(s, plan, item, model); break;
    default: best = bearer_tied(s, plan, thing, m, bearing == BEARING_TIGHT);
    }
    if (best == LAYOUT_NONE)
        return false;
    const layout_place *q = &plan->items[best];
    plan->items[item] = (layout_place){.placed = true,
                                       .thing = thing,
                                       .model = model,
                                       .x = q->x,
                                       .z = q->z,
                                       .y = layout_top_of(&s->c, q),
                                       .heading = q->heading,
                                       .on = best};
    return true;
}
