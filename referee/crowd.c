/* What can be asked of a body among other solids; see crowd.h. Depth and reach
 * are found by trying: the body is moved by small steps and asked each time
 * whether it pierces something. */
#include "referee/crowd.h"
#include "proto/array.h"

#include <stdlib.h>

enum {
    POINTS_MAX = 4096,
    SAMPLES = 48
};
/* Metres. lowering: how far below it what holds a thing may be. jitter: a shift
 * that nobody sees, which brings faces out of one plane. */
static const double lowering = 0.005, jitter = 2e-5;
/* METHODS.md lets a thing stand over what is a centimetre below it, as on a
 * carpet's edge */
static const double leaning = 0.01;

extent crowd_extent(const crowd *c)
{
    extent e = extent_empty();
    for (size_t i = 0; i < c->count; i++) {
        if (c->is_body[i])
            extent_join(&e, &c->solids[i]->box);
    }
    return e;
}

/* Neither the body itself nor what is ignored. */
static bool other_counts(const crowd *c, size_t other)
{
    return !c->is_body[other] && !(c->is_ignored && c->is_ignored[other]);
}

static bool body_pierces(const crowd *c, point shift, size_t other)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->is_body[i] &&
            solid_pierces(c->solids[i], shift, c->solids[other], NULL, NULL))
            return true;
    }
    return false;
}

bool crowd_pierces(const crowd *c, point shift, size_t against)
{
    if (against != SIZE_MAX)
        return body_pierces(c, shift, against);
    for (size_t j = 0; j < c->count; j++) {
        if (other_counts(c, j) && body_pierces(c, shift, j))
            return true;
    }
    return false;
}

/* ---- depth ---- */

/* The 26 directions to the neighbours of a cell. */
static point direction_of(int k)
{
    int i = k < 13 ? k : k + 1;
    point d = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
    return point_times(d, 1 / point_length(d));
}

double crowd_depth(const crowd *c, size_t other)
{
    static const double steps[] = {0.0005, 0.001, 0.0015, 0.002, 0.003, 0.004,
                                   0.005,  0.006, 0.007,  0.008, 0.009, 0.01,
                                   0.011,  0.015, 0.02,   0.03,  0.05};
    const point nudge = {jitter, jitter * 0.7, jitter * 0.4};
    if (!body_pierces(c, nudge, other))
        return 0;
    for (size_t s = 0; s < COUNT_OF(steps); s++) {
        for (int k = 0; k < 26; k++) {
            point by = point_add(nudge, point_times(direction_of(k), steps[s]));
            if (!body_pierces(c, by, other))
                return steps[s];
        }
    }
    return INFINITY;
}

double crowd_within(const crowd *c, size_t other)
{
    const solid *s = c->solids[other];
    size_t points = 0, within = 0;
    if (!s->has_closed)
        return 0;
    for (size_t i = 0; i < c->count; i++) {
        if (!c->is_body[i])
            continue;
        for (size_t k = 0; k < SAMPLES; k++) {
            points++;
            within += solid_holds(s, solid_sample(c->solids[i], k, SAMPLES));
        }
    }
    return points ? (double)within / (double)points : 0;
}

/* ---- what it stands on ---- */

typedef struct flat {
    double x, y;
} flat;

typedef struct standing {
    flat *points;
    size_t count, most;
} standing;

/* A meeting point of solid_pierces; false ends it when there is no room. */
static bool standing_take(void *context, point where)
{
    standing *s = context;
    s->points[s->count++] = (flat){where.x, where.y};
    return s->count < s->most;
}

/* Edges down from the corners and middles of the body's triangles, and up from
 * the other's corners: what has no thickness goes through a level top without
 * piercing it. */
