/* Making room: where a thing is put that stands in the way, and what stands in the way of a place. A thing put aside
 * goes to the nearest sensible free place that the goal will not need: small things from furniture to furniture,
 * furniture on the floor, nothing on walls or out of reach. */
#include "worker/model/builtin_planner_own.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

enum { SURFACES_TRIED = 24, ABOVE_DEPTH = 32, KEPT_MAX = 2 * BUILTIN_MOVES_MAX + 8 };

#define FIRM_LEAST \
    0.05 /* quarter of the footprint, m2: what nobody calls a support or a seat bears others when it is that large */

static bool is_reference(const planner *p, uint32_t object)
{
    for (uint32_t i = 0; i < p->reading.count; i++) {
        if (p->reading.moves[i].reference == object) return true;
    }
    return false;
}

bool planner_is_above(const builtin_facts *facts, uint32_t object, uint32_t base)
{
    for (uint32_t depth = 0; depth < ABOVE_DEPTH; depth++) {
        if (object == base) return true;
        if (facts->objects[object].by_count == 0) return false;
        object = facts->objects[object].by[0];
    }
    return true;
}

/* ---- what is sensible ---- */

static double floor_height(const builtin_facts *facts)
{
    double lowest = 1e30;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (facts->objects[s->object].is_static && s->height < lowest) lowest = s->height;
    }
    return lowest;
}

bool builtin_is_seat(const builtin_object *o)
{
    static const char *const seats[] = {"chair", "stool", "sofa", "bed", "bench", "ottoman", NULL};
    for (uint32_t i = 0; i < o->word_count; i++) {
        for (const char *const *seat = seats; *seat; seat++) {
            if (builtin_same_word(o->words[i], *seat)) return true;
        }
    }
    return false;
}

static bool is_called_wall(const builtin_object *o)
{
    uint32_t last = o->word_count;
    while (last > 0 && (o->words[last - 1][0] < 'a' || o->words[last - 1][0] > 'z')) last--;
    return last > 0 && builtin_same_word(o->words[last - 1], "wall");
}

/* How little sense it makes to put a thing on that surface, as metres of way. */
static double strangeness(const planner *p, uint32_t object, const builtin_surface *s, double floor)
{
    const builtin_object *o = &p->facts->objects[object], *b = &p->facts->objects[s->object];
    double large = o->half[0] > o->half[1] ? o->half[0] : o->half[1], value = 0;
    bool small = large < 0.35 && o->half[2] < 0.45, low = s->height < floor + 0.05;
    bool from_floor = o->centre[2] - o->half[2] < floor + 0.05;
    if (low && small && !from_floor) value += 3;     /* a plate belongs on a counter */
    if (!low && from_floor) value += small ? 3 : 10; /* a chair does not belong on a table */
    if (s->height > floor + 1.4) value += 4;
    if (!from_floor && builtin_is_seat(b)) value += 2;
    bool slight = b->half[0] * b->half[1] < 1.5 * o->half[0] * o->half[1];
    if (!b->is_static && slight) value += 2;
    if (!b->is_static && b->half[0] < 0.3 && b->half[1] < 0.3 && b->half[2] < 0.15) value += 1; /* a glass on a plate */
    if (!b->is_static && !builtin_is_bearer(b) && !builtin_is_seat(b) &&
        (slight || b->half[0] * b->half[1] < FIRM_LEAST))
        value += 4; /* a bowl on a hat */
    return value;
}

/* Metres from the thing to the surface, as seen from above: a long wall is not near because its middle is. */
static double way_to(const builtin_object *o, const builtin_surface *s)
{
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        double low = s->origin[k], high = low + s->cell * (k ? s->rows : s->columns), at = o->centre[k];
        double way = at < low ? low - at : at > high ? at - high : 0;
        sum += way * way;
    }
    return sqrt(sum);
}

