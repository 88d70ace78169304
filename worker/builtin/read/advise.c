/* What a refusal tells besides its reason: the clause that was not read, and a
 * sentence that would be. Whatever is offered was read first, over the same
 * scene: an offer that is refused as well would be worse than none. */
#include "worker/builtin/read/trait.h"

#include <stdio.h>

enum {
    ADVISE_TEXT_MAX = 600, /* bytes of a text that is said anew */
    NAME_WORDS = 4,        /* of a thing's name */
    PHRASES_MAX = 6        /* of things, looked at in a sentence */
};

/* Words that name a thing of the scene, as they were said. */
typedef struct advice_phrase {
    uint32_t first, end;  /* tokens, with article, number and adjectives */
    uint32_t object;      /* the best match of its noun */
    const char *relation; /* what the words before it say; NULL: nothing */
} advice_phrase;

typedef struct advice {
    reader *r;
    uint32_t from, to; /* bytes of the clause */
    uint32_t count;
    advice_phrase phrases[PHRASES_MAX];
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

/* Does the word belong to the noun phrase that follows it: "all three blue"? */
static bool advice_leads(const sentence_token *t)
{
    bool superlative;
    if (t->is_mark || t->quoted)
        return false;
    return lexicon_lists("$det", t->text) || lexicon_lists("$quant", t->text) ||
           lexicon_number(t->text) || lexicon_colour(t->text) ||
           lexicon_size(t->text, &superlative) || lexicon_material(t->text) ||
           lexicon_is_mere_adjective(t->text);
}

/* A word of the grammar such as "level", which a thing may be called, too, is a
 * name only behind an article or an adjective. */
static bool advice_is_grammar(const advice *a, uint32_t token)
{
    const sentence_token *t = a->r->s->tokens;
    return !t[token].quoted && lexicon_asks_how(t[token].text) &&
           (token == 0 || !advice_leads(&t[token - 1]));
}

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
    if (count == 1 && advice_is_grammar(a, first))
        return ETNA_OK;
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

/* How the three words before a phrase say where, in words that are read; the
 * nearest counts. NULL: they do not. */
static const char *advice_relation(const advice *a, uint32_t first)
{
    static const char *const words[][2] = {{"on", "on"},
                                           {"onto", "on"},
                                           {"upon", "on"},
                                           {"under", "under"},
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
    const uint32_t reach = 3; /* words: "to the left of" */
    for (uint32_t i = 1; i <= reach && i <= first; i++) {
        const sentence_token *t = &a->r->s->tokens[first - i];
        if (t->is_mark)
            break;
        for (size_t k = 0; k < COUNT_OF(words); k++) {
            if (strcmp(t->text, words[k][0]) == 0)
                return words[k][1];
        }
    }
    return NULL;
}

/* Remembers the phrase whose noun are these tokens, unless its thing was named
 * before. */
static void advice_take(advice *a, uint32_t noun, uint32_t end, uint32_t object)
{
    uint32_t first = noun;
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->phrases[i].object == object)
            return;
    }
    while (first > 0 && advice_leads(&a->r->s->tokens[first - 1]))
        first--;
    while (strcmp(a->r->s->tokens[first].text, "of") == 0)
        first++;
    a->phrases[a->count++] =
        (advice_phrase){.first = first,
                        .end = end,
                        .object = object,
                        .relation = advice_relation(a, first)};
}

/* The thing that the most words from token `at` on mean, up to byte `to`;
 * BUILTIN_NONE: they mean none. */
static etna_code advice_thing_at(
    advice *a, uint32_t at, uint32_t to, uint32_t *ret_count, uint32_t *ret)
{
    const sentence *s = a->r->s;
    for (uint32_t count = NAME_WORDS; count > 0; count--) {
        if (at + count > s->token_count || s->tokens[at + count - 1].end > to)
            continue;
        etna_code code = advice_thing(a, at, count, ret);
        if (code != ETNA_OK || *ret != BUILTIN_NONE) {
            *ret_count = count;
            return code;
        }
    }
    return ETNA_OK;
}

/* "Bike" of "the bike rack": a noun behind it says that something else is
 * meant. */
static bool advice_is_modifier(const advice *a, uint32_t end)
{
    const sentence *s = a->r->s;
    if (end >= s->token_count || s->tokens[end].is_mark)
        return false;
    const char *const next = s->tokens[end].text;
    return kinds_known(next) && !lexicon_is_function_word(next);
}

/* "Menu stand", where but a cake stand is one: it is made for something else. */
static bool advice_is_of_another(const advice *a, uint32_t at, uint32_t object)
{
    const sentence *s = a->r->s;
    const builtin_object *const o = object_at(a->r, object);
    const char *const noun = builtin_noun(o);
    if (at == 0 || !advice_is_modifier(a, at) ||
        !kinds_known(s->tokens[at - 1].text))
        return false;
    for (uint32_t k = 0; k < o->word_count; k++) {
        const char *const word = o->words[k];
        if (word != noun && kinds_known(word) && !lexicon_colour(word) &&
            !lexicon_material(word))
            return !builtin_same_word(word, s->tokens[at - 1].text);
    }
    return false;
}

