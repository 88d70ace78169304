/* One ray, and what many share with it. Embree proposes, we dispose.
 *
 * What Embree answers depends on the vector width and on how its builder was
 * compiled; near an edge one machine hits where another passes. So Embree only
 * traverses: a filter sees every triangle it proposes, recomputes it in double
 * by the fixed test of triangle.c, and keeps the nearest exact hit, ties to the
 * lower (object, part, triangle). For this to be the same everywhere the
 * proposals must include every exact hit that could win:
 *
 *   - The triangles given to Embree are a little larger than the true ones:
 *     every edge is moved outward in its plane by
 * more than a float's rounding can shift a ray (or hit), sharp ends are cut
 * off, and an open edge carries a narrow fin across it, for rays that graze the
 * surface (embree_mesh.c). A hit inside the true triangle is well inside the
 * proposed one. A proposal that the exact test refuses is passed through.
 *   - Traversal goes on max(1e-4 m, 1e-4 of the distance) behind the nearest
 *     exact hit.
 *   - Near an edge, where the surface is grazed, and where the exact test
 *     refused, all triangles that share a vertex
 * are tried too: what is seen edge-on may have been proposed in its neighbour's
 * place only.
 *   - A miss is repeated with the proposing ray moved by 1e-5 m to four sides;
 *     the exact ray stays the true one.
 *   - Embree's ray starts 1 mm early, so that t_min is the exact test's
 *     decision.
 *
 * Distances here are metres along the unit direction ("metric"); the caller's t
 * is in units of |direction|. */
#include "proto/array.h"
#include "worker/space/embree.h"

#include <string.h>

/* ---- the exact test ---- */
/* *ret_near: refused, or within a thousandth of an edge, or flatter to the
 * surface than one degree. *ret_normal: not unit, only when met. */
static bool part_triangle(const cast *c,
                          const gather *g,
                          uint32_t part,
                          uint32_t triangle,
                          double *ret_t,
                          bool *ret_near,
                          vec3 *ret_normal)
{
    const embree_scene *st = c->query.embree_scene;
    const scene_mesh *m =
        &st->embree_shared->scene
             ->meshes[st->embree_shared->scene->parts[part].mesh];
    const uint32_t *t = m->index + 3 * (size_t)triangle;
    const affine *a = &st->to_world[part];
    vec3 p = affine_point(a, mesh_vertex(m, t[0]));
    vec3 q = affine_point(a, mesh_vertex(m, t[1]));
    vec3 r = affine_point(a, mesh_vertex(m, t[2]));
    double edge;
    *ret_near = true;
    if (!triangle_ray(&g->shear, p, q, r, ret_t, &edge))
        return false;
    vec3 n = v3_cross(v3_sub(q, p), v3_sub(r, p));
    double facing = v3_dot(n, g->ray->direction) / g->length;
    *ret_near = edge <= 0.001 || facing * facing < 3e-4 * v3_dot(n, n);
    *ret_normal = n;
    return true;
}

/* Tries one triangle exactly; true when it is the nearest now. *ret_near as
 * part_triangle. */
static bool gather_consider(
    const cast *c, gather *g, uint32_t part, uint32_t triangle, bool *ret_near)
{
    double t;
    vec3 normal;
    if (!part_triangle(c, g, part, triangle, &t, ret_near, &normal))
        return false;
    if (t < g->ray->t_min || t > g->ray->t_max)
        return false;
    /* Parts are sorted by object, so the order of (part, triangle) is that of
     * (object, part, triangle). */
    bool is_later = part > g->hit_part ||
                    (part == g->hit_part && triangle >= g->hit_triangle);
    bool is_behind = t > g->t || (t == g->t && is_later);
    if (g->found && is_behind)
        return false;
    g->found = true;
    g->t = t;
    g->hit_part = part;
    g->hit_triangle = triangle;
    g->hit_normal = normal;
    return true;
}

/* Trying a triangle twice changes nothing, so forgetting the rest when the list
 * is full does not either. */
