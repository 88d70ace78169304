/* Rows: where they stand, in which order, and what makes way for them. */
#include "expand_stage.h"
#include "worker/builtin/relation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void a_row_stands_at_equal_steps_along_the_edge_in_the_order_said(
    void **state)
{
    (void)state;
    static const char *const tins[] = {"red tin", "white tin", "blue tin"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    builtin_move line = move_of(&s, RELATION_LINE, tins, 3, "table");
    line.sides = SIDE_FRONT;
    line.even = true;
    line.row = line.objects.objects;
    line.row_count = 3;
    expand(&s, &line);
    assert_int_equal(s.p.reading.count, 3);
    carry_out(&s);
    const double *red = place_of(&s, "red tin"),
                 *white = place_of(&s, "white tin"),
                 *blue = place_of(&s, "blue tin");
    assert_true(red[0] < white[0] &&
                white[0] < blue[0]); /* left to right as the picture shows it */
    assert_float_equal(white[0] - red[0], blue[0] - white[0], 0.001);
    for (int i = 0; i < 3; i++) {
        const double *at = place_of(&s, tins[i]);
        double from_edge = at[1] - 0.05 + 0.45;
        assert_true(from_edge > 0.015 && from_edge < 0.07);
    }
    close_stage(&s);
}

/* "10 cm apart" is between each two of them, however wide they are, and what
 * touches has no gap. */
static void a_gap_that_is_told_is_between_each_two_of_a_row(void **state)
{
    (void)state;
    static const char *const wares[] = {"glass", "plate 1", "red tin"};
    static const double gaps[] = {0.1, 0};
    static const double halves[] = {0.035, 0.12, 0.05};
    for (size_t g = 0; g < 2; g++) {
        facts_world w = kitchen();
        stage s;
        open_stage(&s, &w);
        builtin_move line = move_of(&s, RELATION_LINE, wares, 3, "table");
        line.row = line.objects.objects;
        line.row_count = 3;
        line.spacing = gaps[g];
        expand(&s, &line);
        assert_int_equal(s.p.reading.count, 3);
        carry_out(&s);
        for (int i = 1; i < 3; i++) {
            const double *one = place_of(&s, wares[i - 1]),
                         *next = place_of(&s, wares[i]);
            const double between = hypot(next[0] - one[0], next[1] - one[1]);
            assert_float_equal(between - halves[i - 1] - halves[i], gaps[g],
                               0.011);
        }
        close_stage(&s);
    }
}

/* The middle of a pallet, and not one of its slats. */
static void a_row_on_slats_stands_on_several_of_them(void **state)
{
    (void)state;
    facts_world w = kitchen();
    const int floor = 0;
    const int pallet = facts_world_add(&w, "Pallet", 1.5, -1.2, 0.96, 0.8, 0.12,
                                       "brown", floor);
    w.things[pallet].slats = 5;
    facts_world_add(&w, "Crate A", -1.5, -1.3, 0.4, 0.5, 0.3, "red", floor);
    facts_world_add(&w, "Crate B", -0.5, -1.3, 0.4, 0.5, 0.3, "red", floor);
    stage s;
    open_stage(&s, &w);
    builtin_move row = move_of(
        &s, RELATION_LINE, (const char *[]){"Crate A", "Crate B"}, 2, "Pallet");
    row.abreast = true;
    expand(&s, &row);
    carry_out(&s);
    assert_true(fabs(place_of(&s, "Crate A")[1] + 1.2) <= 0.16);
    assert_true(fabs(place_of(&s, "Crate B")[1] + 1.2) <= 0.16);
    close_stage(&s);
}

/* Wherever they stand now: the floor before it is no edge of a sideboard. */
static void a_row_along_an_edge_is_on_what_has_the_edge(void **state)
{
    (void)state;
    static const char *const tins[] = {"red tin", "white tin", "blue tin"};
    static const char *const chairs[] = {"chair 1", "chair 2", "chair 3"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    builtin_move line = move_of(&s, RELATION_LINE, tins, 3, "sideboard");
    line.sides = SIDE_LEFT;
    expand(&s, &line);
    carry_out(&s);
    for (int i = 0; i < 3; i++)
        assert_string_equal(bearer_of(&s, tins[i]), "sideboard");
    line = move_of(&s, RELATION_LINE, chairs, 3, "sideboard");
    line.sides = SIDE_LEFT;
    expand(&s, &line);
    carry_out(&s);
    for (int i = 0; i < 3; i++)
        assert_string_equal(bearer_of(&s, chairs[i]), "floor");
    close_stage(&s);
}

/* Nobody said evenly, nor along what: one hand could have set them there. */
static void a_row_on_a_top_is_no_wider_than_it_need_be(void **state)
{
    (void)state;
    static const char *const tins[] = {"red tin", "white tin", "blue tin"};
    double step[2];
    for (int even = 0; even < 2; even++) {
        facts_world w = kitchen();
        stage s;
        open_stage(&s, &w);
        builtin_move line = move_of(&s, RELATION_LINE, tins, 3, "table");
        line.even = even > 0;
        expand(&s, &line);
        carry_out(&s);
        step[even] =
            fabs(place_of(&s, "white tin")[0] - place_of(&s, "red tin")[0]);
        close_stage(&s);
    }
    assert_true(step[0] < 0.2);
    assert_true(step[1] > 2 * step[0]);
}

/* "Side by side along the edge": next to one another, and not as far apart as
 * the edge is long. */
static void a_row_in_the_middle_is_amid_what_bears_it(void **state)
{
    (void)state;
    static const char *const tins[] = {"red tin", "white tin", "blue tin",
                                       "glass"};
    for (uint32_t count = 3; count <= 4; count++) {
        facts_world w = kitchen();
        stage s;
        open_stage(&s, &w);
        builtin_move line = move_of(&s, RELATION_LINE, tins, count, "table");
        line.exact = true;
        expand(&s, &line);
        assert_int_equal(s.p.reading.count, count);
        double middle[2] = {0, 0};
        for (uint32_t i = 0; i < count; i++) {
            const double *at = s.p.reading.moves[i].at;
            for (int k = 0; k < 2; k++)
                middle[k] += at[k] / count;
            assert_float_equal(at[1], 0, 0.01);
        }
        assert_float_equal(middle[0], 0, 0.02);
        close_stage(&s);
    }
}

static void what_goes_side_by_side_stands_next_to_one_another(void **state)
{
    (void)state;
    static const char *const tins[] = {"red tin", "white tin", "blue tin"};
    for (unsigned sides = 0; sides <= SIDE_FRONT; sides += SIDE_FRONT) {
        facts_world w = kitchen();
        stage s;
        open_stage(&s, &w);
        builtin_move line = move_of(&s, RELATION_LINE, tins, 3, "table");
        line.sides = sides;
        line.abreast = true;
        expand(&s, &line);
        carry_out(&s);
        const double *red = place_of(&s, "red tin");
        const double *white = place_of(&s, "white tin");
        const double *blue = place_of(&s, "blue tin");
        assert_true(fabs(white[0] - red[0]) < 0.15);
        assert_true(fabs(white[0] - blue[0]) < 0.15);
        close_stage(&s);
    }
}

static void a_row_along_a_wall_is_also_by_what_is_said_besides(void **state)
{
    (void)state;
    static const char *const cans[] = {"red can", "white can", "blue can"};
    static const struct {
        builtin_relation relation;
        const char *second;
        double low, high; /* metres: where the cans are */
    } rows[] = {{RELATION_BETWEEN, "barrel 2", 0.85, 2.15},
                {RELATION_LEFT, NULL, -1.2, 0.35},
                {RELATION_BESIDE, NULL, -1.2, 2.15}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        facts_world w = yard();
        stage s;
        open_stage(&s, &w);
        builtin_condition also = {.relation = rows[i].relation,
                                  .reference = at_index(&s, "barrel 1"),
                                  .second = BUILTIN_NONE,
                                  .gap = -1};
        if (rows[i].second)
            also.second = at_index(&s, rows[i].second);
        builtin_move line = move_of(&s, RELATION_LINE, cans, 3, "wall");
        line.also = &also;
        line.also_count = 1;
        expand(&s, &line);
        assert_int_equal(s.p.reading.count, 3);
        carry_out(&s);
        for (int k = 0; k < 3; k++) {
            const double *at = place_of(&s, cans[k]);
            assert_true(at[1] > 2);
            assert_true(at[0] > rows[i].low && at[0] < rows[i].high);
        }
        close_stage(&s);
    }
}

static void a_row_is_refused_where_it_has_no_room_between_what_is_said(
    void **state)
{
    (void)state;
    static const char *const cans[] = {"red can", "white can", "blue can"};
    facts_world w = yard();
    for (int i = 0; i < 3; i++)
        w.things[4 + i].size[0] = w.things[4 + i].size[1] = 0.7;
    stage s;
    open_stage(&s, &w);
    const builtin_condition also = {.relation = RELATION_BETWEEN,
                                    .reference = at_index(&s, "barrel 1"),
                                    .second = at_index(&s, "barrel 2"),
                                    .gap = -1};
    builtin_move line = move_of(&s, RELATION_LINE, cans, 3, "wall");
    line.also = &also;
    line.also_count = 1;
    s.p.reading.count = 1;
    s.p.reading.moves[0] = line;
    assert_int_equal(planner_expand(&s.p), ETNA_E_NOTFOUND);
    close_stage(&s);
}

/* Along a wall, away from its middle, is not away from the wall. */
static void what_goes_away_from_a_wall_is_farther_from_all_of_it(void **state)
{
    (void)state;
    static const char *const can[] = {"red can"};
    static const struct {
        double x, y; /* metres: where it is put */
        bool is_away;
    } places[] = {{-2.7, 2.2, false}, {-2, 1.6, true}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        facts_world w = yard();
        stage s;
        w.things[4].x = -2;
        w.things[4].y = 2.2;
        open_stage(&s, &w);
        const builtin_move away = move_of(&s, RELATION_AWAY, can, 1, "wall");
        builtin_object *o = &s.objects[at_index(&s, "red can")];
        const double to[3] = {places[i].x, places[i].y, o->centre[2]};
        assert_int_equal(
            planner_comes_along(&s.p, &away, away.objects.objects[0], to),
            places[i].is_away);
        plan chosen;
        bool found = false;
        assert_int_equal(planner_find_place(&s.p, &away, away.objects.objects,
                                            1, &chosen, &found),
                         ETNA_OK);
        assert_true(found && chosen.exact.at[1] < 2.1);
        close_stage(&s);
    }
}

/* Rolls of cloth side by side: their long sides meet, and not their ends. */
static void long_things_side_by_side_lie_flank_to_flank(void **state)
{
    (void)state;
    static const char *const rolls[] = {"roll 1", "roll 2", "roll 3"};
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "floor", 0, 0, 6, 5, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "roll 1", -1.2, 0, 1, 0.2, 0.2, "red", floor);
    facts_world_add(&w, "roll 2", 0, 0.3, 1, 0.2, 0.2, "white", floor);
    facts_world_add(&w, "roll 3", 1.2, -0.3, 0.2, 1, 0.2, "blue", floor);
    stage s;
    open_stage(&s, &w);
    builtin_move line = move_of(&s, RELATION_LINE, rolls, 3, NULL);
    line.abreast = true;
    expand(&s, &line);
    carry_out(&s);
    for (int i = 1; i < 3; i++) {
        const double *one = place_of(&s, rolls[i - 1]);
        const double *next = place_of(&s, rolls[i]);
        assert_true(fabs(one[0] - next[0]) < 0.05 ||
                    fabs(one[1] - next[1]) < 0.05);
        assert_true(fabs(one[0] - next[0]) < 0.5);
        assert_true(fabs(one[1] - next[1]) < 0.5);
    }
    close_stage(&s);
}

/* "The pills next to the bottle. All of it on the counter": where the bottle is
 * there, both hold. */
static void what_is_by_a_thing_is_also_on_what_bears_that(void **state)
{
    (void)state;
    static const char *const tin[] = {"red tin"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    s.p.reading.count = 2;
    s.p.reading.moves[0] = move_of(&s, RELATION_BESIDE, tin, 1, "white tin");
    s.p.reading.moves[1] = move_of(&s, RELATION_ON, tin, 1, "table");
    const uint32_t red = at_index(&s, "red tin");
    assert_false(planner_is_taken_later(&s.p, 0, red));
    s.p.reading.moves[1].reference = at_index(&s, "sideboard");
    assert_true(planner_is_taken_later(&s.p, 0, red));
    close_stage(&s);
}

/* "Centre it between the two, its top level with the left one's": how high it
 * is to hang takes back no place along the wall, but one above or below. */
static void how_high_a_thing_hangs_leaves_it_where_along_it_hangs(void **state)
{
    (void)state;
    static const char *const tin[] = {"red tin"};
    static const builtin_relation kept[] = {RELATION_BESIDE, RELATION_LEFT,
                                            RELATION_BETWEEN};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    s.p.reading.count = 2;
    s.p.reading.moves[1] = move_of(&s, RELATION_LEVEL, tin, 1, "white tin");
    const uint32_t red = at_index(&s, "red tin");
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        s.p.reading.moves[0] = move_of(&s, kept[i], tin, 1, "white tin");
        assert_false(planner_is_taken_later(&s.p, 0, red));
    }
    s.p.reading.moves[0] = move_of(&s, RELATION_ABOVE, tin, 1, "white tin");
    assert_true(planner_is_taken_later(&s.p, 0, red));
    close_stage(&s);
}

static void a_row_where_they_stand_is_straight(void **state)
{
    (void)state;
    static const char *const tins[] = {"red tin", "white tin", "blue tin"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    builtin_move line = move_of(&s, RELATION_LINE, tins, 3, NULL);
    expand(&s, &line);
    carry_out(&s);
    const double *red = place_of(&s, "red tin"),
                 *white = place_of(&s, "white tin"),
                 *blue = place_of(&s, "blue tin");
    assert_true(blue[0] < white[0] && white[0] < red[0]); /* as they stood */
    assert_float_equal(red[1], blue[1], 0.01);
    assert_float_equal(red[1], white[1], 0.01);
    close_stage(&s);
}

/* Longer than that is broad: its middle is before the middle of that, and
 * nobody is left out. */
static void a_row_before_a_narrow_thing_reaches_past_its_sides(void **state)
{
    (void)state;
    static const char *const boxes[] = {"box 1", "box 2", "box 3"};
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "floor", 0, 0, 6, 5, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "locker", 0, 1.5, 0.6, 0.5, 1.8, "brown", floor);
    facts_world_add(&w, "box 1", -2, -1, 0.5, 0.5, 0.4, "brown", floor);
    facts_world_add(&w, "box 2", 1, -1, 0.5, 0.5, 0.4, "brown", floor);
    facts_world_add(&w, "box 3", 2, -2, 0.5, 0.5, 0.4, "brown", floor);
    stage s;
    open_stage(&s, &w);
    builtin_move line = move_of(&s, RELATION_LINE, boxes, 3, "locker");
    line.sides = SIDE_FRONT;
    line.support = at_index(&s, "floor");
    expand(&s, &line);
    assert_int_equal(s.p.reading.count, 3);
    carry_out(&s);
    double middle = 0;
    const double wing = 0.3; /* metres: half of the locker's breadth */
    for (int i = 0; i < 3; i++) {
        const double *at = place_of(&s, boxes[i]);
        middle += at[0] / 3;
        assert_float_equal(at[1], place_of(&s, "box 1")[1], 0.02);
        assert_true(at[1] + 0.25 < 1.5 - 0.25 - wing); /* its doors open */
    }
    assert_float_equal(middle, 0, 0.06);
    close_stage(&s);
}

/* Where a bench leaves no room for a row beyond the doors it stands nearer: a
 * row is asked for. */
static void a_row_stands_in_the_way_of_doors_where_there_is_no_other_room(
    void **state)
{
    (void)state;
    static const char *const boxes[] = {"box 1", "box 2"};
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "floor", 0, 0, 6, 5, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "wardrobe", 0, 1.5, 1.2, 0.5, 1.8, "brown", floor);
    facts_world_add(&w, "bench", 0, 0, 3, 1.6, 0.5, "grey", floor);
    facts_world_add(&w, "box 1", -2, -1.5, 0.25, 0.25, 0.4, "brown", floor);
    facts_world_add(&w, "box 2", 2, -1.5, 0.25, 0.25, 0.4, "brown", floor);
    stage s;
    open_stage(&s, &w);
    builtin_move line = move_of(&s, RELATION_LINE, boxes, 2, "wardrobe");
    line.sides = SIDE_FRONT;
    line.support = at_index(&s, "floor");
    expand(&s, &line);
    assert_int_equal(s.p.reading.count, 2);
    carry_out(&s);
    for (int i = 0; i < 2; i++)
        assert_true(place_of(&s, boxes[i])[1] > 0.8);
    close_stage(&s);
}

