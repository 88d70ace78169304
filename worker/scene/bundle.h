/* A bundle: everything a scene is made of in one run of canonical bytes, so that it is one blob with one hash: the main
 * file, the external buffers and images it names, the side file, the import options. Made once, where the files are (by
 * `etna-worker bundle`, opened beneath the scene's folder by openat2); imported anywhere. */
#ifndef ETNA_WORKER_SCENE_BUNDLE_H
#define ETNA_WORKER_SCENE_BUNDLE_H

#include "proto/error.h"
#include "worker/scene/scene.h"

/* Reads the scene file at `path` and what it names. ETNA_E_INPUT when it is missing, not a scene, or names a file outside
 * its folder. A missing texture is no error (import warns). Caller frees *ret_data. */
etna_code bundle_read(const char *path, const scene_options *options, uint8_t **ret_data, size_t *ret_size, etna_error *err);
/* The same from memory, one GLB: for tests and fixtures. */
etna_code bundle_from_glb(const uint8_t *glb, size_t glb_size, const scene_options *options, uint8_t **ret_data, size_t *ret_size,
                          etna_error *err);

#endif
