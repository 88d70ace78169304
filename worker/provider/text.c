/* See text.h. Control characters include C1 (U+0080..U+009F) and the line
 * separators, which terminals obey too. */
#include "worker/provider/text.h"
#include "proto/utf8.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t text_utf8_length(const char *text, size_t size)
{
    return etna_utf8_character(text, size, NULL);
}

/* Of one, two or three bytes: ASCII controls and space; C1 controls and the
 * no-break space (U+0080 to U+00A0); the separators U+2028 and U+2029. */
static bool text_is_blank(const char *text, size_t length)
{
    const unsigned char *s = (const unsigned char *)text;
    if (length == 1)
        return s[0] <= 0x20 || s[0] == 0x7F;
    if (length == 2)
        return s[0] == 0xC2 && s[1] <= 0xA0;
    return length == 3 && s[0] == 0xE2 && s[1] == 0x80 &&
           (s[2] == 0xA8 || s[2] == 0xA9);
}

/* A gap is written only when something follows it, which is what trims the
 * end. */
char *text_clean(etna_arena *arena, const char *text, size_t size, size_t max)
{
    size_t room = size < max ? size : max;
    char *out = etna_arena_alloc(arena, room + 1, 1);
    if (!out)
        return NULL;
    size_t used = 0;
    bool gap = false;
    for (size_t at = 0; at < size;) {
        size_t length = text_utf8_length(text + at, size - at);
        size_t take = length ? length : 1;
        if (length && text_is_blank(text + at, length)) {
            gap = used > 0;
        } else {
            if (used + gap + take > room)
                break;
            if (gap)
                out[used++] = ' ';
            gap = false;
            for (size_t i = 0; i < take; i++)
                out[used++] = length ? text[at + i] : '?';
        }
        at += take;
    }
    out[used] = 0;
    return out;
}

char *text_json(etna_arena *arena, const struct json_t *value, size_t flags)
{
    flags |= JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY;
    size_t size = value ? json_dumpb(value, NULL, 0, flags) : 0;
    char *text = size ? etna_arena_alloc(arena, size + 1, 1) : NULL;
    if (!text || json_dumpb(value, text, size, flags) != size)
        return NULL;
    text[size] = 0;
    return text;
}

/* digits that name any double exactly; room for sign, digits, point and
 * exponent */
enum {
    DIGITS_EXACT = 17,
    NUMBER_ROOM = 40
};

/* Writes the number as short as its value allows; 0: it stays. Exponents as
 * Jansson writes them: no plus, no leading zeros. */
static size_t short_number(const char *number,
                           size_t size,
                           char ret[NUMBER_ROOM])
{
    double value = strtod(number, NULL);
    for (int digits = DIGITS_EXACT - 2; digits < DIGITS_EXACT; digits++) {
        snprintf(ret, NUMBER_ROOM, "%.*g", digits, value);
        if (strtod(ret, NULL) != value)
            continue;
        char *e = strchr(ret, 'e');
        if (e) {
            char *to = e + 1 + (e[1] == '-');
            char *from = e + 2;
            while (*from == '0' && from[1])
                from++;
            memmove(to, from, strlen(from) + 1);
        } else if (!strchr(ret, '.')) {
            strcat(ret, ".0");
        }
        return strlen(ret) < size ? strlen(ret) : 0;
    }
    return 0;
}

/* Shortens in place: a number never grows, as short_number gives 0 where it
 * would. Strings are skipped with their escapes. */
char *text_json_short(etna_arena *arena,
                      const struct json_t *value,
                      size_t flags)
{
    char *text = text_json(arena, value, flags);
    char *to = text, number[NUMBER_ROOM];
    bool quoted = false;
    for (const char *at = text; at && *at;) {
        size_t size = quoted ? 0 : strspn(at, "+-.0123456789eE");
        size_t made = size >= DIGITS_EXACT && memchr(at, '.', size)
                          ? short_number(at, size, number)
                          : 0;
        if (*at == '"')
            quoted = !quoted;
        size_t take = size ? size : quoted && *at == '\\' ? 2 : 1;
        size_t put = made ? made : take;
        memmove(to, made ? number : at, put);
        to += put;
        at += take;
    }
    if (text)
        *to = 0;
    return text;
}
