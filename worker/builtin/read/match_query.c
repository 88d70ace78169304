/* The query of a phrase: what of its words is a noun, what a colour, size, side
 * or other property. It is made once and then compared with every object. */
#include "worker/builtin/read/match_internal.h"

#include <stdio.h>

typedef struct query_maker {
    match_query q;
    const char *const *words;
    uint32_t count, at;             /* of words; the one that is read */
    char phrase[KINDS_PHRASE_SIZE]; /* its nouns */
    size_t used;
} query_maker;

static bool maker_is_last(const query_maker *m)
{
    return m->at + 1 == m->count;
}

/* The last word, but for sides and numbers. */
static bool maker_is_head(const query_maker *m)
{
    for (uint32_t i = m->at + 1; i < m->count; i++) {
        if (!match_word_side(m->words[i]) && !word_is_number(m->words[i]))
            return false;
    }
    return true;
}

/* "The blue thing". */
static bool maker_takes_generic(query_maker *m)
{
    if (!maker_is_last(m) || !match_word_is_generic(m->words[m->at]))
        return false;
    /* "table one" */
    bool label = m->q.has_noun && strcmp(m->words[m->at], "one") == 0;
    if (label)
        return false;
    m->q.generic = true;
    return true;
}

/* "Farthest left" is far to the left, not at the back. */
static bool maker_takes_far(query_maker *m)
{
    const char *word = m->words[m->at];
    if (maker_is_last(m) || word[0] != 'f' ||
        match_word_side(word) != LEXICON_BACK)
        return false;
    return (match_word_side(m->words[m->at + 1]) &
            (LEXICON_LEFT | LEXICON_RIGHT)) != 0;
}

static bool maker_takes_degree(query_maker *m)
{
    return lexicon_lists("match: degree", m->words[m->at]);
}

/* "The third cup", "beside the third". */
static bool maker_takes_ordinal(query_maker *m)
{
    uint32_t ordinal = lexicon_ordinal(m->words[m->at]);
    if (!ordinal || (maker_is_last(m) && m->count > 1))
        return false;
    m->q.ordinal = ordinal;
    return true;
}

static void maker_add_noun(query_maker *m, const char *word)
{
    size_t room = sizeof m->phrase - m->used;
    int size =
        snprintf(m->phrase + m->used, room, "%s%s", m->used ? " " : "", word);
    m->q.has_noun = true;
    if (size > 0 && (size_t)size < room)
        m->used += (size_t)size;
}

/* "The front door" is a kind of door, and not the one that is foremost; "the
 * bass drum" is a kind of drum. A high chair may be a chair that is high. */
static bool maker_is_compound(const query_maker *m)
{
    char phrase[KINDS_PHRASE_SIZE];
    kinds_id kind;
    const char *const word = m->at + 2 == m->count ? m->words[m->at] : "";
    const bool describes = lexicon_is_mere_adjective(word) &&
                           !match_word_ranks(word) && !lexicon_material(word);
    if (!match_word_side(word) && !describes)
        return false;
    /* "The right-hand wheel" is no hand wheel. */
    if (strchr(m->words[m->at], '-'))
        return false;
    int size = snprintf(phrase, sizeof phrase, "%s %s", m->words[m->at],
                        m->words[m->at + 1]);
    if (size < 0 || (size_t)size >= sizeof phrase)
        return false;
    return kinds_find(phrase, &kind) && kind.head_words == 2;
}

/* What a word says of size, colour and side. */
static void query_add_looks(match_query *q, const char *word)
{
    bool superlative = false;
    int size = lexicon_size(word, &superlative);
    if (size)
        q->size = size;
    if (size && superlative)
        q->superlative = true;
    if (lexicon_lists("size: middle", word))
        q->mid_size = true;
    if (lexicon_colour(word))
        q->colour = lexicon_colour(word);
    q->sides |= match_word_side(word);
}

/* "The left hand counter", which is no hand. */
static bool maker_takes_hand(query_maker *m)
{
    return m->at > 0 && m->at + 1 < m->count &&
           strcmp(m->words[m->at], "hand") == 0 &&
           match_word_side(m->words[m->at - 1]) != 0;
}

/* One word of the query as size, colour, side, property or noun; a word may be
 * several of these. */
static void maker_add(query_maker *m)
{
    match_query *q = &m->q;
    const char *word = m->words[m->at];
    if (lexicon_lists("size: middle", word))
        word = "medium"; /* "the middle-sized box" is called so, too */
    if (maker_is_compound(m)) {
        q->is_property[q->count] = false;
        q->words[q->count++] = word;
        maker_add_noun(m, word);
        return;
    }
    query_add_looks(q, word);
    bool property = match_word_is_property(word) &&
                    !(match_word_is_room(word) && maker_is_head(m));
    bool stuff = lexicon_material(word) || lexicon_colour(word);
    /* "the glass", "the orange", "glass left" */
    bool stuff_head = maker_is_head(m) && stuff && kinds_known(word);
    q->is_property[q->count] = property;
    q->words[q->count++] = word;
    if (stuff_head || (!property && !word_is_number(word)))
        maker_add_noun(m, word);
}

etna_code match_query_make(const char *const *words,
                           uint32_t count,
                           etna_arena *arena,
                           match_query *ret,
                           etna_error *err)
{
    static bool (*const takes[])(query_maker * m) = {
        maker_takes_generic, maker_takes_far, maker_takes_degree,
        maker_takes_ordinal, maker_takes_hand};
    query_maker m = {.words = words, .count = count};
    m.q.whole = "";
    for (; m.at < count && m.q.count < REFER_WORDS_MAX; m.at++) {
        m.q.whole = etna_arena_printf(arena, "%s%s%s", m.q.whole,
                                      m.q.whole[0] ? " " : "", words[m.at]);
        if (!m.q.whole)
            return etna_fail(err, ETNA_E_NOMEM,
                             "out of memory while reading a name");
        bool taken = false;
        for (size_t i = 0; i < COUNT_OF(takes) && !taken; i++)
            taken = takes[i](&m);
        if (!taken)
            maker_add(&m);
    }
    kinds_find(m.phrase, &m.q.said);
    *ret = m.q;
    return ETNA_OK;
}
