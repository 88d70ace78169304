/* What one object stands on, and whether it is balanced there: the rays of its
 * grid, the hull of the points that are supported, its corners followed to the
 * edge, and the exact pieces of contact. support.c says by which rules. */
#include "worker/space/support_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    FOLLOW_MAX = 56, /* 9 * FOLLOW_MAX <= UNDERSIDE_POINTS_MAX */
    FOLLOW_STEPS = 7
};
#define HULL_GROWTH 0.005 /* metres: how far beyond the hull still balances */

/* ---- points ---- */

/* Where a file has no floor. */
static bool stands_on_level(const support_work *w, const underside_sample *p)
{
    double drop = level_drop(w->sp, p->at);
    return drop >= -p->above && drop <= UNDERSIDE_REACH;
}

/* May anyone be within reach of a point, as the boxes say? `unknown`: anyone
 * who is not yet known to support the object. Most rays would ask whether there
 * is a second supporter where there is no other thing at all. */
static bool reachable(const support_work *w,
                      uint32_t object,
                      const underside_sample *p,
                      bool unknown)
{
    const double slack = 1e-5; /* of rounding */
    if (!unknown && stands_on_level(w, p))
        return true;
    box3 line = {v3_sub(p->at, v3(0, 0, UNDERSIDE_REACH)),
                 v3_add(p->at, v3(0, 0, p->above))};
    for (uint32_t i = 0; i < w->around_count; i++)
        if (w->around[i] != object &&
            box3_meet(&w->sp->object_state[w->around[i]].box, &line, slack) &&
            !(unknown && support_has_edge(w, object, w->around[i])))
            return true;
    return false;
}

/* Which things are within reach of a point; *ret_gap: how far the next surface
 * is, 0 when one is within reach. */
static etna_code probe_things(support_work *w,
                              uint32_t object,
                              const underside_sample *p,
                              double *ret_gap,
                              bool *ret_supported,
                              etna_error *err)
{
    space_ray down = {.origin = v3_add(p->at, v3(0, 0, SUPPORT_START_ABOVE)),
                      .direction = {0, 0, -1}};
    down.t_max = INFINITY;
    down.skip_object = object;
    down.only_object = SCENE_NONE;
    down.t_min = SUPPORT_START_ABOVE - p->above - 1e-6;
    space_hit hit;
    *ret_supported = false;
    *ret_gap = INFINITY;
    while (space_cast_all(w->sp, &down, &hit)) {
        if (hit.t > SUPPORT_START_ABOVE + UNDERSIDE_REACH) {
            *ret_gap = *ret_supported ? 0 : hit.t - SUPPORT_START_ABOVE;
            return ETNA_OK;
        }
        *ret_supported = true;
        *ret_gap = 0;
        etna_code code = support_add_edge(w, object, hit.object, err);
        if (code || !reachable(w, object, p, true))
            return code;
        down.t_min = hit.t + 1e-5;
        down.t_max = SUPPORT_START_ABOVE + UNDERSIDE_REACH;
    }
    return ETNA_OK;
}

/* The same with the level. */
static etna_code probe_point(support_work *w,
                             uint32_t object,
                             const underside_sample *p,
                             double *ret_gap,
                             bool *ret_supported,
                             etna_error *err)
{
    double drop = level_drop(w->sp, p->at);
    etna_code code = probe_things(w, object, p, ret_gap, ret_supported, err);
    if (code)
        return code;
    if (stands_on_level(w, p)) {
        w->on_level[object] = true;
        *ret_supported = true;
        *ret_gap = 0;
    } else if (drop > 0 && drop < *ret_gap) {
        *ret_gap = drop;
    }
    return ETNA_OK;
}

/* ---- hull ---- */