/* A bench fills the room before a freezer: who stands there leaves before a row
 * is given up, but nothing fixed does, and what the sentence names stays. */
static void a_row_has_bystanders_leave_its_place_where_there_is_no_other(
    void **state)
{
    (void)state;
    static const char *const boxes[] = {"box 1", "box 2"};
    enum {
        AS_IT_IS,
        IS_FIXED,
        IS_NAMED,
        CASES
    };
    for (int i = 0; i < CASES; i++) {
        facts_world w = facts_world_new();
        int floor = facts_world_add(&w, "floor", 0, 0, 6, 5, 0.02, "grey", -1);
        w.things[floor].is_static = true;
        facts_world_add(&w, "freezer", 0, 1.5, 1.2, 0.5, 1.8, "brown", floor);
        int bench =
            facts_world_add(&w, "bench", 0, 0.8, 6, 0.55, 0.5, "grey", floor);
        w.things[bench].is_static = i == IS_FIXED;
        facts_world_add(&w, "box 1", -2, -1.5, 0.25, 0.25, 0.4, "brown", floor);
        facts_world_add(&w, "box 2", 2, -1.5, 0.25, 0.25, 0.4, "brown", floor);
        stage s;
        open_stage(&s, &w);
        builtin_move line = move_of(&s, RELATION_LINE, boxes, 2, "freezer");
        line.sides = SIDE_FRONT;
        line.support = at_index(&s, "floor");
        if (i == IS_NAMED)
            line.second = at_index(&s, "bench");
        s.p.reading.count = 1;
        s.p.reading.moves[0] = line;
        assert_int_equal(planner_expand(&s.p),
                         i == AS_IT_IS ? ETNA_OK : ETNA_E_NOTFOUND);
        if (i == AS_IT_IS)
            assert_int_equal(s.p.reading.count, 2);
        for (uint32_t k = 0; k < 2 && i == AS_IT_IS; k++)
            assert_float_equal(s.p.reading.moves[k].at[1], 0.9, 0.25);
        close_stage(&s);
    }
}

