/* Moves of several things become moves of one thing to one place: rows, piles,
 * laid tables, trades, "one for each". All is worked out from the scene before
 * the instruction's first edit, so that each step of a run finds the same
 * places again, and from boxes alone: the free cells change while the run goes
 * on. */
#include "worker/builtin/plan/expand_internal.h"

#include <math.h>
#include <string.h>

/* ---- steps ---- */

etna_code expand_no_memory(const expansion *e)
{
    return etna_fail(e->p->err, ETNA_E_NOMEM, "out of memory while planning");
}

/* ETNA_E_INPUT: there are too many moves. */
static etna_code expand_push(expansion *e, const builtin_move *move)
{
    if (e->out->count == BUILTIN_MOVES_MAX)
        return etna_fail(e->p->err, ETNA_E_INPUT,
                         "it asks for more than %d moves", BUILTIN_MOVES_MAX);
    e->out->moves[e->out->count++] = *move;
    return ETNA_OK;
}

/* The move for a single thing of it, without what was said of the whole set. */
static etna_code expand_one(expansion *e,
                            const builtin_move *move,
                            uint32_t object,
                            builtin_move *ret)
{
    uint32_t *list =
        etna_arena_memdup(e->p->talk->arena, &object, sizeof object);
    if (!list)
        return expand_no_memory(e);
    *ret = *move;
    ret->objects = (builtin_set){.count = 1, .objects = list, .need = 1};
    ret->each = (builtin_set){0};
    ret->each_number = 0;
    ret->row_count = 0;
    return ETNA_OK;
}

/* A move to a point; at[2] is the height of the foot. slack: metres it may be
 * off. */
etna_code expand_at(expansion *e,
                    const builtin_move *move,
                    uint32_t object,
                    uint32_t support,
                    const double at[3],
                    double slack)
{
    builtin_move next;
    etna_code code = expand_one(e, move, object, &next);
    if (code != ETNA_OK)
        return code;
    next.relation = RELATION_AT;
    next.reference = next.second = BUILTIN_NONE;
    next.support = support;
    next.slack = slack;
    next.also_count = 0;
    next.there = (builtin_set){0};
    memcpy(next.at, at, sizeof next.at);
    return expand_push(e, &next);
}

/* To that one of those for each of which something goes; what looks at them
 * looks at its own. */
static void expand_to_each(const builtin_move *m,
                           uint32_t each,
                           builtin_move *next)
{
    const bool faces_its_own = m->each.count > 0 && m->facing != FACING_NONE &&
                               m->faced == m->reference;
    next->reference = each;
    if (faces_its_own)
        next->faced = each;
}

/* One thing by another, pushed. */
static etna_code expand_by(expansion *e,
                           const builtin_move *move,
                           uint32_t object,
                           uint32_t reference)
{
    builtin_move next;
    etna_code code = expand_one(e, move, object, &next);
    expand_to_each(move, reference, &next);
    return code == ETNA_OK ? expand_push(e, &next) : code;
}

/* ---- who goes where ---- */

uint32_t expand_count(const builtin_set *set)
{
    return set->count < BUILTIN_MOVES_MAX ? set->count
                                          : (uint32_t)BUILTIN_MOVES_MAX;
}

double expand_way(const double a[2], const double b[2])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]));
}

/* Which thing goes to which place: always the nearest pair that is left, which
 * is not the best of all but what a person would do. Ties go to the first. */
void expand_assign(const builtin_facts *facts,
                   const uint32_t *objects,
                   uint32_t count,
                   const double (*places)[3],
                   uint32_t place_count,
                   uint32_t *ret)
{
    const double nearer = 1e-9; /* metres: of places as near the first */
    bool taken[BUILTIN_MOVES_MAX] = {false};
    for (uint32_t i = 0; i < count; i++)
        ret[i] = BUILTIN_NONE;
    for (uint32_t n = 0; n < count && n < place_count; n++) {
        uint32_t thing = 0;
        uint32_t place = 0;
        double nearest = INFINITY;
        for (uint32_t at = 0; at < count * place_count; at++) {
            uint32_t i = at / place_count;
            uint32_t k = at % place_count;
            if (taken[k] || ret[i] != BUILTIN_NONE)
                continue;
            double way =
                expand_way(facts->objects[objects[i]].centre, places[k]);
            if (way >= nearest - nearer)
                continue;
            nearest = way;
            thing = i;
            place = k;
        }
        ret[thing] = place;
        taken[place] = true;
    }
}

