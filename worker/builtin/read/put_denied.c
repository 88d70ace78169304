/* Where things are not to be put: "on the table, but not on the mat". */
#include "worker/builtin/read/put_internal.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"

/* "On the sofa, not on the armchair", of several: the one on which all that
 * goes stands now. ETNA_OK with *ret untouched: there is no such. */
static etna_code denied_find_base(put *p, const details *d, destination *ret)
{
    const refer_scope any = {.on = BUILTIN_NONE, .many = true, .any = true};
    const condition *on = d->relation_count == 1 ? &d->relations[0] : NULL;
    builtin_set called = {0};
    uint32_t found = BUILTIN_NONE;
    if (!on || d->zone_count > 0 || !on->what ||
        !bit_is_in(on->relation, BIT(REL_ON) | BIT(REL_IN)))
        return ETNA_OK;
    const etna_code code = refer_peek_things(p->r, on->what, &any, &called);
    if (code == ETNA_E_NOMEM)
        return reader_no_memory(p->r);
    for (uint32_t i = 0; code == ETNA_OK && i < called.count; i++) {
        bool all = p->movers->count > 0;
        for (uint32_t k = 0; k < p->movers->count && all; k++)
            all = builtin_stands_on(p->r->facts, p->movers->objects[k],
                                    called.objects[i]);
        if (all)
            found = called.objects[i];
    }
    if (found != BUILTIN_NONE)
        *ret = destination_plain(RELATION_ON, found);
    return ETNA_OK;
}

/* What is denied must be one relation to one thing, which can be measured. */
static etna_code put_read_denied(put *p,
                                 const chart_node *not_place,
                                 builtin_condition *ret)
{
    details d = {0};
    destinations at = {0};
    details_gather(p->r, not_place, &d);
    const reader_memory memory = p->r->memory;
    /* "next to the stove, not on it" */
    if (put_is_object(p, p->m.reference))
        p->r->memory.last = set_one(p->r, p->m.reference);
    etna_code code = destinations_gather(p->r, &d, p->movers, p->c->verb, &at);
    p->r->memory = memory; /* "it" is not what was denied */
    if (code == ETNA_E_INPUT) {
        at.list[0].reference = BUILTIN_NONE;
        const etna_code base = denied_find_base(p, &d, &at.list[0]);
        at.count = at.list[0].reference != BUILTIN_NONE;
        if (base != ETNA_OK || at.count > 0)
            code = base;
    }
    if (code != ETNA_OK)
        return code;
    const destination *s = &at.list[0];
    if (at.count != 1 || !destination_is_measured(s))
        return reader_refuse_said(
            p->r, CODE_UNREAD, not_place,
            "how that goes with the rest is not understood");
    *ret = destination_condition(s);
    ret->denied = true;
    return ETNA_OK;
}

etna_code put_denied(put *p)
{
    builtin_move *m = &p->m;
    etna_code code = ETNA_OK;
    if (p->d->denied_count == 0)
        return ETNA_OK;
    builtin_condition *also = etna_arena_alloc(
        p->r->arena, m->also_count + p->d->denied_count, sizeof *also);
    if (!also)
        return reader_no_memory(p->r);
    for (uint32_t i = 0; i < m->also_count; i++)
        also[i] = m->also[i];
    for (uint32_t i = 0; i < p->d->denied_count && code == ETNA_OK; i++)
        code = put_read_denied(p, p->d->denied[i], &also[m->also_count + i]);
    m->also = also;
    m->also_count += p->d->denied_count;
    return code;
}

etna_code put_denied_before(put *p)
{
    const reader_memory *memory = &p->r->memory;
    builtin_move *m = &p->m;
    uint32_t count = 0;
    if (memory->denied_at_count == 0 || !put_is_object(p, m->reference) ||
        !bit_is_in(m->relation, RELATIONS_ASIDE) ||
        !set_is_within(p->movers, &memory->denied))
        return ETNA_OK;
    uint32_t *left =
        etna_arena_alloc(p->r->arena, memory->denied_at_count, sizeof *left);
    if (!left)
        return reader_no_memory(p->r);
    for (uint32_t i = 0; i < memory->denied_at_count; i++) {
        if (memory->denied_at[i] != m->reference)
            left[count++] = memory->denied_at[i];
    }
    m->leaves = (builtin_set){.count = count, .objects = left, .need = count};
    return ETNA_OK;
}

etna_code put_denied_neighbour(put *p)
{
    const refer_scope scope = {.on = BUILTIN_NONE, .barred = p->movers};
    builtin_move *m = &p->m;
    const chart_node *but = p->d->except;
    uint32_t other = BUILTIN_NONE;
    const bool may_be =
        but && p->movers->count == 1 && bit_is_in(m->relation, RELATIONS_ASIDE);
    if (!may_be || node_says(but, "$det", BIT(DET_ONLY)))
        return ETNA_OK;
    const reader_memory memory = p->r->memory;
    etna_code code = refer_one(p->r, but, &scope, &other);
    p->r->memory = memory;
    if (code != ETNA_OK || other >= p->r->facts->object_count)
        return code;
    if (other == m->reference ||
        builtin_is_above(p->r->facts, other, p->movers->objects[0]))
        return ETNA_OK;
    const destination there = destination_plain(m->relation, other);
    builtin_condition denied = destination_condition(&there);
    denied.denied = true;
    return move_add_condition(p->r, m, denied);
}
