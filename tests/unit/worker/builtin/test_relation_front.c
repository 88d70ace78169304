/* What has a front, and what stands before it or is turned to it. The camera
 * looks along +Y, so left is -X and before is -Y. */

#include "read_world.h"
#include "worker/builtin/relation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* A level rectangle of an object, 82 cm high: the top of its back. */
static builtin_surface *add_top(builtin_facts *facts,
                                int object,
                                const double low[2],
                                const double high[2],
                                etna_arena *arena)
{
    builtin_surface *surfaces =
        etna_arena_alloc(arena, facts->surface_count + 1u, sizeof *surfaces);
    double(*corners)[2] = etna_arena_alloc(arena, 4, sizeof *corners);
    assert_true(surfaces && corners);
    memcpy(surfaces, facts->surfaces, facts->surface_count * sizeof *surfaces);
    for (int k = 0; k < 4; k++) {
        corners[k][0] = k == 1 || k == 2 ? high[0] : low[0];
        corners[k][1] = k < 2 ? low[1] : high[1];
    }
    surfaces[facts->surface_count++] =
        (builtin_surface){.plane = "Top_9",
                          .object = (uint32_t)object,
                          .height = 0.82,
                          .cell = 0.02,
                          .columns = 10,
                          .rows = 10,
                          .corner_count = 4,
                          .corners = (const double(*)[2])corners};
    facts->surfaces = surfaces;
    return &surfaces[facts->surface_count - 1];
}

/* Its surfaces are told where it stands now; what it looked at before it was
 * moved is no matter of theirs. */
static void a_moved_seat_looked_along_its_front_at_the_start(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
    int chair = facts_world_add(&w, "Chair", 1, 1, 0.5, 0.5, 0.8, "blue", 0);
    w.things[chair].no_top = true;
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_object *objects = etna_arena_memdup(
        &arena, facts.objects, facts.object_count * sizeof *objects);
    assert_non_null(objects);
    add_top(&facts, chair, (double[2]){0.75, 1.15}, (double[2]){1.25, 1.25},
            &arena);
    facts.objects = objects;
    objects[chair].moved = true;
    objects[chair].start[0] = objects[chair].start[1] = -1;
    /* a quarter turn to the left of what it is */
    objects[chair].start_heading[0] = -objects[chair].heading[1];
    objects[chair].start_heading[1] = objects[chair].heading[0];
    builtin_facts then;
    double now[2], before[2];
    assert_int_equal(builtin_facts_at_start(&facts, &arena, &then, NULL),
                     ETNA_OK);
    assert_true(builtin_front_of(&facts, (uint32_t)chair, now));
    assert_true(builtin_front_of(&then, (uint32_t)chair, before));
    assert_true(now[1] < -0.99);
    assert_true(before[0] > 0.99);
    etna_arena_free(&arena);
}

/* A stool that has moved has none where it stood, either: its top is told where
 * it stands now, and is no back. */
static void a_moved_stool_had_no_front_at_the_start(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
    int stool = facts_world_add(&w, "Stool", 1, 1, 0.4, 0.4, 0.46, "blue", 0);
    w.things[stool].has_moved = true;
    w.things[stool].start[0] = w.things[stool].start[1] = -1;
    etna_arena arena = ETNA_ARENA_INIT;
    const builtin_facts facts = read_world_facts(&w, &arena);
    builtin_facts then;
    double front[2];
    assert_int_equal(builtin_facts_at_start(&facts, &arena, &then, NULL),
                     ETNA_OK);
    assert_true(then.objects[stool].centre[0] < 0);
    assert_false(builtin_front_of(&facts, (uint32_t)stool, front));
    assert_false(builtin_front_of(&then, (uint32_t)stool, front));
    etna_arena_free(&arena);
}

/* What a model that sees says of pictures is its front, unless its own back
 * tells otherwise. */
