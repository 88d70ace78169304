/* The fixed test of a ray and a triangle, with the rules of triangle.c; in a
 * header because it is what most of a cast is made of. */
#ifndef ETNA_WORKER_SPACE_RAY_H
#define ETNA_WORKER_SPACE_RAY_H

#include "worker/math/vec.h"

/* Woop's shear of a ray: neighbours agree about their common edge */
typedef struct ray_shear {
    vec3 origin;
    int kx, ky, kz;
    double sx, sy, sz;
} ray_shear;

static inline ray_shear ray_shear_make(vec3 origin, vec3 d)
{
    ray_shear r = {.origin = origin, .kz = 0};
    if (fabs(d.y) > fabs(v3_get(d, r.kz)))
        r.kz = 1;
    if (fabs(d.z) > fabs(v3_get(d, r.kz)))
        r.kz = 2;
    r.kx = (r.kz + 1) % 3;
    r.ky = (r.kz + 2) % 3;
    r.sx = v3_get(d, r.kx) / v3_get(d, r.kz);
    r.sy = v3_get(d, r.ky) / v3_get(d, r.kz);
    r.sz = 1 / v3_get(d, r.kz);
    return r;
}

/* Of axes known to the compiler, which then has nothing to choose. */
static inline __attribute__((always_inline)) bool ray_along(
    const ray_shear *ray,
    int kx,
    int ky,
    int kz,
    vec3 a,
    vec3 b,
    vec3 c,
    double *ret_t,
    double *ret_edge)
{
    a = v3_sub(a, ray->origin);
    b = v3_sub(b, ray->origin);
    c = v3_sub(c, ray->origin);
    double az = v3_get(a, kz), bz = v3_get(b, kz), cz = v3_get(c, kz);
    double ax = v3_get(a, kx) - ray->sx * az, ay = v3_get(a, ky) - ray->sy * az;
    double bx = v3_get(b, kx) - ray->sx * bz, by = v3_get(b, ky) - ray->sy * bz;
    double cx = v3_get(c, kx) - ray->sx * cz, cy = v3_get(c, ky) - ray->sy * cz;
    double u = cx * by - cy * bx, v = ax * cy - ay * cx, w = bx * ay - by * ax;
    double det = u + v + w, size = fabs(u) + fabs(v) + fabs(w);
    bool some_negative = u < 0 || v < 0 || w < 0;
    bool some_positive = u > 0 || v > 0 || w > 0;
    double least = fabs(u) < fabs(v) ? fabs(u) : fabs(v);
    least = fabs(w) < least ? fabs(w) : least;
    *ret_edge = size > 0 ? least / size : 0;
    if (some_negative && some_positive)
        return false;
    if (det == 0)
        return false;
    *ret_t = (u * az + v * bz + w * cz) * ray->sz / det;
    return isfinite(*ret_t);
}

/* True when the line meets the triangle (edges belong to it; one without area
 * is never met). *ret_t in units of the direction's length, of any sign;
 * *ret_edge: how near it passes the line of an edge, as a share of the triangle
 * (0: through). */
static inline bool triangle_ray(const ray_shear *ray,
                                vec3 a,
                                vec3 b,
                                vec3 c,
                                double *ret_t,
                                double *ret_edge)
{
    switch (ray->kz) {
    case 0: return ray_along(ray, 1, 2, 0, a, b, c, ret_t, ret_edge);
    case 1: return ray_along(ray, 2, 0, 1, a, b, c, ret_t, ret_edge);
    default: return ray_along(ray, 0, 1, 2, a, b, c, ret_t, ret_edge);
    }
}

#endif
