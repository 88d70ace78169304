/* What is said around a wish: how things are, who does what, why. It asks for
 * nothing and is told as a remark; what it speaks of is what "it" means next. A
 * text whose wish is not read with it is read without it
 * (remark_read_around). */
#include "worker/builtin/read/remark.h"
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/passed.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/telling.h"
#include "worker/builtin/read/trait.h"

/* ---- asides: stretches that the grammar found ---- */

/* May a thing's name be these words? Marks and words of a closed class part
 * names. */
static bool aside_words(const reader *r,
                        uint32_t first,
                        uint32_t count,
                        const char **ret)
{
    for (uint32_t k = 0; k < count; k++) {
        ret[k] = reader_word(r, first + k);
        bool mark = r->s->tokens[r->part->first + first + k].is_mark;
        if (mark || lexicon_is_function_word(ret[k]))
            return false;
    }
    return true;
}

typedef struct aside_query {
    const reader *r;
    const match_query *q;
    bool fixed; /* what bears things counts, too, and nothing else */
} aside_query;

/* Movable, and where a colour was said not of another. */
static bool aside_query_allows(const void *context, uint32_t object)
{
    const aside_query *asked = context;
    const builtin_object *o = object_at(asked->r, object);
    if (asked->fixed)
        return object_is_furniture(asked->r, object) && builtin_is_bearer(o);
    if (o->is_static || o->immovable)
        return false;
    if (asked->q->colour == 0 ||
        reader_match(asked->r, object, asked->q).colour_by_name)
        return true;
    return object_shows_colour(o, (builtin_colour)asked->q->colour);
}

typedef struct aside_way { /* how a thing is named in it */
    bool place;
    uint32_t most; /* what the name may cost */
    bool fixed;    /* what bears things */
} aside_way;

/* The movable things that the words name best, and well. */
static etna_code aside_name(reader *r,
                            const char *const *words,
                            uint32_t count,
                            const aside_way *how,
                            builtin_set *ret)
{
    match_query q;
    candidates called;
    const aside_query asked = {.r = r, .q = &q, .fixed = how->fixed};
    etna_code code = gather_called(r, words, count, how->most, &q, &called);
    if (code != ETNA_OK)
        return code;
    candidates_select(&called, aside_query_allows, &asked, true);
    candidates_within(&called, 0);
    return candidates_set(r, &called, called.count, ret);
}

/* "That's where the cup goes", and not "that's where the tea is drunk". */
static bool aside_asks(const reader *r, const chart_node *aside)
{
    for (uint32_t at = aside->first; at < aside->end; at++) {
        if (reader_lists(r, at, "told: asks"))
            return true;
    }
    return false;
}

/* "I want the jug on the table", and neither "I want to read on the sofa" nor
 * "I need the table for my homework". */
static bool aside_wishes(const reader *r, const chart_node *aside)
{
    uint32_t at = aside->first + 1;
    bool article = false, place = false;
    while (at < aside->end && reader_lists(r, at, "told: would"))
        at++;
    const bool own = reader_lists(r, aside->first, "told: wisher");
    if (!own || at + 1 >= aside->end || !reader_lists(r, at, "told: wish"))
        return false;
    article = reader_lists(r, at + 1, "told: determiner");
    for (at += 2; at < aside->end && article; at++) {
        const char *const word = reader_word(r, at);
        place = place || (lexicon_lists("$rel", word) && strcmp(word, "for"));
    }
    return place;
}

/* "It should face the bed" and "it's supposed to" ask for something, and "it
 * will be nice" does not. */
static bool aside_is_request(const reader *r, const chart_node *aside)
{
    if (aside->end < aside->first + 2)
        return false;
    const char *const first = reader_word(r, aside->first);
    const char *const next = reader_word(r, aside->first + 1);
    if (lexicon_lists("told: again", first))
        return lexicon_lists("told: requests", next);
    /* "I mean on the stool" */
    if (aside_wishes(r, aside) || lexicon_lists("told: corrects", next))
        return true;
    if (!lexicon_lists("told: it is", first))
        return false;
    return lexicon_lists("told: requested", next) ||
           (strcmp(next, "where") == 0 && aside_asks(r, aside));
}

