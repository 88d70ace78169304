/* One step, F(S, T, k) of METHODS.md 2: plan, branches, polls, choice.
 *
 *   plan ──> branch 0 ──> polls 0 1 2 ──> judged ─┐
 *        ├─> branch 1 ──> failed ─────────────────┤──> early end, or the best of all, or Failed
 *        └─> ...                                  ┘
 *
 * Tasks start as soon as what they need is there, in every mode. What a result
 * counts for differs: in `first` and `off` it counts when it comes; in
 * `ordered` it counts when every result before it in (branch, poll) order has
 * counted, and what lies behind the winner never does. `used`, caps and the
 * choice see only what counted.
 *
 * Where a network model judges and a branch may end the step, one branch is
 * judged at first and the others' evaluators wait: what they would say is paid
 * for, and seldom counts. A verdict under "good" lets all of them begin.
 *
 * With --branches-at-once the branches are opened so many at a time, the next
 * ones when all of those before have failed: an accepted branch closes the step
 * without them. Which are tried follows from what came of those before alone,
 * so that `ordered` stays reproducible. */
#include "coordinator/core/core_internal.h"

#include <string.h>

/* VULCAN's ablation without a planner and evaluators. */
static bool is_single(const run *r)
{
    return arrange_is_single(r->config.ablation);
}

/* Nobody judges a single agent but the solver and the checks. */
static uint32_t poll_count(const run *r)
{
    return is_single(r) ? 0 : r->config.polls;
}

/* Does only what comes in order count? */
static bool step_is_ordered(const run *r)
{
    return r->config.early_end == EARLY_END_ORDERED;
}

/* The plans of the branches that are open now, from `from` on. */
static void step_plan_branches(run *r, const node *n, uint32_t from)
{
    for (uint32_t i = from; i < n->opened; i++)
        task_new(r, TASK_PLAN, n->number, i, 0);
}

/* A list whose instructions have their edits is complete without asking
 * anybody. */
void step_begin(run *r)
{
    bool counted = r->config.goal == NULL && !r->config.open_list;
    bool list_done = counted && !pass_item_at(r, r->step);
    if (!list_done && cap_tokens(r))
        return;
    node *n = tree_add(r, r->step);
    if (!n)
        return;
    if (list_done) {
        claim_begin(r, n,
                    r->passed_count ? "the other instructions have their edits"
                                    : "every instruction has its edit");
        return;
    }
    uint32_t kind = is_single(r) ? TASK_BRANCH : TASK_PLAN;
    if (n->plan_count == 1) {
        task_new(r, kind, n->number, 0, 0);
    } else {
        step_plan_branches(r, n, 0);
    }
}

/* ---- choice ---- */

/* Verdicts that must be readable: 2 of 3. */
static uint32_t step_quorum(const run *r)
{
    return poll_count(r) / 2 + 1;
} /* 2 of 3 */

/* All polls are there: accepted where the mean verdict is above "fair". */
static void step_judge(run *r, branch *b)
{
    uint32_t readable = 0;
    int sum = 0;
    for (uint32_t i = 0; i < poll_count(r); i++) {
        if (b->polls[i].verdict == VERDICT_ABSTAIN)
            continue;
        readable++;
        sum += (int)b->polls[i].verdict - VERDICT_FAIR;
    }
    b->mean = readable ? (double)sum / readable : 0;
    if (readable < step_quorum(r)) {
        branch_state_set(r, b, BRANCH_UNJUDGED);
    } else {
        branch_state_set(r, b, sum > 0 ? BRANCH_ACCEPTED : BRANCH_REJECTED);
    }
}

/* Whether every evaluator found the branch good or better; an abstention is no
 * such word. */
static bool ends_early(const run *r, const branch *b)
{
    if (r->config.early_end == EARLY_END_OFF || b->state != BRANCH_ACCEPTED)
        return false;
    for (uint32_t i = 0; i < poll_count(r); i++) {
        if (b->polls[i].verdict < VERDICT_GOOD)
            return false; /* an abstention too: all must have spoken */
    }
    return true;
}

/* No branch was accepted. */
static void fail_without_winner(run *r, node *n)
{
    uint32_t role = habit_of_branches(r, n);
    if (role != ROLE_NONE) {
        search_unread(r, n, role);
        return;
    }
    refusal_of_branches(r, n);
    search_failed(r, n, FAILURE_BRANCHES);
}

