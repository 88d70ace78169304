/* The table, and the one way from a call to a result. */
#include "worker/mcp/tools_internal.h"

#include "worker/mcp/schema.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCENE_ID \
    "\"scene_id\":{\"type\":\"string\",\"maxLength\":64,\"description\":\"Which arrangement: a handle of open_scene. Default: main, the scene itself.\"}"
#define CAMERA_NAME \
    "\"camera\":{\"type\":\"string\",\"maxLength\":255,\"description\":\"A camera's name or number of get_scene_info; auto: one is found; cutaway: " \
    "from outside and above, without ceiling and near walls; top: a plan; orbit:AZ,EL: around the scene's middle, in degrees. Default: the file's first, else auto. After edits it still stands where it stood.\"}"
#define CAMERA \
    CAMERA_NAME \
    ",\"orbit\":{\"type\":\"object\",\"description\":\"Instead of camera: look at a target from around it. The answer tells it in full; given again like that it is the same picture.\",\"properties\":{" \
    "\"object\":{\"type\":\"string\",\"maxLength\":255,\"description\":\"The target's name. Default: the whole scene.\"}," \
    "\"point\":{\"type\":\"array\",\"items\":{\"type\":\"number\",\"minimum\":-1e6,\"maximum\":1e6},\"minItems\":3,\"maxItems\":3,\"description\":\"Instead of object: [x, y, z] in metres.\"}," \
    "\"azimuth_deg\":{\"type\":\"number\",\"minimum\":-360,\"maximum\":360,\"description\":\"0 looks from -Y, 90 from +X. Default: around an object a side from which it shows, else 30.\"}," \
    "\"elevation_deg\":{\"type\":\"number\",\"minimum\":-89,\"maximum\":89,\"description\":\"Above the horizon; default 30.\"}," \
    "\"distance\":{\"type\":\"number\",\"minimum\":0.01,\"maximum\":10000,\"description\":\"Metres; default: so that the target fills the image.\"}," \
    "\"cutaway\":{\"type\":\"boolean\",\"description\":\"Leave out ceiling and near walls. Default true.\"}},\"additionalProperties\":false}"
#define VECTOR "{\"type\":\"array\",\"items\":{\"type\":\"number\"},\"minItems\":3,\"maxItems\":3}"
#define STATE "\"scene_id\":{\"type\":\"string\"},\"snapshot\":{\"type\":\"string\"}"
#define EDIT \
    "\"edits\":{\"type\":\"integer\"},\"can_undo\":{\"type\":\"boolean\"},\"can_redo\":{\"type\":\"boolean\"}," STATE
#define NAMES "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}"
#define ORBITED \
    "\"orbit\":{\"type\":\"object\"},\"target_seen\":{\"type\":\"number\",\"description\":\"Share of the target that shows.\"},\"note\":{\"type\":\"string\"}"
#define IMAGE \
    ORBITED \
    ",\"camera\":{\"type\":\"string\"},\"width\":{\"type\":\"integer\"},\"height\":{\"type\":\"integer\"}," STATE
#define USER_PROMPT "\"user_prompt\":{\"type\":\"string\",\"description\":\"Not used.\"}"
#define SIZE \
    "\"max_size\":{\"type\":\"integer\",\"minimum\":64,\"maximum\":1024,\"description\":\"Longer side in pixels, without the margin of a grid; default 800.\"}," \
    "\"format\":{\"type\":\"string\",\"enum\":[\"jpeg\",\"png\"],\"description\":\"Default jpeg.\"}"
#define OBJECT \
    "\"name\":{\"type\":\"string\"},\"static\":{\"type\":\"boolean\"},\"position\":" VECTOR ",\"size\":" VECTOR \
    ",\"yaw_deg\":{\"type\":\"number\"}," \
    "\"moved\":{\"type\":\"boolean\"}"

