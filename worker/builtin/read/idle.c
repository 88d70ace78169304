/* What asks for nothing, whatever its words: "the doctor is waiting", "so the barkeeper can reach
 * it", "Safety first". It names no thing of the scene, it wishes nothing, and none of its words
 * could bound a move. What it tells of must not be a part of a thing either, as "the label shows"
 * does: its subject is nothing that could stand in a scene. */
#include "worker/builtin/read/idle.h"

#include "worker/builtin/read/details.h"

etna_code word_names_thing(reader *r, const char *word, bool *ret)
{
    match_query q;
    *ret = false;
    if (lexicon_is_function_word(word))
        return ETNA_OK;
    etna_code code = reader_query(r, &word, 1, &q);
    if (code != ETNA_OK || !q.has_noun)
        return code;
    *ret = reader_match_next(r, 0, &q) < r->facts->object_count;
    return ETNA_OK;
}

bool word_bears(const char *word)
{
    bool superlative = false;
    if (lexicon_lists("told: bears not", word))
        return false;
    return lexicon_lists("told: bears", word) || lexicon_colour(word) ||
           lexicon_size(word, &superlative) || lexicon_asks_how(word);
}

typedef struct idle { /* tokens of the text */
    const sentence *s;
    uint32_t first, end;
} idle;

static const char *idle_word(const idle *w, uint32_t at)
{
    return at < w->end ? w->s->tokens[at].text : "";
}

static bool told(const idle *w, uint32_t at, const char *what)
{
    return lexicon_lists(what, idle_word(w, at));
}

/* ---- who or what it tells of ---- */

static bool word_is_alive(const char *word)
{
    if (lexicon_is_person(word) || lexicon_lists("told: people", word))
        return true;
    return kinds_distance(word, "animal") < KINDS_NEAR ||
           kinds_distance(word, "person") < KINDS_NEAR;
}

/* "The dog", "the barkeeper", "deadline": nothing that could be here, or a part of what is. */
static bool word_is_elsewhere(const char *word)
{
    if (lexicon_lists("told: elsewhere", word))
        return true;
    if (kinds_known(word))
        return word_is_alive(word);
    const bool unnamed = strcmp(word, "else") == 0;
    const bool counts = lexicon_number(word) || lexicon_ordinal(word);
    return !counts && !unnamed && !lexicon_is_function_word(word) && !word_bears(word);
}

/* "My feet", "our neighbour": the speaker's, where the scene has no such thing. */
static bool subject_is_possessed(const idle *w, uint32_t end)
{
    static const char *const whose[] = {"my", "our", "your", "his", "her"};
    return end > w->first + 1 && WORD_IS_OF(idle_word(w, w->first), whose);
}

/* `any`: whatever its noun may be. */
static bool subject_is_elsewhere(const idle *w, uint32_t end, bool any)
{
    uint32_t head = end;
    while (head > w->first && told(w, head - 1, "told: merely"))
        head--;
    for (uint32_t at = w->first; at < head; at++) {
        if (word_bears(idle_word(w, at)))
            return false;
    }
    if (head == w->first)
        return false;
    if (any && kinds_known(idle_word(w, head - 1)))
        return true;
    return told(w, head - 1, "told: who") || subject_is_possessed(w, head) ||
           word_is_elsewhere(idle_word(w, head - 1));
}

/* ---- what it tells of that ---- */

/* "Is", "can", "went", "hurts", and "matter" of "vitamins matter". */
static bool verb_is_finite(const idle *w, uint32_t at)
{
    static const char *const listed[] = {"told: be", "told: have", "told: denies", "told: modal"};
    static const char *const objects[] = {"me", "us", "you", "him", "my", "our", "it", "a", "the"};
    const char *const word = idle_word(w, at), *const before = idle_word(w, at - 1);
    const size_t size = strlen(word);
    char lemma[64];
    for (size_t i = 0; i < sizeof listed / sizeof listed[0]; i++) {
        if (lexicon_lists(listed[i], word))
            return true;
    }
    if (kinds_verb_lemma(word, lemma, sizeof lemma) == 0)
        return false;
    if (kinds_known(word) && !WORD_IS_OF(idle_word(w, at + 1), objects))
        return false; /* "keys", and no "wakes me" */
    const bool doing = size > 4 && strcmp(word + size - 3, "ing") == 0;
    const bool many = match_is_plural_word(before) || lexicon_lists("told: who", before);
    return strcmp(lemma, word) != 0 ? !doing : many;
}

/* "Behind it": a place by what is moved. */
static bool predicate_says_place(const idle *w, uint32_t at)
{
    static const char *const things[] = {"it", "them", "this", "these", "those", "each"};
    return lexicon_lists("$rel", idle_word(w, at)) && strcmp(idle_word(w, at), "for") != 0 &&
           WORD_IS_OF(idle_word(w, at + 1), things);
}

static bool predicate_bounds(const idle *w, uint32_t first)
{
    static const char *const bounds[] = {"only", "but", "then"};
    for (uint32_t at = first; at < w->end; at++) {
        const char *const word = idle_word(w, at);
        if (word_bears(word) || WORD_IS_OF(word, bounds) || predicate_says_place(w, at))
            return true;
    }
    return false;
}

/* "The alarm wakes me": it is about who speaks. */
static bool predicate_is_of_people(const idle *w, uint32_t first)
{
    static const char *const people[] = {"me", "us", "you", "him", "somebody", "everybody"};
    for (uint32_t at = first + 1; at < w->end; at++) {
        if (WORD_IS_OF(idle_word(w, at), people))
            return true;
    }
    return false;
}

