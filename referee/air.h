/* The open air of a scene: cells that no triangle is in, joined over their
 * sides, of which only those regions count that are large enough to stand in
 * and lie about small things. */
#ifndef ETNA_REFEREE_AIR_H
#define ETNA_REFEREE_AIR_H

#include "referee/solid.h"

typedef struct air {
    point from;
    double cell;
    int n[3];
    uint32_t *region; /* a cell: 0 blocked, else its region's number */
    bool *is_open;    /* a region */
    uint32_t regions;
} air;

/* Of the solids, those that `is_left_out` marks are as if they were not there.
 * False: out of memory, or it is wider than 1000 km. The caller frees. */
bool air_make(const solid *const *solids,
              size_t count,
              const bool *is_left_out,
              air *ret);
void air_free(air *a);
/* Beyond the cells there is nothing: open when the region around everything
 * is. */
bool air_is_open(const air *a, point p);

#endif
