/* Places: inside the free cells, apart from each other, at the height there is,
 * away from what was given up. */
#include "read_world.h"

#include "proto/ascii.h"
#include "worker/builtin/relation.h"
#include "worker/builtin/spot.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    FLOOR,
    TABLE,
    BLOCK,
    CUP
};

static facts_world world(void)
{
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 3, 2, 0.02, "grey", -1);
    w.things[FLOOR].is_static = true;
    facts_world_add(&w, "Table", 0, 0, 1.0, 0.6, 0.7, "brown", FLOOR);
    facts_world_add(&w, "Block", -0.3, 0, 0.2, 0.6, 0.1, "yellow", TABLE);
    facts_world_add(&w, "Cup", 0.9, 0.6, 0.08, 0.08, 0.1, "white", FLOOR);
    return w;
}

static uint32_t find(const facts_world *w,
                     builtin_wish wish,
                     builtin_spot *spots)
{
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(w, &arena);
    uint32_t count = 99;
    etna_error err = {0};
    if (builtin_spots(&facts, &wish, spots, &count, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    for (uint32_t i = 0; i < count; i++) {
        double image[2];
        assert_true(builtin_project(&facts, spots[i].point, image, NULL));
        assert_true(fabs(image[0] - spots[i].image[0]) < 1e-12 &&
                    fabs(image[1] - spots[i].image[1]) < 1e-12);
        for (uint32_t k = 0; k < i; k++) {
            assert_true(fabs(spots[i].point[0] - spots[k].point[0]) +
                            fabs(spots[i].point[1] - spots[k].point[1]) >
                        0.03);
        }
    }
    etna_arena_free(&arena);
    return count;
}

static void a_roomy_place_is_in_the_middle_of_what_is_free(void **state)
{
    (void)state;
    facts_world w = world();
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    uint32_t count = find(
        &w,
        (builtin_wish){.object = CUP, .reference = TABLE, .taste = TASTE_ROOMY},
        spots);
    assert_int_equal(count, BUILTIN_SPOTS_MAX);
    assert_true(fabs(spots[0].point[2] - 0.72) < 1e-9);
    assert_true(spots[0].clear > 0.15);
    for (uint32_t i = 0; i < count;
         /* right of the block, which covers x < -0.2, and wholly on the
          * table */
         i++) {
        assert_true(spots[i].point[0] - 0.04 > -0.2 - 1e-9 &&
                    spots[i].point[0] + 0.04 < 0.5 + 1e-3);
        assert_true(fabs(spots[i].point[1]) + 0.04 < 0.3 + 1e-3);
    }
}

/* A room that is one mesh has its roof among its surfaces: nothing is put up
 * there, and the floor is not inside it. */
static void the_floor_under_a_roof_of_the_same_mesh_is_a_place(void **state)
{
    (void)state;
    facts_world w = world();
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_surface surfaces[8];
    assert_in_range(facts.surface_count, 1, 7);
    uint32_t floor = 0;
    for (uint32_t i = 0; i < facts.surface_count; i++) {
        surfaces[i] = facts.surfaces[i];
        if (surfaces[i].object == FLOOR)
            floor = i;
    }
    surfaces[facts.surface_count] = surfaces[floor];
    surfaces[facts.surface_count].height = 2.5;
    surfaces[facts.surface_count].shut = true;
    facts.surfaces = surfaces;
    facts.surface_count++;
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    builtin_wish wish = {
        .object = CUP, .reference = FLOOR, .taste = TASTE_ROOMY};
    uint32_t count = 0;
    etna_error err = {0};
    assert_int_equal(builtin_spots(&facts, &wish, spots, &count, &err),
                     ETNA_OK);
    assert_true(count > 0);
    for (uint32_t i = 0; i < count; i++)
        assert_true(fabs(spots[i].point[2] - 0.02) < 1e-9);
    etna_arena_free(&arena);
}

/* Where nobody sees, things are put only by who says so. */
static void on_a_bookcase_is_on_a_board_and_not_on_its_roof(void **state)
{
    (void)state;
    enum {
        GROUND,
        CASE,
        BALL
    };
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 3, 2, 0.02, "grey", -1);
    facts_world_add(&w, "Bookcase", 0, 0, 1.0, 0.4, 1.8, "brown", GROUND);
    facts_world_add(&w, "Ball", 0.9, 0.6, 0.1, 0.1, 0.1, "white", GROUND);
    w.things[GROUND].is_static = true;
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_surface surfaces[8];
    uint32_t count = 0;
    assert_in_range(facts.surface_count, 1, 6);
    for (uint32_t i = 0; i < facts.surface_count; i++) {
        surfaces[count++] = facts.surfaces[i];
        if (facts.surfaces[i].object != CASE)
            continue;
        surfaces[count] = facts.surfaces[i];
        surfaces[count++].height = 0.5;
    }
    facts.surfaces = surfaces;
    facts.surface_count = count;
    const uint32_t ball = BALL;
    builtin_move move = {.objects = {.count = 1, .objects = &ball, .need = 1},
                         .relation = RELATION_ON,
                         .reference = CASE,
                         .second = BUILTIN_NONE,
                         .support = BUILTIN_NONE,
                         .faced = BUILTIN_NONE,
                         .gap = -1,
                         .spacing = -1};
    const builtin_wish wish = {
        .object = BALL, .reference = CASE, .taste = TASTE_ROOMY, .move = &move};
    /* by level; 0: not said */
    static const double heights[] = {0.5, 0.5, 1.82};
    for (uint32_t level = 0; level < 3; level++) {
        builtin_spot spots[BUILTIN_SPOTS_MAX];
        uint32_t found = 0;
        etna_error err = {0};
        move.level = level;
        assert_int_equal(builtin_spots(&facts, &wish, spots, &found, &err),
                         ETNA_OK);
        assert_true(found > 0);
        assert_float_equal(spots[0].point[2], heights[level], 1e-9);
    }
    /* nor is what makes way put up there */
    const double foot = 0.75;
    const builtin_wish aside = {.object = BALL,
                                .reference = CASE,
                                .taste = TASTE_NEAR,
                                .near = {0.9, 0.6},
                                .near_foot = &foot};
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    uint32_t found = 0;
    assert_int_equal(builtin_spots(&facts, &aside, spots, &found, NULL),
                     ETNA_OK);
    assert_true(found > 0);
    assert_float_equal(spots[0].point[2], heights[0], 1e-9);
    etna_arena_free(&arena);
}

enum {
    BOARDS_FLOOR,
    BOARDS,
    THING
};

/* Something of two boards on a floor and a thing beside it. */
static builtin_facts boards_world(const char *name, etna_arena *arena)
{
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 3, 3, 0.02, "grey", -1);
    facts_world_add(&w, name, 0, 0, 1.8, 0.6, 0.9, "brown", BOARDS_FLOOR);
    facts_world_add(&w, "Thing", 1.2, 1.2, 0.3, 0.3, 0.28, "grey",
                    BOARDS_FLOOR);
    w.things[BOARDS_FLOOR].is_static = true;
    return read_world_facts(&w, arena);
}

