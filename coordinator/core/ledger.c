/* What a run's models cost, taken apart by step, role and model. Made anew for
 * each view: from the calls what was spent and lost, from the results that
 * entered decisions what was used. A result tells a sum; its parts by model are
 * those of the replies its conversation kept (one model's, unless it fell back
 * in the midst of it). */
#include "coordinator/core/core_internal.h"

#include "proto/usage.h"

#include <string.h>

/* Accounts in the making. Every booking is an entry; they are merged at the
 * end. */
typedef struct ledger {
    const run *r;
    etna_arena *arena;
    const void **calls;  /* const call *, by slot */
    const void **sorted; /* const core_account * */
    core_account *entries;
    uint32_t count, room;
    bool failed;
} ledger;

/* As qsort's comparison. */
typedef int order(const void *a, const void *b);

/* Heap sort: no more memory, and the core may not ask for qsort. */
static void ledger_sift(const void **items,
                        size_t root,
                        size_t count,
                        order *compare)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && compare(items[child], items[child + 1]) < 0)
            child++;
        if (compare(items[root], items[child]) >= 0)
            return;
        const void *moved = items[root];
        items[root] = items[child];
        items[child] = moved;
    }
}

static void ledger_sort(const void **items, size_t count, order *compare)
{
    for (size_t i = count / 2; i-- > 0;)
        ledger_sift(items, i, count, compare);
    for (size_t end = count; end-- > 1;) {
        const void *most = items[0];
        items[0] = items[end];
        items[end] = most;
        ledger_sift(items, 0, end, compare);
    }
}

static int ledger_compare_numbers(const uint32_t *a,
                                  const uint32_t *b,
                                  size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    }
    return 0;
}

/* By conversation first, so that one conversation's calls stand together. */
static int by_slot(const void *left, const void *right)
{
    const etna_slot *a = &((const call *)left)->slot;
    const etna_slot *b = &((const call *)right)->slot;
    const uint32_t of_a[] = {a->node, a->role, a->branch,
                             a->poll, a->turn, a->repair};
    const uint32_t of_b[] = {b->node, b->role, b->branch,
                             b->poll, b->turn, b->repair};
    return ledger_compare_numbers(of_a, of_b, 6);
}

static int by_account(const void *left, const void *right)
{
    const core_account *a = left, *b = right;
    const uint32_t of_a[] = {a->node, a->role};
    const uint32_t of_b[] = {b->node, b->role};
    int by_place = ledger_compare_numbers(of_a, of_b, 2);
    return by_place ? by_place : strcmp(a->model, b->model);
}

/* An entry that is zero is left out. */
static void ledger_book(ledger *l, core_account entry)
{
    if (message_usage_is_zero(&entry.used) &&
        message_usage_is_zero(&entry.spent) &&
        message_usage_is_zero(&entry.lost))
        return;
    if (l->count == l->room) { /* counted before: cannot be */
        l->failed = true;
        return;
    }
    if (!entry.model)
        entry.model = l->r->config.model;
    l->entries[l->count++] = entry;
}

static void book_calls(ledger *l)
{
    for (uint32_t i = 0; i < l->r->call_count; i++) {
        const call *a = l->calls[i];
        core_account entry = {.node = a->slot.node,
                              .role = a->slot.role,
                              .model = a->model,
                              .spent = a->lost,
                              .lost = a->lost,
                              .waited_ms = a->waited_ms};
        if (a->state == CALL_ENDED)
            message_usage_add(&entry.spent, &a->usage);
        ledger_book(l, entry);
    }
}

