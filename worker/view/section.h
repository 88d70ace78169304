/* Where a building can be cut open: the planes of its outer walls and its
 * ceiling, found by rays from what is inside, so that a room in one mesh opens
 * as one of many objects does. Private to worker/view. Same bits everywhere. */
#ifndef ETNA_WORKER_VIEW_SECTION_H
#define ETNA_WORKER_VIEW_SECTION_H

#include "worker/space/space.h"

typedef struct section {
    uint32_t count;
    /* just inside of the walls, toward the inside; walls that many rays met
     * come first */
    scene_cut cuts[24];
    bool has_ceiling;
    scene_cut ceiling;
    /* per object: it is (a part of) the building; owned, section_free */
    bool *is_shell;
} section;

/* Of the space as it stands, with nothing hidden. All zero where nothing
 * encloses. ETNA_E_NOMEM. */
etna_code section_find(const space *sp, section *ret, etna_error *err);
void section_free(section *found);
/* Gives the camera the cuts that lie between it and the inside. */
void section_apply(const section *found, scene_camera *camera);

#endif
