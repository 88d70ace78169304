/* See fit.h. The depth of a walk is that of the schema, which is ours. */
#include "worker/mcp/fit.h"

#include "worker/agents/loose.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

static bool fit_is(const json_t *schema, const char *type)
{
    const char *own = json_string_value(json_object_get(schema, "type"));
    return own && strcmp(own, type) == 0;
}

/* "True" as Python writes it; NULL: it is no truth. json_true and json_false
 * are not counted, so these are new references like any other. */
static json_t *fit_truth(const char *text)
{
    if (strcasecmp(text, "true") == 0)
        return json_true();
    return strcasecmp(text, "false") == 0 ? json_false() : NULL;
}

/* What the text says where no text is wanted. NULL: nothing of that kind. */
static json_t *fit_text(const json_t *schema, const char *text)
{
    if (fit_is(schema, "boolean"))
        return fit_truth(text);
    bool is_number = fit_is(schema, "number") || fit_is(schema, "integer");
    bool is_list = fit_is(schema, "array");
    if (!is_number && !is_list)
        return NULL;
    json_t *value =
        json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
    bool is_it = is_number ? json_is_number(value) : json_is_array(value);
    if (is_it)
        return value;
    json_decref(value);
    return NULL;
}

/* The word of the list that it is but for its case; NULL: none. */
static json_t *fit_word(const json_t *words, const json_t *value)
{
    const json_t *one;
    size_t i;
    json_array_foreach(words, i, one)
    {
        const char *word = json_string_value(one);
        const char *said = json_string_value(value);
        if (word && said && strcasecmp(word, said) == 0)
            return json_copy((json_t *)(uintptr_t)one);
    }
    return NULL;
}

/* {"x": .., "y": ..}, with a z where three numbers are wanted, as a list. NULL:
 * it is none. */
static json_t *fit_point(const json_t *schema, const json_t *value)
{
    static const char *const axes[] = {"x", "y", "z"};
    const size_t wanted =
        (size_t)json_integer_value(json_object_get(schema, "minItems"));
    const json_t *items = json_object_get(schema, "items");
    bool is_point = fit_is(items, "number") &&
                    json_object_size(value) == wanted &&
                    (wanted == 2 || wanted == 3);
    json_t *list = is_point ? json_array() : NULL;
    for (size_t i = 0; list && i < wanted; i++) {
        json_t *number = json_object_get(value, axes[i]);
        if (number && json_array_append(list, number) == 0)
            continue;
        json_decref(list);
        list = NULL;
    }
    return list;
}

/* Is it one of what should stand in a list of such? A lone string for a list of
 * strings, or [x, y] for a list of points, which models write when there is
 * one. */
static bool fit_is_one(const json_t *schema, const json_t *value)
{
    const json_t *items = json_object_get(schema, "items");
    if (fit_is(items, "string"))
        return json_is_string(value);
    return fit_is(items, "array") &&
           fit_is(json_object_get(items, "items"), "number") &&
           json_array_size(value) > 0 &&
           !json_is_array(json_array_get(value, 0)) &&
           !json_is_object(json_array_get(value, 0));
}

/* A lone element becomes a list of one. Each element is fitted in turn, so
 * errors are found where the schema is checked later, not here. */
static json_t *fit_list(const json_t *schema, const json_t *value)
{
    const json_t *items = json_object_get(schema, "items");
    const json_t *one;
    json_t *list = json_array();
    size_t i;
    if (fit_is_one(schema, value)) {
        json_t *inner = list ? fit_value(items, value) : NULL;
        if (inner && json_array_append_new(list, inner) == 0)
            return list;
        json_decref(list);
        return NULL;
    }
    json_array_foreach((json_t *)(uintptr_t)value, i, one)
    {
        json_t *inner = list ? fit_value(items, one) : NULL;
        if (inner && json_array_append_new(list, inner) == 0)
            continue;
        json_decref(list);
        return NULL;
    }
    return list;
}

/* The property that a member is meant for: of its name, else the only one of it
 * in another spelling that is not given. */
static const char *fit_name(const json_t *properties,
                            const json_t *value,
                            const char *key)
{
    const char *name;
    json_t *property;
    if (json_object_get(properties, key))
        return key;
    json_object_foreach((json_t *)(uintptr_t)properties, name, property)
    {
        if (loose_same(name, key) && !json_object_get(value, name))
            return name;
    }
    return key;
}

/* A member that no property is meant for stays as it is; the check refuses it
 * by its own name. */
static json_t *fit_members(const json_t *schema, const json_t *value)
{
    const json_t *properties = json_object_get(schema, "properties");
    json_t *made = json_object();
    json_t *member;
    const char *key;
    json_object_foreach((json_t *)(uintptr_t)value, key, member)
    {
        const char *name = fit_name(properties, value, key);
        json_t *inner =
            made ? fit_value(json_object_get(properties, name), member) : NULL;
        if (inner && json_object_set_new(made, name, inner) == 0)
            continue;
        json_decref(made);
        return NULL;
    }
    return made;
}

/* Changes only what would be refused otherwise and has one reading; what it
 * cannot mend comes back as it was, for schema_check to refuse with words. */
json_t *fit_value(const json_t *schema, const json_t *value)
{
    const char *text = json_string_value(value);
    json_t *own = (json_t *)(uintptr_t)value;
    json_t *other = NULL;
    if (text)
        other = fit_text(schema, text);
    if (!other)
        other = fit_word(json_object_get(schema, "enum"), value);
    if (!other && json_is_object(value) && fit_is(schema, "array"))
        other = fit_point(schema, value);
    const json_t *meant = other ? other : value;
    json_t *made = NULL;
    if (fit_is(schema, "array") &&
        (json_is_array(meant) || fit_is_one(schema, meant))) {
        made = fit_list(schema, meant);
    } else if (fit_is(schema, "object") && json_is_object(meant)) {
        made = fit_members(schema, meant);
    } else {
        return other ? other : json_incref(own);
    }
    json_decref(other);
    return made;
}
