/* Placing things in small scenes: what a user sees of the solver. */
#include "proto/utf8.h"
#include "tests/unit/worker/solve/world.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void a_bottle_stands_on_the_block_at_its_pixel(void **state)
{
    (void)state;
    world w = stage_open(world_bottle_and_block(0.3));
    solve_result r =
        world_put(&w, "bottle", v3(0, 0, 0.1), "block_up", "full_only", 7);
    assert_string_equal(r.reason, "");
    assert_int_equal(r.status, BRANCH_VALID);
    assert_string_equal(r.plane, "block_up");
    /* settled, lifted by 0.1 mm */
    world_near(r.pose.position[2], 0.1 + 0.125 + 1e-4, 2e-5);
    world_near(r.pose.position[0], 0, 0.1);
    world_near(r.pose.position[1], 0, 0.1);
    assert_true(r.loss >= 0 && r.loss <= 0.1);
    assert_int_equal(r.candidates, 64);
    assert_true(r.survivors > 0 && r.collision_checks > 0 &&
                r.support_checks > 0);
    /* where it was is where it still is: the caller makes the snapshot */
    world_near(space_pose(w.space, r.object)->position[0], 0.8, 0);
    stage_close(&w);
}

static void the_best_candidate_is_at_the_pixel(void **state)
{
    (void)state;
    world w = stage_open(world_bottle_and_block(0.6));
    solve_result r = world_put(&w, "bottle", v3(0.15, -0.1, 0.1), "block_up",
                               "full_only", 3);
    assert_int_equal(r.status, BRANCH_VALID);
    world_near(r.pose.position[0], 0.15, 0.01);
    world_near(r.pose.position[1], -0.1, 0.01);
    stage_close(&w);
}

static void an_occupied_pixel_gives_a_free_place_beside_it(void **state)
{
    (void)state;
    scene_builder *b = world_bottle_and_block(0.6);
    scene_builder_object(b, "vase", scene_builder_cylinder(b, 0.05, 0.2, 24),
                         scene_builder_at(0, 0, 0.2, 0), false);
    world w = stage_open(b);
    solve_result r =
        world_put(&w, "bottle", v3(0, 0, 0.1), "block_up", "full_only", 3);
    assert_int_equal(r.status, BRANCH_VALID);
    double away = sqrt(r.pose.position[0] * r.pose.position[0] +
                       r.pose.position[1] * r.pose.position[1]);
    /* radii 0.05 + 0.04, less the 1 cm that is no collision yet */
    assert_true(away > 0.08);
    assert_true(fabs(r.pose.position[0]) <= 0.27 &&
                fabs(r.pose.position[1]) <= 0.27);
    assert_true(r.collision_checks > 1);
    stage_close(&w);
}

/* Only a far corner is free, and only for a thing that stands otherwise: the
 * pixel's neighbourhood holds nothing. */
static void where_the_pixel_is_walled_in_the_whole_plane_is_searched(
    void **state)
{
    (void)state;
    scene_builder *b = world_begin();
    scene_builder_object(b, "block", scene_builder_box(b, 2.4, 0.5, 0.1),
                         scene_builder_at(0, 0, 0.05, 0), false);
    scene_builder_object(b, "crate", scene_builder_box(b, 2.0, 0.49, 0.2),
                         scene_builder_at(-0.19, 0, 0.2, 0), false);
    scene_builder_object(b, "ruler", scene_builder_box(b, 0.46, 0.2, 0.05),
                         scene_builder_at(0, -0.9, 0.025, 0), false);
    world w = stage_open(b);
    double x, y;
    world_pixel(&w, v3(-0.9, 0, 0.1), &x, &y);
    constraint_list list = world_constraints(
        &w, WORLD_ON_TOP, "ruler", x, y, "block_up", "block_up", "full_only");
    solve_result r = world_solve(&w, &list, 3);
    assert_string_equal(r.reason, "");
    assert_int_equal(r.status, BRANCH_VALID);
    assert_true(r.widened);
    assert_true(r.pose.position[0] > 0.8 &&
                /* the free end is 0.39 m deep: it lies across */
                fabs(cos(r.pose.yaw)) < 0.3);
    double fx, fy;
    world_pixel(&w, v3(r.pose.position[0], r.pose.position[1], 0.1), &fx, &fy);
    world_near(r.pixel_off, sqrt((fx - x) * (fx - x) + (fy - y) * (fy - y)),
               0.01);
    solve_request request = solve_request_default();
    request.constraints = &list;
    request.camera = &w.scene->cameras[0];
    request.seed = 3;
    request.paper_solver = true;
    assert_int_equal(solve_run(w.space, w.probes, &request, &r, NULL), ETNA_OK);
    assert_true(r.status != BRANCH_VALID && !r.widened);
    stage_close(&w);
}

