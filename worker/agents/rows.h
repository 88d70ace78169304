/* Constraints in the many shapes that models give them, made the rows that
 * worker/solve reads: an array for each, its name and words spelt as they are
 * there, numbers as numbers of its unit. What could mean two things is left as
 * it stands, for worker/solve to refuse with its form. Pure. */
#ifndef ETNA_WORKER_AGENTS_ROWS_H
#define ETNA_WORKER_AGENTS_ROWS_H

#include "worker/agents/scale.h"

#include <jansson.h>

/* The text of a block, strict JSON or loose. *ret: a new array of arrays.
 * Coordinates over 1 are read by `scale`, which may learn from them.
 * ETNA_E_INPUT, ETNA_E_NOMEM. */
etna_code rows_read(const char *text,
                    size_t size,
                    picture_scale *scale,
                    json_t **ret,
                    etna_error *err);

/* The same by the names of constraints alone, for a block that rows_read makes
 * nothing of, and that worker/solve refuses. */
etna_code rows_read_by_names(const char *text,
                             size_t size,
                             picture_scale *scale,
                             json_t **ret,
                             etna_error *err);

/* Rows that stand between ticks at the ends of lines of prose, of each kind
 * one. */
etna_code rows_read_ticked(const char *text,
                           size_t size,
                           picture_scale *scale,
                           json_t **ret,
                           etna_error *err);

#endif
