/* What a thing is to bear, and nothing else: "I want nothing but the lamp on
 * the desk", "the desk should be empty"; and what it keeps when it is moved:
 * "everything on it stays there". */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/trait.h"

#include <string.h>

/* Is it there, on nothing that is cleared away? The roll on the board on the
 * desk is. */
static bool bared_stands(const clause *c, uint32_t object, uint32_t base)
{
    const builtin_object *const o = object_at(c->r, object);
    for (uint32_t i = 0; i < o->by_count; i++) {
        if (set_has(&c->movers, o->by[i]))
            return false;
    }
    return builtin_is_above(c->r->facts, object, base);
}

/* Of what may stay: it goes there where it is not yet. */
static etna_code bared_keep(clause *c, const chart_node *place)
{
    reader *r = c->r;
    const builtin_set kept = r->memory.last;
    const uint32_t base = r->memory.context;
    bool there = true;
    for (uint32_t i = 0; i < kept.count; i++)
        there = there && bared_stands(c, kept.objects[i], base);
    if (there)
        return ETNA_OK;
    const chart_node *parts[] = {c->d.except, place};
    const chart_node said = {.name = "STATE",
                             .first = c->said->first,
                             .end = c->said->end,
                             .child_count = 2,
                             .children = parts};
    clause put = {
        .r = r, .said = &said, .things = c->d.except, .verb = VERB_PUT};
    details_gather(r, &said, &put.d);
    return clause_act(&put);
}

static etna_code bared_refuse_some(const clause *c)
{
    return reader_refuse_finally(
        c->r, clause_refuse(c, "which of them are to stay is not said"));
}

/* What is to be bare; NULL: what is said is neither on nor in it. */
static const chart_node *bared_base(const clause *c, const chart_node *rel)
{
    const chart_node *word = rel ? chart_child(rel, "$rel") : NULL;
    if (!rel)
        return c->things;
    if (word && !bit_is_in(word->value, BIT(REL_ON) | BIT(REL_IN)))
        return NULL;
    return node_phrase(rel, 0);
}

static bool object_stands_there(const reader *r,
                                uint32_t object,
                                const void *context)
{
    return builtin_stands_on(r->facts, object, *(const uint32_t *)context);
}

/* What the things are to stay on; BUILTIN_NONE: it is not known. */
static etna_code bared_find_base(clause *c, uint32_t *ret)
{
    const refer_scope place = {.on = BUILTIN_NONE, .flat = true, .laden = true};
    *ret = BUILTIN_NONE;
    const etna_code code = refer_peek_one(c->r, c->things, &place, ret);
    if (code == ETNA_E_NOMEM)
        return reader_no_memory(c->r);
    if (code != ETNA_OK || *ret >= c->r->facts->object_count)
        *ret = BUILTIN_NONE;
    return ETNA_OK;
}

/* "The books in the bin, leave only one on the desk": of what is moved. */
static etna_code bared_keep_of_moved(clause *c, bool *ret_done)
{
    uint32_t base;
    clause some = *c;
    some.things = c->d.except;
    etna_code code = bared_find_base(c, &base);
    return code == ETNA_OK && base != BUILTIN_NONE
               ? clause_spare_some(&some, base, ret_done)
               : code;
}

/* "Only two books should stay on the desk", where nothing but books stands: as
 * many as are too many leave. */
static etna_code bared_drop_surplus(clause *c, const builtin_set *kept)
{
    reader *r = c->r;
    builtin_set there = {0}, others = {0};
    uint32_t base;
    etna_code code = bared_find_base(c, &base);
    if (code == ETNA_OK && base == BUILTIN_NONE)
        return bared_refuse_some(c);
    if (code == ETNA_OK)
        code = set_filter(r, object_stands_there, &base, &there);
    if (code == ETNA_OK)
        code = set_without(r, &there, kept, &others);
    if (code != ETNA_OK)
        return code;
    if (others.count > 0 || there.count <= kept->need)
        return bared_refuse_some(c);
    builtin_move m = move_plain(c, RELATION_OFF);
    m.objects = there;
    m.objects.need = there.count - kept->need;
    m.reference = base;
    return move_add(r, &m);
}

/* "All shoes into the rack, only the boots stay on the floor": of what was told
 * to go, they do not. */
static etna_code bared_spare_moved(clause *c,
                                   const builtin_set *kept,
                                   bool *ret_done)
{
    reader *const r = c->r;
    uint32_t base;
    bool goes = false;
    *ret_done = false;
    etna_code code = bared_find_base(c, &base);
    if (code != ETNA_OK || base == BUILTIN_NONE)
        return code;
    for (uint32_t i = r->first_move; i < r->reading->count && !goes; i++) {
        const builtin_move *const m = &r->reading->moves[i];
        goes = m->reference != base && kept->count > 0 &&
               kept->count < m->objects.count &&
               set_is_within(kept, &m->objects);
    }
    for (uint32_t i = 0; i < kept->count && goes; i++)
        goes = builtin_is_above(r->facts, kept->objects[i], base);
    if (!goes)
        return ETNA_OK;
    *ret_done = true;
    r->memory.last = r->memory.named = *kept;
    return moves_spare_these(r, kept);
}

