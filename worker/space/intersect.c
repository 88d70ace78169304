/* Do two objects overlap? METHODS.md 6: a triangle of one properly cuts one of
 * the other, or one lies wholly in the other.
 *
 * Touching must be no overlap, whatever the winding, and a real overlap must be
 * found even where faces coincide (two equal books pushed into each other have
 * their sides in common planes, and no triangle cuts another properly). Both
 * are had by asking twice: with a drawn 10 µm inward from the sides of its box,
 * then with b drawn in. Either way apart: they only touch. Bodies that truly
 * overlap do so in both. Drawing in along the box needs no normals, so open,
 * inverted and mixed meshes behave. */
#include "worker/space/space_internal.h"

#include <assert.h>
#include <stdlib.h>

/* one object's triangles, with the vertices to use, moved by `by` */
typedef struct side {
    const shape *shape;
    const bvh_node *nodes;
    const vec3 *vertex;
    vec3 by;
    const winding_aid *aid; /* or NULL */
} side;

/* Moved. */
static inline void side_triangle(const side *s, uint32_t triangle, vec3 ret[3])
{
    const uint32_t *t = s->shape->index + 3 * (size_t)triangle;
    for (int k = 0; k < 3; k++)
        ret[k] = v3_add(s->vertex[t[k]], s->by);
}

/* Properly: an edge of one goes through the other. */
static bool pair_cuts(const side *a, uint32_t i, const side *b, uint32_t k)
{
    vec3 p[3], q[3];
    side_triangle(a, i, p);
    side_triangle(b, k, q);
    return triangle_cut(p, q);
}

/* True: stop. */
typedef bool (*pair_visit)(
    void *context, uint32_t i, const vec3 a[3], uint32_t k, const vec3 b[3]);

/* b's triangles are fetched once for the whole leaf, and only when one of a's
 * comes near. */
static bool visit_leaves(const side *a,
                         const bvh_node *na,
                         const side *b,
                         const bvh_node *nb,
                         double margin,
                         pair_visit visit,
                         void *context)
{
    vec3 q[BVH_LEAF][3];
    box3 box[BVH_LEAF];
    box3 leaf = box3_moved(&nb->box, b->by);
    bool fetched = false; /* mostly none of a's triangles comes near b's leaf */
    for (uint32_t i = na->first; i < na->first + na->count; i++) {
        vec3 p[3];
        side_triangle(a, i, p);
        box3 mine = box3_of_triangle(p);
        if (!box3_meet(&mine, &leaf, margin))
            continue;
        for (uint32_t k = 0; k < nb->count && !fetched; k++) {
            side_triangle(b, nb->first + k, q[k]);
            box[k] = box3_of_triangle(q[k]);
        }
        fetched = true;
        for (uint32_t k = 0; k < nb->count; k++)
            if (box3_meet(&mine, &box[k], margin) &&
                visit(context, i, p, nb->first + k, q[k]))
                return true;
    }
    return false;
}

/* How far two boxes reach into each other along the axis where they do least;
 * negative: apart by that. */
static double box_overlap(const box3 *a, const box3 *b)
{
    vec3 d = v3_sub(v3_min(a->max, b->max), v3_max(a->min, b->min));
    double least = math_min(d.x, d.y);
    return least < d.z ? least : d.z;
}

/* By their boxes, `margin` wider. */
static bool sides_may_meet(const side *a, const side *b, double margin)
{
    if (a->shape->triangle_count == 0 || b->shape->triangle_count == 0)
        return false;
    box3 root = box3_moved(&a->nodes[0].box, v3_sub(a->by, b->by));
    return !(box_overlap(&root, &b->nodes[0].box) < -margin);
}

typedef struct node_pair { /* a node of each tree */
    uint32_t a, b;
} node_pair;

/* The pairs that come of opening one node of a pair, where their boxes come
 * within `margin`: at most two, the deeper one last, so that it is looked at
 * first. Returns how many. */
