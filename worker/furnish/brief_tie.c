/* How two things stand to one another: a relation waits, open, until both of
 * its sides are read, and becomes a tie then. */
#include "proto/array.h"
#include "worker/furnish/brief_reading_internal.h"
#include "worker/furnish/habits.h"

#include <string.h>

void brief_tie_add(brief_reading *r,
                   uint32_t wish,
                   brief_relation relation,
                   uint32_t anchor,
                   const open_tie *t)
{
    brief *b = r->b;
    if (wish == anchor || b->tie_count == BRIEF_TIES_MAX)
        return;
    for (uint32_t i = 0; i < b->tie_count; i++) {
        brief_tie *u = &b->ties[i];
        if (u->wish != wish || u->relation != relation || u->anchor != anchor)
            continue;
        /* "against the wall opposite the window" */
        if (!u->walls)
            u->walls = t->walls;
        return;
    }
    b->ties[b->tie_count++] =
        (brief_tie){.wish = wish,
                    .anchor = anchor,
                    .relation = relation,
                    .walls = t->walls,
                    .rows = relation == BRIEF_WALL ? t->some_walls : t->rows,
                    .loose = t->loose,
                    .hung = t->hung,
                    .gap = t->gap,
                    .from = t->from,
                    .to = t->to};
}

static bool habit_hangs(const habits_kind *habit)
{
    return habit->footing == HABITS_HUNG || habit->footing == HABITS_CEILING;
}

/* Can it stand on other things? */
static bool habit_is_small(const habits_kind *habit)
{
    habits_footing f = habit->footing;
    return f == HABITS_ON || f == HABITS_FREE || f == HABITS_CORNER;
}

bool brief_tie_makes_sense(const brief_reading *r,
                           uint32_t wish,
                           brief_relation relation,
                           uint32_t anchor)
{
    const habits_kind *of = habits_of(r->b->wishes[wish].head);
    const habits_kind *to =
        anchor == BRIEF_NONE ? NULL : habits_of(r->b->wishes[anchor].head);
    if (relation == BRIEF_AROUND)
        return of && of->seat;
    bool is_over_small = relation == BRIEF_ABOVE && to &&
                         to->footing == HABITS_ON && of &&
                         of->footing <= HABITS_FREE;
    if (is_over_small)
        return false; /* no dresser hangs over a lamp */
    if (relation != BRIEF_ON)
        return true;
    if (to && habit_hangs(to) && !habits_is(to->kind, "shelf"))
        return false;
    bool is_on_small = to && to->footing == HABITS_ON;
    if (is_on_small && of && of->footing != HABITS_ON)
        return false; /* no rack is on a hanger */
    return !of || habit_is_small(of);
}

/* "A lamp on each side", "four chairs along both sides": of each side as many
 * as are said. */
static bool tie_doubles(const open_tie *t, uint32_t count, bool every)
{
    if (!t->both)
        return false;
    if (t->relation == BRIEF_FLANK)
        return count == 1;
    return t->relation == BRIEF_AROUND && !every && !t->shared;
}

/* "At each table", "on both": so many of it there, too. */
static bool tie_is_of_each(const open_tie *t, bool every)
{
    const bool of_sides =
        t->relation == BRIEF_FLANK || t->relation == BRIEF_AROUND;
    return every || (t->both && !of_sides);
}

/* What a relation says of how many there are: "on each side", "along both
 * sides", "at each table". */
static void tie_count(brief_reading *r,
                      const open_tie *t,
                      uint32_t wish,
                      uint32_t anchor,
                      bool every)
{
    brief_wish *w = &r->b->wishes[wish];
    const uint32_t anchors =
        anchor == BRIEF_NONE ? 0 : r->b->wishes[anchor].count;
    if (t->relation == BRIEF_BETWEEN && every && anchors > 1) {
        /* "between each": between neighbours */
        w->count = brief_count_times(w->count, anchors - 1);
        return;
    }
    /* "three tables with plants on them": at least one on each */
    const bool is_spread = t->relation == BRIEF_ON && w->some && anchors > 1;
    if (is_spread && w->count < anchors)
        w->count = anchors;
    if (tie_doubles(t, w->count, every))
        w->count = brief_count_times(w->count, 2);
    if (tie_is_of_each(t, every) && (anchors > 1 || t->relation == BRIEF_ON))
        w->each = true;
}

