/* Many rays at once (space_cast_many). The same candidates and the same exact
 * test as one by one (ray.c), so the same bits; but in an order in which
 * neighbours go the same way, eight at a time: then Embree walks its trees once
 * for all, and triangles come from the cache. */
#include "worker/space/embree.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 1 << 16,
    DIGIT = 11,
    KEY_BITS = 2 * DIGIT,
    AHEAD = 24
}; /* rays sorted together; their hits stay in the cache */

/* Even bits from a number of ten. */
static uint32_t morton_spread(uint32_t x)
{
    x = (x | x << 8) & 0x00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f;
    x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
}

/* Directions that are near have numbers that are near: the side of a cube, and
 * a place on it. */
static uint32_t direction_key(vec3 d)
{
    double x = fabs(d.x);
    double y = fabs(d.y);
    double z = fabs(d.z);
    int axis = y >= x;
    if (z >= x && z >= y)
        axis = 2;
    double along = v3_get(d, axis);
    double u = v3_get(d, (axis + 1) % 3) / along;
    double v = v3_get(d, (axis + 2) % 3) / along;
    uint32_t column = u > -1 ? (uint32_t)((u + 1) * 255.5) : 0;
    uint32_t row = v > -1 ? (uint32_t)((v + 1) * 255.5) : 0;
    column = column < 511 ? column : 511;
    row = row < 511 ? row : 511;
    return (uint32_t)(2 * axis + (along < 0)) << 18 |
           morton_spread(column) << 1 | morton_spread(row);
}

/* Numbers of the rays, those of like directions together; else as they come.
 * `scratch`: 2 * count. */
static void rays_sort(const space_ray *rays, uint32_t count, uint64_t *scratch)
{
    uint64_t *from = scratch;
    uint64_t *to = scratch + count;
    for (uint32_t i = 0; i < count; i++)
        from[i] = (uint64_t)direction_key(rays[i].direction) << 32 | i;
    for (int shift = 32; shift < 32 + KEY_BITS;
         shift += DIGIT) { /* two digits: the result is where it began */
        uint32_t first[(1 << DIGIT) + 1] = {0};
        for (uint32_t i = 0; i < count; i++)
            first[(from[i] >> shift & ((1 << DIGIT) - 1)) + 1]++;
        for (uint32_t i = 1; i < 1 << DIGIT; i++)
            first[i] += first[i - 1];
        for (uint32_t i = 0; i < count; i++)
            to[first[from[i] >> shift & ((1 << DIGIT) - 1)]++] = from[i];
        uint64_t *other = from;
        from = to;
        to = other;
    }
}

typedef struct bundle { /* of eight */
    cast cast;
    gather gathers[CAST_LANES];
    space_hit *hits[CAST_LANES];
    uint32_t count;
} bundle;

/* Do they go about the same way, from one place? Then Embree may walk with all
 * of them at once. */
static bool bundle_is_coherent(const bundle *b)
{
    const gather *first = &b->gathers[0];
    for (uint32_t i = 1; i < b->count; i++) {
        const gather *g = &b->gathers[i];
        vec3 apart = v3_sub(g->ray->origin, first->ray->origin);
        if (v3_dot(g->unit, first->unit) < 0.995 || v3_dot(apart, apart) > 1e-4)
            return false;
    }
    return true;
}

/* The lanes of `mask` for Embree, moved aside when `side` >= 0. As cast_propose
 * for eight at once. Lanes that are not wanted get a negative tfar, which
 * Embree takes for done. Repeated while a mesh was built on the way
 * (embree_scene_built). */
static void bundle_propose(bundle *b, uint32_t mask, int side, bool coherent)
{
    struct RTCRayHit8 r;
    int valid[CAST_LANES] __attribute__((aligned(32)));
    for (uint32_t i = 0; i < CAST_LANES; i++) {
        valid[i] = mask >> i & 1 ? -1 : 0;
        gather *g = &b->gathers[valid[i] ? i : 0];
        vec3 origin = v3_add_scaled(g->ray->origin, g->unit, -START_EARLY);
        if (side >= 0)
            origin = v3_add(origin, cast_aside(g, side));
        if (valid[i])
            g->bound = g->far;
        r.ray.org_x[i] = (float)origin.x;
        r.ray.org_y[i] = (float)origin.y;
        r.ray.org_z[i] = (float)origin.z;
        r.ray.dir_x[i] = (float)g->unit.x;
        r.ray.dir_y[i] = (float)g->unit.y;
        r.ray.dir_z[i] = (float)g->unit.z;
        r.ray.tnear[i] = (float)g->near;
        r.ray.time[i] = 0;
        r.ray.mask[i] = UINT32_MAX;
        r.ray.id[i] = i;
        r.ray.flags[i] = 0;
    }
    query *q = &b->cast.query;
    do {
        for (uint32_t i = 0; i < CAST_LANES; i++) {
            const gather *g = &b->gathers[valid[i] ? i : 0];
            float far = g->bound < 1e30 ? (float)g->bound : INFINITY;
            r.ray.tfar[i] = valid[i] ? far : -1;
            r.hit.geomID[i] = r.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
        }
#if RTC_VERSION_MAJOR >= 4
        struct RTCIntersectArguments arguments;
        rtcInitRayQueryContext(&q->context);
        rtcInitIntersectArguments(&arguments);
        arguments.context = &q->context;
        arguments.flags = coherent ? RTC_RAY_QUERY_FLAG_COHERENT
                                   : RTC_RAY_QUERY_FLAG_INCOHERENT;
        rtcIntersect8(valid, embree_scene_scene(q->embree_scene), &r,
                      &arguments);
#else
        rtcInitIntersectContext(&q->context);
        q->context.flags = coherent ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT
                                    : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
        rtcIntersect8(valid, embree_scene_scene(q->embree_scene), &q->context,
                      &r);
#endif
    } while (embree_scene_built(q));
}

