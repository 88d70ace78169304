/* How far a relation between boxes is from holding. A residual is by how many
 * metres, or parts of a turn, it is off: 0 is that it holds, and what makes it
 * larger makes it worse, so that the search (layout.c) can go downhill on it. */
#include "worker/furnish/layout_internal.h"

#include <assert.h>
#include <math.h>

typedef struct seen { /* an item as its anchor sees it */
    double forward,
        /* of its middle, in the anchor's frame: ahead, and to the anchor's own
         * left */
        side;
    double apart;                   /* between the feet */
    double half_forward, half_side; /* the anchor's */
    /* half the item's foot, along the same axes */
    double own_forward, own_side;
} seen;

/* Where p is, in terms of q's own front and sides. */
static seen seen_from(const layout_context *c,
                      const layout_place *p,
                      const layout_place *q)
{
    double way[2];
    const layout_model *m = layout_model_of(c, q);
    const layout_model *own = layout_model_of(c, p);
    layout_rect a = layout_rect_of(c, p);
    layout_rect b = layout_rect_of(c, q);
    layout_ahead(q->heading, way);
    double dx = p->x - q->x;
    double dz = p->z - q->z;
    bool turned = (p->heading ^ q->heading) & 1;
    return (seen){dx * way[0] + dz * way[1],
                  dx * way[1] - dz * way[0],
                  layout_rects_apart(&a, &b),
                  m->size[2] / 2,
                  m->size[0] / 2,
                  own->size[turned ? 0 : 2] / 2,
                  own->size[turned ? 2 : 0] / 2};
}

/* What is beyond a bound. */
static double excess_over(double value, double most)
{
    return value > most ? value - most : 0;
}

/* Is it told to have its back at a wall, or to be in a corner? */
static bool is_told_at_wall(const layout_thing *t)
{
    for (uint32_t i = 0; i < t->tie_count; i++) {
        const brief_relation relation = t->ties[i].relation;
        const bool is_at = relation == BRIEF_WALL || relation == BRIEF_CORNER;
        if (is_at && t->ties[i].told)
            return true;
    }
    return false;
}

/* How far ahead of an item the other is, as the item sees it; of what is worked
 * at, ahead of who works there. A desk at a wall faces the room as other things
 * do: who works there looks at the wall. */
static double ahead_of(const layout_thing *t, double forward)
{
    if (!t->worked_at)
        return forward;
    return is_told_at_wall(t) ? fabs(forward) : -forward;
}

/* How far an item is from facing another: 0 when the other is ahead of it. */
static double facing_residual(const layout_context *c,
                              const layout_place *p,
                              const layout_place *q)
{
    seen s = seen_from(c, q, p); /* the other, as the item sees it */
    double ahead = ahead_of(&c->things[p->thing], s.forward);
    double aside = excess_over(fabs(s.side), s.own_side + 0.1);
    if (ahead <= 0)
        return 0.5 + aside;
    return excess_over(aside, ahead * 0.9);
}

/* How far an item is from having its back to another: 0 when the other is
 * behind it. */
static double away_residual(const layout_context *c,
                            const layout_place *p,
                            const layout_place *q)
{
    seen s = seen_from(c, q, p);
    double aside = excess_over(fabs(s.side), s.own_side + 0.1);
    if (s.forward >= 0)
        return 0.5 + aside;
    return excess_over(aside, -s.forward * 0.9);
}

/* At a table one sits before a side of it, and not off its corner. */
static double sitting_residual(const layout_context *c,
                               const layout_place *p,
                               const layout_place *q)
{
    seen s = seen_from(c, q, p);
    double aside = excess_over(fabs(s.side), s.own_side + 0.1);
    return s.forward > 0 ? aside : 0.5 + aside;
}

/* To the left or right: beside it, about level with its front, not too far. */
static double lateral_residual(const seen *s, double gap_most)
{
    double beside = excess_over(s->half_side + s->own_side - 0.05,
                                fabs(s->side)); /* it stands before or behind */
    double along =
        excess_over(fabs(s->forward) - s->own_forward, s->half_forward);
    return beside + along + excess_over(s->apart, gap_most);
}

