/* What a sentence means, in the notation of
 * tests/unit/worker/builtin/sentences/: written from a reading, and compared
 * with one. The notation is told in strangers_tuned.txt. */
#ifndef ETNA_TESTS_AGENTS_READINGS_H
#define ETNA_TESTS_AGENTS_READINGS_H

#include "worker/builtin/builtin.h"

/* Where the things of one move go, without the things and their order. Cut to
 * `size`. */
void readings_place(const builtin_facts *facts,
                    const builtin_move *move,
                    char *text,
                    size_t size);
/* The whole reading, moves apart by ";". Cut to `size`. */
void readings_write(const builtin_facts *facts,
                    const builtin_reading *reading,
                    char *text,
                    size_t size);
/* Is the reading one of those that `wanted` allows (apart by "||")? `reading`
 * NULL: the sentence was refused. Fails the test when `wanted` can't be read or
 * names a thing that the facts do not have. */
bool readings_match(const builtin_facts *facts,
                    const builtin_reading *reading,
                    const char *wanted);
/* Do all that `wanted` allows say that the sentence must be refused? */
bool readings_refused(const char *wanted);
/* Is this code (NULL: none was told) one of those that `wanted` has? */
bool readings_has_code(const char *wanted, const char *code);

/* A line of a table, or a part of one, without blanks and the line's end; cuts the
 * text. */
char *readings_trim(char *text);

#endif
