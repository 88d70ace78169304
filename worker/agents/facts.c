/* See facts.h for the format. One pass a list; the order of everything is the
 * order of indices, so equal geometry gives equal text. */
#include "worker/agents/facts.h"
#include "proto/array.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MATERIALS_TOLD = 8,
    CELLS_TOLD = 8 << 20,
    WALL_CELLS_TOLD = 2 << 20,
    SURFACES_OF_ONE = 16
}; /* a shelf has many boards */

typedef struct writer {
    const facts_input *in;
    const scene *scene;
    etna_arena arena;
    const view_extent *extents;
    const view_colour *colours;
    bool failed;
} writer;

/* Takes `value` over. A failure is remembered and told once, at the end. */
static void facts_put(writer *w, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        w->failed = true;
}

/* Takes the value. */
static void facts_add(writer *w, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        w->failed = true;
}

/* NaN and infinity have no JSON: callers use real_or_null where they may
 * come. */
static json_t *facts_reals(writer *w, const double *values, uint32_t count)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++)
        facts_add(w, array, json_real(values[i]));
    return array;
}

/* As a list of three. */
static json_t *facts_vector(writer *w, vec3 v)
{
    return facts_reals(w, (double[]){v.x, v.y, v.z}, 3);
}

/* JSON has no infinity. */
static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Camera to world, row by row; the camera looks along its -Z, as in glTF. */
static json_t *camera_matrix(writer *w, const scene_camera *c)
{
    const vec3 columns[4] = {c->right, c->up, v3_scale(c->forward, -1),
                             c->position};
    double matrix[16] = {0};
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++)
            matrix[4 * row + column] = v3_get(columns[column], row);
    }
    matrix[15] = 1;
    return facts_reals(w, matrix, 16);
}

/* To the bit: it is the same camera or another. */
static bool camera_is(const scene_camera *a, const scene_camera *b)
{
    return v3_distance(a->position, b->position) == 0 &&
           v3_distance(a->forward, b->forward) == 0 &&
           v3_distance(a->up, b->up) == 0;
}

/* "usual" is told where another camera than the usual one shows the scene: left
 * and right in a request mean the usual one's. */
static json_t *camera_facts(writer *w)
{
    const scene_camera *c = w->in->camera;
    const scene_camera *usual = w->in->usual;
    json_t *camera = json_object();
    facts_put(w, camera, "name", json_string(c->name));
    facts_put(w, camera, "matrix", camera_matrix(w, c));
    facts_put(w, camera, "aspect", json_real(c->aspect));
    facts_put(w, camera, "orthographic", json_boolean(c->orthographic));
    facts_put(w, camera, "half_height", json_real(c->half_height));
    facts_put(w, camera, "width", json_integer(w->in->width));
    facts_put(w, camera, "height", json_integer(w->in->height));
    if (usual && !camera_is(usual, c))
        facts_put(w, camera, "usual", camera_matrix(w, usual));
    return camera;
}

/* Each name once, at most MATERIALS_TOLD. */
static json_t *materials(writer *w, const scene_object *object)
{
    json_t *names = json_array();
    for (uint32_t i = 0;
         i < object->part_count && json_array_size(names) < MATERIALS_TOLD;
         i++) {
        uint32_t material = w->scene->parts[object->first_part + i].material;
        const char *name = material < w->scene->material_count
                               ? w->scene->materials[material].name
                               : "";
        bool told = !name[0];
        for (size_t k = 0; k < json_array_size(names) && !told; k++)
            told =
                strcmp(json_string_value(json_array_get(names, k)), name) == 0;
        if (!told)
            facts_add(w, names, json_string(name));
    }
    return names;
}

/* The colours that clearly differ. */
static json_t *object_paints(writer *w, const view_colour *colour)
{
    json_t *ret = json_array();
    for (uint32_t i = 0; i < colour->paint_count; i++) {
        const view_paint *paint = &colour->paints[i];
        json_t *row = json_object();
        facts_put(w, row, "share", json_real(paint->share));
        facts_put(w, row, "lab", facts_reals(w, paint->lab, 3));
        facts_add(w, ret, row);
    }
    return ret;
}

