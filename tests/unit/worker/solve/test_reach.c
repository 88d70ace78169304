/* A place counts only where a hand could bring the thing. */
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

static void assert_unreachable(const solve_result *r)
{
    assert_int_equal(r->status, BRANCH_UNSOLVED);
    if (!strstr(r->reason, "cannot be reached"))
        fail_msg("%s", r->reason);
    assert_int_equal(r->obstacle.kind, OBSTACLE_UNREACHED);
}

/* Four walls, 6 x 5 m and 2.5 m high, double on one side, with a ceiling unless
 * it is a stage's set. */
static scene_builder *room(bool ceiling)
{
    scene_builder *b = scene_builder_new();
    uint32_t side = scene_builder_box(b, 0.1, 5.2, 2.5),
             end = scene_builder_box(b, 6.2, 0.1, 2.5);
    scene_builder_object(b, "floor", scene_builder_box(b, 6.6, 5.2, 0.1),
                         scene_builder_at(0, 0, -0.05, 0), true);
    scene_builder_object(b, "wall west", side,
                         scene_builder_at(-3.05, 0, 1.25, 0), true);
    scene_builder_object(b, "wall east", side,
                         scene_builder_at(3.05, 0, 1.25, 0), true);
    scene_builder_object(b, "wall outer", side,
                         scene_builder_at(3.25 + 0.1, 0, 1.25, 0), true);
    scene_builder_object(b, "wall north", end,
                         scene_builder_at(0, 2.55, 1.25, 0), true);
    scene_builder_object(b, "wall south", end,
                         scene_builder_at(0, -2.55, 1.25, 0), true);
    if (ceiling)
        scene_builder_object(b, "ceiling", scene_builder_box(b, 6.8, 5.2, 0.1),
                             scene_builder_at(0.05, 0, 2.55, 0), true);
    scene_builder_object(b, "stool", scene_builder_box(b, 0.15, 0.15, 0.3),
                         scene_builder_at(0, 0, 0.15, 0), false);
    scene_builder_camera(b, "camera", v3(0, -2.3, 1.8), v3(0, 0, 0));
    return b;
}

/* A box of boards, 1 m wide, 0.5 m deep and high, with a shelf in the middle;
 * the front is there or not. */
static void add_cupboard(scene_builder *b,
                         const char *name,
                         double x,
                         bool front)
{
    uint32_t board = scene_builder_box(b, 1, 0.5, 0.02),
             side = scene_builder_box(b, 0.02, 0.5, 1),
             back = scene_builder_box(b, 1, 0.02, 1);
    scene_builder_object(b, name, board, scene_builder_at(x, 1.5, 0.01, 0),
                         false);
    scene_builder_part(b, board, scene_builder_at(x, 1.5, 0.5, 0));
    scene_builder_part(b, board, scene_builder_at(x, 1.5, 0.99, 0));
    scene_builder_part(b, side, scene_builder_at(x - 0.49, 1.5, 0.5, 0));
    scene_builder_part(b, side, scene_builder_at(x + 0.49, 1.5, 0.5, 0));
    scene_builder_part(b, back, scene_builder_at(x, 1.74, 0.5, 0));
    if (front)
        scene_builder_part(b, back, scene_builder_at(x, 1.26, 0.5, 0));
}

static void the_roof_of_a_closed_room_is_no_place(void **state)
{
    (void)state;
    static const char roof[] =
        "[\"ObjectName\",\"stool\"],[\"Place\",[1,1,2.6]],[\"Contact\",\"down\",\"ceiling\"]";
    world w = stage_open(room(true));
    solve_result r = solve_text(&w, roof);
    assert_unreachable(&r);
    /* unless reach is not asked for */
    constraint_list list = world_constraints(&w, "%s", roof);
    solve_request request = solve_request_default();
    request.constraints = &list;
    request.any_place = true;
    assert_int_equal(solve_run(w.space, w.probes, &request, &r, NULL), ETNA_OK);
    assert_solved(&r);
    r = solve_text(
        &w,
        "[\"ObjectName\",\"stool\"],[\"Place\",[1,1,0]],[\"Contact\",\"down\",\"floor\"]");
    assert_solved(&r);
    stage_close(&w);
}

static void a_gap_behind_a_wall_is_no_place(void **state)
{
    (void)state;
    world w = stage_open(room(true));
    solve_result r = solve_text(
        &w,
        "[\"ObjectName\",\"stool\"],[\"Place\",[3.2,0,0]],[\"Contact\",\"down\",\"floor\"]");
    assert_unreachable(&r);
    stage_close(&w);
}