/* Its top at the one height, with `free` of its columns, and a board at the
 * other with 30 cm over it. */
static void become_boards(builtin_facts *facts,
                          const double heights[2],
                          uint32_t free,
                          etna_arena *arena)
{
    builtin_surface *all =
        etna_arena_alloc(arena, facts->surface_count + 1, sizeof *all);
    uint32_t count = 0;
    assert_non_null(all);
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        all[count++] = facts->surfaces[i];
        if (facts->surfaces[i].object != BOARDS)
            continue;
        const uint32_t columns = facts->surfaces[i].columns;
        const uint32_t cells = columns * facts->surfaces[i].rows;
        uint8_t *open = etna_arena_alloc(arena, cells, 1);
        uint8_t *low = etna_arena_alloc(arena, cells, 1);
        assert_true(open && low);
        memset(low, 30, cells);
        for (uint32_t k = 0; k < cells; k++)
            open[k] = k % columns < free ? BUILTIN_CLEAR_MOST : 0;
        all[count - 1].height = heights[0];
        all[count - 1].map = (builtin_map){.clear = open, .fixed = open};
        all[count] = facts->surfaces[i];
        all[count].height = heights[1];
        all[count++].map = (builtin_map){.clear = low, .fixed = low};
    }
    facts->surfaces = all;
    facts->surface_count = count;
}

/* The height at which a thing would come that is to be on or in it. */
static double board_chosen(const builtin_facts *facts,
                           builtin_relation relation,
                           uint32_t level)
{
    const uint32_t thing = THING;
    const builtin_move move = {
        .objects = {.count = 1, .objects = &thing, .need = 1},
        .relation = relation,
        .reference = BOARDS,
        .second = BUILTIN_NONE,
        .support = BUILTIN_NONE,
        .faced = BUILTIN_NONE,
        .level = level,
        .gap = -1,
        .spacing = -1};
    const builtin_wish wish = {.object = THING,
                               .reference = BOARDS,
                               .taste = TASTE_ROOMY,
                               .move = &move};
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    uint32_t found = 0;
    assert_int_equal(builtin_spots(facts, &wish, spots, &found, NULL), ETNA_OK);
    assert_true(found > 0);
    return spots[0].point[2];
}

/* A bench is sat on by its name, so what lies under its top is not meant where
 * no board is said. */
static void a_bench_has_a_lower_board_where_one_is_said(void **state)
{
    (void)state;
    static const double heights[] = {0.92, 0.25};
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = boards_world("Potting Bench", &arena);
    become_boards(&facts, heights, 1000, &arena);
    assert_float_equal(board_chosen(&facts, RELATION_ON, 0), 0.92, 1e-9);
    assert_float_equal(board_chosen(&facts, RELATION_ON, 1), 0.25, 1e-9);
    assert_float_equal(board_chosen(&facts, RELATION_ON, 2), 0.92, 1e-9);
    etna_arena_free(&arena);
}

/* Little of the mattress is free, and all of what lies under it. */
static void into_a_crib_is_onto_its_mattress(void **state)
{
    (void)state;
    static const double heights[] = {0.5, 0.1};
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = boards_world("Crib", &arena);
    become_boards(&facts, heights, 20, &arena);
    assert_float_equal(board_chosen(&facts, RELATION_IN, 0), 0.5, 1e-9);
    etna_arena_free(&arena);
}

