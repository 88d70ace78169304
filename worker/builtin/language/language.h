/* Tells a text in another language from one in English that is merely not
 * understood, so that a refusal can name what would help. It knows scripts by
 * their letters and fifteen languages by the small words that English lacks.
 * Pure. */
#ifndef ETNA_WORKER_BUILTIN_LANGUAGE_LANGUAGE_H
#define ETNA_WORKER_BUILTIN_LANGUAGE_LANGUAGE_H

#include "worker/builtin/language/sentence.h"

/* The language that the text seems to be in, as "German", "a language in
 * Cyrillic letters" or, where several would do, "another language"; NULL: it
 * may be English. Quoted names are not looked at. */
const char *language_guess(const sentence *s);

#endif
