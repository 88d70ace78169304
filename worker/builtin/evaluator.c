/* The built-in evaluator: judges by the facts after the edit, never by what was
 * intended. Rules in order, the first that applies decides; METHODS.md 3's
 * rubric:
 *
 *   terrible   another object was moved, or the object hangs in the air
 *   bad        it cuts into something, something else lost its support or was moved, it did not move, or the wrong support
 *   fair       it stands partly on something else, over the edge, or far from where it was to go
 *   good       about where it was to go
 *   excellent  there
 *
 * An exact plan (place/exact.h) is measured in metres and degrees. What another
 * sentence means is read again here. When it cannot be read there is no block
 * in the answer, and the poll abstains. */
#include "worker/builtin/hang.h"
#include "worker/builtin/place/exact.h"
#include "worker/builtin/relation.h"
#include "worker/builtin/spot.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    SAMPLES = 9
};

static const double near = 0.05, far = 0.2; /* of the image, from the target */

typedef struct finding {
    arrange_verdict verdict;
    char text[BUILTIN_WHY_MAX];
} finding;

/* '@' in the format stands for the next name. */
static finding finding_of(arrange_verdict verdict,
                          const char *format,
                          const char *a,
                          const char *b)
{
    finding f = {.verdict = verdict};
    size_t used = 0;
    const char *arguments[2] = {a, b};
    int next = 0;
    for (const char *p = format; *p && used + 1 < sizeof f.text;
         p++) { /* '@' stands for the next name */
        if (*p != '@' || next == 2) {
            f.text[used++] = *p;
            continue;
        }
        int n = snprintf(f.text + used, sizeof f.text - used, "%.180s",
                         arguments[next++]);
        used += n > 0 ? (size_t)n : 0;
        if (used >= sizeof f.text)
            used = sizeof f.text - 1;
    }
    f.text[used] = 0;
    return f;
}

/* Corners go counterclockwise. */
static bool surface_has(const builtin_surface *s, double x, double y)
{
    for (uint32_t i = 0; i < s->corner_count; i++) {
        const double *a = s->corners[i];
        const double *b = s->corners[(i + 1) % s->corner_count];
        double cross = (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
        double length =
            sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]));
        if (cross < -0.002 * length)
            return false; /* 2 mm over the edge is on it */
    }
    return s->corner_count >= 3;
}

/* The longest way between two corners. */
static double surface_across(const builtin_surface *s)
{
    double most = 0;
    for (uint32_t i = 0; i < s->corner_count; i++) {
        for (uint32_t k = i + 1; k < s->corner_count; k++) {
            double dx = s->corners[i][0] - s->corners[k][0];
            double dy = s->corners[i][1] - s->corners[k][1];
            double way = sqrt(dx * dx + dy * dy);
            most = way > most ? way : most;
        }
    }
    return most;
}

/* The share of the bottom that is over a surface of `by` at its height (samples
 * of the box's footprint); -1: no surface is known there. *ret_fits: could it
 * be wholly on it? *ret_middle: its middle is. */
static double share_on(const builtin_facts *facts,
                       uint32_t object,
                       uint32_t by,
                       bool *ret_fits,
                       bool *ret_middle)
{
    const builtin_object *o = &facts->objects[object];
    double bottom = builtin_foot(o);
    double best = -1;
    for (uint32_t i = 0; i < facts->surface_count; i++) {
        const builtin_surface *s = &facts->surfaces[i];
        if (s->object != by || fabs(s->height - bottom) > 0.02)
            continue;
        uint32_t count = 0;
        for (int u = 0; u < SAMPLES; u++) {
            for (int v = 0; v < SAMPLES; v++) {
                double across =
                    o->half[0] * ((2 * u + 1) / (double)SAMPLES - 1);
                double along = o->half[1] * ((2 * v + 1) / (double)SAMPLES - 1);
                double x = o->centre[0] + along * o->heading[0] -
                           across * o->heading[1];
                double y = o->centre[1] + along * o->heading[1] +
                           across * o->heading[0];
                count += surface_has(s, x, y);
            }
        }
        double share = count / (double)(SAMPLES * SAMPLES);
        if (share <= best)
            continue;
        best = share;
        *ret_middle = surface_has(s, o->centre[0], o->centre[1]);
        double small = builtin_half_shorter(o);
        double large = builtin_half_longer(o);
        *ret_fits =
            2 * small < s->width &&
            2 * large <
                /* a teapot's handle is over the plate's edge, however it
                 * stands */
                surface_across(s);
    }
    return best;
}

