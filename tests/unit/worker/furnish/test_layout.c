/* Boxes find their places: free, told relations held, doors and seats left
 * open, the same for the same seed. */
#include "worker/furnish/layout.h"
#include "worker/furnish/layout_internal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const layout_room room = {
    .width = 4,
    .depth = 5,
    .height = 2.5,
    .opening_count = 2,
    .openings = {{.wall = 2, .at = 1, .is_door = true}, {.wall = 0, .at = 2}}};

static layout_thing thing_of(habits_footing footing,
                             double w,
                             double h,
                             double d)
{
    return (layout_thing){.footing = footing,
                          .told = true,
                          .count = 1,
                          .model_count = 1,
                          .models = {{.size = {w, h, d}}}};
}

/* A bed, two nightstands at it, a desk by the window, a chair at the desk, a
 * lamp on each nightstand. */
static uint32_t bedroom(layout_thing things[5])
{
    things[0] = thing_of(HABITS_AT_WALL, 1.7, 1, 2.1);
    things[0].seat = true;
    things[1] = thing_of(HABITS_AT_WALL, 0.5, 0.5, 0.4);
    things[1].count = 2;
    things[1].tie_count = 1;
    things[1].ties[0] = (layout_tie){
        .relation = BRIEF_FLANK, .anchor = 0, .told = true, .walls = 0};
    things[2] = thing_of(HABITS_AT_WALL, 1.4, 0.75, 0.7);
    things[2].front = 0.8;
    things[3] = thing_of(HABITS_FREE, 0.5, 0.9, 0.5);
    things[3].seat = true;
    things[3].tie_count = 1;
    things[3].ties[0] = (layout_tie){
        .relation = BRIEF_FRONT, .anchor = 2, .told = true, .walls = 0};
    things[4] = thing_of(HABITS_ON, 0.2, 0.4, 0.2);
    things[4].count = 2;
    things[4].tie_count = 1;
    things[4].ties[0] = (layout_tie){
        .relation = BRIEF_ON, .anchor = 1, .told = true, .walls = 0};
    return 5;
}

static void search(const layout_room *in,
                   const layout_thing *things,
                   uint32_t count,
                   uint64_t seed,
                   layout_plan *ret)
{
    etna_error err = {0};
    memset(ret, 0, sizeof *ret);
    if (layout_search(in, things, count, seed, ret, &err) != ETNA_OK)
        fail_msg("%s", err.text);
}

/* A table between two armchairs that are to stand side by side. */
static void two_beside_one_another_leave_room_for_what_is_between(void **state)
{
    (void)state;
    layout_thing things[2] = {thing_of(HABITS_FREE, 0.8, 0.9, 0.8),
                              thing_of(HABITS_FREE, 0.5, 0.5, 0.5)};
    things[0].count = 2;
    things[0].seat = true;
    things[0].tie_count = things[1].tie_count = 1;
    things[0].ties[0] =
        (layout_tie){.relation = BRIEF_BESIDE, .anchor = 0, .told = false};
    things[1].ties[0] =
        (layout_tie){.relation = BRIEF_BETWEEN, .anchor = 0, .told = true};
    layout_plan *plan = malloc(sizeof *plan);
    assert_non_null(plan);
    for (uint64_t seed = 1; seed < 6; seed++) {
        search(&room, things, 2, seed, plan);
        assert_int_equal(plan->items[0].heading, plan->items[1].heading);
        double between =
            layout_residual(&room, things, plan, 2, &things[1].ties[0]);
        assert_true(plan->items[2].placed && between < 1e-6);
    }
    free(plan);
}

/* Who sits at one of several tables has room behind. */
static void several_tables_leave_room_for_who_sits_there(void **state)
{
    (void)state;
    const layout_room hall = {.width = 8, .depth = 8, .height = 3};
    layout_thing things[2] = {thing_of(HABITS_FREE, 0.9, 0.75, 0.9),
                              thing_of(HABITS_FREE, 0.5, 0.9, 0.5)};
    things[0].table = true;
    things[0].count = 4;
    things[1].seat = true;
    things[1].count = 8;
    things[1].tie_count = 1;
    things[1].ties[0] = (layout_tie){
        .relation = BRIEF_FRONT, .anchor = 0, .told = true, .share = 2};
    const layout_context c = {&hall, things};
    layout_plan *plan = malloc(sizeof *plan);
    assert_non_null(plan);
    search(&hall, things, 2, 1, plan);
    for (uint32_t i = 0; i < 4; i++) {
        layout_rect r = layout_rect_of(&c, &plan->items[i]);
        for (uint32_t k = 0; k < i; k++) {
            layout_rect other = layout_rect_of(&c, &plan->items[k]);
            assert_true(layout_rects_apart(&r, &other) > 1.5);
        }
    }
    for (uint32_t i = 4; i < 12; i++)
        assert_true(
            layout_residual(&hall, things, plan, i, &things[1].ties[0]) < 1e-6);
    free(plan);
}

static void nothing_overlaps(const layout_room *in,
                             const layout_thing *things,
                             const layout_plan *plan)
{
    const layout_context c = {in, things};
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *p = &plan->items[i];
        if (p->placed && p->on == LAYOUT_NONE)
            assert_true(layout_is_free(&c, plan, i, p));
    }
}

