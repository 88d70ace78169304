/* The search: in which order things come, at which places each is tried, and
 * which rooms are kept.
 *
 * A beam search. Things are ordered so that each comes after what its relations
 * name; an item is tried along walls, around its anchors, before windows and on
 * a grid (try_*), every place is scored (relations held, habits, crowding, what
 * it would block, and a little chance by the seed), and the best few rooms go
 * on to the next item. The same brief and seed give the same room. Scores are
 * sums of residuals in metres (layout_boxes.c) with weights. */
#include "worker/furnish/layout.h"
#include "worker/furnish/layout_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BEAM = 6,
    BRANCHES = 4,
    TRIES_MOST = 6000,
    ATTEMPTS = 5,
    MANY = 60 /* items */
};
#define STEP 0.1 /* metres between places that are tried along a wall */
#define GRID 0.2 /* and on the floor */

typedef struct candidate {
    layout_place place;
    double score;
} candidate;

/* A beam search: beam holds the best plans with the items placed so far, next
 * those with one more. */
typedef struct search {
    layout_context c;
    uint32_t thing_count, item_count;
    uint64_t seed;
    uint32_t first[LAYOUT_ITEMS_MAX]; /* of a thing, its first item */
    uint32_t thing_of[LAYOUT_ITEMS_MAX];
    uint32_t order[LAYOUT_ITEMS_MAX];
    /* per thing: how often it found no place */
    uint32_t raised[LAYOUT_ITEMS_MAX];
    /* smaller models first; nothing that was not told */
    bool small, bare;
    candidate *tried;
    uint32_t tried_count;
    layout_plan *beam, *next; /* BEAM, and BEAM * BRANCHES + BEAM */
    uint32_t beam_count, next_count;
    uint32_t states;
} search;

/* ---- order ---- */

/* Square metres that it takes. */
static double foot_of(const layout_thing *t)
{
    return t->model_count ? t->models[0].size[0] * t->models[0].size[2] : 0;
}

/* The order in which things are placed: walls first, what stands on others
 * last. */
static int class_of(const layout_thing *t)
{
    switch (t->footing) {
    case HABITS_AT_WALL: return 0;
    case HABITS_FREE: return 1;
    case HABITS_CORNER: return 2;
    case HABITS_FLAT: return 3;
    case HABITS_HUNG: return 4;
    case HABITS_CEILING: return 5;
    case HABITS_ON: break;
    }
    return 6;
}

/* Does a come before b, both being ready? */
static bool thing_is_sooner(const search *s, uint32_t a, uint32_t b)
{
    const layout_thing *t = &s->c.things[a], *u = &s->c.things[b];
    if ((t->footing == HABITS_ON) != (u->footing == HABITS_ON))
        return u->footing == HABITS_ON;
    if (s->raised[a] != s->raised[b])
        return s->raised[a] > s->raised[b];
    if (t->told != u->told)
        return t->told;
    int i = class_of(t), k = class_of(u);
    if (i != k)
        return i < k;
    double x = foot_of(t), y = foot_of(u);
    return x != y ? x > y : a < b;
}

/* Everything that it is to stand by has been placed. */
static bool thing_is_ready(const search *s, const bool *done, uint32_t thing)
{
    const layout_thing *t = &s->c.things[thing];
    for (uint32_t i = 0; i < t->tie_count; i++) {
        uint32_t anchor = t->ties[i].anchor;
        bool waits = anchor != LAYOUT_NONE && anchor != thing;
        if (waits && !done[anchor])
            return false;
    }
    return true;
}

/* Items of one thing come one after another. */
static void order_put(search *s, uint32_t *count, uint32_t thing)
{
    for (uint32_t k = 0; k < s->c.things[thing].count; k++)
        s->order[(*count)++] = s->first[thing] + k;
}

/* Does a come before b: what waits for nothing, and of these the soonest? */
static bool thing_comes_first(const search *s,
                              const bool *done,
                              uint32_t a,
                              uint32_t b)
{
    bool a_ready = thing_is_ready(s, done, a),
         b_ready = thing_is_ready(s, done, b);
    return a_ready == b_ready ? thing_is_sooner(s, a, b) : a_ready;
}

/* LAYOUT_NONE: all have their turn. */
static uint32_t order_next(const search *s, const bool *done)
{
    uint32_t best = LAYOUT_NONE;
    for (uint32_t i = 0; i < s->thing_count; i++) {
        if (done[i])
            continue;
        if (best == LAYOUT_NONE || thing_comes_first(s, done, i, best))
            best = i;
    }
    return best;
}

/* What is there already, then anchors first; where things wait for one another
 * the one that would come soonest goes. */
static void order_make(search *s)
{
    bool done[LAYOUT_ITEMS_MAX] = {false};
    uint32_t count = 0, things = 0;
    for (uint32_t i = 0; i < s->thing_count; i++) {
        if (!s->c.things[i].fixed)
            continue;
        done[i] = true;
        things++;
        order_put(s, &count, i);
    }
    for (uint32_t n = things; n < s->thing_count; n++) {
        uint32_t next = order_next(s, done);
        done[next] = true;
        order_put(s, &count, next);
    }
}

/* ---- where a thing may go ---- */

