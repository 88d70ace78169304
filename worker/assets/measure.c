/* The surface is walked triangle by triangle: its colour is sampled at four
 * points of each, its shadow on the floor is marked in a grid. Colours count by
 * area, hidden faces too: what lies inside is mostly what shows outside. */
#include "worker/assets/measure.h"

#include "proto/array.h"
#include "proto/ascii.h"
#include "worker/math/colour.h"

#include <stdlib.h>
#include <string.h>

/* cells of the shadow a side: a round table's rim is told from a square's;
 * words of materials that are kept; points of a triangle */
enum {
    GRID = 96,
    MATERIAL_WORDS = 64,
    SAMPLES = 4
};
/* metres: beyond these a unit must be wrong */
static const double SIDE_MIN = 1e-4, SIDE_MAX = 1e4;

typedef struct measuring {
    const scene *s;
    double area, named[ASSET_COLOURS], clear, metal;
    uint8_t cell[GRID][GRID];
    vec3 low, high;
} measuring;

/* ---- colours ---- */

/* Examples of each name, encoded sRGB; the nearest in Lab gives its name. */
static const struct {
    uint8_t name, r, g, b;
} examples[] = {
    {0, 0, 0, 0},       {0, 38, 38, 40},     {1, 255, 255, 255},
    {1, 232, 232, 230}, {2, 75, 75, 77},     {2, 128, 128, 128},
    {2, 190, 190, 192}, {3, 200, 30, 35},    {3, 130, 20, 25},
    {3, 225, 70, 65},   {4, 240, 130, 25},   {4, 205, 95, 20},
    {5, 245, 220, 50},  {5, 200, 175, 30},   {5, 250, 235, 130},
    {6, 45, 140, 55},   {6, 30, 70, 35},     {6, 130, 190, 90},
    {6, 95, 120, 50},   {6, 60, 150, 130},   {7, 35, 70, 180},
    {7, 25, 35, 90},    {7, 110, 165, 220},  {7, 60, 110, 150},
    {8, 120, 45, 145},  {8, 75, 35, 90},     {8, 165, 125, 190},
    {9, 245, 165, 190}, {9, 225, 90, 150},   {9, 235, 195, 205},
    {10, 110, 70, 40},  {10, 65, 40, 25},    {10, 160, 110, 65},
    {10, 140, 75, 45},  {11, 225, 205, 170}, {11, 195, 170, 130},
};

/* By the nearest example in CIE Lab, which is how near colours look. The table
 * is made once a process; the helpers that call it have one thread. */
static uint32_t colour_name(const double linear[3])
{
    static double lab[COUNT_OF(examples)][3];
    static bool is_made;
    enum {
        COUNT = COUNT_OF(examples)
    };
    for (int i = 0; !is_made && i < COUNT; i++) {
        const double rgb[3] = {examples[i].r, examples[i].g, examples[i].b};
        colour_srgb255_to_lab(rgb, lab[i]);
    }
    is_made = true;
    double here[3], best = 1e9;
    uint32_t name = 0;
    colour_linear_to_lab(linear, here);
    for (int i = 0; i < COUNT; i++) {
        double d = colour_lab_distance(here, lab[i]);
        if (d >= best)
            continue;
        best = d;
        name = examples[i].name;
    }
    return name;
}

/* Repeats, whatever the sampler says: colours of a mean need no more. */
static uint32_t texel_wrap(double at, uint32_t size)
{
    double whole = floor(at);
    double part = at - whole;
    uint32_t i = part >= 0 && part < 1 ? (uint32_t)(part * size) : 0;
    return i < size ? i : size - 1;
}

/* Of the texture at that place of the triangle, linear; alpha last. False:
 * there is none. */
static bool texture_at(const scene *s,
                       const scene_material *m,
                       const scene_mesh *mesh,
                       const uint32_t v[3],
                       const double at[3],
                       double ret[4])
{
    if (m->texture == SCENE_NONE || !mesh->uv)
        return false;
    const scene_texture *t = &s->textures[m->texture];
    if (!t->rgba || !t->width || !t->height)
        return false;
    double uv[2] = {0, 0};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 2; k++)
            uv[k] += at[i] * (double)mesh->uv[2 * (size_t)v[i] + (size_t)k];
    }
    uint32_t x = texel_wrap(uv[0], t->width);
    uint32_t y = texel_wrap(uv[1], t->height);
    const uint8_t *p = t->rgba + 4 * ((size_t)y * t->width + x);
    for (int k = 0; k < 3; k++)
        ret[k] = colour_srgb_to_linear(p[k] / 255.0);
    ret[3] = p[3] / 255.0;
    return true;
}

