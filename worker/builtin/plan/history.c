/* What was done and tried at this step and before it: no edit is made twice by
 * one instruction, and none is tried again that failed here or was given up. */
#include "worker/builtin/plan/planner_internal.h"
#include "worker/math/vec.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

uint32_t planner_edits_of(const planner *p, uint32_t object)
{
    const json_t *rows = json_object_get(p->talk->task, "edits");
    uint32_t count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *name = json_string_value(json_object_get(row, "object"));
        if (!name || strcmp(name, p->facts->objects[object].name) != 0)
            continue;
        count += builtin_edit_item(row, p->list_mode) == p->instruction;
    }
    return count;
}

/* Is it one of the places of those rows? Of a branch that the solver had a
 * place for and the evaluators rejected the first alone was tried: a loaf on a
 * basket's handle says nothing of the room beside it. */
static bool history_lists(const builtin_facts *facts,
                          const json_t *rows,
                          const builtin_exact *exact)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *said =
            json_string_value(json_object_get(row, "instruction"));
        builtin_exact_list list;
        if (!said || !builtin_exact_read(facts, said, &list))
            continue;
        const bool is_solved =
            list.items[0].into && !json_object_get(row, "obstacle");
        const uint32_t tried = is_solved ? 1 : list.count;
        for (uint32_t k = 0; k < tried; k++) {
            if (builtin_exact_same(&list.items[k], exact))
                return true;
        }
    }
    return false;
}

/* No edit is made twice by one instruction: what did not last will not last the
 * next time. */
static bool history_was_made(const planner *p, const builtin_exact *exact)
{
    const json_t *rows = json_object_get(p->talk->task, "edits");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *said =
            json_string_value(json_object_get(row, "instruction"));
        builtin_exact_list list;
        bool own = builtin_edit_item(row, p->list_mode) == p->instruction;
        if (!own || !said || !builtin_exact_read(p->facts, said, &list))
            continue;
        if (builtin_exact_same(&list.items[0], exact))
            return true;
    }
    return false;
}

/* How many nodes of this step failed with a plan like that one, for that
 * obstacle (NULL: for any). */
static uint32_t history_failed(const planner *p,
                               const builtin_exact *exact,
                               const char *obstacle,
                               bool (*is_alike)(const builtin_exact *tried,
                                                const builtin_exact *exact))
{
    const json_t *rows = json_object_get(p->talk->task, "failed_here");
    json_int_t last = -1;
    uint32_t count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *said =
            json_string_value(json_object_get(row, "instruction"));
        const char *met = json_string_value(json_object_get(row, "obstacle"));
        const json_int_t node =
            json_integer_value(json_object_get(row, "node"));
        builtin_exact_list list;
        bool is_obstacle = !obstacle || (met && strcmp(met, obstacle) == 0);
        if (!said || node == last || !is_obstacle)
            continue;
        if (!builtin_exact_read(p->facts, said, &list) ||
            !is_alike(&list.items[0], exact))
            continue;
        last = node;
        count++;
    }
    return count;
}

static bool history_is_same_support(const builtin_exact *tried,
                                    const builtin_exact *exact)
{
    return tried->kind == EXACT_PUT && tried->object == exact->object &&
           tried->support == exact->support;
}

static bool history_is_same_level(const builtin_exact *tried,
                                  const builtin_exact *exact)
{
    const double level = 0.05; /* metres */
    return history_is_same_support(tried, exact) &&
           fabs(tried->at[2] - exact->at[2]) < level;
}

static bool history_is_same_vessel(const builtin_exact *tried,
                                   const builtin_exact *exact)
{
    return tried->into && history_is_same_support(tried, exact);
}

/* Did the solver say twice that nothing gets to places on that level of the
 * support? Then others there are as closed. */
static bool history_is_closed(const planner *p, const builtin_exact *exact)
{
    if (exact->kind != EXACT_PUT)
        return false;
    return history_failed(p, exact, "unreached", history_is_same_level) >= 2;
}

/* How many branches of this step failed on that support because it would not
 * stand. Each of them has tried dozens of places around its own. */
