/* See outline.h. */
#include "worker/builtin/place/outline.h"

#include "worker/math/vec.h"

#include <math.h>
#include <string.h>

enum {
    OUTLINE_BOX = 4
};

/* From a thing's middle, across its heading and along it. */
static void to_own(const builtin_object *o,
                   const double point[2],
                   double ret[2])
{
    const double dx = point[0] - o->centre[0];
    const double dy = point[1] - o->centre[1];
    ret[0] = dx * o->heading[1] - dy * o->heading[0];
    ret[1] = dx * o->heading[0] + dy * o->heading[1];
}

/* How far the surface reaches from the thing's middle, across and along: the
 * lesser of both sides, for one that lies aside does not span it. */
static void surface_spans(const builtin_surface *s,
                          const builtin_object *o,
                          double ret[2])
{
    double low[2] = {INFINITY, INFINITY};
    double high[2] = {-INFINITY, -INFINITY};
    for (uint32_t i = 0; i < s->corner_count; i++) {
        double own[2];
        to_own(o, s->corners[i], own);
        for (int k = 0; k < 2; k++) {
            low[k] = math_min(low[k], own[k]);
            high[k] = math_max(high[k], own[k]);
        }
    }
    for (int k = 0; k < 2; k++)
        ret[k] = math_min(-low[k], high[k]);
}

/* The highest top that is at least nine tenths as long and as wide as the
 * object's box: a rounded edge takes the rest. NULL: the object has none. */
static const builtin_surface *spanning_top(const builtin_facts *facts,
                                           uint32_t object,
                                           double ret_spans[2])
{
    const double whole = 0.9;
    const builtin_object *o = &facts->objects[object];
    const builtin_surface *best = NULL;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        double spans[2];
        if (s->object != object || s->corner_count < 3)
            continue;
        surface_spans(s, o, spans);
        const bool is_whole =
            spans[0] >= whole * o->half[0] && spans[1] >= whole * o->half[1];
        if (!is_whole || (best && s->height <= best->height))
            continue;
        best = s;
        memcpy(ret_spans, spans, sizeof spans);
    }
    return best;
}

/* As wide as the box is, for the edge below a top may be wider than that. */
static void outline_of_top(const builtin_surface *s,
                           const builtin_object *o,
                           const double spans[2],
                           builtin_outline *ret)
{
    const uint32_t stride = (s->corner_count + OUTLINE_MOST - 1) / OUTLINE_MOST;
    ret->count = 0;
    for (uint32_t i = 0; i < s->corner_count; i += stride) {
        double own[2];
        to_own(o, s->corners[i], own);
        for (int k = 0; k < 2; k++)
            ret->corners[ret->count][k] = own[k] * o->half[k] / spans[k];
        ret->count++;
    }
}

void builtin_outline_of(const builtin_facts *facts,
                        uint32_t object,
                        builtin_outline *ret)
{
    const builtin_object *o = &facts->objects[object];
    const double signs[OUTLINE_BOX][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    double spans[2];
    const builtin_surface *top = spanning_top(facts, object, spans);
    if (top) {
        outline_of_top(top, o, spans, ret);
        return;
    }
    ret->count = OUTLINE_BOX;
    for (uint32_t i = 0; i < OUTLINE_BOX; i++) {
        for (int k = 0; k < 2; k++)
            ret->corners[i][k] = signs[i][k] * o->half[k];
    }
}

void builtin_outline_put(const builtin_outline *own,
                         const double at[2],
                         const double heading[2],
                         builtin_outline *ret)
{
    ret->count = own->count;
    for (uint32_t i = 0; i < own->count; i++) {
        const double *c = own->corners[i];
        ret->corners[i][0] = at[0] + c[0] * heading[1] + c[1] * heading[0];
        ret->corners[i][1] = at[1] - c[0] * heading[0] + c[1] * heading[1];
    }
}

/* The side from corner i to the next: where it begins, and its way. */
static const double *outline_side(const builtin_outline *o,
                                  uint32_t i,
                                  double ret_way[2])
{
    const double *from = o->corners[i];
    const double *to = o->corners[(i + 1) % o->count];
    ret_way[0] = to[0] - from[0];
    ret_way[1] = to[1] - from[1];
    return from;
}

double builtin_outline_reach(const builtin_outline *own, const double way[2])
{
    const double level = 1e-9;
    double reach = INFINITY;
    for (uint32_t i = 0; i < own->count; i++) {
        double side[2];
        const double *from = outline_side(own, i, side);
        const double out[2] = {side[1], -side[0]};
        const double along = way[0] * out[0] + way[1] * out[1];
        const double away = from[0] * out[0] + from[1] * out[1];
        if (along > level)
            reach = math_min(reach, away / along);
    }
    return reach;
}

/* How far all of the other is beyond the farthest side that parts the two. */
static double outline_parts(const builtin_outline *a, const builtin_outline *b)
{
    double most = -INFINITY;
    for (uint32_t i = 0; i < a->count; i++) {
        double side[2];
        const double *from = outline_side(a, i, side);
        const double length = sqrt(side[0] * side[0] + side[1] * side[1]);
        double least = INFINITY;
        for (uint32_t k = 0; k < b->count && length > 0; k++) {
            const double dx = b->corners[k][0] - from[0];
            const double dy = b->corners[k][1] - from[1];
            least = math_min(least, (dx * side[1] - dy * side[0]) / length);
        }
        if (length > 0)
            most = math_max(most, least);
    }
    return most;
}

/* Metres from a point to the side from `from` on. */
static double point_to_side(const double point[2],
                            const double from[2],
                            const double side[2])
{
    const double dx = point[0] - from[0];
    const double dy = point[1] - from[1];
    const double square = side[0] * side[0] + side[1] * side[1];
    double share = square > 0 ? (dx * side[0] + dy * side[1]) / square : 0;
    share = math_min(math_max(share, 0), 1);
    const double off[2] = {dx - share * side[0], dy - share * side[1]};
    return sqrt(off[0] * off[0] + off[1] * off[1]);
}

static double corners_to_sides(const builtin_outline *a,
                               const builtin_outline *b)
{
    double nearest = INFINITY;
    for (uint32_t i = 0; i < b->count; i++) {
        double side[2];
        const double *from = outline_side(b, i, side);
        for (uint32_t k = 0; k < a->count; k++)
            nearest =
                math_min(nearest, point_to_side(a->corners[k], from, side));
    }
    return nearest;
}

double builtin_outlines_apart(const builtin_outline *a,
                              const builtin_outline *b)
{
    const double between = math_max(outline_parts(a, b), outline_parts(b, a));
    if (between <= 0)
        return between;
    return math_min(corners_to_sides(a, b), corners_to_sides(b, a));
}
