/* What hangs where a thing is to hang, and could leave: a picture above the bed
 * makes way for the mirror that is to hang there. */
#include "worker/builtin/plan/planner_internal.h"

#include <string.h>

/* Would the wall have a place as asked without it? Then the best of these. */
static etna_code hang_place_without(const planner *p,
                                    const planner_job *j,
                                    uint32_t other,
                                    double ret_at[3],
                                    bool *ret_found)
{
    builtin_hook hooks[BUILTIN_SPOTS_MAX];
    const builtin_hanging asked = {
        .move = j->move, .object = j->object, .without = other};
    uint32_t count = 0;
    etna_code code =
        builtin_hooks(p->facts, &asked, p->talk->arena, hooks, &count, p->err);
    *ret_found = code == ETNA_OK && count > 0;
    if (*ret_found)
        memcpy(ret_at, hooks[0].point, sizeof hooks[0].point);
    return code;
}

etna_code planner_hang_blocker(const planner *p,
                               const planner_job *j,
                               double ret_at[3],
                               uint32_t *ret)
{
    etna_code code = ETNA_OK;
    *ret = BUILTIN_NONE;
    for (uint32_t i = 0; i < p->facts->object_count && code == ETNA_OK; i++) {
        bool found = false;
        const bool hangs = builtin_hangs_on(p->facts, i) != BUILTIN_NONE;
        if (!hangs || !planner_can_leave(p, i, j->object))
            continue;
        code = hang_place_without(p, j, i, ret_at, &found);
        if (code == ETNA_OK && found) {
            *ret = i;
            return ETNA_OK;
        }
    }
    return code;
}
