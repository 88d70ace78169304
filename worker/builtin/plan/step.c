/* A move as the planner handles it: does it hold already, how is the edit said,
 * and how a refusal. */
#include "proto/array.h"
#include "worker/builtin/plan/planner_internal.h"

#include "worker/provider/text.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

etna_code planner_no_memory(const planner *p)
{
    return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning");
}

/* ---- does it hold ---- */

/* Metres from what it was to be moved beside within which nobody would ask for
 * it; of chessmen fewer. */
static double step_at_hand(const builtin_object *o)
{
    const double half = builtin_half_longer(o);
    const double most = 0.1;
    return (3 * half < most ? 3 * half : most) + 0.3 * half;
}

/* At the end of something is beside it, where they stand on different
 * things. */
double planner_gap(const planner *p,
                   const builtin_move *move,
                   uint32_t object,
                   const double at[3])
{
    builtin_move near = *move;
    if (move->relation == RELATION_END && move->support != move->reference)
        near.relation = RELATION_BESIDE;
    return builtin_gap(p->facts, &near, object, at);
}

/* Is it to be moved beside a thing from which it stands as it stood, and
 * far? */
static bool step_is_still_far(const planner *p,
                              const builtin_move *move,
                              uint32_t object,
                              const double at[3])
{
    if (!move->goes || move->gap >= 0 || planner_edits_of(p, object) > 0)
        return false;
    return planner_gap(p, move, object, at) >
           step_at_hand(&p->facts->objects[object]);
}

