/* Support surfaces with their maps of free cells (cells.h): over a cell is free
 * what no object's start is below. What could be taken away is told apart, so
 * that who thinks of moving it knows what that leaves free. */
#include "worker/probe/starts.h"
#include "worker/view/parallel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define CELL 0.02
#define SURFACE_COOKIE 0x53555246u
#define EXTENT_MAX 1e5 /* metres */
#define SPARE 1e-3     /* of a cell: single precision makes no further column */
/* a plate's well: a thing comes to rest at the plane's highest point, or within
 * the plate */
#define DISHED 0.02
#define HILLY 0.05 /* ground that falls by more bears things only where it is */
#define LEVEL \
    0.01 /* as near to its highest point as support reaches (METHODS.md 6) */
/* A floor that was laid a little askew or uneven: a metre of furniture on it is
 * carried to its middle, by what support reaches. */
#define GENTLE 0.02 /* metres a metre, of its steepest face */
#define UNEVEN 0.15

probe_surface_options probe_surface_options_default(void)
{
    return (probe_surface_options){.cookie = SURFACE_COOKIE,
                                   .clearance = 0.02,
                                   .reach = INFINITY,
                                   .least_area = 0.001,
                                   .per_object = 4,
                                   .skip_object = SCENE_NONE};
}

/* False when the plane is too large to be a place: a map of it would have no
 * cells worth the name. */
bool probe_surface_extent(probe_surface *s, const affine *turn)
{
    vec3 min = v3(INFINITY, INFINITY, INFINITY);
    vec3 max = v3(-INFINITY, -INFINITY, -INFINITY);
    for (uint32_t i = 0; i < s->plane.vertex_count; i++) {
        vec3 corner = turn ? affine_point(turn, s->plane.vertices[i])
                           : s->plane.vertices[i];
        min = v3_min(min, corner);
        max = v3_max(max, corner);
    }
    if (!(max.x - min.x < EXTENT_MAX) || !(max.y - min.y < EXTENT_MAX))
        return false;
    /* not the offset: along a normal that leans a little that is another
     * length, and far from the origin a very other one */
    s->height = max.z;
    s->origin[0] = min.x;
    s->origin[1] = min.y;
    s->cell = CELL;
    while (ceil((max.x - min.x) / s->cell - SPARE) *
                   ceil((max.y - min.y) / s->cell - SPARE) >
               PROBE_CELLS_MAX ||
           (max.x - min.x) / s->cell > PROBE_CELLS_MAX ||
           (max.y - min.y) / s->cell > PROBE_CELLS_MAX)
        s->cell *= 2;
    double columns = ceil((max.x - min.x) / s->cell - SPARE);
    double rows = ceil((max.y - min.y) / s->cell - SPARE);
    s->columns = columns < 1 ? 1 : (uint32_t)columns;
    s->rows = rows < 1 ? 1 : (uint32_t)rows;
    return true;
}

typedef struct filling { /* one surface, while it is made */
    probe_surface *surface;
    const space *space;
    const probe_surface_options *options;
    starts_table *table;
    cells_map map;
    cells_scratch scratch;
    uint8_t *on;  /* per cell: is it a place? (cells_lay_polygon) */
    float *fixed; /* the lowest start of what cannot be taken away */
    float *clear; /* of all */
    uint8_t *bits;
    etna_arena *arena;
} filling;

/* The highest the ground is at the middle of each cell the triangle overlaps,
 * metres against the plane, and its slope where that is the steepest. Clamped to the triangle's own heights: at cells it
 * only touches, the slope would lead beyond. */
