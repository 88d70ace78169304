/* Everything that a benchmark measures, a line each: of which variant, way of
 * asking and level, what, how much, and out of how many of what. The table of
 * tally.h is a choice of these. */
#ifndef ETNA_COORDINATOR_BENCH_METRICS_H
#define ETNA_COORDINATOR_BENCH_METRICS_H

#include "coordinator/bench/tally.h"

/* Writes one line per measure of each variant, way and level. `times` is a list
 * of {"name", "wall_s", "compute_s", "model_s", "spent": money,
 * "sent": {role: bytes}, "images": {role: count}} of runs,
 * or NULL; compute_s 0: not known. `form` is markdown or CSV. A measure of nothing has no line.
 * False: out of memory. */
bool metrics_print(const result_row *rows,
                   size_t count,
                   const json_t *times,
                   tally_form form,
                   page *to);

#endif