/* From left to right, then upward. */
static int compare_vec2(const void *a, const void *b)
{
    const vec2 *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/* Monotone chain, counter-clockwise; `hull` has room for count + 1. */
static uint32_t hull_of(vec2 *points, uint32_t count, vec2 *hull)
{
    uint32_t n = 0;
    qsort(points, count, sizeof *points, compare_vec2);
    if (count < 3) {
        memcpy(hull, points, count * sizeof *hull);
        return count;
    }
    for (uint32_t i = 0; i < count; i++) {
        while (n >= 2 && v2_turn(hull[n - 2], hull[n - 1], points[i]) <= 0)
            n--;
        hull[n++] = points[i];
    }
    for (uint32_t i = count - 1, lower = n + 1; i-- > 0;) {
        while (n >= lower && v2_turn(hull[n - 2], hull[n - 1], points[i]) <= 0)
            n--;
        hull[n++] = points[i];
    }
    return n > 1 ? n - 1 : n;
}

/* Distance, metres. */
static double to_segment(vec2 p, vec2 a, vec2 b)
{
    double dx = b.x - a.x;
    double dy = b.y - a.y;
    double l = dx * dx + dy * dy;
    double t = l > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / l : 0;
    t = math_clamp(t, 0, 1);
    double x = p.x - a.x - t * dx;
    double y = p.y - a.y - t * dy;
    return sqrt(x * x + y * y);
}

/* Corners go counterclockwise; the edge is within. */
static bool within_hull(const vec2 *hull, uint32_t n, vec2 p)
{
    bool inside = n >= 3;
    for (uint32_t i = 0; i < n && inside; i++)
        inside = v2_turn(hull[i], hull[(i + 1) % n], p) >= 0;
    return inside;
}

/* Within the hull or less than HULL_GROWTH from one of its sides; a hull of one
 * or two points has sides only. */
static bool over_hull(const vec2 *hull, uint32_t n, vec2 p)
{
    bool inside = n >= 3;
    for (uint32_t i = 0; i < n; i++) {
        vec2 a = hull[i];
        vec2 b = hull[(i + 1) % n];
        if (to_segment(p, a, b) <= HULL_GROWTH)
            return true;
        inside = inside && v2_turn(a, b, p) >= 0;
    }
    return inside;
}

/* Metres from the hull to a place beyond it; 0 within, and where there is no
 * hull. */
static double beyond_hull(const vec2 *hull, uint32_t n, vec2 p)
{
    double nearest = INFINITY;
    if (n == 0 || within_hull(hull, n, p))
        return 0;
    for (uint32_t i = 0; i < n; i++) {
        double away = to_segment(p, hull[i], hull[(i + 1) % n]);
        nearest = math_min(nearest, away);
    }
    return nearest;
}

/* ---- one object ---- */

/* Sorts `on`. *ret_corners corners are left in w->hull, for what asks by how
 * much. */
static bool support_balances(support_work *w,
                             uint32_t object,
                             vec2 *on,
                             uint32_t count,
                             uint32_t *ret_corners)
{
    *ret_corners = hull_of(on, count, w->hull);
    return over_hull(w->hull, *ret_corners,
                     (vec2){w->mass[object].x, w->mass[object].y});
}

/* One point of the underside, found anew. */
static etna_code supported_at(support_work *w,
                              uint32_t object,
                              const scene_box *box,
                              double x,
                              double y,
                              bool *ret,
                              etna_error *err)
{
    underside_sample f;
    double gap;
    *ret = false;
    if (!underside_sample_at(w->sp, object, box, x, y, &f) ||
        !reachable(w, object, &f, false))
        return ETNA_OK;
    return probe_point(w, object, &f, &gap, ret, err);
}

/* From a supported corner of the hull outward by one cell of the grid at most:
 * the farthest place still supported. */
static etna_code support_follow(support_work *w,
                                uint32_t object,
                                const scene_box *box,
                                vec2 from,
                                vec2 step,
                                vec2 *ret,
                                etna_error *err)
{
    double low = 0, high = 1;
    for (int i = 0; i < FOLLOW_STEPS; i++) {
        double t = i == 0 ? 1 : 0.5 * (low + high);
        bool stands = false;
        etna_code code = supported_at(w, object, box, from.x + t * step.x,
                                      from.y + t * step.y, &stands, err);
        if (code)
            return code;
        if (stands)
            low = t;
        else
            high = t;
        if (low == 1)
            break;
    }
    *ret = (vec2){from.x + low * step.x, from.y + low * step.y};
    return ETNA_OK;
}

/* The same question once more with the hull's corners followed to where support
 * ends. */
static etna_code balance_closely(support_work *w,
                                 uint32_t object,
                                 uint32_t corners,
                                 etna_error *err)
{
    scene_box box = space_box(w->sp, object);
    double s, c;
    double dx = 2 * box.half.x / UNDERSIDE_GRID;
    double dy = 2 * box.half.y / UNDERSIDE_GRID;
    vec2 from[FOLLOW_MAX], on[UNDERSIDE_POINTS_MAX];
    uint32_t count = 0;
    uint32_t n = corners < FOLLOW_MAX ? corners : FOLLOW_MAX;
    etna_code code = ETNA_OK;
    math_sincos(box.yaw, &s, &c);
    for (uint32_t i = 0; i < n; i++) /* evenly, should there be more */
        from[i] = w->hull[(uint64_t)i * corners / n];
    for (uint32_t i = 0; i < n && !code; i++) {
        on[count++] = from[i];
        for (int k = 0; k < 9 && !code; k++) {
            double x = (k % 3 - 1) * dx;
            double y = (k / 3 - 1) * dy;
            if (k == 4)
                continue;
            code = support_follow(w, object, &box, from[i],
                                  (vec2){c * x - s * y, s * x + c * y},
                                  &on[count++], err);
        }
    }
    if (!code)
        w->balanced[object] = support_balances(w, object, on, count, &n);
    return code;
}

typedef struct touching { /* the pieces of contact with one other object */
    support_work *w;
    uint32_t object, other;
    vec2 *on; /* corners of the hull so far */
    uint32_t count;
    bool balanced, carried;
    etna_code code;
    etna_error *err;
} touching;

/* Is this place of the object's surface its underside? A spoon in a pot does
 * not carry the pot. */
static bool is_underside(const space *sp, uint32_t object, vec3 at)
{
    space_ray down = {.origin = at,
                      .direction = {0, 0, -1},
                      .t_min = SUPPORT_CONTACT_ABOVE,
                      .t_max = INFINITY,
                      .skip_object = SCENE_NONE,
                      .only_object = object};
    space_hit hit;
    return !space_cast_all(sp, &down, &hit);
}

/* Makes room for more points: a hull of so many corners is round, and every
 * second one does. */
static void touching_thin(touching *t, uint32_t more)
{
    if (t->count + more <= UNDERSIDE_POINTS_MAX)
        return;
    for (uint32_t i = 0; 2 * i < t->count; i++)
        t->on[i] = t->on[2 * i];
    t->count = (t->count + 1) / 2;
}

/* Of each piece of contact: is it on the underside, and does it widen the hull?
 * Stops as soon as the mass lies over it. */
static bool touching_visit(void *context, const vec3 *corner, uint32_t count)
{
    touching *t = context;
    bool wider = false;
    vec3 middle = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        wider = wider || !within_hull(t->w->hull, t->count,
                                      (vec2){corner[i].x, corner[i].y});
        middle = v3_add_scaled(middle, corner[i], 1.0 / count);
    }
    if ((t->carried && !wider) || !is_underside(t->w->sp, t->object, middle))
        return false;
    if (!t->carried)
        t->code = support_add_edge(t->w, t->object, t->other, t->err);
    t->carried = true;
    touching_thin(t, count);
    for (uint32_t i = 0; i < count; i++)
        t->on[t->count++] = (vec2){corner[i].x, corner[i].y};
    t->balanced = support_balances(t->w, t->object, t->on, t->count, &t->count);
    memcpy(t->on, t->w->hull, t->count * sizeof *t->on);
    return t->code || t->balanced;
}

