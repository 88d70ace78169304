/* The places at which an item is tried: along walls, about what it is tied to,
 * before windows, between two, and on a grid. */
#include "proto/array.h"
#include "worker/furnish/layout_search_internal.h"

#include <math.h>

#define STEP 0.1 /* metres between places that are tried along a wall */
#define GRID 0.2 /* and on the floor */

/* Places beyond SEARCH_TRIES_MOST are not tried. */
static void try_at(
    search *s, const layout_place *base, double x, double z, uint32_t heading)
{
    if (s->tried_count == SEARCH_TRIES_MOST)
        return;
    layout_place p = *base;
    p.x = x;
    p.z = z;
    p.heading = heading & 3;
    s->tried[s->tried_count++].place = p;
}

/* Back at the wall, its middle `at` from the wall's left end. */
static void try_wall(search *s,
                     const layout_place *base,
                     uint32_t wall,
                     double at)
{
    double point[2], way[2];
    const layout_model *m = layout_model_of(&s->c, base);
    uint32_t heading = layout_wall_heading(wall);
    if (s->c.room->open[wall & 3])
        return;
    layout_wall_point(s->c.room, wall, at, point);
    layout_ahead(heading, way);
    double gap =
        s->c.things[base->thing].footing == HABITS_HUNG ? 0 : LAYOUT_GAP;
    double off = m->size[2] / 2 + gap;
    layout_place p = *base;
    p.wall = wall;
    try_at(s, &p, point[0] + way[0] * off, point[1] + way[1] * off, heading);
}

/* Along each wall in steps, and at its end and middle in any case. */
static void try_walls(search *s, const layout_place *base)
{
    double half = layout_model_of(&s->c, base)->size[0] / 2 + LAYOUT_GAP;
    for (uint32_t w = 0; w < 4; w++) {
        double length = layout_wall_length(s->c.room, w);
        if (2 * half > length)
            continue;
        for (double at = half; at < length - half; at += STEP)
            try_wall(s, base, w, at);
        try_wall(s, base, w, length - half);
        try_wall(s, base, w, length / 2);
    }
}

/* At walls, in line with something; and in line with openings. */
static void try_wall_near(search *s,
                          const layout_place *base,
                          const layout_place *q)
{
    double x = s->c.room->width / 2;
    double z = s->c.room->depth / 2;
    try_wall(s, base, 0, q->x + x);
    try_wall(s, base, 1, q->z + z);
    try_wall(s, base, 2, x - q->x);
    try_wall(s, base, 3, z - q->z);
}

/* About another thing: at each of its sides, in line with its middle or its
 * edges. */
static void try_about(search *s,
                      const layout_place *base,
                      const layout_place *q,
                      double gap)
{
    const layout_model *m = layout_model_of(&s->c, base);
    layout_rect r = layout_rect_of(&s->c, q);
    for (uint32_t heading = 0; heading < 4; heading++) {
        double half_x = (heading & 1 ? m->size[2] : m->size[0]) / 2;
        double half_z = (heading & 1 ? m->size[0] : m->size[2]) / 2;
        const double along_x[5] = {q->x, r.x0 + half_x, r.x1 - half_x,
                                   (q->x + r.x0) / 2, (q->x + r.x1) / 2};
        const double along_z[5] = {q->z, r.z0 + half_z, r.z1 - half_z,
                                   (q->z + r.z0) / 2, (q->z + r.z1) / 2};
        for (int k = 0; k < 5; k++) {
            try_at(s, base, along_x[k], r.z0 - gap - half_z, heading);
            try_at(s, base, along_x[k], r.z1 + gap + half_z, heading);
            try_at(s, base, r.x0 - gap - half_x, along_z[k], heading);
            try_at(s, base, r.x1 + gap + half_x, along_z[k], heading);
        }
    }
}

/* At a table: evenly along each of its sides, facing it. */
static void try_seats(search *s,
                      const layout_place *base,
                      const layout_place *q,
                      double gap)
{
    const layout_model *m = layout_model_of(&s->c, base);
    layout_rect r = layout_rect_of(&s->c, q);
    double pitch = m->size[0] + 0.03;
    double off = m->size[2] / 2 + gap;
    uint32_t across = (uint32_t)fmax(1, floor((r.x1 - r.x0) / pitch));
    uint32_t along = (uint32_t)fmax(1, floor((r.z1 - r.z0) / pitch));
    for (uint32_t i = 0; i < across; i++) {
        double x = r.x0 + (r.x1 - r.x0) * (2 * i + 1) / (2.0 * across);
        try_at(s, base, x, r.z0 - off, 0);
        try_at(s, base, x, r.z1 + off, 2);
    }
    for (uint32_t i = 0; i < along; i++) {
        double z = r.z0 + (r.z1 - r.z0) * (2 * i + 1) / (2.0 * along);
        try_at(s, base, r.x0 - off, z, 1);
        try_at(s, base, r.x1 + off, z, 3);
    }
}

