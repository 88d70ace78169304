/* Chooses what goes into the table, numbers it and writes it as C;
 * kinds_table.h has the layout.
 *
 * Begin at table_write: lemmas that mean something here are kept, sorted by
 * text, and every kind they lead to is marked and numbered; then the text is
 * written in blocks, each entry by what differs from the one before, with a
 * table of hashed slots beside it, so that a word is found with one or two
 * looks; then kinds with what is above them, and irregular forms. Numbers that
 * the layout gives fewer bits than could be needed end the build when they
 * overflow. */
#include "worker/builtin/language/kinds.h"
#include "worker/builtin/language/kinds_table.h"
#include "worker/builtin/language/tools/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RARE_WORD_MIN = 6
};

typedef struct kept {
    const lemma *of;
    int32_t senses[LEMMA_SENSES];
    size_t count;
    bool is_word;
    unsigned classes; /* of an entry in the table */
} kept;

/* As strcmp has it: looking up compares the same way. */
static int kept_order(const void *a, const void *b)
{
    return strcmp(((const kept *)a)->of->text, ((const kept *)b)->of->text);
}

/* With all above it. */
static void synset_use(synsets *all, int32_t at)
{
    synset *s = &all->list[at];
    if (s->is_used)
        return;
    s->is_used = true;
    if (s->is_general)
        return;
    for (size_t i = 0; i < s->above_count; i++)
        synset_use(all, s->above[i]);
}

/* A word of a dictionary, for telling it from a misspelt one. Of those that
 * occur in none of WordNet's tagged texts only long ones: a short one is
 * likelier a slip, "bok" for "box". */
static bool lemma_is_word(const dictionary *d, const lemma *l)
{
    if (strchr(l->text, ' '))
        return false;
    if (l->is_attested || l->is_ours || (l->flags & KINDS_TRAILS))
        return true;
    bool is_name = l->flags == KINDS_NOUN;
    for (size_t i = 0; i < l->noun.count && is_name; i++) {
        const synset *s = &d->nouns.list[l->noun.list[i]];
        is_name = s->is_proper || s->is_instance;
    }
    return !is_name && strlen(l->text) >= RARE_WORD_MIN;
}

enum { /* WordNet's lexicographer files, lexnames(5WN) */
    FILE_ACT = 4,
    FILE_ATTRIBUTE = 7,
    FILE_COGNITION = 9,
    FILE_COMMUNICATION = 10,
    FILE_EVENT = 11,
    FILE_FEELING = 12,
    FILE_MOTIVE = 16,
    FILE_PERSON = 18,
    FILE_PHENOMENON = 19,
    FILE_POSSESSION = 21,
    FILE_PROCESS = 22,
    FILE_STATE = 26,
    FILE_TIME = 28,
    FILE_VERB_BODY = 29,
    FILE_VERB_CHANGE = 30,
    FILE_VERB_COGNITION = 31,
    FILE_VERB_COMMUNICATION = 32,
    FILE_VERB_CONSUMPTION = 34,
    FILE_VERB_CONTACT = 35,
    FILE_VERB_CREATION = 36,
    FILE_VERB_EMOTION = 37,
    FILE_VERB_MOTION = 38,
    FILE_VERB_PERCEPTION = 39,
    FILE_VERB_STATIVE = 42,
    FILE_VERB_WEATHER = 43
};

#define FILE_BIT(file) (UINT64_C(1) << (file))

static bool file_is_in(uint8_t file, uint64_t files)
{
    return file < 64 && (files & FILE_BIT(file)) != 0;
}

/* First of all somebody, and no thing at all: a lawyer, and no printer. */
static bool lemma_is_person(const dictionary *d, const kept *k)
{
    const senses *as_noun = &k->of->noun;
    if (!k->is_word || k->count > 0 || as_noun->count == 0)
        return false;
    return d->nouns.list[as_noun->list[0]].file == FILE_PERSON;
}

/* First of all nothing that could stand somewhere: a day, a rehearsal. Of what
 * may be a thing as well only what happens and what is felt: "poster" is no
 * message first. */