/* Holes (alpha below the cutoff) have no colour; what is clear counts with its
 * alpha, so that a glass is not black. */
static void surface_add(measuring *m,
                        const scene_part *part,
                        const uint32_t v[3],
                        double area)
{
    static const double at[SAMPLES][3] = {{1 / 3.0, 1 / 3.0, 1 / 3.0},
                                          {0.6, 0.2, 0.2},
                                          {0.2, 0.6, 0.2},
                                          {0.2, 0.2, 0.6}};
    const scene_material *material = &m->s->materials[part->material];
    const scene_mesh *mesh = &m->s->meshes[part->mesh];
    for (int i = 0; i < SAMPLES; i++) {
        double texel[4] = {1, 1, 1, 1};
        double linear[3];
        texture_at(m->s, material, mesh, v, at[i], texel);
        double alpha = texel[3] * (double)material->base_colour[3];
        double share = area / SAMPLES;
        bool is_hole = material->alpha_cutoff > 0 &&
                       alpha < (double)material->alpha_cutoff;
        bool is_clear = scene_material_is_clear(material) && alpha < 0.9;
        if (is_hole)
            continue;
        m->area += share;
        if (is_clear || material->transmission > 0.05f)
            m->clear += share;
        if (material->metallic > 0.5f)
            m->metal += share;
        for (int k = 0; k < 3; k++) {
            double vertex =
                mesh->colour
                    ? (double)mesh->colour[4 * (size_t)v[0] + (size_t)k]
                    : 1;
            linear[k] = texel[k] * (double)material->base_colour[k] * vertex;
        }
        m->named[colour_name(linear)] += is_clear ? share * alpha : share;
    }
}

/* ---- the outline from above ---- */

static double grid_at(double v, double low, double high)
{
    return high > low ? (v - low) / (high - low) * GRID : 0;
}

static int grid_cell(double v)
{
    if (!(v > 0))
        return 0;
    return v < GRID ? (int)v : GRID - 1;
}

/* Marks the cells whose middles lie in the triangle, and those of its
 * corners. */
static void shadow_add(measuring *m, const vec3 p[3])
{
    double x[3], y[3], x0 = GRID, x1 = 0, y0 = GRID, y1 = 0;
    for (int i = 0; i < 3; i++) {
        x[i] = grid_at(p[i].x, m->low.x, m->high.x);
        y[i] = grid_at(p[i].y, m->low.y, m->high.y);
        x0 = fmin(x0, x[i]), x1 = fmax(x1, x[i]);
        y0 = fmin(y0, y[i]), y1 = fmax(y1, y[i]);
        m->cell[grid_cell(y[i])][grid_cell(x[i])] = 1;
    }
    double turn = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    for (int row = grid_cell(y0); turn != 0 && row <= grid_cell(y1); row++) {
        for (int column = grid_cell(x0); column <= grid_cell(x1); column++) {
            bool is_in = true;
            for (int i = 0; i < 3 && is_in; i++) {
                int k = (i + 1) % 3;
                double side = (x[k] - x[i]) * (row + 0.5 - y[i]) -
                              (column + 0.5 - x[i]) * (y[k] - y[i]);
                is_in = side * turn >= 0;
            }
            if (is_in)
                m->cell[row][column] = 1;
        }
    }
}

/* An ellipse leaves 2 % of its shadow outside of it at most and fills 94 % of
 * it, with a margin of 6 % for the grid; round when its axes differ by less
 * than a tenth. */
static void shadow_judge(const measuring *m, asset_shape *ret)
{
    int all = 0, outside = 0, inside = 0, ellipse = 0;
    for (int row = 0; row < GRID; row++) {
        for (int column = 0; column < GRID; column++) {
            double dx = (column + 0.5) / GRID * 2 - 1;
            double dy = (row + 0.5) / GRID * 2 - 1;
            double r = dx * dx + dy * dy;
            all += m->cell[row][column];
            if (r > 1.06)
                outside += m->cell[row][column];
            if (r > 0.94)
                continue;
            ellipse++;
            inside += m->cell[row][column];
        }
    }
    double wide = m->high.x - m->low.x;
    double deep = m->high.y - m->low.y;
    bool is_ellipse = outside * 50 <= all && inside * 100 >= ellipse * 94;
    ret->foot = (uint8_t)(all * 100 / (GRID * GRID));
    ret->round = is_ellipse && fmin(wide, deep) > 0.9 * fmax(wide, deep);
    ret->oval = is_ellipse && !ret->round;
}

