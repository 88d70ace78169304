/* Circles around a thing: places about its middle, evenly, as close as the
 * things' sizes let them, turned and widened until nothing else is there. */
#include "worker/builtin/place/outline.h"
#include "worker/builtin/plan/expand_internal.h"

#include <math.h>
#include <string.h>

/* metres from the thing, where none are said */
static const double RING_GAP = 0.08;

typedef struct ring { /* places, each with its way out from the middle */
    company c;
    const builtin_move *m;
    /* as things stand now: what shape each has from above */
    const builtin_facts *shapes;
    const builtin_object *centre;
    builtin_outline shape; /* the thing's, in its own frame */
    double gap;            /* metres from the thing */
    double turn; /* radians from the thing's heading to the first place */
    double places[BUILTIN_MOVES_MAX][3], ways[BUILTIN_MOVES_MAX][2];
} ring;

/* The i-th place: at that angle from the thing's heading, of something that
 * takes so much to each side. */
static void ring_lay_at(ring *r, uint32_t i, double angle, double half)
{
    const builtin_object *c = r->centre;
    double *way = r->ways[i];
    double sine;
    double cosine;
    math_sincos(angle, &sine, &cosine);
    way[0] = cosine * c->heading[0] - sine * c->heading[1];
    way[1] = sine * c->heading[0] + cosine * c->heading[1];
    const double own[2] = {-sine, cosine};
    double reach = builtin_outline_reach(&r->shape, own) + half + r->gap;
    for (int k = 0; k < 2; k++)
        r->places[i][k] = c->centre[k] + reach * way[k];
    r->places[i][2] = r->c.height;
}

static double ring_half(const ring *r, uint32_t i)
{
    const builtin_object *o = &r->c.facts->objects[r->c.objects[i]];
    return builtin_half_longer(o);
}

/* Which way it is to look there: to the middle as a rule, away from that, or
 * to something else, which is seen to when it is put there. */
static void ring_turn(const ring *r,
                      const double out[2],
                      uint32_t object,
                      builtin_move *next)
{
    const builtin_facts *facts = r->c.facts;
    const builtin_move *m = r->m;
    const builtin_object *o = &facts->objects[object];
    const double sign = m->facing == FACING_BACK ? 1 : -1;
    const double to[2] = {sign * out[0], sign * out[1]};
    double front[2];
    next->has_yaw = false;
    if (m->facing != FACING_NONE && m->faced != m->reference)
        return;
    const bool is_known =
        builtin_front_of(facts, object, front) || builtin_is_seat(o);
    next->has_yaw = is_known || m->facing != FACING_NONE;
    next->yaw_deg = o->yaw_deg + builtin_turn_between(front, to);
    next->facing = FACING_NONE;
}

/* As it will be turned at that place. */
static void ring_heading(const ring *r,
                         uint32_t object,
                         const double at[3],
                         const double out[2],
                         double ret[2])
{
    const builtin_facts *facts = r->c.facts;
    const builtin_object *o = &facts->objects[object];
    builtin_move next = *r->m;
    double way[2];
    double front[2];
    ring_turn(r, out, object, &next);
    double yaw = next.has_yaw ? next.yaw_deg : o->yaw_deg;
    if (next.facing != FACING_NONE &&
        builtin_facing_way(facts, r->m, at, way)) {
        builtin_front_of(facts, object, front);
        yaw += builtin_turn_between(front, way);
    }
    builtin_heading_at(o, yaw, ret);
}

/* A gap that is told is between the shapes of both, as they will be turned:
 * where a side is not met squarely the nearest corner counts. The place is
 * shifted along its way out until it is so far. */
static void ring_keep_gap(const ring *r,
                          uint32_t object,
                          const double out[2],
                          double at[3])
{
    enum {
        HALVINGS = 40
    };
    const builtin_object *o = &r->c.facts->objects[object];
    const double from[2] = {at[0], at[1]};
    double low = -builtin_half_longer(o) - r->gap;
    double high = 1; /* metres */
    double heading[2];
    builtin_outline own;
    builtin_outline there;
    builtin_outline middle;
    if (r->m->gap < 0)
        return;
    ring_heading(r, object, at, out, heading);
    builtin_outline_put(&r->shape, r->centre->centre, r->centre->heading,
                        &middle);
    builtin_outline_of(r->shapes, object, &own);
    for (int i = 0; i < HALVINGS; i++) {
        const double way = (low + high) / 2;
        for (int k = 0; k < 2; k++)
            at[k] = from[k] + way * out[k];
        builtin_outline_put(&own, at, heading, &there);
        if (builtin_outlines_apart(&there, &middle) < r->gap)
            low = way;
        else
            high = way;
    }
}

