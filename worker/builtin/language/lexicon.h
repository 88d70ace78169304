/* The words of sentences about rooms: what each word, or row of words, can be.
 * Data (lexicon.inc), compiled in; a new word is a line there. A word may stand
 * in several categories: the grammar and the scene decide. */
#ifndef ETNA_WORKER_BUILTIN_LANGUAGE_LEXICON_H
#define ETNA_WORKER_BUILTIN_LANGUAGE_LEXICON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum lexicon_verb { /* $verb */
    VERB_PUT = 1,
    /* as put, of what goes along its ground: "near" means nearer than now */
    VERB_MOVE,
    VERB_TURN,
    VERB_HANG,
    VERB_SWAP,
    VERB_STACK,
    VERB_LINE,
    VERB_CLEAR,  /* its object is what is to be empty */
    VERB_REMOVE, /* its object is what is to go */
    VERB_TIDY,
    VERB_LAY_TABLE,
    VERB_TUCK,
    VERB_GROUP,
    VERB_ARRANGE,
    VERB_CENTRE,
    VERB_STRAIGHTEN,
    VERB_RAISE,
    VERB_LOWER,
    VERB_SPACE,
    VERB_ROOM, /* make room on */
    VERB_KEEP, /* it stays */
    VERB_USE,
    /* take, pick up: where to may follow */
    VERB_TAKE,
    VERB_CLOSER, /* "bring A and B closer together" */
    VERB_FOLLOW,
    VERB_FILL,
    VERB_REPLACE,
    VERB_SUBSTITUTE,
    VERB_ADD, /* bring in what is not there */
    /* what nobody can do here: boil, paint */
    VERB_CANNOT
} lexicon_verb;

typedef enum lexicon_relation { /* $rel */
    REL_ON = 1,
    REL_IN,
    REL_UNDER,
    REL_ABOVE,
    REL_OVER,
    REL_BESIDE,
    REL_NEAR,
    REL_LEFT,
    REL_RIGHT,
    REL_FRONT,
    REL_BEHIND,
    REL_AGAINST,
    REL_TOWARD,
    REL_AWAY,
    REL_FROM,
    REL_OFF,
    REL_AT,
    REL_TO,
    REL_AROUND,
    REL_WITH,
    REL_ALONG,
    REL_OPPOSITE, /* on the other side of */
    REL_CLOSER,
    REL_FARTHER,
    REL_AMONG,
    REL_INSTEAD, /* in place of */
    REL_OVER_TO
} lexicon_relation;

typedef enum lexicon_direction { /* $dir */
    DIR_LEFT = 1,
    DIR_RIGHT,
    /* toward who looks at the picture */
    DIR_FRONT,
    DIR_BACK,
    DIR_UP,
    DIR_DOWN,
    DIR_CLOSER,
    DIR_AWAY,
    /* along the world's first axis, and against it */
    DIR_X,
    DIR_X_BACK
} lexicon_direction;

enum { /* $side and the sides of zones: bits */
    LEXICON_LEFT = 1,
    LEXICON_RIGHT = 2,
    LEXICON_FRONT = 4,
    LEXICON_BACK = 8,
    LEXICON_TOP = 16,
    LEXICON_BOTTOM = 32,
    LEXICON_MIDDLE = 64,
    LEXICON_OUTER = 128, /* the two ends of a row; of things alone */
    LEXICON_AT_MOST = 1, /* of an amount: "within 20 cm" */
    LEXICON_AT_LEAST = 2
};

typedef enum lexicon_zone {
    ZONE_CORNER = 1,
    ZONE_MIDDLE,
    ZONE_EDGE,
    ZONE_END,
    ZONE_SIDE
} lexicon_zone;

typedef enum lexicon_adverb { /* $adv; 0: it bounds nothing */
    ADVERB_CLOSE = 1
} lexicon_adverb;

typedef enum lexicon_determiner { /* $det */
    DET_THE = 1,
    DET_A,
    DET_ALL,
    DET_BOTH,
    DET_EACH,
    DET_ANY,
    DET_SOME,
    DET_THIS,
    DET_OWN, /* my, your, our */
    /* its, their: of what was spoken of */
    DET_ITS,
    DET_OTHER,
    DET_REST,
    DET_SAME,
    DET_NO,
    DET_ONLY,
    DET_COUPLE
} lexicon_determiner;

typedef enum lexicon_pronoun { /* $pron */
    PRON_IT = 1,
    PRON_THEM,
    PRON_EACH_OTHER,
    PRON_ME, /* who looks */
    PRON_ITSELF,
    /* a noun phrase may follow: "everything on the table" */
    PRON_EVERYTHING,
    PRON_NOTHING,
    PRON_HERE
} lexicon_pronoun;

typedef struct lexicon_entry {
    const char *words; /* lower case, single spaces */
    const char *category;
    uint32_t value, cost;
} lexicon_entry;

/* All entries, in no order that matters. */
const lexicon_entry *lexicon_entries(size_t *ret_count);

/* The verb of a phrase such as "throw away"; false: the phrase is no verb, or
 * several. */
bool lexicon_find_verb(const char *phrase, lexicon_verb *ret);

/* Is the word in a category by itself? Categories without a "$" are no part of
 * the grammar: they say what a word does where no tree is found. */
bool lexicon_lists(const char *category, const char *word);
/* And by which value? 0: it is not in it. */
uint32_t lexicon_value(const char *category, const char *word);

/* Does a phrase begin with the word that goes on from what is said: "not",
 * "by", "apart"? */
bool lexicon_goes_on(const char *word);
/* Is the word part of a phrase by which the grammar asks where or how something
 * is to stand: "equal" of "with equal gaps"? */
bool lexicon_asks_how(const char *word);

/* "red" -> 1 + its place among the eleven basic colour terms (black white grey
 * red orange yellow green blue purple pink brown); 0: no colour. Finer words
 * are of the basic one they belong to. */
uint32_t lexicon_colour(const char *word);
/* +1 large, -1 small, +2 tall, -2 low, +3 long/wide, -3 narrow/short, +4 thick,
 * -4 thin, 0: none; *ret_superlative: -est. */
int lexicon_size(const char *word, bool *ret_superlative);
/* A stuff's name for a word of material ("wooden", "oak" -> "wood"); NULL:
 * none. */
const char *lexicon_material(const char *word);
/* Does it alone say how things stand to others or to the room: "centred",
 * "crooked", "apart"? */
bool lexicon_arranges(const char *word);
/* Somebody who is in no scene: "the pupils' chairs". */
bool lexicon_is_person(const char *word);
/* A word of shape or state that no box can prove, and that names are full of:
 * round, square, old, nice, empty. */
bool lexicon_is_mere_adjective(const char *word);
/* "first", "2nd"; UINT32_MAX: the last; 0: none. */
uint32_t lexicon_ordinal(const char *word);
/* "three", "3", "a dozen"'s dozen; 0: none. */
uint32_t lexicon_number(const char *word);
/* A closed class: articles, prepositions, pronouns, forms of "be": never a
 * thing's name by itself. */
bool lexicon_is_function_word(const char *word);

#endif
