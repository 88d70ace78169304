/* Fronts: which way a thing looks, where nobody has said it; and how far one is
 * from looking at what it is to face. Boxes and level places only. */
#include "worker/builtin/place/front.h"
#include "worker/builtin/spot.h"
#include "worker/math/vec.h"

#include <math.h>
#include <string.h>

/* Fixed, thin, and higher than this. */
static bool object_stands_thin(const builtin_object *o, double height)
{
    return o->is_static && 2 * o->half[2] > height &&
           builtin_half_shorter(o) < 0.3;
}

bool builtin_is_wall(const builtin_object *o)
{
    return object_stands_thin(o, 1.8);
}

bool builtin_is_wall_like(const builtin_object *o)
{
    return object_stands_thin(o, 1);
}

/* By boxes, so a wall of two rooms counts for both. BUILTIN_NONE: none is
 * there. */
static uint32_t wall_at(const builtin_facts *facts, const double at[2])
{
    const double near = 0.1; /* metres around a wall's box */
    for (uint32_t i = 0; i < facts->object_count; i++) {
        if (!builtin_is_wall(&facts->objects[i]))
            continue;
        builtin_rect r = builtin_rect_of(&facts->objects[i]);
        bool is_across = at[0] >= r.low[0] - near && at[0] <= r.high[0] + near;
        if (is_across && at[1] >= r.low[1] - near && at[1] <= r.high[1] + near)
            return i;
    }
    return BUILTIN_NONE;
}

/* `at` is a point of the floor, in metres, world frame. */
static bool is_at_wall(const builtin_facts *facts, const double at[2])
{
    return wall_at(facts, at) != BUILTIN_NONE;
}

/* What nobody steps over, or a crate. */
static bool object_has_a_before(const builtin_object *o)
{
    const double high = 0.2, crate_high = 0.1, crate_wide = 0.15; /* half */
    return o->half[2] >= high ||
           (o->half[2] >= crate_high && builtin_half_shorter(o) >= crate_wide);
}

/* Furniture along a wall looks into the room: the side of its box that is
 * opposite the only wall within a hand's breadth. */
bool front_by_wall(const builtin_facts *facts,
                   const builtin_object *ref,
                   double ret[2])
{
    const double ways[4][2] = {{ref->heading[0], ref->heading[1]},
                               {-ref->heading[0], -ref->heading[1]},
                               {-ref->heading[1], ref->heading[0]},
                               {ref->heading[1], -ref->heading[0]}};
    const double flat = 0.05; /* metres, half as thick: a mirror is by its
                               * wall at its narrow sides, too */
    const bool is_flat = builtin_half_shorter(ref) < flat;
    int backs = 0, longest = -1;
    double width = 0;
    if (ref->is_static || !object_has_a_before(ref))
        return false;
    for (int side = 0; side < 4; side++) {
        double reach = side < 2 ? ref->half[1] : ref->half[0];
        double across = side < 2 ? ref->half[0] : ref->half[1];
        if (is_flat && across <= reach)
            continue;
        const double at[2] = {ref->centre[0] + (reach + 0.15) * ways[side][0],
                              ref->centre[1] + (reach + 0.15) * ways[side][1]};
        if (!is_at_wall(facts, at))
            continue;
        backs++;
        if (longest >= 0 && across <= width + 0.01)
            continue;
        longest = side;
        width = across;
    }
    bool is_broad = width > 1.2 * builtin_half_shorter(ref);
    bool is_in_corner = backs == 2 && is_broad; /* its broad side */
    if (backs != 1 && !is_in_corner)
        return false;
    ret[0] = -ways[longest][0];
    ret[1] = -ways[longest][1];
    return true;
}

/* Is there a wall that way, so near before it that nobody could stand there? */
bool front_is_walled(const builtin_facts *facts,
                     const builtin_object *o,
                     const double way[2])
{
    static const double before[] = {0.1, 0.3}; /* metres, a tenth either way */
    for (int i = 0; i < 2; i++) {
        const double reach = builtin_extent(o, way) + before[i];
        const double at[2] = {o->centre[0] + reach * way[0],
                              o->centre[1] + reach * way[1]};
        if (is_at_wall(facts, at))
            return true;
    }
    return false;
}

/* What lies high on a seat, by its area: how far it is off the seat's middle,
 * along and across its box. 0: nothing does. */
