/* The tools that look: overview, one object, what shows, what a ray meets,
 * images.
 *
 * Each begins a `standing` (an arrangement with its space), asks worker/probe,
 * worker/view or worker/space about it, and answers with where the arrangement
 * stands in its history. The tools that a run's agents have, too, call the
 * agents' own functions (run_visual): a client that tries constraints by hand
 * sees what a run would see. Numbers are rounded where digits would only cost a
 * model's reading. */
#include "worker/mcp/tools_internal.h"

#include "proto/arena.h"
#include "worker/agents/tools.h"
#include "worker/provider/text.h"
#include "worker/view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- objects ---- */

/* As it stands now: metres, Z up, degrees. */
static json_t *standing_object_row(const standing *s, uint32_t i)
{
    const scene_object *o = &s->file->warm->scene->objects[i];
    scene_box box = scene_box_at(o, &s->snap.poses[i]);
    return json_pack("{s:s, s:b, s:o, s:o, s:f, s:b}", "name", o->name,
                     "static", o->is_static || o->immovable, "position",
                     tools_vector(box.centre), "size",
                     tools_vector(v3_scale(box.half, 2)), "yaw_deg",
                     tools_degrees(box.yaw), "moved", s->snap.moved[i]);
}

/* One of many: what it is not goes without saying. */
static json_t *short_row(const standing *s, uint32_t i)
{
    json_t *row = standing_object_row(s, i);
    if (json_is_false(json_object_get(row, "static")))
        json_object_del(row, "static");
    if (json_is_false(json_object_get(row, "moved")))
        json_object_del(row, "moved");
    return row;
}

/* At most 200. */
static json_t *camera_names(const scene *s)
{
    json_t *names = json_array();
    for (uint32_t i = 0; names && i < s->camera_count && i < 200; i++)
        json_array_append_new(names, json_string(s->cameras[i].name));
    return names;
}

/* The rows of the objects whose names have the query, from `first` on and at
 * most `limit`. Returns how many objects there are of such names. Counting goes
 * on past the page, so that the answer can say how many there are. */
static uint32_t list_objects(const standing *s,
                             const char *query,
                             double first,
                             uint32_t limit,
                             json_t *rows)
{
    const scene *of = s->file->warm->scene;
    uint32_t found = 0;
    for (uint32_t i = 0; rows && i < of->object_count; i++) {
        if (query && *query && !strcasestr(of->objects[i].name, query))
            continue;
        if (found >= first && json_array_size(rows) < limit)
            json_array_append_new(rows, short_row(s, i));
        found++;
    }
    return found;
}

/* Pages by offset and limit: a scene of thousands would fill a model's
 * window. */
etna_code tool_scene_info(world *w, mcp_call *call, etna_error *err)
{
    standing s;
    etna_code code = standing_begin(w, call, &s, err);
    if (code != ETNA_OK)
        return code;
    const scene *of = s.file->warm->scene;
    uint32_t limit = (uint32_t)tools_number(call, "limit", 50);
    double first = tools_number(call, "offset", 0);
    const char *query = tools_text(call, "query");
    json_t *rows = json_array();
    json_t *next = NULL;
    const uint32_t found = list_objects(&s, query, first, limit, rows);
    bool more = found > first && found - first > (double)json_array_size(rows);
    next = more ? json_integer((json_int_t)first +
                               (json_int_t)json_array_size(rows))
                : json_null();
    code = standing_answer(
        &s, call,
        json_pack("{s:s, s:I, s:I, s:o, s:o, s:o}", "name", s.file->name,
                  "object_count", (json_int_t)found, "offset",
                  (json_int_t)first, "next_offset", next, "objects", rows,
                  "cameras", camera_names(of)),
        err);
    standing_end(&s);
    return code;
}

/* Each name once, at most 32 of them. */
static json_t *materials_of(const scene *s, const scene_object *o)
{
    json_t *names = json_array();
    for (uint32_t p = 0; names && p < o->part_count; p++) {
        uint32_t material = s->parts[o->first_part + p].material;
        const char *name =
            material < s->material_count ? s->materials[material].name : "";
        bool told = !*name || json_array_size(names) >= 32;
        for (size_t i = 0; !told && i < json_array_size(names); i++)
            told =
                strcmp(json_string_value(json_array_get(names, i)), name) == 0;
        if (!told)
            json_array_append_new(names, json_string(name));
    }
    return names;
}

