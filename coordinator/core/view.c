/* A run as others may see it: copies in the caller's arena, so that nothing of
 * the core's memory leaves it. */
#include "coordinator/core/core_internal.h"

#include <string.h>

/* Copies into an arena. The first failure sticks, so that only the end has to
 * look. */
typedef struct copier {
    etna_arena *arena;
    bool failed;
} copier;

/* NULL: failed. */
static void *view_alloc(copier *to, size_t count, size_t size)
{
    void *p = etna_arena_alloc(to->arena, count, size);
    if (!p)
        to->failed = true;
    return p;
}

/* NULL stays NULL, as some texts are told by being there. */
static const char *view_text(copier *to, const char *from)
{
    if (!from)
        return NULL;
    const char *copy = etna_arena_strdup(to->arena, from);
    if (!copy)
        to->failed = true;
    return copy ? copy : "";
}

/* `count` of them. */
static const char *const *view_texts(copier *to,
                                     const char *const *from,
                                     uint32_t count)
{
    const char **copy = view_alloc(to, count, sizeof *copy);
    for (uint32_t i = 0; copy && i < count; i++)
        copy[i] = view_text(to, from[i]);
    return copy;
}

/* With texts of its own. */
static arrange_refusal view_refusal(copier *to, const arrange_refusal *from)
{
    arrange_refusal refusal = *from;
    refusal.what = view_text(to, from->what);
    refusal.where = view_text(to, from->where);
    refusal.advice = view_text(to, from->advice);
    return refusal;
}

/* The reason of a branch that evaluators refused is put together from what they
 * said. */
static void view_branch(copier *to,
                        const run *r,
                        const branch *b,
                        uint32_t number,
                        core_branch_view *ret)
{
    *ret = (core_branch_view){
        .number = number,
        .state = b->state,
        .status = b->status,
        .instruction = view_text(to, b->plan->instruction),
        .object = view_text(to, b->object),
        .plane = view_text(to, b->plane),
        .reason = b->state == BRANCH_REJECTED || b->state == BRANCH_UNJUDGED
                      ? memory_branch_reason(r, b, to->arena)
                      : view_text(to, b->reason),
        .pose = b->pose,
        .loss = b->loss,
        .elsewhere = b->elsewhere,
        .mean = b->mean,
        .snapshot = b->snapshot,
        .poll_count = r->config.polls,
        .candidates = b->candidates,
        .survivors = b->survivors,
        .collision_checks = b->collision_checks,
        .constraints = view_text(to, b->constraints),
        .obstacle = b->obstacle};
    memcpy(ret->tries, b->tries, sizeof ret->tries);
    ret->obstacle.plane =
        view_text(to, b->obstacle.plane ? b->obstacle.plane : "");
    ret->obstacle.others =
        view_texts(to, b->obstacle.others, b->obstacle.other_count);
    uint32_t *verdicts = view_alloc(to, r->config.polls, sizeof *verdicts);
    for (uint32_t i = 0; verdicts && i < r->config.polls; i++)
        verdicts[i] = b->polls[i].verdict;
    ret->verdicts = verdicts;
    const char **reasons = view_alloc(to, r->config.polls, sizeof *reasons);
    for (uint32_t i = 0; reasons && i < r->config.polls; i++)
        reasons[i] = view_text(to, b->polls[i].reason);
    ret->poll_reasons = reasons;
}

/* A node that was given up tells for what; its plan is branch 0's, or the only
 * one. */