static uint32_t history_fell(const planner *p, const builtin_exact *exact)
{
    const json_t *rows = json_object_get(p->talk->task, "failed_here");
    uint32_t count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *said =
            json_string_value(json_object_get(row, "instruction"));
        const char *met = json_string_value(json_object_get(row, "obstacle"));
        builtin_exact_list list;
        if (!said || !met || strcmp(met, "unsteady") != 0)
            continue;
        count += builtin_exact_read(p->facts, said, &list) &&
                 history_is_same_support(&list.items[0], exact);
    }
    return count;
}

bool planner_falls(const planner *p, uint32_t object, uint32_t support)
{
    enum {
        BRANCHES = 4,
        ON_GROUND = 8 /* that is uneven at one place, and not at another */
    };
    const builtin_exact there = {
        .kind = EXACT_PUT, .object = object, .support = support};
    const bool is_ground = support < p->facts->object_count &&
                           p->facts->objects[support].is_static;
    return history_fell(p, &there) >= (is_ground ? ON_GROUND : BRANCHES);
}

bool planner_is_too_tight(const planner *p, uint32_t object, uint32_t vessel)
{
    const builtin_object *o = &p->facts->objects[object];
    const builtin_object *around = &p->facts->objects[vessel];
    const double own = builtin_half_shorter(o);
    const double wide = builtin_half_shorter(around);
    const builtin_exact into = {
        .kind = EXACT_PUT, .object = object, .support = vessel, .into = true};
    return wide < 2 * own &&
           history_failed(p, &into, NULL, history_is_same_vessel) > 0;
}

bool planner_was_refused(const planner *p, const plan *chosen)
{
    if (history_was_made(p, &chosen->exact) ||
        history_is_closed(p, &chosen->exact))
        return true;
    if (chosen->exact.kind == EXACT_PUT &&
        planner_falls(p, chosen->exact.object, chosen->exact.support))
        return true;
    if (chosen->exact.into &&
        planner_is_too_tight(p, chosen->exact.object, chosen->exact.support))
        return true;
    return history_lists(p->facts,
                         json_object_get(p->talk->task, "failed_here"),
                         &chosen->exact) ||
           history_lists(p->facts,
                         json_object_get(p->talk->task, "given_up_here"),
                         &chosen->exact);
}

static bool history_names(const builtin_exact_list *said, uint32_t object)
{
    for (uint32_t i = 0; i < said->count; i++) {
        if (said->items[i].object == object || said->items[i].support == object)
            return true;
    }
    return false;
}

/* Attempts that failed at this step before, counted by node. */
uint32_t planner_failures(const planner *p, uint32_t object)
{
    const json_t *rows = json_object_get(p->talk->task, "failed_here");
    json_int_t last = -1;
    uint32_t count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *instruction =
            json_string_value(json_object_get(row, "instruction"));
        json_int_t node = json_integer_value(json_object_get(row, "node"));
        builtin_exact_list said;
        bool is_read =
            instruction && builtin_exact_read(p->facts, instruction, &said);
        if (node == last || !is_read || !history_names(&said, object))
            continue;
        last = node;
        count++;
    }
    return count;
}

/* Do two reasons say the same of different places? Only their letters count. */
static bool history_is_same_reason(const char *a, const char *b)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (;;) {
        a += strcspn(a, letters);
        b += strcspn(b, letters);
        if (*a != *b)
            return false;
        if (!*a)
            return true;
        a++;
        b++;
    }
}

/* Why the last edits here were given up; *ret_times: how often for that reason.
 * NULL: none was. */
const char *planner_given_up_cause(const planner *p, uint32_t *ret_times)
{
    const json_t *rows = json_object_get(p->talk->task, "given_up_here");
    const char *last = NULL;
    *ret_times = 0;
    for (size_t i = json_array_size(rows); i > 0; i--) {
        const json_t *later =
            json_object_get(json_array_get(rows, i - 1), "later");
        const char *cause = json_string_value(json_object_get(later, "reason"));
        if (!cause || !json_object_get(later, "step"))
            continue;
        if (!last)
            last = cause;
        *ret_times += history_is_same_reason(last, cause);
    }
    return last;
}
