/* The room that a scene has, from what its fixed triangles leave of a floor:
 * the largest rectangle of floor in which nothing fixed stands, which sides of
 * it are walls, and where these have doors and windows. Cells are marked one
 * triangle after another; the marks are the same in any order of them.
 *
 * Frame: as layout.h's, but for where the middle is: x to the right, z toward
 * the viewer, y above the floor, metres. Pure but for memory. */
#ifndef ETNA_WORKER_FURNISH_FLOOR_H
#define ETNA_WORKER_FURNISH_FLOOR_H

#include "worker/furnish/layout.h"

enum {
    FLOOR_THERE = 1, /* there is a floor */
    /* something fixed at the height of knees: what stands on the floor cannot
     * be there */
    FLOOR_LOW = 2,
    FLOOR_HIGH = 4, /* something fixed at the height of eyes */
    FLOOR_SIDE_MAX = 1200,
    FLOOR_POINTS_MAX = 64
};
#define FLOOR_CELL \
    0.05 /* metres; larger where the side would have more than FLOOR_SIDE_MAX of them */
#define FLOOR_KNEE \
    0.05 /* metres above the floor from which on something is in the way */
#define FLOOR_EYE_LOW \
    1.0 /* metres: what a window leaves free and a wall does not */
#define FLOOR_EYE_HIGH 1.7
#define FLOOR_LEVEL 0.03 /* metres that a floor may be uneven */

typedef struct floor_map {
    uint32_t across, along; /* cells in x and in z */
    double x0, z0, cell;    /* the low corner of the first */
    uint8_t *marks;         /* row by row along z */
} floor_map;

/* All cells unmarked. ETNA_E_NOMEM. Free with floor_free. */
etna_code floor_make(double x0,
                     double z0,
                     double x1,
                     double z1,
                     floor_map *ret,
                     etna_error *err);
void floor_free(floor_map *m);

/* Marks what the triangle (x, y, z of each corner) has between two heights,
 * with every cell that it touches; or, where `whole` says so, only cells whose
 * middles are in it. */
void floor_mark(floor_map *m,
                const double triangle[3][3],
                double low,
                double high,
                uint8_t mark,
                bool whole);
/* The same of a rectangle of the floor. */
void floor_mark_rect(
    floor_map *m, double x0, double z0, double x1, double z1, uint8_t mark);

/* The rectangle that holds most of the points (x and z), the largest of these.
 * False: there is none of a metre each way. */
bool floor_find_room(const floor_map *m,
                     const double (*points)[2],
                     uint32_t count,
                     layout_rect *ret);
/* Walls, doors and windows of the rectangle, in a frame with its middle at 0;
 * the height is left as it is. */
void floor_find_openings(const floor_map *m,
                         const layout_rect *room,
                         layout_room *ret);

#endif
