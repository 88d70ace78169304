/* Hanging: what can hang, what a sentence makes hang, and where on a wall. The
 * wall faces the camera, 4 m wide and 2.5 m high; its map is free but for what
 * stands close before it. */
#include "worker/builtin/builtin.h"
#include "worker/builtin/hang.h"
#include "worker/builtin/plan/planner_internal.h"
#include "worker/builtin/spot.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    WALL,
    SOFA,
    PICTURE,
    MUG,
    BOOK,
    CLOCK,
    OTHER_WALL,
    COUNT,
    COLUMNS = 200,
    ROWS = 125
};

typedef struct room {
    builtin_object objects[COUNT];
    builtin_wall walls[2];
    uint8_t fixed[ROWS * COLUMNS], clear[ROWS * COLUMNS];
    uint8_t before[2][ROWS * COLUMNS]; /* what SOFA and PICTURE leave free */
    builtin_layer layers[2];
    builtin_facts facts;
    etna_arena arena;
} room;

static void thing(room *r,
                  uint32_t i,
                  const char *name,
                  double x,
                  double y,
                  double z,
                  double width,
                  double depth,
                  double height)
{
    builtin_object *o = &r->objects[i];
    *o = (builtin_object){.name = name,
                          .visible = true,
                          .centre = {x, y, z},
                          .half = {width / 2, depth / 2, height / 2},
                          .heading = {0, -1}};
    memcpy(o->start, o->centre, sizeof o->start);
    memcpy(o->start_heading, o->heading, sizeof o->heading);
    uint32_t count = 0;
    const char *const *words = builtin_name_words(name, &r->arena, &count);
    assert_non_null(words);
    builtin_object_call(o, words, count);
}

/* The cells of the walls that a thing is before: the SOFA (0), or the PICTURE
 * (1), which nothing else hides. */
static void stand_before(
    room *r, int layer, double s0, double s1, double t0, double t1)
{
    for (int c = 0; c < ROWS * COLUMNS; c++) {
        double s = -2 + (c % COLUMNS + 0.5) * 0.02;
        double t = (c / COLUMNS + 0.5) * 0.02;
        bool behind = s > s0 && s < s1 && t > t0 && t < t1;
        bool shown = layer == 0 && r->before[1][c] == 0;
        if (!behind || shown)
            continue;
        r->before[layer][c] = 0;
        r->clear[c] = 0;
    }
}

static room *furnish(void)
{
    static const double whole[4][2] = {{-2, 0}, {2, 0}, {2, 2.5}, {-2, 2.5}};
    room *r = calloc(1, sizeof *r);
    assert_non_null(r);
    thing(r, WALL, "Wall", 0, 2.05, 1.25, 4, 0.1, 2.5);
    thing(r, SOFA, "Sofa", 0.8, 1.5, 0.4, 1.6, 0.8, 0.8);
    thing(r, PICTURE, "Picture", -1.2, 1.985, 1.5, 0.6, 0.03, 0.4);
    thing(r, MUG, "Mug", 0, 0, 0.05, 0.08, 0.08, 0.1);
    thing(r, BOOK, "Book", 0, -1, 0.01, 0.2, 0.3, 0.02);
    thing(r, CLOCK, "Clock", 0, -1, 0.15, 0.3, 0.05, 0.3);
    thing(r, OTHER_WALL, "Side Wall", 2.05, 0, 1.25, 0.1, 4, 2.5);
    r->objects[WALL].is_static = r->objects[OTHER_WALL].is_static = true;
    r->objects[PICTURE].attached = true;
    memset(r->fixed, 0xff, sizeof r->fixed);
    memset(r->clear, 0xff, sizeof r->clear);
    memset(r->before, 0xff, sizeof r->before);
    for (uint32_t i = 0; i < 2; i++)
        r->layers[i] = (builtin_layer){.object = i == 0 ? SOFA : PICTURE,
                                       .columns = COLUMNS,
                                       .rows = ROWS,
                                       .clear = r->before[i]};
    /* with the cells that it touches */
    stand_before(r, 1, -1.52, -0.88, 1.28, 1.72);
    stand_before(r, 0, 0, 1.6, 0, 0.8);
    r->walls[0] = (builtin_wall){.plane = "Wall_3",
                                 .object = WALL,
                                 .normal = {0, -1},
                                 .right = {1, 0},
                                 .offset = -2,
                                 .cell = 0.02,
                                 .origin = {-2, 0},
                                 .columns = COLUMNS,
                                 .rows = ROWS,
                                 .map = {r->clear, r->fixed, 2, r->layers},
                                 .corner_count = 4,
                                 .corners = whole};
    r->walls[1] = r->walls[0];
    r->walls[1].plane = "Side Wall_3";
    r->walls[1].object = OTHER_WALL;
    memcpy(r->walls[1].normal, (double[2]){-1, 0}, sizeof r->walls[1].normal);
    memcpy(r->walls[1].right, (double[2]){0, -1}, sizeof r->walls[1].right);
    r->facts = (builtin_facts){.position = {0, -4, 1.2},
                               .right = {1, 0, 0},
                               .up = {0, 0, 1},
                               .forward = {0, 1, 0},
                               .half_height = 0.5,
                               .aspect = 4.0 / 3,
                               .object_count = COUNT,
                               .objects = r->objects,
                               .wall_count = 2,
                               .walls = r->walls};
    return r;
}

