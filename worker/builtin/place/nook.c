/* See nook.h. What shape a counter has is known from its top: the cells of the
 * box that no part of the top covers. */
#include "worker/builtin/place/nook.h"
#include "worker/builtin/relation.h"
#include "worker/builtin/spot.h"
#include "worker/builtin/words.h"
#include "worker/math/vec.h"

#include <math.h>
#include <string.h>

enum {
    TOPS_MOST = 8
};

/* A counter's top, and the nook: on which side of the box's middle it is across
 * the long arm and along it. */
typedef struct nook {
    const builtin_object *counter;
    const builtin_surface *tops[TOPS_MOST];
    uint32_t top_count;
    double half[2];       /* of the box: across the long arm, along it */
    double ways[2][2];    /* of the world, both towards the nook */
    double arm, arm_side; /* from the middle to the arms' inner sides */
} nook;

static bool surface_covers(const builtin_surface *s, double x, double y)
{
    const double column = floor((x - s->origin[0]) / s->cell);
    const double row = floor((y - s->origin[1]) / s->cell);
    if (!(column >= 0 && row >= 0 && column < s->columns && row < s->rows))
        return false;
    return s->map.fixed &&
           s->map.fixed[(size_t)row * s->columns + (size_t)column] > 0;
}

/* Is there top that far from the middle, across and along? */
static bool nook_is_top(const nook *n, double across, double along)
{
    const double *const c = n->counter->centre;
    const double x = c[0] + across * n->ways[0][0] + along * n->ways[1][0];
    const double y = c[1] + across * n->ways[0][1] + along * n->ways[1][1];
    for (uint32_t i = 0; i < n->top_count; i++) {
        if (surface_covers(n->tops[i], x, y))
            return true;
    }
    return false;
}

static void nook_find_tops(const builtin_facts *facts, nook *n)
{
    const double level = 0.05; /* metres */
    const double high = builtin_top(n->counter);
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *const s = &facts->surfaces[i];
        const bool own = &facts->objects[s->object] == n->counter;
        if (own && fabs(s->height - high) < level && n->top_count < TOPS_MOST)
            n->tops[n->top_count++] = s;
    }
}

/* Turns its ways towards the one corner without top; false: there is none, or
 * several. */
static bool nook_turn(nook *n)
{
    const double corner = 0.85, within = 0.2; /* of the half sides */
    double bare[2] = {0, 0};
    uint32_t count = 0;
    for (int i = 0; i < 4; i++) {
        const double across = i & 1 ? 1 : -1, along = i & 2 ? 1 : -1;
        if (nook_is_top(n, corner * across * n->half[0],
                        corner * along * n->half[1]))
            continue;
        bare[0] = across;
        bare[1] = along;
        count++;
    }
    for (int k = 0; k < 2; k++) {
        n->ways[k][0] *= bare[k];
        n->ways[k][1] *= bare[k];
    }
    return count == 1 &&
           !nook_is_top(n, within * n->half[0], within * n->half[1]);
}

/* How far from the middle an arm's top ends, from its outer side on; `side`: of
 * the short arm. */
static double nook_find_arm(const nook *n, bool side)
{
    const double step = 0.02, through = 0.85; /* metres, of the half side */
    const double most = n->half[side];
    const double other = through * n->half[!side];
    double at = -through * most;
    while (at < most && nook_is_top(n, side ? other : at, side ? at : other))
        at += step;
    return at;
}

/* False: it has no nook. */
static bool nook_read(const builtin_facts *facts,
                      const builtin_object *counter,
                      nook *ret)
{
    if (!builtin_is_counter(counter))
        return false;
    const bool lengthwise = counter->half[1] < counter->half[0];
    const double *const heading = counter->heading;
    const double ways[2][2] = {{heading[0], heading[1]},
                               {-heading[1], heading[0]}};
    *ret = (nook){
        .counter = counter,
        .half = {builtin_half_shorter(counter), builtin_half_longer(counter)}};
    memcpy(ret->ways[0], ways[!lengthwise], sizeof ret->ways[0]);
    memcpy(ret->ways[1], ways[lengthwise], sizeof ret->ways[1]);
    nook_find_tops(facts, ret);
    if (ret->top_count == 0 || !nook_turn(ret))
        return false;
    ret->arm = nook_find_arm(ret, false);
    ret->arm_side = nook_find_arm(ret, true);
    return true;
}

bool nook_find_front(const builtin_facts *facts,
                     const builtin_object *counter,
                     double ret[2])
{
    nook n;
    if (!nook_read(facts, counter, &n))
        return false;
    ret[0] = -n.ways[0][0];
    ret[1] = -n.ways[0][1];
    return true;
}

const builtin_object *nook_side(const builtin_facts *facts,
                                const builtin_move *move,
                                builtin_object *ret)
{
    const builtin_object *const counter = &facts->objects[move->reference];
    nook n;
    if (move->relation != RELATION_BEHIND || !nook_read(facts, counter, &n))
        return counter;
    const double low[2] = {-n.half[0], n.arm_side};
    const double high[2] = {n.arm, n.half[1]};
    *ret = *counter;
    for (int k = 0; k < 2; k++) {
        const double middle = 0.5 * (low[k] + high[k]);
        ret->centre[0] += middle * n.ways[k][0];
        ret->centre[1] += middle * n.ways[k][1];
    }
    const bool lengthwise = counter->half[1] < counter->half[0];
    ret->half[lengthwise] = 0.5 * (high[0] - low[0]);
    ret->half[!lengthwise] = 0.5 * (high[1] - low[1]);
    return ret;
}

double nook_depth(const builtin_facts *facts,
                  const builtin_move *move,
                  const builtin_object *side,
                  const double way[2])
{
    const builtin_object *const counter = &facts->objects[move->reference];
    return 2 * (builtin_extent(counter, way) - builtin_extent(side, way));
}
