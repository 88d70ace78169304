/* See mend.h. Words of the scene and of the lexicon are compared one by one;
 * the dictionary has too many for that: there every word that one slip could
 * have come from is looked up. */
#include "worker/builtin/language/mend.h"

#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/lexicon_internal.h"

#include <string.h>

enum {
    LONG_WORD = 8,
    SLIPS_OF_LONG = 2,
    SHORTEST = 3
};
/* Hundredths, by where the word stands and how it was misspelt. */
enum {
    COST_SCENE = 4,
    COST_LEXICON = 6,
    COST_KIND = 16,
    COST_PLURAL = 6,
    COST_OF_WORD = 30,
    COST_OF_THING = 300
};
enum {
    COST_MISSING = 1,
    COST_MORE = 2,
    COST_NEAR_KEY = 6,
    COST_FAR_KEY = 10,
    COST_SECOND_SLIP = 14
};

typedef struct mending {
    const char *word;
    size_t size;
    uint32_t count;
    char texts[MEND_CHOICES_MAX][MEND_WORD_MAX + 2];
    uint32_t costs[MEND_CHOICES_MAX];
} mending;

/* ---- what is known ---- */

/* "Gave", "stood": a form that no ending makes of its verb, and no slip of a
 * noun's. */
static bool word_is_irregular(const char *word)
{
    char lemma[KINDS_WORD_SIZE];
    const size_t size = strlen(word);
    if (kinds_verb_lemma(word, lemma, sizeof lemma) == 0 ||
        strcmp(lemma, word) == 0)
        return false;
    const bool ends =
        word[size - 1] == 's' || word[size - 1] == 'd' || word[size - 1] == 'g';
    return !ends && strncmp(word, lemma, strlen(lemma)) != 0;
}

/* Whether the word is one that sentences are read by; only such words are known
 * for the purpose of mending. */
bool mend_lexicon_has(const char *word)
{
    const size_t size = strlen(word);
    size_t at = 0;
    const lexicon_entry *e;
    lexicon_walk walk = lexicon_walk_from(word);
    while ((e = lexicon_walk_next(&walk, &at))) {
        if (e->category[0] != '$')
            /* what no sentence is read by is no word that one is meant to
             * have */
            continue;
        const bool begins = strncmp(e->words + at, word, size) == 0;
        if (begins && strchr(" '", e->words[at + size]))
            return true; /* or its end */
    }
    bool superlative;
    if (lexicon_colour(word) || lexicon_material(word) ||
        lexicon_size(word, &superlative))
        return true;
    if (lexicon_ordinal(word) || lexicon_number(word))
        return true;
    if (lexicon_is_person(word) || word_is_irregular(word))
        return true; /* "my mother gave it" is not the other game */
    if (lexicon_lists("told: elsewhere", word))
        return true; /* "photos at noon" are in no nook */
    return lexicon_is_mere_adjective(word) || lexicon_is_function_word(word);
}

bool mend_vocabulary_has(const sentence_vocabulary *v, const char *word)
{
    for (uint32_t i = 0; v && i < v->count; i++) {
        if (strcmp(v->words[i], word) == 0)
            return true;
    }
    return false;
}

bool mend_vocabulary_pairs(const sentence_vocabulary *v,
                           const char *first,
                           const char *second)
{
    for (uint32_t i = 0; v && i < v->pair_count; i++) {
        if (strcmp(v->pairs[i][0], first) == 0 &&
            strcmp(v->pairs[i][1], second) == 0)
            return true;
    }
    return false;
}

bool mend_vocabulary_follows(const sentence_vocabulary *v, const char *word)
{
    for (uint32_t i = 0; v && i < v->pair_count; i++) {
        if (strcmp(v->pairs[i][1], word) == 0)
            return true;
    }
    return false;
}

static bool vocabulary_has_form(const sentence_vocabulary *v, const char *word)
{
    kinds_noun forms[KINDS_READINGS_MAX];
    size_t count = kinds_noun_readings(word, forms);
    for (size_t i = 0; i < count; i++) {
        if (mend_vocabulary_has(v, forms[i].lemma))
            return true;
    }
    return false;
}

mend_known mend_judge(const char *word, const sentence_vocabulary *v)
{
    if (mend_vocabulary_has(v, word) || mend_lexicon_has(word) ||
        vocabulary_has_form(v, word))
        return MEND_KNOWN;
    if (kinds_known(word))
        return MEND_THING;
    return kinds_word(word) ? MEND_ELSEWHERE : MEND_UNKNOWN;
}

/* ---- how far ---- */

/* On a QWERTY keyboard, of the same row or the next. */
static bool keys_are_neighbours(char a, char b)
{
    static const char *const rows[] = {"qwertyuiop", "asdfghjkl", "zxcvbnm"};
    for (size_t row = 0; row < 3; row++) {
        const char *at = strchr(rows[row], a);
        if (!at || !a)
            continue;
        for (size_t other = row ? row - 1 : 0; other < 3 && other <= row + 1;
             other++) {
            const char *near = b ? strchr(rows[other], b) : NULL;
            if (!near)
                continue;
            ptrdiff_t apart = (near - rows[other]) - (at - rows[row]);
            return apart >= -1 && apart <= 1;
        }
    }
    return false;
}

