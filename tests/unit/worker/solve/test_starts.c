/* Where the candidates begin, which side touches, what is accepted and how far
 * a thing settles: METHODS.md 5's decisions one by one, and what --paper-solver
 * leaves of them. */
#include "tests/unit/worker/solve/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct compiled {
    world w;
    constraint_list list;
    solve_request request;
    solve_case c;
    solve_problem p;
    float start[4][SOLVE_CANDIDATES];
} compiled;

static void compile(compiled *k, uint64_t seed, bool paper)
{
    etna_error err = {0};
    k->request = solve_request_default();
    k->request.constraints = &k->list;
    k->request.camera = &k->w.scene->cameras[0];
    k->request.seed = seed;
    k->request.paper_solver = paper;
    k->c = (solve_case){.space = k->w.space,
                        .probes = k->w.probes,
                        .scene = k->w.scene,
                        .request = &k->request,
                        .arena = &k->w.arena};
    if (case_open(&k->c, &err) != ETNA_OK ||
        case_compile(&k->c, false, &k->p, k->start, &err) != ETNA_OK)
        fail_msg("%s", err.text);
}

/* A radio that stands turned by `yaw`, a lamp, a wall whose face at y = 1.5
 * looks at the camera, one at x = -1.5. */
static compiled *open_room(double yaw)
{
    compiled *k = calloc(1, sizeof *k);
    scene_builder *b = world_begin();
    scene_builder_object(b, "radio", scene_builder_box(b, 0.2, 0.08, 0.12),
                         scene_builder_at(-0.9, 0, 0.06, yaw), false);
    scene_builder_object(b, "lamp", scene_builder_box(b, 0.1, 0.1, 0.3),
                         scene_builder_at(0.8, 0.6, 0.15, 0), false);
    scene_builder_object(b, "wall", scene_builder_box(b, 4, 0.1, 2),
                         scene_builder_at(0, 1.55, 1, 0), true);
    scene_builder_object(b, "left wall", scene_builder_box(b, 0.1, 3, 2),
                         scene_builder_at(-1.55, 0, 1, 0), true);
    scene_builder_object(b, "beam", scene_builder_box(b, 1, 0.6, 0.1),
                         scene_builder_at(0.3, 0.2, 2.4, 0), true);
    k->w = stage_open(b);
    return k;
}

static void close_room(compiled *k)
{
    stage_close(&k->w);
    free(k);
}

/* The name of the plane that looks along n, for constraint texts. */
static const char *face_along(compiled *k,
                              const char *object,
                              vec3 n,
                              char name[PROBE_NAME_SIZE])
{
    for (unsigned f = 0; f < 12; f++) {
        probe_plane plane;
        snprintf(name, PROBE_NAME_SIZE, "%s_%u", object, f);
        assert_int_equal(probe_plane_by_name(k->w.probes, k->w.space,
                                             &k->w.scene->cameras[0], name,
                                             &k->w.arena, &plane, NULL),
                         ETNA_OK);
        if (v3_dot(plane.normal, n) > 0.99)
            return name;
    }
    fail_msg("no face of %s looks that way", object);
    return NULL;
}

static double spread(double sum2, uint32_t n)
{
    return sqrt(sum2 / n);
}

