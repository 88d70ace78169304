/* The descent: 64 candidates in structure-of-arrays, single precision, 800
 * steps of AdamW. The loops of kernel.inc have a fixed count and no branches,
 * so the compiler makes SSE2 or AVX2 of them; the wider one is chosen at run
 * time. Contraction is off and every lane computes by itself, so both give the
 * same bits. */
#include "worker/solve/problem.h"

#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
/* Floating-point flags are never read, so selecting between two computed values
 * needs no branch; no value changes. */
#pragma GCC optimize("O3,no-trapping-math")
#endif

#define INLINE static inline __attribute__((always_inline))
#define REAL float
#define LANES SOLVE_CANDIDATES
#define NAME(x) x##_float
#define SQRT sqrtf
#define WANT_LOSS 0
#include "worker/solve/kernel.inc"

#define BETA1 0.9
#define BETA2 0.999
#define EPSILON 1e-8f
#define RATE_FIRST 1e-1
#define RATE_LAST 1e-4

/* Rounds by adding and taking away 1.5 * 2^23: the sum keeps no fraction. */
#define ROUNDER 12582912.0f

/* Our own, because libm's differ between machines: reduction to a quarter turn
 * in two steps (Cody and Waite), then the polynomials of Cephes. Angles beyond
 * 1e6 quarters are set to 0; a descent never comes there. */
INLINE void sincos_lanes(const float *restrict angle,
                         float *restrict cosine,
                         float *restrict sine)
{
    for (int i = 0; i < LANES; i++) {
        float quarter = angle[i] * 0.63661977f + ROUNDER - ROUNDER;
        quarter = quarter > -1e6f ? quarter : 0;
        quarter = quarter < 1e6f ? quarter : 0;
        float r = (angle[i] - quarter * 1.5707964f) - quarter * -4.3711388e-8f;
        float r2 = r * r;
        float s = r + r * r2 *
                          (-1.6666667e-1f +
                           r2 * (8.3333310e-3f + r2 * -1.9840874e-4f));
        float c =
            1 - 0.5f * r2 +
            r2 * r2 *
                (4.1666646e-2f + r2 * (-1.3887316e-3f + r2 * 2.4433157e-5f));
        int q = (int)quarter;
        float sv = (q & 1) ? c : s;
        float cv = (q & 1) ? s : c;
        sine[i] = (q & 2) ? -sv : sv;
        cosine[i] = ((q + 1) & 2) ? -cv : cv;
    }
}

/* One coordinate of all candidates. The moments are updated in the order
 * PyTorch does, which its bits depend on; the bias corrections are in
 * `rate`. */
INLINE void descent_adamw(adamw_rate rate,
                          const float *restrict gradient,
                          float *restrict first,
                          float *restrict second,
                          float *restrict value)
{
    const float keep = (float)(1 - BETA1);
    const float square = (float)(1 - BETA2);
    const float decay = (float)BETA2;
    for (int i = 0; i < LANES; i++) {
        float g = gradient[i];
        first[i] = first[i] + keep * (g - first[i]);
        second[i] = second[i] * decay + square * (g * g);
        value[i] =
            value[i] -
            rate.step_size *
                (first[i] / (sqrtf(second[i]) / rate.second_root + EPSILON));
    }
}

/* By squaring, in an order of its own, so that it is the same on all
 * machines. */
static double descent_power(double base, uint32_t exponent)
{
    double result = 1;
    for (; exponent; exponent >>= 1, base *= base)
        if (exponent & 1)
            result *= base;
    return result;
}

/* PyTorch's LinearLR from 1e-1 with end 1e-4: the rate of the first step is
 * 1e-1. */
static adamw_rate_double problem_adamw_rate_double(uint32_t step,
                                                   uint32_t iterations,
                                                   double decay)
{
    double rate = RATE_FIRST + (RATE_LAST - RATE_FIRST) * (double)(step - 1) /
                                   (double)iterations;
    return (adamw_rate_double){rate / (1 - descent_power(BETA1, step)),
                               sqrt(1 - descent_power(BETA2, step)),
                               rate * decay};
}

/* In single precision, rounded once a step and not in each lane. */
adamw_rate problem_adamw_rate(uint32_t step, uint32_t iterations, double decay)
{
    adamw_rate_double rate = problem_adamw_rate_double(step, iterations, decay);
    return (adamw_rate){(float)rate.step_size, (float)rate.second_root,
                        (float)rate.shrink};
}

/* The same step in double: the reference against which tests hold the lanes. */
static void problem_adamw_step_double(const adamw_rate_double *rate,
                                      double gradient,
                                      double *first,
                                      double *second,
                                      double *value)
{
    *first = *first + (1 - BETA1) * (gradient - *first);
    *second = *second * BETA2 + (1 - BETA2) * (gradient * gradient);
    *value =
        *value -
        rate->step_size *
            (*first / (sqrt(*second) / rate->second_root + (double)EPSILON));
}

