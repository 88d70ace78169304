/* What a refusal tells besides its reason: the clause that was not read, and a
 * sentence that would be. Whatever is offered was read first, over the same
 * scene: an offer that is refused as well would be worse than none. */
#include "worker/builtin/read/trait.h"

#include <stdio.h>

enum {
    ADVISE_TEXT_MAX = 600,
    NAME_WORDS = 4
}; /* bytes of a text that is said anew; words of a name */

typedef struct advice {
    reader *r;
    uint32_t from, to; /* bytes of the clause */
    uint32_t mover, place;
} advice;

/* Is the sentence read, and does it ask for something? */
static bool advice_reads(const advice *a, const char *text)
{
    builtin_reading *reading =
        text ? etna_arena_alloc(a->r->arena, 1, sizeof *reading) : NULL;
    if (!reading)
        return false;
    *reading = (builtin_reading){0};
    return reader_read_plainly(a->r, text, reading) == ETNA_OK &&
           reading->count > 0;
}

/* ---- of which several things may be meant ---- */

/* The whole text with the name of one of them in the phrase's place. NULL: it
 * would not be read either. */
static const char *advice_name_one(const advice *a)
{
    const builtin_refusal *refusal = &a->r->refusal;
    const char *text = a->r->text;
    const size_t size = strlen(text);
    if (refusal->instead == 0 || size > ADVISE_TEXT_MAX || refusal->to > size)
        return NULL;
    const char *name = object_at(a->r, refusal->instead - 1)->name;
    const char *said =
        etna_arena_printf(a->r->arena, "%.*s\"%.80s\"%s", (int)refusal->from,
                          text, name, text + refusal->to);
    return advice_reads(a, said) ? said : NULL;
}

/* ---- of the things that are named in the clause ---- */

/* The first of the things that these words call best; BUILTIN_NONE: they call
 * nothing. */
static etna_code advice_thing(const advice *a,
                              uint32_t first,
                              uint32_t count,
                              uint32_t *ret)
{
    const uint32_t well = 60; /* hundredths */
    const char *words[NAME_WORDS];
    uint32_t least = well;
    match_query q;
    *ret = BUILTIN_NONE;
    for (uint32_t i = 0; i < count; i++) {
        const sentence_token *t = &a->r->s->tokens[first + i];
        words[i] = t->text;
        if (t->is_mark || lexicon_is_function_word(t->text))
            return ETNA_OK;
    }
    etna_code code = reader_query(a->r, words, count, &q);
    if (code != ETNA_OK || !q.has_noun)
        return code;
    for (uint32_t i = 0; i < a->r->facts->object_count; i++) {
        const uint32_t cost = reader_match(a->r, i, &q).cost;
        if (cost >= least)
            continue;
        least = cost;
        *ret = i;
    }
    return ETNA_OK;
}

static void advice_take(advice *a, uint32_t object)
{
    const builtin_object *o = object_at(a->r, object);
    const bool moves = !o->is_static && !o->immovable;
    if (a->mover == BUILTIN_NONE && moves)
        a->mover = object;
    else if (a->place == BUILTIN_NONE && object != a->mover)
        a->place = object;
}

/* The longest names first, within the clause that was refused. */
static etna_code advice_find_things(advice *a)
{
    const sentence *s = a->r->s;
    for (uint32_t i = 0; i < s->token_count && a->place == BUILTIN_NONE;) {
        uint32_t taken = 1, found = BUILTIN_NONE;
        const bool within =
            s->tokens[i].at >= a->from && s->tokens[i].end <= a->to;
        for (uint32_t count = NAME_WORDS;
             within && count > 0 && found == BUILTIN_NONE; count--) {
            if (i + count > s->token_count ||
                s->tokens[i + count - 1].end > a->to)
                continue;
            etna_code code = advice_thing(a, i, count, &found);
            if (code != ETNA_OK)
                return code;
            if (found != BUILTIN_NONE)
                taken = count;
        }
        if (found != BUILTIN_NONE)
            advice_take(a, found);
        i += taken;
    }
    return ETNA_OK;
}

/* How the clause says where, in words that are read. */
static const char *advice_relation(const advice *a)
{
    static const char *const words[][2] = {{"under", "under"},
                                           {"beneath", "under"},
                                           {"below", "under"},
                                           {"behind", "behind"},
                                           {"above", "above"},
                                           {"front", "in front of"},
                                           {"left", "to the left of"},
                                           {"right", "to the right of"},
                                           {"in", "in"},
                                           {"into", "in"},
                                           {"inside", "in"},
                                           {"beside", "next to"},
                                           {"next", "next to"},
                                           {"by", "next to"},
                                           {"near", "next to"},
                                           {"against", "against"},
                                           {"facing", "facing"},
                                           {"between", "next to"},
                                           {"around", "next to"},
                                           {"at", "next to"},
                                           {"toward", "toward"},
                                           {"towards", "toward"},
                                           {"closer", "next to"},
                                           {"corner", "in the corner of"},
                                           {"edge", "at the edge of"},
                                           {"middle", "in the middle of"}};
    const sentence *s = a->r->s;
    for (uint32_t i = 0; i < s->token_count; i++) {
        if (s->tokens[i].at < a->from || s->tokens[i].end > a->to)
            continue;
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
            if (strcmp(s->tokens[i].text, words[k][0]) == 0)
                return words[k][1];
        }
    }
    return "on";
}

