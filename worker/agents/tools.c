/* See tools.h. Arguments come from a model and are hostile; what is wrong with
 * them is an answer, not a failure. */
#include "worker/agents/tools.h"

#include "proto/array.h"
#include "worker/agents/agents_internal.h"
#include "worker/agents/names.h"
#include "worker/provider/text.h"
#include "worker/view/view.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    NAMES_LISTED_MAX = 500
};

#define COORDINATES \
    "\"coord_list\":{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}},\"description\":"
#define CAMERA \
    ",\"camera\":{\"type\":\"string\",\"description\":\"the camera whose picture is meant; without it the first image's\"}"
#define VISUAL(more) \
    {"list_all_object_in_view", \
     "All objects of which any part shows in a rectangle of the image: names, where in the image (x1, y1, x2, y2), mean colours.", \
     "{\"type\":\"object\",\"properties\":{\"interested_area\":{\"type\":\"array\",\"items\":{\"type\":\"number\"},\"description\":" \
     "\"x1, y1, x2, y2 between 0 and 1; the whole image is [0, 0, 1, 1]\"}" more \
     "},\"required\":[\"interested_area\"]}"}, \
        {"ray_probe_for_plane", \
         "As ray_probe, and the name of the plane there, for use in constraints.", \
         "{\"type\":\"object\",\"properties\":{" COORDINATES \
         "\"[x, y] pairs between 0 and 1, at most 64\"}" more \
         "},\"required\":[\"coord_list\"]}"}, \
        {"ray_probe", \
         "What a ray through each image coordinate meets first: object, 3D location and surface normal. null where it meets nothing.", \
         "{\"type\":\"object\",\"properties\":{" COORDINATES \
         "\"[x, y] pairs between 0 and 1, at most 64\"}" more \
         "},\"required\":[\"coord_list\"]}"}, \
    { \
        "render_with_highlighted_object", \
            "The image with the named objects under distinct see-through colours, and which colour is whose. The colours are not the objects' own.", \
            "{\"type\":\"object\",\"properties\":{\"object_name_list\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"description\":" \
            "\"1 to 10 object names\"}" more \
            "},\"required\":[\"object_name_list\"]}" \
    }
static const model_tool visual[] = {VISUAL("")};
static const model_tool cameras[] = {
    VISUAL(CAMERA),
    {"render_view",
     "The scene as another camera of the task shows it, under a grid. Coordinates in it carry that camera's name.",
     "{\"type\":\"object\",\"properties\":{\"camera\":{\"type\":\"string\",\"description\":\"a name of the task's cameras\"}},\"required\":[\"camera\"]}"},
};
static const model_tool of_an_edit[] = {
    {"render_view",
     "The edit as another camera of the task shows it, marked as in the first image.",
     "{\"type\":\"object\",\"properties\":{\"camera\":{\"type\":\"string\",\"description\":\"a name of the task's cameras\"}},\"required\":[\"camera\"]}"},
};
static const model_tool lists[] = {
    {"get_scene_info",
     "Every object's name, location (the center of its box) and dimensions, in metres, Z up; 500 a call.",
     "{\"type\":\"object\",\"properties\":{\"first\":{\"type\":\"integer\",\"description\":\"how many to skip\"}}}"},
    {"get_object_info",
     "One object's location, dimensions, box, heading and whether it can be moved.",
     "{\"type\":\"object\",\"properties\":{\"object_name\":{\"type\":\"string\"}},\"required\":[\"object_name\"]}"},
};
#undef COORDINATES
#undef CAMERA
#undef VISUAL

static const struct {
    const model_tool *tools;
    uint32_t count;
} sets[TOOLS_SETS] = {[TOOLS_VISUAL] = {visual, COUNT_OF(visual)},
                      [TOOLS_CAMERAS] = {cameras, COUNT_OF(cameras)},
                      [TOOLS_EDIT] = {of_an_edit, COUNT_OF(of_an_edit)},
                      [TOOLS_LISTS] = {lists, COUNT_OF(lists)}};

/* The declarations of a set, constant. */
const model_tool *tools_list(uint32_t set, uint32_t *ret_count)
{
    assert(set < TOOLS_SETS);
    *ret_count = sets[set].count;
    return sets[set].tools;
}

typedef struct run { /* one call under way */
    const tools_scene *scene;
    const json_t *arguments;
    etna_arena *arena;
    json_t *answer; /* an object */
    agent_tool_result *result;
    bool failed; /* out of memory */
    /* the camera that is meant: the scene's own, or another one of the file */
    const scene_camera *camera;
    const char *camera_name;
    uint32_t width, height;
    const uint32_t *ids; /* NULL: of another camera, not drawn yet */
} run;

