/* Passing over: an instruction of a list that cannot be read or done is left
 * out, the later ones are tried, and the run ends as partial. A part of a goal is
 * left out in the same way when the planner says that the rest does not need it,
 * and so is one of several things of a part: the toys that fit go into the box.
 * Where a place was missing, the search backtracks first. If no other way is
 * left, it returns to the node where the instruction failed first, because
 * everything before it was done there. What only made way for it then is given
 * up with it. */
#include "coordinator/core/core_internal.h"

#include <string.h>

static bool pass_is_over(const run *r, uint32_t item)
{
    for (uint32_t i = 0; i < r->passed_count; i++) {
        if (r->passed[i].item == item)
            return true;
    }
    return false;
}

uint32_t pass_item_at(const run *r, uint32_t step)
{
    const bool counted = r->config.goal == NULL && !r->config.open_list;
    uint32_t at = 0;
    for (uint32_t item = 1; counted && item <= r->config.step_count; item++) {
        at += !pass_is_over(r, item);
        if (at == step)
            return item;
    }
    return 0;
}

void pass_note(run *r, const node *n)
{
    if (!r->stuck_at)
        r->stuck_at = n->number;
}

int part_size(const run *r, const arrange_part *part)
{
    const size_t size = r->config.goal ? strlen(r->config.goal) : 0;
    return part->from < part->to && part->to <= size
               ? (int)(part->to - part->from)
               : 0;
}

const char *part_text(const run *r, const arrange_part *part)
{
    return part_size(r, part) ? r->config.goal + part->from : "";
}

void part_text_add(core_text *text, const run *r, const arrange_refusal *over)
{
    const arrange_part *part = &over->part;
    if (part->thing)
        text_add(text, "%s of ", *over->where ? over->where : "a thing");
    text_add(text, "\"%.*s\"", part_size(r, part), part_text(r, part));
}

static bool part_is_over(const arrange_part *part, const arrange_part *over)
{
    const bool overlaps = part->from < over->to && over->from < part->to;
    return overlaps && (!over->thing || over->thing == part->thing);
}

/* Of a goal: a part, or a thing of it, that nothing passed over before
 * overlaps. */
static bool pass_is_new_part(const run *r, const arrange_part *part)
{
    for (uint32_t i = 0; i < r->passed_count; i++) {
        if (part_is_over(part, &r->passed[i].refusal.part))
            return false;
    }
    return part_size(r, part) > 0 && r->passed_count < PASSED_PARTS_MAX;
}

/* What a failed step was for: the item that it is passed over as; 0: that is
 * not said, or is over already. */
static uint32_t pass_item_of(const run *r, const node *n)
{
    if (r->config.goal)
        return pass_is_new_part(r, &n->cause.part) ? r->passed_count + 1 : 0;
    const uint32_t item = n->cause.item ? n->cause.item : n->item;
    const bool is_known =
        item <= r->config.step_count && !pass_is_over(r, item);
    return is_known ? item : 0;
}

bool pass_is_possible(const run *r, const node *n)
{
    const bool is_several = r->config.goal || r->config.step_count > 1;
    return is_several && (!r->config.goal || pass_item_of(r, n));
}

static bool pass_comes_before(const core_passed *a, const core_passed *b)
{
    const uint32_t one = a->refusal.part.from;
    const uint32_t other = b->refusal.part.from;
    return one != other ? one < other : a->item < b->item;
}

/* Keeps the order of the list or the goal. */
static void pass_add(run *r, const core_passed *passed)
{
    uint32_t at = r->passed_count++;
    for (; at > 0 && pass_comes_before(passed, &r->passed[at - 1]); at--)
        r->passed[at] = r->passed[at - 1];
    r->passed[at] = *passed;
}

/* What the run would have ended by, kept for when nothing else of the list is
 * done. */
static void pass_keep_end(run *r,
                          const node *failed,
                          core_end end,
                          etna_code error)
{
    core_text words = {0};
    if (r->passed_count > 0)
        return;
    r->passed_end = end;
    r->passed_error = error;
    r->passed_refusal = failed->cause;
    if (end.kind == END_PASSED_OVER)
        return; /* it is told when all of them are known */
    r->end = end;
    end_text_add(&words, r, true);
    r->end = (core_end){.kind = END_NONE};
    r->passed_reason = run_text_cut(r, words.data, ARRANGE_REASON_MAX);
}

static void pass_give_up(run *r, const node *failed, uint32_t number)
{
    node *n = tree_node(r, number);
    node_state_set(r, n, NODE_GIVEN_UP);
    n->later = failed->reason;
    n->given_up_for = failed->number;
}

/* Back to where `to` was begun: its edits stand, but for those that only made
 * way for what is passed over; others since then are given up. */
static void pass_return(run *r, const node *to)
{
    const uint32_t count = to->step - 1;
    for (uint32_t i = 0; i < r->path_count; i++)
        pass_give_up(r, to, r->path[i]);
    for (uint32_t i = count, at = to->parent; i > 0; i--) {
        node *n = tree_node(r, at);
        node_state_set(r, n, NODE_EDITED);
        n->later = "";
        n->given_up_for = 0;
        r->path[i - 1] = at;
        at = n->parent;
    }
    r->path_count = tree_kept(r, r->path, count);
    for (uint32_t i = r->path_count; i < count; i++)
        pass_give_up(r, to, r->path[i]);
    r->step = r->anchor = r->path_count + 1;
}

/* Why one of several things is passed over: what the planner found when it was
 * asked once more says more than what became of branches. */
static const arrange_refusal *pass_cause(const node *failed, const node *last)
{
    const arrange_part *of = &failed->cause.part;
    const arrange_part *now = &last->cause.part;
    const bool is_same = last->step == failed->step && of->thing &&
                         now->thing == of->thing && now->from == of->from;
    return is_same && last->failure == FAILURE_IMPOSSIBLE ? &last->cause
                                                          : &failed->cause;
}

bool pass_over(run *r, node *n, core_end end, etna_code error)
{
    const node *failed = tree_node(r, r->stuck_at);
    const uint32_t item =
        failed && pass_is_possible(r, failed) ? pass_item_of(r, failed) : 0;
    if (!item)
        return false;
    pass_keep_end(r, failed, end, error);
    pass_add(r, &(core_passed){.item = item,
                               .node = failed->number,
                               .refusal = *pass_cause(failed, n)});
    pass_return(r, failed);
    r->stuck_at = 0;
    n->passed = item;
    record_decision(r, n, r->step);
    step_begin(r);
    return true;
}

void pass_end(run *r)
{
    /* nothing was done: it ends as if the text ended there */
    if (r->path_count == 0) {
        r->refusal = r->passed_refusal;
        run_search_over(r, r->passed_end, r->passed_error, r->passed_reason);
        return;
    }
    r->refusal = r->passed[0].refusal;
    run_search_over(r, (core_end){.kind = END_PASSED_OVER}, ETNA_OK, NULL);
}
