/* Support surfaces with their maps of free cells. Rays on a 2 cm grid would miss a table's thin leg, so triangles are
 * laid over the cells instead: a cell's clear height is where the lowest triangle that overlaps it starts. What stands
 * a little sunken in the surface shows no underside above it; it is known by having an underside just below and, above,
 * a face that looks up first. */
#include "worker/probe/own.h"

#include <stdlib.h>
#include <string.h>

#define CELL 0.02
#define SURFACE_COOKIE 0x53555246u
#define TOUCH 0.001    /* triangles that end this close above the surface belong to it */
#define EXTENT_MAX 1e5 /* metres */
#define SPARE 1e-3     /* of a cell: single precision makes no further column */
#define SUNKEN 0.05    /* how deep an underside may lie below the surface */
#define DISHED 0.02    /* a plate's well: a thing comes to rest at the plane's highest point, or within the plate */
#define HILLY 0.05     /* ground that falls by more bears things only where it is */
#define LEVEL 0.01     /* as near to its highest point as support reaches (METHODS.md 6) */

probe_surface_options probe_surface_options_default(void)
{
    return (probe_surface_options){.cookie = SURFACE_COOKIE,
                                   .clearance = 0.02,
                                   .reach = INFINITY,
                                   .least_area = 0.001,
                                   .per_object = 4,
                                   .skip_object = SCENE_NONE};
}

typedef struct cell_map { /* of one surface, while it is made */
    probe_surface *surface;
    const affine *turn; /* world to the map's frame, whose z looks away from the surface; NULL: the world's */
    float *clear;       /* over all objects; negative: not on the polygon */
    float *low;         /* of the object being laid: start of its lowest triangle above the surface */
    uint8_t *state;     /* of that object: 1 the lowest looks up, 2 there is an underside just below */
    uint32_t window[4]; /* columns from, to, rows from, to that the object can reach */
} cell_map;

enum { LOWEST_LOOKS_UP = 1, UNDERSIDE_BELOW = 2 };

typedef struct footprint { /* a triangle above the map, corners in cells */
    vec2 at[3];
    double z[3], low, high;
    double slope_x, slope_y; /* per cell; INFINITY when it stands upright */
    bool looks_up;
} footprint;

static footprint lay(const probe_surface *s, const vec3 corner[3], bool flipped)
{
    footprint f = {.low = INFINITY, .high = -INFINITY};
    for (int k = 0; k < 3; k++) {
        f.at[k] = (vec2){(corner[k].x - s->origin[0]) / s->cell, (corner[k].y - s->origin[1]) / s->cell};
        f.z[k] = corner[k].z - s->height;
        f.low = f.z[k] < f.low ? f.z[k] : f.low;
        f.high = f.z[k] > f.high ? f.z[k] : f.high;
    }
    double ax = f.at[1].x - f.at[0].x, ay = f.at[1].y - f.at[0].y, az = f.z[1] - f.z[0];
    double bx = f.at[2].x - f.at[0].x, by = f.at[2].y - f.at[0].y, bz = f.z[2] - f.z[0];
    double nz = ax * by - ay * bx;
    f.looks_up = flipped ? nz < 0 : nz > 0;
    f.slope_x = fabs(nz) > 1e-12 ? (az * by - ay * bz) / nz : INFINITY;
    f.slope_y = fabs(nz) > 1e-12 ? (ax * bz - az * bx) / nz : INFINITY;
    return f;
}

/* Does the triangle overlap the unit cell at (x, y)? The boxes already do; what is left are the triangle's own edges. */
static bool overlaps(const footprint *f, double x, double y)
{
    for (int i = 0; i < 3; i++) {
        vec2 a = f->at[i], b = f->at[(i + 1) % 3], c = f->at[(i + 2) % 3];
        double nx = b.y - a.y, ny = a.x - b.x;
        double centre = (x + 0.5 - a.x) * nx + (y + 0.5 - a.y) * ny, reach = (fabs(nx) + fabs(ny)) / 2;
        double third = (c.x - a.x) * nx + (c.y - a.y) * ny;
        if (centre - reach > (third > 0 ? third : 0) || centre + reach < (third < 0 ? third : 0)) return false;
    }
    return true;
}