/* "Nothing but the lamp on the desk": the desk is cleared of all else. */
etna_code clause_read_bared(clause *c)
{
    reader *r = c->r;
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    const chart_node *rel = chart_child(c->said, "REL");
    const chart_node *but = chart_child(c->said, "BUT");
    const chart_node *only = rel ? node_things(c->said, 0) : NULL;
    const chart_node *base = bared_base(c, rel);
    if (!base)
        return clause_refuse_all(c);
    c->d.except = but ? node_things(but, 0) : only;
    c->verb = VERB_CLEAR;
    c->things = base;
    builtin_set kept = {0};
    bool some = false;
    etna_code code = only ? bared_keep_of_moved(c, &some) : ETNA_OK;
    if (code != ETNA_OK || some)
        return code;
    if (c->d.except)
        code = refer_things(r, c->d.except, &any, &kept);
    if (code != ETNA_OK)
        return code;
    if (kept.need < kept.count) /* "only two books", of three */
        return bared_drop_surplus(c, &kept);
    code = only ? bared_spare_moved(c, &kept, &some) : ETNA_OK;
    if (code != ETNA_OK || some)
        return code;
    code = clause_clear(c);
    if (code != ETNA_OK || !c->d.except)
        return code;
    r->memory.last = r->memory.named = kept;
    return bared_keep(c, rel);
}

/* "No cushions on the sofa, only the blue one": that one is there, wherever it
 * stands now, and the others of its kind leave. */
static etna_code none_but_keep(clause *c, builtin_move *m)
{
    reader *r = c->r;
    const chart_node *const but = chart_child(c->said, "ONLYTHERE");
    const refer_scope any = {.movers = true, .many = true, .on = BUILTIN_NONE};
    builtin_set kept = {0};
    etna_code code = refer_things(r, node_things(but, 0), &any, &kept);
    if (code == ETNA_OK && kept.need < kept.count)
        return clause_refuse(c, "which of them stay there is not clear");
    if (code == ETNA_OK)
        code = set_without(r, &m->objects, &kept, &m->objects);
    if (code == ETNA_OK && m->objects.count > 0) {
        m->objects.need = m->objects.count;
        code = move_add(r, m);
    }
    r->memory.last = r->memory.named = kept;
    r->memory.context = m->reference;
    c->d.except = node_things(but, 0);
    return code == ETNA_OK ? bared_keep(c, chart_child(c->said, "REL")) : code;
}

/* "No books on the desk": those that stand there leave it. Of what stands nowhere
 * there nothing is asked. */
etna_code clause_read_none_on(clause *c)
{
    reader *r = c->r;
    const chart_node *const base = bared_base(c, chart_child(c->said, "REL"));
    refer_scope place = refer_scope_place(NULL);
    builtin_move m = move_plain(c, RELATION_OFF);
    if (!base || !c->things)
        return clause_refuse_all(c);
    place.flat = place.laden = true;
    etna_code code = refer_one(r, base, &place, &m.reference);
    const refer_scope there = {.movers = true, .many = true, .on = m.reference};
    if (code == ETNA_OK)
        code = refer_things(r, c->things, &there, &m.objects);
    if (code == ETNA_E_INPUT && strcmp(r->refusal.code, "unknown") == 0)
        return clause_refuse(c, "nothing of that kind stands there");
    if (code != ETNA_OK)
        return code;
    for (uint32_t i = 0; i < m.objects.count; i++) {
        if (!builtin_is_above(r->facts, m.objects.objects[i], m.reference))
            return clause_refuse(c, "which of them stand there is not clear");
    }
    if (chart_child(c->said, "ONLYTHERE"))
        return none_but_keep(c, &m);
    m.objects.need = m.objects.count;
    r->memory.last = r->memory.named = m.objects;
    r->memory.context = m.reference;
    return move_add(r, &m);
}

/* "Everything but the lamp comes off the desk; it can lie on the shelf": what
 * comes off has no place yet, and is what is spoken of. */
etna_code clause_read_off_all(clause *c)
{
    reader *r = c->r;
    etna_code code = clause_read_bared(c);
    if (code == ETNA_OK)
        r->memory.last = r->memory.named = c->movers;
    return code;
}

/* None of what stands there is to be moved by itself. */
static etna_code stay_on_hold(reader *r, uint32_t base)
{
    builtin_set held = {0};
    etna_code code = set_filter(r, object_stands_there, &base, &held);
    return code == ETNA_OK
               ? set_union(r, &r->memory.unshifted, &held, &r->memory.unshifted)
               : code;
}

/* "Everything on the table stays on it, but it must go to the wall": what
 * stands on a moved thing goes along anyway. */
