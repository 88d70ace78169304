/* Where the air is that people and things are in (METHODS.md 6, Reach): cells
 * that no triangle touches, and of these the ones connected with a place where
 * somebody could stand. A set of bits, 64 cells of a row to a word, so that
 * eroding and flooding work on words.
 *
 * A scene without a ceiling lies under the sky: what is above it or beside it
 * is open, and the flood begins there, too. Under a ceiling what is outside the
 * scene's box is nobody's place. */
#include "worker/space/space_internal.h"

#include <stdlib.h>
#include <string.h>

#define CELL 0.05     /* metres */
#define CELLS_MAX 2e7 /* more are made coarser */
/* metres: coarser cells would tell nothing, and everything counts as open */
#define CELL_MOST 0.2
#define AROUND \
    4.0 /* metres round what is movable, in a scene too large for fine cells */
#define STAND_WIDE 0.8 /* metres: a place to stand */
#define STAND_HIGH 1.6
#define NEAR_THINGS \
    0.1 /* metres: air this near a movable thing is where things are */
/* of the movable things have something static above them: there is a ceiling */
#define COVERED_SHARE 0.5

typedef uint64_t word;

struct space_air {
    atomic_uint references;
    etna_hash key;
    double cell;
    vec3 origin;
    box3 scene;           /* of all but strays */
    bool sky;             /* no ceiling */
    bool blind;           /* nothing is known: all is open */
    uint32_t n[3], words; /* cells along x, y, z; words a row */
    word *open;
};

void space_air_free(space_air *air)
{
    if (!air || atomic_fetch_sub(&air->references, 1) != 1)
        return;
    free(air->open);
    free(air);
}

static size_t air_words(const space_air *a)
{
    return (size_t)a->words * a->n[1] * a->n[2];
}

/* ---- cells that triangles touch ---- */
typedef struct raster {
    const space_air *air;
    word *blocked;
} raster;

/* Cells x0 to x1 of a row, both included, by masks of whole words. */
static void block_run(
    const raster *r, uint32_t x0, uint32_t x1, uint32_t y, uint32_t z)
{
    word *row = r->blocked + ((size_t)z * r->air->n[1] + y) * r->air->words;
    for (uint32_t w = x0 / 64; w <= x1 / 64; w++) {
        uint32_t low = w == x0 / 64 ? x0 % 64 : 0;
        uint32_t high = w == x1 / 64 ? x1 % 64 : 63;
        row[w] |= (~(word)0 >> (63 - (high - low))) << low;
    }
}

/* Cells from .. to along one axis that [low, high] touches; false when they are
 * outside. */
static bool air_cells_of(
    double low, double high, uint32_t n, uint32_t *ret_from, uint32_t *ret_to)
{
    if (!(high >= 0) || !(low < n))
        return false;
    *ret_from = low > 0 ? (uint32_t)low : 0;
    *ret_to = high < n ? (uint32_t)high : n - 1;
    return true;
}

static void block_cells(const raster *r,
                        const uint32_t from[3],
                        const uint32_t to[3])
{
    for (uint32_t z = from[2]; z <= to[2]; z++)
        for (uint32_t y = from[1]; y <= to[1]; y++)
            block_run(r, from[0], to[0], y, z);
}

/* a triangle along the axis that its normal is most along */
typedef struct projected {
    int u, v, w;
    /* a u + b v + c >= 0 within, for the corner of a cell that is most
     * within */
    double edge[3][3];
    /* w over (u, v), and by how much it varies within a cell */
    double slope[2], at, spread;
} projected;

/* False: the triangle has no area. The edges are moved outward by a cell, so
 * that a cell counts when any of it is within: a wall must not leak. */
