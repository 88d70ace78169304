/* What a thing stands on, or is to stand on when a move does not say it. */
#include "worker/builtin/builtin.h"
#include "worker/builtin/hang.h"
#include "worker/builtin/relation.h"
#include "worker/builtin/spot.h"
#include "worker/math/vec.h"

#include <math.h>

uint32_t builtin_surface_under(const builtin_facts *facts,
                               const double at[3],
                               uint32_t not_of)
{
    uint32_t best = BUILTIN_NONE;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object == not_of || fabs(s->height - at[2]) > 0.03)
            continue;
        if (!builtin_spans(s, at[0], at[1]))
            continue;
        if (best == BUILTIN_NONE ||
            fabs(s->height - at[2]) <
                fabs(facts->surfaces[best].height - at[2]))
            best = i;
    }
    return best;
}

static bool carries(const builtin_facts *facts, uint32_t object)
{
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        if (facts->surfaces[i].object == object)
            return true;
    }
    return false;
}

static uint32_t carrier_of(const builtin_facts *facts, uint32_t object)
{
    const builtin_object *o = &facts->objects[object];
    for (uint32_t i = 0; i < o->by_count; i++) {
        if (carries(facts, o->by[i]))
            return o->by[i];
    }
    return BUILTIN_NONE;
}

/* What a thing that hovers hovers over: the highest surface below its middle;
 * not one of a thing that hangs in the air itself. */
static uint32_t below(const builtin_facts *facts, uint32_t object)
{
    const builtin_object *o = &facts->objects[object];
    const builtin_surface *best = NULL;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        bool in_air = facts->objects[s->object].hovering &&
                      facts->objects[s->object].by_count == 0;
        bool is_above = s->height > builtin_foot(o) + 0.03;
        if (s->object == object || in_air || is_above)
            continue;
        if (!builtin_spans(s, o->centre[0], o->centre[1]))
            continue;
        if (!best || s->height > best->height)
            best = s;
    }
    return best ? best->object : BUILTIN_NONE;
}

/* What a thing stands on now. One that a careless file holds a little above its
 * floor stands there, too. */
static uint32_t ground_of(const builtin_facts *facts, uint32_t object)
{
    const builtin_object *o = &facts->objects[object];
    uint32_t by = carrier_of(facts, object);
    bool is_loose = o->by_count == 0 && !o->attached;
    return by == BUILTIN_NONE && is_loose ? below(facts, object) : by;
}

static bool is_named_by(const builtin_move *move, uint32_t object)
{
    return object == move->reference || object == move->second;
}

/* Is `base` what the thing is to leave, or on that? */
static bool is_to_be_left(const builtin_facts *facts,
                          const builtin_move *move,
                          uint32_t base)
{
    const bool leaves =
        move->relation == RELATION_AWAY || move->relation == RELATION_OFF;
    if (leaves && move->reference < facts->object_count &&
        builtin_is_above(facts, base, move->reference))
        return true;
    for (uint32_t i = 0; i < move->leaves.count; i++) {
        const uint32_t left = move->leaves.objects[i];
        if (base == left || builtin_is_above(facts, base, left))
            return true;
    }
    return false;
}

/* What carries the thing, unless that is what it is to be beside, away from or
 * off, or stands on what it is to leave. */
static uint32_t own_carrier(const builtin_facts *facts,
                            const builtin_move *move,
                            uint32_t object)
{
    const builtin_object *o = &facts->objects[object];
    for (uint32_t i = 0; i < o->by_count; i++) {
        if (!carries(facts, o->by[i]) || is_named_by(move, o->by[i]))
            continue;
        if (!is_to_be_left(facts, move, o->by[i]))
            return o->by[i];
    }
    return BUILTIN_NONE;
}

static bool is_broader(const builtin_object *a, const builtin_object *b)
{
    return builtin_half_longer(a) > builtin_half_longer(b) ||
           builtin_half_shorter(a) > builtin_half_shorter(b);
}

static bool is_floor(const builtin_facts *facts, uint32_t base)
{
    return base != BUILTIN_NONE && (builtin_is_ground(&facts->objects[base]) ||
                                    builtin_is_covering(facts, base));
}

/* A chair in front of the sink stands before the counter, however long that
 * is; a toy's chair may stand on a table. */
static bool is_seat_of_floor(const builtin_facts *facts, uint32_t object)
{
    const double low = 0.15; /* metres of half a height */
    const builtin_object *o = &facts->objects[object];
    return builtin_is_seat(o) && o->half[2] > low &&
           is_floor(facts, ground_of(facts, object));
}

/* A coffee table in front of the television stands before the cabinet that
 * bears that, for it has no room on it: what it is to stand on instead of
 * `by`. */