/* What holds it. */
static const char *support_word(uint8_t support)
{
    switch (support) {
    case SUPPORT_STATIC: return "static";
    case SUPPORT_GROUNDED: return "grounded";
    case SUPPORT_ATTACHED: return "attached";
    default: return "hovering";
    }
}

/* Everything about one object in one answer. */
etna_code tool_object_info(world *w, mcp_call *call, etna_error *err)
{
    standing s;
    const space_rules rules = {0};
    space_support_state state = {0};
    uint32_t object = 0;
    etna_code code = standing_begin(w, call, &s, err);
    if (code == ETNA_OK)
        code =
            standing_object(&s, tools_text(call, "object_name"), &object, err);
    if (code == ETNA_OK)
        code =
            space_support_compute(s.file->space, &rules, &s.file->warm->start,
                                  s.snap.attached, &state, err);
    if (code == ETNA_OK) {
        const scene *of = s.file->warm->scene;
        const scene_object *o = &of->objects[object];
        json_t *row = standing_object_row(&s, object);
        json_t *more = json_pack(
            "{s:s, s:s, s:s, s:I, s:o, s:s, s:o, s:o, s:b}", "why", o->why,
            "description", o->description, "category", o->category, "triangles",
            (json_int_t)o->triangle_count, "materials", materials_of(of, o),
            "support", support_word(state.support[object]), "supported_by",
            standing_neighbours(&s, &state, object, true), "supports",
            standing_neighbours(&s, &state, object, false), "front_known",
            o->has_front || o->front_is_seen);
        if (row && (!more || json_object_update(row, more) != 0)) {
            json_decref(row);
            row = NULL;
        }
        json_decref(more);
        code = standing_answer(&s, call, row, err);
    }
    space_support_free(&state);
    standing_end(&s);
    return code;
}

/* ---- the agents' tools ---- */

typedef struct looking { /* through a camera at an arrangement */
    standing s;
    scene_camera camera;
    char camera_words[CAMERA_WORDS_MAX];
    uint32_t width, height, *ids;
    const view_colour *colours; /* by object; NULL: nobody asks for them */
    etna_arena arena;
    json_t *answer;
} looking;

/* Also of one that looking_at left half-way. */
static void looking_free(looking *l)
{
    json_decref(l->answer);
    free(l->ids);
    etna_arena_free(&l->arena);
    standing_end(&l->s);
}

/* `map`: also which object each pixel shows. On failure the caller still calls
 * looking_free. */
static etna_code looking_at(world *w,
                            mcp_call *call,
                            uint32_t side,
                            bool map,
                            looking *ret,
                            etna_error *err)
{
    *ret = (looking){.arena = ETNA_ARENA_INIT};
    etna_code code = standing_begin(w, call, &ret->s, err);
    if (code == ETNA_OK)
        code = standing_camera(&ret->s, call, &ret->camera, ret->camera_words,
                               err);
    if (code != ETNA_OK)
        return code;
    view_size(&ret->camera, side, &ret->width, &ret->height);
    ret->camera = view_camera_sized(&ret->camera, ret->width, ret->height);
    if (!map)
        return ETNA_OK;
    ret->ids = malloc((size_t)ret->width * ret->height * sizeof *ret->ids);
    if (!ret->ids)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for an image");
    return view_instance_map(ret->s.file->space, &ret->camera, ret->width,
                             ret->height, ret->ids, err);
}

/* The agents' own tool of that name on these arguments; what it complains of is
 * an error here. What a run's agents see and what a client sees comes from the
 * same code, so a probe here is worth the same as there. */
static etna_code run_visual(looking *l,
                            const char *name,
                            const json_t *arguments,
                            etna_error *err)
{
    const tools_scene at = {.space = l->s.file->space,
                            .probes = l->s.file->warm->probes,
                            .camera = &l->camera,
                            .camera_name = l->camera.name,
                            .ids = l->ids,
                            .colours = l->colours,
                            .width = l->width,
                            .height = l->height,
                            .snapshot = l->s.scene->edits[l->s.scene->at].hash};
    model_part part = {.kind = MODEL_TOOL_CALL,
                       .tool_name = name,
                       .tool_id = "",
                       .text = text_json(&l->arena, arguments, JSON_COMPACT)};
    agent_tool_result result = {0};
    json_error_t where;
    if (!part.text)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while running a tool");
    etna_code code = tools_run(&at, &part, &l->arena, &result, err);
    if (code != ETNA_OK)
        return code;
    l->answer = json_loads(result.json, 0, &where);
    if (!l->answer)
        return etna_fail(err, ETNA_E_INTERNAL, "a tool's answer is no JSON");
    const char *complaint =
        json_string_value(json_object_get(l->answer, "error"));
    if (complaint)
        return etna_fail(err, ETNA_E_INPUT, "%s", complaint);
    return json_object_set_new(l->answer, "camera",
                               json_string(l->camera_words)) == 0
               ? ETNA_OK
               : etna_fail(err, ETNA_E_NOMEM, "out of memory");
}

