/* Why a step failed and why a run ended, in words. Kinds with their arguments
 * are what the core decides by, journals and hands out; these texts are made of
 * them for people, last, and nobody looks into them. */
#include "coordinator/core/core_internal.h"

const char *core_failure_name(core_failure_kind kind)
{
    static const char *const names[FAILURE_KIND_COUNT] = {
        [FAILURE_NONE] = "",
        [FAILURE_BRANCHES] = "branches",
        [FAILURE_IMPOSSIBLE] = "impossible",
        [FAILURE_PLAN] = "plan",
        [FAILURE_EDITS] = "edits",
        [FAILURE_UNREAD] = "unread",
        [FAILURE_UNREADABLE] = "unreadable",
        [FAILURE_UNPROVEN] = "unproven",
    };
    return (unsigned)kind < FAILURE_KIND_COUNT ? names[kind] : "";
}

const char *core_end_name(core_end_kind kind)
{
    static const char *const names[END_KIND_COUNT] = {
        [END_NONE] = "",
        [END_COMPLETE] = "complete",
        [END_CAP] = "cap",
        [END_IDENTICAL] = "identical_failure",
        [END_ONE_WAY] = "one_way",
        [END_UNREADABLE] = "unreadable",
        [END_CANCELLED] = "cancelled",
        [END_ERROR] = "error",
        [END_PASSED_OVER] = "passed_over",
        [END_UNPROVEN] = "unproven",
    };
    return (unsigned)kind < END_KIND_COUNT ? names[kind] : "";
}

const char *core_cap_name(core_cap cap)
{
    static const char *const names[CAP_COUNT] = {
        [CAP_BACKTRACKS] = "backtracks",
        [CAP_TOKENS] = "tokens",
        [CAP_WALL] = "wall_time",
        [CAP_MONEY] = "money",
    };
    return (unsigned)cap < CAP_COUNT && names[cap] ? names[cap] : "";
}

static void failure_add_branches(core_text *text, const run *r, const node *n)
{
    text_add(text, "no branch was accepted");
    for (uint32_t i = 0; i < n->branch_count; i++) {
        text_add(text, "; branch %u: %s", (unsigned)i,
                 memory_branch_reason(r, &n->branches[i], &r->core->scratch));
    }
}

void failure_text_add(core_text *text, const run *r, const node *n)
{
    const char *planned = n->plans[0].reason;
    switch (n->failure) {
    case FAILURE_BRANCHES: failure_add_branches(text, r, n); break;
    case FAILURE_IMPOSSIBLE:
        text_add(text,
                 "the planner says the goal cannot be reached from here: %s",
                 planned);
        break;
    case FAILURE_PLAN:
        text_add(text, "the planner's answer could not be read: %s", planned);
        break;
    case FAILURE_EDITS:
        text_add(
            text,
            "the goal is not reached within the most edits a sequence may hold");
        break;
    case FAILURE_UNREAD: text_add(text, "%s", r->unread_why); break;
    case FAILURE_UNREADABLE: text_add(text, "%s", planned); break;
    case FAILURE_UNPROVEN: text_add(text, "%s", n->unproven); break;
    case FAILURE_NONE:
    case FAILURE_KIND_COUNT: break;
    }
}

const char *failure_words(const node *n)
{
    return n->failure == FAILURE_IMPOSSIBLE ? n->plans[0].reason : n->reason;
}

static void failure_add_passed_parts(core_text *text, const run *r)
{
    text_add(text, "not all of the goal is done");
    for (uint32_t i = 0; i < r->passed_count; i++) {
        const arrange_refusal *why = &r->passed[i].refusal;
        text_add(text, "%s", i ? "; " : ": ");
        part_text_add(text, r, why);
        text_add(text, " was passed over: %s", why->what);
    }
}

static void failure_add_passed(core_text *text, const run *r)
{
    bool one = r->passed_count == 1;
    if (r->config.goal) {
        failure_add_passed_parts(text, r);
        return;
    }
    text_add(text, "%u of %u instructions %s passed over",
             (unsigned)r->passed_count, (unsigned)r->config.step_count,
             one ? "was" : "were");
    for (uint32_t i = 0; i < r->passed_count; i++) {
        const core_passed *p = &r->passed[i];
        text_add(text, "%s instruction %u: %s", i ? ";" : ":",
                 (unsigned)p->item, p->refusal.what);
    }
}

void end_text_add(core_text *text, const run *r, bool whole)
{
    const node *last = tree_node(r, r->node_count);
    const char *of_step = last && whole ? last->reason : "";
    const char *between = *of_step ? ": " : "";
    switch (r->end.kind) {
    case END_CAP: text_add(text, "%s", cap_text(r, r->end.cap)); break;
    case END_IDENTICAL:
        text_add(text, "step %u failed exactly as it did before (node %u)%s%s",
                 (unsigned)last->step, (unsigned)r->end.node, between, of_step);
        break;
    case END_ONE_WAY:
        text_add(text,
                 "step %u has no edit and this run does not backtrack%s%s",
                 (unsigned)last->step, between, of_step);
        break;
    case END_UNREADABLE: text_add(text, "%s", last->plans[0].reason); break;
    case END_CANCELLED: text_add(text, "cancelled"); break;
    case END_PASSED_OVER: failure_add_passed(text, r); break;
    case END_UNPROVEN: text_add(text, "%s", last->unproven); break;
    case END_NONE:
    case END_COMPLETE:
    case END_ERROR:
    case END_KIND_COUNT: break;
    }
}
