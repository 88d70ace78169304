/* What a probe computes of many faces at once. Loops over blocks of them have a
 * fixed count and no branches, so the compiler makes SSE2 or AVX2 of them; the
 * wider one is chosen at run time. Contraction is off and every lane computes
 * what probe_face_get does, in its order, so all give the same bits. */
#include "worker/probe/probe_internal.h"

#if defined(__GNUC__) && !defined(__clang__)
/* Floating-point flags are never read, so selecting between two computed values
 * needs no branch; no value changes. */
#pragma GCC optimize("O3,no-trapping-math")
#endif

#define INLINE static inline __attribute__((always_inline))
#define LANES 64
#define AREA_LEAST \
    1e-14 /* as probe_face_get: twice that of a face without area */

typedef double lanes[LANES];

typedef struct corners { /* of LANES faces, in the world */
    lanes at[3][3];      /* corner, axis */
} corners;

/* A block of faces from[0..count) of the part, or first.. when `from` is NULL;
 * the last one fills up what is left. */
INLINE void corners_gather(const scene_mesh *mesh,
                           const uint32_t *from,
                           uint32_t first,
                           uint32_t count,
                           corners *c)
{
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t at = i < count ? i : count - 1;
        const uint32_t *index =
            mesh->index + 3 * (size_t)(from ? from[at] - first : first + at);
        for (int k = 0; k < 3; k++) {
            const float *p = mesh->position + 3 * (size_t)index[k];
            for (int axis = 0; axis < 3; axis++)
                c->at[k][axis][i] = (double)p[axis];
        }
    }
}

/* Every lane in the order of affine_point, so that its bits are the same. */
INLINE void transform(const affine *a, lanes *restrict p)
{
    for (int i = 0; i < LANES; i++) {
        double x = p[0][i];
        double y = p[1][i];
        double z = p[2][i];
        p[0][i] = a->m[0][0] * x + a->m[0][1] * y + a->m[0][2] * z + a->t.x;
        p[1][i] = a->m[1][0] * x + a->m[1][1] * y + a->m[1][2] * z + a->t.y;
        p[2][i] = a->m[2][0] * x + a->m[2][1] * y + a->m[2][2] * z + a->t.z;
    }
}

/* Cross product of two edges of each face, and its length. */
INLINE void lanes_cross(const corners *restrict c,
                        lanes *restrict n,
                        double *restrict length)
{
    for (int i = 0; i < LANES; i++) {
        double ax = c->at[1][0][i] - c->at[0][0][i];
        double ay = c->at[1][1][i] - c->at[0][1][i];
        double az = c->at[1][2][i] - c->at[0][2][i];
        double bx = c->at[2][0][i] - c->at[0][0][i];
        double by = c->at[2][1][i] - c->at[0][1][i];
        double bz = c->at[2][2][i] - c->at[0][2][i];
        n[0][i] = ay * bz - az * by;
        n[1][i] = az * bx - ax * bz;
        n[2][i] = ax * by - ay * bx;
        length[i] =
            sqrt(n[0][i] * n[0][i] + n[1][i] * n[1][i] + n[2][i] * n[2][i]);
    }
}

/* Corners of a block of faces in the scene's base pose. */
INLINE void corners_to_world(const scene *s,
                             const scene_part *part,
                             const uint32_t *from,
                             uint32_t first,
                             uint32_t count,
                             corners *c)
{
    corners_gather(&s->meshes[part->mesh], from, first, count, c);
    for (int k = 0; k < 3; k++)
        transform(&part->to_world, c->at[k]);
}

/* ---- faces that look one way ---- alike[i] becomes 1 where the face's normal
 * is within the cosine of `normal`. margin[i] keeps how near any cosine so far
 * came to the limit: by so much the normal may turn before an answer changes
 * (growth_find_alike). Bitwise & on purpose: && would be a branch. */