/* Of two of a thing: side by side, both looking the same way. */
static double neighbour_residual(const layout_context *c,
                                 const layout_place *p,
                                 const layout_place *q,
                                 const seen *s)
{
    double turned = p->heading == q->heading ? 0 : 1;
    double most = fmax(0.9, c->things[p->thing].apart + 0.1);
    return lateral_residual(s, most) + turned;
}

/* Tables have a front on every side. */
static double front_residual(const layout_context *c,
                             const layout_place *p,
                             const layout_place *q,
                             const seen *s)
{
    bool any_side = c->things[q->thing].table;
    bool is_seat = c->things[p->thing].seat;
    if (any_side)
        return excess_over(s->apart, 0.6) +
               (is_seat ? sitting_residual(c, p, q) : 0);
    is_seat = is_seat && c->things[q->thing].sat_at;
    double faces = is_seat ? facing_residual(c, p, q) : 0;
    /* whoever sits there looks past it */
    bool is_across = (p->heading ^ q->heading) & 1;
    if (is_seat && is_across)
        faces += 0.3;
    double before =
        excess_over(s->half_forward - 0.3, s->forward - s->own_forward + 0.3);
    return before +
           excess_over(fabs(s->side), s->half_side > 0.3 ? s->half_side : 0.3) +
           excess_over(s->apart, 0.9) + faces;
}

/* Before it, across a table's width, and turned to it. */
static double opposite_residual(const layout_place *p,
                                const layout_place *q,
                                const seen *s)
{
    double before =
        excess_over(s->half_forward + 0.5, s->forward - s->own_forward);
    double aside = excess_over(fabs(s->side), s->half_side + 0.4 * s->own_side);
    bool faces_back = ((p->heading + 2) & 3) == q->heading;
    return before + aside + (faces_back ? 0 : 0.5);
}

/* Back to back, at most 15 cm apart. */
static double back_residual(const layout_place *p,
                            const layout_place *q,
                            const seen *s)
{
    bool is_turned = ((p->heading + 2) & 3) == q->heading;
    double apart = fabs(s->forward + s->half_forward + s->own_forward);
    return excess_over(apart, 0.15) + excess_over(fabs(s->side), 0.15) +
           (is_turned ? 0 : 1);
}

/* Over it on the same wall, and higher than it. */
static double above_residual(const layout_context *c,
                             const layout_place *p,
                             const layout_place *q)
{
    layout_rect a = layout_rect_of(c, q);
    const double at_wall = 0.2; /* metres from the wall to the anchor's back */
    double x = excess_over(fabs(p->x - q->x),
                           (a.x1 - a.x0) / 2 + (p->heading & 1 ? at_wall : 0));
    double z = excess_over(fabs(p->z - q->z),
                           (a.z1 - a.z0) / 2 + (p->heading & 1 ? 0 : at_wall));
    return x + z + excess_over(layout_top_of(c, q), p->y + 0.3);
}

/* How far the middle of what stands on it is from the inner half of a rug: at
 * its edge nothing stands on it. */
static double beneath_residual(const layout_context *c,
                               const layout_place *p,
                               const layout_place *q)
{
    const layout_rect own = layout_rect_of(c, p);
    double x = excess_over(fabs(q->x - p->x), (own.x1 - own.x0) / 4);
    double z = excess_over(fabs(q->z - p->z), (own.z1 - own.z0) / 4);
    return hypot(x, z);
}

/* INFINITY: there is no wall on that side. */
static double wall_apart(const layout_context *c,
                         const layout_place *p,
                         uint32_t wall)
{
    layout_rect r = layout_rect_of(c, p);
    double x = c->room->width / 2;
    double z = c->room->depth / 2;
    if (c->room->open[wall & 3])
        return INFINITY;
    const double apart[4] = {r.z0 + z, x - r.x1, z - r.z1, r.x0 + x};
    return apart[wall & 3];
}

/* 0: against one of the walls (any for 0). */
static double wall_residual(const layout_context *c,
                            const layout_place *p,
                            uint8_t walls)
{
    habits_footing f = c->things[p->thing].footing;
    if (f == HABITS_HUNG)
        return !walls || walls >> (p->wall & 3) & 1 ? 0 : 1;
    double least = INFINITY;
    for (uint32_t w = 0; w < 4; w++) {
        if (walls && !(walls >> w & 1))
            continue;
        bool is_back =
            f != HABITS_AT_WALL || layout_wall_heading(w) == p->heading;
        least = fmin(least, wall_apart(c, p, w) + (is_back ? 0 : 0.5));
    }
    return excess_over(least, 0.1);
}

