/* Which thing is next: what is missing of each move, in which order, and what
 * has to wait for another. */
#include "worker/builtin/plan/planner_internal.h"

enum {
    PILE_DEPTH = 32
};

bool planner_is_satisfied(const planner *p, const builtin_move *move)
{
    uint32_t there = 0;
    for (uint32_t i = 0; i < move->objects.count; i++)
        there += planner_holds(p, move, move->objects.objects[i]);
    return there >= move->objects.need;
}

bool planner_is_turn(const builtin_move *move)
{
    return move->relation == RELATION_TURN || move->relation == RELATION_TURNED;
}

static bool agenda_moves_all(const builtin_set *set, uint32_t object)
{
    for (uint32_t k = 0; k < set->count && set->count == set->need; k++) {
        if (set->objects[k] == object)
            return true;
    }
    return false;
}

/* "Bring the lamp nearer to the clock; it stays on the table": did it stand on
 * that from the start? */
static bool agenda_stays_on(const planner *p,
                            const builtin_move *earlier,
                            const builtin_move *later,
                            uint32_t object)
{
    const uint32_t ways =
        1u << RELATION_TOWARD | 1u << RELATION_AWAY | 1u << RELATION_SHIFT;
    return ways >> earlier->relation & 1 &&
           builtin_is_above(&p->then, object, later->reference);
}

/* "Between the jug and the lamp, but nearer to the lamp": such a place has room,
 * and is to be kept. */
static bool agenda_bounds(const builtin_move *earlier)
{
    const uint32_t wide =
        1u << RELATION_ON | 1u << RELATION_IN | 1u << RELATION_BETWEEN;
    return (wide >> earlier->relation & 1) != 0;
}

/* "The pills next to the bottle. All of it on the counter", where the bottle
 * stands there: the later one takes nothing back. */
static bool agenda_agrees(const planner *p,
                          const builtin_move *earlier,
                          const builtin_move *later,
                          uint32_t object)
{
    static const bool aside[RELATION_COUNT] = {
        [RELATION_BESIDE] = true, [RELATION_LEFT] = true,
        [RELATION_RIGHT] = true,  [RELATION_FRONT] = true,
        [RELATION_BEHIND] = true, [RELATION_BETWEEN] = true};
    const uint32_t count = p->facts->object_count;
    if (later->relation == RELATION_TOWARD || later->relation == RELATION_AWAY)
        return agenda_bounds(earlier);
    /* how high it hangs does not say where along the wall */
    if (later->relation == RELATION_LEVEL)
        return aside[earlier->relation];
    if (later->relation != RELATION_ON || later->reference >= count)
        return false;
    if (later->each.count > 0 || later->level > 0)
        return false;
    if (!aside[earlier->relation])
        return agenda_stays_on(p, earlier, later, object);
    return earlier->reference < count &&
           builtin_is_above(p->facts, earlier->reference, later->reference);
}

bool planner_is_taken_later(const planner *p, uint32_t move, uint32_t object)
{
    for (uint32_t i = move + 1; i < p->reading.count; i++) {
        const builtin_move *later = &p->reading.moves[i];
        if (planner_is_turn(&p->reading.moves[move]) != planner_is_turn(later))
            continue;
        if (agenda_moves_all(&later->objects, object) &&
            !agenda_agrees(p, &p->reading.moves[move], later, object))
            return true;
    }
    return false;
}

/* Which of two missing things is first: of those of which only some are meant,
 * what shows; else the larger footprint, for room, or the smaller where that is
 * said; else as said. */
static bool agenda_comes_before(const planner *p,
                                const builtin_move *move,
                                uint32_t a,
                                uint32_t b)
{
    const builtin_object *first = &p->facts->objects[a];
    const builtin_object *second = &p->facts->objects[b];
    const bool is_choice = move->objects.need < move->objects.count;
    if (is_choice && first->visible != second->visible)
        return first->visible;
    const double one = first->half[0] * first->half[1];
    const double other = second->half[0] * second->half[1];
    return move->order == ORDER_SMALLEST ? one < other : one > other;
}

uint32_t planner_need_of(const builtin_set *objects, uint32_t elsewhere)
{
    const uint32_t left = objects->count - elsewhere;
    return objects->need < left ? objects->need : left;
}

/* Which things the move still has to take, in the order of agenda_comes_before;
 * at most as many as it needs. What a later move takes over is not asked for
 * here, and is none of "two of them". */
