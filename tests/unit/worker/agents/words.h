/* Verbs for made sentences, and what words there are. */
#ifndef ETNA_TESTS_AGENTS_WORDS_H
#define ETNA_TESTS_AGENTS_WORDS_H

#include "proto/seed.h"

#include <stdbool.h>

/* "place": takes whatever place is said */
const char *words_put(etna_random *random);
/* "shift": goes along the ground, takes lengths */
const char *words_move(etna_random *random);
/* lower case: does a list of words have it? */
bool words_known(const char *word);

#endif
