/* The built-in planner. It reads the instructions into moves (all of them at once, so that what cannot be read is refused
 * before any branch), takes the first thing that is not yet where it belongs, and finds the place in the world where it
 * is to come, by a table of tactics: straight there; else after what takes the place has made way. The one sentence that
 * it hands on says that place to the millimetre (place/exact.h).
 *
 *   goal mode:  every move holds -> <finished>; more edits needed than are left -> <impossible>
 *   list mode:  the first instruction that has something missing; each speaks of the scene that those before it left
 *
 * A plan that failed at this step, or was given up, is not made again: the next of its places is tried. */
#include "worker/builtin/plan/planner_internal.h"
#include "worker/builtin/read/predicates.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CLEAR_DEPTH = 32, CHAIN_DEPTH = 6, EDITS_OF_ONE = 4 };

/* ---- which thing next ---- */

static bool is_satisfied(const planner *p, const builtin_move *move)
{
    uint32_t there = 0;
    for (uint32_t i = 0; i < move->objects.count; i++) there += planner_holds(p, move, move->objects.objects[i]);
    return there >= move->objects.need;
}

static double footprint(const builtin_object *object) { return object->half[0] * object->half[1]; }

static bool is_turn(const builtin_move *move)
{
    return move->relation == RELATION_TURN || move->relation == RELATION_TURNED;
}

/* Is the place of the object the business of a later move? Then only that one counts for it ("put A on B, then A on
 * C"). Where it looks is another matter. */
static bool is_taken_later(const planner *p, uint32_t move, uint32_t object)
{
    for (uint32_t i = move + 1; i < p->reading.count; i++) {
        const builtin_set *set = &p->reading.moves[i].objects;
        if (is_turn(&p->reading.moves[move]) != is_turn(&p->reading.moves[i])) continue;
        for (uint32_t k = 0; k < set->count && set->count == set->need; k++) {
            if (set->objects[k] == object) return true;
        }
    }
    return false;
}

/* What is missing of a move, in the order it is to be done: as said, else the largest footprint first, for room; of
 * those of which only some are meant, what shows first. */
static uint32_t missing(const planner *p, uint32_t index, uint32_t *ret)
{
    const builtin_move *move = &p->reading.moves[index];
    uint32_t there = 0, count = 0;
    for (uint32_t i = 0; i < move->objects.count; i++) {
        uint32_t object = move->objects.objects[i];
        if (is_taken_later(p, index, object)) {
            there++;
        } else if (planner_holds(p, move, object)) {
            there++;
        } else {
            uint32_t at = count++;
            double size = footprint(&p->facts->objects[object]);
            bool rising = move->order == ORDER_SMALLEST, choice = move->objects.need < move->objects.count,
                 seen = p->facts->objects[object].visible;
            while (at > 0) {
                bool other_seen = p->facts->objects[ret[at - 1]].visible;
                double other = footprint(&p->facts->objects[ret[at - 1]]);
                if (choice && other_seen && !seen) break;
                if ((!choice || other_seen == seen) && (rising ? other <= size : other >= size)) break;
                ret[at] = ret[at - 1];
                at--;
            }
            ret[at] = object;
        }
    }
    uint32_t need = move->objects.need > there ? move->objects.need - there : 0;
    return count < need ? count : need;
}

/* How many things stand on `object`, and on these, and so on; and a topmost one. */
uint32_t planner_pile_on(const builtin_facts *facts, uint32_t object, uint32_t *ret_top)
{
    uint32_t count = 0, at = object;
    for (uint32_t depth = 0; depth < CLEAR_DEPTH; depth++) {
        const builtin_object *o = &facts->objects[at];
        uint32_t next = BUILTIN_NONE;
        for (uint32_t i = 0; i < o->on_count; i++) {
            if (facts->objects[o->on[i]].is_static || o->on[i] == object) continue;
            count++;
            if (next == BUILTIN_NONE) next = o->on[i];
        }
        if (next == BUILTIN_NONE) break;
        at = next;
    }
    *ret_top = at;
    return count;
}

static bool goes_somewhere(const planner *p, uint32_t object, uint32_t *ret_move)
{
    for (uint32_t i = 0; i < p->reading.count; i++) {
        uint32_t count = missing(p, i, p->scratch);
        for (uint32_t k = 0; k < count; k++) {
            if (p->scratch[k] != object) continue;
            *ret_move = i;
            return true;
        }
    }
    return false;
}

bool planner_will_move(const planner *p, uint32_t object)
{
    uint32_t move;
    return goes_somewhere(p, object, &move);
}

/* ---- answers ---- */

/* Is what the move refers to itself to be moved first? */
static bool waits(const planner *p, const builtin_move *move)
{
    const bool none = move->relation == RELATION_PLACE || move->relation == RELATION_OFF ||
                      move->relation == RELATION_SHIFT || move->relation == RELATION_TURN;
    if (none) return false;
    uint32_t named[3] = {move->reference, move->second, move->support};
    for (int i = 0; i < 3; i++) {
        if (named[i] < p->facts->object_count && planner_will_move(p, named[i])) return true;
    }
    return false;
}

