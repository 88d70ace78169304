/* The bare Embree: the same triangles, instances and rays, and none of our
 * exactness. What a line over rays stands on. */
#include "tests/bench/bench.h"
#include "worker/space/space.h"
#include "worker/view/parallel.h"

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct floor_embree {
    RTCDevice device;
    RTCScene top, *meshes;
    RTCGeometry *instances;
    const scene *scene;
};

static RTCScene build_mesh(RTCDevice device, const scene_mesh *m)
{
    RTCScene made = rtcNewScene(device);
    RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *vertices = rtcSetNewGeometryBuffer(
        g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, m->vertex_count);
    uint32_t *index = rtcSetNewGeometryBuffer(
        g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, m->triangle_count);
    if (!vertices || !index)
        bench_die("embree", "out of memory");
    memcpy(vertices, m->position, 12 * (size_t)m->vertex_count);
    memcpy(index, m->index, 12 * (size_t)m->triangle_count);
    rtcCommitGeometry(g);
    rtcAttachGeometry(made, g);
    rtcReleaseGeometry(g);
    rtcCommitScene(made);
    return made;
}

static void set_transform(RTCGeometry g, const affine *a, double height)
{
    float columns[12];
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            columns[3 * c + r] = (float)a->m[r][c];
        columns[9 + r] = (float)(v3_get(a->t, r) + (r == 2 ? height : 0));
    }
    rtcSetGeometryTransform(g, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, columns);
    rtcCommitGeometry(g);
}

floor_embree *floor_embree_new(const scene *s)
{
    floor_embree *f = calloc(1, sizeof *f);
    if (!f)
        bench_die("embree", "out of memory");
    f->scene = s;
    f->device = rtcNewDevice(NULL);
    f->meshes = calloc(s->mesh_count + 1, sizeof(RTCScene));
    f->instances = calloc(s->part_count + 1, sizeof(RTCGeometry));
    if (!f->meshes || !f->instances || !f->device)
        bench_die("embree", "out of memory");
    f->top = rtcNewScene(f->device);
    for (uint32_t m = 0; m < s->mesh_count; m++)
        f->meshes[m] = build_mesh(f->device, &s->meshes[m]);
    for (uint32_t p = 0; p < s->part_count; p++) {
        f->instances[p] = rtcNewGeometry(f->device, RTC_GEOMETRY_TYPE_INSTANCE);
        rtcSetGeometryInstancedScene(f->instances[p],
                                     f->meshes[s->parts[p].mesh]);
        set_transform(f->instances[p], &s->parts[p].to_world, 0);
        rtcAttachGeometryByID(f->top, f->instances[p], p);
    }
    rtcCommitScene(f->top);
    return f;
}

void floor_embree_free(floor_embree *f)
{
    for (uint32_t p = 0; p < f->scene->part_count; p++)
        rtcReleaseGeometry(f->instances[p]);
    rtcReleaseScene(f->top);
    for (uint32_t m = 0; m < f->scene->mesh_count; m++)
        rtcReleaseScene(f->meshes[m]);
    rtcReleaseDevice(f->device);
    free(f->meshes);
    free(f->instances);
    free(f);
}

static void intersect(RTCScene top, struct RTCRayHit *ray)
{
    ray->hit.geomID = ray->hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
#if RTC_VERSION_MAJOR >= 4
    rtcIntersect1(top, ray, NULL);
#else
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(top, &context, ray);
#endif
}

static bool occluded(RTCScene top, struct RTCRay *ray)
{
#if RTC_VERSION_MAJOR >= 4
    rtcOccluded1(top, ray, NULL);
#else
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(top, &context, ray);
#endif
    return ray->tfar < 0;
}

static struct RTCRay ray_of(vec3 from, vec3 along, double far)
{
    return (struct RTCRay){.org_x = (float)from.x,
                           .org_y = (float)from.y,
                           .org_z = (float)from.z,
                           .dir_x = (float)along.x,
                           .dir_y = (float)along.y,
                           .dir_z = (float)along.z,
                           .tnear = 1e-4f,
                           .tfar = (float)far,
                           .mask = ~0u};
}

uint32_t floor_embree_cast(floor_embree *f, const void *rays, uint32_t count)
{
    const space_ray *r = rays;
    uint32_t hits = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct RTCRayHit ray = {
            .ray = ray_of(r[i].origin, r[i].direction, r[i].t_max)};
        intersect(f->top, &ray);
        hits += ray.hit.geomID != RTC_INVALID_GEOMETRY_ID;
    }
    return hits;
}

typedef struct image {
    floor_embree *f;
    const scene_camera *camera;
    uint32_t width, height, shadows;
    atomic_uint hits;
} image;

static void image_row(void *context, uint32_t y)
{
    image *m = context;
    uint32_t hits = 0;
    for (uint32_t x = 0; x < m->width; x++) {
        vec3 from, along;
        camera_ray(m->camera, (x + 0.5) / m->width, (y + 0.5) / m->height,
                   &from, &along);
        struct RTCRayHit ray = {.ray = ray_of(from, along, INFINITY)};
        intersect(m->f->top, &ray);
        if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID)
            continue;
        hits++;
        vec3 at = v3_add(from, v3_scale(along, (double)ray.ray.tfar * 0.9999));
        /* up, leaning to all sides */
        for (uint32_t s = 0; s < m->shadows; s++) {
            struct RTCRay shade = ray_of(
                at, v3(0.7 * (s & 1 ? 1 : -1), 0.7 * (s & 2 ? 1 : -1), 1), 1);
            hits += occluded(m->f->top, &shade);
        }
    }
    atomic_fetch_add(&m->hits, hits);
}

uint32_t floor_embree_image(floor_embree *f,
                            const scene_camera *camera,
                            uint32_t width,
                            uint32_t height,
                            uint32_t shadows,
                            uint32_t threads)
{
    image m = {.f = f,
               .camera = camera,
               .width = width,
               .height = height,
               .shadows = shadows};
    parallel_do(threads, height, image_row, &m);
    return m.hits;
}

void floor_embree_restore(floor_embree *f, double height)
{
    for (uint32_t p = 0; p < f->scene->part_count; p++)
        set_transform(f->instances[p], &f->scene->parts[p].to_world, height);
    rtcCommitScene(f->top);
}
