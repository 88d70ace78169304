/* What stands where, as Embree casts at it (embree.h: tlas). */
#include "worker/space/embree.h"

#include <stdlib.h>
#include <string.h>

enum {
    RETIRED_MAX = 8
}; /* top-level trees that wait for the next move */

/* ---- where parts stand ---- Of a part in the world, grown by what Embree's
 * mesh is larger and by float's rounding, so that no exact hit lies outside. */
static void find_bounds(embree_scene *st, uint32_t part)
{
    const embree_shared *t = st->embree_shared;
    uint32_t mesh = t->scene->parts[part].mesh;
    const scene_mesh *m = &t->scene->meshes[mesh];
    /* Embree meshes are larger, and sharp ends reach farther out */
    double around = 8 * t->margin_local[mesh];
    vec3 low = v3(INFINITY, INFINITY, INFINITY);
    vec3 high = v3(-INFINITY, -INFINITY, -INFINITY);
    for (int i = 0; i < 8; i++) {
        vec3 p =
            affine_point(&st->proposed[part],
                         v3(i & 1 ? m->max.x + around : m->min.x - around,
                            i & 2 ? m->max.y + around : m->min.y - around,
                            i & 4 ? m->max.z + around : m->min.z - around));
        low = v3_min(low, p);
        high = v3_max(high, p);
    }
    float *lower = &st->bounds[part].lower_x;
    float *upper = &st->bounds[part].upper_x;
    for (int k = 0; k < 3; k++) {
        double a = v3_get(low, k);
        double b = v3_get(high, k);
        double spare = t->margin + 1e-6 * (fabs(a) + fabs(b));
        lower[k] = (float)(a - spare);
        upper[k] = (float)(b + spare);
    }
}

/* A ray from anywhere in a scene (worker/scene bounds that) might be beyond
 * embree_may_cast() in the part's own frame. */
static bool is_squeezed(const affine *to_local)
{
    double most = 0;
    for (int i = 0; i < 9; i++)
        most = math_max(fabs(to_local->m[i / 3][i % 3]), most);
    return !(most < 1e6);
}

/* `gone`: it has no volume even when thickened; no ray meets it. */
static void embree_scene_stand(embree_scene *st,
                               uint32_t part,
                               const affine *to_world)
{
    const scene_mesh *m =
        &st->embree_shared->scene
             ->meshes[st->embree_shared->scene->parts[part].mesh];
    double size = v3_length(v3_sub(m->max, m->min)) + v3_length(m->min);
    st->to_world[part] = *to_world;
    st->gone[part] = !embree_thicken(to_world, 1e-6 / (size > 0 ? size : 1),
                                     &st->proposed[part]) ||
                     !affine_inverse(&st->proposed[part], &st->to_local[part]);
    if (st->gone[part])
        return;
    find_bounds(st, part);
    st->aloof[part] = is_squeezed(&st->to_local[part]);
}

/* ---- top-level trees ---- */
static void tlas_free(tlas *t)
{
    while (t) {
        tlas *older = t->older;
        if (t->scene)
            rtcReleaseScene(t->scene);
        free(t->parts);
        free(t->direct);
        free(t);
        t = older;
    }
}

static void box_bounds(const struct RTCBoundsFunctionArguments *args)
{
    *args->bounds_o = *(const struct RTCBounds *)args->geometryUserPtr;
}

static void tlas_place(const embree_scene *st, const tlas *t, uint32_t part)
{
    if (t->direct[part]) {
        const affine *a = &st->proposed[part];
        float m[12];
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++)
                m[4 * i + k] = (float)a->m[i][k];
            m[4 * i + 3] = (float)v3_get(a->t, i);
        }
        rtcSetGeometryTransform(t->parts[part], 0,
                                RTC_FORMAT_FLOAT3X4_ROW_MAJOR, m);
    }
    rtcCommitGeometry(t->parts[part]);
}

static RTCGeometry instance_of(const embree_scene *st, const embree_mesh *p)
{
    RTCGeometry g =
        rtcNewGeometry(st->embree_shared->device, RTC_GEOMETRY_TYPE_INSTANCE);
    if (!g)
        return NULL;
    rtcSetGeometryInstancedScene(g, p->scene);
    rtcSetGeometryTimeStepCount(g, 1);
    return g;
}

/* A user geometry: Embree calls us when a ray comes to the box, and the mesh is
 * built then. */
static RTCGeometry box_of(embree_scene *st, uint32_t part)
{
    RTCGeometry g =
        rtcNewGeometry(st->embree_shared->device, RTC_GEOMETRY_TYPE_USER);
    if (!g)
        return NULL;
    rtcSetGeometryUserPrimitiveCount(g, 1);
    rtcSetGeometryUserData(g, &st->bounds[part]);
    rtcSetGeometryBoundsFunction(g, box_bounds, NULL);
    rtcSetGeometryIntersectFunction(g, cast_box);
    rtcSetGeometryOccludedFunction(g, shaded_box);
    return g;
}