static uint32_t carrier_that_holds(const builtin_facts *facts,
                                   uint32_t by,
                                   uint32_t object)
{
    const builtin_object *o = &facts->objects[object];
    if (by != BUILTIN_NONE && !is_floor(facts, by) &&
        is_seat_of_floor(facts, object))
        return ground_of(facts, object);
    for (int i = 0; i < 4 && by != BUILTIN_NONE; i++) {
        const builtin_object *base = &facts->objects[by];
        if (base->is_static || builtin_stands_on(facts, object, by) ||
            !is_broader(o, base))
            return by;
        const uint32_t lower = carrier_of(facts, by);
        if (lower == BUILTIN_NONE || lower == object)
            return by;
        by = lower;
    }
    return by;
}

/* What a relation says of the surface that the thing is to stand on. */
typedef enum support_rule {
    /* what it stands on already: of relations that say nothing of it */
    SUPPORT_OWN_SURFACE = 0,
    SUPPORT_REFERENCE, /* the reference itself */
    SUPPORT_SHARED,    /* what carries the reference */
    SUPPORT_LEAVING,   /* what carries it, unless it is to leave that */
    SUPPORT_AT_POINT   /* what lies below a point of the world */
} support_rule;

/* On what a relation puts its thing; see the enum. */
static support_rule support_rule_of(builtin_relation relation)
{
    static const support_rule rules[RELATION_COUNT] = {
        [RELATION_SETTING] = SUPPORT_REFERENCE,
        [RELATION_ON] = SUPPORT_REFERENCE,
        [RELATION_IN] = SUPPORT_REFERENCE,
        [RELATION_MIDDLE] = SUPPORT_REFERENCE,
        [RELATION_CORNER] = SUPPORT_REFERENCE,
        [RELATION_EDGE] = SUPPORT_REFERENCE,
        [RELATION_BESIDE] = SUPPORT_SHARED,
        [RELATION_AGAINST] = SUPPORT_SHARED,
        [RELATION_LEFT] = SUPPORT_SHARED,
        [RELATION_RIGHT] = SUPPORT_SHARED,
        [RELATION_FRONT] = SUPPORT_SHARED,
        [RELATION_BEHIND] = SUPPORT_SHARED,
        [RELATION_BETWEEN] = SUPPORT_SHARED,
        [RELATION_OVER] = SUPPORT_SHARED,
        [RELATION_END] = SUPPORT_SHARED,
        [RELATION_UNDER] = SUPPORT_SHARED,
        [RELATION_TOWARD] = SUPPORT_LEAVING,
        [RELATION_AWAY] = SUPPORT_LEAVING,
        [RELATION_OFF] = SUPPORT_LEAVING,
        [RELATION_AT] = SUPPORT_AT_POINT};
    return (unsigned)relation < RELATION_COUNT ? rules[relation]
                                               : SUPPORT_OWN_SURFACE;
}

/* What a further part of the wish names as its support: "next to the mug, on
 * the desk". */
static uint32_t support_named_besides(const builtin_facts *facts,
                                      const builtin_move *move,
                                      uint32_t object)
{
    if (builtin_is_hung(facts, move, object))
        return BUILTIN_NONE;
    for (uint32_t i = 0; i < move->also_count; i++) {
        bool bears = move->also[i].relation == RELATION_ON ||
                     move->also[i].relation == RELATION_IN;
        if (bears && !move->also[i].denied &&
            move->also[i].reference < facts->object_count)
            return move->also[i].reference;
    }
    return BUILTIN_NONE;
}

/* Does it stand on the rug, or does a careless file hold it a little over
 * that? */
static bool is_on_rug(const builtin_facts *facts, uint32_t object, uint32_t rug)
{
    const double little = 0.1; /* metres */
    const builtin_object *o = &facts->objects[object];
    if (builtin_stands_on(facts, object, rug))
        return true;
    const bool is_loose = o->hovering && !o->attached;
    return is_loose && below(facts, object) == rug &&
           builtin_foot(o) < builtin_top(&facts->objects[rug]) + little;
}

/* Over a ground that is known, and not a little over a table, as a careless file
 * may have it: in the air. */
static bool hovers_high(const builtin_facts *facts, uint32_t object)
{
    const double high = 0.5; /* metres */
    const builtin_object *o = &facts->objects[object];
    bool any_ground = false;
    if (!o->hovering || o->attached)
        return false;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        const double over = builtin_foot(o) - s->height;
        if (s->object == object || over <= -high ||
            !builtin_spans(s, o->centre[0], o->centre[1]))
            continue;
        if (over < high)
            return false;
        any_ground |= facts->objects[s->object].is_static;
    }
    return any_ground;
}