/* The same question once more with the exact pieces of contact; `on`: the
 * points that are known. */
static etna_code balance_exactly(
    support_work *w, uint32_t object, vec2 *on, uint32_t count, etna_error *err)
{
    touching t = {.w = w, .object = object, .on = on, .err = err};
    support_balances(w, object, on, count, &t.count);
    memcpy(on, w->hull, t.count * sizeof *on);
    for (uint32_t i = 0; i < w->around_count && !t.balanced && !t.code; i++) {
        etna_code code = ETNA_OK;
        t.other = w->around[i];
        t.carried = support_has_edge(w, object, t.other);
        if (t.other == object)
            continue;
        code = contact_walk(w->sp, object, t.other, UNDERSIDE_REACH,
                            SUPPORT_CONTACT_ABOVE, touching_visit, &t, err);
        t.code = t.code ? t.code : code;
        if (t.carried)
            w->gap[object] = 0;
    }
    w->balanced[object] = t.balanced;
    if (!t.balanced)
        w->overhang[object] = beyond_hull(
            w->hull, t.count, (vec2){w->mass[object].x, w->mass[object].y});
    return t.code;
}

/* How far beyond its own feet the centre of mass would be on a level floor. */
static double overhang_on_level(const support_work *w,
                                uint32_t object,
                                const underside *u)
{
    vec2 on[UNDERSIDE_POINTS_MAX];
    uint32_t count = 0;
    double lowest = INFINITY;
    for (uint32_t i = 0; i < u->count; i++)
        lowest = math_min(lowest, u->points[i].at.z);
    for (uint32_t i = 0; i < u->count; i++) {
        if (u->points[i].at.z > lowest + UNDERSIDE_REACH)
            continue;
        on[count++] = (vec2){u->points[i].at.x, u->points[i].at.y};
    }
    return beyond_hull(w->hull, hull_of(on, count, w->hull),
                       (vec2){w->mass[object].x, w->mass[object].y});
}