etna_code clause_read_stay_on(clause *c)
{
    reader *r = c->r;
    const refer_scope laden = {.on = BUILTIN_NONE, .flat = true, .laden = true};
    uint32_t base = BUILTIN_NONE;
    etna_code code =
        c->things ? refer_one(r, c->things, &laden, &base) : ETNA_OK;
    if (code != ETNA_OK)
        return code;
    if (base < r->facts->object_count) {
        r->memory.last = r->memory.named = set_one(r, base);
        code = stay_on_hold(r, base);
    }
    reader_remark(r, c->said);
    return code;
}

/* ---- what was just put somewhere, and all else that is there ---- */

static etna_code clause_refuse_finally(const clause *c, const char *why)
{
    return reader_refuse_finally(c->r, clause_refuse(c, why));
}

/* What the last moves of the text put there, with those. */
static etna_code base_find_kept(reader *r, uint32_t base, builtin_set *ret)
{
    etna_code code = ETNA_OK;
    *ret = (builtin_set){0};
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        const builtin_move *const m = &r->reading->moves[i];
        const bool there = m->reference == base || m->support == base;
        if (there && code == ETNA_OK)
            code = set_union(r, ret, &m->objects, ret);
    }
    return code;
}

/* On what it puts things; BUILTIN_NONE: on nothing that is known. */
static uint32_t move_base(const reader *r, const builtin_move *m)
{
    if (m->support < r->facts->object_count)
        return m->support;
    return m->reference < r->facts->object_count ? m->reference : BUILTIN_NONE;
}

/* "The jug on the bench, nothing else there": all else that stands there leaves,
 * as it does where the bench is cleared but for the jug. */
etna_code clause_read_nothing_else(clause *c)
{
    const uint32_t upon = RELATIONS_UPON | BIT(RELATION_LINE) |
                          BIT(RELATION_MIDDLE) | BIT(RELATION_EDGE) |
                          BIT(RELATION_CORNER) | BIT(RELATION_STACK);
    reader *r = c->r;
    const builtin_move *const last = reader_last_move(r);
    const bool there = last && bit_is_in(last->relation, upon);
    const uint32_t base = there ? move_base(r, last) : BUILTIN_NONE;
    if (base == BUILTIN_NONE || last->each.count > 0 ||
        object_is_ground(r, base))
        return clause_refuse_finally(c, "of what that is said is not clear");
    builtin_set kept = {0}, stands = {0}, rest = {0};
    etna_code code = base_find_kept(r, base, &kept);
    if (code == ETNA_OK)
        code = set_filter(r, object_stands_there, &base, &stands);
    if (code == ETNA_OK)
        code = set_without(r, &stands, &kept, &rest);
    if (code != ETNA_OK)
        return code;
    if (rest.count == 0) {
        reader_remark(r, c->said);
        return ETNA_OK;
    }
    rest.need = rest.count;
    builtin_move m = move_plain(c, RELATION_OFF);
    m.objects = rest;
    m.reference = base;
    code = move_add(r, &m);
    r->memory.last = r->memory.named = kept;
    return code;
}

/* On what all of them stand; BUILTIN_NONE: on no one thing. */
static uint32_t base_of_all(const reader *r, const builtin_set *things)
{
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        bool all = things->count > 0;
        for (uint32_t k = 0; k < things->count && all; k++)
            all = builtin_stands_on(r->facts, things->objects[k], i);
        if (all)
            return i;
    }
    return BUILTIN_NONE;
}

/* "What is on the desk goes on the bench, and vice versa": all that stands on the
 * bench goes on the desk. What was asked before must be of all that is there. */
etna_code clause_read_vice_versa(clause *c)
{
    reader *r = c->r;
    const builtin_move *const last = reader_last_move(r);
    const bool one = r->reading->count == r->first_move + 1;
    if (!last || !one || last->relation != RELATION_ON ||
        last->reference >= r->facts->object_count ||
        last->objects.need != last->objects.count) /* of two things */
        return clause_refuse(c,
                             "what is to be the other way round is not clear");
    const uint32_t to = last->reference;
    const uint32_t from = base_of_all(r, &last->objects);
    builtin_set stays = {0}, others = {0}, left = {0};
    etna_code code = ETNA_OK;
    if (from != BUILTIN_NONE)
        code = set_filter(r, object_stands_there, &from, &stays);
    if (code == ETNA_OK)
        code = set_without(r, &stays, &last->objects, &left);
    if (code == ETNA_OK)
        code = set_filter(r, object_stands_there, &to, &others);
    if (code != ETNA_OK)
        return code;
    if (from == BUILTIN_NONE || left.count > 0 || object_is_ground(r, from))
        return clause_refuse_finally(
            c, "what is to be the other way round is not clear");
    if (others.count == 0)
        return clause_refuse_finally(
            c, "nothing stands there that could be exchanged");
    others.need = others.count;
    builtin_move m = move_plain(c, RELATION_ON);
    m.objects = others;
    m.reference = from;
    return move_add(r, &m);
}
