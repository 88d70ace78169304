/* What stands between the things of a brief: phrases of place, and "it" and
 * "each", which close what such a phrase left open. */
#include "proto/array.h"
#include "worker/furnish/brief_reading_internal.h"
#include "worker/furnish/habits.h"

#include <string.h>

/* One thing; what something stands on stands on the floor itself. */
static bool it_may_be(const brief_reading *r, uint32_t wish)
{
    const habits_kind *habit = habits_of(r->b->wishes[wish].head);
    bool bears = !habit || habit->footing <= HABITS_CORNER;
    return r->b->wishes[wish].count == 1 &&
           (bears || r->ahead.relation != BRIEF_ON);
}

/* Does the subject usually stand by, or on, such a thing? */
static bool goes_with_subject(const brief_reading *r, uint32_t wish)
{
    const habits_kind *habit = habits_of(r->b->wishes[r->subject].head);
    for (uint32_t k = 0; habit && k < HABITS_ANCHORS && habit->anchors[k];
         k++) {
        if (habits_is(r->b->wishes[wish].head, habit->anchors[k]))
            return true;
    }
    return false;
}

/* "a bookcase left of the desk and a bookcase right of it": no bookcase. */
static bool is_like_subject(const brief_reading *r, uint32_t wish)
{
    return strcmp(r->b->wishes[wish].head, r->b->wishes[r->subject].head) == 0;
}

/* The last thing that "it" may be; `usual`: of those that the subject usually
 * goes with. What is there only for others to look at comes last. */
static uint32_t it_find(const brief_reading *r, bool usual)
{
    uint32_t faced = BRIEF_NONE;
    for (uint32_t i = r->b->wish_count; i > 0; i--) {
        bool may_be = i - 1 != r->subject && it_may_be(r, i - 1) &&
                      !is_like_subject(r, i - 1);
        if (!may_be || (usual && !goes_with_subject(r, i - 1)))
            continue;
        if (!brief_is_only_faced(r, i - 1))
            return i - 1;
        faced = faced == BRIEF_NONE ? i - 1 : faced;
    }
    return faced;
}

/* "A bookcase beside the door. A lamp to its left.": it is what the sentence
 * before was about, whatever lamps usually go with; BRIEF_NONE. */
static uint32_t its_find(const brief_reading *r, uint32_t length)
{
    bool is_its = false;
    for (uint32_t i = r->at; i < r->at + length; i++)
        is_its = is_its || strcmp(r->words[i].text, "its") == 0;
    bool begins = r->clause_from == r->subject && r->said != BRIEF_NONE;
    return is_its && begins && it_may_be(r, r->said) ? r->said : BRIEF_NONE;
}

/* What a relation without an anchor of its own is about: what its thing came
 * with, else the thing named before it. */
static uint32_t stranded_anchor(const brief_reading *r,
                                uint32_t length,
                                uint32_t *ret_tie)
{
    const brief *b = r->b;
    *ret_tie = BRIEF_NONE;
    if (r->subject == BRIEF_NONE || r->ended != r->at)
        return BRIEF_NONE;
    for (uint32_t i = b->tie_count; i > 0; i--) {
        const brief_tie *t = &b->ties[i - 1];
        if (t->wish != r->subject || t->anchor == BRIEF_NONE)
            continue;
        *ret_tie = i - 1;
        return t->anchor;
    }
    bool has_topic = r->topic != BRIEF_NONE && r->topic != r->subject;
    if (has_topic)
        return r->topic;
    uint32_t its = its_find(r, length);
    if (its != BRIEF_NONE)
        return its;
    uint32_t usual = it_find(r, true);
    if (usual != BRIEF_NONE)
        return usual;
    return r->subject > 0 ? r->subject - 1 : BRIEF_NONE;
}

/* "two beds, a nightstand between them, a desk for each": the last before it of
 * which there are several. False: there is none such. */
static bool for_each_read(brief_reading *r, uint32_t length)
{
    const bool is_second = r->subject != BRIEF_NONE && r->subject > 0;
    if (r->last == BRIEF_NONE || r->ended != r->at || !is_second)
        return false;
    uint32_t anchor = brief_several_before(r, r->subject - 1);
    if (r->b->wishes[anchor].count < 2)
        return false;
    const open_tie t = {.loose = true,
                        .relation = BRIEF_BESIDE,
                        .from = r->words[r->at].from,
                        .to = r->words[r->at + length - 1].to};
    r->b->wishes[r->subject].each = true;
    brief_tie_add(r, r->subject, BRIEF_BESIDE, anchor, &t);
    brief_words_use(r, r->at, r->at + length, WORD_BETWEEN);
    r->at += length;
    r->ahead.is_open = false;
    brief_phrase_restart(r);
    return true;
}

