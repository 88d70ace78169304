/* A seat that nobody can come to is worth what stands in its way. */
#include "tests/unit/worker/furnish/layouts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* An armchair at the wall across from the door. */
static layout_thing armchair(void)
{
    layout_thing t = layouts_thing(HABITS_AT_WALL, 0.8, 0.9, 0.8);
    t.seat = true;
    t.tie_count = 1;
    t.ties[0] = (layout_tie){.relation = BRIEF_WALL,
                             .anchor = LAYOUT_NONE,
                             .told = true,
                             .walls = BRIEF_NORTH};
    return t;
}

/* As wide as the room: wherever it stands nobody passes. */
static void what_nobody_told_of_goes_away_for_a_seat(void **state)
{
    (void)state;
    const layout_room corridor = {
        .width = 1.5,
        .depth = 4,
        .height = 2.5,
        .opening_count = 1,
        .openings = {{.wall = 2, .at = 0.75, .is_door = true}}};
    layout_thing things[2] = {armchair(),
                              layouts_thing(HABITS_FREE, 1.4, 1, 1.4)};
    things[1].told = false;
    layout_plan *plan = layouts_place(layout_search, &corridor, things, 2);
    assert_true(plan->items[0].placed);
    assert_false(plan->items[1].placed);
    assert_int_equal(layout_count_unreached(&corridor, things, plan), 0);
    free(plan);
}

/* What is told of, too, where nothing else helps; and it is said why. */
static void what_is_in_the_way_of_a_seat_stays_away(void **state)
{
    (void)state;
    const layout_room corridor = {
        .width = 1.5,
        .depth = 4,
        .height = 2.5,
        .opening_count = 1,
        .openings = {{.wall = 2, .at = 0.75, .is_door = true}}};
    layout_thing things[2] = {armchair(),
                              layouts_thing(HABITS_FREE, 1.4, 1, 1.4)};
    const layout_place there = {.placed = true, .z = -1.58, .on = LAYOUT_NONE};
    things[0].fixed = &there;
    layout_plan *plan = layouts_place(layout_search, &corridor, things, 2);
    assert_true(plan->items[0].placed && !plan->items[1].placed);
    assert_true(plan->items[1].in_way);
    assert_int_equal(layout_count_unreached(&corridor, things, plan), 0);
    free(plan);
}

/* A lamp that is told of keeps no table before a seat. */
static void what_bears_something_goes_away_with_it(void **state)
{
    (void)state;
    const layout_room corridor = {
        .width = 1.5,
        .depth = 4,
        .height = 2.5,
        .opening_count = 1,
        .openings = {{.wall = 2, .at = 0.75, .is_door = true}}};
    layout_thing things[3] = {armchair(),
                              layouts_thing(HABITS_FREE, 1.4, 1, 1.4),
                              layouts_thing(HABITS_ON, 0.2, 0.4, 0.2)};
    const layout_place there = {.placed = true, .z = -1.58, .on = LAYOUT_NONE};
    things[0].fixed = &there;
    things[2].tie_count = 1;
    things[2].ties[0] =
        (layout_tie){.relation = BRIEF_ON, .anchor = 1, .told = true};
    layout_plan *plan = layouts_place(layout_search, &corridor, things, 3);
    assert_true(plan->items[0].placed && !plan->items[1].placed);
    assert_true(plan->items[1].in_way);
    assert_true(plan->items[2].on == LAYOUT_NONE || !plan->items[2].placed);
    assert_int_equal(layout_count_unreached(&corridor, things, plan), 0);
    free(plan);
}

