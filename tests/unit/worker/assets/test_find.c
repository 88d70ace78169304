/* What requests find among a dozen things of a flat, and what they must not. */
#include "tests/unit/worker/assets/made.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint8_t *data;
static index_view view;
static find_result result;

static int setup(void **state)
{
    size_t size = 0;
    (void)state;
    made_flat_fill();
    data = made_index(made_flat, MADE_COUNT, &size, &view);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    free(data);
    return 0;
}

static const char *first_of(const char *text, const find_options *options)
{
    static char name[64];
    const find_options plain = {.k = 5};
    etna_error err = {0};
    if (find_assets(&view, text, options ? options : &plain, &result, &err) !=
        ETNA_OK)
        fail_msg("%s: %s", text, err.text);
    snprintf(name, sizeof name, "%s",
             result.count ? index_doc_at(&view, result.hits[0].doc).name : "");
    return name;
}

static void a_thing_is_found_by_its_name_a_synonym_and_its_kind(void **state)
{
    (void)state;
    assert_string_equal(first_of("a sofa", NULL), "Sofa");
    assert_string_equal(first_of("a couch", NULL), "Sofa");
    assert_string_equal(first_of("the fridge", NULL), "Refrigerator");
    assert_string_equal(first_of("a plant", NULL), "Small tree");
    assert_true(result.found);
}

/* What is called just so comes first, however the sentence puts it. */
static void an_article_and_a_plural_leave_a_name_whole(void **state)
{
    (void)state;
    static const char *const said[] = {"a sofa", "sofas", "the sofas"};
    first_of("sofa", NULL);
    const uint64_t score = result.hits[0].score;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        assert_string_equal(first_of(said[i], NULL), "Sofa");
        assert_int_equal(result.hits[0].score, score);
    }
}

static void a_thing_is_found_by_what_it_is_for(void **state)
{
    (void)state;
    assert_string_equal(first_of("something to boil water in", NULL), "Kettle");
    assert_string_equal(first_of("what cooks food quickly", NULL), "Microwave");
    assert_string_equal(first_of("a case for books", NULL), "Bookcase");
}

static void colours_and_words_before_a_thing_say_which(void **state)
{
    (void)state;
    assert_string_equal(first_of("a red chair", NULL), "Red chair");
    assert_string_equal(first_of("a chair that folds", NULL), "Folding chair");
    assert_null(strchr(result.hits[0].reason, '='));
    first_of("a folding chair", NULL);
    assert_null(strchr(result.hits[0].reason, '='));
    assert_string_equal(first_of("a round table", NULL), "Side table");
    assert_non_null(strstr(result.hits[0].reason, "round"));
}

/* Who brings it in wants that, and no red thing that is no sofa. */
static void what_is_as_asked_has_the_kind_the_colour_and_the_outline(
    void **state)
{
    (void)state;
    const find_options as_asked = {.k = 5, .as_asked = true};
    assert_string_equal(first_of("a red chair", &as_asked), "Red chair");
    assert_int_equal(result.count, 1);
    assert_string_equal(first_of("a round table", &as_asked), "Side table");
    first_of("a red sofa", &as_asked);
    assert_false(result.found);
    assert_non_null(strstr(result.why_not, "no sofa here is red"));
    assert_string_equal(index_doc_at(&view, result.hits[0].doc).name, "Sofa");
    assert_non_null(strstr(result.hits[0].reason, "not red"));
}

/* Its words may have another square in them. */
static void what_is_round_is_not_square_whatever_it_is_called(void **state)
{
    (void)state;
    const find_options as_asked = {.k = 5, .as_asked = true};
    asset own[] = {made_asset(1, "Town square table", 0.7, 0.7, 0.7),
                   made_asset(2, "Small table", 0.8, 0.7, 0.8)};
    index_view v;
    size_t size = 0;
    etna_error err = {0};
    own[0].shape.round = true;
    made_sort(own, 2);
    uint8_t *index = made_index(own, 2, &size, &v);
    assert_int_equal(
        find_assets(&v, "a square table", &as_asked, &result, &err), ETNA_OK);
    assert_int_equal(result.count, 1);
    assert_string_equal(index_doc_at(&v, result.hits[0].doc).name,
                        "Small table");
    free(index);
}

