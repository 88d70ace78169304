/* See footprint.h. */
#include "worker/math/footprint.h"

#include <assert.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

#define FARTHEST (1 << 20) /* cells: beyond any map */
#define EDGE_MAX (1 << 15)

/* Rows are empty: from beyond to. */
void footprint_open(footprint *f)
{
    f->area = 0;
    for (int k = 0; k < f->count; k++) {
        f->from[k] = FARTHEST;
        f->to[k] = -FARTHEST;
    }
}

/* Widens the rows that the edge crosses; a convex outline needs no more. What
 * lies beyond any map is left out. */
void footprint_add_edge(footprint *f, vec2 a, vec2 b)
{
    if (a.y > b.y) {
        vec2 swap = a;
        a = b;
        b = swap;
    }
    if (!(b.y - a.y > 0) || !(fabs(a.x) < EDGE_MAX) || !(fabs(b.x) < EDGE_MAX))
        return;
    int from = (int)ceil(a.y) - f->first;
    int to = (int)floor(b.y) - f->first;
    for (int k = from < 0 ? 0 : from; k <= to && k < f->count; k++) {
        double x = a.x + (k + f->first - a.y) / (b.y - a.y) * (b.x - a.x);
        int low = (int)ceil(x);
        int high = (int)floor(x);
        f->from[k] = low < f->from[k] ? low : f->from[k];
        f->to[k] = high > f->to[k] ? high : f->to[k];
    }
}

void footprint_close(footprint *f)
{
    for (int k = 0; k < f->count; k++)
        f->area += f->from[k] <= f->to[k] ? f->to[k] - f->from[k] + 1 : 0;
}

void footprint_add_up(const footprint_sums *s, const uint8_t *marked)
{
    for (uint32_t j = 0; j < s->rows; j++) {
        int32_t *row = s->sums + (size_t)j * s->stride;
        int32_t sum = 0;
        for (uint32_t i = 0; i < s->stride; i++) {
            row[i] = sum;
            if (i >= s->pad && i < s->pad + s->columns)
                sum += marked[(size_t)j * s->columns + i - s->pad];
        }
    }
}

/* Prefix sums make each row of the footprint one subtraction for each place;
 * compilers turn the inner loop into vectors. */
void footprint_count_row(const footprint *f,
                         const footprint_sums *s,
                         uint32_t row,
                         int32_t *restrict out)
{
    assert(row < s->rows);
    for (uint32_t i = 0; i < s->columns; i++)
        out[i] = 0;
    for (int k = 0; k < f->count; k++) {
        int64_t at = (int64_t)row + f->first + k;
        if (at < 0 || at >= (int64_t)s->rows || f->from[k] > f->to[k])
            continue;
        const int32_t *low = s->sums + (size_t)at * s->stride +
                             (size_t)((int)s->pad + f->from[k]);
        const int32_t *high = s->sums + (size_t)at * s->stride +
                              (size_t)((int)s->pad + f->to[k] + 1);
        for (uint32_t i = 0; i < s->columns; i++)
            out[i] += high[i] - low[i];
    }
}