static bool wish_is_flat(const brief_reading *r, uint32_t wish)
{
    const habits_kind *habit =
        wish == BRIEF_NONE ? NULL : habits_of(r->b->wishes[wish].head);
    return habit && habit->footing == HABITS_FLAT;
}

/* "three chairs on each side of the table" are along its sides. */
static bool seats_flank_table(const brief_reading *r,
                              const open_tie *t,
                              uint32_t wish,
                              uint32_t anchor)
{
    if (t->relation != BRIEF_FLANK || !t->both || anchor == BRIEF_NONE)
        return false;
    const habits_kind *of = habits_of(r->b->wishes[wish].head),
                      *to = habits_of(r->b->wishes[anchor].head);
    bool is_table =
        to && to->footing == HABITS_FREE && habits_is(to->kind, "table");
    return is_table && of && of->seat && r->b->wishes[wish].count > 1;
}

/* "two nightstands with a lamp on each side": what stands on things is on each of
 * several. */
static bool is_on_each(const brief_reading *r,
                       const open_tie *t,
                       uint32_t wish,
                       uint32_t anchor)
{
    bool is_of_several = t->relation == BRIEF_FLANK && t->both &&
                         anchor != BRIEF_NONE && r->b->wishes[anchor].count > 1;
    const habits_kind *of = habits_of(r->b->wishes[wish].head);
    return is_of_several && of && of->footing == HABITS_ON;
}

bool brief_share_fits(brief_reading *r,
                      const open_tie *t,
                      uint32_t wish,
                      uint32_t anchor,
                      bool every)
{
    brief_wish *w = &r->b->wishes[wish];
    if (!t->shared)
        return true;
    if (t->relation == BRIEF_FLANK)
        return w->count == 2 || seats_flank_table(r, t, wish, anchor);
    if (t->relation == BRIEF_CORNER)
        return w->count == t->rows;
    bool is_each = every || t->both;
    bool is_of_each = is_each && anchor != BRIEF_NONE && anchor != wish;
    if (is_of_each && w->each)
        return true; /* as it was read without saying so */
    if (!is_of_each || r->b->wishes[anchor].count != w->count)
        return false;
    w->count = 1;
    return true;
}

/* Do two of the one usually stand at the sides of the other? */
static bool flanks_usually(const brief_reading *r,
                           uint32_t wish,
                           uint32_t anchor)
{
    const habits_kind *of =
        wish == BRIEF_NONE ? NULL : habits_of(r->b->wishes[wish].head);
    if (!of || of->beside != BRIEF_FLANK || r->b->wishes[wish].count != 2)
        return false;
    for (uint32_t k = 0; k < HABITS_ANCHORS && of->anchors[k]; k++) {
        if (habits_is(r->b->wishes[anchor].head, of->anchors[k]))
            return true;
    }
    return false;
}

/* What stands on the floor beside a lamp is beside the desk that bears it: what
 * it is beside; BRIEF_NONE: itself. */
static uint32_t anchor_on_floor(const brief_reading *r,
                                brief_relation relation,
                                uint32_t wish,
                                uint32_t anchor)
{
    const brief *b = r->b;
    bool is_by = relation >= BRIEF_BESIDE && relation <= BRIEF_BEHIND;
    if (!is_by || anchor == BRIEF_NONE)
        return anchor;
    const habits_kind *of = habits_of(b->wishes[wish].head),
                      *to = habits_of(b->wishes[anchor].head);
    bool is_by_small =
        of && of->footing <= HABITS_CORNER && to && to->footing == HABITS_ON;
    for (uint32_t i = b->tie_count; is_by_small && i > 0; i--) {
        const brief_tie *t = &b->ties[i - 1];
        bool bears = t->wish == anchor && t->anchor != BRIEF_NONE &&
                     (t->relation == BRIEF_ON || t->loose);
        const habits_kind *bearer =
            bears ? habits_of(b->wishes[t->anchor].head) : NULL;
        if (bearer && bearer->footing <= HABITS_FREE)
            return t->anchor == wish ? BRIEF_NONE : t->anchor;
    }
    return anchor;
}

