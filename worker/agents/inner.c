/* See inner.h. */
#include "worker/agents/inner.h"
#include "proto/array.h"

#include <jansson.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum {
    ESCAPES_LEAST = 2
}; /* one may stand in any text */

/* Without the fence around all of it. */
static const char *inner_begin(const char *text, size_t *ret_size)
{
    size_t size = strlen(text);
    while (size > 0 && strchr(" \t\r\n", *text))
        text++, size--;
    while (size > 0 && strchr(" \t\r\n`", text[size - 1]))
        size--;
    if (strncmp(text, "```", 3) == 0) {
        size_t line = strcspn(text, "\n");
        line = line < size ? line + 1 : size;
        text += line;
        size -= line;
    }
    *ret_size = size;
    return text;
}

/* The one text of the members that holds `sign`; *ret_several: there is more
 * than one. */
static const char *inner_with(const json_t *value,
                              const char *sign,
                              bool *ret_several)
{
    const char *found = NULL, *key;
    json_t *member;
    json_object_foreach((json_t *)(size_t)value, key, member)
    {
        const char *text = json_string_value(member);
        bool is_answer = text && strstr(text, sign);
        *ret_several = *ret_several || (is_answer && found);
        if (is_answer)
            found = text;
    }
    return found;
}

/* The one text of it that has a part's marks, else several lines. */
static const char *inner_member(const json_t *value)
{
    static const char *const signs[] = {"[end", "\n"};
    if (json_array_size(value) == 1)
        value = json_array_get(value, 0);
    if (json_is_string(value))
        return json_string_value(value);
    for (size_t i = 0; i < COUNT_OF(signs); i++) {
        bool several = false;
        const char *found = inner_with(value, signs[i], &several);
        if (found)
            return several ? NULL : found;
    }
    return NULL;
}

/* The text of it that is an answer for itself. */
static const char *inner_only(const json_t *value)
{
    bool several = false;
    if (json_array_size(value) == 1)
        value = json_array_get(value, 0);
    if (json_is_string(value))
        return json_string_value(value);
    if (json_object_size(value) == 1)
        return json_string_value(
            json_object_iter_value(json_object_iter((json_t *)(size_t)value)));
    const char *found = inner_with(value, "[end", &several);
    return several ? NULL : found;
}

/* A text with "\n" written as two characters. NULL: too few of them to be
 * sure. */
static const char *inner_unescape(const char *text,
                                  size_t size,
                                  etna_arena *arena)
{
    char *out = etna_arena_alloc(arena, size + 1, 1);
    size_t used = 0, escapes = 0;
    for (size_t i = 0; out && i < size; i++) {
        bool is_escape =
            text[i] == '\\' && i + 1 < size && strchr("nrt\"", text[i + 1]);
        if (!is_escape) {
            out[used++] = text[i];
            continue;
        }
        i++;
        escapes += text[i] == 'n';
        if (text[i] == '"')
            out[used++] = '"';
        if (text[i] != '"' && text[i] != 'r')
            out[used++] = text[i] == 'n' ? '\n' : ' ';
    }
    if (!out || escapes < ESCAPES_LEAST)
        return NULL;
    out[used] = 0;
    return out;
}

/* What an answer that is JSON, or was escaped, has within; NULL: nothing. */
const char *inner_text(const char *text, etna_arena *arena)
{
    size_t size;
    text = inner_begin(text, &size);
    json_t *value = json_loadb(text, size, JSON_DECODE_ANY, NULL);
    if (!value)
        return inner_unescape(text, size, arena);
    const char *member = inner_member(value);
    const char *copy = member ? etna_arena_strdup(arena, member) : NULL;
    json_decref(value);
    return copy;
}

/* Of the first JSON in prose that carries one. */
static const char *inner_amid(const char *text, etna_arena *arena)
{
    enum {
        TRIES_MAX = 8
    };
    const char *found = NULL;
    for (int i = 0; i < TRIES_MAX && !found; i++) {
        text += strcspn(text, "{[");
        if (!*text)
            return NULL;
        json_t *value = json_loads(text, JSON_DISABLE_EOF_CHECK, NULL);
        const char *only = inner_only(value);
        if (only)
            found = etna_arena_strdup(arena, only);
        json_decref(value);
        text++;
    }
    return found;
}

/* Peels up to three layers: gateways wrap an answer as text of a text. NULL: it
 * carries none. */
const char *inner_carried(const char *written, etna_arena *arena)
{
    enum {
        LAYERS_MAX = 3
    };
    const char *found = NULL, *text = written;
    for (int i = 0; text && i < LAYERS_MAX; i++) {
        size_t size;
        text = inner_begin(text, &size);
        json_t *value = json_loadb(text, size, JSON_DECODE_ANY, NULL);
        const char *only = inner_only(value);
        text = only ? etna_arena_strdup(arena, only) : NULL;
        json_decref(value);
        if (text)
            found = text;
    }
    /* a mark, and its line's end as an escape */
    bool is_escaped = !found && strstr(written, "]\\n") != NULL;
    if (!is_escaped)
        return found;
    found = inner_amid(written, arena);
    return found ? found : inner_text(written, arena);
}

/* Is `at` where a turn of somebody else's begins: a template's token, or a line
 * with nothing but who speaks? */
static bool begins_turn(const char *text, const char *at)
{
    static const char *const
        tokens[] = {"<|im_start|>user",        "<start_of_turn>user",
                    "<|start_header_id|>user", "<|user|>",
                    "<|start|>user",           "[INST]"},
        *const speakers[] = {"user\n",    "human\n",   "user:\n",  "human:\n",
                             "user: ",    "human: ",   "### user", "### human",
                             "**user:**", "**human:**"};
    for (size_t i = 0; i < COUNT_OF(tokens); i++) {
        if (strncmp(at, tokens[i], strlen(tokens[i])) == 0)
            return true;
    }
    if (at > text && at[-1] != '\n')
        return false;
    for (size_t i = 0; i < COUNT_OF(speakers); i++) {
        if (strncasecmp(at, speakers[i], strlen(speakers[i])) == 0)
            return true;
    }
    return false;
}

/* Up to where the model goes on as somebody else ("User:", a template's token).
 * NULL: it does not. */
const char *inner_own_turn(const char *text, etna_arena *arena)
{
    for (const char *at = text; *at; at++) {
        if (begins_turn(text, at))
            return etna_arena_strndup(arena, text, (size_t)(at - text));
    }
    return NULL;
}