static bool air_project(const vec3 t[3], vec3 normal, projected *p)
{
    double nx = fabs(normal.x);
    double ny = fabs(normal.y);
    double nz = fabs(normal.z);
    p->w = ny >= nx;
    if (nz >= nx && nz >= ny)
        p->w = 2;
    p->u = p->w == 0 ? 1 : 0;
    p->v = p->w == 2 ? 1 : 2;
    double nu = v3_get(normal, p->u);
    double nv = v3_get(normal, p->v);
    double nw = v3_get(normal, p->w);
    if (!(fabs(nw) > 0))
        return false;
    p->slope[0] = -nu / nw;
    p->slope[1] = -nv / nw;
    p->at = v3_get(t[0], p->w) - p->slope[0] * v3_get(t[0], p->u) -
            p->slope[1] * v3_get(t[0], p->v);
    p->spread = 0.5 * (fabs(p->slope[0]) + fabs(p->slope[1]));
    double u0 = v3_get(t[0], p->u);
    double v0 = v3_get(t[0], p->v);
    double area = (v3_get(t[1], p->u) - u0) * (v3_get(t[2], p->v) - v0) -
                  (v3_get(t[1], p->v) - v0) * (v3_get(t[2], p->u) - u0);
    for (int i = 0; i < 3; i++) {
        double pu = v3_get(t[i], p->u);
        double pv = v3_get(t[i], p->v);
        double du = v3_get(t[(i + 1) % 3], p->u) - pu;
        double dv = v3_get(t[(i + 1) % 3], p->v) - pv;
        double a = area > 0 ? -dv : dv;
        double b = area > 0 ? du : -du;
        p->edge[i][0] = a;
        p->edge[i][1] = b;
        p->edge[i][2] = -(a * pu + b * pv) + math_max(a, 0) + math_max(b, 0);
    }
    return true;
}

static bool cell_in_projection(const projected *p, double u, double v)
{
    for (int i = 0; i < 3; i++)
        if (p->edge[i][0] * u + p->edge[i][1] * v + p->edge[i][2] < 0)
            return false;
    return true;
}

/* t in cells. */
static void block_triangle(const raster *r, const vec3 t[3])
{
    vec3 low = v3_min(t[0], v3_min(t[1], t[2]));
    vec3 high = v3_max(t[0], v3_max(t[1], t[2]));
    uint32_t from[3], to[3];
    for (int axis = 0; axis < 3; axis++)
        if (!air_cells_of(v3_get(low, axis), v3_get(high, axis),
                          r->air->n[axis], &from[axis], &to[axis]))
            return;
    uint32_t thick =
        (from[0] == to[0]) + (from[1] == to[1]) + (from[2] == to[2]);
    projected p;
    if (thick >= 2 ||
        !air_project(t, v3_cross(v3_sub(t[1], t[0]), v3_sub(t[2], t[0])), &p)) {
        if (thick >= 2)
            block_cells(r, from, to);
        return;
    }
    for (uint32_t v = from[p.v]; v <= to[p.v]; v++)
        for (uint32_t u = from[p.u]; u <= to[p.u]; u++) {
            uint32_t cell_from[3], cell_to[3];
            if (!cell_in_projection(&p, u, v))
                continue;
            double middle =
                p.at + p.slope[0] * (u + 0.5) + p.slope[1] * (v + 0.5);
            double lowest = fmax(middle - p.spread, v3_get(low, p.w));
            double highest = fmin(middle + p.spread, v3_get(high, p.w));
            if (!air_cells_of(lowest, highest, r->air->n[p.w], &cell_from[p.w],
                              &cell_to[p.w]))
                continue;
            cell_from[p.u] = cell_to[p.u] = u;
            cell_from[p.v] = cell_to[p.v] = v;
            block_cells(r, cell_from, cell_to);
        }
}

/* Vertices are brought to cells once; triangles are read from there. */
static etna_code block_part(const space *sp,
                            const raster *r,
                            const scene_part *part,
                            etna_error *err)
{
    const scene_mesh *mesh = &sp->shared->scene->meshes[part->mesh];
    const object_state *p = &sp->object_state[part->object];
    affine to =
        p->moved ? affine_mul(&p->motion, &part->to_world) : part->to_world;
    vec3 *at = malloc(((size_t)mesh->vertex_count + 1) * sizeof *at);
    if (!at)
        return etna_fail(err, ETNA_E_NOMEM,
                         "space: no memory for the air in a scene");
    double per = 1 / r->air->cell;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const float *q = mesh->position + 3 * (size_t)i;
        vec3 world =
            affine_point(&to, v3((double)q[0], (double)q[1], (double)q[2]));
        at[i] = v3_scale(v3_sub(world, r->air->origin), per);
    }
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *q = mesh->index + 3 * (size_t)i;
        const vec3 t[3] = {at[q[0]], at[q[1]], at[q[2]]};
        block_triangle(r, t);
    }
    free(at);
    return ETNA_OK;
}

/* ---- erosion ---- */
/* bits[i] &= bits[i + 1] & ... & bits[i + length - 1] along an axis, in
 * log(length) rounds. */
