/* See prompt.h. */
#include "worker/agents/prompt.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char divider[] = "\n=== user ===\n";

/* The first {{key}} of the text; *filled only ever becomes true. NULL: out of
 * memory. */
static char *prompt_fill_one(const char *text,
                             size_t size,
                             const char *key,
                             const char *value,
                             etna_arena *arena,
                             bool *filled)
{
    char mark[64];
    snprintf(mark, sizeof mark, "{{%s}}", key);
    const char *at = memmem(text, size, mark, strlen(mark));
    if (!at)
        return etna_arena_strndup(arena, text, size);
    *filled = true;
    size_t before = (size_t)(at - text);
    size_t after = size - before - strlen(mark);
    size_t middle = strlen(value);
    char *out = etna_arena_alloc(arena, before + middle + after + 1, 1);
    if (!out)
        return NULL;
    memcpy(out, text, before);
    memcpy(out + before, value, middle);
    memcpy(out + before + middle, at + strlen(mark), after);
    return out;
}

/* Is `part` among the "-part"s behind the template's name? */
static bool is_without(const char *name, const char *part, size_t size)
{
    for (const char *at = strchr(name, '-'); at; at = strchr(at + 1, '-')) {
        if (strncmp(at + 1, part, size) == 0 &&
            (at[1 + size] == 0 || at[1 + size] == '-'))
            return true;
    }
    return false;
}

/* The template with its marked parts, or without; marks do not nest. */
static char *choose_parts(const char *text, const char *name, etna_arena *arena)
{
    char *out = etna_arena_alloc(arena, strlen(text) + 1, 1);
    size_t used = 0;
    bool kept = true;
    for (const char *line = text; out && *line;) {
        size_t size = strcspn(line, "\n");
        size_t whole = size + (line[size] == '\n');
        const bool mark =
            size > 5 && strncmp(line, "{{", 2) == 0 && strchr("#^/", line[2]);
        if (mark) {
            bool without = is_without(name, line + 3, size - 5);
            kept = line[2] == '/' || (line[2] == '#') != without;
        } else if (kept) {
            memcpy(out + used, line, whole);
            used += whole;
        }
        line += whole;
    }
    if (out)
        out[used] = 0;
    return out;
}

/* "name-part-part": the template without those parts. The value is put in as it
 * is, so callers quote what others wrote. A key that has no place is a
 * programmer's error. */
etna_code prompt_fill(const char *name,
                      const char *key,
                      const char *value,
                      etna_arena *arena,
                      const char **ret_system,
                      const char **ret_user,
                      etna_error *err)
{
    const char *text = NULL;
    for (const prompt_entry *entry = prompt_table; entry->name; entry++) {
        size_t size = strcspn(name, "-");
        if (strlen(entry->name) == size &&
            strncmp(entry->name, name, size) == 0)
            text = entry->text;
    }
    if (!text)
        return etna_fail(err, ETNA_E_INTERNAL, "no prompt is named '%s'", name);
    text = choose_parts(text, name, arena);
    if (!text)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while filling the prompt '%s'", name);
    const char *cut = strstr(text, divider);
    size_t system_size = cut ? (size_t)(cut - text) + 1 : strlen(text);
    const char *user = cut ? cut + strlen(divider) : "";
    bool filled = false;
    char *system_text =
        prompt_fill_one(text, system_size, key, value, arena, &filled);
    char *user_text =
        prompt_fill_one(user, strlen(user), key, value, arena, &filled);
    if (!system_text || !user_text)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while filling the prompt '%s'", name);
    if (!filled && key[0])
        return etna_fail(err, ETNA_E_INTERNAL,
                         "the prompt '%s' has no place for '%s'", name, key);
    *ret_system = system_text;
    *ret_user = user_text;
    return ETNA_OK;
}
