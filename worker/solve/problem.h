/* The optimisation problem that constraints compile to: a short list of terms
 * over one rigid box (METHODS.md 5). Private to worker/solve, its tests and its
 * benchmark. Positions are relative to `origin`, so that single precision
 * suffices in the descent wherever the scene stands. A pose is x, y, z of the
 * box's centre and yaw. */
#ifndef ETNA_WORKER_SOLVE_PROBLEM_H
#define ETNA_WORKER_SOLVE_PROBLEM_H

#include "worker/solve/solve.h"

typedef enum term_kind {
    TERM_PIXEL = 1, /* 0.5 |c - Proj(p)|^2 */
    TERM_CONTACT,   /* 100 min |q - p_i.n| + 100 mean ReLU(q - p_i.n) */
    TERM_INSIDE,    /* 20 max ReLU((p_i - q_j) x e_j), the bottom's corners */
    /* the same for the bottom's centre, + 1 |mean p - mean hull| */
    TERM_MIDDLE,
    TERM_DISTANCE, /* 0.3 (|x - t| - dist)^2 */
    TERM_FACING    /* 0.5 (1 - cos(v_o, v_t)) */
} term_kind;

typedef struct term {
    term_kind kind;
    uint32_t item; /* of the constraint list, for words */
    double weight;
    vec3 normal; /* CONTACT: n; FACING by direction: v_t */
    /* CONTACT: q relative to the origin; DISTANCE: dist */
    double offset;
    /* DISTANCE, FACING by point: relative to the origin */
    vec3 point;
    bool by_point; /* FACING */
    /* PIXEL: from the centre down to the point that is projected */
    double drop;
    double target[2];     /* PIXEL */
    constraint_face face; /* CONTACT: DOWN, SIDE, UP */
    /* per candidate: PIXEL: the perturbation of the target; CONTACT side and
     * FACING: the face's direction in the box's own axes (x across, -y the
     * front) */
    float lane_x[SOLVE_CANDIDATES], lane_y[SOLVE_CANDIDATES];
    /* INSIDE, MIDDLE: outward.p <= reach is within the edge */
    uint32_t edge_count;
    const vec3 *outward; /* unit within the plane */
    const double *reach; /* relative to the origin */
    vec3 u, v;           /* MIDDLE: the plane's frame */
    /* MIDDLE: mean of the hull's corners in it, relative to the origin */
    double middle[2];
} term;

typedef struct solve_problem {
    vec3 origin; /* world */
    vec3 half;   /* of the box */
    bool turn_frozen;
    /* AdamW's weight decay, toward the world's origin and yaw 0; 0 but for
     * --paper-solver */
    double decay;
    bool perspective;
    vec3 eye, right, up, forward; /* eye relative to the origin */
    /* image per metre at depth 1 (orthographic: per metre) */
    double scale_x, scale_y;
    uint32_t term_count;
    term terms[2 * CONSTRAINTS_MAX];
} solve_problem;

enum {
    PROBLEM_DEPTH_LEAST_MM = 10
    /* nearer the eye than this a projection is held still: no division by
     * nothing */
};

/* Loss of one pose (x, y, z relative to the origin, yaw) as candidate `lane`,
 * with the perturbed or the true pixel, in double; ret_gradient[4] and
 * ret_terms[term_count] (each term's part) may be NULL. */
double problem_loss(const solve_problem *p,
                    uint32_t lane,
                    bool perturbed,
                    const double pose[4],
                    double *ret_gradient,
                    double *ret_terms);

/* The yaw that meets a FACING term from pose[0..2] exactly; false where its
 * target has no direction from there. */
bool problem_heading(const term *facing,
                     uint32_t lane,
                     const double pose[3],
                     double *ret_yaw);

/* 64 candidates by AdamW with `iterations` steps of a learning rate that falls
 * linearly from 1e-1 toward 1e-4: poses in and out as
 * pose[coordinate][candidate]. Single precision, lane by lane: the same bits
 * for every vector width. */
void problem_descend(const solve_problem *p,
                     uint32_t iterations,
                     float pose[4][SOLVE_CANDIDATES]);
/* The same on the baseline instruction set only: for the test that both give
 * the same bits. */
void problem_descend_plain(const solve_problem *p,
                           uint32_t iterations,
                           float pose[4][SOLVE_CANDIDATES]);

/* Only the first `stop` of `iterations` steps, and the same of one candidate in
 * double: for tests. */
void problem_descend_until(const solve_problem *p,
                           uint32_t iterations,
                           uint32_t stop,
                           float pose[4][SOLVE_CANDIDATES]);
/* `lane`: the candidate; its pose in and out. */
void problem_descend_double(const solve_problem *p,
                            uint32_t iterations,
                            uint32_t stop,
                            uint32_t lane,
                            double pose[4]);

/* One step of PyTorch's AdamW (decay 0) on one coordinate of all candidates;
 * `step` counts from 1. */
typedef struct adamw_rate {
    float step_size, second_root; /* lr / (1 - beta1^t), sqrt(1 - beta2^t) */
    float shrink;                 /* lr * decay */
} adamw_rate;
typedef struct adamw_rate_double {
    double step_size, second_root, shrink;
} adamw_rate_double;
/* The step's numbers, rounded to single precision once. Steps count from 1. */
adamw_rate problem_adamw_rate(uint32_t step, uint32_t iterations, double decay);
/* The same of all candidates, in single precision. `first` and `second` are the
 * moments, zero to begin. */
void problem_adamw_step(adamw_rate rate,
                        const float gradient[SOLVE_CANDIDATES],
                        float first[SOLVE_CANDIDATES],
                        float second[SOLVE_CANDIDATES],
                        float value[SOLVE_CANDIDATES]);

#endif
