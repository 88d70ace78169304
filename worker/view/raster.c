/* The z-buffer (see raster.h for the idea). */
#include "worker/view/raster.h"

#include "worker/view/pair.h"
#include "worker/view/parallel.h"
#include "worker/view/view.h"
#include "worker/view/view_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const raster_window raster_whole = {
    .x2 = 1, .y2 = 1, .samples = 1, .at = {{0.5, 0.5}}};

enum {
    BANDS_MAX = 16
};

typedef struct drawing { /* of rows first .. end - 1, by one thread */
    raster *r;
    uint32_t first, end;
    /* scratch: camera coordinates of one mesh, and where they are in the
     * picture */
    vec3 *vertices;
    double (*flat)[2];
    size_t vertex_room;
} drawing;

typedef struct edges {       /* one triangle, set up */
    vec3 n[3];               /* edge functions; >= 0 inside */
    vec3 k;                  /* nearness = k.x u + k.y v + k.z */
    uint32_t x1, y1, x2, y2; /* pixels it can touch, inclusive */
} edges;

void raster_free(raster *r)
{
    if (!r)
        return;
    free(r->u);
    free(r->v);
    free(r->nearness);
    free(r->part);
    free(r->triangle);
    free(r->cut);
    memset(r, 0, sizeof *r);
}

/* Cleared when drawn, each band by its own thread: on a new picture that also
 * spreads the page faults. */
void raster_clear(raster *r)
{
    r->blank = true;
}

/* Nearness is 1 / depth for a perspective camera and -depth for an orthographic
 * one, so that greater is always nearer; "nothing" is farther than all. */
static void raster_clear_rows(raster *r, uint32_t first, uint32_t end)
{
    size_t row = (size_t)r->width * r->samples;
    size_t from = first * row;
    size_t count = (end - first) * row;
    double nothing = r->camera.orthographic ? -INFINITY : 0;
    for (size_t i = from; i < from + count; i++)
        r->nearness[i] = nothing;
    memset(r->part + from, 0xff, count * sizeof *r->part); /* SCENE_NONE */
    memset(r->triangle + from, 0xff, count * sizeof *r->triangle);
}

/* The nearness of a cut along the ray (u, v, 1); INFINITY: the whole ray is
 * behind it. */
static double cut_nearness(const scene_camera *camera,
                           const scene_cut *cut,
                           double u,
                           double v)
{
    double outside = cut->offset - v3_dot(cut->normal, camera->position);
    double aside = v3_dot(cut->normal, camera->right) * u;
    double forward = v3_dot(cut->normal, camera->forward);
    aside += v3_dot(cut->normal, camera->up) * v;
    if (camera->orthographic) {
        if (!(forward > 0))
            return outside > aside ? -INFINITY : INFINITY;
        return -(outside - aside) / forward;
    }
    if (!(outside > 0))
        return INFINITY;
    double toward = aside + forward;
    return toward > 0 ? toward / outside : 0;
}

/* How near each sample may be, where the camera has cuts. False: no memory. */
static bool raster_cut(raster *r)
{
    uint32_t n = r->samples;
    size_t row = (size_t)r->width * n;
    r->cut = malloc(row * r->height * sizeof *r->cut);
    if (!r->cut)
        return false;
    for (uint32_t y = 0; y < r->height; y++)
        for (size_t x = 0; x < row; x++) {
            double limit = INFINITY;
            double v = r->v[y * n + x % n];
            for (uint32_t i = 0; i < r->camera.cut_count; i++) {
                double at =
                    cut_nearness(&r->camera, &r->camera.cuts[i], r->u[x], v);
                limit = math_min(at, limit);
            }
            r->cut[y * row + x] = limit;
        }
    r->behind = r->cut;
    return true;
}

/* False: no memory; raster_free takes what is there. */
static bool raster_alloc(raster *r)
{
    size_t count = (size_t)r->width * r->height * r->samples;
    r->u = malloc((size_t)r->width * r->samples * sizeof *r->u);
    r->v = malloc((size_t)r->height * r->samples * sizeof *r->v);
    r->nearness = malloc(count * sizeof *r->nearness);
    r->part = malloc(count * sizeof *r->part);
    r->triangle = malloc(count * sizeof *r->triangle);
    bool has_axes = r->u && r->v;
    bool has_samples = r->nearness && r->part && r->triangle;
    return has_axes && has_samples;
}

