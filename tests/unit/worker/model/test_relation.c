/* Relations as geometry over the table of read_world.c: places where one holds and where it does not, and that the places looked
 * for are among the former. The camera looks along +Y, so left is -X and before is -Y. */
#include "read_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double top = 0.72; /* of the table */

static const struct {
    const char *sentence;
    double x, y;
    bool fits;
} cases[] = { /* the block is 16 cm wide at (-0.4, 0.2), the lamp 20 cm at (0.6, -0.3), the cup 8 cm, the table 1.4 x 0.8 m */
    {"Put the cup to the left of the blue block", -0.55, 0.2, true},
    {"Put the cup to the left of the blue block", -0.25, 0.2, false},
    {"Put the cup to the left of the blue block", -0.55, -0.2, false},
    {"Put the cup to the right of the blue block", -0.25, 0.2, true},
    {"Put the cup to the right of the blue block", -0.55, 0.2, false},
    {"Put the cup in front of the blue block", -0.4, 0.05, true},
    {"Put the cup in front of the blue block", -0.4, 0.35, false},
    {"Put the cup behind the blue block", -0.4, 0.35, true},
    {"Put the cup behind the blue block", -0.4, 0.05, false},
    {"Put the cup next to the blue block", -0.4, 0.05, true},
    {"Put the cup next to the blue block", 0.3, -0.3, false},
    {"Put the cup next to the blue block", -0.4, 0.15, false}, /* within it */
    {"Put the cup against the blue block", -0.27, 0.2, true},
    {"Put the cup against the blue block", -0.2, 0.2, false},
    {"Put the cup 20 cm from the blue block", -0.08, 0.2, true},
    {"Put the cup 20 cm from the blue block", -0.18, 0.2, false},
    {"Put the cup 20 cm to the right of the blue block", -0.08, 0.2, true},
    {"Put the cup 20 cm to the right of the blue block", -0.4, -0.12, false},
    {"Put the cup between the lamp and the blue block", 0.1, -0.05, true},
    {"Put the cup between the lamp and the blue block", -0.4, -0.3, false},
    {"Put the cup in the middle of the table", 0.02, 0.01, true},
    {"Put the cup in the middle of the table", 0.4, 0, false},
    {"Put the cup at the corner of the table", 0.65, 0.35, true},
    {"Put the cup at the corner of the table", 0.65, 0, false},
    {"Put the cup at the back left corner of the table", -0.65, 0.35, true},
    {"Put the cup at the back left corner of the table", 0.65, 0.35, false},
    {"Put the cup at the edge of the table", 0.65, 0, true},
    {"Put the cup at the edge of the table", 0, 0, false},
    {"Put the cup at the left edge of the table", -0.65, 0, true},
    {"Put the cup at the left edge of the table", 0.65, 0, false},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static builtin_move read_one(const builtin_facts *facts, const char *sentence, etna_arena *arena)
{
    builtin_reading *reading = etna_arena_alloc(arena, 1, sizeof *reading);
    etna_error err = {0};
    assert_non_null(reading);
    if (builtin_read(facts, sentence, arena, reading, &err) != ETNA_OK) fail_msg("%s", err.text);
    assert_int_equal(reading->count, 1);
    return reading->moves[0];
}

static void a_place_is_as_asked_or_it_is_not(void **state)
{
    (void)state;
    facts_world w = read_world();
    for (size_t i = 0; i < CASES; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        builtin_facts facts = read_world_facts(&w, &arena);
        builtin_move move = read_one(&facts, cases[i].sentence, &arena);
        const double at[3] = {cases[i].x, cases[i].y, top};
        double misfit = builtin_misfit(&facts, &move, move.objects.objects[0], at);
        if ((misfit <= 0) != cases[i].fits) fail_msg("%s, at %g, %g: misfit %g", cases[i].sentence, at[0], at[1], misfit);
        etna_arena_free(&arena);
    }
}

static void places_that_are_found_are_as_asked_and_on_the_table(void **state)
{
    (void)state;
    facts_world w = read_world();
    for (size_t i = 0; i < CASES; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        builtin_facts facts = read_world_facts(&w, &arena);
        builtin_move move = read_one(&facts, cases[i].sentence, &arena);
        uint32_t cup = move.objects.objects[0], support = builtin_support_of(&facts, &move, cup), count = 0;
        assert_string_equal(facts.objects[support].name, "Table_01");
        builtin_spot spots[BUILTIN_SPOTS_MAX];
        builtin_wish wish = {.object = cup, .reference = support, .taste = TASTE_ROOMY, .move = &move};
        assert_int_equal(builtin_spots(&facts, &wish, spots, &count, NULL), ETNA_OK);
        if (count == 0) fail_msg("no place: %s", cases[i].sentence);
        for (uint32_t k = 0; k < count; k++) {
            assert_true(builtin_misfit(&facts, &move, cup, spots[k].point) <= 0);
            assert_true(fabs(spots[k].point[2] - top) < 1e-9);
        }
        etna_arena_free(&arena);
    }
}

/* Fronts are at -Y in this world: the chairs before the table have their backs to it. */
static void a_front_is_off_by_its_angle(void **state)
{
    (void)state;
    facts_world w = read_world();
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_move move = read_one(&facts, "Turn chair 1 to face the camera", &arena);
    uint32_t chair = move.objects.objects[0];
    assert_int_equal(move.faced, BUILTIN_CAMERA);
    double off = builtin_facing_off(&facts, &move, chair); /* the camera is 0.6 m aside and 2.1 m before it: 15.9 degrees */
    assert_true(off > 15 && off < 17);
    move.facing = FACING_BACK;
    assert_true(builtin_facing_off(&facts, &move, chair) > 90);
    assert_true(builtin_facing_off(&facts, &(builtin_move){.facing = FACING_NONE}, chair) <= 0);
    etna_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_is_as_asked_or_it_is_not),
        cmocka_unit_test(places_that_are_found_are_as_asked_and_on_the_table),
        cmocka_unit_test(a_front_is_off_by_its_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
