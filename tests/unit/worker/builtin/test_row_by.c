/* Rows that are by something else as well: before it, under it, in it, on what
 * bears it. */
#include "expand_stage.h"
#include "worker/builtin/relation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void a_row_before_a_thing_stands_on_what_bears_that(void **state)
{
    (void)state;
    static const char *const tins[] = {"red tin", "white tin", "blue tin"};
    facts_world w = kitchen();
    facts_world_add(&w, "chest", -2.2, 1.5, 0.2, 0.4, 0.6, "brown", 0);
    stage s;
    open_stage(&s, &w);
    row_by(&s, RELATION_RIGHT, SIDE_RIGHT, "chest", NULL, tins);
    for (int i = 0; i < 3; i++) {
        const double *at = place_of(&s, tins[i]);
        assert_string_equal(bearer_of(&s, tins[i]), "floor");
        assert_true(at[0] > -2.1 && at[0] < -1.4);
        assert_true(at[2] < 0.1);
    }
    close_stage(&s);
}

static void a_row_beside_a_thing_is_not_on_it_and_may_be_longer(void **state)
{
    (void)state;
    static const char *const plates[] = {"plate 1", "plate 2", "plate 3"};
    facts_world w = kitchen();
    facts_world_add(&w, "radio", 0.5, 0.25, 0.3, 0.1, 0.2, "black", 1);
    stage s;
    open_stage(&s, &w);
    row_by(&s, RELATION_BESIDE, 0, "radio", NULL, plates);
    for (int i = 0; i < 3; i++)
        assert_string_equal(bearer_of(&s, plates[i]), "table");
    close_stage(&s);
}

/* The row stands as far from it as is told, and all of it does. */
static void row_stands_off(const char *reference,
                           builtin_relation relation,
                           unsigned sides,
                           double gap)
{
    static const char *const cans[] = {"red can", "white can", "blue can"};
    facts_world w = yard();
    int board =
        facts_world_add(&w, "sign", -1.5, 2.36, 1.6, 0.06, 1.6, "green", -1);
    w.things[board].is_static = true;
    facts_world_add(&w, "crate", 1, -1, 0.5, 0.5, 0.4, "brown", 0);
    stage s;
    open_stage(&s, &w);
    builtin_condition also = {.relation = relation,
                              .reference = at_index(&s, reference),
                              .second = BUILTIN_NONE,
                              .sides = sides,
                              .gap = gap};
    builtin_move line = move_of(&s, RELATION_LINE, cans, 3, reference);
    line.also = &also;
    line.also_count = 1;
    line.sides = sides;
    expand(&s, &line);
    carry_out(&s);
    const builtin_object *ref = &s.p.facts->objects[at_index(&s, reference)];
    for (int i = 0; i < 3; i++)
        assert_float_equal(ref->centre[1] - ref->half[1] -
                               (place_of(&s, cans[i])[1] + 0.1),
                           gap, 0.03);
    close_stage(&s);
}

static void a_row_stands_as_far_from_a_thing_as_is_told(void **state)
{
    (void)state;
    row_stands_off("crate", RELATION_FRONT, SIDE_FRONT, 0.6);
    row_stands_off("sign", RELATION_FRONT, SIDE_FRONT, 1);
    row_stands_off("wall", RELATION_BESIDE, 0, 0.5);
}

/* "In front of the blackboard": a blackboard is no wall that ends a row. */
static void a_row_before_an_upright_board_may_be_wider_than_it(void **state)
{
    (void)state;
    static const char *const cans[] = {"red can", "white can", "blue can"};
    facts_world w = yard();
    int board =
        facts_world_add(&w, "sign", -1.5, 2.36, 0.5, 0.06, 1.6, "green", -1);
    w.things[board].is_static = true;
    stage s;
    open_stage(&s, &w);
    row_by(&s, RELATION_FRONT, SIDE_FRONT, "sign", NULL, cans);
    assert_float_equal(
        (place_of(&s, cans[0])[0] + place_of(&s, cans[2])[0]) / 2, -1.5, 0.05);
    /* and not so close that the outer ones are beside it */
    const builtin_object *sign = &s.p.facts->objects[at_index(&s, "sign")];
    const double off =
        sign->centre[1] - sign->half[1] - place_of(&s, cans[1])[1];
    assert_true(off - 0.1 > 0.2);
    close_stage(&s);
}

