/* Creased normals (see normals.h). */
#include "worker/view/normals.h"

#include "worker/math/weld.h"

#include <stdlib.h>

enum {
    FAN_MAX = 64
    /* triangles at one place that are looked at: a pole of a thousand stays
     * sharp, and cheap */
};
static const double crease_cos = 0.766; /* 40 degrees */

/* Corner `number` of all (3 * triangle + which), in the mesh's frame. */
static vec3 corner_at(const scene_mesh *m, size_t number)
{
    const float *p = m->position + 3 * (size_t)m->index[number];
    return v3(p[0], p[1], p[2]);
}

/* The corners of one place, each against the others; `fan`: their numbers, 3 *
 * triangle + which. */
static void fan_blend(const uint32_t *fan,
                      size_t count,
                      const vec3 *area,
                      float *normals)
{
    for (size_t i = 0; i < count; i++) {
        vec3 own = area[fan[i] / 3];
        vec3 unit = v3_normal(own);
        vec3 sum = {0, 0, 0};
        if (count > FAN_MAX)
            sum = own;
        for (size_t k = 0; k < count && count <= FAN_MAX; k++) {
            vec3 other = area[fan[k] / 3];
            if (v3_dot(unit, other) >= crease_cos * v3_length(other))
                sum = v3_add(sum, other);
        }
        sum = v3_normal(sum);
        float *to = normals + 3 * (size_t)fan[i];
        to[0] = (float)sum.x;
        to[1] = (float)sum.y;
        to[2] = (float)sum.z;
    }
}

typedef struct fans { /* a mesh's corners by the place that they are at */
    vec3 *at;         /* per vertex */
    uint32_t *place;  /* per vertex */
    uint32_t count;   /* of places */
    /* per place: where its corners end in the list, and the next one's begin */
    uint32_t *end;
    uint32_t *corner; /* the list: by place, each place's in the mesh's order */
} fans;

static void fans_free(fans *f)
{
    free(f->at);
    free(f->place);
    free(f->end);
    free(f->corner);
}

/* False when memory is at its end; fans_free all the same. */
static bool fans_gather(const scene_mesh *mesh, fans *f)
{
    const size_t corners = 3 * (size_t)mesh->triangle_count;
    *f = (fans){.at = malloc((mesh->vertex_count + 1u) * sizeof *f->at)};
    if (!f->at)
        return false;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const float *p = mesh->position + 3 * i;
        f->at[i] = v3((double)p[0], (double)p[1], (double)p[2]);
    }
    if (!weld_places(f->at, mesh->vertex_count, &f->place, NULL, &f->count))
        return false;
    f->end = calloc(f->count + 1u, sizeof *f->end);
    f->corner = malloc((corners + 1) * sizeof *f->corner);
    if (!f->end || !f->corner)
        return false;
    for (size_t i = 0; i < corners; i++)
        f->end[f->place[mesh->index[i]]]++;
    uint32_t begin = 0;
    for (uint32_t k = 0; k < f->count; k++) {
        const uint32_t own = f->end[k];
        f->end[k] = begin;
        begin += own;
    }
    for (size_t i = 0; i < corners; i++)
        f->corner[f->end[f->place[mesh->index[i]]]++] = (uint32_t)i;
    return true;
}

/* 9 floats per triangle: three corners' normals, not of unit length but
 * weighted by area. For meshes without normals: round things look round, and
 * edges sharper than crease_cos stay sharp. */
etna_code normals_crease(const scene_mesh *mesh, float **ret, etna_error *err)
{
    const size_t triangles = mesh->triangle_count;
    float *normals = malloc((triangles * 9 + 1) * sizeof *normals);
    vec3 *area = malloc((triangles + 1) * sizeof *area);
    fans f = {0};
    if (!normals || !area || !fans_gather(mesh, &f)) {
        fans_free(&f);
        free(normals);
        free(area);
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory for the normals of %zu triangles",
                         triangles);
    }
    for (size_t t = 0; t < triangles; t++) {
        vec3 a = corner_at(mesh, 3 * t);
        vec3 b = corner_at(mesh, 3 * t + 1);
        vec3 c = corner_at(mesh, 3 * t + 2);
        area[t] = v3_cross(v3_sub(b, a), v3_sub(c, a));
        if (!v3_finite(area[t]))
            area[t] = v3(0, 0, 0);
    }
    uint32_t first = 0;
    for (uint32_t k = 0; k < f.count; k++) {
        fan_blend(f.corner + first, f.end[k] - first, area, normals);
        first = f.end[k];
    }
    fans_free(&f);
    free(area);
    *ret = normals;
    return ETNA_OK;
}