/* The better of two valid branches; `best` may be NULL. */
static const branch *better_of(const branch *best, const branch *b)
{
    if (b->status != BRANCH_VALID)
        return best;
    if (!best || b->mean > best->mean)
        return b;
    return b->mean == best->mean && b->loss < best->loss ? b : best;
}

/* Highest mean, then lowest loss, then lowest number: the order of the walk. */
static void step_choose(run *r, node *n)
{
    const branch *best = NULL;
    for (uint32_t i = 0; i < n->branch_count; i++) {
        const branch *b = &n->branches[i];
        if (b->state == BRANCH_ACCEPTED)
            best = better_of(best, b);
    }
    /* VULCAN 6.4: on with the best there is, whatever was said of it */
    bool any = !best && r->config.ablation == ABLATION_NO_BACKTRACKING;
    for (uint32_t i = 0; any && i < n->branch_count; i++)
        best = better_of(best, &n->branches[i]);
    if (best) {
        search_edited(r, n, (uint32_t)(best - n->branches));
    } else {
        fail_without_winner(r, n);
    }
}

/* ---- what counts, and when ---- */

/* Once for each result, when it counts. */
static void step_count_usage(run *r, bool *applied, const message_usage *used)
{
    if (*applied)
        return;
    *applied = true;
    message_usage_add(&r->used, used);
}

/* Then nothing else is waited for but what stands before it in order. */
static bool step_has_accepted(const node *n)
{
    for (uint32_t i = 0; i < n->branch_count; i++) {
        if (n->branches[i].state == BRANCH_ACCEPTED)
            return true;
    }
    return false;
}

/* Of the open branches, which have all ended, one is taken or there are no
 * others to try. */
static bool step_may_choose(const node *n)
{
    return n->opened == n->branch_count || step_has_accepted(n);
}

static void start_waiting(run *r, node *n);

/* Of the first plan it is noted when it comes. */
static void step_note_plan(run *r, const plan *p)
{
    habit_note(r, ROLE_PLANNER, p->status == PLAN_MALFORMED ? p->reason : NULL);
}

/* All open branches came to nothing: the next ones are tried. */
static void step_open_more(run *r, node *n)
{
    uint32_t from = n->opened;
    tree_open_branches(r, n);
    if (n->plan_count > 1)
        step_plan_branches(r, n, from);
    start_waiting(r, n);
}

/* What counting one more result came to. OVER: the step or the run was
 * decided. */
typedef enum progress {
    WAITS,
    COUNTED,
    OVER
} progress;

/* Counts the next result of branch b in order. */
static progress count_next(run *r, node *n, branch *b)
{
    bool *applied;
    const message_usage *used;
    if (!b->plan->applied) {
        if (!b->plan->arrived)
            return WAITS;
        step_note_plan(r, b->plan);
        applied = &b->plan->applied;
        used = &b->plan->used;
    } else if (!b->applied) {
        if (!b->arrived)
            return WAITS;
        applied = &b->applied;
        used = &b->used;
    } else {
        poll *p = &b->polls[n->apply_poll];
        if (!p->arrived)
            return WAITS;
        n->apply_poll++;
        applied = &p->applied;
        used = &p->used;
    }
    step_count_usage(r, applied, used);
    bool whole = b->applied &&
                 (b->state == BRANCH_FAILED || n->apply_poll == poll_count(r));
    if (whole) {
        n->apply_branch++;
        n->apply_poll = 0;
        if (ends_early(r, b)) {
            search_edited(r, n, (uint32_t)(b - n->branches));
            return OVER;
        }
    }
    if (n->apply_branch == n->opened && step_may_choose(n))
        return COUNTED;
    return cap_tokens(r) ? OVER : COUNTED;
}

/* `ordered`: counts results in their order as far as they are there. */
static void settle_ordered(run *r, node *n)
{
    for (;;) {
        while (n->apply_branch < n->opened) {
            if (count_next(r, n, &n->branches[n->apply_branch]) != COUNTED)
                return;
        }
        if (step_may_choose(n))
            break;
        step_open_more(r, n);
    }
    step_choose(r, n);
}

/* Have all branches that were opened come to an end? */
static bool step_open_ended(const node *n)
{
    for (uint32_t i = 0; i < n->opened; i++) {
        if (!branch_terminal(&n->branches[i]))
            return false;
    }
    return true;
}

/* `first` and `off`: everything that is there has counted; `b` is what
 * changed. */
