/* Rays for shade (see shadow.h). Sixteen patterns in a 4 x 4 tile, each a sixteenth of one even spread; a mean over the
 * tile then sees the whole spread, so a few rays a cell do for smooth shade. */
#include "worker/view/shadow.h"

#include "worker/view/parallel.h"

#include <stdlib.h>
#include <string.h>

enum { TILE = 4, SKY_RAYS = 6, LAMP_RAYS = 3, BAND = 16, PATTERNS = TILE * TILE, ASKED = 4 };

typedef struct shadow_pattern {
    vec3 sky[SKY_RAYS];   /* unit, z up along the normal, cosine-weighted */
    double far[SKY_RAYS]; /* how far each looks, up to 1 m: what is near darkens more */
    double lamp[LAMP_RAYS][2], pick[LAMP_RAYS];
} pattern;

typedef struct filling {
    shadow *sh;
    const raster *r;
    const space *sp;
    const lights *l;
    float *sky, *lit; /* before the mean */
} filling;

static double radical(uint32_t i) /* van der Corput, base 2 */
{
    double value = 0, half = 0.5;
    for (; i; i >>= 1, half *= 0.5) value += (i & 1) * half;
    return value;
}

static void disk(double radius, double turn, double ret[2])
{
    double s, c;
    math_sincos(turn * 2 * MATH_PI, &s, &c);
    ret[0] = radius * c;
    ret[1] = radius * s;
}

static double fraction(double x)
{
    return x - floor(x);
}

static void make_patterns(pattern *patterns)
{
    for (uint32_t t = 0; t < PATTERNS; t++) {
        uint32_t mixed = (t * 7 + 3) % PATTERNS; /* neighbours in the tile are not neighbours in the spread */
        for (uint32_t i = 0; i < SKY_RAYS; i++) {
            uint32_t n = i * PATTERNS + mixed;
            double u = (n + 0.5) / (PATTERNS * SKY_RAYS), at[2];
            disk(sqrt(u), radical(n), at);
            patterns[t].sky[i] = v3(at[0], at[1], sqrt(1 - u));
            patterns[t].far[i] = 0.06 + 0.94 * fraction(n * 0.618033988749895 + 0.5);
        }
        for (uint32_t i = 0; i < LAMP_RAYS; i++) {
            uint32_t n = i * PATTERNS + mixed;
            disk(sqrt((n + 0.5) / (PATTERNS * LAMP_RAYS)), radical(n), patterns[t].lamp[i]);
            patterns[t].pick[i] = fraction(n * 0.7548776662466927 + 0.3);
        }
    }
}

static double depth_at(const raster *r, size_t i)
{
    return r->camera.orthographic ? -r->nearness[i] : 1 / r->nearness[i];
}

/* How far over the surface rays start: over what float rays and depth leave of it. */
static double offset_at(double depth)
{
    return 4e-4 + 4e-4 * depth;
}

static vec3 cell_point(const raster *r, const shadow *sh, uint32_t x, uint32_t y)
{
    const shadow_cell *cell = &sh->cells[(size_t)y * sh->width + x];
    const scene_camera *c = &r->camera;
    double z = (double)cell->depth, w = c->orthographic ? 1 : z;
    vec3 p = v3_add_scaled(c->position, c->forward, z);
    p = v3_add_scaled(v3_add_scaled(p, c->right, r->u[2 * x] * w), c->up, r->v[2 * y] * w);
    return v3_add_scaled(p, v3((double)cell->normal[0], (double)cell->normal[1], (double)cell->normal[2]),
                         offset_at(z));
}

static void fill_cells(const raster *r, const space *sp, const affine *placement, shadow *sh)
{
    const scene *s = space_scene(sp);
    const scene_camera *c = &r->camera;
    raster_face face = {.part = SCENE_NONE};
    for (uint32_t y = 0; y < sh->height; y++)
        for (uint32_t x = 0; x < sh->width; x++) {
            size_t at = (size_t)(2 * y) * r->width + 2 * x;
            shadow_cell *cell = &sh->cells[(size_t)y * sh->width + x];
            uint32_t part = r->part[at];
            *cell = (shadow_cell){.depth = -1};
            if (part == SCENE_NONE) continue;
            raster_face_set(r, s, &placement[part], part, r->triangle[at], &face);
            vec3 n = v3_normal(v3_cross(v3_sub(face.world[1], face.world[0]), v3_sub(face.world[2], face.world[0])));
            if (v3_dot(n, c->orthographic ? c->forward : v3_sub(face.world[0], c->position)) > 0) n = v3_scale(n, -1);
            *cell = (shadow_cell){(float)depth_at(r, at), {(float)n.x, (float)n.y, (float)n.z}};
        }
}