/* "two stools on opposite sides" are two, and "on each side" four. */
static bool sides_are_opposite(const brief_reading *r, uint32_t length)
{
    bool is_opposite = false;
    for (uint32_t i = r->at; i < r->at + length; i++)
        is_opposite |= strcmp(r->words[i].text, "sides") == 0 && i > r->at &&
                       strcmp(r->words[i - 1].text, "opposite") == 0;
    return is_opposite && r->subject != BRIEF_NONE &&
           r->b->wishes[r->subject].count > 1;
}

/* "each holding a lamp, with a clock on the left": it is on one of them, and which
 * one that is, is not read. BRIEF_NONE: it is on nothing of which there are
 * several. */
static uint32_t one_of_several(const brief_reading *r, const brief_phrase *p)
{
    const brief *b = r->b;
    bool is_side = p->relation == BRIEF_LEFT || p->relation == BRIEF_RIGHT ||
                   (p->relation == BRIEF_FRONT && p->lined);
    for (uint32_t i = b->tie_count; is_side && i > 0; i--) {
        const brief_tie *t = &b->ties[i - 1];
        bool is_on = t->wish == r->last && t->relation == BRIEF_ON &&
                     t->anchor != BRIEF_NONE;
        if (is_on && b->wishes[t->anchor].count > 1)
            return t->anchor;
    }
    return BRIEF_NONE;
}

static bool phrase_has(const brief_reading *r,
                       uint32_t from,
                       uint32_t to,
                       const char *word)
{
    for (uint32_t i = from; i < to; i++) {
        if (strcmp(r->words[i].text, word) == 0)
            return true;
    }
    return false;
}

/* "... on one side and a speaker and a tray on the other": on one of them, too. */
static void other_side_read(brief_reading *r, uint32_t length)
{
    const uint32_t to = r->at + length;
    bool is_other = phrase_has(r, r->at, to, "other") ||
                    phrase_has(r, r->at, to, "right") ||
                    phrase_has(r, r->at, to, "left");
    for (uint32_t i = r->other_side; is_other && i < r->b->wish_count; i++)
        r->b->wishes[i].each = false;
    if (is_other)
        r->other_side = BRIEF_NONE;
}

/* True: it was that. */
static bool side_of_several_read(brief_reading *r,
                                 const brief_phrase *p,
                                 uint32_t length)
{
    if (r->subject == BRIEF_NONE || r->ended != r->at ||
        one_of_several(r, p) == BRIEF_NONE)
        return false;
    r->b->wishes[r->last].each = false;
    r->other_side = r->last + 1;
    brief_unread_add(r, r->words[r->at].from, r->words[r->at + length - 1].to);
    brief_words_use(r, r->at, r->at + length, WORD_BETWEEN);
    r->at += length;
    brief_phrase_restart(r);
    return true;
}

bool brief_stranded_read(brief_reading *r)
{
    brief *b = r->b;
    uint32_t length, tie;
    const brief_phrase *p = brief_stranded_at(r, r->at, &length);
    uint32_t number;
    bool names_it =
        p && brief_word_class(brief_word_at(r, r->at + length)->text,
                              &number) == BRIEF_IT;
    if (!p || names_it || r->of_part)
        return false; /* "on it" says its anchor */
    if (p->loose && p->both)
        return for_each_read(r, length);
    if (side_of_several_read(r, p, length))
        return true;
    uint32_t anchor = stranded_anchor(r, length, &tie);
    if (anchor == BRIEF_NONE)
        return false;
    /* "a nightstand on each side with a lamp on each": of the nightstands */
    bool is_on_each =
        p->both && p->relation == BRIEF_ON && b->wishes[anchor].count < 2;
    if (is_on_each && r->subject != BRIEF_NONE && r->subject > 0)
        anchor = brief_several_before(r, r->subject - 1);
    const open_tie t = {.is_open = true,
                        .both = p->both,
                        .gap = brief_gap_take(r),
                        .shared = r->shares || sides_are_opposite(r, length),
                        .relation = p->relation,
                        .anchor = anchor,
                        .from = r->words[r->at].from,
                        .to = r->words[r->at + length - 1].to};
    r->shares = false;
    bool is_loose = tie != BRIEF_NONE && b->ties[tie].loose;
    if (is_loose && tie + 1 == b->tie_count)
        b->tie_count--;
    brief_tie_close(r, &t, r->subject, anchor, false);
    r->subject = r->topic = anchor; /* "..., a lamp on top": of the same desk */
    brief_words_use(r, r->at, r->at + length, WORD_BETWEEN);
    r->at += length;
    r->with = r->with_tie = r->ahead.is_open = false;
    brief_phrase_restart(r);
    return true;
}

/* "two armchairs facing each other": a thing of which there are several stands
 * so to its likes; else the last two stand so to one another. */
