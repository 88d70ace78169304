/* Each tool on a real scene: what it gives fits its own output schema, what it
 * refuses it says in words, and nothing but an edit changes an arrangement. */
#include "tests/support/folder.h"
#include "worker/gltf/bundle.h"
#include "worker/mcp/prompts.h"
#include "worker/mcp/schema.h"
#include "worker/mcp/tools.h"

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

static const char scenes[] = ETNA_BINARY_DIR "/scenes",
                  path[] = ETNA_BINARY_DIR "/scenes/bottles.glb";
static world *w;
static json_t *tools;
static char folder[FOLDER_SIZE];
static size_t written;

static etna_code count_bytes(const char *file,
                             const uint8_t *data,
                             size_t size,
                             etna_error *err)
{
    (void)data;
    (void)err;
    if (strstr(file, "/scene.glb"))
        return ETNA_OK; /* the copy of run_goal, which no program will read */
    assert_non_null(strstr(file, "/kept.glb"));
    written = size;
    return ETNA_OK;
}

static etna_code read_here(void *context,
                           const char *file,
                           const scene_options *import,
                           bool (*cancelled)(void *),
                           void *cancelled_context,
                           uint8_t **ret_data,
                           size_t *ret_size,
                           etna_error *err)
{
    (void)context;
    (void)cancelled;
    (void)cancelled_context;
    return bundle_read(file, import, ret_data, ret_size, err);
}

static const world_options plain_options = {.folder = folder,
                                            .program = "/nonexistent/etna",
                                            .threads = 1,
                                            .read = read_here,
                                            .write = count_bytes};

static int begin(void **state)
{
    (void)state;
    folder_make(folder);
    world_options options = plain_options;
    const scene_options import = scene_options_default();
    options.scene_name = "bottles.glb";
    options.scene_path = path;
    options.import = import;
    tools = mcp_tools_list();
    if (!tools || bundle_read(path, &import, &options.bundle,
                              &options.bundle_size, NULL) != ETNA_OK)
        return -1;
    return world_new(&options, &w, NULL) == ETNA_OK ? 0 : -1;
}

/* A server that was started without a scene, and may read the examples. */
static int begin_empty(void **state)
{
    (void)state;
    folder_make(folder);
    world_options options = plain_options;
    options.import = scene_options_default();
    tools = mcp_tools_list();
    if (!tools || world_new(&options, &w, NULL) != ETNA_OK)
        return -1;
    return roots_add(&w->roots, scenes, NULL) == ETNA_OK ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
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
        if (strcmp(json_string_value(json_object_get(tool, "name")), name) == 0)
            return json_object_get(tool, which);
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
    assert_string_equal(json_string_value(json_object_get(
                            json_array_get(result.content, 0), "type")),
                        "text");
    return result;
}

static void drop(rpc_result result)
{
    json_decref(result.content);
    json_decref(result.structured);
}

static const char *text_of(const rpc_result *result)
{
    return json_string_value(
        json_object_get(json_array_get(result->content, 0), "text"));
}

/* The structured content, which fits the output schema; borrowed from *ret. A
 * picture is never without its words. */
static const json_t *good(const char *name,
                          const char *arguments,
                          rpc_result *ret)
{
    etna_error err = {0};
    *ret = call(name, arguments);
    if (ret->is_error)
        fail_msg("%s %s: %s", name, arguments, text_of(ret));
    if (schema_check(schema_of(name, "outputSchema"), ret->structured, &err) !=
        ETNA_OK)
        fail_msg("%s gives what it does not promise: %s", name, err.text);
    bool has_picture = json_array_size(ret->content) > 1;
    assert_int_equal(has_picture,
                     json_object_get(ret->structured, "picture") != NULL);
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
    if (!result.is_error)
        fail_msg("%s %s is not refused: %s", name, arguments, text_of(&result));
    assert_null(result.structured);
    if (!strstr(text_of(&result), words))
        fail_msg("%s %s says: %s", name, arguments, text_of(&result));
    drop(result);
}