static void pixels_are_perturbed_by_two_widths_and_clamped(void **state)
{
    (void)state;
    compiled *k = open_room(20);
    double wide = 0, near = 0;
    uint32_t wide_count = 0, near_count = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        k->list = world_constraints(
            &k->w,
            "[\"ObjectName\",\"radio\"],[\"CloseToPix\",\"center\",[0.5,0.5]]");
        compile(k, seed, false);
        const term *t = &k->p.terms[0];
        assert_true(t->lane_x[0] == 0 && t->lane_y[0] == 0);
        for (int l = 1; l < SOLVE_CANDIDATES; l++) {
            double d2 = (double)t->lane_x[l] * (double)t->lane_x[l] +
                        (double)t->lane_y[l] * (double)t->lane_y[l];
            *(l % 4 == 1 ? &near : &wide) += d2;
            *(l % 4 == 1 ? &near_count : &wide_count) += 2;
        }
    }
    assert_int_equal(near_count, 40 * 2 * 16); /* a quarter */
    assert_true(fabs(spread(near, near_count) - 0.05) < 0.003);
    assert_true(fabs(spread(wide, wide_count) - 0.2) < 0.01);
    k->list = world_constraints(
        &k->w, "[\"ObjectName\",\"radio\"],[\"CloseToPix\",\"center\",[0,1]]");
    compile(k, 1, false);
    for (int l = 1; l < SOLVE_CANDIDATES; l++) {
        double x = (double)k->p.terms[0].lane_x[l],
               y = 1 + (double)k->p.terms[0].lane_y[l];
        assert_true(x >= 0.01 - 1e-6 && x <= 0.99 + 1e-6 && y >= 0.01 - 1e-6 &&
                    y <= 0.99 + 1e-6);
    }
    assert_true(k->p.terms[0].lane_x[0] == 0); /* candidate 0 keeps the pixel */
    close_room(k);
}

static void half_of_the_candidates_start_at_the_heading_sought(void **state)
{
    (void)state;
    compiled *k = open_room(137);
    double sum2 = 0;
    uint32_t closed = 0, others = 0;
    for (uint64_t seed = 0; seed < 30; seed++) {
        k->list = world_constraints(
            &k->w,
            "[\"ObjectName\",\"radio\"],[\"CloseToPix\",\"center\",[0.5,0.5]],[\"BackTo\",\"lamp\"]");
        compile(k, seed, false);
        for (int l = 0; l < SOLVE_CANDIDATES; l++) {
            vec3 at = v3_add(k->p.origin, v3((double)k->start[0][l],
                                             (double)k->start[1][l], 0));
            /* the back, (-sin, cos), toward the lamp */
            double want = atan2(-(0.8 - at.x), 0.6 - at.y);
            double off = remainder((double)k->start[3][l] - want, 2 * MATH_PI);
            double turned =
                remainder((double)k->start[3][l] -
                              space_pose(k->w.space, k->c.object)->yaw,
                          2 * MATH_PI);
            if (fabs(off) < 1e-5) {
                closed++;
                continue;
            }
            sum2 += turned * turned;
            others++;
        }
    }
    assert_int_equal(closed, 30 * SOLVE_CANDIDATES / 2);
    assert_true(fabs(spread(sum2, others) - 0.5) < 0.03);
    k->list = world_constraints(
        &k->w,
        "[\"ObjectName\",\"radio\"],[\"CloseToPix\",\"center\",[0.5,0.5]]");
    compile(k, 1, false);
    /* nothing turns it: it starts as it stands */
    for (int l = 0; l < SOLVE_CANDIDATES; l++)
        assert_true(k->start[3][l] ==
                    (float)space_pose(k->w.space, k->c.object)->yaw);
    close_room(k);
}

/* Over the far end of the floor a view ray meets nothing; the moved object
 * itself is never met. */
