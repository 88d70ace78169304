/* Over the gaps between pieces of a plane: planks, tiles and pieces of a scan
 * share no edge. Faces are near when, seen along the normal of the face the
 * plane grows from, some point of one is within the gap across and 5 mm up or down
 * of the other (METHODS.md 4). A grid finds those worth the question. */
#include "worker/probe/probe_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define OFFSET 0.005
#define GRID_SIDE 128
#define LARGE_CELLS \
    1024 /* a face over more cells is kept in a list of its own */

/* ---- the gap ---- */

/* Boards and flags of a floor lie farther apart than the pieces of a table: what
 * is wide and low is walked on. */
double probe_gap_of(const scene *s, uint32_t object)
{
    const double wide = 1, low = 0.3, of_boards = 0.1; /* metres */
    const scene_box *box = &s->objects[object].box;
    const double across = 2 * math_min(box->half.x, box->half.y);
    return across >= wide && 2 * box->half.z <= low ? of_boards : PROBE_GAP_MAX;
}

/* ---- near ---- */

/* Both conditions of METHODS.md 4 at one pair of points: within the gap across,
 * within OFFSET in height. */
static bool close_enough(vec2 p, double hp, vec2 q, double hq, double gap)
{
    double dx = p.x - q.x;
    double dy = p.y - q.y;
    return dx * dx + dy * dy <= gap * gap && fabs(hp - hq) <= OFFSET;
}

/* The point of edge i of b nearest to p: is it near? */
static bool point_near_edge(
    vec2 p, double h, const probe_flat *b, int i, double gap)
{
    int j = (i + 1) % 3;
    double ex = b->at[j].x - b->at[i].x;
    double ey = b->at[j].y - b->at[i].y;
    double length2 = ex * ex + ey * ey;
    double t =
        length2 > 0
            ? math_clamp(((p.x - b->at[i].x) * ex + (p.y - b->at[i].y) * ey) /
                             length2,
                         0, 1)
            : 0;
    return close_enough(p, h, (vec2){b->at[i].x + t * ex, b->at[i].y + t * ey},
                        b->height[i] + t * (b->height[j] - b->height[i]), gap);
}

/* Where edge i of a crosses edge j of b: are the heights near? */
static bool edges_cross(const probe_flat *a, int i, const probe_flat *b, int j)
{
    vec2 p = a->at[i];
    vec2 p2 = a->at[(i + 1) % 3];
    vec2 q = b->at[j];
    vec2 q2 = b->at[(j + 1) % 3];
    double rx = p2.x - p.x;
    double ry = p2.y - p.y;
    double sx = q2.x - q.x;
    double sy = q2.y - q.y;
    double det = rx * sy - ry * sx;
    if (fabs(det) < 1e-18)
        return false;
    double t = ((q.x - p.x) * sy - (q.y - p.y) * sx) / det;
    double w = ((q.x - p.x) * ry - (q.y - p.y) * rx) / det;
    if (t < 0 || t > 1)
        return false;
    if (w < 0 || w > 1)
        return false;
    double ha = a->height[i] + t * (a->height[(i + 1) % 3] - a->height[i]);
    double hb = b->height[j] + w * (b->height[(j + 1) % 3] - b->height[j]);
    return fabs(ha - hb) <= OFFSET;
}

/* p above or below b: the height b has there. */
static bool point_over(vec2 p, double h, const probe_flat *b)
{
    double whole = v2_turn(b->at[0], b->at[1], b->at[2]);
    double w0 = v2_turn(p, b->at[1], b->at[2]);
    double w1 = v2_turn(b->at[0], p, b->at[2]);
    double w2 = v2_turn(b->at[0], b->at[1], p);
    bool is_over = w0 >= 0 && w1 >= 0 && w2 >= 0;
    if (!(whole > 0) || !is_over)
        return false;
    return fabs((w0 * b->height[0] + w1 * b->height[1] + w2 * b->height[2]) /
                    whole -
                h) <= OFFSET;
}

/* Whether two triangles' ranges along one axis come within `reach` of each
 * other. By far the most pairs fail here. */