/* How far it is from the nearer of two opposite walls, of those named. */
static double nearer_wall(const layout_context *c,
                          const layout_place *p,
                          uint32_t one,
                          uint32_t other,
                          uint8_t walls)
{
    double a = wall_apart(c, p, one);
    double b = wall_apart(c, p, other);
    bool has_one = walls >> one & 1;
    bool has_other = walls >> other & 1;
    if (has_one != has_other)
        return has_one ? a : b;
    return fmin(a, b);
}

/* Half a metre from both walls will do. */
static double corner_residual(const layout_context *c,
                              const layout_place *p,
                              uint8_t walls)
{
    double x = nearer_wall(c, p, 1, 3, walls);
    double z = nearer_wall(c, p, 0, 2, walls);
    return excess_over(x, 0.5) + excess_over(z, 0.5);
}

/* Within 15 % of the room around its middle. */
static double middle_residual(const layout_context *c, const layout_place *p)
{
    double x = excess_over(fabs(p->x), 0.15 * c->room->width);
    double z = excess_over(fabs(p->z), 0.15 * c->room->depth);
    return x + z;
}

/* NULL: it does not stand in rows. */
const layout_tie *layout_rows_of(const layout_thing *thing)
{
    for (uint32_t i = 0; i < thing->tie_count; i++) {
        if (thing->ties[i].relation == BRIEF_ROWS)
            return &thing->ties[i];
    }
    return NULL;
}

/* Between neighbours: what is wanted, or less where `count` of them would not
 * fit a length. */
static double row_gap(double length, double size, uint32_t count, double wanted)
{
    if (count < 2)
        return wanted;
    /* metres: to both walls together, and between two */
    double margin = 0.3, least = 0.02;
    double most = (length - margin - count * size) / (count - 1);
    return most < least ? least : fmin(wanted, most);
}

/* The k-th of a block in `rows` rows that begins with `first`. */
layout_place layout_row_place(const layout_context *c,
                              const layout_place *first,
                              uint32_t rows,
                              uint32_t k)
{
    assert(rows > 0);
    const layout_thing *t = &c->things[first->thing];
    const layout_model *m = layout_model_of(c, first);
    uint32_t columns = (t->count + rows - 1) / rows;
    bool is_turned = first->heading & 1;
    double width = is_turned ? c->room->depth : c->room->width;
    double depth = is_turned ? c->room->width : c->room->depth;
    double apart = t->worked_at || t->table ? 0.4 : 0.05;
    /* metres to come along behind who sits there */
    double aisle = t->worked_at ? 0.5 : 0.35;
    double gap = row_gap(width, m->size[0], columns, fmax(apart, t->apart));
    double way = row_gap(depth, m->size[2], rows, t->front + aisle);
    double across = (k % columns) * (m->size[0] + gap);
    double behind = (k / columns) * (m->size[2] + way);
    double ahead[2];
    layout_ahead(first->heading, ahead);
    layout_place p = *first;
    /* whom they face is ahead of the first row */
    double back = t->worked_at ? -1 : 1;
    p.x += ahead[1] * across - back * ahead[0] * behind;
    p.z += -ahead[0] * across - back * ahead[1] * behind;
    return p;
}

/* On something, one row is a line along one of the room's ways, whatever lies
 * between: how far the item is from the line of those that stand there, too. */
static double line_residual(const layout_plan *plan,
                            uint32_t first,
                            const layout_place *p)
{
    double worst[2] = {0, 0};
    const layout_place *from = &plan->items[first];
    for (uint32_t i = first; i < plan->item_count; i++) {
        const layout_place *q = &plan->items[i];
        if (q->thing != p->thing)
            break;
        if (!q->placed || q->on != from->on)
            continue;
        worst[0] = fmax(worst[0], fabs(q->x - from->x));
        worst[1] = fmax(worst[1], fabs(q->z - from->z));
    }
    if (p->on != from->on)
        return 1;
    double off =
        worst[0] < worst[1] ? fabs(p->x - from->x) : fabs(p->z - from->z);
    return excess_over(off, 0.05);
}

