/* See layout_as_published. */
#include "worker/furnish/layout_search_internal.h"

#include <math.h>
#include <string.h>

#define OVERLAP 0.1 /* metres along each axis, from which on it counts */
enum {
    SPOTS = 5 /* along each side of what something stands on */
};

/* By how much two boxes overlap along the axis along which they do so least;
 * below 0: they are apart. */
static double overlap_of(const layout_context *c,
                         const layout_place *a,
                         const layout_place *b)
{
    layout_rect r = layout_rect_of(c, a);
    layout_rect s = layout_rect_of(c, b);
    double x = fmin(r.x1, s.x1) - fmax(r.x0, s.x0);
    double z = fmin(r.z1, s.z1) - fmax(r.z0, s.z0);
    double y =
        fmin(layout_top_of(c, a), layout_top_of(c, b)) - fmax(a->y, b->y);
    return fmin(fmin(x, y), z);
}

/* Is it meant to be within the other's box: under it, or a seat at its table? */
static bool overlap_makes_sense(const layout_context *c,
                                const layout_place *p,
                                const layout_place *q)
{
    const layout_thing *t = &c->things[p->thing];
    for (uint32_t k = 0; k < t->tie_count; k++) {
        const layout_tie *tie = &t->ties[k];
        bool is_in = tie->relation == BRIEF_UNDER || tie->relation == BRIEF_ON;
        bool is_at = t->seat && (tie->relation == BRIEF_FRONT ||
                                 tie->relation == BRIEF_AROUND);
        if (tie->anchor == q->thing && (is_in || is_at))
            return true;
    }
    return false;
}

static bool overlaps(const layout_context *c,
                     const layout_place *p,
                     const layout_place *q)
{
    return overlap_of(c, p, q) >= OVERLAP && !overlap_makes_sense(c, p, q) &&
           !overlap_makes_sense(c, q, p);
}

/* The items that overlap this one; how many. */
static uint32_t others_find(const search *s,
                            const layout_plan *plan,
                            uint32_t item,
                            uint32_t ret[LAYOUT_ITEMS_MAX])
{
    uint32_t count = 0;
    const layout_place *p = &plan->items[item];
    for (uint32_t i = 0; i < plan->item_count; i++) {
        if (i != item && plan->items[i].placed &&
            overlaps(&s->c, p, &plan->items[i]))
            ret[count++] = i;
    }
    return count;
}

/* Does the place overlap none of these? */
static bool place_avoids(const search *s,
                         const layout_plan *plan,
                         const layout_place *p,
                         const uint32_t *others,
                         uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (overlaps(&s->c, p, &plan->items[others[i]]))
            return false;
    }
    return true;
}

/* The spots on top of what bears it become what was tried, the middle first. */
static void spots_try(search *s, const layout_plan *plan, const layout_place *p)
{
    const layout_place *q = &plan->items[p->on];
    layout_rect r = layout_rect_of(&s->c, q);
    s->tried_count = 0;
    for (int i = 0; i < SPOTS * SPOTS; i++) {
        /* 0, 1, -1, 2, -2 from the middle */
        int side = i % SPOTS;
        int ahead = i / SPOTS;
        double across = (side & 1 ? 1 : -1) * ((side + 1) / 2) / (SPOTS + 1.0);
        double along = (ahead & 1 ? 1 : -1) * ((ahead + 1) / 2) / (SPOTS + 1.0);
        candidate *c = &s->tried[s->tried_count++];
        *c = (candidate){.place = *p};
        c->place.x = q->x + across * (r.x1 - r.x0);
        c->place.z = q->z + along * (r.z1 - r.z0);
    }
}

/* Of what was tried the best that avoids those; false: none does. */
static bool tried_take(search *s,
                       layout_plan *plan,
                       uint32_t item,
                       const uint32_t *others,
                       uint32_t count)
{
    bool any = false;
    double best = 0;
    layout_place found = {.placed = false};
    bool backward = search_has_backward_ties(s, plan, s->thing_of[item]);
    for (uint32_t i = 0; i < s->tried_count; i++) {
        const layout_place *p = &s->tried[i].place;
        if (!place_avoids(s, plan, p, others, count))
            continue;
        double score = p->on != LAYOUT_NONE
                           ? -(double)i
                           : search_score(s, plan, item, p, backward);
        if (any && score <= best)
            continue;
        any = true;
        best = score;
        found = *p;
    }
    if (any)
        plan->items[item] = found;
    return any;
}

/* At the best place that overlaps none of those; false: it stays as it is. */
static bool item_place(search *s,
                       layout_plan *plan,
                       uint32_t item,
                       const uint32_t *others,
                       uint32_t count)
{
    const layout_thing *t = &s->c.things[s->thing_of[item]];
    layout_place before = plan->items[item];
    if (t->footing == HABITS_ON &&
        (search_place_on(s, plan, item, 0, BEARING_TIGHT) ||
         search_place_on(s, plan, item, 0, BEARING_ANY))) {
        const layout_place on = plan->items[item];
        plan->items[item] = before;
        spots_try(s, plan, &on);
    } else {
        plan->items[item] = before;
        search_try_places(s, plan, item, 0);
    }
    return tried_take(s, plan, item, others, count);
}

etna_code layout_as_published(const layout_room *room,
                              const layout_thing *things,
                              uint32_t thing_count,
                              uint64_t seed,
                              layout_plan *ret,
                              etna_error *err)
{
    uint32_t others[LAYOUT_ITEMS_MAX];
    etna_code code = search_check(things, thing_count, err);
    search *s =
        code == ETNA_OK ? search_new(room, things, thing_count, seed) : NULL;
    if (!s)
        return code == ETNA_OK
                   ? etna_fail(err, ETNA_E_NOMEM, "no memory for the search")
                   : code;
    search_order(s);
    search_begin(s, ret);
    memcpy(ret->order, s->order, sizeof ret->order);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < s->item_count; i++) {
            const layout_thing *t = &things[s->thing_of[s->order[i]]];
            if (t->fixed || !t->model_count)
                continue;
            uint32_t count =
                pass ? others_find(s, ret, s->order[i], others) : 0;
            if (!pass || count)
                (void)item_place(s, ret, s->order[i], others, count);
        }
    }
    search_free(s);
    return ETNA_OK;
}
