/* Places on a thing, or beside what stands on it, by the maps of free cells;
 * and from above where these know little. */
#include "worker/builtin/plan/standing_internal.h"
#include "worker/math/vec.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

bool seek_is_beside(const builtin_facts *facts, const builtin_move *move)
{
    bool beside =
        move->relation >= RELATION_BESIDE && move->relation <= RELATION_BETWEEN;
    return beside && move->reference < facts->object_count;
}

void planner_way_end(const builtin_facts *facts,
                     uint32_t reference,
                     const double at[3],
                     double ret[3])
{
    const builtin_object *o = &facts->objects[reference];
    memcpy(ret, o->centre, sizeof o->centre);
    if (!builtin_is_wall(o))
        return;
    const builtin_rect r = builtin_footprint(o, o->centre[0], o->centre[1], 0);
    for (int k = 0; k < 2; k++)
        ret[k] = math_min(math_max(at[k], r.low[k]), r.high[k]);
    ret[2] = at[2];
}

/* Half way to the other thing, or half as far again. */
static void standing_nearer_or_farther(const planner *p,
                                       const builtin_move *move,
                                       uint32_t object,
                                       builtin_wish *wish)
{
    const double *own = p->then.objects[object].centre;
    double other[3];
    planner_way_end(p->facts, move->reference, own, other);
    double share = move->relation == RELATION_TOWARD ? 0.6 : -0.6;
    wish->taste = TASTE_NEAR;
    for (int k = 0; k < 2; k++)
        wish->near[k] = own[k] + share * (other[k] - own[k]);
}

static double standing_way(const planner *p,
                           uint32_t reference,
                           const double *at)
{
    const double from[3] = {at[0], at[1], 0};
    double other[3];
    planner_way_end(p->facts, reference, from, other);
    return sqrt((at[0] - other[0]) * (at[0] - other[0]) +
                (at[1] - other[1]) * (at[1] - other[1]));
}

/* Is it farther there from all that the thing is to be away from, or nearer? */
bool planner_comes_along(const planner *p,
                         const builtin_move *move,
                         uint32_t object,
                         const double *at)
{
    const double least = 0.02; /* metres */
    const double *own = p->facts->objects[object].centre;
    const bool away = move->relation == RELATION_AWAY;
    if ((!away && move->relation != RELATION_TOWARD) ||
        move->reference >= p->facts->object_count)
        return true;
    const double sign = away ? 1 : -1;
    if (sign * (standing_way(p, move->reference, at) -
                standing_way(p, move->reference, own)) <=
        least)
        return false;
    for (uint32_t i = 0; i < move->also_count; i++) {
        const builtin_condition *also = &move->also[i];
        if (also->relation != RELATION_AWAY ||
            also->reference >= p->facts->object_count)
            continue;
        if (standing_way(p, also->reference, at) -
                standing_way(p, also->reference, own) <=
            least)
            return false;
    }
    return true;
}

/* Spots that are no nearer (farther) than the thing is now are none. */
static uint32_t standing_keep_farther(const planner *p,
                                      const builtin_move *move,
                                      uint32_t object,
                                      builtin_spot *spots,
                                      uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (planner_comes_along(p, move, object, spots[i].point))
            spots[kept++] = spots[i];
    }
    return kept;
}

/* Metres around the spot within which the relation still holds. */
static double standing_slack(const builtin_facts *placed,
                             const builtin_move *move,
                             uint32_t object,
                             const double at[3])
{
    const double widest = 0.05;
    const bool anywhere =
        move->relation == RELATION_ON || move->relation == RELATION_IN;
    if (anywhere && !move->exact)
        return widest;
    return math_min(math_max(-builtin_misfit(placed, move, object, at), 0.01),
                    widest);
}