static void a_row_on_a_board_runs_along_it_where_its_end_is_seen(void **state)
{
    (void)state;
    static const char *const tins[] = {"red tin", "white tin", "blue tin"};
    facts_world w = kitchen();
    facts_world_add(&w, "ledge", -2.2, 1.5, 0.16, 1.2, 0.6, "brown", 0);
    stage s;
    open_stage(&s, &w);
    builtin_move line = move_of(&s, RELATION_LINE, tins, 3, "ledge");
    expand(&s, &line);
    assert_int_equal(s.p.reading.count, 3);
    carry_out(&s);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(bearer_of(&s, tins[i]), "ledge");
        assert_float_equal(place_of(&s, tins[i])[0], place_of(&s, tins[0])[0],
                           0.001);
    }
    assert_true(fabs(place_of(&s, tins[0])[1] - place_of(&s, tins[2])[1]) >
                0.1);
    close_stage(&s);
}

/* A counter is long and not deep: what has no room across its end stands along
 * it there. */
static void a_row_at_an_end_turns_along_a_board_that_is_too_narrow(void **state)
{
    (void)state;
    static const char *const plates[] = {"plate 1", "plate 2", "plate 3"};
    facts_world w = kitchen();
    facts_world_add(&w, "counter", -0.5, 2.2, 3.6, 0.36, 0.8, "brown", 0);
    stage s;
    open_stage(&s, &w);
    builtin_move line = move_of(&s, RELATION_LINE, plates, 3, "counter");
    line.sides = SIDE_LEFT;
    line.support = line.reference;
    expand(&s, &line);
    assert_int_equal(s.p.reading.count, 3);
    carry_out(&s);
    for (int i = 0; i < 3; i++) {
        const double *at = place_of(&s, plates[i]);
        assert_string_equal(bearer_of(&s, plates[i]), "counter");
        assert_true(at[0] > -2.3 && at[0] < -1.1);
        assert_float_equal(at[1], place_of(&s, plates[0])[1], 0.001);
    }
    close_stage(&s);
}

