/* How far an object can go until its true triangles meet another's: the nearest
 * of all exact swept tests, the trees walked nearest first. What only slides
 * along is not met: the moving vertices are drawn 10 µm inward from the sides
 * of the box. */
#include "worker/space/space_internal.h"

#define DRAWN \
    (4 * \
     SPACE_TOUCH) /* more than the drawn-in vertices are off the true ones */

typedef struct sweep {
    const object_state *moving, *other;
    vec3 direction;
    double best; /* metres; the limit to begin with */
    bool met;
} sweep;

/* When does box a, moved along d, first touch box b? Above `limit` when not
 * before. */
static double box_entry(const box3 *a, const box3 *b, vec3 d, double limit)
{
    double enter = 0, leave = limit;
    for (int axis = 0; axis < 3; axis++) {
        double v = v3_get(d, axis);
        double ahead =
            v3_get(b->min, axis) - v3_get(a->max, axis) - SPACE_TOUCH;
        double behind =
            v3_get(b->max, axis) - v3_get(a->min, axis) + SPACE_TOUCH;
        if (fabs(v) < 1e-12) {
            if (ahead > 0 || behind < 0)
                return INFINITY;
            continue;
        }
        double in = (v > 0 ? ahead : behind) / v;
        double out = (v > 0 ? behind : ahead) / v;
        enter = math_max(in, enter);
        leave = math_min(out, leave);
    }
    return enter <= leave ? enter : INFINITY;
}

/* May three corners, now at these heights over a plane and rising at `speed`,
 * reach or straddle it before `best`? */
static bool may_pass(
    double h0, double h1, double h2, double speed, double margin, double best)
{
    double low = math_min(h0, h1);
    double high = math_max(h0, h1);
    low = math_min(h2, low) - margin;
    high = math_max(h2, high) + margin;
    double low_then = low + best * speed;
    double high_then = high + best * speed;
    bool stays_above = low > 0 && low_then > 0;
    bool stays_below = high < 0 && high_then < 0;
    return !stays_above && !stays_below;
}

/* Can they meet before `best`, as their planes say? Large triangles that lean
 * have boxes that meet early. */
static bool planes_pass(
    const vec3 a[3], vec3 normal_a, const vec3 b[3], vec3 d, double best)
{
    vec3 normal_b = v3_cross(v3_sub(b[1], b[0]), v3_sub(b[2], b[0]));
    double slack = DRAWN * v3_length(normal_a);
    if (!may_pass(v3_dot(normal_a, v3_sub(b[0], a[0])),
                  v3_dot(normal_a, v3_sub(b[1], a[0])),
                  v3_dot(normal_a, v3_sub(b[2], a[0])), -v3_dot(normal_a, d),
                  slack, best))
        return false;
    slack = DRAWN * v3_length(normal_b);
    return may_pass(v3_dot(normal_b, v3_sub(a[0], b[0])),
                    v3_dot(normal_b, v3_sub(a[1], b[0])),
                    v3_dot(normal_b, v3_sub(a[2], b[0])), v3_dot(normal_b, d),
                    slack, best);
}

static void sweep_leaves(sweep *w, const bvh_node *na, const bvh_node *nb)
{
    /* a sheet that touches is met at once */
    vec3 back = v3_scale(w->direction, -0.5 * SPACE_TOUCH);
    for (uint32_t i = na->first; i < na->first + na->count; i++) {
        const uint32_t *t = w->moving->shape->index + 3 * (size_t)i;
        vec3 a[3], inner[3];
        for (int k = 0; k < 3; k++) {
            a[k] = w->moving->vertex[t[k]];
            inner[k] = v3_add(w->moving->shrunk[t[k]], back);
        }
        box3 moving = box3_of_triangle(a);
        box3 drawn = box3_of_triangle(inner);
        moving.min = v3_min(moving.min, drawn.min);
        moving.max = v3_max(moving.max, drawn.max);
        vec3 normal = v3_cross(v3_sub(a[1], a[0]), v3_sub(a[2], a[0]));
        for (uint32_t j = nb->first; j < nb->first + nb->count; j++) {
            const uint32_t *u = w->other->shape->index + 3 * (size_t)j;
            vec3 b[3] = {w->other->vertex[u[0]], w->other->vertex[u[1]],
                         w->other->vertex[u[2]]};
            box3 still = box3_of_triangle(b);
            if (box_entry(&moving, &still, w->direction, w->best) >= w->best)
                continue;
            if (!planes_pass(a, normal, b, w->direction, w->best))
                continue;
            if (triangle_sweep(a, inner, b, w->direction, w->best, &w->best))
                w->met = true;
        }
    }
}

