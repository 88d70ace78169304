/* Between the files that cast: embree_shared.c (what is shared), embree_mesh.c
 * (what Embree is given), embree_scene.c (what stands where), ray.c (one ray),
 * batch.c (many), occlusion.c (light). Only these include Embree. */
#ifndef ETNA_WORKER_SPACE_EMBREE_H
#define ETNA_WORKER_SPACE_EMBREE_H

#include "worker/space/space_internal.h"

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

#if RTC_VERSION_MAJOR >= 4
typedef struct RTCRayQueryContext ray_context;
#else
typedef struct RTCIntersectContext ray_context;
#endif

typedef struct embree_mesh { /* a mesh as Embree sees it */
    /* NULL: memory ended when it was built, so every triangle is tried
     * instead */
    RTCScene scene;
    uint32_t *triangle; /* per Embree primitive: the true one */
    uint32_t place_count;
    uint32_t *welded; /* per vertex: the number of its place */
    /* triangles around a place: fan[fan_first[p] .. fan_first[p+1]) */
    uint32_t *fan_first, *fan;
    size_t bytes; /* about; 0: no memory, see scene */
    /* Embree scenes, where meshes are bounded (embree_residency.c); under the
     * residency lock */
    uint32_t pins;
    atomic_uint used;         /* the shared part's clock then */
    struct embree_mesh *next; /* on its way out */
} embree_mesh;

/* `margin`: how much larger than the true ones the triangles are, in the mesh's
 * units. NULL when memory is at its end. */
embree_mesh *embree_mesh_build(RTCDevice device,
                               const scene_mesh *mesh,
                               double margin);
void embree_mesh_free(embree_mesh *p);

/* What one will take, about (embree_residency.c). */
size_t embree_mesh_bytes(const scene_mesh *mesh);

/* ---- embree_shared.c ---- */
struct embree_shared {
    const scene *scene;
    RTCDevice device;
    /* metres by which Embree meshes are larger */
    double margin;
    double *margin_local; /* per mesh, in its own units */
    /* per mesh; NULL until a ray enters its box */
    _Atomic(embree_mesh *) *meshes;
    atomic_uint built;
    pthread_mutex_t locks[SPACE_LOCKS];
    size_t most; /* bytes of Embree meshes, about */
    /* all at once would be more: then Embree scenes hold what they use, and the
     * rest may go (embree_residency.c) */
    bool bounded;
    /* of what there is; built since the clock went on */
    atomic_size_t bytes, since;
    atomic_uint clock;
    /* of who holds what; never while waiting for `locks` */
    pthread_mutex_t residency_lock;
};
/* The Embree mesh; NULL while it has none. */
static inline embree_mesh *embree_shared_mesh(embree_shared *t, uint32_t mesh)
{
    return atomic_load_explicit(&t->meshes[mesh], memory_order_acquire);
}
/* The same, built now when it was not. Never NULL: see embree_mesh.scene. Any
 * thread. Not where meshes are bounded. */
embree_mesh *embree_shared_mesh_make(embree_shared *t, uint32_t mesh);
/* Under the mesh's lock; not published. */
embree_mesh *embree_shared_build(embree_shared *t, uint32_t mesh);
/* Gives a part that is scaled flat a little height; false when it is a line or
 * a point. */
bool embree_thicken(const affine *a, double height, affine *ret);

/* ---- embree_scene.c ---- */
/* What Embree casts at: per part an instance of its mesh, or the part's box
 * while no ray has come into it. Never changed while threads may cast: when
 * meshes have been built a new one takes its place, and the old one goes at the
 * next move. */
typedef struct tlas {
    RTCScene scene;
    /* owned by the scene; NULL: a line or a point, never met */
    RTCGeometry *parts;
    bool *direct; /* per part: an instance, not a box */
    struct tlas *older;
} tlas;

struct embree_scene {
    embree_shared *embree_shared;
    _Atomic(tlas *) tlas;
    affine *to_world; /* per part, where it stands */
    /* the same for Embree, which cannot do with a flat part */
    affine *proposed;
    affine *to_local;         /* its inverse; to cast at one object alone */
    struct RTCBounds *bounds; /* of the Embree meshes, in the world */
    bool *gone;               /* per part: a line or a point, never met */
    /* per part: squeezed so much that a ray may be beyond Embree's bounds in
     * its frame: it stays a box, and each ray is looked at */
    bool *aloof;
    /* not committed yet: the first ray does it, whichever thread casts it */
    atomic_bool dirty;
    /* how often a box was entered whose mesh is there by now */
    atomic_uint detours;
    pthread_mutex_t lock; /* of making and committing a top-level tree */
    /* ---- where meshes are bounded (embree_residency.c) ---- */
    /* per mesh: its Embree mesh stays while a ray may be in it; NULL: not
     * bounded */
    atomic_bool *resident;
    atomic_size_t trim_above; /* bytes of all above which some are let go */
    /* for reading while a question is under way, for writing while some are let
     * go */
    pthread_rwlock_t trim_lock;
};