static void items_in_rows_stand_in_line_and_face_one_way(void **state)
{
    (void)state;
    static layout_plan plan;
    const layout_room hall = {.width = 8, .depth = 8, .height = 3};
    layout_thing desks = thing_of(HABITS_FREE, 0.9, 0.75, 0.5);
    desks.count = 6;
    desks.front = 0.8;
    desks.worked_at = true;
    desks.tie_count = 1;
    desks.ties[0] = (layout_tie){
        .relation = BRIEF_ROWS, .anchor = LAYOUT_NONE, .told = true, .rows = 2};
    search(&hall, &desks, 1, 1, &plan);
    nothing_overlaps(&hall, &desks, &plan);
    for (uint32_t i = 0; i < 6; i++) {
        assert_true(plan.items[i].placed);
        assert_int_equal(plan.items[i].heading, plan.items[0].heading);
        assert_true(layout_residual(&hall, &desks, &plan, i, &desks.ties[0]) <
                    1e-9);
    }
    plan.items[4].x += 0.3;
    assert_true(layout_residual(&hall, &desks, &plan, 4, &desks.ties[0]) > 0.2);
}

/* Desks in rows, and a board that all of them look at. */
static void rows_turn_straight_to_what_they_look_at(void **state)
{
    (void)state;
    static layout_plan plan;
    const layout_room hall = {.width = 9, .depth = 8, .height = 3};
    layout_thing things[2] = {thing_of(HABITS_FREE, 1, 0.75, 0.6),
                              thing_of(HABITS_AT_WALL, 1.3, 1.3, 0.5)};
    things[0].count = 6;
    things[0].front = 0.8;
    things[0].worked_at = true;
    things[0].tie_count = 2;
    things[0].ties[0] = (layout_tie){
        .relation = BRIEF_ROWS, .anchor = LAYOUT_NONE, .told = true, .rows = 2};
    things[0].ties[1] = (layout_tie){.relation = BRIEF_FACING, .anchor = 1};
    things[1].looked_at = true;
    const layout_context c = {&hall, things};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        search(&hall, things, 2, seed, &plan);
        const layout_place *board = &plan.items[6];
        layout_rect wall = layout_rect_of(&c, board);
        double middle[2] = {0, 0};
        for (uint32_t i = 0; i < 6; i++) {
            layout_rect r = layout_rect_of(&c, &plan.items[i]);
            /* who sits before a desk's front looks over it */
            assert_int_equal(plan.items[i].heading, board->heading);
            assert_true(layout_rects_apart(&r, &wall) > 1);
            middle[0] += plan.items[i].x / 6;
            middle[1] += plan.items[i].z / 6;
        }
        double aside =
            board->heading & 1 ? middle[1] - board->z : middle[0] - board->x;
        assert_true(fabs(aside) < 1);
    }
}

/* Not at opposite walls of a large room. */
static void seats_that_face_each_other_are_near_enough_to_talk(void **state)
{
    (void)state;
    static layout_plan plan;
    const layout_room hall = {.width = 8, .depth = 8, .height = 3};
    layout_thing things[2] = {thing_of(HABITS_FREE, 0.8, 0.9, 0.8),
                              thing_of(HABITS_FREE, 0.9, 0.45, 0.9)};
    things[0].seat = true;
    things[0].count = 2;
    things[0].tie_count = things[1].tie_count = 1;
    things[0].ties[0] =
        (layout_tie){.relation = BRIEF_OPPOSITE, .anchor = 0, .told = true};
    things[1].ties[0] =
        (layout_tie){.relation = BRIEF_BETWEEN, .anchor = 0, .told = true};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        search(&hall, things, 2, seed, &plan);
        const layout_place *a = &plan.items[0], *b = &plan.items[1],
                           *table = &plan.items[2];
        assert_int_equal((a->heading + 2) & 3, b->heading);
        assert_true(hypot(a->x - b->x, a->z - b->z) < 3.2);
        assert_true(hypot(table->x - (a->x + b->x) / 2,
                          table->z - (a->z + b->z) / 2) < 0.2);
    }
}

static void what_is_flanked_leaves_room_at_both_its_sides(void **state)
{
    (void)state;
    static layout_plan plan;
    layout_thing things[2] = {thing_of(HABITS_AT_WALL, 1.2, 1.1, 0.4),
                              thing_of(HABITS_FREE, 0.7, 0.9, 0.7)};
    things[1].seat = true;
    things[1].count = 2;
    things[1].tie_count = 1;
    things[1].ties[0] =
        (layout_tie){.relation = BRIEF_FLANK, .anchor = 0, .told = true};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        search(&room, things, 2, seed, &plan);
        for (uint32_t i = 1; i < 3; i++)
            assert_true(layout_residual(&room, things, &plan, i,
                                        &things[1].ties[0]) <= 0.05);
    }
}

/* The first hangs so low that it would touch the table. */
static void another_model_is_taken_where_what_is_told_needs_it(void **state)
{
    (void)state;
    static layout_plan plan;
    layout_thing things[2] = {thing_of(HABITS_FREE, 1.4, 0.75, 0.8),
                              thing_of(HABITS_CEILING, 0.6, 1.9, 0.6)};
    things[0].table = true;
    things[1].model_count = 2;
    things[1].models[1] = (layout_model){.size = {0.5, 0.6, 0.5}};
    things[1].tie_count = 1;
    things[1].ties[0] =
        (layout_tie){.relation = BRIEF_ABOVE, .anchor = 0, .told = true};
    search(&room, things, 2, 1, &plan);
    assert_int_equal(plan.items[1].model, 1);
    assert_true(layout_residual(&room, things, &plan, 1, &things[1].ties[0]) <=
                0.05);
}

