/* Base forms of nouns and verbs: WordNet's exceptions, then the suffix rules of
 * English, checked against the table. */
#include "proto/array.h"
#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/kinds_table_read.h"

#include <string.h>

typedef struct suffix_rule {
    const char *suffix, *instead;
} suffix_rule;

/* The last one is what an unknown word is read by when it fits. */
static const suffix_rule noun_rules[] = {
    {"men", "man"}, {"ves", "f"}, {"ves", "fe"}, {"ies", "y"}, {"sses", "ss"},
    {"zzes", "z"},  {"ses", "s"}, {"xes", "x"},  {"zes", "z"}, {"ches", "ch"},
    {"shes", "sh"}, {"oes", "o"}, {"s", ""},
};
static const suffix_rule verb_rules[] = {
    {"ies", "y"}, {"es", "e"}, {"es", ""},   {"s", ""},   {"ied", "y"},
    {"ed", "e"},  {"ed", ""},  {"ing", "e"}, {"ing", ""},
};
static const suffix_rule adjective_rules[] = {
    {"ier", "y"}, {"iest", "y"}, {"er", "e"}, {"est", "e"},
    {"er", ""},   {"est", ""},   {"ly", ""},
};
/* a base form by rule is no shorter, but for things: "tvs" */
enum {
    WORD_MIN = 3
};

static bool word_has(const char *text, uint8_t flags)
{
    kinds_entry entry;
    return kinds_entry_find(text, &entry) && (entry.flags & flags);
}

static bool text_copy(char *ret, size_t size, const char *text)
{
    size_t length = strlen(text);
    if (length >= size)
        return false;
    memcpy(ret, text, length + 1);
    return true;
}

static bool word_is_base(const char *text, uint8_t flags)
{
    kinds_entry entry;
    if (!kinds_entry_find(text, &entry) || !(entry.flags & flags))
        return false;
    return strlen(text) >= WORD_MIN || entry.sense_count;
}

/* False when the rule doesn't fit; ret has KINDS_WORD_SIZE bytes. */
static bool rule_apply(const suffix_rule *rule, const char *word, char *ret)
{
    size_t length = strlen(word);
    size_t suffix = strlen(rule->suffix);
    size_t instead = strlen(rule->instead);
    if (length <= suffix || strcmp(word + length - suffix, rule->suffix))
        return false;
    size_t kept = length - suffix;
    if (kept + instead >= KINDS_WORD_SIZE)
        return false;
    memcpy(ret, word, kept);
    memcpy(ret + kept, rule->instead, instead + 1);
    return kept + instead + 1 >= WORD_MIN;
}

static bool word_ends(const char *word, const char *end)
{
    size_t length = strlen(word);
    size_t needed = strlen(end);
    return length >= needed && !strcmp(word + length - needed, end);
}

/* "glass", "bus" and "basis" look like plurals and are none. */
static bool noun_may_be_plural(const char *word)
{
    if (word_ends(word, "ss") || word_ends(word, "us") || word_ends(word, "is"))
        return false;
    return word_ends(word, "s") || word_ends(word, "men");
}

static bool noun_singular_known(const char *word, char *ret)
{
    if (kinds_irregular_find(&kinds_irregular_nouns, word, ret,
                             KINDS_WORD_SIZE))
        return true;
    if (!noun_may_be_plural(word) && !word_ends(word, "us"))
        return false;
    for (size_t i = 0; i < COUNT_OF(noun_rules); i++) {
        if (rule_apply(&noun_rules[i], word, ret) &&
            word_is_base(ret, KINDS_NOUN))
            return true;
    }
    return false;
}

/* "gizmos" is "gizmo" and "doohickeys" is "doohickey", though no dictionary has
 * them. */
static bool noun_singular_guess(const char *word, char *ret)
{
    static const suffix_rule sure[] = {{"ies", "y"},   {"sses", "ss"},
                                       {"xes", "x"},   {"ches", "ch"},
                                       {"shes", "sh"}, {"s", ""}};
    if (!noun_may_be_plural(word) || word_ends(word, "men"))
        return false;
    for (size_t i = 0; i < COUNT_OF(sure); i++) {
        if (rule_apply(&sure[i], word, ret) && strlen(ret) >= WORD_MIN)
            return true;
    }
    return false;
}

/* How a word may be meant: as a plural with its singular, as a singular, or
 * both ("glasses"). A guess is made only where the dictionary has neither. */
size_t kinds_noun_readings(const char *word, kinds_noun ret[KINDS_READINGS_MAX])
{
    char text[KINDS_WORD_SIZE];
    if (!kinds_normalise(word, text, sizeof text) || strchr(text, ' '))
        return 0;
    size_t count = 0;
    if (noun_singular_known(text, ret[count].lemma)) {
        ret[count].is_plural = true;
        ret[count++].is_known = true;
    }
    bool is_itself = word_has(text, KINDS_NOUN);
    bool is_guess =
        !count && !is_itself && noun_singular_guess(text, ret[count].lemma);
    if (is_guess) {
        ret[count].is_plural = true;
        ret[count++].is_known = false;
    }
    if (is_itself || !count) {
        memcpy(ret[count].lemma, text, sizeof text);
        ret[count].is_plural = false;
        ret[count++].is_known = is_itself;
    }
    return count;
}

