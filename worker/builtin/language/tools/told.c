/* Writes what the dictionary tells of kinds and of words; told.h has the
 * layout. */
#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/kinds_table.h"
#include "worker/builtin/language/tools/build.h"

#include <stdlib.h>
#include <string.h>

enum {
    RELATED_SENSES = 2,
    RELATED_TEXT = 2000
};

static void told_text(bytes *out, const char *text)
{
    for (; *text; text++)
        byte_add(out, (unsigned char)*text);
    byte_add(out, 0);
}

/* ---- kinds ---- */

typedef struct named { /* a word of a kind */
    const synset *of;
    const char *text;
    size_t place; /* the commonest first */
} named;

/* Where the word stands in WordNet's list, which begins with the commonest; one
 * of ours comes first where it is the first meaning of the word. */
static size_t named_place(const synset *s, const char *text, bool is_first)
{
    size_t place = 1;
    size_t length = strlen(text);
    for (const char *at = s->words; at && *at; place++) {
        size_t n = strcspn(at, " ");
        size_t same = 0;
        while (
            same < n && same < length &&
            (at[same] == text[same] || (at[same] == '_' && text[same] == ' ')))
            same++;
        if (same == n && n == length)
            return is_first ? place : place + 100;
        at += n + (at[n] != 0);
    }
    return is_first ? place : place + 100;
}

static int named_order(const void *a, const void *b)
{
    const named *x = a;
    const named *y = b;
    if (x->of->id != y->of->id)
        return x->of->id < y->of->id ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return strcmp(x->text, y->text);
}

/* Every kept word of every kind. */
static named *names_list(const dictionary *d, size_t *ret_count)
{
    size_t capacity = 0, count = 0;
    named *list = NULL;
    for (size_t i = 0; i < d->slot_count; i++) {
        const lemma *l = d->slots[i];
        int32_t means[LEMMA_SENSES];
        size_t kept =
            l && (l->flags & KINDS_NOUN) ? lemma_senses(d, l, means) : 0;
        for (size_t k = 0; k < kept && k < KINDS_SENSES_MAX; k++) {
            const synset *s = &d->nouns.list[means[k]];
            if (!s->id)
                continue;
            list = grown(list, count, &capacity, sizeof *list);
            list[count++] = (named){.of = s,
                                    .text = l->text,
                                    .place = named_place(s, l->text, k == 0)};
        }
    }
    if (count)
        qsort(list, count, sizeof *list, named_order);
    *ret_count = count;
    return list;
}

/* The verbs that a noun comes from: a heater heats. */
static void told_verbs(const dictionary *d, const synset *s, bytes *out)
{
    for (size_t i = 0; i < s->derived_count; i++) {
        const synset *verb =
            &d->verbs.list[synset_at(&d->verbs, s->derived[i])];
        for (const char *at = verb->words; *at; at++)
            byte_add(out, (unsigned char)*at);
        byte_add(out, ' ');
    }
    byte_add(out, 0);
}

/* Of a kind of ours the definition is that of WordNet's first thing of this
 * name. */
static const char *gloss_of(const dictionary *d,
                            const synset *s,
                            const named *names,
                            size_t count)
{
    enum {
        FILE_ARTIFACT = 6
    };
    if (s->gloss)
        return s->gloss;
    for (size_t i = 0; i < count; i++) {
        const lemma *l = lemma_find(d, names[i].text);
        for (size_t k = 0; l && k < l->noun.count; k++) {
            const synset *sense = &d->nouns.list[l->noun.list[k]];
            if (sense->file == FILE_ARTIFACT && sense->gloss)
                return sense->gloss;
        }
    }
    return "";
}

static void kinds_write(const dictionary *d, FILE *file)
{
    size_t count = 0, at = 0, most = 0;
    named *list = names_list(d, &count);
    const synset **by_id = calloc((size_t)UINT16_MAX + 1, sizeof *by_id);
    bytes text = {0};
    if (!by_id)
        fail("out of memory");
    for (size_t i = 0; i < d->nouns.count; i++) {
        const synset *s = &d->nouns.list[i];
        by_id[s->id] = s;
        if (s->id > most)
            most = s->id;
    }
    fprintf(file, "const uint32_t told_kind_at[] = {0,");
    for (size_t id = 1; id <= most; id++) {
        fprintf(file, "%s%zu,", id % 16 ? "" : "\n    ", text.count);
        size_t from = at;
        for (bool is_first = true; at < count && list[at].of->id == id;
             at++, is_first = false) {
            if (!is_first)
                byte_add(&text, ',');
            for (const char *c = list[at].text; *c; c++)
                byte_add(&text, (unsigned char)*c);
        }
        byte_add(&text, 0);
        told_verbs(d, by_id[id], &text);
        told_text(&text, gloss_of(d, by_id[id], list + from, at - from));
    }
    fprintf(file, "};\nconst size_t told_kind_count = %zu;\n", most + 1);
    bytes_write(file, "told_kind_text", &text);
    free(text.list);
    free(by_id);
    free(list);
}

