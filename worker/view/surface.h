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

#endif