/* At a desk: before its front and turned to it, in line with its middle or a
 * little aside. */
static void try_desk(search *s, const layout_place *base, const layout_place *q)
{
    static const double gaps[] = {0.04, 0.15, 0.25};
    double way[2];
    layout_ahead(q->heading, way);
    const double *own = layout_model_of(&s->c, base)->size;
    const double *size = layout_model_of(&s->c, q)->size;
    double aside = fmax(0, (size[0] - own[0]) / 2);
    for (size_t g = 0; g < COUNT_OF(gaps); g++) {
        double ahead = (size[2] + own[2]) / 2 + gaps[g];
        for (int k = -2; k <= 2; k++) {
            double off = aside * k / 2;
            try_at(s, base, q->x + way[0] * ahead + way[1] * off,
                   q->z + way[1] * ahead - way[0] * off, q->heading + 2);
        }
    }
}

double search_gap_between(const search *s, uint32_t thing)
{
    const double slack = 0.06; /* metres: a little at either side */
    double most = 0;
    for (uint32_t i = 0; i < s->thing_count; i++) {
        const layout_thing *t = &s->c.things[i];
        for (uint32_t k = 0; t->model_count && k < t->tie_count; k++) {
            const layout_tie *tie = &t->ties[k];
            if (tie->relation != BRIEF_BETWEEN || tie->anchor != thing)
                continue;
            most = fmax(most, t->models[0].size[0] + slack);
        }
    }
    return most;
}

/* Metres that are left between the two, by what they are. */
static double gap_of(const search *s,
                     const layout_place *base,
                     const layout_tie *tie)
{
    const layout_thing *t = &s->c.things[base->thing];
    if (tie->gap > 0)
        return tie->gap;
    if (tie->relation == BRIEF_UNDER)
        return -0.3;
    if (tie->anchor == base->thing && search_gap_between(s, base->thing) > 0)
        return search_gap_between(s, base->thing);
    bool is_close = tie->relation != BRIEF_FRONT ||
                    tie->anchor == base->thing ||
                    s->c.things[tie->anchor].sat_at;
    if (t->seat)
        return is_close ? 0.04 : 0.55;
    if (t->table && tie->relation == BRIEF_FRONT)
        return 0.4;
    if (tie->relation == BRIEF_FRONT)
        return 0.2;
    return tie->relation == BRIEF_FOOT ? 0.1 : 0.03;
}

/* Before another and turned to it, at several distances. */
static void try_across(search *s,
                       const layout_place *base,
                       const layout_place *q)
{
    const double step = 0.2, most = 3; /* metres */
    double way[2];
    layout_ahead(q->heading, way);
    double feet = (layout_model_of(&s->c, q)->size[2] +
                   layout_model_of(&s->c, base)->size[2]) /
                  2;
    for (double gap = 2 * step; gap < most; gap += step)
        try_at(s, base, q->x + way[0] * (feet + gap),
               q->z + way[1] * (feet + gap), q->heading + 2);
}

/* Places for a thing by one of its ties to `q`, which stands. */
static void try_tie(search *s,
                    const layout_place *base,
                    const layout_place *q,
                    const layout_tie *tie)
{
    const layout_thing *t = &s->c.things[base->thing];
    if (t->footing == HABITS_AT_WALL || t->footing == HABITS_HUNG)
        try_wall_near(s, base, q);
    if (t->footing == HABITS_CEILING)
        try_at(s, base, q->x, q->z, 0);
    bool is_beneath = t->footing == HABITS_FLAT && tie->relation == BRIEF_UNDER;
    for (uint32_t heading = 0; is_beneath && heading < 2; heading++)
        try_at(s, base, q->x, q->z, heading);
    if (t->footing == HABITS_HUNG || t->footing == HABITS_CEILING)
        return;
    if (tie->gap > 0)
        try_about(s, base, q, tie->gap);
    if (t->seat && s->c.things[q->thing].table) {
        /* at a low table one needs room for the knees */
        const double low = 0.6;
        bool is_low = layout_model_of(&s->c, q)->size[1] < low;
        try_seats(s, base, q, is_low ? 0.3 : 0.04);
        return;
    }
    bool is_at_desk = t->seat && tie->relation == BRIEF_FRONT &&
                      tie->anchor != base->thing &&
                      s->c.things[q->thing].sat_at;
    if (is_at_desk) {
        try_desk(s, base, q);
        return;
    }
    if (tie->relation == BRIEF_OPPOSITE)
        try_across(s, base, q);
    try_about(s, base, q, gap_of(s, base, tie));
    if (tie->relation != BRIEF_FRONT)
        try_about(s, base, q, 0.25);
}

