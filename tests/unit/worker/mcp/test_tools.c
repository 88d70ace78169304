/* Each tool on a real scene: what it gives fits its own output schema, what it refuses it says in words, and nothing
 * but an edit changes an arrangement. */
#include "tests/support/folder.h"
#include "worker/gltf/bundle.h"
#include "worker/mcp/schema.h"
#include "worker/mcp/tools.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char path[] = ETNA_BINARY_DIR "/scenes/bottles.glb";
static world *w;
static json_t *tools;
static char folder[FOLDER_SIZE];
static size_t written;

static etna_code count_bytes(const char *file, const uint8_t *data, size_t size, etna_error *err)
{
    (void)data;
    (void)err;
    if (strstr(file, "/scene.glb")) return ETNA_OK; /* the copy of run_goal, which no program will read */
    assert_non_null(strstr(file, "/kept.glb"));
    written = size;
    return ETNA_OK;
}

static int begin(void **state)
{
    (void)state;
    folder_make(folder);
    world_options options = {.scene_name = "bottles.glb",
                             .scene_path = path,
                             .folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                             .program = "/nonexistent/etna",
                             .threads = 1,
                             .read = bundle_read,
                             .write = count_bytes};
    const scene_options import = scene_options_default();
    tools = mcp_tools_list();
    if (!tools || options.folder < 0 ||
        bundle_read(path, &import, &options.bundle, &options.bundle_size, NULL) != ETNA_OK)
        return -1;
    return world_new(&options, &w, NULL) == ETNA_OK ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    close(w->options.folder);
    world_free(w);
    json_decref(tools);
    return rmdir(folder); /* fails when something was left in it */
}

static const json_t *schema_of(const char *name, const char *which)
{
    size_t i;
    json_t *tool;
    json_array_foreach(tools, i, tool)
    {
        if (strcmp(json_string_value(json_object_get(tool, "name")), name) == 0) return json_object_get(tool, which);
    }
    fail_msg("no tool %s", name);
    return NULL;
}

static rpc_result call(const char *name, const char *arguments)
{
    rpc_result result = {0};
    json_t *given = json_loads(arguments, 0, NULL);
    assert_non_null(given);
    mcp_tools_call(w, name, given, NULL, NULL, NULL, &result);
    json_decref(given);
    assert_true(json_is_array(result.content));
    assert_string_equal(json_string_value(json_object_get(json_array_get(result.content, 0), "type")), "text");
    return result;
}

static void drop(rpc_result result)
{
    json_decref(result.content);
    json_decref(result.structured);
}

static const char *text_of(const rpc_result *result)
{
    return json_string_value(json_object_get(json_array_get(result->content, 0), "text"));
}

/* The structured content, which fits the output schema; borrowed from *ret. */
static const json_t *good(const char *name, const char *arguments, rpc_result *ret)
{
    etna_error err = {0};
    *ret = call(name, arguments);
    if (ret->is_error) fail_msg("%s %s: %s", name, arguments, text_of(ret));
    if (schema_check(schema_of(name, "outputSchema"), ret->structured, &err) != ETNA_OK)
        fail_msg("%s gives what it does not promise: %s", name, err.text);
    return ret->structured;
}

static void fine(const char *name, const char *arguments)
{
    rpc_result result;
    good(name, arguments, &result);
    drop(result);
}

static void refused(const char *name, const char *arguments, const char *words)
{
    rpc_result result = call(name, arguments);
    if (!result.is_error) fail_msg("%s %s is not refused: %s", name, arguments, text_of(&result));
    assert_null(result.structured);
    if (!strstr(text_of(&result), words)) fail_msg("%s %s says: %s", name, arguments, text_of(&result));
    drop(result);
}

static long edits(const char *arguments)
{
    rpc_result result;
    long count = (long)json_integer_value(json_object_get(good("history", arguments, &result), "edits"));
    drop(result);
    return count;
}