/* The share of the footprint that is over the box of `base`; 1 where that could
 * not be all of it: the thing is larger as it is turned; the base is a rug, on
 * which things stand as beside it, or a floor. */
static double share_over(const builtin_facts *facts,
                         uint32_t object,
                         uint32_t base)
{
    const builtin_object *o = &facts->objects[object];
    const builtin_object *b = &facts->objects[base];
    const double aside_way[2] = {-b->heading[1], b->heading[0]};
    bool fits = builtin_extent(o, b->heading) <= b->half[1] &&
                builtin_extent(o, aside_way) <= b->half[0];
    /* square metres: where a fixed one of that size ends, mostly only the file
     * ends */
    const double ground = 4;
    bool is_ground = b->is_static && 4 * b->half[0] * b->half[1] >= ground;
    if (is_ground || builtin_is_covering(facts, base) || !fits)
        return 1;
    uint32_t count = 0;
    for (int n = 0; n < SAMPLES * SAMPLES; n++) {
        double u = o->half[0] * ((2 * (n % SAMPLES) + 1) / (double)SAMPLES - 1);
        double v = o->half[1] * ((2 * (n / SAMPLES) + 1) / (double)SAMPLES - 1);
        double x =
            o->centre[0] + v * o->heading[0] - u * o->heading[1] - b->centre[0];
        double y =
            o->centre[1] + v * o->heading[1] + u * o->heading[0] - b->centre[1];
        double along = x * b->heading[0] + y * b->heading[1];
        double aside = y * b->heading[0] - x * b->heading[1];
        count += fabs(along) <= b->half[1] && fabs(aside) <= b->half[0];
    }
    return count / (double)(SAMPLES * SAMPLES);
}

/* Of the image, from where the planner pointed; 0 where it did not. */
static double off_target(const builtin_facts *facts, const double image[2])
{
    double dx = image[0] - facts->checks.target[0];
    double dy = image[1] - facts->checks.target[1];
    return facts->checks.no_target ? 0 : sqrt(dx * dx + dy * dy);
}

/* How much of it stands where, and how far that is from where it was to go. */
static finding judge_place(const builtin_facts *facts,
                           uint32_t object,
                           uint32_t reference)
{
    const builtin_object *o = &facts->objects[object];
    const char *name = o->name;
    const char *base = facts->objects[reference].name;
    bool fits = true, middle = true;
    double share = share_on(facts, object, reference, &fits, &middle);
    if (share >= 0 && share < 0.94 && (fits || !middle))
        return finding_of(VERDICT_FAIR, "@ hangs over the edge of @", name,
                          base);
    const double bottom[3] = {o->centre[0], o->centre[1], builtin_foot(o)};
    double image[2];
    if (!builtin_project(facts, bottom, image, NULL))
        return finding_of(VERDICT_FAIR, "@ stands on @, but behind the camera",
                          name, base);
    double distance = off_target(facts, image);
    if (distance > far)
        return finding_of(VERDICT_FAIR,
                          "@ stands on @, but far from where it was to go",
                          name, base);
    if (share >= 0 && share < 0.94)
        return finding_of(VERDICT_GOOD,
                          "@ is larger than @ and stands with its middle on it",
                          name, base);
    if (distance > near)
        return finding_of(VERDICT_GOOD,
                          "@ stands wholly on @, about where it was to go",
                          name, base);
    return finding_of(VERDICT_EXCELLENT,
                      "@ stands wholly on @, where it was to go", name, base);
}

