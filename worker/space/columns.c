/* The underside of an object takes up to a thousand vertical rays at that
 * object alone, at places that are known before. So its triangles are looked at
 * once, each for the few columns over its own footprint, and a ray becomes a
 * look at the column's triangles. They are the same vertices and the same fixed
 * test (triangle.c) as for a ray that Embree proposes triangles to, so the
 * answers are the same bits. */
#include "worker/space/columns.h"

#include "worker/space/embree.h"

#include <stdlib.h>

/* beyond, a thousand rays cost less than a look at each */
enum {
    TRIANGLES_MAX = 40000
};

void columns_free(columns *c)
{
    free(c->hits);
    free(c->vertex);
    free(c->index);
    c->hits = NULL;
    c->vertex = NULL;
    c->index = NULL;
}

typedef struct footprint { /* of the box: from the world to its cells */
    vec3 centre;
    double sin, cos, across, along;
} footprint;

/* Cells of the footprint, 0 to UNDERSIDE_GRID. */
static vec2 place_in(const footprint *f, vec3 p)
{
    double dx = p.x - f->centre.x;
    double dy = p.y - f->centre.y;
    return (vec2){
        ((f->cos * dx + f->sin * dy) * f->across + 1) * (UNDERSIDE_GRID / 2),
        ((f->cos * dy - f->sin * dx) * f->along + 1) * (UNDERSIDE_GRID / 2)};
}

static uint32_t columns_cell_at(double x)
{
    return (uint32_t)math_clamp(x, 0, UNDERSIDE_GRID - 1);
}

/* Lists by column, in one array: the newest first. */
static bool add_hit(columns *c, uint32_t number, uint32_t triangle)
{
    if (c->count == c->room) {
        uint32_t room = c->room ? 2 * c->room : 4096;
        column_hit *grown = c->room > UINT32_MAX / 4
                                ? NULL
                                : realloc(c->hits, room * sizeof *grown);
        if (!grown)
            return false;
        c->hits = grown;
        c->room = room;
    }
    c->hits[c->count] = (column_hit){triangle, c->first[number]};
    c->first[number] = c->count++;
    return true;
}

/* False when memory is at its end. */
static bool try_columns(columns *c, const vec2 *place, uint32_t triangle)
{
    const double slack = 1e-6; /* of a cell, of rounding */
    const uint32_t *t = c->index + 3 * (size_t)triangle;
    vec3 a = c->vertex[t[0]];
    vec3 b = c->vertex[t[1]];
    vec3 d = c->vertex[t[2]];
    vec2 pa = place[t[0]];
    vec2 pb = place[t[1]];
    vec2 pd = place[t[2]];
    vec3 low = v3_min(a, v3_min(b, d));
    vec3 high = v3_max(a, v3_max(b, d));
    uint32_t x0 = columns_cell_at(math_min(pa.x, math_min(pb.x, pd.x)) - slack);
    uint32_t x1 = columns_cell_at(math_max(pa.x, math_max(pb.x, pd.x)) + slack);
    uint32_t y0 = columns_cell_at(math_min(pa.y, math_min(pb.y, pd.y)) - slack);
    uint32_t y1 = columns_cell_at(math_max(pa.y, math_max(pb.y, pd.y)) + slack);
    for (uint32_t y = y0; y <= y1; y++)
        for (uint32_t x = x0; x <= x1; x++)
            for (uint32_t k = y * UNDERSIDE_GRID + x; k < 2 * COLUMNS;
                 k += COLUMNS) {
                vec2 at = c->at[k];
                double when, edge;
                if (!c->wanted[k] || !v2_within(at, (vec2){low.x, low.y},
                                                (vec2){high.x, high.y}))
                    continue;
                ray_shear up = ray_shear_make(v3(at.x, at.y, 0), v3(0, 0, 1));
                if (triangle_ray(&up, a, b, d, &when, &edge) &&
                    !add_hit(c, k, triangle))
                    return false;
            }
    return true;
}

