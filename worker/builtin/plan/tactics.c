/* How one thing comes to where its move wants it: a table of tactics, tried in
 * order. A tactic has what it needs and what its edit promises; the first that
 * has something to say is heard.
 *
 *   shed its load        what is to stay behind is put elsewhere     the thing is lighter
 *   leave                it goes anywhere but where it is            the thing is there
 *   take their place     where others were: they leave, it comes     the thing is there, or has room
 *   free its place       what is to be replaced leaves               the thing has room
 *   go                   to the best free place                      the thing is there
 *   make way             what stands in the way leaves, or it comes  the thing is there, or has room
 *   move its neighbour   what it is to be beside moves over          the thing has room
 *   clear its place      a bystander leaves the place that is said   the thing has room
 *   clear its turn       a bystander leaves where it turns to        the thing has room
 *   make room            something leaves what it is to stand on     the thing has room
 *   clear its wall       what hangs where it is to hang moves aside  the thing has room
 *
 * What an edit would do again that was done or has failed before is no answer:
 * the next tactic is asked. */
#include "proto/array.h"
#include "worker/builtin/plan/planner_internal.h"

#include <math.h>
#include <string.h>

enum {
    CHAIN_DEPTH = 6
};

typedef enum answer_kind {
    ANSWER_NONE = 0,
    ANSWER_EDIT,
    ANSWER_REFUSAL
} answer_kind;

typedef struct answer { /* of a tactic */
    answer_kind kind;
    plan edit;
    const char *code, *why; /* of a refusal */
} answer;

/* What an edit brings about, as bits. */
enum {
    PROMISE_THERE = 1,
    PROMISE_LIGHTER = 2,
    PROMISE_ROOM = 4
};

/* ---- what is needed ---- */

/* Does the move say one place in the world, which is made free? */
static bool job_names_place(const planner *p, const planner_job *j)
{
    (void)p;
    static const builtin_relation named[] = {RELATION_AT, RELATION_PLACE,
                                             RELATION_OVER, RELATION_TUCK,
                                             RELATION_SHIFT};
    for (size_t i = 0; i < COUNT_OF(named); i++) {
        if (j->move->relation == named[i])
            return true;
    }
    return false;
}

/* A tactic that every job may try. */
static bool job_is_any(const planner *p, const planner_job *j)
{
    (void)p;
    (void)j;
    return true;
}

/* What stands on it is to stay behind. */
static bool job_goes_alone(const planner *p, const planner_job *j)
{
    (void)p;
    return j->move->alone;
}

/* It is only to be gone from where it is. */
static bool job_leaves(const planner *p, const planner_job *j)
{
    const builtin_move *m = j->move;
    if (m->relation == RELATION_OFF)
        return true;
    return m->relation == RELATION_AWAY &&
           builtin_is_above(p->facts, j->object, m->reference);
}

/* At a wall, by its kind or because the sentence says so. */
static bool job_is_hung(const planner *p, const planner_job *j)
{
    return builtin_is_hung(p->facts, j->move, j->object) || j->move->hung;
}

/* It stays on its spot and only looks elsewhere. */
static bool job_is_turned(const planner *p, const planner_job *j)
{
    return planner_is_turn(j->move) && p->left > j->count;
}

/* Others leave, and it comes where they were. */
static bool job_takes_places(const planner *p, const planner_job *j)
{
    (void)p;
    return j->move->there.count > 0;
}

/* The move names a thing. */
static bool job_has_base(const planner *p, const planner_job *j)
{
    return j->reference < p->facts->object_count;
}

/* Any place on or beside its reference will do, so something may be moved to
 * make room. */
static bool job_stands_anywhere(const planner *p, const planner_job *j)
{
    bool elsewhere =
        job_names_place(p, j) || job_leaves(p, j) || planner_is_turn(j->move);
    return !elsewhere && !job_is_hung(p, j) && job_has_base(p, j);
}

/* On a wall, at any place as asked, so something may be moved to make room. */
static bool job_hangs_anywhere(const planner *p, const planner_job *j)
{
    return job_is_hung(p, j) && !job_names_place(p, j) && !job_leaves(p, j) &&
           p->left > j->count;
}

/* Where on a floor it goes is said besides: anything that stands there makes no
 * room at that place. */
static bool job_goes_onto(const planner *p, const planner_job *j)
{
    const bool on_it =
        j->move->relation == RELATION_ON || j->move->relation == RELATION_IN;
    if (!on_it || job_is_hung(p, j) || !job_has_base(p, j))
        return false;
    const bool is_said =
        p->facts->objects[j->reference].is_static && j->move->also_count > 0;
    return !is_said && p->left > j->count;
}