static void a_wider_search_keeps_the_constraint_that_turns(void **state)
{
    (void)state;
    scene_builder *b = world_begin();
    scene_builder_object(b, "block", scene_builder_box(b, 2.4, 0.5, 0.1),
                         scene_builder_at(0, 0, 0.05, 0), false);
    scene_builder_object(b, "crate", scene_builder_box(b, 2.0, 0.49, 0.2),
                         scene_builder_at(-0.19, 0, 0.2, 0), false);
    scene_builder_object(b, "ruler", scene_builder_box(b, 0.3, 0.1, 0.05),
                         scene_builder_at(0, -0.9, 0.025, 0), false);
    world w = stage_open(b);
    double x, y;
    world_pixel(&w, v3(-0.9, 0, 0.1), &x, &y);
    constraint_list list =
        world_constraints(&w, WORLD_ON_TOP ",[\"FaceTo\",\"camera\"]", "ruler",
                          x, y, "block_up", "block_up", "full_only");
    solve_result r = world_solve(&w, &list, 3);
    assert_string_equal(r.reason, "");
    assert_true(r.widened);
    vec3 at = v3(r.pose.position[0], r.pose.position[1], r.pose.position[2]),
         eye = w.scene->cameras[0].position;
    assert_true(at.x > 0.85);
    double dx = eye.x - at.x, dy = eye.y - at.y;
    assert_true((sin(r.pose.yaw) * dx - cos(r.pose.yaw) * dy) /
                    sqrt(dx * dx + dy * dy) >
                0.98);
    stage_close(&w);
}

static void a_full_block_names_what_is_in_the_way(void **state)
{
    (void)state;
    scene_builder *b = world_bottle_and_block(0.3);
    scene_builder_object(b, "crate", scene_builder_box(b, 0.28, 0.28, 0.2),
                         scene_builder_at(0, 0, 0.2, 0), false);
    world w = stage_open(b);
    solve_result r =
        world_put(&w, "bottle", v3(0, 0, 0.1), "block_up", "full_only", 3);
    assert_int_equal(r.status, BRANCH_COLLISION);
    assert_non_null(strstr(r.reason, "\"crate\""));
    assert_null(strstr(r.reason, "\"floor\""));
    assert_int_equal(r.obstacle.kind, OBSTACLE_TAKEN);
    assert_int_equal(r.obstacle.other_count, 1);
    assert_string_equal(w.scene->objects[r.obstacle.others[0]].name, "crate");
    assert_int_equal(r.collision_checks, r.survivors);
    stage_close(&w);
}

static void where_faults_are_allowed_the_best_candidate_is_taken_with_them(
    void **state)
{
    (void)state;
    for (int crowded = 0; crowded < 2; crowded++) {
        scene_builder *b = world_bottle_and_block(0.3);
        if (crowded)
            scene_builder_object(b, "crate",
                                 scene_builder_box(b, 0.28, 0.28, 0.2),
                                 scene_builder_at(0, 0, 0.2, 0), false);
        world w = stage_open(b);
        double x, y;
        world_pixel(&w, v3(0, 0, 0.1), &x, &y);
        constraint_list list =
            world_constraints(&w, WORLD_ON_TOP, "bottle", x, y, "block_up",
                              "block_up", "full_only");
        solve_request request = solve_request_default();
        solve_result r;
        request.constraints = &list;
        request.camera = &w.scene->cameras[0];
        request.seed = 3;
        request.allow_faults = true;
        assert_int_equal(solve_run(w.space, w.probes, &request, &r, NULL),
                         ETNA_OK);
        assert_int_equal(r.status, BRANCH_VALID);
        assert_int_equal(r.faulty, crowded); /* a free place comes first */
        assert_true(crowded == (strstr(r.reason, "\"crate\"") != NULL));
        world_near(r.pose.position[0], 0, 0.15);
        stage_close(&w);
    }
}

/* CloseToPix in the picture of another camera of the file: the same place of
 * the world, whichever camera says it. */