static void leave(room *r)
{
    etna_arena_free(&r->arena);
    free(r);
}

static builtin_move read_move(room *r, const char *sentence)
{
    builtin_reading *reading = etna_arena_alloc(&r->arena, 1, sizeof *reading);
    etna_error err = {0};
    assert_non_null(reading);
    if (builtin_read(&r->facts, sentence, &r->arena, reading, &err) != ETNA_OK)
        fail_msg("%s: %s", sentence, err.text);
    assert_int_equal(reading->count, 1);
    assert_int_equal(reading->moves[0].objects.count, 1);
    return reading->moves[0];
}

static uint32_t hooks_of(room *r,
                         const builtin_move *move,
                         uint32_t object,
                         builtin_hook *ret)
{
    uint32_t count = 0;
    const builtin_hanging asked = {
        .move = move, .object = object, .without = BUILTIN_NONE};
    assert_int_equal(
        builtin_hooks(&r->facts, &asked, &r->arena, ret, &count, NULL),
        ETNA_OK);
    return count;
}

static void a_picture_is_hung_above_the_sofa_and_over_its_middle(void **state)
{
    (void)state;
    room *r = furnish();
    builtin_hook hooks[BUILTIN_SPOTS_MAX];
    builtin_move move = read_move(r, "Hang the picture above the sofa");
    assert_true(builtin_is_hung(&r->facts, &move, PICTURE));
    assert_false(builtin_hangs_as_asked(&r->facts, &move, PICTURE));
    uint32_t count = hooks_of(r, &move, PICTURE, hooks);
    assert_true(count > 1);
    for (uint32_t i = 0; i < count; i++) {
        if (hooks[i].wall != 0)
            continue; /* the side wall has a place behind the sofa, too */
        assert_true(fabs(hooks[i].at[0] - 0.8) <= 0.41 &&
                    hooks[i].at[1] - 0.2 >= 0.82);
        for (uint32_t k = 0; k < i; k++)
            assert_true(fabs(hooks[i].at[0] - hooks[k].at[0]) +
                            fabs(hooks[i].at[1] - hooks[k].at[1]) >=
                        0.15);
    }
    assert_true(fabs(hooks[0].at[0] - 0.8) <= 0.02 &&
                /* a hand's width over it */
                fabs(hooks[0].at[1] - 1.2) <= 0.03);
    memcpy(r->objects[PICTURE].centre, hooks[0].point, sizeof hooks[0].point);
    assert_true(builtin_hangs_as_asked(&r->facts, &move, PICTURE));
    leave(r);
}

/* Which way it is moved, metres along the wall and off it. */
static void assert_slides(const char *sentence, double along, double off)
{
    const double slack = 0.001;
    room *r = furnish();
    const builtin_move move = read_move(r, sentence);
    assert_int_equal(move.relation, RELATION_SHIFT);
    assert_float_equal(move.shift[0], along, slack);
    assert_float_equal(move.shift[1], off, slack);
    leave(r);
}

/* The mug and the book lie before the wall and aside, the clock straight before
 * it. */
