/* Moves of several things become moves of one thing to one place: rows, piles, laid tables, trades, "one for each".
 * All is worked out from the scene before the instruction's first edit, so that each step of a run finds the same places
 * again, and from boxes alone: the free cells change while the run goes on. */
#include "worker/model/builtin_planner_own.h"

#include "worker/math/vec.h"

#include <math.h>
#include <string.h>

static const double edge_gap = 0.03, row_gap = 0.03, plate_gap = 0.045, slot_gap = 0.03, round_gap = 0.08;

static double least(double a, double b) { return a < b ? a : b; }

static double most(double a, double b) { return a > b ? a : b; }

typedef struct expansion {
    planner *p;
    const builtin_facts *then;
    builtin_reading *out;
} expansion;

static etna_code expand_no_memory(const expansion *e)
{
    return etna_fail(e->p->err, ETNA_E_NOMEM, "out of memory while planning");
}

static etna_code expand_push(expansion *e, const builtin_move *move)
{
    if (e->out->count == BUILTIN_MOVES_MAX)
        return etna_fail(e->p->err, ETNA_E_INPUT, "it asks for more than %d moves", BUILTIN_MOVES_MAX);
    e->out->moves[e->out->count++] = *move;
    return ETNA_OK;
}

/* The same move for one thing. */
static etna_code expand_one(expansion *e, const builtin_move *move, uint32_t object, builtin_move *ret)
{
    uint32_t *list = etna_arena_alloc(e->p->talk->arena, 1, sizeof *list);
    if (!list) return expand_no_memory(e);
    list[0] = object;
    *ret = *move;
    ret->objects = (builtin_set){.count = 1, .objects = list, .need = 1};
    ret->each = (builtin_set){0};
    ret->row_count = 0;
    return ETNA_OK;
}

/* The thing there, as an AT. */
static etna_code expand_at(expansion *e, const builtin_move *move, uint32_t object, uint32_t support,
                           const double at[3], double slack)
{
    builtin_move next;
    etna_code code = expand_one(e, move, object, &next);
    if (code != ETNA_OK) return code;
    next.relation = RELATION_AT;
    next.reference = next.second = BUILTIN_NONE;
    next.support = support;
    next.slack = slack;
    next.also_count = 0;
    next.there = (builtin_set){0};
    memcpy(next.at, at, sizeof next.at);
    return expand_push(e, &next);
}

/* ---- who goes where ---- */

static double expand_way(const double a[2], const double b[2])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]));
}

/* Of things and places the nearest pair again and again: place[i] for objects[i]; BUILTIN_NONE: no place is left. */
static void expand_assign(const builtin_facts *facts, const uint32_t *objects, uint32_t count,
                          const double (*places)[3], uint32_t place_count, uint32_t *ret)
{
    bool taken[BUILTIN_MOVES_MAX] = {false};
    for (uint32_t i = 0; i < count; i++) ret[i] = BUILTIN_NONE;
    for (uint32_t n = 0; n < count && n < place_count; n++) {
        uint32_t thing = BUILTIN_NONE, place = 0;
        double nearest = 0;
        for (uint32_t i = 0; i < count; i++) {
            for (uint32_t k = 0; k < place_count && ret[i] == BUILTIN_NONE; k++) {
                double way = expand_way(facts->objects[objects[i]].centre, places[k]);
                if (taken[k] || (thing != BUILTIN_NONE && way >= nearest - 1e-9)) continue;
                nearest = way;
                thing = i;
                place = k;
            }
        }
        if (thing == BUILTIN_NONE) return;
        ret[thing] = place;
        taken[place] = true;
    }
}

/* ---- one for each ---- */

static etna_code expand_each(expansion *e, const builtin_move *m)
{
    uint32_t count = m->each.count < BUILTIN_MOVES_MAX ? m->each.count : BUILTIN_MOVES_MAX;
    uint32_t things = m->objects.count < BUILTIN_MOVES_MAX ? m->objects.count : BUILTIN_MOVES_MAX;
    double places[BUILTIN_MOVES_MAX][3];
    uint32_t place_of[BUILTIN_MOVES_MAX], left[BUILTIN_MOVES_MAX] = {0}, left_count = 0, used = 0;
    bool held[BUILTIN_MOVES_MAX] = {false};
    uint32_t open[BUILTIN_MOVES_MAX], open_count = 0;
    etna_code code = ETNA_OK;
    planner before = *e->p;
    before.facts = e->then;
    if (things < count && m->objects.need == m->objects.count && things > 0) count = things;
    for (uint32_t i = 0; i < things; i++) { /* what stands as asked already stays */
        bool stays = false;
        for (uint32_t k = 0; k < count && !stays && used < count; k++) {
            builtin_move next = *m;
            next.reference = m->each.objects[k];
            next.each = (builtin_set){0};
            next.goes = false;
            stays = !held[k] && next.reference != m->objects.objects[i] &&
                    planner_holds(&before, &next, m->objects.objects[i]);
            if (!stays) continue;
            held[k] = true;
            used++;
            code = expand_one(e, m, m->objects.objects[i], &next);
            next.reference = m->each.objects[k];
            if (code == ETNA_OK) code = expand_push(e, &next);
            if (code != ETNA_OK) return code;
        }
        if (!stays) left[left_count++] = m->objects.objects[i];
    }
    for (uint32_t k = 0; k < count; k++) {
        if (held[k]) continue;
        memcpy(places[open_count], e->then->objects[m->each.objects[k]].centre, sizeof places[0]);
        open[open_count++] = m->each.objects[k];
    }
    expand_assign(e->then, left, left_count, (const double(*)[3])places, open_count, place_of);
    for (uint32_t i = 0; i < left_count && code == ETNA_OK; i++) {
        builtin_move next;
        if (place_of[i] == BUILTIN_NONE) continue;
        code = expand_one(e, m, left[i], &next);
        next.reference = open[place_of[i]];
        if (code == ETNA_OK) code = expand_push(e, &next);
    }
    return code;
}

/* ---- trades ---- */

/* Furniture on the floor with its back to a wall. */
static bool expand_has_wall_behind(const builtin_facts *facts, uint32_t object, double ret_front[2])
{
    const builtin_object *o = &facts->objects[object];
    bool furniture = most(o->half[0], o->half[1]) > 0.2 && o->by_count > 0 && facts->objects[o->by[0]].is_static;
    return furniture && builtin_front_from_wall(facts, object, ret_front);
}