INLINE void lanes_compare(const lanes *restrict n,
                          const double *restrict length,
                          double side,
                          vec3 normal,
                          double cosine,
                          double *restrict alike,
                          double *restrict margin)
{
    for (int i = 0; i < LANES; i++) {
        double scale = side / length[i];
        double dot = n[0][i] * scale * normal.x + n[1][i] * scale * normal.y +
                     n[2][i] * scale * normal.z;
        double off = fabs(dot - cosine);
        bool good = (length[i] > AREA_LEAST) & (length[i] < INFINITY);
        alike[i] = (good & (dot >= cosine)) ? 1 : 0;
        off = good ? off : INFINITY;
        margin[i] = off < margin[i] ? off : margin[i];
    }
}

/* All faces of one part. Returns how many look alike; *margin shrinks to the
 * least of all. */
INLINE uint32_t lanes_find_alike(const scene *s,
                                 const scene_part *part,
                                 vec3 normal,
                                 double cosine,
                                 uint8_t *ret_alike,
                                 double *margin)
{
    uint32_t count = s->meshes[part->mesh].triangle_count;
    uint32_t found = 0;
    corners c;
    lanes n[3], length, alike, least;
    for (int i = 0; i < LANES; i++)
        least[i] = INFINITY;
    for (uint32_t first = 0; first < count; first += LANES) {
        uint32_t block = count - first < LANES ? count - first : LANES;
        corners_to_world(s, part, NULL, first, block, &c);
        lanes_cross(&c, n, length);
        lanes_compare(n, length, part->flipped ? -1 : 1, normal, cosine, alike,
                      least);
        for (uint32_t i = 0; i < block; i++) {
            ret_alike[first + i] = (uint8_t)alike[i];
            found += (uint8_t)alike[i];
        }
    }
    for (int i = 0; i < LANES; i++)
        *margin = least[i] < *margin ? least[i] : *margin;
    return found;
}

/* ---- sums over a set ---- Each face's area, and its centre times its area,
 * for a centroid weighted by area. Faces without area weigh nothing. */
INLINE void lanes_weigh(const corners *restrict c,
                        const double *restrict length,
                        lanes *restrict weighted,
                        double *restrict area)
{
    for (int i = 0; i < LANES; i++) {
        bool good = (length[i] > AREA_LEAST) & (length[i] < INFINITY);
        area[i] = good ? length[i] / 2 : 0;
        for (int axis = 0; axis < 3; axis++)
            weighted[axis][i] =
                (c->at[0][axis][i] + c->at[1][axis][i] + c->at[2][axis][i]) *
                (1.0 / 3) * area[i];
    }
}

/* One after the other: the order of a sum is part of its bits. */
INLINE void lanes_sum(const scene *s,
                      const scene_part *part,
                      const uint32_t *faces,
                      uint32_t base,
                      uint32_t count,
                      vec3 *sum,
                      double *area)
{
    corners c;
    lanes n[3], length, weighted[3], each;
    vec3 middle = *sum;
    double whole = *area;
    for (uint32_t first = 0; first < count; first += LANES) {
        uint32_t block = count - first < LANES ? count - first : LANES;
        corners_to_world(s, part, faces + first, base, block, &c);
        lanes_cross(&c, n, length);
        lanes_weigh(&c, length, weighted, each);
        for (uint32_t i = 0; i < block; i++) {
            middle.x += weighted[0][i];
            middle.y += weighted[1][i];
            middle.z += weighted[2][i];
            whole += each[i];
        }
    }
    *sum = middle;
    *area = whole;
}

/* ---- vertices ---- Vertices of the mesh by number, through the part's place
 * and then the object's motion, into the world as it is now. */
INLINE void lanes_place(const scene *s,
                        const scene_part *part,
                        const affine *motion,
                        const uint32_t *vertices,
                        uint32_t count,
                        vec3 *ret)
{
    const float *position = s->meshes[part->mesh].position;
    lanes p[3];
    for (uint32_t first = 0; first < count; first += LANES) {
        uint32_t block = count - first < LANES ? count - first : LANES;
        for (uint32_t i = 0; i < LANES; i++) {
            const float *q =
                position +
                3 * (size_t)vertices[first + (i < block ? i : block - 1)];
            p[0][i] = (double)q[0];
            p[1][i] = (double)q[1];
            p[2][i] = (double)q[2];
        }
        transform(&part->to_world, p);
        transform(motion, p);
        for (uint32_t i = 0; i < block; i++)
            ret[first + i] = v3(p[0][i], p[1][i], p[2][i]);
    }
}

