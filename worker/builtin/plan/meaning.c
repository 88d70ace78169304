/* A sentence -> moves that the planner can handle, or why not. */
#include "worker/builtin/plan/planner_internal.h"
#include "worker/builtin/read/predicates.h"

#include <jansson.h>
#include <string.h>

/* What a model made of the sentence, where it made something of all of it:
 * *ret_is_read. ETNA_E_NOMEM. */
static etna_code meaning_read(planner *p, bool *ret_is_read)
{
    const json_t *meaning = json_object_get(p->talk->task, "meaning");
    const json_t *said = json_object_get(meaning, "predicates");
    etna_error why = {0};
    *ret_is_read = false;
    if (json_array_size(said) == 0 ||
        json_array_size(json_object_get(meaning, "unread")) > 0)
        return ETNA_OK;
    builtin_reading *all = etna_arena_alloc(p->talk->arena, 1, sizeof *all);
    if (!all)
        return planner_no_memory(p);
    etna_code code = predicates_read(said, &p->then, p->talk->arena, all, &why);
    if (code == ETNA_E_INPUT)
        return ETNA_OK; /* then the sentence itself is read */
    if (code != ETNA_OK)
        return planner_no_memory(p);
    uint32_t count = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        if (p->list_mode && all->moves[i].instruction + 1 != p->instruction)
            continue;
        all->moves[count++] = all->moves[i];
    }
    if (count == 0)
        return ETNA_OK;
    all->count = count;
    p->reading = *all;
    *ret_is_read = true;
    return ETNA_OK;
}

/* The bytes that a row of what was left out is about. */
static void meaning_span(const json_t *row, uint32_t ret[2])
{
    const json_t *span = json_object_get(row, "span");
    for (size_t k = 0; k < 2; k++) {
        const json_int_t at = json_integer_value(json_array_get(span, k));
        ret[k] = at > 0 && at < (json_int_t)UINT32_MAX ? (uint32_t)at : 0;
    }
}

/* What is not to be read: what no reading has understood and, with `passed`, what
 * was passed over. */
static etna_code meaning_leave_out(planner *p, bool passed)
{
    const json_t *rows = json_object_get(p->talk->task, "left_out");
    const size_t count = passed ? json_array_size(rows) : 0;
    uint32_t used = 0;
    uint32_t(*left)[2] = etna_arena_alloc(
        p->talk->arena, count + p->unread_count + 1u, sizeof *left);
    if (!left)
        return planner_no_memory(p);
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(rows, i);
        if (!planner_is_of_thing(row))
            meaning_span(row, left[used++]);
    }
    memcpy(left + used, p->unread, p->unread_count * sizeof *left);
    p->reading.left = left;
    p->reading.left_count = used + p->unread_count;
    return ETNA_OK;
}

/* Is the move asked by a clause that was passed over? */
static bool meaning_is_passed(const planner *p, const builtin_move *move)
{
    const json_t *rows = json_object_get(p->talk->task, "left_out");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        uint32_t span[2];
        if (planner_is_of_thing(row))
            continue;
        meaning_span(row, span);
        if (move->clause[1] > move->clause[0] && move->clause[0] >= span[0] &&
            move->clause[1] <= span[1])
            return true;
    }
    return false;
}

/* Does the move speak of what a clause that was passed over was to move? */
static bool meaning_leans_on(const builtin_move *move, const builtin_move *on)
{
    for (uint32_t i = 0; i < on->objects.count; i++) {
        const uint32_t object = on->objects.objects[i];
        if (object == move->reference || object == move->second ||
            object == move->support || object == move->faced)
            return true;
    }
    return false;
}

/* Takes the moves of what was passed over out of a reading of the whole. False,
 * and the reading is as it was: another one leans on one of them. */
static bool meaning_drop_passed(const planner *p, builtin_reading *reading)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < reading->count; i++) {
        for (uint32_t k = 0; k < reading->count; k++) {
            if (meaning_is_passed(p, &reading->moves[k]) &&
                !meaning_is_passed(p, &reading->moves[i]) &&
                meaning_leans_on(&reading->moves[i], &reading->moves[k]))
                return false;
        }
    }
    for (uint32_t i = 0; i < reading->count; i++) {
        if (!meaning_is_passed(p, &reading->moves[i]))
            reading->moves[used++] = reading->moves[i];
    }
    reading->count = used;
    return true;
}

/* The sentence's moves alone behind those of p->reading that were there. */
static void meaning_take(planner *p, uint32_t before)
{
    p->reading.count -= before;
    memmove(p->reading.moves, p->reading.moves + before,
            p->reading.count * sizeof *p->reading.moves);
}

/* Reads the whole, for its parts lean on one another ("the red one left, the
 * other right"), and leaves what was passed over undone. *ret_is_read false:
 * nothing was passed over, or it is to be read without. */