static bool tlas_fill(embree_scene *st, tlas *t)
{
    const scene *s = st->embree_shared->scene;
    if (!t->parts || !t->direct || !t->scene)
        return false;
    rtcSetSceneFlags(t->scene, RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_DYNAMIC);
    for (uint32_t p = 0; p < s->part_count; p++) {
        if (st->gone[p])
            continue;
        const embree_mesh *mesh = residency_mesh(st, s->parts[p].mesh);
        t->direct[p] = mesh && mesh->scene && !st->aloof[p];
        t->parts[p] = t->direct[p] ? instance_of(st, mesh) : box_of(st, p);
        if (!t->parts[p])
            return false;
        tlas_place(st, t, p);
        rtcAttachGeometryByID(t->scene, t->parts[p], p);
        rtcReleaseGeometry(t->parts[p]);
    }
    return true;
}

/* Of what is built now; not committed. NULL: no memory. */
static tlas *tlas_new(embree_scene *st)
{
    tlas *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    size_t parts = (size_t)st->embree_shared->scene->part_count + 1;
    t->parts = calloc(parts, sizeof(RTCGeometry));
    t->direct = calloc(parts, sizeof(bool));
    t->scene = rtcNewScene(st->embree_shared->device);
    if (tlas_fill(st, t))
        return t;
    tlas_free(t);
    return NULL;
}

static bool tlas_commit(const embree_scene *st, const tlas *t)
{
    rtcCommitScene(t->scene);
    return rtcGetDeviceError(st->embree_shared->device) !=
           RTC_ERROR_OUT_OF_MEMORY;
}

/* ---- life ---- */
void embree_scene_free(embree_scene *st)
{
    if (!st)
        return;
    tlas_free(atomic_load(&st->tlas));
    residency_free(st);
    free(st->to_world);
    free(st->to_local);
    free(st->proposed);
    free(st->bounds);
    free(st->gone);
    free(st->aloof);
    pthread_mutex_destroy(&st->lock);
    pthread_rwlock_destroy(&st->trim_lock);
    free(st);
}

/* Who lets meshes go is let in before further questions, else many threads that
 * ask would keep it out for good. Questions are never asked one within another,
 * so that is no deadlock. */
static void residency_gate_init(pthread_rwlock_t *trim_lock)
{
    pthread_rwlockattr_t writers_first;
    pthread_rwlockattr_init(&writers_first);
    pthread_rwlockattr_setkind_np(&writers_first,
                                  PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(trim_lock, &writers_first);
    pthread_rwlockattr_destroy(&writers_first);
}

/* False: out of memory. */
static bool embree_scene_alloc(embree_scene *st, size_t parts)
{
    st->to_world = malloc(parts * sizeof(affine));
    st->to_local = malloc(parts * sizeof(affine));
    st->proposed = malloc(parts * sizeof(affine));
    st->bounds = calloc(parts, sizeof(struct RTCBounds));
    st->gone = calloc(parts, sizeof(bool));
    st->aloof = calloc(parts, sizeof(bool));
    bool has_maps = st->to_world && st->proposed && st->to_local;
    bool has_marks = st->gone && st->aloof;
    return has_maps && st->bounds && has_marks && residency_new(st);
}

/* Everything begins as boxes; meshes are built where rays come. */
etna_code embree_scene_new(embree_shared *t,
                           embree_scene **ret,
                           etna_error *err)
{
    const scene *s = t->scene;
    size_t parts = (size_t)s->part_count + 1;
    embree_scene *st = calloc(1, sizeof *st);
    if (!st)
        return etna_fail(err, ETNA_E_NOMEM, "space: no memory");
    pthread_mutex_init(&st->lock, NULL);
    residency_gate_init(&st->trim_lock);
    st->embree_shared = t;
    if (!embree_scene_alloc(st, parts)) {
        embree_scene_free(st);
        return etna_fail(err, ETNA_E_NOMEM, "space: no memory for %u parts",
                         s->part_count);
    }
    for (uint32_t p = 0; p < s->part_count; p++)
        embree_scene_stand(st, p, &s->parts[p].to_world);
    tlas *first = tlas_new(st);
    atomic_store(&st->tlas, first);
    st->dirty = true;
    if (!first) {
        embree_scene_free(st);
        return etna_fail(err, ETNA_E_NOMEM,
                         "space: no memory to trace rays at %u parts",
                         s->part_count);
    }
    *ret = st;
    return ETNA_OK;
}

/* Not while anybody casts in this space: that is the callers' contract. */
void embree_scene_move(embree_scene *st,
                       uint32_t object,
                       const affine *motion,
                       bool moved)
{
    const scene_object *o = &st->embree_shared->scene->objects[object];
    tlas *t = atomic_load_explicit(&st->tlas, memory_order_relaxed);
    tlas_free(t->older); /* nobody casts while things are moved */
    t->older = NULL;
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++) {
        const affine *base = &st->embree_shared->scene->parts[p].to_world;
        affine now = moved ? affine_mul(motion, base) : *base;
        embree_scene_stand(st, p, &now);
        if (t->parts[p]) {
            tlas_place(st, t, p);
            st->dirty = true;
        }
    }
}