static void a_front_that_was_seen_yields_to_a_back(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
    int chair = facts_world_add(&w, "Chair", 1, 1, 0.5, 0.5, 0.8, "blue", 0);
    int chest = facts_world_add(&w, "Cabinet", -1, 1, 0.5, 0.5, 0.8, "blue", 0);
    w.things[chair].no_top = true;
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_object *objects = etna_arena_memdup(
        &arena, facts.objects, facts.object_count * sizeof *objects);
    assert_non_null(objects);
    add_top(&facts, chair, (double[2]){0.75, 0.75}, (double[2]){1.25, 0.85},
            &arena);
    facts.objects = objects;
    double front[2];
    assert_false(builtin_front_of(&facts, (uint32_t)chest, front));
    objects[chair].front_is_seen = objects[chest].front_is_seen = true;
    assert_true(builtin_front_of(&facts, (uint32_t)chest, front));
    assert_true(front[0] * objects[chest].heading[0] +
                    front[1] * objects[chest].heading[1] >
                0.99);
    assert_true(builtin_front_of(&facts, (uint32_t)chair, front));
    assert_true(front[1] > 0.99);
    etna_arena_free(&arena);
}

/* Before a sofa is where one sits down on it, wherever the camera is: its back
 * is the highest part of it. */
static void before_a_seat_is_away_from_its_back(void **state)
{
    (void)state;
    static const struct {
        double x, y; /* of the back's top, from the middle */
        bool fits;   /* before it, seen from the camera (-Y) */
    } rows[] = {
        {0, 0.3, true}, {0, -0.3, false}, {0.7, 0, false}, {0, 0, true}};
    static const struct {
        const char *name, *said;
    } seats[] = {{"Sofa", "Put the cup in front of the sofa"},
                 {"Pew", "Put the cup in front of the pew"}};
    for (size_t n = 0; n < 2 * (sizeof rows / sizeof rows[0]); n++) {
        const size_t i = n / 2;
        facts_world w = facts_world_new();
        facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
        int sofa = facts_world_add(&w, seats[n % 2].name, 0, 0, 1.6, 0.8, 0.8,
                                   "blue", 0);
        w.things[sofa].no_top = true;
        facts_world_add(&w, "Cup", 1, 0, 0.08, 0.08, 0.08, "red", 0);
        etna_arena arena = ETNA_ARENA_INIT;
        builtin_facts facts = read_world_facts(&w, &arena);
        const double x = rows[i].x, y = rows[i].y;
        add_top(&facts, sofa, (double[2]){x - 0.1, y - 0.1},
                (double[2]){x + 0.1, y + 0.1}, &arena);
        builtin_move move = read_world_move(&facts, seats[n % 2].said, &arena);
        const double at[3] = {0, -0.6, 0.02};
        assert_int_equal(builtin_misfit(&facts, &move, 2, at) <= 0,
                         rows[i].fits);
        etna_arena_free(&arena);
    }
}

/* Fronts are at -Y in this world: the chairs before the table have their backs
 * to it. */
static void a_front_is_off_by_its_angle(void **state)
{
    (void)state;
    facts_world w = read_world();
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_move move =
        read_world_move(&facts, "Turn chair 1 to face the camera", &arena);
    uint32_t chair = move.objects.objects[0];
    assert_int_equal(move.faced, BUILTIN_CAMERA);
    /* the camera is 0.6 m aside and 2.1 m before it: 15.9 degrees */
    double off = builtin_facing_off(&facts, &move, chair);
    assert_true(off > 15 && off < 17);
    move.facing = FACING_BACK;
    assert_true(builtin_facing_off(&facts, &move, chair) > 90);
    assert_true(builtin_facing_off(&facts,
                                   &(builtin_move){.facing = FACING_NONE},
                                   chair) <= 0);
    etna_arena_free(&arena);
}

/* It stands at the right of all that is there, its broad side to that: before
 * it is to its left, not toward the camera. */
static void before_a_television_is_before_its_screen(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
    facts_world_add(&w, "TV_01", 1.5, 0, 0.08, 1.0, 0.6, "black", 0);
    facts_world_add(&w, "Table", -0.5, 0, 0.6, 0.6, 0.4, "brown", 0);
    facts_world_add(&w, "Box", -1.5, 1, 0.3, 0.3, 0.3, "red", 0);
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_move move =
        read_world_move(&facts, "Put the table in front of the TV", &arena);
    assert_true(builtin_misfit(&facts, &move, 2, (double[3]){0.9, 0, 0.02}) <=
                0);
    assert_true(builtin_misfit(&facts, &move, 2, (double[3]){1.5, -1, 0.02}) >
                0);
    etna_arena_free(&arena);
}

