/* What stands on what. METHODS.md 6, floating.
 *
 * - Supporters of a point of the underside (underside.c): every other object
 *   with a surface 1 cm below to 1 cm above it.
 * - Grounded: the centre of mass lies over the hull of the supported points
 *   grown by 5 mm, and some chain of supporters ends at a static object or at a
 *   base.
 * - The level (level.c) supports where a file has no floor, and ends a chain.
 * - Base: what hovered by itself at the start and stands as it did then. It may
 *   stay, so it carries.
 *
 * - Misjudged: what is carried in the file by others beneath it and held by
 *   nothing else stands there, whatever its mesh says about its mass (a motor
 *   heavier than its handle, legs that lean inward). Where it would not balance
 *   on a level floor, either, its centre of mass may lie as far beyond the hull
 *   elsewhere as there.
 *
 * The grid alone would end a support up to a sixteenth of the object before the
 * edge it reaches over; where that decides, the hull's corners are followed
 * outward to the true edge. Where that does not do, either, the exact pieces of
 * contact are added: a rim, a grate or a slat may lie between the grid's
 * points.
 *
 * A thin thing (rug, plate) has the foot of what stands on it within that
 * centimetre too; so a surface counts only up to half of the object's own
 * thickness there, and of two objects that would each support the other the one
 * with the lower centre of mass does. */
#include "worker/space/space_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    POINTS_MAX = UNDERSIDE_POINTS_MAX,
    FOLLOW_MAX = 56,
    FOLLOW_STEPS = 7
}; /* 9 * FOLLOW_MAX <= POINTS_MAX */

static const double reach = UNDERSIDE_REACH, start_above = 0.02,
                    hull_growth = 0.005;
/* Metres that another's surface may be above the underside it touches. */
static const double contact_above = 1e-5;
static const double unmoved_within =
    1e-5; /* metres, radians: what writing and reading a file may change */

#define GAP_GROWS 0.001

typedef struct edge {
    uint32_t object, by;
} edge;

/* Everything per object of one computation; arrays of n. */
typedef struct work {
    space *sp;
    const space_rules *rules;
    const space_support_state *start;
    const bool *by_contact;
    uint32_t n;
    uint8_t *support;
    double *gap;
    bool *balanced; /* the centre of mass is over the hull */
    bool *base;     /* hovers as it did at the start, and carries */
    bool *on_level; /* the level carries it, perhaps among others */
    bool *rides;    /* moved rigidly with what it was on at the start */
    /* metres that the centre of mass of what is carried, and not balanced, lies
     * beyond the hull */
    double *overhang;
    bool bases_found;
    vec3 *mass; /* centres of mass in the world */
    edge *edges;
    uint32_t edge_count, edge_room;
    vec2 *hull;
    /* whose boxes come near the object that is looked at */
    const uint32_t *around;
    uint32_t around_count;
} work;

/* Of an object whose edges came last. */
static bool has_edge(const work *w, uint32_t object, uint32_t by)
{
    for (uint32_t i = w->edge_count; i-- > 0 && w->edges[i].object == object;)
        if (w->edges[i].by == by)
            return true;
    return false;
}

/* Each once. */
static etna_code add_edge(work *w,
                          uint32_t object,
                          uint32_t by,
                          etna_error *err)
{
    if (has_edge(w, object, by))
        return ETNA_OK;
    if (w->edge_count == w->edge_room) {
        uint32_t room = w->edge_room ? 2 * w->edge_room : 64;
        edge *grown = realloc(w->edges, room * sizeof *grown);
        if (!grown)
            return etna_fail(err, ETNA_E_NOMEM,
                             "space: no memory for who stands on whom");
        w->edges = grown;
        w->edge_room = room;
    }
    w->edges[w->edge_count++] = (edge){object, by};
    return ETNA_OK;
}

/* By object, then by what it stands on. */
static int support_edge_compare(const void *a, const void *b)
{
    const edge *p = a, *q = b;
    if (p->object != q->object)
        return p->object < q->object ? -1 : 1;
    return (p->by > q->by) - (p->by < q->by);
}

/* ---- points ---- Where a file has no floor. */
static bool stands_on_level(const work *w, const underside_sample *p)
{
    double drop = level_drop(w->sp, p->at);
    return drop >= -p->above && drop <= reach;
}

