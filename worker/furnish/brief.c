/* Reads a brief from left to right: a phrase is gathered until its thing is
 * met, and what stood before it says how it goes with what was met before. */
#include "worker/furnish/brief.h"
#include "worker/furnish/brief_internal.h"
#include "worker/furnish/habits.h"

#include "proto/ascii.h"
#include "proto/utf8.h"
#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/lexicon.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct open_tie { /* a relation of which one side was read */
    bool is_open, both, loose;
    uint8_t walls, rows;
    brief_relation relation;
    uint32_t anchor; /* BRIEF_NONE: the room, or not read yet */
    uint32_t from, to;
} open_tie;

typedef enum word_use {
    WORD_UNUSED,
    WORD_OF_THING, /* of a thing's or a room's phrase */
    WORD_BETWEEN   /* it says how things stand, or asks for nothing */
} word_use;

/* State of the one pass over the text. Its words are never looked at again, so
 * all that a later word may refer back to is kept here. */
typedef struct reading {
    const char *text;
    const brief_word *words;
    uint32_t count, at;
    brief *b;
    uint32_t start;   /* where the phrase that is gathered begins */
    uint32_t subject; /* the thing that the clause speaks of */
    uint32_t last;    /* the last thing met, new or known */
    /* what relations without an anchor were about in this sentence */
    uint32_t topic;
    open_tie ahead;   /* its anchor comes: "a lamp on ..." */
    open_tie front;   /* its thing comes: "in one corner, ..." */
    open_tie list;    /* things that come are its: "a desk holding ..." */
    uint32_t ended;   /* the word behind the last thing or want */
    bool fresh;       /* no thing since the clause began */
    bool after_comma; /* nothing but the comma was read since */
    bool with;        /* parts may come */
    bool with_tie;    /* the next thing goes with the clause's */
    bool with_each;   /* and each of these has so many */
    uint32_t each_of; /* of whom each has what is listed; BRIEF_NONE */
    uint32_t want_to; /* the word behind the last want and its people */
    uint32_t of_want; /* things that come are listed as its; BRIEF_NONE */
    bool purpose, denied, other_way, aside;
    bool known, every, different, is_new; /* of the phrase that is gathered */
    uint32_t number, rows;                /* "two rows of three": 3, 2 */
    uint32_t people;
    uint8_t *used;        /* of each word, a word_use */
    bool denial_is_spent; /* what was denied was named: "no rug" */
} reading;

static void words_use(reading *r, uint32_t from, uint32_t to, word_use use)
{
    for (uint32_t i = from; i < to && i < r->count; i++)
        r->used[i] = (uint8_t)use;
}

static const brief_word *brief_word_at(const reading *r, uint32_t i)
{
    static const brief_word end = {.mark = '.'};
    return i < r->count ? &r->words[i] : &end;
}

static void unread_add(reading *r, uint32_t from, uint32_t to)
{
    if (r->b->unread_count < BRIEF_UNREAD_MAX)
        r->b->unread[r->b->unread_count++] = (brief_span){from, to};
}

static uint32_t count_times(uint32_t count, uint32_t by)
{
    uint64_t all = (uint64_t)count * by;
    return all < BRIEF_COUNT_MAX ? (uint32_t)all : BRIEF_COUNT_MAX;
}

/* ---- phrases ---- */

static void phrase_restart(reading *r)
{
    r->start = r->at;
    r->known = r->every = r->different = r->is_new = false;
    r->number = r->rows = 0;
}

/* What was open when a clause ends stays without an anchor; "it" and "there"
 * begin anew. */
static void clause_end(reading *r)
{
    if (r->ahead.is_open && r->ahead.loose)
        /* "one stool per ...", of what is not known */
        unread_add(r, r->ahead.from, r->ahead.to);
    r->each_of = r->of_want = BRIEF_NONE;
    r->ahead.is_open = r->front.is_open = r->list.is_open = false;
    r->with = r->with_tie = r->purpose = r->denied = r->other_way = false;
    r->fresh = true;
    r->people = 0;
    r->topic = BRIEF_NONE;
    phrase_restart(r);
}

/* Each tie once. Ties beyond BRIEF_TIES_MAX are dropped. */
static void tie_add(reading *r,
                    uint32_t wish,
                    brief_relation relation,
                    uint32_t anchor,
                    const open_tie *t)
{
    brief *b = r->b;
    if (wish == anchor || b->tie_count == BRIEF_TIES_MAX)
        return;
    for (uint32_t i = 0; i < b->tie_count; i++) {
        const brief_tie *u = &b->ties[i];
        if (u->wish == wish && u->relation == relation && u->anchor == anchor)
            return;
    }
    b->ties[b->tie_count++] = (brief_tie){.wish = wish,
                                          .anchor = anchor,
                                          .relation = relation,
                                          .walls = t->walls,
                                          .rows = t->rows,
                                          .loose = t->loose,
                                          .from = t->from,
                                          .to = t->to};
}

/* Is a word no part of the phrase that ends at `to`: a mark, or before its name
 * a small word? */
static bool word_is_left_out(const reading *r,
                             uint32_t i,
                             uint32_t name,
                             uint32_t to)
{
    const brief_word *w = &r->words[i];
    if (w->mark)
        return true;
    if (i >= name)
        return false;
    uint32_t number;
    brief_class class = brief_word_class(w->text, &number);
    bool is_measure =
        class == BRIEF_NUMBER && i + 1 < to && ascii_is_digit(w->text[0]);
    return class != BRIEF_PLAIN && !is_measure;
}

/* The phrase: its words from `from` on that are no small words, at most the
 * last ten, and all of its name. */
static void said_of(const reading *r,
                    uint32_t from,
                    uint32_t name,
                    uint32_t to,
                    char ret[BRIEF_SAID_SIZE])
{
    size_t n = 0;
    if (to - from > 10)
        from = to - 10;
    ret[0] = 0;
    for (uint32_t i = from; i < to; i++) {
        const char *text = r->words[i].text;
        if (word_is_left_out(r, i, name, to) ||
            n + strlen(text) + 2 > BRIEF_SAID_SIZE)
            continue;
        n += (size_t)snprintf(ret + n, BRIEF_SAID_SIZE - n, "%s%s",
                              n ? " " : "", text);
    }
}

static bool heads_are_one(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > m)
        return heads_are_one(b, a);
    bool is_ending =
        strcmp(b + m - n, a) == 0 && (m == n || b[m - n - 1] == ' ');
    return is_ending || kinds_distance(b, a) < KINDS_NEAR;
}

/* "bench", of a workbench. */
static bool name_is_short_for(const char *head, const char *whole)
{
    size_t n = strlen(head), m = strlen(whole);
    return n > 3 && m > n && strcmp(whole + m - n, head) == 0;
}