/* How far a pixel's samples reach from its first one. */
static void raster_reach(raster *r, const raster_window *window)
{
    for (uint32_t k = 0; k < r->samples; k++) {
        double aside = window->at[k][0] - window->at[0][0];
        double below = window->at[k][1] - window->at[0][1];
        r->reach_u[0] = math_min(aside, r->reach_u[0]);
        r->reach_u[1] = math_max(aside, r->reach_u[1]);
        r->reach_v[0] = math_min(below, r->reach_v[0]);
        r->reach_v[1] = math_max(below, r->reach_v[1]);
    }
}

/* Where the samples of each column and row are on the plane one metre before
 * the eye. */
static void raster_place(raster *r, const raster_window *window)
{
    uint32_t n = r->samples;
    uint32_t across = window->across ? window->across : r->width;
    uint32_t down = window->down ? window->down : r->height;
    double half_height = r->camera.half_height;
    double half_width = half_height * r->camera.aspect;
    raster_reach(r, window);
    for (uint32_t i = 0; i < r->width * n; i++) {
        double at = window->x1 + (window->left + i / n + window->at[i % n][0]) /
                                     across * (window->x2 - window->x1);
        r->u[i] = (2 * at - 1) * half_width;
        r->low_u = math_min(r->u[i], r->low_u);
        r->high_u = math_max(r->u[i], r->high_u);
    }
    for (uint32_t i = 0; i < r->height * n; i++) {
        double at = window->y1 + (window->top + i / n + window->at[i % n][1]) /
                                     down * (window->y2 - window->y1);
        r->v[i] = (1 - 2 * at) * half_height;
    }
    r->per_u = r->width > 1
                   ? (r->width - 1) / (r->u[(r->width - 1) * n] - r->u[0])
                   : 0;
    r->per_v = r->height > 1
                   ? (r->height - 1) / (r->v[(r->height - 1) * n] - r->v[0])
                   : 0;
}

/* The picture of a window (shares of the camera's whole view) with `samples` a
 * pixel. ETNA_E_LIMIT when a side is 0 or too long. */
etna_code raster_new(const scene_camera *camera,
                     uint32_t width,
                     uint32_t height,
                     const raster_window *window,
                     raster *ret,
                     etna_error *err)
{
    assert(window->samples == 1 || window->samples == RASTER_SAMPLES);
    memset(ret, 0, sizeof *ret);
    etna_code code = view_check_sides(width, height, VIEW_SIDE_MAX, err);
    if (code != ETNA_OK)
        return code;
    raster r = {.width = width,
                .height = height,
                .samples = window->samples,
                .camera = *camera,
                .low_u = INFINITY,
                .high_u = -INFINITY};
    bool is_made = raster_alloc(&r);
    if (is_made)
        raster_place(&r, window);
    if (is_made && camera->cut_count > 0)
        is_made = raster_cut(&r);
    if (!is_made) {
        raster_free(&r);
        return view_no_memory(width, height, err);
    }
    raster_clear(&r);
    *ret = r;
    return ETNA_OK;
}

/* Part to world: where the space has its object, or at `pose` instead. What is
 * of no object stays where the file put it. */
affine raster_placement(const space *sp,
                        uint32_t part,
                        const arrange_pose *pose)
{
    const scene *s = space_scene(sp);
    assert(part < s->part_count);
    const scene_part *p = &s->parts[part];
    if (!pose && p->object < s->object_count)
        pose = space_pose(sp, p->object);
    if (!pose || p->object >= s->object_count)
        return p->to_world;
    affine motion = scene_motion(&s->objects[p->object], pose);
    return affine_mul(&motion, &p->to_world);
}

/* Part-local to camera coordinates. */
static affine to_camera(const scene_camera *camera, const affine *to_world)
{
    const vec3 *rows[3] = {&camera->right, &camera->up, &camera->forward};
    affine view = affine_identity();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            view.m[i][j] = v3_get(*rows[i], j);
    affine moved = *to_world;
    moved.t = v3_sub(moved.t, camera->position);
    affine result = affine_mul(&view, &moved);
    return result;
}