/* The lowest the triangle can be within the cell. */
static double lowest_in(const footprint *f, double x, double y)
{
    if (!isfinite(f->slope_x) || !isfinite(f->slope_y)) return f->low;
    double z = f->z[0] + (x + 0.5 - f->at[0].x) * f->slope_x + (y + 0.5 - f->at[0].y) * f->slope_y;
    z -= (fabs(f->slope_x) + fabs(f->slope_y)) / 2;
    return z < f->low ? f->low : z > f->high ? f->high : z;
}

static void cover(cell_map *map, const footprint *f)
{
    const probe_surface *s = map->surface;
    double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
    for (int k = 0; k < 3; k++) {
        x0 = f->at[k].x < x0 ? f->at[k].x : x0;
        x1 = f->at[k].x > x1 ? f->at[k].x : x1;
        y0 = f->at[k].y < y0 ? f->at[k].y : y0;
        y1 = f->at[k].y > y1 ? f->at[k].y : y1;
    }
    if (x1 < 0 || y1 < 0 || x0 > s->columns || y0 > s->rows || f->high < -SUNKEN) return;
    uint32_t i0 = x0 < map->window[0] ? map->window[0] : (uint32_t)x0,
             j0 = y0 < map->window[2] ? map->window[2] : (uint32_t)y0;
    uint32_t i1 = x1 >= map->window[1] ? map->window[1] : (uint32_t)x1 + 1,
             j1 = y1 >= map->window[3] ? map->window[3] : (uint32_t)y1 + 1;
    for (uint32_t j = j0; j < j1; j++)
        for (uint32_t i = i0; i < i1; i++) {
            size_t c = (size_t)j * s->columns + i;
            if (map->clear[c] < 0 || !overlaps(f, i, j)) continue;
            if (f->high <= TOUCH) {
                if (!f->looks_up) map->state[c] |= UNDERSIDE_BELOW;
                continue;
            }
            double z = lowest_in(f, i, j);
            float start = z > 0 ? (float)z : 0;
            if (start < map->low[c] || (start == map->low[c] && !f->looks_up)) {
                map->low[c] = start;
                map->state[c] = (uint8_t)((map->state[c] & UNDERSIDE_BELOW) | (f->looks_up ? LOWEST_LOOKS_UP : 0));
            }
        }
}

/* Box of an object where it stands, along the map's axes. */
static void map_box(const cell_map *map, const scene *s, const space *sp, uint32_t object, vec3 *ret_min, vec3 *ret_max)
{
    scene_box box = scene_box_at(&s->objects[object], space_pose(sp, object));
    vec3 corner[8];
    scene_box_corners(&box, corner);
    for (int i = 0; map->turn && i < 8; i++) corner[i] = affine_point(map->turn, corner[i]);
    *ret_min = *ret_max = corner[0];
    for (int i = 1; i < 8; i++) {
        *ret_min = v3_min(*ret_min, corner[i]);
        *ret_max = v3_max(*ret_max, corner[i]);
    }
}

/* The cells an object's box covers, one more on each side; false when there are none. */
static bool set_window(cell_map *map, vec3 min, vec3 max)
{
    const probe_surface *s = map->surface;
    const double low[2] = {(min.x - s->origin[0]) / s->cell - 1, (min.y - s->origin[1]) / s->cell - 1};
    const double high[2] = {(max.x - s->origin[0]) / s->cell + 2, (max.y - s->origin[1]) / s->cell + 2};
    const uint32_t count[2] = {s->columns, s->rows};
    for (int k = 0; k < 2; k++) {
        if (!(low[k] < count[k]) || !(high[k] > 0)) return false;
        map->window[2 * k] = low[k] < 0 ? 0 : (uint32_t)low[k];
        map->window[2 * k + 1] = high[k] >= count[k] ? count[k] : (uint32_t)high[k];
    }
    return true;
}

static void clear_window(cell_map *map)
{
    for (uint32_t j = map->window[2]; j < map->window[3]; j++)
        for (uint32_t i = map->window[0]; i < map->window[1]; i++) {
            map->low[(size_t)j * map->surface->columns + i] = INFINITY;
            map->state[(size_t)j * map->surface->columns + i] = 0;
        }
}

static void merge_window(cell_map *map, bool own)
{
    for (uint32_t j = map->window[2]; j < map->window[3]; j++)
        for (uint32_t i = map->window[0]; i < map->window[1]; i++) {
            size_t c = (size_t)j * map->surface->columns + i;
            bool inside = !own && map->state[c] == (LOWEST_LOOKS_UP | UNDERSIDE_BELOW) && isfinite(map->low[c]);
            float start = inside ? 0 : map->low[c];
            if (map->clear[c] >= 0 && start < map->clear[c]) map->clear[c] = start;
        }
}