/* Things that something can be put aside on, nearest and most sensible first; what the goal needs comes last. */
static uint32_t asides(const planner *p, uint32_t object, uint32_t away_from, uint32_t *ret,
                       double cost[SURFACES_TRIED])
{
    double floor = floor_height(p->facts);
    uint32_t count = 0;
    const builtin_object *o = &p->facts->objects[object];
    for (uint32_t i = 0; i < p->facts->surface_count; i++) {
        const builtin_surface *s = &p->facts->surfaces[i];
        uint32_t base = s->object;
        const builtin_object *b = &p->facts->objects[base];
        bool wall = b->is_static && ((b->half[2] > 0.9 && (b->half[0] < 0.3 || b->half[1] < 0.3)) || is_called_wall(b));
        bool known = wall || base == object || planner_is_above(p->facts, base, away_from) ||
                     planner_is_above(p->facts, base, object);
        if (base == away_from) known = true;
        for (uint32_t k = 0; k < count && !known; k++) known = ret[k] == base;
        if (known || (!b->is_static && planner_will_move(p, base))) continue;
        double dz = s->height - (o->centre[2] - o->half[2]), way = way_to(o, s);
        double value = way + 0.6 * (dz < 0 ? -dz : dz) +
                       (is_reference(p, base) && !builtin_stands_on(p->facts, object, base) ? 5 : 0) +
                       (b->visible ? 0 : 0.3) + (b->half[0] * b->half[1] < 0.01 ? 2 : 0) +
                       strangeness(p, object, s, floor);
        if (count == SURFACES_TRIED && cost[count - 1] <= value) continue;
        uint32_t at = count < SURFACES_TRIED ? count++ : count - 1;
        while (at > 0 && cost[at - 1] > value) {
            cost[at] = cost[at - 1];
            ret[at] = ret[at - 1];
            at--;
        }
        cost[at] = value;
        ret[at] = base;
    }
    return count;
}

/* Did attempts at this step to put the object on that very thing fail, on all their branches? Then it is no place for
 * it; on something large another place may do, once. */
static bool has_failed_on(const planner *p, uint32_t object, uint32_t base)
{
    const json_t *rows = json_object_get(p->talk->task, "failed_here");
    uint32_t failures = 0;
    json_int_t last = -1;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const char *instruction = json_string_value(json_object_get(json_array_get(rows, i), "instruction"));
        json_int_t node = json_integer_value(json_object_get(json_array_get(rows, i), "node"));
        builtin_exact_list said;
        if (!instruction || node == last || !builtin_exact_read(p->facts, instruction, &said)) continue;
        if (said.items[0].object != object || said.items[0].support != base) continue;
        last = node;
        if (++failures > (p->facts->objects[base].is_static ? 1u : 0u)) return true;
    }
    return false;
}

/* What others are to take, and what was asked to be kept free. */
static uint32_t kept_free(const planner *p, const builtin_rect *keep, uint32_t keep_count, builtin_rect ret[KEPT_MAX])
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < keep_count && kept < KEPT_MAX; i++) ret[kept++] = keep[i];
    for (uint32_t i = 0; i < p->reading.count && kept + 2 < KEPT_MAX; i++) {
        const builtin_move *m = &p->reading.moves[i];
        if (m->relation == RELATION_AT && m->objects.count == 1)
            ret[kept++] = builtin_footprint(&p->facts->objects[m->objects.objects[0]], m->at[0], m->at[1], 0.01);
        if (m->relation != RELATION_PLACE || m->objects.count == 0) continue;
        const builtin_object *old = &p->facts->objects[m->reference];
        double at[3];
        builtin_old_place(p->facts, m, at);
        ret[kept++] = builtin_footprint(old, at[0], at[1], 0.01);
        ret[kept++] = builtin_footprint(&p->facts->objects[m->objects.objects[0]], at[0], at[1], 0.01);
    }
    return kept;
}

