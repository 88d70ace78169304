/* Base colours of surfaces (see surface.h). */
#include "worker/view/surface.h"

#include "worker/math/colour.h"

#include <string.h>

enum {
    TAPS_MAX = 6
}; /* along one side of a pixel's footprint */

/* sRGB bytes to linear, both as double and as float. */
void surface_tables_fill(surface_tables *tables)
{
    for (int i = 0; i < 256; i++) {
        tables->linear[i] = colour_srgb_to_linear(i / 255.0);
        tables->light[i] = (float)tables->linear[i];
        tables->share[i] = (float)i / 255;
    }
}

/* A texel index by glTF's wrap modes; `at` is a whole number. */
static uint32_t wrap_index(double at, uint32_t size, uint32_t mode)
{
    if (at >= 0 && at < size)
        return (uint32_t)at;
    if (mode == 33071)
        return at >= size ? size - 1 : 0; /* clamped to an edge */
    double period = mode == 33648 ? 2.0 * size : size;
    double in = at - period * floor(at / period);
    if (!(in >= 0 && in < period)) /* huge or not a number */
        return 0;
    uint32_t index = (uint32_t)in;
    return index < size ? index : 2 * size - 1 - index;
}

/* x and y are whole numbers, in texels. Colour is linear, alpha as it is. */
static void add_texel(const scene_texture *t,
                      const surface_tables *tables,
                      double x,
                      double y,
                      double weight,
                      double rgba[4])
{
    uint32_t column = wrap_index(x, t->width, t->wrap_s);
    uint32_t row = wrap_index(y, t->height, t->wrap_t);
    const uint8_t *texel = t->rgba + 4 * ((size_t)row * t->width + column);
    for (int i = 0; i < 3; i++)
        rgba[i] += weight * tables->linear[texel[i]];
    rgba[3] += weight * (texel[3] / 255.0);
}

/* Bilinear when `smooth`; else the texel itself, by which facts about colours
 * stay those that the file has. */
static void texture_sample(const scene_texture *t,
                           const surface_tables *tables,
                           double u,
                           double v,
                           bool smooth,
                           double rgba[4])
{
    for (int i = 0; i < 4; i++)
        rgba[i] = 0;
    if (!smooth) {
        add_texel(t, tables, floor(u * t->width), floor(v * t->height), 1,
                  rgba);
        return;
    }
    double x = u * t->width - 0.5;
    double y = v * t->height - 0.5;
    double left = floor(x);
    double top = floor(y);
    double fx = x - left;
    double fy = y - top;
    add_texel(t, tables, left, top, (1 - fx) * (1 - fy), rgba);
    add_texel(t, tables, left + 1, top, fx * (1 - fy), rgba);
    add_texel(t, tables, left, top + 1, (1 - fx) * fy, rgba);
    add_texel(t, tables, left + 1, top + 1, fx * fy, rgba);
}

/* NULL: the part has none. */
static const scene_material *material_of(const scene *s, uint32_t part)
{
    uint32_t index = s->parts[part].material;
    return index < s->material_count ? &s->materials[index] : NULL;
}

/* NULL when there is no such texture, it could not be decoded, or the mesh has
 * no coordinates for it. */
static const scene_texture *surface_texture(const scene *s,
                                            const scene_mesh *mesh,
                                            uint32_t texture)
{
    const scene_texture *t =
        texture < s->texture_count ? &s->textures[texture] : NULL;
    if (!t || !t->rgba || !mesh->uv)
        return NULL;
    return t->width > 0 && t->height > 0 ? t : NULL;
}

/* Of the base colour. */
static const scene_texture *texture_of(const scene *s,
                                       const scene_mesh *mesh,
                                       const scene_material *material)
{
    return material ? surface_texture(s, mesh, material->texture) : NULL;
}

/* glTF's coordinates: v downward. */
static void uv_at(const scene_mesh *mesh,
                  uint32_t triangle,
                  const double b[3],
                  double ret[2])
{
    const uint32_t *at = mesh->index + 3 * (size_t)triangle;
    ret[0] = ret[1] = 0;
    for (int i = 0; i < 3; i++) {
        ret[0] += b[i] * mesh->uv[2 * (size_t)at[i]];
        ret[1] += b[i] * mesh->uv[2 * (size_t)at[i] + 1];
    }
}

