/* What a thing covers of the ground: the convex hull of its corners, seen from
 * above. Metres. */
#ifndef ETNA_REFEREE_OUTLINE_H
#define ETNA_REFEREE_OUTLINE_H

#include "referee/geometry.h"

typedef struct flat { /* a point seen from above */
    double x, y;
} flat;

typedef struct outline {
    /* counter-clockwise, no three in a line; one or two where the thing is thin
     * as a line */
    flat *at;
    size_t count;
} outline;

/* False: out of memory, or there is no point. The caller frees. */
bool outline_make(const point *points, size_t count, outline *ret);
void outline_free(outline *o);

flat outline_centre(const outline *o);
/* How far p is within (positive) or without (negative). */
double outline_depth(const outline *o, flat p);
/* The point of it that is nearest to p; p itself where that is within. */
flat outline_nearest(const outline *o, flat p);
/* Between the nearest two points; 0 where they meet. */
double outline_distance(const outline *a, const outline *b);

typedef struct rectangle {
    flat centre, along; /* the longer side's direction, of length 1 */
    double half[2];     /* along it, across it */
} rectangle;
/* The one of least area around it. */
rectangle outline_rectangle(const outline *o);

static inline flat flat_of(point p)
{
    return (flat){p.x, p.y};
}
static inline flat flat_less(flat a, flat b)
{
    return (flat){a.x - b.x, a.y - b.y};
}
static inline double flat_dot(flat a, flat b)
{
    return a.x * b.x + a.y * b.y;
}
static inline double flat_cross(flat a, flat b)
{
    return a.x * b.y - a.y * b.x;
}
static inline double flat_length(flat a)
{
    return sqrt(flat_dot(a, a));
}

#endif
