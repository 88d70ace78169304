/* What is told to stand on something comes, whether there is room or not. */
#include "tests/unit/worker/furnish/layouts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const layout_room room = {.width = 4, .depth = 4, .height = 2.5};

/* A stool, a table that bears things, and a basket that is told to stand on the
 * stool. */
static layout_plan *place(layout_thing things[3])
{
    things[0] = layouts_thing(HABITS_FREE, 0.4, 0.5, 0.4);
    things[1].footing = HABITS_FREE;
    things[1].told = true;
    things[1].count = things[1].model_count = 1;
    things[2].tie_count = 1;
    things[2].ties[0] =
        (layout_tie){.relation = BRIEF_ON, .anchor = 0, .told = true};
    return layouts_place(layout_search, &room, things, 3);
}

static void what_does_not_fit_stands_on_another_that_can_bear_it(void **state)
{
    (void)state;
    layout_thing things[3] = {[1] = layouts_thing(HABITS_FREE, 1.2, 0.7, 0.8),
                              [2] = layouts_thing(HABITS_ON, 0.6, 0.4, 0.5)};
    things[1].bears = true;
    layout_plan *plan = place(things);
    assert_true(plan->items[2].placed);
    assert_int_equal(plan->items[2].on, 1);
    assert_true(layout_residual(&room, things, plan, 2, &things[2].ties[0]) >
                0);
    free(plan);
}

static void what_fits_nowhere_stands_on_the_floor(void **state)
{
    (void)state;
    layout_thing things[3] = {[1] = layouts_thing(HABITS_FREE, 1.2, 0.7, 0.8),
                              [2] = layouts_thing(HABITS_ON, 0.6, 0.4, 0.5)};
    layout_plan *plan = place(things);
    assert_true(plan->items[2].placed);
    assert_int_equal(plan->items[2].on, LAYOUT_NONE);
    assert_true(plan->items[2].y < 0.05);
    for (uint32_t i = 0; i < 2; i++) {
        double x = plan->items[2].x - plan->items[i].x,
               z = plan->items[2].z - plan->items[i].z;
        assert_true(x * x + z * z > 0.2);
    }
    free(plan);
}

/* Those that were found to have no place go to the floor, the others stay. */
static void so_many_as_have_no_place_are_grounded(void **state)
{
    (void)state;
    layout_thing things[3] = {[1] = layouts_thing(HABITS_FREE, 1.2, 0.7, 0.8),
                              [2] = layouts_thing(HABITS_ON, 0.2, 0.2, 0.2)};
    things[2].count = 2;
    things[2].grounded = 1;
    layout_plan *plan = place(things);
    assert_int_equal(plan->items[2].on, 0);
    assert_true(plan->items[3].placed);
    assert_int_equal(plan->items[3].on, LAYOUT_NONE);
    free(plan);
}

static void what_nobody_told_of_stays_away(void **state)
{
    (void)state;
    layout_thing things[3] = {[1] = layouts_thing(HABITS_FREE, 1.2, 0.7, 0.8),
                              [2] = layouts_thing(HABITS_ON, 0.6, 0.4, 0.5)};
    things[1].bears = true;
    things[2].told = false;
    layout_plan *plan = place(things);
    assert_false(plan->items[2].placed);
    free(plan);
}

/* Two large ones do not fit the stool, two small ones do. */
static void several_alike_are_as_small_as_all_of_them_fit(void **state)
{
    (void)state;
    layout_thing things[3] = {[1] = layouts_thing(HABITS_FREE, 1.2, 0.7, 0.8),
                              [2] = layouts_thing(HABITS_ON, 0.35, 0.3, 0.35)};
    things[2].count = 2;
    things[2].model_count = 2;
    things[2].models[1] = (layout_model){.size = {0.2, 0.2, 0.2}};
    layout_plan *plan = place(things);
    for (uint32_t i = 2; i < 4; i++) {
        assert_int_equal(plan->items[i].on, 0);
        assert_int_equal(plan->items[i].model, 1);
    }
    free(plan);
}

