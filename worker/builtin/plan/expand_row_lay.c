/* Where the line of a row is: along a wall, on a thing's top, beneath it,
 * beside it or before it, between two, or through the middle of where the
 * things are. */
#include "worker/builtin/place/front.h"
#include "worker/builtin/plan/expand_row.h"

#include <math.h>
#include <string.h>

static const double EDGE_GAP = 0.03; /* metres */
static const double ASIDE_GAP =
    0.07; /* metres, besides: what stands by a thing does not touch it */

double row_apart(const row *r, double metres)
{
    return expand_apart(r->facts, r->m->objects.objects, r->m->objects.count,
                        metres);
}

bool row_is_flank_to_flank(const builtin_facts *facts, const builtin_move *m)
{
    const double oblong = 2;
    for (uint32_t i = 0; i < m->objects.count && m->abreast; i++) {
        const double *half = facts->objects[m->objects.objects[i]].half;
        if (math_max(half[0], half[1]) < oblong * math_min(half[0], half[1]))
            return false;
    }
    return m->abreast && !m->hung;
}

static double surface_extent(const builtin_surface *s)
{
    return s->width * s->cell * (s->columns > s->rows ? s->columns : s->rows);
}

/* Of a seat with all its level parts: a sofa's two seats are one. */
static double top_extent(const builtin_facts *facts, const builtin_surface *s)
{
    const double level = 0.03; /* metres */
    double area = surface_extent(s);
    if (!builtin_is_seat(&facts->objects[s->object]))
        return area;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *other = &facts->surfaces[i];
        if (other != s && other->object == s->object &&
            fabs(other->height - s->height) < level)
            area += surface_extent(other);
    }
    return area;
}

/* The surface that is meant by a thing's top: the highest of those that are not
 * much smaller than the largest. NULL: it has none. */
const builtin_surface *expand_top_of(const builtin_facts *facts, uint32_t base)
{
    const builtin_surface *best = NULL;
    double best_area = 0;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        const double area = s->object == base ? top_extent(facts, s) : 0;
        bool higher =
            best && s->height > best->height && area > 0.5 * best_area;
        bool better = !best || higher || area > 1.5 * best_area;
        if (s->object != base || !better)
            continue;
        best = s;
        best_area = area;
    }
    return best;
}

static uint32_t set_count_on(const builtin_facts *facts,
                             const builtin_set *set,
                             uint32_t base)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < set->count; i++)
        count += builtin_stands_on(facts, set->objects[i], base);
    return count;
}

/* Metres from a board up to the next one of its thing; INFINITY: there is
 * none. */
static double board_headroom(const builtin_facts *facts,
                             const builtin_surface *board)
{
    const double same = 0.05; /* metres */
    double ret = INFINITY;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        const double up = s->height - board->height;
        if (s->object == board->object && up > same)
            ret = math_min(ret, up);
    }
    return ret;
}

static bool board_is_below_eyes(const builtin_facts *facts,
                                const builtin_surface *s)
{
    const double eyes = 1.6; /* metres over its foot */
    return s->height <= builtin_foot(&facts->objects[s->object]) + eyes;
}

/* Is the board below eyes, and large and open enough for the row? */
static bool board_takes_row(const row *r, const builtin_surface *s)
{
    const double spare = 0.02; /* metres, of height */
    const builtin_set *set = &r->m->objects;
    double tallest = 0;
    double area = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        const builtin_object *o = &r->facts->objects[set->objects[i]];
        tallest = math_max(tallest, 2 * o->half[2]);
        area += 4 * o->half[0] * o->half[1];
    }
    return board_is_below_eyes(r->facts, s) &&
           builtin_surface_area(s) >= area &&
           board_headroom(r->facts, s) >= tallest + spare;
}

/* Of the boards that take the row the `nth`, the highest first, where the
 * thing's top is its roof: nobody sees what stands up there, and who means it
 * says so. NULL: there is none. */
static const builtin_surface *row_board_below(const row *r,
                                              uint32_t base,
                                              uint32_t nth)
{
    const builtin_facts *facts = r->facts;
    const builtin_surface *const top = expand_top_of(facts, base);
    const builtin_surface *last = top;
    if (!top || board_is_below_eyes(facts, top) || r->m->level > 0 ||
        builtin_has_doors(&facts->objects[base]))
        return NULL;
    for (uint32_t n = 0; n <= nth && last; n++) {
        const builtin_surface *next = NULL;
        for (uint32_t i = 0; i < facts->surface_count; i++) {
            const builtin_surface *s = &facts->surfaces[i];
            const bool lower = s->height < last->height - 1e-6;
            const bool higher = !next || s->height > next->height;
            if (s->object == base && lower && higher && board_takes_row(r, s))
                next = s;
        }
        last = next;
    }
    return last;
}