bool builtin_hovers_on(const builtin_facts *facts,
                       const builtin_move *move,
                       uint32_t object)
{
    const bool beside =
        move->relation >= RELATION_BESIDE && move->relation <= RELATION_BETWEEN;
    return beside && move->reference < facts->object_count &&
           hovers_high(facts, object) && hovers_high(facts, move->reference);
}

bool builtin_has_lower_board(const builtin_facts *facts,
                             const builtin_move *move,
                             double height)
{
    if (move->relation != RELATION_UNDER ||
        move->reference >= facts->object_count)
        return false;
    const builtin_object *ref = &facts->objects[move->reference];
    return (builtin_is_table(ref) || builtin_is_seat(ref)) &&
           height < ref->centre[2];
}

/* "Under the workbench": on that lower board already. */
static bool is_on_lower_board(const builtin_facts *facts,
                              const builtin_move *move,
                              uint32_t object)
{
    const builtin_object *o = &facts->objects[object];
    return builtin_has_lower_board(facts, move, builtin_foot(o)) &&
           builtin_stands_on(facts, object, move->reference);
}

/* Of a pile of plates the next lower one has no room beside the upper: whatever
 * comes beside it stands on what bears the pile. */
static uint32_t carrier_of_pile(const builtin_facts *facts,
                                uint32_t by,
                                uint32_t reference,
                                uint32_t object)
{
    const builtin_object *ref = &facts->objects[reference];
    const double least = 0.5 * builtin_half_shorter(&facts->objects[object]);
    for (int i = 0; i < 16 && by != BUILTIN_NONE; i++) {
        const builtin_object *base = &facts->objects[by];
        const double along =
            builtin_half_longer(base) - builtin_half_longer(ref);
        const double across =
            builtin_half_shorter(base) - builtin_half_shorter(ref);
        const uint32_t lower = carrier_of(facts, by);
        const bool has_room = math_max(along, across) > least;
        if (base->is_static || has_room || lower == BUILTIN_NONE ||
            lower == object || builtin_stands_on(facts, object, by))
            return by;
        by = lower;
    }
    return by;
}

/* On what the reference stands on. A reference that hangs or is a wall itself
 * has what is below it. */
static uint32_t support_shared(const builtin_facts *facts,
                               const builtin_move *move,
                               uint32_t object)
{
    if (is_on_lower_board(facts, move, object))
        return move->reference;
    uint32_t by = carrier_of(facts, move->reference);
    /* its top, of all places */
    bool by_wall = by != BUILTIN_NONE && builtin_is_wall(&facts->objects[by]);
    if (by == BUILTIN_NONE || by_wall)
        by = below(facts, move->reference);
    if (by == object || by == BUILTIN_NONE || is_named_by(move, by))
        by = own_carrier(facts, move, object);
    if (by != BUILTIN_NONE && move->relation == RELATION_BESIDE)
        by = carrier_of_pile(facts, by, move->reference, object);
    /* What stands on a rug leaves it for a place at the wall. */
    const bool on_rug = by != BUILTIN_NONE && builtin_is_covering(facts, by);
    const uint32_t ground = on_rug ? carrier_of(facts, by) : BUILTIN_NONE;
    if (ground != BUILTIN_NONE && !is_on_rug(facts, move->reference, by))
        by = ground;
    return move->relation == RELATION_OVER
               ? by
               : carrier_that_holds(facts, by, object);
}

static uint32_t support_at_point(const builtin_facts *facts,
                                 const builtin_move *move,
                                 uint32_t object)
{
    uint32_t under = builtin_surface_under(facts, move->at, object);
    return under == BUILTIN_NONE ? carrier_of(facts, object)
                                 : facts->surfaces[under].object;
}

/* What was named explicitly comes first, then what the relation says;
 * BUILTIN_NONE: nothing is known to bear it. */
uint32_t builtin_support_of(const builtin_facts *facts,
                            const builtin_move *move,
                            uint32_t object)
{
    if (move->support != BUILTIN_NONE)
        return move->support;
    uint32_t named = support_named_besides(facts, move, object);
    if (named != BUILTIN_NONE)
        return named;
    switch (support_rule_of(move->relation)) {
    case SUPPORT_REFERENCE: return move->reference;
    case SUPPORT_SHARED:
        return builtin_hovers_on(facts, move, object)
                   ? BUILTIN_NONE
                   : support_shared(facts, move, object);
    case SUPPORT_LEAVING: return own_carrier(facts, move, object);
    case SUPPORT_AT_POINT: return support_at_point(facts, move, object);
    case SUPPORT_OWN_SURFACE: break;
    }
    return ground_of(facts, object);
}
