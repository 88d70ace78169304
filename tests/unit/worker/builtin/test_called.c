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

/* The seat of several things that are one kit is one of them, and their surface
 * is none. */
static void the_seat_of_a_kit_is_one_of_its_things(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Move the seat of the drum kit 30 cm to the left", "Drum_Stool shift"},
        {"Move the surface of the drum kit 30 cm to the left", ""},
        {"Move the drum kit 30 cm to the left",
         "Bass_Drum+Snare_Drum+Drum_Stool shift"},
    };
    static const char *const names[] = {"Bass_Drum", "Snare_Drum", "Drum_Stool",
                                        "Cup", NULL};
    facts_world w = world_with_floor();
    add_things(&w, names);
    ASSERT_MEANT(&w, rows);
}

/* What holds umbrellas may be called a pot; what stands beside one is no stand
 * of theirs. */
static void an_umbrella_stand_is_what_holds_umbrellas(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Move the umbrella stand 30 cm to the left", "Pot shift"},
        {"Move the umbrella holder 30 cm to the left", "Pot shift"},
        {"Move the coat stand 30 cm to the left", "Coat_Stand shift"},
        {"Move the cake stand 30 cm to the left", ""},
    };
    facts_world w = world_with_floor();
    const int pot = facts_world_add(&w, "Pot", 0, 0, 0.3, 0.3, 0.4, "brown", 0);
    facts_world_add(&w, "Umbrella_1", 0, 0, 0.05, 0.05, 0.8, "black", pot);
    facts_world_add(&w, "Coat_Stand", 0.5, 0, 0.3, 0.3, 1.7, "brown", 0);
    facts_world_add(&w, "Cake_Tin", 2, 0, 0.3, 0.3, 0.1, "white", 0);
    ASSERT_MEANT(&w, rows);
}

/* A patio door is no patio, so the coffee table beside it is no patio table. */
static void a_door_is_not_the_place_it_leads_to(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Move the patio table 30 cm to the left", ""},
        {"Move the coffee table 30 cm to the left", "Coffee_Table shift"},
    };
    facts_world w = world_with_floor();
    facts_world_add(&w, "Coffee_Table", 0, 0, 1, 0.6, 0.4, "brown", 0);
    const int door =
        facts_world_add(&w, "Patio_Door", 0, 0.7, 1, 0.1, 2, "white", 0);
    w.things[door].is_static = true;
    facts_world_add(&w, "Cup", 2, 0, 0.1, 0.1, 0.1, "white", 0);
    ASSERT_MEANT(&w, rows);
}

/* Names begin with what a thing is: the box is what holds the toys, and the chair
 * is one to wait on. */
static void a_box_of_toys_may_be_called_box_toys(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Move the box of toys 30 cm to the left", "Box_Toys_Blue shift"},
        {"Move the toy box 30 cm to the left", "Box_Toys_Blue shift"},
        {"Move the pink box 30 cm to the left", "Box_Cat_Pink shift"},
        {"Move the waiting chair 30 cm to the left", "Chair_Wait shift"},
        {"Move the painting 30 cm to the left", ""},
    };
    static const char *const names[] = {
        "Box_Toys_Blue", "Box_Cat_Pink", "Chair_Wait", "Chair_Desk",
        "Bed_Double",    "Can_Paint",    NULL};
    facts_world w = world_with_floor();
    add_things(&w, names);
    w.things[2].colour = "pink";
    ASSERT_MEANT(&w, rows);
}

/* Of plates around a table those at a chair are the ones before it. */
static void a_plate_is_at_the_nearest_of_several_chairs(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Put the plate at chair A on the tray", "Plate_1 on Tray"},
        {"Put the plates next to chair A on the tray", "Plate_1 on Tray"},
        {"Put the plates by the chairs on the tray",
         "Plate_1+Plate_2+Plate_3 on Tray"},
        {"Move the plates of chair A and chair B 10 cm to the left", ""},
    };
    facts_world w = world_with_floor();
    const int table =
        facts_world_add(&w, "Table", 0, 0, 1.2, 0.9, 0.75, "brown", 0);
    facts_world_add(&w, "Chair_A", -0.3, -0.7, 0.4, 0.4, 0.9, "brown", 0);
    facts_world_add(&w, "Chair_B", 0.3, -0.7, 0.4, 0.4, 0.9, "brown", 0);
    facts_world_add(&w, "Chair_C", 0, 0.7, 0.4, 0.4, 0.9, "brown", 0);
    facts_world_add(&w, "Plate_1", -0.3, -0.3, 0.2, 0.2, 0.02, "white", table);
    facts_world_add(&w, "Plate_2", 0.3, -0.3, 0.2, 0.2, 0.02, "white", table);
    facts_world_add(&w, "Plate_3", 0, 0.3, 0.2, 0.2, 0.02, "white", table);
    facts_world_add(&w, "Tray", 2, 2, 0.6, 0.6, 0.05, "black", 0);
    ASSERT_MEANT(&w, rows);
}