/* The thing said before that a head speaks of; BRIEF_NONE. */
static uint32_t brief_known_find(const reading *r, const char *head)
{
    uint32_t loose = BRIEF_NONE;
    for (uint32_t i = r->b->wish_count; i > 0; i--) {
        const char *other = r->b->wishes[i - 1].head;
        if (strcmp(other, head) == 0)
            return i - 1;
        bool is_short_for = r->known && name_is_short_for(head, other);
        if (loose == BRIEF_NONE && (heads_are_one(head, other) || is_short_for))
            loose = i - 1;
    }
    return loose;
}

/* ---- what is not understood ---- */

/* How many words from `at` on, of which none was used, are an article or number
 * and a name that is known to be some object's, though no furniture's: "a
 * kitchenette"; 0. */
static uint32_t unread_name_length(const reading *r, uint32_t at)
{
    uint32_t number, n = 1;
    const brief_word *w = &r->words[at];
    brief_class class = brief_word_class(w->text, &number);
    bool begins = strcmp(w->text, "a") == 0 || strcmp(w->text, "an") == 0 ||
                  class == BRIEF_NUMBER;
    if (!begins)
        return 0;
    while (at + n < r->count && !r->used[at + n] && !r->words[at + n].mark &&
           brief_word_class(r->words[at + n].text, &number) == BRIEF_PLAIN)
        n++;
    bool ends = at + n >= r->count || r->used[at + n] != WORD_OF_THING;
    bool is_frame =
        at == 0 && at + n < r->count && /* "a garage with ..." */
        (r->words[at + n].mark || strcmp(r->words[at + n].text, "with") == 0);
    ends = ends && !is_frame;
    const char *last = r->words[at + n - 1].text;
    bool names = brief_is_object(last) && !brief_is_person(last);
    return n > 1 && ends && names ? n : 0;
}

/* "every student", "each." */
static uint32_t unread_each_length(const reading *r, uint32_t at)
{
    if (brief_word_at(r, at + 1)->mark)
        return 1;
    return r->used[at + 1] == WORD_OF_THING ? 0 : 2;
}

/* "and two on the right", "every student gets": a number or "each" of what was
 * not named there. */
static uint32_t unread_count_length(const reading *r, uint32_t at)
{
    uint32_t number, behind;
    const char *word = r->words[at].text;
    brief_class class = brief_word_class(word, &number);
    const brief_word *next = brief_word_at(r, at + 1);
    if (class == BRIEF_EVERY && strcmp(word, "all") != 0 &&
        strcmp(word, "both") != 0)
        return unread_each_length(r, at);
    bool counts = class == BRIEF_NUMBER && !r->words[at].glued;
    bool is_followed =
        brief_phrase_at(r->words, r->count, at + 1, &behind) != NULL;
    return counts && is_followed && !brief_is_measured(next->text) ? 1 + behind
                                                                   : 0;
}

/* Of the words that were not used: those that bound places, and names of
 * things. */
static void unread_collect(reading *r)
{
    for (uint32_t i = 0; i < r->count; i++) {
        if (r->used[i] || r->words[i].mark)
            continue;
        uint32_t n = unread_name_length(r, i);
        if (!n)
            n = unread_count_length(r, i);
        if (!n)
            n = brief_bound_length(r->words, r->count, i);
        if (!n)
            continue;
        unread_add(r, r->words[i].from, r->words[i + n - 1].to);
        i += n - 1;
    }
}

/* ---- ties ---- */

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

static bool tie_makes_sense(const reading *r,
                            uint32_t wish,
                            brief_relation relation,
                            uint32_t anchor)
{
    const habits_kind *of = habits_of(r->b->wishes[wish].head);
    const habits_kind *to =
        anchor == BRIEF_NONE ? NULL : habits_of(r->b->wishes[anchor].head);
    if (relation == BRIEF_AROUND)
        return of && of->seat;
    if (relation != BRIEF_ON)
        return true;
    if (to && habit_hangs(to))
        return false;
    return !of || habit_is_small(of);
}

/* What a relation says of how many there are: "on each side", "along both
 * sides", "at each table". */
static void tie_count(
    reading *r, const open_tie *t, uint32_t wish, uint32_t anchor, bool every)
{
    brief_wish *w = &r->b->wishes[wish];
    bool is_flank = t->relation == BRIEF_FLANK,
         is_around = t->relation == BRIEF_AROUND;
    bool is_pair = is_flank && t->both && w->count == 1;
    /* "four chairs along each side" */
    bool is_along_both = is_around && t->both && !every;
    if (is_pair || is_along_both)
        w->count = count_times(w->count, 2);
    bool are_several = anchor != BRIEF_NONE && r->b->wishes[anchor].count > 1;
    bool is_of_each = every || (t->both && !is_flank && !is_around);
    if (is_of_each && (are_several || t->relation == BRIEF_ON))
        w->each = true;
}

static bool wish_is_flat(const reading *r, uint32_t wish)
{
    const habits_kind *habit =
        wish == BRIEF_NONE ? NULL : habits_of(r->b->wishes[wish].head);
    return habit && habit->footing == HABITS_FLAT;
}

/* A relation that was read on both sides becomes a tie; counts follow where it
 * speaks of each. */
static void tie_close(
    reading *r, const open_tie *t, uint32_t wish, uint32_t anchor, bool every)
{
    if (t->relation == BRIEF_ON && wish_is_flat(r, anchor)) {
        /* "a bed on a rug": the rug lies under it */
        tie_add(r, anchor, BRIEF_UNDER, wish, t);
        return;
    }
    if (!tie_makes_sense(r, wish, t->relation, anchor)) {
        if (!t->loose)
            unread_add(r, t->from, t->to);
        return;
    }
    tie_count(r, t, wish, anchor, every);
    bool is_one = t->relation == BRIEF_FLANK && r->b->wishes[wish].count == 1;
    tie_add(r, wish, is_one ? BRIEF_BESIDE : t->relation, anchor, t);
}

/* "a lamp on the desk": the anchor of what came before is met. True: that
 * settles the thing. */
static bool ahead_close(reading *r, uint32_t wish, bool is_new)
{
    uint32_t before = r->subject;
    r->ahead.is_open = false;
    if (before != BRIEF_NONE && before != wish) {
        tie_close(r, &r->ahead, before, wish, r->every);
        r->last = wish;
        bool is_there = !is_new || r->b->wishes[wish].assumed;
        return is_there; /* the clause still speaks of what stands so */
    }
    if (is_new && before != BRIEF_NONE)
        return false;
    r->front = r->ahead; /* "opposite the bed, a dresser" */
    r->front.is_open = true;
    r->front.anchor = wish;
    r->last = wish;
    return true;
}

/* Whom "each" is of: the thing itself, or the last before it of which there are
 * several. */
static uint32_t several_before(const reading *r, uint32_t wish)
{
    for (uint32_t i = wish + 1; i > 0; i--) {
        if (r->b->wishes[i - 1].count > 1)
            return i - 1;
    }
    return wish;
}