static void mutual_read(brief_reading *r,
                        const brief_phrase *p,
                        uint32_t length)
{
    brief *b = r->b;
    uint32_t wish = r->subject;
    const open_tie t = {.relation = p->relation,
                        .from = r->words[r->at].from,
                        .to = r->words[r->at + length - 1].to};
    r->at += length;
    brief_phrase_restart(r);
    if (wish == BRIEF_NONE)
        return;
    bool are_several = b->wishes[wish].count > 1;
    if (are_several && t.relation == BRIEF_BESIDE) {
        open_tie row = t;
        row.rows = 1;
        brief_tie_add(r, wish, BRIEF_ROWS, BRIEF_NONE, &row);
    } else if (are_several && b->tie_count < BRIEF_TIES_MAX) {
        b->ties[b->tie_count++] = (brief_tie){.wish = wish,
                                              .anchor = wish,
                                              .relation = t.relation,
                                              .from = t.from,
                                              .to = t.to};
    } else if (!are_several && wish > 0) {
        brief_tie_add(r, wish, t.relation, wish - 1, &t);
        brief_tie_add(r, wish - 1, t.relation, wish, &t);
    }
}

/* Does a relation come before its thing: "in the corner, a lamp", "opposite, a
 * desk"? */
static bool relation_leads(const brief_reading *r, const brief_phrase *p)
{
    if (r->fresh || r->subject == BRIEF_NONE)
        return true;
    if (!r->after_comma)
        return false;
    switch (p->relation) {
    case BRIEF_FOOT:
    case BRIEF_OPPOSITE:
    case BRIEF_FLANK: return true;
    default: return p->order == BRIEF_ALONE;
    }
}

/* Does a thing of a list go to the wall that its last is told to be along? No
 * island does, and no stool of it: what stands free, and what is used at
 * something that was named before. */
static bool wall_is_shared(const brief_reading *r, uint32_t wish)
{
    const habits_kind *habit = habits_of(r->b->wishes[wish].head);
    if (!habit || habit->footing != HABITS_FREE)
        return true;
    if (!habit->seat)
        return false;
    for (uint32_t i = 0; i < wish; i++) {
        for (uint32_t k = 0; k < HABITS_ANCHORS && habit->anchors[k]; k++) {
            if (habits_is(r->b->wishes[i].head, habit->anchors[k]))
                return false;
        }
    }
    return true;
}

/* "a stove and a sink along the north wall": all that are listed. */
static void relation_share(brief_reading *r, const open_tie *t)
{
    for (uint32_t i = r->run_first; i < r->subject; i++) {
        bool has_place = false;
        for (uint32_t k = 0; k < r->b->tie_count; k++)
            has_place |= r->b->ties[k].wish == i && !r->b->ties[k].loose;
        bool is_shared = !has_place && wall_is_shared(r, i) &&
                         brief_tie_makes_sense(r, i, t->relation, BRIEF_NONE);
        if (is_shared)
            brief_tie_add(r, i, t->relation, BRIEF_NONE, t);
    }
}

/* The wall that was spoken of last; 0: none was. */
static uint8_t wall_last(const brief *b)
{
    for (uint32_t i = b->tie_count; i > 0; i--) {
        /* "in front of" names no wall */
        bool is_wall = b->ties[i - 1].relation == BRIEF_WALL;
        const uint8_t walls = is_wall ? b->ties[i - 1].walls : 0;
        if (walls && (walls & (walls - 1)) == 0)
            return walls;
    }
    return 0;
}

/* The wall across from that; 0: none was. */
static uint8_t wall_opposite(const brief *b)
{
    switch (wall_last(b)) {
    case BRIEF_NORTH: return BRIEF_SOUTH;
    case BRIEF_EAST: return BRIEF_WEST;
    case BRIEF_SOUTH: return BRIEF_NORTH;
    case BRIEF_WEST: return BRIEF_EAST;
    default: return 0;
    }
}

/* "opposite the window", "on the door wall"; 0: it speaks of neither. */
static uint8_t walls_of_opening(const brief_reading *r, uint32_t end)
{
    bool is_window = phrase_has(r, r->at, end, "window") ||
                     phrase_has(r, r->at, end, "windows");
    bool is_door = phrase_has(r, r->at, end, "door") ||
                   phrase_has(r, r->at, end, "doorway") ||
                   phrase_has(r, r->at, end, "entrance");
    bool is_across = phrase_has(r, r->at, end, "opposite") ||
                     phrase_has(r, r->at, end, "across");
    if (is_window)
        return is_across ? BRIEF_ACROSS_WINDOW : BRIEF_OF_WINDOW;
    if (is_door)
        return is_across ? BRIEF_ACROSS_DOOR : BRIEF_OF_DOOR;
    return 0;
}

/* Is it said of a wall in a way that is not read: "the opposite wall" of one
 * that is not named, a sofa that is "facing the wall"? */