/* ---- answers ---- */

/* The edit is copied. */
static void answer_edit(answer *ret, const plan *edit)
{
    ret->kind = ANSWER_EDIT;
    ret->edit = *edit;
}

/* `why`: NULL where memory is out. */
static etna_code answer_refuse(const planner *p,
                               const char *code,
                               const char *why,
                               answer *ret)
{
    if (!why)
        return planner_no_memory(p);
    *ret = (answer){.kind = ANSWER_REFUSAL, .code = code, .why = why};
    return ETNA_OK;
}

/* As the file has it. */
static const char *job_name(const planner *p, uint32_t object)
{
    return p->facts->objects[object].name;
}

/* ---- the thing itself ---- */

/* The best place that was not tried before. */
static etna_code tactic_go(const planner *p, const planner_job *j, answer *ret)
{
    if (j->plans->count == 0)
        return ETNA_OK;
    const plan *first = planner_first(p, j->plans);
    if (!first)
        return planner_no_memory(p);
    answer_edit(ret, first);
    return ETNA_OK;
}

/* "take it off the table": anywhere but there. The second attempt may stay
 * near, as long as it is off. */
static etna_code tactic_leave(const planner *p,
                              const planner_job *j,
                              answer *ret)
{
    const double around = 0.02; /* metres: nor under it */
    plan edit;
    bool found = false;
    const builtin_object *from = &p->facts->objects[j->move->reference];
    const builtin_rect keep =
        builtin_footprint(from, from->centre[0], from->centre[1], around);
    etna_code code = planner_put_aside(p, j->object, j->move->reference, &keep,
                                       1, "", &edit, &found);
    if (code == ETNA_OK && !found && j->move->relation == RELATION_OFF)
        code = planner_put_aside(p, j->object, j->move->reference, NULL, 0, "",
                                 &edit, &found);
    if (code == ETNA_OK && found)
        answer_edit(ret, &edit);
    return code;
}

/* What stands on the thing is put aside first when it cannot go along. */
static etna_code tactic_shed_load(const planner *p,
                                  const planner_job *j,
                                  answer *ret)
{
    uint32_t top;
    if (planner_pile_on(p->facts, j->object, &top) == 0)
        return ETNA_OK;
    plan edit;
    bool found = false;
    const char *because = etna_arena_printf(
        p->talk->arena, "%.255s stands on %.255s and stays behind. ",
        job_name(p, top), job_name(p, j->object));
    if (!because)
        return planner_no_memory(p);
    etna_code code =
        planner_put_aside(p, top, j->object, NULL, 0, because, &edit, &found);
    if (code == ETNA_OK && found)
        answer_edit(ret, &edit);
    return code;
}

/* ---- others make way ---- */

/* Can it go straight to where the goal wants it anyway, or what is in its way
 * there, and so on? In a row along which all move on the last one goes first.
 * ret->kind none: no such place is free now. */
static etna_code blocker_go_home(const planner *p,
                                 const planner_job *j,
                                 uint32_t blocker,
                                 answer *ret)
{
    uint32_t own;
    if (j->depth >= CHAIN_DEPTH || !planner_goes_somewhere(p, blocker, &own))
        return ETNA_OK;
    const builtin_move *move = &p->reading.moves[own];
    if (planner_waits(p, move))
        return ETNA_OK;
    plan_list *plans = etna_arena_alloc(p->talk->arena, 1, sizeof *plans);
    if (!plans)
        return planner_no_memory(p);
    const planner_job other = {.move = move,
                               .object = blocker,
                               .reference =
                                   builtin_support_of(p->facts, move, blocker),
                               .list = &blocker,
                               .count = 1,
                               .depth = j->depth + 1,
                               .plans = plans};
    etna_code code = planner_seek(p, move, blocker, NULL, 0, plans);
    if (code != ETNA_OK || plans->count == 0)
        return code;
    const plan *best = &plans->items[0];
    bool on_own = best->exact.support < p->facts->object_count &&
                  planner_is_above(p->facts, best->exact.support, j->object);
    if (on_own)
        return ETNA_OK;
    const uint32_t next = planner_blocker(p, &other, best, true);
    return next == BUILTIN_NONE ? tactic_go(p, &other, ret)
                                : blocker_go_home(p, &other, next, ret);
}