enum {
    HALL_FLOOR,
    HALL_WALL,
    CABINET,
    LAMP
};

/* A cabinet with its back to the wall, in a picture that shows it askew, and a
 * lamp off its corner. */
static builtin_spot beside_the_cabinet(builtin_relation relation)
{
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 5, 4, 0.02, "grey", -1);
    facts_world_add(&w, "Back Wall", 0, 2, 5, 0.1, 2.4, "white", HALL_FLOOR);
    facts_world_add(&w, "Cabinet", 0, 1.69, 1.4, 0.5, 1.2, "brown", HALL_FLOOR);
    facts_world_add(&w, "Lamp", 1.3, 0.8, 0.36, 0.36, 1.4, "red", HALL_FLOOR);
    w.things[HALL_FLOOR].is_static = w.things[HALL_WALL].is_static = true;
    const uint32_t lamp = LAMP;
    const builtin_move move = {
        .objects = {.count = 1, .objects = &lamp, .need = 1},
        .relation = relation,
        .reference = CABINET,
        .second = BUILTIN_NONE,
        .support = BUILTIN_NONE,
        .faced = BUILTIN_NONE,
        .gap = -1,
        .spacing = -1};
    builtin_spot spots[BUILTIN_SPOTS_MAX] = {0};
    const uint32_t count = find(&w,
                                (builtin_wish){.object = LAMP,
                                               .reference = HALL_FLOOR,
                                               .taste = TASTE_ROOMY,
                                               .move = &move},
                                spots);
    assert_true(count > 0);
    return spots[0];
}

static void beside_a_thing_is_at_its_side_and_not_off_its_corner(void **state)
{
    (void)state;
    const builtin_spot beside = beside_the_cabinet(RELATION_BESIDE);
    assert_true(beside.point[0] > 0.88);
    assert_true(fabs(beside.point[1] - 1.69) < 0.12);
}

static void before_a_thing_is_before_its_middle(void **state)
{
    (void)state;
    const builtin_spot before = beside_the_cabinet(RELATION_FRONT);
    assert_true(fabs(before.point[0]) < 0.05);
    assert_true(before.point[1] < 1.26);
}

/* A cash register hides in the picture what is behind the counter's middle: that
 * is what is meant all the same, and not the gap past its end that shows. */
static void behind_a_counter_is_within_its_ends(void **state)
{
    (void)state;
    enum {
        GROUND,
        COUNTER,
        REGISTER,
        SIGN,
        CRATE
    };
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 6, 4.8, 0.02, "grey", -1);
    facts_world_add(&w, "Counter", 0, 0, 2, 0.68, 0.96, "brown", GROUND);
    facts_world_add(&w, "Register", -0.4, 0, 0.9, 0.4, 0.38, "black", COUNTER);
    facts_world_add(&w, "Sign", 0.55, 0, 0.9, 0.1, 0.4, "red", COUNTER);
    facts_world_add(&w, "Crate", -2.5, -1, 0.5, 0.36, 0.27, "yellow", GROUND);
    w.things[GROUND].is_static = true;
    const uint32_t crate = CRATE;
    const builtin_move move = {
        .objects = {.count = 1, .objects = &crate, .need = 1},
        .relation = RELATION_BEHIND,
        .reference = COUNTER,
        .second = BUILTIN_NONE,
        .support = BUILTIN_NONE,
        .faced = BUILTIN_NONE,
        .gap = -1,
        .spacing = -1};
    builtin_spot spots[BUILTIN_SPOTS_MAX] = {0};
    const uint32_t count = find(&w,
                                (builtin_wish){.object = CRATE,
                                               .reference = GROUND,
                                               .taste = TASTE_ROOMY,
                                               .move = &move},
                                spots);
    assert_true(count > 0);
    assert_true(spots[0].point[1] > 0.5);
    if (fabs(spots[0].point[0]) > 0.75)
        fail_msg("at %g", spots[0].point[0]);
}

/* Where two walls of a house meet is a corner of a room, though the floor goes
 * on behind them. */
static void a_corner_is_where_walls_meet_within_a_house(void **state)
{
    (void)state;
    enum {
        GROUND,
        PARTITION,
        NORTH,
        BOX
    };
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 8, 6, 0.02, "grey", -1);
    facts_world_add(&w, "Partition", 0.5, 1.5, 0.1, 3, 2.4, "white", GROUND);
    facts_world_add(&w, "North Wall", 0, 3, 8, 0.1, 2.4, "white", GROUND);
    facts_world_add(&w, "Box", 3, 0, 0.4, 0.4, 0.4, "red", GROUND);
    w.things[GROUND].is_static = w.things[PARTITION].is_static =
        w.things[NORTH].is_static = true;
    etna_arena arena = ETNA_ARENA_INIT;
    const builtin_facts facts = read_world_facts(&w, &arena);
    const uint32_t box = BOX;
    const builtin_move move = {
        .objects = {.count = 1, .objects = &box, .need = 1},
        .relation = RELATION_CORNER,
        .reference = GROUND,
        .second = BUILTIN_NONE,
        .support = BUILTIN_NONE,
        .faced = BUILTIN_NONE,
        .gap = -1,
        .spacing = -1};
    static const struct {
        double x, y;
        bool holds;
    } rows[] = {{0.8, 2.7, true},
                {0.2, 2.7, true},
                {2, 2.7, false},
                {0.8, 1, false},
                {0.8, -1, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const double at[3] = {rows[i].x, rows[i].y, 0.02};
        assert_int_equal(builtin_misfit(&facts, &move, BOX, at) <= 0,
                         rows[i].holds);
    }
    etna_arena_free(&arena);
}

