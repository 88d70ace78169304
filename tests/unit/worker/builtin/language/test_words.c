/* Single words: base forms, classes of verbs, known words, distances of
 * spelling. */
#include "worker/builtin/language/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static void test_nouns_have_their_singular(void **state)
{
    (void)state;
    static const struct {
        const char *word, *lemma;
        bool is_plural;
    } rows[] = {
        {"shelves", "shelf", true},      {"Knives", "knife", true},
        {"dishes", "dish", true},        {"children", "child", true},
        {"boxes", "box", true},          {"couches", "couch", true},
        {"glass", "glass", false},       {"mice", "mouse", true},
        {"bus", "bus", false},           {"buses", "bus", true},
        {"dress", "dress", false},       {"loaves", "loaf", true},
        {"women", "woman", true},        {"series", "series", false},
        {"lens", "lens", false},         {"cacti", "cactus", true},
        {"vases", "vase", true},         {"canvas", "canvas", false},
        {"potatoes", "potato", true},    {"tvs", "tv", true},
        {"scissors", "scissors", false}, {"gizmos", "gizmo", true},
        {"quxies", "quxy", true},        {"feet", "foot", true},
        {"bookcases", "bookcase", true}, {"benches", "bench", true},
        {"chassis", "chassis", false},   {"radios", "radio", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char lemma[KINDS_WORD_SIZE];
        bool is_plural;
        size_t length =
            kinds_lemma(rows[i].word, lemma, sizeof lemma, &is_plural);
        assert_string_equal(lemma, rows[i].lemma);
        assert_int_equal(length, strlen(lemma));
        assert_int_equal(is_plural, rows[i].is_plural);
    }
}

static void test_a_word_that_may_be_singular_and_plural_is_read_both_ways(
    void **state)
{
    (void)state;
    kinds_noun readings[KINDS_READINGS_MAX];
    assert_int_equal(kinds_noun_readings("glasses", readings), 2);
    assert_string_equal(readings[0].lemma, "glass");
    assert_true(readings[0].is_plural);
    assert_string_equal(readings[1].lemma, "glasses");
    assert_false(readings[1].is_plural);
    assert_int_equal(kinds_noun_readings("two words", readings), 0);
    assert_int_equal(kinds_noun_readings("", readings), 0);
    assert_int_equal(kinds_noun_readings("quxbars", readings), 1);
    assert_false(readings[0].is_known);
}

static void test_verbs_have_their_base_form(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"moved", "move"},    {"putting", "put"},    {"hung", "hang"},
        {"placing", "place"}, {"Swapped", "swap"},   {"carries", "carry"},
        {"laid", "lay"},      {"stuck", "stick"},    {"put", "put"},
        {"dragging", "drag"}, {"rotates", "rotate"}, {"threw", "throw"},
        {"tidying", "tidy"},  {"pushes", "push"},    {"shelved", "shelve"},
        {"took", "take"},     {"brought", "bring"},  {"hanging", "hang"},
        {"lay", "lay"},       {"stacking", "stack"},
    };
    char base[KINDS_WORD_SIZE];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        kinds_verb_lemma(rows[i][0], base, sizeof base);
        assert_string_equal(base, rows[i][1]);
    }
    assert_int_equal(kinds_verb_lemma("quxing", base, sizeof base), 0);
    assert_int_equal(kinds_verb_lemma("", base, sizeof base), 0);
}

static void expect_class(kinds_verb class,
                         const char *const verbs[],
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        kinds_verb found = kinds_verb_class(verbs[i]);
        if (found != class)
            fail_msg("%s: %d, not %d", verbs[i], (int)found, (int)class);
    }
}