/* Places beyond TRIES_MOST are not tried. */
static void try_at(
    search *s, const layout_place *base, double x, double z, uint32_t heading)
{
    if (s->tried_count == TRIES_MOST)
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
               s->c.things[base->thing].footing == HABITS_HUNG ? 0 : LAYOUT_GAP,
           off = m->size[2] / 2 + gap;
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
    double x = s->c.room->width / 2, z = s->c.room->depth / 2;
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
        double half_x = (heading & 1 ? m->size[2] : m->size[0]) / 2,
               half_z = (heading & 1 ? m->size[0] : m->size[2]) / 2;
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
    double pitch = m->size[0] + 0.03, off = m->size[2] / 2 + gap;
    uint32_t across = (uint32_t)fmax(1, floor((r.x1 - r.x0) / pitch)),
             along = (uint32_t)fmax(1, floor((r.z1 - r.z0) / pitch));
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
    const double *own = layout_model_of(&s->c, base)->size,
                 *size = layout_model_of(&s->c, q)->size;
    double aside = fmax(0, (size[0] - own[0]) / 2);
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
        double ahead = (size[2] + own[2]) / 2 + gaps[g];
        for (int k = -2; k <= 2; k++) {
            double off = aside * k / 2;
            try_at(s, base, q->x + way[0] * ahead + way[1] * off,
                   q->z + way[1] * ahead - way[0] * off, q->heading + 2);
        }
    }
}

/* Metres that two of a thing leave for what is to stand between them; 0:
 * nothing is. */