static bool ranges_near(double a0,
                        double a1,
                        double a2,
                        double b0,
                        double b1,
                        double b2,
                        double reach)
{
    double low_a = math_min(a0, a1);
    double high_a = math_max(a1, a0);
    double low_b = math_min(b0, b1);
    double high_b = math_max(b1, b0);
    low_a = math_min(a2, low_a);
    high_a = math_max(a2, high_a);
    low_b = math_min(b2, low_b);
    high_b = math_max(b2, high_b);
    return low_a - high_b <= reach && low_b - high_a <= reach;
}

/* The nearest points of two triangles lie at a corner and an edge, at a
 * crossing of two edges, or one lies within the other; each of these cases is
 * asked in turn, boxes first. */
bool probe_flat_near(const probe_flat *a, const probe_flat *b, double gap)
{
    if (!ranges_near(a->height[0], a->height[1], a->height[2], b->height[0],
                     b->height[1], b->height[2], OFFSET) ||
        !ranges_near(a->at[0].x, a->at[1].x, a->at[2].x, b->at[0].x, b->at[1].x,
                     b->at[2].x, gap) ||
        !ranges_near(a->at[0].y, a->at[1].y, a->at[2].y, b->at[0].y, b->at[1].y,
                     b->at[2].y, gap))
        return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (point_near_edge(a->at[i], a->height[i], b, j, gap) ||
                point_near_edge(b->at[i], b->height[i], a, j, gap) ||
                edges_cross(a, i, b, j))
                return true;
    return point_over(a->at[0], a->height[0], b) ||
           point_over(b->at[0], b->height[0], a);
}

/* ---- the grid ---- What lies outside the grid counts to its border cells. The
 * comparison comes before the conversion: a negative number or one too large
 * has no defined value as an integer. */
static uint32_t gap_cell_at(double x,
                            double low,
                            double inverse,
                            uint32_t count)
{
    double c = (x - low) * inverse;
    if (c < 0)
        return 0;
    return c >= count ? count - 1 : (uint32_t)c;
}

/* The cells of a box grown by so many metres: first and last column, first and
 * last row, both inclusive. */
static void box_range(const probe_grid *g,
                      const double box[4],
                      double grown,
                      uint32_t range[4])
{
    range[0] = gap_cell_at(box[0] - grown, g->low.x, g->inverse, g->columns);
    range[1] = gap_cell_at(box[1] + grown, g->low.x, g->inverse, g->columns);
    range[2] = gap_cell_at(box[2] - grown, g->low.y, g->inverse, g->rows);
    range[3] = gap_cell_at(box[3] + grown, g->low.y, g->inverse, g->rows);
}

/* Least and greatest x, then least and greatest y. */
void probe_flat_box(const probe_flat *f, double ret[4])
{
    double x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;
    for (int k = 0; k < 3; k++) {
        x0 = math_min(f->at[k].x, x0);
        x1 = math_max(f->at[k].x, x1);
        y0 = math_min(f->at[k].y, y0);
        y1 = math_max(f->at[k].y, y1);
    }
    ret[0] = x0;
    ret[1] = x1;
    ret[2] = y0;
    ret[3] = y1;
}

/* Single precision, rounded away from the range by so much that no rounding
 * makes it narrower. */
static void flat_heights(const probe_flat *f,
                         double grown,
                         float *ret_low,
                         float *ret_high)
{
    double low = math_min(math_min(f->height[0], f->height[1]), f->height[2]);
    double high = math_max(math_max(f->height[0], f->height[1]), f->height[2]);
    *ret_low = nextafterf((float)(low - grown), -INFINITY);
    *ret_high = nextafterf((float)(high + grown), INFINITY);
}

void probe_flat_reach(const probe_flat *f, float *ret_low, float *ret_high)
{
    flat_heights(f, OFFSET, ret_low, ret_high);
}

static probe_grid_item grid_item(const probe_flat *items, uint32_t number)
{
    probe_grid_item ret = {.number = number};
    flat_heights(&items[number], 0, &ret.low, &ret.high);
    return ret;
}

static void cell_range(const probe_grid *g,
                       const probe_flat *f,
                       double grown,
                       uint32_t range[4])
{
    double box[4];
    probe_flat_box(f, box);
    box_range(g, box, grown, range);
}

/* The cells that items near this box can be in, and how many items those are at
 * most, the large ones included; the bound on the tests counts with it. */
