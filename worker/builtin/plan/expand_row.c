/* Rows. A line is laid first (expand_row_lay.c). Then places are looked for
 * along it: wide before narrow where they are to be spread, near the middle of
 * the line and near the line before farther off. */
#include "worker/builtin/plan/expand_row.h"
#include "worker/builtin/place/outline.h"

#include <math.h>
#include <string.h>

static const double ROW_GAP = 0.03;   /* metres */
static const double CLOSE_GAP = 0.01; /* where there is no more room */

static double expand_row_gap(const row *r)
{
    return row_apart(r, r->is_close ? CLOSE_GAP : ROW_GAP);
}

/* ---- places along the line ---- */

/* Is the place wholly on what bears them, as far as its box tells? Of a ground
 * that ends there, its middle is enough. */
static bool expand_row_bears(const row *r, uint32_t object, const double at[2])
{
    if (r->support == BUILTIN_NONE)
        return true;
    const builtin_object *base = &r->facts->objects[r->support];
    builtin_rect own =
        builtin_footprint(&r->facts->objects[object], at[0], at[1], 0);
    if (r->may_overhang && base->is_static)
        own = (builtin_rect){{at[0], at[1]}, {at[0], at[1]}};
    builtin_rect top = builtin_rect_of(base);
    for (int k = 0; k < 2; k++) {
        if (own.low[k] < top.low[k] || own.high[k] > top.high[k])
            return false;
    }
    return true;
}

/* What bears the thing at that place. Ground may be of several parts, as a patio
 * beside a lawn: where the row's own ends, another may be level with it.
 * BUILTIN_NONE: none does. */
static uint32_t row_ground_at(const row *r, const double at[3])
{
    const builtin_facts *facts = r->facts;
    if (r->support == BUILTIN_NONE ||
        !builtin_is_ground(&facts->objects[r->support]))
        return r->support;
    const builtin_rect own = builtin_rect_of(&facts->objects[r->support]);
    const builtin_rect point = {{at[0], at[1]}, {at[0], at[1]}};
    if (builtin_rects_meet(&own, &point))
        return r->support;
    const uint32_t under = builtin_surface_under(facts, at, BUILTIN_NONE);
    if (under == BUILTIN_NONE)
        return BUILTIN_NONE;
    const uint32_t part = facts->surfaces[under].object;
    return builtin_is_ground(&facts->objects[part]) ? part : BUILTIN_NONE;
}

/* Between its legs and below its boards, is there room for the thing? What it
 * is beneath stays where it is while a row is made, and so does the room that
 * it leaves. */
static bool row_fits_beneath(const row *r, uint32_t object, const double at[2])
{
    const double level = 0.03; /* metres */
    const builtin_object *o = &r->facts->objects[object];
    const builtin_rect own = builtin_footprint(o, at[0], at[1], 0);
    for (uint32_t i = 0;
         r->under != BUILTIN_NONE && i < r->facts->surface_count; i++) {
        const builtin_surface *s = &r->facts->surfaces[i];
        if (s->object != r->support || fabs(s->height - r->height) > level ||
            !(s->cell > 0))
            continue;
        for (double x = own.low[0]; x < own.high[0] + s->cell; x += s->cell) {
            for (double y = own.low[1]; y < own.high[1] + s->cell;
                 y += s->cell) {
                if (builtin_layer_clear(s, r->under, x, y) < 2 * o->half[2])
                    return false;
            }
        }
    }
    return true;
}

/* The room over a cell of a surface were all taken away that can be; none
 * beyond its edge. */
static double surface_room(const builtin_surface *s, double x, double y)
{
    const double column = floor((x - s->origin[0]) / s->cell);
    const double line = floor((y - s->origin[1]) / s->cell);
    const bool across = column >= 0 && column < s->columns;
    const bool along = line >= 0 && line < s->rows;
    return across && along
               ? 0.01 * s->map.fixed[(size_t)line * s->columns + (size_t)column]
               : 0;
}

/* Is there room for the thing between the walls of what it is to stand in? */
static bool row_fits_inside(const row *r, uint32_t object, const double at[2])
{
    const builtin_surface *s = r->inside;
    const builtin_object *o = &r->facts->objects[object];
    const builtin_rect own = builtin_footprint(o, at[0], at[1], 0);
    if (!s)
        return true;
    for (double x = own.low[0]; x < own.high[0] + s->cell; x += s->cell) {
        for (double y = own.low[1]; y < own.high[1] + s->cell; y += s->cell) {
            const double px = math_min(x, own.high[0]);
            const double py = math_min(y, own.high[1]);
            if (surface_room(s, px, py) < 2 * o->half[2])
                return false;
        }
    }
    return true;
}

