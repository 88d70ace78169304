/* What is read in a brief: things, their numbers, how they are to stand. */
#include "tests/unit/worker/furnish/briefs.h"
#include "worker/furnish/habits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void things_come_with_their_numbers(void **state)
{
    (void)state;
    brief_has("A bed and two nightstands.", "1 bed; 2 nightstand");
    brief_has(
        "I want a modern bedroom with a king-size bed, matching nightstands, and a wardrobe.",
        "1 bed; 2 nightstand; 1 wardrobe");
    brief_has("a pair of armchairs, three stools and a couple of lamps",
              "2 armchair; 3 stool; 2 lamp");
    brief_has("4 chairs around a dining table", "4 chair; 1 dining table");
    brief_has("a four-poster bed and a three-drawer dresser",
              "1 bed; 1 dresser");
    brief_has("Please add 500 chairs", "500 chair");
}

static void parts_stuff_and_what_is_denied_are_no_things(void **state)
{
    (void)state;
    brief_has("a bed with a tall headboard, tapered legs and plush cushions",
              "1 bed");
    brief_has("an oak desk with two drawers on slim metal legs", "1 desk");
    brief_has("a sofa, but no television and without a rug", "1 sofa");
    brief_has("a shelf for books", "1 shelf");
    brief_has("light gray flag-themed armchair in black and gold",
              "1 armchair");
}

static void a_number_that_tells_how_a_thing_is_made_counts_none(void **state)
{
    (void)state;
    brief_has("a three seater sofa and a two drawer dresser",
              "1 sofa; 1 dresser");
    brief_has("two three seater sofas", "2 sofa");
    brief_has("a six person table", "1 table");
}

static void people_at_a_table_have_a_chair_each(void **state)
{
    (void)state;
    brief_has("a dining table for six with chairs around it",
              "1 dining table; 6 chair");
    brief_has("a dining table for four people with two chairs",
              "1 dining table; 2 chair");
    brief_has("a table for two. Chairs and a lamp.",
              "1 table; 2 chair; 1 lamp");
    brief_has("a table for four and a lamp", "1 table; 1 lamp; 4 chair");
    brief_ties("a table for four and a lamp", "chair", BRIEF_AROUND, "table");
    brief_has("a coffee table for two", "1 coffee table; 2 chair");
    brief_has("behind the sofa a dining table for six",
              "1 sofa; 1 dining table; 6 chair");
    brief_has("a sofa and a coffee table for two", "1 sofa; 1 coffee table");
    brief_has("a table for four with a bench", "1 table; 1 bench");
}

static void a_relation_that_ends_a_phrase_is_about_what_came_before(
    void **state)
{
    (void)state;
    const char *const bath = "a sink with a mirror above, a toilet";
    brief_has(bath, "1 sink; 1 mirror; 1 toilet");
    brief_ties(bath, "mirror", BRIEF_ABOVE, "sink");
    const char *const desk =
        "A desk with a chair in front, a laptop on top and a bin beside it";
    brief_ties(desk, "chair", BRIEF_FRONT, "desk");
    brief_ties(desk, "laptop", BRIEF_ON, "desk");
    const char *const board = "sideboard against the wall with a vase on top";
    brief_ties(board, "vase", BRIEF_ON, "sideboard");
    brief *b = brief_of(board);
    assert_int_equal(b->tie_count, 2);
    free(b);
    brief_ties("a table with chairs around", "chair", BRIEF_AROUND, "table");
    brief_ties("a bed with a mirror above it", "mirror", BRIEF_ABOVE, "bed");
}

static void what_is_told_of_several_is_told_of_each(void **state)
{
    (void)state;
    brief *b = brief_of("six desks, each with a chair");
    assert_int_equal(b->wish_count, 2);
    assert_true(b->wishes[1].each);
    free(b);
    brief_has("a chest of drawers and two chests of drawers",
              "1 chest of drawers; 2 chest of drawers");
    const char *const pair =
        "two armchairs facing each other with a small table between them";
    brief_ties(pair, "armchair", BRIEF_OPPOSITE, "armchair");
    brief_ties(pair, "table", BRIEF_BETWEEN, "armchair");
    const char *const mixed =
        "a sofa and an armchair opposite each other, a table between them";
    brief_ties(mixed, "sofa", BRIEF_OPPOSITE, "armchair");
    brief_ties(mixed, "armchair", BRIEF_OPPOSITE, "sofa");
    brief_ties(mixed, "table", BRIEF_BETWEEN, "sofa");
    brief_ties(mixed, "table", BRIEF_BETWEEN, "armchair");
    brief_has("two treadmills side by side and a mirror",
              "2 treadmill; 1 mirror");
}

static void walls_and_doors_are_those_that_are_named(void **state)
{
    (void)state;
    brief *b = brief_of(
        "a blackboard on the north wall and a lamp in the back left corner");
    assert_int_equal(b->tie_count, 2);
    assert_int_equal(b->ties[0].walls, BRIEF_NORTH);
    assert_int_equal(b->ties[1].walls, BRIEF_NORTH | BRIEF_WEST);
    free(b);
    brief_ties("a coat rack by the door", "coat rack", BRIEF_DOOR, "");
}

