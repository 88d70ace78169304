/* Moves of several things become moves of one thing each, and each of these is
 * carried out: the planner's parts are driven by moves built here, on worlds of
 * boxes, and every plan is done as it is said. */
#include "read_world.h"
#include "worker/builtin/plan/planner_internal.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct stage {
    facts_world world;
    etna_arena arena;
    builtin_talk talk;
    planner p;
    builtin_object *objects; /* of the scene as it is now */
    json_t *task;
} stage;

static uint32_t at_index(const stage *s, const char *name)
{
    for (uint32_t i = 0; i < s->p.facts->object_count; i++) {
        if (strcmp(s->p.facts->objects[i].name, name) == 0)
            return i;
    }
    fail_msg("no %s", name);
    return 0;
}

static void open_stage(stage *s, const facts_world *w)
{
    static etna_error err;
    memset(s, 0, sizeof *s);
    s->world = *w;
    s->task = json_object();
    s->talk = (builtin_talk){.facts = read_world_facts(w, &s->arena),
                             .last_answer = "",
                             .arena = &s->arena,
                             .task = s->task};
    s->objects =
        etna_arena_memdup(&s->arena, s->talk.facts.objects,
                          s->talk.facts.object_count * sizeof *s->objects);
    s->p = (planner){.talk = &s->talk,
                     .facts = &s->talk.facts,
                     .then = s->talk.facts,
                     .instruction = 1,
                     .left = 24,
                     .err = &err};
    s->talk.facts.objects = s->objects;
    s->p.scratch = etna_arena_alloc(&s->arena, s->talk.facts.object_count,
                                    sizeof(uint32_t));
}

static void close_stage(stage *s)
{
    json_decref(s->task);
    etna_arena_free(&s->arena);
}

static builtin_set set_of(stage *s, const char *const *names, uint32_t count)
{
    uint32_t *list = etna_arena_alloc(&s->arena, count, sizeof *list);
    for (uint32_t i = 0; i < count; i++)
        list[i] = at_index(s, names[i]);
    return (builtin_set){.count = count, .objects = list, .need = count};
}

static builtin_move move_of(stage *s,
                            builtin_relation relation,
                            const char *const *names,
                            uint32_t count,
                            const char *reference)
{
    return (builtin_move){.relation = relation,
                          .objects = set_of(s, names, count),
                          .reference =
                              reference ? at_index(s, reference) : BUILTIN_NONE,
                          .second = BUILTIN_NONE,
                          .support = BUILTIN_NONE,
                          .gap = -1,
                          .spacing = -1};
}

static void expand(stage *s, const builtin_move *move)
{
    s->p.reading.count = 1;
    s->p.reading.moves[0] = *move;
    etna_error *err = s->p.err;
    if (planner_expand(&s->p) != ETNA_OK)
        fail_msg("%s", err->text);
}

/* Does every expanded move in the order given, and sees that it holds then.
 * Places are as the plans' first say. */
static void carry_out(stage *s)
{
    for (uint32_t i = 0; i < s->p.reading.count; i++) {
        const builtin_move *move = &s->p.reading.moves[i];
        uint32_t object = move->objects.objects[0];
        plan chosen;
        bool found = false;
        if (planner_holds(&s->p, move, object))
            continue;
        assert_int_equal(
            planner_find_place(&s->p, move, &object, 1, &chosen, &found),
            ETNA_OK);
        if (!found)
            fail_msg("no place for %s", s->p.facts->objects[object].name);
        builtin_object *o = &s->objects[object];
        for (int k = 0; k < 2; k++)
            o->centre[k] = chosen.exact.at[k];
        o->centre[2] = chosen.exact.at[2] +
                       (chosen.exact.kind == EXACT_PUT ? o->half[2] : 0);
        if (chosen.exact.has_yaw) {
            double way[2];
            builtin_heading_at(o, chosen.exact.yaw_deg, way);
            memcpy(o->heading, way, sizeof way);
            o->yaw_deg = chosen.exact.yaw_deg;
        }
        if (chosen.exact.kind == EXACT_PUT) {
            uint32_t *by = etna_arena_alloc(&s->arena, 1, sizeof *by);
            *by = chosen.exact.support;
            o->by = by;
            o->by_count = 1;
        }
        o->moved = true;
        if (!planner_holds(&s->p, move, object))
            fail_msg("%s is not as asked", o->name);
    }
}

