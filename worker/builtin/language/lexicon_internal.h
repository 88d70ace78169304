/* Where each word stands in the lexicon's phrases: a table that
 * tools/lexicon_index makes of lexicon.inc while Etna is built, so that a word
 * is found without walking all phrases. Only the files of this room that go
 * through entries by a word include this. */
#ifndef ETNA_WORKER_BUILTIN_LANGUAGE_LEXICON_INTERNAL_H
#define ETNA_WORKER_BUILTIN_LANGUAGE_LEXICON_INTERNAL_H

#include "worker/builtin/language/lexicon.h"

#include <string.h>

enum {
    LEXICON_BUCKETS = 4096
}; /* a power of two */

/* A word of an entry's phrase. A word with an apostrophe stands there as a
 * whole and as what is before the apostrophe. */
typedef struct lexicon_posting {
    uint16_t entry;
    uint8_t at, size; /* bytes of the phrase */
} lexicon_posting;

/* By the word's hash; of one word first those at which a phrase begins; of
 * these by entry. */
extern const lexicon_posting lexicon_postings[];
/* The first posting of each hash, and behind the last of them their count. */
extern const uint16_t lexicon_bucket_at[LEXICON_BUCKETS + 1];

/* FNV-1a. */
static inline uint32_t lexicon_hash(const char *word, size_t size)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)word[i]) * 16777619u;
    return (hash ^ hash >> 16) & (LEXICON_BUCKETS - 1);
}

typedef struct lexicon_walk {
    const lexicon_posting *next, *end;
    const char *word; /* the first of what is looked for */
    size_t size;
} lexicon_walk;

/* A walk over the entries whose phrase has the text's first word; the text must
 * outlive it. */
lexicon_walk lexicon_walk_from(const char *text);
/* The next one, and where in its phrase the word stands; NULL: there are no
 * more. Phrases that begin with the word come first, in the order of
 * lexicon_entries. */
const lexicon_entry *lexicon_walk_next(lexicon_walk *walk, size_t *ret_at);

#endif
