/* What stands on the plane, as a map of cells in the plane's own frame, so that a wall is searched like a table. It
 * only says where it is worth looking: whatever is chosen from it is checked on true triangles. */
#include "worker/solve/own.h"

#include <stdlib.h>
#include <string.h>

#define CELL_LEAST 0.005
#define CELLS_MAX (1 << 16)
#define PAD_MAX 2048
#define POINTS_MAX (1 << 18)
#define TOUCH 0.001 /* what ends this close above the plane belongs to it */
#define FOOT 0.005  /* how deep the underside of what stands on the plane may lie below it */
#define EXTENT_MAX 1e5

typedef struct point { /* in the plane's frame, u and v in cells */
    double u, v, h;
} point;

static point to_plane(const ground *g, const probe_plane *plane, vec3 at)
{
    vec3 d = v3_sub(at, plane->origin);
    return (point){(v3_dot(d, plane->u) - g->origin[0]) / g->cell, (v3_dot(d, plane->v) - g->origin[1]) / g->cell,
                   v3_dot(at, plane->normal) - plane->offset};
}

static uint32_t clip(const point *in, uint32_t count, double bound, double side, point *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        const point *a = &in[i], *b = &in[(i + 1) % count];
        double da = side * (a->h - bound), db = side * (b->h - bound);
        if (da >= 0) out[n++] = *a;
        if ((da < 0) != (db < 0)) {
            double t = da / (da - db);
            out[n++] = (point){a->u + t * (b->u - a->u), a->v + t * (b->v - a->v), bound};
        }
    }
    return n;
}

/* Does the convex polygon overlap the unit cell at (x, y)? The boxes do; what is left are the polygon's own edges. */
static bool overlaps(const point *p, uint32_t n, double x, double y)
{
    for (uint32_t i = 0; i < n; i++) {
        const point *a = &p[i], *b = &p[(i + 1) % n];
        double nx = b->v - a->v, ny = a->u - b->u, low = INFINITY, high = -INFINITY;
        for (uint32_t k = 0; k < n; k++) {
            double along = (p[k].u - a->u) * nx + (p[k].v - a->v) * ny;
            low = along < low ? along : low;
            high = along > high ? along : high;
        }
        double centre = (x + 0.5 - a->u) * nx + (y + 0.5 - a->v) * ny, reach = (fabs(nx) + fabs(ny)) / 2;
        if (centre - reach > high || centre + reach < low) return false;
    }
    return true;
}

static void mark(const ground *g, uint8_t *cells, const point *p, uint32_t n)
{
    double u0 = INFINITY, u1 = -INFINITY, v0 = INFINITY, v1 = -INFINITY;
    for (uint32_t k = 0; k < n; k++) {
        u0 = p[k].u < u0 ? p[k].u : u0;
        u1 = p[k].u > u1 ? p[k].u : u1;
        v0 = p[k].v < v0 ? p[k].v : v0;
        v1 = p[k].v > v1 ? p[k].v : v1;
    }
    if (n == 0 || !(u1 >= 0) || !(v1 >= 0) || !(u0 < g->columns) || !(v0 < g->rows)) return;
    uint32_t i0 = u0 < 0 ? 0 : (uint32_t)u0, j0 = v0 < 0 ? 0 : (uint32_t)v0;
    uint32_t i1 = u1 >= g->columns ? g->columns - 1 : (uint32_t)u1, j1 = v1 >= g->rows ? g->rows - 1 : (uint32_t)v1;
    for (uint32_t j = j0; j <= j1; j++)
        for (uint32_t i = i0; i <= i1; i++) {
            uint8_t *cell = &cells[(size_t)j * g->columns + i];
            if (!*cell && ((i0 == i1 && j0 == j1) || overlaps(p, n, i, j))) *cell = 1;
        }
}

static void lay_triangle(const ground *g, uint8_t *cells, const point corner[3], bool flipped, bool own)
{
    double low = fmin(corner[0].h, fmin(corner[1].h, corner[2].h)),
           high = fmax(corner[0].h, fmax(corner[1].h, corner[2].h));
    if (low >= g->height || high < -FOOT) return;
    if (high <= TOUCH) {
        double turn = (corner[1].u - corner[0].u) * (corner[2].v - corner[0].v) -
                      (corner[1].v - corner[0].v) * (corner[2].u - corner[0].u);
        if (!own && (flipped ? turn > 0 : turn < 0)) mark(g, cells, corner, 3);
        return;
    }
    point cut[4], both[5];
    uint32_t n = clip(corner, 3, TOUCH, 1, cut);
    mark(g, cells, both, clip(cut, n, g->height, -1, both));
}

/* Can the object's box reach into the space over the plane? */
static bool is_near(const ground *g, const probe_plane *plane, const scene_box *box)
{
    vec3 corner[8];
    point low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    scene_box_corners(box, corner);
    for (int k = 0; k < 8; k++) {
        point p = to_plane(g, plane, corner[k]);
        low = (point){fmin(low.u, p.u), fmin(low.v, p.v), fmin(low.h, p.h)};
        high = (point){fmax(high.u, p.u), fmax(high.v, p.v), fmax(high.h, p.h)};
    }
    return high.u >= 0 && high.v >= 0 && low.u < g->columns && low.v < g->rows && high.h >= -FOOT && low.h < g->height;
}

