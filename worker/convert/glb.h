/* Writes a GLB piece by piece: pictures, materials, meshes, nodes, cameras, all
 * in one binary chunk. Faults stick (out of memory, a number that is not
 * finite, too large) and come out at the end, so callers check once. Internal
 * to worker/convert. */
#ifndef ETNA_WORKER_CONVERT_GLB_H
#define ETNA_WORKER_CONVERT_GLB_H

#include "proto/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GLB_NONE UINT32_MAX

typedef struct glb glb;

glb *glb_new(void); /* NULL: no memory */
void glb_free(glb *g);

/* A line for the import's report, as said by the converter; a warning or
 * not. */
void glb_say(glb *g, bool warning, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* PNG or JPEG bytes as they are; returns the picture's index. */
uint32_t glb_picture(glb *g, const char *mime, const void *data, size_t size);

typedef struct glb_material {
    const char *name;
    double colour[4];        /* linear */
    uint32_t picture;        /* GLB_NONE: none */
    uint32_t wrap_s, wrap_t; /* glTF enums; 0: repeat */
    bool transformed;        /* uv' = uv * scale + offset */
    double offset[2], scale[2];
    bool cutout, blend; /* by the picture's alpha; by the colour's */
} glb_material;
/* Returns its number, for glb_triangles.material. */
uint32_t glb_add_material(glb *g, const glb_material *material);

/* A new empty mesh, to which primitives are added. */
uint32_t glb_mesh(glb *g, const char *name);
typedef struct glb_triangles {
    uint32_t vertex_count, triangle_count;
    const float *position; /* 3 each, finite */
    const float *normal;   /* 3 each, unit, or NULL */
    const float *uv;       /* 2 each, or NULL */
    const float *colour;   /* 4 each, linear, or NULL */
    const uint32_t *index; /* 3 each, < vertex_count */
    uint32_t material;     /* GLB_NONE: none */
} glb_triangles;
/* Adds them to a mesh; they are copied. */
void glb_primitive(glb *g, uint32_t mesh, const glb_triangles *triangles);

/* matrix: column-major, NULL for the identity. parent GLB_NONE: a root of the
 * scene. Children are listed in the order of the calls. */
uint32_t glb_node(glb *g,
                  uint32_t parent,
                  const char *name,
                  const double matrix[16],
                  uint32_t mesh);
void glb_perspective(glb *g,
                     uint32_t node,
                     const char *name,
                     double yfov,
                     double aspect,
                     double znear); /* aspect 0: unsaid */
void glb_orthographic(glb *g,
                      uint32_t node,
                      const char *name,
                      double xmag,
                      double ymag,
                      double zfar);

/* What a node says of itself, for import (worker/scene/side.c): its own axis
 * that is its front ("+Z"; NULL: unsaid), and whether it is static. */
void glb_tell(glb *g, uint32_t node, const char *front, bool is_static);

/* An object that stands somewhere, a root of the scene: turned about Y, its own
 * axes stretched. */
typedef struct glb_standing {
    const char *name;
    double at[3], yaw, scale[3]; /* metres, radians */
    uint32_t mesh;               /* GLB_NONE: what hangs below it */
    const char *front;           /* "+Z" ...: its own axis; NULL: unsaid */
    bool is_static;
} glb_standing;
/* Returns the node's number. */
uint32_t glb_object(glb *g, const glb_standing *object);

typedef struct glb_lamp { /* shines along its node's -Z */
    const char *kind;     /* "point", "spot", "directional" */
    /* cone: half its angle, radians; 0: no spot */
    double colour[3], intensity, cone;
} glb_lamp;
/* Hangs a lamp on a node (KHR_lights_punctual). */
void glb_light(glb *g, uint32_t node, const glb_lamp *lamp);

/* Who made what is in the file and on what terms: asset.copyright and
 * asset.extras.etna_credits. The same is listed once. */
typedef struct glb_author {
    const char *model, *collection, *author, *licence; /* "" when unsaid */
} glb_author;
/* The texts are copied. */
void glb_credit(glb *g, const glb_author *author);

/* The file's bytes; the caller frees them. The writer is spent, free it all the
 * same. */
etna_code glb_finish(glb *g,
                     uint8_t **ret_data,
                     size_t *ret_size,
                     etna_error *err);

#endif