static const mcp_tool table[] = {
    {"get_scene_info", "Scene overview",
     "All objects of the scene with place and size as they stand now (metres, Z up; yaw 0 faces -Y, counter-clockwise from above), a page at a time, and "
     "the cameras. Static objects can't be moved. Begin here.",
     "\"offset\":{\"type\":\"integer\",\"minimum\":0,\"description\":\"First object of the page; default 0.\"},"
     "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":200,\"description\":\"Objects on a page; default 50.\"},"
     "\"query\":{\"type\":[\"string\",\"null\"],\"description\":\"Only objects whose name contains this; object_count then counts these.\"}," USER_PROMPT
     "," SCENE_ID,
     "\"name\":{\"type\":\"string\"},\"object_count\":{\"type\":\"integer\"},\"offset\":{\"type\":\"integer\"},\"next_offset\":{\"type\":[\"integer\",\"null\"]},"
     "\"objects\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{" OBJECT
     "},\"required\":[\"name\",\"position\"]}},\"cameras\":" NAMES "," EDIT,
     "", "name object_count offset next_offset objects cameras edits scene_id snapshot", true, false, true, false, true,
     tool_scene_info},
    {"get_object_info", "One object",
     "Everything known of one object as it stands now: place, size, materials, what it stands on and what stands on it.",
     "\"object_name\":{\"type\":\"string\",\"maxLength\":255}," USER_PROMPT "," SCENE_ID,
     OBJECT
     ",\"why\":{\"type\":\"string\"},\"description\":{\"type\":\"string\"},\"category\":{\"type\":\"string\"},\"triangles\":{\"type\":\"integer\"},"
     "\"materials\":" NAMES ",\"support\":{\"type\":\"string\"},\"supported_by\":" NAMES ",\"supports\":" NAMES
     ",\"front_known\":{\"type\":\"boolean\"}," STATE,
     "object_name", "name static position size yaw_deg support supported_by supports scene_id snapshot", true, false,
     true, false, true, tool_object_info},
    {"list_all_object_in_view", "Objects in view",
     "Names of all objects of which any part shows in a rectangle of the image of a camera.",
     "\"interested_area\":{\"type\":\"array\",\"items\":{\"type\":\"number\"},\"minItems\":4,\"maxItems\":4,\"description\":\"x1, y1, x2, y2 between 0 and 1, (0, 0) the "
     "image's top left; default the whole image\"}," CAMERA "," SCENE_ID,
     "\"objects\":" NAMES ",\"left_out\":{\"type\":\"integer\"},\"camera\":{\"type\":\"string\"}," ORBITED "," STATE,
     "", "objects camera scene_id snapshot", true, false, true, false, false, tool_list_in_view},
    {"ray_probe_for_plane", "Probe image points",
     "What a ray through each image point meets first: object, 3D location, and the name and normal of the plane there, for use in place_object. null where "
     "it meets nothing. `tops` tells of each object that was met how flat its top plane (OBJECT_up) is.",
     "\"coord_list\":{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{\"type\":\"number\",\"minimum\":0,\"maximum\":1},\"minItems\":2,\"maxItems\":2},"
     "\"minItems\":1,\"maxItems\":64,\"description\":\"[x, y] pairs between 0 and 1\"}," CAMERA "," SCENE_ID,
     "\"hits\":{\"type\":\"array\",\"items\":{\"type\":[\"object\",\"null\"],\"properties\":{\"object\":{\"type\":\"string\"},\"location\":" VECTOR
     ",\"plane\":{\"type\":\"string\"},"
     "\"normal\":" VECTOR
     "}}},\"tops\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}},\"camera\":{\"type\":\"string\"}," ORBITED
     "," STATE,
     "coord_list", "hits tops camera scene_id snapshot", true, false, true, false, false, tool_ray_probe},
    {"render_with_highlighted_object", "Highlight objects",
     "The image with the named objects under distinct see-through colours, and which colour is whose; not_in_view are those of which nothing shows. The colours are not the objects' own.",
     "\"object_name_list\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"maxLength\":255},\"minItems\":1,\"maxItems\":10}," SIZE
     "," CAMERA "," SCENE_ID,
     "\"colours\":{\"type\":\"object\"},\"not_in_view\":" NAMES "," IMAGE, "object_name_list",
     "colours not_in_view camera width height scene_id snapshot", true, false, true, false, false, tool_highlight},
    {"render_view", "Render",
     "The scene as it stands now from a camera of the file, one that is found, or around a target (orbit). With grid true the image carries coordinates from 0 to 1 for "
     "ray_probe_for_plane and place_object.",
     "\"grid\":{\"type\":\"boolean\",\"description\":\"Coordinates over the picture; default false.\"}," SIZE "," CAMERA
     "," SCENE_ID,
     "\"margin\":{\"type\":\"integer\",\"description\":\"Pixels around the picture that carry the coordinates, which count within it.\"}," IMAGE,
     "", "camera width height margin scene_id snapshot", true, false, true, false, false, tool_render},
    {"place_object", "Place an object",
     "Finds a place for one object that meets constraints, collides with nothing and leaves everything supported, and moves it there; or tells what stands in the way. "
     "Constraints: [\"ObjectName\", name] exactly once; [\"CloseToPix\", \"center\"|\"down\", [x, y]] at least once: where in the camera's image its centre or the middle of its "
     "bottom shall be; [\"Contact\", \"down\"|\"side\"|\"up\", plane]; [\"NoOverhang\", \"down\", plane, \"full_only\"|\"center\"]; [\"Distance\", object, metres] between centres; "
     "[\"FaceTo\"|\"BackTo\", object|plane|\"camera\"]; [\"Rotate\", degrees]. A plane is a name that ray_probe_for_plane gives, OBJECT_up, or ray:x,y.",
     "\"constraints\":{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{}},\"minItems\":2,\"maxItems\":32,\"description\":\"An array of arrays, as "
     "[[\\\"ObjectName\\\",\\\"Red Bottle\\\"],[\\\"CloseToPix\\\",\\\"down\\\",[0.5,0.6]],[\\\"Contact\\\",\\\"down\\\",\\\"Table_up\\\"]]\"},"
     "\"seed\":{\"type\":\"integer\",\"minimum\":0,\"description\":\"Another seed, another try; default 0.\"}," CAMERA
     "," SCENE_ID,
     "\"object\":{\"type\":\"string\"},\"position\":" VECTOR ",\"yaw_deg\":{\"type\":\"number\"},\"stands_on\":" NAMES
     ",\"plane\":{\"type\":\"string\",\"description\":\"Of Contact down; it may have come to rest on another thing.\"},"
     "\"loss\":{\"type\":\"number\",\"description\":\"0: all constraints are met exactly.\"},\"centered\":{\"type\":\"boolean\",\"description\":\"It does not fit wholly onto the plane; its middle stands on it.\"},\"carried\":" NAMES
     "," ORBITED "," EDIT,
     "constraints", "object stands_on position yaw_deg plane carried edits scene_id snapshot", false, false, false,
     false, false, tool_place},
    {"move_object", "Move an object",
     "Puts one object's centre at a position (metres, world) and turns it to a yaw, if it then collides with nothing and everything stays supported; else it stays and the "
     "reason is told. What stands on it, lies in it or hangs on it goes along (carried). place_object is easier where something shall stand on something.",
     "\"object_name\":{\"type\":\"string\",\"maxLength\":255},\"position\":{\"type\":\"array\",\"items\":{\"type\":\"number\",\"minimum\":-1e6,\"maximum\":1e6},\"minItems\":3,\"maxItems\":3,"
     "\"description\":\"Default: where it stands.\"},\"yaw_deg\":{\"type\":\"number\",\"minimum\":-3600,\"maximum\":3600,\"description\":\"Default: as it stands.\"}," SCENE_ID,
     "\"object\":{\"type\":\"string\"},\"stands_on\":" NAMES ",\"position\":" VECTOR
     ",\"yaw_deg\":{\"type\":\"number\"},\"carried\":" NAMES "," EDIT,
     "object_name", "object stands_on position yaw_deg carried edits scene_id snapshot", false, false, true, false,
     false, tool_move},
    {"check_physics", "Check",
     "Which objects collide and which float, on exact triangles. `new` says that it was not so in the file; valid is true when nothing is new.",
     SCENE_ID,
     "\"valid\":{\"type\":\"boolean\"},\"collisions\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":\"string\"},"
     "\"depth_m\":{\"type\":\"number\"},\"new\":{\"type\":\"boolean\"}},\"required\":[\"a\",\"b\",\"depth_m\",\"new\"]}},\"floating\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
     "\"properties\":{\"name\":{\"type\":\"string\"},\"new\":{\"type\":\"boolean\"}},\"required\":[\"name\",\"new\"]}},\"left_out\":{\"type\":\"integer\"}," STATE,
     "", "valid collisions floating left_out scene_id snapshot", true, false, true, false, false, tool_check},
    {"undo", "Undo", "Takes back the last edit, or the last `count`.",
     "\"count\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":500,\"description\":\"Default 1.\"}," SCENE_ID,
     "\"label\":{\"type\":\"string\"}," EDIT, "", "label edits can_undo can_redo scene_id snapshot", false, true, false,
     false, false, tool_undo},
    {"redo", "Redo", "Makes again the edit that undo took back last, or `count` of them.",
     "\"count\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":500,\"description\":\"Default 1.\"}," SCENE_ID,
     "\"label\":{\"type\":\"string\"}," EDIT, "", "label edits can_undo can_redo scene_id snapshot", false, false,
     false, false, false, tool_redo},
    {"history", "History",
     "The edits of this arrangement in order; `current` is the one that stands, later ones can be redone.", SCENE_ID,
     "\"steps\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"index\":{\"type\":\"integer\"},\"label\":{\"type\":\"string\"},\"snapshot\":{\"type\":\"string\"}},"
     "\"required\":[\"index\",\"label\",\"snapshot\"]}},\"current\":{\"type\":\"integer\"}," EDIT,
     "", "steps current edits can_undo can_redo scene_id snapshot", true, false, true, false, false, tool_history},
    {"open_scene", "New arrangement",
     "A new arrangement of the same scene with a history of its own, for trying something; begins as another one stands. Pass its scene_id to the other tools.",
     "\"from\":{\"type\":\"string\",\"maxLength\":64,\"description\":\"scene_id that it begins as; default main.\"}",
     EDIT, "", "scene_id snapshot", false, false, false, false, false, tool_open},
    {"close_scene", "Drop an arrangement", "Forgets an arrangement that open_scene made.",
     "\"scene_id\":{\"type\":\"string\",\"maxLength\":64}", "\"closed\":{\"type\":\"string\"}", "scene_id", "closed",
     false, true, false, false, false, tool_close},
    {"export_scene", "Save the scene",
     "Writes the scene as it stands as a GLB file into the server's folder. Only the moved objects' transforms differ from the input; the input itself is never changed.",
     "\"file\":{\"type\":\"string\",\"minLength\":5,\"maxLength\":1024,\"description\":\"A name ending in .glb, relative to the folder.\"},"
     "\"overwrite\":{\"type\":\"boolean\",\"description\":\"Replace a file of that name; default false.\"}," SCENE_ID,
     "\"file\":{\"type\":\"string\"},\"bytes\":{\"type\":\"integer\"},\"moved\":" NAMES "," STATE, "file",
     "file bytes moved scene_id snapshot", false, true, true, false, false, tool_export},
    {"run_goal", "Arrange by a goal",
     "Searches for an arrangement that fulfils a sentence, as `etna run` does: plans, tries several places, judges, backtracks. Takes from a second to minutes; tells its progress "
     "and can be cancelled. The result is one edit of the arrangement.",
     "\"goal\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":2048,\"description\":\"As: put the red bottle on the yellow block\"},"
     "\"seed\":{\"type\":\"integer\",\"minimum\":0,\"description\":\"Default 0.\"},"
     "\"max_steps\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":64,\"description\":\"Most edits; default 6.\"}," CAMERA_NAME
     "," SCENE_ID,
     "\"status\":{\"type\":\"string\",\"enum\":[\"complete\",\"partial\"]},\"reason\":{\"type\":\"string\"},\"run\":{\"type\":\"string\"},\"backtracks\":{\"type\":\"integer\"},"
     "\"steps\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"instruction\":{\"type\":\"string\"},\"object\":{\"type\":\"string\"}}}},\"moved\":" NAMES
     "," EDIT,
     "goal", "status reason run steps moved edits scene_id snapshot", false, false, false, true, false, tool_run_goal},
};