static void ring_lay(ring *r)
{
    for (uint32_t i = 0; i < r->c.count; i++) {
        ring_lay_at(r, i, r->turn + 2 * MATH_PI * i / r->c.count,
                    ring_half(r, i));
        ring_keep_gap(r, r->c.objects[i], r->ways[i], r->places[i]);
    }
}

/* The i-th place: `along` metres from the middle of the side that lies `out` of
 * the thing's middle on that way. */
static void ring_lay_beside(
    ring *r, uint32_t i, const double way[2], double out, double along)
{
    const double beside[2] = {-way[1], way[0]};
    for (int k = 0; k < 2; k++) {
        r->ways[i][k] = way[k];
        r->places[i][k] = r->centre->centre[k] +
                          (out + r->gap + ring_half(r, i)) * way[k] +
                          along * beside[k];
    }
    r->places[i][2] = r->c.height;
    ring_keep_gap(r, r->c.objects[i], way, r->places[i]);
}

/* Is a point over what bears them, or, of a ground, over another part of
 * that? */
static bool ring_bears_point(const ring *r, double x, double y)
{
    const double level = 0.05; /* metres */
    const builtin_facts *facts = r->c.facts;
    const bool is_ground = facts->objects[r->c.support].is_static;
    for (uint32_t i = 0; i < facts->object_count; i++) {
        const builtin_object *base = &facts->objects[i];
        const builtin_rect top = builtin_rect_of(base);
        const bool across = x >= top.low[0] && x <= top.high[0];
        const bool over = across && y >= top.low[1] && y <= top.high[1];
        const bool reaches =
            base->is_static &&
            fabs(base->centre[2] - r->c.height) <= base->half[2] + level;
        const bool bears = i == r->c.support || (is_ground && reaches);
        if (over && bears)
            return true;
    }
    return false;
}

/* Is the place wholly on what bears them, as far as boxes tell? */
static bool ring_bears(const ring *r, uint32_t object, const double at[2])
{
    if (r->c.support == BUILTIN_NONE)
        return true;
    const builtin_rect own = company_footprint(&r->c, object, at, 0);
    for (int k = 0; k < 4; k++) {
        const double x = k & 1 ? own.high[0] : own.low[0];
        const double y = k & 2 ? own.high[1] : own.low[1];
        if (!ring_bears_point(r, x, y))
            return false;
    }
    return true;
}

/* Has it room in the i-th place, and something below it? Turned as it will be:
 * a chair that stands askew now takes more than it will. */
static bool ring_has_room(ring *r, uint32_t object, uint32_t i)
{
    double heading[2];
    ring_heading(r, object, r->places[i], r->ways[i], heading);
    r->c.heading = heading;
    const bool has_room = !company_is_taken(&r->c, object, r->places[i]) &&
                          ring_bears(r, object, r->places[i]);
    r->c.heading = NULL;
    return has_room;
}

static bool ring_is_free(ring *r)
{
    r->c.clearing->count = 0;
    for (uint32_t i = 0; i < r->c.count; i++) {
        if (!ring_has_room(r, r->c.objects[i], i))
            return false;
    }
    return true;
}

/* The first place before the thing where that is free for all, else turned or
 * up to 20 cm wider. */
static bool ring_find_even(ring *r, bool gap_said)
{
    enum {
        TURNS = 8,
        WIDER = 3
    };
    const double closest = r->gap;
    int widths = gap_said ? 1 : WIDER;
    for (int n = 0; n < widths * TURNS; n++) {
        r->gap = closest + 0.1 * (n / TURNS);
        r->turn = 2 * MATH_PI * (n % TURNS) / (TURNS * r->c.count);
        ring_lay(r);
        if (ring_is_free(r))
            return true;
    }
    r->gap = closest;
    return false;
}