/* "I sat at the desk": where somebody was is not what is spoken of. */
static bool aside_is_place(const reader *r,
                           const chart_node *aside,
                           uint32_t first)
{
    enum {
        WORDS_BEFORE = 2
    }; /* "at the old round table" */
    uint32_t at = first, words = 0;
    for (; at > aside->first && words <= WORDS_BEFORE; at--) {
        const char *word = reader_word(r, at - 1);
        const bool determines = lexicon_lists("told: determiner", word);
        if (!determines && lexicon_is_function_word(word))
            break;
        words += !determines;
    }
    if (at == aside->first)
        return false;
    return reader_lists(r, at - 1, "told: locates");
}

/* What it names first in that way, and whether by a plural; ret->count 0:
 * nothing. */
static etna_code aside_find(reader *r,
                            const chart_node *aside,
                            const aside_way *how,
                            builtin_set *ret,
                            bool *ret_plural)
{
    enum {
        LONGEST = 4
    };
    const sentence_part told = {.first = r->part->first + aside->first,
                                .end = r->part->first + aside->end};
    /* "he never wears the hat" */
    const uint32_t verb = stretch_verb(r->s, &told) - r->part->first;
    *ret = (builtin_set){0};
    for (uint32_t first = aside->first; first < aside->end && ret->count == 0;
         first++) {
        if (first == verb || aside_is_place(r, aside, first) != how->place)
            continue;
        for (uint32_t size = LONGEST; size > 0 && ret->count == 0; size--) {
            const char *words[LONGEST];
            if (first + size > aside->end ||
                !aside_words(r, first, size, words))
                continue;
            etna_code code = aside_name(r, words, size, how, ret);
            if (code != ETNA_OK)
                return code;
            *ret_plural = match_is_plural_word(words[size - 1]);
        }
    }
    return ETNA_OK;
}

/* "I want to wipe the table. Everything comes off it": what bears things, where
 * that is one. */
static etna_code aside_remember_place(reader *r, const chart_node *aside)
{
    enum {
        NAMED_WELL = 60
    };
    static const aside_way ways[] = {{false, NAMED_WELL, true},
                                     {true, NAMED_WELL, true}};
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        builtin_set found;
        bool plural = false;
        etna_code code = aside_find(r, aside, &ways[i], &found, &plural);
        if (code != ETNA_OK)
            return code;
        if (found.count == 1)
            r->memory.told_at = found.objects[0] + 1;
        if (found.count > 0)
            return ETNA_OK;
    }
    return ETNA_OK;
}

/* "There's one thing on the rack that isn't a shoe": of what is spoken has no
 * name. */
static bool aside_names_none(const reader *r, const chart_node *aside)
{
    enum {
        WORDS_BEFORE = 4
    };
    if (!reader_lists(r, aside->first, "passed: there"))
        return false;
    for (uint32_t at = aside->first + 1;
         at < aside->end && at <= aside->first + WORDS_BEFORE; at++) {
        if (reader_lists(r, at, "noun: any") &&
            reader_lists(r, at + 1, "told: leads"))
            return true;
    }
    return false;
}

/* "Somebody left the remote on the table.": what is spoken of first is what
 * "it" means next, where that is one thing; "them" are all that a plural
 * names. */
static etna_code aside_remember(reader *r, const chart_node *aside)
{
    enum {
        CALLED_SO = 30,
        NAMED_WELL = 60,
        NAMED = MATCH_NOT_HEAD - 1
    };
    static const aside_way ways[] = {{false, CALLED_SO, false},
                                     {false, NAMED_WELL, false},
                                     {true, NAMED_WELL, false},
                                     {false, NAMED, false},
                                     {true, NAMED, false}};
    /* "I draw on the left half of the desk": "it" is no whole desk then */
    for (uint32_t at = aside->first; at < aside->end; at++) {
        if (strcmp(reader_word(r, at), "half") == 0) {
            r->memory.last = (builtin_set){0};
            return ETNA_OK;
        }
    }
    if (aside_names_none(r, aside)) {
        r->memory.last = r->memory.named = (builtin_set){0};
        return ETNA_OK;
    }
    const bool known = reader_lists(r, aside->first, "told: same");
    if (known && r->memory.last.count > 0)
        return ETNA_OK; /* of what was named before */
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        builtin_set found;
        bool plural = false;
        etna_code code = aside_find(r, aside, &ways[i], &found, &plural);
        if (code != ETNA_OK)
            return code;
        if (found.count == 1 || (found.count > 1 && plural)) {
            r->memory.last = r->memory.named = found;
            return ETNA_OK;
        }
        if (i == 0 && found.count > 1) {
            r->memory.last = (builtin_set){0}; /* "it" may be any of these */
            return ETNA_OK;
        }
    }
    return aside_remember_place(r, aside);
}

