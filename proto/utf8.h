/* Whether bytes are UTF-8: every text that comes from outside is asked. Pure. */
#ifndef ETNA_PROTO_UTF8_H
#define ETNA_PROTO_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* True when the bytes are well-formed UTF-8: no overlong form, surrogate, or value above U+10FFFF. A NUL is well
 * formed. */
bool etna_utf8_valid(const char *text, size_t size);

/* The text with each byte that belongs to no well-formed character read as Latin-1, so that names which differ stay
 * different. ret has room for 2 * size bytes; returns how many were written. Well-formed text comes out as it is. */
size_t etna_utf8_repair(const char *text, size_t size, char *ret);

#endif
