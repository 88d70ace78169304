/* Rows. A line is laid first: along a wall, on a thing's top, before a thing, or through the middle of where the things
 * are. Then places are looked for along it: wide before narrow where they are to be spread, near the middle of the line
 * and near the line before farther off. */
#include "worker/builtin/plan/expand_internal.h"

#include <math.h>
#include <string.h>

static const double EDGE_GAP = 0.03, ROW_GAP = 0.03; /* metres */

typedef struct row {
    const builtin_facts *facts;
    const builtin_move *m;
    uint32_t reference; /* what the line is along; BUILTIN_NONE: where they are */
    uint32_t first;     /* one that stands on what most of them stand on */
    uint32_t support;   /* BUILTIN_NONE: nothing is known to bear them */
    uint32_t count;
    uint32_t order[BUILTIN_MOVES_MAX];
    double along[2], origin[2], low, high; /* points origin + t along, t from low to high */
    double in[2];                          /* the other direction the line may be shifted to, and how far at most */
    double in_most;
    double height;  /* of their bottoms */
    double step;    /* between middles; 0: as wide as there is room */
    bool spread;    /* over the whole line */
    double depth;   /* from the line to their middles; 0: their sides are on the line */
    double swing;   /* the line's distance is rather more by this: the reference's doors open there */
    bool may_widen; /* beyond the reference's sides, where the row is longer than that is broad */
} row;

/* ---- places along the line ---- */

static bool company_carries(const company *c, uint32_t object)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (builtin_is_above(c->facts, object, c->objects[i])) return true;
    }
    return false;
}

/* Can the thing take room between these heights? Rooms, what bears them and what goes along can't. */
static bool company_meets(const company *c, uint32_t object, double top)
{
    const double touch = 0.01, wide = 1, thin = 0.3; /* metres */
    const builtin_object *b = &c->facts->objects[object];
    bool below = b->centre[2] + b->half[2] < c->height + touch;
    bool above = b->centre[2] - b->half[2] > top - touch;
    if (below || above || object == c->support || expand_has(c->objects, c->count, object)) return false;
    bool room = math_max(b->half[0], b->half[1]) > wide && math_min(b->half[0], b->half[1]) > thin;
    return !(b->is_static && room) && !company_carries(c, object);
}

static bool rects_overlap(const builtin_rect *a, const builtin_rect *b)
{
    for (int k = 0; k < 2; k++) {
        if (a->low[k] >= b->high[k] || a->high[k] <= b->low[k]) return false;
    }
    return true;
}

bool company_is_taken(const company *c, uint32_t object, const double at[2])
{
    const builtin_object *o = &c->facts->objects[object];
    builtin_rect own = builtin_footprint(o, at[0], at[1], 0.005);
    for (uint32_t i = 0; i < c->facts->object_count; i++) {
        const builtin_object *b = &c->facts->objects[i];
        builtin_rect its = builtin_footprint(b, b->centre[0], b->centre[1], 0);
        if (rects_overlap(&own, &its) && company_meets(c, i, c->height + 2 * o->half[2])) return true;
    }
    return false;
}

/* The places at that step and offset; false: one is taken, or beyond the line. */
static bool row_try(const row *r, double start, double step, double in, double (*ret)[3])
{
    const double slack = 1e-6; /* metres */
    const company c = {
        .facts = r->facts, .count = r->count, .objects = r->order, .support = r->support, .height = r->height};
    for (uint32_t i = 0; i < r->count; i++) {
        const builtin_object *o = &r->facts->objects[r->order[i]];
        double t = start + i * step;
        double half = builtin_extent(o, r->along);
        if (t - half < r->low - slack || t + half > r->high + slack) return false;
        double depth = in + (r->depth > 0 ? r->depth : builtin_extent(o, r->in));
        for (int k = 0; k < 2; k++) ret[i][k] = r->origin[k] + t * r->along[k] + depth * r->in[k];
        ret[i][2] = r->height;
        if (company_is_taken(&c, r->order[i], ret[i])) return false;
    }
    return true;
}

