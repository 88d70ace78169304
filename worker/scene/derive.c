/* METHODS.md 1, Camera, where the file has none. Outdoors: above and before
 * what is movable. Indoors, which a few rays against the static triangles tell
 * (there is something above the middle of what is movable, and around it): in
 * the room, at eye height, from the side with the most room. */
#include "worker/scene/scene_internal.h"

#include <stdlib.h>

/* ---- rays against what is static: no acceleration, for there are ten of them
 * ---- */

/* Slabs. A direction that is parallel to a slab must begin within it. */
static bool meets_box(vec3 origin, vec3 direction, const scene_object *o)
{
    double near = 0, far = INFINITY;
    for (int k = 0; k < 3; k++) {
        double d = v3_get(direction, k);
        double low = v3_get(o->min, k) - v3_get(origin, k);
        double high = v3_get(o->max, k) - v3_get(origin, k);
        if (d == 0) {
            if (low > 0 || high < 0) {
                return false;
            }
            continue;
        }
        double a = low / d;
        double b = high / d;
        near = math_max(math_min(a, b), near);
        far = math_min(math_max(a, b), far);
    }
    return near <= far;
}

/* Distance to the triangle along a unit direction, or INFINITY. */
static double triangle_distance(
    vec3 origin, vec3 direction, vec3 a, vec3 b, vec3 c)
{
    vec3 e = v3_sub(b, a);
    vec3 f = v3_sub(c, a);
    vec3 p = v3_cross(direction, f);
    vec3 q = v3_sub(origin, a);
    double det = v3_dot(e, p);
    if (det == 0) {
        return INFINITY;
    }
    double u = v3_dot(q, p) / det;
    vec3 r = v3_cross(q, e);
    double v = v3_dot(direction, r) / det;
    double t = v3_dot(f, r) / det;
    bool is_within = u >= 0 && v >= 0 && u + v <= 1;
    return is_within && t > 1e-6 ? t : INFINITY;
}

static double free_distance(const importer *m, vec3 origin, vec3 direction)
{
    double nearest = INFINITY;
    for (uint32_t i = 0; i < m->s->object_count; i++) {
        const scene_object *o = &m->objects[i];
        if (!o->is_static || o->stray || !meets_box(origin, direction, o)) {
            continue;
        }
        for (uint32_t p = 0; p < o->part_count; p++) {
            const scene_part *part = &m->parts[o->first_part + p];
            const scene_mesh *mesh = &m->meshes[part->mesh];
            for (uint32_t t = 0; t < mesh->triangle_count; t++) {
                const uint32_t *corner = mesh->index + 3 * (size_t)t;
                double d = triangle_distance(
                    origin, direction, scene_vertex(m->s, part, corner[0]),
                    scene_vertex(m->s, part, corner[1]),
                    scene_vertex(m->s, part, corner[2]));
                nearest = math_min(d, nearest);
            }
        }
    }
    return nearest;
}

/* ---- what is to be seen ---- */

static bool is_shown(const scene_object *o, bool any_movable)
{
    return !scene_is_aside(o) && (!any_movable || !o->is_static);
}

static bool any_movable(const importer *m)
{
    for (uint32_t i = 0; i < m->s->object_count; i++) {
        if (!m->objects[i].is_static && !scene_is_aside(&m->objects[i])) {
            return true;
        }
    }
    return false;
}

/* The median centre of what is movable. */
static bool derive_middle(const importer *m, bool movable, vec3 *ret)
{
    double *values = malloc(((size_t)m->s->object_count + 1) * sizeof *values);
    double middle[3] = {0, 0, 0};
    for (int k = 0; values && k < 3; k++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < m->s->object_count; i++) {
            if (is_shown(&m->objects[i], movable)) {
                values[n++] = v3_get(m->objects[i].box.centre, k);
            }
        }
        qsort(values, n, sizeof *values, math_compare);
        middle[k] = n ? values[n / 2] : 0;
    }
    *ret = v3(middle[0], middle[1], middle[2]);
    free(values);
    return values != NULL;
}

/* ---- indoors ---- */

/* 1.2 m of height and walls in at least four of eight directions make a room.
 * The eye is at 1.6 m, or 0.2 m below a low ceiling, and 0.3 m before the wall
 * that it leans to. */