static uint32_t node_pair_open(const side *a,
                               const side *b,
                               node_pair pair,
                               double margin,
                               node_pair ret[2])
{
    const vec3 by = v3_sub(a->by, b->by);
    const bvh_node *na = &a->nodes[pair.a];
    const bvh_node *nb = &b->nodes[pair.b];
    const bool open_a = bvh_opens_first(na, nb);
    node_pair child[2];
    double deep[2];
    uint32_t count = 0;
    for (uint32_t k = 0; k < 2; k++) {
        child[k].a = open_a ? na->first + k : pair.a;
        child[k].b = open_a ? pair.b : nb->first + k;
        box3 box = box3_moved(&a->nodes[child[k].a].box, by);
        deep[k] = box_overlap(&box, &b->nodes[child[k].b].box);
    }
    const uint32_t first = deep[0] > deep[1] ? 1 : 0;
    if (deep[first] >= -margin)
        ret[count++] = child[first];
    if (deep[1 - first] >= -margin)
        ret[count++] = child[1 - first];
    return count;
}

/* Calls `visit` for every pair of triangles whose boxes come within `margin`;
 * stops when it says so. Deepest boxes first: who looks for any pair finds one
 * soon. */
static bool side_walk_pairs(const side *a,
                            const side *b,
                            double margin,
                            pair_visit visit,
                            void *context)
{
    node_pair stack[2 * BVH_STACK] = {{0, 0}};
    uint32_t top = 1;
    if (!sides_may_meet(a, b, margin))
        return false;
    while (top > 0) {
        const node_pair pair = stack[--top];
        const bvh_node *na = &a->nodes[pair.a];
        const bvh_node *nb = &b->nodes[pair.b];
        if (!na->count || !nb->count) {
            top += node_pair_open(a, b, pair, margin, stack + top);
            continue;
        }
        if (visit_leaves(a, na, b, nb, margin, visit, context))
            return true;
    }
    return false;
}

typedef struct first_pair {
    uint32_t a, b;
} first_pair;

/* Ends the walk. */
static bool visit_first(
    void *context, uint32_t i, const vec3 a[3], uint32_t k, const vec3 b[3])
{
    first_pair *found = context;
    if (!triangle_cut(a, b))
        return false;
    found->a = i;
    found->b = k;
    return true;
}

/* Does a triangle cut one of `count` others, whose boxes are given? *ret_found:
 * the first that it cuts. */
static bool cuts_any(const vec3 p[3],
                     vec3 (*others)[3],
                     const box3 *boxes,
                     uint32_t count,
                     uint32_t *ret_found)
{
    const box3 mine = box3_of_triangle(p);
    for (uint32_t k = 0; k < count; k++) {
        if (!box3_meet(&mine, &boxes[k], SPACE_TOUCH) ||
            !triangle_cut(p, others[k]))
            continue;
        *ret_found = k;
        return true;
    }
    return false;
}

/* Where two triangles cut that no longer do, their neighbours mostly do, and in
 * the tree's order those are near by. A window of the tree's order around the
 * pair that cut last, sixteen triangles either side. */
static bool cuts_near(const side *a, const side *b, first_pair *pair)
{
    enum {
        NEAR = 8,
        WINDOW = 2 * NEAR + 1
    };
    uint32_t i0 = pair->a > NEAR ? pair->a - NEAR : 0;
    uint32_t k0 = pair->b > NEAR ? pair->b - NEAR : 0;
    uint32_t i1 = pair->a + NEAR;
    uint32_t k1 = pair->b + NEAR;
    vec3 q[WINDOW][3];
    box3 box[WINDOW];
    box3 all = {{INFINITY, INFINITY, INFINITY},
                {-INFINITY, -INFINITY, -INFINITY}};
    i1 = i1 < a->shape->triangle_count ? i1 : a->shape->triangle_count - 1;
    k1 = k1 < b->shape->triangle_count ? k1 : b->shape->triangle_count - 1;
    for (uint32_t k = k0; k <= k1; k++) {
        side_triangle(b, k, q[k - k0]);
        box[k - k0] = box3_of_triangle(q[k - k0]);
        all.min = v3_min(all.min, box[k - k0].min);
        all.max = v3_max(all.max, box[k - k0].max);
    }
    for (uint32_t i = i0; i <= i1; i++) {
        vec3 p[3];
        uint32_t found = 0;
        side_triangle(a, i, p);
        box3 mine = box3_of_triangle(p);
        if (!box3_meet(&mine, &all, SPACE_TOUCH) ||
            !cuts_any(p, q, box, k1 - k0 + 1, &found))
            continue;
        *pair = (first_pair){i, k0 + found};
        return true;
    }
    return false;
}

