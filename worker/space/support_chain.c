/* Who stands by way of others: which of two that touch carries, stacks from the
 * ground upward, what came along with its carrier, what hangs at something, and
 * what hovered from the start. */
#include "worker/space/support_internal.h"

#include <stdlib.h>

#define GAP_GROWS 0.001 /* metres that rounding does not explain */
/* metres, radians: what writing and reading a file may change */
#define UNMOVED_WITHIN 1e-5

bool support_gap_grew(const space_support_state *start,
                      uint32_t object,
                      double gap)
{
    return start->gap[object] <= LOAD_GAP &&
           gap > start->gap[object] + GAP_GROWS;
}

/* May something stand on it? */
static bool support_carries(const support_work *w, uint32_t object)
{
    return w->support[object] == SUPPORT_STATIC ||
           w->support[object] == SUPPORT_GROUNDED ||
           w->support[object] == SUPPORT_ATTACHED || w->base[object];
}

/* Is all of the other that is within reach of the object's underside above it,
 * by more than touching? Then it may stand on the object, as tools do in a box
 * of paper's thickness, and carries it not. */
static etna_code edge_is_from_above(const support_work *w,
                                    const support_edge *e,
                                    bool *ret,
                                    etna_error *err)
{
    const underside *u = NULL;
    etna_code code = underside_find(w->sp, e->object, &u, err);
    *ret = true;
    for (uint32_t i = 0; !code && i < u->count && *ret; i++) {
        const underside_sample *p = &u->points[i];
        space_ray down = {.origin =
                              v3_add(p->at, v3(0, 0, SUPPORT_START_ABOVE)),
                          .direction = {0, 0, -1}};
        space_hit hit;
        down.t_min = SUPPORT_START_ABOVE - SUPPORT_CONTACT_ABOVE;
        down.t_max = SUPPORT_START_ABOVE + UNDERSIDE_REACH;
        down.skip_object = SCENE_NONE;
        down.only_object = e->by;
        *ret = !space_cast_all(w->sp, &down, &hit);
    }
    return code;
}

/* Of two that would each stand on the other the one carries that is beneath
 * where they meet; where that does not tell, the one with the lower centre of
 * mass. *ret: it is not `e->by`. */
static etna_code edge_is_dropped(const support_work *w,
                                 const support_edge *e,
                                 bool *ret,
                                 etna_error *err)
{
    const support_edge back = {e->by, e->object};
    bool above = false, back_above = false;
    etna_code code = edge_is_from_above(w, e, &above, err);
    if (!code)
        code = edge_is_from_above(w, &back, &back_above, err);
    if (code)
        return code;
    const double mine = w->mass[e->object].z;
    const double its = w->mass[e->by].z;
    *ret = mine < its || (mine == its && e->object < e->by);
    if (above != back_above)
        *ret = above;
    return ETNA_OK;
}

/* Edges that are dropped at one side are kept at the other: one of the two
 * carries. */
etna_code support_part_mutual(support_work *w, etna_error *err)
{
    etna_code code = ETNA_OK;
    uint32_t kept = 0;
    if (!w->edge_count)
        return ETNA_OK;
    qsort(w->edges, w->edge_count, sizeof *w->edges, support_edge_compare);
    bool *drop = calloc((size_t)w->edge_count + 1, sizeof *drop);
    if (!drop)
        return etna_fail(err, ETNA_E_NOMEM,
                         "space: no memory for who stands on whom");
    for (uint32_t i = 0; i < w->edge_count && !code; i++) {
        support_edge back = {w->edges[i].by, w->edges[i].object};
        if (!bsearch(&back, w->edges, w->edge_count, sizeof back,
                     support_edge_compare))
            continue;
        code = edge_is_dropped(w, &w->edges[i], &drop[i], err);
    }
    for (uint32_t i = 0; i < w->edge_count; i++)
        if (!drop[i])
            w->edges[kept++] = w->edges[i];
    w->edge_count = kept;
    free(drop);
    return code;
}

/* It is balanced; only whether its carriers stand is still open. */
static bool support_may_ground(const support_work *w, uint32_t object)
{
    return w->support[object] == SUPPORT_HOVERING && !w->base[object] &&
           w->balanced[object];
}

