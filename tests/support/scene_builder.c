/* Hand-made scenes; see the header. Arrays grow by doubling; everything is
 * freed with the builder. */
#include "tests/support/scene_builder.h"
#include "worker/scene/scene_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scene_builder {
    scene view;
    scene_mesh *meshes;
    scene_part *parts;
    scene_object *objects;
    scene_camera *cameras;
    double *headings; /* per object, radians */
    scene_material material;
    /* so that scene_ref and scene_free work; the builder's own reference is the
     * last */
    struct scene_private own;
};

static void *grown(void *old, size_t count, size_t size)
{
    if (count != 0 && (count & (count - 1)) != 0)
        return old; /* not at a power of two: there is room */
    void *now = realloc(old, (count ? 2 * count : 1) * size);
    if (!now)
        abort();
    return now;
}

scene_builder *scene_builder_new(void)
{
    scene_builder *b = calloc(1, sizeof *b);
    if (!b)
        abort();
    atomic_init(&b->own.references, 1);
    b->view.own = &b->own;
    b->material = (scene_material){.name = "grey",
                                   .base_colour = {0.5f, 0.5f, 0.5f, 1},
                                   .texture = SCENE_NONE,
                                   .roughness = 1};
    return b;
}

void scene_builder_free(scene_builder *b)
{
    if (!b)
        return;
    for (uint32_t i = 0; i < b->view.mesh_count; i++) {
        free((void *)(uintptr_t)b->meshes[i].position);
        free((void *)(uintptr_t)b->meshes[i].index);
    }
    for (uint32_t i = 0; i < b->view.object_count; i++)
        free((void *)(uintptr_t)b->objects[i].name);
    for (uint32_t i = 0; i < b->view.camera_count; i++)
        free((void *)(uintptr_t)b->cameras[i].name);
    etna_arena_free(&b->own.arena);
    free(b->meshes);
    free(b->parts);
    free(b->objects);
    free(b->cameras);
    free(b->headings);
    free(b);
}

/* FNV-1a, repeated with other starts: enough to tell test meshes apart. */
static etna_hash mesh_hash(const void *a,
                           size_t a_size,
                           const void *c,
                           size_t c_size)
{
    etna_hash hash;
    memset(&hash, 0, sizeof hash);
    uint8_t *out = (uint8_t *)&hash;
    for (size_t lane = 0; lane < sizeof hash / 8; lane++) {
        uint64_t h = 1469598103934665603ull + lane;
        for (size_t i = 0; i < a_size; i++)
            h = (h ^ ((const uint8_t *)a)[i]) * 1099511628211ull;
        for (size_t i = 0; i < c_size; i++)
            h = (h ^ ((const uint8_t *)c)[i]) * 1099511628211ull;
        memcpy(out + 8 * lane, &h, 8);
    }
    return hash;
}

uint32_t scene_builder_mesh(scene_builder *b,
                            const float *position,
                            uint32_t vertices,
                            const uint32_t *index,
                            uint32_t triangles)
{
    size_t position_size = 3 * sizeof(float) * (size_t)vertices,
           index_size = 3 * sizeof(uint32_t) * (size_t)triangles;
    float *p = malloc(position_size + 1);
    uint32_t *t = malloc(index_size + 1);
    if (!p || !t)
        abort();
    memcpy(p, position, position_size);
    memcpy(t, index, index_size);
    scene_mesh mesh = {.vertex_count = vertices, .triangle_count = triangles};
    mesh.position = p;
    mesh.index = t;
    for (uint32_t i = 0; i < vertices; i++) {
        vec3 v = v3(p[3 * i], p[3 * i + 1], p[3 * i + 2]);
        mesh.min = i ? v3_min(mesh.min, v) : v;
        mesh.max = i ? v3_max(mesh.max, v) : v;
    }
    b->meshes = grown(b->meshes, b->view.mesh_count, sizeof *b->meshes);
    b->meshes[b->view.mesh_count] = mesh;
    return b->view.mesh_count++;
}

/* ---- shapes ---- */
typedef struct shape {
    float *position;
    uint32_t *index;
    uint32_t vertices, triangles;
} shape;

static uint32_t shape_vertex(shape *s, double x, double y, double z)
{
    s->position = grown(s->position, s->vertices, 3 * sizeof(float));
    float *p = s->position + 3 * (size_t)s->vertices;
    p[0] = (float)x;
    p[1] = (float)y;
    p[2] = (float)z;
    return s->vertices++;
}