static void what_hangs_slides_along_its_wall_toward_what_is_aside(void **state)
{
    (void)state;
    assert_slides("Move the picture 30 cm towards the mug", 0.3, 0);
    assert_slides("Move the picture 30 cm towards the book", 0.3, 0);
    assert_slides("Move the picture 20 cm away from the sofa", -0.2, 0);
    assert_slides("Move the book 30 cm towards the wall", 0, 0.3);
    room *r = furnish();
    r->objects[MUG].centre[0] = r->objects[PICTURE].centre[0];
    const builtin_move off =
        read_move(r, "Move the picture 30 cm towards the mug");
    assert_true(off.shift[1] < -0.25); /* which no picture can do */
    leave(r);
}

/* The places that are tried for the sentence's one thing, best first. */
static void seek_as_said(room *r, const char *sentence, plan_list *ret)
{
    static etna_error err;
    json_t *task = json_object();
    builtin_talk talk = {
        .facts = r->facts, .last_answer = "", .arena = &r->arena, .task = task};
    planner p = {.talk = &talk,
                 .facts = &r->facts,
                 .then = r->facts,
                 .instruction = 1,
                 .left = 24,
                 .err = &err};
    const builtin_move move = read_move(r, sentence);
    ret->count = 0;
    assert_int_equal(
        planner_seek(&p, &move, move.objects.objects[0], NULL, 0, ret),
        ETNA_OK);
    json_decref(task);
}

static void what_hangs_comes_closer_and_stays_on_its_wall(void **state)
{
    (void)state;
    static const struct {
        const char *sentence;
        double low, high; /* of its middle, along the wall */
    } cases[] = {{"Move the picture closer to the sofa", -1.2, -0.2},
                 {"Move the picture farther away from the sofa", -5, -1.2},
                 {"Move the picture closer to the book", -1.2, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        room *r = furnish();
        plan_list *plans = etna_arena_alloc(&r->arena, 1, sizeof *plans);
        assert_non_null(plans);
        seek_as_said(r, cases[i].sentence, plans);
        assert_true(plans->count > 0);
        for (uint32_t k = 0; k < plans->count; k++) {
            const double *at = plans->items[k].exact.at;
            assert_true(at[0] > cases[i].low && at[0] < cases[i].high);
            assert_float_equal(at[1], r->objects[PICTURE].centre[1], 1e-9);
            assert_float_equal(at[2], r->objects[PICTURE].centre[2], 1e-9);
        }
        leave(r);
    }
    room *r = furnish();
    plan_list *plans = etna_arena_alloc(&r->arena, 1, sizeof *plans);
    assert_non_null(plans);
    r->objects[MUG].centre[0] = r->objects[PICTURE].centre[0];
    seek_as_said(r, "Move the picture closer to the mug", plans);
    assert_int_equal(plans->count, 0);
    leave(r);
}

static void exactly_above_is_over_the_middle_and_nowhere_else(void **state)
{
    (void)state;
    static const char *const said[] = {
        "Hang the picture exactly above the sofa",
        "Hang the picture exactly in the middle above the sofa",
        "Hang the picture centred over the sofa",
        "Centre the picture above the sofa"};
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        room *r = furnish();
        builtin_hook hooks[BUILTIN_SPOTS_MAX];
        builtin_move move = read_move(r, said[i]);
        uint32_t count = hooks_of(r, &move, PICTURE, hooks);
        assert_true(count > 0);
        for (uint32_t k = 0; k < count; k++) {
            const bool aside = fabs(hooks[k].at[0] - 0.8) > 0.021;
            if (hooks[k].wall == 0 && aside)
                fail_msg("%s: %g", said[i], hooks[k].at[0]);
        }
        memcpy(r->objects[PICTURE].centre, hooks[0].point,
               sizeof hooks[0].point);
        assert_true(builtin_hangs_as_asked(&r->facts, &move, PICTURE));
        r->objects[PICTURE].centre[0] += 0.1;
        assert_false(builtin_hangs_as_asked(&r->facts, &move, PICTURE));
        leave(r);
    }
}

/* The picture hangs at -1.2, the clock at 0.8: the plain words allow some
 * centimetres about the middle, and yet the middle is taken. */
