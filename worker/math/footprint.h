/* Which cells of a map a shape covers as seen from above, and how many marked
 * cells lie under it wherever it stands. It is the one search for free places:
 * the solver asks it of a plane with the true shape, the built-in agent of its
 * facts' surfaces with the box. */
#ifndef ETNA_WORKER_MATH_FOOTPRINT_H
#define ETNA_WORKER_MATH_FOOTPRINT_H

#include "worker/math/vec.h"

#include <stddef.h>
#include <stdint.h>

/* Cells from .. to (both within) of each row about the shape's middle; row k of
 * `count` is `first` + k above it. The lists are the caller's. A cell is
 * covered when its middle is. */
typedef struct footprint {
    int first, count;
    int *from, *to;
    int area; /* cells, after footprint_close */
} footprint;

/* Covers nothing. */
void footprint_open(footprint *f);
/* Widens each row to where an edge of the outline crosses its middle line;
 * cells, from the shape's middle. */
void footprint_add_edge(footprint *f, vec2 a, vec2 b);
void footprint_close(footprint *f);

/* The marked cells of a map, added up along each row. */
typedef struct footprint_sums {
    uint32_t columns, rows;
    /* cells of room on both sides of a row, as many as any footprint reaches
     * from its middle */
    uint32_t pad;
    uint32_t stride; /* entries a row: columns + 2 pad + 1 */
    /* at pad + i: how many cells before column i are marked; stride * rows, the
     * caller's */
    int32_t *sums;
} footprint_sums;

/* `marked`: 0 or 1 per cell, row by row. Cells beyond the map are not
 * marked. */
void footprint_add_up(const footprint_sums *s, const uint8_t *marked);
/* How many marked cells the footprint covers with its middle in each cell of
 * the row; `out`: columns of them. */
void footprint_count_row(const footprint *f,
                         const footprint_sums *s,
                         uint32_t row,
                         int32_t *restrict out);

#endif