/* In a hall of 99 m2 not every cell is looked at first: along a wall, where few
 * will do, all are. */
static void a_hall_has_places_along_its_walls_for_things_of_any_depth(
    void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        facts_world w = facts_world_new();
        facts_world_add(&w, "Floor", 0, 0, 11, 9, 0.02, "grey", -1);
        facts_world_add(&w, "Left Wall", -5.55, 0, 0.1, 9, 2.4, "white", FLOOR);
        facts_world_add(&w, "Crate", 2, 0, 1.5 + 0.04 * i, 3, 0.8, "yellow",
                        FLOOR);
        w.things[0].is_static = w.things[1].is_static = true;
        etna_arena arena = ETNA_ARENA_INIT;
        builtin_facts facts = read_world_facts(&w, &arena);
        const uint32_t crate = 2;
        const builtin_move move = {
            .objects = {.count = 1, .objects = &crate, .need = 1},
            .reference = 1,
            .relation = RELATION_AGAINST,
            .second = BUILTIN_NONE,
            .support = BUILTIN_NONE,
            .faced = BUILTIN_NONE,
            .gap = -1,
            .spacing = -1};
        builtin_spot spots[BUILTIN_SPOTS_MAX];
        const builtin_wish wish = {
            .object = crate, .reference = FLOOR, .move = &move};
        uint32_t count = 0;
        etna_error err = {0};
        assert_int_equal(builtin_spots(&facts, &wish, spots, &count, &err),
                         ETNA_OK);
        assert_true(count > 0);
        etna_arena_free(&arena);
    }
}

static void a_tight_place_is_at_an_edge(void **state)
{
    (void)state;
    facts_world w = world();
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    assert_true(find(&w,
                     (builtin_wish){.object = CUP,
                                    .reference = TABLE,
                                    .taste = TASTE_TIGHT},
                     spots) > 0);
    assert_true(spots[0].clear < 0.03);
}

/* Turned by 45 degrees a board's rectangle is far wider than the gap that the
 * board itself goes through. */
static void what_stands_askew_takes_the_room_of_its_own_outline(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 3, 2, 0.02, "grey", -1);
    w.things[FLOOR].is_static = true;
    facts_world_add(&w, "Table", 0, 0, 1.0, 1.0, 0.7, "brown", FLOOR);
    facts_world_add(&w, "Block", 0.3, -0.3, 0.3, 0.3, 0.1, "yellow", TABLE);
    facts_world_add(&w, "Board", 1.2, 0.6, 0.9, 0.1, 0.1, "white", FLOOR);
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_object *objects = etna_arena_memdup(
        &arena, facts.objects, facts.object_count * sizeof *objects);
    assert_non_null(objects);
    const double half = 0.70710678118654752;
    objects[CUP].heading[0] = -half;
    objects[CUP].heading[1] = half;
    facts.objects = objects;
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    builtin_wish wish = {
        .object = CUP, .reference = TABLE, .taste = TASTE_ROOMY};
    uint32_t count = 0;
    etna_error err = {0};
    assert_int_equal(builtin_spots(&facts, &wish, spots, &count, &err),
                     ETNA_OK);
    assert_true(count > 0 && !spots[0].centre_only && !spots[0].squeezed);
    objects[CUP].heading[0] = half; /* across the block, whichever way */
    objects[CUP].half[0] = 0.68;
    assert_int_equal(builtin_spots(&facts, &wish, spots, &count, &err),
                     ETNA_OK);
    assert_true(count == 0 || spots[0].centre_only);
    etna_arena_free(&arena);
}

/* Beside the block 35 cells are free, 0.7 m; half a centimetre more would be
 * grown to 36. */
static void what_has_a_centimetre_to_spare_is_squeezed_in(void **state)
{
    (void)state;
    facts_world w = world();
    w.things[CUP].size[0] = 0.705;
    w.things[CUP].size[1] = 0.1;
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    const builtin_wish wish = {
        .object = CUP, .reference = TABLE, .taste = TASTE_ROOMY};
    uint32_t count = find(&w, wish, spots);
    assert_true(count > 0 && spots[0].squeezed && !spots[0].centre_only);
    assert_float_equal(spots[0].point[0], 0.15, 0.011);
    w.things[CUP].size[0] = 0.7;
    assert_true(find(&w, wish, spots) > 0 && !spots[0].squeezed);
}

