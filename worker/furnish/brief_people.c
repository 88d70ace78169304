/* People in a brief: nobody is furniture, but so many seats, desks and beds are
 * theirs. */
#include "proto/array.h"
#include "worker/furnish/brief_reading_internal.h"

#include "worker/builtin/language/kinds.h"

#include <string.h>

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

bool brief_people_are_apart(const char *word)
{
    static const char *const any[] = {"people", "person", "persons", "adults"};
    return brief_names_people(word) && !WORD_IS_OF(word, any);
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

uint32_t brief_people_of_room(const brief_reading *r)
{
    for (uint32_t i = 0; i < r->b->want_count; i++) {
        const brief_want *w = &r->b->wants[i];
        if (w->kind == BRIEF_ROOM && w->people)
            return w->people;
    }
    return 0;
}

/* "two people", "a family of five", and of how many words; 0. */
static uint32_t people_at(const brief_reading *r, uint32_t *ret_length)
{
    uint32_t number = 0;
    char head[BRIEF_HEAD_SIZE];
    const brief_word *w = &r->words[r->at];
    *ret_length = 2;
    if (strcmp(brief_word_at(r, r->at + 1)->text, "family") == 0)
        return company_at(r, r->at, ret_length);
    bool counts = !w->mark && !w->glued &&
                  brief_word_class(w->text, &number) == BRIEF_NUMBER;
    bool names = counts && number > 1 &&
                 brief_names_people(brief_word_at(r, r->at + 1)->text);
    /* "two students desks" */
    return names && !brief_thing_length(r, r->at + 2, head) ? number : 0;
}

bool brief_people_read(brief_reading *r)
{
    uint32_t length;
    uint32_t people = people_at(r, &length);
    if (people < 2 || people > 40 || r->denied)
        return false;
    r->people = r->room_people = people;
    r->room_apart =
        brief_people_are_apart(brief_word_at(r, r->at + length - 1)->text);
    for (uint32_t i = 0; i < r->b->want_count; i++) {
        brief_want *w = &r->b->wants[i];
        if (w->kind != BRIEF_ROOM || w->people)
            continue;
        w->people = people;
        w->apart = r->room_apart;
    }
    brief_words_use(r, r->at, r->at + length, WORD_BETWEEN);
    r->at += length;
    brief_phrase_restart(r);
    return true;
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
