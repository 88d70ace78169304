/* Judges what was decided by METHODS.md 2 alone: from the verdicts, losses and
 * failures of each step follows which branch wins, where the search goes on and
 * what is kept. The same by other code than the core's, so that both must err
 * alike. Lists that passed over an instruction are not judged. */
#include "tests/sim/sim_internal.h"

#include <string.h>

typedef struct search { /* Algorithm 2 */
    uint32_t step, anchor, deepest, backtracks;
    uint32_t path[ARRANGE_STEPS_MAX], path_count; /* indices of nodes */
    uint32_t best[ARRANGE_STEPS_MAX], best_count;
    bool given_up[4096];
    /* the node that failed first since the search got so deep; 0: none */
    uint32_t stuck;
} search;

static bool accepts(const core_branch_view *b, double *ret_mean)
{
    uint32_t readable = 0;
    double sum = 0;
    for (uint32_t i = 0; i < b->poll_count; i++) {
        if (b->verdicts[i] == VERDICT_ABSTAIN)
            continue;
        readable++;
        sum += (double)b->verdicts[i] - VERDICT_FAIR;
    }
    *ret_mean = readable ? sum / readable : 0;
    return readable > b->poll_count / 2 && sum > 0;
}

static bool delights(const core_branch_view *b)
{
    for (uint32_t i = 0; i < b->poll_count; i++) {
        if (b->verdicts[i] < VERDICT_GOOD)
            return false;
    }
    return true;
}

/* The branch that wins when their results count in order; -1: none. */
static int32_t winner_in_order(const core_node_view *n, uint32_t at_once)
{
    int32_t best = -1;
    double best_mean = 0, best_loss = 0;
    for (uint32_t i = 0; i < n->branch_count; i++) {
        const core_branch_view *b = &n->branches[i];
        double mean;
        bool is_wave = at_once && i && i % at_once == 0;
        if (is_wave && best >= 0)
            return best; /* the next ones are never opened */
        if (b->status != BRANCH_VALID || !accepts(b, &mean))
            continue;
        if (delights(b))
            return (int32_t)i;
        bool is_better = best < 0 || mean > best_mean ||
                         (mean == best_mean && b->loss < best_loss);
        if (!is_better)
            continue;
        best = (int32_t)i;
        best_mean = mean;
        best_loss = b->loss;
    }
    return best;
}

/* What could not be read, or not be proven, is begun anew where it stands. */
static bool is_tried_anew(const core_node_view *n)
{
    return n->failure == FAILURE_UNREAD || n->failure == FAILURE_UNPROVEN;
}

/* A branch is left untried where nothing can be read of who judges, and by that
 * its step ends: what else failed in it leads nowhere back. */
static void judge_untried(sim *s,
                          const core_node_view *n,
                          const core_branch_view *b)
{
    bool is_untried = strncmp(b->reason, "not tried", strlen("not tried")) == 0;
    if (is_untried && n->state == NODE_FAILED && !is_tried_anew(n))
        sim_breach(s, "node %u: branch %u was left untried, and it goes on",
                   (unsigned)n->number, (unsigned)b->number);
}

static void judge_branches(sim *s,
                           const core_node_view *n,
                           const arrange_config *config)
{
    for (uint32_t i = 0; i < n->branch_count; i++) {
        const core_branch_view *b = &n->branches[i];
        double mean;
        bool is_accepted = accepts(b, &mean);
        judge_untried(s, n, b);
        if (b->state == BRANCH_ACCEPTED && (!is_accepted || mean != b->mean))
            sim_breach(s, "node %u: branch %u is accepted against its verdicts",
                       (unsigned)n->number, (unsigned)i);
        if (b->state == BRANCH_REJECTED && is_accepted)
            sim_breach(s, "node %u: branch %u is rejected against its verdicts",
                       (unsigned)n->number, (unsigned)i);
    }
    if (config->early_end != EARLY_END_ORDERED)
        return;
    bool is_decided = n->state == NODE_EDITED || n->state == NODE_GIVEN_UP ||
                      n->state == NODE_FAILED;
    int32_t winner = winner_in_order(n, config->branches_at_once);
    if (is_decided && n->branch_count && winner != n->winner &&
        n->failure != FAILURE_IMPOSSIBLE)
        sim_breach(s, "node %u: branch %d wins, not %d", (unsigned)n->number,
                   (int)n->winner, (int)winner);
}

