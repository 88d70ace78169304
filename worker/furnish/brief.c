/* Reads a brief from left to right: a phrase is gathered until its thing is
 * met, and what stood before it says how it goes with what was met before. The
 * steps and the words between phrases are here; what a step does with a thing,
 * a use or a place is a file each (brief_reading_internal.h). */
#include "worker/furnish/brief.h"
#include "proto/array.h"
#include "worker/furnish/brief_reading_internal.h"
#include "worker/furnish/habits.h"

#include "proto/ascii.h"
#include "proto/utf8.h"
#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/lexicon.h"

#include <stdlib.h>
#include <string.h>

void brief_words_use(brief_reading *r, uint32_t from, uint32_t to, word_use use)
{
    for (uint32_t i = from; i < to && i < r->count; i++)
        r->used[i] = (uint8_t)use;
}

const brief_word *brief_word_at(const brief_reading *r, uint32_t i)
{
    static const brief_word end = {.mark = '.'};
    return i < r->count ? &r->words[i] : &end;
}

void brief_unread_add(brief_reading *r, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < r->b->unread_count; i++) {
        brief_span *known = &r->b->unread[i];
        if (from >= known->to || known->from >= to)
            continue;
        known->from = from < known->from ? from : known->from;
        known->to = to > known->to ? to : known->to;
        return;
    }
    if (r->b->unread_count < BRIEF_UNREAD_MAX)
        r->b->unread[r->b->unread_count++] = (brief_span){from, to};
}

uint32_t brief_count_times(uint32_t count, uint32_t by)
{
    uint64_t all = (uint64_t)count * by;
    return all < BRIEF_COUNT_MAX ? (uint32_t)all : BRIEF_COUNT_MAX;
}

void brief_phrase_restart(brief_reading *r)
{
    r->start = r->at;
    r->known = r->every = r->different = r->is_new = false;
    r->number = r->rows = r->places = 0;
}

static bool tie_is_way(const brief_tie *t)
{
    return t->relation == BRIEF_FACING || t->relation == BRIEF_AWAY;
}

/* Which way a thing looks is no place of it. */
static bool tie_is_place(const brief_reading *r, uint32_t tie)
{
    const brief_tie *t = &r->b->ties[tie];
    return t->anchor != BRIEF_NONE && !tie_is_way(t);
}

bool brief_is_only_faced(const brief_reading *r, uint32_t wish)
{
    bool is_faced = false;
    for (uint32_t i = 0; i < r->b->tie_count; i++) {
        const brief_tie *t = &r->b->ties[i];
        is_faced |= t->anchor == wish && tie_is_way(t);
    }
    return is_faced && r->b->wishes[wish].assumed;
}

/* The thing of the clause that all others of it stand by; BRIEF_NONE: there are
 * several. */
static uint32_t clause_root(const brief_reading *r)
{
    uint32_t root = BRIEF_NONE;
    for (uint32_t i = r->clause_from; i < r->b->wish_count; i++) {
        bool is_by_other = false;
        for (uint32_t k = 0; k < r->b->tie_count; k++)
            is_by_other |= r->b->ties[k].wish == i && tie_is_place(r, k);
        if (is_by_other || brief_is_only_faced(r, i))
            continue;
        if (root != BRIEF_NONE)
            return BRIEF_NONE;
        root = i;
    }
    return root;
}

/* "a desk with a chair, under the window": a place behind a comma to which no
 * thing comes is of what the clause is about, or told. */
static void front_close(brief_reading *r)
{
    if (!r->front.is_open || r->front.anchor != BRIEF_NONE)
        return;
    uint32_t root = clause_root(r);
    bool is_read =
        root != BRIEF_NONE &&
        brief_tie_makes_sense(r, root, r->front.relation, BRIEF_NONE);
    if (is_read)
        brief_tie_add(r, root, r->front.relation, BRIEF_NONE, &r->front);
    else
        brief_unread_add(r, r->front.from, r->front.to);
    r->front.is_open = false;
}