/* Coefficients (x, y, z) with x u + y v + z >= 0 on one side of the edge a b.
 * In a perspective camera this is the plane through the eye and the edge, so
 * vertices behind the eye need no clipping. */
static vec3 edge_function(vec3 a, vec3 b, bool orthographic)
{
    return orthographic ? v3(a.y - b.y, b.x - a.x, a.x * b.y - a.y * b.x)
                        : v3_cross(a, b);
}

/* First and last pixel of which a sample can lie in [low, high]; false when
 * there is none. First samples are evenly spaced from `from` on, `per_step`
 * pixels to a unit (0: there is one pixel), the others reach[0] to reach[1]
 * pixels from them; so the index is computed and not searched, with more to
 * spare than rounding can shift. */
static inline bool index_range(double from,
                               double per_step,
                               uint32_t count,
                               const double reach[2],
                               double low,
                               double high,
                               uint32_t *ret_first,
                               uint32_t *ret_last)
{
    if (count == 1) {
        *ret_first = *ret_last = 0;
        return true;
    }
    double a = (low - from) * per_step;
    double b = (high - from) * per_step;
    double spare = 1e-6 + 1e-9 * (fabs(a) + fabs(b));
    double first = -math_floor(reach[1] + spare - math_min(a, b));
    double last = math_floor(math_max(b, a) - reach[0] + spare);
    if (!(last >= 0) || !(first <= count - 1))
        return false;
    *ret_first = first > 0 ? (uint32_t)first : 0;
    *ret_last = last < count - 1 ? (uint32_t)last : count - 1;
    return *ret_first <= *ret_last;
}

/* `at`: the numbers of its vertices. */
static bool edges_bound(const drawing *d, const uint32_t at[3], edges *e)
{
    const raster *r = d->r;
    double low_u = INFINITY, high_u = -INFINITY, low_v = INFINITY,
           high_v = -INFINITY;
    int behind = 0;
    for (int i = 0; i < 3; i++) {
        if (!r->camera.orthographic && !(d->vertices[at[i]].z > 1e-9)) {
            behind++;
            continue;
        }
        double u = d->flat[at[i]][0];
        double v = d->flat[at[i]][1];
        low_u = math_min(u, low_u);
        high_u = math_max(u, high_u);
        low_v = math_min(v, low_v);
        high_v = math_max(v, high_v);
    }
    if (behind == 3)
        return false;
    if (behind > 0) { /* it passes the camera's plane: anywhere */
        *e = (edges){.x2 = r->width - 1, .y1 = d->first, .y2 = d->end - 1};
        return true;
    }
    if (!index_range(r->v[0], r->per_v, r->height, r->reach_v, low_v, high_v,
                     &e->y1, &e->y2) ||
        !index_range(r->u[0], r->per_u, r->width, r->reach_u, low_u, high_u,
                     &e->x1, &e->x2))
        return false;
    e->y1 = e->y1 > d->first ? e->y1 : d->first;
    e->y2 = e->y2 < d->end ? e->y2 : d->end - 1;
    return e->y1 <= e->y2;
}

/* The edge functions turned so that inside is >= 0, whichever way the triangle
 * winds: both sides show. Nearness is linear in u and v over a triangle in
 * either camera; that is why the buffer holds it and not depth. */
static bool edges_set_up(const drawing *d, const uint32_t at[3], edges *e)
{
    if (!edges_bound(d, at, e))
        return false;
    bool ortho = d->r->camera.orthographic;
    const vec3 c[3] = {d->vertices[at[0]], d->vertices[at[1]],
                       d->vertices[at[2]]};
    vec3 plane = v3_cross(v3_sub(c[1], c[0]), v3_sub(c[2], c[0]));
    double distance = v3_dot(plane, c[0]);
    double facing = ortho ? plane.z : distance;
    if (!(facing != 0) || !isfinite(facing))
        return false; /* seen exactly along its edge, or no triangle at all */
    for (int i = 0; i < 3; i++) {
        e->n[i] = edge_function(c[(i + 1) % 3], c[(i + 2) % 3], ortho);
        if (facing < 0)
            e->n[i] = v3(-e->n[i].x, -e->n[i].y, -e->n[i].z);
    }
    /* depth = (distance - plane.x u - plane.y v) / plane.z, and nearness its
     * negative */
    if (ortho)
        e->k = v3(plane.x / plane.z, plane.y / plane.z, -distance / plane.z);
    else
        e->k = v3(plane.x / distance, plane.y / distance, plane.z / distance);
    return true;
}

