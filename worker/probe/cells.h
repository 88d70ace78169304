/* Cells: a grid laid over a plane, and what takes room over it, on true
 * triangles. Whatever asks where a thing could stand or hang is made of it: the
 * surfaces and walls of the facts, the solver's search over a whole plane.
 *
 * A map's frame has x and y along the grid and z away from the plane. Lengths
 * are metres, places on the grid cells. Over a cell an object has a *start*:
 * how high above the plane its lowest triangle over that cell begins. 0: at the
 * plane; INFINITY: nothing is there. What ends at most 1 mm above the plane
 * belongs to it. What stands in the plane up to 5 cm deep shows no underside
 * above it; it is known by an underside just below and, above, a face that
 * looks up first. A start is at most the true one: lower by no more than the
 * triangle rises within one cell.
 *
 * No allocation but of a scratch, no error but of that. Cost: a pass over the
 * triangles of each object laid. Sums and comparisons in the order of
 * triangles: the same bits everywhere. */
#ifndef ETNA_WORKER_PROBE_CELLS_H
#define ETNA_WORKER_PROBE_CELLS_H

#include "worker/probe/probe.h"

typedef struct cells_map {
    affine turn;      /* world to the frame, but for origin and height */
    double height;    /* of the plane along z */
    double origin[2]; /* x, y of the low corner of cell (0, 0) */
    double cell;      /* side */
    /* an object that begins farther above the plane takes no room */
    double reach;
    uint32_t columns, rows;
} cells_map;

typedef struct cells_window { /* columns and rows from .. to, `to` not within */
    uint32_t from[2], to[2];
} cells_window;

/* a line through two corners; across it, the triangle lies between low and
 * high */
typedef struct cells_side {
    vec2 from;
    double nx, ny, low, high;
    double reach; /* of a cell from its middle */
} cells_side;

/* a triangle above the map: x and y in cells, z in metres above the plane */
typedef struct cells_corners {
    vec2 at[3];
    double z[3], low, high;
    double slope_x, slope_y; /* per cell; INFINITY when it stands upright */
    bool looks_up;
} cells_corners;

typedef struct cells_scratch { /* of one object, over the whole map */
    float *start;
    uint8_t *state;
} cells_scratch;

/* ETNA_E_NOMEM. cells_scratch_free after a failure, too. */
etna_code cells_scratch_new(const cells_map *map,
                            cells_scratch *ret,
                            etna_error *err);
void cells_scratch_free(cells_scratch *scratch);

static inline size_t cells_count(const cells_map *map)
{
    return (size_t)map->columns * map->rows;
}
static inline size_t cells_at(const cells_map *map,
                              uint32_t column,
                              uint32_t row)
{
    return (size_t)row * map->columns + column;
}

/* ret[cell] 1 where the cell's middle lies on the plane's real polygon, else
 * 0. */
void cells_lay_polygon(const cells_map *map,
                       const probe_plane *plane,
                       uint8_t *ret);
/* on[] 0 becomes 2 in gaps of at most `widest` metres: along a row, a column or a
 * diagonal the polygon is on both sides. */
void cells_close_gaps(const cells_map *map, double widest, uint8_t *on);

/* The cells over which the object could take room, as its box tells; false:
 * none. */
bool cells_window_of(const cells_map *map,
                     const space *sp,
                     uint32_t object,
                     cells_window *ret);
/* The starts of an object within its window, where on[cell] is not 0; elsewhere
 * in the window they are INFINITY. `own`: the plane is the object's. */
void cells_lay_object(const cells_map *map,
                      const space *sp,
                      uint32_t object,
                      bool own,
                      const cells_window *window,
                      const uint8_t *on,
                      const cells_scratch *scratch);

/* ---- single triangles ---- */
cells_corners cells_lay_corners(const cells_map *map,
                                const vec3 corner[3],
                                bool flipped);
/* The window of the triangle's own box within `within`; false: it is
 * outside. */
bool cells_window_round(const cells_corners *f,
                        const cells_window *within,
                        cells_window *ret);
/* The triangle's three sides as measures across them, for cells_narrow_row. */
void cells_sides_of(const cells_corners *f, cells_side ret[3]);
/* Narrows the columns *from .. *to of a row, all within the triangle's box, to
 * those whose cells it overlaps; none are left where *from is not less than
 * *to. */
void cells_narrow_row(const cells_side sides[3],
                      uint32_t row,
                      uint32_t *from,
                      uint32_t *to);

#endif
