/* Facts and tools over real geometry: what the geometry rooms know arrives in
 * the JSON, the built-in agent reads it back, and the tools answer what a probe
 * says. */
#include "tests/support/stage.h"
#include "worker/agents/facts.h"
#include "worker/agents/tools.h"
#include "worker/builtin/builtin.h"
#include "worker/builtin/relation.h"
#include "worker/builtin/spot.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    WIDTH = 320,
    HEIGHT = 240
};

typedef struct table { /* in a room, seen from its first camera */
    stage stage;
    space_support_state support;
    scene_camera camera;
    uint32_t *ids;
} table;

/* A floor, a table on it, a lid standing on four posts over the table's right
 * half, a block on the left half. */
static void open_table(table *st)
{
    scene_builder *b = scene_builder_new();
    scene_builder_object(b, "Floor", scene_builder_box(b, 4, 4, 0.1),
                         scene_builder_at(0, 0, -0.05, 0), true);
    scene_builder_object(b, "Table", scene_builder_box(b, 1.0, 0.6, 0.7),
                         scene_builder_at(0, 0, 0.35, 0), false);
    scene_builder_object(b, "Block", scene_builder_box(b, 0.2, 0.2, 0.1),
                         scene_builder_at(-0.3, 0, 0.75, 30), false);
    scene_builder_object(b, "Lid", scene_builder_box(b, 0.4, 0.6, 0.02),
                         scene_builder_at(0.3, 0, 0.86, 0), false);
    scene_builder_part(b, scene_builder_box(b, 0.02, 0.02, 0.15),
                       scene_builder_at(0.11, 0.29, 0.775, 0));
    scene_builder_part(b, scene_builder_box(b, 0.02, 0.02, 0.15),
                       scene_builder_at(0.49, 0.29, 0.775, 0));
    scene_builder_part(b, scene_builder_box(b, 0.02, 0.02, 0.15),
                       scene_builder_at(0.11, -0.29, 0.775, 0));
    scene_builder_part(b, scene_builder_box(b, 0.02, 0.02, 0.15),
                       scene_builder_at(0.49, -0.29, 0.775, 0));
    scene_builder_camera(b, "Camera", v3(0, -2.2, 2.4), v3(0, 0, 0.6));
    scene_builder_camera(b, "Side", v3(2.4, 0.3, 2.2), v3(0, 0, 0.6));
    st->stage = stage_open(b);
    st->camera = st->stage.scene->cameras[0];
    etna_error err = {0};
    etna_code code = space_support_compute(st->stage.space, &(space_rules){0},
                                           NULL, NULL, &st->support, &err);
    st->ids = malloc(sizeof(uint32_t) * WIDTH * HEIGHT);
    if (code == ETNA_OK)
        code = view_instance_map(st->stage.space, &st->camera, WIDTH, HEIGHT,
                                 st->ids, &err);
    if (code != ETNA_OK)
        fail_msg("%s", err.text);
}

static void close_table(table *st)
{
    free(st->ids);
    space_support_free(&st->support);
    stage_close(&st->stage);
}

