/* The table, and the one way from a call to a result.
 *
 * A tool is a row: its name, what a model is told of it, its arguments as JSON
 * Schema, what an answer always has, and its function. mcp_tools_call is the
 * only way in: arguments are made to fit where it is clear what was meant
 * (fit.h), checked against the very schema that the client was shown, and
 * handed to the function; its structure or its error becomes content. To add a
 * tool: a row here, its function in the tools_*.c of its kind, its prototype in
 * tools_internal.h. */
#include "proto/array.h"
#include "worker/mcp/tools_internal.h"

#include "worker/mcp/fit.h"
#include "worker/mcp/schema.h"

#include <sodium.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The whole list is read by a model before anything else, so each word counts:
 * what all tools share is said once in the server's instructions, and an
 * argument that is got wrong is told what it should be. */
#define SCENE_ID "\"scene_id\":{\"type\":\"string\"}"
#define CAMERA \
    "\"camera\":{\"type\":\"string\",\"description\":\"A name or number of get_scene_info; auto; cutaway; top; " \
    "orbit:AZIMUTH,ELEVATION; or around:OBJECT, around:X,Y,Z, both with @AZIMUTH,ELEVATION,METRES if wanted\"}"
#define SIZE \
    "\"max_size\":{\"type\":\"integer\",\"minimum\":64,\"maximum\":1024,\"description\":\"Pixels, default 800\"}," \
    "\"format\":{\"type\":\"string\",\"enum\":[\"jpeg\",\"png\"]}"
#define POINT \
    "{\"type\":\"array\",\"items\":{\"type\":\"number\",\"minimum\":-1e6,\"maximum\":1e6},\"minItems\":3,\"maxItems\":3}"
#define SEED "\"seed\":{\"type\":\"integer\",\"minimum\":0}"
#define QUERY "\"query\":{\"type\":\"string\"}"
#define STEPS_BACK \
    "\"count\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":500},\"to\":{\"type\":\"string\",\"description\":\"An edit " \
    "of history, as e2\"}"
#define STATE " scene_id edit edits"

