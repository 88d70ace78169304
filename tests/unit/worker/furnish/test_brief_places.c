/* Places of the room that a brief names: by a window or a door, overhead, in
 * rows of so many. */
#include "tests/unit/worker/furnish/briefs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The walls that the first tie of the text names; all is understood. */
static uint8_t walls_of(const char *text)
{
    brief *b = brief_of(text);
    assert_int_equal(b->unread_count, 0);
    assert_int_equal(b->tie_count, 1);
    assert_int_equal(b->ties[0].relation, BRIEF_WALL);
    uint8_t walls = b->ties[0].walls;
    free(b);
    return walls;
}

static void a_wall_may_be_told_by_its_window_or_door(void **state)
{
    (void)state;
    assert_int_equal(walls_of("a bed opposite the window"),
                     BRIEF_ACROSS_WINDOW);
    assert_int_equal(walls_of("a sofa against the wall opposite the window"),
                     BRIEF_ACROSS_WINDOW);
    assert_int_equal(walls_of("a desk across from the door"),
                     BRIEF_ACROSS_DOOR);
    assert_int_equal(walls_of("a shelf along the window wall"),
                     BRIEF_OF_WINDOW);
    assert_int_equal(walls_of("a cabinet on the wall with the door"),
                     BRIEF_OF_DOOR);
    assert_int_equal(walls_of("a cabinet on the north wall"), BRIEF_NORTH);
}

static void what_hangs_from_the_ceiling_is_overhead(void **state)
{
    (void)state;
    brief *b = brief_of("a table and a projector hanging from the ceiling");
    assert_int_equal(b->unread_count, 0);
    assert_false(b->wishes[0].overhead);
    assert_true(b->wishes[1].overhead);
    free(b);
    b = brief_of("A lamp suspended from the ceiling over a table.");
    assert_true(b->wishes[0].overhead);
    free(b);
    brief_ties("A lamp suspended from the ceiling over a table.", "lamp",
               BRIEF_ABOVE, "table");
}

static void rows_of_so_many_are_counted(void **state)
{
    (void)state;
    brief_has("a piano, and chairs in three rows of four facing it",
              "1 piano; 12 chair");
    brief_has("chairs in two rows", "2 chair");
    brief_has("six chairs in two rows of three", "6 chair");
    brief *b = brief_of("a piano, and chairs in three rows of four facing it");
    assert_int_equal(b->unread_count, 0);
    free(b);
}

static void a_gap_before_a_place_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double gap;
    } cases[] = {
        {"a sofa, and a coffee table 40 cm in front of the sofa", 0.4},
        {"a sofa with a coffee table 40 cm in front of it", 0.4},
        {"a sofa, and a lamp half a metre to the left of the sofa", 0.5},
        {"a sofa, and a lamp 0.3 m beside the sofa", 0.3},
        {"a sofa, and a lamp two feet behind the sofa", 0.6096},
        {"a sofa, and a lamp behind the sofa", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        brief *b = brief_of(cases[i].text);
        assert_int_equal(b->unread_count, 0);
        const brief_tie *last = &b->ties[b->tie_count - 1];
        assert_false(last->loose);
        assert_true(fabs(last->gap - cases[i].gap) < 1e-9);
        free(b);
    }
    /* farther than such a place may be: it is told */
    brief *b = brief_of("a sofa, and a lamp 3 m beside the sofa");
    assert_int_equal(b->unread_count, 1);
    assert_true(b->ties[0].gap <= 0);
    free(b);
}

/* Which they are nobody says; and of things that are not counted there is one
 * for each. */
static void walls_may_be_counted(void **state)
{
    (void)state;
    const uint8_t all = BRIEF_NORTH | BRIEF_EAST | BRIEF_SOUTH | BRIEF_WEST;
    assert_int_equal(walls_of("eight chairs along two walls"), all);
    brief_has("bookcases along three walls", "3 bookcase");
    brief_has("eight chairs along two walls", "8 chair");
    brief_has("a desk along two walls", "1 desk");
    brief *b = brief_of("bookcases along three walls");
    assert_int_equal(b->ties[0].rows, 3);
    free(b);
}

/* The other end is in the room's wall, whichever of the two is named first. */
static void what_is_between_a_thing_and_an_opening_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint8_t walls;
    } rows[] = {
        {"a sofa, and a plant between the sofa and the window",
         BRIEF_OF_WINDOW},
        {"a sofa, and a plant between the window and the sofa, and a lamp",
         BRIEF_OF_WINDOW},
        {"a sofa, and a plant between the sofa and the door", BRIEF_OF_DOOR}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        brief *b = brief_of(rows[i].text);
        assert_int_equal(b->unread_count, 0);
        assert_true(brief_is_tied(b, "plant", BRIEF_BETWEEN, "sofa"));
        assert_int_equal(b->tie_count, 1);
        assert_int_equal(b->ties[0].walls, rows[i].walls);
        free(b);
    }
    brief_ties("a desk between the bed and the wardrobe", "desk", BRIEF_BETWEEN,
               "wardrobe");
}

/* What stands on a thing that it came with is where that is; what does not keeps
 * its place for itself. */
static void a_place_behind_what_is_borne_is_its_bearers(void **state)
{
    (void)state;
    static const char cart[] =
        "a bed, a wardrobe, and a cart with two trays between the wardrobe and the bed";
    brief_ties(cart, "cart", BRIEF_BETWEEN, "wardrobe");
    brief_ties(cart, "cart", BRIEF_BETWEEN, "bed");
    brief_does_not_tie(cart, "tray", BRIEF_BETWEEN, "bed");
    brief_ties("a nightstand with a clock beside the bed", "nightstand",
               BRIEF_BESIDE, "bed");
    brief_ties("a console table with a vase by the window", "console table",
               BRIEF_WINDOW, "");
    brief_ties("a sofa with a lamp beside the armchair", "lamp", BRIEF_BESIDE,
               "armchair");
    brief_ties("a desk with a lamp next to a monitor", "lamp", BRIEF_BESIDE,
               "monitor");
    brief_ties("a table with a chair beside the bed", "chair", BRIEF_BESIDE,
               "bed");
}

/* Garages, shops and terraces have things that no dwelling has. */
static void what_stands_beside_a_house_is_a_thing(void **state)
{
    (void)state;
    brief_has("a garage with a car in the middle, a motorbike and a workbench "
              "with a vise on it",
              "1 car; 1 motorbike; 1 workbench; 1 vise");
    brief_has("a counter with a cash register on it, and a water cooler",
              "1 counter; 1 cash register; 1 water cooler");
    brief_has("a terrace with a parasol and a barbecue",
              "1 parasol; 1 barbecue");
    brief_ties("a garage with a car in the middle and a workbench", "car",
               BRIEF_MIDDLE, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_may_be_told_by_its_window_or_door),
        cmocka_unit_test(what_stands_beside_a_house_is_a_thing),
        cmocka_unit_test(walls_may_be_counted),
        cmocka_unit_test(what_is_between_a_thing_and_an_opening_is_read),
        cmocka_unit_test(a_place_behind_what_is_borne_is_its_bearers),
        cmocka_unit_test(what_hangs_from_the_ceiling_is_overhead),
        cmocka_unit_test(a_gap_before_a_place_is_read),
        cmocka_unit_test(rows_of_so_many_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
