/* Given places: what a Place puts where, and how it comes to rest there. */
#include "tests/unit/worker/solve/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static solve_result solve_text(world *w, const char *text)
{
    constraint_list list = world_constraints(w, "%s", text);
    return world_solve(w, &list, 1);
}

static void assert_solved(const solve_result *r)
{
    if (r->status != BRANCH_VALID)
        fail_msg("%s", r->reason);
}

/* Its middle is carried by what was named, and everything still stands. */
static void assert_stands(world *w, const solve_result *r)
{
    space_support_state start, state;
    uint32_t broken[8];
    bool moved[64] = {false};
    assert_int_equal(
        space_support_compute(w->space, NULL, NULL, NULL, &start, NULL),
        ETNA_OK);
    assert_int_equal(space_move(w->space, r->object, &r->pose, NULL), ETNA_OK);
    moved[r->object] = true;
    assert_int_equal(
        space_support_compute(w->space, NULL, &start, NULL, &state, NULL),
        ETNA_OK);
    assert_int_equal(space_support_broken(&start, &state, moved, broken, 8), 0);
    space_pair found;
    uint32_t count;
    assert_int_equal(
        space_collisions(w->space, r->object, NULL, &found, 1, &count, NULL),
        ETNA_OK);
    assert_int_equal(count, 0);
    space_support_free(&state);
    space_support_free(&start);
}

static void a_place_is_met_exactly_and_the_thing_lowered_to_what_is_there(
    void **state)
{
    (void)state;
    world w = stage_open(world_bottle_and_block(0.3));
    /* the height is a few centimetres wrong either way */
    for (int k = -2; k <= 2; k++) {
        char text[200];
        snprintf(
            text, sizeof text,
            "[\"ObjectName\",\"bottle\"],[\"Place\",[0.05,-0.04,%.3f]],[\"Contact\",\"down\",\"block\"]",
            0.1 + 0.02 * k);
        solve_result r = solve_text(&w, text);
        assert_solved(&r);
        world_near(r.pose.position[0], 0.05, 1e-12);
        world_near(r.pose.position[1], -0.04, 1e-12);
        world_near(r.pose.position[2], 0.1 + 0.125 + 1e-4, 2e-5);
        assert_string_equal(r.plane, "block");
        assert_false(r.attached);
        assert_int_equal(r.candidates, 1);
    }
    /* where it was is where it still is */
    world_near(space_pose(w.space, 2)->position[0], 0.8, 0);
    stage_close(&w);
}

static void no_camera_is_needed(void **state)
{
    (void)state;
    world w = stage_open(world_bottle_and_block(0.3));
    constraint_list list = world_constraints(
        &w,
        "[\"ObjectName\",\"bottle\"],[\"Place\",[0,0,0.1]],[\"Contact\",\"down\",\"block\"]");
    solve_request request = solve_request_default();
    solve_result r;
    etna_error err = {0};
    request.constraints = &list;
    assert_int_equal(solve_run(w.space, w.probes, &request, &r, &err), ETNA_OK);
    assert_solved(&r);
    list = world_constraints(
        &w,
        "[\"ObjectName\",\"bottle\"],[\"Place\",[0,0,0.1]],[\"Contact\",\"down\",\"block_up\"]");
    assert_int_equal(solve_run(w.space, w.probes, &request, &r, &err),
                     ETNA_E_INPUT);
    assert_non_null(strstr(err.text, "camera"));
    stage_close(&w);
}

static void a_ball_rests_in_a_bowl(void **state)
{
    (void)state;
    scene_builder *b = world_begin();
    scene_builder_object(b, "bowl", scene_builder_bowl(b, 0.12, 0.13, 16),
                         scene_builder_at(0, 0, 0.13, 0), false);
    scene_builder_object(b, "ball", scene_builder_sphere(b, 0.03, 12),
                         scene_builder_at(1, 0, 0.03, 0), false);
    world w = stage_open(b);
    solve_result r = solve_text(
        &w,
        "[\"ObjectName\",\"ball\"],[\"Place\",[0,0,0.2]],[\"Contact\",\"down\",\"bowl\"]");
    assert_solved(&r);
    assert_true(r.pose.position[2] < 0.05);
    assert_stands(&w, &r);
    stage_close(&w);
}

