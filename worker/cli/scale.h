/* Whether a scene is as large as the assets that are to come into it. */
#ifndef ETNA_WORKER_CLI_SCALE_H
#define ETNA_WORKER_CLI_SCALE_H

#include "worker/assets/shelf.h"
#include "worker/builtin/builtin.h"

/* The scene's things against indexed ones of their kinds, the longest sides of
 * both, where at least three kinds are known: many cubes are one. ETNA_E_INPUT:
 * most are off by three times or more, so that its unit is another than was
 * taken; the text names one. */
etna_code scale_check(const builtin_facts *facts,
                      double metres_per_unit,
                      shelf *s,
                      etna_error *err);

#endif