/* What was open when a clause ends stays without an anchor; "it" and "there"
 * begin anew. */
static void clause_end(brief_reading *r)
{
    /* "one stool per ...", "on the left", of what is not known; a bed "on metal
     * legs" is on nothing else */
    bool is_place = r->ahead.loose || r->ahead.relation != BRIEF_ON;
    if (r->ahead.is_open && is_place && !r->denied)
        brief_unread_add(r, r->ahead.from, r->ahead.to);
    front_close(r);
    if (r->clause_from < r->b->wish_count)
        r->said = clause_root(r);
    r->clause_from = r->b->wish_count;
    r->each_of = r->of_want = BRIEF_NONE;
    r->each_people = 0;
    r->ahead.is_open = r->front.is_open = r->list.is_open = false;
    r->with = r->with_tie = r->purpose = r->denied = r->other_way = false;
    r->fresh = true;
    r->people = 0;
    r->topic = BRIEF_NONE;
    brief_phrase_restart(r);
}

/* "on slim legs and ...": what was to be met was something else. */
static void ahead_expire(brief_reading *r)
{
    if (r->ahead.is_open && r->start + 1 < r->at)
        r->ahead.is_open = false;
}

/* A comma ends a phrase unless adjectives are being listed. */
static void mark_read(brief_reading *r, char mark)
{
    r->at++;
    r->of_part = false;
    if (mark == '(')
        r->aside = true;
    if (mark == ')')
        r->aside = r->ahead.is_open = false;
    if (mark == '.') {
        r->aside = false;
        clause_end(r);
    } else if (mark == ',') {
        static const char *const places[] = {"room",  "wall", "side",
                                             "space", "area", "flat"};
        uint32_t number;
        bool is_adjective = r->start + 2 < r->at &&
                            brief_word_class(r->words[r->at - 2].text,
                                             &number) == BRIEF_PLAIN &&
                            !brief_is_object(r->words[r->at - 2].text);
        /* "a student room - single bed" */
        bool is_place =
            is_adjective && WORD_IS_OF(r->words[r->at - 2].text, places);
        /* "a tall, narrow lamp" */
        bool gathers =
            is_adjective && !is_place && (r->known || r->is_new || r->number);
        r->purpose = r->denied = r->other_way = false;
        r->after_comma = true;
        r->with_tie = false;
        if (gathers)
            return;
        ahead_expire(r);
        brief_phrase_restart(r);
    } else {
        brief_phrase_restart(r);
    }
}

static bool is_word_before(const brief_reading *r, const char *const *list)
{
    for (; r->at > 0 && *list; list++) {
        if (strcmp(r->words[r->at - 1].text, *list) == 0)
            return true;
    }
    return false;
}

/* "for a tall person": who is not of the usual size asks for other furniture,
 * which is not read. */
static void for_person_tell(brief_reading *r)
{
    bool is_superlative, is_sized = false;
    uint32_t number;
    for (uint32_t i = r->at; i < r->count && !r->words[i].mark; i++) {
        const char *word = r->words[i].text;
        brief_class class = brief_word_class(word, &number);
        if (class == BRIEF_PLAIN && is_sized && brief_is_person(word))
            brief_unread_add(r, r->words[r->at].from, r->words[i].to);
        if (class != BRIEF_PLAIN && class != BRIEF_NEW && class != BRIEF_KNOWN)
            return;
        is_sized |= lexicon_size(word, &is_superlative) != 0;
    }
}

/* A purpose ("for books") names no thing; "space for a desk" does. */
static void for_read(brief_reading *r)
{
    static const char *const room[] = {"space",   "room", "place", "spot",
                                       "looking", "add",  "ask",   NULL};
    uint32_t length;
    if (brief_people_after(r, r->at, &length)) {
        r->people = brief_people_after(r, r->at, &length);
        if (r->ended == r->at && r->subject != BRIEF_NONE)
            r->b->wishes[r->subject].people = r->people;
        brief_words_use(r, r->at, r->at + length, WORD_BETWEEN);
        if (r->want_to == r->at)
            r->want_to += length - 1;
        r->at += length - 1;
    } else {
        bool is_of_want = r->at > 0 && r->ended == r->at;
        r->purpose = !is_word_before(r, room) && (!r->fresh || is_of_want);
        r->at++;
        for_person_tell(r);
    }
    brief_phrase_restart(r);
}

