/* What may stand beside a plan or a verdict: the instruction of a list, the
 * part of a goal, that an edit only makes way, a refusal in parts. */
#include "worker/agents/plan_internal.h"

#include "worker/agents/loose.h"
#include "worker/provider/text.h"

#include <string.h>

/* The next number behind blanks; *at goes behind it. */
static bool beside_take_number(const char **at, const char *end, double *ret)
{
    while (*at < end && plan_is_blank(*at, 1))
        (*at)++;
    return block_number(at, end, ret);
}

static bool number_is_whole(double number)
{
    return number == (double)(uint32_t)number;
}

/* The number of a list's instruction, from 1; 0: none is said. */
static uint32_t planner_read_item(const plain *p)
{
    block b;
    double number;
    if (block_find(p, BLOCK_ITEM, &b, NULL) != ETNA_OK)
        return 0;
    const char *at = b.text;
    const char *end = b.text + b.size;
    if (!beside_take_number(&at, end, &number) ||
        !plan_is_blank(at, (size_t)(end - at)))
        return 0;
    bool is_number =
        number >= 1 && number <= ARRANGE_STEPS_MAX && number_is_whole(number);
    return is_number ? (uint32_t)number : 0;
}

/* A third number, where there is one: the thing that is meant, from 1. */
static bool part_read_thing(const char *at, const char *end, double *ret)
{
    *ret = 0;
    if (plan_is_blank(at, (size_t)(end - at)))
        return true;
    return beside_take_number(&at, end, ret) &&
           plan_is_blank(at, (size_t)(end - at)) && *ret >= 1 &&
           *ret <= UINT32_MAX && number_is_whole(*ret);
}

/* "12 57": bytes of the goal; "12 57 4": of what they ask for the fourth thing
 * of the scene. */
static void planner_read_part(const plain *p, arrange_part *ret)
{
    block b;
    double from = 0, to = 0, thing = 0;
    if (block_find(p, BLOCK_PART, &b, NULL) != ETNA_OK)
        return;
    const char *at = b.text;
    const char *end = b.text + b.size;
    bool are_there = beside_take_number(&at, end, &from) &&
                     beside_take_number(&at, end, &to) &&
                     part_read_thing(at, end, &thing);
    const bool is_span = from >= 0 && from < to && to <= MESSAGE_TEXT_MAX;
    const bool are_whole = number_is_whole(from) && number_is_whole(to);
    if (are_there && is_span && are_whole)
        *ret = (arrange_part){.from = (uint32_t)from,
                              .to = (uint32_t)to,
                              .thing = (uint32_t)thing};
}

/* "yes": nobody asked for the edit. */
static bool planner_read_way(const plain *p)
{
    block b;
    return block_find(p, BLOCK_WAY, &b, NULL) == ETNA_OK &&
           block_has_word(&b, "yes");
}

/* REFUSAL_NONE: no such word. */
static uint32_t refusal_code(const char *name)
{
    for (uint32_t code = REFUSAL_UNREAD; name && code <= REFUSAL_NO_PLACE;
         code++) {
        if (strcmp(name, arrange_refusal_name(code)) == 0)
            return code;
    }
    return REFUSAL_NONE;
}

/* NULL: out of memory. What is no text is "". */
static const char *refusal_text(const json_t *from,
                                const char *key,
                                size_t max,
                                etna_arena *arena)
{
    const json_t *value = json_object_get(from, key);
    if (!json_is_string(value))
        return "";
    return text_clean(arena, json_string_value(value),
                      json_string_length(value), max);
}

/* Bytes of the sentence; what is no sensible span is left out, since it only
 * marks the words. */
static void planner_read_span(const json_t *span, arrange_refusal *refusal)
{
    json_int_t from = json_integer_value(json_array_get(span, 0));
    json_int_t to = json_integer_value(json_array_get(span, 1));
    const bool is_within = from >= 0 && to > from && to <= MESSAGE_TEXT_MAX;
    if (json_array_size(span) != 2 || !is_within)
        return;
    refusal->from = (uint32_t)from;
    refusal->to = (uint32_t)to;
}

/* False: out of memory. */
static bool read_refusal(const plain *p,
                         etna_arena *arena,
                         arrange_refusal *ret)
{
    enum {
        BYTES_MAX = 8192
    };
    block b;
    arrange_refusal refusal = {.code = REFUSAL_NONE};
    if (block_find(p, BLOCK_REFUSAL, &b, NULL) != ETNA_OK || b.size > BYTES_MAX)
        return true;
    json_t *parts = loose_find(b.text, b.size, "code");
    refusal.code =
        refusal_code(json_string_value(json_object_get(parts, "code")));
    bool is_read = refusal.code != REFUSAL_NONE;
    if (is_read) {
        refusal.what = refusal_text(parts, "what", ARRANGE_REASON_MAX, arena);
        refusal.where = refusal_text(parts, "where", ARRANGE_NAME_MAX, arena);
        refusal.advice = refusal_text(parts, "do", ARRANGE_REASON_MAX, arena);
        planner_read_span(json_object_get(parts, "span"), &refusal);
    }
    json_decref(parts);
    const bool has_memory = refusal.what && refusal.where && refusal.advice;
    if (is_read && !has_memory)
        return false;
    *ret = refusal;
    return true;
}

bool plan_read_beside(const plain *p, etna_arena *arena, planner_result *result)
{
    bool refused =
        result->status == PLAN_IMPOSSIBLE || result->status == PLAN_UNREADABLE;
    result->item = planner_read_item(p);
    planner_read_part(p, &result->part);
    result->makes_way = result->status == PLAN_EDIT && planner_read_way(p);
    if (refused && !read_refusal(p, arena, &result->refusal))
        return false;
    if (result->refusal.code == REFUSAL_NONE)
        return true;
    if (!*result->refusal.what)
        result->refusal.what = result->reason;
    if (!*result->reason)
        result->reason = result->refusal.what;
    result->refusal.item = result->item;
    result->refusal.part = result->part;
    return true;
}

const arrange_passed *planner_passed(const arrange_task *task, uint32_t item)
{
    for (uint32_t i = 0; i < task->passed_count; i++) {
        if (task->passed[i].item == item)
            return &task->passed[i];
    }
    return NULL;
}

/* The instruction of a list that this step is about; 0: there is none. */
uint32_t planner_current(const arrange_task *task)
{
    uint32_t at = 0;
    for (uint32_t item = 1; !task->open_list && item <= task->step_count;
         item++) {
        at += !planner_passed(task, item);
        if (at == task->step)
            return item;
    }
    return 0;
}

/* Numbers that lie outside of the task are dropped: they come from a model. */
void planner_fit(const arrange_task *task, planner_result *result)
{
    arrange_refusal *refusal = &result->refusal;
    if (result->item > task->step_count)
        result->item = 0;
    if (!task->goal || result->part.to > strlen(task->goal))
        result->part = (arrange_part){0};
    refusal->part =
        refusal->code != REFUSAL_NONE ? result->part : (arrange_part){0};
    refusal->item = refusal->code != REFUSAL_NONE ? result->item : 0;
    uint32_t marked = refusal->item;
    if (!marked && !task->goal)
        marked = planner_current(task);
    const char *sentence = task->goal;
    if (!sentence && marked >= 1 && marked <= task->step_count)
        sentence = task->steps[marked - 1];
    bool within = sentence && refusal->to <= strlen(sentence);
    if (!within)
        refusal->from = refusal->to = 0;
}
