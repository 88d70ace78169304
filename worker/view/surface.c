/* Base colours of surfaces (see surface.h). */
#include "worker/view/surface.h"

#include "worker/view/colour.h"

void surface_tables_fill(surface_tables *tables)
{
    for (int i = 0; i < 256; i++) tables->linear[i] = colour_srgb_to_linear(i / 255.0);
}

/* A texel index by glTF's wrap modes; `at` is a whole number. */
static uint32_t wrap_index(double at, uint32_t size, uint32_t mode)
{
    if (mode == 33071) return !(at >= 0) ? 0 : at >= size ? size - 1 : (uint32_t)at;
    double period = mode == 33648 ? 2.0 * size : size;
    double in = at - period * floor(at / period);
    if (!(in >= 0 && in < period)) /* huge or not a number */
        return 0;
    uint32_t index = (uint32_t)in;
    return index < size ? index : 2 * size - 1 - index;
}

static void add_texel(const scene_texture *t, const surface_tables *tables, double x, double y, double weight,
                      double rgba[4])
{
    uint32_t column = wrap_index(x, t->width, t->wrap_s), row = wrap_index(y, t->height, t->wrap_t);
    const uint8_t *texel = t->rgba + 4 * ((size_t)row * t->width + column);
    for (int i = 0; i < 3; i++) rgba[i] += weight * tables->linear[texel[i]];
    rgba[3] += weight * (texel[3] / 255.0);
}

static void sample(const scene_texture *t, const surface_tables *tables, double u, double v, bool smooth,
                   double rgba[4])
{
    for (int i = 0; i < 4; i++) rgba[i] = 0;
    if (!smooth) {
        add_texel(t, tables, floor(u * t->width), floor(v * t->height), 1, rgba);
        return;
    }
    double x = u * t->width - 0.5, y = v * t->height - 0.5, left = floor(x), top = floor(y), fx = x - left,
           fy = y - top;
    add_texel(t, tables, left, top, (1 - fx) * (1 - fy), rgba);
    add_texel(t, tables, left + 1, top, fx * (1 - fy), rgba);
    add_texel(t, tables, left, top + 1, (1 - fx) * fy, rgba);
    add_texel(t, tables, left + 1, top + 1, fx * fy, rgba);
}

void surface_colour(const scene *s, const surface_tables *tables, uint32_t part, uint32_t triangle, const double b[3],
                    bool smooth, double ret_rgba[4])
{
    const scene_mesh *mesh = &s->meshes[s->parts[part].mesh];
    const uint32_t *at = mesh->index + 3 * (size_t)triangle;
    double rgba[4] = {0.8, 0.8, 0.8, 1}; /* what has no material */
    uint32_t index = s->parts[part].material;
    if (index < s->material_count) {
        const scene_material *material = &s->materials[index];
        for (int i = 0; i < 4; i++) rgba[i] = material->base_colour[i];
        const scene_texture *texture = material->texture < s->texture_count ? &s->textures[material->texture] : NULL;
        if (texture && texture->rgba && mesh->uv && texture->width > 0 && texture->height > 0) {
            double u = 0, v = 0, texel[4];
            for (int i = 0; i < 3; i++) {
                u += b[i] * mesh->uv[2 * (size_t)at[i]];
                v += b[i] * mesh->uv[2 * (size_t)at[i] + 1];
            }
            sample(texture, tables, u, v, smooth, texel);
            for (int i = 0; i < 4; i++) rgba[i] *= texel[i];
        }
    }
    for (int i = 0; i < 4; i++) {
        double tint = mesh->colour ? 0 : 1;
        for (int j = 0; j < 3 && mesh->colour; j++) tint += b[j] * mesh->colour[4 * (size_t)at[j] + i];
        double value = rgba[i] * tint;
        ret_rgba[i] = value > 0 ? (value < 1 ? value : 1) : 0;
    }
}
