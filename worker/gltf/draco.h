/* Draco has no C interface: this is all that is needed of it. The library is
 * C++ and may throw; nothing thrown leaves here. Internal to worker/scene. */
#ifndef ETNA_WORKER_GLTF_DRACO_H
#define ETNA_WORKER_GLTF_DRACO_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct draco_attribute {
    uint32_t id;         /* Draco's unique id */
    uint32_t component;  /* the glTF componentType to write: 5120 to 5126 */
    uint32_t components; /* numbers an element, 1 to 16 */
    void *out;           /* points * components of them */
} draco_attribute;

/* Decodes a triangle mesh of exactly `points` points and `triangles` triangles:
 * index gets 3 per triangle, each < points. NULL when all is well, else what is
 * wrong, a text that stays; the outputs are then half written. */
const char *draco_take(const uint8_t *data,
                       size_t size,
                       uint32_t points,
                       uint32_t triangles,
                       uint32_t *index,
                       const draco_attribute *attributes,
                       size_t attribute_count);

#ifdef __cplusplus
}
#endif
#endif
