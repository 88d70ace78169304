/* What must hold between any two steps. Tests ask after every one; a broken one
 * is named, with its run. */
#include "coordinator/core/core_internal.h"
#include "proto/array.h"

/* `r` NULL: of no run. */
static etna_code invariants_broken(const run *r,
                                   const char *what,
                                   etna_error *err)
{
    char id[33] = "(none)";
    if (r)
        etna_id_hex(&r->id, id);
    return etna_fail(err, ETNA_E_INTERNAL, "run %s: %s", id, what);
}

/* A sequence of edits: each starts where the one before ended, from S_0 on. */
static etna_code check_path(const run *r,
                            const uint32_t *path,
                            uint32_t count,
                            const char *name,
                            etna_error *err)
{
    etna_hash at = r->first_snapshot;
    for (uint32_t i = 0; i < count; i++) {
        const node *n = tree_node(r, path[i]);
        if (!n || n->step != i + 1 || n->winner < 0)
            return invariants_broken(r, name, err);
        if (!etna_hash_equal(&n->before, &at))
            return invariants_broken(
                r, "an edit does not start where the one before ended", err);
        at = n->branches[n->winner].snapshot;
    }
    return ETNA_OK;
}

/* Algorithm 2's own invariants. */
static etna_code check_search(const run *r, etna_error *err)
{
    if (r->phase == PHASE_IMPORTING)
        return r->node_count
                   ? invariants_broken(r, "a step before the import", err)
                   : ETNA_OK;
    etna_code code = check_path(r, r->path, r->path_count,
                                "the path is no sequence of edits", err);
    if (code == ETNA_OK)
        code = check_path(r, r->best, r->best_count,
                          "the deepest scene is no sequence of edits", err);
    if (code != ETNA_OK)
        return code;
    if (r->best_count < tree_kept(r, r->path, r->path_count))
        return invariants_broken(r, "the deepest scene is not the deepest",
                                 err);
    if (r->backtracks > r->config.max_backtracks)
        return invariants_broken(r, "more backtracks than allowed", err);
    if (r->phase != PHASE_SEARCHING)
        return ETNA_OK;
    bool is_ordered =
        1 <= r->anchor && r->anchor <= r->step && r->step <= r->depth_max;
    if (!is_ordered) {
        return invariants_broken(r, "1 <= d_a <= k <= d_max does not hold",
                                 err);
    }
    if (r->path_count != r->step - 1)
        return invariants_broken(r, "a search at step k must hold S_0..S_{k-1}",
                                 err);
    const node *open = tree_node(r, r->node_count);
    if (!open || open->step != r->step)
        return invariants_broken(r, "the last node is not the step under way",
                                 err);
    if (open->state != NODE_PLANNING && open->state != NODE_BRANCHING)
        return invariants_broken(r, "a search without an open step", err);
    return ETNA_OK;
}

/* At most the last node is open, and what is decided has nothing under way. */
static etna_code check_nodes(const run *r, etna_error *err)
{
    for (uint32_t i = 0; i < r->node_count; i++) {
        const node *n = r->nodes[i];
        bool open = n->state == NODE_PLANNING || n->state == NODE_BRANCHING;
        if (n->number != i + 1)
            return invariants_broken(r, "a node's number is not its place",
                                     err);
        if (open && i + 1 != r->node_count)
            return invariants_broken(r, "two steps are open at once", err);
        if ((n->winner >= 0) !=
            (n->state == NODE_EDITED || n->state == NODE_GIVEN_UP)) {
            return invariants_broken(r, "only an edited step has a winner",
                                     err);
        }
        /* it takes the best there is */
        bool any = r->config.ablation == ABLATION_NO_BACKTRACKING;
        if (n->winner >= 0 && n->branches[n->winner].state != BRANCH_ACCEPTED &&
            !any) {
            return invariants_broken(r, "a winner that was not accepted", err);
        }
        for (uint32_t j = 0; j < n->branch_count; j++) {
            if (!open && !branch_terminal(&n->branches[j]))
                return invariants_broken(r, "an open branch of a decided step",
                                         err);
            if (n->branches[j].arrived &&
                n->branches[j].state == BRANCH_RUNNING) {
                return invariants_broken(r, "a branch that is there still runs",
                                         err);
            }
        }
    }
    return ETNA_OK;
}

/* A second lease is a later attempt, held by another living worker. */
static bool twin_is_right(const task *t)
{
    const task *twin = t->twin;
    if (!twin)
        return true;
    bool is_its = twin->of == t && twin->run == t->run && twin->id == t->id;
    bool is_held =
        t->state == TASK_LEASED && twin->worker && twin->worker->live;
    bool is_later = twin->worker != t->worker && twin->attempt > t->attempt;
    return is_its && is_held && is_later;
}