static void lay_object(cell_map *map, const scene *s, const space *sp, uint32_t object, const probe_set *own)
{
    const probe_surface *surface = map->surface;
    affine motion = scene_motion(&s->objects[object], space_pose(sp, object));
    if (map->turn) motion = affine_mul(map->turn, &motion);
    clear_window(map);
    const scene_object *o = &s->objects[object];
    uint32_t number = 0, next = 0;
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++) {
        const scene_mesh *mesh = &s->meshes[s->parts[p].mesh];
        affine place = affine_mul(&motion, &s->parts[p].to_world);
        for (uint32_t t = 0; t < mesh->triangle_count; t++, number++) {
            if (own && next < own->count && own->faces[next] == number) {
                next++;
                continue;
            }
            vec3 corner[3];
            for (int k = 0; k < 3; k++) {
                const float *at = mesh->position + 3 * (size_t)mesh->index[3 * (size_t)t + (size_t)k];
                corner[k] = affine_point(&place, v3((double)at[0], (double)at[1], (double)at[2]));
            }
            footprint f = lay(surface, corner, s->parts[p].flipped);
            cover(map, &f);
        }
    }
    merge_window(map, own != NULL);
}

/* Cells whose centre lies on the real polygon: INFINITY, the others -1. */
static void lay_polygon(cell_map *map)
{
    const probe_surface *s = map->surface;
    size_t cells = (size_t)s->columns * s->rows;
    for (size_t c = 0; c < cells; c++) map->clear[c] = -1;
    for (uint32_t t = 0; t < s->plane.triangle_count; t++) {
        vec2 at[3];
        double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
        for (int k = 0; k < 3; k++) {
            vec2 q = s->plane.triangles[3 * (size_t)t + (size_t)k];
            vec3 w = v3_add_scaled(v3_add_scaled(s->plane.origin, s->plane.u, q.x), s->plane.v, q.y);
            if (map->turn) w = affine_point(map->turn, w);
            at[k] = (vec2){(w.x - s->origin[0]) / s->cell, (w.y - s->origin[1]) / s->cell};
            x0 = at[k].x < x0 ? at[k].x : x0;
            x1 = at[k].x > x1 ? at[k].x : x1;
            y0 = at[k].y < y0 ? at[k].y : y0;
            y1 = at[k].y > y1 ? at[k].y : y1;
        }
        uint32_t i0 = x0 < 0 ? 0 : (uint32_t)x0, j0 = y0 < 0 ? 0 : (uint32_t)y0;
        for (uint32_t j = j0; j < s->rows && j <= y1; j++)
            for (uint32_t i = i0; i < s->columns && i <= x1; i++)
                if (probe_in_triangle(at, (vec2){i + 0.5, j + 0.5})) map->clear[(size_t)j * s->columns + i] = INFINITY;
    }
}

/* A lawn with a hill is one plane by its faces' normals, and nothing can come to rest where it lies far below its
 * highest point: such cells are none of it. */
