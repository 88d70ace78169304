/* Making room: where a thing is put that stands in the way. A thing put aside
 * goes to the nearest sensible free place that the goal will not need: small
 * things from furniture to furniture, furniture on the floor, nothing on walls
 * or out of reach. */
#include "worker/builtin/plan/planner_internal.h"

#include "proto/ascii.h"
#include "worker/math/vec.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

enum {
    SURFACES_TRIED = 24,
    ABOVE_DEPTH = 32,
    KEPT_MAX = 2 * BUILTIN_MOVES_MAX + 8
};

/* quarter of the footprint, m2: what nobody calls a support or a seat bears
 * others when it is that large */
#define FIRM_LEAST 0.05
#define SOFA_HALF \
    0.4          /* m: half the length from which a seat is more than a chair */
#define EYES 1.6 /* m over the floor: tops above show nothing */

static bool is_reference(const planner *p, uint32_t object)
{
    for (uint32_t i = 0; i < p->reading.count; i++) {
        if (p->reading.moves[i].reference == object)
            return true;
    }
    return false;
}

bool planner_is_above(const builtin_facts *facts,
                      uint32_t object,
                      uint32_t base)
{
    for (uint32_t depth = 0; depth < ABOVE_DEPTH; depth++) {
        if (object == base)
            return true;
        if (facts->objects[object].by_count == 0)
            return false;
        object = facts->objects[object].by[0];
    }
    return true;
}

/* ---- what is sensible ---- */

static double aside_floor_height(const builtin_facts *facts)
{
    double lowest = 1e30;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (facts->objects[s->object].is_static && s->height < lowest)
            lowest = s->height;
    }
    return lowest;
}

static bool is_called_wall(const builtin_object *o)
{
    uint32_t last = o->word_count;
    while (last > 0 && !ascii_is_lower(o->words[last - 1][0]))
        last--;
    return last > 0 && builtin_same_word(o->words[last - 1], "wall");
}

/* As aside_strangeness(): of heights, where things of the floor and of tables
 * do not mix. */
static double strange_height(const builtin_object *o,
                             double height,
                             double floor,
                             bool from_floor)
{
    double large = builtin_half_longer(o);
    double value = 0;
    /* a podium or a step is as low as the floor to what stood on a table */
    bool small = large < 0.35 && o->half[2] < 0.45;
    bool low = height < floor + (from_floor ? 0.05 : 0.25);
    if (low && !from_floor)
        /* what stood on a table goes to something of its kind */
        value += small ? 7 : 3;
    if (!low && from_floor)
        value += small ? 3 : 10; /* a chair does not belong on a table */
    if (height > floor + 1.4)
        value += 4;
    if (height > floor + EYES && builtin_foot(o) < height - 0.3)
        /* where nobody sees it, nor reaches it: the floor is better */
        value += 12;
    return value;
}

/* A quarter of what is level on it, as FIRM_LEAST is: a ring's box is large, and
 * its top is not. */
static double level_area(const builtin_surface *s)
{
    const size_t cells = (size_t)s->columns * s->rows;
    uint32_t level = 0;
    for (size_t i = 0; i < cells; i++)
        level += s->map.fixed[i] >= BUILTIN_CLEAR_LEAST;
    return s->cell * s->cell * level / 4;
}

/* As aside_strangeness(): of a movable thing that something is put on. A bike
 * is large, and its saddle is not. */
static double strange_base(const builtin_object *o,
                           const builtin_object *b,
                           const builtin_surface *s)
{
    double area = b->half[0] * b->half[1];
    double value = 0;
    bool slight = area < 1.5 * o->half[0] * o->half[1];
    bool flat = b->half[0] < 0.3 && b->half[1] < 0.3 && b->half[2] < 0.15;
    bool bears = builtin_is_bearer(b) || builtin_is_seat(b);
    if (builtin_is_bare(b))
        value += 12;
    if (slight)
        value += 2;
    if (flat)
        value += 1; /* a glass on a plate */
    if (!bears && (slight || math_min(area, level_area(s)) < FIRM_LEAST))
        value += 8; /* a bowl on a hat */
    return value;
}

/* How little sense it makes to put a thing on that surface, as metres of
 * way. */