/* Six books on a stool for one: they are on it all the same. */
static void flat_things_are_stacked(void **state)
{
    (void)state;
    layout_thing things[3] = {[1] = layouts_thing(HABITS_FREE, 1.2, 0.7, 0.8),
                              [2] = layouts_thing(HABITS_ON, 0.3, 0.03, 0.3)};
    things[2].count = 6;
    layout_plan *plan = place(things);
    for (uint32_t i = 2; i < 8; i++) {
        assert_true(plan->items[i].placed);
        assert_int_equal(plan->items[i].on, i == 2 ? 0 : i - 1);
        assert_true(
            layout_residual(&room, things, plan, i, &things[2].ties[0]) < 1e-9);
    }
    free(plan);
}

/* By the model that serves best, though another would stand freer. */
static void what_goes_to_the_floor_keeps_its_model(void **state)
{
    (void)state;
    layout_thing things[3] = {[1] = layouts_thing(HABITS_FREE, 1.2, 0.7, 0.8),
                              [2] = layouts_thing(HABITS_ON, 0.6, 0.4, 0.5)};
    things[2].model_count = 3;
    things[2].models[1] = (layout_model){.size = {1.8, 1.9, 0.5}};
    things[2].models[2] = (layout_model){.size = {0.5, 0.3, 0.5}};
    layout_plan *plan = place(things);
    assert_int_equal(plan->items[2].on, LAYOUT_NONE);
    assert_int_equal(plan->items[2].model, 0);
    free(plan);
}

/* What would reach the ceiling stands elsewhere. */
static void nothing_stands_where_it_reaches_the_ceiling(void **state)
{
    (void)state;
    layout_thing things[3] = {[1] = layouts_thing(HABITS_FREE, 1.2, 0.7, 0.8),
                              [2] = layouts_thing(HABITS_ON, 0.3, 2.2, 0.3)};
    things[1].bears = true;
    layout_plan *plan = place(things);
    assert_true(plan->items[2].placed);
    assert_int_equal(plan->items[2].on, LAYOUT_NONE);
    free(plan);
}

/* Told to be on the left of what bears it, it stands on its left half, as one
 * sees that from its front. */
static void what_stands_on_a_thing_has_a_side_of_it(void **state)
{
    (void)state;
    layout_thing things[2] = {layouts_thing(HABITS_FREE, 1, 0.7, 0.5),
                              layouts_thing(HABITS_ON, 0.2, 0.4, 0.2)};
    const layout_tie left = {.relation = BRIEF_LEFT, .anchor = 0, .told = true},
                     right = {
                         .relation = BRIEF_RIGHT, .anchor = 0, .told = true};
    layout_plan plan = {.item_count = 2,
                        .items = {{.placed = true, .on = LAYOUT_NONE},
                                  {.placed = true, .thing = 1, .on = 0}}};
    for (uint32_t heading = 0; heading < 4; heading += 2) {
        const double way = heading ? -1 : 1;
        plan.items[0].heading = plan.items[1].heading = heading;
        plan.items[1].x = -0.3 * way;
        assert_true(layout_residual(&room, things, &plan, 1, &left) < 1e-6);
        assert_true(layout_residual(&room, things, &plan, 1, &right) > 0.2);
        plan.items[1].x = 0.3 * way;
        assert_true(layout_residual(&room, things, &plan, 1, &left) > 0.2);
        assert_true(layout_residual(&room, things, &plan, 1, &right) < 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_on_a_thing_has_a_side_of_it),
        cmocka_unit_test(what_does_not_fit_stands_on_another_that_can_bear_it),
        cmocka_unit_test(what_fits_nowhere_stands_on_the_floor),
        cmocka_unit_test(so_many_as_have_no_place_are_grounded),
        cmocka_unit_test(what_nobody_told_of_stays_away),
        cmocka_unit_test(several_alike_are_as_small_as_all_of_them_fit),
        cmocka_unit_test(flat_things_are_stacked),
        cmocka_unit_test(what_goes_to_the_floor_keeps_its_model),
        cmocka_unit_test(nothing_stands_where_it_reaches_the_ceiling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
