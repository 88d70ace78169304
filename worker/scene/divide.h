/* What a side file makes of the file's objects: splits cut one into sets of its
 * loose parts, groups join several. Which triangles of the file each part of
 * the scene shows is kept, so that export can write a moved piece back and an
 * edited copy can be divided alike. Internal to worker/scene. */
#ifndef ETNA_WORKER_SCENE_DIVIDE_H
#define ETNA_WORKER_SCENE_DIVIDE_H

#include "worker/scene/scene.h"

/* an object as the file alone gives it, before splits and groups */
typedef struct scene_base {
    uint32_t node, instance; /* as in scene_object */
    uint32_t part_count;
    /* the side file cuts it: its pieces move by new nodes, not by its own */
    bool split;
} scene_base;

typedef struct scene_source { /* of a scene part: what of the file it shows */
    uint32_t base;            /* into scene_private.bases */
    uint32_t part;            /* which of the base's parts */
    uint32_t primitive;       /* of the part's node's mesh, in the file */
    bool rest;                /* what no piece of a split names */
    uint32_t triangle_count;
    const uint32_t *triangles; /* ascending, into the whole part's; NULL: all */
} scene_source;

/* Of each triangle of the parts, one behind the other, the number of its loose
 * part; numbered by lowest triangle. Caller frees *ret_label. The parts are of
 * one object, those of a node side by side. ETNA_E_NOMEM. */
etna_code components_find(const scene_mesh *meshes,
                          const scene_part *parts,
                          uint32_t part_count,
                          uint32_t **ret_label,
                          uint32_t *ret_count,
                          etna_error *err);

#endif
