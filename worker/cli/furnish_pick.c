/* From a brief to things with models: what is named, what serves a use, what a
 * room has. */
#include "worker/cli/furnish.h"
#include "worker/cli/furnish_scene.h"

#include "worker/assets/query.h"
#include "worker/builtin/language/kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- things ---- */

static furnish_thing *thing_add(furnishing *f,
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
    return kind_count(f, kind) > 0;
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
static void add_named(furnishing *f)
{
    for (uint32_t i = 0; i < f->brief->wish_count; i++) {
        const brief_wish *w = &f->brief->wishes[i];
        const char *head =
            wish_is_on_floor(f->brief, i) ? habits_on_floor(w->head) : w->head;
        head = wish_stand(f, i, head);
        const habits_kind *below = wish_below(f->brief, i);
        if (below)
            head = habits_overhead(head, below->footing != HABITS_FREE);
        furnish_thing *t = thing_add(f, FURNISH_NAMED, head, w->said, w->count);
        if (!t)
            return;
        t->wish = i;
        t->told = true;
        t->different = w->different;
        t->each = w->each;
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
    furnish_thing *t = thing_add(f, source, item->thing, item->thing, count);
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

/* Are there as many of it as people are told: the seats of the room's core, and
 * the desks that these are at? */
static bool item_is_by_people(const habits_room *room, uint32_t k)
{
    const habits_item *item = &room->items[k];
    const habits_kind *habit = habits_of(item->thing);
    bool is_desk = item->relation == BRIEF_ROWS;
    bool is_core_seat = k < room->core && habit && habit->seat;
    bool is_one = item->count <= 1 && item->relation != BRIEF_AROUND;
    return item->relation == BRIEF_AROUND || is_desk ||
           (is_core_seat && !is_one);
}

/* What a room of that kind has: its core always, the rest as long as there is
 * room for more. */
static void add_room(furnishing *f, uint32_t want, bool is_bare)
{
    const habits_room *room = &habits_rooms[f->brief->wants[want].habit];
    const uint32_t items_max = sizeof room->items / sizeof *room->items;
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
        if (!people || !item_is_by_people(room, k))
            continue;
        t->wanted = people;
        t->told = true;
        for (uint32_t i = 0; item->to && i < f->thing_count; i++) {
            if (habits_is(f->things[i].head, item->to))
                f->things[i].seats = people;
        }
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

/* The seats that the text or a habit puts at each table. */
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
}

/* ---- models ---- */

/* Is one of the model's kinds the thing's? */
static bool doc_is_of(const index_doc *d, const char *head)
{
    kinds_id said, one;
    if (!kinds_find(head, &said))
        return false;
    for (uint32_t i = 0; i < INDEX_DOC_KINDS && d->kinds[i]; i++) {
        kinds_find_above(d->kinds[i], &one);
        if (kinds_id_distance(&one, &said) < KINDS_NEAR)
            return true;
    }
    return false;
}

/* May what is only near it stand in for a thing? A table for a side table,
 * which is one; no painting for a mirror, and nothing that merely is a board
 * for a dartboard, which hangs. */
static bool near_suits(const index_doc *d, const char *head)
{
    kinds_id said, one;
    const habits_kind *own = habits_of(head);
    bool hangs =
        own && (own->footing == HABITS_HUNG || own->footing == HABITS_CEILING);
    if (!own || !kinds_find(head, &said))
        return true;
    if (!d->kinds[0])
        return false;
    /* what it is first of all: a vase that is a glass, too, is no mirror */
    kinds_find_above(d->kinds[0], &one);
    bool is_related = kinds_id_distance(&one, &said) != KINDS_UNRELATED;
    return is_related && (!hangs || habits_of_kind(&one));
}

static bool size_fits(const furnishing *f, const double size[3])
{
    double wide = size[0] > size[2] ? size[0] : size[2],
           narrow = size[0] > size[2] ? size[2] : size[0];
    double longer =
        f->room.width > f->room.depth ? f->room.width : f->room.depth;
    double shorter =
        f->room.width > f->room.depth ? f->room.depth : f->room.width;
    return wide <= longer - 0.02 && narrow <= shorter - 0.02 &&
           size[1] <= f->room.height - 0.01;
}

/* "king-size", "single": beds are told apart by their breadth. 1: it is not as
 * said. */
static int bed_misfits(const char *said, const char *head, const double size[3])
{
    static const struct {
        const char *word;
        double low, high;
    } beds[] = {{"king", 1.6, 9},    {"queen", 1.35, 2.1}, {"double", 1.3, 2.1},
                {"full", 1.25, 1.9}, {"single", 0.6, 1.3}, {"twin", 0.6, 1.3}};
    if (!habits_is(head, "bed"))
        return 0;
    double wide = size[0] < size[2] ? size[0] : size[2];
    for (size_t i = 0; i < sizeof beds / sizeof *beds; i++) {
        if (strstr(said, beds[i].word))
            return wide < beds[i].low || wide > beds[i].high;
    }
    return strstr(head, "hospital") == NULL && wide < 0.6;
}

/* The search for models. least: the size of the smallest that did not fit, for
 * the message. */
typedef struct picking {
    furnishing *f;
    const index_view *v;
    find_result *found;
    etna_error *err;
    bool any_unfit; /* of the kind, but too large for the room */
    int rank_unfit; /* the best of these */
    double least[3];
} picking;

static const char *picking_keep(picking *p, const char *text)
{
    return etna_arena_strdup(&p->f->arena, text);
}

static bool thing_has(const furnish_thing *t, const etna_hash *hash)
{
    for (uint32_t i = 0; i < t->pick_count; i++) {
        if (memcmp(&t->picks[i].hash, hash, sizeof *hash) == 0)
            return true;
    }
    return false;
}

/* Made to hang where the thing is to stand, or the other way round? */
static bool mounting_fits(const habits_kind *habit, const furnish_pick *p)
{
    bool hangs = !p->movable && p->model.elevation > 0.3;
    if (!habit)
        return !hangs;
    switch (habit->footing) {
    case HABITS_CEILING:
        return p->model.elevation + p->model.size[1] > 1.5 || p->light;
    case HABITS_HUNG: return true;
    default: return !hangs && p->model.elevation < 1.2;
    }
}

/* what mounting, seats, looks and habits change of a rank is less */
enum {
    RANK_MOUNTS = 8
};

#define SEAT_WIDTH 0.6 /* metres that one takes at a table or a counter */

/* How many sit at a table of that foot: by its long sides, and at its ends
 * where they are wide. */
static uint32_t seats_at(const double size[3])
{
    static const double END = 0.75;
    double longer = size[0] > size[2] ? size[0] : size[2];
    bool has_ends = size[0] >= END && size[2] >= END;
    return 2 * (uint32_t)(longer / SEAT_WIDTH) + (has_ends ? 2 : 0);
}

/* How well it serves, least first: of the kind before near ones, as large as
 * said before others, for the same use before others, and with the colour and
 * outline that are asked for before without. */
static int pick_rank(const furnish_thing *t,
                     const furnish_pick *p,
                     const habits_kind *habit)
{
    int rank = bed_misfits(t->said, t->head, p->model.size);
    bool hung = habit && (habit->footing == HABITS_HUNG ||
                          habit->footing == HABITS_CEILING);
    bool mounts = hung && p->model.elevation <= 0;
    uint32_t seats = habits_is(t->head, "table")
                         ? seats_at(p->model.size)
                         : (uint32_t)(p->model.size[0] / SEAT_WIDTH);
    bool is_crowded = t->seats && seats < t->seats;
    bool is_high = t->below_window && p->model.size[1] > LAYOUT_WINDOW_HIDDEN;
    const habits_form *own = habits_form_of(t->head);
    is_high =
        is_high || (own && own->usual > 0 && p->model.size[1] > own->usual);
    const double chair_wide = 0.5; /* metres: wider ones crowd a table */
    bool is_wide = t->at_table && p->model.size[0] > chair_wide;
    bool is_unhandy = is_crowded || is_high || is_wide;
    int looks = (p->lacks != NULL) + 2 * p->other_use;
    return 2 * RANK_MOUNTS * (p->of_kind ? 0 : 1) + RANK_MOUNTS * rank +
           4 * (mounts || is_unhandy) + looks;
}

/* "bed" of "double bed": what serves where no catalogue tells the finer
 * kind. */
static const char *last_word(const char *head)
{
    const char *blank = strrchr(head, ' ');
    return blank ? blank + 1 : head;
}

/* Is the hit a model of the thing, or nearly? *ret without texts. */
static bool hit_serves(const furnish_thing *t,
                       const index_doc *d,
                       const find_hit *hit,
                       furnish_pick *ret)
{
    furnish_pick pick = {.number = d->number,
                         .hash = d->hash,
                         .movable = d->movable,
                         .light = d->light};
    for (int k = 0; k < 3; k++)
        pick.model.size[k] =
            (double)d->size[k] > 0.005 ? (double)d->size[k] : 0.005;
    pick.model.elevation = (double)d->elevation;
    bool is_named_so = doc_is_of(d, t->head);
    bool is_near =
        hit->kind * 10 >= INDEX_KIND * 4 || doc_is_of(d, last_word(t->head));
    pick.of_kind = is_named_so || (is_near && hit->kind * 10 >= INDEX_KIND * 9);
    *ret = pick;
    bool serves = is_named_so || (is_near && near_suits(d, t->head));
    if (!serves || d->opening)
        return false;
    return mounting_fits(habits_of(t->head), &pick) &&
           habits_form_fits(t->head, pick.model.size) &&
           !thing_has(t, &d->hash);
}

/* A colour that the thing should have and the model shows too little of, or an
 * outline that it has not; NULL: none. */
static const char *look_lacking(const picking *p,
                                const furnish_thing *t,
                                uint32_t doc,
                                const index_doc *d)
{
    enum {
        SHARE_ENOUGH = 10 /* percent of the surface, as when assets are found */
    };
    for (int i = 0; i < ASSET_COLOURS; i++) {
        const char *name = asset_colour_names[i];
        bool is_asked = t->colours >> i & 1;
        if (is_asked && d->colour[i] < SHARE_ENOUGH &&
            !strcasestr(d->name, name))
            return name;
    }
    bool is_outlined = !t->outline || find_is_outlined(p->v, doc, t->outline);
    return is_outlined ? NULL : t->outline;
}

/* Are such models used otherwise than what is asked for: a pool table, which
 * is a table, too, or a stool that is called a chair? */
static bool doc_is_used_otherwise(const index_doc *d, const char *head)
{
    kinds_id own;
    const habits_kind *asked = habits_of(head);
    if (!asked || !d->kinds[0])
        return false;
    kinds_find_above(d->kinds[0], &own);
    const habits_kind *used = habits_of_kind(&own);
    return used && used != asked;
}

/* Is the thing one of what the model is, told apart from others of these by its
 * size: a floor lamp, of which catalogues say "lamp"? */
static bool size_tells(const index_doc *d, const char *head)
{
    kinds_id said, one;
    bool has_form = habits_form_of(head) || habits_is(head, "bed");
    if (!has_form || !d->kinds[0] || !kinds_find(head, &said))
        return false;
    kinds_find_above(d->kinds[0], &one);
    return kinds_id_distance(&said, &one) < KINDS_NEAR;
}

/* What the model is not, if it only stands in for the thing: a washing machine
 * for a sewing machine. *ret in the arena, NULL: it is the thing. */
static etna_code standing_in(picking *p,
                             const furnish_thing *t,
                             const index_doc *d,
                             bool is_of_kind,
                             const char **ret)
{
    *ret = NULL;
    if (is_of_kind || size_tells(d, t->head) || strcasestr(d->name, t->head))
        return ETNA_OK;
    bool is_vowel = strchr("aeiou", t->head[0]) != NULL;
    *ret = etna_arena_printf(&p->f->arena, "%s %s", is_vowel ? "an" : "a",
                             t->head);
    return *ret ? ETNA_OK : furnish_no_memory(p->err);
}

/* The smallest of the best that are too large for the room. */
static void unfit_note(picking *p, const furnish_pick *pick, int rank)
{
    const double *size = pick->model.size;
    bool is_better = !p->any_unfit || rank < p->rank_unfit;
    bool is_less = is_better || (rank == p->rank_unfit &&
                                 size[0] * size[2] < p->least[0] * p->least[2]);
    if (is_less)
        memcpy(p->least, size, sizeof p->least);
    if (is_better)
        p->rank_unfit = rank;
    p->any_unfit = true;
}

/* By rank, of equals in the order of the search. */
static void pick_insert(furnish_thing *t, const furnish_pick *pick, int rank)
{
    const habits_kind *habit = habits_of(t->head);
    uint32_t at = t->pick_count;
    while (at > 0 && pick_rank(t, &t->picks[at - 1], habit) > rank)
        at--;
    if (at == LAYOUT_MODELS_MAX)
        return;
    uint32_t last = t->pick_count < LAYOUT_MODELS_MAX ? t->pick_count++
                                                      : LAYOUT_MODELS_MAX - 1;
    for (; last > at; last--)
        t->picks[last] = t->picks[last - 1];
    t->picks[at] = *pick;
}

/* A hit becomes a pick if it serves and fits the room; what does not fit is
 * remembered for the message. */
static etna_code hit_take(picking *p, furnish_thing *t, const find_hit *hit)
{
    index_doc d = index_doc_at(p->v, hit->doc);
    furnish_pick pick;
    if (!hit_serves(t, &d, hit, &pick))
        return ETNA_OK;
    if (standing_in(p, t, &d, pick.of_kind, &pick.lacks) != ETNA_OK)
        return ETNA_E_NOMEM;
    if (!pick.lacks)
        pick.lacks = look_lacking(p, t, hit->doc, &d);
    pick.other_use = doc_is_used_otherwise(&d, t->head);
    int rank = pick_rank(t, &pick, habits_of(t->head));
    if (!size_fits(p->f, pick.model.size)) {
        unfit_note(p, &pick, rank);
        return ETNA_OK;
    }
    pick.path = picking_keep(p, d.path);
    pick.name = picking_keep(p, d.name);
    pick.licence = picking_keep(p, d.licence);
    pick.reason = picking_keep(p, hit->reason);
    if (!pick.path || !pick.name || !pick.licence || !pick.reason)
        return furnish_no_memory(p->err);
    pick_insert(t, &pick, rank);
    return ETNA_OK;
}

/* A crib is no double bed because the double beds are too large. */
static void keep_proper(const picking *p, furnish_thing *t)
{
    if (!p->any_unfit || !t->pick_count)
        return;
    int rank = pick_rank(t, &t->picks[0], habits_of(t->head));
    if (rank / RANK_MOUNTS > p->rank_unfit / RANK_MOUNTS)
        t->pick_count = 0;
}

/* One request to the index; that nothing answers is no failure. */
static etna_code query_take(picking *p, furnish_thing *t, const char *request)
{
    find_options options = p->f->find;
    options.k = 40;
    options.room = p->f->category;
    etna_code code = find_assets(p->v, request, &options, p->found, p->err);
    if (code == ETNA_E_INPUT)
        /* its words say nothing: what is left is nothing found */
        return ETNA_OK;
    if (code != ETNA_OK)
        return code;
    if (!p->found->found) {
        t->why_not = picking_keep(p, p->found->why_not);
        if (p->found->count)
            t->nearest =
                picking_keep(p, index_doc_at(p->v, p->found->hits[0].doc).name);
        return ETNA_OK;
    }
    for (uint32_t i = 0; code == ETNA_OK && i < p->found->count; i++)
        code = hit_take(p, t, &p->found->hits[i]);
    return code;
}

/* Near ones only serve where there is none of the kind. */
static void keep_best_rank(furnish_thing *t)
{
    if (!t->pick_count || !t->picks[0].of_kind)
        return;
    uint32_t n = 0;
    while (n < t->pick_count && t->picks[n].of_kind)
        n++;
    t->pick_count = n;
}

/* By what was said, then by its name, then by the name's last word. */
static etna_code thing_query(picking *p, furnish_thing *t)
{
    const char *last = last_word(t->head);
    etna_code code = query_take(p, t, t->said);
    bool is_short =
        t->pick_count < LAYOUT_MODELS_MAX && strcmp(t->said, t->head) != 0;
    if (code == ETNA_OK && is_short)
        code = query_take(p, t, t->head);
    bool tries_last = !t->pick_count && strcmp(last, t->head) != 0;
    return code == ETNA_OK && tries_last ? query_take(p, t, last) : code;
}

/* None of its models fits the room: a refusal where the text asks for it. */
static etna_code unfit_tell(picking *p, furnish_thing *t)
{
    const layout_room *room = &p->f->room;
    t->why_not = etna_arena_printf(
        &p->f->arena,
        "the smallest %s is %.2f x %.2f m and %.2f m high, too large for a room of %g x %g x %g m",
        t->head, p->least[0], p->least[2], p->least[1], room->width,
        room->depth, room->height);
    if (!t->why_not)
        return furnish_no_memory(p->err);
    bool is_asked = t->told && t->source == FURNISH_NAMED;
    return is_asked ? etna_fail(p->err, ETNA_E_INPUT,
                                "%s; give a larger --room, or leave it out",
                                t->why_not)
                    : ETNA_OK;
}

/* With why_not when there is none. */
static etna_code thing_pick(picking *p, furnish_thing *t)
{
    if (t->source == FURNISH_SCENE)
        return ETNA_OK;
    p->any_unfit = false;
    query said;
    if (query_read(t->said, &said, p->err) == ETNA_OK) {
        t->colours = said.named_colours;
        t->outline = query_outline(&said);
        /* "L-shaped": of what shape models are is not known */
        if (strstr(t->said, " shaped "))
            t->outline = "of that shape";
    }
    etna_code code = thing_query(p, t);
    if (code != ETNA_OK)
        return code;
    keep_best_rank(t);
    keep_proper(p, t);
    if (t->pick_count) {
        t->why_not = NULL;
        return ETNA_OK;
    }
    if (p->any_unfit)
        return unfit_tell(p, t);
    if (!t->why_not)
        t->why_not =
            etna_arena_printf(&p->f->arena, "no model here is a %s", t->head);
    return t->why_not ? ETNA_OK : furnish_no_memory(p->err);
}

/* Fails only when nothing at all can come. */
static etna_code find_nothing(const furnishing *f, etna_error *err)
{
    bool is_licence = f->find.licence_count > 0;
    const char *why = NULL;
    uint32_t asked = 0;
    for (uint32_t i = 0; i < f->thing_count; i++) {
        const furnish_thing *t = &f->things[i];
        if (t->source == FURNISH_SCENE)
            continue;
        if (t->pick_count)
            return ETNA_OK;
        if (!asked++)
            why = t->why_not;
    }
    if (f->scene && !asked)
        return etna_fail(
            err, ETNA_E_INPUT,
            "all that the text names stands there already; say what is to come, as \"add a floor lamp\"");
    return etna_fail(
        err, ETNA_E_INPUT,
        is_licence
            ? "no model for any of it is under such a licence (%s); `etna assets ls` shows the licences"
            : "there is no model for any of it (%s); `etna assets index` reads more models",
        why ? why : "nothing was named");
}

/* ---- what the room can hold ---- */

/* The smallest footprint among the picks, m2. */
static double foot_least(const furnish_thing *t, uint32_t *ret_pick)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < t->pick_count; i++) {
        double foot = t->picks[i].model.size[0] * t->picks[i].model.size[2];
        if (foot >= least)
            continue;
        least = foot;
        *ret_pick = i;
    }
    return least;
}

static bool stands_on_floor(const furnish_thing *t)
{
    const habits_kind *habit = habits_of(t->head);
    if (!habit)
        return t->pick_count && t->picks[0].model.size[0] > 0.5;
    return habit->footing <= HABITS_CORNER;
}

/* What the text asks for: how many, of what most, and the floor that it needs
 * at least, m2. What the text needs at the least: floor in m2, items, and the
 * thing that has most of them. */
typedef struct demand {
    uint64_t items;
    const furnish_thing *most;
    double area;
} demand;

/* What the told things need at least, to refuse a room that is far too
 * small. */
static demand demand_of(const furnishing *f)
{
    demand d = {0};
    for (uint32_t i = 0; i < f->thing_count; i++) {
        const furnish_thing *t = &f->things[i];
        uint32_t pick = 0;
        if (!t->told || !t->pick_count)
            continue;
        d.items += t->wanted;
        if (!d.most || t->wanted > d.most->wanted)
            d.most = t;
        if (stands_on_floor(t))
            d.area += foot_least(t, &pick) * t->wanted;
    }
    return d;
}

/* More than the floor holds, even side by side, is no brief for this room. */
static etna_code check_room(const furnishing *f, etna_error *err)
{
    const demand d = demand_of(f);
    const furnish_thing *most = d.most;
    double floor = f->room.width * f->room.depth;
    if (!most || (d.area <= floor && d.items <= LAYOUT_ITEMS_MAX))
        return ETNA_OK;
    uint32_t pick = 0;
    foot_least(most, &pick);
    uint32_t fit = layout_fit(&f->room, &most->picks[pick].model);
    if (most->wanted > fit || d.items > LAYOUT_ITEMS_MAX)
        return etna_fail(
            err, ETNA_E_INPUT,
            "%u x \"%s\" do not fit a room of %g x %g m: at most %u stand side by side; ask for fewer, or give a larger --room",
            most->wanted, most->head, f->room.width, f->room.depth,
            fit < LAYOUT_ITEMS_MAX ? fit : (uint32_t)LAYOUT_ITEMS_MAX);
    return etna_fail(
        err, ETNA_E_INPUT,
        "what is asked for covers %.1f m2 at least, and the room has %.1f; ask for less, or give a larger --room",
        d.area, floor);
}

/* ---- how things go together ---- */

/* NULL: there is such a tie, or no room for one. */
static layout_tie *tie_put(layout_thing *l,
                           brief_relation relation,
                           uint32_t anchor,
                           bool told,
                           uint8_t walls)
{
    if (l->tie_count == LAYOUT_TIES_MAX)
        return NULL;
    for (uint32_t i = 0; i < l->tie_count; i++) {
        if (l->ties[i].relation == relation && l->ties[i].anchor == anchor)
            return NULL;
    }
    layout_tie *tie = &l->ties[l->tie_count++];
    *tie = (layout_tie){.relation = relation,
                        .said = relation,
                        .anchor = anchor,
                        .told = told,
                        .walls = walls};
    return tie;
}

/* A thing of the kind that has models; not `self`. */
static uint32_t thing_of_kind(const furnishing *f,
                              const char *kind,
                              uint32_t self,
                              uint32_t from)
{
    for (uint32_t i = from; i < f->thing_count; i++) {
        if (i != self && f->things[i].pick_count &&
            habits_is(f->things[i].head, kind))
            return i;
    }
    return BRIEF_NONE;
}

/* What stands on the floor, not taller than a sideboard: something can be put
 * on it. */
static bool can_bear(const furnishing *f, uint32_t thing)
{
    const furnish_thing *t = &f->things[thing];
    const habits_kind *habit = habits_of(t->head);
    bool is_seat = habit && habit->seat;
    if (!t->pick_count || is_seat || !stands_on_floor(t))
        return false;
    double high = t->picks[0].model.size[1];
    return high > 0.3 && high < 1.3;
}

static bool is_worked_at(const char *head)
{
    return habits_is(head, "desk") || habits_is(head, "dressing table");
}

/* Where one sits close to it, turned to it. */
static bool is_sat_close_to(const char *head)
{
    static const char *const kinds[] = {
        "desk", "dressing table", "table",     "counter", "bar",
        "sink", "kitchen island", "workbench", "piano",   "sewing machine"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (habits_is(head, kinds[i]))
            return true;
    }
    return false;
}

/* At desks that face one another it is people that do: the desks stand back to
 * back. */
static bool are_desks_across(const furnishing *f,
                             uint32_t thing,
                             const brief_tie *tie)
{
    return tie->relation == BRIEF_OPPOSITE && tie->anchor != BRIEF_NONE &&
           is_worked_at(f->things[thing].head) &&
           is_worked_at(f->things[tie->anchor].head);
}

static bool sits(const furnishing *f, uint32_t thing)
{
    const habits_kind *habit = habits_of(f->things[thing].head);
    return habit && habit->seat;
}

/* Does the text seat somebody behind the desk? */
static bool desk_is_manned(const furnishing *f, uint32_t desk)
{
    for (uint32_t i = 0; i < f->brief->tie_count; i++) {
        const brief_tie *t = &f->brief->ties[i];
        bool is_behind = t->relation == BRIEF_BEHIND && t->anchor == desk;
        if (is_behind && t->wish < f->thing_count && sits(f, t->wish))
            return true;
    }
    return false;
}

/* Who sits behind a desk sits before its drawers, and who sits in front of it
 * then on its other side. */
static brief_relation relation_at_desk(const furnishing *f,
                                       uint32_t thing,
                                       const brief_tie *tie)
{
    bool is_seat = tie->anchor != BRIEF_NONE && sits(f, thing) &&
                   is_worked_at(f->things[tie->anchor].head);
    if (!is_seat || !desk_is_manned(f, tie->anchor))
        return tie->relation;
    if (tie->relation == BRIEF_BEHIND)
        return BRIEF_FRONT;
    return tie->relation == BRIEF_FRONT ? BRIEF_BEHIND : tie->relation;
}

/* "A desk with a chair" says that the two go together; how, habit says. */
static brief_relation relation_of(const furnishing *f,
                                  uint32_t thing,
                                  const brief_tie *tie)
{
    const habits_kind *habit = habits_of(f->things[thing].head);
    if (are_desks_across(f, thing, tie))
        return BRIEF_BACK;
    if (!tie->loose || !habit || tie->anchor == BRIEF_NONE ||
        habit->beside >= BRIEF_WALL)
        return relation_at_desk(f, thing, tie);
    for (uint32_t k = 0; k < HABITS_ANCHORS && habit->anchors[k]; k++) {
        if (habits_is(f->things[tie->anchor].head, habit->anchors[k]))
            return habit->beside;
    }
    return tie->relation;
}

/* A tie of the text, where what it is tied to is there. */
static void tie_told(furnishing *f, uint32_t thing, const brief_tie *tie)
{
    layout_thing *l = &f->layout[thing];
    bool is_room = tie->anchor == BRIEF_NONE;
    if (!is_room &&
        (tie->anchor >= f->thing_count || !f->things[tie->anchor].pick_count))
        return;
    brief_relation relation = relation_of(f, thing, tie);
    layout_tie *own = tie_put(l, relation, is_room ? LAYOUT_NONE : tie->anchor,
                              true, tie->walls);
    if (own) {
        own->said = tie->loose ? relation : tie->relation;
        own->rows = tie->rows;
        own->share = is_room ? 0 : f->things[thing].share;
    }
    if (relation == BRIEF_ON)
        l->footing = HABITS_ON;
    if (relation == BRIEF_WALL && tie->hung && l->footing == HABITS_ON)
        l->footing = HABITS_HUNG;
    bool are_rows = relation == BRIEF_ROWS && tie->rows > 1;
    bool is_off_walls =
        relation == BRIEF_MIDDLE || relation == BRIEF_BACK || are_rows;
    if (is_off_walls && l->footing == HABITS_AT_WALL)
        l->footing = HABITS_FREE;
}

/* Into so many rows people put so many desks: three of four, five of six. */
static uint8_t rows_usual(uint32_t count)
{
    uint8_t rows = 2;
    while (rows < 10 && (rows + 1u) * (rows + 1u) <= count)
        rows++;
    return rows;
}

/* Relations of the text, then those of habit. */
static void ties_told(furnishing *f, uint32_t thing)
{
    const furnish_thing *t = &f->things[thing];
    layout_thing *l = &f->layout[thing];
    for (uint32_t i = 0; t->wish != BRIEF_NONE && i < f->brief->tie_count;
         i++) {
        if (f->brief->ties[i].wish == t->wish)
            tie_told(f, thing, &f->brief->ties[i]);
    }
    if (t->relation == BRIEF_RELATIONS)
        return;
    if (t->to) {
        uint32_t anchor = thing_of_kind(f, t->to, thing, 0);
        if (anchor != BRIEF_NONE)
            tie_put(l, t->relation, anchor, false, 0);
    } else if (t->relation >= BRIEF_WALL) {
        layout_tie *own = tie_put(l, t->relation, LAYOUT_NONE, false, 0);
        if (own && t->relation == BRIEF_ROWS)
            own->rows = rows_usual(t->wanted);
    }
}

static bool says_where(const layout_thing *l)
{
    for (uint32_t i = 0; i < l->tie_count; i++) {
        if (l->ties[i].relation != BRIEF_FACING)
            return true;
    }
    return false;
}

static uint32_t seats_of(const furnish_thing *t)
{
    if (!t->pick_count || !habits_is(t->head, "table"))
        return 1;
    const habits_kind *habit = habits_of(t->head);
    if (!habit || habit->footing != HABITS_FREE)
        return 1;
    uint32_t seats = seats_at(t->picks[0].model.size);
    return t->wanted * (seats ? seats : 1);
}

/* Can the thing go with this one, of a kind that it usually goes with? */
static bool anchor_suits(const furnishing *f,
                         const habits_kind *habit,
                         const char *kind,
                         uint32_t anchor)
{
    const char *head = f->things[anchor].head;
    if (habit->footing == HABITS_ON && !can_bear(f, anchor)) {
        if (!habits_is(head, "bed") && !habits_is(head, "bookcase"))
            return false;
    }
    const habits_kind *of = habits_of(head);
    bool is_low_shelf =
        strcmp(kind, "table") == 0 && of && of->footing != HABITS_FREE;
    /* a nightstand is a table, and nobody sits at it */
    return !habit->seat || !is_low_shelf;
}

/* Where such a thing usually is, with what is there. */
static void ties_habit(furnishing *f, uint32_t thing, const habits_kind *habit)
{
    layout_thing *l = &f->layout[thing];
    uint32_t room = 0, wanted = f->things[thing].wanted;
    bool takes_all = habit->footing == HABITS_ON ||
                     (habit->seat && habit->beside == BRIEF_FRONT);
    /* several have no one middle */
    bool is_crowd = habit->beside == BRIEF_MIDDLE && wanted > 1;
    if (habit->beside >= BRIEF_WALL && !is_crowd)
        tie_put(l, habit->beside, LAYOUT_NONE, false, 0);
    for (uint32_t k = 0; k < HABITS_ANCHORS && habit->anchors[k]; k++) {
        const char *kind = habit->anchors[k];
        for (uint32_t a = thing_of_kind(f, kind, thing, 0); a != BRIEF_NONE;
             a = thing_of_kind(f, kind, thing, a + 1)) {
            if (!anchor_suits(f, habit, kind, a))
                continue;
            tie_put(l, habit->beside, a, false, 0);
            room += seats_of(&f->things[a]);
            bool has_seats = habit->seat && room >= wanted;
            if (!takes_all || has_seats)
                return;
        }
    }
}

static void ties_on_any(furnishing *f, uint32_t thing)
{
    for (uint32_t i = 0; i < f->thing_count; i++) {
        if (i != thing && can_bear(f, i))
            tie_put(&f->layout[thing], BRIEF_ON, i, false, 0);
    }
}

/* By habit, unless the model's own size or height contradicts. */
static habits_footing footing_of(const furnish_thing *t,
                                 const habits_kind *habit)
{
    const furnish_pick *p = &t->picks[0];
    double wide = p->model.size[0] > p->model.size[2] ? p->model.size[0]
                                                      : p->model.size[2];
    double high = p->model.size[1];
    bool is_small = wide <= 0.6 && high <= 0.6,
         is_large = wide > 1.3 || high > 1;
    bool hangs = p->model.elevation > 0.5;
    if (!habit)
        return is_small ? HABITS_ON : HABITS_FREE;
    if (habit->footing == HABITS_ON && is_large)
        return HABITS_FREE;
    if (habit->footing == HABITS_ON && hangs && !p->movable)
        return HABITS_HUNG;
    if (habit->footing == HABITS_HUNG && p->movable && !hangs)
        return high > 1.1 ? HABITS_AT_WALL : HABITS_ON;
    return habit->footing;
}

static bool has_on(const layout_thing *l)
{
    for (uint32_t i = 0; i < l->tie_count; i++) {
        if (l->ties[i].relation == BRIEF_ON)
            return true;
    }
    return false;
}

/* `anywhere`: what finds none of its usual bearers stands on whatever can bear
 * it. */
static void thing_lay(furnishing *f, uint32_t thing, bool anywhere)
{
    const furnish_thing *t = &f->things[thing];
    const habits_kind *habit = habits_of(t->head);
    layout_thing *l = &f->layout[thing];
    if (t->source == FURNISH_SCENE) {
        furnish_scene_lay(f, thing, l);
        return;
    }
    *l = (layout_thing){.footing = HABITS_FREE,
                        .told = t->told,
                        .different = t->different,
                        .count = t->wanted,
                        .model_count = t->pick_count};
    for (uint32_t i = 0; i < t->pick_count; i++)
        l->models[i] = t->picks[i].model;
    if (!t->pick_count) {
        l->count = 0;
        return;
    }
    l->footing = footing_of(t, habit);
    if (habit) {
        l->front = habit->front;
        l->seat = habit->seat;
        l->table = habit->footing == HABITS_FREE && habits_is(t->head, "table");
        l->worked_at = is_worked_at(t->head);
        l->sat_at = is_sat_close_to(t->head);
    }
    ties_told(f, thing);
    if (habit && !says_where(l))
        ties_habit(f, thing, habit);
    bool lacks_bearer = anywhere && l->footing == HABITS_ON && !has_on(l);
    if (lacks_bearer && habit && habit->beside == BRIEF_ON)
        ties_habit(f, thing, habit);
    if (lacks_bearer && !has_on(l))
        ties_on_any(f, thing);
}

/* What is placed by a thing that stands on another one comes before that: by
 * its bearer. */
static void ties_by_bearers(furnishing *f, uint32_t thing)
{
    layout_thing *l = &f->layout[thing];
    const uint32_t count = l->tie_count;
    for (uint32_t k = 0; k < count; k++) {
        const layout_tie tie = l->ties[k];
        bool is_beside =
            tie.relation >= BRIEF_BESIDE && tie.relation <= BRIEF_FACING;
        if (!is_beside || !tie.told || tie.anchor == LAYOUT_NONE)
            continue;
        const layout_thing *anchor = &f->layout[tie.anchor];
        for (uint32_t n = 0;
             anchor->footing == HABITS_ON && n < anchor->tie_count; n++) {
            if (anchor->ties[n].relation != BRIEF_ON ||
                anchor->ties[n].anchor == thing)
                continue;
            tie_put(l, tie.relation, anchor->ties[n].anchor, false, 0);
            break;
        }
    }
}

/* What bears a thing that the text puts into a corner is there. */
static void bearers_follow(furnishing *f, uint32_t thing)
{
    const layout_thing *l = &f->layout[thing];
    uint32_t bearer = LAYOUT_NONE;
    for (uint32_t i = 0; l->footing == HABITS_ON && i < l->tie_count; i++) {
        if (l->ties[i].relation == BRIEF_ON && bearer == LAYOUT_NONE)
            bearer = l->ties[i].anchor;
    }
    for (uint32_t i = 0; bearer != LAYOUT_NONE && i < l->tie_count; i++) {
        const layout_tie *t = &l->ties[i];
        if (t->told && t->anchor == LAYOUT_NONE && !f->layout[bearer].fixed)
            tie_put(&f->layout[bearer], t->relation, LAYOUT_NONE, true,
                    t->walls);
    }
}

/* To itself: a tie tells how several items of it stand to one another. */
static bool has_tie_to(const layout_thing *l, uint32_t anchor)
{
    for (uint32_t i = 0; i < l->tie_count; i++) {
        if (l->ties[i].anchor == anchor)
            return true;
    }
    return false;
}

static bool is_told_at_wall(const layout_thing *l)
{
    for (uint32_t i = 0; i < l->tie_count; i++) {
        bool is_wall = l->ties[i].relation == BRIEF_WALL ||
                       l->ties[i].relation == BRIEF_CORNER;
        if (is_wall && l->ties[i].told)
            return true;
    }
    return false;
}

static void pair_tie(furnishing *f, uint32_t pair)
{
    layout_thing *l = &f->layout[pair];
    if (l->count == 2 && !l->fixed && !has_tie_to(l, pair))
        tie_put(l, BRIEF_BESIDE, pair, false, 0);
}

/* Two in a row leave what is to stand between them its room. */
static void pair_part(furnishing *f, uint32_t pair, uint32_t between)
{
    const double slack = 0.06; /* metres: a little at either side */
    layout_thing *l = &f->layout[pair];
    const layout_thing *b = &f->layout[between];
    double wide = b->model_count ? b->models[0].size[0] + slack : 0;
    if (l->count > 1 && wide > l->apart)
        l->apart = wide;
}

/* Two that something stands between are side by side, unless it is said how
 * they stand to one another; and so are the two seats of a use. */
static void pairs_tie(furnishing *f)
{
    for (uint32_t i = 0; i < f->thing_count; i++) {
        bool is_of_use = f->things[i].want != BRIEF_NONE &&
                         f->things[i].relation == BRIEF_CORNER;
        if (is_of_use && f->layout[i].seat)
            pair_tie(f, i);
    }
    for (uint32_t i = 0; i < f->thing_count; i++) {
        const layout_thing *l = &f->layout[i];
        for (uint32_t k = 0; k < l->tie_count; k++) {
            uint32_t pair = l->ties[k].anchor;
            bool is_between = l->ties[k].relation == BRIEF_BETWEEN &&
                              pair != LAYOUT_NONE && pair != i;
            if (is_between)
                pair_part(f, pair, i);
            /* chairs at a table sit across it */
            if (is_between && !has_tie_to(&f->layout[pair], i))
                pair_tie(f, pair);
        }
    }
}

/* Is it said, or usual with something that is there, to what the thing
 * turns? */
static bool is_turned(const layout_thing *l)
{
    for (uint32_t i = 0; i < l->tie_count; i++) {
        bool is_across = l->ties[i].relation == BRIEF_FACING ||
                         l->ties[i].relation == BRIEF_OPPOSITE ||
                         l->ties[i].relation == BRIEF_BACK;
        if (is_across)
            return true;
    }
    return false;
}

/* Do the thing's items stand as an audience does: in rows, or many desks? */
static bool is_audience(const layout_thing *l)
{
    const uint32_t many = 4;
    bool sits = l->seat && layout_rows_of(l);
    return sits || (l->worked_at && (l->count >= many || layout_rows_of(l)));
}

/* What rows are told to face is looked at. */
static void audience_look(furnishing *f, layout_thing *l)
{
    for (uint32_t i = 0; layout_rows_of(l) && i < l->tie_count; i++) {
        const layout_tie *t = &l->ties[i];
        if (t->relation == BRIEF_FACING && t->anchor != LAYOUT_NONE)
            f->layout[t->anchor].looked_at = true;
    }
}

/* Who sits in rows looks at what is written or shown before them. */
static void audiences_turn(furnishing *f)
{
    static const char *const shown[] = {"blackboard", "whiteboard", "screen",
                                        "television", "stage",      "lectern"};
    for (uint32_t i = 0; i < f->thing_count; i++) {
        layout_thing *l = &f->layout[i];
        uint32_t board = BRIEF_NONE;
        audience_look(f, l);
        if (l->fixed || !is_audience(l) || is_turned(l))
            continue;
        for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
            if (board == BRIEF_NONE)
                board = thing_of_kind(f, shown[k], i, 0);
        }
        if (board == BRIEF_NONE || f->layout[board].footing == HABITS_ON)
            continue;
        tie_put(l, BRIEF_FACING, board, false, 0);
        f->layout[board].looked_at = true;
        if (l->footing == HABITS_AT_WALL && !is_told_at_wall(l))
            l->footing = HABITS_FREE;
    }
}

