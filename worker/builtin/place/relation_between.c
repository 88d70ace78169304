/* Between two things: on the line from one to the other, and under neither. */
#include "worker/builtin/place/relation_internal.h"
#include "worker/math/vec.h"

#include <math.h>

/* The end of the line between two things: a thing's middle, of a wall the point
 * of it that is nearest to the other. */
static void between_end(const builtin_object *o,
                        const builtin_object *other,
                        double ret[2])
{
    const builtin_rect own = builtin_rect_of(o);
    for (int k = 0; k < 2; k++) {
        ret[k] = o->centre[k];
        if (builtin_is_wall(o))
            ret[k] =
                math_min(math_max(other->centre[k], own.low[k]), own.high[k]);
    }
}

/* How far it would stand beneath a table that it is to be between with
 * something: under it is not beside it. A chair that is drawn up is. */
static double beneath_by(const builtin_facts *facts,
                         const builtin_move *move,
                         uint32_t object,
                         uint32_t end,
                         const double at[3])
{
    const double touch = 0.01; /* metres */
    const builtin_object *o = &facts->objects[object];
    const builtin_object *table = &facts->objects[end];
    if (!builtin_is_table(table) || builtin_is_seat(o) ||
        move->support == end || at[2] > builtin_top(table) - touch)
        return 0;
    const builtin_rect own = builtin_footprint(o, at[0], at[1], -touch);
    const builtin_rect its = builtin_rect_of(table);
    double deep = INFINITY;
    for (int k = 0; k < 2; k++)
        deep = math_min(deep, math_min(own.high[k], its.high[k]) -
                                  math_max(own.low[k], its.low[k]));
    return math_max(deep, 0);
}

/* Along the line of the two, in its middle half; `exact`: in the middle
 * itself. */
double relation_between_off(const builtin_facts *facts,
                            const builtin_move *move,
                            uint32_t object,
                            const double at[3])
{
    const builtin_object *first = &facts->objects[move->reference],
                         *second = &facts->objects[move->second];
    double a[2], b[2];
    between_end(first, second, a);
    between_end(second, first, b);
    double dx = b[0] - a[0], dy = b[1] - a[1], length = sqrt(dx * dx + dy * dy);
    if (!(length > 1e-6))
        return 1;
    for (int i = 0; i < 2; i++) {
        const uint32_t end = i ? move->second : move->reference;
        const double beneath = beneath_by(facts, move, object, end, at);
        if (beneath > 0)
            return beneath;
    }
    double t = ((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / (length * length);
    double aside = fabs((at[0] - a[0]) * -dy + (at[1] - a[1]) * dx) / length;
    const double middle = 0.04; /* metres, of "halfway between" */
    if (move->exact)
        return sqrt((t - 0.5) * (t - 0.5) * length * length + aside * aside) -
               middle;
    return math_max(fabs(t - 0.5) * length - 0.25 * length,
                    aside - math_max(0.04, 0.2 * length));
}