/* A plant stands before the end of a bench: a row of two crates has room at its
 * other half. */
static void a_row_reaches_past_one_end_before_a_bystander_leaves(void **state)
{
    (void)state;
    static const char *const crates[] = {"crate 1", "crate 2"};
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "floor", 0, 0, 8, 5, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "locker", 0, 1.5, 1, 0.5, 1.8, "brown", floor);
    facts_world_add(&w, "plant", -0.6, 0.7, 0.3, 1, 0.5, "green", floor);
    facts_world_add(&w, "crate 1", -2, -1.5, 0.6, 0.5, 0.4, "brown", floor);
    facts_world_add(&w, "crate 2", 2, -1.5, 0.6, 0.5, 0.4, "brown", floor);
    stage s;
    open_stage(&s, &w);
    builtin_move line = move_of(&s, RELATION_LINE, crates, 2, "locker");
    line.sides = SIDE_FRONT;
    line.support = at_index(&s, "floor");
    expand(&s, &line);
    assert_int_equal(s.p.reading.count, 2);
    carry_out(&s);
    for (int i = 0; i < 2; i++)
        assert_true(place_of(&s, crates[i])[0] - 0.3 > -0.45);
    close_stage(&s);
}

/* A plant stands before one end of a bench, which is as long as a row of three
 * boxes: they stand a little farther off, and none is past the bench's ends. */
