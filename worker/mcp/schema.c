/* See schema.h. The depth of a walk is that of the schema, which is ours. */
#include "worker/mcp/schema.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Below 2^53 a double tells whole numbers apart; models write 3.0 for 3. */
static bool is_whole(double value)
{
    return fabs(value) <= 9e15 && value == floor(value);
}

/* Draft 2020-12 counts 3.0 as an integer; Jansson keeps it as a real. */
static bool is_type(const char *type, const json_t *v)
{
    switch (json_typeof(v)) {
    case JSON_OBJECT: return strcmp(type, "object") == 0;
    case JSON_ARRAY: return strcmp(type, "array") == 0;
    case JSON_STRING: return strcmp(type, "string") == 0;
    case JSON_INTEGER:
        return strcmp(type, "integer") == 0 || strcmp(type, "number") == 0;
    case JSON_REAL:
        if (strcmp(type, "integer") == 0)
            return is_whole(json_real_value(v));
        return strcmp(type, "number") == 0;
    case JSON_TRUE:
    case JSON_FALSE: return strcmp(type, "boolean") == 0;
    case JSON_NULL: return strcmp(type, "null") == 0;
    }
    return false;
}

static etna_code schema_check_value(const json_t *schema,
                                    const json_t *value,
                                    const char *where,
                                    bool *is_described,
                                    etna_error *err);

static etna_code check_type(const json_t *type,
                            const json_t *value,
                            const char *where,
                            etna_error *err)
{
    if (!type)
        return ETNA_OK;
    if (json_is_string(type)) {
        if (is_type(json_string_value(type), value))
            return ETNA_OK;
        return etna_fail(err, ETNA_E_INPUT, "%s must be of type %s", where,
                         json_string_value(type));
    }
    size_t i;
    const json_t *one;
    json_array_foreach(type, i, one)
    {
        if (is_type(json_string_value(one), value))
            return ETNA_OK;
    }
    return etna_fail(err, ETNA_E_INPUT, "%s is of a wrong type", where);
}

static etna_code check_enum(const json_t *allowed,
                            const json_t *value,
                            const char *where,
                            etna_error *err)
{
    size_t i;
    const json_t *one;
    if (!allowed)
        return ETNA_OK;
    json_array_foreach(allowed, i, one)
    {
        if (json_equal(one, value))
            return ETNA_OK;
    }
    char *words = json_dumps(allowed, JSON_COMPACT);
    etna_code code = etna_fail(err, ETNA_E_INPUT, "%s must be one of %s", where,
                               words ? words : "a list");
    free(words);
    return code;
}

/* What a value is bounded by: its row in check_bounds' table; below 0: nothing
 * bounds such a one. */
static int schema_measure(const json_t *value, double *ret)
{
    if (json_is_number(value)) {
        *ret = json_number_value(value);
        return 0;
    }
    if (json_is_array(value)) {
        *ret = (double)json_array_size(value);
        return 1;
    }
    if (!json_is_string(value))
        return -1;
    *ret = (double)json_string_length(value);
    return 2;
}

/* Written as !(a >= b) so that a NaN would be refused, too. The length of a
 * text is in bytes, not in characters: it is there to bound memory. */
static etna_code check_bounds(const json_t *schema,
                              const json_t *value,
                              const char *where,
                              etna_error *err)
{
    static const struct {
        const char *least, *most, *of;
    } kinds[] = {{"minimum", "maximum", "value"},
                 {"minItems", "maxItems", "number of elements"},
                 {"minLength", "maxLength", "length in bytes"}};
    double measure;
    const int kind = schema_measure(value, &measure);
    if (kind < 0)
        return ETNA_OK;
    const json_t *least = json_object_get(schema, kinds[kind].least);
    const json_t *most = json_object_get(schema, kinds[kind].most);
    if (least && !(measure >= json_number_value(least))) {
        return etna_fail(err, ETNA_E_INPUT, "%s: its %s must be at least %g",
                         where, kinds[kind].of, json_number_value(least));
    }
    if (most && !(measure <= json_number_value(most))) {
        return etna_fail(err, ETNA_E_INPUT, "%s: its %s must be at most %g",
                         where, kinds[kind].of, json_number_value(most));
    }
    return ETNA_OK;
}

/* What is wrong with the value, and what the argument is for: as the innermost
 * description says that there is. */
static etna_code schema_describe(const json_t *schema,
                                 etna_code code,
                                 bool *is_described,
                                 etna_error *err)
{
    const char *text =
        json_string_value(json_object_get(schema, "description"));
    if (!text || !err || *is_described)
        return code;
    size_t used = strlen(err->text);
    if (used < sizeof err->text - 1)
        snprintf(err->text + used, sizeof err->text - used, ". %s", text);
    *is_described = true;
    return code;
}

static etna_code unknown_member(json_t *properties,
                                const char *key,
                                const char *where,
                                etna_error *err)
{
    char known[256] = "";
    size_t used = 0;
    const char *name;
    json_t *property;
    json_object_foreach(properties, name, property)
    {
        if (used < sizeof known)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                     used ? ", " : "", name);
    }
    return etna_fail(err, ETNA_E_INPUT,
                     "%s: \"%.60s\" is not known; there is %s", where, key,
                     used ? known : "nothing");
}

static etna_code check_members(const json_t *schema,
                               const json_t *value,
                               const char *where,
                               bool *is_described,
                               etna_error *err)
{
    json_t *properties = json_object_get(schema, "properties");
    bool closed =
        json_is_false(json_object_get(schema, "additionalProperties"));
    const char *key;
    json_t *member;
    size_t i;
    char path[256];
    json_array_foreach(json_object_get(schema, "required"), i, member)
    {
        if (!json_object_get(value, json_string_value(member))) {
            return etna_fail(err, ETNA_E_INPUT, "%s: \"%s\" is missing", where,
                             json_string_value(member));
        }
    }
    json_object_foreach((json_t *)(uintptr_t)value, key, member)
    {
        const json_t *of = json_object_get(properties, key);
        if (!of && closed)
            return unknown_member(properties, key, where, err);
        if (!of)
            continue;
        snprintf(path, sizeof path, "%.150s.%.60s", where, key);
        etna_code code =
            schema_check_value(of, member, path, is_described, err);
        if (code != ETNA_OK)
            return schema_describe(of, code, is_described, err);
    }
    return ETNA_OK;
}

/* `where` is the path of the value, as arguments.camera[2], and the subject of
 * every refusal. Knows the keywords that our own schemas use and no others. */
static etna_code schema_check_value(const json_t *schema,
                                    const json_t *value,
                                    const char *where,
                                    bool *is_described,
                                    etna_error *err)
{
    etna_code code =
        check_type(json_object_get(schema, "type"), value, where, err);
    if (code == ETNA_OK)
        code = check_enum(json_object_get(schema, "enum"), value, where, err);
    if (code == ETNA_OK)
        code = check_bounds(schema, value, where, err);
    if (code == ETNA_OK && json_is_object(value))
        code = check_members(schema, value, where, is_described, err);
    const json_t *items = json_object_get(schema, "items");
    const json_t *item;
    size_t i;
    char path[256];
    if (code != ETNA_OK || !items || !json_is_array(value))
        return code;
    json_array_foreach(value, i, item)
    {
        snprintf(path, sizeof path, "%.200s[%zu]", where, i);
        code = schema_check_value(items, item, path, is_described, err);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

etna_code schema_check(const json_t *schema,
                       const json_t *value,
                       etna_error *err)
{
    bool is_described = false;
    return schema_check_value(schema, value, "arguments", &is_described, err);
}
