/* The referee's own vectors and motions. Nothing of worker/ is used in this
 * folder: a mistake in the programs' geometry would be repeated by a check that
 * is computed with it. Metres, Z up. */
#ifndef ETNA_REFEREE_GEOMETRY_H
#define ETNA_REFEREE_GEOMETRY_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct point {
    double x, y, z;
} point;

/* Axis-aligned; empty while lo > hi. */
typedef struct extent {
    point lo, hi;
} extent;

/* q = m p + t, rows. */
typedef struct motion {
    double m[3][3];
    point t;
} motion;

static inline point point_add(point a, point b)
{
    return (point){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline point point_less(point a, point b)
{
    return (point){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline point point_times(point a, double k)
{
    return (point){a.x * k, a.y * k, a.z * k};
}
static inline double point_dot(point a, point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline point point_cross(point a, point b)
{
    return (point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                   a.x * b.y - a.y * b.x};
}
static inline double point_length(point a)
{
    return sqrt(point_dot(a, a));
}

static inline extent extent_empty(void)
{
    return (extent){{INFINITY, INFINITY, INFINITY},
                    {-INFINITY, -INFINITY, -INFINITY}};
}
static inline void extent_grow(extent *e, point p)
{
    /* by hand: fmin is a call, and this is the innermost of everything */
    e->lo.x = p.x < e->lo.x ? p.x : e->lo.x;
    e->lo.y = p.y < e->lo.y ? p.y : e->lo.y;
    e->lo.z = p.z < e->lo.z ? p.z : e->lo.z;
    e->hi.x = p.x > e->hi.x ? p.x : e->hi.x;
    e->hi.y = p.y > e->hi.y ? p.y : e->hi.y;
    e->hi.z = p.z > e->hi.z ? p.z : e->hi.z;
}
static inline void extent_join(extent *e, const extent *other)
{
    extent_grow(e, other->lo);
    extent_grow(e, other->hi);
}
/* Whether a, moved by `shift` and grown by `more`, meets b. */
static inline bool extent_meets(const extent *a,
                                point shift,
                                double more,
                                const extent *b)
{
    bool x = a->lo.x + shift.x - more <= b->hi.x &&
             a->hi.x + shift.x + more >= b->lo.x;
    bool y = a->lo.y + shift.y - more <= b->hi.y &&
             a->hi.y + shift.y + more >= b->lo.y;
    bool z = a->lo.z + shift.z - more <= b->hi.z &&
             a->hi.z + shift.z + more >= b->lo.z;
    return x && y && z;
}
static inline bool extent_has(const extent *e, point p)
{
    bool x = p.x >= e->lo.x && p.x <= e->hi.x;
    bool y = p.y >= e->lo.y && p.y <= e->hi.y;
    return x && y && p.z >= e->lo.z && p.z <= e->hi.z;
}
static inline point extent_middle(const extent *e)
{
    return point_times(point_add(e->lo, e->hi), 0.5);
}
static inline point extent_size(const extent *e)
{
    return point_less(e->hi, e->lo);
}

static inline point motion_apply(const motion *a, point p)
{
    return (point){
        a->m[0][0] * p.x + a->m[0][1] * p.y + a->m[0][2] * p.z + a->t.x,
        a->m[1][0] * p.x + a->m[1][1] * p.y + a->m[1][2] * p.z + a->t.y,
        a->m[2][0] * p.x + a->m[2][1] * p.y + a->m[2][2] * p.z + a->t.z};
}
/* First b, then a. */
motion motion_after(const motion *a, const motion *b);
/* False: it is not invertible. */
bool motion_invert(const motion *a, motion *ret);
/* Whether both take each point of e to within `most` of one another. */
bool motion_same(const motion *a,
                 const motion *b,
                 const extent *e,
                 double most);
motion motion_identity(void);
bool motion_is_finite(const motion *a);

#endif
