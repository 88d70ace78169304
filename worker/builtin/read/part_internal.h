/* What the steps from one part of a text to its reading share. Nobody else
 * includes this. Costs are hundredths.
 *
 *   part.c         a part -> trees of the grammar -> the one that is meant
 *   attempt.c      one tree after another, each read by a copy of the reader
 *   tree_read.c    a tree -> moves
 *   tree_shape.c   what a tree's shape says against it
 *   second_look.c  trees that tell a thing by its place
 *   rescue.c       a part that is not read by itself */
#ifndef ETNA_WORKER_BUILTIN_READ_PART_INTERNAL_H
#define ETNA_WORKER_BUILTIN_READ_PART_INTERNAL_H

#include "worker/builtin/language/chart.h"
#include "worker/builtin/read/reader.h"

/* ---- one tree: tree_read.c ---- */
/* Appends the moves of the tree to r's reading, in the order of the text.
 * ETNA_E_INPUT: they cannot be meant here, the diagnosis is set; the reader is
 * not to be used any more. ETNA_E_NOMEM. */
etna_code tree_read(reader *r, const chart_node *node);
/* The first node that asks for what nobody can do by moving things; NULL: there
 * is none. */
const chart_node *tree_impossible(const reader *r, const chart_node *node);

/* ---- its shape: tree_shape.c ---- */
/* What it costs beyond the grammar: torn phrases, a wish that is taken back,
 * verbs in the wrong number. */
uint32_t tree_cost_of_shape(const reader *r, const chart_node *root);
/* False: it cuts words that belong together, or is no sentence here. */
bool tree_may_be_meant(const reader *r, const chart_node *root);

/* ---- trees that were read: attempt.c ---- */
/* by how much more another reading may cost and still be as likely */
enum {
    MARGIN_OF_MENDED = 5
};

/* One tree's reading. */
typedef struct attempt {
    reader r;
    builtin_reading reading;
    const chart_node *root;
    uint32_t cost; /* by grammar and scene */
} attempt;

typedef struct attempt_list { /* of one part */
    uint32_t count;
    attempt *items[CHART_TREES_MAX]; /* that mean something here */
    uint32_t best_cost;
    bool misspelt;
    /* what a tree must cost less than to be meant beside those refused */
    uint32_t limit;
    bool refused; /* one means nothing here; of the first of these: */
    const chart_node *first_root;
    builtin_refusal refusal;
    etna_error why;
} attempt_list;

/* Reads a tree as part of the sentence whose misspelt words the tree has
 * chosen. r stays as it is; *ret borrows from its arena. As tree_read fails. */
etna_code attempt_make(const reader *r, const chart_tree *tree, attempt *ret);
/* The reader goes on where the attempt ended. */
void attempt_take(reader *r, const attempt *a);
/* Do two readings ask for the same, as far as misspelt words decide it? */
bool readings_same(const builtin_reading *a, const builtin_reading *b);
/* Is a tree that costs so much by grammar too far from the best to be worth
 * reading? */
bool attempts_are_enough(const attempt_list *list, uint32_t cost);
/* Reads one more tree. One that can't be meant is noted, which is no failure.
 * ETNA_E_NOMEM. */
etna_code attempts_add(reader *r, const chart_tree *tree, attempt_list *list);
/* The best of count >= 1 attempts. ETNA_E_INPUT: another takes a misspelt word
 * for another, is as good and asks for something else. */
etna_code attempts_choose(reader *r,
                          attempt *const *attempts,
                          uint32_t count,
                          const attempt **ret);

/* ---- a second look: second_look.c ---- */
/* The best of the trees that the first look passed over. */
typedef struct second_look {
    attempt *best; /* NULL: nothing came of it */
    uint32_t told; /* words of its tree that tell a thing by its place */
    bool doubtful; /* another asks for something else with as many */
} second_look;

/* Reads r's part by the grammar whose things may have a place of their own; r
 * stays as it is but for the grammar, which is made once. ETNA_E_NOMEM. */
etna_code part_look_again(reader *r,
                          const sentence_vocabulary *vocabulary,
                          second_look *ret);
/* Does its reading tell by a place what the refused phrase means? False also
 * where it found none. */
bool look_answers(const second_look *look, const builtin_refusal *refusal);

/* ---- a part that is not read by itself: rescue.c ---- */
typedef struct part_try { /* of a part that is not read */
    const sentence_vocabulary *vocabulary;
    const reader *start; /* before it */
    /* before the part that it follows; NULL: it is the first */
    const reader *before;
    const builtin_reading *reading; /* then */
    bool beside;                    /* another may ask for something */
    bool unread;                    /* it has no tree */
    const sentence_part *next;      /* NULL: it is the last */
    bool *took_next;                /* read with it */
} part_try;

/* "No, ...", "sorry, ...": takes back what was asked before? */
bool part_corrects(const reader *r, const sentence_part *part);
/* Reads it with its neighbours, or passes it over. ETNA_E_INPUT: it can't be
 * read in any other way either; all is as it was. ETNA_E_NOMEM. */
etna_code part_rescue(reader *r, const part_try *t);

#endif
