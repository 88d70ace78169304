/* Where a person can walk: cells of the floor that are a step away from
 * everything, filled from the doors. */
#include "worker/furnish/layout_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL 0.1
#define BODY 0.25  /* metres: half of a person's breadth */
#define STRIDE 0.4 /* metres from where one stands to what one sits down on */
enum {
    SIDE_MOST = 400
};

/* The floor as cells, for whether people come to a place. */
typedef struct reach_map {
    uint32_t across, along; /* cells */
    double x0, z0, cell;
    uint8_t *mark; /* 0 blocked, 1 free, 2 reached */
    uint32_t *queue;
} reach_map;

/* Cells grow in a large room. False: no memory; both arrays are the caller's to
 * free. */
static bool map_make(const layout_context *c, reach_map *m)
{
    m->cell = CELL;
    while (c->room->width / m->cell > SIDE_MOST ||
           c->room->depth / m->cell > SIDE_MOST)
        m->cell *= 2;
    m->across = (uint32_t)(c->room->width / m->cell);
    m->along = (uint32_t)(c->room->depth / m->cell);
    m->x0 = -c->room->width / 2 + m->cell / 2;
    m->z0 = -c->room->depth / 2 + m->cell / 2;
    size_t cells = (size_t)m->across * m->along + 1;
    m->mark = malloc(cells);
    m->queue = malloc(cells * sizeof *m->queue);
    if (m->mark && m->queue)
        memset(m->mark, 1, cells);
    return m->mark && m->queue;
}

static void map_free(reach_map *m)
{
    free(m->mark);
    free(m->queue);
}

static uint32_t cell_of(double at, double from, double cell, uint32_t count)
{
    double i = (at - from) / cell;
    if (i < 0)
        return 0;
    return i >= count ? count - 1 : (uint32_t)i;
}

/* The cells that something near a rectangle may be in: from, to, inclusive. */
typedef struct cell_range {
    uint32_t i0, i1, k0, k1;
} cell_range;

static cell_range map_cells_near(const reach_map *m,
                                 const layout_rect *r,
                                 double away)
{
    const double by = away + m->cell;
    return (cell_range){cell_of(r->x0 - by, m->x0, m->cell, m->across),
                        cell_of(r->x1 + by, m->x0, m->cell, m->across),
                        cell_of(r->z0 - by, m->z0, m->cell, m->along),
                        cell_of(r->z1 + by, m->z0, m->cell, m->along)};
}

/* From the middle of a cell to the rectangle. */
static double map_cell_apart(const reach_map *m,
                             uint32_t i,
                             uint32_t k,
                             const layout_rect *r)
{
    const double x = m->x0 + i * m->cell;
    const double z = m->z0 + k * m->cell;
    const layout_rect at = {x, z, x, z};
    return layout_rects_apart(&at, r);
}

/* Cells whose middle is nearer to the rectangle than `away` get the mark, where
 * they are free or more. */
static void map_mark(reach_map *m,
                     const layout_rect *r,
                     double away,
                     uint8_t mark)
{
    const cell_range near = map_cells_near(m, r, away);
    for (uint32_t k = near.k0; k <= near.k1; k++) {
        for (uint32_t i = near.i0; i <= near.i1; i++) {
            if (map_cell_apart(m, i, k, r) < away - 1e-9)
                m->mark[(size_t)k * m->across + i] = mark;
        }
    }
}

/* Shoes, a ball: nobody is kept from a seat by them. */
static bool is_stepped_over(const layout_context *c, const layout_place *p)
{
    const double *size = layout_model_of(c, p)->size;
    return layout_top_of(c, p) < 0.3 && size[0] * size[2] < 0.25;
}

/* 0: nobody fits there, with half a body around everything; 1: free. What is
 * before a door is free in any case. */
static void map_block(const layout_context *c,
                      const layout_plan *plan,
                      reach_map *m)
{
    double x = c->room->width / 2;
    double z = c->room->depth / 2;
    const layout_rect walls[4] = {
        {-x, -z, x, -z}, {x, -z, x, z}, {-x, z, x, z}, {-x, -z, -x, z}};
    for (int w = 0; w < 4; w++) {
        if (!c->room->open[w])
            map_mark(m, &walls[w], BODY, 0);
    }
    for (uint32_t i = 0; i < plan->item_count; i++) {
        if (!layout_is_solid(c, &plan->items[i]) ||
            is_stepped_over(c, &plan->items[i]))
            continue;
        layout_rect r = layout_rect_of(c, &plan->items[i]);
        map_mark(m, &r, BODY, 0);
    }
    /* one comes in through it */
    for (uint32_t i = 0; i < c->room->opening_count; i++) {
        if (!c->room->openings[i].is_door)
            continue;
        layout_rect before =
            layout_before(c->room, &c->room->openings[i], LAYOUT_DOOR_DEPTH);
        before.x0 += BODY, before.x1 -= BODY, before.z0 += BODY,
            before.z1 -= BODY;
        if (before.x0 > before.x1)
            before.x0 = before.x1 = (before.x0 + before.x1) / 2;
        if (before.z0 > before.z1)
            before.z0 = before.z1 = (before.z0 + before.z1) / 2;
        map_mark(m, &before, m->cell, 1);
    }
}