/* As enum space_support has them. */
static const char *support_name(uint8_t support)
{
    static const char *const names[] = {"unknown", "static", "grounded",
                                        "attached", "hovering"};
    return support < COUNT_OF(names) ? names[support] : names[0];
}

/* Where little of a thing is left to be seen, that little may be of another
 * colour than the sentence calls it. Of what the camera does not see, all of
 * its surface tells: in another room the chairs are orange, too. */
static view_colour object_colour(const writer *w, uint32_t index)
{
    const view_colour *first = w->in->first;
    if (first && first[index].pixels)
        return first[index];
    view_colour ret = w->colours[index];
    if (!ret.pixels)
        view_colour_of_surface(w->scene, index, &ret);
    return ret;
}

/* NULL: nothing is known by it. */
static const char *form_name(scene_form form)
{
    static const char *const names[] = {
        [SCENE_FORM_BALL] = "ball", [SCENE_FORM_BLOCK] = "block"};
    return names[form];
}

/* Who said that the heading is the front. */
static const char *front_source(const scene_object *o)
{
    if (o->has_front)
        return "side file";
    return o->front_is_seen ? "caption" : "node";
}

/* Everything that language may refer to or that the planner's arithmetic needs;
 * docs of the format are in facts.h. "start" only for what the run has moved,
 * so that "where it was" can be meant. */
static json_t *object_facts(writer *w, uint32_t index)
{
    const scene_object *object = &w->scene->objects[index];
    scene_box box = space_box(w->in->space, index);
    const view_extent *extent = &w->extents[index];
    const view_colour colour = object_colour(w, index);
    const space_support_state *support = w->in->support;
    double sine, cosine;
    math_sincos(box.yaw, &sine, &cosine);
    json_t *row = json_object();
    facts_put(w, row, "name", json_string(object->name));
    facts_put(w, row, "static", json_boolean(object->is_static));
    facts_put(w, row, "immovable", json_boolean(object->immovable));
    if (object->is_static && object->static_why)
        facts_put(w, row, "static_why", json_string(object->static_why));
    if (object->static_by_cut)
        facts_put(w, row, "static_by_cut", json_true());
    facts_put(w, row, "visible", json_boolean(extent->pixels > 0));
    facts_put(w, row, "pixels", json_integer(extent->pixels));
    facts_put(w, row, "image_box",
              extent->pixels ? facts_reals(w, extent->box, 4) : json_null());
    json_t *colours = colour.pixels ? json_object() : json_null();
    if (colour.pixels) {
        facts_put(w, colours, "srgb", facts_reals(w, colour.srgb, 3));
        facts_put(w, colours, "lab", facts_reals(w, colour.lab, 3));
        if (colour.paint_count)
            facts_put(w, colours, "paints", object_paints(w, &colour));
    }
    facts_put(w, row, "colour", colours);
    facts_put(w, row, "materials", materials(w, object));
    if (form_name(object->form))
        facts_put(w, row, "form", json_string(form_name(object->form)));
    facts_put(w, row, "description", json_string(object->description));
    facts_put(w, row, "category", json_string(object->category));
    json_t *box_json = json_object();
    facts_put(w, box_json, "centre", facts_vector(w, box.centre));
    facts_put(w, box_json, "half", facts_vector(w, box.half));
    facts_put(w, box_json, "yaw_deg", json_real(box.yaw * (180 / MATH_PI)));
    facts_put(w, row, "box", box_json);
    scene_box begun = w->in->began
                          ? scene_box_at(object, &w->in->began->poses[index])
                          : object->box;
    if (v3_distance(box.centre, begun.centre) > 1e-6 ||
        fabs(box.yaw - begun.yaw) > 1e-9) { /* as the run began */
        json_t *start = json_object();
        facts_put(w, start, "centre", facts_vector(w, begun.centre));
        double start_sine, start_cosine;
        math_sincos(begun.yaw, &start_sine, &start_cosine);
        facts_put(w, start, "front",
                  facts_vector(w, v3(start_sine, -start_cosine, 0)));
        facts_put(w, start, "supported_by", json_array());
        facts_put(w, row, "start", start);
    }
    facts_put(w, row, "front", facts_vector(w, v3(sine, -cosine, 0)));
    facts_put(w, row, "front_source", json_string(front_source(object)));
    facts_put(w, row, "support",
              json_string(support_name(support->support[index])));
    facts_put(w, row, "gap",
              support->support[index] == SUPPORT_HOVERING
                  ? real_or_null(support->gap[index])
                  : json_null());
    facts_put(w, row, "supported_by", json_array());
    facts_put(w, row, "supports", json_array());
    return row;
}