static void a_ray_that_meets_nothing_starts_on_the_plane_or_in_its_middle(
    void **state)
{
    (void)state;
    compiled *k = open_room(0);
    double x, y;
    world_pixel(&k->w, v3(5.5, 6, 0), &x, &y);
    k->list = world_constraints(
        &k->w,
        "[\"ObjectName\",\"radio\"],[\"CloseToPix\",\"down\",[%.9f,%.9f]],[\"Contact\",\"down\",\"floor_up\"]",
        x, y);
    compile(k, 1, false);
    vec3 at =
        v3_add(k->p.origin, v3((double)k->start[0][0], (double)k->start[1][0],
                               (double)k->start[2][0]));
    assert_true(v3_distance(at, v3(5.5, 6, 0.06)) <
                1e-3); /* the box's middle, half its height over the plane */
    char name[PROBE_NAME_SIZE];
    k->list = world_constraints(
        &k->w,
        "[\"ObjectName\",\"radio\"],[\"CloseToPix\",\"center\",[%.9f,%.9f]],[\"Contact\",\"up\",\"%s\"]",
        x, y, face_along(k, "beam", v3(0, 0, -1), name));
    compile(k, 1, false); /* the ray goes down, the beam is above */
    at = v3_add(k->p.origin, v3((double)k->start[0][0], (double)k->start[1][0],
                                (double)k->start[2][0]));
    assert_true(v3_distance(at, v3(0.3, 0.2, 2.35)) < 1e-3);
    world_pixel(&k->w, v3(-0.9, 0, 0.1), &x, &y); /* at the radio itself */
    k->list = world_constraints(
        &k->w,
        "[\"ObjectName\",\"radio\"],[\"CloseToPix\",\"center\",[%.9f,%.9f]]", x,
        y);
    compile(k, 1, false);
    at = v3_add(k->p.origin, v3((double)k->start[0][0], (double)k->start[1][0],
                                (double)k->start[2][0]));
    assert_true(v3_distance(at, v3(-0.9, 0, 0.06)) > 0.15);
    close_room(k);
}

#define AT_WALL \
    "[\"ObjectName\",\"radio\"],[\"CloseToPix\",\"center\",[0.5,0.5]],[\"Contact\",\"side\",\"%s\"]%s%s%s"

static const term *side_term(const compiled *k)
{
    for (uint32_t i = 0; i < k->p.term_count; i++)
        if (k->p.terms[i].kind == TERM_CONTACT)
            return &k->p.terms[i];
    return NULL;
}

static void the_side_that_touches_is_the_methods(void **state)
{
    (void)state;
    compiled *k = open_room(100);
    char wall[PROBE_NAME_SIZE], left[PROBE_NAME_SIZE];
    face_along(k, "wall", v3(0, -1, 0), wall);
    face_along(k, "left wall", v3(1, 0, 0), left);
    static const struct {
        const char *before, *after;
        bool of_wall, hanging;
        float x, y;
    } cases[] = {
        {"", "", false, false, 1,
         /* it stands turned by 100 degrees: its +x side is the one before the
          * wall */
         0},
        {"", "", false, true, 0, 1},
        {",[\"FaceTo\",\"", "\"]", true, false, 0, 1},
        {",[\"BackTo\",\"", "\"]", true, false, 0, -1},
        {",[\"Rotate\",", "90]", false, false, 0, -1}, /* at 190 degrees */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        k->list =
            world_constraints(&k->w, AT_WALL, wall, cases[i].before,
                              cases[i].of_wall ? wall : "", cases[i].after);
        compile(k, 3, false);
        k->c.hanging = cases[i].hanging;
        assert_int_equal(case_compile(&k->c, false, &k->p, k->start, NULL),
                         ETNA_OK);
        for (int l = 0; l < SOLVE_CANDIDATES; l++)
            if (side_term(k)->lane_x[l] != cases[i].x ||
                side_term(k)->lane_y[l] != cases[i].y)
                fail_msg("case %zu, candidate %d: side %g %g", i, l,
                         (double)side_term(k)->lane_x[l],
                         (double)side_term(k)->lane_y[l]);
        /* without a constraint that turns it one is added */
        bool heads = k->p.terms[2].kind == TERM_FACING;
        assert_int_equal(heads, i != 4);
        assert_int_equal(k->p.turn_frozen, i == 4);
        if (i < 2)
            assert_true(v3_distance(k->p.terms[2].normal, v3(0, 1, 0)) < 1e-9 &&
                        k->p.terms[2].lane_x[0] == cases[i].x);
    }
    /* Facing what the left wall faces while touching the other one, it touches
     * with a flank, seen from where each starts. */
    k->list =
        world_constraints(&k->w, AT_WALL, wall, ",[\"FaceTo\",\"", left, "\"]");
    compile(k, 3, false);
    for (int l = 0; l < SOLVE_CANDIDATES; l++) {
        const term *t = side_term(k);
        double yaw = (double)k->start[3][l],
               along = cos(yaw) * (double)t->lane_y[l] +
                       sin(yaw) * (double)t->lane_x[l];
        assert_true(along > 0.7);
    }
    /* heading +x, the side to its left */
    assert_true(side_term(k)->lane_x[0] == 1);
    close_room(k);
}