/* ---- containment ---- Touching from within counts. */
static bool box_inside(const box3 *inner, const box3 *outer)
{
    if (inner->min.x < outer->min.x || inner->max.x > outer->max.x)
        return false;
    if (inner->min.y < outer->min.y || inner->max.y > outer->max.y)
        return false;
    return inner->min.z >= outer->min.z && inner->max.z <= outer->max.z;
}

/* A closed mesh's winding number by signed crossings of the ray to +X; false
 * when it grazes an edge. Nodes are passed over by what the ray can still meet
 * of them. A ray through an edge is no answer: the caller asks another way. */
static bool winding_by_ray(vec3 p, const side *s, double *ret)
{
    /* off the axes, where real edges lie */
    static const vec3 direction = {1, 0.13579, 0.02468};
    ray_shear ray = ray_shear_make(p, direction);
    uint32_t stack[BVH_STACK], top = 0;
    int64_t sum = 0;
    stack[top++] = 0;
    while (top > 0) {
        const bvh_node *n = &s->nodes[stack[--top]];
        box3 box = box3_moved(&n->box, s->by);
        /* what of the ray lies within the box's x range and its y, z ranges */
        double far = box.max.x - p.x;
        if (far < -SPACE_TOUCH || p.y > box.max.y + SPACE_TOUCH ||
            p.z > box.max.z + SPACE_TOUCH)
            continue;
        if (p.y + far * direction.y < box.min.y - SPACE_TOUCH)
            continue;
        if (p.z + far * direction.z < box.min.z - SPACE_TOUCH)
            continue;
        if (n->count == 0) {
            stack[top++] = n->first + 1;
            stack[top++] = n->first;
            continue;
        }
        for (uint32_t i = n->first; i < n->first + n->count; i++) {
            vec3 t[3];
            double at, edge;
            side_triangle(s, i, t);
            bool met = triangle_ray(&ray, t[0], t[1], t[2], &at, &edge);
            if (edge == 0) /* through an edge: both its triangles would count */
                return false;
            if (met && at > 0)
                sum += v3_dot(v3_cross(v3_sub(t[1], t[0]), v3_sub(t[2], t[0])),
                              direction) > 0
                           ? 1
                           : -1;
        }
    }
    *ret = (double)sum;
    return true;
}

/* False: its mesh is open, so there is no inside. */
bool intersect_winding(const object_state *object, vec3 p, double *ret)
{
    side s = {object->shape, object->nodes, object->vertex, {0, 0, 0}, NULL};
    return s.shape->closed && winding_by_ray(p, &s, ret);
}

/* Moved back with the side: what helps is of where its vertices are. */
static bool side_holds_point(const side *s, vec3 p)
{
    double sum = 0;
    if (s->shape->closed && winding_by_ray(p, s, &sum))
        return fabs(sum) >= 0.5;
    const winding_mesh m = {s->shape, s->nodes, s->vertex, s->aid};
    return winding_within(v3_sub(p, s->by), &m);
}

/* Of the whole side. */
static box3 side_box(const side *s)
{
    return box3_moved(&s->nodes[0].box, s->by);
}