etna_code shadow_new(const raster *r, const space *sp, shadow *ret, light_point *points, uint32_t *ret_count,
                     etna_error *err)
{
    const scene *s = space_scene(sp);
    shadow sh = {.width = (r->width + 1) / 2, .height = (r->height + 1) / 2};
    size_t count = (size_t)sh.width * sh.height;
    affine *placement = malloc((s->part_count + 1u) * sizeof *placement);
    sh.cells = malloc(count * sizeof *sh.cells);
    sh.free_sky = malloc(count * sizeof *sh.free_sky);
    sh.lit = malloc(count * sizeof *sh.lit);
    sh.patterns = malloc(PATTERNS * sizeof *sh.patterns);
    if (!placement || !sh.cells || !sh.free_sky || !sh.lit || !sh.patterns) {
        free(placement);
        shadow_free(&sh);
        return etna_fail(err, ETNA_E_NOMEM, "no memory to shade %u x %u pixels", r->width, r->height);
    }
    for (uint32_t i = 0; i < s->part_count; i++) placement[i] = raster_placement(sp, i, NULL);
    make_patterns(sh.patterns);
    fill_cells(r, sp, placement, &sh);
    free(placement);
    uint32_t step = 1, taken = 0;
    while ((size_t)(sh.width / step + 1) * (sh.height / step + 1) > SHADOW_POINTS) step++;
    for (uint32_t y = step / 2; y < sh.height; y += step)
        for (uint32_t x = step / 2; x < sh.width; x += step) {
            const shadow_cell *cell = &sh.cells[(size_t)y * sh.width + x];
            if (!(cell->depth >= 0) || taken == SHADOW_POINTS) continue;
            points[taken].normal = v3((double)cell->normal[0], (double)cell->normal[1], (double)cell->normal[2]);
            points[taken++].at = cell_point(r, &sh, x, y);
        }
    *ret = sh;
    *ret_count = taken;
    return ETNA_OK;
}

void shadow_free(shadow *sh)
{
    if (!sh) return;
    free(sh->cells);
    free(sh->free_sky);
    free(sh->lit);
    free(sh->patterns);
    memset(sh, 0, sizeof *sh);
}

/* The lamps' light that arrives, of what would without shadow: each ray asks a lamp in proportion to what it gives. */
static float lamps_lit(const lights *l, const space *sp, const pattern *pat, vec3 p, vec3 n)
{
    double gives[LAMPS_MAX], all = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        vec3 toward;
        double distance;
        const lamp *it = &l->lamps[i];
        gives[i] = lamp_on(it, p, n, &toward, &distance) * (it->colour[0] + it->colour[1] + it->colour[2]);
        all += gives[i];
    }
    if (!(all > 0)) return 1;
    int lit = 0;
    for (uint32_t k = 0; k < LAMP_RAYS; k++) {
        double at = pat->pick[k] * all;
        uint32_t i = 0;
        while (i + 1 < l->count && at >= gives[i]) at -= gives[i++];
        lit += !lamp_shaded(l, sp, i, p, pat->lamp[k]);
    }
    return (float)lit / LAMP_RAYS;
}

static float sky_free(const lights *l, const space *sp, const pattern *pat, vec3 p, vec3 n)
{
    vec3 other = fabs(n.z) < 0.9 ? v3(0, 0, 1) : v3(1, 0, 0), a = v3_normal(v3_cross(n, other)), b = v3_cross(n, a);
    space_light light = lights_way(l, false);
    int open = 0;
    for (int i = 0; i < SKY_RAYS; i++) {
        vec3 d = v3_add_scaled(v3_add_scaled(v3_scale(a, pat->sky[i].x), b, pat->sky[i].y), n, pat->sky[i].z);
        open += !space_shaded(sp, &light, p, d, pat->far[i], NULL);
    }
    return (float)open / SKY_RAYS;
}

static void fill_band(void *context, uint32_t band)
{
    filling *f = context;
    shadow *sh = f->sh;
    for (uint32_t y = band * BAND; y < (band + 1) * BAND && y < sh->height; y++)
        for (uint32_t x = 0; x < sh->width; x++) {
            size_t at = (size_t)y * sh->width + x;
            const shadow_cell *cell = &sh->cells[at];
            f->sky[at] = f->lit[at] = 1;
            if (!(cell->depth >= 0)) continue;
            const pattern *pat = &sh->patterns[y % TILE * TILE + x % TILE];
            vec3 n = v3((double)cell->normal[0], (double)cell->normal[1], (double)cell->normal[2]),
                 p = cell_point(f->r, sh, x, y);
            f->sky[at] = sky_free(f->l, f->sp, pat, p, n);
            f->lit[at] = lamps_lit(f->l, f->sp, pat, p, n);
        }
}

static bool same_surface(const shadow_cell *a, const shadow_cell *b)
{
    float apart = a->depth - b->depth,
          turn = a->normal[0] * b->normal[0] + a->normal[1] * b->normal[1] + a->normal[2] * b->normal[2];
    return b->depth >= 0 && apart < 0.03f * a->depth && apart > -0.03f * a->depth && turn > 0.7f;
}