/* ---- words ---- */

static int word_order(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Where the word that begins at `name` ends: with the letters, or before a
 * capital. */
static size_t word_length(const char *name)
{
    size_t n = 0;
    while (ascii_is_letter(name[n])) {
        if (n && ascii_is_upper(name[n]) && ascii_is_lower(name[n - 1]))
            break;
        n++;
    }
    return n;
}

/* The words of a name, split where letters end and where a capital begins. */
static uint32_t words_split(const char *name,
                            etna_arena *arena,
                            const char **list,
                            uint32_t count)
{
    while (*name && count < MATERIAL_WORDS) {
        while (*name && !ascii_is_letter(*name))
            name++;
        size_t n = word_length(name);
        char *word =
            n > 2 && n < 24 ? etna_arena_strndup(arena, name, n) : NULL;
        for (char *c = word; c && *c; c++)
            *c = ascii_lower(*c);
        if (word)
            list[count++] = word;
        name += n;
    }
    return count;
}

/* Sorted and each once, in lower case, between spaces; searched by strstr
 * (fields.c). */
static const char *materials_words(const scene *s, etna_arena *arena)
{
    const char *list[MATERIAL_WORDS], *before = "";
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->material_count; i++)
        count = words_split(s->materials[i].name, arena, list, count);
    if (count)
        qsort(list, count, sizeof *list, word_order);
    size_t size = 1;
    for (uint32_t i = 0; i < count; i++)
        size += strlen(list[i]) + 1;
    char *text = etna_arena_alloc(arena, size, 1);
    char *to = text;
    for (uint32_t i = 0; text && i < count; i++) {
        if (strcmp(list[i], before) == 0)
            continue;
        before = list[i];
        if (to > text)
            *to++ = ' ';
        memcpy(to, before, strlen(before));
        to += strlen(before);
    }
    return text;
}

/* ---- the whole ---- */

static void triangles_walk(measuring *m, asset_shape *ret)
{
    const scene *s = m->s;
    for (uint32_t i = 0; i < s->part_count; i++) {
        const scene_part *part = &s->parts[i];
        const scene_mesh *mesh = &s->meshes[part->mesh];
        ret->triangles += mesh->triangle_count;
        for (uint32_t t = 0; t < mesh->triangle_count; t++) {
            const uint32_t *v = mesh->index + 3 * (size_t)t;
            const vec3 p[3] = {scene_vertex(s, part, v[0]),
                               scene_vertex(s, part, v[1]),
                               scene_vertex(s, part, v[2])};
            vec3 n = v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0]));
            surface_add(m, part, v, sqrt(v3_dot(n, n)) / 2);
            shadow_add(m, p);
        }
    }
}

static uint8_t percent(double part, double whole)
{
    return whole > 0 ? (uint8_t)(part / whole * 100 + 0.5) : 0;
}

/* What was measured of a thing without a sensible size is not given: *ret is
 * untouched. */
etna_code asset_measure(const scene *s,
                        etna_arena *arena,
                        asset_shape *ret,
                        etna_error *err)
{
    asset_shape shape = {.materials = materials_words(s, arena)};
    measuring *m = calloc(1, sizeof *m);
    if (!m || !shape.materials) {
        free(m);
        return etna_fail(err, ETNA_E_NOMEM, "no memory to measure an asset");
    }
    m->s = s;
    m->low = s->min;
    m->high = s->max;
    shape.size[0] = m->high.x - m->low.x;
    shape.size[1] = m->high.z - m->low.z;
    shape.size[2] = m->high.y - m->low.y;
    triangles_walk(m, &shape);
    double most = fmax(shape.size[0], fmax(shape.size[1], shape.size[2]));
    bool is_sized = shape.triangles && most > SIDE_MIN && most < SIDE_MAX &&
                    shape.size[0] >= 0 && shape.size[1] >= 0 &&
                    shape.size[2] >= 0;
    for (int k = 0; k < ASSET_COLOURS; k++)
        shape.colour[k] = percent(m->named[k], m->area);
    shape.clear = percent(m->clear, m->area);
    shape.metal = percent(m->metal, m->area);
    shadow_judge(m, &shape);
    free(m);
    if (!is_sized)
        return etna_fail(err, ETNA_E_INPUT,
                         "it is empty, or its size is none that a thing has");
    *ret = shape;
    return ETNA_OK;
}