/* What only made way for something is kept with that alone. */
static void judge_best(search *f, const core_run_view *view)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->path_count; i++)
        kept = view->nodes[f->path[i]].makes_way ? kept : i + 1;
    if (kept < f->best_count)
        return;
    memcpy(f->best, f->path, kept * sizeof *f->path);
    f->best_count = kept;
}

static void judge_edit(search *f, const core_run_view *view, uint32_t index)
{
    f->path[f->path_count++] = index;
    if (f->step + 1 > f->deepest) {
        f->deepest = f->anchor = f->step + 1;
        f->stuck = 0;
    }
    judge_best(f, view);
    f->step++;
}

static void judge_failure(search *f, const arrange_config *config)
{
    uint32_t from = config->anchor == ANCHOR_HALF_DEPTH ? f->step : f->anchor;
    f->anchor = from / 2 > 1 ? from / 2 : 1;
    while (f->path_count > f->anchor - 1)
        f->given_up[f->path[--f->path_count]] = true;
    f->step = f->anchor;
    f->backtracks++;
}

/* An instruction of a list is passed over: the search goes on where it failed
 * first, with what was done there but for what made way for it. */
static void judge_pass(sim *s,
                       search *f,
                       const core_run_view *view,
                       const core_node_view *n)
{
    const core_node_view *at = &view->nodes[f->stuck - 1];
    const core_passed *passed = NULL;
    for (uint32_t i = 0; i < view->passed_count; i++) {
        if (view->passed[i].item == n->passed)
            passed = &view->passed[i];
    }
    if (!passed || passed->node != f->stuck)
        sim_breach(
            s,
            "node %u: instruction %u is passed over for another step than it failed at",
            (unsigned)n->number, (unsigned)n->passed);
    while (f->path_count > 0)
        f->given_up[f->path[--f->path_count]] = true;
    f->path_count = at->step - 1;
    for (uint32_t i = f->path_count, parent = at->parent; i > 0; i--) {
        f->path[i - 1] = parent - 1;
        f->given_up[parent - 1] = false;
        parent = view->nodes[parent - 1].parent;
    }
    while (f->path_count > 0 &&
           view->nodes[f->path[f->path_count - 1]].makes_way)
        f->given_up[f->path[--f->path_count]] = true;
    f->step = f->anchor = f->path_count + 1;
    f->stuck = 0;
}

/* Behind the last node the search may have gone back, and then met a cap before
 * it began anything; what it ended by is told no more where its result could
 * not be written either. */
static bool goes_back(const search *f, const core_run_view *view, bool is_last)
{
    bool is_stopped =
        view->end.kind == END_CAP ||
        (view->state == RUN_FAILED && view->end.kind == END_ERROR);
    return !is_last || (is_stopped && view->backtracks == f->backtracks + 1);
}

static void judge_node(sim *s,
                       search *f,
                       const core_run_view *view,
                       uint32_t index)
{
    const core_node_view *n = &view->nodes[index];
    bool is_last = index + 1 == view->node_count;
    const core_node_view *above =
        f->path_count ? &view->nodes[f->path[f->path_count - 1]] : NULL;
    const etna_hash *before = above ? &above->after : &view->first_snapshot;
    bool stands =
        n->number == index + 1 && n->step == f->step && n->anchor == f->anchor;
    if (!stands || n->parent != (above ? above->number : 0))
        sim_breach(
            s,
            "node %u is not where Algorithm 2 has it: step %u anchor %u, not %u and %u",
            (unsigned)n->number, (unsigned)n->step, (unsigned)n->anchor,
            (unsigned)f->step, (unsigned)f->anchor);
    if (!etna_hash_equal(&n->before, before))
        sim_breach(s, "node %u begins with another scene", (unsigned)n->number);
    judge_branches(s, n, view->config);
    if (n->winner >= 0) {
        const core_branch_view *b = &n->branches[n->winner];
        if (!etna_hash_equal(&n->after, &b->snapshot))
            sim_breach(s, "node %u ends with another scene",
                       (unsigned)n->number);
        judge_edit(f, view, index);
        return;
    }
    bool is_failure = n->state == NODE_FAILED && !is_tried_anew(n);
    if (is_failure && !f->stuck)
        f->stuck = n->number;
    if (n->passed) {
        judge_pass(s, f, view, n);
    } else if (n->state == NODE_FAILED && goes_back(f, view, is_last) &&
               !is_tried_anew(n)) {
        judge_failure(f, view->config);
    } else if (!is_last && !is_tried_anew(n)) {
        sim_breach(s, "the search goes on behind node %u", (unsigned)n->number);
    }
}