/* Every piece of `inner` in `outer`; they are known not to cut. An inside-out
 * mesh counts as well. */
static bool wholly_inside(const side *inner, const side *outer)
{
    box3 box = side_box(inner);
    box3 around = side_box(outer);
    /* may touch from within */
    box.min = v3_add(box.min, v3(SPACE_TOUCH, SPACE_TOUCH, SPACE_TOUCH));
    box.max = v3_sub(box.max, v3(SPACE_TOUCH, SPACE_TOUCH, SPACE_TOUCH));
    if (inner->shape->piece_count == 0 || !box_inside(&box, &around))
        return false;
    for (uint32_t i = 0; i < inner->shape->piece_count; i++)
        if (!side_holds_point(
                outer,
                v3_add(inner->vertex[inner->shape->piece[i]], inner->by)))
            return false;
    return true;
}

/* ---- hollows ---- `shrunk`: drawn inward from the sides of its box. */
static side base_side(const shape *sh, const posed_mesh *st, bool shrunk)
{
    return (side){
        sh, st->nodes, shrunk ? st->shrunk : st->vertex, {0, 0, 0}, NULL};
}

/* To begin with the smaller one. */
static double box_volume(const box3 *b)
{
    vec3 d = v3_sub(b->max, b->min);
    return d.x * d.y * d.z;
}

/* Does object `i` lie wholly in the hull `outer`, without cutting it, where
 * both stood at the start? */
static etna_code shape_lies_within(space_shared *shared,
                                   uint32_t i,
                                   const side *outer,
                                   bool *ret,
                                   etna_error *err)
{
    const shape *sh = NULL;
    posed_mesh *st = NULL;
    first_pair pair;
    etna_code code = shared_tree(shared, i, &sh, err);
    if (!code)
        code = shared_posed_mesh(shared, i, &st, err);
    if (!code) {
        side inner = base_side(sh, st, true);
        *ret = sh->triangle_count && wholly_inside(&inner, outer) &&
               !side_walk_pairs(&inner, outer, SPACE_TOUCH, visit_first, &pair);
        shared_posed_mesh_release(shared, st);
    }
    shared_shape_release(shared, sh);
    return code;
}

/* A thing is hollow when a camera is in it or something else lies in it in the
 * file: a room, a cupboard, a bag. Then what lies in it does not collide with
 * it. */
static etna_code find_hollow(space_shared *shared,
                             uint32_t object,
                             const side *outer,
                             bool *ret,
                             etna_error *err)
{
    const scene *s = shared->scene;
    box3 around = side_box(outer);
    *ret = true;
    for (uint32_t c = 0; c < s->camera_count; c++) {
        box3 eye = {s->cameras[c].position, s->cameras[c].position};
        if (box_inside(&eye, &around) &&
            side_holds_point(outer, s->cameras[c].position))
            return ETNA_OK;
    }
    for (uint32_t i = 0; i < s->object_count; i++) {
        const scene_object *o = &s->objects[i];
        box3 box = {v3_add(o->min, v3(SPACE_TOUCH, SPACE_TOUCH, SPACE_TOUCH)),
                    v3_sub(o->max, v3(SPACE_TOUCH, SPACE_TOUCH, SPACE_TOUCH))};
        bool within = false;
        /* a double is not held */
        if (i == object || !box_inside(&box, &around) ||
            box_volume(&box) > 0.9 * box_volume(&around))
            continue;
        etna_code code = shape_lies_within(shared, i, outer, &within, err);
        if (code || within)
            return code;
    }
    *ret = false;
    return ETNA_OK;
}

/* At the start, whatever stands where now; found once per object. Two threads
 * may both find it: they find the same. */