/* "a desk with a chair": what comes stands beside what the clause speaks of. */
static void with_close(reading *r, uint32_t wish)
{
    uint32_t begin = r->start < r->count ? r->start : r->count - 1;
    uint32_t anchor = r->with_each ? several_before(r, r->subject) : r->subject;
    const open_tie beside = {.is_open = true,
                             .loose = true,
                             .relation = BRIEF_BESIDE,
                             .anchor = anchor,
                             .from = r->words[begin].from,
                             .to = r->words[r->at - 1].to};
    tie_close(r, &beside, wish, anchor, false);
    r->b->wishes[wish].each = r->with_each;
    r->each_of = r->with_each ? anchor : BRIEF_NONE;
}

/* "each with a chair and a monitor": the next of the list. */
static void each_list_close(reading *r, uint32_t wish)
{
    const open_tie t = {.loose = true,
                        .relation = BRIEF_BESIDE,
                        .from = r->words[r->at - 1].from,
                        .to = r->words[r->at - 1].to};
    r->b->wishes[wish].each = true;
    tie_add(r, wish, BRIEF_BESIDE, r->each_of, &t);
}

/* "a plant in each corner" are four, "five shelves along each side wall"
 * ten. */
static void places_multiply(reading *r, const open_tie *t, uint32_t wish)
{
    brief_wish *w = &r->b->wishes[wish];
    if (t->relation == BRIEF_CORNER && t->rows && w->count == 1)
        w->count = t->rows;
    if (t->relation == BRIEF_WALL && t->rows > 1)
        w->count = count_times(w->count, t->rows);
}