/* The first move with something missing whose reference is not itself to be moved first; *ret_count 0: all hold. */
static uint32_t next_move(const planner *p, uint32_t *list, uint32_t *ret_count, uint32_t *ret_total, bool *ret_circle)
{
    uint32_t chosen = 0, total = 0;
    *ret_count = 0;
    *ret_circle = false;
    bool any = false;
    for (uint32_t i = 0; i < p->reading.count; i++) {
        uint32_t count = is_satisfied(p, &p->reading.moves[i]) ? 0 : missing(p, i, list);
        total += count;
        if (count == 0) continue;
        any = true;
        if (*ret_count == 0 && !waits(p, &p->reading.moves[i])) {
            chosen = i;
            *ret_count = count;
        }
    }
    *ret_circle = any && *ret_count == 0;
    *ret_total = total;
    if (*ret_count) *ret_count = missing(p, chosen, list);
    return chosen;
}

/* Something movable on the reference that the goal does not want there: it can make room. */
static uint32_t in_the_way(const planner *p, uint32_t reference)
{
    const builtin_object *base = &p->facts->objects[reference];
    for (uint32_t i = 0; i < base->on_count; i++) {
        const builtin_object *o = &p->facts->objects[base->on[i]];
        bool wanted = o->is_static || o->immovable || o->on_count > 0;
        for (uint32_t k = 0; k < p->reading.count && !wanted; k++) {
            const builtin_set *set = &p->reading.moves[k].objects;
            for (uint32_t n = 0; n < set->count && !wanted; n++)
                wanted = set->objects[n] == base->on[i] && p->reading.moves[k].reference == reference;
        }
        if (!wanted) return base->on[i];
    }
    return BUILTIN_NONE;
}

/* ---- tactics ---- */

typedef struct job { /* one thing to be placed */
    const builtin_move *move;
    uint32_t object, reference; /* reference: what it is to stand on; BUILTIN_NONE: not known */
    const uint32_t *list;       /* the thing, and what goes to the same place after it */
    uint32_t count;
    uint32_t depth; /* of things that make way for things that make way */
    plan_list *plans;
} job;

static etna_code place_one(const planner *p, const job *j, model_reply *ret, bool *ret_done);

/* Does the move say one place in the world, which is made free? */
static bool names_place(const planner *p, const job *j)
{
    (void)p;
    builtin_relation r = j->move->relation;
    return r == RELATION_AT || r == RELATION_PLACE || r == RELATION_OVER || r == RELATION_TUCK || r == RELATION_SHIFT;
}

static bool is_always(const planner *p, const job *j)
{
    (void)p;
    (void)j;
    return true;
}

static bool goes_alone(const planner *p, const job *j)
{
    (void)p;
    return j->move->alone;
}

static bool leaves(const planner *p, const job *j)
{
    const builtin_move *m = j->move;
    return m->relation == RELATION_OFF ||
           (m->relation == RELATION_AWAY && builtin_is_above(p->facts, j->object, m->reference));
}

static bool is_hung_there(const planner *p, const job *j)
{
    return builtin_is_hung(p->facts, j->move, j->object) || j->move->hung;
}

static bool has_company(const planner *p, const job *j)
{
    (void)p;
    return j->move->there.count > 0;
}

static bool goes_somewhere_on(const planner *p, const job *j)
{
    return !names_place(p, j) && !leaves(p, j) && !is_turn(j->move) && !is_hung_there(p, j) &&
           j->reference < p->facts->object_count;
}

static bool goes_onto(const planner *p, const job *j)
{
    bool on_it = j->move->relation == RELATION_ON || j->move->relation == RELATION_IN;
    return on_it && !is_hung_there(p, j) && j->reference < p->facts->object_count && p->left > j->count;
}

static etna_code say_if_found(const planner *p, const plan *chosen, bool found, model_reply *ret, bool *ret_done)
{
    *ret_done = found;
    return found ? planner_say(p, chosen, ret) : ETNA_OK;
}

/* What stands on it stays behind. */
static etna_code shed_load(const planner *p, const job *j, model_reply *ret, bool *ret_done)
{
    uint32_t top, pile = planner_pile_on(p->facts, j->object, &top);
    if (pile == 0) return ETNA_OK;
    plan chosen;
    bool found = false;
    const char *because = etna_arena_printf(p->talk->arena, "%.255s stands on %.255s and stays behind. ",
                                            p->facts->objects[top].name, p->facts->objects[j->object].name);
    if (!because) return planner_no_memory(p);
    etna_code code = planner_put_aside(p, top, j->object, NULL, 0, because, &chosen, &found);
    return code == ETNA_OK ? say_if_found(p, &chosen, found, ret, ret_done) : code;
}

