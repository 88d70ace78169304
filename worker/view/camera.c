/* Sizes of images and which camera sees (METHODS.md 1 Camera). */
#include "worker/view/view_internal.h"

#include "proto/ascii.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void view_size(const scene_camera *camera,
               uint32_t long_side,
               uint32_t *ret_width,
               uint32_t *ret_height)
{
    double aspect = camera->aspect >= 1.0 / 16 && camera->aspect <= 16
                        ? camera->aspect
                        : 4.0 / 3;
    double side = long_side ? long_side : VIEW_LONG_SIDE;
    double shorter = floor((aspect >= 1 ? side / aspect : side * aspect) + 0.5);
    uint32_t small = shorter > 1 ? (uint32_t)shorter : 1;
    *ret_width = aspect >= 1 ? (uint32_t)side : small;
    *ret_height = aspect >= 1 ? small : (uint32_t)side;
}

/* The camera for a picture of another shape. A derived camera was fitted to its
 * own shape: where the picture is narrower, it is widened so that all still is
 * in it. A file's own camera keeps its vertical field of view. */
scene_camera view_camera_sized(const scene_camera *camera,
                               uint32_t width,
                               uint32_t height)
{
    scene_camera sized = *camera;
    if (width == 0 || height == 0)
        return sized;
    sized.aspect = (double)width / height;
    bool was_fitted = camera->derived && camera->aspect > 0;
    if (was_fitted && sized.aspect < camera->aspect)
        sized.half_height *= camera->aspect / sized.aspect;
    return sized;
}

/* How many of the objects show at least VIEW_SEEN_PIXELS from this camera, at
 * the default size. */
etna_code view_count_seen(const space *sp,
                          const scene_camera *camera,
                          const uint32_t *objects,
                          uint32_t object_count,
                          uint32_t *ret_seen,
                          etna_error *err)
{
    uint32_t width, height;
    uint32_t total = space_scene(sp)->object_count;
    uint32_t seen = 0;
    view_size(camera, 0, &width, &height);
    uint32_t *ids = malloc((size_t)width * height * sizeof *ids);
    view_extent *extents = malloc((total + 1u) * sizeof *extents);
    etna_code code = ETNA_OK;
    if (!ids || !extents)
        code = etna_fail(err, ETNA_E_NOMEM, "no memory to compare the cameras");
    if (code == ETNA_OK)
        code = view_instance_map(sp, camera, width, height, ids, err);
    if (code == ETNA_OK) {
        view_extents(ids, width, height, total, extents);
        for (uint32_t i = 0; i < object_count; i++)
            seen += objects[i] < total &&
                    extents[objects[i]].pixels >= VIEW_SEEN_PIXELS;
        *ret_seen = seen;
    }
    free(extents);
    free(ids);
    return code;
}

/* Lists the file's cameras in the message: the next attempt should succeed. */
static etna_code unknown_camera(const scene *s,
                                const char *request,
                                etna_error *err)
{
    char names[256] = "";
    size_t size = 0;
    for (uint32_t i = 0; i < s->camera_count && size < sizeof names; i++) {
        int wrote = snprintf(names + size, sizeof names - size, "%s%s",
                             i ? ", " : "", s->cameras[i].name);
        size += wrote > 0 ? (size_t)wrote : 0;
    }
    return etna_fail(
        err, ETNA_E_USAGE,
        "no camera \"%.80s\": give a name (%s), an index from 0 to %u, auto, cutaway, top, "
        "orbit:AZIMUTH,ELEVATION (degrees, at most 360 and 90) or eye:X,Y,Z,YAW,PITCH (metres, degrees)",
        request, names, s->camera_count ? s->camera_count - 1 : 0);
}

/* The request text that leads to the same derived camera later
 * ("auto:3,17^20"), stored with a picture so that a follow-up sees the same
 * view. */
void view_say_camera(const view_named *named, char ret[VIEW_REQUEST_SIZE])
{
    /* 12 numbers of at most 10 digits: it always fits */
    size_t used = (size_t)snprintf(ret, VIEW_REQUEST_SIZE, "auto:");
    for (uint32_t i = 0; i < named->count && i < VIEW_NAMED_MAX; i++) {
        used += (size_t)snprintf(ret + used, VIEW_REQUEST_SIZE - used, "%s%u",
                                 i ? "," : "", named->objects[i]);
    }
    if (named->above > 0)
        snprintf(ret + used, VIEW_REQUEST_SIZE - used, "^%u", named->above);
}

/* Up to nine digits; *ret_end behind them. */
static bool camera_read_number(const char *text,
                               const char **ret_end,
                               uint32_t *ret)
{
    uint32_t value = 0, digits = 0;
    while (digits < 9 && ascii_is_digit(text[digits]))
        value = 10 * value + (uint32_t)(text[digits++] - '0');
    *ret_end = text + digits;
    *ret = value;
    return digits > 0;
}

/* Reads what view_say_camera wrote; false for anything else, and for objects
 * the scene does not have, since the text may come from an older file. */
bool view_read_camera(const char *request,
                      uint32_t object_count,
                      view_named *ret)
{
    view_named named = {0};
    if (!request || strncmp(request, "auto:", 5) != 0)
        return false;
    const char *at = request + 5;
    do {
        if (named.count == VIEW_NAMED_MAX ||
            !camera_read_number(at, &at, &named.objects[named.count]))
            return false;
        if (named.objects[named.count++] >= object_count)
            return false;
    } while (*at++ == ',');
    at--;
    if (*at == '^' && !camera_read_number(at + 1, &at, &named.above))
        return false;
    if (*at)
        return false;
    *ret = named;
    return true;
}

