#include "hand.h"

#include <stdlib.h>
#include <string.h>

enum {
    CELLS_MAX = 12000000,
    FIST = 1,       /* cells about the middle one that a fist needs free */
    FINGER = 3,     /* cells from a fist to what it touches */
    RING = FIST + 1 /* cells about the scene's: nothing looks farther */
};
static const double cell_least = 0.03, cell_most = 0.06, margin = 0.3;
static const double still = 0.002; /* metres */

/* ---- the cells ---- */

enum {
    CELL_SOLID = 1, /* a triangle is in it */
    CELL_ROW = 2,   /* one is within a fist of it, along x */
    CELL_SHEET = 4, /* along x and y */
    CELL_TIGHT = 8, /* or z: a fist has no room about it */
    CELL_HAND = 16, /* a fist comes there through the room's air */
    CELL_NEAR = 32, /* fingers of such a fist get there */
    CELL_RING = 64  /* none of the scene's: nothing is there, or goes there */
};

typedef struct grid {
    point from;
    double cell;
    int n[3];
    size_t step[3]; /* to the next cell along an axis */
    size_t count;   /* with the ring's */
    uint8_t *state;
    uint32_t *queue;
    uint32_t *mark; /* a region's number; 0: none */
} grid;

/* From -RING to n + RING - 1. */
static size_t grid_at(const grid *g, int x, int y, int z)
{
    return (size_t)(z + RING) * g->step[2] + (size_t)(y + RING) * g->step[1] +
           (size_t)(x + RING);
}

/* The cell beside one over its side `k`, of six. */
static size_t cell_beside(const grid *g, size_t at, int k)
{
    const size_t step = g->step[k / 2];
    return k % 2 ? at + step : at - step;
}

static extent pair_extent(const pair *p)
{
    extent e = extent_empty();
    for (size_t i = 0; i < p->count; i++) {
        const piece *x = &p->pieces[i];
        for (size_t k = 0; k < 3 * x->triangles; k++) {
            extent_grow(&e, motion_apply(&x->before, x->corners[k]));
            extent_grow(&e, motion_apply(&x->after, x->corners[k]));
        }
    }
    return e;
}

/* False: out of memory, or no bounds. */
static bool grid_make(const extent *e, grid *ret)
{
    *ret = (grid){.cell = cell_least};
    const point size = extent_size(e);
    const double side[3] = {size.x + 2 * margin, size.y + 2 * margin,
                            size.z + 2 * margin};
    if (!(side[0] + side[1] + side[2] < 1e6))
        return false;
    double all = INFINITY;
    for (; all > CELLS_MAX; ret->cell *= 1.2) {
        all = 1;
        for (int k = 0; k < 3; k++)
            all *= ceil(side[k] / ret->cell) + 1;
        if (all <= CELLS_MAX)
            break;
    }
    for (int k = 0; k < 3; k++)
        ret->n[k] = (int)ceil(side[k] / ret->cell) + 1;
    ret->from = (point){e->lo.x - margin, e->lo.y - margin, e->lo.z - margin};
    ret->step[0] = 1;
    ret->step[1] = (size_t)(ret->n[0] + 2 * RING);
    ret->step[2] = ret->step[1] * (size_t)(ret->n[1] + 2 * RING);
    ret->count = ret->step[2] * (size_t)(ret->n[2] + 2 * RING);
    ret->state = malloc(ret->count);
    ret->queue = malloc(ret->count * sizeof *ret->queue);
    ret->mark = malloc(ret->count * sizeof *ret->mark);
    return ret->state && ret->queue && ret->mark;
}

static void grid_free(grid *g)
{
    free(g->state);
    free(g->queue);
    free(g->mark);
}

/* ---- triangles in cells ---- */

/* Do the triangle's corners, from the box's middle, lie beyond it along
 * `axis`? */
