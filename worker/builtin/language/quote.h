/* Names in quotes: "...", '...', `...` and typographic ones. */
#ifndef ETNA_WORKER_BUILTIN_LANGUAGE_QUOTE_H
#define ETNA_WORKER_BUILTIN_LANGUAGE_QUOTE_H

#include <stddef.h>

/* The closing quote of a name that is quoted from `text` on, which stands at a
 * word's beginning: the first one that the text's end, a blank or a byte of
 * `ends` follows. *ret_start: the name's first byte; *ret_close: the bytes of
 * the closing quote. NULL, and the outputs untouched: no quote begins there,
 * nothing closes it, or nothing stands in it. */
const char *quote_close(const char *text,
                        const char *ends,
                        const char **ret_start,
                        size_t *ret_close);

#endif