static bool first_time(fans *f, uint32_t part, uint32_t place)
{
    enum {
        ROOM = COUNT_OF(f->tried)
    };
    for (uint32_t i = f->count < ROOM ? f->count : ROOM; i-- > 0;)
        if (f->tried[i].place == place && f->tried[i].part == part)
            return false;
    f->tried[f->count % ROOM].part = part;
    f->tried[f->count++ % ROOM].place = place;
    return true;
}

/* All triangles that share a place with it, each fan once a ray. */
static bool consider_neighbours(const cast *c,
                                gather *g,
                                const embree_mesh *p,
                                uint32_t part,
                                uint32_t triangle)
{
    const scene *s = c->query.embree_scene->embree_shared->scene;
    const scene_mesh *m = &s->meshes[s->parts[part].mesh];
    bool near, better = false;
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t at = p->welded[m->index[3 * (size_t)triangle + k]];
        if (!first_time(&g->fans, part, at))
            continue;
        for (uint32_t i = p->fan_first[at]; i < p->fan_first[at + 1]; i++)
            if (p->fan[i] != triangle &&
                gather_consider(c, g, part, p->fan[i], &near))
                better = true;
    }
    return better;
}

/* How far behind the nearest exact hit traversal goes on; true when that is
 * nearer than before. */
static bool gather_draw_in(gather *g)
{
    double metres = g->t * g->length;
    double behind = 1e-4 * metres > 1e-4 ? 1e-4 * metres : 1e-4;
    double bound = metres + START_EARLY + behind;
    if (!(bound < g->bound))
        return false;
    g->bound = bound;
    return true;
}

/* One proposal; true when the ray is to be cut at g->bound. */
static bool cast_weigh(const cast *c,
                       gather *g,
                       uint32_t part,
                       uint32_t primitive)
{
    const embree_shared *t = c->query.embree_scene->embree_shared;
    uint32_t object = t->scene->parts[part].object;
    if (object == g->ray->skip_object ||
        (c->query.hidden && c->query.hidden[object]))
        return false;
    const embree_mesh *p =
        embree_scene_met(c->query.embree_scene, t->scene->parts[part].mesh);
    uint32_t triangle = p->triangle[primitive];
    bool near;
    bool better = gather_consider(c, g, part, triangle, &near);
    for (int ring = 0;
         near && ring < 8 && consider_neighbours(c, g, p, part, triangle);
         ring++) {
        /* what a neighbour met is as near an edge as what led there */
        better = true;
        triangle = g->hit_triangle;
    }
    return better && gather_draw_in(g);
}

/* Embree keeps N rays and hits as arrays of N a field. */
enum {
    RAY_TFAR = 8,
    RAY_ID = 10,
    HIT_PRIMITIVE = 5,
    HIT_INSTANCE = 7
};

/* Never accepts a hit for itself: accepting is only how the ray is cut
 * shorter. */
void cast_filter(const struct RTCFilterFunctionNArguments *args)
{
    cast *c = (cast *)args->context;
    float *ray = (float *)args->ray;
    const uint32_t *id = (const uint32_t *)args->ray;
    const uint32_t *hit = (const uint32_t *)args->hit;
    unsigned n = args->N;
    for (unsigned i = 0; i < n; i++) {
        if (!args->valid[i])
            continue;
        gather *g = &c->gathers[id[RAY_ID * n + i]];
        uint32_t part = c->query.part == SCENE_NONE ? hit[HIT_INSTANCE * n + i]
                                                    : c->query.part;
        args->valid[i] = 0;
        if (cast_weigh(c, g, part, hit[HIT_PRIMITIVE * n + i])) {
            /* a filter that accepts may say how far to go on */
            ray[RAY_TFAR * n + i] = (float)g->bound;
            args->valid[i] = -1;
        }
    }
}