static bool is_apart(const point t[3], point axis, double half)
{
    const double a = point_dot(t[0], axis), b = point_dot(t[1], axis),
                 c = point_dot(t[2], axis);
    const double reach = half * (fabs(axis.x) + fabs(axis.y) + fabs(axis.z));
    const double low = fmin(a, fmin(b, c)), high = fmax(a, fmax(b, c));
    return low > reach || high < -reach;
}

/* By the separating axes that the sides of a box and a triangle have. */
static bool is_in_cell(const point corner[3], point middle, double half)
{
    static const point axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    point t[3];
    for (int k = 0; k < 3; k++)
        t[k] = point_less(corner[k], middle);
    const point edge[3] = {point_less(t[1], t[0]), point_less(t[2], t[1]),
                           point_less(t[0], t[2])};
    if (is_apart(t, point_cross(edge[0], edge[1]), half))
        return false;
    for (int k = 0; k < 3; k++) {
        if (is_apart(t, axes[k], half))
            return false;
        for (int i = 0; i < 3; i++) {
            if (is_apart(t, point_cross(axes[k], edge[i]), half))
                return false;
        }
    }
    return true;
}

static int grid_place(const grid *g, double v, double from, int axis)
{
    const int place = (int)floor((v - from) / g->cell);
    if (place < 0)
        return 0;
    return place < g->n[axis] ? place : g->n[axis] - 1;
}

typedef void cell_visit(grid *g, size_t at, void *context);

/* Calls `visit` with every cell that the piece has a triangle in, but for those
 * with `never`. */
static void piece_cells(grid *g,
                        const piece *x,
                        const motion *at,
                        uint8_t never,
                        cell_visit *visit,
                        void *context)
{
    for (size_t i = 0; i < x->triangles; i++) {
        point c[3];
        extent e = extent_empty();
        for (int k = 0; k < 3; k++) {
            c[k] = motion_apply(at, x->corners[3 * i + (size_t)k]);
            extent_grow(&e, c[k]);
        }
        const int lo[3] = {grid_place(g, e.lo.x, g->from.x, 0),
                           grid_place(g, e.lo.y, g->from.y, 1),
                           grid_place(g, e.lo.z, g->from.z, 2)};
        const int hi[3] = {grid_place(g, e.hi.x, g->from.x, 0),
                           grid_place(g, e.hi.y, g->from.y, 1),
                           grid_place(g, e.hi.z, g->from.z, 2)};
        for (int z = lo[2]; z <= hi[2]; z++) {
            for (int y = lo[1]; y <= hi[1]; y++) {
                for (int k = lo[0]; k <= hi[0]; k++) {
                    const size_t cell = grid_at(g, k, y, z);
                    if (g->state[cell] & never)
                        continue;
                    const point middle = {g->from.x + (k + 0.5) * g->cell,
                                          g->from.y + (y + 0.5) * g->cell,
                                          g->from.z + (z + 0.5) * g->cell};
                    if (is_in_cell(c, middle, g->cell / 2))
                        visit(g, cell, context);
                }
            }
        }
    }
}

static void cell_fill(grid *g, size_t at, void *context)
{
    (void)context;
    g->state[at] |= CELL_SOLID;
}

/* ---- the room's air ---- */

/* Gives `ret` to the cells that have a cell with `from` within a fist along the
 * axis. */
static void grid_widen(grid *g, int axis, uint8_t from, uint8_t ret)
{
    const size_t step = g->step[axis];
    for (size_t i = FIST * step; i + FIST * step < g->count; i++) {
        uint8_t all = 0;
        for (size_t k = 0; k <= 2 * FIST; k++)
            all |= g->state[i + k * step - FIST * step];
        if (all & from)
            g->state[i] |= ret;
    }
}

/* Empties the scene's cells, and shuts the ring about them. */
static void grid_clear(grid *g)
{
    memset(g->state, CELL_RING, g->count);
    for (int z = 0; z < g->n[2]; z++) {
        for (int y = 0; y < g->n[1]; y++)
            memset(g->state + grid_at(g, 0, y, z), 0, (size_t)g->n[0]);
    }
}