static void a_row_goes_onto_a_board_where_some_of_it_stand_there_already(
    void **state)
{
    (void)state;
    static const char *const tins[] = {"red tin", "white tin", "plate 1"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    builtin_move line = move_of(&s, RELATION_LINE, tins, 3, NULL);
    line.support = at_index(&s, "sideboard");
    line.row = line.objects.objects;
    line.row_count = 3;
    expand(&s, &line);
    assert_int_equal(s.p.reading.count, 3);
    carry_out(&s);
    for (int i = 0; i < 3; i++)
        assert_string_equal(bearer_of(&s, tins[i]), "sideboard");
    close_stage(&s);
}

static void what_has_no_room_on_what_bears_the_other_stands_below_that(
    void **state)
{
    (void)state;
    static const char *const wide[] = {"table"}, *const small[] = {"glass"};
    facts_world w = kitchen();
    facts_world_add(&w, "radio", 2.3, -0.7, 0.3, 0.1, 0.2, "black",
                    facts_world_find(&w, "sideboard"));
    stage s;
    open_stage(&s, &w);
    const builtin_move before = move_of(&s, RELATION_FRONT, wide, 1, "radio"),
                       beside = move_of(&s, RELATION_FRONT, small, 1, "radio");
    assert_int_equal(
        builtin_support_of(s.p.facts, &before, at_index(&s, "table")),
        at_index(&s, "floor"));
    assert_int_equal(
        builtin_support_of(s.p.facts, &beside, at_index(&s, "glass")),
        at_index(&s, "sideboard"));
    close_stage(&s);
}

static void a_row_under_a_table_stands_on_the_floor(void **state)
{
    (void)state;
    static const char *const tins[] = {"red tin", "white tin", "blue tin"};
    facts_world w = kitchen();
    w.things[facts_world_find(&w, "table")].legs = 0.6;
    stage s;
    open_stage(&s, &w);
    row_by(&s, RELATION_UNDER, 0, "table", NULL, tins);
    for (int i = 0; i < 3; i++) {
        const double *at = place_of(&s, tins[i]);
        assert_string_equal(bearer_of(&s, tins[i]), "floor");
        assert_true(fabs(at[0]) < 0.8 && fabs(at[1]) < 0.45);
    }
    close_stage(&s);
}

static void a_row_in_a_crate_stands_on_its_bottom_between_its_walls(
    void **state)
{
    (void)state;
    static const char *const tins[] = {"red tin", "white tin", "blue tin"};
    facts_world w = kitchen();
    int crate =
        facts_world_add(&w, "crate", -2, 1.5, 0.7, 0.5, 0.4, "brown", 0);
    w.things[crate].sunk = 0.38;
    stage s;
    open_stage(&s, &w);
    row_by(&s, RELATION_IN, 0, "crate", NULL, tins);
    for (int i = 0; i < 3; i++) {
        const double *at = place_of(&s, tins[i]);
        assert_float_equal(at[2], 0.02 + 0.02 + 0.06, 0.01);
        assert_true(fabs(at[0] + 2) < 0.35 - 0.05 &&
                    fabs(at[1] - 1.5) < 0.25 - 0.05);
    }
    assert_float_equal(place_of(&s, tins[0])[1], place_of(&s, tins[2])[1],
                       0.001);
    close_stage(&s);
}

/* The board is as broad as the mattress that lies on it, and told first. */
static void a_row_in_a_crib_lies_on_its_mattress(void **state)
{
    (void)state;
    static const char *const tins[] = {"red tin", "white tin", "blue tin"};
    facts_world w = kitchen();
    int crib = facts_world_add(&w, "crib", -2, 1.5, 0.7, 0.5, 0.4, "brown", 0);
    w.things[crib].sunk = 0.28;
    stage s;
    open_stage(&s, &w);
    const uint32_t count = s.talk.facts.surface_count;
    builtin_surface *surfaces =
        etna_arena_alloc(&s.arena, count + 1, sizeof *surfaces);
    assert_non_null(surfaces);
    memcpy(surfaces + 1, s.talk.facts.surfaces, count * sizeof *surfaces);
    for (uint32_t i = 1; i <= count; i++) {
        if (surfaces[i].object == at_index(&s, "crib"))
            surfaces[0] = surfaces[i];
    }
    const size_t cells = (size_t)surfaces[0].columns * surfaces[0].rows;
    uint8_t *covered = etna_arena_alloc(&s.arena, cells, 1);
    assert_non_null(covered);
    memset(covered, 0, cells);
    surfaces[0].height -= 0.1;
    surfaces[0].map = (builtin_map){.clear = covered, .fixed = covered};
    s.talk.facts.surfaces = s.p.then.surfaces = surfaces;
    s.talk.facts.surface_count = s.p.then.surface_count = count + 1;
    row_by(&s, RELATION_IN, 0, "crib", NULL, tins);
    for (int i = 0; i < 3; i++)
        assert_float_equal(place_of(&s, tins[i])[2], 0.02 + 0.12 + 0.06, 0.01);
    close_stage(&s);
}

/* As it is turned it would find room on the bookcase's roof alone. */
static void what_lies_askew_is_straightened_for_a_board(void **state)
{
    (void)state;
    static const char *const books[] = {"book"};
    static const double boards[] = {0.5, 1.0};
    enum {
        BOARDS = 2
    };
    facts_world w = kitchen();
    facts_world_add(&w, "bookcase", -2, 1.5, 0.6, 0.3, 1.8, "brown", 0);
    facts_world_add(&w, "book", 1.5, -1.2, 0.28, 0.26, 0.03, "red", 0);
    stage s;
    open_stage(&s, &w);
    const uint32_t count = s.talk.facts.surface_count;
    builtin_surface *surfaces =
        etna_arena_alloc(&s.arena, count + BOARDS, sizeof *surfaces);
    assert_non_null(surfaces);
    memcpy(surfaces, s.talk.facts.surfaces, count * sizeof *surfaces);
    for (uint32_t i = 0; i < count; i++) {
        for (int b = 0;
             b < BOARDS && surfaces[i].object == at_index(&s, "bookcase");
             b++) {
            surfaces[count + b] = surfaces[i];
            surfaces[count + b].height = boards[b];
            /* between sides: narrower than the roof */
            surfaces[count + b].origin[0] +=
                surfaces[i].cell * (surfaces[i].columns / 4);
            surfaces[count + b].columns = surfaces[i].columns / 2;
            surfaces[count + b].map.layer_count = 0;
        }
    }
    s.talk.facts.surfaces = s.p.then.surfaces = surfaces;
    s.talk.facts.surface_count = s.p.then.surface_count = count + BOARDS;
    const uint32_t book = at_index(&s, "book");
    s.objects[book].heading[0] = 0.4226; /* 25 degrees */
    s.objects[book].heading[1] = -0.9063;
    s.objects[book].yaw_deg = 25;
    const builtin_move move = move_of(&s, RELATION_ON, books, 1, "bookcase");
    plan_list *plans = etna_arena_alloc(&s.arena, 1, sizeof *plans);
    assert_non_null(plans);
    assert_int_equal(planner_seek(&s.p, &move, book, NULL, 0, plans), ETNA_OK);
    assert_true(plans->count > 0);
    assert_true(plans->items[0].exact.at[2] < 1.1);
    assert_true(plans->items[0].exact.has_yaw);
    close_stage(&s);
}

/* Of a bookcase whose roof is over eyes the highest board below them. */
static void a_row_on_a_bookcase_stands_on_a_board_below_eyes(void **state)
{
    (void)state;
    static const char *const tins[] = {"red tin", "white tin", "blue tin"};
    static const double boards[] = {0.5, 1.0};
    enum {
        BOARDS = 2
    };
    for (int low = 0; low < 2; low++) {
        const double height = low ? 1.4 : 1.8;
        facts_world w = kitchen();
        facts_world_add(&w, "bookcase", -2, 1.5, 0.8, 0.3, height, "brown", 0);
        stage s;
        open_stage(&s, &w);
        const uint32_t count = s.talk.facts.surface_count;
        builtin_surface *surfaces =
            etna_arena_alloc(&s.arena, count + BOARDS, sizeof *surfaces);
        assert_non_null(surfaces);
        memcpy(surfaces, s.talk.facts.surfaces, count * sizeof *surfaces);
        for (uint32_t i = 0; i < count; i++) {
            for (int b = 0;
                 b < BOARDS && surfaces[i].object == at_index(&s, "bookcase");
                 b++) {
                surfaces[count + b] = surfaces[i];
                surfaces[count + b].height = boards[b];
                surfaces[count + b].map.layer_count = 0;
            }
        }
        s.talk.facts.surfaces = s.p.then.surfaces = surfaces;
        s.talk.facts.surface_count = s.p.then.surface_count = count + BOARDS;
        const builtin_move line =
            move_of(&s, RELATION_LINE, tins, 3, "bookcase");
        expand(&s, &line);
        assert_int_equal(s.p.reading.count, 3);
        for (uint32_t i = 0; i < 3; i++)
            assert_float_equal(s.p.reading.moves[i].at[2],
                               low ? 1.4 + 0.02 : 1.0, 0.01);
        close_stage(&s);
    }
}

/* Two seats opposite a sofa look at it, and the low table between them stays. */
static void seats_opposite_a_sofa_leave_the_low_table_where_it_is(void **state)
{
    (void)state;
    static const char *const seats[] = {"chair 1", "chair 2"};
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "floor", 0, 0, 6, 5, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "sofa", 0, 1.9, 2, 0.8, 0.8, "grey", floor);
    facts_world_add(&w, "table", 0, 0.9, 1, 0.5, 0.4, "brown", floor);
    facts_world_add(&w, "chair 1", -2, -1, 0.6, 0.6, 0.8, "black", floor);
    facts_world_add(&w, "chair 2", 2, -1, 0.6, 0.6, 0.8, "black", floor);
    stage s;
    open_stage(&s, &w);
    for (int i = 0; i < 2; i++)
        s.objects[at_index(&s, seats[i])].has_front = true;
    s.p.then.objects = s.objects;
    builtin_move line = move_of(&s, RELATION_LINE, seats, 2, "sofa");
    const builtin_condition before = {.relation = RELATION_FRONT,
                                      .reference = line.reference,
                                      .second = BUILTIN_NONE,
                                      .gap = -1};
    line.sides = SIDE_FRONT;
    line.also = &before;
    line.also_count = 1;
    line.abreast = true;
    line.facing = FACING_TO;
    line.faced = line.reference;
    expand(&s, &line);
    assert_int_equal(s.p.reading.count, 2);
    for (int i = 0; i < 2; i++) {
        const double *at = s.p.reading.moves[i].at;
        assert_true(at[1] < 0.65 - 0.3 && at[1] > -1);
        assert_true(fabs(at[0]) < 0.8);
    }
    close_stage(&s);
}