/* Narrows [*x1, *x2] to where the edge function slope * u + rest can be >= 0, u
 * being a pixel's first sample; one pixel to spare, the exact test follows. */
static void raster_narrow(const raster *r,
                          double slope,
                          double rest,
                          double per_step,
                          uint32_t *x1,
                          uint32_t *x2)
{
    if (slope == 0)
        return;
    double at = (-rest / slope - r->u[0]) * per_step;
    if (slope > 0) {
        double first = math_floor(at) - 1;
        if (first > *x1)
            *x1 = first < *x2 ? (uint32_t)first : *x2;
    } else {
        double last = 1 - math_floor(-at);
        if (last < *x2)
            *x2 = last > *x1 ? (uint32_t)last : *x1;
    }
}

/* Is the surface there at all? `w`: the edge functions at the pixel, all >=
 * 0. */
static bool has_hole(const raster *r,
                     const scene *s,
                     uint32_t part,
                     uint32_t triangle,
                     const double w[3])
{
    double sum = w[0] + w[1] + w[2];
    double scale = sum > 0 ? 1 / sum : 0;
    const double b[3] = {w[0] * scale, w[1] * scale, w[2] * scale};
    return surface_has_hole(s, r->masked, part, triangle, b);
}

/* Pixels per unit of u where it pays to narrow rows; else 0. */
static double narrowing(const raster *r, const edges *e)
{
    return e->x2 - e->x1 > 6 && r->per_u > 0 ? r->per_u : 0;
}

/* One sample's owner and nearness. */
static void put_sample(
    raster *r, size_t at, double nearness, uint32_t part, uint32_t triangle)
{
    r->nearness[at] = nearness;
    r->part[at] = part;
    r->triangle[at] = triangle;
}

/* One sample a pixel. Of equally near surfaces the first drawn stays, which
 * makes the picture independent of threads: parts are drawn in order within
 * each band. */
static void raster_fill(raster *r,
                        const edges *e,
                        const scene *holes,
                        uint32_t part,
                        uint32_t triangle)
{
    double per_step = narrowing(r, e);
    /* nothing behind the eye */
    double limit = r->camera.orthographic ? 0 : INFINITY;
    for (uint32_t y = e->y1; y <= e->y2; y++) {
        double v = r->v[y];
        double rest[3];
        uint32_t x1 = e->x1;
        uint32_t x2 = e->x2;
        for (int i = 0; i < 3; i++) {
            rest[i] = e->n[i].y * v + e->n[i].z;
            if (per_step > 0)
                raster_narrow(r, e->n[i].x, rest[i], per_step, &x1, &x2);
        }
        double near_rest = e->k.y * v + e->k.z;
        size_t row = (size_t)y * r->width;
        for (uint32_t x = x1; x <= x2; x++) {
            double u = r->u[x];
            double w[3];
            for (int i = 0; i < 3; i++)
                w[i] = e->n[i].x * u + rest[i];
            bool is_inside = w[0] >= 0 && w[1] >= 0 && w[2] >= 0;
            double nearness = e->k.x * u + near_rest;
            if (!is_inside || !(nearness > r->nearness[row + x]) ||
                !(nearness < limit))
                continue;
            if (r->behind && !(nearness < r->behind[row + x]))
                continue;
            if (holes && has_hole(r, holes, part, triangle, w))
                continue;
            put_sample(r, row + x, nearness, part, triangle);
        }
    }
}

/* What a triangle is at the samples of a row, a pair of samples in each
 * half. */
typedef struct row4 {
    pair slope[3], rest[3][2], near_slope, near_rest[2], limit;
} row4;

static inline pair pair_line(pair slope, pair u, pair rest)
{
    return pair_add(pair_mul(slope, u), rest);
}

/* The samples of a pixel that are inside and nearer than what is there, a bit
 * each; *ret: how near. */
