/* See floor.h. */
#include "worker/furnish/floor.h"

#include <math.h>
#include <stdlib.h>

enum {
    CLIPPED_MAX = 8,
    STRIP = 4 /* cells behind a side in which its wall may be */
};
#define WALL_SHARE 0.4 /* of a side: so much of it is wall, or it is open */
#define OPENING_LEAST \
    0.55 /* metres: a narrower gap is none that one goes or looks through */
#define SILL_SHARE 0.6 /* of an opening that has something below it: a window */

/* ---- cells ---- */

/* A map of the area with cells of FLOOR_CELL, larger ones where that would be
 * too many. */
etna_code floor_make(
    double x0, double z0, double x1, double z1, floor_map *ret, etna_error *err)
{
    double side = fmax(x1 - x0, z1 - z0);
    double cell = FLOOR_CELL;
    bool is_sized = x1 >= x0 && z1 >= z0 && side < 1e5;
    if (!is_sized)
        return etna_fail(err, ETNA_E_INPUT, "the floor has no size");
    if (side / cell > FLOOR_SIDE_MAX - 2)
        cell = side / (FLOOR_SIDE_MAX - 2);
    floor_map m = {.x0 = x0, .z0 = z0, .cell = cell};
    m.across = (uint32_t)ceil((x1 - x0) / cell) + 1;
    m.along = (uint32_t)ceil((z1 - z0) / cell) + 1;
    m.marks = calloc((size_t)m.across * m.along, 1);
    if (!m.marks)
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory for %u x %u cells of floor", m.across,
                         m.along);
    *ret = m;
    return ETNA_OK;
}

void floor_free(floor_map *m)
{
    free(m->marks);
    *m = (floor_map){.marks = NULL};
}

static bool floor_is_cell(const floor_map *m, double column, double row)
{
    const bool across = column >= 0 && column < m->across;
    return across && row >= 0 && row < m->along;
}

static void floor_mark_at(floor_map *m, double x, double z, uint8_t mark)
{
    double column = floor((x - m->x0) / m->cell);
    double row = floor((z - m->z0) / m->cell);
    if (floor_is_cell(m, column, row))
        m->marks[(size_t)row * m->across + (size_t)column] |= mark;
}

static double bounded(double value, double most)
{
    return value < 0 ? 0 : fmin(value, most);
}

void floor_mark_rect(
    floor_map *m, double x0, double z0, double x1, double z1, uint8_t mark)
{
    uint32_t i1 =
        (uint32_t)bounded(floor((x1 - m->x0) / m->cell), m->across - 1.0);
    uint32_t k1 =
        (uint32_t)bounded(floor((z1 - m->z0) / m->cell), m->along - 1.0);
    for (uint32_t k =
             (uint32_t)bounded(floor((z0 - m->z0) / m->cell), m->along - 1.0);
         k <= k1; k++) {
        for (uint32_t i = (uint32_t)bounded(floor((x0 - m->x0) / m->cell),
                                            m->across - 1.0);
             i <= i1; i++)
            m->marks[(size_t)k * m->across + i] |= mark;
    }
}

/* ---- triangles ---- */

typedef struct outline {
    uint32_t count;
    double at[CLIPPED_MAX][3];
} outline;

/* What of an outline is above `height` (sign 1) or below it (-1). */
static outline outline_clip(const outline *o, double height, double sign)
{
    outline kept = {.count = 0};
    for (uint32_t i = 0; i < o->count; i++) {
        const double *a = o->at[i];
        const double *b = o->at[(i + 1) % o->count];
        double from = sign * (a[1] - height);
        double to = sign * (b[1] - height);
        if (from >= 0 && kept.count < CLIPPED_MAX) {
            for (int k = 0; k < 3; k++)
                kept.at[kept.count][k] = a[k];
            kept.count++;
        }
        bool crosses = (from < 0) != (to < 0);
        if (!crosses || kept.count == CLIPPED_MAX)
            continue;
        double share = from / (from - to);
        for (int k = 0; k < 3; k++)
            kept.at[kept.count][k] = a[k] + share * (b[k] - a[k]);
        kept.count++;
    }
    return kept;
}

static void mark_edge(floor_map *m,
                      const double a[3],
                      const double b[3],
                      uint8_t mark)
{
    double length = hypot(b[0] - a[0], b[2] - a[2]);
    double most = 4.0 * FLOOR_SIDE_MAX;
    uint32_t steps = (uint32_t)fmin(ceil(2 * length / m->cell), most) + 1;
    for (uint32_t i = 0; i <= steps; i++) {
        double share = (double)i / steps;
        floor_mark_at(m, a[0] + share * (b[0] - a[0]),
                      a[2] + share * (b[2] - a[2]), mark);
    }
}

