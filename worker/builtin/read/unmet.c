/* What is told not to be as it should: "the chair isn't turned to the desk",
 * "I can't see the screen from the sofa". It asks for nothing by itself, and is
 * asked for by what refers to it: "change that", "turn it that way". */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/set.h"

/* The clause with its words of asking and denying left out, as what should be.
 * NULL: out of memory. */
static const chart_node *unmet_make(const reader *r,
                                    const chart_node *said,
                                    const char *name)
{
    chart_node *made = etna_arena_memdup(r->arena, said, sizeof *made);
    const chart_node **kept =
        etna_arena_alloc(r->arena, said->child_count + 1u, sizeof *kept);
    if (!made || !kept)
        return NULL;
    made->name = name;
    made->child_count = 0;
    made->children = kept;
    for (uint32_t i = 0; i < said->child_count; i++) {
        if (!said->children[i]->is_terminal)
            kept[made->child_count++] = said->children[i];
    }
    return made;
}

etna_code unmet_note(clause *c)
{
    reader *r = c->r;
    const chart_node *said = unmet_make(r, c->said, "STATE");
    if (!said)
        return reader_no_memory(r);
    r->memory.unmet = (reader_unmet){.said = said, .s = r->s, .part = r->part};
    return ETNA_OK;
}

etna_code unmet_await(reader *r, const builtin_set *about, uint32_t from)
{
    r->memory.awaited_from = from;
    return set_union(r, &r->memory.awaited, about, &r->memory.awaited);
}

bool unmet_is_left(const reader *r)
{
    const builtin_set *awaited = &r->memory.awaited;
    for (uint32_t k = 0; k < awaited->count; k++) {
        bool found = false;
        const uint32_t of = awaited->objects[k];
        for (uint32_t i = r->memory.awaited_from; i < r->reading->count; i++) {
            const builtin_move *m = &r->reading->moves[i];
            /* "clear it, whatever is on it can go on the shelf" */
            const bool cleared =
                r->memory.context == of && m->objects.count > 0 &&
                builtin_stands_on(r->facts, m->objects.objects[0], of);
            found = found || cleared || m->reference == of ||
                    set_has(&m->objects, of);
        }
        if (!found)
            return true;
    }
    return false;
}

/* The one that stands somewhere is spoken of, and "there" is where it should
 * be. What of it cannot be told is left open. */
static etna_code unmet_speak_of(clause *c)
{
    reader *r = c->r;
    const refer_scope movers = refer_scope_movers();
    const chart_node *rel = chart_child(c->said, "REL");
    const chart_node *where = rel ? node_phrase(rel, 0) : NULL;
    builtin_set about = {0};
    uint32_t place = BUILTIN_NONE;
    etna_code code = refer_things(r, c->things, &movers, &about);
    if (code != ETNA_OK)
        return code;
    const refer_scope there = refer_scope_place(&about);
    code = where ? refer_peek_one(r, where, &there, &place) : ETNA_OK;
    if (code == ETNA_E_NOMEM)
        return reader_no_memory(r);
    r->memory.last = r->memory.named = about;
    if (code == ETNA_OK && place < r->facts->object_count) {
        r->memory.last_reference = place;
        r->memory.there = (reader_there){
            .object = place + 1,
            .relation = preposition_to(r, &about, place, REL_TO)};
    }
    reader_remark(r, c->said);
    /* It is no mere remark: something must be asked of that thing. */
    return about.need == about.count
               ? set_union(r, &r->memory.denied, &about, &r->memory.denied)
               : ETNA_OK;
}

/* "Why isn't the cup on the shelf?" */
etna_code clause_read_unmet(clause *c)
{
    etna_code code = unmet_speak_of(c);
    return code == ETNA_OK ? unmet_note(c) : code;
}

/* "There's no shade on the table. Put the parasol over it": the place is spoken
 * of next, and no thing that is not there. */
etna_code clause_read_lack(clause *c)
{
    reader *r = c->r;
    const builtin_set none = {0};
    const refer_scope scope = refer_scope_place(&none);
    const chart_node *rel = chart_child(c->said, "REL");
    const chart_node *where = rel ? node_phrase(rel, 0) : c->things;
    uint32_t place = BUILTIN_NONE;
    if (!where)
        return clause_refuse_all(c);
    etna_code code = refer_one(r, where, &scope, &place);
    if (code != ETNA_OK)
        return code;
    if (place >= r->facts->object_count)
        return clause_refuse_all(c);
    r->memory.last = r->memory.named = set_one(r, place);
    r->memory.there = (reader_there){0};
    reader_remark(r, c->said);
    return ETNA_OK;
}

/* "I want my phone within reach": where that is must be told. */
etna_code clause_read_wished(clause *c)
{
    reader *r = c->r;
    const refer_scope movers = refer_scope_movers();
    builtin_set wished = {0};
    if (!c->things || r->memory.denied.count > 0)
        return clause_refuse_all(c);
    etna_code code = refer_things(r, c->things, &movers, &wished);
    if (code != ETNA_OK)
        return code;
    r->memory.last = r->memory.named = r->memory.denied = wished;
    reader_remark(r, c->said);
    return ETNA_OK;
}

