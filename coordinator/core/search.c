/* Algorithm 2 (METHODS.md 2): depth-first with an anchor. k is the step under
 * way, d_max the deepest step reached, d_a the anchor. A breakthrough (a deeper
 * step than ever) moves the anchor there; a failure halves it and goes back to
 * it:
 *
 *     k: 1 2 3 4✗        d_a 4 -> 2: keep S_0..S_1, go on at step 2
 *          2 3✗          d_a 2 -> 1: keep S_0, go on at step 1
 *        1 2 3 4 5 ...   5 > d_max: d_a = d_max = 5
 *
 * The best of all scenes reached (most edits, the latest among equals) is what
 * a run keeps that does not complete. Edits at its end that only made way for
 * what then failed are no part of it. */
#include "coordinator/core/core_internal.h"

#include <string.h>

void search_begin(run *r)
{
    r->step = r->anchor = r->depth_max = 1;
    step_begin(r);
}

/* The node's work is over: its tasks go, its handles are stale, and branches
 * that do not count are dropped. In `ordered` only the first `counted` branches
 * do; else those that are judged or failed by now. */
static void close_node(run *r, node *n, core_node_state state, uint32_t counted)
{
    node_state_set(r, n, state);
    n->generation++;
    n->decided_ms = run_time_ms(r);
    task_drop_node(r, n->number);
    bool ordered = r->config.early_end == EARLY_END_ORDERED;
    n->judged = 0;
    for (uint32_t i = 0; i < n->branch_count; i++) {
        branch *b = &n->branches[i];
        if (!branch_terminal(b) || (ordered && i >= counted))
            branch_state_set(r, b, BRANCH_DROPPED);
        if (b->state != BRANCH_DROPPED)
            n->judged++;
    }
}

void search_stop_node(run *r)
{
    node *n = tree_node(r, r->node_count);
    if (n && (n->state == NODE_PLANNING || n->state == NODE_BRANCHING))
        close_node(r, n, NODE_STOPPED, n->apply_branch);
}

void search_complete(run *r, node *n, const char *reason)
{
    close_node(r, n, NODE_COMPLETE, 0);
    n->reason = run_text_cut(r, reason, ARRANGE_REASON_MAX);
    record_decision(r, n, 0);
    if (r->passed_count > 0) {
        pass_end(r);
    } else {
        run_search_over(r, (core_end){.kind = END_COMPLETE}, ETNA_OK,
                        n->reason);
    }
}

static void search_note_best(run *r)
{
    const uint32_t kept = tree_kept(r, r->path, r->path_count);
    if (kept < r->best_count)
        return;
    memcpy(r->best, r->path, kept * sizeof *r->path);
    r->best_count = kept;
}

void search_edited(run *r, node *n, uint32_t winner)
{
    n->winner = (int32_t)winner;
    uint32_t counted =
        n->apply_branch > winner + 1 ? n->apply_branch : winner + 1;
    close_node(r, n, NODE_EDITED, counted);
    r->path[r->path_count++] = n->number;
    if (r->step + 1 > r->depth_max) {
        r->depth_max = r->anchor = r->step + 1;
        r->stuck_at = 0;
    }
    search_note_best(r);
    r->step++;
    record_decision(r, n, r->step);
    step_begin(r);
}

/* Edits that are left behind remember what failed after them: the next plan at
 * their step is told. */
static void give_up_to(run *r, const node *failed, uint32_t keep)
{
    core_text later = {0};
    text_add(&later, "step %u failed: %s", (unsigned)failed->step,
             failed->reason);
    const char *text = run_text_cut(r, later.data, ARRANGE_REASON_MAX);
    while (r->path_count > keep) {
        node *n = tree_node(r, r->path[--r->path_count]);
        node_state_set(r, n, NODE_GIVEN_UP);
        n->later = text;
        n->given_up_for = failed->number;
    }
}

/* The way that failed cannot be left, or has been met before: the run ends
 * here, or goes on without what failed. */
static void search_end_failed(run *r, node *n, const node *earlier)
{
    core_end end = {.kind = END_CAP, .cap = CAP_BACKTRACKS};
    if (earlier)
        end = (core_end){.kind = END_IDENTICAL, .node = earlier->number};
    if (r->config.ablation == ABLATION_NO_BACKTRACKING)
        end = (core_end){.kind = END_ONE_WAY};
    if (pass_over(r, n, end, ETNA_OK))
        return;
    record_decision(r, n, 0);
    if (end.kind == END_CAP) {
        cap_reach(r, end.cap);
    } else {
        run_search_over(r, end, ETNA_OK, NULL);
    }
}

/* Closes the node as failed, with its reason in words. */
static void search_close_failed(run *r, node *n, core_failure_kind failure)
{
    core_text words = {0};
    close_node(r, n, NODE_FAILED, n->branch_count);
    n->failure = failure;
    failure_text_add(&words, r, n);
    n->reason = run_text_cut(r, words.data, ARRANGE_REASON_MAX);
}

void search_once_more(run *r, node *n, core_failure_kind failure)
{
    search_close_failed(r, n, failure);
    record_decision(r, n, r->step);
    step_begin(r);
}

void search_unproven(run *r, node *n)
{
    search_close_failed(r, n, FAILURE_UNPROVEN);
    record_decision(r, n, 0);
    run_search_over(r, (core_end){.kind = END_UNPROVEN}, ETNA_OK, NULL);
}

void search_unreadable(run *r, node *n)
{
    const core_end end = {.kind = END_UNREADABLE};
    const bool is_rest = r->config.goal && r->passed_count > 0;
    if (pass_is_possible(r, n) || is_rest) {
        search_close_failed(r, n, FAILURE_UNREADABLE);
        pass_note(r, n);
        if (pass_over(r, n, end, ETNA_E_INPUT))
            return;
        record_decision(r, n, 0);
    }
    /* of what is left nothing can be read: why is told by what was passed
     * over */
    if (is_rest) {
        pass_end(r);
        return;
    }
    r->refusal = n->cause; /* the run ends by it, whatever came before */
    run_search_over(r, end, ETNA_E_INPUT, NULL);
}

/* Does its planner, who is no model, know of the step that going back cannot
 * help it? Only places depend on what was done before. */
static bool search_is_barred(const run *r, const node *n)
{
    const uint32_t code = n->plans[0].refusal.code;
    bool known = code >= REFUSAL_UNREAD && code <= REFUSAL_IMPOSSIBLE;
    return known && n->failure == FAILURE_IMPOSSIBLE &&
           !habit_is_foreign(r, ROLE_PLANNER);
}

void search_failed(run *r, node *n, core_failure_kind failure)
{
    search_close_failed(r, n, failure);
    memory_fingerprint(r, n);
    pass_note(r, n);
    const node *earlier = memory_identical_failure(r, n);
    bool onward = r->config.ablation == ABLATION_NO_BACKTRACKING;
    bool barred = r->stuck_at == n->number && search_is_barred(r, n);
    if (barred && pass_over(r, n, (core_end){.kind = END_PASSED_OVER}, ETNA_OK))
        return;
    if (earlier || onward || cap_backtracks(r)) {
        search_end_failed(r, n, earlier);
        return;
    }
    uint32_t from = r->config.anchor == ANCHOR_HALF_DEPTH ? r->step : r->anchor;
    r->anchor = from / 2 > 1 ? from / 2 : 1;
    give_up_to(r, n, r->anchor - 1);
    r->step = r->anchor;
    r->backtracks++;
    record_decision(r, n, r->step);
    step_begin(r);
}