static double aside_strangeness(const planner *p,
                                uint32_t object,
                                const builtin_surface *s,
                                double floor)
{
    const builtin_object *o = &p->facts->objects[object];
    const builtin_object *b = &p->facts->objects[s->object];
    bool from_floor = builtin_foot(o) < floor + 0.05;
    double value = strange_height(o, s->height, floor, from_floor);
    if (!from_floor && builtin_is_seat(b))
        /* it is to be sat on, above all a sofa */
        value += builtin_half_longer(b) > SOFA_HALF ? 4 : 3;
    return b->is_static ? value : value + strange_base(o, b, s);
}

/* Metres from the thing to the surface, as seen from above: a long wall is not
 * near because its middle is. */
static double way_to(const builtin_object *o, const builtin_surface *s)
{
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        double low = s->origin[k];
        double high = low + s->cell * (k ? s->rows : s->columns);
        double at = o->centre[k];
        double way = fmax(fmax(low - at, at - high), 0);
        sum += way * way;
    }
    return sqrt(sum);
}

/* Can a thing not be put aside there at all: on itself, on what it is to leave,
 * on a wall, on what will move? */
static bool aside_is_out(const planner *p,
                         uint32_t object,
                         uint32_t away_from,
                         uint32_t base)
{
    const builtin_object *b = &p->facts->objects[base];
    const bool is_wall =
        builtin_is_wall(b) || (b->is_static && is_called_wall(b));
    if (is_wall || base == object || base == away_from)
        return true;
    if (planner_is_above(p->facts, base, away_from) ||
        planner_is_above(p->facts, base, object))
        return true;
    return !b->is_static && planner_will_move(p, base);
}

/* How unwelcome a surface is: far, up or down, needed for something else, out
 * of sight, or small. */
static double aside_cost(const planner *p,
                         uint32_t object,
                         const builtin_surface *s,
                         double floor)
{
    const builtin_object *o = &p->facts->objects[object];
    const builtin_object *b = &p->facts->objects[s->object];
    double up = fabs(s->height - builtin_foot(o));
    bool is_needed = is_reference(p, s->object) &&
                     !builtin_stands_on(p->facts, object, s->object);
    double cost = way_to(o, s) + 0.6 * up + (is_needed ? 5 : 0);
    cost += b->visible ? 0 : 0.3;
    cost += b->half[0] * b->half[1] < 0.01 ? 2 : 0;
    return cost + aside_strangeness(p, object, s, floor);
}

/* Its index in the list; `count`: it is not in it. */
static uint32_t base_find(const uint32_t *list, uint32_t count, uint32_t base)
{
    uint32_t at = 0;
    while (at < count && list[at] != base)
        at++;
    return at;
}

/* Things that something can be put aside on, nearest and most sensible first;
 * what the goal needs comes last. Of a thing's surfaces the best one counts:
 * of a shelf a board rather than its roof. */
static uint32_t aside_list(const planner *p,
                           uint32_t object,
                           uint32_t away_from,
                           uint32_t *ret,
                           double cost[SURFACES_TRIED])
{
    double floor = aside_floor_height(p->facts);
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->facts->surface_count; i++) {
        const builtin_surface *s = &p->facts->surfaces[i];
        if (aside_is_out(p, object, away_from, s->object))
            continue;
        double value = aside_cost(p, object, s, floor);
        uint32_t at = base_find(ret, count, s->object);
        if (at == SURFACES_TRIED)
            at--;
        else if (at == count)
            cost[count++] = INFINITY;
        if (cost[at] <= value)
            continue;
        while (at > 0 && cost[at - 1] > value) {
            cost[at] = cost[at - 1];
            ret[at] = ret[at - 1];
            at--;
        }
        cost[at] = value;
        ret[at] = s->object;
    }
    return count;
}

/* Did attempts at this step to put the object on that very thing fail, on all
 * their branches? Then it is no place for it; on something large another place
 * may do, once. */
static bool has_failed_on(const planner *p, uint32_t object, uint32_t base)
{
    const json_t *rows = json_object_get(p->talk->task, "failed_here");
    uint32_t failures = 0;
    json_int_t last = -1;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const char *instruction = json_string_value(
            json_object_get(json_array_get(rows, i), "instruction"));
        json_int_t node = json_integer_value(
            json_object_get(json_array_get(rows, i), "node"));
        builtin_exact_list said;
        if (!instruction || node == last ||
            !builtin_exact_read(p->facts, instruction, &said))
            continue;
        if (said.items[0].object != object || said.items[0].support != base)
            continue;
        last = node;
        if (++failures > (p->facts->objects[base].is_static ? 1u : 0u))
            return true;
    }
    return false;
}

