/* What several fixture scenes share: a room, furniture, small things. Each
 * function adds one root object that stands (or hangs) FURNITURE_GAP off what
 * carries it; (x, z) is the middle of its foot, `y` the height of what carries
 * it, yaw in degrees about +Y (0: its front looks along +Z, toward the viewer).
 * Made of shapes.h and glb.h; same bytes everywhere. */
#ifndef ETNA_TESTS_SCENES_FURNITURE_H
#define ETNA_TESTS_SCENES_FURNITURE_H

#include "glb.h"

#define FURNITURE_GAP \
    1e-4 /* metres: what stands on something stands this much above it */

/* A mesh of one shape and one material. No gap is added. */
void furniture_one(glb *g,
                   const char *name,
                   double x,
                   double y,
                   double z,
                   double yaw,
                   shape *s,
                   int material);

/* "Floor" and, at its far edge, "Wall" (2.4 m): both static by name. */
void furniture_room(glb *g, double width, double depth);
/* Four legs and a top `height` above the floor. */
void furniture_table_at(glb *g,
                        const char *name,
                        double x,
                        double z,
                        double width,
                        double depth,
                        double height,
                        int wood);
void furniture_table(glb *g,
                     const char *name,
                     double width,
                     double depth,
                     double height); /* of oak, at the origin */
/* Four legs, a seat and a back of slats; the sitter looks along +Z. */
void furniture_chair(glb *g, const char *name, double x, double z, double yaw);
/* A framed landscape whose back is its node's z = 0 and that looks along +Z;
 * `y` is its lower edge. */
void furniture_picture(glb *g, const char *name, double x, double y, double z);

void furniture_block(glb *g,
                     const char *name,
                     double x,
                     double y,
                     double z,
                     double yaw,
                     const double size[3],
                     int material);
void furniture_bottle(
    glb *g, const char *name, double x, double y, double z, int material);
void furniture_mug(glb *g,
                   const char *name,
                   double x,
                   double y,
                   double z,
                   double yaw,
                   int material);
void furniture_book(glb *g,
                    const char *name,
                    double x,
                    double y,
                    double z,
                    double yaw,
                    /* lying, its spine to -X */
                    const double size[3],
                    int cover);
void furniture_phone(
    glb *g, const char *name, double x, double y, double z, double yaw);
void furniture_plant(glb *g,
                     const char *name,
                     double x,
                     double y,
                     double z); /* in a pot 14 cm across */
void furniture_pen(
    glb *g, const char *name, double x, double y, double z, double yaw);
void furniture_lamp(glb *g,
                    const char *name,
                    double x,
                    double y,
                    double z); /* a table lamp, 43 cm */
void furniture_cup(
    glb *g, const char *name, double x, double y, double z, int material);

/* ---- furniture_home.c: a living room's and a bedroom's, with textures ---- */

/* Walls inside which width x depth metres of floor lie, `height` tall; `walls`
 * of FURNITURE_BACK and so on. Nodes "Floor", "Back Wall", "Left Wall", "Right
 * Wall", "Front Wall", "Ceiling" (all static by name). */
enum {
    FURNITURE_BACK = 1,
    FURNITURE_LEFT = 2,
    FURNITURE_RIGHT = 4,
    FURNITURE_FRONT = 8,
    FURNITURE_CEILING = 16
};
void furniture_walls(glb *g,
                     double width,
                     double depth,
                     double height,
                     int walls,
                     int floor,
                     int wall);
/* Like furniture_table_at, of another material below than above, with a frame
 * under the top. */
void furniture_fine_table(glb *g,
                          const char *name,
                          double x,
                          double z,
                          double yaw,
                          double width,
                          double depth,
                          double height,
                          int top,
                          int legs);
void furniture_sofa(glb *g,
                    const char *name,
                    double x,
                    double z,
                    double yaw,
                    double width,
                    int cloth,
                    int legs);
/* A round seat with a low back around its hind half, on short legs. */
void furniture_round_sofa(glb *g,
                          const char *name,
                          double x,
                          double z,
                          double yaw,
                          double diameter,
                          int cloth,
                          int legs);
/* Open to the front, with a back; equal compartments. The inner height of each
 * is (height - 2.5 cm) / rows - 2.5 cm. */
void furniture_shelf(glb *g,
                     const char *name,
                     double x,
                     double z,
                     double yaw,
                     const double size[3],
                     int columns,
                     int rows,
                     int wood,
                     int back);
/* Two doors, a top, short legs. */
void furniture_cabinet(glb *g,
                       const char *name,
                       double x,
                       double z,
                       double yaw,
                       const double size[3],
                       int body,
                       int doors,
                       int metal);
/* A reading lamp, 1.55 m: a round foot, a post, an arm that carries a shade
 * over +Z. */
void furniture_floor_lamp(glb *g,
                          const char *name,
                          double x,
                          double z,
                          double yaw,
                          int metal,
                          int shade,
                          int glow);
void furniture_vase(glb *g,
                    const char *name,
                    double x,
                    double y,
                    double z,
                    int glaze); /* with flowers, 48 cm */
void furniture_bowl(glb *g,
                    const char *name,
                    double x,
                    double y,
                    double z,
                    int glaze); /* 24 cm across, 9 cm */
void furniture_floor_plant(glb *g,
                           const char *name,
                           double x,
                           double z,
                           int pot); /* 1 m tall, pot 32 cm */
/* Upright books side by side, spines along +Z, as one object. */
void furniture_row_of_books(glb *g,
                            const char *name,
                            double x,
                            double y,
                            double z,
                            double yaw,
                            int count);
/* Its head is toward -Z; a frame with a headboard, a mattress under a blanket,
 * two pillows. */
void furniture_bed(glb *g,
                   const char *name,
                   double x,
                   double z,
                   double yaw,
                   double width,
                   int frame_wood,
                   int blanket,
                   int linen);
/* One open compartment over a drawer, 40 cm deep. */
void furniture_nightstand(glb *g,
                          const char *name,
                          double x,
                          double z,
                          double yaw,
                          double width,
                          double height,
                          int wood,
                          int metal);
/* Against a wall, which is its node's z = 0; 0.86 x 2.02 m, the handle on its
 * right. */
void furniture_door(glb *g,
                    const char *name,
                    double x,
                    double z,
                    double yaw,
                    int leaf,
                    int metal);
/* The same, with its sill `y` above the floor: two panes in a frame. */
void furniture_window(glb *g,
                      const char *name,
                      double x,
                      double y,
                      double z,
                      double yaw,
                      double width,
                      double height,
                      int frame_paint);

#endif