static const mcp_tool table[] = {
    {"list_scenes", "Scenes",
     "Scene files that open_scene can open, and what is open.",
     "\"query\":{\"type\":\"string\",\"description\":\"Part of a path\"}", "",
     "files open left_out", true, false, false, false, tool_list_scenes},
    {"open_scene", "Open a scene",
     "Opens a file of list_scenes, or makes another arrangement of an open one, for trying something. Pass its scene_id "
     "on where several files are open.",
     "\"path\":{\"type\":\"string\"},\"from\":{\"type\":\"string\",\"description\":\"scene_id that it begins as\"}",
     "", "name object_count" STATE, false, false, false, false, tool_open},
    {"close_scene", "Close a scene", "Forgets an arrangement.", SCENE_ID,
     "scene_id", "closed open", false, true, false, false, tool_close},
    {"get_scene_info", "Overview",
     "Objects with place, size and yaw as they stand, a page at a time, and the cameras. What is static can't be moved.",
     "\"offset\":{\"type\":\"integer\",\"minimum\":0},\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":200},"
     "\"query\":{\"type\":\"string\",\"description\":\"Part of a name\"}," SCENE_ID,
     "", "name object_count offset next_offset objects cameras" STATE, true,
     false, true, false, tool_scene_info},
    {"get_object_info", "One object",
     "All that is known of an object: what it stands on, what stands on it, materials.",
     "\"object_name\":{\"type\":\"string\"}," SCENE_ID, "object_name",
     "name static position size yaw_deg support supported_by supports" STATE,
     true, false, true, false, tool_object_info},
    {"render_view", "Look", "A picture of the scene as it stands.",
     "\"grid\":{\"type\":\"boolean\",\"description\":\"Coordinates in a margin, default true\"},\"fronts\":{\"type\":"
     "\"boolean\",\"description\":\"Arrows: which way furniture faces\"}," SIZE
     "," CAMERA "," SCENE_ID,
     "", "camera width height picture" STATE, true, false, false, false,
     tool_render},
    {"render_with_highlighted_object", "Highlight objects",
     "A picture with the named objects in see-through colours, and whose is which.",
     "\"object_name_list\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"minItems\":1,\"maxItems\":10}," SIZE
     "," CAMERA "," SCENE_ID,
     "object_name_list",
     "colours not_in_view camera width height picture" STATE, true, false,
     false, false, tool_highlight},
    {"list_all_object_in_view", "Objects in view",
     "Which objects show in a rectangle of the picture, each with its box and colour there.",
     "\"interested_area\":{\"type\":\"array\",\"items\":{\"type\":\"number\"},\"minItems\":4,\"maxItems\":4,"
     "\"description\":\"x1, y1, x2, y2\"}," CAMERA "," SCENE_ID,
     "", "objects camera" STATE, true, false, false, false, tool_list_in_view},
    {"ray_probe_for_plane", "Probe points",
     "What is at points of the picture: object, 3D location, and the plane's name for place_object. `tops`: how flat each "
     "object's top (OBJECT_up) is.",
     "\"coord_list\":{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{\"type\":\"number\",\"minimum\":0,"
     "\"maximum\":1},\"minItems\":2,\"maxItems\":2},\"minItems\":1,\"maxItems\":64,\"description\":\"[x, y] pairs between 0 "
     "and 1\"}," CAMERA "," SCENE_ID,
     "coord_list", "hits tops camera" STATE, true, false, false, false,
     tool_ray_probe},
    {"place_object", "Place an object",
     "Finds a place that meets constraints, collides with nothing and leaves all supported, and moves the object there; or "
     "tells what stands in the way. Answers with a picture. Constraints: [\"ObjectName\", name] once; "
     "[\"CloseToPix\", \"down\"|\"center\", [x, y]] at least once: where in the picture the middle of its bottom, or its centre, "
     "shall be; [\"Contact\", \"down\"|\"side\"|\"up\", plane]; [\"NoOverhang\", \"down\", plane, \"full_only\"|\"center\"]; "
     "[\"Distance\", object, metres]; [\"FaceTo\"|\"BackTo\", object|plane|\"camera\"]; [\"Rotate\", degrees]. A plane: of "
     "ray_probe_for_plane, OBJECT_up, or ray:x,y.",
     "\"constraints\":{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{}},\"minItems\":2,\"maxItems\":32,"
     "\"description\":\"[[\\\"ObjectName\\\",\\\"Red Bottle\\\"],[\\\"CloseToPix\\\",\\\"down\\\",[0.5,0.6]],[\\\"Contact\\\","
     "\\\"down\\\",\\\"Table_up\\\"]]\"}," SEED "," CAMERA "," SCENE_ID,
     "constraints",
     "object stands_on position yaw_deg plane carried camera picture" STATE,
     false, false, false, false, tool_place},
    {"move_object", "Move an object",
     "Puts an object's centre at a position and turns it, if nothing then collides or loses its support; else tells why not. "
     "What stands on it goes along. Answers with a picture.",
     "\"object_name\":{\"type\":\"string\"},\"position\":" POINT
     ",\"yaw_deg\":{\"type\":\"number\",\"minimum\":-3600,\"maximum\":3600}," CAMERA
     "," SCENE_ID,
     "object_name",
     "object stands_on position yaw_deg carried camera picture" STATE, false,
     false, true, false, tool_move},
    {"run_goal", "Arrange by a goal",
     "Arranges by a sentence: plans, tries places, judges, backtracks. Seconds to minutes. One edit; answers with a picture.",
     "\"goal\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":2048}," SEED
     ",\"max_steps\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":64}," CAMERA
     "," SCENE_ID,
     "goal", "status reason run steps moved" STATE, false, false, false, true,
     tool_run_goal},
    {"find_asset", "Find an asset", "What the user's library has, best first.",
     QUERY, "query", "found assets", true, false, true, false, tool_find_asset},
    {"add_object", "Add an object", "Brings in the best asset for `query`.",
     QUERY
     ",\"place\":{\"type\":\"string\",\"description\":\"As beside the sofa\"}," SCENE_ID,
     "query", "status" STATE, false, false, false, false, tool_add},
    {"remove_object", "Remove an object",
     "Takes it out, if nothing stands on it.",
     "\"object_name\":{\"type\":\"string\"}," SCENE_ID, "object_name",
     "status" STATE, false, true, false, false, tool_remove},
    {"replace_object", "Replace an object",
     "Puts the best asset for `query` in its place.",
     "\"object_name\":{\"type\":\"string\"}," QUERY "," SCENE_ID,
     "object_name query", "status" STATE, false, true, false, false,
     tool_replace},
    {"check_physics", "Check",
     "What collides and what floats, by exact triangles. `new`: it was not so in the file.",
     SCENE_ID, "", "valid collisions floating left_out" STATE, true, false,
     true, false, tool_check},
    {"undo", "Undo",
     "Takes back the last edit, the last `count`, or all after `to`.",
     STEPS_BACK "," SCENE_ID, "", "label can_undo can_redo" STATE, false, true,
     false, false, tool_undo},
    {"redo", "Redo", "Makes again what undo took back.",
     STEPS_BACK "," SCENE_ID, "", "label can_undo can_redo" STATE, false, false,
     false, false, tool_redo},
    {"history", "History", "The edits in order; `edit` is the one that stands.",
     SCENE_ID, "", "steps can_undo can_redo" STATE, true, false, true, false,
     tool_history},
    {"export_scene", "Save",
     "Writes the scene as it stands as a GLB file into the server's folder; the input is never changed.",
     "\"file\":{\"type\":\"string\",\"minLength\":5,\"maxLength\":1024,\"description\":\"As room.glb\"},"
     "\"overwrite\":{\"type\":\"boolean\"}," SCENE_ID,
     "file", "file path bytes moved" STATE, false, true, true, false,
     tool_export},
};

