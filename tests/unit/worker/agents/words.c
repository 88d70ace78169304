/* See words.h. Verbs are those of the lexicon that have one word and one
 * meaning there. */
#include "tests/unit/worker/agents/words.h"
#include "worker/builtin/language/lexicon.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum {
    VERBS_MAX = 300
};

/* They take what they are given, but people say them of other things, or with
 * other words behind. */
static const char *const odd[] = {
    "let",   "rest",    "tip",  "file", "juxtapose", "hide",  "conceal",
    "seat",  "sit",     "walk", "send", "draw",      "press", "get",
    "swing", "migrate", "lean", "prop", "pack",      "bring", "fetch"};

static bool is_odd(const char *word)
{
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        if (strcmp(odd[i], word) == 0)
            return true;
    }
    return false;
}

static bool has_one_meaning(const lexicon_entry *entries,
                            size_t count,
                            const char *word)
{
    unsigned found = 0;
    for (size_t i = 0; i < count; i++)
        found += strcmp(entries[i].words, word) == 0;
    return found == 1;
}

static const char *verb_of(etna_random *random, lexicon_verb meaning)
{
    const char *verbs[VERBS_MAX];
    size_t count = 0, all = 0;
    const lexicon_entry *entries = lexicon_entries(&all);
    for (size_t i = 0; i < all && count < VERBS_MAX; i++) {
        const lexicon_entry *e = &entries[i];
        bool verb = strcmp(e->category, "$verb") == 0 &&
                    e->value == (uint32_t)meaning && !e->cost;
        if (!verb || strchr(e->words, ' ') || is_odd(e->words))
            continue;
        if (has_one_meaning(entries, all, e->words))
            verbs[count++] = e->words;
    }
    assert_true(count > 0);
    return verbs[etna_random_below(random, count)];
}

const char *words_put(etna_random *random)
{
    return verb_of(random, VERB_PUT);
}

const char *words_move(etna_random *random)
{
    return verb_of(random, VERB_MOVE);
}

/* Is it one of the words of `list`, which single spaces part? */
static bool is_within(const char *list, const char *word)
{
    size_t size = strlen(word);
    while (*list) {
        size_t part = strcspn(list, " ");
        if (part == size && memcmp(list, word, size) == 0)
            return true;
        list += part + (list[part] == ' ');
    }
    return false;
}

bool words_known(const char *word)
{
    size_t count = 0;
    bool superlative = false;
    const lexicon_entry *entries = lexicon_entries(&count);
    for (size_t i = 0; i < count; i++) {
        if (is_within(entries[i].words, word))
            return true;
    }
    if (lexicon_colour(word) || lexicon_size(word, &superlative) ||
        lexicon_material(word))
        return true;
    if (lexicon_ordinal(word) || lexicon_number(word))
        return true;
    return lexicon_is_mere_adjective(word) || lexicon_is_function_word(word);
}