static void a_row_stands_farther_off_before_anybody_leaves(void **state)
{
    (void)state;
    static const char *const boxes[] = {"box 1", "box 2", "box 3"};
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "floor", 0, 0, 8, 6, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "bench", 0, 2, 1.6, 0.5, 0.9, "brown", floor);
    facts_world_add(&w, "plant", 0.5, 1.3, 0.3, 0.6, 0.5, "green", floor);
    facts_world_add(&w, "box 1", -2, -1.5, 0.45, 0.3, 0.4, "brown", floor);
    facts_world_add(&w, "box 2", 2, -1.5, 0.45, 0.2, 0.4, "brown", floor);
    facts_world_add(&w, "box 3", 2, -0.5, 0.45, 0.3, 0.4, "brown", floor);
    stage s;
    open_stage(&s, &w);
    builtin_move line = move_of(&s, RELATION_LINE, boxes, 3, "bench");
    line.sides = SIDE_FRONT;
    line.support = at_index(&s, "floor");
    expand(&s, &line);
    assert_int_equal(s.p.reading.count, 3);
    carry_out(&s);
    for (int i = 0; i < 3; i++) {
        const double *at = place_of(&s, boxes[i]);
        assert_true(fabs(at[0]) + 0.225 <= 0.8);
        assert_float_equal(at[1], place_of(&s, boxes[0])[1], 0.01);
    }
    close_stage(&s);
}

