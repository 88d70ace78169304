/* Things as rectangles from above, and which of them are in the way: by boxes, and
 * by the maps of surfaces where a box says too much. */
#include "worker/builtin/place/place_internal.h"
#include "worker/math/vec.h"

#include <math.h>

void place_half_sides(const builtin_object *object, double ret[2])
{
    double hx = fabs(object->heading[0]);
    double hy = fabs(object->heading[1]);
    ret[0] = hy * object->half[0] + hx * object->half[1];
    ret[1] = hx * object->half[0] + hy * object->half[1];
}

/* 0: they overlap. */
double builtin_rects_apart(const builtin_rect *a, const builtin_rect *b)
{
    double x =
        math_max(math_max(a->low[0] - b->high[0], b->low[0] - a->high[0]), 0);
    double y =
        math_max(math_max(a->low[1] - b->high[1], b->low[1] - a->high[1]), 0);
    return sqrt(x * x + y * y);
}

/* Large and static: what rooms stand on. */
bool builtin_is_ground(const builtin_object *object)
{
    const double wide = 1; /* metres of half a side */
    return object->is_static && object->half[0] > wide &&
           object->half[1] > wide;
}

/* Along the axes, `margin` wider on every side. */
builtin_rect builtin_footprint(const builtin_object *object,
                               double x,
                               double y,
                               double margin)
{
    double half[2];
    place_half_sides(object, half);
    return (builtin_rect){{x - half[0] - margin, y - half[1] - margin},
                          {x + half[0] + margin, y + half[1] + margin}};
}

builtin_rect builtin_rect_of(const builtin_object *object)
{
    return builtin_footprint(object, object->centre[0], object->centre[1], 0);
}

/* Of the thing and all it carries. */
double builtin_top_with_load(const builtin_facts *facts, uint32_t object)
{
    double top = builtin_top(&facts->objects[object]);
    for (uint32_t i = 0; i < facts->object_count; i++) {
        const builtin_object *o = &facts->objects[i];
        const bool is_carried = !o->is_static && o->by_count > 0;
        if (i != object && is_carried && builtin_is_above(facts, i, object))
            top = math_max(top, builtin_top(o));
    }
    return top;
}

/* Touching is no overlap. */
bool builtin_rects_meet(const builtin_rect *a, const builtin_rect *b)
{
    for (int k = 0; k < 2; k++) {
        if (a->low[k] >= b->high[k] || a->high[k] <= b->low[k])
            return false;
    }
    return true;
}

double builtin_layer_clear(const builtin_surface *s,
                           uint32_t object,
                           double x,
                           double y)
{
    double column = floor((x - s->origin[0]) / s->cell);
    double line = floor((y - s->origin[1]) / s->cell);
    for (uint32_t i = 0; i < s->map.layer_count; i++) {
        const builtin_layer *l = &s->map.layers[i];
        double u = column - l->column;
        double v = line - l->row;
        const bool across = u >= 0 && u < l->columns;
        const bool along = v >= 0 && v < l->rows;
        if (l->object == object && across && along)
            return 0.01 * l->clear[(size_t)v * l->columns + (size_t)u];
    }
    return INFINITY;
}

/* Does a thing leave so much room over the surface within the rectangle? */
static bool layer_leaves(const builtin_surface *s,
                         uint32_t object,
                         const builtin_rect *r,
                         double height)
{
    const double most = 0.01 * BUILTIN_CLEAR_MOST;
    height = math_min(height, most);
    for (double x = r->low[0]; x < r->high[0] + s->cell; x += s->cell) {
        for (double y = r->low[1]; y < r->high[1] + s->cell; y += s->cell) {
            if (builtin_layer_clear(s, object, x, y) < height)
                return false;
        }
    }
    return true;
}

bool builtin_is_beneath_there(const builtin_facts *facts,
                              uint32_t object,
                              const builtin_rect *r,
                              double bottom,
                              double height)
{
    const double level = 0.02, lower = 0.1; /* metres */
    const builtin_object *o = &facts->objects[object];
    if (builtin_foot(o) > bottom - lower)
        return false;
    const double x = (r->low[0] + r->high[0]) / 2;
    const double y = (r->low[1] + r->high[1]) / 2;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        const bool is_there = s->object != object && s->cell > 0 &&
                              fabs(s->height - bottom) < level;
        if (is_there && builtin_spans(s, x, y))
            return layer_leaves(s, object, r, height);
    }
    return false;
}

/* By boxes, but for what stands lower: of a chair that is pushed in, the box
 * reaches over the table and the back does not. */
bool builtin_is_in_the_way(const builtin_facts *facts,
                           uint32_t other,
                           uint32_t object,
                           const double at[3])
{
    const builtin_object *o = &facts->objects[object];
    const builtin_object *b = &facts->objects[other];
    if (other == object || builtin_top(b) < at[2] + 0.005 ||
        builtin_foot(b) > at[2] + 2 * o->half[2])
        return false;
    builtin_rect own = builtin_footprint(o, at[0], at[1], 0);
    builtin_rect its = builtin_rect_of(b);
    if (!builtin_rects_meet(&own, &its))
        return false;
    return !builtin_is_beneath_there(facts, other, &own, at[2], 2 * o->half[2]);
}

/* Within [0, count]. */
static uint32_t cell_at(double metres, double cell, uint32_t count)
{
    double index = floor(metres / cell);
    if (!(index > 0))
        return 0;
    return index < count ? (uint32_t)index : count;
}

/* Some cell within the rectangle is free. */
bool builtin_is_free_near(const builtin_surface *s, const builtin_rect *rect)
{
    uint32_t first[2], end[2];
    const uint32_t count[2] = {s->columns, s->rows};
    for (int k = 0; k < 2; k++) {
        first[k] = cell_at(rect->low[k] - s->origin[k], s->cell, count[k]);
        end[k] = cell_at(rect->high[k] - s->origin[k], s->cell, count[k]);
    }
    for (uint32_t row = first[1]; row < end[1]; row++) {
        for (uint32_t column = first[0]; column < end[0]; column++) {
            if (builtin_is_clear(s, column, row, BUILTIN_CLEAR_LEAST))
                return true;
        }
    }
    return false;
}