/* Insertion sort, stable; lists are short. stays(a, b): a may stay before b. */
void expand_sort(uint32_t *list,
                 uint32_t count,
                 expand_order *stays,
                 const void *context)
{
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t k = i; k > 0 && !stays(context, list[k - 1], list[k]);
             k--) {
            uint32_t swap = list[k];
            list[k] = list[k - 1];
            list[k - 1] = swap;
        }
    }
}

bool expand_has(const uint32_t *list, uint32_t count, uint32_t object)
{
    for (uint32_t i = 0; i < count; i++) {
        if (list[i] == object)
            return true;
    }
    return false;
}

/* ---- things ---- */

/* Does something stand on that at this height? A board whose frame is higher
 * than its squares has its plane where nothing rests. */
static bool bearer_is_proven(const builtin_facts *facts,
                             uint32_t bearer,
                             double height)
{
    const double level = 0.05; /* metres */
    for (uint32_t i = 0; i < facts->object_count; i++) {
        const builtin_object *o = &facts->objects[i];
        const double bottom = builtin_foot(o);
        if (builtin_stands_on(facts, i, bearer) &&
            fabs(bottom - height) < level)
            return true;
    }
    return false;
}

uint32_t expand_bearer(const builtin_facts *facts, uint32_t object)
{
    const builtin_object *o = &facts->objects[object];
    if (o->by_count > 0)
        return o->by[0];
    if (o->attached)
        return BUILTIN_NONE;
    /* Who comes to its place stands there, however the file lets it hover. */
    const uint32_t below = builtin_support_below(facts, object, o);
    const bool is_proven = below != BUILTIN_NONE &&
                           bearer_is_proven(facts, below, builtin_foot(o));
    return is_proven ? below : BUILTIN_NONE;
}

double expand_along(const double point[2], const double way[2])
{
    return point[0] * way[0] + point[1] * way[1];
}

void expand_across(const builtin_object *o, double ret[2])
{
    const double *ahead = o->heading;
    bool along = o->half[1] <= o->half[0];
    ret[0] = along ? ahead[0] : -ahead[1];
    ret[1] = along ? ahead[1] : ahead[0];
}

/* ---- one for each ---- */

typedef struct each_round { /* of things for what each gets one or more */
    expansion *e;
    const builtin_move *m;
    uint32_t count; /* of what gets them */
    /* there are more things than these, and all of them go */
    bool is_shared;
    uint32_t most; /* how many each gets at most, where they are not shared */
    uint32_t held[BUILTIN_MOVES_MAX]; /* how many each has */
    /* things that have yet to go */
    uint32_t left[BUILTIN_MOVES_MAX];
    uint32_t left_count;
} each_round;

/* Which of those that get things has not its number yet, and that the thing
 * stands by as asked already; where they share more, also one that has.
 * BUILTIN_NONE: it has to go. */
static uint32_t each_held_by(const each_round *r,
                             const planner *before,
                             uint32_t object)
{
    builtin_move next = *r->m;
    next.each = (builtin_set){0};
    next.goes = false;
    for (uint32_t k = 0; k < r->count; k++) {
        expand_to_each(r->m, r->m->each.objects[k], &next);
        const bool is_full = r->held[k] >= r->most && !r->is_shared;
        if (is_full || next.reference == object)
            continue;
        if (planner_holds(before, &next, object))
            return k;
    }
    return BUILTIN_NONE;
}