/* Anywhere but where it is. */
static etna_code go_away(const planner *p, const job *j, model_reply *ret, bool *ret_done)
{
    plan chosen;
    bool found = false;
    const builtin_object *from = &p->facts->objects[j->move->reference];
    const builtin_rect keep = builtin_footprint(from, from->centre[0], from->centre[1], 0.02); /* nor under it */
    etna_code code = planner_put_aside(p, j->object, j->move->reference, &keep, 1, "", &chosen, &found);
    if (code == ETNA_OK && !found && j->move->relation == RELATION_OFF)
        code = planner_put_aside(p, j->object, j->move->reference, NULL, 0, "", &chosen, &found);
    return code == ETNA_OK ? say_if_found(p, &chosen, found, ret, ret_done) : code;
}

/* Does a bystander take so much of the place that is said that no slack avoids it? */
static bool fills_place(const planner *p, const job *j, const plan *chosen, uint32_t other, const double at[3])
{
    double slack = chosen->exact.slack;
    bool said = j->move->relation == RELATION_AT || j->move->relation == RELATION_PLACE;
    for (uint32_t i = 0; i < j->plans->count; i++) {
        if (j->plans->items[i].exact.slack > slack) slack = j->plans->items[i].exact.slack;
    }
    const builtin_object *b = &p->facts->objects[other];
    builtin_rect own = builtin_footprint(&p->facts->objects[j->object], at[0], at[1], -slack - 0.01),
                 its = builtin_footprint(b, b->centre[0], b->centre[1], 0);
    bool meet =
        own.low[0] < its.high[0] && own.high[0] > its.low[0] && own.low[1] < its.high[1] && own.high[1] > its.low[1];
    bool within = own.low[0] < own.high[0] && own.low[1] < own.high[1];
    return said && within && meet && planner_can_leave(p, other, j->object) && b->by_count > 0;
}

/* Would the two boxes meet as they are turned, seen from above? A counter that stands askew has a far wider footprint. */
static bool boxes_meet(const builtin_object *a, const double at[2], const builtin_object *b, const double b_at[2])
{
    const double ways[4][2] = {{a->heading[0], a->heading[1]},
                               {-a->heading[1], a->heading[0]},
                               {b->heading[0], b->heading[1]},
                               {-b->heading[1], b->heading[0]}};
    bool meet = true;
    for (int i = 0; i < 4; i++) {
        double away = (at[0] - b_at[0]) * ways[i][0] + (at[1] - b_at[1]) * ways[i][1];
        meet = meet && fabs(away) < builtin_extent(a, ways[i]) + builtin_extent(b, ways[i]);
    }
    return meet;
}

/* What takes the room that the plan needs and would make way: what stood there and is to be replaced, or goes somewhere
 * else anyway; `any`: also a bystander. */
static uint32_t blocker_of(const planner *p, const job *j, const plan *chosen, bool any)
{
    const builtin_facts *facts = p->facts;
    double at[3] = {chosen->exact.at[0], chosen->exact.at[1], chosen->exact.at[2]};
    if (chosen->exact.kind != EXACT_PUT) at[2] -= facts->objects[j->object].half[2];
    for (uint32_t i = 0; i < facts->object_count; i++) {
        const builtin_object *o = &facts->objects[i];
        bool firm = o->is_static || o->immovable || i == j->object || i == chosen->exact.support ||
                    planner_is_settled(p, i) || builtin_is_above(facts, i, j->object) ||
                    planner_is_above(facts, j->object, i) || !builtin_is_in_the_way(facts, i, j->object, at);
        if (firm || (chosen->exact.support < facts->object_count && planner_is_above(facts, chosen->exact.support, i)))
            continue;
        if (j->move->relation == RELATION_SHIFT && !boxes_meet(&facts->objects[j->object], at, o, o->centre)) continue;
        bool replaced = (j->move->relation == RELATION_PLACE && i == j->move->reference) || planner_will_move(p, i) ||
                        fills_place(p, j, chosen, i, at);
        for (uint32_t k = 0; k < j->move->there.count; k++) replaced = replaced || j->move->there.objects[k] == i;
        if (replaced || (any && planner_can_leave(p, i, j->object))) return i;
    }
    return BUILTIN_NONE;
}

/* Makes `blocker` leave the room that the job's thing needs at `at`: to where it is to go anyway where that is free,
 * else aside. */
static etna_code send_off(const planner *p, const job *j, uint32_t blocker, const double at[3], model_reply *ret,
                          bool *ret_done)
{
    uint32_t own;
    if (j->depth < CHAIN_DEPTH && goes_somewhere(p, blocker, &own) && !waits(p, &p->reading.moves[own])) {
        const job other = {.move = &p->reading.moves[own],
                           .object = blocker,
                           .reference = builtin_support_of(p->facts, &p->reading.moves[own], blocker),
                           .list = &blocker,
                           .count = 1,
                           .depth = j->depth + 1,
                           .plans = j->plans};
        plan_list *plans = etna_arena_alloc(p->talk->arena, 1, sizeof *plans);
        if (!plans) return planner_no_memory(p);
        etna_code code = planner_seek(p, other.move, blocker, NULL, 0, plans);
        if (code != ETNA_OK) return code;
        bool open = plans->count > 0 && blocker_of(p, &other, &plans->items[0], true) == BUILTIN_NONE &&
                    !(plans->items[0].exact.support < p->facts->object_count &&
                      planner_is_above(p->facts, plans->items[0].exact.support, j->object));
        const plan *first = open ? planner_first(p, plans) : NULL;
        if (open) return first ? say_if_found(p, first, true, ret, ret_done) : planner_no_memory(p);
    }
    plan chosen;
    bool found = false;
    builtin_rect keep = builtin_footprint(&p->facts->objects[j->object], at[0], at[1], 0.02);
    const char *because =
        etna_arena_printf(p->talk->arena, "%.255s stands where %.255s is to go and makes room first. ",
                          p->facts->objects[blocker].name, p->facts->objects[j->object].name);
    if (!because) return planner_no_memory(p);
    etna_code code = planner_put_aside(p, blocker, blocker, &keep, 1, because, &chosen, &found);
    return code == ETNA_OK ? say_if_found(p, &chosen, found, ret, ret_done) : code;
}