static const brief_tie *tie_of(const brief *b, brief_relation relation)
{
    for (uint32_t i = 0; i < b->tie_count; i++) {
        if (b->ties[i].relation == relation)
            return &b->ties[i];
    }
    fail_msg("nothing stands %s", brief_relation_names[relation]);
    return NULL;
}

static void rows_multiply_and_are_told(void **state)
{
    (void)state;
    brief_has("two rows of three desks", "6 desk");
    brief_has("a row of five chairs along the wall", "5 chair");
    brief *b = brief_of("Two rows of three chairs facing a whiteboard");
    assert_int_equal(tie_of(b, BRIEF_ROWS)->rows, 2);
    free(b);
    b = brief_of("eight chairs in two rows");
    assert_int_equal(b->wishes[0].count, 8);
    assert_int_equal(tie_of(b, BRIEF_ROWS)->rows, 2);
    free(b);
    brief_ties("three bookcases side by side", "bookcase", BRIEF_ROWS, "");
}

static void any_words_for_a_wall_or_a_corner_do(void **state)
{
    (void)state;
    brief *b = brief_of(
        "a sideboard along the east wall and a plant in the far left corner");
    assert_int_equal(tie_of(b, BRIEF_WALL)->walls, BRIEF_EAST);
    assert_int_equal(tie_of(b, BRIEF_CORNER)->walls, BRIEF_NORTH | BRIEF_WEST);
    free(b);
    brief_ties("a bench against the long empty wall", "bench", BRIEF_WALL, "");
    brief_has("a plant in each corner", "4 plant");
    brief_has("a plant in two of the corners", "2 plant");
}

static void a_plural_ends_its_name_whatever_follows(void **state)
{
    (void)state;
    brief_has("two desks back to back", "2 desk");
    brief_ties("two desks back to back", "desk", BRIEF_BACK, "desk");
}

static void a_thing_is_by_it_and_it_is_none_of_the_same_name(void **state)
{
    (void)state;
    const char *text = "a desk, a bookcase to the left of the desk and a "
                       "bookcase to the right of it";
    brief_ties(text, "bookcase", BRIEF_LEFT, "desk");
    brief_ties(text, "bookcase", BRIEF_RIGHT, "desk");
}

/* "2 m; a car" */
static void unread_is(const char *text, const char *wanted)
{
    brief *b = brief_of(text);
    char got[400] = "";
    for (uint32_t i = 0; i < b->unread_count; i++) {
        size_t n = strlen(got);
        const brief_span *u = &b->unread[i];
        snprintf(got + n, sizeof got - n, "%s%.*s", n ? "; " : "",
                 (int)(u->to - u->from), text + u->from);
    }
    if (strcmp(got, wanted) != 0)
        fail_msg("%s:\n  unread %s\n  wanted %s", text, got, wanted);
    free(b);
}

static void what_is_listed_along_a_wall_is_all_there(void **state)
{
    (void)state;
    const char *text =
        "a bed, and a fridge, a stove and a sink along the north wall";
    brief *b = brief_of(text);
    uint32_t at_wall = 0;
    for (uint32_t i = 0; i < b->tie_count; i++)
        at_wall += b->ties[i].relation == BRIEF_WALL &&
                   b->ties[i].walls == BRIEF_NORTH;
    assert_int_equal(at_wall, 4);
    free(b);
    b = brief_of("an island and four bar stools, a fridge, a stove and a sink "
                 "along the north wall");
    at_wall = 0;
    for (uint32_t i = 0; i < b->tie_count; i++)
        at_wall += b->ties[i].relation == BRIEF_WALL;
    assert_int_equal(at_wall, 3);
    free(b);
    b = brief_of("a bed, a rug and a wardrobe in the corner");
    assert_int_equal(b->tie_count, 1);
    free(b);
}

static void walls_are_named_one_by_one_or_all(void **state)
{
    (void)state;
    brief *b = brief_of("six bookcases along the north and east walls");
    assert_int_equal(b->wishes[0].count, 6);
    assert_int_equal(b->ties[0].walls, BRIEF_NORTH | BRIEF_EAST);
    free(b);
    b = brief_of("bookcases along all walls");
    assert_int_equal(b->wishes[0].count, 4);
    assert_int_equal(b->ties[0].walls, 15);
    free(b);
    b = brief_of("a bed on the west wall and a desk along the opposite wall");
    assert_int_equal(b->ties[1].walls, BRIEF_EAST);
    free(b);
    b = brief_of("A queen bed centered on the north wall.");
    assert_int_equal(b->ties[0].walls, BRIEF_NORTH);
    assert_int_equal(b->unread_count, 0);
    free(b);
    b = brief_of("three desks in a row facing the wall, each with a computer");
    assert_true(brief_is_tied(b, "desk", BRIEF_WALL, ""));
    assert_false(brief_is_tied(b, "desk", BRIEF_FACING, "computer"));
    free(b);
    b = brief_of("three chairs in a line along the wall");
    assert_true(brief_is_tied(b, "chair", BRIEF_ROWS, ""));
    assert_int_equal(b->unread_count, 0);
    free(b);
    b = brief_of("three chairs in a line, and a table");
    assert_true(brief_is_tied(b, "chair", BRIEF_ROWS, ""));
    free(b);
    b = brief_of("two chairs in a line with the sofa");
    assert_false(brief_is_tied(b, "chair", BRIEF_ROWS, ""));
    assert_true(b->unread_count > 0);
    free(b);
    unread_is("a desk under the window and a bed along the opposite wall",
              "along the opposite wall");
    unread_is("two bookcases along the same wall", "along the same wall");
    unread_is("a bed on the north wall and a desk on the same wall", "");
    unread_is("a sofa facing the wall", "facing the wall");
}