/* "without a rug", and not "no rug, a lamp". */
static bool is_denial_before(const brief_reading *r)
{
    static const char *const wishes[] = {"want", "need", "own", "have", "like"};
    /* "we do not want a ..." */
    const bool wishes_before =
        r->at > 2 && WORD_IS_OF(r->words[r->at - 2].text, wishes);
    const uint32_t back = wishes_before ? 3 : 2;
    uint32_t number;
    return r->at >= back &&
           brief_word_class(r->words[r->at - back].text, &number) == BRIEF_NOT;
}

/* "she does not want any shelves" */
static bool is_any(const brief_reading *r)
{
    return strcmp(r->words[r->at - 1].text, "any") == 0;
}

/* "three-seat", "6 person": the word behind the number is at `at`. */
static void places_read(brief_reading *r, uint32_t at, uint32_t number)
{
    static const char *const seats[] = {"seat", "seater", "person", "people",
                                        "cushion"};
    if (WORD_IS_OF(brief_word_at(r, at)->text, seats))
        r->places = number;
}

static void number_read(brief_reading *r, uint32_t number)
{
    if (!r->number && !r->known && !r->is_new && !r->rows)
        r->start = r->at - 1;
    if (brief_is_measured(brief_word_at(r, r->at)->text)) {
        places_read(r, r->at, number);
        return;
    }
    if (r->number && number == 12)
        number *= r->number; /* two dozen */
    r->number = number;
    r->purpose = r->denied = false;
}

/* A number, an article: a phrase begins with it. True: it was one. */
static bool starter_read(brief_reading *r, brief_class class, uint32_t number)
{
    switch (class) {
    case BRIEF_NUMBER: number_read(r, number); return true;
    case BRIEF_NEW:
        brief_phrase_restart(r);
        r->start = r->at - 1;
        r->is_new = true;
        r->denied = r->denied && (is_denial_before(r) || is_any(r));
        return true;
    case BRIEF_KNOWN:
        brief_phrase_restart(r);
        r->start = r->at - 1;
        r->known = true;
        return true;
    case BRIEF_EVERY:
        brief_each_read(r);
        brief_phrase_restart(r);
        r->every = true;
        return true;
    case BRIEF_UNLIKE: r->different = true; return true;
    default: return class == BRIEF_PLAIN;
    }
}

/* "a reading corner with ...": what comes is the want's, and no part of, and
 * beside, what was named before. */
static void want_list_open(brief_reading *r)
{
    if (!r->b->want_count || r->want_to != r->at - 1)
        return;
    r->of_want = r->b->want_count - 1;
    r->with = r->with_tie = r->with_each = false;
    r->subject = BRIEF_NONE;
}

/* "for three people, each with ...": how many; 0: "each" is of things, or of
 * nobody. */
static uint32_t each_people(const brief_reading *r)
{
    bool is_of_things =
        r->subject != BRIEF_NONE &&
        r->b->wishes[brief_several_before(r, r->subject)].count > 1;
    if (!r->every || is_of_things)
        return 0;
    uint32_t people = r->people ? r->people : brief_people_of_room(r);
    return people > 1 ? people : 0;
}