etna_code intersect_hollow(space_shared *shared,
                           uint32_t object,
                           bool *ret,
                           etna_error *err)
{
    object_geometry *b = NULL;
    const shape *sh = NULL;
    posed_mesh *st = NULL;
    etna_code code = shared_geometry(shared, object, &b, err);
    if (code)
        return code;
    int known = atomic_load(&b->hollow);
    if (known == 0) {
        bool hollow = false;
        code = shared_tree(shared, object, &sh, err);
        if (!code)
            code = shared_posed_mesh(shared, object, &st, err);
        if (!code) {
            side outer = base_side(sh, st, false);
            winding_aid *aid = winding_aid_make(sh, st->nodes, st->vertex);
            outer.aid = aid;
            code = aid ? find_hollow(shared, object, &outer, &hollow, err)
                       : etna_fail(err, ETNA_E_NOMEM,
                                   "space: no memory to look into an object");
            winding_aid_free(aid);
            shared_posed_mesh_release(shared, st);
        }
        shared_shape_release(shared, sh);
        if (code)
            return code;
        known = hollow ? 2 : 1;
        atomic_store(&b->hollow, known);
    }
    *ret = known == 2;
    return ETNA_OK;
}

/* Touching does not. */
static bool side_may_enclose(const side *inner, const side *outer)
{
    box3 box = side_box(inner);
    box3 around = side_box(outer);
    box.min = v3_add(box.min, v3(SPACE_TOUCH, SPACE_TOUCH, SPACE_TOUCH));
    box.max = v3_sub(box.max, v3(SPACE_TOUCH, SPACE_TOUCH, SPACE_TOUCH));
    return box_inside(&box, &around);
}

/* Found when somebody first asks about its inside where it stands. */
static const winding_aid *object_state_aid(object_state *p)
{
    if (!p->aid)
        p->aid = winding_aid_make(p->shape, p->nodes, p->vertex);
    return p->aid;
}

/* A hollow body encloses nothing: what is in a box is not in its board. */
static etna_code side_encloses(space *sp,
                               const side *inner,
                               side outer,
                               uint32_t outer_object,
                               bool *ret,
                               etna_error *err)
{
    bool hollow = false;
    etna_code code = ETNA_OK;
    *ret = false;
    if (!side_may_enclose(inner, &outer))
        return ETNA_OK;
    outer.aid = object_state_aid(&sp->object_state[outer_object]);
    if (!outer.aid)
        return etna_fail(err, ETNA_E_NOMEM,
                         "space: no memory to look into an object");
    if (wholly_inside(inner, &outer)) {
        code = intersect_hollow(sp->shared, outer_object, &hollow, err);
        *ret = !hollow;
    }
    return code;
}

/* `empty`: a space as the scene stood without the inner one, which says what is
 * hollow by itself. */
etna_code space_swallowed(space *sp,
                          uint32_t inner,
                          uint32_t outer,
                          const space *empty,
                          bool *ret,
                          etna_error *err)
{
    assert(inner < sp->shared->scene->object_count);
    assert(outer < sp->shared->scene->object_count);
    assert(empty->shared->scene->object_count ==
           sp->shared->scene->object_count);
    object_state *pi = NULL, *po = NULL;
    first_pair pair;
    bool hollow = false;
    *ret = false;
    if (inner == outer || !box3_meet(&sp->object_state[inner].box,
                                     &sp->object_state[outer].box, 0))
        return ETNA_OK;
    etna_code code = space_posed(sp, inner, &pi, err);
    if (!code)
        code = space_posed(sp, outer, &po, err);
    if (code || pi->shape->triangle_count == 0 ||
        po->shape->triangle_count == 0)
        return code;
    side in = {pi->shape, pi->nodes, pi->shrunk, {0, 0, 0}, NULL};
    side out = {po->shape, po->nodes, po->vertex, {0, 0, 0}, NULL};
    out.aid = object_state_aid(po);
    if (!out.aid)
        return etna_fail(err, ETNA_E_NOMEM,
                         "space: no memory to look into an object");
    if (!wholly_inside(&in, &out) ||
        side_walk_pairs(&in, &out, SPACE_TOUCH, visit_first, &pair))
        return ETNA_OK;
    code = intersect_hollow(empty->shared, outer, &hollow, err);
    *ret = !code && !hollow;
    return code;
}

