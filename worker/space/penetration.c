/* How deep do two objects overlap, and is that a collision? METHODS.md 6.
 *
 * Depth is the least way a must go to be free of b, over a few directions. All
 * directions march together, 1 mm a step: the first step at which any of them
 * is free holds the least one, and bisection within that step finds it. Each
 * direction remembers the triangles that cut last; mostly they still do.
 *
 * A verdict needs no depth: one step within the threshold at which one
 * direction is free clears the pair, whichever it is. So the likeliest are
 * asked first, and only a pair that collides is asked at every step. */
#include "worker/space/space_internal.h"

#include <assert.h>
#include <stdlib.h>

/* 6 axes of both boxes both ways, the same of the surfaces' normals and of the
 * centres; how many are likely enough to be asked first */
enum {
    DIRECTIONS_MAX = 36,
    LIKELY = 2
};
#define DEPTH_DIGIT 1e-4 /* metres: as far as a depth is bisected */

/* One pair's question: of a, which goes out of b. */
typedef struct march {
    space *sp;
    uint32_t a, b;
    etna_error *err;
    vec3 direction[DIRECTIONS_MAX];
    intersect_cache cache[DIRECTIONS_MAX];
    uint32_t count;
    overlap_proof proof;
} march;

/* ± d, unless it is there. */
static void add_axis(march *m, vec3 d)
{
    if (v3_length(d) < 0.5)
        return;
    for (uint32_t i = 0; i < m->count; i++) {
        vec3 c = v3_cross(m->direction[i], d);
        if (v3_dot(c, c) < 1e-12)
            return;
    }
    if (m->count + 2 > DIRECTIONS_MAX)
        return;
    m->direction[m->count++] = d;
    m->direction[m->count++] = v3_scale(d, -1);
}

static void box_axes(const scene_box *box, vec3 ret[3])
{
    double s, c;
    math_sincos(box->yaw, &s, &c);
    ret[0] = v3(c, s, 0);
    ret[1] = v3(-s, c, 0);
    ret[2] = v3(0, 0, 1);
}

/* The directions that follow from the boxes alone; they come first. */
static void box_directions(march *m)
{
    scene_box box_a = space_box(m->sp, m->a);
    scene_box box_b = space_box(m->sp, m->b);
    vec3 axis_a[3], axis_b[3];
    box_axes(&box_a, axis_a);
    box_axes(&box_b, axis_b);
    add_axis(m, v3(0, 0, 1));
    for (int i = 0; i < 3; i++)
        add_axis(m, axis_a[i]);
    for (int i = 0; i < 3; i++)
        add_axis(m, axis_b[i]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            vec3 c = v3_cross(axis_a[i], axis_b[k]);
            if (v3_length(c) > 1e-6)
                add_axis(m, v3_normal(c));
        }
}

/* The rest, that needs the triangles. */
static etna_code normal_directions(march *m)
{
    vec3 normal_a = {0, 0, 0};
    vec3 normal_b = {0, 0, 0};
    etna_code code =
        cut_normals(m->sp, m->a, m->b, &normal_a, &normal_b, m->err);
    add_axis(m, normal_a);
    add_axis(m, normal_b);
    return code;
}

/* A proof first, which costs next to nothing; the exact test where it says
 * nothing. */
static etna_code overlap_at(march *m, uint32_t direction, double t, bool *ret)
{
    vec3 by = v3_scale(m->direction[direction], t);
    etna_code code =
        overlap_still(m->sp, m->a, m->b, &m->proof, by, ret, m->err);
    return code || *ret ? code
                        : intersect_overlap(m->sp, m->a, m->b, by,
                                            &m->cache[direction], ret, m->err);
}

/* Bisects between `low` (overlaps) and `high` (free), 0.1 mm apart at the
 * end. */
