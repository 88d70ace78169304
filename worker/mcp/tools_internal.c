/* What the handlers share. */
#include "worker/mcp/tools_internal.h"

#include "worker/agents/names.h"
#include "worker/view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* NULL where it was left out. */
const char *tools_text(const mcp_call *call, const char *key)
{
    return json_string_value(json_object_get(call->arguments, key));
}

/* `otherwise` where it was left out. */
double tools_number(const mcp_call *call, const char *key, double otherwise)
{
    const json_t *value = json_object_get(call->arguments, key);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

/* To a micrometre; + 0.0 for -0. */
json_t *tools_metres(double value)
{
    return json_real(floor(value * 1e6 + 0.5) / 1e6 + 0.0);
}

/* Metres, rounded. */
json_t *tools_vector(vec3 v)
{
    return json_pack("[o,o,o]", tools_metres(v.x), tools_metres(v.y),
                     tools_metres(v.z));
}

/* The position alone. */
json_t *tools_pose(const arrange_pose *pose)
{
    return tools_vector(
        v3(pose->position[0], pose->position[1], pose->position[2]));
}

/* In (-180, 180], to a thousandth. */
double tools_degrees(double radians)
{
    double d = radians * (180 / MATH_PI);
    d -= 360 * floor(d / 360);
    d = floor((d > 180 ? d - 360 : d) * 1000 + 0.5) / 1000;
    return d <= -180 ? d + 360 : d + 0.0;
}

/* The schema has checked it. */
vec3 tools_point(const json_t *array)
{
    return v3(json_number_value(json_array_get(array, 0)),
              json_number_value(json_array_get(array, 1)),
              json_number_value(json_array_get(array, 2)));
}

/* ---- an arrangement ---- */

/* standing_end in every case. */
etna_code standing_begin(world *w,
                         const mcp_call *call,
                         standing *ret,
                         etna_error *err)
{
    *ret = (standing){.w = w};
    etna_code code =
        world_find(w, tools_text(call, "scene_id"), &ret->scene, err);
    if (code != ETNA_OK)
        return code;
    ret->file = ret->scene->file;
    return world_stand(ret->scene, &ret->snap, err);
}

/* Also of one that began in part. */
void standing_end(standing *s)
{
    snapshot_free(&s->snap);
    json_decref(s->seen);
}

/* Takes no memory of the snapshot's. */
etna_code standing_push(standing *s,
                        const snapshot *snap,
                        const char *label,
                        etna_error *err)
{
    return world_push(s->scene, snap, label, err);
}

/* Takes `structured`. Every answer says which arrangement and which edit it is
 * about, since a model may have several open. */
etna_code standing_answer(const standing *s,
                          mcp_call *call,
                          json_t *structured,
                          etna_error *err)
{
    const world_scene *kept = s->scene;
    char handle[16];
    snprintf(handle, sizeof handle, "e%u", kept->edits[kept->at].number);
    json_t *state = json_pack("{s:i, s:s, s:s}", "edits", (int)kept->at, "edit",
                              handle, "scene_id", kept->id);
    if (state && s->seen && json_object_update(state, s->seen) != 0) {
        json_decref(state);
        state = NULL;
    }
    if (!structured || !state || json_object_update(structured, state) != 0) {
        json_decref(structured);
        json_decref(state);
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for the result");
    }
    json_decref(state);
    call->structured = structured;
    return ETNA_OK;
}

/* Do the letters of `word` stand in `name`, whatever their case? */
static bool has_word(const char *name, const char *word, size_t length)
{
    for (const char *at = name; strlen(at) >= length; at++) {
        if (strncasecmp(at, word, length) == 0)
            return true;
    }
    return false;
}

/* How many of the words of `asked` (of three letters and more) an object's name
 * has. */
static uint32_t words_shared(const char *name, const char *asked)
{
    uint32_t shared = 0;
    for (const char *at = asked; *at;) {
        size_t length = strcspn(at, " _-.,0123456789");
        shared += length >= 3 && has_word(name, at, length);
        at += length + (at[length] != 0);
    }
    return shared;
}

/* Those whose names share the most words with `asked`, as `"A", "B"`; "" when
 * none shares any. Models guess names ("Sofa" for "Sofa_01"); the refusal gives
 * the ones that are meant. */
static void add_alike(const scene *s,
                      const char *asked,
                      char *words,
                      size_t size)
{
    enum {
        ALIKE_MAX = 6
    };
    uint32_t most = 0, told = 0;
    size_t used = 0;
    words[0] = 0;
    for (uint32_t i = 0; i < s->object_count; i++) {
        uint32_t shared = words_shared(s->objects[i].name, asked);
        if (shared > most)
            most = shared;
    }
    if (most == 0)
        return;
    for (uint32_t i = 0; i < s->object_count && told < ALIKE_MAX && used < size;
         i++) {
        if (words_shared(s->objects[i].name, asked) < most)
            continue;
        used += (size_t)snprintf(words + used, size - used, "%s\"%.60s\"",
                                 told++ ? ", " : "", s->objects[i].name);
    }
}

/* Unknown names are told with those that are alike. */
etna_code standing_object(const standing *s,
                          const char *name,
                          uint32_t *ret,
                          etna_error *err)
{
    uint32_t object = names_object(s->file->warm->scene, name);
    if (object == SCENE_NONE) {
        char alike[400];
        add_alike(s->file->warm->scene, name, alike, sizeof alike);
        if (alike[0])
            return etna_fail(
                err, ETNA_E_INPUT,
                "no object is named \"%.200s\"; there is %s (get_scene_info lists all)",
                name, alike);
        return etna_fail(
            err, ETNA_E_INPUT,
            "no object is named \"%.200s\"; get_scene_info and list_all_object_in_view give the names",
            name);
    }
    *ret = object;
    return ETNA_OK;
}

/* At most 100 names. */
json_t *standing_neighbours(const standing *s,
                            const space_support_state *state,
                            uint32_t object,
                            bool below)
{
    const scene *of = s->file->warm->scene;
    json_t *names = json_array();
    for (uint32_t e = 0;
         names && e < state->edge_count && json_array_size(names) < 100; e++) {
        if ((below ? state->edges[e].object : state->edges[e].by) != object)
            continue;
        json_array_append_new(
            names,
            json_string(
                of->objects[below ? state->edges[e].by : state->edges[e].object]
                    .name));
    }
    return names;
}

/* By the relation of support, not by height: what leans counts as standing on
 * what holds it. `snap` is restored into the space. */
etna_code standing_on(const standing *s,
                      const snapshot *snap,
                      uint32_t object,
                      json_t **ret,
                      etna_error *err)
{
    const space_rules rules = {0};
    space_support_state state = {0};
    etna_code code = space_restore(s->file->space, snap, err);
    if (code == ETNA_OK)
        code =
            space_support_compute(s->file->space, &rules, &s->file->warm->start,
                                  snap->attached, &state, err);
    if (code == ETNA_OK)
        *ret = standing_neighbours(s, &state, object, true);
    space_support_free(&state);
    return code;
}

/* ---- images ---- */

/* Half the side, each pixel the mean of four. */
static etna_code view_image_halve(const view_image *image,
                                  view_image *ret,
                                  etna_error *err)
{
    view_image half = {.width = image->width / 2, .height = image->height / 2};
    if (!half.width || !half.height)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "an image of one pixel is too large");
    half.rgb = malloc(3 * (size_t)half.width * half.height);
    if (!half.rgb)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for an image");
    for (size_t y = 0; y < half.height; y++) {
        for (size_t x = 0; x < half.width; x++) {
            const uint8_t *at = image->rgb + 3 * (2 * y * image->width + 2 * x);
            const uint8_t *below = at + 3 * (size_t)image->width;
            for (int c = 0; c < 3; c++)
                half.rgb[3 * (y * half.width + x) + (size_t)c] =
                    (uint8_t)((at[c] + at[c + 3] + below[c] + below[c + 3] +
                               2) /
                              4);
        }
    }
    *ret = half;
    return ETNA_OK;
}