/* Nearest pairs first: what lies behind the best so far is not opened. */
static void sweep_trees(sweep *w)
{
    struct {
        uint32_t a, b;
        double enter;
    } stack[2 * BVH_STACK];
    const bvh_node *a = w->moving->nodes;
    const bvh_node *b = w->other->nodes;
    uint32_t top = 0;
    if (w->moving->shape->triangle_count == 0 ||
        w->other->shape->triangle_count == 0)
        return;
    stack[top].a = stack[top].b = 0;
    stack[top++].enter = box_entry(&a->box, &b->box, w->direction, w->best);
    while (top > 0) {
        top--;
        uint32_t ia = stack[top].a;
        uint32_t ib = stack[top].b;
        if (stack[top].enter >= w->best)
            continue;
        if (a[ia].count && b[ib].count) {
            sweep_leaves(w, &a[ia], &b[ib]);
            continue;
        }
        bool open_a = bvh_opens_first(&a[ia], &b[ib]);
        uint32_t child_a[2], child_b[2];
        double enter[2];
        for (uint32_t k = 0; k < 2; k++) {
            child_a[k] = open_a ? a[ia].first + k : ia;
            child_b[k] = open_a ? ib : b[ib].first + k;
            enter[k] = box_entry(&a[child_a[k]].box, &b[child_b[k]].box,
                                 w->direction, w->best);
        }
        /* pushed first, so looked at last */
        uint32_t far = enter[0] <= enter[1] ? 1 : 0;
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t c = k == 0 ? far : 1 - far;
            if (enter[c] < w->best) {
                stack[top].a = child_a[c];
                stack[top].b = child_b[c];
                stack[top++].enter = enter[c];
            }
        }
    }
}

typedef struct sweep_way {
    vec3 direction;
    double max;
    /* the objects that move as one; none of them is met */
    const uint32_t *object_geometry;
    uint32_t body_count;
    const space_rules *rules;
    bool lenient; /* an overlap that is no collision is passed over */
} sweep_way;

static bool sweep_is_body(const sweep_way *way, uint32_t object)
{
    for (uint32_t i = 0; i < way->body_count; i++)
        if (way->object_geometry[i] == object)
            return true;
    return false;
}

/* They meet at that distance, unless something else is met before. */
static void sweep_meet(space_swept *ret, uint32_t other, double distance)
{
    ret->distance = distance;
    ret->other = other;
    ret->level = false;
}

/* An object that cuts another where it stands: leniently, a cut that does not
 * count is passed. */
static etna_code sweep_from_within(space *sp,
                                   const sweep_way *way,
                                   uint32_t object,
                                   uint32_t other,
                                   space_swept *ret,
                                   etna_error *err)
{
    space_pair pair = {.collides = true};
    etna_code code =
        way->lenient
            ? space_pair_check(sp, object, other, way->rules, false, &pair, err)
            : ETNA_OK;
    if (code)
        return code;
    if (pair.collides && ret->distance > 0)
        sweep_meet(ret, other, 0);
    if (!pair.collides && ret->cut == SCENE_NONE)
        ret->cut = other;
    return ETNA_OK;
}

/* One object against one other, whose boxes come near on the way. */
static etna_code sweep_pair(space *sp,
                            const sweep_way *way,
                            uint32_t object,
                            uint32_t other,
                            space_swept *ret,
                            etna_error *err)
{
    bool overlap = false;
    intersect_cache cache = {{false, false}, {0, 0}, {0, 0}, {0, 0}};
    object_state *moving = NULL, *still = NULL;
    etna_code code = space_posed(sp, object, &moving, err);
    if (!code)
        code = space_posed(sp, other, &still, err);
    if (!code && box3_meet(&moving->box, &still->box, 0))
        code = intersect_overlap(sp, object, other, v3(0, 0, 0), &cache,
                                 &overlap, err);
    if (code)
        return code;
    if (overlap)
        return sweep_from_within(sp, way, object, other, ret, err);
    sweep w = {moving, still, way->direction, ret->distance, false};
    sweep_trees(&w);
    if (w.met)
        sweep_meet(ret, other, w.best);
    return ETNA_OK;
}