static double between_gap(const search *s, uint32_t thing)
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
    if (tie->relation == BRIEF_UNDER)
        return -0.3;
    if (tie->anchor == base->thing && between_gap(s, base->thing) > 0)
        return between_gap(s, base->thing);
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
    if (t->footing == HABITS_HUNG || t->footing == HABITS_CEILING)
        return;
    if (t->seat && s->c.things[q->thing].table) {
        try_seats(s, base, q, 0.04);
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

/* Of all pairs that the thing may stand between. */
static void try_between(search *s,
                        const layout_plan *plan,
                        const layout_place *base,
                        uint32_t anchor)
{
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
            try_between(s, plan, base, t->ties[k].anchor);
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
           TRIES_MOST / 2)
        step *= 1.25;
    double x = s->c.room->width / 2, z = s->c.room->depth / 2;
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

/* How high it hangs: as it is made for, else at the height of eyes. */
static double hang_height(const search *s, const layout_place *base)
{
    const layout_model *m = layout_model_of(&s->c, base);
    double most = s->c.room->height - m->size[1] - 0.02,
           at = m->elevation > 0 ? m->elevation : 1.5 - m->size[1] / 2;
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

/* Is there room for all rows that a thing's first item begins? */
static bool rows_are_free(const search *s,
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

/* All places that come into question for one thing, by its footing. */
static void try_all(search *s,
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
        base.y = hang_height(s, &base);
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

/* ---- how good a place is ---- */

/* Square metres. */
static double rect_overlap(const layout_rect *a, const layout_rect *b)
{
    double x = fmin(a->x1, b->x1) - fmax(a->x0, b->x0),
           z = fmin(a->z1, b->z1) - fmax(a->z0, b->z0);
    return x > 0 && z > 0 ? x * z : 0;
}

/* In either direction. */
static bool are_tied(const layout_context *c,
                     const layout_place *a,
                     const layout_place *b)
{
    const layout_thing *t = &c->things[a->thing], *u = &c->things[b->thing];
    for (uint32_t i = 0; i < t->tie_count; i++) {
        if (t->ties[i].anchor == b->thing)
            return true;
    }
    for (uint32_t i = 0; i < u->tie_count; i++) {
        if (u->ties[i].anchor == a->thing)
            return true;
    }
    return false;
}

/* What stands before others, and what stands before it, as shares of what
 * should be free. */
static double crowding(const search *s,
                       const layout_plan *plan,
                       uint32_t item,
                       const layout_place *p)
{
    double sum = 0, own = s->c.things[p->thing].front;
    layout_rect r = layout_rect_of(&s->c, p),
                front = layout_front_of(&s->c, p, own);
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *q = &plan->items[i];
        if (i == item || !layout_is_solid(&s->c, q) || are_tied(&s->c, p, q))
            continue;
        double other = s->c.things[q->thing].front;
        layout_rect foot = layout_rect_of(&s->c, q),
                    before = layout_front_of(&s->c, q, other);
        if (own > 0)
            sum += rect_overlap(&front, &foot) /
                   (own * layout_model_of(&s->c, p)->size[0]);
        if (other > 0)
            sum += rect_overlap(&before, &r) /
                   (other * layout_model_of(&s->c, q)->size[0]);
    }
    double x = s->c.room->width / 2,
           z = s->c.room->depth / 2; /* a front at a wall cannot be used */
    double outside = fmax(fmax(front.x1 - x, -x - front.x0),
                          fmax(front.z1 - z, -z - front.z0));
    return sum + (own > 0 && outside > 0 ? outside / own : 0);
}

/* A number from 0 to 1 of the seed and the place. */
static double chance(uint64_t seed, uint32_t item, const layout_place *p)
{
    uint64_t h = seed * 0x9e3779b97f4a7c15u + item * 0xbf58476d1ce4e5b9u;
    h ^= (uint64_t)(int64_t)(p->x * 1000) * 0x94d049bb133111ebu;
    h ^= (h >> 29) + (uint64_t)(int64_t)(p->z * 1000) * 0xff51afd7ed558ccdu +
         p->heading;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    return (double)(h >> 40) / (double)(1 << 24);
}

/* Blocking a door is worst; before a window only what is high counts. */
static double window_cost(const search *s, const layout_place *p)
{
    layout_rect r = layout_rect_of(&s->c, p);
    double cost = 0;
    for (uint32_t i = 0; i < s->c.room->opening_count; i++) {
        const layout_opening *o = &s->c.room->openings[i];
        layout_rect before =
            layout_before(s->c.room, o, o->is_door ? 1.4 : 0.5);
        bool hides =
            o->is_door || layout_top_of(&s->c, p) > LAYOUT_WINDOW_HIDDEN;
        if (hides && layout_rects_meet(&r, &before, 0))
            cost += o->is_door ? 1.5 : 3;
    }
    return cost;
}

/* The text says by what it stands: a bench in front of the piano need not be at
 * a wall. */
static bool is_told_where(const layout_thing *t)
{
    for (uint32_t i = 0; i < t->tie_count; i++) {
        if (t->ties[i].told && t->ties[i].anchor != LAYOUT_NONE)
            return true;
    }
    return false;
}

/* What a place is worth by the thing's habit alone. */
static double habit_score(const search *s, const layout_place *p)
{
    const layout_thing *t = &s->c.things[p->thing];
    const layout_model *m = layout_model_of(&s->c, p);
    const layout_tie wall = {.relation = BRIEF_WALL, .anchor = LAYOUT_NONE},
                     corner = {.relation = BRIEF_CORNER, .anchor = LAYOUT_NONE};
    double at_wall = layout_tie_residual(&s->c, NULL, LAYOUT_NONE, p, &wall);
    double in_corner =
        layout_tie_residual(&s->c, NULL, LAYOUT_NONE, p, &corner);
    double x = p->x / s->c.room->width, z = p->z / s->c.room->depth,
           off_middle = p->heading & 1 ? fabs(z) : fabs(x);
    double score = 0;
    switch (t->footing) {
    case HABITS_AT_WALL:
        score -= (is_told_where(t) ? 2 : 8) * fmin(at_wall, 1);
        if (t->looked_at || (m->size[0] * m->size[2] > 1.2 && t->seat))
            score -= 3 * off_middle; /* a bed, a sofa */
        else
            score -= 0.5 * fmin(in_corner, 1);
        break;
    case HABITS_FREE:
        score -= t->table ? 2 * (fabs(x) + fabs(z)) : 0.4 * fmin(at_wall, 2);
        break;
    case HABITS_CORNER: score -= 1.5 * fmin(in_corner, 2); break;
    case HABITS_CEILING:
    case HABITS_FLAT: score -= 2 * (fabs(x) + fabs(z)); break;
    case HABITS_HUNG: score -= off_middle; break;
    case HABITS_ON: break;
    }
    return score;
}

/* How far two are from being in line: across the way that the first faces, or
 * in both where it hangs from the ceiling. */
static double misalignment(const search *s,
                           const layout_place *p,
                           const layout_place *q)
{
    double x = fabs(p->x - q->x), z = fabs(p->z - q->z);
    if (s->c.things[p->thing].footing == HABITS_CEILING)
        return hypot(x, z);
    return p->heading & 1 ? z : x;
}

/* The same before another's front: across the way that the other faces. */
static double misalignment_before(const layout_place *p, const layout_place *q)
{
    return q->heading & 1 ? fabs(p->z - q->z) : fabs(p->x - q->x);
}

/* Of what hangs over a thing, stands across from it or before its front, the
 * middles are better in line. At a table people sit where there is room. */
static double alignment_cost(const search *s,
                             const layout_plan *plan,
                             const layout_place *p,
                             const layout_tie *tie)
{
    double least = INFINITY;
    bool is_across =
        tie->relation == BRIEF_ABOVE || tie->relation == BRIEF_OPPOSITE;
    bool is_before =
        tie->relation == BRIEF_FOOT ||
        (tie->relation == BRIEF_FRONT && !s->c.things[tie->anchor].table);
    if (!is_across && !is_before)
        return 0;
    const layout_thing *t = &s->c.things[p->thing];
    const layout_tie *rows = layout_rows_of(t);
    layout_place middle = *p;
    if (rows) { /* it is their middle that is in line */
        layout_place last =
            layout_row_place(&s->c, p, rows->rows, t->count - 1);
        middle.x = (p->x + last.x) / 2;
        middle.z = (p->z + last.z) / 2;
        p = &middle;
    }
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *q = &plan->items[i];
        if (!q->placed || q->thing != tie->anchor)
            continue;
        const layout_place *foot =
            q->on == LAYOUT_NONE ? q : &plan->items[q->on];
        least = fmin(least, is_before ? misalignment_before(p, foot)
                                      : misalignment(s, p, foot));
    }
    return least < 3 ? 2 * least : 0;
}

/* Metres between two seats that face one another, as people talk, with what is
 * to stand between them. */
static double talking_gap(const search *s, uint32_t thing)
{
    const double usual = 1.4, knees = 0.5;
    double between = between_gap(s, thing);
    return between > 0 ? between + 2 * knees : usual;
}

/* Seats across from one another: such a tie says how far they are apart. */
static bool is_of_talk(const search *s,
                       const layout_place *p,
                       const layout_tie *tie)
{
    bool is_across =
        tie->relation == BRIEF_OPPOSITE && tie->anchor < s->thing_count;
    return is_across && s->c.things[p->thing].seat &&
           s->c.things[tie->anchor].seat;
}

/* Of what holds the nearer is better. */
static double distance_cost(const search *s,
                            const layout_plan *plan,
                            const layout_place *p,
                            const layout_tie *tie)
{
    const double way_to_seat = 0.55; /* metres, from what one does not sit at */
    double least = INFINITY;
    bool is_talk = is_of_talk(s, p, tie);
    bool is_far = (tie->relation == BRIEF_OPPOSITE && !is_talk) ||
                  tie->relation == BRIEF_FACING || tie->anchor == LAYOUT_NONE;
    layout_rect r = layout_rect_of(&s->c, p);
    for (uint32_t i = 0; i < plan->item_count && !is_far; i++) {
        const layout_place *q = &plan->items[i];
        if (!q->placed || q->thing != tie->anchor || q->on != LAYOUT_NONE)
            continue;
        layout_rect other = layout_rect_of(&s->c, q);
        least = fmin(least, layout_rects_apart(&r, &other));
    }
    bool is_pair = tie->anchor == p->thing;
    bool is_before = tie->relation == BRIEF_FRONT && !is_pair &&
                     s->c.things[p->thing].seat &&
                     !s->c.things[tie->anchor].sat_at;
    if (is_before && least < INFINITY)
        least = fabs(least - way_to_seat);
    if (is_talk && least < INFINITY)
        return 2 * fmin(fabs(least - talking_gap(s, tie->anchor)), 3);
    if (is_pair && least < INFINITY)
        least = fabs(least - between_gap(s, p->thing));
    return least < 3 ? 2 * least : 0;
}

/* What stands between two stands better in their middle: metres from it, of
 * the nearest pair's. */
static double middle_cost(const search *s,
                          const layout_plan *plan,
                          const layout_place *p,
                          const layout_tie *tie)
{
    double least = INFINITY;
    if (tie->relation != BRIEF_BETWEEN)
        return 0;
    uint32_t other = layout_between_other(&s->c.things[p->thing], tie->anchor);
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *a = &plan->items[i];
        for (uint32_t k = 0; a->placed && k < i; k++) {
            const layout_place *b = &plan->items[k];
            bool is_pair = a->thing == tie->anchor && b->thing == other;
            is_pair = is_pair || (a->thing == other && b->thing == tie->anchor);
            if (b->placed && is_pair)
                least = fmin(least, hypot(p->x - (a->x + b->x) / 2,
                                          p->z - (a->z + b->z) / 2));
        }
    }
    return least < 3 ? 3 * least : 0;
}

/* What was told weighs twice what is customary. INFINITY means the other thing
 * is not there, which is no fault of this one. */
static double ties_score(const search *s,
                         const layout_plan *plan,
                         uint32_t item,
                         const layout_place *p)
{
    const layout_thing *t = &s->c.things[p->thing];
    double score = 0;
    for (uint32_t i = 0; i < t->tie_count; i++) {
        double residual =
            layout_tie_residual(&s->c, plan, item, p, &t->ties[i]);
        if (residual == INFINITY)
            continue; /* the other is not there */
        double weight = t->ties[i].told ? 12 : 6;
        score += residual == 0 ? weight : -weight / 3 * fmin(residual, 3);
        score -= distance_cost(s, plan, p, &t->ties[i]);
        score -= alignment_cost(s, plan, p, &t->ties[i]);
        score -= middle_cost(s, plan, p, &t->ties[i]);
    }
    return score;
}

/* How far a tie of what is there already, q, to a thing is from holding where
 * that comes to p. Who stands between wants to know of both. */
static double backward_residual(const search *s,
                                const layout_plan *plan,
                                const layout_place *p,
                                const layout_place *q,
                                const layout_tie *tie)
{
    layout_plan few = {.item_count = 2, .items = {*q, *p}};
    for (uint32_t i = 0; tie->relation == BRIEF_BETWEEN && i < plan->item_count;
         i++) {
        const layout_place *other = &plan->items[i];
        bool is_told_of = false;
        for (uint32_t k = 0; k < s->c.things[q->thing].tie_count; k++)
            is_told_of |= s->c.things[q->thing].ties[k].anchor == other->thing;
        if (other->placed && is_told_of && few.item_count < LAYOUT_ITEMS_MAX)
            few.items[few.item_count++] = *other;
    }
    return layout_tie_residual(&s->c, &few, 0, q, tie);
}

/* Ties of what is there already to this thing. */
static double others_score(const search *s,
                           const layout_plan *plan,
                           uint32_t item,
                           const layout_place *p)
{
    double score = 0;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *q = &plan->items[i];
        if (i == item || !q->placed || q->on != LAYOUT_NONE)
            continue;
        const layout_thing *t = &s->c.things[q->thing];
        for (uint32_t k = 0; k < t->tie_count; k++) {
            if (t->ties[k].anchor != p->thing ||
                t->ties[k].relation == BRIEF_ON)
                continue;
            double residual = backward_residual(s, plan, p, q, &t->ties[k]);
            score += residual == 0 ? 6 : -2 * fmin(residual, 3);
        }
    }
    return score;
}