/* A small word between phrases. */
static void link_read(brief_reading *r, brief_class class)
{
    switch (class) {
    case BRIEF_WITH:
        r->with = r->with_tie = !r->fresh && r->subject != BRIEF_NONE;
        r->with_each = r->every;
        r->each_of = BRIEF_NONE;
        r->each_people = each_people(r);
        r->purpose = false; /* "for a student, with a desk" */
        want_list_open(r);
        if (r->every && r->at > 1)
            brief_words_use(r, r->at - 2, r->at - 1, WORD_BETWEEN);
        r->list.is_open = false;
        return;
    case BRIEF_OR: r->other_way = r->ended == r->at - 1; return;
    case BRIEF_NOT:
        r->denied = true;
        r->is_role = strcmp(r->words[r->at - 1].text, "as") == 0;
        r->denial_is_spent = false;
        return;
    case BRIEF_IT: brief_it_read(r); return;
    case BRIEF_LITTLE: r->with_tie = false; return;
    default: return;
    }
}

/* "two rows of ...". True: it was that. */
static bool rows_read(brief_reading *r, const char *word)
{
    bool is_row = strcmp(word, "row") == 0 || strcmp(word, "rows") == 0;
    bool is_of = strcmp(brief_word_at(r, r->at)->text, "of") == 0;
    if (!is_row || !is_of || (!r->number && !r->is_new))
        return false;
    r->rows = r->number ? r->number : 1;
    r->number = 0;
    return true;
}

/* A small word: what it says of the phrase that comes, or that the one before
 * has ended. */
static void word_read(brief_reading *r)
{
    uint32_t number;
    const brief_word *word = &r->words[r->at];
    brief_class class = brief_word_class(word->text, &number);
    if (class == BRIEF_NUMBER && word->glued) {
        places_read(r, r->at + 1, number);
        class = BRIEF_PLAIN; /* "four-poster" */
    }
    if (class == BRIEF_FOR) {
        for_read(r);
        return;
    }
    if (class == BRIEF_VERB)
        brief_subject_lift(r, r->at);
    r->at++;
    if (class == BRIEF_PLAIN && rows_read(r, word->text))
        return;
    if (starter_read(r, class, number))
        return;
    if (class == BRIEF_LITTLE && strcmp(word->text, "while") == 0)
        clause_end(r);
    if (class == BRIEF_LITTLE && strcmp(word->text, "of") == 0)
        return; /* "a pair of" */
    link_read(r, class);
    bool every = r->every;
    ahead_expire(r);
    brief_phrase_restart(r);
    r->every = every && class != BRIEF_WITH;
}

/* "to seat six", "seating for eight": who is to sit there. True: it was
 * that. */
static bool seats_read(brief_reading *r)
{
    uint32_t number, behind;
    const char *word = r->words[r->at].text;
    uint32_t at = r->at + 1;
    bool is_seat = strcmp(word, "seat") == 0 || strcmp(word, "seats") == 0 ||
                   strcmp(word, "seating") == 0;
    at += is_seat && strcmp(brief_word_at(r, at)->text, "for") == 0;
    const char *many = brief_word_at(r, at)->text;
    if (!is_seat || brief_word_class(many, &number) != BRIEF_NUMBER)
        return false;
    const brief_word *next = brief_word_at(r, at + 1);
    bool is_plain = !next->mark && next->text[0] &&
                    brief_word_class(next->text, &behind) == BRIEF_PLAIN;
    if (is_plain && !brief_names_people(next->text))
        return false;
    r->seats = number;
    brief_words_use(r, r->at, at + 1 + is_plain, WORD_BETWEEN);
    r->at = at + 1 + is_plain;
    brief_phrase_restart(r);
    return true;
}

/* "to the left of the door": what stands by a part of the room is not read.
 * True: it was that. */
static bool room_part_read(brief_reading *r)
{
    uint32_t number;
    const brief_word *w = &r->words[r->at], *next = brief_word_at(r, r->at + 1);
    char one[KINDS_WORD_SIZE];
    bool is_plural;
    bool is_known = kinds_lemma(w->text, one, sizeof one, &is_plural) > 0;
    bool is_part =
        brief_is_of_room(is_known ? one : w->text) &&
        (next->mark || brief_word_class(next->text, &number) != BRIEF_PLAIN);
    if (!is_part || !r->ahead.is_open || r->ahead.second || r->denied)
        return false;
    brief_unread_add(r, r->ahead.from, w->to);
    r->at++;
    r->ahead.is_open = false;
    brief_phrase_restart(r);
    return true;
}

