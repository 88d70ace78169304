/* See body.h. */
#include "referee/body.h"

#include <stdlib.h>

enum {
    GRID = 12,
    OWN_LINES = 160,
    PROBES_MAX = 4000,
    WORK_MAX = 60000000
};

/* ---- making ---- */

static size_t corners_below(const gltf_scene *s, size_t node)
{
    size_t count = 0;
    for (size_t n = 0; n < s->node_count; n++) {
        const gltf_node *at = &s->nodes[n];
        bool is_part = at->root != SIZE_MAX && at->mesh != SIZE_MAX &&
                       gltf_scene_is_below(s, n, node);
        if (is_part)
            count += at->instance_count * s->meshes[at->mesh].corner_count;
    }
    return count;
}

static void body_add(body *b, const gltf_scene *s, const gltf_node *node)
{
    const gltf_mesh *mesh = &s->meshes[node->mesh];
    for (size_t i = 0; i < node->instance_count; i++) {
        motion to = motion_after(&node->world, &node->instances[i]);
        for (size_t k = 0; k < mesh->corner_count; k++) {
            point p = motion_apply(&to, mesh->corners[k]);
            extent_grow(&b->box, p);
            b->corners[b->count++] = p;
        }
    }
}

bool body_is_there(const gltf_scene *s, size_t node)
{
    return corners_below(s, node) > 0;
}

bool body_make(const gltf_scene *s, size_t node, const char *name, body *ret)
{
    size_t room = corners_below(s, node);
    body b = {
        .name = name, .box = extent_empty(), .frame = s->nodes[node].world};
    b.corners = room ? malloc(room * sizeof *b.corners) : NULL;
    if (!b.corners)
        return false;
    for (size_t n = 0; n < s->node_count; n++) {
        const gltf_node *at = &s->nodes[n];
        bool is_part = at->root != SIZE_MAX && at->mesh != SIZE_MAX &&
                       gltf_scene_is_below(s, n, node);
        if (is_part)
            body_add(&b, s, at);
    }
    if (!outline_make(b.corners, b.count, &b.outline)) {
        free(b.corners);
        return false;
    }
    b.centre = outline_centre(&b.outline);
    *ret = b;
    return true;
}

void body_free(body *b)
{
    free(b->corners);
    outline_free(&b->outline);
    *b = (body){.name = NULL};
}

/* ---- along vertical lines ---- */

typedef struct strip { /* triangles that some lines may meet */
    const point **triangles;
    size_t count;
} strip;

/* The body's triangles whose boxes, seen from above, meet `over`. False: out of
 * memory. */
static bool strip_make(const body *b, const extent *over, strip *ret)
{
    strip s = {malloc((b->count / 3 + 1) * sizeof *s.triangles), 0};
    if (!s.triangles)
        return false;
    for (size_t i = 0; i + 2 < b->count; i += 3) {
        extent e = extent_empty();
        for (size_t k = 0; k < 3; k++)
            extent_grow(&e, b->corners[i + k]);
        bool meets_x = e.lo.x <= over->hi.x && e.hi.x >= over->lo.x;
        if (meets_x && e.lo.y <= over->hi.y && e.hi.y >= over->lo.y)
            s.triangles[s.count++] = &b->corners[i];
    }
    *ret = s;
    return true;
}

/* The height of the triangle over p; false: it is not there. */
static bool triangle_height(const point *t, flat p, double *ret)
{
    const double slack = 1e-9;
    flat a = flat_of(t[0]);
    flat b = flat_of(t[1]);
    flat c = flat_of(t[2]);
    double twice = flat_cross(flat_less(b, a), flat_less(c, a));
    if (fabs(twice) < 1e-14)
        return false; /* it stands upright */
    double v = flat_cross(flat_less(p, a), flat_less(c, a)) / twice;
    double w = flat_cross(flat_less(b, a), flat_less(p, a)) / twice;
    if (v < -slack || w < -slack || v + w > 1 + slack)
        return false;
    *ret = t[0].z + v * (t[1].z - t[0].z) + w * (t[2].z - t[0].z);
    return true;
}

/* The lowest that the line meets; INFINITY: none. */
static double strip_lowest(const strip *s, flat p)
{
    double lowest = INFINITY;
    double z = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (triangle_height(s->triangles[i], p, &z))
            lowest = fmin(lowest, z);
    }
    return lowest;
}

/* How far the nearest is that the line meets of s from the height z; INFINITY:
 * none. */
static double strip_away(const strip *s, flat p, double z)
{
    double least = INFINITY;
    double at = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (triangle_height(s->triangles[i], p, &at))
            least = fmin(least, fabs(z - at));
    }
    return least;
}

/* Seen from above. */
static bool extent_is_over(const extent *e, point p)
{
    return p.x >= e->lo.x && p.x <= e->hi.x && p.y >= e->lo.y && p.y <= e->hi.y;
}

/* Lines through corners of `of` that lie over `over`, at most OWN_LINES of
 * them, at even steps. */
