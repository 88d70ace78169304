/* See prompts.h. What is the same for all tools stands here once, and not in
 * the list of tools, which a model reads before each conversation. */
#include "worker/mcp/prompts.h"

#include "worker/mcp/tools_internal.h"

#include <stdlib.h>
#include <string.h>

const char mcp_instructions[] =
    "Arranges objects in 3D scenes. No scene open: list_scenes, then open_scene. Begin with get_scene_info and render_view. "
    "Lengths are metres, Z is up, yaw 0 faces -Y and grows counter-clockwise from above. Points of a picture are [x, y] from 0 "
    "to 1, (0, 0) its top left; a picture's margin carries these numbers and does not count. Probe, place and look with the same "
    "camera; every answer with a picture gives its `camera`. To put something somewhere: ray_probe_for_plane at the point gives the "
    "plane, place_object finds a place there free of collisions; or say it in a sentence to run_goal. Each edit has a handle (e1, e2), "
    "undo goes back to any. check_physics judges, export_scene writes a GLB. The scene file itself is never changed. Names "
    "match in any case.";

/* Read on demand, as a resource: a model's context is not filled with it. */
static const char guide[] =
    "# Arranging scenes with Etna\n\n"
    "1. `list_scenes`, `open_scene {\"path\": ...}`: which file. With one file open, no tool needs a `scene_id`.\n"
    "2. `get_scene_info`, `render_view`: what there is, where it stands. A picture's margin carries coordinates from 0 to 1.\n"
    "3. `run_goal {\"goal\": \"Put the red bottle on the yellow block\"}` does simple things whole. Else by hand:\n"
    "4. `ray_probe_for_plane {\"coord_list\": [[0.64, 0.42]]}`: what is there, and its plane's name.\n"
    "5. `place_object`: constraints, all of which hold in the place that is found, or nothing is moved and the answer says what\n"
    "   stands in the way. It answers with a picture by the same camera.\n"
    "6. `check_physics`, `undo {\"to\": \"e2\"}`, `export_scene {\"file\": \"room.glb\"}`.\n\n"
    "## Cameras\n\n"
    "`camera` is one text in all tools. Left out: the file's first camera, else one that is found (`auto`).\n\n"
    "- a name or number of `get_scene_info`\n"
    "- `cutaway`: from outside and above, without ceiling and near walls; `top`: a plan\n"
    "- `orbit:30,40`: the whole scene from azimuth 30 (0 looks from -Y, 90 from +X) and elevation 40\n"
    "- `around:Red Bottle`: one object, from a side where it shows; `around:Red Bottle@90,20,1.5` from azimuth 90, elevation 20,\n"
    "  1.5 metres; `around:0.3,0,0.9@90,20,1.5` the same around a point\n\n"
    "An answer's `camera` gives the same picture again, also when its target has been moved since.\n\n"
    "## Constraints\n\n"
    "An array of arrays; `ObjectName` once, `CloseToPix` at least once.\n\n"
    "- `[\"ObjectName\", \"Red Bottle\"]`\n"
    "- `[\"CloseToPix\", \"down\", [0.64, 0.42]]`: the middle of its bottom there in the picture (`center`: its centre)\n"
    "- `[\"Contact\", \"down\", \"Yellow Block_up\"]`: it stands on that plane (`side`: it hangs at it, `up`: beneath it)\n"
    "- `[\"NoOverhang\", \"down\", plane, \"full_only\"]`: wholly on it (`center`: its middle)\n"
    "- `[\"Distance\", \"Blue Bottle\", 0.3]`: metres between the centres\n"
    "- `[\"FaceTo\", \"Table\"]`, `[\"BackTo\", \"Wall\"]`, also `\"camera\"`; `[\"Rotate\", 90]` degrees\n\n"
    "A plane is a name that `ray_probe_for_plane` gives, `OBJECT_up`, or `ray:x,y`.\n\n"
    "## Arrangements and edits\n\n"
    "`open_scene {\"from\": ...}` makes another arrangement of an open file with a history of its own. Each edit has a handle that is\n"
    "never given twice; `e0` is the file as it is. What was undone can be redone until something else is done.\n";

static const char guide_uri[] = "etna://guide", scenes_uri[] = "etna://scenes",
                  scene_uri[] = "etna://scene/";

json_t *mcp_prompts_list(void)
{
    return json_pack(
        "[{s:s, s:s, s:s, s:[{s:s, s:s, s:b}, {s:s, s:s, s:b}]}, {s:s, s:s, s:s, s:[{s:s, s:s, s:b}]}]",
        "name", "arrange", "title", "Arrange a scene", "description",
        "Arrange a scene so that a sentence holds, check it, save it.",
        "arguments", "name", "goal", "description",
        "As: put the red bottle on the yellow block", "required", 1, "name",
        "scene", "description",
        "The scene's file; default: the one that is open", "required", 0,
        "name", "survey", "title", "Look at a scene", "description",
        "Say what a scene holds, what could stand better, and what is physically wrong.",
        "arguments", "name", "scene", "description",
        "The scene's file; default: the one that is open", "required", 0);
}

