/* A model's answer made plain: one spelling for what writers, keyboards and
 * renderers spell in many ways, without the thoughts that some models write
 * before their answer. Nothing is lost by it: every byte knows where it came
 * from, so that what is an instruction or a name can be taken as it was
 * written. Hostile text, pure. */
#ifndef ETNA_WORKER_AGENTS_PLAIN_H
#define ETNA_WORKER_AGENTS_PLAIN_H

#include "proto/arena.h"
#include "proto/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct plain {
    const char *written; /* as it came; borrowed */
    const char *text;    /* NUL-terminated, but for a part */
    size_t size;
    /* of each byte of `text`, and of its end: where in `written` it came
     * from */
    const uint32_t *at;
    const uint8_t *width; /* how many bytes it stands for there */
} plain;

/* Line ends become \n; no-break and other spaces a space; quotes, hyphens,
 * brackets and full-width characters those of ASCII; Markdown's escapes and
 * HTML's entities what they stand for; marks without width, tokens as <|end|>
 * and thoughts (<think> .. </think> and the like) go. ETNA_E_NOMEM,
 * ETNA_E_INPUT for a text over 4 GiB. */
etna_code plain_make(const char *written,
                     etna_arena *arena,
                     plain *ret,
                     etna_error *err);

/* The part [from, to) of it. */
plain plain_part(const plain *p, size_t from, size_t to);

/* [from, to) of `text` as it was written, without the thoughts in it. NULL: out
 * of memory. */
char *plain_written(const plain *p, size_t from, size_t to, etna_arena *arena);

/* A name as it is compared where it is not found as it stands: plain, lower
 * case, without quotes and emphasis around it, a space for each run of spaces,
 * underscores and hyphens. NULL: out of memory. */
char *plain_name(const char *name, etna_arena *arena);

/* Is the word, of `size` letters, `name` but for one letter that is missing or
 * written twice, or two that changed places? Only of long ones. */
bool plain_is_slip(const char *word, size_t size, const char *name);

/* Three words or more, one of them of those that join the others, as "it stands
 * on the desk": a reason, no name. */
bool plain_is_prose(const char *text);

#endif
