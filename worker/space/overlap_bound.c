/* How far may a be moved, whatever the direction, and surely still overlap b? A
 * pair that is deep in one another is known by a few looks at distances, where
 * intersect.c would have to find a cut in every direction at every step.
 *
 * Two proofs, each of which leaves room for the 10 µm that either is drawn in
 * by (intersect.c) and for rounding:
 *
 * - A point of one's surface lies in the solid of the other R deep, and a
 *   vertex of the same lump lies R beyond the other's box. Moved by less than R
 *   the one stays inside, the other outside, and what joins them is cut.
 * - A point lies in the solids of both, R away from the one surface and S from
 *   the other: around it is a ball of each, and two balls share a point until
 *   they are R + S apart. Solids of one lump each that share a point cut one
 *   another, or one holds the other, which counts where the holding one is no
 *   hollow.
 *
 * Solid is what has a winding number other than 0, which only a closed mesh has
 * for certain; joined is what triangles join that are wider than what
 * intersect.c takes for a line (shape.c). Where nothing is proven nothing is
 * said: this changes how soon an answer is known, never the answer. */
#include "worker/space/space_internal.h"

#define MARGIN \
    (4 * SPACE_TOUCH) /* a corner drawn in along three axes goes 1.8 of them */
#define SLACK 0.15    /* while looking for a place */
#define FINE 0.003    /* of the place that was found */
#define SHRUNK \
    0.1 /* an object that much smaller than its shape's first may have triangles like lines */

enum {
    CLIMB_TRIES = 12
};

typedef struct nearest { /* of a surface */
    double away;
    vec3 at;
    uint32_t triangle; /* SCENE_NONE: none within reach */
} nearest;

static double object_state_thickness(const object_state *p) /* of its box */
{
    vec3 d = v3_sub(p->nodes[0].box.max, p->nodes[0].box.min);
    return math_min(d.x, math_min(d.y, d.z));
}

/* Squared distance to a box; 0 within. */
static double box_away2(const box3 *b, vec3 p)
{
    double x =
        b->min.x - p.x > p.x - b->max.x ? b->min.x - p.x : p.x - b->max.x;
    double y =
        b->min.y - p.y > p.y - b->max.y ? b->min.y - p.y : p.y - b->max.y;
    double z =
        b->min.z - p.z > p.z - b->max.z ? b->min.z - p.z : p.z - b->max.z;
    x = math_max(x, 0);
    y = math_max(y, 0);
    z = math_max(z, 0);
    return x * x + y * y + z * z;
}

typedef struct search { /* of a tree, the nearest first */
    uint32_t node[BVH_STACK];
    double away2[BVH_STACK];
    uint32_t top;
} search;

static void search_push(search *s, uint32_t node, double away2, double best2)
{
    if (away2 >= best2)
        return;
    s->node[s->top] = node;
    s->away2[s->top++] = away2;
}

/* The next leaf that may have something nearer than best2, or NULL. */
static const bvh_node *search_next(search *s,
                                   const bvh_node *nodes,
                                   vec3 p,
                                   double best2)
{
    while (s->top > 0) {
        s->top--;
        if (s->away2[s->top] >= best2)
            continue;
        const bvh_node *n = &nodes[s->node[s->top]];
        if (n->count)
            return n;
        double left = box_away2(&nodes[n->first].box, p);
        double right = box_away2(&nodes[n->first + 1].box, p);
        if (left <= right) { /* the nearer is looked at first: it goes on top */
            search_push(s, n->first + 1, right, best2);
            search_push(s, n->first, left, best2);
        } else {
            search_push(s, n->first, left, best2);
            search_push(s, n->first + 1, right, best2);
        }
    }
    return NULL;
}

/* The surface's nearest point, looking no farther than `reach`. From the middle
 * of something round all of it is near: what is not nearer by the share `slack`
 * is not looked at, and `away` is that much less. */
