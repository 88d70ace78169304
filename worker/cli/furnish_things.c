/* Which things a brief asks for: what is named, what serves a use, what a room
 * has, and how many of each. */
#include "proto/array.h"
#include "worker/cli/furnish_pick_internal.h"

#include "worker/builtin/language/kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

furnish_thing *furnish_thing_add(furnishing *f,
                                 furnish_source source,
                                 const char *head,
                                 const char *said,
                                 uint32_t wanted)
{
    if (f->thing_count == FURNISH_THINGS_MAX)
        return NULL;
    furnish_thing *t = &f->things[f->thing_count++];
    *t = (furnish_thing){.source = source,
                         .wish = BRIEF_NONE,
                         .want = BRIEF_NONE,
                         .for_thing = BRIEF_NONE,
                         .head = head,
                         .said = said,
                         .wanted = wanted,
                         .relation = BRIEF_RELATIONS};
    return t;
}

/* How many of a kind there are among the things so far. */
static uint32_t kind_count(const furnishing *f, const char *kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->thing_count; i++) {
        if (habits_is(f->things[i].head, kind))
            count += f->things[i].wanted;
    }
    return count;
}

/* Is something of the kind there, and where one sits, to be sat on in the same
 * place: no armchair at a desk? */
static bool kind_serves(const furnishing *f,
                        const char *kind,
                        const habits_kind *habit)
{
    for (uint32_t i = 0; i < f->thing_count; i++) {
        const habits_kind *other = habits_is(f->things[i].head, kind)
                                       ? habits_of(f->things[i].head)
                                       : NULL;
        bool is_elsewhere =
            habit && habit->seat && other &&
            (habit->beside == BRIEF_FRONT) != (other->beside == BRIEF_FRONT);
        if (other && !is_elsewhere)
            return true;
    }
    return habit ? false : kind_count(f, kind) > 0;
}

/* Does what is named serve for it, though it was called by a more general name:
 * "a table" for a dining table, which stands as a table does, and not for a
 * desk, which stands otherwise? */
static bool item_is_served(const furnishing *f, const char *kind)
{
    const habits_kind *habit = habits_of(kind);
    for (uint32_t i = 0; habit && i < f->thing_count; i++) {
        const habits_kind *other = habits_is(kind, f->things[i].head)
                                       ? habits_of(f->things[i].head)
                                       : NULL;
        bool is_another_use = f->things[i].want != BRIEF_NONE;
        if (!other || !f->things[i].told || is_another_use)
            continue;
        if (other->footing == habit->footing && other->beside == habit->beside)
            return true;
    }
    return kind_serves(f, kind, habit);
}

/* Does the text put a wish onto the floor: behind something, in a corner,
 * beside a seat? */
static bool wish_is_on_floor(const brief *b, uint32_t wish)
{
    bool is_on_floor = false;
    for (uint32_t i = 0; i < b->tie_count; i++) {
        const brief_tie *t = &b->ties[i];
        if (t->wish != wish)
            continue;
        if (t->relation == BRIEF_ON)
            return false;
        const habits_kind *to = t->anchor == BRIEF_NONE
                                    ? NULL
                                    : habits_of(b->wishes[t->anchor].head);
        bool is_by_seat = to && to->seat && !t->loose;
        bool is_of_room = t->relation == BRIEF_CORNER ||
                          t->relation == BRIEF_WINDOW ||
                          t->relation == BRIEF_SILL;
        is_on_floor |= t->relation == BRIEF_BEHIND || is_of_room || is_by_seat;
    }
    return is_on_floor;
}

/* "A television on a low stand": the stand is a television's, where the
 * dictionary knows such; else the head itself. */
static const char *wish_stand(furnishing *f, uint32_t wish, const char *head)
{
    const brief *b = f->brief;
    for (uint32_t i = 0; strcmp(head, "stand") == 0 && i < b->tie_count; i++) {
        const brief_tie *t = &b->ties[i];
        if (t->anchor != wish || t->relation != BRIEF_ON)
            continue;
        const char *whole =
            etna_arena_printf(&f->arena, "%s stand", b->wishes[t->wish].head);
        if (whole && habits_of(whole) && kinds_known(whole))
            return whole;
    }
    return head;
}

