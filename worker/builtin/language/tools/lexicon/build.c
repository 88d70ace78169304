/* lexicon-build OUT.C: writes the table of lexicon_internal.h. It runs while
 * Etna is built, so it prints what is wrong and exits. */
#include "proto/array.h"
#include "worker/builtin/language/lexicon_internal.h"

#include <stdio.h>
#include <stdlib.h>

static const lexicon_entry entries[] = {
#define L(words, category, value, cost) {words, category, value, cost},
#include "worker/builtin/language/lexicon.inc"
#undef L
};

enum {
    POSTINGS_MAX = UINT16_MAX
};

static lexicon_posting postings[POSTINGS_MAX];
static size_t posting_count;

static const char *posting_word(const lexicon_posting *p)
{
    return entries[p->entry].words + p->at;
}

static uint32_t posting_hash(const lexicon_posting *p)
{
    return lexicon_hash(posting_word(p), p->size);
}

static void posting_add(size_t entry, size_t at, size_t size)
{
    if (posting_count == POSTINGS_MAX || entry > UINT16_MAX ||
        at + size > UINT8_MAX) {
        fprintf(stderr, "lexicon-build: \"%s\" goes beyond the table\n",
                entries[entry].words);
        exit(1);
    }
    postings[posting_count++] = (lexicon_posting){
        .entry = (uint16_t)entry, .at = (uint8_t)at, .size = (uint8_t)size};
}

/* A word as a whole, and what of it stands before each apostrophe. */
static void word_add(size_t entry, size_t at, size_t size)
{
    const char *const word = entries[entry].words + at;
    for (size_t k = 1; k <= size; k++) {
        if (k == size || word[k] == '\'')
            posting_add(entry, at, k);
    }
}

static void entry_add(size_t entry)
{
    const char *const words = entries[entry].words;
    for (size_t at = 0; words[at];) {
        const size_t size = strcspn(words + at, " ");
        word_add(entry, at, size);
        at += size + (words[at + size] == ' ');
    }
}

static int number_order(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int posting_order(const void *left, const void *right)
{
    const lexicon_posting *const a = left, *const b = right;
    int order = number_order(posting_hash(a), posting_hash(b));
    if (order == 0)
        order = number_order(a->size, b->size);
    if (order == 0)
        order = memcmp(posting_word(a), posting_word(b), a->size);
    if (order == 0)
        order = number_order(a->at > 0, b->at > 0);
    if (order == 0)
        order = number_order(a->entry, b->entry);
    return order ? order : number_order(a->at, b->at);
}

static void table_write(FILE *out)
{
    size_t next = 0;
    fprintf(
        out,
        "/* Made by lexicon-build. */\n#include \"worker/builtin/language/lexicon_internal.h\"\n");
    fprintf(out, "\nconst lexicon_posting lexicon_postings[] = {\n");
    for (size_t i = 0; i < posting_count; i++)
        fprintf(out, "{%u,%u,%u},\n", postings[i].entry, postings[i].at,
                postings[i].size);
    fprintf(
        out,
        "};\n\nconst uint16_t lexicon_bucket_at[LEXICON_BUCKETS + 1] = {\n");
    for (uint32_t bucket = 0; bucket <= LEXICON_BUCKETS; bucket++) {
        while (next < posting_count && posting_hash(&postings[next]) < bucket)
            next++;
        fprintf(out, "%zu,\n", next);
    }
    fprintf(out, "};\n");
}

int main(int argc, char **argv)
{
    FILE *const out = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (!out) {
        fprintf(stderr, "lexicon-build OUT.C\n");
        return 1;
    }
    for (size_t i = 0; i < COUNT_OF(entries); i++)
        entry_add(i);
    qsort(postings, posting_count, sizeof postings[0], posting_order);
    table_write(out);
    if (ferror(out) || fclose(out)) {
        fprintf(stderr, "lexicon-build: cannot write %s\n", argv[1]);
        return 1;
    }
    return 0;
}