static etna_code meaning_read_whole(planner *p,
                                    const char *sentence,
                                    bool *ret_is_read)
{
    const uint32_t before = p->reading.count;
    const builtin_reading reading = p->reading;
    etna_error why = {0};
    *ret_is_read = false;
    if (json_array_size(json_object_get(p->talk->task, "left_out")) == 0)
        return ETNA_OK;
    etna_code code = meaning_leave_out(p, false);
    if (code == ETNA_OK)
        code =
            builtin_read(&p->then, sentence, p->talk->arena, &p->reading, &why);
    if (code == ETNA_E_NOMEM)
        return planner_no_memory(p);
    if (code == ETNA_OK) {
        meaning_take(p, before);
        *ret_is_read =
            meaning_drop_passed(p, &p->reading) && p->reading.count > 0;
    }
    if (!*ret_is_read)
        p->reading = reading;
    return ETNA_OK;
}

/* By the run's own reader where it has told a meaning, else by the grammar.
 * ETNA_E_INPUT with p->reading.refusal: it cannot be read. */
etna_code planner_read_sentence(planner *p, const char *sentence)
{
    uint32_t before = p->reading.count;
    bool is_read = false;
    etna_error why = {0};
    p->reading.refusal = (builtin_refusal){0};
    p->part[0] = p->part[1] = p->thing = 0;
    etna_code code = meaning_read(p, &is_read);
    if (code != ETNA_OK || is_read)
        return code == ETNA_OK ? planner_go_without(p) : code;
    code = meaning_read_whole(p, sentence, &is_read);
    if (code != ETNA_OK || is_read)
        return code == ETNA_OK ? planner_go_without(p) : code;
    code = meaning_leave_out(p, true);
    if (code != ETNA_OK)
        return code;
    code = builtin_read(&p->then, sentence, p->talk->arena, &p->reading, &why);
    if (code == ETNA_OK) {
        meaning_take(p, before);
        return planner_go_without(p);
    }
    if (code != ETNA_E_INPUT)
        return planner_no_memory(p);
    builtin_refusal *refusal = &p->reading.refusal;
    const char *text = etna_arena_strdup(p->talk->arena, why.text);
    if (!text)
        return planner_no_memory(p);
    if (!refusal->code)
        *refusal = (builtin_refusal){.code = "unread", .what = text};
    if (!refusal->what || !*refusal->what)
        refusal->what = text;
    return ETNA_E_INPUT;
}

static uint32_t meaning_count_points(const builtin_reading *reading)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < reading->count; i++)
        count += reading->moves[i].relation == RELATION_AT;
    return count;
}

/* May what is asked of several things be met by other places than those that
 * are thought of here? Then somebody else's cannot be measured by them. */
static bool meaning_is_open(const builtin_reading *reading)
{
    static const bool open[RELATION_COUNT] = {[RELATION_LINE] = true,
                                              [RELATION_STACK] = true,
                                              [RELATION_AROUND] = true,
                                              [RELATION_GROUP] = true,
                                              [RELATION_SETTING] = true};
    for (uint32_t i = 0; i < reading->count; i++) {
        if (open[reading->moves[i].relation])
            return true;
    }
    return false;
}

static etna_code meaning_say_unmeasured(const planner *p,
                                        const char *why,
                                        model_reply *ret)
{
    const builtin_refusal refusal = {
        .code = "unread", .what = why, .where = "", .advice = ""};
    return planner_say_unreadable(p, &refusal, "", ret);
}

/* Says why the sentence was not read. Which of several is meant is asked before
 * anything moves, whatever part of the sentence that is. */
static etna_code meaning_say_unread(planner *p,
                                    const char *sentence,
                                    model_reply *ret)
{
    const builtin_refusal *why = &p->reading.refusal;
    const bool asks = strcmp(why->code, "ambiguous") == 0 && why->instead > 0;
    if (!asks)
        memcpy(p->part, why->part, sizeof p->part);
    return planner_say_unreadable(p, why, sentence, ret);
}

/* Says what the expansion found to be impossible. */
static etna_code meaning_say_impossible(const planner *p,
                                        etna_code found,
                                        const char *why,
                                        model_reply *ret)
{
    const char *text = etna_arena_strdup(p->talk->arena, why);
    if (!text)
        return planner_no_memory(p);
    if (p->measures)
        return meaning_say_unmeasured(p, text, ret);
    return planner_say_impossible(
        p, found == ETNA_E_NOTFOUND ? "no_place" : "impossible", ret, text);
}

/* Refusals and impossibilities become answers (*ret_said); only what is an
 * error stays one. */
etna_code planner_take_apart(planner *p,
                             etna_code read,
                             const char *sentence,
                             model_reply *ret,
                             bool *ret_said)
{
    etna_error why = {0};
    etna_error *err = p->err;
    *ret_said = true;
    if (read == ETNA_E_INPUT)
        return meaning_say_unread(p, sentence, ret);
    if (read != ETNA_OK)
        return read;
    const bool is_open = p->measures && meaning_is_open(&p->reading);
    const uint32_t points = meaning_count_points(&p->reading);
    p->err = &why;
    etna_code code = planner_expand(p);
    p->err = err;
    if (code == ETNA_OK && p->measures &&
        (is_open || meaning_count_points(&p->reading) > points))
        return meaning_say_unmeasured(
            p, "it can be met by other places than those that are known", ret);
    *ret_said = code == ETNA_E_INPUT || code == ETNA_E_NOTFOUND;
    if (!*ret_said) {
        if (code != ETNA_OK && err)
            *err = why;
        return code;
    }
    return meaning_say_impossible(p, code, why.text, ret);
}