static void settle_at_once(run *r, node *n, const branch *b)
{
    if (r->config.early_end == EARLY_END_FIRST && ends_early(r, b)) {
        search_edited(r, n, (uint32_t)(b - n->branches));
        return;
    }
    while (step_open_ended(n) && !step_may_choose(n))
        step_open_more(r, n);
    if (step_open_ended(n)) {
        step_choose(r, n);
    } else {
        (void)cap_tokens(r);
    }
}

/* After a result: counts what now counts, and decides the step where it can
 * be. */
static void step_settle(run *r, node *n, branch *b)
{
    if (n->state != NODE_BRANCHING || r->core->failure != ETNA_OK)
        return;
    if (step_is_ordered(r)) {
        settle_ordered(r, n);
    } else {
        settle_at_once(r, n, b);
    }
}

/* ---- results ---- */

/* No -0: a record does not tell it from +0, so a replay would differ. */
static double step_plain_number(double value)
{
    return value == 0 ? 0 : value;
} /* no -0: a record does not tell it from +0 */

/* A branch that nobody will try any more. */
static void step_leave(run *r, branch *b)
{
    b->untried = b->arrived = true;
    b->reason = "not tried: the answers to those before could not be read";
    branch_state_set(r, b, BRANCH_FAILED);
}

/* Did an evaluator of the step say less than what ends a step early? One that
 * said nothing did not. */
static bool step_is_doubted(const run *r, const node *n)
{
    for (uint32_t i = 0; i < n->branch_count; i++) {
        for (uint32_t p = 0; p < poll_count(r); p++) {
            const poll *asked = &n->branches[i].polls[p];
            bool has_said = asked->arrived && asked->verdict != VERDICT_ABSTAIN;
            if (has_said && asked->verdict < VERDICT_GOOD)
                return true;
        }
    }
    return false;
}

/* Does it cost something to judge branches that may come to nothing? */
static bool judging_is_spared(const run *r)
{
    bool may_end = r->config.early_end != EARLY_END_OFF && poll_count(r) > 0;
    return may_end && habit_is_foreign(r, ROLE_EVALUATOR);
}

/* Evaluators have been asked. */
static bool branch_is_judged_now(const branch *b)
{
    return b->state == BRANCH_POLLING && b->polls_begun > 0;
}

/* Is a branch being judged that so far looks as if it ended the step? */
static bool step_may_end_now(const run *r, const node *n)
{
    if (!judging_is_spared(r) || step_is_doubted(r, n))
        return false;
    for (uint32_t i = 0; i < n->branch_count; i++) {
        if (branch_is_judged_now(&n->branches[i]))
            return true;
    }
    return false;
}

/* Something of it is under way. */
static bool branch_goes_on(const branch *b)
{
    return b->state == BRANCH_RUNNING || b->state == BRANCH_POLLING;
}

/* May the branch start? While nothing was read of a role, only one conversation
 * of it goes on, in `ordered` that of the first branch. */
static bool step_may_start(const run *r, const node *n, const branch *b)
{
    bool unproven = habit_is_unproven(r, ROLE_EXECUTOR) ||
                    (poll_count(r) && habit_is_unproven(r, ROLE_EVALUATOR));
    for (uint32_t i = 0; unproven && i < n->branch_count; i++) {
        const branch *other = &n->branches[i];
        bool is_ahead =
            step_is_ordered(r) && other < b && !branch_terminal(other);
        if (is_ahead || branch_goes_on(other))
            return false;
    }
    return !step_may_end_now(r, n);
}

/* Starts the branch's executor, if its plan is there and it may. */
static void start_branch(run *r, node *n, branch *b)
{
    bool edits = b->plan->status == PLAN_EDIT;
    if (b->state != BRANCH_WAITING || !b->plan->arrived)
        return;
    if (edits && !step_may_start(r, n, b))
        return;
    if (edits && (habit_is_hopeless(r, ROLE_EXECUTOR) ||
                  habit_is_hopeless(r, ROLE_EVALUATOR))) {
        step_leave(r, b);
        return;
    }
    /* not before the first plan asked for an edit */
    if (!step_is_ordered(r))
        step_count_usage(r, &b->plan->applied, &b->plan->used);
    if (b->plan->status == PLAN_EDIT) {
        branch_state_set(r, b, BRANCH_RUNNING);
        task_new(r, TASK_BRANCH, n->number, (uint32_t)(b - n->branches), 0);
        return;
    }
    core_text text = {0};
    text_add(&text, "its planner gave no edit: %s", b->plan->reason);
    b->reason = run_text_cut(r, text.data, ARRANGE_REASON_MAX);
    b->arrived = true;
    branch_state_set(r, b, BRANCH_FAILED);
}

