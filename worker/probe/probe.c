/* The two plain questions: what is at this pixel, what is in this area. */
#include "worker/probe/probe_internal.h"

#include <stdlib.h>
#include <string.h>

static etna_code look_cast(probe_shared *shared,
                           const space *sp,
                           const scene_camera *camera,
                           const double at[2],
                           probe_hit *ret,
                           etna_error *err)
{
    space_ray ray = {.t_min = 0,
                     .t_max = INFINITY,
                     .skip_object = SCENE_NONE,
                     .only_object = SCENE_NONE};
    space_hit hit;
    *ret = (probe_hit){.object = SCENE_NONE, .face = SCENE_NONE};
    camera_ray(camera, at[0], at[1], &ray.origin, &ray.direction);
    if (!space_cast(sp, &ray, &hit))
        return ETNA_OK;
    uint32_t face = probe_face_of(probe_scene(shared), hit.part, hit.triangle);
    etna_arena arena = ETNA_ARENA_INIT;
    probe_plane plane;
    etna_code code = probe_plane_at(shared, sp, camera, hit.object, face,
                                    &arena, &plane, err);
    /* a sliver without a plane is still a hit */
    if (code == ETNA_OK || code == ETNA_E_INPUT) {
        *ret = (probe_hit){.hit = true,
                           .object = hit.object,
                           .face = face,
                           .point = hit.point,
                           .normal = hit.normal};
        if (code == ETNA_OK) {
            memcpy(ret->plane, plane.name, sizeof ret->plane);
            ret->plane_normal = plane.normal;
        }
        code = ETNA_OK;
    }
    etna_arena_free(&arena);
    return code;
}

/* All coordinates are checked before the first ray, and ret is written only
 * when all are answered: a request succeeds or fails as one. */
etna_code probe_rays(probe_shared *shared,
                     const space *sp,
                     const scene_camera *camera,
                     const double *coordinates,
                     uint32_t count,
                     probe_hit *ret,
                     etna_error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        double x = coordinates[2 * (size_t)i];
        double y = coordinates[2 * (size_t)i + 1];
        if (!v2_within((vec2){x, y}, (vec2){0, 0}, (vec2){1, 1}))
            return etna_fail(
                err, ETNA_E_INPUT,
                "coordinate %u (%g, %g) is outside the image; x and y go from 0 to 1",
                i + 1, x, y);
    }
    if (count == 0)
        return ETNA_OK;
    probe_hit *found = calloc(count, sizeof *found);
    if (!found)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u probes", count);
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++)
        code = look_cast(shared, sp, camera, coordinates + 2 * (size_t)i,
                         &found[i], err);
    if (code == ETNA_OK)
        memcpy(ret, found, count * sizeof *found);
    free(found);
    return code;
}

/* Pixels from..to-1 touch [low, high] of an axis of `count` pixels. An edge
 * exactly between two pixels touches the inner one only, but an area without
 * extent still touches one. */
static void look_touched(double low,
                         double high,
                         uint32_t count,
                         uint32_t *ret_from,
                         uint32_t *ret_to)
{
    double from = floor(low * count);
    double to = ceil(high * count);
    if (from > count - 1.0)
        from = count - 1.0;
    if (from < 0)
        from = 0;
    to = math_min(count, to);
    to = to < from + 1 ? from + 1 : to;
    *ret_from = (uint32_t)from;
    *ret_to = (uint32_t)to;
}

/* ETNA_E_INPUT: x1, y1, x2, y2 are no part of the image. */
static etna_code look_check_area(const double area[4], etna_error *err)
{
    for (int i = 0; i < 4; i++)
        if (!isfinite(area[i]))
            return etna_fail(
                err, ETNA_E_INPUT,
                "the area's number %d is not finite; it is x1, y1, x2, y2 from 0 to 1",
                i + 1);
    if (area[0] > area[2] || area[1] > area[3])
        return etna_fail(
            err, ETNA_E_INPUT,
            "the area is turned round: x1 <= x2 and y1 <= y2, (0, 0) is the top left");
    bool is_beyond = area[0] > 1 || area[1] > 1;
    if (is_beyond || area[2] < 0 || area[3] < 0)
        return etna_fail(
            err, ETNA_E_INPUT,
            "the area lies outside the image; x and y go from 0 to 1");
    return ETNA_OK;
}

/* The objects whose pixels touch the area, ascending. `ids` is the id image of
 * the view, width * height; `seen` has room for object_count. */
etna_code probe_list(const uint32_t *ids,
                     uint32_t width,
                     uint32_t height,
                     const double area[4],
                     uint32_t object_count,
                     uint32_t *seen,
                     uint32_t *ret_count,
                     etna_error *err)
{
    etna_code code = look_check_area(area, err);
    if (code != ETNA_OK)
        return code;
    uint8_t *mark = calloc((size_t)object_count + 1, 1);
    if (!mark)
        return etna_fail(err, ETNA_E_NOMEM, "no memory to list objects");
    uint32_t x0, x1, y0, y1, count = 0;
    look_touched(area[0], area[2], width, &x0, &x1);
    look_touched(area[1], area[3], height, &y0, &y1);
    for (uint32_t y = y0; y < y1; y++)
        for (uint32_t x = x0; x < x1; x++) {
            uint32_t id = ids[(size_t)y * width + x];
            if (id < object_count)
                mark[id] = 1;
        }
    for (uint32_t i = 0; i < object_count; i++)
        if (mark[i])
            seen[count++] = i;
    free(mark);
    *ret_count = count;
    return ETNA_OK;
}