static etna_code penetration_bisect(
    march *m, uint32_t direction, double low, double high, double *ret)
{
    while (high - low > DEPTH_DIGIT) {
        double middle = 0.5 * (low + high);
        bool overlap = false;
        etna_code code = overlap_at(m, direction, middle, &overlap);
        if (code)
            return code;
        if (overlap)
            low = middle;
        else
            high = middle;
    }
    *ret = high;
    return ETNA_OK;
}

/* The least free way from step `first` on, looking no farther than `steps`;
 * INFINITY when there is none. */
static etna_code march_out(march *m,
                           uint32_t first,
                           uint32_t steps,
                           double *ret)
{
    double best = INFINITY;
    for (uint32_t k = first; k <= steps && !(best < INFINITY); k++) {
        for (uint32_t i = 0; i < m->count; i++) {
            bool overlap = true;
            etna_code code = overlap_at(m, i, k * SPACE_DEPTH_STEP, &overlap);
            if (code)
                return code;
            if (overlap)
                continue;
            double low = (k - 1) * SPACE_DEPTH_STEP;
            double high = k * SPACE_DEPTH_STEP;
            /* no better than what another direction has within this step? */
            if (best < high) {
                code = overlap_at(m, i, best, &overlap);
                if (code)
                    return code;
                if (overlap)
                    continue;
                high = best;
            }
            code = penetration_bisect(m, i, low, high, &best);
            if (code)
                return code;
        }
    }
    *ret = best;
    return ETNA_OK;
}

static double least_side(const scene_object *o)
{
    vec3 h = o->box.half;
    double least = math_min(h.x, h.y);
    return 2 * math_min(h.z, least);
}

/* A quarter of the thinner one is how much of it may be lost in the other. A
 * floor of one sheet has no thickness to lose: what sinks a millimetre into it
 * is judged by its own size, as on a floor with a thickness. */
#define SHEET 0.001

/* METHODS.md 6: a quarter of the thinner object, at most 1 cm, at least half a
 * millimetre; VULCAN's rule is 1 cm for all. */
static double threshold(const scene *s,
                        uint32_t a,
                        uint32_t b,
                        const space_rules *rules)
{
    if (rules && rules->paper_collision)
        return 0.01;
    double side_a = least_side(&s->objects[a]);
    double side_b = least_side(&s->objects[b]);
    double quarter;
    if (side_a < SHEET)
        side_a = side_b;
    if (side_b < SHEET)
        side_b = side_a;
    quarter = math_min(side_a, side_b) / 4;
    double limit = math_min(quarter, 0.01);
    return limit > 0.0005 ? limit : 0.0005;
}

/* How far a must go along unit direction d for its box to be free of b's. */
static double box_way(const vec3 corner_a[8], const vec3 corner_b[8], vec3 d)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 8; i++) {
        double at_a = v3_dot(corner_a[i], d);
        double at_b = v3_dot(corner_b[i], d);
        low = math_min(at_a, low);
        high = math_max(at_b, high);
    }
    return high - low;
}

/* Is one of the ways that depth is measured along free at the threshold, as the
 * boxes say? Then it is no collision, whatever the triangles: most of what
 * touches in a room stands on something. */
static bool boxes_part(const space *sp, uint32_t a, uint32_t b, double limit)
{
    scene_box box_a = space_box(sp, a);
    scene_box box_b = space_box(sp, b);
    vec3 corner_a[8], corner_b[8], axis[6];
    scene_box_corners(&box_a, corner_a);
    scene_box_corners(&box_b, corner_b);
    box_axes(&box_a, axis);
    box_axes(&box_b, axis + 3);
    /* the march would end up to a digit higher; corners round on other ways */
    limit -= DEPTH_DIGIT + 4 * SPACE_NOISE;
    for (int i = 0; i < 6; i++)
        if (box_way(corner_a, corner_b, axis[i]) <= limit ||
            box_way(corner_a, corner_b, v3_scale(axis[i], -1)) <= limit)
            return true;
    return false;
}