static void a_wide_thing_rests_on_the_rim(void **state)
{
    (void)state;
    scene_builder *b = world_begin();
    scene_builder_object(b, "bowl", scene_builder_bowl(b, 0.12, 0.122, 24),
                         scene_builder_at(0, 0, 0.122, 0), false);
    scene_builder_object(b, "burger",
                         scene_builder_cylinder(b, 0.125, 0.08, 24),
                         scene_builder_at(1, 0, 0.04, 0), false);
    world w = stage_open(b);
    solve_result r = solve_text(
        &w,
        "[\"ObjectName\",\"burger\"],[\"Place\",[0,0,0.1]],[\"Contact\",\"down\",\"bowl\"]");
    assert_solved(&r);
    world_near(r.pose.position[2] - 0.04, 0.122, 0.002);
    assert_stands(&w, &r);
    /* with its middle beyond the rim it would fall */
    r = solve_text(
        &w,
        "[\"ObjectName\",\"burger\"],[\"Place\",[0.14,0,0.13]],[\"Contact\",\"down\",\"bowl\"]");
    assert_int_equal(r.status, BRANCH_FLOATING);
    assert_non_null(strstr(r.reason, "bowl"));
    /* but a hand's breadth nearer it stands, and that is where it slides */
    r = solve_text(
        &w,
        "[\"ObjectName\",\"burger\"],[\"Place\",[0.14,0,0.13],0.1],[\"Contact\",\"down\",\"bowl\"]");
    assert_solved(&r);
    assert_true(r.place_off > 0.01 && r.place_off < 0.06);
    assert_stands(&w, &r);
    stage_close(&w);
}

static scene_builder *slats(double width, double apart)
{
    scene_builder *b = world_begin();
    uint32_t slat = scene_builder_box(b, 0.4, width, 0.01);
    scene_builder_object(b, "grate", slat,
                         scene_builder_at(0, -1.5 * apart, 0.3, 0), true);
    for (int k = 1; k < 4; k++)
        scene_builder_part(b, slat,
                           scene_builder_at(0, (k - 1.5) * apart, 0.3, 0));
    scene_builder_object(b, "pot", scene_builder_cylinder(b, 0.1, 0.12, 24),
                         scene_builder_at(1, 0, 0.06, 0), false);
    return b;
}

static void a_pot_stands_on_slats_that_slip_between_the_grid(void **state)
{
    (void)state;
    world w = stage_open(slats(0.003, 0.097));
    solve_result r = solve_text(
        &w,
        "[\"ObjectName\",\"pot\"],[\"Place\",[0.01,0.003,0.305]],[\"Contact\",\"down\",\"grate\"]");
    assert_solved(&r);
    world_near(r.pose.position[2] - 0.06, 0.305, 0.001);
    assert_stands(&w, &r);
    stage_close(&w);
}

static void a_cushion_of_bumps_carries(void **state)
{
    (void)state;
    enum {
        SIDE = 40
    };
    static float position[SIDE * SIDE * 3];
    static uint32_t index[(SIDE - 1) * (SIDE - 1) * 6];
    uint32_t triangles = 0;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            float *p = position + 3 * (j * SIDE + i);
            p[0] = (float)(i - SIDE / 2) * 0.01f;
            p[1] = (float)(j - SIDE / 2) * 0.01f;
            p[2] = 0.02f * (float)(sin(0.9 * i) * cos(0.7 * j) +
                                   0.4 * sin(2.3 * i + 1.1 * j));
        }
    for (uint32_t j = 0; j + 1 < SIDE; j++)
        for (uint32_t i = 0; i + 1 < SIDE; i++) {
            uint32_t a = j * SIDE + i, quad[6] = {a, a + 1,        a + SIDE + 1,
                                                  a, a + SIDE + 1, a + SIDE};
            memcpy(index + 3 * triangles, quad, sizeof quad);
            triangles += 2;
        }
    scene_builder *b = world_begin();
    uint32_t cushion =
        scene_builder_mesh(b, position, SIDE * SIDE, index, triangles);
    scene_builder_object(b, "cushion", cushion, scene_builder_at(0, 0, 0.4, 0),
                         true);
    scene_builder_object(b, "book", scene_builder_box(b, 0.2, 0.15, 0.03),
                         scene_builder_at(1, 0, 0.015, 0), false);
    world w = stage_open(b);
    solve_result r = solve_text(
        &w,
        "[\"ObjectName\",\"book\"],[\"Place\",[0,0,0.42],0.1],[\"Contact\",\"down\",\"cushion\"]");
    assert_solved(&r);
    assert_true(r.pose.position[2] > 0.41 && r.pose.position[2] < 0.45);
    assert_stands(&w, &r);
    stage_close(&w);
}

