/* Where a thing could come: for a move of one thing all places in the world that are worth trying, best first. Free cells
 * of surfaces and walls tell most of them; what has no level top (a cushion, a grate, a bowl, a plate's rim) is offered
 * from above, and the true shapes will say how deep it comes to rest. Nothing here depends on what the camera sees. */
#include "worker/builtin/plan/planner_internal.h"
#include "worker/math/vec.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* Metres: a spot's slack; how far above a surface a thing is let down from. */
static const double spot_slack = 0.05, let_down = 0.01;

double planner_yaw_apart(double a, double b)
{
    double apart = fabs(a - b);
    apart -= 360 * floor(apart / 360);
    return apart > 180 ? 360 - apart : apart;
}

plan planner_put(uint32_t object, uint32_t support, const double at[3], double slack)
{
    plan chosen = {.exact = {.kind = EXACT_PUT, .object = object, .support = support, .slack = slack}, .because = ""};
    memcpy(chosen.exact.at, at, 3 * sizeof *at);
    return chosen;
}

static void seek_add(const planner *p, plan_list *list, const plan *next)
{
    if (list->count == PLANS_MAX || planner_was_refused(p, next)) return;
    list->items[list->count++] = *next;
}

/* The same place, and then more and more around it. */
static void seek_add_widening(const planner *p, plan_list *list, const plan *next, double widest)
{
    plan wider = *next;
    seek_add(p, list, next);
    for (double slack = math_max(2 * next->exact.slack, 0.05); slack < widest; slack *= 2) {
        wider.exact.slack = slack;
        seek_add(p, list, &wider);
    }
    if (widest <= next->exact.slack) return;
    wider.exact.slack = widest;
    seek_add(p, list, &wider);
}

/* ---- headings ---- */

static void seek_set_yaw(const planner *p, plan *chosen, const double front_way[2])
{
    const builtin_object *o = &p->facts->objects[chosen->exact.object];
    double front[2];
    builtin_front_of(p->facts, chosen->exact.object, front);
    chosen->exact.yaw_deg = o->yaw_deg + builtin_turn_between(front, front_way);
    chosen->exact.has_yaw = planner_yaw_apart(chosen->exact.yaw_deg, o->yaw_deg) > 0.1;
}

/* A seat that comes to a table or desk looks at it. */
static bool seek_sits_at(const planner *p, const builtin_move *move, uint32_t object)
{
    double front[2];
    if (move->reference >= p->facts->object_count || !builtin_is_seat(&p->facts->objects[object])) return false;
    const builtin_object *table = &p->facts->objects[move->reference];
    bool beside =
        (move->relation >= RELATION_BESIDE && move->relation <= RELATION_BEHIND) || move->relation == RELATION_END;
    return beside && builtin_is_bearer(table) && !table->is_static && table->half[2] > 0.15 &&
           builtin_front_of(p->facts, object, front);
}

/* What the move says about its heading at that place, or what people would expect there. */
static void seek_turn_there(const planner *p, const builtin_move *move, plan *chosen)
{
    const builtin_object *o = &p->facts->objects[chosen->exact.object];
    double way[2], from[3] = {chosen->exact.at[0], chosen->exact.at[1], chosen->exact.at[2] + o->half[2]};
    builtin_move faces = *move;
    if (move->has_yaw) {
        chosen->exact.yaw_deg = move->yaw_deg;
        chosen->exact.has_yaw = planner_yaw_apart(move->yaw_deg, o->yaw_deg) > 0.1;
        return;
    }
    if (move->facing == FACING_NONE) {
        if (!seek_sits_at(p, move, chosen->exact.object)) return;
        faces.facing = FACING_TO;
        faces.faced = move->reference;
        const builtin_object *table = &p->facts->objects[move->reference];
        const double ways[2][2] = {{table->heading[0], table->heading[1]}, {-table->heading[1], table->heading[0]}};
        double best = -1e9; /* squarely: along the side of the table that it is farther from */
        for (int i = 0; i < 2; i++) {
            double along = (from[0] - table->centre[0]) * ways[i][0] + (from[1] - table->centre[1]) * ways[i][1];
            double out = fabs(along) - builtin_extent(table, ways[i]);
            if (out <= best) continue;
            best = out;
            way[0] = along > 0 ? -ways[i][0] : ways[i][0];
            way[1] = along > 0 ? -ways[i][1] : ways[i][1];
        }
        seek_set_yaw(p, chosen, way);
        return;
    }
    if (builtin_facing_way(p->facts, &faces, from, way)) seek_set_yaw(p, chosen, way);
}

/* ---- on and beside things ---- */

/* Is there room for `rest` (things that go to the same place later) when `first` stands at `spot`? */
static etna_code seek_leaves_room(const planner *p, uint32_t reference, const builtin_move *move, uint32_t first,
                                  const builtin_spot *spot, const uint32_t *rest, uint32_t count, bool *ret_room)
{
    builtin_rect taken[BUILTIN_MOVES_MAX];
    uint32_t used = 0;
    taken[used++] = builtin_footprint(&p->facts->objects[first], spot->point[0], spot->point[1], 0.005);
    for (uint32_t i = 0; i < count && used < BUILTIN_MOVES_MAX; i++) {
        builtin_wish wish = {.object = rest[i],
                             .reference = reference,
                             .taste = TASTE_TIGHT,
                             .taken = taken,
                             .taken_count = used,
                             .move = move};
        builtin_spot spots[BUILTIN_SPOTS_MAX];
        uint32_t found = 0;
        etna_code code = builtin_spots(p->facts, &wish, spots, &found, p->err);
        if (code != ETNA_OK) return code;
        *ret_room = found > 0;
        if (found == 0) return ETNA_OK;
        taken[used++] = builtin_footprint(&p->facts->objects[rest[i]], spots[0].point[0], spots[0].point[1], 0.005);
    }
    *ret_room = true;
    return ETNA_OK;
}

/* Half way to the other thing, or half as far again. */
static void seek_nearer_or_farther(const planner *p, const builtin_move *move, uint32_t object, builtin_wish *wish)
{
    const double *own = p->then.objects[object].centre, *other = p->facts->objects[move->reference].centre;
    double share = move->relation == RELATION_TOWARD ? 0.6 : -0.6;
    wish->taste = TASTE_NEAR;
    for (int k = 0; k < 2; k++) wish->near[k] = own[k] + share * (other[k] - own[k]);
}