static double gap_at_corners(const body *of,
                             const extent *over,
                             double highest,
                             const strip *a,
                             const strip *b)
{
    double least = INFINITY;
    size_t step = of->count / OWN_LINES + 1;
    for (size_t i = 0; i < of->count; i += step) {
        size_t at = i;
        /* the first that will do of its share */
        while (at < of->count && at < i + step) {
            if (extent_is_over(over, of->corners[at]) &&
                of->corners[at].z <= highest)
                break;
            at++;
        }
        if (at >= of->count || at >= i + step)
            continue;
        flat p = flat_of(of->corners[at]);
        least = fmin(least, strip_away(b, p, strip_lowest(a, p)));
    }
    return least;
}

/* Lines at the middles of GRID x GRID cells of what both boxes cover: they find
 * a gap where no corner is. */
static double gap_on_grid(const extent *over, const strip *a, const strip *b)
{
    double least = INFINITY;
    for (int i = 0; i < GRID * GRID; i++) {
        flat p = {
            over->lo.x + (over->hi.x - over->lo.x) * (i % GRID + 0.5) / GRID,
            over->lo.y + (over->hi.y - over->lo.y) * (i / GRID + 0.5) / GRID};
        double low = strip_lowest(a, p);
        if (low < INFINITY)
            least = fmin(least, strip_away(b, p, low));
    }
    return least;
}

double body_gap(const body *a, const body *b)
{
    extent over = {
        {fmax(a->box.lo.x, b->box.lo.x), fmax(a->box.lo.y, b->box.lo.y), 0},
        {fmin(a->box.hi.x, b->box.hi.x), fmin(a->box.hi.y, b->box.hi.y), 0}};
    if (over.lo.x > over.hi.x || over.lo.y > over.hi.y)
        return INFINITY;
    strip own = {NULL, 0};
    strip other = {NULL, 0};
    double least = INFINITY;
    double foot = a->box.lo.z + fmax(0.01, 0.1 * (a->box.hi.z - a->box.lo.z));
    if (strip_make(a, &over, &own) && strip_make(b, &over, &other)) {
        least = gap_on_grid(&over, &own, &other);
        least = fmin(least, gap_at_corners(a, &over, foot, &own, &other));
        least = fmin(least, gap_at_corners(b, &over, INFINITY, &own, &other));
    }
    free(own.triangles);
    free(other.triangles);
    return least;
}

/* ---- in space ---- */

/* The point of triangle t that is nearest to p: by which corner, side or inside
 * of it p lies before (Ericson, Real-Time Collision Detection, 5.1.5). */
static point triangle_nearest(const point *t, point p)
{
    point ab = point_less(t[1], t[0]);
    point ac = point_less(t[2], t[0]);
    point ap = point_less(p, t[0]);
    double d1 = point_dot(ab, ap);
    double d2 = point_dot(ac, ap);
    if (d1 <= 0 && d2 <= 0)
        return t[0];
    point bp = point_less(p, t[1]);
    double d3 = point_dot(ab, bp);
    double d4 = point_dot(ac, bp);
    if (d3 >= 0 && d4 <= d3)
        return t[1];
    double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return point_add(t[0],
                         point_times(ab, d1 - d3 > 0 ? d1 / (d1 - d3) : 0));
    point cp = point_less(p, t[2]);
    double d5 = point_dot(ab, cp);
    double d6 = point_dot(ac, cp);
    if (d6 >= 0 && d5 <= d6)
        return t[2];
    double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return point_add(t[0],
                         point_times(ac, d2 - d6 > 0 ? d2 / (d2 - d6) : 0));
    double va = d3 * d6 - d5 * d4;
    double run = (d4 - d3) + (d5 - d6);
    if (va <= 0 && d4 >= d3 && d5 >= d6)
        return point_add(t[1], point_times(point_less(t[2], t[1]),
                                           run > 0 ? (d4 - d3) / run : 0));
    double sum = va + vb + vc;
    if (!(sum > 0))
        return t[0]; /* without area */
    return point_add(
        t[0], point_add(point_times(ab, vb / sum), point_times(ac, vc / sum)));
}

/* From corners of a, at even steps where there are many, to triangles of b. */
static double distance_from_corners(const body *a, const body *b)
{
    size_t triangles = b->count / 3;
    size_t most = WORK_MAX / (triangles + 1) + 1;
    if (most > PROBES_MAX)
        most = PROBES_MAX;
    size_t step = a->count / most + 1;
    double least = INFINITY;
    for (size_t i = 0; i < a->count; i += step) {
        for (size_t t = 0; t < triangles; t++) {
            point q = triangle_nearest(&b->corners[3 * t], a->corners[i]);
            least = fmin(least, point_length(point_less(q, a->corners[i])));
        }
    }
    return least;
}

double body_distance(const body *a, const body *b)
{
    return fmin(distance_from_corners(a, b), distance_from_corners(b, a));
}

/* How far the farther of two opposite corners of the box has come. */
static double extent_moved(const extent *a, const extent *b)
{
    return fmax(point_length(point_less(a->lo, b->lo)),
                point_length(point_less(a->hi, b->hi)));
}

double body_moved(const body *now, const body *then)
{
    double most = 0;
    if (now->count != then->count)
        return extent_moved(&now->box, &then->box);
    for (size_t i = 0; i < now->count; i++)
        most = fmax(
            most, point_length(point_less(now->corners[i], then->corners[i])));
    return most;
}