static double back_measure(const builtin_facts *facts,
                           uint32_t object,
                           double *ret_along,
                           double *ret_across)
{
    const builtin_object *o = &facts->objects[object];
    double area = 0;
    *ret_along = *ret_across = 0;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        bool is_high = s->height >= o->centre[2] + 0.8 * o->half[2];
        if (s->object != object || !is_high || s->corner_count < 3)
            continue;
        double own = s->cell * s->columns * s->cell * s->rows;
        double dx = -o->centre[0];
        double dy = -o->centre[1];
        for (uint32_t k = 0; k < s->corner_count; k++) {
            dx += s->corners[k][0] / s->corner_count;
            dy += s->corners[k][1] / s->corner_count;
        }
        area += own;
        *ret_along += own * (dx * o->heading[0] + dy * o->heading[1]);
        *ret_across += own * (-dx * o->heading[1] + dy * o->heading[0]);
    }
    return area;
}

/* A seat's back is what rises highest: it looks away from there, along a side
 * of its box. */
bool front_by_back(const builtin_facts *facts, uint32_t object, double ret[2])
{
    const builtin_object *o = &facts->objects[object];
    double along, across;
    if (!builtin_is_seat(o) || o->had_no_front)
        return false;
    if (o->had_front) {
        ret[0] = o->front_then[0];
        ret[1] = o->front_then[1];
        return true;
    }
    double area = back_measure(facts, object, &along, &across);
    if (!(area > 0))
        return false;
    along /= math_max(area * o->half[1], 1e-9);
    across /= math_max(area * o->half[0], 1e-9);
    if (math_max(fabs(along), fabs(across)) < 0.3)
        return false; /* a stool */
    bool lengthwise = fabs(along) >= fabs(across);
    double sign = (lengthwise ? along : across) > 0 ? -1 : 1;
    ret[0] = sign * (lengthwise ? o->heading[0] : -o->heading[1]);
    ret[1] = sign * (lengthwise ? o->heading[1] : o->heading[0]);
    return true;
}

/* Guests sit before a counter, as the scene was at first: how many seats more
 * are that way than the other. One more may be who serves' own: 0. */
static int front_count_seats(const builtin_facts *facts,
                             const builtin_object *counter,
                             const double way[2])
{
    const double reach = builtin_extent(counter, way);
    int more = 0;
    for (uint32_t i = 0; i < facts->object_count; i++) {
        const builtin_object *seat = &facts->objects[i];
        if (seat->is_static || !builtin_is_seat(seat))
            continue;
        const double off = (seat->start[0] - counter->start[0]) * way[0] +
                           (seat->start[1] - counter->start[1]) * way[1];
        more += (off > reach) - (off < -reach);
    }
    return more == 1 || more == -1 ? 0 : more;
}

/* How much more of what can be moved is that way of it than the other. */
static double front_weigh_things(const builtin_facts *facts,
                                 const builtin_object *o,
                                 const double way[2])
{
    double inward = 0;
    for (uint32_t i = 0; i < facts->object_count; i++) {
        const builtin_object *b = &facts->objects[i];
        if (b->is_static)
            continue;
        inward += (b->centre[0] - o->centre[0]) * way[0] +
                  (b->centre[1] - o->centre[1]) * way[1];
    }
    return inward;
}

/* A television looks out of a broad side of its box, and who comes to a counter
 * stands before one: the side where most seats are, since what is sold stands
 * on shelves behind it, else toward where most things are. */
bool front_by_breadth(const builtin_facts *facts,
                      const builtin_object *o,
                      double ret[2])
{
    const double thin = 0.5; /* of its breadth */
    const bool lengthwise = o->half[1] < o->half[0];
    const double depth = builtin_half_shorter(o);
    const double breadth = builtin_half_longer(o);
    const bool has_broad_front = builtin_is_screen(o) || builtin_is_counter(o);
    if (!has_broad_front || depth > thin * breadth)
        return false;
    ret[0] = lengthwise ? o->heading[0] : -o->heading[1];
    ret[1] = lengthwise ? o->heading[1] : o->heading[0];
    double inward =
        builtin_is_counter(o) ? front_count_seats(facts, o, ret) : 0;
    if (inward == 0)
        inward = front_weigh_things(facts, o, ret);
    for (int k = 0; k < 2 && inward < 0; k++)
        ret[k] = -ret[k];
    return true;
}

bool builtin_front_of(const builtin_facts *facts,
                      uint32_t object,
                      double ret[2])
{
    const builtin_object *o = &facts->objects[object];
    ret[0] = o->heading[0];
    ret[1] = o->heading[1];
    return o->has_front || front_by_back(facts, object, ret) ||
           o->front_is_seen;
}

bool builtin_front_from_wall(const builtin_facts *facts,
                             uint32_t object,
                             double ret[2])
{
    return front_by_wall(facts, &facts->objects[object], ret);
}

uint32_t builtin_wall_at_back(const builtin_facts *facts,
                              uint32_t object,
                              double ret_front[2])
{
    const builtin_object *o = &facts->objects[object];
    if (!front_by_wall(facts, o, ret_front))
        return BUILTIN_NONE;
    const double reach = builtin_extent(o, ret_front) + 0.15; /* metres */
    const double at[2] = {o->centre[0] - reach * ret_front[0],
                          o->centre[1] - reach * ret_front[1]};
    return wall_at(facts, at);
}

