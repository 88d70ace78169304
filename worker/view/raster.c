/* The z-buffer (see raster.h for the idea). */
#include "worker/view/raster.h"

#include "worker/view/view.h"

#include <stdlib.h>
#include <string.h>

const raster_window raster_whole = {0, 0, 1, 1, 0.5, 0.5};

typedef struct edges {       /* one triangle, set up */
    vec3 n[3];               /* edge functions; >= 0 inside */
    vec3 k;                  /* nearness = k.x u + k.y v + k.z */
    uint32_t x1, y1, x2, y2; /* pixels it can touch, inclusive */
} edges;

void raster_free(raster *r)
{
    if (!r) return;
    free(r->u);
    free(r->v);
    free(r->nearness);
    free(r->part);
    free(r->triangle);
    free(r->vertices);
    memset(r, 0, sizeof *r);
}

void raster_clear(raster *r)
{
    size_t count = (size_t)r->width * r->height;
    double nothing = r->camera.orthographic ? -INFINITY : 0;
    for (size_t i = 0; i < count; i++) {
        r->nearness[i] = nothing;
        r->part[i] = SCENE_NONE;
        r->triangle[i] = SCENE_NONE;
    }
}

etna_code raster_new(const scene_camera *camera, uint32_t width, uint32_t height, const raster_window *window,
                     raster *ret, etna_error *err)
{
    memset(ret, 0, sizeof *ret);
    if (width == 0 || height == 0 || width > VIEW_SIDE_MAX || height > VIEW_SIDE_MAX)
        return etna_fail(err, ETNA_E_LIMIT, "an image of %u x %u pixels: sides must be 1 to %d; give a smaller --size",
                         width, height, VIEW_SIDE_MAX);
    raster r = {.width = width, .height = height, .camera = *camera};
    size_t count = (size_t)width * height;
    r.u = malloc(width * sizeof *r.u);
    r.v = malloc(height * sizeof *r.v);
    r.nearness = malloc(count * sizeof *r.nearness);
    r.part = malloc(count * sizeof *r.part);
    r.triangle = malloc(count * sizeof *r.triangle);
    if (!r.u || !r.v || !r.nearness || !r.part || !r.triangle) {
        raster_free(&r);
        return etna_fail(err, ETNA_E_NOMEM, "no memory for an image of %u x %u pixels: give a smaller --size", width,
                         height);
    }
    double half_width = camera->half_height * camera->aspect;
    for (uint32_t x = 0; x < width; x++) {
        double at = window->x1 + (x + window->sample_x) / width * (window->x2 - window->x1);
        r.u[x] = (2 * at - 1) * half_width;
    }
    for (uint32_t y = 0; y < height; y++) {
        double at = window->y1 + (y + window->sample_y) / height * (window->y2 - window->y1);
        r.v[y] = (1 - 2 * at) * camera->half_height;
    }
    raster_clear(&r);
    *ret = r;
    return ETNA_OK;
}

affine raster_placement(const space *sp, uint32_t part, const arrange_pose *pose)
{
    const scene *s = space_scene(sp);
    const scene_part *p = &s->parts[part];
    if (!pose && p->object < s->object_count) pose = space_pose(sp, p->object);
    if (!pose || p->object >= s->object_count) return p->to_world;
    affine motion = scene_motion(&s->objects[p->object], pose);
    return affine_mul(&motion, &p->to_world);
}

/* Part-local to camera coordinates. */
static affine to_camera(const scene_camera *camera, const affine *to_world)
{
    const vec3 *rows[3] = {&camera->right, &camera->up, &camera->forward};
    affine view = affine_identity();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) view.m[i][j] = v3_get(*rows[i], j);
    affine moved = *to_world;
    moved.t = v3_sub(moved.t, camera->position);
    affine result = affine_mul(&view, &moved);
    return result;
}

