/* Relations to walls and corners, and to what stands or hangs at them. The
 * camera looks along +Y, so left is -X and before is -Y. */

#include "read_world.h"
#include "worker/builtin/relation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* A floor from -2 to 2 and -1.6 to 1.6 with a wall at its left and one at its
 * back; a rack with its back to the left wall; a tub. */
static facts_world walled(void)
{
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
    int left = facts_world_add(&w, "Left Wall", -1.95, 0, 0.1, 3.2, 2.4,
                               "white", floor),
        back = facts_world_add(&w, "Back Wall", 0, 1.55, 4, 0.1, 2.4, "white",
                               floor);
    w.things[floor].is_static = w.things[left].is_static =
        w.things[back].is_static = true;
    facts_world_add(&w, "Rack", -1.7, 0.2, 0.36, 1.0, 1.2, "brown", floor);
    facts_world_add(&w, "Cup", 0.5, 0.5, 0.08, 0.08, 0.08, "red", floor);
    facts_world_add(&w, "Stool", 0.8, -0.6, 0.4, 0.4, 0.5, "blue", floor);
    return w;
}

/* In a picture that shows the back wall askew, the right of what stands at that
 * wall is along it; of what stands free it is the picture's. */
static void beside_what_stands_at_a_wall_is_along_it(void **state)
{
    (void)state;
    facts_world w = walled();
    facts_world_add(&w, "Cabinet", 0.5, 1.3, 0.8, 0.4, 0.8, "white", 0);
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(&w, &arena);
    const double right[3] = {0.75, 0.66, 0}, forward[3] = {-0.6, 0.68, -0.4},
                 up[3] = {-0.26, 0.3, 0.92};
    memcpy(facts.right, right, sizeof right);
    memcpy(facts.forward, forward, sizeof forward);
    memcpy(facts.up, up, sizeof up);
    builtin_move move = read_world_move(
        &facts, "Put the stool to the right of the cabinet", &arena);
    const uint32_t stool = move.objects.objects[0];
    assert_true(
        builtin_misfit(&facts, &move, stool, (double[3]){1.2, 1.3, 0.02}) <= 0);
    assert_true(
        builtin_misfit(&facts, &move, stool, (double[3]){-0.2, 1.3, 0.02}) > 0);
    move = read_world_move(&facts, "Put the cup to the right of the stool",
                           &arena);
    assert_true(builtin_misfit(&facts, &move, move.objects.objects[0],
                               (double[3]){1.08, -0.3, 0.02}) <= 0);
    etna_arena_free(&arena);
}

static void rooms_have_corners_of_walls_and_furniture_looks_into_them(
    void **state)
{
    (void)state;
    static const struct {
        const char *sentence;
        double x, y, z;
        bool fits;
    } rows[] = {
        {"Put the cup in the corner of the room", -1.8, 1.4, 0.02, true},
        {"Put the cup in a corner", -1.8, 1.4, 0.02, true},
        /* no walls meet there */
        {"Put the cup in the corner of the room", 1.9, -1.5, 0.02, false},
        {"Put the cup in the corner of the room", -1.8, -1.5, 0.02, false},
        {"Put the cup in the front right corner of the room", 1.9, -1.5, 0.02,
         true}, /* unless it is said */
        {"Put the cup in front of the rack", -1.3, 0.2, 0.02, true},
        {"Put the cup in front of the rack", -1.7, -0.5, 0.02,
         false}, /* nearer to the camera, but at its side */
        {"Put the stool in front of the rack", -1.1, 0.3, 0.02, true},
        {"Put the cup behind the rack", -1.7, 0.9, 0.02,
         true}, /* behind its back is the wall: farther away, then */
        {"Put the cup in the rack", -1.7, 0.2, 0.5, true},
        /* on top of it is not in it */
        {"Put the cup in the rack", -1.7, 0.2, 1.22, false},
        {"Put the cup under the stool", 0.8, -0.6, 0.02, true},
        {"Put the cup under the stool", 0.8, -0.6, 0.52, false},
        {"Put the stool where the cup is", 0.5, 0.5, 0.02, true},
        {"Put the stool where the cup is", 0.58, 0.5, 0.02,
         true}, /* a large thing, to the decimetre */
        {"Put the stool where the cup is", 0.9, 0.5, 0.02, false},
        {"Put the cup where the stool was", 0.8, -0.6, 0.02, true},
        {"Put the cup where the stool was", 0.9, -0.6, 0.02, false},
        /* midway */
        {"Put the cup where the rack and the stool are", -0.45, -0.2, 0.02,
         true},
    };
    facts_world w = walled();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        builtin_facts facts = read_world_facts(&w, &arena);
        builtin_move move = read_world_move(&facts, rows[i].sentence, &arena);
        const double at[3] = {rows[i].x, rows[i].y, rows[i].z};
        double misfit =
            builtin_misfit(&facts, &move, move.objects.objects[0], at);
        if ((misfit <= 0) != rows[i].fits)
            fail_msg("%s, at %g, %g, %g: misfit %g", rows[i].sentence, at[0],
                     at[1], at[2], misfit);
        etna_arena_free(&arena);
    }
}