/* Wholly on a rug they stand on it; half on it they do not. */
static void a_row_on_a_floor_steps_on_a_rug_and_not_on_its_edge(void **state)
{
    (void)state;
    static const char *const tins[] = {"red tin", "white tin", "blue tin"};
    facts_world w = kitchen();
    facts_world_add(&w, "crate", -2, 1.5, 0.5, 0.5, 0.4, "brown", 0);
    facts_world_add(&w, "rug", -2, 0.8, 1.6, 0.85, 0.02, "red", 0);
    stage s;
    open_stage(&s, &w);
    row_by(&s, RELATION_FRONT, SIDE_FRONT, "crate", NULL, tins);
    for (int i = 0; i < 3; i++) {
        const double *at = place_of(&s, tins[i]);
        assert_true(at[1] + 0.05 <= 0.8 + 0.425);
        assert_true(at[1] > 0.8);
    }
    close_stage(&s);
}

static void no_row_goes_into_a_crate_that_is_too_narrow(void **state)
{
    (void)state;
    static const char *const tins[] = {"red tin", "white tin", "blue tin"};
    facts_world w = kitchen();
    int crate =
        facts_world_add(&w, "crate", -2, 1.5, 0.3, 0.3, 0.4, "brown", 0);
    w.things[crate].sunk = 0.38;
    stage s;
    open_stage(&s, &w);
    builtin_condition in = {.relation = RELATION_IN,
                            .reference = at_index(&s, "crate"),
                            .second = BUILTIN_NONE};
    builtin_move line = move_of(&s, RELATION_LINE, tins, 3, "crate");
    line.also = &in;
    line.also_count = 1;
    s.p.reading.count = 1;
    s.p.reading.moves[0] = line;
    assert_int_equal(planner_expand(&s.p), ETNA_E_NOTFOUND);
    close_stage(&s);
}