enum { TOOL_COUNT = sizeof table / sizeof *table };

/* ---- tools/list ---- */

static json_t *required(const char *names)
{
    json_t *list = json_array();
    for (const char *at = names; list && *at;) {
        size_t length = strcspn(at, " ");
        json_array_append_new(list, json_stringn(at, length));
        at += length + (at[length] == ' ');
    }
    return list;
}

static json_t *schema(const char *properties, const char *names, bool closed)
{
    char *text = NULL;
    json_error_t where;
    if (asprintf(&text, "{%s}", properties) < 0) return NULL;
    json_t *members = json_loads(text, 0, &where);
    free(text);
    json_t *whole = members ? json_pack("{s:s, s:o}", "type", "object", "properties", members) : NULL;
    if (whole && *names) json_object_set_new(whole, "required", required(names));
    if (whole && closed) json_object_set_new(whole, "additionalProperties", json_false());
    return whole;
}

static json_t *describe(const mcp_tool *tool)
{
    json_t *input = schema(tool->input, tool->needs, !tool->any_more),
           *output = schema(tool->output, tool->gives, false);
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:{s:s, s:b, s:b, s:b, s:b}}", "name", tool->name, "title", tool->title,
                     "description", tool->description, "inputSchema", input, "outputSchema", output, "annotations",
                     "title", tool->title, "readOnlyHint", tool->reads_only, "destructiveHint", tool->destroys,
                     "idempotentHint", tool->idempotent, "openWorldHint", tool->open);
}