static const double *place_of(const stage *s, const char *name)
{
    return s->p.facts->objects[at_index(s, name)].centre;
}

/* A table with three tins on it, four chairs around, a plate and a glass on a
 * sideboard. */
static facts_world kitchen(void)
{
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "floor", 0, 0, 6, 5, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    int table =
        facts_world_add(&w, "table", 0, 0, 1.6, 0.9, 0.73, "brown", floor);
    int board =
        facts_world_add(&w, "sideboard", 2.3, 0, 0.5, 1.6, 0.8, "brown", floor);
    facts_world_add(&w, "red tin", 0.3, 0.1, 0.1, 0.1, 0.12, "red", table);
    facts_world_add(&w, "white tin", -0.2, 0.2, 0.1, 0.1, 0.12, "white", table);
    facts_world_add(&w, "blue tin", -0.5, -0.1, 0.1, 0.1, 0.12, "blue", table);
    facts_world_add(&w, "chair 1", 0, -1.1, 0.42, 0.42, 0.45, "brown", floor);
    facts_world_add(&w, "chair 2", 0, 1.1, 0.42, 0.42, 0.45, "brown", floor);
    facts_world_add(&w, "chair 3", -1.4, 0, 0.42, 0.42, 0.45, "brown", floor);
    facts_world_add(&w, "plate 1", 2.3, -0.5, 0.24, 0.24, 0.02, "white", board);
    facts_world_add(&w, "plate 2", 2.3, -0.2, 0.24, 0.24, 0.02, "white", board);
    facts_world_add(&w, "plate 3", 2.3, 0.1, 0.24, 0.24, 0.02, "white", board);
    facts_world_add(&w, "glass", 2.3, 0.5, 0.07, 0.07, 0.14, "white", board);
    return w;
}

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

/* A wall at the picture's back, with two barrels before it, not in its
 * middle. */
static facts_world yard(void)
{
    static const double x[] = {0.6, 2.4};
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "floor", 0, 0, 6, 5, 0.02, "grey", -1);
    int wall = facts_world_add(&w, "wall", 0, 2.45, 6, 0.1, 2.5, "white", -1);
    w.things[floor].is_static = w.things[wall].is_static = true;
    facts_world_add(&w, "barrel 1", x[0], 2.1, 0.5, 0.5, 0.8, "brown", floor);
    facts_world_add(&w, "barrel 2", x[1], 2.1, 0.5, 0.5, 0.8, "brown", floor);
    facts_world_add(&w, "red can", -2, 0, 0.2, 0.2, 0.3, "red", floor);
    facts_world_add(&w, "white can", -1.5, 0.3, 0.2, 0.2, 0.3, "white", floor);
    facts_world_add(&w, "blue can", -1, -0.3, 0.2, 0.2, 0.3, "blue", floor);
    return w;
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

/* A row that something is said of besides: where it is by that. */
static void row_by(stage *s,
                   builtin_relation relation,
                   unsigned sides,
                   const char *reference,
                   const char *second,
                   const char *const *names)
{
    builtin_condition also = {.relation = relation,
                              .reference = at_index(s, reference),
                              .second = BUILTIN_NONE,
                              .sides = sides,
                              .gap = -1};
    if (second)
        also.second = at_index(s, second);
    builtin_move line = move_of(s, RELATION_LINE, names, 3, reference);
    line.also = &also;
    line.also_count = 1;
    line.sides = sides;
    expand(s, &line);
    assert_int_equal(s->p.reading.count, 3);
    carry_out(s);
}

