/* Exactly where one object's surface lies over another's: two triangles,
 * projected onto the ground, share a convex piece, on which the gap between
 * them is linear. What of it has a gap within the limits is contact. The 16 x
 * 16 points of an underside see tables and floors; a plate's rim, a grate,
 * slats or crumpled cloth slip through between them. */
#include "worker/space/space_internal.h"

typedef struct piece {
    vec3 corner[CONTACT_CORNERS];
    uint32_t count;
} piece;

/* Keeps what has value >= 0; `value` is of each corner and linear between. */
static void piece_clip(piece *p, const double value[CONTACT_CORNERS])
{
    piece kept = {.count = 0};
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t next = (i + 1) % p->count;
        bool in = value[i] >= 0;
        bool next_in = value[next] >= 0;
        if (in && kept.count < CONTACT_CORNERS)
            kept.corner[kept.count++] = p->corner[i];
        if (in == next_in || kept.count == CONTACT_CORNERS)
            continue;
        double t = value[i] / (value[i] - value[next]);
        kept.corner[kept.count++] = v3_add_scaled(
            p->corner[i], v3_sub(p->corner[next], p->corner[i]), t);
    }
    *p = kept;
}

/* Twice the signed area of the projection. */
static double ground_area(const vec3 t[3])
{
    return (t[1].x - t[0].x) * (t[2].y - t[0].y) -
           (t[1].y - t[0].y) * (t[2].x - t[0].x);
}

/* Keeps what lies within the triangle's projection, whose area is not 0. */
static void piece_within(piece *p, const vec3 t[3], double area)
{
    double side = area > 0 ? 1 : -1;
    double value[CONTACT_CORNERS];
    for (int k = 0; k < 3 && p->count > 0; k++) {
        vec3 a = t[k];
        vec3 b = t[(k + 1) % 3];
        for (uint32_t i = 0; i < p->count; i++) {
            vec3 c = p->corner[i];
            value[i] =
                side * ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
        }
        piece_clip(p, value);
    }
}

/* Height of the triangle's plane over (x, y). */
static double height_at(const vec3 t[3], double area, double x, double y)
{
    double v =
        ((x - t[0].x) * (t[2].y - t[0].y) - (y - t[0].y) * (t[2].x - t[0].x)) /
        area;
    double w =
        ((t[1].x - t[0].x) * (y - t[0].y) - (t[1].y - t[0].y) * (x - t[0].x)) /
        area;
    return t[0].z + v * (t[1].z - t[0].z) + w * (t[2].z - t[0].z);
}

typedef struct contact {
    double below, above;
    contact_visit visit;
    void *context;
    uint32_t pairs;
} contact;

#define CONTACT_STEEP \
    0.02 /* n.z of a face: steeper ones only slide along what they touch */

/* Twice its own area, times what its normal has of Z. */
static bool is_steep(const vec3 t[3], double area)
{
    vec3 n = v3_cross(v3_sub(t[1], t[0]), v3_sub(t[2], t[0]));
    return fabs(area) <= CONTACT_STEEP * v3_length(n);
}

/* Onto the triangle's plane, straight up or down. */
static void piece_lift(piece *p, const vec3 triangle[3], double area)
{
    for (uint32_t i = 0; i < p->count; i++)
        p->corner[i].z =
            height_at(triangle, area, p->corner[i].x, p->corner[i].y);
}

/* The piece of `own` over `other`, on own's surface. The wider projection
 * bounds the other one's, so that the upper edge of an upright sheet carries,
 * too. */
