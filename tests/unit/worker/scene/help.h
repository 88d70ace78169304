/* What the scene tests share: from a builder to a scene and back, and the
 * folder of real data. */
#ifndef ETNA_TESTS_UNIT_WORKER_SCENE_HELP_H
#define ETNA_TESTS_UNIT_WORKER_SCENE_HELP_H

#include "tests/support/folder.h"
#include "tests/support/gltf_builder.h"
#include "worker/gltf/bundle.h"
#include "worker/gltf/unpack.h"
#include "worker/scene/export.h"

#include <stdbool.h>

typedef struct opened { /* a bundle and its scene */
    uint8_t *bundle;
    size_t size;
    scene *s;
} opened;

/* A bundle of one GLB, its compressed geometry decoded (in this process);
 * replaces the bytes of a bundle likewise. */
etna_code bundle_of(const uint8_t *glb,
                    size_t size,
                    uint8_t **ret_bundle,
                    size_t *ret_size,
                    etna_error *err);
etna_code decode_bundle(uint8_t **bundle, size_t *size, etna_error *err);

/* fails the test when it is refused */
opened open_glb(const uint8_t *glb, size_t size);
opened open_builder(gltf_builder *b); /* frees the builder */
opened open_json(const char *json, const void *bin, size_t bin_size);
/* false: refused */
bool open_path(const char *path, opened *ret, etna_error *err);
void close_opened(opened *o);

/* The error text of a GLB or JSON that must be refused; fails the test when it
 * is not. In a static buffer. */
const char *refusal(const uint8_t *glb, size_t size, etna_code expected);
const char *refusal_json(const char *json,
                         const void *bin,
                         size_t bin_size,
                         etna_code expected);

/* fails the test when there is none */
const scene_object *object_named(const scene *s, const char *name);
/* The scene with `object` at the base pose plus a move and a turn (radians),
 * exported; caller frees. */
uint8_t *export_moved(const opened *o,
                      const char *object,
                      vec3 move,
                      double turn,
                      size_t *ret_size);
/* Fails unless boxes are equal within `tolerance` metres and radians, yaw
 * modulo a turn. */
void assert_box(const scene_box *a, const scene_box *b, double tolerance);
/* Fails unless positions and triangles are the very same bytes. */
void assert_same_geometry(const scene_mesh *a, const scene_mesh *b);

const char *data_folder(void); /* of shared data, or NULL */
uint8_t *read_file(const char *path, size_t *ret_size);

#endif
