/* Is a point within a mesh? By its generalised winding number, which is the sum
 * of the solid angles of all triangles.
 *
 * A mesh with holes is closed again by triangles that join its rim to any one
 * point. The closed one's number is whole and a ray's crossings count it; what
 * the added triangles have of it is taken off again. So a sack costs what its
 * mouth costs. Where nearly every edge is a rim, nodes count as a whole:
 *
 * Seen from far, the triangles of a node are as good as one small patch at the
 * middle of its box: the field whose flux is the solid angle changes by at most
 * 2 / d^3 a metre at distance d, so that the error of the patch is at most area
 * * 2 r / (R - r)^3, with r half the box's diagonal and R the distance of its
 * middle. The sum of these bounds says whether the verdict is certain; if not,
 * nodes are opened further, and at the end every triangle is asked. */
#include "worker/space/space_internal.h"

#include <stdlib.h>

#define RIM_MOST 8 /* of as many triangles at most one edge of the rim */

#define DOUBT_FIRST \
    0.25 /* of the whole winding number may come from error bounds, at first */
#define DOUBT_LEAST 1e-3
#define DOUBT_STEP 8
#define MARGIN \
    1e-3 /* for rounding, and for vertices that are drawn in by SPACE_TOUCH */

static void triangle_of(const winding_mesh *m, uint32_t triangle, vec3 ret[3])
{
    const uint32_t *t = m->shape->index + 3 * (size_t)triangle;
    for (int k = 0; k < 3; k++)
        ret[k] = m->vertex[t[k]];
}

/* Area vectors and areas of nodes, from the leaves up. */
static winding_moment *moments_make(const shape *sh,
                                    const bvh_node *nodes,
                                    const vec3 *vertex)
{
    const winding_mesh m = {sh, nodes, vertex, NULL};
    winding_moment *moments =
        malloc(((size_t)sh->node_count + 1) * sizeof *moments);
    if (!moments)
        return NULL;
    /* children come after parents */
    for (uint32_t i = sh->node_count; i-- > 0;) {
        winding_moment sum = {{0, 0, 0}, 0};
        for (uint32_t k = nodes[i].first; k < nodes[i].first + nodes[i].count;
             k++) {
            vec3 t[3];
            triangle_of(&m, k, t);
            vec3 area =
                v3_scale(v3_cross(v3_sub(t[1], t[0]), v3_sub(t[2], t[0])), 0.5);
            sum.area = v3_add(sum.area, area);
            sum.size += v3_length(area);
        }
        for (uint32_t k = 0; k < 2 && nodes[i].count == 0; k++) {
            sum.area = v3_add(sum.area, moments[nodes[i].first + k].area);
            sum.size += moments[nodes[i].first + k].size;
        }
        moments[i] = sum;
    }
    return moments;
}

/* The winding number, and how far off it may be at most when nodes may be off
 * by `doubt` altogether. */
static double winding_about(vec3 p,
                            const winding_mesh *m,
                            double doubt,
                            double *ret_error)
{
    uint32_t stack[BVH_STACK], top = 0;
    double sum = 0, error = 0;
    double per_area =
        m->aid->moments[0].size > 0 ? doubt / m->aid->moments[0].size : 0;
    stack[top++] = 0;
    while (top > 0) {
        uint32_t i = stack[--top];
        const bvh_node *n = &m->nodes[i];
        vec3 middle = v3_scale(v3_add(n->box.min, n->box.max), 0.5);
        vec3 away = v3_sub(middle, p);
        double r = 0.5 * v3_distance(n->box.min, n->box.max);
        double distance = v3_length(away);
        double gap = distance - r;
        double off =
            gap > 0 ? 2 * r / (gap * gap * gap) / (4 * MATH_PI) : INFINITY;
        if (off <= per_area) {
            sum += v3_dot(m->aid->moments[i].area, away) /
                   (distance * distance * distance) / (4 * MATH_PI);
            error += off * m->aid->moments[i].size;
            continue;
        }
        for (uint32_t k = n->first; k < n->first + n->count; k++) {
            vec3 t[3];
            triangle_of(m, k, t);
            sum += triangle_winding(p, t[0], t[1], t[2]);
        }
        if (n->count > 0)
            continue;
        stack[top++] = n->first + 1;
        stack[top++] = n->first;
    }
    *ret_error = error;
    return sum;
}

/* ---- the rim ---- */
static void rim_add(
    uint32_t *rim, uint32_t *count, uint32_t from, uint32_t to, int32_t times)
{
    for (int32_t i = 0; i < times; i++) {
        rim[2 * *count] = from;
        rim[2 * *count + 1] = to;
        (*count)++;
    }
}

/* Every edge that is walked more often one way than the other, as it must be
 * walked to be even. `rim` may be NULL. */
static uint32_t rim_of(const shape *sh,
                       const uint32_t *first,
                       const weld_edge *edges,
                       uint32_t *rim)
{
    uint32_t count = 0;
    for (uint32_t low = 0; low < sh->vertex_count; low++) {
        for (uint32_t i = first[low]; i < first[low + 1];) {
            uint32_t high = edges[i].high;
            int32_t forth = 0;
            for (; i < first[low + 1] && edges[i].high == high; i++)
                forth += sh->index[edges[i].corner] == low ? 1 : -1;
            if (rim) {
                rim_add(rim, &count, high, low, forth);
                rim_add(rim, &count, low, high, -forth);
            } else {
                count += (uint32_t)(forth < 0 ? -forth : forth);
            }
        }
    }
    return count;
}