static void judge_end(sim *s, const search *f, const core_run_view *view)
{
    const core_node_view *end =
        view->node_count ? &view->nodes[view->node_count - 1] : NULL;
    bool is_whole =
        end && end->state == NODE_COMPLETE && view->passed_count == 0;
    bool is_done = is_whole || view->end.kind == END_PASSED_OVER;
    /* nobody could write its result: it has failed, whatever the search came
     * to */
    bool is_unwritten =
        view->state == RUN_FAILED && view->end.kind == END_ERROR;
    const uint32_t *kept = is_done ? f->path : f->best;
    uint32_t count = is_done ? f->path_count : f->best_count;
    if (view->backtracks != f->backtracks)
        sim_breach(s, "%u backtracks of %u", (unsigned)view->backtracks,
                   (unsigned)f->backtracks);
    if (view->edit_count != count)
        sim_breach(s, "%u edits are kept of %u", (unsigned)view->edit_count,
                   (unsigned)count);
    const etna_hash *last =
        count ? &view->nodes[kept[count - 1]].after : &view->first_snapshot;
    if (!s->report->broken && !etna_hash_equal(last, &view->final_snapshot))
        sim_breach(s, "another scene is kept");
    for (uint32_t i = 0; i < view->node_count; i++) {
        bool is_given_up = view->nodes[i].state == NODE_GIVEN_UP;
        if (is_given_up != f->given_up[i])
            sim_breach(s, "node %u is given up, or is not", (unsigned)i + 1);
    }
    bool is_told = view->state == RUN_COMPLETE || is_unwritten;
    if (is_whole ? !is_told : view->state == RUN_COMPLETE)
        sim_breach(s, "a run is complete without its last node");
    if (view->state == RUN_PARTIAL && !count)
        sim_breach(s, "a run is partial without an edit");
    if (view->state == RUN_FAILED && count && !is_unwritten)
        sim_breach(s, "a run failed with %u edits", (unsigned)count);
}

/* Each lot is what the sim's workers make of it, or nothing where they failed
 * for good; a run of lots searches nothing. */
static void judge_lots(sim *s, const core_run_view *view)
{
    uint32_t read = 0, unread = 0;
    for (uint32_t i = 0; i < view->config->lot_count; i++) {
        uint8_t bytes[MODEL_BLOB];
        size_t size = 0;
        const arrange_task task = {
            .kind = view->config->furnishes ? TASK_FURNISH : TASK_ASSET,
            .scene = view->config->lots[i],
            .snapshot = view->config->lots[i]};
        arrange_result due;
        model_result(s, &task, NULL, NULL, &due, bytes, &size);
        bool is_none = etna_hash_is_zero(&view->lots[i]);
        unread += model_cannot_read(s, &task);
        if (is_none)
            continue;
        read++;
        if (!etna_hash_equal(&view->lots[i], &due.blob))
            sim_breach(s, "lot %u is not what was read of it", (unsigned)i);
    }
    if (view->node_count || view->edit_count)
        sim_breach(s, "a run of lots has steps");
    bool may_lack =
        s->options->deadly_pct || s->options->error_pct || s->options->lies;
    if (read && view->state == RUN_FAILED)
        sim_breach(s, "what nobody can read of a run of lots has ended it");
    if (view->state == RUN_COMPLETE &&
        read + unread != view->config->lot_count && !may_lack)
        sim_breach(s, "%u lots are read of %u", (unsigned)read,
                   (unsigned)view->config->lot_count);
}

void judge_run(sim *s, const core_run_view *view)
{
    if (view->config->lot_count) {
        judge_lots(s, view);
        return;
    }
    static const etna_hash none;
    search f = {.step = 1, .anchor = 1, .deepest = 1};
    bool is_plain = view->config->ablation == ABLATION_NONE &&
                    view->node_count < 4096 && !view->passed_count;
    if (!is_plain || etna_hash_equal(&view->first_snapshot, &none))
        return;
    for (uint32_t i = 0; i < view->node_count && !s->report->broken; i++)
        judge_node(s, &f, view, i);
    if (!s->report->broken)
        judge_end(s, &f, view);
}