/* What hangs goes to another place on a wall, clear of where it hangs and of the places that the goal wants. */
static etna_code hang_aside(const planner *p, uint32_t object, const char *because, plan *ret, bool *ret_found)
{
    const builtin_object *o = &p->facts->objects[object];
    uint32_t own = builtin_hangs_on(p->facts, object);
    builtin_move move = {.relation = RELATION_AT,
                         .objects = {.count = 1, .objects = &object, .need = 1},
                         .reference = BUILTIN_NONE,
                         .support = own == BUILTIN_NONE ? BUILTIN_NONE : p->facts->walls[own].object,
                         .gap = -1,
                         .hung = true};
    if (own == BUILTIN_NONE) return ETNA_OK;
    const builtin_wall *w = &p->facts->walls[own];
    double own_half = o->half[0] > o->half[1] ? o->half[0] : o->half[1];
    for (int i = 0; i < 24 && !*ret_found; i++) { /* to both sides, farther and farther */
        double step = (i % 2 ? -1 : 1) * (2 * own_half + 0.1 + 0.25 * (i / 2)), at[3];
        bool barred = false;
        for (int k = 0; k < 2; k++) at[k] = o->centre[k] + step * w->right[k];
        at[2] = o->centre[2];
        double s = at[0] * w->right[0] + at[1] * w->right[1];
        if (s - own_half < w->origin[0] || s + own_half > w->origin[0] + w->columns * w->cell) continue;
        for (uint32_t n = 0; n < p->reading.count && !barred; n++) {
            const builtin_move *m = &p->reading.moves[n];
            if (m->relation != RELATION_AT || !m->hung || m->objects.count != 1) continue;
            const builtin_object *b = &p->facts->objects[m->objects.objects[0]];
            double half = b->half[0] > b->half[1] ? b->half[0] : b->half[1];
            double dx = m->at[0] - at[0], dy = m->at[1] - at[1];
            barred = sqrt(dx * dx + dy * dy) < half + own_half + 0.05;
        }
        const double bottom[3] = {at[0], at[1], at[2] - o->half[2]};
        for (uint32_t n = 0; n < p->facts->object_count && !barred; n++)
            barred = !p->facts->objects[n].is_static && builtin_is_in_the_way(p->facts, n, object, bottom);
        if (barred) continue;
        memcpy(move.at, at, sizeof at);
        etna_code code = planner_find_place(p, &move, &object, 1, ret, ret_found);
        if (code != ETNA_OK) return code;
    }
    if (*ret_found) ret->because = because;
    return ETNA_OK;
}

etna_code planner_put_aside(const planner *p, uint32_t object, uint32_t away_from, const builtin_rect *keep,
                            uint32_t keep_count, const char *because, plan *ret, bool *ret_found)
{
    *ret_found = false;
    /* What only leans or lies crooked is attached, too, and can be put anywhere. */
    if (builtin_hangs_on(p->facts, object) != BUILTIN_NONE) return hang_aside(p, object, because, ret, ret_found);
    uint32_t bases[SURFACES_TRIED], given_up = 0;
    double cost[SURFACES_TRIED], best = INFINITY;
    uint32_t count = asides(p, object, away_from, bases, cost);
    const builtin_object *o = &p->facts->objects[object];
    const double(*avoid)[3] = NULL;
    etna_code code = builtin_given_up(p->talk, "given_up_here", object, &avoid, &given_up, p->err);
    *ret_found = false;
    uint32_t skip = planner_failures(p, object);
    builtin_rect wanted[KEPT_MAX];
    uint32_t kept = kept_free(p, keep, keep_count, wanted);
    for (uint32_t i = 0; code == ETNA_OK && i < 2 * count;
         i++) { /* a second time for what is small: a lid on a saucer */
        uint32_t base = bases[i % count];
        if (*ret_found && (i >= count || cost[i] >= best)) break;
        if (has_failed_on(p, object, base)) continue;
        builtin_wish wish = {.object = object,
                             .reference = base,
                             .avoid = avoid,
                             .avoid_count = given_up,
                             .taken = wanted,
                             .taken_count = kept};
        wish.taste = is_reference(p, base) ? TASTE_TIGHT : TASTE_NEAR;
        wish.near[0] = o->centre[0];
        wish.near[1] = o->centre[1];
        builtin_spot spots[BUILTIN_SPOTS_MAX];
        uint32_t found = 0;
        code = builtin_spots(p->facts, &wish, spots, &found, p->err);
        const builtin_object *b = &p->facts->objects[base];
        wish.turned = code == ETNA_OK && (found == 0 || spots[0].centre_only) && !b->is_static;
        if (wish.turned) { /* a tray on a cabinet as narrow as it is */
            builtin_spot across[BUILTIN_SPOTS_MAX];
            uint32_t more = 0;
            code = builtin_spots(p->facts, &wish, across, &more, p->err);
            wish.turned = more > 0 && !across[0].centre_only;
            if (wish.turned) memcpy(spots, across, sizeof across);
            if (wish.turned) found = more;
        }
        if (code != ETNA_OK || found == 0) continue;
        const builtin_spot *spot = &spots[skip % found];
        bool larger = o->half[0] * o->half[1] > b->half[0] * b->half[1];
        bool balances = spot->centre_only && (i < count || b->on_count > 0 || is_reference(p, base) || larger);
        if (spot->surface == BUILTIN_NONE || balances) continue;
        double dx = spot->point[0] - o->centre[0], dy = spot->point[1] - o->centre[1];
        double farther = sqrt(dx * dx + dy * dy) - way_to(o, &p->facts->surfaces[spot->surface]) -
                         1; /* a lawn begins here, and bears something only there */
        double value = cost[i % count] + (farther > 0 ? farther : 0);
        if (*ret_found && value >= best) continue;
        best = value;
        plan_list *all = etna_arena_alloc(p->talk->arena, 1, sizeof *all);
        if (!all) return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
        all->count = 0;
        for (uint32_t k = 0; k < found; k++) { /* the next ones where the solver refuses it */
            const builtin_spot *next = &spots[(skip + k) % found];
            const double at[3] = {next->point[0], next->point[1], next->point[2] + 0.01};
            all->items[all->count] = planner_put(object, base, at, 0.05);
            all->items[all->count].exact.has_yaw = wish.turned;
            all->items[all->count++].exact.yaw_deg = o->yaw_deg + 90;
        }
        const plan *first = planner_first(p, all);
        if (!first) return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
        *ret = *first;
        ret->because = because;
        *ret_found = true;
    }
    if (code != ETNA_OK || *ret_found || o->by_count > 0) return code;
    plan_list *open = etna_arena_alloc(p->talk->arena, 1, sizeof *open);
    if (!open) return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    open->count = 0;
    planner_seek_free(p, object, wanted, kept, open);
    const plan *first = open->count > 0 ? planner_first(p, open) : NULL;
    if (open->count > 0 && !first) return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    if (!first) return ETNA_OK;
    *ret = *first;
    ret->because = because;
    *ret_found = true;
    return ETNA_OK;
}