/* Does something stand on the straight way from the place to the line? */
static bool row_is_behind_others(const row *r,
                                 const company *c,
                                 uint32_t object,
                                 double in,
                                 const double place[3])
{
    const double stride = 0.1; /* metres */
    for (double back = stride; back < in; back += stride) {
        double at[3] = {0, 0, place[2]};
        for (int k = 0; k < 2; k++)
            at[k] = place[k] - back * r->in[k];
        if (company_is_taken(c, object, at))
            return true;
    }
    return false;
}

/* Is it still before what it is before, for one of them at least? */
static bool row_shows(const row *r,
                      const company *c,
                      double in,
                      const double (*places)[3])
{
    for (uint32_t i = 0; i < r->count; i++) {
        if (!row_is_behind_others(r, c, r->order[i], in, places[i]))
            return true;
    }
    return false;
}

/* Along a wall: is all of the row on that side of what it is said to be by? */
static bool row_is_aside(const row *r,
                         const builtin_move *by,
                         const double (*places)[3])
{
    const double slack = 0.005; /* metres */
    const builtin_object *ref = &r->facts->objects[by->reference];
    double way[2];
    if (by->relation != RELATION_LEFT && by->relation != RELATION_RIGHT)
        return true;
    builtin_side_axis(r->facts, by, way);
    const double side = expand_along(ref->centre, way);
    const double edge = side + builtin_extent(ref, way) - slack;
    for (uint32_t i = 0; i < r->count; i++) {
        const builtin_object *o = &r->facts->objects[r->order[i]];
        if (expand_along(places[i], way) - builtin_extent(o, way) < edge)
            return false;
    }
    return true;
}

/* Do the ends of the line tell it: between two, under a window? */
static bool row_ends_by(builtin_relation relation)
{
    return relation == RELATION_BETWEEN || relation == RELATION_UNDER;
}

/* Along a wall: is it also by what is said besides? Of what a row is by, one of
 * it is a neighbour; what it is between has all of it. */
static bool row_is_by(const row *r, const double (*places)[3])
{
    const double slack = 0.01; /* metres */
    for (uint32_t i = 0; r->is_by_wall && i < r->m->also_count; i++) {
        const builtin_condition *said = &r->m->also[i];
        const builtin_move by = builtin_condition_move(r->m, said);
        if (row_ends_by(said->relation))
            continue; /* the line ends there */
        bool is_near = false;
        for (uint32_t k = 0; k < r->count && !is_near; k++)
            is_near =
                builtin_misfit(r->facts, &by, r->order[k], places[k]) <= slack;
        if (!is_near || !row_is_aside(r, &by, places))
            return false;
    }
    return true;
}

/* Is the place free, does it bear the thing, and does that fit there? */
static bool row_has_room(const row *r,
                         const company *c,
                         uint32_t object,
                         const double at[3])
{
    const bool ends =
        r->support != BUILTIN_NONE && row_ground_at(r, at) == BUILTIN_NONE;
    if (ends || (r->may_widen && !expand_row_bears(r, object, at)))
        return false;
    if (company_is_taken(c, object, at))
        return false;
    return row_fits_beneath(r, object, at) && row_fits_inside(r, object, at);
}

/* From the line to the thing's middle, `in` further off. */
static double row_depth(const row *r, const builtin_object *o, double in)
{
    if (r->pinned)
        return expand_along(r->pin, r->in) - expand_along(r->origin, r->in);
    return in + (r->depth > 0 ? r->depth : builtin_extent(o, r->in));
}

/* How high the thing's foot is there: on a rug, where it is partly on one. */
static double row_foot_at(const row *r, uint32_t object, const double at[2])
{
    const double nap = 0.03; /* metres */
    const builtin_rect own =
        builtin_footprint(&r->facts->objects[object], at[0], at[1], 0);
    double foot = r->height;
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const builtin_object *rug = &r->facts->objects[i];
        const builtin_rect its = builtin_rect_of(rug);
        const bool lies_there = builtin_top(rug) < r->height + nap &&
                                builtin_rects_meet(&own, &its);
        if (lies_there && builtin_is_covering(r->facts, i))
            foot = math_max(foot, builtin_top(rug));
    }
    return foot;
}