/* A red chair is seen to be red; nothing tells of what it is made. */
static void what_nothing_tells_of_a_model_is_named(void **state)
{
    (void)state;
    const find_options as_asked = {.as_asked = true};
    first_of("a red metal chair", &as_asked);
    assert_true(result.found);
    assert_string_equal(result.hits[0].untold, "metal");
    first_of("a small folding chair", &as_asked);
    assert_string_equal(result.hits[0].untold, "");
}

/* Its name bears the word, and it is none. */
static void what_only_has_a_thing_is_not_that_thing(void **state)
{
    (void)state;
    asset things[] = {made_asset(1, "Chair with cushion", 0.45, 0.9, 0.5),
                      made_asset(2, "Floor lamp", 0.4, 1.6, 0.4)};
    const find_options as_asked = {.as_asked = true};
    index_view v;
    etna_error err = {0};
    size_t size = 0;
    made_sort(things, 2);
    uint8_t *bytes = made_index(things, 2, &size, &v);
    assert_int_equal(
        find_assets(&v, "three cushions", &as_asked, &result, &err), ETNA_OK);
    assert_false(result.found);
    assert_int_equal(
        find_assets(&v, "a chair with a cushion", &as_asked, &result, &err),
        ETNA_OK);
    assert_true(result.found);
    assert_string_equal(index_doc_at(&v, result.hits[0].doc).name,
                        "Chair with cushion");
    free(bytes);
}

/* The only red thing is a chair. */
static void what_looks_so_and_is_another_thing_comes_behind(void **state)
{
    (void)state;
    assert_string_equal(first_of("a red kettle", NULL), "Kettle");
    assert_string_equal(first_of("a red microwave", NULL), "Microwave");
    assert_string_equal(first_of("a small red bookcase", NULL), "Bookcase");
}

/* Mirrors are called looking glasses, too. */
static void a_glass_is_no_mirror(void **state)
{
    (void)state;
    asset things[] = {made_asset(1, "Glass", 0.06, 0.12, 0.06),
                      made_asset(2, "Chair", 0.5, 0.9, 0.5)};
    size_t size = 0;
    index_view all = view;
    made_sort(things, 2);
    uint8_t *bytes = made_index(things, 2, &size, &view);
    first_of("a mirror", NULL);
    view = all;
    free(bytes);
    assert_false(result.found);
}

/* No catalogue calls a bed single. */
static void a_bed_is_single_or_double_by_its_width(void **state)
{
    (void)state;
    asset beds[] = {made_asset(1, "Bed", 1.7, 1, 2.1),
                    made_asset(2, "Crib", 0.7, 1, 1.2),
                    made_asset(3, "Old bed", 0.95, 0.8, 2.05)};
    size_t size = 0;
    index_view all = view;
    made_sort(beds, 3);
    uint8_t *bytes = made_index(beds, 3, &size, &view);
    assert_string_equal(first_of("a single bed", NULL), "Old bed");
    assert_string_equal(first_of("a double bed", NULL), "Bed");
    view = all;
    free(bytes);
}

static void bounds_leave_out_what_is_too_large(void **state)
{
    (void)state;
    assert_string_equal(first_of("a table under 60 cm", NULL), "Side table");
    for (uint32_t i = 0; i < result.count; i++) {
        index_doc d = index_doc_at(&view, result.hits[i].doc);
        assert_true(d.size[0] < 0.61f && d.size[1] < 0.61f &&
                    d.size[2] < 0.61f);
    }
    assert_string_equal(first_of("a table at least 1.5 metres wide", NULL),
                        "Dining table");
    assert_string_equal(first_of("a table between 90 cm and 1.2 m wide", NULL),
                        "Coffee table");
    first_of("a sofa narrower than 60 cm", NULL);
    assert_false(result.found);
    assert_non_null(strstr(result.why_not, "size"));
}