static void a_near_place_is_near(void **state)
{
    (void)state;
    facts_world w = world();
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    builtin_wish wish = {.object = CUP,
                         .reference = TABLE,
                         .taste = TASTE_NEAR,
                         .near = {0.6, -0.4}};
    assert_true(find(&w, wish, spots) > 0);
    assert_true(spots[0].point[0] > 0.25 && spots[0].point[1] < -0.05);
}

static void what_is_taken_or_given_up_is_left_alone(void **state)
{
    (void)state;
    facts_world w = world();
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    builtin_rect right = {{0.0, -0.3}, {0.5, 0.3}};
    builtin_wish wish = {.object = CUP,
                         .reference = TABLE,
                         .taste = TASTE_ROOMY,
                         .taken = &right,
                         .taken_count = 1};
    uint32_t count = find(&w, wish, spots);
    assert_true(count > 0);
    for (uint32_t i = 0; i < count; i++)
        assert_true(spots[i].point[0] + 0.04 < 1e-3);
    find(
        &w,
        (builtin_wish){.object = CUP, .reference = TABLE, .taste = TASTE_ROOMY},
        spots);
    double avoid[1][3] = {{spots[0].point[0], spots[0].point[1],
                           spots[0].point[2] + 0.05}},
           before[2] = {spots[0].image[0], spots[0].image[1]};
    wish = (builtin_wish){.object = CUP,
                          .reference = TABLE,
                          .taste = TASTE_ROOMY,
                          .avoid = (const double(*)[3])avoid,
                          .avoid_count = 1};
    assert_true(find(&w, wish, spots) > 0);
    assert_true(fabs(spots[0].image[0] - before[0]) +
                    fabs(spots[0].image[1] - before[1]) >
                0.05);
}

static void a_full_thing_has_no_place_and_a_small_one_its_middle(void **state)
{
    (void)state;
    facts_world w = world();
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    /* larger than the table is deep */
    w.things[CUP].size[0] = w.things[CUP].size[1] = 0.64;
    assert_int_equal(find(&w,
                          (builtin_wish){.object = CUP,
                                         .reference = TABLE,
                                         .taste = TASTE_ROOMY},
                          spots),
                     0);
    w.things[CUP].size[0] = w.things[CUP].size[1] = 0.3;
    assert_int_equal(find(&w,
                          (builtin_wish){.object = CUP,
                                         .reference = BLOCK,
                                         .taste = TASTE_ROOMY},
                          spots),
                     1);
    assert_true(spots[0].centre_only);
    assert_true(fabs(spots[0].point[0] + 0.3) < 1e-9 &&
                fabs(spots[0].point[1]) < 1e-9);
    w.things[BLOCK].no_top = true;
    assert_int_equal(find(&w,
                          (builtin_wish){.object = CUP,
                                         .reference = BLOCK,
                                         .taste = TASTE_ROOMY},
                          spots),
                     1);
    assert_int_equal(spots[0].surface, BUILTIN_NONE);
}

/* What is free over a cell is measured: a thing fits beneath a board that is as
 * high over it, and one a little taller does not. */
static void a_low_place_is_none_for_a_tall_thing(void **state)
{
    (void)state;
    facts_world w = world();
    for (int tall = 0; tall < 2; tall++) {
        etna_arena arena = ETNA_ARENA_INIT;
        builtin_facts facts = read_world_facts(&w, &arena);
        builtin_object *objects = etna_arena_memdup(
            &arena, facts.objects, facts.object_count * sizeof *objects);
        builtin_surface *surfaces = etna_arena_memdup(
            &arena, facts.surfaces, facts.surface_count * sizeof *surfaces);
        assert_non_null(objects);
        assert_non_null(surfaces);
        for (uint32_t i = 0; i < facts.surface_count; i++) {
            const size_t cells = (size_t)surfaces[i].columns * surfaces[i].rows;
            uint8_t *clear =
                etna_arena_memdup(&arena, surfaces[i].map.clear, cells);
            assert_non_null(clear);
            for (size_t c = 0; c < cells; c++)
                clear[c] = clear[c] > 45 ? 45 : clear[c];
            surfaces[i].map.clear = clear;
            surfaces[i].map.fixed = clear;
            surfaces[i].map.layer_count = 0;
        }
        facts.surfaces = surfaces;
        objects[CUP].half[2] = tall ? 0.2265 : 0.225;
        facts.objects = objects;
        builtin_spot spots[BUILTIN_SPOTS_MAX];
        uint32_t count = 99;
        builtin_wish wish = {
            .object = CUP, .reference = TABLE, .taste = TASTE_ROOMY};
        assert_int_equal(builtin_spots(&facts, &wish, spots, &count, NULL),
                         ETNA_OK);
        assert_int_equal(count > 0, !tall);
        etna_arena_free(&arena);
    }
}

/* Every field of the facts that is dropped or of the wrong type is named, and
 * nothing is read then. */
