/* Views of a building that is cut open (METHODS.md 1): `--camera cutaway`,
 * `top` and `orbit:AZ,EL`. See view.h.
 *
 * What stands in the way goes twofold: whole objects that are ceiling or near
 * wall (space_hide), and of what is left, such as a room in one mesh, all that
 * lies before the planes of ceiling and near walls (scene_camera.cuts). */
#include "worker/view/section.h"
#include "worker/view/view_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    TARGETS_MAX = 250,
    SIDES = 8,
    SPOTS = 5
};

static const double lens = 0.46630765815499858; /* tan 25 degrees */
static const double margin = 1.05;
static const double height_spare = 0.1;

typedef struct house { /* what is to be shown */
    space *sp;
    const scene *s;
    section cut;
    bool *hidden;
    bool *fits;    /* per object: it is to be in the picture whole */
    vec3 min, max; /* of all these, up to the ceiling */
    vec3 *points;  /* corners of their boxes */
    uint32_t point_count;
} house;

/* ---- what is asked for ---- */

/* A file may name a camera "top"; then that is meant. */
static bool is_own_camera(const scene *s, const char *name)
{
    for (uint32_t i = 0; i < s->camera_count; i++)
        if (!s->cameras[i].derived && strcmp(s->cameras[i].name, name) == 0)
            return true;
    return false;
}

/* "AZIMUTH,ELEVATION" in degrees. */
static bool orbit_read(const char *text, view_cut_request *ret)
{
    const char *end = "";
    if (!camera_read_decimal(text, &end, &ret->azimuth) || *end != ',')
        return false;
    if (!camera_read_decimal(end + 1, &end, &ret->elevation) || *end)
        return false;
    return fabs(ret->azimuth) <= 360 && fabs(ret->elevation) <= 90;
}

/* False: the request is no cut-away, or names one of the file's cameras. */
bool view_read_cutaway(const scene *s,
                       const char *request,
                       view_cut_request *ret)
{
    view_cut_request asked = {.kind = VIEW_CUTAWAY};
    if (!request || is_own_camera(s, request))
        return false;
    if (strcmp(request, "top") == 0) {
        asked.kind = VIEW_TOP;
    } else if (strncmp(request, "orbit:", 6) == 0) {
        asked.kind = VIEW_ORBIT;
        if (!orbit_read(request + 6, &asked))
            return false;
    } else if (strcmp(request, "cutaway") != 0) {
        return false;
    }
    *ret = asked;
    return true;
}

/* ---- cameras ---- */

/* Looks at the middle from there; degrees as of an orbit: 0, 0 is from the
 * front (-Y). */
static scene_camera camera_toward(double azimuth, double elevation)
{
    double sa, ca, se, ce;
    math_sincos(azimuth * (MATH_PI / 180), &sa, &ca);
    math_sincos(elevation * (MATH_PI / 180), &se, &ce);
    scene_camera camera = {.aspect = 4.0 / 3,
                           .half_height = lens,
                           .near_clip = 0.01,
                           .derived = true};
    camera.forward = v3(-ce * sa, ce * ca, -se);
    camera.right = v3(ca, sa, 0);
    camera.up = v3_cross(camera.right, camera.forward);
    return camera;
}

/* How far a point goes beyond each side of a picture that looks along `camera`
 * from `eye`: right, left, up, down, as parts of the distance. */
static void camera_reach(const scene_camera *camera,
                         vec3 eye,
                         vec3 point,
                         double reach[4])
{
    vec3 d = v3_sub(point, eye);
    double z = v3_dot(d, camera->forward);
    double x = v3_dot(d, camera->right) / z;
    double y = v3_dot(d, camera->up) / z;
    const double at[4] = {x, -x, y, -y};
    for (int k = 0; k < 4; k++)
        reach[k] = math_max(at[k], reach[k]);
}

/* The place from which what is to be shown just fills the picture: exact along
 * the side that decides, and in the middle along the other. */
