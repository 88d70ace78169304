/* A scene ready for rays, checks and pictures, as most lines want one. */
#ifndef ETNA_TESTS_BENCH_RIG_H
#define ETNA_TESTS_BENCH_RIG_H

#include "tests/bench/bench.h"
#include "worker/solve/solve.h"

typedef struct rig {
    uint8_t *bundle;
    size_t bundle_size;
    scene *scene;
    space_shared *shared;
    probe_shared *probes;
    space *space;
    uint64_t triangles;
} rig;
/* ends the program with a text when it cannot */
void rig_open(rig *r, const char *path);
/* the same of one made in memory; keeps a reference */
void rig_of_scene(rig *r, scene *s);
void rig_close(rig *r);
void rig_must(etna_code code, const etna_error *err);
/* The constraints solved from the first camera with one fixed seed; ends the
 * program when they cannot be read. */
void rig_solve(rig *r, const constraint_list *constraints, solve_result *ret);
/* An object moved by (x, y, z) from where the file has it. */
arrange_pose rig_pose(
    const rig *r, uint32_t object, double x, double y, double z);

#endif
