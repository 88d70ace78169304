/* Rays. Embree proposes, we dispose.
 *
 * What Embree answers depends on the vector width and on how its builder was compiled; near an edge one machine hits
 * where another passes. So Embree only traverses: a filter sees every triangle it proposes, recomputes it in double by
 * the fixed test of triangle.c, and keeps the nearest exact hit, ties to the lower (object, part, triangle). For this
 * to be the same everywhere the proposals must include every exact hit that could win:
 *
 *   - The triangles given to Embree are a little larger than the true ones: every edge is moved outward in its plane by
 * more than a float's rounding can shift a ray (or hit), sharp ends are cut off, and an open edge
 * carries a narrow fin across it, for rays that graze the surface (proposal.c). A hit inside the true triangle is well
 * inside the proposed one. A proposal that the exact test refuses is passed through.
 *   - Traversal goes on max(1e-4 m, 1e-4 of the distance) behind the nearest exact hit.
 *   - Near an edge, where the surface is grazed, and where the exact test refused, all triangles that share a vertex
 * are tried too: what is seen edge-on may have been proposed in its neighbour's place only.
 *   - A miss is repeated with the proposing ray moved by 1e-5 m to four sides; the exact ray stays the true one.
 *   - Embree's ray starts 1 mm early, so that t_min is the exact test's decision.
 *
 * Distances here are metres along the unit direction ("metric"); the caller's t is in units of |direction|. */
#include "worker/space/tracer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if RTC_VERSION_MAJOR >= 4
typedef struct RTCRayQueryContext ray_context;
#else
typedef struct RTCIntersectContext ray_context;
#endif

#define START_EARLY 1e-3
#define SIDE_STEP 1e-5

struct tracer {
    const scene *scene;
    RTCDevice device;
    double margin;        /* metres by which proposals are larger */
    double *margin_local; /* per mesh, in its own units */
    _Atomic(proposal *) *proposals;
    pthread_mutex_t locks[SPACE_LOCKS];
};

struct stage {
    tracer *tracer;
    RTCScene scene; /* NULL until the first cast */
    RTCGeometry *instances;
    proposal **proposals; /* per part */
    affine *to_world;     /* per part, where it stands */
    affine *proposed;     /* the same for Embree, which cannot do with a flat part */
    affine *to_local;     /* its inverse; to cast at one object alone */
    bool *gone;           /* per part: a line or a point, never met */
    atomic_bool dirty;    /* not committed yet: the first ray does it, whichever thread casts it */
    pthread_mutex_t lock; /* of that */
};

typedef struct fans { /* whose triangles one cast has tried: at a pole every proposal leads to the same hundred */
    uint32_t count;
    struct {
        uint32_t part, place;
    } tried[48];
} fans;

typedef struct gather { /* one cast; Embree hands the context back to the filter */
    ray_context context;
    const stage *stage;
    const space_ray *ray;
    const bool *hidden; /* per object, or NULL */
    ray_shear shear;
    double length; /* of the direction */
    double bound;  /* metric, from Embree's origin: how far traversal goes on */
    uint32_t part; /* the part when cast at one mesh alone, else SCENE_NONE */
    fans *fans;
    bool found;
    double t;
    uint32_t hit_part, hit_triangle;
} gather;

static void filter(const struct RTCFilterFunctionNArguments *args);

static proposal *tracer_proposal(tracer *t, uint32_t mesh)
{
    proposal *p = atomic_load_explicit(&t->proposals[mesh], memory_order_acquire);
    if (p) return p;
    pthread_mutex_lock(&t->locks[mesh % SPACE_LOCKS]);
    p = atomic_load_explicit(&t->proposals[mesh], memory_order_acquire);
    if (!p) {
        p = proposal_build(t->device, &t->scene->meshes[mesh], t->margin_local[mesh], filter);
        atomic_store_explicit(&t->proposals[mesh], p, memory_order_release);
    }
    pthread_mutex_unlock(&t->locks[mesh % SPACE_LOCKS]);
    return p;
}

/* ---- flat parts ---- */
/* A part scaled to nothing along one direction is a real thing in real files (a carpet as a flattened box), but Embree
 * needs an inverse. So its lost direction gets a little height: `height` metres per unit along the plane's normal.
 * False when the part is a line or a point. A part that is not flat is left as it is. */