static scene_builder *shelf(void)
{
    scene_builder *b = world_begin();
    uint32_t board = scene_builder_box(b, 0.8, 0.3, 0.02),
             side = scene_builder_box(b, 0.02, 0.3, 1.2);
    scene_builder_object(b, "shelf", board, scene_builder_at(0, 0, 0.01, 0),
                         false);
    for (int k = 1; k < 4; k++)
        scene_builder_part(b, board,
                           scene_builder_at(0, 0, 0.01 + 0.39 * k, 0));
    scene_builder_part(b, side, scene_builder_at(-0.41, 0, 0.6, 0));
    scene_builder_part(b, side, scene_builder_at(0.41, 0, 0.6, 0));
    scene_builder_object(b, "vase", scene_builder_cylinder(b, 0.06, 0.3, 24),
                         scene_builder_at(1, 0.5, 0.15, 0), false);
    return b;
}

static void the_height_of_a_place_chooses_the_board(void **state)
{
    (void)state;
    world w = stage_open(shelf());
    for (int k = 0; k < 3; k++) {
        char text[200];
        snprintf(
            text, sizeof text,
            "[\"ObjectName\",\"vase\"],[\"Place\",[0.1,0,%.3f]],[\"Contact\",\"down\",\"shelf\"]",
            0.02 + 0.39 * k);
        solve_result r = solve_text(&w, text);
        assert_solved(&r);
        world_near(r.pose.position[2] - 0.15, 0.02 + 0.39 * k, 0.001);
        assert_stands(&w, &r);
        space_move(w.space, r.object, &(arrange_pose){{1, 0.5, 0.15}, 0}, NULL);
    }
    stage_close(&w);
}

static void the_first_free_place_of_a_segment_is_taken(void **state)
{
    (void)state;
    scene_builder *b = world_begin();
    scene_builder_object(b, "crate", scene_builder_box(b, 0.4, 0.4, 0.4),
                         scene_builder_at(-0.6, 0, 0.2, 0), false);
    scene_builder_object(b, "box", scene_builder_box(b, 0.2, 0.2, 0.2),
                         scene_builder_at(1.5, 1, 0.1, 0), false);
    world w = stage_open(b);
    solve_result r = solve_text(
        &w,
        "[\"ObjectName\",\"box\"],[\"Place\",[-0.6,0,0],[1,0,0]],[\"Contact\",\"down\",\"floor\"]");
    assert_solved(&r);
    assert_true(r.pose.position[0] > -0.31 && r.pose.position[0] < -0.27);
    world_near(r.pose.position[1], 0, 1e-12);
    assert_true(r.candidates > 5 && r.candidates < 30);
    r = solve_text(
        &w,
        "[\"ObjectName\",\"box\"],[\"Place\",[1,0.3,0],[1,0.3,0]],[\"Contact\",\"down\",\"floor\"]");
    assert_solved(&r);
    assert_int_equal(r.candidates, 1);
    stage_close(&w);
}

/* It would come 9 mm into the leg before that counts as a collision. */
static void a_way_ends_where_something_is_met(void **state)
{
    (void)state;
    scene_builder *b = world_begin();
    scene_builder_object(b, "leg", scene_builder_box(b, 0.4, 0.4, 0.4),
                         scene_builder_at(-0.6, 0, 0.2, 0), false);
    scene_builder_object(b, "box", scene_builder_box(b, 0.2, 0.2, 0.2),
                         scene_builder_at(1.5, 1, 0.1, 0), false);
    world w = stage_open(b);
    solve_result r = solve_text(
        &w, "[\"ObjectName\",\"box\"],[\"Place\",[-0.309,0,0],[-0.2,0,0]],"
            "[\"Contact\",\"down\",\"floor\"]");
    assert_solved(&r);
    assert_true(r.pose.position[0] >= -0.3);
    r = solve_text(
        &w, "[\"ObjectName\",\"box\"],[\"Place\",[-0.309,0,0],[-0.305,0,0]],"
            "[\"Contact\",\"down\",\"floor\"]");
    /* where it cuts the leg all the way, that is no collision yet */
    assert_solved(&r);
    stage_close(&w);
}

