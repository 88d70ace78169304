/* The walls of a room in one mesh: which planes of it are walls, and what a
 * sentence can say of them. */
#include "worker/builtin/builtin.h"
#include "worker/builtin/relation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum {
    ROOM,
    SOFA,
    LAMP,
    PARTS,
    WALLS = 5
};

typedef struct hall {
    builtin_object objects[PARTS];
    builtin_wall walls[WALLS];
    builtin_facts facts;
    etna_arena arena;
    etna_error err;
} hall;

static const double whole[4][2] = {{-2, 0}, {2, 0}, {2, 2.5}, {-2, 2.5}};
static const double low[4][2] = {{-2, 0}, {2, 0}, {2, 1}, {-2, 1}};

static builtin_wall wall(const char *plane,
                         double nx,
                         double ny,
                         double offset,
                         const double (*corners)[2])
{
    return (builtin_wall){.plane = plane,
                          .object = ROOM,
                          .normal = {nx, ny},
                          .right = {-ny, nx},
                          .offset = offset,
                          .cell = 0.02,
                          .corner_count = 4,
                          .corners = corners};
}

static void thing(hall *h,
                  uint32_t i,
                  const char *name,
                  double x,
                  double y,
                  double width,
                  double depth,
                  double height)
{
    builtin_object *o = &h->objects[i];
    *o = (builtin_object){.name = name,
                          .visible = true,
                          .centre = {x, y, height / 2},
                          .half = {width / 2, depth / 2, height / 2},
                          .heading = {0, -1}};
    memcpy(o->start, o->centre, sizeof o->start);
    memcpy(o->start_heading, o->heading, sizeof o->heading);
    uint32_t count = 0;
    const char *const *words = builtin_name_words(name, &h->arena, &count);
    assert_non_null(words);
    builtin_object_call(o, words, count);
}

/* 4 x 4 m, seen from the south: its three walls, one of them from outside, and
 * the face of a low chest that is part of it. */
static void open_hall(hall *h)
{
    memset(h, 0, sizeof *h);
    thing(h, ROOM, "Room", 0, 0, 4.2, 4.2, 2.5);
    thing(h, SOFA, "Sofa", 1, 0, 1.8, 0.8, 0.8);
    thing(h, LAMP, "Lamp", -1, -1, 0.3, 0.3, 1.5);
    h->objects[ROOM].is_static = true;
    h->walls[0] = wall("Room_1", 0, -1, -2, whole);  /* north */
    h->walls[1] = wall("Room_2", -1, 0, -2, whole);  /* east */
    h->walls[2] = wall("Room_3", 1, 0, -2, whole);   /* west */
    h->walls[3] = wall("Room_4", -1, 0, 2.1, whole); /* west, its outer face */
    h->walls[4] = wall("Room_5", 0, -1, -1.5, low);
    h->walls[1].has_colour = true; /* red, as CIELAB has it */
    memcpy(h->walls[1].lab, (double[3]){53, 80, 67}, sizeof h->walls[1].lab);
    h->facts = (builtin_facts){.position = {0, -6, 2},
                               .right = {1, 0, 0},
                               .up = {0, 0, 1},
                               .forward = {0, 1, 0},
                               .half_height = 0.5,
                               .aspect = 1.3,
                               .object_count = PARTS,
                               .wall_count = WALLS,
                               .objects = h->objects,
                               .walls = h->walls};
    assert_int_equal(builtin_facts_wall_in(&h->facts, &h->arena, &h->err),
                     ETNA_OK);
}

static void the_inner_faces_of_a_room_in_one_mesh_are_walls(void **state)
{
    (void)state;
    hall h;
    open_hall(&h);
    assert_int_equal(h.facts.object_count, PARTS + 3);
    for (uint32_t i = 0; i < 3; i++) {
        const builtin_object *o = &h.facts.objects[PARTS + i];
        assert_true(builtin_is_wall(o));
        assert_true(builtin_is_wall_of(&h.facts, i, PARTS + i));
        assert_true(builtin_is_wall_of(&h.facts, i, ROOM));
        assert_false(builtin_is_wall_of(&h.facts, (i + 1) % 3, PARTS + i));
        double face = o->centre[0] * o->heading[0] +
                      o->centre[1] * o->heading[1] + o->half[1];
        assert_float_equal(face, -2, 1e-9);
    }
    etna_arena_free(&h.arena);
}

static void a_thin_wall_of_its_own_is_not_there_twice(void **state)
{
    (void)state;
    hall h;
    open_hall(&h);
    h.facts.object_count = PARTS;
    h.facts.objects = h.objects;
    h.objects[ROOM].half[1] = 0.05;
    assert_int_equal(builtin_facts_wall_in(&h.facts, &h.arena, &h.err),
                     ETNA_OK);
    assert_int_equal(h.facts.object_count, PARTS);
    etna_arena_free(&h.arena);
}