static bool accepted(compiled *k, vec3 at, double yaw)
{
    static candidate all[SOLVE_CANDIDATES];
    memset(all, 0, sizeof all);
    for (uint32_t i = 0; i < SOLVE_CANDIDATES; i++) {
        all[i].number = i;
        vec3 d = v3_sub(at, k->p.origin);
        memcpy(all[i].pose, (double[4]){d.x, d.y, d.z, yaw},
               sizeof all[i].pose);
    }
    uint32_t survivors = judge_candidates(&k->c, &k->p, all);
    assert_true(survivors == 0 || survivors == SOLVE_CANDIDATES);
    return survivors > 0;
}

static void what_is_accepted_is_as_exact_as_the_method_says(void **state)
{
    (void)state;
    compiled *k = open_room(0);
    for (int paper = 0; paper < 2; paper++) {
        for (int i = 0; i < 2; i++) { /* 2 cm at 30 cm, 5 % of a metre */
            double metres = i ? 1 : 0.3, tolerance = i ? 0.05 : 0.02, x, y;
            for (int out = 0; out < 2; out++) {
                vec3 at = v3(0.8 - metres - tolerance * (out ? 1.05 : 0.95),
                             0.6, 0.15);
                world_pixel(&k->w, at, &x, &y);
                k->list = world_constraints(
                    &k->w,
                    "[\"ObjectName\",\"radio\"],[\"CloseToPix\",\"center\",[%.9f,%.9f]],[\"Distance\",\"lamp\",%.3f]",
                    x, y, metres);
                compile(k, 1, paper);
                assert_int_equal(accepted(k, at, 0), paper || !out);
            }
        }
        double x, y;
        /* said twice, so that nothing makes it exact */
        world_pixel(&k->w, v3(0, 0, 0.5), &x, &y);
        k->list = world_constraints(
            &k->w,
            "[\"ObjectName\",\"radio\"],[\"CloseToPix\",\"center\",[%.9f,%.9f]],[\"FaceTo\",\"lamp\"],[\"FaceTo\",\"lamp\"]",
            x, y);
        compile(k, 1, paper);
        double want = atan2(0.8, -0.6);
        assert_true(accepted(k, v3(0, 0, 0.5), want + 9.9 * MATH_PI / 180));
        assert_int_equal(
            accepted(k, v3(0, 0, 0.5), want + 10.1 * MATH_PI / 180), paper);
        assert_false(accepted(k, v3(0, 0, 0.5),
                              /* a loss of 2 is too much for the paper, too */
                              want + MATH_PI));
    }
    close_room(k);
}

static void a_contact_is_within_a_millimetre(void **state)
{
    (void)state;
    for (int out = 0; out < 2; out++) { /* two planes at once, that far apart */
        compiled *k = calloc(1, sizeof *k);
        scene_builder *b = world_begin();
        double high = out ? 0.0011 : 0.0009, x, y;
        scene_builder_object(b, "mat", scene_builder_box(b, 1, 1, high),
                             scene_builder_at(0, 0, high / 2, 0), false);
        scene_builder_object(b, "cube", scene_builder_box(b, 0.2, 0.2, 0.2),
                             scene_builder_at(1.5, 0, 0.1, 0), false);
        k->w = stage_open(b);
        world_pixel(&k->w, v3(0, 0, 0), &x, &y);
        k->list = world_constraints(
            &k->w,
            "[\"ObjectName\",\"cube\"],[\"CloseToPix\",\"down\",[%.9f,%.9f]],[\"Contact\",\"down\",\"floor_up\"],"
            "[\"Contact\",\"down\",\"mat_up\"]",
            x, y);
        compile(k, 1, false);
        assert_int_equal(accepted(k, v3(0, 0, 0.1), 0), !out);
        close_room(k);
    }
}

