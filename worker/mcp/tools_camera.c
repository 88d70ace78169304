/* Which camera a call looks through: one of the file's, one that is found, or
 * one around a target, by one text for all: "around:NAME", "around:X,Y,Z", with
 * "@AZIMUTH,ELEVATION,DISTANCE" behind it. Around an object, where no side is
 * asked for, it is the first of eight from which the most of the object shows:
 * in a furnished room most sides are behind something. */
#include "worker/mcp/tools_internal.h"

#include "worker/view/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    SIDES = 8,
    SEEN_SIDE =
        96 /* pixels of the pictures in which it is counted what shows */
};

static const char AROUND[] = "around:";

typedef struct orbit { /* read, with what was left out filled in */
    uint32_t object;   /* SCENE_NONE: a point */
    vec3 centre;
    double azimuth, elevation, distance; /* degrees, metres */
    bool has_side;                       /* azimuth was asked for */
} orbit;

/* Azimuth 0 looks from -Y towards +Y, 90 from +X; elevation is above the
 * horizon. 50 degrees of vertical angle. Never straight down, as `right` would
 * have no length: elevations end at 89. */
static scene_camera camera_of(const orbit *o)
{
    double sa, ca, se, ce;
    math_sincos(o->azimuth * (MATH_PI / 180), &sa, &ca);
    math_sincos(o->elevation * (MATH_PI / 180), &se, &ce);
    scene_camera camera = {.name = "orbit",
                           .aspect = 4.0 / 3,
                           .half_height =
                               0.46630765815499858 /* tan 25 degrees */,
                           .near_clip = 0.01};
    vec3 back = v3(ce * sa, -ce * ca, se);
    camera.position = v3_add_scaled(o->centre, back, o->distance);
    camera.forward = v3_scale(back, -1);
    camera.right = v3_normal(v3_cross(camera.forward, v3(0, 0, 1)));
    camera.up = v3_cross(camera.right, camera.forward);
    return camera;
}

/* Up to three finite numbers with commas between them and nothing else: how
 * many; 0: something else stands there. */
static uint32_t camera_read_numbers(const char *text, double ret[3])
{
    uint32_t count = 0;
    for (char *end; count < 3; text = end + 1) {
        ret[count] = strtod(text, &end);
        bool is_number =
            end != text && isfinite(ret[count]) && fabs(ret[count]) <= 1e6;
        if (!is_number)
            return 0;
        count++;
        if (!*end)
            return count;
        if (*end != ',')
            return 0;
    }
    return 0;
}

static etna_code say_forms(const char *asked, etna_error *err)
{
    return etna_fail(
        err, ETNA_E_INPUT,
        "camera \"%.120s\" can't be read: around:NAME or around:X,Y,Z (metres), then as you like "
        "@AZIMUTH,ELEVATION,DISTANCE: degrees from -360 to 360 and from -89 to 89, metres from 0.01 to 10000",
        asked);
}

/* What stands behind the last '@', when these are numbers: a name may hold one,
 * too. What is left out keeps its default: elevation 30 degrees, the distance
 * that fits the target. */
static etna_code read_side(const char *asked,
                           char *target,
                           orbit *o,
                           etna_error *err)
{
    double side[3] = {30, 30, o->distance};
    char *at = strrchr(target, '@');
    uint32_t count = at ? camera_read_numbers(at + 1, side) : 0;
    if (!count)
        return ETNA_OK;
    bool fits = fabs(side[0]) <= 360 && fabs(side[1]) <= 89;
    if (count == 3)
        fits = fits && side[2] >= 0.01 && side[2] <= 10000;
    if (!fits)
        return say_forms(asked, err);
    *at = 0;
    o->azimuth = side[0];
    if (count > 1)
        o->elevation = side[1];
    if (count > 2)
        o->distance = side[2];
    o->has_side = true;
    return ETNA_OK;
}