static void leave_out_low_ground(cell_map *map, const scene *s, const space *sp, const probe_set *own)
{
    const probe_surface *surface = map->surface;
    uint32_t object = surface->plane.object, number = 0, next = 0;
    const scene_object *o = &s->objects[object];
    affine motion = scene_motion(o, space_pose(sp, object));
    size_t cells = (size_t)surface->columns * surface->rows;
    if (map->turn) motion = affine_mul(map->turn, &motion);
    for (size_t c = 0; c < cells; c++) map->low[c] = -INFINITY; /* the ground's height, from the surface's */
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++) {
        const scene_mesh *mesh = &s->meshes[s->parts[p].mesh];
        affine place = affine_mul(&motion, &s->parts[p].to_world);
        for (uint32_t t = 0; t < mesh->triangle_count && next < own->count; t++, number++) {
            if (own->faces[next] != number) continue;
            next++;
            vec3 corner[3];
            for (int k = 0; k < 3; k++) {
                const float *at = mesh->position + 3 * (size_t)mesh->index[3 * (size_t)t + (size_t)k];
                corner[k] = affine_point(&place, v3((double)at[0], (double)at[1], (double)at[2]));
            }
            footprint f = lay(surface, corner, false);
            if (!isfinite(f.slope_x) || !isfinite(f.slope_y)) continue;
            double x0 = INFINITY, x1 = 0, y0 = INFINITY, y1 = 0;
            for (int k = 0; k < 3; k++) {
                x0 = f.at[k].x < x0 ? f.at[k].x : x0;
                x1 = f.at[k].x > x1 ? f.at[k].x : x1;
                y0 = f.at[k].y < y0 ? f.at[k].y : y0;
                y1 = f.at[k].y > y1 ? f.at[k].y : y1;
            }
            for (uint32_t j = y0 > 0 ? (uint32_t)y0 : 0; j < surface->rows && j <= y1; j++)
                for (uint32_t i = x0 > 0 ? (uint32_t)x0 : 0; i < surface->columns && i <= x1; i++) {
                    double z = f.z[0] + (i + 0.5 - f.at[0].x) * f.slope_x + (j + 0.5 - f.at[0].y) * f.slope_y;
                    z = z < f.low ? f.low : z > f.high ? f.high : z;
                    float *low = &map->low[(size_t)j * surface->columns + i];
                    if (overlaps(&f, i, j) && (float)z > *low) *low = (float)z;
                }
        }
    }
    float deepest = 0;
    for (size_t c = 0; c < cells; c++) deepest = isfinite(map->low[c]) && map->low[c] < deepest ? map->low[c] : deepest;
    float least = deepest < (float)-HILLY ? (float)-LEVEL : (float)-DISHED;
    for (size_t c = 0; c < cells; c++)
        if (isfinite(map->low[c]) && map->low[c] < least) map->clear[c] = -1;
}

/* False when the plane is too large to be a place: a map of it would have no cells worth the name. */
bool probe_surface_extent(probe_surface *s, const affine *turn)
{
    vec3 min = v3(INFINITY, INFINITY, INFINITY), max = v3(-INFINITY, -INFINITY, -INFINITY);
    for (uint32_t i = 0; i < s->plane.vertex_count; i++) {
        vec3 corner = turn ? affine_point(turn, s->plane.vertices[i]) : s->plane.vertices[i];
        min = v3_min(min, corner);
        max = v3_max(max, corner);
    }
    if (!(max.x - min.x < EXTENT_MAX) || !(max.y - min.y < EXTENT_MAX)) return false;
    s->height = max.z; /* not the offset: along a normal that leans a little that is another length, and far from the
                          origin a very other one */
    s->origin[0] = min.x;
    s->origin[1] = min.y;
    s->cell = CELL;
    while (ceil((max.x - min.x) / s->cell - SPARE) * ceil((max.y - min.y) / s->cell - SPARE) > PROBE_CELLS_MAX ||
           (max.x - min.x) / s->cell > PROBE_CELLS_MAX || (max.y - min.y) / s->cell > PROBE_CELLS_MAX)
        s->cell *= 2;
    double columns = ceil((max.x - min.x) / s->cell - SPARE), rows = ceil((max.y - min.y) / s->cell - SPARE);
    s->columns = columns < 1 ? 1 : (uint32_t)columns;
    s->rows = rows < 1 ? 1 : (uint32_t)rows;
    return true;
}

static etna_code publish(cell_map *map, const probe_surface_options *options, etna_arena *arena, etna_error *err)
{
    probe_surface *s = map->surface;
    size_t cells = (size_t)s->columns * s->rows;
    uint8_t *bits = etna_arena_alloc(arena, (cells + 7) / 8, 1);
    float *clear = etna_arena_alloc(arena, cells, sizeof *clear);
    if (!bits || !clear) return etna_fail(err, ETNA_E_NOMEM, "no memory for a map of %zu cells", cells);
    s->free_count = 0;
    for (size_t c = 0; c < cells; c++) {
        clear[c] = map->clear[c] < 0 ? 0 : map->clear[c];
        if (map->clear[c] < 0 || clear[c] < options->clearance) continue;
        bits[c / 8] = (uint8_t)(bits[c / 8] | 1u << (c % 8));
        s->free_count++;
    }
    s->free = bits;
    s->clear = clear;
    return ETNA_OK;
}

