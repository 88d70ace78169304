/* Where else on the plane the object may stand, when the descent found no free
 * place near its pixel: every cell and, where nothing else turns the object,
 * every 15 degrees is tried on the map of free_map.c; the best are handed on to
 * be polished and checked like any other candidate. */
#include "worker/solve/solve_internal.h"

#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

#define STEPS 24 /* of a full turn */
#define TIGHT_MAX \
    0.4 /* of the footprint may seem blocked: the map is coarser than triangles */
#define OFF_MAX \
    0.1 /* of the bottom may lie off the cells of the plane: its edge runs through some */
#define APART \
    0.25 /* of the narrower half side: places closer than this are one */
#define DISTANCE_WEIGHT 30
#define BEHIND 100 /* cost of a place the camera looks away from */

typedef struct place {
    int32_t blocked;
    uint32_t cell;
    double cost, yaw;
    uint32_t turn; /* number in the list of turns: the first is preferred */
} place;

typedef struct search {
    const solve_case *c;
    const solve_problem *p;
    const free_map *g;
    const term *facing; /* the heading is fixed by it, NULL: by the list */
    bool per_cell;      /* the heading depends on where it stands */
    bool whole;         /* NoOverhang full on this plane */
    double yaws[STEPS + 4];
    uint32_t yaw_count;
    double *cost; /* per cell */
    footprint body, bottom;
    int32_t *blocked, *off; /* of one row of places */
    uint32_t bin, bin_columns, bin_rows;
    place *best; /* per bin */
} search;

/* ---- turns ---- The world's yaw of the hull's longest side: things on a desk
 * mostly stand along it. Equal ones by first. */
static double longest_edge(const probe_plane *plane)
{
    double best = -1, angle = 0;
    for (uint32_t j = 0; j < plane->hull_count; j++) {
        vec2 a = plane->hull[j];
        vec2 b = plane->hull[(j + 1) % plane->hull_count];
        double dx = b.x - a.x;
        double dy = b.y - a.y;
        double length = dx * dx + dy * dy;
        vec3 d = v3_add(v3_scale(plane->u, dx), v3_scale(plane->v, dy));
        if (length > best + 1e-9 && d.x * d.x + d.y * d.y > 0) {
            best = length;
            angle = math_atan2(d.y, d.x);
        }
    }
    return angle;
}

/* NULL: nothing turns the object. */
static const term *facing_term(const solve_problem *p)
{
    for (uint32_t i = 0; i < p->term_count && !p->turn_frozen; i++) {
        if (p->terms[i].kind == TERM_FACING)
            return &p->terms[i];
    }
    return NULL;
}

/* Which headings are tried, the preferred first. What turns the object leaves
 * no choice: a facing plane gives one, a facing point one per cell (per_cell;
 * then turns are bins of 15 degrees). Else as it stood, square to the longest
 * edge, and all round in steps outward from how it stood. */
static void list_turns(search *s, double yaw, bool any)
{
    s->facing = facing_term(s->p);
    s->yaws[0] = yaw;
    s->yaw_count = 1;
    if (s->facing && !s->facing->by_point) {
        problem_heading(s->facing, 0, (const double[3]){0, 0, 0}, &s->yaws[0]);
        return;
    }
    s->per_cell = s->facing != NULL;
    if (s->per_cell) {
        for (uint32_t k = 0; k < STEPS; k++)
            s->yaws[k] = -MATH_PI + (k + 0.5) * (2 * MATH_PI / STEPS);
        s->yaw_count = STEPS;
        return;
    }
    if (s->p->turn_frozen || !any)
        return;
    double edge = longest_edge(s->c->floor);
    for (int k = 0; k < 4; k++)
        s->yaws[s->yaw_count++] = edge + k * (MATH_PI / 2);
    for (int k = 1; k < STEPS; k++)
        s->yaws[s->yaw_count++] =
            yaw + (k + 1) / 2 * (k & 1 ? 1 : -1) * (2 * MATH_PI / STEPS);
}

/* ---- footprints ---- */
/* The object's shadow on the plane when it stands with this yaw, in cells about
 * its box's centre. */
