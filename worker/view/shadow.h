/* How much of the sky within 1 m, and how much of the lamps, reaches what the
 * camera sees: by rays, for every second pixel of every second row (half of
 * them only where their neighbours disagree), smoothed and spread over the
 * picture. Private to worker/view; for eyes only. */
#ifndef ETNA_WORKER_VIEW_SHADOW_H
#define ETNA_WORKER_VIEW_SHADOW_H

#include "worker/view/light.h"
#include "worker/view/raster.h"

typedef struct shadow_cell { /* of every second pixel */
    float depth;             /* < 0: nothing is met there */
    float at[3];             /* from the camera's position, world axes */
    float normal[3];         /* geometric, unit, toward the camera */
} shadow_cell;

typedef struct shadow { /* all zero: everything is lit */
    uint32_t width, height;
    shadow_cell *cells;
    float *free_sky, *lit; /* 0..1, per cell */
    struct shadow_pattern *patterns;
} shadow;

/* The cells of a drawn raster, still unlit. `points` (room for a few thousand)
 * gets an even choice of what is seen. */
enum {
    SHADOW_POINTS = 4096
};
/* From a drawn raster; also picks at most SHADOW_POINTS points that show
 * something, with which lamps are chosen. */
etna_code shadow_new(const raster *r,
                     const space *sp,
                     uint32_t threads,
                     shadow *ret,
                     light_point *points,
                     uint32_t *ret_count,
                     etna_error *err);
/* Casts the rays. After space_light_ready(). The same for any number of
 * threads. */
etna_code shadow_fill(shadow *sh,
                      const raster *r,
                      const space *sp,
                      const lights *l,
                      uint32_t threads,
                      etna_error *err);
void shadow_free(shadow *sh);
/* Sky and lamps at pixel (x, y) for a surface that is met `at` from the
 * camera's position with the geometric normal n. False, and 1 and 1, when no
 * cell around lies on that surface (a rim, a leaf). */
bool shadow_at(const shadow *sh,
               uint32_t x,
               uint32_t y,
               vec3 at,
               vec3 n,
               double *ret_sky,
               double *ret_lit);
/* The same by rays of its own, for a point where that is so: `times` (1 or
 * more) as many as a cell has. */
void shadow_ask(const shadow *sh,
                const space *sp,
                const lights *l,
                vec3 p,
                vec3 n,
                double depth,
                uint32_t x,
                uint32_t y,
                uint32_t times,
                double *ret_sky,
                double *ret_lit);

#endif