static void facts_with_a_field_wrong_are_refused(void **state)
{
    (void)state;
    static const char *const fields[] = {"\"version\":1",
                                         "\"matrix\":[1.0,",
                                         "\"aspect\":",
                                         "\"half_height\":",
                                         "\"name\":\"Table\"",
                                         "\"centre\":[",
                                         "\"half\":[",
                                         "\"front\":[",
                                         "\"support\":",
                                         "\"supported_by\":[",
                                         "\"supports\":[",
                                         "\"plane\":",
                                         "\"object\":\"Table\"",
                                         "\"height\":0.7",
                                         "\"polygon\":[",
                                         "\"cell\":",
                                         "\"origin\":[",
                                         "\"columns\":",
                                         "\"rows\":",
                                         "\"clear\":[",
                                         "\"over\":[",
                                         "\"category\":",
                                         "\"target\":[",
                                         "\"collisions\":["};
    facts_world w = world();
    w.moved = CUP;
    char *json = facts_world_json(&w);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        char *bad = strdup(json);
        char *at = strstr(bad, fields[i]);
        if (!at)
            fail_msg("there is no %s", fields[i]);
        at[1] = 'X'; /* the key is another one now */
        etna_arena arena = ETNA_ARENA_INIT;
        builtin_facts facts = {.object_count = 77};
        etna_error err = {0};
        if (builtin_facts_read(bad, strlen(bad), &arena, &facts, &err) !=
            ETNA_E_INPUT)
            fail_msg("%s was not missed", fields[i]);
        assert_int_equal(facts.object_count, 77);
        etna_arena_free(&arena);
        free(bad);
    }
    free(json);
}

/* What is moved leaves free what it stands on, and nothing of a surface at that
 * height that it does not stand on: a lawn's hill is one surface with the
 * ground around the table, where nothing is free. */
static void what_goes_leaves_only_its_own_ground_free(void **state)
{
    (void)state;
    facts_world w = world();
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    w.things[facts_world_add(&w, "Lawn", 0.9, 0.6, 0.5, 0.5, 0.05, "green", -1)]
        .is_static = true;
    w.things[CUP].size[0] = w.things[CUP].size[1] =
        0.48; /* as wide as the lawn's surface, which it does not stand on */
    char *json = facts_world_json(&w),
         *mark = strstr(json, "\"plane\":\"Lawn_7\""),
         *row = mark ? strstr(mark, "\"clear\":[") : NULL;
    assert_non_null(row);
    for (char *p = row + 9; *p != ']'; p++) {
        if (ascii_is_digit(*p) || (*p >= 'a' && *p <= 'f'))
            *p = '0';
    }
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts;
    uint32_t count = 99;
    assert_int_equal(
        builtin_facts_read(json, strlen(json), &arena, &facts, NULL), ETNA_OK);
    assert_int_equal(builtin_spots(&facts,
                                   &(builtin_wish){.object = CUP,
                                                   .reference = CUP + 1,
                                                   .taste = TASTE_ROOMY},
                                   spots, &count, NULL),
                     ETNA_OK);
    for (uint32_t i = 0; i < count; i++)
        assert_true(spots[i].centre_only);
    etna_arena_free(&arena);
    free(json);
}

/* The camera looks along +Y: behind the cupboard nobody sees the ball. */
static void next_to_a_thing_is_rather_where_it_shows(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 3, 2, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    builtin_move move = {
        .relation = RELATION_BESIDE,
        .reference = (uint32_t)facts_world_add(&w, "Cupboard", 0, 0, 0.5, 0.3,
                                               0.6, "brown", floor),
        .second = BUILTIN_NONE,
        .support = BUILTIN_NONE,
        .faced = BUILTIN_NONE,
        .gap = -1};
    uint32_t ball = (uint32_t)facts_world_add(&w, "Ball", 1, -0.6, 0.1, 0.1,
                                              0.1, "red", floor);
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    builtin_wish wish = {.object = ball,
                         .reference = (uint32_t)floor,
                         .taste = TASTE_ROOMY,
                         .move = &move};
    assert_true(find(&w, wish, spots) > 0);
    for (int i = 0; i < 2; i++)
        assert_true(!spots[i].hidden &&
                    (spots[i].point[1] < 0 || fabs(spots[i].point[0]) > 0.25));
    facts_world_add(&w, "Step", 0, -0.22, 2, 0.1, 0.02, "white",
                    floor); /* its front is taken, its sides are near only */
    facts_world_add(&w, "Left Post", -0.3, 0.3, 0.1, 0.9, 0.1, "white", floor);
    facts_world_add(&w, "Right Post", 0.3, 0.3, 0.1, 0.9, 0.1, "white", floor);
    assert_true(find(&w, wish, spots) > 0);
    assert_true(!spots[0].hidden && fabs(spots[0].point[0]) > 0.25);
}

/* A plate's rim is low: one that is too large to stand within it stands in it
 * all the same. A cup's is not. */
