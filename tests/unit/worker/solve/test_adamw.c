/* The descent is PyTorch's AdamW on the same losses: its poses are held against
 * those that tests/bench/peers/adamw.py stored, in double and in the single
 * precision that the solver uses. */
#include "tests/unit/worker/solve/adamw_traces.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum {
    FIRST_STEPS = 20
};

static double farthest(const double a[4], const double b[4])
{
    double most = 0;
    for (int k = 0; k < 4; k++)
        most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

static void in_double_every_stored_pose_is_pytorchs(void **state)
{
    (void)state;
    for (int i = 0; i < ADAMW_PROBLEMS; i++)
        for (uint32_t lane = 0; lane < ADAMW_LANES; lane++) {
            for (int k = 0; k < ADAMW_STORED; k++) {
                double pose[4];
                memcpy(pose, adamw_starts[i][lane], sizeof pose);
                problem_descend_double(&adamw_problems[i], SOLVE_ITERATIONS,
                                       adamw_steps[k], lane, pose);
                double off = farthest(pose, adamw_poses[i][k][lane]);
                if (!(off <= 1e-9))
                    fail_msg("problem %d, lane %u, step %u: off by %.3g", i,
                             lane, adamw_steps[k], off);
            }
        }
}

static void descend_single(int i, uint32_t stop, uint32_t lane, double ret[4])
{
    static float pose[4][SOLVE_CANDIDATES];
    memset(pose, 0, sizeof pose);
    for (int k = 0; k < 4; k++)
        pose[k][lane] = (float)adamw_starts[i][lane][k];
    problem_descend_until(&adamw_problems[i], SOLVE_ITERATIONS, stop, pose);
    for (int k = 0; k < 4; k++)
        ret[k] = (double)pose[k][lane];
}

static void in_single_precision_the_first_steps_and_the_last_loss_are(
    void **state)
{
    (void)state;
    for (int i = 0; i < ADAMW_PROBLEMS; i++)
        for (uint32_t lane = 0; lane < ADAMW_LANES; lane++) {
            double pose[4];
            for (int k = 0; k < FIRST_STEPS; k++) {
                descend_single(i, adamw_steps[k], lane, pose);
                double off = farthest(pose, adamw_poses[i][k][lane]);
                if (!(off <= 1e-5))
                    fail_msg("problem %d, lane %u, step %u: off by %.3g", i,
                             lane, adamw_steps[k], off);
            }
            descend_single(i, SOLVE_ITERATIONS, lane, pose);
            double loss =
                problem_loss(&adamw_problems[i], lane, true, pose, NULL, NULL);
            if (!(fabs(loss - adamw_losses[i][lane]) <= 5e-3))
                fail_msg("problem %d, lane %u: loss %.6f, PyTorch's %.6f", i,
                         lane, loss, adamw_losses[i][lane]);
        }
}

/* The stored poses are no row of copies: each problem goes somewhere, and a
 * wrong decay or rate would be seen. */
static void the_stored_descents_go_somewhere(void **state)
{
    (void)state;
    assert_int_equal(adamw_steps[FIRST_STEPS - 1], FIRST_STEPS);
    assert_int_equal(adamw_steps[ADAMW_STORED - 1], SOLVE_ITERATIONS);
    for (int i = 0; i < ADAMW_PROBLEMS; i++)
        for (uint32_t lane = 0; lane < ADAMW_LANES; lane++) {
            assert_true(farthest(adamw_starts[i][lane],
                                 adamw_poses[i][ADAMW_STORED - 1][lane]) > 0.1);
            double before = problem_loss(&adamw_problems[i], lane, true,
                                         adamw_starts[i][lane], NULL, NULL);
            assert_true(adamw_losses[i][lane] < 0.5 * before);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_double_every_stored_pose_is_pytorchs),
        cmocka_unit_test(
            in_single_precision_the_first_steps_and_the_last_loss_are),
        cmocka_unit_test(the_stored_descents_go_somewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
