/* METHODS.md 1, Box: axes are world Z and the object's heading, tight over its
 * vertices as posed. The least-area rectangle is sought in the heading's own
 * frame, so that turning the object about Z turns box, front and yaw with
 * it. */
#include "worker/scene/scene_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct outline {
    vec2 *points;
    size_t count;
} outline;

/* An object's vertices seen from above, in the world. */
typedef struct plan {
    vec2 *at;
    size_t count;
} plan;

/* The heading: the node's front, else the next axis, projected to the
 * horizontal; unit length. */
static vec2 heading_of(const affine *frame, vec3 front)
{
    vec3 axes[4] = {front, v3(0, 0, 1), v3(1, 0, 0),
                    v3(0, 1, 0)}; /* glTF's front is +Z; next in turn +X, +Y */
    for (int i = v3_length(front) > 0 ? 0 : 1; i < 4; i++) {
        vec3 d = v3_normal(affine_dir(frame, axes[i]));
        double length = sqrt(d.x * d.x + d.y * d.y);
        if (length >= 0.5) {
            return (vec2){d.x / length, d.y / length};
        }
    }
    return (vec2){0, -1};
}

/* By x, then y: the order that the monotone chain needs. */
static int compare_points(const void *a, const void *b)
{
    const vec2 *p = a, *q = b;
    if (p->x != q->x) {
        return p->x < q->x ? -1 : 1;
    }
    return p->y < q->y ? -1 : p->y > q->y;
}

/* Andrew's monotone chain, in place; counter-clockwise. */
static void convex_hull(outline *o)
{
    qsort(o->points, o->count, sizeof *o->points, compare_points);
    size_t n = o->count;
    size_t k = 0;
    vec2 *hull = malloc((2 * n + 1) * sizeof *hull);
    if (!hull || n < 3) {
        free(hull);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        while (k >= 2 && v2_turn(hull[k - 2], hull[k - 1], o->points[i]) <= 0) {
            k--;
        }
        hull[k++] = o->points[i];
    }
    for (size_t i = n - 1, lower = k + 1; i-- > 0;) {
        while (k >= lower &&
               v2_turn(hull[k - 2], hull[k - 1], o->points[i]) <= 0) {
            k--;
        }
        hull[k++] = o->points[i];
    }
    o->count = k > 1 ? k - 1 : k;
    memcpy(o->points, hull, o->count * sizeof *hull);
    free(hull);
}

/* The area of the rectangle along unit direction d around the points. In the
 * frame of d, u along it and v to its right. */
static double rectangle_area(const outline *o, vec2 d)
{
    double low_u = INFINITY, high_u = -INFINITY, low_v = INFINITY,
           high_v = -INFINITY;
    for (size_t i = 0; i < o->count; i++) {
        double u = o->points[i].x * d.x + o->points[i].y * d.y;
        double v = o->points[i].y * d.x - o->points[i].x * d.y;
        low_u = math_min(u, low_u);
        high_u = math_max(u, high_u);
        low_v = math_min(v, low_v);
        high_v = math_max(v, high_v);
    }
    return (high_u - low_u) * (high_v - low_v);
}

/* The direction, in the heading's frame (heading = +X), of the box's axis
 * nearest the heading: (1,
 * 0) unless the least rectangle, which has a side along an edge of the hull, is
 *    at least 15 %
 * smaller. */
