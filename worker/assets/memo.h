/* What was worked out for a text, a kind or a phrase, kept for the next asset
 * that has the same: the models of a library share most of their words.
 * Internal to worker/assets. Nothing that is kept changes what comes out. */
#ifndef ETNA_WORKER_ASSETS_MEMO_H
#define ETNA_WORKER_ASSETS_MEMO_H

#include "proto/arena.h"
#include "worker/assets/strings.h"
#include "worker/builtin/language/kinds.h"

enum {
    /* texts that are kept of one table; of more than that each is worked out
     * anew */
    MEMO_MOST = 1 << 18,
    MEMO_KINDS = 1 << 16
};

typedef struct memo_term {
    uint32_t number; /* of the term's text */
    uint32_t field;
    double weight;
} memo_term;
typedef struct memo_vote {
    const kinds_id *id;
    double share;
} memo_vote;
/* of the terms or of the votes */
typedef struct memo_span {
    uint32_t first, count;
} memo_span;

typedef struct memo_table { /* all zero is empty */
    strings keys;
    memo_span *spans; /* by key */
    uint32_t room;
} memo_table;
/* NULL: it is not there. */
const memo_span *memo_find(const memo_table *t, const char *key);
/* Keeps it if there is room for more texts. *ret_kept: it was. False: no
 * memory. */
bool memo_add(memo_table *t, const char *key, memo_span span, bool *ret_kept);
void memo_table_free(memo_table *t);

typedef struct memo_ids { /* what phrases mean; all zero is empty */
    strings phrases;
    const kinds_id **ids; /* by phrase; NULL: nothing */
    uint32_t room;
    kinds_id last; /* one that was not kept */
    const kinds_id *above[MEMO_KINDS];
    etna_arena arena;
} memo_ids;
/* As kinds_find has it; NULL: nothing. What is not `kept` lasts until the next
 * call. *failed is set where memory ends. */
const kinds_id *memo_id(memo_ids *m,
                        const char *phrase,
                        bool kept,
                        bool *failed);
/* As kinds_find_above has it. NULL: no memory, and *failed is set. */
const kinds_id *memo_above(memo_ids *m, uint16_t kind, bool *failed);
void memo_ids_free(memo_ids *m);

#endif