json_t *mcp_tools_list(void)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < TOOL_COUNT; i++) {
        if (json_array_append_new(list, describe(&table[i])) == 0) continue;
        json_decref(list);
        list = NULL;
    }
    return list;
}

/* ---- tools/call ---- */

static json_t *text_part(const char *text) { return json_pack("{s:s, s:s}", "type", "text", "text", text); }

static json_t *image_part(const mcp_call *call)
{
    size_t room = sodium_base64_encoded_len(call->image_size, sodium_base64_VARIANT_ORIGINAL);
    char *text = malloc(room);
    if (text) sodium_bin2base64(text, room, call->image, call->image_size, sodium_base64_VARIANT_ORIGINAL);
    json_t *part =
        text ? json_pack("{s:s, s:s, s:s}", "type", "image", "data", text, "mimeType", call->image_type) : NULL;
    free(text);
    return part;
}

static void tell_error(const char *tool, const char *text, rpc_result *ret)
{
    char words[sizeof((etna_error *)0)->text + 64];
    snprintf(words, sizeof words, "%s: %s", tool, text);
    *ret = (rpc_result){.content = json_array(), .is_error = true};
    if (json_array_append_new(ret->content, text_part(words)) != 0) {
        json_decref(ret->content);
        ret->content = NULL;
    }
}

