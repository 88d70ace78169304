/* See name_mend.h. */
#include "worker/builtin/place/name_mend.h"
#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/mend.h"
#include "worker/builtin/words.h"

#include <string.h>

enum {
    NAME_MEND_LEAST = 6,    /* letters, also of what it becomes */
    NAME_MEND_NAMES_MAX = 8 /* of one file that are unknown */
};

/* The word of a name that has one; NULL: it has none, or several. */
static const char *name_only_word(const builtin_object *o, uint32_t *ret_index)
{
    const char *only = NULL;
    for (uint32_t i = o->shared_words; i < o->word_count; i++) {
        const char *word = o->words[i];
        if (!word[strspn(word, "0123456789")] || !word[1])
            continue;
        if (only)
            return NULL;
        only = word;
        *ret_index = i;
    }
    return only;
}

static bool word_is_unknown(const char *word)
{
    const size_t size = strlen(word);
    return size >= NAME_MEND_LEAST && size + 2 < KINDS_WORD_SIZE &&
           !word[strspn(word, "abcdefghijklmnopqrstuvwxyz")] &&
           mend_judge(word, NULL) == MEND_UNKNOWN;
}

/* What one word may have been; `many`: more than one. */
typedef struct name_guess {
    char word[KINDS_WORD_SIZE];
    bool many;
} name_guess;

static void guess_try(name_guess *g, const char *word)
{
    if (strlen(word) < NAME_MEND_LEAST || !kinds_known(word) ||
        strcmp(g->word, word) == 0)
        return;
    g->many = g->many || g->word[0];
    memcpy(g->word, word, strlen(word) + 1);
}

/* Of a word that word_is_unknown has seen. */
static void guess_find(const char *word, name_guess *ret)
{
    char tried[KINDS_WORD_SIZE];
    const size_t size = strlen(word);
    *ret = (name_guess){{0}, false};
    for (size_t at = 0; at < size; at++) { /* a letter less */
        memcpy(tried, word, at);
        memcpy(tried + at, word + at + 1, size - at);
        guess_try(ret, tried);
    }
    for (size_t at = 0; at + 1 < size; at++) { /* two swapped */
        memcpy(tried, word, size + 1);
        tried[at] = word[at + 1];
        tried[at + 1] = word[at];
        guess_try(ret, tried);
    }
    for (size_t at = 0; at <= size; at++) { /* a letter more */
        memcpy(tried, word, at);
        memcpy(tried + at + 1, word + at, size - at + 1);
        for (char letter = 'a'; letter <= 'z'; letter++) {
            tried[at] = letter;
            guess_try(ret, tried);
        }
    }
}

/* ETNA_E_NOMEM: the object is as before. */
static etna_code name_put_word(builtin_object *o,
                               uint32_t index,
                               const char *word,
                               etna_arena *arena,
                               etna_error *err)
{
    const char **words =
        etna_arena_alloc(arena, o->word_count + 1u, sizeof *words);
    const char *own = etna_arena_strdup(arena, word);
    if (!words || !own)
        return etna_fail(err, ETNA_E_NOMEM,
                         "builtin: no memory for a name's words");
    memcpy(words, o->words, o->word_count * sizeof *words);
    words[index] = own;
    builtin_object_call(o, words, o->word_count);
    return ETNA_OK;
}

etna_code builtin_names_mend(builtin_object *objects,
                             uint32_t count,
                             etna_arena *arena,
                             etna_error *err)
{
    uint32_t unknown[NAME_MEND_NAMES_MAX], index[NAME_MEND_NAMES_MAX];
    uint32_t unknown_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = 0;
        const char *word = name_only_word(&objects[i], &at);
        if (!word || !word_is_unknown(word))
            continue;
        if (unknown_count == NAME_MEND_NAMES_MAX)
            return ETNA_OK;
        unknown[unknown_count] = i;
        index[unknown_count++] = at;
    }
    for (uint32_t i = 0; i < unknown_count; i++) {
        builtin_object *o = &objects[unknown[i]];
        name_guess guess;
        guess_find(o->words[index[i]], &guess);
        if (!guess.word[0] || guess.many)
            continue;
        etna_code code = name_put_word(o, index[i], guess.word, arena, err);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}
