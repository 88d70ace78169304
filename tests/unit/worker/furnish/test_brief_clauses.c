/* Whom a clause of a long sentence is about, where other things were named since
 * its own. */
#include "tests/unit/worker/furnish/briefs.h"
#include "worker/furnish/habits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void what_is_flanked_is_no_pillow_of_it(void **state)
{
    (void)state;
    static const char text[] =
        "A low bed with four patterned pillows, flanked by two nightstands.";
    brief_ties(text, "nightstand", BRIEF_FLANK, "bed");
    brief_does_not_tie(text, "nightstand", BRIEF_FLANK, "pillow");
    brief_ties("A sofa with a blanket on it, flanked by two floor lamps.",
               "floor lamp", BRIEF_FLANK, "sofa");
    brief_ties(
        "A low bed with a quilt, two woven throws, and four pillows, flanked by two nightstands.",
        "nightstand", BRIEF_FLANK, "bed");
    brief_ties("A bench holding two plants, framed by two armchairs.",
               "armchair", BRIEF_FLANK, "bench");
}

static void who_holds_is_whom_the_sentence_is_about(void **state)
{
    (void)state;
    brief_ties("A desk with a swivel chair holds a lamp and a book.", "lamp",
               BRIEF_ON, "desk");
    brief_ties("A desk with a swivel chair holds a lamp and a book.", "book",
               BRIEF_ON, "desk");
    brief_ties("A dresser with a stool supports a tray.", "tray", BRIEF_ON,
               "dresser");
    brief_ties("A desk with a chair holding a book.", "book", BRIEF_ON,
               "chair");
    brief_ties("A desk stands in a corner. A chair holds a book.", "book",
               BRIEF_ON, "chair");
}

static void what_a_plant_is_in_is_its_pot(void **state)
{
    (void)state;
    brief_has("A tall leafy plant in a clay pot beside the sofa.",
              "1 plant; 1 sofa");
    brief_ties("A tall leafy plant in a clay pot beside the sofa.", "plant",
               BRIEF_BESIDE, "sofa");
    brief_has("A desk and a small fern in a concrete planter.",
              "1 desk; 1 fern");
    brief_has("A desk with a planter and a vase.", "1 desk; 1 planter; 1 vase");
    brief_has("A book in a basket.", "1 book; 1 basket");
}

static void on_the_left_one_is_on_it(void **state)
{
    (void)state;
    static const char text[] =
        "Two nightstands flank the bed, with an alarm clock on the left nightstand and a vase on the right one.";
    brief_ties(text, "alarm clock", BRIEF_ON, "nightstand");
    brief_does_not_tie(text, "alarm clock", BRIEF_LEFT, "nightstand");
    brief_ties("A lamp on the left side of the bed.", "lamp", BRIEF_LEFT,
               "bed");
    brief_ties("A lamp on the left of the bed.", "lamp", BRIEF_LEFT, "bed");
}

static void only_what_bears_things_has_them_on_it(void **state)
{
    (void)state;
    brief_ties("A wall shelf with two plants on it.", "plant", BRIEF_ON,
               "wall shelf");
    brief_does_not_tie("A clothes rack holding clothes on wooden hangers.",
                       "clothes rack", BRIEF_ON, "hanger");
    brief_does_not_tie("A painting and a vase on it.", "vase", BRIEF_ON,
                       "painting");
}

static void all_that_is_listed_is_on_it(void **state)
{
    (void)state;
    static const char text[] =
        "A desk with a laptop, a chair, a mug and a lamp on it.";
    brief_ties(text, "laptop", BRIEF_ON, "desk");
    brief_ties(text, "mug", BRIEF_ON, "desk");
    brief_ties(text, "lamp", BRIEF_ON, "desk");
    brief_does_not_tie(text, "chair", BRIEF_ON, "desk");
    brief_does_not_tie("A vase, a table and a lamp on it.", "vase", BRIEF_ON,
                       "table");
}

static void a_side_of_the_room_is_one_by_any_name_of_it(void **state)
{
    (void)state;
    brief_ties("Along one side of the bedroom, a wardrobe stands.", "wardrobe",
               BRIEF_WALL, "");
    brief_ties("A desk on the left side of the space.", "desk", BRIEF_WALL, "");
    brief_ties("A bed at the center of the bedroom.", "bed", BRIEF_MIDDLE, "");
    brief_does_not_tie("A desk along one side of the bed.", "desk", BRIEF_WALL,
                       "");
}

static void a_clock_stands_unless_it_is_a_wall_clock(void **state)
{
    (void)state;
    assert_int_equal(habits_of("alarm clock")->footing, HABITS_ON);
    assert_int_equal(habits_of("clock")->footing, HABITS_ON);
    assert_int_equal(habits_of("wall clock")->footing, HABITS_HUNG);
}

static void of_each_one_is_on_the_left_alone(void **state)
{
    (void)state;
    static const char text[] =
        "A bed with two nightstands, each holding a lamp, a clock on the left and a plant on the right.";
    brief *b = brief_of(text);
    brief_ties(text, "clock", BRIEF_ON, "nightstand");
    brief_ties(text, "plant", BRIEF_ON, "nightstand");
    brief_does_not_tie(text, "clock", BRIEF_LEFT, "nightstand");
    brief_ties("A bed and two nightstands with lamps on each side.", "lamp",
               BRIEF_ON, "nightstand");
    brief *lamps =
        brief_of("A bed and two nightstands with lamps on each side.");
    assert_int_equal(lamps->wishes[2].count, 1);
    assert_true(lamps->wishes[2].each);
    free(lamps);
    brief_ties("A bed with lamps on each side.", "lamp", BRIEF_FLANK, "bed");
    for (uint32_t i = 0; i < b->wish_count; i++)
        assert_int_equal(b->wishes[i].each,
                         strcmp(b->wishes[i].head, "lamp") == 0);
    assert_int_equal(b->unread_count, 2);
    free(b);
}