static void between_two_is_midway_and_centred_is_nowhere_else(void **state)
{
    (void)state;
    static const struct {
        const char *said;
        bool is_exact;
    } rows[] = {
        {"Hang the portrait between the picture and the clock", false},
        {"Centre the portrait between the picture and the clock", true},
        {"Hang the portrait centred between the picture and the clock", true}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        room *r = furnish();
        builtin_hook hooks[BUILTIN_SPOTS_MAX];
        thing(r, CLOCK, "Clock", 0.8, 1.985, 1.5, 0.3, 0.03, 0.3);
        thing(r, BOOK, "Portrait", -0.35, 1.985, 1.5, 0.3, 0.03, 0.3);
        r->objects[CLOCK].attached = r->objects[BOOK].attached = true;
        builtin_move move = read_move(r, rows[i].said);
        assert_int_equal(move.relation, RELATION_BETWEEN);
        assert_int_equal(builtin_hangs_as_asked(&r->facts, &move, BOOK),
                         !rows[i].is_exact);
        assert_true(hooks_of(r, &move, BOOK, hooks) > 0);
        if (fabs(hooks[0].at[0] + 0.2) > 0.021)
            fail_msg("%s: %g", rows[i].said, hooks[0].at[0]);
        memcpy(r->objects[BOOK].centre, hooks[0].point, sizeof hooks[0].point);
        assert_true(builtin_hangs_as_asked(&r->facts, &move, BOOK));
        leave(r);
    }
}

static void a_picture_is_hung_over_what_stands_on_the_sofa_too(void **state)
{
    (void)state;
    room *r = furnish();
    builtin_hook hooks[BUILTIN_SPOTS_MAX];
    static const uint32_t sofa[] = {SOFA};
    builtin_object *clock = &r->objects[CLOCK];
    memcpy(clock->centre, (double[3]){0.8, 1.3, 0.95}, sizeof clock->centre);
    clock->by = sofa;
    clock->by_count = 1;
    builtin_move move = read_move(r, "Hang the picture above the sofa");
    assert_true(hooks_of(r, &move, PICTURE, hooks) > 0);
    assert_true(fabs(hooks[0].at[1] - 1.5) <= 0.03);
    leave(r);
}

static void places_are_free_and_a_thing_is_not_in_its_own_way(void **state)
{
    (void)state;
    room *r = furnish();
    builtin_hook hooks[BUILTIN_SPOTS_MAX];
    builtin_move move =
        read_move(r, "Hang the clock to the left of the picture");
    uint32_t count = hooks_of(r, &move, CLOCK, hooks);
    assert_true(count > 0);
    for (uint32_t i = 0; i < count; i++)
        assert_true(hooks[i].at[0] + 0.15 <= -1.5 ||
                    hooks[i].at[1] - 0.15 >= 1.7);
    move = read_move(r, "Hang the picture on the wall");
    assert_true(hooks_of(r, &move, PICTURE, hooks) > 0);
    assert_true(fabs(hooks[0].at[1] - 1.5) < 0.03); /* at its height */
    stand_before(r, 0, -2, 2, 0, 2.5);
    assert_int_equal(hooks_of(r, &move, PICTURE, hooks),
                     1); /* all that is left is where it hangs */
    move = read_move(r, "Hang the clock on the wall");
    assert_int_equal(hooks_of(r, &move, CLOCK, hooks), 0);
    leave(r);
}

static void what_could_leave_a_wall_leaves_its_place(void **state)
{
    (void)state;
    room *r = furnish();
    builtin_hook hooks[BUILTIN_SPOTS_MAX];
    uint32_t count = 0;
    builtin_move move = read_move(r, "Hang the clock on the wall");
    stand_before(r, 0, -2, 2, 0, 2.5);
    assert_int_equal(hooks_of(r, &move, CLOCK, hooks), 0);
    const builtin_hanging asked = {
        .move = &move, .object = CLOCK, .without = PICTURE};
    assert_int_equal(
        builtin_hooks(&r->facts, &asked, &r->arena, hooks, &count, NULL),
        ETNA_OK);
    assert_true(count > 0);
    for (uint32_t i = 0; i < count; i++)
        assert_true(fabs(hooks[i].at[0] + 1.2) <= 0.17 &&
                    fabs(hooks[i].at[1] - 1.5) <= 0.07);
    leave(r);
}

/* "Hang all three with their lower edges at 1.5 m" moves none of them aside. */
static void what_hangs_on_the_wall_goes_no_further_along_it_than_it_must(
    void **state)
{
    (void)state;
    room *r = furnish();
    builtin_hook hooks[BUILTIN_SPOTS_MAX];
    builtin_move move = read_move(r, "Hang the picture on the wall");
    for (double x = -1.2; x < 1.3; x += 1.2) {
        r->objects[PICTURE].centre[0] = x;
        assert_true(hooks_of(r, &move, PICTURE, hooks) > 0);
        assert_true(fabs(hooks[0].at[0] - x) <= 0.03);
    }
    leave(r);
}

