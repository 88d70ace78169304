/* What the files that look at stretches share. Nobody else includes this.
 *
 *   telling.c    what tells how things are, and what merely opens a wish
 *   when.c       what a remark begins with
 *   talk_does.c  what people do or have for themselves
 *   talk.c       what names neither a thing of the scene nor a place */
#ifndef ETNA_WORKER_BUILTIN_READ_TELLING_INTERNAL_H
#define ETNA_WORKER_BUILTIN_READ_TELLING_INTERNAL_H

#include "worker/builtin/read/telling.h"

#include "worker/builtin/read/details.h"

/* Could the word bound where a thing may stand? */
bool word_bears(const char *word);
/* Does it say how things stand to others or to the room: "centred", "next",
 * "upside"? */
bool word_arranges(const char *word);
/* A verb in a form that tells: "is", "has", "can't", "will". */
bool word_is_finite(const char *word);
/* Ends it as "waiting" does? */
bool word_is_doing(const char *word);
/* "Moved", "turns": another form of a verb that asks for a move. */
bool word_moves(const char *word);
/* "Has fallen", "smells": a verb in another form than an order's. */
bool word_is_verb_form(const char *word);

typedef struct stretch { /* tokens of the text that are told in one breath */
    const sentence *s;
    uint32_t first, end;
} stretch;

const char *stretch_word(const stretch *w, uint32_t at);
/* Is the word at a token of a class? */
bool stretch_lists(const stretch *w, uint32_t at, const char *class);

/* "Nobody touches the vase", which keeps it where it is. */
bool stretch_handles_none(const stretch *w);

/* Behind "every morning", "last night", "somehow"; w->first: it begins with none
 * of these. */
uint32_t stretch_when_end(const stretch *w);
/* Does it begin with a clause that tells when: "each time I come in"? */
bool stretch_is_when(const stretch *w);
/* Where the clause behind that begins; w->first: there is none. */
uint32_t stretch_main(const stretch *w);

/* Behind "I", "somebody", "the little ones", "my parents", "there", of whom or
 * what nothing is asked; w->first: it speaks of things. */
uint32_t stretch_people_end(const stretch *w);
/* "Going to rain": what comes by itself, and no "going to the left". */
bool stretch_foretells(const stretch *w, uint32_t at);
/* "It needs the light": all that is said is what does a thing good. */
bool stretch_thrives(const stretch *w, uint32_t at);
/* "It gets dark early": what becomes so by itself, and nothing that gets
 * something. */
bool stretch_becomes(const stretch *w, uint32_t at);
/* "They keep bumping into it": what goes on, and nothing to be kept. */
bool stretch_goes_on(const stretch *w, uint32_t at);
/* Behind "so", "such that", "where": what must be so of the place. */
bool stretch_is_purpose(const stretch *w);

/* "Some privacy", "a coffee": what is wished for is nothing that could be put
 * somewhere. */
bool stretch_longs_for(const stretch *w, uint32_t at);
/* "To know what it weighs", "to see whether it fits" */
bool stretch_wonders(const stretch *w, uint32_t at);
/* "To stand up", "to catch a train", and neither "to move the sofa" nor "to have
 * it there". */
bool stretch_is_own_act(const stretch *w, uint32_t at);

#endif