static vec3 edge_function(vec3 a, vec3 b, bool orthographic)
{
    return orthographic ? v3(a.y - b.y, b.x - a.x, a.x * b.y - a.y * b.x) : v3_cross(a, b);
}

/* First and last index whose value in the monotone `at` can lie in [low, high], with one to spare; false when there is
 * none. `at` is evenly spaced, so the index is computed and not searched. */
static bool index_range(const double *at, uint32_t count, double low, double high, uint32_t *ret_first,
                        uint32_t *ret_last)
{
    if (count == 1) {
        *ret_first = *ret_last = 0;
        return true;
    }
    double step = (at[count - 1] - at[0]) / (count - 1);
    double a = (low - at[0]) / step, b = (high - at[0]) / step;
    double first = floor(a < b ? a : b) - 1, last = ceil(a < b ? b : a) + 1;
    if (!(last >= 0) || !(first <= count - 1)) return false;
    *ret_first = first > 0 ? (uint32_t)first : 0;
    *ret_last = last < count - 1 ? (uint32_t)last : count - 1;
    return true;
}

static bool bounds(const raster *r, const vec3 *const c[3], edges *e)
{
    bool ortho = r->camera.orthographic;
    double low_u = INFINITY, high_u = -INFINITY, low_v = INFINITY, high_v = -INFINITY;
    int behind = 0;
    for (int i = 0; i < 3; i++) {
        if (!ortho && !(c[i]->z > 1e-9)) {
            behind++;
            continue;
        }
        double u = ortho ? c[i]->x : c[i]->x / c[i]->z, v = ortho ? c[i]->y : c[i]->y / c[i]->z;
        low_u = u < low_u ? u : low_u;
        high_u = u > high_u ? u : high_u;
        low_v = v < low_v ? v : low_v;
        high_v = v > high_v ? v : high_v;
    }
    if (behind == 3) return false;
    if (behind > 0) { /* it passes the camera's plane: anywhere */
        *e = (edges){.x2 = r->width - 1, .y2 = r->height - 1};
        return true;
    }
    return index_range(r->u, r->width, low_u, high_u, &e->x1, &e->x2) &&
           index_range(r->v, r->height, low_v, high_v, &e->y1, &e->y2);
}

static bool set_up(const raster *r, const vec3 *const c[3], edges *e)
{
    if (!bounds(r, c, e)) return false;
    bool ortho = r->camera.orthographic;
    vec3 plane = v3_cross(v3_sub(*c[1], *c[0]), v3_sub(*c[2], *c[0]));
    double distance = v3_dot(plane, *c[0]), facing = ortho ? plane.z : distance;
    if (!(facing != 0) || !isfinite(facing)) return false; /* seen exactly along its edge, or no triangle at all */
    for (int i = 0; i < 3; i++) {
        e->n[i] = edge_function(*c[(i + 1) % 3], *c[(i + 2) % 3], ortho);
        if (facing < 0) e->n[i] = v3(-e->n[i].x, -e->n[i].y, -e->n[i].z);
    }
    if (ortho) /* depth = (distance - plane.x u - plane.y v) / plane.z, and nearness its negative */
        e->k = v3(plane.x / plane.z, plane.y / plane.z, -distance / plane.z);
    else
        e->k = v3(plane.x / distance, plane.y / distance, plane.z / distance);
    return true;
}

/* Narrows [*x1, *x2] to where the edge function n.x u + rest can be >= 0; one pixel to spare, the exact test follows.
 */
static void narrow(const raster *r, double slope, double rest, double per_step, uint32_t *x1, uint32_t *x2)
{
    if (slope == 0) return;
    double at = (-rest / slope - r->u[0]) * per_step;
    if (slope > 0) {
        double first = floor(at) - 1;
        if (first > *x1) *x1 = first < *x2 ? (uint32_t)first : *x2;
    } else {
        double last = ceil(at) + 1;
        if (last < *x2) *x2 = last > *x1 ? (uint32_t)last : *x1;
    }
}

