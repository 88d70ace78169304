/* Where light comes from: the scene's own lights where it has some that reach
 * what is seen, else (or beside them, when they hardly do) a key light that
 * goes with the camera. Files say lux, candela or whatever an exporter made of
 * watts, so only the ratios between a file's lights are kept; together they
 * give as much as the sky does. Private to worker/view; for eyes only. */
#ifndef ETNA_WORKER_VIEW_LIGHT_H
#define ETNA_WORKER_VIEW_LIGHT_H

#include "worker/space/space.h"
#include "worker/view/surface.h"

enum {
    LAMPS_MAX = 8
};

typedef struct lamp {
    scene_light_kind kind;
    /* directional: toward the light; spot: against the way it shines */
    vec3 position, toward;
    /* times the intensity: light on a surface that faces it (at 1 m) */
    double colour[3];
    double range, inner_cos, outer_cos;
    /* the key light passes what encloses the scene: see lights_choose */
    bool through;
} lamp;

typedef struct lights {
    uint32_t count;
    lamp lamps[LAMPS_MAX];
    uint8_t *parts; /* per part, what casts a shadow (space_light) */
    /* the same for the key light: what encloses the scene lets it pass */
    uint8_t *key_parts;
    const scene_camera *camera; /* what its cuts take away casts no shadow */
    struct lights_holes {
        const scene *s;
        const surface_tables *tables;
    } holes;
} lights;

/* a point that the camera sees, where light is measured */
typedef struct light_point {
    vec3 at, normal; /* unit, toward the camera */
} light_point;

/* Chooses the lamps for what is seen at `points`. `tables` and `camera` must
 * outlive it. Free with lights_free. */
etna_code lights_choose(const space *sp,
                        const scene_camera *camera,
                        const surface_tables *tables,
                        const light_point *points,
                        uint32_t count,
                        lights *ret,
                        etna_error *err);
void lights_free(lights *l);
/* What blocks light, for space_shaded; `through`: the key light's way. Good as
 * long as *l is. */
space_light lights_way(const lights *l, bool through);

/* Light from one lamp on a surface of unit normal n at p, without shadow: the
 * factor of its colour. *ret_toward: the unit direction to it, *ret_distance:
 * INFINITY for directional ones. */
double lamp_on(
    const lamp *l, vec3 p, vec3 n, vec3 *ret_toward, double *ret_distance);
/* Is the lamp hidden from p? `aside`: a point of the unit disk that makes the
 * shadow soft. */
bool lamp_shaded(const lights *l,
                 const space *sp,
                 uint32_t index,
                 vec3 p,
                 const double aside[2]);
/* What light the sky gives to a surface of that normal. */
static inline double sky_on(vec3 n)
{
    return 0.40 + 0.22 * (0.5 + 0.5 * n.z);
}

#endif