/* A tray with a post: its `_up` is the top of the post, what is stood in it
 * comes to rest below, if that is not too deep. */
static void settle_in_tray(double height,
                           double post,
                           double *ret_rest,
                           arrange_branch_status *ret_status)
{
    scene_builder *b = world_begin();
    double x, y;
    scene_builder_object(b, "tray", scene_builder_box(b, 0.8, 0.8, 0.1),
                         scene_builder_at(0, 0, 0.05, 0), false);
    scene_builder_part(b, scene_builder_box(b, 0.02, 0.02, post),
                       scene_builder_at(0.38, 0.38, 0.1 + post / 2, 0));
    scene_builder_object(b, "box", scene_builder_box(b, 0.2, 0.2, height),
                         scene_builder_at(1.4, 0, height / 2, 0), false);
    world w = stage_open(b);
    world_pixel(&w, v3(0, 0, 0.1 + post), &x, &y);
    constraint_list list = world_constraints(
        &w,
        "[\"ObjectName\",\"box\"],[\"CloseToPix\",\"down\",[%.6f,%.6f]],[\"Contact\",\"down\",\"tray_up\"]",
        x, y);
    solve_result r = world_solve(&w, &list, 4);
    *ret_rest = r.pose.position[2] - height / 2;
    *ret_status = r.status;
    stage_close(&w);
}

