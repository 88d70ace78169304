/* A part of a text that is not read by itself: with the part before it or the
 * one behind it, of what was just told of, without what stands around the wish,
 * or passed over where it only exclaims. */
#include "proto/ascii.h"
#include "worker/builtin/read/part_internal.h"
#include "worker/builtin/read/passed.h"
#include "worker/builtin/read/remark.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/telling.h"

#include <stdio.h>

/* "No cushions on the sofa" takes nothing back. */
static bool part_denies_things(const reader *r, const sentence_part *part)
{
    const sentence_token *const t = &r->s->tokens[part->first];
    if (strcmp(t->text, "no") != 0 || part->end < part->first + 3)
        return false;
    return strcmp(t[1].text, "more") == 0 || match_is_plural_word(t[1].text);
}

bool part_corrects(const reader *r, const sentence_part *part)
{
    return lexicon_lists("$correct", r->s->tokens[part->first].text) &&
           !part_denies_things(r, part);
}

static etna_code part_try_around(reader *r, const part_try *t, bool *ret)
{
    const sentence_part *const part = r->part;
    *ret = false;
    /* "... no, sorry, to the right of it" goes on from what it takes back */
    if (part_corrects(r, part) && t->before &&
        r->reading->count > t->reading->count)
        return ETNA_OK;
    *r = *t->start;
    r->part = part;
    return remark_read_around(r, t->vocabulary, t->beside, ret);
}

/* "The height is fine": the whole part is a phrase for it. */
static bool part_is_of_height(const reader *r)
{
    char said[64] = "";
    size_t used = 0;
    for (uint32_t at = r->part->first; at < r->part->end; at++) {
        const int size = snprintf(said + used, sizeof said - used, "%s%s",
                                  used ? " " : "", r->s->tokens[at].text);
        if (size < 0 || (size_t)size >= sizeof said - used)
            return false;
        used += (size_t)size;
    }
    return lexicon_lists("$one_height", said);
}

/* "Should be"; and no "next to", though "to" may stand for it, too. */
static bool word_wishes_being(const char *word)
{
    return lexicon_lists("$be", word) && !lexicon_lists("$polite", word) &&
           strcmp(word, "to") != 0;
}

static bool word_goes_on(const char *word)
{
    return lexicon_number(word) > 0 || ascii_is_digit(word[0]) ||
           lexicon_goes_on(word);
}

/* "Not on the floor", "half a metre apart", "ideally by the window": begins it
 * as what is said of where and how does, and holds no wish of its own? */
static bool part_goes_on(const reader *r)
{
    const sentence_token *const tokens = r->s->tokens;
    uint32_t first = r->part->first;
    if (part_is_of_height(r))
        return true;
    if (lexicon_lists("rescue: would be", tokens[first].text) &&
        first + 1 < r->part->end)
        first++;
    bool goes_on = word_goes_on(tokens[first].text);
    for (uint32_t at = first; at < r->part->end && goes_on; at++) {
        const char *const word = tokens[at].text;
        if (at > first && strcmp(word, ",") == 0)
            break; /* "not inside, they are wet" */
        goes_on = !tokens[at].quoted && !word_wishes_being(word);
    }
    return goes_on;
}

/* Both parts as one, with that mark for the full stop. NULL: out of memory. */
static const sentence *parts_joined(const reader *r,
                                    const sentence_part *before,
                                    const char *mark,
                                    sentence_part *ret)
{
    const sentence *const s = r->s;
    sentence_token *tokens =
        etna_arena_memdup(r->arena, s->tokens, s->token_count * sizeof *tokens);
    sentence *joined = etna_arena_memdup(r->arena, s, sizeof *s);
    if (!tokens || !joined)
        return NULL;
    for (uint32_t at = before->end; at < r->part->first; at++) {
        tokens[at].text = mark;
        tokens[at].is_mark = true;
    }
    joined->tokens = tokens;
    *ret = *before;
    ret->end = r->part->end;
    return joined;
}

