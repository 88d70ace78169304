/* Taking things up, from where they are or to somewhere else. */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/trait.h"

#include <string.h>

/* "Take away what is on the crate": off that. */
static void clause_take_up(const clause *c)
{
    reader_memory *memory = &c->r->memory;
    const bool placed = c->things && chart_child(c->things, "MOD");
    memory->last = memory->taken = memory->named = c->movers;
    if (placed && memory->context == BUILTIN_NONE)
        memory->context = removal_base(c->r, &c->movers);
}

/* Some there are, and each stands on that. */
static bool set_all_stand_on(const reader *r,
                             const builtin_set *set,
                             uint32_t base)
{
    if (base >= r->facts->object_count)
        return false;
    for (uint32_t i = 0; i < set->count; i++) {
        if (!builtin_stands_on(r->facts, set->objects[i], base))
            return false;
    }
    return set->count > 0;
}

/* "Pick up the bowl on the cabinet": it is there already, and is taken from
 * there. */
static etna_code taken_where_it_is(const clause *c, bool *ret)
{
    reader *r = c->r;
    const refer_scope place = {.flat = true, .on = BUILTIN_NONE};
    const reader before = *r;
    details rest = c->d;
    uint32_t base;
    rest.relation_count = 0;
    *ret = false;
    bool only =
        c->d.relation_count == 1 && !c->d.shift && !details_have_places(&rest);
    if (!only ||
        !bit_is_in(c->d.relations[0].relation, BIT(REL_ON) | BIT(REL_IN)))
        return ETNA_OK;
    etna_code code = refer_one(r, c->d.relations[0].what, &place, &base);
    *ret = code == ETNA_OK && set_all_stand_on(r, &c->movers, base);
    if (*ret)
        r->memory.context = base;
    else
        *r = before;
    return code == ETNA_E_INPUT ? ETNA_OK : code;
}

/* "Take it down": no way to go. */
static bool shift_is_mere_way(const chart_node *shift)
{
    bool bare = shift && !chart_find(shift, "DIST");
    return bare && bit_is_in(node_value(shift, "$dir"),
                             BIT(DIR_DOWN) | BIT(DIR_UP) | BIT(DIR_AWAY));
}

/* Is a thing of the scene called by these words, and not merely of their kind? */
static bool phrase_names_thing(reader *r, const chart_node *what)
{
    const uint32_t by_name = 12; /* hundredths: less than a kind costs */
    match_query q;
    if (!phrase_has_noun(r, what, &q))
        return false;
    bool named = false;
    for (uint32_t i = reader_match_next(r, 0, &q); i < r->facts->object_count;
         i = reader_match_next(r, i + 1, &q))
        named = named || reader_match(r, i, &q).cost < by_name;
    return named;
}

/* "Take the book with the red cover": its own, where nothing is called so.
 * Nobody takes a thing to what it is with. */
static etna_code taken_leave_traits(clause *c)
{
    details *const d = &c->d;
    for (uint32_t i = 0; i < d->relation_count;) {
        condition *const with = &d->relations[i];
        if (with->relation != REL_WITH) {
            i++;
            continue;
        }
        if (phrase_names_thing(c->r, with->what))
            return reader_refuse(c->r, CODE_UNMET, with->node,
                                 "\"%s\": that is not by it",
                                 reader_said(c->r, with->node));
        d->relation_count--;
        memmove(with, with + 1, (d->relation_count - i) * sizeof *with);
    }
    return ETNA_OK;
}

/* "take it to the shelf". */
static etna_code clause_take_somewhere(clause *c)
{
    const builtin_set *movers = &c->movers;
    bool there = false;
    etna_code code = movers_find(c, c->things, &c->movers);
    if (code == ETNA_OK)
        code = clause_drop_carried(c);
    if (code == ETNA_OK)
        code = taken_leave_traits(c);
    if (code == ETNA_OK)
        code = taken_where_it_is(c, &there);
    c->verb = VERB_PUT;
    /* "with the kettle", and no place */
    there = there || !details_lead_elsewhere(&c->d);
    if (code == ETNA_OK && there)
        clause_take_up(c);
    if (code != ETNA_OK || there)
        return code;
    code = clause_put(c);
    if (code == ETNA_OK)
        c->r->memory.last = *movers;
    return code;
}

/* What was asked for one of several takes the very one that is taken: "give
 * table 3 a menu - take the one from table 2". */
static bool taken_was_asked_for(const clause *c)
{
    const builtin_reading *reading = c->r->reading;
    if (reading->count == 0 || c->movers.count != 1)
        return false;
    const builtin_set *before = &reading->moves[reading->count - 1].objects;
    return before->need == 1 && before->count > 1 &&
           set_has(before, c->movers.objects[0]);
}

/* Which of the bases bears it; BUILTIN_NONE: none does. */
static uint32_t base_of(const reader *r,
                        uint32_t object,
                        const builtin_set *bases)
{
    for (uint32_t i = 0; i < bases->count; i++) {
        if (builtin_is_above(r->facts, object, bases->objects[i]))
            return bases->objects[i];
    }
    return BUILTIN_NONE;
}

/* "Both cups off their saucers", each of which is on one of them: each leaves
 * its own. */
