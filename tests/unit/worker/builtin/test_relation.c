/* Relations as geometry over the table of read_world.c: places where one holds
 * and where it does not, and that the places looked for are among the former.
 * The camera looks along +Y, so left is -X and before is -Y. */
#include "read_world.h"
#include "worker/builtin/relation.h"
#include "worker/builtin/spot.h"
#include "worker/math/vec.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const double top = 0.72; /* of the table */

static const struct {
    const char *sentence;
    double x, y;
    bool fits;
} cases[] = {
    /* the block is 16 cm wide at (-0.4, 0.2), the lamp 20 cm at (0.6, -0.3),
     * the cup 8 cm, the table 1.4 x 0.8 m */
    {"Put the cup to the left of the blue block", -0.55, 0.2, true},
    {"Put the cup to the left of the blue block", -0.25, 0.2, false},
    {"Put the cup to the left of the blue block", -0.55, -0.2, false},
    {"Put the cup to the right of the blue block", -0.25, 0.2, true},
    {"Put the cup to the right of the blue block", -0.55, 0.2, false},
    {"Put the cup in front of the blue block", -0.4, 0.05, true},
    {"Put the cup in front of the blue block", -0.4, 0.35, false},
    {"Put the cup in front of the blue block", -0.31, 0.05, true},
    {"Put the cup exactly in front of the blue block", -0.4, 0.05, true},
    {"Put the cup exactly in front of the blue block", -0.31, 0.05, false},
    {"Put the cup centred in front of the blue block", -0.38, 0.05, true},
    {"Put the cup centred in front of the blue block", -0.31, 0.05, false},
    {"Put the cup behind the blue block", -0.4, 0.35, true},
    {"Put the cup behind the blue block", -0.4, 0.05, false},
    /* the yellow one is 40 by 30 cm at (0.4, 0.1): both are one width, from
     * -0.48 to 0.6, and their back is the blue one's, at 0.28 */
    {"Put the cup behind the two blocks", 0.06, 0.34, true},
    {"Put the cup behind the blocks", -0.4, 0.34, true},
    {"Put the cup behind the two blocks", 0.06, 0.2, false},
    {"Put the cup behind the two blocks", 0.4, 0.29, false},
    {"Put the cup behind the two blocks, in the middle", 0.06, 0.34, true},
    {"Put the cup behind the two blocks, in the middle", -0.3, 0.34, false},
    {"Put the cup in front of both blocks", -0.1, -0.12, true},
    {"Put the cup in front of both blocks", -0.4, 0.06, false},
    {"Put the cup 10 cm in front of the two blocks", 0.1, -0.19, true},
    {"Put the cup 10 cm in front of the two blocks", -0.4, -0.02, false},
    {"Put the cup next to the blue block", -0.4, 0.05, true},
    {"Put the cup next to the blue block", 0.3, -0.3, false},
    {"Put the cup next to the blue block", -0.4, 0.15, false}, /* within it */
    /* a chair stands 30 cm before the table, at 0.6 */
    {"Put the blue bottle next to the right chair, on the table", 0.6, -0.33,
     true},
    {"Put the blue bottle next to the right chair, on the table", 0.6, 0.1,
     false},
    {"Put the blue bottle next to the right chair, on the table", 0, -0.33,
     false},
    {"Put the blue bottle next to the lamp, on the table", 0.1, -0.3, false},
    {"Put the cup against the blue block", -0.27, 0.2, true},
    {"Put the cup against the blue block", -0.2, 0.2, false},
    {"Put the cup 20 cm from the blue block", -0.08, 0.2, true},
    {"Put the cup 20 cm from the blue block", -0.18, 0.2, false},
    {"Put the cup 20 cm to the right of the blue block", -0.08, 0.2, true},
    {"Put the cup 20 cm to the right of the blue block", -0.4, -0.12, false},
    {"Put the cup between the lamp and the blue block", 0.1, -0.05, true},
    {"Put the cup between the lamp and the blue block", -0.4, -0.3, false},
    {"Put the cup halfway between the lamp and the blue block", 0.1, -0.05,
     true},
    {"Put the cup exactly between the lamp and the blue block", 0.1, -0.05,
     true},
    {"Put the cup halfway between the lamp and the blue block", 0.18, -0.09,
     false},
    {"Put the cup exactly between the lamp and the blue block", 0.18, -0.09,
     false},
    {"Put the cup between the lamp and the blue block", 0.18, -0.09, true},
    {"Put the cup on the table, but not next to the blue block", 0.1, -0.05,
     true},
    {"Put the cup on the table, but not next to the blue block", -0.4, 0.05,
     false},
    {"Put the cup on the table, but not on the blue block", -0.25, 0.2, true},
    /* the cup itself is one of those that nothing is to stand on */
    {"Put the cup on the table, but don't stack anything", -0.2, 0.2, true},
    {"Put the cup on the table, but don't stack anything", -0.4, 0.2, false},
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
    {"Put the cup 20 cm from the left edge of the table", -0.46, 0, true},
    {"Put the cup 20 cm from the left edge of the table", -0.65, 0, false},
    {"Put the cup at least 20 cm from the left edge of the table", 0, 0, true},
    {"Put the cup at least 20 cm from the left edge of the table", -0.55, 0,
     false},
    {"Put the cup 10 cm from the edge of the table", 0, 0.26, true},
    {"Put the cup 10 cm from the edge of the table", 0, 0.35, false},
    {"Put the cup on the table, 10 cm from the back edge", 0, 0.26, true},
    {"Put the cup on the table, 10 cm from the back edge", 0, -0.26, false},
    {"Put the cup 10 cm from the back left corner of the table", -0.6, 0.28,
     true},
    {"Put the cup 10 cm from the back left corner of the table", -0.66, 0.36,
     false},
    {"Put the cup 30 cm from the middle of the table", 0.3, 0, true},
    {"Put the cup 30 cm from the middle of the table", 0.02, 0.01, false},
};