etna_code aside_read(reader *r, const chart_node *aside)
{
    if (aside_is_request(r, aside))
        return reader_refuse(r, CODE_UNREAD, aside, "\"%s\" is not understood",
                             reader_said(r, aside));
    const sentence_part passed = {.first = r->part->first + aside->first,
                                  .end = r->part->first + aside->end};
    etna_code code = passed_check(r, &passed);
    if (code != ETNA_OK)
        return code;
    reader_remark(r, aside);
    return aside_remember(r, aside);
}

/* ---- a part without its remarks ---- */

enum {
    TOLD_MOST = 4
};

typedef struct remarks { /* of one part */
    sentence_part rest;  /* what is left of it */
    sentence_part before[TOLD_MOST], behind[TOLD_MOST];
    uint32_t before_count, behind_count;
} remarks;

static bool token_cuts(const sentence_token *t)
{
    return !t->quoted && lexicon_lists("told: cut", t->text);
}

/* What a stretch that ends there is told as: "safety first: ...", and no "salt
 * and pepper". */
static bool token_cuts_heading(const sentence *s, uint32_t at, uint32_t end)
{
    return at == end || (s->tokens[at].is_mark &&
                         lexicon_lists("told: heads", s->tokens[at].text));
}

/* Takes the shortest stretch that tells something off the beginning of what is
 * left. */
static etna_code remarks_take_first(reader *r, remarks *ret, bool *ret_taken)
{
    const sentence *const s = r->s;
    const uint32_t first = ret->rest.first;
    const uint32_t end = ret->rest.end;
    const bool begins = r->reading->count == r->first_move;
    *ret_taken = false;
    for (uint32_t at = first + 1; at <= end && ret->before_count < TOLD_MOST;
         at++) {
        const sentence_part told = {.first = first, .end = at};
        const bool heads = begins && token_cuts_heading(s, at, end);
        if (at < end && !token_cuts(&s->tokens[at]))
            continue;
        etna_code code = stretch_tells(r, &told, heads, ret_taken);
        if (code != ETNA_OK)
            return code;
        if (!*ret_taken)
            continue;
        ret->before[ret->before_count++] = told;
        while (at < end && token_cuts(&s->tokens[at]))
            at++;
        ret->rest.first = at;
        return ETNA_OK;
    }
    return ETNA_OK;
}

/* "To avoid accidents, ...", "for the repair I need ...": takes what that is for
 * off the beginning. */
static etna_code remarks_take_lead(reader *r, remarks *ret, bool *ret_taken)
{
    const sentence *const s = r->s;
    sentence_part lead = {.first = ret->rest.first, .end = ret->rest.end};
    *ret_taken = false;
    if (ret->before_count == TOLD_MOST)
        return ETNA_OK;
    etna_code code = stretch_find_lead(r, &lead, ret_taken);
    if (code != ETNA_OK || !*ret_taken)
        return code;
    ret->before[ret->before_count++] = lead;
    ret->rest.first = lead.end;
    while (ret->rest.first < ret->rest.end &&
           token_cuts(&s->tokens[ret->rest.first]))
        ret->rest.first++;
    return ETNA_OK;
}

/* Does the stretch from there on tell something, be it behind a comma, "and" or
 * a word that it begins with itself? *ret_rest: where what is left ends. */
static etna_code remarks_try_last(reader *r,
                                  const sentence_part *told,
                                  uint32_t *ret_rest,
                                  bool *ret)
{
    const sentence *const s = r->s;
    *ret_rest = told->first - 1;
    *ret = false;
    if (token_cuts(&s->tokens[told->first - 1]))
        return stretch_tells(r, told, false, ret);
    *ret_rest = told->first;
    return stretch_trails(r, told, ret);
}