/* Something placed already is tied to this thing. */
static bool has_backward_ties(const search *s,
                              const layout_plan *plan,
                              uint32_t thing)
{
    for (uint32_t i = 0; i < plan->item_count; i++) {
        if (!plan->items[i].placed)
            continue;
        const layout_thing *t = &s->c.things[plan->items[i].thing];
        for (uint32_t k = 0; k < t->tie_count; k++) {
            if (t->ties[k].anchor == thing)
                return true;
        }
    }
    return false;
}

/* Somebody sits at the thing. */
static bool is_sat_at(const search *s, uint32_t thing)
{
    for (uint32_t i = 0; i < s->thing_count; i++) {
        const layout_thing *t = &s->c.things[i];
        for (uint32_t k = 0; t->seat && k < t->tie_count; k++) {
            if (t->ties[k].anchor == thing)
                return true;
        }
    }
    return false;
}

/* Of several tables with seats: metres that are lacking between two for those
 * who sit there back to back, and for a way between them. */
static double tables_cost(const search *s,
                          const layout_plan *plan,
                          uint32_t item,
                          const layout_place *p)
{
    const double wanted = 1.8, weight = 4;
    const layout_thing *t = &s->c.things[p->thing];
    double lacking = 0;
    if (!t->table || t->count < 2 || layout_rows_of(t) ||
        !is_sat_at(s, p->thing))
        return 0;
    layout_rect r = layout_rect_of(&s->c, p);
    for (uint32_t i = s->first[p->thing]; i < item; i++) {
        if (!plan->items[i].placed)
            continue;
        layout_rect other = layout_rect_of(&s->c, &plan->items[i]);
        lacking += fmax(0, wanted - layout_rects_apart(&r, &other));
    }
    return weight * lacking;
}