/* Whether one slip turns `meant` into `typed`, and what that costs. */
static bool slip_cost(const char *typed,
                      size_t typed_size,
                      const char *meant,
                      size_t meant_size,
                      uint32_t *ret)
{
    size_t head = 0;
    size_t least = typed_size < meant_size ? typed_size : meant_size;
    while (head < least && typed[head] == meant[head])
        head++;
    size_t tail = 0;
    while (tail < least - head &&
           typed[typed_size - 1 - tail] == meant[meant_size - 1 - tail])
        tail++;
    /* bytes of the middle, where they differ */
    size_t more = typed_size - head - tail;
    size_t missing = meant_size - head - tail;
    const char *a = typed + head;
    const char *b = meant + head;
    bool is_double = more == 1 && head > 0 && *a == a[-1];
    if (more + missing == 1) {
        *ret = more ? COST_MORE : COST_MISSING;
        if (is_double)
            *ret = 0;
        return true;
    }
    if (more == 1 && missing == 1) {
        *ret = keys_are_neighbours(*a, *b) ? COST_NEAR_KEY : COST_FAR_KEY;
        return true;
    }
    *ret = 0;
    bool two = more == 2 && missing == 2;
    return two && a[0] == b[1] && a[1] == b[0];
}

/* Keeps the cheapest choices, each text once, in order of cost; of equal costs
 * the first offered stays first. */
static void mending_offer(mending *m,
                          const char *text,
                          size_t size,
                          uint32_t cost)
{
    for (uint32_t i = 0; i < m->count; i++) {
        bool same =
            strncmp(m->texts[i], text, size) == 0 && m->texts[i][size] == 0;
        if (!same)
            continue;
        if (m->costs[i] <= cost)
            return;
        memmove(m->texts + i, m->texts + i + 1,
                (m->count - i - 1) * sizeof m->texts[0]);
        memmove(m->costs + i, m->costs + i + 1,
                (m->count - i - 1) * sizeof m->costs[0]);
        m->count--;
        break;
    }
    uint32_t at = m->count;
    while (at > 0 && m->costs[at - 1] > cost)
        at--;
    if (at == MEND_CHOICES_MAX)
        return;
    uint32_t kept =
        m->count < MEND_CHOICES_MAX ? m->count : MEND_CHOICES_MAX - 1;
    memmove(m->texts + at + 1, m->texts + at, (kept - at) * sizeof m->texts[0]);
    memmove(m->costs + at + 1, m->costs + at, (kept - at) * sizeof m->costs[0]);
    memcpy(m->texts[at], text, size);
    m->texts[at][size] = 0;
    m->costs[at] = cost;
    m->count = kept + 1;
}

/* Whether the word may be a slip for the text, and what the slip costs. */
static bool mending_reaches(const mending *m,
                            const char *text,
                            size_t size,
                            uint32_t *ret_slip)
{
    size_t apart = size > m->size ? size - m->size : m->size - size;
    if (apart > 1 || size < SHORTEST || size > MEND_WORD_MAX)
        return false;
    return slip_cost(m->word, m->size, text, size, ret_slip);
}

static void mending_try(mending *m,
                        const char *text,
                        size_t size,
                        uint32_t cost)
{
    uint32_t slip;
    if (mending_reaches(m, text, size, &slip))
        mending_offer(m, text, size, cost + slip);
}

/* ---- where from ---- */

/* Plurals as they are spelt by rule: "boxes", "berries", "cups". */
static void mending_try_noun(mending *m, const char *word)
{
    char plural[MEND_WORD_MAX + 4];
    size_t size = strlen(word);
    if (size < SHORTEST || size > MEND_WORD_MAX)
        return;
    mending_try(m, word, size, COST_SCENE);
    memcpy(plural, word, size + 1);
    bool hisses = strchr("sxzh", word[size - 1]) != NULL;
    bool turns = word[size - 1] == 'y' && !strchr("aeiou", word[size - 2]);
    const char *ending = hisses ? "es" : "s";
    if (turns) {
        size--;
        ending = "ies";
    }
    memcpy(plural + size, ending, strlen(ending) + 1);
    mending_try(m, plural, strlen(plural), COST_SCENE + COST_PLURAL);
}

static void mending_from_scene(mending *m, const sentence_vocabulary *v)
{
    for (uint32_t i = 0; v && i < v->count; i++)
        mending_try_noun(m, v->words[i]);
}

typedef void mending_function(mending *m,
                              const char *word,
                              size_t size,
                              uint32_t cost);

/* What a thing's name may be a slip for: "pot" for "put". States make sense
 * behind any thing, "the green look" for "the green book", so that nothing
 * would show the mistake. The lexicon is asked last, since hardly any of its
 * words is one slip away. */
