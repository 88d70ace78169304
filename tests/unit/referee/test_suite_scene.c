/* What a suite names is looked for in its scenes: a name that is not there is
 * told with the suite's file, line and field. */
#include "referee/suite_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define BOTTLES ETNA_BINARY_DIR "/scenes/bottles.glb"
#define MEMBER(member) \
    "{\"schema\": \"etna.suite/1\", \"name\": \"s\", \"scenes\": [\n" \
    "  {\"name\": \"a\", \"scene\": \"a.glb\",\n   " member "}]}"
#define STEPS "\"steps\": [{\"text\": \"go\", \"after\": ["
#define GOOD STEPS "{\"moved\": [\"Red Bottle\"]}]}]"
#define AFTER(predicate) MEMBER(STEPS "\n    " predicate "]}]")

typedef struct found {
    char folder[32], path[64];
    etna_code code;
    etna_error err;
} found;

static void file_make(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static found check(const char *text, const char *scene)
{
    found f = {.folder = "/tmp/suite_scene.XXXXXX", .err = {ETNA_OK, ""}};
    etna_arena arena = ETNA_ARENA_INIT;
    suite s;
    assert_non_null(mkdtemp(f.folder));
    snprintf(f.path, sizeof f.path, "%s/S.json", f.folder);
    file_make(f.path, text);
    if (suite_read(f.path, &arena, &s, &f.err))
        fail_msg("%s", f.err.text);
    f.code = suite_scene_check(f.path, &s, &s.scenes[0], scene, &f.err);
    etna_arena_free(&arena);
    unlink(f.path);
    rmdir(f.folder);
    return f;
}

static void what_is_there_is_found(void **state)
{
    (void)state;
    static const char *const good[] = {
        MEMBER(GOOD),
        MEMBER(
            "\"camera\": \"Camera\", \"fronts\": {\"Red Bottle\": \"-X\"}, " GOOD),
        MEMBER("\"camera\": \"orbit:30,20\", " GOOD),
        AFTER("{\"facing\": [\"Red Bottle\", \"camera\"]}"),
        AFTER("{\"any\": [{\"left of\": [\"Red Bottle\", \"Green Bottle\"]}]}"),
        AFTER("{\"still but\": []}"),
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        found f = check(good[i], BOTTLES);
        if (f.code)
            fail_msg("%s", f.err.text);
    }
}

static void what_is_not_there_is_told_with_line_and_field(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } wrong[] = {
        {MEMBER("\"camera\": \"Camera 2\", " GOOD),
         "line 3: scenes[0].camera: no camera of the scene is named \"Camera 2\""},
        {MEMBER("\"fronts\": {\"Red Botle\": \"-X\"}, " GOOD),
         "line 3: scenes[0].fronts: no node is named \"Red Botle\""},
        {AFTER("{\"on\": [\"Red Bottle\",\n \"Yelow Block\"]}"),
         "line 5: scenes[0].steps[0].after[0].on[1]: no node is named \"Yelow Block\""},
        {AFTER(
             "{\"moved\": [\"Red Bottle\"]},\n {\"next to\": [\"red bottle\", \"Green Bottle\"]}"),
         "line 5: scenes[0].steps[0].after[1].next to[0]: no node is named \"red bottle\""},
        {AFTER("{\"still but\": [\"Piano\"]}"),
         "line 4: scenes[0].steps[0].after[0].still but[0]: no node is named \"Piano\""},
        {AFTER("{\"moved\": [\"Camera\"]}"),
         "line 4: scenes[0].steps[0].after[0].moved[0]: the node \"Camera\" has no mesh"},
        {AFTER("{\"not\": {\"moved\":\n [\"Piano\"]}}"),
         "line 5: scenes[0].steps[0].after[0].not.moved[0]: no node"},
        {AFTER(
             "{\"any\": [{\"moved\": [\"Red Bottle\"]},\n {\"moved\": [\"Piano\"]}]}"),
         "line 5: scenes[0].steps[0].after[0].any[1].moved[0]: no node"},
        {AFTER("{\"count\": [{\"moved\": [\"Piano\"]}], \"least\": 1}"),
         "line 4: scenes[0].steps[0].after[0].count[0].moved[0]: no node"},
        {AFTER("{\"facing\": [\"camera\", \"camera\"]}"),
         "line 4: scenes[0].steps[0].after[0].facing[0]: no node is named \"camera\""},
        {MEMBER("\"camera\": \"top\", " STEPS
                "\n {\"left of\": [\"Red Bottle\", \"Green Bottle\"]}]}]"),
         "line 4: scenes[0].steps[0].after[0].left of: wants a camera of the file, and \"top\" is none"},
        {MEMBER(
             "\"goal\": {\"text\": \"tidy\",\n \"after\": [{\"moved\": [\"Piano\"]}]}"),
         "line 4: scenes[0].goal.after[0].moved[0]: no node"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        found f = check(wrong[i].text, BOTTLES);
        assert_int_equal(f.code, ETNA_E_INPUT);
        assert_ptr_equal(strstr(f.err.text, f.path), f.err.text);
        if (!strstr(f.err.text, wrong[i].said))
            fail_msg("\"%s\" is not \"%s\"", f.err.text, wrong[i].said);
    }
}

static void a_scene_that_is_no_file_is_told_at_its_name(void **state)
{
    (void)state;
    found f = check(MEMBER(GOOD), ETNA_BINARY_DIR "/scenes/attic.glb");
    assert_int_equal(f.code, ETNA_E_INPUT);
    assert_non_null(strstr(f.err.text, "line 2: scenes[0].scene: "));
    assert_non_null(strstr(f.err.text, "attic.glb: "));
}

/* A person's side file may say where cameras stand; predicates see by those of
 * the scene's own file alone. */
static void a_side_file_s_camera_is_one_of_the_scene_s(void **state)
{
    (void)state;
    static const char text[] = MEMBER("\"camera\": \"Door\", " GOOD);
    char folder[] = "/tmp/suite_side.XXXXXX", scene[64], side[64];
    assert_non_null(mkdtemp(folder));
    snprintf(scene, sizeof scene, "%s/b.glb", folder);
    snprintf(side, sizeof side, "%s/b.etna.json", folder);
    assert_int_equal(symlink(BOTTLES, scene), 0);
    assert_int_equal(check(text, scene).code, ETNA_E_INPUT);
    file_make(side, "{\"cameras\": [{\"name\": \"Door\"}]}");
    found f = check(text, scene);
    if (f.code)
        fail_msg("%s", f.err.text);
    unlink(side);
    unlink(scene);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_there_is_found),
        cmocka_unit_test(what_is_not_there_is_told_with_line_and_field),
        cmocka_unit_test(a_scene_that_is_no_file_is_told_at_its_name),
        cmocka_unit_test(a_side_file_s_camera_is_one_of_the_scene_s),
    };
    return cmocka_run_group_tests_name("suite_scene", tests, NULL, NULL);
}