enum {
    TOOL_COUNT = COUNT_OF(table)
};

/* ---- tools/list ---- */

/* "a b" as a list. */
static json_t *mcp_tool_required(const char *names)
{
    json_t *list = json_array();
    for (const char *at = names; list && *at;) {
        size_t length = strcspn(at, " ");
        json_array_append_new(list, json_stringn(at, length));
        at += length + (at[length] == ' ');
    }
    return list;
}

/* The table's text as JSON. NULL: out of memory. `closed`: no other
 * arguments. */
static json_t *mcp_tool_schema(const char *properties,
                               const char *names,
                               bool closed)
{
    char *text = NULL;
    json_error_t where;
    if (asprintf(&text, "{%s}", properties) < 0)
        return NULL;
    json_t *members = json_loads(text, 0, &where);
    free(text);
    json_t *whole = members ? json_pack("{s:s, s:o}", "type", "object",
                                        "properties", members)
                            : NULL;
    if (whole && *names)
        json_object_set_new(whole, "required", mcp_tool_required(names));
    if (whole && closed)
        json_object_set_new(whole, "additionalProperties", json_false());
    return whole;
}

/* Hints that are as the protocol takes them anyhow are left out. */
static json_t *annotations(const mcp_tool *tool)
{
    json_t *hints = json_object();
    if (hints && tool->reads_only)
        json_object_set_new(hints, "readOnlyHint", json_true());
    if (hints && !tool->reads_only && !tool->destroys)
        json_object_set_new(hints, "destructiveHint", json_false());
    if (hints && !tool->reads_only && tool->idempotent)
        json_object_set_new(hints, "idempotentHint", json_true());
    if (hints && !tool->open)
        json_object_set_new(hints, "openWorldHint", json_false());
    return hints;
}

/* Of an answer the schema says which members there always are: their names say
 * what they hold. */
static json_t *mcp_tool_describe(const mcp_tool *tool)
{
    json_t *input = mcp_tool_schema(tool->input, tool->needs, true);
    return json_pack(
        "{s:s, s:s, s:s, s:o, s:{s:s, s:o}, s:o}", "name", tool->name, "title",
        tool->title, "description", tool->description, "inputSchema", input,
        "outputSchema", "type", "object", "required",
        mcp_tool_required(tool->gives), "annotations", annotations(tool));
}

/* NULL: out of memory. */
json_t *mcp_tools_list(void)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < TOOL_COUNT; i++) {
        if (json_array_append_new(list, mcp_tool_describe(&table[i])) == 0)
            continue;
        json_decref(list);
        list = NULL;
    }
    return list;
}

/* ---- tools/call ---- */

/* Content of an answer. */
static json_t *mcp_text_part(const char *text)
{
    return json_pack("{s:s, s:s}", "type", "text", "text", text);
}