/* "Put the bucket on the rack, please. Not on the floor." */
static etna_code part_try_onto_last(reader *r, const part_try *t, bool *ret)
{
    *ret = false;
    if (!t->before || !part_goes_on(r))
        return ETNA_OK;
    /* "Would you hang it further to the right? Same height" is no answer */
    const bool asked =
        strcmp(r->s->tokens[t->before->part->end].text, "?") == 0;
    if (asked && !part_is_of_height(r))
        return ETNA_OK;
    sentence_part *whole = etna_arena_alloc(r->arena, 1, sizeof *whole);
    const sentence *joined =
        whole ? parts_joined(r, t->before->part, ",", whole) : NULL;
    if (!joined || r->part->first != t->before->part->end + 1)
        return joined ? ETNA_OK : reader_no_memory(r);
    builtin_reading *reading = r->reading;
    const uint32_t moves = reading->count;
    *reading = *t->reading;
    *r = *t->before;
    r->s = joined;
    r->part = whole;
    etna_code code = part_read(r, t->vocabulary);
    /* "Not inside, they are wet." */
    if (code == ETNA_E_INPUT && r->refusal.reach > 0) {
        bool around = false;
        *reading = *t->reading;
        *r = *t->before;
        r->s = joined;
        r->part = whole;
        code = remark_read_around(r, t->vocabulary, false, &around);
        if (code == ETNA_OK && !around)
            return ETNA_OK;
    }
    *ret =
        code == ETNA_OK && reading->count >= moves && moves > t->reading->count;
    return code;
}

/* A copy of the text in which the two tokens before the part are a pronoun of
 * what is spoken of and a colon. NULL: out of memory. */
static const sentence *part_with_pronoun(const reader *r, sentence_part *ret)
{
    const sentence *const s = r->s;
    const uint32_t first = r->part->first - 2;
    sentence_token *tokens =
        etna_arena_memdup(r->arena, s->tokens, s->token_count * sizeof *tokens);
    sentence *made = etna_arena_memdup(r->arena, s, sizeof *s);
    if (!tokens || !made)
        return NULL;
    tokens[first] = tokens[first + 1] =
        (sentence_token){.text = r->memory.last.count > 1 ? "them" : "it",
                         .written = "it",
                         .at = s->tokens[first + 2].at,
                         .end = s->tokens[first + 2].at};
    tokens[first + 1].text = tokens[first + 1].written = ":";
    tokens[first + 1].is_mark = true;
    made->tokens = tokens;
    *ret = *r->part;
    ret->first = first;
    return made;
}

/* "The plant gets no sun. Below the window, please.": of what was just told of,
 * and nothing was asked of it yet. */
static etna_code part_try_of_remark(reader *r, const part_try *t, bool *ret)
{
    const builtin_set *const last = &t->start->memory.last;
    const sentence_part *const part = r->part;
    const sentence_token *const begin = &r->s->tokens[part->first];
    *ret = false;
    if (!t->before || part->first < 2 || !word_goes_on(begin->text))
        return ETNA_OK;
    const bool told = t->reading->count == r->reading->count &&
                      t->reading->remark_count < r->reading->remark_count &&
                      last->count > 0 && last->need == last->count;
    const bool anew = !set_is_within(last, &t->before->memory.last);
    if (!told || (!anew && t->before->memory.last.count > 0))
        return ETNA_OK;
    *r = *t->start;
    r->part = part;
    sentence_part *own = etna_arena_alloc(r->arena, 1, sizeof *own);
    const sentence *const s = own ? part_with_pronoun(r, own) : NULL;
    const uint32_t moves = r->reading->count;
    if (!s)
        return reader_no_memory(r);
    r->s = s;
    r->part = own;
    etna_code code = part_read(r, t->vocabulary);
    *ret = code == ETNA_OK && r->reading->count > moves;
    return code;
}

/* "Put the drill ... no wait, put the hammer there": broken off, and taken
 * back. */