/* What it is to be above, if that stands on the floor; NULL. */
static const habits_kind *wish_below(const brief *b, uint32_t wish)
{
    for (uint32_t i = 0; i < b->tie_count; i++) {
        const brief_tie *t = &b->ties[i];
        bool is_above = t->wish == wish && t->relation == BRIEF_ABOVE;
        const habits_kind *to = is_above && t->anchor != BRIEF_NONE
                                    ? habits_of(b->wishes[t->anchor].head)
                                    : NULL;
        if (to && to->footing <= HABITS_FREE)
            return to;
    }
    return NULL;
}

/* Does the text put it under a window? */
static bool wish_is_below_window(const brief *b, uint32_t wish)
{
    for (uint32_t i = 0; i < b->tie_count; i++) {
        if (b->ties[i].wish == wish && b->ties[i].relation == BRIEF_SILL)
            return true;
    }
    return false;
}

/* What the text names; "a lamp behind the sofa" is no table's. */
void furnish_things_name(furnishing *f)
{
    for (uint32_t i = 0; i < f->brief->wish_count; i++) {
        const brief_wish *w = &f->brief->wishes[i];
        const char *head =
            wish_is_on_floor(f->brief, i) ? habits_on_floor(w->head) : w->head;
        head = wish_stand(f, i, head);
        const habits_kind *below = wish_below(f->brief, i);
        if (w->overhead)
            head = habits_overhead(head, false);
        else if (below)
            head = habits_overhead(head, below->footing != HABITS_FREE);
        furnish_thing *t =
            furnish_thing_add(f, FURNISH_NAMED, head, w->said, w->count);
        if (!t)
            return;
        t->wish = i;
        t->told = true;
        t->different = w->different;
        t->each = w->each;
        t->overhead = w->overhead;
        t->below_window = wish_is_below_window(f->brief, i);
    }
}

/* "each holding a lamp": as many as there are of what holds them. */
static void count_each(furnishing *f)
{
    for (uint32_t i = 0; i < f->thing_count; i++) {
        furnish_thing *t = &f->things[i];
        for (uint32_t k = 0; t->each && k < f->brief->tie_count; k++) {
            const brief_tie *tie = &f->brief->ties[k];
            bool is_first = tie->wish == t->wish && tie->anchor != BRIEF_NONE &&
                            tie->anchor < f->thing_count;
            if (!is_first)
                continue;
            uint64_t all = (uint64_t)t->wanted * f->things[tie->anchor].wanted;
            t->share = t->wanted;
            t->wanted = all < BRIEF_COUNT_MAX ? (uint32_t)all : BRIEF_COUNT_MAX;
            t->each = false;
        }
    }
}

/* NULL: there are too many things. */
static furnish_thing *add_item(furnishing *f,
                               furnish_source source,
                               const habits_item *item,
                               uint32_t want,
                               uint32_t people)
{
    uint32_t count = item->by_people && people ? people : item->count;
    furnish_thing *t =
        furnish_thing_add(f, source, item->thing, item->thing, count);
    if (!t)
        return NULL;
    t->want = want;
    t->relation = item->relation;
    t->to = item->to;
    return t;
}

/* Does the phrase of a want have a word of the item's name ("pendant
 * lighting")? */
static bool want_says(const furnishing *f,
                      const brief_want *w,
                      const char *thing)
{
    char text[200], word[64];
    size_t n =
        w->to - w->from < sizeof text - 1 ? w->to - w->from : sizeof text - 1;
    memcpy(text, f->text + w->from, n);
    text[n] = 0;
    size_t length = strcspn(thing, " ");
    snprintf(word, sizeof word, "%.*s", (int)length, thing);
    return strcasestr(text, word) != NULL;
}

