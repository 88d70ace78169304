/* Whether places of things that are placed together are free, and who would
 * have to leave them. The same for every edit of an instruction: it is asked of
 * the scene before its first. */
#include "worker/builtin/plan/expand_internal.h"

#include <string.h>

double expand_apart(const builtin_facts *facts,
                    const uint32_t *objects,
                    uint32_t count,
                    double metres)
{
    const double small = 0.03; /* metres, half of a thing's width */
    double largest = 0;
    for (uint32_t i = 0; i < count; i++) {
        const builtin_object *o = &facts->objects[objects[i]];
        largest = math_max(largest, builtin_half_longer(o));
    }
    return largest > 0 && largest < small ? metres * largest / small : metres;
}

static bool company_carries(const company *c, uint32_t object)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (builtin_is_above(c->facts, object, c->objects[i]))
            return true;
    }
    return false;
}

/* Can the thing take room between these heights? Rooms, what bears them and
 * what goes along can't. */
static bool company_meets(const company *c, uint32_t object, double top)
{
    const double touch = 0.01, wide = 1, thin = 0.3; /* metres */
    const builtin_object *b = &c->facts->objects[object];
    if (c->skips && object == c->skipped)
        return false;
    bool below = builtin_top(b) < c->height + touch;
    bool above = builtin_foot(b) > top - touch;
    const bool is_own =
        object == c->support || expand_has(c->objects, c->count, object);
    if (below || above || is_own)
        return false;
    bool room = builtin_half_longer(b) > wide && builtin_half_shorter(b) > thin;
    return !(b->is_static && room) && !company_carries(c, object);
}

/* Is that the thing, or on it? */
static bool bystander_bears(const builtin_facts *facts,
                            uint32_t bystander,
                            uint32_t thing)
{
    return thing < facts->object_count &&
           (thing == bystander || builtin_is_above(facts, thing, bystander));
}

/* Whether the sentence speaks of the thing or of what it bears; then it is not
 * cleared away unasked. */
static bool clearing_names(const clearing *l,
                           const builtin_facts *facts,
                           uint32_t other)
{
    for (uint32_t i = 0; i < l->said->count; i++) {
        const builtin_move *m = &l->said->moves[i];
        if (expand_has(m->objects.objects, m->objects.count, other) ||
            expand_has(m->each.objects, m->each.count, other))
            return true;
        if (bystander_bears(facts, other, m->reference) ||
            bystander_bears(facts, other, m->second))
            return true;
        if (bystander_bears(facts, other, m->support))
            return true;
        for (uint32_t k = 0; k < m->also_count; k++) {
            const builtin_condition *also = &m->also[k];
            if (bystander_bears(facts, other, also->reference))
                return true;
            if (bystander_bears(facts, other, also->second))
                return true;
        }
    }
    return false;
}

/* Could the thing leave for them? It is counted if so. */
static bool company_clears(const company *c, uint32_t other)
{
    clearing *l = c->clearing;
    const builtin_object *b = &c->facts->objects[other];
    const bool stays = b->is_static || b->immovable;
    if (!l || stays || builtin_is_covering(c->facts, other))
        return false;
    if (expand_has(l->leaving, l->count, other))
        return true;
    if (l->count >= l->most || clearing_names(l, c->facts, other))
        return false;
    for (uint32_t i = 0; i < c->count; i++) {
        if (bystander_bears(c->facts, other, c->objects[i]))
            return false;
    }
    l->leaving[l->count++] = other;
    return true;
}

uint32_t clearing_most(uint32_t attempt)
{
    static const uint32_t most[CLEARING_TRIES] = {0, 1, 2, CLEARING_MAX};
    return attempt < CLEARING_TRIES ? most[attempt] : 0;
}

builtin_rect company_footprint(const company *c,
                               uint32_t object,
                               const double at[2],
                               double grown)
{
    builtin_object o = c->facts->objects[object];
    if (c->heading)
        memcpy(o.heading, c->heading, sizeof o.heading);
    return builtin_footprint(&o, at[0], at[1], grown);
}

/* Is it a rug on that floor, with room for all of the place? Half on a rug what
 * has legs may tilt. */
static bool company_steps_on(const company *c,
                             uint32_t object,
                             const builtin_rect *place)
{
    const double nap = 0.03; /* metres */
    const builtin_object *rug = &c->facts->objects[object];
    const builtin_rect its = builtin_rect_of(rug);
    if (!c->rugs || !builtin_is_covering(c->facts, object) ||
        builtin_top(rug) > c->height + nap)
        return false;
    for (int k = 0; k < 2; k++) {
        if (place->low[k] < its.low[k] || place->high[k] > its.high[k])
            return false;
    }
    return true;
}

/* Something that will not be cleared away stands there, at that height. */
bool company_is_taken(const company *c, uint32_t object, const double at[2])
{
    const builtin_object *o = &c->facts->objects[object];
    builtin_rect own = company_footprint(c, object, at, 0.005);
    for (uint32_t i = 0; i < c->facts->object_count; i++) {
        const builtin_object *b = &c->facts->objects[i];
        builtin_rect its = builtin_rect_of(b);
        if (!builtin_rects_meet(&own, &its) ||
            !company_meets(c, i, c->height + 2 * o->half[2]))
            continue;
        if (builtin_is_beneath_there(c->facts, i, &own, c->height,
                                     2 * o->half[2]))
            continue;
        if (company_steps_on(c, i, &own))
            continue;
        if (!company_clears(c, i))
            return true;
    }
    return false;
}
