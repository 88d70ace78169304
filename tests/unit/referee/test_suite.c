/* A suite is read whole, and what is wrong with one is told with its file, line
 * and field. */
#include "referee/json_line.h"
#include "referee/suite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "{\"schema\": \"etna.suite/1\", \"name\": \"s\",\n \"scenes\": [\n"
#define SCENE(member) \
    HEAD "  {\"name\": \"a\", \"scene\": \"a.glb\",\n   " member "}]}"
#define AFTER(predicate) \
    SCENE( \
        "\"steps\": [\n    {\"text\": \"do it\",\n     \"after\": [" predicate \
        "]}]")

static etna_code parse(const char *text,
                       suite *ret,
                       etna_arena *arena,
                       etna_error *err)
{
    return suite_parse("s.json", text, strlen(text), arena, ret, err);
}

static void a_suite_has_scenes_steps_and_predicates(void **state)
{
    (void)state;
    static const char text[] = HEAD
        "{\"name\": \"a\", \"scene\": \"a.glb\", \"camera\": \"Camera\", \"split\": \"test\",\n"
        "\"level\": \"hard\", \"fronts\": {\"chair\": \"-X\"}, \"steps\": [\n"
        "{\"text\": \"one\", \"after\": [{\"on\": [\"mug\", \"table\"]}]},\n"
        "{\"text\": \"two\", \"after\": [{\"not\": {\"near\": [\"a\", \"b\"], \"most\": 2}}]}],\n"
        "\"goal\": {\"text\": \"all\", \"after\": [{\"still but\": []}]}}]}";
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {ETNA_OK, ""};
    suite s;
    if (parse(text, &s, &arena, &err))
        fail_msg("%s", err.text);
    assert_int_equal(s.scene_count, 1);
    assert_int_equal(s.task_count, 2);
    const suite_scene *scene = suite_find(&s, "a");
    assert_true(scene->is_test && scene->is_hard);
    assert_true(scene->fronts[0].along[0] == -1);
    assert_int_equal(scene->steps[0].after[0].kind, PREDICATE_ON);
    assert_true(scene->steps[0].after[0].most == 0.02);
    const predicate *not = &scene->steps[1].after[0];
    assert_true(not ->kind == PREDICATE_NOT && not ->part_count == 1 &&
                not ->parts[0].most == 2);
    char said[100];
    predicate_say(not, said, sizeof said);
    assert_string_equal(said, "not a near b");
    assert_string_equal(scene->goal.text, "all");
    assert_null(suite_find(&s, "b"));
    etna_arena_free(&arena);
}