/* Least distance, up to `best`, of p to the side's triangles. */
static double nearest_within(const side *s, vec3 p, double best)
{
    uint32_t stack[BVH_STACK], top = 0;
    stack[top++] = 0;
    p = v3_sub(p, s->by);
    while (top > 0) {
        const bvh_node *n = &s->nodes[stack[--top]];
        vec3 near = v3_min(v3_max(p, n->box.min), n->box.max);
        if (v3_distance(near, p) >= best)
            continue;
        for (uint32_t i = n->first; i < n->first + n->count; i++) {
            const uint32_t *t = s->shape->index + 3 * (size_t)i;
            vec3 at = triangle_nearest(p, s->vertex[t[0]], s->vertex[t[1]],
                                       s->vertex[t[2]]);
            double away = v3_distance(at, p);
            best = math_min(away, best);
        }
        if (n->count > 0)
            continue;
        stack[top++] = n->first + 1;
        stack[top++] = n->first;
    }
    return best;
}

/* `inner` lies wholly in `outer`: by how much may it be moved so that no
 * piece's vertex passes a triangle? As long as it is moved by less, it cuts or
 * it lies within still: depths are searched for up to 5 cm only. */
static double side_clearance(const side *inner, const side *outer)
{
    double best = 1.1 * SPACE_DEPTH_STEP * SPACE_DEPTH_STEPS;
    for (uint32_t i = 0; i < inner->shape->piece_count; i++)
        best = nearest_within(
            outer, v3_add(inner->vertex[inner->shape->piece[i]], inner->by),
            best);
    return best - 4 * SPACE_TOUCH;
}

/* Does any pair of triangles cut? First those that cut last, of this draw or of
 * the other one, which differs by a hair; then what is near them; then all. */
static bool surfaces_cut(const side *a,
                         const side *b,
                         intersect_cache *cache,
                         int draw)
{
    if (cache->known[draw] && pair_cuts(a, cache->a[draw], b, cache->b[draw]))
        return true;
    first_pair pair = {cache->a[draw], cache->b[draw]};
    if (draw == 1 && cache->known[0] &&
        pair_cuts(a, cache->a[0], b, cache->b[0]))
        pair = (first_pair){cache->a[0], cache->b[0]};
    else if (!(cache->known[draw] && cuts_near(a, b, &pair)) &&
             !side_walk_pairs(a, b, SPACE_TOUCH, visit_first, &pair))
        return false;
    cache->known[draw] = true;
    cache->a[draw] = pair.a;
    cache->b[draw] = pair.b;
    return true;
}

/* Two objects where they stand, posed; borrowed from the space. */
typedef struct posed_pair {
    object_state *a, *b;
} posed_pair;

/* Both with their vertices where they stand. */
static etna_code pair_pose(
    space *sp, uint32_t a, uint32_t b, posed_pair *ret, etna_error *err)
{
    etna_code code = space_posed(sp, a, &ret->a, err);
    return code ? code : space_posed(sp, b, &ret->b, err);
}

/* All triangles of an object where it stands. */
static side side_of(const object_state *o)
{
    return (side){o->shape, o->nodes, o->vertex, {0, 0, 0}, NULL};
}

/* ---- the question ---- By `by`, a is moved. The cache remembers the pair of
 * triangles that cut, and how far one may go within the other, for the next
 * question about the same two. */