static etna_code free_along(march *m, uint32_t direction, uint32_t k, bool *ret)
{
    bool overlap = true;
    etna_code code = overlap_at(m, direction, k * SPACE_DEPTH_STEP, &overlap);
    *ret = !code && !overlap;
    return code;
}

/* Does a come free of b at step `k` of any direction from number `first` on?
 * `order`: of all, NULL: as they are. */
static etna_code free_at(
    march *m, uint32_t first, const uint32_t *order, uint32_t k, bool *ret)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = first; i < m->count && !*ret && !code; i++)
        code = free_along(m, order ? order[i] : i, k, ret);
    return code;
}

/* The directions along which a's box has the least way out of b's come first:
 * mostly its triangles do, too. */
static void rank_directions(const march *m, uint32_t order[DIRECTIONS_MAX])
{
    scene_box box_a = space_box(m->sp, m->a);
    scene_box box_b = space_box(m->sp, m->b);
    vec3 corner_a[8], corner_b[8];
    double way[DIRECTIONS_MAX];
    scene_box_corners(&box_a, corner_a);
    scene_box_corners(&box_b, corner_b);
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t k = i;
        way[i] = box_way(corner_a, corner_b, m->direction[i]);
        for (; k > 0 && way[order[k - 1]] > way[i]; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
}

/* The direction most along `n` comes first. */
static void march_prefer(const march *m, vec3 n, uint32_t order[DIRECTIONS_MAX])
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < m->count; i++)
        if (v3_dot(m->direction[order[i]], n) >
            v3_dot(m->direction[order[best]], n))
            best = i;
    uint32_t first = order[best];
    for (; best > 0; best--)
        order[best] = order[best - 1];
    order[0] = first;
}

static vec3 normal_of(const object_state *p, uint32_t triangle)
{
    const uint32_t *t = p->shape->index + 3 * (size_t)triangle;
    return v3_normal(v3_cross(v3_sub(p->vertex[t[1]], p->vertex[t[0]]),
                              v3_sub(p->vertex[t[2]], p->vertex[t[0]])));
}

/* Where surfaces cut, one is left across it: away from what a enters, or back
 * along what of it enters. */
static etna_code prefer_normals(const march *m, uint32_t order[DIRECTIONS_MAX])
{
    object_state *pa = NULL, *pb = NULL;
    if (!m->cache[0].known[0])
        return ETNA_OK; /* one lies in the other */
    etna_code code = space_posed(m->sp, m->a, &pa, m->err);
    if (!code)
        code = space_posed(m->sp, m->b, &pb, m->err);
    if (code)
        return code;
    march_prefer(m, v3_scale(normal_of(pa, m->cache[0].a[0]), -1), order);
    march_prefer(m, normal_of(pb, m->cache[0].b[0]), order);
    return ETNA_OK;
}

/* Whether some direction is free after at most `full` whole steps: the boxes'
 * at the last of them, in the given order, then the surfaces' normals, then all
 * at the steps before, the longest first. */
static etna_code free_within(march *m,
                             const uint32_t *order,
                             uint32_t full,
                             bool *ret_free)
{
    uint32_t boxes = m->count;
    etna_code code = ETNA_OK;
    if (full > 0)
        code = free_at(m, 0, order, full, ret_free);
    if (code || *ret_free)
        return code;
    code = normal_directions(m);
    if (!code && full > 0)
        code = free_at(m, boxes, NULL, full, ret_free);
    for (uint32_t k = full; k > 1 && !code && !*ret_free; k--)
        code = free_at(m, 0, NULL, k - 1, ret_free);
    return code;
}

/* Is the way out longer than `limit`, where a and b overlap as they stand? As
 * march_out would say, in another order. */