static bool thicken(const affine *a, double height, affine *ret)
{
    affine inverse;
    vec3 column[3], row[3], normal = {0, 0, 0}, lost = {0, 0, 0};
    *ret = *a;
    for (int i = 0; i < 3; i++) {
        column[i] = v3(a->m[0][i], a->m[1][i], a->m[2][i]);
        row[i] = v3(a->m[i][0], a->m[i][1], a->m[i][2]);
    }
    /* Against the columns' lengths, because a flat part turned by a yaw has a determinant of rounding. */
    double volume = v3_length(column[0]) * v3_length(column[1]) * v3_length(column[2]);
    if (fabs(affine_det(a)) > 1e-9 * volume && affine_inverse(a, &inverse)) return true;
    for (int i = 0; i < 3; i++) {
        vec3 c = v3_cross(column[i], column[(i + 1) % 3]), r = v3_cross(row[i], row[(i + 1) % 3]);
        normal = v3_dot(c, c) > v3_dot(normal, normal) ? c : normal;
        lost = v3_dot(r, r) > v3_dot(lost, lost) ? r : lost;
    }
    if (height <= 0) /* as much as the others have */
        height = sqrt(v3_length(normal));
    normal = v3_scale(v3_normal(normal), height);
    lost = v3_normal(lost);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) ret->m[i][k] += v3_get(normal, i) * v3_get(lost, k);
    return affine_inverse(ret, &inverse);
}

/* ---- tracer ---- */
/* How far rounding to float can move a ray against a triangle: a few units in the last place of the largest coordinate.
 */
static void find_margins(tracer *t)
{
    const scene *s = t->scene;
    double reach = 1;
    for (int axis = 0; axis < 3; axis++) {
        reach = fabs(v3_get(s->min, axis)) > reach ? fabs(v3_get(s->min, axis)) : reach;
        reach = fabs(v3_get(s->max, axis)) > reach ? fabs(v3_get(s->max, axis)) : reach;
    }
    t->margin = 2e-5 > 4e-6 * reach ? 2e-5 : 4e-6 * reach;
    for (uint32_t m = 0; m < s->mesh_count; m++) t->margin_local[m] = 0;
    for (uint32_t p = 0; p < s->part_count; p++) {
        const scene_part *part = &s->parts[p];
        const scene_mesh *m = &s->meshes[part->mesh];
        affine whole, inverse;
        if (!thicken(&part->to_world, 0, &whole) || !affine_inverse(&whole, &inverse)) continue;
        double sum = 0, size = 0;
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) sum += inverse.m[i][k] * inverse.m[i][k];
            size = fabs(v3_get(m->min, i)) > size ? fabs(v3_get(m->min, i)) : size;
            size = fabs(v3_get(m->max, i)) > size ? fabs(v3_get(m->max, i)) : size;
        }
        double local = sqrt(sum) * t->margin + 4e-6 * size;
        local = local < size ? local : size; /* squeezed a millionfold: as large as itself is large enough */
        t->margin_local[part->mesh] = local > t->margin_local[part->mesh] ? local : t->margin_local[part->mesh];
    }
}

etna_code tracer_new(const scene *s, const char *config, tracer **ret, etna_error *err)
{
    char text[128];
    /* One thread: our own pool is the parallelism, and a library's hidden threads would outlive forks and limits. */
    snprintf(text, sizeof text, "threads=1%s%s", config ? "," : "", config ? config : "");
    tracer *t = calloc(1, sizeof *t);
    if (!t) return etna_fail(err, ETNA_E_NOMEM, "space: no memory");
    for (int i = 0; i < SPACE_LOCKS; i++) pthread_mutex_init(&t->locks[i], NULL);
    t->scene = s;
    t->margin_local = calloc((size_t)s->mesh_count + 1, sizeof *t->margin_local);
    t->proposals = calloc((size_t)s->mesh_count + 1, sizeof *t->proposals);
    t->device = rtcNewDevice(text);
    if (!t->margin_local || !t->proposals || !t->device) {
        enum RTCError why = t->device ? RTC_ERROR_OUT_OF_MEMORY : rtcGetDeviceError(NULL);
        tracer_free(t);
        return etna_fail(err, why == RTC_ERROR_OUT_OF_MEMORY ? ETNA_E_NOMEM : ETNA_E_INTERNAL,
                         "space: Embree gives no device for \"%s\" (error %d)", text, (int)why);
    }
    find_margins(t);
    *ret = t;
    return ETNA_OK;
}