/* Replaces the image that the call had. */
static etna_code mcp_call_encode(mcp_call *call,
                                 const view_image *image,
                                 bool png,
                                 int quality,
                                 etna_error *err)
{
    uint8_t *data = NULL;
    size_t size = 0;
    etna_code code = png ? view_encode_png(image, &data, &size, err)
                         : view_encode_jpeg(image, quality, &data, &size, err);
    if (code != ETNA_OK)
        return code;
    free(call->image);
    call->image = data;
    call->image_size = size;
    call->image_type = png ? "image/png" : "image/jpeg";
    return ETNA_OK;
}

/* First smaller by quality, then by size: clients refuse results over
 * MCP_IMAGE_MAX whole. A PNG that is too large becomes a JPEG. */
etna_code tools_image(mcp_call *call, const view_image *image, etna_error *err)
{
    const char *format = tools_text(call, "format");
    bool png = format && strcmp(format, "png") == 0;
    etna_code code = mcp_call_encode(call, image, png, 85, err);
    for (int quality = 75;
         code == ETNA_OK && call->image_size > MCP_IMAGE_MAX && quality >= 35;
         quality -= 20) {
        code = mcp_call_encode(call, image, false, quality, err);
    }
    if (code != ETNA_OK || call->image_size <= MCP_IMAGE_MAX)
        return code;
    view_image half = {0};
    code = view_image_halve(image, &half, err);
    if (code == ETNA_OK)
        code = tools_image(call, &half, err); /* ends: sides halve */
    view_image_free(&half);
    return code;
}