/* False: no memory. NULL where the rim is too long. */
static bool rim_make(const shape *sh, uint32_t **ret_rim, uint32_t *ret_count)
{
    uint32_t *first = NULL, *rim = NULL;
    weld_edge *edges = NULL;
    if (!weld_edges(sh->index, sh->triangle_count, sh->vertex_count, &first,
                    &edges))
        return false;
    uint32_t count = rim_of(sh, first, edges, NULL);
    bool is_short = count <= sh->triangle_count / RIM_MOST + 16;
    if (is_short)
        rim = malloc((2 * (size_t)count + 2) * sizeof *rim);
    if (rim)
        *ret_count = rim_of(sh, first, edges, rim);
    free(first);
    free(edges);
    *ret_rim = rim;
    return rim || !is_short;
}

void winding_aid_free(winding_aid *aid)
{
    if (!aid)
        return;
    free(aid->rim);
    free(aid->moments);
    free(aid);
}

/* A rim where it is short, else moments; NULL: no memory. */
winding_aid *winding_aid_make(const shape *sh,
                              const bvh_node *nodes,
                              const vec3 *vertex)
{
    winding_aid *aid = calloc(1, sizeof *aid);
    if (!aid)
        return NULL;
    bool made = rim_make(sh, &aid->rim, &aid->rim_count);
    if (made && !aid->rim) {
        aid->moments = moments_make(sh, nodes, vertex);
        made = aid->moments != NULL;
    }
    if (made)
        return aid;
    winding_aid_free(aid);
    return NULL;
}

/* Adds what the ray's crossing of a triangle counts; false when it grazes an
 * edge. */
static bool winding_cross(const ray_shear *ray,
                          vec3 direction,
                          const vec3 t[3],
                          int64_t *sum)
{
    double at, edge;
    bool met = triangle_ray(ray, t[0], t[1], t[2], &at, &edge);
    if (met && edge == 0)
        /* of a line past the triangle, or one without area, nobody is in
         * doubt */
        return false;
    if (met && at > 0)
        *sum += v3_dot(v3_cross(v3_sub(t[1], t[0]), v3_sub(t[2], t[0])),
                       direction) > 0
                    ? 1
                    : -1;
    return true;
}

/* The ray's way through a box that begins at p and goes up every axis. */
static bool ray_meets(vec3 p, vec3 direction, const box3 *box)
{
    double far = box->max.x - p.x;
    bool beside = p.y > box->max.y + SPACE_TOUCH ||
                  p.y + far * direction.y < box->min.y - SPACE_TOUCH ||
                  p.z > box->max.z + SPACE_TOUCH;
    return far >= -SPACE_TOUCH && !beside &&
           p.z + far * direction.z >= box->min.z - SPACE_TOUCH;
}

/* Of the mesh closed by its rim; false when the ray grazes an edge. */
static bool winding_closed(
    vec3 p, const winding_mesh *m, vec3 apex, vec3 direction, int64_t *ret)
{
    ray_shear ray = ray_shear_make(p, direction);
    uint32_t stack[BVH_STACK], top = 0;
    stack[top++] = 0;
    *ret = 0;
    while (top > 0) {
        const bvh_node *n = &m->nodes[stack[--top]];
        if (!ray_meets(p, direction, &n->box))
            continue;
        for (uint32_t k = n->first; k < n->first + n->count; k++) {
            vec3 t[3];
            triangle_of(m, k, t);
            if (!winding_cross(&ray, direction, t, ret))
                return false;
        }
        if (n->count > 0)
            continue;
        stack[top++] = n->first + 1;
        stack[top++] = n->first;
    }
    for (uint32_t i = 0; i < m->aid->rim_count; i++) {
        const vec3 t[3] = {apex, m->vertex[m->aid->rim[2 * i]],
                           m->vertex[m->aid->rim[2 * i + 1]]};
        if (!winding_cross(&ray, direction, t, ret))
            return false;
    }
    return true;
}

/* Three directions, as each may graze an edge; false: all did. */
static bool winding_by_rim(vec3 p, const winding_mesh *m, double *ret)
{
    static const vec3 directions[] = {
        {1, 0.13579, 0.02468}, {1, 0.02137, 0.17391}, {1, 0.31771, 0.27183}};
    const uint32_t *rim = m->aid->rim;
    vec3 apex = {0, 0, 0};
    int64_t whole = 0;
    bool known = false;
    for (uint32_t i = 0; i < m->aid->rim_count; i++)
        apex =
            v3_add_scaled(apex, m->vertex[rim[2 * i]], 1.0 / m->aid->rim_count);
    for (int k = 0; k < 3 && !known; k++)
        known = winding_closed(p, m, apex, directions[k], &whole);
    if (!known)
        return false;
    double caps = 0;
    for (uint32_t i = 0; i < m->aid->rim_count; i++)
        caps += triangle_winding(p, apex, m->vertex[rim[2 * i]],
                                 m->vertex[rim[2 * i + 1]]);
    *ret = (double)whole - caps;
    return true;
}

/* ---- the question ---- By rim, by moments with ever less doubt, at last by
 * every triangle: each gives the same verdict where it gives one. */
bool winding_within(vec3 p, const winding_mesh *m)
{
    double sum = 0;
    if (m->aid && m->aid->rim && winding_by_rim(p, m, &sum))
        return fabs(sum) >= 0.5;
    for (double doubt = DOUBT_FIRST;
         m->aid && m->aid->moments && doubt >= DOUBT_LEAST;
         doubt /= DOUBT_STEP) {
        double error;
        double about = fabs(winding_about(p, m, doubt, &error));
        if (fabs(about - 0.5) > error + MARGIN)
            return about > 0.5;
    }
    sum = 0;
    for (uint32_t i = 0; i < m->shape->triangle_count; i++) {
        vec3 t[3];
        triangle_of(m, i, t);
        sum += triangle_winding(p, t[0], t[1], t[2]);
    }
    return fabs(sum) >= 0.5;
}
