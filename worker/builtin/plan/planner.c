/* The built-in planner. It reads the instructions into moves (all of them at
 * once, so that what cannot be read is refused before any branch), takes the
 * first thing that is not yet where it belongs, and finds the place in the
 * world where it is to come, by a table of tactics (tactics.c). The one
 * sentence that it hands on says that place to the millimetre (place/exact.h).
 *
 *   goal mode:  every move holds -> <finished>; more edits needed than are left -> <impossible>
 *   list mode:  the first instruction that has something missing; each speaks of the scene that those before it left
 *
 * A plan that failed at this step, or was given up, is not made again: the next
 * of its places is tried. */
#include "worker/builtin/plan/planner_internal.h"

#include <jansson.h>
#include <string.h>

enum {
    EDITS_OF_ONE = 4
};

/* Why no tactic is asked again about the thing; "": some may help. NULL: out of
 * memory. */
static const char *planner_find_end(const planner *p, const planner_job *j)
{
    etna_arena *arena = p->talk->arena;
    const char *name = p->facts->objects[j->object].name;
    const uint32_t edits = planner_edits_of(p, j->object);
    const uint32_t left = planner_left_behind(p, j->move, j->object);
    if (edits >= EDITS_OF_ONE)
        return etna_arena_printf(
            arena,
            "%.255s was moved %u times and does not come to be as asked.", name,
            edits);
    if (left != BUILTIN_NONE)
        return etna_arena_printf(
            arena,
            "%.255s stood on %.255s and stayed behind when that was moved.",
            p->facts->objects[left].name, name);
    uint32_t times = 0;
    const char *cause = planner_given_up_cause(p, &times);
    bool is_same_again = times > (planner_has_choice(p, j) ? 1u : 0u);
    return is_same_again ? cause : "";
}

static etna_code planner_say_none(const planner *p,
                                  const planner_job *j,
                                  model_reply *ret)
{
    if (planner_hangs(p, j) && j->move->relation != RELATION_AT)
        return planner_say_no_hook(p, j->move, j->object, ret);
    return planner_say_no_place(p, j->object, j->move, j->reference, ret);
}

/* One thing of the agenda: tactics in their order, and else the reason why
 * there is none. A cause of earlier failures tells more than the last
 * search. */
static etna_code planner_place_next(const planner *p,
                                    const planner_agenda *next,
                                    model_reply *ret)
{
    const uint32_t object = next->list[0];
    const builtin_move *move = &p->reading.moves[next->move];
    planner_job j = {.move = move,
                     .object = object,
                     .list = next->list,
                     .count = next->count};
    bool done = false;
    uint32_t times = 0;
    const char *end = planner_find_end(p, &j);
    const char *cause = planner_given_up_cause(p, &times);
    if (!end || *end)
        return planner_say_impossible(p, "no_place", ret, end);
    j.reference = builtin_support_of(p->facts, move, object);
    /* before anything is moved for it */
    if (planner_is_too_large(p, move, object, j.reference) ||
        planner_comes_down(p, move, object, j.reference))
        return planner_say_no_place(p, object, move, j.reference, ret);
    j.plans = etna_arena_alloc(p->talk->arena, 1, sizeof *j.plans);
    if (!j.plans)
        return planner_no_memory(p);
    j.plans->count = 0;
    etna_code code = planner_try_tactics(p, &j, ret, &done);
    if (code != ETNA_OK || done)
        return code;
    return cause ? planner_say_impossible(p, "no_place", ret, cause)
                 : planner_say_none(p, &j, ret);
}

/* ---- the next edit of the moves ---- */

static uint32_t planner_number(const json_t *task, const char *key)
{
    json_int_t value = json_integer_value(json_object_get(task, key));
    return value > 0 && value < 1000000 ? (uint32_t)value : 0;
}

static etna_code planner_say_too_long(const planner *p,
                                      uint32_t total,
                                      model_reply *ret)
{
    const uint32_t step = planner_number(p->talk->task, "step");
    const uint32_t done = step ? step - 1 : 0;
    const char *why = etna_arena_printf(
        p->talk->arena,
        "The goal needs %u more edit%s, but only %u %s left: --max-steps %u would do.",
        total, total == 1 ? "" : "s", p->left, p->left == 1 ? "is" : "are",
        total + done);
    return planner_say_impossible(p, "impossible", ret, why);
}

/* Once what came later has failed, what stands at the places that are said
 * leaves before anything else: a table that was to come half a metre nearer ran
 * into its chairs. *ret_done false: nothing stands there. */