static nearest surface_near(const object_state *b,
                            vec3 p,
                            double reach,
                            double slack)
{
    nearest found = {reach, p, SCENE_NONE};
    search s = {.top = 0};
    const double less2 = (1 - slack) * (1 - slack);
    double best2 = reach * reach / less2;
    search_push(&s, 0, box_away2(&b->nodes[0].box, p), best2 * less2);
    for (const bvh_node *n;
         (n = search_next(&s, b->nodes, p, best2 * less2)) != NULL;)
        for (uint32_t i = n->first; i < n->first + n->count; i++) {
            const uint32_t *t = b->shape->index + 3 * (size_t)i;
            vec3 at = triangle_nearest(p, b->vertex[t[0]], b->vertex[t[1]],
                                       b->vertex[t[2]]);
            vec3 d = v3_sub(at, p);
            if (v3_dot(d, d) >= best2)
                continue;
            best2 = v3_dot(d, d);
            found.at = at;
            found.triangle = i;
        }
    found.away = sqrt(best2 * less2);
    return found;
}

/* How deep p lies in b's solid, where that is more than `more`; 0: less,
 * outside, or not known. */
static double inside_by(
    const object_state *b, vec3 p, double reach, double more, nearest *ret)
{
    double winding;
    *ret = surface_near(b, p, reach, SLACK);
    return ret->away > more && intersect_winding(b, p, &winding) &&
                   fabs(winding) >= 0.5
               ? ret->away
               : 0;
}

/* How far the lump of a triangle of a reaches beyond b's box, at least. */
static double outside_by(const object_state *a,
                         uint32_t triangle,
                         const object_state *b)
{
    const uint32_t *lump = a->shape->lump;
    const uint32_t *t = a->shape->index + 3 * (size_t)triangle;
    const uint32_t v = t[0];
    double best = 0;
    if (lump &&
        !triangle_wide(a->vertex[t[0]], a->vertex[t[1]], a->vertex[t[2]]))
        return 0;
    for (int side = 0; side < 6; side++) {
        int axis = side / 2;
        bool up = side % 2;
        const box3 *all = &a->nodes[0].box;
        double end = up ? v3_get(all->max, axis) : v3_get(all->min, axis);
        double out = up ? end - v3_get(b->nodes[0].box.max, axis)
                        : v3_get(b->nodes[0].box.min, axis) - end;
        if (out <= best)
            continue;
        uint32_t node = 0;
        while (a->nodes[node].count == 0) {
            const box3 *left = &a->nodes[a->nodes[node].first].box;
            node = a->nodes[node].first +
                   (end !=
                    (up ? v3_get(left->max, axis) : v3_get(left->min, axis)));
        }
        for (uint32_t i = 3 * a->nodes[node].first;
             i < 3 * (a->nodes[node].first + a->nodes[node].count); i++) {
            uint32_t w = a->shape->index[i];
            if (v3_get(a->vertex[w], axis) == end &&
                (!lump || lump[w] == lump[v]))
                best = out;
        }
    }
    return best;
}

typedef struct place { /* on a surface */
    vec3 at;
    uint32_t triangle;
} place;

/* The first proof, from a place of a near b's surface on, deeper into b as long
 * as it gets better. */
static double overlap_bound_climb(const object_state *a,
                                  const object_state *b,
                                  double enough,
                                  place *p)
{
    nearest s;
    double step = math_min(1.5 * enough, 0.5 * object_state_thickness(b));
    double best = inside_by(b, p->at, enough, 0, &s);
    double size = v3_distance(a->nodes[0].box.min, a->nodes[0].box.max);
    bool inside = best > 0;
    for (int i = 0;
         i < CLIMB_TRIES && best < enough && step > SPACE_DEPTH_STEP / 2; i++) {
        vec3 u = v3_normal(inside ? v3_sub(p->at, s.at) : v3_sub(s.at, p->at));
        nearest own =
            surface_near(a, v3_add_scaled(p->at, u, step), size, SLACK);
        nearest next;
        double deep = own.triangle == SCENE_NONE
                          ? 0
                          : inside_by(b, own.at, enough, best, &next);
        if (deep <= best) {
            step /= 2;
            continue;
        }
        best = deep;
        s = next;
        inside = true;
        *p = (place){own.at, own.triangle};
    }
    return best;
}