static void filling_lay_triangle(const filling *f,
                                 const affine *place,
                                 const scene_mesh *mesh,
                                 uint32_t triangle,
                                 double *steepest)
{
    const cells_window whole = {{0, 0}, {f->map.columns, f->map.rows}};
    cells_window box;
    vec3 corner[3];
    for (int k = 0; k < 3; k++) {
        const float *at =
            mesh->position +
            3 * (size_t)mesh->index[3 * (size_t)triangle + (size_t)k];
        corner[k] = affine_point(
            place, v3((double)at[0], (double)at[1], (double)at[2]));
    }
    cells_corners c = cells_lay_corners(&f->map, corner, false);
    if (!isfinite(c.slope_x) || !isfinite(c.slope_y) ||
        !cells_window_round(&c, &whole, &box))
        return;
    *steepest = math_max(*steepest, hypot(c.slope_x, c.slope_y) / f->map.cell);
    cells_side sides[3];
    cells_sides_of(&c, sides);
    for (uint32_t j = box.from[1]; j < box.to[1]; j++) {
        uint32_t from = box.from[0];
        uint32_t to = box.to[0];
        cells_narrow_row(sides, j, &from, &to);
        for (uint32_t i = from; i < to; i++) {
            double z = c.z[0] + (i + 0.5 - c.at[0].x) * c.slope_x +
                       (j + 0.5 - c.at[0].y) * c.slope_y;
            z = math_max(c.low, z);
            z = math_min(c.high, z);
            float *ground = &f->scratch.start[cells_at(&f->map, i, j)];
            if ((float)z > *ground)
                *ground = (float)z;
        }
    }
}

/* A lawn with a hill is one plane by its faces' normals, and nothing can come
 * to rest where it lies far below its highest point: such cells are none of it.
 * `own`: the plane's faces. The faces ascend as the counter does, so both lists
 * are walked once. */
static void ground_leave_out_low(const filling *f, const probe_set *own)
{
    const scene *s = space_scene(f->space);
    uint32_t object = f->surface->plane.object;
    const scene_object *o = &s->objects[object];
    affine motion = scene_motion(o, space_pose(f->space, object));
    motion = affine_mul(&f->map.turn, &motion);
    size_t cells = cells_count(&f->map);
    float *ground = f->scratch.start;
    uint32_t number = 0;
    uint32_t next = 0;
    double steepest = 0;
    for (size_t c = 0; c < cells; c++)
        ground[c] = -INFINITY;
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++) {
        const scene_mesh *mesh = &s->meshes[s->parts[p].mesh];
        affine place = affine_mul(&motion, &s->parts[p].to_world);
        for (uint32_t t = 0; t < mesh->triangle_count && next < own->count;
             t++, number++) {
            if (own->faces[next] != number)
                continue;
            next++;
            filling_lay_triangle(f, &place, mesh, t, &steepest);
        }
    }
    float deepest = 0;
    for (size_t c = 0; c < cells; c++) {
        bool is_deeper = isfinite(ground[c]) && ground[c] < deepest;
        deepest = is_deeper ? ground[c] : deepest;
    }
    /* A plate's well stays in, since its rim is the highest point and things
     * rest in it; on hilly ground only what is near the top does. */
    float least = deepest < (float)-HILLY ? (float)-LEVEL : (float)-DISHED;
    if (steepest <= GENTLE && deepest > (float)-UNEVEN)
        return;
    for (size_t c = 0; c < cells; c++) {
        if (isfinite(ground[c]) && ground[c] < least)
            f->on[c] = 0;
    }
}

/* ---- what stands over it ---- */

/* Neither the building, nor what the task forbids to move, nor the surface's
 * own object. */
static bool filling_can_be_taken(const filling *f, uint32_t object)
{
    const scene_object *o = &space_scene(f->space)->objects[object];
    return !o->is_static && !o->immovable && object != f->surface->plane.object;
}