static vec2 best_direction(outline *o)
{
    vec2 best = {1, 0};
    double straight = rectangle_area(o, best);
    double least = straight;
    if (!(straight > 0)) {
        return best;
    }
    convex_hull(o);
    size_t step = o->count > 4096 ? o->count / 4096
                                  /* a finer outline than any edge direction
                                   * matters for */
                                  : 1;
    for (size_t i = 0; i < o->count; i += step) {
        vec2 a = o->points[i];
        vec2 b = o->points[(i + 1) % o->count];
        vec2 d = {b.x - a.x, b.y - a.y};
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
    vec2 turns[4] = {
        best, {-best.y, best.x}, {-best.x, -best.y}, {best.y, -best.x}};
    for (int i = 0; i < 4; i++) {
        /* at 45 degrees both are as near: the first stays */
        if (turns[i].x > best.x + 1e-9) {
            best = turns[i];
        }
    }
    return best;
}

/* Points that lie inside the polygon of some extreme ones, deeper than any
 * rounding reaches, are neither on the hull nor the farthest along any
 * direction: most of an object's vertices are told by four comparisons. */
typedef struct sieve {
    vec2 corner[8], edge[8]; /* counter-clockwise; edge: to the next corner */
    double depth[8];         /* what v2_turn() must be more than */
    vec2 low, high;          /* a rectangle inside, as deep */
    size_t count;            /* 0: keeps everything */
} sieve;

static bool sieve_is_within(const sieve *s, vec2 p)
{
    for (size_t i = 0; i < s->count; i++) { /* v2_turn(), its edge found once */
        if (!(s->edge[i].x * (p.y - s->corner[i].y) -
                  s->edge[i].y * (p.x - s->corner[i].x) >
              s->depth[i])) {
            return false;
        }
    }
    return s->count >= 3;
}

/* The rectangle first: it holds most points and costs four comparisons instead
 * of eight turns. */
static bool sieve_has(const sieve *s, vec2 p)
{
    bool is_across = p.x > s->low.x && p.x < s->high.x;
    if (is_across && p.y > s->low.y && p.y < s->high.y)
        return true;
    return sieve_is_within(s, p);
}

static vec2 box_in_frame(vec2 p, vec3 origin, vec2 h)
{
    double x = p.x - origin.x;
    double y = p.y - origin.y;
    return (vec2){x * h.x + y * h.y, y * h.x - x * h.y};
}

/* Those of some of the points that are farthest along each of eight directions,
 * counter-clockwise. */
static void find_extremes(const plan *all, vec2 far[8])
{
    /* need not be exact: any extreme points make a sound sieve, better ones a
     * finer */
    const double directions[8][2] = {{1, 0},      {0.7, 0.7}, {0, 1},
                                     {-0.7, 0.7}, {-1, 0},    {-0.7, -0.7},
                                     {0, -1},     {0.7, -0.7}};
    enum {
        SAMPLES = 512
    };
    const size_t step = all->count > SAMPLES ? all->count / SAMPLES : 1;
    double most[8];
    for (int k = 0; k < 8; k++) {
        most[k] = -INFINITY;
    }
    for (size_t i = 0; i < all->count; i += step) {
        vec2 p = all->at[i];
        for (int k = 0; k < 8; k++) {
            double along = p.x * directions[k][0] + p.y * directions[k][1];
            if (along > most[k]) {
                most[k] = along;
                far[k] = p;
            }
        }
    }
}

/* Shrinks a rectangle between the extreme points until its corners are
 * within. */
static void find_rectangle(sieve *s, const vec2 far[8])
{
    vec2 low = {far[4].x, far[6].y};
    vec2 high = {far[0].x, far[2].y};
    const vec2 middle = {(low.x + high.x) / 2, (low.y + high.y) / 2};
    s->low = s->high = middle; /* holds nothing */
    for (int tries = 0; tries < 8; tries++) {
        low = (vec2){low.x + (middle.x - low.x) / 8,
                     low.y + (middle.y - low.y) / 8};
        high = (vec2){high.x + (middle.x - high.x) / 8,
                      high.y + (middle.y - high.y) / 8};
        bool is_diagonal_within =
            sieve_is_within(s, low) && sieve_is_within(s, high);
        vec2 left = {low.x, high.y};
        vec2 right = {high.x, low.y};
        if (is_diagonal_within && sieve_is_within(s, left) &&
            sieve_is_within(s, right)) {
            s->low = low;
            s->high = high;
            return;
        }
    }
}

static bool is_same_point(const vec2 *a, const vec2 *b)
{
    return a->x == b->x && a->y == b->y;
}

/* Below sixteen points the sieve costs more than it saves. The depth is far
 * above the rounding of v2_turn, so no point of the hull is ever dropped. */
static sieve make_sieve(const plan *all, vec3 low, vec3 high)
{
    vec2 far[8] = {{0, 0}};
    sieve out = {.count = 0};
    if (all->count < 16) {
        return out;
    }
    find_extremes(all, far);
    for (int k = 0; k < 8; k++) {
        if (out.count == 0 ||
            !is_same_point(&out.corner[out.count - 1], &far[k])) {
            out.corner[out.count++] = far[k];
        }
    }
    while (out.count > 1 &&
           is_same_point(&out.corner[0], &out.corner[out.count - 1])) {
        out.count--;
    }
    double reach = high.x - low.x + high.y - low.y + fabs(low.x) + fabs(low.y) +
                   fabs(high.x) + fabs(high.y);
    for (size_t i = 0; i < out.count; i++) {
        vec2 a = out.corner[i];
        vec2 b = out.corner[(i + 1) % out.count];
        out.edge[i] = (vec2){b.x - a.x, b.y - a.y};
        out.depth[i] =
            reach * (fabs(out.edge[i].x) + fabs(out.edge[i].y)) * 1e-12;
    }
    find_rectangle(&out, far);
    return out;
}

/* Keeps the points that may be on the hull. A vertex at the place of the one
 * before it, as seams leave them, tells nothing new. */
static void plan_keep_outer(plan *all, vec3 low, vec3 high)
{
    const sieve filter = make_sieve(all, low, high);
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        vec2 p = all->at[i];
        bool again = kept > 0 && all->at[kept - 1].x == p.x &&
                     all->at[kept - 1].y == p.y;
        if (!again && !sieve_has(&filter, p)) {
            all->at[kept++] = p;
        }
    }
    all->count = kept;
}