static void what_bounds_places_otherwise_is_told(void **state)
{
    (void)state;
    unread_is("two sofas at right angles to each other", "at right angles");
    unread_is("a bed and a table. Keep the middle free.", "Keep the middle");
    unread_is("a wardrobe between the bed and the wall", "between");
    const char *text = "a lamp between the bed and the wardrobe, and a rug";
    unread_is(text, "");
    brief_ties(text, "lamp", BRIEF_BETWEEN, "bed");
    brief_ties(text, "lamp", BRIEF_BETWEEN, "wardrobe");
}

static void what_stands_by_a_part_of_the_room_is_told(void **state)
{
    (void)state;
    unread_is("a bed and a desk to the left of the door",
              "to the left of the door");
    unread_is("a table on slim legs and a bed", "");
}

static void them_is_several_and_a_window_is_looked_at(void **state)
{
    (void)state;
    brief_ties("six chairs in a row, a coffee table in front of them",
               "coffee table", BRIEF_FRONT, "chair");
    unread_is("a coffee table in front of them", "in front of them");
    brief_ties("a bed facing the window", "bed", BRIEF_FACING, "");
    brief_ties("a desk facing the window", "desk", BRIEF_WINDOW, "");
    brief_has("a desk with two monitors and a keyboard, gaming chair",
              "1 desk; 2 monitor; 1 gaming chair");
    unread_is("two monitors and a keyboard, a chair", "a keyboard");
}

static void what_is_in_front_is_of_what_it_usually_is_at(void **state)
{
    (void)state;
    const char *text =
        "a desk, a leather chair behind it, two visitor chairs in front";
    brief *b = brief_of(text);
    assert_int_equal(b->tie_count, 2);
    assert_string_equal(b->wishes[b->ties[1].anchor].head, "desk");
    free(b);
    text = "a dining table with three chairs on each side";
    brief_has(text, "1 dining table; 6 chair");
    brief_ties(text, "chair", BRIEF_AROUND, "dining table");
}

static void what_is_put_there_is_what_was_spoken_of(void **state)
{
    (void)state;
    const char *text = "I want an armchair. Put it by the window, with a floor "
                       "lamp behind it.";
    brief_ties(text, "armchair", BRIEF_WINDOW, "");
    brief_ties(text, "floor lamp", BRIEF_BEHIND, "armchair");
    brief_ties("a table in the middle, two chairs on opposite sides, a lamp",
               "chair", BRIEF_AROUND, "table");
    brief_ties("an armchair with a small table on the left", "table",
               BRIEF_LEFT, "armchair");
    brief_ties("a bed on the left, a desk on the right", "bed", BRIEF_LEFT,
               "desk");
}

static void several_on_or_between_several_are_enough_for_all(void **state)
{
    (void)state;
    brief_has("three tables with plants on them", "3 table; 3 plant");
    brief_has("three single beds in a row, a nightstand between each.",
              "3 single bed; 2 nightstand");
    const char *text = "two nightstands beside the bed, each holding a lamp, a "
                       "chest of drawers across from the bed";
    brief_ties(text, "lamp", BRIEF_ON, "nightstand");
    brief_ties(text, "chest of drawers", BRIEF_OPPOSITE, "bed");
    unread_is(text, "");
}

static void it_is_first_of_all_what_the_thing_came_with(void **state)
{
    (void)state;
    brief_ties(
        "A dining table; a sideboard stands along the east wall with three "
        "candles on it.",
        "candle", BRIEF_ON, "sideboard");
    brief_ties("The sofa should face the window.", "sofa", BRIEF_FACING, "");
    unread_is("a desk in the corner facing the room", "facing the room");
}

static void a_family_of_five_are_five(void **state)
{
    (void)state;
    brief *b = brief_of("A kitchen for a family of five with a rug.");
    assert_int_equal(b->wants[0].people, 5);
    assert_int_equal(b->wish_count, 1);
    free(b);
    b = brief_of("a reading corner for a couple");
    assert_int_equal(b->wants[0].people, 2);
    free(b);
    b = brief_of("a kitchen for a couple of guests");
    assert_int_equal(b->wants[0].people, 0);
    free(b);
}

static void what_each_has_ends_behind_and(void **state)
{
    (void)state;
    brief *b = brief_of("four desks, each with a chair and a computer, and a "
                        "printer on a cabinet");
    assert_true(b->wishes[2].each);
    assert_string_equal(b->wishes[3].head, "printer");
    assert_false(b->wishes[3].each);
    free(b);
    b = brief_of("four desks, each with a chair, a lamp and a computer");
    assert_true(b->wishes[1].each && b->wishes[2].each && b->wishes[3].each);
    free(b);
}