static etna_code expand_swap(expansion *e, const builtin_move *m)
{
    if (m->objects.count == 0 || m->reference >= e->then->object_count) return ETNA_OK;
    uint32_t pair[2] = {m->objects.objects[0], m->reference};
    const builtin_object *things = e->then->objects;
    if (things[pair[0]].half[0] * things[pair[0]].half[1] < things[pair[1]].half[0] * things[pair[1]].half[1]) {
        pair[0] = m->reference; /* the smaller one is put aside for a while */
        pair[1] = m->objects.objects[0];
    }
    double fronts[2][2];
    bool walled[2], turn;
    for (int k = 0; k < 2; k++) walled[k] = expand_has_wall_behind(e->then, pair[k], fronts[k]);
    turn = walled[0] && walled[1];
    for (int k = 0; k < 2; k++) {
        const builtin_object *own = &things[pair[k]], *other = &things[pair[1 - k]];
        builtin_move half = *m;
        half.gap = -1;
        half.goes = false;
        half.has_yaw = turn && m->facing == FACING_NONE;
        if (half.has_yaw) half.yaw_deg = own->yaw_deg + builtin_turn_between(fronts[k], fronts[1 - k]);
        bool hang = own->attached && other->attached, air = !hang && other->by_count == 0;
        double at[3] = {other->centre[0], other->centre[1], other->centre[2] - (hang ? 0 : other->half[2])};
        if (air) at[2] += own->half[2];
        half.hung = hang || air; /* nothing is known to bear it: at that height */
        uint32_t wall = hang ? builtin_hangs_on(e->then, pair[1 - k]) : BUILTIN_NONE,
                 support = other->by_count > 0 ? other->by[0] : BUILTIN_NONE;
        if (wall != BUILTIN_NONE) { /* on that wall, as far from it as the thing is thick */
            const builtin_wall *w = &e->then->walls[wall];
            double out = w->offset + least(own->half[0], own->half[1]) - at[0] * w->normal[0] - at[1] * w->normal[1];
            for (int i = 0; i < 2; i++) at[i] += out * w->normal[i];
            support = w->object;
        }
        if (support == pair[k]) support = own->by_count > 0 ? own->by[0] : BUILTIN_NONE; /* it stood on it */
        if (!hang && support != BUILTIN_NONE && other->by_count > 0 && other->by[0] == pair[k])
            at[2] = own->centre[2] - own->half[2];
        etna_code code = expand_at(e, &half, pair[k], support, at, 0.05 + 0.25 * (own->half[0] + own->half[1]));
        if (code != ETNA_OK) return code;
    }
    return ETNA_OK;
}

/* ---- piles ---- */

static double expand_area(const builtin_object *o) { return o->half[0] * o->half[1]; }

/* Does the thing stand where the pile is to stand already, and the other not? */
static bool expand_stands_first(const builtin_facts *facts, const builtin_move *m, uint32_t object, uint32_t other)
{
    if (m->support >= facts->object_count) return false;
    return builtin_stands_on(facts, object, m->support) && !builtin_stands_on(facts, other, m->support);
}

/* "In a pile next to the lamp" is on what the lamp stands on. */
static uint32_t expand_pile_base(const builtin_facts *facts, const builtin_move *m, uint32_t lowest)
{
    builtin_move beside = builtin_condition_move(m, &m->also[0]);
    uint32_t base = builtin_support_of(facts, &beside, lowest);
    return base != BUILTIN_NONE ? base : builtin_support_of(facts, m, lowest);
}

static etna_code expand_stack(expansion *e, const builtin_move *m)
{
    uint32_t count = m->row_count > 0 ? m->row_count : m->objects.count;
    const uint32_t *said = m->row_count > 0 ? m->row : m->objects.objects;
    uint32_t *order = etna_arena_memdup(e->p->talk->arena, said, count * sizeof *order);
    if (!order) return expand_no_memory(e);
    for (uint32_t i = 1; i < count && m->row_count == 0; i++) { /* the larger below; of equal ones what bears others */
        for (uint32_t k = i; k > 0; k--) {
            double a = expand_area(&e->then->objects[order[k - 1]]), b = expand_area(&e->then->objects[order[k]]);
            bool same = fabs(a - b) <= 0.02 * most(a, b),
                 bears = builtin_is_above(e->then, order[k - 1], order[k]) ||
                         expand_stands_first(e->then, m, order[k], order[k - 1]);
            if (same ? !bears : a > b) break;
            uint32_t swap = order[k];
            order[k] = order[k - 1];
            order[k - 1] = swap;
        }
    }
    etna_code code = ETNA_OK;
    builtin_move next;
    bool said_where = m->support < e->then->object_count;
    if (said_where && count > 0) { /* "by the window" tells which boxes: nothing is piled on that */
        const builtin_object *s = &e->then->objects[m->support], *low = &e->then->objects[order[0]];
        said_where = !s->attached && !builtin_is_wall(s) &&
                     least(s->half[0], s->half[1]) > 0.5 * least(low->half[0], low->half[1]);
    }
    bool placed = said_where || m->also_count > 0;
    if (placed && count > 0) {
        code = expand_one(e, m, order[0], &next);
        next.relation = RELATION_ON;
        next.reference = said_where ? m->support : expand_pile_base(e->then, m, order[0]);
        next.support = BUILTIN_NONE;
        if (code == ETNA_OK && next.reference != BUILTIN_NONE) code = expand_push(e, &next);
    }
    for (uint32_t i = 1; i < count && code == ETNA_OK; i++) {
        code = expand_one(e, m, order[i], &next);
        next.relation = RELATION_OVER;
        next.reference = next.support = order[i - 1];
        next.also_count = 0;
        if (code == ETNA_OK) code = expand_push(e, &next);
    }
    return code;
}

/* ---- rows ---- */

typedef struct expand_row { /* along a line */
    uint32_t count, support;
    uint32_t order[BUILTIN_MOVES_MAX];
    double along[2], origin[2], low, high; /* points origin + t along, t from low to high */
    double in[2];                          /* the other direction the line may be shifted to, and how far at most */
    double in_most;
    double height; /* of their bottoms */
    double step;   /* between middles; 0: as wide as there is room */
    bool spread;   /* over the whole line */
    double depth;  /* from the line to their middles; 0: their sides are on the line */
} expand_row;

static bool expand_is_of(const expand_row *r, uint32_t object)
{
    for (uint32_t i = 0; i < r->count; i++) {
        if (r->order[i] == object) return true;
    }
    return false;
}