/* NULL: nothing that is named there can be spoken of so. */
static const char *advice_of_things(const advice *a)
{
    const char *const relations[] = {advice_relation(a), "on", "next to"};
    if (a->mover == BUILTIN_NONE)
        return NULL;
    const char *mover = object_at(a->r, a->mover)->name;
    for (size_t i = 0;
         i < sizeof relations / sizeof relations[0] && a->place != BUILTIN_NONE;
         i++) {
        const char *said =
            etna_arena_printf(a->r->arena, "Put \"%.80s\" %s \"%.80s\"", mover,
                              relations[i], object_at(a->r, a->place)->name);
        if (advice_reads(a, said))
            return said;
    }
    const char *said = etna_arena_printf(
        a->r->arena, "Move \"%.80s\" 20 cm to the left", mover);
    return advice_reads(a, said) ? said : NULL;
}

/* About whatever can be moved here. NULL: nothing can, or out of memory. */
static const char *advice_of_any(advice *a)
{
    for (uint32_t i = 0;
         i < a->r->facts->object_count && a->mover == BUILTIN_NONE; i++) {
        const builtin_object *o = object_at(a->r, i);
        if (!o->is_static && !o->immovable)
            a->mover = i;
    }
    a->place = BUILTIN_NONE;
    return advice_of_things(a);
}

/* ---- the clause ---- */

static bool advice_is_of_part(const advice *a)
{
    const size_t size = strlen(a->r->text);
    if (a->to <= a->from || a->to > size)
        return false;
    return a->to - a->from < size && a->to - a->from < ADVISE_TEXT_MAX;
}

/* "in "the cup over there": ..." where the reason names but a word of it. */
static bool advice_quote_clause(const advice *a)
{
    const char *what = a->r->refusal.what;
    const char *clause =
        etna_arena_strndup(a->r->arena, a->r->text + a->from, a->to - a->from);
    if (!clause)
        return false;
    if (!advice_is_of_part(a) || strstr(what, clause))
        return true;
    a->r->refusal.what =
        etna_arena_printf(a->r->arena, "in \"%.160s\": %s", clause, what);
    return a->r->refusal.what != NULL;
}

/* Is all the rest read by itself? */
static bool advice_rest_reads(const advice *a)
{
    const char *text = a->r->text;
    if (!advice_is_of_part(a) || strlen(text) > ADVISE_TEXT_MAX)
        return false;
    size_t begin = a->from, end = a->to;
    while (begin > 0 && strchr(" ,;:", text[begin - 1]))
        begin--;
    while (text[end] && strchr(" ,;:", text[end]))
        end++;
    if (begin == 0 && strncmp(text + end, "and ", 4) == 0)
        end += 4;
    if (begin > 4 && strncmp(text + begin - 4, " and", 4) == 0)
        begin -= 4;
    const char *rest = etna_arena_printf(a->r->arena, "%.*s%s%s", (int)begin,
                                         text, begin ? " " : "", text + end);
    return advice_reads(a, rest);
}

/* Adds to a refusal what could be said instead, if possible a sentence that
 * would be read. The refusal itself stays as it is. */
etna_code refusal_advise(reader *r)
{
    const builtin_refusal *refusal = &r->refusal;
    advice a = {.r = r,
                .from = refusal->clause[0],
                .to = refusal->clause[1],
                .mover = BUILTIN_NONE,
                .place = BUILTIN_NONE};
    const etna_error why = *r->err;
    const char *instead = advice_name_one(&a);
    const bool one = instead != NULL;
    etna_code code = one ? ETNA_OK : advice_find_things(&a);
    if (code != ETNA_OK)
        return code;
    if (!one)
        instead = advice_of_things(&a);
    const char *rest = advice_rest_reads(&a) ? "; the rest is understood" : "";
    if (!advice_quote_clause(&a))
        return reader_no_memory(r);
    const char *proposed = instead ? "" : propose_sentences(r);
    if (!proposed)
        return reader_no_memory(r);
    if (!instead && !*proposed)
        instead = advice_of_any(&a);
    r->refusal.advice = proposed;
    if (instead)
        r->refusal.advice =
            etna_arena_printf(r->arena, "say %s, for instance '%s'%s",
                              one ? "which" : "it plainly", instead, rest);
    *r->err = why;
    if (!r->refusal.advice)
        return reader_no_memory(r);
    return etna_fail(r->err, ETNA_E_INPUT, "%s", r->refusal.what);
}