static double row_closest_step(const row *r)
{
    double step = 0.02;
    for (uint32_t i = 1; i < r->count; i++) {
        step = math_max(step, builtin_extent(&r->facts->objects[r->order[i - 1]], r->along) +
                                  builtin_extent(&r->facts->objects[r->order[i]], r->along) + ROW_GAP);
    }
    return step;
}

/* Along the line at that step, near its middle before farther. */
static bool row_slide(const row *r, double step, double in, double (*ret)[3])
{
    enum { OFFSETS = 21 };
    double length = step * (r->count - 1);
    double slack = r->high - r->low - length;
    if (slack < 0) return false;
    for (int k = 0; k < OFFSETS; k++) {
        double side = (k + 1) / 2 * (k % 2 ? 1 : -1) / (double)(OFFSETS / 2);
        double start = (r->low + r->high - length) / 2 + side * slack / 2;
        if (row_try(r, start, step, in, ret)) return true;
    }
    return false;
}

/* With the steps that it may have, so far from the line. */
static bool row_step(const row *r, double in, double (*ret)[3])
{
    enum { STEPS = 8 };
    if (r->step > 0) return row_slide(r, r->step, in, ret);
    double close = row_closest_step(r);
    double wide = r->count > 1 ? math_min((r->high - r->low) / r->count, math_max(close, 1.5)) : close;
    for (int s = 0; s < STEPS; s++) {
        double share = s / (double)(STEPS - 1);
        double step = r->spread ? wide + share * (close - wide) : close + share * math_max(wide - close, 0);
        if (r->spread && step < close - 1e-9) continue;
        if (row_slide(r, step, in, ret)) return true;
    }
    return false;
}

/* From one end of the row to the other, as close as they may stand. */
static double row_closest_length(const row *r)
{
    double step = r->step > 0 ? r->step : row_closest_step(r);
    double first = builtin_extent(&r->facts->objects[r->order[0]], r->along);
    double last = builtin_extent(&r->facts->objects[r->order[r->count - 1]], r->along);
    return first + (r->count - 1) * step + last;
}

/* Three crates before one freezer: the middle of the row is before its middle. */
static void row_widen(row *r)
{
    const double spare = 0.1; /* metres, for a row to be shifted by */
    double wanted = r->count > 0 ? row_closest_length(r) + spare : 0;
    double lacking = wanted - (r->high - r->low);
    if (!r->may_widen || lacking <= 0) return;
    r->low -= lacking / 2;
    r->high += lacking / 2;
}

static bool row_find(const row *r, double (*ret)[3])
{
    enum { DEPTHS = 6 };
    int depths = r->in_most > 0 ? DEPTHS : 1;
    for (int d = 0; d < depths; d++) {
        if (row_step(r, r->in_most * d / (DEPTHS - 1), ret)) return true;
    }
    return false;
}

/* ---- their order ---- */

static bool row_stays(const void *context, uint32_t first, uint32_t second)
{
    const row *r = context;
    const builtin_object *things = r->facts->objects;
    return expand_along(things[first].centre, r->along) <= expand_along(things[second].centre, r->along);
}

/* The line's direction: left to right in the picture, of a line into the picture far to near. */
static void row_direct(row *r)
{
    double right[2];
    double away[2];
    builtin_picture_axes(r->facts, right, away);
    double turned = r->along[0] * right[0] + r->along[1] * right[1];
    if (fabs(turned) < 0.35) turned = -(r->along[0] * away[0] + r->along[1] * away[1]);
    if (turned >= 0) return;
    double low = r->low;
    r->along[0] = -r->along[0];
    r->along[1] = -r->along[1];
    r->low = -r->high;
    r->high = -low;
}

/* As said from the left, else as they are along the line. */
static void row_arrange(row *r)
{
    const builtin_move *m = r->m;
    bool said = m->row_count > 0;
    uint32_t count = said ? m->row_count : m->objects.count;
    r->count = count < BUILTIN_MOVES_MAX ? count : BUILTIN_MOVES_MAX;
    memcpy(r->order, said ? m->row : m->objects.objects, r->count * sizeof *r->order);
    if (!said) expand_sort(r->order, r->count, row_stays, r);
}