static void a_place_behind_a_comma_is_of_what_the_clause_is_about(void **state)
{
    (void)state;
    const char *text = "Two armchairs with a side table between them, in front "
                       "of the window.";
    brief_ties(text, "armchair", BRIEF_WINDOW, "");
    brief_ties("a desk with a chair, under the window", "desk", BRIEF_SILL, "");
    brief_ties("a bed, in the corner, a lamp", "lamp", BRIEF_CORNER, "");
    unread_is("a bed, a table, by the window", "by the window");
}

static void who_is_to_be_seated_sits_at_the_table(void **state)
{
    (void)state;
    brief_has("I want to seat six for dinner, with a sideboard and a table",
              "1 sideboard; 1 table; 6 chair");
    brief_has("a table that seats eight people", "1 table; 8 chair");
    brief_has("a bench and two seats", "1 bench; 2 seat");
}

static void several_along_one_side_stand_in_a_row(void **state)
{
    (void)state;
    const char *text = "an island with three bar stools along one side of it";
    brief_ties("a counter, three bar stools along one side of the counter",
               "bar stool", BRIEF_FRONT, "counter");
    brief *b = brief_of(text);
    assert_true(brief_is_tied(b, "bar stool", BRIEF_FRONT, "island"));
    assert_true(brief_is_tied(b, "bar stool", BRIEF_ROWS, ""));
    free(b);
    brief_ties("an armchair, a small table to its right with a lamp on it",
               "table", BRIEF_RIGHT, "armchair");
}

static void its_is_what_the_sentence_before_was_about(void **state)
{
    (void)state;
    brief_ties(
        "A desk against the wall. A bookcase beside the door. A lamp to its "
        "left.",
        "lamp", BRIEF_LEFT, "bookcase");
    brief_ties("A desk with a chair. A lamp to its left.", "lamp", BRIEF_LEFT,
               "desk");
    brief_ties("A bed under the window. A wardrobe to its right.", "wardrobe",
               BRIEF_RIGHT, "bed");
    brief_ties("a sofa, a coffee table in front of the sofa and a rug under it",
               "rug", BRIEF_UNDER, "coffee table");
}

static void as_many_as_there_are_are_one_for_each(void **state)
{
    (void)state;
    static const char *const texts[] = {"two desks with chairs",
                                        "two desks with two chairs"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        brief *b = brief_of(texts[k]);
        assert_int_equal(b->wish_count, 2);
        assert_true(b->wishes[1].each);
        assert_int_equal(b->wishes[1].count, 1);
        free(b);
    }
    brief *b = brief_of("two tables with six chairs");
    assert_false(b->wishes[1].each);
    assert_int_equal(b->wishes[1].count, 6);
    free(b);
}

static void what_stands_at_each_comes_for_each(void **state)
{
    (void)state;
    brief *twins = brief_of(
        "two single beds with a nightstand between them, a desk for each");
    assert_string_equal(twins->wishes[2].head, "desk");
    assert_true(twins->wishes[2].each);
    assert_true(brief_is_tied(twins, "desk", BRIEF_BESIDE, "single bed"));
    free(twins);
    brief *b = brief_of("three tables, two chairs at each table");
    assert_true(b->wishes[1].each);
    free(b);
    b = brief_of("four tables with four chairs around each");
    assert_true(b->wishes[1].each);
    assert_true(brief_is_tied(b, "chair", BRIEF_AROUND, "table"));
    free(b);
    b = brief_of("two sofas and a lamp behind each sofa");
    assert_true(b->wishes[1].each);
    free(b);
    brief_ties("six desks facing a blackboard, each with a chair", "chair",
               BRIEF_BESIDE, "desk");
}

static void what_asks_for_something_and_is_not_understood_is_told(void **state)
{
    (void)state;
    unread_is("six chairs in a circle", "in a circle");
    unread_is("a desk 1 m from the window", "1 m");
    unread_is("a table with a chess board on it", "a chess board");
    unread_is("a workbench and a drill", "a drill");
    unread_is("a bedroom with a bed and a kitchenette", "a kitchenette");
    unread_is("The bed should not be under the window", "under the window");
    unread_is("a sofa, but no television on the wall", "");
    unread_is(
        "I want a cosy, modern bedroom with a low bed, good lighting and a rug for the kids.",
        "");
    unread_is("A garage with a workbench", "");
    unread_is(
        "a bedroom that feels like a hotel suite, with a bed as its centerpiece",
        "");
}

static void it_is_what_such_a_thing_usually_stands_on(void **state)
{
    (void)state;
    brief_ties("a desk with a chair and a desk lamp on it", "desk lamp",
               BRIEF_ON, "desk");
    brief_ties("a bed with a chair and a pillow on it", "pillow", BRIEF_ON,
               "bed");
    brief_ties("an armchair next to the tv, facing the sofa", "armchair",
               BRIEF_FACING, "sofa");
}

