/* The things that a brief names: where a name ends, whether it is one that was
 * named before, and how many are meant. */
#include "proto/array.h"
#include "worker/furnish/brief_reading_internal.h"
#include "worker/furnish/habits.h"

#include "proto/ascii.h"
#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/lexicon.h"

#include <stdio.h>
#include <string.h>

/* Is a word no part of the phrase that ends at `to`: a mark, or before its name
 * a small word? */
static bool word_is_left_out(const brief_reading *r,
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
static void said_of(const brief_reading *r,
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
    size_t n = strlen(a);
    size_t m = strlen(b);
    if (n > m)
        return heads_are_one(b, a);
    bool is_ending =
        strcmp(b + m - n, a) == 0 && (m == n || b[m - n - 1] == ' ');
    return is_ending || kinds_distance(b, a) < KINDS_NEAR;
}

/* "bench", of a workbench. */
static bool name_is_short_for(const char *head, const char *whole)
{
    size_t n = strlen(head);
    size_t m = strlen(whole);
    return n > 3 && m > n && strcmp(whole + m - n, head) == 0;
}

/* The thing said before that a head speaks of; BRIEF_NONE. */
static uint32_t brief_known_find(const brief_reading *r, const char *head)
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
static void compound_of(const brief_reading *r,
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
    char *of = strstr(head, " of ");
    char lemma[KINDS_WORD_SIZE], behind[BRIEF_HEAD_SIZE];
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
static bool phrase_is_open(const brief_reading *r)
{
    return r->known || r->is_new || r->every || r->number;
}

/* "behind each stand", "an IV stand on its left": a thing, since nothing is
 * named that stands. */
static bool is_stand_named(const brief_reading *r, uint32_t at)
{
    uint32_t number;
    const brief_word *next = brief_word_at(r, at + 1);
    bool is_word = strcmp(brief_word_at(r, at)->text, "stand") == 0;
    return is_word &&
           (next->mark || brief_word_class(next->text, &number) != BRIEF_NEW);
}

uint32_t brief_thing_length(const brief_reading *r,
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
static bool is_compound_stand(const brief_reading *r, uint32_t at)
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

/* Can a word stand within a name: a noun, or what says how one looks? */
static bool word_is_of_name(const char *word)
{
    bool is_superlative;
    char lemma[KINDS_WORD_SIZE];
    bool is_plural;
    return lexicon_colour(word) || lexicon_material(word) ||
           lexicon_is_mere_adjective(word) ||
           lexicon_size(word, &is_superlative) ||
           (kinds_lemma(word, lemma, sizeof lemma, &is_plural) &&
            kinds_known(lemma));
}

bool brief_name_ends(const brief_reading *r, uint32_t at)
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
        "each",    "minimum",  "maximum", "about",   "closest",
        "nearest", "opposite", "set",     "surface", "corner"};
    if (WORD_IS_OF(w->text, behind))
        return true;
    if (brief_thing_length(r, at, head))
        return false;
    bool is_plural = false;
    char lemma[KINDS_WORD_SIZE];
    bool is_known = at > 0 && kinds_lemma(r->words[at - 1].text, lemma,
                                          sizeof lemma, &is_plural);
    bool ends_in_plural = is_known && is_plural && kinds_known(lemma);
    /* a name's plural is of its last word */
    return ends_in_plural || word_follows(w->text) || !word_is_of_name(w->text);
}

/* BRIEF_NONE: too many wishes, counted in left_out. */
static uint32_t wish_add(brief_reading *r,
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
                      .seats = r->places,
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
static void wish_tell(brief_reading *r, uint32_t wish, uint32_t to)
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
    char *last = strrchr(head, ' ');
    char lemma[KINDS_WORD_SIZE];
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

const brief_phrase *brief_stranded_at(const brief_reading *r,
                                      uint32_t at,
                                      uint32_t *ret_length)
{
    static const char *const ends[] = {"and", "it", "them", "with"};
    const brief_phrase *p = brief_phrase_at(r->words, r->count, at, ret_length);
    if (!p || p->order != BRIEF_FORWARD)
        return NULL;
    const brief_word *next = brief_word_at(r, at + *ret_length);
    return next->mark || WORD_IS_OF(next->text, ends) ? p : NULL;
}

/* "a fern in a concrete planter": what a plant is in comes with it. */
static bool is_pot_of_plant(const brief_reading *r, const char *head)
{
    static const char *const pots[] = {"pot", "planter", "vase", "basket"};
    static const char *const plants[] = {"plant", "tree", "flower"};
    bool is_pot = false, is_plant = false;
    bool is_in = r->start > 0 && r->last != BRIEF_NONE &&
                 r->ended + 1 == r->start &&
                 strcmp(r->words[r->start - 1].text, "in") == 0;
    for (size_t i = 0; is_in && i < COUNT_OF(pots); i++)
        is_pot |= habits_is(head, pots[i]);
    for (size_t i = 0; is_pot && i < COUNT_OF(plants); i++)
        is_plant |= habits_is(r->b->wishes[r->last].head, plants[i]);
    return is_plant;
}

/* What is named but not wanted as a thing of its own. What has a place of its
 * own is no part: "a sink with a mirror above". */
static bool thing_is_out(const brief_reading *r, const char *head, uint32_t to)
{
    uint32_t length;
    const brief_phrase *place =
        brief_phrase_at(r->words, r->count, to, &length);
    bool has_place = place && place->order == BRIEF_FORWARD &&
                     place->relation >= BRIEF_BESIDE;
    has_place = has_place || brief_stranded_at(r, to, &length);
    bool behind_with = r->with && r->number < 2 && !has_place;
    if (r->denied || r->purpose || r->aside)
        return true;
    return is_pot_of_plant(r, head) || brief_is_part(head, behind_with);
}

/* Does a name that was met before speak of that again, and of no other of the
 * kind? */
static bool known_is_meant(const brief_reading *r, uint32_t known)
{
    if (known == BRIEF_NONE || r->is_new)
        return false;
    bool of_each = r->every && !r->number;
    bool to_each = r->ahead.is_open && r->ahead.both;
    return r->known || of_each || to_each;
}

/* "1.5 m between desks": those that were named. */
static bool plural_is_known(const brief_reading *r,
                            uint32_t known,
                            const char *head,
                            bool is_plural)
{
    bool is_bare = is_plural && !r->number && !r->is_new && r->start == r->at;
    bool is_anchor = r->ahead.is_open && known != BRIEF_NONE;
    return is_bare && is_anchor && strcmp(r->b->wishes[known].head, head) == 0;
}

/* Was it taken for known, and is it one, so that it may be told here? */
static bool known_is_assumed(const brief_reading *r,
                             uint32_t known,
                             bool is_plural)
{
    bool is_one = !r->number && !is_plural;
    return known != BRIEF_NONE && r->b->wishes[known].assumed && is_one;
}

/* "a pair of headphones": one of what has two halves. */
static bool is_one_by_pair(const brief_reading *r, const char *head)
{
    static const char *const halved[] = {"headphone", "eyeglass", "spectacles",
                                         "glasses",   "scissors", "binoculars",
                                         "tongs",     "goggles"};
    bool is_pair = false;
    for (uint32_t i = r->start; i < r->at; i++)
        is_pair |= strcmp(r->words[i].text, "pair") == 0;
    return is_pair && WORD_IS_OF(head, halved);
}

/* How many are meant: seats without a number are as many as people are. */
static uint32_t count_said(const brief_reading *r,
                           const char *head,
                           bool is_plural)
{
    if (r->number == 2 && is_one_by_pair(r, head))
        return 1;
    if (r->number)
        return r->number;
    if (!is_plural)
        return 1;
    const habits_kind *habit = habits_of(head);
    if (!habit || !habit->seat)
        return 2;
    if (r->people)
        return r->people;
    bool is_at_table =
        habit->beside == BRIEF_FRONT || habit->beside == BRIEF_AROUND;
    uint32_t people = is_at_table ? brief_people_of_room(r) : 0;
    return people ? people : 2;
}

/* What is named but not wanted ends the phrase, and nothing stands by it. */
static void thing_pass_over(brief_reading *r, const char *head, uint32_t to)
{
    const char *next = brief_word_at(r, to)->text;
    uint32_t number;
    bool acts =
        word_follows(next) || brief_word_class(next, &number) == BRIEF_VERB;
    r->of_part = !r->denied && acts && !brief_is_part(head, false) &&
                 brief_is_part(head, true);
    brief_words_use(r, r->start, to, WORD_OF_THING);
    if (strcmp(brief_word_at(r, to)->text, "each") == 0)
        brief_words_use(r, to, to + 1,
                        WORD_BETWEEN); /* "with two drawers each" */
    r->denial_is_spent = r->denied;
    r->with_tie = false;
    if (!r->denied)
        r->ahead.is_open = false;
    if (r->denied && r->is_role)
        r->denied = false; /* "as a divider between the bed and the desk" */
    r->at = to;
    brief_phrase_restart(r);
}

/* "each facing its own mirror": as many as there are of what it is of. */
static void own_multiply(brief_reading *r, uint32_t wish)
{
    for (uint32_t i = r->start; i < r->at; i++) {
        if (r->subject == BRIEF_NONE || strcmp(r->words[i].text, "own") != 0)
            continue;
        brief_wish *w = &r->b->wishes[wish];
        w->count = brief_count_times(w->count, r->b->wishes[r->subject].count);
        return;
    }
}

/* Of whom there is one for each: the nearest before it of which there are
 * several; BRIEF_NONE. What came by a word of place between them, "two desks on
 * the right with a chair each", belongs to none else. */
static uint32_t several_for_each(brief_reading *r,
                                 uint32_t wish,
                                 uint32_t before)
{
    brief *b = r->b;
    if (wish == 0)
        return BRIEF_NONE;
    uint32_t from = before != BRIEF_NONE && before < wish ? before : wish - 1;
    uint32_t of = brief_several_before(r, from);
    if (b->wishes[of].count > 1)
        return of;
    of = brief_several_before(r, wish - 1);
    if (b->wishes[of].count < 2)
        return BRIEF_NONE;
    brief_tie *last = b->tie_count ? &b->ties[b->tie_count - 1] : NULL;
    if (last && last->loose && last->wish == wish)
        b->tie_count--;
    return of;
}

/* "for two children, with a desk each": it stays unread where nobody is told. */
static void people_multiply(brief_reading *r, uint32_t wish)
{
    uint32_t people = r->people ? r->people : brief_people_of_room(r);
    if (people < 2)
        return;
    brief_wish *w = &r->b->wishes[wish];
    w->count = brief_count_times(w->count, people);
    brief_words_use(r, r->at, r->at + 1, WORD_BETWEEN);
    r->at++;
}

/* "24 desks, one chair each", "tables with eight chairs each". */
static void each_behind(brief_reading *r, uint32_t wish, uint32_t before)
{
    const brief_word *word = brief_word_at(r, r->at);
    const brief_word *next = brief_word_at(r, r->at + 1);
    uint32_t length;
    bool has_place =
        brief_phrase_at(r->words, r->count, r->at + 1, &length) != NULL;
    bool is_end = next->mark || strcmp(next->text, "and") == 0 || has_place;
    if (strcmp(word->text, "each") != 0 || !is_end)
        return;
    uint32_t of = several_for_each(r, wish, before);
    if (of == BRIEF_NONE) {
        people_multiply(r, wish);
        return;
    }
    const open_tie t = {.loose = true,
                        .relation = BRIEF_BESIDE,
                        .from = word->from,
                        .to = word->to};
    r->b->wishes[wish].each = true;
    brief_tie_add(r, wish, BRIEF_BESIDE, of, &t);
    brief_words_use(r, r->at, r->at + 1, WORD_BETWEEN);
    r->at++;
    if (has_place)
        r->subject = of; /* "two desks with a chair each under the window" */
}

/* "two rows of three desks" are six. */
static void rows_tie(brief_reading *r, uint32_t wish, uint32_t to)
{
    brief_wish *w = &r->b->wishes[wish];
    uint32_t rows = r->rows < BRIEF_ROWS_MAX ? r->rows : BRIEF_ROWS_MAX;
    const open_tie t = {
        .rows = (uint8_t)rows, .from = w->from, .to = r->words[to - 1].to};
    w->count = brief_count_times(w->count, rows);
    if (w->count > 1)
        brief_tie_add(r, wish, BRIEF_ROWS, BRIEF_NONE, &t);
}

/* Is there no more than a comma or "and" since the thing before? */
static bool is_listed(const brief_reading *r)
{
    for (uint32_t i = r->ended; i < r->start; i++) {
        const brief_word *w = &r->words[i];
        if (w->mark != ',' && strcmp(w->text, "and") != 0)
            return false;
    }
    return r->ended > 0;
}

/* A thing that was not met before. BRIEF_NONE: there are too many. */
static uint32_t wish_new(brief_reading *r,
                         const char *head,
                         uint32_t to,
                         bool is_plural)
{
    uint32_t wish = wish_add(r, head, to, count_said(r, head, is_plural));
    if (wish == BRIEF_NONE)
        return wish;
    r->b->wishes[wish].some = is_plural && !r->number;
    if (!is_listed(r))
        r->run_first = wish;
    own_multiply(r, wish);
    if (r->each_people) {
        brief_wish *w = &r->b->wishes[wish];
        w->count = brief_count_times(w->count, r->each_people);
        if (brief_is_joined(r))
            r->each_people = 0; /* "each with a desk and a chair, and ..." */
    }
    if (r->rows)
        rows_tie(r, wish, to);
    return wish;
}

bool brief_another_read(brief_reading *r)
{
    brief *b = r->b;
    const brief_word *word = r->at > 0 ? &r->words[r->at - 1] : NULL;
    bool is_another = word && r->is_new && r->start + 1 == r->at &&
                      strcmp(word->text, "another") == 0;
    if (!is_another || r->subject == BRIEF_NONE || r->denied ||
        b->wish_count == BRIEF_WISHES_MAX)
        return false;
    brief_wish *w = &b->wishes[b->wish_count];
    *w = b->wishes[r->subject];
    w->from = word->from;
    w->to = word->to;
    w->count = 1;
    w->each = w->some = w->assumed = false;
    brief_words_use(r, r->start, r->at, WORD_OF_THING);
    r->subject = r->last = b->wish_count++;
    r->ended = r->at;
    return true;
}

/* The thing that a name speaks of again; BRIEF_NONE: it is a new one. */
static uint32_t wish_again(brief_reading *r,
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

/* Is what stands behind "with" put into such things? */
static bool is_content(const char *head)
{
    static const char *const contents[] = {"flower", "plant",  "fruit",
                                           "food",   "branch", "twig"};
    for (size_t i = 0; i < COUNT_OF(contents); i++) {
        if (habits_is(head, contents[i]))
            return true;
    }
    return false;
}

/* "a vase of fresh flowers", "a bowl with fruit": what is in it comes with it.
 * The word behind all of the name that ends before `to`. */
static uint32_t contents_end(const brief_reading *r,
                             const char *head,
                             uint32_t to)
{
    static const char *const holders[] = {"vase", "bowl", "basket",
                                          "jar",  "pot",  "bucket"};
    const uint32_t attributes = 3;
    bool is_of = strcmp(brief_word_at(r, to)->text, "of") == 0;
    bool is_with = strcmp(brief_word_at(r, to)->text, "with") == 0;
    bool holds = false;
    for (size_t i = 0; i < COUNT_OF(holders); i++)
        holds |= (is_of || is_with) && habits_is(head, holders[i]);
    for (uint32_t at = to + 1; holds && at <= to + 1 + attributes; at++) {
        uint32_t number, n;
        char inner[BRIEF_HEAD_SIZE];
        const brief_word *w = brief_word_at(r, at);
        if (w->mark || brief_word_class(w->text, &number) != BRIEF_PLAIN)
            break;
        n = brief_thing_length(r, at, inner);
        if (!n || !brief_name_ends(r, at + n))
            continue;
        head_singular(inner);
        return is_of || is_content(inner) ? at + n : to;
    }
    return to;
}

void brief_thing_read(brief_reading *r,
                      char head[BRIEF_HEAD_SIZE],
                      uint32_t length)
{
    uint32_t to = r->at + length;
    uint32_t before = r->subject;
    bool is_plural = head_singular(head);
    to = contents_end(r, head, to);
    bool is_other = r->other_way && r->last != BRIEF_NONE;
    r->other_way = false;
    if (r->at > r->start && r->words[r->start].mark)
        r->start++;
    if (thing_is_out(r, head, to)) {
        /* "to the left of the door" */
        if (r->ahead.is_open && !r->denied && brief_is_of_room(head))
            brief_unread_add(r, r->ahead.from, r->words[to - 1].to);
        thing_pass_over(r, head, to);
        return;
    }
    r->of_part = false;
    uint32_t wish = wish_again(r, head, to, is_plural);
    bool is_new = wish == BRIEF_NONE;
    if (is_new && !is_other)
        wish = wish_new(r, head, to, is_plural);
    brief_words_use(r, r->start, to, WORD_OF_THING);
    r->at = r->ended = to;
    if (wish != BRIEF_NONE) {
        brief_thing_tie(r, wish, is_new);
        each_behind(r, wish, before);
        r->fresh = false;
    }
    brief_phrase_restart(r);
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