static etna_code planner_clear_ahead(const planner *p,
                                     model_reply *ret,
                                     bool *ret_done)
{
    uint32_t times = 0;
    bool has_failed = planner_given_up_cause(p, &times) != NULL;
    etna_code code = ETNA_OK;
    *ret_done = false;
    for (uint32_t i = 0; i < p->reading.count && has_failed && !*ret_done;
         i++) {
        const builtin_move *move = &p->reading.moves[i];
        if (planner_is_satisfied(p, move) || planner_waits(p, move) ||
            planner_missing(p, i, p->scratch) == 0)
            continue;
        const uint32_t object = p->scratch[0];
        planner_job j = {
            .move = move, .object = object, .list = &object, .count = 1};
        j.reference = builtin_support_of(p->facts, move, object);
        j.plans = etna_arena_alloc(p->talk->arena, 1, sizeof *j.plans);
        if (!j.plans)
            return planner_no_memory(p);
        code = planner_clear_place(p, &j, ret, ret_done);
        if (code != ETNA_OK)
            return code;
    }
    return code;
}

void planner_speak_of(planner *p,
                      const builtin_reading *reading,
                      const builtin_move *move)
{
    bool several = reading->left_count > 0;
    for (uint32_t i = 0; i < reading->count && !several; i++)
        several = memcmp(reading->moves[i].clause, move->clause,
                         sizeof move->clause) != 0;
    for (int k = 0; k < 2; k++)
        p->part[k] = several && !p->list_mode ? move->clause[k] : 0;
    p->thing = 0;
}

/* What of the text does not hold, where nobody is to do anything about it. */
static etna_code planner_say_unmet(const planner *p,
                                   const planner_agenda *next,
                                   model_reply *ret)
{
    const builtin_move *move = &p->reading.moves[next->move];
    const uint32_t object =
        next->count ? next->list[0] : move->objects.objects[0];
    const char *name = p->facts->objects[object].name;
    const char *why =
        p->list_mode
            ? etna_arena_printf(p->talk->arena,
                                "%.255s is not as instruction %u asks.", name,
                                p->instruction)
            : etna_arena_printf(p->talk->arena,
                                "%.255s is not as the goal asks.", name);
    return planner_say_impossible(p, "impossible", ret, why);
}

/* Does the agenda's next thing come to stand on or in its reference where that
 * has no room for all of them? *ret is why. */
static bool planner_is_crowded(const planner *p,
                               const planner_agenda *next,
                               const char **ret)
{
    const builtin_move *move = &p->reading.moves[next->move];
    bool onto = move->relation == RELATION_ON || move->relation == RELATION_IN;
    if (!onto || builtin_is_hung(p->facts, move, next->list[0]))
        return false;
    return planner_lacks_room(p, move->reference, next->list, next->count, ret);
}

/* One edit of what the text asks for. *ret_done false: everything stands as
 * asked. */
etna_code planner_plan_moves(planner *p, model_reply *ret, bool *ret_done)
{
    bool is_clearing = false;
    planner_agenda next = {.list = etna_arena_alloc(p->talk->arena,
                                                    p->facts->object_count + 1u,
                                                    sizeof *next.list)};
    if (!next.list)
        return planner_no_memory(p);
    etna_code code = planner_choose_supports(p);
    if (code == ETNA_OK)
        code = planner_forgo_no_nearer(p);
    if (code != ETNA_OK)
        return code;
    planner_find_next(p, &next);
    *ret_done = next.is_circle || next.count > 0;
    if (!*ret_done)
        return ETNA_OK;
    if (p->measures)
        return planner_say_unmet(p, &next, ret);
    if (next.is_circle)
        return planner_say_impossible(
            p, "impossible", ret,
            "Each of these is to stand on another that is itself to be moved: there is nothing to begin with.");
    if (next.total > p->left)
        return planner_say_too_long(p, next.total, ret);
    code = planner_clear_ahead(p, ret, &is_clearing);
    if (code != ETNA_OK || is_clearing)
        return code;
    planner_add_companions(p, &next);
    const char *why = NULL;
    planner_speak_of(p, &p->reading, &p->reading.moves[next.move]);
    planner_speak_of_thing(p, &p->reading.moves[next.move], next.list[0]);
    if (planner_is_crowded(p, &next, &why))
        return planner_say_refused(
            p, "no_place", ret, why,
            "Choose something larger or emptier, or name fewer things.");
    return planner_place_next(p, &next, ret);
}