/* Spots that are no nearer (farther) than the thing is now are none. */
static uint32_t seek_keep_farther(const planner *p, const builtin_move *move, uint32_t object, builtin_spot *spots,
                                  uint32_t count)
{
    const double *own = p->facts->objects[object].centre, *other = p->facts->objects[move->reference].centre;
    double sign = move->relation == RELATION_AWAY ? 1 : -1,
           now = sqrt((own[0] - other[0]) * (own[0] - other[0]) + (own[1] - other[1]) * (own[1] - other[1]));
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        double dx = spots[i].point[0] - other[0], dy = spots[i].point[1] - other[1];
        if (sign * (sqrt(dx * dx + dy * dy) - now) > 0.02) spots[kept++] = spots[i];
    }
    return kept;
}

static void seek_add_spots(const planner *p, const builtin_move *move, uint32_t object, const builtin_wish *wish,
                           const builtin_spot *spots, uint32_t count, plan_list *list)
{
    for (uint32_t i = 0; i < count; i++) {
        const builtin_spot *spot = &spots[i];
        uint32_t base = spot->surface == BUILTIN_NONE ? wish->reference : p->facts->surfaces[spot->surface].object;
        double at[3] = {spot->point[0], spot->point[1], spot->point[2] + let_down};
        double margin = -builtin_misfit(p->facts, move, object, spot->point); /* beside that place it would not hold */
        bool anywhere = move->relation == RELATION_ON || move->relation == RELATION_IN;
        double slack = anywhere && !move->exact ? spot_slack : math_min(math_max(margin, 0.01), spot_slack);
        plan next = planner_put(object, base, at, slack);
        next.hidden = spot->hidden;
        next.uncertain = spot->centre_only || spot->surface == BUILTIN_NONE;
        seek_turn_there(p, move, &next);
        if (wish->turned) {
            next.exact.has_yaw = true;
            next.exact.yaw_deg = p->facts->objects[object].yaw_deg + 90;
        }
        seek_add(p, list, &next);
    }
}

/* Does anything else that stands on the reference take the room over that place? */
static bool seek_is_taken(const builtin_facts *facts, uint32_t object, uint32_t reference, const double at[2])
{
    builtin_rect own = builtin_footprint(&facts->objects[object], at[0], at[1], 0);
    const builtin_object *base = &facts->objects[reference];
    for (uint32_t i = 0; i < base->on_count; i++) {
        const builtin_object *b = &facts->objects[base->on[i]];
        if (base->on[i] == object || builtin_is_above(facts, base->on[i], object)) continue;
        builtin_rect its = builtin_footprint(b, b->centre[0], b->centre[1], 0);
        if (own.low[0] < its.high[0] && own.high[0] > its.low[0] && own.low[1] < its.high[1] &&
            own.high[1] > its.low[1])
            return true;
    }
    return false;
}

/* Is that place over the back of a chair or sofa? A bed has none that takes room from what is laid on it. */
static bool seek_is_over_back(const builtin_facts *facts, uint32_t reference, const double at[2])
{
    const double deepest = 0.7; /* metres, half: no chair nor sofa is deeper */
    const builtin_object *ref = &facts->objects[reference];
    double front[2];
    if (!builtin_is_seat(ref) || !builtin_front_of(facts, reference, front)) return false;
    double half = builtin_extent(ref, front),
           ahead = (at[0] - ref->centre[0]) * front[0] + (at[1] - ref->centre[1]) * front[1];
    return half < deepest && ahead < -0.1 * half;
}

static bool seek_is_within(const builtin_rect *rect, const double at[2])
{
    return at[0] >= rect->low[0] && at[0] <= rect->high[0] && at[1] >= rect->low[1] && at[1] <= rect->high[1];
}

/* From above the reference's top, over a grid of its box from the middle outward: `share` of its half sides. */
static void seek_add_from_above(const planner *p, const builtin_move *move, uint32_t object, uint32_t reference,
                                double share, bool taken_too, bool aside, plan_list *list)
{
    static const int steps[13][2] = {{0, 0},  {1, 0},  {-1, 0}, {0, 1},  {0, -1}, {1, 1}, {-1, -1},
                                     {1, -1}, {-1, 1}, {2, 0},  {-2, 0}, {0, 2},  {0, -2}};
    const int first = aside ? 5 : 0; /* where more is to come, not in the middle */
    const double within = 0.8;       /* of its half sides: a little of it may be over the edge */
    const builtin_object *ref = &p->facts->objects[reference], *o = &p->facts->objects[object];
    double room[2], small = math_min(o->half[0], o->half[1]), middle[2] = {ref->centre[0], ref->centre[1]};
    builtin_rect open;
    const bool seat = builtin_seat_middle(p->facts, reference, middle, &open); /* before the back, between the arms */
    for (int k = 0; k < 2; k++) room[k] = share * ref->half[k];
    if (seat) {
        const double wide = (open.high[0] - open.low[0]) / 2, deep = (open.high[1] - open.low[1]) / 2;
        const double turn = fabs(ref->heading[0]), straight = fabs(ref->heading[1]);
        room[0] = math_min(room[0], straight * wide + turn * deep);
        room[1] = math_min(room[1], turn * wide + straight * deep);
    }
    if (math_min(ref->half[0], ref->half[1]) < (move->relation == RELATION_IN ? 0.9 : 0.4) * small)
        return; /* far too large */
    for (int n = 0; n < 13; n++) {
        const int i = (n + first) % 13;
        double across = room[0] * steps[i][0] / 2, along = room[1] * steps[i][1] / 2;
        double at[3] = {middle[0] + along * ref->heading[0] - across * ref->heading[1],
                        middle[1] + along * ref->heading[1] + across * ref->heading[0],
                        ref->centre[2] + ref->half[2] + let_down};
        bool fits = fabs(across) + within * o->half[0] <= ref->half[0] + 0.01 &&
                    fabs(along) + within * o->half[1] <= ref->half[1] + 0.01;
        if ((i > 0 && !fits) || seek_is_taken(p->facts, object, reference, at) != taken_too) continue;
        if (seek_is_over_back(p->facts, reference, at)) continue;
        if (seat && !seek_is_within(&open, at)) continue;
        if (move->relation != RELATION_ON && move->relation != RELATION_IN &&
            builtin_misfit(p->facts, move, object, at) > 0)
            continue;
        plan next = planner_put(object, reference, at, 0.3 * math_min(ref->half[0], ref->half[1]));
        next.uncertain = true;
        seek_turn_there(p, move, &next);
        seek_add(p, list, &next);
    }
}