static bool derive_indoors(const importer *m, vec3 middle, scene_camera *camera)
{
    double above = free_distance(m, middle, v3(0, 0, 1));
    double below = free_distance(m, middle, v3(0, 0, -1));
    double floor_z = middle.z - below;
    double room = above + below;
    if (!isfinite(above) || !isfinite(below) ||
        room < 1.2) { /* a room has both; a hill has only one */
        return false;
    }
    vec3 eye =
        v3(middle.x, middle.y, floor_z + (room - 0.2 < 1.6 ? room - 0.2 : 1.6));
    /* the front first: between directions with about the same room the scene is
     * looked at from its front */
    static const double ways[8][2] = {
        {0, -1}, {0.7071, -0.7071}, {-0.7071, -0.7071}, {1, 0},
        {-1, 0}, {0.7071, 0.7071},  {-0.7071, 0.7071},  {0, 1}};
    double best = 0;
    int walls = 0, way = 0;
    for (int i = 0; i < 8; i++) {
        double d =
            free_distance(m, eye, v3_normal(v3(ways[i][0], ways[i][1], 0)));
        walls += isfinite(d) != 0;
        d = math_min(d, 4.3); /* farther than this shows things too small */
        if (d > best + 0.05) {
            best = d;
            way = i;
        }
    }
    if (walls < 4 || best < 0.6) {
        return false;
    }
    camera->position = v3_add_scaled(
        eye, v3_normal(v3(ways[way][0], ways[way][1], 0)), best - 0.3);
    /* 75 degrees wide */
    camera->half_height = camera_tan_half(75 * MATH_PI / 180) / camera->aspect;
    return camera_aim(camera, v3_sub(middle, camera->position), v3(0, 0, 1));
}

/* ---- outdoors ---- */

/* Seen from the front (-Y), 35 degrees down, 45 degrees high, as near as
 * everything movable fits with a twelfth to spare. */
static void derive_outdoors(const importer *m,
                            bool movable,
                            scene_camera *camera)
{
    vec3 low = v3(INFINITY, INFINITY, INFINITY);
    vec3 high = v3(-INFINITY, -INFINITY, -INFINITY);
    for (uint32_t i = 0; i < m->s->object_count; i++) {
        if (is_shown(&m->objects[i], movable)) {
            low = v3_min(low, m->objects[i].min);
            high = v3_max(high, m->objects[i].max);
        }
    }
    double s, c, distance = 0;
    math_sincos(35 * MATH_PI / 180, &s, &c);
    camera->half_height = camera_tan_half(45 * MATH_PI / 180);
    (void)camera_aim(camera, v3(0, c, -s), v3(0, 0, 1));
    vec3 centre = v3_scale(v3_add(low, high), 0.5);
    /* back off until each corner lies within 0.9 of the half picture */
    for (int i = 0; i < 8; i++) {
        vec3 d = v3_sub(v3_corner(low, high, i), centre);
        double u = fabs(v3_dot(d, camera->right)) /
                   (0.9 * camera->half_height * camera->aspect);
        double v = fabs(v3_dot(d, camera->up)) / (0.9 * camera->half_height);
        double depth = v3_dot(d, camera->forward);
        double need = math_max(u, v) - depth;
        distance = math_max(need, distance);
    }
    distance = math_max(distance, 0.05);
    camera->position = v3_add_scaled(centre, camera->forward, -distance);
}

etna_code camera_derive(importer *m, etna_error *err)
{
    if (m->s->camera_count > 0) {
        return ETNA_OK;
    }
    scene_camera camera = {
        .aspect = 4.0 / 3, .derived = true, .near_clip = 0.01};
    bool movable = any_movable(m);
    vec3 middle;
    if (!derive_middle(m, movable, &middle)) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u objects",
                         m->s->object_count);
    }
    bool indoors = derive_indoors(m, middle, &camera);
    if (!indoors) {
        derive_outdoors(m, movable, &camera);
    }
    report_line(m, "The file has no camera; one is derived %s.",
                indoors ? "in the room, at eye height"
                        : "above and before what is movable");
    return camera_add(m, camera, "derived", err);
}