static void tell(mcp_call *call, rpc_result *ret)
{
    char *text = json_dumps(call->structured, JSON_COMPACT | JSON_REAL_PRECISION(15));
    json_t *content = json_array();
    bool good = text && json_array_append_new(content, text_part(text)) == 0;
    if (good && call->image) good = json_array_append_new(content, image_part(call)) == 0;
    free(text);
    *ret = (rpc_result){.content = content, .structured = json_incref(call->structured)};
    if (good) return;
    json_decref(ret->content);
    json_decref(ret->structured);
    *ret = (rpc_result){.is_error = true};
}

static etna_code run(world *w, const mcp_tool *tool, mcp_call *call, etna_error *err)
{
    json_t *input = schema(tool->input, tool->needs, !tool->any_more);
    etna_code code = input ? schema_check(input, call->arguments, err) : etna_fail(err, ETNA_E_NOMEM, "out of memory");
    json_decref(input);
    if (code == ETNA_OK) code = world_open(w, err);
    if (code == ETNA_OK) code = tool->run(w, call, err);
    return code;
}

void mcp_tools_call(world *w, const char *name, const json_t *arguments, bool (*cancelled)(void *),
                    void (*progress)(void *, double, double, const char *), void *context, rpc_result *ret)
{
    mcp_call call = {.arguments = arguments, .cancelled = cancelled, .progress = progress, .context = context};
    etna_error err = {0};
    const mcp_tool *tool = NULL;
    for (size_t i = 0; i < TOOL_COUNT; i++) {
        if (strcmp(table[i].name, name) == 0) tool = &table[i];
    }
    etna_code code = tool ? run(w, tool, &call, &err) : etna_fail(&err, ETNA_E_INPUT, "there is no such tool");
    if (code == ETNA_OK) {
        tell(&call, ret);
    } else {
        tell_error(name, err.text, ret);
    }
    json_decref(call.structured);
    free(call.image);
}