static void run_put(run *r, json_t *object, const char *key, json_t *value)
{
    if (!agent_json_set(object, key, value))
        r->failed = true;
}

static void run_add(run *r, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        r->failed = true;
}

/* The answer is the error alone, in words for the model. */
static void run_complain(run *r, const char *text)
{
    json_object_clear(r->answer);
    run_put(r, r->answer, "error", json_string(text));
}

/* + 0.0 turns a negative zero into zero. */
static double rounded(double value, double steps)
{
    return floor(value * steps + 0.5) / steps + 0.0;
}

/* To tenths of a millimetre where the model pays by the digit. */
static json_t *tool_vector(const run *r, vec3 v)
{
    enum {
        STEPS = 10000
    }; /* a metre */
    double values[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3 && r->scene->rounds; i++)
        values[i] = rounded(values[i], STEPS);
    return agent_json_point(values, 3);
}

/* Exactly `count` numbers. */
static bool tool_numbers(const json_t *array, uint32_t count, double *ret)
{
    if (!json_is_array(array) || json_array_size(array) != count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const json_t *value = json_array_get(array, i);
        if (!json_is_number(value))
            return false;
        ret[i] = json_number_value(value);
    }
    return true;
}

static const char *run_name_of(const run *r, uint32_t object)
{
    return space_scene(r->scene->space)->objects[object].name;
}

/* The instance map of the camera that is meant. */
static bool draw_ids(run *r)
{
    if (r->ids)
        return true;
    uint32_t *ids =
        etna_arena_alloc(r->arena, (size_t)r->width * r->height, sizeof *ids);
    etna_error err = {0};
    r->failed = r->failed || !ids ||
                view_instance_map(r->scene->space, r->camera, r->width,
                                  r->height, ids, &err) != ETNA_OK;
    r->ids = ids;
    return !r->failed;
}

/* Which camera the arguments name. False: they name none there is, and the
 * answer says so. */
static bool choose_camera(run *r)
{
    const tools_scene *at = r->scene;
    const json_t *value = at->set == TOOLS_CAMERAS || at->set == TOOLS_EDIT
                              ? json_object_get(r->arguments, "camera")
                              : NULL;
    const char *name = json_string_value(value);
    r->camera = at->camera;
    r->camera_name = at->camera_name;
    r->width = at->width;
    r->height = at->height;
    r->ids = at->ids;
    const bool is_own = name && strcmp(name, at->camera_name) == 0;
    if (!value || json_is_null(value) || is_own)
        return true;
    const scene *s = space_scene(at->space);
    for (uint32_t i = 0; name && i < s->camera_count; i++) {
        if (strcmp(s->cameras[i].name, name) != 0)
            continue;
        r->camera = &s->cameras[i];
        r->camera_name = s->cameras[i].name;
        r->ids = NULL;
        view_size(r->camera, VIEW_LONG_SIDE, &r->width, &r->height);
        return true;
    }
    run_complain(r, "camera must be one of the task's cameras, by its name");
    return false;
}

/* Where it shows, and of what colour it is there: so that who asks finds it in
 * the picture. */
static json_t *seen_row(run *r, uint32_t object, const view_extent *extent)
{
    enum {
        STEPS = 1000
    }; /* of the picture's side */
    const view_colour *colour = r->ids == r->scene->ids && r->scene->colours
                                    ? &r->scene->colours[object]
                                    : NULL;
    json_t *row = json_object();
    double box[4];
    for (int i = 0; i < 4; i++)
        box[i] = rounded(extent->box[i], STEPS);
    run_put(r, row, "name", json_string(run_name_of(r, object)));
    run_put(r, row, "box", agent_json_point(box, 4));
    if (colour && colour->pixels)
        run_put(r, row, "colour",
                json_sprintf("#%02x%02x%02x", (unsigned)colour->srgb[0],
                             (unsigned)colour->srgb[1],
                             (unsigned)colour->srgb[2]));
    return row;
}