enum {
    CASES = sizeof cases / sizeof cases[0]
};

static void a_place_is_as_asked_or_it_is_not(void **state)
{
    (void)state;
    facts_world w = read_world();
    for (size_t i = 0; i < CASES; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        builtin_facts facts = read_world_facts(&w, &arena);
        builtin_move move = read_world_move(&facts, cases[i].sentence, &arena);
        const double at[3] = {cases[i].x, cases[i].y, top};
        double misfit =
            builtin_misfit(&facts, &move, move.objects.objects[0], at);
        if ((misfit <= 0) != cases[i].fits)
            fail_msg("%s, at %g, %g: misfit %g", cases[i].sentence, at[0],
                     at[1], misfit);
        etna_arena_free(&arena);
    }
}

static void ignored_things_leave_their_cells_free(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 2, 2, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "Shelf Board", 0, 0, 0.5, 0.5, 0.1, "brown", floor);
    facts_world_add(&w, "Left Box", -0.12, 0, 0.24, 0.48, 0.1, "red", 1);
    facts_world_add(&w, "Right Box", 0.12, 0, 0.24, 0.48, 0.1, "blue", 1);
    facts_world_add(&w, "Case", 0.8, 0.8, 0.2, 0.2, 0.1, "green", floor);
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(&w, &arena);
    const uint32_t right = 3, both[] = {2, 3};
    builtin_wish wish = {.object = 4, .reference = 1, .taste = TASTE_ROOMY};
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    uint32_t count = 9;
    assert_int_equal(builtin_spots(&facts, &wish, spots, &count, NULL),
                     ETNA_OK);
    assert_int_equal(count, 0);
    wish.ignored = &right;
    wish.ignored_count = 1;
    assert_int_equal(builtin_spots(&facts, &wish, spots, &count, NULL),
                     ETNA_OK);
    assert_true(count > 0);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(builtin_is_in_the_way(&facts, 3, 4, spots[i].point) &&
                    !builtin_is_in_the_way(&facts, 2, 4, spots[i].point));
    }
    wish.ignored = both;
    wish.ignored_count = 2;
    wish.ignored_cost = 2;
    assert_int_equal(builtin_spots(&facts, &wish, spots, &count, NULL),
                     ETNA_OK);
    assert_true(count > 0); /* over one of them, not over both */
    assert_true(builtin_is_in_the_way(&facts, 2, 4, spots[0].point) !=
                builtin_is_in_the_way(&facts, 3, 4, spots[0].point));
    etna_arena_free(&arena);
}

static void a_chair_that_is_pushed_in_takes_no_room_on_the_table(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 4, 4, 0.02, "grey", -1);
    w.things[floor].is_static = true;
    facts_world_add(&w, "Table", 0, 0, 1, 1, 0.75, "brown", floor);
    facts_world_add(&w, "Chair", 0, 0.5, 0.4, 0.4, 0.9, "brown", floor);
    facts_world_add(&w, "Plate", 0, -0.3, 0.2, 0.2, 0.02, "white", 1);
    facts_world_add(&w, "Box", 1.5, 1.5, 0.3, 0.3, 0.3, "red", floor);
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(&w, &arena);
    assert_false(
        builtin_is_in_the_way(&facts, 2, 3, (double[3]){0, 0.35, 0.77}));
    assert_true(builtin_is_in_the_way(&facts, 2, 4, (double[3]){0, 0.6, 0.02}));
    assert_true(
        builtin_is_in_the_way(&facts, 3, 4, (double[3]){0, -0.3, 0.77}));
    etna_arena_free(&arena);
}

static void places_that_are_found_are_as_asked_and_on_the_table(void **state)
{
    (void)state;
    facts_world w = read_world();
    for (size_t i = 0; i < CASES; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        builtin_facts facts = read_world_facts(&w, &arena);
        builtin_move move = read_world_move(&facts, cases[i].sentence, &arena);
        uint32_t cup = move.objects.objects[0],
                 support = builtin_support_of(&facts, &move, cup), count = 0;
        assert_string_equal(facts.objects[support].name, "Table_01");
        builtin_spot spots[BUILTIN_SPOTS_MAX];
        builtin_wish wish = {.object = cup,
                             .reference = support,
                             .taste = TASTE_ROOMY,
                             .move = &move};
        assert_int_equal(builtin_spots(&facts, &wish, spots, &count, NULL),
                         ETNA_OK);
        if (count == 0)
            fail_msg("no place: %s", cases[i].sentence);
        for (uint32_t k = 0; k < count; k++) {
            assert_true(builtin_misfit(&facts, &move, cup, spots[k].point) <=
                        0);
            assert_true(fabs(spots[k].point[2] - top) < 1e-9);
        }
        etna_arena_free(&arena);
    }
}

/* The table with a board 40 cm below its top, of the same size, and as free. */
static void add_board(builtin_facts *facts, uint32_t table, etna_arena *arena)
{
    builtin_surface *surfaces =
        etna_arena_alloc(arena, facts->surface_count + 1u, sizeof *surfaces);
    assert_non_null(surfaces);
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        surfaces[i] = facts->surfaces[i];
        if (surfaces[i].object != table)
            continue;
        surfaces[facts->surface_count] = surfaces[i];
        surfaces[facts->surface_count].height -= 0.4;
    }
    facts->surfaces = surfaces;
    facts->surface_count++;
}