/* Within 10 degrees it faces; beyond 45 it does not. */
static finding judge_facing(const builtin_facts *facts,
                            const builtin_move *move)
{
    const char *name = facts->objects[facts->checks.object].name;
    const char *faced = "";
    if (move->faced == BUILTIN_CAMERA)
        faced = "the camera";
    else if (move->faced < facts->object_count)
        faced = facts->objects[move->faced].name;
    double off = builtin_facing_off(facts, move, facts->checks.object);
    bool back = move->facing == FACING_BACK;
    if (off > 45)
        return finding_of(VERDICT_BAD,
                          back ? "@ does not have its back to @"
                               : "@ does not face @",
                          name, faced);
    if (off > 10)
        return finding_of(VERDICT_FAIR,
                          back ? "@ has its back not quite to @"
                               : "@ does not quite face @",
                          name, faced);
    return finding_of(VERDICT_EXCELLENT,
                      back ? "@ has its back to @" : "@ faces @", name, faced);
}

/* It may not have gone elsewhere meanwhile. */
static finding judge_turn(const builtin_facts *facts, const builtin_move *move)
{
    const builtin_checks *checks = &facts->checks;
    const builtin_object *o = &facts->objects[checks->object];
    if (checks->moved > 0.1 + 0.5 * (o->half[0] + o->half[1]))
        return finding_of(
            VERDICT_FAIR,
            "@ was to be turned where it stands, and went elsewhere", o->name,
            "");
    if (move->relation == RELATION_TURNED)
        return judge_facing(facts, move);
    double off = fmod(fabs(checks->turned - move->turn), 360);
    if (off > 180)
        off = 360 - off;
    if (off > 15)
        return finding_of(VERDICT_BAD,
                          "@ was not turned as far as it should be", o->name,
                          "");
    return finding_of(off > 5 ? VERDICT_FAIR : VERDICT_EXCELLENT,
                      "@ was turned", o->name, "");
}

/* The relation itself, by geometry; ON needs no more than its support. */
static finding judge_relation(const builtin_facts *facts,
                              const builtin_move *move)
{
    const builtin_object *o = &facts->objects[facts->checks.object];
    const double at[3] = {o->centre[0], o->centre[1], builtin_foot(o)};
    double misfit = builtin_misfit(facts, move, facts->checks.object, at);
    const char *base = move->reference < facts->object_count
                           ? facts->objects[move->reference].name
                           : "";
    char text[64];
    snprintf(text, sizeof text, "@ is not as asked to @ (%s)",
             builtin_relation_name(move->relation));
    if (misfit > 0.1)
        return finding_of(VERDICT_BAD, text, o->name, base);
    if (misfit > 0.01)
        return finding_of(VERDICT_FAIR, text, o->name, base);
    if (move->facing != FACING_NONE)
        return judge_facing(facts, move);
    return finding_of(VERDICT_EXCELLENT, "@", o->name, "");
}

/* On a wall, and as asked. */
static finding judge_hanging(const builtin_facts *facts,
                             const builtin_move *move)
{
    const builtin_object *o = &facts->objects[facts->checks.object];
    uint32_t wall = builtin_hangs_on(facts, facts->checks.object);
    if (wall == BUILTIN_NONE)
        return finding_of(VERDICT_BAD, "@ does not hang on a wall", o->name,
                          "");
    const char *base = facts->objects[facts->walls[wall].object].name;
    if (!builtin_hangs_as_asked(facts, move, facts->checks.object))
        return finding_of(VERDICT_BAD, "@ hangs on @, but not as asked",
                          o->name, base);
    double image[2];
    if (!builtin_project(facts, o->centre, image, NULL))
        return finding_of(VERDICT_FAIR, "@ hangs on @, but behind the camera",
                          o->name, base);
    double distance = off_target(facts, image);
    if (distance > far)
        return finding_of(VERDICT_FAIR,
                          "@ hangs on @, but far from where it was to go",
                          o->name, base);
    if (distance > near)
        return finding_of(VERDICT_GOOD,
                          "@ hangs on @, about where it was to go", o->name,
                          base);
    return finding_of(VERDICT_EXCELLENT, "@ hangs on @, where it was to go",
                      o->name, base);
}

