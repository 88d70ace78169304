/* The search tree: nodes in the order they were begun, so that a node's number
 * is its place in the decided tree. A handle names an open node; deciding the
 * node makes every handle to it stale, so nothing late can reach into a decided
 * step. */
#include "coordinator/core/core_internal.h"

#include <stdlib.h>

static const bool node_allowed[NODE_STATE_COUNT][NODE_STATE_COUNT] = {
    [NODE_PLANNING] = {[NODE_BRANCHING] = true,
                       [NODE_COMPLETE] = true,
                       [NODE_FAILED] = true,
                       [NODE_STOPPED] = true},
    [NODE_BRANCHING] =
        {[NODE_EDITED] = true, [NODE_FAILED] = true, [NODE_STOPPED] = true},
    [NODE_EDITED] = {[NODE_GIVEN_UP] = true},
    /* what it was given up for is passed over */
    [NODE_GIVEN_UP] = {[NODE_EDITED] = true},
};

/*   WAITING ─> RUNNING ─> POLLING ─> ACCEPTED | REJECTED | UNJUDGED
 *      └──────────┴─> FAILED              └── above the winner of an ordered step ─> DROPPED <── any open one */
static const bool branch_allowed[BRANCH_STATE_COUNT][BRANCH_STATE_COUNT] = {
    [BRANCH_WAITING] = {[BRANCH_RUNNING] = true,
                        [BRANCH_FAILED] = true,
                        [BRANCH_DROPPED] = true},
    [BRANCH_RUNNING] = {[BRANCH_POLLING] = true,
                        [BRANCH_FAILED] = true,
                        [BRANCH_DROPPED] = true},
    [BRANCH_POLLING] = {[BRANCH_ACCEPTED] = true,
                        [BRANCH_REJECTED] = true,
                        [BRANCH_UNJUDGED] = true,
                        [BRANCH_DROPPED] = true},
    [BRANCH_FAILED] = {[BRANCH_DROPPED] = true},
    [BRANCH_ACCEPTED] = {[BRANCH_DROPPED] = true},
    [BRANCH_REJECTED] = {[BRANCH_DROPPED] = true},
    [BRANCH_UNJUDGED] = {[BRANCH_DROPPED] = true},
};

/* Through the table above. */
void node_state_set(run *r, node *n, core_node_state state)
{
    if (!node_allowed[n->state][state])
        core_broken(r->core,
                    "a step changed its state in a way that is not allowed");
    n->state = state;
}

/* Through the table above. */
void branch_state_set(run *r, branch *b, core_branch_state state)
{
    if (!branch_allowed[b->state][state])
        core_broken(r->core,
                    "a branch changed its state in a way that is not allowed");
    b->state = state;
}

/* Nothing of it is to come. */
bool branch_terminal(const branch *b)
{
    return b->state != BRANCH_WAITING && b->state != BRANCH_RUNNING &&
           b->state != BRANCH_POLLING;
}

/* NULL: 0, or none. */
node *tree_node(const run *r, uint32_t number)
{
    return number && number <= r->node_count ? r->nodes[number - 1] : NULL;
}

/* Stale as soon as the node is decided. */
node_handle tree_handle(const node *n)
{
    return (node_handle){n->number, n->generation};
}

/* NULL: decided meanwhile. */
node *tree_open(const run *r, node_handle handle)
{
    node *n = tree_node(r, handle.number);
    return n && n->generation == handle.generation ? n : NULL;
}

/* The scene that the next step begins with. */
static etna_hash snapshot_of_path(const run *r)
{
    if (!r->path_count)
        return r->first_snapshot;
    const node *n = tree_node(r, r->path[r->path_count - 1]);
    return n->branches[n->winner].snapshot;
}

/* All, or as many more as the configuration says. */
void tree_open_branches(const run *r, node *n)
{
    uint32_t more = r->config.branches_at_once;
    bool all = !more || more >= n->branch_count - n->opened;
    n->opened = all ? n->branch_count : n->opened + more;
}

/* A branch that waits for its executor. False: out of memory. */
static bool branch_make(run *r, plan *p, branch *ret)
{
    ret->state = BRANCH_WAITING;
    ret->plan = p;
    ret->object = ret->plane = ret->reason = ret->constraints = "";
    ret->polls = run_alloc(r, r->config.polls, sizeof *ret->polls);
    if (!ret->polls)
        return false;
    for (uint32_t i = 0; i < r->config.polls; i++)
        ret->polls[i].reason = "";
    return true;
}

