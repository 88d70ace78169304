/* What stands on the plane, as a map of cells in the plane's own frame, so that
 * a wall is searched like a table. It only says where it is worth looking:
 * whatever is chosen from it is checked on true triangles. */
#include "worker/probe/cells.h"
#include "worker/solve/solve_internal.h"

#include <stdlib.h>
#include <string.h>

#define CELL_LEAST 0.005
#define CELLS_MAX (1 << 16)
#define PAD_MAX 2048
#define EXTENT_MAX 1e5

/* Cells as small as CELLS_MAX allows. The pad round the map holds half the
 * largest footprint, so that sums need no bounds test. False when the plane or
 * the object is too odd to be mapped: the search elsewhere is then left out. */
static bool free_map_set_extent(const solve_case *c, free_map *g)
{
    const probe_plane *plane = c->floor;
    vec2 low = plane->hull[0];
    vec2 high = low;
    for (uint32_t i = 1; i < plane->hull_count; i++) {
        low = (vec2){fmin(low.x, plane->hull[i].x),
                     fmin(low.y, plane->hull[i].y)};
        high = (vec2){fmax(high.x, plane->hull[i].x),
                      fmax(high.y, plane->hull[i].y)};
    }
    double wide = high.x - low.x;
    double deep = high.y - low.y;
    if (!(wide > 0) || !(wide < EXTENT_MAX))
        return false;
    if (!(deep > 0) || !(deep < EXTENT_MAX))
        return false;
    g->cell = CELL_LEAST;
    while (ceil(wide / g->cell) * ceil(deep / g->cell) > CELLS_MAX)
        g->cell *= 1.25;
    vec3 h = c->box.half;
    double radius = sqrt(h.x * h.x + h.y * h.y);
    double across = sqrt(radius * radius + h.z * h.z);
    if (!(across / g->cell < PAD_MAX))
        return false;
    g->columns = (uint32_t)ceil(wide / g->cell);
    g->rows = (uint32_t)ceil(deep / g->cell);
    g->origin[0] = low.x;
    g->origin[1] = low.y;
    const uint32_t pad = (uint32_t)(across / g->cell) + 3;
    g->blocked = (footprint_sums){.columns = g->columns,
                                  .rows = g->rows,
                                  .pad = pad,
                                  .stride = g->columns + 2 * pad + 1};
    g->off_plane = g->blocked;
    double nx = plane->normal.x;
    double ny = plane->normal.y;
    g->height =
        2 * (h.z * fabs(plane->normal.z) + radius * sqrt(nx * nx + ny * ny));
    return true;
}

/* The map's frame is the plane's: u, v and normal as its axes. */
static cells_map free_map_map(const solve_case *c, const free_map *g)
{
    const probe_plane *p = c->floor;
    cells_map map = {.height = p->offset,
                     .cell = g->cell,
                     .reach = g->height,
                     .columns = g->columns,
                     .rows = g->rows};
    const vec3 axes[3] = {p->u, p->v, p->normal};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            map.turn.m[i][k] = v3_get(axes[i], k);
    }
    map.origin[0] = v3_dot(p->origin, p->u) + g->origin[0];
    map.origin[1] = v3_dot(p->origin, p->v) + g->origin[1];
    return map;
}

/* 1 where something begins lower than the moved thing is high. */
static void free_map_block(const free_map *g,
                           const cells_map *map,
                           const cells_window *window,
                           const float *start,
                           uint8_t *blocked)
{
    for (uint32_t j = window->from[1]; j < window->to[1]; j++) {
        for (uint32_t i = window->from[0]; i < window->to[0]; i++) {
            size_t cell = cells_at(map, i, j);
            if ((double)start[cell] < g->height)
                blocked[cell] = 1;
        }
    }
}

/* First where the plane is none (off), then what stands on it, of all but the
 * moved body. */
static etna_code free_map_lay(const solve_case *c,
                              const free_map *g,
                              uint8_t *blocked,
                              etna_error *err)
{
    cells_map map = free_map_map(c, g);
    cells_scratch scratch = {0};
    /* what is over an edge is in the way, too */
    uint8_t *everywhere = malloc(cells_count(&map) + 1);
    etna_code code = everywhere ? cells_scratch_new(&map, &scratch, err)
                                : etna_fail(err, ETNA_E_NOMEM,
                                            "no memory for a plane's map");
    if (code == ETNA_OK) {
        memset(everywhere, 1, cells_count(&map));
        cells_lay_polygon(&map, c->floor, g->off);
        cells_close_gaps(&map, probe_gap_of(c->scene, c->floor->object),
                         g->off);
        for (size_t i = 0; i < cells_count(&map); i++)
            g->off[i] = g->off[i] == 0;
    }
    for (uint32_t o = 0; o < c->scene->object_count && code == ETNA_OK; o++) {
        cells_window window;
        if (group_has(c, o) || !cells_window_of(&map, c->space, o, &window))
            continue;
        cells_lay_object(&map, c->space, o, o == c->floor->object, &window,
                         everywhere, &scratch);
        free_map_block(g, &map, &window, scratch.start, blocked);
    }
    cells_scratch_free(&scratch);
    free(everywhere);
    return code;
}

/* *ret with no columns: there is no floor to search, which is no failure. */
etna_code free_map_make(const solve_case *c, free_map *ret, etna_error *err)
{
    free_map g = {0};
    if (!c->floor || !free_map_set_extent(c, &g)) {
        *ret = (free_map){0};
        return ETNA_OK;
    }
    size_t cells = (size_t)g.columns * g.rows;
    size_t sums = (size_t)g.blocked.stride * g.rows;
    uint8_t *blocked = etna_arena_alloc(c->arena, cells, 1);
    g.off = etna_arena_alloc(c->arena, cells, 1);
    g.blocked.sums = etna_arena_alloc(c->arena, sums, sizeof *g.blocked.sums);
    g.off_plane.sums =
        etna_arena_alloc(c->arena, sums, sizeof *g.off_plane.sums);
    bool has_sums = g.blocked.sums && g.off_plane.sums;
    if (!blocked || !g.off || !has_sums)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a map of %zu cells",
                         cells);
    memset(blocked, 0, cells);
    etna_code code = free_map_lay(c, &g, blocked, err);
    if (code != ETNA_OK)
        return code;
    footprint_add_up(&g.blocked, blocked);
    footprint_add_up(&g.off_plane, g.off);
    *ret = g;
    return ETNA_OK;
}