/* Things that already have theirs stay with it. */
static etna_code each_keep(each_round *r)
{
    const builtin_move *m = r->m;
    planner before = *r->e->p;
    before.facts = r->e->then;
    const uint32_t things = expand_count(&m->objects);
    for (uint32_t i = 0; i < things; i++) {
        const uint32_t object = m->objects.objects[i];
        const uint32_t k = each_held_by(r, &before, object);
        if (k == BUILTIN_NONE) {
            r->left[r->left_count++] = object;
            continue;
        }
        r->held[k]++;
        etna_code code = expand_by(r->e, m, object, m->each.objects[k]);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* One more to each that has fewer than `number`, by distance. What is left then
 * has yet to go. */
static etna_code each_assign(each_round *r, uint32_t number)
{
    const builtin_move *m = r->m;
    uint32_t open[BUILTIN_MOVES_MAX], place_of[BUILTIN_MOVES_MAX];
    uint32_t index_of[BUILTIN_MOVES_MAX]; /* of those that are open */
    double places[BUILTIN_MOVES_MAX][3];
    uint32_t open_count = 0, left_count = 0;
    for (uint32_t k = 0; k < r->count; k++) {
        const uint32_t object = m->each.objects[k];
        if (r->held[k] >= number)
            continue;
        memcpy(places[open_count], r->e->then->objects[object].centre,
               sizeof places[0]);
        index_of[open_count] = k;
        open[open_count++] = object;
    }
    expand_assign(r->e->then, r->left, r->left_count,
                  (const double(*)[3])places, open_count, place_of);
    for (uint32_t i = 0; i < r->left_count; i++) {
        const uint32_t object = r->left[i];
        if (place_of[i] == BUILTIN_NONE) {
            r->left[left_count++] = object;
            continue;
        }
        r->held[index_of[place_of[i]]]++;
        etna_code code = expand_by(r->e, m, object, open[place_of[i]]);
        if (code != ETNA_OK)
            return code;
    }
    r->left_count = left_count;
    return ETNA_OK;
}

/* "a cup on each saucer", "two chairs at each table". Of "all the books on the
 * shelves", more books than shelves, each shelf gets one after the other. */
static etna_code expand_each(expansion *e, const builtin_move *m)
{
    const uint32_t things = expand_count(&m->objects);
    const bool all_go = things > 0 && m->objects.need == m->objects.count;
    each_round r = {.e = e, .m = m, .count = expand_count(&m->each)};
    if (things < r.count && all_go)
        r.count = things;
    r.most = m->each_number > 1 ? m->each_number : 1;
    r.is_shared = all_go && things > r.count * r.most && r.count > 0;
    etna_code code = each_keep(&r);
    const uint32_t rounds = r.is_shared ? things : r.most;
    for (uint32_t n = 1; n <= rounds && code == ETNA_OK; n++)
        code = each_assign(&r, n);
    return code;
}

static etna_code expand_plain(expansion *e, const builtin_move *m)
{
    return m->each.count > 0 ? expand_each(e, m) : expand_push(e, m);
}

/* ---- trades ---- */

/* Furniture on the floor with its back to a wall. */
static bool trade_is_walled(const builtin_facts *facts,
                            uint32_t object,
                            double ret_front[2])
{
    const double large = 0.2; /* metres of half a side */
    const builtin_object *o = &facts->objects[object];
    uint32_t floor = expand_bearer(facts, object);
    bool stands = floor != BUILTIN_NONE && facts->objects[floor].is_static;
    return stands && builtin_half_longer(o) > large &&
           builtin_front_from_wall(facts, object, ret_front);
}

/* On the wall there, as far from it as the thing is thick. */
static void trade_to_wall(const builtin_wall *w,
                          const builtin_object *own,
                          double at[3])
{
    double out = w->offset + builtin_half_shorter(own) - at[0] * w->normal[0] -
                 at[1] * w->normal[1];
    for (int i = 0; i < 2; i++)
        at[i] += out * w->normal[i];
}

/* What bears the thing bears it there, too, where the other only hovers over
 * the same ground by a hand's breadth; BUILTIN_NONE: that is not so. */
static uint32_t trade_ground(const builtin_facts *facts,
                             uint32_t object,
                             uint32_t place)
{
    const double hand = 0.1; /* metres */
    const builtin_object *own = &facts->objects[object];
    const builtin_object *other = &facts->objects[place];
    const uint32_t bearer = expand_bearer(facts, object);
    const bool is_level = fabs(builtin_foot(own) - builtin_foot(other)) < hand;
    if (bearer == BUILTIN_NONE || other->attached || !is_level)
        return BUILTIN_NONE;
    return builtin_is_ground(&facts->objects[bearer]) ? bearer : BUILTIN_NONE;
}

/* Is the thing held at its side, as a spade is by a fence that is no wall? Of what
 * is said to bear it no surface is below its middle there, and it is higher. */
static bool trade_is_at_side(const builtin_facts *facts, uint32_t object)
{
    const double hand = 0.1; /* metres */
    const builtin_object *o = &facts->objects[object];
    const uint32_t bearer = o->by_count == 1 ? o->by[0] : BUILTIN_NONE;
    if (bearer == BUILTIN_NONE || facts->objects[bearer].is_static ||
        builtin_foot(o) > builtin_top(&facts->objects[bearer]) - hand)
        return false;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object == bearer && fabs(s->height - builtin_foot(o)) < hand &&
            builtin_spans(s, o->centre[0], o->centre[1]))
            return false;
    }
    return true;
}