/* ---- what stands in the way ---- */

/* Did both stand where their boxes overlap when the run began, and does this one stand there still? A corner sofa's box
 * takes in the table before it, and blocks nothing there. */
static bool stood_together(const builtin_facts *facts, uint32_t object, uint32_t other)
{
    const builtin_object *a = &facts->objects[object], *b = &facts->objects[other];
    for (int k = 0; k < 3; k++) {
        if (fabs(a->start[k] - a->centre[k]) > 1e-6) return false;
    }
    builtin_rect one = builtin_footprint(a, a->start[0], a->start[1], 0),
                 two = builtin_footprint(b, b->start[0], b->start[1], 0);
    bool meet =
        one.low[0] < two.high[0] && one.high[0] > two.low[0] && one.low[1] < two.high[1] && one.high[1] > two.low[1];
    return object != other && meet && fabs(a->start[2] - b->start[2]) < a->half[2] + b->half[2];
}

/* Does it stand where the goal wants it, having been moved there? Then it does not make room for others. */
bool planner_is_settled(const planner *p, uint32_t object)
{
    for (uint32_t i = 0; i < p->reading.count && p->facts->objects[object].moved; i++) {
        const builtin_move *m = &p->reading.moves[i];
        for (uint32_t k = 0; k < m->objects.count; k++) {
            if (m->objects.objects[k] == object && planner_holds(p, m, object)) return true;
        }
    }
    return false;
}

uint32_t planner_occupant(const planner *p, uint32_t object, uint32_t old, const double at[3], bool is_free)
{
    for (uint32_t i = 0; i < p->facts->object_count; i++) {
        if (is_free && planner_is_settled(p, i)) continue;
        if (p->facts->objects[i].is_static || builtin_is_above(p->facts, object, i) || stood_together(p->facts, i, old))
            continue;
        if (builtin_is_in_the_way(p->facts, i, object, at)) return i;
    }
    return BUILTIN_NONE;
}

static bool is_one_of(const builtin_set *set, uint32_t object)
{
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->objects[i] == object) return true;
    }
    return false;
}

bool planner_is_covering(const builtin_facts *facts, uint32_t object)
{
    const double thickest = 0.04, smallest = 0.2; /* metres, square metres */
    const builtin_object *o = &facts->objects[object];
    return 2 * o->half[2] <= thickest && 4 * o->half[0] * o->half[1] >= smallest;
}

