/* What a step is told of earlier ones at its place, and how an identical
 * failure is known. A place is (step, S_{k-1}): only there do earlier failures
 * and given-up edits say something about what to try next (METHODS.md 2,
 * Memory). */
#include "coordinator/core/core_internal.h"
#include "proto/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of texts in one task, so that it fits a message: the oldest go
 * first. */
enum {
    MEMORY_BYTES = 128 * 1024
};

/* Only there does an earlier failure say something about what to try next. */
static bool memory_same_place(const node *a, const node *b)
{
    return a->step == b->step && etna_hash_equal(&a->before, &b->before);
}

static bool memory_tells(const branch *b)
{
    return b->state == BRANCH_FAILED || b->state == BRANCH_REJECTED ||
           b->state == BRANCH_UNJUDGED;
}

static bool is_decided(const node *n)
{
    return n->state == NODE_EDITED || n->state == NODE_FAILED ||
           n->state == NODE_GIVEN_UP;
}

/* What nobody could read says nothing about the place. */
static bool memory_has_said(const node *n)
{
    return is_decided(n) && n->failure != FAILURE_UNREAD;
}

/* The verdicts, and what the one who liked it least saw. */
static void add_rejection(const branch *b, uint32_t polls, core_text *text)
{
    text_add(text, "rejected (mean %.2f):", b->mean);
    const poll *lowest = NULL;
    for (uint32_t i = 0; i < polls; i++) {
        const poll *p = &b->polls[i];
        static const char *const words[] = {
            "abstained", "terrible", "bad", "fair", "good", "excellent"};
        text_add(text, "%s %s", i ? "," : "", words[p->verdict]);
        if (p->verdict != VERDICT_ABSTAIN &&
            (!lowest || p->verdict < lowest->verdict))
            lowest = p;
    }
    if (lowest && *lowest->reason)
        text_add(text, "; %s", lowest->reason);
}

const char *memory_branch_reason(const run *r,
                                 const branch *b,
                                 etna_arena *arena)
{
    core_text text = {0};
    if (b->state == BRANCH_REJECTED) {
        add_rejection(b, r->config.polls, &text);
    } else if (b->state == BRANCH_UNJUDGED) {
        text_add(&text, "unjudged: too few evaluators gave a verdict");
    } else if (b->state == BRANCH_FAILED && *b->reason) {
        text_add(&text, "%s", b->reason);
    } else if (b->state == BRANCH_FAILED) {
        text_add(&text, "failed without a reason");
    } else {
        text_add(&text, "%s", core_branch_state_name(b->state));
    }
    const char *copy = etna_arena_strndup(
        arena, text.data, etna_utf8_cut(text.data, ARRANGE_REASON_MAX));
    if (!copy)
        core_trouble(r->core, ETNA_E_NOMEM, "a branch's reason: out of memory");
    return copy ? copy : "";
}

/* Keeps the newest entries that fit count and bytes: moves the window's start,
 * in place. */
static uint32_t window_start(const size_t *sizes, uint32_t n, uint32_t most)
{
    size_t bytes = 0;
    uint32_t start = n;
    while (start > 0 && n - start < most &&
           bytes + sizes[start - 1] <= MEMORY_BYTES)
        bytes += sizes[--start];
    return start;
}

/* What its planner said of the whole, and what speaks against it. */
static arrange_failure memory_of_claim(const node *n)
{
    return (arrange_failure){.node = n->number,
                             .instruction = "",
                             .object = "",
                             .reason = n->unproven};
}

