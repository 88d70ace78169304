/* Base colours of surfaces (see surface.h). */
#include "worker/view/surface.h"

#include "worker/view/colour.h"

enum { TAPS_MAX = 6 }; /* along one side of a pixel's footprint */

void surface_tables_fill(surface_tables *tables)
{
    for (int i = 0; i < 256; i++) tables->linear[i] = colour_srgb_to_linear(i / 255.0);
}

/* A texel index by glTF's wrap modes; `at` is a whole number. */
static uint32_t wrap_index(double at, uint32_t size, uint32_t mode)
{
    if (at >= 0 && at < size) return (uint32_t)at;
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

/* floor() without a call where baseline x86-64 has no instruction for it. */
static double whole_below(double x)
{
    if (!(fabs(x) < 2e9)) return floor(x);
    double whole = (int32_t)x;
    return whole > x ? whole - 1 : whole;
}

static const scene_material *material_of(const scene *s, uint32_t part)
{
    uint32_t index = s->parts[part].material;
    return index < s->material_count ? &s->materials[index] : NULL;
}

static const scene_texture *readable(const scene *s, const scene_mesh *mesh, uint32_t texture)
{
    const scene_texture *t = texture < s->texture_count ? &s->textures[texture] : NULL;
    return t && t->rgba && mesh->uv && t->width > 0 && t->height > 0 ? t : NULL;
}

static const scene_texture *texture_of(const scene *s, const scene_mesh *mesh, const scene_material *material)
{
    return material ? readable(s, mesh, material->texture) : NULL;
}

static void uv_at(const scene_mesh *mesh, uint32_t triangle, const double b[3], double ret[2])
{
    const uint32_t *at = mesh->index + 3 * (size_t)triangle;
    ret[0] = ret[1] = 0;
    for (int i = 0; i < 3; i++) {
        ret[0] += b[i] * mesh->uv[2 * (size_t)at[i]];
        ret[1] += b[i] * mesh->uv[2 * (size_t)at[i] + 1];
    }
}

bool surface_masked(const scene *s, uint32_t part)
{
    const scene_material *material = material_of(s, part);
    return material && material->alpha_cutoff > 0;
}

bool surface_has_hole(const scene *s, const surface_tables *tables, uint32_t part, uint32_t triangle, const double b[3])
{
    double rgba[4];
    if (!surface_masked(s, part)) return false;
    surface_colour(s, tables, part, triangle, b, true, rgba);
    return rgba[3] < (double)material_of(s, part)->alpha_cutoff;
}

/* How many taps a stretch of `texels` needs. */
static int taps_for(double texels)
{
    return !(texels > 1.3) ? 1 : texels < TAPS_MAX ? (int)(texels + 0.7) : TAPS_MAX;
}

/* The mean of the texture over uv + [-1/2, 1/2] dx + [-1/2, 1/2] dy. */
static void sample_over(const scene_texture *t, const surface_tables *tables, const double uv[2], const double dx[2],
                        const double dy[2], double rgba[4])
{
    double lx = sqrt(dx[0] * dx[0] * t->width * t->width + dx[1] * dx[1] * t->height * t->height);
    double ly = sqrt(dy[0] * dy[0] * t->width * t->width + dy[1] * dy[1] * t->height * t->height);
    int nx = taps_for(lx), ny = taps_for(ly), count = nx * ny;
    if (count == 1) {
        sample(t, tables, uv[0], uv[1], true, rgba);
        return;
    }
    for (int i = 0; i < 4; i++) rgba[i] = 0;
    double share = 1.0 / count, y = -0.5;
    for (int i = 0; i < count; i++) { /* a Fibonacci lattice: a grid would beat with tiles */
        double x = (i + 0.5) * share - 0.5;
        add_texel(t, tables, whole_below((uv[0] + x * dx[0] + y * dy[0]) * t->width),
                  whole_below((uv[1] + x * dx[1] + y * dy[1]) * t->height), share, rgba);
        y += y < 0.5 - 0.618033988749895 ? 0.618033988749895 : 0.618033988749895 - 1;
    }
}

/* The texture's mean over the pixel's footprint on a triangle. */
static void sample_footprint(const scene_texture *t, const surface_tables *tables, const scene_mesh *mesh,
                             uint32_t triangle, const double b[3], const double bx[3], const double by[3],
                             double rgba[4])
{
    double uv[2], right[2], below[2];
    uv_at(mesh, triangle, b, uv);
    uv_at(mesh, triangle, bx, right);
    uv_at(mesh, triangle, by, below);
    for (int i = 0; i < 2; i++) {
        right[i] -= uv[i];
        below[i] -= uv[i];
    }
    sample_over(t, tables, uv, right, below, rgba);
}

void surface_glow(const scene *s, const surface_tables *tables, uint32_t part, uint32_t triangle, const double b[3],
                  const double bx[3], const double by[3], float ret_rgb[3])
{
    const scene_mesh *mesh = &s->meshes[s->parts[part].mesh];
    const scene_material *material = material_of(s, part);
    for (int i = 0; i < 3; i++) ret_rgb[i] = material ? material->emissive[i] : 0;
    if (!material || material->emissive_texture == SCENE_NONE ||
        !(ret_rgb[0] > 0 || ret_rgb[1] > 0 || ret_rgb[2] > 0))
        return;
    const scene_texture *texture = readable(s, mesh, material->emissive_texture);
    double texel[4] = {0, 0, 0, 0};
    if (texture) sample_footprint(texture, tables, mesh, triangle, b, bx, by, texel);
    for (int i = 0; i < 3; i++) ret_rgb[i] *= (float)texel[i];
}

void surface_footprint(const scene *s, const surface_tables *tables, uint32_t part, uint32_t triangle,
                       const double b[3], const double bx[3], const double by[3], float ret_rgba[4])
{
    const scene_mesh *mesh = &s->meshes[s->parts[part].mesh];
    const scene_material *material = material_of(s, part);
    const scene_texture *texture = texture_of(s, mesh, material);
    double rgba[4] = {0.8, 0.8, 0.8, 1};
    for (int i = 0; i < 4 && material; i++) rgba[i] = (double)material->base_colour[i];
    if (texture) {
        double texel[4];
        sample_footprint(texture, tables, mesh, triangle, b, bx, by, texel);
        for (int i = 0; i < 4; i++) rgba[i] *= texel[i];
    }
    const uint32_t *at = mesh->index + 3 * (size_t)triangle;
    for (int i = 0; i < 4; i++) {
        double tint = mesh->colour ? 0 : 1;
        for (int j = 0; j < 3 && mesh->colour; j++) tint += b[j] * mesh->colour[4 * (size_t)at[j] + i];
        double value = rgba[i] * tint;
        ret_rgba[i] = (float)(value > 0 ? (value < 1 ? value : 1) : 0);
    }
}

void surface_colour(const scene *s, const surface_tables *tables, uint32_t part, uint32_t triangle, const double b[3],
                    bool smooth, double ret_rgba[4])
{
    const scene_mesh *mesh = &s->meshes[s->parts[part].mesh];
    const uint32_t *at = mesh->index + 3 * (size_t)triangle;
    double rgba[4] = {0.8, 0.8, 0.8, 1}; /* what has no material */
    const scene_material *material = material_of(s, part);
    const scene_texture *texture = texture_of(s, mesh, material);
    for (int i = 0; i < 4 && material; i++) rgba[i] = material->base_colour[i];
    if (texture) {
        double uv[2], texel[4];
        uv_at(mesh, triangle, b, uv);
        sample(texture, tables, uv[0], uv[1], smooth, texel);
        for (int i = 0; i < 4; i++) rgba[i] *= texel[i];
    }
    for (int i = 0; i < 4; i++) {
        double tint = mesh->colour ? 0 : 1;
        for (int j = 0; j < 3 && mesh->colour; j++) tint += b[j] * mesh->colour[4 * (size_t)at[j] + i];
        double value = rgba[i] * tint;
        ret_rgba[i] = value > 0 ? (value < 1 ? value : 1) : 0;
    }
}