static bool wall_is_unread(const brief_reading *r,
                           const brief_phrase *p,
                           uint32_t length)
{
    uint32_t to = r->at + length;
    if (p->relation != BRIEF_WALL && p->relation != BRIEF_CORNER)
        return false;
    bool is_opposite =
        phrase_has(r, r->at, to, "opposite") && !walls_of_opening(r, to);
    if (is_opposite && !wall_opposite(r->b))
        return true;
    /* "the same wall" of none that is named would hold each to any wall */
    bool is_same = phrase_has(r, r->at, to, "same");
    if (is_same && (p->relation == BRIEF_CORNER || !wall_last(r->b)))
        return true;
    if (!phrase_has(r, r->at, to, "facing"))
        return false;
    /* who works at a desk faces what it has its back to */
    return r->subject == BRIEF_NONE ||
           !habits_is(r->b->wishes[r->subject].head, "desk");
}

/* "a sofa facing the TV on the north wall": what is behind the thing that
 * someone faces is that thing's wall, since nobody who faces it has the same at
 * his back. BRIEF_NONE: nothing is faced there. */
static uint32_t faced_before(const brief_reading *r, const open_tie *t)
{
    const brief *b = r->b;
    uint32_t last = r->last;
    bool is_near = last != BRIEF_NONE && last != r->subject &&
                   t->relation == BRIEF_WALL &&
                   b->wishes[last].to + 1 == t->from;
    for (uint32_t i = 0; is_near && i < b->tie_count; i++) {
        const brief_tie *tie = &b->ties[i];
        bool is_faced =
            tie->relation == BRIEF_FACING || tie->relation == BRIEF_OPPOSITE;
        if (is_faced && tie->wish == r->subject && tie->anchor == last)
            return last;
    }
    return BRIEF_NONE;
}

/* "a table with two stools in the middle": where one sits is where that is which
 * one sits at. BRIEF_NONE: no seats came with anything just before. */
static uint32_t seats_came_with(const brief_reading *r, const open_tie *t)
{
    const brief *b = r->b;
    const brief_tie *last = b->tie_count ? &b->ties[b->tie_count - 1] : NULL;
    bool is_with = last && last->loose && last->wish == r->subject &&
                   last->anchor != BRIEF_NONE;
    if (!is_with || b->wishes[last->wish].to + 1 != t->from)
        return BRIEF_NONE;
    const habits_kind *habit = habits_of(b->wishes[last->wish].head);
    bool is_seat = habit && habit->seat && t->relation != BRIEF_ROWS;
    return is_seat && goes_with_subject(r, last->anchor) ? last->anchor
                                                         : BRIEF_NONE;
}

/* "on the long wall": it is at a wall, and which is long nobody asks the
 * room. */
static void wall_tell_length(brief_reading *r, uint32_t length)
{
    static const char *const lengths[] = {"long", "longest", "longer", "short",
                                          "shorter"};
    const uint32_t to = r->at + length;
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        if (phrase_has(r, r->at, to, lengths[i]))
            brief_unread_add(r, r->words[r->at].from, r->words[to - 1].to);
    }
}

/* "in three rows of four": twelve. */
static void rows_of_read(brief_reading *r, const open_tie *t)
{
    uint32_t number;
    brief_wish *w = &r->b->wishes[r->subject];
    bool is_of = strcmp(brief_word_at(r, r->at)->text, "of") == 0;
    const char *many = brief_word_at(r, r->at + 1)->text;
    if (!is_of || !w->some || !t->rows ||
        brief_word_class(many, &number) != BRIEF_NUMBER || !number)
        return;
    w->count = brief_count_times(number, t->rows);
    w->some = false;
    brief_words_use(r, r->at, r->at + 2, WORD_BETWEEN);
    r->at += 2;
}

/* "in a corner": it needs no anchor but the room. */
static void relation_alone(brief_reading *r, const open_tie *t, bool leads)
{
    uint32_t with = seats_came_with(r, t);
    if (with != BRIEF_NONE)
        r->subject = with;
    if (!leads && r->subject != BRIEF_NONE && t->relation != BRIEF_ROWS)
        r->subject = brief_place_owner(r, r->subject);
    uint32_t faced = faced_before(r, t);
    if (faced != BRIEF_NONE) {
        brief_tie_add(r, faced, t->relation, BRIEF_NONE, t);
        return;
    }
    if (leads && t->relation != BRIEF_ROWS) {
        r->front = *t;
        r->front.both = false;
        return;
    }
    if (r->subject == BRIEF_NONE ||
        !brief_tie_makes_sense(r, r->subject, t->relation, BRIEF_NONE))
        return;
    const brief_wish *w = &r->b->wishes[r->subject];
    if (!brief_share_fits(r, t, r->subject, BRIEF_NONE, false)) {
        brief_unread_add(r, t->from, t->to);
        return;
    }
    brief_places_multiply(r, t, r->subject);
    if (t->relation == BRIEF_ROWS)
        rows_of_read(r, t);
    if (t->relation == BRIEF_FACING && habits_is(w->head, "desk")) {
        /* it is who works there that looks out */
        open_tie at = *t;
        at.relation = BRIEF_WINDOW;
        brief_tie_add(r, r->subject, BRIEF_WINDOW, BRIEF_NONE, &at);
        return;
    }
    if (t->relation == BRIEF_ROWS && w->count == 1)
        brief_unread_add(r, t->from, t->to);
    else
        brief_tie_add(r, r->subject, t->relation, BRIEF_NONE, t);
    if (t->relation == BRIEF_WALL && t->row)
        relation_share(r, t);
}

