/* See inner.h. */
#include "worker/agents/inner.h"

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

enum { ESCAPES_LEAST = 2 }; /* one may stand in any text */

/* Without the fence around all of it. */
static const char *inner_begin(const char *text, size_t *ret_size)
{
    size_t size = strlen(text);
    while (size > 0 && strchr(" \t\r\n", *text)) text++, size--;
    while (size > 0 && strchr(" \t\r\n`", text[size - 1])) size--;
    if (strncmp(text, "```", 3) == 0) {
        size_t line = strcspn(text, "\n");
        line = line < size ? line + 1 : size;
        text += line;
        size -= line;
    }
    *ret_size = size;
    return text;
}

/* The one text of the members that holds `sign`; *ret_several: there is more than one. */
static const char *inner_with(const json_t *value, const char *sign, bool *ret_several)
{
    const char *found = NULL, *key;
    json_t *member;
    json_object_foreach((json_t *)(size_t)value, key, member)
    {
        const char *text = json_string_value(member);
        bool is_answer = text && strstr(text, sign);
        *ret_several = *ret_several || (is_answer && found);
        if (is_answer) found = text;
    }
    return found;
}

/* The one text of it that has a part's marks, else several lines. */
static const char *inner_member(const json_t *value)
{
    static const char *const signs[] = {"[end", "\n"};
    if (json_array_size(value) == 1) value = json_array_get(value, 0);
    if (json_is_string(value)) return json_string_value(value);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        bool several = false;
        const char *found = inner_with(value, signs[i], &several);
        if (found) return several ? NULL : found;
    }
    return NULL;
}

static const char *inner_unescape(const char *text, size_t size, etna_arena *arena)
{
    char *out = etna_arena_alloc(arena, size + 1, 1);
    size_t used = 0, escapes = 0;
    for (size_t i = 0; out && i < size; i++) {
        bool is_escape = text[i] == '\\' && i + 1 < size && strchr("nrt\"", text[i + 1]);
        if (!is_escape) {
            out[used++] = text[i];
            continue;
        }
        i++;
        escapes += text[i] == 'n';
        if (text[i] == '"') out[used++] = '"';
        if (text[i] != '"' && text[i] != 'r') out[used++] = text[i] == 'n' ? '\n' : ' ';
    }
    if (!out || escapes < ESCAPES_LEAST) return NULL;
    out[used] = 0;
    return out;
}

const char *inner_text(const char *text, etna_arena *arena)
{
    size_t size;
    text = inner_begin(text, &size);
    json_t *value = json_loadb(text, size, JSON_DECODE_ANY, NULL);
    if (!value) return inner_unescape(text, size, arena);
    const char *member = inner_member(value), *copy = member ? etna_arena_strdup(arena, member) : NULL;
    json_decref(value);
    return copy;
}