static void a_coordinate_may_be_of_another_camera_by_its_name(void **state)
{
    (void)state;
    scene_builder *b = world_bottle_and_block(0.6);
    uint32_t other =
        scene_builder_camera(b, "from the left", v3(-2.5, 0.4, 2), v3(0, 0, 0));
    world w = stage_open(b);
    static const char form[] =
        "[\"ObjectName\",\"bottle\"],[\"CloseToPix\",\"down\",[%.6f,%.6f]%s],%s[\"Contact\",\"down\",\"block_up\"]";
    double x, y, depth;
    assert_true(camera_project(&w.scene->cameras[other], v3(0.2, -0.1, 0.1), &x,
                               &y, &depth));
    constraint_list named = world_constraints(&w, form, x, y,
                                              ",\"from the left\"", ""),
                    bare = world_constraints(&w, form, x, y, "", "");
    solve_result r = world_solve(&w, &named, 3),
                 elsewhere = world_solve(&w, &bare, 3);
    assert_int_equal(r.status, BRANCH_VALID);
    world_near(r.pose.position[0], 0.2, 0.01);
    world_near(r.pose.position[1], -0.1, 0.01);
    assert_true(elsewhere.status != BRANCH_VALID ||
                fabs(elsewhere.pose.position[0] - 0.2) > 0.02 ||
                fabs(elsewhere.pose.position[1] + 0.1) > 0.02);
    solve_request request = solve_request_default();
    request.camera = &w.scene->cameras[0];
    constraint_list own = world_constraints(&w, form, 0.5, 0.5, ",\"camera\"",
                                            /* the request's own, by its name */
                                            "");
    request.constraints = &own;
    assert_int_equal(solve_run(w.space, w.probes, &request, &r, NULL), ETNA_OK);
    constraint_list unknown = world_constraints(&w, form, x, y,
                                                ",\"from nowhere\"", ""),
                    mixed = world_constraints(
                        &w, form, x, y, ",\"from the left\"",
                        "[\"CloseToPix\",\"down\",[0.5,0.5]],");
    const constraint_list *const wrong[] = {&unknown, &mixed};
    static const char *const words[] = {
        "there is no camera \"from nowhere\"",
        "all coordinates must be of one camera"};
    for (int i = 0; i < 2; i++) {
        etna_error err = {0};
        request.constraints = wrong[i];
        assert_int_equal(solve_run(w.space, w.probes, &request, &r, &err),
                         ETNA_E_INPUT);
        assert_non_null(strstr(err.text, words[i]));
    }
    stage_close(&w);
}

static void too_wide_a_thing_is_refused_with_the_missing_width(void **state)
{
    (void)state;
    scene_builder *b = world_bottle_and_block(0.3);
    scene_builder_object(b, "tray", scene_builder_box(b, 0.5, 0.4, 0.02),
                         scene_builder_at(-0.9, 0, 0.01, 0), false);
    world w = stage_open(b);
    solve_result r =
        world_put(&w, "tray", v3(0, 0, 0.1), "block_up", "full_only", 3);
    assert_int_equal(r.status, BRANCH_UNSOLVED);
    assert_non_null(strstr(r.reason, "0.200 m of width are missing"));
    assert_int_equal(r.obstacle.kind, OBSTACLE_TOO_WIDE);
    assert_string_equal(r.obstacle.plane, "block_up");
    assert_non_null(strstr(r.reason, "NoOverhang"));
    stage_close(&w);
}

static void center_follows_full_on_a_small_plane(void **state)
{
    (void)state;
    scene_builder *b = world_bottle_and_block(0.3);
    scene_builder_object(b, "tray", scene_builder_box(b, 0.5, 0.4, 0.02),
                         scene_builder_at(-0.9, 0, 0.01, 0), false);
    world w = stage_open(b);
    solve_result r =
        world_put(&w, "tray", v3(0, 0, 0.1), "block_up", "center", 3);
    assert_string_equal(r.reason, "");
    assert_int_equal(r.status, BRANCH_VALID);
    assert_true(r.centered);
    assert_int_equal(r.candidates, 128);
    world_near(r.pose.position[0], 0, 0.05);
    world_near(r.pose.position[1], 0, 0.05);
    stage_close(&w);
}

static void a_lid_settles_into_a_plate_deeper_than_a_tenth_of_its_height(
    void **state)
{
    (void)state;
    scene_builder *b = world_begin();
    scene_builder_object(b, "dish", scene_builder_dish(b),
                         scene_builder_at(0, 0, 0.001, 0), true);
    scene_builder_object(b, "lid", scene_builder_box(b, 0.05, 0.05, 0.02),
                         scene_builder_at(0.5, 0, 0.0101, 0), false);
    world w = stage_open(b);
    solve_result r =
        world_put(&w, "lid", v3(0, 0, 0.014), "dish_0", "full_only", 5);
    assert_string_equal(r.reason, "");
    assert_int_equal(r.status, BRANCH_VALID);
    assert_true(r.pose.position[2] <
                /* contact alone would leave it at the rim, 13 mm up */
                0.001 + 0.01 + 0.008);
    stage_close(&w);
}

