/* When all things stand: moves what keeps people from a seat.
 *
 * The search sees only what has come before: what comes later has its own few
 * best places, and all of them may close the last way to a seat. Here each item
 * is asked for which somebody could come to more seats if it were not there, the
 * last that came first; it goes to the best of its places from which it closes
 * none and where as much holds as before. What nobody told of goes away instead
 * where it has none; and where a seat is still out of reach, one relation of what
 * keeps people from it is given up for it.
 *
 * That every seat can be come to is a promise, what the text tells of a place is
 * none: of the room that is taken in the end everything that people cannot pass
 * is lifted, and put back, or elsewhere, as it came, where it closes no way; or
 * the seat goes, where less is lost so. */
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

/* Away with it and what stands on it, if that opens a way and the text tells of
 * none of it. */
static bool item_goes_away(const search *s,
                           layout_plan *plan,
                           uint32_t item,
                           uint32_t now)
{
    layout_plan lifted = *plan;
    const layout_thing *t = &s->c.things[plan->items[item].thing];
    if (t->told || item_bears_told(s, plan, item))
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

static bool some_go_away(const search *s, layout_plan *plan, uint32_t now)
{
    for (uint32_t n = s->item_count; n-- > 0;) {
        const uint32_t item = s->order[n];
        if (item_may_move(s, plan, item) && item_goes_away(s, plan, item, now))
            return true;
    }
    return false;
}

void search_make_way(search *s, layout_plan *plan)
{
    uint32_t now = unreached_in(s, plan);
    for (uint32_t moves = 0; now > 0 && moves < MOVES_MOST; moves++) {
        bool is_better = some_make_way(s, plan, now, 0) ||
                         some_go_away(s, plan, now) ||
                         some_make_way(s, plan, now, 1);
        if (!is_better)
            return;
        now = unreached_in(s, plan);
    }
}

/* ---- of the room that is taken ---- */

/* What stands on nothing any more goes along. */
static void carried_go(layout_plan *plan)
{
    bool is_changed = true;
    while (is_changed) {
        is_changed = false;
        for (uint32_t i = 0; i < plan->item_count; i++) {
            layout_place *p = &plan->items[i];
            bool falls =
                p->placed && p->on != LAYOUT_NONE && !plan->items[p->on].placed;
            if (!falls)
                continue;
            p->placed = false;
            is_changed = true;
        }
    }
}

static void item_leave(layout_plan *plan, uint32_t item)
{
    plan->items[item].placed = false;
    plan->items[item].in_way = true;
    carried_go(plan);
}

/* What stood on something in `whole` that is there again. */
static void carried_return(layout_plan *plan, const layout_plan *whole)
{
    bool is_changed = true;
    while (is_changed) {
        is_changed = false;
        for (uint32_t i = 0; i < plan->item_count; i++) {
            const layout_place *was = &whole->items[i];
            layout_place *p = &plan->items[i];
            bool returns = was->placed && !p->placed &&
                           was->on != LAYOUT_NONE &&
                           plan->items[was->on].placed;
            if (!returns)
                continue;
            p->placed = true;
            is_changed = true;
        }
    }
}

/* Puts a lifted item to a place, if so no more seats are out of reach. */
static bool item_put(const search *s,
                     layout_plan *plan,
                     const layout_plan *whole,
                     uint32_t item,
                     const layout_place *to)
{
    layout_plan with = *plan;
    item_move(&with, item, to);
    with.items[item].placed = true;
    with.items[item].in_way = false;
    if (unreached_in(s, &with) > unreached_in(s, plan))
        return false;
    for (uint32_t i = 0; i < with.item_count; i++) {
        layout_place *p = &with.items[i];
        if (whole->items[i].placed && p->on == item) {
            p->x = to->x;
            p->z = to->z;
            p->heading = to->heading;
        }
    }
    carried_return(&with, whole);
    *plan = with;
    return true;
}

/* Where it was, else at the best place from which it closes no way; else it
 * stays away. */
static void item_return(search *s,
                        layout_plan *plan,
                        const layout_plan *whole,
                        uint32_t item)
{
    const layout_place was = whole->items[item];
    bool is_back = layout_is_free(&s->c, plan, item, &was) &&
                   item_put(s, plan, whole, item, &was);
    if (is_back)
        return;
    search_try_places(s, plan, item, was.model);
    places_order(s, plan, item);
    for (uint32_t i = 0; i < s->tried_count && i < PLACES_MOST; i++) {
        const layout_place to = s->tried[i].place;
        if (item_put(s, plan, whole, item, &to))
            return;
    }
}

/* Those that are out of reach. */
static bool seats_leave(const search *s, layout_plan *plan)
{
    bool any = false;
    for (uint32_t i = 0; i < s->item_count; i++) {
        const layout_thing *t = &s->c.things[s->thing_of[i]];
        bool is_ours = t->seat && item_may_move(s, plan, i);
        if (!is_ours || layout_reaches(s->c.room, s->c.things, plan, i))
            continue;
        item_leave(plan, i);
        any = true;
    }
    return any;
}

/* Everything but seats, then seats that are out of reach, is lifted, and comes
 * back in the order in which it came. `seats_first`: the seats alone. */
static void way_clear(search *s, layout_plan *plan, bool seats_first)
{
    const layout_plan whole = *plan;
    for (uint32_t i = 0; !seats_first && i < s->item_count; i++) {
        if (item_may_move(s, plan, i) &&
            !s->c.things[plan->items[i].thing].seat)
            item_leave(plan, i);
    }
    while (seats_leave(s, plan))
        ; /* without a door, what is reached may be another part now */
    for (uint32_t n = 0; n < s->item_count; n++) {
        const uint32_t item = whole.order[n];
        if (item_may_move(s, &whole, item) && !plan->items[item].placed)
            item_return(s, plan, &whole, item);
    }
}

void search_clear_way(search *s, layout_plan *plan)
{
    uint32_t now = unreached_in(s, plan);
    for (uint32_t n = 0; now > 0 && n < MOVES_MOST; n++) {
        if (!some_make_way(s, plan, now, LAYOUT_ITEMS_MAX))
            break;
        now = unreached_in(s, plan);
    }
    if (now == 0)
        return;
    layout_plan without = *plan;
    way_clear(s, &without, true);
    way_clear(s, plan, false);
    const bool is_as_clear = unreached_in(s, &without) <= unreached_in(s, plan);
    if (is_as_clear && search_missing(s, &without) < search_missing(s, plan))
        *plan = without;
}
