/* Between underside.c and columns.c: the vertical rays of one underside,
 * answered together. */
#ifndef ETNA_WORKER_SPACE_COLUMNS_H
#define ETNA_WORKER_SPACE_COLUMNS_H

#include "worker/space/space_internal.h"

/* cells of a footprint; two columns each */
enum {
    COLUMNS = UNDERSIDE_GRID * UNDERSIDE_GRID
};

typedef struct column_hit {  /* a triangle that a column goes through */
    uint32_t triangle, next; /* next: SCENE_NONE at the end */
} column_hit;

typedef struct columns {
    /* its footprint's cells; column k and COLUMNS + k stand in cell k */
    scene_box box;
    vec2 at[2 * COLUMNS]; /* in the world */
    bool wanted[2 * COLUMNS];
    uint32_t first[2 * COLUMNS], count, room;
    column_hit *hits;
    vec3 *vertex;    /* of all parts, where they stand as rays see them */
    uint32_t *index; /* 3 per triangle, into it */
} columns;

/* Finds what of the object's own triangles each column goes through. `motion`
 * NULL: at the base pose. *ret_done false: this object is better asked by rays
 * (flat parts, no footprint, too many triangles). ETNA_E_NOMEM. Free in any
 * case. */
etna_code columns_fill(columns *c,
                       const scene *s,
                       uint32_t object,
                       const affine *motion,
                       bool *ret_done,
                       etna_error *err);
void columns_free(columns *c);
/* As space_cast_all from (at, z) straight up (`up` 1) or down (-1) at this
 * object alone: the distance. */
bool columns_cast(const columns *c,
                  uint32_t number,
                  double z,
                  double up,
                  double t_min,
                  double t_max,
                  double *ret_t);

#endif
