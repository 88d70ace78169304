/* The zones of a surface: its middle, its edges and its corners, along its own
 * axes, and the corners that walls make. */
#include "worker/builtin/place/relation_internal.h"
#include "worker/math/vec.h"

#include <math.h>
#include <string.h>

/* The surface of that object nearest to the height; of equal ones the first. */
static const builtin_surface *surface_at(const builtin_facts *facts,
                                         uint32_t of,
                                         double height)
{
    const builtin_surface *best = NULL;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object != of || s->corner_count < 3)
            continue;
        if (!best ||
            fabs(s->height - height) < fabs(best->height - height) - 1e-6)
            best = s;
    }
    return best;
}

/* How far the polygon reaches along an axis. */
static void span(const builtin_surface *s,
                 const double axis[2],
                 double *ret_low,
                 double *ret_high)
{
    *ret_low = 1e30;
    *ret_high = -1e30;
    for (uint32_t i = 0; i < s->corner_count; i++) {
        double v = s->corners[i][0] * axis[0] + s->corners[i][1] * axis[1];
        *ret_low = math_min(*ret_low, v);
        *ret_high = math_max(*ret_high, v);
    }
}

/* A surface's own two directions: the sides of the least rectangle around it,
 * named by what they are most in the picture (to the right, away). What has no
 * sides, as a round table, goes by the picture. */
static void surface_axes(const builtin_facts *facts,
                         const builtin_surface *s,
                         double ret[2][2])
{
    double right[2], away[2], low, high, area;
    builtin_picture_axes(facts, right, away);
    memcpy(ret[0], right, sizeof right);
    memcpy(ret[1], away, sizeof away);
    span(s, right, &low, &high);
    area = high - low;
    span(s, away, &low, &high);
    area *= 0.95 * (high - low);
    for (uint32_t i = 0; i < s->corner_count; i++) {
        const double *a = s->corners[i];
        const double *b = s->corners[(i + 1) % s->corner_count];
        double dx = b[0] - a[0];
        double dy = b[1] - a[1];
        double length = sqrt(dx * dx + dy * dy);
        if (!(length > 1e-6))
            continue;
        double along[2] = {dx / length, dy / length};
        double across[2] = {-dy / length, dx / length};
        double own;
        span(s, along, &low, &high);
        own = high - low;
        span(s, across, &low, &high);
        own *= high - low;
        if (own >= area - 1e-6)
            continue;
        area = own;
        double turn = along[0] * right[0] + along[1] * right[1];
        double other = across[0] * right[0] + across[1] * right[1];
        const double *most_right = fabs(turn) >= fabs(other) ? along : across;
        double sign = (fabs(turn) >= fabs(other) ? turn : other) < 0 ? -1 : 1;
        ret[0][0] = sign * most_right[0];
        ret[0][1] = sign * most_right[1];
        /* builtin_picture_axes: away is right turned by 90 degrees, or the other way
         * round when seen from below */
        ret[1][0] = -ret[0][1];
        ret[1][1] = ret[0][0];
        if (ret[1][0] * away[0] + ret[1][1] * away[1] >= 0)
            continue;
        ret[1][0] = -ret[1][0];
        ret[1][1] = -ret[1][1];
    }
}

/* Which sides of a floor have a wall along at least half of them; low and high
 * end at its face. */
static void find_walls(const builtin_facts *facts,
                       const builtin_surface *s,
                       double axes[2][2],
                       double low[2],
                       double high[2],
                       bool ret[4])
{
    const double from[2] = {low[0], low[1]};
    const double to[2] = {high[0], high[1]};
    for (uint32_t i = 0; i < facts->object_count; i++) {
        const builtin_object *o = &facts->objects[i];
        if (!builtin_is_wall(o) || builtin_top(o) < s->height + 1)
            continue;
        for (int k = 0; k < 2; k++) {
            double middle =
                o->centre[0] * axes[k][0] + o->centre[1] * axes[k][1];
            double half = builtin_extent(o, axes[k]);
            double length = 2 * builtin_extent(o, axes[1 - k]);
            if (half > 0.3 || length < 0.5 * (to[1 - k] - from[1 - k]))
                continue;
            double slack = 0.15 * (to[k] - from[k]);
            if (middle - half < from[k] + slack) {
                ret[2 * k] = true;
                low[k] = math_max(low[k], middle + half);
            } else if (middle + half > to[k] - slack) {
                ret[2 * k + 1] = true;
                high[k] = math_min(high[k], middle - half);
            }
        }
    }
}

