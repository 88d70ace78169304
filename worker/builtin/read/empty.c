/* What a thing is to bear, and nothing else: "I want nothing but the lamp on
 * the desk", "the desk should be empty"; and what it keeps when it is moved:
 * "everything on it stays there". */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/set.h"

/* Of what may stay: it goes there where it is not yet. */
static etna_code bared_keep(clause *c, const chart_node *place)
{
    reader *r = c->r;
    const builtin_set kept = r->memory.last;
    const uint32_t base = r->memory.context;
    bool there = true;
    for (uint32_t i = 0; i < kept.count; i++)
        there = there && builtin_stands_on(r->facts, kept.objects[i], base);
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
    etna_code code =
        c->d.except ? refer_things(r, c->d.except, &any, &kept) : ETNA_OK;
    if (code != ETNA_OK)
        return code;
    if (kept.need < kept.count) /* "only two books", of three */
        return bared_refuse_some(c);
    code = clause_clear(c);
    if (code != ETNA_OK || !c->d.except)
        return code;
    r->memory.last = r->memory.named = kept;
    return bared_keep(c, rel);
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

static bool object_stands_there(const reader *r,
                                uint32_t object,
                                const void *context)
{
    return builtin_stands_on(r->facts, object, *(const uint32_t *)context);
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