static inline int row4_see(const row4 *row,
                           const double *u,
                           const double *there,
                           double ret[4])
{
    int seen = 0;
    for (int h = 0; h < 2; h++) {
        pair at = pair_load(u + 2 * h);
        int in = pair_at_least_0(pair_line(row->slope[0], at, row->rest[0][h]));
        in &= pair_at_least_0(pair_line(row->slope[1], at, row->rest[1][h]));
        in &= pair_at_least_0(pair_line(row->slope[2], at, row->rest[2][h]));
        if (!in)
            continue;
        pair nearness = pair_line(row->near_slope, at, row->near_rest[h]);
        in &= pair_less(pair_load(there + 2 * h), nearness) &
              pair_less(nearness, row->limit);
        seen |= in << 2 * h;
        pair_store(ret + 2 * h, nearness);
    }
    return seen;
}

/* The row's own numbers, and from which pixel to which the triangle can be. */
static void row_begin(row4 *row,
                      const raster *r,
                      const edges *e,
                      uint32_t y,
                      uint32_t *x1,
                      uint32_t *x2)
{
    double per_step = narrowing(r, e);
    const double *v = r->v + 4 * (size_t)y;
    for (int i = 0; i < 3; i++) {
        double rest[4], most = -INFINITY;
        for (int k = 0; k < 4; k++) {
            rest[k] = e->n[i].y * v[k] + e->n[i].z;
            most = math_max(rest[k], most);
        }
        for (int h = 0; h < 2; h++)
            row->rest[i][h] = pair_load(rest + 2 * h);
        if (per_step > 0)
            raster_narrow(r, e->n[i].x, most, per_step, x1, x2);
    }
    for (int h = 0; h < 2; h++)
        row->near_rest[h] =
            pair_line(pair_set(e->k.y), pair_load(v + 2 * h), pair_set(e->k.z));
}

typedef struct pixel4 {
    uint32_t x, y, part, triangle;
    int seen; /* a bit a sample */
} pixel4;

/* Sample by sample: where some are not seen, lie behind the cut, or may look
 * through a hole. */
static void put_seen(raster *r,
                     const edges *e,
                     const scene *holes,
                     const pixel4 *p,
                     const double nearness[4])
{
    size_t at = 4 * ((size_t)p->y * r->width + p->x);
    const double *u = r->u + 4 * (size_t)p->x;
    const double *v = r->v + 4 * (size_t)p->y;
    for (uint32_t k = 0; k < 4; k++) {
        if (!(p->seen >> k & 1))
            continue;
        if (r->behind && !(nearness[k] < r->behind[at + k]))
            continue;
        double w[3];
        for (int i = 0; i < 3; i++)
            w[i] = e->n[i].x * u[k] + (e->n[i].y * v[k] + e->n[i].z);
        if (holes && has_hole(r, holes, p->part, p->triangle, w))
            continue;
        put_sample(r, at + k, nearness[k], p->part, p->triangle);
    }
}

/* raster_fill() for RASTER_SAMPLES samples a pixel, side by side: each gets the
 * very bits that it would get alone. */
static void fill_samples(raster *r,
                         const edges *e,
                         const scene *holes,
                         uint32_t part,
                         uint32_t triangle)
{
    bool plain = !holes && !r->behind;
    row4 row = {.near_slope = pair_set(e->k.x),
                .limit = pair_set(r->camera.orthographic ? 0 : INFINITY)};
    for (int i = 0; i < 3; i++)
        row.slope[i] = pair_set(e->n[i].x);
    for (uint32_t y = e->y1; y <= e->y2; y++) {
        uint32_t x1 = e->x1;
        uint32_t x2 = e->x2;
        row_begin(&row, r, e, y, &x1, &x2);
        size_t at = 4 * ((size_t)y * r->width + x1);
        for (uint32_t x = x1; x <= x2; x++, at += 4) {
            double nearness[4];
            int seen = row4_see(&row, r->u + 4 * (size_t)x, r->nearness + at,
                                nearness);
            if (!seen)
                continue;
            if (!plain || seen != 15) {
                put_seen(r, e, holes, &(pixel4){x, y, part, triangle, seen},
                         nearness);
                continue;
            }
            memcpy(r->nearness + at, nearness, sizeof nearness);
            pair_store_4(r->part + at, part);
            pair_store_4(r->triangle + at, triangle);
        }
    }
}