/* Free of any wall at the right of all that is there, its end to the camera:
 * before it is where who comes to it stands. */
static void before_a_counter_is_before_its_broad_side(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 5, 4, 0.02, "grey", -1);
    facts_world_add(&w, "Counter", 1.5, 0, 0.6, 1.4, 1.0, "brown", 0);
    facts_world_add(&w, "Cart", -0.5, 0, 0.4, 0.4, 0.7, "blue", 0);
    facts_world_add(&w, "Box", -1.5, 1, 0.3, 0.3, 0.3, "red", 0);
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_move move =
        read_world_move(&facts, "Put the cart in front of the counter", &arena);
    assert_true(builtin_misfit(&facts, &move, 2, (double[3]){0.8, 0, 0.02}) <=
                0);
    assert_true(builtin_misfit(&facts, &move, 2, (double[3]){1.5, -1, 0.02}) >
                0);
    etna_arena_free(&arena);
}

/* Where nobody comes to it; at a wall there is no such side. */
static void behind_a_counter_is_where_who_serves_stands(void **state)
{
    (void)state;
    for (int walled = 0; walled < 2; walled++) {
        etna_arena arena = ETNA_ARENA_INIT;
        facts_world w = facts_world_new();
        facts_world_add(&w, "Floor", 0, 0, 6, 4, 0.02, "grey", -1);
        facts_world_add(&w, "Counter", 1.5, 0, 0.6, 1.4, 1.0, "brown", 0);
        facts_world_add(&w, "Cart", -0.5, 0, 0.4, 0.4, 0.7, "blue", 0);
        facts_world_add(&w, "Box", -1.5, 1, 0.3, 0.3, 0.3, "red", 0);
        int wall = facts_world_add(&w, "Wall", walled ? 1.9 : 2.9, 0, 0.1, 4,
                                   2.5, "white", -1);
        w.things[wall].is_static = true;
        builtin_facts facts = read_world_facts(&w, &arena);
        builtin_move move =
            read_world_move(&facts, "Put the cart behind the counter", &arena);
        const double staff[3] = {2.2, 0, 0.02}, away[3] = {1.5, 1.1, 0.02};
        assert_int_equal(builtin_misfit(&facts, &move, 2, staff) <= 0, !walled);
        assert_int_equal(builtin_misfit(&facts, &move, 2, away) <= 0, walled);
        etna_arena_free(&arena);
    }
}

/* What is sold stands on shelves behind it, and guests sit before it; one seat
 * alone may be who serves' own. */
static void behind_a_counter_is_not_where_the_guests_sit(void **state)
{
    (void)state;
    for (int seats = 1; seats < 3; seats++) {
        etna_arena arena = ETNA_ARENA_INIT;
        facts_world w = facts_world_new();
        facts_world_add(&w, "Floor", 0, 0, 6, 4, 0.02, "grey", -1);
        facts_world_add(&w, "Counter", 0, 0, 2.4, 0.6, 1.0, "brown", 0);
        facts_world_add(&w, "Cart", -2, 0, 0.4, 0.4, 0.7, "blue", 0);
        facts_world_add(&w, "Shelf_1", -0.6, 1.6, 1, 0.4, 1.8, "grey", 0);
        facts_world_add(&w, "Shelf_2", 0.6, 1.6, 1, 0.4, 1.8, "grey", 0);
        for (int i = 0; i < seats; i++)
            facts_world_add(&w, i ? "Stool_2" : "Stool_1", 0.5 * i, -0.8, 0.3,
                            0.3, 0.5, "red", 0);
        builtin_facts facts = read_world_facts(&w, &arena);
        builtin_move move =
            read_world_move(&facts, "Put the cart behind the counter", &arena);
        const double north[3] = {0, 0.7, 0.02}, south[3] = {0, -0.7, 0.02};
        const bool known = seats > 1;
        assert_int_equal(builtin_misfit(&facts, &move, 2, north) <= 0, known);
        assert_int_equal(builtin_misfit(&facts, &move, 2, south) <= 0, !known);
        etna_arena_free(&arena);
    }
}