/* Those that may begin now. */
static void start_waiting(run *r, node *n)
{
    for (uint32_t i = 0; n->state == NODE_BRANCHING && i < n->opened; i++)
        start_branch(r, n, &n->branches[i]);
}

/* What a step fails by whose first plan is no end of the run; NONE: it goes on,
 * with this plan or with its others. `opinion`: that the goal cannot be read is
 * what a network model thinks. */
static core_failure_kind step_failure_of(const node *n, bool opinion)
{
    const plan *p = &n->plans[0];
    if (n->last_look)
        return FAILURE_EDITS;
    if (n->plan_count > 1)
        return FAILURE_NONE;
    if (p->status == PLAN_IMPOSSIBLE || opinion)
        return FAILURE_IMPOSSIBLE;
    return p->status == PLAN_MALFORMED ? FAILURE_PLAN : FAILURE_NONE;
}

/* The first plan speaks for the step: whether it is complete, readable,
 * possible. */
static void first_plan(run *r, node *n)
{
    const plan *p = &n->plans[0];
    bool alone = n->plan_count == 1 && !n->last_look;
    bool fails = p->status == PLAN_IMPOSSIBLE || p->status == PLAN_MALFORMED;
    uint32_t role = is_single(r) ? ROLE_EXECUTOR : ROLE_PLANNER;
    bool malformed = p->status == PLAN_MALFORMED;
    /* what a network model cannot read is a failed step, and no end */
    bool opinion = habit_is_foreign(r, role) && p->status == PLAN_UNREADABLE;
    habit_note(r, role, malformed ? p->reason : NULL);
    if (malformed && n->plan_count == 1 && habit_is_foreign(r, role)) {
        search_unread(r, n, role);
        return;
    }
    if (p->status == PLAN_UNREADABLE || (alone && fails))
        refusal_of_plan(r, n, p);
    if (p->status == PLAN_UNREADABLE && !opinion) {
        search_unreadable(r, n);
        return;
    }
    if (p->status == PLAN_FINISHED) {
        claim_begin(r, n,
                    *p->reason ? p->reason
                               : "the planner says the goal is reached");
        return;
    }
    core_failure_kind failure = step_failure_of(n, opinion);
    if (failure == FAILURE_EDITS)
        refusal_say(
            r, REFUSAL_LIMIT,
            "the goal is not reached within the most edits a sequence may hold");
    if (failure == FAILURE_NONE) {
        node_state_set(r, n, NODE_BRANCHING);
    } else {
        search_failed(r, n, failure);
    }
}

/* What the result says of a plan; what it used is for the caller to say. */
static plan step_plan_of(run *r, const arrange_result *result)
{
    return (plan){.arrived = true,
                  .status = result->plan_status,
                  .instruction = run_text_cut(r, result->instruction,
                                              ARRANGE_INSTRUCTION_MAX),
                  .reason = run_text_cut(r, result->reason, ARRANGE_REASON_MAX),
                  .coordinate = {step_plain_number(result->coordinate[0]),
                                 step_plain_number(result->coordinate[1])},
                  .is_bottom = result->coordinate_is_bottom,
                  .item = result->item,
                  .part = result->part,
                  .makes_way = result->makes_way,
                  .camera = result->camera && *result->camera
                                ? run_text(r, result->camera)
                                : NULL,
                  .refusal = refusal_copy(r, &result->refusal)};
}

/* The first plan decides what the step is; the others are its branches' own. */
void step_plan_arrived(run *r,
                       node *n,
                       uint32_t plan_number,
                       const arrange_result *result)
{
    plan *p = &n->plans[plan_number];
    *p = step_plan_of(r, result);
    p->used = result->used;
    if (plan_number == 0) {
        step_count_usage(r, &p->applied, &p->used);
        if (!r->coordinates)
            r->coordinates = result->coordinates;
        first_plan(r, n);
    } else if (!step_is_ordered(r)) {
        step_note_plan(r, p);
    }
    if (n->state != NODE_BRANCHING)
        return;
    branch *changed = &n->branches[plan_number];
    if (plan_number == 0 && cap_tokens(r))
        return;
    start_waiting(r, n);
    step_settle(r, n, changed);
}