/* Are all cells of the triangle's box marked, and those it might come to by rounding? Most are on a full table: what
 * stands there has many triangles a cell. */
static bool is_marked(const ground *g, const uint8_t *cells, const point corner[3])
{
    const double slack = 1e-6; /* of a cell */
    double u0 = corner[0].u, u1 = u0, v0 = corner[0].v, v1 = v0;
    for (int k = 1; k < 3; k++) {
        u0 = corner[k].u < u0 ? corner[k].u : u0;
        u1 = corner[k].u > u1 ? corner[k].u : u1;
        v0 = corner[k].v < v0 ? corner[k].v : v0;
        v1 = corner[k].v > v1 ? corner[k].v : v1;
    }
    u0 -= slack;
    u1 += slack;
    v0 -= slack;
    v1 += slack;
    if (!(u1 >= 0) || !(v1 >= 0) || !(u0 < g->columns) || !(v0 < g->rows)) return false;
    uint32_t i0 = u0 < 0 ? 0 : (uint32_t)u0, j0 = v0 < 0 ? 0 : (uint32_t)v0;
    uint32_t i1 = u1 >= g->columns ? g->columns - 1 : (uint32_t)u1, j1 = v1 >= g->rows ? g->rows - 1 : (uint32_t)v1;
    for (uint32_t j = j0; j <= j1; j++)
        for (uint32_t i = i0; i <= i1; i++)
            if (!cells[(size_t)j * g->columns + i]) return false;
    return true;
}

static point corner_at(const ground *g, const probe_plane *plane, const affine *place, const scene_mesh *mesh,
                       uint32_t vertex)
{
    const float *at = mesh->position + 3 * (size_t)vertex;
    return to_plane(g, plane, affine_point(place, v3((double)at[0], (double)at[1], (double)at[2])));
}

/* `points`: room for POINTS_MAX, where a mesh's vertices are brought to the plane once instead of for each triangle. */
static void lay_mesh(const solve_case *c, const ground *g, const scene_part *part, const affine *motion, bool own,
                     point *points, uint8_t *cells)
{
    const scene_mesh *mesh = &c->scene->meshes[part->mesh];
    affine place = affine_mul(motion, &part->to_world);
    bool once = mesh->vertex_count <= POINTS_MAX && mesh->vertex_count <= 3 * (uint64_t)mesh->triangle_count;
    for (uint32_t i = 0; i < mesh->vertex_count && once; i++) points[i] = corner_at(g, c->floor, &place, mesh, i);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *index = mesh->index + 3 * (size_t)t;
        point corner[3];
        for (int k = 0; k < 3; k++)
            corner[k] = once ? points[index[k]] : corner_at(g, c->floor, &place, mesh, index[k]);
        if (!is_marked(g, cells, corner)) lay_triangle(g, cells, corner, part->flipped, own);
    }
}

static void lay_object(const solve_case *c, const ground *g, uint32_t object, point *points, uint8_t *cells)
{
    const scene_object *o = &c->scene->objects[object];
    const arrange_pose *pose = space_pose(c->space, object);
    scene_box box = scene_box_at(o, pose);
    if (!is_near(g, c->floor, &box)) return;
    affine motion = scene_motion(o, pose);
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++)
        lay_mesh(c, g, &c->scene->parts[p], &motion, object == c->floor->object, points, cells);
}

static bool in_triangle(const point t[3], double x, double y)
{
    for (int i = 0; i < 3; i++) {
        const point *a = &t[i], *b = &t[(i + 1) % 3];
        if ((b->u - a->u) * (y - a->v) - (b->v - a->v) * (x - a->u) < 0) return false;
    }
    return true;
}

/* 1 where the cell's centre is not on the real polygon. */
static void lay_polygon(const ground *g, const probe_plane *plane, uint8_t *off)
{
    memset(off, 1, (size_t)g->columns * g->rows);
    for (uint32_t t = 0; t < plane->triangle_count; t++) {
        point at[3];
        double u0 = INFINITY, u1 = -INFINITY, v0 = INFINITY, v1 = -INFINITY;
        for (int k = 0; k < 3; k++) {
            vec2 q = plane->triangles[3 * (size_t)t + (size_t)k];
            at[k] = (point){(q.x - g->origin[0]) / g->cell, (q.y - g->origin[1]) / g->cell, 0};
            u0 = fmin(u0, at[k].u);
            u1 = fmax(u1, at[k].u);
            v0 = fmin(v0, at[k].v);
            v1 = fmax(v1, at[k].v);
        }
        uint32_t i0 = u0 < 0 ? 0 : (uint32_t)u0, j0 = v0 < 0 ? 0 : (uint32_t)v0;
        for (uint32_t j = j0; j < g->rows && j <= v1; j++)
            for (uint32_t i = i0; i < g->columns && i <= u1; i++)
                if (in_triangle(at, i + 0.5, j + 0.5)) off[(size_t)j * g->columns + i] = 0;
    }
}