/* The first call that does not come before `slot`. */
static uint32_t first_at(const ledger *l, const etna_slot *slot)
{
    const call wanted = {.slot = *slot};
    uint32_t low = 0;
    uint32_t high = l->r->call_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (by_slot(l->calls[middle], &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* What a result used that entered a decision; `place` is its conversation's
 * first slot. */
static void book_used(ledger *l,
                      const etna_slot *place,
                      const message_usage *used)
{
    uint32_t first = first_at(l, place);
    uint32_t end = first;
    message_usage sum = {0};
    uint32_t again = 0;
    const char *model = NULL;
    while (end < l->r->call_count) {
        const call *a = l->calls[end];
        const etna_slot *s = &a->slot;
        if (s->node != place->node || s->role != place->role)
            break;
        if (s->branch != place->branch || s->poll != place->poll)
            break;
        if (a->state == CALL_ENDED)
            message_usage_add(&sum, &a->usage), model = a->model;
        again += a->state == CALL_ENDED && s->repair > 0;
        end++;
    }
    core_account entry = {.node = place->node,
                          .role = place->role,
                          .model = model,
                          .used = *used};
    if (!message_usage_equal(&sum, used)) {
        entry.asked_again = again;
        ledger_book(l, entry);
        return;
    }
    for (uint32_t i = first; i < end; i++) {
        const call *a = l->calls[i];
        if (a->state != CALL_ENDED)
            continue;
        entry.model = a->model;
        entry.used = a->usage;
        entry.asked_again = a->slot.repair > 0;
        ledger_book(l, entry);
    }
}

/* What a branch's executor and its evaluators took. */
static void book_branch(ledger *l, const node *n, uint32_t number)
{
    const branch *own = &n->branches[number];
    etna_slot place = {
        .node = n->number, .branch = number, .role = ROLE_EXECUTOR};
    if (own->applied)
        book_used(l, &place, &own->used);
    place.role = ROLE_EVALUATOR;
    for (uint32_t p = 0; own->polls && p < l->r->config.polls; p++) {
        place.poll = p;
        if (own->polls[p].applied)
            book_used(l, &place, &own->polls[p].used);
    }
}

static void book_node(ledger *l, const node *n)
{
    /* its plans are made by its executors, and mostly booked with their
     * branch */
    bool single = arrange_is_single(l->r->config.ablation);
    etna_slot place = {.node = n->number,
                       .role = single ? ROLE_EXECUTOR : ROLE_PLANNER};
    for (uint32_t i = 0; i < n->plan_count; i++) {
        place.branch = i;
        if (n->plans[i].applied && (!single || n->plans[i].used.calls))
            book_used(l, &place, &n->plans[i].used);
    }
    const etna_slot measure = {
        .node = n->number, .role = ROLE_PLANNER, .poll = ARRANGE_PLAN_MEASURES};
    if (n->measured.calls)
        book_used(l, &measure, &n->measured);
    for (uint32_t b = 0; b < n->branch_count; b++)
        book_branch(l, n, b);
}

/* No more entries than: a call's own and its share of what was used, a result's
 * that no call explains, and three. */
static bool ledger_make_room(ledger *l)
{
    uint64_t room = 3 + 2 * (uint64_t)l->r->call_count;
    for (uint32_t i = 0; i < l->r->node_count; i++) {
        const node *n = l->r->nodes[i];
        room += n->plan_count + 1 + /* a claim's measure */
                (uint64_t)n->branch_count * (1 + l->r->config.polls);
    }
    if (room > UINT32_MAX)
        return false;
    l->room = (uint32_t)room;
    l->calls = etna_arena_alloc(l->arena, (size_t)l->r->call_count + 1,
                                sizeof *l->calls);
    l->entries = etna_arena_alloc(l->arena, l->room, sizeof *l->entries);
    l->sorted = etna_arena_alloc(l->arena, l->room, sizeof *l->sorted);
    return l->calls && l->entries && l->sorted;
}

/* Gives the accounts texts of their own; accounts of one model, which stand
 * together, share one. False: out of memory. */
static bool accounts_copy_models(etna_arena *arena,
                                 core_account *accounts,
                                 uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const char *before = i ? accounts[i - 1].model : NULL;
        const char *copy = before;
        if (!before || strcmp(before, accounts[i].model) != 0)
            copy = etna_arena_strdup(arena, accounts[i].model);
        if (!copy)
            return false;
        accounts[i].model = copy;
    }
    return true;
}

/* One account for each node, role and model. */
static core_account *ledger_merge(ledger *l, uint32_t *ret_count)
{
    core_account *accounts =
        etna_arena_alloc(l->arena, (size_t)l->count + 1, sizeof *accounts);
    uint32_t count = 0;
    for (uint32_t i = 0; i < l->count; i++)
        l->sorted[i] = &l->entries[i];
    ledger_sort(l->sorted, l->count, by_account);
    for (uint32_t i = 0; accounts && i < l->count; i++) {
        const core_account *e = l->sorted[i];
        if (count && by_account(&accounts[count - 1], e) == 0) {
            message_usage_add(&accounts[count - 1].used, &e->used);
            message_usage_add(&accounts[count - 1].spent, &e->spent);
            message_usage_add(&accounts[count - 1].lost, &e->lost);
            accounts[count - 1].asked_again += e->asked_again;
            accounts[count - 1].waited_ms += e->waited_ms;
        } else {
            accounts[count++] = *e;
        }
    }
    if (!accounts || !accounts_copy_models(l->arena, accounts, count))
        return NULL;
    *ret_count = count;
    return accounts;
}

core_account *ledger_of(const run *r, etna_arena *arena, uint32_t *ret_count)
{
    ledger l = {.r = r, .arena = arena};
    if (!ledger_make_room(&l))
        return NULL;
    uint32_t at = 0;
    for (const call *a = r->calls; a && at < r->call_count; a = a->before)
        l.calls[at++] = a;
    ledger_sort(l.calls, r->call_count, by_slot);
    ledger_book(&l, (core_account){.used = r->import_used});
    book_calls(&l);
    if (r->read_used.calls)
        book_used(&l, &(etna_slot){.role = ROLE_READER}, &r->read_used);
    for (uint32_t i = 0; i < r->node_count; i++)
        book_node(&l, r->nodes[i]);
    return l.failed ? NULL : ledger_merge(&l, ret_count);
}