/* What is wrong after any edit; EXCELLENT: nothing. `in_air`: it is to hang or
 * hover. */
static finding judge_edit(const builtin_facts *facts,
                          uint32_t meant,
                          bool in_air)
{
    const builtin_checks *checks = &facts->checks;
    const builtin_object *o = &facts->objects[checks->object];
    const char *name = o->name;
    if (meant != checks->object)
        return finding_of(VERDICT_TERRIBLE, "@ was moved where @ was meant",
                          name, facts->objects[meant].name);
    if (checks->object_floats || (o->hovering && !in_air))
        return finding_of(VERDICT_TERRIBLE, "@ hangs in the air", name, "");
    if (checks->collision_count > 0)
        return finding_of(VERDICT_BAD, "it sticks: @", checks->collisions, "");
    if (checks->floating_count > 0)
        return finding_of(VERDICT_BAD, "@ lost what it stood on",
                          checks->floating, "");
    if (checks->others_moved > 0)
        return finding_of(VERDICT_BAD, "other things than @ were moved", name,
                          "");
    if (checks->moved < 1e-6 && fabs(checks->turned) < 0.01)
        return finding_of(VERDICT_BAD, "@ was not moved", name, "");
    return finding_of(VERDICT_EXCELLENT, "@", name, "");
}

/* Metres from the place that was said, or from the way; beyond the slack. */
static double off_place(const builtin_exact *exact, const builtin_object *o)
{
    double at[3] = {exact->at[0], exact->at[1], exact->at[2]};
    double sum = 0;
    if (exact->is_way) {
        double dx = exact->to[0] - at[0];
        double dy = exact->to[1] - at[1];
        double length = dx * dx + dy * dy;
        double t = 0;
        if (length > 0)
            t = ((o->centre[0] - at[0]) * dx + (o->centre[1] - at[1]) * dy) /
                length;
        t = fmin(fmax(t, 0), 1);
        at[0] += t * dx;
        at[1] += t * dy;
    }
    for (int k = 0; k < (exact->kind == EXACT_PUT ? 2 : 3);
         k++) /* how deep it comes to rest its support says */
        sum += (o->centre[k] - at[k]) * (o->centre[k] - at[k]);
    double off = sqrt(sum) - exact->slack;
    return off > 0 ? off : 0;
}

/* Did it come to rest within what it was to come into, and not on its rim? */
static bool is_within(const builtin_facts *facts, const builtin_exact *exact)
{
    const double tolerance = 0.01; /* metres */
    const builtin_object *o = &facts->objects[exact->object];
    const double at[3] = {o->centre[0], o->centre[1], builtin_foot(o)};
    const builtin_move move = {
        .objects = {.count = 1, .objects = &exact->object, .need = 1},
        .reference = exact->support,
        .relation = RELATION_IN,
        .second = BUILTIN_NONE,
        .support = BUILTIN_NONE,
        .faced = BUILTIN_NONE,
        .gap = -1,
        .spacing = -1};
    return builtin_misfit(facts, &move, exact->object, at) <= tolerance;
}

/* On it, or on a rug that lies on it: the solver takes that for the same. */
static bool is_held_by(const builtin_facts *facts,
                       uint32_t object,
                       uint32_t support)
{
    const builtin_object *o = &facts->objects[object];
    if (builtin_stands_on(facts, object, support))
        return true;
    for (uint32_t i = 0; i < o->by_count; i++) {
        if (builtin_is_covering(facts, o->by[i]) &&
            builtin_stands_on(facts, o->by[i], support))
            return true;
    }
    return false;
}

/* Is the object on what it was to be on, and in it where that is said?
 * Excellent: it is. */