/* Spots as plans, with the slack within which the relation still holds. */
static etna_code standing_add_spots(const planner *p,
                                    const builtin_move *move,
                                    uint32_t object,
                                    const builtin_facts *faced,
                                    const builtin_wish *wish,
                                    const builtin_spot *spots,
                                    uint32_t count,
                                    plan_list *list)
{
    const double quarter = 90; /* degrees */
    builtin_facts as_placed = *faced;
    if (wish->turned) {
        etna_code code = builtin_turned(p->facts, object, quarter,
                                        p->talk->arena, &as_placed, p->err);
        if (code != ETNA_OK)
            return code;
    }
    for (uint32_t i = 0; i < count; i++) {
        const builtin_spot *spot = &spots[i];
        uint32_t base = spot->surface == BUILTIN_NONE
                            ? wish->reference
                            : p->facts->surfaces[spot->surface].object;
        double at[3] = {spot->point[0], spot->point[1],
                        spot->point[2] + SEEK_LET_DOWN};
        const double slack =
            standing_slack(&as_placed, move, object, spot->point);
        plan next = planner_put(object, base, at, slack);
        next.hidden = spot->hidden;
        next.uncertain = spot->centre_only || spot->squeezed ||
                         spot->surface == BUILTIN_NONE;
        planner_mark_into(move, &next);
        seek_turn_there(p, move, &next);
        if (wish->turned) {
            next.exact.has_yaw = true;
            next.exact.yaw_deg = as_placed.objects[object].yaw_deg;
        }
        seek_add(p, list, &next);
    }
    return ETNA_OK;
}

/* Its widest level place; 0: it has none. */
static double standing_level_width(const builtin_facts *facts,
                                   uint32_t reference)
{
    double widest = 0;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object == reference && !s->narrow)
            widest = math_max(widest, s->width);
    }
    return widest;
}

/* Places given up before, and those that the solver refused: as middles of its
 * box. */
static etna_code standing_avoided(const planner *p,
                                  uint32_t object,
                                  const double (**ret)[3],
                                  uint32_t *ret_count)
{
    const json_t *rows = json_object_get(p->talk->task, "failed_here");
    const double(*given_up)[3] = NULL;
    uint32_t count = 0;
    etna_code code = builtin_given_up(p->talk, "given_up_here", object,
                                      &given_up, &count, p->err);
    if (code != ETNA_OK)
        return code;
    double(*all)[3] = etna_arena_alloc(
        p->talk->arena, count + BUILTIN_EXACT_MAX * json_array_size(rows) + 1,
        sizeof *all);
    if (!all)
        return planner_no_memory(p);
    if (count > 0)
        memcpy(all, given_up, count * sizeof *all);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const char *said = json_string_value(
            json_object_get(json_array_get(rows, i), "instruction"));
        builtin_exact_list list;
        if (!said || !builtin_exact_read(p->facts, said, &list) ||
            list.items[0].object != object)
            continue;
        for (uint32_t k = 0; k < list.count; k++) {
            memcpy(all[count], list.items[k].at, sizeof all[count]);
            all[count++][2] += p->facts->objects[object].half[2];
        }
    }
    *ret = (const double(*)[3])all;
    *ret_count = count;
    return ETNA_OK;
}

/* Degrees, least, by which a thing stands square to another. */
static double standing_square_to(const standing *s,
                                 uint32_t object,
                                 uint32_t other)
{
    const builtin_object *o = &s->p->facts->objects[object];
    const builtin_object *base = &s->p->facts->objects[other];
    const double turn =
        fmod(builtin_turn_between(o->heading, base->heading) + 360, 90);
    return turn > 45 ? turn - 90 : turn;
}

/* To the reference. */
static double standing_square_turn(const standing *s, uint32_t object)
{
    return standing_square_to(s, object, s->reference);
}