/* Makes `blocker` leave the room that the job's thing needs at `at`. */
static etna_code blocker_send_off(const planner *p,
                                  const planner_job *j,
                                  uint32_t blocker,
                                  const double at[3],
                                  answer *ret)
{
    const double around = 0.02; /* metres */
    etna_code code = blocker_go_home(p, j, blocker, ret);
    if (code != ETNA_OK || ret->kind != ANSWER_NONE)
        return code;
    plan edit;
    bool found = false;
    const builtin_rect keep =
        builtin_footprint(&p->facts->objects[j->object], at[0], at[1], around);
    const char *because = etna_arena_printf(
        p->talk->arena,
        "%.255s stands where %.255s is to go and makes room first. ",
        job_name(p, blocker), job_name(p, j->object));
    if (!because)
        return planner_no_memory(p);
    code = planner_put_aside(p, blocker, blocker, &keep, 1, because, &edit,
                             &found);
    if (code == ETNA_OK && found)
        answer_edit(ret, &edit);
    return code;
}

/* Has anything that nobody spoke of left the place already? Then the first try
 * there has shown that it is taken, and the rest of what stands there leaves
 * before the next. */
static bool job_is_being_freed(const planner *p,
                               const planner_job *j,
                               const plan *chosen)
{
    if (j->move->relation != RELATION_SHIFT)
        return false;
    for (uint32_t i = 0; i < p->facts->object_count; i++) {
        const builtin_object *o = &p->facts->objects[i];
        if (!o->moved || i == j->object || planner_will_move(p, i))
            continue;
        if (!planner_can_leave(p, i, j->object))
            continue;
        if (planner_boxes_meet(&p->facts->objects[j->object], chosen->exact.at,
                               o, o->start))
            return true;
    }
    return false;
}

/* Such a thing has a place of its own to go to, and is not put aside. */
static bool goal_names_mover(const planner *p, uint32_t object)
{
    for (uint32_t i = 0; i < p->reading.count; i++) {
        const builtin_set *moved = &p->reading.moves[i].objects;
        for (uint32_t k = 0; k < moved->count; k++) {
            if (moved->objects[k] == object)
                return true;
        }
    }
    return false;
}

/* Does it lie on what the goal puts somewhere, and goes along with that? A
 * violin stays on its chair, though its box reaches into the next place: what
 * really meets, the solver will say. */
static bool blocker_rides(const planner *p, uint32_t blocker)
{
    const builtin_object *o = &p->facts->objects[blocker];
    return o->by_count == 1 && goal_names_mover(p, o->by[0]) &&
           !goal_names_mover(p, blocker);
}

/* The best place is taken by something that may leave: it goes first. */
static etna_code tactic_free_place(const planner *p,
                                   const planner_job *j,
                                   answer *ret)
{
    if (j->plans->count == 0)
        return ETNA_OK;
    const plan *first = &j->plans->items[0];
    const uint32_t blocker =
        planner_blocker(p, j, first, job_is_being_freed(p, j, first));
    const bool leaves = blocker != BUILTIN_NONE && !blocker_rides(p, blocker);
    return leaves ? blocker_send_off(p, j, blocker, first->exact.at, ret)
                  : ETNA_OK;
}

/* The place that the move says, whether or not it is free. False: there is none
 * that could be cleared. */
static bool job_place_said(const planner *p, const planner_job *j, plan *ret)
{
    const builtin_move *move = j->move;
    const builtin_object *o = &p->facts->objects[j->object];
    *ret = (plan){.exact = {.kind = move->hung ? EXACT_HANG : EXACT_PUT,
                            .object = j->object,
                            .support = j->reference}};
    memcpy(ret->exact.at, move->at, sizeof ret->exact.at);
    if (move->relation == RELATION_TUCK)
        return false;
    if (move->relation == RELATION_PLACE)
        builtin_old_place(p->facts, move, ret->exact.at);
    if (move->relation == RELATION_OVER &&
        move->reference < p->facts->object_count) {
        const builtin_object *ref = &p->facts->objects[move->reference];
        memcpy(ret->exact.at, ref->centre, sizeof ret->exact.at);
        ret->exact.at[2] +=
            (j->reference == move->reference ? 1 : -1) * ref->half[2];
    }
    if (move->relation != RELATION_SHIFT)
        return true;
    if (o->by_count == 0 || o->attached || o->hovering)
        return false;
    planner_shifted(p, move, j->object, ret->exact.at);
    ret->exact.at[2] -= o->half[2];
    ret->exact.support = o->by[0];
    return true;
}