/* In the middle of two things that it is to stand between, turned either way;
 * what has its back at a wall at the wall behind. */
static void try_middle(search *s,
                       const layout_place *base,
                       const layout_place *a,
                       const layout_place *b)
{
    const layout_place middle = {.x = (a->x + b->x) / 2,
                                 .z = (a->z + b->z) / 2};
    if (s->c.things[base->thing].footing == HABITS_AT_WALL)
        try_wall_near(s, base, &middle);
    for (uint32_t heading = 0; heading < 4; heading++)
        try_at(s, base, middle.x, middle.z, heading);
}

/* Between each of a thing and each opening in the walls. */
static void try_inward(search *s,
                       const layout_plan *plan,
                       const layout_place *base,
                       const layout_tie *tie)
{
    for (uint32_t k = 0; k < s->c.room->opening_count; k++) {
        const layout_opening *o = &s->c.room->openings[k];
        const layout_place end = layout_opening_place(s->c.room, o);
        bool is_it = tie->walls >> (o->wall & 3) & 1;
        for (uint32_t i = 0; is_it && i < plan->item_count; i++) {
            const layout_place *a = &plan->items[i];
            if (a->placed && a->on == LAYOUT_NONE && a->thing == tie->anchor)
                try_middle(s, base, a, &end);
        }
    }
}

/* Of all pairs that the thing may stand between. */
static void try_between(search *s,
                        const layout_plan *plan,
                        const layout_place *base,
                        const layout_tie *tie)
{
    const uint32_t anchor = tie->anchor;
    if (tie->walls) {
        try_inward(s, plan, base, tie);
        return;
    }
    uint32_t other = layout_between_other(&s->c.things[base->thing], anchor);
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *a = &plan->items[i];
        bool is_first = a->placed && a->on == LAYOUT_NONE && a->thing == anchor;
        for (uint32_t k = 0; is_first && k < plan->item_count; k++) {
            const layout_place *b = &plan->items[k];
            bool is_second = k != i && b->placed && b->on == LAYOUT_NONE;
            if (is_second && b->thing == other)
                try_middle(s, base, a, b);
        }
    }
}

/* Places that the ties to things already placed suggest. */
static void try_ties(search *s,
                     const layout_plan *plan,
                     const layout_place *base)
{
    const layout_thing *t = &s->c.things[base->thing];
    for (uint32_t k = 0; k < t->tie_count; k++) {
        if (t->ties[k].relation == BRIEF_BETWEEN)
            try_between(s, plan, base, &t->ties[k]);
        for (uint32_t i = 0; i < plan->item_count; i++) {
            const layout_place *q = &plan->items[i];
            if (q->placed && q->thing == t->ties[k].anchor &&
                q->on == LAYOUT_NONE)
                try_tie(s, base, q, &t->ties[k]);
        }
    }
}

/* The middle first. Steps are widened so that no more than half of the tries go
 * here. */
static void try_grid(search *s, const layout_place *base, uint32_t headings)
{
    double step = GRID;
    while (s->c.room->width * s->c.room->depth / (step * step) * headings >
           SEARCH_TRIES_MOST / 2)
        step *= 1.25;
    double x = s->c.room->width / 2;
    double z = s->c.room->depth / 2;
    for (uint32_t h = 0; h < headings; h++) {
        try_at(s, base, 0, 0, h);
        for (double i = -x + step; i < x; i += step) {
            for (double k = -z + step; k < z; k += step)
                try_at(s, base, i, k, h);
        }
    }
}

/* Under each. */
static void try_windows(search *s, const layout_place *base)
{
    for (uint32_t i = 0; i < s->c.room->opening_count; i++) {
        const layout_opening *o = &s->c.room->openings[i];
        if (!o->is_door)
            try_wall(s, base, o->wall, o->at);
    }
}