static bool overlap_bound_may_hold(const object_state *outer,
                                   const object_state *inner)
{
    vec3 d = v3_sub(v3_sub(outer->nodes[0].box.max, outer->nodes[0].box.min),
                    v3_sub(inner->nodes[0].box.max, inner->nodes[0].box.min));
    return d.x >= -MARGIN && d.y >= -MARGIN && d.z >= -MARGIN;
}

/* The second proof, from the point *ret on, to where there is more room;
 * *ret_share: of it in b. From a common point along the bisector of both
 * nearest surfaces' directions: there both balls grow. Steps are halved when
 * they bring nothing. */
static double shared_room(const object_state *a,
                          const object_state *b,
                          double enough,
                          vec3 *ret,
                          double *ret_share)
{
    nearest s[2], next[2];
    vec3 p = *ret;
    double step = enough / 2;
    if (inside_by(a, p, enough, 0, &s[0]) <= 0 ||
        inside_by(b, p, enough, 0, &s[1]) <= 0)
        return 0;
    double best = s[0].away + s[1].away;
    for (int i = 0;
         i < CLIMB_TRIES && best < enough && step > SPACE_DEPTH_STEP / 8; i++) {
        double room = math_min(step, 0.4 * math_min(s[0].away, s[1].away));
        vec3 u = v3_add(v3_normal(v3_sub(p, s[0].at)),
                        v3_normal(v3_sub(p, s[1].at)));
        vec3 at = v3_add_scaled(p, u, room);
        /* it went less than to either surface, so it is inside */
        next[0] = surface_near(a, at, enough, SLACK);
        next[1] = surface_near(b, at, enough, SLACK);
        if (next[0].away + next[1].away <= best) {
            step = room / 2;
            continue;
        }
        p = at;
        s[0] = next[0];
        s[1] = next[1];
        best = s[0].away + s[1].away;
    }
    double of_a = surface_near(a, p, enough, FINE).away;
    double of_b = surface_near(b, p, enough, FINE).away;
    *ret = p;
    *ret_share = of_b / (of_a + of_b);
    return of_a + of_b;
}

static bool is_solid(const object_state *p)
{
    return p->shape->closed && p->shape->piece_count == 1 && !p->shape->lump;
}

/* Not much smaller than its shape's first, of which shape.c knows what is
 * joined. */
static bool is_firm(const scene *s, uint32_t object, const shape *sh)
{
    const affine *own = &s->parts[s->objects[object].first_part].to_world;
    const affine *first = &s->parts[s->objects[sh->object].first_part].to_world;
    for (int i = 0; i < 3 && object != sh->object; i++)
        if (v3_length(v3(own->m[0][i], own->m[1][i], own->m[2][i])) <
            SHRUNK *
                v3_length(v3(first->m[0][i], first->m[1][i], first->m[2][i])))
            return false;
    return true;
}

/* Where the two triangles come near one another. */
static void overlap_bound_meet(const object_state *a,
                               const object_state *b,
                               place at[2])
{
    const uint32_t *t = a->shape->index + 3 * (size_t)at[0].triangle;
    const uint32_t *u = b->shape->index + 3 * (size_t)at[1].triangle;
    const vec3 *p = a->vertex;
    const vec3 *q = b->vertex;
    vec3 middle = v3_scale(v3_add(q[u[0]], v3_add(q[u[1]], q[u[2]])), 1.0 / 3);
    at[0].at = triangle_nearest(middle, p[t[0]], p[t[1]], p[t[2]]);
    at[1].at = triangle_nearest(at[0].at, q[u[0]], q[u[1]], q[u[2]]);
}

