/* A sentence's text -> tokens -> readings: trees of the grammar (grammar.txt)
 * over the lexicon. Pure; no scene but the words of its names, which decide
 * nothing but what may be a typing error of what. */
#ifndef ETNA_WORKER_BUILTIN_LANGUAGE_SENTENCE_H
#define ETNA_WORKER_BUILTIN_LANGUAGE_SENTENCE_H

#include "worker/builtin/language/chart.h"
#include "worker/builtin/language/mend.h"

enum {
    SENTENCE_BYTES_MAX = 4096,
    SENTENCE_TOKENS_MAX = 1200
};

typedef struct sentence_token {
    /* lower case, a typing error mended; a quoted name as written */
    const char *text;
    const char *written; /* as written */
    bool quoted, is_mark, mended, capital;
    uint32_t at, end; /* bytes of the whole text */
    /* What a misspelt word may have been, its text the first of them; count 0:
     * it is spelt as it is meant. A tree has chosen among them:
     * sentence_choose. */
    uint32_t variant_count;
    const mend_choice *variants;
} sentence_token;

/* A stretch of tokens between full stops. */
typedef struct sentence_part {
    uint32_t first, end;
    /* 1 + the token from which on what stands before it is left out; 0: nothing
     * is */
    uint32_t gap;
} sentence_part;

typedef struct sentence {
    uint32_t token_count, part_count;
    const sentence_token *tokens;
    const sentence_part *parts;
    /* a second look: what is said of where rather tells which thing is meant */
    bool again;
} sentence;

/* Splits a text. ETNA_E_INPUT: too long; ETNA_E_NOMEM. */
etna_code sentence_split(const char *text,
                         const sentence_vocabulary *vocabulary,
                         etna_arena *arena,
                         sentence *ret,
                         etna_error *err);

/* The grammar's readings of one part, cheapest first; *ret_count 0: it has
 * none. ETNA_E_INPUT: too many words in one part; ETNA_E_NOMEM. */
etna_code sentence_parse(const sentence *s,
                         const sentence_part *part,
                         const sentence_vocabulary *vocabulary,
                         etna_arena *arena,
                         chart_tree ret[CHART_TREES_MAX],
                         uint32_t *ret_count,
                         etna_error *err);

/* The sentence with each misspelt word of the part as a tree has it. */
etna_code sentence_choose(const sentence *s,
                          const sentence_part *part,
                          const chart_node *root,
                          etna_arena *arena,
                          sentence *ret,
                          etna_error *err);

/* A number's value in thousandths is the value of its $num terminal; amounts of
 * $unit are in micrometres, of $bit in millimetres (0: a little). */

/* May the word, in lower case, ask for something or tell which thing, how many,
 * where or not: is it more than a courtesy? */
bool sentence_word_tells(const char *word);

/* A tree as text, for tests and for people who work on the grammar. NULL: out
 * of memory. */
const char *sentence_tree_text(const sentence *s,
                               const sentence_part *part,
                               const chart_node *node,
                               etna_arena *arena);

#endif