static const char *bearer_of(const stage *s, const char *name)
{
    const builtin_object *o = &s->p.facts->objects[at_index(s, name)];
    return o->by_count ? s->p.facts->objects[o->by[0]].name : "";
}

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
    facts_world_add(&w, "salt", -0.5, -0.29, 0.05, 0.05, 0.1, "white",
                    facts_world_find(&w, "table")); /* before it */
    stage s;
    open_stage(&s, &w);
    builtin_move around = move_of(&s, RELATION_AROUND, plates, 2, "blue tin");
    around.gap = 0.02;
    expand(&s, &around);
    assert_int_equal(s.p.reading.count, 2);
    carry_out(&s);
    const double *blue = place_of(&s, "blue tin"), *salt = place_of(&s, "salt");
    for (int i = 0; i < 2; i++) {
        const double *at = place_of(&s, plates[i]);
        assert_true(hypot(at[0] - blue[0], at[1] - blue[1]) < 0.35);
        assert_true(fabs(at[0] - salt[0]) > 0.145 ||
                    fabs(at[1] - salt[1]) > 0.145);
        /* the table's top, not the sideboard's */
        assert_float_equal(at[2], 0.75 + 0.01, 0.02);
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_row_stands_at_equal_steps_along_the_edge_in_the_order_said),
        cmocka_unit_test(a_row_on_a_top_is_no_wider_than_it_need_be),
        cmocka_unit_test(what_goes_side_by_side_stands_next_to_one_another),
        cmocka_unit_test(a_row_along_a_wall_is_also_by_what_is_said_besides),
        cmocka_unit_test(
            a_row_is_refused_where_it_has_no_room_between_what_is_said),
        cmocka_unit_test(what_goes_away_from_a_wall_is_farther_from_all_of_it),
        cmocka_unit_test(long_things_side_by_side_lie_flank_to_flank),
        cmocka_unit_test(what_is_by_a_thing_is_also_on_what_bears_that),
        cmocka_unit_test(a_row_where_they_stand_is_straight),
        cmocka_unit_test(a_row_before_a_thing_stands_on_what_bears_that),
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
        cmocka_unit_test(no_row_goes_into_a_crate_that_is_too_narrow),
        cmocka_unit_test(no_row_goes_under_what_leaves_no_room_for_it),
        cmocka_unit_test(a_row_between_two_things_goes_from_one_to_the_other),
        cmocka_unit_test(what_is_on_furniture_goes_onto_the_end_of_furniture),
        cmocka_unit_test(a_row_that_faces_something_has_room_for_that_turn),
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
        cmocka_unit_test(a_pile_rises_in_the_order_said),
        cmocka_unit_test(a_chair_is_tucked_in_from_its_own_side),
        cmocka_unit_test(the_only_chair_at_a_side_is_tucked_in_at_its_middle),
        cmocka_unit_test(
            what_is_shifted_goes_as_far_as_said_the_foremost_first),
        cmocka_unit_test(a_table_is_laid_before_the_seats),
        cmocka_unit_test(
            things_that_trade_places_each_come_where_the_other_was),
        cmocka_unit_test(who_trades_with_what_hovers_stands_there),
        cmocka_unit_test(one_goes_to_each_the_nearest_first),
        cmocka_unit_test(
            what_is_more_than_those_it_goes_to_is_shared_among_them),
        cmocka_unit_test(
            what_goes_around_a_thing_takes_free_places_on_what_bears_it),
        cmocka_unit_test(
            what_goes_around_a_thing_at_a_wall_stands_about_its_other_sides),
        cmocka_unit_test(chairs_around_a_long_table_stand_along_its_long_sides),
        cmocka_unit_test(chairs_at_a_table_by_a_wall_take_its_ends),
        cmocka_unit_test(
            what_is_let_down_takes_the_room_that_others_leave_at_an_edge),
        cmocka_unit_test(a_row_of_small_things_has_small_gaps),
        cmocka_unit_test(two_of_several_go_around_and_the_rest_stays),
        cmocka_unit_test(what_goes_around_a_moved_thing_goes_where_that_is_now),
        cmocka_unit_test(a_pile_beside_a_thing_stands_on_what_bears_that),
        cmocka_unit_test(all_conditions_hold_of_one_place),
        cmocka_unit_test(
            a_row_of_unlike_things_is_straight_where_most_of_them_stand),
        cmocka_unit_test(a_long_flat_thing_lies_along_its_wall),
        cmocka_unit_test(
            what_stands_askew_is_set_square_where_there_is_no_room_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