/* From static things and bases upward. */
static void support_ground(support_work *w)
{
    bool again = true;
    for (uint32_t i = 0; i < w->n; i++) {
        if (support_may_ground(w, i) && w->on_level[i])
            w->support[i] = SUPPORT_GROUNDED;
    }
    while (again) { /* each round grounds one more level of a stack */
        again = false;
        for (uint32_t i = 0; i < w->edge_count; i++) {
            support_edge e = w->edges[i];
            if (support_may_ground(w, e.object) && support_carries(w, e.by)) {
                w->support[e.object] = SUPPORT_GROUNDED;
                again = true;
            }
        }
    }
}

/* Within what single precision loses. */
static bool support_is_unmoved(const support_work *w, uint32_t object)
{
    const arrange_pose *now = space_pose(w->sp, object);
    const arrange_pose *then = &w->start->pose[object];
    double turned = now->yaw - then->yaw;
    double away = 0;
    turned -= 2 * MATH_PI * floor(turned / (2 * MATH_PI) + 0.5);
    for (int i = 0; i < 3; i++)
        away = fabs(now->position[i] - then->position[i]) > away
                   ? fabs(now->position[i] - then->position[i])
                   : away;
    return away <= UNMOVED_WITHIN && fabs(turned) <= UNMOVED_WITHIN;
}

/* ---- riders: what moved rigidly with its carrier is to it as it was ---- */

/* It stands to the other as it did at the start. */
static bool moved_with(const support_work *w, uint32_t object, uint32_t by)
{
    const arrange_pose *then = w->start->pose;
    return !w->sp->shared->scene->objects[by].is_static &&
           space_same_relation(&then[by], &then[object], space_pose(w->sp, by),
                               space_pose(w->sp, object));
}

/* Hovered at the start with nothing within reach: did what it hovers over or in
 * come along? */
static bool hovers_along(const support_work *w, uint32_t object)
{
    for (uint32_t k = 0; k < w->n; k++)
        if (k != object && moved_with(w, object, k) &&
            load_hovers_on(w->sp, object, k))
            return true;
    return false;
}

/* Of an object whose edges at the start are [first, end): did what it stood on
 * come along, or of what it hung at any? */
static bool rides_along(const support_work *w,
                        uint32_t object,
                        uint32_t first,
                        uint32_t end)
{
    uint8_t then = w->start->support[object];
    uint32_t along = 0;
    for (uint32_t k = first; k < end; k++)
        along += moved_with(w, object, w->start->edges[k].by);
    if (then == SUPPORT_GROUNDED) {
        bool is_on_level = w->start->on_level && w->start->on_level[object];
        bool all_came = along > 0 && along == end - first;
        return all_came && !is_on_level && !support_is_unmoved(w, object);
    }
    if (end > first)
        return along > 0;
    return then == SUPPORT_HOVERING && hovers_along(w, object);
}

/* Who stood balanced on what came along, all of it, stands so still; the same
 * points, turned, may round otherwise. */
etna_code support_find_riders(support_work *w, etna_error *err)
{
    for (uint32_t i = 0, next = 0; i < w->n; i++) {
        uint32_t first = next;
        while (next < w->start->edge_count && w->start->edges[next].object == i)
            next++;
        if (w->support[i] == SUPPORT_STATIC)
            continue;
        w->rides[i] = rides_along(w, i, first, next);
        if (!w->rides[i] || w->start->support[i] != SUPPORT_GROUNDED)
            continue;
        w->balanced[i] = true;
        for (uint32_t k = first; k < next; k++) {
            etna_code code = support_add_edge(w, i, w->start->edges[k].by, err);
            if (code)
                return code;
        }
    }
    return ETNA_OK;
}

/* May an object hang at something? At the start any may; later those that did
 * and stay put, and those that a satisfied Contact fastened. At bases and what
 * stands on them only the last may: neighbours that hover side by side would
 * hold each other up. */
static bool may_hang(const support_work *w, uint32_t object)
{
    bool fastened = w->by_contact && w->by_contact[object];
    if (w->bases_found)
        return fastened && !w->base[object];
    if (fastened || !w->start)
        return true;
    return w->start->support[object] == SUPPORT_ATTACHED &&
           (support_is_unmoved(w, object) || w->rides[object]);
}

