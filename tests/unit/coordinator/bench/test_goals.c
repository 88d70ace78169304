/* Facts of others become predicates that say the same, or the goal is left out
 * with the reason. */
#include "coordinator/bench/goals.h"
#include "referee/suite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static json_t *scene_of(const char *facts,
                        const char *more,
                        char *why,
                        size_t size)
{
    char line[2000];
    snprintf(line, sizeof line,
             "{\"id\": \"a-1\", \"scene\": \"a.glb\", \"facts\": %s, %s}",
             facts, more);
    json_t *object = json_loads(line, 0, NULL);
    assert_non_null(object);
    json_t *scene = goals_scene(object, "/there/a.glb", why, size);
    json_decref(object);
    return scene;
}

static void facts_become_predicates_that_a_suite_takes(void **state)
{
    (void)state;
    static const struct {
        const char *fact, *predicate;
    } cases[] = {
        {"[\"on_top\", \"a\", \"b\"]", "a on b"},
        {"[\"on_top\", \"a\", \"b\", 0.1]", "a on b"},
        {"[\"within\", \"a\", \"b\", 0.2]", "a inside b"},
        {"[\"gap\", \"a\", \"b\", 0, 0.4]", "a distance b"},
        {"[\"bottom\", \"a\", -0.5, 0.56]", "a foot of"},
        {"[\"at\", \"a\", [1, null, 2], 0.3]", "a at"},
        {"[\"moved_by\", \"a\", [0.4, 0]]", "a shifted"},
        {"[\"turned\", \"a\", -90]", "a turned by -90 degrees"},
        {"[\"faces\", \"a\", \"b\", 8]", "a facing b"},
        {"[\"others_still\", [\"a\", \"b\"]]", "still but a, b"},
        {"[\"stacked\", [\"a\", \"b\", \"c\"]]", "all b on a; c on b"},
        {"[\"count_on\", \"a\", [\"b\", \"c\"], 2, 2]", "all b on a; c on a"},
        {"[\"count_on\", \"a\", [\"b\", \"c\"], 0, 1]",
         "count 0 to 1 of b on a; c on a"},
        {"[\"pile\", [\"a\", \"b\"]]", "any all b on a; all a on b"},
        {"[\"aligned\", [\"a\", \"b\", \"c\"]]", "a in line with b, c"},
        {"[\"spaced\", [\"a\", \"b\", \"c\"], 0.1]",
         "a evenly spaced with b, c"},
        {"[\"grouped\", [\"a\", \"b\", \"c\"], 0.9]", "a together with b, c"},
        {"[\"dir\", \"a\", \"b\", [1, 0]]", "a in direction from b"},
        {"[\"order\", [\"a\", \"b\", \"c\"], [1, 0]]",
         "all b beyond a; c beyond b"},
        {"[\"nearer\", \"a\", \"b\", \"c\"]", "a nearer to b, c"},
        {"[\"yaw\", \"a\", -90]", "a heading -90 degrees"},
        {"[\"square\", [\"a\"]]",
         "all any a heading 0 degrees; a heading 90 degrees; a heading 180 degrees; a heading 270 degrees"},
        {"[\"wall\", \"a\", 1, 2.5, 0.1]", "a a side at"},
        {"[\"not\", [\"any\", [\"over\", \"a\", \"b\"], [\"still\", \"a\"]]]",
         "not any a over b; a shifted"},
        {"[\"still\", \"a\", 0.02]", "a shifted"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char facts[400], why[200] = "", says[200];
        etna_arena arena = ETNA_ARENA_INIT;
        etna_error err;
        suite s;
        snprintf(facts, sizeof facts, "[%s]", cases[i].fact);
        json_t *scene = scene_of(
            facts, "\"goal\": \"Do it\", \"level\": \"hard\"", why, sizeof why);
        if (!scene)
            fail_msg("%s: %s", facts, why);
        json_t *whole = json_pack("{s:s, s:s, s:[o]}", "schema", "etna.suite/1",
                                  "name", "g", "scenes", scene);
        char *text = json_dumps(whole, 0);
        if (suite_parse("g.json", text, strlen(text), &arena, &s, &err))
            fail_msg("%s: %s", text, err.text);
        assert_true(s.scenes[0].is_hard && s.scenes[0].is_test &&
                    s.scenes[0].step_count == 0);
        assert_string_equal(s.scenes[0].goal.text, "Do it");
        predicate_say(s.scenes[0].goal.after, says, sizeof says);
        if (strcmp(says, cases[i].predicate) != 0)
            fail_msg("%s: %s", facts, says);
        free(text);
        json_decref(whole);
        etna_arena_free(&arena);
    }
}

static void what_no_suite_can_hold_is_left_out_with_a_reason(void **state)
{
    (void)state;
    static const char good[] = "[[\"still\", \"a\"]]";
    static const struct {
        const char *facts, *more, *why;
    } cases[] = {
        {"[[\"aligned\", [\"a\", \"b\"]]]", "\"goal\": \"g\"", "\"aligned\""},
        {"[[\"faces\", \"a\", [1, 2]]]", "\"goal\": \"g\"", "\"faces\""},
        {"[[\"count_on\", \"a\", [], 1, 2]]", "\"goal\": \"g\"",
         "\"count_on\""},
        {"[[\"wall\", \"a\", 2, 2, 3]]", "\"goal\": \"g\"", "\"wall\""},
        {"[[\"dir\", \"a\", [0, 1], [1, 0]]]", "\"goal\": \"g\"", "\"dir\""},
        {"[[\"pile\", [\"a\", \"b\", \"c\", \"d\", \"e\"]]]", "\"goal\": \"g\"",
         "\"pile\""},
        {"[[\"not\", [\"gone\", \"a\"]]]", "\"goal\": \"g\"", "\"gone\""},
        {"[[\"any\", [\"still\", \"a\"], [\"all\", [\"added\"]]]]",
         "\"goal\": \"g\"", "\"added\""},
        {"[[\"grouped\", [\"a\", \"b\"]]]", "\"goal\": \"g\"", "\"grouped\""},
        {"[7]", "\"goal\": \"g\"", "no predicate"},
        {"[]", "\"goal\": \"g\"", "no facts"},
        {good, "\"level\": \"easy\"", "no text"},
        {good, "\"goal\": \"g\", \"expect\": \"refused\"", "refused"},
        {good, "\"goal\": \"g\", \"import\": [\"--unit\", \"0.01\"]", "import"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char why[200] = "";
        json_t *scene =
            scene_of(cases[i].facts, cases[i].more, why, sizeof why);
        assert_null(scene);
        if (!strstr(why, cases[i].why))
            fail_msg("%s: %s", cases[i].facts, why);
    }
    char why[200] = "";
    json_t *list =
        scene_of(good, "\"steps\": [\"One.\", \"Two.\"]", why, sizeof why);
    assert_string_equal(json_string_value(json_object_get(
                            json_object_get(list, "goal"), "text")),
                        "One. Two.");
    json_decref(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_become_predicates_that_a_suite_takes),
        cmocka_unit_test(what_no_suite_can_hold_is_left_out_with_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
