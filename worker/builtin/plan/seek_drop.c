/* Places in and on what has no level top (a cushion, a grate, a bowl, a plate's
 * rim): let down from above, and the true shapes will say how deep the thing
 * comes to rest. */
#include "proto/array.h"
#include "worker/builtin/place/likeness.h"
#include "worker/builtin/plan/seek_internal.h"
#include "worker/math/vec.h"

#include <math.h>
#include <string.h>

/* Does anything else that stands on the reference take the room over that
 * place? */
static bool drop_is_taken(const builtin_facts *facts,
                          uint32_t object,
                          uint32_t reference,
                          const double at[2])
{
    builtin_rect own =
        builtin_footprint(&facts->objects[object], at[0], at[1], 0);
    const builtin_object *base = &facts->objects[reference];
    for (uint32_t i = 0; i < base->on_count; i++) {
        const builtin_object *b = &facts->objects[base->on[i]];
        if (base->on[i] == object ||
            builtin_is_above(facts, base->on[i], object))
            continue;
        builtin_rect its = builtin_rect_of(b);
        if (builtin_rects_meet(&own, &its))
            return true;
    }
    return false;
}

/* Is that place over the back of a chair or sofa? A bed has none that takes
 * room from what is laid on it. */
static bool drop_is_over_back(const builtin_facts *facts,
                              uint32_t reference,
                              const double at[2])
{
    const double deepest = 0.7; /* metres, half: no chair nor sofa is deeper */
    const builtin_object *ref = &facts->objects[reference];
    double front[2];
    if (!builtin_is_seat(ref) || !builtin_front_of(facts, reference, front))
        return false;
    double half = builtin_extent(ref, front);
    double ahead = (at[0] - ref->centre[0]) * front[0] +
                   (at[1] - ref->centre[1]) * front[1];
    return half < deepest && ahead < -0.1 * half;
}

typedef struct drop { /* the search of seek_add_from_above */
    const planner *p;
    const builtin_move *move;
    uint32_t object;
    const seek_drop *over;
    double room[2],
        /* the grid: half sides across and along the reference's heading, world
         * xy */
        middle[2];
    /* half of what the thing takes across and along that heading */
    double own[2];
    /* a seat: only in the room before its back and between its arms */
    bool has_open;
    builtin_rect open; /* across and along that heading */
} drop;

static bool drop_is_within(const drop *d, const double at[2])
{
    const builtin_object *ref = &d->p->facts->objects[d->over->reference];
    const double to[2] = {at[0] - ref->centre[0], at[1] - ref->centre[1]};
    const double own[2] = {-to[0] * ref->heading[1] + to[1] * ref->heading[0],
                           to[0] * ref->heading[0] + to[1] * ref->heading[1]};
    const builtin_rect *open = &d->open;
    const bool across = own[0] >= open->low[0] && own[0] <= open->high[0];
    return across && own[1] >= open->low[1] && own[1] <= open->high[1];
}

/* Where over the reference is tried: the middle part of its box, of a seat the
 * open part. */
static void drop_lay_grid(drop *d)
{
    const builtin_facts *facts = d->p->facts;
    const builtin_object *ref = &facts->objects[d->over->reference];
    for (int k = 0; k < 2; k++) {
        d->middle[k] = ref->centre[k];
        d->room[k] = d->over->share * ref->half[k];
    }
    const builtin_object *o = &facts->objects[d->object];
    d->own[0] =
        builtin_extent(o, (double[2]){-ref->heading[1], ref->heading[0]});
    d->own[1] = builtin_extent(o, ref->heading);
    d->has_open =
        builtin_seat_middle(facts, d->over->reference, d->middle, &d->open);
    if (!d->has_open)
        return;
    const double open[2] = {(d->open.high[0] - d->open.low[0]) / 2,
                            (d->open.high[1] - d->open.low[1]) / 2};
    /* only the front edge of a seat that leans back is level */
    if (open[0] < d->own[0] / 2 || open[1] < d->own[1] / 2) {
        d->has_open = false;
        memcpy(d->middle, ref->centre, sizeof d->middle);
        return;
    }
    for (int k = 0; k < 2; k++)
        d->room[k] = math_min(d->room[k], open[k]);
}

/* Is the grid's place so far within the box that only a little of the thing is
 * over its edge? Its middle always is. */
static bool drop_fits(const drop *d, double across, double along)
{
    const double within = 0.8; /* of its half sides */
    const builtin_object *ref = &d->p->facts->objects[d->over->reference];
    if (across == 0 && along == 0)
        return true;
    return fabs(across) + within * d->own[0] <= ref->half[0] + 0.01 &&
           fabs(along) + within * d->own[1] <= ref->half[1] + 0.01;
}

/* The board of the reference on which that thing stands, or over which its brim
 * is; the thing's foot where none is known. */
