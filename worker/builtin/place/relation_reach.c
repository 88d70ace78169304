/* What who sits there reaches: "the phone on the desk next to the chair" lies
 * before the chair, however far that is drawn up. */
#include "worker/builtin/place/relation_internal.h"
#include "worker/math/vec.h"

double relation_reach_over(const builtin_facts *facts, const builtin_move *move)
{
    const double arm = 0.5; /* metres, of one that is stretched out a little */
    const uint32_t count = facts->object_count;
    if (move->reference >= count || move->support >= count ||
        move->support == move->reference)
        return 0;
    const builtin_object *seat = &facts->objects[move->reference];
    const builtin_object *base = &facts->objects[move->support];
    if (!builtin_is_seat(seat) || base->is_static || builtin_is_seat(base) ||
        builtin_is_covering(facts, move->support))
        return 0;
    const builtin_rect own = builtin_rect_of(seat);
    const builtin_rect its = builtin_rect_of(base);
    const double apart = builtin_rects_apart(&own, &its);
    return apart <= arm ? apart : 0;
}
