/* See terminal.h. */
#include "coordinator/report/terminal.h"
#include "proto/utf8.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool terminal_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

static void escape_one(uint32_t code, char *piece, size_t room)
{
    if (code == '\n') {
        snprintf(piece, room, "\\n");
    } else if (code == '\t') {
        snprintf(piece, room, "\\t");
    } else {
        if (code < 0x100)
            snprintf(piece, room, "\\x%02x", code);
        if (code >= 0x100)
            snprintf(piece, room, "\\u%04x", code);
    }
}

/* Each piece is a whole character or a whole escape, and the text is cut
 * between two. */
size_t terminal_escape(const char *text, char *to, size_t room)
{
    const char *at = text ? text : "";
    size_t used = 0, columns = 0;
    while (*at) {
        char piece[16];
        uint32_t code = 0;
        size_t size = etna_utf8_character(at, ETNA_UTF8_MAX, &code);
        if (!size) {
            snprintf(piece, sizeof piece, "\\x%02x", (unsigned char)*at);
        } else if (etna_utf8_deceives(code)) {
            escape_one(code, piece, sizeof piece);
        } else {
            memcpy(piece, at, size);
            piece[size] = 0;
        }
        size_t length = strlen(piece);
        if (used + length + 1 > room)
            break;
        memcpy(to + used, piece, length);
        used += length;
        columns += size && !etna_utf8_deceives(code) ? 1 : length;
        at += size ? size : 1;
    }
    if (room)
        to[used] = 0;
    return columns;
}

bool terminal_is_plain(const char *text)
{
    const char *at = text;
    while (*at) {
        uint32_t code;
        size_t size = etna_utf8_character(at, ETNA_UTF8_MAX, &code);
        if (!size || (terminal_is_control(code) && code != '\t'))
            return false;
        at += size;
    }
    return true;
}

void terminal_print(FILE *to, const char *text)
{
    /* the longest escape of a byte */
    size_t room = (text ? strlen(text) : 0) * 6 + 1;
    char *escaped = malloc(room);
    if (!escaped)
        return;
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
    if (!gmtime_r(&seconds, &utc) ||
        !strftime(ret, 24, "%Y-%m-%dT%H:%M:%SZ", &utc))
        snprintf(ret, 24, "?");
}

/* A single quote ends the quoted word, comes escaped, and begins it again. */
void terminal_quote(const char *word, char *to, size_t room)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+,=";
    if (*word && strspn(word, plain) == strlen(word)) {
        snprintf(to, room, "%s", word);
        return;
    }
    size_t used = 0;
    if (used + 1 < room)
        to[used++] = '\'';
    for (; *word && used + 6 < room; word++) {
        if (*word == '\'') {
            memcpy(to + used, "'\\''", 4);
            used += 4;
        } else {
            to[used++] = *word;
        }
    }
    if (used + 1 < room)
        to[used++] = '\'';
    if (room)
        to[used < room ? used : room - 1] = 0;
}

void terminal_print_written(FILE *to, const char *folder, const char *page)
{
    size_t size = strlen(folder);
    const char *slash = size && folder[size - 1] == '/' ? "" : "/";
    fputs("written to ", to);
    terminal_print(to, folder);
    fprintf(to, "%s, %s shows it in pictures\n", slash, page);
}