#define PLACE \
    "{\"constraints\":[[\"ObjectName\",\"Red Bottle\"],[\"CloseToPix\",\"down\",[0.645,0.42]],[\"Contact\",\"down\",\"ray:0.645,0.42\"]]"

static void every_tool_gives_what_its_schema_promises(void **state)
{
    (void)state;
    static const char *const calls[][2] = {
        {"get_scene_info", "{}"},
        {"get_scene_info", "{\"offset\":7,\"limit\":1,\"query\":\"bot\",\"anything\":1}"},
        {"get_scene_info", "{\"offset\":1000000}"},
        {"get_object_info", "{\"object_name\":\"Red Bottle\"}"},
        {"list_all_object_in_view", "{}"},
        {"list_all_object_in_view", "{\"interested_area\":[0,0,0.5,0.5],\"camera\":\"cutaway\"}"},
        {"ray_probe_for_plane", "{\"coord_list\":[[0.5,0.5],[0,0]]}"},
        {"ray_probe_for_plane", "{\"coord_list\":[[0,0]],\"orbit\":{\"point\":[0,0,50],\"elevation_deg\":-80}}"},
        {"render_with_highlighted_object", "{\"object_name_list\":[\"Table\"],\"max_size\":64}"},
        {"render_view", "{\"max_size\":64,\"camera\":\"auto\"}"},
        {"render_view", "{\"max_size\":65,\"grid\":true,\"format\":\"png\",\"orbit\":{}}"},
        {"place_object", PLACE "}"},
        {"check_physics", "{}"},
        {"move_object", "{\"object_name\":\"Red Bottle\",\"yaw_deg\":45}"},
        {"undo", "{}"},
        {"redo", "{}"},
        {"undo", "{\"count\":2}"},
        {"history", "{}"},
        {"open_scene", "{}"},
        {"open_scene", "{\"from\":\"scene-1\"}"},
        {"close_scene", "{\"scene_id\":\"scene-1\"}"},
        {"close_scene", "{\"scene_id\":\"scene-2\"}"},
        {"export_scene", "{\"file\":\"kept.glb\"}"}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) fine(calls[i][0], calls[i][1]);
    assert_true(written > 1000);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    static const char *const calls[][3] = {
        {"get_object_info", "{}", "\"object_name\" is missing"},
        {"get_object_info", "{\"object_name\":\"Unicorn\"}", "Unicorn"},
        {"get_scene_info", "{\"limit\":0}", "at least 1"},
        {"get_scene_info", "{\"scene_id\":\"scene-9\"}", "open_scene"},
        {"list_all_object_in_view", "{\"interested_area\":[0.5,0,0.1,1]}", "area"},
        {"list_all_object_in_view", "{\"interested_area\":[0,0,1]}", "at least 4"},
        {"list_all_object_in_view", "{\"camera\":\"Nowhere\"}", "Nowhere"},
        {"list_all_object_in_view", "{\"area\":[0,0,1,1]}", "\"area\" is not known; there is interested_area, camera"},
        {"render_view", "{\"camera\":\"auto\",\"orbit\":{}}", "not both"},
        {"render_view", "{\"orbit\":{\"elevation_deg\":90}}", "at most 89"},
        {"render_view", "{\"orbit\":{\"object\":\"Unicorn\"}}", "Unicorn"},
        {"render_view", "{\"max_size\":100000}", "at most 1024"},
        {"render_view", "{\"format\":\"gif\"}", "jpeg"},
        {"ray_probe_for_plane", "{\"coord_list\":[[2,0]]}", "at most 1"},
        {"render_with_highlighted_object", "{\"object_name_list\":[\"Unicorn\"]}", "Unicorn"},
        {"place_object", "{\"constraints\":[[\"ObjectName\",\"Wall\"],[\"CloseToPix\",\"down\",[0.5,0.5]]]}", "Wall"},
        {"place_object", "{\"constraints\":[[\"ObjectName\",\"Red Bottle\"],[\"Fly\",1]]}", "Fly"},
        {"place_object",
         "{\"constraints\":[[\"ObjectName\",\"Red Bottle\"],[\"CloseToPix\",\"down\",[0.5,0.5]],[\"Contact\",\"down\",\"Table_up\"],[\"Distance\",\"Table\",3]]}",
         "nothing was moved"},
        {"move_object", "{\"object_name\":\"Wall\",\"yaw_deg\":1}", "static"},
        {"move_object", "{\"object_name\":\"Red Bottle\",\"position\":[0,0,4]}", "nothing would hold"},
        {"move_object", "{\"object_name\":\"Red Bottle\",\"position\":[0,0,4]}", "m of air would be beneath it: z "},
        {"move_object", "{\"object_name\":\"Red Bottle\",\"position\":[0.3,0.07,0.8]}", "would collide with"},
        {"undo", "{}", "nothing to undo"},
        {"redo", "{}", "nothing to redo"},
        {"close_scene", "{\"scene_id\":\"main\"}", "main"},
        {"export_scene", "{\"file\":\"../kept.glb\"}", "outside"},
        {"export_scene", "{\"file\":\"/tmp/kept.glb\"}", "outside"},
        {"export_scene", "{\"file\":\"none/kept.glb\"}", "no such folder"},
        {"export_scene", "{\"file\":\"kept.txt\"}", ".glb"},
        {"export_scene", "{\"file\":\"a\\n.glb\"}", "control"},
        {"run_goal", "{\"goal\":\"\"}", "at least 1"},
        {"run_goal", "{\"goal\":\"tidy up\"}", "nothing was changed"}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) refused(calls[i][0], calls[i][1], calls[i][2]);
    assert_int_equal(edits("{}"), 0);
}