static etna_code sweep_object(space *sp,
                              const sweep_way *way,
                              uint32_t object,
                              space_swept *ret,
                              etna_error *err)
{
    const uint32_t *near = NULL;
    uint32_t near_count = 0;
    box3 path = sp->object_state[object].box;
    vec3 end = v3_scale(way->direction, way->max);
    path.min = v3_add(path.min, v3_min(end, v3(0, 0, 0)));
    path.max = v3_add(path.max, v3_max(end, v3(0, 0, 0)));
    etna_code code = broad_phase_near(sp->broad_phase, sp->object_state, &path,
                                      2 * SPACE_TOUCH, &near, &near_count, err);
    for (uint32_t k = 0; k < near_count && !code; k++) {
        uint32_t i = near[k];
        if (sweep_is_body(way, i))
            continue;
        double entry =
            box_entry(&sp->object_state[object].box, &sp->object_state[i].box,
                      way->direction, ret->distance);
        if (entry < ret->distance + SPACE_TOUCH)
            code = sweep_pair(sp, way, object, i, ret, err);
    }
    return code;
}

/* Straight down: does the level come sooner? What is in it by no more than
 * support allows stands on it. */
static void sweep_level(const space *sp, uint32_t object, space_swept *ret)
{
    const box3 *box = &sp->object_state[object].box;
    double drop = level_drop(sp, v3((box->min.x + box->max.x) / 2,
                                    (box->min.y + box->max.y) / 2, box->min.z));
    if (drop < -UNDERSIDE_REACH || drop >= ret->distance)
        return;
    ret->distance = math_max(drop, 0);
    ret->other = SCENE_NONE;
    ret->level = true;
}

/* Are all its objects of the scene, its direction a unit and its length
 * finite? */
static bool sweep_way_is_sound(const space *sp, const sweep_way *way)
{
    bool known = way->body_count > 0;
    for (uint32_t i = 0; i < way->body_count; i++)
        known =
            known && way->object_geometry[i] < sp->shared->scene->object_count;
    bool unit = v3_finite(way->direction) &&
                fabs(v3_length(way->direction) - 1) <= 1e-6;
    return known && unit && way->max >= 0 && isfinite(way->max);
}

static etna_code sweep_body(space *sp,
                            const sweep_way *way,
                            space_swept *ret,
                            etna_error *err)
{
    if (!sweep_way_is_sound(sp, way))
        return etna_fail(
            err, ETNA_E_INTERNAL,
            "space: a sweep needs an object, a unit direction and a finite distance");
    space_swept swept = {
        .distance = way->max, .other = SCENE_NONE, .cut = SCENE_NONE};
    for (uint32_t i = 0; i < way->body_count; i++) {
        etna_code code =
            sweep_object(sp, way, way->object_geometry[i], &swept, err);
        if (code)
            return code;
        if (way->lenient && way->direction.z <= -1)
            sweep_level(sp, way->object_geometry[i], &swept);
    }
    *ret = swept;
    return ETNA_OK;
}

etna_code space_sweep(space *sp,
                      uint32_t object,
                      vec3 direction,
                      double max,
                      double *ret_distance,
                      uint32_t *ret_other,
                      etna_error *err)
{
    const sweep_way way = {.direction = direction,
                           .max = max,
                           .object_geometry = &object,
                           .body_count = 1};
    space_swept swept;
    etna_code code = sweep_body(sp, &way, &swept, err);
    if (code)
        return code;
    *ret_distance = swept.distance;
    *ret_other = swept.other;
    return ETNA_OK;
}

etna_code space_sweep_body(space *sp,
                           const uint32_t *objects,
                           uint32_t count,
                           vec3 direction,
                           double max,
                           const space_rules *rules,
                           space_swept *ret,
                           etna_error *err)
{
    const sweep_way way = {direction, max, objects, count, rules, true};
    return sweep_body(sp, &way, ret, err);
}