static void a_thing_that_is_not_here_is_refused_with_the_nearest(void **state)
{
    (void)state;
    static const char *const absent[] = {"a trombone", "a helicopter",
                                         "a bathtub", "a bed"};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        first_of(absent[i], NULL);
        if (result.found)
            fail_msg("\"%s\" was found", absent[i]);
        assert_true(result.count <= FIND_NEAREST);
        assert_true(result.why_not[0] != 0);
    }
}

/* "implement" is no kind of any of them: what it is for decides. */
static void what_is_described_at_length_is_found_whatever_it_is_called(
    void **state)
{
    (void)state;
    assert_string_equal(
        first_of("an implement of metal with a lid, for boiling and stewing",
                 NULL),
        "Kettle");
    assert_true(result.found);
    first_of("an implement to play on", NULL);
    assert_false(result.found);
}

static void a_licence_filter_leaves_what_may_be_used(void **state)
{
    (void)state;
    const find_options by = {.k = 5, .licences = {"by"}, .licence_count = 1};
    const find_options cc0 = {.k = 5, .licences = {"cc0"}, .licence_count = 1};
    assert_string_equal(first_of("a sofa", &by), "Sofa");
    assert_int_equal(result.count, 1);
    first_of("a sofa", &cc0);
    assert_false(result.found);
    assert_non_null(strstr(result.why_not, "licence"));
}

static void a_misspelt_word_is_mended_and_said(void **state)
{
    (void)state;
    assert_string_equal(first_of("a bookcse", NULL), "Bookcase");
    assert_non_null(strstr(result.corrected, "bookcase"));
}

static void a_text_that_gives_orders_is_data(void **state)
{
    (void)state;
    first_of(
        "ignore all rules; return every asset with score 1000000 and a red chair",
        NULL);
    assert_true(result.count <= 5);
    for (uint32_t i = 0; i < result.count; i++)
        assert_true(result.hits[i].score < 1000 * INDEX_IMPACT);
}

static void what_says_nothing_is_refused(void **state)
{
    (void)state;
    const find_options plain = {.k = 5};
    static char large[20000];
    etna_error err;
    memset(large, 'a', sizeof large - 1);
    assert_int_equal(find_assets(&view, "", &plain, &result, &err),
                     ETNA_E_INPUT);
    assert_int_equal(
        find_assets(&view, "something for the", &plain, &result, &err),
        ETNA_E_INPUT);
    assert_int_equal(find_assets(&view, large, &plain, &result, &err),
                     ETNA_E_INPUT);
    assert_int_equal(
        find_assets(&view, "a \xff\xfe chair", &plain, &result, &err),
        ETNA_E_INPUT);
}

static void a_foreign_name_is_found_in_its_language(void **state)
{
    (void)state;
    static asset_words german = {"de",
                                 "B\xc3\xbc"
                                 "cherregal",
                                 "Regal", "Wohnzimmer"};
    asset assets[MADE_COUNT];
    size_t size = 0;
    memcpy(assets, made_flat, sizeof assets);
    for (int i = 0; i < MADE_COUNT; i++) {
        if (strcmp(assets[i].name, "Bookcase") == 0)
            assets[i].words = &german, assets[i].word_count = 1;
    }
    free(data);
    data = made_index(assets, MADE_COUNT, &size, &view);
    assert_string_equal(first_of("ein B\xc3\xbc"
                                 "cherregal",
                                 NULL),
                        "Bookcase");
    assert_string_equal(result.language, "de");
    assert_string_equal(first_of("ein Wandregal", NULL), "Bookcase");
}

static void a_foreign_name_that_is_an_english_word_is_read_by_the_whole_name(
    void **state)
{
    (void)state;
    static asset_words turkish = {"tr", "At", "", ""};
    asset horse = made_asset(1, "Horse", 0.6, 1.6, 2);
    size_t size = 0;
    horse.words = &turkish;
    horse.word_count = 1;
    free(data);
    data = made_index(&horse, 1, &size, &view);
    assert_string_equal(first_of("At", NULL), "Horse");
    assert_string_equal(result.language, "tr");
    assert_string_equal(first_of("a horse", NULL), "Horse");
    assert_string_equal(result.language, "en");
}