/* "with a bench at the foot of the bed": where it is says more than whom it came
 * with. */
static void loose_ties_drop(brief *b, uint32_t wish)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < b->tie_count; i++) {
        const brief_tie t = b->ties[i];
        bool is_vague = t.wish == wish && t.loose && t.anchor != BRIEF_NONE;
        if (!is_vague)
            b->ties[kept++] = t;
    }
    b->tie_count = kept;
}

void brief_tie_close(brief_reading *r,
                     const open_tie *t,
                     uint32_t wish,
                     uint32_t anchor,
                     bool every)
{
    if (anchor != BRIEF_NONE) {
        anchor = anchor_on_floor(r, t->relation, wish, anchor);
        if (anchor == BRIEF_NONE)
            return;
    }
    if (t->relation == BRIEF_ON && wish_is_flat(r, anchor)) {
        /* "a bed on a rug": the rug lies under it */
        brief_tie_add(r, anchor, BRIEF_UNDER, wish, t);
        return;
    }
    if (t->relation == BRIEF_BETWEEN && flanks_usually(r, anchor, wish)) {
        /* "a bed between two nightstands": these stand at its sides */
        brief_tie_add(r, anchor, BRIEF_FLANK, wish, t);
        return;
    }
    if (!brief_tie_makes_sense(r, wish, t->relation, anchor)) {
        if (!t->loose)
            brief_unread_add(r, t->from, t->to);
        return;
    }
    if (!brief_share_fits(r, t, wish, anchor, every)) {
        brief_unread_add(r, t->from, t->to);
        return;
    }
    open_tie seated = *t;
    if (seats_flank_table(r, t, wish, anchor)) {
        seated.relation = BRIEF_AROUND;
        t = &seated;
    }
    if (is_on_each(r, t, wish, anchor)) {
        /* "lamps on each side": so many as there are of these */
        brief_wish *w = &r->b->wishes[wish];
        w->count = w->some ? 1 : w->count;
        w->some = false;
        seated.relation = BRIEF_ON;
        t = &seated;
    }
    tie_count(r, t, wish, anchor, every);
    bool is_place = !t->loose && anchor != BRIEF_NONE &&
                    t->relation != BRIEF_FACING && t->relation != BRIEF_AWAY;
    if (is_place && !r->b->wishes[wish].each)
        loose_ties_drop(r->b, wish);
    bool is_one = t->relation == BRIEF_FLANK && r->b->wishes[wish].count == 1;
    brief_tie_add(r, wish, is_one ? BRIEF_BESIDE : t->relation, anchor, t);
    if (!t->row || r->b->wishes[wish].count < 2)
        return;
    open_tie row = *t;
    row.rows = 1;
    brief_tie_add(r, wish, BRIEF_ROWS, BRIEF_NONE, &row);
}

uint8_t brief_opening_at(const brief_reading *r,
                         uint32_t at,
                         uint32_t *ret_length)
{
    static const char *const windows[] = {"window", "windows"};
    static const char *const doors[] = {"door", "doorway", "entrance"};
    const bool has_article = strcmp(brief_word_at(r, at)->text, "the") == 0;
    const char *word = brief_word_at(r, at + has_article)->text;
    *ret_length = has_article + 1u;
    if (WORD_IS_OF(word, windows))
        return BRIEF_OF_WINDOW;
    return WORD_IS_OF(word, doors) ? BRIEF_OF_DOOR : 0;
}

/* "between the sofa and the window": of the tie that was made just now. True: an
 * opening is the other end. */
static bool between_opening(brief_reading *r, uint32_t wish)
{
    uint32_t length;
    const uint8_t walls = brief_opening_at(r, r->at + 1, &length);
    brief_tie *t = r->b->tie_count ? &r->b->ties[r->b->tie_count - 1] : NULL;
    bool is_its = t && t->wish == wish && t->relation == BRIEF_BETWEEN;
    if (!walls || !is_its)
        return false;
    t->walls = walls;
    t->to = r->words[r->at + length].to;
    brief_words_use(r, r->at, r->at + 1 + length, WORD_BETWEEN);
    r->at += 1 + length;
    brief_phrase_restart(r);
    return true;
}