/* A level part of an object's top, 1 m high, with a map: nothing stands on it. */
static void add_mapped_top(builtin_facts *facts,
                           int object,
                           const double low[2],
                           const double high[2],
                           etna_arena *arena)
{
    enum {
        MOST = 255
    };
    const double cell = 0.05;
    builtin_surface *const s = add_top(facts, object, low, high, arena);
    memcpy(s->origin, low, sizeof s->origin);
    s->height = 1;
    s->cell = cell;
    s->columns = (uint32_t)((high[0] - low[0]) / cell + 0.5);
    s->rows = (uint32_t)((high[1] - low[1]) / cell + 0.5);
    const size_t cells = (size_t)s->columns * s->rows;
    uint8_t *const clear = etna_arena_alloc(arena, cells, 1);
    assert_non_null(clear);
    memset(clear, MOST, cells);
    s->map.clear = s->map.fixed = clear;
}

/* One that goes round a corner: in that, also where its short arm looks to the
 * room, and not beyond its box or at the outer side of an arm. */
static void behind_a_counter_round_a_corner_is_in_it(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 8, 8, 0.02, "grey", -1);
    int bar = facts_world_add(&w, "Bar", 0, 0, 3, 2, 1.0, "brown", 0);
    w.things[bar].no_top = true;
    facts_world_add(&w, "Cart", -0.5, -2, 0.4, 0.4, 0.7, "blue", 0);
    facts_world_add(&w, "Box", -1.5, -2.5, 0.3, 0.3, 0.3, "red", 0);
    builtin_facts facts = read_world_facts(&w, &arena);
    add_mapped_top(&facts, bar, (double[2]){-1.5, -1}, (double[2]){1.5, -0.4},
                   &arena);
    add_mapped_top(&facts, bar, (double[2]){0.9, -0.4}, (double[2]){1.5, 1},
                   &arena);
    builtin_move behind =
        read_world_move(&facts, "Put the cart behind the bar", &arena);
    builtin_move before =
        read_world_move(&facts, "Put the cart in front of the bar", &arena);
    const double in_it[3] = {-0.3, -0.1, 0.02};
    const double beyond[3] = {-0.3, 2.3, 0.02}, beside[3] = {1.9, 0, 0.02};
    const double guests[3] = {-0.3, -1.3, 0.02};
    assert_true(builtin_misfit(&facts, &behind, 2, in_it) <= 0);
    assert_true(builtin_misfit(&facts, &behind, 2, beyond) > 0);
    assert_true(builtin_misfit(&facts, &behind, 2, beside) > 0);
    assert_true(builtin_misfit(&facts, &behind, 2, guests) > 0);
    assert_true(builtin_misfit(&facts, &before, 2, guests) <= 0);
    assert_true(builtin_misfit(&facts, &before, 2, in_it) > 0);
    etna_arena_free(&arena);
}

/* Its narrow sides are by the wall, too. */
static void opposite_a_mirror_is_before_it(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 5, 4, 0.02, "grey", -1);
    int wall = facts_world_add(&w, "Wall", 2.05, 0, 0.1, 4, 2.5, "white", -1);
    w.things[wall].is_static = true;
    facts_world_add(&w, "Mirror", 1.98, 0, 0.04, 0.7, 1.6, "grey", 0);
    facts_world_add(&w, "Chair", 1.5, -1.4, 0.5, 0.5, 0.8, "blue", 0);
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_move move =
        read_world_move(&facts, "Put the chair opposite the mirror", &arena);
    assert_int_equal(move.relation, RELATION_FRONT);
    assert_int_equal(move.facing, FACING_TO);
    double way[2];
    builtin_side_axis(&facts, &move, way);
    assert_float_equal(way[0], -1, 1e-6);
    move = read_world_move(
        &facts, "Put the chair on the opposite side of the mirror", &arena);
    assert_int_not_equal(move.relation, RELATION_FRONT);
    etna_arena_free(&arena);
}