/* One candidate in double, for tests. Decay pulls toward the world's origin as
 * the paper's does, hence `origin` is added. */
void problem_descend_double(const solve_problem *p,
                            uint32_t iterations,
                            uint32_t stop,
                            uint32_t lane,
                            double pose[4])
{
    const double origin[4] = {p->origin.x, p->origin.y, p->origin.z, 0};
    double first[4] = {0}, second[4] = {0}, gradient[4];
    int count = p->turn_frozen ? 3 : 4;
    for (uint32_t step = 1; step <= stop; step++) {
        adamw_rate_double rate =
            problem_adamw_rate_double(step, iterations, p->decay);
        problem_loss(p, lane, true, pose, gradient, NULL);
        for (int k = 0; k < count; k++) {
            pose[k] -= rate.shrink * (pose[k] + origin[k]);
            problem_adamw_step_double(&rate, gradient[k], &first[k], &second[k],
                                      &pose[k]);
        }
    }
}

/* AdamW's decoupled decay, before the step. */
INLINE void descent_decay(float shrink, float origin, float *restrict value)
{
    for (int i = 0; i < LANES; i++)
        value[i] = value[i] - shrink * (value[i] + origin);
}

/* For tests, which must reach the inlined step. */
void problem_adamw_step(adamw_rate rate,
                        const float gradient[SOLVE_CANDIDATES],
                        float first[SOLVE_CANDIDATES],
                        float second[SOLVE_CANDIDATES],
                        float value[SOLVE_CANDIDATES])
{
    descent_adamw(rate, gradient, first, second, value);
}

/* All candidates, steps 1 .. stop of a schedule of `iterations`. A frozen turn
 * gets gradient 0 by multiplication: a branch would keep the loop from being
 * vectorised. */
INLINE void descent_run(const solve_problem *p,
                        uint32_t iterations,
                        uint32_t stop,
                        float pose[4][SOLVE_CANDIDATES])
{
    lanes_float l;
    float yaw[LANES], first[4][LANES], second[4][LANES];
    const float turns = p->turn_frozen ? 0 : 1;
    memset(first, 0, sizeof first);
    memset(second, 0, sizeof second);
    for (int i = 0; i < LANES; i++) {
        l.x[i] = pose[0][i];
        l.y[i] = pose[1][i];
        l.z[i] = pose[2][i];
        yaw[i] = pose[3][i];
    }
    for (uint32_t step = 1; step <= stop; step++) {
        adamw_rate rate = problem_adamw_rate(step, iterations, p->decay);
        sincos_lanes(yaw, l.c, l.s);
        memset(l.gx, 0, sizeof l.gx);
        memset(l.gy, 0, sizeof l.gy);
        memset(l.gz, 0, sizeof l.gz);
        memset(l.gt, 0, sizeof l.gt);
        for (uint32_t t = 0; t < p->term_count; t++)
            evaluate_float(p, &p->terms[t], 0, 1, &l);
        for (int i = 0; i < LANES; i++)
            l.gt[i] *= turns;
        if (p->decay > 0) {
            descent_decay(rate.shrink, (float)p->origin.x, l.x);
            descent_decay(rate.shrink, (float)p->origin.y, l.y);
            descent_decay(rate.shrink, (float)p->origin.z, l.z);
            descent_decay(rate.shrink * turns, 0, yaw);
        }
        descent_adamw(rate, l.gx, first[0], second[0], l.x);
        descent_adamw(rate, l.gy, first[1], second[1], l.y);
        descent_adamw(rate, l.gz, first[2], second[2], l.z);
        descent_adamw(rate, l.gt, first[3], second[3], yaw);
    }
    for (int i = 0; i < LANES; i++) {
        pose[0][i] = l.x[i];
        pose[1][i] = l.y[i];
        pose[2][i] = l.z[i];
        pose[3][i] = yaw[i];
    }
}

/* Without the choice of AVX2, for the test that both give the same bits. */
void problem_descend_plain(const solve_problem *p,
                           uint32_t iterations,
                           float pose[4][SOLVE_CANDIDATES])
{
    descent_run(p, iterations, iterations, pose);
}

/* Stops early, so that a test can look into the descent. */
void problem_descend_until(const solve_problem *p,
                           uint32_t iterations,
                           uint32_t stop,
                           float pose[4][SOLVE_CANDIDATES])
{
    descent_run(p, iterations, stop, pose);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void descend_avx2(
    const solve_problem *p,
    uint32_t iterations,
    float pose[4][SOLVE_CANDIDATES])
{
    descent_run(p, iterations, iterations, pose);
}
#endif

/* pose: in the starts, out where they came to. */
void problem_descend(const solve_problem *p,
                     uint32_t iterations,
                     float pose[4][SOLVE_CANDIDATES])
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        descend_avx2(p, iterations, pose);
        return;
    }
#endif
    descent_run(p, iterations, iterations, pose);
}
