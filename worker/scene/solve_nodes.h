/* From poses to nodes: which nodes' transforms must change so that every object
 * stands where a snapshot says, and to what. Internal to worker/scene; pure. */
#ifndef ETNA_WORKER_SCENE_SOLVE_NODES_H
#define ETNA_WORKER_SCENE_SOLVE_NODES_H

#include "worker/scene/scene_internal.h"
#include "worker/scene/snapshot.h"

typedef struct node_change {
    uint32_t node;
    bool set_matrix, set_translation,
        /* which members are written; matrix excludes the others */
        set_rotation;
    affine local;
    double translation[3], rotation[4];
} node_change;

typedef struct instance_change {
    uint32_t node, instance;
    /* of the node's own frame: applied before the node's transform; a rotation
     * and a translation */
    affine motion;
    double rotation[4];
} instance_change;

/* triangles that the side file splits off: they get a mesh and a node of their
 * own */
typedef struct piece_change {
    uint32_t object;
    uint32_t node;                   /* that they are cut from */
    uint32_t first_part, part_count; /* of the scene: a primitive each */
    affine world;                    /* of the new node, in the file's frame */
} piece_change;

typedef struct changes {
    node_change *nodes;
    instance_change *instances;
    piece_change *pieces; /* by object, then by part */
    uint32_t node_count, instance_count, piece_count;
} changes;

/* Free with changes_free in every case. ETNA_E_INPUT when a move cannot be
 * written (names the object and why). */
etna_code changes_solve(const scene *s,
                        const snapshot *snap,
                        changes *ret,
                        etna_error *err);
void changes_free(changes *c);

#endif