/* Only where the sentence itself says the place. */
static etna_code tactic_clear_place(const planner *p,
                                    const planner_job *j,
                                    answer *ret)
{
    plan here;
    if (!job_place_said(p, j, &here))
        return ETNA_OK;
    const uint32_t blocker = planner_blocker(p, j, &here, true);
    return blocker == BUILTIN_NONE
               ? ETNA_OK
               : blocker_send_off(p, j, blocker, here.exact.at, ret);
}

/* What stands where the thing comes to be when it is turned on its spot. */
static etna_code tactic_clear_turn(const planner *p,
                                   const planner_job *j,
                                   answer *ret)
{
    const builtin_object *o = &p->facts->objects[j->object];
    planner turned;
    builtin_facts facts;
    bool known = false;
    etna_code code =
        planner_as_turned(p, j->move, j->object, &turned, &facts, &known);
    if (code != ETNA_OK || !known || o->attached)
        return code;
    plan here = {
        .exact = {.kind = EXACT_PUT,
                  .object = j->object,
                  .support = o->by_count > 0 ? o->by[0] : BUILTIN_NONE,
                  .at = {o->centre[0], o->centre[1], builtin_foot(o)}}};
    const uint32_t blocker = planner_blocker(&turned, j, &here, true);
    return blocker == BUILTIN_NONE
               ? ETNA_OK
               : blocker_send_off(&turned, j, blocker, here.exact.at, ret);
}

/* What stands on the same thing moves over, so that both have room. */
static etna_code blocker_move_over(const planner *p,
                                   const planner_job *j,
                                   uint32_t blocker,
                                   bool is_neighbour,
                                   answer *ret)
{
    plan over;
    bool found = false;
    if (!job_has_base(p, j) || p->left <= j->count)
        return ETNA_OK;
    etna_code code =
        planner_move_over(p, j->move, j->object, blocker, j->reference,
                          is_neighbour, &over, &found);
    if (code != ETNA_OK || !found)
        return code;
    over.because = etna_arena_printf(
        p->talk->arena,
        "%.255s moves over on %.255s, so that %.255s has room. ",
        job_name(p, blocker), job_name(p, j->reference),
        job_name(p, j->object));
    if (!over.because)
        return planner_no_memory(p);
    answer_edit(ret, &over);
    return ETNA_OK;
}

/* Names one of them and the number of edits that are left. */
static const char *job_say_too_many(const planner *p,
                                    const planner_job *j,
                                    const planner_way *w)
{
    bool one = w->count == 1;
    return etna_arena_printf(
        p->talk->arena,
        "%u thing%s, as %.255s, stand%s where %.255s is to go: that takes more edits than the %u left.",
        w->count, one ? "" : "s", job_name(p, w->blocker), one ? "s" : "",
        job_name(p, j->object), p->left);
}

/* What stands where the thing is to go leaves first; if nothing does, the thing
 * goes there. */
static etna_code tactic_make_way(const planner *p,
                                 const planner_job *j,
                                 answer *ret)
{
    planner_way w;
    bool found = false;
    if (!job_has_base(p, j))
        return ETNA_OK;
    etna_code code =
        planner_find_way(p, j->move, j->object, j->reference, &w, &found);
    if (code != ETNA_OK || !found)
        return code;
    if (w.count == 0)
        answer_edit(ret, &w.chosen);
    if (w.count == 0)
        return ETNA_OK;
    if (w.count + j->count > p->left)
        return answer_refuse(p, "impossible", job_say_too_many(p, j, &w), ret);
    if (w.count == 1)
        code = blocker_move_over(p, j, w.blocker, false, ret);
    if (code != ETNA_OK || ret->kind != ANSWER_NONE)
        return code;
    planner there = *p;
    there.facts = &w.as_placed;
    return blocker_send_off(&there, j, w.blocker, w.chosen.exact.at, ret);
}

/* A photo beside the cactus in the middle of a small cabinet: no side of that
 * has room for it before it moves over. */
static etna_code tactic_move_neighbour(const planner *p,
                                       const planner_job *j,
                                       answer *ret)
{
    uint32_t list[NEIGHBOURS_MAX];
    const uint32_t count =
        job_has_base(p, j)
            ? planner_neighbours(p, j->move, j->object, j->reference, list)
            : 0;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0;
         i < count && code == ETNA_OK && ret->kind == ANSWER_NONE; i++)
        code = blocker_move_over(p, j, list[i], true, ret);
    return code;
}