static void two_in_a_row_leave_room_for_what_is_between(void **state)
{
    (void)state;
    static layout_plan plan;
    layout_thing things[2] = {thing_of(HABITS_AT_WALL, 0.9, 0.8, 2),
                              thing_of(HABITS_AT_WALL, 0.5, 0.5, 0.4)};
    things[0].seat = true;
    things[0].count = 2;
    things[0].apart = 0.56;
    things[0].tie_count = things[1].tie_count = 1;
    things[0].ties[0] = (layout_tie){
        .relation = BRIEF_ROWS, .anchor = LAYOUT_NONE, .told = true, .rows = 1};
    things[1].ties[0] =
        (layout_tie){.relation = BRIEF_BETWEEN, .anchor = 0, .told = true};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        search(&room, things, 2, seed, &plan);
        assert_true(plan.items[2].placed);
        for (uint32_t i = 0; i < 3; i++)
            assert_true(layout_residual(&room, things, &plan, i,
                                        &things[i / 2].ties[0]) <= 0.05);
    }
}

static void several_at_two_walls_are_at_both(void **state)
{
    (void)state;
    static layout_plan plan;
    layout_thing shelves = thing_of(HABITS_AT_WALL, 0.8, 2, 0.3);
    shelves.count = 4;
    shelves.tie_count = 1;
    shelves.ties[0] = (layout_tie){.relation = BRIEF_WALL,
                                   .anchor = LAYOUT_NONE,
                                   .told = true,
                                   .walls = BRIEF_EAST | BRIEF_WEST};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        uint32_t east = 0;
        search(&room, &shelves, 1, seed, &plan);
        for (uint32_t i = 0; i < 4; i++) {
            assert_true(layout_residual(&room, &shelves, &plan, i,
                                        &shelves.ties[0]) <= 0.05);
            east += plan.items[i].x > 0;
        }
        assert_in_range(east, 1, 3);
    }
}

static void who_sits_off_a_tables_corner_sits_at_no_table(void **state)
{
    (void)state;
    layout_thing things[2] = {thing_of(HABITS_FREE, 1.6, 0.75, 0.8),
                              thing_of(HABITS_FREE, 0.5, 0.9, 0.5)};
    things[0].table = true;
    things[1].seat = true;
    const layout_tie around = {
        .relation = BRIEF_AROUND, .anchor = 0, .told = true};
    layout_plan plan = {
        .item_count = 2,
        .items = {{.placed = true, .on = LAYOUT_NONE},
                  {.placed = true, .thing = 1, .on = LAYOUT_NONE}}};
    plan.items[1].x = 0.5;
    plan.items[1].z = 0.7;
    plan.items[1].heading = 2;
    assert_true(layout_residual(&room, things, &plan, 1, &around) < 1e-9);
    plan.items[1].x = 1.25;
    assert_true(layout_residual(&room, things, &plan, 1, &around) > 0.1);
}

/* On the table it is not above it. */
static void what_stands_on_a_thing_is_not_above_it(void **state)
{
    (void)state;
    layout_thing things[2] = {thing_of(HABITS_FREE, 1.6, 0.75, 0.8),
                              thing_of(HABITS_ON, 0.2, 0.4, 0.2)};
    const layout_tie above = {
        .relation = BRIEF_ABOVE, .anchor = 0, .told = true};
    layout_plan plan = {
        .item_count = 2,
        .items = {{.placed = true, .on = LAYOUT_NONE},
                  {.placed = true, .thing = 1, .y = 0.75, .on = 0}}};
    assert_true(layout_residual(&room, things, &plan, 1, &above) > 0.1);
}

/* The room's window is in its north wall. */
static void what_faces_the_window_turns_its_front_to_it(void **state)
{
    (void)state;
    static layout_plan plan;
    layout_thing bed = thing_of(HABITS_AT_WALL, 1.6, 1, 2);
    bed.tie_count = 1;
    bed.ties[0] = (layout_tie){
        .relation = BRIEF_FACING, .anchor = LAYOUT_NONE, .told = true};
    search(&room, &bed, 1, 1, &plan);
    assert_true(plan.items[0].placed);
    assert_int_equal(plan.items[0].heading, 2);
    plan.items[0].heading = 0;
    assert_true(layout_residual(&room, &bed, &plan, 0, &bed.ties[0]) > 0.5);
}

static void a_shelf_on_the_floor_is_not_above_a_desk(void **state)
{
    (void)state;
    layout_thing things[2] = {thing_of(HABITS_AT_WALL, 1.2, 0.75, 0.6),
                              thing_of(HABITS_AT_WALL, 0.8, 1.9, 0.3)};
    const layout_tie above = {
        .relation = BRIEF_ABOVE, .anchor = 0, .told = true};
    layout_plan plan = {
        .item_count = 2,
        .items = {{.placed = true, .on = LAYOUT_NONE},
                  {.placed = true, .thing = 1, .x = 1.1, .on = LAYOUT_NONE}}};
    assert_true(layout_residual(&room, things, &plan, 1, &above) > 0.1);
}

