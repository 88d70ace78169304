/* A list's runs are served one after the other: the oldest that has tasks to
 * give out stands for all in core.ready. When another one takes over, it
 * takes the very place in the order of turns, so that a list does not lose
 * its turn. */
#include "coordinator/core/core_internal.h"

#include <stdlib.h>

static batch *batch_find(core *c, const etna_id *id)
{
    for (chain *link = c->batches.next; link != &c->batches;
         link = link->next) {
        batch *b = CHAIN_OF(batch, link, link);
        if (etna_id_equal(&b->id, id))
            return b;
    }
    return NULL;
}

static batch *batch_new(core *c, const etna_id *id)
{
    batch *b = calloc(1, sizeof *b);
    if (!b) {
        core_trouble(c, ETNA_E_NOMEM, "a batch: out of memory");
        return NULL;
    }
    b->core = c;
    b->id = *id;
    chain_init(&b->ready);
    chain_init(&b->link);
    chain_append(&c->batches, &b->link);
    return b;
}

void batch_join(run *r)
{
    static const etna_id none;
    const etna_id *id = &r->config.batch;
    if (etna_id_equal(id, &none))
        return;
    batch *b = batch_find(r->core, id);
    if (!b)
        b = batch_new(r->core, id);
    if (!b)
        return;
    b->run_count++;
    r->batch = b;
}

/* The oldest takes the place that another had in the order of turns. */
static void batch_show(batch *b)
{
    run *first =
        chain_empty(&b->ready) ? NULL : CHAIN_OF(run, of_batch, b->ready.next);
    run *before = b->shown;
    if (first == before)
        return;
    bool same_place =
        first && before && first->config.priority == before->config.priority;
    if (same_place) {
        chain_append(&before->ready, &first->ready);
    } else if (first) {
        run_ready_append(first);
    }
    if (before)
        chain_remove(&before->ready);
    b->shown = first;
}

/* By age. What becomes ready is mostly young, so the search goes from the
 * end. */
static void batch_insert(batch *b, run *r)
{
    chain *before = b->ready.previous; /* what becomes ready is mostly young */
    while (before != &b->ready &&
           CHAIN_OF(run, of_batch, before)->order > r->order)
        before = before->previous;
    chain_append(before->next, &r->of_batch);
}

void batch_ready_update(run *r, bool ready)
{
    bool listed = !chain_empty(&r->of_batch);
    if (ready && !listed)
        batch_insert(r->batch, r);
    if (!ready && listed)
        chain_remove(&r->of_batch);
    batch_show(r->batch);
}

void batch_leave(run *r)
{
    batch *b = r->batch;
    if (!b)
        return;
    batch_ready_update(r, false);
    r->batch = NULL;
    if (--b->run_count)
        return;
    chain_remove(&b->link);
    free(b);
}

bool batch_is_in_order(const run *r)
{
    const batch *b = r->batch;
    const chain *next = r->of_batch.next;
    bool is_shown = !chain_empty(&r->ready);
    bool is_first = !chain_empty(&r->of_batch) && b->ready.next == &r->of_batch;
    if (is_shown != is_first || is_shown != (b->shown == r))
        return false;
    bool is_last = chain_empty(&r->of_batch) || next == &b->ready;
    return is_last || CHAIN_OF(run, of_batch, next)->order > r->order;
}