/* A desk along the wall at the picture's left, seen from its end: nothing has
 * room to the picture's right of a laptop there. To the right is where who sits
 * at the desk has it; on a desk that is deep enough it is where the picture has
 * it. */
static void right_is_of_who_sits_there_where_the_picture_s_has_no_room(
    void **state)
{
    (void)state;
    static const char *const lamp[] = {"lamp"};
    static const double deep[] = {0.6, 1.4};
    for (int i = 0; i < 2; i++) {
        facts_world w = facts_world_new();
        int floor = facts_world_add(&w, "floor", 0, 0, 6, 5, 0.02, "grey", -1);
        int wall =
            facts_world_add(&w, "wall", -3.05, 0, 0.1, 5, 2.5, "white", -1);
        w.things[floor].is_static = w.things[wall].is_static = true;
        int desk = facts_world_add(&w, "desk", -2.95 + deep[i] / 2, 0, deep[i],
                                   1.4, 0.72, "brown", floor);
        facts_world_add(&w, "laptop", -2.95 + deep[i] / 2, 0, 0.26, 0.34, 0.25,
                        "grey", desk);
        facts_world_add(&w, "lamp", 1, 1, 0.2, 0.2, 0.45, "black", floor);
        stage s;
        open_stage(&s, &w);
        builtin_move beside = move_of(&s, RELATION_RIGHT, lamp, 1, "laptop");
        expand(&s, &beside);
        carry_out(&s);
        const double *at = place_of(&s, "lamp");
        const double *laptop = place_of(&s, "laptop");
        assert_float_equal(at[2], 0.74 + 0.225, 0.05);
        if (i == 0)
            assert_true(at[1] > laptop[1] + 0.25 &&
                        fabs(at[0] - laptop[0]) < 0.25);
        if (i == 1)
            assert_true(at[0] > laptop[0] + 0.2 &&
                        fabs(at[1] - laptop[1]) < 0.3);
        close_stage(&s);
    }
}