/* "on the left nightstand": on one of those that are known, and not at the left
 * of it. Is there a name behind the phrase? */
static bool is_on_one_side(const brief_reading *r,
                           const brief_phrase *p,
                           uint32_t length)
{
    char head[BRIEF_HEAD_SIZE];
    bool is_side = p->relation == BRIEF_LEFT || p->relation == BRIEF_RIGHT;
    return is_side && length == 3 && strcmp(r->words[r->at].text, "on") == 0 &&
           brief_thing_length(r, r->at + length, head) > 0;
}

/* The longest phrase of place at r->at. True: it was one. */
static bool place_read(brief_reading *r)
{
    uint32_t length = 0, on;
    const brief_phrase *p = brief_phrase_at(r->words, r->count, r->at, &length);
    if (!p)
        return false;
    bool is_on = is_on_one_side(r, p, length);
    if (is_on) {
        /* which one is the left one is not read */
        brief_unread_add(r, r->words[r->at].from,
                         r->words[r->at + length - 1].to);
        p = brief_phrase_at(r->words, r->at + 1, r->at, &on);
    }
    brief_relation_read(r, p, length);
    r->known = r->known || is_on;
    r->after_comma = false;
    return true;
}

/* One step of the reading: the longest known phrase at this place, else a
 * thing, else a single word. What is read is marked as used; the rest is told
 * as not understood. */
static void step_read(brief_reading *r)
{
    char head[BRIEF_HEAD_SIZE];
    uint32_t length = 0;
    const brief_word *w = &r->words[r->at];
    bool was_comma = r->after_comma;
    if (r->purpose || r->aside || (r->denied && r->denial_is_spent))
        r->used[r->at] = WORD_BETWEEN;
    if (w->mark) {
        mark_read(r, w->mark);
        return;
    }
    if (brief_share_read(r) || brief_gap_read(r))
        return;
    if (brief_stranded_read(r)) {
        r->after_comma = false;
        return;
    }
    if (seats_read(r) || brief_people_read(r))
        return;
    if (place_read(r))
        return;
    bool glue = strcmp(w->text, "and") == 0 || strcmp(w->text, "while") == 0;
    r->after_comma = was_comma && glue;
    if (brief_want_read(r))
        return;
    if (room_part_read(r))
        return;
    length = brief_thing_length(r, r->at, head);
    if (length && brief_name_ends(r, r->at + length)) {
        brief_thing_read(r, head, length);
        return;
    }
    word_read(r);
}

static etna_code text_check(const char *text, size_t size, etna_error *err)
{
    if (size > BRIEF_TEXT_MAX)
        return etna_fail(
            err, ETNA_E_INPUT,
            "the text has %zu bytes, more than %d; say it in fewer words", size,
            BRIEF_TEXT_MAX);
    if (memchr(text, 0, size) || !etna_utf8_valid(text, size))
        return etna_fail(err, ETNA_E_INPUT,
                         "the text is not UTF-8; save it as UTF-8");
    for (size_t i = 0; i < size; i++) {
        if (!ascii_is_blank(text[i]))
            return ETNA_OK;
    }
    return etna_fail(
        err, ETNA_E_INPUT,
        "the text is empty; say what the room is for or what it is to have");
}

/* Does one sit at that table on what is named? Not on a sofa, unless the table
 * is a sofa's or the text puts the sofa there. */
static bool seat_is_at(const brief *b, uint32_t wish, uint32_t table)
{
    const habits_kind *habit = habits_of(b->wishes[wish].head);
    const habits_kind *of = habits_of(b->wishes[table].head);
    if (!habit || !habit->seat)
        return false;
    bool goes_to_tables =
        habit->beside == BRIEF_FRONT || habit->beside == BRIEF_AROUND;
    bool is_of_any_seat = !of || of->beside != BRIEF_MIDDLE;
    bool is_told = false;
    for (uint32_t i = 0; i < b->tie_count; i++)
        is_told |= b->ties[i].wish == wish && b->ties[i].anchor == table;
    return goes_to_tables || is_of_any_seat || is_told;
}