static void what_is_wrong_is_told_with_line_and_field(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } wrong[] = {
        {"{\"schema\": \"etna.suite/1\",\n \"name\": ]",
         "s.json, line 2, column "},
        {"[]", "s.json, line 1: wants an object"},
        {"{\"schema\": \"x\"}", "line 1: schema: is not"},
        {AFTER("{\"at\": [\"a\"]}"), "after[0].place: wants [x, y]"},
        {AFTER("{\"at\": [\"a\"], \"place\": [1]}"),
         "after[0].place: wants [x, y]"},
        {AFTER("{\"at\": [\"a\"], \"place\": [null, null]}"),
         "after[0].place: wants [x, y]"},
        {AFTER("{\"shifted\": [\"a\"], \"by\": [1, \"2\"]}"),
         "after[0].by: wants [x, y]"},
        {AFTER("{\"shifted\": [\"a\"], \"place\": [1, 2]}"),
         "knows no field \"place\""},
        {AFTER("{\"foot of\": [\"a\"], \"least\": 2, \"most\": 1}"),
         "\"least\" is more than \"most\""},
        {HEAD "]}", "line 2: scenes: wants a list of 1"},
        {HEAD "  {\"name\": \"../a\", \"scene\": \"a.glb\",\n \"steps\": []}]}",
         "line 3: scenes[0].name: is no plain name"},
        {HEAD "  {\"name\": \"a\",\n \"steps\": []}]}",
         "line 3: scenes[0].scene: wants a text"},
        {SCENE("\"steps\": []"), "line 4: scenes[0].steps: wants a list"},
        {SCENE("\"colour\": 1"),
         "line 3: scenes[0]: knows no field \"colour\""},
        {SCENE("\"unit\": \"cm\""),
         "line 4: scenes[0].unit: wants the metres of one unit"},
        {SCENE("\"unit\": \"0\""),
         "line 4: scenes[0].unit: wants the metres of one unit"},
        {SCENE("\"unit\": 0.01"), "line 4: scenes[0].unit: wants a text"},
        {SCENE("\"up\": \"y\""), "line 4: scenes[0].up: is \"Y\" or \"Z\""},
        {SCENE("\"level\": \"soft\""),
         "line 4: scenes[0].level: is \"easy\" or \"hard\""},
        {SCENE("\"steps\": [\n    {\"text\": \"\", \"after\": []}]"),
         "line 5: scenes[0].steps[0].text: wants a text"},
        {AFTER(""), "line 6: scenes[0].steps[0].after: wants at least one"},
        {AFTER("{\"on\": [\"a\"]}"),
         "line 6: scenes[0].steps[0].after[0].on: wants a list of 2 things"},
        {AFTER("{\"on\": [\"a\", \"b\"]},\n {\"beside\": [\"a\", \"b\"]}"),
         "line 7: scenes[0].steps[0].after[1]: holds no"},
        {AFTER("{\"on\": [\"a\", 5]}"), "after[0].on[1]: wants a thing's name"},
        {AFTER("{\"on\": [\"a\", \"b\"], \"near\": [\"a\", \"b\"]}"),
         "after[0]: holds two predicates"},
        {AFTER("{\"on\": [\"a\", \"b\"], \"least\": 1}"),
         "after[0]: knows no field \"least\""},
        {AFTER("{\"near\": [\"a\", \"b\"], \"most\": \"1\"}"),
         "after[0].most: wants a number from 0"},
        {AFTER("{\"near\": [\"a\", \"b\"], \"most\": -1}"),
         "after[0].most: wants a number from 0"},
        {AFTER("{\"turned by\": [\"a\"]}"), "after[0]: wants \"degrees\""},
        {AFTER("{\"moved\": [\"a\"], \"since\": \"noon\"}"),
         "\"since\" is \"start\" or \"step\""},
        {AFTER("{\"distance\": [\"a\", \"b\"], \"least\": 2, \"most\": 1}"),
         "\"least\" is more than \"most\""},
        {AFTER("{\"any\": []}"), "after[0].any: wants at least one"},
        {AFTER(
             "{\"not\": {\"not\": {\"not\": {\"not\": {\"not\": {\"on\": [\"a\", \"b\"]}}}}}}"),
         "nested deeper than 4"},
        {SCENE(
             "\"fronts\": {\"a\": \"up\"}, \"steps\": [{\"text\": \"a\", \"after\": [{\"still but\": []}]}]"),
         "line 4: scenes[0].fronts: the front of \"a\""},
        {HEAD "{\"name\": \"a\", \"name\": \"b\"}]}", "line 3, column "},
        {HEAD
         "{\"name\":\"a\",\"scene\":\"b\",\"steps\":[{\"text\":\"a\",\"after\":[{\"still but\":[]}]}]},\n"
         "{\"name\":\"a\",\"scene\":\"b\",\"steps\":[{\"text\":\"a\",\"after\":[{\"still but\":[]}]}]}]}",
         "line 4: scenes[1]: the name a is that of scenes[0]"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        etna_error err = {ETNA_OK, ""};
        suite s;
        if (parse(wrong[i].text, &s, &arena, &err) != ETNA_E_INPUT)
            fail_msg("%zu is taken", i);
        if (!strstr(err.text, wrong[i].said))
            fail_msg("%zu: \"%s\" is not in: %s", i, wrong[i].said, err.text);
        etna_arena_free(&arena);
    }
}

static void a_text_that_is_cut_anywhere_is_refused(void **state)
{
    (void)state;
    static const char text[] =
        AFTER("{\"any\": [{\"near\": [\"a\", \"b\"], \"most\": 1}]}");
    for (size_t size = 0; size + 1 < sizeof text - 1; size++) {
        etna_arena arena = ETNA_ARENA_INIT;
        etna_error err = {ETNA_OK, ""};
        suite s;
        assert_int_equal(suite_parse("s.json", text, size, &arena, &s, &err),
                         ETNA_E_INPUT);
        etna_arena_free(&arena);
    }
}

static void a_line_is_found_past_strings_and_nested_values(void **state)
{
    (void)state;
    static const char text[] =
        "{\"a\": \"x\\\"]}{[\",\n \"b\": [1, [2,\n {\"c\": {}}], \"s\"\n, {\"d\": [\n true,\n null]}]}";
    static const struct {
        const char *path;
        unsigned line;
    } asked[] = {{"", 1},
                 {"a", 1},
                 {"b", 2},
                 {"b[1]", 2},
                 {"b[1][1].c", 3},
                 {"b[2]", 3},
                 {"b[3].d", 4},
                 {"b[3].d[0]", 5},
                 {"b[3].d[1]", 6},
                 {"b[9]", 2},
                 {"nothing.at.all", 1}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        assert_int_equal(json_line_of(text, strlen(text), asked[i].path),
                         asked[i].line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_suite_has_scenes_steps_and_predicates),
        cmocka_unit_test(what_is_wrong_is_told_with_line_and_field),
        cmocka_unit_test(a_text_that_is_cut_anywhere_is_refused),
        cmocka_unit_test(a_line_is_found_past_strings_and_nested_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
