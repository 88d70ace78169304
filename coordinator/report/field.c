/* See field.h. */
#include "coordinator/report/field.h"

const char *field_string(const json_t *of, const char *key)
{
    const char *value = json_string_value(json_object_get(of, key));
    return value ? value : "";
}

long long field_integer(const json_t *of, const char *key)
{
    return json_integer_value(json_object_get(of, key));
}