/* A name wins over every other reading, so an object called "A@1,2" can be
 * looked at. The distance fits the box's bounding sphere into the angle of
 * view, with a tenth of air: radius / sin(25 degrees). */
static etna_code read_orbit(const standing *s,
                            const char *asked,
                            orbit *ret,
                            etna_error *err)
{
    const scene *of = s->file->warm->scene;
    char target[CAMERA_WORDS_MAX];
    double point[3], radius = 0.5;
    orbit o = {
        .object = SCENE_NONE, .azimuth = 30, .elevation = 30, .distance = -1};
    snprintf(target, sizeof target, "%s", asked + strlen(AROUND));
    if (strlen(asked) - strlen(AROUND) >= sizeof target || !*target)
        return say_forms(asked, err);
    bool is_whole_name = scene_find_object(of, target) != SCENE_NONE;
    etna_code code =
        is_whole_name ? ETNA_OK : read_side(asked, target, &o, err);
    if (code != ETNA_OK)
        return code;
    if (!is_whole_name && camera_read_numbers(target, point) == 3) {
        o.centre = v3(point[0], point[1], point[2]);
    } else {
        code = standing_object(s, target, &o.object, err);
        if (code != ETNA_OK)
            return code;
        scene_box box =
            scene_box_at(&of->objects[o.object], &s->snap.poses[o.object]);
        o.centre = box.centre;
        radius = fmax(v3_length(box.half), 0.01);
    }
    /* a sphere, by the sine of half its angle of view */
    if (o.distance < 0)
        o.distance = 1.1 * radius / 0.42261826174069944;
    *ret = o;
    return ETNA_OK;
}

/* The camera; what it does not see of walls and ceiling is hidden. */
static etna_code stand_at(const standing *s,
                          const orbit *o,
                          scene_camera *ret,
                          etna_error *err)
{
    *ret = camera_of(o);
    return view_cutaway_for(s->file->space, ret, err);
}

/* The share of the target that shows, of what would show if it were alone. The
 * silhouette is what the object would cover if it were alone; the map is what
 * is seen of it behind others. 0 where it lies outside of the picture. */
static etna_code count_seen(const standing *s,
                            const scene_camera *camera,
                            uint32_t object,
                            double *ret,
                            etna_error *err)
{
    uint32_t width, height, whole = 0, shows = 0;
    view_size(camera, SEEN_SIDE, &width, &height);
    uint32_t *ids = malloc((size_t)width * height * sizeof *ids);
    if (!ids)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for the camera");
    etna_code code =
        view_instance_map(s->file->space, camera, width, height, ids, err);
    if (code == ETNA_OK)
        code = view_silhouette(s->file->space, camera, object, width, height,
                               &whole, err);
    for (size_t i = 0; code == ETNA_OK && i < (size_t)width * height; i++)
        shows += ids[i] == object;
    free(ids);
    if (code == ETNA_OK)
        *ret = whole ? (double)shows / whole : 0;
    return code;
}

/* The side from which the most shows, the first of those that are nearly alike.
 * A side must show 5 % more to be taken over an earlier one: pictures stay
 * alike between nearly equal sides. */
static etna_code choose_side(const standing *s, orbit *o, etna_error *err)
{
    orbit trial = *o;
    double best = -1;
    double first = o->azimuth;
    for (int i = 0; i < SIDES; i++) {
        scene_camera camera;
        double shows = 0;
        trial.azimuth = first + i * 360.0 / SIDES;
        etna_code code = stand_at(s, &trial, &camera, err);
        if (code == ETNA_OK)
            code = count_seen(s, &camera, o->object, &shows, err);
        if (code != ETNA_OK)
            return code;
        if (shows <= best + 0.05)
            continue;
        best = shows;
        o->azimuth = trial.azimuth;
    }
    return ETNA_OK;
}