/* "I can't see the screen from the sofa": it is the sofa that looks elsewhere.
 * Its things are told in either order. */
etna_code clause_read_unseen(clause *c)
{
    reader *r = c->r;
    const bool from_first = c->said->children[0]->is_terminal &&
                            node_is(c->said->children[0], "$from_");
    const chart_node *seat = node_things(c->said, from_first ? 0 : 1);
    const chart_node *seen = node_things(c->said, from_first ? 1 : 0);
    const refer_scope movers = refer_scope_movers();
    builtin_set about = {0};
    if (!seat || !seen)
        return clause_refuse_all(c);
    etna_code code = refer_things(r, seat, &movers, &about);
    if (code != ETNA_OK)
        return code;
    chart_node *sight = etna_arena_memdup(r->arena, c->said, sizeof *sight);
    chart_node *said = etna_arena_memdup(r->arena, c->said, sizeof *said);
    const chart_node **parts = etna_arena_alloc(r->arena, 3, sizeof *parts);
    if (!sight || !said || !parts)
        return reader_no_memory(r);
    parts[0] = seat;
    parts[1] = sight;
    parts[2] = seen;
    *said = (chart_node){.name = "STATE",
                         .first = c->said->first,
                         .end = c->said->end,
                         .child_count = 2,
                         .children = parts};
    *sight = (chart_node){.name = "SEES",
                          .first = c->said->first,
                          .end = c->said->end,
                          .child_count = 1,
                          .children = &parts[2]};
    r->memory.unmet = (reader_unmet){.said = said, .s = r->s, .part = r->part};
    r->memory.last = r->memory.named = about;
    reader_remark(r, c->said);
    return ETNA_OK;
}

/* Reads it as what is asked. */
static etna_code unmet_ask(reader *r)
{
    const reader_unmet asked = r->memory.unmet;
    const sentence *const s = r->s;
    const sentence_part *const part = r->part;
    r->memory.unmet = (reader_unmet){0};
    r->s = asked.s;
    r->part = asked.part;
    etna_code code = clause_read(r, asked.said);
    r->s = s;
    r->part = part;
    return code;
}

/* Does it touch, or stand against, something? */
static bool gap_is_to_other(const chart_node *rel)
{
    return chart_child(rel, "$rel_touch") ||
           node_says(rel, "$rel", BIT(REL_AGAINST));
}

etna_code clause_read_gap_told(clause *c)
{
    reader *r = c->r;
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    const chart_node *const rel = chart_child(c->said, "REL");
    const chart_node *const said =
        unmet_make(r, c->said, rel ? "STATE" : "GAPPED");
    builtin_set about = {0};
    if (!said)
        return reader_no_memory(r);
    if (!c->things || (rel && !gap_is_to_other(rel)))
        return clause_refuse_all(c);
    etna_code code = refer_things(r, c->things, &any, &about);
    if (code != ETNA_OK)
        return code;
    r->memory.unmet = (reader_unmet){
        .said = said, .s = r->s, .part = r->part, .is_gap = true};
    r->memory.last = r->memory.named = about;
    reader_remark(r, c->said);
    return unmet_await(r, &about, r->reading->count);
}

etna_code clause_read_close_gap(clause *c)
{
    const reader_unmet *const unmet = &c->r->memory.unmet;
    return unmet->said && unmet->is_gap ? unmet_ask(c->r)
                                        : clause_refuse_all(c);
}

/* "Fix that" */
etna_code clause_read_mend(clause *c)
{
    return c->r->memory.unmet.said ? unmet_ask(c->r) : clause_refuse_all(c);
}

/* The move of this text that turns these things to face something; NULL: there
 * is none. */
static const builtin_move *turned_already(const clause *c)
{
    const builtin_reading *reading = c->r->reading;
    for (uint32_t i = reading->count; i > c->r->first_move; i--) {
        const builtin_move *m = &reading->moves[i - 1];
        const bool turns = m->facing || m->relation == RELATION_TURN ||
                           m->relation == RELATION_TURNED;
        if (turns && set_is_within(&c->movers, &m->objects))
            return m;
    }
    return NULL;
}

bool clause_turns_as_told(const clause *c)
{
    const details *d = &c->d;
    const bool how = d->angle || d->face || d->back_to || d->straight;
    if (how || d->shift || details_have_places(d))
        return false;
    return c->r->memory.unmet.said || turned_already(c);
}

/* "Turn it", where what it should face was told. */
etna_code clause_turn_as_told(const clause *c)
{
    reader *r = c->r;
    const uint32_t first = r->reading->count;
    if (turned_already(c))
        return ETNA_OK;
    etna_code code = unmet_ask(r);
    for (uint32_t i = first; i < r->reading->count && code == ETNA_OK; i++) {
        const builtin_move *m = &r->reading->moves[i];
        const bool turns = m->facing || m->relation == RELATION_TURN ||
                           m->relation == RELATION_TURNED;
        if (!turns || !set_is_within(&m->objects, &c->movers))
            code = clause_refuse_all(c);
    }
    return code;
}