/* The first reading, cut to what fits. */
size_t kinds_lemma(const char *word, char *ret, size_t size, bool *ret_plural)
{
    kinds_noun readings[KINDS_READINGS_MAX];
    if (!size || !kinds_noun_readings(word, readings))
        return 0;
    if (ret_plural)
        *ret_plural = readings[0].is_plural;
    size_t length = strlen(readings[0].lemma);
    if (length >= size)
        length = size - 1;
    memcpy(ret, readings[0].lemma, length);
    ret[length] = 0;
    return length;
}

/* "putting" without "ing" is "putt" */
static bool consonant_undouble(char *text)
{
    size_t length = strlen(text);
    if (length < WORD_MIN + 1 || text[length - 1] != text[length - 2])
        return false;
    text[length - 1] = 0;
    return true;
}

/* The infinitive: itself, irregular, or by the rules with their doubled
 * consonants ("putting"). */
static bool verb_base(const char *word, char *ret)
{
    if (word_has(word, KINDS_VERB))
        return text_copy(ret, KINDS_WORD_SIZE, word);
    if (kinds_irregular_find(&kinds_irregular_verbs, word, ret,
                             KINDS_WORD_SIZE))
        return true;
    for (size_t i = 0; i < COUNT_OF(verb_rules); i++) {
        if (!rule_apply(&verb_rules[i], word, ret))
            continue;
        if (word_is_base(ret, KINDS_VERB))
            return true;
        bool may_be_doubled =
            !verb_rules[i].instead[0] && consonant_undouble(ret);
        if (may_be_doubled && word_has(ret, KINDS_VERB))
            return true;
    }
    return false;
}

/* 0: it is no verb's form. */
size_t kinds_verb_lemma(const char *word, char *ret, size_t size)
{
    char text[KINDS_WORD_SIZE], base[KINDS_WORD_SIZE];
    if (!size || !kinds_normalise(word, text, sizeof text) ||
        !verb_base(text, base))
        return 0;
    size_t length = strlen(base);
    if (length >= size)
        length = size - 1;
    memcpy(ret, base, length);
    ret[length] = 0;
    return length;
}

kinds_verb kinds_verb_class(const char *lemma)
{
    char text[KINDS_WORD_SIZE];
    kinds_entry entry;
    if (!kinds_normalise(lemma, text, sizeof text) ||
        !kinds_entry_find(text, &entry))
        return KINDS_VERB_NONE;
    return (kinds_verb)entry.verb_class;
}

static bool word_is_person(const char *word)
{
    kinds_entry entry;
    return kinds_entry_find(word, &entry) && entry.is_person;
}

static bool word_is_abstract(const char *word)
{
    kinds_entry entry;
    return kinds_entry_find(word, &entry) && entry.is_abstract;
}

/* Is it so of the word or of its singular? */
static bool noun_is(const char *word, bool (*is)(const char *word))
{
    char text[KINDS_WORD_SIZE], one[KINDS_WORD_SIZE];
    if (!kinds_normalise(word, text, sizeof text))
        return false;
    return is(text) || (noun_singular_known(text, one) && is(one));
}

bool kinds_person(const char *word)
{
    return noun_is(word, word_is_person);
}

bool kinds_abstract(const char *word)
{
    return noun_is(word, word_is_abstract);
}

bool kinds_tells(const char *lemma)
{
    char text[KINDS_WORD_SIZE];
    kinds_entry entry;
    return kinds_normalise(lemma, text, sizeof text) &&
           kinds_entry_find(text, &entry) && entry.tells;
}

/* "bigger", "nearest", "evenly" */
static bool adjective_is_known(const char *word)
{
    char base[KINDS_WORD_SIZE];
    for (size_t i = 0; i < COUNT_OF(adjective_rules); i++) {
        if (!rule_apply(&adjective_rules[i], word, base))
            continue;
        if (word_is_base(base, KINDS_OTHER))
            return true;
        bool may_be_doubled =
            !adjective_rules[i].instead[0] && consonant_undouble(base);
        if (may_be_doubled && word_is_base(base, KINDS_OTHER))
            return true;
    }
    return false;
}

/* Whether the dictionary has the word in any form; numbers count as known. */
static bool word_is_known(const char *word)
{
    char base[KINDS_WORD_SIZE];
    size_t length = strlen(word);
    if (strspn(word, "0123456789") == length)
        return true;
    if (word_has(word, KINDS_NOUN | KINDS_VERB | KINDS_OTHER))
        return true;
    if (length > 2 && length < sizeof base &&
        !strcmp(word + length - 2, "'s")) {
        memcpy(base, word, length - 2);
        base[length - 2] = 0;
        return word_has(base, KINDS_NOUN);
    }
    return noun_singular_known(word, base) || verb_base(word, base) ||
           adjective_is_known(word);
}

/* Every word of the text is known. */
bool kinds_word(const char *word)
{
    char text[KINDS_WORD_SIZE];
    if (!kinds_normalise(word, text, sizeof text))
        return false;
    for (char *part = text; part;) {
        char *space = strchr(part, ' ');
        if (space)
            *space++ = 0;
        if (!word_is_known(part))
            return false;
        part = space;
    }
    return true;
}
