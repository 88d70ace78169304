/* Clearing a thing of what stands on it, and taking things off things. */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/trait.h"

#include <math.h>

/* ---- clear ---- */

typedef struct clearing {
    uint32_t base, level;
    builtin_set kept;
    builtin_set bases; /* "the desks": each of them; count 0: `base` alone */
} clearing;

/* Stands on the base (at that level), and neither carries what stays nor lies
 * on it. */
static bool object_is_cleared(const reader *r,
                              uint32_t object,
                              const void *context)
{
    const clearing *from = context;
    const builtin_object *o = object_at(r, object);
    if (o->is_static || set_has(&from->kept, object) ||
        !builtin_stands_on(r->facts, object, from->base))
        return false;
    double bottom = builtin_foot(o);
    if (from->level &&
        builtin_off_level(r->facts, from->base, from->level, bottom) > 0)
        return false;
    for (uint32_t k = 0; k < from->kept.count; k++) {
        const uint32_t kept = from->kept.objects[k];
        if (builtin_is_above(r->facts, kept, object) ||
            builtin_is_above(r->facts, object, kept))
            return false; /* it carries what stays, or lies on it */
    }
    return true;
}

/* A thing that others stand on, or a board of it. */
static etna_code laden_find(reader *r,
                            const chart_node *what,
                            uint32_t *ret_base,
                            uint32_t *ret_level)
{
    const refer_scope laden = {.on = BUILTIN_NONE, .flat = true, .laden = true};
    const builtin_set none = {0};
    bool is_level = false;
    etna_code code =
        refer_level(r, what, &none, &is_level, ret_base, ret_level);
    return code == ETNA_OK && !is_level ? refer_one(r, what, &laden, ret_base)
                                        : code;
}

/* One thing, or of several each: "clear the desks". */
static etna_code clearing_find_bases(reader *r,
                                     const chart_node *what,
                                     clearing *ret)
{
    const refer_scope flat = {.on = BUILTIN_NONE, .flat = true, .many = true};
    const reader before = *r;
    etna_code code = laden_find(r, what, &ret->base, &ret->level);
    const reader refused = *r;
    const etna_error why = *r->err;
    builtin_set all = {0};
    if (code != ETNA_E_INPUT)
        return code;
    *r = before;
    code = refer_things(r, what, &flat, &all);
    if (code == ETNA_E_NOMEM)
        return code;
    if (code == ETNA_OK && all.count > 1 && all.need == all.count) {
        *r->err = (etna_error){0};
        ret->bases = all;
        ret->base = all.objects[0];
        return ETNA_OK;
    }
    *r = refused;
    *r->err = why;
    return ETNA_E_INPUT;
}

static bool object_is_kept_there(const reader *r,
                                 uint32_t object,
                                 const void *context)
{
    const clearing *from = context;
    bool there = false;
    for (uint32_t i = 0; i < from->bases.count && !there; i++)
        there = builtin_stands_on(r->facts, object, from->bases.objects[i]);
    return there && set_has(&from->kept, object);
}

/* "The tables, except for the salt": that of each. Of "one cup" there must be
 * no more than one. */
static etna_code clearing_keep_of_each(reader *r,
                                       const chart_node *but,
                                       clearing *of)
{
    const refer_scope any = {.on = BUILTIN_NONE, .many = true, .any = true};
    const chart_node *parts[CONJUNCTS_MAX];
    const uint32_t count = node_conjuncts(but, parts);
    builtin_set all = {0};
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < count && code == ETNA_OK; i++) {
        const quantity said = phrase_quantity(phrase_thing(parts[i]));
        builtin_set there = {0};
        code = refer_things(r, parts[i], &any, &of->kept);
        if (code == ETNA_OK)
            code = set_filter(r, object_is_kept_there, of, &there);
        const bool some =
            (said.says & (SAYS_INDEFINITE | SAYS_ANY)) != 0 || said.number > 0;
        if (code == ETNA_OK && some &&
            there.count > (said.number ? said.number : 1))
            return reader_refuse_finally(
                r, reader_refuse_said(r, CODE_AMBIGUOUS, parts[i],
                                      "which of them is to stay is not said"));
        if (code == ETNA_OK)
            code = set_union(r, &all, &there, &all);
    }
    of->kept = all;
    return code;
}