static void lay_body(search *s, double yaw)
{
    const solve_case *c = s->c;
    const scene_object *o = &c->scene->objects[c->object];
    arrange_pose pose = {{0, 0, 0}, yaw};
    affine motion = scene_motion(o, &pose);
    footprint_open(&s->body);
    for (uint32_t k = o->first_part; k < o->first_part + o->part_count; k++) {
        const scene_mesh *mesh = &c->scene->meshes[c->scene->parts[k].mesh];
        affine to = affine_mul(&motion, &c->scene->parts[k].to_world);
        for (uint32_t t = 0; t < mesh->triangle_count; t++) {
            vec2 corner[3];
            for (int i = 0; i < 3; i++) {
                const float *at =
                    mesh->position +
                    3 * (size_t)mesh->index[3 * (size_t)t + (size_t)i];
                vec3 q = affine_point(
                    &to, v3((double)at[0], (double)at[1], (double)at[2]));
                corner[i] = (vec2){v3_dot(q, c->floor->u) / s->g->cell,
                                   v3_dot(q, c->floor->v) / s->g->cell};
            }
            for (int i = 0; i < 3; i++)
                footprint_add_edge(&s->body, corner[i], corner[(i + 1) % 3]);
        }
    }
    footprint_close(&s->body);
}

/* The box's bottom rectangle, in cells about its centre. */
static void lay_bottom(search *s, double yaw)
{
    static const double signs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    double sine, cosine;
    vec2 corner[4];
    math_sincos(yaw, &sine, &cosine);
    footprint_open(&s->bottom);
    for (int k = 0; k < 4; k++) {
        double x = signs[k][0] * s->p->half.x;
        double y = signs[k][1] * s->p->half.y;
        vec3 q = v3(cosine * x - sine * y, sine * x + cosine * y, 0);
        corner[k] = (vec2){v3_dot(q, s->c->floor->u) / s->g->cell,
                           v3_dot(q, s->c->floor->v) / s->g->cell};
    }
    for (int k = 0; k < 4; k++)
        footprint_add_edge(&s->bottom, corner[k], corner[(k + 1) % 4]);
    footprint_close(&s->bottom);
}

/* ---- costs ---- */
/* How far the box's middle is from its lowest corner along the normal: it
 * stands on the plane then. */
static double stand_off(const search *s, double yaw)
{
    double sine, cosine;
    vec3 n = s->c->floor->normal;
    vec3 h = s->p->half;
    math_sincos(yaw, &sine, &cosine);
    return fabs(cosine * n.x + sine * n.y) * h.x +
           fabs(cosine * n.y - sine * n.x) * h.y + fabs(n.z) * h.z;
}

/* Of the cell's middle, relative to the problem's origin. */
static vec3 free_search_stand_at(const search *s, uint32_t cell, double yaw)
{
    const free_map *g = s->g;
    const probe_plane *plane = s->c->floor;
    double x = g->origin[0] + (cell % g->columns + 0.5) * g->cell;
    double y = g->origin[1] + (cell / g->columns + 0.5) * g->cell;
    vec3 at =
        v3_add_scaled(v3_add_scaled(plane->origin, plane->u, x), plane->v, y);
    at = v3_add_scaled(at, plane->normal,
                       plane->offset - v3_dot(at, plane->normal) +
                           stand_off(s, yaw));
    return v3_sub(at, s->p->origin);
}

/* What the terms that look only at the place say of it. */
static double free_search_cost(const search *s, vec3 at)
{
    double sum = 0;
    vec3 world = v3_add(at, s->p->origin);
    for (uint32_t i = 0; i < s->p->term_count; i++) {
        const term *t = &s->p->terms[i];
        double x, y, depth;
        if (t->kind == TERM_PIXEL &&
            camera_project(s->c->pixels,
                           v3(world.x, world.y, world.z - t->drop), &x, &y,
                           &depth)) {
            sum += (x - t->target[0]) * (x - t->target[0]) +
                   (y - t->target[1]) * (y - t->target[1]);
        } else if (t->kind == TERM_PIXEL) {
            sum += BEHIND;
        } else if (t->kind == TERM_DISTANCE) {
            double off = v3_distance(at, t->point) - t->offset;
            sum += DISTANCE_WEIGHT * off * off;
        }
    }
    return isfinite(sum) ? sum : BEHIND * (double)BEHIND;
}

