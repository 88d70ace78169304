/* The built-in planner. It reads the instructions into moves (all of them at once, so that what cannot be read is refused
 * before any branch), finds the first thing not yet where it belongs, clears what stands on it, and points at a place.
 *
 *   goal mode:  every move holds -> <finished>; more edits needed than are left -> <impossible>;
 *               room is planned for all things that go to one place, largest first
 *   list mode:  the current instruction alone, as its user wrote it; one thing per instruction
 *
 * A place given up before is avoided and the next one chosen tightly, at an edge, so that what failed for want of room
 * finds some. Attempts that failed here before move the choice to the next best place. */
#include "worker/model/builtin_planner_own.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

enum { CLEAR_DEPTH = 32 };

static const char advice[] =
    "The built-in agent reads sentences like \"Put the red bottle on the table\"; --model NAME connects a language "
    "model that understands more.";

/* ---- which thing next ---- */

static bool is_satisfied(const planner *p, const builtin_move *move)
{
    uint32_t there = 0;
    for (uint32_t i = 0; i < move->objects.count; i++) there += planner_holds(p, move, move->objects.objects[i]);
    return there >= move->objects.need;
}

static double footprint(const builtin_object *object) { return object->half[0] * object->half[1]; }

/* Is the object the business of a later move? Then only that one counts for it ("put A on B, then A on C"). */
static bool is_taken_later(const planner *p, uint32_t move, uint32_t object)
{
    for (uint32_t i = move + 1; i < p->reading.count; i++) {
        const builtin_set *set = &p->reading.moves[i].objects;
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

/* Edits it takes to clear `object`, beside those the goal asks for anyway. */
static uint32_t clearing(const planner *p, uint32_t object)
{
    uint32_t count = 0, at = object, move;
    for (uint32_t depth = 0; depth < CLEAR_DEPTH; depth++) {
        const builtin_object *o = &p->facts->objects[at];
        uint32_t next = BUILTIN_NONE;
        for (uint32_t i = 0; i < o->on_count; i++) {
            if (p->facts->objects[o->on[i]].is_static || o->on[i] == object) continue;
            if (!goes_somewhere(p, o->on[i], &move)) count++;
            if (next == BUILTIN_NONE) next = o->on[i];
        }
        if (next == BUILTIN_NONE) break;
        at = next;
    }
    return count;
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
    if (move->relation == RELATION_PLACE || move->relation == RELATION_OFF || move->reference == BUILTIN_NONE)
        return false;
    return planner_will_move(p, move->reference) ||
           (move->second != BUILTIN_NONE && planner_will_move(p, move->second));
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

static etna_code clear_first(const planner *p, uint32_t object, uint32_t pile, uint32_t top, model_reply *ret)
{
    uint32_t move = 0, list[1] = {top};
    plan chosen;
    bool found = false;
    etna_code code = ETNA_OK;
    const char *base_name = p->facts->objects[object].name, *top_name = p->facts->objects[top].name;
    const char *because =
        etna_arena_printf(p->talk->arena, "%.255s stands on %.255s and has to leave it first. ", top_name, base_name);
    if (!because) return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    if (p->list_mode) {
        because = etna_arena_printf(
            p->talk->arena,
            "%.255s cannot be moved while %u thing%s, as %.255s, stand%s on it: add a step that moves that first.",
            base_name, pile, pile == 1 ? "" : "s", top_name, pile == 1 ? "s" : "");
        return because ? planner_say_impossible(p, ret, because)
                       : etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    }
    /* where the goal wants it, if that is not on what is to be cleared */
    const builtin_move *goal = goes_somewhere(p, top, &move) ? &p->reading.moves[move] : NULL;
    bool stands = goal && goal->relation <= RELATION_EDGE && goal->reference != BUILTIN_NONE;
    if (stands && !planner_is_above(p->facts, goal->reference, object) && !waits(p, goal)) {
        code = planner_find_place(p, &p->reading.moves[move], list, 1, &chosen, &found);
    }
    if (code == ETNA_OK && !found) code = planner_put_aside(p, top, object, NULL, 0, because, &chosen, &found);
    if (code != ETNA_OK) return code;
    if (found) return planner_say(p, &chosen, ret);
    because = etna_arena_printf(p->talk->arena, "%.255s stands on %.255s, and there is no free place to put it.",
                                top_name, base_name);
    return because ? planner_say_impossible(p, ret, because)
                   : etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
}

/* To where something else stood: after what stands there now has left. */
static etna_code place_at_old(const planner *p, const builtin_move *move, uint32_t object, model_reply *ret)
{
    plan chosen = {.object = object, .exact = true, .because = ""};
    bool found = false;
    double at[3];
    builtin_old_place(p->facts, move, at);
    uint32_t under = builtin_surface_under(p->facts, at, object);
    if (under == BUILTIN_NONE || p->facts->surfaces[under].object == move->reference)
        return planner_say_no_place(p, object, move, BUILTIN_NONE, ret);
    uint32_t base = p->facts->surfaces[under].object;
    bool is_free = false;
    etna_code found_code = planner_near_old_place(p, move, object, base, at, &is_free);
    if (found_code != ETNA_OK) return found_code;
    uint32_t blocker = planner_occupant(p, object, move->reference, at, is_free);
    if (blocker != BUILTIN_NONE && !planner_is_above(p->facts, base, blocker)) {
        uint32_t top, pile = planner_pile_on(p->facts, blocker, &top);
        if (pile > 0) return clear_first(p, blocker, pile, top, ret);
        const char *because = etna_arena_printf(p->talk->arena, "%.255s still stands there and is put aside first. ",
                                                p->facts->objects[blocker].name);
        if (!because) return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
        etna_code code =
            p->list_mode ? ETNA_OK : planner_put_aside(p, blocker, blocker, NULL, 0, because, &chosen, &found);
        if (code != ETNA_OK) return code;
        return found ? planner_say(p, &chosen, ret) : planner_say_no_place(p, object, move, base, ret);
    }
    chosen.reference = base;
    memcpy(chosen.spot.point, at, sizeof at);
    chosen.spot.point[2] = p->facts->surfaces[under].height;
    if (!builtin_project(p->facts, chosen.spot.point, chosen.spot.image, NULL) || chosen.spot.image[0] < 0 ||
        chosen.spot.image[0] > 1 || chosen.spot.image[1] < 0 || chosen.spot.image[1] > 1) {
        return planner_say_no_place(p, object, move, base, ret);
    }
    return planner_say(p, &chosen, ret);
}

static etna_code turn_in_place(const planner *p, const builtin_move *move, uint32_t object, model_reply *ret)
{
    const builtin_object *o = &p->facts->objects[object];
    plan chosen = {.object = object, .reference = object, .because = "", .move = move};
    const double bottom[3] = {o->centre[0], o->centre[1], o->centre[2] - o->half[2]};
    if (o->by_count > 0) chosen.reference = o->by[0];
    if (!builtin_project(p->facts, bottom, chosen.spot.image, NULL) ||
        !(chosen.spot.image[0] >= 0 && chosen.spot.image[0] <= 1) ||
        !(chosen.spot.image[1] >= 0 && chosen.spot.image[1] <= 1)) {
        return planner_say_impossible(p, ret, "What is to be turned is not in the picture.");
    }
    return planner_say(p, &chosen, ret);
}

/* What stands where the thing is to go leaves first; if nothing does, the thing goes there. */
static etna_code make_way(const planner *p, const builtin_move *move, uint32_t object, uint32_t reference,
                          uint32_t more, model_reply *ret, bool *ret_done)
{
    planner_way w;
    bool found = false;
    *ret_done = false;
    etna_code code = planner_find_way(p, move, object, reference, &w, &found);
    if (code != ETNA_OK || !found) return code;
    *ret_done = true;
    const char *name = p->facts->objects[object].name;
    if (w.count == 0) {
        plan chosen = {.object = object,
                       .reference = reference,
                       .spot = w.spot,
                       .because = "",
                       .move = planner_is_plain(move) ? NULL : move};
        return planner_say(p, &chosen, ret);
    }
    const char *blocker = p->facts->objects[w.blocker].name;
    uint32_t top, pile = planner_pile_on(p->facts, w.blocker, &top);
    if (w.count + pile + more > p->left) {
        const char *why = etna_arena_printf(
            p->talk->arena,
            "%u thing%s, as %.255s, stand%s where %.255s is to go: that takes more edits than the %u left.", w.count,
            w.count == 1 ? "" : "s", blocker, w.count == 1 ? "s" : "", name, p->left);
        return why ? planner_say_impossible(p, ret, why)
                   : etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    }
    if (pile > 0) return clear_first(p, w.blocker, pile, top, ret);
    builtin_rect keep = builtin_footprint(&p->facts->objects[object], w.spot.point[0], w.spot.point[1], 0.02);
    const char *because =
        etna_arena_printf(p->talk->arena, "%.255s stands where %.255s is to go and makes room first. ", blocker, name);
    if (!because) return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    plan chosen;
    code = planner_put_aside(p, w.blocker, w.blocker, &keep, 1, because, &chosen, &found);
    if (code != ETNA_OK) return code;
    if (found) return planner_say(p, &chosen, ret);
    *ret_done = false;
    return ETNA_OK;
}

static etna_code place_next(const planner *p, const uint32_t *list, uint32_t count, const builtin_move *move,
                            model_reply *ret)
{
    plan chosen;
    bool found = false;
    uint32_t pile, top;
    bool anywhere = false,
         stays = move->relation == RELATION_OFF || move->relation == RELATION_TOWARD || move->relation == RELATION_AWAY;
    bool asked = move->relation < RELATION_PLACE && move->relation != RELATION_ABOVE && !stays && !p->list_mode;
    uint32_t base = asked ? builtin_support_of(p->facts, move, list[0]) : BUILTIN_NONE;
    if (asked) {
        etna_code known = planner_could_hold(p, move, list[0], base, &anywhere);
        if (known != ETNA_OK) return known;
        bool nowhere =
            base == BUILTIN_NONE && !builtin_is_hung(p->facts, move, list[0]); /* before anything is cleared */
        if (!anywhere || nowhere) return planner_say_no_place(p, list[0], move, base, ret);
    }
    pile = planner_pile_on(p->facts, list[0], &top);
    if (pile > 0) return clear_first(p, list[0], pile, top, ret);
    if (move->relation == RELATION_PLACE) return place_at_old(p, move, list[0], ret);
    if (move->relation == RELATION_TURN || move->relation == RELATION_TURNED)
        return turn_in_place(p, move, list[0], ret);
    if (builtin_is_hung(p->facts, move, list[0])) return planner_hang(p, move, list[0], ret);
    bool done = false;
    etna_code code = ETNA_OK;
    if (move->there.count > 0 && !p->list_mode) { /* the place is said: it is made free */
        code = make_way(p, move, list[0], builtin_support_of(p->facts, move, list[0]), count, ret, &done);
        if (code != ETNA_OK || done) return code;
    }
    bool leaves = move->relation == RELATION_OFF ||
                  (move->relation == RELATION_AWAY && builtin_is_above(p->facts, list[0], move->reference));
    bool away = move->relation == RELATION_AWAY && leaves; /* nor over it or under it */
    builtin_rect keep = {0};
    if (away)
        keep = builtin_footprint(&p->facts->objects[move->reference], p->facts->objects[move->reference].centre[0],
                                 p->facts->objects[move->reference].centre[1], 0.02);
    code = leaves ? planner_put_aside(p, list[0], move->reference, &keep, away ? 1 : 0, "", &chosen, &found)
                  : planner_find_place(p, move, list, p->list_mode ? 1 : count, &chosen, &found);
    if (code != ETNA_OK) return code;
    if (found) return planner_say(p, &chosen, ret);
    uint32_t reference = builtin_support_of(p->facts, move, list[0]);
    bool on_it = move->relation == RELATION_ON || move->relation == RELATION_IN;
    if (!on_it && !p->list_mode && !leaves && reference != BUILTIN_NONE) {
        code = make_way(p, move, list[0], reference, count, ret, &done);
        if (code != ETNA_OK || done) return code;
    }
    uint32_t blocker = p->list_mode || !on_it ? BUILTIN_NONE : in_the_way(p, reference);
    if (blocker != BUILTIN_NONE && p->left > count) {
        const char *because =
            etna_arena_printf(p->talk->arena, "There is no room on %.255s while %.255s stands there. ",
                              p->facts->objects[reference].name, p->facts->objects[blocker].name);
        if (!because) return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
        code = planner_put_aside(p, blocker, reference, NULL, 0, because, &chosen, &found);
        if (code != ETNA_OK) return code;
        if (found) return planner_say(p, &chosen, ret);
        because = etna_arena_printf(p->talk->arena, "%sThere is no other place to put that.", because);
        return because ? planner_say_impossible(p, ret, because)
                       : etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    }
    return planner_say_no_place(p, list[0], move, reference, ret);
}

static uint32_t number_in(const json_t *task, const char *key)
{
    json_int_t value = json_integer_value(json_object_get(task, key));
    return value > 0 && value < 1000000 ? (uint32_t)value : 0;
}

static etna_code plan_goal(planner *p, model_reply *ret)
{
    uint32_t *list = etna_arena_alloc(p->talk->arena, p->facts->object_count, sizeof *list), count = 0, total = 0;
    if (!list) return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    bool circle = false;
    etna_code code = planner_choose_supports(p);
    if (code == ETNA_OK) code = planner_forgo_no_nearer(p);
    if (code != ETNA_OK) return code;
    uint32_t move = next_move(p, list, &count, &total, &circle);
    if (circle)
        return planner_say_impossible(
            p, ret, "Each of these is to stand on another that is itself to be moved: there is nothing to begin with.");
    if (count == 0)
        return builtin_say(p->talk, ret, p->err, "Everything stands where the goal wants it.\n<finished>\n");
    uint32_t needed = total + clearing(p, list[0]);
    if (needed > p->left) {
        uint32_t done = number_in(p->talk->task, "step");
        const char *why = etna_arena_printf(
            p->talk->arena, "The goal needs %u more edit%s, but only %u %s left: --max-steps %u would do.", needed,
            needed == 1 ? "" : "s", p->left, p->left == 1 ? "is" : "are", needed + (done ? done - 1 : 0));
        return why ? planner_say_impossible(p, ret, why)
                   : etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    }
    for (uint32_t i = move + 1; i < p->reading.count; i++) { /* others that go to the same place need room too */
        if (p->reading.moves[i].reference != p->reading.moves[move].reference ||
            p->reading.moves[i].relation != p->reading.moves[move].relation || is_satisfied(p, &p->reading.moves[i]))
            continue;
        uint32_t more = missing(p, i, p->scratch);
        for (uint32_t k = 0; k < more && count < p->facts->object_count; k++) list[count++] = p->scratch[k];
    }
    const builtin_move *first = &p->reading.moves[move];
    const char *why = NULL;
    bool stands = (first->relation == RELATION_ON || first->relation == RELATION_IN) &&
                  !builtin_is_hung(p->facts, first, list[0]);
    if (stands && planner_lacks_room(p, first->reference, list, count, &why)) {
        return why ? planner_say_impossible(p, ret, why)
                   : etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
    }
    return place_next(p, list, count, first, ret);
}

/* ---- reading the task ---- */

static etna_code say_unreadable(planner *p, const char *sentence, const etna_error *why, model_reply *ret)
{
    return builtin_say(p->talk, ret, p->err, "Cannot read \"%.200s\": %s. %s\n<unreadable>\n", sentence, why->text,
                       advice);
}

/* What to write instead of an instruction that takes several edits: a list has one for each. */
static etna_code refuse_several(const planner *p, const builtin_move *move, etna_error *why)
{
    const builtin_object *objects = p->facts->objects;
    const char *a = move->objects.count ? objects[move->objects.objects[0]].name : "";
    if (move->relation == RELATION_SWAP) {
        const char *b = objects[move->reference].name;
        return etna_fail(
            why, ETNA_E_INPUT,
            "a trade of places takes three edits and a list has one for each instruction; write three: one that puts %.80s "
            "somewhere else, \"Put %.80s where %.80s was\", \"Put %.80s where %.80s was\"; or give it as a --goal",
            a, b, a, a, b);
    }
    if (move->relation == RELATION_LINE && move->objects.count > 1) {
        return etna_fail(
            why, ETNA_E_INPUT,
            "a row takes several edits and a list has one for each instruction; write one for each thing, as \"Put %.80s to the "
            "right of %.80s\"; or give it as a --goal",
            objects[move->objects.objects[1]].name, a);
    }
    const char *base = move->reference < p->facts->object_count ? objects[move->reference].name : NULL;
    const char *last = move->objects.count > 1 ? objects[move->objects.objects[1]].name : NULL;
    if (base && move->relation == RELATION_OFF) {
        return etna_fail(
            why, ETNA_E_INPUT,
            "clearing %.80s takes one edit for each of the %u things on it, and a list has one for each instruction; write a line for "
            "each: \"Take %.80s off %.80s\"%s%.80s%s; or give it as a --goal",
            base, move->objects.count, a, base, last ? ", \"Take " : "", last ? last : "",
            last ? " off it\" and so on" : "");
    }
    if (base && last && move->relation == RELATION_ON) {
        return etna_fail(
            why, ETNA_E_INPUT,
            "it moves %u things and a list has one edit for each instruction; write a line for each: \"Put %.80s on %.80s\", \"Put %.80s on "
            "%.80s\"%s; or give it as a --goal",
            move->objects.count, a, base, last, base, move->objects.count > 2 ? " and so on" : "");
    }
    return etna_fail(why, ETNA_E_INPUT, "it moves several things; write one instruction for each");
}

/* One instruction of a list: its move becomes moves[before]. */
static etna_code read_one(planner *p, const builtin_facts *facts, const char *text, uint32_t before, etna_error *why)
{
    etna_code code = builtin_read(facts, text ? text : "", p->talk->arena, &p->reading, why);
    if (code != ETNA_OK) return code;
    const builtin_move *move = &p->reading.moves[before];
    bool several = p->reading.count - before != 1 || move->objects.need != 1 || move->relation == RELATION_SWAP ||
                   move->relation == RELATION_LINE;
    return several ? refuse_several(p, move, why) : ETNA_OK;
}

static etna_code plan_list(planner *p, const json_t *rows, uint32_t step, model_reply *ret)
{
    builtin_facts start = {0};
    etna_code started = builtin_facts_at_start(p->facts, p->talk->arena, &start, p->err);
    if (started != ETNA_OK) return started;
    builtin_move current = {0};
    bool has_current = false;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const char *text = json_string_value(json_object_get(json_array_get(rows, i), "text"));
        etna_error why = {0};
        p->reading.count = p->reading.count > 0 ? 1 : 0; /* "it" means what the sentence before moved */
        uint32_t before = p->reading.count;
        if (i + 1 > step && step > 1) break; /* read at the first step: by now it may speak of what is still to come */
        etna_code code = read_one(p, i + 1 < step ? &start : p->facts, text, before, &why);
        if (code == ETNA_E_INPUT && i + 1 == step && step > 1) { /* "the cup from the tray" that has left it since */
            p->reading.count = before;
            etna_error again = {0};
            code = read_one(p, &start, text, before, &again);
        }
        if (code == ETNA_E_INPUT && i + 1 < step) { /* it spoke of the scene in between */
            p->reading.count = before;
            continue;
        }
        if (code == ETNA_E_INPUT) return say_unreadable(p, text ? text : "", &why, ret);
        if (code != ETNA_OK) {
            if (p->err) *p->err = why;
            return code;
        }
        p->reading.moves[0] = p->reading.moves[before];
        p->reading.count = 1;
        if (i + 1 != step) continue;
        current = p->reading.moves[0];
        has_current = true;
    }
    if (!has_current) return planner_say_impossible(p, ret, "There is no instruction for this step.");
    p->reading.count = 1;
    p->reading.moves[0] = current;
    uint32_t object = current.objects.objects[0];
    for (uint32_t i = 0; i < current.objects.count; i++) { /* any of several: one that is not there yet */
        object = current.objects.objects[i];
        if (!planner_holds(p, &current, object)) break;
    }
    etna_code code = planner_choose_supports(p);
    return code == ETNA_OK ? place_next(p, &object, 1, &p->reading.moves[0], ret) : code;
}

etna_code builtin_planner(builtin_talk *talk, model_reply *ret, etna_error *err)
{
    planner *p = etna_arena_alloc(talk->arena, 1, sizeof *p);
    if (!p) return etna_fail(err, ETNA_E_NOMEM, "out of memory while planning");
    p->scratch = etna_arena_alloc(talk->arena, talk->facts.object_count, sizeof *p->scratch);
    if (!p->scratch) return etna_fail(err, ETNA_E_NOMEM, "out of memory while planning");
    p->talk = talk;
    p->facts = &talk->facts;
    p->err = err;
    uint32_t step = number_in(talk->task, "step"), steps = number_in(talk->task, "maximum_steps");
    p->left = steps + 1 > step ? steps + 1 - step : 0;
    const char *goal = json_string_value(json_object_get(talk->task, "goal"));
    p->list_mode = goal == NULL;
    if (p->list_mode) return plan_list(p, json_object_get(talk->task, "instructions"), step, ret);
    etna_error why = {0};
    builtin_facts start = {0};
    etna_code code = builtin_facts_at_start(p->facts, talk->arena, &start, err);
    if (code != ETNA_OK) return code;
    code = builtin_read(&start, goal, talk->arena, &p->reading,
                        &why); /* what a goal names is what it named when it was said */
    if (code == ETNA_OK) {
        p->err = &why;
        code = planner_expand(p);
        p->err = err;
    }
    if (code == ETNA_E_INPUT) return say_unreadable(p, goal, &why, ret);
    if (code != ETNA_OK) {
        if (err) *err = why;
        return code;
    }
    return plan_goal(p, ret);
}