/* Metres. */
static double step_apart(const double a[3], const double b[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

/* Within 2 cm and a sixth of the way, but never less than half of it. */
static bool step_is_shifted(const planner *p,
                            const builtin_move *move,
                            uint32_t object)
{
    double to[3];
    double distance =
        sqrt(move->shift[0] * move->shift[0] + move->shift[1] * move->shift[1] +
             move->shift[2] * move->shift[2]);
    double allowed = 0.02 + 0.15 * distance;
    double half = 0.5 * distance;
    planner_shifted(p, move, object, to);
    return step_apart(p->facts->objects[object].centre, to) <=
           (allowed < half ? allowed : half);
}

/* As high as was worked out; on a hill of which no surface is known as high as
 * that is there. */
static bool step_is_as_high(const planner *p,
                            const builtin_move *move,
                            uint32_t object)
{
    const builtin_object *o = &p->facts->objects[object];
    const double bottom = move->hung ? o->centre[2] : builtin_foot(o);
    if (fabs(bottom - move->at[2]) <= (move->hung ? 0.03 : 0.06))
        return true;
    if (move->hung || move->support >= p->facts->object_count)
        return false;
    const double foot[3] = {o->centre[0], o->centre[1], bottom};
    return builtin_is_ground(&p->facts->objects[move->support]) &&
           builtin_stands_on(p->facts, object, move->support) &&
           builtin_surface_under(p->facts, foot, object) == BUILTIN_NONE;
}

/* The tolerances are those within which the solver may leave it. */
static bool step_is_at(const planner *p,
                       const builtin_move *move,
                       uint32_t object)
{
    const builtin_object *o = &p->facts->objects[object];
    const double bottom = builtin_foot(o);
    double dx = o->centre[0] - move->at[0];
    double dy = o->centre[1] - move->at[1];
    double allowed = move->slack > 0.01 ? move->slack + 0.01 : 0.02;
    if (sqrt(dx * dx + dy * dy) > allowed || !step_is_as_high(p, move, object))
        return false;
    if (move->has_yaw && planner_yaw_apart(o->yaw_deg, move->yaw_deg) > 10)
        return false;
    if (move->hung || move->support == BUILTIN_NONE)
        return true;
    /* Whoever worked the place out: it is on the board that was said. */
    const bool is_off =
        builtin_off_level(p->facts, move->support, move->level, bottom) > 0;
    return !is_off && builtin_is_above(p->facts, object, move->support);
}

/* What was moved already may be a little less beneath: the next try would come
 * no farther. */
static bool step_is_tucked(const planner *p,
                           const builtin_move *move,
                           uint32_t object)
{
    const double *at = p->facts->objects[object].centre;
    double share = planner_share_beneath(p->facts, object, move->reference, at);
    double asked = planner_edits_of(p, object) > 0 ? 0.15 : 0.3;
    const double amid = 0.03; /* metres */
    if (move->exact &&
        planner_tuck_aside(p->facts, object, move->reference) > amid)
        return false;
    return share >= asked &&
           planner_tuck_off(p->facts, object, move->reference) <= 10;
}

/* Where the other thing, or the thing itself, was at the start. */
static bool step_is_at_old_place(const planner *p,
                                 const builtin_move *move,
                                 uint32_t object)
{
    const builtin_object *o = &p->facts->objects[object];
    const builtin_object *old = &p->facts->objects[move->reference];
    const double at[3] = {o->centre[0], o->centre[1], builtin_foot(o)};
    double place[3];
    if (move->has_yaw && planner_yaw_apart(o->yaw_deg, move->yaw_deg) > 10)
        return false;
    if (o->attached && old->attached)
        return step_apart(o->centre, old->start) <= 0.06;
    builtin_old_place(p->facts, move, place);
    return fabs(at[2] - place[2]) <= 0.06 &&
           builtin_misfit(p->facts, move, object, at) <= 0.01;
}

/* On a rug that lies on the support of what it is beside, or on the floor that
 * it is to stand on: that is as good. */
static bool step_is_on_covering(const planner *p,
                                const builtin_move *move,
                                uint32_t object,
                                uint32_t support)
{
    bool beside =
        move->relation >= RELATION_BESIDE && move->relation <= RELATION_BETWEEN;
    bool may = beside || (support < p->facts->object_count &&
                          p->facts->objects[support].is_static);
    const builtin_object *o = &p->facts->objects[object];
    for (uint32_t i = 0; i < o->by_count && may; i++) {
        if (builtin_is_covering(p->facts, o->by[i]) &&
            builtin_stands_on(p->facts, o->by[i], support))
            return true;
    }
    return false;
}

/* On what it is to be taken off, where the place that is asked for is not there
 * itself? */
static bool step_has_not_left(const planner *p,
                              const builtin_move *move,
                              uint32_t object,
                              uint32_t support)
{
    for (uint32_t i = 0; i < move->leaves.count; i++) {
        const uint32_t left = move->leaves.objects[i];
        bool asked = support < p->facts->object_count &&
                     planner_is_above(p->facts, support, left);
        if (!asked && builtin_is_above(p->facts, object, left))
            return true;
    }
    return false;
}

/* Metres by which a place may be off: a centimetre, of chessmen less. */
static double step_slack(const builtin_object *o)
{
    const double half = builtin_half_longer(o);
    const double most = 0.01;
    return 0.2 * half < most ? 0.2 * half : most;
}

/* Each of what is between has to be of the set: a cup on a table is not on the
 * floor. */
bool planner_is_piled_on(const planner *p,
                         const builtin_set *set,
                         uint32_t object,
                         uint32_t support)
{
    enum {
        LEVELS_MAX = 32
    };
    for (uint32_t level = 0; level < LEVELS_MAX; level++) {
        const builtin_object *o = &p->facts->objects[object];
        if (builtin_stands_on(p->facts, object, support))
            return true;
        if (o->by_count == 0 ||
            !number_is_of(o->by[0], set->objects, set->count))
            return false;
        object = o->by[0];
    }
    return false;
}

/* What is in a thing may lie on other things in there. */
static bool step_is_piled(const planner *p,
                          const builtin_move *move,
                          uint32_t object,
                          uint32_t support)
{
    if (move->relation == RELATION_IN)
        return builtin_is_above(p->facts, object, support);
    return move->relation == RELATION_ON &&
           planner_is_piled_on(p, &move->objects, object, support);
}

/* On its support and within the relation. */
static bool step_stands_there(const planner *p,
                              const builtin_move *move,
                              uint32_t object)
{
    const builtin_object *o = &p->facts->objects[object];
    const double at[3] = {o->centre[0], o->centre[1], builtin_foot(o)};
    uint32_t support = move->relation == RELATION_ON
                           ? move->reference
                           : builtin_support_of(p->facts, move, object);
    bool stands =
        support == BUILTIN_NONE || builtin_stands_on(p->facts, object, support);
    if (!stands)
        stands = step_is_on_covering(p, move, object, support);
    if (!stands)
        stands = step_is_piled(p, move, object, support);
    if (!stands || step_has_not_left(p, move, object, support))
        return false;
    if (support < p->facts->object_count &&
        builtin_is_below_top(p->facts, move, support, at[2]))
        return false;
    if (builtin_misfit(p->facts, move, object, at) > step_slack(o))
        return false;
    return !step_is_still_far(p, move, object, at);
}

/* Nearer than at the start of the instruction, or farther, by what is seen: 3
 * cm, or a tenth of the way where that is less. */
static bool step_has_come(const planner *p,
                          const builtin_move *move,
                          uint32_t object)
{
    const double seen = 0.03, share = 0.1;
    const bool has_left_wall =
        builtin_hangs_on(&p->then, object) != BUILTIN_NONE &&
        builtin_hangs_on(p->facts, object) == BUILTIN_NONE;
    if (planner_edits_of(p, object) == 0 || has_left_wall)
        return false;
    if (move->reference >= p->facts->object_count)
        return true;
    const double *was = p->then.objects[object].centre;
    const double *is = p->facts->objects[object].centre;
    double end[3];
    planner_way_end(&p->then, move->reference, was, end);
    const double before = step_apart(was, end);
    planner_way_end(p->facts, move->reference, is, end);
    const double now = step_apart(is, end);
    const double come =
        move->relation == RELATION_TOWARD ? before - now : now - before;
    return come >= (seen < share * before ? seen : share * before);
}

static bool step_is_off(const planner *p,
                        const builtin_move *move,
                        uint32_t object)
{
    const double bottom = builtin_foot(&p->facts->objects[object]);
    if (move->level > 0 &&
        builtin_off_level(p->facts, move->reference, move->level, bottom) > 0)
        return true;
    if (step_has_not_left(p, move, object, BUILTIN_NONE))
        return false;
    return !builtin_is_above(p->facts, object, move->reference);
}

static bool step_is_turned(const planner *p,
                           const builtin_move *move,
                           uint32_t object)
{
    const double about = 5; /* degrees */
    return planner_yaw_apart(p->facts->objects[object].yaw_deg,
                             planner_turned_yaw(p, move, object)) <= about;
}

static bool step_is_level(const planner *p,
                          const builtin_move *move,
                          uint32_t object)
{
    double height;
    return !builtin_aligned_height(p->facts, move, object, &height) ||
           fabs(p->facts->objects[object].centre[2] - height) <= 0.02;
}

/* One thing's relation holds now. Directions (toward, away) hold after any edit
 * of it, as they have no end. */
static bool step_holds_there(const planner *p,
                             const builtin_move *move,
                             uint32_t object)
{
    static bool (*const holds[RELATION_COUNT])(
        const planner *, const builtin_move *,
        uint32_t) = {[RELATION_OFF] = step_is_off,
                     [RELATION_TURN] = step_is_turned,
                     [RELATION_TOWARD] = step_has_come,
                     [RELATION_AWAY] = step_has_come,
                     [RELATION_SHIFT] = step_is_shifted,
                     [RELATION_AT] = step_is_at,
                     [RELATION_TUCK] = step_is_tucked,
                     [RELATION_PLACE] = step_is_at_old_place,
                     [RELATION_LEVEL] = step_is_level};
    if (move->relation == RELATION_TURNED)
        return true;
    return (holds[move->relation] ? holds[move->relation]
                                  : step_stands_there)(p, move, object);
}

/* Something that stood on it and should have gone along but stands where it
 * was; BUILTIN_NONE: nothing. */
uint32_t planner_left_behind(const planner *p,
                             const builtin_move *move,
                             uint32_t object)
{
    const double still = 0.02; /* metres, level */
    const builtin_object *then = &p->then.objects[object];
    if (move->alone || builtin_is_covering(p->facts, object))
        return BUILTIN_NONE;
    if (step_apart(then->centre, p->facts->objects[object].centre) <= still)
        return BUILTIN_NONE;
    for (uint32_t i = 0; i < then->on_count; i++) {
        const uint32_t load = then->on[i];
        const builtin_object *before = &p->then.objects[load];
        const builtin_object *now = &p->facts->objects[load];
        const double dx = before->centre[0] - now->centre[0];
        const double dy = before->centre[1] - now->centre[1];
        bool went_along = before->by_count == 1 && !before->is_static;
        bool stays = sqrt(dx * dx + dy * dy) <= still &&
                     !builtin_is_above(p->facts, load, object);
        if (went_along && stays && planner_edits_of(p, load) == 0)
            return load;
    }
    return BUILTIN_NONE;
}

/* The relation, nothing left behind, and turned as asked. */
bool planner_holds(const planner *p, const builtin_move *move, uint32_t object)
{
    if (planner_left_behind(p, move, object) != BUILTIN_NONE)
        return false;
    if (builtin_is_hung(p->facts, move, object) &&
        move->relation != RELATION_AT && move->relation != RELATION_LEVEL)
        return builtin_hangs_as_asked(p->facts, move, object);
    double askew = move->relation == RELATION_AGAINST && move->has_yaw
                       ? planner_yaw_apart(p->facts->objects[object].yaw_deg,
                                           move->yaw_deg)
                       : 0;
    if (askew > 10 && askew < 170)
        return false; /* a long side has no front */
    return step_holds_there(p, move, object) &&
           builtin_facing_off(p->facts, move, object) <= 10;
}

/* ---- answers ---- */

/* NAN is 0. */
static double step_clamped(double value)
{
    if (!(value > 0))
        return 0;
    return value < 1 ? value : 1;
}

/* Where the place is in the picture; what the picture does not show, at its
 * rim. */
static void step_project(const builtin_facts *facts,
                         const builtin_exact *exact,
                         double ret[2])
{
    double image[2] = {0.5, 0.5};
    builtin_project(facts, exact->at, image, NULL);
    for (int k = 0; k < 2; k++)
        ret[k] = step_clamped(image[k]);
}

/* The words of an edit that are only there at times: "" where they are not,
 * NULL where memory is out. */
static const char *step_say_support(const planner *p,
                                    const builtin_exact *exact)
{
    if (exact->kind == EXACT_MOVE)
        return "";
    const char *name =
        builtin_quote(p->talk, p->facts->objects[exact->support].name);
    return name ? etna_arena_printf(p->talk->arena, " on %s", name) : NULL;
}

/* For who reads the plan; nothing where there is none. */
static const char *step_say_tactic(const planner *p, const plan *chosen)
{
    return chosen->tactic ? etna_arena_printf(p->talk->arena, " Tactic: %s.",
                                              chosen->tactic)
                          : "";
}

/* Which instruction, or which part of the goal, the edit is for. */
static const char *step_say_item(const planner *p)
{
    if (!p->list_mode && p->thing)
        return etna_arena_printf(p->talk->arena,
                                 "[goal_part]\n%u %u %u\n[end of goal_part]\n",
                                 p->part[0], p->part[1], p->thing);
    if (!p->list_mode && p->part[1] > p->part[0])
        return etna_arena_printf(p->talk->arena,
                                 "[goal_part]\n%u %u\n[end of goal_part]\n",
                                 p->part[0], p->part[1]);
    if (!p->list_mode)
        return "";
    return etna_arena_printf(p->talk->arena,
                             "[list_item]\n%u\n[end of list_item]\n",
                             p->instruction);
}

static const char *step_say_way(const plan *chosen)
{
    return chosen->makes_way ? "[makes_way]\nyes\n[end of makes_way]\n" : "";
}

/* The edit in the words of a planner's answer: instruction, coordinate, and
 * what it is for. */
etna_code planner_say(const planner *p, const plan *chosen, model_reply *ret)
{
    const builtin_exact *exact = &chosen->exact;
    builtin_exact_list places = {.count = 1, .items = {*exact}};
    for (uint32_t i = 0;
         i < chosen->other_count && places.count < BUILTIN_EXACT_MAX; i++) {
        if (chosen->others[i].kind == exact->kind)
            places.items[places.count++] = chosen->others[i];
    }
    const char *sentence = builtin_exact_write(p->talk, &places);
    const char *object =
        builtin_quote(p->talk, p->facts->objects[exact->object].name);
    const char *on = step_say_support(p, exact);
    const char *tactic = step_say_tactic(p, chosen);
    const char *item = step_say_item(p);
    double image[2];
    step_project(p->facts, exact, image);
    bool ok = sentence && object && on;
    if (!ok || !tactic || !item)
        return planner_no_memory(p);
    return builtin_say(
        p->talk, ret, p->err,
        "%s%s goes%s.%s\n\n%s%s[updated_instruction]\n%s.\n[end of updated_instruction]\n[coordinate]\nThe "
        "%s of the object should be around [%.4f, %.4f].\n[end of coordinate]\n",
        chosen->because, object, on, tactic, item, step_say_way(chosen),
        sentence, exact->kind == EXACT_PUT ? "bottom" : "center", image[0],
        image[1]);
}

/* {"code":..,"what":..,"where":..,"do":.., "span":[from, to]} of a refusal.
 * NULL: out of memory. */
static const char *step_refusal(const planner *p,
                                const builtin_refusal *refusal)
{
    json_t *row = json_pack("{s:s,s:s,s:s,s:s}", "code", refusal->code, "what",
                            refusal->what, "where", refusal->where, "do",
                            refusal->advice);
    bool ok = row != NULL;
    if (ok && refusal->to > refusal->from)
        ok = json_object_set_new(row, "span",
                                 json_pack("[I,I]", (json_int_t)refusal->from,
                                           (json_int_t)refusal->to)) == 0;
    const char *text = ok ? text_json(p->talk->arena, row, JSON_COMPACT) : NULL;
    const char *item = step_say_item(p);
    json_decref(row);
    return text && item ? etna_arena_printf(p->talk->arena,
                                            "%s[refusal]\n%s\n[end of refusal]",
                                            item, text)
                        : NULL;
}

/* As a refusal names it. */
static const char *step_where(const planner *p)
{
    if (p->thing)
        return p->facts->objects[p->thing - 1].name;
    return p->list_mode ? etna_arena_printf(p->talk->arena, "instruction %u",
                                            p->instruction)
                        : "goal";
}

/* Without advice. */
etna_code planner_say_impossible(const planner *p,
                                 const char *code,
                                 model_reply *ret,
                                 const char *why)
{
    return planner_say_refused(p, code, ret, why, "");
}

/* In words, then as data between marks; `why` NULL: out of memory. */
etna_code planner_say_refused(const planner *p,
                              const char *code,
                              model_reply *ret,
                              const char *why,
                              const char *advice)
{
    const builtin_refusal parts = {
        .code = code, .what = why, .where = step_where(p), .advice = advice};
    *p->refused = true;
    const char *refusal = why && parts.where ? step_refusal(p, &parts) : NULL;
    if (!refusal)
        return planner_no_memory(p);
    return builtin_say(p->talk, ret, p->err, "%s\n%s\n<impossible>\n", why,
                       refusal);
}

/* What would help, by the refusal's code. */
static const char *step_advice(const char *code)
{
    if (strcmp(code, "unknown") == 0)
        return "Name one of the scene's things: `etna scene info` lists them.";
    if (strcmp(code, "ambiguous") == 0)
        return "Say which by its colour, its size, where it stands, or by its name in quotes.";
    if (strcmp(code, "unread") == 0)
        return "The built-in agent reads sentences like \"Put the red bottle on the table\"; --model NAME connects a "
               "language model that understands more.";
    return "";
}

/* What the reader offers, and for what it did not understand who may. NULL: out
 * of memory. */
static const char *step_offer(const planner *p, const builtin_refusal *refusal)
{
    const json_t *in_vain = json_object_get(p->talk->task, "reader_in_vain");
    if (!refusal->advice || !*refusal->advice)
        return step_advice(refusal->code);
    if (refusal->names_reader && json_is_true(in_vain))
        return "The text model that was to read it gave no answer that can be used: `etna show` has it. Another one may, or say it in English.";
    if (strcmp(refusal->code, "unread") != 0 || refusal->names_reader)
        return refusal->advice;
    return etna_arena_printf(
        p->talk->arena,
        "%s; --model NAME connects a language model that understands more",
        refusal->advice);
}

/* What was not understood is quoted, with what could be said instead. */
etna_code planner_say_unreadable(const planner *p,
                                 const builtin_refusal *refusal,
                                 const char *sentence,
                                 model_reply *ret)
{
    builtin_refusal parts = *refusal;
    size_t size = strlen(sentence);
    bool understood = strcmp(parts.code, "impossible") == 0 ||
                      strcmp(parts.code, "no_place") == 0;
    if (!parts.where || !*parts.where)
        parts.where = step_where(p);
    parts.advice = step_offer(p, refusal);
    if (!parts.advice)
        return planner_no_memory(p);
    if (parts.to > size || parts.from >= parts.to) {
        parts.from = 0;
        parts.to = (uint32_t)size;
    }
    const char *text = parts.where ? step_refusal(p, &parts) : NULL;
    if (!text)
        return planner_no_memory(p);
    if (understood)
        return builtin_say(p->talk, ret, p->err, "%s.\n%s\n<unreadable>\n",
                           parts.what, text);
    return builtin_say(p->talk, ret, p->err,
                       "Cannot read \"%.200s\": %s. %s\n%s\n<unreadable>\n",
                       sentence, parts.what, parts.advice, text);
}