/* "between the bed and the wardrobe": the other end comes. */
static void between_go_on(brief_reading *r, uint32_t wish, uint32_t anchor)
{
    bool is_between = r->ahead.relation == BRIEF_BETWEEN && !r->ahead.second;
    if (!is_between || r->ahead.walls || r->b->wishes[anchor].count > 1 ||
        strcmp(brief_word_at(r, r->at)->text, "and") != 0 ||
        between_opening(r, wish))
        return;
    r->ahead.is_open = r->ahead.second = true;
    r->ahead.anchor = wish;
}

static bool stands_on_floor(const brief_reading *r, uint32_t wish)
{
    const habits_kind *habit = habits_of(r->b->wishes[wish].head);
    return habit && habit->footing <= HABITS_CORNER;
}

uint32_t brief_place_owner(const brief_reading *r, uint32_t wish)
{
    const habits_kind *habit = habits_of(r->b->wishes[wish].head);
    uint32_t with = brief_bearer_of(r, wish, true);
    bool is_borne = habit && habit->footing == HABITS_ON && r->last == wish;
    if (with == BRIEF_NONE || !is_borne)
        return wish;
    /* nothing stands on a sofa: a lamp that came with it is elsewhere */
    const habits_kind *of = habits_of(r->b->wishes[with].head);
    return !of || (of->footing <= HABITS_CORNER && !of->seat) ? with : wish;
}

/* By what stands on the floor stands what does; a vase in front of a mirror is
 * where that is. */
static uint32_t owner_by(const brief_reading *r, uint32_t wish, uint32_t anchor)
{
    const brief_relation relation = r->ahead.relation;
    const bool is_near = relation >= BRIEF_BESIDE && relation <= BRIEF_OPPOSITE;
    bool is_by = is_near || relation == BRIEF_BETWEEN;
    if (!is_by || r->ahead.loose || !stands_on_floor(r, anchor))
        return wish;
    uint32_t owner = brief_place_owner(r, wish);
    return owner == anchor ? wish : owner;
}

/* "a lamp on the desk": the anchor of what came before is met. True: that
 * settles the thing. */
static bool ahead_close(brief_reading *r, uint32_t wish, bool is_new)
{
    uint32_t before = r->ahead.second ? r->ahead.anchor : r->subject;
    r->ahead.is_open = false;
    if (before != BRIEF_NONE && before != wish) {
        const uint32_t owner = owner_by(r, before, wish);
        if (r->subject == before)
            r->subject = owner;
        before = owner;
        brief_tie_close(r, &r->ahead, before, wish, r->every);
        between_go_on(r, before, wish);
        r->last = wish;
        bool is_there = !is_new || r->b->wishes[wish].assumed;
        return is_there; /* the clause still speaks of what stands so */
    }
    if (before == wish) {
        /* "tools above the bench": who is above it is no thing */
        brief_unread_add(r, r->ahead.from, r->words[r->at - 1].to);
        r->last = wish;
        return true;
    }
    if (is_new && before != BRIEF_NONE)
        return false;
    r->front = r->ahead; /* "opposite the bed, a dresser" */
    r->front.is_open = true;
    r->front.anchor = wish;
    r->last = wish;
    return true;
}

uint32_t brief_several_before(const brief_reading *r, uint32_t wish)
{
    for (uint32_t i = wish + 1; i > 0; i--) {
        if (r->b->wishes[i - 1].count > 1)
            return i - 1;
    }
    return wish;
}

/* "two desks with chairs", "with two chairs": as many as there are of the
 * others are one for each. */
static bool with_spreads(brief_reading *r, uint32_t wish, uint32_t anchor)
{
    brief_wish *w = &r->b->wishes[wish];
    const uint32_t anchors =
        anchor == BRIEF_NONE ? 0 : r->b->wishes[anchor].count;
    if (anchors < 2 || w->each || w->count != anchors)
        return false;
    w->count = 1;
    return true;
}