enum {
    SEATS_LEAST = 3,
    SEATS_WITH_ENDS = 5,
    SEATS_SIDES = 4,
    SEATS_MOST = 12
};

/* So many seats at each of a table's sides: the long ones, then its ends. */
typedef struct seating {
    uint32_t at[SEATS_SIDES];
} seating;

/* Seats at a table that is longer than wide. *ret_most: how many have room at a
 * long side and at an end. */
static bool seats_have_sides(const ring *r, uint32_t ret_most[2])
{
    const double longer = 1.2;   /* times */
    const double between = 0.03; /* metres */
    const double over = 0.1;     /* metres over both of a side's ends */
    const builtin_object *c = r->centre;
    const double length = builtin_half_longer(c);
    const double width = builtin_half_shorter(c);
    double seat = 0;
    for (uint32_t i = 0; i < r->c.count; i++) {
        if (!builtin_is_seat(&r->c.facts->objects[r->c.objects[i]]))
            return false;
        seat = math_max(seat, 2 * ring_half(r, i) + between);
    }
    if (r->c.count < SEATS_LEAST || length < longer * width)
        return false;
    ret_most[0] = (uint32_t)math_min(2 * length / seat, SEATS_MOST);
    ret_most[1] = (uint32_t)math_min((2 * width + over) / seat, SEATS_MOST);
    return true;
}

static uint32_t seats_apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* How far from what people do: as many on either side, and the ends only for
 * five and more. */
static uint32_t seats_oddness(const seating *s, uint32_t count)
{
    const uint32_t ends = s->at[2] + s->at[3];
    const uint32_t off_ends = seats_apart(s->at[2], s->at[3]);
    const uint32_t wanted = count >= SEATS_WITH_ENDS ? 2 - count % 2 : 0;
    return 2 * seats_apart(s->at[0], s->at[1]) + seats_apart(ends, wanted) +
           off_ends;
}

/* As many at either side, as far as their number lets them. */
static bool seats_are_even(const seating *s)
{
    return seats_apart(s->at[0], s->at[1]) <= 1 &&
           seats_apart(s->at[2], s->at[3]) <= 1;
}

/* Chairs at the sides of an oblong table: evenly along each side, facing in. */
static void seats_lay(ring *r, const seating *s)
{
    const builtin_object *c = r->centre;
    const bool lengthwise = c->half[1] >= c->half[0];
    const double length = builtin_half_longer(c);
    const double width = builtin_half_shorter(c);
    const double side[2] = {lengthwise ? -c->heading[1] : c->heading[0],
                            lengthwise ? c->heading[0] : c->heading[1]};
    const double end[2] = {-side[1], side[0]};
    uint32_t i = 0;
    for (uint32_t k = 0; k < SEATS_SIDES; k++) {
        const bool is_end = k > 1;
        const double sign = k % 2 ? -1 : 1;
        const double half = is_end ? width : length;
        const double *normal = is_end ? end : side;
        const double way[2] = {sign * normal[0], sign * normal[1]};
        for (uint32_t n = 0; n < s->at[k]; n++)
            ring_lay_beside(r, i++, way, is_end ? length : width,
                            half * ((2 * n + 1) / (double)s->at[k] - 1));
    }
}

/* The next way to seat them at the sides, as numbers are counted up; false:
 * there is none more. */
static bool seats_next(seating *s, const uint32_t most[2], uint32_t count)
{
    for (;;) {
        uint32_t k = 0;
        uint32_t sum = 0;
        uint32_t taken = 0;
        while (k < SEATS_SIDES && s->at[k] == most[k / 2])
            s->at[k++] = 0;
        if (k == SEATS_SIDES)
            return false;
        s->at[k]++;
        for (k = 0; k < SEATS_SIDES; k++) {
            sum += s->at[k];
            taken += s->at[k] > 0;
        }
        if (sum == count && taken > 1)
            return true;
    }
}