/* All branches that failed at the node's place, the newest that fit. */
static void fill_failures(const run *r, const node *n, arrange_task *ret)
{
    core *c = r->core;
    uint32_t most = 0, count = 0;
    if (r->config.forgets)
        return;
    for (uint32_t i = 0; i + 1 < n->number; i++) {
        if (memory_same_place(r->nodes[i], n) && memory_has_said(r->nodes[i]))
            most += r->nodes[i]->branch_count + 1;
    }
    if (!most)
        return;
    arrange_failure *all = etna_arena_alloc(&c->scratch, most, sizeof *all);
    size_t *sizes = etna_arena_alloc(&c->scratch, most, sizeof *sizes);
    if (!all || !sizes) {
        core_trouble(c, ETNA_E_NOMEM, "a plan request: out of memory");
        return;
    }
    for (uint32_t i = 0; i + 1 < n->number; i++) {
        const node *m = r->nodes[i];
        if (!memory_same_place(m, n) || !memory_has_said(m))
            continue;
        if (m->failure == FAILURE_UNPROVEN) {
            all[count] = memory_of_claim(m);
            sizes[count++] = strlen(m->unproven) + 32;
        }
        for (uint32_t j = 0; j < m->branch_count; j++) {
            const branch *b = &m->branches[j];
            if (!memory_tells(b))
                continue;
            const char *reason = memory_branch_reason(r, b, &c->scratch);
            all[count] = (arrange_failure){.node = m->number,
                                           .branch = j,
                                           .instruction = b->plan->instruction,
                                           .object = b->object,
                                           .reason = reason,
                                           .obstacle = b->obstacle.kind};
            sizes[count++] = strlen(b->plan->instruction) + strlen(b->object) +
                             strlen(reason) + 32;
        }
    }
    uint32_t start = window_start(sizes, count, ARRANGE_MEMORY_MAX);
    ret->failures = all + start;
    ret->failure_count = count - start;
}

/* Does the node stand for an instruction that was passed over? */
static bool memory_is_passed(const run *r, const node *n)
{
    for (uint32_t i = 0; i < r->passed_count; i++) {
        if (r->passed[i].node == n->number)
            return true;
    }
    return false;
}

void memory_given_up(const run *r, const node *n, arrange_task *ret)
{
    core *c = r->core;
    uint32_t count = 0;
    if (r->config.forgets)
        return;
    arrange_given_up *all =
        etna_arena_alloc(&c->scratch, n->number, sizeof *all);
    size_t *sizes = etna_arena_alloc(&c->scratch, n->number, sizeof *sizes);
    if (!all || !sizes) {
        core_trouble(c, ETNA_E_NOMEM, "a task: out of memory");
        return;
    }
    for (uint32_t i = 0; i + 1 < n->number; i++) {
        const node *m = r->nodes[i];
        if (m->state != NODE_GIVEN_UP || !memory_same_place(m, n))
            continue;
        const branch *b = &m->branches[m->winner];
        const node *failed = tree_node(r, m->given_up_for);
        const char *later = failure_words(failed);
        all[count] = (arrange_given_up){
            .node = m->number,
            .instruction = b->plan->instruction,
            .object = b->object,
            .plane = b->plane,
            .pose = b->pose,
            .later = later,
            .later_step = memory_is_passed(r, failed) ? 0 : failed->step};
        sizes[count++] = strlen(b->plan->instruction) + strlen(b->object) +
                         strlen(b->plane) + strlen(later) + 64;
    }
    uint32_t start = window_start(sizes, count, ARRANGE_MEMORY_MAX);
    ret->given_up = count > start ? all + start : NULL;
    ret->given_up_count = count - start;
}

void memory_fill(const run *r, const node *n, arrange_task *ret)
{
    fill_failures(r, n, ret);
    memory_given_up(r, n, ret);
}

/* ---- identical failures ---- */

/* Canonical bytes of one branch. */
typedef struct bytes {
    uint8_t *data;
    size_t size;
} bytes;

static int compare_bytes(const bytes *a, const bytes *b)
{
    size_t common = a->size < b->size ? a->size : b->size;
    int order = common ? memcmp(a->data, b->data, common) : 0;
    return order ? order : (a->size > b->size) - (a->size < b->size);
}