static long edits(const char *arguments)
{
    rpc_result result;
    long count = (long)json_integer_value(
        json_object_get(good("history", arguments, &result), "edits"));
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
        {"get_scene_info",
         "{\"offset\":7,\"limit\":1,\"query\":\"bot\",\"user_prompt\":\"x\",\"scene_id\":null}"},
        {"get_scene_info", "{\"offset\":1000000}"},
        {"get_object_info", "{\"object_name\":\"Red Bottle\"}"},
        {"list_all_object_in_view", "{}"},
        {"list_all_object_in_view",
         "{\"interested_area\":[0,0,0.5,0.5],\"camera\":\"cutaway\"}"},
        {"ray_probe_for_plane", "{\"coord_list\":[[0.5,0.5],[0,0]]}"},
        {"ray_probe_for_plane",
         "{\"coord_list\":[[0,0]],\"camera\":\"around:0,0,50@30,-80\"}"},
        {"render_with_highlighted_object",
         "{\"object_name_list\":[\"Table\"],\"max_size\":64}"},
        {"render_view", "{\"max_size\":64,\"camera\":\"auto\"}"},
        {"render_view",
         "{\"max_size\":65,\"grid\":false,\"format\":\"png\",\"camera\":\"orbit:30,30\"}"},
        {"place_object", PLACE "}"},
        {"check_physics", "{}"},
        {"move_object", "{\"object_name\":\"Red Bottle\",\"yaw_deg\":45}"},
        {"undo", "{}"},
        {"redo", "{}"},
        {"undo", "{\"count\":2}"},
        {"history", "{}"},
        {"list_scenes", "{}"},
        {"open_scene", "{}"},
        {"open_scene", "{\"from\":\"scene-1\"}"},
        {"close_scene", "{\"scene_id\":\"scene-1\"}"},
        {"close_scene", "{\"scene_id\":\"scene-2\"}"},
        {"export_scene", "{\"file\":\"kept.glb\"}"}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        fine(calls[i][0], calls[i][1]);
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
        {"list_all_object_in_view", "{\"interested_area\":[0.5,0,0.1,1]}",
         "area"},
        {"list_all_object_in_view", "{\"interested_area\":[0,0,1]}",
         "at least 4"},
        {"list_all_object_in_view", "{\"camera\":\"Nowhere\"}", "Nowhere"},
        {"list_all_object_in_view", "{\"area\":[0,0,1,1]}",
         "\"area\" is not known; there is interested_area, camera"},
        {"render_view", "{\"camera\":\"around:Table@0,90\"}", "from -89 to 89"},
        {"render_view", "{\"camera\":\"around:Table@0,0,0\"}", "0.01"},
        {"render_view", "{\"camera\":\"around:\"}", "around:NAME"},
        {"render_view", "{\"camera\":\"around:Unicorn\"}", "Unicorn"},
        {"render_view", "{\"camera\":\"around:Table@nan\"}", "Table@nan"},
        {"run_goal", "{\"goal\":\"x\",\"camera\":\"around:Table\"}",
         "nothing was changed"},
        {"open_scene", "{\"path\":\"bottles.glb\"}", "--root"},
        {"open_scene", "{\"path\":\"a\",\"from\":\"main\"}", "not both"},
        {"undo", "{\"count\":1,\"to\":\"e0\"}", "not both"},
        {"render_view", "{\"max_size\":100000}", "at most 1024"},
        {"render_view", "{\"format\":\"gif\"}", "jpeg"},
        {"ray_probe_for_plane", "{\"coord_list\":[[2,0]]}", "at most 1"},
        {"render_with_highlighted_object",
         "{\"object_name_list\":[\"Unicorn\"]}", "Unicorn"},
        {"place_object",
         "{\"constraints\":[[\"ObjectName\",\"Wall\"],[\"CloseToPix\",\"down\",[0.5,0.5]]]}",
         "Wall"},
        {"place_object",
         "{\"constraints\":[[\"ObjectName\",\"Red Bottle\"],[\"Fly\",1]]}",
         "Fly"},
        {"place_object",
         "{\"constraints\":[[\"ObjectName\",\"Red Bottle\"],[\"CloseToPix\",\"down\",[0.5,0.5]],[\"Contact\",\"down\",\"Table_up\"],[\"Distance\",\"Table\",3]]}",
         "nothing was moved"},
        {"move_object", "{\"object_name\":\"Wall\",\"yaw_deg\":1}", "static"},
        {"move_object", "{\"object_name\":\"Red Bottle\",\"position\":[0,0,4]}",
         "nothing would hold"},
        {"move_object", "{\"object_name\":\"Red Bottle\",\"position\":[0,0,4]}",
         "m of air would be beneath it: z "},
        {"move_object",
         "{\"object_name\":\"Red Bottle\",\"position\":[0.3,0.07,0.8]}",
         "would collide with"},
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
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        refused(calls[i][0], calls[i][1], calls[i][2]);
    assert_int_equal(edits("{}"), 0);
}