/* Does anything that is not of the row take the room there? */
static bool expand_is_taken(const builtin_facts *facts, const expand_row *r, uint32_t object, const double at[2])
{
    const builtin_object *o = &facts->objects[object];
    builtin_rect own = builtin_footprint(o, at[0], at[1], 0.005);
    double top = r->height + 2 * o->half[2];
    for (uint32_t i = 0; i < facts->object_count; i++) {
        const builtin_object *b = &facts->objects[i];
        bool away = expand_is_of(r, i) || i == r->support || b->centre[2] + b->half[2] < r->height + 0.01 ||
                    b->centre[2] - b->half[2] > top - 0.01;
        if (away || (b->is_static && most(b->half[0], b->half[1]) > 1 && least(b->half[0], b->half[1]) > 0.3)) continue;
        bool load = false;
        for (uint32_t k = 0; k < r->count && !load; k++) load = builtin_is_above(facts, i, r->order[k]);
        builtin_rect its = builtin_footprint(b, b->centre[0], b->centre[1], 0);
        if (!load && own.low[0] < its.high[0] && own.high[0] > its.low[0] && own.low[1] < its.high[1] &&
            own.high[1] > its.low[1])
            return true;
    }
    return false;
}

/* The places of a row at that step and offset; false: one is taken, or beyond the line. */
static bool expand_try_row(const builtin_facts *facts, const expand_row *r, double start, double step, double in,
                           double (*ret)[3])
{
    for (uint32_t i = 0; i < r->count; i++) {
        const builtin_object *o = &facts->objects[r->order[i]];
        double t = start + i * step, half = builtin_extent(o, r->along);
        if (t - half < r->low - 1e-6 || t + half > r->high + 1e-6) return false;
        double depth = in + (r->depth > 0 ? r->depth : builtin_extent(o, r->in));
        for (int k = 0; k < 2; k++) ret[i][k] = r->origin[k] + t * r->along[k] + depth * r->in[k];
        ret[i][2] = r->height;
        if (expand_is_taken(facts, r, r->order[i], ret[i])) return false;
    }
    return true;
}

static double expand_closest_step(const builtin_facts *facts, const expand_row *r)
{
    double step = 0.02;
    for (uint32_t i = 1; i < r->count; i++) {
        step = most(step, builtin_extent(&facts->objects[r->order[i - 1]], r->along) +
                              builtin_extent(&facts->objects[r->order[i]], r->along) + row_gap);
    }
    return step;
}

/* Looks for the row: wide before narrow where it is to be spread, near the middle and the line before farther. */
static bool expand_find_row(const builtin_facts *facts, const expand_row *r, double (*ret)[3])
{
    enum { STEPS = 8, OFFSETS = 21, DEPTHS = 6 };
    double length = r->high - r->low, close = expand_closest_step(facts, r);
    double wide = r->count > 1 ? least(length / r->count, most(close, 1.5)) : close;
    for (int d = 0; d < DEPTHS; d++) {
        double in = r->in_most * d / (DEPTHS - 1);
        for (int s = 0; s < STEPS; s++) {
            double step = r->step;
            if (!(step > 0)) {
                double share = s / (double)(STEPS - 1);
                step = r->spread ? wide + share * (close - wide) : close + share * most(wide - close, 0);
            } else if (s > 0) {
                break;
            }
            double length_of_row = step * (r->count - 1), slack = length - length_of_row;
            if (slack < 0 || (r->spread && step < close - 1e-9 && !(r->step > 0))) continue;
            for (int k = 0; k < OFFSETS; k++) {
                double side = (k + 1) / 2 * (k % 2 ? 1 : -1) / (double)(OFFSETS / 2);
                double start = (r->low + r->high - length_of_row) / 2 + side * slack / 2;
                if (expand_try_row(facts, r, start, step, in, ret)) return true;
            }
        }
        if (!(r->in_most > 0)) break;
    }
    return false;
}

/* Their order along the line: as said from the left, else as they are along it. */
static void expand_order(const expansion *e, const builtin_move *m, expand_row *r)
{
    uint32_t count = m->row_count > 0 ? m->row_count : m->objects.count;
    double right[2], away[2];
    builtin_picture_axes(e->then, right, away);
    double turned = r->along[0] * right[0] + r->along[1] * right[1];
    if (fabs(turned) < 0.35) turned = -(r->along[0] * away[0] + r->along[1] * away[1]); /* a line into the picture */
    if (turned < 0) {                                                                   /* left to right, far to near */
        double low = r->low;
        r->along[0] = -r->along[0];
        r->along[1] = -r->along[1];
        r->low = -r->high;
        r->high = -low;
    }
    r->count = count < BUILTIN_MOVES_MAX ? count : BUILTIN_MOVES_MAX;
    memcpy(r->order, m->row_count > 0 ? m->row : m->objects.objects, r->count * sizeof *r->order);
    for (uint32_t i = 1; i < r->count && m->row_count == 0; i++) {
        for (uint32_t k = i; k > 0; k--) {
            const double *a = e->then->objects[r->order[k - 1]].centre, *b = e->then->objects[r->order[k]].centre;
            if (a[0] * r->along[0] + a[1] * r->along[1] <= b[0] * r->along[0] + b[1] * r->along[1]) break;
            uint32_t swap = r->order[k];
            r->order[k] = r->order[k - 1];
            r->order[k - 1] = swap;
        }
    }
}

static bool expand_bears_one(const builtin_facts *facts, const builtin_move *m, uint32_t base)
{
    for (uint32_t i = 0; i < m->objects.count; i++) {
        if (builtin_stands_on(facts, m->objects.objects[i], base)) return true;
    }
    return false;
}

static const builtin_surface *expand_top_of(const builtin_facts *facts, uint32_t base)
{
    const builtin_surface *best = NULL;
    double best_area = 0;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        double area = s->width * s->cell * (s->columns > s->rows ? s->columns : s->rows);
        bool higher = best && s->height > best->height && area > 0.5 * best_area;
        if (s->object != base || (best && !higher && area <= 1.5 * best_area)) continue;
        best = s;
        best_area = area;
    }
    return best;
}