/* The first of a use's things that the words hint at; NULL. */
static const habits_item *item_hinted(const furnishing *f,
                                      const habits_use *use,
                                      const brief_want *w)
{
    for (uint32_t k = 0; k < HABITS_SERVES && use->items[k].thing; k++) {
        if (want_says(f, w, use->items[k].thing))
            return &use->items[k];
    }
    return NULL;
}

/* The first of a use's things whose kind is not there yet; NULL. */
static const habits_item *item_absent(const furnishing *f,
                                      const habits_use *use)
{
    for (uint32_t k = 0; k < HABITS_SERVES && use->items[k].thing; k++) {
        if (!kind_count(f, use->items[k].thing))
            return &use->items[k];
    }
    return NULL;
}

/* Each serves alone: one that the words hint at, else the first kind that is
 * not there yet. */
static void add_one_of(furnishing *f, const habits_use *use, uint32_t want)
{
    const brief_want *w = &f->brief->wants[want];
    for (uint32_t n = 0; n < w->count; n++) {
        const habits_item *chosen = n == 0 ? item_hinted(f, use, w) : NULL;
        if (!chosen)
            chosen = item_absent(f, use);
        if (!chosen)
            chosen =
                &use->items[n % 3 < HABITS_SERVES && use->items[n % 3].thing
                                ? n % 3
                                : 0];
        furnish_thing *t = add_item(f, FURNISH_USE, chosen, want, w->people);
        if (t)
            t->told = true;
    }
}

/* A wish that is tied onto another thing keeps its kind and its place: a table
 * lamp is no floor lamp, whatever the use it serves has one for. */
static bool wish_is_on(const brief *b, uint32_t wish)
{
    for (uint32_t i = 0; i < b->tie_count; i++) {
        if (b->ties[i].wish == wish && b->ties[i].relation == BRIEF_ON)
            return true;
    }
    return false;
}

/* Does the text speak of a use's thing by that name: "a reading corner with a
 * lamp", "a reading corner. The chairs ..."? */
static bool thing_is_of_want(const furnishing *f,
                             const furnish_thing *t,
                             uint32_t want)
{
    if (t->wish == BRIEF_NONE || t->want != BRIEF_NONE)
        return false;
    const brief_wish *w = &f->brief->wishes[t->wish];
    bool is_spoken_of = w->assumed && w->from > f->brief->wants[want].from;
    return t->source == FURNISH_NAMED && (w->want == want || is_spoken_of);
}

/* What the text calls by a general name and means for the use is the use's: the
 * lamp of a reading corner is a floor lamp by the armchair. */
static void item_claim(furnishing *f, const habits_item *item, uint32_t want)
{
    for (uint32_t i = 0; i < f->thing_count; i++) {
        furnish_thing *t = &f->things[i];
        bool is_named = habits_is(item->thing, t->head);
        if (!is_named || !thing_is_of_want(f, t, want))
            continue;
        const brief_want *w = &f->brief->wants[want];
        t->want = want;
        if (f->brief->wishes[i].assumed && item->by_people && w->people)
            t->wanted = w->people;
        if (!wish_is_on(f->brief, i)) {
            t->head = item->thing;
            t->relation = item->relation;
            t->to = item->to;
        }
        return;
    }
}

/* All uses claim before any is filled: a table of the one is none of the
 * other's. */
static void claim_all(furnishing *f)
{
    for (uint32_t i = 0; i < f->brief->want_count; i++) {
        const brief_want *w = &f->brief->wants[i];
        const habits_use *use =
            w->kind == BRIEF_USE ? &habits_uses[w->habit] : NULL;
        for (uint32_t k = 0;
             use && !use->one_of && k < HABITS_SERVES && use->items[k].thing;
             k++)
            item_claim(f, &use->items[k], i);
    }
}

/* "A reading corner with a lamp": the lamp that the text names is the lamp of
 * the list, and no second one is brought. */
static bool item_is_claimed(const furnishing *f,
                            const habits_item *item,
                            uint32_t want)
{
    for (uint32_t i = 0; i < f->thing_count; i++) {
        const furnish_thing *t = &f->things[i];
        bool is_of_want = t->want == want && t->source == FURNISH_NAMED;
        if (is_of_want && habits_is(item->thing, t->head))
            return true;
    }
    return false;
}