/* One sits close to a desk; before a bookcase there must be a way. */
static void a_seat_is_close_to_what_one_sits_at_alone(void **state)
{
    (void)state;
    static layout_plan plan;
    layout_thing things[2] = {thing_of(HABITS_AT_WALL, 1, 1.9, 0.4),
                              thing_of(HABITS_FREE, 0.7, 0.9, 0.7)};
    const layout_context c = {&room, things};
    things[1].seat = true;
    things[1].tie_count = 1;
    things[1].ties[0] =
        (layout_tie){.relation = BRIEF_FRONT, .anchor = 0, .told = true};
    for (int close = 0; close < 2; close++) {
        things[0].sat_at = close;
        search(&room, things, 2, 1, &plan);
        layout_rect a = layout_rect_of(&c, &plan.items[0]),
                    b = layout_rect_of(&c, &plan.items[1]);
        double apart = layout_rects_apart(&a, &b);
        assert_true(close ? apart < 0.1 : apart > 0.2);
        assert_true(layout_residual(&room, things, &plan, 1,
                                    &things[1].ties[0]) <= 0.05);
    }
}

static void back_to_back_is_with_the_backs_together(void **state)
{
    (void)state;
    static layout_plan plan;
    layout_thing desks = thing_of(HABITS_FREE, 1.2, 0.75, 0.6);
    desks.count = 2;
    desks.tie_count = 1;
    desks.ties[0] =
        (layout_tie){.relation = BRIEF_BACK, .anchor = 0, .told = true};
    for (uint64_t seed = 1; seed <= 8; seed++) {
        search(&room, &desks, 1, seed, &plan);
        assert_true(plan.items[0].placed && plan.items[1].placed);
        assert_int_equal((plan.items[0].heading + 2) & 3,
                         plan.items[1].heading);
        assert_true(hypot(plan.items[0].x - plan.items[1].x,
                          plan.items[0].z - plan.items[1].z) < 0.8);
        assert_true(layout_residual(&room, &desks, &plan, 1, &desks.ties[0]) <=
                    0.05);
    }
}

static void who_turns_away_has_it_behind(void **state)
{
    (void)state;
    static layout_plan plan;
    layout_thing things[2] = {thing_of(HABITS_AT_WALL, 1.6, 1, 2),
                              thing_of(HABITS_FREE, 1.8, 0.8, 0.9)};
    things[1].seat = true;
    things[1].tie_count = 1;
    things[1].ties[0] =
        (layout_tie){.relation = BRIEF_AWAY, .anchor = 0, .told = true};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        search(&room, things, 2, seed, &plan);
        assert_true(plan.items[0].placed && plan.items[1].placed);
        double way[2];
        layout_ahead(plan.items[1].heading, way);
        double ahead = (plan.items[0].x - plan.items[1].x) * way[0] +
                       (plan.items[0].z - plan.items[1].z) * way[1];
        assert_true(ahead < 0);
        assert_true(layout_residual(&room, things, &plan, 1,
                                    &things[1].ties[0]) <= 0.05);
    }
}

static void what_stands_on_a_rug_stands_in_its_middle(void **state)
{
    (void)state;
    layout_thing things[2] = {thing_of(HABITS_FREE, 1.2, 0.45, 0.5),
                              thing_of(HABITS_FLAT, 0.8, 0.01, 0.8)};
    const layout_tie under = {
        .relation = BRIEF_UNDER, .anchor = 0, .told = true};
    layout_plan plan = {
        .item_count = 2,
        .items = {{.placed = true, .on = LAYOUT_NONE},
                  {.thing = 1, .placed = true, .z = 0.4, .on = LAYOUT_NONE}}};
    /* at the rug's edge */
    assert_true(layout_residual(&room, things, &plan, 1, &under) > 0.1);
    plan.items[1].z = 0.15;
    assert_true(layout_residual(&room, things, &plan, 1, &under) <= 0.0);
}

static void a_low_table_leaves_room_for_the_knees(void **state)
{
    (void)state;
    static layout_plan plan;
    layout_thing things[2] = {thing_of(HABITS_FREE, 1.2, 0.45, 0.6),
                              thing_of(HABITS_FREE, 0.7, 0.9, 0.8)};
    things[0].table = true;
    things[1].seat = true;
    things[1].count = 2;
    things[1].tie_count = 1;
    things[1].ties[0] =
        (layout_tie){.relation = BRIEF_FLANK, .anchor = 0, .told = true};
    search(&room, things, 2, 1, &plan);
    for (uint32_t i = 1; i < 3; i++) {
        assert_true(plan.items[i].placed);
        double apart = hypot(plan.items[i].x - plan.items[0].x,
                             plan.items[i].z - plan.items[0].z);
        assert_true(apart > (1.2 + 0.8) / 2 + 0.2);
    }
}

/* What stands at a wall by habit is in the middle of the room only there. */
static void the_middle_is_the_rooms_and_no_walls(void **state)
{
    (void)state;
    layout_thing bed = thing_of(HABITS_AT_WALL, 1.6, 1, 2);
    layout_plan plan = {
        .item_count = 1,
        .items = {{.placed = true, .z = -1.49, .on = LAYOUT_NONE}}};
    const layout_tie middle = {
        .relation = BRIEF_MIDDLE, .anchor = LAYOUT_NONE, .told = true};
    assert_true(layout_residual(&room, &bed, &plan, 0, &middle) > 0.5);
    plan.items[0].z = 0;
    assert_true(layout_residual(&room, &bed, &plan, 0, &middle) < 1e-9);
}