static void shape_triangle(shape *s, uint32_t a, uint32_t b, uint32_t c)
{
    s->index = grown(s->index, s->triangles, 3 * sizeof(uint32_t));
    uint32_t *t = s->index + 3 * (size_t)s->triangles++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

static void shape_quad(shape *s, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    shape_triangle(s, a, b, c);
    shape_triangle(s, a, c, d);
}

static uint32_t shape_done(scene_builder *b, shape *s)
{
    uint32_t mesh =
        scene_builder_mesh(b, s->position, s->vertices, s->index, s->triangles);
    free(s->position);
    free(s->index);
    return mesh;
}

uint32_t scene_builder_box(scene_builder *b, double x, double y, double z)
{
    shape s = {0};
    for (int i = 0; i < 8; i++)
        shape_vertex(&s, i & 1 ? x / 2 : -x / 2, i & 2 ? y / 2 : -y / 2,
                     i & 4 ? z / 2 : -z / 2);
    shape_quad(&s, 0, 2, 3, 1);
    shape_quad(&s, 4, 5, 7, 6);
    shape_quad(&s, 0, 1, 5, 4);
    shape_quad(&s, 2, 6, 7, 3);
    shape_quad(&s, 0, 4, 6, 2);
    shape_quad(&s, 1, 3, 7, 5);
    return shape_done(b, &s);
}

/* A closed surface of revolution through (radius, z) points from the bottom to
 * the top of its outside and on; points of radius 0 are poles. Outward when the
 * profile runs counter-clockwise in the (r, z) half plane. */
static uint32_t revolve(scene_builder *b,
                        const double (*profile)[2],
                        uint32_t points,
                        uint32_t segments)
{
    shape s = {0};
    uint32_t previous = 0;
    bool previous_pole = false;
    for (uint32_t i = 0; i < points; i++) {
        bool pole = profile[i][0] == 0;
        uint32_t first = s.vertices;
        for (uint32_t k = 0; k < (pole ? 1 : segments); k++) {
            double angle = 2 * MATH_PI * k / segments;
            shape_vertex(&s, profile[i][0] * cos(angle),
                         profile[i][0] * sin(angle), profile[i][1]);
        }
        for (uint32_t k = 0; i > 0 && k < segments; k++) {
            uint32_t n = (k + 1) % segments;
            if (previous_pole && !pole)
                shape_triangle(&s, previous, first + n, first + k);
            else if (!previous_pole && pole)
                shape_triangle(&s, previous + k, previous + n, first);
            else if (!previous_pole)
                shape_quad(&s, previous + k, previous + n, first + n,
                           first + k);
        }
        previous = first;
        previous_pole = pole;
    }
    return shape_done(b, &s);
}

uint32_t scene_builder_sphere(scene_builder *b, double radius, uint32_t rings)
{
    double(*profile)[2] = malloc((rings + 1) * sizeof *profile);
    if (!profile)
        abort();
    for (uint32_t i = 0; i <= rings; i++) {
        double angle = MATH_PI * i / rings;
        profile[i][0] = i == 0 || i == rings ? 0 : radius * sin(angle);
        profile[i][1] = 2 * i == rings ? 0 : -radius * cos(angle);
    }
    uint32_t mesh =
        revolve(b, (const double(*)[2])profile, rings + 1, 2 * rings);
    free(profile);
    return mesh;
}

uint32_t scene_builder_cylinder(scene_builder *b,
                                double radius,
                                double height,
                                uint32_t segments)
{
    double profile[4][2] = {{0, -height / 2},
                            {radius, -height / 2},
                            {radius, height / 2},
                            {0, height / 2}};
    return revolve(b, (const double(*)[2])profile, 4, segments);
}

uint32_t scene_builder_bowl(scene_builder *b,
                            double inner,
                            double outer,
                            uint32_t rings)
{
    double(*profile)[2] = malloc(2 * (rings + 1) * sizeof *profile);
    if (!profile)
        abort();
    for (uint32_t i = 0; i <= rings; i++) {
        double angle = MATH_PI / 2 * i / rings, r = i == 0 ? 0 : sin(angle),
               z = i == rings ? 0 : -cos(angle);
        profile[i][0] = outer * r;
        profile[i][1] = outer * z;
        profile[2 * rings + 1 - i][0] = inner * r;
        profile[2 * rings + 1 - i][1] = inner * z;
    }
    uint32_t mesh =
        revolve(b, (const double(*)[2])profile, 2 * (rings + 1), 4 * rings);
    free(profile);
    return mesh;
}

uint32_t scene_builder_cup(scene_builder *b,
                           double inner,
                           double outer,
                           double height,
                           double bottom,
                           uint32_t segments)
{
    double profile[6][2] = {{0, 0},          {outer, 0},      {outer, height},
                            {inner, height}, {inner, bottom}, {0, bottom}};
    return revolve(b, (const double(*)[2])profile, 6, segments);
}

uint32_t scene_builder_sheet(scene_builder *b,
                             double x,
                             double y,
                             uint32_t cells)
{
    shape s = {0};
    for (uint32_t j = 0; j <= cells; j++)
        for (uint32_t i = 0; i <= cells; i++)
            shape_vertex(&s, x * ((double)i / cells - 0.5),
                         y * ((double)j / cells - 0.5), 0);
    for (uint32_t j = 0; j < cells; j++)
        for (uint32_t i = 0; i < cells; i++) {
            uint32_t v = j * (cells + 1) + i;
            shape_quad(&s, v, v + 1, v + cells + 2, v + cells + 1);
        }
    return shape_done(b, &s);
}

uint32_t scene_builder_room(scene_builder *b, double x, double y, double z)
{
    shape s = {0};
    for (int i = 0; i < 8; i++)
        shape_vertex(&s, i & 1 ? x / 2 : -x / 2, i & 2 ? y / 2 : -y / 2,
                     i & 4 ? z : 0);
    shape_quad(&s, 0, 1, 3, 2); /* the floor, seen from above */
    shape_quad(&s, 0, 4, 5, 1);
    shape_quad(&s, 2, 3, 7, 6);
    shape_quad(&s, 0, 2, 6, 4);
    shape_quad(&s, 1, 5, 7, 3);
    return shape_done(b, &s);
}

uint32_t scene_builder_flipped(scene_builder *b, uint32_t mesh)
{
    const scene_mesh *m = &b->meshes[mesh];
    uint32_t *index =
        malloc(3 * sizeof(uint32_t) * (size_t)m->triangle_count + 1);
    if (!index)
        abort();
    for (uint32_t i = 0; i < m->triangle_count; i++) {
        index[3 * i] = m->index[3 * i];
        index[3 * i + 1] = m->index[3 * i + 2];
        index[3 * i + 2] = m->index[3 * i + 1];
    }
    uint32_t flipped = scene_builder_mesh(b, m->position, m->vertex_count,
                                          index, m->triangle_count);
    free(index);
    return flipped;
}

/* ---- objects ---- */
affine scene_builder_scaled(
    double x, double y, double z, double yaw_degrees, double scale)
{
    double a = yaw_degrees * MATH_PI / 180, c = cos(a) * scale,
           s = sin(a) * scale;
    return (affine){{{c, -s, 0}, {s, c, 0}, {0, 0, scale}}, {x, y, z}};
}

affine scene_builder_at(double x, double y, double z, double yaw_degrees)
{
    return yaw_degrees == 0
               ? (affine){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {x, y, z}}
               : scene_builder_scaled(x, y, z, yaw_degrees, 1);
}

void scene_builder_part(scene_builder *b, uint32_t mesh, affine at)
{
    double det =
        at.m[0][0] * (at.m[1][1] * at.m[2][2] - at.m[1][2] * at.m[2][1]) -
        at.m[0][1] * (at.m[1][0] * at.m[2][2] - at.m[1][2] * at.m[2][0]) +
        at.m[0][2] * (at.m[1][0] * at.m[2][1] - at.m[1][1] * at.m[2][0]);
    uint32_t object = b->view.object_count - 1;
    b->parts = grown(b->parts, b->view.part_count, sizeof *b->parts);
    b->parts[b->view.part_count++] = (scene_part){.mesh = mesh,
                                                  .material = 0,
                                                  .object = object,
                                                  .node = object,
                                                  .to_world = at,
                                                  .flipped = det < 0};
    b->objects[object].part_count++;
    b->objects[object].triangle_count += b->meshes[mesh].triangle_count;
}

uint32_t scene_builder_object(scene_builder *b,
                              const char *name,
                              uint32_t mesh,
                              affine at,
                              bool is_static)
{
    uint32_t object = b->view.object_count;
    b->objects = grown(b->objects, object, sizeof *b->objects);
    b->headings = grown(b->headings, object, sizeof *b->headings);
    char *copy = strdup(name);
    if (!copy)
        abort();
    b->objects[object] = (scene_object){.name = copy,
                                        .why = "built by hand",
                                        .first_part = b->view.part_count,
                                        .node = object};
    b->objects[object].instance = SCENE_NONE;
    b->objects[object].is_static = is_static;
    b->objects[object].description = b->objects[object].category = "";
    b->headings[object] = atan2(at.m[1][0], at.m[0][0]);
    b->view.object_count++;
    scene_builder_part(b, mesh, at);
    return object;
}

uint32_t scene_builder_camera(scene_builder *b,
                              const char *name,
                              vec3 position,
                              vec3 target)
{
    b->cameras = grown(b->cameras, b->view.camera_count, sizeof *b->cameras);
    vec3 forward = v3_normal(v3_sub(target, position));
    vec3 right = v3_cross(forward, v3(0, 0, 1));
    right = v3_length(right) > 1e-6 ? v3_normal(right) : v3(1, 0, 0);
    char *copy = strdup(name);
    if (!copy)
        abort();
    b->cameras[b->view.camera_count] =
        (scene_camera){.name = copy,
                       .position = position,
                       .right = right,
                       .up = v3_cross(right, forward)};
    scene_camera *camera = &b->cameras[b->view.camera_count];
    camera->forward = forward;
    camera->aspect = 4.0 / 3.0;
    camera->half_height = tan(MATH_PI / 6);
    camera->near_clip = 0.01;
    return b->view.camera_count++;
}

static void measure(scene_builder *b, uint32_t index)
{
    scene_object *o = &b->objects[index];
    double yaw = b->headings[index], s = yaw == 0 ? 0 : sin(yaw),
           c = yaw == 0 ? 1 : cos(yaw);
    vec3 low = {0, 0, 0}, high = {0, 0, 0};
    bool any = false;
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++) {
        for (uint32_t i = 0; i < b->meshes[b->parts[p].mesh].vertex_count;
             i++) {
            vec3 v = scene_vertex(&b->view, &b->parts[p], i),
                 l = v3(c * v.x + s * v.y, c * v.y - s * v.x, v.z);
            o->min = any ? v3_min(o->min, v) : v;
            o->max = any ? v3_max(o->max, v) : v;
            low = any ? v3_min(low, l) : l;
            high = any ? v3_max(high, l) : l;
            any = true;
        }
    }
    vec3 mid = v3_scale(v3_add(low, high), 0.5);
    o->box.centre = v3(c * mid.x - s * mid.y, s * mid.x + c * mid.y, mid.z);
    o->box.half = v3_scale(v3_sub(high, low), 0.5);
    o->box.yaw = yaw;
    b->view.min = index ? v3_min(b->view.min, o->min) : o->min;
    b->view.max = index ? v3_max(b->view.max, o->max) : o->max;
}