/* The places at that step and offset; false: one is taken, or beyond the
 * line. */
static bool row_try(
    const row *r, double start, double step, double in, double (*ret)[3])
{
    const double slack = 1e-6; /* metres */
    const company c = {.facts = r->facts,
                       .count = r->count,
                       .objects = r->order,
                       .support = r->support,
                       .height = r->height,
                       .skips = r->under != BUILTIN_NONE,
                       .skipped = r->under,
                       .rugs = true,
                       .clearing = r->clearing};
    r->clearing->count = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        const builtin_object *o = &r->facts->objects[r->order[i]];
        double t = start + i * step + r->lead[i];
        double half = builtin_extent(o, r->along);
        if (t - half < r->low - slack || t + half > r->high + slack)
            return false;
        const double depth = row_depth(r, o, in);
        for (int k = 0; k < 2; k++)
            ret[i][k] = r->origin[k] + t * r->along[k] + depth * r->in[k];
        ret[i][2] = row_foot_at(r, r->order[i], ret[i]);
        if (!row_has_room(r, &c, r->order[i], ret[i]))
            return false;
    }
    if (!row_is_by(r, (const double(*)[3])ret))
        return false;
    return !r->is_far || row_shows(r, &c, in, (const double(*)[3])ret);
}

/* Half of what it takes along the line, with what lies on it and goes along: a
 * violin is wider than its chair. */
static double row_half(const row *r, uint32_t object)
{
    const builtin_object *o = &r->facts->objects[object];
    double half = builtin_extent(o, r->along);
    for (uint32_t i = 0; i < o->on_count; i++) {
        const builtin_object *load = &r->facts->objects[o->on[i]];
        const double aside = expand_along(load->centre, r->along) -
                             expand_along(o->centre, r->along);
        const bool stays =
            load->is_static || expand_has(r->order, r->count, o->on[i]);
        if (!stays)
            half = math_max(half, fabs(aside) + builtin_extent(load, r->along));
    }
    return half;
}

static double row_closest_step(const row *r)
{
    double step = 0.02;
    for (uint32_t i = 1; i < r->count; i++) {
        step = math_max(step, row_half(r, r->order[i - 1]) +
                                  row_half(r, r->order[i]) + expand_row_gap(r));
    }
    return step;
}

/* Along the line at that step, near its middle before farther. */
static bool row_slide(const row *r, double step, double in, double (*ret)[3])
{
    enum {
        OFFSETS = 21
    };
    double length = step * (r->count - 1);
    double slack = r->high - r->low - length;
    if (r->pinned == PINNED_ALL) {
        const double middle = expand_along(r->pin, r->along);
        const double leads = r->lead[0] + r->lead[r->count - 1];
        return row_try(r, middle - (length + leads) / 2, step, in, ret);
    }
    if (r->pinned) {
        const uint32_t at = r->pinned - 1;
        const double middle = expand_along(r->pin, r->along);
        return row_try(r, middle - at * step - r->lead[at], step, in, ret);
    }
    if (slack < 0)
        return false;
    for (int k = 0; k < OFFSETS; k++) {
        double side = (k + 1) / 2 * (k % 2 ? 1 : -1) / (double)(OFFSETS / 2);
        double start = (r->low + r->high - length) / 2 + side * slack / 2;
        if (row_try(r, start, step, in, ret))
            return true;
    }
    return false;
}

/* The widest step that they may have, given the closest. "Side by side on the
 * shelf" is a row that one hand could have set there, and not one of things at
 * the shelf's ends. */
static double row_widest_step(const row *r, double close)
{
    const double most = 1.5; /* metres */
    if (r->count < 2)
        return close;
    const double wide =
        math_min((r->high - r->low) / r->count, math_max(close, most));
    const double aside = 0.15; /* of the widest: still next to one another */
    double widest = 0;
    for (uint32_t i = 0; i < r->count; i++)
        widest = math_max(
            widest, builtin_extent(&r->facts->objects[r->order[i]], r->along));
    if (r->m->abreast)
        return math_min(wide, close + aside * widest);
    return r->is_loose ? math_min(wide, close + widest) : wide;
}