/* Cells off the polygon with some of it close by on both sides, along a row, a column or a diagonal, are gaps between
 * planks. */
static void close_gaps(const ground *g, uint8_t *off)
{
    enum { GAP = 2 };
    static const int ways[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
    size_t cells = (size_t)g->columns * g->rows;
    for (int w = 0; w < 4; w++) {
        int dx = ways[w][0], dy = ways[w][1];
        uint32_t most = 1 + (uint32_t)(SOLVE_GAP_MAX / (g->cell * (dx && dy ? 1.4142135623730951 : 1)));
        for (size_t at = 0; at < cells; at++) {
            int64_t x = (int64_t)(at % g->columns), y = (int64_t)(at / g->columns);
            if (off[at]) continue;
            for (uint32_t n = 1; n <= most + 1; n++) { /* from a cell on it to the next one */
                x += dx;
                y += dy;
                if (x < 0 || x >= g->columns || y >= g->rows) break;
                if (off[(size_t)y * g->columns + (size_t)x]) continue;
                for (uint32_t back = 1; back < n; back++)
                    off[(size_t)(y - (int64_t)back * dy) * g->columns + (size_t)(x - (int64_t)back * dx)] = GAP;
                break;
            }
        }
    }
    for (size_t at = 0; at < cells; at++) off[at] = off[at] == 1;
}

/* cells[] row by row into running sums with room for a footprint on both sides. */
static void add_up(const ground *g, const uint8_t *cells, int32_t *sums)
{
    for (uint32_t j = 0; j < g->rows; j++) {
        int32_t *row = sums + (size_t)j * g->stride, sum = 0;
        for (uint32_t i = 0; i < g->stride; i++) {
            row[i] = sum;
            if (i >= g->pad && i < g->pad + g->columns) sum += cells[(size_t)j * g->columns + i - g->pad];
        }
    }
}

static bool set_extent(const solve_case *c, ground *g)
{
    const probe_plane *plane = c->floor;
    vec2 low = plane->hull[0], high = low;
    for (uint32_t i = 1; i < plane->hull_count; i++) {
        low = (vec2){fmin(low.x, plane->hull[i].x), fmin(low.y, plane->hull[i].y)};
        high = (vec2){fmax(high.x, plane->hull[i].x), fmax(high.y, plane->hull[i].y)};
    }
    double wide = high.x - low.x, deep = high.y - low.y;
    if (!(wide > 0) || !(deep > 0) || !(wide < EXTENT_MAX) || !(deep < EXTENT_MAX)) return false;
    g->cell = CELL_LEAST;
    while (ceil(wide / g->cell) * ceil(deep / g->cell) > CELLS_MAX) g->cell *= 1.25;
    vec3 h = c->box.half;
    double radius = sqrt(h.x * h.x + h.y * h.y), across = sqrt(radius * radius + h.z * h.z);
    if (!(across / g->cell < PAD_MAX)) return false;
    g->columns = (uint32_t)ceil(wide / g->cell);
    g->rows = (uint32_t)ceil(deep / g->cell);
    g->origin[0] = low.x;
    g->origin[1] = low.y;
    g->pad = (uint32_t)(across / g->cell) + 3;
    g->stride = g->columns + 2 * g->pad + 1;
    double nx = plane->normal.x, ny = plane->normal.y;
    g->height = 2 * (h.z * fabs(plane->normal.z) + radius * sqrt(nx * nx + ny * ny));
    return true;
}

etna_code ground_make(const solve_case *c, ground *ret, etna_error *err)
{
    ground g = {0};
    if (!c->floor || !set_extent(c, &g)) {
        *ret = (ground){0};
        return ETNA_OK;
    }
    size_t cells = (size_t)g.columns * g.rows, sums = (size_t)g.stride * g.rows;
    uint8_t *blocked = etna_arena_alloc(c->arena, cells, 1);
    g.off = etna_arena_alloc(c->arena, cells, 1);
    g.blocked_sum = etna_arena_alloc(c->arena, sums, sizeof *g.blocked_sum);
    g.off_sum = etna_arena_alloc(c->arena, sums, sizeof *g.off_sum);
    if (!blocked || !g.off || !g.blocked_sum || !g.off_sum)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a map of %zu cells", cells);
    memset(blocked, 0, cells);
    lay_polygon(&g, c->floor, g.off);
    close_gaps(&g, g.off);
    point *points = malloc(POINTS_MAX * sizeof *points);
    if (!points) return etna_fail(err, ETNA_E_NOMEM, "no memory for the vertices over a plane");
    for (uint32_t o = 0; o < c->scene->object_count; o++)
        if (!group_has(c, o)) lay_object(c, &g, o, points, blocked);
    free(points);
    add_up(&g, blocked, g.blocked_sum);
    add_up(&g, g.off, g.off_sum);
    *ret = g;
    return ETNA_OK;
}
