/* Shapes that the scene generator puts together: closed triangle meshes in
 * metres, Y up as in glTF, counter-clockwise seen from outside. Only + - * /
 * and sqrt, so that a scene has the same bytes on every machine. Running out of
 * memory ends the generator (it is a program of the tests, not a library). */
#ifndef ETNA_TESTS_SCENES_SHAPES_H
#define ETNA_TESTS_SCENES_SHAPES_H

#include <stddef.h>
#include <stdint.h>

typedef struct shape {        /* triangles of one material; all zero is empty */
    float *position, *normal; /* 3 per vertex */
    /* 2 per vertex, in metres along the surface; u runs with the grain (the
     * longer way) */
    float *uv;
    uint32_t *index;
    uint32_t vertex_count, vertex_room, index_count, index_room;
} shape;

/* where a piece goes: p' = columns * p + origin, columns orthonormal */
typedef struct frame {
    double x[3], y[3], z[3], origin[3];
} frame;

void shape_free(shape *s);
/* realloc that ends the program instead of failing */
void *shapes_grow(void *old, size_t bytes);
/* |radians| <= 2 pi */
void shapes_sincos(double radians, double *ret_sin, double *ret_cos);

frame frame_at(double x, double y, double z);
/* turned about its own axis 0, 1 or 2 */
frame frame_turned(frame f, int axis, double degrees);

/* A box with its bottom face's centre at the frame's origin; edges cut by
 * `chamfer` (0: sharp). */
void shape_box(shape *s,
               const frame *f,
               double width,
               double height,
               double depth,
               double chamfer);
/* A body of revolution about the frame's y. `profile` is count pairs (radius,
 * y) from the bottom pole to the top pole (or back to the start for a ring);
 * edges sharper than 40 degrees stay sharp. */
void shape_lathe(shape *s,
                 const frame *f,
                 const double (*profile)[2],
                 int count,
                 int segments);
/* A part of one, `from` to `to` degrees (+x toward +z), with flat ends:
 * `profile` is a closed convex ring off the axis, its first point again at the
 * end, at most 32 points, outward as for shape_lathe: up its outer side. */
void shape_sector(shape *s,
                  const frame *f,
                  const double (*profile)[2],
                  int count,
                  int segments,
                  double from,
                  double to);
/* A round bar, closed, that may taper. */
void shape_bar(shape *s,
               const frame *f,
               const double from[3],
               const double to[3],
               double from_radius,
               double to_radius);
/* A box with rounded edges, bottom face as shape_box; its top is swollen by
 * `swell` in the middle: a cushion. `radius` is cut to a little under half its
 * least side. */
void shape_soft(shape *s,
                const frame *f,
                double width,
                double height,
                double depth,
                double radius,
                double swell);
/* A round bar along a half ring about the frame's z from +y over +x to -y (the
 * handle of a mug). */
void shape_handle(shape *s,
                  const frame *f,
                  double ring_radius,
                  double bar_radius);
/* A flat pointed leaf along the frame's y: a closed octahedron of the given
 * length, width and thickness. */
void shape_leaf(
    shape *s, const frame *f, double length, double width, double thickness);

#endif