/* How far an item is from its place in the rows that its thing's first item
 * begins. */
static double rows_residual(const layout_context *c,
                            const layout_plan *plan,
                            uint32_t item,
                            const layout_place *p,
                            uint32_t rows)
{
    uint32_t first = item;
    while (first > 0 && plan->items[first - 1].thing == p->thing)
        first--;
    if (first == item)
        return 0;
    if (!plan->items[first].placed)
        return INFINITY;
    bool is_line = rows == 1 && plan->items[first].on != LAYOUT_NONE;
    if (is_line)
        return line_residual(plan, first, p);
    layout_place own =
        layout_row_place(c, &plan->items[first], rows, item - first);
    double off = hypot(p->x - own.x, p->z - own.z);
    return excess_over(off, 0.05) + (p->heading == own.heading ? 0 : 1);
}

/* Where the middle of the rows is that an item belongs to: rows face something
 * together. */
static layout_place rows_middle(const layout_context *c,
                                const layout_plan *plan,
                                uint32_t item,
                                const layout_place *p)
{
    const layout_thing *t = &c->things[p->thing];
    const layout_tie *rows = layout_rows_of(t);
    layout_place first = *p;
    layout_place middle = *p;
    for (uint32_t i = item; i > 0 && plan->items[i - 1].thing == p->thing; i--)
        first = plan->items[i - 1];
    layout_place last = layout_row_place(c, &first, rows->rows, t->count - 1);
    middle.x = (first.x + last.x) / 2;
    middle.z = (first.z + last.z) / 2;
    return middle;
}

/* The wall that it has its back at, else the one that it is nearest to. */
static uint32_t wall_nearest(const layout_context *c, const layout_place *p)
{
    const double at_wall = 0.1; /* metres */
    uint32_t best = 0;
    for (uint32_t w = 0; w < 4; w++) {
        bool is_back = layout_wall_heading(w) == p->heading;
        if (is_back && wall_apart(c, p, w) <= at_wall)
            return w;
    }
    for (uint32_t w = 1; w < 4; w++) {
        if (wall_apart(c, p, w) < wall_apart(c, p, best))
            best = w;
    }
    return best;
}

static uint32_t walls_count(uint8_t walls)
{
    uint32_t count = 0;
    for (; walls; walls &= (uint8_t)(walls - 1))
        count++;
    return count;
}

/* Several things at several walls are at each of these, or at as many as are
 * told. */
static double walls_shared(const layout_context *c,
                           const layout_plan *plan,
                           uint32_t item,
                           const layout_place *p,
                           const layout_tie *tie)
{
    const uint8_t walls = tie->walls;
    const uint32_t many = tie->rows ? tie->rows : walls_count(walls);
    uint8_t used = 0;
    for (uint32_t i = 0; plan && i < plan->item_count; i++) {
        const layout_place *k = &plan->items[i];
        if (i != item && k->placed && k->thing == p->thing)
            used |= (uint8_t)(1u << wall_nearest(c, k));
    }
    bool is_again = used >> wall_nearest(c, p) & 1;
    bool are_all = walls_count(used & walls) >= many;
    bool is_one_more = tie->rows && are_all && !is_again;
    return (is_again && !are_all) || is_one_more ? 1 : 0;
}

/* Several things in corners are in different ones. */
static double corner_shared(const layout_plan *plan,
                            uint32_t item,
                            const layout_place *p)
{
    for (uint32_t i = 0; plan && i < plan->item_count; i++) {
        const layout_place *k = &plan->items[i];
        bool is_other = i != item && k->placed && k->thing == p->thing;
        if (is_other && k->x * p->x > 0 && k->z * p->z > 0)
            return 1;
    }
    return 0;
}

/* Metres beyond 0.6 m from the nearest door or window; INFINITY: there is
 * none. */
static double opening_residual(const layout_context *c,
                               const layout_place *p,
                               bool is_door)
{
    double least = INFINITY;
    layout_rect r = layout_rect_of(c, p);
    for (uint32_t i = 0; i < c->room->opening_count; i++) {
        if (c->room->openings[i].is_door != is_door)
            continue;
        layout_rect before = layout_before(c->room, &c->room->openings[i], 0);
        least = fmin(least, excess_over(layout_rects_apart(&r, &before), 0.6));
    }
    return least;
}

