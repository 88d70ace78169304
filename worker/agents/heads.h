/* Constraints read by their names alone, for a block whose form no other reader
 * takes: rows of YAML, of XML, of a table, with brackets or quotes missing.
 * From one name to the next stand that row's parts, numbers and words between
 * signs; keys, tags and signs say nothing. What is left over makes a row that
 * nobody fills, so that nothing is read into prose. Pure. */
#ifndef ETNA_WORKER_AGENTS_HEADS_H
#define ETNA_WORKER_AGENTS_HEADS_H

#include "proto/error.h"
#include "worker/agents/markup.h"

#include <jansson.h>
#include <stddef.h>

/* *ret: a new array of arrays, each a name and its parts, in order. `is_name`:
 * of a constraint. ETNA_E_INPUT: no name stands there, or something is left out
 * by dots; ETNA_E_NOMEM. */
etna_code heads_read(const char *text,
                     size_t size,
                     markup_name is_name,
                     json_t **ret,
                     etna_error *err);

/* "LeftOf": written as the names of constraints are, and, unless it is one,
 * none that there is. */
bool heads_is_invented(const char *word);

/* Is a member of that name a remark on a row, its weight or reason? */
bool heads_is_remark(const char *key);

/* Does a member of that name say which object moves? */
bool heads_is_subject(const char *key);

#endif
