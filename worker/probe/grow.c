/* Growing a plane from a face (METHOD.md 4). First along welded edges: each face whose normal is within cosine distance
 * 0.05 of the hit face's. Then over gaps: planks, tiles and pieces of a scan share no edge, so faces of the same object that
 * look the same way join when some point of theirs is within 2 cm across and 5 mm up or down of the set, seen along the hit
 * face's normal. What is left is put into a grid for that; the work is bounded, and the order is that of the faces. */
#include "worker/probe/own.h"

#include <stdlib.h>
#include <string.h>

#define COSINE_DISTANCE 0.05
#define GAP 0.02
#define OFFSET 0.005
#define SAME_COSINE 0.99984769515639123916 /* cos 1 degree */
#define GRID_SIDE 128
#define LARGE_CELLS 1024      /* a face over more cells is kept in a list of its own */
#define TESTS_MAX 20000000u   /* pairs of faces looked at for gaps */

typedef struct flat_face { /* in the hit face's frame */
    uint32_t face;
    vec2 at[3];
    double height[3];
} flat_face;

typedef struct growth {
    probe_shared *shared;
    const scene *scene;
    uint32_t object, face_count;
    vec3 normal, u, v, origin;
    uint8_t *in;       /* per face */
    uint32_t *queue;   /* the set, in the order of joining */
    uint32_t count;
    uint32_t *base;    /* per part of the object: its first face */
    uint8_t **edge_done; /* per part: edges already crossed */
    flat_face *rest;   /* candidates left for the gaps */
    uint32_t rest_count;
    uint32_t *cell_first, *cell_item, *large;
    uint32_t large_count, columns, rows;
    vec2 low;
    double inverse;
    uint32_t tests;
} growth;

static bool looks_alike(const growth *g, const probe_face *face)
{
    return face->area > 0 && v3_dot(face->normal, g->normal) >= 1 - COSINE_DISTANCE;
}

static void join(growth *g, uint32_t face)
{
    g->in[face] = 1;
    g->queue[g->count++] = face;
}

/* Joins what shares an edge with the set's members from `from` on, until nothing more does. */
static etna_code spread(growth *g, uint32_t from, etna_error *err)
{
    for (uint32_t at = from; at < g->count; at++) {
        probe_face face;
        probe_face_get(g->scene, g->object, g->queue[at], &face);
        uint32_t local = face.part - g->scene->objects[g->object].first_part;
        const probe_adjacency *a;
        etna_code code = probe_mesh_adjacency(g->shared, g->scene->parts[face.part].mesh, &a, err);
        if (code != ETNA_OK)
            return code;
        if (!g->edge_done[local] && !(g->edge_done[local] = calloc((size_t)a->edge_count + 1, 1)))
            return etna_fail(err, ETNA_E_NOMEM, "no memory to grow a plane");
        for (int k = 0; k < 3; k++) {
            uint32_t edge = a->edge[3 * (size_t)face.triangle + (size_t)k];
            if (edge == SCENE_NONE || g->edge_done[local][edge])
                continue;
            g->edge_done[local][edge] = 1;
            for (uint32_t i = a->first[edge]; i < a->first[edge + 1]; i++) {
                uint32_t next = g->base[local] + a->faces[i];
                probe_face other;
                if (!g->in[next] && probe_face_get(g->scene, g->object, next, &other) && looks_alike(g, &other))
                    join(g, next);
            }
        }
    }
    return ETNA_OK;
}

static flat_face flatten(const growth *g, uint32_t number, const probe_face *face)
{
    flat_face f = {.face = number};
    for (int k = 0; k < 3; k++) {
        vec3 d = v3_sub(face->corner[k], g->origin);
        f.at[k] = (vec2){v3_dot(d, g->u), v3_dot(d, g->v)};
        f.height[k] = v3_dot(d, g->normal);
    }
    return f;
}

/* ---- gaps ---- */
static double clamp01(double t) { return t < 0 ? 0 : t > 1 ? 1 : t; }