static void each_table_gets_its_share_of_chairs(void **state)
{
    (void)state;
    static layout_plan plan;
    const layout_room hall = {.width = 7, .depth = 7, .height = 3};
    layout_thing things[2] = {thing_of(HABITS_FREE, 0.8, 0.75, 0.8),
                              thing_of(HABITS_FREE, 0.45, 0.9, 0.5)};
    uint32_t at[2] = {0};
    things[0].count = 2;
    things[0].table = true;
    things[1].count = 4;
    things[1].seat = true;
    things[1].tie_count = 1;
    things[1].ties[0] = (layout_tie){
        .relation = BRIEF_AROUND, .anchor = 0, .told = true, .share = 2};
    search(&hall, things, 2, 1, &plan);
    for (uint32_t i = 2; i < 6; i++) {
        double one = hypot(plan.items[i].x - plan.items[0].x,
                           plan.items[i].z - plan.items[0].z);
        double other = hypot(plan.items[i].x - plan.items[1].x,
                             plan.items[i].z - plan.items[1].z);
        at[other < one]++;
        assert_true(layout_residual(&hall, things, &plan, i,
                                    &things[1].ties[0]) < 1e-9);
    }
    assert_int_equal(at[0], 2);
    assert_int_equal(at[1], 2);
}

static void what_is_between_two_stands_on_the_stretch_between_them(void **state)
{
    (void)state;
    static layout_plan plan;
    layout_thing things[2] = {thing_of(HABITS_FREE, 0.6, 0.9, 0.8),
                              thing_of(HABITS_FREE, 0.3, 1.5, 0.3)};
    things[0].count = 2;
    things[1].tie_count = 1;
    things[1].ties[0] = (layout_tie){
        .relation = BRIEF_BETWEEN, .anchor = 0, .told = true, .walls = 0};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        search(&room, things, 2, seed, &plan);
        const layout_place *a = &plan.items[0], *b = &plan.items[1];
        layout_place *lamp = &plan.items[2];
        assert_true(a->placed && b->placed && lamp->placed);
        assert_true(layout_residual(&room, things, &plan, 2,
                                    &things[1].ties[0]) <= 0.05);
        double along =
            (lamp->x - a->x) * (b->x - a->x) + (lamp->z - a->z) * (b->z - a->z);
        double whole =
            (b->x - a->x) * (b->x - a->x) + (b->z - a->z) * (b->z - a->z);
        assert_true(along > 0.1 * whole && along < 0.9 * whole);
        lamp->x = b->x + (b->x - a->x); /* beyond one of them, however near */
        lamp->z = b->z + (b->z - a->z);
        assert_true(
            layout_residual(&room, things, &plan, 2, &things[1].ties[0]) > 0.1);
    }
}

static void a_bedroom_holds_all_that_is_told(void **state)
{
    (void)state;
    layout_thing things[5];
    uint32_t count = bedroom(things);
    static layout_plan plan;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        search(&room, things, count, seed, &plan);
        assert_int_equal(plan.item_count, 7);
        nothing_overlaps(&room, things, &plan);
        for (uint32_t i = 0; i < plan.item_count; i++) {
            const layout_place *p = &plan.items[i];
            assert_true(p->placed);
            for (uint32_t k = 0; k < things[p->thing].tie_count; k++)
                assert_true(layout_residual(&room, things, &plan, i,
                                            &things[p->thing].ties[k]) <= 0.05);
        }
        assert_int_equal(layout_count_unreached(&room, things, &plan), 0);
        /* a lamp each */
        assert_int_not_equal(plan.items[5].on, plan.items[6].on);
    }
}

/* A full bedroom: what comes late closes the last way to an armchair or to the
 * bench before the bed, and goes elsewhere when all stand. */
static void what_keeps_people_from_a_seat_makes_way(void **state)
{
    (void)state;
    static const struct {
        double width, depth, door;
        uint32_t armchairs;
        uint64_t seed;
    } rooms[] = {{4, 4.5, 1, 1, 2}, {4, 4, 2, 2, 5},      {4, 3.5, 1, 1, 8},
                 {3, 5, 2, 2, 15},  {3.5, 3.5, 1, 1, 16}, {4, 3.5, 1, 2, 20}};
    static layout_plan plan;
    for (size_t n = 0; n < sizeof rooms / sizeof *rooms; n++) {
        const layout_room in = {
            .width = rooms[n].width,
            .depth = rooms[n].depth,
            .height = 2.5,
            .opening_count = 2,
            .openings = {{.wall = 2, .at = rooms[n].door, .is_door = true},
                         {.wall = 0, .at = 2}}};
        layout_thing things[9];
        uint32_t count = bedroom(things);
        things[count++] = thing_of(HABITS_AT_WALL, 1.5, 2, 0.6);
        things[count] = thing_of(HABITS_FREE, 0.8, 0.9, 0.8);
        things[count].count = rooms[n].armchairs;
        things[count++].seat = true;
        things[count++] = thing_of(HABITS_FREE, 0.6, 0.5, 0.6);
        things[count] = thing_of(HABITS_FREE, 1.2, 0.5, 0.4);
        things[count].seat = true;
        things[count].tie_count = 1;
        things[count++].ties[0] = (layout_tie){
            .relation = BRIEF_FRONT, .anchor = 0, .told = true, .walls = 0};
        search(&in, things, count, rooms[n].seed, &plan);
        nothing_overlaps(&in, things, &plan);
        for (uint32_t i = 0; i < plan.item_count; i++)
            assert_true(plan.items[i].placed);
        assert_int_equal(layout_count_unreached(&in, things, &plan), 0);
    }
}