/* ---- the line ---- */

const builtin_surface *expand_top_of(const builtin_facts *facts, uint32_t base)
{
    const builtin_surface *best = NULL;
    double best_area = 0;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        double area = s->width * s->cell * (s->columns > s->rows ? s->columns : s->rows);
        bool higher = best && s->height > best->height && area > 0.5 * best_area;
        bool better = !best || higher || area > 1.5 * best_area;
        if (s->object != base || !better) continue;
        best = s;
        best_area = area;
    }
    return best;
}

/* One of them that stands on what most of them stand on: a cup on its saucer does not say where a row of cups and pots is. */
static uint32_t set_typical(const builtin_facts *facts, const builtin_set *set)
{
    uint32_t best = BUILTIN_NONE;
    uint32_t most_like = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t alike = 0;
        for (uint32_t k = 0; k < set->count; k++)
            alike += expand_bearer(facts, set->objects[k]) == expand_bearer(facts, set->objects[i]);
        if (best != BUILTIN_NONE && alike <= most_like) continue;
        best = set->objects[i];
        most_like = alike;
    }
    return best;
}

static bool set_stands_on(const builtin_facts *facts, const builtin_set *set, uint32_t base)
{
    for (uint32_t i = 0; i < set->count; i++) {
        if (builtin_stands_on(facts, set->objects[i], base)) return true;
    }
    return false;
}

/* Half of the deepest of them. */
static double row_deepest(const row *r)
{
    double depth = 0;
    const builtin_set *set = &r->m->objects;
    for (uint32_t i = 0; i < set->count; i++)
        depth = math_max(depth, builtin_extent(&r->facts->objects[set->objects[i]], r->in));
    return depth;
}

/* The way of the picture that a side means, the last of several; none: toward who looks. */
static void side_wanted(const builtin_facts *facts, unsigned sides, double ret[2])
{
    double right[2];
    double away[2];
    builtin_picture_axes(facts, right, away);
    for (int k = 0; k < 2; k++) {
        ret[k] = -away[k];
        if (sides & SIDE_BACK) ret[k] = away[k];
        if (sides & SIDE_LEFT) ret[k] = -right[k];
        if (sides & SIDE_RIGHT) ret[k] = right[k];
        if (sides & SIDE_FRONT) ret[k] = -away[k];
    }
}

/* The side of a box that sides of the picture mean, as the way out of it. */
static void box_side(const builtin_facts *facts, const builtin_object *o, unsigned sides, double ret[2])
{
    double best = -2;
    double want[2];
    side_wanted(facts, sides, want);
    const double ways[4][2] = {{o->heading[0], o->heading[1]},
                               {-o->heading[0], -o->heading[1]},
                               {-o->heading[1], o->heading[0]},
                               {o->heading[1], -o->heading[0]}};
    for (int i = 0; i < 4; i++) {
        double c = ways[i][0] * want[0] + ways[i][1] * want[1];
        if (c <= best + 1e-9) continue;
        best = c;
        memcpy(ret, ways[i], sizeof ways[i]);
    }
}

/* Along one side of a box, inside it or outside. */
static void row_lay_at(row *r, const builtin_object *o, const double out[2], bool inside)
{
    double reach = builtin_extent(o, out);
    r->along[0] = -out[1];
    r->along[1] = out[0];
    double wide = builtin_extent(o, r->along);
    double middle = expand_along(o->centre, r->along);
    double inset = inside ? 0.01 : 0;
    double line = expand_along(o->centre, out) + reach;
    r->low = middle - wide + inset;
    r->high = middle + wide - inset;
    for (int k = 0; k < 2; k++) {
        r->in[k] = inside ? -out[k] : out[k];
        r->origin[k] = line * out[k] + EDGE_GAP * r->in[k];
    }
}

static void row_bear(row *r, uint32_t support)
{
    if (r->support == BUILTIN_NONE) r->support = support;
}