static bool contact_triangles(const contact *c,
                              const vec3 own[3],
                              const vec3 other[3])
{
    const double least = SPACE_NOISE * SPACE_NOISE;
    double area_own = ground_area(own);
    double area_other = ground_area(other);
    bool by_other = fabs(area_other) >= fabs(area_own);
    const vec3 *wide = by_other ? other : own;
    const vec3 *cut = by_other ? own : other;
    double area = by_other ? area_other : area_own;
    double value[CONTACT_CORNERS];
    if (!(fabs(area) > least) || is_steep(own, area_own))
        return false;
    piece p = {{cut[0], cut[1], cut[2]}, 3};
    piece_within(&p, wide, area);
    for (int limit = 0; limit < 2 && p.count > 0; limit++) {
        for (uint32_t i = 0; i < p.count; i++) {
            double high = height_at(wide, area, p.corner[i].x, p.corner[i].y);
            double gap = by_other ? p.corner[i].z - high : high - p.corner[i].z;
            value[i] = limit == 0 ? c->below - gap : gap + c->above;
        }
        piece_clip(&p, value);
    }
    if (!by_other)
        piece_lift(&p, wide, area);
    return p.count > 0 && c->visit(c->context, p.corner, p.count);
}

/* Over one another, with the gap within the limits; the boxes' sides may
 * touch. */
static bool contact_boxes_meet(const contact *c,
                               const box3 *own,
                               const box3 *other)
{
    bool is_along = own->min.x <= other->max.x && other->min.x <= own->max.x;
    bool is_over =
        is_along && own->min.y <= other->max.y && other->min.y <= own->max.y;
    return is_over && own->min.z - c->below <= other->max.z &&
           other->min.z <= own->max.z + c->above;
}

/* True: `visit` has seen enough, or there are too many pairs. Then what was
 * found so far decides. */
static bool contact_leaves(contact *c,
                           const object_state *a,
                           const bvh_node *na,
                           const object_state *b,
                           const bvh_node *nb)
{
    for (uint32_t i = na->first; i < na->first + na->count; i++) {
        const uint32_t *t = a->shape->index + 3 * (size_t)i;
        vec3 own[3] = {a->vertex[t[0]], a->vertex[t[1]], a->vertex[t[2]]};
        box3 mine = {v3_min(own[0], v3_min(own[1], own[2])),
                     v3_max(own[0], v3_max(own[1], own[2]))};
        if (!contact_boxes_meet(c, &mine, &nb->box))
            continue;
        for (uint32_t k = nb->first; k < nb->first + nb->count; k++) {
            const uint32_t *u = b->shape->index + 3 * (size_t)k;
            vec3 other[3] = {b->vertex[u[0]], b->vertex[u[1]], b->vertex[u[2]]};
            if (++c->pairs > CONTACT_PAIRS_MAX ||
                contact_triangles(c, own, other))
                return true;
        }
    }
    return false;
}

static void contact_trees(contact *c,
                          const object_state *a,
                          const object_state *b)
{
    struct {
        uint32_t a, b;
    } stack[2 * BVH_STACK];
    uint32_t top = 0;
    if (a->shape->triangle_count == 0 || b->shape->triangle_count == 0)
        return;
    stack[top].a = 0;
    stack[top++].b = 0;
    while (top > 0) {
        top--;
        const bvh_node *na = &a->nodes[stack[top].a];
        const bvh_node *nb = &b->nodes[stack[top].b];
        uint32_t ia = stack[top].a;
        uint32_t ib = stack[top].b;
        if (!contact_boxes_meet(c, &na->box, &nb->box))
            continue;
        if (na->count && nb->count) {
            if (contact_leaves(c, a, na, b, nb))
                return;
            continue;
        }
        bool open_a = bvh_opens_first(na, nb);
        for (uint32_t k = 2; k-- > 0;) {
            stack[top].a = open_a ? na->first + k : ia;
            stack[top++].b = open_a ? ib : nb->first + k;
        }
    }
}

etna_code contact_walk(space *sp,
                       uint32_t object,
                       uint32_t other,
                       double below,
                       double above,
                       contact_visit visit,
                       void *context,
                       etna_error *err)
{
    object_state *a = NULL, *b = NULL;
    contact c = {below, above, visit, context, 0};
    etna_code code = space_posed(sp, object, &a, err);
    if (!code)
        code = space_posed(sp, other, &b, err);
    if (!code)
        contact_trees(&c, a, b);
    return code;
}