/* With the steps that it may have, so far from the line. */
static bool row_step(const row *r, double in, double (*ret)[3])
{
    enum {
        STEPS = 8
    };
    if (r->step > 0)
        return row_slide(r, r->step, in, ret);
    double close = row_closest_step(r);
    double wide = row_widest_step(r, close);
    for (int s = 0; s < STEPS; s++) {
        double share = s / (double)(STEPS - 1);
        const bool spread = r->spread && !r->m->abreast;
        double step = spread ? wide + share * (close - wide)
                             : close + share * math_max(wide - close, 0);
        if (spread && step < close - 1e-9)
            continue;
        if (row_slide(r, step, in, ret))
            return true;
    }
    return false;
}

/* From one end of the row to the other, as close as they may stand. */
static double row_closest_length(const row *r)
{
    double step = r->step > 0 ? r->step : row_closest_step(r);
    double first = builtin_extent(&r->facts->objects[r->order[0]], r->along);
    double last =
        builtin_extent(&r->facts->objects[r->order[r->count - 1]], r->along);
    return first + (r->count - 1) * step + last;
}

/* Three crates before one freezer: the middle of the row is before its middle;
 * where somebody would have to leave for that, a part of the row is. */
static void row_widen(row *r)
{
    const double spare = 0.3; /* metres, for a row to be shifted by */
    const double length = r->count > 0 ? row_closest_length(r) : 0;
    const bool is_aside = r->is_aside && length > r->high - r->low;
    const double wanted = length + (is_aside ? math_max(length, spare) : spare);
    double lacking = wanted - (r->high - r->low);
    const bool may_widen = r->may_widen && !r->is_far;
    if (!may_widen || r->count == 0 || lacking <= 0)
        return;
    r->low -= lacking / 2;
    r->high += lacking / 2;
}

/* Along a wall, between two: from the one to the other, where the line is not
 * far beside both. */
static void row_end_between(row *r, const builtin_condition *said)
{
    const double farthest = 1; /* metres from the line to either */
    const uint32_t ends[2] = {said->reference, said->second};
    double low = -INFINITY;
    double high = INFINITY;
    for (int i = 0; i < 2; i++) {
        const builtin_object *end = &r->facts->objects[ends[i]];
        const builtin_object *other = &r->facts->objects[ends[1 - i]];
        const double at = expand_along(end->centre, r->along);
        const double reach = builtin_extent(end, r->along) + expand_row_gap(r);
        const double off = fabs(expand_along(end->centre, r->in) -
                                expand_along(r->origin, r->in)) -
                           builtin_extent(end, r->in);
        if (off > farthest)
            high = -INFINITY;
        if (at < expand_along(other->centre, r->along))
            low = math_max(low, at + reach);
        else
            high = math_min(high, at - reach);
    }
    r->low = math_max(r->low, low);
    r->high = math_max(math_min(r->high, high), r->low);
}

/* Along a wall, by something: no farther from it than a row reaches. */
static void row_end_by(row *r, const builtin_condition *said)
{
    const double spare = 0.15; /* metres, for a row to be shifted by */
    const builtin_object *by = &r->facts->objects[said->reference];
    const double own = builtin_extent(by, r->along);
    const double length = row_closest_length(r);
    const double reach = row_ends_by(said->relation) ? math_max(own, length / 2)
                                                     : own + length + spare;
    const double middle = expand_along(by->centre, r->along);
    r->low = math_max(r->low, middle - reach);
    r->high = math_max(math_min(r->high, middle + reach), r->low);
}

/* Along a wall it keeps to what else is said of its place. */
static void row_keep_by(row *r)
{
    for (uint32_t i = 0; r->is_by_wall && i < r->m->also_count; i++) {
        const builtin_condition *said = &r->m->also[i];
        const uint32_t count = r->facts->object_count;
        if (said->reference >= count)
            continue;
        if (said->relation != RELATION_BETWEEN)
            row_end_by(r, said);
        else if (said->second < count)
            row_end_between(r, said);
    }
}

static bool expand_row_find(const row *r, double (*ret)[3])
{
    enum {
        DEPTHS = 6
    };
    const double coarse = 0.2; /* metres: more would miss a place */
    int steps = r->in_most > 0 ? DEPTHS - 1 : 0;
    if (r->in_most > coarse * steps)
        steps = (int)ceil(r->in_most / coarse);
    for (int d = 0; d <= steps; d++) {
        if (row_step(r, steps ? r->in_most * d / steps : 0, ret))
            return true;
    }
    return false;
}