static finding judge_exact_support(const builtin_facts *facts,
                                   const builtin_exact *exact)
{
    const builtin_object *o = &facts->objects[facts->checks.object];
    const char *base =
        exact->kind == EXACT_MOVE ? "" : facts->objects[exact->support].name;
    bool held = exact->kind != EXACT_PUT ||
                is_held_by(facts, facts->checks.object, exact->support);
    if (!held && o->by_count > 0)
        return finding_of(VERDICT_BAD, "@ stands on the wrong thing: @",
                          o->name, facts->objects[o->by[0]].name);
    if (!held)
        return finding_of(VERDICT_BAD, "@ does not stand on @", o->name, base);
    if (exact->into && !is_within(facts, exact))
        return finding_of(
            VERDICT_BAD,
            "@ does not go into @: it rests on top of it or reaches beyond it",
            o->name, base);
    return finding_of(VERDICT_EXCELLENT, "", "", "");
}

/* Degrees between two headings, from 0 to 180. */
static double turned_by(double degrees)
{
    double turned = fabs(degrees);
    turned -= 360 * floor(turned / 360);
    return turned > 180 ? 360 - turned : turned;
}

/* EXCELLENT goes on to the next rule. */
static finding judge_exact_heading(const builtin_exact *exact,
                                   const builtin_object *o)
{
    const double straight = 10, askew = 45; /* degrees */
    double turned = exact->has_yaw ? turned_by(o->yaw_deg - exact->yaw_deg) : 0;
    if (turned > askew)
        return finding_of(VERDICT_BAD, "@ is not turned as it was to be",
                          o->name, "");
    if (turned > straight)
        return finding_of(VERDICT_FAIR, "@ is not quite turned as it was to be",
                          o->name, "");
    return finding_of(VERDICT_EXCELLENT, "", "", "");
}

/* Five centimetres are there, fifteen about there. */
static finding judge_exact_place(const builtin_facts *facts,
                                 const builtin_exact *exact)
{
    static const char *const held_words[] = {[EXACT_PUT] = "stands on @",
                                             [EXACT_HANG] = "hangs on @",
                                             [EXACT_MOVE] = "is@"};
    const double there = 0.05, about = 0.15; /* metres */
    /* nobody leaves a box over an edge by more, where there is room for all of
     * it */
    const double least_over = 0.85;
    const builtin_object *o = &facts->objects[facts->checks.object];
    const char *base =
        exact->kind == EXACT_MOVE ? "" : facts->objects[exact->support].name;
    double off = off_place(exact, o);
    if (off > about)
        return finding_of(VERDICT_FAIR, "@ is far from where it was to go",
                          o->name, "");
    if (exact->kind == EXACT_PUT &&
        share_over(facts, facts->checks.object, exact->support) < least_over)
        return finding_of(VERDICT_FAIR, "@ hangs over the edge of @", o->name,
                          base);
    char text[64];
    snprintf(text, sizeof text, "@ %s, %swhere it was to go",
             held_words[exact->kind], off > there ? "about " : "");
    return finding_of(off > there ? VERDICT_GOOD : VERDICT_EXCELLENT, text,
                      o->name, base);
}

/* The rules in order; the first fault decides. */
static finding judge_exact(const builtin_facts *facts,
                           const builtin_exact *exact)
{
    finding f = judge_edit(facts, exact->object, exact->kind != EXACT_PUT);
    if (f.verdict == VERDICT_EXCELLENT)
        f = judge_exact_support(facts, exact);
    if (f.verdict == VERDICT_EXCELLENT)
        f = judge_exact_heading(exact, &facts->objects[facts->checks.object]);
    return f.verdict == VERDICT_EXCELLENT ? judge_exact_place(facts, exact) : f;
}

/* Does the edited object stand on the support, and on nothing that is not part
 * of it? Excellent: it does. */