static void who_comes_for_each_is_counted_or_told(void **state)
{
    (void)state;
    brief_has("a double bed with a nightstand on each side",
              "1 double bed; 2 nightstand");
    brief_has("a table with four chairs along each side", "1 table; 8 chair");
    brief_has("a sofa with a lamp on either side", "1 sofa; 2 lamp");
    brief_has("five shelves along each side wall", "10 shelf");
    brief_has("four chairs, each facing its own mirror", "4 chair; 4 mirror");
    brief_has("a workbench with a cabinet on either side of the bench",
              "1 workbench; 2 cabinet");
    brief_has("In three of the corners a plant", "3 plant");
    brief_has("nine music stands with a chair behind each stand",
              "9 music stand; 1 chair");
    brief *b = brief_of("24 desks, one chair each");
    assert_true(b->wishes[1].each);
    free(b);
    b = brief_of("two desks, each with a chair and a monitor");
    assert_true(b->wishes[1].each && b->wishes[2].each);
    free(b);
    b = brief_of("six desks and one lamp per desk");
    assert_true(b->wishes[1].each);
    free(b);
    unread_is("a table with a chair along each side and one at each end",
              "one at each end");
    unread_is("two beds on the left wall and two on the right",
              "two on the right");
    unread_is("a wardrobe and a desk. Every student gets a chair.",
              "Every student");
    unread_is("a bed, desk and wardrobe each", "each");
    unread_is(
        "a bed flanked by two nightstands with two drawers each, and a grid pattern",
        "");
    unread_is("six desks, one stool per dezk", "per");
}

static void what_nobody_wants_does_not_come(void **state)
{
    (void)state;
    brief_has("A bed. She doesn't want any shelves.", "1 bed");
    brief_has("a bed and a desk, and we dont want a tv", "1 bed; 1 desk");
    brief_has("Bathroom for a family of five - a vanity and a shower",
              "1 vanity; 1 shower");
}

static void who_it_is_for_is_no_furniture(void **state)
{
    (void)state;
    brief_has("a bedroom for a child with a bed and a desk", "1 bed; 1 desk");
    brief_has("a mannequin in the corner", "1 mannequin");
    brief *b = brief_of("a bedroom for a tall person with a bed");
    assert_int_equal(b->wish_count, 1);
    assert_int_equal(b->unread_count, 1);
    free(b);
}

/* What a use is told to have is the use's, and stands by nothing else for
 * that. */
static void what_a_use_has_is_listed_behind_it(void **state)
{
    (void)state;
    brief *b = brief_of(
        "a desk, and a reading corner for two with a lamp and a small table between the chairs");
    assert_int_equal(b->wish_count, 4);
    assert_int_equal(b->wishes[0].want, BRIEF_NONE);
    for (uint32_t i = 1; i < 4; i++)
        assert_int_equal(b->wishes[i].want, 0);
    assert_true(b->wishes[3].assumed);
    assert_int_equal(b->tie_count, 1);
    assert_true(brief_is_tied(b, "table", BRIEF_BETWEEN, "chair"));
    free(b);
}

static void a_room_is_one_by_its_own_name_alone(void **state)
{
    (void)state;
    brief *b = brief_of("a yoga studio with mats");
    assert_int_equal(b->want_count, 0);
    free(b);
    b = brief_of("a small studio with a bed");
    assert_int_equal(b->want_count, 1);
    free(b);
}

static void one_of_two_ways_to_say_it_is_taken(void **state)
{
    (void)state;
    brief_has("a table or desk and a chair", "1 table; 1 chair");
    brief_has("a compact table/desk", "1 table");
}

static void what_was_said_before_is_spoken_of_again(void **state)
{
    (void)state;
    brief_has("A bed. Next to the bed stands a lamp. The bed faces a mirror.",
              "1 bed; 1 lamp; 1 mirror");
    brief_has("a nightstand on each side of the bed and a low matching bed",
              "2 nightstand; 1 bed");
    brief_has("a table and two chairs at the table", "1 table; 2 chair");
    brief_has("two nightstands and a lamp on each nightstand",
              "2 nightstand; 1 lamp");
}

static void several_are_shared_among_as_many_places(void **state)
{
    (void)state;
    const char *text =
        "A bed. Add two nightstands, one on each side of the bed";
    brief_has(text, "1 bed; 2 nightstand");
    brief_ties(text, "nightstand", BRIEF_FLANK, "bed");
    unread_is(text, "");
    brief_has("a table with four chairs, one on each side of the table",
              "1 table; 4 chair");
    text = "two nightstands with two lamps, one on each nightstand";
    brief *b = brief_of(text);
    assert_true(b->wishes[1].each);
    assert_int_equal(b->wishes[1].count, 1);
    free(b);
    unread_is(text, "");
    unread_is("four plants, one in each corner", "");
    unread_is("two plants, one in each corner", "in each corner");
    unread_is("two tables with three vases, one on each table", "on each");
    unread_is("a sofa and three lamps, one on each side of the sofa",
              "on each side of");
}