bool embree_scene_ready(embree_scene *st)
{
    embree_scene_begin(st);
    bool ready = embree_scene_ready_within(st);
    embree_scene_end(st);
    return ready;
}

/* Moves are committed when the next question comes, once for many moves. When
 * many detours by boxes were counted, the tree is made anew with instances
 * first. */
bool embree_scene_ready_within(embree_scene *st)
{
    if (!atomic_load_explicit(&st->dirty, memory_order_acquire))
        return true;
    pthread_mutex_lock(&st->lock);
    if (atomic_load_explicit(&st->dirty, memory_order_relaxed)) {
        tlas *now = atomic_load_explicit(&st->tlas, memory_order_relaxed);
        bool better =
            atomic_exchange_explicit(&st->detours, 0, memory_order_relaxed) > 0;
        /* nobody has cast at this one since the move */
        tlas *next = better ? tlas_new(st) : NULL;
        bool done = tlas_commit(st, next ? next : now);
        if (next) {
            tlas_free(now);
            atomic_store_explicit(&st->tlas, next, memory_order_release);
        }
        atomic_store_explicit(&st->dirty, !done, memory_order_release);
    }
    bool ready = !atomic_load_explicit(&st->dirty, memory_order_relaxed);
    pthread_mutex_unlock(&st->lock);
    return ready;
}

bool embree_scene_rebuild(embree_scene *st)
{
    pthread_mutex_lock(&st->lock);
    tlas *next = tlas_new(st);
    bool done = next && tlas_commit(st, next);
    if (done) {
        tlas_free(atomic_load_explicit(&st->tlas, memory_order_relaxed));
        atomic_store_explicit(&st->tlas, next, memory_order_release);
        atomic_store_explicit(&st->detours, 0, memory_order_relaxed);
        atomic_store_explicit(&st->dirty, false, memory_order_release);
    } else {
        tlas_free(next);
    }
    pthread_mutex_unlock(&st->lock);
    return done;
}

/* ---- entering ---- */
/* What is cast at from now on has instances for all that is built. The old
 * top-level tree stays for those who are casting at it. */
static void embree_scene_renew(embree_scene *st)
{
    pthread_mutex_lock(&st->lock);
    tlas *now = atomic_load_explicit(&st->tlas, memory_order_relaxed);
    uint32_t retired = 0;
    for (const tlas *t = now->older; t; t = t->older)
        retired++;
    if (atomic_exchange_explicit(&st->detours, 0, memory_order_relaxed) > 0 &&
        retired < RETIRED_MAX) {
        tlas *next = tlas_new(st);
        if (next && tlas_commit(st, next)) {
            next->older = now;
            atomic_store_explicit(&st->tlas, next, memory_order_release);
        } else {
            tlas_free(next);
        }
    }
    pthread_mutex_unlock(&st->lock);
}

/* Metres along the ray to the box; for choosing only. */
static double distance_to(const struct RTCBounds *box,
                          vec3 origin,
                          vec3 direction)
{
    const float *lower = &box->lower_x;
    const float *upper = &box->upper_x;
    double at = 0;
    for (int k = 0; k < 3; k++) {
        double d = v3_get(direction, k);
        double from = v3_get(origin, k);
        if (d == 0)
            continue;
        double side = ((double)(d > 0 ? lower[k] : upper[k]) - from) / d;
        at = math_max(side, at);
    }
    return at;
}

/* Called by Embree for a box: the mesh if it is there, else NULL, and the
 * nearest such box is noted for embree_scene_built. */
embree_mesh *embree_scene_enter(
    query *q, uint32_t part, vec3 origin, vec3 direction, double *bound)
{
    embree_scene *st = q->embree_scene;
    embree_mesh *p =
        residency_pin(st, st->embree_shared->scene->parts[part].mesh);
    if (p) {
        if (p->scene && !st->aloof[part])
            atomic_fetch_add_explicit(&st->detours, 1, memory_order_relaxed);
        return p;
    }
    double at = distance_to(&st->bounds[part], origin, direction);
    if (q->entered == SCENE_NONE || at < q->entered_at) {
        q->entered = part;
        q->entered_at = at;
        q->entered_bound = bound;
    }
    return NULL;
}

/* True: cast again. One mesh at a time, the nearest: what is behind it may
 * never be asked for. */
bool embree_scene_built(query *q)
{
    embree_scene *st = q->embree_scene;
    bool again = q->entered != SCENE_NONE;
    /* What was met since is before that box: cast anew without building, and
     * see whether a box is still in the way. */
    q->doubted = again && !q->doubted && q->entered_at > *q->entered_bound;
    if (again && !q->doubted)
        (void)residency_build(st,
                              st->embree_shared->scene->parts[q->entered].mesh);
    q->entered = SCENE_NONE;
    /* A detour costs a tenth of a microsecond, a part of a new top-level tree
     * half of one. */
    if (atomic_load_explicit(&st->detours, memory_order_relaxed) >
        1024 + 8 * st->embree_shared->scene->part_count)
        embree_scene_renew(st);
    return again;
}