static void center_is_not_tried_on_a_large_plane(void **state)
{
    (void)state;
    scene_builder *b = world_bottle_and_block(0.6);
    scene_builder_object(b, "board", scene_builder_box(b, 0.9, 0.4, 0.02),
                         scene_builder_at(-1.2, 0, 0.01, 0), false);
    world w = stage_open(b);
    solve_result r =
        world_put(&w, "board", v3(0, 0, 0.1), "block_up", "center", 3);
    assert_int_equal(r.status, BRANCH_UNSOLVED);
    assert_false(r.centered);
    assert_non_null(strstr(r.reason, "0.300 m of width are missing"));
    stage_close(&w);
}

static void the_corner_missing_from_a_desk_carries_nothing(void **state)
{
    (void)state;
    constraint_list list;
    world w = world_angled_desk(0.1, &list);
    solve_result r = world_solve(&w, &list, 2);
    assert_string_equal(r.reason, "");
    assert_int_equal(r.status, BRANCH_VALID);
    double right = r.pose.position[0], front = r.pose.position[1];
    assert_true(right < -0.2 - 0.06 ||
                /* at least 95 % of it over one of the arms */
                front > 0.2 + 0.06);
    stage_close(&w);
}

/* A frame of two rails with planks between, 92 mm wide and `gap` apart;
 * `missing` of them is left out. */
static scene_builder *planks(double gap, int missing)
{
    scene_builder *b = world_begin();
    scene_builder_object(b, "table", scene_builder_box(b, 0.1, 1, 0.4),
                         scene_builder_at(-0.55, 0, 0.2, 0), false);
    scene_builder_part(b, scene_builder_box(b, 0.1, 1, 0.4),
                       scene_builder_at(0.55, 0, 0.2, 0));
    for (int i = 0; i < 9; i++)
        if (i != missing)
            scene_builder_part(
                b, scene_builder_box(b, 1, 0.092, 0.05),
                scene_builder_at(0, (i - 4) * (0.092 + gap), 0.375, 0));
    scene_builder_object(b, "tray", scene_builder_box(b, 0.3, 0.2, 0.02),
                         scene_builder_at(1.2, -0.8, 0.01, 25), false);
    return b;
}

static void a_surface_of_planks_carries_across_its_narrow_gaps(void **state)
{
    (void)state;
    world w = stage_open(planks(0.011, -1));
    solve_result r =
        world_put(&w, "tray", v3(0, 0.05, 0.4), "table_up", "full_only", 2);
    assert_string_equal(r.reason, "");
    assert_int_equal(r.status, BRANCH_VALID);
    assert_false(r.widened);
    world_near(r.pose.position[0], 0, 0.05);
    world_near(r.pose.position[1], 0.05, 0.05);
    stage_close(&w);
}

static void where_a_plank_is_missing_nothing_is_carried(void **state)
{
    (void)state;
    world w = stage_open(planks(0.011, 4));
    solve_result r =
        world_put(&w, "tray", v3(0, 0, 0.4), "table_up", "full_only", 2);
    assert_string_equal(r.reason, "");
    assert_int_equal(r.status, BRANCH_VALID);
    assert_true(fabs(r.pose.position[1]) > 0.05); /* the hole is 0.11 m wide */
    stage_close(&w);
}

/* Names may be 255 bytes of any UTF-8; a reason that is cut is still text that
 * a message can carry. */