/* What leaves no room on the reference goes out of the way for a while. */
static etna_code blocker_put_aside(const planner *p,
                                   const planner_job *j,
                                   uint32_t blocker,
                                   answer *ret)
{
    plan edit;
    bool found = false;
    const char *because = etna_arena_printf(
        p->talk->arena,
        "There is no room on %.255s while %.255s stands there. ",
        job_name(p, j->reference), job_name(p, blocker));
    if (!because)
        return planner_no_memory(p);
    etna_code code = planner_put_aside(p, blocker, j->reference, NULL, 0,
                                       because, &edit, &found);
    if (code != ETNA_OK)
        return code;
    if (found) {
        answer_edit(ret, &edit);
        return ETNA_OK;
    }
    because = etna_arena_printf(
        p->talk->arena, "%sThere is no other place to put that.", because);
    return answer_refuse(p, "no_place", because, ret);
}

/* There is no room on it: something that the goal does not want there makes
 * some. */
static etna_code tactic_make_room(const planner *p,
                                  const planner_job *j,
                                  answer *ret)
{
    bool anywhere = true;
    etna_code code =
        planner_could_hold(p, j->move, j->object, j->reference, &anywhere);
    const uint32_t blocker =
        planner_first_unwanted(p, j->move, j->object, j->reference);
    if (code != ETNA_OK || !anywhere || blocker == BUILTIN_NONE)
        return code;
    code = blocker_move_over(p, j, blocker, false, ret);
    if (code != ETNA_OK || ret->kind != ANSWER_NONE || p->served[blocker])
        return code;
    return blocker_put_aside(p, j, blocker, ret);
}

/* A picture hangs where the mirror is to hang. */
static etna_code tactic_clear_wall(const planner *p,
                                   const planner_job *j,
                                   answer *ret)
{
    uint32_t blocker = BUILTIN_NONE;
    double at[3];
    if (j->plans->count > 0 ||
        builtin_why_not_hung(p->facts, j->object) != NULL)
        return ETNA_OK;
    etna_code code = planner_hang_blocker(p, j, at, &blocker);
    return code != ETNA_OK || blocker == BUILTIN_NONE
               ? code
               : blocker_send_off(p, j, blocker, at, ret);
}

/* ---- the table ---- */

static const struct tactic {
    const char *name;
    bool (*needs)(const planner *p, const planner_job *j);
    etna_code (*act)(const planner *p, const planner_job *j, answer *ret);
    unsigned promises;
} tactics[] = {
    {"shed its load", job_goes_alone, tactic_shed_load, PROMISE_LIGHTER},
    {"leave", job_leaves, tactic_leave, PROMISE_THERE},
    {"take their place", job_takes_places, tactic_make_way,
     PROMISE_THERE | PROMISE_ROOM},
    {"free its place", job_names_place, tactic_free_place, PROMISE_ROOM},
    {"go", job_is_any, tactic_go, PROMISE_THERE},
    {"make way", job_stands_anywhere, tactic_make_way,
     PROMISE_THERE | PROMISE_ROOM},
    {"move its neighbour", job_stands_anywhere, tactic_move_neighbour,
     PROMISE_ROOM},
    {"clear its place", job_names_place, tactic_clear_place, PROMISE_ROOM},
    {"clear its turn", job_is_turned, tactic_clear_turn, PROMISE_ROOM},
    {"make room", job_goes_onto, tactic_make_room, PROMISE_ROOM},
    {"clear its wall", job_hangs_anywhere, tactic_clear_wall, PROMISE_ROOM},
};
enum {
    TACTICS = COUNT_OF(tactics)
};

/* Which of the promises an edit keeps. */
static unsigned edit_promise(const planner *p,
                             const planner_job *j,
                             const plan *edit)
{
    const uint32_t object = edit->exact.object;
    if (object == j->object)
        return PROMISE_THERE;
    return builtin_is_above(p->facts, object, j->object) ? PROMISE_LIGHTER
                                                         : PROMISE_ROOM;
}

/* A refusal is heard always, an edit only if it promises what the tactic is for
 * and was not refused before. */
static bool tactic_is_heard(const planner *p,
                            const planner_job *j,
                            const struct tactic *t,
                            const answer *said)
{
    if (said->kind != ANSWER_EDIT)
        return said->kind == ANSWER_REFUSAL;
    return (edit_promise(p, j, &said->edit) & t->promises) &&
           !planner_was_refused(p, &said->edit);
}

/* In the table's order, until one answers; see the table for what each needs
 * and promises. */