static void what_a_thing_came_with_is_not_what_the_verb_is_of(void **state)
{
    (void)state;
    brief_ties("A rack with two baskets stands next to the bed.", "rack",
               BRIEF_BESIDE, "bed");
    brief_ties("A desk with a chair faces the bed.", "desk", BRIEF_FACING,
               "bed");
    brief_ties("A desk with a chair is in the corner.", "desk", BRIEF_CORNER,
               "");
    brief_ties("Two desks with two chairs stand beside the bed.", "desk",
               BRIEF_BESIDE, "bed");
    brief_ties("A desk with two lamps on it. A chair stands by the bed.",
               "chair", BRIEF_BESIDE, "bed");
}

static void where_a_part_is_says_nothing_of_its_thing(void **state)
{
    (void)state;
    static const char text[] =
        "A tray on a dresser with a mirror leaning against the wall behind it, and a lamp.";
    brief_does_not_tie(text, "dresser", BRIEF_BEHIND, "tray");
    brief_does_not_tie(text, "dresser", BRIEF_WALL, "");
    brief_ties("A bed with a headboard against the wall.", "bed", BRIEF_WALL,
               "");
    brief_ties("A dresser with a mirror leaning on it stands beside the bed.",
               "dresser", BRIEF_BESIDE, "bed");
}

static void what_is_on_the_floor_is_beside_what_bears_a_lamp(void **state)
{
    (void)state;
    static const char text[] =
        "A desk holds a lamp and a clock, with a narrow bookcase beside it.";
    brief_ties(text, "bookcase", BRIEF_BESIDE, "desk");
    brief_does_not_tie(text, "bookcase", BRIEF_BESIDE, "clock");
    brief_ties("A lamp on a desk and a vase beside the lamp.", "vase",
               BRIEF_BESIDE, "lamp");
}

static void a_place_of_its_own_says_more_than_with(void **state)
{
    (void)state;
    static const char text[] =
        "A bed, and a desk with a bench at the foot of the bed.";
    brief_ties(text, "bench", BRIEF_FOOT, "bed");
    brief_does_not_tie(text, "bench", BRIEF_BESIDE, "desk");
}

static void nearby_before_a_thing_is_no_place_of_the_last_one(void **state)
{
    (void)state;
    brief_does_not_tie("A table with a book, and nearby a tall coat rack.",
                       "book", BRIEF_BESIDE, "coat rack");
}

/* What stands somewhere by a verb of its own is none of what was listed. */
static void a_list_ends_where_a_sentence_begins(void **state)
{
    (void)state;
    static const char stand[] =
        "a bed, a plant stand holds a tall plant, and two storage boxes are "
        "tucked under the bed";
    static const char desk[] = "a desk cluttered with a laptop and a cup, and "
                               "nearby stands a floor lamp";
    brief_ties(stand, "plant", BRIEF_ON, "stand");
    brief_ties(stand, "storage box", BRIEF_UNDER, "bed");
    brief_does_not_tie(stand, "storage box", BRIEF_ON, "stand");
    brief_does_not_tie(stand, "stand", BRIEF_UNDER, "bed");
    brief_ties(desk, "cup", BRIEF_ON, "desk");
    brief_does_not_tie(desk, "floor lamp", BRIEF_ON, "desk");
}

/* Of what stands on one side of several there is one. */
static void what_is_on_one_side_is_not_on_each(void **state)
{
    (void)state;
    static const char text[] =
        "Two nightstands flank the bed, each holding a lamp, and a clock on "
        "one side and a speaker and a tray on the other.";
    brief_has(text, "2 nightstand; 1 bed; 1 lamp; 1 clock; 1 speaker; 1 tray");
    brief *b = brief_of(text);
    for (uint32_t i = 2; i < b->wish_count; i++)
        assert_int_equal(b->wishes[i].each, i == 2);
    free(b);
    brief_ties(text, "speaker", BRIEF_ON, "nightstand");
    brief_does_not_tie(text, "nightstand", BRIEF_FRONT, "bed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_ends_where_a_sentence_begins),
        cmocka_unit_test(what_is_on_one_side_is_not_on_each),
        cmocka_unit_test(what_is_flanked_is_no_pillow_of_it),
        cmocka_unit_test(who_holds_is_whom_the_sentence_is_about),
        cmocka_unit_test(what_a_plant_is_in_is_its_pot),
        cmocka_unit_test(on_the_left_one_is_on_it),
        cmocka_unit_test(of_each_one_is_on_the_left_alone),
        cmocka_unit_test(only_what_bears_things_has_them_on_it),
        cmocka_unit_test(all_that_is_listed_is_on_it),
        cmocka_unit_test(a_side_of_the_room_is_one_by_any_name_of_it),
        cmocka_unit_test(a_clock_stands_unless_it_is_a_wall_clock),
        cmocka_unit_test(what_a_thing_came_with_is_not_what_the_verb_is_of),
        cmocka_unit_test(where_a_part_is_says_nothing_of_its_thing),
        cmocka_unit_test(what_is_on_the_floor_is_beside_what_bears_a_lamp),
        cmocka_unit_test(a_place_of_its_own_says_more_than_with),
        cmocka_unit_test(nearby_before_a_thing_is_no_place_of_the_last_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
