/* The descent is PyTorch's AdamW, goes downhill, and gives the same bits for
 * every vector width. */
#include "worker/solve/problem.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* torch.optim.AdamW(weight_decay=0) under torch.optim.lr_scheduler.LinearLR(1,
 * 1e-3, total_iters=n), from their documented formulas, in double, on f(x) = a
 * (x - b)^2 / 2. */
typedef struct plain_adamw {
    double x, m, v;
} plain_adamw;

static void plain_step(plain_adamw *s, double gradient, int t, int n)
{
    double rate = 0.1 * (1 + (1e-3 - 1) * (t - 1) / n);
    s->m = 0.9 * s->m + 0.1 * gradient;
    s->v = 0.999 * s->v + 0.001 * gradient * gradient;
    double mean = s->m / (1 - pow(0.9, t)), square = s->v / (1 - pow(0.999, t));
    s->x -= rate * mean / (sqrt(square) + 1e-8);
}

static void steps_are_those_of_pytorch(void **state)
{
    (void)state;
    float x[SOLVE_CANDIDATES], m[SOLVE_CANDIDATES] = {0},
                               v[SOLVE_CANDIDATES] = {0}, g[SOLVE_CANDIDATES];
    plain_adamw plain[SOLVE_CANDIDATES];
    double a[SOLVE_CANDIDATES], b[SOLVE_CANDIDATES];
    for (int l = 0; l < SOLVE_CANDIDATES; l++) {
        a[l] = pow(10, l % 6 - 2);
        b[l] = 0.1 * (l - 30);
        x[l] = (float)(0.05 * l);
        plain[l] = (plain_adamw){.x = (double)x[l]};
    }
    for (int t = 1; t <= 800; t++) {
        for (int l = 0; l < SOLVE_CANDIDATES; l++) {
            g[l] = (float)(a[l] * ((double)x[l] - b[l]));
            plain_step(&plain[l], a[l] * (plain[l].x - b[l]), t, 800);
        }
        problem_adamw_step(problem_adamw_rate((uint32_t)t, 800, 0), g, m, v, x);
        for (int l = 0; l < SOLVE_CANDIDATES; l++)
            if (!(fabs((double)x[l] - plain[l].x) <= 2e-4))
                fail_msg("step %d, lane %d: %.9g, PyTorch's %.9g", t, l,
                         (double)x[l], plain[l].x);
    }
}

static void the_first_step_is_the_rate_whatever_the_gradient(void **state)
{
    (void)state;
    float x[SOLVE_CANDIDATES] = {0}, m[SOLVE_CANDIDATES] = {0},
          v[SOLVE_CANDIDATES] = {0}, g[SOLVE_CANDIDATES];
    for (int l = 0; l < SOLVE_CANDIDATES; l++)
        g[l] = l % 2 ? 3e-3f * (float)(l + 1) : -50.0f * (float)(l + 1);
    problem_adamw_step(problem_adamw_rate(1, 800, 0), g, m, v, x);
    for (int l = 0; l < SOLVE_CANDIDATES; l++)
        assert_true(fabsf(x[l] - (l % 2 ? -0.1f : 0.1f)) < 1e-6f);
    assert_true(fabs((double)problem_adamw_rate(800, 800, 0).step_size -
                     (1e-1 - 0.0999 * 799 / 800)) < 1e-9);
}

static const vec3 outward[4] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
static const double reach[4] = {0.3, 0.2, 0.3, 0.2};

/* A box on a plane of 0.6 x 0.4 m before a camera, faced to a point. */
static void make_problem(solve_problem *p)
{
    memset(p, 0, sizeof *p);
    p->half = v3(0.05, 0.04, 0.1);
    p->perspective = true;
    p->eye = v3(0.1, -2, 1.5);
    p->forward = v3_normal(v3(-0.1, 2, -1.5));
    p->right = v3_normal(v3_cross(p->forward, v3(0, 0, 1)));
    p->up = v3_cross(p->right, p->forward);
    p->scale_x = 0.65;
    p->scale_y = 0.87;
    p->term_count = 5;
    p->terms[0] = (term){
        .kind = TERM_PIXEL, .weight = 0.5, .drop = 0.1, .target = {0.5, 0.5}};
    p->terms[1] = (term){.kind = TERM_CONTACT,
                         .weight = 100,
                         .normal = {0, 0, 1},
                         .face = FACE_DOWN};
    p->terms[2] = (term){.kind = TERM_INSIDE,
                         .weight = 20,
                         .edge_count = 4,
                         .outward = outward,
                         .reach = reach};
    p->terms[3] = (term){.kind = TERM_FACING,
                         .weight = 0.5,
                         .by_point = true,
                         .point = {1, 1, 0}};
    p->terms[4] = (term){.kind = TERM_DISTANCE,
                         .weight = 0.3,
                         .point = {1, 1, 0},
                         .offset = 1.4};
    for (int l = 0; l < SOLVE_CANDIDATES; l++) {
        p->terms[0].lane_x[l] = 0.01f * (float)(l % 8 - 4);
        p->terms[0].lane_y[l] = 0.01f * (float)(l / 8 - 4);
        p->terms[3].lane_y[l] = -1;
    }
}

static void make_starts(float pose[4][SOLVE_CANDIDATES])
{
    for (int l = 0; l < SOLVE_CANDIDATES; l++) {
        pose[0][l] = 0.02f * (float)(l % 8);
        pose[1][l] = 0.02f * (float)(l / 8);
        pose[2][l] = 0.3f;
        pose[3][l] = 0.1f * (float)l;
    }
}

static void every_vector_width_gives_the_same_bits(void **state)
{
    (void)state;
    solve_problem p;
    float wide[4][SOLVE_CANDIDATES], plain[4][SOLVE_CANDIDATES];
    make_problem(&p);
    make_starts(wide);
    make_starts(plain);
    problem_descend(&p, 800, wide);
    problem_descend_plain(&p, 800, plain);
    assert_memory_equal(wide, plain, sizeof wide);
}

static void candidates_arrive(void **state)
{
    (void)state;
    solve_problem p;
    float pose[4][SOLVE_CANDIDATES];
    int good = 0;
    make_problem(&p);
    make_starts(pose);
    problem_descend(&p, 800, pose);
    for (int l = 0; l < SOLVE_CANDIDATES; l++) {
        double at[4] = {(double)pose[0][l], (double)pose[1][l],
                        (double)pose[2][l], (double)pose[3][l]};
        good += problem_loss(&p, (uint32_t)l, false, at, NULL, NULL) < 0.1;
    }
    assert_true(good >= 60);
}

static void a_frozen_yaw_stays(void **state)
{
    (void)state;
    solve_problem p;
    float pose[4][SOLVE_CANDIDATES], before[SOLVE_CANDIDATES];
    make_problem(&p);
    p.turn_frozen = true;
    make_starts(pose);
    memcpy(before, pose[3], sizeof before);
    problem_descend(&p, 100, pose);
    assert_memory_equal(before, pose[3], sizeof before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_pytorch),
        cmocka_unit_test(the_first_step_is_the_rate_whatever_the_gradient),
        cmocka_unit_test(every_vector_width_gives_the_same_bits),
        cmocka_unit_test(candidates_arrive),
        cmocka_unit_test(a_frozen_yaw_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
