/* Which verb a clause means that has none. */
#include "worker/builtin/read/clause_state.h"
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/refer_internal.h"

/* "Add a stool by the door and a stool by the window", "another one by the
 * window": the second comes, too, where "and the orange by the window" is of the
 * scene. */
static bool state_adds(const clause *c)
{
    if (c->r->memory.verb != VERB_ADD || !c->things)
        return false;
    const chart_node *parts[CONJUNCTS_MAX];
    const uint32_t count = node_conjuncts(c->things, parts);
    for (uint32_t i = 0; i < count; i++) {
        const quantity q = phrase_quantity(parts[i]);
        const bool is_any =
            (q.says & (SAYS_INDEFINITE | SAYS_OTHER)) || q.number;
        if (!is_any || (q.says & SAYS_DEFINITE))
            return false;
    }
    return true;
}

bool state_trades(const clause *c)
{
    return chart_find(c->said, "$swapping") ||
           chart_child(c->said, "EACHTHERE");
}

/* "The chair looks at the window, the stool at the door": that is turned, too,
 * and goes nowhere. */
static bool state_looks_on(const clause *c)
{
    const reader *const r = c->r;
    const uint32_t ways = BIT(REL_AT) | BIT(REL_TO) | BIT(REL_TOWARD);
    const builtin_move *const last = reader_last_move(r);
    const details *const d = &c->d;
    if (!last || last->relation != RELATION_TURNED || !c->things ||
        last->facing != FACING_TO ||
        last->span[0] < r->s->tokens[r->part->first].at)
        return false;
    return d->relation_count == 1 && d->zone_count == 0 &&
           !d->relations[0].has_gap &&
           bit_is_in(d->relations[0].relation, ways);
}

lexicon_verb state_verb(const clause *c)
{
    const uint32_t carried = BIT(VERB_HANG) | BIT(VERB_TURN) | BIT(VERB_MOVE);
    const chart_node *pp = chart_child(c->said, "$pp");
    if (pp)
        return (lexicon_verb)pp->value;
    const chart_node *verb = chart_child(c->said, "$verb");
    if (chart_child(c->said, "$be_hung") || (verb && verb->value == VERB_HANG))
        return VERB_HANG;
    if (state_trades(c))
        return VERB_SWAP;
    if (state_is_bare(c) && state_looks_on(c))
        return VERB_TURN;
    bool carries_on = state_is_bare(c) &&
                      (bit_is_in(c->r->memory.verb, carried) || state_adds(c));
    return carries_on ? c->r->memory.verb : VERB_PUT;
}
