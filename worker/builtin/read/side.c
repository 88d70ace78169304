/* See read/side.h. */
#include "worker/builtin/read/side.h"
#include "worker/builtin/hang.h"
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/read/trait.h"

#include <math.h>

/* A level unit vector along the room's walls, as people mean it, unless the room
 * is seen across a corner. */
static void way_straighten(double way[2])
{
    const double oblique = 0.64; /* of the smaller part */
    int less = fabs(way[0]) < fabs(way[1]) ? 0 : 1;
    int more = 1 - less;
    if (fabs(way[less]) > oblique)
        return;
    way[less] = 0;
    way[more] = way[more] < 0 ? -1 : 1;
}

void direction_way(const reader *r, lexicon_direction direction, double ret[3])
{
    double right[2], away[2];
    builtin_picture_axes(r->facts, right, away);
    ret[0] = ret[1] = ret[2] = 0;
    if (direction == DIR_UP || direction == DIR_DOWN) {
        ret[2] = direction == DIR_UP ? 1 : -1;
        return;
    }
    if (direction == DIR_X || direction == DIR_X_BACK) {
        ret[0] = direction == DIR_X ? 1 : -1;
        return;
    }
    double sign = direction == DIR_LEFT || direction == DIR_FRONT ? -1 : 1;
    bool sideways = direction == DIR_LEFT || direction == DIR_RIGHT;
    const double *axis = sideways ? right : away;
    for (int k = 0; k < 2; k++)
        ret[k] = sign * axis[k];
    way_straighten(ret);
}

static const struct {
    unsigned side;
    builtin_relation relation;
    lexicon_direction direction;
} sides_said[] = {{SIDE_LEFT, RELATION_LEFT, DIR_LEFT},
                  {SIDE_RIGHT, RELATION_RIGHT, DIR_RIGHT},
                  {SIDE_FRONT, RELATION_FRONT, DIR_FRONT},
                  {SIDE_BACK, RELATION_BEHIND, DIR_BACK}};

enum {
    SIDES_SAID = COUNT_OF(sides_said)
};

builtin_relation side_relation(unsigned sides, builtin_relation none)
{
    for (size_t i = 0; i < SIDES_SAID; i++) {
        if (sides & sides_said[i].side)
            return sides_said[i].relation;
    }
    return none;
}

lexicon_direction side_direction(unsigned sides)
{
    for (size_t i = 0; i < SIDES_SAID; i++) {
        if (sides & sides_said[i].side)
            return sides_said[i].direction;
    }
    return 0;
}

unsigned side_of_relation(builtin_relation relation)
{
    for (size_t i = 0; i < SIDES_SAID; i++) {
        if (sides_said[i].relation == relation)
            return sides_said[i].side;
    }
    return 0;
}

/* From the reference to the thing: to the right, and away from the viewer. */
static void side_offset(const reader *r,
                        uint32_t object,
                        uint32_t reference,
                        double *ret_aside,
                        double *ret_ahead)
{
    double right[2], away[2];
    builtin_picture_axes(r->facts, right, away);
    const double *p = object_at(r, object)->centre;
    const double *q = object_at(r, reference)->centre;
    *ret_aside = (p[0] - q[0]) * right[0] + (p[1] - q[1]) * right[1];
    *ret_ahead = (p[0] - q[0]) * away[0] + (p[1] - q[1]) * away[1];
}

builtin_relation side_opposite(const reader *r,
                               uint32_t object,
                               uint32_t reference)
{
    double aside, ahead;
    side_offset(r, object, reference, &aside, &ahead);
    if (fabs(aside) >= 0.8 * fabs(ahead))
        return aside > 0 ? RELATION_LEFT : RELATION_RIGHT;
    return ahead > 0 ? RELATION_FRONT : RELATION_BEHIND;
}

/* To the left or to the right, whichever is the nearer way. */
static builtin_relation side_nearer(const reader *r,
                                    uint32_t object,
                                    uint32_t reference)
{
    double aside, ahead;
    side_offset(r, object, reference, &aside, &ahead);
    return aside > 0 ? RELATION_RIGHT : RELATION_LEFT;
}

builtin_relation relation_opposite(builtin_relation relation)
{
    switch (relation) {
    case RELATION_LEFT: return RELATION_RIGHT;
    case RELATION_RIGHT: return RELATION_LEFT;
    case RELATION_FRONT: return RELATION_BEHIND;
    case RELATION_BEHIND: return RELATION_FRONT;
    default: return RELATION_BESIDE;
    }
}