/* "Chairs A and B" are one phrase wherever they stand; B begins no wish. */
static void the_second_of_two_labels_begins_no_wish(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Put the plates of chairs A and B on the tray",
         "Plate_1+Plate_2 on Tray"},
        {"Put chairs A and B next to the tray", "Chair_A+Chair_B beside Tray"},
        {"Put chair A next to the tray and B next to the bin",
         "Chair_A beside Tray; Chair_B beside Bin"},
    };
    facts_world w = world_with_floor();
    const int table =
        facts_world_add(&w, "Table", 0, 0, 1.2, 0.9, 0.75, "brown", 0);
    facts_world_add(&w, "Chair_A", -0.3, -0.7, 0.4, 0.4, 0.9, "brown", 0);
    facts_world_add(&w, "Chair_B", 0.3, -0.7, 0.4, 0.4, 0.9, "brown", 0);
    w.things[2].yaw_deg = w.things[3].yaw_deg = 180;
    facts_world_add(&w, "Plate_1", -0.3, -0.3, 0.2, 0.2, 0.02, "white", table);
    facts_world_add(&w, "Plate_2", 0.3, -0.3, 0.2, 0.2, 0.02, "white", table);
    facts_world_add(&w, "Plate_3", 0, 0.3, 0.2, 0.2, 0.02, "white", table);
    facts_world_add(&w, "Tray", 2, 2, 0.6, 0.6, 0.05, "black", 0);
    facts_world_add(&w, "Bin", -2, 2, 0.3, 0.3, 0.4, "black", 0);
    ASSERT_MEANT(&w, rows);
}

/* What a dictionary knows as one thing is called by neither of its two words. */
static void a_compound_is_not_what_its_words_are(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Move the fire 30 cm to the left", ""},
        {"Move the extinguisher 30 cm to the left", "Fire_Extinguisher shift"},
        {"Move the bed 30 cm to the left", ""},
        {"Move the dog bed 30 cm to the left", "Dog_Bed shift"},
        {"Move the salt 30 cm to the left", "Salt_Shaker shift"},
        {"Move the table 30 cm to the left", "Pool_Table shift"},
        {"Move the board 30 cm to the left", "Cutting_Board shift"},
    };
    static const char *const names[] = {"Fire_Extinguisher", "Dog_Bed",
                                        "Salt_Shaker",       "Pool_Table",
                                        "Cutting_Board",     NULL};
    facts_world w = world_with_floor();
    add_things(&w, names);
    ASSERT_MEANT(&w, rows);
}

/* A lamp that stands on the floor is the floor lamp, and what is called leather is
 * rather of it than what may be. */
static void stuff_and_place_tell_which_of_two_is_called_so(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Move the floor lamp 30 cm to the left", "lamp.002 shift"},
        {"Move the desk lamp 10 cm to the left", "lamp.001 shift"},
        {"Move the leather chair 30 cm to the left", "armchair_leather shift"},
        {"Move the office chair 30 cm to the left", "chair_office shift"},
    };
    facts_world w = world_with_floor();
    const int desk =
        facts_world_add(&w, "desk", 0, 0, 1.4, 0.7, 0.75, "brown", 0);
    facts_world_add(&w, "lamp.001", 0, 0, 0.2, 0.2, 0.4, "green", desk);
    facts_world_add(&w, "lamp.002", 2, 0, 0.3, 0.3, 1.5, "grey", 0);
    facts_world_add(&w, "vase", 0.5, 0, 0.1, 0.1, 0.2, "blue", desk);
    facts_world_add(&w, "chair_office", 0, -1, 0.5, 0.5, 0.9, "black", 0);
    facts_world_add(&w, "armchair_leather", -2, 0, 0.8, 0.8, 0.9, "brown", 0);
    facts_world_add(&w, "cabinet_low", -2, 2, 0.8, 0.4, 0.5, "brown", 0);
    facts_world_add(&w, "bust_plato", -3, 2, 0.3, 0.3, 0.4, "white", 0);
    ASSERT_MEANT(&w, rows);
}

/* What is for anything of its kind may be called after one use of it, where it is
 * the only one. */
static void the_only_one_of_general_use_may_be_called_by_one(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Move the bread knife 30 cm to the left", "Kitchen_Knife shift"},
        {"Move the tea tray 30 cm to the left", "Serving_Tray shift"},
        {"Move the storage box 30 cm to the left", "Toy_Box shift"},
        {"Move the jewelry box 30 cm to the left", ""},
        {"Move the table saw 30 cm to the left", ""},
        {"Move the pool table 30 cm to the left", ""},
        {"Move the palette knife 30 cm to the left", ""},
        {"Move the pocket knife 30 cm to the left", ""},
        {"Move the litter tray 30 cm to the left", ""},
        {"Move the cheese board 30 cm to the left", ""},
    };
    static const char *const names[] = {"Kitchen_Knife", "Serving_Tray",
                                        "Toy_Box",       "Hand_Saw",
                                        "Kitchen_Table", NULL};
    static const meant several[] = {
        {"Move the bread knife 30 cm to the left", ""},
        {"Move the tea tray 30 cm to the left", "Tea_Tray shift"},
        {"Move the storage box 30 cm to the left", ""},
    };
    static const char *const more[] = {
        "Kitchen_Knife", "Fish_Knife", "Serving_Tray", "Tea_Tray", "Toy_Box",
        "Card_Box",      NULL};
    facts_world w = world_with_floor();
    facts_world v = world_with_floor();
    add_things(&w, names);
    ASSERT_MEANT(&w, rows);
    add_things(&v, more);
    ASSERT_MEANT(&v, several);
}