static void the_same_seed_gives_the_same_room(void **state)
{
    (void)state;
    layout_thing things[5];
    uint32_t count = bedroom(things);
    static layout_plan a, b;
    search(&room, things, count, 7, &a);
    search(&room, things, count, 7, &b);
    assert_memory_equal(&a, &b, sizeof a);
    search(&room, things, count, 8, &b);
    assert_memory_not_equal(&a, &b, sizeof a);
}

static void the_floor_before_a_door_stays_free(void **state)
{
    (void)state;
    static layout_plan plan;
    layout_room small = {
        .width = 2, .depth = 2, .height = 2.5, .opening_count = 1};
    small.openings[0] = (layout_opening){.wall = 2, .at = 1, .is_door = true};
    layout_thing box = thing_of(HABITS_FREE, 0.5, 0.5, 0.5);
    box.count = 12;
    search(&small, &box, 1, 1, &plan);
    layout_rect before =
        layout_before(&small, &small.openings[0], LAYOUT_DOOR_DEPTH);
    const layout_context c = {&small, &box};
    for (uint32_t i = 0; i < plan.item_count; i++) {
        if (!plan.items[i].placed)
            continue;
        layout_rect r = layout_rect_of(&c, &plan.items[i]);
        assert_false(layout_rects_meet(&r, &before, 0));
    }
}

static void a_smaller_model_is_taken_where_the_first_has_no_place(void **state)
{
    (void)state;
    static layout_plan plan;
    layout_room small = {.width = 2, .depth = 2.4, .height = 2.5};
    layout_thing things[2] = {thing_of(HABITS_AT_WALL, 1.4, 1, 2.1),
                              thing_of(HABITS_AT_WALL, 1.6, 2, 0.6)};
    things[1].model_count = 2;
    things[1].models[1] = (layout_model){.size = {0.5, 2, 0.5}};
    search(&small, things, 2, 1, &plan);
    assert_true(plan.items[0].placed && plan.items[1].placed);
    assert_int_equal(plan.items[1].model, 1);
}

static layout_thing thing_below_window(double height)
{
    layout_thing t = thing_of(HABITS_AT_WALL, 1.4, height, 0.7);
    t.tie_count = 1;
    t.ties[0] = (layout_tie){
        .relation = BRIEF_SILL, .anchor = LAYOUT_NONE, .told = true};
    return t;
}

static void under_a_window_is_at_its_wall_and_not_beside_it(void **state)
{
    (void)state;
    static layout_plan plan;
    layout_thing desk = thing_below_window(0.75);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        search(&room, &desk, 1, seed, &plan);
        layout_place *p = &plan.items[0];
        assert_true(p->placed);
        assert_true(layout_residual(&room, &desk, &plan, 0, desk.ties) == 0);
        assert_true(fabs(p->x) < 0.7 && p->z < -2);
        /* around the corner, as near as "by the window" allows */
        p->x = -1.6;
        p->z = -1.3;
        p->heading = 1;
        assert_true(layout_residual(&room, &desk, &plan, 0, desk.ties) > 0.3);
    }
}

static void what_hides_a_window_is_not_under_it(void **state)
{
    (void)state;
    static layout_plan plan;
    layout_thing shelf = thing_below_window(2);
    search(&room, &shelf, 1, 1, &plan);
    assert_true(layout_residual(&room, &shelf, &plan, 0, shelf.ties) > 0.5);
}

static void what_has_no_place_is_not_placed(void **state)
{
    (void)state;
    static layout_plan plan;
    layout_thing wide = thing_of(HABITS_AT_WALL, 9, 1, 2);
    search(&room, &wide, 1, 1, &plan);
    assert_false(plan.items[0].placed);
    layout_thing many = thing_of(HABITS_FREE, 0.5, 1, 0.5);
    many.count = LAYOUT_ITEMS_MAX + 1;
    etna_error err = {0};
    assert_int_equal(layout_search(&room, &many, 1, 1, &plan, &err),
                     ETNA_E_LIMIT);
}

static void a_seat_behind_a_barrier_is_out_of_reach(void **state)
{
    (void)state;
    static layout_plan plan;
    layout_thing things[2] = {thing_of(HABITS_FREE, 3.96, 1, 0.5),
                              thing_of(HABITS_FREE, 0.5, 1, 0.5)};
    things[1].seat = true;
    plan = (layout_plan){
        .item_count = 2,
        .items = {{.placed = true, .thing = 0, .on = LAYOUT_NONE},
                  {.placed = true, .thing = 1, .z = -2, .on = LAYOUT_NONE}}};
    assert_false(layout_reaches(&room, things, &plan, 1));
    plan.items[1].z = 1.2;
    assert_true(layout_reaches(&room, things, &plan, 1));
}