/* Has anything that nobody spoke of left the place already? Then the first try there has shown that it is taken, and
 * the rest of what stands there leaves before the next. */
static bool is_being_freed(const planner *p, const job *j, const plan *chosen)
{
    if (j->move->relation != RELATION_SHIFT) return false;
    for (uint32_t i = 0; i < p->facts->object_count; i++) {
        const builtin_object *o = &p->facts->objects[i];
        bool left = o->moved && i != j->object && planner_can_leave(p, i, j->object) && !planner_will_move(p, i);
        if (left && boxes_meet(&p->facts->objects[j->object], chosen->exact.at, o, o->start)) return true;
    }
    return false;
}

/* The place that is said is taken by what is to be replaced. */
static etna_code free_place(const planner *p, const job *j, model_reply *ret, bool *ret_done)
{
    if (j->plans->count == 0) return ETNA_OK;
    const plan *first = &j->plans->items[0];
    uint32_t blocker = blocker_of(p, j, first, is_being_freed(p, j, first));
    return blocker == BUILTIN_NONE ? ETNA_OK : send_off(p, j, blocker, first->exact.at, ret, ret_done);
}

static etna_code go_there(const planner *p, const job *j, model_reply *ret, bool *ret_done)
{
    if (j->plans->count == 0) return ETNA_OK;
    const plan *first = planner_first(p, j->plans);
    return first ? say_if_found(p, first, true, ret, ret_done) : planner_no_memory(p);
}

/* The place that is said is taken by something that nobody spoke of. */
static etna_code free_place_of_any(const planner *p, const job *j, model_reply *ret, bool *ret_done)
{
    plan here = {
        .exact = {.kind = j->move->hung ? EXACT_HANG : EXACT_PUT, .object = j->object, .support = j->reference}};
    memcpy(here.exact.at, j->move->at, sizeof here.exact.at);
    if (j->move->relation == RELATION_PLACE) builtin_old_place(p->facts, j->move, here.exact.at);
    if (j->move->relation == RELATION_OVER && j->move->reference < p->facts->object_count) {
        const builtin_object *ref = &p->facts->objects[j->move->reference];
        for (int k = 0; k < 2; k++) here.exact.at[k] = ref->centre[k];
        here.exact.at[2] = ref->centre[2] + (j->reference == j->move->reference ? 1 : -1) * ref->half[2];
    }
    if (j->move->relation == RELATION_SHIFT) {
        const builtin_object *o = &p->facts->objects[j->object];
        bool stands = o->by_count > 0 && !o->attached && !o->hovering;
        if (!stands) return ETNA_OK;
        planner_shifted(p, j->move, j->object, here.exact.at);
        here.exact.at[2] -= o->half[2];
        here.exact.support = o->by[0];
    }
    if (j->move->relation == RELATION_TUCK) return ETNA_OK;
    uint32_t blocker = blocker_of(p, j, &here, true);
    return blocker == BUILTIN_NONE ? ETNA_OK : send_off(p, j, blocker, here.exact.at, ret, ret_done);
}

/* What stands on the same thing moves over, so that both have room. */
static etna_code move_over(const planner *p, const job *j, uint32_t blocker, model_reply *ret, bool *ret_done)
{
    plan over;
    bool found = false;
    if (j->reference >= p->facts->object_count || p->left <= j->count) return ETNA_OK;
    etna_code code = planner_move_over(p, j->move, j->object, blocker, j->reference, &over, &found);
    if (code != ETNA_OK || !found) return code;
    over.because = etna_arena_printf(p->talk->arena, "%.255s moves over on %.255s, so that %.255s has room. ",
                                     p->facts->objects[blocker].name, p->facts->objects[j->reference].name,
                                     p->facts->objects[j->object].name);
    return over.because ? say_if_found(p, &over, true, ret, ret_done) : planner_no_memory(p);
}