/* Points in the plane's frame; returns the greatest height along the normal
 * (-infinity for none), from which the plane's offset comes. */
INLINE double lanes_lay_flat(const vec3 *vertices,
                             uint32_t count,
                             vec3 origin,
                             vec3 u,
                             vec3 v,
                             vec3 normal,
                             vec2 *ret)
{
    double highest = -INFINITY, along[LANES];
    for (uint32_t first = 0; first < count; first += LANES) {
        uint32_t block = count - first < LANES ? count - first : LANES;
        for (uint32_t i = 0; i < block; i++) {
            double qx = vertices[first + i].x;
            double qy = vertices[first + i].y;
            double qz = vertices[first + i].z;
            double dx = qx - origin.x;
            double dy = qy - origin.y;
            double dz = qz - origin.z;
            along[i] = qx * normal.x + qy * normal.y + qz * normal.z;
            ret[first + i].x = dx * u.x + dy * u.y + dz * u.z;
            ret[first + i].y = dx * v.x + dy * v.y + dz * v.z;
        }
        for (uint32_t i = 0; i < block; i++)
            highest = along[i] > highest ? along[i] : highest;
    }
    return highest;
}

/* ---- triangles in a plane's frame ---- The coordinates u and v of a block of
 * points, without heights. */
INLINE void lanes_flatten(const lanes *restrict p,
                          vec3 origin,
                          vec3 u,
                          vec3 v,
                          double *restrict x,
                          double *restrict y)
{
    for (int i = 0; i < LANES; i++) {
        double dx = p[0][i] - origin.x;
        double dy = p[1][i] - origin.y;
        double dz = p[2][i] - origin.z;
        x[i] = dx * u.x + dy * u.y + dz * u.z;
        y[i] = dx * v.x + dy * v.y + dz * v.z;
    }
}

/* Counter-clockwise: those that are not have their last corners exchanged. */
INLINE void lanes_lay_triangles(const scene *s,
                                const scene_part *part,
                                const affine *motion,
                                const uint32_t *faces,
                                uint32_t base,
                                uint32_t count,
                                const probe_plane *plane,
                                vec2 *ret)
{
    corners c;
    lanes x[3], y[3], area;
    for (uint32_t first = 0; first < count; first += LANES) {
        uint32_t block = count - first < LANES ? count - first : LANES;
        corners_to_world(s, part, faces + first, base, block, &c);
        for (int k = 0; k < 3; k++) {
            transform(motion, c.at[k]);
            lanes_flatten(c.at[k], plane->origin, plane->u, plane->v, x[k],
                          y[k]);
        }
        for (int i = 0; i < LANES; i++)
            area[i] = (x[1][i] - x[0][i]) * (y[2][i] - y[0][i]) -
                      (y[1][i] - y[0][i]) * (x[2][i] - x[0][i]);
        for (uint32_t i = 0; i < block; i++) {
            vec2 *out = ret + 3 * (size_t)(first + i);
            int second = area[i] < 0 ? 2 : 1;
            out[0] = (vec2){x[0][i], y[0][i]};
            out[1] = (vec2){x[second][i], y[second][i]};
            out[2] = (vec2){x[3 - second][i], y[3 - second][i]};
        }
    }
}

/* frame: origin, u, v. Each box is least x, greatest x, least y, greatest y, as
 * probe_flat_box has it. */
