/* Names as those who draw scenes write them, in the words of those who ask. */
#include "worker/builtin/place/name_mend.h"
#include "worker/builtin/place/name_order.h"
#include "worker/builtin/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum {
    NAMES_MAX = 12
};

/* The words of all names after both functions, a name a comma: "desk chair 2,
 * cup". `shared`: of the first words of each. */
static void names_are(const char *const *names,
                      uint32_t shared,
                      const char *wanted)
{
    builtin_object objects[NAMES_MAX];
    char got[512] = "";
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err;
    uint32_t count = 0;
    for (; names[count]; count++) {
        uint32_t words = 0;
        builtin_object *o = &objects[count];
        *o = (builtin_object){.name = names[count], .shared_words = shared};
        const char *const *list = builtin_name_words(o->name, &arena, &words);
        assert_non_null(list);
        builtin_object_call(o, list, words);
    }
    assert_int_equal(builtin_names_mend(objects, count, &arena, &err), ETNA_OK);
    assert_int_equal(builtin_names_order(objects, count, &arena, &err),
                     ETNA_OK);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < objects[i].word_count; k++) {
            const size_t used = strlen(got);
            snprintf(got + used, sizeof got - used, "%s%s",
                     k ? " " : (i ? ", " : ""), objects[i].words[k]);
        }
    }
    assert_string_equal(got, wanted);
    etna_arena_free(&arena);
}

static void a_stuff_at_the_end_is_no_thing_beside_others_of_other_looks(
    void **state)
{
    (void)state;
    const char *const trays[] = {"tray_wood", "tray_steel", "tray_black", NULL};
    const char *const alone[] = {"table_glass", "cup_red", NULL};
    names_are(trays, 0, "wood tray, steel tray, tray black");
    names_are(alone, 0, "table glass, cup red");
}

static void what_a_thing_is_comes_last(void **state)
{
    (void)state;
    const char *const kit[] = {"chairDesk_2",
                               "tableCoffee",
                               "lampSquareFloor",
                               "bookcaseOpenLow",
                               "loungeSofaLong",
                               "bedDouble",
                               "Carpet_Round",
                               "televisionModern",
                               "sideTable",
                               "lamp_table.001",
                               NULL};
    names_are(kit, 0,
              "desk chair 2, coffee table, square floor lamp, "
              "open low bookcase, long lounge sofa, double bed, "
              "round carpet, modern television, side table, table lamp 1");
}

static void what_a_picture_shows_is_no_thing(void **state)
{
    (void)state;
    const char *const walls[] = {
        "poster sea", "painting_mountains", "picture horse", "picture frame",
        "sea poster", "picture book",       "wall picture",  NULL};
    names_are(walls, 0,
              "sea poster, mountains painting, horse picture, "
              "picture frame, sea poster, picture book, wall picture");
}

static void one_name_alone_that_may_be_either_stays(void **state)
{
    (void)state;
    const char *const book[] = {"shelf_book", "red cup", "desk lamp",
                                "candle light", NULL};
    names_are(book, 0, "shelf book, red cup, desk lamp, candle light");
    const char *const sure[] = {"sofa tolomeo", NULL};
    names_are(sure, 0, "tolomeo sofa");
}

static void what_all_names_begin_with_stays_there(void **state)
{
    (void)state;
    const char *const set[] = {"table_chairDesk", "table_lampWall", NULL};
    names_are(set, 1, "table desk chair, table wall lamp");
}

static void a_slip_in_a_name_is_mended_where_it_can_be_one_word_only(
    void **state)
{
    (void)state;
    const char *const slips[] = {"toster_37", "Refridgerator", "Monitr.001",
                                 NULL};
    names_are(slips, 0, "toaster 37, refrigerator, monitor 1");
    /* coffee or coffer; no piano; a word of the language; too short */
    const char *const stay[] = {"Coffe", "Plano", "Plane",
                                "Vaz",   "Silla", NULL};
    names_are(stay, 0, "coffe, plano, plane, vaz, silla");
}

static void a_file_in_another_language_is_left_alone(void **state)
{
    (void)state;
    const char *const names[] = {"toster",  "xxpared", "xxcuadr", "xxmesax",
                                 "xxsillx", "xxlampr", "xxcojin", "xxestan",
                                 "xxplatx", NULL};
    names_are(names, 0,
              "toster, xxpared, xxcuadr, xxmesax, xxsillx, xxlampr, xxcojin, "
              "xxestan, xxplatx");
}

/* Who begins almost all names with what the things are means nothing else by
 * one that could be read either way. */
static void the_habit_of_a_file_tells_doubtful_names(void **state)
{
    (void)state;
    const char *const kit[] = {"Pillow_Bed_White",    "Nightstand_Oak",
                               "Lamp_Bedside_Green",  "Backpack_School_Red",
                               "Toy_Bear_Brown",      "Rug_Round_Teal",
                               "Wardrobe_Tall_White", "Kitchen_Chair",
                               "Crate_Toy_Plastic",   NULL};
    names_are(kit, 0,
              "bed pillow white, oak nightstand, bedside lamp green, "
              "school backpack red, toy bear brown, round teal rug, "
              "wardrobe tall white, kitchen chair, toy plastic crate");
    const char *const few[] = {"backpack_school", "red cup", "pillow_white",
                               NULL};
    names_are(few, 0, "backpack school, red cup, pillow white");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_stuff_at_the_end_is_no_thing_beside_others_of_other_looks),
        cmocka_unit_test(what_a_thing_is_comes_last),
        cmocka_unit_test(what_a_picture_shows_is_no_thing),
        cmocka_unit_test(one_name_alone_that_may_be_either_stays),
        cmocka_unit_test(what_all_names_begin_with_stays_there),
        cmocka_unit_test(
            a_slip_in_a_name_is_mended_where_it_can_be_one_word_only),
        cmocka_unit_test(a_file_in_another_language_is_left_alone),
        cmocka_unit_test(the_habit_of_a_file_tells_doubtful_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