/* What the reference and another thing have just been given between them: the
 * other one; BUILTIN_NONE: nothing is. */
static uint32_t side_shared_with(const builtin_move *last,
                                 uint32_t object,
                                 uint32_t reference)
{
    if (!last || last->relation != RELATION_BETWEEN ||
        set_has(&last->objects, object))
        return BUILTIN_NONE;
    if (last->reference == reference)
        return last->second;
    return last->second == reference ? last->reference : BUILTIN_NONE;
}

/* If another thing was just put beside the reference: on the other side of
 * it. */
builtin_relation side_opposite_of_last(reader *r,
                                       uint32_t object,
                                       uint32_t reference)
{
    builtin_move *last = reader_last_move(r);
    const uint32_t shared = side_shared_with(last, object, reference);
    if (shared < r->facts->object_count)
        return side_opposite(r, shared, reference);
    const bool by_it =
        last && last->reference == reference && last->objects.count == 1;
    const bool other = by_it && last->objects.objects[0] != object;
    if (other && last->relation == RELATION_BESIDE)
        last->relation = side_nearer(r, last->objects.objects[0], reference);
    builtin_relation opposite =
        other ? relation_opposite(last->relation) : RELATION_BESIDE;
    return opposite == RELATION_BESIDE ? side_opposite(r, object, reference)
                                       : opposite;
}

unsigned sides_other(const reader *r,
                     unsigned sides,
                     uint32_t object,
                     uint32_t reference,
                     bool is_end)
{
    double aside, ahead;
    side_offset(r, object, reference, &aside, &ahead);
    bool across = sides & (LEXICON_FRONT | LEXICON_BACK);
    bool along = sides & (LEXICON_LEFT | LEXICON_RIGHT);
    /* "The other end" of what lies away from the viewer is the far or near
     * one. */
    const bool lies_away =
        is_end && fabs(ahead) > fabs(aside) && !along && !across;
    if (!along && !lies_away)
        return sides | (aside > 0 ? LEXICON_LEFT : LEXICON_RIGHT);
    if (!across)
        return sides | (ahead > 0 ? LEXICON_FRONT : LEXICON_BACK);
    return sides;
}

/* The object's own side that lies to that side of the picture. */
unsigned side_own(const reader *r, uint32_t object, unsigned side)
{
    double right[2], away[2];
    double way[2] = {0, 0};
    builtin_picture_axes(r->facts, right, away);
    const double *heading = object_at(r, object)->heading;
    for (int k = 0; k < 2; k++) {
        if (side & LEXICON_LEFT)
            way[k] -= right[k];
        if (side & LEXICON_RIGHT)
            way[k] += right[k];
        if (side & LEXICON_FRONT)
            way[k] -= away[k];
        if (side & LEXICON_BACK)
            way[k] += away[k];
    }
    double along = way[0] * heading[0] + way[1] * heading[1];
    double across = way[0] * -heading[1] + way[1] * heading[0];
    if (fabs(along) >= fabs(across))
        return along > 0 ? SIDE_FRONT : SIDE_BACK;
    return across > 0 ? SIDE_LEFT : SIDE_RIGHT;
}

unsigned side_in_picture(const reader *r, uint32_t object, unsigned own)
{
    for (size_t i = 0; i < SIDES_SAID; i++) {
        if (side_own(r, object, sides_said[i].side) == own)
            return sides_said[i].side;
    }
    /* seen across a corner: two of its sides lie to one of the picture's */
    return own;
}

void side_way(const reader *r, uint32_t object, unsigned side, double ret[2])
{
    const double *heading = object_at(r, object)->heading;
    double sign = side == SIDE_BACK || side == SIDE_RIGHT ? -1 : 1;
    bool lengthwise = side == SIDE_FRONT || side == SIDE_BACK;
    ret[0] = sign * (lengthwise ? heading[0] : -heading[1]);
    ret[1] = sign * (lengthwise ? heading[1] : heading[0]);
}

void sides_in_picture(const reader *r, uint32_t object, unsigned ret[2])
{
    const unsigned left = side_own(r, object, SIDE_LEFT);
    const bool lengthwise = left == SIDE_FRONT || left == SIDE_BACK;
    ret[0] = left;
    ret[1] =
        (lengthwise ? SIDE_FRONT | SIDE_BACK : SIDE_LEFT | SIDE_RIGHT) & ~left;
}

void sides_long(const reader *r, uint32_t object, unsigned ret[2])
{
    const builtin_object *o = object_at(r, object);
    const bool lengthwise = o->half[1] >= o->half[0];
    ret[0] = lengthwise ? SIDE_LEFT : SIDE_FRONT;
    ret[1] = lengthwise ? SIDE_RIGHT : SIDE_BACK;
}