/* What is cleared and what stays there. */
static etna_code clearing_find(clause *c, clearing *ret)
{
    reader *r = c->r;
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    bool excepts = node_is(c->things, "EXCEPT");
    const chart_node *of = excepts ? c->things->children[0] : c->things;
    const chart_node *but = excepts ? node_phrase(c->things, 1) : c->d.except;
    *ret = (clearing){.base = BUILTIN_NONE};
    etna_code code = clearing_find_bases(r, of, ret);
    if (code != ETNA_OK)
        return code;
    if (ret->base >= r->facts->object_count)
        return reader_refuse(r, CODE_UNREAD, c->said,
                             "what is to be cleared is not said");
    if (but && ret->bases.count > 0)
        return clearing_keep_of_each(r, but, ret);
    code = but ? refer_things(r, but, &any, &ret->kept) : ETNA_OK;
    /* "except for one plate", of four */
    if (code == ETNA_OK && ret->kept.need < ret->kept.count)
        return reader_refuse_said(r, CODE_AMBIGUOUS, but,
                                  "which of them is to stay is not said");
    return code;
}

/* Where what is cleared goes, as the clause says. */
static etna_code clearing_lead(clause *c, builtin_move *m)
{
    destinations at;
    etna_code code =
        destinations_gather(c->r, &c->d, &c->movers, VERB_PUT, &at);
    if (code == ETNA_OK && at.count)
        code = destinations_apply(c->r, c->said, &at, &c->movers, m);
    return code;
}

/* Is what is cleared to go onto what stands there, too? */
static bool clearing_leads_nowhere(const clearing *from,
                                   const clause *c,
                                   const builtin_move *m)
{
    return m->relation == RELATION_ON && m->reference != from->base &&
           builtin_stands_on(c->r->facts, m->reference, from->base);
}

/* "Except for the bread on its board": where what is kept stands. */
static bool clearing_tells_kept(const clearing *from,
                                const clause *c,
                                const builtin_move *m)
{
    bool there = from->kept.count > 0;
    for (uint32_t i = 0; i < from->kept.count && there; i++)
        there =
            builtin_stands_on(c->r->facts, from->kept.objects[i], m->reference);
    return there;
}

/* Of each of several what stands on it: together to where it is said, else each
 * off what it stands on. */
static etna_code clause_clear_all(clause *c, clearing *from)
{
    reader *const r = c->r;
    const bool leads = details_have_destination(&c->d);
    builtin_set all = {0};
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < from->bases.count && code == ETNA_OK; i++) {
        builtin_set some = {0};
        builtin_move m = move_plain(c, RELATION_OFF);
        from->base = m.reference = from->bases.objects[i];
        code = set_filter(r, object_is_cleared, from, &some);
        m.objects = some;
        if (code == ETNA_OK && some.count > 0 && !leads)
            code = move_add(r, &m);
        if (code == ETNA_OK)
            code = set_union(r, &all, &some, &all);
    }
    if (code != ETNA_OK)
        return code;
    if (all.count == 0)
        return reader_refuse(r, CODE_IMPOSSIBLE, c->said,
                             "nothing stands there that could be cleared away");
    c->movers = all;
    builtin_move m = move_plain(c, RELATION_OFF);
    if (leads)
        code = clearing_lead(c, &m);
    r->memory.last = r->memory.named = all;
    r->memory.kept = from->kept;
    return code == ETNA_OK && leads ? move_add(r, &m) : code;
}

/* All that stands on a thing, but for what is to stay; anywhere, or where it is
 * said. */
