/* What goes along with what a clause moves: its load, which does so anyway, and
 * companions, which are moved as far the same way. */
#include "worker/builtin/read/clause.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"

#include <math.h>
#include <string.h>

/* "30 cm towards the sofa", in metres and by a thing. */
static bool clause_goes_by_thing(const clause *c)
{
    const uint32_t ways = BIT(REL_TOWARD) | BIT(REL_CLOSER) | BIT(REL_AWAY) |
                          BIT(REL_FARTHER) | BIT(REL_FROM);
    bool goes = false;
    for (uint32_t i = 0; i < c->d.relation_count; i++)
        goes = goes || (c->d.relations[i].has_gap &&
                        bit_is_in(c->d.relations[i].relation, ways));
    return goes && c->verb == VERB_MOVE;
}

/* "Table 3 along with its chairs one metre to the left": all go as far. */
static bool clause_takes_along(const clause *c,
                               const condition *with,
                               const builtin_set *things)
{
    /* "the table 30 cm to the right" has no verb */
    const bool goes = c->verb == VERB_MOVE || node_is(c->said, "STATE");
    const bool measured =
        clause_goes_by_thing(c) ||
        (goes && c->d.shift && chart_find(c->d.shift, "DIST"));
    const bool whole = c->movers.need == c->movers.count &&
                       things->need == things->count && things->count > 0;
    return measured && whole && !node_is(with->what, "PRON") &&
           !set_is_carried(c->r, things, &c->movers);
}

/* "The jar with the spoon on the tray", right behind what is moved, and a place
 * besides: both go there. */
static bool clause_may_bring(const clause *c, const condition *with)
{
    const uint32_t verbs = BIT(VERB_PUT) | BIT(VERB_MOVE) | BIT(VERB_TAKE);
    /* what is taken up comes along, wherever it is to go */
    const bool placed =
        c->d.relation_count > 1 || c->d.zone_count > 0 || c->verb == VERB_TAKE;
    if (!bit_is_in(c->verb, verbs) || !placed || !c->things)
        return false;
    if (!with->what || !with->node || !node_is(with->what, "THING"))
        return false;
    /* "the jar joins the cup on the tray", where that is */
    const bool said = reader_lists(c->r, with->what->first - 1, "$rel_company");
    return said && with->node->first == c->things->end;
}

/* Do they stand already where the movers are to go? */
static etna_code load_is_there(const clause *c,
                               const condition *with,
                               const builtin_set *load,
                               bool *ret)
{
    *ret = false;
    for (uint32_t i = 0; i < c->d.relation_count; i++) {
        const condition *const to = &c->d.relations[i];
        /* what goes beside a thing may be moved there and be beside it still */
        const bool upon = bit_is_in(to->relation, BIT(REL_ON) | BIT(REL_IN));
        if (to == with || !to->node || !upon)
            continue;
        for (uint32_t k = 0; k < load->count; k++) {
            double way = INFINITY;
            const etna_code code =
                where_holds(c->r, to->node, load->objects[k], &way);
            if (code == ETNA_E_NOMEM)
                return code;
            *ret = *ret || (code == ETNA_OK && isfinite(way));
        }
    }
    return ETNA_OK;
}

/* Does any of them stand on one of those? */
static bool set_has_carried(const reader *r,
                            const builtin_set *load,
                            const builtin_set *carriers)
{
    for (uint32_t i = 0; i < load->count; i++) {
        builtin_set one = {.objects = &load->objects[i], .count = 1, .need = 1};
        if (set_is_carried(r, &one, carriers))
            return true;
    }
    return false;
}

/* Who takes up "the pan with the kettle" sees both in one place: a lid elsewhere
 * is no cover of the book. */
static bool load_is_by(const clause *c, const builtin_set *load)
{
    const double close = 0.6; /* metres */
    bool by = c->movers.count > 0;
    for (uint32_t i = 0; i < load->count && by; i++) {
        const uint32_t next = set_nearest(c->r, &c->movers, load->objects[i]);
        by = object_way(c->r, load->objects[i], next) < close;
    }
    return by;
}