/* Two where each side wall is named. */
static uint32_t side_walls_counted(const brief_reading *r, uint32_t to)
{
    bool is_each = false, is_side = false;
    for (uint32_t i = r->at; i < to; i++) {
        uint32_t number;
        is_each |= brief_word_class(r->words[i].text, &number) == BRIEF_EVERY;
        is_side |= strcmp(r->words[i].text, "side") == 0;
    }
    return is_each && is_side ? 2 : 0;
}

/* Of how many rows, corners or side walls words tell: 0 where they tell
 * none. */
static uint32_t places_counted(const brief_reading *r,
                               brief_relation relation,
                               uint32_t to)
{
    uint32_t rows = relation == BRIEF_ROWS, number;
    if (relation == BRIEF_WALL)
        return side_walls_counted(r, to);
    if (relation != BRIEF_ROWS && relation != BRIEF_CORNER)
        return 0;
    for (uint32_t i = r->at; i < to; i++) {
        brief_class class = brief_word_class(r->words[i].text, &number);
        if (class == BRIEF_EVERY)
            rows = strcmp(r->words[i].text, "both") == 0 ? 2 : 4;
        if (class == BRIEF_NUMBER && number > 1)
            rows = number < BRIEF_ROWS_MAX ? number : BRIEF_ROWS_MAX;
    }
    return rows;
}

uint32_t brief_bearer_of(const brief_reading *r, uint32_t wish, bool loose)
{
    const brief *b = r->b;
    for (uint32_t i = b->tie_count; i > 0; i--) {
        const brief_tie *t = &b->ties[i - 1];
        if (t->wish == wish && t->anchor != BRIEF_NONE && t->anchor != wish)
            return !loose || t->loose ? t->anchor : BRIEF_NONE;
    }
    return BRIEF_NONE;
}

/* Can things stand at both sides of it: is it one, and on the floor? */
static bool can_be_flanked(const brief_reading *r, uint32_t wish)
{
    const habits_kind *habit = habits_of(r->b->wishes[wish].head);
    return r->b->wishes[wish].count == 1 &&
           (!habit || habit->footing <= HABITS_CORNER);
}

/* "a bed with two pillows, flanked by": the bed is. */
static uint32_t flanked_find(const brief_reading *r, uint32_t wish)
{
    uint32_t at = wish;
    for (uint32_t n = 0; at != BRIEF_NONE && n < r->b->wish_count; n++) {
        if (can_be_flanked(r, at))
            return at;
        at = brief_bearer_of(r, at, false);
    }
    /* "with a quilt, and two pillows": they came without a word of whose */
    for (uint32_t i = wish; i > r->clause_from; i--) {
        if (can_be_flanked(r, i - 1))
            return i - 1;
    }
    return wish;
}

/* "a desk with a chair holds": the sentence is about the desk. What holds
 * something in passing is what was named last: "a chair holding". */
static uint32_t holder_find(const brief_reading *r, uint32_t at, uint32_t wish)
{
    static const char *const verbs[] = {"holds",    "hold",    "supports",
                                        "displays", "carries", "hosts"};
    for (uint32_t n = 0; n < r->b->wish_count; n++) {
        uint32_t with = brief_bearer_of(r, wish, true);
        if (with == BRIEF_NONE || !WORD_IS_OF(r->words[at].text, verbs))
            return wish;
        wish = with;
    }
    return wish;
}

void brief_subject_lift(brief_reading *r, uint32_t at)
{
    static const char *const of_one[] = {"sits",  "stands", "is",
                                         "rests", "hangs",  "goes",
                                         "lies",  "runs",   "faces"};
    static const char *const of_many[] = {"sit",  "stand", "are", "rest",
                                          "hang", "go",    "lie"};
    const char *verb = r->words[at].text;
    if (WORD_IS_OF(verb, of_one) || WORD_IS_OF(verb, of_many))
        r->of_part = r->list.is_open = false; /* a sentence begins */
    if (r->subject == BRIEF_NONE || r->ended != at)
        return;
    uint32_t with = brief_bearer_of(r, r->subject, true);
    if (with == BRIEF_NONE)
        return;
    bool is_one = r->b->wishes[with].count == 1;
    if (is_one ? WORD_IS_OF(verb, of_one) : WORD_IS_OF(verb, of_many))
        r->subject = r->last = with;
}

/* "a desk holding a lamp": what comes behind stands so to what came before. `at`:
 * the phrase that says so. */
