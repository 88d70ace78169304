/* See terminal.h. */
#include "coordinator/report/terminal.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Length of the UTF-8 character at `at` and its code point; 0: none starts there. */
static size_t terminal_character(const unsigned char *at, uint32_t *ret)
{
    if (at[0] < 0x80) {
        *ret = at[0];
        return 1;
    }
    size_t size = at[0] >= 0xf0 && at[0] < 0xf5 ? 4 : at[0] >= 0xe0 ? 3 : at[0] >= 0xc2 ? 2 : 0;
    if (!size || at[0] >= 0xf5) return 0;
    uint32_t code = at[0] & (0xffu >> (size + 1));
    for (size_t i = 1; i < size; i++) {
        if ((at[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | (at[i] & 0x3fu);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < least[size] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return 0;
    *ret = code;
    return size;
}

static bool terminal_is_control(uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

static bool terminal_is_dangerous(uint32_t code)
{
    return terminal_is_control(code) || (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

static void escape_one(uint32_t code, char *piece, size_t room)
{
    if (code == '\n') {
        snprintf(piece, room, "\\n");
    } else if (code == '\t') {
        snprintf(piece, room, "\\t");
    } else {
        if (code < 0x100) snprintf(piece, room, "\\x%02x", code);
        if (code >= 0x100) snprintf(piece, room, "\\u%04x", code);
    }
}

size_t terminal_escape(const char *text, char *to, size_t room)
{
    const unsigned char *at = (const unsigned char *)(text ? text : "");
    size_t used = 0, columns = 0;
    while (*at) {
        char piece[16];
        uint32_t code = 0;
        size_t size = terminal_character(at, &code), step = size ? size : 1;
        if (!size) {
            snprintf(piece, sizeof piece, "\\x%02x", *at);
        } else if (terminal_is_dangerous(code)) {
            escape_one(code, piece, sizeof piece);
        } else {
            memcpy(piece, at, size);
            piece[size] = 0;
        }
        size_t length = strlen(piece);
        if (used + length + 1 > room) break;
        memcpy(to + used, piece, length);
        used += length;
        columns += size && !terminal_is_dangerous(code) ? 1 : length;
        at += step;
    }
    if (room) to[used] = 0;
    return columns;
}

bool terminal_is_plain(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        uint32_t code;
        size_t size = terminal_character(at, &code);
        if (!size || (terminal_is_control(code) && code != '\t')) return false;
        at += size;
    }
    return true;
}

void terminal_print(FILE *to, const char *text)
{
    size_t room = (text ? strlen(text) : 0) * 6 + 1; /* the longest escape of a byte */
    char *escaped = malloc(room);
    if (!escaped) return;
    terminal_escape(text, escaped, room);
    fputs(escaped, to);
    free(escaped);
}

void terminal_printf(FILE *to, const char *format, ...)
{
    char line[8192];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    terminal_print(to, line);
}

void terminal_time(uint64_t unix_ms, char ret[24])
{
    time_t seconds = (time_t)(unix_ms / 1000);
    struct tm utc;
    if (!gmtime_r(&seconds, &utc) || !strftime(ret, 24, "%Y-%m-%dT%H:%M:%SZ", &utc)) snprintf(ret, 24, "?");
}

void terminal_quote(const char *word, char *to, size_t room)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+,=";
    if (*word && strspn(word, plain) == strlen(word)) {
        snprintf(to, room, "%s", word);
        return;
    }
    size_t used = 0;
    if (used + 1 < room) to[used++] = '\'';
    for (; *word && used + 6 < room; word++) {
        if (*word == '\'') {
            memcpy(to + used, "'\\''", 4);
            used += 4;
        } else {
            to[used++] = *word;
        }
    }
    if (used + 1 < room) to[used++] = '\'';
    if (room) to[used < room ? used : room - 1] = 0;
}
