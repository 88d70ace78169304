/* Looks words up in the table of kinds. */
#ifndef ETNA_BUILTIN_LANGUAGE_KINDS_TABLE_READ_H
#define ETNA_BUILTIN_LANGUAGE_KINDS_TABLE_READ_H

#include "worker/builtin/language/kinds_table.h"

#include <stdbool.h>

typedef struct kinds_entry {
    uint8_t flags, verb_class;
    bool is_person, is_abstract, tells;
    uint8_t sense_count;
    const unsigned char *senses; /* two bytes each, little end first */
} kinds_entry;

/* `text` is normalised as kinds_normalise does. */
bool kinds_entry_find(const char *text, kinds_entry *ret);
/* The base form of an irregular form; false when there is none or it does not
 * fit. */
bool kinds_irregular_find(const kinds_irregular *among,
                          const char *form,
                          char *ret,
                          size_t size);
/* Lower case, one ' ' for any run of bytes that are no part of a word, none at
 * the ends. The length; 0 when nothing is left or it is too long. */
size_t kinds_normalise(const char *text, char *ret, size_t size);

#endif
