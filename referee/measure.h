/* Predicates measured on scenes: whether each holds, and by how much. SUITE.md
 * defines them. */
#ifndef ETNA_REFEREE_MEASURE_H
#define ETNA_REFEREE_MEASURE_H

#include "referee/gltf_scene.h"
#include "referee/suite.h"

typedef struct stage {
    const suite_scene *scene;
    /* at the start, before this step, after it */
    const gltf_scene *start, *before, *now;
} stage;

typedef struct measure {
    bool holds;
    /* how far the thing is from where the verdict changes: metres, of FACING
     * and TURNED degrees; negative where it does not hold; -INFINITY: something
     * that it speaks of is gone */
    double margin;
} measure;

/* ETNA_E_INPUT: the scene at the start has no such thing, or several, or no
 * such camera: the suite is at fault. ETNA_E_NOMEM. */
etna_code measure_predicate(const stage *s,
                            const predicate *p,
                            measure *ret,
                            etna_error *err);

#endif
