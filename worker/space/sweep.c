/* How far an object can go until its true triangles meet another's: the nearest of all exact swept tests, the trees
 * walked nearest first. What only slides along is not met: the moving vertices are drawn 10 µm inward from the sides of
 * the box. */
#include "worker/space/own.h"

typedef struct sweep {
    const posed *moving, *other;
    vec3 direction;
    double best; /* metres; the limit to begin with */
    bool met;
} sweep;

/* When does box a, moved along d, first touch box b? Above `limit` when not before. */
static double box_entry(const box3 *a, const box3 *b, vec3 d, double limit)
{
    double enter = 0, leave = limit;
    for (int axis = 0; axis < 3; axis++) {
        double v = v3_get(d, axis), ahead = v3_get(b->min, axis) - v3_get(a->max, axis) - SPACE_TOUCH,
               behind = v3_get(b->max, axis) - v3_get(a->min, axis) + SPACE_TOUCH;
        if (fabs(v) < 1e-12) {
            if (ahead > 0 || behind < 0) return INFINITY;
            continue;
        }
        double in = (v > 0 ? ahead : behind) / v, out = (v > 0 ? behind : ahead) / v;
        enter = in > enter ? in : enter;
        leave = out < leave ? out : leave;
    }
    return enter <= leave ? enter : INFINITY;
}

static void sweep_leaves(sweep *w, const bvh_node *na, const bvh_node *nb)
{
    vec3 back = v3_scale(w->direction, -0.5 * SPACE_TOUCH); /* a sheet that touches is met at once */
    for (uint32_t i = na->first; i < na->first + na->count; i++) {
        const uint32_t *t = w->moving->shape->index + 3 * (size_t)i;
        vec3 a[3], inner[3];
        for (int k = 0; k < 3; k++) {
            a[k] = w->moving->vertex[t[k]];
            inner[k] = v3_add(w->moving->shrunk[t[k]], back);
        }
        for (uint32_t j = nb->first; j < nb->first + nb->count; j++) {
            const uint32_t *u = w->other->shape->index + 3 * (size_t)j;
            vec3 b[3] = {w->other->vertex[u[0]], w->other->vertex[u[1]], w->other->vertex[u[2]]};
            if (triangle_sweep(a, inner, b, w->direction, w->best, &w->best)) w->met = true;
        }
    }
}

static void sweep_trees(sweep *w)
{
    struct {
        uint32_t a, b;
        double enter;
    } stack[2 * BVH_STACK];
    const bvh_node *a = w->moving->nodes, *b = w->other->nodes;
    uint32_t top = 0;
    if (w->moving->shape->triangle_count == 0 || w->other->shape->triangle_count == 0) return;
    stack[top].a = stack[top].b = 0;
    stack[top++].enter = box_entry(&a->box, &b->box, w->direction, w->best);
    while (top > 0) {
        top--;
        uint32_t ia = stack[top].a, ib = stack[top].b;
        if (stack[top].enter >= w->best) continue;
        if (a[ia].count && b[ib].count) {
            sweep_leaves(w, &a[ia], &b[ib]);
            continue;
        }
        vec3 da = v3_sub(a[ia].box.max, a[ia].box.min), db = v3_sub(b[ib].box.max, b[ib].box.min);
        bool open_a = b[ib].count || (!a[ia].count && v3_dot(da, da) >= v3_dot(db, db));
        uint32_t child_a[2], child_b[2];
        double enter[2];
        for (uint32_t k = 0; k < 2; k++) {
            child_a[k] = open_a ? a[ia].first + k : ia;
            child_b[k] = open_a ? ib : b[ib].first + k;
            enter[k] = box_entry(&a[child_a[k]].box, &b[child_b[k]].box, w->direction, w->best);
        }
        uint32_t far = enter[0] <= enter[1] ? 1 : 0; /* pushed first, so looked at last */
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

etna_code space_sweep(space *sp, uint32_t object, vec3 direction, double max, double *ret_distance, uint32_t *ret_other,
                      etna_error *err)
{
    const scene *s = sp->shared->scene;
    posed *moving = NULL;
    if (object >= s->object_count || !v3_finite(direction) || fabs(v3_length(direction) - 1) > 1e-6 || !(max >= 0) ||
        !isfinite(max))
        return etna_fail(err, ETNA_E_INTERNAL,
                         "space: a sweep needs an object, a unit direction and a finite distance");
    const uint32_t *near = NULL;
    uint32_t near_count = 0;
    box3 path = sp->posed[object].box;
    vec3 end = v3_scale(direction, max);
    path.min = v3_add(path.min, v3_min(end, v3(0, 0, 0)));
    path.max = v3_add(path.max, v3_max(end, v3(0, 0, 0)));
    etna_code code = crowd_near(sp->crowd, sp->posed, &path, 2 * SPACE_TOUCH, &near, &near_count, err);
    double best = max;
    uint32_t met = SCENE_NONE;
    for (uint32_t k = 0; k < near_count && !code; k++) {
        uint32_t i = near[k];
        if (i == object || box_entry(&sp->posed[object].box, &sp->posed[i].box, direction, best) >= best + SPACE_TOUCH)
            continue;
        bool overlap = false;
        cut_cache cache = {{false, false}, {0, 0}, {0, 0}};
        posed *other = NULL;
        code = space_posed(sp, object, &moving, err);
        if (!code) code = space_posed(sp, i, &other, err);
        if (!code && box3_meet(&moving->box, &other->box, 0))
            code = cut_overlap(sp, object, i, v3(0, 0, 0), &cache, &overlap, err);
        if (code) break;
        sweep w = {moving, other, direction, best, false};
        if (overlap && best > 0) {
            w.best = 0;
            w.met = true;
        } else if (!overlap) {
            sweep_trees(&w);
        }
        if (w.met) {
            best = w.best;
            met = i;
        }
    }
    if (code) return code;
    *ret_distance = best;
    *ret_other = met;
    return ETNA_OK;
}
