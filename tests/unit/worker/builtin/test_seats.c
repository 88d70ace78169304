/* What lies on a sofa: its two seats are surfaces of their own, with a seam
 * between them and buttons in the cloth. */

#include "read_world.h"
#include "worker/builtin/relation.h"
#include "worker/builtin/spot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum {
    SEATS = 2,
    COLUMNS = 42, /* of 2 cm: each seat is 84 cm wide and 60 cm deep */
    ROWS = 30,
    MOST = 255
};

typedef struct sofa_world {
    etna_arena arena;
    facts_world things;
    builtin_facts facts;
    uint32_t sofa, cushion, coin;
    builtin_surface surfaces[8];
    double corners[SEATS][4][2];
    uint8_t clear[SEATS][COLUMNS * ROWS];
} sofa_world;

/* From -0.86 to 0.86 m, with a seam of 4 cm in the middle. */
static void add_seat(sofa_world *w, int k)
{
    const double low[2] = {k == 0 ? -0.86 : 0.02, -0.3};
    const double high[2] = {low[0] + 0.84, 0.3};
    for (int i = 0; i < 4; i++) {
        w->corners[k][i][0] = i == 1 || i == 2 ? high[0] : low[0];
        w->corners[k][i][1] = i < 2 ? low[1] : high[1];
    }
    memset(w->clear[k], MOST, sizeof w->clear[k]);
    w->surfaces[w->facts.surface_count++] =
        (builtin_surface){.plane = k == 0 ? "Top_8" : "Top_9",
                          .object = w->sofa,
                          .height = 0.42,
                          .cell = 0.02,
                          .width = 0.6,
                          .origin = {low[0], low[1]},
                          .columns = COLUMNS,
                          .rows = ROWS,
                          .map = {.clear = w->clear[k], .fixed = w->clear[k]},
                          .corner_count = 4,
                          .corners = (const double(*)[2])w->corners[k]};
}

static int make_sofa(void **state)
{
    static sofa_world w;
    memset(&w, 0, sizeof w);
    w.things = facts_world_new();
    facts_world_add(&w.things, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
    w.sofa = (uint32_t)facts_world_add(&w.things, "Sofa", 0, 0, 2, 0.9, 0.8,
                                       "white", 0);
    w.things.things[w.sofa].no_top = true;
    w.cushion = (uint32_t)facts_world_add(&w.things, "Cushion", 1.5, -1.2, 0.42,
                                          0.42, 0.12, "blue", 0);
    w.coin = (uint32_t)facts_world_add(&w.things, "Coin", 1.5, 1.2, 0.03, 0.03,
                                       0.005, "yellow", 0);
    w.facts = read_world_facts(&w.things, &w.arena);
    assert_true(w.facts.surface_count + SEATS <= 8);
    memcpy(w.surfaces, w.facts.surfaces,
           w.facts.surface_count * sizeof *w.surfaces);
    w.facts.surfaces = w.surfaces;
    for (int k = 0; k < SEATS; k++)
        add_seat(&w, k);
    *state = &w;
    return 0;
}

static int free_sofa(void **state)
{
    sofa_world *w = *state;
    etna_arena_free(&w->arena);
    return 0;
}

/* The places for the cushion that the sentence allows. */
static uint32_t spots_for(sofa_world *w,
                          const char *sentence,
                          builtin_spot ret[BUILTIN_SPOTS_MAX])
{
    uint32_t count = 0;
    const builtin_move move = read_world_move(&w->facts, sentence, &w->arena);
    const builtin_wish wish = {.object = w->cushion,
                               .reference = w->sofa,
                               .taste = TASTE_ROOMY,
                               .move = &move};
    assert_int_equal(builtin_spots(&w->facts, &wish, ret, &count, NULL),
                     ETNA_OK);
    return count;
}

static void the_middle_of_a_sofa_is_over_the_seam_of_its_seats(void **state)
{
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    assert_int_equal(
        spots_for(*state, "Put the cushion in the middle of the sofa", spots),
        1);
    assert_float_equal(spots[0].point[0], 0, 0.01);
    assert_true(spots[0].squeezed);
}

static void a_side_of_a_sofa_is_a_side_of_all_its_seats(void **state)
{
    static const struct {
        const char *sentence;
        double sign;
    } sides[] = {{"Put the cushion on the left side of the sofa", -1},
                 {"Put the cushion on the right side of the sofa", 1}};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        builtin_spot spots[BUILTIN_SPOTS_MAX];
        const uint32_t count = spots_for(*state, sides[i].sentence, spots);
        assert_true(count > 0);
        for (uint32_t k = 0; k < count; k++)
            assert_true(sides[i].sign * spots[k].point[0] > 0.4);
    }
}