/* How many attempts there are at each board: along it and across. */
enum {
    ROW_TURNS = 2
};

/* The largest board at the level that is said; where none is, the top, or at
 * its attempt one below. */
static const builtin_surface *row_board(const row *r, uint32_t base)
{
    const builtin_surface *const below =
        row_board_below(r, base, r->attempt / ROW_TURNS);
    if (below)
        return below;
    const builtin_surface *best = NULL;
    double best_area = 0;
    for (uint32_t i = 0; r->m->level > 0 && i < r->facts->surface_count; i++) {
        const builtin_surface *s = &r->facts->surfaces[i];
        const double area = s->cell * s->columns * s->cell * s->rows;
        const bool at_level =
            s->object == base &&
            !(builtin_off_level(r->facts, base, r->m->level, s->height) > 0);
        if (!at_level || area <= best_area)
            continue;
        best = s;
        best_area = area;
    }
    return best ? best : expand_top_of(r->facts, base);
}

/* Half of the deepest of them. */
static double row_deepest(const row *r)
{
    double depth = 0;
    const builtin_set *set = &r->m->objects;
    for (uint32_t i = 0; i < set->count; i++)
        depth = math_max(
            depth, builtin_extent(&r->facts->objects[set->objects[i]], r->in));
    return depth;
}

/* The way of the picture that a side means, the last of several; none: toward
 * who looks. */
static void side_wanted(const builtin_facts *facts,
                        unsigned sides,
                        double ret[2])
{
    double right[2];
    double away[2];
    builtin_picture_axes(facts, right, away);
    for (int k = 0; k < 2; k++) {
        ret[k] = -away[k];
        if (sides & SIDE_BACK)
            ret[k] = away[k];
        if (sides & SIDE_LEFT)
            ret[k] = -right[k];
        if (sides & SIDE_RIGHT)
            ret[k] = right[k];
        if (sides & SIDE_FRONT)
            ret[k] = -away[k];
    }
}

/* The side of a box that sides of the picture mean, as the way out of it. */
static void box_side(const builtin_facts *facts,
                     const builtin_object *o,
                     unsigned sides,
                     double ret[2])
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
        if (c <= best + 1e-9)
            continue;
        best = c;
        memcpy(ret, ways[i], sizeof ways[i]);
    }
}

/* Along one side of a box, inside it or outside. */
static void row_lay_at(row *r,
                       const builtin_object *o,
                       const double out[2],
                       bool inside)
{
    double reach = builtin_extent(o, out);
    r->along[0] = -out[1];
    r->along[1] = out[0];
    double wide = builtin_extent(o, r->along);
    double middle = expand_along(o->centre, r->along);
    double inset = inside ? 0.01 : 0;
    double line = expand_along(o->centre, out) + reach;
    r->out_line = inside ? -INFINITY : line;
    r->low = middle - wide + inset;
    r->high = middle + wide - inset;
    for (int k = 0; k < 2; k++) {
        r->in[k] = inside ? -out[k] : out[k];
        r->origin[k] = line * out[k] + row_apart(r, EDGE_GAP) * r->in[k];
    }
}

typedef struct row_spread { /* of the things along a way */
    double middle, low, high;
} row_spread;

/* Is the board too narrow for any that is to stand on it, as a pallet's slats
 * are? Then they stand on several of these. */
static bool row_needs_slats(const row *r, const builtin_surface *s)
{
    const builtin_set *set = &r->m->objects;
    double widest = 0;
    for (uint32_t i = 0; i < set->count; i++)
        widest = math_max(
            widest, builtin_half_shorter(&r->facts->objects[set->objects[i]]));
    return s->width < 2 * widest;
}

