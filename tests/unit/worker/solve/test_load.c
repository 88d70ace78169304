/* A thing goes with its load: what stands on it, lies in it or hangs on it
 * moves as one body with it. */
#include "tests/unit/worker/solve/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static bool carries(const world *w, const solve_result *r, const char *name)
{
    for (uint32_t i = 0; i < r->carried_count; i++)
        if (strcmp(w->scene->objects[r->carried[i]].name, name) == 0)
            return true;
    return false;
}

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

/* Everything where the result puts it; how many then float that must not. */
static uint32_t count_broken(world *w, const solve_result *r)
{
    space_support_state start, now;
    bool moved[64] = {false};
    uint32_t broken[8];
    assert_int_equal(
        space_support_compute(w->space, NULL, NULL, NULL, &start, NULL),
        ETNA_OK);
    moved[r->object] = true;
    assert_int_equal(space_move(w->space, r->object, &r->pose, NULL), ETNA_OK);
    for (uint32_t i = 0; i < r->carried_count; i++) {
        moved[r->carried[i]] = true;
        assert_int_equal(
            space_move(w->space, r->carried[i], &r->carried_pose[i], NULL),
            ETNA_OK);
    }
    assert_int_equal(
        space_support_compute(w->space, NULL, &start, NULL, &now, NULL),
        ETNA_OK);
    uint32_t count = space_support_broken(&start, &now, moved, broken, 8);
    space_support_free(&now);
    space_support_free(&start);
    return count;
}

/* A table with a vase, a book on a box, flowers in the vase that touch nothing,
 * a lamp that leans and one that stays on the floor beneath. */
static scene_builder *laid_table(void)
{
    scene_builder *b = world_begin();
    uint32_t leg = scene_builder_box(b, 0.05, 0.05, 0.66);
    scene_builder_object(b, "table", scene_builder_box(b, 1, 0.6, 0.04),
                         scene_builder_at(-0.8, 0, 0.68, 0), false);
    for (int k = 0; k < 4; k++)
        scene_builder_part(b, leg,
                           scene_builder_at(-0.8 + (k % 2 ? 0.45 : -0.45),
                                            k / 2 ? 0.25 : -0.25, 0.33, 0));
    scene_builder_object(b, "cup",
                         scene_builder_cup(b, 0.04, 0.045, 0.2, 0.01, 16),
                         scene_builder_at(-1, 0, 0.7, 0), false);
    scene_builder_object(b, "flower", scene_builder_sphere(b, 0.01, 6),
                         scene_builder_at(-1, 0, 0.8, 0), false);
    scene_builder_object(b, "box", scene_builder_box(b, 0.2, 0.2, 0.1),
                         scene_builder_at(-0.6, 0.1, 0.75, 0), false);
    scene_builder_object(b, "book", scene_builder_box(b, 0.15, 0.1, 0.03),
                         scene_builder_at(-0.6, 0.1, 0.815, 0), false);
    scene_builder_object(b, "stool", scene_builder_box(b, 0.3, 0.3, 0.4),
                         scene_builder_at(-0.8, 0, 0.2, 0), false);
    /* overhangs by more than half: what holds it is not in the file */
    scene_builder_object(b, "lamp", scene_builder_box(b, 0.2, 0.06, 0.1),
                         scene_builder_at(-0.27, -0.2, 0.75, 0), false);
    return b;
}

