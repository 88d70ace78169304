/* What all habits are made of: see sloppy_internal.h. */
#include "tests/fault/sloppy_internal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

char *sloppy_say(const char *format, ...)
{
    char *text = NULL;
    va_list list;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0)
        abort();
    va_end(list);
    return text;
}

char *sloppy_replace(const char *text, const char *from, const char *to)
{
    size_t count = 0;
    for (const char *at = strstr(text, from); at;
         at = strstr(at + strlen(from), from))
        count++;
    if (!count)
        return NULL;
    char *made = malloc(strlen(text) + count * strlen(to) + 1), *out = made;
    if (!made)
        abort();
    for (const char *at = text; *at;) {
        bool here = strncmp(at, from, strlen(from)) == 0;
        if (here) {
            memcpy(out, to, strlen(to));
            out += strlen(to);
            at += strlen(from);
        } else {
            *out++ = *at++;
        }
    }
    *out = 0;
    return made;
}

char *sloppy_replace_in(char *text, const char *from, const char *to)
{
    char *made = sloppy_replace(text, from, to);
    if (!made)
        return text;
    free(text);
    return made;
}

const char *const sloppy_parts[SLOPPY_PARTS] = {"updated_instruction",
                                                "coordinate", "constraints",
                                                "evaluation", "list_item"};

bool sloppy_marks_of(const char *text,
                     const char *part,
                     char open[64],
                     char close[64])
{
    snprintf(open, 64, "[%s]", part);
    snprintf(close, 64, "[end of %s]", part);
    return strstr(text, open) && strstr(text, close);
}

char *sloppy_remark(const char *text, const char *open_as, const char *close_as)
{
    char *made = NULL;
    for (int i = 0; i < SLOPPY_PARTS; i++) {
        char open[64], close[64], other[128];
        if (!sloppy_marks_of(made ? made : text, sloppy_parts[i], open, close))
            continue;
        if (!made)
            made = sloppy_say("%s", text);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(other, sizeof other, close_as, sloppy_parts[i]);
        made = sloppy_replace_in(made, close, other);
        snprintf(other, sizeof other, open_as, sloppy_parts[i]);
        made = sloppy_replace_in(made, open, other);
#pragma GCC diagnostic pop
    }
    return made;
}

char *sloppy_within(const char *text,
                    const char *part,
                    char *(*change)(const char *inner))
{
    char open[64], close[64];
    if (!sloppy_marks_of(text, part, open, close))
        return NULL;
    const char *from = strstr(text, open) + strlen(open),
               *to = strstr(from, close);
    char *inner = to ? strndup(from, (size_t)(to - from)) : NULL,
         *other = inner ? change(inner) : NULL;
    char *made =
        other ? sloppy_say("%.*s%s%s", (int)(from - text), text, other, to)
              : NULL;
    free(inner);
    free(other);
    return made;
}

char *sloppy_dump(const json_t *value, size_t flags)
{
    return json_dumps(value, flags | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
}