/* "In front of the chair" is on its table, where it looks at one: not on what
 * stands beside it some way off. */
static void before_a_chair_that_looks_elsewhere_is_no_place_at_a_table(
    void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 5, 4, 0.02, "grey", -1);
    facts_world_add(&w, "Table", 1, 0, 1.2, 0.8, 0.7, "brown", 0);
    int chair = facts_world_add(&w, "Chair", -0.4, 0, 0.4, 0.4, 0.8, "blue", 0);
    facts_world_add(&w, "Plate", 1.3, 0.2, 0.2, 0.2, 0.02, "white", 1);
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_object *objects = etna_arena_memdup(
        &arena, facts.objects, facts.object_count * sizeof *objects);
    assert_non_null(objects);
    facts.objects = objects;
    static const struct {
        double x, heading[2];
        builtin_relation relation;
    } rows[] = {{-0.4, {1, 0}, RELATION_SETTING},
                {-0.4, {0, 1}, RELATION_FRONT},
                {0.1, {0, 1}, RELATION_SETTING}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        objects[chair].has_front = true;
        objects[chair].centre[0] = rows[i].x;
        memcpy(objects[chair].heading, rows[i].heading,
               sizeof objects[chair].heading);
        builtin_move move = read_world_move(
            &facts, "Put the plate in front of the chair", &arena);
        assert_int_equal(move.relation, rows[i].relation);
    }
    etna_arena_free(&arena);
}

/* A crate that stands at a wall is got at from the room; a book that lies there
 * has no side of its own. */