/* From what is in the queue through cells without `never`, at most `steps` of
 * them: marks them with `ret`, and with the number in mark. Returns how many
 * there are in the queue then. */
static size_t grid_flood(grid *g,
                         size_t count,
                         uint8_t never,
                         uint8_t ret,
                         uint32_t number,
                         int steps)
{
    const uint8_t no = never | ret | CELL_RING;
    size_t next = 0;
    for (int step = 0; next < count && step != steps; step++) {
        const size_t end = count;
        for (; next < end; next++) {
            for (int k = 0; k < 6; k++) {
                const size_t beside = cell_beside(g, g->queue[next], k);
                if (g->state[beside] & no)
                    continue;
                g->state[beside] |= ret;
                g->mark[beside] = number;
                g->queue[count++] = (uint32_t)beside;
            }
        }
    }
    return count;
}

/* Numbers the regions of air in which a fist moves, from 1. The number of
 * them. */
static uint32_t grid_part(grid *g)
{
    uint32_t regions = 0;
    memset(g->mark, 0, g->count * sizeof *g->mark);
    for (size_t i = 0; i < g->count; i++) {
        if (g->state[i] & (CELL_TIGHT | CELL_HAND | CELL_RING))
            continue;
        g->state[i] |= CELL_HAND;
        g->mark[i] = ++regions;
        g->queue[0] = (uint32_t)i;
        grid_flood(g, 1, CELL_TIGHT, CELL_HAND, regions, -1);
    }
    return regions;
}

typedef struct touching { /* which regions a piece is beside */
    uint32_t *pieces;     /* a region's: how many */
    uint32_t *last;       /* a region's: the piece counted last, from 1 */
    uint32_t number;      /* this piece's */
} touching;

/* A fist's middle keeps FIST cells away from what is solid. */
static void cell_touch(grid *g, size_t at, void *context)
{
    touching *t = context;
    for (int k = 0; k < 6; k++) {
        const size_t reach = (FIST + 1) * g->step[k / 2];
        const uint32_t region = g->mark[k % 2 ? at + reach : at - reach];
        if (region == 0 || t->last[region] == t->number)
            continue;
        t->last[region] = t->number;
        t->pieces[region]++;
    }
}

/* The room's air is the region that most pieces are beside: of a closed room
 * the inside, of a scene under the sky what is over it. 0: there is none; false:
 * out of memory. */
static bool grid_find_room(grid *g, const pair *p, bool is_after, uint32_t *ret)
{
    const size_t regions = grid_part(g) + 1u;
    touching t = {.pieces = calloc(regions, sizeof *t.pieces),
                  .last = calloc(regions, sizeof *t.last)};
    const bool good = t.pieces && t.last;
    for (size_t i = 0; i < p->count && good; i++) {
        const piece *x = &p->pieces[i];
        t.number = (uint32_t)i + 1;
        piece_cells(g, x, is_after ? &x->after : &x->before, 0, cell_touch, &t);
    }
    *ret = 0;
    for (uint32_t k = 1; k < regions && good; k++) {
        if (t.pieces[k] > t.pieces[*ret])
            *ret = k;
    }
    free(t.pieces);
    free(t.last);
    return good;
}

/* What fists of the room's air, and their fingers, get at. */
static void grid_reach(grid *g, uint32_t room)
{
    size_t count = 0;
    for (size_t i = 0; i < g->count; i++) {
        const bool there = room != 0 && g->mark[i] == room;
        g->state[i] &= (uint8_t)~CELL_HAND;
        g->state[i] |= there ? CELL_HAND | CELL_NEAR : 0;
        if (there)
            g->queue[count++] = (uint32_t)i;
    }
    grid_flood(g, count, CELL_SOLID, CELL_NEAR, room, FINGER);
}