static etna_code penetration_exceeds(march *m, double limit, bool *ret)
{
    uint32_t order[DIRECTIONS_MAX], full = 0;
    uint32_t steps = (uint32_t)ceil(limit / SPACE_DEPTH_STEP - 1e-9);
    bool is_free = false;
    while (full < steps && (full + 1) * SPACE_DEPTH_STEP <= limit)
        full++; /* a last one may reach beyond the limit */
    box_directions(m);
    rank_directions(m, order);
    etna_code code = prefer_normals(m, order);
    if (code)
        return code;
    for (uint32_t i = 0; i < LIKELY && full > 0; i++) {
        code = free_along(m, order[i], full, &is_free);
        if (code || is_free)
            goto done;
    }
    code = overlap_lower_bound(m->sp, m->a, m->b, &m->cache[0], limit,
                               &m->proof, m->err);
    if (code || m->proof.way >= limit)
        goto done; /* so deep, all that is free is farther */
    code = free_within(m, order, full, &is_free);
    if (code || is_free || full == steps)
        goto done;
    double way = INFINITY;
    code = march_out(m, full + 1, steps, &way);
    is_free = way <= limit;
done:
    *ret = !is_free;
    return code;
}

/* Steps that the proven bound covers are skipped. */
static etna_code find_depth(march *m, double limit, space_pair *pair)
{
    double way = INFINITY;
    uint32_t first = 1; /* the first step at which one of them may be free */
    etna_code code = overlap_lower_bound(m->sp, m->a, m->b, &m->cache[0],
                                         SPACE_DEPTH_STEP * SPACE_DEPTH_STEPS,
                                         &m->proof, m->err);
    while (first <= SPACE_DEPTH_STEPS &&
           first * SPACE_DEPTH_STEP <= m->proof.way)
        first++;
    if (!code && first <= SPACE_DEPTH_STEPS) {
        box_directions(m);
        code = normal_directions(m);
    }
    if (!code)
        code = march_out(m, first, SPACE_DEPTH_STEPS, &way);
    pair->depth = way < INFINITY ? way : SPACE_DEPTH_STEP * SPACE_DEPTH_STEPS;
    pair->deeper = !(way < INFINITY);
    pair->collides = way > limit;
    return code;
}

static etna_code pair_measure(march *m,
                              double limit,
                              bool want_depth,
                              space_pair *pair)
{
    if (want_depth)
        return find_depth(m, limit, pair);
    pair->depth = limit;
    return penetration_exceeds(m, limit, &pair->collides);
}

/* Apart by their boxes, then by one of the ways that depth is measured along,
 * then by triangles. */
static etna_code pair_check(space *sp,
                            uint32_t a,
                            uint32_t b,
                            const space_rules *rules,
                            bool want_depth,
                            space_pair *ret,
                            etna_error *err)
{
    const scene *s = sp->shared->scene;
    space_pair pair = {.a = a, .b = b};
    double limit = threshold(s, a, b, rules);
    bool are_apart =
        !box3_meet(&sp->object_state[a].box, &sp->object_state[b].box, 0);
    if (are_apart || (!want_depth && boxes_part(sp, a, b, limit))) {
        *ret = pair;
        return ETNA_OK;
    }
    march *m = calloc(1, sizeof *m);
    if (!m)
        return etna_fail(err, ETNA_E_NOMEM, "space: no memory");
    m->sp = sp;
    m->a = a;
    m->b = b;
    m->err = err;
    bool overlap = false;
    etna_code code =
        intersect_overlap(sp, a, b, v3(0, 0, 0), &m->cache[0], &overlap, err);
    for (uint32_t i = 1; i < DIRECTIONS_MAX; i++)
        m->cache[i] = m->cache[0];
    if (!code && overlap)
        code = pair_measure(m, limit, want_depth, &pair);
    free(m);
    if (!code)
        *ret = pair;
    return code;
}

/* Of two the one with the lower number goes out of the other, whoever asks: a
 * depth at the very threshold is the same collision to the check of an edit and
 * to that of a file. */