etna_code clause_clear(clause *c)
{
    reader *r = c->r;
    clearing from;
    etna_code code = clearing_find(c, &from);
    if (code == ETNA_OK && from.bases.count > 0)
        return clause_clear_all(c, &from);
    if (code == ETNA_OK)
        code = set_filter(r, object_is_cleared, &from, &c->movers);
    if (code != ETNA_OK)
        return code;
    const builtin_object *base = object_at(r, from.base);
    bool floor = base->is_static && refer_floor(r->facts) == from.base;
    if (floor && c->movers.count > 0)
        return clause_refuse(c, "what is to leave the floor is not said");
    if (c->movers.count == 0 && staged_is_any_gone(r)) {
        r->reading->staged++; /* "clear the table: remove all that is on it" */
        return ETNA_OK;
    }
    if (c->movers.count == 0)
        return reader_refuse(
            r, CODE_IMPOSSIBLE, c->said,
            "nothing stands on %.200s that could be cleared away", base->name);
    builtin_move m = move_plain(c, RELATION_OFF);
    m.reference = from.base;
    m.level = from.level;
    /* "onto the floor beside it" */
    r->memory.context = from.base;
    r->memory.last = c->movers;
    if (details_have_destination(&c->d))
        code = clearing_lead(c, &m);
    if (code == ETNA_OK && clearing_leads_nowhere(&from, c, &m)) {
        if (!clearing_tells_kept(&from, c, &m))
            return reader_refuse_finally(
                r, clause_refuse(c, "that stands there, too"));
        m = move_plain(c, RELATION_OFF);
        m.reference = from.base;
        m.level = from.level;
    }
    if (code != ETNA_OK)
        return code;
    r->memory.last_reference = from.base;
    r->memory.last = c->movers;
    r->memory.kept = from.kept;
    return move_add(r, &m);
}

/* What of the things on it is to leave: "of its plates"; NULL: that is not
 * said. */
static const chart_node *clearing_of(const clause *c)
{
    return node_is(c->things, "THING") ? chart_child(c->things, "OF") : NULL;
}

/* "Clear the top shelf of the rack": a board of a thing, and no things of that
 * name on it. */
static bool clearing_names_level(const clause *c)
{
    reader *const r = c->r;
    const reader before = *r;
    const etna_error why = *r->err;
    const builtin_set none = {0};
    bool is_level = false;
    uint32_t base = BUILTIN_NONE, level = 0;
    const etna_code code =
        refer_level(r, c->things, &none, &is_level, &base, &level);
    *r = before;
    *r->err = why;
    return code == ETNA_OK && is_level;
}

bool clause_clears_of(const clause *c)
{
    const chart_node *verb = chart_child(c->said, "$verb");
    if (!verb || !clearing_of(c) || clearing_names_level(c))
        return false;
    return reader_lists(c->r, verb->first, "clear: of");
}

/* The phrase without what is said of its things. ETNA_E_NOMEM. */
static etna_code phrase_without(reader *r,
                                const chart_node *phrase,
                                const chart_node *part,
                                chart_node *ret)
{
    const chart_node **kept =
        etna_arena_alloc(r->arena, phrase->child_count + 1u, sizeof *kept);
    uint32_t count = 0;
    if (!kept)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < phrase->child_count; i++) {
        if (phrase->children[i] != part)
            kept[count++] = phrase->children[i];
    }
    *ret = *phrase;
    ret->children = kept;
    ret->child_count = count;
    return ETNA_OK;
}

/* "Clear the table of plates and glasses": those of its things, and no
 * others. */
etna_code clause_clear_of(clause *c)
{
    reader *r = c->r;
    const chart_node *of = clearing_of(c);
    builtin_move m = move_plain(c, RELATION_OFF);
    refer_scope there = refer_scope_movers();
    chart_node base;
    there.many = true;
    etna_code code = phrase_without(r, c->things, of, &base);
    if (code == ETNA_OK)
        code = laden_find(r, &base, &m.reference, &m.level);
    if (code != ETNA_OK)
        return code;
    if (m.reference >= r->facts->object_count)
        return clause_refuse(c, "from what is not clear");
    there.on = m.reference;
    there.on_level = m.level;
    code = refer_things(r, node_phrase(of, 0), &there, &c->movers);
    if (code != ETNA_OK)
        return code;
    r->memory.context = r->memory.last_reference = m.reference;
    r->memory.last = r->memory.named = m.objects = c->movers;
    c->verb = VERB_PUT;
    return details_have_destination(&c->d) ? clause_put(c) : move_add(r, &m);
}