/* What something is to stand behind leaves its wall for it. */
static void anchors_free(furnishing *f)
{
    for (uint32_t i = 0; i < f->thing_count; i++) {
        const layout_thing *l = &f->layout[i];
        for (uint32_t k = 0; k < l->tie_count; k++) {
            const layout_tie *tie = &l->ties[k];
            if (tie->relation != BRIEF_BEHIND || !tie->told ||
                tie->anchor == LAYOUT_NONE)
                continue;
            layout_thing *anchor = &f->layout[tie->anchor];
            bool stays = anchor->fixed || is_told_at_wall(anchor);
            if (!stays && anchor->footing == HABITS_AT_WALL)
                anchor->footing = HABITS_FREE;
        }
    }
}

/* What is to stand on something and has nothing to stand on gets it: a lamp its
 * side table. */
static etna_code add_supports(picking *p)
{
    furnishing *f = p->f;
    uint32_t count = f->thing_count;
    for (uint32_t i = 0; i < count; i++) {
        bool needs = f->layout[i].count && f->layout[i].footing == HABITS_ON &&
                     !has_on(&f->layout[i]);
        if (!needs || f->layout[i].fixed)
            continue;
        const habits_kind *habit = habits_of(f->things[i].head);
        const char *kind =
            habit && habit->anchors[0] ? habit->anchors[0] : "side table";
        bool is_there = thing_of_kind(f, kind, i, 0) != BRIEF_NONE;
        furnish_thing *t =
            is_there ? NULL : thing_add(f, FURNISH_SUPPORT, kind, kind, 1);
        if (!t)
            continue;
        t->for_thing = i;
        etna_code code = thing_pick(p, t);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* Picks, then ties: a tie needs the other thing's pick. */
static etna_code pick_things(picking *p)
{
    furnishing *f = p->f;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < f->thing_count; i++)
        code = thing_pick(p, &f->things[i]);
    if (code == ETNA_OK)
        code = find_nothing(f, p->err);
    if (code == ETNA_OK)
        code = check_room(f, p->err);
    for (uint32_t i = 0; code == ETNA_OK && i < f->thing_count; i++)
        thing_lay(f, i, false);
    if (code == ETNA_OK)
        code = add_supports(p);
    for (uint32_t i = 0; code == ETNA_OK && i < f->thing_count; i++)
        thing_lay(f, i, true);
    for (uint32_t i = 0; code == ETNA_OK && i < f->thing_count; i++)
        ties_by_bearers(f, i);
    for (uint32_t i = 0; code == ETNA_OK && i < f->thing_count; i++)
        bearers_follow(f, i);
    if (code == ETNA_OK) {
        anchors_free(f);
        audiences_turn(f);
        pairs_tie(f);
    }
    return code;
}

/* From text to things with models and ties. */
etna_code furnish_pick_all(furnishing *f,
                           const index_view *index,
                           etna_error *err)
{
    picking p = {
        .f = f, .v = index, .found = malloc(sizeof *p.found), .err = err};
    f->brief = malloc(sizeof *f->brief);
    etna_code code = p.found && f->brief ? ETNA_OK : furnish_no_memory(err);
    if (code == ETNA_OK)
        code = brief_read(f->text, f->text_size, f->brief, err);
    if (code == ETNA_OK) {
        add_named(f);
        if (f->scene)
            code = furnish_scene_enter(f, err);
    }
    if (code == ETNA_OK) {
        count_each(f);
        count_seats(f);
        add_wants(f);
        code = pick_things(&p);
    }
    free(p.found);
    return code;
}

etna_code furnish_lay(furnishing *f, etna_error *err)
{
    return layout_search(&f->room, f->layout, f->thing_count, f->seed, &f->plan,
                         err);
}