/* False when the mesh's box lies wholly outside one side of what is drawn. */
static bool may_show(const drawing *d,
                     const scene_mesh *mesh,
                     const affine *local)
{
    const raster *r = d->r;
    uint32_t n = r->samples;
    double u1 = r->low_u;
    double u2 = r->high_u;
    double v1 = INFINITY, v2 = -INFINITY;
    for (uint32_t k = 0; k < n; k++) { /* rows go down */
        double last = r->v[(d->end - 1) * n + k];
        double first = r->v[d->first * n + k];
        v1 = math_min(last, v1);
        v2 = math_max(first, v2);
    }
    int outside[5] = {0};
    for (int i = 0; i < 8; i++) {
        vec3 p =
            affine_point(local, v3_corner(mesh->min, mesh->max, (unsigned)i));
        double w = r->camera.orthographic ? 1 : p.z;
        double spare = 1e-6 * (fabs(p.x) + fabs(p.y) + fabs(p.z));
        outside[0] += p.x < u1 * w - spare;
        outside[1] += p.x > u2 * w + spare;
        outside[2] += p.y < v1 * w - spare;
        outside[3] += p.y > v2 * w + spare;
        outside[4] += p.z < 0;
    }
    for (int i = 0; i < 5; i++)
        if (outside[i] == 8)
            return false;
    return true;
}

/* Both arrays grow together or the room stays as it was. */
static bool drawing_make_room(drawing *d, size_t vertices)
{
    if (d->vertex_room >= vertices)
        return true;
    vec3 *grown = realloc(d->vertices, vertices * sizeof *grown);
    if (grown)
        d->vertices = grown;
    double(*flat)[2] = realloc(d->flat, vertices * sizeof *flat);
    if (flat)
        d->flat = flat;
    if (grown && flat)
        d->vertex_room = vertices;
    return grown && flat;
}

/* The mesh's vertices before the camera, and on the picture's plane. */
static void drawing_place(drawing *d,
                          const scene_mesh *mesh,
                          const affine *local)
{
    const bool ortho = d->r->camera.orthographic;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const float *p = mesh->position + 3 * (size_t)i;
        vec3 c = affine_point(local, v3(p[0], p[1], p[2]));
        d->vertices[i] = c;
        d->flat[i][0] = ortho ? c.x : c.x / c.z;
        d->flat[i][1] = ortho ? c.y : c.y / c.z;
    }
}

/* False: no memory. */
static bool draw_part(drawing *d,
                      const space *sp,
                      uint32_t index,
                      const arrange_pose *pose)
{
    raster *r = d->r;
    const scene *s = space_scene(sp);
    const scene_mesh *mesh = &s->meshes[s->parts[index].mesh];
    affine to_world = raster_placement(sp, index, pose);
    affine local = to_camera(&r->camera, &to_world);
    if (mesh->triangle_count == 0 || !may_show(d, mesh, &local))
        return true;
    if (!drawing_make_room(d, mesh->vertex_count))
        return false;
    const scene *holes = r->masked && surface_masked(s, index) ? s : NULL;
    drawing_place(d, mesh, &local);
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        edges e;
        if (!edges_set_up(d, mesh->index + 3 * (size_t)i, &e))
            continue;
        if (r->samples == RASTER_SAMPLES)
            fill_samples(r, &e, holes, index, i);
        else
            raster_fill(r, &e, holes, index, i);
    }
    return true;
}

typedef struct sharing { /* one picture among threads: a band of rows each */
    raster *r;
    const space *sp;
    uint32_t first, last, bands; /* parts */
    const arrange_pose *pose;
    const bool *hidden;
    raster_layer layer;
    bool failed[BANDS_MAX];
} sharing;

/* Is the part in the layer that is drawn, and not hidden? */
static bool sharing_shows(const sharing *to, uint32_t part)
{
    const scene *s = space_scene(to->sp);
    const uint32_t object = s->parts[part].object;
    const uint32_t material = s->parts[part].material;
    if (to->hidden && object < s->object_count && to->hidden[object])
        return false;
    const bool blend = material < s->material_count &&
                       scene_material_is_clear(&s->materials[material]);
    return to->layer == LAYER_ALL || blend == (to->layer == LAYER_BLEND);
}

