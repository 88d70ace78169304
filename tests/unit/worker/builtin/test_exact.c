/* Exact plans: what is written is read back, and nothing else is read. */
#include "read_world.h"
#include "worker/builtin/place/exact.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static uint32_t index_of(const builtin_facts *facts, const char *name)
{
    for (uint32_t i = 0; i < facts->object_count; i++) {
        if (strcmp(facts->objects[i].name, name) == 0)
            return i;
    }
    fail_msg("no %s", name);
    return 0;
}

static void what_is_written_is_read_back(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = read_world();
    w.things[facts_world_find(&w, "obj_17")].name = "a 'vase' on (1, 2)";
    builtin_talk talk = {.facts = read_world_facts(&w, &arena),
                         .arena = &arena};
    uint32_t vase = index_of(&talk.facts, "a 'vase' on (1, 2)"),
             table = index_of(&talk.facts, "Table_01"),
             floor = index_of(&talk.facts, "FloorB_01_001");
    const builtin_exact_list lists[] = {
        {1, {{.object = vase, .support = table, .at = {-1.25, 0.5, 0.71}}}},
        {1,
         {{.object = vase,
           .support = table,
           .at = {0, 0, 0},
           .slack = 0.05,
           .has_yaw = true,
           .yaw_deg = 359.9}}},
        {1,
         {{.object = vase,
           .support = floor,
           .at = {1, 2, 3},
           .is_way = true,
           .to = {4, 5, 6}}}},
        {1,
         {{.kind = EXACT_HANG,
           .object = vase,
           .support = floor,
           .at = {1, 2, 3}}}},
        {1,
         {{.kind = EXACT_MOVE,
           .object = vase,
           .support = BUILTIN_NONE,
           .at = {1, 2, 3}}}},
        {2,
         {{.object = vase, .support = table, .at = {1, 2, 3}, .into = true},
          {.object = vase, .support = table, .at = {1, 2, 4}, .into = true}}},
        {2,
         {{.object = vase, .support = table, .at = {1, 2, 3}, .into = true},
          {.object = vase, .support = table, .at = {1, 2, 4}}}},
        {3,
         {{.object = vase, .support = table, .at = {0, 0, 1}},
          {.object = vase, .support = table, .at = {0.5, 0, 1}, .slack = 0.1},
          {.object = vase,
           .support = floor,
           .at = {0.5, 0, 1},
           .has_yaw = true,
           .yaw_deg = 90}}},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const char *text = builtin_exact_write(&talk, &lists[i]);
        builtin_exact_list read;
        assert_non_null(text);
        if (!builtin_exact_read(&talk.facts, text, &read))
            fail_msg("not read: %s", text);
        assert_int_equal(read.count, lists[i].count);
        for (uint32_t k = 0; k < read.count; k++)
            assert_true(builtin_exact_same(&read.items[k], &lists[i].items[k]));
    }
    etna_arena_free(&arena);
}

static void nothing_else_is_an_exact_plan(void **state)
{
    (void)state;
    static const char too_many[] =
        "Put \"obj_17\" on \"Table_01\" at (0, 0, 0) or at (0, 0, 0) or at (0, 0, 0) or at (0, 0, 0) "
        "or at (0, 0, 0) or at (0, 0, 0) or at (0, 0, 0)";
    static const char *const bad[] = {
        "",
        "Put",
        "Put \"Table_01\"",
        "Put the vase on the table",
        "Put \"obj_17\" on \"Table_01\"",
        "Put \"obj_17\" on \"Nothing\" at (0, 0, 0)",
        "Put \"obj_17\" on \"obj_17\" at (0, 0, 0)",
        "Put \"obj_17\" at (0, 0, 0)",
        "Put \"obj_17\" on \"Table_01\" at (0, 0)",
        "Put \"obj_17\" on \"Table_01\" at (0, 0, nan)",
        "Put \"obj_17\" on \"Table_01\" at (0, 0, 1e9)",
        "Put \"obj_17\" on \"Table_01\" at (0, 0, 9999999)",
        "Put \"obj_17\" on \"Table_01\" at (0, 0, 0.)",
        "Put \"obj_17\" on \"Table_01\" at (0, 0, 0) within -1 m",
        "Put \"obj_17\" on \"Table_01\" at (0, 0, 0) within 1000 m",
        "Put \"obj_17\" on \"Table_01\" at (0, 0, 0), turned to 361 degrees",
        "Put \"obj_17\" on \"Table_01\" at (0, 0, 0), turned to -5 degrees",
        "Put \"obj_17\" on \"Table_01\" at (0, 0, 0) and more",
        "Put \"obj_17\" on \"Table_01\" at (0, 0, 0), or",
        "Move \"obj_17\" on \"Table_01\" to (0, 0, 0)",
        too_many,
    };
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = read_world();
    builtin_facts facts = read_world_facts(&w, &arena);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        builtin_exact_list list = {.count = 77};
        if (builtin_exact_read(&facts, bad[i], &list))
            fail_msg("read: %s", bad[i]);
        assert_int_equal(list.count, 77);
    }
    etna_arena_free(&arena);
}

static void headings_turn_as_yaws_do(void **state)
{
    (void)state;
    const builtin_object o = {.heading = {0, -1}, .yaw_deg = 0};
    double way[2];
    assert_float_equal(builtin_yaw_toward(&o, (double[2]){1, 0}), 90,
                       1e-9); /* yaw is from -Y, counter-clockwise */
    assert_float_equal(
        builtin_turn_between((double[2]){1, 0}, (double[2]){0, -1}), 270, 1e-9);
    builtin_heading_at(&o, 90, way);
    assert_float_equal(way[0], 1, 1e-12);
    assert_float_equal(way[1], 0, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(nothing_else_is_an_exact_plan),
        cmocka_unit_test(headings_turn_as_yaws_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