etna_code intersect_overlap(space *sp,
                            uint32_t a,
                            uint32_t b,
                            vec3 by,
                            intersect_cache *cache,
                            bool *ret,
                            etna_error *err)
{
    posed_pair p = {NULL, NULL};
    etna_code code = pair_pose(sp, a, b, &p, err);
    if (code)
        return code;
    object_state *const pa = p.a, *const pb = p.b;
    bool overlap =
        pa->shape->triangle_count > 0 && pb->shape->triangle_count > 0;
    for (int draw = 0; draw < 2 && overlap; draw++) { /* 0: a drawn in, 1: b */
        side sa = {pa->shape, pa->nodes, draw == 0 ? pa->shrunk : pa->vertex,
                   by, NULL};
        side sb = {pb->shape,
                   pb->nodes,
                   draw == 1 ? pb->shrunk : pb->vertex,
                   {0, 0, 0},
                   NULL};
        if (v3_length(by) < cache->inside[draw] ||
            surfaces_cut(&sa, &sb, cache, draw))
            continue;
        code = side_encloses(sp, &sa, sb, b, &overlap, err);
        bool a_within = overlap;
        if (!code && !overlap)
            code = side_encloses(sp, &sb, sa, a, &overlap, err);
        if (code)
            return code;
        if (overlap && !(cache->inside[draw] > 0))
            cache->inside[draw] = (a_within ? side_clearance(&sa, &sb)
                                            : side_clearance(&sb, &sa)) -
                                  v3_length(by);
    }
    *ret = overlap;
    return ETNA_OK;
}

/* ---- which triangles ---- */
typedef struct marks {
    uint8_t *a, *b;
} marks;

/* Marks all pairs that cut. */
static bool visit_mark(
    void *context, uint32_t i, const vec3 a[3], uint32_t k, const vec3 b[3])
{
    marks *m = context;
    if (!(m->a[i] && m->b[k]) && triangle_cut(a, b))
        m->a[i] = m->b[k] = 1;
    return false;
}

/* Zero where the triangles face every way. */
static vec3 mean_normal(const side *s, const uint8_t *marked)
{
    vec3 sum = {0, 0, 0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->shape->triangle_count; i++) {
        vec3 t[3];
        if (!marked[i])
            continue;
        side_triangle(s, i, t);
        sum = v3_add(
            sum, v3_normal(v3_cross(v3_sub(t[1], t[0]), v3_sub(t[2], t[0]))));
        n++;
    }
    return n && v3_length(sum) > 1e-3 * n ? v3_normal(sum) : v3(0, 0, 0);
}

/* Mean normals of the triangles that cut, for a direction to move apart in. */
etna_code cut_normals(space *sp,
                      uint32_t a,
                      uint32_t b,
                      vec3 *ret_a,
                      vec3 *ret_b,
                      etna_error *err)
{
    posed_pair p = {NULL, NULL};
    etna_code code = pair_pose(sp, a, b, &p, err);
    if (code)
        return code;
    const side sa = side_of(p.a);
    const side sb = side_of(p.b);
    marks m = {calloc((size_t)p.a->shape->triangle_count + 1, 1),
               calloc((size_t)p.b->shape->triangle_count + 1, 1)};
    if (m.a && m.b) {
        side_walk_pairs(&sa, &sb, 0, visit_mark, &m);
        *ret_a = mean_normal(&sa, m.a);
        *ret_b = mean_normal(&sb, m.b);
    } else {
        code = etna_fail(err, ETNA_E_NOMEM,
                         "space: no memory to mark crossing triangles");
    }
    free(m.a);
    free(m.b);
    return code;
}

/* Ends the walk at the first pair that is near enough. */
static bool visit_near(
    void *context, uint32_t i, const vec3 a[3], uint32_t k, const vec3 b[3])
{
    (void)i;
    (void)k;
    double limit = *(double *)context;
    return triangle_distance2(a, b) <= limit * limit;
}

/* Metres; exact. */
etna_code intersect_within(
    space *sp, uint32_t a, uint32_t b, double limit, bool *ret, etna_error *err)
{
    posed_pair p = {NULL, NULL};
    etna_code code = pair_pose(sp, a, b, &p, err);
    if (code)
        return code;
    const side sa = side_of(p.a);
    const side sb = side_of(p.b);
    *ret = side_walk_pairs(&sa, &sb, limit, visit_near, &limit);
    return ETNA_OK;
}