/* May anyone be within reach of a point, as the boxes say? `unknown`: anyone
 * who is not yet known to support the object. Most rays would ask whether there
 * is a second supporter where there is no other thing at all. */
static bool reachable(const work *w,
                      uint32_t object,
                      const underside_sample *p,
                      bool unknown)
{
    const double slack = 1e-5; /* of rounding */
    if (!unknown && stands_on_level(w, p))
        return true;
    box3 line = {v3_sub(p->at, v3(0, 0, reach)),
                 v3_add(p->at, v3(0, 0, p->above))};
    for (uint32_t i = 0; i < w->around_count; i++)
        if (w->around[i] != object &&
            box3_meet(&w->sp->object_state[w->around[i]].box, &line, slack) &&
            !(unknown && has_edge(w, object, w->around[i])))
            return true;
    return false;
}

/* Which things are within reach of a point; *ret_gap: how far the next surface
 * is, 0 when one is within reach. */
static etna_code probe_things(work *w,
                              uint32_t object,
                              const underside_sample *p,
                              double *ret_gap,
                              bool *ret_supported,
                              etna_error *err)
{
    space_ray down = {.origin = v3_add(p->at, v3(0, 0, start_above)),
                      .direction = {0, 0, -1}};
    down.t_max = INFINITY;
    down.skip_object = object;
    down.only_object = SCENE_NONE;
    down.t_min = start_above - p->above - 1e-6;
    space_hit hit;
    *ret_supported = false;
    *ret_gap = INFINITY;
    while (space_cast_all(w->sp, &down, &hit)) {
        if (hit.t > start_above + reach) {
            *ret_gap = *ret_supported ? 0 : hit.t - start_above;
            return ETNA_OK;
        }
        *ret_supported = true;
        *ret_gap = 0;
        etna_code code = add_edge(w, object, hit.object, err);
        if (code || !reachable(w, object, p, true))
            return code;
        down.t_min = hit.t + 1e-5;
        down.t_max = start_above + reach;
    }
    return ETNA_OK;
}