/* Metres beside and behind a thing. */
typedef struct space_about {
    double left, right, behind; /* as one sees it from its front */
} space_about;

/* What one tie to a thing takes at its sides or behind it. */
static void about_want(space_about *a,
                       const layout_thing *t,
                       const layout_tie *tie,
                       bool is_itself)
{
    const double gap = 0.06;
    double wide = t->models[0].size[0] + gap, deep = t->models[0].size[2] + gap;
    bool is_flank = tie->relation == BRIEF_FLANK && t->count > 1;
    bool is_behind = tie->relation == BRIEF_BEHIND && !is_itself;
    if (is_flank || tie->relation == BRIEF_LEFT)
        a->left = fmax(a->left, wide);
    if (is_flank || tie->relation == BRIEF_RIGHT)
        a->right = fmax(a->right, wide);
    if (is_behind || tie->relation == BRIEF_BACK)
        a->behind = fmax(a->behind, deep);
}

/* What all that is to stand there takes. */
static space_about about_wanted(const search *s, uint32_t thing)
{
    space_about a = {0};
    for (uint32_t i = 0; i < s->thing_count; i++) {
        const layout_thing *t = &s->c.things[i];
        for (uint32_t k = 0; t->model_count && k < t->tie_count; k++) {
            if (t->ties[k].anchor == thing)
                about_want(&a, t, &t->ties[k], i == thing);
        }
    }
    return a;
}

/* Metres that the room's walls leave too little of for what is to stand at its
 * sides and behind it. The second of two that stand back to back has the first
 * there. */
static double about_cost(const search *s, uint32_t item, const layout_place *p)
{
    const double weight = 8;
    double way[2];
    space_about a = about_wanted(s, p->thing);
    layout_ahead(p->heading, way);
    const double *size = layout_model_of(&s->c, p)->size;
    double wide = s->c.room->width / 2, deep = s->c.room->depth / 2;
    /* along the way to its own left, which is right to who looks at it, and
     * along the way that it faces */
    double across = p->x * way[1] - p->z * way[0],
           along = p->x * way[0] + p->z * way[1];
    double to_side = (p->heading & 1 ? deep : wide) - size[0] / 2,
           to_back = (p->heading & 1 ? wide : deep) - size[2] / 2;
    double lacking = fmax(0, a.right - (to_side - across)) +
                     fmax(0, a.left - (to_side + across));
    if (item == s->first[p->thing])
        lacking += fmax(0, a.behind - (to_back + along));
    return weight * lacking;
}

/* Of the first of some rows: how much those behind it are crowded, and whether
 * all of them turn askew from what they look at together. */
static double rows_cost(const search *s,
                        const layout_plan *plan,
                        uint32_t item,
                        const layout_place *p)
{
    /* metres before what they look at, for who writes there */
    const double weight = 3, most = 12, way_before = 2;
    const layout_thing *t = &s->c.things[p->thing];
    const layout_tie *rows = layout_rows_of(t);
    double cost = 0;
    if (!rows || item != s->first[p->thing])
        return 0;
    for (uint32_t k = 1; k < t->count; k++) {
        layout_place other = layout_row_place(&s->c, p, rows->rows, k);
        cost += crowding(s, plan, item, &other);
        for (uint32_t i = 0; i < t->tie_count; i++) {
            double residual = t->ties[i].relation == BRIEF_ROWS
                                  ? 0
                                  : layout_tie_residual(&s->c, plan, item,
                                                        &other, &t->ties[i]);
            cost += residual < INFINITY ? fmin(residual, 1) : 0;
        }
    }
    cost = fmin(weight * cost, most);
    layout_place last = layout_row_place(&s->c, p, rows->rows, t->count - 1),
                 middle = *p;
    middle.x = (p->x + last.x) / 2;
    middle.z = (p->z + last.z) / 2;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *q = &plan->items[i];
        bool is_board = q->placed && s->c.things[q->thing].looked_at;
        if (!is_board)
            continue;
        uint32_t ahead = t->worked_at ? p->heading : (p->heading + 2) & 3;
        bool is_straight = ahead == q->heading;
        layout_rect own = layout_rect_of(&s->c, p),
                    board = layout_rect_of(&s->c, q);
        cost += is_straight ? misalignment(s, &middle, q) : weight;
        cost += fmax(0, way_before - layout_rects_apart(&own, &board));
    }
    return cost;
}

