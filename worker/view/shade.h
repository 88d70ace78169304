/* Shaded pictures in linear light: textures over their footprints, sky light
 * with its shade within 1 m, lamps with soft shadows, four samples to a pixel.
 * Private to worker/view; for eyes only, so floats may differ between machines;
 * on one they are the same for any number of threads. */
#ifndef ETNA_WORKER_VIEW_SHADE_H
#define ETNA_WORKER_VIEW_SHADE_H

#include "worker/view/raster.h"

typedef struct shade_job {
    const space *sp;
    const scene_camera *camera;
    uint32_t width, height;
    /* the part of the image that is drawn: 0, 0, 1, 1 for all of it */
    double x1, y1, x2, y2;
    /* SCENE_NONE: the whole scene; else one object alone, without shadows */
    uint32_t only;
    const arrange_pose *pose; /* of `only`; NULL: where it stands */
    uint32_t threads;         /* 0 is 1 */
} shade_job;

/* Linear light, width x height x 3, premultiplied by the cover, and the cover
 * 0..1 per pixel. The caller's arrays; their contents are undefined on
 * failure. */
etna_code shade_picture(const shade_job *job,
                        float *ret_linear,
                        float *ret_cover,
                        etna_error *err);

#endif