static void a_wrong_name_brings_those_that_are_alike_and_a_wrong_argument_what_it_is_for(void **state)
{
    (void)state;
    refused("get_object_info", "{\"object_name\":\"the red bottles\"}", "there is \"Red Bottle\" (");
    refused("place_object", "{\"constraints\":[[\"ObjectName\",\"bottle_01\"],[\"CloseToPix\",\"down\",[0.5,0.5]]]}",
            "Bottle\", \"");
    refused("ray_probe_for_plane", "{\"coord_list\":[[240,300]]}", "pairs between 0 and 1");
    refused("place_object", "{\"constraints\":[\"ObjectName\",\"Red Bottle\"]}", "[[\"ObjectName\",\"Red Bottle\"],");
    refused("render_view", "{\"orbit\":{\"elevation_deg\":90}}", "Above the horizon");
    refused("render_view", "{\"camera\":\"orbit\"}", "argument orbit");
    fine("render_view", "{\"max_size\":64,\"camera\":\"derived\"}"); /* what an answer calls "auto" */
}

static void an_edit_says_what_the_object_came_to_stand_on(void **state)
{
    (void)state;
    rpc_result result;
    const json_t *placed = good("place_object", PLACE "}", &result);
    assert_string_equal(json_string_value(json_array_get(json_object_get(placed, "stands_on"), 0)), "Yellow Block");
    drop(result);
    const json_t *history = good("history", "{}", &result);
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(json_object_get(history, "steps"), 1), "label")),
        "placed Red Bottle on Yellow Block");
    drop(result);
    const json_t *moved = good("move_object", "{\"object_name\":\"Red Bottle\",\"yaw_deg\":45}", &result);
    assert_string_equal(json_string_value(json_array_get(json_object_get(moved, "stands_on"), 0)), "Yellow Block");
    drop(result);
}

static void what_a_ray_meets_is_told_to_a_micrometre(void **state)
{
    (void)state;
    rpc_result result;
    const json_t *told = good("ray_probe_for_plane", "{\"coord_list\":[[0.61,0.43],[0.5,0.5]]}", &result);
    for (size_t i = 0; i < 2; i++) {
        const json_t *location = json_object_get(json_array_get(json_object_get(told, "hits"), i), "location");
        assert_int_equal(json_array_size(location), 3);
        for (size_t k = 0; k < 3; k++) {
            double millionths = 1e6 * json_number_value(json_array_get(location, k));
            assert_true(fabs(millionths - floor(millionths + 0.5)) < 1e-3);
        }
    }
    drop(result);
}