static finding judge_support(const builtin_facts *facts, uint32_t support)
{
    uint32_t object = facts->checks.object;
    const builtin_object *o = &facts->objects[object];
    if (!builtin_stands_on(facts, object, support)) {
        if (o->by_count == 0)
            return finding_of(VERDICT_BAD, "@ does not stand on @", o->name,
                              facts->objects[support].name);
        return finding_of(VERDICT_BAD, "@ stands on the wrong thing: @",
                          o->name, facts->objects[o->by[0]].name);
    }
    for (uint32_t i = 0; i < o->by_count; i++) {
        uint32_t by = o->by[i];
        if (by == support || builtin_stands_on(facts, by, support))
            continue; /* a cloth on the table */
        if (!builtin_stands_on(facts, support, by))
            return finding_of(VERDICT_FAIR, "@ stands partly on @", o->name,
                              facts->objects[by].name);
    }
    return finding_of(VERDICT_EXCELLENT, "", "", "");
}

/* The same for what a sentence asks. */
static finding move_judge(const builtin_facts *facts, const builtin_move *move)
{
    uint32_t object = facts->checks.object;
    uint32_t meant = move->objects.objects[0];
    for (uint32_t i = 0; i < move->objects.count; i++) {
        if (move->objects.objects[i] == object)
            meant = object;
    }
    finding f = judge_edit(facts, meant, false);
    if (f.verdict != VERDICT_EXCELLENT)
        return f;
    if (move->relation == RELATION_TURN || move->relation == RELATION_TURNED)
        return judge_turn(facts, move);
    if (builtin_is_hung(facts, move, object))
        return judge_hanging(facts, move);
    uint32_t support = builtin_support_of(facts, move, object);
    if (support == BUILTIN_NONE)
        return finding_of(VERDICT_BAD, "@ stands on nothing that is known",
                          facts->objects[object].name, "");
    f = judge_support(facts, support);
    if (f.verdict == VERDICT_EXCELLENT)
        f = judge_relation(facts, move);
    return f.verdict == VERDICT_EXCELLENT ? judge_place(facts, object, support)
                                          : f;
}

/* In the block that the method asks for. */
static etna_code tell_finding(builtin_talk *talk,
                              const finding *f,
                              model_reply *ret,
                              etna_error *err)
{
    return builtin_say(
        talk, ret, err,
        "[evaluation]\nvisual_exam: %s.\nverdict: %s\n[end of evaluation]\n",
        f->text, arrange_verdict_name(f->verdict));
}

/* Of what an exact instruction can be meant for the best. */
static finding judge_exact_list(const builtin_facts *facts,
                                const builtin_exact_list *list)
{
    finding best = judge_exact(facts, &list->items[0]);
    for (uint32_t i = 1; i < list->count; i++) {
        finding other = judge_exact(facts, &list->items[i]);
        if (other.verdict > best.verdict)
            best = other;
    }
    return best;
}

/* A sentence that moves several things is the planner's mistake, and is not
 * judged. */
etna_code builtin_evaluator(builtin_talk *talk,
                            model_reply *ret,
                            etna_error *err)
{
    builtin_reading *reading =
        etna_arena_alloc(talk->arena, 1, sizeof *reading);
    if (!reading)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory while evaluating");
    if (!talk->facts.has_checks)
        return builtin_say(
            talk, ret, err,
            "Without the checks' results there is nothing to judge by.");
    const char *said =
        json_string_value(json_object_get(talk->task, "instruction"));
    const char *instruction = said ? said : "";
    etna_error why = {0};
    builtin_exact_list exact;
    if (said && builtin_exact_read(&talk->facts, said, &exact)) {
        finding f = judge_exact_list(&talk->facts, &exact);
        return tell_finding(talk, &f, ret, err);
    }
    etna_code code =
        builtin_read(&talk->facts, instruction, talk->arena, reading, &why);
    if (code == ETNA_OK && reading->count != 1)
        code = etna_fail(&why, ETNA_E_INPUT, "it moves several things");
    if (code == ETNA_E_INPUT)
        return builtin_say(talk, ret, err,
                           "Cannot read the instruction \"%.300s\": %s.",
                           instruction, why.text);
    if (code != ETNA_OK) {
        if (err)
            *err = why;
        return code;
    }
    finding f = move_judge(&talk->facts, &reading->moves[0]);
    return tell_finding(talk, &f, ret, err);
}