/* Less blocked first, then cheaper, then the preferred turn, then the first
 * cell; total. */
static int by_worth(const void *a, const void *b)
{
    const place *p = a, *q = b;
    if (p->blocked != q->blocked)
        return p->blocked < q->blocked ? -1 : 1;
    if (p->cost != q->cost)
        return p->cost < q->cost ? -1 : 1;
    if (p->turn != q->turn)
        return p->turn < q->turn ? -1 : 1;
    return p->cell < q->cell ? -1 : p->cell > q->cell;
}

/* ---- the search ---- */
/* The heading at this cell; false when it is another turn's. */
static bool heading_at(const search *s,
                       uint32_t cell,
                       uint32_t turn,
                       double *ret)
{
    *ret = s->yaws[turn];
    if (!s->per_cell)
        return true;
    vec3 at = free_search_stand_at(s, cell, *ret);
    double yaw = 0;
    if (!problem_heading(s->facing, 0, (const double[3]){at.x, at.y, at.z},
                         &yaw))
        return false;
    double off = yaw - *ret;
    off -= 2 * MATH_PI * floor(off / (2 * MATH_PI) + 0.5);
    *ret = yaw;
    return fabs(off) <= MATH_PI / STEPS;
}

/* One heading at every cell; each bin keeps its best. Blocked cells are counted
 * by running sums, so a cell costs some additions however large the object is.
 * `tight`: only places that the map says are partly taken, because its cells
 * are coarser than triangles. */
static void try_turn(search *s, uint32_t turn, bool tight)
{
    const free_map *g = s->g;
    lay_body(s, s->yaws[turn]);
    lay_bottom(s, s->yaws[turn]);
    int32_t most = tight ? (int32_t)(TIGHT_MAX * s->body.area) : 0;
    int32_t off_most =
        s->whole ? (int32_t)(OFF_MAX * s->bottom.area) : INT32_MAX;
    for (uint32_t j = 0; j < g->rows; j++) {
        footprint_count_row(&s->body, &g->blocked, j, s->blocked);
        if (s->whole)
            footprint_count_row(&s->bottom, &g->off_plane, j, s->off);
        for (uint32_t i = 0; i < g->columns; i++) {
            uint32_t cell = j * g->columns + i;
            bool is_free = s->blocked[i] <= most && s->off[i] <= off_most;
            if (g->off[cell] || !is_free)
                continue;
            if (tight && s->blocked[i] == 0)
                continue;
            place here = {s->blocked[i], cell, s->cost[cell], 0, turn};
            place *best =
                &s->best[(size_t)(j / s->bin) * s->bin_columns + i / s->bin];
            if ((best->blocked < 0 || by_worth(&here, best) < 0) &&
                heading_at(s, cell, turn, &here.yaw))
                *best = here;
        }
    }
}

/* Is it asked that the object stands within the whole floor? */
static bool term_asks_for_floor(const search *s, const term *t)
{
    return t->kind == TERM_INSIDE &&
           strcmp(case_plane(s->c, t->item)->name, s->c->floor->name) == 0;
}

/* Bins a quarter of the narrower half wide: what is closer is the same place.
 * Their best is marked "none" by blocked -1. */