/* Is the surface there at all? `w`: the edge functions at the pixel, all >= 0. */
static bool has_hole(const raster *r, const scene *s, uint32_t part, uint32_t triangle, const double w[3])
{
    double sum = w[0] + w[1] + w[2], scale = sum > 0 ? 1 / sum : 0;
    const double b[3] = {w[0] * scale, w[1] * scale, w[2] * scale};
    return surface_has_hole(s, r->masked, part, triangle, b);
}

static void fill(raster *r, const edges *e, const scene *holes, uint32_t part, uint32_t triangle)
{
    double per_step = r->width > 1 ? (r->width - 1) / (r->u[r->width - 1] - r->u[0]) : 0;
    bool wide = e->x2 - e->x1 > 6 && per_step > 0;
    double limit = r->camera.orthographic ? 0 : INFINITY; /* nothing behind the eye */
    for (uint32_t y = e->y1; y <= e->y2; y++) {
        double v = r->v[y], rest[3];
        uint32_t x1 = e->x1, x2 = e->x2;
        for (int i = 0; i < 3; i++) {
            rest[i] = e->n[i].y * v + e->n[i].z;
            if (wide) narrow(r, e->n[i].x, rest[i], per_step, &x1, &x2);
        }
        double near_rest = e->k.y * v + e->k.z;
        size_t row = (size_t)y * r->width;
        for (uint32_t x = x1; x <= x2; x++) {
            double u = r->u[x];
            if (!(e->n[0].x * u + rest[0] >= 0 && e->n[1].x * u + rest[1] >= 0 && e->n[2].x * u + rest[2] >= 0))
                continue;
            double nearness = e->k.x * u + near_rest;
            if (!(nearness > r->nearness[row + x]) || !(nearness < limit) ||
                (r->behind && !(nearness < r->behind[row + x])))
                continue;
            if (holes &&
                has_hole(r, holes, part, triangle,
                         (const double[3]){e->n[0].x * u + rest[0], e->n[1].x * u + rest[1], e->n[2].x * u + rest[2]}))
                continue;
            r->nearness[row + x] = nearness;
            r->part[row + x] = part;
            r->triangle[row + x] = triangle;
        }
    }
}

/* False when the mesh's box lies wholly outside one side of the picture. */
static bool may_show(const raster *r, const scene_mesh *mesh, const affine *local)
{
    double u1 = r->u[0], u2 = r->u[r->width - 1], v1 = r->v[r->height - 1], v2 = r->v[0];
    int outside[5] = {0};
    for (int i = 0; i < 8; i++) {
        vec3 p = affine_point(local, v3(i & 1 ? mesh->max.x : mesh->min.x, i & 2 ? mesh->max.y : mesh->min.y,
                                        i & 4 ? mesh->max.z : mesh->min.z));
        double w = r->camera.orthographic ? 1 : p.z, spare = 1e-6 * (fabs(p.x) + fabs(p.y) + fabs(p.z));
        outside[0] += p.x < u1 * w - spare;
        outside[1] += p.x > u2 * w + spare;
        outside[2] += p.y < v1 * w - spare;
        outside[3] += p.y > v2 * w + spare;
        outside[4] += p.z < 0;
    }
    for (int i = 0; i < 5; i++)
        if (outside[i] == 8) return false;
    return true;
}