static void all_that_is_on_or_in_a_table_goes_along(void **state)
{
    (void)state;
    world w = stage_open(laid_table());
    static const char *const forms[] = {
        "[\"ObjectName\",\"table\"],[\"Place\",[0.8,0.5,0]],[\"Contact\",\"down\",\"floor\"],[\"Rotate\",90]",
        "[\"ObjectName\",\"table\"],[\"CloseToPix\",\"down\",[0.7,0.5]],[\"Contact\",\"down\",\"floor_up\"],[\"Rotate\",40]"};
    for (int k = 0; k < 2; k++) {
        solve_result r = solve_text(&w, forms[k]);
        assert_solved(&r);
        assert_true(carries(&w, &r, "cup") && carries(&w, &r, "flower") &&
                    carries(&w, &r, "box"));
        assert_true(carries(&w, &r, "book") && carries(&w, &r, "lamp"));
        assert_int_equal(r.carried_count, 5);
        for (uint32_t i = 0; i < r.carried_count; i++) {
            arrange_pose table = *space_pose(w.space, r.object),
                         stood = *space_pose(w.space, r.carried[i]);
            assert_true(space_same_relation(&table, &stood, &r.pose,
                                            &r.carried_pose[i]));
        }
        /* the lamp leans on as it did */
        assert_int_equal(count_broken(&w, &r), 0);
        arrange_pose back = scene_base_pose(&w.scene->objects[r.object]);
        space_move(w.space, r.object, &back, NULL);
        for (uint32_t i = 0; i < r.carried_count; i++) {
            back = scene_base_pose(&w.scene->objects[r.carried[i]]);
            space_move(w.space, r.carried[i], &back, NULL);
        }
    }
    stage_close(&w);
}

static void the_load_bumps_into_things_too(void **state)
{
    (void)state;
    scene_builder *b = world_begin();
    scene_builder_object(b, "stand", scene_builder_box(b, 0.4, 0.4, 0.4),
                         scene_builder_at(-1, 0, 0.2, 0), false);
    scene_builder_object(b, "palm", scene_builder_box(b, 0.3, 0.3, 0.8),
                         scene_builder_at(-1, 0, 0.8, 0), false);
    scene_builder_object(b, "board", scene_builder_box(b, 0.6, 0.6, 0.05),
                         scene_builder_at(1, 0, 0.8, 0), true);
    world w = stage_open(b);
    solve_result r = solve_text(
        &w,
        "[\"ObjectName\",\"stand\"],[\"Place\",[1,0,0]],[\"Contact\",\"down\",\"floor\"]");
    assert_int_equal(r.status, BRANCH_COLLISION);
    assert_non_null(strstr(r.reason, "\"board\""));
    r = solve_text(
        &w,
        "[\"ObjectName\",\"palm\"],[\"Place\",[0,0,0]],[\"Contact\",\"down\",\"floor\"]");
    assert_solved(&r);
    assert_int_equal(r.carried_count, 0);
    stage_close(&w);
}

static void what_is_left_behind_must_find_its_own_support(void **state)
{
    (void)state;
    world w = stage_open(laid_table());
    bool left[16] = {false};
    solve_request request = solve_request_default();
    solve_result r;
    constraint_list list = world_constraints(
        &w,
        "[\"ObjectName\",\"table\"],[\"Place\",[0.8,0.5,0]],[\"Contact\",\"down\",\"floor\"]");
    left[scene_find_object(w.scene, "box")] = true;
    request.constraints = &list;
    request.left_behind = left;
    assert_int_equal(solve_run(w.space, w.probes, &request, &r, NULL), ETNA_OK);
    assert_int_equal(r.status, BRANCH_FLOATING);
    assert_non_null(strstr(r.reason, "\"box\""));
    assert_false(carries(&w, &r, "box") || carries(&w, &r, "book"));
    stage_close(&w);
}