/* The same with the level. */
static etna_code probe_point(work *w,
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

/* ---- hull ---- For the hull. */
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
    double dx = b.x - a.x, dy = b.y - a.y, l = dx * dx + dy * dy,
           t = l > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / l : 0;
    t = math_clamp(t, 0, 1);
    double x = p.x - a.x - t * dx, y = p.y - a.y - t * dy;
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

/* Within the hull or less than hull_growth from one of its sides; a hull of one
 * or two points has sides only. */
static bool over_hull(const vec2 *hull, uint32_t n, vec2 p)
{
    bool inside = n >= 3;
    for (uint32_t i = 0; i < n; i++) {
        vec2 a = hull[i], b = hull[(i + 1) % n];
        if (to_segment(p, a, b) <= hull_growth)
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

/* ---- one object ---- Sorts `on` as a side effect. *ret_corners are left in
 * w->hull, for what asks by how much. */
static bool support_balances(
    work *w, uint32_t object, vec2 *on, uint32_t count, uint32_t *ret_corners)
{
    *ret_corners = hull_of(on, count, w->hull);
    return over_hull(w->hull, *ret_corners,
                     (vec2){w->mass[object].x, w->mass[object].y});
}

/* One point of the underside, found anew. */
static etna_code supported_at(work *w,
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
static etna_code support_follow(work *w,
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
static etna_code balance_closely(work *w,
                                 uint32_t object,
                                 uint32_t corners,
                                 etna_error *err)
{
    scene_box box = scene_box_at(&w->sp->shared->scene->objects[object],
                                 space_pose(w->sp, object));
    double s, c, dx = 2 * box.half.x / UNDERSIDE_GRID,
                 dy = 2 * box.half.y / UNDERSIDE_GRID;
    vec2 from[FOLLOW_MAX], on[POINTS_MAX];
    uint32_t count = 0, n = corners < FOLLOW_MAX ? corners : FOLLOW_MAX;
    etna_code code = ETNA_OK;
    math_sincos(box.yaw, &s, &c);
    for (uint32_t i = 0; i < n; i++) /* evenly, should there be more */
        from[i] = w->hull[(uint64_t)i * corners / n];
    for (uint32_t i = 0; i < n && !code; i++) {
        on[count++] = from[i];
        for (int k = 0; k < 9 && !code; k++) {
            double x = (k % 3 - 1) * dx, y = (k / 3 - 1) * dy;
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
    work *w;
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
                      .t_min = contact_above,
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
    if (t->count + more <= POINTS_MAX)
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
        t->code = add_edge(t->w, t->object, t->other, t->err);
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
    work *w, uint32_t object, vec2 *on, uint32_t count, etna_error *err)
{
    touching t = {.w = w, .object = object, .on = on, .err = err};
    support_balances(w, object, on, count, &t.count);
    memcpy(on, w->hull, t.count * sizeof *on);
    for (uint32_t i = 0; i < w->around_count && !t.balanced && !t.code; i++) {
        etna_code code = ETNA_OK;
        t.other = w->around[i];
        t.carried = has_edge(w, object, t.other);
        if (t.other == object)
            continue;
        code = contact_walk(w->sp, object, t.other, reach, contact_above,
                            touching_visit, &t, err);
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
static double overhang_on_level(const work *w,
                                uint32_t object,
                                const underside *u)
{
    vec2 on[POINTS_MAX];
    uint32_t count = 0;
    double lowest = INFINITY;
    for (uint32_t i = 0; i < u->count; i++)
        lowest = math_min(lowest, u->points[i].at.z);
    for (uint32_t i = 0; i < u->count; i++) {
        if (u->points[i].at.z > lowest + reach)
            continue;
        on[count++] = (vec2){u->points[i].at.x, u->points[i].at.y};
    }
    return beyond_hull(w->hull, hull_of(on, count, w->hull),
                       (vec2){w->mass[object].x, w->mass[object].y});
}

/* May the centre of mass lie as far beyond the hull as it was found to: as in
 * the file? */
static bool is_misjudged(const work *w, uint32_t object)
{
    double then =
        w->start && w->start->overhang ? w->start->overhang[object] : 0;
    return then > 0 && w->overhang[object] > 0 &&
           w->overhang[object] <= then + hull_growth;
}

/* The rays of the points that `near` says of: those that something may be
 * within reach of, or the others. */
static etna_code support_look_from(work *w,
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
static etna_code look_below(work *w, uint32_t object, etna_error *err)
{
    uint32_t supported = 0, corners = 0;
    const underside *u = NULL;
    etna_code code = underside_find(w->sp, object, &u, err);
    vec2 on[POINTS_MAX];
    w->gap[object] = INFINITY;
    if (!code)
        code = broad_phase_near(w->sp->broad_phase, w->sp->object_state,
                                &w->sp->object_state[object].box, 2 * reach,
                                &w->around, &w->around_count, err);
    if (!code)
        code = support_look_from(w, object, u, true, on, &supported, err);
    if (!code && supported == 0)
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
        w->balanced[object] = is_misjudged(w, object);
    else
        w->overhang[object] =
            math_min(w->overhang[object], overhang_on_level(w, object, u));
    return ETNA_OK;
}

/* The paper's rule: a ray down from the centre of the box's bottom face. A
 * tenth of a millimetre of sinking is contact. */
static etna_code look_below_paper(work *w, uint32_t object, etna_error *err)
{
    scene_box box = scene_box_at(&w->sp->shared->scene->objects[object],
                                 space_pose(w->sp, object));
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
    w->on_level[object] = drop <= reach && !(met && hit.t <= drop);
    if (!met || drop < hit.t) {
        w->balanced[object] = w->on_level[object];
        w->gap[object] = math_max(drop, 0);
        return ETNA_OK;
    }
    w->gap[object] = math_max(hit.t, 0);
    w->balanced[object] = hit.t <= reach;
    return w->balanced[object] ? add_edge(w, object, hit.object, err) : ETNA_OK;
}

/* ---- chains ---- Something that stood or lay low has risen. */
static bool gap_grew(const space_support_state *start,
                     uint32_t object,
                     double gap)
{
    return start->gap[object] <= LOAD_GAP &&
           gap > start->gap[object] + GAP_GROWS;
}

/* May something stand on it? */
static bool support_carries(const work *w, uint32_t object)
{
    return w->support[object] == SUPPORT_STATIC ||
           w->support[object] == SUPPORT_GROUNDED ||
           w->support[object] == SUPPORT_ATTACHED || w->base[object];
}

/* Is all of the other that is within reach of the object's underside above it,
 * by more than touching? Then it may stand on the object, as tools do in a box
 * of paper's thickness, and carries it not. */
static etna_code edge_is_from_above(const work *w,
                                    const edge *e,
                                    bool *ret,
                                    etna_error *err)
{
    const underside *u = NULL;
    etna_code code = underside_find(w->sp, e->object, &u, err);
    *ret = true;
    for (uint32_t i = 0; !code && i < u->count && *ret; i++) {
        const underside_sample *p = &u->points[i];
        space_ray down = {.origin = v3_add(p->at, v3(0, 0, start_above)),
                          .direction = {0, 0, -1}};
        space_hit hit;
        down.t_min = start_above - contact_above;
        down.t_max = start_above + reach;
        down.skip_object = SCENE_NONE;
        down.only_object = e->by;
        *ret = !space_cast_all(w->sp, &down, &hit);
    }
    return code;
}

/* Of two that would each stand on the other the one carries that is beneath
 * where they meet; where that does not tell, the one with the lower centre of
 * mass. *ret: it is not `e->by`. */
static etna_code edge_is_dropped(const work *w,
                                 const edge *e,
                                 bool *ret,
                                 etna_error *err)
{
    const edge back = {e->by, e->object};
    bool above = false, back_above = false;
    etna_code code = edge_is_from_above(w, e, &above, err);
    if (!code)
        code = edge_is_from_above(w, &back, &back_above, err);
    if (code)
        return code;
    const double mine = w->mass[e->object].z, its = w->mass[e->by].z;
    *ret = mine < its || (mine == its && e->object < e->by);
    if (above != back_above)
        *ret = above;
    return ETNA_OK;
}

/* Edges that are dropped at one side are kept at the other: one of the two
 * carries. */
static etna_code part_mutual(work *w, etna_error *err)
{
    etna_code code = ETNA_OK;
    uint32_t kept = 0;
    if (!w->edge_count)
        return ETNA_OK;
    qsort(w->edges, w->edge_count, sizeof *w->edges, support_edge_compare);
    bool *drop = calloc((size_t)w->edge_count + 1, sizeof *drop);
    if (!drop)
        return etna_fail(err, ETNA_E_NOMEM,
                         "space: no memory for who stands on whom");
    for (uint32_t i = 0; i < w->edge_count && !code; i++) {
        edge back = {w->edges[i].by, w->edges[i].object};
        if (!bsearch(&back, w->edges, w->edge_count, sizeof back,
                     support_edge_compare))
            continue;
        code = edge_is_dropped(w, &w->edges[i], &drop[i], err);
    }
    for (uint32_t i = 0; i < w->edge_count; i++)
        if (!drop[i])
            w->edges[kept++] = w->edges[i];
    w->edge_count = kept;
    free(drop);
    return code;
}

/* It is balanced, and whether what carries it stands is all that is open. */
static bool support_may_ground(const work *w, uint32_t object)
{
    return w->support[object] == SUPPORT_HOVERING && !w->base[object] &&
           w->balanced[object];
}

/* From static things and bases upward. */
static void support_ground(work *w)
{
    bool again = true;
    for (uint32_t i = 0; i < w->n; i++) {
        if (support_may_ground(w, i) && w->on_level[i])
            w->support[i] = SUPPORT_GROUNDED;
    }
    while (again) { /* each round grounds one more level of a stack */
        again = false;
        for (uint32_t i = 0; i < w->edge_count; i++) {
            edge e = w->edges[i];
            if (support_may_ground(w, e.object) && support_carries(w, e.by)) {
                w->support[e.object] = SUPPORT_GROUNDED;
                again = true;
            }
        }
    }
}

/* Within what single precision loses. */
static bool support_is_unmoved(const work *w, uint32_t object)
{
    const arrange_pose *now = space_pose(w->sp, object),
                       *then = &w->start->pose[object];
    double turned = now->yaw - then->yaw, away = 0;
    turned -= 2 * MATH_PI * floor(turned / (2 * MATH_PI) + 0.5);
    for (int i = 0; i < 3; i++)
        away = fabs(now->position[i] - then->position[i]) > away
                   ? fabs(now->position[i] - then->position[i])
                   : away;
    return away <= unmoved_within && fabs(turned) <= unmoved_within;
}

/* ---- riders: what moved rigidly with its carrier is to it as it was ---- It
 * stands to the other as it did at the start. */
static bool moved_with(const work *w, uint32_t object, uint32_t by)
{
    const arrange_pose *then = w->start->pose;
    return !w->sp->shared->scene->objects[by].is_static &&
           space_same_relation(&then[by], &then[object], space_pose(w->sp, by),
                               space_pose(w->sp, object));
}

/* Hovered at the start with nothing within reach: did what it hovers over or in
 * come along? */
static bool hovers_along(const work *w, uint32_t object)
{
    for (uint32_t k = 0; k < w->n; k++)
        if (k != object && moved_with(w, object, k) &&
            load_hovers_on(w->sp, object, k))
            return true;
    return false;
}

/* Of an object whose edges at the start are [first, end): did what it stood on
 * come along, or of what it hung at any? */
static bool rides_along(const work *w,
                        uint32_t object,
                        uint32_t first,
                        uint32_t end)
{
    uint8_t then = w->start->support[object];
    uint32_t along = 0;
    for (uint32_t k = first; k < end; k++)
        along += moved_with(w, object, w->start->edges[k].by);
    if (then == SUPPORT_GROUNDED) {
        bool is_on_level = w->start->on_level && w->start->on_level[object];
        bool all_came = along > 0 && along == end - first;
        return all_came && !is_on_level && !support_is_unmoved(w, object);
    }
    if (end > first)
        return along > 0;
    return then == SUPPORT_HOVERING && hovers_along(w, object);
}

/* Who stood balanced on what came along, all of it, stands so still; the same
 * points, turned, may round otherwise. */
static etna_code find_riders(work *w, etna_error *err)
{
    for (uint32_t i = 0, next = 0; i < w->n; i++) {
        uint32_t first = next;
        while (next < w->start->edge_count && w->start->edges[next].object == i)
            next++;
        if (w->support[i] == SUPPORT_STATIC)
            continue;
        w->rides[i] = rides_along(w, i, first, next);
        if (!w->rides[i] || w->start->support[i] != SUPPORT_GROUNDED)
            continue;
        w->balanced[i] = true;
        for (uint32_t k = first; k < next; k++) {
            etna_code code = add_edge(w, i, w->start->edges[k].by, err);
            if (code)
                return code;
        }
    }
    return ETNA_OK;
}

/* May an object hang at something? At the start any may; later those that did
 * and stay put, and those that a satisfied Contact fastened. At bases and what
 * stands on them only the last may: neighbours that hover side by side would
 * hold each other up. */
static bool may_hang(const work *w, uint32_t object)
{
    bool fastened = w->by_contact && w->by_contact[object];
    if (w->bases_found)
        return fastened && !w->base[object];
    if (fastened || !w->start)
        return true;
    return w->start->support[object] == SUPPORT_ATTACHED &&
           (support_is_unmoved(w, object) || w->rides[object]);
}

/* Does one of the edges say so already? Those are not sorted while some are
 * added. */
static bool is_on_edge(const work *w, uint32_t object, uint32_t by)
{
    for (uint32_t i = 0; i < w->edge_count; i++)
        if (w->edges[i].object == object && w->edges[i].by == by)
            return true;
    return false;
}

/* no space_support yet: it carries nothing in this round */
enum {
    NEWLY_ATTACHED = 0
};

/* What is within a centimetre of it on any side, for what was told to hang or
 * lean. */
static etna_code attach_one(work *w,
                            uint32_t object,
                            bool *ret_hangs,
                            etna_error *err)
{
    const uint32_t *around = NULL;
    uint32_t count = 0;
    etna_code code = broad_phase_near(w->sp->broad_phase, w->sp->object_state,
                                      &w->sp->object_state[object].box, reach,
                                      &around, &count, err);
    for (uint32_t k = 0; k < count && !code; k++) {
        bool near = false;
        if (around[k] == object || !support_carries(w, around[k]))
            continue;
        code = intersect_within(w->sp, object, around[k], reach, &near, err);
        if (code || !near)
            continue;
        *ret_hangs = true;
        if (is_on_edge(w, object, around[k]))
            continue;
        w->overhang[object] = 0; /* it leans or hangs there */
        code = add_edge(w, object, around[k], err);
    }
    return code;
}

/* One round: who of the unsupported is within reach of something that carries?
 * None of the same round does: what stands on a shelf that hangs at a wall is
 * to be grounded by it first. */
static etna_code support_attach(work *w, bool *ret_any, etna_error *err)
{
    *ret_any = false;
    for (uint32_t i = 0; i < w->n; i++) {
        bool hangs = false;
        if (w->support[i] != SUPPORT_HOVERING || !may_hang(w, i))
            continue;
        etna_code code = attach_one(w, i, &hangs, err);
        if (code)
            return code;
        if (!hangs)
            continue;
        w->support[i] = NEWLY_ATTACHED;
        *ret_any = true;
    }
    for (uint32_t i = 0; i < w->n; i++)
        if (w->support[i] == NEWLY_ATTACHED)
            w->support[i] = SUPPORT_ATTACHED;
    return ETNA_OK;
}

/* May it stay in the air? Only what was there at the start, as high as then, or
 * what was told to. */
static bool hovers_on(const work *w, uint32_t object)
{
    if (!w->start)
        return true;
    if (w->start->support[object] != SUPPORT_HOVERING)
        return false;
    if (w->by_contact && w->by_contact[object])
        return true; /* moved by a distance alone */
    return (support_is_unmoved(w, object) || w->rides[object]) &&
           !gap_grew(w->start, object, w->gap[object]);
}

/* What of the hovering ones carries nevertheless: those that no support reaches
 * (who stands balanced on another waits for that one), as they stood at the
 * start. So a ring of things that would each stand on the next has no base. */
static void find_bases(work *w)
{
    for (uint32_t i = 0; i < w->n; i++)
        w->base[i] = w->support[i] == SUPPORT_HOVERING && hovers_on(w, i);
    for (uint32_t i = 0; i < w->edge_count; i++)
        if (w->balanced[w->edges[i].object])
            w->base[w->edges[i].object] = false;
    w->bases_found = true;
}

/* Levels of stacks, then what hangs at them, until nothing is added. */
static etna_code follow_chains(work *w, etna_error *err)
{
    bool any = true;
    etna_code code = ETNA_OK;
    support_ground(w);
    /* what stands on a hanging thing is grounded by it; what is near that may
     * hang at it */
    while (any && !code) {
        code = support_attach(w, &any, err);
        if (!code && any) {
            if (w->edge_count)
                qsort(w->edges, w->edge_count, sizeof *w->edges,
                      support_edge_compare);
            support_ground(w);
        }
    }
    return code;
}

/* Its middle of mass as it stands now. */
static etna_code classify_begin(work *w, uint32_t object, etna_error *err)
{
    const object_state *p = &w->sp->object_state[object];
    object_geometry *b = NULL;
    bool is_static = w->sp->shared->scene->objects[object].is_static;
    w->gap[object] = 0;
    w->support[object] = is_static ? SUPPORT_STATIC : SUPPORT_HOVERING;
    if (is_static)
        return ETNA_OK; /* nobody asks where its middle is */
    etna_code code = shared_geometry(w->sp->shared, object, &b, err);
    if (code)
        return code;
    w->mass[object] = p->moved ? affine_point(&p->motion, b->centre_of_mass)
                               : b->centre_of_mass;
    return ETNA_OK;
}

/* What is below each object, once all are begun. */
static etna_code classify_each(work *w, bool paper, etna_error *err)
{
    for (uint32_t i = 0; i < w->n; i++) {
        etna_code code = classify_begin(w, i, err);
        if (code)
            return code;
    }
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->support[i] == SUPPORT_STATIC)
            continue;
        etna_code code =
            paper ? look_below_paper(w, i, err) : look_below(w, i, err);
        if (code)
            return code;
    }
    return ETNA_OK;
}

/* Below each, then riders and mutual edges, then chains; bases last, since only
 * who no support reaches is one. */
static etna_code support_classify(work *w, etna_error *err)
{
    bool paper = w->rules && w->rules->paper_floating;
    etna_code code = classify_each(w, paper, err);
    if (code)
        return code;
    if (paper) { /* the paper asks for no chain */
        for (uint32_t i = 0; i < w->n; i++)
            if (w->support[i] == SUPPORT_HOVERING && w->balanced[i])
                w->support[i] = SUPPORT_GROUNDED;
        return ETNA_OK;
    }
    code = w->start ? find_riders(w, err) : ETNA_OK;
    if (!code)
        code = part_mutual(w, err);
    if (!code)
        code = follow_chains(w, err);
    if (code)
        return code;
    find_bases(w);
    return follow_chains(w, err);
}

/* Also of one that was made in part. */
static void work_free(work *w)
{
    free(w->support);
    free(w->gap);
    free(w->balanced);
    free(w->base);
    free(w->on_level);
    free(w->rides);
    free(w->mass);
    free(w->overhang);
    free(w->edges);
    free(w->hull);
}

/* NULL is fine; leaves it empty. */
void space_support_free(space_support_state *state)
{
    if (!state)
        return;
    free(state->support);
    free(state->gap);
    free(state->edges);
    free(state->on_level);
    free(state->attached_by_contact);
    free(state->rides);
    free(state->overhang);
    free(state->pose);
    memset(state, 0, sizeof *state);
}

/* False: out of memory. */
static bool work_alloc(work *w)
{
    size_t n = (size_t)w->n + 1;
    w->support = calloc(n, 1);
    w->gap = calloc(n, sizeof *w->gap);
    w->balanced = calloc(n, sizeof *w->balanced);
    w->base = calloc(n, sizeof *w->base);
    w->on_level = calloc(n, sizeof *w->on_level);
    w->rides = calloc(n, sizeof *w->rides);
    w->overhang = calloc(n, sizeof *w->overhang);
    w->mass = calloc(n, sizeof *w->mass);
    w->hull = malloc((POINTS_MAX + 1) * sizeof *w->hull);
    bool is_state_made = w->support && w->gap && w->on_level;
    bool is_carrying_made = w->rides && w->base && w->balanced;
    bool is_shape_made = w->overhang && w->mass && w->hull;
    return is_state_made && is_carrying_made && is_shape_made;
}

/* In order, and each once: what stands on a thing may hang at it, too. */
static etna_code support_take_edges(work *w,
                                    space_support_state *out,
                                    etna_error *err)
{
    out->edges = malloc(((size_t)w->edge_count + 1) * sizeof *out->edges);
    if (!out->edges)
        return etna_fail(err, ETNA_E_NOMEM,
                         "space: no memory for who stands on whom");
    if (w->edge_count)
        qsort(w->edges, w->edge_count, sizeof *w->edges, support_edge_compare);
    for (uint32_t i = 0; i < w->edge_count; i++) {
        if (i > 0 && support_edge_compare(&w->edges[i - 1], &w->edges[i]) == 0)
            continue;
        out->edges[out->edge_count].object = w->edges[i].object;
        out->edges[out->edge_count++].by = w->edges[i].by;
    }
    return ETNA_OK;
}

/* The arrays become the state's own. */
static void support_take_arrays(work *w, space_support_state *out)
{
    out->support = w->support;
    out->gap = w->gap;
    out->rides = w->rides;
    out->overhang = w->overhang;
    out->on_level = w->on_level;
    w->support = NULL;
    w->gap = NULL;
    w->rides = NULL;
    w->overhang = NULL;
    w->on_level = NULL;
}

/* `start` NULL: this is the start itself. */
etna_code space_support_compute(space *sp,
                                const space_rules *rules,
                                const space_support_state *start,
                                const bool *attached_by_contact,
                                space_support_state *ret,
                                etna_error *err)
{
    uint32_t n = sp->shared->scene->object_count;
    if (start && start->object_count != n)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "space: a start state of %u objects for a scene of %u",
                         start->object_count, n);
    work w = {.sp = sp,
              .rules = rules,
              .start = start,
              .by_contact = attached_by_contact,
              .n = n};
    space_support_state out = {.object_count = n};
    out.attached_by_contact = calloc((size_t)n + 1, sizeof(bool));
    out.pose = malloc(((size_t)n + 1) * sizeof *out.pose);
    bool is_made = work_alloc(&w) && out.attached_by_contact && out.pose;
    etna_code code =
        is_made
            ? ETNA_OK
            : etna_fail(err, ETNA_E_NOMEM,
                        "space: no memory for the support of %u objects", n);
    if (!code)
        code = support_classify(&w, err);
    if (!code)
        code = support_take_edges(&w, &out, err);
    if (code) {
        work_free(&w);
        space_support_free(&out);
        return code;
    }
    if (attached_by_contact)
        memcpy(out.attached_by_contact, attached_by_contact, n * sizeof(bool));
    for (uint32_t i = 0; i < n; i++)
        out.pose[i] = *space_pose(sp, i);
    support_take_arrays(&w, &out);
    work_free(&w);
    *ret = out;
    return ETNA_OK;
}

/* By number. */
static int compare_objects(const void *a, const void *b)
{
    uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return (p > q) - (p < q);
}

/* What look_below needs; the caller frees by work_free in either case. */
static bool work_alloc_below(work *w)
{
    size_t n = (size_t)w->n + 1;
    w->gap = calloc(n, sizeof *w->gap);
    w->balanced = calloc(n, sizeof *w->balanced);
    w->on_level = calloc(n, sizeof *w->on_level);
    w->mass = calloc(n, sizeof *w->mass);
    w->overhang = calloc(n, sizeof *w->overhang);
    w->hull = malloc((POINTS_MAX + 1) * sizeof *w->hull);
    bool is_state_made = w->gap && w->balanced && w->on_level;
    bool is_shape_made = w->mass && w->overhang && w->hull;
    return is_state_made && is_shape_made;
}

/* Of one object alone, as look_below sees it; who carries the carriers is not
 * asked. */
etna_code space_stand_find(space *sp,
                           const space_support_state *start,
                           uint32_t object,
                           space_stand *ret,
                           etna_error *err)
{
    uint32_t n = sp->shared->scene->object_count;
    object_geometry *b = NULL;
    work w = {.sp = sp, .start = start, .n = n};
    space_stand found = {0};
    if (object >= n)
        return etna_fail(err, ETNA_E_INTERNAL, "space: object %u of %u", object,
                         n);
    etna_code code =
        work_alloc_below(&w)
            ? ETNA_OK
            : etna_fail(err, ETNA_E_NOMEM,
                        "space: no memory for what an object stands on");
    if (!code)
        code = shared_geometry(sp->shared, object, &b, err);
    if (!code) {
        const object_state *p = &sp->object_state[object];
        w.mass[object] = p->moved ? affine_point(&p->motion, b->centre_of_mass)
                                  : b->centre_of_mass;
        code = look_below(&w, object, err);
    }
    if (!code) {
        found.steady = w.balanced[object];
        found.gap = w.gap[object];
        found.level = w.on_level[object];
        for (uint32_t i = 0;
             i < w.edge_count && found.carrier_count < SPACE_CARRIERS_MAX; i++)
            found.carriers[found.carrier_count++] = w.edges[i].by;
        qsort(found.carriers, found.carrier_count, sizeof *found.carriers,
              compare_objects);
        *ret = found;
    }
    work_free(&w);
    return code;
}

/* Did the edit take its support away? */
static bool support_is_broken(const space_support_state *start,
                              const space_support_state *now,
                              uint32_t object,
                              bool is_moved)
{
    if (now->support[object] != SUPPORT_HOVERING)
        return false;
    if (start->support[object] != SUPPORT_HOVERING)
        return true;
    if (now->attached_by_contact[object] || now->rides[object])
        return false; /* told to hover on, or its carrier moved */
    return is_moved || gap_grew(start, object, now->gap[object]);
}

/* At most `room` of them, in the scene's order. */
uint32_t space_support_broken(const space_support_state *start,
                              const space_support_state *now,
                              const bool *moved,
                              uint32_t *found,
                              uint32_t room)
{
    assert(start->object_count == now->object_count);
    assert(found || room == 0);
    uint32_t count = 0;
    for (uint32_t i = 0;
         i < now->object_count && i < start->object_count && count < room;
         i++) {
        if (support_is_broken(start, now, i, moved && moved[i]))
            found[count++] = i;
    }
    return count;
}
