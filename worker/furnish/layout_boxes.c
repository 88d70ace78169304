/* Boxes in a room: where they are, and what is free.
 *
 * Metres; x to the right and z towards the viewer, as on a plan with the north
 * wall above; headings in quarter turns. The room's middle is the origin. Boxes
 * are enough here: the room is made of whole models, and the solver's exact
 * rules judge it afterwards. */
#include "worker/furnish/layout_internal.h"

#include <math.h>

void layout_ahead(uint32_t heading, double ret[2])
{
    static const double ways[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    ret[0] = ways[heading & 3][0];
    ret[1] = ways[heading & 3][1];
}

/* Into the room. */
uint32_t layout_wall_heading(uint32_t wall)
{
    static const uint32_t in[4] = {0, 3, 2, 1};
    return in[wall & 3];
}

/* Metres. */
double layout_wall_length(const layout_room *room, uint32_t wall)
{
    return wall & 1 ? room->depth : room->width;
}

/* Walls 0..3: north, east, south, west; at: metres from the left end as seen
 * from inside. */
void layout_wall_point(const layout_room *room,
                       uint32_t wall,
                       double at,
                       double ret[2])
{
    double x = room->width / 2;
    double z = room->depth / 2;
    switch (wall & 3) {
    case 0: ret[0] = at - x, ret[1] = -z; break;
    case 1: ret[0] = x, ret[1] = at - z; break;
    case 2: ret[0] = x - at, ret[1] = z; break;
    default: ret[0] = -x, ret[1] = z - at; break;
    }
}

/* A rectangle `half` to both sides of a point, from `from` to `to` along a
 * heading. */
static layout_rect rect_ahead(
    const double at[2], uint32_t heading, double half, double from, double to)
{
    double way[2];
    layout_ahead(heading, way);
    double x[2] = {at[0] + way[0] * from, at[0] + way[0] * to};
    double z[2] = {at[1] + way[1] * from, at[1] + way[1] * to};
    double side_x = fabs(way[1]) * half;
    double side_z = fabs(way[0]) * half;
    return (layout_rect){(x[0] < x[1] ? x[0] : x[1]) - side_x,
                         (z[0] < z[1] ? z[0] : z[1]) - side_z,
                         (x[0] > x[1] ? x[0] : x[1]) + side_x,
                         (z[0] > z[1] ? z[0] : z[1]) + side_z};
}

/* The floor before an opening, which is to stay free. */
layout_rect layout_before(const layout_room *room,
                          const layout_opening *o,
                          double depth)
{
    double at[2];
    double usual = o->is_door ? LAYOUT_DOOR_WIDTH : LAYOUT_WINDOW_WIDTH;
    double width = o->width > 0 ? o->width : usual;
    layout_wall_point(room, o->wall, o->at, at);
    return rect_ahead(at, layout_wall_heading(o->wall), width / 2, 0, depth);
}

layout_place layout_opening_place(const layout_room *room,
                                  const layout_opening *o)
{
    double at[2];
    layout_wall_point(room, o->wall, o->at, at);
    return (layout_place){.x = at[0], .z = at[1], .on = LAYOUT_NONE};
}

/* As it is turned. */
layout_rect layout_rect_of(const layout_context *c, const layout_place *p)
{
    const layout_model *m = layout_model_of(c, p);
    double half_x = (p->heading & 1 ? m->size[2] : m->size[0]) / 2;
    double half_z = (p->heading & 1 ? m->size[0] : m->size[2]) / 2;
    return (layout_rect){p->x - half_x, p->z - half_z, p->x + half_x,
                         p->z + half_z};
}

/* Metres above the floor. */
double layout_top_of(const layout_context *c, const layout_place *p)
{
    return p->y + layout_model_of(c, p)->size[1];
}

/* The floor before it, as wide as it is itself. */
layout_rect layout_front_of(const layout_context *c,
                            const layout_place *p,
                            double depth)
{
    const layout_model *m = layout_model_of(c, p);
    const double at[2] = {p->x, p->z};
    return rect_ahead(at, p->heading, m->size[0] / 2, m->size[2] / 2,
                      m->size[2] / 2 + depth);
}

/* Nearer than `gap`. */
bool layout_rects_meet(const layout_rect *a, const layout_rect *b, double gap)
{
    bool apart_x = a->x1 + gap <= b->x0 || b->x1 + gap <= a->x0;
    bool apart_z = a->z1 + gap <= b->z0 || b->z1 + gap <= a->z0;
    return !apart_x && !apart_z;
}

/* 0: they overlap. */
double layout_rects_apart(const layout_rect *a, const layout_rect *b)
{
    double x = fmax(fmax(a->x0 - b->x1, b->x0 - a->x1), 0);
    double z = fmax(fmax(a->z0 - b->z1, b->z0 - a->z1), 0);
    return sqrt(x * x + z * z);
}

/* The whole of b. */
static bool layout_rect_holds(const layout_rect *a, const layout_rect *b)
{
    const bool across = a->x0 <= b->x0 && a->x1 >= b->x1;
    return across && a->z0 <= b->z0 && a->z1 >= b->z1;
}

uint32_t layout_bearer_of(const layout_plan *plan, const layout_place *p)
{
    uint32_t on = p->on;
    for (uint32_t n = 0; on != LAYOUT_NONE && n < plan->item_count; n++) {
        const layout_place *q = &plan->items[on];
        if (q->thing != p->thing || q->on == LAYOUT_NONE)
            return on;
        on = q->on;
    }
    return on;
}

/* Does it take floor that nothing else can stand on? */
bool layout_is_solid(const layout_context *c, const layout_place *p)
{
    const double low = 0.05; /* metres above the floor */
    habits_footing f = c->things[p->thing].footing;
    bool is_borne = f == HABITS_ON && (p->on != LAYOUT_NONE || p->y > low);
    const bool is_off = f == HABITS_HUNG || f == HABITS_CEILING;
    return p->placed && !is_borne && !is_off && f != HABITS_FLAT;
}

/* ---- what is free ---- */

/* A gap is left to the walls, unless it hangs on one. */
static bool box_is_in_room(const layout_context *c,
                           const layout_place *p,
                           const layout_rect *r)
{
    double x = c->room->width / 2 - LAYOUT_GAP + 1e-9;
    double z = c->room->depth / 2 - LAYOUT_GAP + 1e-9;
    if (c->things[p->thing].footing == HABITS_HUNG)
        x += LAYOUT_GAP, z += LAYOUT_GAP;
    const bool across = r->x0 >= -x && r->x1 <= x;
    const bool is_within = across && r->z0 >= -z && r->z1 <= z;
    return is_within && layout_top_of(c, p) <= c->room->height;
}

/* Rugs and lamps may be before a door. */
static bool is_clear_of_doors(const layout_context *c,
                              const layout_place *p,
                              const layout_rect *r)
{
    habits_footing f = c->things[p->thing].footing;
    bool is_low = f == HABITS_FLAT || f == HABITS_CEILING;
    for (uint32_t i = 0; !is_low && i < c->room->opening_count; i++) {
        const layout_opening *o = &c->room->openings[i];
        if (!o->is_door)
            continue;
        layout_rect free = layout_before(c->room, o, LAYOUT_DOOR_DEPTH);
        if (layout_rects_meet(r, &free, 0))
            return false;
    }
    return true;
}

/* With whatever anchor. */
static bool has_relation(const layout_thing *t, brief_relation relation)
{
    for (uint32_t i = 0; i < t->tie_count; i++) {
        if (t->ties[i].relation == relation)
            return true;
    }
    return false;
}

/* What hangs covers no window; a curtain may. */
static bool is_clear_of_windows(const layout_context *c,
                                const layout_place *p,
                                const layout_rect *r)
{
    const layout_thing *t = &c->things[p->thing];
    if (t->footing != HABITS_HUNG || has_relation(t, BRIEF_WINDOW))
        return true;
    for (uint32_t i = 0; i < c->room->opening_count; i++) {
        const layout_opening *o = &c->room->openings[i];
        layout_rect before = layout_before(c->room, o, 0.3);
        double foot = o->is_door ? 0 : LAYOUT_WINDOW_FOOT;
        double top = o->is_door ? LAYOUT_DOOR_HEIGHT
                                : LAYOUT_WINDOW_FOOT + LAYOUT_WINDOW_HEIGHT;
        bool is_before = o->wall == p->wall && layout_rects_meet(r, &before, 0);
        if (is_before && p->y < top && layout_top_of(c, p) > foot)
            return false;
    }
    return true;
}

/* Only with a rug that lies wholly beneath. */
static bool may_overlap(const layout_context *c,
                        const layout_place *a,
                        const layout_rect *ra,
                        const layout_place *b,
                        const layout_rect *rb)
{
    bool a_flat = c->things[a->thing].footing == HABITS_FLAT;
    bool b_flat = c->things[b->thing].footing == HABITS_FLAT;
    /* what stands already is not lifted onto a rug */
    return b_flat && !a_flat && layout_rect_holds(rb, ra);
}

/* Something that is meant to be under the other and is low enough. */
static bool is_under(const layout_context *c,
                     const layout_place *p,
                     const layout_place *q)
{
    const layout_thing *t = &c->things[p->thing];
    bool is_lifted = t->footing == HABITS_FLAT && c->things[q->thing].fixed;
    if (is_lifted)
        return false; /* what the room has already is not lifted onto a rug */
    for (uint32_t i = 0; i < t->tie_count; i++) {
        bool is_so =
            t->ties[i].relation == BRIEF_UNDER && t->ties[i].anchor == q->thing;
        if (is_so)
            return layout_model_of(c, p)->size[1] <
                   0.75 * layout_model_of(c, q)->size[1];
    }
    return false;
}

/* Does `q` stand where the box r of `p` would be? */
static bool is_in_way(const layout_context *c,
                      const layout_place *p,
                      const layout_rect *r,
                      const layout_place *q)
{
    if (q->y >= layout_top_of(c, p) || p->y >= layout_top_of(c, q))
        return false;
    layout_rect s = layout_rect_of(c, q);
    if (!layout_rects_meet(r, &s, LAYOUT_GAP))
        return false;
    return !may_overlap(c, p, r, q, &s) && !is_under(c, p, q);
}

/* Within the room, clear of doors and windows, and of everything placed so
 * far. */
bool layout_is_free(const layout_context *c,
                    const layout_plan *plan,
                    uint32_t item,
                    const layout_place *p)
{
    layout_rect r = layout_rect_of(c, p);
    if (!box_is_in_room(c, p, &r) || !is_clear_of_doors(c, p, &r) ||
        !is_clear_of_windows(c, p, &r))
        return false;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *q = &plan->items[i];
        if (i == item || !q->placed || q->on != LAYOUT_NONE)
            continue;
        if (is_in_way(c, p, &r, q))
            return false;
    }
    return true;
}