/* The object's own starts as a layer, if it has any. */
static etna_code filling_add_layer(filling *f,
                                   uint32_t object,
                                   const starts *own,
                                   etna_error *err)
{
    const cells_window *box = starts_window(own);
    uint32_t columns = box->to[0] - box->from[0];
    uint32_t rows = box->to[1] - box->from[1];
    if (rows == 0)
        return ETNA_OK;
    float *clear =
        etna_arena_alloc(f->arena, (size_t)columns * rows, sizeof *clear);
    probe_layer *layer = etna_arena_alloc(f->arena, 1, sizeof *layer);
    if (!clear || !layer)
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory for what stands on a surface");
    memcpy(clear, starts_row(own, box->from[1]),
           (size_t)columns * rows * sizeof *clear);
    *layer = (probe_layer){.object = object,
                           .column = box->from[0],
                           .row = box->from[1],
                           .columns = columns,
                           .rows = rows,
                           .clear = clear,
                           .next = f->surface->layers};
    f->surface->layers = layer;
    return ETNA_OK;
}

/* The lesser of both, cell by cell, within the window of the starts. */
static void filling_lower(const filling *f, const starts *by, float *clear)
{
    const cells_window *box = starts_window(by);
    for (uint32_t j = box->from[1]; j < box->to[1]; j++) {
        const float *start = starts_row(by, j);
        float *row = &clear[cells_at(&f->map, box->from[0], j)];
        for (uint32_t i = 0; i < box->to[0] - box->from[0]; i++)
            row[i] = start[i] < row[i] ? start[i] : row[i];
    }
}

/* One object: lowers `clear`, and either becomes a layer (it can be taken away)
 * or lowers `fixed` as well. skip_object is the one being placed. */
static etna_code filling_lay(filling *f, uint32_t object, etna_error *err)
{
    const starts_place at = {
        .space = f->space, .plane = &f->surface->plane, .map = &f->map};
    starts *own;
    cells_window window;
    if (object == f->options->skip_object ||
        !cells_window_of(&f->map, f->space, object, &window))
        return ETNA_OK;
    etna_code code = starts_of(f->table, &at, object, &window, f->on,
                               &f->scratch, &own, err);
    if (code != ETNA_OK)
        return code;
    filling_lower(f, own, f->clear);
    if (filling_can_be_taken(f, object))
        code = filling_add_layer(f, object, own, err);
    else
        filling_lower(f, own, f->fixed);
    starts_release(f->table, own);
    return code;
}

/* The bare map: what of the plane is a place. */
static etna_code filling_begin(filling *f,
                               probe_shared *shared,
                               etna_error *err)
{
    const probe_plane *plane = &f->surface->plane;
    const starts_place at = {.space = f->space, .plane = plane, .map = &f->map};
    probe_set own = {0};
    if (starts_recall_bare(f->table, &at, f->on))
        return ETNA_OK;
    if (plane->face != SCENE_NONE) {
        etna_code code =
            probe_grow(shared, plane->object, plane->face, &own, err);
        if (code != ETNA_OK)
            return code;
    }
    cells_lay_polygon(&f->map, plane, f->on);
    cells_close_gaps(&f->map,
                     probe_gap_of(space_scene(f->space), plane->object), f->on);
    if (own.count > 0)
        ground_leave_out_low(f, &own);
    probe_set_free(&own);
    return starts_keep_bare(f->table, &at, f->on, err);
}

/* Arrays that the surface keeps come from the arena; `on` and the scratch are
 * freed when it is filled. */
static etna_code filling_open(filling *f, etna_error *err)
{
    size_t cells = cells_count(&f->map);
    f->bits = etna_arena_alloc(f->arena, (cells + 7) / 8, 1);
    f->fixed = etna_arena_alloc(f->arena, cells, sizeof *f->fixed);
    f->clear = etna_arena_alloc(f->arena, cells, sizeof *f->clear);
    f->on = malloc(cells + 1);
    bool has_layers = f->fixed && f->clear && f->on;
    if (!f->bits || !has_layers)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a map of %zu cells",
                         cells);
    f->surface->free = f->bits;
    f->surface->clear = f->clear;
    f->surface->fixed = f->fixed;
    f->surface->layers = NULL;
    f->surface->shut = false;
    for (size_t c = 0; c < cells; c++)
        f->fixed[c] = f->clear[c] = INFINITY;
    return cells_scratch_new(&f->map, &f->scratch, err);
}

