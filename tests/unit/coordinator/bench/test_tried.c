/* Branches that evaluators decided about, held against what the predicates
 * say. */
#include "coordinator/bench/tried.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The first instruction takes two edits; at the second a better branch was
 * turned down, and one that had the same scene as another; what nobody judged
 * is not counted. */
static const char two_edits_and_one[] =
    "{\"tree\": ["
    "{\"node\": 1, \"parent\": 0, \"step\": 1, \"item\": 1, \"plan\": \"edit\", \"winner\": 0, \"snapshot\": \"a\","
    " \"branches\": [{\"state\": \"accepted\", \"snapshot\": \"a\", \"evaluations\": [1]}]},"
    "{\"node\": 2, \"parent\": 1, \"step\": 2, \"item\": 1, \"plan\": \"edit\", \"winner\": 0, \"snapshot\": \"b\","
    " \"branches\": [{\"state\": \"accepted\", \"snapshot\": \"b\", \"evaluations\": [1]}]},"
    "{\"node\": 3, \"parent\": 2, \"step\": 3, \"item\": 2, \"plan\": \"edit\", \"winner\": 1, \"snapshot\": \"d\","
    " \"branches\": [{\"state\": \"rejected\", \"snapshot\": \"c\", \"evaluations\": [1]},"
    "                {\"state\": \"accepted\", \"snapshot\": \"d\", \"evaluations\": [1]},"
    "                {\"state\": \"rejected\", \"snapshot\": \"c\", \"evaluations\": [1]},"
    "                {\"state\": \"accepted\", \"snapshot\": \"e\", \"evaluations\": []},"
    "                {\"state\": \"dropped\", \"snapshot\": \"f\", \"evaluations\": [1]}]},"
    "{\"node\": 4, \"parent\": 3, \"step\": 4, \"item\": 2, \"plan\": \"finished\", \"branches\": []}]}";

static long long counted(const json_t *rows, size_t item, const char *key)
{
    return json_integer_value(
        json_object_get(json_array_get(rows, item - 1), key));
}

static void only_what_was_to_end_an_instruction_is_looked_at(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    tried_looks looks;
    json_t *document = json_loads(two_edits_and_one, 0, NULL);
    assert_non_null(document);
    assert_true(tried_find(document, 2, &arena, &looks));
    assert_int_equal(looks.count, 3);
    assert_int_equal(looks.list[0].item, 1);
    assert_null(looks.list[0].before);
    assert_string_equal(looks.list[0].after, "b");
    assert_int_equal(looks.list[1].item, 2);
    assert_string_equal(looks.list[1].before, "b");
    assert_string_equal(looks.list[1].after, "c");
    assert_string_equal(looks.list[2].after, "d");
    /* of a list that is shorter than the document says */
    assert_true(tried_find(document, 1, &arena, &looks));
    assert_int_equal(looks.count, 1);
    json_decref(document);
    etna_arena_free(&arena);
}

static void evaluators_are_held_against_the_predicates(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    tried_looks looks;
    json_t *document = json_loads(two_edits_and_one, 0, NULL);
    assert_true(document && tried_find(document, 2, &arena, &looks));
    looks.list[0].done = TRIED_DONE;     /* b */
    looks.list[1].done = TRIED_DONE;     /* c, turned down twice */
    looks.list[2].done = TRIED_NOT_DONE; /* d, taken */
    json_t *rows = tried_tell(document, 2, &looks);
    assert_int_equal(json_array_size(rows), 2);
    assert_int_equal(counted(rows, 1, "accepted"), 1);
    assert_int_equal(counted(rows, 1, "accepted_done"), 1);
    assert_int_equal(counted(rows, 1, "nodes"), 1);
    assert_int_equal(counted(rows, 1, "chosen_done"), 1);
    assert_int_equal(counted(rows, 2, "accepted"), 1);
    assert_int_equal(counted(rows, 2, "accepted_done"), 0);
    assert_int_equal(counted(rows, 2, "rejected"), 2);
    assert_int_equal(counted(rows, 2, "rejected_done"), 2);
    assert_int_equal(counted(rows, 2, "nodes"), 1);
    assert_int_equal(counted(rows, 2, "chosen_done"), 0);
    assert_int_equal(counted(rows, 2, "best_done"), 1);
    json_decref(rows);
    /* what could not be looked at counts for nothing else */
    looks.list[2].done = TRIED_UNSEEN;
    rows = tried_tell(document, 2, &looks);
    assert_int_equal(counted(rows, 2, "unseen"), 1);
    assert_int_equal(counted(rows, 2, "accepted"), 0);
    assert_int_equal(counted(rows, 2, "nodes"), 0);
    json_decref(rows);
    json_decref(document);
    etna_arena_free(&arena);
}

/* A document of anybody's: parents in a circle, and beyond the tree. */
static void a_tree_that_leads_in_a_circle_ends(void **state)
{
    (void)state;
    etna_arena arena = ETNA_ARENA_INIT;
    tried_looks looks;
    json_t *document = json_loads(
        "{\"tree\": [{\"node\": 1, \"parent\": 2, \"item\": 1, \"branches\": [{\"state\": \"accepted\", \"snapshot\": \"a\","
        "\"evaluations\": [1]}]}, {\"node\": 2, \"parent\": 1, \"item\": 1}, {\"node\": 3, \"parent\": 77, \"item\": 1, "
        "\"branches\": [{\"state\": \"accepted\", \"snapshot\": \"b\", \"evaluations\": [1]}]}]}",
        0, NULL);
    assert_non_null(document);
    assert_true(tried_find(document, 1, &arena, &looks));
    assert_int_equal(looks.count, 2);
    json_decref(document);
    etna_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_was_to_end_an_instruction_is_looked_at),
        cmocka_unit_test(evaluators_are_held_against_the_predicates),
        cmocka_unit_test(a_tree_that_leads_in_a_circle_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