static void erode_x(const space_air *a, word *bits, uint32_t length)
{
    size_t rows = (size_t)a->n[1] * a->n[2];
    for (uint32_t have = 1; have < length;) {
        uint32_t step = have < length - have ? have : length - have;
        for (size_t row = 0; row < rows; row++) {
            word *at = bits + row * a->words;
            for (uint32_t w = 0; w < a->words; w++) {
                uint32_t whole = step / 64;
                uint32_t part = step % 64;
                word near = w + whole < a->words ? at[w + whole] : 0;
                word far = w + whole + 1 < a->words ? at[w + whole + 1] : 0;
                at[w] &= part ? near >> part | far << (64 - part) : near;
            }
        }
        have += step;
    }
}

/* The same along y and z, a row or layer at a time. */
static void erode_rows(
    word *bits, size_t words, size_t stride, uint32_t count, uint32_t length)
{
    for (uint32_t have = 1; have < length;) {
        uint32_t step = have < length - have ? have : length - have;
        for (uint32_t i = 0; i < count; i++) {
            word *at = bits + i * stride;
            for (size_t w = 0; w < words; w++)
                at[w] &= i + step < count ? at[w + step * stride] : 0;
        }
        have += step;
    }
}

/* Leaves the low corners of all free boxes of so many cells. */
static void air_erode(const space_air *a,
                      word *bits,
                      uint32_t wide,
                      uint32_t high)
{
    size_t layer = (size_t)a->words * a->n[1];
    erode_x(a, bits, wide);
    for (uint32_t z = 0; z < a->n[2]; z++)
        erode_rows(bits + z * layer, a->words, a->words, a->n[1], wide);
    erode_rows(bits, layer, layer, a->n[2], high);
}

/* ---- flood ---- */
typedef struct flood {
    const space_air *a;
    const word *free_cells;
    word *visited, *pending;
    /* a ring of words with something pending, each at most once */
    uint32_t *queue;
    size_t first, count, room;
    word *component;   /* what this flood visited */
    uint32_t *touched; /* words of it that are not 0 */
    size_t touched_count;
} flood;

/* Each word waits in the ring at most once; bits that come later join those
 * that wait. */
static void flood_push(flood *f, size_t at, word bits)
{
    bits &= f->free_cells[at] & ~f->visited[at];
    if (!bits)
        return;
    if (!f->pending[at])
        f->queue[(f->first + f->count++) % f->room] = (uint32_t)at;
    f->pending[at] |= bits;
}

static uint32_t count_bits(word w)
{
    uint32_t n = 0;
    for (; w; w &= w - 1)
        n++;
    return n;
}

/* What of a row of 64 cells was flooded anew goes on to the rows around it. */
static void flood_spread(flood *f, size_t at, word fresh)
{
    const space_air *a = f->a;
    const size_t row = a->words;
    const size_t layer = row * a->n[1];
    const size_t x = at % row;
    const size_t y = at / row % a->n[1];
    if (x > 0)
        flood_push(f, at - 1, fresh << 63);
    if (x + 1 < row)
        flood_push(f, at + 1, fresh >> 63);
    if (y > 0)
        flood_push(f, at - row, fresh);
    if (y + 1 < a->n[1])
        flood_push(f, at + row, fresh);
    if (at >= layer)
        flood_push(f, at - layer, fresh);
    if (at + layer < air_words(a))
        flood_push(f, at + layer, fresh);
}

/* Floods from what is pending. Returns how many cells; *ret_near: one of them
 * is in `near`. */
static uint64_t flood_run(flood *f, const word *near, bool *ret_near)
{
    uint64_t cells = 0;
    *ret_near = false;
    while (f->count > 0) {
        size_t at = f->queue[f->first];
        f->first = (f->first + 1) % f->room;
        f->count--;
        word bits = f->pending[at];
        word within = f->free_cells[at];
        word grown;
        f->pending[at] = 0;
        while ((grown = (bits | bits << 1 | bits >> 1) & within) != bits)
            bits = grown;
        word fresh = bits & ~f->visited[at];
        f->visited[at] |= bits;
        if (fresh && !f->component[at])
            f->touched[f->touched_count++] = (uint32_t)at;
        f->component[at] |= fresh;
        cells += count_bits(fresh);
        *ret_near = *ret_near || (fresh & near[at]);
        flood_spread(f, at, fresh);
    }
    return cells;
}