/* ---- remove ---- */

/* Was something put onto what it bears itself? */
static bool moves_bear_their_place(const reader *r, uint32_t first)
{
    for (uint32_t i = first; i < r->reading->count; i++) {
        const builtin_move *m = &r->reading->moves[i];
        const bool on =
            m->relation == RELATION_ON && m->reference < r->facts->object_count;
        for (uint32_t k = 0; on && k < m->objects.count; k++) {
            if (builtin_stands_on(r->facts, m->reference,
                                  m->objects.objects[k]))
                return true;
        }
    }
    return false;
}

/* "Clear the cups onto the tray", "take the cup to the table": as if "put" were
 * said. */
static etna_code clause_put_found(clause *c)
{
    const uint32_t first = c->r->reading->count;
    etna_code code = movers_find(c, c->things, &c->movers);
    c->verb = VERB_PUT;
    if (code == ETNA_OK)
        code = clause_put(c);
    if (code == ETNA_OK && moves_bear_their_place(c->r, first))
        return clause_refuse(c, "it stands there itself");
    return code;
}

/* "The cups on one tray": is each of them there at all? */
static etna_code removal_check(const clause *c, const builtin_move *m)
{
    /* metres: what is farther away is not on it, nor does it hang there */
    const double apart = 0.4;
    reader *r = c->r;
    const bool all = m->objects.need == m->objects.count;
    for (uint32_t i = 0; i < m->objects.count; i++) {
        const uint32_t object = m->objects.objects[i];
        const uint32_t base = m->reference;
        const builtin_object *o = object_at(r, object);
        const builtin_object *b = object_at(r, base);
        if (builtin_is_above(r->facts, object, base))
            continue;
        if (all && !o->attached)
            return reader_refuse(r, CODE_UNKNOWN, c->said,
                                 "%.100s does not stand on %.100s", o->name,
                                 b->name);
        if (object_way(r, object, base) >= apart)
            return reader_refuse(r, CODE_UNKNOWN, c->said,
                                 "%.120s is not on %.120s", o->name, b->name);
    }
    return ETNA_OK;
}

/* What leaves one of the places that are said. */
static etna_code removal_find(const clause *c,
                              const condition *from,
                              const chart_node *place,
                              builtin_move *m)
{
    reader *r = c->r;
    etna_code code = laden_find(r, place, &m->reference, &m->level);
    if (code != ETNA_OK)
        return code;
    if (m->reference >= r->facts->object_count)
        return clause_refuse(c, "from what is not clear");
    if (m->level) {
        refer_scope there = refer_scope_movers();
        there.on = m->reference;
        there.on_level = m->level;
        code = refer_things(r, c->things, &there, &m->objects);
    } else {
        clause bare = *c;
        bare.d = (details){
            .relation_count = 1, .relations = {*from}, .except = c->d.except};
        bare.d.relations[0].what = place;
        code = movers_find(&bare, c->things, &m->objects);
    }
    return code == ETNA_OK ? removal_check(c, m) : code;
}

/* Off one of them. */
static etna_code removal_add(const clause *c,
                             const condition *from,
                             const chart_node *place,
                             builtin_set *all)
{
    reader *r = c->r;
    builtin_move m = move_plain(c, RELATION_OFF);
    etna_code code = removal_find(c, from, place, &m);
    if (code == ETNA_OK)
        code = move_add(r, &m);
    if (code == ETNA_OK)
        code = set_union(r, all, &m.objects, all);
    if (code != ETNA_OK)
        return code;
    r->memory.last = *all;
    r->memory.last_reference = m.reference;
    return ETNA_OK;
}