uint32_t planner_missing(const planner *p, uint32_t index, uint32_t *ret)
{
    const builtin_move *move = &p->reading.moves[index];
    uint32_t there = 0, taken = 0, count = 0;
    for (uint32_t i = 0; i < move->objects.count; i++) {
        const uint32_t object = move->objects.objects[i];
        if (planner_is_taken_later(p, index, object)) {
            taken++;
            continue;
        }
        if (planner_holds(p, move, object)) {
            there++;
            continue;
        }
        uint32_t at = count++;
        for (; at > 0 && agenda_comes_before(p, move, object, ret[at - 1]);
             at--)
            ret[at] = ret[at - 1];
        ret[at] = object;
    }
    const uint32_t all = planner_need_of(&move->objects, taken);
    const uint32_t need = all > there ? all - there : 0;
    return count < need ? count : need;
}

/* How many things stand on it, one upon the other; *ret_top is the topmost of
 * the first pile, which has to go first. PILE_DEPTH ends circles of support. */
uint32_t planner_pile_on(const builtin_facts *facts,
                         uint32_t object,
                         uint32_t *ret_top)
{
    uint32_t count = 0, at = object;
    for (uint32_t depth = 0; depth < PILE_DEPTH; depth++) {
        const builtin_object *o = &facts->objects[at];
        uint32_t next = BUILTIN_NONE;
        for (uint32_t i = 0; i < o->on_count; i++) {
            if (facts->objects[o->on[i]].is_static || o->on[i] == object)
                continue;
            count++;
            if (next == BUILTIN_NONE)
                next = o->on[i];
        }
        if (next == BUILTIN_NONE)
            break;
        at = next;
    }
    *ret_top = at;
    return count;
}

/* Whether some move still takes this thing away, and which. */
bool planner_goes_somewhere(const planner *p,
                            uint32_t object,
                            uint32_t *ret_move)
{
    for (uint32_t i = 0; i < p->reading.count; i++) {
        const uint32_t count = planner_missing(p, i, p->scratch);
        for (uint32_t k = 0; k < count; k++) {
            if (p->scratch[k] != object)
                continue;
            *ret_move = i;
            return true;
        }
    }
    return false;
}

bool planner_will_move(const planner *p, uint32_t object)
{
    uint32_t move;
    return planner_goes_somewhere(p, object, &move);
}

/* "The teddy on the chair, and then the chair under the table": what comes onto
 * the chair does so before that is out of reach, and goes along. */
static bool agenda_is_covered_later(const planner *p, const builtin_move *move)
{
    const bool onto =
        move->relation == RELATION_ON || move->relation == RELATION_IN;
    bool behind = false;
    for (uint32_t i = 0; i < p->reading.count && onto; i++) {
        const builtin_move *later = &p->reading.moves[i];
        const bool covers = later->relation == RELATION_TUCK ||
                            later->relation == RELATION_UNDER;
        if (behind && covers &&
            agenda_moves_all(&later->objects, move->reference))
            return true;
        behind = behind || later == move;
    }
    return false;
}

/* What a move names must stand where it will stay before anything is put beside
 * it. */
bool planner_waits(const planner *p, const builtin_move *move)
{
    const bool none =
        move->relation == RELATION_PLACE || move->relation == RELATION_OFF ||
        move->relation == RELATION_SHIFT || move->relation == RELATION_TURN;
    if (none)
        return false;
    const uint32_t named[3] = {move->reference, move->second, move->support};
    for (int i = agenda_is_covered_later(p, move) ? 1 : 0; i < 3; i++) {
        if (named[i] < p->facts->object_count && planner_will_move(p, named[i]))
            return true;
    }
    return false;
}

/* The first move in the order of the text that waits for nothing. total: all
 * things that any move still has to take. is_circle: something is left, but
 * each waits for another. */
void planner_find_next(const planner *p, planner_agenda *ret)
{
    bool any = false, found = false;
    ret->count = ret->total = ret->move = 0;
    for (uint32_t i = 0; i < p->reading.count; i++) {
        const builtin_move *move = &p->reading.moves[i];
        const uint32_t count = planner_is_satisfied(p, move)
                                   ? 0
                                   : planner_missing(p, i, ret->list);
        ret->total += count;
        any = any || count > 0;
        if (count == 0 || found || planner_waits(p, move))
            continue;
        ret->move = i;
        found = true;
    }
    ret->is_circle = any && !found;
    if (found)
        ret->count = planner_missing(p, ret->move, ret->list);
}

/* Things that later moves put in the same place are thought of as well, so that
 * the first one leaves room for them. */
void planner_add_companions(const planner *p, planner_agenda *ret)
{
    const builtin_move *first = &p->reading.moves[ret->move];
    for (uint32_t i = ret->move + 1; i < p->reading.count; i++) {
        const builtin_move *other = &p->reading.moves[i];
        bool alike = other->reference == first->reference &&
                     other->relation == first->relation;
        if (!alike || planner_is_satisfied(p, other))
            continue;
        const uint32_t more = planner_missing(p, i, p->scratch);
        for (uint32_t k = 0; k < more && ret->count < p->facts->object_count;
             k++)
            ret->list[ret->count++] = p->scratch[k];
    }
}