typedef struct search {
    const space_air *a;
    word *free_cells, *seeds, *near;
    flood f;
} search;

/* Adds the component that was flooded last, or forgets it. */
static void search_keep(search *s, word *open, bool keep)
{
    for (size_t i = 0; i < s->f.touched_count; i++) {
        uint32_t at = s->f.touched[i];
        if (keep)
            open[at] |= s->f.component[at];
        s->f.component[at] = 0;
    }
    s->f.touched_count = 0;
}

/* Every component that holds a seed, but where some are near things only these.
 * True when there is any. */
static bool search_seeded(search *s, word *open)
{
    size_t all = air_words(s->a);
    bool any = false;
    for (int need_near = 1; need_near >= 0 && !any; need_near--) {
        memset(s->f.visited, 0, all * sizeof *s->f.visited);
        for (size_t i = 0; i < all; i++) {
            word left = s->seeds[i] & s->free_cells[i] & ~s->f.visited[i];
            bool near = false;
            if (!left)
                continue;
            flood_push(&s->f, i, left & (~left + 1));
            flood_run(&s->f, s->near, &near);
            bool keep = near || !need_near;
            search_keep(s, open, keep);
            any = any || keep;
            if (s->seeds[i] & s->free_cells[i] & ~s->f.visited[i])
                i--; /* another component in this word */
        }
    }
    return any;
}

/* The largest component. */
static void search_largest(search *s, word *open)
{
    size_t all = air_words(s->a);
    uint64_t left = 0, best = 0;
    memset(s->f.visited, 0, all * sizeof *s->f.visited);
    for (size_t i = 0; i < all; i++)
        left += count_bits(s->free_cells[i]);
    for (size_t i = 0; i < all && best < left; i++) {
        word bits = s->free_cells[i] & ~s->f.visited[i];
        bool near;
        if (!bits)
            continue;
        flood_push(&s->f, i, bits & (~bits + 1));
        uint64_t cells = flood_run(&s->f, s->near, &near);
        left -= cells;
        if (cells > best)
            memset(open, 0, all * sizeof *open);
        search_keep(s, open, cells > best);
        best = cells > best ? cells : best;
        if (s->free_cells[i] & ~s->f.visited[i])
            i--;
    }
}

/* Cells where movable things are, and a little around: of several pockets of
 * air the one with the furniture is the room. */
static void mark_near(const space *sp, const space_air *a, word *near)
{
    const scene *s = sp->shared->scene;
    raster r = {a, near};
    for (uint32_t i = 0; i < s->object_count; i++) {
        uint32_t from[3], to[3];
        bool inside = !s->objects[i].is_static && !space_is_aside(sp, i);
        for (int axis = 0; axis < 3 && inside; axis++) {
            double low = (v3_get(sp->object_state[i].box.min, axis) -
                          NEAR_THINGS - v3_get(a->origin, axis)) /
                         a->cell;
            double high = (v3_get(sp->object_state[i].box.max, axis) +
                           NEAR_THINGS - v3_get(a->origin, axis)) /
                          a->cell;
            inside =
                air_cells_of(low, high, a->n[axis], &from[axis], &to[axis]);
        }
        if (inside)
            block_cells(&r, from, to);
    }
}

/* One allocation for the five sets. Seeds are the free boxes in which somebody
 * could stand; under an open sky also the topmost layer. */
