/* The memory for what was made of a scene and can be made again from the scene
 * alone: Embree's trees over meshes, welded shapes with theirs, undersides,
 * adjacency, planes that were grown. Together they take about as much as
 * space_bound_meshes says (space.h), each kind the share of it that it would
 * have of all of them kept whole. Each is evicted by an LRU (proto/lru.h). */
#ifndef ETNA_WORKER_SPACE_BUDGET_H
#define ETNA_WORKER_SPACE_BUDGET_H

#include "worker/scene/scene.h"

typedef enum budget_purpose {
    BUDGET_RAYS,
    BUDGET_SHAPES,
    BUDGET_PLANES,
    BUDGET_STANDS,
    BUDGET_PURPOSES
} budget_purpose;
/* About how many bytes of the scene's bound are for this, as space_bound_meshes
 * says now. Stands, that follow poses and are made in no time, have an eighth
 * beside the others. */
size_t budget_share(const scene *s, budget_purpose purpose);

#endif
