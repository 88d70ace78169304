/* When all things stand: moves what keeps people from a seat.
 *
 * The search sees only what has come before: what comes later has its own few
 * best places, and all of them may close the last way to a seat. Here each item
 * is asked for which somebody could come to more seats if it were not there, the
 * last that came first; it goes to the best of its places from which it closes
 * none and where as much holds as before. What nobody told of goes away instead
 * where it has none; and where a seat is still out of reach, one relation of what
 * keeps people from it is given up for it, and in the end the thing itself, unless
 * it is a seat. */
#include "worker/furnish/layout_search_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOVES_MOST = 8,  /* of one room */
    PLACES_MOST = 60 /* that one item is tried at, the best first */
};

static uint32_t unreached_in(const search *s, const layout_plan *plan)
{
    return layout_count_unreached(s->c.room, s->c.things, plan);
}

/* Only what stands on the floor of its own, and was not there before. */
static bool item_may_move(const search *s,
                          const layout_plan *plan,
                          uint32_t item)
{
    const layout_place *p = &plan->items[item];
    return p->placed && p->on == LAYOUT_NONE && !s->c.things[p->thing].fixed &&
           layout_is_solid(&s->c, p);
}

/* The item goes to `to`, and what stands on it goes along. */
static void item_move(layout_plan *plan, uint32_t item, const layout_place *to)
{
    plan->items[item] = *to;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        layout_place *p = &plan->items[i];
        if (!p->placed || p->on != item)
            continue;
        p->x = to->x;
        p->z = to->z;
        p->heading = to->heading;
    }
}

/* The best first; of equals the one that was tried first. */
static int candidate_order(const void *a, const void *b)
{
    const candidate *p = a, *q = b;
    if (p->score != q->score)
        return p->score < q->score ? 1 : -1;
    return p->number < q->number ? -1 : p->number > q->number;
}

/* Leaves in s->tried what is free, by how good it is. */
static void places_order(search *s, const layout_plan *lifted, uint32_t item)
{
    const bool backward =
        search_has_backward_ties(s, lifted, s->thing_of[item]);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->tried_count; i++) {
        candidate c = s->tried[i];
        if (!layout_is_free(&s->c, lifted, item, &c.place))
            continue;
        c.score = search_score(s, lifted, item, &c.place, backward);
        c.number = i;
        s->tried[count++] = c;
    }
    s->tried_count = count;
    qsort(s->tried, count, sizeof *s->tried, candidate_order);
}

/* False: it stays, as nowhere is better. `now` seats are out of reach; `given_up`:
 * so many items may be worse off than before. */
static bool item_makes_way(search *s,
                           layout_plan *plan,
                           uint32_t item,
                           uint32_t now,
                           uint32_t given_up)
{
    const uint32_t unmet = search_unmet(s, plan) + given_up;
    layout_plan lifted = *plan;
    lifted.items[item].placed = false;
    if (unreached_in(s, &lifted) >= now)
        return false;
    search_try_places(s, &lifted, item, plan->items[item].model);
    places_order(s, &lifted, item);
    for (uint32_t i = 0; i < s->tried_count && i < PLACES_MOST; i++) {
        layout_plan moved = *plan;
        item_move(&moved, item, &s->tried[i].place);
        if (unreached_in(s, &moved) < now && search_unmet(s, &moved) <= unmet) {
            *plan = moved;
            return true;
        }
    }
    return false;
}

/* Does something stand on it that was told of? */
static bool item_bears_told(const search *s,
                            const layout_plan *plan,
                            uint32_t item)
{
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *p = &plan->items[i];
        if (p->placed && p->on == item && s->c.things[p->thing].told)
            return true;
    }
    return false;
}

/* Away with it and what stands on it, if that opens a way. `told`: also with what
 * the text tells of, but for seats. */
static bool item_goes_away(
    const search *s, layout_plan *plan, uint32_t item, uint32_t now, bool told)
{
    layout_plan lifted = *plan;
    const layout_thing *t = &s->c.things[plan->items[item].thing];
    bool is_free = told ? !t->seat : !t->told;
    if (!is_free || item_bears_told(s, plan, item))
        return false;
    lifted.items[item].placed = false;
    lifted.items[item].in_way = true;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        if (lifted.items[i].on == item)
            lifted.items[i].placed = false;
    }
    if (unreached_in(s, &lifted) >= now)
        return false;
    *plan = lifted;
    return true;
}

/* One item, the last that came first. False: none can. */
static bool some_make_way(search *s,
                          layout_plan *plan,
                          uint32_t now,
                          uint32_t given_up)
{
    for (uint32_t n = s->item_count; n-- > 0;) {
        const uint32_t item = s->order[n];
        if (item_may_move(s, plan, item) &&
            item_makes_way(s, plan, item, now, given_up))
            return true;
    }
    return false;
}

static bool some_go_away(const search *s,
                         layout_plan *plan,
                         uint32_t now,
                         bool told)
{
    for (uint32_t n = s->item_count; n-- > 0;) {
        const uint32_t item = s->order[n];
        if (item_may_move(s, plan, item) &&
            item_goes_away(s, plan, item, now, told))
            return true;
    }
    return false;
}

void search_make_way(search *s, layout_plan *plan)
{
    uint32_t now = unreached_in(s, plan);
    for (uint32_t moves = 0; now > 0 && moves < MOVES_MOST; moves++) {
        bool is_better = some_make_way(s, plan, now, 0) ||
                         some_go_away(s, plan, now, false) ||
                         some_make_way(s, plan, now, 1);
        if (!is_better)
            return;
        now = unreached_in(s, plan);
    }
}

void search_clear_way(const search *s, layout_plan *plan)
{
    uint32_t now = unreached_in(s, plan);
    for (uint32_t n = 0; now > 0 && n < MOVES_MOST; n++) {
        if (!some_go_away(s, plan, now, true))
            return;
        now = unreached_in(s, plan);
    }
}