/* A bed with its head at a wall: bags come side by side before its foot,
 * pillows onto it at its head. */
static void things_at_an_end_stand_along_it_and_pillows_lie_on_the_bed(
    void **state)
{
    (void)state;
    static const char *const bags[] = {"bag", "box", "ball"};
    static const char *const pillows[] = {"pillow", "cushion"};
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "floor", 0, 0, 6, 5, 0.02, "grey", -1);
    int wall = facts_world_add(&w, "wall", 0, 2.55, 6, 0.1, 2.5, "white", -1);
    w.things[floor].is_static = w.things[wall].is_static = true;
    facts_world_add(&w, "bed", 0, 1.45, 0.9, 2, 0.4, "brown", floor);
    facts_world_add(&w, "bag", -2, -1, 0.35, 0.25, 0.4, "red", floor);
    facts_world_add(&w, "box", 2, -1, 0.3, 0.3, 0.2, "white", floor);
    facts_world_add(&w, "ball", 2, 1, 0.24, 0.24, 0.24, "blue", floor);
    facts_world_add(&w, "pillow", -2, -2, 0.4, 0.3, 0.12, "white", floor);
    facts_world_add(&w, "cushion", -1, -2, 0.3, 0.3, 0.12, "red", floor);
    stage s;
    open_stage(&s, &w);
    builtin_move foot = move_of(&s, RELATION_END, bags, 3, "bed");
    builtin_move alone = move_of(&s, RELATION_END, bags, 1, "bed");
    builtin_move head = move_of(&s, RELATION_END, pillows, 2, "bed");
    const uint32_t bag = at_index(&s, "bag");
    const uint32_t pillow = at_index(&s, "pillow");
    const double before[3] = {0.35, 0.2, 0.02};
    foot.sides = alone.sides = SIDE_FRONT;
    head.sides = SIDE_BACK;
    expand(&s, &foot);
    assert_true(builtin_misfit(s.p.facts, &s.p.reading.moves[0], bag, before) <=
                0);
    assert_true(builtin_misfit(s.p.facts, &s.p.reading.moves[0], bag,
                               (double[3]){1, 0.2, 0.02}) > 0);
    expand(&s, &alone); /* in the middle of that side */
    assert_true(builtin_misfit(s.p.facts, &s.p.reading.moves[0], bag, before) >
                0);
    expand(&s, &head);
    const builtin_move *on_bed = &s.p.reading.moves[0];
    assert_int_equal(on_bed->support, at_index(&s, "bed"));
    assert_true(builtin_misfit(s.p.facts, on_bed, pillow,
                               (double[3]){0.2, 2.2, 0.42}) <= 0);
    assert_true(builtin_misfit(s.p.facts, on_bed, pillow,
                               (double[3]){0.2, 1.45, 0.42}) > 0);
    plan chosen;
    bool found = false;
    assert_int_equal(
        planner_find_place(&s.p, on_bed, &pillow, 1, &chosen, &found), ETNA_OK);
    assert_true(found && chosen.exact.support == on_bed->support);
    close_stage(&s);
}

/* Two deep chairs that look away from one another side by side: turned to the
 * sofa they are broader than they stand now. */
