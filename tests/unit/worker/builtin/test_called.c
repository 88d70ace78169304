/* What a thing may be called: two kinds of one head word, names in other orders,
 * words run together. */
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

/* On the floor, a metre apart. */
static void add_things(facts_world *w, const char *const *names)
{
    for (; *names; names++)
        facts_world_add(w, *names, -4 + 1.0 * w->count, -2, 0.3, 0.3, 0.3,
                        "grey", 0);
}

/* A dictionary that calls a hand saw just a saw does not make it a table saw. */
static void two_kinds_of_one_head_deny_each_other(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Move the table saw 30 cm to the left", ""},
        {"Move the saw 30 cm to the left", "Hand_Saw shift"},
        {"Move the hand saw 30 cm to the left", "Hand_Saw shift"},
        {"Move the bread bin 30 cm to the left", ""},
        {"Move the drum stool 30 cm to the left", ""},
        {"Move the bass drum 30 cm to the left", ""},
        {"Move the alarm clock 30 cm to the left", ""},
        {"Move the salt shaker 30 cm to the left", ""},
        {"Move the water bottle 30 cm to the left", ""},
    };
    static const char *const names[] = {
        "Hand_Saw",   "Waste_Bin",     "Bar_Stool",   "Snare_Drum",
        "Wall_Clock", "Pepper_Shaker", "Wine_Bottle", NULL};
    facts_world w = world_with_floor();
    add_things(&w, names);
    ASSERT_MEANT(&w, rows);
}

/* Where a thing stands, when it is used and what is drunk from it make no other
 * kind of it. */
static void a_place_or_a_meal_makes_no_other_kind(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Move the breakfast table 30 cm to the left", "Dining_Table shift"},
        {"Move the kitchen stool 30 cm to the left", "Bar_Stool shift"},
        {"Move the tea mug 30 cm to the left", "Coffee_Mug shift"},
        {"Move the cake plate 30 cm to the left", "Dinner_Plate shift"},
        {"Move the kitchen clock 30 cm to the left", "Wall_Clock shift"},
        {"Move the guest towel 30 cm to the left", "Bath_Towel shift"},
        {"Move the wood saw 30 cm to the left", "Hand_Saw shift"},
    };
    static const char *const names[] = {
        "Hand_Saw",   "Dining_Table", "Bar_Stool",  "Coffee_Mug",
        "Wall_Clock", "Dinner_Plate", "Bath_Towel", NULL};
    facts_world w = world_with_floor();
    add_things(&w, names);
    ASSERT_MEANT(&w, rows);
}

static void words_run_together_are_read_apart(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Put the hat nextto the vase", "Hat beside Vase"},
        {"Put the hat infront of the vase", "Hat front Vase"},
        {"Put the hat onthe tray", "Hat on Tray"},
    };
    static const char *const names[] = {"Hat", "Vase", "Tray", NULL};
    facts_world w = world_with_floor();
    add_things(&w, names);
    ASSERT_MEANT(&w, rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_kinds_of_one_head_deny_each_other),
        cmocka_unit_test(a_place_or_a_meal_makes_no_other_kind),
        cmocka_unit_test(words_run_together_are_read_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