static void what_is_there_stays_and_is_stood_by(void **state)
{
    (void)state;
    static layout_plan plan;
    const layout_place there = {.placed = true,
                                .thing = 0,
                                .x = -0.9,
                                .z = 0.4,
                                .heading = 1,
                                /* where no search would put it */
                                .on = LAYOUT_NONE};
    layout_thing things[3] = {thing_of(HABITS_AT_WALL, 1.8, 0.8, 0.9),
                              thing_of(HABITS_CORNER, 0.4, 1.6, 0.4),
                              thing_of(HABITS_FLAT, 2, 0.01, 2)};
    things[0].fixed = &there;
    things[0].told = false;
    things[1].tie_count = 1;
    things[1].ties[0] = (layout_tie){
        .relation = BRIEF_FLANK, .anchor = 0, .told = true, .walls = 0};
    things[2].tie_count = 1;
    things[2].ties[0] = (layout_tie){
        .relation = BRIEF_UNDER, .anchor = 0, .told = true, .walls = 0};
    search(&room, things, 3, 1, &plan);
    assert_memory_equal(&plan.items[0], &there, sizeof there);
    assert_true(plan.items[1].placed);
    assert_true(layout_residual(&room, things, &plan, 1, &things[1].ties[0]) <
                0.05);
    /* what stands there is not lifted onto the rug */
    nothing_overlaps(&room, things, &plan);
}

static void nothing_stands_at_a_side_without_a_wall(void **state)
{
    (void)state;
    static layout_plan plan;
    layout_room half = {.width = 4,
                        .depth = 5,
                        .height = 2.5,
                        .open = {true, true, false, true},
                        .no_ceiling = true};
    layout_thing things[3] = {thing_of(HABITS_AT_WALL, 1, 1, 0.4),
                              thing_of(HABITS_HUNG, 1, 0.6, 0.05),
                              thing_of(HABITS_CEILING, 0.3, 0.3, 0.3)};
    search(&half, things, 3, 1, &plan);
    assert_true(plan.items[0].placed && plan.items[1].placed);
    assert_int_equal(plan.items[0].heading, layout_wall_heading(2));
    assert_int_equal(plan.items[1].wall, 2);
    assert_false(plan.items[2].placed);
}

static void as_many_fit_as_stand_side_by_side(void **state)
{
    (void)state;
    const layout_room bare = {.width = 4, .depth = 5, .height = 2.5};
    const layout_model chair = {.size = {0.49, 1, 0.49}},
                       tall = {.size = {0.5, 3, 0.5}},
                       wide = {.size = {5.5, 1, 5.5}};
    assert_int_equal(layout_fit(&bare, &chair), 7 * 9);
    assert_int_equal(layout_fit(&bare, &tall), 0);
    assert_int_equal(layout_fit(&bare, &wide), 0);
}

static void relations_tell_by_how_much_they_fail(void **state)
{
    (void)state;
    static layout_plan plan;
    layout_thing things[2] = {thing_of(HABITS_AT_WALL, 1, 1, 2),
                              thing_of(HABITS_FREE, 0.5, 1, 0.5)};
    plan = (layout_plan){
        .item_count = 2,
        .items = {{.placed = true, .thing = 0, .z = -1.4, .on = LAYOUT_NONE},
                  {.placed = true, .thing = 1, .on = LAYOUT_NONE}}};
    layout_place *p = &plan.items[1];
    const layout_tie left = {.relation = BRIEF_LEFT,
                             .anchor = 0,
                             .told = true,
                             .walls = 0},
                     right = {.relation = BRIEF_RIGHT,
                              .anchor = 0,
                              .told = true,
                              .walls = 0},
                     corner = {.relation = BRIEF_CORNER,
                               .anchor = LAYOUT_NONE,
                               .told = true,
                               .walls = 0};
    p->x = -0.9, p->z = -1.4;
    assert_true(layout_residual(&room, things, &plan, 1, &left) == 0);
    assert_true(fabs(layout_residual(&room, things, &plan, 1, &right) - 0.9) <
                1e-9);
    p->x = 0, p->z = 2;
    assert_true(fabs(layout_residual(&room, things, &plan, 1, &corner) - 1.25) <
                1e-9);
    plan.items[0].placed = false;
    assert_true(layout_residual(&room, things, &plan, 1, &left) == INFINITY);
}

/* On a table a row is a line along it, whatever lies between two; what leaves
 * it, or stands elsewhere, does not hold. */
static void a_row_on_a_table_is_a_line_on_it(void **state)
{
    (void)state;
    layout_thing things[2] = {thing_of(HABITS_FREE, 2, 0.8, 1),
                              thing_of(HABITS_ON, 0.2, 0.4, 0.2)};
    const layout_tie row = {
        .relation = BRIEF_ROWS, .anchor = LAYOUT_NONE, .told = true, .rows = 1};
    layout_plan *plan = calloc(1, sizeof *plan);
    things[0].count = 2;
    things[1].count = 3;
    things[1].tie_count = 1;
    things[1].ties[0] = row;
    plan->item_count = 5;
    for (uint32_t i = 0; i < 5; i++)
        plan->items[i] = (layout_place){.thing = i > 1,
                                        .placed = true,
                                        .on = i > 1 ? 0 : LAYOUT_NONE,
                                        .x = i > 1 ? 0.3 * i : 0};
    for (uint32_t i = 2; i < 5; i++)
        assert_true(layout_residual(&room, things, plan, i, &row) < 1e-9);
    plan->items[4].z = 0.4;
    assert_true(layout_residual(&room, things, plan, 4, &row) > 0.3);
    plan->items[4].z = 0;
    plan->items[4].on = 1;
    assert_true(layout_residual(&room, things, plan, 4, &row) > 0.3);
    free(plan);
}