/* Rows first, then edges of support into both ends, so that each row's lists
 * are in the order of the edges. */
static json_t *objects_facts(writer *w)
{
    json_t *rows = json_array();
    for (uint32_t i = 0; i < w->scene->object_count; i++)
        facts_add(w, rows, object_facts(w, i));
    const space_support_state *support = w->in->support;
    for (uint32_t i = 0; i < support->edge_count && !w->failed; i++) {
        uint32_t object = support->edges[i].object;
        uint32_t by = support->edges[i].by;
        facts_add(w,
                  json_object_get(json_array_get(rows, object), "supported_by"),
                  json_string(w->scene->objects[by].name));
        facts_add(w, json_object_get(json_array_get(rows, by), "supports"),
                  json_string(w->scene->objects[object].name));
    }
    const space_support_state *began = w->in->start;
    for (uint32_t i = 0; began && i < began->edge_count && !w->failed; i++) {
        json_t *start = json_object_get(
            json_array_get(rows, began->edges[i].object), "start");
        if (start)
            facts_add(w, json_object_get(start, "supported_by"),
                      json_string(w->scene->objects[began->edges[i].by].name));
    }
    return rows;
}

/* Rows of two hex digits a cell: whole centimetres, a tenth of a millimetre
 * forgiven to single precision. */
static json_t *clear_rows(writer *w,
                          const float *clear,
                          uint32_t columns,
                          uint32_t row_count)
{
    const double forgiven = 0.01, most = 255; /* centimetres */
    json_t *rows = json_array();
    char *line = etna_arena_alloc(&w->arena, 2 * (size_t)columns + 1, 1);
    if (!line)
        w->failed = true;
    for (uint32_t j = 0; line && j < row_count; j++) {
        for (uint32_t i = 0; i < columns; i++) {
            double metres = (double)clear[(size_t)j * columns + i];
            double centimetres = 100 * metres + forgiven;
            unsigned told = (unsigned)(centimetres < most ? centimetres : most);
            line[2 * i] = "0123456789abcdef"[told / 16];
            line[2 * i + 1] = "0123456789abcdef"[told % 16];
        }
        line[2 * columns] = 0;
        facts_add(w, rows, json_string(line));
    }
    return rows;
}

/* What could be taken away, each with its window of the map. */
static json_t *layers_facts(writer *w, const probe_surface *s)
{
    json_t *rows = json_array();
    for (const probe_layer *layer = s->layers; layer; layer = layer->next) {
        json_t *row = json_object();
        facts_put(w, row, "object",
                  json_string(w->scene->objects[layer->object].name));
        facts_put(w, row, "column", json_integer(layer->column));
        facts_put(w, row, "row", json_integer(layer->row));
        facts_put(w, row, "columns", json_integer(layer->columns));
        facts_put(w, row, "rows", json_integer(layer->rows));
        facts_put(w, row, "clear",
                  clear_rows(w, layer->clear, layer->columns, layer->rows));
        facts_add(w, rows, row);
    }
    return rows;
}

