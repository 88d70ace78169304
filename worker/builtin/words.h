/* What words and colours mean of things: a name's words, what they say that a
 * thing is, the basic colour terms. */
#ifndef ETNA_WORKER_BUILTIN_WORDS_H
#define ETNA_WORKER_BUILTIN_WORDS_H

#include "worker/builtin/facts.h"

enum {
    BUILTIN_WORDS_MAX = 400 /* words of one sentence */
};

typedef enum builtin_colour {
    COLOUR_NONE = 0,
    COLOUR_BLACK,
    COLOUR_WHITE,
    COLOUR_GREY,
    COLOUR_RED,
    COLOUR_ORANGE,
    COLOUR_YELLOW,
    COLOUR_GREEN,
    COLOUR_BLUE,
    COLOUR_PURPLE,
    COLOUR_PINK,
    COLOUR_BROWN,
    COLOUR_COUNT
} builtin_colour;

typedef struct builtin_word {
    const char *text; /* lower case (ASCII); a quoted one as written */
    bool quoted;      /* stood in quotes: a name */
    uint32_t at, end; /* bytes of the sentence it covers */
} builtin_word;

/* Words and the marks , . ; each as a word. ETNA_E_INPUT: more than
 * BUILTIN_WORDS_MAX. */
etna_code builtin_words(const char *sentence,
                        etna_arena *arena,
                        const builtin_word **ret,
                        uint32_t *ret_count,
                        etna_error *err);
/* A name's words: split at marks, CamelCase, between letters and digits; lower
 * case, numbers without leading zeros. NULL: out of memory. */
const char *const *builtin_name_words(const char *name,
                                      etna_arena *arena,
                                      uint32_t *ret_count);
/* but for plural and the synonyms */
bool builtin_same_word(const char *a, const char *b);
/* oak is wooden */
bool builtin_is_stuff(const char *material, const char *said);
/* by its name: people work and eat at it */
bool builtin_is_table(const builtin_object *object);
/* is it there to have things on it, by its name: a table, a tray */
bool builtin_is_bearer(const builtin_object *object);
/* a television, a mirror, by its name: one looks at its broad side */
bool builtin_is_screen(const builtin_object *object);
/* by its name: people come to its broad side */
bool builtin_is_counter(const builtin_object *object);
/* Gives a thing its name's words, borrowed, and what they say it is. */
void builtin_object_call(builtin_object *o,
                         const char *const *words,
                         uint32_t count);
/* a chair, a sofa, a bed, by its name */
bool builtin_is_seat(const builtin_object *object);
/* crockery, food, what is small and dear, by its name: nobody means the floor
 * for it who does not say so */
bool builtin_is_of_the_table(const builtin_object *object);
/* A plant, a lamp, a toilet, by its name: nobody puts things on it who has not
 * been told to. */
bool builtin_is_bare(const builtin_object *object);
/* a pillow, a blanket, by its name */
bool builtin_is_bedding(const builtin_object *object);
/* May it stand on a floor, though it is small: a plant, a basket, a toy? */
bool builtin_is_of_the_floor(const builtin_object *object);
/* Does it open to the front, by its name: a wardrobe, a fridge? */
bool builtin_has_doors(const builtin_object *object);
uint32_t builtin_ordinal(const char *word); /* "second", "2nd"; 0: none */
const char *builtin_colour_name(builtin_colour colour);
/* The basic colour term of a Lab colour, and whether `colour` would do as well
 * for a careless eye. */
builtin_colour builtin_colour_of(const double lab[3]);
bool builtin_colour_near(const double lab[3], builtin_colour colour);
/* How far a Lab colour is from the nearest sample of the basic term. */
double builtin_colour_distance(const double lab[3], builtin_colour colour);

#endif