static void a_closed_cupboard_holds_nothing_and_an_open_one_does(void **state)
{
    (void)state;
    scene_builder *b = room(true);
    add_cupboard(b, "closed", -1.5, true);
    add_cupboard(b, "open", 1.5, false);
    world w = stage_open(b);
    static const char *const boards[] = {"0.02", "0.51"};
    for (int k = 0; k < 2; k++) {
        char text[200];
        snprintf(
            text, sizeof text,
            "[\"ObjectName\",\"stool\"],[\"Place\",[-1.5,1.5,%s]],[\"Contact\",\"down\",\"closed\"]",
            boards[k]);
        solve_result r = solve_text(&w, text);
        assert_unreachable(&r);
        snprintf(
            text, sizeof text,
            "[\"ObjectName\",\"stool\"],[\"Place\",[1.5,1.5,%s]],[\"Contact\",\"down\",\"open\"],[\"Rotate\",15]",
            boards[k]);
        r = solve_text(&w, text);
        assert_solved(&r);
    }
    solve_result r = solve_text(
        &w,
        "[\"ObjectName\",\"stool\"],[\"Place\",[-1.5,1.5,1]],[\"Contact\",\"down\",\"closed\"]");
    assert_solved(&r); /* its top is open */
    stage_close(&w);
}

static void pixels_obey_it_as_well(void **state)
{
    (void)state;
    scene_builder *b = room(true);
    add_cupboard(b, "closed", 0, true);
    world w = stage_open(b);
    double x, y;
    world_pixel(&w, v3(0, 1.5, 1), &x, &y);
    constraint_list list = world_constraints(
        &w,
        "[\"ObjectName\",\"stool\"],[\"CloseToPix\",\"down\",[%.6f,%.6f]],[\"Contact\",\"down\",\"ceiling_up\"]",
        x, y);
    solve_result r = world_solve(&w, &list, 3);
    assert_unreachable(&r);
    stage_close(&w);
}

static void under_a_table_and_between_things_is_reached_from_the_side(
    void **state)
{
    (void)state;
    scene_builder *b = room(true);
    uint32_t leg = scene_builder_box(b, 0.05, 0.05, 0.7);
    scene_builder_object(b, "table", scene_builder_box(b, 1, 0.8, 0.04),
                         scene_builder_at(-1.5, 0, 0.72, 0), false);
    for (int k = 0; k < 4; k++)
        scene_builder_part(b, leg,
                           scene_builder_at(-1.5 + (k % 2 ? 0.45 : -0.45),
                                            k / 2 ? 0.35 : -0.35, 0.35, 0));
    scene_builder_object(b, "crate", scene_builder_box(b, 0.9, 0.7, 0.5),
                         scene_builder_at(2, -1.5, 0.25, 0), false);
    world w = stage_open(b);
    solve_result r = solve_text(
        &w,
        "[\"ObjectName\",\"stool\"],[\"Place\",[-1.5,0,0]],[\"Contact\",\"down\",\"floor\"]");
    assert_solved(&r);
    /* what it leaves behind is no wall to itself */
    r = solve_text(
        &w,
        "[\"ObjectName\",\"crate\"],[\"Place\",[2.1,-1.6,0]],[\"Contact\",\"down\",\"floor\"]");
    assert_solved(&r);
    stage_close(&w);
}

static void without_a_ceiling_all_that_is_open_above_is_a_place(void **state)
{
    (void)state;
    world w = stage_open(room(false));
    solve_result r = solve_text(
        &w,
        "[\"ObjectName\",\"stool\"],[\"Place\",[1,1,0]],[\"Contact\",\"down\",\"floor\"]");
    assert_solved(&r);
    r = solve_text(
        &w,
        "[\"ObjectName\",\"stool\"],[\"Place\",[3.05,1,2.5]],[\"Contact\",\"down\",\"wall east\"]");
    assert_solved(&r);
    stage_close(&w);
}

static void an_edit_leaves_everything_where_it_was(void **state)
{
    (void)state;
    world w = stage_open(room(true));
    solve_result r = solve_text(
        &w,
        "[\"ObjectName\",\"stool\"],[\"Place\",[1,1,2.6],0.4],[\"Contact\",\"down\",\"ceiling\"]");
    assert_unreachable(&r);
    for (uint32_t i = 0; i < w.scene->object_count; i++) {
        arrange_pose base = scene_base_pose(&w.scene->objects[i]);
        assert_memory_equal(space_pose(w.space, i), &base, sizeof base);
    }
    stage_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_roof_of_a_closed_room_is_no_place),
        cmocka_unit_test(a_gap_behind_a_wall_is_no_place),
        cmocka_unit_test(a_closed_cupboard_holds_nothing_and_an_open_one_does),
        cmocka_unit_test(pixels_obey_it_as_well),
        cmocka_unit_test(
            under_a_table_and_between_things_is_reached_from_the_side),
        cmocka_unit_test(without_a_ceiling_all_that_is_open_above_is_a_place),
        cmocka_unit_test(an_edit_leaves_everything_where_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
