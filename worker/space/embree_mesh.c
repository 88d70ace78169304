/* What Embree is given of a mesh: triangles that cover the true ones by a
 * margin, so that every exact hit is proposed on any machine (ray.c says why).
 * Beside them, which triangles meet at which place. */
#include "worker/space/embree.h"

#include <stdlib.h>

/* Which triangles meet at which place; *ret_index: the triangles' corners as
 * places, the caller's. */
static bool embree_mesh_weave(const scene_mesh *m,
                              embree_mesh *p,
                              uint32_t **ret_index)
{
    size_t corners = 3 * (size_t)m->triangle_count;
    vec3 *at = malloc(((size_t)m->vertex_count + 1) * sizeof *at);
    uint32_t *index = malloc((corners + 1) * sizeof *index);
    uint32_t places = 0;
    for (uint32_t i = 0; at && i < m->vertex_count; i++)
        at[i] = mesh_vertex(m, i);
    bool done = at && index &&
                weld_places(at, m->vertex_count, &p->welded, NULL, &places);
    free(at);
    p->place_count = places;
    p->fan_first = calloc((size_t)places + 2, sizeof *p->fan_first);
    p->fan = malloc((corners + 1) * sizeof *p->fan);
    if (!done || !p->fan_first || !p->fan) {
        free(index);
        return false;
    }
    for (size_t i = 0; i < corners; i++) {
        index[i] = p->welded[m->index[i]];
        p->fan_first[index[i] + 2]++;
    }
    for (size_t i = 2; i < (size_t)places + 2; i++)
        p->fan_first[i] += p->fan_first[i - 1];
    /* fan_first[p + 1] runs from p's first to p + 1's first */
    for (size_t i = 0; i < corners; i++)
        p->fan[p->fan_first[index[i] + 1]++] = (uint32_t)(i / 3);
    *ret_index = index;
    return true;
}

enum {
    CORNERS_MAX = 6
}; /* every angle may be sharp as far as rounding goes */

/* The corner between edge directions `in` and `out` (unit, in order) when both
 * edges are moved outward by e: one point where they meet, or two that cut off
 * a sharp end, no nearer than e. */
static uint32_t moved_corner(
    vec3 at, vec3 in, vec3 out, vec3 n, double e, vec3 ret[2])
{
    vec3 outward_in = v3_cross(in, n);
    vec3 outward_out = v3_cross(out, n);
    if (v3_dot(in, out) < -0.9) { /* an angle under 26 degrees */
        ret[0] = v3_add_scaled(at, v3_add(outward_in, in), e);
        ret[1] = v3_add_scaled(at, v3_sub(outward_out, out), e);
        return 2;
    }
    ret[0] = v3_add_scaled(at, v3_add(outward_in, outward_out),
                           e / (1 + v3_dot(outward_in, outward_out)));
    return 1;
}

/* The corners of one triangle as Embree is given it; 0 when it has no area. */
static uint32_t triangle_enlarge(const scene_mesh *m,
                                 uint32_t triangle,
                                 double e,
                                 vec3 ret[CORNERS_MAX])
{
    const uint32_t *t = m->index + 3 * (size_t)triangle;
    vec3 p[3] = {mesh_vertex(m, t[0]), mesh_vertex(m, t[1]),
                 mesh_vertex(m, t[2])};
    vec3 side[3];
    uint32_t count = 0;
    for (int i = 0; i < 3; i++)
        side[i] = v3_sub(p[(i + 1) % 3], p[i]);
    vec3 n = v3_cross(side[0], side[1]);
    double area = v3_length(n);
    if (!(area > 0) || !isfinite(area))
        return 0;
    n = v3_scale(n, 1 / area);
    for (int i = 0; i < 3; i++)
        side[i] = v3_scale(side[i], 1 / v3_length(side[i]));
    for (int i = 0; i < 3; i++)
        count +=
            moved_corner(p[i], side[(i + 2) % 3], side[i], n, e, ret + count);
    return count;
}

void embree_mesh_free(embree_mesh *p)
{
    if (!p)
        return;
    if (p->scene)
        rtcReleaseScene(p->scene);
    free(p->triangle);
    free(p->welded);
    free(p->fan_first);
    free(p->fan);
    free(p);
}

/* ---- open edges ---- */
/* Per triangle a bit for each edge that no other triangle shares. */
static uint8_t *embree_mesh_find_open(const scene_mesh *m,
                                      const uint32_t *index,
                                      uint32_t places)
{
    uint32_t *first = NULL;
    weld_edge *edges = NULL;
    uint8_t *open = calloc((size_t)m->triangle_count + 1, 1);
    if (!open ||
        !weld_edges(index, m->triangle_count, places, &first, &edges)) {
        free(open);
        return NULL;
    }
    for (uint32_t low = 0; low < places; low++)
        for (uint32_t i = first[low]; i < first[low + 1]; i++) {
            bool before = i > first[low] && edges[i - 1].high == edges[i].high;
            bool after =
                i + 1 < first[low + 1] && edges[i + 1].high == edges[i].high;
            if (!before && !after)
                open[edges[i].corner / 3] |=
                    (uint8_t)(1u << edges[i].corner % 3);
        }
    free(first);
    free(edges);
    return open;
}