/* The side of a box that the move means: `sides` of the picture; 0: the one toward the viewer. */
static void expand_side(const builtin_facts *facts, const builtin_object *o, unsigned sides, double ret[2])
{
    double right[2], away[2], best = -2, want[2];
    builtin_picture_axes(facts, right, away);
    for (int k = 0; k < 2; k++) {
        want[k] = -away[k];
        if (sides & SIDE_BACK) want[k] = away[k];
        if (sides & SIDE_LEFT) want[k] = -right[k];
        if (sides & SIDE_RIGHT) want[k] = right[k];
        if (sides & SIDE_FRONT) want[k] = -away[k];
    }
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
static void expand_line_at(const builtin_object *o, const double out[2], bool inside, expand_row *r)
{
    double reach = builtin_extent(o, out);
    r->along[0] = -out[1];
    r->along[1] = out[0];
    double wide = builtin_extent(o, r->along), middle = o->centre[0] * r->along[0] + o->centre[1] * r->along[1];
    r->low = middle - wide + (inside ? 0.01 : 0);
    r->high = middle + wide - (inside ? 0.01 : 0);
    double line = o->centre[0] * out[0] + o->centre[1] * out[1] + reach;
    for (int k = 0; k < 2; k++) {
        r->in[k] = inside ? -out[k] : out[k];
        r->origin[k] = line * out[k] + edge_gap * r->in[k];
    }
}

/* One of them that stands on what most of them stand on: a cup on its saucer does not say where a row of cups and pots is. */
static uint32_t expand_typical(const builtin_facts *facts, const builtin_set *set)
{
    uint32_t best = BUILTIN_NONE, most_like = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        const builtin_object *o = &facts->objects[set->objects[i]];
        uint32_t alike = 0, by = o->by_count > 0 ? o->by[0] : BUILTIN_NONE;
        for (uint32_t k = 0; k < set->count; k++) {
            const builtin_object *b = &facts->objects[set->objects[k]];
            alike += (b->by_count > 0 ? b->by[0] : BUILTIN_NONE) == by;
        }
        if (best != BUILTIN_NONE && alike <= most_like) continue;
        best = set->objects[i];
        most_like = alike;
    }
    return best;
}

static etna_code expand_line(expansion *e, const builtin_move *said)
{
    const builtin_facts *then = e->then;
    builtin_move there = *said, *m = &there;
    expand_row r = {.support = m->support};
    uint32_t first = expand_typical(then, &m->objects);
    if (first == BUILTIN_NONE) return ETNA_OK;
    bool elsewhere = m->reference == BUILTIN_NONE && m->support < then->object_count &&
                     !then->objects[m->support].is_static && !expand_bears_one(then, m, m->support);
    if (elsewhere) m->reference = m->support; /* "in a row on the shelf": along that */
    const builtin_object *o = &then->objects[first];
    uint32_t floor = o->by_count > 0 ? o->by[0] : BUILTIN_NONE;
    double away[2], right[2];
    builtin_picture_axes(then, right, away);
    r.height = o->centre[2] - o->half[2];
    bool refers = m->reference < then->object_count;
    const builtin_object *ref = refers ? &then->objects[m->reference] : NULL;
    bool wall = refers && builtin_is_wall(ref);
    bool on_top = refers && !wall &&
                  (m->support == m->reference || expand_bears_one(then, m, m->reference) ||
                   (m->sides == 0 && m->support == BUILTIN_NONE));
    if (wall) {
        bool thin_along = ref->half[1] <= ref->half[0];
        double out[2] = {thin_along ? ref->heading[0] : -ref->heading[1],
                         thin_along ? ref->heading[1] : ref->heading[0]};
        double side = (o->centre[0] - ref->centre[0]) * out[0] + (o->centre[1] - ref->centre[1]) * out[1];
        double way[2] = {side < 0 ? -out[0] : out[0], side < 0 ? -out[1] : out[1]};
        expand_line_at(ref, way, false, &r);
        r.in_most = 0.15;
        if (r.support == BUILTIN_NONE) r.support = floor;
    } else if (on_top) {
        const builtin_surface *s = expand_top_of(then, m->reference);
        double out[2];
        expand_side(then, ref, m->sides, out);
        expand_line_at(ref, out, true, &r);
        r.support = m->reference;
        r.height = s ? s->height : ref->centre[2] + ref->half[2];
        r.spread = true;
        if (m->sides == 0) r.in_most = 2 * builtin_extent(ref, out);
        for (uint32_t i = 0; i < m->objects.count && m->sides == 0; i++)
            r.depth = most(r.depth, builtin_extent(&then->objects[m->objects.objects[i]], r.in));
    } else if (refers) { /* before it, on what bears it */
        double out[2], front[2];
        expand_side(then, ref, m->sides, out);
        bool ahead = (m->sides == 0 || m->sides == SIDE_FRONT) && (builtin_front_of(then, m->reference, front) ||
                                                                   builtin_front_from_wall(then, m->reference, front));
        expand_line_at(ref, ahead ? front : out, false, &r);
        r.in_most = 0.4;
        r.spread = true;
        for (int k = 0; k < 2; k++) r.origin[k] += 0.07 * r.in[k];
        if (r.support == BUILTIN_NONE) r.support = floor;
    } else { /* where they are: through their middle, along the picture or the thing that bears them */
        double middle[2] = {0, 0}, spread[2][2] = {{1e30, -1e30}, {1e30, -1e30}};
        if (r.support == BUILTIN_NONE) r.support = floor;
        double axis[2] = {right[0], right[1]};
        if (r.support != BUILTIN_NONE && !then->objects[r.support].is_static) {
            expand_side(then, &then->objects[r.support], SIDE_RIGHT, axis);
        } else if (r.support != BUILTIN_NONE) {
            expand_side(then, o, SIDE_RIGHT, axis);
        }
        for (uint32_t i = 0; i < m->objects.count; i++) {
            const double *c = then->objects[m->objects.objects[i]].centre;
            double across[2] = {-axis[1], axis[0]};
            for (int k = 0; k < 2; k++) {
                const double *way = k ? across : axis;
                double v = c[0] * way[0] + c[1] * way[1];
                middle[k] += v / m->objects.count;
                spread[k][0] = least(spread[k][0], v);
                spread[k][1] = most(spread[k][1], v);
            }
        }
        bool deep = m->row_count == 0 && spread[1][1] - spread[1][0] > 2 * (spread[0][1] - spread[0][0]);
        double along[2] = {deep ? -axis[1] : axis[0], deep ? axis[0] : axis[1]}, depth = 0;
        memcpy(r.along, along, sizeof along);
        r.in[0] = -r.along[1];
        r.in[1] = r.along[0];
        for (uint32_t i = 0; i < m->objects.count; i++)
            depth = most(depth, builtin_extent(&then->objects[m->objects.objects[i]], r.in));
        double line = (deep ? -middle[0] : middle[1]) - depth, at = deep ? middle[1] : middle[0];
        for (int k = 0; k < 2; k++) r.origin[k] = line * r.in[k];
        r.depth = depth;
        double half = most(1.0, 0.75 * (spread[deep][1] - spread[deep][0]));
        r.low = at - half;
        r.high = at + half;
        if (r.support != BUILTIN_NONE) {
            const builtin_object *base = &then->objects[r.support];
            double mid = base->centre[0] * r.along[0] + base->centre[1] * r.along[1],
                   reach = builtin_extent(base, r.along);
            r.low = most(r.low, mid - reach + 0.01);
            r.high = least(r.high, mid + reach - 0.01);
        }
        r.in_most = 0.5;
    }
    expand_order(e, m, &r);
    if (m->spacing > 0) r.step = expand_closest_step(then, &r) - row_gap + m->spacing;
    double places[BUILTIN_MOVES_MAX][3];
    bool found = expand_find_row(then, &r, places);
    if (!found) {
        r.in[0] = -r.in[0]; /* to the other side of the line */
        r.in[1] = -r.in[1];
        found = !refers && expand_find_row(then, &r, places);
    }
    if (!found)
        return etna_fail(e->p->err, ETNA_E_NOTFOUND, "there is no room for a row of these %u things there", r.count);
    m->hung = m->hung || r.support == BUILTIN_NONE; /* nothing is known to bear them: at that height */
    for (uint32_t i = 0; i < r.count; i++) {
        if (r.support == BUILTIN_NONE) places[i][2] += then->objects[r.order[i]].half[2];
        etna_code code = expand_at(e, m, r.order[i], r.support, places[i], 0.02);
        if (code != ETNA_OK) return code;
    }
    return ETNA_OK;
}