/* "a desk with a chair": what comes stands beside what the clause speaks of. */
static void with_close(brief_reading *r, uint32_t wish)
{
    uint32_t begin = r->start < r->count ? r->start : r->count - 1;
    uint32_t anchor =
        r->with_each ? brief_several_before(r, r->subject) : r->subject;
    const open_tie beside = {.is_open = true,
                             .loose = true,
                             .relation = BRIEF_BESIDE,
                             .anchor = anchor,
                             .from = r->words[begin].from,
                             .to = r->words[r->at - 1].to};
    brief_tie_close(r, &beside, wish, anchor, false);
    r->b->wishes[wish].each = r->with_each || with_spreads(r, wish, anchor);
    r->each_of = r->with_each ? anchor : BRIEF_NONE;
    r->each_ended = false;
}

bool brief_is_joined(const brief_reading *r)
{
    return r->start > 1 && strcmp(r->words[r->start - 1].text, "and") == 0 &&
           !r->words[r->start - 2].mark;
}

/* "each with a chair and a monitor": the next of the list, which has ended
 * behind "and": "..., and a printer". */
static void each_list_close(brief_reading *r, uint32_t wish)
{
    uint32_t length;
    const brief_phrase *place =
        brief_phrase_at(r->words, r->count, r->at, &length);
    /* "each with a chair, and a counter along the wall" */
    bool has_place = place && place->order == BRIEF_ALONE;
    if (r->each_ended || has_place) {
        r->each_of = BRIEF_NONE;
        return;
    }
    r->each_ended = brief_is_joined(r);
    const open_tie t = {.loose = true,
                        .relation = BRIEF_BESIDE,
                        .from = r->words[r->at - 1].from,
                        .to = r->words[r->at - 1].to};
    r->b->wishes[wish].each = true;
    brief_tie_add(r, wish, BRIEF_BESIDE, r->each_of, &t);
}

void brief_places_multiply(brief_reading *r, const open_tie *t, uint32_t wish)
{
    brief_wish *w = &r->b->wishes[wish];
    if (t->relation == BRIEF_CORNER && t->rows && w->count == 1)
        w->count = t->rows;
    const uint8_t all = BRIEF_NORTH | BRIEF_EAST | BRIEF_SOUTH | BRIEF_WEST;
    /* "a desk along two walls" is one, of another form than any here */
    const uint32_t most = t->some_walls && w->some ? t->some_walls : 1;
    const uint32_t walls = t->some_walls ? most : 4;
    if (t->relation == BRIEF_WALL && t->walls == all && w->count < walls)
        w->count = walls;
    if (t->relation == BRIEF_WALL && t->rows > 1)
        w->count = brief_count_times(w->count, t->rows);
}

/* Does a sentence of its own go on behind the thing: "two boxes are"? */
static bool sentence_begins(const brief_reading *r)
{
    static const char *const verbs[] = {"is",     "are",   "sits",  "sit",
                                        "stands", "stand", "hangs", "hang",
                                        "lies",   "lie",   "rests", "rest"};
    return WORD_IS_OF(brief_word_at(r, r->at)->text, verbs);
}

/* Is the thing of the list: no chest of drawers on a nightstand behind "holding
 * a lamp", where the list has ended? */
static bool list_goes_on(brief_reading *r, uint32_t wish, bool is_new)
{
    if (!r->list.is_open || !is_new)
        return false;
    bool is_over =
        r->list.second &&
        (sentence_begins(r) ||
         !brief_tie_makes_sense(r, wish, r->list.relation, r->list.anchor));
    if (is_over)
        r->list.is_open = false;
    return !is_over;
}

void brief_thing_tie(brief_reading *r, uint32_t wish, bool is_new)
{
    if (r->ahead.is_open) {
        if (ahead_close(r, wish, is_new))
            return;
    } else if (r->front.is_open && is_new) {
        r->front.is_open = false;
        brief_places_multiply(r, &r->front, wish);
        brief_tie_close(r, &r->front, wish, r->front.anchor, false);
    } else if (list_goes_on(r, wish, is_new)) {
        r->list.second = true;
        brief_tie_close(r, &r->list, wish, r->list.anchor, r->list.both);
    } else if (r->with_tie && is_new && r->subject != BRIEF_NONE) {
        with_close(r, wish);
    } else if (r->each_of != BRIEF_NONE && is_new && r->each_of < wish) {
        each_list_close(r, wish);
    }
    r->with_tie = false;
    r->last = wish;
    bool keeps = r->list.is_open && is_new;
    if (!keeps)
        r->subject = wish;
}
