/* Which of several things is meant: by the seat that it is before, by what goes
 * with it, by where it is. */
#include "meant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static facts_world world_with_floor(void)
{
    facts_world w = facts_world_new();
    facts_world_add(&w, "Floor", 0, 0, 8, 6, 0.02, "grey", -1);
    w.things[0].is_static = true;
    return w;
}

/* A table laid for four, a sideboard with two books, and a tray. */
static facts_world world_with_seats(void)
{
    facts_world w = world_with_floor();
    const int table =
        facts_world_add(&w, "Table", 0, 0, 1.8, 0.9, 0.75, "brown", 0);
    facts_world_add(&w, "Chair_A", -0.45, -0.75, 0.4, 0.4, 0.9, "brown", 0);
    facts_world_add(&w, "Chair_B", 0.45, -0.75, 0.4, 0.4, 0.9, "brown", 0);
    facts_world_add(&w, "Chair_C", 0.45, 0.75, 0.4, 0.4, 0.9, "brown", 0);
    facts_world_add(&w, "Chair_D", -0.45, 0.75, 0.4, 0.4, 0.9, "brown", 0);
    w.things[2].yaw_deg = w.things[3].yaw_deg = 180;
    facts_world_add(&w, "Plate_1", -0.45, -0.3, 0.2, 0.2, 0.02, "white", table);
    facts_world_add(&w, "Plate_2", 0.45, -0.3, 0.2, 0.2, 0.02, "white", table);
    facts_world_add(&w, "Plate_3", 0.45, 0.3, 0.2, 0.2, 0.02, "white", table);
    facts_world_add(&w, "Plate_4", -0.45, 0.3, 0.2, 0.2, 0.02, "white", table);
    const int board =
        facts_world_add(&w, "Sideboard", 3, -1, 1.4, 0.5, 0.8, "brown", 0);
    facts_world_add(&w, "Book_Red", 2.7, -1, 0.2, 0.2, 0.03, "red", board);
    facts_world_add(&w, "Book_Blue", 3.3, -1, 0.2, 0.2, 0.03, "blue", board);
    facts_world_add(&w, "Cushion", -2, -2, 0.4, 0.4, 0.1, "blue", 0);
    return w;
}

/* What several people have before them is at none of the other seats. */
static void plates_at_two_chairs_are_those_before_them(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Put the plates at chairs C and D on the sideboard",
         "Plate_3+Plate_4 on Sideboard"},
        {"Put the plates at chairs A and B on the sideboard",
         "Plate_1+Plate_2 on Sideboard"},
        {"Put the plates in front of chairs C and D on the sideboard",
         "Plate_3+Plate_4 on Sideboard"},
        {"Put the books next to plates 1 and 2 on the table",
         "Book_Red+Book_Blue beside Plate_1"},
    };
    facts_world w = world_with_seats();
    ASSERT_MEANT(&w, rows);
}

/* On the chair none lies: it is from who sits there. */
static void a_plate_from_a_chair_is_the_one_before_it(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Take the plate from chair A to the sideboard",
         "Plate_1 on Sideboard"},
        {"Take the plates from chairs A and B to the sideboard",
         "Plate_1+Plate_2 on Sideboard"},
        {"Take the three plates from chairs A and B to the sideboard", ""},
        {"Take the cushion from chair A to the sideboard", ""},
        {"Take the books from chair A to the table", ""},
        {"Take the chairs from the table", "Chair_A+Chair_B+Chair_C+Chair_D "
                                           "off Table"},
    };
    facts_world w = world_with_seats();
    ASSERT_MEANT(&w, rows);
}

/* Nothing is cleared to where it is: the place tells which. */
static void what_is_cleared_leaves_the_place_that_is_said(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Clear the plates on the table",
         "Plate_1+Plate_2+Plate_3+Plate_4 off Table"},
        {"Clear the books on the sideboard", "Book_Red+Book_Blue off "
                                             "Sideboard"},
        {"Take away the books on the sideboard",
         "Book_Red+Book_Blue off Sideboard"},
        {"Clear the plates onto the sideboard",
         "Plate_1+Plate_2+Plate_3+Plate_4 on Sideboard"},
        {"Clear the plates to the sideboard",
         "Plate_1+Plate_2+Plate_3+Plate_4 on Sideboard"},
        {"Clear the books next to chair A", ""},
    };
    facts_world w = world_with_seats();
    ASSERT_MEANT(&w, rows);
}

/* A bowl's bottom is so thin that the table beneath is within reach of what lies
 * in it. A mat has no rim, and what stands on it is on the table. */