INLINE void lanes_find_boxes(const scene *s,
                             const scene_part *part,
                             const uint32_t *triangles,
                             uint32_t count,
                             const vec3 *frame,
                             double (*ret)[4])
{
    corners c;
    lanes x[3], y[3];
    for (uint32_t first = 0; first < count; first += LANES) {
        uint32_t block = count - first < LANES ? count - first : LANES;
        corners_to_world(s, part, triangles + first, 0, block, &c);
        for (int k = 0; k < 3; k++)
            lanes_flatten(c.at[k], frame[0], frame[1], frame[2], x[k], y[k]);
        for (uint32_t i = 0; i < block; i++) {
            double *box = ret[first + i];
            box[0] = box[1] = x[0][i];
            box[2] = box[3] = y[0][i];
            for (int k = 1; k < 3; k++) {
                box[0] = x[k][i] < box[0] ? x[k][i] : box[0];
                box[1] = x[k][i] > box[1] ? x[k][i] : box[1];
                box[2] = y[k][i] < box[2] ? y[k][i] : box[2];
                box[3] = y[k][i] > box[3] ? y[k][i] : box[3];
            }
        }
    }
}

/* ---- points of a hull ---- The greatest a x + b y. Eight partial maxima,
 * joined at the end: a maximum, unlike a sum, is the same in any order. */
INLINE double lanes_find_most(const vec2 *points,
                              uint32_t count,
                              double a,
                              double b)
{
    double most[8];
    for (int i = 0; i < 8; i++)
        most[i] = -INFINITY;
    for (uint32_t first = 0; first + 8 <= count; first += 8)
        for (int i = 0; i < 8; i++) {
            double at = points[first + (uint32_t)i].x * a +
                        points[first + (uint32_t)i].y * b;
            most[i] = at > most[i] ? at : most[i];
        }
    for (uint32_t i = count / 8 * 8; i < count; i++) {
        double at = points[i].x * a + points[i].y * b;
        most[0] = at > most[0] ? at : most[0];
    }
    for (int i = 1; i < 8; i++)
        most[0] = most[i] > most[0] ? most[i] : most[0];
    return most[0];
}

/* Keeps, in their order, the points that are not inside of every edge (a x + b
 * y + c >= 0). */
INLINE uint32_t lanes_keep_outer(const vec2 *points,
                                 uint32_t count,
                                 const double (*edges)[3],
                                 uint32_t edge_count,
                                 vec2 *ret)
{
    uint32_t kept = 0;
    lanes x, y, least;
    for (uint32_t first = 0; first < count; first += LANES) {
        uint32_t block = count - first < LANES ? count - first : LANES;
        for (uint32_t i = 0; i < LANES; i++) {
            vec2 p = points[first + (i < block ? i : block - 1)];
            x[i] = p.x;
            y[i] = p.y;
            least[i] = INFINITY;
        }
        for (uint32_t e = 0; e < edge_count; e++)
            for (int i = 0; i < LANES; i++) {
                double in =
                    edges[e][0] * x[i] + edges[e][1] * y[i] + edges[e][2];
                least[i] = in < least[i] ? in : least[i];
            }
        for (uint32_t i = 0; i < block; i++) {
            ret[kept] = points[first + i];
            kept += !(least[i] >= 0);
        }
    }
    return kept;
}

/* ---- what others call ---- */
#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2"))) static

/* The same bodies once more, compiled for AVX2 by inlining. FMA is not asked
 * for: a fused product would give other bits. */
WIDE uint32_t lanes_find_alike_wide(const scene *s,
                                    const scene_part *part,
                                    vec3 normal,
                                    double cosine,
                                    uint8_t *alike,
                                    double *margin)
{
    return lanes_find_alike(s, part, normal, cosine, alike, margin);
}

WIDE void lanes_sum_wide(const scene *s,
                         const scene_part *part,
                         const uint32_t *faces,
                         uint32_t base,
                         uint32_t count,
                         vec3 *sum,
                         double *area)
{
    lanes_sum(s, part, faces, base, count, sum, area);
}

WIDE void lanes_place_wide(const scene *s,
                           const scene_part *part,
                           const affine *motion,
                           const uint32_t *vertices,
                           uint32_t count,
                           vec3 *ret)
{
    lanes_place(s, part, motion, vertices, count, ret);
}