/* What stands where the thing is to go leaves first; if nothing does, the thing goes there. */
static etna_code make_way(const planner *p, const job *j, model_reply *ret, bool *ret_done)
{
    planner_way w;
    bool found = false;
    if (j->reference >= p->facts->object_count) return ETNA_OK;
    etna_code code = planner_find_way(p, j->move, j->object, j->reference, &w, &found);
    if (code != ETNA_OK || !found) return code;
    if (w.count == 0) return say_if_found(p, &w.chosen, true, ret, ret_done);
    if (w.count + j->count > p->left) {
        const char *why = etna_arena_printf(
            p->talk->arena,
            "%u thing%s, as %.255s, stand%s where %.255s is to go: that takes more edits than the %u left.", w.count,
            w.count == 1 ? "" : "s", p->facts->objects[w.blocker].name, w.count == 1 ? "s" : "",
            p->facts->objects[j->object].name, p->left);
        *ret_done = true;
        return planner_say_impossible(p, "impossible", ret, why);
    }
    if (w.count == 1) code = move_over(p, j, w.blocker, ret, ret_done);
    if (code != ETNA_OK || *ret_done) return code;
    return send_off(p, j, w.blocker, w.chosen.exact.at, ret, ret_done);
}

/* There is no room on it: something that the goal does not want there makes some. */
static etna_code make_room(const planner *p, const job *j, model_reply *ret, bool *ret_done)
{
    plan chosen;
    bool found = false, anywhere = true;
    etna_code code = planner_could_hold(p, j->move, j->object, j->reference, &anywhere);
    uint32_t blocker = in_the_way(p, j->reference);
    if (code != ETNA_OK || !anywhere || blocker == BUILTIN_NONE) return code;
    code = move_over(p, j, blocker, ret, ret_done);
    if (code != ETNA_OK || *ret_done || p->served[blocker]) return code;
    const char *because = etna_arena_printf(p->talk->arena, "There is no room on %.255s while %.255s stands there. ",
                                            p->facts->objects[j->reference].name, p->facts->objects[blocker].name);
    if (!because) return planner_no_memory(p);
    code = planner_put_aside(p, blocker, j->reference, NULL, 0, because, &chosen, &found);
    if (code != ETNA_OK || found) return code == ETNA_OK ? say_if_found(p, &chosen, found, ret, ret_done) : code;
    *ret_done = true;
    because = etna_arena_printf(p->talk->arena, "%sThere is no other place to put that.", because);
    return planner_say_impossible(p, "no_place", ret, because);
}

/* In this order, each where it applies, until one has something to say. */
static const struct tactic {
    bool (*applies)(const planner *p, const job *j);
    etna_code (*act)(const planner *p, const job *j, model_reply *ret, bool *ret_done);
} tactics[] = {{goes_alone, shed_load},          {leaves, go_away},     {has_company, make_way},
               {names_place, free_place},        {is_always, go_there}, {goes_somewhere_on, make_way},
               {names_place, free_place_of_any}, {goes_onto, make_room}};

static etna_code place_one(const planner *p, const job *j, model_reply *ret, bool *ret_done)
{
    etna_code code = leaves(p, j) ? ETNA_OK : planner_seek(p, j->move, j->object, j->list + 1, j->count - 1, j->plans);
    for (size_t i = 0; i < sizeof tactics / sizeof *tactics && code == ETNA_OK && !*ret_done; i++) {
        if (tactics[i].applies(p, j)) code = tactics[i].act(p, j, ret, ret_done);
    }
    return code;
}

/* Do two reasons say the same of different places? Only their letters count. */
static bool is_same_reason(const char *a, const char *b)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (;;) {
        a += strcspn(a, letters);
        b += strcspn(b, letters);
        if (*a != *b) return false;
        if (!*a) return true;
        a++;
        b++;
    }
}

/* Why the last edit of this step was given up; NULL: none was. *ret_times: so often for that reason. */
static const char *given_up_for(const planner *p, uint32_t *ret_times)
{
    static const char failed[] = " failed: ", said[] = "the planner says the goal cannot be reached from here: ";
    const json_t *rows = json_object_get(p->talk->task, "given_up_here");
    const char *last = NULL;
    *ret_times = 0;
    for (size_t i = json_array_size(rows); i > 0; i--) {
        const char *later = json_string_value(json_object_get(json_array_get(rows, i - 1), "later"));
        const char *cause = later ? strstr(later, failed) : NULL;
        if (!cause) continue;
        cause += strlen(failed);
        if (strncmp(cause, said, strlen(said)) == 0) cause += strlen(said);
        if (!last) last = cause;
        *ret_times += is_same_reason(last, cause);
    }
    return last;
}

