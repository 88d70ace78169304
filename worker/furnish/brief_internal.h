/* What reading is made of: words, and tables of what rows of words mean.
 * Internal to worker/furnish. */
#ifndef ETNA_WORKER_FURNISH_BRIEF_INTERNAL_H
#define ETNA_WORKER_FURNISH_BRIEF_INTERNAL_H

#include "worker/furnish/brief.h"

enum {
    BRIEF_WORD_SIZE = 40 /* as TEXT_WORD_SIZE */,
    BRIEF_COMPOUND_MAX = 4
};

typedef struct brief_word {
    char text[BRIEF_WORD_SIZE]; /* folded; "" for a mark */
    uint32_t from, to;
    char mark;  /* , . ( ) or 0 */
    bool glued; /* a hyphen joins it to the next */
} brief_word;

/* Words and marks of a text in order; `ret` has room for one each byte.
 * Pure. */
uint32_t brief_cut(const char *text, size_t size, brief_word *ret);

/* The same where the last word of the row may be a plural; *ret_plural. */
uint32_t brief_name_matches(const brief_word *words,
                            uint32_t count,
                            uint32_t at,
                            const char *row,
                            bool *ret_plural);

typedef enum brief_order {
    /* "a lamp on the desk": what comes before stands so to what comes behind */
    BRIEF_FORWARD,
    BRIEF_INVERTED, /* "a desk holding a lamp" */
    BRIEF_ALONE,    /* "in a corner" */
    /* "facing each other": things of one phrase, or the last two */
    BRIEF_MUTUAL,
    BRIEF_UNREAD, /* "facing the room": asks for what is not read */
    BRIEF_NOTHING /* "built around a bed" */
} brief_order;
typedef struct brief_phrase {
    const char *row;
    brief_relation relation;
    brief_order order;
    bool both;  /* says it of each of its anchor's sides */
    bool loose; /* says only that the two go together */
    bool lined; /* and several stand in one row */
} brief_phrase;
/* The longest that begins at `at`; NULL: none. */
const brief_phrase *brief_phrase_at(const brief_word *words,
                                    uint32_t count,
                                    uint32_t at,
                                    uint32_t *ret_length);

typedef enum brief_class {
    BRIEF_PLAIN,  /* an attribute or noun, perhaps */
    BRIEF_LITTLE, /* parts phrases: "of", "that", "is", "please" */
    BRIEF_NEW,    /* a, an, another: something new */
    BRIEF_KNOWN,  /* the, that, its: perhaps something said before */
    BRIEF_EVERY,  /* each, both, either */
    BRIEF_NUMBER, /* *ret_number */
    BRIEF_WITH,   /* with, has: parts may follow */
    BRIEF_OR,     /* the next is another way to say it */
    BRIEF_FOR,    /* what follows is a purpose */
    BRIEF_NOT,    /* what follows is not wanted */
    BRIEF_UNLIKE, /* mismatched */
    BRIEF_IT,     /* it, them */
    BRIEF_VERB,   /* sits, stands, holds its subject apart from what follows */
} brief_class;
/* What a single folded word does in the reading; *ret_number: how many it says,
 * 0: no number. */
brief_class brief_word_class(const char *word, uint32_t *ret_number);

/* The walls that words from `from` to `to` name ("the back left corner"): bits
 * of brief_wall. */
uint8_t brief_walls_named(const brief_word *words, uint32_t from, uint32_t to);
/* Does a word behind a number say how a thing is made, not how many there are:
 * "a three seater sofa", "a two drawer cabinet"? */
bool brief_is_measured(const char *word);
/* Of a thing's name, by itself or behind "with": is it a part or stuff of
 * another? */
bool brief_is_part(const char *head, bool behind_with);
/* Of the room itself: a door, a wall? */
bool brief_is_of_room(const char *head);
/* How many words from `at` on say where things are to be, in a way that is read
 * only behind other words: "in a circle", "2 m"; 0. */
uint32_t brief_bound_length(const brief_word *words,
                            uint32_t count,
                            uint32_t at);
/* Metres that two words tell, "40 cm", "half metre"; 0: none. */
double brief_length_of(const char *amount, const char *unit);
/* Is a word the name of an object that one could put into a room, and no part
 * or stuff of one? */
bool brief_is_object(const char *word);
/* Is a phrase somebody, who is furnished for and never furniture? */
bool brief_is_person(const char *phrase);
/* Is a phrase of the dictionary something that stands in rooms? */
bool brief_is_thing(const char *phrase);

#endif