/* What standing_answer adds of it. */
static json_t *camera_tell_seen(double shows)
{
    json_t *told =
        json_pack("{s:f}", "target_seen", floor(shows * 1000 + 0.5) / 1000);
    if (told && shows < 0.05) {
        json_object_set_new(
            told, "note",
            json_string(
                "hardly anything of the target shows from there: other things stand before it. Leave the angles out, "
                "and a side is chosen from which it shows, or choose another elevation or a shorter distance"));
    }
    return told;
}

/* Rounded before it is used, so that the words give the same picture again.
 * Adding 0.0 turns -0 into 0, which would be written as "-0". */
static void round_orbit(orbit *o)
{
    o->azimuth = floor(o->azimuth * 10 + 0.5) / 10 + 0.0;
    o->elevation = floor(o->elevation * 10 + 0.5) / 10 + 0.0;
    o->distance = fmax(floor(o->distance * 1000 + 0.5) / 1000, 0.01);
    o->centre = v3(floor(o->centre.x * 1000 + 0.5) / 1000 + 0.0,
                   floor(o->centre.y * 1000 + 0.5) / 1000 + 0.0,
                   floor(o->centre.z * 1000 + 0.5) / 1000 + 0.0);
}

/* By the point, so that it is the same picture again when the target has been
 * moved. */
static void say_orbit(const orbit *o, char words[CAMERA_WORDS_MAX])
{
    snprintf(words, CAMERA_WORDS_MAX, "%s%.9g,%.9g,%.9g@%.9g,%.9g,%.9g", AROUND,
             o->centre.x, o->centre.y, o->centre.z, o->azimuth, o->elevation,
             o->distance);
}

static etna_code orbit_camera(standing *s,
                              const char *asked,
                              scene_camera *ret,
                              char words[CAMERA_WORDS_MAX],
                              etna_error *err)
{
    orbit o;
    double shows = 0;
    etna_code code = read_orbit(s, asked, &o, err);
    if (code != ETNA_OK)
        return code;
    round_orbit(&o);
    if (o.object != SCENE_NONE && !o.has_side)
        code = choose_side(s, &o, err);
    if (code == ETNA_OK)
        code = stand_at(s, &o, ret, err);
    if (code == ETNA_OK && o.object != SCENE_NONE)
        code = count_seen(s, ret, o.object, &shows, err);
    if (code != ETNA_OK)
        return code;
    say_orbit(&o, words);
    if (o.object == SCENE_NONE)
        return ETNA_OK;
    json_decref(s->seen);
    s->seen = camera_tell_seen(shows);
    return s->seen
               ? ETNA_OK
               : etna_fail(err, ETNA_E_NOMEM, "out of memory for the camera");
}

/* The camera of the file that is called so but for case. Only where one camera
 * alone fits; between two that differ by case the text stays and is refused. */
static const char *spell_camera(const scene *of, const char *request)
{
    const char *found = request;
    uint32_t count = 0;
    if (!request || scene_find_camera(of, request) != SCENE_NONE)
        return request;
    for (uint32_t i = 0; i < of->camera_count; i++) {
        if (strcasecmp(of->cameras[i].name, request) != 0)
            continue;
        found = of->cameras[i].name;
        count++;
    }
    return count == 1 ? found : request;
}

etna_code standing_camera(standing *s,
                          const mcp_call *call,
                          scene_camera *ret,
                          char words[CAMERA_WORDS_MAX],
                          etna_error *err)
{
    const char *request =
        spell_camera(s->file->warm->scene, tools_text(call, "camera"));
    bool is_around =
        request && strncasecmp(request, AROUND, strlen(AROUND)) == 0;
    if (is_around &&
        scene_find_camera(s->file->warm->scene, request) == SCENE_NONE)
        return orbit_camera(s, request, ret, words, err);
    etna_code code = world_camera(s->w, s->file, &s->snap, request, ret, err);
    if (code == ETNA_OK)
        snprintf(words, CAMERA_WORDS_MAX, "%s", request ? request : ret->name);
    if (code == ETNA_E_USAGE)
        etna_error_prefix(err, "around:NAME looks at one thing");
    return code;
}