/* Onto what lies in a bin already. */
static void seek_add_on_contents(const planner *p, uint32_t object, uint32_t reference, plan_list *list)
{
    const builtin_object *ref = &p->facts->objects[reference];
    for (uint32_t i = 0; i < ref->on_count; i++) {
        uint32_t inner = ref->on[i];
        const builtin_object *b = &p->facts->objects[inner];
        builtin_rect own = builtin_footprint(b, b->centre[0], b->centre[1], 0),
                     its = builtin_footprint(ref, ref->centre[0], ref->centre[1], 0.02);
        bool lies_in = own.low[0] >= its.low[0] && own.high[0] <= its.high[0] && own.low[1] >= its.low[1] &&
                       own.high[1] <= its.high[1] && b->centre[2] - b->half[2] < ref->centre[2] + ref->half[2] - 0.01;
        if (!lies_in || inner == object || b->is_static) continue;
        const double top = math_max(b->centre[2] + b->half[2], ref->centre[2] + ref->half[2]);
        const double at[3] = {b->centre[0], b->centre[1], top + let_down};
        plan next = planner_put(object, inner, at, 0.05);
        next.uncertain = true;
        seek_add(p, list, &next);
    }
}

/* Its widest level place; 0: it has none. */
static double seek_level_width(const builtin_facts *facts, uint32_t reference)
{
    double widest = 0;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object == reference && !s->narrow) widest = math_max(widest, s->width);
    }
    return widest;
}

/* A copy of the scene in which the thing's heading is such that its front points `way`. */
static etna_code seek_as_turned(const planner *p, uint32_t object, const double way[2], planner *ret,
                                builtin_facts *facts)
{
    builtin_object *objects =
        etna_arena_memdup(p->talk->arena, p->facts->objects, p->facts->object_count * sizeof *objects);
    if (!objects) return planner_no_memory(p);
    builtin_object *o = &objects[object];
    double front[2], turn, heading[2];
    builtin_front_of(p->facts, object, front);
    turn = builtin_turn_between(front, way);
    builtin_heading_at(o, o->yaw_deg + turn, heading);
    memcpy(o->heading, heading, sizeof heading);
    o->yaw_deg += turn;
    *facts = *p->facts;
    facts->objects = objects;
    *ret = *p;
    ret->facts = facts;
    return ETNA_OK;
}

typedef struct circle { /* places around a thing, weighed without maps */
    const builtin_move *move;
    uint32_t object;
    uint32_t support; /* BUILTIN_NONE: nothing is known to bear things there */
    double from[2], bottom;
} circle;

static bool seek_ring_is_taken(const builtin_facts *facts, const circle *around, const double at[3])
{
    for (uint32_t n = 0; n < facts->object_count; n++) {
        if (n == around->support || builtin_is_above(facts, n, around->object)) continue;
        if (builtin_is_in_the_way(facts, n, around->object, at)) return true;
    }
    return false;
}

static plan seek_ring_plan(const planner *p, const circle *around, const double at[3])
{
    const double half = p->facts->objects[around->object].half[2], slack = 0.01;
    if (around->support != BUILTIN_NONE)
        return planner_put(around->object, around->support, (double[3]){at[0], at[1], at[2] + let_down}, slack);
    plan next = planner_put(around->object, BUILTIN_NONE, (double[3]){at[0], at[1], at[2] + half}, 0);
    next.exact.kind = EXACT_MOVE;
    return next;
}

static void seek_ring(const planner *p, const circle *around, plan_list *list)
{
    enum { RINGS = 12, ANGLES = 24, KEPT = 5 };
    const builtin_facts *facts = p->facts;
    const builtin_move *move = around->move;
    const builtin_object *o = &facts->objects[around->object], *ref = &facts->objects[move->reference];
    const double farthest = math_max(ref->half[0], ref->half[1]) + 3 * math_max(o->half[0], o->half[1]);
    double costs[KEPT];
    plan kept[KEPT];
    uint32_t count = 0;
    for (int n = move->relation == RELATION_BETWEEN ? 0 : ANGLES; n < (RINGS + 1) * ANGLES; n++) {
        const double reach = farthest * (n / ANGLES) / RINGS;
        double sine, cosine;
        math_sincos(2 * MATH_PI * (n % ANGLES) / ANGLES, &sine, &cosine);
        const double at[3] = {around->from[0] + reach * cosine, around->from[1] + reach * sine, around->bottom};
        const double misfit = builtin_misfit(facts, move, around->object, at);
        if (misfit > 0 || seek_ring_is_taken(facts, around, at)) continue;
        const double dx = at[0] - o->centre[0], dy = at[1] - o->centre[1];
        const double cost = 4 * misfit + builtin_gap(facts, move, around->object, at) + 0.1 * sqrt(dx * dx + dy * dy);
        if (count == KEPT && cost >= costs[KEPT - 1]) continue;
        plan next = seek_ring_plan(p, around, at);
        seek_turn_there(p, move, &next);
        uint32_t k = count < KEPT ? count++ : KEPT - 1;
        for (; k > 0 && costs[k - 1] > cost; k--) {
            costs[k] = costs[k - 1];
            kept[k] = kept[k - 1];
        }
        costs[k] = cost;
        kept[k] = next;
    }
    for (uint32_t i = 0; i < count; i++) seek_add(p, list, &kept[i]);
}

/* Around the reference, on its own height: where nothing is known to bear things, as in a file without a floor, or where
 * `support` is uneven there and only the true shapes can tell how a thing stands on it. */
static void seek_around(const planner *p, const builtin_move *move, uint32_t object, uint32_t support, plan_list *list)
{
    const builtin_facts *facts = p->facts;
    const builtin_object *o = &facts->objects[object], *ref = &facts->objects[move->reference];
    const builtin_object *level = support != BUILTIN_NONE || ref->by_count == 0 ? ref : o;
    double apart = fabs(o->centre[2] - o->half[2] - ref->centre[2] + ref->half[2]);
    bool comes_down = o->by_count > 0; /* a lid from its pot */
    bool same_ground =
        apart < 0.1 || comes_down; /* what stands at one height stands on something; a balloon does not */
    bool has_ground = support != BUILTIN_NONE || (same_ground && !ref->is_static);
    if (o->attached || !has_ground) return;
    circle around = {.move = move,
                     .object = object,
                     .support = support,
                     .from = {ref->centre[0], ref->centre[1]},
                     .bottom = level->centre[2] - level->half[2]};
    bool between = move->relation == RELATION_BETWEEN && move->second < facts->object_count;
    for (int k = 0; k < 2 && between; k++)
        around.from[k] = (around.from[k] + facts->objects[move->second].centre[k]) / 2;
    seek_ring(p, &around, list);
}