void tracer_free(tracer *t)
{
    if (!t) return;
    for (uint32_t m = 0; t->proposals && m < t->scene->mesh_count; m++) proposal_free(atomic_load(&t->proposals[m]));
    if (t->device) rtcReleaseDevice(t->device);
    for (int i = 0; i < SPACE_LOCKS; i++) pthread_mutex_destroy(&t->locks[i]);
    free(t->margin_local);
    free(t->proposals);
    free(t);
}

/* ---- stage ---- */
static void stand_at(stage *st, uint32_t part, const affine *to_world)
{
    const scene_mesh *m = &st->tracer->scene->meshes[st->tracer->scene->parts[part].mesh];
    double size = v3_length(v3_sub(m->max, m->min)) + v3_length(m->min);
    st->to_world[part] = *to_world;
    st->gone[part] = !thicken(to_world, 1e-6 / (size > 0 ? size : 1), &st->proposed[part]) ||
                     !affine_inverse(&st->proposed[part], &st->to_local[part]);
}

void stage_free(stage *st)
{
    if (!st) return;
    if (st->scene) rtcReleaseScene(st->scene);
    free(st->instances); /* owned by the scene */
    free(st->proposals);
    free(st->to_world);
    free(st->to_local);
    free(st->proposed);
    free(st->gone);
    pthread_mutex_destroy(&st->lock);
    free(st);
}

static void place(stage *st, uint32_t part)
{
    const affine *a = &st->proposed[part];
    float m[12];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) m[4 * i + k] = (float)a->m[i][k];
        m[4 * i + 3] = (float)v3_get(a->t, i);
    }
    rtcSetGeometryTransform(st->instances[part], 0, RTC_FORMAT_FLOAT3X4_ROW_MAJOR, m);
    rtcCommitGeometry(st->instances[part]);
}

void stage_move(stage *st, uint32_t object, const affine *motion, bool moved)
{
    const scene_object *o = &st->tracer->scene->objects[object];
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++) {
        const affine *base = &st->tracer->scene->parts[p].to_world;
        affine now = moved ? affine_mul(motion, base) : *base;
        stand_at(st, p, &now);
        if (st->instances[p]) {
            place(st, p);
            st->dirty = true;
        }
    }
}

/* Everything on stage at once: a cast has no way to say that memory ended, and "nothing is met" would be a verdict. */
static bool stage_set(stage *st)
{
    tracer *t = st->tracer;
    st->scene = rtcNewScene(t->device);
    if (!st->scene) return false;
    rtcSetSceneFlags(st->scene, RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_DYNAMIC);
    for (uint32_t p = 0; p < t->scene->part_count; p++) {
        st->proposals[p] = tracer_proposal(t, t->scene->parts[p].mesh);
        if (!st->proposals[p]) return false;
        if (st->gone[p]) continue;
        st->instances[p] = rtcNewGeometry(t->device, RTC_GEOMETRY_TYPE_INSTANCE);
        if (!st->instances[p]) return false;
        rtcSetGeometryInstancedScene(st->instances[p], st->proposals[p]->scene);
        rtcSetGeometryTimeStepCount(st->instances[p], 1);
        place(st, p);
        rtcAttachGeometryByID(st->scene, st->instances[p], p);
        rtcReleaseGeometry(st->instances[p]);
    }
    st->dirty = true;
    return true;
}

etna_code stage_new(tracer *t, stage **ret, etna_error *err)
{
    const scene *s = t->scene;
    size_t parts = (size_t)s->part_count + 1;
    stage *st = calloc(1, sizeof *st);
    if (!st) return etna_fail(err, ETNA_E_NOMEM, "space: no memory");
    pthread_mutex_init(&st->lock, NULL);
    st->tracer = t;
    st->instances = calloc(parts, sizeof(RTCGeometry));
    st->proposals = calloc(parts, sizeof(proposal *));
    st->to_world = malloc(parts * sizeof(affine));
    st->to_local = malloc(parts * sizeof(affine));
    st->proposed = malloc(parts * sizeof(affine));
    st->gone = calloc(parts, sizeof(bool));
    if (!st->instances || !st->proposals || !st->to_world || !st->proposed || !st->to_local || !st->gone) {
        stage_free(st);
        return etna_fail(err, ETNA_E_NOMEM, "space: no memory for %u parts", s->part_count);
    }
    for (uint32_t p = 0; p < s->part_count; p++) stand_at(st, p, &s->parts[p].to_world);
    if (!stage_set(st)) {
        stage_free(st);
        return etna_fail(err, ETNA_E_NOMEM, "space: no memory to trace rays at %u parts", s->part_count);
    }
    *ret = st;
    return ETNA_OK;
}

