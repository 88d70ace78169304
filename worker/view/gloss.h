/* What shines: mirror images of a plain sky and of lamps on smooth, varnished
 * and metal surfaces. Of the scene itself nothing is mirrored. Private to
 * worker/view; for eyes only, so floats may differ between machines. */
#ifndef ETNA_WORKER_VIEW_GLOSS_H
#define ETNA_WORKER_VIEW_GLOSS_H

#include "worker/scene/scene.h"

typedef struct gloss {
    float weight; /* 0: dull, nothing is added; 1: as smooth as mirrors show */
    float metallic;
    float blur;         /* 0: a sharp mirror; 1: none */
    float clearcoat;    /* of varnish above it */
    uint32_t sharpness; /* highlights are cos^(2^sharpness) */
} gloss;

gloss gloss_of(const scene_material *material);
static inline bool gloss_shines(const gloss *g)
{
    return g->weight > 0 || g->clearcoat > 0;
}
/* The share of diffuse light that is left: metals have none. */
static inline float gloss_diffuse(const gloss *g)
{
    return 1 - g->weight * g->metallic;
}
/* How much of the light that comes straight is mirrored, at a cosine between
 * normal and eye; per colour. */
void gloss_fresnel(const gloss *g,
                   const float base[3],
                   double cosine,
                   float ret[3]);
/* Adds to `rgb` the mirrored sky, of which a part `sky` is free. n, eye: unit;
 * eye: toward the camera. */
void gloss_add_sky(const gloss *g,
                   const float base[3],
                   vec3 n,
                   vec3 eye,
                   double sky,
                   float rgb[3]);
/* Adds the highlight of a lamp in direction `toward` (unit) that gives `light`
 * to the surface. */
void gloss_add_lamp(const gloss *g,
                    const float base[3],
                    vec3 n,
                    vec3 eye,
                    vec3 toward,
                    const double light[3],
                    float rgb[3]);

#endif