/* The greater, the better. `backward`: others are there already that have
 * relations to it. */
static double place_score(const search *s,
                          const layout_plan *plan,
                          uint32_t item,
                          const layout_place *p,
                          bool backward)
{
    double score = ties_score(s, plan, item, p) + habit_score(s, p) -
                   5 * fmin(crowding(s, plan, item, p), 3);
    if (backward)
        score += others_score(s, plan, item, p);
    score -= tables_cost(s, plan, item, p) + about_cost(s, item, p);
    score -= rows_cost(s, plan, item, p);
    return score - window_cost(s, p) + 0.3 * chance(s->seed, item, p);
}

/* ---- the best places ---- */

/* Rooms that differ by so little are one. */
static bool is_alike(const layout_place *a, const layout_place *b)
{
    return a->heading == b->heading && fabs(a->x - b->x) < 0.35 &&
           fabs(a->z - b->z) < 0.35;
}

/* Keeps the candidate among the best BRANCHES, the best first, unless one like
 * it is as good. */
static void branch_offer(candidate ret[BRANCHES],
                         uint32_t *count,
                         const candidate *c)
{
    uint32_t at = 0;
    while (at < *count && !is_alike(&ret[at].place, &c->place))
        at++;
    if (at == *count && *count < BRANCHES) {
        (*count)++;
    } else {
        if (at == *count)
            at--; /* none is like it: the worst goes */
        if (ret[at].score >= c->score)
            return;
    }
    for (; at > 0 && ret[at - 1].score < c->score; at--)
        ret[at] = ret[at - 1];
    ret[at] = *c;
}

/* Offers those among the places tried that are free; `less`: what their scores
 * are lowered by. */
static void places_pick(search *s,
                        const layout_plan *plan,
                        uint32_t item,
                        double less,
                        candidate ret[BRANCHES],
                        uint32_t *count)
{
    bool backward = has_backward_ties(s, plan, s->thing_of[item]);
    for (uint32_t i = 0; i < s->tried_count; i++) {
        candidate *c = &s->tried[i];
        if (!layout_is_free(&s->c, plan, item, &c->place) ||
            !rows_are_free(s, plan, item, &c->place))
            continue;
        c->score = place_score(s, plan, item, &c->place, backward) - less;
        branch_offer(ret, count, c);
    }
}

/* Does all that the text says of the item hold at that place? What it is tied
 * to may not be there. */
static bool told_holds(const search *s,
                       const layout_plan *plan,
                       uint32_t item,
                       const layout_place *p)
{
    const layout_thing *t = &s->c.things[p->thing];
    for (uint32_t i = 0; i < t->tie_count; i++) {
        double residual =
            t->ties[i].told
                ? layout_tie_residual(&s->c, plan, item, p, &t->ties[i])
                : 0;
        if (residual > 0 && residual < INFINITY)
            return false;
    }
    return true;
}

/* What stands on an item already. */
typedef struct load {
    double area;          /* m2, of their boxes */
    uint32_t count, same; /* all, and those of the thing asked for */
} load;

/* What stands on that bearer so far, and how much of it is of the same
 * thing. */
static load load_on(const search *s,
                    const layout_plan *plan,
                    uint32_t bearer,
                    uint32_t thing)
{
    load l = {0};
    for (uint32_t n = 0; n < plan->item_count; n++) {
        const layout_place *p = &plan->items[n];
        if (!p->placed || p->on != bearer)
            continue;
        const layout_model *m = layout_model_of(&s->c, p);
        l.area += m->size[0] * m->size[2];
        l.count++;
        l.same += p->thing == thing;
    }
    return l;
}

/* Is a model, turned if need be, no larger than what it is to stand on, and is
 * room left there? */
static bool fits_on(const layout_model *m,
                    const layout_model *bearer,
                    double used)
{
    const double *a = m->size, *b = bearer->size;
    bool fits = fmin(a[0], a[2]) <= fmin(b[0], b[2]) + 0.02 &&
                fmax(a[0], a[2]) <= fmax(b[0], b[2]) + 0.02;
    return fits && used + a[0] * a[2] <= 0.85 * b[0] * b[2];
}

/* What an item of the anchor is loaded with, as a number to be least;
 * LAYOUT_NONE: it cannot bear the model. Same things count most, so that they
 * are shared evenly. */
static uint32_t bearer_cost(const search *s,
                            const layout_plan *plan,
                            uint32_t i,
                            uint32_t thing,
                            const layout_model *m)
{
    const layout_place *q = &plan->items[i];
    if (s->c.things[q->thing].footing == HABITS_HUNG)
        return LAYOUT_NONE;
    load l = load_on(s, plan, i, thing);
    bool fits = fits_on(m, layout_model_of(&s->c, q), l.area);
    return fits ? l.same * 1000 + l.count : LAYOUT_NONE;
}

/* The least loaded of a thing's items that stand and can bear the model;
 * LAYOUT_NONE. */
static uint32_t bearer_find(const search *s,
                            const layout_plan *plan,
                            uint32_t anchor,
                            uint32_t thing,
                            const layout_model *m)
{
    uint32_t best = LAYOUT_NONE, least = LAYOUT_NONE;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *q = &plan->items[i];
        if (!q->placed || q->thing != anchor || q->on != LAYOUT_NONE)
            continue;
        uint32_t cost = bearer_cost(s, plan, i, thing, m);
        if (cost >= least)
            continue;
        least = cost;
        best = i;
    }
    return best;
}