/* False: core.failure. Branches share a plan unless each has its own. */
static bool make_branches(run *r, node *n)
{
    bool own_plans = r->config.plan_per_branch && !n->last_look;
    n->plan_count = own_plans ? r->config.branches : 1;
    n->plans = run_alloc(r, n->plan_count, sizeof *n->plans);
    n->branch_count = n->last_look ? 0 : r->config.branches;
    tree_open_branches(r, n);
    n->branches = run_alloc(r, n->branch_count, sizeof *n->branches);
    if (!n->plans || !n->branches)
        return false;
    for (uint32_t i = 0; i < n->branch_count; i++) {
        if (!branch_make(r, &n->plans[own_plans ? i : 0], &n->branches[i]))
            return false;
    }
    for (uint32_t i = 0; i < n->plan_count; i++) {
        plan *p = &n->plans[i];
        p->instruction = p->reason = p->refusal.what = p->refusal.where =
            p->refusal.advice = "";
    }
    return true;
}

/* NULL: core.failure. */
node *tree_add(run *r, uint32_t step)
{
    node **grown = core_grow(r->core, r->nodes, &r->node_capacity,
                             r->node_count, sizeof *r->nodes);
    node *n = grown ? run_alloc(r, 1, sizeof *n) : NULL;
    if (grown)
        r->nodes = grown;
    if (!n)
        return NULL;
    n->number = r->node_count + 1;
    n->generation = 1;
    n->parent = r->path_count ? r->path[r->path_count - 1] : 0;
    n->step = step;
    n->item = pass_item_at(r, step);
    n->state = NODE_PLANNING;
    n->anchor_before = r->anchor;
    n->begun_ms = run_time_ms(r);
    n->before = snapshot_of_path(r);
    n->last_look = step > r->config.max_steps;
    n->winner = -1;
    n->unproven = n->reason = n->later = n->cause.what = n->cause.where =
        n->cause.advice = "";
    if (!make_branches(r, n))
        return NULL;
    r->nodes[r->node_count++] = n;
    return n;
}

uint32_t tree_kept(const run *r, const uint32_t *nodes, uint32_t count)
{
    while (count > 0) {
        const node *n = tree_node(r, nodes[count - 1]);
        if (!n->branches[n->winner].plan->makes_way)
            break;
        count--;
    }
    return count;
}

/* Borrowed from the node. */
void tree_edit(const node *n, arrange_edit *ret)
{
    const branch *b = &n->branches[n->winner];
    *ret = (arrange_edit){.step = n->step,
                          .instruction = b->plan->instruction,
                          .object = b->object,
                          .plane = b->plane,
                          .pose = b->pose,
                          .snapshot = b->snapshot,
                          .score = b->mean,
                          .loss = b->loss,
                          .branches = n->judged,
                          .item = n->item ? n->item : b->plan->item};
}

/* As documents have it. */
const char *core_node_state_name(core_node_state state)
{
    static const char *const names[NODE_STATE_COUNT] = {
        [NODE_PLANNING] = "planning", [NODE_BRANCHING] = "branching",
        [NODE_COMPLETE] = "complete", [NODE_EDITED] = "edited",
        [NODE_FAILED] = "failed",     [NODE_GIVEN_UP] = "given up",
        [NODE_STOPPED] = "stopped",
    };
    return (unsigned)state < NODE_STATE_COUNT && names[state] ? names[state]
                                                              : "unknown";
}

/* As documents have it. */
const char *core_branch_state_name(core_branch_state state)
{
    static const char *const names[BRANCH_STATE_COUNT] = {
        [BRANCH_WAITING] = "waiting",   [BRANCH_RUNNING] = "running",
        [BRANCH_POLLING] = "polling",   [BRANCH_FAILED] = "failed",
        [BRANCH_ACCEPTED] = "accepted", [BRANCH_REJECTED] = "rejected",
        [BRANCH_UNJUDGED] = "unjudged", [BRANCH_DROPPED] = "dropped",
    };
    return (unsigned)state < BRANCH_STATE_COUNT && names[state] ? names[state]
                                                                : "unknown";
}