static void before_a_crate_at_a_wall_is_away_from_the_wall(void **state)
{
    (void)state;
    static const struct {
        double height;
        bool away;
    } rows[] = {{0.3, true}, {0.03, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        facts_world w = facts_world_new();
        facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
        int wall =
            facts_world_add(&w, "Wall", -2, 0, 0.1, 3.2, 2.5, "white", -1);
        w.things[wall].is_static = true;
        facts_world_add(&w, "Crate", -1.7, 0, 0.42, 0.62, rows[i].height,
                        "brown", 0);
        facts_world_add(&w, "Cat", 1, 1, 0.2, 0.3, 0.4, "black", 0);
        builtin_facts facts = read_world_facts(&w, &arena);
        builtin_move move = read_world_move(
            &facts, "Put the cat in front of the crate", &arena);
        const double room[3] = {-1.25, 0, 0.02}, viewer[3] = {-1.7, -0.6, 0.02};
        assert_int_equal(builtin_misfit(&facts, &move, 3, room) <= 0,
                         rows[i].away);
        assert_int_equal(builtin_misfit(&facts, &move, 3, viewer) <= 0,
                         !rows[i].away);
        etna_arena_free(&arena);
    }
}

/* A bicycle across the other is square to it, and not parallel. */
static void what_is_parallel_has_its_length_along_the_other_s(void **state)
{
    (void)state;
    static const struct {
        const char *said;
        double turn;
    } rows[] = {{"Turn the bench parallel to the table", 90},
                {"Turn the bench square to the table", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        facts_world w = facts_world_new();
        facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
        facts_world_add(&w, "Table", 0, 0, 1.6, 0.8, 0.7, "brown", 0);
        facts_world_add(&w, "Bench", 1.5, 0, 0.3, 1.2, 0.4, "blue", 0);
        builtin_facts facts = read_world_facts(&w, &arena);
        builtin_move move = read_world_move(&facts, rows[i].said, &arena);
        assert_int_equal(move.relation, RELATION_TURN);
        assert_float_equal(fabs(move.turn), rows[i].turn, 1e-6);
        etna_arena_free(&arena);
    }
}

/* Desks in rows: a chair between two of them is the one's that is before it. */
static void a_chair_s_own_desk_is_before_it(void **state)
{
    (void)state;
    enum {
        FLOOR,
        DESK_1,
        DESK_2,
        CHAIR_1,
        CHAIR_2
    };
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
    facts_world_add(&w, "Desk 1", 0, 0.85, 1, 0.6, 0.7, "brown", 0);
    facts_world_add(&w, "Desk 2", 0, -0.85, 1, 0.6, 0.7, "brown", 0);
    facts_world_add(&w, "Chair 1", -0.2, 0, 0.4, 0.4, 0.8, "blue", 0);
    facts_world_add(&w, "Chair 2", 0.3, 0.02, 0.4, 0.4, 0.8, "blue", 0);
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_object *objects = etna_arena_memdup(
        &arena, facts.objects, facts.object_count * sizeof *objects);
    assert_non_null(objects);
    /* their headings, to -Y */
    objects[CHAIR_1].has_front = objects[CHAIR_2].has_front = true;
    facts.objects = objects;
    builtin_reading reading = {0};
    etna_error err = {0};
    assert_int_equal(builtin_read(&facts,
                                  "Make both chairs look at their desks",
                                  &arena, &reading, &err),
                     ETNA_OK);
    assert_int_equal(reading.count, 2);
    for (uint32_t i = 0; i < reading.count; i++)
        assert_int_equal(reading.moves[i].faced, DESK_2);
    etna_arena_free(&arena);
}

/* Whoever is about opposite a window looks straight at its wall; who is at its
 * end or past it looks at the window. */
static void a_window_is_faced_and_not_the_wall_beside_it(void **state)
{
    (void)state;
    static const struct {
        double y, way[2]; /* of the place, and from there */
    } rows[] = {{0, {-1, 0}},
                {0.2, {-1, 0}},
                {0.55, {-0.96, -0.28}},
                {1.5, {-0.62, -0.79}}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        facts_world w = facts_world_new();
        facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
        facts_world_add(&w, "Window", -1.9, 0, 0.06, 1.1, 1, "blue", 0);
        facts_world_add(&w, "Chair", -0.87, rows[i].y, 0.4, 0.4, 0.8, "blue",
                        0);
        builtin_facts facts = read_world_facts(&w, &arena);
        builtin_move move = read_world_move(
            &facts, "Turn the chair to face the window", &arena);
        double way[2];
        assert_true(
            builtin_facing_way(&facts, &move, facts.objects[2].centre, way));
        assert_float_equal(way[0], rows[i].way[0], 0.02);
        assert_float_equal(way[1], rows[i].way[1], 0.02);
        etna_arena_free(&arena);
    }
}

/* The camera is not straight before it: a desk that is to look at the viewer
 * stays square to the room, a chair looks at them. */
/* Before a wall it looks squarely off that; so does a cupboard in a corner. */
static void what_is_light_looks_out_of_a_corner(void **state)
{
    (void)state;
    enum {
        GROUND,
        RIGHT,
        NEAR,
        GUITAR,
        CUPBOARD
    };
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 4, 4, 0.02, "grey", -1);
    facts_world_add(&w, "Right Wall", 2.05, 0, 0.1, 4, 2.4, "white", GROUND);
    facts_world_add(&w, "Near Wall", 0, -2.05, 4, 0.1, 2.4, "white", GROUND);
    facts_world_add(&w, "Guitar", 0, 0, 0.3, 0.3, 1.1, "red", GROUND);
    facts_world_add(&w, "Cupboard", 0, 1, 0.8, 0.4, 1.8, "brown", GROUND);
    w.things[GROUND].is_static = w.things[RIGHT].is_static = true;
    w.things[NEAR].is_static = true;
    etna_arena arena = ETNA_ARENA_INIT;
    const builtin_facts facts = read_world_facts(&w, &arena);
    static const struct {
        uint32_t object;
        builtin_relation relation;
        bool is_askew;
    } rows[] = {{GUITAR, RELATION_CORNER, true},
                {GUITAR, RELATION_AGAINST, false},
                {CUPBOARD, RELATION_CORNER, false}};
    const double from[3] = {1.75, -1.7, 0.5};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const builtin_move move = {
            .objects = {.count = 1, .objects = &rows[i].object, .need = 1},
            .relation = rows[i].relation,
            .reference = GROUND,
            .second = BUILTIN_NONE,
            .support = BUILTIN_NONE,
            .facing = FACING_TO,
            .faced = GROUND,
            .gap = -1};
        double way[2];
        assert_true(builtin_facing_way(&facts, &move, from, way));
        assert_int_equal(way[0] < -0.6 && way[1] > 0.6, rows[i].is_askew);
        assert_int_equal(fabs(way[0]) < 0.01 || fabs(way[1]) < 0.01,
                         !rows[i].is_askew);
    }
    etna_arena_free(&arena);
}