/* What a single agent planned in the conversation of its branch. False: there
 * is no edit, or none is wanted. */
static bool single_planned(run *r,
                           node *n,
                           branch *b,
                           const arrange_result *result)
{
    plan *p = b->plan;
    *p = step_plan_of(r, result);
    if (!r->coordinates)
        r->coordinates = result->coordinates;
    bool edit = p->status == PLAN_EDIT && !n->last_look;
    if (!edit)
        p->used = result->used; /* else they are its branch's */
    step_count_usage(r, &p->applied, &p->used);
    first_plan(r, n);
    if (n->state != NODE_BRANCHING)
        return false;
    branch_state_set(r, b, BRANCH_RUNNING);
    return true;
}

/* A single agent's valid branch: nobody judges it but the solver and the
 * checks. */
static void take_unjudged(run *r, node *n, uint32_t branch_number)
{
    branch *b = &n->branches[branch_number];
    branch_state_set(r, b, BRANCH_POLLING);
    branch_state_set(r, b, BRANCH_ACCEPTED);
}

/* Whose judgement `b` waits for: in `ordered` that of the branches before it,
 * in `first` of whoever is being judged. */
static bool branch_is_ahead(const run *r, const branch *other, const branch *b)
{
    if (!step_is_ordered(r))
        return other != b && branch_is_judged_now(other);
    return other < b && branch_goes_on(other);
}

/* Until a verdict of the step is none that ends it, a branch is judged alone;
 * evaluators that often have to be asked twice are asked a branch after the
 * other in any case. */
static bool polls_wait(const run *r, const node *n, const branch *b)
{
    bool one_by_one = habit_slips(r, ROLE_EVALUATOR) || !step_is_doubted(r, n);
    if (!judging_is_spared(r) || !one_by_one)
        return false;
    for (uint32_t i = 0; i < n->branch_count; i++) {
        if (branch_is_ahead(r, &n->branches[i], b))
            return true;
    }
    return false;
}

/* Only later turns wait: a conversation that was not begun has its own
 * rules. */
bool step_holds_back(const run *r, const etna_slot *slot)
{
    const node *n = tree_node(r, slot->node);
    bool goes_on = slot->turn > 0 || slot->repair > 0;
    bool is_open =
        n && n->state == NODE_BRANCHING && slot->branch < n->branch_count;
    if (slot->role != ROLE_EXECUTOR || !goes_on || !is_open)
        return false;
    if (r->queued_count > 0)
        /* who waits keeps a slot, which those it waits for may want */
        return false;
    bool is_ahead = slot->repair > 0 && step_is_ordered(r) &&
                    /* who is before it comes first */
                    polls_wait(r, n, &n->branches[slot->branch]);
    return is_ahead || step_may_end_now(r, n);
}

/* The branch's polls that have not begun: all, or while no verdict was read one
 * at a time. */
static void start_polls(run *r, node *n, branch *b)
{
    bool unproven = habit_is_unproven(r, ROLE_EVALUATOR);
    bool waits =
        unproven ? b->polls_arrived < b->polls_begun : polls_wait(r, n, b);
    if (waits)
        return;
    uint32_t end = unproven ? b->polls_begun + 1 : poll_count(r);
    for (; b->polls_begun < end && b->polls_begun < poll_count(r);
         b->polls_begun++)
        task_new(r, TASK_POLL, n->number, (uint32_t)(b - n->branches),
                 b->polls_begun);
}

/* Branches may have waited for a verdict on another one. */
static void start_polls_of_all(run *r, node *n)
{
    /* a cap may have ended the run */
    bool goes_on = r->phase == PHASE_SEARCHING && r->core->failure == ETNA_OK;
    for (uint32_t i = 0;
         goes_on && n->state == NODE_BRANCHING && i < n->branch_count; i++) {
        if (n->branches[i].state == BRANCH_POLLING)
            start_polls(r, n, &n->branches[i]);
    }
}

/* The polls that nobody will be asked any more count as abstentions. */
static void leave_polls(const run *r, branch *b)
{
    for (; b->polls_begun < poll_count(r); b->polls_begun++) {
        b->polls[b->polls_begun] =
            (poll){.arrived = true, .reason = "not asked"};
        b->polls_arrived++;
    }
}

