/* Which scene there was after each instruction of a list, and what its line
 * says of why there is none. */
#include "coordinator/bench/results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void states_are_after_the_last_edit_of_each_instruction(void **state)
{
    (void)state;
    static const struct {
        const char *document;
        int edits[4];
    } cases[] = {
        /* Two edits for the first, none for the second, one for the third, the
         * fourth was not reached. */
        {"{\"status\": \"partial\", \"steps\": [{\"item\": 1}, {\"item\": 1}, {\"item\": 3}]}",
         {2, 2, 3, -1}},
        {"{\"status\": \"complete\", \"steps\": [{\"item\": 1}, {\"item\": 3}]}",
         {1, 1, 2, 2}},
        {"{\"status\": \"failed\", \"steps\": []}", {-1, -1, -1, -1}},
        /* The second was passed over after an edit for it, the last before any;
         * all others were looked at. */
        {"{\"status\": \"partial\", \"end\": {\"kind\": \"passed_over\"}, \"steps\": [{\"item\": 1}, {\"item\": 2}],"
         "\"passed_over\": [{\"item\": 2}, {\"item\": 4}]}",
         {1, -1, 2, -1}},
        {"{\"status\": \"partial\", \"end\": {\"kind\": \"cap\"}, \"steps\": [{\"item\": 2}],"
         "\"passed_over\": [{\"item\": 1}]}",
         {-1, 1, -1, -1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int edits[4];
        json_t *document = json_loads(cases[i].document, 0, NULL);
        assert_non_null(document);
        results_states(document, 4, false, edits);
        for (int k = 0; k < 4; k++) {
            if (edits[k] != cases[i].edits[k])
                fail_msg("case %zu, instruction %d: %d", i, k + 1, edits[k]);
        }
        json_decref(document);
    }
}

static void a_line_tells_why_its_instruction_was_passed_over(void **state)
{
    (void)state;
    suite_step steps[] = {{.text = "one"}, {.text = "two"}};
    const suite_scene scene = {.name = "a", .steps = steps, .step_count = 2};
    const result_run run = {.scene = "a", .variant = "full", .repeat = 1};
    json_t *document = json_loads(
        "{\"status\": \"partial\", \"reason\": \"all\", \"steps\": [{\"item\": 1, \"branches\": 2}],"
        "\"tree\": [{\"branches\": [{\"state\": \"accepted\", \"widened\": true}, {\"state\": \"rejected\"},"
        "{\"state\": \"failed\", \"status\": \"collision\"}, {\"state\": \"dropped\", \"status\": \"valid\"}]}],"
        "\"passed_over\": [{\"item\": 2, \"what\": \"no such thing\"}]}",
        0, NULL);
    json_t *verdict = json_loads(
        "{\"steps\": [{\"reached\": true, \"done\": true}, {\"reached\": false}]}",
        0, NULL);
    json_t *judgement = json_loads(
        "{\"model\": \"j\", \"judges\": [{\"steps\": [{\"correctness\": 3, \"plausibility\": 4}]}, {\"why\": \"-\"}]}",
        0, NULL);
    assert_true(document && verdict && judgement);
    const result_sources from = {
        .document = document, .verdict = verdict, .judgement = judgement};
    json_t *rows = results_of(&run, &scene, &from);
    const json_t *first = json_array_get(rows, 0),
                 *second = json_array_get(rows, 1);
    assert_string_equal(json_string_value(json_object_get(first, "why")),
                        "all");
    assert_string_equal(json_string_value(json_object_get(second, "why")),
                        "no such thing");
    assert_null(json_object_get(second, "judged"));
    const json_t *scores =
        json_object_get(json_object_get(first, "judged"), "plausibility");
    assert_int_equal(json_integer_value(json_array_get(scores, 0)), 4);
    assert_true(json_is_null(json_array_get(scores, 1)));
    const json_t *attempts = json_object_get(first, "attempts");
    assert_int_equal(json_integer_value(json_object_get(attempts, "accepted")),
                     1);
    assert_int_equal(json_integer_value(json_object_get(attempts, "rejected")),
                     1);
    assert_int_equal(json_integer_value(json_object_get(attempts, "collision")),
                     1);
    assert_int_equal(json_integer_value(json_object_get(attempts, "widened")),
                     1);
    assert_null(json_object_get(second, "attempts"));
    json_decref(rows);
    json_decref(document);
    json_decref(verdict);
    json_decref(judgement);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_after_the_last_edit_of_each_instruction),
        cmocka_unit_test(a_line_tells_why_its_instruction_was_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