/* A thing to where another is. */
static etna_code trade_half(expansion *e,
                            const builtin_move *move,
                            uint32_t object,
                            uint32_t place)
{
    const builtin_facts *facts = e->then;
    const builtin_object *own = &facts->objects[object];
    const builtin_object *other = &facts->objects[place];
    bool hang = own->attached && other->attached;
    const bool at_side = !hang && trade_is_at_side(facts, object) &&
                         trade_is_at_side(facts, place);
    uint32_t bearer = at_side ? BUILTIN_NONE : expand_bearer(facts, place);
    if (!at_side && bearer == BUILTIN_NONE && !hang)
        bearer = trade_ground(facts, object, place);
    uint32_t support = bearer;
    /* nothing is known to bear it: at that height */
    bool air = !hang && bearer == BUILTIN_NONE;
    double at[3] = {other->centre[0], other->centre[1],
                    other->centre[2] - (hang ? 0 : other->half[2])};
    if (air)
        at[2] += own->half[2];
    uint32_t wall = hang ? builtin_hangs_on(facts, place) : BUILTIN_NONE;
    if (wall != BUILTIN_NONE) {
        trade_to_wall(&facts->walls[wall], own, at);
        support = facts->walls[wall].object;
    }
    if (support == object)
        support = expand_bearer(facts, object); /* it stood on it */
    bool lowered = !hang && bearer == object && support != BUILTIN_NONE;
    if (lowered)
        at[2] = builtin_foot(own);
    builtin_move half = *move;
    half.hung = hang || air;
    const double near = expand_apart(e->then, &object, 1, 0.05);
    return expand_at(e, &half, object, support, at,
                     near + 0.25 * (own->half[0] + own->half[1]));
}

static double expand_area(const builtin_object *o)
{
    return o->half[0] * o->half[1];
}

/* Two halves of a trade: the smaller one goes out of the way first. Things with
 * their backs to walls turn as the other stood. */