static void relations_are_read_before_between_and_behind(void **state)
{
    (void)state;
    brief_ties("a lamp on the desk and a desk", "lamp", BRIEF_ON, "desk");
    brief_ties("a table with a tray, a book and a vase on it", "vase", BRIEF_ON,
               "table");
    brief_ties("a bed flanked by two nightstands", "nightstand", BRIEF_FLANK,
               "bed");
    brief_ties("A desk holding a laptop and a vase", "vase", BRIEF_ON, "desk");
    brief_ties("A bed. At the foot of the bed sits a bench.", "bench",
               BRIEF_FOOT, "bed");
    brief_ties("A bed. Opposite the bed, a dresser.", "dresser", BRIEF_OPPOSITE,
               "bed");
    brief_ties("In one corner, an armchair", "armchair", BRIEF_CORNER, "");
    brief_ties("a desk by the window", "desk", BRIEF_WINDOW, "");
    brief_ties("a desk under the window", "desk", BRIEF_SILL, "");
    brief_ties("below a window, a desk", "desk", BRIEF_SILL, "");
    brief_ties("a wardrobe against the wall", "wardrobe", BRIEF_WALL, "");
    brief_ties("six chairs around a table", "chair", BRIEF_AROUND, "table");
    brief_ties("an armchair facing a television", "armchair", BRIEF_FACING,
               "television");
    brief_ties("a stool to the left of the sofa", "stool", BRIEF_LEFT, "sofa");
    brief_ties("a rug in the middle of the room", "rug", BRIEF_MIDDLE, "");
    brief *b = brief_of("two nightstands, each holding a lamp");
    assert_true(brief_is_tied(b, "lamp", BRIEF_ON, "nightstand"));
    assert_true(b->wishes[1].each);
    free(b);
}

static void built_around_is_no_relation(void **state)
{
    (void)state;
    brief *b = brief_of(
        "a bedroom built around a bed, with a chair on slim legs, and a lamp");
    for (uint32_t i = 0; i < b->tie_count; i++)
        assert_int_not_equal(b->ties[i].relation, BRIEF_AROUND);
    free(b);
}

static void uses_and_rooms_are_wants_with_their_people(void **state)
{
    (void)state;
    brief *b = brief_of("a reading corner for two");
    assert_int_equal(b->wish_count, 0);
    assert_int_equal(b->want_count, 1);
    assert_int_equal(b->wants[0].people, 2);
    assert_string_equal(habits_uses[b->wants[0].habit].names[0],
                        "reading corner");
    free(b);
    b = brief_of("A cosy bedroom with two light sources and some storage");
    assert_int_equal(b->want_count, 3);
    assert_int_equal(b->wants[0].kind, BRIEF_ROOM);
    assert_int_equal(b->wants[1].count, 2);
    free(b);
}

static void refused(const char *text, size_t size, const char *why)
{
    brief *b = malloc(sizeof *b);
    etna_error err = {0};
    assert_non_null(b);
    assert_int_equal(brief_read(text, size, b, &err), ETNA_E_INPUT);
    if (!strstr(err.text, why))
        fail_msg("\"%s\" does not say \"%s\"", err.text, why);
    free(b);
}

static void what_cannot_be_read_is_refused_with_what_to_do(void **state)
{
    (void)state;
    refused("", 0, "empty");
    refused(" \n\t", 3, "empty");
    refused("bed\xff", 4, "UTF-8");
    refused("be\0d", 4, "UTF-8");
    refused("something nice please", 21, "names nothing");
    char *large = malloc(BRIEF_TEXT_MAX + 1);
    assert_non_null(large);
    memset(large, 'a', BRIEF_TEXT_MAX + 1);
    refused(large, BRIEF_TEXT_MAX + 1, "bytes");
    free(large);
}

static void more_things_than_there_is_room_for_are_counted(void **state)
{
    (void)state;
    char text[20 * 300 + 1];
    size_t n = 0;
    for (int i = 0; i < 300; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "a lamp, ");
    brief *b = brief_of(text);
    assert_int_equal(b->wish_count, BRIEF_WISHES_MAX);
    assert_int_equal(b->left_out, 300 - BRIEF_WISHES_MAX);
    free(b);
}

static void a_name_says_what_a_thing_is(void **state)
{
    (void)state;
    static const char *const table[] = {"old", "dining", "tables", "2"},
                             *const none[] = {"mesh", "17"};
    char head[BRIEF_HEAD_SIZE];
    assert_true(brief_name_read(table, 4, head));
    assert_string_equal(head, "dining table");
    assert_false(brief_name_read(none, 2, head));
    assert_false(brief_name_read(NULL, 0, head));
}

static void a_name_ends_before_what_is_no_part_of_one(void **state)
{
    (void)state;
    const char *const head =
        "a double bed whose head is against the west wall, a wardrobe";
    brief_has(head, "1 double bed; 1 wardrobe");
    brief_ties(head, "double bed", BRIEF_WALL, "");
    brief_has("a crib away from the window", "1 crib");
    brief_has("a light gray bed and a dark wood desk", "1 bed; 1 desk");
    brief_has("a wardrobe whose doors can be opened", "1 wardrobe");
}

static bool has_unread(const char *text)
{
    brief *b = brief_of(text);
    bool has = b->unread_count > 0;
    free(b);
    return has;
}

static void who_faces_what_is_at_a_wall_is_not_at_it(void **state)
{
    (void)state;
    const char *const sofa = "a sofa facing the TV on the north wall";
    brief *b = brief_of(sofa);
    assert_true(brief_is_tied(b, "tv", BRIEF_WALL, ""));
    assert_false(brief_is_tied(b, "sofa", BRIEF_WALL, ""));
    free(b);
    brief_ties("a chair opposite the bed against the east wall", "bed",
               BRIEF_WALL, "");
    brief_ties("a sofa along the east wall facing a fireplace", "sofa",
               BRIEF_WALL, "");
    brief_ties("a sofa facing the TV, against the south wall", "sofa",
               BRIEF_WALL, "");
}