static void
a_thing_settles_by_a_tenth_of_its_height_and_five_centimetres_at_most(
    void **state)
{
    (void)state;
    static const struct {
        double height, post;
        bool settles;
    } cases[] = {{0.3, 0.028, true},
                 {0.3, 0.032, false},
                 {0.8, 0.048, true},
                 {0.8, 0.052, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double rest;
        arrange_branch_status status;
        settle_in_tray(cases[i].height, cases[i].post, &rest, &status);
        assert_int_equal(status, cases[i].settles
                                     ? BRANCH_VALID
                                     /* nothing met: it stays up there */
                                     : BRANCH_FLOATING);
        if (cases[i].settles)
            assert_true(fabs(rest - 0.1 - 1e-4) < 1e-5);
    }
}

/* ---- --paper-solver ---- */
static void the_papers_solver_drops_every_decision_and_nothing_else(
    void **state)
{
    (void)state;
    compiled *k = open_room(100), *q = open_room(100);
    char wall[PROBE_NAME_SIZE];
    face_along(k, "wall", v3(0, -1, 0), wall);
    k->list = world_constraints(
        &k->w,
        "[\"ObjectName\",\"radio\"],[\"CloseToPix\",\"down\",[0.05,0.5]],[\"Contact\",\"side\",\"%s\"],"
        "[\"NoOverhang\",\"down\",\"floor_up\",\"full_only\"],[\"Distance\",\"lamp\",0.7],[\"Rotate\",30]",
        wall);
    q->list = world_constraints(
        &q->w,
        "[\"ObjectName\",\"radio\"],[\"CloseToPix\",\"down\",[0.05,0.5]],[\"Contact\",\"side\",\"%s\"],"
        "[\"NoOverhang\",\"down\",\"floor_up\",\"full_only\"],[\"Distance\",\"lamp\",0.7],[\"Rotate\",30]",
        wall);
    compile(k, 5, false);
    compile(q, 5, true);
    assert_true(k->p.decay == 0 && q->p.decay == 0.01);
    assert_int_equal(k->p.term_count, q->p.term_count);
    double pose[4] = {2.4, 0.3, 0.2, 0.7}, ours[2 * CONSTRAINTS_MAX],
           papers[2 * CONSTRAINTS_MAX];
    problem_loss(&k->p, 0, false, pose, NULL, ours);
    problem_loss(&q->p, 0, false, pose, NULL, papers);
    for (uint32_t i = 0; i < k->p.term_count; i++)
        if (k->p.terms[i].kind == TERM_INSIDE)
            assert_true(ours[i] > 1 &&
                        /* the floor's edges are 4 m long */
                        fabs(papers[i] - 4 * ours[i]) < 1e-9);
        /* the side is chosen from another start */
        else if (k->p.terms[i].kind != TERM_CONTACT)
            assert_true(papers[i] == ours[i]);
    /* by 30 degrees */
    assert_true(fabs((double)k->start[3][0] - 130 * MATH_PI / 180) < 1e-6);
    /* to 30 degrees */
    assert_true(fabs((double)q->start[3][0] - 30 * MATH_PI / 180) < 1e-6);
    uint32_t outside = 0;
    for (int l = 0; l < SOLVE_CANDIDATES; l++) {
        outside += 0.05 + (double)q->p.terms[0].lane_x[l] < 0;
        assert_true(0.05 + (double)k->p.terms[0].lane_x[l] >= 0.01 - 1e-6);
    }
    assert_true(outside > 10 && q->p.terms[0].lane_x[0] != 0);
    /* center on a plane of any size is the paper's */
    for (int paper = 0; paper < 2; paper++) {
        q->list = world_constraints(
            &q->w,
            "[\"ObjectName\",\"radio\"],[\"CloseToPix\",\"down\",[0.5,0.5]],[\"NoOverhang\",\"down\",\"floor_up\",\"center\"]");
        compile(q, 5, paper);
        assert_int_equal(q->c.center_possible, paper);
        assert_int_equal(q->p.terms[1].kind, TERM_INSIDE); /* full first */
        assert_int_equal(case_compile(&q->c, true, &q->p, q->start, NULL),
                         ETNA_OK);
        assert_int_equal(q->p.terms[1].kind, paper ? TERM_MIDDLE : TERM_INSIDE);
    }
    q->list = world_constraints(
        &q->w,
        "[\"ObjectName\",\"radio\"],[\"CloseToPix\",\"down\",[0.5,0.5]],[\"Contact\",\"side\",\"%s\"]",
        wall);
    compile(q, 5, true);
    assert_int_equal(q->p.term_count, 2); /* no heading is added */
    for (int l = 0; l < SOLVE_CANDIDATES; l++)
        assert_true(q->start[3][l] == 0);
    close_room(k);
    close_room(q);
}

static void the_papers_solver_neither_settles_nor_looks_at_the_real_polygon(
    void **state)
{
    (void)state;
    for (int paper = 0; paper < 2; paper++) {
        constraint_list list;
        world w = world_angled_desk(0.08, &list);
        solve_request request = solve_request_default();
        solve_result r;
        request.constraints = &list;
        request.camera = &w.scene->cameras[0];
        request.paper_solver = paper;
        request.seed = 2;
        assert_int_equal(solve_run(w.space, w.probes, &request, &r, NULL),
                         ETNA_OK);
        double high = r.pose.position[2] - 0.075 - 0.4;
        /* the first that collides with nothing is the answer, standing or not,
         * and where it was solved */
        if (paper) {
            assert_true(r.status == BRANCH_VALID ||
                        r.status == BRANCH_FLOATING);
            assert_true(r.support_checks <= 1);
            assert_true(r.status != BRANCH_VALID || fabs(high - 1e-4) > 1e-9);
        } else {
            assert_int_equal(r.status, BRANCH_VALID);
            assert_true(fabs(high - 1e-4) < 1e-7); /* settled, then lifted */
        }
        stage_close(&w);
    }
}

/* ---- nothing to go by ---- */
static void things_without_thickness_or_before_no_lens_have_an_answer(
    void **state)
{
    (void)state;
    scene_builder *b = world_begin();
    const float dot[] = {0, 0, 0, 0, 0, 0, 0, 0, 0},
                needle[] = {0, 0, 0, 0, 0, 0.3f, 0, 0, 0.1f};
    const uint32_t triangle[] = {0, 1, 2};
    scene_builder_object(b, "paper", scene_builder_sheet(b, 0.2, 0.3, 2),
                         scene_builder_at(1, 0, 0, 30), false);
    scene_builder_object(b, "dot", scene_builder_mesh(b, dot, 3, triangle, 1),
                         scene_builder_at(-1, 0, 0, 0), false);
    scene_builder_object(b, "needle",
                         scene_builder_mesh(b, needle, 3, triangle, 1),
                         scene_builder_at(-1, 0.5, 0, 0), false);
    scene_builder_object(b, "behind", scene_builder_box(b, 0.2, 0.2, 0.2),
                         scene_builder_at(0.1, -6, 0.1, 0), false);
    world w = stage_open(b);
    static const char *const movers[] = {"paper", "dot", "needle", "behind"},
                             *const targets[] = {"behind", "dot", "needle",
                                                 "paper", "camera"};
    for (size_t i = 0; i < 4; i++)
        for (size_t t = 0; t < 5; t++) {
            if (strcmp(movers[i], targets[t]) == 0)
                continue;
            char distance[80] = "";
            if (t < 4)
                snprintf(distance, sizeof distance, ",[\"Distance\",\"%s\",0]",
                         targets[t]);
            constraint_list list = world_constraints(
                &w,
                "[\"ObjectName\",\"%s\"],[\"CloseToPix\",\"down\",[0.5,0.6]],[\"Contact\",\"down\",\"floor_up\"],"
                "[\"NoOverhang\",\"down\",\"floor_up\",\"center\"],[\"FaceTo\",\"%s\"],[\"BackTo\",\"%s\"]%s",
                movers[i], targets[t], targets[t], t % 2 ? distance : "");
            solve_result r = world_solve(&w, &list, t);
            for (int a = 0; a < 3; a++)
                assert_true(isfinite(r.pose.position[a]));
            assert_true(isfinite(r.pose.yaw));
            assert_int_not_equal(r.status,
                                 /* it cannot face and back the same thing */
                                 BRANCH_VALID);
            assert_true(isfinite(r.loss) && strlen(r.reason) > 20);
        }
    constraint_list list = world_constraints(
        &w,
        "[\"ObjectName\",\"paper\"],[\"CloseToPix\",\"down\",[0.5,0.6]],[\"Contact\",\"down\",\"floor_up\"],"
        "[\"NoOverhang\",\"down\",\"floor_up\",\"full_only\"],[\"FaceTo\",\"behind\"]");
    solve_result r = world_solve(&w, &list, 1);
    assert_string_equal(r.reason, "");
    assert_true(fabs(r.pose.position[2]) < 1e-3);
    stage_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_are_perturbed_by_two_widths_and_clamped),
        cmocka_unit_test(half_of_the_candidates_start_at_the_heading_sought),
        cmocka_unit_test(
            a_ray_that_meets_nothing_starts_on_the_plane_or_in_its_middle),
        cmocka_unit_test(the_side_that_touches_is_the_methods),
        cmocka_unit_test(what_is_accepted_is_as_exact_as_the_method_says),
        cmocka_unit_test(a_contact_is_within_a_millimetre),
        cmocka_unit_test(
            a_thing_settles_by_a_tenth_of_its_height_and_five_centimetres_at_most),
        cmocka_unit_test(
            the_papers_solver_drops_every_decision_and_nothing_else),
        cmocka_unit_test(
            the_papers_solver_neither_settles_nor_looks_at_the_real_polygon),
        cmocka_unit_test(
            things_without_thickness_or_before_no_lens_have_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
