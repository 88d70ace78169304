/* Relations as geometry: what "left of", "between" and "in the corner of" ask of a place. One measure serves the planner, which
 * looks for the best place, and the evaluator, which judges one. Boxes only: a thing's world-axis rectangle stands for it.
 *
 * Left and right are the picture's; before and behind follow a thing's front where somebody said what that is, else they lie
 * toward and away from the camera. */
#include "worker/model/builtin.h"

#include <math.h>

static double least(double a, double b) { return a < b ? a : b; }

static double most(double a, double b) { return a > b ? a : b; }

/* Horizontal unit vectors of the picture: to its right, and away from the viewer. */
static void picture_axes(const builtin_facts *facts, double right[2], double away[2])
{
    double x = facts->right[0], y = facts->right[1], length = sqrt(x * x + y * y);
    right[0] = length > 1e-9 ? x / length : 1;
    right[1] = length > 1e-9 ? y / length : 0;
    away[0] = -right[1];
    away[1] = right[0];
    double ahead = facts->forward[0] * away[0] + facts->forward[1] * away[1] + facts->up[0] * away[0] + facts->up[1] * away[1];
    if (ahead < 0) {
        away[0] = -away[0];
        away[1] = -away[1];
    }
}

/* Half of a box's extent along a horizontal direction. */
static double extent(const builtin_object *o, const double way[2])
{
    double along = way[0] * o->heading[0] + way[1] * o->heading[1], across = -way[0] * o->heading[1] + way[1] * o->heading[0];
    return o->half[1] * fabs(along) + o->half[0] * fabs(across);
}

static double gap_between(const builtin_rect *a, const builtin_rect *b)
{
    double x = most(most(a->low[0] - b->high[0], b->low[0] - a->high[0]), 0), y = most(most(a->low[1] - b->high[1], b->low[1] - a->high[1]), 0);
    return sqrt(x * x + y * y);
}

static double overlap(const builtin_rect *a, const builtin_rect *b)
{
    double x = least(a->high[0], b->high[0]) - most(a->low[0], b->low[0]), y = least(a->high[1], b->high[1]) - most(a->low[1], b->low[1]);
    return x > 0 && y > 0 ? least(x, y) : 0;
}

static builtin_rect rect_of(const builtin_object *o) { return builtin_footprint(o, o->centre[0], o->centre[1], 0); }

/* ---- beside, left, right, before, behind ---- */

static double beside(const builtin_facts *facts, const builtin_move *move, uint32_t object, const double at[3])
{
    const builtin_object *o = &facts->objects[object], *ref = &facts->objects[move->reference];
    builtin_rect own = builtin_footprint(o, at[0], at[1], 0), other = rect_of(ref);
    double gap = gap_between(&own, &other), size = most(o->half[0], o->half[1]);
    if (overlap(&own, &other) > 0.002) return 1 + overlap(&own, &other);
    if (move->gap >= 0) return fabs(gap - move->gap) - most(0.02, 0.1 * move->gap);
    return gap - (move->relation == RELATION_AGAINST ? 0.06 : 0.12 + 0.75 * size);
}

static void side_axis(const builtin_facts *facts, const builtin_move *move, double ret[2])
{
    double right[2], away[2];
    const builtin_object *ref = &facts->objects[move->reference];
    picture_axes(facts, right, away);
    bool sideways = move->relation == RELATION_LEFT || move->relation == RELATION_RIGHT;
    double sign = move->relation == RELATION_LEFT || move->relation == RELATION_FRONT ? -1 : 1;
    const double *axis = sideways ? right : away;
    ret[0] = sign * axis[0];
    ret[1] = sign * axis[1];
    if (sideways || !ref->has_front) return;
    ret[0] = -sign * ref->heading[0];
    ret[1] = -sign * ref->heading[1];
}

static double at_side(const builtin_facts *facts, const builtin_move *move, uint32_t object, const double at[3])
{
    const builtin_object *o = &facts->objects[object], *ref = &facts->objects[move->reference];
    double way[2], dx = at[0] - ref->centre[0], dy = at[1] - ref->centre[1];
    side_axis(facts, move, way);
    const double across[2] = {-way[1], way[0]};
    double along = dx * way[0] + dy * way[1], aside = fabs(dx * across[0] + dy * across[1]);
    double gap = along - extent(o, way) - extent(ref, way), room = extent(ref, across) + 0.5 * extent(o, across);
    double size = most(o->half[0], o->half[1]), off = most(-gap - 0.005, aside - room);
    if (move->gap >= 0) return most(fabs(gap - move->gap) - most(0.02, 0.1 * move->gap), aside - room);
    return most(off, gap - (0.3 + size));
}