static etna_code air_flood(const space *things,
                           space_air *a,
                           word *blocked,
                           etna_error *err)
{
    size_t all = air_words(a);
    size_t layer = (size_t)a->words * a->n[1];
    word *memory = calloc(5 * all + 1, sizeof *memory);
    uint32_t *queue = malloc(2 * (all + 1) * sizeof *queue);
    if (!memory || !queue) {
        free(memory);
        free(queue);
        return etna_fail(err, ETNA_E_NOMEM,
                         "space: no memory for the air in a scene");
    }
    search s = {
        .a = a, .free_cells = blocked, .seeds = memory, .near = memory + all};
    s.f = (flood){.a = a,
                  .free_cells = blocked,
                  .visited = memory + 2 * all,
                  .pending = memory + 3 * all};
    s.f.component = memory + 4 * all;
    s.f.queue = queue;
    s.f.touched = queue + all + 1;
    s.f.room = all + 1;
    word last = a->n[0] % 64 ? ~(word)0 >> (64 - a->n[0] % 64) : ~(word)0;
    for (size_t i = 0; i < all; i++)
        blocked[i] =
            ~blocked[i] & (i % a->words + 1 == a->words ? last : ~(word)0);
    memcpy(s.seeds, blocked, all * sizeof *s.seeds);
    uint32_t wide = (uint32_t)(STAND_WIDE / a->cell + 1e-9);
    uint32_t high = (uint32_t)(STAND_HIGH / a->cell + 1e-9);
    /* One less: cells lie anyhow to the box's faces. */
    wide = wide > 1 ? wide - 1 : 1;
    high = high > 1 ? high - 1 : 1;
    air_erode(a, s.seeds, wide, high);
    mark_near(things, a, s.near);
    if (a->sky)
        memcpy(s.seeds + all - layer, blocked + all - layer,
               layer * sizeof *blocked);
    if (!search_seeded(&s, a->open))
        search_largest(&s, a->open);
    free(queue);
    free(memory);
    return ETNA_OK;
}

/* ---- making ---- */
/* What is in the level or below it is nobody's place. */
static void block_level(const space *sp, const raster *r)
{
    const space_air *a = r->air;
    const uint32_t from[3] = {0, 0, 0};
    uint32_t to[3] = {a->n[0] - 1, a->n[1] - 1, 0};
    uint32_t first;
    double height = (sp->level.height - a->origin.z) / a->cell;
    if (air_cells_of(height, height, a->n[2], &first, &to[2]))
        block_cells(r, from, to);
}

/* The first static thing along a ray, past what is movable: a lamp, a board. */
static bool meets_static(const space *sp, space_ray *ray, space_hit *ret)
{
    const scene_object *objects = sp->shared->scene->objects;
    bool met = space_cast_all(sp, ray, ret);
    for (uint32_t k = 0; k < 16 && met && !objects[ret->object].is_static;
         k++) {
        ray->t_min = ret->t + 1e-3;
        met = space_cast_all(sp, ray, ret);
    }
    return met && objects[ret->object].is_static;
}

/* Has most of what lies level about a point nothing static in it? */
static bool is_open_level(const space *sp, uint32_t object, vec3 from)
{
    enum {
        WAYS = 8
    };
    uint32_t closed = 0;
    for (int k = 0; k < WAYS; k++) {
        double s, c;
        math_sincos((k + 0.5) * (2 * MATH_PI / WAYS), &s, &c);
        space_ray ray = {.origin = from,
                         .direction = {c, s, 0},
                         .t_min = 1e-3,
                         .t_max = INFINITY,
                         .skip_object = object,
                         .only_object = SCENE_NONE};
        space_hit hit;
        closed += meets_static(sp, &ray, &hit);
    }
    return 2 * closed < WAYS;
}

/* Is there a ceiling over a thing? What nobody could stand under and no wall
 * carries is a table's top. */
static bool is_covered(const space *sp, const space_air *a, uint32_t object)
{
    const box3 *box = &sp->object_state[object].box;
    vec3 middle = v3_scale(v3_add(box->min, box->max), 0.5);
    space_ray ray = {.origin = {middle.x, middle.y, box->max.z},
                     .direction = {0, 0, 1},
                     .t_min = 1e-3,
                     .t_max = INFINITY,
                     .skip_object = object,
                     .only_object = SCENE_NONE};
    space_hit hit;
    if (!meets_static(sp, &ray, &hit))
        return false;
    return hit.point.z >= a->scene.min.z + STAND_HIGH ||
           !is_open_level(sp, object, middle);
}

/* Is there nothing static above most movable things? */
static bool is_under_sky(const space *sp, const space_air *a)
{
    const scene *s = sp->shared->scene;
    uint32_t things = 0, covered = 0;
    for (uint32_t i = 0; i < s->object_count; i++) {
        if (s->objects[i].is_static || space_is_aside(sp, i))
            continue;
        things++;
        covered += is_covered(sp, a, i);
    }
    return covered < COVERED_SHARE * things || things == 0;
}

static double cells_in(const box3 *box)
{
    vec3 d = v3_sub(box->max, box->min);
    return (d.x / CELL + 1) * (d.y / CELL + 1) * (d.z / CELL + 1);
}

/* The box around all objects that are there, and the one around the movable
 * ones. */