static bool lemma_is_abstract(const dictionary *d, const kept *k)
{
    const uint64_t happens = FILE_BIT(FILE_ACT) | FILE_BIT(FILE_EVENT) |
                             FILE_BIT(FILE_FEELING) | FILE_BIT(FILE_PROCESS) |
                             FILE_BIT(FILE_STATE) | FILE_BIT(FILE_TIME);
    const uint64_t thought =
        FILE_BIT(FILE_ATTRIBUTE) | FILE_BIT(FILE_COGNITION) |
        FILE_BIT(FILE_COMMUNICATION) | FILE_BIT(FILE_MOTIVE) |
        FILE_BIT(FILE_PHENOMENON) | FILE_BIT(FILE_POSSESSION);
    const senses *as_noun = &k->of->noun;
    if (!k->is_word || as_noun->count == 0)
        return false;
    return file_is_in(d->nouns.list[as_noun->list[0]].file,
                      k->count > 0 ? happens : happens | thought);
}

/* First of all what one says, feels or senses, and next nothing that moves or
 * is somewhere: to leak, and not to visit. */
static bool lemma_tells(const dictionary *d, const kept *k)
{
    const uint64_t feels =
        FILE_BIT(FILE_VERB_BODY) | FILE_BIT(FILE_VERB_COGNITION) |
        FILE_BIT(FILE_VERB_COMMUNICATION) | FILE_BIT(FILE_VERB_CONSUMPTION) |
        FILE_BIT(FILE_VERB_CREATION) | FILE_BIT(FILE_VERB_EMOTION) |
        FILE_BIT(FILE_VERB_PERCEPTION) | FILE_BIT(FILE_VERB_WEATHER);
    const uint64_t stands =
        FILE_BIT(FILE_VERB_CHANGE) | FILE_BIT(FILE_VERB_CONTACT) |
        FILE_BIT(FILE_VERB_MOTION) | FILE_BIT(FILE_VERB_STATIVE);
    const senses *as_verb = &k->of->verb;
    if (!k->is_word || as_verb->count == 0 ||
        !file_is_in(d->verbs.list[as_verb->list[0]].file, feels))
        return false;
    return as_verb->count < 2 ||
           !file_is_in(d->verbs.list[as_verb->list[1]].file, stands);
}

static unsigned lemma_classes(const dictionary *d, const kept *k)
{
    return k->of->verb_class | (lemma_is_person(d, k) ? KINDS_PERSON : 0u) |
           (lemma_is_abstract(d, k) ? KINDS_ABSTRACT : 0u) |
           (lemma_tells(d, k) ? KINDS_TELLS : 0u);
}

/* False: it means nothing here. */
static bool lemma_keep(dictionary *d, const lemma *l, kept *ret)
{
    ret->of = l;
    ret->count = 0;
    bool is_single = !strchr(l->text, ' ');
    ret->is_word = lemma_is_word(d, l);
    if (strlen(l->text) >= (is_single ? KINDS_WORD_SIZE : KINDS_PHRASE_SIZE))
        return false;
    if (l->flags & KINDS_NOUN)
        ret->count = lemma_senses(d, l, ret->senses);
    if (ret->count > KINDS_SENSES_MAX)
        ret->count = KINDS_SENSES_MAX;
    for (size_t i = 0; i < ret->count; i++)
        synset_use(&d->nouns, ret->senses[i]);
    ret->classes = lemma_classes(d, ret);
    return ret->count || ret->is_word || l->verb_class;
}

/* From 1, groups last. Returns the first group's number. */
static uint16_t synsets_number(synsets *all)
{
    uint32_t next = 1;
    uint32_t group = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass)
            group = next;
        for (size_t i = 0; i < all->count; i++) {
            synset *s = &all->list[i];
            s->id = pass ? s->id : 0;
            if (s->is_used && s->is_group == (pass == 1))
                s->id = (uint16_t)next++;
            if (next > UINT16_MAX)
                fail("more than %d kinds", UINT16_MAX);
        }
    }
    return (uint16_t)group;
}

/* Grows by doubling. */
void byte_add(bytes *b, unsigned value)
{
    b->list = grown(b->list, b->count, &b->capacity, 1);
    b->list[b->count++] = (unsigned char)value;
}