/* ---- casting ---- */
static void cast_one(cast *c,
                     RTCScene at,
                     uint32_t id,
                     vec3 origin,
                     vec3 direction,
                     double near,
                     double far)
{
    struct RTCRayHit r;
    r.ray = (struct RTCRay){.org_x = (float)origin.x,
                            .org_y = (float)origin.y,
                            .org_z = (float)origin.z,
                            .dir_x = (float)direction.x,
                            .dir_y = (float)direction.y,
                            .dir_z = (float)direction.z,
                            .tnear = (float)near,
                            .tfar = far < 1e30 ? (float)far : INFINITY,
                            .mask = UINT32_MAX,
                            .id = id};
    r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    r.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
#if RTC_VERSION_MAJOR >= 4
    struct RTCIntersectArguments arguments;
    rtcInitIntersectArguments(&arguments);
    arguments.context = &c->query.context;
    rtcIntersect1(at, &r, &arguments);
#else
    rtcIntersect1(at, &c->query.context, &r);
#endif
}

/* A ray at one part alone, in its frame. Of a mesh without a tree all triangles
 * are tried, and of one where the ray is beyond Embree's bounds. */
static void cast_at(cast *c,
                    const embree_mesh *p,
                    uint32_t part,
                    uint32_t id,
                    vec3 origin,
                    vec3 direction)
{
    const embree_scene *st = c->query.embree_scene;
    gather *g = &c->gathers[id];
    const scene *s = st->embree_shared->scene;
    uint32_t object = s->parts[part].object;
    if (object == g->ray->skip_object ||
        (c->query.hidden && c->query.hidden[object]))
        return;
    vec3 from = affine_point(&st->to_local[part], origin);
    vec3 along = affine_dir(&st->to_local[part], direction);
    if (p->scene && embree_may_cast(from, along)) {
        c->query.part = part;
        cast_one(c, p->scene, id, from, along, g->near, g->bound);
        c->query.part = SCENE_NONE;
        return;
    }
    bool near, better = false;
    for (uint32_t i = 0; i < s->meshes[s->parts[part].mesh].triangle_count; i++)
        better = gather_consider(c, g, part, i, &near) || better;
    if (better)
        (void)gather_draw_in(g);
}

/* Several rays may come at once; each is looked at by itself. */
void cast_box(const struct RTCIntersectFunctionNArguments *args)
{
    cast *c = (cast *)args->context;
    float *ray = (float *)args->rayhit;
    const uint32_t *id = (const uint32_t *)args->rayhit;
    unsigned n = args->N;
    const scene *s = c->query.embree_scene->embree_shared->scene;
    for (unsigned i = 0; i < n; i++) {
        uint32_t number = args->valid[i] ? id[RAY_ID * n + i] : 0;
        uint32_t object = s->parts[args->geomID].object;
        gather *g = &c->gathers[number];
        if (!args->valid[i] || object == g->ray->skip_object)
            continue;
        if (c->query.hidden && c->query.hidden[object])
            continue;
        vec3 origin =
            v3((double)ray[i], (double)ray[n + i], (double)ray[2 * n + i]);
        vec3 direction = v3((double)ray[4 * n + i], (double)ray[5 * n + i],
                            (double)ray[6 * n + i]);
        const embree_mesh *p = embree_scene_enter(&c->query, args->geomID,
                                                  origin, direction, &g->bound);
        if (!p)
            continue;
        cast_at(c, p, args->geomID, number, origin, direction);
        if (g->bound < (double)ray[RAY_TFAR * n + i])
            ray[RAY_TFAR * n + i] = (float)g->bound;
    }
}

/* False: the ray can meet nothing (no direction, an empty range, an object that
 * is none). */