/* Holes of a few cells all over both seats, and none in which a cushion would
 * not find a way between them. */
static void buttons_of_a_seat_are_in_no_cushion_s_way(void **state)
{
    sofa_world *w = *state;
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    for (int k = 0; k < SEATS; k++) {
        for (int row = 4; row < ROWS - 1; row += 8) {
            for (int column = 4; column < COLUMNS - 1; column += 8)
                w->clear[k][row * COLUMNS + column] =
                    w->clear[k][row * COLUMNS + column + 1] = 0;
        }
    }
    const uint32_t count = spots_for(w, "Put the cushion on the sofa", spots);
    assert_true(count > 0);
    assert_true(spots[0].squeezed);
    assert_float_equal(spots[0].point[2], 0.42, 1e-9);
}

/* A coin lies on a button, and not where something else is to lie. */
static void a_button_below_what_is_to_lie_there_is_taken(void **state)
{
    sofa_world *w = *state;
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    const builtin_rect all = {{-1, -1}, {1, 1}};
    const int button = 10 * COLUMNS + 10;
    uint32_t count = 0;
    memset(w->clear[0], 0, sizeof w->clear[0]);
    memset(w->clear[1], 0, sizeof w->clear[1]);
    for (int row = 8; row < 14; row++)
        memset(&w->clear[0][row * COLUMNS + 8], MOST, 6);
    w->clear[0][button] = w->clear[0][button + 1] = 0;
    w->clear[0][button + COLUMNS] = w->clear[0][button + COLUMNS + 1] = 0;
    builtin_wish wish = {
        .object = w->coin, .reference = w->sofa, .taste = TASTE_ROOMY};
    assert_int_equal(builtin_spots(&w->facts, &wish, spots, &count, NULL),
                     ETNA_OK);
    assert_true(count > 0);
    wish.taken = &all;
    wish.taken_count = 1;
    assert_int_equal(builtin_spots(&w->facts, &wish, spots, &count, NULL),
                     ETNA_OK);
    assert_int_equal(count, 0);
}

/* A gap as wide as a hand is no button. */
static void a_gap_in_a_seat_is_no_button(void **state)
{
    sofa_world *w = *state;
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    for (int k = 0; k < SEATS; k++) {
        for (int row = 12; row < 18; row++)
            memset(&w->clear[k][row * COLUMNS + 1], 0, COLUMNS - 2);
    }
    assert_int_equal(
        spots_for(w, "Put the cushion on the left side of the sofa", spots), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            the_middle_of_a_sofa_is_over_the_seam_of_its_seats, make_sofa,
            free_sofa),
        cmocka_unit_test_setup_teardown(
            a_side_of_a_sofa_is_a_side_of_all_its_seats, make_sofa, free_sofa),
        cmocka_unit_test_setup_teardown(
            buttons_of_a_seat_are_in_no_cushion_s_way, make_sofa, free_sofa),
        cmocka_unit_test_setup_teardown(
            a_button_below_what_is_to_lie_there_is_taken, make_sofa, free_sofa),
        cmocka_unit_test_setup_teardown(a_gap_in_a_seat_is_no_button, make_sofa,
                                        free_sofa),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