void planner_seek_free(const planner *p, uint32_t object, const builtin_rect *keep, uint32_t keep_count,
                       plan_list *list)
{
    enum { RINGS = 10, ANGLES = 16 };
    const builtin_facts *facts = p->facts;
    const builtin_object *o = &facts->objects[object];
    double size = math_max(o->half[0], o->half[1]);
    for (int ring = 1; ring <= RINGS; ring++) {
        for (int i = 0; i < ANGLES && list->count < PLANS_MAX; i++) {
            double sine, cosine;
            math_sincos(2 * MATH_PI * i / ANGLES, &sine, &cosine);
            const double bottom = o->centre[2] - o->half[2];
            const double at[3] = {o->centre[0] + ring * size * cosine, o->centre[1] + ring * size * sine, bottom};
            builtin_rect own = builtin_footprint(o, at[0], at[1], 0.01);
            bool taken = false;
            for (uint32_t n = 0; n < keep_count && !taken; n++)
                taken = own.low[0] < keep[n].high[0] && own.high[0] > keep[n].low[0] && own.low[1] < keep[n].high[1] &&
                        own.high[1] > keep[n].low[1];
            for (uint32_t n = 0; n < facts->object_count && !taken; n++)
                taken = !builtin_is_above(facts, n, object) && builtin_is_in_the_way(facts, n, object, at);
            if (taken) continue;
            plan next = planner_put(object, BUILTIN_NONE, (double[3]){at[0], at[1], o->centre[2]}, 0);
            next.exact.kind = EXACT_MOVE;
            seek_add(p, list, &next);
        }
    }
}

/* Places given up before, and those that the solver refused: as middles of its box. */
static etna_code seek_avoided(const planner *p, uint32_t object, const double (**ret)[3], uint32_t *ret_count)
{
    const json_t *rows = json_object_get(p->talk->task, "failed_here");
    const double(*given_up)[3] = NULL;
    uint32_t count = 0;
    etna_code code = builtin_given_up(p->talk, "given_up_here", object, &given_up, &count, p->err);
    if (code != ETNA_OK) return code;
    double(*all)[3] =
        etna_arena_alloc(p->talk->arena, count + BUILTIN_EXACT_MAX * json_array_size(rows) + 1, sizeof *all);
    if (!all) return planner_no_memory(p);
    if (count > 0) memcpy(all, given_up, count * sizeof *all);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const char *said = json_string_value(json_object_get(json_array_get(rows, i), "instruction"));
        builtin_exact_list list;
        if (!said || !builtin_exact_read(p->facts, said, &list) || list.items[0].object != object) continue;
        for (uint32_t k = 0; k < list.count; k++) {
            memcpy(all[count], list.items[k].at, sizeof all[count]);
            all[count++][2] += p->facts->objects[object].half[2];
        }
    }
    *ret = (const double(*)[3])all;
    *ret_count = count;
    return ETNA_OK;
}

static etna_code seek_standing(const planner *p, const builtin_move *move, uint32_t object, const uint32_t *rest,
                               uint32_t rest_count, plan_list *list);

/* What stands askew takes less room when it stands square to what it is to stand on. */
static etna_code seek_straight(const planner *p, const builtin_move *move, uint32_t object, uint32_t reference,
                               plan_list *list)
{
    const double askew = 5; /* degrees */
    const builtin_object *o = &p->facts->objects[object], *base = &p->facts->objects[reference];
    double front[2], turn = fmod(builtin_turn_between(o->heading, base->heading) + 360, 90), yaw = o->yaw_deg;
    if (turn > 45) turn -= 90;
    bool onto =
        move->relation == RELATION_ON || move->relation == RELATION_IN; /* what is in the way there leaves instead */
    if (onto || fabs(turn) <= askew || move->facing != FACING_NONE || move->has_yaw || list->count > 0) return ETNA_OK;
    planner turned;
    builtin_facts facts;
    uint32_t before = list->count;
    builtin_front_of(p->facts, object, front);
    double angle = turn * MATH_PI / 180, sine, cosine;
    math_sincos(angle, &sine, &cosine);
    const double way[2] = {cosine * front[0] - sine * front[1], sine * front[0] + cosine * front[1]};
    etna_code code = seek_as_turned(p, object, way, &turned, &facts);
    if (code != ETNA_OK) return code;
    yaw = facts.objects[object].yaw_deg;
    code = seek_standing(&turned, move, object, NULL, 0, list);
    for (uint32_t i = before; i < list->count; i++) {
        if (!list->items[i].exact.has_yaw) list->items[i].exact.yaw_deg = yaw;
        list->items[i].exact.has_yaw = true;
    }
    return code;
}

/* One crate on another where the pallet has no room for both, one book on another where else it would go to a lower shelf. What
 * seems to go low on a seat lies between its cushions, and comes first. */
static etna_code seek_onto_mates(const planner *p, const builtin_move *move, uint32_t object, uint32_t reference,
                                 plan_list *list)
{
    const double lower = 0.1; /* metres */
    const builtin_facts *facts = p->facts;
    plan_list *found = etna_arena_memdup(p->talk->arena, list, sizeof *list);
    if (!found) return planner_no_memory(p);
    const bool seat = builtin_is_seat(&facts->objects[reference]);
    list->count = 0;
    for (uint32_t i = 0; i < move->objects.count; i++) {
        uint32_t mate = move->objects.objects[i];
        const builtin_object *m = &facts->objects[mate];
        bool stands = mate != object && builtin_is_above(facts, mate, reference) && m->on_count == 0;
        bool sinks = !seat && found->count > 0 && found->items[0].exact.at[2] < m->centre[2] - m->half[2] - lower;
        if (stands && (sinks || found->count == 0) && move->level == 0)
            seek_add_from_above(p, move, object, mate, 0.3, false, false, list);
    }
    for (uint32_t i = 0; i < found->count && list->count < PLANS_MAX; i++) list->items[list->count++] = found->items[i];
    return ETNA_OK;
}

typedef struct standing { /* a search for places on a thing, or beside what stands on it */
    const planner *p;
    const builtin_move *move;
    uint32_t object, reference, found;
    builtin_wish wish;
    builtin_spot spots[BUILTIN_SPOTS_MAX];
} standing;

