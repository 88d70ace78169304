/* What a byte of a text is. Bytes beyond ASCII are letters. */
#ifndef ETNA_WORKER_BUILTIN_LANGUAGE_LETTERS_H
#define ETNA_WORKER_BUILTIN_LANGUAGE_LETTERS_H

#include <stdbool.h>

static inline bool letter_is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}
static inline bool letter_is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static inline bool letter_is_blank(char c)
{
    return (unsigned char)c <= ' ';
}
static inline bool letter_is_any(char c)
{
    return (c >= 'a' && c <= 'z') || letter_is_upper(c) || (unsigned char)c >= 0x80;
}
static inline char letter_lower(char c)
{
    return letter_is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

#endif