/* Metres from the thing's side to that wall's face, where the wall is along one
 * of the axes and reaches past the thing's middle; INFINITY: there is no such
 * wall. */
static double corner_gap(const builtin_facts *facts,
                         uint32_t wall,
                         uint32_t object,
                         const double at[3],
                         double axes[2][2],
                         int *ret_axis)
{
    /* metres: a door is no wall of a room; cosine */
    const double shortest = 1.2, parallel = 0.98;
    const builtin_object *o = &facts->objects[object];
    const builtin_object *w = &facts->objects[wall];
    const bool thin_along = w->half[1] <= w->half[0];
    const double out[2] = {thin_along ? w->heading[0] : -w->heading[1],
                           thin_along ? w->heading[1] : w->heading[0]};
    const double length = thin_along ? w->half[0] : w->half[1];
    const double dx = at[0] - w->centre[0];
    const double dy = at[1] - w->centre[1];
    const bool is_past = fabs(-dx * out[1] + dy * out[0]) > length;
    if (2 * length < shortest || is_past || builtin_foot(w) > at[2] + 0.5)
        return INFINITY;
    if (builtin_top(w) < at[2] + 1 ||
        !builtin_is_wall_behind(facts, wall, o, at))
        return INFINITY;
    const double turn = fabs(out[0] * axes[0][0] + out[1] * axes[0][1]);
    *ret_axis = turn > parallel ? 0 : 1;
    if (turn <= parallel && turn * turn > 1 - parallel * parallel)
        return INFINITY;
    const double gap = fabs(dx * out[0] + dy * out[1]) -
                       builtin_extent(w, out) - builtin_extent(o, out);
    return gap < -0.01 ? INFINITY : gap;
}

/* How far the thing is from a corner that two walls make there, wherever in a
 * house that is; INFINITY: none do. */
static double off_walls_corner(const builtin_facts *facts,
                               uint32_t object,
                               const double at[3],
                               double axes[2][2])
{
    double best[2] = {INFINITY, INFINITY};
    for (uint32_t i = 0; i < facts->object_count; i++) {
        if (!builtin_is_wall(&facts->objects[i]))
            continue;
        int axis = 0;
        const double gap = corner_gap(facts, i, object, at, axes, &axis);
        best[axis] = math_min(best[axis], gap);
    }
    return math_max(best[0], best[1]);
}

/* Several things in one corner stand side by side there: farther from its sides
 * by what the others take. */
static double corner_room(const builtin_facts *facts,
                          const builtin_move *move,
                          uint32_t object)
{
    const double least_between = 0.03;
    const unsigned sideways = SIDE_LEFT | SIDE_RIGHT;
    const unsigned deep = SIDE_FRONT | SIDE_BACK;
    double room = 0;
    bool one = move->relation == RELATION_CORNER && (move->sides & sideways) &&
               (move->sides & deep);
    for (uint32_t i = 0;
         one && i < move->objects.count && move->objects.need > 1; i++) {
        const builtin_object *o = &facts->objects[move->objects.objects[i]];
        if (move->objects.objects[i] != object)
            room += 2 * builtin_half_longer(o) + least_between;
    }
    return room;
}

/* "30 cm from the left edge", "20 cm from the edge": of the distances of the
 * thing's sides to the surface's. */
static double zone_gap_off(const builtin_move *move, const double to[4])
{
    double worst = -INFINITY, nearest = INFINITY;
    const double slack = math_max(0.02, 0.1 * move->gap);
    for (int i = 0; i < 4; i++) {
        nearest = math_min(nearest, to[i]);
        if (move->sides >> i & 1)
            worst = math_max(worst, relation_gap_off(move, to[i], slack));
    }
    return move->sides ? worst : relation_gap_off(move, nearest, slack);
}

/* metres: in a hall, too, farther out is no corner */
static const double room_corner = 0.4;