void ends_own(const reader *r, uint32_t object, unsigned ret[2])
{
    const builtin_object *o = object_at(r, object);
    bool lengthwise = o->half[1] >= o->half[0];
    ret[0] = lengthwise ? SIDE_FRONT : SIDE_LEFT;
    ret[1] = lengthwise ? SIDE_BACK : SIDE_RIGHT;
}

/* Could it stand in somebody's way at the end of that one? */
static bool end_is_taken_by(const reader *r,
                            uint32_t other,
                            uint32_t object,
                            const builtin_set *moved)
{
    const builtin_object *b = object_at(r, other);
    bool ground = b->is_static && b->half[0] > 1 && b->half[1] > 1;
    bool sheet = b->half[2] <= 0.05;
    if (other == object || ground || sheet)
        return false;
    return !set_has(moved, other) && !builtin_is_above(r->facts, other, object);
}

/* How much room there is at an end; 10 is more than enough. */
static double end_room(const reader *r,
                       uint32_t object,
                       unsigned end,
                       const builtin_set *moved)
{
    const builtin_object *o = object_at(r, object);
    double way[2], room = 10;
    side_way(r, object, end, way);
    double reach = builtin_extent(o, way) + 0.3;
    const double at[2] = {o->centre[0] + reach * way[0],
                          o->centre[1] + reach * way[1]};
    for (uint32_t i = 0; i < r->facts->object_count; i++) {
        const double *p = object_at(r, i)->centre;
        double dx = p[0] - at[0];
        double dy = p[1] - at[1];
        double gap = sqrt(dx * dx + dy * dy);
        if (gap < room && end_is_taken_by(r, i, object, moved))
            room = gap;
    }
    return room;
}

/* That of the two sides with more room before it. */
static unsigned side_roomier(const reader *r,
                             uint32_t object,
                             const unsigned sides[2],
                             const builtin_set *moved)
{
    return end_room(r, object, sides[0], moved) >=
                   end_room(r, object, sides[1], moved)
               ? sides[0]
               : sides[1];
}

unsigned end_free(const reader *r, uint32_t object, const builtin_set *moved)
{
    unsigned ends[2];
    ends_own(r, object, ends);
    return side_roomier(r, object, ends, moved);
}

unsigned long_side_free(const reader *r,
                        uint32_t object,
                        const builtin_set *moved)
{
    unsigned sides[2];
    sides_long(r, object, sides);
    return side_roomier(r, object, sides, moved);
}

/* Is it within the wall, so many metres along it? */
static bool wall_spans(const builtin_wall *w, double along)
{
    double low = INFINITY, high = -INFINITY;
    for (uint32_t k = 0; k < w->corner_count; k++) {
        double s = w->corners[k][0];
        low = s < low ? s : low;
        high = s > high ? s : high;
    }
    return along >= low && along <= high;
}

/* The vector from a thing to the nearest face of a wall that it stands before;
 * false: it stands before none. */
static bool wall_way(const reader *r,
                     uint32_t object,
                     uint32_t wall,
                     double ret[2])
{
    const double *at = object_at(r, object)->centre;
    double least = INFINITY;
    for (uint32_t i = 0; i < r->facts->wall_count; i++) {
        const builtin_wall *w = &r->facts->walls[i];
        double ahead = at[0] * w->normal[0] + at[1] * w->normal[1] - w->offset;
        double gap = ahead - builtin_extent(object_at(r, object), w->normal);
        double along = at[0] * w->right[0] + at[1] * w->right[1];
        const bool before = ahead > 0 && wall_spans(w, along);
        if (!before || !builtin_is_wall_of(r->facts, i, wall) || gap >= least)
            continue;
        least = gap;
        for (int k = 0; k < 2; k++)
            ret[k] = -ahead * w->normal[k];
    }
    return isfinite(least);
}

/* From one footprint to the other, metres along the axes; 0 along one by which
 * they overlap. */
static void way_between_boxes(const builtin_object *from,
                              const builtin_object *to,
                              double ret[2])
{
    builtin_rect own = builtin_rect_of(from);
    builtin_rect its = builtin_rect_of(to);
    ret[0] = ret[1] = 0;
    for (int k = 0; k < 2; k++) {
        if (own.low[k] > its.high[k])
            ret[k] = its.high[k] - own.low[k];
        if (its.low[k] > own.high[k])
            ret[k] = its.low[k] - own.high[k];
    }
}