static void what_is_in_the_way_is_named(void **state)
{
    (void)state;
    scene_builder *b = world_begin();
    scene_builder_object(b, "crate", scene_builder_box(b, 0.6, 0.6, 0.6),
                         scene_builder_at(0, 0, 0.3, 0), false);
    scene_builder_object(b, "box", scene_builder_box(b, 0.2, 0.2, 0.2),
                         scene_builder_at(1.5, 1, 0.1, 0), false);
    world w = stage_open(b);
    solve_result r = solve_text(
        &w,
        "[\"ObjectName\",\"box\"],[\"Place\",[0,0.1,0],0.1],[\"Contact\",\"down\",\"floor\"]");
    assert_int_equal(r.status, BRANCH_COLLISION);
    assert_non_null(strstr(r.reason, "\"crate\""));
    assert_int_equal(r.obstacle.kind, OBSTACLE_TAKEN);
    assert_string_equal(w.scene->objects[r.obstacle.others[0]].name, "crate");
    assert_int_equal(r.candidates, 64);
    /* what is under the place is not what was named */
    r = solve_text(
        &w,
        "[\"ObjectName\",\"box\"],[\"Place\",[0,0.1,0.7]],[\"Contact\",\"down\",\"floor\"]");
    assert_int_equal(r.status, BRANCH_UNSOLVED);
    assert_non_null(strstr(r.reason, "\"crate\""));
    /* nothing is there at all */
    r = solve_text(
        &w,
        "[\"ObjectName\",\"box\"],[\"Place\",[50,0,0]],[\"Contact\",\"down\",\"floor\"]");
    assert_int_equal(r.status, BRANCH_UNSOLVED);
    stage_close(&w);
}

static void a_cloth_on_the_table_counts_as_the_table(void **state)
{
    (void)state;
    scene_builder *b = world_begin();
    scene_builder_object(b, "table", scene_builder_box(b, 1, 0.6, 0.7),
                         scene_builder_at(0, 0, 0.35, 0), false);
    scene_builder_object(b, "cloth", scene_builder_box(b, 0.6, 0.5, 0.004),
                         scene_builder_at(0, 0, 0.702, 0), false);
    scene_builder_object(b, "crate", scene_builder_box(b, 0.2, 0.2, 0.2),
                         scene_builder_at(0.4, 0, 0.8, 0), false);
    scene_builder_object(b, "cup", scene_builder_cylinder(b, 0.04, 0.1, 16),
                         scene_builder_at(1.5, 1, 0.05, 0), false);
    world w = stage_open(b);
    solve_result r = solve_text(
        &w,
        "[\"ObjectName\",\"cup\"],[\"Place\",[0,0,0.7]],[\"Contact\",\"down\",\"table\"]");
    assert_solved(&r);
    world_near(r.pose.position[2] - 0.05, 0.704, 0.001);
    r = solve_text(
        &w,
        "[\"ObjectName\",\"cup\"],[\"Place\",[0.4,0,0.9]],[\"Contact\",\"down\",\"table\"]");
    assert_int_equal(r.status, BRANCH_UNSOLVED);
    stage_close(&w);
}

/* A shoe is low at its toe; what stands on that does not stand on the mat. */
static void what_rises_beside_the_thing_is_no_covering(void **state)
{
    (void)state;
    scene_builder *b = world_begin();
    scene_builder_object(b, "mat", scene_builder_box(b, 0.5, 0.4, 0.01),
                         scene_builder_at(0, 0, 0.005, 0), false);
    uint32_t toe = scene_builder_box(b, 0.3, 0.3, 0.02),
             heel = scene_builder_box(b, 0.1, 0.3, 0.15);
    scene_builder_object(b, "shoe", toe, scene_builder_at(0, 0, 0.02, 0),
                         false);
    scene_builder_part(b, heel, scene_builder_at(0.2, 0, 0.085, 0));
    scene_builder_object(b, "cup", scene_builder_cylinder(b, 0.04, 0.1, 16),
                         scene_builder_at(1.5, 1, 0.05, 0), false);
    world w = stage_open(b);
    solve_result r = solve_text(
        &w,
        "[\"ObjectName\",\"cup\"],[\"Place\",[0,0,0.03]],[\"Contact\",\"down\",\"mat\"]");
    assert_int_equal(r.status, BRANCH_UNSOLVED);
    stage_close(&w);
}