static etna_code clause_take_each(clause *c, const condition *origin, bool *ret)
{
    reader *r = c->r;
    const refer_scope many = {.on = BUILTIN_NONE, .many = true, .flat = true};
    builtin_set bases = {0};
    etna_code code = refer_peek_things(r, origin->what, &many, &bases);
    *ret = code == ETNA_OK && c->movers.count > 1 && bases.count > 1;
    for (uint32_t i = 0; i < c->movers.count && *ret; i++)
        *ret = base_of(r, c->movers.objects[i], &bases) != BUILTIN_NONE;
    if (!*ret)
        return code == ETNA_E_NOMEM ? code : ETNA_OK;
    builtin_move m = move_plain(c, RELATION_OFF);
    m.objects = c->movers;
    m.reference = base_of(r, c->movers.objects[0], &bases);
    m.leaves = bases;
    code = move_add(r, &m);
    r->memory.last = r->memory.named = c->movers;
    return code;
}

/* "Take the cup from the table and put it ...", where it is not: it stands
 * neither there nor close by. */
static etna_code taken_check_there(const clause *c, const condition *origin)
{
    const double close = 1.0; /* metres */
    reader *r = c->r;
    const uint32_t base = r->memory.context;
    const bool all = c->movers.need == c->movers.count;
    for (uint32_t i = 0; i < c->movers.count && all; i++) {
        const uint32_t object = c->movers.objects[i];
        if (base >= r->facts->object_count ||
            builtin_is_above(r->facts, object, base) ||
            object_way(r, object, base) < close)
            continue;
        return reader_refuse(
            r, CODE_ABSENT, origin->node, "\"%s\": %.120s is not there",
            reader_said(r, origin->node), object_at(r, object)->name);
    }
    return ETNA_OK;
}

/* Things taken up: the next clause says where to. */
static etna_code clause_take_from(clause *c)
{
    reader *r = c->r;
    const refer_scope flat = {.on = BUILTIN_NONE, .flat = true};
    const condition *origin = details_origin(&c->d, false);
    bool each = false;
    etna_code code = movers_find(c, c->things, &c->movers);
    if (code == ETNA_OK)
        code = clause_drop_carried(c);
    if (code == ETNA_OK)
        code = taken_leave_traits(c);
    /* else it is off there */
    const bool is_open = origin && r->memory.context == BUILTIN_NONE;
    if (code == ETNA_OK && is_open)
        code = clause_take_each(c, origin, &each);
    if (code != ETNA_OK || each)
        return code;
    if (is_open)
        code = refer_one(r, origin->what, &flat, &r->memory.context);
    if (code == ETNA_OK && is_open)
        code = taken_check_there(c, origin);
    if (code != ETNA_OK)
        return code;
    if (taken_was_asked_for(c))
        r->reading->moves[r->reading->count - 1].objects = r->memory.last =
            c->movers;
    else
        clause_take_up(c);
    return ETNA_OK;
}

/* "Unstack the plates", "take the crates apart" */
static bool taken_apart(const clause *c)
{
    bool apart = false;
    for (uint32_t at = c->said->first; at < c->said->end; at++)
        apart = apart || reader_lists(c->r, at, "take: apart");
    return apart && c->movers.count > 1 && c->movers.need == c->movers.count;
}

/* "Take away the plates at chair C": to no place, and so from there. */
static bool taken_away(const clause *c)
{
    const chart_node *const verb = chart_child(c->said, "$verb");
    bool away = false;
    for (uint32_t at = verb ? verb->end : c->said->end;
         at < c->said->end && !away; at++)
        away = reader_lists(c->r, at, "bring: away");
    return away && reader_word_is(c->r, verb->first, "take");
}

static etna_code clause_take_up_or_put(clause *c)
{
    bool done = false;
    if (shift_is_mere_way(c->d.shift))
        c->d.shift = NULL;
    if (taken_away(c)) {
        const etna_code code = removal_from_there(c, &done);
        if (done || code != ETNA_OK)
            return code;
    }
    if (details_lead_elsewhere(&c->d))
        return clause_take_somewhere(c);
    for (uint32_t i = 0; i < c->d.relation_count; i++) {
        if (node_is(c->d.relations[i].what, "AND"))
            return clause_remove(c);
    }
    return clause_take_from(c);
}

etna_code clause_take(clause *c)
{
    const etna_code code = clause_take_up_or_put(c);
    if (code == ETNA_OK && taken_apart(c))
        c->r->memory.apart = c->movers;
    return code;
}

/* Does that stand on what was bared: "the vase is fine" of a table that a tray
 * was taken off? Then it is no place for it. ETNA_E_NOMEM. */
static etna_code place_is_refused(const clause *c, bool *ret)
{
    const refer_scope flat = {.on = BUILTIN_NONE, .many = true, .flat = true};
    reader *const r = c->r;
    const uint32_t base = r->memory.context;
    builtin_set at = {0};
    const etna_code code = refer_peek_things(r, c->things, &flat, &at);
    *ret = code != ETNA_OK || at.count != 1 || at.objects[0] == base ||
           set_is_within(&at, &r->memory.taken) ||
           (base < r->facts->object_count && !object_is_ground(r, base) &&
            builtin_is_above(r->facts, at.objects[0], base));
    return code == ETNA_E_NOMEM ? code : ETNA_OK;
}

etna_code clause_read_where_to(clause *c)
{
    reader *const r = c->r;
    bool refused = r->memory.taken.count == 0;
    details_gather(r, c->said, &c->d);
    c->verb = VERB_PUT;
    if (c->things && !refused) {
        const etna_code code = place_is_refused(c, &refused);
        if (code != ETNA_OK)
            return reader_no_memory(r);
        c->d.relations[c->d.relation_count++] = (condition){
            .node = c->said, .what = c->things, .relation = REL_ON, .gap = -1};
        c->things = NULL;
    }
    return refused ? clause_refuse_all(c) : clause_act(c);
}