/* Of the map and its layers together: what the text will be long by. */
static size_t map_cells(const probe_surface *s)
{
    size_t cells = (size_t)s->columns * s->rows;
    for (const probe_layer *layer = s->layers; layer; layer = layer->next)
        cells += (size_t)layer->columns * layer->rows;
    return cells;
}

/* polygon: x and y of the world. clear: what is fixed only; a reader lowers it
 * by those layers it does not take away. */
static json_t *surface_facts(writer *w, const probe_surface *s)
{
    json_t *row = json_object();
    facts_put(w, row, "plane", json_string(s->plane.name));
    facts_put(w, row, "object",
              json_string(w->scene->objects[s->plane.object].name));
    facts_put(w, row, "height", json_real(s->height));
    json_t *polygon = json_array();
    for (uint32_t i = 0; i < s->plane.hull_count; i++) {
        vec3 corner = v3_add_scaled(
            v3_add_scaled(s->plane.origin, s->plane.u, s->plane.hull[i].x),
            s->plane.v, s->plane.hull[i].y);
        facts_add(w, polygon,
                  facts_reals(w, (double[]){corner.x, corner.y}, 2));
    }
    facts_put(w, row, "polygon", polygon);
    facts_put(w, row, "across", json_real(s->plane.across));
    facts_put(w, row, "width", json_real(s->plane.width));
    facts_put(w, row, "cell", json_real(s->cell));
    facts_put(w, row, "origin", facts_reals(w, s->origin, 2));
    facts_put(w, row, "columns", json_integer(s->columns));
    facts_put(w, row, "rows", json_integer(s->rows));
    facts_put(w, row, "clear", clear_rows(w, s->fixed, s->columns, s->rows));
    facts_put(w, row, "over", layers_facts(w, s));
    facts_put(w, row, "shut", json_boolean(s->shut));
    return row;
}

/* In the scene's order until CELLS_TOLD is reached, so that a town's facts stay
 * readable; how many are left out is told. */
static etna_code surfaces_facts(writer *w, json_t *root, etna_error *err)
{
    probe_surface_options options = probe_surface_options_default();
    options.per_object = SURFACES_OF_ONE;
    options.threads = w->in->threads;
    probe_surface *surfaces = NULL;
    uint32_t count = 0, told = 0;
    space_air *air = NULL;
    etna_code code =
        w->in->any_place ? ETNA_OK : space_air_find(w->in->space, &air, err);
    options.air = air;
    if (code == ETNA_OK)
        code = probe_surfaces(w->in->probes, w->in->space, w->in->camera,
                              &options, &w->arena, &surfaces, &count, err);
    space_air_free(air);
    if (code != ETNA_OK)
        return code;
    json_t *rows = json_array();
    size_t cells = 0;
    for (; told < count; told++) {
        cells += map_cells(&surfaces[told]);
        if (cells > CELLS_TOLD)
            break;
        facts_add(w, rows, surface_facts(w, &surfaces[told]));
    }
    facts_put(w, root, "surfaces", rows);
    facts_put(w, root, "surfaces_left_out", json_integer(count - told));
    return ETNA_OK;
}

/* What a wall is painted with, at points all over its map: of a room in one
 * mesh each wall may be of another colour. */
static view_colour wall_colour(const writer *w, const probe_wall *wall)
{
    enum {
        ACROSS = 12,
        UP = 8
    };
    const double before = 0.05; /* metres */
    const probe_surface *map = &wall->map;
    space_hit hits[ACROSS * UP];
    space_ray rays[ACROSS * UP];
    view_colour ret;
    for (int i = 0; i < ACROSS * UP; i++) {
        const double s = map->origin[0] +
                         map->cell * map->columns * (i % ACROSS + 0.5) / ACROSS;
        const double t =
            map->origin[1] + map->cell * map->rows * (i / ACROSS + 0.5) / UP;
        const vec3 on = v3_add_scaled(v3_scale(wall->right, s), wall->normal,
                                      map->height + before);
        rays[i] = (space_ray){.origin = v3(on.x, on.y, t),
                              .direction = v3_scale(wall->normal, -1),
                              .t_max = 2 * before,
                              .skip_object = SCENE_NONE,
                              .only_object = map->plane.object};
    }
    space_cast_many(w->in->space, rays, ACROSS * UP, hits);
    view_colour_of_hits(w->in->space, hits, ACROSS * UP, &ret);
    return ret;
}

