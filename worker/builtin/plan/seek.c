/* Where a thing could come: for a move of one thing all places in the world
 * that are worth trying, best first. Nothing here depends on what the camera
 * sees. */
#include "worker/builtin/plan/seek_internal.h"

/* What each relation is sought by, before the places on what bears it; `alone`:
 * and not by these. Of no other. */
static const struct search {
    void (*add)(const planner *p,
                const builtin_move *move,
                uint32_t object,
                plan_list *list);
    bool alone;
} searches[RELATION_COUNT] = {
    [RELATION_AT] = {seek_at_point, true},
    [RELATION_PLACE] = {seek_old_place, true},
    [RELATION_SHIFT] = {seek_shifted, true},
    [RELATION_TURN] = {seek_turned, true},
    [RELATION_TURNED] = {seek_turned, true},
    [RELATION_TUCK] = {seek_tucked, true},
    [RELATION_OVER] = {seek_over, false},
};

/* Is it to have another heading there than it has? */
static bool seek_turns(const planner *p,
                       const builtin_move *move,
                       uint32_t object)
{
    const double straight = 1; /* degrees */
    return move->has_yaw &&
           planner_yaw_apart(move->yaw_deg, p->facts->objects[object].yaw_deg) >
               straight;
}

/* All ways to place the thing, the best first, in ret (its former content is
 * dropped). `rest`: things that come after it and need room, too. */
etna_code planner_seek(const planner *p,
                       const builtin_move *move,
                       uint32_t object,
                       const uint32_t *rest,
                       uint32_t rest_count,
                       plan_list *ret)
{
    const struct search *own = &searches[move->relation];
    bool hangs = builtin_is_hung(p->facts, move, object) &&
                 move->relation != RELATION_AT;
    ret->count = 0;
    if (seek_slides(p, move, object)) {
        seek_slid(p, move, object, ret);
        return ETNA_OK;
    }
    if (hangs)
        return seek_hung(p, move, object, ret);
    if (own->add)
        own->add(p, move, object, ret);
    if (own->alone)
        return ETNA_OK;
    if (move->relation == RELATION_AGAINST) {
        etna_code code = seek_against(p, move, object, ret);
        if (code != ETNA_OK || move->has_yaw)
            return code;
    }
    if (seek_turns(p, move, object))
        return seek_turned_as_said(p, move, object, ret);
    etna_code code = seek_along_wall(p, move, object, ret);
    if (code != ETNA_OK || ret->count > 0)
        return code;
    return seek_standing(p, move, object, rest, rest_count, ret);
}