static void what_is_on_furniture_goes_onto_the_end_of_furniture(void **state)
{
    (void)state;
    static const char *const glass[] = {"glass"}, *const chair[] = {"chair 1"};
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    builtin_move up = move_of(&s, RELATION_END, glass, 1, "table");
    builtin_move down = move_of(&s, RELATION_END, chair, 1, "table");
    up.sides = down.sides = SIDE_RIGHT;
    expand(&s, &up);
    assert_int_equal(s.p.reading.moves[0].support, at_index(&s, "table"));
    carry_out(&s);
    assert_true(fabs(place_of(&s, "glass")[0]) > 0.4);
    expand(&s, &down);
    assert_int_not_equal(s.p.reading.moves[0].support, at_index(&s, "table"));
    close_stage(&s);
}

static void a_row_that_faces_something_has_room_for_that_turn(void **state)
{
    (void)state;
    static const char *const chairs[] = {"chair 1", "chair 2"};
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "floor", 0, 0, 6, 5, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "sofa", 0, 2, 2, 0.8, 0.8, "grey", floor);
    facts_world_add(&w, "chair 1", -0.6, -0.5, 0.5, 1, 0.8, "black", floor);
    facts_world_add(&w, "chair 2", 0.6, -0.5, 0.5, 1, 0.8, "black", floor);
    stage s;
    open_stage(&s, &w);
    for (int i = 0; i < 2; i++) {
        builtin_object *o = &s.objects[at_index(&s, chairs[i])];
        o->has_front = true;
        o->had_front = true;
        o->front_then[0] = i == 0 ? -1 : 1;
        o->front_then[1] = 0;
        o->heading[0] = o->front_then[0];
        o->heading[1] = o->front_then[1];
        o->half[0] = 0.5; /* across the front */
        o->half[1] = 0.25;
        o->yaw_deg = i == 0 ? 270 : 90;
    }
    s.p.then.objects = s.objects;
    builtin_move line = move_of(&s, RELATION_LINE, chairs, 2, NULL);
    line.facing = FACING_TO;
    line.faced = at_index(&s, "sofa");
    expand(&s, &line);
    assert_int_equal(s.p.reading.count, 2);
    const double *a = s.p.reading.moves[0].at;
    const double *b = s.p.reading.moves[1].at;
    assert_true(fabs(b[0] - a[0]) >= 1.0);
    close_stage(&s);
}

/* Before a counter they look straight at it and not at its middle, and the gap
 * that is told is there when they do. */
static void a_row_that_looks_at_a_counter_has_the_gap_that_is_told(void **state)
{
    (void)state;
    static const char *const carts[] = {"cart 1", "cart 2"};
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "floor", 0, 0, 6, 5, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "counter", 0, 1.5, 2, 0.6, 0.9, "grey", floor);
    facts_world_add(&w, "cart 1", -1.5, -1, 0.3, 0.8, 0.8, "black", floor);
    facts_world_add(&w, "cart 2", 1.5, -1, 0.3, 0.8, 0.8, "black", floor);
    stage s;
    open_stage(&s, &w);
    for (int i = 0; i < 2; i++)
        s.objects[at_index(&s, carts[i])].has_front = true;
    s.p.then.objects = s.objects;
    builtin_move line = move_of(&s, RELATION_LINE, carts, 2, "counter");
    const builtin_condition before = {.relation = RELATION_FRONT,
                                      .reference = line.reference,
                                      .second = BUILTIN_NONE,
                                      .gap = -1};
    line.sides = SIDE_FRONT;
    line.also = &before;
    line.also_count = 1;
    line.spacing = 0.3;
    line.facing = FACING_TO;
    line.faced = line.reference;
    expand(&s, &line);
    assert_int_equal(s.p.reading.count, 2);
    const double *a = s.p.reading.moves[0].at;
    const double *b = s.p.reading.moves[1].at;
    assert_float_equal(fabs(b[0] - a[0]), 0.6, 0.01);
    close_stage(&s);
}

/* Of different sizes, and the first of them on a saucer: where most of them
 * stand, middle by middle. */