WIDE void lanes_lay_triangles_wide(const scene *s,
                                   const scene_part *part,
                                   const affine *motion,
                                   const uint32_t *faces,
                                   uint32_t base,
                                   uint32_t count,
                                   const probe_plane *plane,
                                   vec2 *ret)
{
    lanes_lay_triangles(s, part, motion, faces, base, count, plane, ret);
}

WIDE void lanes_find_boxes_wide(const scene *s,
                                const scene_part *part,
                                const uint32_t *triangles,
                                uint32_t count,
                                const vec3 *frame,
                                double (*ret)[4])
{
    lanes_find_boxes(s, part, triangles, count, frame, ret);
}

WIDE double lanes_lay_flat_wide(const vec3 *vertices,
                                uint32_t count,
                                vec3 origin,
                                vec3 u,
                                vec3 v,
                                vec3 normal,
                                vec2 *ret)
{
    return lanes_lay_flat(vertices, count, origin, u, v, normal, ret);
}

WIDE double lanes_find_most_wide(const vec2 *points,
                                 uint32_t count,
                                 double a,
                                 double b)
{
    return lanes_find_most(points, count, a, b);
}

WIDE uint32_t lanes_keep_outer_wide(const vec2 *points,
                                    uint32_t count,
                                    const double (*edges)[3],
                                    uint32_t edge_count,
                                    vec2 *ret)
{
    return lanes_keep_outer(points, count, edges, edge_count, ret);
}

#define CHOOSE(name, ...) \
    (probe_lanes_wide() ? name##_wide(__VA_ARGS__) : name(__VA_ARGS__))
#else
#define CHOOSE(name, ...) name(__VA_ARGS__)
#endif

uint32_t probe_lanes_alike(const scene *s,
                           uint32_t part,
                           vec3 normal,
                           double cosine,
                           uint8_t *ret_alike,
                           double *margin)
{
    return CHOOSE(lanes_find_alike, s, &s->parts[part], normal, cosine,
                  ret_alike, margin);
}

void probe_lanes_sum(const scene *s,
                     uint32_t part,
                     const uint32_t *faces,
                     uint32_t base,
                     uint32_t count,
                     vec3 *sum,
                     double *area)
{
    CHOOSE(lanes_sum, s, &s->parts[part], faces, base, count, sum, area);
}

void probe_lanes_place(const scene *s,
                       uint32_t part,
                       const affine *motion,
                       const uint32_t *vertices,
                       uint32_t count,
                       vec3 *ret)
{
    CHOOSE(lanes_place, s, &s->parts[part], motion, vertices, count, ret);
}

void probe_lanes_triangles(const scene *s,
                           uint32_t part,
                           const affine *motion,
                           const uint32_t *faces,
                           uint32_t base,
                           uint32_t count,
                           const probe_plane *plane,
                           vec2 *ret)
{
    CHOOSE(lanes_lay_triangles, s, &s->parts[part], motion, faces, base, count,
           plane, ret);
}

void probe_lanes_boxes(const scene *s,
                       uint32_t part,
                       const uint32_t *triangles,
                       uint32_t count,
                       const vec3 frame[3],
                       double (*ret)[4])
{
    CHOOSE(lanes_find_boxes, s, &s->parts[part], triangles, count, frame, ret);
}

double probe_lanes_flat(const probe_plane *p,
                        const vec3 *vertices,
                        uint32_t count,
                        vec2 *ret)
{
    return CHOOSE(lanes_lay_flat, vertices, count, p->origin, p->u, p->v,
                  p->normal, ret);
}

double probe_lanes_most(const vec2 *points, uint32_t count, double a, double b)
{
    return CHOOSE(lanes_find_most, points, count, a, b);
}

uint32_t probe_lanes_outer(const vec2 *points,
                           uint32_t count,
                           const double (*edges)[3],
                           uint32_t edge_count,
                           vec2 *ret)
{
    return CHOOSE(lanes_keep_outer, points, count, edges, edge_count, ret);
}