static bool close_enough(vec2 p, double hp, vec2 q, double hq)
{
    double dx = p.x - q.x, dy = p.y - q.y;
    return dx * dx + dy * dy <= GAP * GAP && fabs(hp - hq) <= OFFSET;
}

/* The point of edge i of b nearest to p: is it near? */
static bool point_near_edge(vec2 p, double h, const flat_face *b, int i)
{
    int j = (i + 1) % 3;
    double ex = b->at[j].x - b->at[i].x, ey = b->at[j].y - b->at[i].y, length2 = ex * ex + ey * ey;
    double t = length2 > 0 ? clamp01(((p.x - b->at[i].x) * ex + (p.y - b->at[i].y) * ey) / length2) : 0;
    return close_enough(p, h, (vec2){b->at[i].x + t * ex, b->at[i].y + t * ey}, b->height[i] + t * (b->height[j] - b->height[i]));
}

/* Where edge i of a crosses edge j of b: are the heights near? */
static bool edges_cross(const flat_face *a, int i, const flat_face *b, int j)
{
    vec2 p = a->at[i], p2 = a->at[(i + 1) % 3], q = b->at[j], q2 = b->at[(j + 1) % 3];
    double rx = p2.x - p.x, ry = p2.y - p.y, sx = q2.x - q.x, sy = q2.y - q.y, det = rx * sy - ry * sx;
    if (fabs(det) < 1e-18)
        return false;
    double t = ((q.x - p.x) * sy - (q.y - p.y) * sx) / det, w = ((q.x - p.x) * ry - (q.y - p.y) * rx) / det;
    if (t < 0 || t > 1 || w < 0 || w > 1)
        return false;
    double ha = a->height[i] + t * (a->height[(i + 1) % 3] - a->height[i]);
    double hb = b->height[j] + w * (b->height[(j + 1) % 3] - b->height[j]);
    return fabs(ha - hb) <= OFFSET;
}