static void no_row_goes_under_what_leaves_no_room_for_it(void **state)
{
    (void)state;
    static const char *const tins[] = {"red tin", "white tin", "blue tin"};
    facts_world w = kitchen();
    w.things[facts_world_find(&w, "table")].legs = 0.1;
    stage s;
    open_stage(&s, &w);
    builtin_condition under = {.relation = RELATION_UNDER,
                               .reference = at_index(&s, "table"),
                               .second = BUILTIN_NONE};
    builtin_move line = move_of(&s, RELATION_LINE, tins, 3, "table");
    line.also = &under;
    line.also_count = 1;
    s.p.reading.count = 1;
    s.p.reading.moves[0] = line;
    assert_int_equal(planner_expand(&s.p), ETNA_E_NOTFOUND);
    close_stage(&s);
}

static void a_row_between_two_things_goes_from_one_to_the_other(void **state)
{
    (void)state;
    static const char *const tins[] = {"red tin", "white tin", "blue tin"};
    facts_world w = kitchen();
    facts_world_add(&w, "vase", -2.5, -2, 0.2, 0.2, 0.4, "white", 0);
    facts_world_add(&w, "basket", -1, -2, 0.2, 0.2, 0.4, "brown", 0);
    stage s;
    open_stage(&s, &w);
    row_by(&s, RELATION_BETWEEN, 0, "vase", "basket", tins);
    for (int i = 0; i < 3; i++) {
        const double *at = place_of(&s, tins[i]);
        assert_string_equal(bearer_of(&s, tins[i]), "floor");
        assert_true(at[0] > -2.4 && at[0] < -1.1);
        assert_float_equal(at[1], -2, 0.05);
    }
    close_stage(&s);
}

