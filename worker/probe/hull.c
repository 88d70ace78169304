/* Convex hulls and rectangles of planes, in their 2D frame. Own code: a chain of some dozens of lines gives the same bits
 * everywhere and in a fixed corner order, which the solver's ties depend on. */
#include "worker/probe/own.h"

#include <stdlib.h>
#include <string.h>

#define SLACK 1e-5 /* of the size, as in welding: a straight edge of many corners is one edge */

static int by_x_then_y(const void *a, const void *b)
{
    const vec2 *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return p->y < q->y ? -1 : p->y > q->y;
}

static double turn(vec2 a, vec2 b, vec2 c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

/* b leaves the chain a, b, c unless it stands out by more than rounding of the points themselves. */
static bool flat(vec2 a, vec2 b, vec2 c, double slack)
{
    double dx = c.x - a.x, dy = c.y - a.y;
    return turn(a, b, c) <= slack * sqrt(dx * dx + dy * dy);
}

/* Drops corners of a convex polygon that stand out of their neighbours' line by less than the slack. */
static uint32_t drop_flat(vec2 *hull, uint32_t n, double slack)
{
    for (uint32_t i = 0; n > 3 && i < n;) {
        if (!flat(hull[(i + n - 1) % n], hull[i], hull[(i + 1) % n], slack)) {
            i++;
            continue;
        }
        memmove(hull + i, hull + i + 1, (n - i - 1) * sizeof *hull);
        n--;
    }
    return n;
}

/* The exact hull; only then are flat corners dropped, since in the chain a point beyond the next one looks flat too. */
static uint32_t chain(const vec2 *points, uint32_t count, vec2 *hull)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        while (n >= 2 && turn(hull[n - 2], hull[n - 1], points[i]) <= 0)
            n--;
        hull[n++] = points[i];
    }
    uint32_t lower = n + 1;
    for (uint32_t i = count - 1; i-- > 0;) {
        while (n >= lower && turn(hull[n - 2], hull[n - 1], points[i]) <= 0)
            n--;
        hull[n++] = points[i];
    }
    return n - 1; /* without the first point again */
}

uint32_t probe_hull(vec2 *points, uint32_t count, vec2 *hull)
{
    if (count < 3)
        return 0;
    qsort(points, count, sizeof *points, by_x_then_y);
    double size = points[count - 1].x - points[0].x, low = points[0].y, high = points[0].y;
    for (uint32_t i = 1; i < count; i++) {
        low = points[i].y < low ? points[i].y : low;
        high = points[i].y > high ? points[i].y : high;
    }
    size = high - low > size ? high - low : size;
    double slack = SLACK * size;
    uint32_t n = drop_flat(hull, chain(points, count, hull), slack);
    for (int more = 0; n > PROBE_HULL_MAX && more < 20; more++) /* a disc of thousands of corners: keep fewer, all inside */
        n = drop_flat(hull, n, slack *= 2);
    return n >= 3 && turn(hull[0], hull[1], hull[2]) > 0 ? n : 0;
}

void probe_rectangle(const vec2 *hull, uint32_t count, double *ret_across, double *ret_width)
{
    double best = INFINITY, across = 0, width = 0;
    for (uint32_t i = 0; i < count; i++) {
        vec2 a = hull[i], b = hull[(i + 1) % count];
        double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);
        if (!(length > 0))
            continue;
        dx /= length;
        dy /= length;
        double lo = INFINITY, hi = -INFINITY, deep = 0;
        for (uint32_t k = 0; k < count; k++) {
            double along = (hull[k].x - a.x) * dx + (hull[k].y - a.y) * dy;
            double out = (hull[k].y - a.y) * dx - (hull[k].x - a.x) * dy;
            lo = along < lo ? along : lo;
            hi = along > hi ? along : hi;
            deep = out > deep ? out : deep;
        }
        if ((hi - lo) * deep < best) {
            best = (hi - lo) * deep;
            across = hi - lo > deep ? hi - lo : deep;
            width = hi - lo > deep ? deep : hi - lo;
        }
    }
    *ret_across = across;
    *ret_width = width;
}

bool probe_in_triangle(const vec2 t[3], vec2 p)
{
    return turn(t[0], t[1], p) >= 0 && turn(t[1], t[2], p) >= 0 && turn(t[2], t[0], p) >= 0;
}
