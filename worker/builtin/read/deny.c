/* "Don't put the mug on the desk, put it on the shelf", "the mug shouldn't be on
 * the desk": where a thing is not to be is a condition of where another clause
 * of the text puts it, before or behind. */
#include "worker/builtin/read/clause_stay.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"

#include <string.h>

/* The move of this text that puts all of them somewhere, the last; NULL: none
 * does. */
static builtin_move *move_of_all(const reader *r, const builtin_set *things)
{
    for (uint32_t i = r->reading->count; i > r->first_move; i--) {
        builtin_move *const m = &r->reading->moves[i - 1];
        const bool there =
            bit_is_in(m->relation,
                      RELATIONS_UPON | RELATIONS_ASIDE | BIT(RELATION_UNDER) |
                          BIT(RELATION_AGAINST) | BIT(RELATION_CORNER) |
                          BIT(RELATION_EDGE) | BIT(RELATION_END) |
                          BIT(RELATION_MIDDLE) | BIT(RELATION_BETWEEN));
        if (there && set_is_within(things, &m->objects))
            return m;
    }
    return NULL;
}

etna_code clause_find_denied(clause *c,
                             builtin_set *ret_things,
                             builtin_condition *ret_place)
{
    reader *const r = c->r;
    const refer_scope movers = refer_scope_movers();
    details d = {0};
    destinations at = {0};
    etna_code code = c->things ? refer_things(r, c->things, &movers, ret_things)
                               : clause_refuse_all(c);
    if (code != ETNA_OK)
        return code;
    details_gather(r, c->said, &d);
    code = destinations_gather(r, &d, ret_things, VERB_PUT, &at);
    if (code != ETNA_OK)
        return code;
    if (at.count != 1 || ret_things->need < ret_things->count ||
        !destination_is_measured(&at.list[0]))
        return clause_refuse(
            c, "what not to do and conditions are not understood");
    *ret_place = destination_condition(&at.list[0]);
    ret_place->denied = true;
    return ETNA_OK;
}

/* Is it denied of the move that the move does just that? */
static bool move_does(const builtin_move *m, const builtin_condition *denied)
{
    return m->relation == denied->relation && m->reference == denied->reference;
}

static etna_code move_deny(reader *r,
                           builtin_move *m,
                           const builtin_condition *denied)
{
    if (move_does(m, denied))
        return reader_refuse(r, CODE_UNREAD, NULL,
                             "it is to be where it is not to be");
    /* what stands on the shelf does not stand on the desk */
    if (bit_is_in(m->relation, RELATIONS_UPON) &&
        bit_is_in(denied->relation, RELATIONS_UPON))
        return ETNA_OK;
    return move_add_condition(r, m, *denied);
}

etna_code clause_deny_there(clause *c)
{
    reader *const r = c->r;
    reader_denial denial = {0};
    etna_code code = clause_find_denied(c, &denial.things, &denial.place);
    if (code != ETNA_OK)
        return code;
    builtin_move *const before = move_of_all(r, &denial.things);
    r->memory.last = r->memory.named = denial.things;
    reader_remark(r, c->said);
    if (before)
        return move_deny(r, before, &denial.place);
    if (r->memory.denial.things.count > 0)
        return clause_refuse_all(c);
    r->memory.denial = denial;
    return ETNA_OK;
}

etna_code clause_read_not_do(clause *c)
{
    const bool puts = node_says(c->said, "$verb", BIT(VERB_PUT));
    return puts ? clause_deny_there(c) : clause_read_denial(c);
}

etna_code clause_note_denied(clause *c)
{
    reader *const r = c->r;
    const reader before = *r;
    const etna_error why = *r->err;
    reader_denial denial = {0};
    bool due = false;
    for (uint32_t at = c->said->first; at < c->said->end; at++)
        due = due || reader_lists(r, at, "deny: due");
    if (!due)
        return ETNA_OK;
    const etna_code code = clause_find_denied(c, &denial.things, &denial.place);
    if (code == ETNA_E_NOMEM)
        return reader_no_memory(r);
    *r = before;
    *r->err = why;
    denial.due = true;
    if (code == ETNA_OK && r->memory.denial.things.count == 0)
        r->memory.denial = denial;
    return ETNA_OK;
}

/* Are all of the things where they are not to be? */
static bool denial_is_broken(const reader *r, const reader_denial *denial)
{
    for (uint32_t i = 0; i < denial->things.count; i++) {
        if (!builtin_is_above(r->facts, denial->things.objects[i],
                              denial->place.reference))
            return false;
    }
    return denial->things.count > 0;
}

etna_code moves_take_off(reader *r)
{
    const reader_denial denial = r->memory.denial;
    if (!denial.due || denial.place.relation != RELATION_ON ||
        r->reading->count > r->first_move || !denial_is_broken(r, &denial))
        return ETNA_OK;
    builtin_move m = {.objects = denial.things,
                      .relation = RELATION_OFF,
                      .reference = denial.place.reference,
                      .second = BUILTIN_NONE,
                      .support = BUILTIN_NONE,
                      .gap = -1,
                      .faced = BUILTIN_NONE,
                      .spacing = -1};
    m.span[1] = (uint32_t)strlen(r->text);
    r->memory.denial = (reader_denial){0};
    r->memory.denied = (builtin_set){0};
    return move_add(r, &m);
}

etna_code moves_deny(reader *r)
{
    const reader_denial *const denial = &r->memory.denial;
    if (denial->things.count == 0)
        return ETNA_OK;
    builtin_move *const m = move_of_all(r, &denial->things);
    if (!m)
        return reader_refuse(r, CODE_UNREAD, NULL,
                             "where %.120s is to be instead is not said",
                             object_at(r, denial->things.objects[0])->name);
    return move_deny(r, m, &denial->place);
}