/* "Get rid of the plate on the table": where it is, and not where it is to go,
 * as after "put away" and "clear away". */
static bool removal_says_where_it_is(const clause *c)
{
    const uint32_t there = BIT(REL_ON) | BIT(REL_IN) | BIT(REL_AT) |
                           BIT(REL_UNDER) | BIT(REL_BESIDE) | BIT(REL_BEHIND);
    return clause_word_is(c, "$verb", "clause: discards") &&
           c->d.relation_count == 1 &&
           bit_is_in(c->d.relations[0].relation, there);
}

/* Is what is to stay named before that place: "all books but the one on the
 * desk"? */
static bool except_is_before(const clause *c, const condition *place)
{
    const bool is_after = c->d.except && c->d.except->first >= place->node->end;
    return node_is(c->things, "EXCEPT") || (c->d.except && !is_after);
}

const condition *removal_place(const clause *c)
{
    if (!c->things || !removal_says_where_it_is(c) || c->d.zone_count > 0)
        return NULL;
    const condition *place = &c->d.relations[0];
    const bool is_next = place->node->first == c->things->end;
    const bool is_one = place->what && !node_is(place->what, "AND");
    return is_one && is_next && !except_is_before(c, place) ? place : NULL;
}

/* "The chair next to the ficus": of all that the words mean those that stand
 * so. */
static etna_code removal_find_so(clause *c,
                                 const condition *place,
                                 builtin_set *ret)
{
    reader *r = c->r;
    const refer_scope many = {
        .movers = true, .on = BUILTIN_NONE, .many = true, .any = true};
    builtin_set of = {0};
    etna_code code = refer_things(r, c->things, &many, &of);
    uint32_t *kept = etna_arena_alloc(r->arena, of.count + 1u, sizeof *kept);
    uint32_t count = 0;
    if (!kept)
        return reader_no_memory(r);
    for (uint32_t i = 0; i < of.count && code == ETNA_OK; i++) {
        double way = INFINITY;
        code = where_holds(r, place->node, of.objects[i], &way);
        if (code == ETNA_OK && isfinite(way))
            kept[count++] = of.objects[i];
    }
    if (code != ETNA_OK)
        return code;
    if (!count)
        return reader_refuse(r, CODE_UNKNOWN, place->node,
                             "nothing that is meant stands \"%s\"",
                             reader_said(r, place->node));
    const quantity q = phrase_quantity(c->things);
    const bool is_plural = phrase_is_plural(r, c->things);
    /* "one of the benches" */
    const bool is_part = is_plural && of.need < of.count;
    uint32_t need = is_plural && !is_part ? count : of.need;
    need = q.number ? q.number : need;
    const bool is_all = is_plural && !is_part;
    if (need > count || (is_all && !q.number && count < 2))
        return reader_refuse(r, CODE_UNKNOWN, c->things,
                             "only %u of them stand so", count);
    if (need < count && !is_part && (q.says & SAYS_DEFINITE))
        return reader_refuse(r, CODE_AMBIGUOUS, c->things,
                             "which of the %u that stand so is not said",
                             count);
    *ret = (builtin_set){.count = count, .objects = kept, .need = need};
    return ETNA_OK;
}

etna_code removal_from_place(clause *c, builtin_set *ret)
{
    builtin_move m = move_plain(c, RELATION_OFF);
    condition from = *removal_place(c);
    if (!bit_is_in(from.relation, BIT(REL_ON) | BIT(REL_IN)))
        return c->d.except ? clause_refuse_all(c)
                           : removal_find_so(c, &from, ret);
    from.relation = REL_OFF;
    etna_code code = removal_find(c, &from, from.what, &m);
    if (code == ETNA_OK)
        *ret = m.objects;
    return code;
}

/* "Clear the plates on the table", "at chair C": what says where things are, and
 * not where they are to go, as "onto the tray" does. */