/* Do these go where the movers do? "The red book with the blue one onto the
 * shelf", where that is already, goes to it. */
static etna_code clause_brings(const clause *c,
                               const condition *with,
                               const builtin_set *load,
                               bool *ret)
{
    reader *r = c->r;
    const reader before = *r;
    const etna_error why = *r->err;
    bool there = false;
    bool moves = load->count > 0 && load->need == load->count;
    const bool seats =
        c->movers.count > 0 && object_is_seat(r, c->movers.objects[0]);
    for (uint32_t i = 0; i < load->count; i++) {
        /* chairs go along at their table, and not to its new place */
        const bool seat = !seats && object_is_seat(r, load->objects[i]);
        moves = moves && !seat && object_moves(r->facts, load->objects[i]);
    }
    *ret = false;
    if (!moves || c->movers.need != c->movers.count)
        return ETNA_OK;
    if (c->verb == VERB_TAKE && !load_is_by(c, load))
        return ETNA_OK;
    /* "the basket with the rolls", some of which lie elsewhere */
    if (!clause_may_bring(c, with) || set_has_carried(r, load, &c->movers))
        return ETNA_OK;
    const etna_code code = load_is_there(c, with, load, &there);
    *r = before;
    *r->err = why;
    *ret = !there;
    return code;
}

/* "30 cm to the left, with the vase", which stands on what is moved: it goes
 * along anyway. */
etna_code clause_drop_carried(clause *c)
{
    reader *r = c->r;
    refer_scope any = {.on = BUILTIN_NONE, .many = true, .barred = &c->movers};
    for (uint32_t i = 0; i < c->d.relation_count;) {
        condition *with = &c->d.relations[i];
        any.movers = with->what && node_says(with->what, "$det", BIT(DET_ITS));
        const reader before = *r;
        const etna_error why = *r->err;
        builtin_set load = {0};
        if (c->movers.count == 1)
            r->memory.conjunct = c->movers; /* "with its chairs" */
        /* "the table with its books before the sofa" */
        const bool own = any.movers && c->d.relation_count > 1;
        const bool known = c->d.shift || own || clause_goes_by_thing(c) ||
                           clause_may_bring(c, with);
        etna_code code = with->relation == REL_WITH && known
                             ? refer_things(r, with->what, &any, &load)
                             : ETNA_E_INPUT;
        *r = before;
        *r->err = why;
        bool brings = false;
        if (code == ETNA_OK)
            code = clause_brings(c, with, &load, &brings);
        if (code == ETNA_OK && brings)
            code = set_union(r, &c->movers, &load, &c->movers);
        else if (code == ETNA_OK && clause_takes_along(c, with, &load))
            code = clause_goes_by_thing(c)
                       ? set_union(r, &c->companions, &load, &c->companions)
                       : set_union(r, &c->movers, &load, &c->movers);
        else if (code == ETNA_OK && !set_is_carried(r, &load, &c->movers))
            code = ETNA_E_INPUT;
        if (code == ETNA_E_NOMEM)
            return reader_no_memory(r);
        if (code != ETNA_OK) {
            i++;
            continue;
        }
        c->d.relation_count--;
        memmove(with, with + 1, (c->d.relation_count - i) * sizeof *with);
    }
    return ETNA_OK;
}

/* "The table with the rug 30 cm towards the sofa": the one way of the first, for
 * all of them. */
etna_code clause_take_companions(clause *c, uint32_t at)
{
    builtin_reading *const reading = c->r->reading;
    builtin_move *const m = &reading->moves[at];
    if (c->companions.count == 0)
        return ETNA_OK;
    if (reading->count != at + 1 || m->relation != RELATION_SHIFT)
        return clause_refuse(c, "which way what goes along goes is not clear");
    m->reference = BUILTIN_NONE;
    m->gap = -1;
    return set_union(c->r, &m->objects, &c->companions, &m->objects);
}
