/* The account of one noun phrase, once the things are chosen: a word of it that
 * is in no name here must be one that may say what a thing is like. A verb, a
 * number or a particle is none, and a phrase that has one was cut out of
 * something else. What it says of rank, of others and of how the thing stands
 * must be so even where but one thing can be meant. */
#include "worker/builtin/read/stage_internal.h"

/* No dearer reading of the same words is better. */
static etna_code refuse_unshown(stage *s, const char *why)
{
    return reader_refuse_said(s->t.r, CODE_ABSENT, s->t.thing, why);
}

/* Does the phrase begin what is said: "put seven plates ..." as a name? */
static bool thing_begins(const stage *s)
{
    static const char *const joints[] = {"and", "then", ",", ":", ";"};
    const uint32_t first = s->t.thing->first;
    return first == 0 || WORD_IS_OF(reader_word(s->t.r, first - 1), joints);
}

/* Is the word the last of the phrase, a letter, a number in figures, or one
 * that names of the scene have? It may stay then. */
static bool word_may_name(const resolution *t, uint32_t i)
{
    const char *const word = t->words[i];
    if (i + 1 >= t->word_count || strlen(word) < 2)
        return true;
    return word_is_number(word) || mend_vocabulary_has(t->r->vocabulary, word);
}

/* "Put seven plates", "about two books": no noun is called so. */
static bool word_is_no_name(const stage *s, uint32_t i)
{
    const resolution *t = &s->t;
    const char *const word = t->words[i];
    lexicon_verb verb;
    kinds_id kind;
    if (word_may_name(t, i))
        return false;
    if (kinds_find(t->query.whole, &kind) && kind.head_words > 1)
        return false; /* "place mat" */
    if (lexicon_number(word) > 1)
        return i == 0;
    const bool orders =
        i == 0 && thing_begins(s) && lexicon_find_verb(word, &verb);
    return orders || lexicon_lists("account: no name", word);
}

/* How many things answer the words behind the first `skip` ones, whatever was
 * spoken of before. UINT32_MAX: without a noun they say nothing that could be
 * counted. */
static etna_code count_called(stage *s,
                              uint32_t skip,
                              uint32_t slack,
                              uint32_t *ret)
{
    resolution any = s->t;
    any.amount = (quantity){0};
    any.scope = (refer_scope){.on = BUILTIN_NONE, .many = true};
    etna_code code = reader_query(any.r, any.words + skip,
                                  any.word_count - skip, &any.query);
    if (code == ETNA_OK)
        code = candidates_make(any.r, &any.found);
    if (code != ETNA_OK)
        return code;
    gather(&any, &any.query, &any.found);
    candidates_within(&any.found, slack);
    *ret = any.query.has_noun ? any.found.count : UINT32_MAX;
    return ETNA_OK;
}

/* "Put the dumbbell beside the other fitness equipment": what is put there may
 * be of the same kind. */
static bool movers_are_kin(const stage *s)
{
    const resolution *t = &s->t;
    const builtin_set *moved = &t->r->moving;
    const char *const head = t->words[t->word_count - 1];
    if (t->query.generic || lexicon_lists("account: of many kinds", head))
        return true;
    for (uint32_t i = 0; i < moved->count && !t->scope.movers; i++) {
        if (reader_match(t->r, moved->objects[i], &t->query).cost < MATCH_NONE)
            return true;
    }
    return false;
}

/* The ordinal that the phrase begins with, where no name of the scene has that
 * word; 0: it says none, or the first or last, which one thing alone is, too. */
static uint32_t stage_ordinal(const stage *s)
{
    const resolution *t = &s->t;
    const uint32_t ordinal = lexicon_ordinal(t->words[0]);
    const bool ranks = ordinal > 1 && ordinal != UINT32_MAX &&
                       !mend_vocabulary_has(t->r->vocabulary, t->words[0]);
    return ranks ? ordinal : 0;
}

/* "The second side table" of one, "the other sofa" where there is but one. The
 * thing that was found is right by its other words, but the text tells of a
 * scene that is not this one. */
static etna_code check_rank(stage *s)
{
    const resolution *t = &s->t;
    const uint32_t ordinal = stage_ordinal(s);
    const bool ranks = ordinal > 0;
    const bool other =
        stage_says(s, SAYS_OTHER) && !s->borrows && !movers_are_kin(s);
    const uint32_t others = other ? 2 : 0;
    const uint32_t least = ranks ? ordinal : others;
    uint32_t count = UINT32_MAX;
    if (least == 0 || t->word_count < (ranks ? 2u : 1u) || s->ret->count != 1)
        return ETNA_OK;
    etna_code code = count_called(s, ranks ? 1 : 0,
                                  ranks ? SLACK_CALLED : SLACK_RANKED, &count);
    if (code != ETNA_OK || count >= least)
        return code;
    return refuse_unshown(s, ranks ? "so many there are not"
                                   : "there is but one that is called so");
}

