/* Rows of a sentence and the moves that it is read as, over one world. */
#ifndef ETNA_TESTS_BUILTIN_MEANT_H
#define ETNA_TESTS_BUILTIN_MEANT_H

#include "tests/support/facts_world.h"

typedef struct meant {
    const char *sentence;
    const char
        *reading; /* each move as "things relation reference"; "" refused */
} meant;

/* Fails the test where one is read otherwise. */
void assert_meant(const facts_world *w, const meant *rows, size_t count);

#define ASSERT_MEANT(w, rows) assert_meant(w, rows, sizeof rows / sizeof *rows)

#endif