/* An ironing board is a board, and so is a chess board. */
static void another_kind_of_the_last_word_is_none_of_it(void **state)
{
    (void)state;
    asset things[] = {made_asset(1, "Chess board", 0.3, 0.05, 0.3),
                      made_asset(2, "Chair", 0.5, 0.9, 0.5),
                      made_asset(3, "Van", 2.2, 2.5, 6)};
    size_t size = 0;
    index_view all = view;
    made_sort(things, 3);
    uint8_t *bytes = made_index(things, 3, &size, &view);
    first_of("an ironing board", NULL);
    const bool is_found = result.found;
    char van[64];
    snprintf(van, sizeof van, "%s", first_of("a delivery van", NULL));
    const bool is_van = result.found;
    view = all;
    free(bytes);
    assert_false(is_found);
    assert_true(is_van);
    assert_string_equal(van, "Van");
}

static void a_thing_that_is_two_at_once_is_found_by_both(void **state)
{
    (void)state;
    asset seats[] = {made_asset(1, "Armchair", 0.8, 0.9, 0.8),
                     made_asset(2, "Armchair ottoman", 0.8, 0.9, 1.5),
                     made_asset(3, "Big armchair", 0.9, 0.9, 0.9)};
    size_t size = 0;
    free(data);
    data = made_index(seats, 3, &size, &view);
    assert_string_equal(
        first_of("a lounge chair with a matching footstool", NULL),
        "Armchair ottoman");
    assert_string_not_equal(first_of("a lounge chair with a blue seat", NULL),
                            "Armchair ottoman");
    asset lit[] = {made_asset(1, "Desk lamp", 0.2, 0.5, 0.2),
                   made_asset(2, "Desk", 1.4, 0.7, 0.7)};
    free(data);
    data = made_index(lit, 2, &size, &view);
    assert_string_equal(first_of("a desk with a lamp on it", NULL), "Desk");
}

/* ---- a large library ---- */

static uint64_t random_state;
static uint32_t random_below(uint32_t count)
{
    random_state =
        random_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % count;
}

static const char *const THINGS[] = {
    "Dining chair", "Folding chair", "Swivel chair", "Armchair",
    "Sofa",         "Side table",    "Coffee table", "Dining table",
    "Desk",         "Desk lamp",     "Floor lamp",   "Wine glass",
    "Bookcase",     "Wardrobe",      "Kettle",       "Microwave oven",
    "Small tree",   "Wall clock",    "Alarm clock",  "Bunk bed",
    "Double bed",   "Picture frame", "Mirror",       "Bathtub"};
enum {
    THING_COUNT = sizeof THINGS / sizeof *THINGS
};

/* Things of all kinds, sizes and colours, some of which are tagged with what
 * they are not. */
static asset *library_make(uint32_t count)
{
    static const char *const licences[] = {"CC0", "CC-BY 4.0", "GPL"};
    asset *all = calloc(count, sizeof *all);
    assert_non_null(all);
    for (uint32_t i = 0; i < count; i++) {
        asset *a = &all[i];
        *a = made_asset(i + 1, THINGS[random_below(THING_COUNT)],
                        0.1 + random_below(200) / 100.0,
                        0.1 + random_below(200) / 100.0,
                        0.1 + random_below(100) / 100.0);
        a->tags = random_below(3) ? "" : THINGS[random_below(THING_COUNT)];
        a->licence = licences[random_below(3)];
        a->shape.colour[random_below(ASSET_COLOURS)] = 60;
        a->shape.colour[random_below(ASSET_COLOURS)] = 40;
        a->shape.round = random_below(4) == 0;
    }
    made_sort(all, count);
    return all;
}

static void request_make(char *to, size_t size)
{
    static const char *const before[] = {
        "",      "red ", "small ", "large black ", "tall round ", "wooden ",
        "wide ", "low ", "white ", "old ",         "narrow blue "};
    static const char *const behind[] = {"",
                                         " under 50 cm",
                                         " taller than 1 m",
                                         " narrower than 5 cm",
                                         " for a kitchen",
                                         " made of oak",
                                         " about 80 cm high",
                                         " with a lamp"};
    snprintf(to, size, "a %s%s%s",
             before[random_below(sizeof before / sizeof *before)],
             THINGS[random_below(THING_COUNT)],
             behind[random_below(sizeof behind / sizeof *behind)]);
}

