/* Edits that the search gave up before: the solver looks elsewhere, and says
 * when it finds the same again. */
#include "tests/unit/worker/solve/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static solve_result put_avoiding(world *w,
                                 vec3 at,
                                 const arrange_given_up *given_up,
                                 uint32_t count)
{
    double x, y;
    solve_request request = solve_request_default();
    solve_result r;
    world_pixel(w, at, &x, &y);
    constraint_list list = world_constraints(
        w, WORLD_ON_TOP, "bottle", x, y, "block_up", "block_up", "full_only");
    request.constraints = &list;
    request.camera = &w->scene->cameras[0];
    request.seed = 3;
    request.given_up_count = count;
    request.given_up = given_up;
    assert_int_equal(solve_run(w->space, w->probes, &request, &r, NULL),
                     ETNA_OK);
    return r;
}

static void a_given_up_place_is_left_for_one_farther_away(void **state)
{
    (void)state;
    world w = stage_open(world_bottle_and_block(0.6));
    const vec3 place = {-0.2, 0.1, 0.1};
    solve_result first = put_avoiding(&w, place, NULL, 0);
    assert_int_equal(first.status, BRANCH_VALID);
    arrange_given_up given_up = {
        .object = "bottle", .plane = "block_up", .pose = first.pose};
    solve_result second = put_avoiding(&w, place, &given_up, 1);
    assert_int_equal(second.status, BRANCH_VALID);
    double x1, y1, x2, y2;
    world_pixel(&w,
                v3(first.pose.position[0], first.pose.position[1],
                   first.pose.position[2]),
                &x1, &y1);
    world_pixel(&w,
                v3(second.pose.position[0], second.pose.position[1],
                   second.pose.position[2]),
                &x2, &y2);
    double away = sqrt((x1 - x2) * (x1 - x2) + (y1 - y2) * (y1 - y2));
    double low[2] = {1, 1},
           high[2] = {
               0,
               /* the block's top in the image: half its diagonal, at most 0.1,
                * is far enough */
               0};
    for (int i = 0; i < 4; i++) {
        double at[2];
        world_pixel(&w, v3(i & 1 ? 0.3 : -0.3, i & 2 ? 0.3 : -0.3, 0.1), &at[0],
                    &at[1]);
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
    }
    assert_true(
        away > fmin(0.1, hypot(high[0] - low[0], high[1] - low[1]) / 2) - 1e-3);
    assert_true(second.loss >= first.loss);
    stage_close(&w);
}

static void the_same_edit_again_is_called_repeated(void **state)
{
    (void)state;
    world w = stage_open(world_bottle_and_block(0.085)); /* one place only */
    solve_result first = put_avoiding(&w, v3(0, 0, 0.1), NULL, 0);
    assert_string_equal(first.reason, "");
    assert_int_equal(first.status, BRANCH_VALID);
    arrange_given_up given_up = {
        .object = "bottle", .plane = "block_up", .pose = first.pose};
    assert_int_equal(put_avoiding(&w, v3(0, 0, 0.1), &given_up, 1).status,
                     BRANCH_REPEATED);
    for (unsigned f = 0; f < 12;
         /* the block's top by its own faces is the same surface, its sides are
          * not */
         f++) {
        char name[16];
        probe_plane plane;
        snprintf(name, sizeof name, "block_%u", f);
        assert_int_equal(probe_plane_by_name(w.probes, w.space,
                                             &w.scene->cameras[0], name,
                                             &w.arena, &plane, NULL),
                         ETNA_OK);
        given_up.plane = name;
        bool top = plane.normal.z > 0.99 &&
                   /* normals turn to the camera: the underside has the same */
                   plane.origin.z > 0.09;
        assert_int_equal(put_avoiding(&w, v3(0, 0, 0.1), &given_up, 1).status,
                         top ? BRANCH_REPEATED : BRANCH_VALID);
    }
    given_up.plane = "no such plane";
    assert_int_equal(put_avoiding(&w, v3(0, 0, 0.1), &given_up, 1).status,
                     BRANCH_VALID);
    given_up.plane = "floor_up"; /* another plane: not the same edit */
    assert_int_equal(put_avoiding(&w, v3(0, 0, 0.1), &given_up, 1).status,
                     BRANCH_VALID);
    given_up.plane = "block_up";
    given_up.object = "block";
    assert_int_equal(put_avoiding(&w, v3(0, 0, 0.1), &given_up, 1).status,
                     BRANCH_VALID);
    stage_close(&w);
}

/* A tray that takes a red box of 0.26 m and a blue one of 0.23 m only when the
 * red one is not in its middle. */
static void a_crowded_tray_is_solved_once_the_middle_is_given_up(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        scene_builder *b = world_begin();
        scene_builder_object(b, "tray", scene_builder_box(b, 0.6, 0.6, 0.02),
                             scene_builder_at(0, 0, 0.01, 0), false);
        uint32_t red = scene_builder_object(
            b, "red", scene_builder_box(b, 0.26, 0.26, 0.2),
            scene_builder_at(1, 0.5, 0.1, 0), false);
        scene_builder_object(b, "blue", scene_builder_box(b, 0.23, 0.23, 0.2),
                             scene_builder_at(-1, 0.5, 0.1, 0), false);
        world w = stage_open(b);
        solve_result first =
            world_put(&w, "red", v3(0, 0, 0.02), "tray_up", "full_only", seed);
        assert_int_equal(first.status, BRANCH_VALID);
        assert_int_equal(space_move(w.space, red, &first.pose, NULL), ETNA_OK);
        assert_int_equal(
            world_put(&w, "blue", v3(0, 0, 0.02), "tray_up", "full_only", seed)
                .status,
            BRANCH_COLLISION);

        arrange_pose back = scene_base_pose(&w.scene->objects[red]);
        assert_int_equal(space_move(w.space, red, &back, NULL), ETNA_OK);
        arrange_given_up given_up = {
            .object = "red", .plane = "tray_up", .pose = first.pose};
        double x, y;
        solve_request request = solve_request_default();
        solve_result second;
        world_pixel(&w, v3(0, 0, 0.02), &x, &y);
        constraint_list list = world_constraints(
            &w, WORLD_ON_TOP, "red", x, y, "tray_up", "tray_up", "full_only");
        request.constraints = &list;
        request.camera = &w.scene->cameras[0];
        request.seed = seed;
        request.given_up_count = 1;
        request.given_up = &given_up;
        assert_int_equal(solve_run(w.space, w.probes, &request, &second, NULL),
                         ETNA_OK);
        assert_int_equal(second.status, BRANCH_VALID);
        assert_int_equal(space_move(w.space, red, &second.pose, NULL), ETNA_OK);
        vec3 free_side =
            v3(-second.pose.position[0], -second.pose.position[1], 0.02);
        solve_result third =
            world_put(&w, "blue", free_side, "tray_up", "full_only", seed);
        assert_string_equal(third.reason, "");
        assert_int_equal(third.status, BRANCH_VALID);
        stage_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_given_up_place_is_left_for_one_farther_away),
        cmocka_unit_test(the_same_edit_again_is_called_repeated),
        cmocka_unit_test(a_crowded_tray_is_solved_once_the_middle_is_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
