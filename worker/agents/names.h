/* Names as a model writes them, in another case, in quotes, with spaces for
 * underscores, found in a scene where they are nobody else's. Pure. */
#ifndef ETNA_WORKER_AGENTS_NAMES_H
#define ETNA_WORKER_AGENTS_NAMES_H

#include "worker/agents/agent.h"
#include "worker/scene/scene.h"

/* The object of that name, else the only one that is called so but for its
 * spelling; SCENE_NONE: none, or several. */
uint32_t names_object(const scene *s, const char *name);

/* Is it that name but for its spelling, an article, and what stands around
 * it? */
bool names_mean(const char *said, const char *name);

/* Constraints (compact JSON, as executor_result has them) with the names of
 * objects and planes as the scene spells them, where it is clear which are
 * meant; the others stay as they are. *ret: `constraints` itself, or a text in
 * `arena`. ETNA_E_NOMEM. */
etna_code names_spell(const scene *s,
                      const char *constraints,
                      etna_arena *arena,
                      const char **ret,
                      etna_error *err);

#endif