/* Could the goal do without the thing where it stands? Not if it is spoken of, or carries what is. */
bool planner_can_leave(const planner *p, uint32_t other, uint32_t object)
{
    const builtin_object *b = &p->facts->objects[other];
    if (b->is_static || b->immovable || other == object || planner_is_above(p->facts, object, other)) return false;
    if (planner_is_covering(p->facts, other) && !planner_will_move(p, other)) return false;
    for (uint32_t i = 0; i < p->reading.count; i++) {
        const builtin_move *m = &p->reading.moves[i];
        if (m->reference < p->facts->object_count && planner_is_above(p->facts, m->reference, other)) return false;
        if (m->second < p->facts->object_count && planner_is_above(p->facts, m->second, other)) return false;
        if (is_one_of(&m->objects, other) && !planner_will_move(p, other)) return false;
    }
    return true;
}

etna_code planner_find_way(const planner *p, const builtin_move *move, uint32_t object, uint32_t reference,
                           planner_way *ret, bool *ret_found)
{
    const builtin_facts *facts = p->facts;
    uint32_t *list = etna_arena_alloc(p->talk->arena, facts->object_count + 1u, sizeof *list), found = 0, given_up = 0;
    if (!list) return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    builtin_wish wish = {.object = object,
                         .reference = reference,
                         .taste = TASTE_ROOMY,
                         .move = move,
                         .ignored = list,
                         .ignored_cost = 2};
    *ret_found = false;
    *ret = (planner_way){.blocker = BUILTIN_NONE};
    etna_code code = builtin_given_up(p->talk, "given_up_here", object, &wish.avoid, &given_up, p->err);
    if (code != ETNA_OK) return code;
    wish.avoid_count = given_up;
    if (move->there.count > 0) { /* where these were, and rather without moving others */
        wish.taste = TASTE_NEAR;
        for (uint32_t i = 0; i < move->there.count; i++) {
            for (int k = 0; k < 2; k++)
                wish.near[k] += facts->objects[move->there.objects[i]].start[k] / move->there.count;
        }
    }
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    for (int pass = move->there.count ? 0 : 1; pass < 2 && found == 0; pass++) {
        wish.ignored_count = 0;
        for (uint32_t i = 0; i < facts->object_count; i++) {
            if ((pass || is_one_of(&move->there, i)) && planner_can_leave(p, i, object)) list[wish.ignored_count++] = i;
        }
        wish.ignored_cost = pass ? 2 : 0;
        code = builtin_spots(facts, &wish, spots, &found, p->err);
        if (code != ETNA_OK) return code;
    }
    for (uint32_t i = 0; i < found && !*ret_found; i++) {
        const double at[3] = {spots[i].point[0], spots[i].point[1], spots[i].point[2] + 0.01};
        ret->chosen = planner_put(object, reference, at, 0.05);
        *ret_found = !planner_was_refused(p, &ret->chosen);
    }
    for (uint32_t i = 0; i < wish.ignored_count && *ret_found; i++) {
        if (!builtin_is_in_the_way(facts, list[i], object, ret->chosen.exact.at)) continue;
        bool carries = ret->count > 0 && builtin_is_above(facts, ret->blocker, list[i]); /* a pile goes as one */
        if (ret->count == 0 || carries) ret->blocker = list[i];
        ret->count += ret->count == 0 || (!carries && !builtin_is_above(facts, list[i], ret->blocker));
    }
    return ETNA_OK;
}

etna_code planner_could_hold(const planner *p, const builtin_move *move, uint32_t object, uint32_t reference, bool *ret)
{
    *ret = true;
    if (reference >= p->facts->object_count || p->facts->objects[reference].is_static ||
        planner_will_move(p, reference))
        return ETNA_OK;
    uint32_t *list = etna_arena_alloc(p->talk->arena, p->facts->object_count + 1u, sizeof *list), found = 0;
    if (!list) return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    builtin_wish wish = {.object = object, .reference = reference, .taste = TASTE_ROOMY, .move = move, .ignored = list};
    for (uint32_t i = 0; i < p->facts->object_count; i++) {
        const builtin_object *o = &p->facts->objects[i];
        if (i != object && i != reference && !o->is_static && !o->immovable && planner_is_above(p->facts, i, reference))
            list[wish.ignored_count++] = i;
    }
    builtin_spot spots[BUILTIN_SPOTS_MAX];
    etna_code code = builtin_spots(p->facts, &wish, spots, &found, p->err);
    wish.turned = code == ETNA_OK && found == 0 && move->relation == RELATION_ON && move->facing == FACING_NONE;
    if (wish.turned) code = builtin_spots(p->facts, &wish, spots, &found, p->err);
    if (code == ETNA_OK) *ret = found > 0;
    return code;
}