static void air_regions(const space *sp, box3 *ret_all, box3 *ret_things)
{
    const scene *s = sp->shared->scene;
    *ret_all = (box3){{INFINITY, INFINITY, INFINITY},
                      {-INFINITY, -INFINITY, -INFINITY}};
    *ret_things = *ret_all;
    for (uint32_t i = 0; i < s->object_count; i++) {
        const box3 *box = &sp->object_state[i].box;
        if (space_is_aside(sp, i))
            continue;
        ret_all->min = v3_min(ret_all->min, box->min);
        ret_all->max = v3_max(ret_all->max, box->max);
        if (s->objects[i].is_static)
            continue;
        ret_things->min = v3_min(ret_things->min, box->min);
        ret_things->max = v3_max(ret_things->max, box->max);
    }
}

/* Lays out the cells: over the scene, or where that is too large over where the
 * movable things are. */
static void air_lay_out(const space *sp, space_air *a)
{
    box3 region, things;
    air_regions(sp, &region, &things);
    a->scene = region;
    a->blind = !v3_finite(region.min) || !v3_finite(things.min);
    if (a->blind)
        return;
    vec3 around = {AROUND, AROUND, AROUND};
    if (cells_in(&region) > CELLS_MAX) {
        region.min = v3_max(region.min, v3_sub(things.min, around));
        region.max = v3_min(region.max, v3_add(things.max, around));
    }
    a->cell = CELL;
    vec3 d = v3_sub(region.max, region.min);
    while ((d.x / a->cell + 1) * (d.y / a->cell + 1) * (d.z / a->cell + 1) >
               CELLS_MAX &&
           a->cell <= CELL_MOST)
        a->cell *= 1.25;
    a->blind = a->cell > CELL_MOST;
    /* floors at 0 lie within a cell */
    a->origin = v3_sub(region.min, v3(a->cell / 2, a->cell / 2, a->cell / 2));
    for (int axis = 0; axis < 3 && !a->blind; axis++)
        a->n[axis] = (uint32_t)(v3_get(d, axis) / a->cell + 0.5) + 1;
    a->words = (a->n[0] + 63) / 64;
}

/* Marks the cells that triangles or the level pass through. */
static etna_code air_block(const space *sp,
                           space_air *a,
                           word *blocked,
                           etna_error *err)
{
    const scene *s = sp->shared->scene;
    raster r = {a, blocked};
    for (uint32_t i = 0; i < s->part_count; i++) {
        if (space_is_aside(sp, s->parts[i].object))
            continue;
        etna_code code = block_part(sp, &r, &s->parts[i], err);
        if (code != ETNA_OK)
            return code;
    }
    if (sp->level.there)
        block_level(sp, &r);
    return ETNA_OK;
}

/* `things`: the scene as movable things were where people keep them. */
static etna_code air_make(const space *sp,
                          const space *things,
                          const etna_hash *key,
                          space_air **ret,
                          etna_error *err)
{
    space_air *a = calloc(1, sizeof *a);
    if (!a)
        return etna_fail(err, ETNA_E_NOMEM,
                         "space: no memory for the air in a scene");
    atomic_init(&a->references, 1);
    a->key = *key;
    air_lay_out(sp, a);
    a->sky = !a->blind && is_under_sky(things, a);
    word *blocked = calloc(air_words(a) + 1, sizeof *blocked);
    a->open = calloc(air_words(a) + 1, sizeof *a->open);
    etna_code code = blocked && a->open
                         ? ETNA_OK
                         : etna_fail(err, ETNA_E_NOMEM,
                                     "space: no memory for the air in a scene");
    if (code == ETNA_OK && !a->blind)
        code = air_block(sp, a, blocked, err);
    if (code == ETNA_OK && !a->blind)
        code = air_flood(things, a, blocked, err);
    free(blocked);
    if (code == ETNA_OK)
        *ret = a;
    else
        space_air_free(a);
    return code;
}

/* ---- shared by all who ask of the same poses ---- */
static space_air *airs_take(space_shared *shared, const etna_hash *key)
{
    space_air *found = NULL;
    pthread_mutex_lock(&shared->air_lock);
    for (uint32_t i = 0; i < AIRS_KEPT && !found; i++)
        if (shared->airs[i] && etna_hash_equal(&shared->airs[i]->key, key))
            found = shared->airs[i];
    if (found)
        atomic_fetch_add(&found->references, 1);
    pthread_mutex_unlock(&shared->air_lock);
    return found;
}

