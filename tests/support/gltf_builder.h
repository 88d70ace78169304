/* Small scenes built in code: nodes, boxes, materials, a camera, as the bytes
 * of one GLB. Points, sizes and angles are given in the world frame of
 * worker/scene (metres, Z up) unless "file" is said; the builder writes glTF's
 * Y-up frame. For tests and fixtures only: it aborts when memory ends. */
#ifndef ETNA_TESTS_SUPPORT_GLTF_BUILDER_H
#define ETNA_TESTS_SUPPORT_GLTF_BUILDER_H

#include "worker/math/vec.h"

#include <stddef.h>
#include <stdint.h>

#define GLTF_NONE UINT32_MAX

typedef struct gltf_builder gltf_builder;

gltf_builder *gltf_builder_new(void);
void gltf_builder_free(gltf_builder *b); /* NULL is fine */

/* A material with a linear base colour; its index. */
uint32_t gltf_builder_material(
    gltf_builder *b, const char *name, double red, double green, double blue);

/* A mesh of triangles, positions in the file's frame (3 floats a vertex),
 * material GLTF_NONE for none; its index. */
uint32_t gltf_builder_mesh(gltf_builder *b,
                           const char *name,
                           const float *positions,
                           uint32_t vertex_count,
                           const uint32_t *indices,
                           uint32_t index_count,
                           uint32_t material);
/* A box of world size (x, y, z) around its node's origin: 24 vertices with
 * normals, 12 triangles. */
uint32_t gltf_builder_box_mesh(gltf_builder *b, vec3 size, uint32_t material);

/* A node in the file's frame, below `parent` (GLTF_NONE: a root). NULL
 * transform members are left out. `extra` is JSON text of further members
 * ("\"extras\":{...}") or NULL. */
typedef struct gltf_builder_node {
    const char *name;
    uint32_t parent, mesh, camera;
    /* 3, 4 (x,y,z,w), 3, 16 column-major */
    const double *translation, *rotation, *scale, *matrix;
    const char *extra;
} gltf_builder_node;
/* a root without mesh, camera or transform */
gltf_builder_node gltf_builder_node_default(const char *name);
uint32_t gltf_builder_add_node(gltf_builder *b, const gltf_builder_node *node);

/* A root node with its own box mesh: centre, size and yaw (degrees,
 * counter-clockwise from above) in the world. */
uint32_t gltf_builder_box(gltf_builder *b,
                          const char *name,
                          vec3 centre,
                          vec3 size,
                          double yaw_degrees,
                          uint32_t material);
/* A root node with a perspective camera at `position` that looks at `target`;
 * vertical field of view in degrees. */
uint32_t gltf_builder_camera(gltf_builder *b,
                             const char *name,
                             vec3 position,
                             vec3 target,
                             double yfov_degrees,
                             double aspect);

/* Low level: bytes appended to the binary chunk as one accessor (its index),
 * and JSON text of further root members ("\"skins\":[...]"). `type` as
 * "VEC3". */
uint32_t gltf_builder_accessor(gltf_builder *b,
                               const void *data,
                               size_t size,
                               uint32_t component_type,
                               uint32_t count,
                               const char *type);
void gltf_builder_root_members(gltf_builder *b, const char *json);

/* The GLB; caller frees. The builder may go on. */
uint8_t *gltf_builder_glb(const gltf_builder *b, size_t *ret_size);
/* Any JSON text and binary chunk (NULL: none) as a GLB; caller frees. */
uint8_t *gltf_wrap_glb(const char *json,
                       const void *bin,
                       size_t bin_size,
                       size_t *ret_size);

#endif