/* Free places by the maps; turned where only so there is one: a tray that goes on the shelf only lengthwise. */
static etna_code standing_find(standing *s)
{
    const planner *p = s->p;
    bool along = s->move->relation == RELATION_TOWARD || s->move->relation == RELATION_AWAY;
    if (along) seek_nearer_or_farther(p, s->move, s->object, &s->wish);
    etna_code code = builtin_spots(p->facts, &s->wish, s->spots, &s->found, p->err);
    if (code == ETNA_OK && along) s->found = seek_keep_farther(p, s->move, s->object, s->spots, s->found);
    bool any_way = s->move->facing == FACING_NONE && !s->move->has_yaw;
    s->wish.turned = code == ETNA_OK && s->found == 0 && any_way;
    if (!s->wish.turned) return code;
    return builtin_spots(p->facts, &s->wish, s->spots, &s->found, p->err);
}

/* Those first that leave room for the rest. */
static etna_code standing_sort(standing *s, const uint32_t *rest, uint32_t rest_count)
{
    uint32_t front = 0;
    for (uint32_t i = 0; i < s->found && rest_count > 0; i++) {
        bool room = false;
        etna_code code =
            seek_leaves_room(s->p, s->reference, s->move, s->object, &s->spots[i], rest, rest_count, &room);
        if (code != ETNA_OK) return code;
        if (!room) continue;
        builtin_spot first = s->spots[i];
        memmove(&s->spots[front + 1], &s->spots[front], (i - front) * sizeof *s->spots);
        s->spots[front++] = first;
    }
    return ETNA_OK;
}

/* Where the maps know no place: on the slope that its neighbour stands on, else straight instead of askew. */
static etna_code standing_without_map(const standing *s, plan_list *list)
{
    const builtin_move *move = s->move;
    bool beside = move->relation >= RELATION_BESIDE && move->relation <= RELATION_BETWEEN &&
                  move->reference < s->p->facts->object_count;
    if (beside && builtin_is_on_a_slope(s->p->facts, move->reference, s->reference))
        seek_around(s->p, move, s->object, s->reference, list);
    return seek_straight(s->p, move, s->object, s->reference, list);
}

/* May a place be below what shows: in it, under its slats? */
static bool standing_is_deep(const standing *s)
{
    const builtin_object *base = &s->p->facts->objects[s->reference];
    return s->found > 0 && s->spots[0].point[2] < base->centre[2] + base->half[2] - 0.03;
}

/* Are places from above worth trying: is it to come into the thing, or is that not level wherever it could stand? */
static bool standing_drops(const standing *s)
{
    const builtin_object *o = &s->p->facts->objects[s->object], *base = &s->p->facts->objects[s->reference];
    const builtin_relation relation = s->move->relation;
    bool free_standing = !base->is_static || base->half[0] * base->half[1] < 1;
    if (!free_standing || s->move->level != 0) return false;
    if (relation == RELATION_IN) return true;
    bool on_it = relation == RELATION_ON || relation == RELATION_OVER || relation == RELATION_MIDDLE;
    if (!on_it) return false;
    bool small = seek_level_width(s->p->facts, s->reference) < 2.5 * 2 * math_min(o->half[0], o->half[1]);
    return small || standing_is_deep(s) || builtin_is_seat(base);
}

/* Is what the maps say less likely than what is let down from above? */
static bool standing_is_unsure(const standing *s)
{
    const builtin_object *base = &s->p->facts->objects[s->reference];
    uint32_t certain = 0;
    for (uint32_t i = 0; i < s->found; i++) certain += s->spots[i].surface != BUILTIN_NONE && !s->spots[i].centre_only;
    if (certain == 0) return true;
    return standing_is_deep(s) && s->move->relation != RELATION_IN && base->half[2] < 0.4;
}

/* In turn, for a step tries only the first few. */
static void standing_merge(const plan_list *first, const plan_list *second, plan_list *list)
{
    const plan_list *turn[2] = {first, second};
    for (uint32_t i = 0; i < 2 * PLANS_MAX; i++) {
        const plan_list *from = turn[i % 2];
        if (i / 2 < from->count && list->count < PLANS_MAX) list->items[list->count++] = from->items[i / 2];
    }
}

static etna_code standing_list(const standing *s, bool more_come, plan_list *list)
{
    const planner *p = s->p;
    const builtin_move *move = s->move;
    const bool into = move->relation == RELATION_IN;
    plan_list *level = etna_arena_alloc(p->talk->arena, 2, sizeof *level), *over = level ? level + 1 : NULL;
    if (!level) return planner_no_memory(p);
    level->count = over->count = 0;
    seek_add_spots(p, move, s->object, &s->wish, s->spots, s->found, level);
    if (standing_drops(s))
        seek_add_from_above(p, move, s->object, s->reference, into ? 0.6 : 0.8, false, more_come, over);
    bool over_first = standing_is_unsure(s);
    standing_merge(over_first ? over : level, over_first ? level : over, list);
    if (into) {
        seek_add_on_contents(p, s->object, s->reference, list);
        seek_add_from_above(p, move, s->object, s->reference, 0.6, true, false, list);
    }
    return move->relation == RELATION_ON ? seek_onto_mates(p, move, s->object, s->reference, list) : ETNA_OK;
}

static etna_code seek_standing(const planner *p, const builtin_move *move, uint32_t object, const uint32_t *rest,
                               uint32_t rest_count, plan_list *list)
{
    standing s = {.p = p, .move = move, .object = object, .reference = builtin_support_of(p->facts, move, object)};
    if (s.reference == BUILTIN_NONE) {
        bool beside = move->reference < p->facts->object_count && move->relation != RELATION_ON;
        if (beside) seek_around(p, move, object, BUILTIN_NONE, list);
        return ETNA_OK;
    }
    s.wish = (builtin_wish){.object = object, .reference = s.reference, .move = move};
    etna_code code = seek_avoided(p, object, &s.wish.avoid, &s.wish.avoid_count);
    s.wish.taste = s.wish.avoid_count > 0 ? TASTE_TIGHT : TASTE_ROOMY;
    if (code == ETNA_OK) code = standing_find(&s);
    if (code == ETNA_OK) code = standing_sort(&s, rest, rest_count);
    if (code == ETNA_OK && s.found == 0) code = standing_without_map(&s, list);
    return code == ETNA_OK ? standing_list(&s, rest_count > 0, list) : code;
}

