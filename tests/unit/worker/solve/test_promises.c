/* What every solve promises, over many made-up tables: a valid pose collides
 * with nothing, breaks no support and keeps its constraints; an invalid one
 * says why; the scene is left as it was. */
#include "tests/unit/worker/solve/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static double between(etna_random *r, double low, double high)
{
    return low + (high - low) * etna_random_unit(r);
}

/* A table of 0.5 to 1 m with up to eight things on it, and a thing beside
 * it. */
static world make_table(etna_random *r, double *ret_top)
{
    scene_builder *b = world_begin();
    double x = between(r, 0.5, 1), y = between(r, 0.4, 0.8),
           z = between(r, 0.3, 0.8), yaw = between(r, 0, 360);
    scene_builder_object(b, "table", scene_builder_box(b, x, y, z),
                         scene_builder_at(0, 0, z / 2, yaw), false);
    uint64_t things = etna_random_below(r, 9);
    for (uint64_t i = 0; i < things; i++) {
        char name[32];
        double w = between(r, 0.04, 0.2), d = between(r, 0.04, 0.2),
               h = between(r, 0.05, 0.3), c = cos(yaw * MATH_PI / 180),
               s = sin(yaw * MATH_PI / 180);
        double u = between(r, -0.4, 0.4) * x, v = between(r, -0.4, 0.4) * y;
        snprintf(name, sizeof name, "thing %u", (unsigned)i);
        uint32_t mesh = etna_random_below(r, 2)
                            ? scene_builder_box(b, w, d, h)
                            : scene_builder_cylinder(b, w / 2, h, 12);
        scene_builder_object(b, name, mesh,
                             scene_builder_at(c * u - s * v, s * u + c * v,
                                              z + h / 2, between(r, 0, 360)),
                             false);
    }
    double w = between(r, 0.05, 0.5), d = between(r, 0.05, 0.3),
           h = between(r, 0.05, 0.3);
    scene_builder_object(b, "guest", scene_builder_box(b, w, d, h),
                         scene_builder_at(1.5, 0.5, h / 2, between(r, 0, 360)),
                         false);
    *ret_top = z;
    return stage_open(b);
}

static void hold_valid(world *w, const solve_result *r, double top)
{
    space_support_state start = {0}, now = {0};
    space_rules rules = {0};
    space_pair pair;
    uint32_t count, broken;
    bool moved[16] = {false};
    moved[r->object] = true;
    assert_int_equal(
        space_support_compute(w->space, &rules, NULL, NULL, &start, NULL),
        ETNA_OK);
    assert_int_equal(space_move(w->space, r->object, &r->pose, NULL), ETNA_OK);
    assert_int_equal(
        space_collisions(w->space, r->object, &rules, &pair, 1, &count, NULL),
        ETNA_OK);
    assert_int_equal(count, 0);
    assert_int_equal(
        space_support_compute(w->space, &rules, &start, NULL, &now, NULL),
        ETNA_OK);
    assert_int_equal(space_support_broken(&start, &now, moved, &broken, 1), 0);
    assert_int_equal(now.support[r->object], SUPPORT_GROUNDED);
    scene_box box = scene_box_at(&w->scene->objects[r->object], &r->pose);
    assert_true(fabs(box.centre.z - box.half.z - top) < 1e-3);
    assert_true(r->loss <= 0.1 && r->survivors > 0);
    space_support_free(&start);
    space_support_free(&now);
}

static void every_answer_holds_what_it_promises(void **state)
{
    (void)state;
    etna_random r = etna_random_from(20);
    unsigned valid = 0, failed = 0;
    for (uint64_t i = 0; i < 60; i++) {
        double top, x, y;
        world w = make_table(&r, &top);
        world_pixel(&w, v3(between(&r, -0.2, 0.2), between(&r, -0.2, 0.2), top),
                    &x, &y);
        constraint_list list = world_constraints(
            &w,
            "[\"ObjectName\",\"guest\"],[\"CloseToPix\",\"down\",[%.4f,%.4f]],[\"Contact\",\"down\",\"table_up\"],"
            "[\"NoOverhang\",\"down\",\"table_up\",\"full_only\"]%s",
            x, y, i % 3 ? "" : ",[\"FaceTo\",\"camera\"]");
        uint32_t guest = scene_find_object(w.scene, "guest");
        arrange_pose before = *space_pose(w.space, guest);
        solve_result result = world_solve(&w, &list, i);
        assert_memory_equal(&before, space_pose(w.space, guest), sizeof before);
        if (result.status == BRANCH_VALID) {
            hold_valid(&w, &result, top);
            valid++;
        } else {
            assert_true(strlen(result.reason) > 20);
            assert_memory_equal(&before, &result.pose, sizeof before);
            failed++;
        }
        stage_close(&w);
    }
    assert_true(valid >= 20);
    assert_true(failed >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_holds_what_it_promises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