scene *scene_builder_scene(scene_builder *b)
{
    scene *s = &b->view;
    s->meshes = b->meshes;
    s->parts = b->parts;
    s->objects = b->objects;
    s->cameras = b->cameras;
    s->materials = &b->material;
    s->material_count = 1;
    s->metres_per_unit = 1;
    for (uint32_t i = 0; i < s->object_count; i++)
        measure(b, i);
    for (uint32_t i = 0; i < s->mesh_count;
         i++) { /* any change of geometry or place is another scene */
        const scene_mesh *m = &b->meshes[i];
        etna_hash of_mesh = mesh_hash(m->position, 12 * (size_t)m->vertex_count,
                                      m->index, 12 * (size_t)m->triangle_count);
        s->hash = mesh_hash(&s->hash, sizeof s->hash, &of_mesh, sizeof of_mesh);
    }
    for (uint32_t i = 0; i < s->part_count; i++)
        s->hash = mesh_hash(&s->hash, sizeof s->hash, &b->parts[i].to_world,
                            sizeof(affine));
    return s;
}

uint32_t scene_builder_dish(scene_builder *b)
{
    enum {
        SEGMENTS = 32,
        RINGS = 3
    };
    static const double radius[RINGS] = {0.02, 0.05, 0.09},
                        height[RINGS] = {0.0003, 0.004, 0.013};
    float position[3 * (1 + RINGS * SEGMENTS)] = {0};
    uint32_t index[3 * SEGMENTS * (2 * RINGS - 1)], count = 0;
    for (uint32_t r = 0; r < RINGS; r++)
        for (uint32_t i = 0; i < SEGMENTS; i++) {
            float *at = position + 3 * (1 + r * SEGMENTS + i);
            at[0] =
                (float)(radius[r] * cos(i * 2 * 3.14159265358979 / SEGMENTS));
            at[1] =
                (float)(radius[r] * sin(i * 2 * 3.14159265358979 / SEGMENTS));
            at[2] = (float)height[r];
        }
    for (uint32_t r = 0; r < RINGS; r++)
        for (uint32_t i = 0; i < SEGMENTS; i++) {
            uint32_t a = 1 + r * SEGMENTS + i,
                     next = 1 + r * SEGMENTS + (i + 1) % SEGMENTS;
            uint32_t in = r ? a - SEGMENTS : 0,
                     in_next = r ? next - SEGMENTS : 0;
            const uint32_t corners[6] = {in, a, next, in, next, in_next};
            memcpy(index + 3 * count, corners, (r ? 6 : 3) * sizeof *corners);
            count += r ? 2 : 1;
        }
    return scene_builder_mesh(b, position, 1 + RINGS * SEGMENTS, index, count);
}
