/* What the files of talk share. Nobody else includes this.
 *
 *   talk.c         a clause that gives no order, and names no thing nor place
 *   talk_phrase.c  the same of what is no clause: a phrase, a heading */
#ifndef ETNA_WORKER_BUILTIN_READ_TALK_INTERNAL_H
#define ETNA_WORKER_BUILTIN_READ_TALK_INTERNAL_H

#include "worker/builtin/read/telling_internal.h"

typedef enum talk_subject {
    SUBJECT_NONE,
    SUBJECT_ASKED,  /* "you", "somebody": who could do what is asked */
    SUBJECT_PEOPLE, /* "my brother", "the patient", "the dog" */
    SUBJECT_AGAIN,  /* "it", "that", "there": what was spoken of */
    SUBJECT_OTHER   /* "the weather", "dinner", "my back" */
} talk_subject;

typedef struct talk { /* a clause that may be no more than that */
    stretch w;
    uint32_t named; /* behind the words that name its subject */
    uint32_t verb;
    talk_subject subject;
    bool does; /* of a thing, it tells what that does by itself */
} talk;

/* Somebody, or an animal. */
bool word_is_alive(const char *word);
/* "Coffee", "tea": what people think of when they say what it is for. */
bool word_is_meal(const char *word);
/* Nothing that could be put anywhere: people, times, and what is no thing. */
bool word_is_no_thing(const char *word);
/* A verb of what nobody could ask for here: "broken", "painted". */
bool word_is_beyond(const char *word);
/* Does it name a thing of the scene or a place of it? ETNA_E_NOMEM. */
etna_code talk_names(reader *r, const talk *t, bool *ret);

/* ---- talk_phrase.c ---- */
/* Could the word bound what is asked: how many, which, where, how? */
bool word_may_bound(const char *word);
/* "For my bag", whatever here is called so: whose purpose it is. */
bool phrase_is_own_purpose(const stretch *w);
/* "Thanks, K.": the end of a letter, and nothing stands behind it. */
bool phrase_closes(const stretch *w);
/* "More guests", "tea for two", "photos at noon", "good night": a few words
 * without a verb, of which none is a thing or tells a way. `alone`: nothing is
 * said beside it. */
bool talk_is_phrase(const talk *t, bool alone, bool is_for);
/* "Interview scene: ...", "Reset for act two: ...": what all that follows is
 * for. No word of it may bound that or be a thing that is here. */
bool talk_is_heading(const talk *t);
/* As talk_names(), of a heading: "paint day" is of no paint that is here, "play
 * corner" of no corner. ETNA_E_NOMEM. */
etna_code heading_names(reader *r, const talk *t, bool *ret);

#endif
