/* What a coordinator is watched by: counted as things happen, so that asking
 * costs nothing that grows. */
#include "coordinator/core/core_internal.h"

const uint32_t core_bucket_ms[CORE_BUCKETS] = {10,    100,    1000,      10000,
                                               60000, 600000, UINT32_MAX};

void totals_latency_add(core_latency *latency, uint64_t ms)
{
    latency->count++;
    latency->sum_ms += ms;
    for (int i = CORE_BUCKETS - 1; i >= 0 && ms <= core_bucket_ms[i]; i--)
        latency->buckets[i]++;
}

static void totals_add_open(core_totals *totals, const run *r)
{
    for (const chain *link = r->tasks_open.next; link != &r->tasks_open;
         link = link->next) {
        const task *t = CHAIN_OF(task, of_run, link);
        core_kind_totals *kind = &totals->kinds[t->kind];
        if (t->state == TASK_LEASED)
            kind->leased++;
        if (t->state == TASK_QUEUED && run_may_lease(r))
            kind->queued++;
    }
}

core_totals core_measure(const core *c)
{
    core_totals totals = c->totals;
    for (uint32_t i = 0; i < c->run_count; i++)
        totals_add_open(&totals, c->runs[i]);
    return totals;
}

uint32_t core_workers(const core *c,
                      core_worker_view *ret_workers,
                      uint32_t room)
{
    uint32_t count = 0;
    for (const chain *link = c->workers.next; link != &c->workers;
         link = link->next) {
        const worker *w = CHAIN_OF(worker, link, link);
        if (!w->live)
            continue;
        if (count < room)
            ret_workers[count] = (core_worker_view){
                .id = w->id, .leases = w->lease_count, .results = w->results};
        count++;
    }
    return count;
}
