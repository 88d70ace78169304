/* Arguments as models give them, made what a tool's schema asks for where there
 * is one way to: a list, a number or a truth that was written as a text, one
 * name for a list of names, one point for a list of points, {"x": .., "y": ..}
 * for [x, y], a word or a member's name in another case. What is neither stays,
 * for schema.h to say what is wrong. Pure. */
#ifndef ETNA_WORKER_MCP_FIT_H
#define ETNA_WORKER_MCP_FIT_H

#include <jansson.h>

/* A new reference; NULL: out of memory. `schema` is ours and sound; `value` is
 * hostile, and no deeper than a message may be. */
json_t *fit_value(const json_t *schema, const json_t *value);

#endif