static etna_code place_next(const planner *p, const uint32_t *list, uint32_t count, const builtin_move *move,
                            model_reply *ret)
{
    job j = {.move = move, .object = list[0], .list = list, .count = count};
    bool done = false;
    if (planner_edits_of(p, list[0]) >= EDITS_OF_ONE) {
        const char *why =
            etna_arena_printf(p->talk->arena, "%.255s was moved %u times and does not come to be as asked.",
                              p->facts->objects[list[0]].name, planner_edits_of(p, list[0]));
        return planner_say_impossible(p, "no_place", ret, why);
    }
    uint32_t left = planner_left_behind(p, move, list[0]);
    if (left != BUILTIN_NONE) {
        const char *why =
            etna_arena_printf(p->talk->arena, "%.255s stood on %.255s and stayed behind when that was moved.",
                              p->facts->objects[left].name, p->facts->objects[list[0]].name);
        return planner_say_impossible(p, "no_place", ret, why);
    }
    uint32_t times = 0;
    const char *cause = given_up_for(p, &times);
    bool has_choice = !names_place(p, &j) && !is_turn(move); /* else another place would not be what is asked */
    if (times > (has_choice ? 1u : 0u)) return planner_say_impossible(p, "no_place", ret, cause);
    j.reference = builtin_support_of(p->facts, move, list[0]);
    j.plans = etna_arena_alloc(p->talk->arena, 1, sizeof *j.plans);
    if (!j.plans) return planner_no_memory(p);
    j.plans->count = 0;
    etna_code code = place_one(p, &j, ret, &done);
    if (code != ETNA_OK || done) return code;
    if (cause)
        return planner_say_impossible(p, "no_place", ret, cause); /* the first cause tells more than the last place */
    if (is_hung_there(p, &j) && move->relation != RELATION_AT) return planner_say_no_hook(p, move, list[0], ret);
    return planner_say_no_place(p, list[0], move, j.reference, ret);
}

/* ---- the next edit of the moves ---- */

static uint32_t number_in(const json_t *task, const char *key)
{
    json_int_t value = json_integer_value(json_object_get(task, key));
    return value > 0 && value < 1000000 ? (uint32_t)value : 0;
}

/* *ret_done false: every move holds. */
static etna_code plan_moves(planner *p, model_reply *ret, bool *ret_done)
{
    uint32_t *list = etna_arena_alloc(p->talk->arena, p->facts->object_count + 1u, sizeof *list), count = 0, total = 0;
    if (!list) return planner_no_memory(p);
    bool circle = false;
    etna_code code = planner_choose_supports(p);
    if (code == ETNA_OK) code = planner_forgo_no_nearer(p);
    if (code != ETNA_OK) return code;
    uint32_t move = next_move(p, list, &count, &total, &circle);
    *ret_done = circle || count > 0;
    if (circle)
        return planner_say_impossible(
            p, "impossible", ret,
            "Each of these is to stand on another that is itself to be moved: there is nothing to begin with.");
    if (count == 0) return ETNA_OK;
    if (total > p->left) {
        uint32_t done = number_in(p->talk->task, "step");
        const char *why = etna_arena_printf(
            p->talk->arena, "The goal needs %u more edit%s, but only %u %s left: --max-steps %u would do.", total,
            total == 1 ? "" : "s", p->left, p->left == 1 ? "is" : "are", total + (done ? done - 1 : 0));
        return planner_say_impossible(p, "impossible", ret, why);
    }
    const builtin_move *first = &p->reading.moves[move];
    for (uint32_t i = move + 1; i < p->reading.count; i++) { /* others that go to the same place need room too */
        if (p->reading.moves[i].reference != first->reference || p->reading.moves[i].relation != first->relation ||
            is_satisfied(p, &p->reading.moves[i]))
            continue;
        uint32_t more = missing(p, i, p->scratch);
        for (uint32_t k = 0; k < more && count < p->facts->object_count; k++) list[count++] = p->scratch[k];
    }
    const char *why = NULL;
    bool stands = (first->relation == RELATION_ON || first->relation == RELATION_IN) &&
                  !builtin_is_hung(p->facts, first, list[0]);
    if (stands && planner_lacks_room(p, first->reference, list, count, &why))
        return planner_say_impossible(p, "no_place", ret, why);
    return place_next(p, list, count, first, ret);
}

/* ---- reading the task ---- */

/* What a model made of the sentence, where it made something of all of it: *ret_is_read. ETNA_E_NOMEM. */
static etna_code read_meaning(planner *p, bool *ret_is_read)
{
    const json_t *meaning = json_object_get(p->talk->task, "meaning"), *said = json_object_get(meaning, "predicates");
    etna_error why = {0};
    *ret_is_read = false;
    if (json_array_size(said) == 0 || json_array_size(json_object_get(meaning, "unread")) > 0) return ETNA_OK;
    builtin_reading *all = etna_arena_alloc(p->talk->arena, 1, sizeof *all);
    if (!all) return planner_no_memory(p);
    etna_code code = predicates_read(said, &p->then, p->talk->arena, all, &why);
    if (code == ETNA_E_INPUT) return ETNA_OK; /* then the sentence itself is read */
    if (code != ETNA_OK) return planner_no_memory(p);
    uint32_t count = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        if (p->list_mode && all->moves[i].instruction + 1 != p->instruction) continue;
        all->moves[count++] = all->moves[i];
    }
    if (count == 0) return ETNA_OK;
    all->count = count;
    p->reading = *all;
    *ret_is_read = true;
    return ETNA_OK;
}

/* Reads a sentence on the scene p->then; what p->reading holds is what "it" means, and is gone then. ETNA_E_INPUT: it
 * cannot be read, p->reading.refusal says why. */
