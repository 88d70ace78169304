/* Names of uses and rooms in a brief, which are no things: "lighting", "a
 * reading corner for two". */
#include "proto/array.h"
#include "worker/furnish/brief_reading_internal.h"
#include "worker/furnish/habits.h"

#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/lexicon.h"

#include <string.h>

/* Does the word before say what the name is for ("yoga studio"), and not merely
 * what it is like? */
static bool is_qualified(const brief_reading *r)
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
static bool name_of(const brief_reading *r,
                    const char *const *names,
                    uint32_t *ret_length,
                    bool *ret_plural)
{
    uint32_t best = 0;
    for (uint32_t k = 0; k < 6 && names[k]; k++) {
        bool is_plural, is_bare = *names[k] == '=';
        uint32_t n = brief_name_matches(r->words, r->count, r->at,
                                        names[k] + is_bare, &is_plural);
        if (n <= best || !brief_name_ends(r, r->at + n) ||
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

bool brief_names_people(const char *word)
{
    static const char *const people[] = {"people", "person",   "persons",
                                         "guests", "kids",     "children",
                                         "adults", "students", "friends"};
    char lemma[KINDS_WORD_SIZE];
    bool is_plural = false;
    if (WORD_IS_OF(word, people))
        return true;
    bool is_known = kinds_lemma(word, lemma, sizeof lemma, &is_plural) > 0;
    return is_known && is_plural && brief_is_person(lemma);
}

/* Are those whom a word names no couple, so that nobody shares a bed? "Two
 * people" and "two adults" may be one. */
static bool people_are_apart(const char *word)
{
    static const char *const any[] = {"people", "person", "persons", "adults"};
    return brief_names_people(word) && !WORD_IS_OF(word, any);
}

uint32_t brief_people_of_room(const brief_reading *r)
{
    for (uint32_t i = 0; i < r->b->want_count; i++) {
        const brief_want *w = &r->b->wants[i];
        if (w->kind == BRIEF_ROOM && w->people)
            return w->people;
    }
    return 0;
}

bool brief_each_person_read(brief_reading *r, uint32_t length)
{
    const char *word = brief_word_at(r, r->at + length)->text;
    uint32_t people = r->people ? r->people : brief_people_of_room(r);
    bool is_person = brief_names_people(word) || brief_is_person(word);
    if (people < 2 || !is_person || r->subject == BRIEF_NONE ||
        r->ended != r->at)
        return false;
    brief_wish *w = &r->b->wishes[r->subject];
    w->count = brief_count_times(w->count, people);
    brief_words_use(r, r->at, r->at + length + 1, WORD_BETWEEN);
    r->at += length + 1;
    brief_phrase_restart(r);
    return true;
}

/* "a family of five", "a couple": how many, and of how many words; 0. */
static uint32_t company_at(const brief_reading *r,
                           uint32_t at,
                           uint32_t *ret_length)
{
    static const char *const companies[] = {"family", "group", "party", "team",
                                            "class"};
    uint32_t n = 0;
    if (strcmp(brief_word_at(r, at)->text, "a") != 0)
        return 0;
    const char *word = brief_word_at(r, at + 1)->text;
    *ret_length = 2;
    if (strcmp(word, "couple") == 0)
        return strcmp(brief_word_at(r, at + 2)->text, "of") == 0 ? 0 : 2;
    if (!WORD_IS_OF(word, companies) ||
        strcmp(brief_word_at(r, at + 2)->text, "of") != 0)
        return 0;
    *ret_length = 4;
    return brief_word_class(brief_word_at(r, at + 3)->text, &n) == BRIEF_NUMBER
               ? n
               : 0;
}

uint32_t brief_people_after(const brief_reading *r,
                            uint32_t at,
                            uint32_t *ret_length)
{
    uint32_t n = 0;
    *ret_length = 0;
    if (strcmp(brief_word_at(r, at)->text, "for") == 0) {
        n = company_at(r, at + 1, ret_length);
        ++*ret_length;
        if (n)
            return n <= 40 ? n : 0;
    }
    *ret_length = 3;
    if (strcmp(brief_word_at(r, at)->text, "for") != 0 ||
        brief_word_class(brief_word_at(r, at + 1)->text, &n) != BRIEF_NUMBER)
        return 0;
    const brief_word *next = brief_word_at(r, at + 2);
    bool ends =
        next->mark != 0 || next->text[0] == 0 || brief_names_people(next->text);
    uint32_t number;
    ends = ends || brief_word_class(next->text, &number) != BRIEF_PLAIN;
    return ends && n <= 40 ? n : 0;
}

/* "lighting, including two pendants": what serves it is said. */
static bool is_told_behind(const brief_reading *r, uint32_t at)
{
    static const char *const told[] = {"including", "like", "namely", "such"};
    if (brief_word_at(r, at)->mark == ',')
        at++;
    return WORD_IS_OF(brief_word_at(r, at)->text, told);
}

/* The use or room that is named at `at`, with how many words; false: none
 * is. */
static bool want_find(const brief_reading *r,
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
static bool want_is_out(const brief_reading *r,
                        brief_want_kind kind,
                        uint32_t to)
{
    if (r->aside || r->other_way)
        return true;
    if (kind == BRIEF_ROOM)
        return has_room(r->b);
    return r->denied || r->purpose || is_told_behind(r, to);
}

static bool want_is_same_room(const brief_reading *r, uint32_t habit)
{
    for (uint32_t i = 0; i < r->b->want_count; i++) {
        if (r->b->wants[i].kind == BRIEF_ROOM && r->b->wants[i].habit == habit)
            return true;
    }
    return false;
}

bool brief_want_read(brief_reading *r)
{
    brief_want want;
    uint32_t length;
    bool is_plural;
    if (!want_find(r, &want, &length, &is_plural))
        return false;
    brief *b = r->b;
    uint32_t to = r->at + length;
    bool is_out = want_is_out(r, want.kind, to);
    brief_words_use(r, r->start, to, WORD_OF_THING);
    r->other_way = false;
    bool is_second =
        is_out && want.kind == BRIEF_ROOM && r->is_new && !r->aside;
    if (is_second && !want_is_same_room(r, want.habit))
        brief_unread_add(r, r->words[r->start].from, r->words[to - 1].to);
    if (!is_out && b->want_count < BRIEF_WANTS_MAX) {
        uint32_t usual = is_plural ? 2 : 1;
        want.from = r->words[r->start < r->count ? r->start : r->at].from;
        want.to = r->words[to - 1].to;
        want.count = r->number && r->number < 12 ? r->number : usual;
        uint32_t behind;
        want.people = brief_people_after(r, to, &behind);
        want.apart = want.people &&
                     people_are_apart(brief_word_at(r, to + behind - 1)->text);
        b->wants[b->want_count++] = want;
    }
    r->ahead.is_open = false;
    r->of_want = BRIEF_NONE;
    r->at = r->ended = r->want_to = to;
    brief_phrase_restart(r);
    return true;
}