/* Does one of the edges say so already? Those are not sorted while some are
 * added. */
static bool is_on_edge(const support_work *w, uint32_t object, uint32_t by)
{
    for (uint32_t i = 0; i < w->edge_count; i++)
        if (w->edges[i].object == object && w->edges[i].by == by)
            return true;
    return false;
}

/* no space_support yet: it carries nothing in this round */
enum {
    NEWLY_ATTACHED = 0
};

/* What is within a centimetre of it on any side, for what was told to hang or
 * lean. */
static etna_code attach_one(support_work *w,
                            uint32_t object,
                            bool *ret_hangs,
                            etna_error *err)
{
    const uint32_t *around = NULL;
    uint32_t count = 0;
    etna_code code = broad_phase_near(w->sp->broad_phase, w->sp->object_state,
                                      &w->sp->object_state[object].box,
                                      UNDERSIDE_REACH, &around, &count, err);
    for (uint32_t k = 0; k < count && !code; k++) {
        bool near = false;
        if (around[k] == object || !support_carries(w, around[k]))
            continue;
        code = intersect_within(w->sp, object, around[k], UNDERSIDE_REACH,
                                &near, err);
        if (code || !near)
            continue;
        *ret_hangs = true;
        if (is_on_edge(w, object, around[k]))
            continue;
        w->overhang[object] = 0; /* it leans or hangs there */
        code = support_add_edge(w, object, around[k], err);
    }
    return code;
}

/* One round: who of the unsupported is within reach of something that carries?
 * None of the same round does: what stands on a shelf that hangs at a wall is
 * to be grounded by it first. */
static etna_code support_attach(support_work *w, bool *ret_any, etna_error *err)
{
    *ret_any = false;
    for (uint32_t i = 0; i < w->n; i++) {
        bool hangs = false;
        if (w->support[i] != SUPPORT_HOVERING || !may_hang(w, i))
            continue;
        etna_code code = attach_one(w, i, &hangs, err);
        if (code)
            return code;
        if (!hangs)
            continue;
        w->support[i] = NEWLY_ATTACHED;
        *ret_any = true;
    }
    for (uint32_t i = 0; i < w->n; i++)
        if (w->support[i] == NEWLY_ATTACHED)
            w->support[i] = SUPPORT_ATTACHED;
    return ETNA_OK;
}

/* May it stay in the air? Only what was there at the start, as high as then, or
 * what was told to. */
static bool hovers_on(const support_work *w, uint32_t object)
{
    if (!w->start)
        return true;
    if (w->start->support[object] != SUPPORT_HOVERING)
        return false;
    if (w->by_contact && w->by_contact[object])
        return true; /* moved by a distance alone */
    return (support_is_unmoved(w, object) || w->rides[object]) &&
           !support_gap_grew(w->start, object, w->gap[object]);
}

/* What of the hovering ones carries nevertheless: those that no support reaches
 * (who stands balanced on another waits for that one), as they stood at the
 * start. So a ring of things that would each stand on the next has no base. */
void support_find_bases(support_work *w)
{
    for (uint32_t i = 0; i < w->n; i++)
        w->base[i] = w->support[i] == SUPPORT_HOVERING && hovers_on(w, i);
    for (uint32_t i = 0; i < w->edge_count; i++)
        if (w->balanced[w->edges[i].object])
            w->base[w->edges[i].object] = false;
    w->bases_found = true;
}

/* Levels of stacks, then what hangs at them, until nothing is added. */
etna_code support_follow_chains(support_work *w, etna_error *err)
{
    bool any = true;
    etna_code code = ETNA_OK;
    support_ground(w);
    /* what stands on a hanging thing is grounded by it; what is near that may
     * hang at it */
    while (any && !code) {
        code = support_attach(w, &any, err);
        if (!code && any) {
            if (w->edge_count)
                qsort(w->edges, w->edge_count, sizeof *w->edges,
                      support_edge_compare);
            support_ground(w);
        }
    }
    return code;
}