#define EXPECT_CLASS(class, ...) \
    expect_class(class, (const char *const[]){__VA_ARGS__}, \
                 sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void test_verbs_fall_into_the_classes_of_what_they_ask_for(void **state)
{
    (void)state;
    EXPECT_CLASS(KINDS_VERB_PUT, "put", "place", "lay", "set", "stick", "plonk",
                 "deposit", "stash", "park", "mount", "reposition", "insert",
                 "superimpose", "install", "plop", "wedge", "shelve");
    EXPECT_CLASS(KINDS_VERB_MOVE, "move", "shift", "push", "pull", "slide",
                 "drag", "roll", "carry", "bring", "lug", "shove", "haul",
                 "ferry", "hoist", "nudge", "relocate", "transport", "tow");
    EXPECT_CLASS(KINDS_VERB_TURN, "turn", "rotate", "spin", "swivel", "pivot",
                 "twirl", "orient", "flip");
    EXPECT_CLASS(KINDS_VERB_HANG, "hang", "suspend", "dangle");
    EXPECT_CLASS(KINDS_VERB_REMOVE, "remove", "clear", "empty", "eliminate",
                 "discard", "declutter");
    EXPECT_CLASS(KINDS_VERB_STACK, "stack", "pile", "heap");
    EXPECT_CLASS(KINDS_VERB_ARRANGE, "arrange", "line", "align", "sort",
                 "organise", "tidy", "rearrange", "space");
    EXPECT_CLASS(KINDS_VERB_SWAP, "swap", "exchange", "switch", "interchange");
    EXPECT_CLASS(KINDS_VERB_NONE, "cook", "paint", "boil", "pour", "break",
                 "eat", "sing", "sleep", "kill", "build", "think", "melt",
                 "sew", "write", "undress", "peel", "bark", "grow", "quxify",
                 "", "chair", "spill", "wash", "open", "burn", "buy", "read",
                 "fly", "jump", "inhume", "go", "come", "leave", "keep");
}

static void test_words_of_the_dictionary_are_known_and_slips_are_not(
    void **state)
{
    (void)state;
    static const char *const known[] = {
        "the",        "table",   "tables",           "moved",
        "biggest",    "nearest", "evenly",           "42",
        "please",     "telly",   "purple",           "quietly",
        "fridge",     "onto",    "left-hand",        "Which",
        "cm",         "nicer",   "counterclockwise", "chair's",
        "four-legged"};
    static const char *const unknown[] = {
        "tabel", "chiar", "cupbord", "telvision", "bottel",
        "moove", "sofaa", "lampp",   "",          "bok"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!kinds_word(known[i]))
            fail_msg("%s is unknown", known[i]);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        if (kinds_word(unknown[i]))
            fail_msg("%s is known", unknown[i]);
    }
}

static void test_slips_of_the_pen_are_counted(void **state)
{
    (void)state;
    assert_int_equal(kinds_spelling_distance("table", "table"), 0);
    assert_int_equal(kinds_spelling_distance("tabel", "table"), 1);
    assert_int_equal(kinds_spelling_distance("cupbord", "cupboard"), 1);
    assert_int_equal(kinds_spelling_distance("telvison", "television"), 2);
    assert_int_equal(kinds_spelling_distance("ca", "abc"), 3);
    assert_int_equal(kinds_spelling_distance("", "abc"), 3);
    assert_int_equal(kinds_spelling_distance("abcd", "wxyz"),
                     KINDS_SPELLING_FAR);
    assert_int_equal(kinds_spelling_distance("a", "abcdefgh"),
                     KINDS_SPELLING_FAR);
    assert_int_equal(kinds_spelling_distance("abcdefgh", "badcfehg"), 4);
    char longest[200];
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = 0;
    assert_int_equal(kinds_spelling_distance(longest, longest),
                     KINDS_SPELLING_FAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nouns_have_their_singular),
        cmocka_unit_test(
            test_a_word_that_may_be_singular_and_plural_is_read_both_ways),
        cmocka_unit_test(test_verbs_have_their_base_form),
        cmocka_unit_test(test_verbs_fall_into_the_classes_of_what_they_ask_for),
        cmocka_unit_test(
            test_words_of_the_dictionary_are_known_and_slips_are_not),
        cmocka_unit_test(test_slips_of_the_pen_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