static etna_code free_search_prepare(search *s, etna_error *err)
{
    const free_map *g = s->g;
    size_t cells = (size_t)g->columns * g->rows;
    size_t rows = 2 * (size_t)g->blocked.pad + 1;
    double narrow = fmin(s->p->half.x, s->p->half.y);
    s->bin = (uint32_t)(APART * narrow / g->cell);
    s->bin = s->bin < 2 ? 2 : s->bin;
    s->bin_columns = (g->columns + s->bin - 1) / s->bin;
    s->bin_rows = (g->rows + s->bin - 1) / s->bin;
    s->cost = etna_arena_alloc(s->c->arena, cells, sizeof *s->cost);
    s->blocked = etna_arena_alloc(s->c->arena, g->columns, sizeof *s->blocked);
    s->off = etna_arena_alloc(s->c->arena, g->columns, sizeof *s->off);
    s->best = etna_arena_alloc(
        s->c->arena, (size_t)s->bin_columns * s->bin_rows, sizeof *s->best);
    int *limits = etna_arena_alloc(s->c->arena, 4 * rows, sizeof *limits);
    bool has_maps = s->cost && s->blocked && s->off;
    if (!has_maps || !s->best || !limits)
        return etna_fail(err, ETNA_E_NOMEM, "no memory to look over %zu cells",
                         cells);
    s->body = (footprint){.first = -(int)g->blocked.pad,
                          .count = (int)rows,
                          .from = limits,
                          .to = limits + rows};
    s->bottom = (footprint){.first = -(int)g->blocked.pad,
                            .count = (int)rows,
                            .from = limits + 2 * rows,
                            .to = limits + 3 * rows};
    memset(s->off, 0, g->columns * sizeof *s->off);
    for (size_t i = 0; i < (size_t)s->bin_columns * s->bin_rows; i++)
        s->best[i].blocked = -1;
    for (uint32_t i = 0; i < cells; i++)
        s->cost[i] =
            free_search_cost(s, free_search_stand_at(s, i, s->yaws[0]));
    for (uint32_t i = 0; i < s->p->term_count; i++)
        s->whole = s->whole || term_asks_for_floor(s, &s->p->terms[i]);
    return ETNA_OK;
}

/* Are there terms that a place on the plane alone does not meet? */
static bool needs_polish(const solve_problem *p)
{
    uint32_t contacts = 0, other = 0;
    for (uint32_t i = 0; i < p->term_count; i++) {
        contacts += p->terms[i].kind == TERM_CONTACT;
        other += p->terms[i].kind == TERM_DISTANCE ||
                 p->terms[i].kind == TERM_MIDDLE;
    }
    return contacts > 1 || other > 0;
}

/* Up to SOLVE_CANDIDATES poses relative to the problem's origin, the best
 * first. Those that need no polish are judged here, so that hopeless ones take
 * no room. */
etna_code free_search_find(const solve_case *c,
                           const solve_problem *p,
                           const free_map *g,
                           free_search_way way,
                           double yaw,
                           double ret_pose[SOLVE_CANDIDATES][4],
                           uint32_t *ret_count,
                           etna_error *err)
{
    search s = {.c = c, .p = p, .g = g};
    *ret_count = 0;
    if (g->columns == 0)
        return ETNA_OK;
    list_turns(&s, yaw, way != FREE_SEARCH_AS_IT_STANDS);
    if (way == FREE_SEARCH_TURNED && s.yaw_count == (s.per_cell ? STEPS : 1))
        return ETNA_OK; /* no other turn than what was tried */
    etna_code code = free_search_prepare(&s, err);
    if (code != ETNA_OK)
        return code;
    for (uint32_t t = way == FREE_SEARCH_TURNED ? 1 : 0; t < s.yaw_count; t++)
        try_turn(&s, t, way == FREE_SEARCH_TIGHT);
    uint32_t found = 0;
    for (size_t i = 0; i < (size_t)s.bin_columns * s.bin_rows; i++)
        if (s.best[i].blocked >= 0)
            s.best[found++] = s.best[i];
    qsort(s.best, found, sizeof *s.best, by_worth);
    bool polished = needs_polish(p);
    for (uint32_t i = 0; i < found && *ret_count < SOLVE_CANDIDATES; i++) {
        vec3 at = free_search_stand_at(&s, s.best[i].cell, s.best[i].yaw);
        candidate k = {.number = 0, .pose = {at.x, at.y, at.z, s.best[i].yaw}};
        memcpy(ret_pose[*ret_count], k.pose, sizeof k.pose);
        *ret_count += polished || judge_one(c, p, true, &k);
    }
    return ETNA_OK;
}