/* How far the polygon reaches along `way`, and of slats all that are as high. */
static row_spread board_measure(const row *r,
                                const builtin_surface *s,
                                const double way[2])
{
    const double level = 0.01; /* metres */
    const bool all =
        row_needs_slats(r, s) || builtin_is_seat(&r->facts->objects[s->object]);
    row_spread ret = {.low = INFINITY, .high = -INFINITY};
    for (uint32_t n = 0; n < r->facts->surface_count; n++) {
        const builtin_surface *one = &r->facts->surfaces[n];
        const bool is_beside =
            one->object == s->object && fabs(one->height - s->height) <= level;
        if (one != s && (!all || !is_beside))
            continue;
        for (uint32_t i = 0; i < one->corner_count; i++) {
            const double v = expand_along(one->corners[i], way);
            ret.low = math_min(ret.low, v);
            ret.high = math_max(ret.high, v);
        }
    }
    ret.middle = (ret.low + ret.high) / 2;
    return ret;
}

/* A board may be narrower than the thing that has it: between arms, below a
 * headboard. */
static void row_keep_on_board(row *r,
                              const builtin_surface *s,
                              const double out[2])
{
    if (!s || s->corner_count == 0)
        return;
    const double inset = 0.01;
    const row_spread across = board_measure(r, s, out);
    const row_spread along = board_measure(r, s, r->along);
    r->low = math_max(r->low, along.low + inset);
    r->high = math_min(r->high, along.high - inset);
    const double beyond =
        expand_along(r->origin, out) + row_apart(r, EDGE_GAP) - across.high;
    for (int k = 0; k < 2 && beyond > 0; k++)
        r->origin[k] -= beyond * out[k];
}

/* Metres from the line to the far side of the board, or of all of the thing. */
static double row_room_across(const row *r,
                              const builtin_surface *s,
                              const builtin_object *o,
                              const double out[2])
{
    const bool told = s && s->corner_count > 0;
    const double own = expand_along(o->centre, out) - builtin_extent(o, out);
    const double far = told ? math_max(board_measure(r, s, out).low, own) : own;
    return expand_along(r->origin, out) - far;
}

static void row_bear(row *r, uint32_t support)
{
    if (r->support == BUILTIN_NONE)
        r->support = support;
}

/* To the height of what bears them, where the first thing stands elsewhere. */
static void row_rise(row *r)
{
    const builtin_surface *top =
        r->support != BUILTIN_NONE ? expand_top_of(r->facts, r->support) : NULL;
    if (top && !builtin_stands_on(r->facts, r->first, r->support))
        r->height = top->height;
}

/* A wall, or a fence: upright, and too thin for the first thing to stand on. */
static bool row_is_by_upright(const row *r, const builtin_object *ref)
{
    const double high = 0.4, thin = 0.5; /* metres of half a height; times */
    const builtin_object *o = &r->facts->objects[r->first];
    const bool bears =
        builtin_half_shorter(ref) > thin * builtin_half_shorter(o);
    return builtin_is_wall(ref) ||
           (!bears && ref->half[2] > high && !builtin_is_bearer(ref));
}

/* What bears a row along a wall: what its first thing stands on, if that comes
 * as far as the wall. Pots from a shelf stand on what the shelf stands on. */
static uint32_t row_bearer_by_wall(const row *r)
{
    const double near = 0.3; /* metres */
    const builtin_facts *facts = r->facts;
    uint32_t bearer = expand_bearer(facts, r->first);
    for (int i = 0; i < 4 && bearer != BUILTIN_NONE; i++) {
        const builtin_object *base = &facts->objects[bearer];
        const double off = fabs(expand_along(base->centre, r->in) -
                                expand_along(r->origin, r->in)) -
                           builtin_extent(base, r->in);
        if (builtin_is_ground(base) || off < near)
            break;
        bearer = expand_bearer(facts, bearer);
    }
    return bearer;
}

/* What stands in a row before a mirror is seen in it: not close to it, where the
 * outer ones would be beside it. */
static void row_step_off(row *r)
{
    const double step = 0.25; /* metres */
    for (int k = 0; k < 2 && r->may_widen && r->gap < 0; k++)
        r->origin[k] += step * r->in[k];
}

/* Along a wall, on the side of it where they are. */
static bool row_lay_by_wall(row *r)
{
    if (r->reference == BUILTIN_NONE ||
        !row_is_by_upright(r, &r->facts->objects[r->reference]))
        return false;
    const builtin_object *ref = &r->facts->objects[r->reference];
    const builtin_object *o = &r->facts->objects[r->first];
    double out[2];
    expand_across(ref, out);
    double side = (o->centre[0] - ref->centre[0]) * out[0] +
                  (o->centre[1] - ref->centre[1]) * out[1];
    for (int k = 0; k < 2 && side < 0; k++)
        out[k] = -out[k];
    row_lay_at(r, ref, out, false);
    r->is_by_wall = true;
    r->in_most = 0.15;
    /* past the ends of a blackboard, where it is before that */
    r->may_widen = !builtin_is_wall(ref) && !r->m->hung &&
                   (r->m->sides & (SIDE_FRONT | SIDE_BACK));
    row_step_off(r);
    row_bear(r, row_bearer_by_wall(r));
    row_rise(r);
    return true;
}