static etna_code read_sentence(planner *p, const char *sentence)
{
    uint32_t before = p->reading.count;
    bool is_read = false;
    etna_error why = {0};
    p->reading.refusal = (builtin_refusal){0};
    etna_code code = read_meaning(p, &is_read);
    if (code != ETNA_OK || is_read) return code;
    code = builtin_read(&p->then, sentence, p->talk->arena, &p->reading, &why);
    if (code == ETNA_OK) {
        p->reading.count -= before;
        memmove(p->reading.moves, p->reading.moves + before, p->reading.count * sizeof *p->reading.moves);
        return ETNA_OK;
    }
    if (code != ETNA_E_INPUT) return planner_no_memory(p);
    builtin_refusal *refusal = &p->reading.refusal;
    const char *text = etna_arena_strdup(p->talk->arena, why.text);
    if (!text) return planner_no_memory(p);
    if (!refusal->code) *refusal = (builtin_refusal){.code = "unread", .what = text};
    if (!refusal->what || !*refusal->what) refusal->what = text;
    return ETNA_E_INPUT;
}

/* Takes what was read apart, or says why it was not read (`read`: what came of reading). *ret_said: it is refused, in *ret. */
static etna_code take_apart(planner *p, etna_code read, const char *sentence, model_reply *ret, bool *ret_said)
{
    etna_error why = {0}, *err = p->err;
    *ret_said = true;
    if (read == ETNA_E_INPUT) return planner_say_unreadable(p, &p->reading.refusal, sentence, ret);
    if (read != ETNA_OK) return read;
    p->err = &why;
    etna_code code = planner_expand(p);
    p->err = err;
    *ret_said = code == ETNA_E_INPUT || code == ETNA_E_NOTFOUND;
    if (!*ret_said) {
        if (code != ETNA_OK && err) *err = why;
        return code;
    }
    const char *text = etna_arena_strdup(p->talk->arena, why.text);
    if (!text) return planner_no_memory(p);
    return planner_say_impossible(p, code == ETNA_E_NOTFOUND ? "no_place" : "impossible", ret, text);
}

static const char *sentence_at(const json_t *rows, size_t i)
{
    const char *text = json_string_value(json_object_get(json_array_get(rows, i), "text"));
    return text ? text : "";
}

/* The instruction that this step is for, where the list has one edit for each; 0: it has as many as they take. */
static uint32_t marked_current(const json_t *rows)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        if (json_is_true(json_object_get(json_array_get(rows, i), "current"))) return (uint32_t)i + 1;
    }
    return 0;
}

/* Leaves what an instruction's "it" means: what the one before it moved; of the first, what the run before did. */
static etna_code recall(planner *p, const builtin_reading *last, const json_t *edits, const char *sentence)
{
    if (p->instruction == 1) return planner_recall_run(p, sentence);
    return planner_recall(p, last, edits, p->instruction - 1);
}

/* ---- the end of a list ---- */

typedef struct instruction { /* as it was read, on the scene as it was then */
    bool is_read;
    builtin_reading reading;
    builtin_facts then;
} instruction;

static void served_mark(bool *served, const builtin_reading *reading)
{
    for (uint32_t i = 0; i < reading->count; i++) {
        const builtin_move *m = &reading->moves[i];
        for (uint32_t k = 0; k < m->objects.count; k++) served[m->objects.objects[k]] = true;
        if (m->relation == RELATION_SWAP && m->reference != BUILTIN_NONE) served[m->reference] = true;
    }
}

/* Does the move still hold, but for what later instructions (`later`) say something else of? */
static bool still_holds(const planner *p, const builtin_move *move, const bool *later)
{
    const uint32_t named[3] = {move->reference, move->second, move->support};
    for (int i = 0; i < 3; i++) {
        if (named[i] < p->facts->object_count && later[named[i]]) return true;
    }
    builtin_move state = *move;
    state.goes = false; /* whether there was a nearer place was asked when it was its turn */
    uint32_t there = 0;
    for (uint32_t i = 0; i < move->objects.count; i++) {
        uint32_t object = move->objects.objects[i];
        there += later[object] || planner_holds(p, &state, object);
    }
    return there >= move->objects.need;
}

/* Each instruction holds when the next is begun; at the end all must: what one brought about another may have undone. */
static etna_code check_instructions(planner *p, const instruction *all, uint32_t count, model_reply *ret,
                                    bool *ret_said)
{
    bool *later = p->served;
    memset(later, 0, p->facts->object_count * sizeof *later);
    for (uint32_t i = count; i > 0 && !*ret_said; i--) {
        etna_error why = {0}, *err = p->err;
        if (!all[i - 1].is_read) continue;
        p->instruction = i;
        p->reading = all[i - 1].reading;
        p->then = all[i - 1].then;
        p->err = &why;
        etna_code code = planner_expand(p);
        if (code == ETNA_OK) code = planner_choose_supports(p);
        p->err = err;
        if (code == ETNA_E_NOMEM) return planner_no_memory(p);
        for (uint32_t k = 0; code == ETNA_OK && k < p->reading.count && !*ret_said; k++) {
            const builtin_move *m = &p->reading.moves[k];
            if (is_taken_later(p, k, m->objects.objects[0]) || still_holds(p, m, later)) continue;
            *ret_said = true;
            return planner_say_impossible(
                p, "no_place", ret,
                etna_arena_printf(p->talk->arena,
                                  "What instruction %u asks of %.255s does not hold any more at the end.", i,
                                  p->facts->objects[m->objects.objects[0]].name));
        }
        served_mark(later, &all[i - 1].reading);
    }
    return ETNA_OK;
}