/* The fin of an edge: a strip along it, across the surface, `e` to both sides
 * and beyond both ends. */
static void fin_of(const scene_mesh *m,
                   uint32_t triangle,
                   uint32_t edge,
                   double e,
                   vec3 ret[4])
{
    const uint32_t *t = m->index + 3 * (size_t)triangle;
    vec3 a = mesh_vertex(m, t[edge]);
    vec3 b = mesh_vertex(m, t[(edge + 1) % 3]);
    vec3 c = mesh_vertex(m, t[(edge + 2) % 3]);
    vec3 along = v3_scale(v3_normal(v3_sub(b, a)), e);
    vec3 up = v3_scale(v3_normal(v3_cross(v3_sub(b, a), v3_sub(c, a))), e);
    a = v3_sub(a, along);
    b = v3_add(b, along);
    ret[0] = v3_sub(a, up);
    ret[1] = v3_sub(b, up);
    ret[2] = v3_add(b, up);
    ret[3] = v3_add(a, up);
}

/* ---- filling ---- */
typedef struct sink { /* counts when there are no arrays yet */
    float *position;
    uint32_t *index, *triangle;
    uint32_t vertices, triangles;
} sink;

/* A fan of the corners; `triangle` remembers which true one each is of. */
static void sink_pour(sink *s,
                      uint32_t triangle,
                      const vec3 *corner,
                      uint32_t n)
{
    for (uint32_t c = 2; c < n; c++, s->triangles++) {
        if (!s->index)
            continue;
        uint32_t *t = s->index + 3 * (size_t)s->triangles;
        t[0] = s->vertices;
        t[1] = s->vertices + c - 1;
        t[2] = s->vertices + c;
        s->triangle[s->triangles] = triangle;
    }
    for (uint32_t c = 0; c < n; c++, s->vertices++)
        for (int axis = 0; s->position && axis < 3; axis++)
            s->position[3 * (size_t)s->vertices + (size_t)axis] =
                (float)v3_get(corner[c], axis);
}

/* Twice with the same numbers: once to count, once to fill. */
static void pour_all(sink *s,
                     const scene_mesh *m,
                     const uint8_t *open,
                     double e)
{
    vec3 corner[CORNERS_MAX];
    for (uint32_t i = 0; i < m->triangle_count; i++) {
        uint32_t n = triangle_enlarge(m, i, e, corner);
        if (n == 0)
            continue;
        sink_pour(s, i, corner, n);
        for (uint32_t k = 0; k < 3; k++) {
            if (open[i] >> k & 1) {
                fin_of(m, i, k, e, corner);
                sink_pour(s, i, corner, 4);
            }
        }
    }
}

/* Buffers are Embree's own, so nothing is copied. */
static bool embree_mesh_fill(embree_mesh *p,
                             RTCGeometry geometry,
                             const scene_mesh *m,
                             const uint8_t *open,
                             double e)
{
    sink s = {0};
    pour_all(&s, m, open, e);
    if (s.triangles == 0)
        return true;
    sink full = {.triangle = malloc(s.triangles * sizeof *full.triangle)};
    p->triangle = full.triangle;
    full.position = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                            RTC_FORMAT_FLOAT3,
                                            3 * sizeof(float), s.vertices);
    full.index = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0,
                                         RTC_FORMAT_UINT3, 3 * sizeof(uint32_t),
                                         s.triangles);
    if (!full.triangle || !full.position || !full.index)
        return false;
    pour_all(&full, m, open, e);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(p->scene, geometry);
    return true;
}

/* NULL: out of memory, here or in Embree. A mesh without any triangle that has
 * area has a scene with nothing in it. */
embree_mesh *embree_mesh_build(RTCDevice device,
                               const scene_mesh *m,
                               double margin)
{
    RTCGeometry geometry = NULL;
    uint8_t *open = NULL;
    uint32_t *index = NULL;
    bool done = false;
    embree_mesh *p = calloc(1, sizeof *p);
    if (!p || !embree_mesh_weave(m, p, &index) ||
        !(open = embree_mesh_find_open(m, index, p->place_count)))
        goto out;
    p->scene = rtcNewScene(device);
    geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    if (!p->scene || !geometry)
        goto out;
    rtcSetGeometryIntersectFilterFunction(geometry, cast_filter);
    rtcSetGeometryOccludedFilterFunction(geometry, shaded_filter);
    if (!embree_mesh_fill(p, geometry, m, open, margin))
        goto out;
    rtcSetSceneFlags(p->scene, RTC_SCENE_FLAG_ROBUST);
    rtcCommitScene(p->scene);
    done = rtcGetDeviceError(device) == RTC_ERROR_NONE;
out:
    if (geometry)
        rtcReleaseGeometry(geometry);
    free(open);
    free(index);
    if (done)
        return p;
    embree_mesh_free(p);
    return NULL;
}