static etna_code part_try_broken_off(reader *r, const part_try *t, bool *ret)
{
    enum {
        LONGEST = 6
    };
    const sentence *const s = r->s;
    const sentence_part *const part = r->part;
    const sentence_part *const next = part + 1;
    const bool last = part == &s->parts[s->part_count - 1];
    *ret = false;
    if (last || part->end - part->first > LONGEST || part->end >= next->first)
        return ETNA_OK;
    const sentence_token *const mark = &s->tokens[part->end];
    const bool dots = next->first > part->end + 1 || mark->end > mark->at + 1;
    *ret = dots && strcmp(mark->text, ".") == 0 &&
           next->end > next->first + 2 &&
           lexicon_lists("rescue: takes back", s->tokens[next->first].text);
    if (!*ret)
        return ETNA_OK;
    *r = *t->start;
    r->part = part;
    reader_remark(r, NULL);
    return ETNA_OK;
}

/* "The newspaper? On the bench, please.": what is asked after, and where it is
 * to go. */
static etna_code part_try_onto_next(reader *r, const part_try *t, bool *ret)
{
    enum {
        WORDS_MOST = 7
    };
    const sentence_part *const asked = r->part;
    *ret = false;
    if (!t->next || asked->end - asked->first > WORDS_MOST ||
        t->next->first != asked->end + 1)
        return ETNA_OK;
    /* "Bucket. Next to the hamper": where nothing was said before it */
    const bool is_asked = strcmp(r->s->tokens[asked->end].text, "?") == 0;
    if ((!is_asked && t->before) ||
        lexicon_goes_on(r->s->tokens[asked->first].text))
        return ETNA_OK;
    sentence_part *whole = etna_arena_alloc(r->arena, 1, sizeof *whole);
    if (!whole)
        return reader_no_memory(r);
    if (!lexicon_goes_on(r->s->tokens[t->next->first].text))
        return ETNA_OK;
    *r = *t->start;
    r->part = t->next;
    const sentence *const joined = parts_joined(r, asked, ":", whole);
    if (!joined)
        return reader_no_memory(r);
    const uint32_t moves = r->reading->count;
    r->s = joined;
    r->part = whole;
    etna_code code = part_read(r, t->vocabulary);
    *ret = *t->took_next = code == ETNA_OK && r->reading->count > moves;
    return code;
}

/* "Careful!", "Good robot.": a few words beside a request, none of which could
 * ask for anything or tell a thing. */
static bool part_is_interjection(const reader *r,
                                 const sentence_vocabulary *vocabulary)
{
    enum {
        INTERJECTION_MAX = 2
    };
    if (r->part->end - r->part->first > INTERJECTION_MAX)
        return false;
    for (uint32_t i = r->part->first; i < r->part->end; i++) {
        const sentence_token *t = &r->s->tokens[i];
        if (t->quoted || mend_vocabulary_has(vocabulary, t->text))
            return false;
        /* "tight fit" */
        if (sentence_word_tells(t->text) || word_binds(t->text))
            return false;
    }
    return true;
}

/* A part that only exclaims is passed over, if there are others. */
static etna_code part_try_interjection(reader *r, const part_try *t, bool *ret)
{
    *ret = t->unread && t->beside && part_is_interjection(r, t->vocabulary);
    if (!*ret)
        return ETNA_OK;
    const sentence_part *const part = r->part;
    *r = *t->start;
    r->part = part;
    etna_code code = passed_check(r, part);
    if (code == ETNA_OK)
        reader_remark(r, NULL);
    *ret = code == ETNA_OK;
    return code;
}

etna_code part_rescue(reader *r, const part_try *t)
{
    static etna_code (*const tries[])(reader * r, const part_try *t,
                                      bool *ret) = {
        part_try_broken_off, part_try_around,    part_try_of_remark,
        part_try_onto_last,  part_try_onto_next, part_try_interjection};
    const reader failed = *r;
    const etna_error why = *r->err;
    builtin_reading *kept =
        etna_arena_memdup(r->arena, r->reading, sizeof *kept);
    if (!kept)
        return reader_no_memory(r);
    for (size_t i = 0; i < COUNT_OF(tries); i++) {
        bool done = false;
        etna_code code = tries[i](r, t, &done);
        if (code != ETNA_OK && code != ETNA_E_INPUT)
            return code;
        if (done) {
            *r->err = (etna_error){0};
            return ETNA_OK;
        }
        *r = failed;
        *r->reading = *kept;
        *r->err = why;
    }
    return ETNA_E_INPUT;
}