static void a_heading_is_absolute_and_facing_is_met_at_the_place(void **state)
{
    (void)state;
    scene_builder *b = world_begin();
    scene_builder_object(b, "chair", scene_builder_box(b, 0.4, 0.5, 0.8),
                         scene_builder_at(1, 1, 0.4, 30), false);
    scene_builder_object(b, "lamp", scene_builder_cylinder(b, 0.1, 0.8, 16),
                         scene_builder_at(0, 1.5, 0.4, 0), false);
    world w = stage_open(b);
    static const char on_floor[] =
        "[\"ObjectName\",\"chair\"],[\"Place\",[0,0,0]],[\"Contact\",\"down\",\"floor\"],";
    char text[300];
    snprintf(text, sizeof text, "%s[\"Heading\",-90]", on_floor);
    solve_result r = solve_text(&w, text);
    assert_solved(&r);
    world_near(r.pose.yaw, -MATH_PI / 2, 1e-12);
    snprintf(text, sizeof text, "%s[\"Rotate\",90]", on_floor);
    r = solve_text(&w, text);
    world_near(r.pose.yaw, MATH_PI * 2 / 3, 1e-6);
    snprintf(text, sizeof text, "%s[\"FaceTo\",\"lamp\"]", on_floor);
    r = solve_text(&w, text);
    world_near(fabs(r.pose.yaw), MATH_PI, 1e-6); /* the lamp is along +Y */
    snprintf(text, sizeof text, "%s[\"BackTo\",\"lamp\"]", on_floor);
    r = solve_text(&w, text);
    world_near(r.pose.yaw, 0, 1e-6);
    snprintf(text, sizeof text, "%s[\"FaceTo\",\"camera\"]", on_floor);
    r = solve_text(&w, text);
    world_near(r.pose.yaw, 0, 1e-6);
    r = solve_text(
        &w,
        "[\"ObjectName\",\"chair\"],[\"Place\",[0,0,0]],[\"Contact\",\"down\",\"floor\"]");
    world_near(r.pose.yaw, MATH_PI / 6, 1e-6);
    stage_close(&w);
}

static void a_hovering_thing_may_hover_elsewhere_and_a_standing_one_may_not(
    void **state)
{
    (void)state;
    scene_builder *b = world_begin();
    scene_builder_object(b, "lamp", scene_builder_sphere(b, 0.1, 8),
                         scene_builder_at(0.5, 0, 1.5, 0), false);
    scene_builder_object(b, "box", scene_builder_box(b, 0.2, 0.2, 0.2),
                         scene_builder_at(-1, 0, 0.1, 0), false);
    world w = stage_open(b);
    solve_result r =
        solve_text(&w, "[\"ObjectName\",\"lamp\"],[\"Place\",[0.5,0,1.7]]");
    assert_solved(&r);
    assert_true(r.attached);
    world_near(r.pose.position[2], 1.8, 1e-6);
    /* and later edits take it as it is */
    space_support_state start, now;
    uint32_t broken[4];
    bool fastened[3] = {false}, moved[3] = {false};
    fastened[r.object] = moved[r.object] = true;
    assert_int_equal(
        space_support_compute(w.space, NULL, NULL, NULL, &start, NULL),
        ETNA_OK);
    assert_int_equal(space_move(w.space, r.object, &r.pose, NULL), ETNA_OK);
    assert_int_equal(
        space_support_compute(w.space, NULL, &start, fastened, &now, NULL),
        ETNA_OK);
    assert_int_equal(space_support_broken(&start, &now, moved, broken, 4), 0);
    space_support_free(&now);
    space_support_free(&start);
    r = solve_text(&w, "[\"ObjectName\",\"box\"],[\"Place\",[-1,0,0.4]]");
    assert_int_equal(r.status, BRANCH_FLOATING);
    r = solve_text(&w, "[\"ObjectName\",\"box\"],[\"Place\",[-0.5,0,0.0]]");
    assert_solved(&r);
    world_near(r.pose.position[2], 0.1, 1e-6); /* exactly, no settling */
    stage_close(&w);
}

