/* The world that the language tests speak of, and facts read from it. */
#ifndef ETNA_TESTS_MODEL_READ_WORLD_H
#define ETNA_TESTS_MODEL_READ_WORLD_H

#include "tests/support/facts_world.h"
#include "worker/builtin/builtin.h"

/* Floor, Table, Desk_2, blocks, bottles of three colours, chairs, a lamp: see
 * the body. */
facts_world read_world(void);
/* Facts of a world; everything lives in `arena`. Fails the test when they
 * cannot be read. */
builtin_facts read_world_facts(const facts_world *w, etna_arena *arena);
/* The only move that the sentence is read as; what it points to is the arena's.
 * Fails the test when it is refused or is several. */
builtin_move read_world_move(const builtin_facts *facts,
                             const char *sentence,
                             etna_arena *arena);
/* The planner's answer to a task of JSON; the arena's. Fails the test when
 * there is none. */
const char *read_world_answer(const facts_world *w,
                              const char *task,
                              etna_arena *arena);
/* The evaluator's, as well. */
const char *read_world_verdict(const facts_world *w,
                               const char *task,
                               etna_arena *arena);
/* The instruction of an answer, as JSON; "\"\"" when it has none. The
 * arena's. */
const char *read_world_instruction(const char *answer, etna_arena *arena);

#endif
