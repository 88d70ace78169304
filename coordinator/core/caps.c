/* Caps (METHODS.md 2): what a run may use up. Tokens and backtracks follow from
 * results and so from the journal; time and money come from outside, so the
 * journal's record of them is a cause, not a consequence. */
#include "coordinator/core/core_internal.h"

bool cap_from_outside(core_cap kind)
{
    return kind == CAP_WALL || kind == CAP_MONEY;
}

/* Why a cap ends a run. */
static const char *const texts[CAP_COUNT] = {
    [CAP_BACKTRACKS] = "the cap of backtracks is reached",
    [CAP_TOKENS] = "the cap of tokens is reached",
    [CAP_WALL] = "the cap of wall time is reached",
    [CAP_MONEY] = "the cap of money is reached",
};

const char *cap_text(const run *r, core_cap kind)
{
    bool is_unspent = kind == CAP_MONEY && r->spent.cost_micros == 0;
    return is_unspent
               ? "the first model call may cost more than the cap of money"
               : texts[kind];
}

void cap_apply(run *r, core_cap kind)
{
    refusal_say(r, REFUSAL_LIMIT, cap_text(r, kind));
    run_search_over(r, (core_end){.kind = END_CAP, .cap = kind}, ETNA_OK, NULL);
}

void cap_reach(run *r, core_cap kind)
{
    record_cap(r, kind);
    cap_apply(r, kind);
}

bool cap_tokens(run *r)
{
    if (!r->config.max_tokens ||
        r->used.tokens_in + r->used.tokens_out < r->config.max_tokens)
        return false;
    cap_reach(r, CAP_TOKENS);
    return true;
}

bool cap_backtracks(const run *r)
{
    return r->backtracks >= r->config.max_backtracks;
}

uint64_t cap_wall_deadline(const run *r)
{
    bool runs = !r->dormant &&
                (r->phase == PHASE_IMPORTING || r->phase == PHASE_SEARCHING);
    if (!runs || !r->config.max_wall_ms)
        return CORE_NEVER;
    uint64_t left = r->config.max_wall_ms > r->clock_ms
                        ? r->config.max_wall_ms - r->clock_ms
                        : 0;
    return left < CORE_NEVER - r->clock_at ? r->clock_at + left : CORE_NEVER;
}

bool cap_wall_due(const run *r, uint64_t now)
{
    uint64_t deadline = cap_wall_deadline(r);
    return deadline != CORE_NEVER && now >= deadline;
}

/* What a call costs is known when it has ended. So that a run neither stops far
 * before its cap nor passes it by much, the call that reaches the cap is made
 * while a tenth of it or more is left, where it is not expected to pass it by a
 * tenth. */
cap_answer cap_money(const run *r, uint64_t cost_micros)
{
    uint64_t cap = r->config.max_cost_micros;
    if (!cap)
        return CAP_FITS;
    uint64_t taken = r->spent.cost_micros + r->reserved_micros;
    bool is_within = taken < cap && cost_micros <= cap - taken;
    bool is_short = taken < cap - cap / 10;
    bool may_reach = is_short && cost_micros <= cap + cap / 12 - taken;
    if (is_within || may_reach)
        return CAP_FITS;
    return r->reserved_micros ? CAP_LATER : CAP_FULL;
}
