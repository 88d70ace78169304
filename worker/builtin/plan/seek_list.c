/* Lists of places for a thing, best first: what was refused at this step or
 * made before never comes into one. */
#include "worker/builtin/plan/seek_internal.h"
#include "worker/math/vec.h"

#include <math.h>
#include <string.h>

double planner_yaw_apart(double a, double b)
{
    double apart = fabs(a - b);
    apart -= 360 * floor(apart / 360);
    return apart > 180 ? 360 - apart : apart;
}

plan planner_put(uint32_t object,
                 uint32_t support,
                 const double at[3],
                 double slack)
{
    plan chosen = {.exact = {.kind = EXACT_PUT,
                             .object = object,
                             .support = support,
                             .slack = slack},
                   .because = ""};
    memcpy(chosen.exact.at, at, 3 * sizeof *at);
    return chosen;
}

void planner_mark_into(const builtin_move *move, plan *chosen)
{
    builtin_exact *exact = &chosen->exact;
    exact->into = move->relation == RELATION_IN && exact->kind == EXACT_PUT &&
                  exact->support == move->reference;
}

void seek_add(const planner *p, plan_list *list, const plan *next)
{
    if (list->count == PLANS_MAX || planner_was_refused(p, next))
        return;
    list->items[list->count++] = *next;
}

void seek_drop_refused(const planner *p, plan_list *list, uint32_t from)
{
    uint32_t kept = from;
    for (uint32_t i = from; i < list->count; i++) {
        if (!planner_was_refused(p, &list->items[i]))
            list->items[kept++] = list->items[i];
    }
    list->count = kept;
}

/* The same place with more and more slack: the nearest that holds is taken. */
void seek_add_widening(const planner *p,
                       plan_list *list,
                       const plan *next,
                       double widest)
{
    plan wider = *next;
    seek_add(p, list, next);
    for (double slack = math_max(2 * next->exact.slack, 0.05); slack < widest;
         slack *= 2) {
        wider.exact.slack = slack;
        seek_add(p, list, &wider);
    }
    if (widest <= next->exact.slack)
        return;
    wider.exact.slack = widest;
    seek_add(p, list, &wider);
}

/* The first, with all others as alternatives; NULL: out of memory. */
const plan *planner_first(const planner *p, const plan_list *list)
{
    plan *first =
        etna_arena_memdup(p->talk->arena, &list->items[0], sizeof *first);
    builtin_exact *others =
        etna_arena_alloc(p->talk->arena, PLANS_MAX, sizeof *others);
    if (!first || !others)
        return NULL;
    for (uint32_t i = 1; i < list->count; i++)
        others[i - 1] = list->items[i].exact;
    first->others = others;
    first->other_count = list->count - 1;
    return first;
}

/* The best place alone, for tactics that only ask whether there is one. */
etna_code planner_find_place(const planner *p,
                             const builtin_move *move,
                             const uint32_t *list,
                             uint32_t count,
                             plan *ret,
                             bool *ret_found)
{
    plan_list *plans = etna_arena_alloc(p->talk->arena, 1, sizeof *plans);
    if (!plans)
        return planner_no_memory(p);
    etna_code code = planner_seek(p, move, list[0], list + 1, count - 1, plans);
    *ret_found = code == ETNA_OK && plans->count > 0;
    if (!*ret_found)
        return code;
    const plan *first = planner_first(p, plans);
    if (!first)
        return planner_no_memory(p);
    *ret = *first;
    return ETNA_OK;
}
