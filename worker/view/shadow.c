/* Rays for shade (see shadow.h). A cell casts few of them, so that what it says
 * alone is coarse; but neighbouring cells look in different directions, spread
 * so that any few cells together see all of them (Roberts' R2 lattice), and a
 * tent over seven by seven cells of the same plane, made of two boxes of four,
 * leaves no grain and no steps. */
#include "worker/view/shadow.h"

#include "worker/view/parallel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    TILE = 16,
    SKY_RAYS = 6,
    LAMP_RAYS = 3,
    BAND = 16,
    PATTERNS = TILE * TILE
};
enum {
    BOX = 4,
    FEW = 3 * BOX * BOX
}; /* a tent holds up to 256 boxed cells; with fewer than FEW it is widened */

typedef struct shadow_pattern {
    vec3 sky[SKY_RAYS]; /* unit, z up along the normal, cosine-weighted */
    /* how far each looks, up to 1 m: what is near darkens more */
    double far[SKY_RAYS];
    double lamp[LAMP_RAYS][2], pick[LAMP_RAYS];
} pattern;

/* What counts as one surface: a part of the distance to the eye over the
 * other's plane, and the cosine between. */
static const float level = 0.004f, bend = 0.8f;

typedef struct shadow_sum {
    float sky, lit, count;
} shadow_sum;

typedef struct filling {
    shadow *sh;
    const raster *r;
    const space *sp;
    const lights *l;
    shadow_sum *cast, *boxed; /* per cell: its own rays; those around, too */
} filling;

/* A point at `turn` (1: all the way round). */
static void shadow_disk(double radius, double turn, double ret[2])
{
    double s, c;
    math_sincos(turn * 2 * MATH_PI, &s, &c);
    ret[0] = radius * c;
    ret[1] = radius * s;
}

static double shadow_fraction(double x)
{
    return x - floor(x);
}

/* The constants are those of Roberts' sequences in two, three and four
 * dimensions. Turns step by the golden ratio. */
static void make_patterns(pattern *patterns)
{
    for (uint32_t t = 0; t < PATTERNS; t++) {
        double x = t % TILE;
        double y = t / TILE;
        double radius =
            shadow_fraction(0.7548776662466927 * x + 0.5698402909980532 * y);
        double turn =
            shadow_fraction(0.8191725133961645 * x + 0.6710436067037893 * y);
        double reach =
            shadow_fraction(0.5497004779019703 * x + 0.8566748838545029 * y);
        for (uint32_t i = 0; i < SKY_RAYS; i++) {
            double u = (i + radius) / SKY_RAYS;
            double at[2];
            shadow_disk(sqrt(u), turn + i * 0.618033988749895, at);
            patterns[t].sky[i] = v3(at[0], at[1], sqrt(1 - u));
            patterns[t].far[i] =
                0.06 + 0.94 * shadow_fraction(reach + i * 0.7548776662466927);
        }
        for (uint32_t i = 0; i < LAMP_RAYS; i++) {
            shadow_disk(sqrt((i + radius) / LAMP_RAYS),
                        turn + i * 0.618033988749895, patterns[t].lamp[i]);
            patterns[t].pick[i] = (i + reach) / LAMP_RAYS;
        }
    }
}

/* Metres along the view, from nearness. */
static double depth_at(const raster *r, size_t i)
{
    return r->camera.orthographic ? -r->nearness[i] : 1 / r->nearness[i];
}

/* How far over the surface rays start: over what float rays and depth leave of
 * it. */
static double offset_at(double depth)
{
    return 4e-4 + 4e-4 * depth;
}

static vec3 cell_normal(const shadow_cell *cell)
{
    return v3((double)cell->normal[0], (double)cell->normal[1],
              (double)cell->normal[2]);
}

/* Where the cell's rays start. */
static vec3 cell_point(const raster *r, const shadow_cell *cell)
{
    vec3 p =
        v3_add(r->camera.position, v3((double)cell->at[0], (double)cell->at[1],
                                      (double)cell->at[2]));
    return v3_add_scaled(p, cell_normal(cell), offset_at((double)cell->depth));
}