/* ---- what is faced ---- */

/* The nearest point of that part of a box from there, as a way to it; false: it
 * is over the box. `share`: of its sides, about its middle. */
static bool way_to_nearest(const builtin_object *o,
                           double share,
                           const double from[3],
                           double ret[2])
{
    builtin_rect r = builtin_rect_of(o);
    for (int k = 0; k < 2; k++) {
        const double middle = (r.low[k] + r.high[k]) / 2;
        const double half = share * (r.high[k] - r.low[k]) / 2;
        r.low[k] = middle - half;
        r.high[k] = middle + half;
    }
    for (int k = 0; k < 2; k++)
        ret[k] = math_min(math_max(from[k], r.low[k]), r.high[k]) - from[k];
    return fabs(ret[0]) > 1e-6 || fabs(ret[1]) > 1e-6;
}

/* What stands before a thing, about its middle, looks squarely at it. False: it
 * does not stand there. */
static bool way_straight_back(const builtin_facts *facts,
                              const builtin_move *move,
                              const double from[3],
                              double ret[2])
{
    const double about = 0.4; /* of half its breadth */
    if (move->relation != RELATION_FRONT || move->faced != move->reference)
        return false;
    const builtin_object *o = &facts->objects[move->faced];
    double out[2];
    builtin_side_axis(facts, move, out);
    const double across[2] = {-out[1], out[0]};
    const double aside = (from[0] - o->centre[0]) * across[0] +
                         (from[1] - o->centre[1]) * across[1];
    ret[0] = -out[0];
    ret[1] = -out[1];
    return fabs(aside) <= about * builtin_extent(o, across);
}

/* A guitar or an armchair in a corner that is to look at the room looks out of
 * the corner, and squarely off no wall of it; a cupboard has its back to one. */
static bool looks_out_of_corner(const builtin_facts *facts,
                                const builtin_move *move)
{
    const double large = 0.5; /* metres of half a side */
    if (move->relation != RELATION_CORNER || move->objects.count != 1)
        return false;
    const builtin_object *o = &facts->objects[move->objects.objects[0]];
    const bool is_case = builtin_is_bearer(o) || builtin_has_doors(o);
    return !is_case && builtin_half_longer(o) < large;
}

/* The nearest wall's own way into the room, for what looks at the room from
 * before that wall: squarely, and not askew toward the room's middle. */
static bool way_off_wall(const builtin_facts *facts,
                         const builtin_move *move,
                         const double from[3],
                         double ret[2])
{
    const double near = 1.2; /* metres: what is before a cupboard at its wall */
    const builtin_object *room = &facts->objects[move->faced];
    double best = near;
    bool found = false;
    if (!builtin_is_ground(room) || looks_out_of_corner(facts, move))
        return false;
    for (uint32_t i = 0; i < facts->object_count; i++) {
        const builtin_object *wall = &facts->objects[i];
        double to[2];
        if (!builtin_is_wall(wall) || !way_to_nearest(wall, 1, from, to))
            continue;
        const double away = sqrt(to[0] * to[0] + to[1] * to[1]);
        const bool inward = to[0] * (room->centre[0] - from[0]) +
                                to[1] * (room->centre[1] - from[1]) <
                            0;
        if (away >= best || !inward)
            continue;
        best = away;
        found = true;
        for (int k = 0; k < 2; k++)
            ret[k] = -to[k];
    }
    return found;
}

/* Which part of a thin thing one is opposite of: of a wall, or of a fence that is
 * as long as one, all of it. */
static double share_opposite(const builtin_object *o)
{
    const double long_half = 1.2; /* metres */
    const double high_half = 0.25;
    const bool is_fence =
        builtin_half_longer(o) > long_half && o->half[2] > high_half;
    return builtin_is_wall(o) || is_fence ? 1 : 0.5;
}

/* A desk that is to look at the viewer stays square to the room: the side of it
 * that is nearest to that. False: it is no such furniture. */
static bool way_square_to_viewer(const builtin_facts *facts,
                                 const builtin_move *move,
                                 double way[2])
{
    const double large = 0.4; /* metres of half a side */
    double axis[2] = {1, 0};
    if (move->faced != BUILTIN_CAMERA || move->objects.count == 0)
        return false;
    const builtin_object *o = &facts->objects[move->objects.objects[0]];
    if (!builtin_is_bearer(o) || builtin_is_seat(o) ||
        builtin_half_longer(o) < large)
        return false;
    if (facts->wall_count > 0)
        memcpy(axis, facts->walls[0].normal, sizeof axis);
    const double along = way[0] * axis[0] + way[1] * axis[1];
    const double across = way[1] * axis[0] - way[0] * axis[1];
    const bool is_along = fabs(along) >= fabs(across);
    const double sign = (is_along ? along : across) < 0 ? -1 : 1;
    way[0] = sign * (is_along ? axis[0] : -axis[1]);
    way[1] = sign * (is_along ? axis[1] : axis[0]);
    return true;
}