/* Is it by a hair that the thing could never stand on a level floor, as a cap
 * that was on a head, or a fruit with one lowest corner? A broom or a
 * ladder that leans is far from it. */
static bool nearly_stands(const support_work *w,
                          uint32_t object,
                          double overhang)
{
    const double share = 0.1; /* of the box's lesser side */
    const scene_box box = space_box(w->sp, object);
    const double side = 2 * math_min(box.half.x, box.half.y);
    return overhang > HULL_GROWTH && overhang <= share * side;
}

/* May the centre of mass lie as far beyond the hull as it was found to: as in
 * the file, or as it would on a level floor? */
static bool is_misjudged(const support_work *w,
                         uint32_t object,
                         const underside *u)
{
    const double now = w->overhang[object];
    const double then = w->start->overhang ? w->start->overhang[object] : 0;
    if (then > 0 && now <= then + HULL_GROWTH)
        return true;
    const double on_level = overhang_on_level(w, object, u);
    return nearly_stands(w, object, on_level) && now <= on_level + HULL_GROWTH;
}

/* The rays of the points that `near` says of: those that something may be
 * within reach of, or the others. */
static etna_code support_look_from(support_work *w,
                                   uint32_t object,
                                   const underside *u,
                                   bool near,
                                   vec2 *on,
                                   uint32_t *ret_supported,
                                   etna_error *err)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; !code && i < u->count; i++) {
        double gap = INFINITY;
        bool stands = false;
        if (reachable(w, object, &u->points[i], false) != near)
            continue;
        code = probe_point(w, object, &u->points[i], &gap, &stands, err);
        w->gap[object] = math_min(gap, w->gap[object]);
        if (stands)
            on[(*ret_supported)++] =
                (vec2){u->points[i].at.x, u->points[i].at.y};
    }
    return code;
}

/* In the order of what it costs: rays of the grid, corners followed to the
 * edge, exact pieces. What the first can say is not asked of the others. */
/* Is the ground met below its middle, and not deeper in the thing than it may
 * stand in it? */
