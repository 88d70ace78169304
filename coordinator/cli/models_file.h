/* Which models a run may call: the list that --models, $ETNA_MODELS or this
 * installation names, cut down to the run's own. The cut list becomes part of
 * the run's config, so that a resumed run asks the same models whatever became
 * of the file. */
#ifndef ETNA_COORDINATOR_CLI_MODELS_FILE_H
#define ETNA_COORDINATOR_CLI_MODELS_FILE_H

#include "proto/arena.h"
#include "proto/error.h"
#include "proto/models.h"

/* *ret_json: canonical JSON (proto/models.h) of `model`, `reader` (NULL: none),
 * what the file's `roles` name, and all their fallbacks, in `arena`. For the
 * built-in agent the file's roles mean nothing; without a reader no file is
 * read then, and *ret_json is NULL. `given`: --models; NULL: $ETNA_MODELS,
 * otherwise share/etna/models.yaml of the installation. ETNA_E_USAGE: the file
 * cannot be read, or has no such model, and then the text lists those there
 * are. */
etna_code models_file_cut(const char *given,
                          const char *model,
                          const char *reader,
                          etna_arena *arena,
                          const char **ret_json,
                          etna_error *err);
/* The whole list, in `arena`, and the path of its file (cut at `size`). Errors
 * as above. */
etna_code models_file_all(const char *given,
                          etna_arena *arena,
                          models *ret,
                          char *ret_path,
                          size_t size,
                          etna_error *err);
/* Which model plays `role` (etna_role) in a run of `model`: one of its own, or
 * the run's. `json`: from models_file_cut(), or NULL. *ret_name: `model`, or
 * the arena's. */
etna_code models_file_role(const char *json,
                           const char *model,
                           uint32_t role,
                           etna_arena *arena,
                           const char **ret_name,
                           etna_error *err);

/* *ret_foreign: 1 << role for each of planner, executor and evaluator that a
 * network model plays; 0: the run is free of charge. */
etna_code models_file_foreign(const char *json,
                              const char *model,
                              etna_arena *arena,
                              uint32_t *ret_foreign,
                              etna_error *err);

#endif