/* ---- words ---- */

static void words_add(char to[RELATED_TEXT], const char *words)
{
    size_t had = strlen(to);
    if (had + strlen(words) + 2 < RELATED_TEXT)
        snprintf(to + had, RELATED_TEXT - had, "%s%s", had ? " " : "", words);
}

static void nouns_add(const dictionary *d,
                      const synset *verb,
                      const named *names,
                      size_t count,
                      char to[RELATED_TEXT])
{
    for (size_t i = 0; i < verb->derived_count; i++) {
        const synset *noun =
            &d->nouns.list[synset_at(&d->nouns, verb->derived[i])];
        for (size_t k = 0; noun->id && k < count; k++) {
            if (names[k].of == noun && !strchr(names[k].text, ' '))
                words_add(to, names[k].text);
        }
    }
}

typedef struct related {
    char same[RELATED_TEXT], above[RELATED_TEXT], nouns[RELATED_TEXT];
} related;

static bool lemma_relate(const dictionary *d,
                         const lemma *l,
                         const named *names,
                         size_t count,
                         related *ret)
{
    *ret = (related){.same = ""};
    for (size_t i = 0; i < l->verb.count && i < RELATED_SENSES; i++) {
        const synset *s = &d->verbs.list[l->verb.list[i]];
        words_add(ret->same, s->words);
        for (size_t k = 0; k < s->above_count; k++)
            words_add(ret->above, d->verbs.list[s->above[k]].words);
        nouns_add(d, s, names, count, ret->nouns);
    }
    for (size_t i = 0; i < l->adjective.count && i < RELATED_SENSES; i++) {
        words_add(ret->same, d->adjectives.list[l->adjective.list[i]].words);
    }
    return ret->same[0] != 0;
}

static int lemma_order(const void *a, const void *b)
{
    return strcmp((*(const lemma *const *)a)->text,
                  (*(const lemma *const *)b)->text);
}

static void words_write(const dictionary *d, FILE *file)
{
    size_t name_count = 0, count = 0, rows = 0;
    named *names = names_list(d, &name_count);
    const lemma **list = calloc(d->lemma_count, sizeof *list);
    bytes text = {0};
    if (!list)
        fail("out of memory");
    for (size_t i = 0; i < d->slot_count; i++) {
        const lemma *l = d->slots[i];
        bool is_wanted = l && l->is_attested && !strchr(l->text, ' ');
        if (is_wanted && (l->verb.count || l->adjective.count))
            list[count++] = l;
    }
    qsort(list, count, sizeof *list, lemma_order);
    fprintf(file, "const uint32_t told_word_at[] = {");
    for (size_t i = 0; i < count; i++) {
        related r;
        if (!lemma_relate(d, list[i], names, name_count, &r))
            continue;
        fprintf(file, "%s%zu,", rows++ % 16 ? "" : "\n    ", text.count);
        told_text(&text, list[i]->text);
        told_text(&text, r.same);
        told_text(&text, r.above);
        told_text(&text, r.nouns);
    }
    fprintf(file, "};\nconst size_t told_word_count = %zu;\n", rows);
    bytes_write(file, "told_word_text", &text);
    free(text.list);
    free(list);
    free(names);
}

void told_write(const dictionary *d, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        fail("%s cannot be written: %m", path);
    fprintf(
        file,
        "/* Made of WordNet 3.0 (see NOTICE.wordnet) and household.txt by kinds-build. */\n"
        "#include \"worker/builtin/language/told_table.h\"\n\n");
    kinds_write(d, file);
    words_write(d, file);
    bool is_written = !ferror(file);
    if (fclose(file) || !is_written)
        fail("%s cannot be written", path);
}
