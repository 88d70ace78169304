/* Which scene there was after each instruction of a list, and what its line
 * says of why there is none. */
#include "coordinator/bench/results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
        "\"tree\": [{\"branches\": [{\"state\": \"accepted\", \"status\": \"valid\", \"widened\": true, \"failed_tries\": {\"unsolved\": 2}},"
        "{\"state\": \"rejected\", \"status\": \"valid\"}, {\"state\": \"failed\", \"status\": \"collision\","
        " \"failed_tries\": {\"unsolved\": 1, \"collision\": 1}},"
        "{\"state\": \"dropped\", \"status\": \"valid\", \"failed_tries\": {\"floating\": 1}}]}],"
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
    /* of those that were decided about alone: the last try of a branch is not
     * all */
    char *tries = json_dumps(json_object_get(attempts, "tries"),
                             JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(
        tries,
        "{\"collision\":1,\"floating\":0,\"malformed\":0,\"repeated\":0,\"unsolved\":3,\"valid\":2}");
    free(tries);
    assert_null(json_object_get(second, "attempts"));
    json_decref(rows);
    json_decref(document);
    json_decref(verdict);
    json_decref(judgement);
}

/* What results_read makes of the lines; says why in `ret_why`. */
static etna_code read_lines(const char *const *lines,
                            size_t count,
                            char *ret_why,
                            size_t room)
{
    char path[] = "/tmp/etna-results-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    for (size_t i = 0; i < count; i++)
        dprintf(fd, "%s\n", lines[i]);
    close(fd);
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    result_row *rows = NULL;
    size_t read = 0;
    etna_code code = results_read(path, &arena, &rows, &read, &err);
    assert_int_equal(read, code ? 0 : count);
    const char *why = code ? strstr(err.text, ", line ") : "";
    snprintf(ret_why, room, "%s", why ? why : err.text);
    etna_arena_free(&arena);
    unlink(path);
    return code;
}

#define LINE(scene, variant, repeat, mode, step) \
    "{\"scene\": \"" scene "\", \"variant\": \"" variant \
    "\", \"repeat\": " #repeat ", \"mode\": \"" mode "\", \"step\": " #step \
    ", \"split\": \"dev\", \"level\": \"easy\"}"

static void a_step_of_a_run_stands_in_one_line(void **state)
{
    (void)state;
    static const char *const apart[] = {
        LINE("a", "full", 1, "steps", 1), LINE("a", "full", 1, "steps", 2),
        LINE("a", "full", 2, "steps", 1), LINE("a", "full", 1, "goal", 1),
        LINE("a", "poll", 1, "steps", 1), LINE("b", "full", 1, "steps", 1)};
    static const char *const doubled[] = {
        LINE("b", "full", 1, "steps", 1), LINE("a", "full", 1, "steps", 2),
        LINE("a", "full", 1, "steps", 1), LINE("a", "full", 1, "steps", 2)};
    char why[300];
    if (read_lines(apart, 6, why, sizeof why))
        fail_msg("%s", why);
    assert_int_equal(read_lines(doubled, 4, why, sizeof why), ETNA_E_INPUT);
    assert_non_null(strstr(why, ", line 4: "));
    assert_non_null(strstr(why, "as line 2"));
}

static void a_number_that_is_none_of_a_step_is_no_line(void **state)
{
    (void)state;
    static const char *const lines[] = {
        LINE("a", "full", 1, "steps", 0),
        LINE("a", "full", 1, "steps", 4294967297),
        LINE("a", "full", 4294967297, "steps", 1),
        LINE("a", "full", 1, "steps", 1.5), LINE("a", "full", -1, "steps", 1)};
    char why[300];
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (!read_lines(&lines[i], 1, why, sizeof why))
            fail_msg("%s", lines[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_after_the_last_edit_of_each_instruction),
        cmocka_unit_test(a_line_tells_why_its_instruction_was_passed_over),
        cmocka_unit_test(a_step_of_a_run_stands_in_one_line),
        cmocka_unit_test(a_number_that_is_none_of_a_step_is_no_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
