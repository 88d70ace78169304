/* By whose rules a task's collisions and floating are told: ours, or VULCAN's
 * where a run asks for them (METHODS.md 6). What agents are told of who stands
 * on what is by ours in either case: VULCAN's rule knows no carrier. */
#include "worker/jobs/task.h"

space_rules task_rules(const job *j)
{
    return (space_rules){.paper_collision = j->task.paper_collision,
                         .paper_floating = j->task.paper_floating};
}

etna_code task_start_support(job *j,
                             space_support_state *own,
                             const space_support_state **ret)
{
    const space_rules rules = task_rules(j);
    space *at_start = NULL;
    *own = (space_support_state){0};
    *ret = &j->warm->start;
    if (!rules.paper_floating)
        return ETNA_OK;
    etna_code code = space_new(j->warm->shared, &at_start, &j->error);
    if (code == ETNA_OK)
        code =
            space_support_compute(at_start, &rules, NULL, NULL, own, &j->error);
    space_free(at_start);
    if (code == ETNA_OK)
        *ret = own;
    return code;
}
