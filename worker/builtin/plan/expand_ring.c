/* Circles around a thing: places about its middle, evenly, as close as the things' sizes let them, turned and widened until
 * nothing else is there. */
#include "worker/builtin/plan/expand_internal.h"

#include <math.h>

static const double RING_GAP = 0.08; /* metres from the thing, where none are said */

typedef struct ring { /* places, each with its way out from the middle */
    company c;
    const builtin_object *centre;
    double gap;  /* metres from the thing */
    double turn; /* radians from the thing's heading to the first place */
    double places[BUILTIN_MOVES_MAX][3], ways[BUILTIN_MOVES_MAX][2];
} ring;

/* From the middle of a box to its side, in the direction whose sine and cosine with its heading these are. */
static double box_reach(const builtin_object *o, double sine, double cosine)
{
    double by_side = fabs(sine) > 1e-9 ? o->half[0] / fabs(sine) : 1e9;
    double by_front = fabs(cosine) > 1e-9 ? o->half[1] / fabs(cosine) : 1e9;
    return math_min(by_side, by_front);
}

static void ring_lay(ring *r)
{
    const builtin_object *c = r->centre;
    for (uint32_t i = 0; i < r->c.count; i++) {
        const builtin_object *o = &r->c.facts->objects[r->c.objects[i]];
        double *way = r->ways[i];
        double sine;
        double cosine;
        math_sincos(r->turn + 2 * MATH_PI * i / r->c.count, &sine, &cosine);
        way[0] = cosine * c->heading[0] - sine * c->heading[1];
        way[1] = sine * c->heading[0] + cosine * c->heading[1];
        double reach = box_reach(c, sine, cosine) + math_max(o->half[0], o->half[1]) + r->gap;
        for (int k = 0; k < 2; k++) r->places[i][k] = c->centre[k] + reach * way[k];
        r->places[i][2] = r->c.height;
    }
}

/* Is the place on what bears them, where that is a piece of furniture? */
static bool ring_bears(const ring *r, uint32_t i)
{
    if (r->c.support == BUILTIN_NONE) return true;
    const builtin_object *base = &r->c.facts->objects[r->c.support];
    const builtin_object *o = &r->c.facts->objects[r->c.objects[i]];
    if (base->is_static) return true;
    builtin_rect own = builtin_footprint(o, r->places[i][0], r->places[i][1], 0);
    builtin_rect top = builtin_footprint(base, base->centre[0], base->centre[1], 0);
    for (int k = 0; k < 2; k++) {
        if (own.low[k] < top.low[k] || own.high[k] > top.high[k]) return false;
    }
    return true;
}

static bool ring_is_free(const ring *r)
{
    for (uint32_t i = 0; i < r->c.count; i++) {
        if (company_is_taken(&r->c, r->c.objects[i], r->places[i]) || !ring_bears(r, i)) return false;
    }
    return true;
}

/* The first place before the thing where that is free for all, else turned or up to 20 cm wider. */
static void ring_find(ring *r, bool gap_said)
{
    enum { TURNS = 8, WIDER = 3 };
    const double closest = r->gap;
    int widths = gap_said ? 1 : WIDER;
    for (int n = 0; n < widths * TURNS; n++) {
        r->gap = closest + 0.1 * (n / TURNS);
        r->turn = 2 * MATH_PI * (n % TURNS) / (TURNS * r->c.count);
        ring_lay(r);
        if (ring_is_free(r)) return;
    }
    r->gap = closest;
    r->turn = 0;
    ring_lay(r);
}

/* Chairs stand where the table does, glasses where the jug does. */
static void ring_bear(ring *r, const builtin_move *m)
{
    const builtin_object *first = &r->c.facts->objects[r->c.objects[0]];
    uint32_t bearer = expand_bearer(r->c.facts, m->reference);
    r->c.support = m->support;
    r->c.height = first->centre[2] - first->half[2];
    if (m->support != BUILTIN_NONE) return;
    r->c.support = bearer != BUILTIN_NONE ? bearer : expand_bearer(r->c.facts, r->c.objects[0]);
    if (bearer != BUILTIN_NONE) r->c.height = r->centre->centre[2] - r->centre->half[2];
}

/* Its front to the middle. */
static etna_code ring_put(expansion *e, const builtin_move *m, const ring *r, uint32_t object, uint32_t place)
{
    const builtin_object *o = &e->then->objects[object];
    const double in[2] = {-r->ways[place][0], -r->ways[place][1]};
    builtin_move next = *m;
    double front[2];
    next.has_yaw = builtin_front_of(e->then, object, front) || builtin_is_seat(o);
    next.yaw_deg = o->yaw_deg + builtin_turn_between(front, in);
    next.facing = FACING_NONE;
    return expand_at(e, &next, object, r->c.support, r->places[place], 0.15);
}

etna_code expand_around(expansion *e, const builtin_move *m)
{
    const builtin_set *set = &m->objects;
    if (m->reference >= e->then->object_count || set->count == 0 || set->count > BUILTIN_MOVES_MAX) return ETNA_OK;
    ring r = {.centre = &e->then->objects[m->reference], .gap = m->gap >= 0 ? m->gap : RING_GAP};
    uint32_t place_of[BUILTIN_MOVES_MAX];
    r.c = (company){.facts = e->then, .count = set->count, .objects = set->objects};
    ring_bear(&r, m);
    ring_find(&r, m->gap >= 0);
    expand_assign(e->then, set->objects, set->count, (const double(*)[3])r.places, set->count, place_of);
    for (uint32_t i = 0; i < set->count; i++) {
        if (place_of[i] == BUILTIN_NONE) continue;
        etna_code code = ring_put(e, m, &r, set->objects[i], place_of[i]);
        if (code != ETNA_OK) return code;
    }
    return ETNA_OK;
}
