#include "coordinator/cli/unwanted.h"

#include "proto/message.h"

#include <stdlib.h>
#include <string.h>

/* A run that is paused or waits for its model has not ended: it may go on, and
 * is never unwanted. */
static bool unwanted_has_ended(const store_run *run)
{
    return run->state >= RUN_COMPLETE && run->state <= RUN_CANCELLED;
}

/* What goes on is the newest; then what ended last. Of runs of one millisecond
 * the ids decide, so that the same ones stay each time. */
static int unwanted_compare(const void *a, const void *b)
{
    const store_run *x = a, *y = b;
    bool x_ended = unwanted_has_ended(x);
    bool y_ended = unwanted_has_ended(y);
    if (x_ended != y_ended)
        return x_ended ? 1 : -1;
    if (x->ended_ms != y->ended_ms)
        return x->ended_ms < y->ended_ms ? 1 : -1;
    return memcmp(&x->id, &y->id, sizeof x->id);
}

size_t unwanted_choose(store_run *runs,
                       size_t count,
                       const unwanted_rule *rule,
                       etna_id *ret)
{
    size_t ended = 0, chosen = 0;
    if (count)
        qsort(runs, count, sizeof *runs, unwanted_compare);
    for (size_t i = 0; i < count; i++) {
        if (!unwanted_has_ended(&runs[i]))
            continue;
        bool is_old = !rule->older_ms ||
                      runs[i].ended_ms + rule->older_ms <= rule->now_ms;
        if (ended++ >= rule->keep && is_old)
            ret[chosen++] = runs[i].id;
    }
    return chosen;
}