/* A shelf's boards bear more than its top; a low table has its top alone. */
static void a_tall_shelf_bears_more_than_its_foot(void **state)
{
    (void)state;
    layout_plan *plan = malloc(sizeof *plan);
    for (int is_tall = 0; is_tall < 2; is_tall++) {
        layout_thing things[2] = {
            thing_of(HABITS_AT_WALL, 0.5, is_tall ? 1.8 : 0.5, 0.4),
            thing_of(HABITS_ON, 0.27, 0.3, 0.27)};
        uint32_t placed = 0;
        things[1].count = 5;
        things[1].tie_count = 1;
        things[1].ties[0] =
            (layout_tie){.relation = BRIEF_ON, .anchor = 0, .told = true};
        search(&room, things, 2, 1, plan);
        for (uint32_t i = 1; i < 6; i++)
            placed += plan->items[i].placed && plan->items[i].on == 0;
        assert_int_equal(placed, is_tall ? 5 : 2);
    }
    free(plan);
}

/* Two beds for one leave the floor between them whole. */
static void narrow_beds_lie_along_walls(void **state)
{
    (void)state;
    layout_thing things[1] = {thing_of(HABITS_AT_WALL, 0.9, 0.8, 2)};
    things[0].seat = true;
    things[0].count = 2;
    layout_plan *plan = malloc(sizeof *plan);
    for (uint64_t seed = 1; seed < 6; seed++) {
        search(&room, things, 1, seed, plan);
        for (uint32_t i = 0; i < 2; i++) {
            const layout_place *p = &plan->items[i];
            bool turned = p->heading & 1;
            double half = (turned ? room.depth : room.width) / 2,
                   across = fabs(turned ? p->z : p->x);
            assert_true(p->placed && half - across - 0.45 < 0.1);
        }
    }
    free(plan);
}

static void a_long_table_lies_along_its_sofa(void **state)
{
    (void)state;
    layout_thing things[2] = {thing_of(HABITS_AT_WALL, 2, 0.8, 0.9),
                              thing_of(HABITS_FREE, 1.2, 0.45, 0.5)};
    things[0].seat = true;
    things[1].tie_count = 1;
    things[1].ties[0] =
        (layout_tie){.relation = BRIEF_FRONT, .anchor = 0, .told = true};
    layout_plan *plan = malloc(sizeof *plan);
    for (uint64_t seed = 1; seed < 6; seed++) {
        search(&room, things, 2, seed, plan);
        assert_true(plan->items[1].placed);
        assert_false((plan->items[0].heading ^ plan->items[1].heading) & 1);
    }
    free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_tables_leave_room_for_who_sits_there),
        cmocka_unit_test(two_beside_one_another_leave_room_for_what_is_between),
        cmocka_unit_test(
            what_is_between_two_stands_on_the_stretch_between_them),
        cmocka_unit_test(a_bedroom_holds_all_that_is_told),
        cmocka_unit_test(what_keeps_people_from_a_seat_makes_way),
        cmocka_unit_test(the_same_seed_gives_the_same_room),
        cmocka_unit_test(the_floor_before_a_door_stays_free),
        cmocka_unit_test(a_smaller_model_is_taken_where_the_first_has_no_place),
        cmocka_unit_test(under_a_window_is_at_its_wall_and_not_beside_it),
        cmocka_unit_test(what_hides_a_window_is_not_under_it),
        cmocka_unit_test(what_has_no_place_is_not_placed),
        cmocka_unit_test(a_seat_behind_a_barrier_is_out_of_reach),
        cmocka_unit_test(what_is_there_stays_and_is_stood_by),
        cmocka_unit_test(nothing_stands_at_a_side_without_a_wall),
        cmocka_unit_test(as_many_fit_as_stand_side_by_side),
        cmocka_unit_test(relations_tell_by_how_much_they_fail),
        cmocka_unit_test(items_in_rows_stand_in_line_and_face_one_way),
        cmocka_unit_test(rows_turn_straight_to_what_they_look_at),
        cmocka_unit_test(seats_that_face_each_other_are_near_enough_to_talk),
        cmocka_unit_test(what_is_flanked_leaves_room_at_both_its_sides),
        cmocka_unit_test(another_model_is_taken_where_what_is_told_needs_it),
        cmocka_unit_test(two_in_a_row_leave_room_for_what_is_between),
        cmocka_unit_test(several_at_two_walls_are_at_both),
        cmocka_unit_test(who_sits_off_a_tables_corner_sits_at_no_table),
        cmocka_unit_test(what_stands_on_a_thing_is_not_above_it),
        cmocka_unit_test(what_faces_the_window_turns_its_front_to_it),
        cmocka_unit_test(a_shelf_on_the_floor_is_not_above_a_desk),
        cmocka_unit_test(a_row_on_a_table_is_a_line_on_it),
        cmocka_unit_test(a_tall_shelf_bears_more_than_its_foot),
        cmocka_unit_test(narrow_beds_lie_along_walls),
        cmocka_unit_test(a_long_table_lies_along_its_sofa),
        cmocka_unit_test(a_seat_is_close_to_what_one_sits_at_alone),
        cmocka_unit_test(back_to_back_is_with_the_backs_together),
        cmocka_unit_test(who_turns_away_has_it_behind),
        cmocka_unit_test(what_stands_on_a_rug_stands_in_its_middle),
        cmocka_unit_test(a_low_table_leaves_room_for_the_knees),
        cmocka_unit_test(the_middle_is_the_rooms_and_no_walls),
        cmocka_unit_test(each_table_gets_its_share_of_chairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
