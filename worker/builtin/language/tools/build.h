/* The program that makes the table of kinds: reads WordNet 3.0's database and
 * household.txt, and writes C. It runs while Etna is built, so it prints what
 * is wrong and exits. */
#ifndef ETNA_KINDS_BUILD_H
#define ETNA_KINDS_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    LEMMA_SENSES = 40,
    LEMMA_FRONT = 4,
    SYNSET_ABOVE = 8,
    SYNSET_DERIVED = 6,
    NO_SYNSET = -1
};

typedef struct synset {
    uint32_t offset; /* in its data file; 0 for one of household.txt */
    uint8_t file;    /* the lexicographer file's number */
    bool is_proper;  /* every word has a capital: a genus, a city */
    bool is_instance;
    bool is_general; /* nothing is matched through it */
    bool is_group;   /* siblings that people mix up */
    bool is_used;    /* some kept lemma or synset needs it */
    uint8_t depth;   /* of a verb below a seed */
    uint16_t id;     /* in the table */
    uint8_t above_count;
    int32_t above[SYNSET_ABOVE]; /* offsets while they are read, then indices */
    uint8_t derived_count;
    /* offsets of verbs that a noun comes from, and of nouns that come from a
     * verb */
    uint32_t derived[SYNSET_DERIVED];
    /* as WordNet spells them, the commonest first, with ' ' between; NULL:
     * ours */
    char *words;
    char *gloss; /* what the dictionary says of a noun; NULL: nothing */
} synset;

typedef struct synsets { /* sorted by offset as far as they are WordNet's */
    synset *list;
    size_t count, capacity, read;
} synsets;

/* of a lemma as noun or verb, in WordNet's order, which is that of frequency */
typedef struct senses {
    int32_t list[LEMMA_SENSES];
    /* the first `attested` occur in WordNet's tagged texts */
    uint8_t count, attested;
} senses;

typedef struct lemma {
    char *text;
    uint8_t flags; /* KINDS_NOUN ... */
    bool is_attested, is_ours;
    uint8_t verb_class;
    uint8_t front_count;
    int32_t front[LEMMA_FRONT]; /* noun senses that household.txt puts first */
    uint64_t dropped;           /* bits of noun senses that it drops */
    senses noun, verb, adjective;
} lemma;

typedef struct irregular {
    char *form, *base;
} irregular;

typedef struct irregulars {
    irregular *list;
    size_t count, capacity;
} irregulars;

typedef struct dictionary {
    synsets nouns, verbs, adjectives;
    lemma **slots; /* by hash of the text */
    size_t slot_count, lemma_count;
    irregulars noun_irregulars, verb_irregulars;
} dictionary;

/* build.c: prints and exits; allocates or exits. */
void fail(const char *format, ...)
    __attribute__((format(printf, 1, 2), noreturn));
void *grown(void *list, size_t count, size_t *capacity, size_t item);
char *file_read(const char *folder, const char *name);

/* wordnet.c */
/* fails when there is none */
int32_t synset_at(const synsets *all, long offset);
/* lower case, ' ' for '_' and '-'; false when it has other letters */
bool text_normal(char *text);
lemma *lemma_find(const dictionary *d, const char *text);
lemma *lemma_get(dictionary *d, const char *text); /* made when absent */
void wordnet_read(dictionary *d, const char *folder);

/* household.c */
void household_read(dictionary *d, const char *path);
/* The senses of a lemma that the table keeps, best first. */
size_t lemma_senses(const dictionary *d,
                    const lemma *l,
                    int32_t ret[LEMMA_SENSES]);

/* emit.c */
void table_write(dictionary *d, const char *path);
/* Bytes that grow. */
typedef struct bytes {
    unsigned char *list;
    size_t count, capacity;
} bytes;
void byte_add(bytes *b, unsigned value);
/* As string literals: compilers read them a hundred times faster than lists of
 * numbers. */
void bytes_write(FILE *file, const char *name, const bytes *b);

/* told.c, after table_write, which numbers the kinds */
void told_write(const dictionary *d, const char *path);

#endif
