/* What kind of thing a word names, and how far one kind is from another: couch
 * and sofa are one kind, an armchair is a chair, a chair is no table. The kinds
 * are WordNet's nouns for things that can stand in a scene, their everyday
 * equivalences and what WordNet lacks come from household.txt; tools/ compiles
 * both into one constant table. Here are also the other questions about single
 * words that need a dictionary: base forms, classes of verbs, known words and
 * distances of spelling.
 *
 * All functions are pure and thread-safe, allocate nothing and read nothing at
 * run time. A text is UTF-8 of any content ended by a zero; case makes no
 * difference and all but letters, digits and "'" parts words ("Coffee_Table" is
 * "coffee table"). What is longer than the limits below is unknown. */
#ifndef ETNA_BUILTIN_LANGUAGE_KINDS_H
#define ETNA_BUILTIN_LANGUAGE_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    KINDS_WORD_SIZE = 40,   /* bytes of a word with its zero */
    KINDS_PHRASE_SIZE = 96, /* bytes of a phrase with its zero */
    KINDS_READINGS_MAX = 2,
    KINDS_SENSES_MAX = 4,
    KINDS_ABOVE_MAX = 40,
};

/* One base form of a noun. */
typedef struct kinds_noun {
    char lemma[KINDS_WORD_SIZE]; /* lower-case singular */
    bool is_plural;              /* the word was its plural */
    /* the lemma is a noun of the dictionary; else a suffix rule guessed it */
    bool is_known;
} kinds_noun;

/* The base forms of one word, likeliest first: "glasses" is the plural of
 * "glass" and the singular "glasses". A word of letters has one or two;
 * anything else none. */
size_t kinds_noun_readings(const char *word,
                           kinds_noun ret[KINDS_READINGS_MAX]);
/* The likeliest of them, cut at `size` bytes; its length, 0 for none.
 * `ret_plural` may be NULL. */
size_t kinds_lemma(const char *word, char *ret, size_t size, bool *ret_plural);

/* Is a phrase, in the singular or the plural, as a whole a thing of the table
 * ("coffee table")? */
bool kinds_known(const char *phrase);

/* Some sense of a phrase or of what is above one, and how far it is from the
 * phrase. */
typedef struct kinds_near {
    uint16_t kind;
    uint8_t cost;
} kinds_near;

/* What a phrase may mean: made once for a name and once for what was said, then
 * compared. */
typedef struct kinds_id {
    uint64_t phrase; /* hash of the normalised phrase */
    uint8_t words;   /* of the phrase */
    /* of these the known thing, "stand" of "tv stand"; 0: none is known */
    uint8_t head_words;
    uint8_t self_count;
    uint8_t above_count;
    kinds_near self[KINDS_SENSES_MAX]; /* of the head, likeliest first */
    /* of what the head's senses are kinds of, nearest first */
    kinds_near above[KINDS_ABOVE_MAX];
} kinds_id;

/* False, and an id that is far from everything but the same phrase, when no
 * thing of the table is found in it: the longest ending that is one, before a
 * preposition ("bowl with fruits") and before words that follow names
 * ("armchair left", "towel blue 2"); else what it holds ("stack of books");
 * else a part of its last word ("gardenchair"). A plural is taken as its
 * singular. */
bool kinds_find(const char *phrase, kinds_id *ret);

/* The same of one kind alone, as another id has it in self or above. */
void kinds_find_above(uint16_t kind, kinds_id *ret);
/* Stands it for siblings that people mix up, and is no thing itself? */
bool kinds_is_group(uint16_t kind);

/* Distances. Within a range less is nearer; a rarer sense adds 1 to 3. */
enum {
    /* said is above the named: "furniture" for a chair; this much a step */
    KINDS_STEP = 4,
    KINDS_NEAR = 40, /* siblings that people mix up: "cup" for a mug */
    /* said is below the named: "recliner" for a thing named chair; and
     * KINDS_STEP a step */
    KINDS_BELOW = 60,
};
#define KINDS_UNRELATED UINT32_MAX

/* How far the kind that was said is from a thing's name: below KINDS_STEP for
 * synonyms ("sofa" for a couch), below KINDS_NEAR for a kind above the thing's
 * own, below KINDS_BELOW for siblings, more below it, or KINDS_UNRELATED. A
 * name whose head alone is known ("tv stand") is a kind of its head ("stand")
 * and not of its modifier ("tv"). */
uint32_t kinds_id_distance(const kinds_id *named, const kinds_id *said);
/* of two phrases */
uint32_t kinds_distance(const char *named, const char *said);

/* What a verb asks for, for the verbs that a grammar does not list. */
typedef enum kinds_verb {
    KINDS_VERB_NONE,
    KINDS_VERB_PUT,     /* lay, set, plonk, stash */
    KINDS_VERB_MOVE,    /* shift, push, drag, bring */
    KINDS_VERB_TURN,    /* rotate, spin */
    KINDS_VERB_HANG,    /* hang, suspend */
    KINDS_VERB_REMOVE,  /* remove, clear */
    KINDS_VERB_STACK,   /* stack, pile */
    KINDS_VERB_ARRANGE, /* arrange, line */
    KINDS_VERB_SWAP,    /* swap, exchange */
} kinds_verb;

kinds_verb kinds_verb_class(const char *lemma);
/* "moved" is "move", "hung" is "hang"; a word that is itself a base form stays
 * it. Cut at `size` bytes; the length of the base form, 0 when the word is no
 * verb's form. */
size_t kinds_verb_lemma(const char *word, char *ret, size_t size);

/* Does the word, or its singular, first of all name somebody, and no thing:
 * "lawyer", "witnesses"? */
bool kinds_person(const char *word);

/* Does the word, or its singular, first of all name what happens, is felt or
 * thought, and nothing that could stand somewhere: "rehearsal", "nights"? */
bool kinds_abstract(const char *word);
/* Does a verb's base form first of all tell what is said, felt or sensed: "leak",
 * and no "leave"? */
bool kinds_tells(const char *lemma);

/* Is this word a number, or it or its base form in the dictionary, as whatever
 * part of speech? Of a word with a hyphen every part must be. */
bool kinds_word(const char *word);

/* Insertions, deletions, replacements and swaps of neighbours that make a into
 * b (optimal string alignment, bytes), at most KINDS_SPELLING_FAR: that far or
 * farther. */
enum {
    KINDS_SPELLING_FAR = 4
};
/* How many letters have to be inserted, dropped, changed or swapped with their
 * neighbour, at most KINDS_SPELLING_FAR. */
uint32_t kinds_spelling_distance(const char *a, const char *b);

/* Of the table of kinds: numbers of kinds mean the same where it is the
 * same. */
uint32_t kinds_version(void);

#endif