static void what_lies_in_a_bowl_leaves_the_table_with_it(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Clear the table", "Bowl+Mat+Mug off Table"},
        {"Clear the table: the bowl goes on the sideboard",
         "Mat+Mug off Table; Bowl on Sideboard"},
        {"Clear the table except for the bowl", "Mat+Mug off Table"},
        {"Take the apple off the table and put it on the sideboard",
         "Apple on Sideboard"},
        {"Put what is on the mat on the sideboard", "Mug on Sideboard"},
    };
    facts_world w = world_with_floor();
    const int table =
        facts_world_add(&w, "Table", 0, 0, 1.8, 0.9, 0.75, "brown", 0);
    const int bowl =
        facts_world_add(&w, "Bowl", 0, 0, 0.3, 0.3, 0.09, "white", table);
    const int mat =
        facts_world_add(&w, "Mat", 0.6, 0, 0.3, 0.3, 0.005, "blue", table);
    facts_world_add(&w, "Sideboard", 3, -1, 1.4, 0.5, 0.8, "brown", 0);
    facts_world_add(&w, "Apple", 0, 0, 0.07, 0.07, 0.07, "red", bowl);
    facts_world_add(&w, "Mug", 0.6, 0, 0.08, 0.08, 0.1, "blue", mat);
    w.things[bowl].is_thin = w.things[mat].is_thin = true;
    w.things[bowl].sunk = 0.082;
    ASSERT_MEANT(&w, rows);
}

/* What is by it comes along where it is named so, and a cover that nothing here
 * is called is the book's own. */
static void what_is_taken_with_another_thing_goes_with_it(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Take the pan with the kettle off the stove and put it on the table",
         "Pan+Kettle on Table"},
        {"Take the pan with the kettle and put it on the table",
         "Pan+Kettle on Table"},
        {"Pick up the pan with the kettle and put them on the table",
         "Pan+Kettle on Table"},
        {"Take the pot with the lid off the stove and put it on the table",
         "Pot on Table"},
        {"Take the book with the red cover and put it on the table",
         "Book on Table"},
        {"Take the book with the kettle and put it on the table", ""},
        {"Take the kettle off the stove and put it on the table",
         "Kettle on Table"},
    };
    facts_world w = world_with_floor();
    const int stove =
        facts_world_add(&w, "Stove", 0, 2, 1.2, 0.6, 0.9, "white", 0);
    facts_world_add(&w, "Pan", -0.3, 2, 0.3, 0.3, 0.06, "black", stove);
    facts_world_add(&w, "Kettle", 0, 2, 0.2, 0.2, 0.2, "grey", stove);
    const int pot =
        facts_world_add(&w, "Pot", 0.4, 2, 0.25, 0.25, 0.15, "red", stove);
    facts_world_add(&w, "Lid", 0.4, 2, 0.2, 0.2, 0.02, "red", pot);
    facts_world_add(&w, "Table", 0, 0, 1.8, 0.9, 0.75, "brown", 0);
    facts_world_add(&w, "Book", 2, 0, 0.2, 0.2, 0.03, "red", 0);
    ASSERT_MEANT(&w, rows);
}

/* What a sentence has put onto a thing is on it for the next. */
static void what_was_put_onto_a_thing_tells_it_afterwards(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Put the plates on the tray, then put the tray with the plates on it "
         "on the sideboard",
         "Plate_1+Plate_2+Plate_3+Plate_4 on Tray; Tray on Sideboard"},
        {"Put the tray with the plates on it on the sideboard", ""},
        {"Put the books on the tray, then put the tray with the plates on it "
         "on the sideboard",
         ""},
        {"Put the plates on the tray and then on the cushion. Put the tray "
         "with the plates on it on the sideboard",
         ""},
    };
    facts_world w = world_with_seats();
    facts_world_add(&w, "Tray", -2, 2, 0.8, 0.6, 0.03, "black", 0);
    ASSERT_MEANT(&w, rows);
}

/* Where "there" is nobody says: the list in brackets does. */
static void a_list_in_brackets_says_what_is_over_there(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Put everything over there (the cushion, the red book) on the table",
         "Book_Red+Cushion on Table"},
        {"Put the books over there (the red one and the blue one) on the table",
         "Book_Red+Book_Blue on Table"},
        {"Put the books over there (the cushion) on the table", ""},
        {"Put everything over there on the table", ""},
        {"Put the cushion there (the red book too) on the table", ""},
    };
    facts_world w = world_with_seats();
    ASSERT_MEANT(&w, rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plates_at_two_chairs_are_those_before_them),
        cmocka_unit_test(a_plate_from_a_chair_is_the_one_before_it),
        cmocka_unit_test(what_is_cleared_leaves_the_place_that_is_said),
        cmocka_unit_test(what_lies_in_a_bowl_leaves_the_table_with_it),
        cmocka_unit_test(what_is_taken_with_another_thing_goes_with_it),
        cmocka_unit_test(what_was_put_onto_a_thing_tells_it_afterwards),
        cmocka_unit_test(a_list_in_brackets_says_what_is_over_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