/* On something: the first of its anchors that has room, nearest to evenly
 * shared. */
static bool place_on(const search *s,
                     layout_plan *plan,
                     uint32_t item,
                     uint32_t model)
{
    uint32_t thing = s->thing_of[item], best = LAYOUT_NONE;
    const layout_thing *t = &s->c.things[thing];
    for (uint32_t k = 0; k < t->tie_count && best == LAYOUT_NONE; k++) {
        if (t->ties[k].relation == BRIEF_ON)
            best = bearer_find(s, plan, t->ties[k].anchor, thing,
                               &t->models[model]);
    }
    if (best == LAYOUT_NONE)
        return false;
    const layout_place *q = &plan->items[best];
    plan->items[item] = (layout_place){.placed = true,
                                       .thing = thing,
                                       .model = model,
                                       .x = q->x,
                                       .z = q->z,
                                       .y = layout_top_of(&s->c, q),
                                       .heading = q->heading,
                                       .on = best};
    return true;
}

/* ---- the beam ---- */

/* A copy of the plan with the candidate, or without the item (c NULL). A place
 * that makes others unreachable pays for that. */
static void next_add(search *s,
                     const layout_plan *from,
                     uint32_t item,
                     const candidate *c)
{
    layout_plan *to = &s->next[s->next_count++];
    *to = *from;
    if (c)
        to->items[item] = c->place;
    if (c)
        to->score += c->score;
    if (!c || !layout_is_solid(&s->c, &c->place))
        return;
    uint32_t before = layout_count_unreached(s->c.room, s->c.things, from);
    uint32_t now = layout_count_unreached(s->c.room, s->c.things, to);
    to->score -= 30.0 * now - 30.0 * before;
}

/* The model that this item takes: as the other items of its thing, unless they
 * are to differ. */
static uint32_t model_bound(const search *s,
                            const layout_plan *plan,
                            uint32_t item)
{
    uint32_t thing = s->thing_of[item];
    if (s->c.things[thing].different)
        return LAYOUT_NONE;
    for (uint32_t i = s->first[thing]; i < item; i++) {
        if (plan->items[i].placed)
            return plan->items[i].model;
    }
    return LAYOUT_NONE;
}

/* The models in their order of preference, shifted for each copy where they are
 * to differ; in a small room the smallest first. */
static uint32_t model_at(const search *s, uint32_t item, uint32_t rank)
{
    const layout_thing *t = &s->c.things[s->thing_of[item]];
    uint32_t shift = t->different ? item - s->first[s->thing_of[item]] : 0;
    if (!s->small || t->footing == HABITS_ON)
        return (rank + shift) % t->model_count;
    bool used[LAYOUT_MODELS_MAX] = {false};
    uint32_t best = 0;
    for (uint32_t n = 0; n <= rank; n++) {
        best = LAYOUT_NONE;
        for (uint32_t i = 0; i < t->model_count; i++) {
            double own = t->models[i].size[0] * t->models[i].size[2];
            bool is_less =
                best == LAYOUT_NONE ||
                own < t->models[best].size[0] * t->models[best].size[2];
            if (!used[i] && is_less)
                best = i;
        }
        used[best] = true;
    }
    return best;
}

/* The first model decides that has a place where all holds that is told; else
 * the best places of all. Without any the item is left out, which costs 60
 * where it was told. */
static void expand(search *s, const layout_plan *from, uint32_t item)
{
    const double less_each = 1; /* of a model that serves less well */
    const layout_thing *t = &s->c.things[s->thing_of[item]];
    uint32_t bound = model_bound(s, from, item), count = 0;
    candidate best[BRANCHES];
    s->states++;
    for (uint32_t rank = 0; rank < t->model_count; rank++) {
        uint32_t model = bound != LAYOUT_NONE ? bound : model_at(s, item, rank);
        if (t->footing == HABITS_ON) {
            layout_plan *to = &s->next[s->next_count];
            *to = *from;
            if (place_on(s, to, item, model)) {
                to->score += 5;
                s->next_count++;
                return;
            }
        } else {
            try_all(s, from, item, model);
            places_pick(s, from, item, less_each * rank, best, &count);
        }
        bool is_well = count && told_holds(s, from, item, &best[0].place);
        if (is_well || bound != LAYOUT_NONE)
            break;
    }
    for (uint32_t i = 0; i < count; i++)
        next_add(s, from, item, &best[i]);
    if (count)
        return;
    next_add(s, from, item, NULL);
    s->next[s->next_count - 1].score -= t->told ? 60 : 1;
}

/* The best first. */
static int plan_order(const void *a, const void *b)
{
    double x = ((const layout_plan *)a)->score,
           y = ((const layout_plan *)b)->score;
    return (x < y) - (x > y);
}

/* Of the floor, by what takes it. */
static double floor_share(const search *s, const layout_plan *plan)
{
    double sum = 0;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *p = &plan->items[i];
        if (layout_is_solid(&s->c, p))
            sum += layout_model_of(&s->c, p)->size[0] *
                   layout_model_of(&s->c, p)->size[2];
    }
    return sum / (s->c.room->width * s->c.room->depth);
}

/* Keeps the best; equal ones in the order in which they were made (a stable
 * order: the same on every machine). */