/* Objects that show in the area, those beyond NAMES_LISTED_MAX only counted. */
static void list_objects(run *r)
{
    double area[4];
    if (!tool_numbers(json_object_get(r->arguments, "interested_area"), 4,
                      area)) {
        run_complain(
            r,
            "interested_area must be four numbers [x1, y1, x2, y2] between 0 and 1");
        return;
    }
    uint32_t total = space_scene(r->scene->space)->object_count;
    uint32_t count = 0;
    uint32_t *seen = etna_arena_alloc(r->arena, total, sizeof *seen);
    view_extent *extents = etna_arena_alloc(r->arena, total, sizeof *extents);
    if (!seen || !extents) {
        r->failed = true;
        return;
    }
    etna_error err = {0};
    if (!draw_ids(r))
        return;
    if (probe_list(r->ids, r->width, r->height, area, total, seen, &count,
                   &err) != ETNA_OK) {
        run_complain(r, err.text);
        return;
    }
    view_extents(r->ids, r->width, r->height, total, extents);
    json_t *rows = json_array();
    for (uint32_t i = 0; i < count && i < NAMES_LISTED_MAX; i++)
        run_add(r, rows, seen_row(r, seen[i], &extents[seen[i]]));
    run_put(r, r->answer, "objects", rows);
    if (count > NAMES_LISTED_MAX)
        run_put(r, r->answer, "left_out",
                json_integer(count - NAMES_LISTED_MAX));
}

/* What `<object>_up` is worth, for each object that was hit (METHODS.md 4): a
 * sofa's top is its backrest. */
static void put_tops(run *r, const probe_hit *hits, uint32_t count)
{
    json_t *tops = json_array();
    for (uint32_t i = 0; i < count; i++) {
        bool told = !hits[i].hit;
        for (uint32_t k = 0; k < i && !told; k++)
            told = hits[k].hit && hits[k].object == hits[i].object;
        if (told)
            continue;
        char name[PROBE_NAME_SIZE];
        snprintf(name, sizeof name, "%s_up", run_name_of(r, hits[i].object));
        if (scene_find_object(space_scene(r->scene->space), name) != SCENE_NONE)
            snprintf(name, sizeof name, "%s#up",
                     run_name_of(r, hits[i].object));
        probe_plane plane;
        if (probe_plane_by_name(r->scene->probes, r->scene->space,
                                r->scene->camera, name, r->arena, &plane,
                                NULL) != ETNA_OK)
            continue;
        json_t *top = json_object();
        run_put(r, top, "plane", json_string(plane.name));
        run_put(r, top, "flat_share",
                json_real(r->scene->rounds ? rounded(plane.flat_share, 100)
                                           : plane.flat_share));
        if (plane.better[0]) {
            char note[3 * PROBE_NAME_SIZE];
            snprintf(note, sizeof note,
                     "hardly any of it is flat; the largest upward plane is %s",
                     plane.better);
            run_put(r, top, "note", json_string(note));
        }
        run_add(r, tops, top);
    }
    run_put(r, r->answer, "tops", tops);
}

/* "coord_list" in `coordinates`; 0: it is none, which is told. */
static uint32_t run_read_points(run *r,
                                double coordinates[2 * TOOLS_COORDINATES_MAX])
{
    const json_t *list = json_object_get(r->arguments, "coord_list");
    size_t count = json_array_size(list);
    if (!json_is_array(list) || count == 0 || count > TOOLS_COORDINATES_MAX) {
        run_complain(r, "coord_list must hold 1 to 64 pairs [x, y]");
        return 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (tool_numbers(json_array_get(list, i), 2, coordinates + 2 * i))
            continue;
        run_complain(
            r, "coord_list must hold pairs of numbers [x, y] between 0 and 1");
        return 0;
    }
    return (uint32_t)count;
}

/* Null where the ray met nothing: the rows stay in the order of the
 * coordinates. */
static void run_add_hit(
    run *r, json_t *rows, const double at[2], const probe_hit *hit, bool planes)
{
    if (!hit->hit) {
        run_add(r, rows, json_null());
        return;
    }
    json_t *row = json_object();
    run_put(r, row, "coordinate", agent_json_point(at, 2));
    run_put(r, row, "object", json_string(run_name_of(r, hit->object)));
    run_put(r, row, "location", tool_vector(r, hit->point));
    if (planes)
        run_put(r, row, "plane", json_string(hit->plane));
    run_put(r, row, "normal",
            tool_vector(r, planes ? hit->plane_normal : hit->normal));
    run_add(r, rows, row);
}

