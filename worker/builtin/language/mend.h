/* Typing errors: what a misspelt word may have been. One slip of the finger is
 * assumed (a letter too many, missing, changed, or two swapped); two in words
 * of eight letters and more. Which of several words was meant is not decided
 * here: the grammar and the scene do that. Pure. */
#ifndef ETNA_WORKER_BUILTIN_LANGUAGE_MEND_H
#define ETNA_WORKER_BUILTIN_LANGUAGE_MEND_H

#include "proto/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    MEND_CHOICES_MAX = 6,
    MEND_WORD_MAX = 40
};

/* Words that names of the scene are made of; borrowed, lower case. */
typedef struct sentence_vocabulary {
    uint32_t count;
    const char *const *words;
    /* words of one name, one behind the other: "cake", "stand" */
    uint32_t pair_count;
    const char *const (*pairs)[2];
} sentence_vocabulary;

typedef struct mend_choice {
    const char *text; /* in the arena */
    uint32_t cost;    /* hundredths: how unlikely it is that this was meant */
    bool is_name;     /* it may be part of a thing's name */
} mend_choice;

typedef enum mend_known {
    MEND_UNKNOWN, /* no word of this language */
    /* a word, but none that sentences about rooms are made of: "tale" */
    MEND_ELSEWHERE,
    MEND_THING, /* a thing that no name of the scene has: "font" */
    MEND_KNOWN
} mend_known;

/* Is a lower-case word spelt as it is meant? */
mend_known mend_judge(const char *word, const sentence_vocabulary *vocabulary);
/* Is it a word of the vocabulary or the plural of one? */
/* Is the second word behind the first in a name? */
bool mend_vocabulary_pairs(const sentence_vocabulary *vocabulary,
                           const char *first,
                           const char *second);
/* Is the word the last of two in a name, as "b" of "Box B" is? */
bool mend_vocabulary_follows(const sentence_vocabulary *v, const char *word);
bool mend_vocabulary_has(const sentence_vocabulary *vocabulary,
                         const char *word);
/* Is it a word of the lexicon or of its classes? */
bool mend_lexicon_has(const char *word);

/* The words that a misspelt one may have been, likeliest first. A thing that is
 * not here may not be taken for one that is: its choices are the lexicon's, and
 * no names. 0: none, or out of memory (*ret_failed). */
uint32_t mend_choices(const char *word,
                      mend_known known,
                      const sentence_vocabulary *vocabulary,
                      etna_arena *arena,
                      mend_choice ret[MEND_CHOICES_MAX],
                      bool *ret_failed);

#endif