static void only_what_is_flat_and_upright_hangs(void **state)
{
    (void)state;
    room *r = furnish();
    assert_null(builtin_why_not_hung(&r->facts, PICTURE));
    assert_null(builtin_why_not_hung(&r->facts, CLOCK));
    assert_non_null(strstr(builtin_why_not_hung(&r->facts, MUG), "not flat"));
    assert_non_null(strstr(builtin_why_not_hung(&r->facts, BOOK), "lies flat"));
    const double pole[3] = {0.08, 0.1, 0.8}; /* a floor lamp */
    memcpy(r->objects[CLOCK].half, pole, sizeof pole);
    assert_non_null(strstr(builtin_why_not_hung(&r->facts, CLOCK), "not flat"));
    r->objects[MUG].attached = true; /* on a hook already */
    assert_null(builtin_why_not_hung(&r->facts, MUG));
    /* the file has no hook */
    r->objects[MUG].attached = false;
    r->objects[MUG].hovering = true;
    r->objects[MUG].by_count = 0;
    const builtin_object *mug = &r->objects[MUG];
    const double about[4][2] = {{mug->centre[0] - 1, mug->centre[1] - 1},
                                {mug->centre[0] + 1, mug->centre[1] - 1},
                                {mug->centre[0] + 1, mug->centre[1] + 1},
                                {mug->centre[0] - 1, mug->centre[1] + 1}};
    builtin_surface below = {.object = SOFA,
                             .height = builtin_foot(mug) - 0.4,
                             .corner_count = 4,
                             .corners = about};
    r->facts.surfaces = &below;
    r->facts.surface_count = 1;
    assert_non_null(builtin_why_not_hung(&r->facts, MUG));
    below.height -= 0.2;
    assert_null(builtin_why_not_hung(&r->facts, MUG));
    leave(r);
}

/* A door's leaf is upright and flat as a wall is: above or beside it is not on
 * it. */
static void above_a_door_is_not_on_the_door(void **state)
{
    (void)state;
    static const builtin_relation relations[] = {RELATION_ABOVE, RELATION_LEFT,
                                                 RELATION_BESIDE};
    for (size_t i = 0; i < sizeof relations / sizeof relations[0]; i++) {
        room *r = furnish();
        thing(r, OTHER_WALL, "Door", 0.2, 1.97, 1, 0.8, 0.06, 1.9);
        r->objects[OTHER_WALL].is_static = true;
        r->walls[1] = r->walls[0];
        r->walls[1].object = OTHER_WALL;
        r->walls[1].offset = -1.94;
        r->walls[1].origin[0] = -0.2;
        r->walls[1].columns = 40;
        r->walls[1].rows = 95;
        r->walls[1].map = (builtin_map){.clear = r->fixed, .fixed = r->fixed};
        r->walls[0].rows = 105; /* too low for a clock above it */
        builtin_move move = read_move(r, "Hang the clock above the sofa");
        builtin_hook hooks[BUILTIN_SPOTS_MAX];
        move.relation = relations[i];
        move.reference = OTHER_WALL;
        const uint32_t count = hooks_of(r, &move, CLOCK, hooks);
        assert_int_equal(count > 0, relations[i] != RELATION_ABOVE);
        for (uint32_t k = 0; k < count; k++)
            assert_int_equal(hooks[k].wall, 0);
        leave(r);
    }
}

static void what_stands_is_not_hung_unless_said_so(void **state)
{
    (void)state;
    static const struct {
        const char *sentence;
        uint32_t object;
        bool hung;
    } cases[] = {{"Put the clock next to the sofa", CLOCK, false},
                 {"Hang the clock next to the sofa", CLOCK, true},
                 {"Put the clock above the sofa", CLOCK, true},
                 {"Put the clock on the sofa", CLOCK, false},
                 {"Put the clock to the left of the picture", CLOCK, false},
                 {"Move the picture to the right of the sofa", PICTURE, false},
                 {"Put the picture on the sofa", PICTURE, false},
                 {"Put the picture on the side wall", PICTURE, true}};
    room *r = furnish();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        builtin_move move = read_move(r, cases[i].sentence);
        if (builtin_is_hung(&r->facts, &move, cases[i].object) != cases[i].hung)
            fail_msg("%s", cases[i].sentence);
    }
    leave(r);
}

