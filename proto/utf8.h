/* Whether bytes are UTF-8: every text that comes from outside is asked. Pure. */
#ifndef ETNA_PROTO_UTF8_H
#define ETNA_PROTO_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* True when the bytes are well-formed UTF-8: no overlong form, surrogate, or value above U+10FFFF. A NUL is well
 * formed. */
bool etna_utf8_valid(const char *text, size_t size);

#endif