/* What is wrong with an open task by itself; NULL: nothing. */
static const char *task_fault(const run *r, const task *t)
{
    const struct {
        bool is_broken;
        const char *what;
    } rules[] = {
        {t->deaths >= DEATHS_MOST, "a task that should have been refused"},
        {(t->state == TASK_LEASED) != (t->worker != NULL),
         "leased means held by a worker"},
        {t->worker && !t->worker->live, "a lease of a worker that is gone"},
        {!twin_is_right(t), "a second lease that is none"},
        {table_get(&r->tasks, t->id) != t, "an open task that cannot be found"},
        {t->of_node.number && !tree_open(r, t->of_node),
         "a task of a decided step"},
        {r->dormant && t->state == TASK_LEASED,
         "a lease while the run is dormant"},
    };
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        if (rules[i].is_broken)
            return rules[i].what;
    }
    return NULL;
}

/* Tasks that were dropped while a call of theirs was paid for: they wait for
 * its reply and for nothing else. */
static etna_code check_leaving(const run *r, etna_error *err)
{
    uint32_t count = 0;
    for (const chain *link = r->tasks_leaving.next; link != &r->tasks_leaving;
         link = link->next) {
        const task *t = CHAIN_OF(task, of_run, link);
        if (!t->leaving || t->state != TASK_LEASED || !t->worker)
            return invariants_broken(r, "a task that leaves is held by nobody",
                                     err);
        if (!call_waits_elsewhere(t))
            return invariants_broken(r, "a task that leaves waits for no call",
                                     err);
        count++;
    }
    return count == r->leaving_count
               ? ETNA_OK
               : invariants_broken(r, "tasks that leave are miscounted", err);
}

/* Counters and lists agree, and a run that goes on waits for something. */
static etna_code check_tasks(const run *r, etna_error *err)
{
    uint32_t open = 0, queued = 0, alone = 0, twins = 0;
    for (const chain *link = r->tasks_open.next; link != &r->tasks_open;
         link = link->next) {
        const task *t = CHAIN_OF(task, of_run, link);
        const char *fault = task_fault(r, t);
        if (fault)
            return invariants_broken(r, fault, err);
        open++;
        if (t->twin)
            twins++;
        if (t->state != TASK_QUEUED)
            continue;
        queued++;
        if (task_is_deadly(t))
            alone++;
    }
    bool counted = open == r->task_count && queued == r->queued_count &&
                   alone == r->alone_count;
    if (!counted || twins != r->twin_count)
        return invariants_broken(r, "tasks are miscounted", err);
    bool waits = r->phase == PHASE_ENDED ? open > 0 : open == 0;
    if (waits)
        return invariants_broken(
            r, "an ended run with open tasks, or one that waits for nothing",
            err);
    bool ready = run_may_lease(r) && queued > alone;
    if (!chain_empty(r->batch ? &r->of_batch : &r->ready) != ready)
        return invariants_broken(r, "ready means tasks to give out", err);
    if (r->batch && !batch_is_in_order(r))
        return invariants_broken(r, "its batch's oldest ready run is shown",
                                 err);
    return ETNA_OK;
}

/* Reservations are the sum of the calls in flight, and each of these is
 * somebody's. */
static etna_code check_money(const run *r, etna_error *err)
{
    uint64_t reserved = 0;
    for (const chain *link = r->in_flight.next; link != &r->in_flight;
         link = link->next) {
        const call *a = CHAIN_OF(call, in_flight, link);
        const task *t = task_held(
            r, &(message_task_ref){.task = a->task, .attempt = a->attempt});
        if (a->state != CALL_IN_FLIGHT)
            return invariants_broken(r, "a call in flight that is none", err);
        bool theirs = t != NULL;
        if (!theirs && !r->dormant) /* as a coordinator that died left it */
            return invariants_broken(r, "a call in flight of nobody", err);
        reserved += a->reserved_micros;
    }
    if (reserved != r->reserved_micros)
        return invariants_broken(r, "reservations do not add up", err);
    if (r->retry_ms && !r->dormant)
        return invariants_broken(r, "a pause of a run that goes on", err);
    if (!chain_empty(&r->losing))
        return invariants_broken(r, "a loss without its record", err);
    if (r->lost.cost_micros > r->spent.cost_micros)
        return invariants_broken(r, "more lost than spent", err);
    return ETNA_OK;
}

/* A parked lease request of a worker that may take a task: one out of
 * quarantine, or one in it. */
static bool invariants_have_taker(const core *c, bool alone)
{
    for (const chain *link = c->leases_parked.next; link != &c->leases_parked;
         link = link->next) {
        const worker *w = CHAIN_OF(parked, link, link)->worker;
        if (alone ? lease_is_idle(w) : lease_may_take(w))
            return true;
    }
    return false;
}

/* Is there a task to be done alone that could be leased? */
static bool invariants_quarantined(const core *c)
{
    for (const chain *link = c->quarantine.next; link != &c->quarantine;
         link = link->next) {
        if (run_may_lease(CHAIN_OF(task, link, link)->run))
            return true;
    }
    return false;
}

/* Every lease is in the right hands, and its worker cannot be silent for
 * ever. */
