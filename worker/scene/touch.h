/* Whether two sets of triangles come as close as what touches does, to some
 * millimetres: enough to tell a chair that is pushed under a table from a leg of
 * it. Pure. Internal to worker/scene. */
#ifndef ETNA_WORKER_SCENE_TOUCH_H
#define ETNA_WORKER_SCENE_TOUCH_H

#include "worker/scene/holder.h"
#include "worker/scene/scene.h"

typedef struct touch_mesh {
    const scene_mesh *mesh;
    affine to_world; /* metres, Z up */
} touch_mesh;

/* Looks within `region` alone, which both reach. Each look at a piece of a
 * triangle takes one of *left; at 0 they touch. *ret_code is ETNA_E_NOMEM where
 * memory ended. */
bool meshes_touch(const touch_mesh *a,
                  uint32_t a_count,
                  const touch_mesh *b,
                  uint32_t b_count,
                  const extent *region,
                  uint64_t *left,
                  etna_code *ret_code);

#endif