/* Turns clearances into bits, and sets both to zero beside the plane so that no
 * reader has to ask `on` too. A cell is free from options->clearance on. */
static void filling_publish(filling *f)
{
    probe_surface *s = f->surface;
    uint8_t *bits = f->bits;
    s->free_count = 0;
    for (size_t c = 0; c < cells_count(&f->map); c++) {
        if (!f->on[c])
            f->clear[c] = f->fixed[c] = 0;
        if (f->clear[c] < (float)f->options->clearance || !f->on[c])
            continue;
        bits[c / 8] = (uint8_t)(bits[c / 8] | 1u << (c % 8));
        s->free_count++;
    }
}

/* surface->plane and the extent (probe_surface_extent) must be set. `turn`:
 * NULL for a level surface; for a wall the frame in which its normal is Z.
 * Objects are laid from the last to the first: layers are pushed in front, so
 * they end up ascending. */
etna_code probe_surface_fill(probe_shared *shared,
                             const space *sp,
                             const probe_surface_options *options,
                             const affine *turn,
                             probe_surface *s,
                             etna_arena *arena,
                             etna_error *err)
{
    assert(s->cell > 0 && s->columns > 0 && s->rows > 0);
    const scene *scn = probe_scene(shared);
    filling f = {.surface = s,
                 .space = sp,
                 .options = options,
                 .table = probe_starts(shared),
                 .map = {.turn = turn ? *turn : affine_identity(),
                         .height = s->height,
                         .origin = {s->origin[0], s->origin[1]},
                         .cell = s->cell,
                         .reach = options->reach,
                         .columns = s->columns,
                         .rows = s->rows},
                 .arena = arena};
    etna_code code = filling_open(&f, err);
    if (code == ETNA_OK)
        code = filling_begin(&f, shared, err);
    for (uint32_t o = scn->object_count; code == ETNA_OK && o > 0; o--)
        code = filling_lay(&f, o - 1, err);
    if (code == ETNA_OK && options->air)
        code = probe_leave_out_shut(&f.map, sp, options->air, s->plane.object,
                                    f.fixed, options->clearance, f.on, &s->shut,
                                    err);
    if (code == ETNA_OK)
        filling_publish(&f);
    cells_scratch_free(&f.scratch);
    free(f.on);
    return code;
}

/* The plane by the name that means its upper side under this camera;
 * *ret_usable false when there is no such name. */
static etna_code name_upward(probe_shared *shared,
                             const space *sp,
                             const scene_camera *camera,
                             uint32_t object,
                             uint32_t face,
                             etna_arena *arena,
                             probe_plane *ret,
                             bool *ret_usable,
                             etna_error *err)
{
    probe_set set;
    *ret_usable = false;
    etna_code code = probe_grow(shared, object, face, &set, err);
    if (code != ETNA_OK)
        return code;
    code = probe_plane_face(shared, sp, camera, object, face, &set, true, arena,
                            ret, err);
    probe_set_free(&set);
    if (code == ETNA_E_INPUT) /* no area after all */
        return ETNA_OK;
    if (code != ETNA_OK)
        return code;
    if (ret->normal.z > 0) {
        *ret_usable = true;
        return ETNA_OK;
    }
    /* normal is down: the lowest vertex; the set is nearly flat */
    double height = -ret->offset;
    probe_plane up;
    code = probe_plane_up(shared, sp, camera, object, arena, &up, err);
    if (code == ETNA_E_INPUT)
        return ETNA_OK;
    if (code == ETNA_OK && up.better[0] == 0 &&
        fabs(up.offset - height) <= 0.01) {
        *ret = up;
        *ret_usable = true;
    }
    return code;
}