/* polygon: metres to the right and up; offset: of the wall along its normal. */
static json_t *wall_facts(writer *w, const probe_wall *wall)
{
    const probe_surface *s = &wall->map;
    json_t *row = json_object();
    json_t *polygon = json_array();
    facts_put(w, row, "plane", json_string(s->plane.name));
    facts_put(w, row, "object",
              json_string(w->scene->objects[s->plane.object].name));
    facts_put(w, row, "normal", facts_vector(w, wall->normal));
    facts_put(w, row, "right", facts_vector(w, wall->right));
    facts_put(w, row, "offset", json_real(s->height));
    for (uint32_t i = 0; i < s->plane.hull_count; i++) {
        vec3 corner = v3_add_scaled(
            v3_add_scaled(s->plane.origin, s->plane.u, s->plane.hull[i].x),
            s->plane.v, s->plane.hull[i].y);
        facts_add(w, polygon,
                  facts_reals(
                      w, (double[]){v3_dot(corner, wall->right), corner.z}, 2));
    }
    facts_put(w, row, "polygon", polygon);
    const view_colour colour = wall_colour(w, wall);
    if (colour.pixels)
        facts_put(w, row, "lab", facts_reals(w, colour.lab, 3));
    facts_put(w, row, "cell", json_real(s->cell));
    facts_put(w, row, "origin", facts_reals(w, s->origin, 2));
    facts_put(w, row, "columns", json_integer(s->columns));
    facts_put(w, row, "rows", json_integer(s->rows));
    facts_put(w, row, "clear", clear_rows(w, s->fixed, s->columns, s->rows));
    facts_put(w, row, "over", layers_facts(w, s));
    return row;
}

/* By the plane's name. */
static bool walls_have(const probe_wall *walls,
                       uint32_t count,
                       const probe_wall *one)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(walls[i].map.plane.name, one->map.plane.name) == 0)
            return true;
    }
    return false;
}

/* Walls that the camera sees, then those that only the usual one does: "the
 * left wall" is one of these. */
static etna_code walls_find(writer *w,
                            probe_wall **ret,
                            uint32_t *ret_count,
                            etna_error *err)
{
    const facts_input *in = w->in;
    probe_wall *seen = NULL, *usual = NULL;
    uint32_t count = 0, others = 0;
    etna_code code = probe_walls(in->probes, in->space, in->camera, &w->arena,
                                 &seen, &count, err);
    if (code == ETNA_OK && in->usual && !camera_is(in->usual, in->camera))
        code = probe_walls(in->probes, in->space, in->usual, &w->arena, &usual,
                           &others, err);
    if (code != ETNA_OK)
        return code;
    probe_wall *all =
        etna_arena_alloc(&w->arena, (size_t)count + others + 1, sizeof *all);
    if (!all)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for the walls of a scene");
    for (uint32_t i = 0; i < count; i++)
        all[i] = seen[i];
    const uint32_t first = count;
    for (uint32_t i = 0; i < others; i++) {
        if (!walls_have(all, first, &usual[i]))
            all[count++] = usual[i];
    }
    *ret = all;
    *ret_count = count;
    return ETNA_OK;
}

