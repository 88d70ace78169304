/* Rows and rings are measured again when every part of them holds. Each of
 * their things stands at a place then that was thought out for it. Whether these
 * places are what was said is another matter, and is seen here from where things
 * stand alone: the gaps, the order, the straightness, the turn. */
#include "worker/builtin/place/outline.h"
#include "worker/builtin/plan/planner_internal.h"
#include "worker/math/vec.h"

#include <math.h>
#include <string.h>

typedef struct fit { /* what is measured */
    const planner *p;
    const builtin_move *m;
    uint32_t count;
    uint32_t order[BUILTIN_MOVES_MAX];
    double small; /* their measure, where all are under 6 cm wide; else 1 */
} fit;

/* The reason, in words; NULL where memory is out. */
typedef const char *measurer(fit *f);

static const char *const FITS = "";

static const builtin_object *fit_thing(const fit *f, uint32_t i)
{
    return &f->p->facts->objects[f->order[i]];
}

static void fit_outline(const fit *f, uint32_t object, builtin_outline *ret)
{
    const builtin_object *o = &f->p->facts->objects[object];
    builtin_outline own;
    builtin_outline_of(f->p->facts, object, &own);
    builtin_outline_put(&own, o->centre, o->heading, ret);
}

/* Would nobody see that it is not as told? */
static bool bound_holds(const fit *f,
                        builtin_bound bound,
                        double gap,
                        double said)
{
    const double seen = 0.03, share = 0.1; /* metres */
    const double slack = math_max(seen * f->small, share * said);
    const bool holds_below = bound == BOUND_MOST;
    const bool holds_above = bound == BOUND_LEAST;
    return (gap <= said + slack || holds_above) &&
           (gap >= said - slack || holds_below);
}

static bool gap_is(const fit *f, double gap, double said)
{
    const bool may_be_less =
        f->m->relation == RELATION_AROUND && f->m->bound == BOUND_MOST;
    const builtin_bound bound = may_be_less ? BOUND_MOST : BOUND_NONE;
    return bound_holds(f, bound, gap, said);
}

static const char *say_gap(
    const fit *f, uint32_t a, uint32_t b, double gap, double said)
{
    return etna_arena_printf(
        f->p->talk->arena,
        "%.255s and %.255s are %.0f cm apart, and not %.0f cm.",
        f->p->facts->objects[a].name, f->p->facts->objects[b].name,
        100 * math_max(gap, 0), 100 * said);
}

static const char *say_of(const fit *f, uint32_t object, const char *what)
{
    return etna_arena_printf(f->p->talk->arena, "%.255s %s.",
                             f->p->facts->objects[object].name, what);
}

/* ---- rows ---- */

static double along(const builtin_object *o, const double way[2])
{
    return o->centre[0] * way[0] + o->centre[1] * way[1];
}

/* Unit; false: both are at one place. */
static bool measure_way_between(const double a[2],
                                const double b[2],
                                double ret[2])
{
    const double length =
        sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]));
    ret[0] = length > 0 ? (b[0] - a[0]) / length : 0;
    ret[1] = length > 0 ? (b[1] - a[1]) / length : 0;
    return length > 0;
}

/* From its first to its last; where no order was said, between the two that are
 * farthest apart. */
static bool measure_row_way(const fit *f, double ret[2])
{
    uint32_t ends[2] = {0, f->count - 1};
    double farthest = -1;
    for (uint32_t i = 0; i < f->count && f->m->row_count == 0; i++) {
        for (uint32_t k = i + 1; k < f->count; k++) {
            const double *a = fit_thing(f, i)->centre;
            const double *b = fit_thing(f, k)->centre;
            const double dx = b[0] - a[0];
            const double dy = b[1] - a[1];
            if (dx * dx + dy * dy <= farthest)
                continue;
            farthest = dx * dx + dy * dy;
            ends[0] = i;
            ends[1] = k;
        }
    }
    return measure_way_between(fit_thing(f, ends[0])->centre,
                               fit_thing(f, ends[1])->centre, ret);
}