static void the_other_wall_is_not_the_one_it_hangs_on(void **state)
{
    (void)state;
    room *r = furnish();
    assert_int_equal(builtin_hangs_on(&r->facts, PICTURE), 0);
    assert_int_equal(builtin_hangs_on(&r->facts, CLOCK), BUILTIN_NONE);
    builtin_move move = read_move(r, "Hang the picture on the other wall");
    assert_int_equal(move.reference, OTHER_WALL);
    assert_false(builtin_hangs_as_asked(&r->facts, &move, PICTURE));
    leave(r);
}

/* A plate in a pile on a shelf may touch the wall. */
static void what_lies_close_over_a_thing_does_not_hang(void **state)
{
    (void)state;
    static const builtin_surface top = {.plane = "Sofa_1",
                                        .object = SOFA,
                                        .height = 0.8,
                                        .cell = 0.02,
                                        .origin = {0, 1.2},
                                        .columns = 80,
                                        .rows = 40};
    etna_error err = {0};
    room *r = furnish();
    thing(r, BOOK, "Book", 0.8, 1.85, 0.813, 0.2, 0.3, 0.02);
    thing(r, CLOCK, "Clock", 0.8, 1.975, 0.97, 0.3, 0.05, 0.3);
    r->objects[BOOK].attached = r->objects[CLOCK].attached = true;
    assert_int_equal(builtin_hangs_on(&r->facts, BOOK), 0);
    r->facts.surfaces = &top;
    r->facts.surface_count = 1;
    assert_int_equal(builtin_facts_lay(&r->facts, &r->arena, &err), ETNA_OK);
    assert_int_equal(builtin_hangs_on(&r->facts, BOOK), BUILTIN_NONE);
    assert_int_equal(r->facts.objects[BOOK].by_count, 1);
    assert_int_equal(r->facts.objects[BOOK].by[0], SOFA);
    /* what is upright does */
    assert_int_equal(builtin_hangs_on(&r->facts, CLOCK), 0);
    leave(r);
}

/* Nor does what the facts know to lie on something. */
static void what_is_borne_and_flat_does_not_hang(void **state)
{
    (void)state;
    static const uint32_t sofa = SOFA, wall = WALL;
    etna_error err = {0};
    room *r = furnish();
    thing(r, BOOK, "Book", 0.8, 1.85, 0.813, 0.2, 0.3, 0.02);
    builtin_object *const book = &r->objects[BOOK];
    book->attached = true;
    book->start_by = &wall;
    book->start_by_count = 1;
    assert_int_equal(builtin_facts_lay(&r->facts, &r->arena, &err), ETNA_OK);
    assert_int_equal(builtin_hangs_on(&r->facts, BOOK), 0);
    r->facts.objects = r->objects;
    book->start_by = &sofa;
    assert_int_equal(builtin_facts_lay(&r->facts, &r->arena, &err), ETNA_OK);
    assert_int_equal(builtin_hangs_on(&r->facts, BOOK), BUILTIN_NONE);
    assert_int_equal(r->facts.objects[BOOK].start_by[0], SOFA);
    leave(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_is_hung_above_the_sofa_and_over_its_middle),
        cmocka_unit_test(what_hangs_slides_along_its_wall_toward_what_is_aside),
        cmocka_unit_test(what_hangs_comes_closer_and_stays_on_its_wall),
        cmocka_unit_test(between_two_is_midway_and_centred_is_nowhere_else),
        cmocka_unit_test(exactly_above_is_over_the_middle_and_nowhere_else),
        cmocka_unit_test(a_picture_is_hung_over_what_stands_on_the_sofa_too),
        cmocka_unit_test(places_are_free_and_a_thing_is_not_in_its_own_way),
        cmocka_unit_test(what_could_leave_a_wall_leaves_its_place),
        cmocka_unit_test(above_a_door_is_not_on_the_door),
        cmocka_unit_test(
            what_hangs_on_the_wall_goes_no_further_along_it_than_it_must),
        cmocka_unit_test(only_what_is_flat_and_upright_hangs),
        cmocka_unit_test(what_stands_is_not_hung_unless_said_so),
        cmocka_unit_test(the_other_wall_is_not_the_one_it_hangs_on),
        cmocka_unit_test(what_lies_close_over_a_thing_does_not_hang),
        cmocka_unit_test(what_is_borne_and_flat_does_not_hang),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
