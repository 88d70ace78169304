/* The descent alone: 64 candidates, 800 iterations, on one core. DESIGN.md 6: six constraints <= 1 ms with AVX2, <= 2.5 ms
 * without; <= 4 ms with a 32-edge hull (batched PyTorch: 790 ms). The best of some runs; the two widths must agree. */
#include "worker/solve/problem.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { EDGES_MAX = 32, RUNS = 15 };

static vec3 outward[EDGES_MAX];
static double reach[EDGES_MAX];

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* CloseToPix, Contact down, NoOverhang full, Distance, FaceTo an object, FaceTo the camera. */
static void make(solve_problem *p, uint32_t terms, uint32_t edges)
{
    memset(p, 0, sizeof *p);
    p->half = v3(0.05, 0.05, 0.15);
    p->perspective = true;
    p->eye = v3(0, -2, 1.5);
    p->forward = v3_normal(v3(0, 2, -1.5));
    p->right = v3(1, 0, 0);
    p->up = v3_cross(p->right, p->forward);
    p->scale_x = 0.94;
    p->scale_y = 1.25;
    for (uint32_t j = 0; j < edges; j++) {
        double s, c;
        math_sincos(2 * MATH_PI * j / edges, &s, &c);
        outward[j] = v3(c, s, 0);
        reach[j] = 0.5;
    }
    p->terms[0] = (term){.kind = TERM_PIXEL, .weight = 0.5, .drop = 0.15, .target = {0.5, 0.5}};
    p->terms[1] = (term){.kind = TERM_CONTACT, .weight = 100, .normal = {0, 0, 1}, .face = FACE_DOWN};
    p->terms[2] = (term){.kind = TERM_INSIDE, .weight = 20, .edge_count = edges, .outward = outward, .reach = reach};
    p->terms[3] = (term){.kind = TERM_DISTANCE, .weight = 0.3, .point = {0.3, 0.3, 0}, .offset = 0.4};
    p->terms[4] = (term){.kind = TERM_FACING, .weight = 0.5, .by_point = true, .point = {0.3, 0.3, 0}};
    p->terms[5] = (term){.kind = TERM_FACING, .weight = 0.5, .by_point = true, .point = {0, -2, 1.5}};
    for (int l = 0; l < SOLVE_CANDIDATES; l++) {
        p->terms[0].lane_x[l] = 0.05f * (float)(l % 8 - 4);
        p->terms[0].lane_y[l] = 0.05f * (float)(l / 8 - 4);
        p->terms[4].lane_y[l] = p->terms[5].lane_y[l] = -1;
    }
    p->term_count = terms;
}

static double best_of(const solve_problem *p, void (*descend)(const solve_problem *, uint32_t, float[4][SOLVE_CANDIDATES]),
                      float pose[4][SOLVE_CANDIDATES])
{
    double best = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        for (int l = 0; l < SOLVE_CANDIDATES; l++) {
            pose[0][l] = 0.01f * (float)l;
            pose[1][l] = 0.02f * (float)(l % 7);
            pose[2][l] = 0.3f;
            pose[3][l] = 0.1f * (float)l;
        }
        double begun = now_ms();
        descend(p, SOLVE_ITERATIONS, pose);
        double took = now_ms() - begun;
        best = took < best ? took : best;
    }
    return best;
}

int main(void)
{
    static const struct {
        uint32_t terms, edges;
    } rows[] = {{3, 4}, {4, 4}, {6, 4}, {6, 32}};
    static solve_problem problem;
    float wide[4][SOLVE_CANDIDATES], plain[4][SOLVE_CANDIDATES];
    printf("constraints  hull edges  widest ms  SSE2 ms\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        make(&problem, rows[i].terms, rows[i].edges);
        double a = best_of(&problem, problem_descend, wide), b = best_of(&problem, problem_descend_plain, plain);
        printf("%11u  %10u  %9.3f  %7.3f%s\n", rows[i].terms, rows[i].edges, a, b,
               memcmp(wide, plain, sizeof wide) == 0 ? "" : "  NOT THE SAME BITS");
    }
    return 0;
}