/* The same off its end. */
static etna_code remarks_take_last(reader *r, remarks *ret, bool *ret_taken)
{
    const sentence *const s = r->s;
    const uint32_t first = ret->rest.first;
    const uint32_t end = ret->rest.end;
    *ret_taken = false;
    for (uint32_t at = end; at > first + 1 && ret->behind_count < TOLD_MOST;
         at--) {
        const sentence_part told = {.first = at, .end = end};
        uint32_t cut;
        etna_code code = remarks_try_last(r, &told, &cut, ret_taken);
        if (code != ETNA_OK)
            return code;
        if (!*ret_taken && token_cuts(&s->tokens[at - 1]))
            code = stretch_trails(r, &told, ret_taken);
        if (code != ETNA_OK)
            return code;
        if (!*ret_taken)
            continue;
        ret->behind[ret->behind_count++] = told;
        while (cut > first && token_cuts(&s->tokens[cut - 1]))
            cut--;
        ret->rest.end = cut;
        return ETNA_OK;
    }
    return ETNA_OK;
}

/* Takes the longest opening of a wish off it. */
static etna_code remarks_take_frame(reader *r, remarks *ret, bool *ret_taken)
{
    const uint32_t first = ret->rest.first;
    *ret_taken = false;
    if (ret->before_count == TOLD_MOST)
        return ETNA_OK;
    for (uint32_t at = ret->rest.end - 1; at > first + 1 && !*ret_taken; at--) {
        etna_code code = stretch_is_frame(r, first, at, ret_taken);
        if (code != ETNA_OK)
            return code;
        if (*ret_taken)
            ret->rest.first = at;
    }
    if (*ret_taken)
        ret->before[ret->before_count++] =
            (sentence_part){.first = first, .end = ret->rest.first};
    return ETNA_OK;
}

static etna_code remarks_take(reader *r, remarks *ret, bool *ret_taken)
{
    etna_code code = remarks_take_first(r, ret, ret_taken);
    if (code == ETNA_OK && !*ret_taken)
        code = remarks_take_lead(r, ret, ret_taken);
    if (code == ETNA_OK && !*ret_taken)
        code = remarks_take_last(r, ret, ret_taken);
    if (code == ETNA_OK && !*ret_taken && ret->rest.end > ret->rest.first + 2)
        code = remarks_take_frame(r, ret, ret_taken);
    return code;
}

/* "The vase is too close to the aquarium", where there is none. */
static bool stretch_complains(const reader *r, const sentence_part *told)
{
    for (uint32_t at = told->first; at + 1 < told->end; at++) {
        const sentence_token *const t = &r->s->tokens[at];
        if (strcmp(t->text, "too") == 0 &&
            lexicon_lists("remark: way", t[1].text))
            return true;
    }
    return false;
}

/* A stretch that only tells is noted as a remark; `remember`: its things may be
 * "it" later. */
static etna_code remark_tell(reader *r,
                             const sentence_part *told,
                             bool remember)
{
    const sentence_part *const part = r->part;
    const uint32_t main = stretch_told(r->s, told).first - told->first;
    const chart_node all = {
        .name = "ASIDE", .first = main, .end = told->end - told->first};
    r->part = told;
    if (r->memory.complained == 0 && stretch_complains(r, told))
        r->memory.complained = COMPLAINED_OF_UNKNOWN;
    etna_code code = passed_check(r, told);
    if (code == ETNA_OK)
        reader_remark(r, NULL);
    if (code == ETNA_OK && remember)
        code = aside_remember(r, &all);
    r->part = part;
    return code;
}