static void what_is_highlighted_and_does_not_show_is_told(void **state)
{
    (void)state;
    rpc_result result;
    const json_t *told = good(
        "render_with_highlighted_object",
        "{\"object_name_list\":[\"Red Bottle\",\"Wall\"],\"max_size\":64,\"orbit\":{\"object\":\"Red Bottle\",\"elevation_deg\":89}}",
        &result);
    assert_int_equal(json_array_size(json_object_get(told, "not_in_view")), 1);
    assert_string_equal(json_string_value(json_array_get(json_object_get(told, "not_in_view"), 0)), "Wall");
    drop(result);
}

static size_t shown_in(const char *area, int azimuth)
{
    rpc_result result;
    char arguments[256];
    snprintf(arguments, sizeof arguments, "{\"interested_area\":%s,\"orbit\":{\"azimuth_deg\":%d,\"cutaway\":false}}",
             area, azimuth);
    const json_t *looked = good("list_all_object_in_view", arguments, &result);
    size_t count = json_array_size(json_object_get(looked, "objects"));
    drop(result);
    return count;
}

static void a_view_around_the_whole_scene_is_filled_by_it_and_cuts_nothing(void **state)
{
    (void)state;
    for (int azimuth = 0; azimuth < 360; azimuth += 45) {
        assert_int_equal(shown_in("[0,0,1,0.03]", azimuth) + shown_in("[0,0.97,1,1]", azimuth) +
                             shown_in("[0,0,0.03,1]", azimuth) + shown_in("[0.97,0,1,1]", azimuth),
                         0);
        assert_true(shown_in("[0,0,1,0.15]", azimuth) + shown_in("[0,0.85,1,1]", azimuth) +
                        shown_in("[0,0,0.15,1]", azimuth) + shown_in("[0.85,0,1,1]", azimuth) >
                    0);
    }
}

static void a_view_around_an_object_shows_it_and_is_the_same_when_asked_for_again(void **state)
{
    (void)state;
    rpc_result result, again;
    const json_t *looked =
        good("render_view",
             "{\"max_size\":64,\"orbit\":{\"object\":\"Red Bottle\",\"distance\":1.2,\"elevation_deg\":0}}", &result);
    double best = json_number_value(json_object_get(looked, "target_seen"));
    assert_true(best > 0.9);
    char *whole = json_dumps(json_object_get(looked, "orbit"), JSON_COMPACT), arguments[512];
    snprintf(arguments, sizeof arguments, "{\"max_size\":64,\"orbit\":%s}", whole);
    good("render_view", arguments, &again);
    assert_true(json_equal(json_array_get(result.content, 1), json_array_get(again.content, 1)));
    free(whole);
    drop(again);
    drop(result);
    bool hidden = false;
    for (int azimuth = 0; azimuth < 360;
         azimuth += 10) { /* where it is asked for, a side is taken that shows less, and said */
        snprintf(
            arguments, sizeof arguments,
            "{\"coord_list\":[[0.5,0.5]],\"orbit\":{\"object\":\"Red Bottle\",\"distance\":1.2,\"elevation_deg\":0,\"azimuth_deg\":%d}}",
            azimuth);
        const json_t *asked = good("ray_probe_for_plane", arguments, &result);
        double share = json_number_value(json_object_get(asked, "target_seen"));
        assert_int_equal(share < 0.05, json_object_get(asked, "note") != NULL);
        hidden = hidden || share < best - 0.1;
        drop(result);
    }
    assert_true(hidden); /* else this scene says nothing about it */
}

