/* What the decoders' files share. Internal to worker/gltf, its tests and fuzz
 * targets. */
#ifndef ETNA_WORKER_GLTF_UNPACK_INTERNAL_H
#define ETNA_WORKER_GLTF_UNPACK_INTERNAL_H

#include "proto/canon.h"
#include "worker/gltf/gltf.h"

typedef struct unpacking {
    gltf_doc doc;
    canon_writer parts; /* text URI, bytes; one behind the other */
    uint32_t count;
    size_t bytes; /* decoded so far */
    /* of each accessor: the Draco bufferView that filled it + 1, or 0 */
    uint32_t *made_by;
} unpacking;

/* ETNA_E_LIMIT when `bytes` more would be too many in all. */
etna_code unpack_afford(unpacking *u,
                        uint64_t bytes,
                        const char *where,
                        etna_error *err);
void unpack_add(unpacking *u,
                gltf_part part,
                uint32_t index,
                const void *data,
                size_t size);

/* unpack_draco.c */
etna_code unpack_primitive(unpacking *u,
                           const json_t *primitive,
                           const char *where,
                           etna_error *err);
/* What Draco data claims at its beginning: triangles, and the vertices its
 * connectivity has (no more than its points). false: it is no triangle mesh of
 * a bitstream up to 2.2. Reads nothing beyond `size`. */
bool draco_claims(const uint8_t *data,
                  size_t size,
                  uint64_t *ret_triangles,
                  uint64_t *ret_vertices);

/* unpack_meshopt.c */
etna_code unpack_view(unpacking *u, uint32_t view, etna_error *err);
typedef enum meshopt_mode {
    MESHOPT_ATTRIBUTES,
    MESHOPT_TRIANGLES,
    MESHOPT_INDICES
} meshopt_mode;
typedef enum meshopt_filter {
    MESHOPT_NONE,
    MESHOPT_OCTAHEDRAL,
    MESHOPT_QUATERNION,
    MESHOPT_EXPONENTIAL
} meshopt_filter;
/* Whether mode, filter, stride and count go together by the extension's
 * rules. */
bool meshopt_sound(meshopt_mode mode,
                   meshopt_filter filter,
                   uint64_t stride,
                   uint64_t count);
/* Decodes `count` elements of `stride` bytes into `out`, of a sound
 * combination; false when the data is damaged. */
bool meshopt_take(meshopt_mode mode,
                  meshopt_filter filter,
                  size_t stride,
                  size_t count,
                  const uint8_t *data,
                  size_t size,
                  uint8_t *out);

#endif