/* Lemons along the front edge of a counter are on it, wherever they stand now;
 * chairs along that of a table stand before it. */
static bool row_is_for_top(const row *r)
{
    const builtin_object *ref = &r->facts->objects[r->reference];
    const builtin_set *set = &r->m->objects;
    for (uint32_t i = 0; i < set->count; i++) {
        const builtin_object *o = &r->facts->objects[set->objects[i]];
        if (builtin_is_seat(o) ||
            builtin_half_longer(o) > builtin_half_shorter(ref))
            return false;
    }
    return true;
}

static bool row_is_on_top(const row *r)
{
    const builtin_move *m = r->m;
    if (m->also_count > 0)
        return false; /* by it, or under it */
    if (m->support == r->reference ||
        set_count_on(r->facts, &m->objects, r->reference) > 0)
        return true;
    return m->support == BUILTIN_NONE && (m->sides == 0 || row_is_for_top(r));
}

/* A row on a shelf runs along it, also where that is seen from its end; at the
 * second attempt across it. One at an end of it runs along that end, and at the
 * second attempt along the shelf there: a counter is long and not deep. */
static void row_choose_side(row *r, const builtin_object *ref, double out[2])
{
    const double oblong = 1.2;
    double want[2];
    box_side(r->facts, ref, r->m->sides, out);
    const double across[2] = {-out[1], out[0]};
    const bool is_end =
        builtin_extent(ref, out) > oblong * builtin_extent(ref, across);
    const bool is_side_said = r->m->sides != 0;
    if (is_side_said && !is_end)
        return;
    const bool second = r->attempt % ROW_TURNS == 1;
    r->attempts = ROW_TURNS;
    r->is_at_end = is_side_said && second;
    if (is_side_said ? !r->is_at_end : is_end == second)
        return;
    memcpy(r->end, out, sizeof r->end);
    side_wanted(r->facts, 0, want);
    const double sign = across[0] * want[0] + across[1] * want[1] < 0 ? -1 : 1;
    for (int k = 0; k < 2; k++)
        out[k] = sign * across[k];
}

/* As many attempts as boards ask for, and the top at last. */
static void row_count_boards(row *r)
{
    uint32_t boards = 0;
    while (row_board_below(r, r->reference, boards))
        boards++;
    if (boards > 0)
        r->attempts = (boards + 1) * ROW_TURNS;
}

/* The third of the line that is at that end. */
static void row_keep_at_end(row *r)
{
    const double third = (r->high - r->low) / 3;
    if (expand_along(r->end, r->along) > 0)
        r->low = r->high - third;
    else
        r->high = r->low + third;
}

/* False: the row is not on the reference but beside it. */
static bool row_lay_on_top(row *r)
{
    if (r->reference == BUILTIN_NONE || !row_is_on_top(r))
        return false;
    const builtin_object *ref = &r->facts->objects[r->reference];
    const builtin_surface *s = row_board(r, r->reference);
    double out[2];
    row_choose_side(r, ref, out);
    row_count_boards(r);
    row_lay_at(r, ref, out, true);
    row_keep_on_board(r, s, out);
    r->support = r->reference;
    r->height = s ? s->height : builtin_top(ref);
    r->spread = !r->is_at_end;
    if (r->is_at_end)
        row_keep_at_end(r);
    const bool anywhere = r->m->sides == 0 || r->is_at_end;
    r->is_loose = anywhere && !r->m->even;
    /* at the edge of a floor their middles are in line */
    if (anywhere || builtin_is_ground(ref))
        r->depth = row_deepest(r);
    if (anywhere)
        r->in_most =
            math_max(row_room_across(r, s, ref, out) - 2 * r->depth, 0);
    return true;
}

