/* What the two halves of the reader share: builtin_read.c cuts a text into clauses and sees what kind each is,
 * builtin_clause*.c read one. Nobody else includes this. */
#ifndef ETNA_WORKER_MODEL_BUILTIN_READ_OWN_H
#define ETNA_WORKER_MODEL_BUILTIN_READ_OWN_H

#include "worker/model/builtin.h"

#include <string.h>

enum { PHRASES_MAX = 32, MARKS_MAX = 8 };

typedef enum verb {
    VERB_NONE = 0,
    VERB_PUT,
    VERB_TAKE,
    VERB_SWAP,
    VERB_CLEAR,
    VERB_STACK,
    VERB_TURN,
    VERB_LINE,
    VERB_CENTRE,
    VERB_HANG
} verb;

typedef struct reader {
    const builtin_facts *facts;
    const char *sentence;
    builtin_word *words;
    uint32_t count;
    etna_arena *arena;
    builtin_reading *reading;
    etna_error *err;
    bool clearing;           /* the reference is to be cleared */
    bool has_verb;           /* a clause before had one */
    builtin_set last;        /* what "it" means */
    uint32_t last_reference; /* and in "on it" */
    uint32_t level;          /* of the reference read last: which of its boards is meant, 0: none */
    uint32_t last_owner;     /* whose board that was the last time one was */
    uint32_t on_level;       /* of what the things spoken of stand on */
    bool moving;             /* the verb moves things; "it should be" and "keep it" do not */
    builtin_relation last_relation;
    bool taken; /* things were taken up and not yet put anywhere */
    uint32_t taken_at;
} reader;

typedef struct clause {
    uint32_t start, first, end; /* first: behind the verb */
    verb verb;
    builtin_mark marks[MARKS_MAX];
    uint32_t mark_count, things_end;
    builtin_order order;
} clause;

static inline bool is_word(const reader *r, uint32_t i, const char *text)
{
    return i < r->count && !r->words[i].quoted && strcmp(r->words[i].text, text) == 0;
}

static inline bool is_one_of(const reader *r, uint32_t i, const char *const *list)
{
    for (; *list; list++) {
        if (is_word(r, i, *list)) return true;
    }
    return false;
}

static inline bool mark_at(const reader *r, uint32_t i, uint32_t end, builtin_mark *ret)
{
    return builtin_mark_at(r->words, end, i, ret);
}

static inline bool is_conjunction(const reader *r, uint32_t i) { return is_word(r, i, "and") || is_word(r, i, ","); }

/* Refuses the words [first, end) with a reason. */
etna_code reader_refuse(const reader *r, uint32_t first, uint32_t end, const char *why);
verb reader_verb_at(const reader *r, uint32_t i);
bool reader_is_verb(const reader *r, uint32_t i);
uint32_t reader_skip_fillers(const reader *r, uint32_t i);

/* Marks of the words behind c->first, and where the things end. */
etna_code clause_find_marks(reader *r, clause *c);
/* Behind "the positions of", which says nothing more than the verb; i when it is not there. */
uint32_t clause_skip_positions(const reader *r, uint32_t i);
/* By kind of verb; the marks have been found for all but swaps and clearing. They add to the reading. ETNA_E_INPUT. */
etna_code clause_put(reader *r, clause *c);
etna_code clause_turn(reader *r, clause *c);
etna_code clause_swap(reader *r, clause *c);
etna_code clause_clear(reader *r, clause *c);
etna_code clause_stack(reader *r, clause *c);
etna_code clause_line(reader *r, clause *c);

#endif