bool camera_read_decimal(const char *text, const char **ret_end, double *ret)
{
    double value = 0, unit = 1;
    bool negative = *text == '-';
    bool digits = false;
    text += negative;
    for (; ascii_is_digit(*text) && value < 1e6; text++) {
        value = 10 * value + (*text - '0');
        digits = true;
    }
    if (*text == '.')
        text++;
    else
        unit = 0;
    for (; unit > 1e-6 && ascii_is_digit(*text); text++) {
        unit /= 10;
        value += unit * (*text - '0');
    }
    *ret_end = text;
    *ret = negative ? -value : value;
    return digits;
}

enum {
    EYE_NUMBERS = 5,
    EYE_FARTHEST = 100000 /* metres */
};

/* "eye:X,Y,Z,YAW,PITCH" */
static bool camera_read_eye(const char *request, scene_camera *ret)
{
    double at[EYE_NUMBERS];
    if (!request || strncmp(request, "eye:", 4) != 0)
        return false;
    const char *text = request + 4;
    for (int i = 0; i < EYE_NUMBERS; i++) {
        const char *end = text;
        if (!camera_read_decimal(text, &end, &at[i]))
            return false;
        const bool is_last = i + 1 == EYE_NUMBERS;
        if (*end != (is_last ? '\0' : ','))
            return false;
        text = end + !is_last;
    }
    if (fabs(at[3]) > 360 || fabs(at[4]) > 90)
        return false;
    camera_from_eye(v3(at[0], at[1], at[2]), at[3] * (MATH_PI / 180),
                    at[4] * (MATH_PI / 180), ret);
    return true;
}

bool view_say_eye(scene_camera *camera, char ret[VIEW_REQUEST_SIZE])
{
    const vec3 f = camera->forward;
    const vec3 at = camera->position;
    const double level = sqrt(math_max(0, 1 - f.z * f.z));
    const double degrees = 180 / MATH_PI;
    const double far = math_max(fabs(at.x), math_max(fabs(at.y), fabs(at.z)));
    if (!(far < EYE_FARTHEST))
        return false;
    snprintf(ret, VIEW_REQUEST_SIZE, "eye:%.3f,%.3f,%.3f,%.2f,%.2f", at.x, at.y,
             at.z, degrees * math_atan2(f.y, f.x),
             degrees * math_atan2(f.z, level));
    return camera_read_eye(ret, camera);
}

/* The file's own camera that shows the most of the objects, of equal ones the
 * first; SCENE_NONE: the file has none. */
static etna_code camera_find_best(const space *sp,
                                  const uint32_t *objects,
                                  uint32_t count,
                                  uint32_t *ret,
                                  etna_error *err)
{
    const scene *s = space_scene(sp);
    uint32_t most = 0, own = 0;
    *ret = SCENE_NONE;
    for (uint32_t i = 0; i < s->camera_count; i++)
        own += !s->cameras[i].derived;
    bool needs_count = count > 0 && own > 1;
    for (uint32_t i = 0; i < s->camera_count; i++) {
        uint32_t seen = 0;
        if (s->cameras[i].derived)
            continue;
        if (needs_count) {
            etna_code code =
                view_count_seen(sp, &s->cameras[i], objects, count, &seen, err);
            if (code != ETNA_OK)
                return code;
        }
        if (*ret == SCENE_NONE || seen > most) {
            *ret = i;
            most = seen;
        }
    }
    return ETNA_OK;
}

static etna_code camera_by_name(const space *sp,
                                const char *name,
                                scene_camera *ret,
                                etna_error *err)
{
    const scene *s = space_scene(sp);
    uint32_t index = scene_find_camera(s, name);
    if (index == SCENE_NONE)
        return unknown_camera(s, name, err);
    /* import's stands in where no rays can be cast */
    if (s->cameras[index].derived)
        return view_derive_camera(sp, ret, err);
    *ret = s->cameras[index];
    return ETNA_OK;
}

/* NULL or "": the file's camera that shows most of the objects, or a derived
 * one. */
etna_code view_choose_camera(const space *sp,
                             const uint32_t *objects,
                             uint32_t object_count,
                             const char *request,
                             scene_camera *ret_camera,
                             etna_error *err)
{
    const scene *s = space_scene(sp);
    view_named named;
    if (request && strcmp(request, "auto") == 0)
        return view_derive_camera(sp, ret_camera, err);
    if (view_read_camera(request, s->object_count, &named))
        return view_derive_camera_for(sp, &named, ret_camera, err);
    const bool is_file_s =
        request && scene_find_camera(s, request) != SCENE_NONE;
    if (!is_file_s && camera_read_eye(request, ret_camera))
        return ETNA_OK;
    if (request && *request)
        return camera_by_name(sp, request, ret_camera, err);
    uint32_t best;
    etna_code code = camera_find_best(sp, objects, object_count, &best, err);
    if (code != ETNA_OK)
        return code;
    if (best == SCENE_NONE)
        return view_derive_camera(sp, ret_camera, err);
    *ret_camera = s->cameras[best];
    return ETNA_OK;
}
