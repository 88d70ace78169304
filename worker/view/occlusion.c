/* Ambient occlusion in screen space: without it a thing on a table and a thing above it look the same. For every second
 * pixel, points in the half ball of 1 m over the surface (most of them near) are looked up in the z-buffer; those that
 * lie behind what is drawn there, but not far behind, take sky away. The pattern turns from pixel to pixel and a 4 x 4
 * mean over the same surface takes the noise out. */
#include "worker/view/shade.h"

#include <stdlib.h>

enum { DIRECTIONS = 16, TILE = 4 };

typedef struct grid { /* every second pixel */
    uint32_t width, height;
    float *raw, *mean, *depth;
} grid;

static double depth_at(const raster *r, size_t i)
{
    return r->camera.orthographic ? -r->nearness[i] : 1 / r->nearness[i];
}

/* Points on a sphere by the golden angle; radius grows with the square so that contacts are seen sharply. */
static vec3 spread(uint32_t i, uint32_t turn)
{
    double z = 1 - (2 * i + 1.0) / DIRECTIONS, ring = sqrt(1 - z * z), s, c;
    math_sincos(2.399963229728653 * i + turn * (2 * MATH_PI / (TILE * TILE)), &s, &c);
    uint32_t mixed = (i * 7 + turn * 5) % DIRECTIONS;
    double radius = (mixed + 0.7) / DIRECTIONS;
    return v3_scale(v3(ring * c, ring * s, z), radius * radius);
}

/* Column or row of a camera-space point, or -1 outside the picture. */
static long index_of(double value, const double *at, uint32_t count)
{
    if (count < 2) return -1;
    double i = (value - at[0]) / (at[count - 1] - at[0]) * (count - 1) + 0.5;
    return i >= 0 && i < count ? (long)i : -1;
}

static double occluded(const raster *r, vec3 p)
{
    bool ortho = r->camera.orthographic;
    if (!ortho && !(p.z > 1e-3)) return 0;
    long x = index_of(ortho ? p.x : p.x / p.z, r->u, r->width), y = index_of(ortho ? p.y : p.y / p.z, r->v, r->height);
    if (x < 0 || y < 0) return 0;
    size_t at = (size_t)y * r->width + (size_t)x;
    if (r->part[at] == SCENE_NONE) return 0;
    double behind = p.z - depth_at(r, at);
    if (!(behind > 0.002 + 0.001 * p.z)) return 0;
    return behind < 0.5 ? 1 : behind < 1 ? 2 - 2 * behind : 0;
}

static float free_sky(const raster *r, uint32_t x, uint32_t y, vec3 normal, const vec3 *pattern)
{
    double z = depth_at(r, (size_t)y * r->width + x), w = r->camera.orthographic ? 1 : z;
    const scene_camera *c = &r->camera;
    vec3 point = v3(r->u[x] * w, r->v[y] * w, z),
         n = v3(v3_dot(normal, c->right), v3_dot(normal, c->up), v3_dot(normal, c->forward));
    point = v3_add_scaled(point, n, 0.003 + 0.0015 * z);
    double taken = 0, all = 0;
    for (int i = 0; i < DIRECTIONS; i++) {
        vec3 d = pattern[i];
        double up = v3_dot(d, n);
        if (up < 0) {
            d = v3_scale(d, -1);
            up = -up;
        }
        double weight = 0.25 + up / (v3_length(d) + 1e-9);
        taken += weight * occluded(r, v3_add(point, d));
        all += weight;
    }
    double share = 1 - taken / all;
    return (float)(share < 1 ? 0.1 + 0.9 * share * share * share : 1);
}

/* The mean over a tile of the same surface: neighbours in depth. */
static float smoothed(const grid *g, uint32_t x, uint32_t y)
{
    float depth = g->depth[(size_t)y * g->width + x], sum = 0, weight = 0;
    for (int j = -TILE / 2; j < TILE / 2; j++)
        for (int i = -TILE / 2; i < TILE / 2; i++) {
            long column = (long)x + i, row = (long)y + j;
            if (column < 0 || row < 0 || column >= (long)g->width || row >= (long)g->height) continue;
            size_t at = (size_t)row * g->width + (size_t)column;
            float apart = g->depth[at] - depth;
            if (!(apart < 0.02f * depth && apart > -0.02f * depth)) continue;
            sum += g->raw[at];
            weight += 1;
        }
    return weight > 0 ? sum / weight : g->raw[(size_t)y * g->width + x];
}

/* A pixel's value from the four cells around it, of which those at its own depth count: no halo where surfaces part. */
static float between(const grid *g, uint32_t x, uint32_t y, float depth)
{
    float sum = 0, weight = 0;
    for (uint32_t j = 0; j < 2; j++)
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t column = (x + i) / 2, row = (y + j) / 2;
            column = column < g->width ? column : g->width - 1;
            row = row < g->height ? row : g->height - 1;
            size_t at = (size_t)row * g->width + column;
            float apart = g->depth[at] - depth, w = 1 / (0.002f + (apart < 0 ? -apart : apart) / depth);
            sum += w * g->mean[at];
            weight += w;
        }
    return sum / weight;
}

static etna_code grid_new(const raster *r, grid *ret, etna_error *err)
{
    grid g = {.width = (r->width + 1) / 2, .height = (r->height + 1) / 2};
    size_t count = (size_t)g.width * g.height;
    g.raw = malloc(3 * count * sizeof *g.raw);
    if (!g.raw) return etna_fail(err, ETNA_E_NOMEM, "no memory to shade %u x %u pixels", r->width, r->height);
    g.mean = g.raw + count;
    g.depth = g.mean + count;
    *ret = g;
    return ETNA_OK;
}

etna_code occlusion_fill(const raster *r, const vec3 *normals, float *ret, etna_error *err)
{
    grid g = {0};
    etna_code code = grid_new(r, &g, err);
    if (code != ETNA_OK) return code;
    vec3 pattern[TILE * TILE][DIRECTIONS];
    for (uint32_t t = 0; t < TILE * TILE; t++)
        for (uint32_t i = 0; i < DIRECTIONS; i++) pattern[t][i] = spread(i, t);
    for (uint32_t y = 0; y < g.height; y++)
        for (uint32_t x = 0; x < g.width; x++) {
            size_t at = (size_t)(2 * y) * r->width + 2 * x, to = (size_t)y * g.width + x;
            bool met = r->part[at] != SCENE_NONE;
            g.depth[to] = met ? (float)depth_at(r, at) : -1;
            g.raw[to] = met ? free_sky(r, 2 * x, 2 * y, normals[to], pattern[(y % TILE) * TILE + x % TILE]) : 1;
        }
    for (uint32_t y = 0; y < g.height; y++)
        for (uint32_t x = 0; x < g.width; x++) g.mean[(size_t)y * g.width + x] = smoothed(&g, x, y);
    for (uint32_t y = 0; y < r->height; y++)
        for (uint32_t x = 0; x < r->width; x++) {
            size_t at = (size_t)y * r->width + x;
            ret[at] = r->part[at] == SCENE_NONE ? 1 : between(&g, x, y, (float)depth_at(r, at));
        }
    free(g.raw);
    return ETNA_OK;
}