static bool stands_in(const support_work *w, uint32_t object, uint32_t ground)
{
    const scene_box box = space_box(w->sp, object);
    const double bottom = box.centre.z - box.half.z;
    const space_ray down = {.origin = box.centre,
                            .direction = {0, 0, -1},
                            .t_max = 2 * box.half.z,
                            .skip_object = object,
                            .only_object = ground};
    space_hit hit;
    if (!space_cast_all(w->sp, &down, &hit))
        return false;
    const double sunk = box.centre.z - hit.t - bottom;
    return sunk > UNDERSIDE_REACH && sunk <= space_sunk_most(2 * box.half.z);
}

/* What stands in the ground stands on it, though nothing is below its
 * underside. */
static etna_code look_if_sunk(support_work *w,
                              uint32_t object,
                              bool *ret_sunk,
                              etna_error *err)
{
    const scene *s = w->sp->shared->scene;
    for (uint32_t i = 0; i < w->around_count; i++) {
        const uint32_t ground = w->around[i];
        if (!s->objects[ground].is_static || !stands_in(w, object, ground))
            continue;
        *ret_sunk = true;
        w->balanced[object] = true;
        w->gap[object] = 0;
        return support_add_edge(w, object, ground, err);
    }
    return ETNA_OK;
}

etna_code support_look_below(support_work *w, uint32_t object, etna_error *err)
{
    uint32_t supported = 0, corners = 0;
    const underside *u = NULL;
    etna_code code = underside_find(w->sp, object, &u, err);
    vec2 on[UNDERSIDE_POINTS_MAX];
    w->gap[object] = INFINITY;
    if (!code)
        code = broad_phase_near(w->sp->broad_phase, w->sp->object_state,
                                &w->sp->object_state[object].box,
                                2 * UNDERSIDE_REACH, &w->around,
                                &w->around_count, err);
    if (!code)
        code = support_look_from(w, object, u, true, on, &supported, err);
    bool sunk = false;
    if (!code && supported == 0)
        code = look_if_sunk(w, object, &sunk, err);
    if (code || sunk)
        return code;
    if (supported == 0)
        /* how far down it is */
        code = support_look_from(w, object, u, false, on, &supported, err);
    if (code)
        return code;
    w->balanced[object] = support_balances(w, object, on, supported, &corners);
    if (!w->balanced[object] && corners > 0)
        code = balance_closely(w, object, corners, err);
    if (code || w->balanced[object])
        return code;
    code = balance_exactly(w, object, on, supported, err);
    if (code || w->balanced[object] || w->overhang[object] == 0)
        return code;
    if (w->start)
        w->balanced[object] = is_misjudged(w, object, u);
    else
        w->overhang[object] =
            math_min(w->overhang[object], overhang_on_level(w, object, u));
    return ETNA_OK;
}

/* The paper's rule: a ray down from the centre of the box's bottom face. A
 * tenth of a millimetre of sinking is contact. */
etna_code support_look_below_paper(support_work *w,
                                   uint32_t object,
                                   etna_error *err)
{
    scene_box box = space_box(w->sp, object);
    space_ray down = {
        .origin = {box.centre.x, box.centre.y, box.centre.z - box.half.z},
        .direction = {0, 0, -1},
        .t_min = -1e-4};
    down.t_max = INFINITY;
    down.skip_object = object;
    down.only_object = SCENE_NONE;
    space_hit hit;
    double drop = level_drop(w->sp, down.origin);
    bool met = space_cast_all(w->sp, &down, &hit);
    if (drop < -1e-4)
        drop = INFINITY;
    w->gap[object] = INFINITY;
    w->on_level[object] = drop <= UNDERSIDE_REACH && !(met && hit.t <= drop);
    if (!met || drop < hit.t) {
        w->balanced[object] = w->on_level[object];
        w->gap[object] = math_max(drop, 0);
        return ETNA_OK;
    }
    w->gap[object] = math_max(hit.t, 0);
    w->balanced[object] = hit.t <= UNDERSIDE_REACH;
    return w->balanced[object] ? support_add_edge(w, object, hit.object, err)
                               : ETNA_OK;
}
