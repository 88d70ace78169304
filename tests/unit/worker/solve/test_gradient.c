/* The gradients are the derivatives of the losses; the losses are those of
 * METHODS.md 5, written out here once more, plainly and on their own; and
 * nothing makes them infinite. */
#include "worker/solve/problem.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    EDGES_MAX = 9
};

typedef struct sample { /* a problem with everything it points to */
    solve_problem problem;
    vec2 hull[EDGES_MAX];
    uint32_t corners;
    vec3 outward[EDGES_MAX], base, u, v, normal;
    double reach[EDGES_MAX], pose[4];
} sample;

static double between(etna_random *r, double low, double high)
{
    return low + (high - low) * etna_random_unit(r);
}
static vec3 direction(etna_random *r)
{
    for (;;) {
        vec3 d = v3(between(r, -1, 1), between(r, -1, 1), between(r, -1, 1));
        if (v3_length(d) > 0.1 && v3_length(d) < 1)
            return v3_normal(d);
    }
}

static void make_hull(sample *s, etna_random *r)
{
    s->normal = etna_random_below(r, 2) ? v3(0, 0, 1) : direction(r);
    s->u = v3_normal(v3_cross(
        fabs(s->normal.z) < 0.9 ? v3(0, 0, 1) : v3(0, 1, 0), s->normal));
    s->v = v3_cross(s->normal, s->u);
    s->base = v3(between(r, -1, 1), between(r, -1, 1), between(r, -1, 1));
    s->corners = 3 + (uint32_t)etna_random_below(r, EDGES_MAX - 2);
    for (uint32_t i = 0; i < s->corners; i++) {
        double angle = 2 * MATH_PI * i / s->corners, radius = 0.3;
        s->hull[i] = (vec2){radius * cos(angle), 0.7 * radius * sin(angle)};
    }
    for (uint32_t i = 0; i < s->corners; i++) {
        vec2 a = s->hull[i], b = s->hull[(i + 1) % s->corners];
        double length = hypot(b.x - a.x, b.y - a.y), x = (b.y - a.y) / length,
               y = -(b.x - a.x) / length;
        s->outward[i] = v3_add(v3_scale(s->u, x), v3_scale(s->v, y));
        s->reach[i] = x * a.x + y * a.y + v3_dot(s->outward[i], s->base);
    }
}

static void set_hull(term *t, const sample *s)
{
    double sum[2] = {0, 0};
    for (uint32_t i = 0; i < s->corners; i++) {
        sum[0] += s->hull[i].x;
        sum[1] += s->hull[i].y;
    }
    t->edge_count = s->corners;
    t->outward = s->outward;
    t->reach = s->reach;
    t->u = s->u;
    t->v = s->v;
    t->middle[0] = sum[0] / s->corners + v3_dot(s->base, s->u);
    t->middle[1] = sum[1] / s->corners + v3_dot(s->base, s->v);
}