static double between(const builtin_facts *facts, const builtin_move *move, const double at[3])
{
    const double *a = facts->objects[move->reference].centre, *b = facts->objects[move->second].centre;
    double dx = b[0] - a[0], dy = b[1] - a[1], length = sqrt(dx * dx + dy * dy);
    if (!(length > 1e-6)) return 1;
    double t = ((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / (length * length);
    double aside = fabs((at[0] - a[0]) * -dy + (at[1] - a[1]) * dx) / length;
    return most(fabs(t - 0.5) * length - 0.25 * length, aside - most(0.04, 0.2 * length));
}

/* ---- zones of a surface ---- */

static const builtin_surface *surface_at(const builtin_facts *facts, uint32_t of, double height)
{
    const builtin_surface *best = NULL;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object != of || s->corner_count < 3) continue;
        if (!best || fabs(s->height - height) < fabs(best->height - height) - 1e-6) best = s;
    }
    return best;
}

static double zone(const builtin_facts *facts, const builtin_move *move, uint32_t object, const double at[3])
{
    const builtin_surface *s = surface_at(facts, move->reference, at[2]);
    const builtin_object *o = &facts->objects[object];
    double right[2], away[2], low[2] = {1e30, 1e30}, high[2] = {-1e30, -1e30}, own[2] = {0, 0};
    if (!s) return 1;
    picture_axes(facts, right, away);
    const double *axes[2] = {right, away};
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < s->corner_count; i++) {
            double v = s->corners[i][0] * axes[k][0] + s->corners[i][1] * axes[k][1];
            low[k] = least(low[k], v);
            high[k] = most(high[k], v);
        }
        own[k] = at[0] * axes[k][0] + at[1] * axes[k][1];
    }
    double to[4]; /* left, right, front, back: from the thing's side to the surface's */
    for (int k = 0; k < 2; k++) {
        to[2 * k] = own[k] - extent(o, axes[k]) - low[k];
        to[2 * k + 1] = high[k] - own[k] - extent(o, axes[k]);
    }
    if (move->relation == RELATION_MIDDLE) {
        double dx = own[0] - (low[0] + high[0]) / 2, dy = own[1] - (low[1] + high[1]) / 2;
        return sqrt(dx * dx + dy * dy) - most(0.05, 0.1 * s->width);
    }
    double slack = most(0.06, 0.08 * s->width), worst = -1;
    for (int i = 0; i < 4; i++) {
        if (move->sides >> i & 1) worst = most(worst, to[i]);
    }
    bool sideways = (move->sides & (SIDE_LEFT | SIDE_RIGHT)) != 0, deep = (move->sides & (SIDE_FRONT | SIDE_BACK)) != 0;
    double across = least(to[0], to[1]), along = least(to[2], to[3]);
    if (move->relation == RELATION_CORNER) return most(worst, most(sideways ? worst : across, deep ? worst : along)) - slack;
    return (move->sides ? worst : least(across, along)) - slack;
}

/* Wholly over (or in) the reference's box, and below its top. */
static double within(const builtin_facts *facts, const builtin_move *move, uint32_t object, const double at[3])
{
    const builtin_object *o = &facts->objects[object], *ref = &facts->objects[move->reference];
    builtin_rect own = builtin_footprint(o, at[0], at[1], 0), other = rect_of(ref);
    double off = most(most(other.low[0] - own.low[0], own.high[0] - other.high[0]), most(other.low[1] - own.low[1], own.high[1] - other.high[1]));
    return off - 0.01;
}

static double beneath(const builtin_facts *facts, const builtin_move *move, uint32_t object, const double at[3])
{
    const builtin_object *o = &facts->objects[object], *ref = &facts->objects[move->reference];
    builtin_rect other = rect_of(ref);
    double off = most(most(other.low[0] - at[0], at[0] - other.high[0]), most(other.low[1] - at[1], at[1] - other.high[1]));
    return most(off, at[2] + 2 * o->half[2] - (ref->centre[2] + ref->half[2]) + 0.001);
}

double builtin_misfit(const builtin_facts *facts, const builtin_move *move, uint32_t object, const double at[3])
{
    switch (move->relation) {
    case RELATION_BESIDE:
    case RELATION_AGAINST: return beside(facts, move, object, at);
    case RELATION_LEFT:
    case RELATION_RIGHT:
    case RELATION_FRONT:
    case RELATION_BEHIND: return at_side(facts, move, object, at);
    case RELATION_BETWEEN: return between(facts, move, at);
    case RELATION_MIDDLE:
    case RELATION_CORNER:
    case RELATION_EDGE: return zone(facts, move, object, at);
    case RELATION_IN: return within(facts, move, object, at);
    case RELATION_UNDER: return beneath(facts, move, object, at);
    default: return 0;
    }
}

