/* A small scene with its space, probes and camera, and a solve in one call: what the solver's tests share. */
#ifndef ETNA_TESTS_UNIT_WORKER_SOLVE_WORLD_H
#define ETNA_TESTS_UNIT_WORKER_SOLVE_WORLD_H

#include "tests/support/scene_builder.h"
#include "worker/solve/own.h"

typedef struct world {
    scene_builder *builder;
    scene *scene;
    space_shared *shared;
    space *space;
    probe_shared *probes;
    etna_arena arena;
} world;

/* Begins with a static floor "floor" of 4 x 4 m whose top is z 0 and a camera at (0, -2.5, 1.8) that looks at the middle. */
scene_builder *world_begin(void);
world world_open(scene_builder *b);
void world_close(world *w);
/* Image place of a world point. */
void world_pixel(const world *w, vec3 point, double *ret_x, double *ret_y);
constraint_list world_constraints(world *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Solves and fails the test when solve_run does. */
solve_result world_solve(world *w, const constraint_list *list, uint64_t seed);

#endif
