/* "The goal is reached": what a network model says of that, or what a list's
 * edits seem to show, is a claim. The built-in agent reads what was asked and
 * measures it on the scene as it stands, as it does of its own runs.
 *
 *   claimed ──> measured ──> it holds ──────────────> complete
 *                       ├──> it does not hold ──────> planned once more, or the run ends
 *                       └──> it cannot be read ─┬───> complete, where evaluators have accepted an edit
 *                                               └───> as what does not hold
 *
 * What cannot be read is left to those who look at pictures; a run of which
 * nobody has looked at anything is never complete by its planner's word alone.
 * The planner is told once at a place what speaks against it. */
#include "coordinator/core/core_internal.h"

#include <string.h>

/* Is it some network model's word? A list that has its edits was planned by the
 * same. Where basic functions alone are tried, nothing is checked. */
static bool claim_is_doubted(const run *r)
{
    if (arrange_is_basic(r->config.ablation))
        return false;
    bool is_single = arrange_is_single(r->config.ablation);
    return habit_is_foreign(r, is_single ? ROLE_EXECUTOR : ROLE_PLANNER);
}

/* A run with something passed over is not complete in any case. */
void claim_begin(run *r, node *n, const char *reason)
{
    if (!claim_is_doubted(r) || r->passed_count > 0) {
        search_complete(r, n, reason);
        return;
    }
    n->claimed = true;
    n->reason = run_text_cut(r, reason, ARRANGE_REASON_MAX);
    task_new(r, TASK_PLAN, n->number, 0, ARRANGE_PLAN_MEASURES);
}

/* Did an earlier step at this place fail by such a claim? */
static bool claim_was_made(const run *r, const node *n)
{
    for (uint32_t i = 0; i + 1 < n->number; i++) {
        const node *m = r->nodes[i];
        bool is_here =
            m->step == n->step && etna_hash_equal(&m->before, &n->before);
        if (is_here && m->failure == FAILURE_UNPROVEN)
            return true;
    }
    return false;
}

/* Would another plan be told something new, and could it do anything? */
static bool claim_may_be_mended(const run *r, const node *n)
{
    bool is_planned = n->plans[0].arrived && !n->last_look;
    bool goes_on = r->config.ablation != ABLATION_NO_BACKTRACKING;
    return is_planned && goes_on && !r->config.forgets && !claim_was_made(r, n);
}

static void claim_fails(run *r, node *n, const char *but, const char *why)
{
    core_text text = {0};
    text_add(&text, "%s, but %s: %s",
             n->plans[0].arrived ? "the planner says that the goal is reached"
                                 : "every instruction has its edit",
             but, why);
    n->unproven = run_text_cut(r, text.data, ARRANGE_REASON_MAX);
    if (claim_may_be_mended(r, n)) {
        search_once_more(r, n, FAILURE_UNPROVEN);
        return;
    }
    refusal_say(r, REFUSAL_MODEL, n->unproven);
    search_unproven(r, n);
}

/* Nothing can be measured: evaluators have accepted each of the edits, or there
 * is none and nobody has looked at anything. */
static void claim_stands_alone(run *r, node *n, const char *why)
{
    if (r->path_count > 0) {
        search_complete(r, n, n->reason);
        return;
    }
    claim_fails(r, n, "nothing was moved and it cannot be measured", why);
}

/* The cause alone, without advice to a user. */
static const char *claim_why(const arrange_result *result)
{
    bool has_cause = result->refusal.code != REFUSAL_NONE;
    return has_cause && result->refusal.what ? result->refusal.what
                                             : result->reason;
}

void claim_measured(run *r, node *n, const arrange_result *result)
{
    n->measured = result->used;
    message_usage_add(&r->used, &n->measured);
    switch (result->plan_status) {
    case PLAN_FINISHED: search_complete(r, n, n->reason); break;
    case PLAN_EDIT:
    case PLAN_IMPOSSIBLE:
        claim_fails(r, n, "not all of it holds", claim_why(result));
        break;
    default: claim_stands_alone(r, n, claim_why(result)); break;
    }
}

void claim_unmeasured(run *r, node *n)
{
    claim_stands_alone(r, n, "no worker could do it");
}
