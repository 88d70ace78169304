/* Vectors, rotations about Z and affine maps in double. World frame:
 * right-handed, metres, Z up. Fixed order of every sum; of libm only sqrt,
 * fabs, floor, ceil (ARCHITECTURE.md, The same bits): angles go through
 * math_sincos and math_atan2. */
#ifndef ETNA_WORKER_MATH_VEC_H
#define ETNA_WORKER_MATH_VEC_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define MATH_PI 3.14159265358979323846

typedef struct vec3 {
    double x, y, z;
} vec3;

typedef struct vec2 {
    double x, y;
} vec2;

typedef struct affine { /* p' = m p + t; m row-major */
    double m[3][3];
    vec3 t;
} affine;

/* Same bits on every x86-64; within 2 ulp of the true value for |x| <= 1e6.
 * Defined in math.c. */
void math_sincos(double radians, double *ret_sin, double *ret_cos);
double math_atan2(double y, double x); /* (-pi, pi]; atan2(0,0) = 0 */
double math_acos(double x);            /* clamped to [-1, 1] */
double math_log(double x);             /* x > 0, normal numbers */
double math_exp(double x);
double math_pow(double x, double y); /* x > 0 */
double math_cbrt(double x);
/* Two independent standard normals from two uniforms in [0,1) (Box-Muller over
 * our own log and sincos). */
void math_normal2(double u, double v, double *ret_a, double *ret_b);

static inline double math_min(double a, double b)
{
    return a < b ? a : b;
}
static inline double math_max(double a, double b)
{
    return a > b ? a : b;
}
/* `low` when x is not a number. */
static inline double math_clamp(double x, double low, double high)
{
    return x > low ? math_min(x, high) : low;
}

/* floor() without a call where baseline x86-64 has no instruction for it. */
static inline double math_floor(double x)
{
    if (!(fabs(x) < 2e9))
        return floor(x);
    double whole = (int32_t)x;
    return whole > x ? whole - 1 : whole;
}
/* Two doubles for qsort(); NaN has no place among them. */
int math_compare(const void *a, const void *b);

/* Twice the area of the triangle a, b, c: positive where it turns to the left,
 * 0 on a line. */
static inline double v2_turn(vec2 a, vec2 b, vec2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Is p in the rectangle, its edges counted in? */
static inline bool v2_within(vec2 p, vec2 low, vec2 high)
{
    bool is_across = p.x >= low.x && p.x <= high.x;
    return is_across && p.y >= low.y && p.y <= high.y;
}

static inline vec3 v3(double x, double y, double z)
{
    return (vec3){x, y, z};
}
static inline vec3 v3_add(vec3 a, vec3 b)
{
    return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline vec3 v3_sub(vec3 a, vec3 b)
{
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline vec3 v3_scale(vec3 a, double s)
{
    return v3(a.x * s, a.y * s, a.z * s);
}
static inline vec3 v3_add_scaled(vec3 a, vec3 b, double s)
{
    return v3(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}
static inline double v3_dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline vec3 v3_cross(vec3 a, vec3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
              a.x * b.y - a.y * b.x);
}
static inline double v3_length(vec3 a)
{
    return sqrt(v3_dot(a, a));
}
static inline double v3_distance(vec3 a, vec3 b)
{
    return v3_length(v3_sub(a, b));
}
static inline vec3 v3_normal(vec3 a) /* zero stays zero */
{
    double length = v3_length(a);
    return length > 0 ? v3_scale(a, 1 / length) : a;
}
static inline vec3 v3_min(vec3 a, vec3 b)
{
    return v3(math_min(a.x, b.x), math_min(a.y, b.y), math_min(a.z, b.z));
}
static inline vec3 v3_max(vec3 a, vec3 b)
{
    return v3(math_max(a.x, b.x), math_max(a.y, b.y), math_max(a.z, b.z));
}
static inline double v3_get(vec3 a, int axis)
{
    if (axis == 0)
        return a.x;
    return axis == 1 ? a.y : a.z;
}
/* Corner 0..7 of the box from `low` to `high`: bit k of the number says which
 * end of axis k. */
static inline vec3 v3_corner(vec3 low, vec3 high, unsigned number)
{
    vec3 corner = low;
    if (number & 1)
        corner.x = high.x;
    if (number & 2)
        corner.y = high.y;
    if (number & 4)
        corner.z = high.z;
    return corner;
}
static inline bool v3_finite(vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline affine affine_identity(void)
{
    return (affine){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
}
static inline vec3 affine_dir(const affine *a, vec3 p)
{
    return v3(a->m[0][0] * p.x + a->m[0][1] * p.y + a->m[0][2] * p.z,
              a->m[1][0] * p.x + a->m[1][1] * p.y + a->m[1][2] * p.z,
              a->m[2][0] * p.x + a->m[2][1] * p.y + a->m[2][2] * p.z);
}
static inline vec3 affine_point(const affine *a, vec3 p)
{
    return v3_add(affine_dir(a, p), a->t);
}
affine affine_mul(const affine *a, const affine *b); /* a after b */
double affine_det(const affine *a);
/* false when |det| is 0 or not finite */
bool affine_inverse(const affine *a, affine *ret);
/* Is what it maps squeezed flat? Then vertices that are two may come to lie on
 * one another. */
bool affine_is_flat(const affine *a);
/* Rotate about Z through centre, then translate; exactly the identity for 0 and
 * no translation. */
affine affine_yaw_about(vec3 centre, double radians, vec3 translate);

#endif
