/* Constraints beyond standing at a pixel: facing, turning, distance, and being
 * held at a side or from above. */
#include "tests/unit/worker/solve/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void facing_the_camera_turns_the_front_to_it(void **state)
{
    (void)state;
    scene_builder *b = world_bottle_and_block(0.6);
    scene_builder_object(b, "radio", scene_builder_box(b, 0.2, 0.08, 0.12),
                         scene_builder_at(-0.9, 0, 0.06, 137), false);
    world w = stage_open(b);
    double x, y;
    world_pixel(&w, v3(0, 0, 0.1), &x, &y);
    constraint_list list =
        world_constraints(&w, WORLD_ON_TOP ",[\"FaceTo\",\"camera\"]", "radio",
                          x, y, "block_up", "block_up", "full_only");
    solve_result r = world_solve(&w, &list, 5);
    assert_string_equal(r.reason, "");
    assert_int_equal(r.status, BRANCH_VALID);
    /* heading (sin, -cos) */
    double want = atan2(0 - r.pose.position[0], -(-2.5 - r.pose.position[1]));
    world_near(remainder(r.pose.yaw - want, 2 * MATH_PI), 0,
               10 * MATH_PI / 180);
    stage_close(&w);
}

static void rotate_turns_by_its_degrees_and_distance_keeps_its_metres(
    void **state)
{
    (void)state;
    scene_builder *b = world_bottle_and_block(0.3);
    scene_builder_object(b, "radio", scene_builder_box(b, 0.2, 0.08, 0.12),
                         scene_builder_at(-0.9, 0, 0.06, 30), false);
    world w = stage_open(b);
    double x, y;
    world_pixel(&w, v3(0.5, -0.4, 0), &x, &y);
    constraint_list list = world_constraints(
        &w, WORLD_ON_TOP ",[\"Rotate\",90],[\"Distance\",\"block\",0.6]",
        "radio", x, y, "floor_up", "floor_up", "full_only");
    solve_result r = world_solve(&w, &list, 5);
    assert_string_equal(r.reason, "");
    assert_int_equal(r.status, BRANCH_VALID);
    world_near(
        remainder(r.pose.yaw - space_pose(w.space, r.object)->yaw, 2 * MATH_PI),
        MATH_PI / 2, 1e-6);
    world_near(v3_distance(v3(r.pose.position[0], r.pose.position[1],
                              r.pose.position[2]),
                           v3(0, 0, 0.05)),
               0.6, 0.03);
    stage_close(&w);
}

static void a_side_contact_turns_the_back_to_the_wall(void **state)
{
    (void)state;
    scene_builder *b = world_bottle_and_block(0.3);
    scene_builder_object(b, "wall", scene_builder_box(b, 4, 0.1, 2),
                         scene_builder_at(0, 1.55, 1, 0), true);
    scene_builder_object(b, "radio", scene_builder_box(b, 0.2, 0.08, 0.12),
                         scene_builder_at(-0.9, 0, 0.06, 20), false);
    world w = stage_open(b);
    double x, y, wx, wy;
    world_pixel(&w, v3(-0.4, 1.4, 0), &x, &y);
    world_pixel(&w, v3(-0.4, 1.5, 0.6), &wx, &wy);
    constraint_list list = world_constraints(
        &w, WORLD_ON_TOP ",[\"Contact\",\"side\",\"ray:%.6f,%.6f\"]", "radio",
        x, y, "floor_up", "floor_up", "full_only", wx, wy);
    solve_result r = world_solve(&w, &list, 5);
    assert_string_equal(r.reason, "");
    assert_int_equal(r.status, BRANCH_VALID);
    assert_true(r.attached);
    /* half the depth before the wall's face */
    world_near(r.pose.position[1], 1.5 - 0.04, 0.003);
    world_near(remainder(r.pose.yaw, 2 * MATH_PI), 0, MATH_PI / 180);
    stage_close(&w);
}

