/* Which loose parts of a mesh are one thing? What a person would take up in one
 * hand, as far as shapes tell. */
#ifndef ETNA_WORKER_CLI_LOOSE_CLUSTERS_H
#define ETNA_WORKER_CLI_LOOSE_CLUSTERS_H

#include "worker/space/space.h"

/* Of objects first .. first + count of the space's scene, each a loose part:
 * cluster_of[i] gets the number of the cluster of object first + i, numbered by
 * lowest member, or SCENE_NONE for what is static by shape (METHODS.md 1),
 * which holds nothing together, and for crumbs: what has fewer than four
 * triangles in all is no body but a face of something. Two parts are one thing
 * when their triangles meet (closer than a hundredth of the smaller, 0.1 to 5
 * mm) and not just one stands on the other: its bottom at the other's top
 * within 1 cm, no larger footprint, and not so slender that it would fall.
 * ETNA_E_NOMEM. */
etna_code cluster_find(space *sp,
                       uint32_t first,
                       uint32_t count,
                       uint32_t *cluster_of,
                       uint32_t *ret_clusters,
                       etna_error *err);

#endif