/* "Lay the shovel along the wall": its long side, whatever its file calls its
 * front. */
static void a_long_flat_thing_lies_along_its_wall(void **state)
{
    (void)state;
    static const char *const shovel[] = {"shovel"};
    facts_world w = kitchen();
    int wall = facts_world_add(&w, "wall", 0, 2.45, 6, 0.1, 2.5, "white", 0);
    w.things[wall].is_static = true;
    facts_world_add(&w, "shovel", -2, -1.5, 0.2, 1, 0.1, "grey", 0);
    stage s;
    open_stage(&s, &w);
    builtin_move lay = move_of(&s, RELATION_AGAINST, shovel, 1, "wall");
    lay.facing = FACING_BACK;
    lay.faced = lay.reference;
    expand(&s, &lay);
    carry_out(&s);
    const builtin_object *o = &s.p.facts->objects[at_index(&s, "shovel")];
    double reach = builtin_extent(o, (const double[2]){0, 1});
    assert_true(reach < 0.15);
    assert_true(o->centre[1] + reach > 2.25 &&
                o->centre[1] + reach < 2.4 + 1e-9);
    close_stage(&s);
}

/* Askew it does not fit between the phone and the desk's edge; square to the
 * desk, it does. */
static void what_stands_askew_is_set_square_where_there_is_no_room_else(
    void **state)
{
    (void)state;
    static const char *const boxes[] = {"stapler"};
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "floor", 0, 0, 6, 5, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int desk = facts_world_add(&w, "desk", 0, 0, 1.2, 0.6, 0.7, "brown", floor);
    facts_world_add(&w, "phone", 0, -0.12, 0.2, 0.2, 0.08, "black", desk);
    facts_world_add(&w, "stapler", -0.4, 0.1, 0.12, 0.04, 0.04, "red", desk);
    stage s;
    open_stage(&s, &w);
    builtin_object *stapler = &s.objects[at_index(&s, "stapler")];
    double way[2];
    builtin_heading_at(stapler, stapler->yaw_deg + 40, way);
    memcpy(stapler->heading, way, sizeof way);
    stapler->yaw_deg += 40;
    builtin_move front = move_of(&s, RELATION_FRONT, boxes, 1, "phone");
    plan_list plans = {0};
    assert_int_equal(
        planner_seek(&s.p, &front, at_index(&s, "stapler"), NULL, 0, &plans),
        ETNA_OK);
    assert_true(plans.count > 0 && plans.items[0].exact.has_yaw);
    double askew = fmod(plans.items[0].exact.yaw_deg + 360, 90);
    assert_true(askew < 0.5 || askew > 89.5);
    close_stage(&s);
}

/* A yard whose ground is of two parts, side by side. */
static facts_world two_grounds(double seam)
{
    facts_world w = yard();
    w.things[0].size[0] = seam + 3;
    w.things[0].x = (seam - 3) / 2;
    int lawn = facts_world_add(&w, "lawn", (3 + seam) / 2, 0, 3 - seam, 5, 0.02,
                               "green", -1);
    w.things[lawn].is_static = true;
    return w;
}

