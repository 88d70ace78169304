/* What is read in a request, and how its words are folded. */
#include "worker/assets/query.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static query read_of(const char *text)
{
    query q;
    etna_error err = {0};
    if (query_read(text, &q, &err) != ETNA_OK)
        fail_msg("%s: %s", text, err.text);
    return q;
}

static void the_head_is_the_last_noun_of_the_first_phrase(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"a round wooden side table under 50 cm", "side table"},
        {"a blue swivel chair for an office", "swivel chair"},
        {"a chest of drawers", "chest of drawers"},
        {"a bed with a desk underneath it", "bed"},
        {"something to sit on", ""},
        {"what you sleep in", ""},
        {"a place for shoes", ""},
        {"two red lamps", "lamps"},
        {"a table, frame, or case for writers", "table"},
        {"a flat, broad vessel for dishes", "vessel"},
        {"a small, shallow and round vessel of clay", "vessel"},
        {"a ceramic or metal drinking cup", "cup"},
        {"a short coat; worn downward", "coat"},
        {"a table 1.5 m wide", "table"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        query q = read_of(cases[i][0]);
        assert_string_equal(q.head, cases[i][1]);
    }
}

static void what_comes_with_the_head_is_a_thing_of_its_own(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"an armchair with a matching footstool", "footstool"},
        {"a bed with two bedside tables for a guest", "bedside tables"},
        {"a table with round edges and a lamp", ""},
        {"a chair without a footstool", ""},
        {"something with a lamp", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        query q = read_of(cases[i][0]);
        assert_string_equal(q.with, cases[i][1]);
    }
}

static void sizes_are_read_with_their_axis_and_way(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        query_axis axis;
        double least, most, about;
    } cases[] = {{"a table under 50 cm", QUERY_ANY, 0, 0.5, 0},
                 {"a shelf taller than 1.5 m", QUERY_HEIGHT, 1.5, 0, 0},
                 {"a wardrobe at least two metres wide", QUERY_WIDTH, 2, 0, 0},
                 {"a sofa narrower than 60cm", QUERY_WIDTH, 0, 0.6, 0},
                 {"a fridge less than 130 cm tall", QUERY_HEIGHT, 0, 1.3, 0},
                 {"a rug about 2 m long", QUERY_LENGTH, 0, 0, 2},
                 {"a desk between 1 and 1,4 m wide", QUERY_WIDTH, 1, 1.4, 0},
                 {"a lamp no more than 3 ft high", QUERY_HEIGHT, 0, 0.9144, 0},
                 {"a table up to 80 cm in diameter", QUERY_WIDTH, 0, 0.8, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        query q = read_of(cases[i].text);
        if (q.bound_count != 1)
            fail_msg("%s: %u bounds", cases[i].text, q.bound_count);
        const query_bound *b = &q.bounds[0];
        bool is_right = b->axis == cases[i].axis &&
                        fabs(b->least - cases[i].least) < 1e-9 &&
                        fabs(b->most - cases[i].most) < 1e-9 &&
                        fabs(b->about - cases[i].about) < 1e-9;
        if (!is_right)
            fail_msg("%s: %d %g %g %g", cases[i].text, (int)b->axis, b->least,
                     b->most, b->about);
    }
}

static void what_is_denied_is_not_asked_for(void **state)
{
    (void)state;
    query q = read_of("a chair without armrests, not red");
    assert_true(q.not_colours & 1u << 3);
    assert_int_equal(q.colours, 0);
    uint32_t denied = 0;
    for (uint32_t i = 0; i < q.word_count; i++)
        denied += q.words[i].part == QUERY_NOT;
    assert_int_equal(denied, 2);
    assert_string_equal(q.head, "chair");
}

static void words_of_all_scripts_are_folded(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words[4];
    } cases[] = {{"F\xc3\x85T\xc3\x96LJ", {"fatolj"}},
                 {"Stra\xc3\x9f"
                  "e",
                  {"strase"}},
                 {"\xce\x9a\xce\xb1\xcf\x81\xce\xad\xce\xba\xce\xbb\xce\xb1",
                  {"\xce\xba\xce\xb1\xcf\x81\xce\xb5\xce\xba\xce\xbb\xce\xb1"}},
                 {"\xd0\xa1\xd1\x82\xd1\x83\xd0\xbb",
                  {"\xd1\x81\xd1\x82\xd1\x83\xd0\xbb"}},
                 {"\xe8\x87\xaa\xe8\xa1\x8c\xe8\xbd\xa6",
                  {"\xe8\x87\xaa\xe8\xa1\x8c", "\xe8\xa1\x8c\xe8\xbd\xa6"}},
                 {"b\xc3\xa0n gh\xe1\xba\xbf", {"ban", "ghe"}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *at = cases[i].text;
        char word[TEXT_WORD_SIZE];
        for (int k = 0; k < 4 && cases[i].words[k]; k++) {
            assert_true(text_next(&at, word));
            assert_string_equal(word, cases[i].words[k]);
        }
        assert_false(text_next(&at, word));
    }
}

static void names_of_files_are_parted_and_words_go_to_their_base(void **state)
{
    (void)state;
    const char *at = "BalconyTable_01b";
    char word[TEXT_WORD_SIZE];
    static const char *const parts[] = {"balcony", "table", "01", "b"};
    for (int i = 0; i < 4; i++) {
        assert_true(text_next_part(&at, word));
        assert_string_equal(word, parts[i]);
    }
    static const char *const forms[][2] = {{"chairs", "chair"},
                                           {"folding", "fold"},
                                           {"shelves", "shelf"},
                                           {"glass", "glass"}};
    for (int i = 0; i < 4; i++) {
        strcpy(word, forms[i][0]);
        text_stem(word);
        assert_string_equal(word, forms[i][1]);
    }
}

static void a_dark_shade_is_no_black(void **state)
{
    (void)state;
    query q;
    etna_error err = {0};
    assert_int_equal(query_read("a dark brown chair", &q, &err), ETNA_OK);
    assert_int_equal(q.named_colours, 1u << 10);
    assert_true(q.colours & 1);
    assert_int_equal(query_read("a black chair", &q, &err), ETNA_OK);
    assert_int_equal(q.named_colours, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dark_shade_is_no_black),
        cmocka_unit_test(the_head_is_the_last_noun_of_the_first_phrase),
        cmocka_unit_test(what_comes_with_the_head_is_a_thing_of_its_own),
        cmocka_unit_test(sizes_are_read_with_their_axis_and_way),
        cmocka_unit_test(what_is_denied_is_not_asked_for),
        cmocka_unit_test(words_of_all_scripts_are_folded),
        cmocka_unit_test(names_of_files_are_parted_and_words_go_to_their_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