/* ---- their order ---- */

static bool row_stays(const void *context, uint32_t first, uint32_t second)
{
    const row *r = context;
    const builtin_object *things = r->facts->objects;
    return expand_along(things[first].centre, r->along) <=
           expand_along(things[second].centre, r->along);
}

/* As said from the left, else as they are along the line. */
static void row_arrange(row *r)
{
    const builtin_move *m = r->m;
    bool said = m->row_count > 0;
    uint32_t count = said ? m->row_count : m->objects.count;
    r->count = count < BUILTIN_MOVES_MAX ? count : BUILTIN_MOVES_MAX;
    memcpy(r->order, said ? m->row : m->objects.objects,
           r->count * sizeof *r->order);
    if (!said)
        expand_sort(r->order, r->count, row_stays, r);
}

/* ---- all ---- */

/* One of them that stands on what most of them stand on: a cup on its saucer
 * does not say where a row of cups and pots is. */
static uint32_t set_typical(const builtin_facts *facts, const builtin_set *set)
{
    uint32_t best = BUILTIN_NONE;
    uint32_t most_like = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t alike = 0;
        for (uint32_t k = 0; k < set->count; k++)
            alike += expand_bearer(facts, set->objects[k]) ==
                     expand_bearer(facts, set->objects[i]);
        if (best != BUILTIN_NONE && alike <= most_like)
            continue;
        best = set->objects[i];
        most_like = alike;
    }
    return best;
}

/* Its places where the doors before it can open; false: there are none. */
static bool row_place_clear_of_doors(const row *r, double (*ret)[3])
{
    row farther = *r;
    if (r->swing <= 0)
        return false;
    for (int k = 0; k < 2; k++)
        farther.origin[k] += r->swing * r->in[k];
    return expand_row_find(&farther, ret);
}

/* Its places, on the one side of the line or, where nothing is said of it, on
 * the other. */
static bool expand_row_place(row *r, double (*ret)[3])
{
    if (row_place_clear_of_doors(r, ret) || expand_row_find(r, ret))
        return true;
    r->in[0] = -r->in[0];
    r->in[1] = -r->in[1];
    return r->reference == BUILTIN_NONE && expand_row_find(r, ret);
}

/* Its shape from above, so far along the line. */
static void row_outline(const row *r,
                        uint32_t object,
                        double t,
                        builtin_outline *ret)
{
    const builtin_object *o = &r->facts->objects[object];
    const double depth = r->depth > 0 ? r->depth : builtin_extent(o, r->in);
    double at[2];
    builtin_outline own;
    for (int k = 0; k < 2; k++)
        at[k] = t * r->along[k] + depth * r->in[k];
    builtin_outline_of(r->shapes, object, &own);
    builtin_outline_put(&own, at, o->heading, ret);
}

/* From one's middle to the next one's, so that so many metres are between the
 * two as they are turned: a chair that looks askew has a wider box. */
static double row_step_apart(const row *r,
                             uint32_t one,
                             uint32_t next,
                             double metres)
{
    enum {
        HALVINGS = 40
    };
    const double touching = 0.005; /* metres */
    const double wide = row_half(r, one) + row_half(r, next);
    double low = 0;
    double high = wide + metres;
    builtin_outline first, second;
    row_outline(r, one, 0, &first);
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (low + high) / 2;
        row_outline(r, next, middle, &second);
        if (builtin_outlines_apart(&first, &second) < metres)
            low = middle;
        else
            high = middle;
    }
    /* what lies on them may be wider than they are */
    const bool is_loaded =
        wide > builtin_extent(&r->facts->objects[one], r->along) +
                   builtin_extent(&r->facts->objects[next], r->along) + 1e-9;
    return is_loaded ? math_max(high, wide + touching) : high;
}

/* "20 cm apart", "touching each other": between each two of them. Equal steps
 * between things of unequal widths would be other gaps. */
static void row_space(row *r)
{
    const double touching = 0.005; /* metres */
    double places[BUILTIN_MOVES_MAX] = {0};
    if (r->m->spacing < 0 || r->count < 2)
        return;
    for (uint32_t i = 1; i < r->count; i++)
        places[i] =
            places[i - 1] + row_step_apart(r, r->order[i - 1], r->order[i],
                                           math_max(r->m->spacing, touching));
    r->step = places[r->count - 1] / (r->count - 1);
    for (uint32_t i = 0; i < r->count; i++)
        r->lead[i] = places[i] - i * r->step;
}

