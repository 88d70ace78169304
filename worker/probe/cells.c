/* Rays on a grid of 2 cm would miss a table's thin leg, so triangles are laid
 * over the cells instead. */
#include "worker/probe/cells.h"
#include "worker/probe/probe_internal.h"

#include <stdlib.h>
#include <string.h>

#define TOUCH \
    0.001 /* triangles that end this close above the plane belong to it */
#define SUNKEN 0.05   /* how deep an underside may lie below the plane */
#define UPRIGHT 1e-12 /* of a triangle's area in cells: it stands upright */
#define DIAGONAL 1.4142135623730951

enum {
    LOWEST_LOOKS_UP = 1,
    UNDERSIDE_BELOW = 2
}; /* cells_scratch.state */
enum {
    OFF = 0,
    ON = 1,
    GAP = 2
};

etna_code cells_scratch_new(const cells_map *map,
                            cells_scratch *ret,
                            etna_error *err)
{
    size_t cells = cells_count(map);
    *ret = (cells_scratch){.start = malloc((cells + 1) * sizeof *ret->start),
                           .state = malloc(cells + 1)};
    if (ret->start && ret->state)
        return ETNA_OK;
    return etna_fail(err, ETNA_E_NOMEM, "no memory for a map of %zu cells",
                     cells);
}

void cells_scratch_free(cells_scratch *scratch)
{
    free(scratch->start);
    free(scratch->state);
    *scratch = (cells_scratch){0};
}

/* ---- single triangles ---- */

/* A triangle in the map's units: `at` in cells from the map's origin, `z` in
 * metres above the plane. slope_x and slope_y are metres of height per cell
 * along each axis; an upright triangle has infinite ones. `flipped`: its part
 * is mirrored, so its winding is turned. */
cells_corners cells_lay_corners(const cells_map *map,
                                const vec3 corner[3],
                                bool flipped)
{
    cells_corners f = {.low = INFINITY, .high = -INFINITY};
    for (int k = 0; k < 3; k++) {
        f.at[k] = (vec2){(corner[k].x - map->origin[0]) / map->cell,
                         (corner[k].y - map->origin[1]) / map->cell};
        f.z[k] = corner[k].z - map->height;
        f.low = math_min(f.z[k], f.low);
        f.high = math_max(f.z[k], f.high);
    }
    double ax = f.at[1].x - f.at[0].x;
    double ay = f.at[1].y - f.at[0].y;
    double az = f.z[1] - f.z[0];
    double bx = f.at[2].x - f.at[0].x;
    double by = f.at[2].y - f.at[0].y;
    double bz = f.z[2] - f.z[0];
    double area = ax * by - ay * bx;
    bool upright = !(fabs(area) > UPRIGHT);
    f.looks_up = flipped ? area < 0 : area > 0;
    f.slope_x = upright ? INFINITY : (az * by - ay * bz) / area;
    f.slope_y = upright ? INFINITY : (ax * bz - az * bx) / area;
    return f;
}

/* The cells its box touches, cut to `within`; false when it touches none of
 * them, and when a coordinate is no number. */
bool cells_window_round(const cells_corners *f,
                        const cells_window *within,
                        cells_window *ret)
{
    double low[2] = {INFINITY, INFINITY};
    double high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        const double at[2] = {f->at[k].x, f->at[k].y};
        for (int i = 0; i < 2; i++) {
            low[i] = math_min(at[i], low[i]);
            high[i] = math_max(at[i], high[i]);
        }
    }
    for (int i = 0; i < 2; i++) {
        if (!(high[i] >= within->from[i]) || !(low[i] <= within->to[i]))
            return false;
        ret->from[i] =
            low[i] < within->from[i] ? within->from[i] : (uint32_t)low[i];
        ret->to[i] =
            high[i] >= within->to[i] ? within->to[i] : (uint32_t)high[i] + 1;
    }
    return true;
}

/* ---- which cells of a row a triangle overlaps ---- It overlaps a cell when
 * their boxes do and no side of it keeps the two apart. Along a row each side's
 * measure only grows or only falls, rounded or not, so these cells are one
 * span: its ends are found by halving instead of asking every cell of the
 * triangle's box. */

