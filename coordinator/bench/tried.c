/* See tried.h.
 *
 * Both functions walk the same branches (branches_walk): the first gathers
 * their scenes, the second counts what was found out of them. */
#include "coordinator/bench/tried.h"
#include "coordinator/report/field.h"
#include "proto/array.h"

#include <string.h>

/* ---- which branches ---- */

/* The instruction that a node serves: what its plan says, else its own step. */
static long long node_item(const json_t *node)
{
    long long item = field_integer(node, "item");
    return item > 0 ? item : field_integer(node, "step");
}

/* NULL: it begins at S_0. */
static const json_t *node_parent(const json_t *tree, const json_t *node)
{
    long long parent = field_integer(node, "parent");
    return parent > 0 ? json_array_get(tree, (size_t)parent - 1) : NULL;
}

/* Its instruction was gone on with by a further edit: what it left was not
 * meant to fulfil it. */
static bool node_goes_on(const json_t *tree, const json_t *node)
{
    long long number = field_integer(node, "node");
    size_t i;
    json_t *one;
    json_array_foreach(tree, i, one)
    {
        bool is_next = field_integer(one, "parent") == number &&
                       node_item(one) == node_item(node);
        if (is_next && strcmp(field_string(one, "plan"), "edit") == 0)
            return true;
    }
    return false;
}

/* What its instruction found: the scene of the nearest ancestor that served
 * another; NULL: S_0. A tree that leads in a circle is left after as many steps
 * as it has nodes. */
static const char *node_before(const json_t *tree, const json_t *node)
{
    const json_t *at = node_parent(tree, node);
    size_t most = json_array_size(tree);
    while (at && most-- && node_item(at) == node_item(node))
        at = node_parent(tree, at);
    return json_string_value(json_object_get(at, "snapshot"));
}

/* Whether evaluators decided about it; *ret_accepted is how. A decision that
 * nobody was asked about says nothing of them. */
static bool branch_is_judged(const json_t *branch, bool *ret_accepted)
{
    const char *state = field_string(branch, "state");
    *ret_accepted = strcmp(state, "accepted") == 0;
    bool is_decided = *ret_accepted || strcmp(state, "rejected") == 0;
    bool was_asked =
        json_array_size(json_object_get(branch, "evaluations")) > 0;
    return is_decided && was_asked && *field_string(branch, "snapshot");
}

/* ---- walking ---- */

typedef struct judged_branch {
    tried_look look;
    bool is_accepted, is_taken; /* by evaluators; by the search */
} judged_branch;

/* False ends the walk. */
typedef bool (*branch_visit)(void *context, const judged_branch *b);

/* The branches of one node. `winner` is the index of the one that the search
 * took; where it took none, the node has no such number. */
static bool tried_node_walk(const json_t *tree,
                            const json_t *node,
                            branch_visit visit,
                            void *context)
{
    const json_t *winner = json_object_get(node, "winner");
    const char *before = node_before(tree, node);
    size_t i;
    json_t *branch;
    json_array_foreach(json_object_get(node, "branches"), i, branch)
    {
        judged_branch b = {.look = {.item = (uint32_t)node_item(node),
                                    .before = before,
                                    .after = field_string(branch, "snapshot")}};
        b.is_taken = json_is_integer(winner) &&
                     json_integer_value(winner) == (json_int_t)i;
        bool is_judged = branch_is_judged(branch, &b.is_accepted);
        if (is_judged && !visit(context, &b))
            return false;
    }
    return true;
}

/* `node_begun` is told of each node before its branches; NULL: nobody is.
 * Instructions are numbered from 1 to `count`; nodes of any other, or of none,
 * are passed over. False: the visitor ended it. */
static bool branches_walk(const json_t *document,
                          uint32_t count,
                          void (*node_begun)(void *context),
                          branch_visit visit,
                          void *context)
{
    const json_t *tree = json_object_get(document, "tree");
    size_t i;
    json_t *node;
    json_array_foreach(tree, i, node)
    {
        long long item = node_item(node);
        bool is_asked = item >= 1 && item <= (long long)count;
        if (!is_asked || node_goes_on(tree, node))
            continue;
        if (node_begun)
            node_begun(context);
        if (!tried_node_walk(tree, node, visit, context))
            return false;
    }
    return true;
}