/* What a thing stands on, but for a carpet there. */
static uint32_t row_bearer(const builtin_facts *facts, uint32_t object)
{
    uint32_t bearer = expand_bearer(facts, object);
    bool covered = bearer != BUILTIN_NONE && builtin_is_covering(facts, bearer);
    uint32_t below = covered ? expand_bearer(facts, bearer) : BUILTIN_NONE;
    return below != BUILTIN_NONE ? below : bearer;
}

/* On what bears the thing that they are to be by, or else them: at the height
 * there. */
static void row_stand_by(row *r, uint32_t by)
{
    const builtin_object *o = &r->facts->objects[by];
    uint32_t bearer = row_bearer(r->facts, by);
    row_bear(r,
             bearer != BUILTIN_NONE ? bearer : row_bearer(r->facts, r->first));
    if (r->support == BUILTIN_NONE)
        return;
    if (r->support == bearer)
        r->height = builtin_foot(o);
    else
        row_rise(r);
}

static const builtin_condition *row_condition(const row *r,
                                              builtin_relation relation)
{
    for (uint32_t i = 0; i < r->m->also_count; i++) {
        if (r->m->also[i].relation == relation)
            return &r->m->also[i];
    }
    return NULL;
}

/* The way out of the side that is meant: before its front, behind its back, at
 * an end of it; else as the picture has it. */
static void expand_row_side(const row *r, double ret[2])
{
    const builtin_facts *facts = r->facts;
    const builtin_condition *end = row_condition(r, RELATION_END);
    const unsigned sides = r->m->sides;
    bool ahead = sides == 0 || sides == SIDE_FRONT;
    if (end) {
        const builtin_move there = builtin_condition_move(r->m, end);
        builtin_end_axis(facts, &there, ret);
        return;
    }
    if (ahead && builtin_front_of(facts, r->reference, ret))
        return;
    if (ahead && builtin_front_from_wall(facts, r->reference, ret))
        return;
    if (ahead && front_by_breadth(facts, &facts->objects[r->reference], ret))
        return;
    bool behind =
        sides == SIDE_BACK && builtin_front_of(facts, r->reference, ret);
    for (int k = 0; k < 2 && behind; k++)
        ret[k] = -ret[k];
    if (!behind)
        box_side(facts, &facts->objects[r->reference], sides, ret);
}

/* Outside one side of a thing, so far from it, on what bears that. */
static void row_lay_outside(row *r, const double out[2], double apart)
{
    row_lay_at(r, &r->facts->objects[r->reference], out, false);
    r->in_most = 0.4;
    r->spread = true;
    r->is_loose = !r->m->even;
    r->may_widen = true;
    for (int k = 0; k < 2; k++)
        r->origin[k] += apart * r->in[k];
    row_stand_by(r, r->reference);
}

enum {
    ROW_SIDES = 4
};

/* The ways out of a thing's sides, the one first that leads most toward
 * `to`. */
static void row_sort_sides(const builtin_object *ref,
                           const double to[2],
                           double ret[ROW_SIDES][2])
{
    for (int i = 0; i < ROW_SIDES; i++) {
        double sign = i < 2 ? 1 : -1;
        ret[i][0] = sign * (i % 2 ? -ref->heading[1] : ref->heading[0]);
        ret[i][1] = sign * (i % 2 ? ref->heading[0] : ref->heading[1]);
    }
    for (int i = 1; i < ROW_SIDES; i++) {
        for (int k = i; k > 0 && expand_along(to, ret[k]) >
                                     expand_along(to, ret[k - 1]) + 1e-9;
             k--) {
            const double swap[2] = {ret[k][0], ret[k][1]};
            memcpy(ret[k], ret[k - 1], sizeof swap);
            memcpy(ret[k - 1], swap, sizeof swap);
        }
    }
}

/* Beside a thing: at the side that is nearest to where they are, or the
 * next. */
static bool row_lay_beside(row *r)
{
    double middle[2] = {0, 0};
    double out[ROW_SIDES][2];
    if (r->reference == BUILTIN_NONE || !row_condition(r, RELATION_BESIDE))
        return false;
    const builtin_object *ref = &r->facts->objects[r->reference];
    const builtin_set *set = &r->m->objects;
    for (uint32_t i = 0; i < set->count; i++) {
        for (int k = 0; k < 2; k++)
            middle[k] += (r->facts->objects[set->objects[i]].centre[k] -
                          ref->centre[k]) /
                         set->count;
    }
    row_sort_sides(ref, middle, out);
    r->attempts = ROW_SIDES;
    row_lay_outside(r, out[r->attempt], row_apart(r, ASIDE_GAP));
    return true;
}