void cells_sides_of(const cells_corners *f, cells_side ret[3])
{
    for (int i = 0; i < 3; i++) {
        vec2 a = f->at[i];
        vec2 b = f->at[(i + 1) % 3];
        vec2 c = f->at[(i + 2) % 3];
        cells_side side = {.from = a, .nx = b.y - a.y, .ny = a.x - b.x};
        double third = (c.x - a.x) * side.nx + (c.y - a.y) * side.ny;
        side.reach = (fabs(side.nx) + fabs(side.ny)) / 2;
        side.low = math_min(third, 0);
        side.high = math_max(third, 0);
        ret[i] = side;
    }
}

/* Where the middle of the cell is across the side. */
static inline double side_measure(const cells_side *side,
                                  uint32_t column,
                                  uint32_t row)
{
    return (column + 0.5 - side->from.x) * side->nx +
           (row + 0.5 - side->from.y) * side->ny;
}

static inline bool side_is_below(const cells_side *side, double measure)
{
    return measure + side->reach < side->low;
}

static inline bool side_is_above(const cells_side *side, double measure)
{
    return measure - side->reach > side->high;
}

static inline bool side_lets(const cells_side *side,
                             uint32_t column,
                             uint32_t row)
{
    double measure = side_measure(side, column, row);
    return !side_is_below(side, measure) && !side_is_above(side, measure);
}

/* The first column of from .. to that has reached the triangle (`past`: that is
 * past it); `to` where none has. */
