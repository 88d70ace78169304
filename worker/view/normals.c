/* Creased normals (see normals.h). */
#include "worker/view/normals.h"

#include <stdlib.h>
#include <string.h>

enum { FAN_MAX = 64 }; /* triangles at one place that are looked at: a pole of a thousand stays sharp, and cheap */
static const double crease_cos = 0.766; /* 40 degrees */

typedef struct corner {
    float at[3];
    uint32_t number; /* 3 * triangle + which */
} corner;

static int compare_corners(const void *a, const void *b)
{
    const corner *x = a, *y = b;
    int order = memcmp(x->at, y->at, sizeof x->at); /* any total order will do */
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static vec3 corner_at(const scene_mesh *m, size_t number)
{
    const float *p = m->position + 3 * (size_t)m->index[number];
    return v3(p[0], p[1], p[2]);
}

/* The corners of one place, each against the others. */
static void blend(const corner *fan, size_t count, const vec3 *area, float *normals)
{
    size_t near = count < FAN_MAX ? count : FAN_MAX;
    for (size_t i = 0; i < count; i++) {
        vec3 own = area[fan[i].number / 3], unit = v3_normal(own), sum = {0, 0, 0};
        if (count > FAN_MAX) sum = own;
        for (size_t k = 0; k < near && count <= FAN_MAX; k++) {
            vec3 other = area[fan[k].number / 3];
            if (v3_dot(unit, other) >= crease_cos * v3_length(other)) sum = v3_add(sum, other);
        }
        sum = v3_normal(sum);
        float *to = normals + 3 * (size_t)fan[i].number;
        to[0] = (float)sum.x;
        to[1] = (float)sum.y;
        to[2] = (float)sum.z;
    }
}

etna_code normals_crease(const scene_mesh *mesh, float **ret, etna_error *err)
{
    size_t triangles = mesh->triangle_count, count = 3 * triangles;
    float *normals = malloc((count * 3 + 1) * sizeof *normals);
    vec3 *area = malloc((triangles + 1) * sizeof *area);
    corner *corners = malloc((count + 1) * sizeof *corners);
    if (!normals || !area || !corners) {
        free(normals);
        free(area);
        free(corners);
        return etna_fail(err, ETNA_E_NOMEM, "no memory for the normals of %zu triangles", triangles);
    }
    for (size_t t = 0; t < triangles; t++) {
        vec3 a = corner_at(mesh, 3 * t), b = corner_at(mesh, 3 * t + 1), c = corner_at(mesh, 3 * t + 2);
        area[t] = v3_cross(v3_sub(b, a), v3_sub(c, a));
        if (!v3_finite(area[t])) area[t] = v3(0, 0, 0);
    }
    for (size_t i = 0; i < count; i++) {
        vec3 p = corner_at(mesh, i); /* + 0 makes -0 the same place as 0 */
        corners[i] = (corner){{(float)p.x + 0.0f, (float)p.y + 0.0f, (float)p.z + 0.0f}, (uint32_t)i};
    }
    qsort(corners, count, sizeof *corners, compare_corners);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && memcmp(corners[end].at, corners[first].at, sizeof corners[end].at) == 0;)
            end++;
        blend(corners + first, end - first, area, normals);
    }
    free(area);
    free(corners);
    *ret = normals;
    return ETNA_OK;
}