/* Along a wall, on the side of it where they are. */
static bool row_lay_by_wall(row *r)
{
    if (r->reference == BUILTIN_NONE || !builtin_is_wall(&r->facts->objects[r->reference])) return false;
    const builtin_object *ref = &r->facts->objects[r->reference];
    const builtin_object *o = &r->facts->objects[r->first];
    double out[2];
    expand_across(ref, out);
    double side = (o->centre[0] - ref->centre[0]) * out[0] + (o->centre[1] - ref->centre[1]) * out[1];
    for (int k = 0; k < 2 && side < 0; k++) out[k] = -out[k];
    row_lay_at(r, ref, out, false);
    r->in_most = 0.15;
    row_bear(r, expand_bearer(r->facts, r->first));
    return true;
}

static bool row_is_on_top(const row *r)
{
    const builtin_move *m = r->m;
    if (m->support == r->reference || set_stands_on(r->facts, &m->objects, r->reference)) return true;
    return m->sides == 0 && m->support == BUILTIN_NONE;
}

static bool row_lay_on_top(row *r)
{
    if (r->reference == BUILTIN_NONE || !row_is_on_top(r)) return false;
    const builtin_object *ref = &r->facts->objects[r->reference];
    const builtin_surface *s = expand_top_of(r->facts, r->reference);
    double out[2];
    box_side(r->facts, ref, r->m->sides, out);
    row_lay_at(r, ref, out, true);
    r->support = r->reference;
    r->height = s ? s->height : ref->centre[2] + ref->half[2];
    r->spread = true;
    if (r->m->sides == 0) {
        r->in_most = 2 * builtin_extent(ref, out);
        r->depth = row_deepest(r);
    }
    return true;
}

/* How far its doors reach before it when they open: two of them share its breadth. */
static double row_door_swing(const builtin_object *o, const double out[2])
{
    const double widest = 0.6; /* metres: one wing of a large wardrobe */
    const double across[2] = {-out[1], out[0]};
    return builtin_has_doors(o) ? math_min(builtin_extent(o, across), widest) : 0;
}

/* Before a thing, on what bears them. */
static bool row_lay_before(row *r)
{
    if (r->reference == BUILTIN_NONE) return false;
    const builtin_object *ref = &r->facts->objects[r->reference];
    double out[2];
    double front[2];
    bool before = r->m->sides == 0 || r->m->sides == SIDE_FRONT;
    bool known =
        builtin_front_of(r->facts, r->reference, front) || builtin_front_from_wall(r->facts, r->reference, front);
    box_side(r->facts, ref, r->m->sides, out);
    if (before && known) memcpy(out, front, sizeof out);
    row_lay_at(r, ref, out, false);
    r->swing = before ? row_door_swing(ref, out) : 0;
    r->in_most = 0.4;
    r->spread = true;
    r->may_widen = true;
    for (int k = 0; k < 2; k++) r->origin[k] += 0.07 * r->in[k];
    row_bear(r, expand_bearer(r->facts, r->first));
    return true;
}

typedef struct row_spread { /* of the things along a way */
    double middle, low, high;
} row_spread;

static row_spread row_measure(const row *r, const double way[2])
{
    row_spread s = {.low = INFINITY, .high = -INFINITY};
    const builtin_set *set = &r->m->objects;
    for (uint32_t i = 0; i < set->count; i++) {
        double v = expand_along(r->facts->objects[set->objects[i]].centre, way);
        s.middle += v / set->count;
        s.low = math_min(s.low, v);
        s.high = math_max(s.high, v);
    }
    return s;
}

/* No farther than what bears them reaches. */
static void row_cut(row *r, const builtin_object *base)
{
    double middle = expand_along(base->centre, r->along);
    double reach = builtin_extent(base, r->along);
    r->low = math_max(r->low, middle - reach + 0.01);
    r->high = math_min(r->high, middle + reach - 0.01);
}

