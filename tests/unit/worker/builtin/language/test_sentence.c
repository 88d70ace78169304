/* Texts to tokens, and misspelt words to what they may have been. */
#include "tests/support/arena_fixture.h"
#include "worker/builtin/language/sentence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *const words[] = {"desk", "lamp",  "mug", "book",
                                    "box",  "white", "vase"};
static const sentence_vocabulary vocabulary = {
    .count = sizeof words / sizeof words[0], .words = words};

static sentence split(const char *text)
{
    sentence s;
    etna_error err = {0};
    if (sentence_split(text, &vocabulary, &arena, &s, &err) != ETNA_OK)
        fail_msg("%s: %s", text, err.text);
    return s;
}

/* Tokens of a text, with a bar between and "[]" around quoted ones. */
static void check_tokens(const char *text, const char *expected)
{
    const sentence s = split(text);
    char got[2000] = "";
    for (uint32_t i = 0; i < s.token_count; i++) {
        const sentence_token *t = &s.tokens[i];
        size_t used = strlen(got);
        snprintf(got + used, sizeof got - used, t->quoted ? "%s[%s]" : "%s%s",
                 used ? "|" : "", t->text);
        assert_true(t->at < t->end && t->end <= strlen(text));
    }
    assert_string_equal(got, expected);
}

static bool may_be(const sentence_token *t, const char *word)
{
    for (uint32_t i = 0; i < t->variant_count; i++) {
        if (strcmp(t->variants[i].text, word) == 0)
            return true;
    }
    return false;
}

static void check_mended(const char *typed, const char *meant)
{
    const sentence s = split(typed);
    assert_int_equal(s.token_count, 1);
    if (!may_be(&s.tokens[0], meant))
        fail_msg("'%s' may not be '%s'", typed, meant);
    assert_string_equal(s.tokens[0].written, typed);
}

static void check_as_typed(const char *typed)
{
    const sentence s = split(typed);
    if (s.tokens[0].variant_count)
        fail_msg("'%s' may be '%s'", typed, s.tokens[0].variants[0].text);
    assert_string_equal(s.tokens[0].text, typed);
}

static void words_marks_and_numbers_are_tokens(void **state)
{
    (void)state;
    check_tokens("Put the mug, please.", "put|the|mug|,|please|.");
    check_tokens("20cm left of 0.5 m", "20|cm|left|of|0.5|m");
    check_tokens("turn it 45\xC2\xB0", "turn|it|45|\xC2\xB0");
    check_tokens("box 2(blue)", "box|2|(|blue|)");
    check_tokens("  \t\n ", "");
}

static void what_is_quoted_is_one_token_as_written(void **state)
{
    (void)state;
    check_tokens("put \"Red Cup.001\" on 'Big Table'",
                 "put|[Red Cup.001]|on|[Big Table]");
    check_tokens("put \xE2\x80\x9CRed Cup\xE2\x80\x9D here",
                 "put|[Red Cup]|here");
    check_tokens("an open \"quote", "an|open|\"quote");
}

static void possessives_are_tokens_of_their_own(void **state)
{
    (void)state;
    check_tokens("the desk's corner", "the|desk|'s|corner");
    check_tokens("the desk\xE2\x80\x99s corner", "the|desk|'s|corner");
    check_tokens("the books' box", "the|books|'s|box");
    check_tokens("it's there", "it's|there");
}

static void typographic_marks_read_as_plain_ones(void **state)
{
    (void)state;
    check_tokens("mug \xE2\x86\x92 desk", "mug|->|desk");
    check_tokens("mug => desk", "mug|=>|desk");
    check_tokens("here\xE2\x80\x94there", "here|-|there");
}

static void a_token_knows_its_bytes(void **state)
{
    (void)state;
    const char *text = "Put  'Red Cup' on";
    const sentence s = split(text);
    assert_int_equal(s.tokens[0].at, 0);
    assert_int_equal(s.tokens[0].end, 3);
    assert_memory_equal(text + s.tokens[1].at, "Red Cup", 7);
    assert_int_equal(s.tokens[1].end - s.tokens[1].at, 7);
    assert_int_equal(s.tokens[2].at, 15);
}

static void full_stops_part_sentences(void **state)
{
    (void)state;
    const sentence s = split("Take the mug. Put it here! ...");
    assert_int_equal(s.part_count, 2);
    assert_int_equal(s.parts[0].first, 0);
    assert_int_equal(s.parts[0].end, 3);
    assert_int_equal(s.parts[1].end, 7);
}