/* What an item takes, or all of the row that it belongs to. */
static layout_rect row_rect(const layout_context *c,
                            const layout_plan *plan,
                            const layout_place *p)
{
    layout_rect r = layout_rect_of(c, p);
    bool has_row = plan && layout_rows_of(&c->things[p->thing]);
    for (uint32_t i = 0; has_row && i < plan->item_count; i++) {
        if (!plan->items[i].placed || plan->items[i].thing != p->thing)
            continue;
        layout_rect other = layout_rect_of(c, &plan->items[i]);
        r.x0 = fmin(r.x0, other.x0);
        r.z0 = fmin(r.z0, other.z0);
        r.x1 = fmax(r.x1, other.x1);
        r.z1 = fmax(r.z1, other.z1);
    }
    return r;
}

/* How far an item is from being under one window: metres from its wall and
 * aside of it, and what of the item would hide it. */
static double below_window(const layout_context *c,
                           const layout_plan *plan,
                           const layout_place *p,
                           const layout_opening *o)
{
    layout_rect r = row_rect(c, plan, p);
    layout_rect sill = layout_before(c->room, o, 0);
    bool is_across = !(o->wall & 1); /* north and south run along x */
    double off = is_across ? fmax(sill.z0 - r.z1, r.z0 - sill.z1)
                           : fmax(sill.x0 - r.x1, r.x0 - sill.x1);
    double wide = is_across ? fmax(r.x1 - r.x0, sill.x1 - sill.x0)
                            : fmax(r.z1 - r.z0, sill.z1 - sill.z0);
    double aside = is_across ? r.x0 + r.x1 - sill.x0 - sill.x1
                             : r.z0 + r.z1 - sill.z0 - sill.z1;
    return excess_over(off, 0.3) + excess_over(fabs(aside) / 2, wide / 2) +
           excess_over(layout_top_of(c, p), LAYOUT_WINDOW_HIDDEN);
}

/* Of the nearest; INFINITY: there is no window. */
static double sill_residual(const layout_context *c,
                            const layout_plan *plan,
                            const layout_place *p)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < c->room->opening_count; i++) {
        if (!c->room->openings[i].is_door)
            least =
                fmin(least, below_window(c, plan, p, &c->room->openings[i]));
    }
    return least;
}

/* How far an item is from having a window before its front; INFINITY: there is
 * none. */
static double outlook_residual(const layout_context *c, const layout_place *p)
{
    double least = INFINITY, way[2];
    layout_ahead(p->heading, way);
    double half = layout_model_of(c, p)->size[0] / 2;
    for (uint32_t i = 0; i < c->room->opening_count; i++) {
        const layout_opening *o = &c->room->openings[i];
        layout_rect r = layout_before(c->room, o, 0);
        double x = (r.x0 + r.x1) / 2;
        double z = (r.z0 + r.z1) / 2;
        double wide = fmax(r.x1 - r.x0, r.z1 - r.z0);
        bool is_turned = ((layout_wall_heading(o->wall) + 2) & 3) == p->heading;
        double aside = fabs((x - p->x) * way[1] - (z - p->z) * way[0]);
        if (!o->is_door)
            least = fmin(least, (is_turned ? 0 : 1) +
                                    excess_over(aside, half + wide / 2));
    }
    return least;
}

/* What stands on something is where that is. */
static double room_residual(const layout_context *c,
                            const layout_plan *plan,
                            const layout_place *place,
                            const layout_tie *tie)
{
    const layout_place *p =
        plan && place->on != LAYOUT_NONE ? &plan->items[place->on] : place;
    switch (tie->relation) {
    case BRIEF_WALL: return wall_residual(c, p, tie->walls);
    case BRIEF_CORNER: return corner_residual(c, p, tie->walls);
    case BRIEF_MIDDLE: return middle_residual(c, p);
    case BRIEF_WINDOW: return opening_residual(c, p, false);
    case BRIEF_SILL: return sill_residual(c, plan, p);
    case BRIEF_DOOR: return opening_residual(c, p, true);
    case BRIEF_FACING: return outlook_residual(c, p);
    default: return 0;
    }
}