static void furniture_looks_at_the_viewer_squarely(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool square;
    } rows[] = {{"Desk", true}, {"Sideboard", true}, {"Chair", false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        facts_world w = facts_world_new();
        facts_world_add(&w, "Floor", 0, 0, 6, 6, 0.02, "grey", -1);
        facts_world_add(&w, rows[i].name, -1.8, 0, 1.2, 0.6, 0.7, "brown", 0);
        builtin_facts facts = read_world_facts(&w, &arena);
        const double eye[3] = {0, -4, 1.5};
        memcpy(facts.position, eye, sizeof eye);
        const uint32_t object = 1;
        const builtin_move move = {
            .relation = RELATION_TURN,
            .objects = {.count = 1, .objects = &object, .need = 1},
            .reference = BUILTIN_NONE,
            .facing = FACING_TO,
            .faced = BUILTIN_CAMERA};
        double way[2];
        assert_true(
            builtin_facing_way(&facts, &move, facts.objects[1].centre, way));
        assert_int_equal(fabs(way[0]) < 0.001 && way[1] < -0.99,
                         rows[i].square);
        etna_arena_free(&arena);
    }
}

/* Nobody fixed the fence, but it is as long as a wall: what is before any part of
 * it looks squarely at it. */
static void a_fence_is_faced_squarely_along_all_of_it(void **state)
{
    (void)state;
    static const double places[] = {-2.4, 0, 1.3, 2.4};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        facts_world w = facts_world_new();
        facts_world_add(&w, "Lawn", 0, 0, 6, 6, 0.02, "green", -1);
        facts_world_add(&w, "Fence", 0, 2.9, 6, 0.08, 1.5, "brown", 0);
        facts_world_add(&w, "Chair", places[i], 2.4, 0.4, 0.4, 0.8, "blue", 0);
        builtin_facts facts = read_world_facts(&w, &arena);
        builtin_move move = read_world_move(
            &facts, "Turn the chair with its back to the fence", &arena);
        double way[2];
        assert_true(
            builtin_facing_way(&facts, &move, facts.objects[2].centre, way));
        assert_float_equal(way[0], 0, 0.001);
        assert_float_equal(way[1], -1, 0.001);
        etna_arena_free(&arena);
    }
}

/* A chair at a long table's side looks straight across it; at a corner, or from
 * afar, it looks at its middle. */
