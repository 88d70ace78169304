/* Reads WordNet 3.0's database files; wndb(5WN) describes them.
 *
 * data.* have the synsets (words, what is above them, a gloss), index.* the
 * words with their senses in the order of how often they are meant, *.exc the
 * irregular forms. Synsets are named by their offset in the file, which is
 * replaced by an index once all are read. A program of the build: what is not
 * as described ends it. */
#include "proto/array.h"
#include "worker/builtin/language/kinds_table.h"
#include "worker/builtin/language/tools/build.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Small letters, spaces for '_' and '-'. False: it holds other signs. */
bool text_normal(char *text)
{
    for (char *at = text; *at; at++) {
        if (*at == '_' || *at == '-')
            *at = ' ';
        *at = (char)tolower((unsigned char)*at);
        if (!islower((unsigned char)*at) && !isdigit((unsigned char)*at) &&
            *at != ' ' && *at != '\'')
            return false;
    }
    return text[0] != 0;
}

/* FNV-1a. */
static size_t text_hash(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return (size_t)(hash ^ hash >> 29);
}

/* Where it is, or where it would be. */
static lemma **lemma_slot(const dictionary *d, const char *text)
{
    size_t at = text_hash(text) & (d->slot_count - 1);
    while (d->slots[at] && strcmp(d->slots[at]->text, text))
        at = (at + 1) & (d->slot_count - 1);
    return &d->slots[at];
}

/* NULL: none. */
lemma *lemma_find(const dictionary *d, const char *text)
{
    return *lemma_slot(d, text);
}

/* Made where it is new. */
lemma *lemma_get(dictionary *d, const char *text)
{
    lemma **slot = lemma_slot(d, text);
    if (*slot)
        return *slot;
    if ((d->lemma_count + 1) * 3 > d->slot_count * 2)
        fail("more lemmas than expected: %zu", d->lemma_count);
    lemma *made = calloc(1, sizeof *made);
    if (!made || !(made->text = strdup(text)))
        fail("out of memory");
    *slot = made;
    d->lemma_count++;
    return made;
}

/* One word of a line; the position after it. */
static char *field(char *at, char **ret)
{
    while (*at == ' ')
        at++;
    *ret = at;
    while (*at && *at != ' ')
        at++;
    if (*at)
        *at++ = 0;
    return at;
}

/* Returns what is behind it. */
static char *number(char *at, int base, long *ret)
{
    char *text;
    at = field(at, &text);
    char *end;
    *ret = strtol(text, &end, base);
    if (end == text || *end)
        fail("a WordNet file has \"%s\" where a number is expected", text);
    return at;
}

/* The next line of a text that does not begin with a space, as the notice at a
 * file's head does; NULL at the end. */
static char *line_next(char **text)
{
    while (**text) {
        char *line = *text;
        char *end = strchr(line, '\n');
        *text = end ? end + 1 : line + strlen(line);
        if (end)
            *end = 0;
        if (*line && *line != ' ')
            return line;
    }
    return NULL;
}

/* "cook_up" as one word of a list. */
static void word_add(char **list, const char *word)
{
    size_t had = *list ? strlen(*list) : 0;
    size_t more = strcspn(word, "(");
    char *longer = realloc(*list, had + more + 2);
    if (!longer)
        fail("out of memory");
    if (had)
        longer[had++] = ' ';
    memcpy(longer + had, word, more);
    longer[had + more] = 0;
    *list = longer;
}

/* Proper: every word of it has a capital. */
static char *synset_words(char *at, synset *s)
{
    long count;
    at = number(at, 16, &count);
    s->is_proper = true;
    for (long i = 0; i < count; i++) {
        char *word, *id;
        at = field(at, &word);
        at = field(at, &id);
        word_add(&s->words, word);
        bool has_capital = false;
        for (; *word; word++)
            has_capital |= isupper((unsigned char)*word) != 0;
        s->is_proper &= has_capital;
    }
    return at;
}

/* Those above it, and nouns and verbs of one root. */
static void synset_pointers(char *at, synset *s, char part)
{
    long count;
    at = number(at, 10, &count);
    for (long i = 0; i < count; i++) {
        char *symbol, *of, *words;
        long offset;
        at = field(at, &symbol);
        at = number(at, 10, &offset);
        at = field(at, &of);
        at = field(at, &words);
        if (!strcmp(symbol, "@i"))
            s->is_instance = true;
        bool is_above = !strcmp(symbol, "@") && of[0] == part;
        if (is_above && s->above_count < SYNSET_ABOVE)
            s->above[s->above_count++] = (int32_t)offset;
        bool is_derived =
            !strcmp(symbol, "+") && of[0] == (part == 'n' ? 'v' : 'n');
        if (is_derived && s->derived_count < SYNSET_DERIVED)
            s->derived[s->derived_count++] = (uint32_t)offset;
    }
}

/* By halving: the file is sorted. */
int32_t synset_at(const synsets *all, long offset)
{
    size_t low = 0;
    size_t high = all->read;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (all->list[middle].offset < (uint32_t)offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == all->read || all->list[low].offset != (uint32_t)offset)
        fail("WordNet has no synset %ld", offset);
    return (int32_t)low;
}