/* A patio ends beside a lawn: what stands along the fence beyond that stands on
 * the lawn. */
static void a_row_along_a_wall_stands_on_each_part_of_the_ground(void **state)
{
    (void)state;
    static const char *const cans[] = {"red can", "white can", "blue can"};
    static const double seams[] = {-0.6, 0.3};
    for (size_t i = 0; i < sizeof seams / sizeof seams[0]; i++) {
        facts_world w = two_grounds(seams[i]);
        stage s;
        open_stage(&s, &w);
        builtin_move line = move_of(&s, RELATION_LINE, cans, 3, "wall");
        expand(&s, &line);
        carry_out(&s);
        for (int k = 0; k < 3; k++)
            assert_string_equal(bearer_of(&s, cans[k]),
                                place_of(&s, cans[k])[0] < seams[i] ? "floor"
                                                                    : "lawn");
        close_stage(&s);
    }
}

/* Pots from a shelf in a row along a fence stand on the ground there. */
static void a_row_along_a_wall_stands_below_a_shelf_that_is_elsewhere(
    void **state)
{
    (void)state;
    static const char *const pots[] = {"pot 1", "pot 2", "pot 3"};
    facts_world w = yard();
    int shelf =
        facts_world_add(&w, "shelf", -2.7, -1, 0.4, 1.2, 0.9, "brown", 0);
    for (int i = 0; i < 3; i++)
        facts_world_add(&w, pots[i], -2.7, -1.4 + 0.4 * i, 0.2, 0.2, 0.2, "red",
                        i < 2 ? shelf : 0);
    stage s;
    open_stage(&s, &w);
    builtin_move line = move_of(&s, RELATION_LINE, pots, 3, "wall");
    expand(&s, &line);
    carry_out(&s);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(bearer_of(&s, pots[i]), "floor");
        assert_true(place_of(&s, pots[i])[1] > 2);
        assert_true(place_of(&s, pots[i])[2] < 0.2);
    }
    close_stage(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_along_a_wall_stands_on_each_part_of_the_ground),
        cmocka_unit_test(
            a_row_along_a_wall_stands_below_a_shelf_that_is_elsewhere),
        cmocka_unit_test(a_row_before_a_thing_stands_on_what_bears_that),
        cmocka_unit_test(a_row_stands_as_far_from_a_thing_as_is_told),
        cmocka_unit_test(a_row_before_an_upright_board_may_be_wider_than_it),
        cmocka_unit_test(a_row_beside_a_thing_is_not_on_it_and_may_be_longer),
        cmocka_unit_test(a_row_on_a_board_runs_along_it_where_its_end_is_seen),
        cmocka_unit_test(
            a_row_at_an_end_turns_along_a_board_that_is_too_narrow),
        cmocka_unit_test(
            a_row_goes_onto_a_board_where_some_of_it_stand_there_already),
        cmocka_unit_test(
            what_has_no_room_on_what_bears_the_other_stands_below_that),
        cmocka_unit_test(a_row_under_a_table_stands_on_the_floor),
        cmocka_unit_test(
            a_row_in_a_crate_stands_on_its_bottom_between_its_walls),
        cmocka_unit_test(a_row_in_a_crib_lies_on_its_mattress),
        cmocka_unit_test(what_lies_askew_is_straightened_for_a_board),
        cmocka_unit_test(a_row_on_a_bookcase_stands_on_a_board_below_eyes),
        cmocka_unit_test(seats_opposite_a_sofa_leave_the_low_table_where_it_is),
        cmocka_unit_test(a_row_on_a_floor_steps_on_a_rug_and_not_on_its_edge),
        cmocka_unit_test(no_row_goes_into_a_crate_that_is_too_narrow),
        cmocka_unit_test(no_row_goes_under_what_leaves_no_room_for_it),
        cmocka_unit_test(a_row_between_two_things_goes_from_one_to_the_other),
        cmocka_unit_test(a_long_flat_thing_lies_along_its_wall),
        cmocka_unit_test(
            what_stands_askew_is_set_square_where_there_is_no_room_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
