/* Goals with facts, as others wrote them to be judged by the boxes of a result,
 * made scenes of a suite: a fact becomes a predicate of the referee's where
 * there is one that says the same. */
#ifndef ETNA_COORDINATOR_BENCH_GOALS_H
#define ETNA_COORDINATOR_BENCH_GOALS_H

#include "proto/error.h"

#include <jansson.h>

/* A line {"id", "scene", "goal" or "steps", "level", "facts": [...]} as a scene
 * of a suite, a new object; its file is `path`. NULL: `why` says what of it a
 * suite cannot hold. */
json_t *goals_scene(const json_t *line,
                    const char *path,
                    char *why,
                    size_t size);

#endif
