/* How good a place is: relations that hold, habits, crowding, what it would
 * block, what is to stand there later, and a little chance by the seed. Sums of
 * residuals in metres (layout_boxes.c) with weights. */
#include "worker/furnish/layout_search_internal.h"

#include <math.h>

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

/* A bed for one lies with a side to a wall: in the room's middle it cuts the
 * floor in two. Metres from its nearer side to the wall there. */
static double side_apart(const search *s,
                         const layout_place *p,
                         const layout_model *m)
{
    bool turned = p->heading & 1;
    double half = (turned ? s->c.room->depth : s->c.room->width) / 2,
           across = turned ? p->z : p->x;
    return fmax(0, half - fabs(across) - m->size[0] / 2);
}

static bool is_narrow_bed(const layout_thing *t, const layout_model *m)
{
    return t->seat && m->size[0] <= 1.25 && m->size[2] >= 1.7;
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
        if (is_narrow_bed(t, m))
            score -= 4 * fmin(side_apart(s, p, m), 1);
        else if (t->looked_at || (m->size[0] * m->size[2] > 1.2 && t->seat))
            score -= 3 * off_middle; /* a double bed, a sofa */
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

/* What is long lies along the front of what it stands before: a coffee table
 * along its sofa. */
static double askew_cost(const search *s,
                         const layout_plan *plan,
                         const layout_place *p,
                         const layout_tie *tie)
{
    const double weight = 1.5, longer = 1.3;
    const double *size = layout_model_of(&s->c, p)->size;
    bool is_wide = size[0] > longer * size[2],
         is_deep = size[2] > longer * size[0];
    bool is_long = tie->relation == BRIEF_FRONT && (is_wide || is_deep) &&
                   !s->c.things[p->thing].seat;
    for (uint32_t i = 0; is_long && i < plan->item_count; i++) {
        const layout_place *q = &plan->items[i];
        bool is_across = (p->heading ^ q->heading) & 1;
        if (q->placed && q->thing == tie->anchor && is_across == is_deep)
            return 0; /* along one of them */
    }
    return is_long ? weight : 0;
}

/* Metres between two seats that face one another, as people talk, with what is
 * to stand between them. */
static double talking_gap(const search *s, uint32_t thing)
{
    const double usual = 1.4, knees = 0.5;
    double between = search_gap_between(s, thing);
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

/* Metres to the nearest of a thing's items that stand; INFINITY: none does. */
static double nearest_apart(const search *s,
                            const layout_plan *plan,
                            const layout_place *p,
                            uint32_t thing)
{
    double least = INFINITY;
    layout_rect r = layout_rect_of(&s->c, p);
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *q = &plan->items[i];
        if (!q->placed || q->thing != thing || q->on != LAYOUT_NONE)
            continue;
        layout_rect other = layout_rect_of(&s->c, q);
        least = fmin(least, layout_rects_apart(&r, &other));
    }
    return least;
}

/* Of what holds the nearer is better. */
static double distance_cost(const search *s,
                            const layout_plan *plan,
                            const layout_place *p,
                            const layout_tie *tie)
{
    const double way_to_seat = 0.55; /* metres, from what one does not sit at */
    bool is_talk = is_of_talk(s, p, tie);
    bool is_far = (tie->relation == BRIEF_OPPOSITE && !is_talk) ||
                  tie->relation == BRIEF_FACING ||
                  tie->relation == BRIEF_AWAY || tie->anchor == LAYOUT_NONE;
    if (tie->gap > 0)
        return 0; /* it is told */
    double least = is_far ? INFINITY : nearest_apart(s, plan, p, tie->anchor);
    bool is_pair = tie->anchor == p->thing;
    bool is_before = tie->relation == BRIEF_FRONT && !is_pair &&
                     s->c.things[p->thing].seat &&
                     !s->c.things[tie->anchor].sat_at;
    if (is_before && least < INFINITY)
        least = fabs(least - way_to_seat);
    if (is_talk && least < INFINITY)
        return 2 * fmin(fabs(least - talking_gap(s, tie->anchor)), 3);
    if (is_pair && least < INFINITY)
        least = fabs(least - search_gap_between(s, p->thing));
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

/* A nightstand is at the bed's head, its back where the bed's is: metres that
 * the two backs are apart along the bed, and half of one where it is turned
 * otherwise. */
static double head_cost(const search *s,
                        const layout_plan *plan,
                        const layout_place *p,
                        const layout_tie *tie)
{
    const double weight = 2, long_as_bed = 1.7;
    const layout_thing *t = &s->c.things[p->thing];
    bool is_beside =
        tie->relation >= BRIEF_BESIDE && tie->relation <= BRIEF_RIGHT;
    double least = INFINITY;
    if (!is_beside || tie->anchor == LAYOUT_NONE || t->seat ||
        t->footing != HABITS_AT_WALL)
        return 0;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *q = &plan->items[i];
        bool is_there = q->placed && q->thing == tie->anchor;
        const double *bed = is_there ? layout_model_of(&s->c, q)->size : NULL;
        if (!bed || !s->c.things[q->thing].seat || bed[2] < long_as_bed)
            continue;
        double way[2];
        layout_ahead(q->heading, way);
        bool is_across = (p->heading ^ q->heading) & 1;
        double deep = layout_model_of(&s->c, p)->size[is_across ? 0 : 2];
        double along = (p->x - q->x) * way[0] + (p->z - q->z) * way[1];
        double apart = fabs(along - deep / 2 + bed[2] / 2) +
                       (p->heading == q->heading ? 0 : 0.5);
        least = fmin(least, apart);
    }
    return least < INFINITY ? weight * fmin(least, 2) : 0;
}

/* People at a table leave one another room: the farther from the next seat there
 * the better, to about a table's width. */
static double elbow_room(const search *s,
                         const layout_plan *plan,
                         uint32_t item,
                         const layout_place *p,
                         const layout_tie *tie)
{
    const double enough = 1.4, weight = 2;
    double least = enough;
    bool is_at_table =
        tie->relation == BRIEF_FRONT || tie->relation == BRIEF_AROUND;
    if (!is_at_table || tie->anchor == LAYOUT_NONE ||
        !s->c.things[tie->anchor].table ||
        layout_rows_of(&s->c.things[p->thing]))
        return 0;
    for (uint32_t i = 0; i < plan->item_count; i++) {
        const layout_place *q = &plan->items[i];
        bool sits = i != item && q->placed && s->c.things[q->thing].seat;
        if (sits && s->c.things[p->thing].seat)
            least = fmin(least, hypot(p->x - q->x, p->z - q->z));
    }
    return weight * least;
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
        score -= askew_cost(s, plan, p, &t->ties[i]);
        score -= head_cost(s, plan, p, &t->ties[i]);
        score += elbow_room(s, plan, item, p, &t->ties[i]);
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

bool search_has_backward_ties(const search *s,
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

double search_score(const search *s,
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