static void mending_try_order(mending *m,
                              const char *word,
                              size_t size,
                              uint32_t cost)
{
    char text[MEND_WORD_MAX + 2];
    uint32_t slip;
    if (!mending_reaches(m, word, size, &slip))
        return;
    memcpy(text, word, size);
    text[size] = 0;
    if (!lexicon_lists("$be", text))
        mending_offer(m, word, size, cost + slip);
}

/* Every word of every entry; the entries are few. */
static void mending_from_lexicon(mending *m, mending_function *offer)
{
    size_t count;
    const lexicon_entry *entries = lexicon_entries(&count);
    for (size_t i = 0; i < count; i++) {
        if (entries[i].category[0] != '$')
            continue;
        for (const char *at = entries[i].words; *at;) {
            size_t size = strcspn(at, " ");
            offer(m, at, size, COST_LEXICON);
            at += size + (at[size] == ' ');
        }
    }
}

/* A word of the dictionary, if sentences about rooms are made of such. */
static void mending_look_up(mending *m, const char *text)
{
    size_t size = strlen(text);
    if (size < SHORTEST || !kinds_word(text))
        return;
    if (mend_lexicon_has(text))
        mending_try(m, text, size, COST_LEXICON);
    else if (kinds_known(text))
        mending_try(m, text, size, COST_KIND);
    else if (kinds_verb_class(text) != KINDS_VERB_NONE)
        mending_try(m, text, size, COST_KIND);
}

/* The other way round: all texts one slip away from the word are looked up,
 * since the dictionary is large. */
static void mending_from_dictionary(mending *m)
{
    char text[MEND_WORD_MAX + 2];
    for (size_t at = 0; at <= m->size; at++) {
        const char *rest = m->word + at;
        memcpy(text, m->word, at);
        /* a letter is missing, a letter is another */
        for (char c = 'a'; c <= 'z'; c++) {
            text[at] = c;
            memcpy(text + at + 1, rest, m->size - at + 1);
            mending_look_up(m, text);
            if (!*rest)
                continue;
            memcpy(text + at + 1, rest + 1, m->size - at);
            mending_look_up(m, text);
        }
        if (!*rest)
            break;
        memcpy(text + at, rest + 1, m->size - at); /* a letter too many */
        mending_look_up(m, text);
        if (!rest[1])
            continue;
        text[at] = rest[1];
        text[at + 1] = rest[0];
        memcpy(text + at + 2, rest + 2, m->size - at - 1);
        mending_look_up(m, text);
    }
}

/* A long word of the scene or the lexicon that two slips may have made this
 * of. */
static void mending_try_far(mending *m,
                            const char *word,
                            size_t size,
                            uint32_t cost)
{
    char text[MEND_WORD_MAX + 2];
    size_t apart = size > m->size ? size - m->size : m->size - size;
    if (size < LONG_WORD - 1 || size > MEND_WORD_MAX || apart > SLIPS_OF_LONG)
        return;
    memcpy(text, word, size);
    text[size] = 0;
    if (kinds_spelling_distance(m->word, text) > SLIPS_OF_LONG)
        return;
    mending_offer(m, text, size, cost + COST_SECOND_SLIP);
}

static void mending_from_afar(mending *m, const sentence_vocabulary *v)
{
    for (uint32_t i = 0; v && i < v->count; i++)
        mending_try_far(m, v->words[i], strlen(v->words[i]), COST_SCENE);
    mending_from_lexicon(m, mending_try_far);
}

/* What is added to the cost of a choice, for the word may have been meant as it
 * stands. */
static uint32_t known_cost(mend_known known)
{
    if (known == MEND_THING)
        return COST_OF_THING;
    return known == MEND_ELSEWHERE ? COST_OF_WORD : 0;
}

/* What the word may have been meant to be, at most MEND_CHOICES_MAX.
 * *ret_failed: out of memory. */
uint32_t mend_choices(const char *word,
                      mend_known known,
                      const sentence_vocabulary *vocabulary,
                      etna_arena *arena,
                      mend_choice ret[MEND_CHOICES_MAX],
                      bool *ret_failed)
{
    mending m = {.word = word, .size = strlen(word)};
    bool is_thing = known == MEND_THING;
    if (m.size < SHORTEST || m.size >= MEND_WORD_MAX || known == MEND_KNOWN)
        return 0;
    if (lexicon_lists("$meant", word))
        return 0; /* "none of the cones" is no slip for "one of the cones" */
    if (!is_thing)
        mending_from_scene(&m, vocabulary);
    mending_from_lexicon(&m, is_thing ? mending_try_order : mending_try);
    if (!is_thing)
        mending_from_dictionary(&m);
    if (m.count == 0 && m.size >= LONG_WORD && !is_thing)
        mending_from_afar(&m, vocabulary);
    for (uint32_t i = 0; i < m.count; i++) {
        const char *text = etna_arena_strdup(arena, m.texts[i]);
        ret[i] = (mend_choice){.text = text,
                               .cost = m.costs[i] + known_cost(known),
                               .is_name = !is_thing};
        if (text)
            continue;
        *ret_failed = true;
        return 0;
    }
    return m.count;
}