/* The mean colour of what shows of each. */
static etna_code looking_colours(looking *l, etna_error *err)
{
    const space *sp = l->s.file->space;
    view_colour *colours = etna_arena_alloc(
        &l->arena, space_scene(sp)->object_count, sizeof *colours);
    if (!colours)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while colours are looked for");
    l->colours = colours;
    return view_mean_colours(sp, &l->camera, l->width, l->height, colours, err);
}

/* Without an area the whole picture. */
etna_code tool_list_in_view(world *w, mcp_call *call, etna_error *err)
{
    looking l;
    const json_t *area = json_object_get(call->arguments, "interested_area");
    json_t *arguments =
        area ? json_pack("{s:O}", "interested_area", area)
             : json_pack("{s:[i,i,i,i]}", "interested_area", 0, 0, 1, 1);
    etna_code code = looking_at(w, call, 0, true, &l, err);
    if (code == ETNA_OK)
        code = looking_colours(&l, err);
    if (code == ETNA_OK)
        code = run_visual(&l, "list_all_object_in_view", arguments, err);
    if (code == ETNA_OK)
        code = standing_answer(&l.s, call, json_incref(l.answer), err);
    json_decref(arguments);
    looking_free(&l);
    return code;
}

/* To a hundredth. */
static void round_tops(json_t *tops)
{
    size_t i;
    json_t *top;
    json_array_foreach(tops, i, top)
    {
        double share = json_number_value(json_object_get(top, "flat_share"));
        json_object_set_new(top, "flat_share",
                            json_real(floor(share * 100 + 0.5) / 100));
    }
}

/* To a micrometre: seventeen digits of each number help nobody, and are read by
 * models. */
static void round_hits(json_t *hits)
{
    static const char *const vectors[] = {"location", "normal"};
    size_t i, k;
    json_t *hit, *number;
    json_array_foreach(hits, i, hit)
    {
        for (int v = 0; v < 2; v++) {
            json_t *vector = json_object_get(hit, vectors[v]);
            json_array_foreach(vector, k, number) json_array_set_new(
                vector, k, tools_metres(json_number_value(number)));
        }
    }
}

/* Points are shares of the picture, from its upper left corner. */
etna_code tool_ray_probe(world *w, mcp_call *call, etna_error *err)
{
    looking l;
    json_t *arguments = json_pack(
        "{s:O}", "coord_list", json_object_get(call->arguments, "coord_list"));
    etna_code code = looking_at(w, call, 0, false, &l, err);
    if (code == ETNA_OK)
        code = run_visual(&l, "ray_probe_for_plane", arguments, err);
    if (code == ETNA_OK)
        round_hits(json_object_get(l.answer, "hits"));
    if (code == ETNA_OK)
        round_tops(json_object_get(l.answer, "tops"));
    if (code == ETNA_OK)
        code = standing_answer(&l.s, call, json_incref(l.answer), err);
    json_decref(arguments);
    looking_free(&l);
    return code;
}

/* ---- images ---- */

/* Takes `structured`. */
static etna_code answer_image(looking *l,
                              mcp_call *call,
                              const view_image *image,
                              uint32_t margin,
                              const char *what,
                              json_t *structured,
                              etna_error *err)
{
    uint32_t width = image->width;
    uint32_t height = image->height;
    etna_code code = tools_image(call, image, err);
    if (code != ETNA_OK) {
        json_decref(structured);
        return code;
    }
    if (structured) {
        json_object_set_new(structured, "camera", json_string(l->camera_words));
        json_object_set_new(structured, "width", json_integer(width));
        json_object_set_new(structured, "height", json_integer(height));
        json_object_set_new(structured, "picture",
                            tools_picture_words(what, margin));
    }
    return standing_answer(&l->s, call, structured, err);
}