/* Where they are: through their middle, along the picture or the thing that bears them. */
static bool row_lay_there(row *r)
{
    const builtin_facts *facts = r->facts;
    double axis[2];
    double away[2];
    builtin_picture_axes(facts, axis, away);
    row_bear(r, expand_bearer(facts, r->first));
    const builtin_object *base = r->support != BUILTIN_NONE ? &facts->objects[r->support] : NULL;
    if (base) box_side(facts, base->is_static ? &facts->objects[r->first] : base, SIDE_RIGHT, axis);
    const double across[2] = {-axis[1], axis[0]};
    row_spread wide = row_measure(r, axis);
    row_spread far = row_measure(r, across);
    bool deep = r->m->row_count == 0 && far.high - far.low > 2 * (wide.high - wide.low);
    const row_spread *own = deep ? &far : &wide;
    memcpy(r->along, deep ? across : axis, sizeof r->along);
    r->in[0] = -r->along[1];
    r->in[1] = r->along[0];
    r->depth = row_deepest(r);
    double line = (deep ? -wide.middle : far.middle) - r->depth;
    for (int k = 0; k < 2; k++) r->origin[k] = line * r->in[k];
    double half = math_max(1.0, 0.75 * (own->high - own->low));
    r->low = own->middle - half;
    r->high = own->middle + half;
    if (base) row_cut(r, base);
    r->in_most = 0.5;
    return true;
}

/* ---- all ---- */

/* "In a row on the shelf": along that, where they do not stand there yet. */
static uint32_t row_reference(const builtin_facts *facts, const builtin_move *m)
{
    if (m->reference < facts->object_count) return m->reference;
    if (m->reference != BUILTIN_NONE || m->support >= facts->object_count) return BUILTIN_NONE;
    bool elsewhere = !facts->objects[m->support].is_static && !set_stands_on(facts, &m->objects, m->support);
    return elsewhere ? m->support : BUILTIN_NONE;
}

/* Its places where the doors before it can open; false: there are none. */
static bool row_place_clear_of_doors(const row *r, double (*ret)[3])
{
    row farther = *r;
    if (r->swing <= 0) return false;
    for (int k = 0; k < 2; k++) farther.origin[k] += r->swing * r->in[k];
    return row_find(&farther, ret);
}

/* Its places, on the one side of the line or, where nothing is said of it, on the other. */
static bool row_place(row *r, double (*ret)[3])
{
    if (row_place_clear_of_doors(r, ret) || row_find(r, ret)) return true;
    r->in[0] = -r->in[0];
    r->in[1] = -r->in[1];
    return r->reference == BUILTIN_NONE && row_find(r, ret);
}

etna_code expand_line(expansion *e, const builtin_move *m)
{
    static bool (*const lays[])(row * r) = {row_lay_by_wall, row_lay_on_top, row_lay_before, row_lay_there};
    row r = {.facts = e->then, .m = m, .support = m->support, .first = set_typical(e->then, &m->objects)};
    if (r.first == BUILTIN_NONE) return ETNA_OK;
    const builtin_object *first = &e->then->objects[r.first];
    double places[BUILTIN_MOVES_MAX][3];
    r.reference = row_reference(e->then, m);
    r.height = first->centre[2] - first->half[2];
    size_t way = 0;
    while (!lays[way](&r)) way++; /* the last lays any */
    row_direct(&r);
    row_arrange(&r);
    if (m->spacing > 0) r.step = row_closest_step(&r) - ROW_GAP + m->spacing;
    row_widen(&r);
    if (!row_place(&r, places))
        return etna_fail(e->p->err, ETNA_E_NOTFOUND, "there is no room for a row of these %u things there", r.count);
    builtin_move there = *m;
    there.hung = m->hung || r.support == BUILTIN_NONE; /* nothing is known to bear them: at that height */
    for (uint32_t i = 0; i < r.count; i++) {
        if (r.support == BUILTIN_NONE) places[i][2] += e->then->objects[r.order[i]].half[2];
        etna_code code = expand_at(e, &there, r.order[i], r.support, places[i], 0.02);
        if (code != ETNA_OK) return code;
    }
    return ETNA_OK;
}
