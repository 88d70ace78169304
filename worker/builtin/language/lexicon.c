/* See lexicon.h. */
#include "proto/array.h"
#include "worker/builtin/language/lexicon_internal.h"

#include "proto/ascii.h"

static const lexicon_entry entries[] = {
#define L(words, category, value, cost) {words, category, value, cost},
#include "worker/builtin/language/lexicon.inc"
#undef L
};

const lexicon_entry *lexicon_entries(size_t *ret_count)
{
    *ret_count = COUNT_OF(entries);
    return entries;
}

/* ---- by a word ---- */

lexicon_walk lexicon_walk_from(const char *text)
{
    const size_t size = strcspn(text, " ");
    const uint32_t bucket = lexicon_hash(text, size);
    return (lexicon_walk){.next = lexicon_postings + lexicon_bucket_at[bucket],
                          .end =
                              lexicon_postings + lexicon_bucket_at[bucket + 1],
                          .word = text,
                          .size = size};
}

/* The postings are by hash of the word, so the word itself is compared too.
 * *ret_at: where in the entry's words it stands. */
const lexicon_entry *lexicon_walk_next(lexicon_walk *walk, size_t *ret_at)
{
    while (walk->next < walk->end) {
        const lexicon_posting *const p = walk->next++;
        const lexicon_entry *const e = &entries[p->entry];
        if (p->size != walk->size ||
            memcmp(e->words + p->at, walk->word, walk->size) != 0)
            continue;
        *ret_at = p->at;
        return e;
    }
    return NULL;
}

/* The next entry that is the whole text and in that category or, with a NULL,
 * in any. */
static const lexicon_entry *entry_next(lexicon_walk *walk, const char *category)
{
    size_t at = 0;
    const lexicon_entry *e;
    while ((e = lexicon_walk_next(walk, &at)) && at == 0) {
        if (category && strcmp(e->category, category) != 0)
            continue;
        if (strcmp(e->words, walk->word) == 0)
            return e;
    }
    return NULL;
}

/* A word's entry in a category; NULL: it is not in it. */
static const lexicon_entry *entry_find(const char *category, const char *word)
{
    lexicon_walk walk = lexicon_walk_from(word);
    return entry_next(&walk, category);
}

uint32_t lexicon_value(const char *category, const char *word)
{
    const lexicon_entry *const e = entry_find(category, word);
    return e ? e->value : 0;
}

/* False where two entries disagree: then only the sentence can tell. */
bool lexicon_find_verb(const char *phrase, lexicon_verb *ret)
{
    bool found = false;
    const lexicon_entry *e;
    lexicon_walk walk = lexicon_walk_from(phrase);
    while ((e = entry_next(&walk, "$verb"))) {
        if (found && *ret != (lexicon_verb)e->value)
            return false;
        *ret = (lexicon_verb)e->value;
        found = true;
    }
    return found;
}

bool lexicon_lists(const char *category, const char *word)
{
    return entry_find(category, word) != NULL;
}

/* Does the phrase have the text at that byte, and end or part there? */
static bool phrase_has_at(const char *phrase, size_t at, const char *text)
{
    const size_t size = strlen(text);
    const char *const end = phrase + at + size;
    return strncmp(phrase + at, text, size) == 0 && (*end == ' ' || !*end);
}

/* Words that a sentence may begin with to go on from the one before ("then",
 * "also"). */
bool lexicon_goes_on(const char *word)
{
    size_t at = 0;
    const lexicon_entry *e;
    lexicon_walk walk = lexicon_walk_from(word);
    while ((e = lexicon_walk_next(&walk, &at)) && at == 0) {
        if (phrase_has_at(e->words, 0, word) &&
            lexicon_lists("category: goes on", e->category))
            return true;
    }
    return false;
}

/* Words by which somebody asks for a manner. */
bool lexicon_asks_how(const char *word)
{
    size_t at = 0;
    const lexicon_entry *e;
    if (lexicon_is_function_word(word))
        return false;
    lexicon_walk walk = lexicon_walk_from(word);
    while ((e = lexicon_walk_next(&walk, &at))) {
        if (phrase_has_at(e->words, at, word) &&
            lexicon_lists("category: how", e->category))
            return true;
    }
    return false;
}

bool lexicon_arranges(const char *word)
{
    size_t at = 0;
    const lexicon_entry *e;
    lexicon_walk walk = lexicon_walk_from(word);
    while ((e = lexicon_walk_next(&walk, &at))) {
        if (strcmp(e->words, word) == 0 &&
            lexicon_lists("category: arranged", e->category))
            return true;
    }
    return false;
}

/* ---- classes ---- */

uint32_t lexicon_colour(const char *word)
{
    return lexicon_value("colour", word);
}

int lexicon_size(const char *word, bool *ret_superlative)
{
    const lexicon_entry *const most = entry_find("size: most", word);
    *ret_superlative = most != NULL;
    return (int)(most ? most->value : lexicon_value("size", word));
}

/* The class the material belongs to, NULL: it is none. */
const char *lexicon_material(const char *word)
{
    static const char class[] = "material: ";
    const lexicon_entry *e;
    lexicon_walk walk = lexicon_walk_from(word);
    while ((e = entry_next(&walk, NULL))) {
        if (strncmp(e->category, class, sizeof class - 1) == 0)
            return e->category + sizeof class - 1;
    }
    return NULL;
}

bool lexicon_is_mere_adjective(const char *word)
{
    return lexicon_lists("mere", word);
}

/* The plural, too. */
bool lexicon_is_person(const char *word)
{
    char one[32];
    const size_t size = strlen(word);
    if (size + 1 > sizeof one)
        return false;
    if (lexicon_lists("person", word))
        return true;
    if (size < 2 || word[size - 1] != 's')
        return false;
    memcpy(one, word, size - 1);
    one[size - 1] = 0;
    return lexicon_lists("person", one);
}

/* "third", "3rd"; 0: it is none. */
uint32_t lexicon_ordinal(const char *word)
{
    static const char *const tails[] = {"st", "nd", "rd", "th"};
    const uint32_t listed = lexicon_value("ordinal", word);
    if (listed)
        return listed;
    uint32_t value = 0, digits = 0;
    while (ascii_is_digit(word[digits]) && digits < 3)
        value = value * 10 + (uint32_t)(word[digits++] - '0');
    for (size_t i = 0; i < COUNT_OF(tails) && digits; i++) {
        if (strcmp(word + digits, tails[i]) == 0)
            return value;
    }
    return 0;
}

uint32_t lexicon_number(const char *word)
{
    return lexicon_value("number", word);
}

bool lexicon_is_function_word(const char *word)
{
    return lexicon_lists("function", word);
}