static void set_side(term *t, etna_random *r)
{
    static const float sides[4][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
    uint64_t k = etna_random_below(r, 4);
    t->lane_x[0] = sides[k][0];
    t->lane_y[0] = sides[k][1];
}

/* One problem with one term of `kind`. */
static void make_sample(sample *s, term_kind kind, etna_random *r)
{
    static const double weights[] = {0, 0.5, 100, 20, 20, 0.3, 0.5};
    memset(s, 0, sizeof *s);
    solve_problem *p = &s->problem;
    make_hull(s, r);
    p->half =
        v3(between(r, 0.02, 0.4), between(r, 0.02, 0.4), between(r, 0.02, 0.4));
    p->perspective = etna_random_below(r, 4) != 0;
    p->forward = direction(r);
    p->right = v3_normal(v3_cross(
        p->forward, fabs(p->forward.z) < 0.9 ? v3(0, 0, 1) : v3(0, 1, 0)));
    p->up = v3_cross(p->right, p->forward);
    /* the poses are before it */
    p->eye = v3_scale(p->forward, -between(r, 2, 4));
    p->scale_x = between(r, 0.3, 1);
    p->scale_y = between(r, 0.3, 1);
    p->term_count = 1;
    term *t = &p->terms[0];
    t->kind = kind;
    t->weight = weights[kind];
    t->drop = etna_random_below(r, 2) ? p->half.z : 0;
    t->target[0] = between(r, 0, 1);
    t->target[1] = between(r, 0, 1);
    t->normal = s->normal;
    t->offset = between(r, -0.5, 0.5);
    t->face = (constraint_face)(FACE_DOWN + (int)etna_random_below(r, 3));
    t->point = v3(between(r, -1, 1), between(r, -1, 1), between(r, -1, 1));
    t->by_point = etna_random_below(r, 2);
    if (kind == TERM_DISTANCE)
        t->offset = fabs(t->offset);
    if (kind == TERM_FACING && !t->by_point)
        t->normal = direction(r);
    if (kind == TERM_CONTACT || kind == TERM_FACING)
        set_side(t, r);
    if (kind == TERM_INSIDE || kind == TERM_MIDDLE)
        set_hull(t, s);
    for (int k = 0; k < 3; k++)
        s->pose[k] = between(r, -0.7, 0.7);
    s->pose[3] = between(r, -7, 7);
}

/* ---- the plain losses ---- */
static vec3 turned(const sample *s, double x, double y, double z)
{
    double c = cos(s->pose[3]), n = sin(s->pose[3]);
    return v3(s->pose[0] + c * x - n * y, s->pose[1] + n * x + c * y,
              s->pose[2] + z);
}

static void face_corners(const sample *s, const term *t, vec3 ret[4])
{
    vec3 h = s->problem.half;
    int n = 0;
    for (int x = -1; x <= 1; x += 2)
        for (int y = -1; y <= 1; y += 2)
            for (int z = -1; z <= 1; z += 2) {
                bool on = t->face == FACE_UP     ? z > 0
                          : t->face == FACE_DOWN ? z < 0
                          : t->lane_x[0] != 0    ? x == (int)t->lane_x[0]
                                                 : y == (int)t->lane_y[0];
                if (on)
                    ret[n++] = turned(s, x * h.x, y * h.y, z * h.z);
            }
    assert_int_equal(n, 4);
}

static double plain_pixel(const sample *s, const term *t)
{
    const solve_problem *p = &s->problem;
    scene_camera camera = {.position = p->eye,
                           .right = p->right,
                           .up = p->up,
                           .forward = p->forward,
                           .orthographic = !p->perspective};
    double x, y, depth;
    camera.half_height = 1 / (2 * p->scale_y);
    camera.aspect = p->scale_y / p->scale_x;
    assert_true(camera_project(&camera,
                               v3(s->pose[0], s->pose[1], s->pose[2] - t->drop),
                               &x, &y, &depth));
    return 0.5 * (pow(t->target[0] - x, 2) + pow(t->target[1] - y, 2));
}

static double plain_contact(const sample *s, const term *t)
{
    vec3 corner[4];
    double touch = INFINITY, above = 0;
    face_corners(s, t, corner);
    for (int i = 0; i < 4; i++) {
        double under = t->offset - v3_dot(corner[i], t->normal);
        touch = fmin(touch, fabs(under));
        above += fmax(under, 0) / 4;
    }
    return 100 * touch + 100 * above;
}

static double out_of_hull(const sample *s, vec2 p)
{
    double worst = 0;
    for (uint32_t j = 0; j < s->corners; j++) {
        vec2 q = s->hull[j], next = s->hull[(j + 1) % s->corners];
        double ex = next.x - q.x, ey = next.y - q.y, length = hypot(ex, ey);
        worst = fmax(worst, ((p.x - q.x) * ey - (p.y - q.y) * ex) / length);
    }
    return worst;
}

static vec2 flat(const sample *s, vec3 p)
{
    vec3 d = v3_sub(p, s->base);
    return (vec2){v3_dot(d, s->u), v3_dot(d, s->v)};
}

static double plain_overhang(const sample *s, bool center)
{
    term down = {.face = FACE_DOWN};
    vec3 corner[4];
    vec2 mean = {0, 0}, middle = {0, 0};
    double worst = 0;
    face_corners(s, &down, corner);
    for (int i = 0; i < 4; i++) {
        vec2 p = flat(s, corner[i]);
        worst = fmax(worst, out_of_hull(s, p));
        mean = (vec2){mean.x + p.x / 4, mean.y + p.y / 4};
    }
    if (!center)
        return 20 * worst;
    for (uint32_t j = 0; j < s->corners; j++)
        middle = (vec2){middle.x + s->hull[j].x / s->corners,
                        middle.y + s->hull[j].y / s->corners};
    return 20 * out_of_hull(s, mean) +
           hypot(mean.x - middle.x, mean.y - middle.y);
}

static double plain_facing(const sample *s, const term *t)
{
    vec3 at = v3(s->pose[0], s->pose[1], s->pose[2]);
    vec3 front = v3_sub(
             turned(s, (double)t->lane_x[0], (double)t->lane_y[0], 0), at),
         to = t->by_point ? v3_sub(t->point, at) : t->normal;
    to.z = 0;
    return 0.5 * (1 - v3_dot(front, to) / (v3_length(front) * v3_length(to)));
}

static double plain_loss(const sample *s)
{
    const term *t = &s->problem.terms[0];
    switch (t->kind) {
    case TERM_PIXEL: return plain_pixel(s, t);
    case TERM_CONTACT: return plain_contact(s, t);
    case TERM_INSIDE: return plain_overhang(s, false);
    case TERM_MIDDLE: return plain_overhang(s, true);
    case TERM_DISTANCE:
        return 0.3 * pow(v3_distance(v3(s->pose[0], s->pose[1], s->pose[2]),
                                     t->point) -
                             t->offset,
                         2);
    default: return plain_facing(s, t);
    }
}

static void losses_are_those_of_the_method(void **state)
{
    (void)state;
    etna_random r = etna_random_from(1);
    sample *s = malloc(sizeof *s);
    for (int i = 0; i < 12000; i++) {
        make_sample(s, (term_kind)(TERM_PIXEL + i % 6), &r);
        double ours = problem_loss(&s->problem, 0, false, s->pose, NULL, NULL),
               plain = plain_loss(s);
        if (!(fabs(ours - plain) <= 1e-6 * fmax(1, fabs(plain))))
            fail_msg("term %d: %.12g, plainly %.12g", s->problem.terms[0].kind,
                     ours, plain);
    }
    free(s);
}

/* ---- derivatives ---- */
static double loss_at(const sample *s, int k, double by)
{
    double pose[4];
    memcpy(pose, s->pose, sizeof pose);
    pose[k] += by;
    return problem_loss(&s->problem, 0, false, pose, NULL, NULL);
}

/* Does a term switch within the step? Then the two sides' slopes differ, and
 * there is no derivative to compare with but that of the side the point lies
 * on. */
static void compare_slope(const sample *s,
                          int k,
                          double here,
                          double gradient,
                          int *compared,
                          int *kinks)
{
    const double h = 1e-6;
    double up = loss_at(s, k, h), down = loss_at(s, k, -h);
    double central = (up - down) / (2 * h), ahead = (up - here) / h,
           behind = (here - down) / h;
    double tolerance = 1e-4 * fmax(1, fabs(gradient));
    if (fabs(gradient - central) <= tolerance) {
        (*compared)++;
        return;
    }
    double off = fmin(fabs(gradient - ahead), fabs(gradient - behind));
    if (!(off <= tolerance))
        fail_msg(
            "term %d, coordinate %d: %.9g, by differences %.9g (%.9g behind, %.9g ahead)",
            s->problem.terms[0].kind, k, gradient, central, behind, ahead);
    (*kinks)++;
}

static void gradients_are_the_central_differences(void **state)
{
    (void)state;
    etna_random r = etna_random_from(2);
    sample *s = malloc(sizeof *s);
    int kinks = 0, compared = 0;
    for (int i = 0; i < 12000; i++) {
        double gradient[4];
        make_sample(s, (term_kind)(TERM_PIXEL + i % 6), &r);
        double here =
            problem_loss(&s->problem, 0, false, s->pose, gradient, NULL);
        for (int k = 0; k < 4; k++)
            compare_slope(s, k, here, gradient[k], &compared, &kinks);
    }
    /* of 48000: a switch within a micrometre is rare */
    assert_true(compared > 47900);
    free(s);
}

/* Points put within the step of a switch on purpose: a corner on the plane, the
 * bottom's corner on the hull's edge. */
static void put_at_a_switch(sample *s, etna_random *r)
{
    term *t = &s->problem.terms[0];
    double nudge = between(r, -5e-7, 5e-7);
    if (t->kind == TERM_CONTACT) {
        vec3 corner[4];
        face_corners(s, t, corner);
        t->offset = v3_dot(corner[etna_random_below(r, 4)], t->normal) + nudge;
    } else {
        term down = {.face = FACE_DOWN};
        vec3 corner[4];
        uint64_t edge = etna_random_below(r, s->corners);
        face_corners(s, &down, corner);
        double worst = -INFINITY;
        for (int i = 0; i < 4; i++)
            worst = fmax(worst, v3_dot(corner[i], s->outward[edge]));
        s->reach[edge] = worst + nudge;
    }
}

static void where_the_active_term_switches_the_gradient_is_one_sides(
    void **state)
{
    (void)state;
    etna_random r = etna_random_from(4);
    sample *s = malloc(sizeof *s);
    int kinks = 0, compared = 0;
    for (int i = 0; i < 4000; i++) {
        double gradient[4];
        make_sample(s, i % 2 ? TERM_CONTACT : TERM_INSIDE, &r);
        put_at_a_switch(s, &r);
        double here =
            problem_loss(&s->problem, 0, false, s->pose, gradient, NULL);
        for (int k = 0; k < 4; k++)
            compare_slope(s, k, here, gradient[k], &compared, &kinks);
    }
    assert_true(kinks > 1000);
    free(s);
}

/* On the switch itself, to the last bit, a gradient between the two sides' is
 * taken, as PyTorch does: what touches its plane exactly is not pushed. */
static void on_a_switch_the_gradient_lies_between_the_sides(void **state)
{
    (void)state;
    sample *s = calloc(1, sizeof *s);
    solve_problem *p = &s->problem;
    p->half = v3(0.25, 0.125, 0.5);
    p->term_count = 1;
    p->terms[0] = (term){.kind = TERM_CONTACT,
                         .weight = 100,
                         .normal = {0, 0, 1},
                         .offset = 0.25,
                         .face = FACE_DOWN};
    s->pose[2] = 0.75;
    double gradient[4],
        h = 1.0 / (1 << 20),
        here = problem_loss(p, 0, false, s->pose, gradient, NULL);
    assert_true(here == 0);
    assert_true(fabs((loss_at(s, 2, h) - here) / h - 100) < 1e-6 &&
                fabs((here - loss_at(s, 2, -h)) / h + 200) < 1e-6);
    for (int k = 0; k < 4; k++)
        assert_true(gradient[k] == 0);
    free(s);
}

/* Nothing to divide by: no size, no distance, no direction, no edge, behind the
 * lens. */
static void what_has_no_size_or_direction_has_its_own_answer(void **state)
{
    (void)state;
    sample *s = calloc(1, sizeof *s);
    solve_problem *p = &s->problem;
    term *t = &p->terms[0];
    double gradient[4];
    p->term_count = 1;
    p->perspective = true;
    p->right = v3(1, 0, 0);
    p->up = v3(0, 0, 1);
    p->forward = v3(0, 1, 0);
    p->scale_x = p->scale_y = 1;
    *t = (term){.kind = TERM_DISTANCE,
                .weight = 0.3,
                /* at the target: as far off as wanted, and no way to go */
                .offset = 2};
    assert_true(fabs(problem_loss(p, 0, false, s->pose, gradient, NULL) - 1.2) <
                1e-12);
    assert_true(gradient[0] == 0 && gradient[1] == 0 && gradient[2] == 0);
    *t = (term){.kind = TERM_FACING,
                .weight = 0.5,
                .by_point = true,
                .lane_y = {-1}}; /* over the target: neither toward nor away */
    assert_true(problem_loss(p, 0, false, s->pose, gradient, NULL) == 0.5);
    t->by_point = false;
    t->normal = v3(0, 0, 1); /* a level plane's normal */
    assert_true(problem_loss(p, 0, false, s->pose, gradient, NULL) == 0.5);
    t->normal = v3(1, 0, 0);
    t->lane_y[0] = 0; /* a box without a front */
    assert_true(problem_loss(p, 0, false, s->pose, gradient, NULL) == 0.5);
    *t = (term){.kind = TERM_FACING,
                .weight = 0.5,
                .normal = {0, 1, 0},
                .lane_y = {-1}}; /* straight behind: the worst, and level */
    assert_true(problem_loss(p, 0, false, s->pose, gradient, NULL) == 1 &&
                gradient[3] == 0);
    *t = (term){.kind = TERM_PIXEL,
                .weight = 0.5,
                /* behind: as if one centimetre before the lens */
                .target = {0.5, 0.5}};
    s->pose[1] = -3;
    s->pose[0] = 0.01;
    assert_true(fabs(problem_loss(p, 0, false, s->pose, gradient, NULL) - 0.5) <
                    1e-9 &&
                gradient[1] == 0 && gradient[0] > 0);
    /* a plane of none, one or two vertices */
    for (uint32_t edges = 0; edges < 3; edges++) {
        const vec3 outward[2] = {{1, 0, 0}, {-1, 0, 0}};
        const double reach[2] = {0, 0};
        *t = (term){.kind = edges % 2 ? TERM_INSIDE : TERM_MIDDLE,
                    .weight = 20,
                    .edge_count = edges,
                    .outward = outward,
                    .reach = reach};
        assert_true(
            isfinite(problem_loss(p, 0, false, s->pose, gradient, NULL)));
    }
    free(s);
}

static void degenerate_inputs_stay_finite(void **state)
{
    (void)state;
    etna_random r = etna_random_from(3);
    sample *s = malloc(sizeof *s);
    float pose[4][SOLVE_CANDIDATES];
    for (int i = 0; i < 60; i++) {
        double gradient[4];
        make_sample(s, (term_kind)(TERM_PIXEL + i % 6), &r);
        term *t = &s->problem.terms[0];
        memset(s->pose, 0, sizeof s->pose);
        /* at the target itself */
        t->point = v3(0, 0, 0);
        /* in the lens */
        s->problem.eye = v3(0, 0, t->drop == 0 ? 0 : -t->drop);
        s->problem.half = v3(0, 0, 0);
        if (i % 2)
            t->normal = v3(0, 0, 1); /* no direction to face */
        assert_true(isfinite(
            problem_loss(&s->problem, 0, false, s->pose, gradient, NULL)));
        for (int k = 0; k < 4; k++)
            assert_true(isfinite(gradient[k]));
        for (int l = 0; l < SOLVE_CANDIDATES; l++) {
            pose[0][l] = pose[1][l] = pose[2][l] = l % 2 ? 0 : 1e6f;
            pose[3][l] = l % 3 ? 0 : 1e5f;
        }
        problem_descend(&s->problem, 50, pose);
        for (int l = 0; l < SOLVE_CANDIDATES; l++)
            for (int k = 0; k < 4; k++)
                assert_true(isfinite(pose[k][l]));
    }
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_are_those_of_the_method),
        cmocka_unit_test(gradients_are_the_central_differences),
        cmocka_unit_test(
            where_the_active_term_switches_the_gradient_is_one_sides),
        cmocka_unit_test(on_a_switch_the_gradient_lies_between_the_sides),
        cmocka_unit_test(what_has_no_size_or_direction_has_its_own_answer),
        cmocka_unit_test(degenerate_inputs_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