/* Is it only there to bear what the text puts on something else: a television
 * stand where the television is on the sideboard? */
static bool item_is_spared(const furnishing *f, const char *kind)
{
    for (uint32_t i = 0; i < f->brief->tie_count; i++) {
        const brief_tie *t = &f->brief->ties[i];
        const habits_kind *habit = habits_of(f->brief->wishes[t->wish].head);
        const habits_kind *own = habits_of(kind);
        bool bears = t->relation == BRIEF_ON && habit && habit->anchors[0] &&
                     strcmp(habit->anchors[0], kind) == 0;
        bool is_for_more = own && own->beside >= BRIEF_WALL;
        if (bears && !is_for_more)
            return true;
    }
    return false;
}

/* What serves a use ("a place to eat"); its core counts as told. */
static void add_group(furnishing *f, const habits_use *use, uint32_t want)
{
    const brief_want *w = &f->brief->wants[want];
    for (uint32_t k = 0; k < HABITS_SERVES && use->items[k].thing; k++) {
        const habits_item *item = &use->items[k];
        bool is_there =
            item_is_claimed(f, item, want) || item_is_served(f, item->thing);
        if (is_there || item_is_spared(f, item->thing))
            continue;
        furnish_thing *t = add_item(f, FURNISH_USE, item, want, w->people);
        bool is_core = k == 0 || use->items[k].by_people;
        if (t)
            t->told = is_core;
    }
}

/* Items, not things: "six chairs" are six. */
static uint32_t items_so_far(const furnishing *f)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->thing_count; i++)
        count += f->things[i].wanted;
    return count;
}

/* Is a thing of the list told a second time there: "two nightstands"? */
static bool item_is_second(const habits_room *room, uint32_t k)
{
    for (uint32_t n = 0; n < k; n++) {
        if (strcmp(room->items[n].thing, room->items[k].thing) == 0)
            return true;
    }
    return false;
}

/* Is it a desk that the room's core has a seat at, or such a seat? Two people do
 * not share a desk. */
static bool place_of_work(const habits_room *room, const habits_item *item)
{
    for (uint32_t i = 0; i < room->core; i++) {
        const habits_item *seat = &room->items[i];
        bool is_at_desk = seat->to && seat->relation == BRIEF_FRONT &&
                          strcmp(seat->to, "desk") == 0;
        if (is_at_desk && (item == seat || strcmp(item->thing, seat->to) == 0))
            return true;
    }
    return false;
}

/* Are there as many of it as people are told: the seats of the room's core, and
 * the desks that these are at? */
static bool item_is_by_people(const habits_room *room, uint32_t k)
{
    const habits_item *item = &room->items[k];
    const habits_kind *habit = habits_of(item->thing);
    bool is_desk = item->relation == BRIEF_ROWS;
    bool is_core_seat = k < room->core && habit && habit->seat;
    bool is_one = item->count <= 1 && item->relation != BRIEF_AROUND;
    if (k < room->core && place_of_work(room, item))
        return true;
    return item->relation == BRIEF_AROUND || is_desk ||
           (is_core_seat && !is_one);
}

/* What is called so, or is named by a general name for it, "the table" of a
 * dining room, has seats for so many. */
static void things_seat(furnishing *f, const char *noun, uint32_t people)
{
    for (uint32_t i = 0; i < f->thing_count; i++) {
        const char *head = f->things[i].head;
        bool is_general =
            f->things[i].source == FURNISH_NAMED && habits_is(noun, head);
        if (habits_is(head, noun) || is_general)
            f->things[i].seats = people;
    }
}

/* Who is no couple has a bed of their own. */
static void beds_part(furnish_thing *t, uint32_t people, bool is_core)
{
    if (t->relation == BRIEF_FLANK)
        t->relation = BRIEF_BESIDE;
    if (!is_core || strcmp(t->head, "bed") != 0)
        return;
    t->head = t->said = "single bed";
    t->wanted = people;
    t->told = true;
}