static char *build_said_by(const table *st,
                           const facts_checks *checks,
                           const scene_camera *usual)
{
    facts_input input = {.usual = usual,
                         .space = st->stage.space,
                         .probes = st->stage.probes,
                         .camera = &st->camera,
                         .width = WIDTH,
                         .height = HEIGHT,
                         .ids = st->ids,
                         .support = &st->support,
                         .checks = checks};
    char *json = NULL;
    size_t size = 0;
    etna_error err = {0};
    if (facts_build(&input, &json, &size, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    assert_int_equal(size, strlen(json));
    return json;
}

static char *build(const table *st, const facts_checks *checks)
{
    return build_said_by(st, checks, NULL);
}

static void left_and_right_are_those_of_the_usual_picture(void **state)
{
    (void)state;
    table st = {0};
    open_table(&st);
    const scene_camera *side = &st.stage.scene->cameras[1];
    char *json = build_said_by(&st, NULL, side),
         *same = build_said_by(&st, NULL, &st.camera),
         *plain = build(&st, NULL);
    assert_string_equal(same, plain);
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts;
    etna_error err = {0};
    double right[2], away[2], image[2], x, y, depth;
    if (builtin_facts_read(json, strlen(json), &arena, &facts, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    builtin_picture_axes(&facts, right, away);
    assert_true(right[0] * side->right.x + right[1] * side->right.y > 0.9);
    assert_true(facts.position[0] == side->position.x);
    assert_true(builtin_project(&facts, facts.objects[2].centre, image,
                                NULL)); /* in the picture that is shown */
    assert_true(camera_project(
        &st.camera, st.stage.scene->objects[2].box.centre, &x, &y, &depth));
    assert_true(fabs(image[0] - x) < 1e-12 && fabs(image[1] - y) < 1e-12);
    etna_arena_free(&arena);
    free(json);
    free(same);
    free(plain);
    close_table(&st);
}

/* Of characters; a token is about four of them, and of numbers fewer. */
static void brief_facts_take_a_short_line_for_each_object(void **state)
{
    (void)state;
    enum {
        LINE_MOST = 120
    };
    table st = {0};
    open_table(&st);
    facts_input input = {.space = st.stage.space,
                         .probes = st.stage.probes,
                         .camera = &st.camera,
                         .width = WIDTH,
                         .height = HEIGHT,
                         .ids = st.ids,
                         .support = &st.support,
                         .brief = true};
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(facts_build(&input, &text, &size, NULL), ETNA_OK);
    assert_int_equal(size, strlen(text));
    const scene *s = st.stage.scene;
    uint32_t lines = 0;
    for (const char *at = strchr(text, '\n') + 1; *at;
         at = strchr(at, '\n') + 1) {
        assert_true(strcspn(at, "\n") < LINE_MOST);
        lines++;
    }
    assert_int_equal(lines, s->object_count);
    for (uint32_t i = 0; i < s->object_count; i++)
        assert_non_null(strstr(text, s->objects[i].name));
    char on[300];
    /* what the block stands on */
    snprintf(on, sizeof on, "| \"%s\"", s->objects[1].name);
    const char *block = strstr(strchr(text, '\n'), s->objects[2].name);
    assert_true(strstr(block, on) && strstr(block, on) < strchr(block, '\n'));
    free(text);
    close_table(&st);
}

static void the_builtin_agent_reads_back_what_geometry_knows(void **state)
{
    (void)state;
    table st = {0};
    open_table(&st);
    char *json = build(&st, NULL), *again = build(&st, NULL);
    assert_string_equal(json, again);
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts;
    etna_error err = {0};
    if (builtin_facts_read(json, strlen(json), &arena, &facts, &err) != ETNA_OK)
        fail_msg("%s\n%.2000s", err.text, json);
    assert_int_equal(facts.object_count, 4);
    assert_true(facts.objects[0].is_static);
    for (uint32_t i = 1; i < 4; i++) {
        assert_true(facts.objects[i].visible && facts.objects[i].has_colour &&
                    !facts.objects[i].hovering);
        vec3 centre = st.stage.scene->objects[i].box.centre;
        assert_true(facts.objects[i].centre[0] == centre.x &&
                    facts.objects[i].centre[1] == centre.y &&
                    facts.objects[i].centre[2] == centre.z);
        double image[2], x, y, depth;
        assert_true(
            builtin_project(&facts, facts.objects[i].centre, image, NULL));
        assert_true(camera_project(&st.camera, centre, &x, &y, &depth));
        assert_true(fabs(image[0] - x) < 1e-12 && fabs(image[1] - y) < 1e-12);
    }
    assert_true(builtin_stands_on(&facts, 1, 0) &&
                builtin_stands_on(&facts, 2, 1) &&
                builtin_stands_on(&facts, 3, 1));
    assert_int_equal(facts.objects[1].on_count, 2);
    assert_false(facts.has_checks);
    etna_arena_free(&arena);
    free(json);
    free(again);
    close_table(&st);
}

/* Under the lid there is room for a coin and none for a cup; beside it there is
 * room for both. */
static void maps_tell_the_height_that_is_free(void **state)
{
    (void)state;
    table st = {0};
    open_table(&st);
    char *json = build(&st, NULL);
    for (int tall = 0; tall < 2; tall++) {
        etna_arena arena = ETNA_ARENA_INIT;
        builtin_facts facts;
        assert_int_equal(
            builtin_facts_read(json, strlen(json), &arena, &facts, NULL),
            ETNA_OK);
        builtin_object *objects = etna_arena_memdup(
            &arena, facts.objects, facts.object_count * sizeof *objects);
        objects[2].half[0] = objects[2].half[1] = 0.03;
        objects[2].half[2] = tall ? 0.15 : 0.01;
        facts.objects = objects;
        builtin_rect left = {{-0.5, -0.3}, {0.1, 0.3}};
        builtin_wish wish = {.object = 2,
                             .reference = 1,
                             .taste = TASTE_ROOMY,
                             .taken = &left,
                             .taken_count = 1};
        builtin_spot spots[BUILTIN_SPOTS_MAX];
        uint32_t count = 99;
        assert_int_equal(builtin_spots(&facts, &wish, spots, &count, NULL),
                         ETNA_OK);
        assert_int_equal(count > 0, !tall);
        if (count)
            assert_true(fabs(spots[0].point[2] - 0.7) < 1e-6);
        etna_arena_free(&arena);
    }
    free(json);
    close_table(&st);
}

static void what_has_moved_is_told_as_it_stood_when_the_run_began(void **state)
{
    (void)state;
    table st = {0};
    open_table(&st);
    snapshot before = {0}, after = {0};
    space_support_state now = {0};
    arrange_pose pose = scene_base_pose(&st.stage.scene->objects[2]);
    pose.position[0] = 1.2;
    pose.position[2] = 0.05;
    pose.yaw += 0.5;
    assert_int_equal(snapshot_base(st.stage.scene, &before, NULL), ETNA_OK);
    assert_int_equal(snapshot_edit(&before, 2, &pose, &after, NULL), ETNA_OK);
    assert_int_equal(space_restore(st.stage.space, &after, NULL), ETNA_OK);
    assert_int_equal(space_support_compute(st.stage.space, &(space_rules){0},
                                           &st.support, NULL, &now, NULL),
                     ETNA_OK);
    facts_input input = {.space = st.stage.space,
                         .probes = st.stage.probes,
                         .camera = &st.camera,
                         .width = WIDTH,
                         .height = HEIGHT,
                         .support = &now,
                         .start = &st.support};
    char *json = NULL;
    size_t size = 0;
    assert_int_equal(facts_build(&input, &json, &size, NULL), ETNA_OK);
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts, start;
    assert_int_equal(builtin_facts_read(json, size, &arena, &facts, NULL),
                     ETNA_OK);
    assert_int_equal(builtin_facts_at_start(&facts, &arena, &start, NULL),
                     ETNA_OK);
    const builtin_object *then = &start.objects[2], *block = &facts.objects[2];
    vec3 centre = st.stage.scene->objects[2].box.centre;
    assert_true(block->moved && !facts.objects[3].moved);
    assert_true(builtin_stands_on(&facts, 2, 0) &&
                !builtin_stands_on(&facts, 2, 1));
    assert_true(builtin_stands_on(&start, 2, 1) &&
                !builtin_stands_on(&start, 2, 0));
    assert_int_equal(start.objects[1].on_count, 2); /* the block and the lid */
    assert_int_equal(facts.objects[1].on_count, 1);
    assert_true(then->centre[0] == centre.x && then->centre[1] == centre.y &&
                then->centre[2] == centre.z);
    assert_true(fabs(then->heading[0] * block->heading[0] +
                     then->heading[1] * block->heading[1] -
                     0.8775825618903728) < 1e-9); /* cos 0.5 */
    /* left of the middle then */
    assert_true(then->visible && then->image_box[2] < 0.5);
    free(json);
    etna_arena_free(&arena);
    space_support_free(&now);
    snapshot_free(&before);
    snapshot_free(&after);
    close_table(&st);
}

static void checks_name_what_went_wrong(void **state)
{
    (void)state;
    table st = {0};
    open_table(&st);
    snapshot before = {0}, after = {0};
    arrange_pose pose = scene_base_pose(&st.stage.scene->objects[2]);
    pose.position[0] += 0.3;
    assert_int_equal(snapshot_base(st.stage.scene, &before, NULL), ETNA_OK);
    assert_int_equal(snapshot_edit(&before, 2, &pose, &after, NULL), ETNA_OK);
    space_pair pair = {.a = 2, .b = 3, .depth = 0.04};
    uint32_t floating = 3;
    facts_checks checks = {.object = 2,
                           .plane = "Table_up",
                           .target = {0.4, 0.6},
                           .before = &before,
                           .after = &after,
                           .collision_count = 1,
                           .collisions = &pair,
                           .floating_count = 1,
                           .floating = &floating};
    char *json = build(&st, &checks);
    etna_arena arena = ETNA_ARENA_INIT;
    builtin_facts facts;
    assert_int_equal(
        builtin_facts_read(json, strlen(json), &arena, &facts, NULL), ETNA_OK);
    assert_true(facts.has_checks);
    assert_int_equal(facts.checks.object, 2);
    assert_true(fabs(facts.checks.moved - 0.3) < 1e-12);
    assert_int_equal(facts.checks.others_moved, 0);
    assert_string_equal(facts.checks.collisions, "Block and Lid");
    assert_string_equal(facts.checks.floating, "Lid");
    assert_false(facts.checks.object_floats);
    etna_arena_free(&arena);
    free(json);
    snapshot_free(&before);
    snapshot_free(&after);
    close_table(&st);
}

/* A tool's answer as JSON; the caller decrefs. */
static json_t *call(const table *st,
                    const char *tool,
                    const char *arguments,
                    etna_arena *arena,
                    agent_tool_result *ret)
{
    tools_scene at = {.space = st->stage.space,
                      .probes = st->stage.probes,
                      .camera = &st->camera,
                      .camera_name = "Camera",
                      .ids = st->ids,
                      .width = WIDTH,
                      .height = HEIGHT,
                      .snapshot = {{7}}};
    model_part part = {.kind = MODEL_TOOL_CALL,
                       .tool_name = tool,
                       .tool_id = "1",
                       .text = arguments};
    etna_error err = {0};
    memset(ret, 0, sizeof *ret);
    if (tools_run(&at, &part, arena, ret, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    json_t *root = json_loads(ret->json, 0, NULL);
    assert_true(json_is_object(root));
    return root;
}

/* The same with a set of tools; true when the answer is no error. */
static bool serves(const table *st,
                   uint32_t set,
                   const char *tool,
                   const char *arguments,
                   agent_tool_result *ret)
{
    static etna_arena arena = ETNA_ARENA_INIT;
    tools_scene at = {.space = st->stage.space,
                      .probes = st->stage.probes,
                      .camera = &st->camera,
                      .camera_name = "Camera",
                      .ids = st->ids,
                      .width = WIDTH,
                      .height = HEIGHT,
                      .snapshot = {{7}},
                      .set = set};
    model_part part = {.kind = MODEL_TOOL_CALL,
                       .tool_name = tool,
                       .tool_id = "1",
                       .text = arguments};
    etna_error err = {0};
    etna_arena_free(&arena);
    arena = (etna_arena)ETNA_ARENA_INIT;
    memset(ret, 0, sizeof *ret);
    if (tools_run(&at, &part, &arena, ret, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    bool good = strstr(ret->json, "\"error\"") == NULL;
    char *kept = strdup(ret->json); /* outlives the arena until the next call */
    static char last[4096];
    snprintf(last, sizeof last, "%s", kept);
    free(kept);
    ret->json = last;
    bool other = ret->has_image && ret->image.camera &&
                 strcmp(ret->image.camera, "Side") == 0;
    etna_arena_free(&arena);
    ret->image.camera = other ? "Side" : "";
    return good;
}

static void each_set_has_its_tools_and_no_other(void **state)
{
    (void)state;
    table st = {0};
    open_table(&st);
    agent_tool_result result;
    static const char *const all[] = {"list_all_object_in_view",
                                      "ray_probe_for_plane",
                                      "ray_probe",
                                      "render_with_highlighted_object",
                                      "render_view",
                                      "get_scene_info",
                                      "get_object_info",
                                      "execute_blender_code",
                                      ""};
    static const char *const sets[TOOLS_SETS] = {"yyyy-----", "yyyyy----",
                                                 "----y----", "-----yy--"};
    static const char arguments[] =
        "{\"interested_area\":[0,0,1,1],\"coord_list\":[[0.5,0.5]],\"object_name_list\":[\"Table\"],\"camera\":\"Side\",\"object_name\":\"Table\"}";
    for (uint32_t set = 0; set < TOOLS_SETS; set++) {
        uint32_t count = 0;
        const model_tool *declared = tools_list(set, &count);
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            bool named = false;
            for (uint32_t k = 0; k < count; k++)
                named = named || strcmp(declared[k].name, all[i]) == 0;
            assert_int_equal(named, sets[set][i] == 'y');
            if (serves(&st, set, all[i], arguments, &result) != named)
                fail_msg("set %u, %s: %s", set, all[i], result.json);
        }
        /* a schema that a provider can send */
        for (uint32_t k = 0; k < count; k++) {
            json_t *schema = json_loads(declared[k].schema, 0, NULL);
            assert_string_equal(
                json_string_value(json_object_get(schema, "type")), "object");
            json_decref(schema);
        }
    }
    close_table(&st);
}

static void tools_look_through_the_camera_they_are_told(void **state)
{
    (void)state;
    table st = {0};
    open_table(&st);
    agent_tool_result result;
    const scene_camera *side = &st.stage.scene->cameras[1];
    double x, y, depth;
    char arguments[200];
    assert_true(camera_project(side, v3(0.45, 0.1, 0.87), &x, &y, &depth));
    snprintf(arguments, sizeof arguments,
             "{\"coord_list\":[[%.9f,%.9f]],\"camera\":\"Side\"}", x, y);
    assert_true(serves(&st, TOOLS_CAMERAS, "ray_probe", arguments, &result));
    assert_non_null(strstr(result.json, "\"Lid\""));
    json_t *root = json_loads(result.json, 0, NULL);
    const json_t *at = json_object_get(
        json_array_get(json_object_get(root, "hits"), 0), "location");
    assert_true(fabs(json_number_value(json_array_get(at, 0)) - 0.45) < 1e-6);
    json_decref(root);
    assert_true(serves(&st, TOOLS_CAMERAS, "list_all_object_in_view",
                       "{\"interested_area\":[0,0,1,1],\"camera\":\"Side\"}",
                       &result));
    assert_true(serves(&st, TOOLS_CAMERAS, "render_view",
                       "{\"camera\":\"Side\"}", &result));
    assert_true(result.has_image && result.image.grid);
    assert_string_equal(result.image.camera, "Side");
    assert_false(serves(&st, TOOLS_CAMERAS, "render_view", "{}", &result));
    assert_false(
        serves(&st, TOOLS_CAMERAS, "render_view", "{\"camera\":7}", &result));
    assert_false(serves(&st, TOOLS_CAMERAS, "ray_probe",
                        "{\"coord_list\":[[0.5,0.5]],\"camera\":\"Nowhere\"}",
                        &result));
    assert_non_null(strstr(result.json, "one of the task's cameras"));
    close_table(&st);
}

static void tools_answer_what_the_probes_say(void **state)
{
    (void)state;
    table st = {0};
    open_table(&st);
    etna_arena arena = ETNA_ARENA_INIT;
    agent_tool_result result;
    double x, y, depth;
    char arguments[200];
    assert_true(camera_project(&st.camera, v3(0, -0.2, 0.7), &x, &y, &depth));
    snprintf(arguments, sizeof arguments,
             "{\"coord_list\":[[%.9f,%.9f],[0.5,0.001]]}", x, y);
    json_t *root = call(&st, "ray_probe_for_plane", arguments, &arena, &result);
    json_t *hit = json_array_get(json_object_get(root, "hits"), 0);
    assert_string_equal(json_string_value(json_object_get(hit, "object")),
                        "Table");
    assert_true(fabs(json_number_value(
                         json_array_get(json_object_get(hit, "location"), 1)) +
                     0.2) < 1e-6);
    assert_true(json_number_value(
                    json_array_get(json_object_get(hit, "normal"), 2)) > 0.999);
    const char *plane = json_string_value(json_object_get(hit, "plane"));
    assert_int_equal(strncmp(plane, "Table_", 6), 0);
    char *facts = build(&st, NULL);
    char wanted[300];
    snprintf(wanted, sizeof wanted, "\"plane\":\"%s\"", plane);
    /* facts and tools call one plane by one name */
    assert_non_null(strstr(facts, wanted));
    free(facts);
    assert_int_equal(
        json_array_size(json_object_get(root, "tops")),
        json_is_null(json_array_get(json_object_get(root, "hits"), 1)) ? 1 : 2);
    json_decref(root);
    root = call(&st, "ray_probe", arguments, &arena, &result);
    assert_null(json_object_get(
        json_array_get(json_object_get(root, "hits"), 0), "plane"));
    json_decref(root);
    root = call(&st, "list_all_object_in_view",
                "{\"interested_area\":[0,0,1,1]}", &arena, &result);
    assert_int_equal(json_array_size(json_object_get(root, "objects")), 4);
    json_decref(root);
    root = call(&st, "render_with_highlighted_object",
                "{\"object_name_list\":[\"Lid\",\"Block\"]}", &arena, &result);
    assert_true(result.has_image);
    assert_string_equal(result.image.highlight, "Lid,Block");
    assert_int_equal(result.image.snapshot.bytes[0], 7);
    assert_int_equal(json_object_size(json_object_get(root, "colours")), 2);
    json_decref(root);
    etna_arena_free(&arena);
    close_table(&st);
}

static void calls_that_cannot_be_served_are_answered_with_what_to_change(
    void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"ray_probe", "", "not a JSON object"},
        {"ray_probe", "[1]", "not a JSON object"},
        {"ray_probe", "{\"coord_list\":", "not a JSON object"},
        {"ray_probe", "{}", "1 to 64 pairs"},
        {"ray_probe", "{\"coord_list\":[]}", "1 to 64 pairs"},
        {"ray_probe", "{\"coord_list\":[[0.5]]}", "pairs of numbers"},
        {"ray_probe", "{\"coord_list\":[[\"a\",\"b\"]]}", "pairs of numbers"},
        {"ray_probe_for_plane", "{\"coord_list\":[[0.5,7]]}", ""},
        {"ray_probe_for_plane", "{\"coord_list\":[[1e308,-1e308]]}", ""},
        {"list_all_object_in_view", "{\"interested_area\":[0,0,1]}",
         "four numbers"},
        {"list_all_object_in_view", "{\"interested_area\":[1,1,0,0]}", ""},
        {"render_with_highlighted_object",
         "{\"object_name_list\":[\"Unicorn\"]}", "'Unicorn'"},
        {"render_with_highlighted_object", "{\"object_name_list\":[3]}",
         "not a text"},
        {"render_with_highlighted_object",
         "{\"object_name_list\":[\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\"]}",
         "1 to 10"},
        {"delete_everything", "{}", "no such tool"},
    };
    table st = {0};
    open_table(&st);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        etna_arena arena = ETNA_ARENA_INIT;
        agent_tool_result result;
        json_t *root = call(&st, cases[i][0], cases[i][1], &arena, &result);
        const char *text = json_string_value(json_object_get(root, "error"));
        if (!text || !strstr(text, cases[i][2]))
            fail_msg("case %zu: %s", i, result.json);
        assert_false(result.has_image);
        json_decref(root);
        etna_arena_free(&arena);
    }
    close_table(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brief_facts_take_a_short_line_for_each_object),
        cmocka_unit_test(left_and_right_are_those_of_the_usual_picture),
        cmocka_unit_test(the_builtin_agent_reads_back_what_geometry_knows),
        cmocka_unit_test(maps_tell_the_height_that_is_free),
        cmocka_unit_test(what_has_moved_is_told_as_it_stood_when_the_run_began),
        cmocka_unit_test(checks_name_what_went_wrong),
        cmocka_unit_test(each_set_has_its_tools_and_no_other),
        cmocka_unit_test(tools_look_through_the_camera_they_are_told),
        cmocka_unit_test(tools_answer_what_the_probes_say),
        cmocka_unit_test(
            calls_that_cannot_be_served_are_answered_with_what_to_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
