/* A snapshot as glTF again: the input's bytes, in which only the moved nodes'
 * transforms differ (METHODS.md 1). */
#ifndef ETNA_WORKER_SCENE_EXPORT_H
#define ETNA_WORKER_SCENE_EXPORT_H

#include "worker/scene/snapshot.h"

/* A GLB; caller frees. A GLB input keeps every byte but the moved nodes'
 * transform members (translation/rotation, or matrix where the node has one)
 * and the chunk and file lengths. Where a side file or an option said how it is
 * read, its "asset" tells that, too (record.c), for the result has no side
 * file. A .gltf input becomes a GLB with its buffers and images inside.
 * `bundle` is what `s` was imported from. */
etna_code scene_export_glb(const scene *s,
                           const uint8_t *bundle,
                           size_t bundle_size,
                           const snapshot *snap,
                           uint8_t **ret_data,
                           size_t *ret_size,
                           etna_error *err);

#endif
