/* From a plane's name back to its geometry. Names come from agents, so every
 * way to be wrong has its own words. */
#include "worker/probe/probe_internal.h"

#include "proto/ascii.h"

#include <stdlib.h>
#include <string.h>

/* "<object><separator><rest>" where <object> is known; false when there is no
 * such split at the last separator. */
static bool name_split(const scene *s,
                       const char *name,
                       char separator,
                       uint32_t *ret_object,
                       const char **ret_rest)
{
    const char *at = strrchr(name, separator);
    char object[PROBE_NAME_SIZE];
    if (!at || at == name || (size_t)(at - name) >= sizeof object)
        return false;
    memcpy(object, name, (size_t)(at - name));
    object[at - name] = 0;
    *ret_object = scene_find_object(s, object);
    *ret_rest = at + 1;
    return *ret_object != SCENE_NONE;
}

/* Decimal digits without a leading zero, as the names are printed. */
static bool name_read_face(const char *text, uint32_t *ret_face)
{
    uint64_t value = 0;
    size_t length = strlen(text);
    bool has_leading_zero = length > 1 && text[0] == '0';
    if (length == 0 || length > 10 || has_leading_zero)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (!ascii_is_digit(text[i]))
            return false;
        value = value * 10 + (uint64_t)(text[i] - '0');
    }
    if (value >= SCENE_NONE)
        return false;
    *ret_face = (uint32_t)value;
    return true;
}

/* A number of the form 0.25 without help of the locale: digits, at most one
 * point. */
static const char *read_fraction(const char *text, double *ret)
{
    double value = 0, place = 1;
    int digits = 0;
    bool point = false;
    for (; digits < 20; text++) {
        if (*text == '.' && !point) {
            point = true;
            continue;
        }
        if (!ascii_is_digit(*text))
            break;
        value = value * 10 + (*text - '0');
        place = point ? place * 10 : place;
        digits++;
    }
    if (digits == 0 || digits == 20)
        return NULL;
    *ret = value / place;
    return text;
}

/* The plane of a face under the name that all its faces share. `whole`: with
 * vertices and triangles, not only hull and frame. */
static etna_code at_face(probe_shared *shared,
                         const space *sp,
                         const scene_camera *camera,
                         uint32_t object,
                         uint32_t face,
                         bool whole,
                         etna_arena *arena,
                         probe_plane *ret,
                         etna_error *err)
{
    probe_set set;
    uint32_t f;
    etna_code code = probe_named_set(shared, object, face, &set, &f, err);
    if (code != ETNA_OK)
        return code;
    code = probe_plane_face(shared, sp, camera, object, f, &set, whole, arena,
                            ret, err);
    probe_set_free(&set);
    return code;
}

/* "ray:0.4,0.55": the plane at a coordinate of the image, for who has seen it
 * but has no name for it yet. Spaces after the comma are let pass: models write
 * them. */
static etna_code by_ray(probe_shared *shared,
                        const space *sp,
                        const scene_camera *camera,
                        const char *name,
                        etna_arena *arena,
                        probe_plane *ret,
                        etna_error *err)
{
    double at[2];
    const char *rest = read_fraction(name + strlen("ray:"), &at[0]);
    if (rest && *rest == ',')
        rest = read_fraction(rest + 1 + strspn(rest + 1, " "), &at[1]);
    else
        rest = NULL;
    bool is_in_image = at[0] <= 1 && at[1] <= 1;
    if (!rest || *rest || !is_in_image)
        return etna_fail(
            err, ETNA_E_INPUT,
            "\"%s\" is no ray: write ray:x,y with x and y from 0 to 1", name);
    space_ray ray = {.t_min = 0,
                     .t_max = INFINITY,
                     .skip_object = SCENE_NONE,
                     .only_object = SCENE_NONE};
    space_hit hit;
    camera_ray(camera, at[0], at[1], &ray.origin, &ray.direction);
    if (!space_cast(sp, &ray, &hit))
        return etna_fail(err, ETNA_E_INPUT,
                         "%s meets nothing; choose a coordinate on a surface",
                         name);
    return at_face(shared, sp, camera, hit.object,
                   probe_face_of(probe_scene(shared), hit.part, hit.triangle),
                   true, arena, ret, err);
}

/* The plane of a face without its triangles: what a probe's answer needs. */
etna_code probe_plane_at(probe_shared *shared,
                         const space *sp,
                         const scene_camera *camera,
                         uint32_t object,
                         uint32_t face,
                         etna_arena *arena,
                         probe_plane *ret,
                         etna_error *err)
{
    return at_face(shared, sp, camera, object, face, false, arena, ret, err);
}

/* Accepts "chair_up", "table_124", their forms with #, and "ray:x,y". A name
 * with a face number grows from exactly that face, even when another face would
 * name the plane: the name means what it meant when it was given out. */
etna_code probe_plane_by_name(probe_shared *shared,
                              const space *sp,
                              const scene_camera *camera,
                              const char *name,
                              etna_arena *arena,
                              probe_plane *ret,
                              etna_error *err)
{
    const scene *s = probe_scene(shared);
    uint32_t object, face;
    const char *rest;
    if (strncmp(name, "ray:", 4) == 0 &&
        scene_find_object(s, name) == SCENE_NONE)
        return by_ray(shared, sp, camera, name, arena, ret, err);
    if (scene_find_object(s, name) != SCENE_NONE)
        return etna_fail(
            err, ETNA_E_INPUT,
            "\"%s\" is an object, not a plane; its top is \"%s_up\", other planes come from a probe",
            name, name);
    if (!name_split(s, name, '#', &object, &rest) &&
        !name_split(s, name, '_', &object, &rest))
        return etna_fail(
            err, ETNA_E_INPUT,
            "there is no plane \"%s\"; use a plane's name from a probe, or an object's name with _up",
            name);
    if (strcmp(rest, "up") == 0)
        return probe_plane_up(shared, sp, camera, object, arena, ret, err);
    if (!name_read_face(rest, &face))
        return etna_fail(
            err, ETNA_E_INPUT,
            "there is no plane \"%s\" on object \"%s\"; use a plane's name from a probe, or %s_up",
            name, s->objects[object].name, s->objects[object].name);
    probe_set set;
    etna_code code = probe_grow(shared, object, face, &set, err);
    if (code != ETNA_OK)
        return code;
    code = probe_plane_face(shared, sp, camera, object, face, &set, true, arena,
                            ret, err);
    probe_set_free(&set);
    return code;
}
