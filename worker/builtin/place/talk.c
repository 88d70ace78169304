/* What every role reads of its task and writes in its answer. */
#include "proto/array.h"
#include "worker/builtin/builtin.h"

#include "worker/builtin/roles.h"
#include "worker/provider/text.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

etna_code builtin_say(builtin_talk *talk,
                      model_reply *ret,
                      etna_error *err,
                      const char *format,
                      ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text =
        size < 0 ? NULL : etna_arena_alloc(talk->arena, (size_t)size + 1, 1);
    if (text)
        vsnprintf(text, (size_t)size + 1, format, again);
    va_end(again);
    if (!text)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while the built-in agent answered");
    /* a quotation may have been cut within a character */
    for (size_t at = 0; at < (size_t)size;) {
        size_t length = text_utf8_length(text + at, (size_t)size - at);
        if (length == 0)
            text[at] = '?';
        at += length ? length : 1;
    }
    *ret = (model_reply){.text = text};
    return ETNA_OK;
}

const char *builtin_quote(builtin_talk *talk, const char *name)
{
    static const char *const marks[] = {"\"", "'", "`"};
    for (size_t i = 0; i < COUNT_OF(marks); i++) {
        if (!strstr(name, marks[i]))
            return etna_arena_printf(talk->arena, "%s%s%s", marks[i], name,
                                     marks[i]);
    }
    return etna_arena_printf(talk->arena, "%s", name);
}

/* Positions of this object's edits that were given up, from the task's list
 * under `key`. */
etna_code builtin_given_up(builtin_talk *talk,
                           const char *key,
                           uint32_t object,
                           const double (**ret)[3],
                           uint32_t *ret_count,
                           etna_error *err)
{
    const json_t *rows = json_object_get(talk->task, key);
    double(*points)[3] =
        etna_arena_alloc(talk->arena, json_array_size(rows), sizeof *points);
    if (!points)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while the built-in agent answered");
    uint32_t count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const json_t *position = json_object_get(row, "position");
        const char *name = json_string_value(json_object_get(row, "object"));
        if (!name || strcmp(name, talk->facts.objects[object].name) != 0 ||
            json_array_size(position) != 3)
            continue;
        for (size_t k = 0; k < 3; k++)
            points[count][k] = json_number_value(json_array_get(position, k));
        count++;
    }
    *ret = (const double(*)[3])points;
    *ret_count = count;
    return ETNA_OK;
}