/* What others are to take, and what was asked to be kept free. */
static uint32_t kept_free(const planner *p,
                          const builtin_rect *keep,
                          uint32_t keep_count,
                          builtin_rect ret[KEPT_MAX])
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < keep_count && kept < KEPT_MAX; i++)
        ret[kept++] = keep[i];
    for (uint32_t i = 0; i < p->reading.count && kept + 2 < KEPT_MAX; i++) {
        const builtin_move *m = &p->reading.moves[i];
        if (m->relation == RELATION_AT && m->objects.count == 1)
            ret[kept++] =
                builtin_footprint(&p->facts->objects[m->objects.objects[0]],
                                  m->at[0], m->at[1], 0.01);
        if (m->relation != RELATION_PLACE || m->objects.count == 0)
            continue;
        const builtin_object *old = &p->facts->objects[m->reference];
        double at[3];
        builtin_old_place(p->facts, m, at);
        ret[kept++] = builtin_footprint(old, at[0], at[1], 0.01);
        ret[kept++] = builtin_footprint(
            &p->facts->objects[m->objects.objects[0]], at[0], at[1], 0.01);
    }
    return kept;
}

/* Does the goal want something else to hang there? */
static bool is_wanted_there(const planner *p,
                            const builtin_object *o,
                            const double at[3])
{
    for (uint32_t n = 0; n < p->reading.count; n++) {
        const builtin_move *m = &p->reading.moves[n];
        if (m->relation != RELATION_AT || !m->hung || m->objects.count != 1)
            continue;
        const builtin_object *b = &p->facts->objects[m->objects.objects[0]];
        double dx = m->at[0] - at[0];
        double dy = m->at[1] - at[1];
        if (sqrt(dx * dx + dy * dy) <
            builtin_half_longer(b) + builtin_half_longer(o) + 0.05)
            return true;
    }
    return false;
}

/* Does anything that can be moved stand or hang where it would hang? */
static bool is_barred_there(const planner *p,
                            uint32_t object,
                            const double at[3])
{
    const double bottom[3] = {at[0], at[1],
                              at[2] - p->facts->objects[object].half[2]};
    for (uint32_t n = 0; n < p->facts->object_count; n++) {
        if (p->facts->objects[n].is_static)
            continue;
        if (builtin_is_in_the_way(p->facts, n, object, bottom))
            return true;
    }
    return false;
}

/* Does what is as broad as that hang within the wall's stretch there? */
static bool hang_is_on_wall(const builtin_wall *w,
                            const double at[3],
                            double half)
{
    double s = at[0] * w->right[0] + at[1] * w->right[1];
    return !(s - half < w->origin[0]) &&
           !(s + half > w->origin[0] + w->columns * w->cell);
}

/* What hangs goes to another place on a wall, clear of where it hangs and of
 * the places that the goal wants. */
static etna_code hang_aside(const planner *p,
                            uint32_t object,
                            const char *because,
                            plan *ret,
                            bool *ret_found)
{
    const builtin_object *o = &p->facts->objects[object];
    uint32_t own = builtin_hangs_on(p->facts, object);
    if (own == BUILTIN_NONE)
        return ETNA_OK;
    const builtin_wall *w = &p->facts->walls[own];
    builtin_move move = {.relation = RELATION_AT,
                         .objects = {.count = 1, .objects = &object, .need = 1},
                         .reference = BUILTIN_NONE,
                         .support = w->object,
                         .gap = -1,
                         .hung = true};
    double half = builtin_half_longer(o);
    /* to both sides, farther and farther */
    for (int i = 0; i < 24 && !*ret_found; i++) {
        double step = (i % 2 ? -1 : 1) * (2 * half + 0.1 + 0.25 * (i / 2));
        const double at[3] = {o->centre[0] + step * w->right[0],
                              o->centre[1] + step * w->right[1], o->centre[2]};
        if (!hang_is_on_wall(w, at, half))
            continue;
        if (is_wanted_there(p, o, at) || is_barred_there(p, object, at))
            continue;
        memcpy(move.at, at, sizeof at);
        etna_code code =
            planner_find_place(p, &move, &object, 1, ret, ret_found);
        if (code != ETNA_OK)
            return code;
    }
    if (*ret_found)
        ret->because = because;
    return ETNA_OK;
}

typedef struct aside { /* what is put aside, and the best place for it so far */
    const planner *p;
    uint32_t object;
    /* what every wish has: what is kept free, and where it was given up */
    builtin_wish like;
    /* also over the middle of what is smaller: a lid on a saucer */
    bool is_desperate;
    double foot; /* metres: its own height */
    double best; /* metres; INFINITY: none yet */
    uint32_t base, count;
    bool turned;
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    /* not on that one: its places are known; BUILTIN_NONE: on any */
    uint32_t but;
} aside;