/* The highest top of what stands that the thing is told to be above; 0. */
static double top_beneath(const search *s,
                          const layout_plan *plan,
                          const layout_thing *t)
{
    double top = 0;
    for (uint32_t k = 0; k < t->tie_count; k++) {
        for (uint32_t i = 0; i < plan->item_count; i++) {
            const layout_place *q = &plan->items[i];
            bool is_beneath = t->ties[k].relation == BRIEF_ABOVE &&
                              t->ties[k].told && q->placed &&
                              q->thing == t->ties[k].anchor;
            if (is_beneath)
                top = fmax(top, layout_top_of(&s->c, q));
        }
    }
    return top;
}

/* How high it hangs: as it is made for, else at the height of eyes, and over what
 * it is told to be above where the room is high enough. */
static double hang_height(const search *s,
                          const layout_plan *plan,
                          const layout_place *base)
{
    const double gap = 0.05; /* metres over what is beneath */
    const layout_model *m = layout_model_of(&s->c, base);
    double most = s->c.room->height - m->size[1] - 0.02;
    double at = m->elevation > 0 ? m->elevation : 1.5 - m->size[1] / 2;
    at = fmax(at, top_beneath(s, plan, &s->c.things[base->thing]) + gap);
    if (at > most)
        at = most;
    return at < 0.02 ? 0.02 : at;
}

/* A side without a wall. */
static bool room_is_open(const layout_room *room)
{
    return room->open[0] || room->open[1] || room->open[2] || room->open[3];
}

/* The second and further items of a thing in rows have one place each. True: it
 * was tried. */
static bool try_row(search *s,
                    const layout_plan *plan,
                    uint32_t item,
                    const layout_place *base)
{
    uint32_t first = s->first[base->thing];
    const layout_tie *rows = layout_rows_of(&s->c.things[base->thing]);
    if (!rows || item == first || !plan->items[first].placed)
        return false;
    layout_place p =
        layout_row_place(&s->c, &plan->items[first], rows->rows, item - first);
    try_at(s, base, p.x, p.z, p.heading);
    s->tried[s->tried_count - 1].place.wall = p.wall;
    return true;
}

bool search_rows_are_free(const search *s,
                          const layout_plan *plan,
                          uint32_t item,
                          const layout_place *p)
{
    const layout_thing *t = &s->c.things[p->thing];
    const layout_tie *rows = layout_rows_of(t);
    for (uint32_t k = 1; rows && item == s->first[p->thing] && k < t->count;
         k++) {
        layout_place other = layout_row_place(&s->c, p, rows->rows, k);
        if (!layout_is_free(&s->c, plan, item, &other))
            return false;
    }
    return true;
}

/* Of what was tried for a seat: is it at a table, where seats are along the
 * sides, and is one of these places free? */
static bool sits_at_table(const search *s,
                          const layout_plan *plan,
                          uint32_t item)
{
    const layout_thing *t = &s->c.things[s->thing_of[item]];
    bool has_table = false;
    for (uint32_t k = 0; t->seat && k < t->tie_count; k++) {
        uint32_t anchor = t->ties[k].anchor;
        if (anchor == LAYOUT_NONE && t->ties[k].told)
            return false;
        has_table = has_table ||
                    (anchor != LAYOUT_NONE &&
                     (s->c.things[anchor].table || s->c.things[anchor].sat_at));
    }
    for (uint32_t i = 0; has_table && i < s->tried_count; i++) {
        if (layout_is_free(&s->c, plan, item, &s->tried[i].place))
            return true;
    }
    return false;
}

void search_try_places(search *s,
                       const layout_plan *plan,
                       uint32_t item,
                       uint32_t model)
{
    const layout_thing *t = &s->c.things[s->thing_of[item]];
    layout_place base = {.placed = true,
                         .thing = s->thing_of[item],
                         .model = model,
                         .on = LAYOUT_NONE};
    s->tried_count = 0;
    if (try_row(s, plan, item, &base))
        return;
    if (t->footing == HABITS_CEILING && s->c.room->no_ceiling)
        return;
    if (t->footing == HABITS_HUNG)
        base.y = hang_height(s, plan, &base);
    if (t->footing == HABITS_CEILING)
        base.y = s->c.room->height - t->models[model].size[1];
    try_ties(s, plan, &base);
    if (sits_at_table(s, plan, item))
        return;
    try_windows(s, &base);
    switch (t->footing) {
    case HABITS_AT_WALL:
        try_walls(s, &base);
        if (room_is_open(s->c.room))
            try_grid(s, &base, 4);
        break;
    case HABITS_HUNG: try_walls(s, &base); break;
    case HABITS_CEILING: try_grid(s, &base, 1); break;
    case HABITS_FLAT: try_grid(s, &base, 2); break;
    default:
        try_walls(s, &base);
        try_grid(s, &base, 4);
        break;
    }
}