/* Said beside the picture, for models that need it. */
json_t *tools_picture_words(const char *what, uint32_t margin)
{
    if (!margin)
        return json_sprintf("%s, without coordinates", what);
    return json_sprintf(
        "%s; the numbers along its margin of %u pixels are coordinates within the margin, (0, 0) top left",
        what, margin);
}

enum {
    SHOWN_SIDE = 640
}; /* of the picture that comes with an edit */

/* With the grid, so that the next call can name a point of this picture. */
static etna_code standing_draw(const standing *s,
                               mcp_call *call,
                               const scene_camera *sized,
                               uint32_t width,
                               uint32_t height,
                               uint32_t *ret_margin,
                               etna_error *err)
{
    view_image clean = {0}, grid = {0};
    etna_code code = view_render(s->file->space, sized, width, height,
                                 s->w->options.threads, &clean, err);
    if (code == ETNA_OK)
        code = view_grid(&clean, &grid, ret_margin, err);
    if (code == ETNA_OK)
        code = tools_image(call, &grid, err);
    view_image_free(&grid);
    view_image_free(&clean);
    return code;
}

/* A picture without what was moved looks as if that had gone. */
static bool standing_is_hidden(const standing *s,
                               const scene_camera *sized,
                               uint32_t width,
                               uint32_t height,
                               uint32_t object)
{
    size_t count = (size_t)width * height;
    size_t i = 0;
    uint32_t *ids = malloc(count * sizeof *ids);
    bool known = ids && view_instance_map(s->file->space, sized, width, height,
                                          ids, NULL) == ETNA_OK;
    while (known && i < count && ids[i] != object)
        i++;
    free(ids);
    return known && i == count;
}

/* An edit that succeeded does not fail for its picture: the answer says why
 * there is none. */
void tools_show(const standing *s,
                mcp_call *call,
                const scene_camera *camera,
                const char *words,
                uint32_t object,
                json_t *structured)
{
    etna_error err = {0};
    uint32_t width, height, margin = 0;
    view_size(camera, SHOWN_SIDE, &width, &height);
    scene_camera sized = view_camera_sized(camera, width, height);
    json_object_set_new(structured, "camera", json_string(words));
    if (standing_draw(s, call, &sized, width, height, &margin, &err) !=
        ETNA_OK) {
        json_object_set_new(structured, "picture",
                            json_sprintf("none: %s", err.text));
        return;
    }
    json_object_set_new(
        structured, "picture",
        tools_picture_words("the scene after the edit", margin));
    if (object == SCENE_NONE ||
        !standing_is_hidden(s, &sized, width, height, object))
        return;
    const char *name = s->file->warm->scene->objects[object].name;
    json_object_set_new(
        structured, "note",
        json_sprintf("%s does not show from this camera; around:%s looks at it",
                     name, name));
}