static etna_code plan_instructions(planner *p, const json_t *rows, model_reply *ret)
{
    const json_t *edits = json_object_get(p->talk->task, "edits");
    uint32_t count = (uint32_t)json_array_size(rows), current = 1;
    bool said = false, done = false;
    builtin_reading *last = etna_arena_alloc(p->talk->arena, 1, sizeof *last);
    instruction *all = etna_arena_alloc(p->talk->arena, count + 1u, sizeof *all);
    if (!last || !all) return planner_no_memory(p);
    last->count = 0;
    for (size_t i = 0; i < json_array_size(edits); i++) {
        uint32_t item = builtin_edit_item(json_array_get(edits, i), true);
        if (item > current) current = item;
    }
    uint32_t only = marked_current(rows);
    if (only) current = only;
    for (uint32_t i = 1; i <= count; i++) {
        const char *sentence = sentence_at(rows, i - 1);
        p->instruction = i;
        etna_code code = builtin_facts_before(p->facts, edits, i, p->talk->arena, &p->then, p->err);
        if (code == ETNA_OK) code = recall(p, last, edits, sentence);
        if (code == ETNA_OK) code = read_sentence(p, sentence);
        if (code == ETNA_E_INPUT && only > 1 && i == only) { /* "the cup from the tray" that has left it since */
            code = builtin_facts_at_start(p->facts, p->talk->arena, &p->then, p->err);
            if (code == ETNA_OK) code = recall(p, last, edits, sentence);
            if (code == ETNA_OK) code = read_sentence(p, sentence);
        }
        if (i > 1) served_mark(p->served, last);
        if (code == ETNA_OK) *last = p->reading;
        if (code != ETNA_OK && code != ETNA_E_INPUT) return code;
        all[i - 1].is_read = code == ETNA_OK;
        all[i - 1].reading = p->reading;
        all[i - 1].then = p->then;
        if (i < current || (only > 1 && i > only)) continue;
        code = take_apart(p, code, sentence, ret, &said);
        if (code != ETNA_OK || said) return code;
        if (done || (only && i > only))
            continue; /* the first step reads all of them, so that what cannot be read is refused before */
        code = plan_moves(p, ret, &done);
        if (code != ETNA_OK) return code;
        if (done && (json_array_size(edits) > 0 || strstr(ret->text, "<impossible>"))) return ETNA_OK;
    }
    if (done) return ETNA_OK;
    etna_code code = only ? ETNA_OK : check_instructions(p, all, count, ret, &said);
    if (code != ETNA_OK || said) return code;
    return builtin_say(p->talk, ret, p->err, "Everything stands where the instructions want it.\n<finished>\n");
}

static etna_code plan_goal(planner *p, const char *goal, model_reply *ret)
{
    bool said = false, done = false;
    p->instruction = 1;
    etna_code code = builtin_facts_at_start(p->facts, p->talk->arena, &p->then, p->err);
    if (code == ETNA_OK) code = planner_recall_run(p, goal);
    if (code != ETNA_OK) return code;
    code =
        take_apart(p, read_sentence(p, goal), goal, ret, &said); /* what it names is what it named when it was said */
    if (code != ETNA_OK || said) return code;
    code = plan_moves(p, ret, &done);
    if (code != ETNA_OK || done) return code;
    return builtin_say(p->talk, ret, p->err, "Everything stands where the goal wants it.\n<finished>\n");
}

etna_code builtin_planner(builtin_talk *talk, model_reply *ret, etna_error *err)
{
    planner *p = etna_arena_alloc(talk->arena, 1, sizeof *p);
    if (!p) return etna_fail(err, ETNA_E_NOMEM, "out of memory while planning");
    p->scratch = etna_arena_alloc(talk->arena, talk->facts.object_count + 1u, sizeof *p->scratch);
    p->served = etna_arena_alloc(talk->arena, talk->facts.object_count + 1u, sizeof *p->served);
    if (!p->scratch || !p->served) return etna_fail(err, ETNA_E_NOMEM, "out of memory while planning");
    memset(p->served, 0, (talk->facts.object_count + 1u) * sizeof *p->served);
    p->talk = talk;
    p->facts = &talk->facts;
    p->then = talk->facts;
    p->err = err;
    uint32_t step = number_in(talk->task, "step"), steps = number_in(talk->task, "maximum_steps");
    p->left = steps + 1 > step ? steps + 1 - step : 0;
    const char *goal = json_string_value(json_object_get(talk->task, "goal"));
    p->list_mode = goal == NULL;
    return p->list_mode ? plan_instructions(p, json_object_get(talk->task, "instructions"), ret)
                        : plan_goal(p, goal, ret);
}