static double drop_board_of(const builtin_facts *facts,
                            uint32_t reference,
                            uint32_t thing)
{
    const double over = 0.03; /* metres */
    const builtin_object *o = &facts->objects[thing];
    const double foot = builtin_foot(o);
    double best = -INFINITY;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object == reference && s->height <= foot + over)
            best = math_max(best, s->height);
    }
    return isinf(best) ? foot : best;
}

/* Beside what stands on the reference, at the height where that stands: how
 * deep it comes to rest the true shapes say. */
static double drop_misfit(const drop *d, const double at[3])
{
    const builtin_facts *facts = d->p->facts;
    double there[3] = {at[0], at[1], at[2]};
    if (seek_is_beside(facts, d->move))
        there[2] = drop_board_of(facts, d->over->reference, d->move->reference);
    return builtin_misfit(facts, d->move, d->object, there);
}

/* Neither over a seat's back nor beside its open part, and taken or free as is
 * asked for. */
static bool drop_will_do(const drop *d, const double at[3])
{
    const builtin_facts *facts = d->p->facts;
    const uint32_t reference = d->over->reference;
    if (drop_is_taken(facts, d->object, reference, at) != d->over->taken_too)
        return false;
    if (drop_is_over_back(facts, reference, at))
        return false;
    if (d->has_open && !drop_is_within(d, at))
        return false;
    bool anywhere =
        d->move->relation == RELATION_ON || d->move->relation == RELATION_IN;
    return anywhere || drop_misfit(d, at) <= 0;
}

static bool drop_is_far_too_small(const drop *d)
{
    const builtin_object *o = &d->p->facts->objects[d->object];
    const builtin_object *ref = &d->p->facts->objects[d->over->reference];
    const double share = d->move->relation == RELATION_IN ? 0.9 : 0.4;
    return builtin_half_shorter(ref) < share * builtin_half_shorter(o);
}

/* The grid's places, so many of its halves across and along. */
static void drop_add(const drop *d, plan_list *list)
{
    static const int steps[][2] = {
        {0, 0},  {1, 0},  {-1, 0},  {0, 1},  {0, -1}, {1, 1},   {-1, -1},
        {1, -1}, {-1, 1}, {1, 2},   {-1, 2}, {1, -2}, {-1, -2}, {2, 1},
        {-2, 1}, {2, -1}, {-2, -1}, {2, 0},  {-2, 0}, {0, 2},   {0, -2}};
    enum {
        STEPS = COUNT_OF(steps)
    };
    const int first = d->over->aside ? 5 : 0;
    const builtin_object *ref = &d->p->facts->objects[d->over->reference];
    for (int n = 0; n < STEPS; n++) {
        const int *step = steps[(n + first) % STEPS];
        const double across = d->room[0] * step[0] / 2;
        const double along = d->room[1] * step[1] / 2;
        const double at[3] = {
            d->middle[0] + along * ref->heading[0] - across * ref->heading[1],
            d->middle[1] + along * ref->heading[1] + across * ref->heading[0],
            builtin_top(ref) + SEEK_LET_DOWN};
        if (!drop_fits(d, across, along) || !drop_will_do(d, at))
            continue;
        double slack = 0.3 * builtin_half_shorter(ref);
        if (seek_is_beside(d->p->facts, d->move))
            slack = math_min(slack, math_max(-drop_misfit(d, at), 0.01));
        plan next = planner_put(d->object, d->over->reference, at, slack);
        next.uncertain = true;
        planner_mark_into(d->move, &next);
        seek_turn_there(d->p, d->move, &next);
        seek_add(d->p, list, &next);
    }
}

/* Places where it is let down onto something that has no surface of its own
 * known. */
void seek_add_from_above(const planner *p,
                         const builtin_move *move,
                         uint32_t object,
                         const seek_drop *over,
                         plan_list *list)
{
    const builtin_object *ref = &p->facts->objects[over->reference];
    const uint32_t before = list->count;
    drop d = {.p = p, .move = move, .object = object, .over = over};
    if (drop_is_far_too_small(&d))
        return;
    drop_lay_grid(&d);
    drop_add(&d, list);
    if (list->count > before || d.has_open)
        return;
    /* What else stands there leaves a corner at most: the thing fits between
     * that and the edge. */
    for (int k = 0; k < 2; k++)
        d.room[k] = math_max(ref->half[k] - d.own[k], 0);
    drop_add(&d, list);
}

/* Within the footprint of the reference and below its rim. */
static bool drop_lies_in(const builtin_facts *facts,
                         uint32_t inner,
                         uint32_t reference)
{
    const double edge = 0.02, below = 0.01; /* metres */
    const builtin_object *b = &facts->objects[inner];
    const builtin_object *ref = &facts->objects[reference];
    builtin_rect own = builtin_rect_of(b);
    builtin_rect its =
        builtin_footprint(ref, ref->centre[0], ref->centre[1], edge);
    for (int k = 0; k < 2; k++) {
        if (own.low[k] < its.low[k] || own.high[k] > its.high[k])
            return false;
    }
    return builtin_foot(b) < builtin_top(ref) - below;
}