/* `planes`: with the plane's name and normal, as constraints need them. */
static void run_probe(run *r, bool planes)
{
    double coordinates[2 * TOOLS_COORDINATES_MAX];
    uint32_t count = run_read_points(r, coordinates);
    if (!count)
        return;
    probe_hit *hits = etna_arena_alloc(r->arena, count, sizeof *hits);
    if (!hits) {
        r->failed = true;
        return;
    }
    etna_error err = {0};
    const tools_scene *at = r->scene;
    etna_code code = probe_rays(at->probes, at->space, r->camera, coordinates,
                                count, hits, &err);
    if (code != ETNA_OK) {
        r->failed = code == ETNA_E_NOMEM;
        run_complain(r, err.text);
        return;
    }
    json_t *rows = json_array();
    for (uint32_t i = 0; i < count; i++)
        run_add_hit(r, rows, coordinates + 2 * i, &hits[i], planes);
    run_put(r, r->answer, "hits", rows);
    if (planes)
        put_tops(r, hits, count);
}

static void probe_planes(run *r)
{
    run_probe(r, true);
}

static void probe_points(run *r)
{
    run_probe(r, false);
}

/* `names` and one more, as model_image lists them. NULL: out of memory. */
static char *add_name(etna_arena *arena, const char *names, const char *name)
{
    size_t used = strlen(names);
    char *list = etna_arena_alloc(arena, used + 2 * strlen(name) + 2, 1);
    if (!list)
        return NULL;
    memcpy(list, names, used);
    if (used)
        list[used++] = ',';
    for (; *name; name++) {
        if (*name == ',' || *name == '\\')
            list[used++] = '\\';
        list[used++] = *name;
    }
    list[used] = 0;
    return list;
}

/* Names only; the picture is drawn by the caller and comes in the next
 * message. */
static void highlight(run *r)
{
    const json_t *list = json_object_get(r->arguments, "object_name_list");
    size_t count = json_array_size(list);
    if (!json_is_array(list) || count == 0 || count > VIEW_HIGHLIGHT_MAX) {
        run_complain(r, "object_name_list must hold 1 to 10 object names");
        return;
    }
    json_t *colours = json_object();
    char *names = etna_arena_strdup(r->arena, "");
    for (uint32_t i = 0; names && i < count; i++) {
        const char *name = json_string_value(json_array_get(list, i));
        uint32_t object = name
                              ? names_object(space_scene(r->scene->space), name)
                              : SCENE_NONE;
        if (object == SCENE_NONE) {
            char text[ARRANGE_NAME_MAX + 128];
            snprintf(
                text, sizeof text,
                "no object is named '%.200s'; use names as list_all_object_in_view gives them",
                name ? name : "(not a text)");
            json_decref(colours);
            run_complain(r, text);
            return;
        }
        name = run_name_of(r, object);
        run_put(r, colours, name, json_string(view_highlight_name[i]));
        names = add_name(r->arena, names, name);
    }
    run_put(r, r->answer, "colours", colours);
    run_put(r, r->answer, "image", json_string("in the next message"));
    if (!names) {
        r->failed = true;
        return;
    }
    r->result->has_image = true;
    r->result->image = (model_image){.snapshot = r->scene->snapshot,
                                     .camera = r->camera_name,
                                     .width = agent_picture_side(r->width),
                                     .height = agent_picture_side(r->height),
                                     .grid = true,
                                     .highlight = names};
}

static void render_view(run *r)
{
    if (!json_object_get(r->arguments, "camera")) {
        run_complain(r,
                     "camera must be one of the task's cameras, by its name");
        return;
    }
    run_put(r, r->answer, "camera", json_string(r->camera_name));
    run_put(r, r->answer, "image", json_string("in the next message"));
    r->result->has_image = true;
    r->result->image = (model_image){.snapshot = r->scene->snapshot,
                                     .camera = r->camera_name,
                                     .width = agent_picture_side(r->width),
                                     .height = agent_picture_side(r->height)};
    if (r->scene->set == TOOLS_EDIT) {
        r->result->image.object = r->scene->object;
        r->result->image.before = r->scene->before;
    } else {
        r->result->image.grid = true;
    }
}

/* ---- lists, where there are no visual tools ---- */

static json_t *tool_object_row(const space *sp, uint32_t i)
{
    const scene_object *object = &space_scene(sp)->objects[i];
    scene_box box = space_box(sp, i);
    json_t *row = json_object();
    bool ok = agent_json_set(row, "name", json_string(object->name));
    ok =
        ok && agent_json_set(
                  row, "location",
                  agent_json_point(
                      (double[]){box.centre.x, box.centre.y, box.centre.z}, 3));
    ok =
        ok &&
        agent_json_set(
            row, "dimensions",
            agent_json_point(
                (double[]){2 * box.half.x, 2 * box.half.y, 2 * box.half.z}, 3));
    if (ok)
        return row;
    json_decref(row);
    return NULL;
}