uint64_t probe_grid_range(const probe_grid *grid,
                          const double box[4],
                          uint32_t ret_range[4])
{
    uint64_t items = grid->large_count;
    box_range(grid, box, grid->gap, ret_range);
    for (uint32_t y = ret_range[2]; y <= ret_range[3]; y++) {
        size_t row = (size_t)y * grid->columns;
        items += grid->cell_first[row + ret_range[1] + 1] -
                 grid->cell_first[row + ret_range[0]];
    }
    return items;
}

/* A floor of two triangles would be entered into every cell of the grid. */
static bool is_large(const uint32_t r[4])
{
    return (r[1] - r[0] + 1) * (r[3] - r[2] + 1) > LARGE_CELLS;
}

/* Cells are as wide as the gap, or wider where the object is so large that
 * there would be more than GRID_SIDE of them along an axis. */
static void gap_lay_out(const probe_flat *items, uint32_t count, probe_grid *g)
{
    vec2 low = {INFINITY, INFINITY};
    vec2 high = {-INFINITY, -INFINITY};
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            vec2 p = items[i].at[k];
            low = (vec2){math_min(p.x, low.x), math_min(p.y, low.y)};
            high = (vec2){math_max(p.x, high.x), math_max(p.y, high.y)};
        }
    double size =
        high.x - low.x > high.y - low.y ? high.x - low.x : high.y - low.y;
    double side = size / GRID_SIDE > g->gap ? size / GRID_SIDE : g->gap;
    g->low = low;
    g->inverse = 1 / side;
    g->columns = (uint32_t)floor((high.x - low.x) / side) + 1;
    g->rows = (uint32_t)floor((high.y - low.y) / side) + 1;
}

/* Counts, one place further on, so that filling leaves starts; returns their
 * sum. */
static size_t count_items(const probe_flat *items,
                          uint32_t count,
                          probe_grid *g)
{
    size_t cells = (size_t)g->columns * g->rows;
    size_t sum = 0;
    uint32_t range[4];
    for (uint32_t i = 0; i < count; i++) {
        cell_range(g, &items[i], 0, range);
        if (is_large(range)) {
            g->large[g->large_count++] = grid_item(items, i);
            continue;
        }
        for (uint32_t y = range[2]; y <= range[3]; y++)
            for (uint32_t x = range[0]; x <= range[1]; x++, sum++)
                g->cell_first[(size_t)y * g->columns + x + 2]++;
    }
    for (size_t c = 2; c < cells + 2; c++)
        g->cell_first[c] += g->cell_first[c - 1];
    return sum;
}

/* Enters each item that is not large into its cells. */
static void grid_fill(probe_grid *g, const probe_flat *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t range[4];
        cell_range(g, &items[i], 0, range);
        if (is_large(range))
            continue;
        const probe_grid_item item = grid_item(items, i);
        for (uint32_t y = range[2]; y <= range[3]; y++)
            for (uint32_t x = range[0]; x <= range[1]; x++)
                g->cell_item[g->cell_first[(size_t)y * g->columns + x + 1]++] =
                    item;
    }
}

/* Two passes, as a counting sort: cell_first are the starts, and cell_count
 * shrinks while items are taken out (growth_ask), so that cell_first
 * remains. */
bool probe_grid_make(const probe_flat *items,
                     uint32_t count,
                     double gap,
                     probe_grid *ret)
{
    probe_grid g = {.gap = gap};
    assert(count > 0);
    gap_lay_out(items, count, &g);
    g.cell_first = calloc((size_t)g.columns * g.rows + 2, sizeof *g.cell_first);
    g.cell_count = malloc((size_t)g.columns * g.rows * sizeof *g.cell_count);
    g.large = malloc(count * sizeof *g.large);
    bool room = g.cell_first && g.cell_count && g.large;
    size_t sum = room ? count_items(items, count, &g) : 0;
    if (room)
        g.cell_item = malloc((sum + 1) * sizeof *g.cell_item);
    if (!g.cell_item) {
        probe_grid_free(&g);
        return false;
    }
    grid_fill(&g, items, count);
    for (size_t c = 0; c < (size_t)g.columns * g.rows; c++)
        g.cell_count[c] = g.cell_first[c + 1] - g.cell_first[c];
    g.large_left = g.large_count;
    *ret = g;
    return true;
}

void probe_grid_free(probe_grid *grid)
{
    free(grid->cell_first);
    free(grid->cell_count);
    free(grid->cell_item);
    free(grid->large);
    memset(grid, 0, sizeof *grid);
}