/* Places on the thing, turned where only so it stands wholly on it: a tray on a
 * cabinet as narrow as it is. */
static etna_code aside_spots(const aside *a,
                             uint32_t base,
                             builtin_spot spots[BUILTIN_SPOTS_MAX],
                             uint32_t *ret_count,
                             bool *ret_turned)
{
    const builtin_facts *facts = a->p->facts;
    builtin_wish wish = a->like;
    wish.reference = base;
    wish.taste = is_reference(a->p, base) ? TASTE_TIGHT : TASTE_NEAR;
    wish.near_foot = &a->foot;
    *ret_turned = false;
    etna_code code = builtin_spots(facts, &wish, spots, ret_count, a->p->err);
    bool is_whole = *ret_count > 0 && !spots[0].centre_only;
    if (code != ETNA_OK || is_whole || facts->objects[base].is_static)
        return code;
    builtin_spot across[BUILTIN_SPOTS_MAX];
    uint32_t count = 0;
    wish.turned = true;
    code = builtin_spots(facts, &wish, across, &count, a->p->err);
    *ret_turned = code == ETNA_OK && count > 0 && !across[0].centre_only;
    if (!*ret_turned)
        return code;
    memcpy(spots, across, sizeof across);
    *ret_count = count;
    return ETNA_OK;
}

/* Metres of way that one would rather go than put it there; INFINITY: not there
 * at all. */
static double aside_unease(const aside *a,
                           uint32_t base,
                           const builtin_spot *spot)
{
    const double over_edges = 0.5;
    const builtin_object *o = &a->p->facts->objects[a->object];
    const builtin_object *b = &a->p->facts->objects[base];
    if (spot->surface == BUILTIN_NONE)
        return INFINITY;
    if (!spot->centre_only)
        return 0;
    bool is_larger = o->half[0] * o->half[1] > b->half[0] * b->half[1];
    if (is_larger || b->on_count > 0 || is_reference(a->p, base))
        return INFINITY;
    /* a tray on a chair, before the floor */
    bool is_there_for_it = builtin_is_bearer(b) || builtin_is_seat(b);
    if (is_there_for_it)
        return over_edges;
    return a->is_desperate ? 0 : INFINITY;
}

/* Keeps the base if it is better than the best so far. After failures the next
 * spots of the same base are taken. */
static etna_code aside_try(aside *a, uint32_t base, double cost)
{
    const builtin_facts *facts = a->p->facts;
    const builtin_object *o = &facts->objects[a->object];
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    uint32_t count = 0;
    bool turned = false;
    etna_code code = aside_spots(a, base, spots, &count, &turned);
    if (code != ETNA_OK || count == 0)
        return code;
    const uint32_t first = planner_failures(a->p, a->object) % count;
    const double unease = aside_unease(a, base, &spots[first]);
    if (isinf(unease))
        return ETNA_OK;
    const double dx = spots[first].point[0] - o->centre[0];
    const double dy = spots[first].point[1] - o->centre[1];
    const double begins = way_to(o, &facts->surfaces[spots[first].surface]) +
                          1; /* a lawn bears something only farther */
    const double farther = sqrt(dx * dx + dy * dy) - begins;
    const double value = cost + unease + (farther > 0 ? farther : 0);
    if (value >= a->best)
        return ETNA_OK;
    a->best = value;
    a->base = base;
    a->turned = turned;
    a->count = count;
    for (uint32_t k = 0; k < count; k++)
        a->spots[k] = spots[(first + k) % count];
    return ETNA_OK;
}

/* The places on the base that was found, the best first. */
static void aside_add(const aside *a, uint32_t most, plan_list *ret)
{
    const planner *p = a->p;
    for (uint32_t k = 0; k < a->count && k < most; k++) {
        const double *point = a->spots[k].point;
        const double at[3] = {point[0], point[1], point[2] + 0.01};
        plan *next = &ret->items[ret->count++];
        *next = planner_put(a->object, a->base, at, 0.05);
        next->exact.has_yaw = a->turned;
        next->exact.yaw_deg = p->facts->objects[a->object].yaw_deg + 90;
    }
}