/* ---- what is to be looked at ---- */

static bool text_is_same(const char *a, const char *b)
{
    if (!a || !b)
        return a == b;
    return strcmp(a, b) == 0;
}

/* Branches that left the same scene of the same instruction share a look: it is
 * judged once, and counted for each. */
static tried_look *look_find(const tried_looks *looks, const tried_look *like)
{
    for (size_t i = 0; i < looks->count; i++) {
        tried_look *l = &looks->list[i];
        bool is_same = l->item == like->item &&
                       text_is_same(l->after, like->after) &&
                       text_is_same(l->before, like->before);
        if (is_same)
            return l;
    }
    return NULL;
}

static bool branch_count(void *context, const judged_branch *b)
{
    (void)b;
    ++*(size_t *)context;
    return true;
}

static bool branch_gather(void *context, const judged_branch *b)
{
    tried_looks *looks = context;
    if (!look_find(looks, &b->look))
        looks->list[looks->count++] = b->look;
    return true;
}

bool tried_find(const json_t *document,
                uint32_t count,
                etna_arena *arena,
                tried_looks *ret)
{
    size_t most = 0;
    branches_walk(document, count, NULL, branch_count, &most);
    tried_looks looks = {etna_arena_alloc(arena, most + 1, sizeof *looks.list),
                         0};
    if (!looks.list)
        return false;
    branches_walk(document, count, NULL, branch_gather, &looks);
    *ret = looks;
    return true;
}

/* ---- what was found out ---- */

typedef struct tried_telling {
    json_t *items; /* a row for each instruction */
    const tried_looks *looks;
    /* of the node that is walked: one that was looked at was taken, it is done,
     * any is */
    bool is_taken, chosen_done, best_done;
    uint32_t item;
} tried_telling;

static void row_count(json_t *row, const char *key, bool counts)
{
    json_object_set_new(
        row, key, json_integer((json_int_t)field_integer(row, key) + counts));
}

/* The node before is over. One whose taken branch was not looked at counts
 * nowhere: there is nothing to hold the best of the others against. */
static void telling_node(void *context)
{
    tried_telling *t = context;
    if (t->is_taken) {
        json_t *row = json_array_get(t->items, t->item - 1);
        row_count(row, "nodes", true);
        row_count(row, "chosen_done", t->chosen_done);
        row_count(row, "best_done", t->best_done);
    }
    t->is_taken = t->chosen_done = t->best_done = false;
}

/* An unseen one counts as such alone, neither as accepted nor as rejected. */
static bool telling_branch(void *context, const judged_branch *b)
{
    tried_telling *t = context;
    const tried_look *look = look_find(t->looks, &b->look);
    json_t *row = json_array_get(t->items, b->look.item - 1);
    if (!look || look->done == TRIED_UNSEEN) {
        row_count(row, "unseen", true);
        return true;
    }
    bool is_done = look->done == TRIED_DONE;
    row_count(row, b->is_accepted ? "accepted" : "rejected", true);
    row_count(row, b->is_accepted ? "accepted_done" : "rejected_done", is_done);
    t->item = b->look.item;
    t->is_taken |= b->is_taken;
    t->chosen_done |= b->is_taken && is_done;
    t->best_done |= is_done;
    return true;
}

json_t *tried_tell(const json_t *document,
                   uint32_t count,
                   const tried_looks *looks)
{
    static const char *const keys[] = {
        "accepted", "accepted_done", "rejected",    "rejected_done",
        "unseen",   "nodes",         "chosen_done", "best_done"};
    tried_telling t = {.items = json_array(), .looks = looks};
    for (uint32_t i = 0; i < count; i++) {
        json_t *row = json_object();
        for (size_t k = 0; k < COUNT_OF(keys); k++)
            json_object_set_new(row, keys[k], json_integer(0));
        json_array_append_new(t.items, row);
    }
    if (json_array_size(t.items) != count) {
        json_decref(t.items);
        return NULL;
    }
    branches_walk(document, count, telling_node, telling_branch, &t);
    telling_node(&t);
    return t.items;
}
