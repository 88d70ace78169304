/* Things at walls that are counted, by openings, and turned to the room. */
#include "tests/unit/worker/furnish/layouts.h"
#include "worker/furnish/layout_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const layout_room room = {
    .width = 4,
    .depth = 5,
    .height = 2.5,
    .opening_count = 2,
    .openings = {{.wall = 2, .at = 1, .is_door = true}, {.wall = 0, .at = 2}}};

/* The wall that the item has its back at. */
static uint32_t wall_of(const layout_place *p)
{
    uint32_t wall = 0;
    while (wall < 3 && layout_wall_heading(wall) != p->heading)
        wall++;
    return wall;
}

/* At three, and at no fourth. */
static void several_stand_at_as_many_walls_as_are_told(void **state)
{
    (void)state;
    for (uint8_t many = 2; many <= 3; many++) {
        layout_thing shelves = layouts_thing(HABITS_AT_WALL, 0.9, 1.4, 0.35);
        shelves.count = 6;
        shelves.tie_count = 1;
        shelves.ties[0] = (layout_tie){.relation = BRIEF_WALL,
                                       .anchor = LAYOUT_NONE,
                                       .told = true,
                                       .walls = 15,
                                       .rows = many};
        layout_plan *plan = layouts_place(layout_search, &room, &shelves, 1);
        uint32_t walls = 0, count = 0;
        for (uint32_t i = 0; i < 6; i++) {
            assert_true(plan->items[i].placed);
            walls |= 1u << wall_of(&plan->items[i]);
            assert_true(layout_residual(&room, &shelves, plan, i,
                                        &shelves.ties[0]) <= 0.05);
        }
        for (; walls; walls &= walls - 1)
            count++;
        assert_int_equal(count, many);
        free(plan);
    }
}

static void a_thing_stands_between_another_and_a_window(void **state)
{
    (void)state;
    layout_thing things[2] = {layouts_thing(HABITS_AT_WALL, 1.8, 0.8, 0.9),
                              layouts_thing(HABITS_FREE, 0.5, 1, 0.5)};
    things[1].tie_count = 1;
    things[1].ties[0] = (layout_tie){.relation = BRIEF_BETWEEN,
                                     .anchor = 0,
                                     .told = true,
                                     .walls = BRIEF_NORTH};
    const layout_place there = {
        .placed = true, .z = 2.04, .heading = 2, .on = LAYOUT_NONE};
    things[0].fixed = &there;
    layout_plan *plan = layouts_place(layout_search, &room, things, 2);
    const layout_tie *tie = &things[1].ties[0];
    assert_true(plan->items[1].placed);
    assert_true(layout_residual(&room, things, plan, 1, tie) <= 0.05);
    plan->items[1].x = 1.7;
    plan->items[1].z = 0;
    assert_true(layout_residual(&room, things, plan, 1, tie) > 0.5);
    plan->items[1].x = 0;
    assert_true(layout_residual(&room, things, plan, 1, tie) <= 0.05);
    free(plan);
}

/* Who works there looks at the wall; elsewhere a desk faces what they look
 * at. */
static void a_desk_at_a_wall_faces_the_room(void **state)
{
    (void)state;
    layout_thing things[2] = {layouts_thing(HABITS_AT_WALL, 1.6, 1, 2),
                              layouts_thing(HABITS_AT_WALL, 1.2, 0.7, 0.6)};
    things[1].worked_at = true;
    things[1].tie_count = 2;
    things[1].ties[0] =
        (layout_tie){.relation = BRIEF_FACING, .anchor = 0, .told = true};
    things[1].ties[1] = (layout_tie){
        .relation = BRIEF_WALL, .anchor = LAYOUT_NONE, .told = true};
    layout_plan plan = {
        .item_count = 2,
        .items = {{.placed = true, .z = -1.4, .on = LAYOUT_NONE},
                  {.placed = true,
                   .thing = 1,
                   .z = 2.1,
                   .heading = 2,
                   .on = LAYOUT_NONE}}};
    assert_true(layout_residual(&room, things, &plan, 1, &things[1].ties[0]) <
                1e-6);
    things[1].tie_count = 1;
    assert_true(layout_residual(&room, things, &plan, 1, &things[1].ties[0]) >
                0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_stand_at_as_many_walls_as_are_told),
        cmocka_unit_test(a_thing_stands_between_another_and_a_window),
        cmocka_unit_test(a_desk_at_a_wall_faces_the_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
