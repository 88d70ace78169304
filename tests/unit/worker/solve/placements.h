/* Generated tables, 50 to 95 % full of other people's models, with one place
 * that is known to be free: what the solver's quality is measured on, by a test
 * and by etna-bench. Without other people's models, plain solids are used. */
#ifndef ETNA_TESTS_UNIT_WORKER_SOLVE_PLACEMENTS_H
#define ETNA_TESTS_UNIT_WORKER_SOLVE_PLACEMENTS_H

#include "tests/support/scene_builder.h"
#include "worker/solve/solve.h"

typedef struct placement_models placement_models;
/* The furniture of $ETNA_TEST_DATA; NULL folder or none there: solids. Aborts
 * without memory. */
placement_models *placement_models_load(const char *data);
void placement_models_free(placement_models *models);
uint32_t placement_models_count(const placement_models *models, bool *ret_real);

typedef struct placement {
    scene_builder *builder;
    scene *scene;
    space_shared *shared;
    space *space;
    probe_shared *probes;
    etna_arena arena;
    /* the guest onto the table, whole, close to some pixel of its top */
    constraint_list constraints;
    uint32_t guest;
    arrange_pose known; /* where it collides with nothing and stands: checked */
    /* share of the table's top that the others' boxes cover */
    double full;
} placement;
/* The same for the same number. False with a text when something that must work
 * does not. */
bool placement_make(const placement_models *models,
                    uint64_t number,
                    placement *ret,
                    etna_error *err);
void placement_free(placement *p);
/* Solves, by the paper's solver or ours. */
bool placement_solve(const placement *p,
                     bool paper,
                     double (*clock_ms)(void),
                     solve_result *ret,
                     etna_error *err);
/* Does the guest collide with nothing, and does all stand, where the result
 * puts it? */
bool placement_holds(placement *p, const arrange_pose *pose);

#endif
