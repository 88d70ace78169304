/* How many of a thing are meant where a brief tells people, and what comes in
 * something. */
#include "tests/unit/worker/furnish/briefs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void what_is_in_a_vase_comes_with_it(void **state)
{
    (void)state;
    brief_has("A table with a vase of fresh flowers.", "1 table; 1 vase");
    brief_has("A sideboard with a bowl of fruit on top.",
              "1 sideboard; 1 bowl");
    brief_ties("A sideboard with a vase of flowers on top.", "vase", BRIEF_ON,
               "sideboard");
    brief_has("A vase with flowers and a lamp.", "1 vase; 1 lamp");
    brief_has("A basket of toys beside the bed.", "1 basket; 1 bed");
    brief_has("A bowl and a fruit on a table.", "1 bowl; 1 fruit; 1 table");
    brief_has("A stack of books and a tray of bottles.",
              "2 book; 1 tray; 2 bottle");
}

static void what_is_in_a_vase_is_searched_with_it(void **state)
{
    (void)state;
    brief *b = brief_of("a tall vase of dried flowers");
    assert_string_equal(b->wishes[0].said, "tall vase of dried flowers");
    free(b);
}

static void a_room_for_people_has_seats_for_them(void **state)
{
    (void)state;
    brief_has(
        "Dining room for six. A big table in the middle, chairs around it.",
        "1 table; 6 chair");
    brief_has("A bedroom for two. A sofa and two armchairs.",
              "1 sofa; 2 armchair");
    brief_has("A meeting room for eight with a table and four chairs.",
              "1 table; 4 chair");
}

static void each_of_the_people_has_what_is_listed(void **state)
{
    (void)state;
    brief_has(
        "An office for three people, each with a desk, a chair and a laptop, and a printer.",
        "3 desk; 3 chair; 3 laptop; 1 printer");
    brief_has("A room for two children with a bed and a desk each.",
              "1 bed; 2 desk");
    brief_has("An office for four with a desk for each person.", "4 desk");
    brief_has("A study for one with a desk.", "1 desk");
}

static void each_is_of_those_that_are_several(void **state)
{
    (void)state;
    static const char text[] =
        "A bed on the left, two desks on the right with a chair each.";
    brief *b = brief_of(text);
    assert_int_equal(b->unread_count, 0);
    assert_true(b->wishes[2].each);
    free(b);
    brief_ties(text, "chair", BRIEF_BESIDE, "desk");
    brief_does_not_tie(text, "chair", BRIEF_BESIDE, "bed");
}

static void who_is_no_couple_has_a_bed_of_their_own(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t people;
        bool apart;
    } cases[] = {{"a bedroom for two children", 2, true},
                 {"a small bedroom for three boys", 3, true},
                 {"a bedroom for two", 2, false},
                 {"a bedroom for two people", 2, false},
                 {"a bedroom for a couple", 2, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        brief *b = brief_of(cases[i].text);
        assert_int_equal(b->wants[0].people, cases[i].people);
        assert_int_equal(b->wants[0].apart, cases[i].apart);
        free(b);
    }
}

static void in_bed_names_no_second_bed(void **state)
{
    (void)state;
    brief_has("I want to read in bed: bed against the north wall, a lamp.",
              "1 bed; 1 lamp");
}

static void a_dash_ends_the_name_of_a_room(void **state)
{
    (void)state;
    brief *b = brief_of("a student room - single bed, desk");
    assert_string_equal(b->wishes[0].said, "single bed");
    free(b);
    b = brief_of("a stove in the middle of the long wall, two armchairs");
    assert_string_equal(b->wishes[1].said, "armchairs");
    free(b);
}

static void people_who_are_told_of_are_the_rooms(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t people;
    } cases[] = {
        {"I need an office where two people can work", 2},
        {"We are a family of five and need a dining room", 5},
        {"three students share this bedroom", 3},
        {"a bedroom for a couple", 2},
        {"an office with two desks", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        brief *b = brief_of(cases[i].text);
        assert_int_equal(b->want_count, 1);
        assert_int_equal(b->wants[0].people, cases[i].people);
        free(b);
    }
}

static void a_studio_for_a_painter_is_no_flat(void **state)
{
    (void)state;
    brief *b = brief_of("studio for a painter: a table and a sofa");
    assert_int_equal(b->want_count, 0);
    free(b);
    b = brief_of("a studio for two with a table and a sofa");
    assert_int_equal(b->want_count, 1);
    free(b);
}

static void a_pair_of_headphones_is_one(void **state)
{
    (void)state;
    brief_has("a desk with a pair of headphones and a pair of lamps",
              "1 desk; 1 headphone; 2 lamp");
    brief_has("two headphones on a desk", "2 headphone; 1 desk");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_in_a_vase_comes_with_it),
        cmocka_unit_test(what_is_in_a_vase_is_searched_with_it),
        cmocka_unit_test(a_room_for_people_has_seats_for_them),
        cmocka_unit_test(each_of_the_people_has_what_is_listed),
        cmocka_unit_test(each_is_of_those_that_are_several),
        cmocka_unit_test(who_is_no_couple_has_a_bed_of_their_own),
        cmocka_unit_test(in_bed_names_no_second_bed),
        cmocka_unit_test(people_who_are_told_of_are_the_rooms),
        cmocka_unit_test(a_studio_for_a_painter_is_no_flat),
        cmocka_unit_test(a_pair_of_headphones_is_one),
        cmocka_unit_test(a_dash_ends_the_name_of_a_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
