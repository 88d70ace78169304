/* Between the files that cast: tracer.c (what is shared), proposal.c (what Embree is given), stage.c (what stands
 * where), cast.c (one ray), batch.c (many), shaded.c (light). Only these include Embree. */
#ifndef ETNA_WORKER_SPACE_TRACER_H
#define ETNA_WORKER_SPACE_TRACER_H

#include "worker/space/own.h"

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

typedef struct proposal { /* a mesh as Embree sees it */
    RTCScene scene;       /* NULL: memory ended when it was built, so every triangle is tried instead */
    uint32_t *triangle;   /* per Embree primitive: the true one */
    uint32_t place_count;
    uint32_t *welded;          /* per vertex: the number of its place */
    uint32_t *fan_first, *fan; /* triangles around a place: fan[fan_first[p] .. fan_first[p+1]) */
    size_t bytes;              /* about; 0: no memory, see scene */
    uint32_t holders;          /* stages, where meshes are bounded (hold.c); under the tracer's room lock */
    atomic_uint used;          /* the tracer's clock then */
    struct proposal *next;     /* on its way out */
} proposal;

/* `margin`: how much larger than the true ones the triangles are, in the mesh's units. NULL when memory is at its end.
 */
proposal *proposal_build(RTCDevice device, const scene_mesh *mesh, double margin);
void proposal_free(proposal *p);

size_t proposal_bytes(const scene_mesh *mesh); /* what one will take, about (hold.c) */

/* ---- tracer.c ---- */
struct tracer {
    const scene *scene;
    RTCDevice device;
    double margin;                  /* metres by which proposals are larger */
    double *margin_local;           /* per mesh, in its own units */
    _Atomic(proposal *) *proposals; /* per mesh; NULL until a ray enters its box */
    atomic_uint built;
    pthread_mutex_t locks[SPACE_LOCKS];
    size_t most;  /* bytes of proposals, about */
    bool bounded; /* all at once would be more: then stages hold what they use, and the rest may go (hold.c) */
    atomic_size_t bytes, since; /* of what there is; built since the clock went on */
    atomic_uint clock;
    pthread_mutex_t room; /* of who holds what; never while waiting for `locks` */
};
/* The mesh's proposal; NULL while it has none. */
static inline proposal *tracer_look(tracer *t, uint32_t mesh)
{
    return atomic_load_explicit(&t->proposals[mesh], memory_order_acquire);
}
/* The same, built now when it was not. Never NULL: see proposal.scene. Any thread. */
proposal *tracer_proposal(tracer *t, uint32_t mesh); /* not where meshes are bounded */
proposal *tracer_build(tracer *t, uint32_t mesh);    /* under the mesh's lock; not published */
/* Gives a part that is scaled flat a little height; false when it is a line or a point. */
bool tracer_thicken(const affine *a, double height, affine *ret);

/* ---- stage.c ---- */
/* What Embree casts at: per part an instance of its mesh, or the part's box while no ray has come into it. Never
 * changed while threads may cast: when meshes have been built a new one takes its place, and the old one goes at the
 * next move. */
typedef struct top {
    RTCScene scene;
    RTCGeometry *parts; /* owned by the scene; NULL: a line or a point, never met */
    bool *direct;       /* per part: an instance, not a box */
    struct top *older;
} top;

struct stage {
    tracer *tracer;
    _Atomic(top *) top;
    affine *to_world;         /* per part, where it stands */
    affine *proposed;         /* the same for Embree, which cannot do with a flat part */
    affine *to_local;         /* its inverse; to cast at one object alone */
    struct RTCBounds *bounds; /* of the proposals, in the world */
    bool *gone;               /* per part: a line or a point, never met */
    atomic_bool dirty;        /* not committed yet: the first ray does it, whichever thread casts it */
    atomic_uint detours;      /* how often a box was entered whose mesh is there by now */
    pthread_mutex_t lock;     /* of making and committing a top */
    /* ---- where meshes are bounded (hold.c) ---- */
    atomic_bool *held;      /* per mesh: its proposal stays while a ray may be in it; NULL: not bounded */
    atomic_size_t patience; /* bytes of all above which some are let go */
    pthread_rwlock_t gate;  /* for reading while a question is under way, for writing while some are let go */
};

typedef struct query { /* what every question begins with: Embree hands the context back to the callbacks */
    ray_context context;
    stage *stage;
    const bool *hidden; /* per object, or NULL */
    uint32_t part;      /* the part when cast at one mesh alone, in its frame; else SCENE_NONE */
    uint32_t entered;   /* the part of the nearest box entered whose mesh has no proposal yet, or SCENE_NONE */
    double entered_at;
    double *entered_bound; /* how far the ray that did so goes on */
    bool doubted;          /* the last round of casting built nothing */
} query;
static inline RTCScene stage_scene(stage *st) { return atomic_load_explicit(&st->top, memory_order_acquire)->scene; }
/* A ray came to a part's box; `bound`: how far it goes on, and that may shrink. Its mesh's proposal; NULL when there is
 * none, and then the query remembers it. */
proposal *stage_enter(query *q, uint32_t part, vec3 origin, vec3 direction, double *bound);
/* After Embree's traversal: builds what was entered. True when it has to be cast again. */
bool stage_built(query *q);

bool stage_ready_within(stage *st); /* stage_ready where a question has begun */
bool stage_rebuild(stage *st); /* a new top of what is held now, and no older ones; nobody casts. False: no memory */

/* ---- hold.c ---- */
bool stage_hold_new(stage *st); /* false: no memory */
void stage_hold_free(stage *st);
proposal *stage_held(const stage *st, uint32_t mesh); /* what this stage may cast at now, or NULL */
proposal *stage_look(stage *st, uint32_t mesh);       /* the same, held from now on when it is there */
proposal *stage_proposal(stage *st, uint32_t mesh);   /* the same, built when it is not. Never NULL */
void stage_begin_held(stage *st);
/* Around each question, never one within another: what is held meanwhile stays. */
static inline void stage_begin(stage *st)
{
    if (st->held) stage_begin_held(st);
}
static inline void stage_end(stage *st)
{
    if (st->held) pthread_rwlock_unlock(&st->gate);
}
/* Of a part that a ray has met, so it is there and held. */
static inline proposal *stage_met(stage *st, uint32_t mesh)
{
    proposal *p = tracer_look(st->tracer, mesh);
    if (st->held && p->bytes) { /* mostly read: threads share the line */
        unsigned now = atomic_load_explicit(&st->tracer->clock, memory_order_relaxed);
        if (atomic_load_explicit(&p->used, memory_order_relaxed) != now)
            atomic_store_explicit(&p->used, now, memory_order_relaxed);
    }
    return p;
}

/* ---- callbacks ---- */
void cast_filter(const struct RTCFilterFunctionNArguments *args); /* cast.c */
void cast_box(const struct RTCIntersectFunctionNArguments *args);
void shaded_filter(const struct RTCFilterFunctionNArguments *args); /* shaded.c */
void shaded_box(const struct RTCOccludedFunctionNArguments *args);

/* ---- cast.c ---- */
#define START_EARLY 1e-3
#define SIDE_STEP 1e-5
enum { CAST_LANES = 8 };

typedef struct fans { /* whose triangles one cast has tried: at a pole every proposal leads to the same hundred */
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

typedef struct cast { /* up to CAST_LANES rays; a ray's id is its number in `gathers` */
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