static void rays_stand(
    const solid *a, point shift, const solid *b, double by, standing *to)
{
    /* less than what is left between a thing and its carrier */
    const point up = {0, 0, 5e-5};
    const point down = {0, 0, -by};
    point where;
    for (size_t i = 0; i < a->triangles && to->count < to->most; i++) {
        for (size_t k = 0; k < 4 && to->count < to->most; k++) {
            point own = k < 3 ? a->corners[3 * i + k]
                              : solid_sample(a, i, a->triangles);
            point p = point_add(own, shift);
            if (solid_meets_edge(b, point_add(p, up), point_add(p, down),
                                 &where))
                standing_take(to, where);
        }
    }
    extent below = {point_add(a->box.lo, point_add(shift, down)),
                    point_add(a->box.hi, shift)};
    for (size_t i = 0; i < 3 * b->triangles && to->count < to->most; i++) {
        point p = b->corners[i];
        if (!extent_has(&below, p))
            continue;
        point from = point_less(point_less(p, shift), up);
        if (solid_meets_edge(a, from, point_add(from, (point){0, 0, by}),
                             &where))
            standing_take(to, p);
    }
}

static int flat_compare(const void *a, const void *b)
{
    const flat *p = a;
    const flat *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/* Twice the area of a, b, c: positive when they turn counter-clockwise. */
static double flat_turn(flat a, flat b, flat c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* From p to the nearest point of the line from a to b, ends included. */
static double flat_apart(flat a, flat b, flat p)
{
    double dx = b.x - a.x;
    double dy = b.y - a.y;
    double length = dx * dx + dy * dy;
    double t = length > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0;
    t = fmin(fmax(t, 0), 1);
    return hypot(a.x + t * dx - p.x, a.y + t * dy - p.y);
}

/* Whether p is within the hull of the points, or at most `most` beside it. The
 * points are put in order. */
static bool hull_has(standing *s, flat p, double most)
{
    flat *hull = malloc((2 * s->count + 2) * sizeof *hull);
    if (!hull)
        return true;
    qsort(s->points, s->count, sizeof *s->points, flat_compare);
    size_t n = 0;
    for (size_t pass = 0, floor_of = 0; pass < 2; pass++) {
        for (size_t i = 0; i < s->count; i++) {
            flat q = s->points[pass ? s->count - 1 - i : i];
            while (n >= floor_of + 2 &&
                   flat_turn(hull[n - 2], hull[n - 1], q) <= 0)
                n--;
            hull[n++] = q;
        }
        floor_of = n;
    }
    bool inside = true, near = false;
    for (size_t i = 0; i < n; i++) {
        flat a = hull[i];
        flat b = hull[(i + 1) % n];
        inside = inside && flat_turn(a, b, p) >= 0;
        near = near || flat_apart(a, b, p) <= most;
    }
    free(hull);
    return n > 0 && (near || inside);
}

/* The middle of the body's surface, by area: a mesh need not be closed, so it
 * has no volume to go by. */
static point body_middle(const crowd *c)
{
    point sum = {0, 0, 0};
    double area = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (!c->is_body[i])
            continue;
        sum = point_add(sum,
                        point_times(c->solids[i]->centre, c->solids[i]->area));
        area += c->solids[i]->area;
    }
    extent e = crowd_extent(c);
    return area > 0 ? point_times(sum, 1 / area) : extent_middle(&e);
}

/* Adds where solid j is within `by` below the body. */
static void other_holds(
    const crowd *c, point shift, size_t j, double by, standing *s)
{
    for (size_t i = 0; i < c->count && other_counts(c, j); i++) {
        bool is_near = c->is_body[i] && extent_meets(&c->solids[i]->box, shift,
                                                     by, &c->solids[j]->box);
        point low = point_add(shift, (point){0, 0, -by});
        if (is_near && s->count < s->most)
            solid_pierces(c->solids[i], low, c->solids[j], standing_take, s);
        if (is_near && s->count < s->most)
            rays_stand(c->solids[i], shift, c->solids[j], by, s);
    }
}

bool crowd_is_held(const crowd *c, point shift)
{
    flat one[2];
    standing s = {one, 0, 1};
    for (size_t j = 0; j < c->count && s.count == 0; j++)
        other_holds(c, shift, j, lowering, &s);
    return s.count > 0;
}

footing crowd_footing(const crowd *c, point shift, const bool *ask)
{
    footing f = {false, true, false};
    standing s = {malloc(2 * POINTS_MAX * sizeof *s.points), 0, POINTS_MAX};
    if (!s.points)
        return f;
    for (size_t j = 0; j < c->count; j++) {
        size_t before = s.count;
        other_holds(c, shift, j, leaning, &s);
        if (s.count > before && ask && ask[j])
            f.is_on_other = true;
    }
    f.is_held = crowd_is_held(c, shift);
    extent e = crowd_extent(c);
    point size = extent_size(&e);
    point middle = point_add(body_middle(c), shift);
    /* by area, where a closed body's is by volume */
    double slack = 0.02 + 0.1 * fmin(size.x, size.y);
    f.is_balanced =
        !f.is_held || hull_has(&s, (flat){middle.x, middle.y}, slack);
    free(s.points);
    return f;
}

bool crowd_hangs(const crowd *c, double most)
{
    for (int k = 0; k < 26; k++) {
        point d = direction_of(k);
        if (d.z < 0)
            continue;
        for (int step = 1; step <= 4; step++) {
            if (crowd_pierces(c, point_times(d, most * step / 4), SIZE_MAX))
                return true;
        }
    }
    return false;
}

/* ---- the way out ---- */

/* Whether some of the body's middle and the corners of its middle half is in
 * open air. */
static bool body_is_in_air(const extent *e, point by, const air *open)
{
    point middle = point_add(extent_middle(e), by);
    point quarter = point_times(extent_size(e), 0.25);
    if (air_is_open(open, middle))
        return true;
    for (int k = 0; k < 8; k++) {
        point p = {k & 1 ? quarter.x : -quarter.x,
                   k & 2 ? quarter.y : -quarter.y,
                   k & 4 ? quarter.z : -quarter.z};
        if (air_is_open(open, point_add(middle, p)))
            return true;
    }
    return false;
}

typedef struct leaving {
    const crowd *c;
    const air *open;
    extent e;
    point from;
    /* a solid: pierced where it stands, and not counted for the first
     * centimetres */
    bool *is_in_way;
} leaving;

/* Whether the body pierces nothing when it is moved by `by`, `gone` of it along
 * the way out. What it was pierced by where it stands may be for two
 * centimetres. */
static bool leaving_is_free(const leaving *l, point by, double gone)
{
    for (size_t j = 0; j < l->c->count; j++) {
        bool is_let = l->is_in_way[j] && gone < 0.02;
        if (other_counts(l->c, j) && !is_let && body_pierces(l->c, by, j))
            return false;
    }
    return true;
}

/* Whether the body can be drawn out in direction d: by its own length, or 30 cm
 * where that is less, and then up to 60 cm more until it is in open air. */
static bool leaving_goes(const leaving *l, point d)
{
    point size = extent_size(&l->e);
    double along = fabs(d.x) * size.x + fabs(d.y) * size.y + fabs(d.z) * size.z;
    double step = fmin(fmax(along / 3, 0.002), 0.02);
    double most = fmin(along, 0.3);
    for (double gone = step; gone <= most + 0.6; gone += step) {
        point by = point_add(l->from, point_times(d, gone));
        if (!leaving_is_free(l, by, gone))
            return false;
        if (gone >= most && body_is_in_air(&l->e, by, l->open))
            return true;
    }
    return false;
}

bool crowd_is_reached(const crowd *c, point shift, const air *open)
{
    enum {
        SIDES = 16
    };
    leaving l = {c, open, crowd_extent(c), shift,
                 calloc(c->count + 1, sizeof(bool))};
    if (!l.is_in_way)
        return true;
    bool reached = false;
    static const double lifts[] = {0.001, 0.01, 0.03};
    for (size_t j = 0; j < c->count; j++)
        l.is_in_way[j] = other_counts(c, j) && body_pierces(c, shift, j);
    l.from = point_add(shift, (point){0, 0, lifts[0]});
    reached = leaving_goes(&l, (point){0, 0, 1});
    for (size_t lift = 0; lift < 3 && !reached; lift++) {
        l.from = point_add(shift, (point){0, 0, lifts[lift]});
        for (int k = 0; k < 2 * SIDES && !reached; k++) {
            double angle = 2 * 3.14159265358979 * (k % SIDES) / SIDES;
            double rise = k < SIDES ? 0 : 1;
            point d = {cos(angle), sin(angle), rise};
            reached = leaving_goes(&l, point_times(d, 1 / point_length(d)));
        }
    }
    free(l.is_in_way);
    return reached;
}