/* Along the sides that are free, straight before them. */
static bool ring_find_seated(ring *r)
{
    uint32_t most[2];
    uint32_t least = UINT32_MAX;
    seating s = {{0}};
    seating best = s;
    if (!seats_have_sides(r, most))
        return false;
    while (seats_next(&s, most, r->c.count)) {
        const uint32_t oddness = seats_oddness(&s, r->c.count);
        if (oddness >= least || (r->m->even && !seats_are_even(&s)))
            continue;
        seats_lay(r, &s);
        if (!ring_is_free(r))
            continue;
        least = oddness;
        best = s;
    }
    if (least == UINT32_MAX)
        return false;
    seats_lay(r, &best);
    return ring_is_free(r);
}

enum {
    ARC_STEPS = 24
}; /* of a full turn: where something could stand of what finds no even ring */

/* places around a thing that stands at a wall, say: by the step of each */
typedef struct arc {
    /* of the things: each is looked for as if it were as large */
    uint32_t largest;
    bool is_free[ARC_STEPS];
    uint32_t chosen[BUILTIN_MOVES_MAX];
    uint32_t count;
} arc;

static uint32_t arc_between(uint32_t a, uint32_t b)
{
    const uint32_t way = a > b ? a - b : b - a;
    return way < ARC_STEPS - way ? way : ARC_STEPS - way;
}

/* Which directions round the centre are free for the largest of the things. */
static void arc_look(arc *a, ring *r)
{
    a->largest = 0;
    for (uint32_t i = 1; i < r->c.count; i++) {
        if (ring_half(r, i) > ring_half(r, a->largest))
            a->largest = i;
    }
    const uint32_t object = r->c.objects[a->largest];
    for (uint32_t k = 0; k < ARC_STEPS; k++) {
        ring_lay_at(r, 0, 2 * MATH_PI * k / ARC_STEPS,
                    ring_half(r, a->largest));
        a->is_free[k] = ring_has_room(r, object, 0);
    }
}

/* Has that step's place room beside those that are chosen? *ret: how many steps
 * the nearest is away. */
static bool arc_has_room(const arc *a, ring *r, uint32_t step, uint32_t *ret)
{
    const double apart = 0.03; /* metres */
    const double half = ring_half(r, a->largest);
    *ret = ARC_STEPS;
    ring_lay_at(r, 0, 2 * MATH_PI * step / ARC_STEPS, half);
    for (uint32_t i = 0; i < a->count; i++) {
        ring_lay_at(r, 1, 2 * MATH_PI * a->chosen[i] / ARC_STEPS, half);
        if (expand_way(r->places[0], r->places[1]) < 2 * half + apart)
            return false;
        const uint32_t way = arc_between(step, a->chosen[i]);
        *ret = way < *ret ? way : *ret;
    }
    return true;
}

/* From that step on, each as far from the others as it can be. Returns how near
 * the nearest two are; 0: not all have room. */
static uint32_t arc_choose(arc *a, ring *r, uint32_t first)
{
    uint32_t nearest = ARC_STEPS;
    a->chosen[0] = first;
    for (a->count = 1; a->count < r->c.count; a->count++) {
        uint32_t best = ARC_STEPS;
        uint32_t farthest = 0;
        for (uint32_t k = 0; k < ARC_STEPS; k++) {
            uint32_t way;
            if (!a->is_free[k] || !arc_has_room(a, r, k, &way) ||
                way <= farthest)
                continue;
            farthest = way;
            best = k;
        }
        if (best == ARC_STEPS)
            return 0;
        a->chosen[a->count] = best;
        nearest = farthest < nearest ? farthest : nearest;
    }
    return nearest;
}

/* Do they stand about it, and not all on one side? */
static bool arc_surrounds(const arc *a)
{
    const uint32_t most = ARC_STEPS * 2 / 3; /* without any of them */
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t next = ARC_STEPS;
        for (uint32_t k = 0; k < a->count; k++) {
            const uint32_t ahead =
                (a->chosen[k] + ARC_STEPS - a->chosen[i]) % ARC_STEPS;
            if (ahead > 0 && ahead < next)
                next = ahead;
        }
        if (next > most)
            return false;
    }
    return true;
}

/* Where one side has no room for any, as of a table at a wall: as far from one
 * another as the others let them be. */
