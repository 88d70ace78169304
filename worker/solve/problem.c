/* Judging one pose in double: the same losses as the descent, by the same text
 * (kernel.inc). */
#include "worker/solve/problem.h"

#include <string.h>

#define INLINE static inline
#define REAL double
#define LANES 1
#define NAME(x) x##_double
#define SQRT sqrt
#define WANT_LOSS 1
#include "worker/solve/kernel.inc"

/* The whole loss at one pose. `perturbed`: with the lane's own pixel, as the
 * descent sees it; else the true one. ret_gradient (4) and ret_terms (one per
 * term) may be NULL. */
double problem_loss(const solve_problem *p,
                    uint32_t lane,
                    bool perturbed,
                    const double pose[4],
                    double *ret_gradient,
                    double *ret_terms)
{
    lanes_double l;
    memset(&l, 0, sizeof l);
    l.x[0] = pose[0];
    l.y[0] = pose[1];
    l.z[0] = pose[2];
    math_sincos(pose[3], &l.s[0], &l.c[0]);
    double sum = 0;
    for (uint32_t t = 0; t < p->term_count; t++) {
        evaluate_double(p, &p->terms[t], lane, perturbed ? 1 : 0, &l);
        sum += l.loss[0];
        if (ret_terms)
            ret_terms[t] = l.loss[0];
    }
    if (ret_gradient) {
        ret_gradient[0] = l.gx[0];
        ret_gradient[1] = l.gy[0];
        ret_gradient[2] = l.gz[0];
        ret_gradient[3] = p->turn_frozen ? 0 : l.gt[0];
    }
    return sum;
}

/* The yaw at which a facing term is met from `pose` (relative to the origin);
 * false: the target is straight above or below. */
bool problem_heading(const term *facing,
                     uint32_t lane,
                     const double pose[3],
                     double *ret_yaw)
{
    double x = facing->by_point ? facing->point.x - pose[0] : facing->normal.x;
    double y = facing->by_point ? facing->point.y - pose[1] : facing->normal.y;
    if (!(x * x + y * y >= 1e-12))
        return false;
    *ret_yaw = math_atan2(y, x) - math_atan2((double)facing->lane_y[lane],
                                             (double)facing->lane_x[lane]);
    return true;
}