/* How far its doors reach before it when they open: two of them share its
 * breadth. */
static double row_door_swing(const builtin_object *o, const double out[2])
{
    const double widest = 0.6; /* metres: one wing of a large wardrobe */
    const double across[2] = {-out[1], out[0]};
    return builtin_has_doors(o) ? math_min(builtin_extent(o, across), widest)
                                : 0;
}

/* Seats before a seat that look at it: as far off as legs and a low table ask
 * for, and what stands between stays. */
static bool row_lay_opposite(row *r, bool before)
{
    const double legroom = 0.45, farthest = 2.2; /* metres */
    const builtin_object *ref = &r->facts->objects[r->reference];
    const bool looks = r->m->facing == FACING_TO && r->m->faced == r->reference;
    if (!before || !looks || r->gap >= 0 || !builtin_is_seat(ref) ||
        !builtin_is_seat(&r->facts->objects[r->first]))
        return false;
    for (int k = 0; k < 2; k++)
        r->origin[k] += legroom * r->in[k];
    r->in_most = farthest - legroom;
    r->attempts = 1;
    return true;
}

/* Before a thing, or on the side of it that is said; close to it where there is
 * no more room, or as far off as it still is before that: what stands there
 * already would have to leave otherwise. */
static bool row_lay_before(row *r)
{
    enum {
        NEAR,
        CLOSE,
        FAR,
        DISTANCES
    };
    const double farthest = 0.9; /* metres */
    double out[2];
    bool before = r->m->sides == 0 || r->m->sides == SIDE_FRONT;
    if (r->reference == BUILTIN_NONE)
        return false;
    expand_row_side(r, out);
    r->attempts = before ? DISTANCES : FAR;
    if (r->gap >= 0)
        r->attempts = 1; /* the distance is told */
    r->may_overhang = r->attempt == CLOSE;
    row_lay_outside(r, out, r->attempt == CLOSE ? 0 : row_apart(r, ASIDE_GAP));
    if (row_lay_opposite(r, before))
        return true;
    r->is_far = r->attempt == FAR;
    if (r->is_far) {
        r->in_most = farthest;
        /* far from an edge their middles are in line */
        r->depth = row_deepest(r);
    }
    r->swing =
        before ? row_door_swing(&r->facts->objects[r->reference], out) : 0;
    return true;
}

/* Beneath a thing, on what bears it: along the side that who looks sees, else
 * along the next. */
static bool row_lay_under(row *r)
{
    double out[2];
    if (r->reference == BUILTIN_NONE || !row_condition(r, RELATION_UNDER))
        return false;
    const builtin_object *ref = &r->facts->objects[r->reference];
    box_side(r->facts, ref, 0, out);
    r->attempts = 2;
    r->under = r->reference;
    const double turned[2] = {-out[1], out[0]};
    row_lay_at(r, ref, r->attempt ? turned : out, true);
    r->depth = row_deepest(r);
    r->in_most = math_max(2 * builtin_extent(ref, r->in) - 2 * r->depth, 0);
    r->spread = true;
    row_stand_by(r, r->reference);
    return true;
}

/* How much of a surface is open, were all taken away that can be: a crib's
 * board lies under its mattress. */
static double surface_open(const builtin_surface *s)
{
    double area = 0;
    for (size_t i = 0; i < (size_t)s->columns * s->rows; i++)
        area += s->map.fixed[i] >= BUILTIN_CLEAR_LEAST ? s->cell * s->cell : 0;
    return area;
}

/* The broadest surface of a vessel on which a thing stands in it and not on
 * it. */
static const builtin_surface *row_bottom(const row *r,
                                         const builtin_condition *said)
{
    const builtin_move in = builtin_condition_move(r->m, said);
    const builtin_object *vessel = &r->facts->objects[said->reference];
    const builtin_surface *best = NULL;
    double best_area = 0;
    for (uint32_t i = 0; i < r->facts->surface_count; i++) {
        const builtin_surface *s = &r->facts->surfaces[i];
        const double at[3] = {vessel->centre[0], vessel->centre[1], s->height};
        const bool is_mapped = s->map.fixed && s->cell > 0;
        if (s->object != said->reference || !is_mapped)
            continue;
        const double area = surface_open(s);
        if (area <= best_area)
            continue;
        if (builtin_misfit(r->facts, &in, r->first, at) > 0.01)
            continue;
        best = s;
        best_area = area;
    }
    return best;
}