/* "The high table" where but the low table could be meant: even the only
 * candidate must not be called the opposite of what is said. */
static etna_code check_opposite(stage *s)
{
    const resolution *t = &s->t;
    match_query q;
    etna_code code = reader_query(t->r, t->words, t->word_count, &q);
    for (uint32_t i = 0; i < s->ret->count && code == ETNA_OK; i++) {
        if (match_name_denies(t->r->facts,
                              &t->r->facts->objects[s->ret->objects[i]], &q))
            code = refuse_unshown(s, "what could be meant is called otherwise");
    }
    return code;
}

/* "The tables", in a plural that is no name of the scene, and neither "the other
 * tables" nor "the two tables": all that are called so. */
static bool phrase_means_all(const stage *s)
{
    const resolution *t = &s->t;
    const char *const head = t->words[t->word_count - 1];
    const bool all = stage_says(s, SAYS_DEFINITE) && t->amount.number == 0 &&
                     !stage_says(s, SAYS_ANY | SAYS_OTHER | SAYS_REST);
    return all && match_is_plural_word(head) &&
           !mend_vocabulary_has(t->r->vocabulary, head);
}

/* "At the edge of the tables" of which one was chosen. */
static etna_code check_plural(stage *s)
{
    const resolution *t = &s->t;
    uint32_t count = 0;
    if (t->scope.movers || t->scope.any || s->ret->count != 1 ||
        !phrase_means_all(s))
        return ETNA_OK;
    etna_code code = count_called(s, 0, SLACK_CALLED, &count);
    if (code != ETNA_OK || count < 2)
        return code;
    return refuse_unshown(s, "which of them is meant is not clear");
}

/* "The empty table" with a lamp on it. */
static etna_code check_bare(stage *s)
{
    const builtin_facts *facts = s->t.r->facts;
    bool says = false;
    for (uint32_t i = 0; i + 1 < s->t.word_count; i++)
        says = says || lexicon_lists("account: bare", s->t.words[i]);
    for (uint32_t i = 0; i < s->ret->count && says; i++) {
        if (facts->objects[s->ret->objects[i]].on_count > 0)
            return refuse_unshown(s, "things stand on what could be meant");
    }
    return ETNA_OK;
}

/* "The dry towels" of which one may be wet: a state that some have and others
 * have not, and that no scene shows. "The three dry towels" of three are all. */
static etna_code check_state(stage *s)
{
    const resolution *t = &s->t;
    const builtin_object *first = object_at(t->r, s->ret->objects[0]);
    bool parts = false;
    for (uint32_t i = 0; i + 1 < t->word_count; i++)
        parts = parts || (lexicon_lists("account: state", t->words[i]) &&
                          !object_has_word(first, t->words[i]));
    if (!parts || s->ret->count < 2 || t->amount.number > 0)
        return ETNA_OK;
    return refuse_unshown(s, "which of them are so the scene does not show");
}

/* "Both on the same shelf" of a bookcase with several: which one the words do
 * not say, and on two of them it would not be so. */
static etna_code check_same_board(stage *s)
{
    const resolution *t = &s->t;
    bool same = false;
    for (uint32_t at = t->thing->first; at < t->thing->end; at++)
        same = same || !strcmp(reader_word(t->r, at), "same");
    if (!same || t->scope.movers || s->ret->count != 1 ||
        t->r->moving.count < 2)
        return ETNA_OK;
    if (builtin_shelves(t->r->facts, s->ret->objects[0]) < 2)
        return ETNA_OK;
    return refuse_unshown(s, "which of its boards is not said");
}

etna_code stage_refuse_unshown(stage *s)
{
    if (s->t.word_count == 0)
        return ETNA_OK;
    for (uint32_t i = 0; i < s->t.word_count; i++) {
        if (word_is_no_name(s, i))
            return reader_refuse(s->t.r, CODE_UNREAD, s->t.thing,
                                 "\"%s\" is not understood as a name",
                                 reader_said(s->t.r, s->t.thing));
    }
    etna_code code = check_rank(s);
    if (code == ETNA_OK)
        code = check_plural(s);
    if (code == ETNA_OK)
        code = check_opposite(s);
    if (code == ETNA_OK && s->ret->count > 0)
        code = check_state(s);
    if (code == ETNA_OK)
        code = check_same_board(s);
    return code == ETNA_OK ? check_bare(s) : code;
}