/* Bytes that both begin with. */
static size_t shared(const char *a, const char *b)
{
    size_t same = 0;
    while (a[same] && a[same] == b[same])
        same++;
    return same;
}

/* The last letter has its high bit set: no length is needed. */
static void entry_write(const dictionary *d,
                        bytes *out,
                        const kept *k,
                        const char *before)
{
    const char *text = k->of->text;
    size_t keep = before ? shared(before, text) : 0;
    byte_add(out, (unsigned)keep);
    for (const char *at = text + keep; *at; at++)
        byte_add(out, (unsigned char)*at | (at[1] ? 0 : 0x80));
    byte_add(out, k->of->flags | (unsigned)k->count |
                      (k->classes ? KINDS_HAS_CLASS : 0u));
    if (k->classes)
        byte_add(out, k->classes);
    for (size_t i = 0; i < k->count; i++) {
        unsigned id = d->nouns.list[k->senses[i]].id;
        byte_add(out, id & 0xff);
        byte_add(out, id >> 8);
    }
}

/* As a string, which compilers read faster than a list. */
void bytes_write(FILE *file, const char *name, const bytes *b)
{
    fprintf(file, "const unsigned char %s[] =", name);
    for (size_t i = 0; i < b->count; i++) {
        if (i % 64 == 0)
            fprintf(file, "%s\n    \"", i ? "\"" : "");
        fprintf(file, "\\%03o", b->list[i]);
    }
    fprintf(file, "\";\n");
}

/* Open addressing; a slot has the entry's number and some bits of its hash. */
static void slots_write(FILE *file, const kept *list, size_t count)
{
    const uint32_t slots = 1u << KINDS_SLOT_BITS;
    uint32_t *filled = calloc(slots, sizeof *filled);
    if (!filled)
        fail("no memory");
    if (count >= slots || count >= 1u << KINDS_SLOT_ENTRY)
        fail("more phrases than slots");
    for (size_t i = 0; i < count; i++) {
        uint32_t hash = kinds_hash(list[i].of->text);
        uint32_t at = hash & (slots - 1);
        while (filled[at])
            at = (at + 1) & (slots - 1);
        filled[at] =
            (hash >> KINDS_SLOT_ENTRY << KINDS_SLOT_ENTRY) | (uint32_t)(i + 1);
    }
    fprintf(file, "const uint32_t kinds_slots[] = {");
    for (uint32_t i = 0; i < slots; i++)
        fprintf(file, "%s%u,", i % 16 ? "" : "\n    ", (unsigned)filled[i]);
    fprintf(file, "};\n");
    free(filled);
}

/* A block begins with a whole word, so that reading may begin there. */
static void text_write(const dictionary *d,
                       FILE *file,
                       const kept *list,
                       size_t count)
{
    bytes text = {0};
    fprintf(file, "const uint32_t kinds_block_at[] = {");
    for (size_t i = 0; i < count; i++) {
        bool is_first = i % KINDS_BLOCK == 0;
        if (is_first)
            fprintf(file, "%s%zu,", i / KINDS_BLOCK % 16 ? "" : "\n    ",
                    text.count);
        entry_write(d, &text, &list[i], is_first ? NULL : list[i - 1].of->text);
    }
    fprintf(file, "};\nconst size_t kinds_block_count = %zu;\n",
            (count + KINDS_BLOCK - 1) / KINDS_BLOCK);
    fprintf(file, "const size_t kinds_entry_count = %zu;\n", count);
    bytes_write(file, "kinds_text", &text);
    free(text.list);
    slots_write(file, list, count);
}

/* 0: none. */
static uint16_t above_id(const synsets *all, const synset *s, size_t index)
{
    if (s->is_general || index >= s->above_count)
        return 0;
    const synset *above = &all->list[s->above[index]];
    return above->is_general ? 0 : above->id;
}