/* Contents of the reference that may bear a thing: what nothing lies on, or
 * else only what does. */
static bool drop_is_content(const planner *p,
                            uint32_t inner,
                            uint32_t reference,
                            bool open)
{
    const builtin_object *b = &p->facts->objects[inner];
    if (b->is_static || (b->on_count == 0) != open)
        return false;
    return builtin_is_above(p->facts, inner, reference) &&
           drop_lies_in(p->facts, inner, reference);
}

/* On what already lies in a basket or box: uncertain, as contents are uneven.
 * A sock that lies on a shirt in there bears the next one. */
void seek_add_on_contents(const planner *p,
                          uint32_t object,
                          uint32_t reference,
                          plan_list *list)
{
    const double slack = 0.05;
    const builtin_object *ref = &p->facts->objects[reference];
    const uint32_t things = p->facts->object_count;
    for (uint32_t i = 0; i < 2 * things; i++) {
        const uint32_t inner = i % things;
        if (inner == object ||
            !drop_is_content(p, inner, reference, i < things))
            continue;
        const builtin_object *b = &p->facts->objects[inner];
        const double top = math_max(builtin_top(b), builtin_top(ref));
        const double at[3] = {b->centre[0], b->centre[1], top + SEEK_LET_DOWN};
        plan next = planner_put(object, inner, at, slack);
        next.uncertain = true;
        seek_add(p, list, &next);
    }
}

/* Has it a level place at its top? A bowl, however low, has none. */
static bool mate_is_level(const builtin_facts *facts, uint32_t mate)
{
    const double rim = 0.03; /* metres: a plate's */
    const builtin_object *m = &facts->objects[mate];
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        const bool is_top = s->height >= builtin_top(m) - rim;
        if (s->object == mate && is_top && !s->narrow)
            return true;
    }
    return false;
}

/* Is it of the same kind, flat, or what bears others? A bag is not put onto a
 * hat because both go to the table, nor a plant onto a plant. */
bool planner_mate_bears(const planner *p, uint32_t mate, uint32_t object)
{
    const double flat = 0.3;  /* of its lesser half side */
    const double firm = 0.05; /* square metres, a quarter of its footprint */
    const builtin_object *m = &p->facts->objects[mate];
    const char *noun = builtin_noun(m);
    const char *own = builtin_noun(&p->facts->objects[object]);
    if (builtin_is_bare(m))
        return false;
    if (noun && own && builtin_same_word(noun, own))
        return true;
    if (builtin_is_bearer(m) || m->half[0] * m->half[1] >= firm)
        return true;
    return m->half[2] <= flat * builtin_half_shorter(m) &&
           mate_is_level(p->facts, mate);
}

/* Is that another of the move's things, which stands on the reference already
 * with nothing on it? */
static bool drop_is_open_mate(const planner *p,
                              const builtin_set *set,
                              uint32_t mate,
                              uint32_t object,
                              uint32_t reference)
{
    const bool is_open =
        mate != object && p->facts->objects[mate].on_count == 0;
    return is_open && planner_is_piled_on(p, set, mate, reference) &&
           planner_mate_bears(p, mate, object);
}

/* What seems to go low on a seat lies between its cushions, and comes first,
 * and so does another board of a bookcase; elsewhere the mate's top is nearer
 * by. */
static bool drop_sinks(const planner *p,
                       const plan_list *found,
                       uint32_t mate,
                       uint32_t reference)
{
    const double lower = 0.1; /* metres */
    const builtin_object *m = &p->facts->objects[mate];
    if (builtin_is_seat(&p->facts->objects[reference]) ||
        builtin_shelves(p->facts, reference) > 2)
        return false;
    return found->items[0].exact.at[2] < builtin_foot(m) - lower;
}

/* "stack the plates on the shelf": onto one of their own kind that is there
 * already, before new places. */
etna_code seek_onto_mates(const planner *p,
                          const builtin_move *move,
                          uint32_t object,
                          uint32_t reference,
                          plan_list *list)
{
    if (move->level != 0)
        return ETNA_OK;
    plan_list *found = etna_arena_memdup(p->talk->arena, list, sizeof *list);
    if (!found)
        return planner_no_memory(p);
    list->count = 0;
    for (uint32_t i = 0; i < move->objects.count; i++) {
        const seek_drop over = {.reference = move->objects.objects[i],
                                .share = 0.3};
        bool first = found->count == 0 ||
                     drop_sinks(p, found, over.reference, reference);
        if (first && drop_is_open_mate(p, &move->objects, over.reference,
                                       object, reference))
            seek_add_from_above(p, move, object, &over, list);
    }
    for (uint32_t i = 0; i < found->count && list->count < PLANS_MAX; i++)
        list->items[list->count++] = found->items[i];
    return ETNA_OK;
}
