/* Whether a place exists, by trying them all: no free map, no descent, no
 * settling. */
#ifndef ETNA_TESTS_VERIFY_PLACE_H
#define ETNA_TESTS_VERIFY_PLACE_H

#include "referee/pair.h"

typedef enum relation {
    RELATION_ON,
    RELATION_IN,
    RELATION_UNDER,
    RELATION_BESIDE,
    RELATIONS
} relation;
/* RELATIONS: no such word. */
relation relation_of(const char *word);

typedef enum place_verdict {
    PLACE_FOUND,
    PLACE_NONE,
    PLACE_SHUT_IN, /* the thing cannot be taken from where it is */
    PLACE_UNKNOWN, /* no piece has that name */
    PLACE_NO_MEMORY
} place_verdict;

/* Tries every 5 cm and quarter turn for the thing named `what` at the thing
 * named `where`, on every level height that the relation allows there; of each
 * height and turn it asks for the way out of 60 places at most. `ret_at`, on
 * PLACE_FOUND: the middle of its box's bottom. */
place_verdict place_find(const pair *p,
                         relation r,
                         const char *what,
                         const char *where,
                         point *ret_at);

#endif
