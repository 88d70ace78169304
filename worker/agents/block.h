/* Finding the parts of a model's answer in the prose around them. A part stands
 * between marks, [constraints] and [end of constraints] as our prompts write
 * them; models write them in many ways, and of several drafts the last complete
 * one is meant. Hostile text, pure. */
#ifndef ETNA_WORKER_AGENTS_BLOCK_H
#define ETNA_WORKER_AGENTS_BLOCK_H

#include "worker/agents/plain.h"

typedef enum block_end {
    BLOCK_CLOSED = 1, /* by its own mark */
    BLOCK_MARKED,     /* by the mark of another part, or <completion> */
    BLOCK_OPEN        /* by the end of the answer */
} block_end;

typedef struct block {
    const char *text; /* of plain.text, between the marks */
    size_t size;
    size_t from, to; /* where that is in plain.text */
    /* where its opening mark begins, and what follows its end */
    size_t begin, behind;
    block_end end;
} block;

/* The names of parts, as block_find wants them, and of the words that stand as
 * marks alone. */
#define BLOCK_INSTRUCTION "updated_instruction"
#define BLOCK_COORDINATE "coordinate"
#define BLOCK_ITEM "list_item"
#define BLOCK_PART "goal_part"
#define BLOCK_WAY "makes_way"
#define BLOCK_REFUSAL "refusal"
#define BLOCK_CONSTRAINTS "constraints"
#define BLOCK_PLACEMENT "placement"
#define BLOCK_SCRIPT "script"
#define BLOCK_EVALUATION "evaluation"
#define BLOCK_FINISHED "finished"
#define BLOCK_IMPOSSIBLE "impossible"
#define BLOCK_UNREADABLE "unreadable"
#define BLOCK_COMPLETION "completion"

/* The last complete part of that name; where none is closed, the last that is
 * begun on a line of its own. Marks are read in any case, in [], <>, {} and (),
 * with emphasis, fences or list signs around, as "[/name]", "[end_of_name]",
 * "[END NAME]" and the like, as "NAME:" or a heading on a line of its own.
 * ETNA_E_INPUT: there is none. */
etna_code block_find(const plain *p,
                     const char *name,
                     block *ret,
                     etna_error *err);

/* The last mark `name` that stands alone (<finished>), from `from` on. `alone`:
 * on a line of its own, or at the end of one that says more; else a mention in
 * the midst of a line counts, too. False: there is none. */
bool block_word(
    const plain *p, const char *name, size_t from, bool alone, size_t *ret_at);

/* Does `word` (lower case) stand in the block as a whole word, in any case? */
bool block_has_word(const block *b, const char *word);

/* A decimal number ("0.5", "-3", ".5"; no exponent, hex, nan or inf) at *at;
 * moves *at past it. False when there is none. */
bool block_number(const char **at, const char *end, double *ret);

#endif