/* One line after another, until they find room along one. */
static bool row_try_lines(row *r, double (*ret)[3])
{
    const row plain = *r;
    do {
        const uint32_t attempt = r->attempt;
        *r = plain;
        r->attempt = attempt;
        row_lay(r);
        row_direct(r);
        row_arrange(r);
        row_space(r);
        row_widen(r);
        row_keep_by(r);
        row_pin(r);
        if (expand_row_place(r, ret))
            return true;
    } while (++r->attempt < r->attempts);
    return false;
}

/* The line, and places on it: where nobody has to leave, else where few have
 * to. False: there is no room. */
static bool row_make(const expansion *e,
                     const builtin_facts *facts,
                     const builtin_move *m,
                     bool close,
                     row *ret,
                     double (*ret_places)[3])
{
    bool found = false;
    for (uint32_t i = 0; i <= CLEARING_TRIES && !found; i++) {
        clearing leaving = {.said = e->said,
                            .most = i > 0 ? clearing_most(i - 1) : 0};
        *ret = (row){.facts = facts,
                     .shapes = e->p->facts,
                     .m = m,
                     .reference = BUILTIN_NONE,
                     .support = m->support,
                     .under = BUILTIN_NONE,
                     .first = set_typical(facts, &m->objects),
                     .is_aside = i == 1,
                     .is_close = close,
                     .clearing = &leaving};
        found = row_try_lines(ret, ret_places);
        ret->clearing = NULL;
    }
    return found;
}

/* The things of the row turned as each will be at its place: chairs that look
 * at a sofa take other room than they do now. ETNA_E_NOMEM. */
