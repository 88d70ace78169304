/* What a byte is in ASCII, in every locale: <ctype.h> asks the locale and must
 * not be given a negative char. A byte of a longer UTF-8 character is none of
 * these, and lower case is itself. */
#ifndef ETNA_PROTO_ASCII_H
#define ETNA_PROTO_ASCII_H

#include <stdbool.h>

static inline bool ascii_is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static inline bool ascii_is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}
static inline bool ascii_is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}
static inline bool ascii_is_letter(char c)
{
    return ascii_is_lower(c) || ascii_is_upper(c);
}
/* A letter, or a byte of a character that needs more than one: a name may be in
 * any language. */
static inline bool ascii_is_letter_or_beyond(char c)
{
    return ascii_is_letter(c) || (unsigned char)c >= 0x80;
}
/* A space, a tab, the end of a line, or any other control character. */
static inline bool ascii_is_blank(char c)
{
    return (unsigned char)c <= ' ';
}
static inline char ascii_lower(char c)
{
    return ascii_is_upper(c) ? (char)(c - 'A' + 'a') : c;
}
/* A hexadecimal digit of either case as a number from 0 to 15; -1 for any other
 * byte. */
static inline int ascii_hex(char c)
{
    if (ascii_is_digit(c))
        return c - '0';
    char low = ascii_lower(c);
    return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

#endif