/* Are all of them talk, which may be passed over in pieces? */
static etna_code remarks_are_talk(reader *r,
                                  const sentence_part *told,
                                  uint32_t n,
                                  bool *ret)
{
    *ret = true;
    for (uint32_t i = 0; i < n && *ret; i++) {
        etna_code code = stretch_is_talk(r, &told[i], false, ret);
        if (code == ETNA_OK && !*ret)
            code = stretch_trails(r, &told[i], ret);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* "The shelf is where | I see it": what is passed over in pieces may be passed
 * over as a whole, too. */
static etna_code remarks_check(reader *r, const sentence_part *told, uint32_t n)
{
    sentence_part all = told[0];
    bool talk = n < 2;
    etna_code code = talk ? ETNA_OK : remarks_are_talk(r, told, n, &talk);
    if (code != ETNA_OK || talk)
        return code;
    for (uint32_t i = 1; i < n; i++) {
        if (told[i].first < all.first)
            all.first = told[i].first;
        if (told[i].end > all.end)
            all.end = told[i].end;
    }
    return passed_check(r, &all);
}

/* A part that asks for nothing may be passed over as a whole. */
static etna_code remarks_check_part(reader *r,
                                    const sentence_part *part,
                                    const remarks *told)
{
    bool before = told->rest.end == told->rest.first;
    bool behind = before;
    etna_code code = ETNA_OK;
    if (before)
        code = remarks_are_talk(r, told->before, told->before_count, &before);
    if (code == ETNA_OK && behind)
        code = remarks_are_talk(r, told->behind, told->behind_count, &behind);
    return code != ETNA_OK || (before && behind) ? code : passed_check(r, part);
}

/* The remarks before, the rest as an order, the remarks behind. */
static etna_code remarks_read(reader *r,
                              const sentence_vocabulary *vocabulary,
                              const remarks *told)
{
    const sentence_part *const part = r->part;
    etna_code code = remarks_check(r, told->before, told->before_count);
    if (code == ETNA_OK)
        code = remarks_check(r, told->behind, told->behind_count);
    for (uint32_t i = 0; i < told->before_count && code == ETNA_OK; i++)
        code = remark_tell(r, &told->before[i], true);
    r->part = &told->rest;
    const uint32_t asked = r->reading->count;
    const uint32_t taken = r->memory.taken.count;
    if (code == ETNA_OK && told->rest.end > told->rest.first)
        code = part_read(r, vocabulary);
    const bool takes = r->memory.taken.count > taken; /* "off the table" */
    if (code == ETNA_OK && r->reading->count == asked && !takes)
        code = remarks_check_part(r, part, told);
    for (uint32_t i = 0; i < told->behind_count && code == ETNA_OK; i++)
        code = remark_tell(r, &told->behind[i], false);
    r->part = part;
    return code;
}

/* Takes away more and more that only tells, from both ends, until the rest
 * reads. *ret false: it does not, and nothing has changed. */
etna_code remark_read_around(reader *r,
                             const sentence_vocabulary *vocabulary,
                             bool beside,
                             bool *ret)
{
    const reader start = *r;
    const uint32_t remark_count = r->reading->remark_count;
    remarks told = {.rest = *r->part};
    bool taken = false;
    *ret = false;
    etna_code code = remarks_take(r, &told, &taken);
    while (code == ETNA_OK && taken) {
        if (told.rest.end == told.rest.first && !beside)
            return ETNA_OK; /* it asks for nothing */
        *r = start;
        r->reading->remark_count = remark_count;
        code = remarks_read(r, vocabulary, &told);
        if (code != ETNA_E_INPUT) {
            *ret = code == ETNA_OK;
            return code;
        }
        *r = start;
        code = remarks_take(r, &told, &taken);
    }
    *r = start;
    r->reading->remark_count = remark_count;
    return code;
}

/* "it would be great if ...": takes the frame away. */
etna_code remark_read_frame(reader *r,
                            const sentence_vocabulary *vocabulary,
                            bool *ret)
{
    const reader start = *r;
    const uint32_t remark_count = r->reading->remark_count;
    const uint32_t count = r->reading->count;
    remarks told = {.rest = *r->part};
    *ret = false;
    if (told.rest.end < told.rest.first + 3)
        return ETNA_OK;
    etna_code code = remarks_take_frame(r, &told, ret);
    if (code != ETNA_OK || !*ret)
        return code;
    code = remarks_read(r, vocabulary, &told);
    *ret = code == ETNA_OK && r->reading->count > count;
    if (*ret || (code != ETNA_OK && code != ETNA_E_INPUT))
        return code;
    *r = start;
    r->reading->remark_count = remark_count;
    r->reading->count = count;
    *r->err = (etna_error){0};
    return ETNA_OK;
}