static void a_back_is_turned_to_a_thing_or_a_wall(void **state)
{
    (void)state;
    brief_ties("a sofa with its back to the bed", "sofa", BRIEF_AWAY, "bed");
    brief_ties("a bed and two armchairs with their backs to the bed",
               "armchair", BRIEF_AWAY, "bed");
    brief_ties("a chair facing away from the desk", "chair", BRIEF_AWAY,
               "desk");
    brief_ties("a desk with its back to the north wall", "desk", BRIEF_WALL,
               "");
    assert_true(has_unread("a sofa with its back to the window"));
}

static void what_each_has_leaves_the_place_to_what_has_it(void **state)
{
    (void)state;
    const char *const desks =
        "two small desks with a chair each under the window";
    brief_has(desks, "2 desk; 1 chair");
    brief_ties(desks, "desk", BRIEF_SILL, "");
    brief *b = brief_of(desks);
    assert_true(b->wishes[1].each);
    assert_false(brief_is_tied(b, "chair", BRIEF_SILL, ""));
    free(b);
}

static void on_each_is_on_those_of_which_there_are_several(void **state)
{
    (void)state;
    const char *const lamps =
        "a bed, a nightstand on each side with a lamp on each";
    brief_has(lamps, "1 bed; 2 nightstand; 1 lamp");
    brief_ties(lamps, "lamp", BRIEF_ON, "nightstand");
}

static void who_sits_there_sits_where_the_table_is(void **state)
{
    (void)state;
    const char *const table =
        "a sofa and a round table with two stools in the middle";
    brief_ties(table, "table", BRIEF_MIDDLE, "");
    brief *b = brief_of(table);
    assert_false(brief_is_tied(b, "stool", BRIEF_MIDDLE, ""));
    free(b);
    brief_ties("a desk with a chair by the window", "desk", BRIEF_WINDOW, "");
    brief_ties("a bed with a lamp in the corner", "lamp", BRIEF_CORNER, "");
}

static void no_wall_is_named_by_what_is_in_front(void **state)
{
    (void)state;
    assert_true(has_unread("a sofa, a table in front of it and a "
                           "bookcase against the opposite wall"));
}

static void another_is_one_more_of_the_same(void **state)
{
    (void)state;
    const char *const two = "a painting over the bed and another over the desk";
    brief_has(two, "1 painting; 1 bed; 1 painting; 1 desk");
    brief_ties(two, "painting", BRIEF_ABOVE, "desk");
}

static void opposite_sides_are_shared(void **state)
{
    (void)state;
    brief_has("a table with two stools on opposite sides", "1 table; 2 stool");
    brief_has("a table with two stools on each side", "1 table; 4 stool");
}

static void a_place_that_nothing_reads_is_told(void **state)
{
    (void)state;
    assert_true(has_unread("a bed between two windows"));
    assert_true(has_unread("a bookcase next to the window on the left"));
    assert_true(has_unread("a crib away from the window"));
    assert_true(has_unread("a desk where I can see the door"));
    assert_true(has_unread("a bunk bed for two kids, a desk for each of them"));
    assert_false(has_unread("a bed on slim metal legs and a lamp"));
    assert_false(has_unread("a lamp and a bed on slim metal legs."));
}

static void what_is_on_one_side_is_not_on_the_other(void **state)
{
    (void)state;
    brief_ties("an island with three stools on one side", "stool", BRIEF_FRONT,
               "island");
    assert_true(has_unread("a table, a bench on one side and four chairs on "
                           "the other"));
    assert_true(has_unread("a mirror on the long wall"));
    assert_true(has_unread("a wardrobe beside the bed, not blocking the "
                           "window"));
    assert_true(has_unread("a toilet hidden from the door and a sink"));
}

static void what_has_a_place_of_its_own_is_none_of_each(void **state)
{
    (void)state;
    const char *const cafe = "three tables, each with two chairs, and a "
                             "counter along the back wall";
    brief *b = brief_of(cafe);
    assert_int_equal(b->wish_count, 3);
    assert_true(b->wishes[1].each);
    assert_false(b->wishes[2].each);
    free(b);
}

static void it_is_not_what_is_only_looked_at(void **state)
{
    (void)state;
    brief_ties(
        "a sofa that faces the TV and a small table on either side of it",
        "table", BRIEF_FLANK, "sofa");
    brief_ties("a bed and a chest at its end", "chest", BRIEF_FOOT, "bed");
    brief_ties("four desks facing the whiteboard and a teacher's desk in front "
               "of it",
               "desk", BRIEF_FRONT, "whiteboard");
    brief_ties("a queen bed between two nightstands", "nightstand", BRIEF_FLANK,
               "bed");
    brief_ties("a table between two sofas", "table", BRIEF_BETWEEN, "sofa");
}

static void who_stands_there_must_be_a_thing(void **state)
{
    (void)state;
    const char *const bench =
        "a workbench along the left wall, tools above the workbench and a "
        "stool in front";
    brief *b = brief_of(bench);
    assert_false(brief_is_tied(b, "stool", BRIEF_ABOVE, "workbench"));
    assert_true(b->unread_count > 0);
    free(b);
    brief_ties("a bookcase as a room divider between the bed and the desk",
               "bookcase", BRIEF_BETWEEN, "bed");
}

