/* Moves of several things become moves of one thing each, and each of these is
 * carried out: the planner's parts are driven by moves built here, on worlds of
 * boxes, and every plan is done as it is said. */
#include "expand_stage.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void a_pile_rises_in_the_order_said(void **state)
{
    (void)state;
    static const char *const tins[] = {"white tin", "blue tin", "red tin"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    builtin_move stack = move_of(&s, RELATION_STACK, tins, 3, NULL);
    stack.row = stack.objects.objects;
    stack.row_count = 3;
    expand(&s, &stack);
    assert_int_equal(s.p.reading.count, 2);
    carry_out(&s);
    const double *low = place_of(&s, "white tin"),
                 *mid = place_of(&s, "blue tin"),
                 *top = place_of(&s, "red tin");
    assert_true(low[2] < mid[2] - 0.1 && mid[2] < top[2] - 0.1);
    assert_float_equal(low[0], top[0], 0.03);
    assert_float_equal(low[0], -0.2, 1e-9); /* the lowest stays */
    close_stage(&s);
}

static void a_chair_is_tucked_in_from_its_own_side(void **state)
{
    (void)state;
    static const char *const chairs[] = {"chair 1", "chair 3"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    for (int i = 0; i < 2; i++) {
        builtin_move tuck = move_of(&s, RELATION_TUCK, &chairs[i], 1, "table");
        uint32_t chair = tuck.objects.objects[0];
        plan_list plans = {0};
        assert_false(planner_holds(&s.p, &tuck, chair));
        assert_int_equal(planner_seek(&s.p, &tuck, chair, NULL, 0, &plans),
                         ETNA_OK);
        assert_true(plans.count > 0 && plans.items[0].exact.is_way);
        const builtin_exact *way = &plans.items[0].exact;
        double deep = planner_share_beneath(s.p.facts, chair, tuck.reference,
                                            way->at),
               least = planner_share_beneath(s.p.facts, chair, tuck.reference,
                                             way->to);
        assert_true(deep > 0.6 && deep < 0.8 && least > 0.15 &&
                    least < 0.5); /* who sits there can get in */
    }
    close_stage(&s);
}

/* The only chair at a side goes before the middle of it; where another shares
 * the side, each stays in its part. */
static void the_only_chair_at_a_side_is_tucked_in_at_its_middle(void **state)
{
    (void)state;
    static const char *const chair[] = {"chair 1"};
    for (int others = 0; others < 2; others++) {
        facts_world w = kitchen();
        stage s;
        w.things[6].x = 0.4;
        w.things[7].x = others ? -0.4 : 0;
        w.things[7].y = others ? -1.1 : 1.1;
        open_stage(&s, &w);
        assert_int_equal(at_index(&s, "chair 1"), 6);
        const builtin_move tuck = move_of(&s, RELATION_TUCK, chair, 1, "table");
        plan_list plans = {0};
        assert_int_equal(planner_seek(&s.p, &tuck, 6, NULL, 0, &plans),
                         ETNA_OK);
        assert_true(plans.count > 0);
        assert_float_equal(plans.items[0].exact.at[0], others ? 0.4 : 0, 0.01);
        close_stage(&s);
    }
}

static void what_is_shifted_goes_as_far_as_said_the_foremost_first(void **state)
{
    (void)state;
    static const char *const tins[] = {"white tin", "blue tin"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    builtin_move shift = move_of(&s, RELATION_SHIFT, tins, 2, NULL);
    shift.shift[0] = -0.15;
    expand(&s, &shift);
    assert_int_equal(s.p.reading.moves[0].objects.objects[0],
                     at_index(&s, "blue tin"));
    carry_out(&s);
    assert_float_equal(place_of(&s, "white tin")[0], -0.35, 0.001);
    assert_float_equal(place_of(&s, "blue tin")[0], -0.65, 0.001);
    close_stage(&s);
}

static void a_table_is_laid_before_the_seats(void **state)
{
    (void)state;
    static const char *const plates[] = {"plate 1", "plate 2", "plate 3"},
                             *const glass[] = {"glass"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    builtin_move lay = move_of(&s, RELATION_SETTING, plates, 3, "table");
    expand(&s, &lay);
    assert_int_equal(s.p.reading.count, 3);
    carry_out(&s);
    int before[3] = {0};
    for (int i = 0; i < 3; i++) {
        const double *at = place_of(&s, plates[i]);
        before[0] += fabs(at[0]) < 0.2 && at[1] < -0.2;
        before[1] += fabs(at[0]) < 0.2 && at[1] > 0.2;
        before[2] += fabs(at[1]) < 0.2 && at[0] < -0.5;
    }
    for (int i = 0; i < 3; i++)
        assert_int_equal(before[i], 1);
    builtin_move drink = move_of(&s, RELATION_SETTING, glass, 1, "table");
    drink.slot = SLOT_FAR;
    drink.second = at_index(&s, "chair 1");
    expand(&s, &drink);
    carry_out(&s);
    assert_true(place_of(&s, "glass")[0] > 0.05 &&
                place_of(&s, "glass")[1] < 0.1);
    close_stage(&s);
}

/* A chair that stands past the table's end has its plate on the table all the
 * same. */
static void no_plate_is_laid_over_a_corner(void **state)
{
    (void)state;
    static const char *const plate[] = {"plate 1"};
    facts_world w = kitchen();
    facts_thing *chair = &w.things[facts_world_find(&w, "chair 1")];
    chair->x = 0.95;
    stage s;
    open_stage(&s, &w);
    builtin_move lay = move_of(&s, RELATION_SETTING, plate, 1, "table");
    lay.second = at_index(&s, "chair 1");
    expand(&s, &lay);
    assert_int_equal(s.p.reading.count, 1);
    const double *at = s.p.reading.moves[0].at;
    assert_true(at[0] > 0.4 && at[0] + 0.12 < 0.8);
    assert_true(at[1] < -0.2 && at[1] - 0.12 > -0.45);
    close_stage(&s);
}

static void things_that_trade_places_each_come_where_the_other_was(void **state)
{
    (void)state;
    static const char *const glass[] = {"glass"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    builtin_move swap = move_of(&s, RELATION_SWAP, glass, 1, "white tin");
    expand(&s, &swap);
    assert_int_equal(s.p.reading.count, 2);
    assert_int_equal(s.p.reading.moves[0].objects.objects[0],
                     at_index(&s, "white tin")); /* the larger one first */
    carry_out(&s);
    assert_float_equal(place_of(&s, "glass")[0], -0.2, 0.01);
    assert_float_equal(place_of(&s, "white tin")[1], 0.5, 0.01);
    assert_true(builtin_stands_on(s.p.facts, at_index(&s, "glass"),
                                  at_index(&s, "table")));
    close_stage(&s);
}

/* What comes to the place of a thing that hovers would hang there for good. */
static void who_trades_with_what_hovers_stands_there(void **state)
{
    (void)state;
    static const char *const glass[] = {"glass"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    builtin_object *tin = &s.objects[at_index(&s, "white tin")];
    tin->centre[2] += 0.02;
    tin->by_count = 0;
    tin->hovering = true;
    s.p.then = s.talk.facts;
    builtin_move swap = move_of(&s, RELATION_SWAP, glass, 1, "white tin");
    expand(&s, &swap);
    assert_int_equal(s.p.reading.count, 2);
    for (uint32_t i = 0; i < 2; i++)
        assert_false(s.p.reading.moves[i].hung);
    assert_int_equal(s.p.reading.moves[1].support, at_index(&s, "table"));
    close_stage(&s);
}

static void one_goes_to_each_the_nearest_first(void **state)
{
    (void)state;
    static const char *const tins[] = {"red tin", "blue tin"},
                             *const plates[] = {"plate 1", "plate 3"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    builtin_move each = move_of(&s, RELATION_ON, tins, 2, NULL);
    each.each = set_of(&s, plates, 2);
    expand(&s, &each);
    assert_int_equal(s.p.reading.count, 2);
    carry_out(&s);
    uint32_t red = s.p.facts->objects[at_index(&s, "red tin")].by[0],
             blue = s.p.facts->objects[at_index(&s, "blue tin")].by[0];
    assert_int_not_equal(red, blue);
    assert_int_equal(red, at_index(&s, "plate 3"));
    close_stage(&s);
}

/* "All the tins on the sideboards", which are two: none is left behind. */
static void what_is_more_than_those_it_goes_to_is_shared_among_them(
    void **state)
{
    (void)state;
    static const char *const tins[] = {"red tin", "blue tin", "white tin"},
                             *const boards[] = {"sideboard", "ledge"};
    facts_world w = kitchen();
    facts_world_add(&w, "ledge", -2.2, 1.5, 0.4, 1.2, 0.6, "brown", 0);
    stage s;
    open_stage(&s, &w);
    builtin_move each = move_of(&s, RELATION_ON, tins, 3, NULL);
    each.each = set_of(&s, boards, 2);
    expand(&s, &each);
    assert_int_equal(s.p.reading.count, 3);
    carry_out(&s);
    uint32_t on_board = 0, on_ledge = 0;
    for (int i = 0; i < 3; i++) {
        on_board += strcmp(bearer_of(&s, tins[i]), "sideboard") == 0;
        on_ledge += strcmp(bearer_of(&s, tins[i]), "ledge") == 0;
    }
    assert_int_equal(on_board + on_ledge, 3);
    assert_true(on_board > 0 && on_ledge > 0);
    close_stage(&s);
}

/* The ring turns where one of its places is taken, and stands where its middle
 * stands. */
static void what_goes_around_a_thing_takes_free_places_on_what_bears_it(
    void **state)
{
    (void)state;
    static const char *const plates[] = {"plate 1", "plate 2"};
    facts_world w = kitchen();
    facts_world_add(&w, "salt", -0.2, 0.01, 0.05, 0.05, 0.1, "white",
                    facts_world_find(&w, "table")); /* before it */
    stage s;
    open_stage(&s, &w);
    builtin_move around = move_of(&s, RELATION_AROUND, plates, 2, "white tin");
    around.gap = 0.02;
    expand(&s, &around);
    assert_int_equal(s.p.reading.count, 2);
    carry_out(&s);
    const double *tin = place_of(&s, "white tin"), *salt = place_of(&s, "salt");
    for (int i = 0; i < 2; i++) {
        const double *at = place_of(&s, plates[i]);
        assert_true(hypot(at[0] - tin[0], at[1] - tin[1]) < 0.35);
        assert_true(fabs(at[0] - salt[0]) > 0.145 ||
                    fabs(at[1] - salt[1]) > 0.145);
        /* the table's top, not the sideboard's */
        assert_float_equal(at[2], 0.75 + 0.01, 0.02);
    }
    close_stage(&s);
}

/* "Around the table with their backs to it", "each facing the sideboard": not
 * to the middle, as what is merely around it looks; and "facing it" turns even
 * what has no front that is known. */
static void what_goes_around_a_thing_looks_where_it_is_told(void **state)
{
    (void)state;
    static const char *const chairs[] = {"chair 1", "chair 2"};
    static const char *const tins[] = {"red tin", "white tin"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    const double *centre = place_of(&s, "table");
    builtin_move around = move_of(&s, RELATION_AROUND, chairs, 2, "table");
    around.facing = FACING_BACK;
    around.faced = around.reference;
    expand(&s, &around);
    assert_int_equal(s.p.reading.count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const builtin_move *m = &s.p.reading.moves[i];
        assert_true(m->has_yaw);
        const builtin_object *o = &s.objects[m->objects.objects[0]];
        const double turn = (m->yaw_deg - o->yaw_deg) * acos(-1) / 180;
        const double way[2] = {
            cos(turn) * o->heading[0] - sin(turn) * o->heading[1],
            sin(turn) * o->heading[0] + cos(turn) * o->heading[1]};
        assert_true(way[0] * (m->at[0] - centre[0]) +
                        way[1] * (m->at[1] - centre[1]) >
                    0.3);
    }
    around.facing = FACING_TO;
    around.faced = at_index(&s, "sideboard");
    s.p.reading.count = 0;
    expand(&s, &around);
    for (uint32_t i = 0; i < s.p.reading.count; i++) {
        const builtin_move *m = &s.p.reading.moves[i];
        assert_true(m->facing == FACING_TO && m->faced == around.faced);
        assert_false(m->has_yaw);
    }
    around = move_of(&s, RELATION_AROUND, tins, 2, "blue tin");
    around.facing = FACING_TO;
    around.faced = around.reference;
    s.p.reading.count = 0;
    expand(&s, &around);
    assert_int_equal(s.p.reading.count, 2);
    assert_true(s.p.reading.moves[0].has_yaw);
    close_stage(&s);
}

/* What a chair takes at the table it takes as it will be turned there. */
static void chairs_that_stand_askew_come_to_the_long_sides_of_a_table(
    void **state)
{
    (void)state;
    static const char *const chairs[] = {"chair 1", "chair 2", "chair 3",
                                         "chair 4"};
    facts_world w = kitchen();
    const int floor = facts_world_find(&w, "floor");
    facts_world_add(&w, "chair 4", -2.2, -1.6, 0.42, 0.42, 0.45, "brown",
                    floor);
    for (int i = 0; i < 4; i++)
        w.things[facts_world_find(&w, chairs[i])].yaw_deg = 40;
    stage s;
    open_stage(&s, &w);
    builtin_move around = move_of(&s, RELATION_AROUND, chairs, 4, "table");
    expand(&s, &around);
    assert_int_equal(s.p.reading.count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        const double *at = s.p.reading.moves[i].at;
        assert_float_equal(fabs(at[0]), 0.4, 0.02);
        assert_float_equal(fabs(at[1]), 0.45 + 0.08 + 0.21, 0.02);
    }
    close_stage(&s);
}

static void what_looks_at_each_of_several_looks_at_its_own(void **state)
{
    (void)state;
    static const char *const chairs[] = {"chair 1", "chair 2"};
    static const char *const plates[] = {"plate 1", "plate 3"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    builtin_move before = move_of(&s, RELATION_FRONT, chairs, 2, "plate 1");
    before.each = set_of(&s, plates, 2);
    before.facing = FACING_TO;
    before.faced = before.reference;
    expand(&s, &before);
    assert_int_equal(s.p.reading.count, 2);
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(s.p.reading.moves[i].faced,
                         s.p.reading.moves[i].reference);
    /* "before each plate, looking at the sideboard" */
    before.faced = at_index(&s, "sideboard");
    s.p.reading.count = 0;
    expand(&s, &before);
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(s.p.reading.moves[i].faced, before.faced);
    close_stage(&s);
}

/* The table's far side is at a wall, or at the end of the floor: they stand
 * about the other three. */
static void what_goes_around_a_thing_at_a_wall_stands_about_its_other_sides(
    void **state)
{
    (void)state;
    static const char *const chairs[] = {"chair 1", "chair 2", "chair 3"};
    for (int has_wall = 0; has_wall < 2; has_wall++) {
        facts_world w = facts_world_new();
        int floor = facts_world_add(&w, "floor", 0, 0, 6, 5, 0.02, "grey", -1);
        w.things[floor].is_static = true;
        if (has_wall) {
            int wall =
                facts_world_add(&w, "wall", 0, 2.55, 6, 0.1, 2.5, "white", -1);
            w.things[wall].is_static = true;
        }
        facts_world_add(&w, "table", 0, 2.0, 1.2, 0.9, 0.73, "brown", floor);
        for (int i = 0; i < 3; i++)
            facts_world_add(&w, chairs[i], -2.5 + i, -2, 0.42, 0.42, 0.45,
                            "brown", floor);
        stage s;
        open_stage(&s, &w);
        builtin_move around = move_of(&s, RELATION_AROUND, chairs, 3, "table");
        expand(&s, &around);
        assert_int_equal(s.p.reading.count, 3);
        bool left = false, right = false, before = false;
        for (uint32_t i = 0; i < 3; i++) {
            const double *at = s.p.reading.moves[i].at;
            /* on the floor, and before the wall */
            assert_true(at[1] + 0.21 <= 2.5);
            left |= at[0] < -0.6;
            right |= at[0] > 0.6;
            before |= at[1] < 1.55;
        }
        assert_true(left && right && before);
        carry_out(&s);
        close_stage(&s);
    }
}

/* Four and five chairs about a table of 1.6 x 0.9 m: two by two at its long
 * sides, each straight before it, the fifth at an end. */
static void chairs_around_a_long_table_stand_along_its_long_sides(void **state)
{
    (void)state;
    static const char *const chairs[] = {"chair 1", "chair 2", "chair 3",
                                         "chair 4", "chair 5"};
    for (uint32_t count = 4; count <= 5; count++) {
        facts_world w = kitchen();
        for (uint32_t i = 3; i < count; i++)
            facts_world_add(&w, chairs[i], -2.4 + i, -2, 0.42, 0.42, 0.45,
                            "brown", facts_world_find(&w, "floor"));
        stage s;
        open_stage(&s, &w);
        builtin_move around =
            move_of(&s, RELATION_AROUND, chairs, count, "table");
        expand(&s, &around);
        assert_int_equal(s.p.reading.count, count);
        uint32_t before = 0, behind = 0, at_end = 0;
        for (uint32_t i = 0; i < count; i++) {
            const builtin_move *m = &s.p.reading.moves[i];
            assert_true(m->has_yaw && fabs(remainder(m->yaw_deg, 90)) < 1e-6);
            before += fabs(m->at[0]) < 0.8 && m->at[1] < -0.45;
            behind += fabs(m->at[0]) < 0.8 && m->at[1] > 0.45;
            at_end += fabs(m->at[0]) > 0.8 && fabs(m->at[1]) < 1e-9;
        }
        assert_int_equal(before, 2);
        assert_int_equal(behind, 2);
        assert_int_equal(at_end, count - 4);
        carry_out(&s);
        close_stage(&s);
    }
}

/* The table's long side is at a wall: two before it, and one at each end. */
static void chairs_at_a_table_by_a_wall_take_its_ends(void **state)
{
    (void)state;
    static const char *const chairs[] = {"chair 1", "chair 2", "chair 3",
                                         "chair 4"};
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "floor", 0, 0, 6, 5, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "table", 0, 2.1, 1.6, 0.7, 0.73, "brown", floor);
    for (int i = 0; i < 4; i++)
        facts_world_add(&w, chairs[i], -2.5 + i, -2, 0.42, 0.42, 0.45, "brown",
                        floor);
    stage s;
    open_stage(&s, &w);
    builtin_move around = move_of(&s, RELATION_AROUND, chairs, 4, "table");
    expand(&s, &around);
    uint32_t before = 0;
    uint32_t at_ends = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const double *at = s.p.reading.moves[i].at;
        before += fabs(at[0]) < 0.8 && at[1] < 1.75;
        at_ends += fabs(at[0]) > 0.8 && fabs(at[1] - 2.1) < 1e-9;
    }
    assert_int_equal(before, 2);
    assert_int_equal(at_ends, 2);
    carry_out(&s);
    close_stage(&s);
}

/* A pallet has no level top, and a crate leaves 42 cm of it: the jar of 40 cm
 * fits between that and the edge, and nowhere else. */
static void what_is_let_down_takes_the_room_that_others_leave_at_an_edge(
    void **state)
{
    (void)state;
    static const char *const jar[] = {"jar"};
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "floor", 0, 0, 6, 5, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int pallet =
        facts_world_add(&w, "pallet", 0, 0, 1.0, 0.8, 0.12, "brown", floor);
    w.things[pallet].no_top = true;
    facts_world_add(&w, "crate", -0.21, 0, 0.58, 0.8, 0.4, "brown", pallet);
    facts_world_add(&w, "jar", 2, 1, 0.4, 0.36, 0.3, "red", floor);
    stage s;
    open_stage(&s, &w);
    builtin_move on = move_of(&s, RELATION_ON, jar, 1, "pallet");
    expand(&s, &on);
    carry_out(&s);
    assert_float_equal(place_of(&s, "jar")[0], 0.29, 0.02);
    assert_true(fabs(place_of(&s, "jar")[1]) <= 0.22);
    close_stage(&s);
}

static void two_of_several_go_around_and_the_rest_stays(void **state)
{
    (void)state;
    static const char *const chairs[] = {"chair 1", "chair 2", "chair 3"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    builtin_move around = move_of(&s, RELATION_AROUND, chairs, 3, "sideboard");
    around.objects.need = 2;
    expand(&s, &around);
    assert_int_equal(s.p.reading.count, 2);
    for (uint32_t i = 0; i < 2; i++) /* chair 3 is the farthest */
        assert_int_not_equal(s.p.reading.moves[i].objects.objects[0],
                             at_index(&s, "chair 3"));
    close_stage(&s);
}

/* "One tin beside the plate and one beside the glass" are two, "and it onto the
 * sideboard" is the second again. */
static void parts_that_may_take_any_get_each_its_own(void **state)
{
    (void)state;
    static const char *const tins[] = {"blue tin", "red tin", "white tin"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    s.p.reading.count = 3;
    s.p.reading.moves[0] = move_of(&s, RELATION_BESIDE, tins, 3, "chair 3");
    s.p.reading.moves[1] = move_of(&s, RELATION_BESIDE, tins, 3, "chair 3");
    s.p.reading.moves[2] = move_of(&s, RELATION_ON, tins, 3, "sideboard");
    s.p.reading.moves[2].objects = s.p.reading.moves[1].objects;
    for (uint32_t i = 0; i < 3; i++)
        s.p.reading.moves[i].objects.need = 1;
    assert_int_equal(planner_expand(&s.p), ETNA_OK);
    assert_int_equal(s.p.reading.count, 3);
    const uint32_t own[3] = {at_index(&s, "blue tin"),
                             at_index(&s, "white tin"),
                             at_index(&s, "white tin")};
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(s.p.reading.moves[i].objects.count, 1);
        assert_int_equal(s.p.reading.moves[i].objects.objects[0], own[i]);
    }
    close_stage(&s);
}

/* "The blue tin to the plate, and a tin to the chair": another one. */
static void what_another_part_takes_is_not_any(void **state)
{
    (void)state;
    static const char *const tins[] = {"blue tin", "white tin"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    s.p.reading.count = 2;
    s.p.reading.moves[0] = move_of(&s, RELATION_BESIDE, tins, 1, "chair 1");
    s.p.reading.moves[1] = move_of(&s, RELATION_BESIDE, tins, 2, "chair 3");
    s.p.reading.moves[1].objects.need = 1;
    assert_int_equal(planner_expand(&s.p), ETNA_OK);
    assert_int_equal(s.p.reading.moves[1].objects.count, 1);
    assert_int_equal(s.p.reading.moves[1].objects.objects[0],
                     at_index(&s, "white tin"));
    close_stage(&s);
}

/* "The blue tin over there and the plates around it": there, not where the tin
 * was. */
static void what_goes_around_a_moved_thing_goes_where_that_is_now(void **state)
{
    (void)state;
    static const char *const blue[] = {"blue tin"}, *const plates[] = {
                                                        "plate 1", "plate 2"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    s.p.reading.count = 2;
    s.p.reading.moves[0] = move_of(&s, RELATION_BESIDE, blue, 1, "white tin");
    s.p.reading.moves[1] = move_of(&s, RELATION_AROUND, plates, 2, "blue tin");
    builtin_object *tin = &s.objects[at_index(&s, "blue tin")];
    const double before = tin->centre[0];
    tin->centre[0] = 0.1;
    tin->moved = true;
    builtin_object *then = etna_arena_memdup(
        &s.arena, s.objects, s.talk.facts.object_count * sizeof *then);
    then[at_index(&s, "blue tin")].centre[0] = before;
    s.p.then.objects = then;
    assert_int_equal(planner_expand(&s.p), ETNA_OK);
    assert_int_equal(s.p.reading.count, 3);
    double middle =
        (s.p.reading.moves[1].at[0] + s.p.reading.moves[2].at[0]) / 2;
    assert_float_equal(middle, 0.1, 1e-9);
    close_stage(&s);
}

static void a_pile_beside_a_thing_stands_on_what_bears_that(void **state)
{
    (void)state;
    static const char *const plates[] = {"plate 1", "plate 2"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    builtin_move stack = move_of(&s, RELATION_STACK, plates, 2, NULL);
    const builtin_condition also[] = {{RELATION_BESIDE, at_index(&s, "red tin"),
                                       BUILTIN_NONE, 0, -1, BOUND_NONE, false}};
    stack.also = also;
    stack.also_count = 1;
    expand(&s, &stack);
    assert_int_equal(s.p.reading.count, 2);
    assert_int_equal(s.p.reading.moves[0].reference, at_index(&s, "table"));
    close_stage(&s);
}

static void all_conditions_hold_of_one_place(void **state)
{
    (void)state;
    static const char *const glass[] = {"glass"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    builtin_move on = move_of(&s, RELATION_ON, glass, 1, "table");
    const builtin_condition also[] = {
        {RELATION_BESIDE, at_index(&s, "blue tin"), BUILTIN_NONE, 0, -1,
         BOUND_NONE, false},
        {RELATION_BEHIND, at_index(&s, "blue tin"), BUILTIN_NONE, 0, -1,
         BOUND_NONE, false}};
    on.also = also;
    on.also_count = 2;
    expand(&s, &on);
    carry_out(&s);
    const double *at = place_of(&s, "glass"), *blue = place_of(&s, "blue tin");
    double way = sqrt((at[0] - blue[0]) * (at[0] - blue[0]) +
                      (at[1] - blue[1]) * (at[1] - blue[1]));
    assert_true(way < 0.35 && at[1] > blue[1] + 0.05);
    close_stage(&s);
}

/* A place in a row is worked out at the height of the others; on a hill of
 * which no surface is known the tree stands as high as that is there. */
static void on_a_hill_a_place_is_as_high_as_the_hill(void **state)
{
    (void)state;
    static const char *const tree[] = {"Birch"};
    facts_world w = facts_world_new();
    const int hill = facts_world_add(&w, "Hill", 0, 0, 9, 9, 3, "green", -1);
    facts_world_add(&w, "Birch", 1, 0, 0.4, 0.4, 1, "green", hill);
    w.things[hill].is_static = w.things[hill].no_top = true;
    w.things[hill].sunk = 2.8;
    stage s;
    open_stage(&s, &w);
    builtin_move at = move_of(&s, RELATION_AT, tree, 1, NULL);
    const uint32_t birch = at.objects.objects[0];
    at.support = at_index(&s, "Hill");
    at.at[0] = 1;
    at.at[2] = 0.35;
    assert_true(planner_holds(&s.p, &at, birch));
    at.at[0] = 1.3;
    assert_false(planner_holds(&s.p, &at, birch));
    close_stage(&s);
    w.things[hill].no_top = false; /* its surface is known */
    w.things[hill].sunk = 0;
    open_stage(&s, &w);
    at = move_of(&s, RELATION_AT, tree, 1, NULL);
    at.support = at_index(&s, "Hill");
    at.at[0] = 1;
    at.at[2] = 3;
    assert_true(planner_holds(&s.p, &at, birch));
    at.at[2] = 2.85;
    assert_false(planner_holds(&s.p, &at, birch));
    close_stage(&s);
}

/* A spade and a fork held by a fence's side, which bears them though they are
 * not on its top: each comes to where the other was, in the air before it. */
static void what_a_fence_holds_at_its_side_is_swapped_there(void **state)
{
    (void)state;
    static const char *const tools[] = {"spade", "fork"};
    const double at[3] = {0, 1.92, 0.9};
    facts_world w = facts_world_new();
    int lawn = facts_world_add(&w, "lawn", 0, 0, 6, 5, 0.02, "green", -1);
    w.things[lawn].is_static = true;
    int fence = facts_world_add(&w, "fence", 0, 2, 5, 0.08, 1.5, "brown", lawn);
    facts_world_add(&w, "spade", -0.5, 2, 0.2, 0.05, 1.1, "grey", fence);
    facts_world_add(&w, "fork", 0.5, 2, 0.2, 0.05, 1.1, "black", fence);
    stage s;
    open_stage(&s, &w);
    for (int i = 0; i < 2; i++) {
        builtin_object *o = &s.objects[at_index(&s, tools[i])];
        memcpy(o->centre + 1, at + 1, 2 * sizeof at[0]);
    }
    s.p.then.objects = s.objects;
    builtin_move swap = move_of(&s, RELATION_SWAP, tools, 1, "fork");
    expand(&s, &swap);
    assert_int_equal(s.p.reading.count, 2);
    for (int i = 0; i < 2; i++) {
        const builtin_move *half = &s.p.reading.moves[i];
        const uint32_t object = half->objects.objects[0];
        const double x = object == at_index(&s, "spade") ? 0.5 : -0.5;
        assert_int_equal(half->support, BUILTIN_NONE);
        assert_true(half->hung);
        assert_float_equal(half->at[0], x, 0.001);
        assert_float_equal(half->at[1], at[1], 0.001);
        assert_float_equal(half->at[2], at[2], 0.001);
    }
    close_stage(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_fence_holds_at_its_side_is_swapped_there),
        cmocka_unit_test(a_pile_rises_in_the_order_said),
        cmocka_unit_test(a_chair_is_tucked_in_from_its_own_side),
        cmocka_unit_test(the_only_chair_at_a_side_is_tucked_in_at_its_middle),
        cmocka_unit_test(
            what_is_shifted_goes_as_far_as_said_the_foremost_first),
        cmocka_unit_test(a_table_is_laid_before_the_seats),
        cmocka_unit_test(no_plate_is_laid_over_a_corner),
        cmocka_unit_test(
            things_that_trade_places_each_come_where_the_other_was),
        cmocka_unit_test(who_trades_with_what_hovers_stands_there),
        cmocka_unit_test(one_goes_to_each_the_nearest_first),
        cmocka_unit_test(
            what_is_more_than_those_it_goes_to_is_shared_among_them),
        cmocka_unit_test(
            what_goes_around_a_thing_takes_free_places_on_what_bears_it),
        cmocka_unit_test(what_goes_around_a_thing_looks_where_it_is_told),
        cmocka_unit_test(
            chairs_that_stand_askew_come_to_the_long_sides_of_a_table),
        cmocka_unit_test(what_looks_at_each_of_several_looks_at_its_own),
        cmocka_unit_test(
            what_goes_around_a_thing_at_a_wall_stands_about_its_other_sides),
        cmocka_unit_test(chairs_around_a_long_table_stand_along_its_long_sides),
        cmocka_unit_test(chairs_at_a_table_by_a_wall_take_its_ends),
        cmocka_unit_test(
            what_is_let_down_takes_the_room_that_others_leave_at_an_edge),
        cmocka_unit_test(two_of_several_go_around_and_the_rest_stays),
        cmocka_unit_test(parts_that_may_take_any_get_each_its_own),
        cmocka_unit_test(what_another_part_takes_is_not_any),
        cmocka_unit_test(what_goes_around_a_moved_thing_goes_where_that_is_now),
        cmocka_unit_test(a_pile_beside_a_thing_stands_on_what_bears_that),
        cmocka_unit_test(all_conditions_hold_of_one_place),
        cmocka_unit_test(on_a_hill_a_place_is_as_high_as_the_hill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
