/* Light: does anything stand in its way? As Embree says, for pictures only
 * (space.h). */
#include "worker/space/embree.h"

#include <string.h>

typedef struct shade_query {
    query query;
    const space_light *light;
    vec3 from, direction;
    double reach;
    uint32_t blocker;
} shade_query;

/* Slivers are proposed as rectangles and open edges with fins, so the true
 * triangle is asked: where the line through the query's ray meets its plane, as
 * (1-u-v) a + u b + v c. */
static bool inside_true(const shade_query *q,
                        uint32_t part,
                        uint32_t triangle,
                        double *ret_u,
                        double *ret_v)
{
    const embree_scene *st = q->query.embree_scene;
    const scene_mesh *m =
        &st->embree_shared->scene
             ->meshes[st->embree_shared->scene->parts[part].mesh];
    const uint32_t *t = m->index + 3 * (size_t)triangle;
    vec3 o = affine_point(&st->to_local[part], q->from);
    vec3 d = affine_dir(&st->to_local[part], q->direction);
    vec3 a = mesh_vertex(m, t[0]);
    vec3 ab = v3_sub(mesh_vertex(m, t[1]), a);
    vec3 ac = v3_sub(mesh_vertex(m, t[2]), a);
    vec3 p = v3_cross(d, ac);
    vec3 s = v3_sub(o, a);
    vec3 r = v3_cross(s, ab);
    double det = v3_dot(ab, p);
    double scale = 1 / det;
    double u = v3_dot(s, p) * scale;
    double v = v3_dot(d, r) * scale;
    *ret_u = u;
    *ret_v = v;
    bool is_within = u >= -1e-6 && v >= -1e-6 && u + v <= 1 + 1e-6;
    return is_within && v3_dot(ac, r) * scale > 0;
}

static uint8_t rule_of(const shade_query *q, uint32_t part)
{
    uint32_t object =
        q->query.embree_scene->embree_shared->scene->parts[part].object;
    return q->query.hidden && q->query.hidden[object] ? SHADE_PASS
                                                      : q->light->parts[part];
}

/* Embree's occlusion filter: refusing a hit (valid 0) lets the ray go on. */
void shaded_filter(const struct RTCFilterFunctionNArguments *args)
{
    shade_query *q = (shade_query *)args->context;
    const struct RTCHit *hit = (const struct RTCHit *)args->hit;
    uint32_t part =
        q->query.part == SCENE_NONE ? hit->instID[0] : q->query.part;
    embree_shared *t = q->query.embree_scene->embree_shared;
    uint32_t triangle =
        embree_scene_met(q->query.embree_scene, t->scene->parts[part].mesh)
            ->triangle[hit->primID];
    uint8_t rule = rule_of(q, part);
    double u, v;
    if (rule != SHADE_PASS && inside_true(q, part, triangle, &u, &v) &&
        (rule == SHADE_BLOCK ||
         q->light->blocks(q->light->context, part, triangle, u, v)))
        q->blocker = part;
    else
        args->valid[0] = 0;
}

static bool occlusion_is_blocked(shade_query *q,
                                 RTCScene at,
                                 vec3 from,
                                 vec3 direction,
                                 float near,
                                 float far)
{
    struct RTCRay r = {.org_x = (float)from.x,
                       .org_y = (float)from.y,
                       .org_z = (float)from.z,
                       .dir_x = (float)direction.x,
                       .dir_y = (float)direction.y,
                       .dir_z = (float)direction.z,
                       .tnear = near,
                       .tfar = far,
                       .mask = UINT32_MAX};
#if RTC_VERSION_MAJOR >= 4
    struct RTCOccludedArguments arguments;
    rtcInitOccludedArguments(&arguments);
    arguments.context = &q->query.context;
    rtcOccluded1(at, &r, &arguments);
#else
    rtcOccluded1(at, &q->query.context, &r);
#endif
    return r.tfar < 0; /* Embree's way to say so */
}

/* A mesh without a tree (embree_shared_mesh_make) casts no shade: this is for
 * pictures, and memory is at its end. Nor does a part that is too small for
 * this ray. */
void shaded_box(const struct RTCOccludedFunctionNArguments *args)
{
    shade_query *q = (shade_query *)args->context;
    uint32_t part = args->geomID;
    struct RTCRay *ray = (struct RTCRay *)args->ray;
    if (!args->valid[0] || rule_of(q, part) == SHADE_PASS)
        return;
    const embree_mesh *p =
        embree_scene_enter(&q->query, part, q->from, q->direction, &q->reach);
    if (!p || !p->scene)
        return;
    const affine *to_local = &q->query.embree_scene->to_local[part];
    vec3 from = affine_point(to_local, q->from);
    vec3 along = affine_dir(to_local, q->direction);
    if (!embree_may_cast(from, along))
        return;
    q->query.part = part;
    if (occlusion_is_blocked(q, p->scene, from, along, ray->tnear, ray->tfar))
        ray->tfar = -INFINITY;
    q->query.part = SCENE_NONE;
}

bool embree_scene_shaded(embree_scene *st,
                         const space_light *light,
                         const bool *hidden,
                         vec3 from,
                         vec3 direction,
                         double reach,
                         uint32_t *ret_part)
{
    shade_query q = {.query = {.embree_scene = st,
                               .hidden = hidden,
                               .part = SCENE_NONE,
                               .entered = SCENE_NONE},
                     .light = light,
                     .from = from,
                     .direction = direction,
                     .reach = INFINITY,
                     .blocker = SCENE_NONE};
#if RTC_VERSION_MAJOR >= 4
    rtcInitRayQueryContext(&q.query.context);
#else
    rtcInitIntersectContext(&q.query.context);
#endif
    float far = reach < 1e30 ? (float)reach : INFINITY;
    embree_scene_begin(st);
    bool met;
    while (!(met = occlusion_is_blocked(&q, embree_scene_scene(st), from,
                                        direction, 0, far)) &&
           embree_scene_built(&q.query)) {
    }
    embree_scene_end(st);
    if (!met)
        return false;
    if (ret_part)
        *ret_part = q.blocker;
    return true;
}