/* As surfaces_facts. */
static etna_code walls_facts(writer *w, json_t *root, etna_error *err)
{
    probe_wall *walls = NULL;
    uint32_t count = 0, told = 0;
    etna_code code = walls_find(w, &walls, &count, err);
    if (code != ETNA_OK)
        return code;
    json_t *rows = json_array();
    size_t cells = 0;
    for (; told < count; told++) {
        cells += map_cells(&walls[told].map);
        if (cells > WALL_CELLS_TOLD)
            break;
        facts_add(w, rows, wall_facts(w, &walls[told]));
    }
    facts_put(w, root, "walls", rows);
    facts_put(w, root, "walls_left_out", json_integer(count - told));
    return ETNA_OK;
}

/* Where things stand in a file without a floor. */
static void level_facts(writer *w, json_t *root)
{
    double height;
    vec2 reach[2];
    if (!space_level_find(w->in->space, &height, reach))
        return;
    json_t *row = json_object();
    facts_put(w, row, "height", json_real(height));
    facts_put(w, row, "low",
              facts_reals(w, (double[]){reach[0].x, reach[0].y}, 2));
    facts_put(w, row, "high",
              facts_reals(w, (double[]){reach[1].x, reach[1].y}, 2));
    facts_put(w, root, "level", row);
}

/* To the bit. */
static bool same_pose(const arrange_pose *a, const arrange_pose *b)
{
    return a->position[0] == b->position[0] &&
           a->position[1] == b->position[1] &&
           a->position[2] == b->position[2] && a->yaw == b->yaw;
}

/* Did it move, and not only because it went along with the object of the edit,
 * rigidly? */
static bool moved_apart(const facts_checks *checks, uint32_t i)
{
    const arrange_pose *before = checks->before->poses;
    const arrange_pose *after = checks->after->poses;
    if (i == checks->object || same_pose(&before[i], &after[i]))
        return false;
    return !space_same_relation(&before[checks->object], &before[i],
                                &after[checks->object], &after[i]);
}

/* Null before an edit. moved_m, turned_deg (-180..180) of the object, others
 * that moved apart from it, and what geometry found wrong. */
static json_t *checks_facts(writer *w)
{
    const facts_checks *checks = w->in->checks;
    if (!checks)
        return json_null();
    const scene_object *objects = w->scene->objects;
    json_t *row = json_object();
    facts_put(w, row, "object", json_string(objects[checks->object].name));
    facts_put(w, row, "plane", json_string(checks->plane ? checks->plane : ""));
    facts_put(w, row, "target",
              checks->no_target ? json_null()
                                : facts_reals(w, checks->target, 2));
    facts_put(w, row, "target_is_bottom",
              json_boolean(checks->target_is_bottom));
    const arrange_pose *before = &checks->before->poses[checks->object];
    const arrange_pose *after = &checks->after->poses[checks->object];
    facts_put(
        w, row, "moved_m",
        json_real(v3_distance(
            v3(before->position[0], before->position[1], before->position[2]),
            v3(after->position[0], after->position[1], after->position[2]))));
    double turned = after->yaw - before->yaw;
    while (turned > MATH_PI)
        turned -= 2 * MATH_PI;
    while (turned < -MATH_PI)
        turned += 2 * MATH_PI;
    facts_put(w, row, "turned_deg", json_real(turned * (180 / MATH_PI)));
    json_t *others = json_array();
    for (uint32_t i = 0; i < w->scene->object_count; i++) {
        if (moved_apart(checks, i))
            facts_add(w, others, json_string(objects[i].name));
    }
    facts_put(w, row, "others_moved", others);
    json_t *collisions = json_array();
    for (uint32_t i = 0; i < checks->collision_count; i++) {
        json_t *pair = json_object();
        facts_put(w, pair, "a",
                  json_string(objects[checks->collisions[i].a].name));
        facts_put(w, pair, "b",
                  json_string(objects[checks->collisions[i].b].name));
        facts_put(w, pair, "depth_m", json_real(checks->collisions[i].depth));
        facts_add(w, collisions, pair);
    }
    facts_put(w, row, "collisions", collisions);
    json_t *floating = json_array();
    for (uint32_t i = 0; i < checks->floating_count; i++)
        facts_add(w, floating, json_string(objects[checks->floating[i]].name));
    facts_put(w, row, "floating", floating);
    return row;
}