/* Groups are numbered after all others, though they need none above them. */
static void above_write(const synsets *all, FILE *file)
{
    size_t further = 0;
    fprintf(file, "const uint16_t kinds_above[] = {0,");
    for (size_t i = 0, n = 0; i < all->count; i++) {
        const synset *s = &all->list[i];
        if (!s->id || s->is_group)
            continue;
        fprintf(file, "%s%u,", n++ % 24 ? "" : "\n    ", above_id(all, s, 0));
    }
    fprintf(file, "};\nconst kinds_link kinds_further[] = {");
    for (size_t i = 0; i < all->count; i++) {
        const synset *s = &all->list[i];
        for (size_t k = 1; s->id && k < s->above_count; k++) {
            uint16_t above = above_id(all, s, k);
            if (above)
                fprintf(file, "%s{%u, %u},", further++ % 12 ? "" : "\n    ",
                        s->id, above);
        }
    }
    fprintf(file, "%s};\nconst size_t kinds_further_count = %zu;\n",
            further ? "" : "{0, 0}", further);
}

/* By form, then by base. */
static int irregular_order(const void *a, const void *b)
{
    const irregular *x = a;
    const irregular *y = b;
    int order = strcmp(x->form, y->form);
    return order ? order : strcmp(x->base, y->base);
}

/* Of words that are used. */
static bool irregular_is_wanted(const dictionary *d,
                                const irregular *row,
                                uint8_t flag)
{
    const lemma *base = lemma_find(d, row->base);
    if (!base || !(base->flags & flag))
        return false;
    return (base->is_attested || base->is_ours) && strcmp(row->form, row->base);
}

/* One base a form: the first in order. */
static void irregulars_write(const dictionary *d,
                             FILE *file,
                             irregulars *all,
                             const char *name,
                             uint8_t flag)
{
    bytes text = {0};
    size_t count = 0;
    const irregular *before = NULL;
    qsort(all->list, all->count, sizeof all->list[0], irregular_order);
    fprintf(file, "static const uint16_t %s_at[] = {", name);
    for (size_t i = 0; i < all->count; i++) {
        const irregular *row = &all->list[i];
        bool is_again = before && !strcmp(row->form, before->form);
        if (is_again || !irregular_is_wanted(d, row, flag))
            continue;
        before = row;
        if (text.count > UINT16_MAX)
            fail("more irregular forms than expected");
        fprintf(file, "%s%zu,", count++ % 16 ? "" : "\n    ", text.count);
        for (const char *at = row->form; *at; at++)
            byte_add(&text, (unsigned char)*at);
        byte_add(&text, 0);
        size_t keep = shared(row->form, row->base);
        byte_add(&text, (unsigned)keep);
        for (const char *at = row->base + keep; *at; at++)
            byte_add(&text, (unsigned char)*at);
        byte_add(&text, 0);
    }
    fprintf(file, "};\nstatic ");
    char label[64];
    snprintf(label, sizeof label, "%s_text", name);
    bytes_write(file, label, &text);
    fprintf(file,
            "const kinds_irregular %s = {(const char *)%s_text, %s_at, %zu};\n",
            name, name, name, count);
    free(text.list);
}

/* The only function that others call. */
void table_write(dictionary *d, const char *path)
{
    kept *list = calloc(d->lemma_count, sizeof *list);
    if (!list)
        fail("out of memory");
    size_t count = 0;
    for (size_t i = 0; i < d->slot_count; i++) {
        if (d->slots[i] && lemma_keep(d, d->slots[i], &list[count]))
            count++;
    }
    qsort(list, count, sizeof *list, kept_order);
    uint16_t group = synsets_number(&d->nouns);
    FILE *file = fopen(path, "w");
    if (!file)
        fail("%s cannot be written: %m", path);
    fprintf(
        file,
        "/* Made of WordNet 3.0 (see NOTICE.wordnet) and household.txt by kinds-build. */\n"
        "#include \"worker/builtin/language/kinds_table.h\"\n\n");
    text_write(d, file, list, count);
    fprintf(file, "const uint16_t kinds_group = %u;\n", group);
    above_write(&d->nouns, file);
    irregulars_write(d, file, &d->noun_irregulars, "kinds_irregular_nouns",
                     KINDS_NOUN);
    irregulars_write(d, file, &d->verb_irregulars, "kinds_irregular_verbs",
                     KINDS_VERB);
    bool is_written = !ferror(file);
    if (fclose(file) || !is_written)
        fail("%s cannot be written", path);
    free(list);
}
