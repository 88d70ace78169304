/* A small scene with its space, probes and camera, and a solve in one call:
 * what the solver's tests share. */
#ifndef ETNA_TESTS_UNIT_WORKER_SOLVE_WORLD_H
#define ETNA_TESTS_UNIT_WORKER_SOLVE_WORLD_H

#include "tests/support/stage.h"
#include "worker/solve/solve_internal.h"

typedef stage world;

/* Begins with a static floor "floor" of 4 x 4 m whose top is z 0 and a camera
 * at (0, -2.5, 1.8) that looks at the middle. */
scene_builder *world_begin(void);
/* Image place of a world point. */
void world_pixel(const world *w, vec3 point, double *ret_x, double *ret_y);
constraint_list world_constraints(world *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Solves and fails the test when solve_run does. */
solve_result world_solve(world *w, const constraint_list *list, uint64_t seed);

/* Standing on a plane at a pixel: object, x, y, plane, plane, mode. */
#define WORLD_ON_TOP \
    "[\"ObjectName\",\"%s\"],[\"CloseToPix\",\"down\",[%.6f,%.6f]],[\"Contact\",\"down\",\"%s\"],[\"NoOverhang\",\"down\",\"%s\",\"%s\"]"
/* world_begin and a block of `block` x `block` x 0.1 m at the middle, a bottle
 * beside it. */
scene_builder *world_bottle_and_block(double block);
/* A desk of two slabs in an L, and constraints that put a box whole onto it
 * where the corner is missing, `in` metres from the inner angle: within the
 * hull of the desk's top, and over nothing. */
world world_angled_desk(double in, constraint_list *ret_constraints);
/* Solves WORLD_ON_TOP at a world point. */
solve_result world_put(world *w,
                       const char *object,
                       vec3 at,
                       const char *plane,
                       const char *mode,
                       uint64_t seed);
void world_near(double a, double b, double tolerance);

#endif