static etna_code check_leases(const worker *w, etna_error *err)
{
    uint32_t count = 0;
    for (const chain *lease = w->leases.next; lease != &w->leases;
         lease = lease->next) {
        const task *t = CHAIN_OF(task, link, lease);
        if (t->worker != w)
            return invariants_broken(NULL, "a lease in the wrong hands", err);
        if (task_is_deadly(t) && w->lease_count != 1)
            return invariants_broken(NULL, "a deadly task beside others", err);
        count++;
    }
    if (count != w->lease_count)
        return invariants_broken(NULL, "a worker's leases are miscounted", err);
    if (!w->orders && chain_empty(&w->lost_queue))
        return invariants_broken(NULL, "a worker that can be silent for ever",
                                 err);
    return ETNA_OK;
}

/* Leases are counted from both sides: by workers and by runs. */
static etna_code check_workers(const core *c, etna_error *err)
{
    uint32_t leased = 0;
    for (const chain *link = c->workers.next; link != &c->workers;
         link = link->next) {
        const worker *w = CHAIN_OF(worker, link, link);
        etna_code code = check_leases(w, err);
        if (code != ETNA_OK)
            return code;
        leased += w->lease_count;
    }
    uint64_t config_bytes = c->config_bytes;
    for (uint32_t i = 0; i < c->run_count; i++) {
        const run *r = c->runs[i];
        leased -=
            r->task_count - r->queued_count + r->leaving_count + r->twin_count;
        config_bytes -= r->config_bytes;
    }
    if (config_bytes)
        return invariants_broken(NULL, "bytes of configurations differ", err);
    if (leased)
        return invariants_broken(NULL, "leases of runs and workers differ",
                                 err);
    return ETNA_OK;
}

/* No task waits beside a worker that waits. */
static etna_code check_waiting(const core *c, etna_error *err)
{
    bool quarantined = invariants_quarantined(c);
    if (c->reserved && !c->reserved->live)
        return invariants_broken(NULL, "tasks wait for a worker that is gone",
                                 err);
    if (c->reserved && !quarantined)
        return invariants_broken(
            NULL, "a worker is kept from taking tasks for nothing", err);
    bool ready = !chain_empty(&c->ready) && invariants_have_taker(c, false);
    bool alone = quarantined && invariants_have_taker(c, true);
    if (!c->draining && (ready || alone))
        return invariants_broken(
            NULL, "a task and a worker wait for each other", err);
    return ETNA_OK;
}

/* The higher priority first. */
static etna_code check_ready(const core *c, etna_error *err)
{
    uint32_t before = UINT32_MAX;
    for (const chain *link = c->ready.next; link != &c->ready;
         link = link->next) {
        const run *r = CHAIN_OF(run, ready, link);
        if (r->config.priority > before)
            return invariants_broken(r, "a run before one of a higher priority",
                                     err);
        before = r->config.priority;
    }
    return ETNA_OK;
}

/* request.c's order, by which deadlines are looked at from the front alone. */
static etna_code check_queue(const chain *queue, etna_error *err)
{
    uint64_t before = 0;
    for (const chain *link = queue->next; link != queue; link = link->next) {
        const parked *p = CHAIN_OF(parked, link, link);
        if (p->deadline_ms < before)
            return invariants_broken(
                NULL, "parked requests are not in the order of their deadlines",
                err);
        before = p->deadline_ms;
    }
    return ETNA_OK;
}

/* Who waits for news of a run waits for what has not happened yet. */
static etna_code check_viewers(const core *c, etna_error *err)
{
    for (const chain *link = c->viewers_parked.next; link != &c->viewers_parked;
         link = link->next) {
        const parked *p = CHAIN_OF(parked, link, link);
        const run *r = core_find(c, &p->run);
        if (!r)
            return invariants_broken(
                NULL, "a viewer waits for a run that is not there", err);
        if (viewer_has_news(r, p->after))
            return invariants_broken(r, "a viewer was not told of what is new",
                                     err);
    }
    return ETNA_OK;
}

/* The first that is broken, or ETNA_OK. */
etna_code core_check(const core *c, etna_error *err)
{
    if (c->failure != ETNA_OK)
        return etna_fail(err, c->failure, "%s", c->failure_text);
    etna_code code = check_workers(c, err);
    if (code == ETNA_OK)
        code = check_waiting(c, err);
    if (code == ETNA_OK)
        code = check_ready(c, err);
    if (code == ETNA_OK)
        code = check_viewers(c, err);
    if (code == ETNA_OK && !chain_empty(&c->served))
        code = invariants_broken(NULL, "a request waits for its answer", err);
    const chain *queues[] = {&c->leases_parked, &c->orders_parked,
                             &c->viewers_parked};
    for (size_t i = 0; code == ETNA_OK && i < 3; i++)
        code = check_queue(queues[i], err);
    for (uint32_t i = 0; code == ETNA_OK && i < c->run_count; i++) {
        const run *r = c->runs[i];
        etna_code (*const checks[])(const run *, etna_error *) = {
            check_search, check_nodes, check_tasks, check_leaving, check_money};
        for (size_t j = 0; code == ETNA_OK && j < COUNT_OF(checks); j++)
            code = checks[j](r, err);
    }
    return code;
}