etna_code probe_surface_fill(probe_shared *shared, const space *sp, const probe_surface_options *options,
                             const affine *turn, probe_surface *s, etna_arena *arena, etna_error *err)
{
    const scene *scn = probe_scene(shared);
    size_t cells = (size_t)s->columns * s->rows;
    cell_map map = {.surface = s, .turn = turn};
    map.clear = malloc(cells * sizeof(float));
    map.low = malloc(cells * sizeof(float));
    map.state = malloc(cells);
    probe_set own = {0};
    etna_code code = map.clear && map.low && map.state
                         ? ETNA_OK
                         : etna_fail(err, ETNA_E_NOMEM, "no memory for a map of %zu cells", cells);
    if (code == ETNA_OK && s->plane.face != SCENE_NONE)
        code = probe_grow(shared, s->plane.object, s->plane.face, &own, err);
    if (code == ETNA_OK) lay_polygon(&map);
    if (code == ETNA_OK && own.count > 0) leave_out_low_ground(&map, scn, sp, &own);
    for (uint32_t o = 0; code == ETNA_OK && o < scn->object_count; o++) {
        vec3 min, max;
        map_box(&map, scn, sp, o, &min, &max);
        if (o != options->skip_object && max.z >= s->height && min.z <= s->height + options->reach &&
            set_window(&map, min, max))
            lay_object(&map, scn, sp, o, o == s->plane.object ? &own : NULL);
    }
    if (code == ETNA_OK) code = publish(&map, options, arena, err);
    probe_set_free(&own);
    free(map.clear);
    free(map.low);
    free(map.state);
    return code;
}

/* The plane by the name that means its upper side under this camera; *ret_usable false when there is no such name. */
static etna_code name_upward(probe_shared *shared, const space *sp, const scene_camera *camera, uint32_t object,
                             uint32_t face, etna_arena *arena, probe_plane *ret, bool *ret_usable, etna_error *err)
{
    probe_set set;
    *ret_usable = false;
    etna_code code = probe_grow(shared, object, face, &set, err);
    if (code != ETNA_OK) return code;
    code = probe_plane_face(shared, sp, camera, object, face, &set, true, arena, ret, err);
    probe_set_free(&set);
    if (code == ETNA_E_INPUT) /* no area after all */
        return ETNA_OK;
    if (code != ETNA_OK) return code;
    if (ret->normal.z > 0) {
        *ret_usable = true;
        return ETNA_OK;
    }
    double height = -ret->offset; /* normal is down: the lowest vertex; the set is nearly flat */
    probe_plane up;
    code = probe_plane_up(shared, sp, camera, object, arena, &up, err);
    if (code == ETNA_E_INPUT) return ETNA_OK;
    if (code == ETNA_OK && up.better[0] == 0 && fabs(up.offset - height) <= 0.01) {
        *ret = up;
        *ret_usable = true;
    }
    return code;
}

etna_code probe_surfaces(probe_shared *shared, const space *sp, const scene_camera *camera,
                         const probe_surface_options *options, etna_arena *arena, probe_surface **ret,
                         uint32_t *ret_count, etna_error *err)
{
    const scene *s = probe_scene(shared);
    if (options->cookie != SURFACE_COOKIE)
        return etna_fail(err, ETNA_E_INTERNAL, "surface options were not initialised");
    probe_surface *out = etna_arena_alloc(arena, PROBE_SURFACES_MAX, sizeof *out);
    uint32_t count = 0;
    if (!out) return etna_fail(err, ETNA_E_NOMEM, "no memory for surfaces");
    for (uint32_t o = 0; o < s->object_count && count < PROBE_SURFACES_MAX; o++) {
        const probe_upward *sets;
        uint32_t set_count, listed = 0;
        if (o == options->skip_object) continue;
        etna_code code = probe_object_upward(shared, o, &sets, &set_count, err);
        for (uint32_t i = 0;
             code == ETNA_OK && i < set_count && listed < options->per_object && count < PROBE_SURFACES_MAX; i++) {
            bool usable;
            if (sets[i].area < options->least_area) break;
            code = name_upward(shared, sp, camera, o, sets[i].face, arena, &out[count].plane, &usable, err);
            for (uint32_t k = 1; code == ETNA_OK && usable && k <= listed; k++) /* two sets at the top are one `_up` */
                usable = strcmp(out[count - k].plane.name, out[count].plane.name) != 0;
            if (code == ETNA_OK && usable && probe_surface_extent(&out[count], NULL)) {
                code = probe_surface_fill(shared, sp, options, NULL, &out[count], arena, err);
                count++;
                listed++;
            }
        }
        if (code != ETNA_OK) return code;
    }
    *ret = out;
    *ret_count = count;
    return ETNA_OK;
}