/* As they stand along the row, where no order was said. */
static void measure_row_sort(fit *f, const double way[2])
{
    for (uint32_t i = 1; i < f->count && f->m->row_count == 0; i++) {
        for (uint32_t k = i; k > 0 && along(fit_thing(f, k - 1), way) >
                                          along(fit_thing(f, k), way);
             k--) {
            const uint32_t other = f->order[k];
            f->order[k] = f->order[k - 1];
            f->order[k - 1] = other;
        }
    }
}

/* A point of it that the row's things may have in line: its middle (0), or the
 * one side or the other. */
static void row_point(const builtin_object *o,
                      const double across[2],
                      int side,
                      double ret[2])
{
    const double half = side * builtin_extent(o, across);
    for (int k = 0; k < 2; k++)
        ret[k] = o->centre[k] + half * across[k];
}

/* Metres by which one of them is off the line from the first to the last. */
static double row_bend(const fit *f, const double way[2], int side)
{
    const double across[2] = {-way[1], way[0]};
    double first[2], last[2], straight[2], most = 0;
    row_point(fit_thing(f, 0), across, side, first);
    row_point(fit_thing(f, f->count - 1), across, side, last);
    measure_way_between(first, last, straight);
    for (uint32_t i = 1; i + 1 < f->count; i++) {
        double at[2];
        row_point(fit_thing(f, i), across, side, at);
        const double off =
            (at[1] - first[1]) * straight[0] - (at[0] - first[0]) * straight[1];
        most = math_max(most, fabs(off));
    }
    return most;
}

static bool row_is_straight(const fit *f, const double way[2])
{
    const double seen = 0.05; /* metres */
    for (int side = -1; side <= 1; side++) {
        if (row_bend(f, way, side) <= seen * f->small)
            return true;
    }
    return false;
}

/* Is each behind the one before it, and, where the picture shows it, from its
 * left? */
static const char *row_order_off(const fit *f, const double way[2])
{
    const double shown = 0.5; /* cosine */
    double right[2], away[2];
    builtin_picture_axes(f->p->facts, right, away);
    for (uint32_t i = 1; i < f->count; i++) {
        if (along(fit_thing(f, i), way) <= along(fit_thing(f, i - 1), way))
            return say_of(f, f->order[i], "is not where the order has it");
    }
    const double across = way[0] * right[0] + way[1] * right[1];
    if (f->m->row_count > 0 && across < -shown)
        return say_of(f, f->order[0], "is at the wrong end of the row");
    if (f->m->sideways && across < shown)
        return say_of(f, f->order[0], "is not at its side of the row");
    return FITS;
}

typedef struct spread {
    double least, most;
} spread;

static void spread_add(spread *s, double value)
{
    s->least = math_min(s->least, value);
    s->most = math_max(s->most, value);
}

/* Metres from one to the next: told ones, else equal ones where that is told;
 * between sides or between middles, for either is called even. */
static const char *row_gaps_off(const fit *f, const double way[2])
{
    const double seen = 0.04, share = 0.15;
    spread gaps = {INFINITY, -INFINITY};
    spread steps = gaps;
    for (uint32_t i = 1; i < f->count; i++) {
        builtin_outline a, b;
        fit_outline(f, f->order[i - 1], &a);
        fit_outline(f, f->order[i], &b);
        const double gap = builtin_outlines_apart(&a, &b);
        if (f->m->spacing >= 0 && !gap_is(f, gap, f->m->spacing))
            return say_gap(f, f->order[i - 1], f->order[i], gap, f->m->spacing);
        spread_add(&gaps, gap);
        spread_add(&steps, along(fit_thing(f, i), way) -
                               along(fit_thing(f, i - 1), way));
    }
    const double slack = math_max(seen * f->small, share * steps.most);
    const bool is_even =
        gaps.most - gaps.least <= slack || steps.most - steps.least <= slack;
    if (!f->m->even || is_even)
        return FITS;
    return etna_arena_printf(
        f->p->talk->arena, "They stand %.0f to %.0f cm apart, and not evenly.",
        100 * gaps.least, 100 * gaps.most);
}