static void view_node(copier *to,
                      const run *r,
                      const node *n,
                      core_node_view *ret)
{
    *ret = (core_node_view){
        .number = n->number,
        .parent = n->parent,
        .step = n->step,
        .state = n->state,
        .anchor = n->anchor_before,
        .begun_ms = n->begun_ms,
        .decided_ms = n->decided_ms,
        .plan_status = n->plans[0].status,
        .instruction = view_text(to, n->plans[0].instruction),
        .item = n->plans[0].item ? n->plans[0].item : n->item,
        .reason =
            view_text(to, n->state == NODE_GIVEN_UP ? n->later : n->reason),
        .failure = n->failure,
        .given_up_for = n->given_up_for,
        .plan_reason =
            view_text(to, n->plans[0].reason ? n->plans[0].reason : ""),
        .refusal = view_refusal(to, &n->plans[0].refusal),
        .passed = n->passed,
        .winner = n->winner,
        .before = n->before,
        .branch_count = n->branch_count};
    if (n->winner >= 0) {
        ret->after = n->branches[n->winner].snapshot;
        ret->makes_way = n->branches[n->winner].plan->makes_way;
    }
    core_branch_view *branches =
        view_alloc(to, n->branch_count, sizeof *branches);
    for (uint32_t i = 0; branches && i < n->branch_count; i++)
        view_branch(to, r, &n->branches[i], i, &branches[i]);
    ret->branches = branches;
}

/* Each with its reason. */
static const core_passed *view_passed(copier *to, const run *r)
{
    core_passed *copy = view_alloc(to, r->passed_count, sizeof *copy);
    for (uint32_t i = 0; copy && i < r->passed_count; i++) {
        copy[i] = r->passed[i];
        copy[i].refusal = view_refusal(to, &r->passed[i].refusal);
    }
    return copy;
}

/* Once the search is over its result's edits; before that the deepest valid
 * scene's. */
static void view_edits(copier *to, const run *r, core_run_view *ret)
{
    bool fixed = r->phase == PHASE_FINISHING || r->phase == PHASE_ENDED;
    const uint32_t *kept = fixed ? r->final : r->best;
    uint32_t count = fixed ? r->final_count : r->best_count;
    arrange_edit *edits = view_alloc(to, count, sizeof *edits);
    etna_hash *images = view_alloc(to, (size_t)count + 1, sizeof *images);
    etna_hash *scenes = r->config.step_scenes
                            ? view_alloc(to, (size_t)count + 1, sizeof *scenes)
                            : NULL;
    if (!edits || !images)
        return;
    if (r->config.step_scenes && !scenes)
        return;
    for (uint32_t i = 0; i < count; i++) {
        tree_edit(tree_node(r, kept[i]), &edits[i]);
        edits[i].instruction = view_text(to, edits[i].instruction);
        edits[i].object = view_text(to, edits[i].object);
        edits[i].plane = view_text(to, edits[i].plane);
    }
    if (fixed && r->images)
        memcpy(images, r->images, ((size_t)count + 1) * sizeof *images);
    if (fixed && r->scenes && scenes)
        memcpy(scenes, r->scenes, ((size_t)count + 1) * sizeof *scenes);
    ret->edit_count = count;
    ret->edits = edits;
    ret->scenes = scenes;
    ret->images = images;
    ret->final_snapshot = count ? edits[count - 1].snapshot : r->first_snapshot;
    ret->result = r->export_blob;
}

/* NULL where there are none. */
static const etna_hash *view_hashes(copier *to,
                                    const etna_hash *from,
                                    uint32_t count)
{
    etna_hash *copy = count ? view_alloc(to, count, sizeof *copy) : NULL;
    if (copy)
        memcpy(copy, from, count * sizeof *copy);
    return copy;
}

/* Of the run before only what is shown. */
static const arrange_config *view_config(copier *to, const run *r)
{
    arrange_config *config = view_alloc(to, 1, sizeof *config);
    if (!config)
        return NULL;
    *config = r->config;
    config->scene_name = view_text(to, r->config.scene_name);
    config->goal = view_text(to, r->config.goal);
    config->steps = view_texts(to, r->config.steps, r->config.step_count);
    config->model = view_text(to, r->config.model);
    config->camera = view_text(to, r->config.camera);
    config->models = view_text(to, r->config.models);
    config->reader = view_text(to, r->config.reader);
    config->lots = view_hashes(to, r->config.lots, r->config.lot_count);
    config->stock = view_hashes(to, r->config.stock, r->config.stock_count);
    config->before =
        (arrange_before){.goal = view_text(to, r->config.before.goal),
                         .snapshot = r->config.before.snapshot};
    return config;
}

