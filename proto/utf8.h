/* UTF-8: whether bytes are it, one character of it, and where a text can be
 * cut. Pure. */
#ifndef ETNA_PROTO_UTF8_H
#define ETNA_PROTO_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True when the bytes are well-formed UTF-8: no overlong form, surrogate, or
 * value above U+10FFFF. A NUL is well formed. */
bool etna_utf8_valid(const char *text, size_t size);

enum {
    ETNA_UTF8_MAX = 4 /* bytes of a character */
};

/* Bytes of the well-formed character that begins at `text`, of `size` bytes; 0
 * when none does. It never looks behind a NUL: where a text has one,
 * ETNA_UTF8_MAX stands for its size. `ret_code` may be NULL. */
size_t etna_utf8_character(const char *text, size_t size, uint32_t *ret_code);

/* Writes the character of that code and returns how many bytes it took; a
 * surrogate and what is above U+10FFFF become U+FFFD. `to` has room for
 * ETNA_UTF8_MAX bytes. */
size_t etna_utf8_put(uint32_t code, char *to);

/* Bytes of the mark that some editors put before a text (U+FEFF), which says
 * nothing in UTF-8; 0 where there is none. */
size_t etna_utf8_mark(const char *text, size_t size);

/* A control character, one without width, or a mark that reorders text (Trojan
 * Source): a name that contains it shows as something it is not. */
bool etna_utf8_deceives(uint32_t code);

/* How many of the bytes of a well-formed, NUL-terminated text are whole
 * characters and no more than `max`. */
size_t etna_utf8_cut(const char *text, size_t max);

/* What is left of a text of `size` bytes without a character that was cut off
 * at its end. */
size_t etna_utf8_whole(const char *text, size_t size);

/* The text with each byte that belongs to no well-formed character read as
 * Latin-1, so that names which differ stay different. ret has room for 2 * size
 * bytes; returns how many were written. Well-formed text comes out as it is. */
size_t etna_utf8_repair(const char *text, size_t size, char *ret);

#endif