/* Of one of the row: metres to what the row is along, straight off that. */
static double row_apart_from(const fit *f,
                             uint32_t i,
                             uint32_t reference,
                             const double way[2])
{
    const double off[2] = {-way[1], way[0]};
    const builtin_object *const o = fit_thing(f, i);
    const builtin_object *const ref = &f->p->facts->objects[reference];
    return fabs(along(o, off) - along(ref, off)) - builtin_extent(o, off) -
           builtin_extent(ref, off);
}

/* Is all of the row as far from what it is along as was told? */
static const char *row_distance_off(const fit *f, const double way[2])
{
    for (uint32_t k = 0; k < f->m->also_count; k++) {
        const builtin_condition *const said = &f->m->also[k];
        const bool is_told = said->gap >= 0 && !said->denied &&
                             said->reference == f->m->reference &&
                             said->reference < f->p->facts->object_count;
        for (uint32_t i = 0; is_told && i < f->count; i++) {
            const double gap = row_apart_from(f, i, said->reference, way);
            if (!bound_holds(f, said->bound, gap, said->gap))
                return say_gap(f, f->order[i], said->reference, gap, said->gap);
        }
    }
    return FITS;
}

static const char *row_off(fit *f)
{
    double way[2];
    if (!measure_row_way(f, way))
        return say_of(f, f->order[0], "stands where another of the row does");
    measure_row_sort(f, way);
    const char *why = row_order_off(f, way);
    if (why != FITS)
        return why;
    if (!row_is_straight(f, way))
        return say_of(f, f->order[0], "and the others do not stand in a line");
    why = row_distance_off(f, way);
    return why == FITS ? row_gaps_off(f, way) : why;
}

/* ---- rings ---- */

/* Degrees about the middle, ascending. */
static void ring_angles(const fit *f, double *ret)
{
    const double *middle = f->p->facts->objects[f->m->reference].centre;
    const double degree = 180 / MATH_PI;
    for (uint32_t i = 0; i < f->count; i++) {
        const double *at = fit_thing(f, i)->centre;
        const double angle =
            degree * math_atan2(at[1] - middle[1], at[0] - middle[0]);
        uint32_t k = i;
        for (; k > 0 && ret[k - 1] > angle; k--)
            ret[k] = ret[k - 1];
        ret[k] = angle;
    }
}

static spread ring_turns(const fit *f)
{
    double angles[BUILTIN_MOVES_MAX];
    spread turns = {INFINITY, -INFINITY};
    ring_angles(f, angles);
    for (uint32_t i = 1; i < f->count; i++)
        spread_add(&turns, angles[i] - angles[i - 1]);
    spread_add(&turns, 360 - (angles[f->count - 1] - angles[0]));
    return turns;
}

/* Of an oblong table: as many before the one side as before the other. */
static bool ring_is_balanced(const fit *f)
{
    const double longer = 1.2; /* times */
    const builtin_object *c = &f->p->facts->objects[f->m->reference];
    int sides[2] = {0, 0};
    if (builtin_half_longer(c) < longer * builtin_half_shorter(c))
        return false;
    for (uint32_t i = 0; i < f->count; i++) {
        const double *at = fit_thing(f, i)->centre;
        const double dx = at[0] - c->centre[0];
        const double dy = at[1] - c->centre[1];
        const double own[2] = {dx * c->heading[1] - dy * c->heading[0],
                               dx * c->heading[0] + dy * c->heading[1]};
        for (int k = 0; k < 2; k++) {
            if (fabs(own[k]) > c->half[k])
                sides[k] += own[k] > 0 ? 1 : -1;
        }
    }
    return sides[0] * sides[0] <= 1 && sides[1] * sides[1] <= 1;
}

