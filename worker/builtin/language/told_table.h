/* What tools/told.c makes of WordNet. Of each kind, from told_kind_at: its
 * words with ',' between, a zero, the verbs it comes from with ' ' between, a
 * zero, its definition, a zero. Of each verb or adjective, sorted: itself,
 * words that mean the same, words above it, things named after it, each a text
 * with a zero. */
#ifndef ETNA_BUILTIN_LANGUAGE_TOLD_TABLE_H
#define ETNA_BUILTIN_LANGUAGE_TOLD_TABLE_H

#include <stddef.h>
#include <stdint.h>

extern const uint32_t told_kind_at[];
extern const size_t told_kind_count;
extern const unsigned char told_kind_text[];
extern const uint32_t told_word_at[];
extern const size_t told_word_count;
extern const unsigned char told_word_text[];

#endif
