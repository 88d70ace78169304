/* Which camera a call looks through: one of the file's, one that is found, or one around a target (orbit). Around an
 * object, where no side is asked for, it is the first of eight from which the most of the object shows: in a furnished
 * room most sides are behind something. */
#include "worker/mcp/tools_internal.h"

#include "worker/view/view.h"

#include <stdlib.h>
#include <string.h>

enum { SIDES = 8, SEEN_SIDE = 96 /* pixels of the pictures in which it is counted what shows */ };

typedef struct orbit { /* read, with what was left out filled in */
    uint32_t object;   /* SCENE_NONE: a point or the whole scene */
    vec3 centre;
    double azimuth, elevation, distance; /* degrees, metres */
    bool cutaway;
} orbit;

static double number_of(const json_t *asked, const char *key, double otherwise)
{
    const json_t *value = json_object_get(asked, key);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

static scene_camera camera_of(const orbit *o)
{
    double sa, ca, se, ce;
    math_sincos(o->azimuth * (MATH_PI / 180), &sa, &ca);
    math_sincos(o->elevation * (MATH_PI / 180), &se, &ce);
    scene_camera camera = {
        .name = "orbit", .aspect = 4.0 / 3, .half_height = 0.46630765815499858 /* tan 25 degrees */, .near_clip = 0.01};
    vec3 back = v3(ce * sa, -ce * ca, se);
    camera.position = v3_add_scaled(o->centre, back, o->distance);
    camera.forward = v3_scale(back, -1);
    camera.right = v3_normal(v3_cross(camera.forward, v3(0, 0, 1)));
    camera.up = v3_cross(camera.right, camera.forward);
    return camera;
}

/* From how far the whole scene fills the picture: by the corners of its box, for of a ball around a room most is air. */
static double distance_for_all(const scene *of, const orbit *o)
{
    scene_camera camera = camera_of(o);
    double distance = 0.1;
    for (int i = 0; i < 8; i++) {
        vec3 corner = v3_corner(of->min, of->max, i);
        vec3 d = v3_sub(corner, o->centre);
        double wide = fabs(v3_dot(d, camera.right)) / (camera.aspect * camera.half_height);
        double high = fabs(v3_dot(d, camera.up)) / camera.half_height;
        double needed = 1.08 * (wide > high ? wide : high) - v3_dot(d, camera.forward);
        distance = needed > distance ? needed : distance;
    }
    return distance;
}

static etna_code read_orbit(const standing *s, const json_t *asked, orbit *ret, etna_error *err)
{
    const scene *of = s->w->warm->scene;
    const char *name = json_string_value(json_object_get(asked, "object"));
    const json_t *point = json_object_get(asked, "point");
    double radius = 0.5;
    orbit o = {.object = SCENE_NONE};
    if (name && point) return etna_fail(err, ETNA_E_INPUT, "orbit: give object or point, not both");
    if (name) {
        etna_code code = standing_object(s, name, &o.object, err);
        if (code != ETNA_OK) return code;
        scene_box box = scene_box_at(&of->objects[o.object], &s->snap.poses[o.object]);
        o.centre = box.centre;
        radius = v3_length(box.half);
    } else if (point) {
        o.centre = tools_point(point);
    } else {
        o.centre = v3_scale(v3_add(of->min, of->max), 0.5);
    }
    if (radius < 0.01) radius = 0.01;
    o.azimuth = number_of(asked, "azimuth_deg", 30);
    o.elevation = number_of(asked, "elevation_deg", 30);
    double far = name || point
                     ? 1.1 * radius / 0.42261826174069944 /* a sphere, by the sine of half its angle of view */
                     : distance_for_all(of, &o);
    o.distance = number_of(asked, "distance", far);
    o.cutaway = !json_is_false(json_object_get(asked, "cutaway"));
    *ret = o;
    return ETNA_OK;
}

/* The camera; what it does not see of walls and ceiling is hidden. */
static etna_code stand_at(const standing *s, const orbit *o, scene_camera *ret, etna_error *err)
{
    *ret = camera_of(o);
    return o->cutaway ? view_cutaway_for(s->w->space, ret, err) : ETNA_OK;
}

/* The share of the target that shows, of what would show if it were alone. */
static etna_code count_seen(const standing *s, const scene_camera *camera, uint32_t object, double *ret,
                            etna_error *err)
{
    uint32_t width, height, whole = 0, shows = 0;
    view_size(camera, SEEN_SIDE, &width, &height);
    uint32_t *ids = malloc((size_t)width * height * sizeof *ids);
    if (!ids) return etna_fail(err, ETNA_E_NOMEM, "out of memory for the camera");
    etna_code code = view_instance_map(s->w->space, camera, width, height, ids, err);
    if (code == ETNA_OK) code = view_silhouette(s->w->space, camera, object, width, height, &whole, err);
    for (size_t i = 0; code == ETNA_OK && i < (size_t)width * height; i++) shows += ids[i] == object;
    free(ids);
    if (code == ETNA_OK) *ret = whole ? (double)shows / whole : 0;
    return code;
}

/* The side from which the most shows, the first of those that are nearly alike. */
static etna_code choose_side(const standing *s, orbit *o, etna_error *err)
{
    orbit trial = *o;
    double best = -1, first = o->azimuth;
    for (int i = 0; i < SIDES; i++) {
        scene_camera camera;
        double shows = 0;
        trial.azimuth = first + i * 360.0 / SIDES;
        etna_code code = stand_at(s, &trial, &camera, err);
        if (code == ETNA_OK) code = count_seen(s, &camera, o->object, &shows, err);
        if (code != ETNA_OK) return code;
        if (shows <= best + 0.05) continue;
        best = shows;
        o->azimuth = trial.azimuth;
    }
    return ETNA_OK;
}

/* What standing_answer adds of it: all that was asked for or chosen, so that it can be asked for again. */
static json_t *tell(const standing *s, const json_t *asked, const orbit *o, double shows)
{
    json_t *as = json_pack("{s:f, s:f, s:f, s:b}", "azimuth_deg", o->azimuth, "elevation_deg", o->elevation, "distance",
                           o->distance, "cutaway", o->cutaway);
    json_t *told = as ? json_pack("{s:o}", "orbit", as) : NULL;
    if (told && json_object_get(asked, "point"))
        json_object_set_new(as, "point", json_deep_copy(json_object_get(asked, "point")));
    if (told && o->object != SCENE_NONE) {
        shows = floor(shows * 1000 + 0.5) / 1000;
        json_object_set_new(as, "object", json_string(s->w->warm->scene->objects[o->object].name));
        json_object_set_new(told, "target_seen", json_real(shows));
        if (shows < 0.05) {
            json_object_set_new(
                told, "note",
                json_string(
                    "hardly anything of the target shows from there: other things stand before it. Leave azimuth_deg out, "
                    "and a side is chosen from which it shows, or choose another elevation_deg or a shorter distance"));
        }
    }
    return told;
}

static etna_code orbit_camera(standing *s, const json_t *asked, scene_camera *ret, etna_error *err)
{
    orbit o;
    double shows = 0;
    etna_code code = read_orbit(s, asked, &o, err);
    if (code == ETNA_OK && o.object != SCENE_NONE && !json_object_get(asked, "azimuth_deg"))
        code = choose_side(s, &o, err);
    if (code == ETNA_OK) code = stand_at(s, &o, ret, err);
    if (code == ETNA_OK && o.object != SCENE_NONE) code = count_seen(s, ret, o.object, &shows, err);
    if (code != ETNA_OK) return code;
    json_decref(s->orbit);
    s->orbit = tell(s, asked, &o, shows);
    return s->orbit ? ETNA_OK : etna_fail(err, ETNA_E_NOMEM, "out of memory for the camera");
}

etna_code standing_camera(standing *s, const mcp_call *call, scene_camera *ret, etna_error *err)
{
    const json_t *asked = json_object_get(call->arguments, "orbit");
    const char *request = tools_text(call, "camera");
    if (asked && request) return etna_fail(err, ETNA_E_INPUT, "give camera or orbit, not both");
    if (asked) return orbit_camera(s, asked, ret, err);
    if (request && strcmp(request, "orbit") == 0) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "\"orbit\" is no camera's name: give the argument orbit again as the answer with the picture told it");
    }
    return world_camera(s->w, &s->snap, request, ret, err);
}
