/* Where in a JSON text something stands, for errors: Jansson knows the lines of
 * what it cannot parse, not of values. */
#ifndef ETNA_REFEREE_JSON_LINE_H
#define ETNA_REFEREE_JSON_LINE_H

#include <stddef.h>

/* The line, from 1, of the value at `path`, as "scenes[3].steps[0].text", in a
 * text that is well formed; of what is not there, that of the last part of the
 * path that is. Keys are plain: no escapes, no dots or brackets. */
unsigned json_line_of(const char *text, size_t size, const char *path);

#endif