/* what every question begins with: Embree hands the context back to the
 * callbacks */
typedef struct query {
    ray_context context;
    embree_scene *embree_scene;
    const bool *hidden; /* per object, or NULL */
    /* the part when cast at one mesh alone, in its frame; else SCENE_NONE */
    uint32_t part;
    /* the part of the nearest box entered whose mesh has no Embree mesh yet, or
     * SCENE_NONE */
    uint32_t entered;
    double entered_at;
    double *entered_bound; /* how far the ray that did so goes on */
    bool doubted;          /* the last round of casting built nothing */
} query;
static inline RTCScene embree_scene_scene(embree_scene *st)
{
    return atomic_load_explicit(&st->tlas, memory_order_acquire)->scene;
}
/* A ray came to a part's box; `bound`: how far it goes on, and that may shrink.
 * Its Embree mesh; NULL when there is none, and then the query remembers it. */
embree_mesh *embree_scene_enter(
    query *q, uint32_t part, vec3 origin, vec3 direction, double *bound);
/* After Embree's traversal: builds what was entered. True when it has to be
 * cast again. */
bool embree_scene_built(query *q);

/* As embree_scene_ready, where a question has begun. */
bool embree_scene_ready_within(embree_scene *st);
/* a new top-level tree of what is pinned now, and no older ones; nobody casts.
 * False: no memory */
bool embree_scene_rebuild(embree_scene *st);

/* ---- embree_residency.c ---- */
bool residency_new(embree_scene *st); /* false: no memory */
void residency_free(embree_scene *st);
/* What this Embree scene may cast at now, or NULL. */
embree_mesh *residency_mesh(const embree_scene *st, uint32_t mesh);
/* The same, pinned from now on when it is there. */
embree_mesh *residency_pin(embree_scene *st, uint32_t mesh);
/* The same, built when it is not. Never NULL. */
embree_mesh *residency_build(embree_scene *st, uint32_t mesh);
void residency_begin(embree_scene *st);
/* Around each question, never one within another: what is pinned meanwhile
 * stays. */
static inline void embree_scene_begin(embree_scene *st)
{
    if (st->resident)
        residency_begin(st);
}
static inline void embree_scene_end(embree_scene *st)
{
    if (st->resident)
        pthread_rwlock_unlock(&st->trim_lock);
}
/* Of a part that a ray has met, so it is there and pinned. */
static inline embree_mesh *embree_scene_met(embree_scene *st, uint32_t mesh)
{
    embree_mesh *p = embree_shared_mesh(st->embree_shared, mesh);
    if (st->resident && p->bytes) { /* mostly read: threads share the line */
        unsigned now = atomic_load_explicit(&st->embree_shared->clock,
                                            memory_order_relaxed);
        if (atomic_load_explicit(&p->used, memory_order_relaxed) != now)
            atomic_store_explicit(&p->used, now, memory_order_relaxed);
    }
    return p;
}

/* Embree's own bound (FLT_LARGE): its builds with assertions end the process at
 * a ray beyond. */
static inline bool embree_may_cast(vec3 origin, vec3 direction)
{
    const double most = 1e18 * 1e18;
    return v3_dot(origin, origin) < most && v3_dot(direction, direction) < most;
}

/* ---- callbacks ---- */
void cast_filter(const struct RTCFilterFunctionNArguments *args); /* ray.c */
void cast_box(const struct RTCIntersectFunctionNArguments *args);
/* occlusion.c */
void shaded_filter(const struct RTCFilterFunctionNArguments *args);
void shaded_box(const struct RTCOccludedFunctionNArguments *args);

/* ---- ray.c ---- */
#define START_EARLY 1e-3
#define SIDE_STEP 1e-5
enum {
    CAST_LANES = 8
};

/* whose triangles one cast has tried: at a pole every proposal leads to the
 * same hundred */
typedef struct fans {
    uint32_t count;
    struct {
        uint32_t part, place;
    } tried[48];
} fans;

typedef struct gather { /* one ray's candidates */
    const space_ray *ray;
    ray_shear shear;
    vec3 unit;        /* its direction */
    double length;    /* of the direction */
    double near, far; /* metric, from Embree's origin */
    double bound;     /* the same: how far traversal goes on */
    bool found;
    double t;
    uint32_t hit_part, hit_triangle;
    vec3 hit_normal; /* not unit */
    fans fans;
} gather;

/* up to CAST_LANES rays; a ray's id is its number in `gathers` */
typedef struct cast {
    query query;
    gather *gathers;
} cast;
/* False when the ray cannot meet anything. */
bool cast_begin(gather *g, const scene *s, const space_ray *ray);
/* Where a missed ray is moved to for Embree: i of 0..3. */
vec3 cast_aside(const gather *g, int i);
void cast_describe(const gather *g, const scene *s, space_hit *ret);

static inline vec3 mesh_vertex(const scene_mesh *m, uint32_t i)
{
    const float *p = m->position + 3 * (size_t)i;
    return v3(p[0], p[1], p[2]);
}

#endif