static void arrangements_do_not_know_of_each_other(void **state)
{
    (void)state;
    fine("place_object", PLACE "}");
    fine("open_scene", "{\"from\":\"main\"}");
    assert_int_equal(edits("{\"scene_id\":\"scene-1\"}"), 1);
    fine("undo", "{\"scene_id\":\"scene-1\"}");
    assert_int_equal(edits("{\"scene_id\":\"scene-1\"}"), 0);
    assert_int_equal(edits("{}"), 1);
    fine("move_object", "{\"object_name\":\"Blue Bottle\",\"yaw_deg\":30,\"scene_id\":\"scene-1\"}");
    rpc_result result;
    const json_t *row = good("get_object_info", "{\"object_name\":\"Blue Bottle\"}", &result);
    assert_true(json_is_false(json_object_get(row, "moved")));
    drop(result);
    refused("redo", "{\"scene_id\":\"scene-1\"}", "nothing to redo"); /* another way was taken */
}

static void there_is_an_end_to_open_scenes_and_to_a_history(void **state)
{
    (void)state;
    char arguments[128];
    for (int i = 1; i < WORLD_SCENES_MAX; i++) fine("open_scene", "{}");
    refused("open_scene", "{}", "close one");
    fine("close_scene", "{\"scene_id\":\"scene-7\"}");
    fine("open_scene", "{}");
    refused("history", "{\"scene_id\":\"scene-7\"}", "scene-7"); /* a handle is never given twice */
    for (int i = 0; i < WORLD_EDITS_MAX + 10; i++) {
        snapshot snap = {0};
        assert_int_equal(world_stand(w, &w->scenes[0], &snap, NULL), ETNA_OK);
        assert_int_equal(world_push(w, &w->scenes[0], &snap, "edit", NULL), ETNA_OK);
        snapshot_free(&snap);
    }
    assert_int_equal(edits("{}"), WORLD_EDITS_MAX - 1);
    snprintf(arguments, sizeof arguments, "{\"count\":%d}", WORLD_EDITS_MAX - 1);
    fine("undo", arguments);
    fine("place_object", PLACE "}");
    assert_int_equal(edits("{}"), 1);
}

static void images_stay_small(void **state)
{
    (void)state;
    rpc_result result;
    static const char *const calls[] = {"{\"max_size\":1024,\"format\":\"png\",\"grid\":true}", "{\"max_size\":1024}"};
    for (size_t i = 0; i < 2; i++) {
        good("render_view", calls[i], &result);
        char *text = json_dumps(result.content, JSON_COMPACT);
        assert_true(strlen(text) < 700000);
        free(text);
        drop(result);
    }
}

static void descriptions_are_whole(void **state)
{
    (void)state;
    size_t i;
    json_t *tool;
    assert_int_equal(json_array_size(tools), 16);
    json_array_foreach(tools, i, tool)
    {
        assert_true(json_string_length(json_object_get(tool, "description")) > 20);
        static const char *const parts[] = {"inputSchema", "outputSchema"};
        for (size_t k = 0; k < 2; k++) {
            const json_t *schema = json_object_get(tool, parts[k]), *properties = json_object_get(schema, "properties"),
                         *name;
            size_t n;
            assert_string_equal(json_string_value(json_object_get(schema, "type")), "object");
            json_array_foreach(json_object_get(schema, "required"), n, name)
                assert_non_null(json_object_get(properties, json_string_value(name)));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
        T(every_tool_gives_what_its_schema_promises),
        T(what_is_wrong_is_said),
        T(arrangements_do_not_know_of_each_other),
        T(a_wrong_name_brings_those_that_are_alike_and_a_wrong_argument_what_it_is_for),
        T(an_edit_says_what_the_object_came_to_stand_on),
        T(what_a_ray_meets_is_told_to_a_micrometre),
        T(what_is_highlighted_and_does_not_show_is_told),
        T(a_view_around_the_whole_scene_is_filled_by_it_and_cuts_nothing),
        T(a_view_around_an_object_shows_it_and_is_the_same_when_asked_for_again),
        T(there_is_an_end_to_open_scenes_and_to_a_history),
        T(images_stay_small),
        T(descriptions_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