static bool idle_tells(const idle *w)
{
    for (uint32_t at = w->first + 1; at < w->end; at++) {
        if (!verb_is_finite(w, at) || predicate_bounds(w, at))
            continue;
        if (subject_is_elsewhere(w, at, predicate_is_of_people(w, at)))
            return true;
    }
    return false;
}

/* ---- headings ---- */

static bool word_may_head(const char *word, bool last)
{
    lexicon_verb verb;
    const size_t size = strlen(word);
    const bool manner = size > 4 && strcmp(word + size - 2, "ly") == 0;
    const bool way = last && (lexicon_lists("$dir", word) || lexicon_lists("$part", word));
    if (manner || way || word_bears(word) || lexicon_find_verb(word, &verb))
        return false;
    return !lexicon_lists("told: may ask", word) && !lexicon_lists("$pron", word);
}

/* "Good evening", "Safety first", "Video call in five minutes". */
static bool idle_heads(const idle *w)
{
    enum { LONGEST = 6 };
    uint32_t last = w->end;
    if (last > w->first + 1 && strcmp(idle_word(w, last - 1), "first") == 0)
        last--;
    if (last == w->first || last - w->first > LONGEST)
        return false;
    for (uint32_t at = w->first; at < last; at++) {
        if (!word_may_head(idle_word(w, at), at + 1 == last))
            return false;
    }
    const char *const head = idle_word(w, last - 1);
    return kinds_word(head) && word_is_elsewhere(head);
}

/* ---- all ---- */

/* Has it a word of wishes, a name in quotes or a mark? */
static bool idle_may_ask(const idle *w)
{
    for (uint32_t at = w->first; at < w->end; at++) {
        const sentence_token *t = &w->s->tokens[at];
        if (t->quoted || t->is_mark || lexicon_lists("told: asks", t->text))
            return true;
    }
    return false;
}

/* A thing of the scene; "camp fire time" is none, whatever burns here. */
static etna_code idle_names(reader *r, const idle *w, bool *ret)
{
    *ret = false;
    if (told(w, w->end - 1, "told: occasion"))
        return ETNA_OK;
    for (uint32_t at = w->first; at < w->end && !*ret; at++) {
        etna_code code = word_names_thing(r, idle_word(w, at), ret);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

etna_code stretch_is_idle(reader *r, uint32_t first, uint32_t end, bool heads, bool *ret)
{
    idle w = {.s = r->s, .first = first, .end = end};
    bool names = false;
    while (w.first < w.end && told(&w, w.first, "told: joint"))
        w.first++;
    if (w.first > first && strcmp(idle_word(&w, w.first), "that") == 0)
        w.first++;
    *ret = false;
    if (w.first >= w.end || idle_may_ask(&w))
        return ETNA_OK;
    if (!idle_tells(&w) && !(heads && idle_heads(&w)))
        return ETNA_OK;
    etna_code code = idle_names(r, &w, &names);
    *ret = code == ETNA_OK && !names;
    return code;
}

/* ---- frames ---- */

/* A word that says what is wanted, or that it is not. */
static bool frame_is_broken(const idle *w, uint32_t at)
{
    static const char *const unsure[] = {"know",   "check", "hear",    "never", "without", "unless",
                                         "nobody", "none",  "nothing", "stop",  "hate",    "no"};
    const char *const word = idle_word(w, at);
    const sentence_token *t = &w->s->tokens[at];
    lexicon_verb verb;
    static const char *const past[] = {"was", "were"};
    const char *const next = idle_word(w, at + 1);
    const size_t size = strlen(next);
    const bool doing = size > 4 && strcmp(next + size - 3, "ing") == 0;
    if (WORD_IS_OF(word, past) && !doing)
        return true; /* "it was nice to see" */
    const bool links = told(w, at, "told: pleads") || told(w, at, "told: links");
    if (t->quoted || t->is_mark || lexicon_lists("$not", word) || WORD_IS_OF(word, unsure))
        return true;
    return !links && (word_bears(word) || lexicon_find_verb(word, &verb));
}

/* "I would suggest that", and no "I am glad that". */
static bool frame_is_open(const idle *w)
{
    static const char *const open[] = {"would",   "should", "suggest", "propose",
                                       "request", "ask",    "wish",    "i'd"};
    for (uint32_t at = w->first; at < w->end; at++) {
        if (WORD_IS_OF(idle_word(w, at), open))
            return true;
    }
    return false;
}

etna_code stretch_is_frame(reader *r, uint32_t first, uint32_t end, bool *ret)
{
    enum { LONGEST = 12 };
    const idle w = {.s = r->s, .first = first, .end = end};
    bool pleads = false, names = false;
    *ret = false;
    if (end - first > LONGEST || end < first + 2 || !told(&w, end - 1, "told: links"))
        return ETNA_OK;
    for (uint32_t at = first; at < end; at++) {
        if (frame_is_broken(&w, at))
            return ETNA_OK;
        pleads = pleads || told(&w, at, "told: pleads");
    }
    pleads = pleads && (strcmp(idle_word(&w, end - 1), "that") != 0 || frame_is_open(&w));
    etna_code code = pleads ? idle_names(r, &w, &names) : ETNA_OK;
    *ret = code == ETNA_OK && pleads && !names;
    return code;
}