static void relation_inverted(brief_reading *r,
                              const open_tie *t,
                              uint32_t at,
                              bool of_each)
{
    bool goes_on = r->list.is_open || r->subject == BRIEF_NONE;
    r->list = *t;
    r->list.anchor = goes_on ? r->last : r->subject;
    if (r->list.anchor != BRIEF_NONE && t->relation == BRIEF_FLANK)
        r->list.anchor = flanked_find(r, r->list.anchor);
    if (r->list.anchor != BRIEF_NONE && t->relation == BRIEF_ON)
        r->list.anchor = holder_find(r, at, r->list.anchor);
    r->list.both = of_each;
    r->list.is_open = r->list.anchor != BRIEF_NONE;
    r->ahead.is_open = false;
}

/* "a lamp on the desk": the anchor comes. */
static void relation_forward(brief_reading *r,
                             const open_tie *t,
                             bool leads,
                             bool both)
{
    uint32_t length = 0;
    if (leads)
        r->subject = BRIEF_NONE;
    r->list.is_open = false;
    r->ahead = *t;
    r->ahead.both = both;
    const uint8_t walls =
        t->relation == BRIEF_BETWEEN ? brief_opening_at(r, r->at, &length) : 0;
    if (!walls || strcmp(brief_word_at(r, r->at + length)->text, "and") != 0)
        return;
    r->ahead.walls = walls; /* "between the window and the bed" */
    brief_words_use(r, r->at, r->at + length + 1, WORD_BETWEEN);
    r->at += length + 1;
}

/* "should not be under the window": that it is not so is not read. True: the
 * relation is denied. */
static bool relation_is_denied(brief_reading *r,
                               const brief_phrase *p,
                               uint32_t length)
{
    if (!r->denied || p->order == BRIEF_NOTHING)
        return false;
    if (!r->denial_is_spent && r->subject != BRIEF_NONE)
        brief_unread_add(r, r->words[r->at].from,
                         r->words[r->at + length - 1].to);
    r->at += length;
    brief_phrase_restart(r);
    return true;
}

/* "along all walls", "at each wall". */
static bool names_all_walls(const brief_reading *r, uint32_t to)
{
    bool is_every = phrase_has(r, r->at, to, "all") ||
                    phrase_has(r, r->at, to, "each") ||
                    phrase_has(r, r->at, to, "every");
    return is_every && !phrase_has(r, r->at, to, "side");
}

/* "along two walls": how many, whichever they are; 0: it does not count
 * them. */
static uint8_t walls_counted(const brief_reading *r, uint32_t to)
{
    if (phrase_has(r, r->at, to, "two"))
        return 2;
    return phrase_has(r, r->at, to, "three") ? 3 : 0;
}

/* Which walls the phrase of that many words names: by a side, as the one
 * opposite, as the same, or all. Only of a wall is there more than a side. */
static uint8_t walls_meant(brief_reading *r, bool is_wall, uint32_t length)
{
    const uint32_t end = r->at + length;
    uint8_t walls = brief_walls_named(r->words, r->at, end);
    if (!is_wall)
        return walls;
    const uint8_t of_opening = walls_of_opening(r, end);
    if (of_opening)
        return of_opening;
    if (phrase_has(r, r->at, end, "opposite"))
        walls = wall_opposite(r->b);
    if (phrase_has(r, r->at, end, "same"))
        walls = wall_last(r->b);
    if (names_all_walls(r, end) || (!walls && walls_counted(r, end)))
        walls = BRIEF_NORTH | BRIEF_EAST | BRIEF_SOUTH | BRIEF_WEST;
    return walls;
}

/* "with a mirror leaning against the wall", "..., and nearby a lamp": it says
 * nothing of what is told here. True: it was that. */
static bool relation_is_idle(brief_reading *r, uint32_t length)
{
    const brief_word *before = r->at > 0 ? &r->words[r->at - 1] : NULL;
    bool begins = !before || before->mark || strcmp(before->text, "and") == 0 ||
                  strcmp(before->text, "while") == 0;
    bool is_vague =
        begins && length == 1 && strcmp(r->words[r->at].text, "nearby") == 0;
    if (!r->of_part && !is_vague)
        return false;
    r->at += length;
    brief_phrase_restart(r);
    return true;
}

/* "a lamp hanging from the ceiling": another lamp than one that stands. */
static void ceiling_read(brief_reading *r, uint32_t length)
{
    if (r->subject != BRIEF_NONE)
        r->b->wishes[r->subject].overhead = true;
    else
        brief_unread_add(r, r->words[r->at].from,
                         r->words[r->at + length - 1].to);
    r->at += length;
    brief_phrase_restart(r);
}

/* Reads what is no tie that waits for a thing: things that are tied to one
 * another, the ceiling, what is not understood. False: it is none of these. */
