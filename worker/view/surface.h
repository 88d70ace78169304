/* What a surface is painted with where a ray meets it: base colour factor x
 * texture x vertex colour. Private to worker/view; plain double arithmetic,
 * since mean colours reach facts. */
#ifndef ETNA_WORKER_VIEW_SURFACE_H
#define ETNA_WORKER_VIEW_SURFACE_H

#include "worker/scene/scene.h"
#include "worker/view/gloss.h"

/* sRGB bytes to linear, made once per picture */
typedef struct surface_tables {
    double linear[256];
    /* the same, and bytes as parts of one: floats for pictures */
    float light[256], share[256];
} surface_tables;
/* sRGB bytes to linear values; cheap enough to be done for each picture. */
void surface_tables_fill(surface_tables *tables);

/* Linear red, green, blue and alpha in 0..1 at barycentric weights b of a
 * part's triangle; the nearest texel, or four blended when `smooth`. */
void surface_colour(const scene *s,
                    const surface_tables *tables,
                    uint32_t part,
                    uint32_t triangle,
                    const double b[3],
                    bool smooth,
                    double ret_rgba[4]);
/* A triangle ready to be painted at many pixels. For pictures: floats. */
typedef struct surface_paint {
    const scene_texture *texture, *glow; /* NULL: nothing to sample */
    float base[4], emissive[3];
    gloss shine;
    float transmission;
    bool tinted;
    float tint[3][4]; /* of its corners */
    double uv[3][2];  /* the same; zeros when nothing is sampled */
} surface_paint;
/* `ret` borrows the scene's textures. */
void surface_prepare(const scene *s,
                     uint32_t part,
                     uint32_t triangle,
                     surface_paint *ret);
/* What it is painted with, and what glows there: linear, and of textures the
 * mean over the parallelogram that a pixel covers on the surface, so that
 * distant tiles do not sparkle. `b`: barycentric weights; `right` and `below`:
 * how much uv differs a pixel to the right of it and a pixel below. Glow is
 * emissive factor x texture, 0 or more; nothing when the texture cannot be
 * read. */
void surface_paint_at(const surface_paint *p,
                      const surface_tables *tables,
                      const double b[3],
                      const double uv[2],
                      const double right[2],
                      const double below[2],
                      float ret_rgba[4],
                      float ret_glow[3]);

/* alphaMode MASK: the part's material has it; and is there a hole at b? (Alpha
 * under the cutoff; alpha is blended over texels, so that edges follow the
 * drawing and not its pixels.) */
bool surface_masked(const scene *s, uint32_t part);
/* Whether alphaMode MASK leaves nothing at the point with these weights of the
 * corners. */
bool surface_has_hole(const scene *s,
                      const surface_tables *tables,
                      uint32_t part,
                      uint32_t triangle,
                      const double b[3]);

#endif