/* Where the outline crosses a row's middle: at most two places, as it is
 * convex. */
static bool outline_crossed(const outline *o,
                            double z,
                            double *ret_from,
                            double *ret_to)
{
    double least = INFINITY, most = -INFINITY;
    for (uint32_t i = 0; i < o->count; i++) {
        const double *a = o->at[i];
        const double *b = o->at[(i + 1) % o->count];
        if ((a[2] > z) == (b[2] > z))
            continue;
        double x = a[0] + (z - a[2]) / (b[2] - a[2]) * (b[0] - a[0]);
        least = fmin(least, x);
        most = fmax(most, x);
    }
    *ret_from = least;
    *ret_to = most;
    return least <= most;
}

/* Row by row between the two crossings of a convex outline; a cell counts by
 * its middle. */
static void mark_inside(floor_map *m, const outline *o, uint8_t mark)
{
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < o->count; i++) {
        low = fmin(low, o->at[i][2]);
        high = fmax(high, o->at[i][2]);
    }
    double first = bounded(floor((low - m->z0) / m->cell), m->along);
    double last = (high - m->z0) / m->cell;
    for (uint32_t k = (uint32_t)first; k < m->along && k <= last; k++) {
        double from, to;
        if (!outline_crossed(o, m->z0 + (k + 0.5) * m->cell, &from, &to))
            continue;
        double i0 = bounded(ceil((from - m->x0) / m->cell - 0.5), m->across);
        double i1 = (to - m->x0) / m->cell - 0.5;
        for (uint32_t i = (uint32_t)i0; i < m->across && i <= i1; i++)
            m->marks[(size_t)k * m->across + i] |= mark;
    }
}

/* Marks the part of the triangle between the two heights. `whole`: only cells
 * whose middle is covered; else its edges too, so that thin walls are not lost
 * between middles. */
void floor_mark(floor_map *m,
                const double triangle[3][3],
                double low,
                double high,
                uint8_t mark,
                bool whole)
{
    outline o = {.count = 3};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            if (!isfinite(triangle[i][k]))
                return;
            o.at[i][k] = triangle[i][k];
        }
    }
    o = outline_clip(&o, low, 1);
    if (o.count)
        o = outline_clip(&o, high, -1);
    if (!o.count)
        return;
    mark_inside(m, &o, mark);
    for (uint32_t i = 0; i < o.count && !whole; i++)
        mark_edge(m, o.at[i], o.at[(i + 1) % o.count], mark);
}

/* ---- the largest rectangle ---- */

typedef struct choice {
    const floor_map *m;
    const double (*points)[2];
    uint32_t count, held;
    double area;
    layout_rect room;
    bool found;
} choice;

static bool rect_is_around(const layout_rect *r, const double at[2])
{
    bool is_within_x = at[0] > r->x0 && at[0] < r->x1;
    return is_within_x && at[1] > r->z0 && at[1] < r->z1;
}

/* Cells [i0, i1) and [k0, k1). */
static void choice_offer(
    choice *c, uint32_t i0, uint32_t i1, uint32_t k0, uint32_t k1)
{
    const floor_map *m = c->m;
    const layout_rect r = {m->x0 + i0 * m->cell, m->z0 + k0 * m->cell,
                           m->x0 + i1 * m->cell, m->z0 + k1 * m->cell};
    double wide = r.x1 - r.x0;
    double deep = r.z1 - r.z0;
    if (wide < LAYOUT_ROOM_LEAST || deep < LAYOUT_ROOM_LEAST)
        return;
    uint32_t held = 0;
    for (uint32_t i = 0; i < c->count; i++)
        held += rect_is_around(&r, c->points[i]);
    bool is_better =
        held > c->held || (held == c->held && wide * deep > c->area + 1e-9);
    if (c->found && !is_better)
        return;
    c->found = true;
    c->held = held;
    c->area = wide * deep;
    c->room = r;
}

/* Every rectangle that can't be widened and ends at row k, by the heights of
 * free columns above it. */
static void choice_row(choice *c,
                       const uint32_t *heights,
                       uint32_t k,
                       uint32_t *stack)
{
    uint32_t top = 0;
    for (uint32_t i = 0; i <= c->m->across; i++) {
        uint32_t height = i < c->m->across ? heights[i] : 0;
        while (top > 0 && heights[stack[top - 1]] >= height) {
            uint32_t high = heights[stack[--top]];
            uint32_t from = top ? stack[top - 1] + 1 : 0;
            if (high)
                choice_offer(c, from, i, k + 1 - high, k + 1);
        }
        if (i < c->m->across)
            stack[top++] = i;
    }
}