/* The mean over the cells of the same surface, `reach` to the left and above, one fewer to the other sides; how many
 * there were. */
static int mean_around(const filling *f, uint32_t x, uint32_t y, int reach, float *ret_sky, float *ret_lit)
{
    const shadow *sh = f->sh;
    size_t at = (size_t)y * sh->width + x;
    float sky = 0, lit = 0;
    int count = 0;
    for (int j = -reach; j < reach; j++)
        for (int i = -reach; i < reach; i++) {
            long column = (long)x + i, row = (long)y + j;
            if (column < 0 || row < 0 || column >= (long)sh->width || row >= (long)sh->height) continue;
            size_t other = (size_t)row * sh->width + (size_t)column;
            if (other != at && !same_surface(&sh->cells[at], &sh->cells[other])) continue;
            sky += f->sky[other];
            lit += f->lit[other];
            count++;
        }
    *ret_sky = sky / (float)count; /* at least the cell itself */
    *ret_lit = lit / (float)count;
    return count;
}

/* A tile; along the rim of a surface, where a tile holds too few of it to have all patterns, two by two of them. */
static void smooth_band(void *context, uint32_t band)
{
    filling *f = context;
    shadow *sh = f->sh;
    for (uint32_t y = band * BAND; y < (band + 1) * BAND && y < sh->height; y++)
        for (uint32_t x = 0; x < sh->width; x++) {
            size_t at = (size_t)y * sh->width + x;
            sh->free_sky[at] = sh->lit[at] = 1;
            if (!(sh->cells[at].depth >= 0)) continue;
            if (mean_around(f, x, y, TILE / 2, &sh->free_sky[at], &sh->lit[at]) < PATTERNS * 3 / 4)
                mean_around(f, x, y, TILE, &sh->free_sky[at], &sh->lit[at]);
        }
}

etna_code shadow_fill(shadow *sh, const raster *r, const space *sp, const lights *l, uint32_t threads, etna_error *err)
{
    size_t count = (size_t)sh->width * sh->height;
    filling *f = malloc(sizeof *f);
    float *raw = malloc(2 * count * sizeof *raw);
    if (!f || !raw) {
        free(f);
        free(raw);
        return etna_fail(err, ETNA_E_NOMEM, "no memory to shade %u x %u pixels", r->width, r->height);
    }
    *f = (filling){.sh = sh, .r = r, .sp = sp, .l = l, .sky = raw, .lit = raw + count};
    uint32_t bands = (sh->height + BAND - 1) / BAND;
    parallel_do(threads, bands, fill_band, f);
    parallel_do(threads, bands, smooth_band, f);
    free(raw);
    free(f);
    return ETNA_OK;
}

bool shadow_at(const shadow *sh, uint32_t x, uint32_t y, double depth, vec3 n, double *ret_sky, double *ret_lit)
{
    double sky = 0, lit = 0, weight = 0;
    bool near = false;
    *ret_sky = *ret_lit = 1;
    if (!sh->cells) return true;
    for (uint32_t j = 0; j < 2; j++)
        for (uint32_t i = 0; i < 2; i++) { /* the four cells around, those of this surface above all */
            uint32_t column = (x + i) / 2, row = (y + j) / 2;
            column = column < sh->width ? column : sh->width - 1;
            row = row < sh->height ? row : sh->height - 1;
            size_t at = (size_t)row * sh->width + column;
            const shadow_cell *cell = &sh->cells[at];
            if (!(cell->depth >= 0)) continue;
            double apart = fabs((double)cell->depth - depth) / depth,
                   turn = n.x * (double)cell->normal[0] + n.y * (double)cell->normal[1] + n.z * (double)cell->normal[2];
            near = near || (apart < 0.02 && turn > 0.7);
            double w = (turn > 0.05 ? turn : 0.05) / (0.002 + apart);
            sky += w * (double)sh->free_sky[at];
            lit += w * (double)sh->lit[at];
            weight += w;
        }
    if (!(weight > 0) || !isfinite(weight)) return false;
    *ret_sky = sky / weight;
    *ret_lit = lit / weight;
    return near;
}

void shadow_ask(const shadow *sh, const space *sp, const lights *l, vec3 p, vec3 n, double depth, uint32_t x,
                uint32_t y, double *ret_sky, double *ret_lit)
{
    uint32_t first = (y % TILE * TILE + x % TILE) % PATTERNS;
    double sky = 0, lit = 0;
    p = v3_add_scaled(p, n, offset_at(depth));
    for (uint32_t i = 0; i < ASKED; i++) {
        const pattern *pat = &sh->patterns[(first + i * (PATTERNS / ASKED)) % PATTERNS];
        sky += (double)sky_free(l, sp, pat, p, n);
        lit += (double)lamps_lit(l, sp, pat, p, n);
    }
    *ret_sky = sky / ASKED;
    *ret_lit = lit / ASKED;
}
