/* The side of two things at once: "behind the two candles", in front of them
 * both and by neither alone. */
#include "worker/builtin/place/relation_internal.h"
#include "worker/math/vec.h"

#include <math.h>

bool relation_is_of_pair(const builtin_facts *facts, const builtin_move *move)
{
    const bool side =
        move->relation == RELATION_FRONT || move->relation == RELATION_BEHIND;
    return side && move->second < facts->object_count;
}

bool builtin_pair_front(const builtin_facts *facts,
                        const uint32_t pair[2],
                        double ret[2])
{
    const double alike = 0.64; /* cosine of 50 degrees */
    double fronts[2][2];
    if (!builtin_front_of(facts, pair[0], fronts[0]) ||
        !builtin_front_of(facts, pair[1], fronts[1]))
        return false;
    const double cosine =
        fronts[0][0] * fronts[1][0] + fronts[0][1] * fronts[1][1];
    if (cosine < alike)
        return false;
    const double x = fronts[0][0] + fronts[1][0];
    const double y = fronts[0][1] + fronts[1][1];
    const double length = sqrt(x * x + y * y);
    ret[0] = x / length;
    ret[1] = y / length;
    return true;
}

void relation_pair_box(const builtin_facts *facts,
                       const builtin_move *move,
                       const double way[2],
                       builtin_object *ret)
{
    const builtin_object *const two[2] = {&facts->objects[move->reference],
                                          &facts->objects[move->second]};
    const double axes[2][2] = {{-way[1], way[0]}, {way[0], way[1]}};
    *ret = *two[0];
    ret->centre[0] = ret->centre[1] = 0;
    ret->heading[0] = way[0];
    ret->heading[1] = way[1];
    for (int k = 0; k < 2; k++) {
        double low = INFINITY;
        double high = -INFINITY;
        for (int i = 0; i < 2; i++) {
            const double at =
                two[i]->centre[0] * axes[k][0] + two[i]->centre[1] * axes[k][1];
            const double half = builtin_extent(two[i], axes[k]);
            low = math_min(low, at - half);
            high = math_max(high, at + half);
        }
        ret->half[k] = 0.5 * (high - low);
        ret->centre[0] += 0.5 * (low + high) * axes[k][0];
        ret->centre[1] += 0.5 * (low + high) * axes[k][1];
    }
}
