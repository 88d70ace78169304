/* See outline.h. */
#include "referee/outline.h"

#include <stdlib.h>

static int flat_compare(const void *a, const void *b)
{
    const flat *p = a;
    const flat *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/* Whether going from a over b to c does not turn to the left. */
static bool turns_not_left(flat a, flat b, flat c)
{
    return flat_cross(flat_less(b, a), flat_less(c, b)) <= 0;
}

/* One side of the hull, by Andrew's chain; `step` is 1 for the lower, -1 for
 * the upper one. */
static size_t chain_walk(const flat *sorted, size_t count, int step, flat *to)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        flat p = sorted[step > 0 ? i : count - 1 - i];
        while (used >= 2 && turns_not_left(to[used - 2], to[used - 1], p))
            used--;
        to[used++] = p;
    }
    return used;
}

static size_t points_distinct(flat *points, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept && flat_compare(&points[kept - 1], &points[i]) == 0)
            continue;
        points[kept++] = points[i];
    }
    return kept;
}

enum {
    RIM = 8
};

/* The points that lie farthest along eight ways, going round to the left. */
static void rim_find(const point *points, size_t count, flat ret[RIM])
{
    static const flat ways[RIM] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                   {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    double most[RIM];
    for (int k = 0; k < RIM; k++)
        most[k] = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        flat p = flat_of(points[i]);
        for (int k = 0; k < RIM; k++) {
            double along = flat_dot(ways[k], p);
            if (along <= most[k])
                continue;
            most[k] = along;
            ret[k] = p;
        }
    }
}

/* Well inside of the rim's own outline, and so no corner of the whole one's. */
static bool rim_holds(const flat rim[RIM], flat p)
{
    const double slack = 1e-9;
    int sides = 0;
    for (int k = 0; k < RIM; k++) {
        flat from = rim[k];
        flat to = rim[(k + 1) % RIM];
        bool is_side = from.x != to.x || from.y != to.y;
        sides += is_side;
        if (is_side &&
            flat_cross(flat_less(to, from), flat_less(p, from)) <= slack)
            return false;
    }
    return sides > 0;
}

/* What may be a corner of the outline; sorting takes longest. */
static size_t rim_keep(const point *points, size_t count, flat *to)
{
    flat rim[RIM] = {{0, 0}};
    size_t kept = 0;
    rim_find(points, count, rim);
    for (size_t i = 0; i < count; i++) {
        flat p = flat_of(points[i]);
        if (!rim_holds(rim, p))
            to[kept++] = p;
    }
    return kept;
}

bool outline_make(const point *points, size_t count, outline *ret)
{
    if (count == 0)
        return false;
    flat *sorted = malloc(count * sizeof *sorted);
    flat *hull = malloc((2 * count + 2) * sizeof *hull);
    if (!sorted || !hull) {
        free(sorted);
        free(hull);
        return false;
    }
    count = rim_keep(points, count, sorted);
    qsort(sorted, count, sizeof *sorted, flat_compare);
    count = points_distinct(sorted, count);
    size_t lower = chain_walk(sorted, count, 1, hull);
    size_t used = lower;
    if (count > 1)
        used = lower - 1 + chain_walk(sorted, count, -1, hull + lower - 1) - 1;
    free(sorted);
    *ret = (outline){hull, used};
    return true;
}

void outline_free(outline *o)
{
    free(o->at);
    *o = (outline){NULL, 0};
}

flat outline_centre(const outline *o)
{
    double area = 0;
    flat sum = {0, 0};
    for (size_t i = 0; i + 1 < o->count; i++) {
        flat a = flat_less(o->at[i], o->at[0]);
        flat b = flat_less(o->at[i + 1], o->at[0]);
        double twice = flat_cross(a, b);
        area += twice;
        sum.x += twice * (a.x + b.x) / 3;
        sum.y += twice * (a.y + b.y) / 3;
    }
    if (area > 1e-12)
        return (flat){o->at[0].x + sum.x / area, o->at[0].y + sum.y / area};
    flat mean = {0, 0}; /* of what is as thin as a line */
    for (size_t i = 0; i < o->count; i++) {
        mean.x += o->at[i].x / (double)o->count;
        mean.y += o->at[i].y / (double)o->count;
    }
    return mean;
}