static double area2(vec2 a, vec2 b, vec2 c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

/* p above or below b: the height b has there. */
static bool point_over(vec2 p, double h, const flat_face *b)
{
    double whole = area2(b->at[0], b->at[1], b->at[2]);
    double w0 = area2(p, b->at[1], b->at[2]), w1 = area2(b->at[0], p, b->at[2]), w2 = area2(b->at[0], b->at[1], p);
    if (!(whole > 0) || w0 < 0 || w1 < 0 || w2 < 0)
        return false;
    return fabs((w0 * b->height[0] + w1 * b->height[1] + w2 * b->height[2]) / whole - h) <= OFFSET;
}

static bool ranges_near(double a0, double a1, double a2, double b0, double b1, double b2, double reach)
{
    double low_a = a0 < a1 ? a0 : a1, high_a = a0 < a1 ? a1 : a0, low_b = b0 < b1 ? b0 : b1, high_b = b0 < b1 ? b1 : b0;
    low_a = a2 < low_a ? a2 : low_a;
    high_a = a2 > high_a ? a2 : high_a;
    low_b = b2 < low_b ? b2 : low_b;
    high_b = b2 > high_b ? b2 : high_b;
    return low_a - high_b <= reach && low_b - high_a <= reach;
}

static bool faces_near(const flat_face *a, const flat_face *b)
{
    if (!ranges_near(a->height[0], a->height[1], a->height[2], b->height[0], b->height[1], b->height[2], OFFSET) ||
        !ranges_near(a->at[0].x, a->at[1].x, a->at[2].x, b->at[0].x, b->at[1].x, b->at[2].x, GAP) ||
        !ranges_near(a->at[0].y, a->at[1].y, a->at[2].y, b->at[0].y, b->at[1].y, b->at[2].y, GAP))
        return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (point_near_edge(a->at[i], a->height[i], b, j) || point_near_edge(b->at[i], b->height[i], a, j) || edges_cross(a, i, b, j))
                return true;
    return point_over(a->at[0], a->height[0], b) || point_over(b->at[0], b->height[0], a);
}

/* ---- the grid over what is left ---- */
static uint32_t cell_at(double x, double low, double inverse, uint32_t count)
{
    double c = floor((x - low) * inverse);
    return c < 0 ? 0 : c >= count ? count - 1 : (uint32_t)c;
}

static void cell_range(const growth *g, const flat_face *f, double grown, uint32_t range[4])
{
    double x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;
    for (int k = 0; k < 3; k++) {
        x0 = f->at[k].x < x0 ? f->at[k].x : x0;
        x1 = f->at[k].x > x1 ? f->at[k].x : x1;
        y0 = f->at[k].y < y0 ? f->at[k].y : y0;
        y1 = f->at[k].y > y1 ? f->at[k].y : y1;
    }
    range[0] = cell_at(x0 - grown, g->low.x, g->inverse, g->columns);
    range[1] = cell_at(x1 + grown, g->low.x, g->inverse, g->columns);
    range[2] = cell_at(y0 - grown, g->low.y, g->inverse, g->rows);
    range[3] = cell_at(y1 + grown, g->low.y, g->inverse, g->rows);
}

static bool is_large(const uint32_t r[4]) { return (r[1] - r[0] + 1) * (r[3] - r[2] + 1) > LARGE_CELLS; }

/* All faces that look alike and are not in yet. */
static etna_code collect_rest(growth *g, etna_error *err)
{
    size_t room = 0;
    for (uint32_t f = 0; f < g->face_count; f++) {
        probe_face face;
        if (g->in[f] || !probe_face_get(g->scene, g->object, f, &face) || !looks_alike(g, &face))
            continue;
        if (g->rest_count == room) {
            room = room ? 2 * room : 256;
            flat_face *more = realloc(g->rest, room * sizeof *more);
            if (!more)
                return etna_fail(err, ETNA_E_NOMEM, "no memory to grow a plane");
            g->rest = more;
        }
        g->rest[g->rest_count++] = flatten(g, f, &face);
    }
    return ETNA_OK;
}

static etna_code build_grid(growth *g, etna_error *err)
{
    vec2 low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (uint32_t i = 0; i < g->rest_count; i++)
        for (int k = 0; k < 3; k++) {
            vec2 p = g->rest[i].at[k];
            low = (vec2){p.x < low.x ? p.x : low.x, p.y < low.y ? p.y : low.y};
            high = (vec2){p.x > high.x ? p.x : high.x, p.y > high.y ? p.y : high.y};
        }
    double size = high.x - low.x > high.y - low.y ? high.x - low.x : high.y - low.y;
    double side = size / GRID_SIDE > GAP ? size / GRID_SIDE : GAP;
    g->low = low;
    g->inverse = 1 / side;
    g->columns = (uint32_t)floor((high.x - low.x) / side) + 1;
    g->rows = (uint32_t)floor((high.y - low.y) / side) + 1;
    size_t cells = (size_t)g->columns * g->rows, items = 0;
    uint32_t range[4];
    g->cell_first = calloc(cells + 2, sizeof *g->cell_first);
    g->large = malloc(g->rest_count * sizeof *g->large);
    if (!g->cell_first || !g->large)
        return etna_fail(err, ETNA_E_NOMEM, "no memory to grow a plane");
    for (uint32_t i = 0; i < g->rest_count; i++) {
        cell_range(g, &g->rest[i], 0, range);
        if (is_large(range)) {
            g->large[g->large_count++] = i;
            continue;
        }
        for (uint32_t y = range[2]; y <= range[3]; y++)
            for (uint32_t x = range[0]; x <= range[1]; x++, items++)
                g->cell_first[(size_t)y * g->columns + x + 2]++;
    }
    for (size_t c = 2; c < cells + 2; c++)
        g->cell_first[c] += g->cell_first[c - 1];
    g->cell_item = malloc((items + 1) * sizeof *g->cell_item);
    if (!g->cell_item)
        return etna_fail(err, ETNA_E_NOMEM, "no memory to grow a plane");
    for (uint32_t i = 0; i < g->rest_count; i++) {
        cell_range(g, &g->rest[i], 0, range);
        if (is_large(range))
            continue;
        for (uint32_t y = range[2]; y <= range[3]; y++)
            for (uint32_t x = range[0]; x <= range[1]; x++)
                g->cell_item[g->cell_first[(size_t)y * g->columns + x + 1]++] = i;
    }
    return ETNA_OK;
}

static bool try_join(growth *g, const flat_face *member, uint32_t item)
{
    const flat_face *other = &g->rest[item];
    if (g->in[other->face] || g->tests >= TESTS_MAX)
        return false;
    g->tests++;
    if (!faces_near(member, other))
        return false;
    join(g, other->face);
    return true;
}

static etna_code bridge_gaps(growth *g, etna_error *err)
{
    for (uint32_t at = 0; at < g->count && g->tests < TESTS_MAX; at++) {
        probe_face face;
        uint32_t range[4], before = g->count;
        probe_face_get(g->scene, g->object, g->queue[at], &face);
        flat_face member = flatten(g, g->queue[at], &face);
        cell_range(g, &member, GAP, range);
        for (uint32_t y = range[2]; y <= range[3]; y++)
            for (uint32_t x = range[0]; x <= range[1]; x++) {
                size_t c = (size_t)y * g->columns + x;
                for (uint32_t i = g->cell_first[c]; i < g->cell_first[c + 1]; i++)
                    try_join(g, &member, g->cell_item[i]);
            }
        for (uint32_t i = 0; i < g->large_count; i++)
            try_join(g, &member, g->large[i]);
        if (g->count > before) {
            etna_code code = spread(g, before, err);
            if (code != ETNA_OK)
                return code;
        }
    }
    return ETNA_OK;
}

/* ---- the set ---- */
static etna_code prepare(growth *g, uint32_t face, etna_error *err)
{
    const scene_object *o = &g->scene->objects[g->object];
    probe_face seed;
    if (!probe_face_get(g->scene, g->object, face, &seed))
        return etna_fail(err, ETNA_E_INPUT, "object \"%s\" has no face %u; probe the image for a plane's name", o->name, face);
    if (!(seed.area > 0))
        return etna_fail(err, ETNA_E_INPUT, "face %u of object \"%s\" has no area; probe the image for a plane's name", face, o->name);
    g->base = calloc((size_t)o->part_count + 1, sizeof *g->base);
    g->edge_done = calloc((size_t)o->part_count + 1, sizeof *g->edge_done);
    if (!g->base || !g->edge_done)
        return etna_fail(err, ETNA_E_NOMEM, "no memory to grow a plane");
    for (uint32_t p = 0; p < o->part_count; p++) {
        g->base[p] = g->face_count;
        g->face_count += g->scene->meshes[g->scene->parts[o->first_part + p].mesh].triangle_count;
    }
    g->in = calloc((size_t)g->face_count + 1, 1);
    g->queue = malloc(((size_t)g->face_count + 1) * sizeof *g->queue);
    if (!g->in || !g->queue)
        return etna_fail(err, ETNA_E_NOMEM, "no memory to grow a plane of %u faces", g->face_count);
    g->normal = seed.normal;
    vec3 axis = fabs(seed.normal.x) < 0.9 ? v3(1, 0, 0) : v3(0, 1, 0);
    g->u = v3_normal(v3_add_scaled(axis, seed.normal, -v3_dot(axis, seed.normal)));
    g->v = v3_cross(g->normal, g->u);
    g->origin = seed.corner[0];
    join(g, face);
    return ETNA_OK;
}

static void release(growth *g)
{
    for (uint32_t p = 0; g->edge_done && p < g->scene->objects[g->object].part_count; p++)
        free(g->edge_done[p]);
    free(g->edge_done);
    free(g->base);
    free(g->in);
    free(g->queue);
    free(g->rest);
    free(g->cell_first);
    free(g->cell_item);
    free(g->large);
}

etna_code probe_grow(probe_shared *shared, uint32_t object, uint32_t face, probe_set *ret, etna_error *err)
{
    probe_set known;
    etna_code recalled = probe_recall_set(shared, object, face, &known, err);
    if (recalled != ETNA_OK || known.faces) {
        if (recalled == ETNA_OK)
            *ret = known;
        return recalled;
    }
    growth g = {.shared = shared, .scene = probe_scene(shared), .object = object};
    etna_code code = prepare(&g, face, err);
    if (code == ETNA_OK)
        code = spread(&g, 0, err);
    if (code == ETNA_OK)
        code = collect_rest(&g, err);
    if (code == ETNA_OK && g.rest_count > 0)
        code = build_grid(&g, err);
    if (code == ETNA_OK && g.rest_count > 0)
        code = bridge_gaps(&g, err);
    uint32_t *faces = code == ETNA_OK ? malloc(g.count * sizeof *faces) : NULL;
    if (code == ETNA_OK && !faces)
        code = etna_fail(err, ETNA_E_NOMEM, "no memory to grow a plane");
    if (code == ETNA_OK) {
        uint32_t n = 0;
        for (uint32_t f = 0; f < g.face_count; f++)
            if (g.in[f])
                faces[n++] = f;
        *ret = (probe_set){.count = n, .faces = faces};
    }
    release(&g);

    return code;
}

bool probe_set_has(const probe_set *set, uint32_t face)
{
    uint32_t low = 0, high = set->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (set->faces[middle] < face)
            low = middle + 1;
        else
            high = middle;
    }
    return low < set->count && set->faces[low] == face;
}