static void a_chair_faces_a_table_straight_across_its_side(void **state)
{
    (void)state;
    static const struct {
        double x, y;
        bool straight; /* with its front at -Y */
    } rows[] = {{0.4, 0.7, true},
                {-0.4, 0.7, true},
                {1.2, 0.7, false},
                {0.7, 1.5, false},
                {0.4, -0.7, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        facts_world w = facts_world_new();
        facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
        facts_world_add(&w, "Table", 0, 0, 1.6, 0.8, 0.7, "brown", 0);
        facts_world_add(&w, "Chair", rows[i].x, rows[i].y, 0.4, 0.4, 0.8,
                        "blue", 0);
        builtin_facts facts = read_world_facts(&w, &arena);
        builtin_move move =
            read_world_move(&facts, "Turn the chair to face the table", &arena);
        assert_int_equal(builtin_facing_off(&facts, &move, 2) < 1,
                         rows[i].straight);
        etna_arena_free(&arena);
    }
}

/* By its own side, not the world's: the rectangle about a table that stands askew
 * takes in the chair. */
static void a_chair_faces_a_table_that_stands_askew_across_its_side(
    void **state)
{
    (void)state;
    const double slant = sqrt(0.5);
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
    facts_world_add(&w, "Table", 0, 0, 1.6, 0.8, 0.7, "brown", 0);
    /* 0.65 m before the long side, 0.3 m off its middle */
    facts_world_add(&w, "Chair", slant * (0.65 - 0.3), slant * (0.65 + 0.3),
                    0.4, 0.4, 0.8, "blue", 0);
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_object *objects = etna_arena_memdup(
        &arena, facts.objects, facts.object_count * sizeof *objects);
    assert_non_null(objects);
    facts.objects = objects;
    objects[1].heading[0] = objects[1].heading[1] = slant;
    builtin_move move =
        read_world_move(&facts, "Turn the chair to face the table", &arena);
    double way[2];
    assert_true(
        builtin_way_across_table(&facts, &move, objects[2].centre, way));
    assert_float_equal(way[0], -slant, 1e-6);
    assert_float_equal(way[1], -slant, 1e-6);
    etna_arena_free(&arena);
}

/* With its back to a table it turns half round, and a chair that is to look at a
 * table it comes to is before a side of it and not at its corner. */
static void a_chair_at_a_corner_is_not_at_the_table_it_faces(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
    facts_world_add(&w, "Table", 0, 0, 1.6, 0.8, 0.7, "brown", 0);
    facts_world_add(&w, "Chair", 0.4, -0.7, 0.4, 0.4, 0.8, "blue", 0);
    builtin_facts facts = read_world_facts(&w, &arena);
    const builtin_move back = read_world_move(
        &facts, "Turn the chair with its back to the table", &arena);
    assert_true(builtin_facing_off(&facts, &back, 2) < 1);
    builtin_move near =
        read_world_move(&facts, "Put the chair next to the table", &arena);
    const double side[3] = {0.7, 0.63, 0.02}, corner[3] = {0.95, 0.63, 0.02};
    assert_true(builtin_misfit(&facts, &near, 2, side) <= 0);
    assert_true(builtin_misfit(&facts, &near, 2, corner) <= 0);
    near.facing = FACING_TO;
    near.faced = near.reference;
    assert_true(builtin_misfit(&facts, &near, 2, side) <= 0);
    assert_true(builtin_misfit(&facts, &near, 2, corner) > 0);
    etna_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_front_is_off_by_its_angle),
        cmocka_unit_test(what_is_parallel_has_its_length_along_the_other_s),
        cmocka_unit_test(a_chair_s_own_desk_is_before_it),
        cmocka_unit_test(what_is_light_looks_out_of_a_corner),
        cmocka_unit_test(furniture_looks_at_the_viewer_squarely),
        cmocka_unit_test(a_fence_is_faced_squarely_along_all_of_it),
        cmocka_unit_test(a_window_is_faced_and_not_the_wall_beside_it),
        cmocka_unit_test(
            a_chair_faces_a_table_that_stands_askew_across_its_side),
        cmocka_unit_test(a_chair_faces_a_table_straight_across_its_side),
        cmocka_unit_test(a_chair_at_a_corner_is_not_at_the_table_it_faces),
        cmocka_unit_test(before_a_television_is_before_its_screen),
        cmocka_unit_test(before_a_counter_is_before_its_broad_side),
        cmocka_unit_test(behind_a_counter_is_where_who_serves_stands),
        cmocka_unit_test(behind_a_counter_is_not_where_the_guests_sit),
        cmocka_unit_test(behind_a_counter_round_a_corner_is_in_it),
        cmocka_unit_test(opposite_a_mirror_is_before_it),
        cmocka_unit_test(
            before_a_chair_that_looks_elsewhere_is_no_place_at_a_table),
        cmocka_unit_test(before_a_crate_at_a_wall_is_away_from_the_wall),
        cmocka_unit_test(a_front_that_was_seen_yields_to_a_back),
        cmocka_unit_test(a_moved_seat_looked_along_its_front_at_the_start),
        cmocka_unit_test(a_moved_stool_had_no_front_at_the_start),
        cmocka_unit_test(before_a_seat_is_away_from_its_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