static void what_is_asked_beside_a_thing_is_asked_on_its_board(void **state)
{
    (void)state;
    static const struct {
        const char *sentence;
        double x, y;
    } rows[] = {{"Put the cup to the left of the blue block", -0.55, 0.2},
                {"Put the cup next to the blue block", -0.4, 0.05},
                {"Put the cup behind the blue block", -0.4, 0.35},
                {"Put the cup against the blue block", -0.27, 0.2},
                {"Put the cup between the lamp and the blue block", 0.1, -0.05},
                {"Put the cup on the top level of the table", 0, 0}};
    facts_world w = read_world();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        builtin_facts facts = read_world_facts(&w, &arena);
        uint32_t table = (uint32_t)facts_world_find(&w, "Table_01"), count = 0;
        add_board(&facts, table, &arena);
        builtin_move move = read_world_move(&facts, rows[i].sentence, &arena);
        uint32_t cup = move.objects.objects[0];
        const double at[3] = {rows[i].x, rows[i].y, top},
                     lower[3] = {rows[i].x, rows[i].y, top - 0.4};
        if (builtin_misfit(&facts, &move, cup, at) > 0)
            fail_msg("not on the table's top: %s", rows[i].sentence);
        if (builtin_misfit(&facts, &move, cup, lower) < 0.1)
            fail_msg("holds on the board below: %s", rows[i].sentence);
        builtin_wish wish = {.object = cup,
                             .reference = table,
                             .taste = TASTE_ROOMY,
                             .move = &move};
        builtin_spot spots[BUILTIN_SPOTS_MAX];
        assert_int_equal(builtin_spots(&facts, &wish, spots, &count, NULL),
                         ETNA_OK);
        assert_true(count > 0);
        for (uint32_t k = 0; k < count; k++)
            assert_true(fabs(spots[k].point[2] - top) < 1e-9);
        etna_arena_free(&arena);
    }
}

/* "On the table, next to the block" is on the block's board of it. */
static void what_is_beside_a_thing_in_its_shelf_is_on_that_board(void **state)
{
    (void)state;
    facts_world w = read_world();
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(&w, &arena);
    const uint32_t table = (uint32_t)facts_world_find(&w, "Table_01");
    add_board(&facts, table, &arena);
    builtin_move move =
        read_world_move(&facts, "Put the cup next to the blue block", &arena);
    const builtin_condition beside = {.relation = RELATION_BESIDE,
                                      .reference = move.reference,
                                      .second = BUILTIN_NONE,
                                      .gap = -1,
                                      .bound = move.bound};
    move.relation = RELATION_ON;
    move.reference = table;
    move.also = &beside;
    move.also_count = 1;
    const uint32_t cup = move.objects.objects[0];
    const double at[3] = {-0.4, 0.05, top}, lower[3] = {-0.4, 0.05, top - 0.4};
    assert_true(builtin_misfit(&facts, &move, cup, at) <= 0);
    assert_true(builtin_misfit(&facts, &move, cup, lower) > 0.1);
    etna_arena_free(&arena);
}

/* Its top is crowded and the board below it is empty. */
static void assert_on_workbench(double crate, bool has_room)
{
    etna_arena arena = ETNA_ARENA_INIT, empty = ETNA_ARENA_INIT;
    facts_world w = facts_world_new();
    int floor = facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
    int bench =
        facts_world_add(&w, "Workbench", 0, 0, 1.2, 0.6, 0.9, "brown", floor);
    facts_world_add(&w, "Cup", 1.5, 0, 0.08, 0.08, 0.1, "red", floor);
    builtin_facts free_of_all = read_world_facts(&w, &empty);
    facts_world_add(&w, "Crate", crate / 2 - 0.6, 0, crate, 0.6, 0.3, "brown",
                    bench);
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_surface *surfaces =
        etna_arena_alloc(&arena, facts.surface_count + 1u, sizeof *surfaces);
    assert_non_null(surfaces);
    memcpy(surfaces, facts.surfaces, facts.surface_count * sizeof *surfaces);
    for (uint32_t i = 0; i < free_of_all.surface_count; i++) {
        if (free_of_all.surfaces[i].object != (uint32_t)bench)
            continue;
        surfaces[facts.surface_count] = free_of_all.surfaces[i];
        surfaces[facts.surface_count].height -= 0.65;
    }
    facts.surfaces = surfaces;
    facts.surface_count++;
    builtin_move move =
        read_world_move(&facts, "Put the cup on the workbench", &arena);
    builtin_wish wish = {.object = move.objects.objects[0],
                         .reference = (uint32_t)bench,
                         .taste = TASTE_ROOMY,
                         .move = &move};
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    uint32_t count = 0;
    assert_int_equal(builtin_spots(&facts, &wish, spots, &count, NULL),
                     ETNA_OK);
    assert_int_equal(count > 0, has_room);
    for (uint32_t k = 0; k < count; k++)
        assert_float_equal(spots[k].point[2], 0.92, 1e-6);
    assert_true(builtin_is_below_top(&facts, &move, (uint32_t)bench, 0.27));
    assert_false(builtin_is_below_top(&facts, &move, (uint32_t)bench, 0.92));
    etna_arena_free(&empty);
    etna_arena_free(&arena);
}

/* Its lower board is empty: that is no place on it, though the crate takes all
 * of the top. */
