/* What a stretch of a text does (telling.c). Nobody outside the reader includes
 * this. */
#ifndef ETNA_WORKER_BUILTIN_READ_TELLING_H
#define ETNA_WORKER_BUILTIN_READ_TELLING_H

#include "worker/builtin/read/reader.h"

/* Does a purpose with the word bound where a thing may stand: "still", "open",
 * "past"? */
bool word_binds(const char *word);
/* Does the word alone call a thing of the scene? ETNA_E_NOMEM. */
etna_code word_names_thing(reader *r, const char *word, bool *ret);
/* Do two words together, as a compound of the table of kinds: "kitchen roll"?
 * ETNA_E_NOMEM. */
etna_code words_name_thing(reader *r,
                           const char *first,
                           const char *second,
                           bool *ret);

/* Do the text's tokens [w->first, w->end) tell how things are, or of nothing
 * that is here, and bound no move? `heads`: they stand before all that is asked
 * and are cut off from it, so that they need not be a sentence.
 * ETNA_E_NOMEM. */
etna_code stretch_tells(reader *r,
                        const sentence_part *w,
                        bool heads,
                        bool *ret);

/* The same without what tells when that is: "every morning", "each time I come
 * in". */
sentence_part stretch_told(const sentence *s, const sentence_part *w);

/* Is it talk: does it give no order, and name neither a thing of the scene nor
 * a place? `alone`: nothing is said beside it, so that it need not be a
 * sentence. ETNA_E_NOMEM. */
etna_code stretch_is_talk(reader *r,
                          const sentence_part *words,
                          bool alone,
                          bool *ret);

/* May it stand in brackets behind a thing and mean nothing: each of its pieces
 * is talk, or tells what that is like in words of nothing that is here ("the one
 * with the visor", "my dad's")? ETNA_E_NOMEM. */
etna_code stretch_is_besides(reader *r, const sentence_part *words, bool *ret);

/* Is it an order or a wish about nothing that is here, and more than what people
 * do or long for themselves: "we need a piano", "you could feed the cat"?
 * ETNA_E_NOMEM. */
etna_code stretch_wishes(reader *r, const sentence_part *words, bool *ret);

/* Does it stand behind a wish and only tell more of it: "where it's cooler",
 * "before the cat knocks it over", "which drives me mad", "like they do at
 * school", "or I forget it"? ETNA_E_NOMEM. */
etna_code stretch_trails(reader *r, const sentence_part *words, bool *ret);

/* Do its first words only tell what a wish is for or by what: "to avoid
 * accidents", "for the repair", "according to my boss"? words->end becomes
 * where these end. ETNA_E_NOMEM. */
etna_code stretch_find_lead(reader *r, sentence_part *words, bool *ret);

/* Behind whom of the stretch is told, where that is somebody or "there", of whom
 * nothing is asked; w->first: it speaks of things. */
uint32_t stretch_people(const sentence *s, const sentence_part *w);

/* The first word of it that tells as "is", "wears", "left" do; words->end:
 * none. */
uint32_t stretch_verb(const sentence *s, const sentence_part *words);

/* Do the text's tokens [first, end) open a wish, and hold nothing of it: "I
 * should be ever so grateful if", "would you have the kindness to"?
 * ETNA_E_NOMEM. */
etna_code stretch_is_frame(reader *r, uint32_t first, uint32_t end, bool *ret);

#endif