/* Whether alphaMode MASK can make holes in it. */
bool surface_masked(const scene *s, uint32_t part)
{
    const scene_material *material = material_of(s, part);
    return material && material->alpha_cutoff > 0;
}

/* b: weights of the corners. */
bool surface_has_hole(const scene *s,
                      const surface_tables *tables,
                      uint32_t part,
                      uint32_t triangle,
                      const double b[3])
{
    double rgba[4];
    if (!surface_masked(s, part))
        return false;
    surface_colour(s, tables, part, triangle, b, true, rgba);
    return rgba[3] < (double)material_of(s, part)->alpha_cutoff;
}

/* How many taps a stretch of `texels` needs. */
static int taps_for(double texels)
{
    if (!(texels > 1.3))
        return 1;
    return texels < TAPS_MAX ? (int)(texels + 0.7) : TAPS_MAX;
}

/* Adds `weight` of the texel that holds the place (x, y), in texels. */
static inline void add_place(const scene_texture *t,
                             const surface_tables *tables,
                             double x,
                             double y,
                             float weight,
                             float sum[4])
{
    x = math_floor(x);
    y = math_floor(y);
    uint32_t column = x >= 0 && x < t->width
                          ? (uint32_t)x
                          : wrap_index(x, t->width, t->wrap_s);
    uint32_t row = y >= 0 && y < t->height
                       ? (uint32_t)y
                       : wrap_index(y, t->height, t->wrap_t);
    const uint8_t *texel = t->rgba + 4 * ((size_t)row * t->width + column);
    for (int i = 0; i < 3; i++)
        sum[i] += weight * tables->light[texel[i]];
    sum[3] += weight * tables->share[texel[3]];
}

/* The mean of the texture over uv + [-1/2, 1/2] dx + [-1/2, 1/2] dy. */
static void sample_over(const scene_texture *t,
                        const surface_tables *tables,
                        const double uv[2],
                        const double dx[2],
                        const double dy[2],
                        float rgba[4])
{
    double width = t->width;
    double height = t->height;
    double u = uv[0] * width;
    double v = uv[1] * height;
    double ux = dx[0] * width;
    double vx = dx[1] * height;
    double uy = dy[0] * width;
    double vy = dy[1] * height;
    int nx = taps_for(sqrt(ux * ux + vx * vx));
    int ny = taps_for(sqrt(uy * uy + vy * vy));
    int count = nx * ny;
    for (int i = 0; i < 4; i++)
        rgba[i] = 0;
    if (count == 1) {
        double left = math_floor(u - 0.5);
        double top = math_floor(v - 0.5);
        float fx = (float)(u - 0.5 - left);
        float fy = (float)(v - 0.5 - top);
        add_place(t, tables, left, top, (1 - fx) * (1 - fy), rgba);
        add_place(t, tables, left + 1, top, fx * (1 - fy), rgba);
        add_place(t, tables, left, top + 1, (1 - fx) * fy, rgba);
        add_place(t, tables, left + 1, top + 1, fx * fy, rgba);
        return;
    }
    double share = 1.0 / count;
    double y = -0.5;
    double x = 0.5 * share - 0.5;
    /* a Fibonacci lattice: a grid would beat with tiles */
    for (int i = 0; i < count; i++, x += share) {
        add_place(t, tables, u + x * ux + y * uy, v + x * vx + y * vy,
                  (float)share, rgba);
        y += y < 0.5 - 0.618033988749895 ? 0.618033988749895
                                         : 0.618033988749895 - 1;
    }
}

/* Whether it emits any light. */
static bool material_glows(const scene_material *material)
{
    const float *e = material->emissive;
    return e[0] > 0 || e[1] > 0 || e[2] > 0;
}

/* A material that glows by a texture which is missing does not glow: its factor
 * alone would make all of it a lamp. */