/* Of the surface that the raster met at a pixel's first sample. */
static shadow_cell shadow_cell_of(const raster *r,
                                  const raster_face *face,
                                  uint32_t x,
                                  uint32_t y)
{
    const scene_camera *c = &r->camera;
    vec3 n = v3_normal(v3_cross(v3_sub(face->world[1], face->world[0]),
                                v3_sub(face->world[2], face->world[0])));
    if (v3_dot(n, c->orthographic ? c->forward
                                  : v3_sub(face->world[0], c->position)) > 0)
        n = v3_scale(n, -1);
    double z = depth_at(r, ((size_t)y * r->width + x) * r->samples);
    double w = c->orthographic ? 1 : z;
    vec3 p = v3_add_scaled(v3_scale(c->forward, z), c->right,
                           r->u[x * r->samples] * w);
    p = v3_add_scaled(p, c->up, r->v[y * r->samples] * w);
    return (shadow_cell){(float)z,
                         {(float)p.x, (float)p.y, (float)p.z},
                         {(float)n.x, (float)n.y, (float)n.z}};
}

typedef struct celling {
    const raster *r;
    const scene *s;
    const affine *placement;
    shadow *sh;
} celling;

/* A cell stands for two by two pixels: light changes slowly over a surface.
 * depth -1: nothing is there. */
static void cells_band(void *context, uint32_t band)
{
    const celling *c = context;
    const raster *r = c->r;
    shadow *sh = c->sh;
    raster_face face = {.part = SCENE_NONE};
    for (uint32_t y = band * BAND; y < (band + 1) * BAND && y < sh->height; y++)
        for (uint32_t x = 0; x < sh->width; x++) {
            size_t at = ((size_t)(2 * y) * r->width + 2 * x) * r->samples;
            shadow_cell *cell = &sh->cells[(size_t)y * sh->width + x];
            uint32_t part = r->part[at];
            *cell = (shadow_cell){.depth = -1};
            if (part == SCENE_NONE)
                continue;
            raster_face_set(r, c->s, &c->placement[part], part, r->triangle[at],
                            &face);
            *cell = shadow_cell_of(r, &face, 2 * x, 2 * y);
        }
}

/* Evenly picked pixels that show something, at most SHADOW_POINTS. Returns how
 * many. */
static uint32_t shadow_pick_points(const raster *r,
                                   const shadow *sh,
                                   light_point *points)
{
    uint32_t step = 1, taken = 0;
    while ((size_t)(sh->width / step + 1) * (sh->height / step + 1) >
           SHADOW_POINTS)
        step++;
    for (uint32_t y = step / 2; y < sh->height; y += step)
        for (uint32_t x = step / 2; x < sh->width; x += step) {
            const shadow_cell *cell = &sh->cells[(size_t)y * sh->width + x];
            if (!(cell->depth >= 0) || taken == SHADOW_POINTS)
                continue;
            points[taken].normal = cell_normal(cell);
            points[taken++].at = cell_point(r, cell);
        }
    return taken;
}

/* The raster must be drawn. Also picks points for lights_choose; `points` needs
 * room for SHADOW_POINTS. */
etna_code shadow_new(const raster *r,
                     const space *sp,
                     uint32_t threads,
                     shadow *ret,
                     light_point *points,
                     uint32_t *ret_count,
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
    bool has_cells = sh.cells && sh.free_sky && sh.lit;
    if (!placement || !has_cells || !sh.patterns) {
        free(placement);
        shadow_free(&sh);
        return etna_fail(err, ETNA_E_NOMEM, "no memory to shade %u x %u pixels",
                         r->width, r->height);
    }
    for (uint32_t i = 0; i < s->part_count; i++)
        placement[i] = raster_placement(sp, i, NULL);
    make_patterns(sh.patterns);
    celling c = {.r = r, .s = s, .placement = placement, .sh = &sh};
    parallel_do(threads, (sh.height + BAND - 1) / BAND, cells_band, &c);
    free(placement);
    *ret_count = shadow_pick_points(r, &sh, points);
    *ret = sh;
    return ETNA_OK;
}

void shadow_free(shadow *sh)
{
    if (!sh)
        return;
    free(sh->cells);
    free(sh->free_sky);
    free(sh->lit);
    free(sh->patterns);
    memset(sh, 0, sizeof *sh);
}