/* Who sits at the other side of a desk faces it. */
static double visiting_residual(const layout_context *c,
                                const layout_place *p,
                                const layout_place *q)
{
    bool visits = c->things[p->thing].seat && c->things[q->thing].worked_at;
    return visits ? facing_residual(c, p, q) : 0;
}

/* How far one relation to one thing is from holding, in metres or so; 0
 * holds. */
static double pair_residual(const layout_context *c,
                            const layout_place *p,
                            const layout_place *q,
                            brief_relation relation)
{
    seen s = seen_from(c, p, q);
    bool hangs = c->things[p->thing].footing == HABITS_CEILING ||
                 c->things[p->thing].footing == HABITS_HUNG;
    switch (relation) {
    case BRIEF_FLANK: return lateral_residual(&s, 0.5);
    case BRIEF_LEFT:
        /* seen from its front, its own right is left */
        return lateral_residual(&s, 0.8) + excess_over(0, -s.side);
    case BRIEF_RIGHT: return lateral_residual(&s, 0.8) + excess_over(0, s.side);
    case BRIEF_FRONT:
    case BRIEF_FOOT: return front_residual(c, p, q, &s);
    case BRIEF_BEHIND:
        return visiting_residual(c, p, q) +
               excess_over(s.half_forward, -s.forward + 0.3) +
               excess_over(s.apart, 0.9) +
               excess_over(fabs(s.side), s.half_side + 0.1);
    case BRIEF_OPPOSITE: return opposite_residual(p, q, &s);
    case BRIEF_FACING: return facing_residual(c, p, q);
    case BRIEF_BACK: return back_residual(p, q, &s);
    case BRIEF_AWAY: return away_residual(c, p, q);
    case BRIEF_AROUND:
        return excess_over(s.apart, 0.45) + (c->things[q->thing].table
                                                 ? sitting_residual(c, p, q)
                                                 : facing_residual(c, p, q));
    case BRIEF_ABOVE: return hangs ? above_residual(c, p, q) : 0.5 + s.apart;
    case BRIEF_UNDER:
        return c->things[p->thing].footing == HABITS_FLAT
                   ? beneath_residual(c, p, q)
                   : excess_over(s.apart, 0.15);
    case BRIEF_BESIDE:
        if (p->thing == q->thing)
            return neighbour_residual(c, p, q, &s);
        return excess_over(s.apart, 0.6);
    default: return excess_over(s.apart, 0.6);
    }
}

/* Two that flank something are on different sides of it. */
static double flank_residual(const layout_context *c,
                             const layout_plan *plan,
                             uint32_t item,
                             const layout_place *p,
                             const layout_place *q)
{
    double own = seen_from(c, p, q).side;
    double sum = pair_residual(c, p, q, BRIEF_FLANK);
    uint32_t same = 0, other = 0;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *k = &plan->items[i];
        if (i == item || !k->placed || k->thing != p->thing)
            continue;
        bool is_same = seen_from(c, k, q).side * own > 0;
        same += is_same;
        other += !is_same;
    }
    return sum + (same > other ? 1 : 0);
}

/* How far an item is from the stretch between two others: along it and off
 * it. */
static double stretch_residual(const layout_place *p,
                               const layout_place *a,
                               const layout_place *b)
{
    /* share of the stretch at either end; metres */
    const double margin = 0.2, aside = 0.35;
    double way[2] = {b->x - a->x, b->z - a->z};
    double from[2] = {p->x - a->x, p->z - a->z};
    double length = hypot(way[0], way[1]);
    if (length < 1e-6)
        return hypot(from[0], from[1]);
    double along = (from[0] * way[0] + from[1] * way[1]) / (length * length);
    double off = fabs(from[0] * way[1] - from[1] * way[0]) / length;
    return excess_over(margin, along) * length +
           excess_over(along, 1 - margin) * length + excess_over(off, aside);
}

uint32_t layout_between_other(const layout_thing *thing, uint32_t anchor)
{
    for (uint32_t i = 0; i < thing->tie_count; i++) {
        const layout_tie *t = &thing->ties[i];
        if (t->relation == BRIEF_BETWEEN && t->anchor != anchor &&
            t->anchor != LAYOUT_NONE)
            return t->anchor;
    }
    return anchor;
}