bool stage_ready(stage *st)
{
    if (!atomic_load_explicit(&st->dirty, memory_order_acquire)) return true;
    pthread_mutex_lock(&st->lock);
    if (atomic_load_explicit(&st->dirty, memory_order_relaxed)) {
        rtcCommitScene(st->scene);
        bool full = rtcGetDeviceError(st->tracer->device) == RTC_ERROR_OUT_OF_MEMORY;
        atomic_store_explicit(&st->dirty, full, memory_order_release);
    }
    bool ready = !atomic_load_explicit(&st->dirty, memory_order_relaxed);
    pthread_mutex_unlock(&st->lock);
    return ready;
}

/* ---- casting ---- */
/* The exact test. *ret_near: refused, or within a thousandth of an edge, or flatter to the surface than one degree. */
static bool part_triangle(const gather *g, uint32_t part, uint32_t triangle, double *ret_t, bool *ret_near)
{
    const stage *st = g->stage;
    const scene_mesh *m = &st->tracer->scene->meshes[st->tracer->scene->parts[part].mesh];
    const uint32_t *t = m->index + 3 * (size_t)triangle;
    const affine *a = &st->to_world[part];
    vec3 p = affine_point(a, mesh_vertex(m, t[0])), q = affine_point(a, mesh_vertex(m, t[1])),
         r = affine_point(a, mesh_vertex(m, t[2]));
    double edge;
    *ret_near = true;
    if (!triangle_ray(&g->shear, p, q, r, ret_t, &edge)) return false;
    vec3 n = v3_cross(v3_sub(q, p), v3_sub(r, p));
    double facing = v3_dot(n, g->ray->direction) / g->length;
    *ret_near = edge <= 0.001 || facing * facing < 3e-4 * v3_dot(n, n);
    return true;
}

/* Tries one triangle exactly; true when it is the nearest now. *ret_near as part_triangle. */
static bool consider(gather *g, uint32_t part, uint32_t triangle, bool *ret_near)
{
    double t;
    if (!part_triangle(g, part, triangle, &t, ret_near)) return false;
    if (t < g->ray->t_min || t > g->ray->t_max) return false;
    /* Parts are sorted by object, so the order of (part, triangle) is that of (object, part, triangle). */
    if (g->found &&
        (t > g->t || (t == g->t && (part > g->hit_part || (part == g->hit_part && triangle >= g->hit_triangle)))))
        return false;
    g->found = true;
    g->t = t;
    g->hit_part = part;
    g->hit_triangle = triangle;
    return true;
}

/* Trying a triangle twice changes nothing, so forgetting the rest when the list is full does not either. */
static bool first_time(fans *f, uint32_t part, uint32_t place)
{
    enum { ROOM = sizeof f->tried / sizeof f->tried[0] };
    for (uint32_t i = f->count < ROOM ? f->count : ROOM; i-- > 0;)
        if (f->tried[i].place == place && f->tried[i].part == part) return false;
    f->tried[f->count % ROOM].part = part;
    f->tried[f->count++ % ROOM].place = place;
    return true;
}

static bool consider_neighbours(gather *g, uint32_t part, uint32_t triangle)
{
    const scene_mesh *m = &g->stage->tracer->scene->meshes[g->stage->tracer->scene->parts[part].mesh];
    const proposal *p = g->stage->proposals[part];
    bool near, better = false;
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t at = p->welded[m->index[3 * (size_t)triangle + k]];
        if (!first_time(g->fans, part, at)) continue;
        for (uint32_t i = p->fan_first[at]; i < p->fan_first[at + 1]; i++)
            if (p->fan[i] != triangle && consider(g, part, p->fan[i], &near)) better = true;
    }
    return better;
}