static uint32_t cells_side_find(
    const cells_side *side, uint32_t row, bool past, uint32_t from, uint32_t to)
{
    bool grows = side->nx >= 0;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        double measure = side_measure(side, middle, row);
        bool below = side_is_below(side, measure);
        bool above = side_is_above(side, measure);
        bool is_short = grows ? below : above;
        bool is_past = grows ? above : below;
        bool found = past ? is_past : !is_short;
        if (found)
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

/* Cuts from..to of the row down to the cells that no side keeps apart from the
 * triangle. The ends are asked first: mostly they are inside already. */
void cells_narrow_row(const cells_side sides[3],
                      uint32_t row,
                      uint32_t *from,
                      uint32_t *to)
{
    for (int i = 0; i < 3 && *from < *to; i++) {
        const cells_side *side = &sides[i];
        if (!side_lets(side, *from, row))
            *from = cells_side_find(side, row, false, *from, *to);
        if (*from < *to && !side_lets(side, *to - 1, row))
            *to = cells_side_find(side, row, true, *from, *to);
    }
}

/* The lowest the triangle can be within the cell. */
static double cells_lowest(const cells_corners *f,
                           uint32_t column,
                           uint32_t row)
{
    if (!isfinite(f->slope_x) || !isfinite(f->slope_y))
        return f->low;
    double z = f->z[0] + (column + 0.5 - f->at[0].x) * f->slope_x +
               (row + 0.5 - f->at[0].y) * f->slope_y;
    z -= (fabs(f->slope_x) + fabs(f->slope_y)) / 2;
    if (z < f->low)
        return f->low;
    return z > f->high ? f->high : z;
}

/* ---- the polygon ---- */

/* A cell belongs to the plane when its middle lies in one of the plane's
 * triangles. Cells smaller than a gap between planks are closed later
 * (cells_close_gaps). */
void cells_lay_polygon(const cells_map *map,
                       const probe_plane *plane,
                       uint8_t *ret)
{
    const cells_window whole = {{0, 0}, {map->columns, map->rows}};
    memset(ret, OFF, cells_count(map));
    for (uint32_t t = 0; t < plane->triangle_count; t++) {
        vec3 corner[3];
        for (int k = 0; k < 3; k++) {
            vec2 q = plane->triangles[3 * (size_t)t + (size_t)k];
            vec3 at = v3_add_scaled(v3_add_scaled(plane->origin, plane->u, q.x),
                                    plane->v, q.y);
            corner[k] = affine_point(&map->turn, at);
        }
        cells_corners f = cells_lay_corners(map, corner, false);
        cells_window box;
        if (!cells_window_round(&f, &whole, &box))
            continue;
        for (uint32_t j = box.from[1]; j < box.to[1]; j++)
            for (uint32_t i = box.from[0]; i < box.to[0]; i++)
                if (probe_in_triangle(f.at, (vec2){i + 0.5, j + 0.5}))
                    ret[cells_at(map, i, j)] = ON;
    }
}

/* From a cell on the polygon along one way: what lies before the next one that
 * is on it is a gap, unless it is too wide. */
static void cells_close_from(const cells_map *map,
                             uint8_t *on,
                             size_t at,
                             const int way[2],
                             uint32_t most)
{
    int64_t x = (int64_t)(at % map->columns);
    int64_t y = (int64_t)(at / map->columns);
    for (uint32_t n = 1; n <= most + 1; n++) {
        x += way[0];
        y += way[1];
        bool within = x >= 0 && x < map->columns && y < map->rows;
        if (!within)
            return;
        if (on[cells_at(map, (uint32_t)x, (uint32_t)y)] != ON)
            continue;
        for (uint32_t back = 1; back < n; back++) {
            uint32_t column = (uint32_t)(x - (int64_t)back * way[0]);
            uint32_t row = (uint32_t)(y - (int64_t)back * way[1]);
            on[cells_at(map, column, row)] = GAP;
        }
        return;
    }
}

/* Along rows, columns and both diagonals: a gap up to `widest` metres
 * between two cells of the plane is bridged, as the hull of the plane's faces
 * bridged it when it grew (plane_bridge.c). */
void cells_close_gaps(const cells_map *map, double widest, uint8_t *on)
{
    static const int ways[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
    for (int w = 0; w < 4; w++) {
        double step = map->cell * (w < 2 ? 1 : DIAGONAL);
        uint32_t most = (uint32_t)ceil(widest / step);
        for (size_t at = 0; at < cells_count(map); at++)
            if (on[at] == ON)
                cells_close_from(map, on, at, ways[w], most);
    }
}

/* ---- objects ---- */

/* Box of an object where it stands, along the map's axes. */
static void cells_box(const cells_map *map,
                      const space *sp,
                      uint32_t object,
                      vec3 *ret_min,
                      vec3 *ret_max)
{
    scene_box box = space_box(sp, object);
    vec3 corner[8];
    scene_box_corners(&box, corner);
    for (int i = 0; i < 8; i++)
        corner[i] = affine_point(&map->turn, corner[i]);
    *ret_min = *ret_max = corner[0];
    for (int i = 1; i < 8; i++) {
        *ret_min = v3_min(*ret_min, corner[i]);
        *ret_max = v3_max(*ret_max, corner[i]);
    }
}

/* The part of the map that the object's box can touch, with a cell to spare at
 * each side; false when it touches none, lies all below the plane, or begins
 * above the map's reach. */
bool cells_window_of(const cells_map *map,
                     const space *sp,
                     uint32_t object,
                     cells_window *ret)
{
    vec3 min, max;
    cells_box(map, sp, object, &min, &max);
    if (max.z < map->height || min.z > map->height + map->reach)
        return false;
    const double low[2] = {(min.x - map->origin[0]) / map->cell - 1,
                           (min.y - map->origin[1]) / map->cell - 1};
    const double high[2] = {(max.x - map->origin[0]) / map->cell + 2,
                            (max.y - map->origin[1]) / map->cell + 2};
    const uint32_t count[2] = {map->columns, map->rows};
    for (int k = 0; k < 2; k++) {
        if (!(low[k] < count[k]) || !(high[k] > 0))
            return false;
        ret->from[k] = low[k] < 0 ? 0 : (uint32_t)low[k];
        ret->to[k] = high[k] >= count[k] ? count[k] : (uint32_t)high[k];
    }
    return true;
}

/* Keeps the lowest start of each cell. Of two equally low ones the underside
 * wins: over it the object begins, whereas an upward face alone at that height
 * may be the top of something that reaches down below. */
static void cells_note_start(const cells_scratch *scratch,
                             size_t cell,
                             const cells_corners *f,
                             double z)
{
    float start = z > 0 ? (float)z : 0;
    float before = scratch->start[cell];
    bool lower = start < before || (start == before && !f->looks_up);
    if (!lower)
        return;
    uint8_t below = scratch->state[cell] & UNDERSIDE_BELOW;
    scratch->start[cell] = start;
    scratch->state[cell] = f->looks_up ? below | LOWEST_LOOKS_UP : below;
}

/* Enters one triangle into the cells it overlaps. Tops that lie in the plane
 * are the plane itself; triangles that end below it only tell that the object
 * has an underside down there, from which cells_raise_sunken concludes that it
 * is sunken in. The test of in_one spares small triangles the set-up of their
 * sides. */
static void cells_cover(const cells_map *map,
                        const cells_window *window,
                        const uint8_t *on,
                        const cells_scratch *scratch,
                        const cells_corners *f)
{
    bool is_own_top = f->high <= TOUCH && f->looks_up;
    cells_window box;
    if (is_own_top || f->high < -SUNKEN || !cells_window_round(f, window, &box))
        return;
    bool is_over = f->high > TOUCH;
    /* its box is within that cell */
    bool in_one = box.to[0] - box.from[0] == 1 && box.to[1] - box.from[1] == 1;
    cells_side sides[3];
    if (!in_one)
        cells_sides_of(f, sides);
    for (uint32_t j = box.from[1]; j < box.to[1]; j++) {
        uint32_t from = box.from[0];
        uint32_t to = box.to[0];
        if (!in_one)
            cells_narrow_row(sides, j, &from, &to);
        for (uint32_t i = from; i < to; i++) {
            size_t cell = cells_at(map, i, j);
            /* most of what stands there is higher */
            bool lowers = !is_over || !(f->low > (double)scratch->start[cell]);
            if (on[cell] == OFF || !lowers)
                continue;
            if (is_over)
                cells_note_start(scratch, cell, f, cells_lowest(f, i, j));
            else
                scratch->state[cell] |= UNDERSIDE_BELOW;
        }
    }
}

/* Only the window is cleared: most objects touch a small part of a large
 * map. */
static void cells_clear(const cells_map *map,
                        const cells_window *window,
                        const cells_scratch *scratch)
{
    for (uint32_t j = window->from[1]; j < window->to[1]; j++) {
        for (uint32_t i = window->from[0]; i < window->to[0]; i++) {
            scratch->start[cells_at(map, i, j)] = INFINITY;
            scratch->state[cells_at(map, i, j)] = 0;
        }
    }
}

/* What is sunken in the plane begins at it. */
static void cells_raise_sunken(const cells_map *map,
                               const cells_window *window,
                               const cells_scratch *scratch)
{
    for (uint32_t j = window->from[1]; j < window->to[1]; j++) {
        for (uint32_t i = window->from[0]; i < window->to[0]; i++) {
            size_t cell = cells_at(map, i, j);
            bool inside =
                scratch->state[cell] == (LOWEST_LOOKS_UP | UNDERSIDE_BELOW);
            if (inside && isfinite(scratch->start[cell]))
                scratch->start[cell] = 0;
        }
    }
}

/* Most of an object's triangles lie beside the window or deep below the plane:
 * so much is seen without a division. A cell's width is to spare, so that
 * rounding changes nothing. */
static bool cells_is_beside(const cells_map *map,
                            const cells_window *window,
                            const vec3 corner[3])
{
    vec3 low = v3_min(v3_min(corner[0], corner[1]), corner[2]);
    vec3 high = v3_max(v3_max(corner[0], corner[1]), corner[2]);
    if (high.z - map->height < -SUNKEN)
        return true;
    double left = map->origin[0] + (window->from[0] - 1.0) * map->cell;
    double right = map->origin[0] + (window->to[0] + 1.0) * map->cell;
    double front = map->origin[1] + (window->from[1] - 1.0) * map->cell;
    double back = map->origin[1] + (window->to[1] + 1.0) * map->cell;
    bool aside = high.x < left || low.x > right;
    return aside || high.y < front || low.y > back;
}

/* The starts of one object over the plane, in scratch->start: metres above the
 * plane where the object begins over each cell, infinite where it does not.
 * `own`: the plane's own object, which is never sunken in itself. */
void cells_lay_object(const cells_map *map,
                      const space *sp,
                      uint32_t object,
                      bool own,
                      const cells_window *window,
                      const uint8_t *on,
                      const cells_scratch *scratch)
{
    const scene *s = space_scene(sp);
    const scene_object *o = &s->objects[object];
    affine motion = scene_motion(o, space_pose(sp, object));
    motion = affine_mul(&map->turn, &motion);
    cells_clear(map, window, scratch);
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++) {
        const scene_mesh *mesh = &s->meshes[s->parts[p].mesh];
        affine place = affine_mul(&motion, &s->parts[p].to_world);
        for (uint32_t t = 0; t < mesh->triangle_count; t++) {
            vec3 corner[3];
            for (int k = 0; k < 3; k++) {
                const float *at =
                    mesh->position +
                    3 * (size_t)mesh->index[3 * (size_t)t + (size_t)k];
                corner[k] = affine_point(
                    &place, v3((double)at[0], (double)at[1], (double)at[2]));
            }
            if (cells_is_beside(map, window, corner))
                continue;
            cells_corners f =
                cells_lay_corners(map, corner, s->parts[p].flipped);
            cells_cover(map, window, on, scratch, &f);
        }
    }
    if (!own)
        cells_raise_sunken(map, window, scratch);
}