/* Pixels of the longer side. */
static uint32_t seen_side_of(const mcp_call *call)
{
    return (uint32_t)tools_number(call, "max_size", 800);
}

/* Those of which no pixel shows: their colour would be looked for in vain. */
static json_t *looking_unseen(const looking *l,
                              const uint32_t *objects,
                              uint32_t count)
{
    json_t *names = json_array();
    for (uint32_t k = 0; names && k < count; k++) {
        size_t i = 0;
        size_t pixels = (size_t)l->width * l->height;
        while (i < pixels && l->ids[i] != objects[k])
            i++;
        if (i == pixels)
            json_array_append_new(
                names,
                json_string(l->s.file->warm->scene->objects[objects[k]].name));
    }
    return names;
}

/* As the scene spells them, and which they are. */
static etna_code spell_names(const standing *s,
                             const mcp_call *call,
                             json_t *names,
                             uint32_t *objects,
                             uint32_t *ret_count,
                             etna_error *err)
{
    size_t i;
    const json_t *name;
    etna_code code = ETNA_OK;
    json_array_foreach(json_object_get(call->arguments, "object_name_list"), i,
                       name)
    {
        uint32_t *object = &objects[(*ret_count)++];
        code = standing_object(s, json_string_value(name), object, err);
        if (code != ETNA_OK)
            return code;
        json_array_append_new(
            names, json_string(s->file->warm->scene->objects[*object].name));
    }
    return code;
}

/* The agents' tool gives colours and checks the names; its image is replaced by
 * one with a grid. */
etna_code tool_highlight(world *w, mcp_call *call, etna_error *err)
{
    looking l;
    view_image clean = {0}, marked = {0}, grid = {0};
    json_t *names = json_array();
    json_t *arguments = json_pack("{s:O}", "object_name_list", names);
    uint32_t objects[VIEW_HIGHLIGHT_MAX], count = 0, margin = 0;
    etna_code code = looking_at(w, call, seen_side_of(call), true, &l, err);
    if (code == ETNA_OK)
        code = spell_names(&l.s, call, names, objects, &count, err);
    if (code == ETNA_OK)
        code = run_visual(&l, "render_with_highlighted_object", arguments, err);
    if (code == ETNA_OK) {
        json_object_del(l.answer, "image");
        json_object_set_new(l.answer, "not_in_view",
                            looking_unseen(&l, objects, count));
        code = view_render(l.s.file->space, &l.camera, l.width, l.height,
                           w->options.threads, &clean, err);
    }
    if (code == ETNA_OK)
        code =
            view_highlight(&clean, l.ids, objects, count, NULL, &marked, err);
    if (code == ETNA_OK)
        code = view_grid(&marked, &grid, &margin, err);
    if (code == ETNA_OK)
        code = answer_image(&l, call, &grid, margin,
                            "the scene as it stands, with objects in colours",
                            json_incref(l.answer), err);
    view_image_free(&grid);
    view_image_free(&marked);
    view_image_free(&clean);
    json_decref(arguments);
    json_decref(names);
    looking_free(&l);
    return code;
}

/* The scene as it stands, with a grid unless that is declined. */
etna_code tool_render(world *w, mcp_call *call, etna_error *err)
{
    looking l;
    view_image clean = {0}, faced = {0}, grid = {0};
    uint32_t margin = 0;
    bool with_fronts = json_is_true(json_object_get(call->arguments, "fronts"));
    bool with_grid = !json_is_false(json_object_get(call->arguments, "grid"));
    etna_code code = looking_at(w, call, seen_side_of(call), false, &l, err);
    if (code == ETNA_OK)
        code = view_render(l.s.file->space, &l.camera, l.width, l.height,
                           w->options.threads, &clean, err);
    if (code == ETNA_OK && with_fronts)
        code = view_fronts(l.s.file->space, &l.camera, &clean, &faced, err);
    const view_image *picture = with_fronts ? &faced : &clean;
    if (code == ETNA_OK && with_grid)
        code = view_grid(picture, &grid, &margin, err);
    if (code == ETNA_OK)
        code = answer_image(&l, call, with_grid ? &grid : picture, margin,
                            "the scene as it stands", json_object(), err);
    view_image_free(&grid);
    view_image_free(&faced);
    view_image_free(&clean);
    looking_free(&l);
    return code;
}