/* A toy train is a toy; what toys are kept in is none. */
static void toys_are_not_what_they_are_kept_in(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Put the toys on the mat", "Toy_Bear+Toy_Train on Mat"},
        {"Move the toy box 30 cm to the left", "Toy_Box shift"},
        {"Put the toy train on the mat", "Toy_Train on Mat"},
    };
    static const char *const names[] = {"Toy_Bear",  "Toy_Train", "Toy_Box",
                                        "Toy_Shelf", "Mat",       NULL};
    facts_world w = world_with_floor();
    add_things(&w, names);
    ASSERT_MEANT(&w, rows);
}

/* It lies on the walls, and hence is a little wider than the floor. */
static void a_wider_ceiling_is_not_the_floor(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Put the basket in the middle of the room", "Basket middle Floor"},
    };
    static const char *const names[] = {"Basket", NULL};
    facts_world w = world_with_floor();
    add_things(&w, names);
    const int ceiling =
        facts_world_add(&w, "Ceiling", 0, 0, 8.2, 6.2, 0.1, "white", -1);
    w.things[ceiling].is_static = true;
    w.things[ceiling].hover = 2.6;
    ASSERT_MEANT(&w, rows);
}

static void a_name_in_humps_is_its_words(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Put the art book in the basket", "ArtBook in Basket"},
        {"Put the sketch book in the basket", "SketchBook in Basket"},
        {"Put the art book and the sketch book in the basket",
         "SketchBook+ArtBook in Basket"},
    };
    static const char *const names[] = {"SketchBook", "ArtBook", "Basket",
                                        NULL};
    facts_world w = world_with_floor();
    add_things(&w, names);
    ASSERT_MEANT(&w, rows);
}

static void a_chest_of_drawers_may_be_called_a_chest(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Put the towel on the chest", "Towel on Chest_of_Drawers"},
        {"Put the towel on the drawers", "Towel on Chest_of_Drawers"},
        {"Put the towel on the suitcase", "Towel on Suitcase"},
        {"Put the towel on the trunk", "Towel on Suitcase"},
    };
    static const char *const names[] = {"Chest_of_Drawers", "Suitcase", "Towel",
                                        NULL};
    facts_world w = world_with_floor();
    add_things(&w, names);
    ASSERT_MEANT(&w, rows);
}

/* What is in a vessel may be called by itself, and so may the vessel. */
static void a_vessel_of_a_thing_is_called_by_either(void **state)
{
    (void)state;
    static const meant rows[] = {
        {"Put the apples on the shelf", "Bowl_of_Apples on Shelf"},
        {"Put the bowl on the shelf", "Bowl_of_Apples on Shelf"},
        {"Put the bowl of apples on the shelf", "Bowl_of_Apples on Shelf"},
        {"Put the flour on the shelf", "Bag_of_Flour on Shelf"},
        {"Put the wine on the shelf", "Bottle_of_Wine on Shelf"},
        {"Put the bottle on the shelf", "Bottle_of_Wine on Shelf"},
        {"Put the books on the shelf", "Stack_of_Books on Shelf"},
    };
    static const char *const names[] = {"Bowl_of_Apples", "Bag_of_Flour",
                                        "Bottle_of_Wine", "Stack_of_Books",
                                        "Shelf",          NULL};
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
        cmocka_unit_test(the_seat_of_a_kit_is_one_of_its_things),
        cmocka_unit_test(an_umbrella_stand_is_what_holds_umbrellas),
        cmocka_unit_test(a_door_is_not_the_place_it_leads_to),
        cmocka_unit_test(a_box_of_toys_may_be_called_box_toys),
        cmocka_unit_test(a_plate_is_at_the_nearest_of_several_chairs),
        cmocka_unit_test(the_second_of_two_labels_begins_no_wish),
        cmocka_unit_test(a_compound_is_not_what_its_words_are),
        cmocka_unit_test(stuff_and_place_tell_which_of_two_is_called_so),
        cmocka_unit_test(the_only_one_of_general_use_may_be_called_by_one),
        cmocka_unit_test(toys_are_not_what_they_are_kept_in),
        cmocka_unit_test(a_wider_ceiling_is_not_the_floor),
        cmocka_unit_test(a_name_in_humps_is_its_words),
        cmocka_unit_test(a_chest_of_drawers_may_be_called_a_chest),
        cmocka_unit_test(a_vessel_of_a_thing_is_called_by_either),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