/* A sunshade stands beside what it shades, and its box is all round its pole: the true shapes say where there is room. */
static void seek_over(const planner *p, const builtin_move *move, uint32_t object, plan_list *list)
{
    uint32_t base = builtin_support_of(p->facts, move, object);
    if (base == BUILTIN_NONE || base == move->reference || move->reference >= p->facts->object_count) return;
    const builtin_object *ref = &p->facts->objects[move->reference], *o = &p->facts->objects[object];
    double widest = builtin_over_slack(o, ref, false);
    const double at[3] = {ref->centre[0], ref->centre[1], ref->centre[2] - ref->half[2] + let_down};
    plan next = planner_put(object, base, at, widest);
    seek_add(p, list, &next);
}

/* With its back to the wall that it is to stand against; else as it is turned. */
static etna_code seek_against(const planner *p, const builtin_move *move, uint32_t object, plan_list *list)
{
    const builtin_object *o = &p->facts->objects[object];
    double front[2];
    bool wall = move->reference < p->facts->object_count && builtin_is_wall(&p->facts->objects[move->reference]);
    bool large = math_max(o->half[0], o->half[1]) > 0.15 && o->half[2] > 0.2;
    bool back = move->facing == FACING_BACK && move->faced == move->reference;
    bool known = builtin_front_of(p->facts, object, front) || back;
    bool turns = wall && large && known && (move->facing == FACING_NONE || back);
    if (!turns && !move->has_yaw) return ETNA_OK;
    const builtin_object *w = &p->facts->objects[move->reference];
    bool thin_along = w->half[1] <= w->half[0];
    double way[2] = {thin_along ? w->heading[0] : -w->heading[1], thin_along ? w->heading[1] : w->heading[0]};
    double side = (o->centre[0] - w->centre[0]) * way[0] + (o->centre[1] - w->centre[1]) * way[1];
    if (side < 0) {
        way[0] = -way[0];
        way[1] = -way[1];
    }
    if (move->has_yaw) {
        double sine, cosine;
        math_sincos((move->yaw_deg - o->yaw_deg) * MATH_PI / 180, &sine, &cosine);
        way[0] = cosine * front[0] - sine * front[1];
        way[1] = sine * front[0] + cosine * front[1];
    }
    planner turned;
    builtin_facts facts;
    etna_code code = seek_as_turned(p, object, way, &turned, &facts);
    uint32_t before = list->count;
    if (code == ETNA_OK) code = seek_standing(&turned, move, object, NULL, 0, list);
    for (uint32_t i = before; i < list->count; i++) {
        list->items[i].exact.has_yaw = true;
        list->items[i].exact.yaw_deg = facts.objects[object].yaw_deg;
    }
    return code;
}

/* ---- at a point ---- */

/* What stands below a thing whose bottom comes to `at`; the carrier of `like` where the maps do not know. */
static uint32_t seek_support_at(const builtin_facts *facts, const double at[3], uint32_t object, uint32_t like)
{
    uint32_t under = builtin_surface_under(facts, at, object);
    if (under != BUILTIN_NONE) return facts->surfaces[under].object;
    const builtin_object *o = &facts->objects[like];
    for (uint32_t i = 0; i < o->by_count; i++) {
        if (o->by[i] != object) return o->by[i];
    }
    return BUILTIN_NONE;
}

static uint32_t seek_wall_at(const builtin_facts *facts, uint32_t object, const double at[3], double ret_yaw[1])
{
    uint32_t best = BUILTIN_NONE, own = builtin_hangs_on(facts, object);
    const builtin_object *o = &facts->objects[object];
    double nearest = math_max(0.08, 2 * math_min(o->half[0], o->half[1]));
    for (uint32_t i = 0; i < facts->wall_count; i++) {
        const builtin_wall *w = &facts->walls[i];
        double s = at[0] * w->right[0] + at[1] * w->right[1],
               out = at[0] * w->normal[0] + at[1] * w->normal[1] - w->offset;
        bool before =
            out > -0.01 && s > w->origin[0] && s < w->origin[0] + w->columns * w->cell && at[2] > w->origin[1];
        if (!before || out >= nearest + (i == own ? 1e-6 : 0) || w->object == object) continue;
        nearest = out;
        best = i;
    }
    if (best != BUILTIN_NONE) *ret_yaw = builtin_hang_yaw(facts, object, best);
    return best;
}

/* What hangs or hovers: at the point itself. */
static void seek_add_in_air(const planner *p, uint32_t object, const double centre[3], const builtin_move *move,
                            double widest, plan_list *list)
{
    const builtin_object *o = &p->facts->objects[object];
    double yaw = o->yaw_deg;
    uint32_t wall = o->attached ? seek_wall_at(p->facts, object, centre, &yaw) : BUILTIN_NONE;
    plan next = planner_put(object, BUILTIN_NONE, centre, 0);
    next.exact.kind = wall == BUILTIN_NONE ? EXACT_MOVE : EXACT_HANG;
    if (wall != BUILTIN_NONE) next.exact.support = p->facts->walls[wall].object;
    if (move->has_yaw) yaw = move->yaw_deg;
    next.exact.yaw_deg = yaw;
    next.exact.has_yaw = planner_yaw_apart(yaw, o->yaw_deg) > 0.1;
    seek_add_widening(p, list, &next, widest);
}

/* A place so near to the base's edge that the thing would hang over it comes inward, where it may be that far off. */
static void seek_pull_in(const builtin_facts *facts, uint32_t object, uint32_t base, double most_off, double at[3])
{
    const builtin_object *o = &facts->objects[object], *b = &facts->objects[base];
    const double ways[2][2] = {{b->heading[0], b->heading[1]}, {-b->heading[1], b->heading[0]}};
    double pulled[2] = {at[0], at[1]};
    for (int k = 0; k < 2; k++) {
        const double *way = ways[k];
        double free = (k == 0 ? b->half[1] : b->half[0]) - builtin_extent(o, way);
        double along = (at[0] - b->centre[0]) * way[0] + (at[1] - b->centre[1]) * way[1];
        if (free < 0) return; /* it hangs over that edge wherever it stands */
        double inward = fabs(along) > free ? fabs(along) - free : 0;
        for (int i = 0; i < 2; i++) pulled[i] -= (along > 0 ? inward : -inward) * way[i];
    }
    double dx = pulled[0] - at[0], dy = pulled[1] - at[1];
    if (sqrt(dx * dx + dy * dy) > most_off) return;
    memcpy(at, pulled, sizeof pulled);
}