/* Vertices of all parts, and where they are over the cells. */
static void columns_bring(columns *c,
                          const scene *s,
                          const scene_object *o,
                          const affine *motion,
                          vec2 *place)
{
    footprint f = {.centre = c->box.centre,
                   .across = 1 / c->box.half.x,
                   .along = 1 / c->box.half.y};
    uint32_t n = 0, t = 0;
    math_sincos(c->box.yaw, &f.sin, &f.cos);
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++) {
        const scene_mesh *m = &s->meshes[s->parts[p].mesh];
        affine to = motion ? affine_mul(motion, &s->parts[p].to_world)
                           : s->parts[p].to_world;
        for (size_t i = 0; i < 3 * (size_t)m->triangle_count; i++)
            c->index[t++] = n + m->index[i];
        for (uint32_t i = 0; i < m->vertex_count; i++, n++) {
            c->vertex[n] = affine_point(&to, mesh_vertex(m, i));
            place[n] = place_in(&f, c->vertex[n]);
        }
    }
}

/* Whether the object is small, and neither its box nor a part of it flat.
 * Counts all of it in either case. */
static bool columns_suit(const columns *c,
                         const scene *s,
                         const scene_object *o,
                         uint64_t *ret_vertices,
                         uint64_t *ret_triangles)
{
    bool suits = c->box.half.x > 1e-6 && c->box.half.y > 1e-6;
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++) {
        *ret_vertices += s->meshes[s->parts[p].mesh].vertex_count;
        *ret_triangles += s->meshes[s->parts[p].mesh].triangle_count;
        suits = suits && !affine_is_flat(&s->parts[p].to_world);
    }
    return suits && *ret_triangles <= TRIANGLES_MAX &&
           *ret_vertices <= 3 * TRIANGLES_MAX;
}

/* *ret_done false with ETNA_OK: the object is not suited, and rays are cast
 * instead. Both ways give the same bits. */
etna_code columns_fill(columns *c,
                       const scene *s,
                       uint32_t object,
                       const affine *motion,
                       bool *ret_done,
                       etna_error *err)
{
    const scene_object *o = &s->objects[object];
    uint64_t vertices = 0, triangles = 0;
    *ret_done = false;
    if (!columns_suit(c, s, o, &vertices, &triangles))
        return ETNA_OK;
    vec2 *place = malloc((vertices + 1) * sizeof *place);
    c->vertex = malloc((vertices + 1) * sizeof *c->vertex);
    c->index = malloc((3 * triangles + 1) * sizeof *c->index);
    bool held = place && c->vertex && c->index;
    for (uint32_t k = 0; k < 2 * COLUMNS; k++)
        c->first[k] = SCENE_NONE;
    if (held)
        columns_bring(c, s, o, motion, place);
    for (uint32_t i = 0; i < triangles && held; i++)
        held = try_columns(c, place, i);
    free(place);
    *ret_done = held;
    return held ? ETNA_OK
                : etna_fail(err, ETNA_E_NOMEM,
                            "space: no memory for the underside of \"%s\"",
                            o->name);
}

/* As a ray at the object alone: the nearest exact hit within [t_min, t_max]. */
bool columns_cast(const columns *c,
                  uint32_t number,
                  double z,
                  double up,
                  double t_min,
                  double t_max,
                  double *ret_t)
{
    ray_shear ray =
        ray_shear_make(v3(c->at[number].x, c->at[number].y, z), v3(0, 0, up));
    bool found = false;
    double best = 0;
    for (uint32_t i = c->first[number]; i != SCENE_NONE; i = c->hits[i].next) {
        const uint32_t *t = c->index + 3 * (size_t)c->hits[i].triangle;
        double at, edge;
        if (!triangle_ray(&ray, c->vertex[t[0]], c->vertex[t[1]],
                          c->vertex[t[2]], &at, &edge))
            continue;
        if (at < t_min || at > t_max)
            continue;
        if (found && at >= best)
            continue;
        found = true;
        best = at;
    }
    if (found)
        *ret_t = best;
    return found;
}