static flat segment_nearest(flat a, flat b, flat p)
{
    flat along = flat_less(b, a);
    double length = flat_dot(along, along);
    double t = length > 0 ? flat_dot(flat_less(p, a), along) / length : 0;
    t = fmin(fmax(t, 0), 1);
    return (flat){a.x + t * along.x, a.y + t * along.y};
}

static bool outline_has(const outline *o, flat p)
{
    for (size_t i = 0; i < o->count; i++) {
        flat a = o->at[i];
        flat b = o->at[(i + 1) % o->count];
        if (flat_cross(flat_less(b, a), flat_less(p, a)) < 0)
            return false;
    }
    return o->count > 2;
}

static flat edge_nearest(const outline *o, flat p)
{
    flat best = o->at[0];
    for (size_t i = 0; i < o->count; i++) {
        flat q = segment_nearest(o->at[i], o->at[(i + 1) % o->count], p);
        if (flat_length(flat_less(q, p)) < flat_length(flat_less(best, p)))
            best = q;
    }
    return best;
}

double outline_depth(const outline *o, flat p)
{
    double away = flat_length(flat_less(edge_nearest(o, p), p));
    return outline_has(o, p) ? away : -away;
}

flat outline_nearest(const outline *o, flat p)
{
    return outline_has(o, p) ? p : edge_nearest(o, p);
}

static bool segments_cross(flat a, flat b, flat c, flat d)
{
    flat ab = flat_less(b, a);
    flat cd = flat_less(d, c);
    double c_side = flat_cross(ab, flat_less(c, a));
    double d_side = flat_cross(ab, flat_less(d, a));
    double a_side = flat_cross(cd, flat_less(a, c));
    double b_side = flat_cross(cd, flat_less(b, c));
    return c_side * d_side < 0 && a_side * b_side < 0;
}

static bool outlines_cross(const outline *a, const outline *b)
{
    for (size_t i = 0; i < a->count; i++) {
        for (size_t j = 0; j < b->count; j++) {
            flat next_a = a->at[(i + 1) % a->count];
            flat next_b = b->at[(j + 1) % b->count];
            if (segments_cross(a->at[i], next_a, b->at[j], next_b))
                return true;
        }
    }
    return false;
}

double outline_distance(const outline *a, const outline *b)
{
    double least = INFINITY;
    if (outlines_cross(a, b))
        return 0;
    for (size_t i = 0; i < a->count; i++)
        least = fmin(least, flat_length(flat_less(outline_nearest(b, a->at[i]),
                                                  a->at[i])));
    for (size_t i = 0; i < b->count; i++)
        least = fmin(least, flat_length(flat_less(outline_nearest(a, b->at[i]),
                                                  b->at[i])));
    return least;
}

/* Around it, with a side along this direction. */
static rectangle rectangle_along(const outline *o, flat along)
{
    double lo[2] = {INFINITY, INFINITY};
    double hi[2] = {-INFINITY, -INFINITY};
    flat across = {-along.y, along.x};
    for (size_t i = 0; i < o->count; i++) {
        const double at[2] = {flat_dot(o->at[i], along),
                              flat_dot(o->at[i], across)};
        for (int k = 0; k < 2; k++) {
            lo[k] = fmin(lo[k], at[k]);
            hi[k] = fmax(hi[k], at[k]);
        }
    }
    double u = (lo[0] + hi[0]) / 2;
    double v = (lo[1] + hi[1]) / 2;
    return (rectangle){{u * along.x + v * across.x, u * along.y + v * across.y},
                       along,
                       {(hi[0] - lo[0]) / 2, (hi[1] - lo[1]) / 2}};
}

rectangle outline_rectangle(const outline *o)
{
    rectangle best = rectangle_along(o, (flat){1, 0});
    for (size_t i = 0; i < o->count; i++) {
        flat side = flat_less(o->at[(i + 1) % o->count], o->at[i]);
        double length = flat_length(side);
        if (length < 1e-9)
            continue;
        rectangle r =
            rectangle_along(o, (flat){side.x / length, side.y / length});
        bool is_less =
            r.half[0] * r.half[1] < best.half[0] * best.half[1] * (1 - 1e-9);
        if (is_less)
            best = r;
    }
    if (best.half[0] >= best.half[1])
        return best;
    return rectangle_along(o, (flat){-best.along.y, best.along.x});
}
