/* Why a run was refused or failed, as a kind with its arguments. The first
 * cause counts: what fails later, after the search went back, fails because the
 * first way was barred. */
#include "coordinator/core/core_internal.h"

#include <string.h>

static uint32_t shown_item(const node *n, const plan *p)
{
    return p->item ? p->item : n->item;
}

arrange_refusal refusal_copy(run *r, const arrange_refusal *from)
{
    if (from->code == REFUSAL_NONE)
        return (arrange_refusal){.what = "", .where = "", .advice = ""};
    return (arrange_refusal){
        .code = from->code,
        .what = run_text_cut(r, from->what, ARRANGE_REASON_MAX),
        .where = run_text_cut(r, from->where, ARRANGE_NAME_MAX),
        .advice = run_text_cut(r, from->advice, ARRANGE_REASON_MAX),
        .from = from->from,
        .to = from->to,
        .item = from->item,
        .part = from->part};
}

arrange_obstacle refusal_copy_obstacle(run *r, const arrange_obstacle *from)
{
    const char **others = run_alloc(r, from->other_count, sizeof *others);
    arrange_obstacle copy = {
        .kind = from->kind,
        .plane = run_text_cut(r, from->plane, ARRANGE_NAME_MAX)};
    if (!others)
        return copy;
    for (uint32_t i = 0; i < from->other_count; i++)
        others[i] = run_text_cut(r, from->others[i], ARRANGE_NAME_MAX);
    copy.other_count = from->other_count;
    copy.others = others;
    return copy;
}

static void keep_first(run *r, const arrange_refusal *refusal)
{
    if (r->refusal.code == REFUSAL_NONE)
        r->refusal = refusal_copy(r, refusal);
}

void refusal_say(run *r, uint32_t code, const char *what)
{
    arrange_refusal said = {.code = code, .what = what};
    keep_first(r, &said);
}

/* By its status, where the planner gave no parts. */
static uint32_t code_of_plan(const plan *p)
{
    switch (p->status) {
    case PLAN_UNREADABLE: return REFUSAL_UNREAD;
    case PLAN_IMPOSSIBLE: return REFUSAL_IMPOSSIBLE;
    default: return REFUSAL_MODEL;
    }
}

void refusal_of_plan(run *r, node *n, const plan *p)
{
    arrange_refusal refusal = p->refusal;
    if (refusal.code == REFUSAL_NONE)
        refusal = (arrange_refusal){.code = code_of_plan(p), .what = p->reason};
    if (!refusal.item)
        refusal.item = shown_item(n, p);
    refusal.part = p->part;
    n->cause = refusal_copy(r, &refusal);
    keep_first(r, &refusal);
}

static uint32_t code_of_branch(const branch *b)
{
    if (b->state == BRANCH_UNJUDGED)
        return REFUSAL_MODEL;
    switch (b->status) {
    case BRANCH_VALID:
    case BRANCH_UNSOLVED:
    case BRANCH_COLLISION:
    case BRANCH_FLOATING:
    case BRANCH_REPEATED: return REFUSAL_NO_PLACE;
    case BRANCH_MALFORMED: return REFUSAL_MODEL;
    default:
        return b->plan->status == PLAN_EDIT ? REFUSAL_INTERNAL
                                            : code_of_plan(b->plan);
    }
}

/* What an edit moves that only makes way is not what the step is for. */
static const char *where_of_branch(const branch *b)
{
    const bool is_other = b->plan->part.thing && b->plan->makes_way;
    return is_other ? "" : b->object;
}

/* A place that was looked for and not found says more than an answer that could
 * not be read beside it. */
void refusal_of_branches(run *r, node *n)
{
    const branch *first = NULL;
    for (uint32_t i = 0; i < n->branch_count; i++) {
        const branch *b = &n->branches[i];
        bool better = !first || (code_of_branch(b) == REFUSAL_NO_PLACE &&
                                 code_of_branch(first) != REFUSAL_NO_PLACE);
        if (better)
            first = b;
    }
    if (!first)
        return;
    arrange_refusal refusal = {
        .code = code_of_branch(first),
        .what = memory_branch_reason(r, first, &r->core->scratch),
        .where = where_of_branch(first),
        .item = shown_item(n, first->plan),
        .part = first->plan->part};
    n->cause = refusal_copy(r, &refusal);
    keep_first(r, &refusal);
}
