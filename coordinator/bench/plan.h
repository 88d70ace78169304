/* What a benchmark runs: each scene of a suite, by each variant, so many times,
 * its list of steps and its general goal. */
#ifndef ETNA_COORDINATOR_BENCH_PLAN_H
#define ETNA_COORDINATOR_BENCH_PLAN_H

#include "coordinator/bench/results.h"

enum {
    PLAN_FLAGS_MAX = 8,
    PLAN_VARIANTS_MAX = 32
};

/* a row of the table: what of the method is taken away, or changed */
typedef struct plan_variant {
    const char *name, *what;
    const char *flags[PLAN_FLAGS_MAX]; /* of `etna run`, NULL behind the last */
} plan_variant;

/* a NULL name ends them */
extern const plan_variant plan_variants[];
const plan_variant *plan_find_variant(const char *name); /* NULL: none */

typedef struct plan_options {
    const plan_variant *variants[PLAN_VARIANTS_MAX];
    uint32_t variant_count;
    uint32_t repeats;
    /* of the first repeat; each further one's is one more */
    uint64_t seed;
    const char *split; /* "dev", "test" or NULL: both */
    const char *scene; /* one alone, or NULL */
    const char *mode;  /* "steps", "goal" or NULL: both */
    const char *model; /* --model, --models, --reader, --facts; NULL: unsaid */
    const char *models, *reader, *facts;
    bool no_images;
} plan_options;

typedef struct plan_job { /* a run */
    const suite_scene *scene;
    const plan_variant *variant;
    result_run run;
    char name[SUITE_NAME_MAX]; /* SCENE.VARIANT.rN, and .goal */
} plan_job;

void plan_job_name(const result_run *run, char *to, size_t size);

/* The jobs in the order in which they are run and told: scene, variant, repeat,
 * steps before the goal. Arena's. ETNA_E_USAGE: there is no such scene, or
 * nothing to do. */
etna_code plan_make(const suite *s,
                    const plan_options *o,
                    etna_arena *arena,
                    plan_job **ret_jobs,
                    uint32_t *ret_count,
                    etna_error *err);

/* The job as a line of `etna batch`; `file` is the scene's. NULL: out of
 * memory. */
json_t *plan_line(const plan_job *job, const plan_options *o, const char *file);

#endif
