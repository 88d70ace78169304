#include "referee/air.h"

#include <stdlib.h>

enum {
    CELLS_MAX = 8000000,
    EDGE = 3
};
/* Metres. cell_least: a cell's side, larger only where there would be too many.
 * standing_half, standing_height: half the width and the height of a person's
 * room. near_thing: how far about a small thing counts as by it. */
static const double cell_least = 0.05, standing_half = 0.3,
                    standing_height = 1.2, near_thing = 0.15;

/* x first, z last. */
static size_t cell_index(const air *a, int x, int y, int z)
{
    return ((size_t)z * (size_t)a->n[1] + (size_t)y) * (size_t)a->n[0] +
           (size_t)x;
}

/* The cell that p is in; of a point beyond the cells, the nearest at their
 * edge. */
static void cell_of(const air *a, point p, int ret[3])
{
    point q = point_times(point_less(p, a->from), 1 / a->cell);
    double v[3] = {q.x, q.y, q.z};
    for (int k = 0; k < 3; k++)
        ret[k] = (int)fmin(fmax(floor(v[k]), 0), a->n[k] - 1);
}

/* Marks the cells of points that lie a third of a cell apart. A cell that a
 * triangle only grazes may be missed, but not two that lie over one another on
 * both sides of it. */
static void triangle_mark(air *a, const point *c)
{
    point e1 = point_less(c[1], c[0]);
    point e2 = point_less(c[2], c[0]);
    double step = a->cell / 3;
    int n = 1 + (int)(fmax(fmax(point_length(e1), point_length(e2)),
                           point_length(point_less(e2, e1))) /
                      step);
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= n - i; j++) {
            point along = point_add(point_times(e1, (double)i / n),
                                    point_times(e2, (double)j / n));
            int at[3];
            cell_of(a, point_add(c[0], along), at);
            a->region[cell_index(a, at[0], at[1], at[2])] = UINT32_MAX;
        }
    }
}

/* Numbers the region that cell `seed` is in; the stack is the caller's, of all
 * cells. */
static size_t region_flood(air *a,
                           size_t seed,
                           uint32_t number,
                           uint32_t *stack)
{
    size_t depth = 0, size = 0;
    size_t row = (size_t)a->n[0];
    size_t layer = row * (size_t)a->n[1];
    size_t count = layer * (size_t)a->n[2];
    a->region[seed] = number;
    stack[depth++] = (uint32_t)seed;
    while (depth > 0) {
        size_t at = stack[--depth];
        size++;
        size_t x = at % row;
        size_t y = at / row % (size_t)a->n[1];
        const bool has[6] = {x > 0,       x + 1 < row,
                             y > 0,       y + 1 < (size_t)a->n[1],
                             at >= layer, at + layer < count};
        const size_t next[6] = {at - 1,   at + 1,     at - row,
                                at + row, at - layer, at + layer};
        for (int k = 0; k < 6; k++) {
            if (!has[k] || a->region[next[k]] != 0)
                continue;
            a->region[next[k]] = number;
            stack[depth++] = (uint32_t)next[k];
        }
    }
    return size;
}

/* Whether a person's room is free from cell (x, y, z) on: all of it in one
 * region. */
static bool cell_stands(const air *a, int x, int y, int z)
{
    int half = (int)ceil(standing_half / a->cell);
    int high = (int)ceil(standing_height / a->cell);
    bool inside = x >= half && x + half < a->n[0] && y >= half &&
                  y + half < a->n[1] && z + high <= a->n[2];
    uint32_t number = a->region[cell_index(a, x, y, z)];
    if (!inside || number == UINT32_MAX)
        return false;
    for (int k = z; k < z + high; k++) {
        for (int j = y - half; j <= y + half; j++) {
            for (int i = x - half; i <= x + half; i++) {
                if (a->region[cell_index(a, i, j, k)] != number)
                    return false;
            }
        }
    }
    return true;
}

/* Whether a region has a place to stand in; places are looked for at every
 * other cell. */
static void standing_find(const air *a, bool *ret_stands)
{
    for (int z = 0; z < a->n[2]; z += 2) {
        for (int y = 0; y < a->n[1]; y += 2) {
            for (int x = 0; x < a->n[0]; x += 2) {
                uint32_t number = a->region[cell_index(a, x, y, z)];
                if (number == UINT32_MAX || ret_stands[number])
                    continue;
                ret_stands[number] = cell_stands(a, x, y, z);
            }
        }
    }
}

/* Adds one thing to each region that comes near its box, once a region; `stamp`
 * is the thing's number, and `last` remembers it. */