/* Two causes are one when their kinds and objects are: their texts may differ
 * in a count. A constraint that cannot be met is known by the executor's
 * constraints. Where a cause is not known as data, its text is all there is. */
static void fingerprint_obstacle(canon_writer *w, const branch *b)
{
    const arrange_obstacle *obstacle = &b->obstacle;
    canon_u32(w, obstacle->kind);
    if (obstacle->kind == OBSTACLE_NONE) {
        canon_text(w, b->reason);
        return;
    }
    canon_text(w, obstacle->plane);
    canon_u32(w, obstacle->other_count);
    for (uint32_t i = 0; i < obstacle->other_count; i++)
        canon_text(w, obstacle->others[i]);
    if (obstacle->kind == OBSTACLE_CONSTRAINT)
        canon_text(w, b->constraints);
}

static void fingerprint_plan(canon_writer *w, const plan *p)
{
    canon_u32(w, p->status);
    canon_text(w, p->instruction);
    canon_u32(w, p->refusal.code);
    if (p->refusal.code == REFUSAL_NONE) {
        canon_text(w, p->reason);
        return;
    }
    canon_text(w, p->refusal.where);
    canon_u32(w, p->refusal.item);
}

/* What a branch came to. Of a failed one the pose says nothing; of a valid one
 * the snapshot says all. */
static bytes branch_fingerprint(const run *r, const branch *b)
{
    canon_writer w = {0};
    canon_u32(&w, (uint32_t)b->state);
    canon_u32(&w, b->status);
    canon_text(&w, b->plan->instruction);
    canon_text(&w, b->object);
    canon_text(&w, b->plane);
    fingerprint_obstacle(&w, b);
    canon_hash(&w, &b->snapshot);
    for (uint32_t i = 0; b->status == BRANCH_VALID && i < r->config.polls; i++)
        canon_u32(&w, b->polls[i].verdict);
    if (w.failed)
        core_trouble(r->core, ETNA_E_NOMEM,
                     "a failure's fingerprint: out of memory");
    return (bytes){w.data, w.size};
}

void memory_fingerprint(run *r, node *n)
{
    bytes fingerprints[ARRANGE_BRANCHES_MAX];
    /* insertion sort: a set has no order */
    for (uint32_t i = 0; i < n->branch_count; i++) {
        bytes fingerprint = branch_fingerprint(r, &n->branches[i]);
        uint32_t at = i;
        for (; at > 0 && compare_bytes(&fingerprints[at - 1], &fingerprint) > 0;
             at--)
            fingerprints[at] = fingerprints[at - 1];
        fingerprints[at] = fingerprint;
    }
    canon_writer w = {0};
    canon_u32(&w, n->step);
    canon_hash(&w, &n->before);
    for (uint32_t i = 0; i < n->plan_count; i++)
        fingerprint_plan(&w, &n->plans[i]);
    for (uint32_t i = 0; i < n->branch_count; i++)
        canon_bytes(&w, fingerprints[i].data, fingerprints[i].size);
    n->fingerprint =
        w.failed ? NULL : etna_arena_memdup(&r->arena, w.data, w.size);
    n->fingerprint_size = n->fingerprint ? w.size : 0;
    if (!n->fingerprint)
        core_trouble(r->core, ETNA_E_NOMEM,
                     "a failure's fingerprint: out of memory");
    canon_writer_free(&w);
    for (uint32_t i = 0; i < n->branch_count; i++)
        free(fingerprints[i].data);
}

const node *memory_identical_failure(const run *r, const node *n)
{
    for (uint32_t i = 0; i + 1 < n->number; i++) {
        const node *m = r->nodes[i];
        if (m->state != NODE_FAILED || m->fingerprint_size == 0 ||
            m->fingerprint_size != n->fingerprint_size)
            continue;
        if (memcmp(m->fingerprint, n->fingerprint, n->fingerprint_size) == 0)
            return m;
    }
    return NULL;
}