/* ---- what an edit breaks ---- */

/* Appends at most eight names, then "and N more"; returns how much of `words`
 * is used. */
static size_t add_names(const scene *s,
                        char *words,
                        size_t used,
                        const uint32_t *objects,
                        uint32_t count)
{
    for (uint32_t i = 0; i < count && used < ARRANGE_REASON_MAX - 1; i++) {
        if (i == 8)
            return used + (size_t)snprintf(words + used,
                                           ARRANGE_REASON_MAX - used,
                                           " and %u more", count - i);
        used += (size_t)snprintf(words + used, ARRANGE_REASON_MAX - used,
                                 "%s\"%.60s\"", i ? ", " : "",
                                 s->objects[objects[i]].name);
    }
    return used < ARRANGE_REASON_MAX ? used : ARRANGE_REASON_MAX - 1;
}

enum {
    TOOLS_LISTED = 32
}; /* things that a refusal may name */

/* What nothing would hold after the edit; `words` stays as it is where all is
 * held. The height that would put it down is in the refusal, as models correct
 * a number faster than they probe for one. */
static etna_code tools_unheld(const standing *s,
                              const snapshot *after,
                              uint32_t moved,
                              char words[ARRANGE_REASON_MAX],
                              etna_error *err)
{
    const space_rules rules = {0};
    const space_support_state *start = &s->file->warm->start;
    space_support_state now = {0};
    uint32_t others[TOOLS_LISTED];
    etna_code code = space_support_compute(s->file->space, &rules, start,
                                           after->attached, &now, err);
    if (code != ETNA_OK)
        return code;
    const uint32_t count =
        space_support_broken(start, &now, after->moved, others, TOOLS_LISTED);
    if (count) {
        size_t used =
            (size_t)snprintf(words, ARRANGE_REASON_MAX, "nothing would hold ");
        used = add_names(s->file->warm->scene, words, used, others, count);
        /* 0 for what something holds, or would if it did not tip over */
        double gap = now.gap[moved];
        if (now.support[moved] == SUPPORT_HOVERING && gap > 0.001 && gap < 1e6)
            snprintf(
                words + used, ARRANGE_REASON_MAX - used,
                " (%.3f m of air would be beneath it: z %.3f puts it down)",
                gap, after->poses[moved].position[2] - gap);
    }
    space_support_free(&now);
    return ETNA_OK;
}

/* "" in `words` when nothing is wrong. Collisions come first: what overlaps is
 * often not held either, and moving it settles both. */
etna_code tools_broken(const standing *s,
                       const snapshot *after,
                       uint32_t moved,
                       const uint32_t *carried,
                       uint32_t carried_count,
                       char words[ARRANGE_REASON_MAX],
                       etna_error *err)
{
    const scene *of = s->file->warm->scene;
    const space_rules rules = {0};
    space_pair pairs[TOOLS_LISTED];
    uint32_t count = 0, others[TOOLS_LISTED];
    words[0] = 0;
    uint32_t *body = malloc(((size_t)carried_count + 1) * sizeof *body);
    if (!body)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for the check");
    body[0] = moved;
    if (carried_count)
        memcpy(body + 1, carried, carried_count * sizeof *body);
    etna_code code =
        space_body_collisions(s->file->space, body, carried_count + 1, &rules,
                              pairs, TOOLS_LISTED, &count, err);
    free(body);
    if (code != ETNA_OK)
        return code;
    if (count == 0)
        return tools_unheld(s, after, moved, words, err);
    for (uint32_t i = 0; i < count; i++)
        others[i] = pairs[i].b;
    int used =
        snprintf(words, ARRANGE_REASON_MAX, "\"%.60s\" would collide with ",
                 of->objects[pairs[0].a].name);
    add_names(of, words, (size_t)used, others, count);
    return ETNA_OK;
}
