/* Two variants held against each other, scene by scene. */
#ifndef ETNA_COORDINATOR_BENCH_COMPARE_H
#define ETNA_COORDINATOR_BENCH_COMPARE_H

#include "coordinator/bench/tally.h"

typedef struct compare_scene {
    const char *name;
    double base, other; /* its rate over all repeats */
} compare_scene;

typedef struct comparison {
    const char *variant; /* held against the base; borrowed */
    double base, other;  /* means over the scenes that both have */
    double difference;   /* other less base */
    interval range;      /* of that, by bootstrap over scenes */
    /* paired permutation; over all comparisons made together */
    double p, p_holm;
    compare_scene *scenes;
    size_t scene_count;
} comparison;

/* Each of `variants` against `base`, by a rate of their steps (or goals).
 * `base_rows` and `rows` may be of two benchmarks. False: out of memory. Each
 * is freed by comparison_free. */
bool compare_make(const result_row *base_rows,
                  size_t base_count,
                  const char *base,
                  const result_row *rows,
                  size_t count,
                  const char *const *variants,
                  size_t variant_count,
                  bool is_goal,
                  tally_rate rate,
                  comparison *ret);
void comparison_free(comparison *c);

#endif