static void plates_nest_and_cups_do_not(void **state)
{
    (void)state;
    facts_world w = world();
    uint32_t plate = (uint32_t)facts_world_add(&w, "Plate", 0.1, 0.2, 0.16,
                                               0.16, 0.0045, "white", TABLE),
             other =
                 (uint32_t)facts_world_add(&w, "Other Plate", 0.1, -0.1, 0.26,
                                           0.26, 0.025, "white", TABLE);
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_object *objects = etna_arena_memdup(
        &arena, facts.objects, facts.object_count * sizeof *objects);
    assert_non_null(objects);
    for (int i = 0; i < 3; i++) {
        double top = i ? 0.06 : 0.0205; /* over the place where things stand */
        static const char *const seat[] = {"chair"};
        if (i == 2) /* a cushion as large as a chair's seat */
            builtin_object_call(&objects[plate], seat, 1);
        objects[plate].half[2] = (0.0045 + top) / 2;
        objects[plate].centre[2] = 0.72 + objects[plate].half[2];
        facts.objects = objects;
        builtin_spot spots[BUILTIN_SPOTS_MAX];
        uint32_t count = 9;
        builtin_wish wish = {
            .object = other, .reference = plate, .taste = TASTE_ROOMY};
        assert_int_equal(builtin_spots(&facts, &wish, spots, &count, NULL),
                         ETNA_OK);
        assert_int_equal(count, i == 1 ? 0 : 1);
    }
    etna_arena_free(&arena);
}

/* A table's vase and books go with it, and so does what stands on the vase's
 * tray: all of them leave their cells free; what stands there of itself does
 * not. */
static void what_makes_room_takes_its_load_along(void **state)
{
    (void)state;
    facts_world w = world();
    uint32_t tray = (uint32_t)facts_world_add(&w, "Tray", 0.15, 0, 0.5, 0.6,
                                              0.02, "white", TABLE),
             vase = (uint32_t)facts_world_add(&w, "Vase", 0.15, 0, 0.1, 0.1,
                                              0.2, "blue", (int)tray);
    facts_world_add(&w, "Book", 0.45, 0, 0.1, 0.6, 0.05, "red", TABLE);
    w.things[CUP].size[0] = w.things[CUP].size[1] = 0.4;
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    builtin_wish wish = {
        .object = CUP, .reference = TABLE, .taste = TASTE_ROOMY};
    assert_int_equal(find(&w, wish, spots), 0);
    const uint32_t away[] = {tray};
    wish.ignored = away;
    wish.ignored_count = 1;
    uint32_t count = find(&w, wish, spots);
    assert_true(count > 0);
    for (uint32_t i = 0; i < count; i++)
        assert_true(spots[i].point[0] - 0.2 > -0.2 - 1e-9 &&
                    spots[i].point[0] + 0.2 < 0.4 + 1e-9);
    assert_true(w.things[vase].on == (int)tray);
}

/* A corner sofa's box takes in the table before it, which bears a tablet: the
 * place under the tablet is free when that has left. */
static void a_box_that_reaches_through_a_table_takes_no_room_on_it(void **state)
{
    (void)state;
    facts_world w = world();
    uint32_t tablet = (uint32_t)facts_world_add(&w, "Tablet", 0.1, 0, 0.2, 0.3,
                                                0.04, "black", TABLE);
    facts_world_add(&w, "Sofa", 0.3, 0.4, 0.6, 1.0, 0.9, "white", FLOOR);
    const uint32_t away[] = {tablet};
    builtin_wish wish = {.object = CUP,
                         .reference = TABLE,
                         .taste = TASTE_NEAR,
                         .near = {0.1, 0},
                         .ignored = away,
                         .ignored_count = 1};
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    assert_true(find(&w, wish, spots) > 0);
    assert_true(fabs(spots[0].point[0] - 0.1) < 0.03 &&
                fabs(spots[0].point[1]) < 0.03);
}

enum {
    SEAT_CELLS = 8,
    SEAT_LEVELS = 3
};
/* A cell of a seat's levels: what is free over it in centimetres. */
static uint8_t seat_clear(int level, uint32_t column, uint32_t row)
{
    bool arm = column == 0 || column == SEAT_CELLS - 1;
    if (level == 0)
        return 20; /* the hollow */
    if (level == 2)
        return arm ? BUILTIN_CLEAR_MOST : 0; /* the arms' tops */
    if (arm || row == SEAT_CELLS - 1)
        return 0; /* the seat, and where its back leans over it */
    return row < 5 ? BUILTIN_CLEAR_MOST : 12;
}

/* The thing's top becomes what an armchair has: arms, before the back a seat
 * that is open above, and a hollow below. */
static void become_armchair(builtin_facts *facts,
                            uint32_t object,
                            etna_arena *arena)
{
    const double heights[SEAT_LEVELS] = {0.15, 0.35, 0.65};
    uint32_t count = 0;
    builtin_surface *all = etna_arena_alloc(
        arena, facts->surface_count + SEAT_LEVELS, sizeof *all);
    assert_non_null(all);
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        if (facts->surfaces[i].object != object)
            all[count++] = facts->surfaces[i];
    }
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        for (int k = 0; k < SEAT_LEVELS && facts->surfaces[i].object == object;
             k++) {
            all[count] = facts->surfaces[i];
            all[count].height = heights[k];
            all[count].cell = 0.1;
            all[count].columns = all[count].rows = SEAT_CELLS;
            uint8_t *clear =
                etna_arena_alloc(arena, SEAT_CELLS * SEAT_CELLS, 1);
            assert_non_null(clear);
            for (uint32_t c = 0; c < SEAT_CELLS * SEAT_CELLS; c++)
                clear[c] = seat_clear(k, c % SEAT_CELLS, c / SEAT_CELLS);
            all[count].map.layer_count = 0;
            all[count].map.clear = clear;
            all[count++].map.fixed = clear;
        }
    }
    facts->surfaces = all;
    facts->surface_count = count;
}