/* A thing over a surface, along the surface's own axes; metres. */
typedef struct zone_view {
    const builtin_surface *s;
    bool fixed;             /* the surface is of something that cannot move */
    double axes[2][2];      /* across, along; unit */
    double low[2], high[2]; /* the surface's span along them */
    double own[2];          /* the thing's middle */
    /* left, right, front, back: from the thing's side to the surface's */
    double to[4];
    bool walled[4]; /* has that side of a room a wall */
    bool uneven;    /* the span is that of the whole object's box */
} zone_view;

/* A thing that is wider than the surface lies on a fold of a mattress or on a
 * rim: its place is one on the whole object, which then counts by its box. */
static void zone_span_whole(zone_view *v,
                            const builtin_object *whole,
                            const builtin_object *o)
{
    for (int k = 0; k < 2; k++)
        v->uneven = v->uneven ||
                    2 * builtin_extent(o, v->axes[k]) > v->high[k] - v->low[k];
    for (int k = 0; v->uneven && k < 2; k++) {
        const double *axis = v->axes[k];
        const double middle =
            whole->centre[0] * axis[0] + whole->centre[1] * axis[1];
        v->low[k] = middle - builtin_extent(whole, axis);
        v->high[k] = middle + builtin_extent(whole, axis);
    }
}

/* Is it a level part of the same thing, next to the surface: the other seat of a
 * sofa, the other leaf of a table? Rooms of one floor are none. */
static bool zone_goes_on(const builtin_facts *facts,
                         const builtin_surface *s,
                         const builtin_surface *other)
{
    const double step = 0.03; /* metres */
    return other != s && other->object == s->object &&
           other->corner_count >= 3 && fabs(other->height - s->height) < step &&
           !builtin_is_ground(&facts->objects[s->object]);
}

/* The span of the surface with those next to it: "the middle of the sofa" is
 * between its seats. */
static void zone_span_parts(const builtin_facts *facts, zone_view *v)
{
    const double apart = 0.15; /* metres between two of them */
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        double low[2];
        double high[2];
        bool near = zone_goes_on(facts, v->s, &facts->surfaces[i]);
        for (int k = 0; near && k < 2; k++) {
            span(&facts->surfaces[i], v->axes[k], &low[k], &high[k]);
            near = low[k] < v->high[k] + apart && high[k] > v->low[k] - apart;
        }
        for (int k = 0; near && k < 2; k++) {
            v->low[k] = math_min(v->low[k], low[k]);
            v->high[k] = math_max(v->high[k], high[k]);
        }
    }
}

/* Distances from the thing's box to the four edges of the surface, along the
 * surface's own axes. */
static zone_view zone_view_of(const builtin_facts *facts,
                              const builtin_move *move,
                              const builtin_surface *s,
                              const builtin_object *o,
                              const double at[3])
{
    zone_view v = {.s = s, .fixed = facts->objects[s->object].is_static};
    surface_axes(facts, s, v.axes);
    for (int k = 0; k < 2; k++) {
        span(s, v.axes[k], &v.low[k], &v.high[k]);
        v.own[k] = at[0] * v.axes[k][0] + at[1] * v.axes[k][1];
    }
    zone_span_parts(facts, &v);
    zone_span_whole(&v, &facts->objects[s->object], o);
    if (move->relation == RELATION_CORNER && v.fixed)
        find_walls(facts, s, v.axes, v.low, v.high, v.walled);
    for (int k = 0; k < 2; k++) {
        v.to[2 * k] = v.own[k] - builtin_extent(o, v.axes[k]) - v.low[k];
        v.to[2 * k + 1] = v.high[k] - v.own[k] - builtin_extent(o, v.axes[k]);
    }
    return v;
}

static double zone_middle_off(const builtin_move *move, const zone_view *v)
{
    const double dx = v->own[0] - (v->low[0] + v->high[0]) / 2;
    const double dy = v->own[1] - (v->low[1] + v->high[1]) / 2;
    const double off = sqrt(dx * dx + dy * dy);
    return move->gap > 0
               ? relation_gap_off(move, off, math_max(0.02, 0.1 * move->gap))
               : off - math_max(0.05, 0.1 * v->s->width);
}