static bool removal_tells_which(const clause *c)
{
    const uint32_t there = BIT(REL_ON) | BIT(REL_IN) | BIT(REL_AT) |
                           BIT(REL_UNDER) | BIT(REL_BESIDE) | BIT(REL_NEAR) |
                           BIT(REL_BEHIND) | BIT(REL_FRONT) | BIT(REL_AROUND);
    if (!c->things || c->d.relation_count != 1 || c->d.zone_count > 0 ||
        c->d.except)
        return false;
    const condition *const place = &c->d.relations[0];
    return bit_is_in(place->relation, there) && place->what &&
           place->node->first == c->things->end &&
           !reader_lists(c->r, place->node->first, "modify: way");
}

/* What all of them stand on, and no ground; BUILTIN_NONE: nothing. */
uint32_t removal_base(const reader *r, const builtin_set *things)
{
    uint32_t base = BUILTIN_NONE;
    for (uint32_t i = 0; i < things->count; i++) {
        const builtin_object *o = object_at(r, things->objects[i]);
        const uint32_t own = o->by_count == 1 ? o->by[0] : BUILTIN_NONE;
        if (own == BUILTIN_NONE || object_is_ground(r, own))
            return BUILTIN_NONE;
        if (i > 0 && own != base)
            return BUILTIN_NONE;
        base = own;
    }
    return base;
}

/* Does any of what the words mean stand so? ETNA_E_NOMEM. */
static etna_code removal_has_some(clause *c, bool *ret)
{
    const refer_scope many = {
        .movers = true, .on = BUILTIN_NONE, .many = true, .any = true};
    builtin_set of = {0};
    etna_code code = refer_peek_things(c->r, c->things, &many, &of);
    *ret = false;
    for (uint32_t i = 0; i < of.count && code == ETNA_OK && !*ret; i++) {
        double way = INFINITY;
        code = where_holds(c->r, c->d.relations[0].node, of.objects[i], &way);
        *ret = code == ETNA_OK && isfinite(way);
    }
    return code == ETNA_E_NOMEM ? code : ETNA_OK;
}

etna_code removal_from_there(clause *c, bool *ret_done)
{
    reader *const r = c->r;
    const reader before = *r;
    const etna_error why = *r->err;
    *ret_done = false;
    if (!removal_tells_which(c))
        return ETNA_OK;
    const condition *const place = &c->d.relations[0];
    const bool upon = bit_is_in(place->relation, BIT(REL_ON) | BIT(REL_IN));
    bool some = false;
    etna_code code = removal_has_some(c, &some);
    *r = before;
    *r->err = why;
    /* "clear the cups on the tray", where none is: onto it */
    if (code != ETNA_OK || (upon && !some))
        return code;
    *ret_done = true;
    builtin_move m = move_plain(c, RELATION_OFF);
    code = removal_find_so(c, place, &m.objects);
    if (code != ETNA_OK)
        return code;
    m.reference = removal_base(r, &m.objects);
    if (m.reference == BUILTIN_NONE)
        return clause_refuse(c, "it does not say on what to put it");
    r->memory.context = r->memory.last_reference = m.reference;
    r->memory.last = r->memory.named = c->movers = m.objects;
    return move_add(r, &m);
}

/* "take the cups off the table"; with a destination it is an ordinary move. */
etna_code clause_remove(clause *c)
{
    bool done = false;
    const etna_code there = removal_from_there(c, &done);
    if (done || there != ETNA_OK)
        return there;
    const condition *from = details_origin(&c->d, true);
    const chart_node *parts[CONJUNCTS_MAX];
    builtin_set all = {0};
    if (removal_says_where_it_is(c))
        return clause_refuse(c, "it does not say on what to put it");
    if (details_have_destination(&c->d))
        return clause_put_found(c);
    if (!from)
        return clause_refuse(c, "it does not say on what to put it");
    uint32_t count = node_conjuncts(from->what, parts);
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < count && code == ETNA_OK; i++)
        code = removal_add(c, from, parts[i], &all);
    return code;
}