static void an_armchair_is_sat_on_between_its_arms_before_its_back(void **state)
{
    (void)state;
    facts_world w = world();
    uint32_t chair = (uint32_t)facts_world_add(&w, "Armchair", -1, 0, 0.8, 0.8,
                                               0.9, "blue", FLOOR),
             crate = (uint32_t)facts_world_add(&w, "Crate", 1, -0.6, 0.7, 0.7,
                                               0.15, "brown", FLOOR);
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(&w, &arena);
    become_armchair(&facts, chair, &arena);
    double middle[2];
    builtin_rect open = {0};
    assert_true(builtin_seat_middle(&facts, chair, middle, &open));
    assert_true(fabs(middle[0] + 1) < 1e-9 && fabs(middle[1] + 0.15) < 1e-9);
    /* Between arms and back, from the chair's middle: it looks to the viewer,
     * so that across it is along +X. */
    assert_float_equal(open.low[0], -0.25, 1e-9);
    assert_float_equal(open.high[0], 0.25, 1e-9);
    assert_float_equal(open.low[1], -0.05, 1e-9);
    assert_float_equal(open.high[1], 0.35, 1e-9);
    /* as well where it stands askew, by its own sides */
    builtin_object *objects = etna_arena_memdup(
        &arena, facts.objects, facts.object_count * sizeof *objects);
    assert_non_null(objects);
    facts.objects = objects;
    objects[chair].heading[0] = sqrt(0.5);
    objects[chair].heading[1] = -sqrt(0.5);
    assert_true(builtin_seat_middle(&facts, chair, middle, &open));
    assert_float_equal(open.high[0] - open.low[0], 0.9 * sqrt(0.5), 1e-9);
    objects[chair].heading[0] = 0;
    objects[chair].heading[1] = -1;
    assert_false(builtin_seat_middle(&facts, TABLE, middle, &open));
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    uint32_t count = 0;
    builtin_move move = {.relation = RELATION_ON,
                         .reference = chair,
                         .second = BUILTIN_NONE,
                         .support = BUILTIN_NONE,
                         .faced = BUILTIN_NONE,
                         .gap = -1};
    builtin_wish wish = {
        .object = CUP, .reference = chair, .taste = TASTE_ROOMY, .move = &move};
    assert_int_equal(builtin_spots(&facts, &wish, spots, &count, NULL),
                     ETNA_OK);
    assert_true(count > 0);
    for (uint32_t i = 0; i < count; i++)
        assert_true(fabs(spots[i].point[2] - 0.35) < 1e-9);
    /* only the hollow would be wide enough: nothing is put beneath the seat */
    wish.object = crate;
    assert_int_equal(builtin_spots(&facts, &wish, spots, &count, NULL),
                     ETNA_OK);
    for (uint32_t i = 0; i < count; i++)
        assert_true(spots[i].point[2] > 0.3);
    etna_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_leaves_only_its_own_ground_free),
        cmocka_unit_test(next_to_a_thing_is_rather_where_it_shows),
        cmocka_unit_test(plates_nest_and_cups_do_not),
        cmocka_unit_test(what_makes_room_takes_its_load_along),
        cmocka_unit_test(
            a_box_that_reaches_through_a_table_takes_no_room_on_it),
        cmocka_unit_test(a_roomy_place_is_in_the_middle_of_what_is_free),
        cmocka_unit_test(the_floor_under_a_roof_of_the_same_mesh_is_a_place),
        cmocka_unit_test(
            a_hall_has_places_along_its_walls_for_things_of_any_depth),
        cmocka_unit_test(a_tight_place_is_at_an_edge),
        cmocka_unit_test(what_stands_askew_takes_the_room_of_its_own_outline),
        cmocka_unit_test(what_has_a_centimetre_to_spare_is_squeezed_in),
        cmocka_unit_test(a_near_place_is_near),
        cmocka_unit_test(on_a_bookcase_is_on_a_board_and_not_on_its_roof),
        cmocka_unit_test(beside_a_thing_is_at_its_side_and_not_off_its_corner),
        cmocka_unit_test(before_a_thing_is_before_its_middle),
        cmocka_unit_test(behind_a_counter_is_within_its_ends),
        cmocka_unit_test(a_corner_is_where_walls_meet_within_a_house),
        cmocka_unit_test(what_is_taken_or_given_up_is_left_alone),
        cmocka_unit_test(a_full_thing_has_no_place_and_a_small_one_its_middle),
        cmocka_unit_test(a_low_place_is_none_for_a_tall_thing),
        cmocka_unit_test(a_bench_has_a_lower_board_where_one_is_said),
        cmocka_unit_test(into_a_crib_is_onto_its_mattress),
        cmocka_unit_test(
            an_armchair_is_sat_on_between_its_arms_before_its_back),
        cmocka_unit_test(facts_with_a_field_wrong_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
