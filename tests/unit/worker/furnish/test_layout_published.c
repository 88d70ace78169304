/* The published placement: boxes, a tenth of a metre, one pass. */
#include "tests/unit/worker/furnish/layouts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const layout_room room = {.width = 4, .depth = 4, .height = 2.5};

/* By how much two of that square foot overlap along the axis along which they do
 * so least. */
static double overlap(const layout_plan *plan, double side)
{
    return fmin(side - fabs(plan->items[0].x - plan->items[1].x),
                side - fabs(plan->items[0].z - plan->items[1].z));
}

/* Both are best in the middle: the first goes elsewhere, as it is asked first. */
static void boxes_that_overlap_are_placed_anew(void **state)
{
    (void)state;
    layout_thing things[2] = {layouts_thing(HABITS_FREE, 1, 0.7, 1),
                              layouts_thing(HABITS_FREE, 1, 0.7, 1)};
    for (int i = 0; i < 2; i++) {
        things[i].tie_count = 1;
        things[i].ties[0] = (layout_tie){
            .relation = BRIEF_MIDDLE, .anchor = LAYOUT_NONE, .told = true};
    }
    layout_plan *plan = layouts_place(layout_as_published, &room, things, 2);
    assert_true(plan->items[0].placed && plan->items[1].placed);
    assert_true(overlap(plan, 1) < 0.1);
    free(plan);
}

/* Below a tenth of a metre along one axis nothing counts: flat things always
 * overlap. */
static void flat_boxes_are_let_be(void **state)
{
    (void)state;
    layout_thing things[2] = {layouts_thing(HABITS_FREE, 1, 0.05, 1),
                              layouts_thing(HABITS_FREE, 1, 0.05, 1)};
    for (int i = 0; i < 2; i++) {
        things[i].tie_count = 1;
        things[i].ties[0] = (layout_tie){
            .relation = BRIEF_MIDDLE, .anchor = LAYOUT_NONE, .told = true};
    }
    layout_plan *plan = layouts_place(layout_as_published, &room, things, 2);
    assert_true(overlap(plan, 1) > 0.1);
    free(plan);
}

static void what_stands_on_something_is_on_top_of_its_box(void **state)
{
    (void)state;
    layout_thing things[2] = {layouts_thing(HABITS_FREE, 1, 0.7, 1),
                              layouts_thing(HABITS_ON, 0.2, 0.3, 0.2)};
    things[1].count = 2;
    things[1].tie_count = 1;
    things[1].ties[0] =
        (layout_tie){.relation = BRIEF_ON, .anchor = 0, .told = true};
    layout_plan *plan = layouts_place(layout_as_published, &room, things, 2);
    for (uint32_t i = 1; i < 3; i++) {
        assert_int_equal(plan->items[i].on, 0);
        assert_float_equal(plan->items[i].y, 0.7, 1e-9);
    }
    assert_true(fabs(plan->items[1].x - plan->items[2].x) +
                    fabs(plan->items[1].z - plan->items[2].z) >
                0.1);
    free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_that_overlap_are_placed_anew),
        cmocka_unit_test(flat_boxes_are_let_be),
        cmocka_unit_test(what_stands_on_something_is_on_top_of_its_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