/* The phrases between two bytes of the text; of each the longest name. */
static etna_code advice_find_things(advice *a, uint32_t from, uint32_t to)
{
    const sentence *s = a->r->s;
    a->count = 0;
    for (uint32_t i = 0; i < s->token_count && a->count < PHRASES_MAX;) {
        uint32_t taken = 1, found = BUILTIN_NONE;
        const bool within = s->tokens[i].at >= from && s->tokens[i].end <= to;
        etna_code code =
            within ? advice_thing_at(a, i, to, &taken, &found) : ETNA_OK;
        if (code != ETNA_OK)
            return code;
        const bool meant = found != BUILTIN_NONE &&
                           !advice_is_modifier(a, i + taken) &&
                           !advice_is_of_another(a, i, found);
        if (meant)
            advice_take(a, i, i + taken, found);
        i += taken;
    }
    return ETNA_OK;
}

/* In the words of the sentence, or by the thing's full name. */
static const char *advice_say(const advice *a,
                              const advice_phrase *phrase,
                              bool as_said)
{
    const sentence_token *t = a->r->s->tokens;
    if (!as_said || !advice_leads(&t[phrase->first]))
        return etna_arena_printf(a->r->arena, "\"%.80s\"",
                                 object_at(a->r, phrase->object)->name);
    const uint32_t at = t[phrase->first].at;
    char *said = etna_arena_strndup(a->r->arena, a->r->text + at,
                                    t[phrase->end - 1].end - at);
    if (said && !t[phrase->first].quoted)
        said[0] = t[phrase->first].text[0];
    return said;
}

/* Which of two is the one to move: one that can be, and that does not dwarf
 * the other. */
static bool advice_can_move(const advice *a,
                            const advice_phrase *mover,
                            const advice_phrase *place)
{
    const double dwarfs = 2; /* times the other's area */
    const builtin_object *o = object_at(a->r, mover->object);
    const builtin_object *base = object_at(a->r, place->object);
    if (o->is_static || o->immovable)
        return false;
    return base->is_static ||
           o->half[0] * o->half[1] < dwarfs * base->half[0] * base->half[1];
}

/* What the clause's own verb asks of the things: one that puts them somewhere may
 * be any, for every other what is said of two, and of one. */
typedef struct advice_verb {
    lexicon_verb verb;
    const char *two, *one; /* NULL: nothing is offered */
} advice_verb;

static const advice_verb verbs_of_their_own[] = {
    {VERB_TURN, "Turn %s to face %s", "Turn %s by 90 degrees"},
    {VERB_SWAP, "Swap %s and %s", NULL},
    {VERB_CLEAR, NULL, "Clear %s"},
    {VERB_STACK, NULL, NULL},
    {VERB_LINE, NULL, "Line up %s"},
    {VERB_REMOVE, NULL, NULL},
    {VERB_TIDY, NULL, NULL},
    {VERB_LAY_TABLE, NULL, NULL},
    {VERB_STRAIGHTEN, NULL, "Straighten %s"},
    {VERB_SPACE, NULL, NULL},
    {VERB_KEEP, NULL, NULL},
    {VERB_FOLLOW, NULL, NULL},
    {VERB_REPLACE, NULL, NULL},
    {VERB_SUBSTITUTE, NULL, NULL},
};

/* The verb that the clause begins with, a courtesy or two before it. NULL: it
 * is one of putting, or there is none. */
static const advice_verb *advice_find_verb(const advice *a)
{
    const uint32_t reach = 3; /* words */
    const sentence *s = a->r->s;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < s->token_count && seen < reach; i++) {
        lexicon_verb verb;
        if (s->tokens[i].at < a->from || s->tokens[i].is_mark)
            continue;
        seen++;
        if (!lexicon_find_verb(s->tokens[i].text, &verb))
            continue;
        for (size_t k = 0; k < COUNT_OF(verbs_of_their_own); k++) {
            if (verbs_of_their_own[k].verb == verb)
                return &verbs_of_their_own[k];
        }
        return NULL;
    }
    return NULL;
}

/* By the words that say it; `of` has one place for each phrase. NULL: no such
 * sentence is read. */
static const char *advice_fill(const advice *a,
                               const char *of,
                               const advice_phrase *one,
                               const advice_phrase *other)
{
    for (uint32_t style = 0; style < 2; style++) {
        const char *const what = advice_say(a, one, style == 0);
        const char *const where = other ? advice_say(a, other, style == 0) : "";
        const char *const gap = strstr(of, "%s");
        const char *const next = gap ? strstr(gap + 2, "%s") : NULL;
        const char *said = NULL;
        if (what && where && gap)
            said = etna_arena_printf(
                a->r->arena, "%.*s%s%.*s%s%s", (int)(gap - of), of, what,
                (int)(next ? next - gap - 2 : (ptrdiff_t)strlen(gap + 2)),
                gap + 2, next ? where : "", next ? next + 2 : "");
        if (advice_reads(a, said))
            return said;
    }
    return NULL;
}