/* What would make room is as if it were not there, and each costs. */
static void under_what_hangs_at_a_wall_is_before_that_wall(void **state)
{
    (void)state;
    static const struct {
        const char *sentence;
        double x, y;
        bool fits;
    } rows[] = {
        {"Put the stool under the painting", 0.9, 1.28,
         true}, /* deeper than the painting, and against the wall */
        {"Put the stool under the painting", 0.9, 1.0, false},
        {"Put the stool under the painting", 0.2, 1.28, false},
        {"Put the cup under the painting", 0.9, 1.44, true},
        {"Put the cup under the painting", 0.9, 1.2, false},
    };
    facts_world w = walled();
    int painting = facts_world_add(&w, "Painting", 0.9, 1.48, 0.5, 0.04, 0.4,
                                   "brown", facts_world_find(&w, "Floor"));
    w.things[painting].hover = 1.2;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        builtin_facts facts = read_world_facts(&w, &arena);
        builtin_move move = read_world_move(&facts, rows[i].sentence, &arena);
        const double at[3] = {rows[i].x, rows[i].y, 0.02};
        double misfit =
            builtin_misfit(&facts, &move, move.objects.objects[0], at);
        if ((misfit <= 0) != rows[i].fits)
            fail_msg("%s, at %g, %g: misfit %g", rows[i].sentence, at[0], at[1],
                     misfit);
        etna_arena_free(&arena);
    }
}

/* A picture is carried by its wall, and a wall has a top: nothing beside or
 * below the picture is meant to stand there. */
static void what_a_wall_carries_has_its_neighbours_on_the_floor(void **state)
{
    (void)state;
    facts_world w = walled();
    int painting = facts_world_add(&w, "Painting", 0.9, 1.3, 0.5, 0.04, 0.4,
                                   "brown", facts_world_find(&w, "Floor"));
    w.things[painting].leans = true;
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(&w, &arena);
    const uint32_t wall = (uint32_t)facts_world_find(&w, "Back Wall");
    ((builtin_object *)(uintptr_t)facts.objects)[painting].by = &wall;
    builtin_move move =
        read_world_move(&facts, "Put the cup beside the painting", &arena);
    assert_int_equal(builtin_support_of(&facts, &move, move.objects.objects[0]),
                     facts_world_find(&w, "Floor"));
    etna_arena_free(&arena);
}

static void several_things_in_the_corner_are_in_one(void **state)
{
    (void)state;
    facts_world w = walled();
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_move both = read_world_move(
        &facts, "Put the cup and the stool in the corner", &arena);
    assert_int_equal(both.sides, SIDE_LEFT | SIDE_BACK);
    const uint32_t cup = (uint32_t)facts_world_find(&w, "Cup");
    assert_true(
        builtin_misfit(&facts, &both, cup, (double[3]){-1.35, 1.35, 0.02}) <=
        0); /* the stool is in it */
    assert_true(
        builtin_misfit(&facts, &both, cup, (double[3]){-0.9, 1.35, 0.02}) > 0);
    builtin_move one =
        read_world_move(&facts, "Put the cup in the corner", &arena);
    assert_int_equal(one.sides, 0);
    etna_arena_free(&arena);
}

static void what_goes_to_a_wall_leaves_its_rug(void **state)
{
    (void)state;
    enum {
        FLOOR,
        WALL,
        RUG,
        TRUNK
    };
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
    facts_world_add(&w, "Left Wall", -1.95, 0, 0.1, 3.2, 2.4, "white", FLOOR);
    facts_world_add(&w, "Rug", 0, 0, 1.6, 1.2, 0.01, "red", FLOOR);
    facts_world_add(&w, "Trunk", 0, 0, 0.8, 0.5, 0.4, "brown", RUG);
    w.things[FLOOR].is_static = w.things[WALL].is_static = true;
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_move move =
        read_world_move(&facts, "Push the trunk against the left wall", &arena);
    assert_int_equal(builtin_support_of(&facts, &move, TRUNK), FLOOR);
    etna_arena_free(&arena);
}

/* Two chairs face each other from the ends of a table, but where one end is at a
 * wall across its long sides. */
static void who_sits_opposite_sits_where_a_wall_leaves_room(void **state)
{
    (void)state;
    static const struct {
        double wall; /* x */
        unsigned sides;
    } rows[] = {{1.4, SIDE_FRONT | SIDE_BACK}, {3, SIDE_LEFT | SIDE_RIGHT}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        facts_world w = facts_world_new();
        int floor = facts_world_add(&w, "Floor", 0, 0, 8, 6, 0.02, "grey", -1);
        int wall = facts_world_add(&w, "Wall", rows[i].wall, 0, 0.1, 6, 2.5,
                                   "white", -1);
        w.things[floor].is_static = w.things[wall].is_static = true;
        facts_world_add(&w, "Table", 0.45, 0, 1.6, 0.8, 0.7, "brown", floor);
        facts_world_add(&w, "Red Chair", -2, -1, 0.4, 0.4, 0.8, "red", floor);
        facts_world_add(&w, "Blue Chair", -2, 1, 0.4, 0.4, 0.8, "blue", floor);
        builtin_facts facts = read_world_facts(&w, &arena);
        builtin_reading *reading = etna_arena_alloc(&arena, 1, sizeof *reading);
        assert_non_null(reading);
        assert_int_equal(
            builtin_read(&facts,
                         "Put both chairs at the table facing each other",
                         &arena, reading, NULL),
            ETNA_OK);
        assert_int_equal(reading->count, 2);
        assert_int_equal(reading->moves[0].sides | reading->moves[1].sides,
                         rows[i].sides);
        etna_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_sits_opposite_sits_where_a_wall_leaves_room),
        cmocka_unit_test(beside_what_stands_at_a_wall_is_along_it),
        cmocka_unit_test(
            rooms_have_corners_of_walls_and_furniture_looks_into_them),
        cmocka_unit_test(under_what_hangs_at_a_wall_is_before_that_wall),
        cmocka_unit_test(what_a_wall_carries_has_its_neighbours_on_the_floor),
        cmocka_unit_test(several_things_in_the_corner_are_in_one),
        cmocka_unit_test(what_goes_to_a_wall_leaves_its_rug),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
