/* Convex hulls and rectangles of planes, in their 2D frame. Own code: a chain
 * of some dozens of lines gives the same bits everywhere and in a fixed corner
 * order, which the solver's ties depend on. */
#include "worker/probe/probe_internal.h"

#include <stdlib.h>
#include <string.h>

#define INNER \
    1e-3 /* of the size: what lies this deep inside of eight outermost points is no corner */
#define SLACK \
    1e-5 /* of the size, as in welding: a straight edge of many corners is one edge */

/* Total but for equal points, which are the same. */
static int by_x_then_y(const void *a, const void *b)
{
    const vec2 *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return p->y < q->y ? -1 : p->y > q->y;
}

/* b leaves the chain a, b, c unless it stands out by more than rounding of the
 * points themselves. */
static bool hull_is_flat(vec2 a, vec2 b, vec2 c, double slack)
{
    double dx = c.x - a.x;
    double dy = c.y - a.y;
    return v2_turn(a, b, c) <= slack * sqrt(dx * dx + dy * dy);
}

/* Drops corners of a convex polygon that stand out of their neighbours' line by
 * less than the slack. */
static uint32_t drop_flat(vec2 *hull, uint32_t n, double slack)
{
    for (uint32_t i = 0; n > 3 && i < n;) {
        if (!hull_is_flat(hull[(i + n - 1) % n], hull[i], hull[(i + 1) % n],
                          slack)) {
            i++;
            continue;
        }
        memmove(hull + i, hull + i + 1, (n - i - 1) * sizeof *hull);
        n--;
    }
    return n;
}

/* The exact hull; only then are flat corners dropped, since in the chain a
 * point beyond the next one looks flat too. */
static uint32_t hull_chain(const vec2 *points, uint32_t count, vec2 *hull)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        while (n >= 2 && v2_turn(hull[n - 2], hull[n - 1], points[i]) <= 0)
            n--;
        hull[n++] = points[i];
    }
    uint32_t lower = n + 1;
    for (uint32_t i = count - 1; i-- > 0;) {
        while (n >= lower && v2_turn(hull[n - 2], hull[n - 1], points[i]) <= 0)
            n--;
        hull[n++] = points[i];
    }
    return n - 1; /* without the first point again */
}

/* Rounding is far smaller than what the sieve leaves round the hull, so the
 * chain never ends at a point it takes out. */
static const double way[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                 {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};

/* A sieve finds the outermost points in eight directions; their octagon lies
 * within the hull, and so nothing deep inside of it can be a corner. */
void probe_sieve_begin(probe_sieve *sieve)
{
    *sieve = (probe_sieve){0};
    for (int w = 0; w < 8; w++)
        sieve->most[w] = -INFINITY;
}

/* May be called for several chunks of points. The scan for the greatest value
 * runs in lanes; the point it belongs to is looked up only when it is a new
 * one. */
void probe_sieve_see(probe_sieve *sieve, const vec2 *points, uint32_t count)
{
    for (int w = 0; w < 8; w++) {
        double most = probe_lanes_most(points, count, way[w][0], way[w][1]);
        if (!(most > sieve->most[w]))
            continue;
        sieve->most[w] = most;
        for (uint32_t i = 0; i < count; i++)
            if (points[i].x * way[w][0] + points[i].y * way[w][1] == most) {
                sieve->outermost[w] = points[i];
                break;
            }
    }
}

/* The octagon's edges as inward normals with their offset, drawn in by INNER of
 * the size. Directions that share a point give no edge; fewer than three edges
 * bound nothing, and then all points are kept. */
void probe_sieve_end(probe_sieve *sieve)
{
    double size = sieve->most[0] + sieve->most[4];
    size = sieve->most[2] + sieve->most[6] > size
               ? sieve->most[2] + sieve->most[6]
               : size;
    for (int w = 0; w < 8 && isfinite(size); w++) {
        vec2 a = sieve->outermost[w];
        vec2 b = sieve->outermost[(w + 1) % 8];
        double dx = b.x - a.x;
        double dy = b.y - a.y;
        double length = sqrt(dx * dx + dy * dy);
        double *edge = sieve->edges[sieve->edge_count];
        if (!(length > 0) || !isfinite(length))
            continue;
        edge[0] = -dy / length;
        edge[1] = dx / length;
        edge[2] = (dy * a.x - dx * a.y) / length - INNER * size;
        sieve->edge_count++;
    }
    if (sieve->edge_count < 3)
        sieve->edge_count = 0;
}

/* Writes those that may be corners of the hull to ret (may be `points`), in
 * their order. */
uint32_t probe_sieve_keep(const probe_sieve *sieve,
                          const vec2 *points,
                          uint32_t count,
                          vec2 *ret)
{
    if (sieve->edge_count)
        return probe_lanes_outer(points, count, sieve->edges, sieve->edge_count,
                                 ret);
    if (ret != points)
        memcpy(ret, points, count * sizeof *ret);
    return count;
}

/* Counter-clockwise corners, at most PROBE_HULL_MAX; 0 when the points span no
 * area. Sorts `points`; `hull` needs room for count + 1. */
uint32_t probe_hull(vec2 *points, uint32_t count, vec2 *hull)
{
    if (count < 3)
        return 0;
    vec2 low = points[0];
    vec2 high = points[0];
    for (uint32_t i = 1; i < count; i++) {
        low =
            (vec2){math_min(points[i].x, low.x), math_min(points[i].y, low.y)};
        high = (vec2){math_max(points[i].x, high.x),
                      math_max(points[i].y, high.y)};
    }
    double size = high.x - low.x;
    size = high.y - low.y > size ? high.y - low.y : size;
    qsort(points, count, sizeof *points, by_x_then_y);
    double slack = SLACK * size;
    uint32_t n = drop_flat(hull, hull_chain(points, count, hull), slack);
    for (int more = 0; n > PROBE_HULL_MAX && more < 20;
         more++) /* a disc of thousands of corners: keep fewer, all inside */
        n = drop_flat(hull, n, slack *= 2);
    return n >= 3 && v2_turn(hull[0], hull[1], hull[2]) > 0 ? n : 0;
}

/* The rectangle of least area round a convex polygon: one of its sides lies on
 * a side of the polygon, so it is enough to try each. Of equals the first.
 * ret_across is the longer side, ret_width the shorter, in metres. */
void probe_rectangle(const vec2 *hull,
                     uint32_t count,
                     double *ret_across,
                     double *ret_width)
{
    double best = INFINITY, across = 0, width = 0;
    for (uint32_t i = 0; i < count; i++) {
        vec2 a = hull[i];
        vec2 b = hull[(i + 1) % count];
        double dx = b.x - a.x;
        double dy = b.y - a.y;
        double length = sqrt(dx * dx + dy * dy);
        if (!(length > 0))
            continue;
        dx /= length;
        dy /= length;
        double lo = INFINITY, hi = -INFINITY, deep = 0;
        for (uint32_t k = 0; k < count; k++) {
            double along = (hull[k].x - a.x) * dx + (hull[k].y - a.y) * dy;
            double out = (hull[k].y - a.y) * dx - (hull[k].x - a.x) * dy;
            lo = math_min(along, lo);
            hi = math_max(along, hi);
            deep = math_max(out, deep);
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

/* The border counts as inside. The triangle is counter-clockwise. */
bool probe_in_triangle(const vec2 t[3], vec2 p)
{
    return v2_turn(t[0], t[1], p) >= 0 && v2_turn(t[1], t[2], p) >= 0 &&
           v2_turn(t[2], t[0], p) >= 0;
}