/* Where no floor is known, or none but a hill: free places around the thing. */
static etna_code aside_in_open(const aside *a, plan *ret, bool *ret_found)
{
    const planner *p = a->p;
    plan_list *open = etna_arena_alloc(p->talk->arena, 1, sizeof *open);
    if (!open)
        return planner_no_memory(p);
    open->count = 0;
    planner_seek_free(p, a->object, a->like.taken, a->like.taken_count, open);
    *ret_found = open->count > 0;
    if (!*ret_found)
        return ETNA_OK;
    const plan *first = planner_first(p, open);
    if (!first)
        return planner_no_memory(p);
    *ret = *first;
    return ETNA_OK;
}

/* Looks on the bases, the cheapest first, until none that is left can be
 * better. */
static etna_code aside_try_all(aside *a,
                               const uint32_t *bases,
                               const double *cost,
                               uint32_t count)
{
    for (uint32_t i = 0; i < count && cost[i] < a->best; i++) {
        if (bases[i] == a->but || has_failed_on(a->p, a->object, bases[i]))
            continue;
        etna_code code = aside_try(a, bases[i], cost[i]);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* The best base; the second time round where things do not belong, too. */
static etna_code aside_look(aside *a,
                            const uint32_t *bases,
                            const double *cost,
                            uint32_t count)
{
    etna_code code = ETNA_OK;
    a->best = INFINITY;
    for (int time = 0; time < 2 && isinf(a->best) && code == ETNA_OK; time++) {
        a->is_desperate = time > 0;
        code = aside_try_all(a, bases, cost, count);
    }
    return code;
}

/* The place that was found, with the next ones for when the solver refuses it:
 * of the same base, and of the next best, for a seat may be too round for a
 * towel that its box has room for. */
static etna_code aside_plan(const aside *a,
                            const uint32_t *bases,
                            const double *cost,
                            uint32_t count,
                            plan *ret)
{
    enum {
        OF_ONE = BUILTIN_EXACT_MAX / 2
    };
    const planner *p = a->p;
    plan_list *all = etna_arena_alloc(p->talk->arena, 1, sizeof *all);
    if (!all)
        return planner_no_memory(p);
    all->count = 0;
    aside next = *a;
    next.but = a->base;
    etna_code code = aside_look(&next, bases, cost, count);
    if (code != ETNA_OK)
        return code;
    const double worse = 5; /* metres of way: what is no place stays none */
    const bool is_like = next.best < a->best + worse && !next.is_desperate;
    aside_add(a, is_like ? OF_ONE : BUILTIN_SPOTS_MAX, all);
    if (is_like)
        aside_add(&next, OF_ONE, all);
    const plan *first = planner_first(p, all);
    if (!first)
        return planner_no_memory(p);
    *ret = *first;
    return ETNA_OK;
}

/* A place where the thing is out of the way for a while; `keep`: rectangles
 * that must stay free. The second time round it also looks where things do not
 * belong. What hangs is hung elsewhere. */
etna_code planner_put_aside(const planner *p,
                            uint32_t object,
                            uint32_t away_from,
                            const builtin_rect *keep,
                            uint32_t keep_count,
                            const char *because,
                            plan *ret,
                            bool *ret_found)
{
    *ret_found = false;
    /* What only leans or lies crooked is attached, too, and can be put
     * anywhere. */
    if (builtin_hangs_on(p->facts, object) != BUILTIN_NONE)
        return hang_aside(p, object, because, ret, ret_found);
    uint32_t bases[SURFACES_TRIED];
    double cost[SURFACES_TRIED];
    const uint32_t count = aside_list(p, object, away_from, bases, cost);
    const builtin_object *o = &p->facts->objects[object];
    builtin_rect wanted[KEPT_MAX];
    aside a = {.p = p,
               .object = object,
               .like = {.object = object, .taken = wanted},
               .foot = builtin_foot(o),
               .but = BUILTIN_NONE};
    memcpy(a.like.near, o->centre, sizeof a.like.near);
    a.like.taken_count = kept_free(p, keep, keep_count, wanted);
    etna_code code =
        builtin_given_up(p->talk, "given_up_here", object, &a.like.avoid,
                         &a.like.avoid_count, p->err);
    if (code == ETNA_OK)
        code = aside_look(&a, bases, cost, count);
    if (code != ETNA_OK)
        return code;
    *ret_found = !isinf(a.best);
    code = *ret_found ? aside_plan(&a, bases, cost, count, ret)
                      : aside_in_open(&a, ret, ret_found);
    if (*ret_found)
        ret->because = because;
    return code;
}