/* What hangs at the start touches with its back, whichever side is nearer, and
 * nobody need say that it hung. */
static void a_picture_moves_along_its_wall_with_its_back_to_it(void **state)
{
    (void)state;
    /* turned: it hung with a flank to the wall */
    for (int turned = 0; turned < 2; turned++) {
        scene_builder *b = world_bottle_and_block(0.3);
        scene_builder_object(b, "wall", scene_builder_box(b, 4, 0.1, 2),
                             scene_builder_at(0, 1.55, 1, 0), true);
        scene_builder_object(
            b, "picture", scene_builder_box(b, 0.5, 0.02, 0.4),
            scene_builder_at(0.5, turned ? 1.248 : 1.488, 0.9, turned ? 90 : 0),
            false);
        world w = stage_open(b);
        double x, y, wx, wy;
        world_pixel(&w, v3(-0.5, 1.49, 1), &x, &y);
        world_pixel(&w, v3(-0.6, 1.5, 0.6), &wx, &wy);
        constraint_list list = world_constraints(
            &w,
            "[\"ObjectName\",\"picture\"],[\"CloseToPix\",\"center\",[%.6f,%.6f]],[\"Contact\",\"side\",\"ray:%.6f,%.6f\"]",
            x, y, wx, wy);
        solve_result r = world_solve(&w, &list, 5);
        assert_string_equal(r.reason, "");
        assert_int_equal(r.status, BRANCH_VALID);
        assert_true(r.attached);
        world_near(r.pose.position[1], 1.5 - 0.01 - 1e-4, 5e-5);
        world_near(remainder(r.pose.yaw, 2 * MATH_PI), 0, 0.01);
        world_near(r.pose.position[0], -0.5, 0.01);
        world_near(r.pose.position[2], 1, 0.01);
        stage_close(&w);
    }
}

static void a_contact_up_hangs_from_what_is_above(void **state)
{
    (void)state;
    scene_builder *b = world_bottle_and_block(0.3);
    scene_builder_object(b, "beam", scene_builder_box(b, 2, 0.6, 0.1),
                         scene_builder_at(0, 0, 2, 0), true);
    scene_builder_object(b, "lamp", scene_builder_box(b, 0.2, 0.2, 0.3),
                         scene_builder_at(1.2, 0.5, 0.15, 0), false);
    scene_builder_camera(b, "low", v3(0, -2.5, 0.6), v3(0, 0, 1.4));
    world w = stage_open(b);
    const scene_camera *low = &w.scene->cameras[1];
    double x = 0, y = 0, px = 0, py = 0, depth;
    assert_true(camera_project(low, v3(0.3, 0, 1.8), &x, &y, &depth) &&
                camera_project(low, v3(0, 0, 1.95), &px, &py, &depth));
    constraint_list list = world_constraints(
        &w,
        "[\"ObjectName\",\"lamp\"],[\"CloseToPix\",\"center\",[%.6f,%.6f]],[\"Contact\",\"up\",\"ray:%.6f,%.6f\"]",
        x, y, px, py);
    solve_request request = solve_request_default();
    solve_result r;
    request.constraints = &list;
    request.camera = low;
    assert_int_equal(solve_run(w.space, w.probes, &request, &r, NULL), ETNA_OK);
    assert_string_equal(r.reason, "");
    assert_int_equal(r.status, BRANCH_VALID);
    assert_true(r.attached);
    world_near(r.pose.position[2], 1.95 - 0.15 - 1e-4, 5e-5);
    world_near(r.pose.position[0], 0.3, 0.02);
    stage_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facing_the_camera_turns_the_front_to_it),
        cmocka_unit_test(
            rotate_turns_by_its_degrees_and_distance_keeps_its_metres),
        cmocka_unit_test(a_side_contact_turns_the_back_to_the_wall),
        cmocka_unit_test(a_picture_moves_along_its_wall_with_its_back_to_it),
        cmocka_unit_test(a_contact_up_hangs_from_what_is_above),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