static etna_code draw_part(raster *r, const space *sp, uint32_t index, const arrange_pose *pose, etna_error *err)
{
    const scene *s = space_scene(sp);
    const scene_mesh *mesh = &s->meshes[s->parts[index].mesh];
    affine to_world = raster_placement(sp, index, pose), local = to_camera(&r->camera, &to_world);
    if (mesh->triangle_count == 0 || !may_show(r, mesh, &local)) return ETNA_OK;
    if (r->vertex_room < mesh->vertex_count) {
        double *grown = realloc(r->vertices, (size_t)mesh->vertex_count * 3 * sizeof *grown);
        if (!grown) return etna_fail(err, ETNA_E_NOMEM, "no memory to draw a mesh of %u vertices", mesh->vertex_count);
        r->vertices = grown;
        r->vertex_room = mesh->vertex_count;
    }
    const scene *holes = r->masked && surface_masked(s, index) ? s : NULL;
    vec3 *vertices = (vec3 *)(void *)r->vertices;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const float *p = mesh->position + 3 * (size_t)i;
        vertices[i] = affine_point(&local, v3(p[0], p[1], p[2]));
    }
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *at = mesh->index + 3 * (size_t)i;
        const vec3 *const corner[3] = {&vertices[at[0]], &vertices[at[1]], &vertices[at[2]]};
        edges e;
        if (set_up(r, corner, &e)) fill(r, &e, holes, index, i);
    }
    return ETNA_OK;
}

etna_code raster_draw(raster *r, const space *sp, uint32_t only, const arrange_pose *pose, raster_layer layer,
                      etna_error *err)
{
    const scene *s = space_scene(sp);
    uint32_t first = 0, last = s->part_count;
    if (only != SCENE_NONE) {
        if (only >= s->object_count)
            return etna_fail(err, ETNA_E_INTERNAL, "object %u of %u cannot be drawn", only, s->object_count);
        first = s->objects[only].first_part;
        last = first + s->objects[only].part_count;
    }
    const bool *hidden = only == SCENE_NONE ? space_hidden(sp) : NULL;
    for (uint32_t i = first; i < last; i++) {
        if (hidden && s->parts[i].object < s->object_count && hidden[s->parts[i].object]) continue;
        uint32_t material = s->parts[i].material;
        bool blend = material < s->material_count && s->materials[material].blend;
        if (layer != LAYER_ALL && blend != (layer == LAYER_BLEND)) continue;
        etna_code code = draw_part(r, sp, i, pose, err);
        if (code != ETNA_OK) return code;
    }
    return ETNA_OK;
}

bool raster_face_set(const raster *r, const scene *s, const affine *to_world, uint32_t part, uint32_t triangle,
                     raster_face *face)
{
    if (face->part == part && face->triangle == triangle) return false;
    const scene_mesh *mesh = &s->meshes[s->parts[part].mesh];
    const uint32_t *index = mesh->index + 3 * (size_t)triangle;
    const scene_camera *c = &r->camera;
    vec3 corner[3];
    for (int i = 0; i < 3; i++) {
        const float *p = mesh->position + 3 * (size_t)index[i];
        face->world[i] = affine_point(to_world, v3(p[0], p[1], p[2]));
        vec3 d = v3_sub(face->world[i], c->position);
        corner[i] = v3(v3_dot(d, c->right), v3_dot(d, c->up), v3_dot(d, c->forward));
    }
    for (int i = 0; i < 3; i++)
        face->edge[i] = edge_function(corner[(i + 1) % 3], corner[(i + 2) % 3], c->orthographic);
    face->part = part;
    face->triangle = triangle;
    return true;
}

bool raster_plane_weights(const raster_face *face, double u, double v, double ret[3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        ret[i] = face->edge[i].x * u + face->edge[i].y * v + face->edge[i].z;
        sum += ret[i];
    }
    double scale = 1 / sum;
    for (int i = 0; i < 3; i++) ret[i] *= scale;
    return isfinite(scale);
}

void raster_face_weights(const raster *r, const raster_face *face, uint32_t x, uint32_t y, double ret[3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        ret[i] = face->edge[i].x * r->u[x] + face->edge[i].y * r->v[y] + face->edge[i].z;
        sum += ret[i];
    }
    double scale = sum != 0 ? 1 / sum : 0;
    for (int i = 0; i < 3; i++) {
        double b = sum != 0 ? ret[i] * scale : 1.0 / 3;
        ret[i] = b > 0 ? (b < 1 ? b : 1) : 0;
    }
}