static void seek_at_point(const planner *p, const builtin_move *move, uint32_t object, plan_list *list)
{
    const builtin_object *o = &p->facts->objects[object];
    double widest = math_max(move->slack, 0.03);
    if (move->hung || (o->attached && move->support == BUILTIN_NONE)) {
        seek_add_in_air(p, object, move->at, move, widest, list);
        return;
    }
    uint32_t support =
        move->support != BUILTIN_NONE ? move->support : seek_support_at(p->facts, move->at, object, object);
    if (support == BUILTIN_NONE) { /* nothing is known there: at that height */
        seek_add_in_air(p, object, (double[3]){move->at[0], move->at[1], move->at[2] + o->half[2]}, move, widest, list);
        return;
    }
    double at[3] = {move->at[0], move->at[1], move->at[2] + let_down};
    seek_pull_in(p->facts, object, support, widest, at);
    plan next = planner_put(object, support, at, 0.01);
    seek_turn_there(p, move, &next);
    seek_add_widening(p, list, &next, widest);
}

/* Where something stood. */
static void seek_old_place(const planner *p, const builtin_move *move, uint32_t object, plan_list *list)
{
    const builtin_object *o = &p->facts->objects[object], *old = &p->facts->objects[move->reference];
    double at[3], widest = 0.02 + 0.25 * (o->half[0] + o->half[1]);
    if (o->attached && old->attached) {
        seek_add_in_air(p, object, old->start, move, 0.05, list);
        return;
    }
    builtin_old_place(p->facts, move, at);
    uint32_t under = builtin_surface_under(p->facts, at, object), base = BUILTIN_NONE;
    if (under != BUILTIN_NONE && p->facts->surfaces[under].object != move->reference) {
        base = p->facts->surfaces[under].object;
    } else if (old->start_by_count > 0 && old->start_by[0] != object) {
        base = old->start_by[0];
    }
    if (base == BUILTIN_NONE) return;
    at[2] += let_down;
    seek_pull_in(p->facts, object, base, widest, at);
    plan next = planner_put(object, base, at, 0.01);
    seek_turn_there(p, move, &next);
    seek_add_widening(p, list, &next, widest);
}

void planner_shifted(const planner *p, const builtin_move *move, uint32_t object, double ret[3])
{
    for (int k = 0; k < 3; k++) ret[k] = p->then.objects[object].centre[k] + move->shift[k];
}

static void seek_shifted(const planner *p, const builtin_move *move, uint32_t object, plan_list *list)
{
    const builtin_object *o = &p->facts->objects[object];
    double to[3], distance = 0;
    planner_shifted(p, move, object, to);
    for (int k = 0; k < 3; k++) distance += move->shift[k] * move->shift[k];
    double widest = 0.15 * sqrt(distance);
    if (o->attached || o->hovering || o->by_count == 0 || fabs(move->shift[2]) > 0.01) {
        seek_add_in_air(p, object, to, move, widest, list);
        return;
    }
    const double bottom[3] = {to[0], to[1], to[2] - o->half[2] + let_down};
    uint32_t own = o->by[0], support = seek_support_at(p->facts, bottom, object, object);
    builtin_rect r = builtin_footprint(&p->facts->objects[own], p->facts->objects[own].centre[0],
                                       p->facts->objects[own].centre[1], 0);
    bool stays = to[0] > r.low[0] && to[0] < r.high[0] && to[1] > r.low[1] && to[1] < r.high[1];
    plan next = planner_put(object, stays ? own : support, bottom, 0);
    seek_turn_there(p, move, &next);
    seek_add_widening(p, list, &next, widest);
}

double planner_turned_yaw(const planner *p, const builtin_move *move, uint32_t object)
{
    const builtin_object *then = &p->then.objects[object], *now = &p->facts->objects[object];
    return now->yaw_deg + builtin_turn_between(now->heading, then->heading) + move->turn;
}

static void seek_turned(const planner *p, const builtin_move *move, uint32_t object, plan_list *list)
{
    const builtin_object *o = &p->facts->objects[object];
    const double bottom[3] = {o->centre[0], o->centre[1], o->centre[2] - o->half[2] + let_down};
    bool stands = !o->attached && o->by_count > 0;
    plan next = planner_put(object, stands ? o->by[0] : BUILTIN_NONE, stands ? bottom : o->centre, 0);
    if (!stands) next.exact.kind = EXACT_MOVE;
    if (move->relation == RELATION_TURN) {
        next.exact.yaw_deg = planner_turned_yaw(p, move, object);
        next.exact.has_yaw = true;
    } else {
        double way[2];
        if (!builtin_facing_way(p->facts, move, o->centre, way)) return;
        seek_set_yaw(p, &next, way);
        next.exact.has_yaw = true;
    }
    seek_add_widening(p, list, &next, stands ? math_max(0.1, 0.3 * (o->half[0] + o->half[1])) : 0);
}

/* ---- tucked in ---- */

double planner_share_beneath(const builtin_facts *facts, uint32_t object, uint32_t reference, const double at[3])
{
    enum { SIDE = 9 };
    const builtin_object *o = &facts->objects[object], *t = &facts->objects[reference];
    uint32_t count = 0;
    for (int u = 0; u < SIDE; u++) {
        for (int v = 0; v < SIDE; v++) {
            double across = o->half[0] * ((2 * u + 1) / (double)SIDE - 1),
                   along = o->half[1] * ((2 * v + 1) / (double)SIDE - 1);
            double dx = at[0] + along * o->heading[0] - across * o->heading[1] - t->centre[0],
                   dy = at[1] + along * o->heading[1] + across * o->heading[0] - t->centre[1];
            count += fabs(dx * t->heading[0] + dy * t->heading[1]) < t->half[1] &&
                     fabs(-dx * t->heading[1] + dy * t->heading[0]) < t->half[0];
        }
    }
    return count / (double)(SIDE * SIDE);
}

/* Outward from the table at the side where the thing is. */
static void seek_table_side(const builtin_facts *facts, uint32_t object, uint32_t reference, double ret[2])
{
    const builtin_object *o = &facts->objects[object], *t = &facts->objects[reference];
    double dx = o->centre[0] - t->centre[0], dy = o->centre[1] - t->centre[1];
    double along = dx * t->heading[0] + dy * t->heading[1], across = -dx * t->heading[1] + dy * t->heading[0];
    bool lengthwise = fabs(along) - t->half[1] >= fabs(across) - t->half[0];
    double sign = (lengthwise ? along : across) < 0 ? -1 : 1;
    ret[0] = sign * (lengthwise ? t->heading[0] : -t->heading[1]);
    ret[1] = sign * (lengthwise ? t->heading[1] : t->heading[0]);
}