/* A thing was met: what was open about it is closed. */
static void thing_tie(reading *r, uint32_t wish, bool is_new)
{
    if (r->ahead.is_open) {
        if (ahead_close(r, wish, is_new))
            return;
    } else if (r->front.is_open && is_new) {
        r->front.is_open = false;
        places_multiply(r, &r->front, wish);
        tie_close(r, &r->front, wish, r->front.anchor, false);
    } else if (r->list.is_open && is_new) {
        tie_close(r, &r->list, wish, r->list.anchor, r->list.both);
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

/* ---- things ---- */

/* A verb's form in -s, -ed or -ing, or an adverb: what can follow a thing's
 * name. */
static bool word_follows(const char *word)
{
    size_t n = strlen(word);
    char lemma[KINDS_WORD_SIZE];
    if (n > 3 && strcmp(word + n - 2, "ly") == 0)
        return true;
    bool is_past = n > 3 && strcmp(word + n - 2, "ed") == 0;
    bool is_going_on = n > 4 && strcmp(word + n - 3, "ing") == 0;
    bool is_third = n > 2 && word[n - 1] == 's';
    return (is_past || is_going_on || is_third) &&
           kinds_verb_lemma(word, lemma, sizeof lemma) > 0;
}

/* The words with blanks between; "" when they do not fit. */
static void compound_of(const reading *r,
                        uint32_t from,
                        uint32_t to,
                        char ret[BRIEF_HEAD_SIZE])
{
    size_t n = 0;
    ret[0] = 0;
    for (uint32_t i = from; i < to; i++) {
        const char *text = r->words[i].text;
        if (n + strlen(text) + 2 > BRIEF_HEAD_SIZE)
            return;
        n += (size_t)snprintf(ret + n, BRIEF_HEAD_SIZE - n, "%s%s",
                              n ? " " : "", text);
    }
}

/* "chests" of "chests of drawers": the word that a name's number is of. True:
 * another stands behind it, and `head` becomes "chest of drawers". */
static bool head_singular_of(char head[BRIEF_HEAD_SIZE], bool *ret_plural)
{
    char *of = strstr(head, " of "), lemma[KINDS_WORD_SIZE],
         behind[BRIEF_HEAD_SIZE];
    *ret_plural = false;
    if (!of)
        return false;
    snprintf(behind, sizeof behind, "%s", of);
    *of = 0;
    char *word = strrchr(head, ' ');
    word = word ? word + 1 : head;
    bool is_known = kinds_lemma(word, lemma, sizeof lemma, ret_plural) > 0;
    if (is_known && *ret_plural && strlen(lemma) <= strlen(word))
        strcpy(word, lemma);
    strcat(head, behind);
    return true;
}

/* Was an article, a number or "each" read, and no name behind it? */
static bool phrase_is_open(const reading *r)
{
    return r->known || r->is_new || r->every || r->number;
}

/* "behind each stand", "an IV stand on its left": a thing, since nothing is
 * named that stands. */
static bool is_stand_named(const reading *r, uint32_t at)
{
    uint32_t number;
    const brief_word *next = brief_word_at(r, at + 1);
    bool is_word = strcmp(brief_word_at(r, at)->text, "stand") == 0;
    return is_word &&
           (next->mark || brief_word_class(next->text, &number) != BRIEF_NEW);
}

/* How many words from `at` on name a thing; 0. */
static uint32_t thing_length(const reading *r,
                             uint32_t at,
                             char ret[BRIEF_HEAD_SIZE])
{
    uint32_t most = 0, number;
    while (most < BRIEF_COMPOUND_MAX && !brief_word_at(r, at + most)->mark)
        most++;
    for (uint32_t n = most; n > 0; n--) {
        bool is_joined = brief_word_at(r, at + n - 1)->glued;
        brief_class class =
            brief_word_class(brief_word_at(r, at)->text, &number);
        bool is_stand =
            class == BRIEF_VERB && phrase_is_open(r) && is_stand_named(r, at);
        bool is_small = n == 1 && class != BRIEF_PLAIN && !is_stand;
        if (is_joined || is_small)
            continue; /* "flag-themed" */
        compound_of(r, at, at + n, ret);
        bool is_plural;
        char single[BRIEF_HEAD_SIZE];
        snprintf(single, sizeof single, "%s", ret);
        bool is_thing =
            brief_is_thing(ret) ||
            (head_singular_of(single, &is_plural) && brief_is_thing(single));
        if (is_thing)
            return n;
        bool is_part = kinds_known(ret) && n > 1;
        if (is_part)
            return 0;
    }
    return 0;
}

/* "hat stand": a word that says what a thing does in the plural says here what
 * it is. */
static bool is_compound_stand(const reading *r, uint32_t at)
{
    bool is_plural = false;
    char lemma[KINDS_WORD_SIZE];
    const char *word = brief_word_at(r, at)->text;
    bool is_stand = strcmp(word, "stand") == 0 || strcmp(word, "hang") == 0;
    if (!is_stand || at == 0)
        return false;
    return kinds_lemma(r->words[at - 1].text, lemma, sizeof lemma,
                       &is_plural) &&
           !is_plural;
}

/* Does a name that ends before `at` end there, or do more words of it follow
 * ("light gray bed")? */
static bool name_ends(const reading *r, uint32_t at)
{
    const brief_word *w = brief_word_at(r, at);
    uint32_t number, length;
    char head[BRIEF_HEAD_SIZE];
    if (is_compound_stand(r, at))
        return false;
    if (w->mark || brief_word_class(w->text, &number) != BRIEF_PLAIN)
        return true;
    if (brief_phrase_at(r->words, r->count, at, &length))
        return true;
    static const char *const behind[] = {
        "each",     "minimum", "maximum", "about",  "closest", "nearest",
        "opposite", "set",     "surface", "corner", NULL};
    for (const char *const *b = behind; *b; b++) {
        if (strcmp(w->text, *b) == 0)
            return true;
    }
    if (thing_length(r, at, head))
        return false;
    bool is_plural = false;
    char lemma[KINDS_WORD_SIZE];
    bool is_known = at > 0 && kinds_lemma(r->words[at - 1].text, lemma,
                                          sizeof lemma, &is_plural);
    bool ends_in_plural = is_known && is_plural && kinds_known(lemma);
    /* a name's plural is of its last word */
    return ends_in_plural || word_follows(w->text);
}

/* BRIEF_NONE: too many wishes, counted in left_out. */
static uint32_t wish_add(reading *r,
                         const char *head,
                         uint32_t to,
                         uint32_t count)
{
    brief *b = r->b;
    if (b->wish_count == BRIEF_WISHES_MAX) {
        b->left_out++;
        return BRIEF_NONE;
    }
    brief_wish *w = &b->wishes[b->wish_count];
    *w = (brief_wish){.from = r->words[r->start].from,
                      .to = r->words[to - 1].to,
                      .count = count,
                      .different = r->different,
                      .assumed = r->known,
                      .want = r->of_want};
    snprintf(w->head, sizeof w->head, "%s", head);
    said_of(r, r->start, r->at, to, w->said);
    if (!w->said[0])
        snprintf(w->said, sizeof w->said, "%s", head);
    return b->wish_count++;
}

/* What was taken for known is now told: "beside the bed ..., a low bed". */
static void wish_tell(reading *r, uint32_t wish, uint32_t to)
{
    brief_wish *w = &r->b->wishes[wish];
    w->from = r->words[r->start].from;
    w->to = r->words[to - 1].to;
    w->assumed = false;
    said_of(r, r->start, r->at, to, w->said);
}

/* The name in the singular. */
static bool head_singular(char head[BRIEF_HEAD_SIZE])
{
    char *last = strrchr(head, ' '), lemma[KINDS_WORD_SIZE];
    bool is_plural = false;
    if (head_singular_of(head, &is_plural))
        return is_plural;
    last = last ? last + 1 : head;
    size_t room = BRIEF_HEAD_SIZE - (size_t)(last - head);
    if (kinds_lemma(last, lemma, sizeof lemma, &is_plural) && is_plural &&
        strlen(lemma) < room)
        strcpy(last, lemma);
    return is_plural;
}

/* Does a relation at `at` end its phrase: "a mirror above", "a vase on top of
 * it"? */
static const brief_phrase *stranded_at(const reading *r,
                                       uint32_t at,
                                       uint32_t *ret_length)
{
    static const char *const ends[] = {"and", "it", "them", NULL};
    const brief_phrase *p = brief_phrase_at(r->words, r->count, at, ret_length);
    if (!p || p->order != BRIEF_FORWARD)
        return NULL;
    const brief_word *next = brief_word_at(r, at + *ret_length);
    bool is_end = next->mark != 0;
    for (const char *const *e = ends; *e; e++)
        is_end = is_end || strcmp(next->text, *e) == 0;
    return is_end ? p : NULL;
}

/* What is named but not wanted as a thing of its own. What has a place of its
 * own is no part: "a sink with a mirror above". */
static bool thing_is_out(const reading *r, const char *head, uint32_t to)
{
    uint32_t length;
    const brief_phrase *place =
        brief_phrase_at(r->words, r->count, to, &length);
    bool has_place = place && place->order == BRIEF_FORWARD &&
                     place->relation >= BRIEF_BESIDE;
    has_place = has_place || stranded_at(r, to, &length);
    bool behind_with = r->with && r->number < 2 && !has_place;
    return r->denied || r->purpose || r->aside ||
           brief_is_part(head, behind_with);
}

/* Does a name that was met before speak of that again, and of no other of the
 * kind? */
static bool known_is_meant(const reading *r, uint32_t known)
{
    if (known == BRIEF_NONE || r->is_new)
        return false;
    bool of_each = r->every && !r->number;
    bool to_each = r->ahead.is_open && r->ahead.both;
    return r->known || of_each || to_each;
}

/* "1.5 m between desks": those that were named. */
static bool plural_is_known(const reading *r,
                            uint32_t known,
                            const char *head,
                            bool is_plural)
{
    bool is_bare = is_plural && !r->number && !r->is_new && r->start == r->at;
    bool is_anchor = r->ahead.is_open && known != BRIEF_NONE;
    return is_bare && is_anchor && strcmp(r->b->wishes[known].head, head) == 0;
}

/* Was it taken for known, and is it one, so that it may be told here? */
static bool known_is_assumed(const reading *r, uint32_t known, bool is_plural)
{
    bool is_one = !r->number && !is_plural;
    return known != BRIEF_NONE && r->b->wishes[known].assumed && is_one;
}

/* How many are meant: seats without a number are as many as people are. */
static uint32_t count_said(const reading *r, const char *head, bool is_plural)
{
    if (r->number)
        return r->number;
    if (!is_plural)
        return 1;
    const habits_kind *habit = habits_of(head);
    return habit && habit->seat && r->people ? r->people : 2;
}

/* What is named but not wanted ends the phrase, and nothing stands by it. */
static void thing_pass_over(reading *r, uint32_t to)
{
    words_use(r, r->start, to, WORD_OF_THING);
    if (strcmp(brief_word_at(r, to)->text, "each") == 0)
        words_use(r, to, to + 1, WORD_BETWEEN); /* "with two drawers each" */
    r->denial_is_spent = r->denied;
    r->with_tie = false;
    if (!r->denied)
        r->ahead.is_open = false;
    r->at = to;
    phrase_restart(r);
}

/* "each facing its own mirror": as many as there are of what it is of. */
static void own_multiply(reading *r, uint32_t wish)
{
    for (uint32_t i = r->start; i < r->at; i++) {
        if (r->subject == BRIEF_NONE || strcmp(r->words[i].text, "own") != 0)
            continue;
        brief_wish *w = &r->b->wishes[wish];
        w->count = count_times(w->count, r->b->wishes[r->subject].count);
        return;
    }
}

/* "24 desks, one chair each", "tables with eight chairs each". */
static void each_behind(reading *r, uint32_t wish, uint32_t before)
{
    const brief_word *word = brief_word_at(r, r->at),
                     *next = brief_word_at(r, r->at + 1);
    bool is_end = next->mark || strcmp(next->text, "and") == 0;
    if (strcmp(word->text, "each") != 0 || !is_end || wish == 0)
        return;
    uint32_t from = before != BRIEF_NONE && before < wish ? before : wish - 1;
    uint32_t of = several_before(r, from);
    if (of == wish || r->b->wishes[of].count < 2)
        return; /* it stays unread */
    const open_tie t = {.loose = true,
                        .relation = BRIEF_BESIDE,
                        .from = word->from,
                        .to = word->to};
    r->b->wishes[wish].each = true;
    tie_add(r, wish, BRIEF_BESIDE, of, &t);
    words_use(r, r->at, r->at + 1, WORD_BETWEEN);
    r->at++;
}

/* "two rows of three desks" are six. */
static void rows_tie(reading *r, uint32_t wish, uint32_t to)
{
    brief_wish *w = &r->b->wishes[wish];
    uint32_t rows = r->rows < BRIEF_ROWS_MAX ? r->rows : BRIEF_ROWS_MAX;
    const open_tie t = {
        .rows = (uint8_t)rows, .from = w->from, .to = r->words[to - 1].to};
    w->count = count_times(w->count, rows);
    if (w->count > 1)
        tie_add(r, wish, BRIEF_ROWS, BRIEF_NONE, &t);
}

/* A thing that was not met before. BRIEF_NONE: there are too many. */
static uint32_t wish_new(reading *r,
                         const char *head,
                         uint32_t to,
                         bool is_plural)
{
    uint32_t wish = wish_add(r, head, to, count_said(r, head, is_plural));
    if (wish == BRIEF_NONE)
        return wish;
    own_multiply(r, wish);
    if (r->rows)
        rows_tie(r, wish, to);
    return wish;
}

/* The thing that a name speaks of again; BRIEF_NONE: it is a new one. */
static uint32_t wish_again(reading *r,
                           const char *head,
                           uint32_t to,
                           bool is_plural)
{
    uint32_t known = brief_known_find(r, head);
    if (known_is_meant(r, known) || plural_is_known(r, known, head, is_plural))
        return known;
    if (!known_is_assumed(r, known, is_plural))
        return BRIEF_NONE;
    wish_tell(r, known, to);
    return known;
}

/* A thing is named: one that was named before, or a new one. It becomes the
 * subject and closes ties that wait for it. */
static void thing_read(reading *r, char head[BRIEF_HEAD_SIZE], uint32_t length)
{
    uint32_t to = r->at + length, before = r->subject;
    bool is_plural = head_singular(head);
    bool is_other = r->other_way && r->last != BRIEF_NONE;
    r->other_way = false;
    if (r->at > r->start && r->words[r->start].mark)
        r->start++;
    if (thing_is_out(r, head, to)) {
        thing_pass_over(r, to);
        return;
    }
    uint32_t wish = wish_again(r, head, to, is_plural);
    bool is_new = wish == BRIEF_NONE;
    if (is_new && !is_other)
        wish = wish_new(r, head, to, is_plural);
    words_use(r, r->start, to, WORD_OF_THING);
    r->at = r->ended = to;
    if (wish != BRIEF_NONE) {
        thing_tie(r, wish, is_new);
        each_behind(r, wish, before);
        r->fresh = false;
    }
    phrase_restart(r);
}

/* ---- wants ---- */

/* Does the word before say what the name is for ("yoga studio"), and not merely
 * what it is like? */
static bool is_qualified(const reading *r)
{
    uint32_t number;
    bool is_superlative;
    if (r->at == 0 || r->words[r->at - 1].mark)
        return false;
    const char *word = r->words[r->at - 1].text;
    bool is_adjective = lexicon_colour(word) || lexicon_material(word) ||
                        lexicon_is_mere_adjective(word) ||
                        lexicon_size(word, &is_superlative);
    return !is_adjective && brief_word_class(word, &number) == BRIEF_PLAIN;
}

/* The longest of the names of one row that stands at this place; "=" before a
 * name: only without a qualifier. */
static bool name_of(const reading *r,
                    const char *const *names,
                    uint32_t *ret_length,
                    bool *ret_plural)
{
    uint32_t best = 0;
    for (uint32_t k = 0; k < 6 && names[k]; k++) {
        bool is_plural, is_bare = *names[k] == '=';
        uint32_t n = brief_name_matches(r->words, r->count, r->at,
                                        names[k] + is_bare, &is_plural);
        if (n <= best || !name_ends(r, r->at + n) ||
            (is_bare && is_qualified(r)))
            continue;
        best = n;
        *ret_plural = is_plural;
    }
    if (best <= *ret_length)
        return false;
    *ret_length = best;
    return true;
}

/* "for two", behind a thing or a use. */
static uint32_t people_after(const reading *r, uint32_t at)
{
    uint32_t n = 0;
    if (strcmp(brief_word_at(r, at)->text, "for") != 0 ||
        brief_word_class(brief_word_at(r, at + 1)->text, &n) != BRIEF_NUMBER)
        return 0;
    const brief_word *next = brief_word_at(r, at + 2);
    static const char *const people[] = {
        "people",   "person", "persons",  "guests",  "kids",
        "children", "adults", "students", "friends", NULL};
    bool ends = next->mark != 0 || next->text[0] == 0;
    for (const char *const *p = people; *p; p++)
        ends = ends || strcmp(next->text, *p) == 0;
    uint32_t number;
    ends = ends || brief_word_class(next->text, &number) != BRIEF_PLAIN;
    return ends && n <= 40 ? n : 0;
}

/* "lighting, including two pendants": what serves it is said. */
static bool is_told_behind(const reading *r, uint32_t at)
{
    static const char *const told[] = {"including", "like", "namely", "such",
                                       NULL};
    if (brief_word_at(r, at)->mark == ',')
        at++;
    for (const char *const *t = told; *t; t++) {
        if (strcmp(brief_word_at(r, at)->text, *t) == 0)
            return true;
    }
    return false;
}

/* The use or room that is named at `at`, with how many words; false: none
 * is. */
static bool want_find(const reading *r,
                      brief_want *ret,
                      uint32_t *ret_length,
                      bool *ret_plural)
{
    *ret_length = 0;
    *ret_plural = false;
    for (uint32_t i = 0; i < habits_use_count; i++) {
        if (name_of(r, habits_uses[i].names, ret_length, ret_plural))
            *ret = (brief_want){.kind = BRIEF_USE, .habit = i};
    }
    for (uint32_t i = 0; i < habits_room_count; i++) {
        if (name_of(r, habits_rooms[i].names, ret_length, ret_plural))
            *ret = (brief_want){.kind = BRIEF_ROOM, .habit = i};
    }
    return *ret_length > 0;
}

static bool has_room(const brief *b)
{
    for (uint32_t i = 0; i < b->want_count; i++) {
        if (b->wants[i].kind == BRIEF_ROOM)
            return true;
    }
    return false;
}

/* Is what is named no wish: a second room, a use that its things are told of,
 * an aside? */
static bool want_is_out(const reading *r, brief_want_kind kind, uint32_t to)
{
    if (r->aside || r->other_way)
        return true;
    if (kind == BRIEF_ROOM)
        return has_room(r->b);
    return r->denied || r->purpose || is_told_behind(r, to);
}

static bool want_is_same_room(const reading *r, uint32_t habit)
{
    for (uint32_t i = 0; i < r->b->want_count; i++) {
        if (r->b->wants[i].kind == BRIEF_ROOM && r->b->wants[i].habit == habit)
            return true;
    }
    return false;
}

/* A use or a room that is named. True: it was one. */
static bool want_read(reading *r)
{
    brief_want want;
    uint32_t length;
    bool is_plural;
    if (!want_find(r, &want, &length, &is_plural))
        return false;
    brief *b = r->b;
    uint32_t to = r->at + length;
    bool is_out = want_is_out(r, want.kind, to);
    words_use(r, r->start, to, WORD_OF_THING);
    r->other_way = false;
    bool is_second =
        is_out && want.kind == BRIEF_ROOM && r->is_new && !r->aside;
    if (is_second && !want_is_same_room(r, want.habit))
        unread_add(r, r->words[r->start].from, r->words[to - 1].to);
    if (!is_out && b->want_count < BRIEF_WANTS_MAX) {
        uint32_t usual = is_plural ? 2 : 1;
        want.from = r->words[r->start < r->count ? r->start : r->at].from;
        want.to = r->words[to - 1].to;
        want.count = r->number && r->number < 12 ? r->number : usual;
        want.people = people_after(r, to);
        b->wants[b->want_count++] = want;
    }
    r->ahead.is_open = false;
    r->of_want = BRIEF_NONE;
    r->at = r->ended = r->want_to = to;
    phrase_restart(r);
    return true;
}

/* ---- what stands between things ---- */

/* What a relation without an anchor of its own is about: what its thing came
 * with, else the thing named before it. */
static uint32_t stranded_anchor(const reading *r, uint32_t *ret_tie)
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
    return r->subject > 0 ? r->subject - 1 : BRIEF_NONE;
}

/* "a desk with a chair in front, a lamp on top and ...". False: it is no
 * such. */
static bool stranded_read(reading *r)
{
    uint32_t length, tie;
    const brief_phrase *p = stranded_at(r, r->at, &length);
    uint32_t number;
    bool names_it =
        p && brief_word_class(brief_word_at(r, r->at + length)->text,
                              &number) == BRIEF_IT;
    if (!p || names_it)
        return false; /* "on it" says its anchor */
    uint32_t anchor = stranded_anchor(r, &tie);
    if (anchor == BRIEF_NONE)
        return false;
    const open_tie t = {.is_open = true,
                        .both = p->both,
                        .relation = p->relation,
                        .anchor = anchor,
                        .from = r->words[r->at].from,
                        .to = r->words[r->at + length - 1].to};
    brief *b = r->b;
    bool is_loose = tie != BRIEF_NONE && b->ties[tie].loose;
    if (is_loose && tie + 1 == b->tie_count)
        b->tie_count--;
    tie_close(r, &t, r->subject, anchor, false);
    r->subject = r->topic = anchor; /* "..., a lamp on top": of the same desk */
    words_use(r, r->at, r->at + length, WORD_BETWEEN);
    r->at += length;
    r->with = r->with_tie = r->ahead.is_open = false;
    phrase_restart(r);
    return true;
}

/* "two armchairs facing each other": a thing of which there are several stands
 * so to its likes; else the last two stand so to one another. */
static void mutual_read(reading *r, const brief_phrase *p, uint32_t length)
{
    brief *b = r->b;
    uint32_t wish = r->subject;
    const open_tie t = {.relation = p->relation,
                        .from = r->words[r->at].from,
                        .to = r->words[r->at + length - 1].to};
    r->at += length;
    phrase_restart(r);
    if (wish == BRIEF_NONE)
        return;
    bool are_several = b->wishes[wish].count > 1;
    if (are_several && t.relation == BRIEF_BESIDE) {
        open_tie row = t;
        row.rows = 1;
        tie_add(r, wish, BRIEF_ROWS, BRIEF_NONE, &row);
    } else if (are_several && b->tie_count < BRIEF_TIES_MAX) {
        b->ties[b->tie_count++] = (brief_tie){.wish = wish,
                                              .anchor = wish,
                                              .relation = t.relation,
                                              .from = t.from,
                                              .to = t.to};
    } else if (!are_several && wish > 0) {
        tie_add(r, wish, t.relation, wish - 1, &t);
        tie_add(r, wish - 1, t.relation, wish, &t);
    }
}

/* Does a relation come before its thing: "in the corner, a lamp", "opposite, a
 * desk"? */
static bool relation_leads(const reading *r, const brief_phrase *p)
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

/* "in a corner": it needs no anchor but the room. */
static void relation_alone(reading *r, const open_tie *t, bool leads)
{
    if (leads && t->relation != BRIEF_ROWS) {
        r->front = *t;
        r->front.both = false;
        return;
    }
    if (r->subject == BRIEF_NONE ||
        !tie_makes_sense(r, r->subject, t->relation, BRIEF_NONE))
        return;
    const brief_wish *w = &r->b->wishes[r->subject];
    places_multiply(r, t, r->subject);
    if (t->relation == BRIEF_ROWS && w->count == 1)
        unread_add(r, t->from, t->to);
    else
        tie_add(r, r->subject, t->relation, BRIEF_NONE, t);
}

/* Two where each side wall is named. */
static uint32_t side_walls_counted(const reading *r, uint32_t to)
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
static uint32_t places_counted(const reading *r,
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

/* "a desk holding a lamp": what comes behind stands so to what came before. */
static void relation_inverted(reading *r, const open_tie *t, bool of_each)
{
    bool goes_on = r->list.is_open || r->subject == BRIEF_NONE;
    r->list = *t;
    r->list.anchor = goes_on ? r->last : r->subject;
    r->list.both = of_each;
    r->list.is_open = r->list.anchor != BRIEF_NONE;
    r->ahead.is_open = false;
}

/* "a lamp on the desk": the anchor comes. */
static void relation_forward(reading *r,
                             const open_tie *t,
                             bool leads,
                             bool both)
{
    if (leads)
        r->subject = BRIEF_NONE;
    r->list.is_open = false;
    r->ahead = *t;
    r->ahead.both = both;
}

/* "should not be under the window": that it is not so is not read. True: the
 * relation is denied. */
static bool relation_is_denied(reading *r,
                               const brief_phrase *p,
                               uint32_t length)
{
    if (!r->denied || p->order == BRIEF_NOTHING)
        return false;
    if (!r->denial_is_spent && r->subject != BRIEF_NONE)
        unread_add(r, r->words[r->at].from, r->words[r->at + length - 1].to);
    r->at += length;
    phrase_restart(r);
    return true;
}

/* A phrase of place. By its order the thing is before it ("a lamp beside the
 * bed"), behind it ("next to the bed is a lamp"), or alone ("in the
 * corner"). */
static void relation_read(reading *r, const brief_phrase *p, uint32_t length)
{
    words_use(r, r->at, r->at + length, WORD_BETWEEN);
    if (relation_is_denied(r, p, length))
        return;
    if (p->order == BRIEF_MUTUAL) {
        mutual_read(r, p, length);
        return;
    }
    bool begins = r->fresh || r->subject == BRIEF_NONE;
    bool leads = relation_leads(r, p), of_each = r->every;
    if (of_each && r->at > 0)
        words_use(r, r->at - 1, r->at, WORD_BETWEEN);
    const open_tie t = {
        .is_open = true,
        .both = p->both || of_each,
        .loose = p->loose,
        .walls = brief_walls_named(r->words, r->at, r->at + length),
        .rows = (uint8_t)places_counted(r, p->relation, r->at + length),
        .relation = p->relation,
        .anchor = BRIEF_NONE,
        .from = r->words[r->at].from,
        .to = r->words[r->at + length - 1].to};
    r->at += length;
    if (p->order == BRIEF_NOTHING || (begins && p->relation == BRIEF_AROUND)) {
        phrase_restart(r);
        return;
    }
    r->with = r->with_tie = r->purpose = false;
    if (p->order != BRIEF_FORWARD || p->relation != BRIEF_ON)
        r->each_of = BRIEF_NONE;
    if (p->order == BRIEF_ALONE)
        relation_alone(r, &t, leads);
    else if (p->order == BRIEF_INVERTED)
        relation_inverted(r, &t, of_each);
    else
        relation_forward(r, &t, leads, p->both);
    r->fresh = false;
    phrase_restart(r);
    /* "at the table" */
    r->known = strcmp(r->words[r->at - 1].text, "the") == 0;
}

/* One thing; what something stands on stands on the floor itself. */
static bool it_may_be(const reading *r, uint32_t wish)
{
    const habits_kind *habit = habits_of(r->b->wishes[wish].head);
    bool bears = !habit || habit->footing <= HABITS_CORNER;
    return r->b->wishes[wish].count == 1 &&
           (bears || r->ahead.relation != BRIEF_ON);
}

/* "a table between them": two of one kind, else the last two. */
static void them_read_between(reading *r)
{
    uint32_t found = 0;
    r->ahead.is_open = false;
    for (uint32_t i = r->b->wish_count; i > 0 && found < 2; i--) {
        const brief_wish *w = &r->b->wishes[i - 1];
        bool are_two = w->count == 2;
        if (i - 1 == r->subject || w->count > 2 || (are_two && found))
            continue;
        tie_close(r, &r->ahead, r->subject, i - 1, false);
        found += are_two ? 2 : 1;
    }
}

/* Does the subject usually stand by, or on, such a thing? */
static bool goes_with_subject(const reading *r, uint32_t wish)
{
    const habits_kind *habit = habits_of(r->b->wishes[r->subject].head);
    for (uint32_t k = 0; habit && k < HABITS_ANCHORS && habit->anchors[k];
         k++) {
        if (habits_is(r->b->wishes[wish].head, habit->anchors[k]))
            return true;
    }
    return false;
}

/* The last thing that "it" may be; `usual`: of those that the subject usually
 * goes with. */
static uint32_t it_find(const reading *r, bool usual)
{
    for (uint32_t i = r->b->wish_count; i > 0; i--) {
        bool may_be = i - 1 != r->subject && it_may_be(r, i - 1);
        if (may_be && (!usual || goes_with_subject(r, i - 1)))
            return i - 1;
    }
    return BRIEF_NONE;
}

/* "it" closes an open tie: rather with a thing that is not the subject
 * itself. */
static void it_read(reading *r)
{
    bool is_between = r->ahead.is_open && r->ahead.relation == BRIEF_BETWEEN;
    if (is_between && r->subject != BRIEF_NONE) {
        them_read_between(r);
        return;
    }
    if (r->ahead.is_open && r->subject != BRIEF_NONE) {
        uint32_t anchor = it_find(r, true);
        if (anchor == BRIEF_NONE)
            anchor = it_find(r, false);
        if (anchor != BRIEF_NONE)
            tie_close(r, &r->ahead, r->subject, anchor, false);
        r->ahead.is_open = false;
    }
}

/* "four chairs around each": the last of which there are several. */
static void each_read(reading *r)
{
    const brief_word *next = brief_word_at(r, r->at);
    bool is_end = next->mark || strcmp(next->text, "and") == 0 ||
                  strcmp(next->text, "one") == 0;
    bool has_anchor =
        r->ahead.is_open && r->subject != BRIEF_NONE && r->subject > 0;
    if (!is_end || !has_anchor)
        return;
    uint32_t anchor = several_before(r, r->subject - 1);
    if (r->b->wishes[anchor].count > 1) {
        tie_close(r, &r->ahead, r->subject, anchor, true);
        words_use(r, r->at - 1, r->at, WORD_BETWEEN);
    }
    r->ahead.is_open = false;
}

/* "on slim legs and ...": what was to be met was something else. */
static void ahead_expire(reading *r)
{
    if (r->ahead.is_open && r->start + 1 < r->at)
        r->ahead.is_open = false;
}

/* A comma ends a phrase unless adjectives are being listed. */
static void mark_read(reading *r, char mark)
{
    r->at++;
    if (mark == '(')
        r->aside = true;
    if (mark == ')')
        r->aside = r->ahead.is_open = false;
    if (mark == '.') {
        r->aside = false;
        clause_end(r);
    } else if (mark == ',') {
        uint32_t number;
        bool is_adjective =
            r->start + 2 < r->at &&
            brief_word_class(r->words[r->at - 2].text, &number) == BRIEF_PLAIN;
        /* "a tall, narrow lamp" */
        bool gathers = is_adjective && (r->known || r->is_new || r->number);
        r->purpose = r->denied = r->other_way = false;
        r->after_comma = true;
        r->with_tie = false;
        if (gathers)
            return;
        ahead_expire(r);
        phrase_restart(r);
    } else {
        phrase_restart(r);
    }
}

static bool is_word_before(const reading *r, const char *const *list)
{
    for (; r->at > 0 && *list; list++) {
        if (strcmp(r->words[r->at - 1].text, *list) == 0)
            return true;
    }
    return false;
}

/* "for a tall person": who is not of the usual size asks for other furniture,
 * which is not read. */
static void for_person_tell(reading *r)
{
    bool is_superlative, is_sized = false;
    uint32_t number;
    for (uint32_t i = r->at; i < r->count && !r->words[i].mark; i++) {
        const char *word = r->words[i].text;
        brief_class class = brief_word_class(word, &number);
        if (class == BRIEF_PLAIN && is_sized && brief_is_person(word))
            unread_add(r, r->words[r->at].from, r->words[i].to);
        if (class != BRIEF_PLAIN && class != BRIEF_NEW && class != BRIEF_KNOWN)
            return;
        is_sized |= lexicon_size(word, &is_superlative) != 0;
    }
}

/* A purpose ("for books") names no thing; "space for a desk" does. */
static void for_read(reading *r)
{
    static const char *const room[] = {"space",   "room", "place", "spot",
                                       "looking", "add",  "ask",   NULL};
    if (people_after(r, r->at)) {
        r->people = people_after(r, r->at);
        if (r->ended == r->at && r->subject != BRIEF_NONE)
            r->b->wishes[r->subject].people = r->people;
        words_use(r, r->at, r->at + 3, WORD_BETWEEN);
        if (r->want_to == r->at)
            r->want_to += 2;
        r->at += 2;
    } else {
        bool is_of_want = r->at > 0 && r->ended == r->at;
        r->purpose = !is_word_before(r, room) && (!r->fresh || is_of_want);
        r->at++;
        for_person_tell(r);
    }
    phrase_restart(r);
}

/* "without a rug", and not "no rug, a lamp". */
static bool is_denial_before(const reading *r)
{
    static const char *const wishes[] = {"want", "need", "own",
                                         "have", "like", NULL};
    uint32_t number, back = 2;
    for (const char *const *w = wishes; r->at > 2 && back == 2 && *w; w++)
        /* "we do not want a ..." */
        back += strcmp(r->words[r->at - 2].text, *w) == 0;
    return r->at >= back &&
           brief_word_class(r->words[r->at - back].text, &number) == BRIEF_NOT;
}

/* "she does not want any shelves" */
static bool is_any(const reading *r)
{
    return strcmp(r->words[r->at - 1].text, "any") == 0;
}

static void number_read(reading *r, uint32_t number)
{
    if (!r->number && !r->known && !r->is_new && !r->rows)
        r->start = r->at - 1;
    if (brief_is_measured(brief_word_at(r, r->at)->text))
        return;
    if (r->number && number == 12)
        number *= r->number; /* two dozen */
    r->number = number;
    r->purpose = r->denied = false;
}

/* A number, an article: a phrase begins with it. True: it was one. */
static bool starter_read(reading *r, brief_class class, uint32_t number)
{
    switch (class) {
    case BRIEF_NUMBER: number_read(r, number); return true;
    case BRIEF_NEW:
        phrase_restart(r);
        r->start = r->at - 1;
        r->is_new = true;
        r->denied = r->denied && (is_denial_before(r) || is_any(r));
        return true;
    case BRIEF_KNOWN:
        phrase_restart(r);
        r->start = r->at - 1;
        r->known = true;
        return true;
    case BRIEF_EVERY:
        each_read(r);
        phrase_restart(r);
        r->every = true;
        return true;
    case BRIEF_UNLIKE: r->different = true; return true;
    default: return class == BRIEF_PLAIN;
    }
}

/* "a reading corner with ...": what comes is the want's, and no part of, and
 * beside, what was named before. */
static void want_list_open(reading *r)
{
    if (!r->b->want_count || r->want_to != r->at - 1)
        return;
    r->of_want = r->b->want_count - 1;
    r->with = r->with_tie = r->with_each = false;
    r->subject = BRIEF_NONE;
}

/* A small word between phrases. */
static void link_read(reading *r, brief_class class)
{
    switch (class) {
    case BRIEF_WITH:
        r->with = r->with_tie = !r->fresh && r->subject != BRIEF_NONE;
        r->with_each = r->every;
        r->each_of = BRIEF_NONE;
        r->purpose = false; /* "for a student, with a desk" */
        want_list_open(r);
        if (r->every && r->at > 1)
            words_use(r, r->at - 2, r->at - 1, WORD_BETWEEN);
        r->list.is_open = false;
        return;
    case BRIEF_OR: r->other_way = r->ended == r->at - 1; return;
    case BRIEF_NOT:
        r->denied = true;
        r->denial_is_spent = false;
        return;
    case BRIEF_IT: it_read(r); return;
    case BRIEF_LITTLE: r->with_tie = false; return;
    default: return;
    }
}

/* "two rows of ...". True: it was that. */
static bool rows_read(reading *r, const char *word)
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
static void word_read(reading *r)
{
    uint32_t number;
    const brief_word *word = &r->words[r->at];
    brief_class class = brief_word_class(word->text, &number);
    if (class == BRIEF_NUMBER && word->glued)
        class = BRIEF_PLAIN; /* "four-poster" */
    if (class == BRIEF_FOR) {
        for_read(r);
        return;
    }
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
    phrase_restart(r);
    r->every = every && class != BRIEF_WITH;
}

/* One step of the reading: the longest known phrase at this place, else a
 * thing, else a single word. What is read is marked as used; the rest is told
 * as not understood. */
static void step_read(reading *r)
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
    if (stranded_read(r)) {
        r->after_comma = false;
        return;
    }
    const brief_phrase *p = brief_phrase_at(r->words, r->count, r->at, &length);
    if (p) {
        relation_read(r, p, length);
        r->after_comma = false;
        return;
    }
    bool glue = strcmp(w->text, "and") == 0 || strcmp(w->text, "while") == 0;
    r->after_comma = was_comma && glue;
    if (want_read(r))
        return;
    length = thing_length(r, r->at, head);
    if (length && name_ends(r, r->at + length)) {
        thing_read(r, head, length);
        return;
    }
    word_read(r);
}

/* The last compound of the words that is a thing; false: none is. */
bool brief_name_read(const char *const *words,
                     uint32_t count,
                     char ret[BRIEF_HEAD_SIZE])
{
    for (uint32_t end = count; end > 0; end--) {
        for (uint32_t n = end < BRIEF_COMPOUND_MAX ? end : BRIEF_COMPOUND_MAX;
             n > 0; n--) {
            char head[BRIEF_HEAD_SIZE] = "";
            size_t size = 0;
            for (uint32_t i = end - n; i < end && size < sizeof head; i++)
                size += (size_t)snprintf(head + size, sizeof head - size,
                                         "%s%s", size ? " " : "", words[i]);
            if (size >= sizeof head)
                continue;
            head_singular(head);
            if (!brief_is_thing(head))
                continue;
            memcpy(ret, head, sizeof head);
            return true;
        }
    }
    return false;
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
static void brief_seats_add(reading *r)
{
    brief *b = r->b;
    uint32_t table = BRIEF_NONE;
    for (uint32_t i = 0; i < b->wish_count; i++) {
        const habits_kind *habit = habits_of(b->wishes[i].head);
        bool is_table = habit && habit->footing == HABITS_FREE &&
                        habits_is(habit->kind, "table");
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
    tie_add(r, b->wish_count++, BRIEF_AROUND, table, &t);
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
    reading r = {.text = text,
                 .words = words,
                 .b = b,
                 .used = used,
                 .subject = BRIEF_NONE,
                 .each_of = BRIEF_NONE,
                 .of_want = BRIEF_NONE,
                 .last = BRIEF_NONE,
                 .topic = BRIEF_NONE,
                 .fresh = true};
    r.count = brief_cut(text, size, words);
    while (r.at < r.count)
        step_read(&r);
    clause_end(&r);
    unread_collect(&r);
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