static bool relation_read_whole(brief_reading *r,
                                const brief_phrase *p,
                                uint32_t length)
{
    if (p->loose && p->both && brief_each_person_read(r, length))
        return true;
    if (p->order == BRIEF_MUTUAL) {
        mutual_read(r, p, length);
        return true;
    }
    if (p->relation == BRIEF_CEILING) {
        ceiling_read(r, length);
        return true;
    }
    if (p->order != BRIEF_UNREAD && !wall_is_unread(r, p, length))
        return false;
    other_side_read(r, length);
    brief_unread_add(r, r->words[r->at].from, r->words[r->at + length - 1].to);
    r->at += length;
    brief_phrase_restart(r);
    return true;
}

/* The tie of the phrase at the reading's place, before it is known what to. */
static open_tie relation_open(brief_reading *r,
                              const brief_phrase *p,
                              uint32_t length,
                              bool of_each)
{
    const bool is_wall = p->relation == BRIEF_WALL;
    if (is_wall)
        wall_tell_length(r, length);
    const uint8_t walls = walls_meant(r, is_wall, length);
    const bool is_along =
        is_wall && phrase_has(r, r->at, r->at + length, "along");
    return (open_tie){
        .is_open = true,
        .both = p->both || of_each,
        .loose = p->loose,
        .row = p->lined || is_along,
        .hung = is_wall && phrase_has(r, r->at, r->at + 1, "on"),
        .shared = r->shares || sides_are_opposite(r, length),
        .walls = walls,
        .some_walls = is_wall ? walls_counted(r, r->at + length) : 0,
        .gap = brief_gap_take(r),
        .rows = (uint8_t)places_counted(r, p->relation, r->at + length),
        .relation = p->relation,
        .anchor = BRIEF_NONE,
        .from = r->words[r->at].from,
        .to = r->words[r->at + length - 1].to};
}

void brief_relation_read(brief_reading *r,
                         const brief_phrase *p,
                         uint32_t length)
{
    brief_words_use(r, r->at, r->at + length, WORD_BETWEEN);
    if (relation_is_denied(r, p, length) || relation_is_idle(r, length))
        return;
    if (strcmp(r->words[r->at].text, "faces") == 0)
        brief_subject_lift(r, r->at);
    if (relation_read_whole(r, p, length))
        return;
    const bool is_another = brief_another_read(r);
    const bool begins = r->fresh || r->subject == BRIEF_NONE;
    const bool leads = !is_another && relation_leads(r, p);
    const bool of_each = r->every;
    if (of_each && r->at > 0)
        brief_words_use(r, r->at - 1, r->at, WORD_BETWEEN);
    const open_tie t = relation_open(r, p, length, of_each);
    const uint32_t at = r->at;
    r->at += length;
    r->shares = false;
    if (p->order == BRIEF_NOTHING || (begins && p->relation == BRIEF_AROUND)) {
        brief_phrase_restart(r);
        return;
    }
    r->with = r->with_tie = r->purpose = false;
    if (p->order != BRIEF_FORWARD || p->relation != BRIEF_ON)
        r->each_of = BRIEF_NONE;
    if (p->order == BRIEF_ALONE)
        relation_alone(r, &t, leads);
    else if (p->order == BRIEF_INVERTED)
        relation_inverted(r, &t, at, of_each);
    else
        relation_forward(r, &t, leads, p->both);
    r->fresh = false;
    brief_phrase_restart(r);
    /* "at the table" */
    r->known = strcmp(r->words[r->at - 1].text, "the") == 0;
}

/* "a table between them": two of one kind, else the last two. */
static void them_read_between(brief_reading *r)
{
    uint32_t found = 0;
    r->ahead.is_open = false;
    for (uint32_t i = r->b->wish_count; i > 0 && found < 2; i--) {
        const brief_wish *w = &r->b->wishes[i - 1];
        bool are_two = w->count == 2;
        if (i - 1 == r->subject || w->count > 2 || (are_two && found))
            continue;
        brief_tie_close(r, &r->ahead, r->subject, i - 1, false);
        found += are_two ? 2 : 1;
    }
}

/* The last of which there are several; BRIEF_NONE. */
static uint32_t them_find(const brief_reading *r)
{
    for (uint32_t i = r->b->wish_count; i > 0; i--) {
        if (i - 1 != r->subject && r->b->wishes[i - 1].count > 1)
            return i - 1;
    }
    return BRIEF_NONE;
}

/* "a sideboard with candles on it": what the subject came with; BRIEF_NONE. */
static uint32_t with_find(const brief_reading *r)
{
    const brief *b = r->b;
    const brief_tie *last = b->tie_count ? &b->ties[b->tie_count - 1] : NULL;
    bool is_with = last && last->loose && last->wish == r->subject;
    return is_with ? last->anchor : BRIEF_NONE;
}

/* Is "it" what is to be put somewhere? */
static bool is_put(const brief_reading *r)
{
    static const char *const verbs[] = {"put",  "place",   "set", "hang",
                                        "move", "arrange", "line"};
    return r->at > 1 && WORD_IS_OF(r->words[r->at - 2].text, verbs);
}