static void
a_wrong_name_brings_those_that_are_alike_and_a_wrong_argument_what_it_is_for(
    void **state)
{
    (void)state;
    refused("get_object_info", "{\"object_name\":\"the red bottles\"}",
            "there is \"Red Bottle\" (");
    refused(
        "place_object",
        "{\"constraints\":[[\"ObjectName\",\"bottle_01\"],[\"CloseToPix\",\"down\",[0.5,0.5]]]}",
        "Bottle\", \"");
    refused("ray_probe_for_plane", "{\"coord_list\":[[240,300]]}",
            "pairs between 0 and 1");
    refused("place_object", "{\"constraints\":[\"ObjectName\",\"Red Bottle\"]}",
            "[[\"ObjectName\",\"Red Bottle\"],");
    refused("render_view", "{\"camera\":\"orbit\"}",
            "around:NAME looks at one thing");
    fine("render_view",
         /* what an answer calls "auto" */
         "{\"max_size\":64,\"camera\":\"derived\"}");
}

static void arguments_as_models_give_them_are_what_is_meant(void **state)
{
    (void)state;
    static const char *const placings[] = {
        "{\"constraints\":[[\"objectname\",\"red bottle\"],[\"close_to_pix\",\"bottom\",[0.645,0.42]],[\"contact\",\"bottom\",\"ray:0.645,0.42\"]]}",
        "{\"constraints\":\"[[\\\"ObjectName\\\",\\\"Red Bottle\\\"],[\\\"CloseToPix\\\",\\\"down\\\",[0.645,0.42]],[\\\"Contact\\\",\\\"down\\\",\\\"ray:0.645,0.42\\\"]]\"}"};
    fine("ray_probe_for_plane", "{\"coordList\":\"[[0.5,0.5]]\"}");
    fine("render_view",
         "{\"max_size\":\"64\",\"grid\":\"true\",\"format\":\"JPEG\"}");
    for (size_t i = 0; i < sizeof placings / sizeof *placings; i++) {
        fine("place_object", placings[i]);
        fine("undo", "{\"count\":\"1\"}");
    }
    /* of what picture that would be is not known */
    refused(
        "place_object",
        "{\"constraints\":[[\"ObjectName\",\"Red Bottle\"],[\"CloseToPix\",\"down\",[645,420]]]}",
        "from 0 to 1");
}

static void an_edit_says_what_the_object_came_to_stand_on(void **state)
{
    (void)state;
    rpc_result result;
    const json_t *placed = good("place_object", PLACE "}", &result);
    assert_string_equal(json_string_value(json_array_get(
                            json_object_get(placed, "stands_on"), 0)),
                        "Yellow Block");
    drop(result);
    const json_t *history = good("history", "{}", &result);
    assert_string_equal(
        json_string_value(json_object_get(
            json_array_get(json_object_get(history, "steps"), 1), "label")),
        "placed Red Bottle on Yellow Block");
    drop(result);
    const json_t *moved =
        good("move_object", "{\"object_name\":\"Red Bottle\",\"yaw_deg\":45}",
             &result);
    assert_string_equal(json_string_value(json_array_get(
                            json_object_get(moved, "stands_on"), 0)),
                        "Yellow Block");
    drop(result);
}

