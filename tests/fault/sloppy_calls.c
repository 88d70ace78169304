/* Habits of whoever calls tools: how a structured call is put on the wire, and
 * calls that are written into the text instead. */
#include "tests/fault/sloppy_internal.h"

#include <stdlib.h>

/* ---- calls on the wire ---- */

static json_t *call_function(json_t *calls, size_t at)
{
    return json_object_get(json_array_get(calls, at), "function");
}

/* Each call's arguments by a format that takes their text. */
static bool write_arguments(json_t *calls, const char *format)
{
    for (size_t i = 0; i < json_array_size(calls); i++) {
        json_t *function = call_function(calls, i);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        char *text = sloppy_say(
            format, json_string_value(json_object_get(function, "arguments")));
#pragma GCC diagnostic pop
        json_object_set_new(function, "arguments", json_string(text));
        free(text);
    }
    return true;
}
static bool wire_fenced(json_t *calls)
{
    return write_arguments(calls, "```json\n%s\n```");
}
static bool wire_tail(json_t *calls)
{
    return write_arguments(calls, "%s</tool_call>");
}
static bool wire_twice(json_t *calls) /* a text of a text */
{
    for (size_t i = 0; i < json_array_size(calls); i++) {
        json_t *function = call_function(calls, i);
        char *text = sloppy_dump(json_object_get(function, "arguments"), 0);
        json_object_set_new(function, "arguments", json_string(text));
        free(text);
    }
    return true;
}
static bool wire_objects(json_t *calls)
{
    for (size_t i = 0; i < json_array_size(calls); i++) {
        json_t *function = call_function(calls, i);
        json_object_set_new(function, "arguments",
                            json_loads(json_string_value(json_object_get(
                                           function, "arguments")),
                                       0, NULL));
    }
    return true;
}

/* Each call's name by a format that takes it. */
static bool write_names(json_t *calls, const char *format)
{
    for (size_t i = 0; i < json_array_size(calls); i++) {
        json_t *function = call_function(calls, i);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        char *text = sloppy_say(
            format, json_string_value(json_object_get(function, "name")));
#pragma GCC diagnostic pop
        json_object_set_new(function, "name", json_string(text));
        free(text);
    }
    return true;
}
static bool wire_spaced(json_t *calls)
{
    return write_names(calls, "functions.%s");
}
static bool wire_counted(json_t *calls)
{
    return write_names(calls, "functions.%s:0");
}
static bool wire_channel(json_t *calls)
{
    return write_names(calls, "%s<|channel|>commentary");
}

/* Each call's id as `id` says; NULL: none. */
static bool write_ids(json_t *calls, json_t *id)
{
    for (size_t i = 0; i < json_array_size(calls); i++) {
        json_t *call = json_array_get(calls, i);
        if (id)
            json_object_set(call, "id", id);
        else
            json_object_del(call, "id");
    }
    json_decref(id);
    return true;
}
static bool wire_no_ids(json_t *calls)
{
    return write_ids(calls, NULL);
}
static bool wire_same_ids(json_t *calls)
{
    return write_ids(calls, json_string("call_0"));
}
static bool wire_number_ids(json_t *calls)
{
    return write_ids(calls, json_integer(0));
}

/* ---- tool calls as text ---- */

char *sloppy_write_calls(const json_t *list,
                         const char *before,
                         call_writer *write,
                         const char *after)
{
    char *made = sloppy_say("%s", before);
    json_t *row;
    size_t i;
    json_array_foreach((json_t *)(size_t)list, i, row)
    {
        const json_t *function = json_object_get(row, "function");
        json_t *arguments = json_loads(
            json_string_value(json_object_get(function, "arguments")), 0, NULL);
        char *one = write(json_string_value(json_object_get(function, "name")),
                          arguments);
        char *more = sloppy_say("%s%s", made, one);
        free(one);
        free(made);
        json_decref(arguments);
        made = more;
    }
    char *all = sloppy_say("%s%s", made, after);
    free(made);
    return all;
}
static char *call_json(const char *name,
                       const json_t *arguments,
                       const char *format)
{
    char *text = sloppy_dump(arguments, 0);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    char *made = sloppy_say(format, name, text);
#pragma GCC diagnostic pop
    free(text);
    return made;
}
static char *hermes(const char *n, const json_t *a)
{
    return call_json(
        n, a,
        "<tool_call>\n{\"name\": \"%s\", \"arguments\": %s}\n</tool_call>\n");
}
static char *llama(const char *n, const json_t *a)
{
    return call_json(n, a, "<function=%s>%s</function>\n");
}
static char *fence_call(const char *n, const json_t *a)
{
    return call_json(n, a,
                     "```json\n{\"name\": \"%s\", \"arguments\": %s}\n```\n");
}
static char *parameters_call(const char *n, const json_t *a)
{
    return call_json(n, a, "{\"name\": \"%s\", \"parameters\": %s}\n");
}
static char *react(const char *n, const json_t *a)
{
    return call_json(n, a, "Action: %s\nAction Input: %s\n");
}
static char *deepseek(const char *n, const json_t *a)
{
    return call_json(
        n, a,
        "<\uff5ctool\u2581call\u2581begin\uff5c>function<\uff5ctool\u2581sep\uff5c>%s\n```json\n%s\n```<\uff5ctool\u2581call\u2581end\uff5c>");
}
static char *kimi(const char *n, const json_t *a)
{
    return call_json(
        n, a,
        "<|tool_call_begin|>functions.%s:0<|tool_call_argument_begin|>%s<|tool_call_end|>");
}
static char *mistral(const char *n, const json_t *a)
{
    return call_json(n, a, "[TOOL_CALLS]%s%s");
}
static char *harmony_call(const char *n, const json_t *a)
{
    return call_json(
        n, a,
        "<|channel|>commentary to=functions.%s <|constrain|>json<|message|>%s<|call|>");
}
static char *single_call(const char *n, const json_t *a)
{
    char *text = fence_call(n, a);
    return sloppy_replace_in(text, "\"", "'");
}