/* In a crib, a box or a sink: on its bottom, along the side that who looks
 * sees, else along the next. */
static bool row_lay_inside(row *r)
{
    double out[2];
    const builtin_condition *said = row_condition(r, RELATION_IN);
    if (!said || said->reference >= r->facts->object_count)
        return false;
    r->inside = row_bottom(r, said);
    if (!r->inside)
        return false;
    const builtin_object *vessel = &r->facts->objects[said->reference];
    box_side(r->facts, vessel, 0, out);
    const double turned[2] = {-out[1], out[0]};
    r->attempts = 2;
    r->support = said->reference;
    r->under = said->reference;
    r->height = r->inside->height;
    row_lay_at(r, vessel, r->attempt ? turned : out, true);
    r->depth = row_deepest(r);
    r->in_most = math_max(2 * builtin_extent(vessel, r->in) - 2 * r->depth, 0);
    return true;
}

/* From one thing to another. */
static bool row_lay_between(row *r)
{
    const builtin_condition *said = row_condition(r, RELATION_BETWEEN);
    if (!said || said->reference >= r->facts->object_count ||
        said->second >= r->facts->object_count)
        return false;
    const builtin_object *from = &r->facts->objects[said->reference];
    const builtin_object *to = &r->facts->objects[said->second];
    double length = expand_way(from->centre, to->centre);
    if (!(length > 1e-6))
        return false;
    for (int k = 0; k < 2; k++)
        r->along[k] = (to->centre[k] - from->centre[k]) / length;
    r->in[0] = -r->along[1];
    r->in[1] = r->along[0];
    r->depth = row_deepest(r);
    for (int k = 0; k < 2; k++)
        r->origin[k] = from->centre[k] -
                       expand_along(from->centre, r->along) * r->along[k] -
                       r->depth * r->in[k];
    r->low = expand_along(from->centre, r->along) +
             builtin_extent(from, r->along) + row_apart(r, EDGE_GAP);
    r->high = expand_along(to->centre, r->along) -
              builtin_extent(to, r->along) - row_apart(r, EDGE_GAP);
    r->in_most = 0.3;
    r->spread = true;
    row_stand_by(r, said->reference);
    return true;
}

/* How far the things' middles are spread now along `way`: a row stays about
 * where they were. */
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

/* Where they are: through their middle, along the picture or the thing that
 * bears them. */
static bool row_lay_there(row *r)
{
    const builtin_facts *facts = r->facts;
    double axis[2];
    double away[2];
    builtin_picture_axes(facts, axis, away);
    row_bear(r, expand_bearer(facts, r->first));
    const builtin_object *base =
        r->support != BUILTIN_NONE ? &facts->objects[r->support] : NULL;
    if (base)
        box_side(facts, base->is_static ? &facts->objects[r->first] : base,
                 SIDE_RIGHT, axis);
    if (row_is_flank_to_flank(facts, r->m))
        expand_across(&facts->objects[r->first], axis);
    const double across[2] = {-axis[1], axis[0]};
    row_spread wide = row_measure(r, axis);
    row_spread far = row_measure(r, across);
    const bool is_deep = far.high - far.low > 2 * (wide.high - wide.low);
    const bool deep =
        r->m->row_count == 0 && is_deep && !row_is_flank_to_flank(facts, r->m);
    const row_spread *own = deep ? &far : &wide;
    memcpy(r->along, deep ? across : axis, sizeof r->along);
    r->in[0] = -r->along[1];
    r->in[1] = r->along[0];
    r->depth = row_deepest(r);
    double line = (deep ? -wide.middle : far.middle) - r->depth;
    for (int k = 0; k < 2; k++)
        r->origin[k] = line * r->in[k];
    double half = math_max(1.0, 0.75 * (own->high - own->low));
    r->low = own->middle - half;
    r->high = own->middle + half;
    r->may_widen = !base || base->is_static;
    if (base)
        row_cut(r, base);
    r->in_most = 0.5;
    return true;
}

/* ---- all ---- */

/* The line's direction: left to right in the picture, of a line into the
 * picture far to near. */