/* What a room of that kind has: its core always, the rest as long as there is
 * room for more. */
static void add_room(furnishing *f, uint32_t want, bool is_bare)
{
    const habits_room *room = &habits_rooms[f->brief->wants[want].habit];
    const uint32_t items_max = COUNT_OF(room->items);
    uint32_t most = f->objects ? f->objects : FURNISH_OBJECTS_USUAL;
    bool fills =
        is_bare || f->brief->wish_count <= 1 || f->objects > items_so_far(f);
    uint32_t people = f->brief->wants[want].people;
    for (uint32_t k = 0; k < items_max && room->items[k].thing; k++) {
        const habits_item *item = &room->items[k];
        bool is_core = k < room->core,
             has_room = fills && items_so_far(f) < most;
        if (!is_core && !has_room)
            continue;
        bool is_there =
            item_is_served(f, item->thing) && !item_is_second(room, k);
        if (is_there || item_is_spared(f, item->thing))
            continue;
        furnish_thing *t = add_item(f, FURNISH_ROOM, item, want, 0);
        if (!t)
            return;
        t->told = is_core && is_bare;
        if (f->brief->wants[want].apart)
            beds_part(t, people, is_core);
        if (!people || !item_is_by_people(room, k))
            continue;
        t->wanted = people;
        t->told = true;
        if (item->to)
            things_seat(f, item->to, people);
    }
}

/* Uses before rooms: a room adds only what is not served yet. */
static void add_wants(furnishing *f)
{
    const brief *b = f->brief;
    uint32_t uses = 0;
    claim_all(f);
    for (uint32_t i = 0; i < b->want_count; i++) {
        const brief_want *w = &b->wants[i];
        if (w->kind != BRIEF_USE)
            continue;
        const habits_use *use = &habits_uses[w->habit];
        uses++;
        if (use->one_of)
            add_one_of(f, use, i);
        else
            add_group(f, use, i);
    }
    for (uint32_t i = 0; i < b->want_count; i++) {
        if (b->wants[i].kind != BRIEF_ROOM)
            continue;
        f->category = habits_rooms[b->wants[i].habit].category;
        add_room(f, i, b->wish_count == 0 && uses == 0);
    }
}

/* The seats that the text or a habit puts at each table, or says that a thing
 * has. */
static void count_seats(furnishing *f)
{
    for (uint32_t i = 0; i < f->brief->tie_count; i++) {
        const brief_tie *tie = &f->brief->ties[i];
        bool is_of_things =
            tie->anchor < f->brief->wish_count && tie->anchor < f->thing_count;
        const habits_kind *habit = habits_of(f->brief->wishes[tie->wish].head);
        bool sits = habit && habit->seat && habit->beside >= BRIEF_FRONT;
        bool is_at = tie->relation == BRIEF_AROUND ||
                     tie->relation == BRIEF_FRONT || tie->loose;
        if (!is_of_things || !sits || !is_at)
            continue;
        furnish_thing *t = &f->things[tie->anchor];
        const habits_kind *table =
            habits_is(t->head, "table") ? habits_of(t->head) : NULL;
        bool is_counter =
            habits_is(t->head, "counter") || habits_is(t->head, "bar");
        bool is_sat_at = is_counter || (table && table->beside == BRIEF_MIDDLE);
        if (is_sat_at && tie->wish < f->thing_count)
            f->things[tie->wish].at_table |= f->things[tie->wish].wanted > 2;
        if (is_sat_at)
            t->seats += f->brief->wishes[tie->wish].count / t->wanted;
    }
    for (uint32_t i = 0; i < f->thing_count; i++) {
        furnish_thing *t = &f->things[i];
        uint32_t said =
            t->wish == BRIEF_NONE ? 0 : f->brief->wishes[t->wish].seats;
        t->seats = t->seats < said ? said : t->seats;
    }
}

void furnish_things_complete(furnishing *f)
{
    count_each(f);
    count_seats(f);
    add_wants(f);
}
