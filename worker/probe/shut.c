/* What is free over a plane falls into regions, and a region counts when a hand
 * comes to some of it: its cells are one place to who slides a thing along. Air
 * reaches it from above, over one of its cells, or level over its edge: a slot
 * too low for a cell of the air is open in front. Doors that are movable are no
 * walls; the thing's own are. */
#include "worker/probe/cells.h"
#include "worker/probe/probe_internal.h"

#include <stdlib.h>
#include <string.h>

#define HIGHEST 2.0 /* metres above the plane that air is looked for */
#define STEP 0.05   /* metres, as cells of air are wide */
#define LOW \
    0.05 /* metres: so high over the plane one looks level over its edge */
#define BEFORE 0.15    /* metres before the edge */
#define RAYS_MAX 20000 /* over a plane; more and it counts as reached */

typedef struct shut {
    const cells_map *map;
    const space *space;
    const space_air *air;
    uint32_t object;
    const float *fixed;
    float least;
    affine to_world; /* from the map's frame */
    uint8_t *on;
    uint8_t *seen;   /* per cell */
    uint32_t *cells; /* of the region */
    uint32_t rays;
} shut;

static const int shut_ways[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

/* A cell of the plane with enough clearance under what cannot be taken away.
 * Outside of the map nothing is free. */
static bool shut_is_free(const shut *s, int64_t column, int64_t row)
{
    if (column < 0 || column >= s->map->columns)
        return false;
    if (row < 0 || row >= s->map->rows)
        return false;
    size_t cell = cells_at(s->map, (uint32_t)column, (uint32_t)row);
    return s->on[cell] && s->fixed[cell] >= s->least;
}

/* A point over a cell's middle, `aside` metres along the grid from it. */
static vec3 shut_point(const shut *s,
                       uint32_t cell,
                       double above,
                       const double aside[2])
{
    double x = s->map->origin[0] +
               (cell % s->map->columns + 0.5) * s->map->cell + aside[0];
    double y = s->map->origin[1] +
               (cell / s->map->columns + 0.5) * s->map->cell + aside[1];
    return affine_point(&s->to_world, v3(x, y, s->map->height + above));
}

/* Whether open air (space_air) is anywhere in the column over the cell, up to
 * what covers it. */
static bool shut_opens_above(const shut *s, uint32_t cell)
{
    double highest =
        (double)s->fixed[cell] < HIGHEST ? (double)s->fixed[cell] : HIGHEST;
    for (double above = STEP / 2; above < highest; above += STEP)
        if (space_air_is_open(s->air,
                              shut_point(s, cell, above, (double[2]){0, 0})))
            return true;
    return false;
}

/* Whether a straight way leads from just over the cell, out over an edge of the
 * region, into open air: into a shelf from the front. Rays are counted; past
 * the bound the region counts as reached, since a false "shut" would hide a
 * place and a false "open" only offers one. */
static bool shut_opens_level(shut *s, uint32_t cell)
{
    int64_t column = cell % s->map->columns;
    int64_t row = cell / s->map->columns;
    double half = (double)s->fixed[cell] / 2;
    double above = math_min(half, LOW);
    vec3 from = shut_point(s, cell, above, (double[2]){0, 0});
    for (int k = 0; k < 4; k++) {
        const int *way = shut_ways[k];
        if (shut_is_free(s, column + way[0], row + way[1]))
            continue;
        for (double far = STEP; far < BEFORE + STEP / 2; far += STEP) {
            const double aside[2] = {far * way[0], far * way[1]};
            if (s->rays++ >= RAYS_MAX)
                return true;
            if (space_air_leads(s->space, s->air, s->object, from,
                                shut_point(s, cell, above, aside)))
                return true;
        }
    }
    return false;
}

/* The region about a cell into s->cells; returns how many there are. */
static uint32_t shut_gather(shut *s, uint32_t first)
{
    uint32_t count = 1;
    s->cells[0] = first;
    s->seen[first] = 1;
    for (uint32_t next = 0; next < count; next++) {
        int64_t column = s->cells[next] % s->map->columns;
        int64_t row = s->cells[next] / s->map->columns;
        for (int k = 0; k < 4; k++) {
            int64_t x = column + shut_ways[k][0];
            int64_t y = row + shut_ways[k][1];
            if (!shut_is_free(s, x, y))
                continue;
            uint32_t cell =
                (uint32_t)cells_at(s->map, (uint32_t)x, (uint32_t)y);
            if (s->seen[cell])
                continue;
            s->seen[cell] = 1;
            s->cells[count++] = cell;
        }
    }
    return count;
}

/* The cheap question of all cells first: it looks up cells of air, the other
 * casts rays. */
static bool shut_is_reached(shut *s, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (shut_opens_above(s, s->cells[i]))
            return true;
    for (uint32_t i = 0; i < count; i++)
        if (shut_opens_level(s, s->cells[i]))
            return true;
    return false;
}

/* Clears `on` where no hand can come. *ret_shut: something was free and all of
 * it was shut in, so that callers can say why the surface has no place. */
etna_code probe_leave_out_shut(const cells_map *map,
                               const space *sp,
                               const space_air *air,
                               uint32_t object,
                               const float *fixed,
                               double least,
                               uint8_t *on,
                               bool *ret_shut,
                               etna_error *err)
{
    uint32_t left = 0;
    uint32_t taken = 0;
    size_t size = cells_count(map);
    shut s = {.map = map,
              .space = sp,
              .air = air,
              .object = object,
              .fixed = fixed,
              .least = (float)least,
              .on = on};
    if (!affine_inverse(&map->turn, &s.to_world))
        return etna_fail(err, ETNA_E_INTERNAL, "a map's frame is flat");
    s.seen = calloc(size + 1, 1);
    s.cells = malloc((size + 1) * sizeof *s.cells);
    etna_code code = s.seen && s.cells
                         ? ETNA_OK
                         : etna_fail(err, ETNA_E_NOMEM,
                                     "no memory for a map of %zu cells", size);
    for (uint32_t cell = 0; cell < size && code == ETNA_OK; cell++) {
        bool is_free = on[cell] && fixed[cell] >= s.least;
        if (!is_free || s.seen[cell])
            continue;
        uint32_t count = shut_gather(&s, cell);
        bool is_reached = shut_is_reached(&s, count);
        left += is_reached ? count : 0;
        taken += is_reached ? 0 : count;
        for (uint32_t i = 0; i < count && !is_reached; i++)
            on[s.cells[i]] = 0;
    }
    free(s.seen);
    free(s.cells);
    if (code == ETNA_OK)
        *ret_shut = taken > 0 && left == 0;
    return code;
}
