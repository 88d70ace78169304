/* What the parts of predicates.h share: predicates.c writes, predicates_check.c
 * checks an answer, predicates_read.c reads it back to moves. Nobody else
 * includes this. */
#ifndef ETNA_WORKER_BUILTIN_READ_PREDICATES_INTERNAL_H
#define ETNA_WORKER_BUILTIN_READ_PREDICATES_INTERNAL_H

#include "worker/builtin/read/predicates.h"

/* Words of the fields, in the order of their values or bits; "" is no word. */
enum {
    PREDICATES_SIDES = 4,
    PREDICATES_SLOTS = 4,
    PREDICATES_ALIGNS = 5
};
extern const char *const predicates_sides[PREDICATES_SIDES];
extern const char *const predicates_slots[PREDICATES_SLOTS];
extern const char *const predicates_aligns[PREDICATES_ALIGNS];

/* RELATION_COUNT: it is none */
builtin_relation predicates_relation(const char *kind);

typedef struct predicates_text {
    char text[240];
} predicates_text;
/* Does a predicate whose fields are checked say what its kind has no use for?
 * *ret then has it in words that can be sent back. */
bool predicates_is_unused(const json_t *one, predicates_text *ret);

#endif
