/* METHOD.md 1, Box: axes are world Z and the object's heading, tight over its vertices as posed. The least-area
 * rectangle is sought in the heading's own frame, so that turning the object about Z turns box, front and yaw with it.
 */
#include "worker/scene/private.h"

#include <stdlib.h>
#include <string.h>

typedef struct outline {
    vec2 *points;
    size_t count;
} outline;

/* An object's vertices seen from above: every pass over them is over these. */
typedef struct plan {
    vec2 *at;    /* in the world */
    vec2 *local; /* in the heading's frame, about the middle */
    size_t count;
} plan;

/* The heading: the node's front, else the next axis, projected to the horizontal; unit length. */
static vec2 heading_of(const affine *frame, vec3 front)
{
    vec3 axes[4] = {front, v3(0, 0, 1), v3(1, 0, 0), v3(0, 1, 0)}; /* glTF's front is +Z; next in turn +X, +Y */
    for (int i = v3_length(front) > 0 ? 0 : 1; i < 4; i++) {
        vec3 d = v3_normal(affine_dir(frame, axes[i]));
        double length = sqrt(d.x * d.x + d.y * d.y);
        if (length >= 0.5) {
            return (vec2){d.x / length, d.y / length};
        }
    }
    return (vec2){0, -1};
}

static int compare_points(const void *a, const void *b)
{
    const vec2 *p = a, *q = b;
    if (p->x != q->x) {
        return p->x < q->x ? -1 : 1;
    }
    return p->y < q->y ? -1 : p->y > q->y;
}