/* All parts in order, but only this band's rows. */
static void draw_band(void *context, uint32_t band)
{
    sharing *to = context;
    drawing d = {.r = to->r};
    d.first = (uint32_t)((uint64_t)to->r->height * band / to->bands);
    d.end = (uint32_t)((uint64_t)to->r->height * (band + 1) / to->bands);
    if (to->r->blank)
        raster_clear_rows(to->r, d.first, d.end);
    for (uint32_t i = to->first;
         i < to->last && d.first < d.end && !to->failed[band]; i++) {
        if (!sharing_shows(to, i))
            continue;
        to->failed[band] = !draw_part(&d, to->sp, i, to->pose);
    }
    free(d.vertices);
    free(d.flat);
}

/* `only`: SCENE_NONE for all, or one object, at `pose` (NULL: where it is).
 * What is drawn adds to what is there, unless raster_clear came before. */
etna_code raster_draw(raster *r,
                      const space *sp,
                      uint32_t only,
                      const arrange_pose *pose,
                      raster_layer layer,
                      uint32_t threads,
                      etna_error *err)
{
    const scene *s = space_scene(sp);
    sharing to = {
        .r = r, .sp = sp, .last = s->part_count, .pose = pose, .layer = layer};
    if (only != SCENE_NONE) {
        if (only >= s->object_count)
            return etna_fail(err, ETNA_E_INTERNAL,
                             "object %u of %u cannot be drawn", only,
                             s->object_count);
        to.first = s->objects[only].first_part;
        to.last = to.first + s->objects[only].part_count;
    }
    to.hidden = only == SCENE_NONE ? space_hidden(sp) : NULL;
    /* Twice the threads, because not every band has as much in it; not more,
     * because each transforms all vertices. */
    to.bands = threads < BANDS_MAX / 2 ? 2 * threads : BANDS_MAX;
    if (threads <= 1)
        to.bands = 1;
    parallel_do(threads, to.bands, draw_band, &to);
    r->blank = false;
    for (uint32_t i = 0; i < to.bands; i++)
        if (to.failed[i])
            return etna_fail(err, ETNA_E_NOMEM,
                             "no memory to draw a mesh's vertices");
    return ETNA_OK;
}

/* Sets up the triangle for raster_face_weights; false when it is the one set up
 * already, as neighbouring pixels mostly are. */
bool raster_face_set(const raster *r,
                     const scene *s,
                     const affine *to_world,
                     uint32_t part,
                     uint32_t triangle,
                     raster_face *face)
{
    if (face->part == part && face->triangle == triangle)
        return false;
    const scene_mesh *mesh = &s->meshes[s->parts[part].mesh];
    const uint32_t *index = mesh->index + 3 * (size_t)triangle;
    const scene_camera *c = &r->camera;
    vec3 corner[3];
    for (int i = 0; i < 3; i++) {
        const float *p = mesh->position + 3 * (size_t)index[i];
        face->world[i] = affine_point(to_world, v3(p[0], p[1], p[2]));
        vec3 d = v3_sub(face->world[i], c->position);
        corner[i] =
            v3(v3_dot(d, c->right), v3_dot(d, c->up), v3_dot(d, c->forward));
    }
    for (int i = 0; i < 3; i++)
        face->edge[i] = edge_function(corner[(i + 1) % 3], corner[(i + 2) % 3],
                                      c->orthographic);
    face->part = part;
    face->triangle = triangle;
    return true;
}

/* Barycentric weights at the ray (u, v), clamped: a sample at a rim may lie
 * outside by rounding, and texture coordinates must not leave the triangle. */
void raster_face_weights(const raster_face *face,
                         double u,
                         double v,
                         double ret[3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        ret[i] = face->edge[i].x * u + face->edge[i].y * v + face->edge[i].z;
        sum += ret[i];
    }
    double scale = sum != 0 ? 1 / sum : 0;
    for (int i = 0; i < 3; i++) {
        double b = sum != 0 ? ret[i] * scale : 1.0 / 3;
        ret[i] = math_clamp(b, 0, 1);
    }
}