json_t *mcp_resources_list(void)
{
    return json_pack(
        "[{s:s, s:s, s:s, s:s, s:s}, {s:s, s:s, s:s, s:s, s:s}]", "uri",
        guide_uri, "name", "guide", "title", "How to arrange", "description",
        "Cameras, constraints, planes, edits.", "mimeType", "text/markdown",
        "uri", scenes_uri, "name", "scenes", "title", "Scenes", "description",
        "Files that can be opened, and what is open.", "mimeType",
        "application/json");
}

json_t *mcp_templates_list(void)
{
    return json_pack("[{s:s, s:s, s:s, s:s, s:s}]", "uriTemplate",
                     "etna://scene/{scene_id}", "name", "scene", "title",
                     "An arrangement", "description",
                     "The objects of an open arrangement as they stand.",
                     "mimeType", "application/json");
}

/* ---- prompts ---- */

static json_t *user_message(json_t *text)
{
    return json_pack("[{s:s, s:{s:s, s:o}}]", "role", "user", "content", "type",
                     "text", "text", text);
}

/* Lengths are bounded here since prompts are not checked by a schema. */
json_t *mcp_prompt_fill(const char *name,
                        const json_t *arguments,
                        const char **ret_wrong)
{
    enum {
        TEXT_MAX = 4096
    };
    const json_t *goal = json_object_get(arguments, "goal");
    const json_t *file = json_object_get(arguments, "scene");
    const char *where = json_string_value(file);
    const char *asked = json_string_value(goal);
    bool is_arranging = strcmp(name, "arrange") == 0;
    *ret_wrong = NULL;
    if (file && !where)
        *ret_wrong = "prompts/get: arguments.scene is no text";
    if (is_arranging && !asked)
        *ret_wrong = "prompts/get: arguments.goal is missing or no text";
    bool is_long_goal = asked && json_string_length(goal) > TEXT_MAX;
    bool is_long_path = where && json_string_length(file) > TEXT_MAX;
    if (is_long_goal || is_long_path)
        *ret_wrong = "prompts/get: an argument is longer than 4096 bytes";
    if (*ret_wrong)
        return NULL;
    const char *open = where ? "Open this scene with open_scene: "
                             : "Use the scene that is open, or ask me which of "
                               "list_scenes it shall be";
    if (!where)
        where = "";
    if (is_arranging)
        return user_message(json_sprintf(
            "%s%s. Arrange it so that this holds: %s\n\nLook first (get_scene_info, render_view). Try run_goal with that "
            "sentence; where it is refused or comes out otherwise than meant, undo and place things yourself with "
            "ray_probe_for_plane and place_object. Look at every picture before going on. In the end check_physics, and tell "
            "me what you moved before you save it with export_scene.",
            open, where, asked));
    return user_message(json_sprintf(
        "%s%s. Look at it from a few cameras (render_view with the file's own, then cutaway), read get_scene_info and "
        "check_physics, and tell me: what is in it and where, what collides or floats, and three things that would stand "
        "better elsewhere. Change nothing yet.",
        open, where));
}

/* ---- resources ---- */

static json_t *prompts_contents(const char *uri, const char *type, json_t *text)
{
    return json_pack("[{s:s, s:s, s:o}]", "uri", uri, "mimeType", type, "text",
                     text);
}

/* What a tool answers, as a text. A resource is a tool's answer under a URI, so
 * both always say the same. Takes `arguments`. */
static void read_by(world *w,
                    const char *uri,
                    const char *tool,
                    json_t *arguments,
                    rpc_result *ret)
{
    rpc_result answer = {0};
    mcp_tools_call(w, tool, arguments, NULL, NULL, NULL, &answer);
    json_t *text = json_object_get(json_array_get(answer.content, 0), "text");
    ret->is_error = answer.is_error;
    if (text && !answer.is_error)
        ret->content =
            prompts_contents(uri, "application/json", json_incref(text));
    json_decref(answer.content);
    json_decref(answer.structured);
    json_decref(arguments);
}

/* `is_error` with no content means that there is no such resource. */
void mcp_resource_read(world *w, const char *uri, rpc_result *ret)
{
    size_t size = strlen(scene_uri);
    *ret = (rpc_result){0};
    if (strcmp(uri, guide_uri) == 0) {
        ret->content =
            prompts_contents(uri, "text/markdown", json_string(guide));
    } else if (strcmp(uri, scenes_uri) == 0) {
        read_by(w, uri, "list_scenes", json_object(), ret);
    } else if (strncmp(uri, scene_uri, size) == 0) {
        read_by(w, uri, "get_scene_info",
                json_pack("{s:s, s:i}", "scene_id", uri + size, "limit", 200),
                ret);
    } else {
        ret->is_error = true;
    }
}