/* ---- around ---- */

typedef struct expand_ring { /* places about a thing's middle, each with its way out from there */
    const builtin_object *centre;
    uint32_t count, support; /* what bears them; BUILTIN_NONE: not known */
    double height;           /* of their bottoms */
    double gap;              /* metres from the thing */
    double turn;             /* radians from the thing's heading to the first place */
    double places[BUILTIN_MOVES_MAX][3], ways[BUILTIN_MOVES_MAX][2];
} expand_ring;

static void expand_lay_ring(const builtin_facts *facts, const uint32_t *objects, expand_ring *r)
{
    const builtin_object *c = r->centre;
    for (uint32_t i = 0; i < r->count; i++) {
        const builtin_object *o = &facts->objects[objects[i]];
        double sine, cosine;
        math_sincos(r->turn + 2 * MATH_PI * i / r->count, &sine, &cosine);
        r->ways[i][0] = cosine * c->heading[0] - sine * c->heading[1];
        r->ways[i][1] = sine * c->heading[0] + cosine * c->heading[1];
        double along = fabs(cosine), across = fabs(sine);
        double by_side = across > 1e-9 ? c->half[0] / across : 1e9;
        double by_front = along > 1e-9 ? c->half[1] / along : 1e9;
        double reach = least(by_side, by_front) + most(o->half[0], o->half[1]) + r->gap;
        for (int k = 0; k < 2; k++) r->places[i][k] = c->centre[k] + reach * r->ways[i][k];
        r->places[i][2] = r->height;
    }
}

/* Is every place free of other things, and on what bears them where that is a piece of furniture? */
static bool expand_ring_is_free(const builtin_facts *facts, const uint32_t *objects, const expand_ring *r)
{
    expand_row taken = {.count = r->count, .support = r->support, .height = r->height};
    memcpy(taken.order, objects, r->count * sizeof *objects);
    bool bounded = r->support != BUILTIN_NONE && !facts->objects[r->support].is_static;
    for (uint32_t i = 0; i < r->count; i++) {
        if (expand_is_taken(facts, &taken, objects[i], r->places[i])) return false;
        if (!bounded) continue;
        const builtin_object *base = &facts->objects[r->support];
        builtin_rect own = builtin_footprint(&facts->objects[objects[i]], r->places[i][0], r->places[i][1], 0);
        builtin_rect top = builtin_footprint(base, base->centre[0], base->centre[1], 0);
        for (int k = 0; k < 2; k++) {
            if (own.low[k] < top.low[k] || own.high[k] > top.high[k]) return false;
        }
    }
    return true;
}

/* The first place before the thing where that is free for all, else turned or up to 20 cm wider. */
static void expand_find_ring(const builtin_facts *facts, const uint32_t *objects, bool gap_said, expand_ring *r)
{
    enum { TURNS = 8, WIDER = 3 };
    const double closest = r->gap;
    for (int w = 0; w < (gap_said ? 1 : WIDER); w++) {
        r->gap = closest + 0.1 * w;
        for (int t = 0; t < TURNS; t++) {
            r->turn = 2 * MATH_PI * t / (TURNS * r->count);
            expand_lay_ring(facts, objects, r);
            if (expand_ring_is_free(facts, objects, r)) return;
        }
    }
    r->gap = closest;
    r->turn = 0;
    expand_lay_ring(facts, objects, r);
}

static etna_code expand_around(expansion *e, const builtin_move *m)
{
    uint32_t place_of[BUILTIN_MOVES_MAX], count = m->objects.count;
    if (m->reference >= e->then->object_count || count == 0 || count > BUILTIN_MOVES_MAX) return ETNA_OK;
    const uint32_t *objects = m->objects.objects;
    const builtin_object *first = &e->then->objects[objects[0]], *ref = &e->then->objects[m->reference];
    expand_ring *r = etna_arena_alloc(e->p->talk->arena, 1, sizeof *r);
    if (!r) return expand_no_memory(e);
    *r = (expand_ring){.centre = ref, .count = count, .support = m->support, .gap = m->gap >= 0 ? m->gap : round_gap};
    r->height = first->centre[2] - first->half[2];
    if (m->support == BUILTIN_NONE &&
        ref->by_count > 0) { /* chairs stand where the table does, glasses where the jug does */
        r->support = ref->by[0];
        r->height = ref->centre[2] - ref->half[2];
    } else if (m->support == BUILTIN_NONE && first->by_count > 0) {
        r->support = first->by[0];
    }
    expand_find_ring(e->then, objects, m->gap >= 0, r);
    expand_assign(e->then, objects, count, (const double(*)[3])r->places, count, place_of);
    for (uint32_t i = 0; i < count; i++) {
        const builtin_object *o = &e->then->objects[objects[i]];
        builtin_move next = *m;
        double front[2];
        if (place_of[i] == BUILTIN_NONE) continue;
        const double *out = r->ways[place_of[i]], in[2] = {-out[0], -out[1]};
        next.has_yaw = builtin_front_of(e->then, objects[i], front) || builtin_is_seat(o);
        next.yaw_deg = o->yaw_deg + builtin_turn_between(front, in);
        next.facing = FACING_NONE;
        etna_code code = expand_at(e, &next, objects[i], r->support, r->places[place_of[i]], 0.15);
        if (code != ETNA_OK) return code;
    }
    return ETNA_OK;
}

