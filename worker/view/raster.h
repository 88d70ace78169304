/* The z-buffer behind every picture and the instance map: which triangle does
 * the view ray through each pixel's sample meet first? Private to worker/view.
 * Double precision in a fixed order, so the answer is the same on any machine.
 *
 * With the camera at the origin and a ray d = (u, v, 1), a triangle a, b, c is
 * met where d.(b x c), d.(c x a), d.(a x b) have the sign of a.(b x c): three
 * functions linear in u and v, so there is no projection, no division by depth
 * and no clipping (Olano and Greer's homogeneous coordinates). b x c is exactly
 * -(c x b) in floating point, so two triangles that share an edge leave no gap
 * between them. An orthographic camera is the same with the third coordinate
 * 1. */
#ifndef ETNA_WORKER_VIEW_RASTER_H
#define ETNA_WORKER_VIEW_RASTER_H

#include "worker/space/space.h"
#include "worker/view/surface.h"

enum {
    RASTER_SAMPLES = 4
};

/* the part of the image that is drawn, normalised, and where in a pixel the
 * samples are */
typedef struct raster_window {
    double x1, y1, x2, y2;
    uint32_t samples; /* 1 or RASTER_SAMPLES */
    double at[RASTER_SAMPLES][2];
    /* Not 0: the raster is width x height pixels from (left, top) on of a
     * picture of across x down, bit by bit what that would have there. */
    uint32_t across, down, left, top;
} raster_window;
extern const raster_window raster_whole; /* 0, 0, 1, 1, pixel centres */

typedef enum raster_layer {
    LAYER_ALL,
    LAYER_OPAQUE,
    LAYER_BLEND
} raster_layer;

/* sample k of pixel i is at i * samples + k, everywhere */
typedef struct raster {
    uint32_t width, height, samples;
    scene_camera camera;
    /* ray coordinates of the samples of each column and row */
    double *u, *v;
    double low_u, high_u; /* of all columns */
    /* pixels to a unit of u (v: negative); 0 where there is one */
    double per_u, per_v;
    double reach_u[2],
        /* the samples of a pixel, least and most, from the first on in
         * pixels */
        reach_v[2];
    /* 1 / depth, or -depth when orthographic; larger is nearer */
    double *nearness;
    uint32_t *part;     /* SCENE_NONE where nothing is met */
    uint32_t *triangle; /* of the part's mesh */
    /* NULL, or how near the camera's cuts let anything be */
    double *cut;
    /* NULL, or: only what is strictly farther than this is drawn (nearness
     * below it); `cut` from raster_new() on */
    const double *behind;
    /* cleared, but not yet so in memory: whoever draws first does it, row by
     * row */
    bool blank;
    /* NULL: surfaces of alphaMode MASK are whole; else they have their holes */
    const surface_tables *masked;
} raster;

/* Buffers for width x height, cleared. ETNA_E_LIMIT, ETNA_E_NOMEM; *ret is then
 * all zero. */
etna_code raster_new(const scene_camera *camera,
                     uint32_t width,
                     uint32_t height,
                     const raster_window *window,
                     raster *ret,
                     etna_error *err);
/* Frees its buffers; all zero is fine. */
void raster_free(raster *r);
/* everything infinitely far, from the next raster_draw() on */
void raster_clear(raster *r);
/* Draws the space in what is drawn already; `only` SCENE_NONE: all objects that
 * are not hidden, else that one, at `pose` where not NULL. On up to `threads`
 * threads (0 is 1), the same for any number. */
etna_code raster_draw(raster *r,
                      const space *sp,
                      uint32_t only,
                      const arrange_pose *pose,
                      raster_layer layer,
                      uint32_t threads,
                      etna_error *err);

/* Part-local to world where the part's object stands in `sp` (or at `pose`). */
affine raster_placement(const space *sp,
                        uint32_t part,
                        const arrange_pose *pose);

/* A triangle that was met, where it stands: neighbouring pixels mostly meet the
 * same one, so it is kept between them. */
typedef struct raster_face {
    uint32_t part, triangle; /* part SCENE_NONE: none yet */
    vec3 world[3];           /* its corners */
    vec3 edge[3];            /* its edge functions */
} raster_face;
/* Fills the face unless it is this one already; true when it was filled.
 * `to_world`: of raster_placement(). */
bool raster_face_set(const raster *r,
                     const scene *s,
                     const affine *to_world,
                     uint32_t part,
                     uint32_t triangle,
                     raster_face *face);
/* Barycentric weights of the point where the ray (u, v) of a sample meets the
 * face. */
void raster_face_weights(const raster_face *face,
                         double u,
                         double v,
                         double ret[3]);

#endif