static void a_long_reason_is_cut_between_characters(void **state)
{
    (void)state;
    for (size_t shift = 0; shift < 4; shift++) {
        scene_builder *b = world_begin();
        char names[5][ARRANGE_NAME_MAX + 1];
        scene_builder_object(b, "block", scene_builder_box(b, 0.3, 0.3, 0.1),
                             scene_builder_at(0, 0, 0.05, 0), false);
        scene_builder_object(b, "guest", scene_builder_box(b, 0.28, 0.28, 0.2),
                             scene_builder_at(1, 0.5, 0.1, 0), false);
        for (size_t i = 0; i < 5; i++) {
            size_t used =
                (size_t)sprintf(names[i], "%.*s%zu", (int)shift, "xyz", i);
            while (used + 3 <= ARRANGE_NAME_MAX) {
                memcpy(names[i] + used, "\xe2\x82\xac", 3);
                used += 3;
            }
            names[i][used] = 0;
            scene_builder_object(
                b, names[i], scene_builder_box(b, 0.1, 0.1, 0.2),
                scene_builder_at(i & 1 ? 0.08 : -0.08, i & 2 ? 0.08 : -0.08,
                                 i < 4 ? 0.2 : 0.4, 0),
                false);
        }
        world w = stage_open(b);
        solve_result r =
            world_put(&w, "guest", v3(0, 0, 0.1), "block_up", "full_only", 3);
        assert_int_equal(r.status, BRANCH_COLLISION);
        assert_true(strlen(r.reason) > 1000);
        assert_true(etna_utf8_valid(r.reason, strlen(r.reason)));
        stage_close(&w);
    }
}

/* ---- support ---- */
static void taking_away_what_carries_another_is_floating(void **state)
{
    (void)state;
    scene_builder *b = world_bottle_and_block(0.3);
    scene_builder_object(b, "cup", scene_builder_cylinder(b, 0.04, 0.1, 24),
                         scene_builder_at(0, 0, 0.15, 0), false);
    world w = stage_open(b);
    double x, y;
    bool stays[4] = {false, false, false, true};
    world_pixel(&w, v3(-1, 0, 0), &x, &y);
    constraint_list list = world_constraints(
        &w, WORLD_ON_TOP, "block", x, y, "floor_up", "floor_up", "full_only");
    solve_request request = solve_request_default();
    solve_result r;
    request.constraints = &list;
    request.camera = &w.scene->cameras[0];
    request.seed = 3;
    request.left_behind = stays;
    assert_int_equal(solve_run(w.space, w.probes, &request, &r, NULL), ETNA_OK);
    assert_int_equal(r.status, BRANCH_FLOATING);
    assert_non_null(strstr(r.reason, "\"cup\""));
    assert_int_equal(r.obstacle.kind, OBSTACLE_BURDEN);
    assert_int_equal(r.obstacle.other_count, 1);
    assert_string_equal(w.scene->objects[r.obstacle.others[0]].name, "cup");
    request.left_behind = NULL;
    assert_int_equal(solve_run(w.space, w.probes, &request, &r, NULL), ETNA_OK);
    assert_int_equal(r.status, BRANCH_VALID); /* it goes along */
    assert_int_equal(r.carried_count, 1);
    stage_close(&w);
}

/* METHODS.md 6 lets what hovered at the start stay; so it carries, as a person
 * would have it. */
static void things_can_stand_on_what_hovers_from_the_start(void **state)
{
    (void)state;
    scene_builder *b = world_bottle_and_block(0.3);
    scene_builder_object(b, "cloud", scene_builder_box(b, 0.5, 0.5, 0.1),
                         scene_builder_at(-0.6, 0, 0.5, 0), false);
    world w = stage_open(b);
    solve_result r =
        world_put(&w, "bottle", v3(-0.6, 0, 0.55), "cloud_up", "full_only", 3);
    assert_string_equal(r.reason, "");
    assert_int_equal(r.status, BRANCH_VALID);
    world_near(r.pose.position[2], 0.55 + 0.125 + 1e-4, 2e-5);
    stage_close(&w);
}

