/* Which models a run may call: read from the list that --models, $ETNA_MODELS
 * or this installation names, cut down to the run's own. */
#ifndef ETNA_COORDINATOR_CLI_MODELS_FILE_H
#define ETNA_COORDINATOR_CLI_MODELS_FILE_H

#include "proto/arena.h"
#include "proto/error.h"
#include "proto/models.h"

/* *ret_json: canonical JSON (proto/models.h) of `model`, of what the file's
 * `roles` name, of `reader` (NULL: none) and of their fallbacks. With builtin
 * the file's roles mean nothing. NULL for builtin without a reader, for which
 * no file is read. `given`: --models, or NULL: $ETNA_MODELS, else
 * share/etna/models.yaml beside the folder this program stands in.
 * ETNA_E_USAGE: no such file, nothing that can be read, or no such model, with
 * the names there are. */
etna_code models_file_cut(const char *given,
                          const char *model,
                          const char *reader,
                          etna_arena *arena,
                          const char **ret_json,
                          etna_error *err);
/* The whole list, and where it stands. */
etna_code models_file_all(const char *given,
                          etna_arena *arena,
                          models *ret,
                          char *ret_path,
                          size_t size,
                          etna_error *err);
/* The model that `role` (etna_role) asks in a run of `model` with that list: an
 * own one, or the run's. */
etna_code models_file_role(const char *json,
                           const char *model,
                           uint32_t role,
                           etna_arena *arena,
                           const char **ret_name,
                           etna_error *err);

/* 1 << etna_role for each of planner, executor and evaluator that a network
 * model plays. */
etna_code models_file_foreign(const char *json,
                              const char *model,
                              etna_arena *arena,
                              uint32_t *ret_foreign,
                              etna_error *err);

#endif