static void a_picture_is_pressed_against_its_wall(void **state)
{
    (void)state;
    scene_builder *b = world_begin();
    scene_builder_object(b, "wall", scene_builder_box(b, 4, 0.1, 2.5),
                         scene_builder_at(0, 2, 1.25, 0), true);
    scene_builder_object(b, "picture", scene_builder_box(b, 0.6, 0.02, 0.4),
                         scene_builder_at(1, 1.94, 1.5, 0), false);
    world w = stage_open(b);
    static const char *const places[] = {"[-1,1.97,1.2]", "[-1,1.9,1.2]",
                                         "[-1,1.94,1.2]"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char text[200];
        snprintf(
            text, sizeof text,
            "[\"ObjectName\",\"picture\"],[\"Place\",%s],[\"Contact\",\"side\",\"wall\"]",
            places[i]);
        solve_result r = solve_text(&w, text);
        assert_solved(&r);
        assert_true(r.attached);
        world_near(r.pose.position[1], 1.94 - 1e-4, 2e-5);
        world_near(r.pose.position[2], 1.2, 1e-12);
    }
    solve_result r = solve_text(
        &w,
        "[\"ObjectName\",\"picture\"],[\"Place\",[-1,1.5,1.2]],[\"Contact\",\"side\",\"wall\"]");
    assert_int_equal(r.status, BRANCH_UNSOLVED);
    stage_close(&w);
}

static void a_picture_may_be_as_deep_in_its_wall_as_it_was(void **state)
{
    (void)state;
    scene_builder *b = world_begin();
    scene_builder_object(b, "wall", scene_builder_box(b, 4, 0.1, 2.5),
                         scene_builder_at(0, 2, 1.25, 0), true);
    scene_builder_object(b, "picture", scene_builder_box(b, 0.6, 0.03, 0.4),
                         scene_builder_at(1, 1.943, 1.5, 0), false);
    world w = stage_open(b); /* 8 mm deep */
    solve_result r = solve_text(
        &w, "[\"ObjectName\",\"picture\"],[\"Place\",[-1,1.943,1.2]]");
    assert_solved(&r);
    r = solve_text(&w,
                   "[\"ObjectName\",\"picture\"],[\"Place\",[-1,1.945,1.2]]");
    assert_int_equal(r.status, BRANCH_COLLISION);
    stage_close(&w);
}

static void a_distance_and_an_overhang_are_kept_beside_a_place(void **state)
{
    (void)state;
    world w = stage_open(world_bottle_and_block(0.3));
    solve_result r = solve_text(
        &w,
        "[\"ObjectName\",\"bottle\"],[\"Place\",[0,0,0.1]],[\"Contact\",\"down\",\"block\"],"
        "[\"Distance\",\"block\",0.5]");
    assert_int_equal(r.status, BRANCH_UNSOLVED);
    assert_non_null(strstr(r.reason, "0.500"));
    r = solve_text(
        &w,
        "[\"ObjectName\",\"bottle\"],[\"Place\",[0.14,0,0.1]],[\"Contact\",\"down\",\"block\"],"
        "[\"NoOverhang\",\"down\",\"block_up\",\"full_only\"]");
    assert_int_equal(r.status, BRANCH_UNSOLVED);
    r = solve_text(
        &w,
        "[\"ObjectName\",\"bottle\"],[\"Place\",[0.14,0,0.1],0.1],[\"Contact\",\"down\",\"block\"],"
        "[\"NoOverhang\",\"down\",\"block_up\",\"full_only\"]");
    assert_solved(&r);
    assert_true(r.place_off > 0.02);
    stage_close(&w);
}

static void a_given_up_place_is_not_taken_again(void **state)
{
    (void)state;
    world w = stage_open(world_bottle_and_block(0.3));
    constraint_list list = world_constraints(
        &w,
        "[\"ObjectName\",\"bottle\"],[\"Place\",[0,0,0.1]],[\"Contact\",\"down\",\"block\"]");
    solve_result first = world_solve(&w, &list, 1), r;
    arrange_given_up before = {
        .object = "bottle", .plane = "block", .pose = first.pose};
    solve_request request = solve_request_default();
    request.constraints = &list;
    request.camera = &w.scene->cameras[0];
    request.given_up = &before;
    request.given_up_count = 1;
    assert_int_equal(solve_run(w.space, w.probes, &request, &r, NULL), ETNA_OK);
    assert_int_equal(r.status, BRANCH_REPEATED);
    list = world_constraints(
        &w,
        "[\"ObjectName\",\"bottle\"],[\"Place\",[0,0,0.1],0.1],[\"Contact\",\"down\",\"block\"]");
    assert_int_equal(solve_run(w.space, w.probes, &request, &r, NULL), ETNA_OK);
    assert_solved(&r);
    assert_true(r.place_off > 0.05);
    stage_close(&w);
}