/* A ring: the oldest goes. Whoever still uses it holds a reference. */
static void airs_keep(space_shared *shared, space_air *air)
{
    atomic_fetch_add(&air->references, 1);
    pthread_mutex_lock(&shared->air_lock);
    space_air *oldest = shared->airs[shared->air_next];
    shared->airs[shared->air_next] = air;
    shared->air_next = (shared->air_next + 1) % AIRS_KEPT;
    pthread_mutex_unlock(&shared->air_lock);
    space_air_free(oldest);
}

/* Keyed by all poses and the level: asked many times of the same arrangement,
 * by every branch of a step. */
etna_code space_air_find(const space *sp, space_air **ret, etna_error *err)
{
    uint32_t n = sp->shared->scene->object_count;
    /* and the level */
    arrange_pose *poses = calloc((size_t)n + 1, sizeof *poses);
    if (!poses)
        return etna_fail(err, ETNA_E_NOMEM,
                         "space: no memory for the air in a scene");
    for (uint32_t i = 0; i < n; i++)
        poses[i] = sp->object_state[i].pose;
    poses[n] = (arrange_pose){{sp->level.there, sp->level.height, 0}, 0};
    etna_hash key = etna_hash_bytes((const uint8_t *)poses,
                                    ((size_t)n + 1) * sizeof *poses);
    free(poses);
    space_air *air = airs_take(sp->shared, &key);
    bool made = !air;
    etna_code code = air ? ETNA_OK : air_make(sp, sp, &key, &air, err);
    if (code == ETNA_OK && made)
        airs_keep(sp->shared, air);
    if (code == ETNA_OK)
        *ret = air;
    return code;
}

/* Cells of `now`, but of several pockets those near where things stood `then`.
 * Not cached. */
etna_code space_air_after(const space *now,
                          const space *then,
                          space_air **ret,
                          etna_error *err)
{
    const etna_hash none = {0};
    if (now->shared->scene->object_count != then->shared->scene->object_count)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "space: the air of two different scenes");
    return air_make(now, then, &none, ret, err);
}

/* Outside of the scene's box it is the sky that decides. Cells that were not
 * laid out, as the scene is too large, count as open. */
bool space_air_is_open(const space_air *a, vec3 at)
{
    if (a->blind)
        return true;
    const box3 *all = &a->scene;
    bool is_over = v2_within((vec2){at.x, at.y}, (vec2){all->min.x, all->min.y},
                             (vec2){all->max.x, all->max.y});
    bool outside = !is_over || at.z > all->max.z;
    if (outside || at.z < a->scene.min.z)
        return a->sky && at.z >= a->scene.min.z;
    uint32_t cell[3];
    for (int axis = 0; axis < 3; axis++) {
        double k =
            floor((v3_get(at, axis) - v3_get(a->origin, axis)) / a->cell);
        if (!(k >= 0) || !(k < a->n[axis]))
            return true; /* of a scene too large, where no thing is near */
        cell[axis] = (uint32_t)k;
    }
    word bits = a->open[((size_t)cell[2] * a->n[1] + cell[1]) * a->words +
                        cell[0] / 64];
    return bits >> cell[0] % 64 & 1;
}

/* Movable things on the way are passed, at most PASSED_MAX of them; static ones
 * end it. */
bool space_air_leads(
    const space *sp, const space_air *a, uint32_t own, vec3 from, vec3 to)
{
    enum {
        PASSED_MAX = 16
    };
    const double past = 1e-3; /* of the way: beyond what was met */
    const scene_object *objects = sp->shared->scene->objects;
    space_ray ray = {.origin = from,
                     .direction = v3_sub(to, from),
                     .t_max = 1,
                     .skip_object = SCENE_NONE,
                     .only_object = SCENE_NONE};
    if (!space_air_is_open(a, to))
        return false;
    for (int k = 0; k < PASSED_MAX; k++) {
        space_hit hit;
        if (!space_cast_all(sp, &ray, &hit))
            return true;
        if (hit.object == own || objects[hit.object].is_static ||
            objects[hit.object].immovable)
            return false;
        ray.t_min = hit.t + past;
    }
    return false;
}

double air_cell(const space_air *a)
{
    return a->blind ? CELL : a->cell;
}
