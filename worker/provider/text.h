/* Text from outside (scenes, users, models) made safe to quote: valid UTF-8,
 * one line, bounded. Pure. */
#ifndef ETNA_WORKER_PROVIDER_TEXT_H
#define ETNA_WORKER_PROVIDER_TEXT_H

#include "proto/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Is it one of these characters? A NUL is none. */
static inline bool text_is_in(char c, const char *set)
{
    return c && strchr(set, c);
}
/* The place behind those of the set that stand at `at` and on, up to `end`. */
static inline size_t text_skip(const char *text,
                               size_t at,
                               size_t end,
                               const char *set)
{
    while (at < end && text_is_in(text[at], set))
        at++;
    return at;
}
/* The same by pointers. */
static inline const char *text_behind(const char *at,
                                      const char *end,
                                      const char *set)
{
    while (at < end && text_is_in(*at, set))
        at++;
    return at;
}
/* The place before those of the set that stand at the end of [from, end). */
static inline size_t text_skip_back(const char *text,
                                    size_t from,
                                    size_t end,
                                    const char *set)
{
    while (end > from && text_is_in(text[end - 1], set))
        end--;
    return end;
}
/* Where the line begins that `at` is in. */
static inline size_t text_line_begin(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return at;
}
/* Length in bytes of the well-formed UTF-8 character at `text`, 0 when there is
 * none within `size` bytes (surrogates, overlong forms and values past U+10FFFF
 * are not well formed). proto/utf8.h says whether a whole text is well
 * formed. */
size_t text_utf8_length(const char *text, size_t size);
/* A copy in `arena` with every run of white space and control characters turned
 * into one space, none at either end, bytes that are no UTF-8 turned into '?',
 * cut at a character's end to at most `max` bytes. NULL when out of memory. */
char *text_clean(etna_arena *arena, const char *text, size_t size, size_t max);

/* A JSON value as text in `arena` (JSON_COMPACT and such in `flags`, reals with
 * 17 digits); NULL in or out of memory: NULL. Nothing of Jansson's memory
 * leaves it, so it may have an allocator of its own. */
struct json_t;
/* The dump in the arena; NULL: out of memory. */
char *text_json(etna_arena *arena, const struct json_t *value, size_t flags);
/* The same, each real with no more digits than tell it from its neighbours:
 * 0.55, not 0.55000000000000004. What a model wrote goes back to it as it wrote
 * it. */
char *text_json_short(etna_arena *arena,
                      const struct json_t *value,
                      size_t flags);

#endif