/* The set of a name, kept: names are asked for again and again. */
static etna_code grow_named(probe_shared *shared, uint32_t object, uint32_t f, probe_set *ret, etna_error *err)
{
    probe_set set;
    etna_code code = probe_grow(shared, object, f, &set, err);
    if (code != ETNA_OK)
        return code;
    code = probe_keep_set(shared, object, f, &set, err);
    if (code == ETNA_OK)
        *ret = set;
    else
        free(set.faces);
    return code;
}

/* The lowest face of the hit face's set that looks the way it does, within a degree. */
static uint32_t lowest_alike(const scene *s, uint32_t object, uint32_t face, const probe_set *set)
{
    probe_face hit, other;
    probe_face_get(s, object, face, &hit);
    for (uint32_t i = 0; i < set->count && set->faces[i] < face; i++)
        if (probe_face_get(s, object, set->faces[i], &other) && v3_dot(other.normal, hit.normal) >= SAME_COSINE)
            return set->faces[i];
    return face;
}

static etna_code find_name(probe_shared *shared, uint32_t object, uint32_t face, uint32_t *ret_f, etna_error *err)
{
    probe_set set, named;
    uint32_t f = probe_recall_name(shared, object, face);
    if (f != SCENE_NONE) {
        *ret_f = f;
        return ETNA_OK;
    }
    etna_code code = probe_grow(shared, object, face, &set, err);
    if (code != ETNA_OK)
        return code;
    f = lowest_alike(probe_scene(shared), object, face, &set);
    free(set.faces);
    if (f != face) {
        code = grow_named(shared, object, f, &named, err);
        if (code != ETNA_OK)
            return code;
        f = probe_set_has(&named, face) ? f : face;
        free(named.faces);
    }
    code = probe_keep_name(shared, object, face, f, err);
    if (code == ETNA_OK)
        *ret_f = f;
    return code;
}

etna_code probe_named_set(probe_shared *shared, uint32_t object, uint32_t face, probe_set *ret, uint32_t *ret_f, etna_error *err)
{
    uint32_t f;
    etna_code code = find_name(shared, object, face, &f, err);
    if (code == ETNA_OK)
        code = grow_named(shared, object, f, ret, err);
    if (code == ETNA_OK)
        *ret_f = f;
    return code;
}