static void a_sofa_for_three_seats_as_many(void **state)
{
    (void)state;
    brief *b = brief_of("a three-seat sofa and a 2 seater couch");
    assert_int_equal(b->wishes[0].seats, 3);
    assert_int_equal(b->wishes[1].seats, 2);
    free(b);
}

static void the_nearest_kind_has_the_habit(void **state)
{
    (void)state;
    assert_string_equal(habits_of("king-size bed")->kind, "bed");
    assert_string_equal(habits_of("armchair")->kind, "armchair");
    assert_int_equal(habits_of("bedside table")->beside, BRIEF_FLANK);
    assert_int_equal(habits_of("ceiling lamp")->footing, HABITS_CEILING);
    assert_null(habits_of("xyzzy"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(things_come_with_their_numbers),
        cmocka_unit_test(parts_stuff_and_what_is_denied_are_no_things),
        cmocka_unit_test(a_number_that_tells_how_a_thing_is_made_counts_none),
        cmocka_unit_test(people_at_a_table_have_a_chair_each),
        cmocka_unit_test(
            a_relation_that_ends_a_phrase_is_about_what_came_before),
        cmocka_unit_test(what_is_told_of_several_is_told_of_each),
        cmocka_unit_test(walls_and_doors_are_those_that_are_named),
        cmocka_unit_test(one_of_two_ways_to_say_it_is_taken),
        cmocka_unit_test(what_was_said_before_is_spoken_of_again),
        cmocka_unit_test(several_are_shared_among_as_many_places),
        cmocka_unit_test(relations_are_read_before_between_and_behind),
        cmocka_unit_test(built_around_is_no_relation),
        cmocka_unit_test(uses_and_rooms_are_wants_with_their_people),
        cmocka_unit_test(what_cannot_be_read_is_refused_with_what_to_do),
        cmocka_unit_test(more_things_than_there_is_room_for_are_counted),
        cmocka_unit_test(a_name_says_what_a_thing_is),
        cmocka_unit_test(the_nearest_kind_has_the_habit),
        cmocka_unit_test(rows_multiply_and_are_told),
        cmocka_unit_test(a_name_ends_before_what_is_no_part_of_one),
        cmocka_unit_test(who_faces_what_is_at_a_wall_is_not_at_it),
        cmocka_unit_test(a_back_is_turned_to_a_thing_or_a_wall),
        cmocka_unit_test(what_each_has_leaves_the_place_to_what_has_it),
        cmocka_unit_test(on_each_is_on_those_of_which_there_are_several),
        cmocka_unit_test(who_sits_there_sits_where_the_table_is),
        cmocka_unit_test(no_wall_is_named_by_what_is_in_front),
        cmocka_unit_test(another_is_one_more_of_the_same),
        cmocka_unit_test(opposite_sides_are_shared),
        cmocka_unit_test(a_place_that_nothing_reads_is_told),
        cmocka_unit_test(a_sofa_for_three_seats_as_many),
        cmocka_unit_test(what_is_on_one_side_is_not_on_the_other),
        cmocka_unit_test(what_has_a_place_of_its_own_is_none_of_each),
        cmocka_unit_test(it_is_not_what_is_only_looked_at),
        cmocka_unit_test(who_stands_there_must_be_a_thing),
        cmocka_unit_test(any_words_for_a_wall_or_a_corner_do),
        cmocka_unit_test(a_plural_ends_its_name_whatever_follows),
        cmocka_unit_test(a_thing_is_by_it_and_it_is_none_of_the_same_name),
        cmocka_unit_test(what_is_listed_along_a_wall_is_all_there),
        cmocka_unit_test(walls_are_named_one_by_one_or_all),
        cmocka_unit_test(what_bounds_places_otherwise_is_told),
        cmocka_unit_test(what_is_in_front_is_of_what_it_usually_is_at),
        cmocka_unit_test(what_is_put_there_is_what_was_spoken_of),
        cmocka_unit_test(several_on_or_between_several_are_enough_for_all),
        cmocka_unit_test(it_is_first_of_all_what_the_thing_came_with),
        cmocka_unit_test(a_family_of_five_are_five),
        cmocka_unit_test(what_each_has_ends_behind_and),
        cmocka_unit_test(a_place_behind_a_comma_is_of_what_the_clause_is_about),
        cmocka_unit_test(who_is_to_be_seated_sits_at_the_table),
        cmocka_unit_test(what_stands_by_a_part_of_the_room_is_told),
        cmocka_unit_test(them_is_several_and_a_window_is_looked_at),
        cmocka_unit_test(several_along_one_side_stand_in_a_row),
        cmocka_unit_test(its_is_what_the_sentence_before_was_about),
        cmocka_unit_test(as_many_as_there_are_are_one_for_each),
        cmocka_unit_test(what_stands_at_each_comes_for_each),
        cmocka_unit_test(what_asks_for_something_and_is_not_understood_is_told),
        cmocka_unit_test(who_it_is_for_is_no_furniture),
        cmocka_unit_test(what_a_use_has_is_listed_behind_it),
        cmocka_unit_test(a_room_is_one_by_its_own_name_alone),
        cmocka_unit_test(who_comes_for_each_is_counted_or_told),
        cmocka_unit_test(what_nobody_wants_does_not_come),
        cmocka_unit_test(it_is_what_such_a_thing_usually_stands_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