/* The east wall is to the right in the picture. */
static void a_sentence_speaks_of_them(void **state)
{
    static const struct {
        const char *sentence, *wall;
    } cases[] = {{"Push the sofa against the right wall", "wall Room_2"},
                 {"Put the sofa against the left wall", "wall Room_3"},
                 {"Put the sofa against the back wall", "wall Room_1"},
                 {"Move the sofa to the wall", "wall Room_2"},
                 {"Put the lamp against the red wall", "wall Room_2"},
                 {"Put the lamp between the sofa and the wall", "wall Room_1"}};
    (void)state;
    hall h;
    open_hall(&h);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        builtin_reading reading = {0};
        if (builtin_read(&h.facts, cases[i].sentence, &h.arena, &reading,
                         &h.err) != ETNA_OK)
            fail_msg("%s: %s", cases[i].sentence, h.err.text);
        assert_int_equal(reading.count, 1);
        const builtin_move *m = &reading.moves[0];
        uint32_t wall =
            m->relation == RELATION_BETWEEN ? m->second : m->reference;
        assert_string_equal(h.facts.objects[wall].name, cases[i].wall);
    }
    etna_arena_free(&h.arena);
}

/* A shell that its file calls "walls" is all of them, and a wall is one. */
static void a_shell_called_walls_is_none_of_them(void **state)
{
    static const char *const sentences[] = {
        "Move the sofa to the wall", "Push the sofa against the wall",
        "Line up the sofa and the lamp along the wall"};
    static const char *const names[] = {"walls", "Wall"};
    (void)state;
    hall h;
    open_hall(&h);
    for (size_t i = 0; i < 6; i++) {
        builtin_reading reading = {0};
        thing(&h, ROOM, names[i / 3], 0, 0, 4.2, 4.2, 2.5);
        h.objects[ROOM].is_static = true;
        h.facts.object_count = PARTS;
        h.facts.objects = h.objects;
        assert_int_equal(builtin_facts_wall_in(&h.facts, &h.arena, &h.err),
                         ETNA_OK);
        if (builtin_read(&h.facts, sentences[i % 3], &h.arena, &reading,
                         &h.err) != ETNA_OK)
            fail_msg("%s: %s", sentences[i % 3], h.err.text);
        if (reading.moves[0].reference < PARTS ||
            reading.moves[0].reference >= h.facts.object_count)
            fail_msg("%s: %u", sentences[i % 3], reading.moves[0].reference);
    }
    etna_arena_free(&h.arena);
}

/* Its plane goes on over a passage as wide as the sofa; what stands in the
 * passage stands at no wall. */
static void nothing_stands_against_a_passage(void **state)
{
    (void)state;
    enum {
        COLUMNS = 40,
        ROWS = 25
    };
    static uint8_t fixed[ROWS * COLUMNS];
    hall h;
    open_hall(&h);
    for (uint32_t i = 0; i < ROWS * COLUMNS; i++)
        fixed[i] = i % COLUMNS < COLUMNS / 2 ? 255 : 0;
    h.walls[0].map = (builtin_map){.clear = fixed, .fixed = fixed};
    h.walls[0].columns = COLUMNS;
    h.walls[0].rows = ROWS;
    h.walls[0].cell = 0.1;
    h.walls[0].origin[0] = -2;
    h.facts.object_count = PARTS;
    h.facts.objects = h.objects;
    assert_int_equal(builtin_facts_wall_in(&h.facts, &h.arena, &h.err),
                     ETNA_OK);
    const uint32_t sofa = SOFA, north = PARTS;
    const builtin_move move = {
        .objects = {.count = 1, .objects = &sofa, .need = 1},
        .relation = RELATION_AGAINST,
        .reference = north,
        .second = BUILTIN_NONE,
        .support = BUILTIN_NONE,
        .faced = BUILTIN_NONE,
        .gap = -1,
        .spacing = -1};
    const double along = h.walls[0].right[0]; /* from the wall's own left */
    const double before_wall[3] = {-along, 1.58, 0},
                 before_passage[3] = {along, 1.58, 0};
    assert_true(builtin_misfit(&h.facts, &move, SOFA, before_wall) <= 0);
    assert_true(builtin_misfit(&h.facts, &move, SOFA, before_passage) > 0);
    etna_arena_free(&h.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_inner_faces_of_a_room_in_one_mesh_are_walls),
        cmocka_unit_test(a_thin_wall_of_its_own_is_not_there_twice),
        cmocka_unit_test(a_sentence_speaks_of_them),
        cmocka_unit_test(a_shell_called_walls_is_none_of_them),
        cmocka_unit_test(nothing_stands_against_a_passage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