/* ---- together ---- */

static etna_code expand_group(expansion *e, const builtin_move *m)
{
    uint32_t anchor = m->reference;
    if (m->objects.count == 0) return ETNA_OK;
    double middle[2] = {0, 0}, nearest = 1e30;
    for (uint32_t i = 0; i < m->objects.count; i++) {
        for (int k = 0; k < 2; k++) middle[k] += e->then->objects[m->objects.objects[i]].centre[k] / m->objects.count;
    }
    for (uint32_t i = 0; i < m->objects.count && m->reference >= e->then->object_count; i++) {
        double way = expand_way(e->then->objects[m->objects.objects[i]].centre, middle);
        if (way >= nearest) continue;
        nearest = way;
        anchor = m->objects.objects[i]; /* what is in their middle stays */
    }
    for (uint32_t i = 0; i < m->objects.count; i++) {
        builtin_move next;
        if (m->objects.objects[i] == anchor) continue;
        etna_code code = expand_one(e, m, m->objects.objects[i], &next);
        next.relation = RELATION_BESIDE;
        next.reference = anchor;
        if (code == ETNA_OK) code = expand_push(e, &next);
        if (code != ETNA_OK) return code;
    }
    return ETNA_OK;
}

/* ---- laid tables ---- */

typedef struct expand_seat { /* a place at a table */
    double edge[2], in[2];   /* the point of its edge, and the way from there to its middle, squarely */
} expand_seat;

static void expand_seat_from(const builtin_object *table, const double from[2], expand_seat *ret)
{
    double dx = from[0] - table->centre[0], dy = from[1] - table->centre[1];
    double along = dx * table->heading[0] + dy * table->heading[1],
           across = -dx * table->heading[1] + dy * table->heading[0];
    bool lengthwise = fabs(along) - table->half[1] >= fabs(across) - table->half[0];
    double u = lengthwise ? (along < 0 ? -1 : 1) * table->half[1] : least(most(along, -table->half[1]), table->half[1]);
    double v =
        lengthwise ? least(most(across, -table->half[0]), table->half[0]) : (across < 0 ? -1 : 1) * table->half[0];
    ret->edge[0] = table->centre[0] + u * table->heading[0] - v * table->heading[1];
    ret->edge[1] = table->centre[1] + u * table->heading[1] + v * table->heading[0];
    double sign = (lengthwise ? along : across) < 0 ? 1 : -1;
    ret->in[0] = sign * (lengthwise ? table->heading[0] : -table->heading[1]);
    ret->in[1] = sign * (lengthwise ? table->heading[1] : table->heading[0]);
}

/* The seats that stand at the table, farthest from each other first where there are more than needed; where there are
 * fewer, places in the middle of its sides, and then beside these. */
static uint32_t expand_seats(const builtin_facts *facts, const builtin_move *m, uint32_t need, expand_seat *ret)
{
    const builtin_object *table = &facts->objects[m->reference];
    uint32_t count = 0, chosen = 0;
    expand_seat all[BUILTIN_MOVES_MAX];
    for (uint32_t i = 0; i < m->each.count && count < BUILTIN_MOVES_MAX; i++)
        expand_seat_from(table, facts->objects[m->each.objects[i]].centre, &all[count++]);
    if (m->each.count == 0 && m->second < facts->object_count)
        expand_seat_from(table, facts->objects[m->second].centre, &all[count++]);
    builtin_rect near = builtin_footprint(table, table->centre[0], table->centre[1], 0.8);
    for (uint32_t i = 0; i < facts->object_count && count < BUILTIN_MOVES_MAX && m->each.count == 0; i++) {
        const builtin_object *o = &facts->objects[i];
        bool at_it = o->centre[0] > near.low[0] && o->centre[0] < near.high[0] && o->centre[1] > near.low[1] &&
                     o->centre[1] < near.high[1];
        if (builtin_is_seat(o) && !o->is_static && at_it && m->second >= facts->object_count)
            expand_seat_from(table, o->centre, &all[count++]);
    }
    bool taken[BUILTIN_MOVES_MAX] = {false};
    while (chosen < need && chosen < count) {
        uint32_t best = 0;
        double farthest = -1;
        for (uint32_t i = 0; i < count; i++) {
            double way = 1e9;
            for (uint32_t k = 0; k < chosen; k++) way = least(way, expand_way(all[i].edge, ret[k].edge));
            if (taken[i] || way <= farthest + 1e-9) continue;
            farthest = way;
            best = i;
        }
        taken[best] = true;
        ret[chosen++] = all[best];
    }
    for (int n = 0; n < 12 && chosen < need;
         n++) { /* no seat there: sides, the longer ones first; then their quarters */
        static const double shares[3] = {0, 0.55, -0.55};
        bool lengthwise = (n / 2 % 2 == 0) == (table->half[1] < table->half[0]);
        double sign = n % 2 ? -1 : 1, share = shares[n / 4];
        double u = lengthwise ? sign * (table->half[1] + 0.3) : share * table->half[1],
               v = lengthwise ? share * table->half[0] : sign * (table->half[0] + 0.3);
        const double from[2] = {table->centre[0] + u * table->heading[0] - v * table->heading[1],
                                table->centre[1] + u * table->heading[1] + v * table->heading[0]};
        expand_seat next;
        double way = 1e9;
        expand_seat_from(table, from, &next);
        for (uint32_t k = 0; k < chosen; k++) way = least(way, expand_way(next.edge, ret[k].edge));
        if (way > 0.3) ret[chosen++] = next;
    }
    return chosen;
}

/* Half the size of the plates that are laid by the same instruction. */
static double expand_plate_half(const expansion *e, const builtin_reading *said)
{
    double half = 0;
    for (uint32_t i = 0; i < said->count; i++) {
        const builtin_move *m = &said->moves[i];
        for (uint32_t k = 0; k < m->objects.count && m->relation == RELATION_SETTING && m->slot == SLOT_PLATE; k++) {
            const builtin_object *o = &e->then->objects[m->objects.objects[k]];
            half = most(half, most(o->half[0], o->half[1]));
        }
    }
    return half > 0 ? half : 0.13;
}

static bool expand_is_said(const builtin_reading *said, uint32_t object)
{
    for (uint32_t i = 0; i < said->count; i++) {
        for (uint32_t k = 0; k < said->moves[i].objects.count; k++) {
            if (said->moves[i].objects.objects[k] == object) return true;
        }
    }
    return false;
}

