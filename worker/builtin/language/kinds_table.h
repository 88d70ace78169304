/* The table that tools/ makes of WordNet and household.txt.
 *
 * Text: the sorted phrases, front-coded in blocks of KINDS_BLOCK. An entry is a
 * byte that says how many bytes it shares with the phrase before it (0 at a
 * block's start), the further bytes of which the last has its high bit set, a
 * byte of flags, a byte of classes when KINDS_HAS_CLASS, and two bytes for each
 * sense, little end first.
 *
 * Slots: an index of all entries by kinds_hash, with open addressing from the
 * hash's low bits on. A slot is 0, or the hash's high bits and below them the
 * entry's number and one. Nearly all phrases that are asked for are none of the
 * table, and end at a slot. */
#ifndef ETNA_BUILTIN_LANGUAGE_KINDS_TABLE_H
#define ETNA_BUILTIN_LANGUAGE_KINDS_TABLE_H

#include <stddef.h>
#include <stdint.h>

enum {
    KINDS_BLOCK = 16
};
enum { /* of an entry's flags */
    KINDS_SENSES = 7,
    KINDS_NOUN = 8,
    KINDS_VERB = 16,
    KINDS_OTHER = 32, /* adjective, adverb, function word */
    KINDS_HAS_CLASS = 64,
    KINDS_TRAILS = 128, /* may follow a thing's name: "left", "blue" */
};

enum { /* of an entry's classes; the others are a kinds_verb */
    KINDS_PERSON = 128,
    KINDS_ABSTRACT = 64,
    KINDS_TELLS = 32,
    KINDS_VERB_BITS = 31
};

enum {
    KINDS_SLOT_BITS = 17,
    KINDS_SLOT_ENTRY = 18 /* bits of an entry's number and one */
};
extern const uint32_t kinds_slots[];

/* FNV-1a, and its bits mixed once more, since few of them make the slot. */
static inline uint32_t kinds_hash(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    hash = (hash ^ (hash >> 15)) * 2246822519u;
    return hash ^ (hash >> 13);
}

typedef struct kinds_link {
    uint16_t kind, above;
} kinds_link;

extern const unsigned char kinds_text[];
extern const uint32_t kinds_block_at[];
extern const size_t kinds_block_count;
extern const size_t kinds_entry_count;
/* Kinds are numbered from 1; 0 is none. Those from kinds_group on stand for
 * groups of siblings that people mix up. */
extern const uint16_t kinds_group;
/* of each kind, the first kind above it, or 0 */
extern const uint16_t kinds_above[];
/* sorted by kind: what else is above it */
extern const kinds_link kinds_further[];
extern const size_t kinds_further_count;
/* Irregular forms, sorted: the form, a zero, a byte that says how much of it
 * the base form keeps, what follows, a zero. */
typedef struct kinds_irregular {
    const char *text;
    const uint16_t *at;
    size_t count;
} kinds_irregular;
extern const kinds_irregular kinds_irregular_nouns, kinds_irregular_verbs;

#endif
