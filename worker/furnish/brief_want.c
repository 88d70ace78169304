/* Names of uses and rooms in a brief, which are no things: "lighting", "a
 * reading corner for two". */
#include "proto/array.h"
#include "worker/furnish/brief_reading_internal.h"
#include "worker/furnish/habits.h"

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

/* "a studio for a painter": whoever works there says what it is. */
static bool is_for_somebody(const brief_reading *r, uint32_t at)
{
    uint32_t number, length;
    bool is_for = strcmp(brief_word_at(r, at)->text, "for") == 0;
    if (!is_for || brief_people_after(r, at, &length))
        return false;
    return brief_word_class(brief_word_at(r, at + 1)->text, &number) ==
           BRIEF_NEW;
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
        bool is_bare_here = !is_qualified(r) && !is_for_somebody(r, r->at + n);
        if (n <= best || !brief_name_ends(r, r->at + n) ||
            (is_bare && !is_bare_here))
            continue;
        best = n;
        *ret_plural = is_plural;
    }
    if (best <= *ret_length)
        return false;
    *ret_length = best;
    return true;
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
        want.apart =
            want.people &&
            brief_people_are_apart(brief_word_at(r, to + behind - 1)->text);
        if (!want.people && want.kind == BRIEF_ROOM) {
            want.people = r->room_people;
            want.apart = r->room_apart;
        }
        b->wants[b->want_count++] = want;
    }
    r->ahead.is_open = false;
    r->of_want = BRIEF_NONE;
    r->at = r->ended = r->want_to = to;
    brief_phrase_restart(r);
    return true;
}