/* The lamps' light that arrives, of what would without shadow: each ray asks a
 * lamp in proportion to what it gives. */
static float lamps_lit(
    const lights *l, const space *sp, const pattern *pat, vec3 p, vec3 n)
{
    double gives[LAMPS_MAX], all = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        vec3 toward;
        double distance;
        const lamp *it = &l->lamps[i];
        gives[i] = lamp_on(it, p, n, &toward, &distance) *
                   (it->colour[0] + it->colour[1] + it->colour[2]);
        all += gives[i];
    }
    if (!(all > 0))
        return 1;
    int lit = 0;
    for (uint32_t k = 0; k < LAMP_RAYS; k++) {
        double at = pat->pick[k] * all;
        uint32_t i = 0;
        while (i + 1 < l->count && at >= gives[i])
            at -= gives[i++];
        lit += !lamp_shaded(l, sp, i, p, pat->lamp[k]);
    }
    return (float)lit / LAMP_RAYS;
}

/* Share of the pattern's rays that get as far as they look. */
static float sky_free(
    const lights *l, const space *sp, const pattern *pat, vec3 p, vec3 n)
{
    vec3 other = fabs(n.z) < 0.9 ? v3(0, 0, 1) : v3(1, 0, 0);
    vec3 a = v3_normal(v3_cross(n, other));
    vec3 b = v3_cross(n, a);
    space_light light = lights_way(l, false);
    int open = 0;
    for (int i = 0; i < SKY_RAYS; i++) {
        vec3 d = v3_add_scaled(
            v3_add_scaled(v3_scale(a, pat->sky[i].x), b, pat->sky[i].y), n,
            pat->sky[i].z);
        double kept = camera_cut_reach(l->camera, p, d);
        open +=
            !space_shaded(sp, &light, p, d, math_min(pat->far[i], kept), NULL);
    }
    return (float)open / SKY_RAYS;
}

/* Do they lie on one plane, or on a gentle bend? */
static bool shadow_cell_same_surface(const shadow_cell *a, const shadow_cell *b)
{
    float x = b->at[0] - a->at[0];
    float y = b->at[1] - a->at[1];
    float z = b->at[2] - a->at[2];
    float slack = level * a->depth;
    float over = a->normal[0] * x + a->normal[1] * y + a->normal[2] * z;
    float turn = a->normal[0] * b->normal[0] + a->normal[1] * b->normal[1] +
                 a->normal[2] * b->normal[2];
    bool is_level = over < slack && over > -slack;
    return b->depth >= 0 && is_level && turn > bend;
}

/* Whether it lies in the picture. */
static bool shadow_has_cell(const shadow *sh, long column, long row)
{
    bool is_across = column >= 0 && column < (long)sh->width;
    return is_across && row >= 0 && row < (long)sh->height;
}

/* Is all that the four neighbours saw the same, all light or none, all of the
 * sky? Then this cell would see it, too. */
static void shadow_foresee(
    const filling *f, uint32_t x, uint32_t y, bool *ret_sky, bool *ret_lamps)
{
    const shadow *sh = f->sh;
    size_t at = (size_t)y * sh->width + x;
    *ret_sky = *ret_lamps = false;
    bool is_at_side = x == 0 || x + 1 >= sh->width;
    if (is_at_side || y == 0 || y + 1 >= sh->height)
        return;
    const size_t around[4] = {at - 1, at + 1, at - sh->width, at + sh->width};
    float sky = 0, lit = 0;
    for (int i = 0; i < 4; i++) {
        if (!shadow_cell_same_surface(&sh->cells[at], &sh->cells[around[i]]))
            return;
        sky += f->cast[around[i]].sky;
        lit += f->cast[around[i]].lit;
    }
    *ret_sky = sky >= 4;
    *ret_lamps = lit >= 4 || lit <= 0;
}

/* One colour of a checkerboard; the other casts only where neighbours
 * disagree. */