/* "Put it by the window": the last wish of as many. */
static void it_read_as_subject(brief_reading *r)
{
    bool are_many = strcmp(r->words[r->at - 1].text, "them") == 0;
    for (uint32_t i = r->b->wish_count; i > 0 && r->fresh; i--) {
        if (are_many != (r->b->wishes[i - 1].count > 1))
            continue;
        r->subject = i - 1;
        r->fresh = false;
    }
}

/* "a desk with a laptop, a mug and a lamp on it": all that was listed since, as
 * far as such things stand on others. */
static void on_it_share(brief_reading *r, uint32_t anchor)
{
    for (uint32_t i = anchor + 1; i < r->subject; i++) {
        const habits_kind *habit = habits_of(r->b->wishes[i].head);
        bool has_place = false;
        for (uint32_t k = 0; k < r->b->tie_count; k++)
            has_place |= r->b->ties[k].wish == i && !r->b->ties[k].loose;
        if (habit && habit->footing == HABITS_ON && !has_place)
            brief_tie_add(r, i, BRIEF_ON, anchor, &r->ahead);
    }
}

/* "A lamp beside it": what the open relation is to. */
static void it_read_as_anchor(brief_reading *r)
{
    bool are_several = strcmp(r->words[r->at - 1].text, "them") == 0;
    uint32_t anchor = with_find(r);
    if (anchor == BRIEF_NONE)
        anchor = are_several ? them_find(r) : it_find(r, true);
    if (anchor == BRIEF_NONE)
        anchor = it_find(r, false);
    /* "a desk for each of them", of one bed */
    bool is_of_one = r->ahead.loose && r->ahead.both && anchor != BRIEF_NONE &&
                     r->b->wishes[anchor].count < 2;
    if (is_of_one)
        brief_unread_add(r, r->ahead.from, r->words[r->at - 1].to);
    else if (anchor != BRIEF_NONE)
        brief_tie_close(r, &r->ahead, r->subject, anchor, false);
    if (anchor != BRIEF_NONE && r->ahead.relation == BRIEF_ON)
        on_it_share(r, anchor);
    if (anchor == BRIEF_NONE &&
        r->b->wishes[r->subject].to + 1 >= r->ahead.from)
        brief_unread_add(r, r->ahead.from, r->words[r->at - 1].to);
    r->ahead.is_open = false;
}

void brief_it_read(brief_reading *r)
{
    bool is_between = r->ahead.is_open && r->ahead.relation == BRIEF_BETWEEN;
    if (is_between && r->subject != BRIEF_NONE) {
        them_read_between(r);
        return;
    }
    if (!r->ahead.is_open && r->fresh && is_put(r))
        it_read_as_subject(r);
    else if (r->ahead.is_open && r->subject != BRIEF_NONE)
        it_read_as_anchor(r);
}

/* Does a phrase speak of each place, or of each of what comes behind it: "on
 * each side of", "in each corner", "on each ..."? */
static bool speaks_of_each(const brief_reading *r, uint32_t at)
{
    uint32_t length, number;
    const brief_phrase *p = brief_phrase_at(r->words, r->count, at, &length);
    if (!p)
        return false;
    for (uint32_t i = at; i <= at + length; i++) {
        if (brief_word_class(brief_word_at(r, i)->text, &number) == BRIEF_EVERY)
            return true;
    }
    return false;
}

bool brief_share_read(brief_reading *r)
{
    bool is_one = strcmp(r->words[r->at].text, "one") == 0;
    const brief_wish *w =
        r->subject == BRIEF_NONE ? NULL : &r->b->wishes[r->subject];
    bool has_several = w && !r->denied && (w->count > 1 || w->each);
    if (!is_one || !has_several || !speaks_of_each(r, r->at + 1))
        return false;
    brief_words_use(r, r->at, r->at + 1, WORD_BETWEEN);
    r->at++;
    r->ended = r->at;
    r->shares = true;
    r->fresh = r->after_comma = r->with = r->with_tie = false;
    brief_phrase_restart(r);
    return true;
}

void brief_each_read(brief_reading *r)
{
    const brief_word *next = brief_word_at(r, r->at);
    bool is_end = next->mark || strcmp(next->text, "and") == 0 ||
                  strcmp(next->text, "one") == 0;
    bool has_anchor =
        r->ahead.is_open && r->subject != BRIEF_NONE && r->subject > 0;
    if (!is_end || !has_anchor)
        return;
    uint32_t anchor = brief_several_before(r, r->subject - 1);
    if (r->b->wishes[anchor].count > 1) {
        brief_tie_close(r, &r->ahead, r->subject, anchor, true);
        brief_words_use(r, r->at - 1, r->at, WORD_BETWEEN);
    }
    r->ahead.is_open = false;
}