static void cell_feel(grid *g, size_t at, void *context)
{
    bool *is_felt = context;
    for (int k = 0; k < 6 && !*is_felt; k++)
        *is_felt = g->state[cell_beside(g, at, k)] & CELL_NEAR;
}

/* ---- the two times ---- */

static bool piece_moved(const piece *x)
{
    extent e = extent_empty();
    for (size_t k = 0; k < 3 * x->triangles; k++)
        extent_grow(&e, x->corners[k]);
    return x->triangles > 0 && !motion_same(&x->before, &x->after, &e, still);
}

/* Which of the moved pieces a hand gets at. False: out of memory. */
static bool hand_feel_then(
    grid *g, const pair *p, const bool *is_moved, bool is_after, bool *ret)
{
    uint32_t room = 0;
    grid_clear(g);
    for (size_t i = 0; i < p->count; i++) {
        const piece *x = &p->pieces[i];
        piece_cells(g, x, is_after ? &x->after : &x->before, CELL_SOLID,
                    cell_fill, NULL);
    }
    grid_widen(g, 0, CELL_SOLID, CELL_ROW);
    grid_widen(g, 1, CELL_ROW, CELL_SHEET);
    grid_widen(g, 2, CELL_SHEET, CELL_TIGHT);
    if (!grid_find_room(g, p, is_after, &room))
        return false;
    grid_reach(g, room);
    for (size_t i = 0; i < p->count; i++) {
        const piece *x = &p->pieces[i];
        ret[i] = false;
        if (is_moved[i])
            piece_cells(g, x, is_after ? &x->after : &x->before, 0, cell_feel,
                        &ret[i]);
    }
    return true;
}

/* Is the piece the first of its body, which is all that has its root? */
static bool piece_begins_body(const pair *p, const bool *is_moved, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (is_moved[i] && strcmp(p->pieces[i].root, p->pieces[at].root) == 0)
            return false;
    }
    return is_moved[at];
}

static bool body_is_felt(const pair *p,
                         const bool *is_moved,
                         const bool *is_felt,
                         size_t at)
{
    for (size_t i = at; i < p->count; i++) {
        const bool own =
            is_moved[i] && strcmp(p->pieces[i].root, p->pieces[at].root) == 0;
        if (own && is_felt[i])
            return true;
    }
    return false;
}

static void hand_compare(const pair *p,
                         const bool *is_moved,
                         const bool *then,
                         const bool *now,
                         hand_findings *ret)
{
    for (size_t i = 0; i < p->count; i++) {
        if (!piece_begins_body(p, is_moved, i))
            continue;
        ret->bodies++;
        if (body_is_felt(p, is_moved, then, i) &&
            !body_is_felt(p, is_moved, now, i))
            ret->pieces[ret->count++] = (uint32_t)i;
    }
}

bool hand_feel(const pair *p, hand_findings *ret)
{
    const extent e = pair_extent(p);
    grid g;
    bool *is_moved = calloc(p->count + 1, sizeof *is_moved),
         *then = calloc(p->count + 1, sizeof *then),
         *now = calloc(p->count + 1, sizeof *now);
    *ret = (hand_findings){.pieces = calloc(p->count + 1, sizeof *ret->pieces)};
    bool good = grid_make(&e, &g) && is_moved && then && now && ret->pieces;
    const bool is_fine = good && g.cell <= cell_most;
    ret->cell = g.cell;
    for (size_t i = 0; i < p->count && good; i++)
        is_moved[i] = piece_moved(&p->pieces[i]);
    if (is_fine) {
        good = hand_feel_then(&g, p, is_moved, false, then) &&
               hand_feel_then(&g, p, is_moved, true, now);
        if (good)
            hand_compare(p, is_moved, then, now, ret);
    }
    grid_free(&g);
    free(is_moved);
    free(then);
    free(now);
    if (!good) {
        free(ret->pieces);
        ret->pieces = NULL;
    }
    return good;
}