static void fill_band(const filling *f, uint32_t band, uint32_t colour)
{
    shadow *sh = f->sh;
    for (uint32_t y = band * BAND; y < (band + 1) * BAND && y < sh->height; y++)
        for (uint32_t x = (y + colour) % 2; x < sh->width; x += 2) {
            size_t at = (size_t)y * sh->width + x;
            const shadow_cell *cell = &sh->cells[at];
            if (!(cell->depth >= 0))
                continue;
            const pattern *pat = &sh->patterns[y % TILE * TILE + x % TILE];
            vec3 n = cell_normal(cell);
            vec3 p = cell_point(f->r, cell);
            bool sky = false, lamps = false;
            if (colour > 0)
                shadow_foresee(f, x, y, &sky, &lamps);
            f->cast[at] =
                (shadow_sum){.sky = sky ? 1 : sky_free(f->l, f->sp, pat, p, n),
                             .lit = lamps ? f->cast[at - 1].lit
                                          : lamps_lit(f->l, f->sp, pat, p, n),
                             .count = 1};
        }
}

static void fill_black(void *context, uint32_t band)
{
    fill_band(context, band, 0);
}

static void fill_white(void *context, uint32_t band)
{
    fill_band(context, band, 1);
}

/* The sums over the cells of the same surface from `before` to `after` to all
 * sides. */
static shadow_sum sum_around(const shadow *sh,
                             const shadow_sum *from,
                             uint32_t x,
                             uint32_t y,
                             int before,
                             int after)
{
    const shadow_cell *cell = &sh->cells[(size_t)y * sh->width + x];
    shadow_sum sum = {0};
    for (int j = -before; j <= after; j++)
        for (int i = -before; i <= after; i++) {
            long column = (long)x + i;
            long row = (long)y + j;
            if (!shadow_has_cell(sh, column, row))
                continue;
            size_t other = (size_t)row * sh->width + (size_t)column;
            if (!shadow_cell_same_surface(cell, &sh->cells[other]))
                continue;
            sum.sky += from[other].sky;
            sum.lit += from[other].lit;
            sum.count += from[other].count;
        }
    return sum;
}

/* The first of two boxes; only cells that show something. */
static void box_band(void *context, uint32_t band)
{
    filling *f = context;
    const shadow *sh = f->sh;
    for (uint32_t y = band * BAND; y < (band + 1) * BAND && y < sh->height; y++)
        for (uint32_t x = 0; x < sh->width; x++) {
            size_t at = (size_t)y * sh->width + x;
            if (sh->cells[at].depth >= 0)
                f->boxed[at] =
                    sum_around(sh, f->cast, x, y, BOX / 2, BOX / 2 - 1);
        }
}

/* The other box makes it a tent; what is narrow, or lies along a rim, is seen
 * farther along. */
static void tent_band(void *context, uint32_t band)
{
    filling *f = context;
    shadow *sh = f->sh;
    for (uint32_t y = band * BAND; y < (band + 1) * BAND && y < sh->height; y++)
        for (uint32_t x = 0; x < sh->width; x++) {
            size_t at = (size_t)y * sh->width + x;
            sh->free_sky[at] = sh->lit[at] = 1;
            if (!(sh->cells[at].depth >= 0))
                continue;
            shadow_sum sum =
                sum_around(sh, f->boxed, x, y, BOX / 2 - 1, BOX / 2);
            if (sum.count < FEW)
                sum = sum_around(sh, f->boxed, x, y, BOX, BOX);
            if (!(sum.count > 0))
                /* a plane too far away for float numbers to say it */
                sum = f->cast[at];
            sh->free_sky[at] = sum.sky / sum.count;
            sh->lit[at] = sum.lit / sum.count;
        }
}

/* Four passes over all cells, each needs the one before complete: half of the
 * cells cast, the others cast where they have to, then two blurs. */
etna_code shadow_fill(shadow *sh,
                      const raster *r,
                      const space *sp,
                      const lights *l,
                      uint32_t threads,
                      etna_error *err)
{
    size_t count = (size_t)sh->width * sh->height;
    filling *f = malloc(sizeof *f);
    shadow_sum *sums = calloc(2 * count, sizeof *sums);
    if (!f || !sums) {
        free(f);
        free(sums);
        return etna_fail(err, ETNA_E_NOMEM, "no memory to shade %u x %u pixels",
                         r->width, r->height);
    }
    *f = (filling){.sh = sh,
                   .r = r,
                   .sp = sp,
                   .l = l,
                   .cast = sums,
                   .boxed = sums + count};
    uint32_t bands = (sh->height + BAND - 1) / BAND;
    parallel_do(threads, bands, fill_black, f);
    parallel_do(threads, bands, fill_white, f);
    parallel_do(threads, bands, box_band, f);
    parallel_do(threads, bands, tent_band, f);
    free(sums);
    free(f);
    return ETNA_OK;
}

