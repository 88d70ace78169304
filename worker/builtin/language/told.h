/* What the dictionary tells: the words of a kind, its definition, the verbs it
 * comes from; and which words mean nearly what a verb or an adjective does. For
 * finding things by what they are for. All texts are constants. Pure. */
#ifndef ETNA_BUILTIN_LANGUAGE_TOLD_H
#define ETNA_BUILTIN_LANGUAGE_TOLD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct told_kind { /* "" where nothing is told */
    const char *words;     /* "couch,lounge,sofa": the likeliest first */
    const char *verbs;     /* "heat heat_up" */
    const char *gloss;     /* "an upholstered seat for more than one person" */
} told_kind;
/* Of a kind as kinds_find numbers it; any number is fine. */
told_kind told_of_kind(uint16_t kind);

/* each with ' ' between words, '_' within */
typedef struct told_word {
    const char *same, *above, *nouns; /* "chop", "change", "chopper" */
} told_word;
/* Of a verb's or adjective's base form. False: nothing is told of it. */
bool told_of_word(const char *lemma, told_word *ret);

#endif