/* What the branch's executor says it did, and what it took. */
static void branch_take(run *r, branch *b, const arrange_result *result)
{
    b->arrived = true;
    b->status = result->branch_status;
    b->object = run_text_cut(r, result->object, ARRANGE_NAME_MAX);
    b->plane = run_text_cut(r, result->plane, ARRANGE_NAME_MAX);
    b->reason = run_text_cut(r, result->reason, ARRANGE_REASON_MAX);
    if (!is_single(r))
        habit_note(r, ROLE_EXECUTOR,
                   b->status == BRANCH_MALFORMED ? b->reason : NULL);
    b->constraints = run_text(r, result->constraints);
    b->obstacle = refusal_copy_obstacle(r, &result->obstacle);
    for (int i = 0; i < 3; i++)
        b->pose.position[i] = step_plain_number(result->pose.position[i]);
    b->pose.yaw = step_plain_number(result->pose.yaw);
    b->loss = step_plain_number(result->loss);
    b->elsewhere = step_plain_number(result->elsewhere);
    b->candidates = result->candidates;
    b->survivors = result->survivors;
    b->collision_checks = result->collision_checks;
    memcpy(b->tries, result->tries, sizeof b->tries);
    b->used = result->used;
    if (!step_is_ordered(r))
        step_count_usage(r, &b->applied, &b->used);
}

/* A single agent's branch brings its plan, and is not judged. */
void step_branch_arrived(run *r,
                         node *n,
                         uint32_t branch_number,
                         const arrange_result *result)
{
    /* it has no branch: only the plan is asked */
    if (is_single(r) && n->last_look) {
        branch none = {.plan = &n->plans[0]};
        (void)single_planned(r, n, &none, result);
        return;
    }
    branch *b = &n->branches[branch_number];
    if (is_single(r) && !single_planned(r, n, b, result))
        return;
    branch_take(r, b, result);
    if (b->status == BRANCH_VALID) {
        b->snapshot = result->snapshot;
        if (is_single(r)) {
            take_unjudged(r, n, branch_number);
            step_settle(r, n, b);
            return;
        }
        branch_state_set(r, b, BRANCH_POLLING);
        start_polls(r, n, b);
    } else {
        branch_state_set(r, b, BRANCH_FAILED);
    }
    start_waiting(r, n);
    step_settle(r, n, b);
    start_polls_of_all(r, n);
}

/* With evaluators that nobody can read, the branch is decided without waiting
 * for the rest. */
static void step_poll_settled(run *r, node *n, branch *b, const poll *p)
{
    b->polls_arrived++;
    if (!p->refused)
        habit_note(r, ROLE_EVALUATOR,
                   p->verdict == VERDICT_ABSTAIN ? p->reason : NULL);
    if (habit_is_hopeless(r, ROLE_EVALUATOR))
        leave_polls(r, b);
    start_polls_of_all(r, n);
    if (b->polls_arrived == poll_count(r))
        step_judge(r, b);
    start_waiting(r, n);
    step_settle(r, n, b);
    start_polls_of_all(r, n); /* that waited for this branch */
}

void step_poll_arrived(run *r,
                       node *n,
                       uint32_t branch_number,
                       uint32_t poll_number,
                       const arrange_result *result)
{
    branch *b = &n->branches[branch_number];
    poll *p = &b->polls[poll_number];
    *p = (poll){.arrived = true,
                .verdict = result->verdict,
                .reason = run_text_cut(r, result->reason, ARRANGE_REASON_MAX),
                .used = result->used};
    if (!step_is_ordered(r))
        step_count_usage(r, &p->applied, &p->used);
    step_poll_settled(r, n, b, p);
}

/* An evaluator that could not be asked abstains. */
void step_poll_refused(run *r,
                       node *n,
                       uint32_t branch_number,
                       uint32_t poll_number,
                       const char *text)
{
    branch *b = &n->branches[branch_number];
    poll *p = &b->polls[poll_number];
    *p = (poll){.arrived = true,
                .refused = true,
                .verdict = VERDICT_ABSTAIN,
                .reason = text};
    step_poll_settled(r, n, b, p);
}

/* A branch that could not be computed is a failed one. */
void step_branch_refused(run *r,
                         node *n,
                         uint32_t branch_number,
                         const char *text)
{
    branch *b = &n->branches[branch_number];
    b->arrived = true;
    b->reason = text;
    branch_state_set(r, b, BRANCH_FAILED);
    start_waiting(r, n);
    step_settle(r, n, b);
    start_polls_of_all(r, n); /* that waited for it */
}