/* Adds a cell with what it weighs at a point (relative to the camera) with
 * normal n; false when it is of another surface. */
static bool shadow_weigh(const shadow *sh,
                         long column,
                         long row,
                         double share,
                         const double at[3],
                         vec3 n,
                         double sum[3])
{
    if (!shadow_has_cell(sh, column, row))
        return false;
    size_t index = (size_t)row * sh->width + (size_t)column;
    const shadow_cell *cell = &sh->cells[index];
    if (!(cell->depth >= 0))
        return false;
    vec3 m = cell_normal(cell);
    double turn = v3_dot(n, m);
    double slack = 2 * (double)level * (double)cell->depth;
    double over = fabs(m.x * (at[0] - (double)cell->at[0]) +
                       m.y * (at[1] - (double)cell->at[1]) +
                       m.z * (at[2] - (double)cell->at[2]));
    if (!(over < slack) || !(turn > (double)bend))
        return false;
    share *= (1 - over / slack) * (turn - (double)bend) + 1e-6;
    sum[0] += share * (double)sh->free_sky[index];
    sum[1] += share * (double)sh->lit[index];
    sum[2] += share;
    return true;
}

/* How much sky and lamp light arrives at a point of pixel (x, y); `at` is
 * relative to the camera, n unit. False: no cell near is of this surface, and
 * who asks must cast rays (shadow_ask). Without cells all is lit. */
bool shadow_at(const shadow *sh,
               uint32_t x,
               uint32_t y,
               vec3 at,
               vec3 n,
               double *ret_sky,
               double *ret_lit)
{
    double sum[3] = {0};
    const double p[3] = {at.x, at.y, at.z};
    *ret_sky = *ret_lit = 1;
    if (!sh->cells)
        return true;
    /* Cells are at even pixels: those before and after, the nearer the heavier;
     * then those around them. */
    long column = x / 2;
    long row = y / 2;
    long columns = 1 + x % 2;
    long rows = 1 + y % 2;
    const double across[2] = {columns == 2 ? 0.5 : 1, 0.5};
    const double down[2] = {rows == 2 ? 0.5 : 1, 0.5};
    bool any = false;
    for (long j = 0; j < rows; j++)
        for (long i = 0; i < columns; i++)
            any = shadow_weigh(sh, column + i, row + j, across[i] * down[j], p,
                               n, sum) ||
                  any;
    for (long j = -1; j <= 2 && !any; j++)
        for (long i = -1; i <= 2; i++)
            any = shadow_weigh(sh, column + i, row + j, 1, p, n, sum) || any;
    if (!any || !(sum[2] > 0))
        return false;
    *ret_sky = sum[0] / sum[2];
    *ret_lit = sum[1] / sum[2];
    return true;
}

/* Casts `times` patterns for one point. Patterns are taken far apart in the
 * tile, so that they differ. */
void shadow_ask(const shadow *sh,
                const space *sp,
                const lights *l,
                vec3 p,
                vec3 n,
                double depth,
                uint32_t x,
                uint32_t y,
                uint32_t times,
                double *ret_sky,
                double *ret_lit)
{
    assert(times > 0 && times <= PATTERNS);
    uint32_t first = y % TILE * TILE + x % TILE;
    double sky = 0, lit = 0;
    p = v3_add_scaled(p, n, offset_at(depth));
    for (uint32_t i = 0; i < times; i++) {
        const pattern *pat =
            &sh->patterns[(first + i * (PATTERNS / times)) % PATTERNS];
        sky += (double)sky_free(l, sp, pat, p, n);
        lit += (double)lamps_lit(l, sp, pat, p, n);
    }
    *ret_sky = sky / times;
    *ret_lit = lit / times;
}