/* ---- what it stands on ---- */

uint32_t builtin_surface_under(const builtin_facts *facts, const double at[3], uint32_t not_of)
{
    uint32_t best = BUILTIN_NONE;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object == not_of || fabs(s->height - at[2]) > 0.03) continue;
        double x = at[0] - s->origin[0], y = at[1] - s->origin[1];
        if (x < 0 || y < 0 || x > s->columns * s->cell || y > s->rows * s->cell) continue;
        if (best == BUILTIN_NONE || fabs(s->height - at[2]) < fabs(facts->surfaces[best].height - at[2])) best = i;
    }
    return best;
}

static bool carries(const builtin_facts *facts, uint32_t object)
{
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        if (facts->surfaces[i].object == object) return true;
    }
    return false;
}

static uint32_t carrier_of(const builtin_facts *facts, uint32_t object)
{
    const builtin_object *o = &facts->objects[object];
    for (uint32_t i = 0; i < o->by_count; i++) {
        if (carries(facts, o->by[i])) return o->by[i];
    }
    return BUILTIN_NONE;
}

/* What a thing that hovers a little hovers over: the highest surface below its middle. */
static uint32_t below(const builtin_facts *facts, uint32_t object)
{
    const builtin_object *o = &facts->objects[object];
    const builtin_surface *best = NULL;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        double x = o->centre[0] - s->origin[0], y = o->centre[1] - s->origin[1];
        bool over = x >= 0 && y >= 0 && x <= s->columns * s->cell && y <= s->rows * s->cell;
        if (s->object == object || !over || s->height > o->centre[2] - o->half[2] + 0.03) continue;
        if (!best || s->height > best->height) best = s;
    }
    return best ? best->object : BUILTIN_NONE;
}

uint32_t builtin_support_of(const builtin_facts *facts, const builtin_move *move, uint32_t object)
{
    if (move->support != BUILTIN_NONE) return move->support;
    switch (move->relation) {
    case RELATION_ON:
    case RELATION_IN:
    case RELATION_MIDDLE:
    case RELATION_CORNER:
    case RELATION_EDGE: return move->reference;
    case RELATION_BESIDE:
    case RELATION_AGAINST:
    case RELATION_LEFT:
    case RELATION_RIGHT:
    case RELATION_FRONT:
    case RELATION_BEHIND:
    case RELATION_BETWEEN:
    case RELATION_UNDER:
    case RELATION_TOWARD:
    case RELATION_AWAY: {
        uint32_t by = carrier_of(facts, move->reference);
        if (by == BUILTIN_NONE) by = below(facts, move->reference);
        if (by == object || by == BUILTIN_NONE || move->relation == RELATION_TOWARD || move->relation == RELATION_AWAY) by = carrier_of(facts, object);
        return by;
    }
    default: return carrier_of(facts, object);
    }
}

double builtin_facing_off(const builtin_facts *facts, const builtin_move *move, uint32_t object)
{
    if (move->facing == FACING_NONE) return 0;
    const builtin_object *o = &facts->objects[object];
    const double *to = move->faced == BUILTIN_CAMERA ? facts->position : facts->objects[move->faced].centre;
    double dx = to[0] - o->centre[0], dy = to[1] - o->centre[1];
    if (move->faced != BUILTIN_CAMERA) { /* a wall or a wide table is faced squarely: toward its nearest point */
        builtin_rect r = rect_of(&facts->objects[move->faced]);
        double x = least(most(o->centre[0], r.low[0]), r.high[0]) - o->centre[0], y = least(most(o->centre[1], r.low[1]), r.high[1]) - o->centre[1];
        bool thin = least(r.high[0] - r.low[0], r.high[1] - r.low[1]) < 0.3 && (fabs(x) > 1e-6 || fabs(y) > 1e-6);
        if (thin) {
            dx = x;
            dy = y;
        }
    }
    double length = sqrt(dx * dx + dy * dy);
    if (!(length > 1e-6)) return 0;
    double sign = move->facing == FACING_TO ? 1 : -1, c = sign * (dx * o->heading[0] + dy * o->heading[1]) / length;
    double s = (dx * o->heading[1] - dy * o->heading[0]) / length;
    if (c <= 0) return 90 + 90 * -c; /* only whether it is small matters */
    return 57.29577951308232 * (s < 0 ? -s : s) * (1 + 0.16666666666666666 * s * s); /* asin, near enough below 20 degrees */
}
