/* A bundle: everything a scene is made of in one run of canonical bytes, so
 * that it is one blob with one hash: the main file, the external buffers and
 * images it names, the side file, the import options. Made once, where the
 * files are (by `etna-worker bundle`, opened beneath the scene's folder by
 * openat2); imported anywhere. */
#ifndef ETNA_WORKER_GLTF_BUNDLE_H
#define ETNA_WORKER_GLTF_BUNDLE_H

#include "proto/error.h"

#include <stddef.h>
#include <stdint.h>

enum {
    GLTF_TRIANGLES_MAX = 50000000
}; /* of one primitive, and of a scene */

typedef struct scene_options { /* how a scene's file is read */
    uint32_t cookie;
    double metres_per_unit; /* 0: side file, else 1 */
    char up;                /* 'Y', 'Z' or 0: side file, else the format's */
} scene_options;
scene_options scene_options_default(void);

/* Reads the scene file at `path` and what it names. ETNA_E_INPUT when it is
 * missing, not a scene, or names a file outside its folder. A missing texture
 * is no error (import warns). Caller frees *ret_data. */
etna_code bundle_read(const char *path,
                      const scene_options *options,
                      uint8_t **ret_data,
                      size_t *ret_size,
                      etna_error *err);
/* The same from memory, one GLB: for tests and fixtures. */
etna_code bundle_from_glb(const uint8_t *glb,
                          size_t glb_size,
                          const scene_options *options,
                          uint8_t **ret_data,
                          size_t *ret_size,
                          etna_error *err);
/* A bundle of one GLB that was made for a scene, and that scene's side file
 * (NULL: none). Caller frees *ret_data. */
etna_code bundle_around(const uint8_t *glb,
                        size_t glb_size,
                        const uint8_t *side,
                        size_t side_size,
                        const scene_options *options,
                        uint8_t **ret_data,
                        size_t *ret_size,
                        etna_error *err);

/* The bundle with `count` more files, as a run of (text URI, bytes) in
 * canonical bytes: for what is made of a scene's own files (unpack.h).
 * ETNA_E_LIMIT above the size of a bundle. Caller frees *ret_data. */
etna_code bundle_add_files(const uint8_t *bundle,
                           size_t size,
                           uint32_t count,
                           const uint8_t *files,
                           size_t files_size,
                           uint8_t **ret_data,
                           size_t *ret_size,
                           etna_error *err);

/* Files of a scene; also for what converts scenes of other makes
 * (worker/convert). */
/* Opens the folder of `path`; *ret_name is the path's last part. -1 with errno.
 * The caller closes it. */
int bundle_open_folder(const char *path, const char **ret_name);
/* Opens a relative path beneath the folder for reading. -1 with errno: EXDEV
 * when it leads outside, by ".." or a link. */
int bundle_open_beneath(int folder, const char *path);
/* Maps an open regular file and closes it, for who needs little of much. Who reads
 * what was cut off meanwhile is killed: only in a child. ETNA_E_INPUT,
 * ETNA_E_LIMIT; `path` is for the text. The caller unmaps *ret_data, which is
 * NULL of an empty file. */
etna_code bundle_map_file(int fd,
                          const char *path,
                          const uint8_t **ret_data,
                          size_t *ret_size,
                          etna_error *err);
void bundle_unmap_file(const uint8_t *data, size_t size); /* NULL is fine */
/* Reads an open regular file whole and closes it. ETNA_E_INPUT, ETNA_E_LIMIT,
 * ETNA_E_NOMEM; `path` is for the text. Caller frees *ret_data. */
etna_code bundle_read_file(int fd,
                           const char *path,
                           uint8_t **ret_data,
                           size_t *ret_size,
                           etna_error *err);
/* SCENE.etna.json for SCENE.glb, else SCENE.glb.etna.json; nothing is returned
 * when there is none. Caller frees *ret_data. */
etna_code bundle_read_side(int folder,
                           const char *name,
                           uint8_t **ret_data,
                           size_t *ret_size,
                           etna_error *err);

#endif
