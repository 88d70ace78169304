/* Compresses the geometry of a GLB with the libraries' own encoders: what tests
 * of reading it are made from. For tests only: it aborts when memory ends or
 * the GLB is none that our builder or generator makes. */
#ifndef ETNA_TESTS_SUPPORT_PRESS_H
#define ETNA_TESTS_SUPPORT_PRESS_H

#include <stddef.h>
#include <stdint.h>

typedef struct press_options {
    /* Draco: of positions, normals, texture coordinates; 0: kept exactly */
    int bits;
    /* Draco: not edgebreaker, which gives another order of vertices */
    int sequential;
    /* meshopt: indices as TRIANGLES, which may turn each; else as INDICES */
    int triangles;
    /* meshopt: the placeholder buffer is written by KHR_meshopt_compression's
     * name */
    int apart;
} press_options;

/* Every list of triangles by KHR_draco_mesh_compression; caller frees. */
uint8_t *press_draco(const uint8_t *glb,
                     size_t size,
                     const press_options *options,
                     size_t *ret_size);
/* Every view of vertices or indices by EXT_meshopt_compression, old bytes gone;
 * caller frees. */
uint8_t *press_meshopt(const uint8_t *glb,
                       size_t size,
                       const press_options *options,
                       size_t *ret_size);

/* One mesh as Draco data. Attribute i gets the unique id i; `semantic` is
 * glTF's ("POSITION"). Caller frees. */
typedef struct press_attribute {
    const char *semantic;
    uint32_t component, components; /* glTF's componentType */
    const uint8_t *data;
    size_t stride;
} press_attribute;
#ifdef __cplusplus
extern "C"
#endif
    uint8_t *
    press_draco_mesh(const press_attribute *attributes,
                     size_t attribute_count,
                     uint32_t points,
                     const uint32_t *index,
                     uint32_t triangles,
                     const press_options *options,
                     size_t *ret_size,
                     uint32_t *ret_points,
                     uint32_t *ret_triangles);

#endif