static bool ring_find_uneven(ring *r)
{
    arc a = {.count = 0};
    arc best = a;
    uint32_t farthest = 0;
    if (r->c.count < 2)
        return false;
    arc_look(&a, r);
    for (uint32_t k = 0; k < ARC_STEPS; k++) {
        const uint32_t nearest = a.is_free[k] ? arc_choose(&a, r, k) : 0;
        if (nearest <= farthest || !arc_surrounds(&a))
            continue;
        farthest = nearest;
        best = a;
    }
    for (uint32_t i = 0; i < best.count; i++)
        ring_lay_at(r, i, 2 * MATH_PI * best.chosen[i] / ARC_STEPS,
                    ring_half(r, best.largest));
    return best.count > 0;
}

/* Evenly where nobody has to leave, else where few have to, else, where that is
 * not told, where there is room. Where boxes leave none the first ring is tried as it is, for boxes take
 * in more than things do. False: part of that is beyond what would bear
 * them. */
static bool expand_ring_find(ring *r,
                             const builtin_reading *said,
                             bool gap_said)
{
    clearing leaving = {.said = said};
    bool found = false;
    r->c.clearing = &leaving;
    for (uint32_t i = 0; i < CLEARING_TRIES && !found; i++) {
        leaving.most = clearing_most(i);
        found = ring_find_seated(r) || ring_find_even(r, gap_said);
    }
    leaving = (clearing){.said = said};
    found = found || (!r->m->even && ring_find_uneven(r));
    r->c.clearing = NULL;
    if (found)
        return true;
    r->turn = 0;
    ring_lay(r);
    for (uint32_t i = 0; i < r->c.count; i++) {
        if (!ring_bears(r, r->c.objects[i], r->places[i]))
            return false;
    }
    return true;
}

/* Chairs stand where the table does, glasses where the jug does. */
static void ring_bear(ring *r, const builtin_move *m)
{
    const builtin_object *first = &r->c.facts->objects[r->c.objects[0]];
    uint32_t bearer = expand_bearer(r->c.facts, m->reference);
    r->c.support = m->support;
    r->c.height = builtin_foot(first);
    if (m->support != BUILTIN_NONE)
        return;
    r->c.support = bearer != BUILTIN_NONE
                       ? bearer
                       : expand_bearer(r->c.facts, r->c.objects[0]);
    if (bearer != BUILTIN_NONE)
        r->c.height = builtin_foot(r->centre);
}

static etna_code ring_put(expansion *e,
                          const ring *r,
                          uint32_t object,
                          uint32_t place)
{
    const double slack = r->m->gap >= 0 ? 0.02 : 0.15; /* metres */
    builtin_move next = *r->m;
    double at[3];
    memcpy(at, r->places[place], sizeof at);
    ring_turn(r, r->ways[place], object, &next);
    ring_keep_gap(r, object, r->ways[place], at);
    return expand_at(e, &next, object, r->c.support, at,
                     expand_apart(e->then, &object, 1, slack));
}

/* A ring, or the free arc of one. ETNA_E_NOTFOUND: no room, with words for the
 * answer. */
etna_code expand_around(expansion *e, const builtin_move *m)
{
    const builtin_set *set = &m->objects;
    if (m->reference >= e->then->object_count || set->count == 0 ||
        set->count > BUILTIN_MOVES_MAX)
        return ETNA_OK;
    ring r = {.m = m,
              .shapes = e->p->facts,
              .centre = &e->then->objects[m->reference],
              .gap = m->gap >= 0 ? m->gap
                                 : expand_apart(e->then, set->objects,
                                                set->count, RING_GAP)};
    uint32_t place_of[BUILTIN_MOVES_MAX];
    r.c = (company){.facts = e->then,
                    .count = set->count,
                    .objects = set->objects,
                    .skips = true,
                    .skipped = m->reference};
    builtin_outline_of(e->p->facts, m->reference, &r.shape);
    ring_bear(&r, m);
    if (!expand_ring_find(&r, e->said, m->gap >= 0))
        return etna_fail(e->p->err, ETNA_E_NOTFOUND,
                         "there is no room for these %u things around %.255s",
                         r.c.count, r.centre->name);
    expand_assign(e->then, set->objects, set->count,
                  (const double(*)[3])r.places, set->count, place_of);
    for (uint32_t i = 0; i < set->count; i++) {
        if (place_of[i] == BUILTIN_NONE)
            continue;
        etna_code code = ring_put(e, &r, set->objects[i], place_of[i]);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}
