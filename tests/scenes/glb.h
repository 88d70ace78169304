/* A small GLB writer for the scene generator: nodes at the root, each with one
 * mesh of one primitive per material, and one camera. Same input, same bytes.
 * Ends the program when it cannot go on. */
#ifndef ETNA_TESTS_SCENES_GLB_H
#define ETNA_TESTS_SCENES_GLB_H

#include "shapes.h"
#include "texture.h"

typedef struct glb glb;

glb *glb_new(void);
void glb_free(glb *g);
/* Linear base colour; returns the material's index. */
int glb_material(
    glb *g, const char *name, double red, double green, double blue);
/* The same with a texture, whose light parts have this colour; its picture is
 * kept once for all materials. */
int glb_textured(glb *g,
                 const char *name,
                 double red,
                 double green,
                 double blue,
                 texture_kind texture);
/* Shining metal, clear glass (seen through), something that glows: for eyes
 * only. */
int glb_metal(glb *g, const char *name, double red, double green, double blue);
int glb_glass(glb *g,
              const char *name,
              double red,
              double green,
              double blue,
              double alpha);
int glb_glowing(
    glb *g, const char *name, double red, double green, double blue);
/* A root node with a mesh: `shapes[i]` gets `materials[i]`; the shapes are
 * emptied. (x, y, z) is the node's translation, yaw its rotation about +Y in
 * degrees. */
void glb_object(glb *g,
                const char *name,
                double x,
                double y,
                double z,
                double yaw,
                shape *shapes,
                const int *materials,
                int count);
/* A perspective camera of 4:3 that looks from `eye` to `target`. */
void glb_camera(glb *g,
                const char *name,
                const double eye[3],
                const double target[3],
                double yfov_degrees);
void glb_write(const glb *g, const char *folder, const char *file);

#endif
