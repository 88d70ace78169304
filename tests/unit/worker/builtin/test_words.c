/* Names taken apart, plurals, stuffs, colours, and text made safe to quote. */
#include "worker/builtin/builtin.h"
#include "worker/provider/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void names_are_split_at_every_seam(void **state)
{
    (void)state;
    static const struct {
        const char *name, *words;
    } cases[] = {
        {"CoffeeTable_01_001", "coffee table 1 1"},
        {"TVCabinet_01", "tv cabinet 1"},
        {"Red Bottle", "red bottle"},
        {"Bottle.002", "bottle 2"},
        {"ChairA_01", "chair a 1"},
        {"obj17b", "obj 17 b"},
        {"000", "0"},
        {"", ""},
        {"__--", ""},
        {"M\xC3\xB6"
         "belStuhl",
         "m\xC3\xB6"
         "bel stuhl"},
        {"desk", "desk"},
        {"bedDouble(Clone).002", "bed double 2"},
        {"(Clone)", "clone"},
        {"Frame (High)", "frame high"},
        {"XYZ", "xyz"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        uint32_t count = 0;
        const char *const *words =
            builtin_name_words(cases[i].name, &arena, &count);
        char text[200] = "";
        for (uint32_t k = 0; k < count; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s",
                     k ? " " : "", words[k]);
        assert_string_equal(text, cases[i].words);
        etna_arena_free(&arena);
    }
}

static void words_are_the_same_but_for_plural_and_synonym(void **state)
{
    (void)state;
    assert_true(builtin_same_word("bottles", "bottle"));
    assert_true(builtin_same_word("boxes", "box"));
    assert_true(builtin_same_word("dishes", "dish"));
    assert_true(builtin_same_word("vases", "vase"));
    assert_true(builtin_same_word("candies", "candy"));
    assert_true(builtin_same_word("couch", "sofa"));
    assert_true(builtin_same_word("couches", "sofa"));
    assert_true(builtin_same_word("television", "tv"));
    assert_false(builtin_same_word("glass", "glas"));
    assert_false(builtin_same_word("bus", "bu"));
    assert_false(builtin_same_word("cup", "cap"));
}

/* Written in one word, too, and a table's chair is no table. */
static void seats_are_known_by_their_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool is_seat;
    } rows[] = {{"highchair", true},    {"Wheelchair_01", true},
                {"BarStool.002", true}, {"barstools", true},
                {"Armchair", true},     {"High Chair", true},
                {"toadstool", false},   {"chairlift model", false},
                {"Highboard", false},   {"table lamp", false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        builtin_object o = {.name = rows[i].name};
        uint32_t count = 0;
        const char *const *words =
            builtin_name_words(rows[i].name, &arena, &count);
        assert_non_null(words);
        builtin_object_call(&o, words, count);
        if (builtin_is_seat(&o) != rows[i].is_seat)
            fail_msg("%s", rows[i].name);
        etna_arena_free(&arena);
    }
}

static void stuffs_hold_their_members_and_not_the_other_way_round(void **state)
{
    (void)state;
    assert_true(builtin_is_stuff("oak", "wooden"));
    assert_true(builtin_is_stuff("steel", "metallic"));
    assert_false(builtin_is_stuff("oak", "metal"));
    assert_false(builtin_is_stuff("wooden", "oak"));
}

static void colours_get_the_term_that_a_person_would_use(void **state)
{
    (void)state;
    static const struct {
        double lab[3];
        builtin_colour colour;
    } cases[] = {
        {{53, 80, 67}, COLOUR_RED},     {{40, 55, 35}, COLOUR_RED},
        {{97, -21, 94}, COLOUR_YELLOW}, {{80, 5, 75}, COLOUR_YELLOW},
        {{46, -50, 45}, COLOUR_GREEN},  {{30, -20, 15}, COLOUR_GREEN},
        {{32, 79, -108}, COLOUR_BLUE},  {{60, -10, -35}, COLOUR_BLUE},
        {{30, 55, -40}, COLOUR_PURPLE}, {{82, 25, 3}, COLOUR_PINK},
        {{65, 45, 70}, COLOUR_ORANGE},  {{35, 18, 30}, COLOUR_BROWN},
        {{5, 0, 0}, COLOUR_BLACK},      {{97, 0, 2}, COLOUR_WHITE},
        {{55, 0, -1}, COLOUR_GREY},     {{45, 1, 3}, COLOUR_GREY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(
            builtin_colour_name(builtin_colour_of(cases[i].lab)),
            builtin_colour_name(cases[i].colour));
        assert_true(builtin_colour_near(cases[i].lab, cases[i].colour));
    }
    const double red[3] = {53, 80, 67};
    assert_false(builtin_colour_near(red, COLOUR_BLUE));
}

static void text_is_cleaned_to_one_bounded_line_of_utf8(void **state)
{
    (void)state;
    static const struct {
        const char *text, *clean;
        size_t max;
    } cases[] = {
        {"  a \n\t b\x1B[31m  ", "a b [31m", 100},
        {"", "", 10},
        {"\xC3", "?", 10},
        {"a\xC2\x85"
         "b",
         "a b", 10},
        {"\xED\xA0\x80", "???", 10},
        {"abc", "ab", 2},
        {"a\xC3\xA9", "a", 2},
        {"\xF4\x90\x80\x80", "????", 10},
        {"\xC0\xAF", "??", 10},
        {"x\xE2\x80\xA8y", "x y", 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        assert_string_equal(text_clean(&arena, cases[i].text,
                                       strlen(cases[i].text), cases[i].max),
                            cases[i].clean);
        etna_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_split_at_every_seam),
        cmocka_unit_test(words_are_the_same_but_for_plural_and_synonym),
        cmocka_unit_test(seats_are_known_by_their_names),
        cmocka_unit_test(stuffs_hold_their_members_and_not_the_other_way_round),
        cmocka_unit_test(colours_get_the_term_that_a_person_would_use),
        cmocka_unit_test(text_is_cleaned_to_one_bounded_line_of_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
