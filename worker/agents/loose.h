/* JSON as models write it: in quotes of any kind or none, with comments, fences
 * and list signs between, commas missing or too many, brackets of any kind, a
 * call Contact("down", P) for an array, numbers with units. What it reads has
 * one meaning; what has none, or is left out by dots, is refused. Hostile text,
 * pure. */
#ifndef ETNA_WORKER_AGENTS_LOOSE_H
#define ETNA_WORKER_AGENTS_LOOSE_H

#include "proto/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Does a line that begins so belong to the list? Others beside its arrays are
 * prose. */
typedef bool (*loose_head)(const char *text, size_t size);

/* All of the text as one list: arrays and calls become arrays, objects objects,
 * words and what stands in quotes strings, numbers without a unit numbers,
 * "key: a, b" an array of them, "name = value" its value. *ret is a new
 * reference. ETNA_E_INPUT says where it ends to make sense; ETNA_E_NOMEM. */
etna_code loose_list(const char *text,
                     size_t size,
                     loose_head head,
                     json_t **ret,
                     etna_error *err);

/* The one value that begins at `text`, an array or an object; *ret_size: how
 * long it is. False: there is none, or out of memory (which reading goes on
 * without: whoever needs it has less). */
bool loose_value(const char *text, size_t size, json_t **ret, size_t *ret_size);

/* The last object in the text that has a member `key`, in any case, or holds
 * one that has. NULL: there is none. */
json_t *loose_find(const char *text, size_t size, const char *key);
/* A member in any case, spaces, underscores and hyphens left aside. NULL: it
 * has none. */
json_t *loose_member(const json_t *object, const char *key);

/* A number, or a text that is one with a unit of `units` (a table that ends
 * with NULL) or none behind it; what the unit is worth is multiplied in. False:
 * it is none. */
typedef struct loose_unit {
    const char *name;
    double worth;
} loose_unit;
/* A number, or a text that is one with a unit of the list (NULL: none), which
 * scales it. Never infinite. */
bool loose_number(const json_t *value, const loose_unit *units, double *ret);

/* Appends a value, whose reference it takes. Out of memory the list is released
 * and becomes NULL, so that none stays cut off. */
void loose_append(json_t **list, json_t *value);

/* Are the two texts the same but for case, spaces, underscores and hyphens? */
bool loose_same(const char *a, const char *b);
/* Is it one of these so, which end with NULL? */
bool loose_is_one(const char *word, const char *const *words);

#endif