/* In the order in which they are said: nobody who asks for the bed to be turned
 * to the toilet wants that on the bed. NULL: no such sentence is read. */
static const char *advice_put(const advice *a,
                              const advice_phrase *mover,
                              const advice_phrase *place)
{
    const char *const relation = place->relation ? place->relation : "next to";
    const char *const of =
        etna_arena_printf(a->r->arena, "Put %%s %s %%s", relation);
    const bool is_moved = !mover->relation && advice_can_move(a, mover, place);
    return of && is_moved ? advice_fill(a, of, mover, place) : NULL;
}

/* Of the first two things that can stand so, by the clause's own verb. NULL:
 * nothing that is named there can be spoken of. */
static const char *advice_of_things(const advice *a)
{
    const advice_verb *const own = advice_find_verb(a);
    const char *said = NULL;
    for (uint32_t i = 0; i < a->count && !said; i++) {
        for (uint32_t k = i + 1; k < a->count && !said; k++) {
            const advice_phrase *one = &a->phrases[i];
            const advice_phrase *other = &a->phrases[k];
            if (!own)
                said = advice_put(a, one, other);
            else if (own->two)
                said = advice_fill(a, own->two, one, other);
        }
    }
    if (!said && own && own->one && a->count > 0)
        said = advice_fill(a, own->one, &a->phrases[0], NULL);
    return said;
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

/* The clause's bytes with the marks around it, and the "and" that joins it to
 * the rest. */
static void advice_cut(const advice *a, size_t *ret_begin, size_t *ret_end)
{
    const char *text = a->r->text;
    size_t begin = a->from;
    size_t end = a->to;
    while (begin > 0 && strchr(" ,;:", text[begin - 1]))
        begin--;
    while (text[end] && strchr(" ,;:", text[end]))
        end++;
    if (begin == 0 && strncmp(text + end, "and ", 4) == 0)
        end += 4;
    if (begin > 4 && strncmp(text + begin - 4, " and", 4) == 0)
        begin -= 4;
    *ret_begin = begin;
    *ret_end = end;
}

/* Is all the rest read by itself? */
static bool advice_rest_reads(const advice *a)
{
    const char *text = a->r->text;
    if (!advice_is_of_part(a) || strlen(text) > ADVISE_TEXT_MAX)
        return false;
    size_t begin, end;
    advice_cut(a, &begin, &end);
    const char *rest = etna_arena_printf(a->r->arena, "%.*s%s%s", (int)begin,
                                         text, begin ? " " : "", text + end);
    return advice_reads(a, rest);
}

/* "I don't want cups on the sofa": what its own words would say is what is not to
 * be. */
static bool advice_is_of_denial(const advice *a)
{
    const sentence *const s = a->r->s;
    bool denies = false;
    for (uint32_t i = 0; i < s->token_count && !denies; i++)
        denies = s->tokens[i].at >= a->from && s->tokens[i].end <= a->to &&
                 lexicon_lists("account: denies", s->tokens[i].text);
    return denies;
}

/* Of the things of the clause, or of all the text where it has too few. */
static etna_code advice_of_own_things(advice *a, const char **ret)
{
    if (advice_is_of_denial(a))
        return ETNA_OK;
    etna_code code = advice_find_things(a, a->from, a->to);
    if (code == ETNA_OK && a->count < 2)
        code = advice_find_things(a, 0, (uint32_t)strlen(a->r->text));
    if (code == ETNA_OK)
        *ret = advice_of_things(a);
    return code;
}

/* What the refusal's line ends with: `instead`; where that is NULL, and nothing
 * here was named, whole sentences; "" where nothing helps. NULL: no memory. */
static const char *advice_text(advice *a, const char *instead, bool one)
{
    const char *rest = advice_rest_reads(a) ? "; the rest is understood" : "";
    if (!advice_quote_clause(a))
        return NULL;
    /* what else could be done here is no answer to who named something */
    if (!instead && a->count == 0 && !advice_is_of_denial(a))
        return propose_sentences(a->r);
    if (!instead)
        return *rest ? rest + 2 : "";
    return etna_arena_printf(a->r->arena, "say %s, for instance '%s'%s",
                             one ? "which" : "it plainly", instead, rest);
}

/* Adds to a refusal what could be said instead, if possible a sentence that
 * would be read. The refusal itself stays as it is. */
etna_code refusal_advise(reader *r)
{
    const builtin_refusal *refusal = &r->refusal;
    advice a = {.r = r, .from = refusal->clause[0], .to = refusal->clause[1]};
    const etna_error why = *r->err;
    const char *instead = advice_name_one(&a);
    const bool one = instead != NULL;
    etna_code code = one ? ETNA_OK : advice_of_own_things(&a, &instead);
    if (code != ETNA_OK)
        return code;
    r->refusal.advice = advice_text(&a, instead, one);
    *r->err = why;
    if (!r->refusal.advice)
        return reader_no_memory(r);
    return etna_fail(r->err, ETNA_E_INPUT, "%s", r->refusal.what);
}
