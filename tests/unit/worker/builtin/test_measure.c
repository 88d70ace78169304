/* Rows and rings as they stand at last: what differs from what was said by
 * twice of what nobody would see is told. */
#include "expand_stage.h"
#include "worker/builtin/place/outline.h"
#include "worker/math/vec.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char *const tins[] = {"red tin", "white tin", "blue tin"};
static const char *const chairs[] = {"chair 1", "chair 2", "chair 3"};

/* What is said of them as they stand; "": nothing. */
static const char *measure(stage *s)
{
    model_reply reply = {.text = ""};
    bool refused = false, said = false;
    s->p.refused = &refused;
    assert_int_equal(planner_measure(&s->p, &reply, &said), ETNA_OK);
    assert_int_equal(said, refused);
    return said ? reply.text : "";
}

static void assert_told(stage *s, const char *part)
{
    const char *text = measure(s);
    if (!strstr(text, part))
        fail_msg("\"%s\" does not tell \"%s\"", text, part);
}

/* Moved by hand, and measured; then it is where it was. */
static void assert_told_when_moved(
    stage *s, const char *name, double dx, double dy, const char *part)
{
    builtin_object *o = &s->objects[at_index(s, name)];
    o->centre[0] += dx;
    o->centre[1] += dy;
    assert_told(s, part);
    o->centre[0] -= dx;
    o->centre[1] -= dy;
    assert_string_equal(measure(s), "");
}

static builtin_move row_of(stage *s)
{
    builtin_move line = move_of(s, RELATION_LINE, tins, 3, "table");
    line.sides = SIDE_FRONT;
    line.row = line.objects.objects;
    line.row_count = 3;
    return line;
}

static void a_row_has_the_gaps_that_are_told(void **state)
{
    (void)state;
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    builtin_move line = row_of(&s);
    line.spacing = 0.1;
    expand(&s, &line);
    carry_out(&s);
    assert_string_equal(measure(&s), "");
    assert_told_when_moved(&s, "blue tin", 0.06, 0, "16 cm apart, and not 10");
    assert_told_when_moved(&s, "red tin", 0.06, 0, "4 cm apart, and not 10");
    close_stage(&s);
}

static void a_row_is_as_far_from_a_thing_as_is_told(void **state)
{
    (void)state;
    facts_world w = kitchen();
    facts_world_add(&w, "radio", 0, 0.35, 0.5, 0.1, 0.2, "black", 1);
    stage s;
    open_stage(&s, &w);
    builtin_condition also = {.relation = RELATION_FRONT,
                              .reference = at_index(&s, "radio"),
                              .second = BUILTIN_NONE,
                              .sides = SIDE_FRONT,
                              .gap = 0.3};
    builtin_move line = move_of(&s, RELATION_LINE, tins, 3, "radio");
    line.sides = SIDE_FRONT;
    line.also = &also;
    line.also_count = 1;
    expand(&s, &line);
    carry_out(&s);
    assert_string_equal(measure(&s), "");
    for (int i = 0; i < 3; i++)
        s.objects[at_index(&s, tins[i])].centre[1] -= 0.1;
    assert_told(&s, "40 cm apart, and not 30");
    s.p.reading.moves[0] = line;
    also.bound = BOUND_LEAST;
    assert_string_equal(measure(&s), "");
    also.bound = BOUND_MOST;
    assert_told(&s, "40 cm apart, and not 30");
    close_stage(&s);
}

static void an_even_row_has_equal_gaps_in_a_straight_line(void **state)
{
    (void)state;
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    builtin_move line = row_of(&s);
    line.even = true;
    expand(&s, &line);
    carry_out(&s);
    assert_string_equal(measure(&s), "");
    assert_told_when_moved(&s, "white tin", 0.15, 0, "not evenly");
    assert_told_when_moved(&s, "white tin", 0, 0.1, "in a line");
    close_stage(&s);
}

static void a_row_has_the_order_that_is_told(void **state)
{
    (void)state;
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    const builtin_move line = row_of(&s);
    expand(&s, &line);
    carry_out(&s);
    assert_string_equal(measure(&s), "");
    const double *red = place_of(&s, "red tin"),
                 *white = place_of(&s, "white tin");
    assert_told_when_moved(&s, "red tin", white[0] - red[0] + 0.02, 0,
                           "where the order has it");
    close_stage(&s);
}

/* "The red one on the left": such a row does not lead away from who looks. */
static void a_row_told_by_left_and_right_lies_across_the_picture(void **state)
{
    (void)state;
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    builtin_move line = row_of(&s);
    line.sideways = true;
    expand(&s, &line);
    carry_out(&s);
    assert_string_equal(measure(&s), "");
    double *const middle = s.objects[line.row[1]].centre;
    for (int i = 0; i < 3; i += 2) {
        double *const at = s.objects[line.row[i]].centre;
        at[0] = middle[0];
        at[1] = middle[1] + 0.2 * (1 - i);
    }
    assert_told(&s, "is not at its side of the row");
    close_stage(&s);
}

static void what_a_later_part_places_is_measured_by_that(void **state)
{
    (void)state;
    facts_world w = kitchen();
    stage s;
    open_stage(&s, &w);
    builtin_move line = row_of(&s);
    line.spacing = 0.1;
    expand(&s, &line);
    carry_out(&s);
    builtin_reading said = *s.p.said;
    said.moves[said.count++] =
        move_of(&s, RELATION_ON, &tins[2], 1, "sideboard");
    s.p.said = &said;
    s.objects[at_index(&s, "blue tin")].centre[0] += 2;
    assert_string_equal(measure(&s), "");
    close_stage(&s);
}

