/* See arguments.h. */
#include "worker/agents/arguments.h"

#include "proto/array.h"
#include "proto/ascii.h"
#include "worker/agents/loose.h"
#include "worker/agents/plain.h"
#include "worker/agents/point.h"
#include "worker/provider/text.h"

#include <string.h>

enum {
    POINTS_MAX = 64
};

/* ---- which tool ---- */

/* "functions.ray_probe:0" -> "ray_probe". False: nothing is left, or it does not
 * fit. */
static bool tool_core(const char *name, char *ret, size_t room)
{
    name += strspn(name, " \t\n\"'`");
    size_t size = strcspn(name, "<|\n\t (\"'`");
    size_t count = size;
    while (count > 0 && ascii_is_digit(name[count - 1]))
        count--;
    bool is_counted = count > 0 && count < size && name[count - 1] == ':';
    if (is_counted)
        size = count - 1;
    size_t from = size;
    while (from > 0 && !strchr(".:/", name[from - 1]))
        from--;
    if (size == from || size - from >= room)
        return false;
    memcpy(ret, name + from, size - from);
    ret[size - from] = 0;
    return true;
}

/* The tool that a model means: "ray_probe", but also "functions.ray_probe:0",
 * "Ray Probe" or "tools/ray_probe". NULL: none is like it. */
const model_tool *arguments_tool(const char *name,
                                 uint32_t tool_count,
                                 const model_tool *tools)
{
    enum {
        NAME_MAX = 64
    };
    char core[NAME_MAX];
    for (uint32_t i = 0; i < tool_count; i++) {
        if (strcmp(name, tools[i].name) == 0)
            return &tools[i];
    }
    if (!tool_core(name, core, sizeof core))
        return NULL;
    for (uint32_t i = 0; i < tool_count; i++) {
        if (loose_same(core, tools[i].name))
            return &tools[i];
    }
    return NULL;
}

/* ---- what is given ---- */

/* Loosely: within a fence, or as "coord_list=[..]" without braces. New
 * reference, or NULL. */
static json_t *read_arguments(const char *text, etna_arena *arena)
{
    json_t *value = NULL;
    plain p;
    size_t size = 0;
    if (plain_make(text, arena, &p, NULL) != ETNA_OK)
        return NULL;
    size_t from = strspn(p.text, " \t\n`");
    if (strncmp(p.text + from, "json", 4) == 0)
        from += 4 + strspn(p.text + from + 4, " \t\n"); /* a fence's word */
    if (loose_value(p.text + from, p.size - from, &value, &size))
        return value;
    /* "coord_list=[..]" */
    const char *pairs = etna_arena_printf(arena, "{%s}", p.text + from);
    return pairs && loose_value(pairs, strlen(pairs), &value, &size) ? value
                                                                     : NULL;
}

/* The text as JSON; of a text that holds it, that. *ret_strict: it was an
 * object as it stands. New reference, or NULL. */
static json_t *arguments_open(const char *text,
                              etna_arena *arena,
                              bool *ret_strict)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    *ret_strict = json_is_object(value);
    if (*ret_strict)
        return value;
    const char *inner = json_is_string(value)
                            ? etna_arena_strdup(arena, json_string_value(value))
                            : text;
    json_decref(value);
    return inner ? read_arguments(inner, arena) : NULL;
}

/* The arguments within the only member of that name: servers and models wrap
 * them. Takes the reference. */
static json_t *arguments_unwrap(json_t *arguments,
                                const json_t *properties,
                                bool *ret_changed)
{
    static const char *const names[] = {"arguments", "parameters", "input",
                                        "args",      "kwargs",     "params"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        json_t *inner = json_object_get(arguments, names[i]);
        bool is_wrapper =
            json_is_object(inner) && json_object_size(arguments) == 1;
        if (!is_wrapper || json_object_get(properties, names[i]))
            continue;
        json_incref(inner);
        json_decref(arguments);
        *ret_changed = true;
        return inner;
    }
    return arguments;
}

/* The only member that the tool does not know and that is a list; NULL: there
 * is none, or there are several. */
static const char *argument_unknown_list(json_t *arguments,
                                         const json_t *properties)
{
    const char *key, *other = NULL;
    json_t *value;
    json_object_foreach(arguments, key, value)
    {
        const bool is_known =
            json_object_get(properties, key) || !json_is_array(value);
        if (!is_known && other)
            return NULL;
        if (!is_known)
            other = key;
    }
    return other;
}

/* The only member that the tool does not know and that is a list, for the only
 * one that it needs, which is a list, too. */
static bool argument_rename(json_t *arguments, const json_t *schema)
{
    const json_t *required = json_object_get(schema, "required");
    const json_t *properties = json_object_get(schema, "properties");
    const char *needed = json_string_value(json_array_get(required, 0));
    const char *type = json_string_value(
        json_object_get(json_object_get(properties, needed), "type"));
    bool is_list = type && strcmp(type, "array") == 0;
    if (!is_list || json_array_size(required) != 1 ||
        json_object_get(arguments, needed))
        return false;
    const char *const other = argument_unknown_list(arguments, properties);
    if (!other)
        return false;
    json_t *list = json_incref(json_object_get(arguments, other));
    bool ok = json_object_del(arguments, other) == 0;
    return json_object_set_new(arguments, needed, list) == 0 && ok;
}