static void a_row_of_unlike_things_is_straight_where_most_of_them_stand(
    void **state)
{
    (void)state;
    static const char *const things[] = {"cup", "pot", "bowl"};
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "floor", 0, 0, 6, 5, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int table =
        facts_world_add(&w, "table", 0, 0, 1.6, 0.9, 0.73, "brown", floor);
    int saucer = facts_world_add(&w, "saucer", -0.5, -0.3, 0.12, 0.12, 0.02,
                                 "white", table);
    facts_world_add(&w, "cup", -0.5, -0.3, 0.08, 0.08, 0.08, "white", saucer);
    facts_world_add(&w, "pot", 0, 0.1, 0.2, 0.2, 0.2, "red", table);
    facts_world_add(&w, "bowl", 0.4, -0.1, 0.3, 0.3, 0.1, "blue", table);
    stage s;
    open_stage(&s, &w);
    builtin_move line = move_of(&s, RELATION_LINE, things, 3, NULL);
    expand(&s, &line);
    assert_int_equal(s.p.reading.count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(s.p.reading.moves[i].support, at_index(&s, "table"));
        assert_float_equal(s.p.reading.moves[i].at[1],
                           s.p.reading.moves[0].at[1], 1e-6);
    }
    close_stage(&s);
}

/* Chess pieces of two centimetres: the gaps of cups and chairs would leave no
 * room for them on their board. */
static void a_row_of_small_things_has_small_gaps(void **state)
{
    (void)state;
    static const char *const pieces[] = {"king", "queen", "bishop"};
    facts_world w = facts_world_new();
    int board =
        facts_world_add(&w, "board", 0, 0, 0.24, 0.24, 0.02, "brown", -1);
    w.things[board].is_static = true;
    facts_world_add(&w, "rook 1", 0.1, -0.08, 0.02, 0.02, 0.04, "black", board);
    facts_world_add(&w, "rook 2", 0.1, 0.08, 0.02, 0.02, 0.04, "black", board);
    for (int i = 0; i < 3; i++)
        facts_world_add(&w, pieces[i], -0.1, -0.09 + 0.06 * i, 0.02, 0.02, 0.05,
                        "black", board);
    stage s;
    open_stage(&s, &w);
    row_by(&s, RELATION_BETWEEN, 0, "rook 1", "rook 2", pieces);
    for (int i = 0; i < 3; i++) {
        const double *at = place_of(&s, pieces[i]);
        assert_float_equal(at[0], 0.1, 0.012);
        assert_true(fabs(at[1]) < 0.07);
        for (int k = 0; k < i; k++)
            assert_true(fabs(at[1] - place_of(&s, pieces[k])[1]) > 0.02);
    }
    close_stage(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(how_high_a_thing_hangs_leaves_it_where_along_it_hangs),
        cmocka_unit_test(
            a_row_stands_at_equal_steps_along_the_edge_in_the_order_said),
        cmocka_unit_test(a_gap_that_is_told_is_between_each_two_of_a_row),
        cmocka_unit_test(a_row_on_slats_stands_on_several_of_them),
        cmocka_unit_test(a_row_along_an_edge_is_on_what_has_the_edge),
        cmocka_unit_test(a_row_on_a_top_is_no_wider_than_it_need_be),
        cmocka_unit_test(a_row_in_the_middle_is_amid_what_bears_it),
        cmocka_unit_test(what_goes_side_by_side_stands_next_to_one_another),
        cmocka_unit_test(a_row_along_a_wall_is_also_by_what_is_said_besides),
        cmocka_unit_test(
            a_row_is_refused_where_it_has_no_room_between_what_is_said),
        cmocka_unit_test(what_goes_away_from_a_wall_is_farther_from_all_of_it),
        cmocka_unit_test(long_things_side_by_side_lie_flank_to_flank),
        cmocka_unit_test(what_is_by_a_thing_is_also_on_what_bears_that),
        cmocka_unit_test(a_row_where_they_stand_is_straight),
        cmocka_unit_test(what_is_on_furniture_goes_onto_the_end_of_furniture),
        cmocka_unit_test(a_row_that_faces_something_has_room_for_that_turn),
        cmocka_unit_test(
            a_row_that_looks_at_a_counter_has_the_gap_that_is_told),
        cmocka_unit_test(
            things_at_an_end_stand_along_it_and_pillows_lie_on_the_bed),
        cmocka_unit_test(
            a_row_has_bystanders_leave_its_place_where_there_is_no_other),
        cmocka_unit_test(a_row_reaches_past_one_end_before_a_bystander_leaves),
        cmocka_unit_test(a_row_stands_farther_off_before_anybody_leaves),
        cmocka_unit_test(
            right_is_of_who_sits_there_where_the_picture_s_has_no_room),
        cmocka_unit_test(a_row_before_a_narrow_thing_reaches_past_its_sides),
        cmocka_unit_test(
            a_row_stands_in_the_way_of_doors_where_there_is_no_other_room),
        cmocka_unit_test(a_row_of_small_things_has_small_gaps),
        cmocka_unit_test(
            a_row_of_unlike_things_is_straight_where_most_of_them_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
