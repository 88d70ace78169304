/* A chart parser: every way in which a grammar reads a row of tokens, the
 * cheapest few first (CKY over a binarised grammar, k best a cell). Pure;
 * everything lives in the caller's arena; the same input gives the same trees.
 *
 * A grammar is text, a production a line:   left/NAME cost = symbol symbol? 'word' $category ...
 *   left       a symbol; the first line's is the start
 *   /NAME      makes a tree node of that name; without it the children become children of the node above
 *   cost       hundredths; may be left out; "30~5": 5 in a second look, at what fitted nothing in the first
 *   'word'     that very word; $category: a token that the lexicon puts there; symbol?: may be missing
 *   |          another right side for the same left, name and cost */
#ifndef ETNA_WORKER_BUILTIN_LANGUAGE_CHART_H
#define ETNA_WORKER_BUILTIN_LANGUAGE_CHART_H

#include "proto/arena.h"
#include "proto/error.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CHART_TOKENS_MAX = 80, /* tokens of one parse */
    CHART_SYMBOLS_MAX = 8192,
    CHART_TREES_MAX = 24 /* readings of one parse */
};

typedef struct chart_grammar chart_grammar;

/* A stretch of tokens as the lexicon knows it. Names are of the grammar's
 * alphabet: "$put" or "'word'". */
typedef struct chart_terminal {
    uint32_t first, end; /* tokens */
    const char *category;
    uint32_t value, variant; /* the caller's: kept in the tree */
    uint32_t cost;           /* hundredths */
} chart_terminal;

typedef struct chart_node {
    const char *name;        /* production's, or the terminal's category */
    uint32_t first, end;     /* tokens */
    uint32_t value, variant; /* terminals: the caller's */
    bool is_terminal;
    uint32_t child_count;
    const struct chart_node *const *children;
} chart_node;

typedef struct chart_tree {
    const chart_node *root;
    uint32_t cost;
} chart_tree;

/* Compiles a grammar's text, for the first look or for the second (`again`),
 * which keeps more readings. ETNA_E_INTERNAL: a line that is none, with its
 * number; ETNA_E_NOMEM. */
etna_code chart_compile(const char *text,
                        bool again,
                        etna_arena *arena,
                        const chart_grammar **ret,
                        etna_error *err);

/* Every reading of tokens [0, token_count) from the start symbol, cheapest
 * first; *ret_count 0: none. ETNA_E_INPUT: more than CHART_TOKENS_MAX tokens;
 * ETNA_E_NOMEM. */
etna_code chart_parse(const chart_grammar *grammar,
                      uint32_t token_count,
                      const chart_terminal *terminals,
                      uint32_t terminal_count,
                      etna_arena *arena,
                      chart_tree ret[CHART_TREES_MAX],
                      uint32_t *ret_count,
                      etna_error *err);

/* The first child of that name; NULL: none. */
const chart_node *chart_child(const chart_node *node, const char *name);
/* The first node of that name in the tree below (or at) the node, in the order
 * of the sentence; NULL: none. */
const chart_node *chart_find(const chart_node *node, const char *name);

#endif