static void paint_take_material(surface_paint *p,
                                const scene *s,
                                const scene_mesh *mesh,
                                const scene_material *material)
{
    bool glows = material_glows(material);
    bool pictured = glows && material->emissive_texture != SCENE_NONE;
    memcpy(p->base, material->base_colour, sizeof p->base);
    p->shine = gloss_of(material);
    p->transmission = material->transmission;
    p->glow =
        pictured ? surface_texture(s, mesh, material->emissive_texture) : NULL;
    if (glows && (p->glow || !pictured))
        memcpy(p->emissive, material->emissive, sizeof p->emissive);
}

/* What surface_paint_at needs of a triangle, looked up once. */
void surface_prepare(const scene *s,
                     uint32_t part,
                     uint32_t triangle,
                     surface_paint *ret)
{
    const scene_mesh *mesh = &s->meshes[s->parts[part].mesh];
    const scene_material *material = material_of(s, part);
    const uint32_t *at = mesh->index + 3 * (size_t)triangle;
    surface_paint p = {.texture = texture_of(s, mesh, material),
                       .base = {0.8f, 0.8f, 0.8f, 1},
                       .tinted = mesh->colour != NULL};
    if (material)
        paint_take_material(&p, s, mesh, material);
    for (int j = 0; j < 3; j++) {
        if (p.tinted)
            memcpy(p.tint[j], mesh->colour + 4 * (size_t)at[j],
                   sizeof p.tint[j]);
        for (int i = 0; i < 2 && (p.texture || p.glow); i++)
            p.uv[j][i] = (double)mesh->uv[2 * (size_t)at[j] + (size_t)i];
    }
    *ret = p;
}

/* Colour and emitted light at a place, the texture averaged over the footprint
 * right, below of a pixel. Linear; alpha in [3]. */
void surface_paint_at(const surface_paint *p,
                      const surface_tables *tables,
                      const double b[3],
                      const double uv[2],
                      const double right[2],
                      const double below[2],
                      float ret_rgba[4],
                      float ret_glow[3])
{
    float texel[4] = {1, 1, 1, 1};
    if (p->texture)
        sample_over(p->texture, tables, uv, right, below, texel);
    for (int i = 0; i < 4; i++) {
        float value = p->base[i] * texel[i];
        if (p->tinted)
            value *= (float)b[0] * p->tint[0][i] + (float)b[1] * p->tint[1][i] +
                     (float)b[2] * p->tint[2][i];
        ret_rgba[i] = (float)math_clamp((double)value, 0, 1);
    }
    for (int i = 0; i < 4; i++)
        texel[i] = 1;
    if (p->glow)
        sample_over(p->glow, tables, uv, right, below, texel);
    for (int i = 0; i < 3; i++)
        ret_glow[i] = p->emissive[i] * texel[i];
}

/* The unlit colour at one point, in double, without footprint: the form that
 * facts and masks use. */
void surface_colour(const scene *s,
                    const surface_tables *tables,
                    uint32_t part,
                    uint32_t triangle,
                    const double b[3],
                    bool smooth,
                    double ret_rgba[4])
{
    const scene_mesh *mesh = &s->meshes[s->parts[part].mesh];
    const uint32_t *at = mesh->index + 3 * (size_t)triangle;
    double rgba[4] = {0.8, 0.8, 0.8, 1}; /* what has no material */
    const scene_material *material = material_of(s, part);
    const scene_texture *texture = texture_of(s, mesh, material);
    for (int i = 0; i < 4 && material; i++)
        rgba[i] = material->base_colour[i];
    if (texture) {
        double uv[2], texel[4];
        uv_at(mesh, triangle, b, uv);
        texture_sample(texture, tables, uv[0], uv[1], smooth, texel);
        for (int i = 0; i < 4; i++)
            rgba[i] *= texel[i];
    }
    for (int i = 0; i < 4; i++) {
        double tint = mesh->colour ? 0 : 1;
        for (int j = 0; j < 3 && mesh->colour; j++)
            tint += b[j] * mesh->colour[4 * (size_t)at[j] + i];
        double value = rgba[i] * tint;
        ret_rgba[i] = math_clamp(value, 0, 1);
    }
}