static void on_a_workbench_is_on_its_top_however_much_lies_there(void **state)
{
    (void)state;
    assert_on_workbench(0.8, true);
    assert_on_workbench(1.2, false);
}

/* Chess pieces of two centimetres: what is a hand's breadth away on their board
 * is at its other end, and not by them. */
static void small_things_are_near_by_their_own_measure(void **state)
{
    (void)state;
    static const struct {
        const char *sentence;
        double gap;
        bool fits;
    } rows[] = {{"Put the rook next to the king", 0.03, true},
                {"Put the rook next to the king", 0.08, false},
                {"Put the rook to the left of the king", 0.03, true},
                {"Put the rook to the left of the king", 0.15, false}};
    facts_world w = facts_world_new();
    int board = facts_world_add(&w, "Board", 0, 0, 0.4, 0.4, 0.02, "brown", -1);
    w.things[board].is_static = true;
    facts_world_add(&w, "King", 0.05, 0, 0.02, 0.02, 0.05, "black", board);
    facts_world_add(&w, "Rook", 0, 0.15, 0.02, 0.02, 0.04, "black", board);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        builtin_facts facts = read_world_facts(&w, &arena);
        builtin_move move = read_world_move(&facts, rows[i].sentence, &arena);
        const double at[3] = {0.05 - 0.02 - rows[i].gap, 0, 0.02};
        const double misfit =
            builtin_misfit(&facts, &move, move.objects.objects[0], at);
        if ((misfit <= 0) != rows[i].fits)
            fail_msg("%s, %.2f m: %g", rows[i].sentence, rows[i].gap, misfit);
        etna_arena_free(&arena);
    }
}

/* The handle is the top of the basket's box; a loaf that lies across it, let in
 * by half a millimetre, is in nothing. */
static void what_lies_on_a_basket_s_handle_is_not_in_it(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
    uint32_t basket = (uint32_t)facts_world_add(&w, "Basket", 0, 0, 0.5, 0.4,
                                                0.5, "brown", 0);
    uint32_t loaf = (uint32_t)facts_world_add(&w, "Loaf", 1, 0, 0.2, 0.14, 0.07,
                                              "brown", 0);
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_move move =
        read_world_move(&facts, "Put the loaf in the basket", &arena);
    assert_int_equal(move.relation, RELATION_IN);
    const double handle =
        facts.objects[basket].centre[2] + facts.objects[basket].half[2];
    assert_true(builtin_misfit(&facts, &move, loaf,
                               (double[3]){0, 0.05, handle - 0.0005}) > 0.01);
    assert_true(builtin_misfit(&facts, &move, loaf,
                               (double[3]){0, 0.05, handle - 0.2}) <= 0);
    etna_arena_free(&arena);
}

/* A box at an angle, seen from above, spans more than it holds. */
static void what_leans_out_of_a_box_is_not_in_it(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
    const int box =
        facts_world_add(&w, "Chest", 0, 0, 0.45, 0.7, 0.38, "brown", 0);
    w.things[box].yaw_deg = 45;
    const int hat =
        facts_world_add(&w, "Helmet", 1, 0, 0.26, 0.26, 0.3, "red", 0);
    w.things[hat].yaw_deg = 45;
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_move move =
        read_world_move(&facts, "Put the helmet in the chest", &arena);
    const double floor = 0.03, side = 0.45 / 2 - 0.13;
    /* across the box, so far from its middle */
    const double offs[3] = {0, side - 0.005, side + 0.025};
    for (int i = 0; i < 3; i++) {
        const double way[2] = {facts.objects[box].heading[1],
                               -facts.objects[box].heading[0]};
        const double at[3] = {offs[i] * way[0], offs[i] * way[1], floor};
        const double misfit = builtin_misfit(&facts, &move, (uint32_t)hat, at);
        assert_int_equal(misfit <= 0.01, i < 2);
    }
    /* on what fills the box to its rim */
    assert_true(builtin_misfit(&facts, &move, (uint32_t)hat,
                               (double[3]){0, 0, 0.36}) > 0.01);
    etna_arena_free(&arena);
}

