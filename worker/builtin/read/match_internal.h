/* What the files of matching share. Nobody else includes this.
 *
 *   match.c        a query beside an object, and what it costs to mean that
 *   match_query.c  the words of a phrase -> a query
 *   match_word.c   what one word says
 *   match_name.c   what a name says */
#ifndef ETNA_WORKER_BUILTIN_READ_MATCH_INTERNAL_H
#define ETNA_WORKER_BUILTIN_READ_MATCH_INTERNAL_H

#include "worker/builtin/read/nouns.h"
#include "worker/builtin/read/reader.h"

/* ---- words, lower case: match_word.c ---- */
/* The same word but for plural, spelling or, of a number, leading zeros. */
bool match_word_same(const char *name, const char *said);
/* "one", "thing": whatever it is */
bool match_word_is_generic(const char *word);
/* By colour, size or side things are ranked; other properties a name can only
 * have or not. */
bool match_word_ranks(const char *word);
/* "room" */
bool match_word_is_room(const char *word);
/* "kitchen", "porch": where the thing stands, and not what it is for */
bool match_word_is_where(const char *word);
/* a colour, size, side, stuff, state or rank */
bool match_word_is_property(const char *word);
/* Neither a number nor a mere letter, colour or size. */
bool match_word_says(const char *word);
/* Is the word the end of a longer one whose beginning is a word, too? */
bool match_word_is_end(const char *word, const char *of);
/* "clean" and "used" */
bool match_words_are_opposite(const char *said, const char *named);

/* ---- kinds: match.c ---- */
/* Two kinds, each of two words or more, that nobody takes for each other: no
 * table lamp is a floor lamp. Crockery is, a tea mug for a coffee mug. */
bool match_kinds_deny(const kinds_id *named, const kinds_id *said);

/* ---- names, as places of their words: match_name.c ---- */
/* The last word before `end` that is no number or side; BUILTIN_NONE: none is. */
uint32_t match_name_noun_before(const builtin_object *o, uint32_t end);
/* Is the thing several of what the word before `last` says: a book set, and no
 * tea set? */
bool match_name_is_collection(const builtin_object *o,
                              const kinds_id *kind,
                              uint32_t last);
/* Does it say what the thing is of: "chest_of_drawers"? */
bool match_name_has_of(const builtin_object *o);
/* The word for what the thing is; BUILTIN_NONE: it has none. */
uint32_t match_name_head(const builtin_object *o, const kinds_id *kind);
/* A name as written, its marks as blanks, is the very phrase. */
bool match_name_is_whole(const char *name, const char *whole);

#endif