double planner_tuck_off(const builtin_facts *facts, uint32_t object, uint32_t reference)
{
    double way[2], front[2];
    seek_table_side(facts, object, reference, way);
    if (!builtin_front_of(facts, object, front)) return 0;
    double turn = builtin_turn_between(front, (double[2]){-way[0], -way[1]});
    return turn > 180 ? 360 - turn : turn;
}

static void seek_tucked(const planner *p, const builtin_move *move, uint32_t object, plan_list *list)
{
    const builtin_facts *facts = p->facts;
    const builtin_object *o = &facts->objects[object], *t = &facts->objects[move->reference];
    double out[2], front[2];
    builtin_facts then = p->then;
    seek_table_side(&then, object, move->reference, out); /* the side where it stood */
    bool known = builtin_front_of(facts, object, front);
    const double across[2] = {-out[1], out[0]};
    double depth = known ? builtin_extent(o, front) : builtin_extent(o, out);
    double breadth = known ? builtin_extent(o, (double[2]){-front[1], front[0]}) : builtin_extent(o, across);
    double edge = builtin_extent(t, out), wide = builtin_extent(t, across);
    double aside = (o->centre[0] - t->centre[0]) * across[0] + (o->centre[1] - t->centre[1]) * across[1];
    const double leg = 0.09; /* metres: tables have legs at their corners */
    double room = math_max(wide - breadth - leg, 0), bottom = o->centre[2] - o->half[2] + let_down;
    uint32_t floor = o->by_count > 0 ? o->by[0] : builtin_support_of(facts, move, object);
    if (floor == BUILTIN_NONE) return;
    const double own = math_min(math_max(aside, -room), room), lateral_of[5] = {own, 0.5 * own, 0, room, -room};
    for (int i = 0; i < 5; i++) {
        const double lateral = lateral_of[i];
        plan next = planner_put(object, floor, o->centre, 0);
        const double from = edge - 0.3 * depth,
                     to = edge + 0.6 * depth; /* two thirds under: who sits there can get in; and 20 % */
        for (int k = 0; k < 2; k++) {
            next.exact.at[k] = t->centre[k] + from * out[k] + lateral * across[k];
            next.exact.to[k] = t->centre[k] + to * out[k] + lateral * across[k];
        }
        next.exact.at[2] = next.exact.to[2] = bottom;
        next.exact.is_way = true;
        if (known) seek_set_yaw(p, &next, (double[2]){-out[0], -out[1]});
        if (i == 0 || fabs(lateral - lateral_of[i - 1]) > 0.02) seek_add(p, list, &next);
    }
}

/* ---- on walls ---- */

static etna_code seek_hung(const planner *p, const builtin_move *move, uint32_t object, plan_list *list)
{
    const builtin_facts *facts = p->facts;
    const builtin_object *o = &facts->objects[object];
    const double(*avoid)[3] = NULL;
    uint32_t given_up = 0, count = 0;
    double height;
    if (move->relation == RELATION_LEVEL) {
        if (!builtin_aligned_height(facts, move, object, &height)) return ETNA_OK;
        seek_add_in_air(p, object, (double[3]){o->centre[0], o->centre[1], height}, move, 0.02, list);
        return ETNA_OK;
    }
    if (builtin_why_not_hung(facts, object)) return ETNA_OK;
    builtin_hook hooks[BUILTIN_SPOTS_MAX];
    etna_code code = builtin_given_up(p->talk, "given_up_here", object, &avoid, &given_up, p->err);
    if (code == ETNA_OK)
        code = builtin_hooks(facts, move, object, avoid, given_up, p->talk->arena, hooks, &count, p->err);
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        plan next = planner_put(object, facts->walls[hooks[i].wall].object, hooks[i].point, 0);
        next.exact.kind = EXACT_HANG;
        next.exact.yaw_deg = builtin_hang_yaw(facts, object, hooks[i].wall);
        next.exact.has_yaw = planner_yaw_apart(next.exact.yaw_deg, o->yaw_deg) > 0.1;
        seek_add(p, list, &next);
        next.exact.slack = 0.02;
        seek_add(p, list, &next);
    }
    return code;
}

etna_code planner_seek(const planner *p, const builtin_move *move, uint32_t object, const uint32_t *rest,
                       uint32_t rest_count, plan_list *ret)
{
    ret->count = 0;
    if (builtin_is_hung(p->facts, move, object) && move->relation != RELATION_AT)
        return seek_hung(p, move, object, ret);
    switch (move->relation) {
    case RELATION_AT: seek_at_point(p, move, object, ret); return ETNA_OK;
    case RELATION_PLACE: seek_old_place(p, move, object, ret); return ETNA_OK;
    case RELATION_SHIFT: seek_shifted(p, move, object, ret); return ETNA_OK;
    case RELATION_TURN:
    case RELATION_TURNED: seek_turned(p, move, object, ret); return ETNA_OK;
    case RELATION_TUCK: seek_tucked(p, move, object, ret); return ETNA_OK;
    case RELATION_OVER: seek_over(p, move, object, ret); break;
    case RELATION_AGAINST: {
        etna_code code = seek_against(p, move, object, ret);
        if (code != ETNA_OK || move->has_yaw) return code;
        break;
    }
    default: break;
    }
    return seek_standing(p, move, object, rest, rest_count, ret);
}

const plan *planner_first(const planner *p, const plan_list *list)
{
    plan *first = etna_arena_memdup(p->talk->arena, &list->items[0], sizeof *first);
    builtin_exact *others = etna_arena_alloc(p->talk->arena, PLANS_MAX, sizeof *others);
    if (!first || !others) return NULL;
    for (uint32_t i = 1; i < list->count; i++) others[i - 1] = list->items[i].exact;
    first->others = others;
    first->other_count = list->count - 1;
    return first;
}

etna_code planner_find_place(const planner *p, const builtin_move *move, const uint32_t *list, uint32_t count,
                             plan *ret, bool *ret_found)
{
    plan_list *plans = etna_arena_alloc(p->talk->arena, 1, sizeof *plans);
    if (!plans) return planner_no_memory(p);
    etna_code code = planner_seek(p, move, list[0], list + 1, count - 1, plans);
    *ret_found = code == ETNA_OK && plans->count > 0;
    if (!*ret_found) return code;
    const plan *first = planner_first(p, plans);
    if (!first) return planner_no_memory(p);
    *ret = *first;
    return ETNA_OK;
}