/* The object's vertices in the world, and how far they reach. False: no memory.
 * The room is kept from object to object; it grows only. */
static bool draw_plan(const scene *s,
                      const scene_object *object,
                      box_room *room,
                      plan *ret,
                      vec3 *ret_low,
                      vec3 *ret_high)
{
    vec3 low = v3(INFINITY, INFINITY, INFINITY);
    vec3 high = v3(-INFINITY, -INFINITY, -INFINITY);
    plan all = {.count = 0};
    for (uint32_t i = 0; i < object->part_count; i++) {
        all.count +=
            s->meshes[s->parts[object->first_part + i].mesh].vertex_count;
    }
    if (!room->points || room->count < all.count) {
        free(room->points);
        room->count = all.count + 64;
        room->points = malloc(room->count * sizeof *room->points);
        if (!room->points) {
            return false;
        }
    }
    all.at = room->points;
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

static etna_code box_no_memory(const scene_object *object, etna_error *err)
{
    return etna_fail(err, ETNA_E_NOMEM,
                     "no memory for the outline of \"%.60s\"",
                     object->name ? object->name : "");
}

/* With a known front the box keeps the heading; without one the least rectangle
 * may turn it. */
etna_code box_measure(const scene *s,
                      scene_object *object,
                      const affine *frame,
                      vec3 front,
                      box_room *room,
                      etna_error *err)
{
    vec3 low, high;
    plan all;
    if (!draw_plan(s, object, room, &all, &low, &high)) {
        return box_no_memory(object, err);
    }
    plan_keep_outer(&all, low, high);
    /* near the points, so that the outline keeps its digits */
    vec3 middle = v3_scale(v3_add(low, high), 0.5);
    vec2 h = heading_of(frame, front);
    vec2 d = {1, 0};
    if (!(v3_length(front) > 0)) {
        outline o = {malloc((all.count + 1) * sizeof *o.points), all.count};
        if (!o.points) {
            return box_no_memory(object, err);
        }
        for (size_t i = 0; i < all.count; i++) {
            o.points[i] = box_in_frame(all.at[i], middle, h);
        }
        d = best_direction(&o);
        free(o.points);
    }
    /* d from the heading's frame to the world */
    vec2 axis = {h.x * d.x - h.y * d.y, h.y * d.x + h.x * d.y};
    double low_u = INFINITY, high_u = -INFINITY, low_v = INFINITY,
           high_v = -INFINITY;
    for (size_t i = 0; i < all.count; i++) {
        vec2 p = box_in_frame(all.at[i], middle, axis);
        low_u = math_min(p.x, low_u);
        high_u = math_max(p.x, high_u);
        low_v = math_min(p.y, low_v);
        high_v = math_max(p.y, high_v);
    }
    double u = (low_u + high_u) / 2;
    double v = (low_v + high_v) / 2;
    object->box.centre = v3(middle.x + axis.x * u - axis.y * v,
                            middle.y + axis.y * u + axis.x * v, middle.z);
    object->box.half =
        v3((high_v - low_v) / 2, (high_u - low_u) / 2, (high.z - low.z) / 2);
    object->box.yaw = math_atan2(axis.x, -axis.y);
    object->min = low;
    object->max = high;
    return ETNA_OK;
}