static void what_stands_on_a_rug_stays_on_the_floor(void **state)
{
    (void)state;
    scene_builder *b = world_begin();
    scene_builder_object(b, "rug", scene_builder_box(b, 1, 0.8, 0.008),
                         scene_builder_at(-0.8, 0, 0.004, 0), false);
    scene_builder_object(b, "chair", scene_builder_box(b, 0.4, 0.4, 0.8),
                         scene_builder_at(-0.8, 0, 0.408, 0), false);
    scene_builder_object(b, "mat", scene_builder_box(b, 0.4, 0.3, 0.008),
                         scene_builder_at(0.5, 1, 0.004, 0), false);
    scene_builder_object(b, "mug", scene_builder_cylinder(b, 0.04, 0.1, 16),
                         scene_builder_at(0.5, 1, 0.058, 0), false);
    world w = stage_open(b);
    solve_result r = solve_text(
        &w,
        "[\"ObjectName\",\"rug\"],[\"Place\",[0.8,-0.5,0]],[\"Contact\",\"down\",\"floor\"]");
    assert_solved(&r);
    assert_int_equal(r.carried_count, 0);
    r = solve_text(
        &w,
        "[\"ObjectName\",\"mat\"],[\"Place\",[0.8,-0.8,0]],[\"Contact\",\"down\",\"floor\"]");
    assert_solved(&r);
    assert_true(carries(&w, &r, "mug"));
    stage_close(&w);
}

static void a_thing_on_two_carriers_goes_with_the_one_below_its_middle(
    void **state)
{
    (void)state;
    scene_builder *b = world_begin();
    uint32_t crate = scene_builder_box(b, 0.4, 0.4, 0.4);
    scene_builder_object(b, "left", crate, scene_builder_at(-0.3, 0, 0.2, 0),
                         false);
    scene_builder_object(b, "right", crate, scene_builder_at(0.3, 0, 0.2, 0),
                         false);
    scene_builder_object(b, "plank", scene_builder_box(b, 0.6, 0.2, 0.02),
                         scene_builder_at(-0.15, 0, 0.41, 0), false);
    world w = stage_open(b);
    solve_result r = solve_text(
        &w,
        "[\"ObjectName\",\"left\"],[\"Place\",[-1,1,0]],[\"Contact\",\"down\",\"floor\"]");
    assert_solved(&r);
    assert_true(carries(&w, &r, "plank"));
    r = solve_text(
        &w,
        "[\"ObjectName\",\"right\"],[\"Place\",[1,1,0]],[\"Contact\",\"down\",\"floor\"]");
    assert_solved(&r); /* over the other crate it still stands */
    assert_false(carries(&w, &r, "plank"));
    stage_close(&w);
    b = world_begin();
    crate = scene_builder_box(b, 0.4, 0.4, 0.4);
    scene_builder_object(b, "left", crate, scene_builder_at(-0.3, 0, 0.2, 0),
                         false);
    scene_builder_object(b, "right", crate, scene_builder_at(0.3, 0, 0.2, 0),
                         false);
    scene_builder_object(b, "plank", scene_builder_box(b, 0.6, 0.2, 0.02),
                         scene_builder_at(0, 0, 0.41, 0), false);
    w = stage_open(b);
    r = solve_text(
        &w,
        "[\"ObjectName\",\"left\"],[\"Place\",[-1,1,0]],[\"Contact\",\"down\",\"floor\"]");
    /* its middle is over neither */
    assert_int_equal(r.status, BRANCH_FLOATING);
    assert_non_null(strstr(r.reason, "\"plank\""));
    stage_close(&w);
}

static void what_carries_something_static_is_not_moved(void **state)
{
    (void)state;
    scene_builder *b = world_begin();
    scene_builder_object(b, "cabinet", scene_builder_box(b, 0.6, 0.4, 0.8),
                         scene_builder_at(0, 0, 0.4, 0), false);
    scene_builder_object(b, "sink", scene_builder_box(b, 0.4, 0.3, 0.1),
                         scene_builder_at(0, 0, 0.85, 0), true);
    world w = stage_open(b);
    constraint_list list = world_constraints(
        &w,
        "[\"ObjectName\",\"cabinet\"],[\"Place\",[1,1,0]],[\"Contact\",\"down\",\"floor\"]");
    solve_request request = solve_request_default();
    solve_result r;
    etna_error err = {0};
    request.constraints = &list;
    assert_int_equal(solve_run(w.space, w.probes, &request, &r, &err),
                     ETNA_E_INPUT);
    assert_non_null(strstr(err.text, "\"sink\""));
    stage_close(&w);
}