bool cast_begin(gather *g, const scene *s, const space_ray *ray)
{
    g->ray = ray;
    g->found = false;
    g->fans.count = 0;
    g->length = v3_length(ray->direction);
    bool has_way = g->length > 1e-150 && isfinite(g->length);
    if (!embree_may_cast(ray->origin, v3(0, 0, 0)) || !has_way)
        return false;
    if (!(ray->t_max >= ray->t_min) || isnan(ray->t_min))
        return false;
    if (ray->only_object != SCENE_NONE && ray->only_object >= s->object_count)
        return false;
    g->unit = v3_scale(ray->direction, 1 / g->length);
    g->shear = ray_shear_make(ray->origin, ray->direction);
    double near = ray->t_min * g->length - 1e-3 * fabs(ray->t_min) * g->length;
    double far = ray->t_max * g->length;
    g->near = math_max(near, 0);
    g->far = far + START_EARLY + (far > 0 ? 1e-4 * far : 0) + 1e-4;
    g->bound = g->far;
    return true;
}

/* To four sides of the ray, SIDE_STEP each. */
vec3 cast_aside(const gather *g, int i)
{
    vec3 unit = g->unit;
    vec3 other = fabs(unit.z) < 0.9 ? v3(0, 0, 1) : v3(1, 0, 0);
    vec3 u = v3_scale(v3_normal(v3_cross(unit, other)), SIDE_STEP);
    if (i > 1)
        u = v3_cross(unit, u);
    return i % 2 ? v3_scale(u, -1) : u;
}

/* All proposals along the ray whose origin is moved by `aside`. */
static void cast_propose(cast *c, gather *g, vec3 aside)
{
    const space_ray *ray = g->ray;
    embree_scene *st = c->query.embree_scene;
    vec3 origin =
        v3_add(v3_add_scaled(ray->origin, g->unit, -START_EARLY), aside);
    g->bound = g->far;
    if (ray->only_object == SCENE_NONE) {
        do
            cast_one(c, embree_scene_scene(st), 0, origin, g->unit, g->near,
                     g->bound);
        while (embree_scene_built(&c->query));
        return;
    }
    const scene_object *o =
        &st->embree_shared->scene->objects[ray->only_object];
    for (uint32_t p = o->first_part; p < o->first_part + o->part_count; p++)
        if (!st->gone[p])
            cast_at(
                c, residency_build(st, st->embree_shared->scene->parts[p].mesh),
                p, 0, origin, g->unit);
}

/* The normal is turned against the ray. */
void cast_describe(const gather *g, const scene *s, space_hit *ret)
{
    vec3 n = v3_normal(g->hit_normal);
    ret->object = s->parts[g->hit_part].object;
    ret->part = g->hit_part;
    ret->triangle = g->hit_triangle;
    ret->t = g->t;
    ret->point = v3_add_scaled(g->ray->origin, g->ray->direction, g->t);
    ret->normal = v3_dot(n, g->ray->direction) > 0 ? v3_scale(n, -1) : n;
}

static bool cast_within(embree_scene *st,
                        const space_ray *ray,
                        const bool *hidden,
                        space_hit *ret)
{
    gather g;
    cast c = {.query = {.embree_scene = st,
                        .hidden = hidden,
                        .part = SCENE_NONE,
                        .entered = SCENE_NONE},
              .gathers = &g};
    if (!cast_begin(&g, st->embree_shared->scene, ray) ||
        !embree_scene_ready_within(st))
        return false;
#if RTC_VERSION_MAJOR >= 4
    rtcInitRayQueryContext(&c.query.context);
#else
    rtcInitIntersectContext(&c.query.context);
#endif
    cast_propose(&c, &g, v3(0, 0, 0));
    /* all four: which first finds something is not the same everywhere */
    for (int i = 0, miss = !g.found; miss && i < 4; i++)
        cast_propose(&c, &g, cast_aside(&g, i));
    if (!g.found)
        return false;
    cast_describe(&g, st->embree_shared->scene, ret);
    return true;
}

bool embree_scene_cast(embree_scene *st,
                       const space_ray *ray,
                       const bool *hidden,
                       space_hit *ret)
{
    embree_scene_begin(st);
    bool met = cast_within(st, ray, hidden, ret);
    embree_scene_end(st);
    return met;
}