/* ---- what an agent can get wrong ---- */
static void wrong_names_are_told_in_words(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"[\"ObjectName\",\"jar\"],[\"CloseToPix\",\"down\",[0.5,0.5]]",
         "no object \"jar\""},
        {"[\"ObjectName\",\"floor\"],[\"CloseToPix\",\"down\",[0.5,0.5]]",
         "\"floor\" is not moved"},
        {"[\"ObjectName\",\"bottle\"],[\"CloseToPix\",\"down\",[0.5,0.5]],[\"Contact\",\"down\",\"block\"]",
         "is an object, not a plane"},
        {"[\"ObjectName\",\"bottle\"],[\"CloseToPix\",\"down\",[0.5,0.5]],[\"Contact\",\"down\",\"block_99\"]",
         "no face 99"},
        {"[\"ObjectName\",\"bottle\"],[\"CloseToPix\",\"down\",[0.5,0.5]],[\"Contact\",\"down\",\"shelf_1\"]",
         "no plane \"shelf_1\""},
        {"[\"ObjectName\",\"bottle\"],[\"CloseToPix\",\"down\",[0.5,0.5]],[\"Contact\",\"down\",\"bottle_up\"]",
         "itself"},
        {"[\"ObjectName\",\"bottle\"],[\"CloseToPix\",\"down\",[0.5,0.5]],[\"Distance\",\"jar\",1]",
         "no object \"jar\""},
        {"[\"ObjectName\",\"bottle\"],[\"CloseToPix\",\"down\",[0.5,0.5]],[\"Distance\",\"bottle\",1]",
         "itself"},
        {"[\"ObjectName\",\"bottle\"],[\"CloseToPix\",\"down\",[0.5,0.5]],[\"FaceTo\",\"floor_up\"]",
         "horizontal"},
        {"[\"ObjectName\",\"bottle\"],[\"CloseToPix\",\"down\",[0.5,0.5]],[\"Contact\",\"down\",\"ray:0.5,0.0\"]",
         "meets nothing"},
    };
    world w = stage_open(world_bottle_and_block(0.3));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        constraint_list list = world_constraints(&w, "%s", cases[i].text);
        solve_request request = solve_request_default();
        solve_result r = {.object = 77};
        etna_error err = {0};
        request.constraints = &list;
        request.camera = &w.scene->cameras[0];
        assert_int_equal(solve_run(w.space, w.probes, &request, &r, &err),
                         ETNA_E_INPUT);
        if (!strstr(err.text, cases[i].says))
            fail_msg("\"%s\" does not say \"%s\"", err.text, cases[i].says);
        assert_int_equal(r.object, 77);
    }
    stage_close(&w);
}

/* ---- the same bits ---- */
typedef struct job {
    world w;
    solve_result result;
} job;

static void *solve_one(void *context)
{
    job *j = context;
    j->result = world_put(&j->w, "bottle", v3(0.05, 0.02, 0.1), "block_up",
                          "full_only", 11);
    return NULL;
}

static void a_seed_gives_the_same_bits_on_every_thread(void **state)
{
    (void)state;
    job jobs[3];
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        jobs[i].w = stage_open(world_bottle_and_block(0.6));
    solve_one(&jobs[0]);
    for (int i = 1; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, solve_one, &jobs[i]),
                         0);
    for (int i = 1; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(jobs[i].result.status, BRANCH_VALID);
        assert_memory_equal(&jobs[i].result.pose, &jobs[0].result.pose,
                            sizeof jobs[0].result.pose);
        assert_memory_equal(&jobs[i].result.loss, &jobs[0].result.loss,
                            sizeof(double));
    }
    solve_result other = world_put(&jobs[0].w, "bottle", v3(0.05, 0.02, 0.1),
                                   "block_up", "full_only", 11);
    assert_memory_equal(&other.pose, &jobs[0].result.pose, sizeof other.pose);
    for (int i = 0; i < 3; i++)
        stage_close(&jobs[i].w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bottle_stands_on_the_block_at_its_pixel),
        cmocka_unit_test(the_best_candidate_is_at_the_pixel),
        cmocka_unit_test(an_occupied_pixel_gives_a_free_place_beside_it),
        cmocka_unit_test(
            where_the_pixel_is_walled_in_the_whole_plane_is_searched),
        cmocka_unit_test(a_wider_search_keeps_the_constraint_that_turns),
        cmocka_unit_test(a_full_block_names_what_is_in_the_way),
        cmocka_unit_test(
            where_faults_are_allowed_the_best_candidate_is_taken_with_them),
        cmocka_unit_test(a_coordinate_may_be_of_another_camera_by_its_name),
        cmocka_unit_test(too_wide_a_thing_is_refused_with_the_missing_width),
        cmocka_unit_test(
            a_lid_settles_into_a_plate_deeper_than_a_tenth_of_its_height),
        cmocka_unit_test(center_follows_full_on_a_small_plane),
        cmocka_unit_test(center_is_not_tried_on_a_large_plane),
        cmocka_unit_test(a_long_reason_is_cut_between_characters),
        cmocka_unit_test(the_corner_missing_from_a_desk_carries_nothing),
        cmocka_unit_test(a_surface_of_planks_carries_across_its_narrow_gaps),
        cmocka_unit_test(where_a_plank_is_missing_nothing_is_carried),
        cmocka_unit_test(taking_away_what_carries_another_is_floating),
        cmocka_unit_test(things_can_stand_on_what_hovers_from_the_start),
        cmocka_unit_test(wrong_names_are_told_in_words),
        cmocka_unit_test(a_seed_gives_the_same_bits_on_every_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
