/* A compiled grammar, as chart_compile.c makes it and chart.c parses by it. The
 * program that compiles the grammar of sentences writes these tables as C. */
#ifndef ETNA_WORKER_BUILTIN_LANGUAGE_CHART_INTERNAL_H
#define ETNA_WORKER_BUILTIN_LANGUAGE_CHART_INTERNAL_H

#include "worker/builtin/language/chart.h"

#include <stddef.h>

enum {
    CHART_TABLE_SIZE = 4 * CHART_SYMBOLS_MAX /* so that a search ends soon */
};

typedef struct chart_production {
    uint16_t left, first, second; /* second: 0 for one symbol */
    uint16_t cost;
    const char *name; /* NULL: its children belong to the node above */
    int32_t next;     /* of the same first symbol; -1: the last */
} chart_production;

struct chart_grammar {
    uint32_t symbol_count, production_count;
    const char *const *symbols; /* by their numbers, from 1 */
    /* open addressing, CHART_TABLE_SIZE: a symbol's number, 0 is free */
    const uint16_t *table;
    /* by the first symbol, its last production of one symbol and of two; -1:
     * none */
    const int32_t *unary, *binary;
    /* what a symbol's productions begin with: firsts from begin[symbol] to
     * begin[symbol + 1] */
    const uint32_t *begin;
    const uint16_t *firsts;
    const chart_production *productions;
    uint16_t start;
    bool again; /* a second look */
};

uint32_t chart_hash(const char *text, size_t size);
/* The symbol of that name; 0: there is none. */
uint16_t chart_symbol(const chart_grammar *g, const char *text, size_t size);

/* The grammar of sentences, for the first look and for the second: tables that
 * tools/grammar makes of grammar.txt. */
extern const chart_grammar sentence_grammars[2];

#endif