/* NOTFOUND: the run may still be in the store. Everything lies in `arena` and
 * stays whole when the core goes on. */
etna_code core_view(const core *c,
                    const etna_id *id,
                    etna_arena *arena,
                    core_run_view *ret_view,
                    etna_error *err)
{
    const run *r = core_find(c, id);
    if (!r)
        return etna_fail(err, ETNA_E_NOTFOUND,
                         "no such run in memory; see `etna runs`");
    copier to = {.arena = arena, .failed = false};
    core_run_view view = {
        .run = r->id,
        .state = run_state_now(r),
        .searching = r->phase == PHASE_SEARCHING,
        .end = r->end,
        .reason = view_text(&to, r->reason),
        .refusal = view_refusal(&to, &r->refusal),
        .passed_count = r->passed_count,
        .passed = view_passed(&to, r),
        .outage = view_text(&to, r->outage ? r->outage : ""),
        .rests_by = r->rests_by,
        .error = r->error,
        .config = view_config(&to, r),
        .step = r->step,
        .anchor = r->anchor,
        .depth_max = r->depth_max,
        .backtracks = r->backtracks,
        .mismatches = r->mismatches,
        .used = r->used,
        .spent = r->spent,
        .lost = r->lost,
        .wall_ms = r->clock_ms,
        .cpu_us = r->cpu_us,
        .last_sequence = r->sequence,
        .first_snapshot = r->first_snapshot,
        .object_count = r->object_count,
        .movable_count = r->movable_count,
        .warning_count = r->warning_count,
        .warnings = view_texts(&to, r->warnings, r->warning_count),
        .build_count = r->build_count,
        .builds = view_texts(&to, r->builds, r->build_count),
        .lots = view_hashes(&to, r->lots, r->config.lot_count),
        .node_count = r->node_count};
    view_edits(&to, r, &view);
    core_node_view *nodes = view_alloc(&to, r->node_count, sizeof *nodes);
    for (uint32_t i = 0; nodes && i < r->node_count; i++)
        view_node(&to, r, r->nodes[i], &nodes[i]);
    view.nodes = nodes;
    view.accounts = ledger_of(r, arena, &view.account_count);
    if (!view.accounts)
        to.failed = true;
    if (to.failed)
        return etna_fail(err, ETNA_E_NOMEM, "the view of a run: out of memory");
    *ret_view = view;
    return ETNA_OK;
}

/* From the first line after `after`; none is no failure. */
etna_code core_lines(const core *c,
                     const etna_id *id,
                     uint64_t after,
                     etna_arena *arena,
                     core_line **ret_lines,
                     uint32_t *ret_count,
                     etna_error *err)
{
    const run *r = core_find(c, id);
    if (!r)
        return etna_fail(err, ETNA_E_NOTFOUND,
                         "no such run in memory; see `etna runs`");
    uint32_t first = 0;
    while (first < r->line_count && r->lines[first].sequence <= after)
        first++;
    copier to = {.arena = arena, .failed = false};
    core_line *lines = view_alloc(&to, r->line_count - first, sizeof *lines);
    for (uint32_t i = first; lines && i < r->line_count; i++) {
        lines[i - first] =
            (core_line){.run = r->id,
                        .sequence = r->lines[i].sequence,
                        .time_ms = r->lines[i].time_ms,
                        .text = view_text(&to, r->lines[i].told.text),
                        .happening = r->lines[i].told.happening};
        lines[i - first].happening.text =
            view_text(&to, r->lines[i].told.happening.text);
    }
    if (to.failed)
        return etna_fail(err, ETNA_E_NOMEM,
                         "the lines of a run: out of memory");
    *ret_lines = lines;
    *ret_count = r->line_count - first;
    return ETNA_OK;
}