static etna_code expand_swap(expansion *e, const builtin_move *m)
{
    if (m->objects.count == 0 || m->reference >= e->then->object_count)
        return ETNA_OK;
    const builtin_object *things = e->then->objects;
    uint32_t pair[2] = {m->objects.objects[0], m->reference};
    if (expand_area(&things[pair[0]]) < expand_area(&things[pair[1]])) {
        /* the smaller one is put aside for a while */
        pair[0] = m->reference;
        pair[1] = m->objects.objects[0];
    }
    double fronts[2][2];
    bool walled = trade_is_walled(e->then, pair[0], fronts[0]);
    walled = trade_is_walled(e->then, pair[1], fronts[1]) && walled;
    builtin_move half = *m;
    half.gap = -1;
    half.goes = false;
    half.has_yaw = walled && m->facing == FACING_NONE;
    for (int k = 0; k < 2; k++) {
        double turn =
            half.has_yaw ? builtin_turn_between(fronts[k], fronts[1 - k]) : 0;
        half.yaw_deg =
            half.has_yaw ? things[pair[k]].yaw_deg + turn : m->yaw_deg;
        etna_code code = trade_half(e, &half, pair[k], pair[1 - k]);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* ---- piles ---- */

typedef struct pile {
    const builtin_facts *facts;
    const builtin_move *m;
} pile;

/* Does the thing stand where the pile is to stand already, and the other
 * not? */
static bool pile_begins_with(const pile *p, uint32_t object, uint32_t other)
{
    if (p->m->support >= p->facts->object_count)
        return false;
    return builtin_stands_on(p->facts, object, p->m->support) &&
           !builtin_stands_on(p->facts, other, p->m->support);
}

/* The larger below; of equal ones what bears others. */
static bool pile_stays(const void *context, uint32_t low, uint32_t high)
{
    const pile *p = context;
    double a = expand_area(&p->facts->objects[low]);
    double b = expand_area(&p->facts->objects[high]);
    if (fabs(a - b) > 0.02 * math_max(a, b))
        return a > b;
    return !builtin_is_above(p->facts, low, high) &&
           !pile_begins_with(p, high, low);
}

/* Is a place said that can bear it? "By the window" tells which boxes: nothing
 * is piled on that. */
static bool pile_has_place(const pile *p, uint32_t lowest)
{
    if (p->m->support >= p->facts->object_count)
        return false;
    const builtin_object *s = &p->facts->objects[p->m->support];
    const builtin_object *low = &p->facts->objects[lowest];
    if (s->attached || builtin_is_wall(s))
        return false;
    return builtin_half_shorter(s) > 0.5 * builtin_half_shorter(low);
}

/* "In a pile next to the lamp" is on what the lamp stands on. */
static uint32_t pile_base(const pile *p, uint32_t lowest)
{
    builtin_move beside = builtin_condition_move(p->m, &p->m->also[0]);
    uint32_t base = builtin_support_of(p->facts, &beside, lowest);
    return base != BUILTIN_NONE ? base
                                : builtin_support_of(p->facts, p->m, lowest);
}

/* The lowest goes where the pile is said to be; else it stays. */
static etna_code pile_begin(expansion *e, const pile *p, uint32_t lowest)
{
    builtin_move next;
    bool said = pile_has_place(p, lowest);
    if (!said && p->m->also_count == 0)
        return ETNA_OK;
    etna_code code = expand_one(e, p->m, lowest, &next);
    if (code != ETNA_OK)
        return code;
    next.relation = RELATION_ON;
    next.reference = said ? p->m->support : pile_base(p, lowest);
    next.support = BUILTIN_NONE;
    return next.reference == BUILTIN_NONE ? ETNA_OK : expand_push(e, &next);
}

/* The largest at the bottom unless an order was said. Each further one is put
 * over the one before. */
static etna_code expand_stack(expansion *e, const builtin_move *m)
{
    const pile p = {.facts = e->then, .m = m};
    bool ordered = m->row_count > 0;
    uint32_t count = ordered ? m->row_count : m->objects.count;
    uint32_t *order = etna_arena_memdup(e->p->talk->arena,
                                        ordered ? m->row : m->objects.objects,
                                        count * sizeof *order);
    if (!order)
        return expand_no_memory(e);
    if (count == 0)
        return ETNA_OK;
    if (!ordered)
        expand_sort(order, count, pile_stays, &p);
    etna_code code = pile_begin(e, &p, order[0]);
    builtin_move over = *m;
    over.relation = RELATION_OVER;
    over.also_count = 0;
    for (uint32_t i = 1; i < count && code == ETNA_OK; i++) {
        over.support = order[i - 1];
        code = expand_by(e, &over, order[i], order[i - 1]);
    }
    return code;
}

/* ---- together ---- */

static bool group_member_is_there(const builtin_facts *facts,
                                  const builtin_move *m,
                                  uint32_t object)
{
    return m->support >= facts->object_count ||
           builtin_stands_on(facts, object, m->support);
}

/* "All cushions on the sofa, next to each other", where none lies there: one
 * comes first. */
static etna_code group_begin(expansion *e,
                             const builtin_move *m,
                             uint32_t anchor)
{
    builtin_move next;
    etna_code code = expand_one(e, m, anchor, &next);
    if (code != ETNA_OK)
        return code;
    next.relation = RELATION_ON;
    next.reference = m->support;
    next.support = BUILTIN_NONE;
    return expand_push(e, &next);
}

/* What is in their middle stays, of those that are where all are to come. */
static uint32_t group_anchor(const builtin_facts *facts, const builtin_move *m)
{
    const builtin_set *set = &m->objects;
    double middle[2] = {0, 0};
    uint32_t anchor = set->objects[0];
    double nearest = INFINITY;
    const double elsewhere = 1e6; /* metres, farther than all that is there */
    for (uint32_t i = 0; i < set->count; i++) {
        for (int k = 0; k < 2; k++)
            middle[k] += facts->objects[set->objects[i]].centre[k] / set->count;
    }
    for (uint32_t i = 0; i < set->count; i++) {
        double way = expand_way(facts->objects[set->objects[i]].centre, middle);
        way += group_member_is_there(facts, m, set->objects[i]) ? 0 : elsewhere;
        if (way >= nearest)
            continue;
        nearest = way;
        anchor = set->objects[i];
    }
    return anchor;
}

/* "put the chairs together": beside the one in the middle, or beside what was
 * named. */
static etna_code expand_group(expansion *e, const builtin_move *m)
{
    if (m->objects.count == 0)
        return ETNA_OK;
    bool by_another = m->reference < e->then->object_count;
    uint32_t anchor = by_another ? m->reference : group_anchor(e->then, m);
    builtin_move beside = *m;
    if (!by_another && !group_member_is_there(e->then, m, anchor)) {
        etna_code code = group_begin(e, m, anchor);
        if (code != ETNA_OK)
            return code;
    }
    beside.relation = RELATION_BESIDE;
    for (uint32_t i = 0; i < m->objects.count; i++) {
        if (m->objects.objects[i] == anchor)
            continue;
        etna_code code = expand_by(e, &beside, m->objects.objects[i], anchor);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* ---- shifted together ---- */

/* So far toward another thing, or away from it; of what is over it already
 * nothing is known. */
static etna_code expand_toward(expansion *e, const builtin_move *m)
{
    if (!(m->gap > 0) || m->reference >= e->then->object_count)
        return expand_push(e, m);
    const builtin_object *ref = &e->then->objects[m->reference];
    builtin_rect r = builtin_rect_of(ref);
    double sign = m->relation == RELATION_TOWARD ? 1 : -1;
    for (uint32_t i = 0; i < m->objects.count; i++) {
        builtin_move next;
        double way[2];
        const double *own = e->then->objects[m->objects.objects[i]].centre;
        for (int k = 0; k < 2; k++)
            way[k] = math_min(math_max(own[k], r.low[k]), r.high[k]) - own[k];
        double length = sqrt(way[0] * way[0] + way[1] * way[1]);
        if (length < 1e-6)
            return expand_push(e, m);
        etna_code code = expand_one(e, m, m->objects.objects[i], &next);
        if (code != ETNA_OK)
            return code;
        next.relation = RELATION_SHIFT;
        for (int k = 0; k < 2; k++)
            next.shift[k] = sign * m->gap * way[k] / length;
        next.shift[2] = 0;
        code = expand_push(e, &next);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* For the order in which things are shifted: along the way, the foremost
 * first. */
typedef struct shift {
    const builtin_facts *facts;
    const double *way;
} shift;

/* The foremost in the direction first; what carries another of them before
 * that, for that goes along. */
static bool shift_stays(const void *context, uint32_t first, uint32_t second)
{
    const shift *s = context;
    const double *a = s->facts->objects[first].centre;
    const double *b = s->facts->objects[second].centre;
    double ahead = (b[0] - a[0]) * s->way[0] + (b[1] - a[1]) * s->way[1] +
                   (b[2] - a[2]) * s->way[2];
    if (builtin_is_above(s->facts, second, first))
        return true;
    return ahead <= 0 && !builtin_is_above(s->facts, first, second);
}

/* Those in front go first, so that nobody runs into another. */
static etna_code expand_shift(expansion *e, const builtin_move *m)
{
    const shift s = {.facts = e->then, .way = m->shift};
    uint32_t *order = etna_arena_memdup(e->p->talk->arena, m->objects.objects,
                                        m->objects.count * sizeof *order);
    if (!order)
        return expand_no_memory(e);
    expand_sort(order, m->objects.count, shift_stays, &s);
    for (uint32_t i = 0; i < m->objects.count; i++) {
        etna_code code = expand_by(e, m, order[i], m->reference);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* ---- all ---- */

static expander *const expanders[RELATION_COUNT] = {
    [RELATION_SWAP] = expand_swap,   [RELATION_STACK] = expand_stack,
    [RELATION_LINE] = expand_line,   [RELATION_AROUND] = expand_around,
    [RELATION_GROUP] = expand_group, [RELATION_SETTING] = expand_setting,
    [RELATION_SHIFT] = expand_shift, [RELATION_TOWARD] = expand_toward,
    [RELATION_AWAY] = expand_toward};

/* Replaces moves of many (rows, rings, swaps) by moves of one thing each.
 * p->then is the scene in which the sentence was read; what earlier moves of it
 * have done is seen by later ones. */
etna_code planner_expand(planner *p)
{
    builtin_reading *said =
        etna_arena_memdup(p->talk->arena, &p->reading, sizeof p->reading);
    expansion e = {.p = p, .then = &p->then, .said = said, .out = &p->reading};
    if (!said)
        return expand_no_memory(&e);
    etna_code shared = expand_share(&e, said);
    if (shared != ETNA_OK)
        return shared;
    e.out->count = 0;
    p->said = said;
    for (uint32_t i = 0; i < said->count; i++) {
        builtin_move *m = &said->moves[i];
        etna_code code = expand_see_moved(&e, i);
        if (code == ETNA_OK)
            code = expand_mean(&e, m);
        expander *expand =
            expanders[m->relation] ? expanders[m->relation] : expand_plain;
        if (code == ETNA_OK)
            code = expand(&e, m);
        if (code == ETNA_OK)
            continue;
        planner_speak_of(p, said, &said->moves[i]);
        return code;
    }
    return ETNA_OK;
}
