/* grammar-build GRAMMAR.TXT OUT.C: writes the tables of chart_internal.h. It runs
 * while Etna is built, so it prints what is wrong and exits. */
#include "worker/builtin/language/chart_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXT_MAX = 1 << 22
};

static void say_and_exit(const char *what)
{
    fprintf(stderr, "grammar-build: %s\n", what);
    exit(1);
}

static char *text_read(const char *path)
{
    FILE *const file = fopen(path, "rb");
    char *const text = calloc(TEXT_MAX, 1);
    if (!file || !text)
        say_and_exit("the grammar cannot be read");
    const size_t size = fread(text, 1, TEXT_MAX - 1, file);
    const bool bad = ferror(file) || !feof(file) || strlen(text) != size;
    fclose(file);
    if (bad)
        say_and_exit("the grammar is no text, or too long");
    return text;
}

static const chart_grammar *text_compile(const char *text,
                                         bool again,
                                         etna_arena *arena)
{
    const chart_grammar *grammar = NULL;
    etna_error err = {0};
    if (chart_compile(text, again, arena, &grammar, &err) != ETNA_OK)
        say_and_exit(err.text);
    return grammar;
}

/* A name as C writes it: the names of chains have any letters. */
static void name_write(FILE *out, const char *name)
{
    fputc('"', out);
    for (const char *at = name; *at; at++)
        fprintf(out, "\\%03o", (unsigned char)*at);
    fputc('"', out);
}

static void symbols_write(FILE *out, const chart_grammar *g)
{
    fprintf(out, "static const char *const symbols[] = {0,\n");
    for (uint32_t i = 1; i <= g->symbol_count; i++) {
        name_write(out, g->symbols[i]);
        fprintf(out, ",\n");
    }
    fprintf(out, "};\n");
}

static void numbers_write(FILE *out, const char *name, const int32_t *n)
{
    fprintf(out, "static const int32_t %s[] = {", name);
    for (uint32_t i = 0; i < CHART_SYMBOLS_MAX; i++)
        fprintf(out, "%d,", n[i]);
    fprintf(out, "};\n");
}

static void table_write(FILE *out, const chart_grammar *g)
{
    fprintf(out, "static const uint16_t table[] = {");
    for (uint32_t i = 0; i < CHART_TABLE_SIZE; i++)
        fprintf(out, "%u,", g->table[i]);
    fprintf(out, "};\nstatic const uint32_t begin[] = {");
    for (uint32_t i = 0; i <= g->symbol_count + 1; i++)
        fprintf(out, "%u,", g->begin[i]);
    fprintf(out, "};\nstatic const uint16_t firsts[] = {");
    for (uint32_t i = 0; i < g->production_count; i++)
        fprintf(out, "%u,", g->firsts[i]);
    fprintf(out, "};\n");
}

static void productions_write(FILE *out,
                              const char *name,
                              const chart_grammar *g)
{
    fprintf(out, "static const chart_production %s[] = {\n", name);
    for (uint32_t i = 0; i < g->production_count; i++) {
        const chart_production *const p = &g->productions[i];
        fprintf(out, "{%u,%u,%u,%u,", p->left, p->first, p->second, p->cost);
        if (p->name)
            name_write(out, p->name);
        else
            fprintf(out, "0");
        fprintf(out, ",%d},\n", p->next);
    }
    fprintf(out, "};\n");
}

static void grammar_write(FILE *out,
                          const char *productions,
                          const chart_grammar *g)
{
    fprintf(out,
            "    {%u, %u, symbols, table, unary, binary, begin, firsts, %s, "
            "%u, %d},\n",
            g->symbol_count, g->production_count, productions, g->start,
            g->again);
}

/* Both looks have the same tables but for what productions cost. */
static void file_write(FILE *out,
                       const chart_grammar *first,
                       const chart_grammar *again)
{
    fprintf(out, "/* Made from grammar.txt by grammar-build. */\n"
                 "#include \"worker/builtin/language/chart_internal.h\"\n\n");
    symbols_write(out, first);
    numbers_write(out, "unary", first->unary);
    numbers_write(out, "binary", first->binary);
    table_write(out, first);
    productions_write(out, "first_look", first);
    productions_write(out, "second_look", again);
    fprintf(out, "const chart_grammar sentence_grammars[2] = {\n");
    grammar_write(out, "first_look", first);
    grammar_write(out, "second_look", again);
    fprintf(out, "};\n");
}

int main(int argc, char **argv)
{
    if (argc != 3)
        say_and_exit("usage: grammar-build GRAMMAR.TXT OUT.C");
    etna_arena arena = ETNA_ARENA_INIT;
    char *const text = text_read(argv[1]);
    const chart_grammar *const first = text_compile(text, false, &arena);
    const chart_grammar *const again = text_compile(text, true, &arena);
    FILE *const out = fopen(argv[2], "w");
    if (!out)
        say_and_exit("the table cannot be written");
    file_write(out, first, again);
    const bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed)
        say_and_exit("the table cannot be written");
    etna_arena_free(&arena);
    free(text);
    return 0;
}