/* Are they all about it, and evenly where that is told? */
static const char *ring_turns_off(const fit *f)
{
    const double empty = 255, share = 0.25; /* degrees; of the even turn */
    const spread turns = ring_turns(f);
    const double even = 360.0 / f->count;
    const uint32_t centre = f->m->reference;
    if (f->count > 1 && turns.most > empty)
        return say_of(f, centre, "has them all on one side");
    const bool is_even =
        turns.most - even <= share * even && even - turns.least <= share * even;
    if (!f->m->even || is_even || ring_is_balanced(f))
        return FITS;
    return say_of(f, centre, "does not have them evenly around it");
}

static const char *ring_off(fit *f)
{
    const double farthest = 0.45; /* metres, where no gap is told */
    const uint32_t centre = f->m->reference;
    builtin_outline middle;
    fit_outline(f, centre, &middle);
    for (uint32_t i = 0; i < f->count; i++) {
        builtin_outline own;
        fit_outline(f, f->order[i], &own);
        const double gap = builtin_outlines_apart(&own, &middle);
        if (f->m->gap >= 0 && !gap_is(f, gap, f->m->gap))
            return say_gap(f, f->order[i], centre, gap, f->m->gap);
        if (f->m->gap < 0 && gap > farthest)
            return say_of(f, f->order[i], "is too far away");
        if (builtin_facing_off(f->p->facts, f->m, f->order[i]) > 10)
            return say_of(f, f->order[i], "does not look where it is to");
    }
    return ring_turns_off(f);
}

/* ---- all ---- */

static measurer *const measurers[RELATION_COUNT] = {
    [RELATION_LINE] = row_off, [RELATION_AROUND] = ring_off};

static bool set_holds(const builtin_set *set, uint32_t object)
{
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->objects[i] == object)
            return true;
    }
    return false;
}

/* Does a later move have one of them, or what they are around? Then that says
 * where it is. */
static bool measure_is_overruled(const builtin_reading *said, uint32_t index)
{
    const builtin_move *m = &said->moves[index];
    for (uint32_t i = index + 1; i < said->count; i++) {
        const builtin_move *later = &said->moves[i];
        if (set_holds(&later->objects, m->reference))
            return true;
        for (uint32_t k = 0; k < m->objects.count; k++) {
            const bool trades = later->relation == RELATION_SWAP &&
                                later->reference == m->objects.objects[k];
            if (trades || set_holds(&later->objects, m->objects.objects[k]))
                return true;
        }
    }
    return false;
}

/* Hung things are in no row on the ground. */
static bool measure_can(const fit *f)
{
    const uint32_t count = f->p->facts->object_count;
    for (uint32_t i = 0; i < f->count; i++) {
        if (fit_thing(f, i)->attached)
            return false;
    }
    return f->count > 0 && !f->m->hung &&
           (f->m->relation == RELATION_LINE || f->m->reference < count);
}

static void measure_gather(fit *f)
{
    const double fine = 0.03; /* metres, half a width */
    const builtin_move *m = f->m;
    const bool ordered = m->row_count > 0;
    const uint32_t *list = ordered ? m->row : m->objects.objects;
    const uint32_t count = ordered ? m->row_count : m->objects.count;
    double largest = 0;
    f->count = count < BUILTIN_MOVES_MAX ? count : BUILTIN_MOVES_MAX;
    for (uint32_t i = 0; i < f->count; i++) {
        f->order[i] = list[i];
        largest = math_max(largest, builtin_half_longer(fit_thing(f, i)));
    }
    f->small = largest < fine ? math_max(largest / fine, 0.3) : 1;
}

etna_code planner_measure(const planner *p, model_reply *ret, bool *ret_said)
{
    *ret_said = false;
    for (uint32_t i = 0; p->said && i < p->said->count; i++) {
        const builtin_move *m = &p->said->moves[i];
        fit f = {.p = p, .m = m};
        if (!measurers[m->relation] || measure_is_overruled(p->said, i))
            continue;
        measure_gather(&f);
        if (!measure_can(&f))
            continue;
        const char *why = measurers[m->relation](&f);
        if (why == FITS)
            continue;
        *ret_said = true;
        return planner_say_impossible(p, "impossible", ret, why);
    }
    return ETNA_OK;
}