/* NULL: out of memory. */
static json_t *mcp_image_part(const mcp_call *call)
{
    size_t room = sodium_base64_encoded_len(call->image_size,
                                            sodium_base64_VARIANT_ORIGINAL);
    char *text = malloc(room);
    if (text)
        sodium_bin2base64(text, room, call->image, call->image_size,
                          sodium_base64_VARIANT_ORIGINAL);
    json_t *part = text ? json_pack("{s:s, s:s, s:s}", "type", "image", "data",
                                    text, "mimeType", call->image_type)
                        : NULL;
    free(text);
    return part;
}

/* A tool's failure is an answer that the model can act on, not an error of the
 * protocol. */
static void tell_error(const char *tool, const char *text, rpc_result *ret)
{
    char words[sizeof((etna_error *)0)->text + 64];
    snprintf(words, sizeof words, "%s: %s", tool, text);
    *ret = (rpc_result){.content = json_array(), .is_error = true};
    if (json_array_append_new(ret->content, mcp_text_part(words)) != 0) {
        json_decref(ret->content);
        ret->content = NULL;
    }
}

/* The structure as text as well, for clients that show texts alone. */
static void mcp_call_tell(mcp_call *call, rpc_result *ret)
{
    char *text =
        json_dumps(call->structured, JSON_COMPACT | JSON_REAL_PRECISION(15));
    json_t *content = json_array();
    bool good =
        text && json_array_append_new(content, mcp_text_part(text)) == 0;
    if (good && call->image)
        good = json_array_append_new(content, mcp_image_part(call)) == 0;
    free(text);
    *ret = (rpc_result){.content = content,
                        .structured = json_incref(call->structured)};
    if (good)
        return;
    json_decref(ret->content);
    json_decref(ret->structured);
    *ret = (rpc_result){.is_error = true};
}

/* Without what means "not given": null, as models send it for what they leave
 * out, and what clients of other servers add to every call. NULL: out of
 * memory. */
static json_t *plain_arguments(const json_t *arguments)
{
    json_t *plain = json_object();
    json_t *value;
    const char *key;
    json_object_foreach((json_t *)(uintptr_t)arguments, key, value)
    {
        bool is_given = !json_is_null(value) && strcmp(key, "user_prompt") != 0;
        if (is_given && json_object_set(plain, key, value) != 0) {
            json_decref(plain);
            return NULL;
        }
    }
    return plain;
}

/* Arguments are made to fit where it is clear what was meant, then checked by
 * the schema that the client was shown. */
static etna_code mcp_tool_run(world *w,
                              const mcp_tool *tool,
                              mcp_call *call,
                              etna_error *err)
{
    json_t *input = mcp_tool_schema(tool->input, tool->needs, true);
    json_t *given = plain_arguments(call->arguments);
    json_t *plain = input && given ? fit_value(input, given) : NULL;
    json_decref(given);
    call->arguments = plain;
    etna_code code = input && plain
                         ? schema_check(input, plain, err)
                         : etna_fail(err, ETNA_E_NOMEM, "out of memory");
    json_decref(input);
    if (code == ETNA_OK)
        code = world_begin(w, err);
    if (code == ETNA_OK)
        code = tool->run(w, call, err);
    json_decref(plain);
    return code;
}

/* NULL: none. */
static const mcp_tool *mcp_tool_find(const char *name)
{
    for (size_t i = 0; i < TOOL_COUNT; i++) {
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    }
    return NULL;
}

/* *ret always says something; the caller releases it. */
void mcp_tools_call(world *w,
                    const char *name,
                    const json_t *arguments,
                    bool (*cancelled)(void *),
                    void (*progress)(void *, double, double, const char *),
                    void *context,
                    rpc_result *ret)
{
    mcp_call call = {.arguments = arguments,
                     .cancelled = cancelled,
                     .progress = progress,
                     .context = context};
    etna_error err = {0};
    const mcp_tool *tool = mcp_tool_find(name);
    etna_code code =
        tool ? mcp_tool_run(w, tool, &call, &err)
             : etna_fail(&err, ETNA_E_INPUT, "there is no such tool");
    if (code == ETNA_OK) {
        mcp_call_tell(&call, ret);
    } else {
        tell_error(name, err.text, ret);
    }
    json_decref(call.structured);
    free(call.image);
}