static uint32_t bundle_misses(const bundle *b)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < b->count; i++)
        mask |= (uint32_t)!b->gathers[i].found << i;
    return mask;
}

/* Casts what is in the bundle and empties it; returns how many met
 * something. */
static uint32_t bundle_flush(bundle *b)
{
    uint32_t found = 0;
    if (b->count == 0)
        return 0;
    embree_scene *st = b->cast.query.embree_scene;
    bool coherent = bundle_is_coherent(b);
    embree_scene_begin(st);
    bundle_propose(b, (1u << b->count) - 1, -1, coherent);
    uint32_t missed = bundle_misses(b);
    for (int side = 0; missed && side < 4; side++)
        bundle_propose(b, missed, side, coherent);
    embree_scene_end(st);
    for (uint32_t i = 0; i < b->count; i++) {
        if (!b->gathers[i].found)
            continue;
        cast_describe(&b->gathers[i],
                      b->cast.query.embree_scene->embree_shared->scene,
                      b->hits[i]);
        found++;
    }
    b->count = 0;
    return found;
}

/* Prefetches what is AHEAD in the sorted order, since that jumps through the
 * caller's arrays. Rays at one object alone go one by one: they need no tree of
 * the scene. */
static uint32_t cast_chunk(bundle *b,
                           const space_ray *rays,
                           uint32_t count,
                           const uint64_t *order,
                           space_hit *hits)
{
    embree_scene *st = b->cast.query.embree_scene;
    uint32_t found = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = order ? (uint32_t)order[k] : k;
        if (order && k + AHEAD < count) {
            const char *ray = (const char *)&rays[(uint32_t)order[k + AHEAD]];
            const char *hit = (const char *)&hits[(uint32_t)order[k + AHEAD]];
            __builtin_prefetch(ray);
            __builtin_prefetch(ray + 64);
            __builtin_prefetch(hit, 1);
            __builtin_prefetch(hit + 64, 1);
        }
        hits[i].object = SCENE_NONE;
        if (rays[i].only_object != SCENE_NONE) {
            found +=
                embree_scene_cast(st, &rays[i], b->cast.query.hidden, &hits[i]);
            continue;
        }
        if (!cast_begin(&b->gathers[b->count], st->embree_shared->scene,
                        &rays[i]))
            continue;
        b->hits[b->count++] = &hits[i];
        if (b->count == CAST_LANES)
            found += bundle_flush(b);
    }
    return found + bundle_flush(b);
}

/* Without memory for the order the rays go as they come: slower, the same
 * hits. */
uint32_t embree_scene_cast_many(embree_scene *st,
                                const space_ray *rays,
                                uint32_t count,
                                const bool *hidden,
                                space_hit *ret)
{
    bundle b = {.cast = {.query = {.embree_scene = st,
                                   .hidden = hidden,
                                   .part = SCENE_NONE,
                                   .entered = SCENE_NONE}}};
    b.cast.gathers = b.gathers;
    uint32_t found = 0;
    uint32_t least = count < CHUNK ? count : CHUNK;
    if (!embree_scene_ready(st)) {
        for (uint32_t i = 0; i < count; i++)
            ret[i].object = SCENE_NONE;
        return 0;
    }
    uint64_t *order = least > CAST_LANES
                          ? malloc(2 * (size_t)least * sizeof *order)
                          : NULL; /* without, as they come */
    for (uint32_t at = 0; at < count; at += CHUNK) {
        uint32_t here = count - at < CHUNK ? count - at : CHUNK;
        if (order)
            rays_sort(rays + at, here, order);
        found += cast_chunk(&b, rays + at, here, order, ret + at);
    }
    free(order);
    return found;
}
