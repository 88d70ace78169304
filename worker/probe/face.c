/* Faces of an object and the names of planes: numbers over all its parts in
 * order. */
#include "worker/probe/probe_internal.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

uint32_t probe_face_of(const scene *s, uint32_t part, uint32_t triangle)
{
    assert(part < s->part_count);
    const scene_object *object = &s->objects[s->parts[part].object];
    uint32_t face = triangle;
    for (uint32_t p = object->first_part; p < part; p++)
        face += s->meshes[s->parts[p].mesh].triangle_count;
    return face;
}

/* A face in the scene's base pose: its corners, area (m2), and outward normal;
 * one without area has a zero normal. False past the last face, which is how
 * callers count them. */
bool probe_face_get(const scene *s,
                    uint32_t object,
                    uint32_t face,
                    probe_face *ret)
{
    assert(object < s->object_count);
    const scene_object *o = &s->objects[object];
    uint32_t part = o->first_part;
    uint32_t end = o->first_part + o->part_count;
    while (part < end && face >= s->meshes[s->parts[part].mesh].triangle_count)
        face -= s->meshes[s->parts[part++].mesh].triangle_count;
    if (part == end)
        return false;
    const uint32_t *index =
        s->meshes[s->parts[part].mesh].index + 3 * (size_t)face;
    ret->part = part;
    ret->triangle = face;
    for (int k = 0; k < 3; k++)
        ret->corner[k] = scene_vertex(s, &s->parts[part], index[k]);
    vec3 n = v3_cross(v3_sub(ret->corner[1], ret->corner[0]),
                      v3_sub(ret->corner[2], ret->corner[0]));
    double length = v3_length(n);
    bool good = length > 1e-14 && isfinite(length);
    ret->area = good ? length / 2 : 0;
    double outward = s->parts[part].flipped ? -1 : 1;
    ret->normal = good ? v3_scale(n, outward / length) : v3(0, 0, 0);
    return true;
}

/* `#` stands for `_` when some object already bears the name that would result,
 * so that a plane's name never means an object (METHODS.md 4). */
void probe_name_face(const scene *s,
                     uint32_t object,
                     uint32_t face,
                     char name[PROBE_NAME_SIZE])
{
    assert(object < s->object_count);
    snprintf(name, PROBE_NAME_SIZE, "%s_%u", s->objects[object].name, face);
    if (scene_find_object(s, name) != SCENE_NONE)
        snprintf(name, PROBE_NAME_SIZE, "%s#%u", s->objects[object].name, face);
}

/* The name of the top of the object's box, kept clear of objects' names in the
 * same way. */
void probe_name_up(const scene *s, uint32_t object, char name[PROBE_NAME_SIZE])
{
    assert(object < s->object_count);
    snprintf(name, PROBE_NAME_SIZE, "%s_up", s->objects[object].name);
    if (scene_find_object(s, name) != SCENE_NONE)
        snprintf(name, PROBE_NAME_SIZE, "%s#up", s->objects[object].name);
}
