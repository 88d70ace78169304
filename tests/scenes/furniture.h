/* What several fixture scenes share: a room, furniture, small things. Each function adds one root object that stands
 * (or hangs) FURNITURE_GAP off what carries it; (x, z) is the middle of its foot, `y` the height of what carries it,
 * yaw in degrees about +Y (0: its front looks along +Z, toward the viewer). Made of shapes.h and glb.h; same bytes
 * everywhere. */
#ifndef ETNA_TESTS_SCENES_FURNITURE_H
#define ETNA_TESTS_SCENES_FURNITURE_H

#include "glb.h"

#define FURNITURE_GAP 1e-4 /* metres: what stands on something stands this much above it */

/* A mesh of one shape and one material. No gap is added. */
void furniture_one(glb *g, const char *name, double x, double y, double z, double yaw, shape *s, int material);

/* "Floor" and, at its far edge, "Wall" (2.4 m): both static by name. */
void furniture_room(glb *g, double width, double depth);
/* Four legs and a top `height` above the floor. */
void furniture_table_at(glb *g, const char *name, double x, double z, double width, double depth, double height,
                        int wood);
void furniture_table(glb *g, const char *name, double width, double depth, double height); /* of oak, at the origin */
/* Four legs, a seat and a back of slats; the sitter looks along +Z. */
void furniture_chair(glb *g, const char *name, double x, double z, double yaw);
/* A framed landscape whose back is its node's z = 0 and that looks along +Z; `y` is its lower edge. */
void furniture_picture(glb *g, const char *name, double x, double y, double z);

void furniture_block(glb *g, const char *name, double x, double y, double z, double yaw, const double size[3],
                     int material);
void furniture_bottle(glb *g, const char *name, double x, double y, double z, int material);
void furniture_mug(glb *g, const char *name, double x, double y, double z, double yaw, int material);
void furniture_book(glb *g, const char *name, double x, double y, double z, double yaw, const double size[3],
                    int cover); /* lying, its spine to -X */
void furniture_phone(glb *g, const char *name, double x, double y, double z, double yaw);
void furniture_plant(glb *g, const char *name, double x, double y, double z); /* in a pot 14 cm across */
void furniture_pen(glb *g, const char *name, double x, double y, double z, double yaw);
void furniture_lamp(glb *g, const char *name, double x, double y, double z); /* a table lamp, 43 cm */
void furniture_cup(glb *g, const char *name, double x, double y, double z, int material);

#endif