static void camera_fit(const house *h, scene_camera *camera)
{
    vec3 middle = v3_scale(v3_add(h->min, h->max), 0.5);
    double most[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    double depth = INFINITY;
    double wide = camera->aspect * camera->half_height / margin;
    double high = camera->half_height / margin;
    for (uint32_t i = 0; i < h->point_count; i++) {
        vec3 d = v3_sub(h->points[i], middle);
        double x = v3_dot(d, camera->right);
        double y = v3_dot(d, camera->up);
        double z = v3_dot(d, camera->forward);
        const double at[4] = {x - z * wide, -x - z * wide, y - z * high,
                              -y - z * high};
        for (int k = 0; k < 4; k++)
            most[k] = math_max(at[k], most[k]);
        depth = math_min(z, depth);
    }
    double across = (most[0] + most[1]) / (2 * wide);
    double along = (most[2] + most[3]) / (2 * high);
    double back = math_max(across, along);
    back = back > 0.05 - depth ? back : 0.05 - depth;
    vec3 eye = v3_add_scaled(middle, camera->forward, -back);
    eye = v3_add_scaled(eye, camera->right, (most[0] - most[1]) / 2);
    eye = v3_add_scaled(eye, camera->up, (most[2] - most[3]) / 2);
    for (int round = 0; round < 4; round++) {
        double reach[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
        for (uint32_t i = 0; i < h->point_count; i++)
            camera_reach(camera, eye, h->points[i], reach);
        if (across < along)
            eye = v3_add_scaled(eye, camera->right,
                                (reach[0] - reach[1]) / 2 * back);
        if (along < across)
            eye = v3_add_scaled(eye, camera->up,
                                (reach[2] - reach[3]) / 2 * back);
    }
    camera->position = eye;
}

/* Orthographic, north (+Y) up, the shape of the house between 1:2 and 2:1. A
 * metre above everything, so that no roof is behind the eye. */
static void camera_from_above(const house *h, scene_camera *camera)
{
    vec3 half = v3_scale(v3_sub(h->max, h->min), 0.5);
    vec3 middle = v3_scale(v3_add(h->min, h->max), 0.5);
    double aspect = half.x / math_max(half.y, 1e-3);
    double high = half.y;
    aspect = math_min(2, aspect);
    aspect = math_max(aspect, 0.5);
    high = half.x / aspect > high ? half.x / aspect : high;
    *camera = (scene_camera){.name = "top",
                             .aspect = aspect,
                             .orthographic = true,
                             .near_clip = 0.01,
                             .derived = true};
    camera->half_height = margin * math_max(high, 0.05);
    camera->forward = v3(0, 0, -1);
    camera->right = v3(1, 0, 0);
    camera->up = v3(0, 1, 0);
    double over = math_max(h->s->max.z, h->max.z);
    camera->position = v3(middle.x, middle.y, over + 1);
}

/* ---- the house ---- */

/* The object is to be in the picture whole. */
static void house_extend(house *h, uint32_t object)
{
    const scene_object *o = &h->s->objects[object];
    h->fits[object] = true;
    h->min = v3_min(h->min, o->min);
    h->max = v3_max(h->max, o->max);
}

/* The box around all that is no building. */
static void house_bound_things(house *h)
{
    const scene *s = h->s;
    h->min = v3(INFINITY, INFINITY, INFINITY);
    h->max = v3(-INFINITY, -INFINITY, -INFINITY);
    for (uint32_t i = 0; i < s->object_count; i++) {
        if (!scene_is_aside(&s->objects[i]) && !h->cut.is_shell[i])
            house_extend(h, i);
    }
}

/* What is no building, and as much of the building around it as makes sense of
 * it: all where it is not far larger. */
static void house_bounds(house *h)
{
    const scene *s = h->s;
    house_bound_things(h);
    bool is_empty = !(h->min.x <= h->max.x);
    double area = is_empty ? 0 : (h->max.x - h->min.x) * (h->max.y - h->min.y);
    for (uint32_t i = 0; i < s->object_count; i++) {
        const scene_object *o = &s->objects[i];
        if (o->stray || !h->cut.is_shell[i])
            continue;
        bool is_near =
            (o->max.x - o->min.x) * (o->max.y - o->min.y) <= 4 * area;
        if (is_empty || is_near)
            house_extend(h, i);
    }
    if (h->min.x > h->max.x) {
        h->min = v3(-1, -1, 0);
        h->max = v3(1, 1, 1);
    }
}

/* The bounds, cut at the ceiling, and the corners of all that is to be in the
 * picture. */
static void house_measure(house *h)
{
    const scene *s = h->s;
    house_bounds(h);
    double top = h->cut.has_ceiling ? -h->cut.ceiling.offset : INFINITY;
    if (h->max.z > top + height_spare)
        h->max.z = top + height_spare;
    if (h->max.z < h->min.z)
        h->max.z = h->min.z;
    for (uint32_t i = 0; i < s->object_count; i++) {
        if (!h->fits[i])
            continue;
        vec3 *corners = h->points + h->point_count;
        scene_box_corners(&s->objects[i].box, corners);
        for (int k = 0; k < 8; k++)
            corners[k].z = math_min(corners[k].z, h->max.z);
        h->point_count += 8;
    }
    if (h->point_count > 0)
        return;
    h->points[h->point_count++] = h->min;
    h->points[h->point_count++] = h->max;
}

static void house_close(house *h)
{
    section_free(&h->cut);
    free(h->hidden);
    free(h->fits);
    free(h->points);
}

/* Finds the walls with everything unhidden. Afterwards nothing is hidden in the
 * space, whatever was before. */
static etna_code house_open(space *sp, house *ret, etna_error *err)
{
    house h = {.sp = sp, .s = space_scene(sp)};
    h.hidden = calloc(h.s->object_count + 1u, sizeof *h.hidden);
    h.fits = calloc(h.s->object_count + 1u, sizeof *h.fits);
    h.points = malloc((8 * (size_t)h.s->object_count + 8) * sizeof *h.points);
    etna_code code = ETNA_OK;
    if (!h.hidden || !h.fits || !h.points)
        code = etna_fail(err, ETNA_E_NOMEM, "out of memory for the camera");
    if (code == ETNA_OK)
        code = space_hide(sp, NULL, err);
    if (code == ETNA_OK)
        code = section_find(sp, &h.cut, err);
    if (code != ETNA_OK) {
        house_close(&h);
        return code;
    }
    house_measure(&h);
    *ret = h;
    return ETNA_OK;
}

/* Cuts and hides for this camera. */
static etna_code house_cut(house *h, scene_camera *camera, etna_error *err)
{
    section_apply(&h->cut, camera);
    scene_cutaway(h->s, camera, h->hidden);
    return space_hide(h->sp, h->hidden, err);
}

/* Of five spots on an object's box, its middle and the upper corners, how many
 * show. */
static int house_spots(const house *h,
                       const scene_camera *camera,
                       uint32_t object)
{
    scene_box box = space_box(h->sp, object);
    vec3 corners[8];
    int shown = 0;
    box.half = v3_scale(box.half, 0.8);
    scene_box_corners(&box, corners);
    for (int k = 0; k < SPOTS; k++) {
        vec3 spot = k == 0 ? box.centre : corners[3 + k];
        double x, y, depth;
        space_hit hit;
        space_ray ray = {.t_max = INFINITY,
                         .skip_object = SCENE_NONE,
                         .only_object = SCENE_NONE};
        if (!camera_project(camera, spot, &x, &y, &depth))
            continue;
        camera_ray(camera, x, y, &ray.origin, &ray.direction);
        double distance = v3_dot(v3_sub(spot, ray.origin), ray.direction);
        if (!(distance > 0))
            continue; /* cut away */
        bool met = space_cast(h->sp, &ray, &hit);
        shown += !met || hit.object == object || hit.t > distance - 0.01;
    }
    return shown;
}

/* How much shows of what can be moved, or of all where nothing can; nothing is
 * cut by the picture's edge. */
static double house_shown(const house *h, const scene_camera *camera)
{
    uint32_t movable = 0, wanted = 0, at = 0, asked = 0;
    double shown = 0;
    for (uint32_t i = 0; i < h->s->object_count; i++)
        movable +=
            !h->s->objects[i].is_static && !scene_is_aside(&h->s->objects[i]);
    wanted = movable ? movable : h->s->object_count;
    for (uint32_t i = 0; i < h->s->object_count; i++) {
        const scene_object *o = &h->s->objects[i];
        if (movable && (o->is_static || scene_is_aside(o)))
            continue;
        if (at++ % (wanted / TARGETS_MAX + 1) != 0)
            continue;
        shown += house_spots(h, camera, i) / (double)SPOTS;
        asked++;
    }
    return asked ? shown / asked : 0;
}

/* From the front and low where that shows as much as any other way: the nearer
 * to how people draw a doll's house. */
static etna_code house_view(house *h, scene_camera *ret, etna_error *err)
{
    static const double elevations[3] = {38, 52, 68};
    double best = -1;
    for (int e = 0; e < 3; e++)
        for (int k = 0; k < SIDES; k++) {
            double turn =
                (k % 2 ? -1 : 1) * ((k + 1) / 2) * (360.0 / SIDES) + 20;
            scene_camera camera = camera_toward(turn, elevations[e]);
            camera_fit(h, &camera);
            etna_code code = house_cut(h, &camera, err);
            if (code != ETNA_OK)
                return code;
            double shown = house_shown(h, &camera) - 0.02 * e;
            if (!(shown > best + 0.01))
                continue;
            best = shown;
            *ret = camera;
        }
    ret->name = "cutaway";
    return ETNA_OK;
}

/* Sets hidden objects in the space and cuts in the camera; both belong
 * together. */
etna_code view_cutaway(space *sp,
                       const view_cut_request *asked,
                       scene_camera *ret_camera,
                       etna_error *err)
{
    house h;
    scene_camera camera;
    etna_code code = house_open(sp, &h, err);
    if (code != ETNA_OK)
        return code;
    if (asked->kind == VIEW_TOP) {
        camera_from_above(&h, &camera);
    } else if (asked->kind == VIEW_ORBIT) {
        camera = camera_toward(asked->azimuth, asked->elevation);
        camera.name = "orbit";
        camera_fit(&h, &camera);
    } else {
        code = house_view(&h, &camera, err);
    }
    if (code == ETNA_OK)
        code = house_cut(&h, &camera, err);
    house_close(&h);
    if (code == ETNA_OK)
        *ret_camera = camera;
    return code;
}

/* The same cut for a camera that is there already. */
etna_code view_cutaway_for(space *sp, scene_camera *camera, etna_error *err)
{
    house h;
    etna_code code = house_open(sp, &h, err);
    if (code != ETNA_OK)
        return code;
    code = house_cut(&h, camera, err);
    house_close(&h);
    return code;
}

/* What the scene itself says is in this camera's way, without planes. */
etna_code view_cutaway_hide(space *sp,
                            const scene_camera *camera,
                            etna_error *err)
{
    bool *hidden = calloc(space_scene(sp)->object_count + 1u, sizeof *hidden);
    if (!hidden)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for the camera");
    scene_cutaway(space_scene(sp), camera, hidden);
    etna_code code = space_hide(sp, hidden, err);
    free(hidden);
    return code;
}
