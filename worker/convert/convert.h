/* Scenes of other makes become GLB before anything else sees them: OBJ, FBX,
 * PLY, STL and DAE by Assimp, models of Sweet Home 3D libraries (`.sh3f`),
 * `.blend` by an installed Blender. Foreign parsers meet hostile files, so each
 * conversion runs in a child process with limits on memory, processor and wall
 * time; a child that crashes, hangs or eats too much is one line of error here.
 * The child opens files beneath the scene's folder only.
 *
 * The GLB is in metres and Y up, whatever the file was in: by `options`, else
 * by the side file, else by what the file itself declares (FBX, DAE), else one
 * unit is a metre and Y is up. So a bundle of it is read with a metre a unit and
 * Y up. */
#ifndef ETNA_WORKER_CONVERT_CONVERT_H
#define ETNA_WORKER_CONVERT_CONVERT_H

#include "proto/error.h"
#include "worker/scene/scene.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By the name alone: whether the path asks for a conversion.
 * `LIBRARY.sh3f#MODEL` does, and so does a bare library. */
bool convert_wanted(const char *path);
/* Whether the path is a whole library, which can be listed but is no scene. */
bool convert_is_library(const char *path);

/* Reads the file at `path` and makes the GLB; the caller frees *ret_glb. Must
 * be called while the process has one thread (it forks). ETNA_E_INPUT and
 * ETNA_E_LIMIT with the path in the text. */
etna_code convert_file(const char *path,
                       const scene_options *options,
                       uint8_t **ret_glb,
                       size_t *ret_size,
                       etna_error *err);
/* convert_file, and the bundle around it with the scene's side file: what
 * bundle_read is for glTF. Caller frees *ret_data. */
etna_code convert_bundle(const char *path,
                         const scene_options *options,
                         uint8_t **ret_data,
                         size_t *ret_size,
                         etna_error *err);

/* The bundle of any scene file: convert_bundle where the name asks for it, else
 * bundle_read, and in that case compressed geometry is decoded
 * (worker/gltf/unpack.h) in such a child, too. Caller frees *ret_data. */
etna_code convert_scene(const char *path,
                        const scene_options *options,
                        uint8_t **ret_data,
                        size_t *ret_size,
                        etna_error *err);
/* The same of a file that is an asset: nothing in it is of the file's name, so
 * that equal files are one asset. */
etna_code convert_asset(const char *path,
                        uint8_t **ret_data,
                        size_t *ret_size,
                        etna_error *err);
/* That decoding alone: *data becomes a bundle with the decoded parts; unchanged
 * when nothing is compressed, and on failure. `what` is for the text. Must be
 * called while the process has one thread. */
etna_code convert_unpack(const char *what,
                         uint8_t **data,
                         size_t *size,
                         etna_error *err);

/* The catalogue of a library as one JSON text (not NUL-terminated), caller
 * frees: {"name", "licence", "models": [{"index", "id", "name", "category",
 * "size": [width, depth, height] in metres, "movable", "creator"}]}. */
etna_code convert_list(const char *path,
                       uint8_t **ret_json,
                       size_t *ret_size,
                       etna_error *err);
/* The same with all that it says of each model: also "tags", "information",
 * "licence" (its own, else ""), "path" (in the archive), "fault" (null, or
 * which size is none), "elevation", "top" (metres; 0: unsaid), "opening",
 * "light", and "words": {language: [name, tags, category]}. */
etna_code convert_catalogue(const char *path,
                            uint8_t **ret_json,
                            size_t *ret_size,
                            etna_error *err);

#endif
