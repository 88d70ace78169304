/* Finding the parts of a model's answer in the prose around them. Hostile text, pure. */
#ifndef ETNA_WORKER_AGENTS_BLOCK_H
#define ETNA_WORKER_AGENTS_BLOCK_H

#include "proto/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct block {
    const char *text; /* into the answer, after the opening mark */
    size_t size;      /* up to the closing mark */
} block;

/* The one block between `open` and `close`. ETNA_E_INPUT: there is none, it is cut off, or there are two. */
etna_code block_find(const char *text, const char *open, const char *close, block *ret, etna_error *err);

/* How often `mark` stands in the text; *ret_last is the last place (NULL when there is none). */
unsigned block_count(const char *text, const char *mark, const char **ret_last);

/* Does `word` (lower case) stand in the block as a whole word, in any case? */
bool block_has_word(const block *b, const char *word);

/* A decimal number ("0.5", "-3", ".5"; no exponent, hex, nan or inf) at *at; moves *at past it. False when there is
 * none. */
bool block_number(const char **at, const char *end, double *ret);

#endif