static double turn(vec2 a, vec2 b, vec2 c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

/* Andrew's monotone chain, in place; counter-clockwise. */
static void convex_hull(outline *o)
{
    qsort(o->points, o->count, sizeof *o->points, compare_points);
    size_t n = o->count, k = 0;
    vec2 *hull = malloc((2 * n + 1) * sizeof *hull);
    if (!hull || n < 3) {
        free(hull);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        while (k >= 2 && turn(hull[k - 2], hull[k - 1], o->points[i]) <= 0) {
            k--;
        }
        hull[k++] = o->points[i];
    }
    for (size_t i = n - 1, lower = k + 1; i-- > 0;) {
        while (k >= lower && turn(hull[k - 2], hull[k - 1], o->points[i]) <= 0) {
            k--;
        }
        hull[k++] = o->points[i];
    }
    o->count = k > 1 ? k - 1 : k;
    memcpy(o->points, hull, o->count * sizeof *hull);
    free(hull);
}

/* The area of the rectangle along unit direction d around the points. */
static double rectangle_area(const outline *o, vec2 d)
{
    double low_u = INFINITY, high_u = -INFINITY, low_v = INFINITY, high_v = -INFINITY;
    for (size_t i = 0; i < o->count; i++) {
        double u = o->points[i].x * d.x + o->points[i].y * d.y, v = o->points[i].y * d.x - o->points[i].x * d.y;
        low_u = u < low_u ? u : low_u;
        high_u = u > high_u ? u : high_u;
        low_v = v < low_v ? v : low_v;
        high_v = v > high_v ? v : high_v;
    }
    return (high_u - low_u) * (high_v - low_v);
}

/* The direction, in the heading's frame (heading = +X), of the box's axis nearest the heading: (1, 0) unless the least
 * rectangle, which has a side along an edge of the hull, is at least 15 % smaller. */
static vec2 best_direction(outline *o)
{
    vec2 best = {1, 0};
    double straight = rectangle_area(o, best), least = straight;
    if (!(straight > 0)) {
        return best;
    }
    convex_hull(o);
    size_t step = o->count > 4096 ? o->count / 4096 : 1; /* a finer outline than any edge direction matters for */
    for (size_t i = 0; i < o->count; i += step) {
        vec2 a = o->points[i], b = o->points[(i + 1) % o->count], d = {b.x - a.x, b.y - a.y};
        double length = sqrt(d.x * d.x + d.y * d.y);
        if (!(length > 0)) {
            continue;
        }
        d = (vec2){d.x / length, d.y / length};
        double area = rectangle_area(o, d);
        if (area < least * (1 - 1e-9)) {
            least = area;
            best = d;
        }
    }
    if (!(least <= 0.85 * straight)) {
        return (vec2){1, 0};
    }
    vec2 turns[4] = {best, {-best.y, best.x}, {-best.x, -best.y}, {best.y, -best.x}};
    for (int i = 0; i < 4; i++) {
        if (turns[i].x > best.x + 1e-9) { /* at 45 degrees both are as near: the first stays */
            best = turns[i];
        }
    }
    return best;
}

/* Whether a point cannot be on the hull: inside the rhombus of the extreme points of eight directions. Exact enough to
 * throw nothing away that matters: a strict margin keeps what lies near the edges. */
typedef struct sieve {
    vec2 corner[8], edge[8]; /* edge: to the next corner */
    size_t count;
} sieve;

static bool sieved(const sieve *s, vec2 p)
{
    for (size_t i = 0; i < s->count; i++) { /* turn(), its edge found once */
        if (s->edge[i].x * (p.y - s->corner[i].y) - s->edge[i].y * (p.x - s->corner[i].x) <= 0) {
            return false;
        }
    }
    return s->count >= 3;
}

static vec2 in_frame(vec2 p, vec3 origin, vec2 h)
{
    double x = p.x - origin.x, y = p.y - origin.y;
    return (vec2){x * h.x + y * h.y, y * h.x - x * h.y};
}

/* The first of the points farthest along each of eight directions; opposite ones are found by one product. */
static void find_extremes(const plan *all, vec2 far[8])
{
    double least[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    double most[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < all->count; i++) {
        vec2 p = all->local[i];
        const double along[4] = {p.x, p.x * 0.7 + p.y * 0.7, p.y, p.x * -0.7 + p.y * 0.7};
        for (int k = 0; k < 4; k++) {
            if (along[k] > most[k]) {
                most[k] = along[k];
                far[k] = p;
            }
            if (along[k] < least[k]) {
                least[k] = along[k];
                far[k + 4] = p;
            }
        }
    }
}

static sieve make_sieve(const plan *all)
{
    vec2 far[8] = {{0, 0}};
    sieve out = {.count = 0};
    find_extremes(all, far);
    for (int k = 0; k < 8; k++) {
        const vec2 *last = out.count ? &out.corner[out.count - 1] : NULL;
        if (!last || last->x != far[k].x || last->y != far[k].y) {
            out.corner[out.count++] = far[k];
        }
    }
    while (out.count > 1 && out.corner[0].x == out.corner[out.count - 1].x &&
           out.corner[0].y == out.corner[out.count - 1].y) {
        out.count--;
    }
    for (size_t i = 0; i < out.count; i++) {
        vec2 a = out.corner[i], b = out.corner[(i + 1) % out.count];
        out.edge[i] = (vec2){b.x - a.x, b.y - a.y};
    }
    return out;
}

/* The outline's candidate points, in the heading's frame: they take the place of `all->local`. A vertex at the place of
 * the one before it, as seams leave them, tells nothing new. */
static outline collect(plan *all)
{
    sieve filter = make_sieve(all);
    outline o = {all->local, 0};
    for (size_t i = 0; i < all->count; i++) {
        vec2 p = all->local[i];
        bool again = o.count > 2 && o.points[o.count - 1].x == p.x && o.points[o.count - 1].y == p.y;
        if (!again && !sieved(&filter, p)) {
            o.points[o.count++] = p;
        }
    }
    return o;
}

/* The object's vertices in the world, and how far they reach. False: no memory. */
static bool draw_plan(const scene *s, const scene_object *object, box_room *room, plan *ret, vec3 *ret_low,
                      vec3 *ret_high)
{
    vec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3(-INFINITY, -INFINITY, -INFINITY);
    plan all = {.count = 0};
    for (uint32_t i = 0; i < object->part_count; i++) {
        all.count += s->meshes[s->parts[object->first_part + i].mesh].vertex_count;
    }
    if (!room->points || room->count < 2 * all.count) {
        free(room->points);
        room->count = 2 * all.count + 64;
        room->points = malloc(room->count * sizeof *room->points);
        if (!room->points) {
            return false;
        }
    }
    all.at = room->points;
    all.local = room->points + all.count;
    size_t n = 0;
    for (uint32_t i = 0; i < object->part_count; i++) {
        const scene_part *part = &s->parts[object->first_part + i];
        uint32_t count = s->meshes[part->mesh].vertex_count;
        for (uint32_t v = 0; v < count; v++) {
            vec3 p = scene_vertex(s, part, v);
            low = v3_min(low, p);
            high = v3_max(high, p);
            all.at[n++] = (vec2){p.x, p.y};
        }
    }
    *ret = all;
    *ret_low = low;
    *ret_high = high;
    return true;
}

etna_code box_measure(const scene *s, scene_object *object, const affine *frame, vec3 front, box_room *room,
                      etna_error *err)
{
    vec3 low, high;
    plan all;
    if (!draw_plan(s, object, room, &all, &low, &high)) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for the outline of \"%.60s\"", object->name ? object->name : "");
    }
    vec3 middle = v3_scale(v3_add(low, high), 0.5); /* near the points, so that the outline keeps its digits */
    vec2 h = heading_of(frame, front), d = {1, 0};
    if (!(v3_length(front) > 0)) {
        for (size_t i = 0; i < all.count; i++) {
            all.local[i] = in_frame(all.at[i], middle, h);
        }
        outline o = collect(&all);
        d = best_direction(&o);
    }
    vec2 axis = {h.x * d.x - h.y * d.y, h.y * d.x + h.x * d.y}; /* d from the heading's frame to the world */
    double low_u = INFINITY, high_u = -INFINITY, low_v = INFINITY, high_v = -INFINITY;
    for (size_t i = 0; i < all.count; i++) {
        vec2 p = in_frame(all.at[i], middle, axis);
        low_u = p.x < low_u ? p.x : low_u;
        high_u = p.x > high_u ? p.x : high_u;
        low_v = p.y < low_v ? p.y : low_v;
        high_v = p.y > high_v ? p.y : high_v;
    }
    double u = (low_u + high_u) / 2, v = (low_v + high_v) / 2;
    object->box.centre = v3(middle.x + axis.x * u - axis.y * v, middle.y + axis.y * u + axis.x * v, middle.z);
    object->box.half = v3((high_v - low_v) / 2, (high_u - low_u) / 2, (high.z - low.z) / 2);
    object->box.yaw = math_atan2(axis.x, -axis.y);
    object->min = low;
    object->max = high;
    return ETNA_OK;
}