static void region_count(const air *a,
                         const extent *box,
                         uint32_t *near,
                         uint32_t *last,
                         uint32_t stamp)
{
    int lo[3], hi[3];
    point more = {near_thing, near_thing, near_thing};
    cell_of(a, point_less(box->lo, more), lo);
    cell_of(a, point_add(box->hi, more), hi);
    for (int z = lo[2]; z <= hi[2]; z++) {
        for (int y = lo[1]; y <= hi[1]; y++) {
            for (int x = lo[0]; x <= hi[0]; x++) {
                uint32_t number = a->region[cell_index(a, x, y, z)];
                if (number == UINT32_MAX || last[number] == stamp)
                    continue;
                last[number] = stamp;
                near[number]++;
            }
        }
    }
}

/* Open are the regions to stand in about which at least a tenth as many small
 * things lie as about any; without one to stand in, the largest. */
static bool regions_judge(air *a,
                          const solid *const *solids,
                          size_t count,
                          const size_t *sizes)
{
    size_t all = (size_t)a->regions + 1;
    uint32_t *near = calloc(all, sizeof *near);
    uint32_t *last = calloc(all, sizeof *last);
    bool *stands = calloc(all, sizeof *stands);
    bool good = near && last && stands;
    double half = a->cell *
                  sqrt((double)a->n[0] * a->n[0] + (double)a->n[1] * a->n[1] +
                       (double)a->n[2] * a->n[2]) /
                  2;
    for (size_t i = 0; good && i < count; i++) {
        bool is_small = point_length(extent_size(&solids[i]->box)) < half;
        if (is_small)
            region_count(a, &solids[i]->box, near, last, (uint32_t)i + 1);
    }
    if (good)
        standing_find(a, stands);
    uint32_t most = 0;
    size_t largest = 0;
    bool any_stands = false;
    for (size_t r = 1; good && r < all; r++) {
        any_stands = any_stands || stands[r];
        if (stands[r] && near[r] > most)
            most = near[r];
        if (sizes[r] > sizes[largest])
            largest = r;
    }
    for (size_t r = 1; good && r < all; r++) {
        a->is_open[r] =
            any_stands ? stands[r] && near[r] * 10 >= most : r == largest;
    }
    free(near);
    free(last);
    free(stands);
    return good;
}

bool air_make(const solid *const *solids,
              size_t count,
              const bool *is_left_out,
              air *ret)
{
    air a = {.cell = cell_least};
    extent all = extent_empty();
    for (size_t i = 0; i < count; i++)
        extent_join(&all, &solids[i]->box);
    point size = extent_size(&all);
    if (!(point_length(size) < 1e6))
        return false; /* also what is no number */
    while ((size.x / a.cell + 2 * EDGE + 1) * (size.y / a.cell + 2 * EDGE + 1) *
               (size.z / a.cell + 2 * EDGE + 1) >
           CELLS_MAX)
        a.cell *= 1.1;
    point edge = {EDGE * a.cell, EDGE * a.cell, EDGE * a.cell};
    a.from = point_less(all.lo, edge);
    a.n[0] = (int)(size.x / a.cell) + 2 * EDGE + 1;
    a.n[1] = (int)(size.y / a.cell) + 2 * EDGE + 1;
    a.n[2] = (int)(size.z / a.cell) + 2 * EDGE + 1;
    size_t cells = (size_t)a.n[0] * (size_t)a.n[1] * (size_t)a.n[2];
    a.region = calloc(cells, sizeof *a.region);
    uint32_t *stack = malloc(cells * sizeof *stack);
    size_t *sizes = calloc(cells + 1, sizeof *sizes);
    a.is_open = calloc(cells + 1, sizeof *a.is_open);
    bool good = a.region && stack && sizes && a.is_open;
    for (size_t i = 0; good && i < count; i++) {
        for (size_t t = 0; t < solids[i]->triangles && !is_left_out[i]; t++)
            triangle_mark(&a, solids[i]->corners + 3 * t);
    }
    for (size_t i = 0; good && i < cells; i++) {
        if (a.region[i] != 0)
            continue;
        a.regions++;
        sizes[a.regions] = region_flood(&a, i, a.regions, stack);
    }
    good = good && regions_judge(&a, solids, count, sizes);
    free(stack);
    free(sizes);
    if (good)
        *ret = a;
    if (!good)
        air_free(&a);
    return good;
}

void air_free(air *a)
{
    if (!a)
        return;
    free(a->region);
    free(a->is_open);
    a->region = NULL;
    a->is_open = NULL;
}

bool air_is_open(const air *a, point p)
{
    int at[3];
    cell_of(a, p, at);
    uint32_t number = a->region[cell_index(a, at[0], at[1], at[2])];
    return number != UINT32_MAX && a->is_open[number];
}