/* What was brought in and taken out, its places in the world. */
static json_t *staged_facts(writer *w)
{
    json_t *told = json_loads(w->scene->stage, 0, NULL);
    json_t *edits = json_incref(json_object_get(told, "edits"));
    json_t *row;
    size_t i, k;
    json_decref(told);
    json_array_foreach(edits, i, row)
    {
        json_t *places = json_object_get(row, "at");
        json_t *place;
        json_array_foreach(places, k, place)
        {
            for (int axis = 0; axis < 3; axis++) {
                double value =
                    json_number_value(json_array_get(place, (size_t)axis));
                json_array_set_new(
                    place, (size_t)axis,
                    json_real(value - v3_get(w->scene->recentre, axis)));
            }
        }
    }
    if (!edits)
        w->failed = true;
    return edits;
}

/* What the caller has not of the picture's ids and colours. */
static etna_code facts_draw(const facts_input *in,
                            uint32_t *ids,
                            view_colour *colours,
                            etna_error *err)
{
    if (in->ids)
        return in->colours ? ETNA_OK
                           : view_mean_colours(in->space, in->camera, in->width,
                                               in->height, colours, err);
    if (in->colours)
        return view_instance_map(in->space, in->camera, in->width, in->height,
                                 ids, err);
    return view_map_and_colours(in->space, in->camera, in->width, in->height,
                                ids, colours, err);
}

/* What the camera sees, from the caller or made here. */
static etna_code facts_look(writer *w, etna_error *err)
{
    const facts_input *in = w->in;
    size_t pixels = (size_t)in->width * in->height;
    uint32_t count = w->scene->object_count;
    view_extent *extents = etna_arena_alloc(&w->arena, count, sizeof *extents);
    view_colour *colours = etna_arena_alloc(&w->arena, count, sizeof *colours);
    uint32_t *made =
        in->ids ? NULL : etna_arena_alloc(&w->arena, pixels, sizeof *made);
    const bool has_ids = in->ids || made;
    if (!extents || !colours || !has_ids)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while building facts");
    etna_code code = facts_draw(in, made, colours, err);
    if (code != ETNA_OK)
        return code;
    view_extents(in->ids ? in->ids : made, in->width, in->height, count,
                 extents);
    w->extents = extents;
    w->colours = in->colours ? in->colours : colours;
    return ETNA_OK;
}

/* *ret_json is the caller's to free. With `brief` the text for a model with
 * eyes instead (facts_brief). */
etna_code facts_build(const facts_input *input,
                      char **ret_json,
                      size_t *ret_size,
                      etna_error *err)
{
    writer w = {.in = input, .scene = space_scene(input->space)};
    json_t *root = json_object();
    char *text = NULL;
    etna_code code = facts_look(&w, err);
    if (code == ETNA_OK && input->brief) {
        code = facts_brief(input, w.extents, ret_json, ret_size, err);
        goto out;
    }
    if (code != ETNA_OK)
        goto out;
    facts_put(&w, root, "version", json_integer(1));
    facts_put(&w, root, "camera", camera_facts(&w));
    facts_put(&w, root, "objects", objects_facts(&w));
    code = surfaces_facts(&w, root, err);
    if (code != ETNA_OK)
        goto out;
    code = walls_facts(&w, root, err);
    if (code != ETNA_OK)
        goto out;
    level_facts(&w, root);
    if (w.scene->stage)
        facts_put(&w, root, "staged", staged_facts(&w));
    facts_put(&w, root, "checks", checks_facts(&w));
    text = w.failed ? NULL
                    : json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17));
    if (!text) {
        code =
            etna_fail(err, ETNA_E_NOMEM, "out of memory while building facts");
        goto out;
    }
    *ret_json = text;
    *ret_size = strlen(text);
out:
    json_decref(root);
    etna_arena_free(&w.arena);
    return code;
}
