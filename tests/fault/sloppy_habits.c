/* See sloppy.h. A habit is a function from a text to a text (NULL: nothing to
 * change), or of structured calls; the tables, a file for each role, say whose. */
#include "tests/fault/sloppy_internal.h"

#include <stdlib.h>
#include <string.h>

/* What is no habit, and those that no text tells: where the text stands in the
 * message, and what coordinates are counted in. */
static const sloppy_habit rows[] = {
    {"none", ALL, true, .text = NULL},
    {"content_parts", ALL, true, .shape = SHAPE_PARTS},
    {"reasoning_only", ALL, true, .shape = SHAPE_REASONING},
    {"reasoning_beside", ALL, true, .shape = SHAPE_BOTH},
    {"tool_thousandths", EXECUTOR, true, .x = 1000, .y = 1000},
};

static const sloppy_group around = {rows, sizeof rows / sizeof *rows};
static const sloppy_group *const groups[] = {
    &around,           &sloppy_any,     &sloppy_executor,
    &sloppy_evaluator, &sloppy_planner, &sloppy_calls};
enum {
    GROUPS = sizeof groups / sizeof *groups
};

const sloppy_habit *sloppy_find(const char *name)
{
    for (size_t g = 0; g < GROUPS; g++) {
        for (size_t i = 0; i < groups[g]->count; i++) {
            if (!strcmp(groups[g]->rows[i].name, name))
                return &groups[g]->rows[i];
        }
    }
    return NULL;
}

static void list_habit(const sloppy_habit *habit, FILE *out)
{
    static const char *const roles[] = {"planner", "executor", "evaluator"};
    for (int role = 0; role < 3; role++) {
        if (habit->roles & 1u << role)
            fprintf(out, "%s %s %s\n", habit->name, roles[role],
                    habit->seen ? "seen" : "lost");
    }
}

void sloppy_list(FILE *out)
{
    for (size_t g = 0; g < GROUPS; g++) {
        for (size_t i = 0; i < groups[g]->count; i++) {
            if (strcmp(groups[g]->rows[i].name, "none") != 0)
                list_habit(&groups[g]->rows[i], out);
        }
    }
}

bool sloppy_has_role(const sloppy_habit *habit, const char *role)
{
    unsigned bit = !strcmp(role, "planner")    ? PLANNER
                   : !strcmp(role, "executor") ? EXECUTOR
                                               : EVALUATOR;
    return (habit->roles & bit) != 0;
}

static json_t *scaled(const json_t *value, double by)
{
    json_t *made = json_array(), *item;
    size_t i;
    json_array_foreach((json_t *)(size_t)value, i, item)
    {
        json_array_append_new(
            made, json_is_array(item)
                      ? scaled(item, by)
                      : json_integer(
                            (json_int_t)(json_number_value(item) * by + 0.5)));
    }
    return made;
}

/* Structured calls with their coordinates counted otherwise. */
static bool scale_calls(const sloppy_habit *habit, json_t *calls)
{
    json_t *row, *value;
    size_t i;
    const char *key;
    json_array_foreach(calls, i, row)
    {
        json_t *function = json_object_get(row, "function"),
               *made = json_object();
        json_t *arguments = json_loads(
            json_string_value(json_object_get(function, "arguments")), 0, NULL);
        json_object_foreach(arguments, key, value)
        {
            json_object_set_new(made, key,
                                json_is_array(value) ? scaled(value, habit->x)
                                                     : json_deep_copy(value));
        }
        char *text = sloppy_dump(made, 0);
        json_object_set_new(function, "arguments", json_string(text));
        free(text);
        json_decref(made);
        json_decref(arguments);
    }
    return true;
}

/* Where the text stands in the message. */
static bool reshape(const sloppy_habit *habit,
                    json_t *message,
                    const char *content)
{
    json_t *text = json_string(content);
    switch (habit->shape) {
    case SHAPE_PARTS:
        json_object_set_new(
            message, "content",
            json_pack("[{s:s,s:s},{s:s,s:o}]", "type", "thinking", "thinking",
                      "[constraints] come last", "type", "text", "text", text));
        break;
    case SHAPE_REASONING:
        json_object_set_new(message, "reasoning_content", text);
        json_object_set_new(message, "content", json_null());
        break;
    default:
        json_object_set_new(
            message, "reasoning",
            json_string("verdict: terrible? [end of constraints]"));
        json_decref(text);
    }
    return true;
}

bool sloppy_rewrite(const sloppy_habit *habit, json_t *message)
{
    json_t *calls = json_object_get(message, "tool_calls");
    const char *content =
        json_string_value(json_object_get(message, "content"));
    if (habit->shape)
        return json_array_size(calls) == 0 && content &&
               reshape(habit, message, content);
    char *made = NULL;
    if (json_array_size(calls) > 0) {
        if (habit->x > 0)
            return scale_calls(habit, calls);
        if (habit->wire)
            return habit->wire(calls);
        if (!habit->call)
            return false;
        made =
            sloppy_write_calls(calls, habit->before, habit->call, habit->after);
        json_object_del(message, "tool_calls");
    } else if (habit->text && content) {
        made = habit->text(content);
    }
    if (!made)
        return false;
    json_object_set_new(message, "content", json_string(made));
    free(made);
    return true;
}