/* Shaded pictures: hemisphere light and a key light that goes with the camera, darkened in corners (occlusion.c),
 * exposed so that the median is neither dark nor pale. Private to worker/view; for eyes only, so floats may differ
 * between machines. */
#ifndef ETNA_WORKER_VIEW_SHADE_H
#define ETNA_WORKER_VIEW_SHADE_H

#include "worker/view/raster.h"
#include "worker/view/surface.h"

typedef struct shade_job {
    const space *sp;
    const scene_camera *camera;
    uint32_t width, height;
    double x1, y1, x2, y2;    /* the part of the image that is drawn: 0, 0, 1, 1 for all of it */
    uint32_t only;            /* SCENE_NONE: the whole scene over a background; else one object over nothing */
    const arrange_pose *pose; /* of `only`; NULL: where it stands */
    double exposure;          /* of shade_exposure() */
} shade_job;

/* The factor that brings the median luminance of what the camera sees to 0.35 to 0.55 (of encoded white). */
etna_code shade_exposure(const space *sp, const scene_camera *camera, double *ret_exposure, etna_error *err);

/* Linear light, width x height x 3, premultiplied by the cover, and (when not NULL) the cover 0..1 per pixel. The
 * caller's arrays; their contents are undefined on failure. */
etna_code shade_picture(const shade_job *job, float *ret_linear, float *ret_cover, etna_error *err);

typedef struct shade_encoder { /* linear to sRGB bytes by a table */
    uint8_t byte[4096];
} shade_encoder;
void shade_encoder_fill(shade_encoder *encoder);
static inline uint8_t shade_encode(const shade_encoder *encoder, float linear)
{
    float at = linear * 4095.0f + 0.5f;
    return encoder->byte[!(at > 0) ? 0 : at < 4095.0f ? (int)at : 4095];
}

/* occlusion.c: per pixel 0..1, how much of the sky within 1 m the drawn pixels leave free. ret[width * height]; normals
 * of every second pixel of every second row, ((width + 1) / 2) to a row. */
etna_code occlusion_fill(const raster *r, const vec3 *normals, float *ret, etna_error *err);

#endif