static etna_code tactics_ask(const planner *p,
                             const planner_job *j,
                             answer *ret,
                             bool *ret_done)
{
    etna_code code = job_leaves(p, j)
                         ? ETNA_OK
                         : planner_seek(p, j->move, j->object, j->list + 1,
                                        j->count - 1, j->plans);
    *ret_done = false;
    for (int i = 0; i < TACTICS && code == ETNA_OK && !*ret_done; i++) {
        const struct tactic *t = &tactics[i];
        ret->kind = ANSWER_NONE;
        if (t->needs(p, j))
            code = t->act(p, j, ret);
        *ret_done = code == ETNA_OK && tactic_is_heard(p, j, t, ret);
        ret->edit.tactic = t->name;
    }
    return code;
}

/* "Under the workbench", of what finds no room on the floor there, but on a
 * board that the bench has below its top: then it is that board. False: it is
 * no such case. */
static etna_code job_goes_on_lower_board(const planner *p,
                                         const planner_job *j,
                                         builtin_move *ret_move,
                                         bool *ret_goes)
{
    const builtin_move *m = j->move;
    *ret_goes = false;
    if (m->relation != RELATION_UNDER || m->support != BUILTIN_NONE ||
        m->reference >= p->facts->object_count || job_is_hung(p, j))
        return ETNA_OK;
    etna_code code =
        planner_seek(p, m, j->object, j->list + 1, j->count - 1, j->plans);
    if (code != ETNA_OK || j->plans->count > 0)
        return code;
    *ret_move = *m;
    ret_move->support = m->reference;
    code = planner_seek(p, ret_move, j->object, j->list + 1, j->count - 1,
                        j->plans);
    *ret_goes =
        code == ETNA_OK && j->plans->count > 0 &&
        builtin_has_lower_board(p->facts, m, j->plans->items[0].exact.at[2]);
    return code;
}

/* What is to stand against a wall has its back to it, though something must
 * make way for that; only where it cannot be it stands as it does. */
etna_code planner_try_tactics(const planner *p,
                              const planner_job *j,
                              model_reply *ret,
                              bool *ret_done)
{
    answer said = {.kind = ANSWER_NONE};
    builtin_move backed = *j->move;
    planner_job job = *j;
    etna_code code = ETNA_OK;
    *ret_done = false;
    backed.has_yaw =
        planner_back_to_wall(p, j->move, j->object, &backed.yaw_deg);
    if (backed.has_yaw) {
        job.move = &backed;
        code = tactics_ask(p, &job, &said, ret_done);
    }
    bool on_board = false;
    builtin_move board;
    if (code == ETNA_OK && !*ret_done)
        code = job_goes_on_lower_board(p, j, &board, &on_board);
    if (on_board) {
        job.move = &board;
        job.reference = board.support;
        code = tactics_ask(p, &job, &said, ret_done);
    }
    if (code == ETNA_OK && (!*ret_done || said.kind == ANSWER_REFUSAL))
        code = tactics_ask(p, j, &said, ret_done);
    if (code != ETNA_OK || !*ret_done)
        return code;
    if (said.kind == ANSWER_REFUSAL)
        return planner_say_impossible(p, said.code, ret, said.why);
    said.edit.makes_way = !goal_names_mover(p, said.edit.exact.object);
    return planner_say(p, &said.edit, ret);
}

/* Only that tactic, for places that several things will need. */
etna_code planner_clear_place(const planner *p,
                              const planner_job *j,
                              model_reply *ret,
                              bool *ret_done)
{
    static const struct tactic clear = {"clear its place", job_names_place,
                                        tactic_clear_place, PROMISE_ROOM};
    answer said = {.kind = ANSWER_NONE};
    *ret_done = false;
    if (!clear.needs(p, j))
        return ETNA_OK;
    etna_code code = planner_seek(p, j->move, j->object, NULL, 0, j->plans);
    if (code == ETNA_OK)
        code = clear.act(p, j, &said);
    if (code != ETNA_OK || said.kind != ANSWER_EDIT ||
        !tactic_is_heard(p, j, &clear, &said))
        return code;
    said.edit.tactic = clear.name;
    said.edit.makes_way = !goal_names_mover(p, said.edit.exact.object);
    *ret_done = true;
    return planner_say(p, &said.edit, ret);
}

/* Is there more than one place that would hold? */
bool planner_has_choice(const planner *p, const planner_job *j)
{
    return !job_names_place(p, j) && !planner_is_turn(j->move);
}

/* For the search of places. */
bool planner_hangs(const planner *p, const planner_job *j)
{
    return job_is_hung(p, j);
}