/* Of one thing and an opening. INFINITY: one of them is not there. */
static double outer_residual(const layout_context *c,
                             const layout_plan *plan,
                             const layout_place *p,
                             const layout_tie *tie)
{
    double least = INFINITY;
    for (uint32_t k = 0; k < c->room->opening_count; k++) {
        const layout_opening *o = &c->room->openings[k];
        const layout_place end = layout_opening_place(c->room, o);
        bool is_it = tie->walls >> (o->wall & 3) & 1;
        for (uint32_t i = 0; is_it && i < plan->item_count; i++) {
            const layout_place *a = &plan->items[i];
            if (a->placed && a->thing == tie->anchor)
                least = fmin(least, stretch_residual(p, a, &end));
        }
    }
    return least;
}

/* INFINITY: there are no two to stand between. */
static double between_residual(const layout_context *c,
                               const layout_plan *plan,
                               uint32_t item,
                               const layout_place *p,
                               const layout_tie *tie)
{
    const uint32_t anchor = tie->anchor;
    if (tie->walls)
        return outer_residual(c, plan, p, tie);
    uint32_t other = layout_between_other(&c->things[p->thing], anchor);
    double least = INFINITY;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *a = &plan->items[i];
        if (i == item || !a->placed || a->thing != anchor)
            continue;
        for (uint32_t k = 0; k < plan->item_count; k++) {
            const layout_place *b = &plan->items[k];
            bool is_pair =
                k != i && k != item && b->placed && b->thing == other;
            if (is_pair)
                least = fmin(least, stretch_residual(p, a, b));
        }
    }
    return least;
}

/* On the half of what bears it that it is told to be on; the middle is of
 * both. */
static double half_residual(const layout_context *c,
                            const layout_place *p,
                            const layout_place *q,
                            brief_relation relation)
{
    const double side = seen_from(c, p, q).side;
    if (relation == BRIEF_LEFT)
        return excess_over(side, 0);
    return relation == BRIEF_RIGHT ? excess_over(-side, 0) : 0;
}

/* The residual of a tie to one item of its anchor. What stands on something
 * stands where that does. */
static double item_residual(const layout_context *c,
                            const layout_plan *plan,
                            uint32_t item,
                            const layout_place *p,
                            uint32_t other,
                            brief_relation relation)
{
    const layout_place *q = &plan->items[other];
    if (relation == BRIEF_ON)
        return layout_bearer_of(plan, p) == other ? 0 : 1;
    if (p->on == LAYOUT_NONE && q->on == LAYOUT_NONE)
        return relation == BRIEF_FLANK ? flank_residual(c, plan, item, p, q)
                                       : pair_residual(c, p, q, relation);
    if (relation == BRIEF_ABOVE && p->on == other)
        return 1; /* it stands on it */
    bool is_same = p->on != LAYOUT_NONE && (p->on == q->on || p->on == other);
    if (is_same)
        return p->on == other ? half_residual(c, p, q, relation) : 0;
    layout_place a = p->on == LAYOUT_NONE ? *p : plan->items[p->on];
    layout_place b = q->on == LAYOUT_NONE ? *q : plan->items[q->on];
    return pair_residual(c, &a, &b, relation);
}

/* The item of a thing that another is nearest to, or stands on; LAYOUT_NONE. */
static uint32_t nearest_of(const layout_context *c,
                           const layout_plan *plan,
                           const layout_place *p,
                           uint32_t thing)
{
    uint32_t nearest = LAYOUT_NONE;
    double least = INFINITY;
    layout_rect r = layout_rect_of(c, p);
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *q = &plan->items[i];
        if (!q->placed || q->thing != thing)
            continue;
        layout_rect other = layout_rect_of(c, q);
        double apart = p->on == i ? -1 : layout_rects_apart(&r, &other);
        if (apart >= least)
            continue;
        least = apart;
        nearest = i;
    }
    return nearest;
}