/* False: what was not read is no part that the rest does without. */
static bool planner_leave_out(planner *p)
{
    const uint32_t *part = p->reading.refusal.part;
    uint32_t at = p->unread_count;
    if (part[1] <= part[0] || at == PARTS_MAX)
        return false;
    for (; at > 0 && p->unread[at - 1][0] > part[0]; at--)
        memcpy(p->unread[at], p->unread[at - 1], sizeof p->unread[at]);
    memcpy(p->unread[at], part, sizeof p->unread[at]);
    p->unread_count++;
    return true;
}

/* Where a claim is measured: of several wishes those that can be read, behind
 * the first that cannot. */
static etna_code planner_read_rest(planner *p, const char *goal, etna_code read)
{
    while (p->measures && read == ETNA_E_INPUT && planner_leave_out(p)) {
        etna_code code = planner_recall_run(p, goal);
        if (code != ETNA_OK)
            return code;
        read = planner_read_sentence(p, goal);
    }
    return read;
}

etna_code planner_answer(planner *p, model_reply *ret, bool *ret_done)
{
    etna_code code = planner_plan_held(p, ret, ret_done);
    if (code != ETNA_OK || *ret_done)
        return code;
    return planner_measure(p, ret, ret_done);
}

/* The goal is read in the scene as it was at the start, since that is where its
 * names were true; places are found in the present one. */
static etna_code planner_plan_goal(planner *p,
                                   const char *goal,
                                   model_reply *ret)
{
    bool said = false, done = false;
    p->instruction = 1;
    etna_code code =
        builtin_facts_at_start(p->facts, p->talk->arena, &p->then, p->err);
    if (code == ETNA_OK)
        code = planner_recall_run(p, goal);
    if (code != ETNA_OK)
        return code;
    /* what it names is what it named when it was said */
    etna_code read = planner_read_sentence(p, goal);
    const builtin_refusal first = p->reading.refusal;
    read = planner_read_rest(p, goal, read);
    code = planner_take_apart(p, read, goal, ret, &said);
    if (code != ETNA_OK || said)
        return code;
    planner_note_stays(p);
    code = planner_answer(p, ret, &done);
    planner_mark_spoken_of(p, &p->reading);
    if (code == ETNA_OK && !done && !p->measures)
        code = planner_go_back(p, ret, &done);
    if (code != ETNA_OK || done)
        return code;
    if (p->unread_count > 0)
        return planner_say_unreadable(p, &first, goal, ret);
    return builtin_say(
        p->talk, ret, p->err,
        "Everything%s stands where the goal wants it.\n<finished>\n",
        json_object_get(p->talk->task, "left_out") ? " but what was passed over"
                                                   : "");
}

/* No state between steps: everything is found again from the task, so any
 * worker can do any step. */
etna_code builtin_planner(builtin_talk *talk, model_reply *ret, etna_error *err)
{
    planner *p = etna_arena_alloc(talk->arena, 1, sizeof *p);
    if (!p)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory while planning");
    p->scratch = etna_arena_alloc(talk->arena, talk->facts.object_count + 1u,
                                  sizeof *p->scratch);
    p->served = etna_arena_alloc(talk->arena, talk->facts.object_count + 1u,
                                 sizeof *p->served);
    p->stays = etna_arena_alloc(talk->arena, talk->facts.object_count + 1u,
                                sizeof *p->stays);
    p->refused = etna_arena_alloc(talk->arena, 1, sizeof *p->refused);
    const bool has_room = p->scratch && p->served && p->stays;
    if (!has_room || !p->refused)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory while planning");
    *p->refused = false;
    memset(p->stays, 0, (talk->facts.object_count + 1u) * sizeof *p->stays);
    memset(p->served, 0, (talk->facts.object_count + 1u) * sizeof *p->served);
    p->talk = talk;
    p->facts = &talk->facts;
    p->then = talk->facts;
    p->err = err;
    uint32_t step = planner_number(talk->task, "step");
    uint32_t steps = planner_number(talk->task, "maximum_steps");
    p->left = steps + 1 > step ? steps + 1 - step : 0;
    const char *goal = json_string_value(json_object_get(talk->task, "goal"));
    p->list_mode = goal == NULL;
    p->measures = json_is_true(json_object_get(talk->task, "measures"));
    return p->list_mode
               ? planner_plan_instructions(
                     p, json_object_get(talk->task, "instructions"), ret)
               : planner_plan_goal(p, goal, ret);
}