static void filter(const struct RTCFilterFunctionNArguments *args)
{
    gather *g = (gather *)args->context;
    struct RTCRay *ray = (struct RTCRay *)args->ray;
    struct RTCHit *hit = (struct RTCHit *)args->hit;
    uint32_t part = g->part == SCENE_NONE ? hit->instID[0] : g->part;
    args->valid[0] = 0;
    uint32_t object = g->stage->tracer->scene->parts[part].object;
    if (object == g->ray->skip_object || (g->hidden && g->hidden[object])) return;
    uint32_t triangle = g->stage->proposals[part]->triangle[hit->primID];
    bool near, better = consider(g, part, triangle, &near);
    for (int ring = 0; near && ring < 8 && consider_neighbours(g, part, triangle); ring++) {
        better = true; /* what a neighbour met is as near an edge as what led there */
        triangle = g->hit_triangle;
    }
    if (!better) return;
    double metres = g->t * g->length, behind = 1e-4 * metres > 1e-4 ? 1e-4 * metres : 1e-4;
    double bound = metres + START_EARLY + behind;
    if (bound < g->bound) {
        g->bound = bound;
        ray->tfar = (float)bound; /* a filter that accepts may say how far to go on */
        args->valid[0] = -1;
    }
}

static void intersect(RTCScene at, gather *g, vec3 origin, vec3 direction, double near, double far)
{
    struct RTCRayHit r;
    memset(&r, 0, sizeof r);
    r.ray.org_x = (float)origin.x;
    r.ray.org_y = (float)origin.y;
    r.ray.org_z = (float)origin.z;
    r.ray.dir_x = (float)direction.x;
    r.ray.dir_y = (float)direction.y;
    r.ray.dir_z = (float)direction.z;
    r.ray.tnear = (float)near;
    r.ray.tfar = far < 1e30 ? (float)far : INFINITY;
    r.ray.mask = UINT32_MAX;
    r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    r.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
#if RTC_VERSION_MAJOR >= 4
    rtcInitRayQueryContext(&g->context);
    struct RTCIntersectArguments arguments;
    rtcInitIntersectArguments(&arguments);
    arguments.context = &g->context;
    rtcIntersect1(at, &r, &arguments);
#else
    rtcInitIntersectContext(&g->context);
    rtcIntersect1(at, &g->context, &r);
#endif
}

/* All proposals along the ray whose origin is moved by `aside`. */
static void propose(stage *st, gather *g, vec3 unit, vec3 aside)
{
    const space_ray *ray = g->ray;
    double near = ray->t_min * g->length - 1e-3 * fabs(ray->t_min) * g->length, far = ray->t_max * g->length;
    near = near > 0 ? near : 0;
    far = far + START_EARLY + (far > 0 ? 1e-4 * far : 0) + 1e-4;
    vec3 origin = v3_add(v3_add_scaled(ray->origin, unit, -START_EARLY), aside);
    g->bound = far;
    if (ray->only_object == SCENE_NONE) {
        g->part = SCENE_NONE;
        intersect(st->scene, g, origin, unit, near, far);
        return;
    }
    const scene_object *o = &st->tracer->scene->objects[ray->only_object];
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++) {
        if (st->gone[p] || !st->proposals[p]) continue;
        g->part = p;
        intersect(st->proposals[p]->scene, g, affine_point(&st->to_local[p], origin),
                  affine_dir(&st->to_local[p], unit), near, g->bound < far ? g->bound : far);
    }
}

static void describe(const gather *g, space_hit *ret)
{
    const stage *st = g->stage;
    const scene_mesh *m = &st->tracer->scene->meshes[st->tracer->scene->parts[g->hit_part].mesh];
    const uint32_t *t = m->index + 3 * (size_t)g->hit_triangle;
    const affine *to = &st->to_world[g->hit_part];
    vec3 a = affine_point(to, mesh_vertex(m, t[0])), b = affine_point(to, mesh_vertex(m, t[1])),
         c = affine_point(to, mesh_vertex(m, t[2]));
    vec3 n = v3_normal(v3_cross(v3_sub(b, a), v3_sub(c, a)));
    ret->object = st->tracer->scene->parts[g->hit_part].object;
    ret->part = g->hit_part;
    ret->triangle = g->hit_triangle;
    ret->t = g->t;
    ret->point = v3_add_scaled(g->ray->origin, g->ray->direction, g->t);
    ret->normal = v3_dot(n, g->ray->direction) > 0 ? v3_scale(n, -1) : n;
}