static void hostile_numbers_are_refused_and_far_places_answered(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "[\"ObjectName\",\"bottle\"],[\"Place\",[0,0,1e300]]",
        "[\"ObjectName\",\"bottle\"],[\"Place\",[0,0,NaN]]",
        "[\"ObjectName\",\"bottle\"],[\"Place\",[0,0]]",
        "[\"ObjectName\",\"bottle\"],[\"Place\",[0,0,0],-1]",
        "[\"ObjectName\",\"bottle\"],[\"Place\",[0,0,0],1e9]",
        "[\"ObjectName\",\"bottle\"],[\"Place\",[0,0,0],[0,0,\"x\"]]",
        "[\"ObjectName\",\"bottle\"],[\"Place\",[0,0,0],0,0]",
        "[\"ObjectName\",\"bottle\"],[\"Place\",[0,0,0]],[\"Place\",[0,0,0]]",
        "[\"ObjectName\",\"bottle\"],[\"Place\",[0,0,0]],[\"CloseToPix\",\"down\",[0.5,0.5]]",
        "[\"ObjectName\",\"bottle\"],[\"Place\",[0,0,0]],[\"Heading\",90],[\"Rotate\",90]",
        "[\"ObjectName\",\"bottle\"],[\"Place\",[0,0,0]],[\"Heading\",1e9]",
        "[\"ObjectName\",\"bottle\"],[\"Heading\",90]",
    };
    world w = stage_open(world_bottle_and_block(0.3));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        constraint_list list;
        etna_error err = {0};
        assert_int_equal(
            constraint_parse(bad[i], strlen(bad[i]), &w.arena, &list, &err),
            ETNA_E_INPUT);
        assert_true(err.text[0]);
    }
    static const char *const far[] = {
        "[\"ObjectName\",\"bottle\"],[\"Place\",[1e6,-1e6,1e6],100],[\"Contact\",\"down\",\"block\"]",
        "[\"ObjectName\",\"bottle\"],[\"Place\",[-1e6,-1e6,-1e6],[1e6,1e6,1e6]],[\"Contact\",\"side\",\"block\"]",
        "[\"ObjectName\",\"bottle\"],[\"Place\",[0,0,-1e6]]",
    };
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        solve_result r = solve_text(&w, far[i]);
        assert_true(r.status != BRANCH_VALID && r.reason[0]);
    }
    stage_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_place_is_met_exactly_and_the_thing_lowered_to_what_is_there),
        cmocka_unit_test(no_camera_is_needed),
        cmocka_unit_test(a_ball_rests_in_a_bowl),
        cmocka_unit_test(a_wide_thing_rests_on_the_rim),
        cmocka_unit_test(a_pot_stands_on_slats_that_slip_between_the_grid),
        cmocka_unit_test(a_cushion_of_bumps_carries),
        cmocka_unit_test(the_height_of_a_place_chooses_the_board),
        cmocka_unit_test(the_first_free_place_of_a_segment_is_taken),
        cmocka_unit_test(a_way_ends_where_something_is_met),
        cmocka_unit_test(what_is_in_the_way_is_named),
        cmocka_unit_test(a_cloth_on_the_table_counts_as_the_table),
        cmocka_unit_test(what_rises_beside_the_thing_is_no_covering),
        cmocka_unit_test(a_heading_is_absolute_and_facing_is_met_at_the_place),
        cmocka_unit_test(
            a_hovering_thing_may_hover_elsewhere_and_a_standing_one_may_not),
        cmocka_unit_test(a_picture_is_pressed_against_its_wall),
        cmocka_unit_test(a_picture_may_be_as_deep_in_its_wall_as_it_was),
        cmocka_unit_test(a_distance_and_an_overhang_are_kept_beside_a_place),
        cmocka_unit_test(a_given_up_place_is_not_taken_again),
        cmocka_unit_test(hostile_numbers_are_refused_and_far_places_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