static void beam_take(search *s)
{
    s->beam_count = 0;
    for (uint32_t n = 0; n < BEAM && n < s->next_count; n++) {
        uint32_t best = LAYOUT_NONE;
        for (uint32_t i = 0; i < s->next_count; i++) {
            bool is_better = best == LAYOUT_NONE ||
                             plan_order(&s->next[best], &s->next[i]) > 0;
            if (!isnan(s->next[i].score) && is_better)
                best = i;
        }
        if (best == LAYOUT_NONE)
            return;
        s->beam[s->beam_count++] = s->next[best];
        s->next[best].score = NAN;
    }
}

#define SHARE_MOST \
    0.45 /* of the floor: what was not told is left out beyond it */

static void step(search *s, uint32_t item)
{
    const layout_thing *t = &s->c.things[s->thing_of[item]];
    bool is_skipped = !t->told && s->bare;
    if (!t->told && t->footing <= HABITS_CORNER &&
        floor_share(s, &s->beam[0]) > SHARE_MOST)
        is_skipped = true;
    if (is_skipped || t->fixed || !t->model_count)
        return;
    s->next_count = 0;
    for (uint32_t i = 0; i < s->beam_count; i++)
        expand(s, &s->beam[i], item);
    beam_take(s);
}

/* One search from the beginning: a beam of plans, item by item. */
static void attempt(search *s)
{
    order_make(s);
    s->beam_count = 1;
    s->beam[0] = (layout_plan){.item_count = s->item_count};
    for (uint32_t i = 0; i < s->item_count; i++) {
        const layout_thing *t = &s->c.things[s->thing_of[i]];
        s->beam[0].items[i] = t->fixed ? t->fixed[i - s->first[s->thing_of[i]]]
                                       : (layout_place){.thing = s->thing_of[i],
                                                        .on = LAYOUT_NONE};
    }
    for (uint32_t i = 0; i < s->item_count; i++)
        step(s, s->order[i]);
}

/* Items of which something does not hold that is told of them. */
static uint32_t unmet(const search *s, const layout_plan *plan)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *p = &plan->items[i];
        count += p->placed && !told_holds(s, plan, i, p);
    }
    return count;
}

/* Told items without a place. The things concerned come earlier next time. */
static uint32_t missing(search *s, const layout_plan *plan)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_thing *t = &s->c.things[s->thing_of[i]];
        if (plan->items[i].placed || !t->told || !t->model_count)
            continue;
        count++;
        s->raised[s->thing_of[i]]++;
    }
    return count;
}

/* Up to ATTEMPTS, each with other chances, with smaller models from the third on
 * and bare necessities from the fourth; the plan that lacks least. */
static void search_run(search *s, layout_plan *ret)
{
    const uint64_t seed = s->seed, apart = 0x9e3779b97f4a7c15u;
    uint32_t least = LAYOUT_NONE, lost_places = 0;
    for (uint32_t n = 0; n < ATTEMPTS && least > 0; n++) {
        /* with many things what merely does not hold is not worth the time */
        if (n > 0 && s->item_count > MANY && !lost_places)
            break;
        s->small = n >= 2;
        s->bare = n >= 3;
        s->seed = seed + n * apart;
        attempt(s);
        lost_places = missing(s, &s->beam[0]);
        uint32_t lost =
            lost_places * 4 + unmet(s, &s->beam[0]) +
            layout_count_unreached(s->c.room, s->c.things, &s->beam[0]);
        if (lost >= least)
            continue;
        least = lost;
        *ret = s->beam[0];
        memcpy(ret->order, s->order, sizeof ret->order);
        ret->attempts = n + 1;
    }
    ret->states = s->states;
}

/* NULL is fine. */
static void search_free(search *s)
{
    if (!s)
        return;
    free(s->tried);
    free(s->beam);
    free(s->next);
    free(s);
}

/* NULL: out of memory. */
static search *search_new(const layout_room *room,
                          const layout_thing *things,
                          uint32_t thing_count,
                          uint64_t seed)
{
    search *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s =
        (search){.c = {room, things}, .thing_count = thing_count, .seed = seed};
    s->tried = calloc(TRIES_MOST, sizeof *s->tried);
    s->beam = calloc(BEAM, sizeof *s->beam);
    s->next = calloc(BEAM * BRANCHES + BEAM, sizeof *s->next);
    if (!s->tried || !s->beam || !s->next) {
        search_free(s);
        return NULL;
    }
    for (uint32_t i = 0; i < thing_count; i++) {
        s->first[i] = s->item_count;
        for (uint32_t k = 0; k < things[i].count; k++)
            s->thing_of[s->item_count++] = i;
    }
    return s;
}

/* Deterministic for one seed. ETNA_E_LIMIT: too many things for a room. */
etna_code layout_search(const layout_room *room,
                        const layout_thing *things,
                        uint32_t thing_count,
                        uint64_t seed,
                        layout_plan *ret,
                        etna_error *err)
{
    uint64_t items = 0;
    for (uint32_t i = 0; i < thing_count; i++)
        items += things[i].count;
    if (items > LAYOUT_ITEMS_MAX || thing_count > LAYOUT_ITEMS_MAX)
        return etna_fail(
            err, ETNA_E_LIMIT,
            "%llu things are more than the %d that one room is furnished with",
            (unsigned long long)items, LAYOUT_ITEMS_MAX);
    search *s = search_new(room, things, thing_count, seed);
    if (!s)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for the search");
    search_run(s, ret);
    search_free(s);
    return ETNA_OK;
}
