/* What of a brief is not understood: words that bound places or name things,
 * and were used by nothing. */
#include "worker/furnish/brief_reading_internal.h"

#include <string.h>

/* An article, or a number. */
static bool unread_begins_name(const brief_reading *r, uint32_t at)
{
    uint32_t number;
    const char *word = r->words[at].text;
    return strcmp(word, "a") == 0 || strcmp(word, "an") == 0 ||
           brief_word_class(word, &number) == BRIEF_NUMBER;
}

/* Does the name of `n` words at `at` end there: is it no part of a thing's
 * phrase, nor the frame of the text, "a garage with ..."? */
static bool unread_ends_name(const brief_reading *r, uint32_t at, uint32_t n)
{
    if (at + n >= r->count)
        return true;
    const brief_word *next = &r->words[at + n];
    const bool is_frame =
        at == 0 && (next->mark || strcmp(next->text, "with") == 0);
    return r->used[at + n] != WORD_OF_THING && !is_frame;
}

/* How many words from `at` on, of which none was used, are an article or number
 * and a name that is known to be some object's, though no furniture's: "a
 * kitchenette"; 0. */
static uint32_t unread_name_length(const brief_reading *r, uint32_t at)
{
    uint32_t number, n = 1;
    if (!unread_begins_name(r, at))
        return 0;
    while (at + n < r->count && !r->used[at + n] && !r->words[at + n].mark &&
           brief_word_class(r->words[at + n].text, &number) == BRIEF_PLAIN)
        n++;
    const char *last = r->words[at + n - 1].text;
    bool names = brief_is_object(last) && !brief_is_person(last);
    return n > 1 && names && unread_ends_name(r, at, n) ? n : 0;
}

/* "every student", "each." */
static uint32_t unread_each_length(const brief_reading *r, uint32_t at)
{
    if (brief_word_at(r, at + 1)->mark)
        return 1;
    return r->used[at + 1] == WORD_OF_THING ? 0 : 2;
}

/* "and two on the right", "every student gets": a number or "each" of what was
 * not named there. */
static uint32_t unread_count_length(const brief_reading *r, uint32_t at)
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

void brief_unread_collect(brief_reading *r)
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
        brief_unread_add(r, r->words[i].from, r->words[i + n - 1].to);
        i += n - 1;
    }
}