/* Does something that is not laid itself stand there on the table? */
static bool expand_is_laid_over(const expansion *e, const builtin_reading *said, uint32_t table, uint32_t object,
                                const double at[3])
{
    for (uint32_t i = 0; i < e->then->object_count; i++) {
        bool other = i != table && !e->then->objects[i].is_static && !expand_is_said(said, i);
        if (other && builtin_is_in_the_way(e->then, i, object, at)) return true;
    }
    return false;
}

static etna_code expand_setting(expansion *e, const builtin_move *m, const builtin_reading *said)
{
    if (m->reference >= e->then->object_count || m->objects.count == 0) return ETNA_OK;
    expand_seat seats[BUILTIN_MOVES_MAX];
    uint32_t need = m->objects.need < BUILTIN_MOVES_MAX ? m->objects.need : BUILTIN_MOVES_MAX;
    if (m->each.count > 0 && m->each.count < need) need = m->each.count;
    uint32_t seat_count = expand_seats(e->then, m, need, seats), place_of[BUILTIN_MOVES_MAX];
    uint32_t things = m->objects.count < BUILTIN_MOVES_MAX ? m->objects.count : BUILTIN_MOVES_MAX;
    const builtin_surface *top = expand_top_of(e->then, m->reference);
    const builtin_object *table = &e->then->objects[m->reference], *one = &e->then->objects[m->objects.objects[0]];
    double plate = expand_plate_half(e, said), height = top ? top->height : table->centre[2] + table->half[2];
    double half = most(one->half[0], one->half[1]), places[BUILTIN_MOVES_MAX][3];
    for (uint32_t i = 0; i < seat_count; i++) {
        const expand_seat *s = &seats[i];
        const double right[2] = {s->in[1], -s->in[0]}; /* of who looks in */
        double in = plate_gap + (m->slot == SLOT_PLATE ? half : plate), aside = 0;
        if (m->slot == SLOT_RIGHT) aside = plate + slot_gap + builtin_extent(one, right);
        if (m->slot == SLOT_LEFT) aside = -plate - slot_gap - builtin_extent(one, right);
        if (m->slot == SLOT_FAR) {
            in = plate_gap + 2 * plate + slot_gap + half;
            aside = 0.6 * plate;
            double depth = builtin_extent(table, s->in); /* a narrow table: beside the plate instead */
            if (in + half > depth) {
                in = plate_gap + plate;
                aside = plate + slot_gap + half;
            }
        }
        static const double beside[7] = {0,     0.06, -0.06, 0.12,
                                         -0.12, 0.18, -0.18}; /* a hand's breadth from what is there */
        places[i][2] = height;
        for (int n = 0; n <= 7; n++) {
            double shifted = aside + (n < 7 ? beside[n] : 0);
            for (int k = 0; k < 2; k++) places[i][k] = s->edge[k] + in * s->in[k] + shifted * right[k];
            if (!expand_is_laid_over(e, said, m->reference, m->objects.objects[0], places[i])) break;
        }
    }
    expand_assign(e->then, m->objects.objects, things, (const double(*)[3])places, seat_count, place_of);
    for (uint32_t i = 0; i < things; i++) {
        if (place_of[i] == BUILTIN_NONE) continue;
        etna_code code = expand_at(e, m, m->objects.objects[i], m->reference, places[place_of[i]], 0.04);
        if (code != ETNA_OK) return code;
    }
    return ETNA_OK;
}

/* ---- shifted together ---- */

/* So far toward another thing, or away from it. */
static etna_code expand_toward(expansion *e, const builtin_move *m)
{
    for (uint32_t i = 0; i < m->objects.count; i++) {
        builtin_move next;
        etna_code code = expand_one(e, m, m->objects.objects[i], &next);
        if (code != ETNA_OK) return code;
        const double *own = e->then->objects[m->objects.objects[i]].centre;
        const builtin_object *ref = &e->then->objects[m->reference];
        builtin_rect r = builtin_footprint(ref, ref->centre[0], ref->centre[1], 0);
        double dx = least(most(own[0], r.low[0]), r.high[0]) - own[0],
               dy = least(most(own[1], r.low[1]), r.high[1]) - own[1], length = sqrt(dx * dx + dy * dy);
        if (length < 1e-6) return expand_push(e, m);
        double sign = m->relation == RELATION_TOWARD ? 1 : -1;
        next.relation = RELATION_SHIFT;
        next.shift[0] = sign * m->gap * dx / length;
        next.shift[1] = sign * m->gap * dy / length;
        next.shift[2] = 0;
        code = expand_push(e, &next);
        if (code != ETNA_OK) return code;
    }
    return ETNA_OK;
}

/* The foremost in the direction first; what carries another of them before that, for that goes along. */
static etna_code expand_shift(expansion *e, const builtin_move *m)
{
    uint32_t *order = etna_arena_memdup(e->p->talk->arena, m->objects.objects, m->objects.count * sizeof *order);
    if (!order) return expand_no_memory(e);
    for (uint32_t i = 1; i < m->objects.count; i++) {
        for (uint32_t k = i; k > 0; k--) {
            const double *a = e->then->objects[order[k - 1]].centre, *b = e->then->objects[order[k]].centre;
            double ahead = (b[0] - a[0]) * m->shift[0] + (b[1] - a[1]) * m->shift[1] + (b[2] - a[2]) * m->shift[2];
            bool carries = builtin_is_above(e->then, order[k - 1], order[k]),
                 carried = builtin_is_above(e->then, order[k], order[k - 1]);
            if (carried || (!carries && ahead <= 0)) break;
            uint32_t swap = order[k];
            order[k] = order[k - 1];
            order[k - 1] = swap;
        }
    }
    for (uint32_t i = 0; i < m->objects.count; i++) {
        builtin_move next;
        etna_code code = expand_one(e, m, order[i], &next);
        if (code == ETNA_OK) code = expand_push(e, &next);
        if (code != ETNA_OK) return code;
    }
    return ETNA_OK;
}

/* A chair goes under a table as far as it goes: it is tucked in. */
static bool expand_is_tuck(const expansion *e, const builtin_move *m)
{
    if (m->relation != RELATION_UNDER || m->reference >= e->then->object_count || m->objects.count == 0) return false;
    bool seats =
        builtin_is_bearer(&e->then->objects[m->reference]) && !builtin_is_seat(&e->then->objects[m->reference]);
    for (uint32_t i = 0; i < m->objects.count && seats; i++)
        seats = builtin_is_seat(&e->then->objects[m->objects.objects[i]]);
    return seats;
}