/* Each argument by a format that takes its name and value. */
static char *call_parts(const char *before,
                        const char *name,
                        const json_t *arguments,
                        const char *each,
                        const char *after)
{
    const char *key;
    json_t *value;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    char *made = sloppy_say(before, name);
    json_object_foreach((json_t *)(size_t)arguments, key, value)
    {
        char *text = sloppy_dump(value, 0), *one = sloppy_say(each, key, text),
             *more = sloppy_say("%s%s", made, one);
        free(text);
        free(one);
        free(made);
        made = more;
    }
#pragma GCC diagnostic pop
    char *all = sloppy_say("%s%s", made, after);
    free(made);
    return all;
}
static char *qwen(const char *n, const json_t *a)
{
    return call_parts("<tool_call>\n<function=%s>\n", n, a,
                      "<parameter=%s>\n%s\n</parameter>\n",
                      "</function>\n</tool_call>\n");
}
static char *invoke(const char *n, const json_t *a)
{
    return call_parts("<invoke name=\"%s\">\n", n, a,
                      "<parameter name=\"%s\">%s</parameter>\n", "</invoke>\n");
}
static char *glm(const char *n, const json_t *a)
{
    return call_parts("<tool_call>%s\n", n, a,
                      "<arg_key>%s</arg_key>\n<arg_value>%s</arg_value>\n",
                      "</tool_call>\n");
}
static char *python(const char *n, const json_t *a)
{
    return call_parts("%s(", n, a, "%s=%s", ")\n");
}
static char *own_tags(const char *n, const json_t *a)
{
    char *inner = call_parts("<%s>\n", n, a, "<%1$s>%2$s</%1$s>\n", ""),
         *made = sloppy_say("%s</%s>\n", inner, n);
    free(inner);
    return made;
}

/* ---- the table ---- */

static const sloppy_habit rows[] = {
    {"hermes", EXECUTOR, true, .call = hermes, .before = "I look first.\n",
     .after = ""},
    {"llama", EXECUTOR, true, .call = llama, .before = "", .after = ""},
    {"fence_call", EXECUTOR, true, .call = fence_call,
     .before = "I call a tool:\n", .after = ""},
    {"parameters_call", EXECUTOR, true, .call = parameters_call,
     .before = "<|python_tag|>", .after = ""},
    {"react", EXECUTOR, true, .call = react,
     .before = "Thought: I need the plane.\n", .after = ""},
    {"deepseek", EXECUTOR, true, .call = deepseek,
     .before = "<\uff5ctool\u2581calls\u2581begin\uff5c>",
     .after = "<\uff5ctool\u2581calls\u2581end\uff5c>"},
    {"kimi", EXECUTOR, true, .call = kimi,
     .before = "<|tool_calls_section_begin|>",
     .after = "<|tool_calls_section_end|>"},
    {"mistral", EXECUTOR, true, .call = mistral, .before = "", .after = ""},
    {"harmony_call", EXECUTOR, true, .call = harmony_call,
     .before = "<|channel|>analysis<|message|>Look.<|end|>", .after = ""},
    {"single_call", EXECUTOR, true, .call = single_call, .before = "",
     .after = ""},
    {"qwen", EXECUTOR, true, .call = qwen, .before = "", .after = ""},
    {"invoke", EXECUTOR, true, .call = invoke, .before = "<function_calls>\n",
     .after = "</function_calls>"},
    {"glm", EXECUTOR, true, .call = glm, .before = "", .after = ""},
    {"python", EXECUTOR, true, .call = python, .before = "```tool_code\n",
     .after = "```"},
    {"python_list", EXECUTOR, true, .call = python, .before = "[",
     .after = "]"},
    {"own_tags", EXECUTOR, true, .call = own_tags, .before = "", .after = ""},
    {"wire_fenced", EXECUTOR, true, .wire = wire_fenced},
    {"wire_tail", EXECUTOR, true, .wire = wire_tail},
    {"wire_twice", EXECUTOR, true, .wire = wire_twice},
    {"wire_objects", EXECUTOR, true, .wire = wire_objects},
    {"wire_spaced", EXECUTOR, true, .wire = wire_spaced},
    {"wire_counted", EXECUTOR, true, .wire = wire_counted},
    {"wire_channel", EXECUTOR, true, .wire = wire_channel},
    {"wire_no_ids", EXECUTOR, true, .wire = wire_no_ids},
    {"wire_same_ids", EXECUTOR, true, .wire = wire_same_ids},
    {"wire_number_ids", EXECUTOR, true, .wire = wire_number_ids},
};

const sloppy_group sloppy_calls = {rows, sizeof rows / sizeof *rows};