/* A list that was written as a text. */
static bool argument_unquote(json_t *arguments, const char *key)
{
    const char *text = json_string_value(json_object_get(arguments, key));
    json_t *value = NULL;
    size_t size = 0;
    if (!text || !loose_value(text, strlen(text), &value, &size))
        return false;
    return json_object_set_new(arguments, key, value) == 0;
}

/* The one thing that should stand in a list of such. */
static bool argument_enlist(json_t *arguments, const char *key)
{
    json_t *value = json_object_get(arguments, key);
    bool is_point =
        json_is_number(json_array_get(value, 0)) && json_array_size(value) == 2;
    bool is_name =
        json_is_string(value) && strcmp(key, "object_name_list") == 0;
    if (!(is_point && strcmp(key, "coord_list") == 0) && !is_name)
        return false;
    json_t *list = json_pack("[O]", value);
    return list && json_object_set_new(arguments, key, list) == 0;
}

/* As pairs [[x, y], ..] or flat [x, y, ..]; NULL: out of memory. */
static json_t *argument_list_of(const double *points,
                                uint32_t count,
                                bool in_pairs)
{
    json_t *list = json_array();
    for (uint32_t i = 0; list && i < count; i++) {
        if (in_pairs) {
            loose_append(&list,
                         json_pack("[f,f]", points[2 * i], points[2 * i + 1]));
        } else {
            loose_append(&list, json_real(points[2 * i]));
            loose_append(&list, json_real(points[2 * i + 1]));
        }
    }
    return list;
}

/* 0: it is not that form, or a number cannot be read. Percent become shares. */
static uint32_t read_points(const json_t *list,
                            bool in_pairs,
                            double points[2 * POINTS_MAX])
{
    size_t items = json_array_size(list);
    size_t count = in_pairs ? items : items / 2;
    const bool whole = in_pairs || items == 4;
    if (!json_is_array(list) || count > POINTS_MAX || !whole)
        return 0;
    for (size_t i = 0; i < count; i++) {
        point_unit unit = POINT_PLAIN;
        json_t *first = json_array_get(list, in_pairs ? i : 2 * i);
        json_t *second = in_pairs ? NULL : json_array_get(list, 2 * i + 1);
        if (!point_read(first, second, points + 2 * i, &unit))
            return 0;
        points[2 * i] /= unit == POINT_PERCENT ? 100 : 1;
        points[2 * i + 1] /= unit == POINT_PERCENT ? 100 : 1;
    }
    return (uint32_t)count;
}

/* Points that are not from 0 to 1, or not written as pairs of numbers. */
static bool argument_rescale(json_t *arguments,
                             const char *key,
                             bool in_pairs,
                             picture_scale *scale)
{
    double points[2 * POINTS_MAX];
    json_t *list = json_object_get(arguments, key);
    uint32_t count = read_points(list, in_pairs, points);
    if (count == 0 || !scale_points(scale, count, points))
        return false;
    json_t *made = argument_list_of(points, count, in_pairs);
    bool same = json_equal(made, list);
    if (same || !made) {
        json_decref(made);
        return false;
    }
    return json_object_set_new(arguments, key, made) == 0;
}

/* Brings a call to the tool's name and the form its schema asks for; what
 * cannot be mended stays, and the tool says what is wrong with it. call->text
 * is replaced only where something changed. */
etna_code arguments_mend(model_part *call,
                         uint32_t tool_count,
                         const model_tool *tools,
                         picture_scale *scale,
                         etna_arena *arena,
                         etna_error *err)
{
    bool strict = false;
    json_t *arguments = arguments_open(call->text, arena, &strict);
    const model_tool *tool = arguments_tool(call->tool_name, tool_count, tools);
    json_t *schema = tool ? json_loads(tool->schema, 0, NULL) : NULL;
    bool changed = !strict && json_is_object(arguments);
    bool was_asked = scale->asked; /* a tool says for itself what it wants */
    if (tool)
        call->tool_name = tool->name;
    if (tool)
        arguments = arguments_unwrap(
            arguments, json_object_get(schema, "properties"), &changed);
    if (tool)
        changed = argument_rename(arguments, schema) || changed;
    json_decref(schema);
    static const char *const lists[] = {"coord_list", "interested_area",
                                        "object_name_list"};
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        changed = argument_unquote(arguments, lists[i]) || changed;
        changed = argument_enlist(arguments, lists[i]) || changed;
    }
    changed = argument_rescale(arguments, "coord_list", true, scale) || changed;
    changed =
        argument_rescale(arguments, "interested_area", false, scale) || changed;
    scale->asked = was_asked;
    const char *text =
        changed ? text_json_short(arena, arguments, JSON_COMPACT) : call->text;
    json_decref(arguments);
    if (!text)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for a tool's arguments");
    call->text = text;
    return ETNA_OK;
}