/* Who lays a table for six wants six to sit there: chairs, where no seats are
 * named for it. */
static void brief_seats_add(brief_reading *r)
{
    brief *b = r->b;
    uint32_t table = BRIEF_NONE;
    for (uint32_t i = 0; i < b->wish_count; i++) {
        const habits_kind *habit = habits_of(b->wishes[i].head);
        bool is_table = habit && habit->footing == HABITS_FREE &&
                        habits_is(habit->kind, "table");
        if (is_table && r->seats && !b->wishes[i].people) {
            b->wishes[i].people = r->seats;
            r->seats = 0;
        }
        if (is_table && b->wishes[i].people && table == BRIEF_NONE)
            table = i;
    }
    if (table == BRIEF_NONE || b->wish_count == BRIEF_WISHES_MAX)
        return;
    for (uint32_t i = 0; i < b->wish_count; i++) {
        if (seat_is_at(b, i, table))
            return;
    }
    const brief_wish *w = &b->wishes[table];
    const open_tie t = {.relation = BRIEF_AROUND, .from = w->from, .to = w->to};
    b->wishes[b->wish_count] = (brief_wish){.from = w->from,
                                            .to = w->to,
                                            .said = "chair",
                                            .head = "chair",
                                            .count = w->people * w->count,
                                            .want = BRIEF_NONE};
    brief_tie_add(r, b->wish_count++, BRIEF_AROUND, table, &t);
}

/* What is between one thing and something that is neither a thing nor an opening
 * is not read. */
static void brief_between_check(brief_reading *r)
{
    const brief *b = r->b;
    for (uint32_t i = 0; i < b->tie_count; i++) {
        const brief_tie *t = &b->ties[i];
        bool is_between = t->relation == BRIEF_BETWEEN &&
                          t->anchor != BRIEF_NONE && !t->walls;
        uint32_t ends = is_between ? b->wishes[t->anchor].count : 2;
        for (uint32_t k = 0; ends < 2 && k < b->tie_count; k++)
            ends += k != i && b->ties[k].wish == t->wish &&
                    b->ties[k].relation == BRIEF_BETWEEN;
        if (ends < 2)
            brief_unread_add(r, t->from, t->to);
    }
}

/* ETNA_E_INPUT: the text names nothing to furnish with. */
etna_code brief_read(const char *text, size_t size, brief *ret, etna_error *err)
{
    etna_code code = text_check(text, size, err);
    if (code != ETNA_OK)
        return code;
    brief_word *words = calloc(size + 1, sizeof *words);
    brief *b = calloc(1, sizeof *b);
    uint8_t *used = calloc(size + 1, sizeof *used);
    if (!words || !b || !used) {
        free(words);
        free(used);
        free(b);
        return etna_fail(err, ETNA_E_NOMEM, "no memory to read the text");
    }
    brief_reading r = {.text = text,
                       .words = words,
                       .b = b,
                       .used = used,
                       .subject = BRIEF_NONE,
                       .each_of = BRIEF_NONE,
                       .other_side = BRIEF_NONE,
                       .of_want = BRIEF_NONE,
                       .last = BRIEF_NONE,
                       .topic = BRIEF_NONE,
                       .said = BRIEF_NONE,
                       .fresh = true};
    r.count = brief_cut(text, size, words);
    while (r.at < r.count)
        step_read(&r);
    clause_end(&r);
    brief_unread_collect(&r);
    brief_between_check(&r);
    brief_seats_add(&r);
    if (b->wish_count + b->want_count == 0) {
        code = etna_fail(
            err, ETNA_E_INPUT,
            "the text names nothing that could stand in a room; say what it is to have, as \"a bed and two nightstands\"");
    } else {
        *ret = *b;
    }
    free(words);
    free(used);
    free(b);
    return code;
}