/* The region of `from`, breadth first; returns its cells. */
static uint32_t map_fill(reach_map *m, uint32_t from, uint8_t mark)
{
    uint32_t head = 0, tail = 0;
    m->mark[from] = mark;
    m->queue[tail++] = from;
    while (head < tail) {
        uint32_t at = m->queue[head++];
        uint32_t i = at % m->across;
        uint32_t k = at / m->across;
        /* beyond the edge: itself, which is marked */
        const uint32_t next[4] = {
            i ? at - 1 : at, i + 1 < m->across ? at + 1 : at,
            k ? at - m->across : at, k + 1 < m->along ? at + m->across : at};
        for (int n = 0; n < 4; n++) {
            if (m->mark[next[n]] != 1)
                continue;
            m->mark[next[n]] = mark;
            m->queue[tail++] = next[n];
        }
    }
    return tail;
}

/* Marks with 2 what is reached from sides without a wall; false: there are
 * none. */
static bool map_reach_sides(const layout_context *c, reach_map *m)
{
    bool any = false;
    for (uint32_t w = 0; w < 4; w++) {
        uint32_t length = w & 1 ? m->along : m->across;
        if (!c->room->open[w])
            continue;
        any = true;
        for (uint32_t i = 0; i < length; i++) {
            const uint32_t at[4] = {i, i * m->across + m->across - 1,
                                    (m->along - 1) * m->across + i,
                                    i * m->across};
            if (m->mark[at[w]] == 1)
                map_fill(m, at[w], 2);
        }
    }
    return any;
}

/* Of the floor's parts (1) marks with 2 the largest. */
static void map_reach_largest(reach_map *m)
{
    uint32_t cells = m->across * m->along;
    uint32_t best = 0, most = 0;
    for (uint32_t at = 0; at < cells; at++) {
        if (m->mark[at] != 1)
            continue;
        uint32_t size = map_fill(m, at, 3);
        if (size <= most)
            continue;
        most = size;
        best = at;
    }
    for (uint32_t at = 0; at < cells; at++)
        m->mark[at] = m->mark[at] == 3 ? 1 : m->mark[at];
    if (most)
        map_fill(m, best, 2);
}

/* Marks with 2 what is reached from the doors; without a door the largest part
 * of the floor. */
static void map_reach(const layout_context *c, reach_map *m)
{
    bool has_door = map_reach_sides(c, m);
    for (uint32_t d = 0; d < c->room->opening_count; d++) {
        if (!c->room->openings[d].is_door)
            continue;
        layout_rect before =
            layout_before(c->room, &c->room->openings[d], LAYOUT_DOOR_DEPTH);
        uint32_t i = cell_of((before.x0 + before.x1) / 2 + m->cell / 2, m->x0,
                             m->cell, m->across);
        uint32_t k = cell_of((before.z0 + before.z1) / 2 + m->cell / 2, m->z0,
                             m->cell, m->along);
        uint32_t at = k * m->across + i;
        has_door = true;
        if (m->mark[at] == 1)
            map_fill(m, at, 2);
    }
    if (!has_door)
        map_reach_largest(m);
}

/* Whether a reached cell lies within reach of the rectangle. */
static bool map_comes_to(const reach_map *m, const layout_rect *r)
{
    const double away = BODY + STRIDE;
    const cell_range near = map_cells_near(m, r, away);
    for (uint32_t k = near.k0; k <= near.k1; k++) {
        for (uint32_t i = near.i0; i <= near.i1; i++) {
            if (m->mark[(size_t)k * m->across + i] == 2 &&
                map_cell_apart(m, i, k, r) <= away)
                return true;
        }
    }
    return false;
}

/* Is the item one to be reached: the one asked for, or without such a one any
 * seat? */
static bool is_for_reach(const layout_context *c,
                         const layout_place *p,
                         uint32_t i,
                         uint32_t only)
{
    if (!p->placed || p->on != LAYOUT_NONE)
        return false;
    return only == LAYOUT_NONE ? c->things[p->thing].seat : i == only;
}

/* How many of the items to be reached are not. */
static uint32_t unreached(const layout_context *c,
                          const layout_plan *plan,
                          uint32_t only)
{
    reach_map m = {0};
    uint32_t count = 0;
    bool any = false;
    for (uint32_t i = 0; i < plan->item_count && !any; i++)
        any = is_for_reach(c, &plan->items[i], i, only);
    if (!any)
        return 0;
    if (!map_make(c, &m)) {
        map_free(&m);
        return LAYOUT_ITEMS_MAX; /* nothing is known to be reached */
    }
    map_block(c, plan, &m);
    map_reach(c, &m);
    for (uint32_t i = 0; i < plan->item_count; i++) {
        if (!is_for_reach(c, &plan->items[i], i, only))
            continue;
        layout_rect r = layout_rect_of(c, &plan->items[i]);
        count += !map_comes_to(&m, &r);
    }
    map_free(&m);
    return count;
}

bool layout_reaches(const layout_room *room,
                    const layout_thing *things,
                    const layout_plan *plan,
                    uint32_t item)
{
    const layout_context c = {room, things};
    return unreached(&c, plan, item) == 0;
}

uint32_t layout_count_unreached(const layout_room *room,
                                const layout_thing *things,
                                const layout_plan *plan)
{
    const layout_context c = {room, things};
    return unreached(&c, plan, LAYOUT_NONE);
}