/* Unit and level; FACING_BACK turns it round. False: it stands where it is to
 * look. */
bool builtin_facing_way(const builtin_facts *facts,
                        const builtin_move *move,
                        const double from[3],
                        double ret[2])
{
    const double *to = move->faced == BUILTIN_CAMERA
                           ? facts->position
                           : facts->objects[move->faced].centre;
    double dx = to[0] - from[0];
    double dy = to[1] - from[1];
    /* A wall is faced squarely: toward its nearest point. So is a window or a
     * screen by whoever is about opposite. */
    if (move->faced != BUILTIN_CAMERA) {
        const builtin_object *o = &facts->objects[move->faced];
        const builtin_rect r = builtin_rect_of(o);
        double near[2];
        bool thin =
            math_min(r.high[0] - r.low[0], r.high[1] - r.low[1]) < 0.3 &&
            way_to_nearest(o, share_opposite(o), from, near);
        if (thin || way_straight_back(facts, move, from, near) ||
            way_off_wall(facts, move, from, near)) {
            dx = near[0];
            dy = near[1];
        }
    }
    double square[2] = {dx, dy};
    if (way_square_to_viewer(facts, move, square)) {
        dx = square[0];
        dy = square[1];
    }
    double length = sqrt(dx * dx + dy * dy);
    double sign = move->facing == FACING_BACK ? -1 : 1;
    if (!(length > 1e-6))
        return false;
    ret[0] = sign * dx / length;
    ret[1] = sign * dy / length;
    return true;
}

/* Degrees between two unit vectors, near enough below 20. */
static double degrees_apart(const double way[2], const double front[2])
{
    const double c = way[0] * front[0] + way[1] * front[1];
    const double s = way[0] * front[1] - way[1] * front[0];
    if (c <= 0)
        return 90 + 90 * -c; /* only whether it is small matters */
    /* asin */
    return 57.29577951308232 * (s < 0 ? -s : s) *
           (1 + 0.16666666666666666 * s * s);
}

/* From before one of its sides straight to that, as it is turned; false: from over
 * it, or from beside a corner. */
static bool way_to_own_side(const builtin_object *o,
                            const double from[3],
                            double ret[2])
{
    const double to[2] = {o->centre[0] - from[0], o->centre[1] - from[1]};
    const double axes[2][2] = {{-o->heading[1], o->heading[0]},
                               {o->heading[0], o->heading[1]}};
    int sides = 0;
    for (int k = 0; k < 2; k++) {
        const double along = to[0] * axes[k][0] + to[1] * axes[k][1];
        const double out = fabs(along) - o->half[k];
        if (out <= 1e-6)
            continue;
        sides++;
        ret[0] = (along < 0 ? -out : out) * axes[k][0];
        ret[1] = (along < 0 ? -out : out) * axes[k][1];
    }
    return sides == 1;
}

/* A chair at a table faces it across its side rather than toward its middle, and
 * has its back to it so; so does a row of chairs before it. False: it stands
 * beside a corner, where that is no way, or alone and farther off than one sits
 * at a table. */
bool builtin_way_across_table(const builtin_facts *facts,
                              const builtin_move *move,
                              const double from[3],
                              double ret[2])
{
    if (move->faced >= facts->object_count || move->facing == FACING_NONE)
        return false;
    const builtin_object *o = &facts->objects[move->faced];
    if (!builtin_is_table(o) || !way_to_own_side(o, from, ret))
        return false;
    const double at_it = 0.8; /* metres, from the chair's middle */
    const double length = sqrt(ret[0] * ret[0] + ret[1] * ret[1]);
    const double sign = move->facing == FACING_BACK ? -1 : 1;
    if (length > at_it && move->relation != RELATION_LINE)
        return false;
    for (int k = 0; k < 2; k++)
        ret[k] *= sign / length;
    return true;
}

/* Degrees between where it looks and where it should; 0 where no facing was
 * asked for. */
double builtin_facing_off(const builtin_facts *facts,
                          const builtin_move *move,
                          uint32_t object)
{
    double way[2], straight[2], front[2];
    const double *from = facts->objects[object].centre;
    if (move->facing == FACING_NONE ||
        !builtin_facing_way(facts, move, from, way))
        return 0;
    builtin_front_of(facts, object, front);
    const double off = degrees_apart(way, front);
    if (!builtin_way_across_table(facts, move, from, straight))
        return off;
    return math_min(off, degrees_apart(straight, front));
}
