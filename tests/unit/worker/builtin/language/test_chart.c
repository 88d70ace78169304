/* The chart parser on grammars small enough to see every reading. */
#include "tests/support/arena_fixture.h"
#include "worker/builtin/language/chart.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const chart_grammar *compiled(const char *text)
{
    const chart_grammar *grammar = NULL;
    etna_error err = {0};
    if (chart_compile(text, false, &arena, &grammar, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    return grammar;
}

static void check_refused(const char *text, const char *line)
{
    const chart_grammar *grammar = NULL;
    etna_error err = {0};
    assert_int_equal(chart_compile(text, false, &arena, &grammar, &err),
                     ETNA_E_INTERNAL);
    assert_null(grammar);
    assert_non_null(strstr(err.text, line));
}

/* Reads words, one letter each: 'a' is the terminal "'a'". */
static uint32_t parsed(const chart_grammar *grammar,
                       const char *letters,
                       chart_tree ret[CHART_TREES_MAX])
{
    chart_terminal terminals[CHART_TOKENS_MAX];
    uint32_t count = 0, trees = 99;
    for (; letters[count]; count++) {
        const char *category =
            etna_arena_printf(&arena, "'%c'", letters[count]);
        terminals[count] = (chart_terminal){.first = count,
                                            .end = count + 1,
                                            .category = category,
                                            .value = 100 + count};
    }
    assert_int_equal(chart_parse(grammar, count, terminals, count, &arena, ret,
                                 &trees, NULL),
                     ETNA_OK);
    return trees;
}

static void a_second_look_has_costs_of_its_own(void **state)
{
    (void)state;
    static const char text[] =
        "s = plain\ns = rare\nplain/PLAIN 3 = 'a'\nrare/RARE 5~1 = 'a'\n";
    const chart_grammar *again = NULL;
    chart_tree trees[CHART_TREES_MAX];
    assert_int_equal(parsed(compiled(text), "a", trees), 2);
    assert_string_equal(trees[0].root->children[0]->name, "PLAIN");
    assert_int_equal(trees[1].cost, 5);
    assert_int_equal(chart_compile(text, true, &arena, &again, NULL), ETNA_OK);
    assert_int_equal(parsed(again, "a", trees), 2);
    assert_string_equal(trees[0].root->children[0]->name, "RARE");
    assert_int_equal(trees[0].cost, 1);
}

static void a_line_that_is_no_production_is_refused_with_its_number(
    void **state)
{
    (void)state;
    check_refused("s = 'a'\n\nt 'b'\n", "line 3");
    check_refused("# a remark\ns =\n", "line 2");
    check_refused("s = 'a' |\n", "line 1");
    check_refused("s = a b c d e f g h i\n", "line 1");
    check_refused("s = 'a'\ns x = 'b'\n", "line 2");
}

static void names_make_nodes_and_the_rest_joins_the_node_above(void **state)
{
    (void)state;
    chart_tree trees[CHART_TREES_MAX];
    const chart_grammar *g = compiled(
        "s = list\nlist/LIST = item 'x' more\nmore = item | item more\nitem/ITEM = 'a'\n");
    assert_int_equal(parsed(g, "axaa", trees), 1);
    const chart_node *list = chart_child(trees[0].root, "LIST");
    assert_non_null(list);
    assert_int_equal(list->child_count, 4);
    assert_string_equal(list->children[1]->name, "'x'");
    assert_int_equal(list->children[1]->value, 101);
    assert_int_equal(list->children[3]->first, 3);
    assert_ptr_equal(chart_find(trees[0].root, "'x'"), list->children[1]);
    assert_null(chart_child(trees[0].root, "ITEM"));
}

static void readings_come_cheapest_first_with_their_costs(void **state)
{
    (void)state;
    chart_tree trees[CHART_TREES_MAX];
    const chart_grammar *g = compiled(
        "s = t\nt/DEAR 30 = 'a' 'a'\nt/CHEAP 5 = 'a' 'a'\nt/MIDDLE 12 = 'a' b\nb 1 = 'a'\n");
    assert_int_equal(parsed(g, "aa", trees), 3);
    assert_int_equal(trees[0].cost, 5);
    assert_non_null(chart_child(trees[0].root, "CHEAP"));
    assert_int_equal(trees[1].cost, 13);
    assert_non_null(chart_child(trees[1].root, "MIDDLE"));
    assert_int_equal(trees[2].cost, 30);
}

/* A comma may be in either of two phrases, and "a" come by two ways: that is one
 * reading, at the least cost. "B" in the one and in the other are two. */
static void readings_that_say_the_same_are_one(void **state)
{
    (void)state;
    chart_tree trees[CHART_TREES_MAX];
    const chart_grammar *g = compiled(
        "s = l r\nl/LEFT = w ','?\nr/RIGHT 2 = ','? w\nw = y | x\nx = 'a'\ny 7 = 'a'\n");
    assert_int_equal(parsed(g, "a,a", trees), 1);
    assert_int_equal(trees[0].cost, 2);
    assert_int_equal(trees[0].root->child_count, 2);
    g = compiled("s = l r\nl/LEFT = 'a' 'b'?\nr/RIGHT = 'b'? 'a'\n");
    assert_int_equal(parsed(g, "aba", trees), 2);
}

static void every_way_to_group_is_kept(void **state)
{
    (void)state;
    chart_tree trees[CHART_TREES_MAX];
    const chart_grammar *g = compiled("s/PAIR = s s | 'a'\n");
    assert_int_equal(parsed(g, "aaa", trees), 2);
    assert_int_equal(parsed(g, "aaaa", trees), 5);
}

static void an_optional_symbol_may_be_missing(void **state)
{
    (void)state;
    chart_tree trees[CHART_TREES_MAX];
    const chart_grammar *g = compiled("s = 'a' 'b'? 'c'?\n");
    assert_int_equal(parsed(g, "a", trees), 1);
    assert_int_equal(parsed(g, "ac", trees), 1);
    assert_int_equal(parsed(g, "abc", trees), 1);
    assert_int_equal(parsed(g, "acb", trees), 0);
}

static void what_the_grammar_has_not_has_no_reading(void **state)
{
    (void)state;
    chart_tree trees[CHART_TREES_MAX];
    const chart_grammar *g = compiled("s = 'a'\n");
    assert_int_equal(parsed(g, "", trees), 0);
    assert_int_equal(parsed(g, "z", trees), 0);
    assert_int_equal(parsed(g, "aa", trees), 0);
}

static void a_circle_of_productions_ends(void **state)
{
    (void)state;
    chart_tree trees[CHART_TREES_MAX];
    const chart_grammar *g = compiled("s = t | 'a'\nt = s\n");
    assert_true(parsed(g, "a", trees) >= 1);
    assert_int_equal(trees[0].cost, 0);
}

static void a_terminal_may_be_several_tokens_long(void **state)
{
    (void)state;
    chart_tree trees[CHART_TREES_MAX];
    uint32_t count = 0;
    const chart_grammar *g = compiled("s = $on 'b'\n");
    const chart_terminal terminals[] = {
        {.first = 0,
         .end = 2,
         .category = "$on",
         .value = 7,
         .variant = 3,
         .cost = 4},
        {.first = 2, .end = 3, .category = "'b'"},
        {.first = 0, .end = 1, .category = "$unheard of"}};
    assert_int_equal(
        chart_parse(g, 3, terminals, 3, &arena, trees, &count, NULL), ETNA_OK);
    assert_int_equal(count, 1);
    assert_int_equal(trees[0].cost, 4);
    const chart_node *on = chart_child(trees[0].root, "$on");
    assert_int_equal(on->end, 2);
    assert_int_equal(on->value, 7);
    assert_int_equal(on->variant, 3);
}

static void too_many_tokens_are_refused(void **state)
{
    (void)state;
    chart_tree trees[CHART_TREES_MAX];
    uint32_t count = 99;
    etna_error err = {0};
    const chart_grammar *g = compiled("s = 'a'\n");
    assert_int_equal(chart_parse(g, CHART_TOKENS_MAX + 1, NULL, 0, &arena,
                                 trees, &count, &err),
                     ETNA_E_INPUT);
    assert_int_equal(count, 0);
    assert_non_null(strstr(err.text, "81"));
}

static void the_most_ambiguous_grammar_stays_bounded(void **state)
{
    (void)state;
    chart_tree trees[CHART_TREES_MAX];
    char letters[CHART_TOKENS_MAX + 1];
    memset(letters, 'a', CHART_TOKENS_MAX);
    letters[CHART_TOKENS_MAX] = 0;
    const chart_grammar *g = compiled("s/PAIR = s s | 'a'\n");
    uint32_t count = parsed(g, letters, trees);
    assert_true(count > 0 && count <= CHART_TREES_MAX);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, arena_open, arena_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_line_that_is_no_production_is_refused_with_its_number),
        TEST(names_make_nodes_and_the_rest_joins_the_node_above),
        TEST(readings_come_cheapest_first_with_their_costs),
        TEST(readings_that_say_the_same_are_one),
        TEST(every_way_to_group_is_kept),
        TEST(a_second_look_has_costs_of_its_own),
        TEST(an_optional_symbol_may_be_missing),
        TEST(what_the_grammar_has_not_has_no_reading),
        TEST(a_circle_of_productions_ends),
        TEST(a_terminal_may_be_several_tokens_long),
        TEST(too_many_tokens_are_refused),
        TEST(the_most_ambiguous_grammar_stays_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