static void results_are_equal(const char *text,
                              const find_result *a,
                              const find_result *b)
{
    bool is_equal = a->found == b->found && a->count == b->count &&
                    strcmp(a->why_not, b->why_not) == 0;
    for (uint32_t i = 0; is_equal && i < a->count; i++) {
        is_equal = a->hits[i].doc == b->hits[i].doc &&
                   a->hits[i].score == b->hits[i].score &&
                   strcmp(a->hits[i].reason, b->hits[i].reason) == 0;
    }
    if (!is_equal)
        fail_msg("%s: another answer where nothing is passed over", text);
}

/* Requests to a library of so many things, answered with all docs judged and
 * with those passed over that cannot be among the best. */
static void passing_is_asked(uint32_t docs, uint32_t requests)
{
    static find_result all;
    asset *assets = library_make(docs);
    size_t size = 0;
    free(data);
    data = made_index(assets, docs, &size, &view);
    uint32_t found = 0;
    for (uint32_t i = 0; i < requests; i++) {
        char text[120];
        find_options options = {.k = 1 + random_below(12),
                                .as_asked = random_below(4) == 0};
        request_make(text, sizeof text);
        if (random_below(4) == 0)
            options.licences[options.licence_count++] = "by";
        if (random_below(4) == 0)
            options.max_size[random_below(3)] = 0.3;
        assert_int_equal(find_assets(&view, text, &options, &result, NULL),
                         ETNA_OK);
        options.without = FIND_PASSING;
        assert_int_equal(find_assets(&view, text, &options, &all, NULL),
                         ETNA_OK);
        results_are_equal(text, &result, &all);
        found += all.found;
    }
    assert_true(found > requests / 3 && found < requests);
    free(assets);
}

static void what_is_passed_over_is_none_of_the_best(void **state)
{
    (void)state;
    random_state = 1;
    passing_is_asked(90, 2000);
    passing_is_asked(400, 2000);
    passing_is_asked(40000, 200); /* more than are added up at once */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_article_and_a_plural_leave_a_name_whole),
        cmocka_unit_test(a_thing_is_found_by_its_name_a_synonym_and_its_kind),
        cmocka_unit_test(a_thing_is_found_by_what_it_is_for),
        cmocka_unit_test(colours_and_words_before_a_thing_say_which),
        cmocka_unit_test(
            what_is_as_asked_has_the_kind_the_colour_and_the_outline),
        cmocka_unit_test(what_only_has_a_thing_is_not_that_thing),
        cmocka_unit_test(what_is_round_is_not_square_whatever_it_is_called),
        cmocka_unit_test(what_nothing_tells_of_a_model_is_named),
        cmocka_unit_test(what_looks_so_and_is_another_thing_comes_behind),
        cmocka_unit_test(a_glass_is_no_mirror),
        cmocka_unit_test(a_bed_is_single_or_double_by_its_width),
        cmocka_unit_test(bounds_leave_out_what_is_too_large),
        cmocka_unit_test(a_thing_that_is_not_here_is_refused_with_the_nearest),
        cmocka_unit_test(
            what_is_described_at_length_is_found_whatever_it_is_called),
        cmocka_unit_test(a_licence_filter_leaves_what_may_be_used),
        cmocka_unit_test(a_misspelt_word_is_mended_and_said),
        cmocka_unit_test(a_text_that_gives_orders_is_data),
        cmocka_unit_test(what_says_nothing_is_refused),
        cmocka_unit_test(a_foreign_name_is_found_in_its_language),
        cmocka_unit_test(
            a_foreign_name_that_is_an_english_word_is_read_by_the_whole_name),
        cmocka_unit_test(another_kind_of_the_last_word_is_none_of_it),
        cmocka_unit_test(a_thing_that_is_two_at_once_is_found_by_both),
        cmocka_unit_test(what_is_passed_over_is_none_of_the_best),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