/* Nothing along an axis along which hardly any of it is meant. */
static void way_drop_askew(double way[2])
{
    const double askew = 0.35; /* of the longer way: less is not meant */
    const int less = fabs(way[0]) < fabs(way[1]) ? 0 : 1;
    if (fabs(way[less]) > 1e-6 && fabs(way[less]) < askew * fabs(way[1 - less]))
        way[less] = 0;
}

/* What hangs on a wall goes along it, and not off it, where the way leads along
 * it at all. */
static bool way_keep_to_wall(const reader *r, uint32_t object, double way[2])
{
    const double least = 0.2; /* of the way: else it leads off the wall */
    const uint32_t wall = builtin_hangs_on(r->facts, object);
    if (wall == BUILTIN_NONE)
        return false;
    const double *const right = r->facts->walls[wall].right;
    const double along = way[0] * right[0] + way[1] * right[1];
    if (fabs(along) < least * sqrt(way[0] * way[0] + way[1] * way[1]))
        return false;
    for (int k = 0; k < 2; k++)
        way[k] = along * right[k];
    return true;
}

/* The way along which the gap closes, straightened when it is nearly straight:
 * people mean "over", not "over and a little down". */
void shift_toward(const reader *r,
                  uint32_t object,
                  uint32_t reference,
                  double metres,
                  bool away,
                  double ret[3])
{
    const builtin_object *o = object_at(r, object);
    const builtin_object *b = object_at(r, reference);
    double way[2];
    way_between_boxes(o, b, way);
    if (!way_keep_to_wall(r, object, way)) {
        way_drop_askew(way);
        if (b->is_static)
            wall_way(r, object, reference, way);
    }
    if (way[0] * way[0] + way[1] * way[1] < 1e-9) {
        for (int k = 0; k < 2; k++)
            way[k] = b->centre[k] - o->centre[k];
    }
    double length = sqrt(way[0] * way[0] + way[1] * way[1]);
    if (away)
        metres = -metres;
    double scale = length > 1e-9 ? metres / length : 0;
    for (int k = 0; k < 2; k++)
        ret[k] = way[k] * scale;
    ret[2] = 0;
}

/* The thing's own axes, named by how the picture shows them: [0] to the right,
 * [1] away. */
void side_axes(const builtin_facts *facts,
               const builtin_object *base,
               double ret[2][2])
{
    double right[2], away[2];
    builtin_picture_axes(facts, right, away);
    const double *h = base->heading;
    const double across[2] = {-h[1], h[0]};
    const double along_right = h[0] * right[0] + h[1] * right[1];
    const double across_right = across[0] * right[0] + across[1] * right[1];
    const bool along = fabs(along_right) >= fabs(across_right);
    const double sign = (along ? along_right : across_right) < 0 ? -1 : 1;
    for (int k = 0; k < 2; k++)
        ret[0][k] = sign * (along ? h[k] : across[k]);
    ret[1][0] = -ret[0][1];
    ret[1][1] = ret[0][0];
    if (ret[1][0] * away[0] + ret[1][1] * away[1] >= 0)
        return;
    for (int k = 0; k < 2; k++)
        ret[1][k] = -ret[1][k];
}

/* Of an order's preposition: "to the back of", "to the left side of"? */
static bool side_is_part(const reader *r, const chart_node *rel, unsigned side)
{
    if (!rel || rel->end - rel->first <= 2 ||
        !reader_word_is(r, rel->end - 1, "of"))
        return false;
    const bool to = reader_word_is(r, rel->first, "to") ||
                    reader_word_is(r, rel->first, "at");
    return to && ((side & (SIDE_FRONT | SIDE_BACK)) ||
                  reader_word_is(r, rel->end - 2, "side"));
}

bool side_is_of_top(const reader *r,
                    const chart_node *rel,
                    unsigned side,
                    const builtin_set *movers,
                    uint32_t base)
{
    if (!side_is_part(r, rel, side) || base >= r->facts->object_count ||
        object_is_loose(r, base))
        return false;
    /* the bottle of the shelf goes to the left side of a table, the bin of the
     * floor does not */
    const bool table =
        object_is_table(r, base) && !(side & (SIDE_FRONT | SIDE_BACK));
    for (uint32_t i = 0; i < movers->count; i++) {
        const uint32_t mover = movers->objects[i];
        const bool borne = table && !object_is_on_floor(r, mover);
        if (!borne && !builtin_stands_on(r->facts, mover, base))
            return false;
    }
    return movers->count > 0;
}