etna_code space_pair_check(space *sp,
                           uint32_t a,
                           uint32_t b,
                           const space_rules *rules,
                           bool want_depth,
                           space_pair *ret,
                           etna_error *err)
{
    const scene *s = sp->shared->scene;
    if (a >= s->object_count || b >= s->object_count || a == b)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "space: no pair of objects %u and %u of %u", a, b,
                         s->object_count);
    space_pair pair;
    const bool swap = a > b;
    etna_code code = pair_check(sp, swap ? b : a, swap ? a : b, rules,
                                want_depth, &pair, err);
    if (code != ETNA_OK)
        return code;
    pair.a = a;
    pair.b = b;
    *ret = pair;
    return ETNA_OK;
}

etna_code space_collisions(space *sp,
                           uint32_t object,
                           const space_rules *rules,
                           space_pair *found,
                           uint32_t room,
                           uint32_t *ret_count,
                           etna_error *err)
{
    return space_collisions_from(sp, object, 0, rules, found, room, ret_count,
                                 err);
}

/* From object `first` on, ascending, at most `room`: callers who look for the
 * next one go on from the last. */
etna_code space_collisions_from(space *sp,
                                uint32_t object,
                                uint32_t first,
                                const space_rules *rules,
                                space_pair *found,
                                uint32_t room,
                                uint32_t *ret_count,
                                etna_error *err)
{
    const scene *s = sp->shared->scene;
    const uint32_t *near = NULL;
    uint32_t count = 0, near_count = 0;
    if (object >= s->object_count)
        return etna_fail(err, ETNA_E_INTERNAL, "space: object %u of %u", object,
                         s->object_count);
    etna_code code = broad_phase_near(sp->broad_phase, sp->object_state,
                                      &sp->object_state[object].box, 0, &near,
                                      &near_count, err);
    for (uint32_t i = 0; i < near_count && count < room && !code; i++) {
        space_pair pair;
        if (near[i] == object || near[i] < first)
            continue;
        code = space_pair_check(sp, object, near[i], rules, false, &pair, err);
        if (!code && pair.collides)
            found[count++] = pair;
    }
    if (!code)
        *ret_count = count;
    return code;
}

/* How deep it is in static things, in metres; 0 where that is nowhere, or
 * deeper than is measured. */
etna_code space_sunk(space *sp,
                     uint32_t object,
                     const space_rules *rules,
                     double *ret,
                     etna_error *err)
{
    assert(object < sp->shared->scene->object_count);
    const scene *s = sp->shared->scene;
    double deepest = 0;
    bool measured = true;
    for (uint32_t first = 0;;) {
        space_pair pair;
        uint32_t count = 0;
        etna_code code = space_collisions_from(sp, object, first, rules, &pair,
                                               1, &count, err);
        if (code != ETNA_OK)
            return code;
        if (count == 0)
            break;
        first = pair.b + 1;
        if (!s->objects[pair.b].is_static)
            continue;
        code = space_pair_check(sp, object, pair.b, rules, true, &pair, err);
        if (code != ETNA_OK)
            return code;
        measured = measured && !pair.deeper;
        deepest = math_max(pair.depth, deepest);
    }
    *ret = measured ? deepest : 0;
    return ETNA_OK;
}

bool space_sunk_hangs(const space *sp, uint32_t object, uint8_t support)
{
    assert(object < sp->shared->scene->object_count);
    if (support == SUPPORT_ATTACHED || support == SUPPORT_HOVERING)
        return true;
    if (support != SUPPORT_GROUNDED)
        return false;
    scene_box box = space_box(sp, object);
    space_ray ray = {.origin = box.centre,
                     .direction = {0, 0, -1},
                     .t_max = box.half.z + LOAD_GAP,
                     .skip_object = object,
                     .only_object = SCENE_NONE};
    space_hit hit;
    return !space_cast_all(sp, &ray, &hit);
}