void row_direct(row *r)
{
    double right[2];
    double away[2];
    builtin_picture_axes(r->facts, right, away);
    double turned = r->along[0] * right[0] + r->along[1] * right[1];
    if (fabs(turned) < 0.35)
        turned = -(r->along[0] * away[0] + r->along[1] * away[1]);
    if (turned >= 0)
        return;
    double low = r->low;
    r->along[0] = -r->along[0];
    r->along[1] = -r->along[1];
    r->low = -r->high;
    r->high = -low;
}

/* Do all of them stand on that already: on the board of it that is said? */
static bool row_stands_there(const builtin_facts *facts, const builtin_move *m)
{
    for (uint32_t i = 0; i < m->objects.count && m->level > 0; i++) {
        const builtin_object *o = &facts->objects[m->objects.objects[i]];
        if (builtin_off_level(facts, m->support, m->level, builtin_foot(o)) > 0)
            return false;
    }
    return set_count_on(facts, &m->objects, m->support) == m->objects.count;
}

/* "In a row on the shelf": along that, where they do not all stand there
 * yet. */
static uint32_t row_reference(const builtin_facts *facts, const builtin_move *m)
{
    if (m->reference < facts->object_count)
        return m->reference;
    if (m->reference != BUILTIN_NONE || m->support >= facts->object_count)
        return BUILTIN_NONE;
    const bool elsewhere = !row_stands_there(facts, m);
    return elsewhere && !builtin_is_ground(&facts->objects[m->support])
               ? m->support
               : BUILTIN_NONE;
}

/* How far from what it goes along the row is told to be. */
static void row_hear_gap(row *r)
{
    r->gap = -1;
    for (uint32_t i = 0; i < r->m->also_count; i++) {
        const builtin_condition *said = &r->m->also[i];
        if (said->reference != r->reference || said->gap < 0 || said->denied)
            continue;
        r->gap = said->gap;
        r->bound = said->bound;
    }
}

/* The line at the distance that is told. At most so far: it stays near. */
static void row_keep_gap(row *r)
{
    const double slack = 0.5; /* metres, where farther is as good */
    const bool is_outside = r->out_line > -INFINITY;
    if (r->gap < 0 || !is_outside)
        return;
    const double now = expand_along(r->origin, r->in) - r->out_line;
    const double shift = r->gap - now;
    if (r->bound == BOUND_MOST && shift >= 0) {
        r->in_most = math_min(r->in_most, shift);
        return;
    }
    for (int k = 0; k < 2; k++)
        r->origin[k] += shift * r->in[k];
    r->in_most = r->bound == BOUND_LEAST ? slack : 0;
    r->depth = 0;
    r->swing = 0;
}

void row_lay(row *r)
{
    static bool (*const lays[])(row * r) = {
        row_lay_by_wall, row_lay_between, row_lay_inside, row_lay_under,
        row_lay_on_top,  row_lay_beside,  row_lay_before, row_lay_there};
    const builtin_object *first = &r->facts->objects[r->first];
    r->reference = row_reference(r->facts, r->m);
    r->height = builtin_foot(first);
    r->out_line = -INFINITY;
    row_hear_gap(r);
    size_t way = 0;
    while (!lays[way](r))
        way++; /* the last lays any */
    row_keep_gap(r);
}

/* Which of the row is told to be in the middle of what bears it; its count: none
 * is. */
static uint32_t row_find_pinned(const row *r)
{
    const builtin_reading *const said = r->clearing->said;
    uint32_t at = r->count;
    for (uint32_t i = 0; i < said->count; i++) {
        const builtin_move *const m = &said->moves[i];
        const bool is_middle = m->relation == RELATION_MIDDLE &&
                               m->objects.count == 1 &&
                               m->reference == r->support;
        for (uint32_t k = 0; k < r->count && is_middle; k++)
            at = r->order[k] == m->objects.objects[0] ? k : at;
    }
    return at;
}

void row_pin(row *r)
{
    const builtin_surface *const s =
        r->support < r->facts->object_count ? row_board(r, r->support) : NULL;
    const uint32_t at = row_find_pinned(r);
    /* "in a row in the middle of the table": all of it */
    const bool is_amid = r->m->exact && r->support == r->m->reference;
    if (!s || (at == r->count && !is_amid))
        return;
    const row_spread along = board_measure(r, s, r->along);
    const row_spread across = board_measure(r, s, r->in);
    for (int k = 0; k < 2; k++)
        r->pin[k] = along.middle * r->along[k] + across.middle * r->in[k];
    r->pinned = at < r->count ? at + 1 : PINNED_ALL;
    r->low = along.low;
    r->high = along.high;
}