/* What comes later stands square, too, where room is kept for it. */
static etna_code standing_square_rest(const standing *s, builtin_facts *facts)
{
    for (uint32_t i = 0; i < s->rest_count; i++) {
        etna_code code = builtin_turned(facts, s->rest[i],
                                        standing_square_turn(s, s->rest[i]),
                                        s->p->talk->arena, facts, s->p->err);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

enum {
    TURNS_MAX = 2
};

/* Its places when it is turned by so many degrees, added to the list. A thing is
 * turned lengthwise and then square, and no further: square to one neighbour
 * may be askew to the other, which would turn it for ever. */
static etna_code standing_turned(const standing *s,
                                 double turn,
                                 plan_list *list)
{
    const planner *p = s->p;
    const uint32_t object = s->object;
    double front[2], sine, cosine;
    planner turned;
    builtin_facts facts;
    const uint32_t before = list->count;
    if (p->turns >= TURNS_MAX)
        return ETNA_OK;
    builtin_front_of(p->facts, object, front);
    math_sincos(turn * MATH_PI / 180, &sine, &cosine);
    const double way[2] = {cosine * front[0] - sine * front[1],
                           sine * front[0] + cosine * front[1]};
    etna_code code = seek_as_turned(p, object, way, &turned, &facts);
    if (code == ETNA_OK)
        code = standing_square_rest(s, &facts);
    if (code != ETNA_OK)
        return code;
    const double yaw = facts.objects[object].yaw_deg;
    turned.turns++;
    code =
        seek_standing(&turned, s->move, object, s->rest, s->rest_count, list);
    for (uint32_t i = before; i < list->count; i++) {
        if (!list->items[i].exact.has_yaw)
            list->items[i].exact.yaw_deg = yaw;
        list->items[i].exact.has_yaw = true;
    }
    seek_drop_refused(p, list, before);
    return code;
}

/* What stands askew takes less room when it stands square to what it is to
 * stand on. */
static etna_code standing_straight(const standing *s, plan_list *list)
{
    const double askew = 5; /* degrees */
    const builtin_move *move = s->move;
    const double turn = standing_square_turn(s, s->object);
    const bool says_heading = move->facing != FACING_NONE || move->has_yaw;
    if (fabs(turn) <= askew || says_heading || list->count > 0)
        return ETNA_OK;
    return standing_turned(s, turn, list);
}

/* Is it furniture of the floor of which nobody says how it is to look, and that
 * comes to a side of another piece: a piano's stool, a trunk before a bed? */
static bool standing_lines_up(const standing *s)
{
    const double furniture = 0.15, broad = 0.2; /* metres, half a side */
    const builtin_facts *facts = s->p->facts;
    const builtin_move *move = s->move;
    if (!seek_is_beside(facts, move) || move->relation == RELATION_BETWEEN)
        return false;
    if (move->facing != FACING_NONE || move->has_yaw)
        return false;
    const builtin_object *o = &facts->objects[s->object];
    const builtin_object *ref = &facts->objects[move->reference];
    const builtin_object *base = &facts->objects[s->reference];
    const bool on_floor =
        base->is_static || builtin_is_covering(facts, s->reference);
    const bool is_piece = !ref->is_static && ref->by_count > 0 &&
                          builtin_half_shorter(ref) > broad;
    return on_floor && is_piece && builtin_half_longer(o) > furniture;
}

/* Degrees, least, by which a bench has its long side along the piece that it is
 * to stand before or behind; false: it is not long, or does not. */
static bool standing_along(const standing *s, double *ret)
{
    const double longer = 1.3; /* than broad */
    const builtin_move *move = s->move;
    const builtin_object *o = &s->p->facts->objects[s->object];
    const bool is_long =
        builtin_half_longer(o) > longer * builtin_half_shorter(o);
    const bool is_before =
        move->relation == RELATION_FRONT || move->relation == RELATION_BEHIND;
    if (!is_long || !is_before)
        return false;
    double way[2];
    double length[2] = {o->heading[0], o->heading[1]};
    builtin_side_axis(s->p->facts, move, way);
    if (o->half[0] > o->half[1]) {
        length[0] = -o->heading[1];
        length[1] = o->heading[0];
    }
    const double across[2] = {-way[1], way[0]};
    const double turn = fmod(builtin_turn_between(length, across) + 360, 180);
    *ret = turn > 90 ? turn - 180 : turn;
    return true;
}

/* Squarely to that piece, where there is room for it. */
static etna_code standing_squarely(const standing *s, plan_list *list)
{
    const double askew = 5; /* degrees */
    double along = 0;
    if (!standing_lines_up(s))
        return ETNA_OK;
    if (standing_along(s, &along)) {
        etna_code code =
            fabs(along) > askew ? standing_turned(s, along, list) : ETNA_OK;
        if (code != ETNA_OK || list->count > 0 || fabs(along) <= askew)
            return code;
    }
    /* what stands askew itself sets no example */
    if (fabs(standing_square_turn(s, s->move->reference)) > askew)
        return ETNA_OK;
    const double turn = standing_square_to(s, s->object, s->move->reference);
    return fabs(turn) > askew ? standing_turned(s, turn, list) : ETNA_OK;
}

/* What it is to come into, or under, or to lie on between arms; BUILTIN_NONE:
 * nothing of the kind. */
static uint32_t standing_vessel(const standing *s)
{
    switch (s->move->relation) {
    case RELATION_IN: return s->reference;
    case RELATION_UNDER: return s->move->reference;
    case RELATION_ON:
        return builtin_is_seat(&s->p->facts->objects[s->reference])
                   ? s->reference
                   : BUILTIN_NONE;
    default: return BUILTIN_NONE;
    }
}

/* The half sides of what is open in it, across its heading and along it: of a
 * seat, before its back and between its arms. */
static void vessel_room(const standing *s, uint32_t vessel, double ret[2])
{
    const double inner = 0.97; /* of its half sides: it has walls, or legs */
    const double spare = 0.02; /* metres: cells are told by their middles */
    const builtin_object *base = &s->p->facts->objects[vessel];
    double middle[2];
    builtin_rect open;
    for (int k = 0; k < 2; k++)
        ret[k] = inner * base->half[k];
    if (s->move->relation != RELATION_ON ||
        !builtin_seat_middle(s->p->facts, vessel, middle, &open))
        return;
    for (int k = 0; k < 2; k++)
        ret[k] = math_min(ret[k], (open.high[k] - open.low[k]) / 2 + spare);
}

/* Do half sides that long fit into it? */
static bool vessel_holds(const double room[2], double along, double across)
{
    return along <= room[1] && across <= room[0];
}

/* A book that goes into a box only lengthwise, a board that would stick out
 * under a bench or over a sofa's seat: as hands would turn it. */
static etna_code standing_lengthwise(const standing *s, plan_list *list)
{
    const builtin_move *move = s->move;
    const uint32_t vessel = standing_vessel(s);
    const bool says_heading = move->facing != FACING_NONE || move->has_yaw;
    if (vessel >= s->p->facts->object_count || says_heading)
        return ETNA_OK;
    const builtin_object *o = &s->p->facts->objects[s->object];
    const builtin_object *base = &s->p->facts->objects[vessel];
    const double across[2] = {-base->heading[1], base->heading[0]};
    double room[2];
    vessel_room(s, vessel, room);
    if (vessel_holds(room, builtin_extent(o, base->heading),
                     builtin_extent(o, across)))
        return ETNA_OK;
    double turn = builtin_turn_between(o->heading, base->heading);
    const bool is_like = vessel_holds(room, o->half[1], o->half[0]);
    if (!is_like && !vessel_holds(room, o->half[0], o->half[1]))
        return ETNA_OK;
    if (!is_like)
        turn += 90;
    turn = fmod(turn + 360, 180); /* either end may be first */
    return standing_turned(s, turn > 90 ? turn - 180 : turn, list);
}

/* A rug that lies on what the thing is to stand on. */
static bool standing_is_rug(const standing *s, uint32_t rug)
{
    const builtin_facts *facts = s->p->facts;
    return rug != s->object && !facts->objects[rug].is_static &&
           builtin_is_covering(facts, rug) &&
           builtin_is_above(facts, rug, s->reference);
}

/* Is what the rug (BUILTIN_NONE: half on thin ones) has nearer than that? Then
 * it is taken. */
static etna_code standing_try_rug(standing *s, uint32_t rug, double gap)
{
    const double nearer = 0.3; /* metres */
    const builtin_facts *facts = s->p->facts;
    standing on_rug = *s;
    if (rug == BUILTIN_NONE)
        on_rug.wish.on_rugs = true;
    else
        on_rug.wish.reference = rug;
    etna_code code = builtin_spots(facts, &on_rug.wish, on_rug.spots,
                                   &on_rug.found, s->p->err);
    if (code == ETNA_OK && on_rug.found > 0 &&
        builtin_gap(facts, s->move, s->object, on_rug.spots[0].point) <=
            gap - nearer)
        *s = on_rug;
    return code;
}

/* Half on rugs, then on each of them, until one has a nearer place. */
static etna_code standing_try_rugs(standing *s, double gap)
{
    etna_code code = standing_try_rug(s, BUILTIN_NONE, gap);
    for (uint32_t i = 0; i < s->p->facts->object_count && code == ETNA_OK;
         i++) {
        if (s->wish.on_rugs || s->wish.reference != s->reference)
            return ETNA_OK;
        if (standing_is_rug(s, i))
            code = standing_try_rug(s, i, gap);
    }
    return code;
}

/* At a side of a thing, but only beyond its rug, or nowhere: on that, or half on
 * it where it is thin, is nearer by, and people put it there. */
static etna_code standing_near_on_rug(standing *s)
{
    const double far = 0.5; /* metres */
    const builtin_facts *facts = s->p->facts;
    const builtin_move *move = s->move;
    const bool at_side =
        seek_is_beside(facts, move) || move->relation == RELATION_END;
    if (!at_side || (s->found > 0 && move->gap >= 0))
        return ETNA_OK;
    const double gap =
        s->found > 0 ? builtin_gap(facts, move, s->object, s->spots[0].point)
                     : INFINITY;
    return gap <= far ? ETNA_OK : standing_try_rugs(s, gap);
}

/* Free places for the wish as it is. */
static etna_code standing_find_wished(standing *s, bool along)
{
    const planner *p = s->p;
    etna_code code =
        builtin_spots(p->facts, &s->wish, s->spots, &s->found, p->err);
    if (code != ETNA_OK)
        return code;
    if (along) {
        s->found =
            standing_keep_farther(p, s->move, s->object, s->spots, s->found);
        return ETNA_OK;
    }
    const bool is_first = !s->wish.turned && !s->wish.on_rugs;
    return is_first && p->facts->objects[s->reference].is_static
               ? standing_near_on_rug(s)
               : ETNA_OK;
}

/* Free places by the maps; half on a thin rug where only so there is one, and
 * turned where only so there is one: a tray that goes on the shelf only
 * lengthwise. */
static etna_code standing_find(standing *s)
{
    const planner *p = s->p;
    bool along = s->move->relation == RELATION_TOWARD ||
                 s->move->relation == RELATION_AWAY;
    if (along)
        standing_nearer_or_farther(p, s->move, s->object, &s->wish);
    bool any_way = s->move->facing == FACING_NONE && !s->move->has_yaw;
    const bool on_ground = p->facts->objects[s->reference].is_static && !along;
    for (int turn = 0; turn < 4; turn++) {
        s->wish.turned = turn >= 2;
        s->wish.on_rugs = turn & 1;
        const bool is_no_rug = s->wish.on_rugs && !on_ground;
        if (is_no_rug || (s->wish.turned && !any_way))
            continue;
        etna_code code = standing_find_wished(s, along);
        if (code != ETNA_OK || s->found > 0)
            return code;
    }
    return ETNA_OK;
}

/* Those first that leave room for the rest. A hat in the middle of a small
 * table leaves none for the bag: where all are so, it goes to an edge. */
static etna_code standing_share(standing *s)
{
    uint32_t fitting = 0;
    standing_join_mates(s);
    etna_code code = standing_sort(s, &fitting);
    const bool is_in_middle =
        s->found > 0 && s->wish.taste == TASTE_ROOMY && fitting == 0;
    const bool is_shared = s->rest_count > 0 && s->move->facing == FACING_NONE;
    if (code != ETNA_OK || !is_in_middle || !is_shared)
        return code;
    standing tight = *s;
    tight.wish.taste = TASTE_TIGHT;
    code = standing_find(&tight);
    if (code == ETNA_OK)
        code = standing_sort(&tight, &fitting);
    if (code == ETNA_OK && fitting > 0)
        *s = tight;
    return code;
}

/* Where the maps know no place: on the slope that its neighbour stands on, else
 * straight instead of askew. */
static etna_code standing_without_map(const standing *s, plan_list *list)
{
    const builtin_move *move = s->move;
    const bool beside = seek_is_beside(s->p->facts, move);
    const bool on_hill = beside && seek_hill(s->p->facts, s->object,
                                             move->reference) == s->reference;
    if (on_hill || (beside && builtin_is_on_a_slope(
                                  s->p->facts, move->reference, s->reference)))
        seek_around(s->p, move, s->object, s->reference, list);
    return standing_straight(s, list);
}

/* Is there room on no board of it, as the thing is turned, but only on top of
 * what is higher than eyes? */
static bool standing_is_on_roof(const standing *s)
{
    const double eyes = 1.6; /* metres over its foot */
    const builtin_facts *facts = s->p->facts;
    const builtin_object *base = &facts->objects[s->reference];
    const bool is_bare =
        s->move->relation == RELATION_ON && s->move->level == 0;
    if (s->found == 0 || !is_bare || builtin_has_doors(base))
        return false;
    const bool has_roof = builtin_shelves(facts, s->reference) <
                          builtin_levels(facts, s->reference);
    return has_roof && s->spots[0].point[2] > builtin_foot(base) + eyes;
}

/* May a place be below what shows: in it, under its slats? */
static bool standing_is_deep(const standing *s)
{
    const builtin_object *base = &s->p->facts->objects[s->reference];
    return s->found > 0 && s->spots[0].point[2] < builtin_top(base) - 0.03;
}

/* Is it asked for on the thing itself, or at its end? */
static bool standing_is_upon(const standing *s)
{
    switch (s->move->relation) {
    case RELATION_ON:
    case RELATION_OVER:
    case RELATION_MIDDLE: return true;
    case RELATION_END: return s->reference == s->move->reference;
    default: return false;
    }
}

/* Is what is to bear it not level wherever it could stand? */
static bool standing_is_uneven(const standing *s)
{
    const builtin_facts *facts = s->p->facts;
    const double breadth = 2 * builtin_half_shorter(&facts->objects[s->object]);
    bool small = standing_level_width(facts, s->reference) < 2.5 * breadth;
    return small || standing_is_deep(s) ||
           builtin_is_seat(&facts->objects[s->reference]);
}

/* Are places from above worth trying: is it to come into the thing, or is that
 * not level wherever it could stand? */
static bool standing_drops(const standing *s)
{
    const builtin_object *base = &s->p->facts->objects[s->reference];
    bool free_standing = !base->is_static || base->half[0] * base->half[1] < 1;
    if (!free_standing || s->move->level != 0)
        return false;
    if (s->move->relation == RELATION_IN)
        return true;
    const bool aside = seek_is_beside(s->p->facts, s->move) &&
                       s->move->reference != s->reference;
    /* Nothing but its roof is below what is let down on a bookcase. */
    const bool roofed = builtin_shelves(s->p->facts, s->reference) <
                        builtin_levels(s->p->facts, s->reference);
    if ((aside || roofed) && s->found > 0)
        return false;
    if (!aside && !standing_is_upon(s))
        return false;
    return standing_is_uneven(s);
}

/* How much of the reference is level and open at that height, were all taken
 * away that can be. */
static double standing_open_area(const standing *s, double height)
{
    const double together = 0.03; /* metres */
    double area = 0;
    for (uint32_t i = 0; i < s->p->facts->surface_count; i++) {
        const builtin_surface *one = &s->p->facts->surfaces[i];
        const size_t cells = (size_t)one->columns * one->rows;
        if (one->object != s->reference ||
            fabs(one->height - height) > together)
            continue;
        for (size_t k = 0; k < cells; k++)
            area += one->map.fixed[k] >= BUILTIN_CLEAR_LEAST
                        ? one->cell * one->cell
                        : 0;
    }
    return area;
}

/* The ledge beside a tub's tap: level, and not what is meant by "in" it. */
static bool standing_is_ledge(const standing *s, const builtin_spot *spot)
{
    const double little = 0.3; /* of what the vessel covers */
    const builtin_object *base = &s->p->facts->objects[s->reference];
    if (s->move->relation != RELATION_IN)
        return false;
    return standing_open_area(s, spot->point[2]) <
           little * 4 * base->half[0] * base->half[1];
}

/* Is what the maps say less likely than what is let down from above? */
static bool standing_is_unsure(const standing *s)
{
    const builtin_object *base = &s->p->facts->objects[s->reference];
    uint32_t certain = 0;
    for (uint32_t i = 0; i < s->found; i++) {
        const builtin_spot *spot = &s->spots[i];
        const bool is_known =
            spot->surface != BUILTIN_NONE && !spot->centre_only;
        certain += is_known && !standing_is_ledge(s, spot);
    }
    if (certain == 0)
        return true;
    return standing_is_deep(s) && s->move->relation != RELATION_IN &&
           base->half[2] < 0.4;
}

/* In turn, for a step tries only the first few. */
static void standing_merge(const plan_list *first,
                           const plan_list *second,
                           plan_list *list)
{
    const plan_list *turn[2] = {first, second};
    for (uint32_t i = 0; i < 2 * PLANS_MAX; i++) {
        const plan_list *from = turn[i % 2];
        if (i / 2 < from->count && list->count < PLANS_MAX)
            list->items[list->count++] = from->items[i / 2];
    }
}

/* Level spots and those from above in the order in which they are likelier to
 * hold; then what is only tried when all else fails. */
static etna_code standing_list(const standing *s, plan_list *list)
{
    const planner *p = s->p;
    const builtin_move *move = s->move;
    const bool into = move->relation == RELATION_IN;
    const seek_drop open = {.reference = s->reference,
                            .share = into ? 0.6 : 0.8,
                            .aside = s->rest_count > 0};
    const seek_drop taken = {
        .reference = s->reference, .share = 0.6, .taken_too = true};
    plan_list *level = etna_arena_alloc(p->talk->arena, 2, sizeof *level);
    plan_list *over = level ? level + 1 : NULL;
    if (!level)
        return planner_no_memory(p);
    level->count = over->count = 0;
    etna_code code = standing_add_spots(p, move, s->object, s->as_placed,
                                        &s->wish, s->spots, s->found, level);
    if (code != ETNA_OK)
        return code;
    if (standing_drops(s))
        seek_add_from_above(p, move, s->object, &open, over);
    bool over_first = standing_is_unsure(s);
    standing_merge(over_first ? over : level, over_first ? level : over, list);
    if (into) {
        seek_add_on_contents(p, s->object, s->reference, list);
        seek_add_from_above(p, move, s->object, &taken, list);
    }
    return move->relation == RELATION_ON
               ? seek_onto_mates(p, move, s->object, s->reference, list)
               : ETNA_OK;
}

/* The free places by the support's map; s->as_placed may point at `faced`
 * then. */
static etna_code standing_search_map(standing *s,
                                     builtin_facts faced[FACED_ROUNDS])
{
    s->wish = (builtin_wish){
        .object = s->object, .reference = s->reference, .move = s->move};
    etna_code code =
        standing_avoided(s->p, s->object, &s->wish.avoid, &s->wish.avoid_count);
    s->wish.taste = s->wish.avoid_count > 0 ? TASTE_TIGHT : TASTE_ROOMY;
    if (code == ETNA_OK)
        code = standing_find(s);
    if (code != ETNA_OK)
        return code;
    standing_prefer_sides(s);
    code = standing_as_faced(s, faced);
    return code == ETNA_OK ? standing_share(s) : code;
}

/* Places on the support, by its map where it has one. Roofs are looked at
 * without: their maps are mostly full of what is beneath. */
etna_code seek_standing(const planner *p,
                        const builtin_move *move,
                        uint32_t object,
                        const uint32_t *rest,
                        uint32_t rest_count,
                        plan_list *list)
{
    standing s = {.p = p,
                  .move = move,
                  .as_placed = p->facts,
                  .object = object,
                  .reference = builtin_support_of(p->facts, move, object),
                  .rest = rest,
                  .rest_count = rest_count};
    if (s.reference == BUILTIN_NONE) {
        bool beside = move->reference < p->facts->object_count &&
                      move->relation != RELATION_ON;
        if (beside)
            seek_around(p, move, object, BUILTIN_NONE, list);
        return ETNA_OK;
    }
    etna_code code = standing_lengthwise(&s, list);
    if (code == ETNA_OK && list->count == 0)
        code = standing_squarely(&s, list);
    if (code != ETNA_OK || list->count > 0)
        return code;
    builtin_facts faced[FACED_ROUNDS];
    code = standing_search_map(&s, faced);
    const bool on_roof = standing_is_on_roof(&s);
    if (code == ETNA_OK && (s.found == 0 || on_roof))
        code = standing_without_map(&s, list);
    if (code != ETNA_OK || (on_roof && list->count > 0))
        return code;
    return standing_list(&s, list);
}