/* How many items of the thing, but for `item`, are by another. */
static uint32_t load_of(const layout_context *c,
                        const layout_plan *plan,
                        uint32_t item,
                        uint32_t thing,
                        uint32_t other)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *k = &plan->items[i];
        if (i == item || !k->placed || k->thing != thing)
            continue;
        count += nearest_of(c, plan, k, plan->items[other].thing) == other;
    }
    return count;
}

/* By how much the gap between two is not as told, beyond the slack that METHODS.md
 * 8 leaves a gap, and 5 cm. 0: none is told, or one is on something. */
static double gap_residual(const layout_context *c,
                           const layout_place *p,
                           const layout_place *q,
                           double gap)
{
    const double slack = 0.05;
    if (gap <= 0 || p->on != LAYOUT_NONE || q->on != LAYOUT_NONE)
        return 0;
    layout_rect a = layout_rect_of(c, p), b = layout_rect_of(c, q);
    return excess_over(fabs(layout_rects_apart(&a, &b) - gap),
                       fmax(slack, gap / 10));
}

/* The best over all things the tie may mean; INFINITY: none of them is there. A
 * thing that has its share of companions counts less. */
static double anchors_residual(const layout_context *c,
                               const layout_plan *plan,
                               uint32_t item,
                               const layout_place *p,
                               const layout_tie *tie)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *q = &plan->items[i];
        if (i == item || !q->placed || q->thing != tie->anchor)
            continue;
        double one = item_residual(c, plan, item, p, i, tie->relation) +
                     gap_residual(c, p, q, tie->gap);
        bool is_full =
            tie->share && load_of(c, plan, item, p->thing, i) >= tie->share;
        least = fmin(least, one + (is_full ? 1 : 0));
    }
    return least < 1e-6 ? 0 : least;
}

double layout_tie_residual(const layout_context *c,
                           const layout_plan *plan,
                           uint32_t item,
                           const layout_place *p,
                           const layout_tie *tie)
{
    if (tie->relation == BRIEF_ROWS)
        return rows_residual(c, plan, item, p, tie->rows);
    if (tie->relation == BRIEF_CORNER && tie->told)
        return room_residual(c, plan, p, tie) + corner_shared(plan, item, p);
    bool are_walls = tie->relation == BRIEF_WALL &&
                     (tie->walls & (tie->walls - 1)) &&
                     c->things[p->thing].count > 1;
    if (are_walls)
        return room_residual(c, plan, p, tie) +
               walls_shared(c, plan, item, p, tie);
    if (tie->anchor == LAYOUT_NONE)
        return room_residual(c, plan, p, tie);
    layout_place together;
    if (tie->relation == BRIEF_FACING && layout_rows_of(&c->things[p->thing])) {
        together = rows_middle(c, plan, item, p);
        p = &together;
    }
    if (tie->relation == BRIEF_BETWEEN) {
        double between = between_residual(c, plan, item, p, tie);
        if (between < INFINITY)
            return between < 1e-6 ? 0 : between;
    }
    return anchors_residual(c, plan, item, p, tie);
}

/* For who has a plan and asks about one relation of it. */
double layout_residual(const layout_room *room,
                       const layout_thing *things,
                       const layout_plan *plan,
                       uint32_t item,
                       const layout_tie *tie)
{
    const layout_context c = {room, things};
    return layout_tie_residual(&c, plan, item, &plan->items[item], tie);
}

/* An upper bound of how many would fit side by side; 0: too high for the
 * room. */
uint32_t layout_fit(const layout_room *room, const layout_model *model)
{
    double most = 0;
    for (int turn = 0; turn < 2; turn++) {
        double w = model->size[turn ? 2 : 0] + LAYOUT_GAP;
        double d = model->size[turn ? 0 : 2] + LAYOUT_GAP;
        double across = floor((room->width - LAYOUT_GAP) / w);
        double along = floor((room->depth - LAYOUT_GAP) / d);
        double cells = across * along;
        for (uint32_t i = 0; i < room->opening_count; i++) {
            double blocked =
                ceil(LAYOUT_DOOR_WIDTH / w) * ceil(LAYOUT_DOOR_DEPTH / d);
            if (room->openings[i].is_door)
                cells -= blocked;
        }
        most = fmax(most, cells);
    }
    return model->size[1] > room->height || most < 0 ? 0 : (uint32_t)most;
}