/* To the nearer of two opposite sides; of a room's, to the one that is a wall
 * where the other is none. */
static double zone_to_nearer(const zone_view *v, int axis)
{
    const double *const to = v->to + 2 * axis;
    const bool *const walled = v->walled + 2 * axis;
    return walled[0] == walled[1] ? math_min(to[0], to[1]) : to[walled[1]];
}

/* To the sides that are said, the worst of them; -1: none are. */
static double zone_worst(const builtin_move *move, const zone_view *v)
{
    double worst = -1;
    for (int i = 0; i < 4; i++) {
        if (move->sides >> i & 1)
            worst = math_max(worst, v->to[i]);
    }
    return worst;
}

/* Both of its sides must be near. */
static double zone_corner_off(const builtin_facts *facts,
                              const builtin_move *move,
                              uint32_t object,
                              const double at[3],
                              zone_view *v)
{
    const bool sideways = (move->sides & (SIDE_LEFT | SIDE_RIGHT)) != 0;
    const bool deep = (move->sides & (SIDE_FRONT | SIDE_BACK)) != 0;
    const double across = zone_to_nearer(v, 0);
    const double along = zone_to_nearer(v, 1);
    if (move->gap > 0) {
        const double out[2] = {
            sideways ? v->to[move->sides & SIDE_LEFT ? 0 : 1] : across,
            deep ? v->to[move->sides & SIDE_FRONT ? 2 : 3] : along};
        return relation_gap_off(move, hypot(out[0], out[1]),
                                math_max(0.02, 0.1 * move->gap));
    }
    const double worst = zone_worst(move, v);
    const double off = math_max(
        worst, math_max(sideways ? worst : across, deep ? worst : along));
    const bool any = move->sides == 0 && v->fixed;
    return any ? math_min(off, off_walls_corner(facts, object, at, v->axes))
               : off;
}

/* Metres from an edge at which a large thing is still at it: a pillow's length
 * tells, and no mattress is level up to its rim. */
static double zone_large_slack(const builtin_object *o, const zone_view *v)
{
    const double share = 0.3, most = 0.15; /* of its side; metres */
    const double shorter =
        math_min(builtin_extent(o, v->axes[0]), builtin_extent(o, v->axes[1]));
    return math_min(share * 2 * shorter, most);
}

/* Is that the place where it has stood from the start? */
static bool zone_is_still_there(const builtin_object *o, const double at[3])
{
    const double same = 0.02; /* metres */
    const double dx = at[0] - o->centre[0];
    const double dy = at[1] - o->centre[1];
    return !o->moved && sqrt(dx * dx + dy * dy) < same;
}

double relation_zone_off(const builtin_facts *facts,
                         const builtin_move *move,
                         uint32_t object,
                         const double at[3])
{
    const builtin_surface *s = surface_at(facts, move->reference, at[2]);
    if (!s)
        return 1;
    zone_view v = zone_view_of(facts, move, s, &facts->objects[object], at);
    if (move->relation == RELATION_MIDDLE)
        return zone_middle_off(move, &v);
    if (move->relation == RELATION_EDGE && move->gap >= 0)
        return zone_gap_off(move, v.to);
    const bool is_room = memchr(v.walled, true, sizeof v.walled) != NULL;
    const double share =
        is_room ? math_min(0.08 * s->width, room_corner) : 0.08 * s->width;
    /* a cushion's rim is round */
    const double rim =
        v.uneven ? 0.1 * math_max(v.high[0] - v.low[0], v.high[1] - v.low[1])
                 : 0.06;
    double slack = math_max(rim, share) + corner_room(facts, move, object);
    /* who says so of what is at hand in that corner wants it farther in */
    if (is_room && zone_is_still_there(&facts->objects[object], at))
        slack = math_max(rim, slack / 2);
    if (move->relation == RELATION_CORNER) {
        const double off = zone_corner_off(facts, move, object, at, &v);
        return move->gap > 0 ? off : off - slack;
    }
    const double nearest =
        math_min(zone_to_nearer(&v, 0), zone_to_nearer(&v, 1));
    slack = math_max(slack, zone_large_slack(&facts->objects[object], &v));
    return (move->sides ? zone_worst(move, &v) : nearest) - slack;
}