/* ---- the upward planes of many ---- */
/* objects; what is listed may end before the last of a town */
enum {
    BLOCK = 256
};

typedef struct upward_work {
    probe_shared *shared;
    const probe_surface_options *options;
    uint32_t first;
} upward_work;

/* What fails here fails again for who asks for it, and is told there. */
static void upward_piece(void *context, uint32_t piece)
{
    const upward_work *work = context;
    const uint32_t object = work->first + piece;
    const probe_upward *sets;
    uint32_t count;
    etna_error err;
    if (object == work->options->skip_object)
        return;
    (void)probe_object_upward(work->shared, object, &sets, &count, &err);
}

/* Finds those of the next objects beforehand. */
static void upward_ahead(probe_shared *shared,
                         const probe_surface_options *options,
                         uint32_t object)
{
    const uint32_t left = probe_scene(shared)->object_count - object;
    upward_work work = {.shared = shared, .options = options, .first = object};
    if (options->threads < 2 || object % BLOCK != 0)
        return;
    parallel_do(options->threads, left < BLOCK ? left : BLOCK, upward_piece,
                &work);
}

typedef struct surface_list {
    probe_shared *shared;
    const space *space;
    const scene_camera *camera;
    const probe_surface_options *options;
    etna_arena *arena;
    probe_surface *out; /* room for PROBE_SURFACES_MAX */
    uint32_t count;
} surface_list;

/* Adds those of one object: the largest first, none twice by name. */
static etna_code surface_add_object(surface_list *l,
                                    uint32_t object,
                                    etna_error *err)
{
    const probe_upward *sets;
    uint32_t set_count, listed = 0;
    etna_code code =
        probe_object_upward(l->shared, object, &sets, &set_count, err);
    for (uint32_t i = 0; code == ETNA_OK && i < set_count; i++) {
        probe_surface *next = &l->out[l->count];
        bool usable;
        bool is_full =
            listed >= l->options->per_object || l->count >= PROBE_SURFACES_MAX;
        if (is_full || sets[i].area < l->options->least_area)
            break;
        code = name_upward(l->shared, l->space, l->camera, object, sets[i].face,
                           l->arena, &next->plane, &usable, err);
        if (code != ETNA_OK)
            break;
        /* two sets at the top are one `_up` */
        for (uint32_t k = 1; usable && k <= listed; k++)
            usable =
                strcmp(l->out[l->count - k].plane.name, next->plane.name) != 0;
        if (!usable || !probe_surface_extent(next, NULL))
            continue;
        code = probe_surface_fill(l->shared, l->space, l->options, NULL, next,
                                  l->arena, err);
        l->count++;
        listed++;
    }
    return code;
}

/* The upward surfaces of all objects in the order of the scene, at most
 * PROBE_SURFACES_MAX; only their planes and extents, not their maps
 * (probe_surface_fill). */
etna_code probe_surfaces(probe_shared *shared,
                         const space *sp,
                         const scene_camera *camera,
                         const probe_surface_options *options,
                         etna_arena *arena,
                         probe_surface **ret,
                         uint32_t *ret_count,
                         etna_error *err)
{
    const scene *s = probe_scene(shared);
    if (options->cookie != SURFACE_COOKIE)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "surface options were not initialised");
    surface_list list = {shared, sp, camera, options, arena, NULL, 0};
    list.out = etna_arena_alloc(arena, PROBE_SURFACES_MAX, sizeof *list.out);
    if (!list.out)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for surfaces");
    for (uint32_t o = 0; o < s->object_count && list.count < PROBE_SURFACES_MAX;
         o++) {
        upward_ahead(shared, options, o);
        if (o == options->skip_object)
            continue;
        etna_code code = surface_add_object(&list, o, err);
        if (code != ETNA_OK)
            return code;
    }
    *ret = list.out;
    *ret_count = list.count;
    return ETNA_OK;
}