/* Are both of one lump, and is neither in the other without overlapping it?
 * Then a common point is overlap. */
static etna_code are_solids(space *sp,
                            uint32_t a,
                            uint32_t b,
                            const object_state *pa,
                            const object_state *pb,
                            bool *ret,
                            etna_error *err)
{
    bool hollow = false;
    etna_code code = ETNA_OK;
    *ret = is_solid(pa) && is_solid(pb);
    if (*ret && overlap_bound_may_hold(pa, pb))
        code = intersect_hollow(sp->shared, a, &hollow, err);
    bool is_open = *ret && !code && !hollow;
    if (is_open && overlap_bound_may_hold(pb, pa))
        code = intersect_hollow(sp->shared, b, &hollow, err);
    *ret = *ret && !code && !hollow;
    return code;
}

/* *ret is all zero where nothing is proven. `hint`: triangles that cut, from
 * which the search begins. */
etna_code overlap_lower_bound(space *sp,
                              uint32_t a,
                              uint32_t b,
                              const intersect_cache *hint,
                              double enough,
                              overlap_proof *ret,
                              etna_error *err)
{
    const scene *s = sp->shared->scene;
    object_state *p[2] = {NULL, NULL};
    double best = 0;
    etna_code code = space_posed(sp, a, &p[0], err);
    if (!code)
        code = space_posed(sp, b, &p[1], err);
    *ret = (overlap_proof){0};
    if (code || !hint->known[0])
        return code;
    if (!is_firm(s, a, p[0]->shape) || !is_firm(s, b, p[1]->shape))
        return code;
    enough += MARGIN;
    place at[2] = {{.triangle = hint->a[0]}, {.triangle = hint->b[0]}};
    overlap_bound_meet(p[0], p[1], at);
    for (int k = 0; k < 2 && best < enough; k++) {
        double deep = p[1 - k]->shape->closed
                          ? overlap_bound_climb(p[k], p[1 - k], enough, &at[k])
                          : 0;
        if (deep > best)
            best = fmax(best, math_min(deep, outside_by(p[k], at[k].triangle,
                                                        p[1 - k])));
    }
    if (best < enough)
        code = are_solids(sp, a, b, p[0], p[1], &ret->solid, err);
    if (!code && ret->solid) {
        ret->middle = v3_scale(v3_add(at[0].at, at[1].at), 0.5);
        best = fmax(best,
                    shared_room(p[0], p[1], enough, &ret->middle, &ret->share));
        ret->solid = ret->share > 0;
    }
    ret->way = best > MARGIN ? best - MARGIN : 0;
    return code;
}

/* Has p room enough within? */
static bool holds_point(const object_state *object, vec3 p)
{
    double winding;
    return surface_near(object, p, MARGIN, 0).triangle == SCENE_NONE &&
           intersect_winding(object, p, &winding) && fabs(winding) >= 0.5;
}

/* By either proof, without looking at a triangle for the first. */
etna_code overlap_still(space *sp,
                        uint32_t a,
                        uint32_t b,
                        const overlap_proof *proof,
                        vec3 by,
                        bool *ret,
                        etna_error *err)
{
    object_state *pa = NULL, *pb = NULL;
    *ret = proof->way > 0 &&
           /* the margin is a billion times that */
           v3_length(by) <= proof->way * (1 + 1e-12);
    if (*ret || !proof->solid)
        return ETNA_OK;
    etna_code code = space_posed(sp, a, &pa, err);
    if (!code)
        code = space_posed(sp, b, &pb, err);
    if (code)
        return code;
    vec3 common = v3_add_scaled(proof->middle, by, proof->share);
    *ret = holds_point(pb, common) && holds_point(pa, v3_sub(common, by));
    return ETNA_OK;
}
