/* Models whose answers cannot be read. One slip costs its conversation a turn;
 * a habit would cost every conversation of a step, and going back would not
 * mend it. So until something of a role was read in a run, it is tried by one
 * conversation at a time (in `ordered` those of the branches in order, so that
 * what is found out does not depend on who is fast), and when a step fails by
 * nothing but unreadable answers, or by a role that is not asked any more, the
 * run stops and says so: another model can go on with it. Only what a network
 * model plays is doubted. */
#include "coordinator/core/core_internal.h"

/* When a role is given up, and from when on it counts as one that often
 * slips. */
enum {
    /* conversations of a planner in a row, each a step tried anew */
    PLANS_MOST = 3,
    /* of an executor or of evaluators of which nothing was read */
    OTHERS_MOST = 2,
    SLIPS_LEAST = 2, /* conversations with an answer that was none .. */
    SLIPS_IN = 4     /* .. and at least one in so many */
};

bool habit_is_foreign(const run *r, uint32_t role)
{
    return (r->config.foreign & 1u << role) != 0;
}

void habit_note(run *r, uint32_t role, const char *why)
{
    if (!habit_is_foreign(r, role))
        return;
    if (!why) {
        r->was_read[role] = true;
        r->unread[role] = 0;
        return;
    }
    if (r->unread[role]++ == 0)
        r->unread_first[role] = why;
}

void habit_forget(run *r)
{
    for (uint32_t i = 0; i < ROLE_COUNT; i++) {
        r->was_read[i] = false;
        r->unread[i] = 0;
        r->asked[i] = r->asked_again[i] = 0;
    }
}

bool habit_is_unproven(const run *r, uint32_t role)
{
    return habit_is_foreign(r, role) && !r->was_read[role];
}

bool habit_is_hopeless(const run *r, uint32_t role)
{
    return habit_is_unproven(r, role) && r->unread[role] >= OTHERS_MOST;
}

void habit_count(run *r, const etna_slot *slot)
{
    bool is_first = slot->turn == 0 && slot->repair == 0;
    if (slot->role >= ROLE_COUNT)
        return;
    r->asked[slot->role] += is_first;
    r->asked_again[slot->role] += slot->repair == 1;
}

bool habit_slips(const run *r, uint32_t role)
{
    bool often = r->asked_again[role] * SLIPS_IN >= r->asked[role];
    return habit_is_foreign(r, role) && often &&
           r->asked_again[role] >= SLIPS_LEAST;
}

/* Whether workers could ask all of the branch's evaluators. */
static bool habit_was_asked(const run *r, const branch *b)
{
    for (uint32_t i = 0; i < r->config.polls; i++) {
        if (b->polls[i].refused)
            return false;
    }
    return true;
}

/* The role whose unreadable answer ended the branch. */
static uint32_t habit_of_branch(const run *r, const branch *b)
{
    if (b->state == BRANCH_UNJUDGED)
        return habit_was_asked(r, b) ? ROLE_EVALUATOR : ROLE_NONE;
    if (b->status == BRANCH_MALFORMED)
        return ROLE_EXECUTOR;
    return b->plan->status == PLAN_MALFORMED ? ROLE_PLANNER : ROLE_NONE;
}

uint32_t habit_of_branches(const run *r, const node *n)
{
    uint32_t first = ROLE_NONE;
    if (habit_is_hopeless(r, ROLE_EXECUTOR))
        return ROLE_EXECUTOR;
    if (habit_is_hopeless(r, ROLE_EVALUATOR))
        return ROLE_EVALUATOR;
    for (uint32_t i = 0; i < n->branch_count; i++) {
        const branch *b = &n->branches[i];
        uint32_t role = habit_of_branch(r, b);
        if (b->untried)
            continue;
        if (role == ROLE_NONE || !habit_is_foreign(r, role))
            return ROLE_NONE;
        if (first == ROLE_NONE)
            first = role;
    }
    return first;
}

/* The model that was asked in this role last. */
static const char *model_of(const run *r, uint32_t role)
{
    for (const call *a = r->calls; a; a = a->before) {
        if (a->slot.role == role && a->model)
            return a->model;
    }
    return r->config.model;
}

/* Why the run stops, for people. */
static const char *habit_text(run *r, uint32_t role)
{
    core_text text = {0};
    const char *why = r->unread_first[role];
    text_add(&text, "the answers of %s can't be read: %s", model_of(r, role),
             why && *why ? why : "they say nothing");
    return run_text_cut(r, text.data, ARRANGE_REASON_MAX);
}

static void habit_suspend(run *r)
{
    if (r->core->replaying || r->core->failure != ETNA_OK)
        return; /* the journal says that it was */
    r->outage = r->unread_why;
    r->rests_by = ETNA_E_NETWORK;
    r->stuck = true;
    run_suspend(r);
    narrate_outage(r);
}

/* Does a planner get another conversation? */
static bool may_plan_again(const run *r, uint32_t role)
{
    return role == ROLE_PLANNER && r->unread[role] < PLANS_MOST;
}

void search_unread(run *r, node *n, uint32_t role)
{
    bool again = may_plan_again(r, role);
    r->unread_why = habit_text(r, role);
    search_once_more(r, n, FAILURE_UNREAD);
    if (again || r->phase != PHASE_SEARCHING)
        return;
    for (uint32_t i = 0; i < ROLE_COUNT; i++)
        r->unread[i] = 0; /* whoever goes on with it begins anew */
    habit_suspend(r);
}