static void what_a_ray_meets_is_told_to_a_micrometre(void **state)
{
    (void)state;
    rpc_result result;
    const json_t *told =
        good("ray_probe_for_plane", "{\"coord_list\":[[0.61,0.43],[0.5,0.5]]}",
             &result);
    for (size_t i = 0; i < 2; i++) {
        const json_t *location = json_object_get(
            json_array_get(json_object_get(told, "hits"), i), "location");
        assert_int_equal(json_array_size(location), 3);
        for (size_t k = 0; k < 3; k++) {
            double millionths =
                1e6 * json_number_value(json_array_get(location, k));
            assert_true(fabs(millionths - floor(millionths + 0.5)) < 1e-3);
        }
    }
    drop(result);
}

static void what_shows_is_told_with_its_box_and_colour(void **state)
{
    (void)state;
    rpc_result result;
    const json_t *told = good("list_all_object_in_view", "{}", &result), *row;
    size_t i;
    bool is_red = false;
    json_array_foreach(json_object_get(told, "objects"), i, row)
    {
        const char *name = json_string_value(json_object_get(row, "name")),
                   *colour = json_string_value(json_object_get(row, "colour"));
        assert_int_equal(json_array_size(json_object_get(row, "box")), 4);
        assert_non_null(colour);
        unsigned red, green, blue;
        assert_int_equal(sscanf(colour, "#%2x%2x%2x", &red, &green, &blue), 3);
        is_red = is_red ||
                 (strcmp(name, "Red Bottle") == 0 && red > green && red > blue);
    }
    assert_true(is_red);
    drop(result);
}

static void what_is_highlighted_and_does_not_show_is_told(void **state)
{
    (void)state;
    rpc_result result;
    const json_t *told = good(
        "render_with_highlighted_object",
        "{\"object_name_list\":[\"Red Bottle\",\"Wall\"],\"max_size\":64,\"camera\":\"around:Red Bottle@30,89\"}",
        &result);
    assert_int_equal(json_array_size(json_object_get(told, "not_in_view")), 1);
    assert_string_equal(json_string_value(json_array_get(
                            json_object_get(told, "not_in_view"), 0)),
                        "Wall");
    drop(result);
}