bool stage_cast(stage *st, const space_ray *ray, const bool *hidden, space_hit *ret)
{
    fans tried;
    gather g = {.stage = st, .ray = ray, .hidden = hidden, .length = v3_length(ray->direction), .fans = &tried};
    tried.count = 0;
    if (!v3_finite(ray->origin) || !(g.length > 1e-150) || !isfinite(g.length) || !(ray->t_max >= ray->t_min) ||
        isnan(ray->t_min))
        return false;
    if (ray->only_object != SCENE_NONE && ray->only_object >= st->tracer->scene->object_count) return false;
    if (!stage_ready(st)) return false;
    vec3 unit = v3_scale(ray->direction, 1 / g.length);
    g.shear = ray_shear_make(ray->origin, ray->direction);
    propose(st, &g, unit, v3(0, 0, 0));
    if (!g.found) {
        vec3 other = fabs(unit.z) < 0.9 ? v3(0, 0, 1) : v3(1, 0, 0);
        vec3 u = v3_scale(v3_normal(v3_cross(unit, other)), SIDE_STEP), v = v3_cross(unit, u);
        vec3 sides[4] = {u, v3_scale(u, -1), v, v3_scale(v, -1)};
        for (int i = 0; i < 4; i++) /* all four: which of them first finds something is not the same everywhere */
            propose(st, &g, unit, sides[i]);
    }
    if (!g.found) return false;
    describe(&g, ret);
    return true;
}

/* ---- light ---- */
typedef struct shade_query {
    ray_context context;
    const stage *stage;
    const space_light *light;
    const bool *hidden;
    vec3 from, direction;
    uint32_t part; /* what blocked */
} shade_query;

/* Slivers are proposed as rectangles and open edges with fins, so the true triangle is asked: where the line through
 * the query's ray meets its plane, as (1-u-v) a + u b + v c. */
static bool inside_true(const shade_query *q, uint32_t part, uint32_t triangle, double *ret_u, double *ret_v)
{
    const stage *st = q->stage;
    const scene_mesh *m = &st->tracer->scene->meshes[st->tracer->scene->parts[part].mesh];
    const uint32_t *t = m->index + 3 * (size_t)triangle;
    vec3 o = affine_point(&st->to_local[part], q->from), d = affine_dir(&st->to_local[part], q->direction);
    vec3 a = mesh_vertex(m, t[0]), ab = v3_sub(mesh_vertex(m, t[1]), a), ac = v3_sub(mesh_vertex(m, t[2]), a);
    vec3 p = v3_cross(d, ac), s = v3_sub(o, a), r = v3_cross(s, ab);
    double det = v3_dot(ab, p), scale = 1 / det, u = v3_dot(s, p) * scale, v = v3_dot(d, r) * scale;
    *ret_u = u;
    *ret_v = v;
    return u >= -1e-6 && v >= -1e-6 && u + v <= 1 + 1e-6 && v3_dot(ac, r) * scale > 0;
}

void shade_filter(const struct RTCFilterFunctionNArguments *args)
{
    shade_query *q = (shade_query *)args->context;
    struct RTCHit *hit = (struct RTCHit *)args->hit;
    uint32_t part = hit->instID[0], object = q->stage->tracer->scene->parts[part].object;
    uint32_t triangle = q->stage->proposals[part]->triangle[hit->primID];
    uint8_t rule = q->hidden && q->hidden[object] ? SHADE_PASS : q->light->parts[part];
    double u, v;
    if (rule != SHADE_PASS && inside_true(q, part, triangle, &u, &v) &&
        (rule == SHADE_BLOCK || q->light->blocks(q->light->context, part, triangle, u, v)))
        q->part = part;
    else
        args->valid[0] = 0;
}

bool stage_shaded(const stage *st, const space_light *light, const bool *hidden, vec3 from, vec3 direction,
                  double reach, uint32_t *ret_part)
{
    shade_query q = {
        .stage = st, .light = light, .hidden = hidden, .from = from, .direction = direction, .part = SCENE_NONE};
    struct RTCRay r;
    memset(&r, 0, sizeof r);
    r.org_x = (float)from.x;
    r.org_y = (float)from.y;
    r.org_z = (float)from.z;
    r.dir_x = (float)direction.x;
    r.dir_y = (float)direction.y;
    r.dir_z = (float)direction.z;
    r.tfar = reach < 1e30 ? (float)reach : INFINITY;
    r.mask = UINT32_MAX;
#if RTC_VERSION_MAJOR >= 4
    rtcInitRayQueryContext(&q.context);
    struct RTCOccludedArguments arguments;
    rtcInitOccludedArguments(&arguments);
    arguments.context = &q.context;
    rtcOccluded1(st->scene, &r, &arguments);
#else
    rtcInitIntersectContext(&q.context);
    rtcOccluded1(st->scene, &q.context, &r);
#endif
    if (!(r.tfar < 0)) return false; /* Embree's way to say so */
    if (ret_part) *ret_part = q.part;
    return true;
}