static etna_code row_turn(const expansion *e,
                          const row *r,
                          const double (*places)[3],
                          builtin_facts *ret)
{
    etna_arena *arena = e->p->talk->arena;
    *ret = *e->then;
    for (uint32_t i = 0; i < r->count; i++) {
        const uint32_t object = r->order[i];
        double way[2];
        double front[2];
        if (!builtin_way_across_table(ret, r->m, places[i], way) &&
            !builtin_facing_way(ret, r->m, places[i], way))
            continue;
        builtin_front_of(ret, object, front);
        etna_code code =
            builtin_turned(ret, object, builtin_turn_between(front, way), arena,
                           ret, e->p->err);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* Degrees by which a thing is turned to lie squarely along the row, its narrow
 * side along it. */
static double row_square_turn(const builtin_facts *facts,
                              uint32_t object,
                              const double along[2])
{
    const builtin_object *o = &facts->objects[object];
    const bool narrow_across = o->half[0] <= o->half[1]; /* of its heading */
    const double own[2] = {narrow_across ? -o->heading[1] : o->heading[0],
                           narrow_across ? o->heading[0] : o->heading[1]};
    const double cosine = own[0] * along[0] + own[1] * along[1];
    const double way[2] = {cosine < 0 ? -along[0] : along[0],
                           cosine < 0 ? -along[1] : along[1]};
    return builtin_turn_between(own, way);
}

/* Where they lie askew and have no room so: all of them turned squarely along
 * the row, as hands would lay them. ETNA_E_NOMEM. */
static etna_code row_square_up(const expansion *e,
                               const builtin_move *m,
                               const double along[2],
                               builtin_facts *ret)
{
    *ret = *e->then;
    for (uint32_t i = 0; i < m->objects.count; i++) {
        const uint32_t object = m->objects.objects[i];
        const double turn = row_square_turn(ret, object, along);
        etna_code code = builtin_turned(ret, object, turn, e->p->talk->arena,
                                        ret, e->p->err);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

static etna_code row_make_squarely(const expansion *e,
                                   const builtin_move *m,
                                   row *r,
                                   double (*places)[3],
                                   builtin_facts *squared,
                                   bool *ret_found)
{
    const double along[2] = {r->along[0], r->along[1]};
    etna_code code = row_square_up(e, m, along, squared);
    if (code == ETNA_OK)
        *ret_found = row_make(e, squared, m, true, r, places);
    r->facts = e->then;
    return code;
}

/* The moves that lay the row so. */
static etna_code row_put(expansion *e,
                         const builtin_move *m,
                         const row *r,
                         double (*places)[3],
                         const builtin_facts *squared)
{
    builtin_move there = *m;
    /* nothing is known to bear them: at that height */
    there.hung = m->hung || r->support == BUILTIN_NONE;
    for (uint32_t i = 0; i < r->count; i++) {
        const uint32_t object = r->order[i];
        if (r->support == BUILTIN_NONE)
            places[i][2] += e->then->objects[object].half[2];
        if (squared) {
            there.has_yaw = true;
            there.yaw_deg = squared->objects[object].yaw_deg;
        }
        const double slack = expand_apart(e->then, &object, 1, 0.02);
        etna_code code = expand_at(
            e, &there, object, row_ground_at(r, places[i]), places[i], slack);
        if (code != ETNA_OK)
            return code;
        if (r->under != BUILTIN_NONE) {
            builtin_move *last = &e->out->moves[e->out->count - 1];
            last->also = m->also; /* what they are beneath is in nobody's way */
            last->also_count = m->also_count;
        }
    }
    return ETNA_OK;
}

/* That there is no room, and by how much. */
static etna_code row_tell_lack(const expansion *e, const row *r)
{
    const double most = 100; /* metres: more than a line's length is told */
    const double room = r->high - r->low;
    const double length = r->count > 0 ? row_closest_length(r) : 0;
    const char *what = "there is no room for a row of these";
    if (!(room < most) || r->count == 0)
        return etna_fail(e->p->err, ETNA_E_NOTFOUND, "%s %u things there", what,
                         r->count);
    if (length > room)
        return etna_fail(e->p->err, ETNA_E_NOTFOUND,
                         "%s %u things there: side by side they take %.2f m, "
                         "and it is %.2f m long",
                         what, r->count, length, math_max(room, 0));
    return etna_fail(e->p->err, ETNA_E_NOTFOUND,
                     "%s %u things there: side by side they take %.2f m, and "
                     "of its %.2f m no stretch so long is free",
                     what, r->count, length, room);
}

/* Furniture along a wall has its back to it, where nobody says how it looks. */
static bool row_backs_wall(const row *r)
{
    const double furniture = 0.15; /* metres, half a side */
    const builtin_facts *facts = r->facts;
    if (r->m->facing != FACING_NONE || r->m->hung ||
        r->support >= facts->object_count ||
        r->reference >= facts->object_count)
        return false;
    const builtin_object *o = &facts->objects[r->first];
    const bool on_floor = facts->objects[r->support].is_static ||
                          builtin_is_covering(facts, r->support);
    return on_floor && builtin_is_wall(&facts->objects[r->reference]) &&
           builtin_half_longer(o) > furniture;
}

/* The row that was found, laid again with its things turned as they are to
 * face, as their breadths differ then. */
static etna_code row_make_turned(expansion *e,
                                 row *r,
                                 double (*places)[3],
                                 bool *ret_found)
{
    const builtin_move *m = r->m;
    builtin_facts turned;
    etna_code code = row_turn(e, r, (const double(*)[3])places, &turned);
    if (code != ETNA_OK)
        return code;
    *ret_found = row_make(e, &turned, m, false, r, places);
    r->facts = e->then;
    return ETNA_OK;
}

/* First as the things are turned, then, where that has no room, squarely to the
 * row. */
etna_code expand_line(expansion *e, const builtin_move *m)
{
    row r;
    builtin_move backed = *m;
    double places[BUILTIN_MOVES_MAX][3];
    builtin_facts squared;
    if (m->objects.count == 0)
        return ETNA_OK;
    bool found = row_make(e, e->then, m, false, &r, places);
    const bool flanked = row_is_flank_to_flank(e->then, m);
    const bool askew = (!found || flanked) && m->facing == FACING_NONE;
    etna_code code = ETNA_OK;
    if (askew)
        code = row_make_squarely(e, m, &r, places, &squared, &found);
    if (code != ETNA_OK)
        return code;
    if (found && !askew && row_backs_wall(&r)) {
        backed.facing = FACING_BACK;
        backed.faced = r.reference;
        m = r.m = &backed;
    }
    if (found && m->facing != FACING_NONE)
        code = row_make_turned(e, &r, places, &found);
    if (code != ETNA_OK)
        return code;
    if (!found)
        return row_tell_lack(e, &r);
    return row_put(e, m, &r, places, askew ? &squared : NULL);
}
