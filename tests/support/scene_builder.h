/* Scenes made by hand for tests: boxes, spheres, cylinders, bowls, sheets,
 * rooms with poses, as the public `scene` struct that every geometry room
 * reads. No importer is needed, and the analytic answer is known. Angles here
 * may use libm: nothing of a test's input is compared across machines. */
#ifndef ETNA_TESTS_SCENE_BUILDER_H
#define ETNA_TESTS_SCENE_BUILDER_H

#include "worker/scene/scene.h"

typedef struct scene_builder scene_builder;

/* Aborts the test when memory is at its end. Free frees the scene, its meshes
 * and names too; NULL is fine. */
scene_builder *scene_builder_new(void);
void scene_builder_free(scene_builder *b);

/* Meshes; each returns its index. All are centred at their origin, Z up, closed
 * and outward unless said. */
uint32_t scene_builder_mesh(scene_builder *b,
                            const float *position,
                            uint32_t vertices,
                            const uint32_t *index,
                            uint32_t triangles);
uint32_t scene_builder_box(scene_builder *b,
                           double x,
                           double y,
                           double z); /* full sizes, 12 triangles */
uint32_t scene_builder_sphere(scene_builder *b,
                              double radius,
                              /* rings x 2 rings; equator at z 0 when even */
                              uint32_t rings);
uint32_t scene_builder_cylinder(scene_builder *b,
                                double radius,
                                double height,
                                uint32_t segments);
uint32_t scene_builder_sheet(scene_builder *b,
                             double x,
                             double y,
                             /* open, z 0, cells x cells quads */
                             uint32_t cells);
/* A plate, 18 cm wide, whose middle is nearly level and whose sides rise by 7
 * and 13 degrees: the largest triangles lean. */
uint32_t scene_builder_dish(scene_builder *b);
uint32_t scene_builder_bowl(scene_builder *b,
                            double inner,
                            double outer,
                            /* half-sphere shell, open upward, closed mesh, the
                             * spheres' centre at the origin */
                            uint32_t rings);
uint32_t scene_builder_cup(scene_builder *b,
                           double inner,
                           double outer,
                           double height,
                           /* closed mesh, its bottom at z 0 */
                           double bottom,
                           uint32_t segments);
uint32_t scene_builder_room(scene_builder *b,
                            double x,
                            double y,
                            /* floor at z 0 and four walls, one sheet each, no
                             * ceiling, seen from inside: open */
                            double z);
/* the same, inside out */
uint32_t scene_builder_flipped(scene_builder *b, uint32_t mesh);

/* Where a part stands: yaw in degrees counter-clockwise from above, then moved.
 * And with a uniform scale. */
affine scene_builder_at(double x, double y, double z, double yaw_degrees);
affine scene_builder_scaled(
    double x, double y, double z, double yaw_degrees, double scale);

/* An object of one part; further parts go to the object added last. The heading
 * is -Y of the first part's frame. */
uint32_t scene_builder_object(scene_builder *b,
                              const char *name,
                              uint32_t mesh,
                              affine at,
                              bool is_static);
void scene_builder_part(scene_builder *b, uint32_t mesh, affine at);
/* A perspective camera, 4:3, 60 degrees high. */
uint32_t scene_builder_camera(scene_builder *b,
                              const char *name,
                              vec3 position,
                              vec3 target);

/* Boxes, counts and extents filled in; valid until the next addition or free.
 * The builder holds a reference, so others may scene_ref and scene_free it, but
 * must be done before the builder is freed. */
scene *scene_builder_scene(scene_builder *b);

#endif