/* The definition alone: what follows in quotes are examples of the word's
 * use. */
static void gloss_take(synset *s, const char *text)
{
    const char *quote = strchr(text, '"');
    s->gloss = quote ? strndup(text, (size_t)(quote - text)) : strdup(text);
    if (!s->gloss)
        fail("out of memory");
}

/* A line a synset. */
static void data_read(synsets *all, char *text, char part)
{
    for (char *line; (line = line_next(&text));) {
        char *gloss = strchr(line, '|');
        if (gloss)
            *gloss++ = 0;
        all->list =
            grown(all->list, all->count, &all->capacity, sizeof *all->list);
        synset *s = &all->list[all->count++];
        *s = (synset){0};
        long offset, file;
        char *kind;
        char *at = number(line, 10, &offset);
        at = number(at, 10, &file);
        at = field(at, &kind);
        s->offset = (uint32_t)offset;
        s->file = (uint8_t)file;
        at = synset_words(at, s);
        synset_pointers(at, s, part);
        if (part == 'n' && gloss)
            gloss_take(s, gloss);
    }
    all->read = all->count;
    for (size_t i = 0; i < all->count; i++) {
        synset *s = &all->list[i];
        for (size_t k = 0; k < s->above_count; k++)
            s->above[k] = synset_at(all, s->above[k]);
    }
}

/* By part of speech. */
static senses *senses_of(lemma *l, uint8_t flag)
{
    if (flag == KINDS_NOUN)
        return &l->noun;
    return flag == KINDS_VERB ? &l->verb : &l->adjective;
}

/* By part of speech; adverbs have the adjectives'. */
static synsets *synsets_of(dictionary *d, uint8_t flag)
{
    if (flag == KINDS_NOUN)
        return &d->nouns;
    return flag == KINDS_VERB ? &d->verbs : &d->adjectives;
}

/* A line a word. */
static void index_line(dictionary *d, char *line, uint8_t flag)
{
    char *text, *part, *pointer;
    long count, pointers, attested;
    char *at = field(line, &text);
    at = field(at, &part);
    at = number(at, 10, &count);
    at = number(at, 10, &pointers);
    for (long i = 0; i < pointers; i++)
        at = field(at, &pointer);
    at = number(at, 10, &count);
    at = number(at, 10, &attested);
    if (!text_normal(text))
        return;
    lemma *l = lemma_get(d, text);
    l->flags |= flag;
    l->is_attested |= attested > 0;
    if (flag == KINDS_OTHER && part[0] != 'a')
        return;
    /* "t v" and "t-v" fall together; the first stays. */
    senses *s = senses_of(l, flag);
    const synsets *among = synsets_of(d, flag);
    if (s->count)
        return;
    s->attested = (uint8_t)attested;
    for (long i = 0; i < count && s->count < LEMMA_SENSES; i++) {
        long offset;
        at = number(at, 10, &offset);
        s->list[s->count++] = synset_at(among, offset);
    }
}

/* Behind the data, whose synsets it names. */
static void index_read(dictionary *d, char *text, uint8_t flag)
{
    for (char *line; (line = line_next(&text));)
        index_line(d, line, flag);
}

/* "feet foot". */
static void exceptions_read(irregulars *all, char *text)
{
    for (char *line; (line = line_next(&text));) {
        char *form, *base;
        char *at = field(line, &form);
        field(at, &base);
        if (strpbrk(form, "_-") || !text_normal(form) || !text_normal(base))
            continue;
        all->list =
            grown(all->list, all->count, &all->capacity, sizeof *all->list);
        irregular *made = &all->list[all->count++];
        made->form = strdup(form);
        made->base = strdup(base);
        if (!made->form || !made->base)
            fail("out of memory");
    }
}

/* Everything, in the order in which one file needs the other. */
void wordnet_read(dictionary *d, const char *folder)
{
    static const struct {
        const char *data, *index, *exceptions;
        uint8_t flag;
    } parts[] = {
        {"data.noun", "index.noun", "noun.exc", KINDS_NOUN},
        {"data.verb", "index.verb", "verb.exc", KINDS_VERB},
        {"data.adj", "index.adj", NULL, KINDS_OTHER},
        {NULL, "index.adv", NULL, KINDS_OTHER},
    };
    d->slot_count = (size_t)1 << 18;
    d->slots = calloc(d->slot_count, sizeof(lemma *));
    if (!d->slots)
        fail("out of memory");
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        bool is_noun = parts[i].flag == KINDS_NOUN;
        if (parts[i].data) {
            char *text = file_read(folder, parts[i].data);
            data_read(synsets_of(d, parts[i].flag), text, parts[i].data[5]);
            free(text);
        }
        char *text = file_read(folder, parts[i].index);
        index_read(d, text, parts[i].flag);
        free(text);
        if (!parts[i].exceptions)
            continue;
        text = file_read(folder, parts[i].exceptions);
        exceptions_read(is_noun ? &d->noun_irregulars : &d->verb_irregulars,
                        text);
        free(text);
    }
}