static void boards_are_counted_from_the_top_unless_it_says_otherwise(
    void **state)
{
    (void)state;
    static const struct {
        const char *words;
        uint32_t count, level; /* 0: there is none */
    } rows[] = {{"top shelf", 4, 4},      {"lowest board", 4, 1},
                {"second shelf", 4, 3},   {"second lowest board", 4, 2},
                {"third level up", 4, 3}, {"middle board", 3, 2},
                {"middle board", 4, 0},   {"fifth shelf", 4, 0},
                {"last board", 4, 1},     {"2nd tier down", 3, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        const builtin_word *words = NULL;
        builtin_level_words said;
        uint32_t count = 0;
        assert_int_equal(
            builtin_words(rows[i].words, &arena, &words, &count, NULL),
            ETNA_OK);
        assert_true(builtin_level_said(words, 0, count, &said));
        if (builtin_level_of(&said, rows[i].count) != rows[i].level)
            fail_msg("%s of %u", rows[i].words, rows[i].count);
        assert_true(!builtin_level_said(words, 1, count, &said) ||
                    builtin_ordinal(words[0].text));
        etna_arena_free(&arena);
    }
}

/* A bookcase higher than people is no shelf on top, though things can stand
 * there; a low one's top is its top shelf. */
static void the_roof_of_a_bookcase_is_none_of_its_shelves(void **state)
{
    (void)state;
    static const struct {
        double height;
        const char *sentence;
        uint32_t level;
    } rows[] = {{1.9, "Put the cup on the top shelf of the bookcase", 3},
                {1.9, "Put the cup on the second shelf of the bookcase", 2},
                {1.9, "Put the cup on the bottom shelf of the bookcase", 1},
                /* the planner's own words */
                {1.9, "Put \"Cup\" on the top level of \"Bookcase\"", 4},
                {1.4, "Put the cup on the top shelf of the bookcase", 4},
                {1.4, "Put the cup on the second shelf of the bookcase", 3}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        facts_world w = facts_world_new();
        facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
        uint32_t owner = (uint32_t)facts_world_add(
            &w, "Bookcase", 0, 0, 0.8, 0.3, rows[i].height, "brown", 0);
        facts_world_add(&w, "Cup", 1, 0, 0.08, 0.08, 0.08, "red", 0);
        etna_arena arena = ETNA_ARENA_INIT;
        builtin_facts facts = read_world_facts(&w, &arena);
        for (int k = 0; k < 3; k++)
            add_board(&facts, owner, &arena);
        builtin_surface *surfaces = etna_arena_memdup(
            &arena, facts.surfaces, facts.surface_count * sizeof *surfaces);
        assert_non_null(surfaces);
        for (uint32_t k = 0, below = 0; k < facts.surface_count; k++) {
            if (surfaces[k].object == owner)
                surfaces[k].height = 0.02 + rows[i].height - 0.4 * below++;
        }
        facts.surfaces = surfaces;
        assert_int_equal(builtin_levels(&facts, owner), 4);
        builtin_move move = read_world_move(&facts, rows[i].sentence, &arena);
        if (move.level != rows[i].level)
            fail_msg("%s: %u", rows[i].sentence, move.level);
        etna_arena_free(&arena);
    }
}

/* A board of 0.6 by 0.1 m turned by 45 degrees has a rectangle of half a metre:
 * a cup beside it stands within that. */
static void beside_a_turned_thing_is_beside_the_thing_and_not_its_rectangle(
    void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
    uint32_t board = (uint32_t)facts_world_add(&w, "Board", 0, 0, 0.6, 0.1, 0.1,
                                               "brown", 0),
             cup = (uint32_t)facts_world_add(&w, "Cup", 1, 0, 0.06, 0.06, 0.08,
                                             "red", 0);
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_object *objects = etna_arena_memdup(
        &arena, facts.objects, facts.object_count * sizeof *objects);
    assert_non_null(objects);
    objects[board].heading[0] = objects[board].heading[1] = 0.70710678118654752;
    facts.objects = objects;
    builtin_move move =
        read_world_move(&facts, "Put the cup next to the board", &arena);
    const double beside[3] = {0.09, 0.09, 0.02}, within[3] = {0.04, 0.04, 0.02},
                 far[3] = {0.3, 0.3, 0.02};
    assert_true(builtin_misfit(&facts, &move, cup, beside) <= 0);
    assert_true(builtin_misfit(&facts, &move, cup, within) > 1);
    assert_true(builtin_misfit(&facts, &move, cup, far) > 0 &&
                builtin_misfit(&facts, &move, cup, far) < 1);
    assert_true(builtin_gap(&facts, &move, cup, beside) < 0.05 &&
                builtin_gap(&facts, &move, cup, far) > 0.25);
    etna_arena_free(&arena);
}

/* A sink begins below the top of the counter that it is let into: next to it is
 * on that top, not on the plinth. */
static void beside_what_is_let_into_a_top_is_on_the_top(void **state)
{
    (void)state;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
    int counter =
        facts_world_add(&w, "Counter", 0, 0, 1.6, 0.6, 0.8, "grey", 0);
    uint32_t sink = (uint32_t)facts_world_add(&w, "Sink", 0, 0, 0.5, 0.4, 0.4,
                                              "white", counter),
             cup = (uint32_t)facts_world_add(&w, "Cup", 1.2, 0, 0.06, 0.06,
                                             0.08, "red", 0);
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_object *objects = etna_arena_memdup(
        &arena, facts.objects, facts.object_count * sizeof *objects);
    assert_non_null(objects);
    objects[sink].centre[2] -= 0.2;
    facts.objects = objects;
    add_board(&facts, (uint32_t)counter, &arena);
    builtin_move move =
        read_world_move(&facts, "Put the cup next to the sink", &arena);
    const double top_at[3] = {0.35, 0, 0.82}, below[3] = {0.35, 0, 0.42};
    assert_true(builtin_misfit(&facts, &move, cup, top_at) <= 0);
    assert_true(builtin_misfit(&facts, &move, cup, below) > 0.1);
    etna_arena_free(&arena);
}

/* A cupboard's top is no place in it, a box without a lid is open there. */
static void what_lies_on_a_cupboard_is_not_in_it(void **state)
{
    (void)state;
    for (int closed = 0; closed < 2; closed++) {
        facts_world w = facts_world_new();
        int floor =
            facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
        int box =
            facts_world_add(&w, "Box", 0, 0, 0.6, 0.6, 0.5, "grey", floor);
        int ball =
            facts_world_add(&w, "Ball", 1, 1, 0.1, 0.1, 0.1, "red", floor);
        w.things[box].no_top = !closed;
        etna_arena arena = ETNA_ARENA_INIT;
        builtin_facts facts = read_world_facts(&w, &arena);
        builtin_move move =
            read_world_move(&facts, "Put the ball in the box", &arena);
        const double lid =
            facts.objects[box].centre[2] + facts.objects[box].half[2];
        const double high[3] = {0, 0, lid - 0.03}, low[3] = {0, 0, lid - 0.3};
        assert_int_equal(
            builtin_misfit(&facts, &move, (uint32_t)ball, high) <= 0, !closed);
        assert_true(builtin_misfit(&facts, &move, (uint32_t)ball, low) <= 0);
        etna_arena_free(&arena);
    }
}

/* A mattress is of many small faces: what lies on a fold of it, near the fold's
 * edge, is not for that at an edge of the mattress. */
static void what_lies_on_a_fold_is_placed_on_the_whole(void **state)
{
    static const double fold[][2] = {
        {-0.03, 0.27}, {0.03, 0.27}, {0.03, 0.33}, {-0.03, 0.33}};
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = read_world();
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_move move = read_world_move(
        &facts, "Put the cup at the front edge of the table", &arena);
    const uint32_t cup = move.objects.objects[0];
    const builtin_surface folded = {.object = move.reference,
                                    .height = top,
                                    .corners = fold,
                                    .corner_count = 4};
    facts.surfaces = &folded;
    facts.surface_count = 1;
    const double back[] = {0, 0.3, top}, front[] = {0, -0.33, top};
    assert_true(builtin_misfit(&facts, &move, cup, back) > 0);
    assert_true(builtin_misfit(&facts, &move, cup, front) <= 0);
    etna_arena_free(&arena);
}

/* How far from an edge a thing is still at it goes by its size. */
static void a_pillow_is_at_the_end_farther_off_than_a_cup(void **state)
{
    (void)state;
    static const struct {
        const char *sentence;
        double gap; /* metres from its front to the mattress's */
        bool fits;
    } rows[] = {
        {"Put the pillow at the front edge of the mattress", 0.02, true},
        {"Put the pillow at the front edge of the mattress", 0.12, true},
        {"Put the pillow at the front edge of the mattress", 0.2, false},
        {"Put the cup at the front edge of the mattress", 0.02, true},
        {"Put the cup at the front edge of the mattress", 0.12, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        facts_world w = facts_world_new();
        facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
        w.things[0].is_static = true;
        facts_world_add(&w, "Mattress", 0, 0, 0.7, 1.8, 0.16, "white", 0);
        facts_world_add(&w, "Pillow", 0, 0.6, 0.42, 0.42, 0.12, "blue", 1);
        facts_world_add(&w, "Cup", 1.5, 0, 0.08, 0.08, 0.1, "red", 0);
        builtin_facts facts = read_world_facts(&w, &arena);
        const builtin_move move =
            read_world_move(&facts, rows[i].sentence, &arena);
        const uint32_t object = move.objects.objects[0];
        const double at[3] = {
            0, -0.9 + rows[i].gap + facts.objects[object].half[1], 0.18};
        const double misfit = builtin_misfit(&facts, &move, object, at);
        if ((misfit <= 0) != rows[i].fits)
            fail_msg("%s, %g m: misfit %g", rows[i].sentence, rows[i].gap,
                     misfit);
        etna_arena_free(&arena);
    }
}

/* The mattress is long, so that a way askew to it would put much of its length
 * between. */
static void a_gap_is_measured_from_the_side_though_the_picture_is_askew(
    void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
    w.things[0].is_static = true;
    facts_world_add(&w, "Mattress", 0, 0, 0.7, 1.8, 0.16, "white", 0);
    facts_world_add(&w, "Cup", 1.5, 0, 0.08, 0.08, 0.1, "red", 0);
    builtin_facts facts = read_world_facts(&w, &arena);
    const double there[3] = {0.35 + 0.2 + 0.04, 0, 0.02},
                 farther[3] = {0.35 + 0.36 + 0.04, 0, 0.02},
                 ahead[3] = {0, -0.9 - 0.2 - 0.04, 0.02};
    for (double degrees = 10; degrees < 45; degrees += 12) {
        double sine, cosine;
        math_sincos(degrees * MATH_PI / 180, &sine, &cosine);
        facts.right[0] = facts.forward[1] = cosine;
        facts.right[1] = sine;
        facts.forward[0] = -sine;
        const builtin_move move = read_world_move(
            &facts, "Put the cup 20 cm to the right of the mattress", &arena);
        const uint32_t cup = move.objects.objects[0];
        assert_true(builtin_misfit(&facts, &move, cup, there) <= 0);
        assert_true(builtin_misfit(&facts, &move, cup, farther) > 0);
        const builtin_move before = read_world_move(
            &facts, "Put the cup 20 cm in front of the mattress", &arena);
        assert_true(builtin_misfit(&facts, &before, cup, ahead) <= 0);
    }
    etna_arena_free(&arena);
}

/* Of a picture half way between its sides neither is meant; the way askew still
 * leads to a place that is so far from it, and to none that is farther. */
static void a_gap_askew_is_between_the_two_and_not_along_the_way(void **state)
{
    (void)state;
    const double root = 0.70710678118654752;
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
    w.things[0].is_static = true;
    facts_world_add(&w, "Mattress", 0, 0, 0.8, 0.8, 0.16, "white", 0);
    facts_world_add(&w, "Cup", 1.5, 0, 0.2, 0.2, 0.1, "red", 0);
    builtin_facts facts = read_world_facts(&w, &arena);
    facts.right[0] = facts.right[1] = facts.forward[1] = root;
    facts.forward[0] = -root;
    const builtin_move move = read_world_move(
        &facts, "Put the cup 40 cm to the right of the mattress", &arena);
    const uint32_t cup = move.objects.objects[0];
    const double near[3] = {0.5 + 0.4 * root, 0.5 + 0.4 * root, 0.02};
    const double aside[3] = {1.1, 0.4, 0.02}; /* 40 cm along, 60 between */
    assert_true(builtin_misfit(&facts, &move, cup, near) <= 0);
    assert_true(builtin_misfit(&facts, &move, cup, aside) > 0);
    etna_arena_free(&arena);
}

/* A file that holds its sofa a few centimetres over the rug means it to stand
 * there, and what comes before it comes onto the rug. */
static void what_hovers_low_over_a_rug_has_its_neighbours_there(void **state)
{
    (void)state;
    enum {
        FLOOR,
        RUG,
        SOFA,
        BOX
    };
    static const struct {
        double hover; /* metres over the rug */
        uint32_t support;
    } rows[] = {{0, RUG}, {0.05, RUG}, {0.6, FLOOR}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        facts_world w = facts_world_new();
        facts_world_add(&w, "Floor", 0, 0, 4, 3.2, 0.02, "grey", -1);
        facts_world_add(&w, "Rug", 0, 0, 3, 2.4, 0.01, "red", FLOOR);
        facts_world_add(&w, "Sofa", 0, 0.6, 1.6, 0.8, 0.7, "grey", RUG);
        facts_world_add(&w, "Box", 1.8, -1.4, 0.3, 0.3, 0.3, "blue", FLOOR);
        w.things[FLOOR].is_static = true;
        w.things[SOFA].hover = rows[i].hover;
        builtin_facts facts = read_world_facts(&w, &arena);
        builtin_move move =
            read_world_move(&facts, "Put the box in front of the sofa", &arena);
        assert_int_equal(builtin_support_of(&facts, &move, BOX),
                         rows[i].support);
        etna_arena_free(&arena);
    }
}

/* A sideboard with a ledge around its top has one level, not two; what stands
 * on the ledge makes a board of it. */
static void a_ledge_is_no_level(void **state)
{
    (void)state;
    uint32_t on[] = {1};
    builtin_object objects[2] = {
        {.name = "Sideboard",
         .centre = {0, 0, 0.41},
         .half = {0.7, 0.27, 0.41},
         .on = on},
        {.name = "Jug", .centre = {0, 0.2, 0.92}, .half = {0.02, 0.02, 0.1}}};
    builtin_surface surfaces[] = {
        {.height = 0.82,
         .cell = 0.02,
         .columns = 70,
         .rows = 10,
         .narrow = true},
        {.height = 0.75, .cell = 0.02, .columns = 70, .rows = 26},
        {.height = 0.3,
         .cell = 0.02,
         .columns = 70,
         .rows = 3,
         .narrow = true}};
    builtin_facts facts = {.object_count = 2,
                           .objects = objects,
                           .surface_count = 3,
                           .surfaces = surfaces};
    assert_int_equal(builtin_levels(&facts, 0), 1);
    objects[0].on_count = 1;
    assert_int_equal(builtin_levels(&facts, 0), 2);
    objects[0].on_count = 0;
    surfaces[1].narrow = true; /* nowhere is room: all of it is as it was */
    assert_int_equal(builtin_levels(&facts, 0), 2);
}

static void a_narrow_place_is_one_without_eight_free_centimetres(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    facts_world w = read_world();
    facts_world_add(&w, "Pole", 1.3, -0.8, 0.05, 0.4, 0.5, "white", 0);
    builtin_facts facts = read_world_facts(&w, &arena);
    for (uint32_t i = 0; i < facts.surface_count; i++) {
        const char *name = facts.objects[facts.surfaces[i].object].name;
        if (strcmp(name, "Pole") == 0)
            assert_true(facts.surfaces[i].narrow);
        if (strcmp(name, "Table_01") == 0 || strcmp(name, "ChairA_01_001") == 0)
            assert_false(facts.surfaces[i].narrow);
    }
    etna_arena_free(&arena);
}

/* Where it came to stand may be off by a hair, and is still beside it. */
static void a_hair_more_than_may_overlap_is_no_other_place(void **state)
{
    (void)state;
    const double hair = 1e-6; /* metres */
    etna_arena arena = ETNA_ARENA_INIT;
    const facts_world w = read_world();
    const builtin_facts facts = read_world_facts(&w, &arena);
    const builtin_move move =
        read_world_move(&facts, "Put the cup next to the blue block", &arena);
    const uint32_t cup = move.objects.objects[0];
    const builtin_object *block = &facts.objects[move.reference];
    double at[3] = {block->centre[0], block->centre[1],
                    block->centre[2] - block->half[2]};
    at[0] += block->half[0] + facts.objects[cup].half[0] - 0.002 - hair;
    const double misfit = builtin_misfit(&facts, &move, cup, at);
    assert_true(misfit > 0);
    assert_true(misfit < 2 * hair);
    at[0] -= 0.02; /* within it */
    assert_true(builtin_misfit(&facts, &move, cup, at) > 1);
    etna_arena_free(&arena);
}

/* A plate on a plate: there is no room beside the upper on the lower, but beside
 * both. On a broad tray there is. */
static void beside_what_lies_on_a_pile_is_beside_the_pile(void **state)
{
    (void)state;
    static const struct {
        double broad; /* metres, of what the plate lies on */
        const char *bearer;
    } rows[] = {{0.24, "Table"}, {0.3, "Table"}, {0.6, "Lower"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        facts_world w = facts_world_new();
        int floor = facts_world_add(&w, "Floor", 0, 0, 4, 3, 0.02, "grey", -1);
        int table =
            facts_world_add(&w, "Table", 0, 0, 1.6, 0.8, 0.7, "brown", floor);
        int lower = facts_world_add(&w, "Lower", 0, 0, rows[i].broad,
                                    rows[i].broad, 0.02, "white", table);
        facts_world_add(&w, "Plate", 0, 0, 0.24, 0.24, 0.02, "white", lower);
        facts_world_add(&w, "Saucer", 0.6, 0, 0.2, 0.2, 0.02, "blue", table);
        w.things[floor].is_static = true;
        builtin_facts facts = read_world_facts(&w, &arena);
        builtin_move move =
            read_world_move(&facts, "Put the saucer next to the plate", &arena);
        const uint32_t by =
            builtin_support_of(&facts, &move, move.objects.objects[0]);
        assert_true(by != BUILTIN_NONE);
        assert_string_equal(facts.objects[by].name, rows[i].bearer);
        etna_arena_free(&arena);
    }
}

/* "To the other sack in the corner": that one fills the corner, and says where
 * it is. What is in no corner itself is no such thing. */
static void beside_what_is_in_a_corner_need_be_in_no_corner(void **state)
{
    (void)state;
    static const struct {
        double x, y; /* of the sack that is there */
        bool holds;
    } rows[] = {{2.1, 1.6, true}, {0.5, 0, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        facts_world w = facts_world_new();
        int floor = facts_world_add(&w, "Floor", 0, 0, 5, 4, 0.02, "grey", -1);
        w.things[floor].is_static = true;
        facts_world_add(&w, "Sack", -1, 0, 0.6, 0.6, 0.2, "white", floor);
        facts_world_add(&w, "Keg", rows[i].x, rows[i].y, 0.6, 0.6, 0.2, "brown",
                        floor);
        builtin_facts facts = read_world_facts(&w, &arena);
        builtin_move move =
            read_world_move(&facts, "Put the sack next to the keg", &arena);
        const builtin_condition corner = {.relation = RELATION_CORNER,
                                          .reference = (uint32_t)floor,
                                          .second = BUILTIN_NONE,
                                          .gap = -1};
        move.also = &corner;
        move.also_count = 1;
        const double at[3] = {rows[i].x - 0.8, rows[i].y, 0.02};
        assert_int_equal(
            builtin_misfit(&facts, &move, move.objects.objects[0], at) <= 0,
            rows[i].holds);
        etna_arena_free(&arena);
    }
}

/* Beneath the table is not beside it, also where the line between the two
 * begins there; a chair may be drawn up. */
static void what_is_between_a_table_and_another_is_not_beneath_it(void **state)
{
    (void)state;
    const double floor[3] = {0.95, 0.3, 0.02}, beneath[3] = {0.6, 0.2, 0.02},
                 drawn_up[3] = {0.75, 0.25, 0.02};
    const facts_world w = read_world();
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts = read_world_facts(&w, &arena);
    builtin_move move = read_world_move(
        &facts, "Put the blue block between the table and the nightstand",
        &arena);
    const uint32_t block = move.objects.objects[0];
    assert_true(builtin_misfit(&facts, &move, block, floor) <= 0);
    assert_true(builtin_misfit(&facts, &move, block, beneath) > 0.01);
    move = read_world_move(
        &facts, "Put the right chair between the table and the nightstand",
        &arena);
    assert_true(
        builtin_misfit(&facts, &move, move.objects.objects[0], drawn_up) <= 0);
    etna_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hair_more_than_may_overlap_is_no_other_place),
        cmocka_unit_test(beside_what_is_in_a_corner_need_be_in_no_corner),
        cmocka_unit_test(beside_what_lies_on_a_pile_is_beside_the_pile),
        cmocka_unit_test(ignored_things_leave_their_cells_free),
        cmocka_unit_test(a_chair_that_is_pushed_in_takes_no_room_on_the_table),
        cmocka_unit_test(a_place_is_as_asked_or_it_is_not),
        cmocka_unit_test(what_is_between_a_table_and_another_is_not_beneath_it),
        cmocka_unit_test(places_that_are_found_are_as_asked_and_on_the_table),
        cmocka_unit_test(what_lies_on_a_fold_is_placed_on_the_whole),
        cmocka_unit_test(a_pillow_is_at_the_end_farther_off_than_a_cup),
        cmocka_unit_test(
            a_gap_is_measured_from_the_side_though_the_picture_is_askew),
        cmocka_unit_test(a_gap_askew_is_between_the_two_and_not_along_the_way),
        cmocka_unit_test(what_hovers_low_over_a_rug_has_its_neighbours_there),
        cmocka_unit_test(what_is_asked_beside_a_thing_is_asked_on_its_board),
        cmocka_unit_test(what_is_beside_a_thing_in_its_shelf_is_on_that_board),
        cmocka_unit_test(on_a_workbench_is_on_its_top_however_much_lies_there),
        cmocka_unit_test(small_things_are_near_by_their_own_measure),
        cmocka_unit_test(what_lies_on_a_basket_s_handle_is_not_in_it),
        cmocka_unit_test(what_leans_out_of_a_box_is_not_in_it),
        cmocka_unit_test(
            boards_are_counted_from_the_top_unless_it_says_otherwise),
        cmocka_unit_test(a_ledge_is_no_level),
        cmocka_unit_test(
            beside_a_turned_thing_is_beside_the_thing_and_not_its_rectangle),
        cmocka_unit_test(beside_what_is_let_into_a_top_is_on_the_top),
        cmocka_unit_test(what_lies_on_a_cupboard_is_not_in_it),
        cmocka_unit_test(the_roof_of_a_bookcase_is_none_of_its_shelves),
        cmocka_unit_test(a_narrow_place_is_one_without_eight_free_centimetres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
