/* What the kitchen, the study, the shelf and the garden are put together from:
 * bodies that shapes.h has no word for, and the small things that stand in more
 * than one of those scenes. Frames, gaps and places as in furniture.h. */
#ifndef ETNA_TESTS_SCENES_PIECES_H
#define ETNA_TESTS_SCENES_PIECES_H

#include "glb.h"

/* A round bar from the frame's origin up its y, edges cut by `chamfer`. */
void piece_cylinder(
    shape *s, const frame *f, double radius, double height, double chamfer);
/* A ball whose middle is the frame's origin, `squash` times as high as wide. */
void piece_ball(shape *s, const frame *f, double radius, double squash);
/* A round bar between two points, which differ. */
void piece_rod(shape *s,
               const double from[3],
               const double to[3],
               double radius);

/* furniture_room with materials of one's own. */
void piece_room(glb *g, double width, double depth, int floor, int wall);
void piece_plate(glb *g,
                 const char *name,
                 double x,
                 double y,
                 double z,
                 double radius,
                 int material);
void piece_bowl(glb *g,
                const char *name,
                double x,
                double y,
                double z,
                double radius,
                double height,
                int material);
/* A board with a rim and two grips, its long side along x at yaw 0. */
void piece_tray(glb *g,
                const char *name,
                double x,
                double y,
                double z,
                double yaw,
                double width,
                double depth,
                int material);
/* A jar with a lid, `fill` showing through its wall. */
void piece_jar(glb *g,
               const char *name,
               double x,
               double y,
               double z,
               double radius,
               double height,
               int fill,
               int lid);
void piece_jug(glb *g,
               const char *name,
               double x,
               double y,
               double z,
               double yaw,
               int material);

#endif
