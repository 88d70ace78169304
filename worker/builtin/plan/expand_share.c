/* Who of several goes where, when more than one part of a sentence may take any
 * of them: "one glass beside the plate and one beside the bowl" means two
 * glasses, and "it" the glass that was spoken of before. */
#include "worker/builtin/plan/expand_internal.h"

/* Any of several by itself; rows, piles and rings choose theirs, and "one for
 * each" does. */
static bool share_may_choose(const builtin_move *m)
{
    static const bool together[RELATION_COUNT] = {[RELATION_AROUND] = true,
                                                  [RELATION_LINE] = true,
                                                  [RELATION_STACK] = true,
                                                  [RELATION_GROUP] = true};
    return m->objects.need > 0 && m->objects.need < m->objects.count &&
           m->each.count == 0 && !together[m->relation];
}

/* A pronoun has the very list of what it stands for. */
static bool share_is_same_phrase(const builtin_set *a, const builtin_set *b)
{
    return a->objects == b->objects;
}

static bool share_meets(const builtin_set *a, const builtin_set *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        if (expand_has(b->objects, b->count, a->objects[i]))
            return true;
    }
    return false;
}

/* Would both take a thing away, and so the later one undo what the earlier one
 * did? */
static bool share_rivals(const builtin_move *a, const builtin_move *b)
{
    return !planner_is_turn(a) && !planner_is_turn(b) &&
           share_meets(&a->objects, &b->objects);
}

/* Is there a part that speaks of the same ones, or wants one of them? */
static bool share_is_contested(const builtin_reading *said, uint32_t index)
{
    const builtin_move *m = &said->moves[index];
    for (uint32_t k = 0; k < said->count; k++) {
        const builtin_move *other = &said->moves[k];
        if (k != index && (share_is_same_phrase(&m->objects, &other->objects) ||
                           share_rivals(m, other)))
            return true;
    }
    return false;
}

/* Does another part take just this one? Its own pronouns do not count. */
static bool share_is_taken(const builtin_reading *said,
                           const builtin_set *own,
                           uint32_t index,
                           uint32_t object)
{
    const builtin_move *m = &said->moves[index];
    for (uint32_t k = 0; k < said->count; k++) {
        const builtin_move *other = &said->moves[k];
        if (k == index || planner_is_turn(other) || planner_is_turn(m) ||
            share_is_same_phrase(own, &other->objects))
            continue;
        const builtin_set *set = &other->objects;
        if (set->need == set->count &&
            expand_has(set->objects, set->count, object))
            return true;
    }
    return false;
}

/* The nearest ones that nobody else takes; those that are spoken of by the same
 * phrase are the same. Nothing changes where too few are left. */
static etna_code share_choose(const expansion *e,
                              builtin_reading *said,
                              uint32_t index)
{
    const builtin_move *m = &said->moves[index];
    const builtin_set own = m->objects;
    uint32_t *free =
        etna_arena_alloc(e->p->talk->arena, own.count, sizeof *free);
    uint32_t count = 0;
    if (!free)
        return expand_no_memory(e);
    for (uint32_t i = 0; i < own.count; i++) {
        if (!share_is_taken(said, &own, index, own.objects[i]))
            free[count++] = own.objects[i];
    }
    if (count < own.need)
        return ETNA_OK;
    expand_nearest(&e->p->then, m, free, count);
    const builtin_set chosen = {
        .count = own.need, .objects = free, .need = own.need};
    for (uint32_t k = 0; k < said->count; k++) {
        builtin_set *set = &said->moves[k].objects;
        if (share_is_same_phrase(&own, set))
            *set = chosen;
    }
    return ETNA_OK;
}

etna_code expand_share(const expansion *e, builtin_reading *said)
{
    for (uint32_t i = 0; i < said->count; i++) {
        if (!share_may_choose(&said->moves[i]) || !share_is_contested(said, i))
            continue;
        etna_code code = share_choose(e, said, i);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}