static void a_slip_of_the_finger_may_be_the_word_it_was(void **state)
{
    (void)state;
    check_mended("lmap", "lamp");
    check_mended("bok", "book");
    check_mended("wite", "white");
    check_mended("vaase", "vase");
    check_mended("vawe", "vase");
    check_mended("lampz", "lamps");
    check_mended("whre", "where");
    check_mended("adn", "and");
    check_mended("thrity", "thirty");
    check_mended("centimteres", "centimetres");
    check_mended("clokcwise", "clockwise");
    check_mended("counnter-clockwise", "counter-clockwise");
}

static void of_several_words_all_are_kept_the_likeliest_first(void **state)
{
    (void)state;
    const sentence s = split("bwhite");
    assert_true(s.tokens[0].variant_count >= 1);
    const sentence two = split("fro");
    assert_true(may_be(&two.tokens[0], "for"));
    assert_true(may_be(&two.tokens[0], "from"));
    for (uint32_t i = 1; i < two.tokens[0].variant_count; i++)
        assert_true(two.tokens[0].variants[i - 1].cost <=
                    two.tokens[0].variants[i].cost);
}

static void words_that_are_meant_are_not_mended(void **state)
{
    (void)state;
    check_as_typed("lamps");
    check_as_typed("left");
    check_as_typed("boxes");
    check_as_typed("it");
    check_as_typed("xq");
    check_as_typed("a1b2");
    check_as_typed("zzzzzzzz");
}

static void a_thing_that_is_not_here_is_no_misspelt_other_thing(void **state)
{
    (void)state;
    const sentence s = split("base");
    assert_string_equal(s.tokens[0].text, "base");
    for (uint32_t i = 0; i < s.tokens[0].variant_count; i++) {
        const mend_choice *choice = &s.tokens[0].variants[i];
        bool as_typed = strcmp(choice->text, "base") == 0;
        assert_true(as_typed == choice->is_name);
    }
}

static void a_tree_chooses_among_the_words(void **state)
{
    (void)state;
    const sentence s = split("put the lmap on the dsek");
    chart_tree trees[CHART_TREES_MAX];
    uint32_t count = 0;
    assert_int_equal(sentence_parse(&s, &s.parts[0], &vocabulary, &arena, trees,
                                    &count, NULL),
                     ETNA_OK);
    assert_true(count > 0);
    sentence chosen;
    assert_int_equal(
        sentence_choose(&s, &s.parts[0], trees[0].root, &arena, &chosen, NULL),
        ETNA_OK);
    assert_string_equal(chosen.tokens[2].text, "lamp");
    assert_string_equal(chosen.tokens[5].text, "desk");
    const char *text =
        sentence_tree_text(&chosen, &chosen.parts[0], trees[0].root, &arena);
    assert_non_null(strstr(text, "$w:lamp"));
}

static void too_much_is_refused(void **state)
{
    (void)state;
    char text[SENTENCE_BYTES_MAX + 2];
    sentence s;
    etna_error err = {0};
    memset(text, 'a', sizeof text);
    text[SENTENCE_BYTES_MAX + 1] = 0;
    assert_int_equal(sentence_split(text, &vocabulary, &arena, &s, &err),
                     ETNA_E_INPUT);
    for (size_t i = 0; i < SENTENCE_BYTES_MAX; i++)
        text[i] = ',';
    text[SENTENCE_BYTES_MAX] = 0;
    assert_int_equal(sentence_split(text, &vocabulary, &arena, &s, &err),
                     ETNA_E_INPUT);
    text[2 * (CHART_TOKENS_MAX + 1)] = 0;
    for (size_t i = 0; text[i]; i++)
        text[i] = i % 2 ? ' ' : 'a';
    s = split(text);
    chart_tree trees[CHART_TREES_MAX];
    uint32_t count = 99;
    assert_int_equal(sentence_parse(&s, &s.parts[0], &vocabulary, &arena, trees,
                                    &count, &err),
                     ETNA_E_INPUT);
    assert_int_equal(count, 0);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, arena_open, arena_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(words_marks_and_numbers_are_tokens),
        TEST(what_is_quoted_is_one_token_as_written),
        TEST(possessives_are_tokens_of_their_own),
        TEST(typographic_marks_read_as_plain_ones),
        TEST(a_token_knows_its_bytes),
        TEST(full_stops_part_sentences),
        TEST(a_slip_of_the_finger_may_be_the_word_it_was),
        TEST(of_several_words_all_are_kept_the_likeliest_first),
        TEST(words_that_are_meant_are_not_mended),
        TEST(a_thing_that_is_not_here_is_no_misspelt_other_thing),
        TEST(a_tree_chooses_among_the_words),
        TEST(too_much_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