/* "Put it with its back against the wall" is more than a turn. */
static bool expand_is_against(const expansion *e, const builtin_move *m)
{
    return m->relation == RELATION_TURNED && m->facing == FACING_BACK && m->goes && m->faced < e->then->object_count &&
           builtin_is_wall(&e->then->objects[m->faced]);
}

/* "Lay the shovel along the wall": what has no front has its long side there. */
static void expand_lay_along(const expansion *e, builtin_move *m)
{
    const double longish = 1.5, flat = 0.2; /* metres */
    double front[2];
    bool one = m->relation == RELATION_AGAINST && m->facing == FACING_BACK && m->objects.count == 1 &&
               m->reference < e->then->object_count && m->faced == m->reference;
    if (!one) return;
    const builtin_object *o = &e->then->objects[m->objects.objects[0]], *w = &e->then->objects[m->reference];
    bool lies = 2 * o->half[2] < flat; /* whatever its file calls its front */
    if (!lies && builtin_front_of(e->then, m->objects.objects[0], front)) return;
    if (most(o->half[0], o->half[1]) < longish * least(o->half[0], o->half[1]) || !builtin_is_wall(w)) return;
    bool wall_thin = w->half[1] <= w->half[0], thin = o->half[1] <= o->half[0];
    double way[2] = {w->heading[0], w->heading[1]}; /* across the wall */
    if (!wall_thin) {
        way[0] = -w->heading[1];
        way[1] = w->heading[0];
    }
    const double goal[2] = {thin ? way[0] : -way[1], thin ? way[1] : way[0]};
    double turn = builtin_turn_between(o->heading, goal);
    if (turn > 180) turn -= 360;
    if (turn > 90) turn -= 180;
    if (turn < -90) turn += 180;
    m->facing = FACING_NONE;
    m->has_yaw = true;
    m->yaw_deg = o->yaw_deg + turn;
}

static bool expand_has(const builtin_set *set, uint32_t object)
{
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->objects[i] == object) return true;
    }
    return false;
}

/* "Two chairs around it", of six: the nearest ones to what is named, else to the first of them. */
static etna_code expand_choose_needed(expansion *e, builtin_move *m)
{
    bool together = m->relation == RELATION_AROUND || m->relation == RELATION_LINE || m->relation == RELATION_STACK ||
                    m->relation == RELATION_GROUP;
    uint32_t need = m->objects.need, count = m->objects.count;
    if (!together || need == 0 || need >= count) return ETNA_OK;
    uint32_t *chosen = etna_arena_memdup(e->p->talk->arena, m->objects.objects, count * sizeof *chosen);
    uint32_t *row = etna_arena_alloc(e->p->talk->arena, need, sizeof *row);
    if (!chosen || !row) return expand_no_memory(e);
    const builtin_object *things = e->then->objects;
    uint32_t anchor = m->reference < e->then->object_count ? m->reference : m->support;
    if (anchor >= e->then->object_count) anchor = chosen[0];
    for (uint32_t i = 0; i < need; i++) {
        for (uint32_t k = i + 1; k < count; k++) {
            double best = expand_way(things[chosen[i]].centre, things[anchor].centre);
            if (expand_way(things[chosen[k]].centre, things[anchor].centre) >= best - 1e-9) continue;
            uint32_t swap = chosen[i];
            chosen[i] = chosen[k];
            chosen[k] = swap;
        }
    }
    m->objects.objects = chosen;
    m->objects.count = need;
    uint32_t in_row = 0;
    for (uint32_t i = 0; i < m->row_count; i++) { /* in the order that was said or read */
        if (expand_has(&m->objects, m->row[i]) && in_row < need) row[in_row++] = m->row[i];
    }
    m->row = row;
    m->row_count = in_row;
    return ETNA_OK;
}

/* What earlier parts of the sentence move is taken where it is now: "the jug in the middle and the glasses around it". */
static etna_code expand_see_moved(expansion *e, const builtin_reading *said, uint32_t index)
{
    const builtin_facts *now = e->p->facts;
    builtin_facts *seen = NULL;
    e->then = &e->p->then;
    for (uint32_t i = 0; i < index; i++) {
        const builtin_set *earlier = &said->moves[i].objects;
        for (uint32_t k = 0; k < earlier->count; k++) {
            uint32_t object = earlier->objects[k];
            if (!now->objects[object].moved || expand_has(&said->moves[index].objects, object)) continue;
            if (!seen) {
                seen = etna_arena_memdup(e->p->talk->arena, &e->p->then, sizeof *seen);
                if (!seen) return expand_no_memory(e);
                size_t bytes = seen->object_count * sizeof *seen->objects;
                seen->objects = etna_arena_memdup(e->p->talk->arena, seen->objects, bytes);
                if (!seen->objects) return expand_no_memory(e);
            }
            ((builtin_object *)(uintptr_t)seen->objects)[object] = now->objects[object];
        }
    }
    if (seen) e->then = seen;
    return ETNA_OK;
}

etna_code planner_expand(planner *p)
{
    builtin_reading *said = etna_arena_memdup(p->talk->arena, &p->reading, sizeof p->reading);
    if (!said) return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    expansion e = {.p = p, .then = &p->then, .out = &p->reading};
    e.out->count = 0;
    for (uint32_t i = 0; i < said->count; i++) {
        builtin_move *m = &said->moves[i];
        etna_code code = expand_see_moved(&e, said, i);
        if (code != ETNA_OK) return code;
        code = expand_choose_needed(&e, m);
        if (code != ETNA_OK) return code;
        if (expand_is_tuck(&e, m)) m->relation = RELATION_TUCK;
        if (expand_is_against(&e, m)) {
            m->relation = RELATION_AGAINST;
            m->reference = m->faced;
        }
        expand_lay_along(&e, m);
        switch (m->relation) {
        case RELATION_SWAP: code = expand_swap(&e, m); break;
        case RELATION_STACK: code = expand_stack(&e, m); break;
        case RELATION_LINE: code = expand_line(&e, m); break;
        case RELATION_AROUND: code = expand_around(&e, m); break;
        case RELATION_GROUP: code = expand_group(&e, m); break;
        case RELATION_SETTING: code = expand_setting(&e, m, said); break;
        case RELATION_SHIFT: code = expand_shift(&e, m); break;
        case RELATION_TOWARD:
        case RELATION_AWAY: code = m->gap > 0 ? expand_toward(&e, m) : expand_push(&e, m); break;
        default: code = m->each.count > 0 ? expand_each(&e, m) : expand_push(&e, m); break;
        }
        if (code != ETNA_OK) return code;
    }
    return ETNA_OK;
}