/* Two of them close the way together, so that neither alone opens it. */
static void of_two_in_the_way_one_goes_or_moves(void **state)
{
    (void)state;
    const layout_room room = {
        .width = 3,
        .depth = 4,
        .height = 2.5,
        .opening_count = 1,
        .openings = {{.wall = 2, .at = 1.5, .is_door = true}}};
    const layout_place there = {.placed = true, .z = -1.58, .on = LAYOUT_NONE};
    layout_thing things[3] = {armchair(),
                              layouts_thing(HABITS_FREE, 2.9, 1, 0.4),
                              layouts_thing(HABITS_FREE, 2.8, 1, 0.4)};
    things[0].fixed = &there;
    layout_plan *plan = layouts_place(layout_search, &room, things, 3);
    assert_true(plan->items[0].placed);
    assert_int_equal(layout_count_unreached(&room, things, plan), 0);
    free(plan);
}

/* What the room has already keeps people from its north: no seat is there. */
static void a_seat_that_nobody_can_come_to_is_none_of_the_room(void **state)
{
    (void)state;
    const layout_room corridor = {
        .width = 1.5,
        .depth = 4,
        .height = 2.5,
        .opening_count = 1,
        .openings = {{.wall = 2, .at = 0.75, .is_door = true}}};
    layout_thing things[2] = {armchair(),
                              layouts_thing(HABITS_FREE, 1.45, 1, 1.4)};
    const layout_place there = {
        .placed = true, .thing = 1, .z = 0.2, .on = LAYOUT_NONE};
    things[1].fixed = &there;
    layout_plan *plan = layouts_place(layout_search, &corridor, things, 2);
    assert_true(plan->items[1].placed && !plan->items[0].placed);
    assert_true(plan->items[0].in_way);
    assert_int_equal(layout_count_unreached(&corridor, things, plan), 0);
    free(plan);
}

/* In the middle it closes the way, at a side wall it does not. */
static void a_relation_is_given_up_for_a_seat(void **state)
{
    (void)state;
    const layout_room room = {
        .width = 3,
        .depth = 4,
        .height = 2.5,
        .opening_count = 1,
        .openings = {{.wall = 2, .at = 1.5, .is_door = true}}};
    layout_thing things[2] = {armchair(),
                              layouts_thing(HABITS_FREE, 2.6, 1, 0.4)};
    things[1].tie_count = 1;
    things[1].ties[0] = (layout_tie){
        .relation = BRIEF_MIDDLE, .anchor = LAYOUT_NONE, .told = true};
    layout_plan *plan = layouts_place(layout_search, &room, things, 2);
    assert_true(plan->items[0].placed && plan->items[1].placed);
    assert_int_equal(layout_count_unreached(&room, things, plan), 0);
    free(plan);
}

/* The larger table waits for the armchair that it is beside, which is told where
 * to be. */
static void who_is_told_where_to_be_comes_first(void **state)
{
    (void)state;
    const layout_room room = {.width = 6, .depth = 8, .height = 2.5};
    layout_thing things[2] = {layouts_thing(HABITS_FREE, 0.6, 1, 0.6),
                              layouts_thing(HABITS_FREE, 0.7, 0.7, 0.7)};
    things[0].tie_count = 2;
    things[0].ties[0] = (layout_tie){
        .relation = BRIEF_CORNER, .anchor = LAYOUT_NONE, .told = true};
    things[0].ties[1] =
        (layout_tie){.relation = BRIEF_BESIDE, .anchor = 1, .told = true};
    things[1].table = true;
    things[1].tie_count = 1;
    things[1].ties[0] = (layout_tie){.relation = BRIEF_BESIDE, .anchor = 0};
    layout_plan *plan = layouts_place(layout_search, &room, things, 2);
    for (uint32_t k = 0; k < 2; k++)
        assert_true(
            layout_residual(&room, things, plan, 0, &things[0].ties[k]) < 1e-6);
    free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_nobody_told_of_goes_away_for_a_seat),
        cmocka_unit_test(what_is_in_the_way_of_a_seat_stays_away),
        cmocka_unit_test(what_bears_something_goes_away_with_it),
        cmocka_unit_test(of_two_in_the_way_one_goes_or_moves),
        cmocka_unit_test(a_seat_that_nobody_can_come_to_is_none_of_the_room),
        cmocka_unit_test(a_relation_is_given_up_for_a_seat),
        cmocka_unit_test(who_is_told_where_to_be_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