static void
a_view_around_an_object_shows_it_and_is_the_same_when_asked_for_again(
    void **state)
{
    (void)state;
    rpc_result result, again;
    const json_t *looked =
        good("render_view",
             "{\"max_size\":64,\"camera\":\"around:red bottle\"}", &result);
    double best = json_number_value(json_object_get(looked, "target_seen"));
    assert_true(best > 0.9);
    const char *camera = json_string_value(json_object_get(looked, "camera"));
    char arguments[512];
    snprintf(arguments, sizeof arguments, "{\"max_size\":64,\"camera\":\"%s\"}",
             camera);
    good("render_view", arguments, &again);
    assert_true(json_equal(json_array_get(result.content, 1),
                           json_array_get(again.content, 1)));
    drop(again);
    drop(result);
    bool hidden = false;
    for (int azimuth = 0; azimuth < 360;
         /* where it is asked for, a side is taken that shows less, and said */
         azimuth += 10) {
        snprintf(
            arguments, sizeof arguments,
            "{\"coord_list\":[[0.5,0.5]],\"camera\":\"around:Red Bottle@%d,0,1.2\"}",
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
    fine(
        "move_object",
        "{\"object_name\":\"Blue Bottle\",\"yaw_deg\":30,\"scene_id\":\"scene-1\"}");
    rpc_result result;
    const json_t *row =
        good("get_object_info", "{\"object_name\":\"Blue Bottle\"}", &result);
    assert_true(json_is_false(json_object_get(row, "moved")));
    drop(result);
    /* another way was taken */
    refused("redo", "{\"scene_id\":\"scene-1\"}", "nothing to redo");
}

static void there_is_an_end_to_open_scenes_and_to_a_history(void **state)
{
    (void)state;
    char arguments[128];
    for (int i = 1; i < WORLD_SCENES_MAX; i++)
        fine("open_scene", "{}");
    refused("open_scene", "{}", "close one");
    fine("close_scene", "{\"scene_id\":\"scene-7\"}");
    fine("open_scene", "{}");
    /* a handle is never given twice */
    refused("history", "{\"scene_id\":\"scene-7\"}", "scene-7");
    for (int i = 0; i < WORLD_EDITS_MAX + 10; i++) {
        snapshot snap = {0};
        assert_int_equal(world_stand(&w->scenes[0], &snap, NULL), ETNA_OK);
        assert_int_equal(world_push(&w->scenes[0], &snap, "edit", NULL),
                         ETNA_OK);
        snapshot_free(&snap);
    }
    assert_int_equal(edits("{}"), WORLD_EDITS_MAX - 1);
    snprintf(arguments, sizeof arguments, "{\"count\":%d}",
             WORLD_EDITS_MAX - 1);
    fine("undo", arguments);
    fine("place_object", PLACE "}");
    assert_int_equal(edits("{}"), 1);
}

static void images_stay_small(void **state)
{
    (void)state;
    rpc_result result;
    static const char *const calls[] = {
        "{\"max_size\":1024,\"format\":\"png\",\"grid\":true}",
        "{\"max_size\":1024}"};
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
    assert_int_equal(json_array_size(tools), 21);
    json_array_foreach(tools, i, tool)
    {
        assert_true(json_string_length(json_object_get(tool, "description")) >
                    20);
        const json_t *schema = json_object_get(tool, "inputSchema"), *name;
        const json_t *properties = json_object_get(schema, "properties"),
                     *output = json_object_get(tool, "outputSchema");
        size_t n;
        assert_string_equal(json_string_value(json_object_get(schema, "type")),
                            "object");
        assert_string_equal(json_string_value(json_object_get(output, "type")),
                            "object");
        assert_true(json_array_size(json_object_get(output, "required")) > 0);
        json_array_foreach(json_object_get(schema, "required"), n, name)
            assert_non_null(
                json_object_get(properties, json_string_value(name)));
    }
}

/* A token is taken for four characters of compact JSON. */
static void all_tools_and_the_instructions_are_told_in_3500_tokens(void **state)
{
    (void)state;
    char *text = json_dumps(tools, JSON_COMPACT);
    assert_non_null(text);
    size_t tokens = (strlen(text) + strlen(mcp_instructions)) / 4;
    free(text);
    assert_true(tokens > 1000);
    assert_true(tokens <= 3500);
}

static const json_t *cameras_of(const char *tool)
{
    return json_object_get(
        json_object_get(schema_of(tool, "inputSchema"), "properties"),
        "camera");
}

static void a_camera_is_said_alike_to_all_tools(void **state)
{
    (void)state;
    static const char *const names[] = {"render_with_highlighted_object",
                                        "list_all_object_in_view",
                                        "ray_probe_for_plane",
                                        "place_object",
                                        "move_object",
                                        "run_goal"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(
            json_equal(cameras_of("render_view"), cameras_of(names[i])));
}

static void names_are_taken_in_any_case_where_they_are_one_things(void **state)
{
    (void)state;
    rpc_result result;
    const json_t *row =
        good("get_object_info", "{\"object_name\":\"RED bottle\"}", &result);
    assert_string_equal(json_string_value(json_object_get(row, "name")),
                        "Red Bottle");
    drop(result);
    const json_t *placed = good(
        "place_object",
        "{\"constraints\":[[\"ObjectName\",\"red bottle\"],[\"CloseToPix\",\"down\",[0.645,0.42]],"
        "[\"Contact\",\"down\",\"yellow block_up\"],[\"FaceTo\",\"TABLE\"]]}",
        &result);
    assert_string_equal(json_string_value(json_object_get(placed, "object")),
                        "Red Bottle");
    assert_string_equal(json_string_value(json_array_get(
                            json_object_get(placed, "stands_on"), 0)),
                        "Yellow Block");
    drop(result);
    const json_t *marked = good(
        "render_with_highlighted_object",
        "{\"object_name_list\":[\"blue bottle\"],\"max_size\":64}", &result);
    assert_non_null(
        json_object_get(json_object_get(marked, "colours"), "Blue Bottle"));
    drop(result);
    fine("move_object", "{\"object_name\":\"green bottle\",\"yaw_deg\":10}");
}

static void
an_edit_answers_with_a_picture_of_the_place_by_the_camera_it_was_made_through(
    void **state)
{
    (void)state;
    rpc_result result, again;
    const json_t *placed = good(
        "place_object", PLACE ",\"camera\":\"around:Red Bottle\"}", &result);
    const char *camera = json_string_value(json_object_get(placed, "camera"));
    char arguments[512];
    assert_string_equal(json_string_value(json_object_get(
                            json_array_get(result.content, 1), "type")),
                        "image");
    assert_non_null(
        strstr(json_string_value(json_object_get(placed, "picture")),
               "along its margin"));
    snprintf(arguments, sizeof arguments,
             "{\"max_size\":640,\"camera\":\"%s\"}", camera);
    good("render_view", arguments, &again);
    assert_true(json_equal(json_array_get(result.content, 1),
                           json_array_get(again.content, 1)));
    drop(again);
    drop(result);
    const json_t *moved =
        good("move_object", "{\"object_name\":\"Red Bottle\",\"yaw_deg\":45}",
             &result);
    assert_non_null(json_object_get(moved, "camera"));
    assert_null(json_object_get(moved, "note"));
    assert_int_equal(json_array_size(result.content), 2);
    drop(result);
    moved = good(
        "move_object",
        "{\"object_name\":\"Red Bottle\",\"yaw_deg\":5,\"camera\":\"around:0,0,9@0,-89,0.1\"}",
        &result);
    assert_non_null(strstr(json_string_value(json_object_get(moved, "note")),
                           "Red Bottle does not show"));
    drop(result);
}

static const char *edit_after(const char *tool,
                              const char *arguments,
                              char ret[16])
{
    rpc_result result;
    snprintf(ret, 16, "%s",
             json_string_value(
                 json_object_get(good(tool, arguments, &result), "edit")));
    drop(result);
    return ret;
}

static void an_edit_has_a_handle_that_is_never_given_twice(void **state)
{
    (void)state;
    char handle[16];
    static const char turn[] = "{\"object_name\":\"Red Bottle\",\"yaw_deg\":5}";
    assert_string_equal(edit_after("get_scene_info", "{}", handle), "e0");
    assert_string_equal(edit_after("move_object", turn, handle), "e1");
    assert_string_equal(edit_after("move_object", turn, handle), "e2");
    assert_string_equal(edit_after("move_object", turn, handle), "e3");
    assert_string_equal(edit_after("undo", "{\"to\":\"e1\"}", handle), "e1");
    refused("undo", "{\"to\":\"e2\"}", "e1 stands");
    assert_string_equal(edit_after("redo", "{\"to\":\"E2\"}", handle), "e2");
    assert_string_equal(edit_after("move_object", turn, handle), "e4");
    refused("undo", "{\"to\":\"e3\"}", "no edit \"e3\"");
    refused("undo", "{\"to\":\"e\"}", "no edit");
    refused("undo", "{\"to\":\"99999999999999999999\"}", "no edit");
    assert_string_equal(edit_after("undo", "{\"to\":\"0\"}", handle), "e0");
}

static void a_server_without_a_scene_opens_those_beneath_its_roots(void **state)
{
    (void)state;
    rpc_result result;
    refused("get_scene_info", "{}", "list_scenes");
    const json_t *listed = good("list_scenes", "{}", &result);
    bool found = false;
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(listed, "files"), i, one) found =
        found || strcmp(json_string_value(one), "bottles.glb") == 0;
    assert_true(found);
    assert_int_equal(json_array_size(json_object_get(listed, "open")), 0);
    drop(result);
    listed = good("list_scenes", "{\"query\":\"BOTTLES.\"}", &result);
    assert_int_equal(json_array_size(json_object_get(listed, "files")), 1);
    drop(result);
    fine("open_scene", "{\"path\":\"bottles.glb\"}");
    fine("get_scene_info", "{}"); /* the only one: no handle is needed */
    fine("open_scene", "{\"path\":\"" ETNA_BINARY_DIR "/scenes/bottles.glb\"}");
    refused("get_scene_info", "{}",
            "scene-1 (bottles.glb), scene-2 (bottles.glb)");
    fine(
        "move_object",
        "{\"object_name\":\"Red Bottle\",\"yaw_deg\":45,\"scene_id\":\"scene-2\"}");
    assert_int_equal(edits("{\"scene_id\":\"scene-1\"}"), 0);
    fine("open_scene", "{\"from\":\"scene-2\"}");
    fine("close_scene", "{\"scene_id\":\"scene-2\"}");
    /* its file is still open */
    assert_int_equal(edits("{\"scene_id\":\"scene-3\"}"), 1);
    fine("close_scene", "{\"scene_id\":\"scene-3\"}");
    fine("close_scene", "{\"scene_id\":\"scene-1\"}");
    refused("history", "{}", "no scene is open");
}

static void what_lies_outside_of_the_roots_is_not_opened(void **state)
{
    (void)state;
    static const char *const calls[][2] = {{"../bin/etna", "outside"},
                                           {"/etc/passwd", "outside"},
                                           {"none.glb", "is not there"},
                                           {".", "is no file"},
                                           {"", "is no path"},
                                           {"a\\u0007.glb", "control"},
                                           {"/", "outside"}};
    char arguments[256];
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        snprintf(arguments, sizeof arguments, "{\"path\":\"%s\"}", calls[i][0]);
        refused("open_scene", arguments, calls[i][1]);
    }
    assert_int_equal(w->file_count, 0);
    /* where files may be */
    refused("open_scene", "{\"path\":\"../bin/etna\"}", scenes);
}

static void there_is_an_end_to_open_files(void **state)
{
    (void)state;
    for (int i = 0; i < WORLD_FILES_MAX; i++)
        fine("open_scene", "{\"path\":\"bottles.glb\"}");
    refused("open_scene", "{\"path\":\"bottles.glb\"}", "close one");
    fine("close_scene", "{\"scene_id\":\"scene-3\"}");
    fine("open_scene", "{\"path\":\"bottles.glb\"}");
}

static void a_folder_that_cannot_be_used_is_told_by_the_tool_that_needs_it(
    void **state)
{
    (void)state;
    char missing[FOLDER_SIZE + 16];
    snprintf(missing, sizeof missing, "%s/none/deeper", folder);
    w->options.folder = missing;
    refused("export_scene", "{\"file\":\"kept.glb\"}", "/none/deeper");
    fine("get_scene_info", "{}");
    snprintf(missing, sizeof missing, "%s/made", folder);
    written = 0;
    fine("export_scene", "{\"file\":\"kept.glb\"}");
    assert_true(written > 1000);
    assert_int_equal(rmdir(missing), 0);
    w->options.folder = NULL;
    refused("export_scene", "{\"file\":\"kept.glb\"}", "--folder");
}

static void a_client_s_roots_take_the_place_of_those_it_told_before(
    void **state)
{
    (void)state;
    json_t *told = json_loads(
        "[{\"uri\":\"file:///tmp%20a/b\"},{\"uri\":\"https://a/b\"},{\"uri\":7},{},3,"
        "{\"uri\":\"file://localhost/etc\"},{\"uri\":\"file:///a%00b\"}]",
        0, NULL);
    roots_take_clients(&w->roots, told);
    assert_int_equal(w->roots.count, 3); /* with that of --root */
    assert_string_equal(w->roots.items[1].path, "/tmp a/b");
    assert_string_equal(w->roots.items[2].path, "/etc");
    json_array_clear(told);
    roots_take_clients(&w->roots, told);
    assert_int_equal(w->roots.count, 1);
    json_decref(told);
    told = json_array();
    for (int i = 0; i < 2 * ROOTS_MAX; i++)
        json_array_append_new(told, json_pack("{s:s}", "uri", "file:///etc"));
    roots_take_clients(&w->roots, told);
    assert_int_equal(w->roots.count, ROOTS_MAX);
    json_decref(told);
}

static void resources_are_read_and_prompts_filled(void **state)
{
    (void)state;
    static const char *const uris[] = {"etna://guide", "etna://scenes",
                                       "etna://scene/main"};
    const char *wrong = NULL;
    for (size_t i = 0; i < sizeof uris / sizeof *uris; i++) {
        rpc_result result = {0};
        mcp_resource_read(w, uris[i], &result);
        assert_false(result.is_error);
        const json_t *part = json_array_get(result.content, 0);
        assert_string_equal(json_string_value(json_object_get(part, "uri")),
                            uris[i]);
        assert_true(json_string_length(json_object_get(part, "text")) > 20);
        drop(result);
    }
    rpc_result none = {0};
    mcp_resource_read(w, "etna://scene/scene-9", &none);
    assert_true(none.is_error);
    drop(none);
    mcp_resource_read(w, "file:///etc/passwd", &none);
    assert_true(none.is_error);
    drop(none);
    json_t *given = json_pack("{s:s}", "goal", "a cup on the table"),
           *messages = mcp_prompt_fill("arrange", given, &wrong);
    assert_non_null(messages);
    json_decref(messages);
    json_decref(given);
    assert_null(mcp_prompt_fill("arrange", NULL, &wrong));
    assert_non_null(strstr(wrong, "goal"));
    messages = mcp_prompt_fill("survey", NULL, &wrong);
    assert_non_null(messages);
    json_decref(messages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
#define E(f) cmocka_unit_test_setup_teardown(f, begin_empty, end)
        T(every_tool_gives_what_its_schema_promises),
        T(what_is_wrong_is_said),
        T(arrangements_do_not_know_of_each_other),
        T(a_wrong_name_brings_those_that_are_alike_and_a_wrong_argument_what_it_is_for),
        T(arguments_as_models_give_them_are_what_is_meant),
        T(an_edit_says_what_the_object_came_to_stand_on),
        T(what_a_ray_meets_is_told_to_a_micrometre),
        T(what_shows_is_told_with_its_box_and_colour),
        T(what_is_highlighted_and_does_not_show_is_told),
        T(a_view_around_an_object_shows_it_and_is_the_same_when_asked_for_again),
        T(there_is_an_end_to_open_scenes_and_to_a_history),
        T(images_stay_small),
        T(descriptions_are_whole),
        T(all_tools_and_the_instructions_are_told_in_3500_tokens),
        T(a_camera_is_said_alike_to_all_tools),
        T(names_are_taken_in_any_case_where_they_are_one_things),
        T(an_edit_answers_with_a_picture_of_the_place_by_the_camera_it_was_made_through),
        T(an_edit_has_a_handle_that_is_never_given_twice),
        T(a_folder_that_cannot_be_used_is_told_by_the_tool_that_needs_it),
        T(resources_are_read_and_prompts_filled),
        E(a_server_without_a_scene_opens_those_beneath_its_roots),
        E(what_lies_outside_of_the_roots_is_not_opened),
        E(there_is_an_end_to_open_files),
        E(a_client_s_roots_take_the_place_of_those_it_told_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
