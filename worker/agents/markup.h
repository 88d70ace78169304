/* Constraints in Markdown and XML made lines that loose.h reads: `[Contact,
 * down, P]` of a table's row, `Contact: down, P` of a list's or a heading's,
 * `Contact(face="down", plane="P")` of a tag. What is none of these stays as it
 * is. Hostile text, pure. */
#ifndef ETNA_WORKER_AGENTS_MARKUP_H
#define ETNA_WORKER_AGENTS_MARKUP_H

#include <stdbool.h>
#include <stddef.h>

/* Is it the name of what a row says? */
typedef bool (*markup_name)(const char *name);

/* The caller frees it; *ret_size without the NUL behind it. NULL: out of
 * memory. */
char *markup_lines(const char *text,
                   size_t size,
                   markup_name is_name,
                   size_t *ret_size);

#endif
