/* "Don't stack any of them", "not on top of each other": what the text puts onto
 * something stands on none of the other things that it puts there, and on none
 * that stand there already. */
#include "worker/builtin/read/clause_stay.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"

#include <string.h>

/* Things to stand on which each other is denied, and where they go. */
typedef struct unstacking {
    builtin_set things;
    uint32_t base;
} unstacking;

static bool move_is_upon(const reader *r, const builtin_move *m)
{
    return bit_is_in(m->relation, RELATIONS_UPON | BIT(RELATION_MIDDLE) |
                                      BIT(RELATION_EDGE) |
                                      BIT(RELATION_CORNER)) &&
           m->reference < r->facts->object_count;
}

/* What the text puts there, and what stands there and stays. */
static etna_code unstacking_find(reader *r, unstacking *ret)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        const builtin_move *const m = &r->reading->moves[i];
        if (code == ETNA_OK && move_is_upon(r, m) && m->reference == ret->base)
            code = set_union(r, &ret->things, &m->objects, &ret->things);
    }
    for (uint32_t i = 0; i < r->facts->object_count && code == ETNA_OK; i++) {
        const builtin_set one = set_one(r, i);
        const bool there = object_moves(r->facts, i) &&
                           builtin_stands_on(r->facts, i, ret->base);
        if (there && !object_is_ground(r, ret->base))
            code = set_union(r, &ret->things, &one, &ret->things);
    }
    return code;
}

static etna_code move_deny_upon(reader *r, builtin_move *m)
{
    unstacking u = {.base = m->reference};
    etna_code code = unstacking_find(r, &u);
    for (uint32_t i = 0; i < u.things.count && code == ETNA_OK; i++) {
        const destination there =
            destination_plain(RELATION_ON, u.things.objects[i]);
        builtin_condition denied = destination_condition(&there);
        denied.denied = true;
        code = move_add_condition(r, m, denied);
    }
    return code;
}

etna_code clause_read_unstacked(clause *c)
{
    const uint32_t side_by_side = BIT(RELATION_LINE) | BIT(RELATION_GROUP);
    reader *r = c->r;
    uint32_t count = 0;
    etna_code code = ETNA_OK;
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        builtin_move *const m = &r->reading->moves[i];
        if (m->relation == RELATION_STACK)
            return reader_refuse_finally(
                r, clause_refuse(c, "what is to be piled up is not to be"));
        const bool upon = move_is_upon(r, m);
        count += upon || bit_is_in(m->relation, side_by_side);
        if (code == ETNA_OK && upon)
            code = move_deny_upon(r, m);
    }
    if (code == ETNA_OK && count == 0)
        return clause_refuse(c, "what that is about is not said");
    if (code == ETNA_OK)
        reader_remark(r, c->said);
    return code;
}

/* What bears the others of a stack: the ground, too. */
static uint32_t apart_base(const reader *r, const builtin_set *things)
{
    for (uint32_t i = 0; i < things->count; i++) {
        const builtin_object *const o = object_at(r, things->objects[i]);
        for (uint32_t k = 0; k < o->by_count; k++) {
            if (!set_has(things, o->by[k]))
                return o->by[k];
        }
    }
    return BUILTIN_NONE;
}

/* "Unstack the plates", and nothing of where to: side by side on what bears
 * them. */
static etna_code apart_lay_out(reader *r)
{
    builtin_move m = {.objects = r->memory.apart,
                      .relation = RELATION_LINE,
                      .reference = BUILTIN_NONE,
                      .second = BUILTIN_NONE,
                      .support = apart_base(r, &r->memory.apart),
                      .gap = -1,
                      .faced = BUILTIN_NONE,
                      .spacing = -1};
    m.span[1] = (uint32_t)strlen(r->text);
    return move_add(r, &m);
}

etna_code moves_keep_apart(reader *r)
{
    const builtin_set *const apart = &r->memory.apart;
    bool moved = false;
    etna_code code = ETNA_OK;
    if (apart->count == 0)
        return ETNA_OK;
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        builtin_move *const m = &r->reading->moves[i];
        bool any = false;
        for (uint32_t k = 0; k < apart->count; k++)
            any = any || set_has(&m->objects, apart->objects[k]);
        moved = moved || any;
        if (code == ETNA_OK && any && move_is_upon(r, m))
            code = move_deny_upon(r, m);
    }
    if (code == ETNA_OK && !moved)
        code = apart_lay_out(r);
    if (code == ETNA_OK && !moved)
        r->memory.taken = (builtin_set){0};
    return code;
}