/* Its top becomes a disc. */
static void round_off(stage *s, const char *name)
{
    enum {
        CORNERS = 64
    };
    const uint32_t object = at_index(s, name);
    const builtin_object *o = &s->p.facts->objects[object];
    builtin_surface *surfaces =
        etna_arena_memdup(&s->arena, s->talk.facts.surfaces,
                          s->talk.facts.surface_count * sizeof *surfaces);
    double(*corners)[2] = etna_arena_alloc(&s->arena, CORNERS, sizeof *corners);
    for (int i = 0; i < CORNERS; i++) {
        double sine, cosine;
        math_sincos(2 * MATH_PI * i / CORNERS, &sine, &cosine);
        corners[i][0] = o->centre[0] + o->half[0] * cosine;
        corners[i][1] = o->centre[1] + o->half[1] * sine;
    }
    for (uint32_t i = 0; i < s->talk.facts.surface_count; i++) {
        if (surfaces[i].object != object)
            continue;
        surfaces[i].corners = (const double(*)[2])corners;
        surfaces[i].corner_count = CORNERS;
    }
    s->talk.facts.surfaces = surfaces;
    s->p.then.surfaces = surfaces;
}

static facts_world round_room(void)
{
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "floor", 0, 0, 6, 5, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "table", 0, 0, 1.2, 1.2, 0.73, "brown", floor);
    for (int i = 0; i < 3; i++) {
        int chair = facts_world_add(&w, chairs[i], -2.5 + i, -2, 0.42, 0.42,
                                    0.45, "brown", floor);
        w.things[chair].no_top = true; /* that tells no front */
    }
    return w;
}

/* From a disc's rim to the nearest side of a box that looks at its middle, and
 * not from the corner of a square about it. */
static void a_ring_has_the_gap_that_is_told_to_what_is_round(void **state)
{
    (void)state;
    const double gap = 0.2;
    facts_world w = round_room();
    stage s;
    open_stage(&s, &w);
    round_off(&s, "table");
    builtin_move around = move_of(&s, RELATION_AROUND, chairs, 3, "table");
    around.gap = gap;
    around.even = true;
    around.facing = FACING_TO;
    around.faced = around.reference;
    expand(&s, &around);
    assert_int_equal(s.p.reading.count, 3);
    carry_out(&s);
    for (int i = 0; i < 3; i++) {
        const double *at = place_of(&s, chairs[i]);
        assert_float_equal(hypot(at[0], at[1]), 0.6 + gap + 0.21, 0.02);
    }
    assert_string_equal(measure(&s), "");
    const double *at = place_of(&s, "chair 1");
    const double away = hypot(at[0], at[1]);
    assert_told_when_moved(&s, "chair 1", 0.07 * at[0] / away,
                           0.07 * at[1] / away, "27 cm apart, and not 20");
    close_stage(&s);
}

static void a_ring_is_all_round_and_looks_where_it_is_told(void **state)
{
    (void)state;
    facts_world w = round_room();
    stage s;
    open_stage(&s, &w);
    builtin_move around = move_of(&s, RELATION_AROUND, chairs, 3, "table");
    around.even = true;
    around.facing = FACING_TO;
    around.faced = around.reference;
    expand(&s, &around);
    carry_out(&s);
    assert_string_equal(measure(&s), "");
    builtin_object *o = &s.objects[at_index(&s, "chair 1")];
    const builtin_object before = *o;
    const double *other = place_of(&s, "chair 2");
    /* right across from another, which is not a third of a turn */
    o->centre[0] = -other[0];
    o->centre[1] = -other[1];
    o->heading[0] = -s.objects[at_index(&s, "chair 2")].heading[0];
    o->heading[1] = -s.objects[at_index(&s, "chair 2")].heading[1];
    assert_told(&s, "evenly");
    *o = before;
    o->heading[0] = -before.heading[0];
    o->heading[1] = -before.heading[1];
    assert_told(&s, "look");
    close_stage(&s);
}

/* Two squares of a metre, one turned by 45 degrees. */
static void outlines_are_apart_by_their_nearest_points(void **state)
{
    (void)state;
    const double root = 0.70710678118654752;
    const builtin_outline square = {
        .count = 4,
        .corners = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}};
    const double here[2] = {0, 0}, ahead[2] = {0, 1}, askew[2] = {root, root};
    const double aside[2] = {2, 0}, corner[2] = {2, 2};
    builtin_outline a, b;
    builtin_outline_put(&square, here, ahead, &a);
    builtin_outline_put(&square, aside, ahead, &b);
    assert_float_equal(builtin_outlines_apart(&a, &b), 1, 1e-9);
    builtin_outline_put(&square, aside, askew, &b);
    assert_float_equal(builtin_outlines_apart(&a, &b), 1.5 - root, 1e-9);
    builtin_outline_put(&square, corner, ahead, &b);
    assert_float_equal(builtin_outlines_apart(&a, &b), 2 * root, 1e-9);
    builtin_outline_put(&square, here, askew, &b);
    assert_true(builtin_outlines_apart(&a, &b) < 0);
    assert_float_equal(builtin_outline_reach(&square, askew), root, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_has_the_gaps_that_are_told),
        cmocka_unit_test(a_row_is_as_far_from_a_thing_as_is_told),
        cmocka_unit_test(an_even_row_has_equal_gaps_in_a_straight_line),
        cmocka_unit_test(a_row_has_the_order_that_is_told),
        cmocka_unit_test(a_row_told_by_left_and_right_lies_across_the_picture),
        cmocka_unit_test(what_a_later_part_places_is_measured_by_that),
        cmocka_unit_test(a_ring_has_the_gap_that_is_told_to_what_is_round),
        cmocka_unit_test(a_ring_is_all_round_and_looks_where_it_is_told),
        cmocka_unit_test(outlines_are_apart_by_their_nearest_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
