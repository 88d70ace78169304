/* Texts from outside on a terminal. Names, instructions and reasons are
 * hostile: an escape sequence in an object's name could rewrite what the user
 * sees. No control character of theirs gets through (C0, C1, DEL, and the marks
 * that reorder text), and bytes that are no UTF-8 are shown as numbers. */
#ifndef ETNA_COORDINATOR_REPORT_TERMINAL_H
#define ETNA_COORDINATOR_REPORT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Escapes into `to` (of `room` bytes, cut at a whole character,
 * NUL-terminated). Returns the columns it takes, counting a character as one.
 * NULL is "". */
size_t terminal_escape(const char *text, char *to, size_t room);
/* Whether it is UTF-8 without control characters other than tabs. */
bool terminal_is_plain(const char *text);
/* Prints escaped, of any length. NULL is "". */
void terminal_print(FILE *to, const char *text);
/* The line that says where results are, and which page of that folder tells of
 * them. */
void terminal_print_written(FILE *to, const char *folder, const char *page);
/* printf whose whole result is escaped: for lines without control characters of
 * our own, thus without a newline. */
void terminal_printf(FILE *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "2026-01-31T12:00:00Z" of milliseconds since 1970. */
void terminal_time(uint64_t unix_ms, char ret[24]);
/* A word for a POSIX shell: plain where it can be, otherwise in single quotes.
 * Cut at `room`. */
void terminal_quote(const char *word, char *to, size_t room);

#endif
