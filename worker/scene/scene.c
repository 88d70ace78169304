/* A scene's life and its small questions: find, pose, motion, box. */
#include "worker/scene/scene_internal.h"

#include "proto/ascii.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

scene *scene_ref(scene *s)
{
    if (s) {
        atomic_fetch_add(&s->own->references, 1);
    }
    return s;
}

void scene_free(scene *s)
{
    if (!s || atomic_fetch_sub(&s->own->references, 1) > 1) {
        return;
    }
    for (size_t i = 0; i < s->own->block_count; i++) {
        free(s->own->blocks[i]);
    }
    free(s->own->blocks);
    etna_arena_free(&s->own->arena);
    free(s->own);
    free(s);
}

/* False: no memory, and nothing changed. */
bool object_set_static(struct scene_private *own,
                       scene_object *o,
                       const char *rule)
{
    const char *why =
        rule ? etna_arena_printf(&own->arena, "%s; static: %s", o->why, rule)
             : NULL;
    if (!why)
        return false;
    o->why = why;
    o->static_why = rule;
    o->is_static = true;
    return true;
}

void scene_set_static_by_cut(scene *s, uint32_t object)
{
    assert(object < s->object_count);
    scene_object *o = (scene_object *)(uintptr_t)s->objects + object;
    if (object < s->object_count && !o->is_static && !o->said_movable) {
        /* without memory it is so untold */
        (void)object_set_static(s->own, o, "it cuts into a static object");
        o->is_static = true;
        o->static_by_cut = true;
    }
}

uint32_t scene_find_object(const scene *s, const char *name)
{
    for (uint32_t i = 0; name && i < s->object_count; i++) {
        if (strcmp(s->objects[i].name, name) == 0) {
            return i;
        }
    }
    return SCENE_NONE;
}

/* A name wins over a number, as a camera may be called "2". */
uint32_t scene_find_camera(const scene *s, const char *name_or_index)
{
    if (!name_or_index)
        return SCENE_NONE;
    for (uint32_t i = 0; i < s->camera_count; i++) {
        if (strcmp(s->cameras[i].name, name_or_index) == 0) {
            return i;
        }
    }
    uint64_t index = 0;
    const char *c = name_or_index;
    for (; ascii_is_digit(*c) && index < SCENE_NONE; c++) {
        index = index * 10 + (uint64_t)(*c - '0');
    }
    bool is_number = c != name_or_index && *c == 0;
    return is_number && index < s->camera_count ? (uint32_t)index : SCENE_NONE;
}

arrange_pose scene_base_pose(const scene_object *object)
{
    const vec3 *c = &object->box.centre;
    return (arrange_pose){.position = {c->x, c->y, c->z},
                          .yaw = object->box.yaw};
}

double scene_longest_side(const scene_object *object)
{
    vec3 d = v3_sub(object->max, object->min);
    return math_max(math_max(d.x, d.y), d.z);
}

/* The turn is about the box's centre at S_0, then the move: the pose is that of
 * the box. */
affine scene_motion(const scene_object *object, const arrange_pose *pose)
{
    vec3 at = v3(pose->position[0], pose->position[1], pose->position[2]);
    return affine_yaw_about(object->box.centre, pose->yaw - object->box.yaw,
                            v3_sub(at, object->box.centre));
}

scene_box scene_box_at(const scene_object *object, const arrange_pose *pose)
{
    scene_box box = object->box;
    box.centre = v3(pose->position[0], pose->position[1], pose->position[2]);
    box.yaw = pose->yaw;
    return box;
}

/* First four below, then four above, each counter-clockwise from above. */
void scene_box_corners(const scene_box *box, vec3 ret[8])
{
    double s, c;
    math_sincos(box->yaw, &s, &c);
    vec3 along = v3(s, -c, 0);
    vec3 across = v3(c, s, 0); /* the heading, and the heading turned left */
    static const int signs[4][2] = {
        /* (across, -along): counter-clockwise from above */
        {-1, -1},
        {1, -1},
        {1, 1},
        {-1, 1}};
    for (int i = 0; i < 8; i++) {
        vec3 p =
            v3_add_scaled(box->centre, across, signs[i % 4][0] * box->half.x);
        p = v3_add_scaled(p, along, -signs[i % 4][1] * box->half.y);
        p.z += i < 4 ? -box->half.z : box->half.z;
        ret[i] = p;
    }
}

/* Where a view ray has passed all cuts. */
static double cut_start(const scene_camera *camera, vec3 origin, vec3 direction)
{
    double start = 0;
    for (uint32_t i = 0; i < camera->cut_count; i++) {
        const scene_cut *cut = &camera->cuts[i];
        double outside = cut->offset - v3_dot(cut->normal, origin);
        double toward = v3_dot(cut->normal, direction);
        if (!(outside > 0)) {
            continue;
        }
        double at = toward > 0 ? outside / toward : CAMERA_NOWHERE;
        start = math_max(at, start);
    }
    return start < CAMERA_NOWHERE ? start : CAMERA_NOWHERE;
}

/* x and y in [0, 1] from the picture's top left. Cuts move the ray's begin
 * behind them. */
void camera_ray(const scene_camera *camera,
                double x,
                double y,
                vec3 *ret_origin,
                vec3 *ret_direction)
{
    double h = camera->half_height;
    double u = (2 * x - 1) * camera->aspect * h;
    double v = (1 - 2 * y) * h;
    vec3 offset = v3_add(v3_scale(camera->right, u), v3_scale(camera->up, v));
    if (camera->orthographic) {
        *ret_origin = v3_add(camera->position, offset);
        *ret_direction = camera->forward;
    } else {
        *ret_origin = camera->position;
        *ret_direction = v3_normal(v3_add(camera->forward, offset));
    }
    if (camera->cut_count > 0) {
        *ret_origin =
            v3_add_scaled(*ret_origin, *ret_direction,
                          cut_start(camera, *ret_origin, *ret_direction));
    }
}

double camera_cut_reach(const scene_camera *camera, vec3 from, vec3 direction)
{
    double reach = INFINITY;
    for (uint32_t i = 0; i < camera->cut_count; i++) {
        const scene_cut *cut = &camera->cuts[i];
        double inside = v3_dot(cut->normal, from) - cut->offset;
        double toward = v3_dot(cut->normal, direction);
        if (!(toward < 0)) {
            continue;
        }
        double at = inside > 0 ? inside / -toward : 0;
        reach = math_min(at, reach);
    }
    return reach;
}

/* False: behind the eye. What lies outside of the picture is projected all the
 * same. */
bool camera_project(const scene_camera *camera,
                    vec3 point,
                    double *ret_x,
                    double *ret_y,
                    double *ret_depth)
{
    vec3 d = v3_sub(point, camera->position);
    double u = v3_dot(d, camera->right);
    double v = v3_dot(d, camera->up);
    double depth = v3_dot(d, camera->forward);
    double scale = camera->half_height;
    if (!camera->orthographic) {
        if (!(depth > 0)) {
            return false;
        }
        scale *= depth;
    } else if (depth < 0) {
        return false;
    }
    *ret_x = (u / (scale * camera->aspect) + 1) / 2;
    *ret_y = (1 - v / scale) / 2;
    *ret_depth = depth;
    return true;
}
