/* What a surface is painted with where a ray meets it: base colour factor x texture x vertex colour. Private to
 * worker/view; plain double arithmetic, since mean colours reach facts. */
#ifndef ETNA_WORKER_VIEW_SURFACE_H
#define ETNA_WORKER_VIEW_SURFACE_H

#include "worker/scene/scene.h"

typedef struct surface_tables { /* sRGB bytes to linear, made once per picture */
    double linear[256];
} surface_tables;
void surface_tables_fill(surface_tables *tables);

/* Linear red, green, blue and alpha in 0..1 at barycentric weights b of a part's triangle; the nearest texel, or four
 * blended when `smooth`. */
void surface_colour(const scene *s, const surface_tables *tables, uint32_t part, uint32_t triangle, const double b[3],
                    bool smooth, double ret_rgba[4]);
/* The same over a footprint: the mean over the parallelogram that a pixel covers on the surface, so that distant tiles
 * do not sparkle. `bx` and `by` are the weights a pixel to the right of b and a pixel below it, on the triangle's
 * plane. For pictures: floats. */
void surface_footprint(const scene *s, const surface_tables *tables, uint32_t part, uint32_t triangle,
                       const double b[3], const double bx[3], const double by[3], float ret_rgba[4]);

/* What glows there, over the same footprint: emissive factor x texture, linear, 0 or more; nothing when the texture cannot
 * be read. */
void surface_glow(const scene *s, const surface_tables *tables, uint32_t part, uint32_t triangle, const double b[3],
                  const double bx[3], const double by[3], float ret_rgb[3]);

/* alphaMode MASK: the part's material has it; and is there a hole at b? (Alpha under the cutoff; alpha is blended over
 * texels, so that edges follow the drawing and not its pixels.) */
bool surface_masked(const scene *s, uint32_t part);
bool surface_has_hole(const scene *s, const surface_tables *tables, uint32_t part, uint32_t triangle,
                      const double b[3]);

#endif
