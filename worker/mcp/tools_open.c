/* Which scenes there are, and arrangements of them: list_scenes, open_scene,
 * close_scene. */
#include "proto/array.h"
#include "worker/mcp/tools_internal.h"

#include <string.h>
#include <strings.h>

/* Formats of whole scenes come before those that mostly hold one thing. -1: not
 * listed, though it may be opened by its path. */
static int rank_name(const char *name)
{
    static const struct {
        const char *end;
        int rank;
    } ends[] = {{".glb", 0}, {".gltf", 0}, {".blend", 0}, {".fbx", 1},
                {".dae", 1}, {".obj", 1},  {".ply", 1},   {".stl", 1}};
    size_t size = strlen(name);
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        size_t end = strlen(ends[i].end);
        if (size > end && strcasecmp(name + size - end, ends[i].end) == 0)
            return ends[i].rank;
    }
    return -1;
}

static json_t *open_scenes(const world *w)
{
    json_t *rows = json_array();
    for (uint32_t i = 0; rows && i < w->scene_count; i++) {
        const world_scene *s = &w->scenes[i];
        json_array_append_new(rows, json_pack("{s:s, s:s, s:i}", "scene_id",
                                              s->id, "name", s->file->name,
                                              "edits", (int)s->at));
    }
    return rows;
}

etna_code tool_list_scenes(world *w, mcp_call *call, etna_error *err)
{
    json_t *files = NULL, *faults = NULL;
    uint32_t left = 0;
    etna_code code = roots_list(&w->roots, rank_name, tools_text(call, "query"),
                                &files, &faults, &left, err);
    if (code != ETNA_OK)
        return code;
    call->structured = json_pack("{s:o, s:o, s:i}", "files", files, "open",
                                 open_scenes(w), "left_out", (int)left);
    if (call->structured && json_array_size(faults))
        json_object_set(call->structured, "unreadable", faults);
    if (call->structured && !w->roots.count)
        json_object_set_new(
            call->structured, "note",
            json_string(
                "this server may read no folder; its user can start it with --root DIR"));
    json_decref(faults);
    return call->structured
               ? ETNA_OK
               : etna_fail(err, ETNA_E_NOMEM, "out of memory for the result");
}

/* A new arrangement: of a file beneath the roots, or as another one stands. A
 * path is opened anew, with a history of its own; `from` branches an
 * arrangement as it stands. */
static etna_code open_what(world *w,
                           const mcp_call *call,
                           world_scene **ret,
                           etna_error *err)
{
    const char *path = tools_text(call, "path");
    const char *handle = tools_text(call, "from");
    world_scene *from = NULL;
    char found[ROOTS_PATH_MAX];
    if (path && handle)
        return etna_fail(err, ETNA_E_INPUT, "give path or from, not both");
    if (!path) {
        etna_code code = world_find(w, handle, &from, err);
        return code == ETNA_OK ? world_branch(w, from, ret, err) : code;
    }
    etna_code code = roots_find(&w->roots, path, found, err);
    if (code != ETNA_OK)
        return code;
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    return world_open(w, found, name, call->cancelled, call->context, ret, err);
}

etna_code tool_open(world *w, mcp_call *call, etna_error *err)
{
    standing s = {.w = w};
    etna_code code = open_what(w, call, &s.scene, err);
    if (code != ETNA_OK)
        return code;
    const scene *of = s.scene->file->warm->scene;
    return standing_answer(&s, call,
                           json_pack("{s:s, s:I}", "name", s.scene->file->name,
                                     "object_count",
                                     (json_int_t)of->object_count),
                           err);
}

/* "main" stays: it is what calls without a scene_id mean. */
etna_code tool_close(world *w, mcp_call *call, etna_error *err)
{
    world_scene *found = NULL;
    const char *id = tools_text(call, "scene_id");
    etna_code code = world_find(w, id, &found, err);
    if (code != ETNA_OK)
        return code;
    if (strcmp(id, "main") == 0)
        return etna_fail(
            err, ETNA_E_INPUT,
            "main is the scene that the server was started with and stays; undo takes edits back");
    call->structured = json_pack("{s:s, s:i}", "closed", found->id, "open",
                                 (int)w->scene_count - 1);
    if (!call->structured)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for the result");
    world_drop(w, found);
    return ETNA_OK;
}