static void a_thing_is_not_put_onto_its_own_load(void **state)
{
    (void)state;
    world w = stage_open(laid_table());
    static const char *const forms[] = {
        "[\"ObjectName\",\"table\"],[\"Place\",[0.8,0.5,0]],[\"Contact\",\"down\",\"box\"]",
        "[\"ObjectName\",\"table\"],[\"CloseToPix\",\"down\",[0.5,0.5]],[\"Contact\",\"down\",\"box_up\"]",
        "[\"ObjectName\",\"table\"],[\"Place\",[0.8,0.5,0]],[\"FaceTo\",\"book\"]"};
    for (int k = 0; k < 3; k++) {
        constraint_list list = world_constraints(&w, "%s", forms[k]);
        solve_request request = solve_request_default();
        solve_result r;
        etna_error err = {0};
        request.constraints = &list;
        request.camera = &w.scene->cameras[0];
        assert_int_equal(solve_run(w.space, w.probes, &request, &r, &err),
                         ETNA_E_INPUT);
        assert_non_null(strstr(err.text, "goes along"));
    }
    stage_close(&w);
}

static void a_snapshot_gets_a_pose_for_each_that_goes_along(void **state)
{
    (void)state;
    world w = stage_open(laid_table());
    etna_hash hash = {{1}};
    w.scene->hash = hash;
    solve_result r = solve_text(
        &w,
        "[\"ObjectName\",\"table\"],[\"Place\",[0.8,0.5,0]],[\"Contact\",\"down\",\"floor\"]");
    snapshot base, edited;
    assert_solved(&r);
    assert_int_equal(snapshot_base(w.scene, &base, NULL), ETNA_OK);
    assert_int_equal(solve_snapshot(&r, &base, &edited, NULL), ETNA_OK);
    uint32_t moved = 0;
    for (uint32_t i = 0; i < edited.object_count; i++)
        moved += edited.moved[i];
    assert_int_equal(moved, 6);
    for (uint32_t i = 0; i < r.carried_count; i++)
        assert_memory_equal(&edited.poses[r.carried[i]], &r.carried_pose[i],
                            sizeof r.carried_pose[i]);
    snapshot_free(&edited);
    snapshot_free(&base);
    stage_close(&w);
}

/* As real files have tables: moved by a way alone it may hover on, and what
 * stands on it stands on it there. */
static void what_hovers_takes_its_load_where_it_hovers(void **state)
{
    (void)state;
    scene_builder *b = world_begin();
    scene_builder_object(b, "table", scene_builder_box(b, 1, 0.6, 0.1),
                         scene_builder_at(-0.5, 0, 0.09, 0), false);
    scene_builder_object(b, "vase", scene_builder_box(b, 0.1, 0.1, 0.2),
                         scene_builder_at(-0.3, 0, 0.24, 0), false);
    world w = stage_open(b);
    solve_result r =
        solve_text(&w, "[\"ObjectName\",\"table\"],[\"Place\",[0,0,0.04]]");
    assert_solved(&r);
    assert_true(carries(&w, &r, "vase"));
    world_near(r.pose.position[2], 0.09, 1e-6);
    stage_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_is_on_or_in_a_table_goes_along),
        cmocka_unit_test(the_load_bumps_into_things_too),
        cmocka_unit_test(what_is_left_behind_must_find_its_own_support),
        cmocka_unit_test(what_stands_on_a_rug_stays_on_the_floor),
        cmocka_unit_test(
            a_thing_on_two_carriers_goes_with_the_one_below_its_middle),
        cmocka_unit_test(what_carries_something_static_is_not_moved),
        cmocka_unit_test(a_thing_is_not_put_onto_its_own_load),
        cmocka_unit_test(a_snapshot_gets_a_pose_for_each_that_goes_along),
        cmocka_unit_test(what_hovers_takes_its_load_where_it_hovers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