json_t *tools_objects(const space *sp, uint32_t first, uint32_t *ret_left)
{
    uint32_t total = space_scene(sp)->object_count;
    uint32_t told = 0;
    json_t *rows = json_array();
    bool ok = rows != NULL;
    for (uint32_t i = first; ok && i < total && told < NAMES_LISTED_MAX;
         i++, told++)
        ok = json_array_append_new(rows, tool_object_row(sp, i)) == 0;
    *ret_left = first < total ? total - first - told : 0;
    if (ok)
        return rows;
    json_decref(rows);
    return NULL;
}

static void scene_info(run *r)
{
    const json_t *first = json_object_get(r->arguments, "first");
    json_int_t skip = json_integer_value(first);
    const bool is_number = !first || json_is_integer(first);
    if (!is_number || skip < 0 || skip > UINT32_MAX) {
        run_complain(r, "first must be a whole number of objects to skip");
        return;
    }
    uint32_t left = 0;
    run_put(r, r->answer, "objects",
            tools_objects(r->scene->space, (uint32_t)skip, &left));
    if (left)
        run_put(r, r->answer, "left_out", json_integer(left));
}

static void object_info(run *r)
{
    const char *name =
        json_string_value(json_object_get(r->arguments, "object_name"));
    const space *sp = r->scene->space;
    uint32_t i = name ? names_object(space_scene(sp), name) : SCENE_NONE;
    if (i == SCENE_NONE) {
        run_complain(r,
                     "object_name must be a name as get_scene_info gives it");
        return;
    }
    const scene_object *object = &space_scene(sp)->objects[i];
    scene_box box = space_box(sp, i);
    run_put(r, r->answer, "object", tool_object_row(sp, i));
    run_put(r, r->answer, "yaw_deg", json_real(box.yaw * (180 / MATH_PI)));
    run_put(r, r->answer, "top", json_real(box.centre.z + box.half.z));
    run_put(r, r->answer, "bottom", json_real(box.centre.z - box.half.z));
    run_put(r, r->answer, "movable",
            json_boolean(!object->is_static && !object->immovable));
}

static const struct {
    const char *name;
    void (*run)(run *r);
} tools[] = {{"list_all_object_in_view", list_objects},
             {"ray_probe_for_plane", probe_planes},
             {"ray_probe", probe_points},
             {"render_with_highlighted_object", highlight},
             {"render_view", render_view},
             {"get_scene_info", scene_info},
             {"get_object_info", object_info}};

/* NULL: the set does not declare it, even if it exists: an ablation takes tools
 * away. */
static void (*tool_find(uint32_t set, const char *name))(run *r)
{
    bool declared = false;
    for (uint32_t i = 0; name && i < sets[set].count; i++)
        declared = declared || strcmp(sets[set].tools[i].name, name) == 0;
    for (size_t i = 0; declared && i < COUNT_OF(tools); i++) {
        if (strcmp(tools[i].name, name) == 0)
            return tools[i].run;
    }
    return NULL;
}

/* With those there are. */
static void refuse_tool(run *r)
{
    char text[512] = "no such tool; there are";
    for (uint32_t i = 0; i < sets[r->scene->set].count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s %s", i ? "," : "",
                 sets[r->scene->set].tools[i].name);
    }
    run_complain(r, text);
}

/* What is wrong with a call is in ret->json as {"error": ..}; only memory makes
 * it fail. */
etna_code tools_run(const tools_scene *look_at,
                    const model_part *call,
                    etna_arena *arena,
                    agent_tool_result *ret,
                    etna_error *err)
{
    const char *text = call->text ? call->text : "";
    agent_tool_result result = {0};
    json_error_t where;
    size_t size = strlen(text);
    json_t *arguments =
        size <= TOOLS_ARGUMENTS_MAX ? json_loadb(text, size, 0, &where) : NULL;
    run r = {.scene = look_at,
             .arguments = arguments,
             .arena = arena,
             .answer = json_object(),
             .result = &result};
    void (*tool)(run *) = tool_find(look_at->set, call->tool_name);
    if (!json_is_object(arguments)) {
        run_complain(&r, size > TOOLS_ARGUMENTS_MAX
                             ? "the arguments are too long"
                             : "the arguments are not a JSON object");
    } else if (!tool) {
        refuse_tool(&r);
    } else if (choose_camera(&r)) {
        tool(&r);
    }
    json_decref(arguments);
    result.json = text_json_short(arena, r.answer, JSON_COMPACT);
    json_decref(r.answer);
    if (!result.json || r.failed)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while running a tool");
    *ret = result;
    return ETNA_OK;
}