/* The largest free rectangle (by the histogram method, row by row) that the
 * points prefer; false: there is none. */
bool floor_find_room(const floor_map *m,
                     const double (*points)[2],
                     uint32_t count,
                     layout_rect *ret)
{
    uint32_t *heights = calloc(m->across + 1u, sizeof *heights);
    uint32_t *stack = calloc(m->across + 1u, sizeof *stack);
    choice c = {.m = m, .points = points, .count = count};
    for (uint32_t k = 0; heights && stack && k < m->along; k++) {
        for (uint32_t i = 0; i < m->across; i++) {
            uint8_t mark = m->marks[(size_t)k * m->across + i];
            bool is_free =
                (mark & FLOOR_THERE) && !(mark & (FLOOR_LOW | FLOOR_HIGH));
            heights[i] = is_free ? heights[i] + 1 : 0;
        }
        choice_row(&c, heights, k, stack);
    }
    free(heights);
    free(stack);
    if (c.found)
        *ret = c.room;
    return c.found;
}

/* ---- its sides ---- */

/* What is behind a side, `at` metres from its left end as one looks at it from
 * inside. */
static uint8_t marks_behind(const floor_map *m,
                            const layout_rect *r,
                            uint32_t wall,
                            double at)
{
    static const double out[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    const double corner[4][2] = {
        {r->x0, r->z0}, {r->x1, r->z0}, {r->x1, r->z1}, {r->x0, r->z1}};
    uint8_t marks = 0;
    for (int step = 0; step < STRIP; step++) {
        double off = (step + 0.5) * m->cell;
        double x = corner[wall][0] - out[wall][1] * at + out[wall][0] * off;
        double z = corner[wall][1] + out[wall][0] * at + out[wall][1] * off;
        double column = floor((x - m->x0) / m->cell);
        double row = floor((z - m->z0) / m->cell);
        if (floor_is_cell(m, column, row))
            marks |= m->marks[(size_t)row * m->across + (size_t)column];
    }
    return marks;
}

/* of a wall: places without anything at the height of eyes */
typedef struct gap {
    double from, to, sill;
} gap;

static void gap_close(const gap *g, uint32_t wall, layout_room *ret)
{
    double wide = g->to - g->from;
    if (wide < OPENING_LEAST || ret->opening_count == LAYOUT_OPENINGS_MAX)
        return;
    ret->openings[ret->opening_count++] =
        (layout_opening){.wall = wall,
                         .at = (g->from + g->to) / 2,
                         .width = wide,
                         .is_door = g->sill < SILL_SHARE * wide};
}

/* Where nothing is at eye height there is an opening: a window if much of it has
 * a sill, else a door (gap_close). A side that is mostly open is no wall at all,
 * and then has no openings. */
static void floor_side_read(const floor_map *m,
                            const layout_rect *r,
                            uint32_t wall,
                            layout_room *ret)
{
    double length = wall & 1 ? r->z1 - r->z0 : r->x1 - r->x0;
    double walled = 0;
    uint32_t count = (uint32_t)(length / m->cell + 0.5);
    uint32_t before = ret->opening_count;
    gap g = {.from = -1};
    for (uint32_t i = 0; i <= count; i++) {
        double at = (i + 0.5) * m->cell;
        uint8_t marks = i < count ? marks_behind(m, r, wall, at) : FLOOR_HIGH;
        if (marks & FLOOR_HIGH) {
            if (g.from >= 0)
                gap_close(&g, wall, ret);
            g = (gap){.from = -1};
            walled += i < count ? m->cell : 0;
            continue;
        }
        if (g.from < 0)
            g.from = i * m->cell;
        g.to = (i + 1) * m->cell;
        if (marks & FLOOR_LOW)
            g.sill += m->cell;
    }
    ret->open[wall] = walled < WALL_SHARE * length;
    if (ret->open[wall])
        ret->opening_count = before;
}

void floor_find_openings(const floor_map *m,
                         const layout_rect *room,
                         layout_room *ret)
{
    ret->width = room->x1 - room->x0;
    ret->depth = room->z1 - room->z0;
    ret->opening_count = 0;
    for (uint32_t wall = 0; wall < 4; wall++)
        floor_side_read(m, room, wall, ret);
}
